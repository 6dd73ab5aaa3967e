"""Rummy as its rules say: games are followed by a model that knows only the rules."""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import pytest
from library_playing import (
    FULL_PACK,
    Chooser,
    bare_options,
    card_of,
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
    words,
)

from cardwright import Option, State, Stream

ORDER = "A23456789TJQK"
COST = {rank: min(value, 10) for value, rank in enumerate(ORDER, start=1)}


class Move(NamedTuple):
    """What a player does: draw, take, meld, lay off (on the cards of a meld), discard or pass."""

    kind: str
    cards: frozenset[str] = frozenset()
    onto: frozenset[str] = frozenset()


def move(state: State, option: Option) -> Move:
    """Return what an option does, told by what it picks."""
    meld, place, card = picked(option, "MELD"), picked(option, "PLACE"), card_of(state, option)
    if isinstance(meld, tuple):
        return Move("meld", frozenset(code(state.game.cards[one]) for one in meld))
    if isinstance(place, int):
        assert card is not None
        onto = codes(state.cards(None, "vloc", "MELD", place))
        return Move("lay off", frozenset({card}), frozenset(onto))
    if card is not None:
        return Move("discard", frozenset({card}))
    if "STOCK" in words(state, option):
        return Move("draw")
    return Move("take" if "DISCARD" in words(state, option) else "pass")


def moves(state: State) -> list[Move]:
    return [move(state, option) for option in bare_options(state)]


def take(state: State, kind: str, cards: str = "") -> None:
    """Play the first option of a kind with just these cards, or with any if none are named."""
    wanted = frozenset(cards.split())
    found = [o for o in bare_options(state) if move(state, o).kind == kind]
    state.play(next(o for o in found if not cards or move(state, o).cards == wanted))


def lays(state: State, option: Option) -> bool:
    return move(state, option).kind in ("meld", "lay off")


def takes(state: State, option: Option) -> bool:
    return move(state, option).kind in ("take", "pass")


def discards(state: State) -> list[str]:
    return list(codes(state.cards(None, "vloc", "DISCARD")))


def stock(state: State) -> list[str]:
    return list(codes(state.cards(None, "iloc", "STOCK")))


def melds(state: State) -> list[tuple[str, ...]]:
    count = state.integer(None, "MELDS")
    return [codes(state.cards(None, "vloc", "MELD", at)) for at in range(1, count + 1)]


def is_meld(cards: frozenset[str]) -> bool:
    """Say whether cards are a set or a run."""
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    if len(cards) < 3:
        return False
    if len(ranks) == 1:
        return True
    places = [ORDER.index(rank) for rank in ranks]
    return len(suits) == 1 and max(places) - min(places) == len(cards) - 1


def possible(cards: list[str]) -> set[frozenset[str]]:
    """Return all melds in a hand."""
    by_suit = [[c for c in cards if c[1] == suit] for suit in "CDHS"]
    by_rank = [[c for c in cards if c[0] == rank] for rank in ORDER]
    return {
        frozenset(some)
        for group in by_suit + by_rank
        for size in range(3, len(group) + 1)
        for some in combinations(group, size)
        if is_meld(frozenset(some))
    }


