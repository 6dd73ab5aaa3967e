"""Point maps: tables of each card's points, and awards that are known only in play.

A point map in a state is the number of the form that set it, with the values of its parts that are
not literal (its operands). The literal parts become a table before the game.

A comparison of a card's points with a number that is the same for all cards is a mask of the cards
for which it holds, by a table for each number. If some awards are known only in play, such as those
of the trumps, there is a row of the table for the cards that get none of them, another for those
that get one, and so on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cardwright.compiler import ir
from cardwright.compiler.builder import (
    TRUE,
    ZERO,
    add,
    both,
    call,
    compare,
    const,
    differ,
    equal,
    mul,
    sub,
)
from cardwright.compiler.ir import Local, Op, Rel, Type
from cardwright.compiler.kernels.information import STORAGES
from cardwright.compiler.layout import dynamic_operands
from cardwright.compiler.lower import storages, words
from cardwright.compiler.lower.lowering import BOARD, CONTEXT_LOCAL, OVERFLOW, entry
from cardwright.program import nodes as n
from cardwright.program.abstract_state import Interval, sides
from cardwright.program.integers import PASSES
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.compiler.lower.lowering import Lowering, Shared
    from cardwright.program.program import Program

    Worth: TypeAlias = Callable[[ir.Expr], ir.Expr]


@dataclass(frozen=True)
class CardAward:
    """An award of a point map: its keys, its form, the cards that get it now, and its points."""

    keys: tuple[str, ...]
    award: n.Award
    cards: ir.Expr
    points: int


_CELL = Local("cell")
_CARD = Local("card")
_SITE = Local("site")
_NUMBER = Local("number")


def worth(low: Lowering, node: n.Node) -> Worth:
    """Evaluate which point map is meant, and return the scoring of cards under it."""
    cell = low.b.let(storages.cell(low, node), "points")
    sites = low.analysis.sites_of(node)
    if not sites:
        return lambda _: ZERO
    site = low.b.let(low.board.load("points", cell), "site")
    if (fixed := fixed_scores(low, node)) is not None:
        return _from_table(low, fixed)
    if not any(map(dynamic_operands, sites)):
        base = low.b.let(_row(low.shared, site), "table")
        return lambda card: low.b.let(entry(base, card, 8, signed=True), "worth")
    if (late := late_awards(low, node, cell)) is not None:
        return _by_masks(low, late, site)
    name = _scoring(low)
    args = low.board.base, site, cell
    return lambda card: low.b.let(ir.Call(name, (*args, card), Type.INT), "worth")


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
    width = 2 if all(-(1 << 15) <= value < 1 << 15 for value in scores) else 8
    name = f"points {width} " + " ".join(map(str, scores))
    table = low.shared.integers(name, scores, width, signed=True)
    return lambda card: low.b.let(entry(table, card, width, signed=True), "worth")


def _by_masks(low: Lowering, late: Sequence[CardAward], site: ir.Expr) -> Worth:
    base = low.b.let(_row(low.shared, site), "table")

    def worth(card: ir.Expr) -> ir.Expr:
        total: ir.Expr = entry(base, card, 8, signed=True)
        for award in late:
            total = add(total, mul(words.bit_of(award.cards, card), const(award.points)))
        return low.b.let(total, "worth")

    return worth


def _row(shared: Shared, site: ir.Expr) -> ir.Expr:
    """Return the scores of cards under the map of a form; row 0 is for a map that was never set.

    They are kept modulo 2^64: either they fit together with the awards known only in play, or the
    map is never set.
    """
    rows = [[0] * len(shared.program.cards)]
    rows += [list(_constant_scores(shared, form)) for form in shared.analysis.points_sites]
    table = shared.integers("points", [value % 2**64 for row in rows for value in row], 8)
    return ir.Offset(table, mul(site, const(8 * len(shared.program.cards))))


# Awards as masks --------------------------------------------------------------------------


def late_parts(low: Lowering, node: n.Node) -> list[n.Award] | None:
    """Return the awards of a map that are known only in play; None if there can be no masks.

    So it is if maps set by several forms are possible, or keys or points are known only in play.
    """
    sites = low.analysis.sites_of(node)
    if len({number_of(low.shared, site) for site in sites}) != 1 or not low.has_masks:
        return None
    late = [award for award in _awards(sites[0]) if not _static(award)]
    for award in late:
        if not isinstance(award.points, n.Number):
            return None
        if not all(isinstance(part, n.Text) for part in award.keys):
            return None
    return None if low.analysis.points_bound(sites[0].storage) is None else late


def late_awards(low: Lowering, node: n.Node, cell: ir.Expr) -> tuple[CardAward, ...] | None:
    """Return the awards of a map that are known only in play, as masks; None if it has no masks."""
    late = late_parts(low, node)
    if late is None:
        return None
    count = sum(len(dynamic_operands(site)) for site in low.analysis.sites_of(node))
    operands = iter([low.board.load("operands", cell, const(at)) for at in range(count)])
    return tuple(_card_award(low, award, cell, operands) for award in late)


def static_awards(low: Lowering, node: n.Node, cell: ir.Expr) -> tuple[CardAward, ...]:
    """Return the literal awards of a map that one form sets, as masks of the cards they go to.

    Those of which there are several with the same keys, say one for each rank, are left out.
    """
    static = [award for award in _awards(low.analysis.sites_of(node)[0]) if _static(award)]
    often = Counter(tuple(map(_text, award.keys)) for award in static)
    single = [award for award in static if often[tuple(map(_text, award.keys))] == 1]
    return tuple(_card_award(low, award, cell, iter(())) for award in single)


def static_scores(low: Lowering, node: n.Node, without: Sequence[n.Award]) -> list[int]:
    """Return the points of each card by the literal awards of a map, except some of these."""
    return _added_up(low.program, low.analysis.sites_of(node)[0], without)


def _card_award(
    low: Lowering, award: n.Award, cell: ir.Expr, operands: Iterator[ir.Expr]
) -> CardAward:
    assert isinstance(award.points, n.Number)
    every = words.every(low.layout.mask)
    cards: ir.Expr = every
    for part, value in zip(award.keys, award.values, strict=True):
        own = storages.cards_with(low, _text(part), _part(low, value, operands))
        cards = own if cards == every else words.common(cards, own)
    cards = low.b.let(cards, "award")
    is_set = differ(low.board.load("points", cell), ZERO)
    cards = low.b.let(words.only_if(is_set, cards), "award")
    return CardAward(tuple(map(_text, award.keys)), award, cards, award.points.value)


# Setting a map ----------------------------------------------------------------------------


def set_points(low: Lowering, node: n.SetPoints) -> None:
    """Store a point map: keys, values and points of the awards are evaluated once, now."""
    cell = low.b.let(storages.cell(low, node.storage), "points")
    operands = [low.b.let(_operand(low, operand), "operand") for operand in dynamic_operands(node)]
    if low.analysis.points_bound(node.storage) is None:
        _check_scores(low, node, operands)
    low.store("points", cell, value=const(number_of(low.shared, node)))
    for at in range(low.layout.operands):
        value = operands[at] if at < len(operands) else ZERO
        low.store("operands", cell, const(at), value=value)
    if low.shared.seen:
        stored = const(STORAGES.index("points"))
        low.report("saw_stored", CONTEXT_LOCAL, stored, cell, _awards_word(low, node, operands))
    low.act()


def _operand(low: Lowering, node: n.Node) -> ir.Expr:
    return low.integer(node) if node.kind is ValueKind.INTEGER else low.string(node)


def _awards_word(low: Lowering, node: n.SetPoints, operands: Sequence[ir.Expr]) -> ir.Expr:
    """Return a hash of the awards of a point map: of each its keys, their values and its points."""
    rest = iter(operands)
    word: ir.Expr = const(len(node.awards))
    for award in _awards(node):
        word = call("joined", word, const(len(award.keys)))
        for part in (*award.keys, *award.values, award.points):
            word = call("joined", word, _part(low, part, rest))
    return low.b.let(word, "awards")


def _check_scores(low: Lowering, node: n.SetPoints, operands: list[ir.Expr]) -> None:
    """Report an overflow if some card's points do not fit in 64 bits."""
    with low.b.count(const(len(low.program.cards))) as card:
        nothing = ir.Const(0, Type.WIDE)
        total = low.b.variable(nothing, "total")
        left = iter(operands)
        for award in _awards(node):
            test = _matches(low, award, card, left)
            points = ir.Convert(_part(low, award.points, left), Type.WIDE)
            low.b.set(total, ir.Binary(Op.ADD, total, ir.Select(test, points, nothing)))
        cut = ir.Convert(ir.Convert(total, Type.INT), Type.WIDE)
        low.check(ir.OrderTest(Rel.NE, cut, total), "overflow", OVERFLOW, node.span)


