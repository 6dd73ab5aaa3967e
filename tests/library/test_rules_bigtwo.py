"""Big Two as its rules say: games are followed by a model that knows only the rules."""

from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
from library_playing import (
    bare_options,
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
SUITS = "DCHS"
PICKS = ("SET", "STRAIGHT", "FLUSH", "THREE", "PAIR", "FOUR", "CARD", "RUN")
KINDS = ("straight", "flush", "full house", "four", "straight flush")

Cards = frozenset[str]
PASS: Cards = frozenset()


def cards(text: str) -> Cards:
    return frozenset(text.split())


def played(state: State, option: Option) -> Cards:
    """Return the cards that an option plays; none if it is a pass."""
    found: list[str] = []
    for name in PICKS:
        pick = picked(option, name)
        numbers = pick if isinstance(pick, tuple) else () if pick is None else (pick,)
        found += codes(state.game.cards[one] for one in numbers if isinstance(one, int))
    assert len(found) == len(set(found))
    return frozenset(found)


def offers(state: State) -> list[Cards]:
    return [played(state, option) for option in bare_options(state)]


def fives(state: State) -> set[Cards]:
    return {one for one in offers(state) if len(one) == 5}


def take(state: State, *plays: str) -> None:
    """Play just these cards, one player after the other; an empty text is a pass."""
    for one in plays:
        state.play(offers(state).index(cards(one)))


def big(state: State, option: Option) -> bool:
    """Say whether an option plays five cards; a wish of players who seek them."""
    return len(played(state, option)) == 5


def place(card: str) -> tuple[int, int]:
    """Return where a card stands: by rank, then by suit."""
    return ORDER.index(card[0]), SUITS.index(card[1])


class House(NamedTuple):
    """The rules on which tables differ."""

    twos: bool = True
    suit_first: bool = True
    reenter: bool = True
    many: int = 10

    def strength(self, some: Cards) -> tuple[object, ...] | None:
        """Return what to compare cards by with as many others; None if they are no play."""
        highest = max(place(card) for card in some)
        ranks = sorted(ORDER.index(card[0]) for card in some)
        if len(some) < 4:
            return (highest,) if len(set(ranks)) == 1 else None
        if len(some) != 5:
            return None
        tied = {rank: ranks.count(rank) for rank in ranks}
        most = max(tied, key=lambda rank: tied[rank])
        straight = len(tied) == 5 and ranks[4] - ranks[0] == 4 and (self.twos or ranks[4] < 12)
        flush = len({card[1] for card in some}) == 1
        if straight and flush:
            return 4, highest
        if tied[most] == 4:
            return 3, most
        if tied[most] == 3 and len(tied) == 2:
            return 2, most
        if flush:
            return 1, SUITS.index(min(some)[1]) if self.suit_first else 0, highest
        return (0, highest) if straight else None


class Model:
    """A table of Big Two, kept by the rules alone."""

    def __init__(self, players: int, size: int, pack: list[str], house: House) -> None:
        pack = pack[::-1]
        self.hands = [set(pack[seat * size : (seat + 1) * size]) for seat in range(players)]
        self.size, self.house = size, house
        self.first: str | None = min(pack[: players * size], key=place)
        self.seat = next(s for s, mine in enumerate(self.hands) if self.first in mine)
        self.last: int | None = None
        self.top = PASS
        self.out: set[int] = set()

    @property
    def over(self) -> bool:
        return not all(self.hands)

    def moves(self) -> set[Cards]:
        sizes = [len(self.top)] if self.top else [1, 2, 3, 5]
        some = {frozenset(c) for n in sizes for c in combinations(self.hands[self.seat], n)}
        found = {c for c in some if self.beats(c) and (self.first is None or self.first in c)}
        return found | {PASS} if self.top else found

    def beats(self, some: Cards) -> bool:
        mine = self.house.strength(some)
        if mine is None or not self.top:
            return mine is not None
        best = self.house.strength(self.top)
        assert best is not None
        return mine > best

    def play(self, some: Cards) -> None:
        seat = self.seat
        if some:
            self.last, self.top, self.first = seat, some, None
            self.hands[seat] -= some
        else:
            self.out.add(seat)
        while True:
            seat = (seat + 1) % len(self.hands)
            if seat == self.last:
                self.top, self.out = PASS, set()
            if self.house.reenter or seat not in self.out:
                self.seat = seat
                return

    def scores(self) -> list[int]:
        left = [len(mine) for mine in self.hands]
        lost = [n * (3 if n == self.size else 2 if n >= self.house.many else 1) for n in left]
        return [-cost or sum(lost) for cost in lost]


def follow(
    game: Game, seed: int, size: int = 13, house: House | None = None, *, seek: bool = False
) -> Model:
    """Play a random game beside the model, comparing all on the way; return the model."""
    model = Model(game.players, size, shuffled(game, seed), house or House())
    state = game.start(seed)
    choose = preferring(seed, game.players, big) if seek else None
    for at, option in decisions(game, seed, choose):
        state = at
        assert not model.over
        assert at.player == model.seat
        for seat, mine in enumerate(model.hands):
            assert set(hand(at, seat)) == mine
        offered = offers(at)
        assert len(offered) == len(set(offered))
        assert set(offered) == model.moves()
        model.play(played(at, option))
    assert model.over
    assert list(state.scores) == model.scores()
    return model


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("bigtwo")


@pytest.mark.parametrize("seek", [False, True])
def test_games_go_as_the_rules_say(game: Game, seek: bool) -> None:
    """Deal, options, turns, leads and scores are those of a model of the rules."""
    for seed in range(10 if seek else 5):
        follow(game, seed, seek=seek)


@pytest.mark.parametrize(("players", "size"), [(2, 13), (3, 13), (3, 17)])
def test_fewer_players_leave_cards_aside(players: int, size: int) -> None:
    """The lowest card that has been dealt begins; the rest of the pack is out of play."""
    game = interpreted("bigtwo", PLAYERS=players, HANDSIZE=size)
    for seed in range(2):
        follow(game, seed, size)
        state = finish(game, seed)
        assert len(state.cards(None, "iloc", "STOCK")) == 52 - players * size


def test_other_house_rules() -> None:
    """No twos in straights, flushes by rank, passes that last, and double cost from eight."""
    game = interpreted("bigtwo", TWOS=0, SUITFIRST=0, REENTER=0, MANY=8)
    for seed in seeds(8):
        follow(game, seed, house=House(False, False, False, 8), seek=seed % 2 == 0)


def test_the_three_of_diamonds_begins(game: Game) -> None:
    """Its holder leads, and may lead nothing without it; the next player is free of that."""
    for seed in seeds(10):
        state = game.start(seed)
        assert state.player is not None
        assert "3D" in hand(state, state.player)
        assert all("3D" in one for one in offers(state))
        assert cards("3D") in offers(state)
        state.play(offers(state).index(cards("3D")))
        assert state.option_count > 1


def test_the_first_lead_may_be_of_any_size() -> None:
    """With the card that begins all kinds of plays are possible, its rank or not."""
    deal = "3D 3H 3S 9C 9D  4C 5D 6H 7S 8S  KD KC JS TS 2D  AC AD AH QS QC"
    state = stacked("bigtwo", deal, HANDSIZE=5).start(0)
    assert set(offers(state)) == {
        cards("3D"),
        cards("3D 3H"),
        cards("3D 3S"),
        cards("3D 3H 3S"),
        cards("3D 3H 3S 9C 9D"),
    }
    deal = "4D 3D 5H 6S 7C  4C 5D 6H 8C 8S  KD KC JS TS 2D  AC AD AH QS QC"
    state = stacked("bigtwo", deal, HANDSIZE=5).start(0)
    assert set(offers(state)) == {cards("3D"), cards("4D 3D 5H 6S 7C")}
    deal = "4D 4C 4H 4S 3D  5C 5D 6H 8C 8S  KD KC JS TS 2D  AC AD AH QS QC"
    state = stacked("bigtwo", deal, HANDSIZE=5).start(0)
    assert set(offers(state)) == {cards("3D"), cards("4D 4C 4H 4S 3D")}
    deal = "3D 4C 4D 4H 4S 5C  5S 6H 8C 8S 9C TC"
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=6).start(0)
    assert set(offers(state)) == {cards("3D"), cards("4C 4D 4H 4S 3D")}
    suited = "4D 5D 6D 7D 8D"
    deal = f"3D {suited}  4C 5S 6H 8C 8S 9C"
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=6).start(0)
    fours = combinations(suited.split(), 4)
    assert set(offers(state)) == {cards("3D"), *(frozenset(four) | {"3D"} for four in fours)}


