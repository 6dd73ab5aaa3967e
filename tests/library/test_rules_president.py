"""President as its rules say: games are followed by a model that knows only the rules."""

from itertools import combinations

import pytest
from library_playing import (
    FULL_PACK,
    bare_options,
    code,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    picked,
    preferring,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, Option, State

ORDER = "3456789TJQKA2"


@pytest.fixture(scope="module", params=[4, 5, 7])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("president", PLAYERS=request.param)


def played(state: State, option: Option) -> frozenset[str]:
    """Return the cards that an option plays; none if it is a pass."""
    cards = picked(option, "SET")
    if cards is None:
        return frozenset()
    assert isinstance(cards, tuple)
    return frozenset(code(state.game.cards[card]) for card in cards)


def offers(state: State) -> list[frozenset[str]]:
    return [played(state, option) for option in bare_options(state)]


def take(state: State, cards: str) -> None:
    """Play the option that lays down just these cards; a pass for none."""
    wanted = frozenset(cards.split())
    state.play(next(o for o in bare_options(state) if played(state, o) == wanted))


def passes(state: State, option: Option) -> bool:
    return not played(state, option)


class Model:
    """A table of President, kept by the rules alone."""

    def __init__(
        self, players: int, pack: list[str], *, reenter: bool = True, equal: bool = False
    ) -> None:
        dealt = pack[::-1]
        self.hands = [set(dealt[seat::players]) for seat in range(players)]
        self.reenter, self.equal = reenter, equal
        self.places = [0] * players
        self.seat = 0
        self.last: int | None = None
        self.top: frozenset[str] = frozenset()
        self.out: set[int] = set()

    @property
    def over(self) -> bool:
        return sum(map(bool, self.hands)) == 1

    def moves(self) -> set[frozenset[str]]:
        """Return all sets of one rank that may be played; the empty one is a pass."""
        cards = sorted(self.hands[self.seat])
        sets = {
            frozenset(some)
            for size in range(1, 5)
            for some in combinations(cards, size)
            if len({card[0] for card in some}) == 1
        }
        if not self.top:
            return sets
        return {s for s in sets if self.beats(s)} | {frozenset()}

    def beats(self, cards: frozenset[str]) -> bool:
        mine, best = (ORDER.index(next(iter(c))[0]) for c in (cards, self.top))
        return len(cards) == len(self.top) and (mine > best or (self.equal and mine == best))

    def play(self, cards: frozenset[str]) -> None:
        seat = self.seat
        if cards:
            self.last, self.top = seat, cards
            self.hands[seat] -= cards
            if not self.hands[seat]:
                self.places[seat] = max(self.places) + 1
        else:
            self.out.add(seat)
        while not self.over:
            seat = (seat + 1) % len(self.hands)
            if seat == self.last:
                self.top, self.out = frozenset(), set()
            if self.hands[seat] and (self.reenter or seat not in self.out):
                self.seat = seat
                return
        self.places = [place or len(self.hands) for place in self.places]


def follow(game: Game, seed: int, **options: bool) -> Model:
    """Play a random game beside the model, comparing all on the way; return the model."""
    model = Model(game.players, shuffled(game, seed), **options)
    state = game.start(seed)
    for at, option in decisions(game, seed):
        state = at
        assert not model.over
        assert at.player == model.seat
        for seat, cards in enumerate(model.hands):
            assert set(hand(at, seat)) == cards
        offered = offers(at)
        assert len(offered) == len(set(offered))
        assert set(offered) == model.moves()
        model.play(played(at, option))
    assert model.over
    assert list(state.scores) == model.places
    return model


def test_games_go_as_the_rules_say(game: Game) -> None:
    """Deal, sets, passes, leads and places are those of a model of the rules, to the end."""
    for seed in seeds(12):
        follow(game, seed)


def test_the_whole_pack_is_dealt(game: Game) -> None:
    """Hands differ by one card at most, and the first seats have more."""
    sizes = [len(hand(game.start(1), seat)) for seat in range(game.players)]
    assert sum(sizes) == 52
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1


def test_twos_are_high_and_threes_low() -> None:
    """A two beats an ace, nothing beats a two, and a three beats nothing."""
    deal = "AS 3S 2S 2H  3D 4S 2D 5S  6D 6C 6H 7S"
    state = stacked("president", deal, PLAYERS=4).start(0)
    take(state, "AS")
    assert offers(state) == [frozenset()]
    take(state, "")
    assert set(offers(state)) == {frozenset({"2S"}), frozenset({"2D"}), frozenset()}
    take(state, "2S")
    assert offers(state) == [frozenset()]


def test_as_many_cards_as_were_led() -> None:
    """A pair is followed by any two of three equal cards, not by one card or by three."""
    deal = "4S 9S 5S 6S  4D 9D 5D 7S  8S 9H KS 2S  JS JD JC JH"
    state = stacked("president", deal, PLAYERS=4).start(0)
    take(state, "4S 4D")
    pairs = [frozenset(pair) for pair in combinations(("9S", "9D", "9H"), 2)]
    assert set(offers(state)) == {*pairs, frozenset()}


def test_a_lead_is_any_set_and_no_pass() -> None:
    """Four of a kind can be led in fifteen ways."""
    deal = "4S 9S 5S 6S  4D 9D 5D 7S  4H 9H KS 2S  4C JD JC JH"
    state = stacked("president", deal, PLAYERS=4).start(0)
    assert state.option_count == len(set(offers(state))) == 15
    assert frozenset() not in offers(state)


def test_who_passed_may_play_again() -> None:
    """With REENTER the turn comes back to who has passed; without it not before the next lead."""
    deal = "4S 9S 5S 6S  TD JD 7D 7S  4H 9H KS 2S"
    for reenter in (True, False):
        state = stacked("president", deal, PLAYERS=4, REENTER=int(reenter)).start(0)
        for cards in ("4S", "", "5S", "6S", "TD"):
            take(state, cards)
        if reenter:
            assert state.player == 1
            assert set(offers(state)) == {frozenset({"JD"}), frozenset()}
            take(state, "")
        assert state.player == 2
        take(state, "")
        take(state, "")
        assert state.player == 0
        take(state, "4H")
        assert state.player == 1
        assert state.option_count == 4


def test_whoever_played_last_leads() -> None:
    """When the others have passed, the pile is cleared and the last to play leads anything."""
    deal = "4S 9S 5S 6S  TD 8D 7D 7S  4H 9H KS 2S"
    state = stacked("president", deal, PLAYERS=4).start(0)
    for cards in ("4S", "9S", "", "", ""):
        take(state, cards)
    assert state.player == 1
    assert set(offers(state)) == {frozenset({"8D"}), frozenset({"9H"})}
    assert not state.cards(None, "vloc", "PILE")
    assert sorted(codes(state.cards(None, "vloc", "DISCARD"))) == ["4S", "9S"]


def test_the_next_leads_if_the_last_to_play_is_out() -> None:
    """With the last cards nobody may lead; the next player with cards does, as low as it likes."""
    deal = "AS 4S 5S 6S  AD 8D 7D 7S"
    state = stacked("president", deal, PLAYERS=4).start(0)
    take(state, "AS AD")
    for seat in (1, 2, 3):
        assert state.player == seat
        take(state, "")
    assert state.player == 1
    assert set(offers(state)) == {frozenset({"4S"}), frozenset({"8D"})}
    assert state.integer(0, "PLACE") == 1


def test_places_are_the_score(game: Game) -> None:
    """Every seat has a place of its own; first is the first to be out, last has cards left."""
    for seed in seeds(15):
        first: list[int] = []
        for state, option in decisions(game, seed):
            seat = state.player
            assert seat is not None
            if len(played(state, option)) == len(hand(state, seat)):
                first.append(seat)
        assert [state.scores[seat] for seat in first] == list(range(1, game.players))
        assert sorted(state.scores) == list(range(1, game.players + 1))
        last = state.scores.index(game.players)
        assert hand(state, last)
        assert state.ranks[first[0]] == 0


def test_without_reentry_a_pass_lasts_until_the_lead() -> None:
    """With REENTER 0 games are those of the model in which who passed waits for a lead."""
    game = interpreted("president", REENTER=0)
    for seed in seeds(12):
        follow(game, seed, reenter=False)


def test_equal_ranks_may_follow_if_so_declared() -> None:
    """With EQUAL 1 games are those of the model in which the same rank follows too."""
    game = interpreted("president", EQUAL=1)
    for seed in seeds(12):
        follow(game, seed, equal=True)


def test_players_who_only_pass_do_not_stop_the_game(game: Game) -> None:
    """However often everybody passes, a leader has to play, so the round ends."""
    for seed in seeds(4):
        state = finish(game, seed, preferring(seed, game.players, passes))
        assert len(state.choices) <= 52 * game.players
        cards = sum((hand(state, seat) for seat in range(game.players)), ())
        table = state.cards(None, "vloc", "PILE") + state.cards(None, "vloc", "DISCARD")
        assert sorted(cards + codes(table)) == FULL_PACK
