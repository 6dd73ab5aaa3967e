"""Scopa as its rules say: games are followed by a model that knows only the rules."""

import re
from collections.abc import Iterable
from itertools import combinations

import pytest
from library_playing import (
    Chooser,
    bare_options,
    decisions,
    finish,
    interpreted,
    picked,
    preferring,
    seeds,
)

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

RANKS = ["A", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "KNAVE", "KNIGHT", "KING"]
SHORT = dict(zip(RANKS, "A234567JNK", strict=True))
SUITS = {"COINS": "D", "CUPS": "C", "SWORDS": "S", "CLUBS": "B"}
VALUE = {short: value for value, short in enumerate("A234567JNK", start=1)}
PRIMIERA = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12}
PACK = sorted(rank + suit for rank in VALUE for suit in "DCSB")

Move = tuple[str, frozenset[str]]
"""A card played, and the cards it takes from the table."""


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("scopa")


def code(card: Card) -> str:
    return SHORT[card.attributes["RANK"]] + SUITS[card.attributes["SUIT"]]


def codes(cards: Iterable[Card]) -> tuple[str, ...]:
    return tuple(code(card) for card in cards)


def hand(state: State, seat: int) -> tuple[str, ...]:
    return codes(state.cards(seat, "iloc", "HAND"))


def table(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", "TABLE"))


def pile(state: State, seat: int) -> tuple[str, ...]:
    return codes(state.cards(seat, "vloc", "PILE"))


def stock(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "iloc", "STOCK"))


def move(state: State, option: Option) -> Move:
    card, match, catch = (picked(option, name) for name in ("CARD", "MATCH", "CATCH"))
    assert isinstance(card, int)
    taken = catch if isinstance(catch, tuple) else () if match is None else (match,)
    return code(state.game.cards[card]), frozenset(
        code(state.game.cards[one]) for one in taken if isinstance(one, int)
    )


def moves(state: State) -> list[Move]:
    return [move(state, option) for option in bare_options(state)]


def play(state: State, card: str) -> int:
    """Play a card in the first way there is; return how many cards it takes from the table."""
    option = next(o for o in bare_options(state) if move(state, o)[0] == card)
    state.play(option)
    return len(move(state, option)[1])


def captures(state: State, option: Option) -> bool:
    return bool(move(state, option)[1])


def legal(cards: Iterable[str], table: Iterable[str]) -> set[Move]:
    """Return the moves that the rules allow with these cards."""
    found: set[Move] = set()
    table = list(table)
    for card in cards:
        value = VALUE[card[0]]
        ways = [frozenset({c}) for c in table if VALUE[c[0]] == value] or [
            frozenset(some)
            for size in range(2, len(table) + 1)
            for some in combinations(table, size)
            if sum(VALUE[c[0]] for c in some) == value
        ]
        found |= {(card, way) for way in ways or [frozenset()]}
    return found


def points(piles: list[list[str]], sweeps: list[int]) -> list[int]:
    """Return the scores of two piles with their sweeps."""
    primes = []
    for cards in piles:
        suits = {card[1] for card in cards}
        best = {s: max(PRIMIERA.get(c[0], 10) for c in cards if c[1] == s) for s in suits}
        primes.append(sum(best.values()) if len(best) == 4 else 0)
    scores = list(sweeps)
    counts = [len(cards) for cards in piles]
    coins = [sum(card[1] == "D" for card in cards) for cards in piles]
    for measure in (counts, coins, primes):
        if measure[0] != measure[1]:
            scores[measure.index(max(measure))] += 1
    for seat in (0, 1):
        scores[seat] += "7D" in piles[seat]
    return scores


def opening(game: Game, seed: int) -> tuple[list[str], list[str], int]:
    """Return stock and table after the opening deal of a seed, and how often it was dealt."""
    codes = [code(card) for card in game.cards]
    pack, laid = codes.copy(), list[str]()
    stream = Stream(seed)
    deals = 0
    while not deals or sum(card[0] == "K" for card in laid) >= 3:
        # The cards of the table lie by number, and the highest is taken first.
        pack += sorted(laid, key=codes.index)[::-1]
        stream.shuffle(pack)
        laid = [pack.pop() for _ in range(4)]
        deals += 1
    return pack, laid, deals