def test_only_the_first_lead_is_bound() -> None:
    """The holder of the next lowest card may later lead any card."""
    state = stacked("bigtwo", "3D 5H 5C  4D 6H 6C", PLAYERS=2, HANDSIZE=3).start(0)
    take(state, "3D", "4D", "")
    assert set(offers(state)) == {cards("6H"), cards("6C"), cards("6H 6C")}


@pytest.mark.parametrize(
    ("lead", "answers", "beaten"),
    [
        ("AS", "2D 3C", "2D"),  # twos above aces
        ("KS", "AD 3C", "AD"),  # aces above kings
        ("TS", "JD 9S", "JD"),  # jacks above tens
        ("7C", "7D 7H", "7H"),  # hearts above clubs, clubs above diamonds
        ("7H", "7C 7S", "7S"),  # spades above all
        ("7D", "7C 6S", "7C"),
    ],
)
def test_single_cards_go_by_rank_and_then_by_suit(lead: str, answers: str, beaten: str) -> None:
    """Two, ace, king down to three; spades, hearts, clubs, diamonds in one rank."""
    state = stacked("bigtwo", f"3D {lead} 3H  {answers} 3S", PLAYERS=2, HANDSIZE=3).start(0)
    take(state, "3D", "", lead)
    assert set(offers(state)) == {cards(beaten), PASS}