def fits(low: Lowering, total: ir.Expr, node: n.Node) -> ir.Expr:
    """Return a wide total as an integer, or report an overflow."""
    cut = low.b.let(ir.Convert(total, Type.INT), "total")
    low.check(differ(ir.Convert(cut, Type.WIDE), total), "overflow", OVERFLOW, node.span)
    return cut


def _scoring(low: Lowering) -> str:
    """Make the function that scores a card under any point map, and return its name."""
    name, shared = "worth", low.shared
    if name in shared.module.functions:
        return name
    own = low.another()
    row = _row(shared, _SITE)
    start = ir.Offset(row, mul(_CARD, const(8)))
    total = own.b.variable(ir.Load(start, 8, signed=True), "total")

    def add_late(site: n.SetPoints) -> None:
        count = len(dynamic_operands(site))
        operands = iter([own.board.load("operands", _CELL, const(at)) for at in range(count)])
        for award in _awards(site):
            if not _static(award):
                test = _matches(own, award, _CARD, operands)
                points = _part(own, award.points, operands)
                own.b.set(total, add(total, ir.Select(test, points, ZERO)))

    late = filter(dynamic_operands, shared.analysis.points_sites)
    own.switch(_SITE, {number_of(shared, site): partial(add_late, site) for site in late})
    own.give(total)
    shared.function(name, (BOARD, _SITE, _CELL, _CARD), own.b.finish())
    return name


