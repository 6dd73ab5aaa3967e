"""Cribbage as its rules say: dealt hands with known counts, and games counted by hand."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from library_playing import (
    FULL_PACK,
    Chooser,
    at_random,
    bare_options,
    by_number,
    card_of,
    code,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    picked,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, Option, State

ORDER = "A23456789TJQK"


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("cribbage")


def pips(card: str) -> int:
    return min(10, ORDER.index(card[0]) + 1)


def is_run(cards: Sequence[str]) -> bool:
    ranks = sorted(ORDER.index(card[0]) for card in cards)
    return len(ranks) > 2 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def show(cards: Sequence[str], starter: str, crib: bool = False) -> int:
    """Return what four cards and the starter are worth."""
    five = [*cards, starter]
    groups = [group for n in range(2, 6) for group in combinations(five, n)]
    total = 2 * sum(sum(map(pips, group)) == 15 for group in groups)
    total += 2 * sum(a[0] == b[0] for a, b in combinations(five, 2))
    runs = [len(group) for group in groups if is_run(group)]
    total += sum(n for n in runs if n == max(runs))
    if len({card[1] for card in five}) == 1:
        total += 5
    elif len({card[1] for card in cards}) == 1 and not crib:
        total += 4
    return total + ("J" + starter[1] in cards)


def peg(series: Sequence[str]) -> int:
    """Return what the last card of a series earns, without the point for a last card."""
    count = sum(map(pips, series))
    total = 2 * (count in (15, 31))
    alike = 0
    while alike < len(series) and series[-1 - alike][0] == series[-1][0]:
        alike += 1
    total += alike * (alike - 1)
    return total + max((n for n in range(3, len(series) + 1) if is_run(series[-n:])), default=0)


def score(state: State) -> tuple[int, int]:
    return state.integer(0, "SCORE"), state.integer(1, "SCORE")


def pair(state: State, option: Option) -> frozenset[str]:
    cards = picked(option, "PAIR")
    assert isinstance(cards, tuple)
    return frozenset(code(state.game.cards[card]) for card in cards)


def laid(first: str, second: str, starter: str = "9S") -> State:
    """Return a game with these six cards each, the last two of which were laid away."""
    state = stacked("cribbage", f"{first} {second} {starter}").start(0)
    for cards in (first, second):
        away = set(cards.split()[4:])
        state.play(next(o for o in bare_options(state) if pair(state, o) == away))
    return state


def play(state: State, *cards: str) -> State:
    for card in cards:
        state.play(offered(state).index(card))
    return state


class Table:
    """The play of the cards, kept by the rules alone: the series, and what was pegged."""

    def __init__(self, hands: list[list[str]], starter: str) -> None:
        self.hands = hands
        self.series: list[str] = []
        self.pegged = [0, 2 * (starter[0] == "J")]
        self.seat = 0

    @property
    def count(self) -> int:
        return sum(map(pips, self.series))

    def able(self, seat: int) -> tuple[str, ...]:
        return tuple(card for card in self.hands[seat] if self.count + pips(card) <= 31)

    def play(self, card: str) -> None:
        me, other = self.seat, 1 - self.seat
        self.hands[me].remove(card)
        self.series.append(card)
        self.pegged[me] += peg(self.series)
        if self.able(other):
            self.seat = other
        elif not self.able(me):
            self.pegged[me] += self.count != 31
            self.series = []
            self.seat = other if self.hands[other] else me


def followed(state: State, choose: Chooser) -> tuple[int, int]:
    """Play on after the laying away, along with a table; return what the show brought both."""
    table = Table(
        [list(hand(state, 0)), list(hand(state, 1))],
        code(state.cards(None, "vloc", "STARTER")[0]),
    )
    while not state.finished:
        assert state.player == table.seat
        assert score(state) == tuple(table.pegged)
        assert state.integer(None, "COUNT") == table.count
        assert offered(state) == table.able(table.seat)
        option = choose(state)
        card = card_of(state, option)
        assert card is not None
        table.play(card)
        state.play(option)
    return state.scores[0] - table.pegged[0], state.scores[1] - table.pegged[1]


def first(state: State) -> Option:
    return bare_options(state)[0]


@pytest.mark.parametrize(
    ("cards", "starter", "value"),
    [
        ("JH 5S 5D 5C", "5H", 29),
        ("5S 5D JH QC", "5C", 20),
        ("6S 7D 7C 8H", "QS", 12),
        ("2H 4H 6H 8H", "KS", 4),
        ("2H 4H 6H 8H", "KH", 5),
        ("AS 2D 3C 4H", "5S", 7),
        ("3S 3D 4C 4H", "5S", 20),
        ("3S 3D 3C 4H", "5S", 21),
        ("2S 4D 6C 8H", "KS", 0),
        ("JS 2D 4C 8H", "KS", 1),
        ("JD 2D 4C 8H", "KS", 0),
    ],
)
def test_known_hands(cards: str, starter: str, value: int) -> None:
    """Fifteens and pairs two each, runs a point a card, flush four or five, his nobs one."""
    used = [*cards.split(), starter]
    rest = [card for card in FULL_PACK if card not in used]
    state = laid(" ".join([*cards.split(), *rest[:2]]), " ".join(rest[2:8]), starter)
    assert followed(state, first)[0] == value
    assert show(cards.split(), starter) == value


@pytest.mark.parametrize(("starter", "value"), [("KS", 0), ("KH", 5)])
def test_a_flush_in_the_crib_takes_five_cards(starter: str, value: int) -> None:
    """Four of one suit are nothing in the crib, five with the starter are."""
    state = laid("AS 3S 9C 7C 2H 4H", "TS QD 8S 6D 6H 8H", starter)
    assert followed(state, first)[1] == value


def test_the_crib_is_the_dealers() -> None:
    """Player 2 counts the four cards laid away: here four fives, and the starter a jack."""
    state = laid("AS 3S 9C 8C 5H 5S", "TS QD 8S 6D 5D 5C", "JH")
    mine, yours = followed(state, first)
    assert yours - show(["TS", "QD", "8S", "6D"], "JH") == 28
    assert mine == show(["AS", "3S", "9C", "8C"], "JH")


def test_a_jack_turned_up_pays_the_dealer() -> None:
    """His heels: two points for player 2 before the first card."""
    cards = "AS 3S 9C 7C 2H 4H", "TS QD 8S 6D 6H 8H"
    assert score(laid(*cards, starter="JD")) == (0, 2)
    assert score(laid(*cards, starter="QH")) == (0, 0)


@pytest.mark.parametrize(
    ("mine", "yours", "series", "points"),
    [
        ("7S 2C 4D KS", "8S QD TC AC", "7S 8S", (0, 2)),
        ("7S 7D 2C KS", "7C TD QS AC", "7S 7C", (0, 2)),
        ("7S 7D 2C KS", "7C TD QS AC", "7S 7C 7D", (6, 2)),
        ("3S 3D 2C KS", "3C 3H QS AC", "3S 3C 3D 3H", (6, 14)),
        ("4S 5D TC KS", "6C TD QS AC", "4S 6C 5D", (5, 0)),
        ("4S 5D TC KS", "6C TD QS 3C", "4S 6C 5D 3C", (5, 4)),
        ("4S 5D TC KS", "6C TD QS AC", "TC 6C 5D AC", (0, 0)),
        ("TS AD 2C KS", "JC TD QS 4C", "TS JC AD TD", (0, 2)),
        ("TS QD AC 3S", "KC 8D 9S 6C", "TS KC QD", (0, 0)),
        ("TS QD 9C 8S", "KC 8D 7S 6C", "TS KC QD", (1, 0)),
        ("TS QD AC 8S", "KC 8D 7S 6C", "TS KC QD AC", (2, 0)),
        ("5S 7D AC 8S", "TC 5D 7S 6C", "5S TC 8S 7S", (0, 2)),
    ],
)
def test_pegging(mine: str, yours: str, series: str, points: tuple[int, int]) -> None:
    """Fifteen, thirty-one, pairs, runs in any order and the last card earn their points."""
    rest = [card for card in FULL_PACK if card not in f"{mine} {yours}"]
    state = laid(f"{mine} {rest[0]} {rest[1]}", f"{yours} {rest[2]} {rest[3]}", rest[4])
    assert score(play(state, *series.split())) == points


def test_after_thirty_one_the_count_starts_afresh() -> None:
    """Thirty-one pays two and no point for the last card; the other player goes on from zero."""
    state = laid("TS AD 2C KS 8C 9C", "JC TD QS 4C 8D 9D", "7S")
    play(state, "TS", "JC", "AD", "TD")
    assert state.player == 0
    assert state.integer(None, "COUNT") == 0
    assert sorted(offered(state)) == ["2C", "KS"]
    assert score(state) == (0, 2)


def test_go() -> None:
    """Who cannot play leaves the turn to the other, who plays on while possible and pegs one."""
    state = laid("TS QD 2C 3S 8C 9C", "KC 8D 9S 6C TC JC", "7S")
    play(state, "TS", "KC")
    play(state, "3S", "6C")
    assert state.integer(None, "COUNT") == 29
    assert state.player == 0
    assert offered(state) == ("2C",)
    play(state, "2C")
    assert score(state) == (2, 0)
    assert state.player == 1
    assert state.integer(None, "COUNT") == 0


def test_the_lead_after_go_stays_with_who_has_cards() -> None:
    """When the other player has run out of cards, the same one goes on from zero."""
    state = laid("TS JD QD KD 8C 9C", "AC 2D 3S 4C TC JC", "7S")
    play(state, "TS", "AC", "JD", "2D")
    assert state.player == 1
    play(state, "4C", "3S")
    assert state.player == 0
    assert not hand(state, 1)
    play(state, "QD")
    assert state.player == 0


def test_any_two_cards_may_be_laid_away(game: Game) -> None:
    """The first two decisions have fifteen options each, all the pairs of the six cards."""
    for seed in seeds(10):
        state = game.start(seed)
        pack = shuffled(game, seed)
        for seat in range(2):
            cards = [pack.pop() for _ in range(6)]
            assert state.player == seat
            assert list(hand(state, seat)) == by_number(game, cards)
            pairs = [pair(state, option) for option in bare_options(state)]
            assert len(pairs) == 15
            assert set(pairs) == {frozenset(two) for two in combinations(cards, 2)}
            state.play(seed % 15)
            assert set(hand(state, seat, "CRIB")) == pairs[seed % 15]
        assert codes(state.cards(None, "vloc", "STARTER")) == (pack[-1],)


def test_games_are_counted_as_by_hand(game: Game) -> None:
    """Legal cards, whose turn it is, all that is pegged and all that is shown."""
    for seed in seeds(300):
        choose = at_random(seed, 2)
        state = game.start(seed)
        for _ in range(2):
            state.play(choose(state))
        hands = [hand(state, seat) for seat in range(2)]
        crib = hand(state, 0, "CRIB") + hand(state, 1, "CRIB")
        starter = code(state.cards(None, "vloc", "STARTER")[0])
        mine, yours = followed(state, choose)
        assert mine == show(hands[0], starter)
        assert yours == show(hands[1], starter) + show(crib, starter, crib=True)


def test_ten_decisions(game: Game) -> None:
    """Two layings away and eight cards; at the end thirteen cards lie open."""
    for seed in seeds(30):
        state = finish(game, seed)
        assert len(state.choices) == 10
        assert len(state.cards(None, "vloc", "DISCARD")) == 12
        assert len(state.cards(None, "vloc", "STARTER")) == 1
        assert not any(state.cards(seat, "iloc", "CRIB") for seat in range(2))
        assert state.ranks.count(0) == 1 + (state.scores[0] == state.scores[1])


def test_the_count_never_passes_thirty_one(game: Game) -> None:
    """No option in the play takes the count beyond thirty-one."""
    tight = 0
    for seed in range(60):
        for state, _ in decisions(game, seed):
            if len(state.choices) < 2:
                continue
            count = state.integer(None, "COUNT")
            cards = [str(card) for card in offered(state)]
            assert all(count + pips(card) <= 31 for card in cards)
            tight += len(cards) < len(hand(state, state.player or 0))
    assert tight > 20