def test_the_pair_with_the_spade_is_stronger() -> None:
    """Seven of spades and diamonds beat those of hearts and clubs, and not the other way."""
    for lead, answer, good in (("7H 7C", "7S 7D", True), ("7S 7D", "7H 7C", False)):
        state = stacked("bigtwo", f"3D {lead} 3H  {answer} KC 3S", PLAYERS=2, HANDSIZE=4).start(0)
        take(state, "3D", "", lead)
        assert set(offers(state)) == ({cards(answer), PASS} if good else {PASS})


def test_as_many_cards_as_were_led() -> None:
    """A pair is followed by pairs only, three cards by three; fours are no play by themselves."""
    deal = "3D 4C 4H 5C 5H 5S 6D  9C 9D 9H 9S KC KD QD"
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=7).start(0)
    take(state, "3D", "", "4C 4H")
    nines = [frozenset(two) for two in combinations(cards("9C 9D 9H 9S"), 2)]
    assert set(offers(state)) == {*nines, cards("KC KD"), PASS}
    take(state, "")
    take(state, "5C 5H 5S")
    assert {len(one) for one in offers(state)} == {0, 3}
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=7).start(0)
    take(state, "3D", "KC", "")
    assert 4 not in {len(one) for one in offers(state)}
    assert cards("9C 9D 9H 9S KD") in offers(state)


FIVES = (
    "3C 4D 5H 6S 7C",  # a straight
    "4C 5D 6H 7S 8D",
    "4D 5H 6S 7H 8C",  # the suit of the highest card
    "TC JD QH KC AC",
    "JC QD KH AS 2C",  # the two follows the ace
    "4D 5D 7D 9D JD",  # a flush
    "4C 5C 7C 8C TC",  # a higher suit, though its cards are lower
    "4H 5H 7H 9H JH",
    "6H 8H TH QH KH",  # a higher card of the same suit
    "3C 3H 3S 2C 2S",  # a full house
    "4C 4D 4H 5C 5S",
    "2C 2D 2H 6C 6S",
    "4C 4D 4H 4S 3C",  # four of a rank
    "5C 5D 5H 5S 6D",
    "6C 7C 8C 9C TC",  # a straight flush
    "6S 7S 8S 9S TS",
    "9D TD JD QD KD",
)
"""From the weakest to the strongest."""


def beats(answer: str, lead: str, **declared: int) -> bool:
    """Say whether a five may be played on another."""
    deal = f"3D {lead} AH  {answer} KS QS"
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=7, **declared).start(0)
    take(state, "3D", "", lead)
    return cards(answer) in offers(state)


@pytest.mark.parametrize(("weak", "strong"), list(pairwise(FIVES)))
def test_fives_in_order(weak: str, strong: str) -> None:
    """Straight, flush, full house, four, straight flush; and within each what decides."""
    assert beats(strong, weak)
    assert not beats(weak, strong)


def test_the_suit_of_a_flush_may_come_last() -> None:
    """With SUITFIRST 0 a jack-high flush in diamonds beats a ten-high one in clubs."""
    diamonds, clubs, jacks = "4D 5D 7D 9D JD", "4C 5C 7C 8C TC", "4H 5H 7H 9H JH"
    assert beats(diamonds, clubs, SUITFIRST=0)
    assert not beats(clubs, diamonds, SUITFIRST=0)
    assert beats(jacks, diamonds, SUITFIRST=0)
    assert not beats(diamonds, jacks, SUITFIRST=0)


def test_straights_end_with_the_two() -> None:
    """Jack to two is one, and nothing goes round the corner; with TWOS 0 it is none."""
    for five, twos, found in (
        ("JC QD KH AS 2C", 1, True),
        ("JC QD KH AS 2C", 0, False),
        ("TC JD QH KS AC", 0, True),
        ("AC 2D 3C 4H 5S", 1, False),
        ("2D 3C 4H 5S 6C", 1, False),
        ("QD KH AS 2C 3C", 1, False),
        ("3C 4H 5S 6C 8D", 1, False),
    ):
        deal = f"3D {five}  9C 9S TD 7D 7H 8S"
        state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=6, TWOS=twos).start(0)
        take(state, "3D", "")
        assert fives(state) == ({cards(five)} if found else set())