def _matches(low: Lowering, award: n.Award, card: ir.Expr, operands: Iterator[ir.Expr]) -> ir.Expr:
    """Return whether a card has the values of an award; takes the operands of its parts."""
    keys = [_part(low, part, operands) for part in award.keys]
    values = [_part(low, value, operands) for value in award.values]
    test: ir.Expr = TRUE
    for part, number, value in zip(award.keys, keys, values, strict=True):
        if isinstance(part, n.Text):
            own = storages.attribute(low, part, card)
        else:
            own = storages.value_of(storages.attributes_of(low.shared, number), card)
        test = both(test, equal(own, value))
    return test


def _part(low: Lowering, node: n.Node, operands: Iterator[ir.Expr]) -> ir.Expr:
    """Return the value of a part of an award: itself if it is literal, else the next operand."""
    match node:
        case n.Text(value=text):
            return const(low.names.number(text))
        case n.Number(value=value):
            return const(value)
    return next(operands)


# Literal awards ---------------------------------------------------------------------------


def number_of(shared: Shared, site: n.SetPoints) -> int:
    """Return the number of a form that sets a point map, from 1; equal constant maps share it."""
    sites = shared.analysis.points_sites
    written = [*map(n.key, site.awards)]
    is_dynamic = bool(dynamic_operands(site))
    for number, other in enumerate(sites, start=1):
        if other is site or (not is_dynamic and [*map(n.key, other.awards)] == written):
            return number
    raise AssertionError(site)


def _text(node: n.Node) -> str:
    assert isinstance(node, n.Text)
    return node.value


def _awards(site: n.SetPoints) -> Iterator[n.Award]:
    for award in site.awards:
        assert isinstance(award, n.Award)
        yield award


def _static(award: n.Award) -> bool:
    parts = [*award.keys, *award.values]
    return all(isinstance(part, n.Text) for part in parts) and isinstance(award.points, n.Number)


def _constant_scores(shared: Shared, site: n.SetPoints) -> tuple[int, ...]:
    if id(site) not in shared.scores:
        shared.scores[id(site)] = tuple(_added_up(shared.program, site))
    return shared.scores[id(site)]


def _added_up(program: Program, site: n.SetPoints, without: Sequence[n.Award] = ()) -> list[int]:
    """Return the points of each card by the literal awards, except some of these."""
    scores = [0] * len(program.cards)
    # Awards with the same keys are looked up together, since there may be one for every card.
    worth: dict[tuple[str, ...], dict[tuple[str, ...], int]] = defaultdict(lambda: defaultdict(int))
    for award in _awards(site):
        if _static(award) and not any(award is other for other in without):
            values = tuple(map(_text, award.values))
            assert isinstance(award.points, n.Number)
            worth[tuple(map(_text, award.keys))][values] += award.points.value
    for keys, by_values in worth.items():
        for card in program.cards:
            values = tuple(card.attributes.get(part, "") for part in keys)
            scores[card.id] += by_values.get(values, 0)
    return scores


