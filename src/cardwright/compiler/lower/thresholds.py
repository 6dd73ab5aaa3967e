"""Comparisons of a card's points with a number that is the same for all cards, as masks.

If the points are known before the game, a table has the cards with as many points as any number, or
more; then the whole hand is compared at once. If some awards are known only in play, such as those
of the trumps, there is a row of the table for the cards that get none of them, another for those
that get one, and so on.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler import ir
from cardwright.compiler.builder import compare, const, mul, sub
from cardwright.compiler.ir import Op, Rel
from cardwright.compiler.keys import key
from cardwright.compiler.lower import integers, points, storages, words
from cardwright.compiler.lower.lowering import BOARD
from cardwright.program import constants
from cardwright.program import nodes as n
from cardwright.program.integers import PASSES
from cardwright.program.interval_arithmetic import Between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.compiler.lower.lowering import Lowering
    from cardwright.compiler.lower.points import CardAward

_CELL = ir.Local("cell")
_NUMBER = ir.Local("number")
_MOST_AWARDS = 3
"""Most awards known only in play for which cards are compared at once."""

_MOST_ROWS = 256
"""Most different numbers of points for which there is a table."""


class Threshold(NamedTuple):
    """A comparison of points: those of each card, plus some summands, with another form."""

    scores: tuple[int, ...]
    summands: tuple[n.Node, ...]
    operator: str
    other: n.Node
    late: n.Storage | None
    """The map, if some of its awards are known only in play; then `scores` are by the others."""


def threshold(low: Lowering, test: n.Node, slot: int) -> Threshold | None:
    """Return what a test compares, if it is the points of a variable's card with a number."""
    for own, sign, other in constants.sides(test):
        if low.analysis.mentions(other, slot):
            continue
        summands: tuple[n.Node, ...] = ()
        scored = own
        if isinstance(own, n.Arithmetic) and own.operator is n.Operator.ADD:
            mentioned = [one for one in own.operands if low.analysis.mentions(one, slot)]
            summands = tuple(one for one in own.operands if one not in mentioned)
            if (
                len(mentioned) != 1
                or low.analysis.overflows(own)
                or not _fits(low, other, summands)
            ):
                continue
            scored = mentioned[0]
        match scored:
            case n.Score(card=n.Variable(slot=read), points=where) if read == slot:
                assert isinstance(where, n.Storage)
                scores, late = points.fixed_scores(low, where), None
                if scores is None and _has_few_late(low, where):
                    scores, late = tuple(points.static_scores(low, where, without=())), where
                if scores and max(scores) - min(scores) < _MOST_ROWS:
                    return Threshold(scores, summands, sign, other, late)
    return None


def _fits(low: Lowering, number: n.Node, summands: Sequence[n.Node]) -> bool:
    """Return whether a number less some summands surely fits in an integer."""
    least, most = low.analysis.bounds(number)
    for summand in summands:
        bounds = low.analysis.bounds(summand)
        least, most = least - bounds.high, most - bounds.low
    return Between(least, most).fits


def _has_few_late(low: Lowering, where: n.Storage) -> bool:
    late = points.late_parts(low, where)
    return late is not None and 0 < len(late) <= _MOST_AWARDS


def mask(low: Lowering, test: Threshold) -> ir.Expr:
    """Return the cards for which a comparison holds."""
    number = integers.integer(low, test.other)
    for summand in test.summands:
        number = sub(number, integers.integer(low, summand))
    return _of_number(low, test, number) if test.late is None else _late(low, test, number)


def _late(low: Lowering, test: Threshold, number: ir.Expr) -> ir.Expr:
    """Return the cards for which a comparison holds under a map with awards known only in play.

    A choice may have many such tests, so they share a function.
    """
    assert test.late is not None
    (site, *_) = low.analysis.sites_of(test.late)
    name = f"cards {test.operator} {points.number_of(low.shared, site)}"
    cell = low.b.let(storages.cell(low, test.late), "points")
    if name not in low.shared.module.functions:
        own = type(low)(low.shared)
        own.b.add(ir.Return(_compared(own, test)))
        low.shared.module.functions[name] = ir.Function(
            name, (BOARD, _CELL, _NUMBER), low.layout.mask, own.b.finish()
        )
    return ir.Call(name, (low.board.base, cell, number), low.layout.mask)