def test_a_straight_flush_is_offered_once() -> None:
    """Six cards of a suit in sequence: two straight flushes, and four flushes."""
    deal = "3D 4S 5S 6S 7S 8S 9S  9C 9D TD 7D 7H 8C JC"
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=7).start(0)
    take(state, "3D", "")
    offered = offers(state)
    assert len(offered) == len(set(offered))
    assert len(fives(state)) == 6
    assert len(offered) == 6 + 6


def test_full_houses_and_fours_of_a_hand() -> None:
    """Four threes and two pairs: each way to take three, two, or four with another."""
    deal = "3D 4D 4C 4H 4S 5D 5C  9C 9D TD 7D 7H 8C JC"
    state = stacked("bigtwo", deal, PLAYERS=2, HANDSIZE=7).start(0)
    take(state, "3D", "")
    houses = {frozenset(three) | cards("5D 5C") for three in combinations(cards("4D 4C 4H 4S"), 3)}
    fours = {cards(f"4D 4C 4H 4S {card}") for card in ("5D", "5C")}
    assert fives(state) == houses | fours


def test_the_pile_is_cleared_when_all_others_have_passed() -> None:
    """Whoever played last leads anything, and the cards played are laid away."""
    deal = "3D 5C 5H  4C 7C 7D  6C 8C 8D"
    state = stacked("bigtwo", deal, PLAYERS=3, HANDSIZE=3).start(0)
    take(state, "3D", "4C", "", "")
    assert state.player == 1
    assert set(offers(state)) == {cards("7C"), cards("7D"), cards("7C 7D")}
    assert not state.cards(None, "vloc", "PILE")
    assert set(codes(state.cards(None, "vloc", "DISCARD"))) == cards("3D 4C")


@pytest.mark.parametrize("reenter", [1, 0])
def test_who_has_passed_may_play_again(reenter: int) -> None:
    """Unless REENTER is 0: then a pass lasts until the next lead."""
    deal = "3D 5C 9H  4C 7C TD  6C 8C KD"
    state = stacked("bigtwo", deal, PLAYERS=3, HANDSIZE=3, REENTER=reenter).start(0)
    take(state, "3D", "", "6C", "9H")
    if reenter:
        assert state.player == 1
        assert set(offers(state)) == {cards("TD"), PASS}
    else:
        assert state.player == 2
        take(state, "", "5C")
        assert state.finished


def test_a_leader_may_not_pass(game: Game) -> None:
    """All others may pass, also with better cards; so every round ends, with one empty hand."""
    for seed in seeds(4):
        for state, _ in decisions(game, seed, preferring(seed, 4, lambda s, o: not played(s, o))):
            assert (PASS in offers(state)) == bool(state.cards(None, "vloc", "PILE"))
        assert [bool(hand(state, seat)) for seat in range(4)].count(False) == 1


@pytest.mark.parametrize(
    ("many", "scores"), [(10, (14, -2, -12)), (3, (14, -2, -12)), (2, (16, -4, -12))]
)
def test_what_is_left_costs(many: int, scores: tuple[int, ...]) -> None:
    """Two cards cost one each, or two if two are many; a hand never touched costs three each."""
    deal = "3D 9C 9H 9S  4C 5C 7C 8D  6C TC JC KD"
    state = stacked("bigtwo", deal, PLAYERS=3, HANDSIZE=4, MANY=many).start(0)
    take(state, "3D", "4C", "", "", "5C", "", "9C", "", "")
    take(state, "9H 9S")
    assert state.finished
    assert state.scores == scores
    assert state.ranks == (0, 1, 2)


@pytest.mark.parametrize(("answers", "cost"), [("3C 4C 5C", 20), ("3C 4C 5C 6C", 9)])
def test_ten_cards_are_many(answers: str, cost: int) -> None:
    """Of thirteen cards ten left cost double, nine do not."""
    mine = ["3D", "4D", "5D", "6D", "7D", "9D", "TD", "JC", "QC", "KC", "AC", "2C", "2S"]
    deal = " ".join(mine) + "  3C 4C 5C 6C 7C 8C 9C TC 3H 4H 5H 6H 7H"
    state = stacked("bigtwo", deal, PLAYERS=2).start(0)
    for turn, card in enumerate(mine):
        take(state, card)
        if turn < 12:
            take(state, dict(enumerate(answers.split())).get(turn, ""))
    assert state.scores == (cost, -cost)


def test_the_round_ends_with_the_last_card() -> None:
    """Nobody answers a last play: with three threes led, the others pay for all they hold."""
    deal = "3D 3H 3S  4C 4D 4H  5C 5D 5H  6C 6D 6H"
    state = stacked("bigtwo", deal, HANDSIZE=3).start(0)
    take(state, "3D 3H 3S")
    assert state.finished
    assert state.scores == (27, -9, -9, -9)