def stacked(cards: str, **declared: int) -> Game:
    """Return Scopa with a pack of these cards, dealt from the first on and not shuffled."""
    ranks = {short: long for long, short in SHORT.items()}
    suits = {short: long for long, short in SUITS.items()}
    decks = " ".join(
        f"(create deck (game iloc STOCK) (deck (RANK ({ranks[c[0]]})) (SUIT ({suits[c[1]]}))))"
        for c in reversed(cards.split())
    )
    text = re.sub(r"\(create deck.*?KING\)\)\)\)", decks, find("scopa").text, flags=re.DOTALL)
    text = text.replace("(shuffle (game iloc STOCK))", "")
    return Game.from_source(Source("scopa-stacked", text), declared=declared)


class Model:
    """A table of Scopa, kept by the rules alone."""

    def __init__(self, pack: list[str], laid: list[str]) -> None:
        self.pack, self.table = list(pack), list(laid)
        self.hands: list[list[str]] = [[], []]
        self.piles: list[list[str]] = [[], []]
        self.sweeps = [0, 0]
        self.seat = 0
        self.taker: int | None = None
        self.deal()

    @property
    def over(self) -> bool:
        return not self.pack and not any(self.hands)

    def deal(self) -> None:
        if self.pack and not any(self.hands):
            self.hands = [[self.pack.pop() for _ in range(3)] for _ in (0, 1)]

    def play(self, card: str, taken: frozenset[str]) -> None:
        self.hands[self.seat].remove(card)
        if taken:
            self.table = [c for c in self.table if c not in taken]
            self.piles[self.seat] += [card, *taken]
            self.taker = self.seat
            self.sweeps[self.seat] += not self.table and not self.over
        else:
            self.table.append(card)
        self.seat = 1 - self.seat
        self.deal()
        if self.over and self.taker is not None:
            self.piles[self.taker] += self.table
            self.table = []

    def check(self, state: State) -> None:
        for seat in (0, 1):
            assert sorted(hand(state, seat)) == sorted(self.hands[seat])
            assert sorted(pile(state, seat)) == sorted(self.piles[seat])
        assert sorted(table(state)) == sorted(self.table)
        assert list(stock(state)) == self.pack


@pytest.mark.parametrize("greedy", [False, True])
def test_games_go_as_the_rules_say(game: Game, greedy: bool) -> None:
    """Deals, captures, sweeps and points are those of a model of the rules, to the end."""
    for seed in seeds(30):
        model = Model(*opening(game, seed)[:2])
        choose: Chooser | None = preferring(seed, 2, captures) if greedy else None
        state = game.start(seed)
        for at, option in decisions(game, seed, choose):
            state = at
            model.check(at)
            assert at.player == model.seat
            offered = moves(at)
            assert len(offered) == len(set(offered))
            assert set(offered) == legal(model.hands[model.seat], model.table)
            model.play(*move(at, option))
        assert model.over
        model.check(state)
        assert list(state.scores) == points(model.piles, model.sweeps)


def test_a_round_is_thirty_six_cards(game: Game) -> None:
    """Six deals of three cards each, played in turn; every card ends up in a pile."""
    for seed in seeds(10):
        sizes: list[int] = []
        for state, _ in decisions(game, seed):
            assert state.player == len(sizes) % 2
            sizes.append(len(hand(state, state.player or 0)))
        assert sizes == [3, 3, 2, 2, 1, 1] * 6
        assert sorted(pile(state, 0) + pile(state, 1)) == PACK


def test_a_single_card_goes_before_a_sum() -> None:
    """With a seven, a three and a four on the table a seven takes the seven only."""
    state = stacked("3D 4C 7S KB  7D 2S AS  KC 6S 5S").start(0)
    taken = {frozenset(("7S",))}
    assert {way for card, way in moves(state) if card == "7D"} == taken


def test_any_of_several_equal_cards_may_be_taken() -> None:
    """Two sevens on the table are two ways to capture with a seven."""
    state = stacked("7C 7S KB AB  7D 2S 3S  KC 6S 5S").start(0)
    ways = [way for card, way in moves(state) if card == "7D"]
    assert sorted(map(sorted, ways)) == [["7C"], ["7S"]]