def _compared(low: Lowering, test: Threshold) -> ir.Expr:
    """Return the cards whose points compare with a parameter under the map of another."""
    assert test.late is not None
    awards = points.late_awards(low, test.late, _CELL)
    assert awards is not None
    most = max(map(abs, test.scores)) + sum(abs(award.points) for award in awards) + 1
    number = low.b.let(_within(_NUMBER, -most, most), "number")
    found: ir.Expr = words.none(low.layout.mask)
    for given in _classes(low, awards):
        cards: ir.Expr = words.every(low.layout.mask)
        total = 0
        for award, is_given in zip(awards, given, strict=True):
            own = award.cards if is_given else words.inverted(award.cards)
            cards = ir.Binary(Op.AND, cards, own)
            total += award.points if is_given else 0
        row = _of_number(low, test, sub(number, const(total)))
        found = low.b.let(ir.Binary(Op.OR, found, ir.Binary(Op.AND, cards, row)), "cards")
    is_set = compare(Rel.NE, low.board.load("points", _CELL), const(0))
    of_nothing = compare(_RELATIONS[test.operator], const(0), number)
    return ir.Select(is_set, found, words.only_if(of_nothing, words.every(low.layout.mask)))


def _classes(low: Lowering, awards: Sequence[CardAward]) -> Iterator[tuple[bool, ...]]:
    """Yield which awards a card can get together, and which it does not get then."""
    parts = [
        frozenset(
            (name, key(value)) for name, value in zip(one.keys, one.award.values, strict=True)
        )
        for one in awards
    ]
    pure = all(low.analysis.pure(*one.award.values) for one in awards)
    for given in product((False, True), repeat=len(awards)):
        has = [part for part, is_given in zip(parts, given, strict=True) if is_given]
        lacks = [part for part, is_given in zip(parts, given, strict=True) if not is_given]
        if not pure or not any(less <= more for more in has for less in lacks):
            yield given


def _within(number: ir.Expr, least: int, most: int) -> ir.Expr:
    """Return a number, or the bound that it exceeds."""
    above = ir.Select(compare(Rel.LT, number, const(least)), const(least), number)
    return ir.Select(compare(Rel.GT, number, const(most)), const(most), above)


_RELATIONS = {
    "<": Rel.LT, ">": Rel.GT, "<=": Rel.LE, ">=": Rel.GE, "==": Rel.EQ, "!=": Rel.NE,
}  # fmt: skip


def _of_number(low: Lowering, test: Threshold, number: ir.Expr) -> ir.Expr:
    """Return the cards whose points in the table compare with a number."""
    kind, step = low.layout.mask, low.layout.mask_bits // 8
    first, last = min(test.scores), max(test.scores)
    if isinstance(number, ir.Const):
        return words.word(kind, _row(test, number.value))
    number = low.b.let(number, "number")
    low_end = compare(Rel.LT, number, const(first - 1))
    at_least = low.b.let(ir.Select(low_end, const(first - 1), number), "number")
    near = ir.Select(compare(Rel.GT, at_least, const(last + 1)), const(last + 1), at_least)
    sign = {"==": "!=", "<=": ">", ">=": "<"}.get(test.operator, test.operator)
    rows = [_row(test._replace(operator=sign), at) for at in range(first - 1, last + 2)]
    name = f"points {sign} {' '.join(map(str, test.scores))}"
    table = low.shared.integers(name, rows, step)
    at = sub(near, const(first - 1))
    found = ir.Load(ir.Offset(table, mul(at, const(step))), step, step == 8, kind)
    return found if sign == test.operator else words.inverted(found)


def _row(test: Threshold, number: int) -> int:
    """Return the cards for which a comparison with a number holds, as the bits of an integer."""
    holds = PASSES[test.operator]
    return sum(1 << card for card, score in enumerate(test.scores) if holds(score, number))
