"""Operators on steps, blocks and conditions: what is done, how often, in which order, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.naming import UnfitError, fitted
from cardwright.evolution.variation.operator import (
    TRIES,
    Proposal,
    VariationDraw,
    inserted,
    on_site,
    replaced,
    spliced,
)
from cardwright.evolution.variation.rule_text import words_of
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite, Suits

_LISTED = frozenset({"STEP", "ITEM", "BOOLEAN", "AWARD", "LOCATION"})
"""Operands that there may be several of, one of which can go."""

_IDEMPOTENT = (n.Set, n.SetPoints, n.Shuffle, n.Pass, n.Stage, n.Choice)
"""What has the same effect if it is done twice, or is too much to be doubled."""

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COUNTERPARTS = {"and": "or", "or": "and", "any": "all", "all": "any"}

_SYMMETRIC = frozenset({"+", "*", "==", "!=", "and", "or", "swap", "union", "intersect"})
"""Forms whose operands can change places without any effect."""

_ONE_WAY = frozenset({"move", "remember"})
"""Actions that take cards from where they are: the other way round there are as a rule none."""

_CONTROL = ValueKind.BODY | ValueKind.BLOCK


# Which sites there are ------------------------------------------------------------------------


def in_choice(rules: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is one of the steps of a choice, whose order does not matter."""
    return site.parent is not None and isinstance(rules.sites[site.parent].node, n.Choice)