def test_any_sum_may_be_taken() -> None:
    """A king takes any cards that make ten: here two, two and three of them."""
    state = stacked("3D 7C 2S AB  KC 4S 5D  KD 6S 5S").start(0)
    ways = sorted(sorted(way) for card, way in moves(state) if card == "KC")
    assert ways == [["2S", "7C", "AB"], ["3D", "7C"]]


def test_a_card_that_captures_must_capture() -> None:
    """It cannot be left on the table; but a card that captures nothing may be played instead."""
    state = stacked("3D 4C 2S JB  7D KS NS  KC 6S 5S").start(0)
    assert set(moves(state)) == {
        ("7D", frozenset({"3D", "4C"})),
        ("KS", frozenset({"2S", "JB"})),
        ("NS", frozenset({"3D", "4C", "2S"})),
    }
    state = stacked("3D 4C 2S KB  7D JS AS  KC 6S 5S").start(0)
    assert set(moves(state)) == {
        ("7D", frozenset({"3D", "4C"})),
        ("JS", frozenset()),
        ("AS", frozenset()),
    }


def test_a_sweep_scores_but_not_with_the_last_card() -> None:
    """Whoever empties the table scores SWEEP points, except at the very end of the round."""
    state = stacked("AC 2C 3C 4C  KD 5S 2S  5C 6C JC", SWEEP=5).start(0)
    for card, taken in (("KD", 4), ("5C", 0), ("5S", 1), ("6C", 0), ("2S", 0), ("JC", 2)):
        assert play(state, card) == taken
    assert state.finished
    assert not table(state)
    # Two sweeps, most cards and most coins against nothing at all.
    assert state.scores == (12, 0)


def test_the_last_to_capture_gets_the_rest(game: Game) -> None:
    """Cards left on the table at the end go to the player of the last capture, with no sweep."""
    left = 0
    for seed in range(30):
        last, before = -1, 0
        rest: set[str] = set()
        for state, option in decisions(game, seed):
            seat = state.player or 0
            card, taken = move(state, option)
            if taken:
                last = seat
            rest = set(table(state)) - taken if taken else {*table(state), card}
            before = state.integer(last, "SWEEPS") if last >= 0 else 0
        left += bool(rest)
        assert rest <= set(pile(state, last))
        assert not table(state)
        assert state.integer(last, "SWEEPS") == before
    assert left > 20


def test_three_kings_on_the_table_are_dealt_again(game: Game) -> None:
    """The opening deal is repeated until the table has two kings at most."""
    again = [seed for seed in seeds(2500) if opening(game, seed)[2] > 1]
    assert again
    for seed in again:
        pack, laid, _ = opening(game, seed)
        state = game.start(seed)
        assert sorted(table(state)) == sorted(laid)
        assert sum(card[0] == "K" for card in laid) < 3
        assert sorted(hand(state, 0)) == sorted(pack[:-4:-1])


def test_the_four_points(game: Game) -> None:
    """Cards, coins, seven of coins and primiera are four points, less one for each tie."""
    ties = 0
    for seed in range(60):
        state = finish(game, seed)
        sweeps = [state.integer(seat, "SWEEPS") for seat in (0, 1)]
        piles = [list(pile(state, seat)) for seat in (0, 1)]
        assert list(state.scores) == points(piles, sweeps)
        total = sum(state.scores) - sum(sweeps)
        assert 1 <= total <= 4
        ties += total < 4
    assert ties > 3


def test_a_primiera_needs_all_suits() -> None:
    """Three sevens do not beat three court cards and a six if the fourth suit is missing."""
    state = stacked("7C JC KB 7S  7D NS 6S  JD KS 2C").start(0)
    for card, taken in (("7D", 1), ("2C", 0), ("NS", 2), ("JD", 1), ("6S", 0), ("KS", 1)):
        assert play(state, card) == taken
    assert sorted(pile(state, 0)) == ["2C", "7C", "7D", "7S", "NS"]
    # The seven of coins against the primiera; cards and coins are tied.
    assert state.scores == (1, 1)


def test_the_king_of_coins_if_declared(game: Game) -> None:
    """REBELLO points go to whoever has the king of coins, and nothing else changes."""
    royal = interpreted("scopa", REBELLO=1)
    for seed in seeds(15):
        here = finish(game, seed)
        there = royal.replay(seed, here.choices)
        for seat in (0, 1):
            assert there.scores[seat] - here.scores[seat] == ("KD" in pile(here, seat))