class Model:
    """A table of Rummy, kept by the rules alone."""

    def __init__(self, pack: list[str], limit: int, rounds: int) -> None:
        self.pack = list(pack)
        self.hands = [[self.pack.pop() for _ in range(10)] for _ in (0, 1)]
        self.discards = [self.pack.pop()]
        self.melds: list[frozenset[str]] = []
        self.limit, self.left = limit, 2 * rounds
        self.seat, self.phase, self.laid, self.taken = 0, "draw", 0, ""

    @property
    def over(self) -> bool:
        return not all(self.hands) or not self.left

    def moves(self) -> set[Move]:
        mine = self.hands[self.seat]
        if self.phase == "draw":
            return {Move("draw"), Move("take")} if self.pack else {Move("take")}
        if self.phase == "discard":
            free = [card for card in mine if card != self.taken] or mine
            return {Move("discard", frozenset({card})) for card in free}
        found = {Move("pass")}
        if self.laid < self.limit:
            found |= {Move("meld", cards) for cards in possible(mine)}
        ways = [(meld, frozenset({card})) for meld in self.melds for card in mine]
        return found | {Move("lay off", card, meld) for meld, card in ways if is_meld(meld | card)}

    def play(self, move: Move) -> None:
        mine = self.hands[self.seat]
        self.hands[self.seat] = mine = [card for card in mine if card not in move.cards]
        match move.kind:
            case "draw":
                mine.append(self.pack.pop())
            case "take":
                self.taken = self.discards.pop()
                mine.append(self.taken)
            case "meld":
                self.melds.append(move.cards)
                self.laid += 1
            case "lay off":
                self.melds[self.melds.index(move.onto)] |= move.cards
            case "discard":
                self.discards += move.cards
        if move.kind in ("draw", "take"):
            self.phase = "lay"
        elif move.kind == "pass":
            self.phase = "discard"
        if move.kind == "discard" or not mine:
            self.seat, self.phase, self.laid, self.taken = 1 - self.seat, "draw", 0, ""
            self.left -= 1
            if not self.pack and not self.over:
                self.pack = self.discards[-2::-1]
                self.discards = self.discards[-1:]

    def check(self, state: State) -> None:
        for seat in (0, 1):
            assert sorted(hand(state, seat)) == sorted(self.hands[seat])
        assert [frozenset(meld) for meld in melds(state)] == self.melds
        assert discards(state) == self.discards
        assert stock(state) == self.pack


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("eager", [False, True])
def test_games_go_as_the_rules_say(limit: int, eager: bool) -> None:
    """Draws, melds, laying off, discards and turns are those of a model of the rules."""
    game = interpreted("rummy", MELDLIMIT=limit, ROUNDS=40)
    seen: Counter[str] = Counter()
    for seed in seeds(20, 8):
        model = Model(shuffled(game, seed), limit, 40)
        choose: Chooser | None = preferring(seed, 2, lays) if eager else None
        state = game.start(seed)
        for at, option in decisions(game, seed, choose):
            state = at
            assert not model.over
            model.check(at)
            assert at.player == model.seat
            offered = moves(at)
            assert len(offered) == len(set(offered))
            assert set(offered) == model.moves()
            seen[move(at, option).kind] += 1
            model.play(move(at, option))
        assert model.over
        model.check(state)
        costs = [sum(COST[card[0]] for card in cards) for cards in model.hands]
        assert list(state.scores) == costs
    assert min(seen.values()) > 5
    assert len(seen) == 6


def test_nobody_turns_twice_and_nobody_is_skipped() -> None:
    """Each turn draws one card; seats take turns, whatever is melded on the way."""
    game = interpreted("rummy")
    for seed in seeds(8):
        turns = [
            state.player
            for state, option in decisions(game, seed, preferring(seed, 2, lays))
            if move(state, option).kind in ("draw", "take")
        ]
        assert turns == [turn % 2 for turn in range(len(turns))]


def test_the_ace_is_low() -> None:
    """Ace, two, three is a run; queen, king, ace is none; nor can a run go round the corner."""
    state = stacked("rummy", "AS 2S 3S QS KS  4D 6D 8D TD 2H  5C 9H", HANDSIZE=5).start(0)
    take(state, "draw")
    melds = {one.cards for one in moves(state)}
    assert melds == {frozenset({"AS", "2S", "3S"}), frozenset()}
    take(state, "meld", "AS 2S 3S")
    assert moves(state) == [Move("pass")]


def test_sets_and_runs_of_all_sizes() -> None:
    """Four of a kind make five sets; four in sequence make three runs; both may be possible."""
    deal = "7S 7C 7D 7H 8S 9S TS  2D 4D 6D TD 2H KC KH  5C QH"
    state = stacked("rummy", deal, HANDSIZE=7).start(0)
    take(state, "draw")
    sizes = Counter(len(one.cards) for one in moves(state) if one.kind == "meld")
    assert sizes == {3: 4 + 2, 4: 1 + 1}


def test_one_meld_a_turn() -> None:
    """After a meld only laying off is left, unless MELDLIMIT allows more."""
    deal = "7S 7C 7D KS KC KD 7H  2D 4D 6D TD 2H 4C 6H  5C QH"
    for limit in (1, 2):
        state = stacked("rummy", deal, HANDSIZE=7, MELDLIMIT=limit).start(0)
        take(state, "draw")
        take(state, "meld", "7S 7C 7D")
        sevens, kings = frozenset({"7S", "7C", "7D"}), frozenset({"KS", "KC", "KD"})
        expected = {Move("pass"), Move("lay off", frozenset({"7H"}), sevens)}
        assert set(moves(state)) == expected | ({Move("meld", kings)} if limit == 2 else set())


