"""Operators that take parts of other games, with names of the game that they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.crossover import of_one_game
from cardwright.evolution.variation.naming import Fitted, UnfitError, fitted, names_in_use
from cardwright.evolution.variation.operator import Proposal
from cardwright.evolution.variation.steps import (
    HALF,
    RULES,
    TRIES,
    inserted,
    is_listed_step,
    parts_for,
    pick,
    replaceable,
    replaced,
    same_words,
)
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import BoundName, RuleSite


def other_games(material: ParsedRules, mates: Sequence[ParsedRules]) -> list[ParsedRules]:
    """Return the mates that are no versions of the same game."""
    return [one for one in mates if not of_one_game(one, material)]


@dataclass(frozen=True, slots=True)
class TransplantOperator:
    """Puts a form of another game in the place of one that gives the same kind."""

    name: str = "transplant"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to replace a form, as a rule by one with a like place there."""
        giver = pick_game(material, mates, random)
        sites = material.chosen(self.name, families, _replaceable)
        for _ in range(TRIES):
            site = pick_site(sites, random)
            if site is None or giver is None:
                break
            alike = [one for one in parts_for(giver, site) if one.role == site.role]
            part = pick(alike or parts_for(giver, site), random)
            found = None if part is None else fitted_part(giver, part, material, site, random)
            if found is not None and not same_words(found.text, material.written(site)):
                return with_steps(material, replaced(site, found.text, giver.name), found)
        return None


def _replaceable(site: RuleSite) -> bool:
    return isinstance(site.item, Form) and replaceable(site)


@dataclass(frozen=True, slots=True)
class GraftOperator:
    """Adds a step or a block of another game: something more to do, or to choose."""

    name: str = "graft"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to add a step of another game beside one that is alike there."""
        giver = pick_game(material, mates, random)
        sites = material.chosen(self.name, families, _listed)
        for _ in range(TRIES):
            site = pick_site(sites, random)
            if site is None or giver is None:
                break
            chosen = _in_choice(material, site)
            parts = giver.chosen(f"{self.name} {site.role} {chosen}", RULES, _listed)
            alike = [one for one in parts if one.role == site.role]
            part = pick([one for one in alike if _in_choice(giver, one) == chosen], random)
            found = None if part is None else fitted_part(giver, part, material, site, random)
            if found is not None:
                before = random.random() < HALF
                new = inserted(site, found.text, before=before, source=giver.name)
                return with_steps(material, new, found)
        return None


def _listed(site: RuleSite) -> bool:
    return is_listed_step(site) or (site.repeated and site.role == "ITEM")


def _in_choice(material: ParsedRules, site: RuleSite) -> bool:
    around = None if site.parent is None else material.sites[site.parent]
    return around is not None and around.shape is not None and around.shape.head == "choice"


@dataclass(frozen=True, slots=True)
class ScoringOperator:
    """Takes the whole scoring of another game."""

    name: str = "scoring"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.SCORING})

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to score as another game does."""
        here = section(material, "scoring")
        giver = pick_game(material, mates, random)
        if giver is None or not self.families <= frozenset(families):
            return None
        try:
            found = fitted(giver, section(giver, "scoring"), material, constants(material), random)
        except UnfitError:
            return None
        if same_words(found.text, material.source.at(here.span)):
            return None
        edits = (Edit(here.span, found.text),)
        new = Proposal(ChangeFamily.SCORING, edits, here.span, found.text, giver.name)
        return with_steps(material, new, found)


@dataclass(frozen=True, slots=True)
class CardsOperator:
    """Takes the cards of another game that have the attributes and the values that matter here."""

    name: str = "cards"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.DECK})

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to play with another deck; None if it lacks an attribute."""
        giver = pick_game(material, mates, random)
        if giver is None or not self.families <= frozenset(families):
            return None
        here, there = list(_decks(material)), list(_decks(giver))
        attributes = names_in_use(material).attributes
        if not here or not there or attributes.keys() - names_in_use(giver).attributes.keys():
            return None
        old = here[int(random.integers(len(here)))]
        new = there[int(random.integers(len(there)))]
        if any(isinstance(one, Form) and len(one.items) < len("KV") for one in new.items[1:]):
            return None
        text = giver.source.at(new.span)
        if "'" in text or same_words(text, material.source.at(old.span)):
            return None
        edits = (Edit(old.span, text),)
        return Proposal(ChangeFamily.DECK, edits, old.span, text, giver.name)


def _decks(material: ParsedRules) -> Iterator[Form]:
    """Yield the forms that say which cards a deck has."""
    setup = section(material, "setup")
    for form in _forms(setup):
        if is_word(form.head, "deck"):
            yield form


def _forms(form: Form) -> Iterator[Form]:
    for item in form.items:
        if isinstance(item, Form):
            yield item
            yield from _forms(item)


# What transplants have in common ------------------------------------------------------------


def pick_game(
    material: ParsedRules, mates: Sequence[ParsedRules], random: np.random.Generator
) -> ParsedRules | None:
    """Return one of the mates that are other games."""
    found = other_games(material, mates)
    return found[int(random.integers(len(found)))] if found else None


def pick_site(sites: Sequence[RuleSite], random: np.random.Generator) -> RuleSite | None:
    """Return one of some sites; a large form half as often as each of its parts."""
    one, other = pick(sites, random), pick(sites, random)
    if one is None or other is None:
        return None
    return max(one, other, key=lambda site: site.depth)


def fitted_part(
    giver: ParsedRules,
    part: RuleSite,
    taker: ParsedRules,
    place: RuleSite,
    random: np.random.Generator,
) -> Fitted | None:
    """Return a part of another game with the names of this one; None if it does not fit."""
    try:
        return fitted(giver, part.item, taker, place.visible(), random)
    except UnfitError:
        return None


def with_steps(material: ParsedRules, proposal: Proposal, found: Fitted) -> Proposal:
    """Return a proposal that also fills, at the start of the game, what a part brings along."""
    if not found.steps:
        return proposal
    first = next(item for item in material.form.items[1:] if _is_item(item))
    text = " ".join(found.steps)
    steps = first.items[1] if isinstance(first, Form) and len(first.items) > 1 else None
    if isinstance(first, Form) and is_word(first.head, "do") and isinstance(steps, Form):
        at = steps.span.start + 1
        edit = Edit(Span(at, at), f"{text} ")
    else:
        edit = Edit(Span(first.span.start, first.span.start), f"(do ({text})) ")
    return Proposal(
        proposal.family,
        (*proposal.edits, edit),
        proposal.span,
        f"{proposal.after} {text}",
        proposal.source,
    )


def _is_item(item: Syntax) -> bool:
    frame = ("declare", "define", "setup", "scoring")
    return isinstance(item, Form) and not any(is_word(item.head, word) for word in frame)


def section(material: ParsedRules, word: str) -> Form:
    """Return a section of the program that every program has once."""
    return next(
        item for item in material.form.items if isinstance(item, Form) and is_word(item.head, word)
    )


def constants(material: ParsedRules) -> dict[str, BoundName]:
    """Return what is in scope at the end of the program: declared names alone."""
    last = max(material.sites, key=lambda site: len([one for one in site.scope if one.constant]))
    return {one.name: one for one in last.scope if one.constant}
