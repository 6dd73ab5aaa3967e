"""Kernels over lists of cards: what they make, and that long lists take no more than their length.

A list of cards may be as long as 65,536, and lists of lists much longer, while only the forms that
make them are counted as rounds. So the work with a list must not grow with its square.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from cardwright import Game
from cardwright.compiler.intrinsics import Pointer, load, offset
from cardwright.compiler.kernels import engine, groups, lists
from cardwright.compiler.structs import CONTEXT
from cardwright.syntax.source import Source
from deep import usually
from differential import EVERYTHING, compare_games
from struct_views import StructView

if TYPE_CHECKING:
    from collections.abc import Callable

CARDS = 12
ROOM = 1 << 20


class Lists:
    """The kernels on an arena of their own, which counts the cards and words that they read."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.read = 0
        patch.setattr(engine, "CARDS", CARDS)
        patch.setattr(lists, "card_in", self._counted(lists.card_in))
        patch.setattr(Pointer, "__getitem__", self._counted(Pointer.__getitem__))
        self.context = StructView.new(CONTEXT)
        self.context.arena = Pointer(bytearray(ROOM), 0)
        self.context.arena_end = ROOM
        self.context.top = 0

    def _counted(self, read: Callable[[Pointer, int], int]) -> Callable[[Pointer, int], int]:
        def counted(where: Pointer, at: int) -> int:
            self.read += 1
            return read(where, at)

        return counted

    def at(self, base: int) -> Pointer:
        return offset(self.context.arena, base)

    def made(self, cards: list[int]) -> int:
        base = lists.new_list(self.context, len(cards))
        for at, card in enumerate(cards):
            lists.lay(self.at(base + 8), at, card)
        return base

    def words(self, values: list[int]) -> Pointer:
        place = self.at(lists.reserve_words(self.context, len(values)))
        for at, value in enumerate(values):
            place[at] = value
        return place

    def vector(self, parts: list[list[int]]) -> int:
        made = [self.made(part) for part in parts]
        return self.words([len(parts), *made]).at

    def cards(self, base: int) -> list[int]:
        assert base >= 0
        count = load(self.at(base), 8)
        self.read = 0
        return [lists.card_in(self.at(base + 8), at) for at in range(count)]


@pytest.fixture
def arena(monkeypatch: pytest.MonkeyPatch) -> Lists:
    return Lists(monkeypatch)


def some_lists(random: Random) -> list[list[int]]:
    numbers = range(random.randrange(1, 5))
    return [[random.randrange(CARDS) for _ in range(random.randrange(14))] for _ in numbers]


def common(parts: list[list[int]]) -> list[int]:
    """Return the cards that are in every list, by first occurrence."""
    return [card for card in dict.fromkeys(parts[0]) if all(card in part for part in parts)]


@pytest.mark.parametrize("seed", range(30))
def test_intersections_and_disjunctions(arena: Lists, seed: int) -> None:
    """They have each card once, in order of first occurrence."""
    parts = some_lists(Random(seed))
    vector = arena.vector(parts)
    assert arena.cards(lists.intersect(arena.context, vector)) == common(parts)
    times = Counter(chain.from_iterable(parts))
    alone = [card for card, number in times.items() if number == 1]
    assert arena.cards(lists.disjoin(arena.context, vector)) == alone


@pytest.mark.parametrize("kernel", ["intersect", "disjoin"])
def test_combining_takes_as_long_as_the_lists_are(arena: Lists, kernel: str) -> None:
    """Each card is looked at a few times, however often it occurs."""
    vector = arena.vector([list(range(CARDS))] * 64)
    arena.read = 0
    getattr(lists, kernel)(arena.context, vector)
    assert arena.read <= 8 * 64 * CARDS


@pytest.mark.parametrize("count", [0, 1, 5, 16, 17, 40, 333])
def test_sorting_keeps_the_order_of_equal_scores(arena: Lists, count: int) -> None:
    """Short lists are sorted one by one, long ones are merged; few cards are looked at twice."""
    random = Random(count)
    cards = [random.randrange(256) for _ in range(count)]
    scores = [random.randrange(-9, 9) for _ in range(count)]
    base, values = arena.made(cards), arena.words(scores)
    top = arena.context.top
    arena.read = 0
    assert lists.sort_cards(arena.context, arena.at(base + 8), values, count) == 0
    assert arena.read <= count * (3 * lists.FEW + 6 * count.bit_length())
    order = sorted(range(count), key=lambda at: scores[at])
    assert arena.cards(base) == [cards[at] for at in order]
    assert [values[at] for at in range(count)] == sorted(scores)
    assert arena.context.top == top