# Comparisons of points --------------------------------------------------------------------

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
    for own, sign, other in sides(test):
        if low.analysis.mentions(other, slot):
            continue
        summands: tuple[n.Node, ...] = ()
        scored = own
        if isinstance(own, n.Arithmetic) and own.operator is n.Operator.ADD:
            mentioned = [part for part in own.operands if low.analysis.mentions(part, slot)]
            summands = tuple(part for part in own.operands if part not in mentioned)
            if len(mentioned) != 1 or low.analysis.overflows(own):
                continue
            if not _fits(low, other, summands):
                continue
            scored = mentioned[0]
        match scored:
            case n.Score(card=n.Variable(slot=read), points=n.Storage() as where) if read == slot:
                scores, late = fixed_scores(low, where), None
                if scores is None and 0 < len(late_parts(low, where) or ()) <= _MOST_AWARDS:
                    scores, late = tuple(static_scores(low, where, without=())), where
                if scores and max(scores) - min(scores) < _MOST_ROWS:
                    return Threshold(scores, summands, sign, other, late)
    return None


def _fits(low: Lowering, number: n.Node, summands: Sequence[n.Node]) -> bool:
    bounds = [low.analysis.bounds(summand) for summand in summands]
    least, most = low.analysis.bounds(number)
    return Interval(
        least - sum(each.high for each in bounds), most - sum(each.low for each in bounds)
    ).fits


def cards_comparing(low: Lowering, test: Threshold) -> ir.Expr:
    """Return the mask of the cards for which a comparison holds.

    A choice may have many tests of a map with awards known only in play: they share a function.
    """
    number = low.integer(test.other)
    for summand in test.summands:
        number = sub(number, low.integer(summand))
    if test.late is None:
        return _of_number(low, test, number)
    (site, *_) = low.analysis.sites_of(test.late)
    name = f"cards {test.operator} {number_of(low.shared, site)}"
    cell = low.b.let(storages.cell(low, test.late), "points")
    if name not in low.shared.module.functions:
        own = low.another()
        own.give(_compared(own, test, test.late))
        params = BOARD, _CELL, _NUMBER
        low.shared.function(name, params, own.b.finish(), result=low.layout.mask)
    return ir.Call(name, (low.board.base, cell, number), low.layout.mask)


def _compared(low: Lowering, test: Threshold, late: n.Storage) -> ir.Expr:
    """Return the cards whose points compare with a parameter under the map of another."""
    awards = late_awards(low, late, _CELL)
    assert awards is not None
    kind = low.layout.mask
    most = max(map(abs, test.scores)) + sum(abs(award.points) for award in awards) + 1
    number = low.b.let(_within(_NUMBER, -most, most), "number")
    passing: ir.Expr = words.none(kind)
    for given in _combinations(low, awards):
        cards: ir.Expr = words.every(kind)
        total = 0
        for award, is_given in zip(awards, given, strict=True):
            cards = words.common(cards, award.cards if is_given else words.inverted(award.cards))
            total += award.points if is_given else 0
        row = _of_number(low, test, sub(number, const(total)))
        passing = low.b.let(words.joined(passing, words.common(cards, row)), "cards")
    is_set = compare(Rel.NE, low.board.load("points", _CELL), ZERO)
    of_nothing = compare(_RELATIONS[test.operator], ZERO, number)
    return ir.Select(is_set, passing, words.only_if(of_nothing, words.every(kind)))


def _combinations(low: Lowering, awards: Sequence[CardAward]) -> Iterator[tuple[bool, ...]]:
    """Yield which awards a card can get together, and which it does not get then."""
    parts = [
        frozenset((name, n.key(value)) for name, value in zip(a.keys, a.award.values, strict=True))
        for a in awards
    ]
    pure = all(low.analysis.pure(*award.award.values) for award in awards)
    for given in product((False, True), repeat=len(awards)):
        has = [part for part, is_given in zip(parts, given, strict=True) if is_given]
        lacks = [part for part, is_given in zip(parts, given, strict=True) if not is_given]
        if not pure or not any(less <= more for more in has for less in lacks):
            yield given


def _within(number: ir.Expr, least: int, most: int) -> ir.Expr:
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
        return words.word(kind, _cards_of(test, number.value))
    number = low.b.let(number, "number")
    near = _within(number, first - 1, last + 1)
    sign = {"==": "!=", "<=": ">", ">=": "<"}.get(test.operator, test.operator)
    rows = [_cards_of(test._replace(operator=sign), at) for at in range(first - 1, last + 2)]
    name = f"points {sign} {' '.join(map(str, test.scores))}"
    table = low.shared.integers(name, rows, step)
    at = sub(near, const(first - 1))
    cards = ir.Load(ir.Offset(table, mul(at, const(step))), step, step == 8, kind)
    return cards if sign == test.operator else words.inverted(cards)


def _cards_of(test: Threshold, number: int) -> int:
    """Return the cards for which a comparison with a number holds, as the bits of an integer."""
    holds = PASSES[test.operator]
    return sum(1 << card for card, score in enumerate(test.scores) if holds(score, number))
