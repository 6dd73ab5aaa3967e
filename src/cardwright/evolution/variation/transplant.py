"""Operators that take parts of other games, with names of the game that they come to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.naming import Fitted, UnfitError, fitted, names_in_use
from cardwright.evolution.variation.operator import (
    RULES,
    TRIES,
    Proposal,
    VariationDraw,
    inserted,
    replaced,
)
from cardwright.evolution.variation.steps import in_choice, is_replaceable, is_step, parts_for
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import BoundName, RuleSite, Suits
    from cardwright.syntax.tree import Syntax

_FRAME = ("declare", "define", "setup", "scoring")
"""Sections of a program in which nothing is done."""


def _is_replaceable_form(rules: ParsedRules, site: RuleSite) -> bool:
    return isinstance(site.item, Form) and is_replaceable(rules, site)


def _is_listed(rules: ParsedRules, site: RuleSite) -> bool:
    return is_step(rules, site) or (site.repeated and site.role == "ITEM")


def transplant(draw: VariationDraw) -> Proposal | None:
    """Put a form of another game in the place of one, as a rule one with a like place there."""

    def parts(donor: ParsedRules, site: RuleSite) -> Sequence[RuleSite]:
        every = parts_for(donor, site)
        return [other for other in every if other.role == site.role] or every

    def put(donor: ParsedRules, site: RuleSite, text: str) -> Proposal | None:
        if _same_words(text, draw.rules.written(site)):
            return None
        return replaced(site, text, donor.name)

    return _taken(draw, _is_replaceable_form, parts, put)


def graft(draw: VariationDraw) -> Proposal | None:
    """Add a step or a block of another game beside one that is alike there."""

    def parts(donor: ParsedRules, site: RuleSite) -> Sequence[RuleSite]:
        chosen = in_choice(draw.rules, site)
        return [
            one
            for one in donor.chosen(_is_listed, RULES)
            if one.role == site.role and in_choice(donor, one) == chosen
        ]

    def put(donor: ParsedRules, site: RuleSite, text: str) -> Proposal:
        return inserted(site, text, before=draw.coin(), source=donor.name)

    return _taken(draw, _is_listed, parts, put)


def _taken(
    draw: VariationDraw,
    suits: Suits,
    parts: Callable[[ParsedRules, RuleSite], Sequence[RuleSite]],
    put: Callable[[ParsedRules, RuleSite, str], Proposal | None],
) -> Proposal | None:
    """Draw pairs of a place and a part of another game for it, until one can be put there.

    Of two places drawn the smaller is taken, so a large form half as often as each of its parts.
    """
    donor = draw.any_of(draw.donors)
    sites = draw.sites(suits)
    for _ in range(TRIES):
        places = [draw.one_of(sites) for _ in range(2)] if sites else []
        if donor is None or not places:
            break
        site = max(places, key=lambda one: one.depth)
        part = draw.any_of(parts(donor, site))
        found = None if part is None else _fitted(draw, donor, part.item, site.visible())
        proposal = None if found is None else put(donor, site, found.text)
        if found is not None and proposal is not None:
            return _with_steps(draw.rules, proposal, found)
    return None


def _fitted(
    draw: VariationDraw, donor: ParsedRules, part: Syntax, scope: dict[str, BoundName]
) -> Fitted | None:
    """Return a part of another game with the names of this one; None if it does not fit."""
    try:
        return fitted(donor, part, draw.rules, scope, draw.random)
    except UnfitError:
        return None


def scoring(draw: VariationDraw) -> Proposal | None:
    """Take the whole scoring of another game."""
    rules, here = draw.rules, draw.rules.section("scoring")
    donor = draw.any_of(draw.donors)
    if donor is None or ChangeFamily.SCORING not in draw.families:
        return None
    found = _fitted(draw, donor, donor.section("scoring"), _constants(rules))
    if found is None or _same_words(found.text, rules.source.at(here.span)):
        return None
    edits = (Edit(here.span, found.text),)
    proposal = Proposal(ChangeFamily.SCORING, edits, here.span, found.text, donor.name)
    return _with_steps(rules, proposal, found)


def cards(draw: VariationDraw) -> Proposal | None:
    """Take the cards of another game that have the attributes and the values that matter here."""
    rules, donor = draw.rules, draw.any_of(draw.donors)
    if donor is None or ChangeFamily.DECK not in draw.families:
        return None
    here, there = list(_decks(rules)), list(_decks(donor))
    attributes = names_in_use(rules).attributes.keys()
    if not here or not there or attributes - names_in_use(donor).attributes.keys():
        return None
    old, new = draw.one_of(here), draw.one_of(there)
    if any(isinstance(item, Form) and len(item.items) < 2 for item in new.items[1:]):
        return None
    text = donor.source.at(new.span)
    if "'" in text or _same_words(text, rules.source.at(old.span)):
        return None
    return Proposal(ChangeFamily.DECK, (Edit(old.span, text),), old.span, text, donor.name)


def _decks(rules: ParsedRules) -> Iterator[Form]:
    """Yield the forms that say which cards a deck has."""
    pending: list[Syntax] = [rules.section("setup")]
    while pending:
        form = pending.pop()
        if isinstance(form, Form):
            if is_word(form.head, "deck"):
                yield form
            pending += reversed(form.items)


def _with_steps(rules: ParsedRules, proposal: Proposal, found: Fitted) -> Proposal:
    """Return a proposal that also fills, at the start of the game, what a part brings along."""
    if not found.steps:
        return proposal
    text = " ".join(found.steps)
    forms = (item for item in rules.form.items[1:] if isinstance(item, Form))
    first = next(form for form in forms if not any(is_word(form.head, word) for word in _FRAME))
    steps = first.items[1] if is_word(first.head, "do") and len(first.items) > 1 else None
    if isinstance(steps, Form):
        at = steps.span.start + 1
        edit = Edit(Span(at, at), f"{text} ")
    else:
        edit = Edit(Span(first.span.start, first.span.start), f"(do ({text})) ")
    return replace(proposal, edits=(*proposal.edits, edit), after=f"{proposal.after} {text}")


def _constants(rules: ParsedRules) -> dict[str, BoundName]:
    """Return what is in scope at the end of the program: declared names alone."""
    scopes = ({name.name: name for name in site.scope if name.constant} for site in rules.sites)
    return max(scopes, key=len)


def _same_words(one: str, other: str) -> bool:
    """Return whether two texts differ in their layout alone, as far as can be said at once."""
    return one.split() == other.split()