def test_dropping_what_is_repeated(arena: Lists) -> None:
    """The first of each card stays; nothing is read more than twice."""
    cards = [at % CARDS for at in (3, 1, 3, 2, 1, *range(900))]
    base = arena.made(cards)
    arena.read = 0
    kept = lists.drop_repeated(arena.context, arena.at(base + 8), len(cards))
    assert arena.read <= 2 * len(cards)
    assert arena.cards(base)[:kept] == list(dict.fromkeys(cards))


@pytest.mark.parametrize("top", [0, 1])
@pytest.mark.parametrize("seed", range(20))
def test_end_runs(arena: Lists, seed: int, top: int) -> None:
    """The longest run is that of the most cards whose scores are consecutive in some order."""
    random = Random(seed)
    scores = [random.randrange(5) for _ in range(random.randrange(9))]
    if seed % 3 == 0:
        scores = [score + 2**63 - 5 if score else -(2**63) for score in scores]
    cards = list(range(len(scores)))
    least = random.randrange(1, 4)
    ends = [cards[-length:] if top else cards[:length] for length in range(1, len(cards) + 1)]
    runs = [sorted(end, key=lambda card: scores[card]) for end in ends]
    sound = [run for run in runs if all(scores[b] == scores[a] + 1 for a, b in pairwise(run))]
    longest = sound[-1] if sound and len(sound[-1]) >= least else []
    base, values = arena.made(cards), arena.words(scores)
    found = lists.end_run(arena.context, arena.at(base + 8), values, len(cards), least, top)
    assert arena.cards(found) == longest


def test_end_runs_stop_at_the_first_score_that_comes_again(arena: Lists) -> None:
    """However many cards lie beyond it."""
    count = 2_000
    base, values = arena.made([0] * count), arena.words([at % 6 for at in range(count)])
    arena.read = 0
    lists.end_run(arena.context, arena.at(base + 8), values, count, 1, 1)
    assert arena.read <= 300


def test_counting_runs_takes_the_square_of_the_scores_at_most(arena: Lists) -> None:
    """Runs of 60 cards with consecutive scores: 1 + 2 + ... + 60, and one that is the longest."""
    count = 60
    base, values = arena.made([0] * count), arena.words(list(range(count)))
    for every, runs in ((1, count * (count + 1) // 2), (0, 1)):
        arena.read = 0
        found = groups.count_runs(arena.at(base + 8), values, count, 1, every)
        assert found == runs
        assert arena.read <= 12 * count * count


MANY = """(game
 (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E, F)))))
 (do ({order}
  (set (game points W) (((VAL : A) 3) ((VAL : B) 1) ((VAL : C) 2) ((VAL : D) 1)))
  (move (bottom (game iloc STOCK)) (top (game vloc PILE)))))
 (choice ((any (filter (game iloc STOCK) 'C (== 1 1)) 'CARD
  (do ((move 'CARD (top (game vloc PILE)))
   (set (game sto A) (size (disjunction (all (range 1 .. 300) 'I (game vloc PILE)))))
   (set (game sto B) (size (intersect (all (range 1 .. 300) 'I (game vloc PILE)))))
   (set (game sto C) (size (sort (union (all (range 1 .. 300) 'I (game vloc PILE)))
                        using (game points W))))
   (set (game sto D) (size (run top 1 (union (all (range 1 .. 300) 'I (game vloc PILE)))
                        using (game points W))))
   (set (game sto E) (size (runs all 1 (union (all (range 1 .. 300) 'I (game vloc PILE)))
                        using (game points W)))))))))
 (scoring max (+ (game sto A) (* 10 (game sto B)) (game sto C) (game sto D) (game sto E))))"""


@pytest.mark.parametrize("order", ["", "(shuffle (game iloc STOCK))"])
def test_both_engines_combine_many_locations_alike(order: str) -> None:
    """Both make the same of 300 times the same two cards; with an order or without."""
    game = Game.from_source(Source("many", MANY.format(order=order)))
    played = compare_games(game, range(usually(1, 2)), EVERYTHING)
    assert all(one.end == "over" for one in played)
    assert all(620 <= one.scores[0] <= 630 for one in played)
