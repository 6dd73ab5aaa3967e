"""Point maps: tables of each card's points, and awards that are known only in play.

A point map in a state is the number of the form that set it, with the values of its parts that are
not literal (its operands). The literal parts become a table before the game.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    ZERO,
    add,
    both,
    call,
    const,
    differ,
    equal,
    mul,
)
from cardwright.compiler.ir import Op, Rel, Type
from cardwright.compiler.kernels.sightings import STORAGES
from cardwright.compiler.layout import dynamic_operands
from cardwright.compiler.lower import integers, masks, storages, words
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, Lowering
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.compiler.lower.lowering import Shared
    from cardwright.program.program import Program

    Worth: TypeAlias = Callable[[ir.Expr], ir.Expr]


@dataclass(frozen=True)
class CardAward:
    """An award of a point map: its keys, its form, the cards that get it now, and its points."""

    keys: tuple[str, ...]
    award: n.Award
    cards: ir.Expr
    points: int


OVERFLOW = "the result does not fit in 64 bits"
_CELL = ir.Local("cell")
_CARD = ir.Local("card")
_SITE = ir.Local("site")


def worth(low: Lowering, node: n.Node) -> Worth:
    """Evaluate which point map is meant, and return the scoring of cards under it."""
    assert isinstance(node, n.Storage)
    cell = low.b.let(storages.cell(low, node), "points")
    sites = low.analysis.sites_of(node)
    if not sites:
        return lambda _: ZERO
    row = 8 * len(low.program.cards)
    site = low.b.let(low.board.load("points", cell), "site")
    fixed = fixed_scores(low, node)
    if fixed is not None:
        return _from_table(low, fixed)
    if any(map(dynamic_operands, sites)):
        if (late := late_awards(low, node, cell)) is not None:
            return _by_masks(low, late, site)
        name = _scoring(low.shared)
        return lambda card: low.b.let(
            ir.Call(name, (low.board.base, site, cell, card), Type.INT), "worth"
        )
    base = low.b.let(ir.Offset(_table(low.shared), mul(site, const(row))), "table")
    return lambda card: low.b.let(
        ir.Load(ir.Offset(base, mul(card, const(8))), 8, signed=True), "worth"
    )


def fixed_scores(low: Lowering, node: n.Node) -> tuple[int, ...] | None:
    """Return the points of each card under a map, if it is literal and set before any stage."""
    assert isinstance(node, n.Storage)
    sites = low.analysis.sites_of(node)
    if not low.players + low.teams or not sites or not isinstance(node.owner, n.Table):
        return None
    numbers = {number_of(low.shared, site) for site in sites}
    if len(numbers) > 1 or dynamic_operands(sites[0]):
        return None
    if not any(site is early for early in _set_early(low.program) for site in sites):
        return None
    return _constant_scores(low.shared, sites[0])


def _set_early(program: Program) -> Iterator[n.SetPoints]:
    """Yield the forms that surely set a point map before the first stage or choice."""
    for item in program.items:
        if isinstance(item, n.Stage | n.Choice | n.Fork):
            return
        pending = [item]
        while pending:
            step = pending.pop()
            if isinstance(step, n.Do):
                pending += step.steps
            elif isinstance(step, n.SetPoints):
                yield step


def _from_table(low: Lowering, scores: tuple[int, ...]) -> Worth:
    """Return the scoring of cards under a map that never changes."""
    width = 2 if all(-(1 << 15) <= value < 1 << 15 for value in scores) else 8
    name = f"points {width} " + " ".join(map(str, scores))
    table = low.shared.integers(name, list(scores), width, signed=True)
    return lambda card: low.b.let(
        ir.Load(ir.Offset(table, mul(card, const(width))), width, signed=True), "worth"
    )


def late_awards(low: Lowering, node: n.Node, cell: ir.Expr) -> tuple[CardAward, ...] | None:
    """Return the awards of a map that are known only in play, as masks of the cards they go to.

    None if there can be no masks of them.
    """
    late = late_parts(low, node)
    if late is None:
        return None
    operands = iter([low.board.load("operands", cell, const(at)) for at in range(_MANY)])
    return tuple(_card_award(low, award, cell, _mask(low, award, operands)) for award in late)


def late_parts(low: Lowering, node: n.Node) -> list[n.Award] | None:
    """Return the awards of a map for which there can be masks of the cards they go to, or None.

    So it is unless maps set by several forms are possible, or keys or points are known only in
    play.
    """
    assert isinstance(node, n.Storage)
    sites = low.analysis.sites_of(node)
    if len({number_of(low.shared, one) for one in sites}) != 1 or not masks.fits(low):
        return None
    late = [award for award in _awards(sites[0]) if not _static(award)]
    if any(
        not isinstance(award.points, n.Number)
        or not all(isinstance(key, n.Text) for key in award.keys)
        for award in late
    ):
        return None
    if low.analysis.points_bound(sites[0].storage) is None:
        return None
    return late


def static_awards(low: Lowering, node: n.Node, cell: ir.Expr) -> tuple[CardAward, ...]:
    """Return the literal awards of a map that one form sets, as masks of the cards they go to.

    Those of which there are several with the same keys, say one for each rank, are left out.
    """
    assert isinstance(node, n.Storage)
    static = [award for award in _awards(low.analysis.sites_of(node)[0]) if _static(award)]
    often = Counter(tuple(map(_text, award.keys)) for award in static)
    single = [award for award in static if often[tuple(map(_text, award.keys))] == 1]
    return tuple(_card_award(low, award, cell, _mask(low, award, iter(()))) for award in single)


def static_scores(low: Lowering, node: n.Node, without: Sequence[n.Award]) -> list[int]:
    """Return the points of each card by the literal awards of a map, except some of these."""
    assert isinstance(node, n.Storage)
    return _added_up(low.program, low.analysis.sites_of(node)[0], without)


def _card_award(low: Lowering, award: n.Award, cell: ir.Expr, cards: ir.Expr) -> CardAward:
    assert isinstance(award.points, n.Number)
    is_set = differ(low.board.load("points", cell), ZERO)
    found = low.b.let(words.only_if(is_set, cards), "award")
    return CardAward(tuple(map(_text, award.keys)), award, found, award.points.value)


def _by_masks(low: Lowering, late: Sequence[CardAward], site: ir.Expr) -> Worth:
    """Return the scoring under a map by masks of the cards that get an award."""
    row = 8 * len(low.program.cards)
    base = low.b.let(ir.Offset(_table(low.shared), mul(site, const(row))), "table")

    def worth(card: ir.Expr) -> ir.Expr:
        total: ir.Expr = ir.Load(ir.Offset(base, mul(card, const(8))), 8, signed=True)
        for award in late:
            total = add(total, mul(words.bit_of(award.cards, card), const(award.points)))
        return low.b.let(total, "worth")

    return worth


def _mask(low: Lowering, award: n.Award, operands: Iterator[ir.Expr]) -> ir.Expr:
    """Return the cards that get an award as a mask; takes the operands of its parts."""
    every = words.every(low.layout.mask)
    found: ir.Expr = every
    for key, value in zip(award.keys, award.values, strict=True):
        cards = masks.with_value(low, _text(key), _part(low, value, operands))
        found = cards if found == every else ir.Binary(Op.AND, found, cards)
    return low.b.let(found, "award")


_MANY = 64
"""More operands than a map has whose keys and points are literal."""


def set_points(low: Lowering, node: n.SetPoints) -> None:
    """Store a point map: keys, values and points of the awards are evaluated once, now."""
    assert isinstance(node.storage, n.Storage)
    cell = low.b.let(storages.cell(low, node.storage), "points")
    operands = [low.b.let(_operand(low, operand), "operand") for operand in dynamic_operands(node)]
    number = number_of(low.shared, node)
    if low.analysis.points_bound(node.storage) is None:
        _check_scores(low, node, operands)
    low.store("points", cell, value=const(number))
    for at in range(low.layout.operands):
        value = operands[at] if at < len(operands) else ZERO
        low.store("operands", cell, const(at), value=value)
    if low.shared.seen:
        stored = const(STORAGES.index("points"))
        low.report("saw_stored", CONTEXT_LOCAL, stored, cell, _awards_word(low, node, operands))
    low.act()


def _awards_word(low: Lowering, node: n.SetPoints, operands: Sequence[ir.Expr]) -> ir.Expr:
    """Return a hash of the awards of a point map: of each its keys, their values and its points."""
    rest = iter(operands)
    key: ir.Expr = const(len(node.awards))
    for award in node.awards:
        assert isinstance(award, n.Award)
        key = call("joined", key, const(len(award.keys)))
        for part in (*award.keys, *award.values, award.points):
            match part:
                case n.Text(value=text):
                    word: ir.Expr = const(low.names.number(text))
                case n.Number(value=value):
                    word = const(value)
                case _:
                    word = next(rest)
            key = call("joined", key, word)
    return low.b.let(key, "awards")


def number_of(shared: Shared, site: n.SetPoints) -> int:
    """Return the number of a form that sets a point map, from 1; equal constant maps share it."""
    sites = shared.analysis.points_sites
    for number, other in enumerate(sites, start=1):
        if other is site:
            return number
        if not dynamic_operands(site) and _written(other) == _written(site):
            return number
    raise AssertionError(site)


def _written(site: n.SetPoints) -> object:
    if dynamic_operands(site):
        return site
    return [
        ([_text(key) for key in award.keys], [_text(v) for v in award.values], award.points.value)
        for award in site.awards
        if isinstance(award, n.Award) and isinstance(award.points, n.Number)
    ]


def _text(node: n.Node) -> str:
    assert isinstance(node, n.Text)
    return node.value


def _operand(low: Lowering, node: n.Node) -> ir.Expr:
    if node.kind is ValueKind.INTEGER:
        return integers.integer(low, node)
    return storages.string(low, node)


def _awards(site: n.SetPoints) -> Iterator[n.Award]:
    for award in site.awards:
        assert isinstance(award, n.Award)
        yield award


def _static(award: n.Award) -> bool:
    parts = [*award.keys, *award.values]
    return all(isinstance(part, n.Text) for part in parts) and isinstance(award.points, n.Number)


def _constant_scores(shared: Shared, site: n.SetPoints) -> tuple[int, ...]:
    """Return the points of each card by the literal awards."""
    found = shared.scores.get(id(site))
    if found is None:
        found = shared.scores[id(site)] = tuple(_added_up(shared.program, site))
    return found


def _added_up(program: Program, site: n.SetPoints, without: Sequence[n.Award] = ()) -> list[int]:
    """Return the points of each card by the literal awards, except some of these."""
    scores = [0] * len(program.cards)
    # Awards with the same keys are looked up together, since there may be one for every card.
    worth: dict[tuple[str, ...], dict[tuple[str, ...], int]] = defaultdict(lambda: defaultdict(int))
    for award in _awards(site):
        if _static(award) and not any(award is other for other in without):
            assert isinstance(award.points, n.Number)
            values = tuple(map(_text, award.values))
            worth[tuple(map(_text, award.keys))][values] += award.points.value
    for keys, by_values in worth.items():
        for card in program.cards:
            held = tuple(card.attributes.get(key, "") for key in keys)
            scores[card.id] += by_values.get(held, 0)
    return scores


def _table(shared: Shared) -> ir.Data:
    """Return the scores by form and card; row 0 is for a map that was never set.

    They are kept modulo 2^64: either they fit together with the awards known only in play, or the
    map is never set.
    """
    rows = [[0] * len(shared.program.cards)]
    rows += [list(_constant_scores(shared, site)) for site in shared.analysis.points_sites]
    flat = [value % 2**64 for row in rows for value in row]
    return shared.integers("points", flat, 8)


def _matches(low: Lowering, award: n.Award, card: ir.Expr, operands: Iterator[ir.Expr]) -> ir.Expr:
    """Return whether a card has the values of an award; takes the operands of its parts."""
    keys = [_part(low, key, operands) for key in award.keys]
    values = [_part(low, value, operands) for value in award.values]
    test: ir.Expr = ir.Const(1, Type.BOOL)
    for key, (node, value) in zip(award.keys, zip(keys, values, strict=True), strict=True):
        if isinstance(key, n.Text):
            held = storages.attribute(low, key, card)
        else:
            table, row = storages.attribute_rows(low.shared)
            start = ir.Offset(table, mul(node, const(row)))
            held = ir.Load(ir.Offset(ir.Offset(start, mul(card, const(2))), const(2)), 2)
        test = both(test, equal(held, value))
    return test


def _part(low: Lowering, node: n.Node, operands: Iterator[ir.Expr]) -> ir.Expr:
    return const(low.names.number(node.value)) if isinstance(node, n.Text) else next(operands)


def _scoring(shared: Shared) -> str:
    """Make the function that scores a card under any point map, and return its name."""
    name = "worth"
    if name in shared.module.functions:
        return name
    low = Lowering(shared)
    row = 8 * len(shared.program.cards)
    start = ir.Offset(ir.Offset(_table(shared), mul(_SITE, const(row))), mul(_CARD, const(8)))
    total = low.b.variable(ir.Load(start, 8, signed=True), "total")
    cases = []
    for site in shared.analysis.points_sites:
        if not dynamic_operands(site):
            continue
        with low.b.case() as block:
            count = len(dynamic_operands(site))
            operands = iter([low.board.load("operands", _CELL, const(at)) for at in range(count)])
            for award in _awards(site):
                if not _static(award):
                    test = _matches(low, award, _CARD, operands)
                    points = _points(award, operands)
                    low.b.set(total, add(total, ir.Select(test, points, ZERO)))
        cases.append((number_of(shared, site), tuple(block)))
    low.b.add(ir.Switch(_SITE, tuple(cases)))
    low.b.add(ir.Return(total))
    shared.module.functions[name] = ir.Function(
        name, (BOARD, _SITE, _CELL, _CARD), Type.INT, low.b.finish()
    )
    return name


def _points(award: n.Award, operands: Iterator[ir.Expr]) -> ir.Expr:
    if isinstance(award.points, n.Number):
        return const(award.points.value)
    return next(operands)


def _check_scores(low: Lowering, node: n.SetPoints, operands: list[ir.Expr]) -> None:
    """Report an overflow if some card's points do not fit in 64 bits."""
    wide = Type.WIDE
    with low.b.count(const(len(low.program.cards))) as card:
        total = low.b.variable(ir.Const(0, wide), "total")
        left = iter(operands)
        for award in _awards(node):
            test = _matches(low, award, card, left)
            points = ir.Convert(_points(award, left), wide)
            low.b.set(
                total, ir.Binary(ir.Op.ADD, total, ir.Select(test, points, ir.Const(0, wide)))
            )
        cut = ir.Convert(ir.Convert(total, Type.INT), wide)
        low.check(ir.OrderTest(Rel.NE, cut, total), "overflow", OVERFLOW, node.span)


def fits(low: Lowering, total: ir.Expr, node: n.Node) -> ir.Expr:
    """Return a wide total as an integer, or report an overflow."""
    cut = low.b.let(ir.Convert(total, Type.INT), "total")
    low.check(differ(ir.Convert(cut, Type.WIDE), total), "overflow", OVERFLOW, node.span)
    return cut