def test_laying_off_on_what_the_other_has_melded() -> None:
    """A run grows at both ends, again and again, whoever made it."""
    deal = "5S 6S 7S KH  4S 8S 9S KD  2C 3C 3D"
    state = stacked("rummy", deal, HANDSIZE=4).start(0)
    take(state, "draw")
    take(state, "meld", "5S 6S 7S")
    take(state, "pass")
    take(state, "discard", "KH")
    take(state, "draw")
    assert {one.cards for one in moves(state) if one.kind == "lay off"} == {
        frozenset({"4S"}),
        frozenset({"8S"}),
    }
    for card in ("8S", "4S", "9S"):
        take(state, "lay off", card)
    assert melds(state) == [("4S", "5S", "6S", "7S", "8S", "9S")]
    assert state.player == 1


def test_the_card_taken_is_not_discarded() -> None:
    """Whoever takes the top discard has to discard another card; a drawn card may go at once."""
    state = stacked("rummy", "5S 6D 7S  4S 8D 9S  KH 2C 3C 3D", HANDSIZE=3).start(0)
    take(state, "take")
    take(state, "pass")
    assert {card for one in moves(state) for card in one.cards} == {"5S", "6D", "7S"}
    take(state, "discard", "5S")
    take(state, "draw")
    take(state, "pass")
    assert "2C" in {card for one in moves(state) for card in one.cards}
    take(state, "discard", "4S")
    take(state, "draw")
    take(state, "pass")
    assert "KH" in {card for one in moves(state) for card in one.cards}


def test_the_card_taken_may_go_if_it_is_the_last() -> None:
    """With everything else laid down it is discarded after all, and the round is over."""
    state = stacked("rummy", "5S 6S 7S  4D 8D TH  KH 2C 3C", HANDSIZE=3).start(0)
    take(state, "take")
    take(state, "meld")
    take(state, "pass")
    assert moves(state) == [Move("discard", frozenset({"KH"}))]
    take(state, "discard")
    assert state.finished
    assert state.scores == (0, 22)


def test_going_out_without_a_discard() -> None:
    """Whoever melds the last card has won at once, and pays nothing."""
    state = stacked("rummy", "5S 6S 7S  AD JD KH  KC 8S 3C", HANDSIZE=3).start(0)
    take(state, "draw")
    take(state, "meld", "5S 6S 7S 8S")
    assert state.finished
    assert state.scores == (0, 21)
    assert state.ranks == (0, 1)


def test_the_discards_are_turned_over_not_shuffled() -> None:
    """With the stock gone the top discard stays, and the one discarded first is drawn first."""
    state = stacked("rummy", "5S 6D 8S  4S TD 9C  KH 2C 3C", HANDSIZE=3).start(0)
    for card in ("2C", "3C"):
        take(state, "draw")
        take(state, "pass")
        take(state, "discard", card)
    assert discards(state) == ["3C"]
    assert stock(state) == ["2C", "KH"]
    take(state, "draw")
    assert "KH" in hand(state, 0)


def test_no_game_is_endless() -> None:
    """Who only takes discards and never lays down plays ROUNDS turns, and the round is over."""
    for rounds in (1, 55):
        game = interpreted("rummy", ROUNDS=rounds)
        for seed in range(2):
            state = finish(game, seed, preferring(seed, 2, takes))
            assert len(state.choices) == 3 * 2 * rounds
            assert [len(hand(state, seat)) for seat in (0, 1)] == [10, 10]
            assert min(state.scores) > 0


def test_a_card_taken_is_known_to_be_in_the_hand() -> None:
    """The opponent never imagines it elsewhere; and nobody sees what is drawn from the stock."""
    state = stacked("rummy", "5S 6D 7S  4S 8D 9S  KH 2C 3C 3D", HANDSIZE=3).start(0)
    take(state, "take")
    take(state, "pass")
    take(state, "discard", "5S")
    take(state, "draw")
    others = []
    for seed in seeds(40):
        assert "KH" in hand(state.determinise(1, Stream(seed), "known"), 0)
        others.append(set(hand(state.determinise(0, Stream(seed), "known"), 1)))
    assert set.union(*others) == {"4S", "8D", "9S", "2C", "3C", "3D"}
    assert not set.intersection(*others)


def test_no_card_is_lost() -> None:
    """Hands, stock, discards and melds make a whole pack at the end."""
    game = interpreted("rummy")
    for seed in seeds(5):
        state = finish(game, seed)
        cards = [*hand(state, 0), *hand(state, 1), *stock(state), *discards(state)]
        assert sorted(cards + [card for meld in melds(state) for card in meld]) == FULL_PACK
