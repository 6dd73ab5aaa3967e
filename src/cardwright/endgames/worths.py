"""What is won by tricks and cards, found from the scores of games played to their ends."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise
from operator import mul, or_
from typing import TYPE_CHECKING

from cardwright.endgames.errors import UnsuitedEndgameError
from cardwright.endgames.trick_start import ones
from cardwright.program.cards import CardId

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.endgames.trick_start import TrickStart


@dataclass(frozen=True)
class GameEnd:
    """A game that was played to its end.

    For each hand the cards that it took, as a set, and the number of its tricks; which hand won the
    last one; and the scores of the seats.
    """

    taken: tuple[int, ...]
    tricks: tuple[int, ...]
    last: int
    scores: tuple[int, ...]


@dataclass(frozen=True)
class Worths:
    """What hands win by tricks and cards: more is better for who wins it.

    `sides` has the side of each hand, 0 or 1, of two that want the opposite; what the first side
    (1) wins by `trick`, `last` and `cards` decides the scores. Without sides every hand is for
    itself, and these are its score, or the negative of it where the lowest wins. `shot` has what
    all hands get besides if one of them, by its number, takes all that has a worth, also of what
    was played before; it is empty if that does not matter.
    """

    sides: tuple[int, ...]
    trick: int
    last: int
    cards: Mapping[int, int]
    shot: Mapping[int, tuple[int, ...]]
    base: tuple[int, ...] = ()
    """What hands have besides, where each is for itself."""
    known: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """The scores of the seats by what the first side wins, as far as they were seen."""

    def won(self, end: GameEnd) -> list[int]:
        """Return what each hand wins, without what it gets for taking all."""
        return [
            self.trick * end.tricks[hand]
            + self.last * (end.last == hand)
            + sum(worth for card, worth in self.cards.items() if end.taken[hand] >> card & 1)
            for hand in range(len(end.taken))
        ]


def worths_of(start: TrickStart, ends: Sequence[GameEnd]) -> Worths:
    """Return what decides the scores of some games; raises UnsuitedEndgameError."""
    highest = start.engine.native.program.highest_wins
    players = start.players
    sign = 1 if highest else -1
    rows = [[sign * end.scores[player] for player in players] for end in ends]
    groups: dict[tuple[int, ...], list[int]] = {}
    for hand in range(len(players)):
        groups.setdefault(tuple(row[hand] for row in rows), []).append(hand)
    if len(groups) == 1:
        return Worths((), 0, 0, {}, {}, tuple(rows[0]))  # nothing is left to win
    if len(groups) == 2:
        for first in groups.values():
            sides = tuple(int(hand in first) for hand in range(len(players)))
            found = _two_sides(start, ends, rows, sides)
            if found is not None:
                return found
        raise UnsuitedEndgameError(
            "the scores of the two sides are not decided by what one of them takes"
        )
    if len(set(players)) < len(players) or len(groups) < len(players):
        raise UnsuitedEndgameError("there are neither two sides nor seats each for itself")
    return _each_alone(start, ends, rows)


def _maps(start: TrickStart) -> Iterator[dict[int, int]]:
    """Yield the points of the cards by each of the game's point maps."""
    for points in start.board.world().points.values():
        yield {card: points.worth(CardId(card)) for card in start.cards}


def _two_sides(
    start: TrickStart,
    ends: Sequence[GameEnd],
    rows: Sequence[Sequence[int]],
    sides: tuple[int, ...],
) -> Worths | None:
    """Return what decides the scores of two sides, if one of them wants as much of it as it can."""
    ours, theirs = sides.index(1), sides.index(0)
    tries = [Worths(sides, 1, 0, {}, {}), Worths(sides, 0, 1, {}, {})]
    tries += [Worths(sides, 0, 0, points, {}) for points in _maps(start)]
    for way in tries:
        if all(worth >= 0 for worth in way.cards.values()) and _decides(
            way, ends, rows, ours, theirs
        ):
            return _with_known(way, ends, rows)
    linear = _linear(
        ends,
        [[sum(x for x, side in zip(row, sides, strict=True) if side)] for row in rows],
        [sides],
    )
    if linear is not None:
        way = Worths(sides, *linear, {})
        least = min([way.trick, way.last, *way.cards.values()])
        if least >= 0 and _decides(way, ends, rows, ours, theirs):
            return _with_known(way, ends, rows)
    return None


def _first_side(way: Worths, end: GameEnd) -> int:
    """Return what the first side wins in a game."""
    return sum(won for won, side in zip(way.won(end), way.sides, strict=True) if side)


def _with_known(way: Worths, ends: Sequence[GameEnd], rows: Sequence[Sequence[int]]) -> Worths:
    known = {_first_side(way, end): tuple(row) for end, row in zip(ends, rows, strict=True)}
    return replace(way, known=known)


def _decides(
    way: Worths, ends: Sequence[GameEnd], rows: Sequence[Sequence[int]], ours: int, theirs: int
) -> bool:
    """Return whether what a side wins decides the scores: the more, the better for it alone."""
    seen: dict[int, tuple[int, int]] = {}
    for end, row in zip(ends, rows, strict=True):
        won = _first_side(way, end)
        if seen.setdefault(won, (row[ours], row[theirs])) != (row[ours], row[theirs]):
            return False
    ordered = [seen[won] for won in sorted(seen)]
    return all(low[0] <= high[0] and low[1] >= high[1] for low, high in pairwise(ordered))