def is_step(_rules: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is one of the steps of a list."""
    return site.repeated and site.role == "STEP"


def is_replaceable(_rules: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is a form or a variable, and not a block or a stage of its own."""
    if isinstance(site.item, Atom):
        return is_atom(site.item, AtomKind.VARIABLE) and bool(site.gives)
    return site.role != "ITEM" and site.gives not in {ValueKind.AWARD, ValueKind.STRINGS}


def _is_condition(_rules: ParsedRules, site: RuleSite) -> bool:
    return site.gives is ValueKind.BOOLEAN


def _is_part(_rules: ParsedRules, site: RuleSite, kind: ValueKind) -> bool:
    return isinstance(site.item, Form) and bool(site.gives) and not site.gives & ~kind


def _is_unguarded(rules: ParsedRules, site: RuleSite) -> bool:
    return is_step(rules, site) and not site.gives & ValueKind.CONDITIONAL


def _is_end(rules: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is the condition that ends a stage."""
    around = None if site.parent is None else rules.sites[site.parent]
    return around is not None and isinstance(around.node, n.Stage) and site.role == "BOOLEAN"


def _head(site: RuleSite) -> str:
    return site.shape.head if site.shape is not None else ""


def _has_else(site: RuleSite) -> bool:
    return isinstance(site.item, Form) and any(is_word(part, "else") for part in site.item.items)


def _beside(rules: ParsedRules, site: RuleSite) -> list[RuleSite]:
    """Return the operands in the same list as a site, itself included; none if it is alone.

    The first of several operands has a place of its own in a pattern such as `(and BOOLEAN
    BOOLEAN...)`.
    """
    around = rules.children(None if site.parent is None else rules.sites[site.parent])
    alike = [outer for outer in around if outer.role == site.role]
    return alike if any(outer.repeated for outer in alike) else []


def _branches(rules: ParsedRules, site: RuleSite) -> list[RuleSite]:
    """Return what is done under the condition of a site, and what otherwise."""
    return [child for child in rules.children(site) if child.role in {"STEP", "ITEM"}]


def _pairs(rules: ParsedRules, site: RuleSite) -> Iterator[tuple[RuleSite, RuleSite]]:
    """Yield the pairs of operands that can change places, and are not alike."""
    if site.shape is None or site.shape.head in _SYMMETRIC | _ONE_WAY or _has_else(site):
        return
    operands = [child for child in rules.children(site) if child.role not in {"STEP", "ITEM"}]
    for at, one in enumerate(operands):
        for other in operands[at + 1 :]:
            misfit = one.gives & ~other.accepts or other.gives & ~one.accepts
            if not misfit and words_of(one.item) != words_of(other.item):
                yield one, other


# Steps and blocks -----------------------------------------------------------------------------


@on_site(lambda rules, site: site.role in _LISTED and len(_beside(rules, site)) > 1)
def delete(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Take away a step, a stage, an award, or one of several conditions."""
    others = [sibling for sibling in _beside(draw.rules, site) if sibling is not site]
    if site.parent is not None and len(others) == 1 and site.role in {"BOOLEAN", "LOCATION"}:
        return replaced(draw.rules.sites[site.parent], draw.rules.written(others[0]))
    return replaced(site, "")


@on_site(
    lambda rules, site: (
        site.repeated
        and site.role in {"STEP", "AWARD"}
        and not isinstance(site.node, _IDEMPOTENT)
        and not in_choice(rules, site)
    )
)
def double(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Do a step twice."""
    return inserted(site, draw.rules.written(site))


def _moved(draw: VariationDraw, site: RuleSite) -> Proposal | None:
    """Put a step or a block before or after another of its list."""
    rules, row = draw.rules, draw.rules.siblings(site)
    text = rules.written(site)
    other = draw.any_of([other_site for other_site in row if rules.written(other_site) != text])
    if other is None:
        return None
    at = other.span.end if row.index(other) > row.index(site) else other.span.start
    edits = Edit(site.span, ""), Edit(Span(at, at), f" {text} ")
    return Proposal(site.family, edits, Span(at, at), text)


@on_site(
    lambda rules, site: (
        is_step(rules, site) and len(rules.siblings(site)) > 1 and not in_choice(rules, site)
    )
)
def move(draw: VariationDraw, site: RuleSite) -> Proposal | None:
    """Put a step earlier or later in its list."""
    return _moved(draw, site)


@on_site(
    lambda rules, site: site.role == "ITEM" and site.repeated and len(rules.siblings(site)) > 1
)
def order(draw: VariationDraw, site: RuleSite) -> Proposal | None:
    """Play a stage or a block earlier or later, or let two of a list change places."""
    if draw.coin():
        return _moved(draw, site)
    rules = draw.rules
    other = draw.any_of([sibling for sibling in rules.siblings(site) if sibling is not site])
    if other is None or rules.written(other) == rules.written(site):
        return None
    edits = Edit(site.span, rules.written(other)), Edit(other.span, rules.written(site))
    return Proposal(site.family, edits, site.span, rules.written(other))


def _exchanged(rules: ParsedRules, around: RuleSite, one: RuleSite, other: RuleSite) -> Proposal:
    """Let two parts of a site change places."""
    edits = Edit(one.span, rules.written(other)), Edit(other.span, rules.written(one))
    return Proposal(around.family, edits, around.span, spliced(rules, around.span, edits))


@on_site(lambda rules, site: _has_else(site) and len(_branches(rules, site)) == 2)
def swap_branches(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Let what is done if a condition holds, and what is done otherwise, change places."""
    return _exchanged(draw.rules, site, *_branches(draw.rules, site))


@on_site(lambda rules, site: any(_pairs(rules, site)))
def swap_operands(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Let two operands of a form change places, where their order matters."""
    return _exchanged(draw.rules, site, *draw.one_of(list(_pairs(draw.rules, site))))


# Conditions -----------------------------------------------------------------------------------


@on_site(_is_condition)
def negate(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Turn a condition into its opposite, by its operator where there is one that says it."""
    item, text = site.item, draw.rules.written(site)
    if isinstance(item, Form) and len(item.items) > 1:
        head = draw.rules.source.at(item.items[0].span)
        if opposite := _OPPOSITES.get(head):
            return replaced(site, f"({opposite}{text[1 + len(head) :]}")
        if head == "not":
            return replaced(site, draw.rules.source.at(item.items[1].span))
    return replaced(site, f"(not {text})")


@on_site(
    lambda _rules, site: (
        isinstance(site.node, n.Logic | n.Quantifier) and _head(site) in _COUNTERPARTS
    )
)
def logic(draw: VariationDraw, site: RuleSite) -> Proposal:
    """Ask for all of several conditions where any was enough, or the other way round."""
    word = _head(site)
    return replaced(site, draw.rules.written(site).replace(word, _COUNTERPARTS[word], 1))


@on_site(lambda _rules, site: isinstance(site.node, n.When | n.Fork))
def unguard(draw: VariationDraw, site: RuleSite) -> Proposal | None:
    """Do a step whether its condition holds or not."""
    branch = draw.any_of(_branches(draw.rules, site))
    return None if branch is None else replaced(site, draw.rules.written(branch))


# Parts of the same game in other places -------------------------------------------------------


def parts_for(rules: ParsedRules, place: RuleSite) -> Sequence[RuleSite]:
    """Return the forms of a game that give what a place accepts."""
    wanted = place.accepts if place.accepts & ~_CONTROL else place.gives
    return rules.chosen(_is_part, frozenset(ChangeFamily), wanted)


def _fitted(draw: VariationDraw, part: RuleSite, place: RuleSite) -> str | None:
    """Return the text of a part of the same game for another place; None if it does not fit.

    Variables that are not in scope there become others of the same kind.
    """
    if part is place or words_of(part.item) == words_of(place.item):
        return None
    try:
        return fitted(draw.rules, part.item, draw.rules, place.visible(), draw.random).text
    except UnfitError:
        return None


def _matched(
    draw: VariationDraw, sites: Sequence[RuleSite], parts: Suits | None = None
) -> tuple[RuleSite, str] | None:
    """Return a place and the text of a part that fits there; None if none was found.

    Parts are the sites that suit, or without that the forms which give what the place accepts.
    """
    for _ in range(TRIES):
        site = draw.any_of(sites)
        if parts is not None:
            part = draw.any_of(draw.rules.chosen(parts, frozenset(ChangeFamily)))
        else:
            part = None if site is None else draw.any_of(parts_for(draw.rules, site))
        if site is None or part is None:
            break
        text = _fitted(draw, part, site)
        if text is not None:
            return site, text
    return None


def subform(draw: VariationDraw) -> Proposal | None:
    """Put a copy of another form of the same game in the place of one."""
    found = _matched(draw, draw.sites(is_replaceable))
    return None if found is None else replaced(*found)


def copy(draw: VariationDraw) -> Proposal | None:
    """Do a step of the same game in another place as well."""
    found = _matched(draw, draw.sites(is_step), is_step)
    return None if found is None else inserted(*found, before=draw.coin())


def _joined(draw: VariationDraw, site: RuleSite, text: str) -> Proposal:
    """Make a condition a further one of a site, or an alternative."""
    return replaced(site, f"({'and' if draw.coin() else 'or'} {draw.rules.written(site)} {text})")


def condition(draw: VariationDraw) -> Proposal | None:
    """Make a condition of the same game a further one, or an alternative, in another place."""
    found = _matched(draw, draw.sites(_is_condition), _is_condition)
    return None if found is None else _joined(draw, *found)


def guard(draw: VariationDraw) -> Proposal | None:
    """Do a step only under a condition that the game has elsewhere."""
    found = _matched(draw, draw.sites(_is_unguarded), _is_condition)
    if found is None:
        return None
    site, text = found
    return replaced(site, f"({text} {draw.rules.written(site)})")


@on_site(_is_end)
def end(draw: VariationDraw, site: RuleSite) -> Proposal | None:
    """End a stage by another condition, or by one more or one less."""
    rules = draw.rules
    parts = [child for child in rules.children(site) if _is_condition(rules, child)]
    if parts and isinstance(site.node, n.Logic) and draw.coin():
        return replaced(site, rules.written(draw.one_of(parts)))
    found = _matched(draw, [site], _is_condition)
    if found is None:
        return None
    return replaced(*found) if draw.coin() else _joined(draw, *found)