def _each_alone(
    start: TrickStart, ends: Sequence[GameEnd], rows: Sequence[Sequence[int]]
) -> Worths:
    """Return what decides the scores of seats that are each for itself."""
    count = len(start.players)
    masks = [tuple(int(hand == one) for hand in range(count)) for one in range(count)]
    linear = _linear(ends, rows, masks)
    if linear is not None:
        way = Worths((), *linear, {})
        return replace(way, base=_base(way, ends[0], rows[0]))
    # Perhaps it is something else if one seat takes everything.
    for points in _maps(start):
        whole = sum(1 << card for card, worth in points.items() if worth)
        usual = [at for at, end in enumerate(ends) if all(whole & ~took for took in end.taken)]
        if not whole or not usual:
            continue
        linear = _linear([ends[at] for at in usual], [rows[at] for at in usual], masks)
        if linear is None:
            continue
        way = _by_cards(Worths((), *linear, {}), start.cards, count)
        base = _base(way, ends[usual[0]], rows[usual[0]])
        shot: dict[int, tuple[int, ...]] = {}
        for end, row in zip(ends, rows, strict=True):
            taker = next((hand for hand in range(count) if not whole & ~end.taken[hand]), None)
            if taker is not None:
                more = tuple(r - b - w for r, b, w in zip(row, base, way.won(end), strict=True))
                if shot.setdefault(taker, more) != more:
                    break
        else:
            if len(shot) == count and not (way.trick or way.last):
                shot = {hand: more for hand, more in shot.items() if any(more)}
                return replace(way, shot=shot, base=base)
    raise UnsuitedEndgameError("the scores are not sums of what tricks and cards are worth")


def _base(way: Worths, end: GameEnd, row: Sequence[int]) -> tuple[int, ...]:
    """Return what hands have besides, given the scores of a game."""
    return tuple(score - won for score, won in zip(row, way.won(end), strict=True))


def _by_cards(way: Worths, cards: Sequence[int], count: int) -> Worths:
    """Return the same with what a trick is worth added to the cards, if it can be."""
    each, rest = divmod(way.trick, count)
    if rest:
        return way
    worths = {card: way.cards.get(card, 0) + each for card in cards}
    return replace(way, trick=0, cards={card: worth for card, worth in worths.items() if worth})


# Linear equations ----------------------------------------------------------------------------

_PRIME = (1 << 61) - 1


def _linear(
    ends: Sequence[GameEnd], rows: Sequence[Sequence[int]], masks: Sequence[Sequence[int]]
) -> tuple[int, int, dict[int, int]] | None:
    """Return the worths of a trick, the last one and the cards, of which scores are sums.

    The scores have a column for each of `masks`, which says whose tricks count. Solved modulo a
    large prime, with integers around 0, and checked exactly.
    """
    cards = ones(reduce(or_, (taken for end in ends for taken in end.taken)))
    columns = len(masks)
    width = columns + 2 + len(cards)
    equations = []
    for end, row in zip(ends, rows, strict=True):
        for column, mask in enumerate(masks):
            hands = [hand for hand, counts in enumerate(mask) if counts]
            tricks = sum(end.tricks[hand] for hand in hands)
            took = reduce(or_, (end.taken[hand] for hand in hands))
            line = [int(at == column) for at in range(columns)]
            line += [tricks, int(end.last in hands)]
            line += [took >> card & 1 for card in cards]
            line.append(row[column])
            equations.append(line)
    solved = _solved(equations, width)
    if solved is None:
        return None
    trick, last, *worths = solved[columns:]
    # What all cards are worth alike is the trick's.
    usual = max(worths, key=worths.count)
    trick += usual * len(cards) // sum(ends[0].tricks)
    return trick, last, {c: w - usual for c, w in zip(cards, worths, strict=True) if w != usual}


def _solved(equations: Sequence[Sequence[int]], width: int) -> list[int] | None:
    """Return integers that solve all equations, 0 where they are free; None if there are none.

    Only equations that what was found so far does not solve are worked with: few of very many.
    """
    pivots: dict[int, list[int]] = {}
    found = [0] * width
    while True:
        # Until there are enough equations, numbers may stand for fractions: modulo the prime.
        wrong = next(
            (line for line in equations if (_sum_of(line, found) - line[width]) % _PRIME), None
        )
        if wrong is None:
            solves = all(_sum_of(line, found) == line[width] for line in equations)
            return found if solves else None
        line = [value % _PRIME for value in wrong]
        for column in range(width):
            factor = line[column]
            if not factor:
                continue
            known = pivots.get(column)
            if known is None:
                inverse = pow(factor, -1, _PRIME)
                pivots[column] = [value * inverse % _PRIME for value in line]
                break
            line = [(a - factor * b) % _PRIME for a, b in zip(line, known, strict=True)]
        else:
            return None  # it contradicts the others
        found = [0] * width
        for column in sorted(pivots, reverse=True):
            line = pivots[column]
            value = (line[width] - _sum_of(line[column + 1 :], found[column + 1 :])) % _PRIME
            found[column] = value if value < _PRIME // 2 else value - _PRIME


def _sum_of(line: Sequence[int], values: Sequence[int]) -> int:
    """Return the left side of an equation."""
    return sum(map(mul, line, values))
