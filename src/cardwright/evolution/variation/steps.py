"""Operators on steps, blocks and conditions: what is done, how often, in which order, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.crossover import words_of
from cardwright.evolution.variation.naming import UnfitError, fitted
from cardwright.evolution.variation.operator import Proposal
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite

_LISTED = frozenset({"STEP", "ITEM", "BOOLEAN", "AWARD", "LOCATION"})
"""Operands that there may be several of, one of which can go."""

_IDEMPOTENT = (n.Set, n.SetPoints, n.Shuffle, n.Pass, n.Stage, n.Choice)
"""What has the same effect if it is done twice, or is too much to be doubled."""

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

_BOTH = 2

_SYMMETRIC = frozenset({"+", "*", "==", "!=", "and", "or", "swap", "union", "intersect"})
"""Forms whose operands can change places without any effect."""

_ONE_WAY = frozenset({"move", "remember"})
"""Actions that take cards from where they are: the other way round there are as a rule none."""


RULES = frozenset({ChangeFamily.SCORING, ChangeFamily.DECK, ChangeFamily.STEPS})
"""The families of all rules but the declared constants."""


def pick(sites: Sequence[RuleSite], random: np.random.Generator) -> RuleSite | None:
    """Return one of some sites; None if there is none."""
    return sites[int(random.integers(len(sites)))] if sites else None


def same_words(one: str, other: str) -> bool:
    """Return whether two texts differ in their layout alone, as far as can be said at once."""
    return one.split() == other.split()


def replaced(site: RuleSite, text: str, source: str = "") -> Proposal:
    """Return the proposal to put a text in the place of a site."""
    return Proposal(site.family, (Edit(site.span, text),), site.span, text, source)


def inserted(site: RuleSite, text: str, *, before: bool = False, source: str = "") -> Proposal:
    """Return the proposal to put a text beside a site."""
    at = site.span.start if before else site.span.end
    edit = Edit(Span(at, at), f"{text} " if before else f" {text}")
    return Proposal(site.family, (edit,), edit.span, text, source)


def in_choice(material: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is one of the steps of a choice, whose order does not matter."""
    return site.parent is not None and isinstance(material.sites[site.parent].node, n.Choice)


@dataclass(frozen=True, slots=True)
class DeleteOperator:
    """Takes away a step, a stage, an award, or one of several conditions."""

    name: str = "delete"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to delete a site that is not the last of its kind there."""
        sites = material.chosen(
            self.name,
            families,
            lambda one: one.role in _LISTED and len(operands_beside(material, one)) > 1,
        )
        site = pick(sites, random)
        if site is None:
            return None
        others = [one for one in operands_beside(material, site) if one is not site]
        if site.parent is not None and len(others) == 1 and site.role in {"BOOLEAN", "LOCATION"}:
            return replaced(material.sites[site.parent], material.written(others[0]))
        return Proposal(site.family, (Edit(site.span, ""),), site.span, "")


def operands_beside(material: ParsedRules, site: RuleSite) -> list[RuleSite]:
    """Return the operands in the same list as a site, itself included; none if it is alone.

    The first of several operands has a place of its own in a pattern such as `(and BOOLEAN
    BOOLEAN...)`.
    """
    around = material.children(None if site.parent is None else material.sites[site.parent])
    alike = [one for one in around if one.role == site.role]
    return alike if any(one.repeated for one in alike) else []


@dataclass(frozen=True, slots=True)
class DoubleOperator:
    """Does a step twice."""

    name: str = "double"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to write a step again after itself, if that can matter."""
        sites = material.chosen(
            self.name,
            families,
            lambda one: (
                one.repeated
                and one.role in {"STEP", "AWARD"}
                and not isinstance(one.node, _IDEMPOTENT)
                and not in_choice(material, one)
            ),
        )
        site = pick(sites, random)
        return None if site is None else inserted(site, material.written(site))


@dataclass(frozen=True, slots=True)
class MoveOperator:
    """Puts a step earlier or later in its list."""

    name: str = "move"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to put a step before or after another of the same list."""
        sites = material.chosen(
            self.name,
            families,
            lambda one: (
                one.repeated
                and one.role == "STEP"
                and len(material.siblings(one)) > 1
                and not in_choice(material, one)
            ),
        )
        site = pick(sites, random)
        return None if site is None else moved(material, site, random)


def moved(material: ParsedRules, site: RuleSite, random: np.random.Generator) -> Proposal | None:
    """Return the proposal to move a site to the place of another of its list."""
    text = material.written(site)
    row = material.siblings(site)
    here = row.index(site)
    others = [one for one in row if material.written(one) != text]
    if not others:
        return None
    other = others[int(random.integers(len(others)))]
    at = other.span.end if row.index(other) > here else other.span.start
    edits = Edit(site.span, ""), Edit(Span(at, at), f" {text} ")
    return Proposal(site.family, edits, Span(at, at), text)


@dataclass(frozen=True, slots=True)
class SwapBranchesOperator:
    """Lets what is done if a condition holds, and what is done otherwise, change places."""

    name: str = "branches"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to exchange the branches of a form with `else`."""
        sites = material.chosen(
            self.name,
            families,
            lambda one: _has_else(one) and len(branches_of(material, one)) == _BOTH,
        )
        site = pick(sites, random)
        if site is None:
            return None
        one, other = branches_of(material, site)
        return exchanged(material, site, one, other)


def branches_of(material: ParsedRules, site: RuleSite) -> list[RuleSite]:
    """Return what is done under the condition of a site, and what otherwise."""
    return [one for one in material.children(site) if one.role in {"STEP", "ITEM"}]


def _has_else(site: RuleSite) -> bool:
    return isinstance(site.item, Form) and any(is_word(part, "else") for part in site.item.items)


def exchanged(material: ParsedRules, around: RuleSite, one: RuleSite, other: RuleSite) -> Proposal:
    """Return the proposal to let two parts of a site change places."""
    left, right = material.written(one), material.written(other)
    edits = Edit(one.span, right), Edit(other.span, left)
    text, start = material.written(around), around.span.start
    after = (
        text[: one.span.start - start]
        + right
        + text[one.span.end - start : other.span.start - start]
        + left
        + text[other.span.end - start :]
    )
    return Proposal(around.family, edits, around.span, after)


@dataclass(frozen=True, slots=True)
class SwapOperandsOperator:
    """Lets two operands of a form change places, where their order matters."""

    name: str = "operands"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to exchange two operands of one kind."""
        sites = material.chosen(self.name, families, lambda one: any(_pairs(material, one)))
        site = pick(sites, random)
        if site is None:
            return None
        pairs = list(_pairs(material, site))
        one, other = pairs[int(random.integers(len(pairs)))]
        return exchanged(material, site, one, other)


def _pairs(material: ParsedRules, site: RuleSite) -> Iterator[tuple[RuleSite, RuleSite]]:
    """Yield the pairs of operands that can change places, and are not alike."""
    if site.shape is None or site.shape.head in _SYMMETRIC | _ONE_WAY or _has_else(site):
        return
    operands = [one for one in material.children(site) if one.role not in {"STEP", "ITEM"}]
    for at, one in enumerate(operands):
        for other in operands[at + 1 :]:
            fits = one.gives & ~other.accepts or other.gives & ~one.accepts
            if not fits and words_of(one.item) != words_of(other.item):
                yield one, other


@dataclass(frozen=True, slots=True)
class NegateOperator:
    """Turns a condition into its opposite."""

    name: str = "negate"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to negate a condition; an operator is changed where one says it."""
        site = pick(conditions(material, families), random)
        if site is None:
            return None
        item = site.item
        if isinstance(item, Form) and len(item.items) > 1:
            head = material.source.at(item.items[0].span)
            if opposite := _OPPOSITES.get(head):
                return replaced(site, f"({opposite}{material.written(site)[1 + len(head) :]}")
            if head == "not":
                return replaced(site, material.source.at(item.items[1].span))
        return replaced(site, f"(not {material.written(site)})")


def conditions(material: ParsedRules, families: Collection[ChangeFamily]) -> Sequence[RuleSite]:
    """Return the sites of conditions."""
    return material.chosen("conditions", families, lambda one: one.gives is ValueKind.BOOLEAN)


@dataclass(frozen=True, slots=True)
class LogicOperator:
    """Asks for all of several conditions where any was enough, or the other way round."""

    name: str = "logic"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to exchange `and` and `or`, or `any` and `all` of a condition."""
        sites = material.chosen(
            self.name, families, lambda one: isinstance(one.node, n.Logic | n.Quantifier)
        )
        site = pick([one for one in sites if _word(one) in _EXCHANGED], random)
        if site is None:
            return None
        word = _word(site)
        text = material.written(site)
        return replaced(site, text.replace(word, _EXCHANGED[word], 1))


_EXCHANGED = {"and": "or", "or": "and", "any": "all", "all": "any"}


def _word(site: RuleSite) -> str:
    return site.shape.head if site.shape is not None else ""


@dataclass(frozen=True, slots=True)
class UnguardOperator:
    """Does a step whether its condition holds or not."""

    name: str = "unguard"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to put a step in the place of the same step with a condition."""
        sites = material.chosen(
            self.name, families, lambda one: isinstance(one.node, n.When | n.Fork)
        )
        site = pick(sites, random)
        if site is None:
            return None
        branch = pick(branches_of(material, site), random)
        return None if branch is None else replaced(site, material.written(branch))


_STEPS = frozenset({"STEP"})
_CONTROL = ValueKind.BODY | ValueKind.BLOCK


def same_game(
    material: ParsedRules, part: RuleSite, place: RuleSite, random: np.random.Generator
) -> str | None:
    """Return the text of a part of the same game for another place; None if it does not fit.

    Variables that are not in scope there become others of the same kind.
    """
    if part is place or words_of(part.item) == words_of(place.item):
        return None
    try:
        found = fitted(material, part.item, material, place.visible(), random)
    except UnfitError:
        return None
    return found.text


def parts_for(material: ParsedRules, place: RuleSite) -> Sequence[RuleSite]:
    """Return the forms of a game that give what a place accepts."""
    wanted = place.accepts
    if not wanted & ~_CONTROL:
        wanted = place.gives
    return material.chosen(
        f"giving {wanted.value}",
        tuple(ChangeFamily),
        lambda one: isinstance(one.item, Form) and bool(one.gives) and not one.gives & ~wanted,
    )


@dataclass(frozen=True, slots=True)
class SubformOperator:
    """Puts a copy of another form of the same game in the place of one."""

    name: str = "subform"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to replace a form by one that gives the same kind."""
        for _ in range(TRIES):
            site = pick(material.chosen(self.name, families, replaceable), random)
            part = None if site is None else pick(parts_for(material, site), random)
            if site is None or part is None:
                return None
            text = same_game(material, part, site, random)
            if text is not None:
                return replaced(site, text)
        return None


def replaceable(site: RuleSite) -> bool:
    """Return whether a site is a form or a variable, and not a block or a stage of its own."""
    if isinstance(site.item, Atom):
        return is_atom(site.item, AtomKind.VARIABLE) and bool(site.gives)
    return site.role != "ITEM" and site.gives not in {ValueKind.AWARD, ValueKind.STRINGS}


@dataclass(frozen=True, slots=True)
class CopyOperator:
    """Does a step of the same game in another place as well."""

    name: str = "copy"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to add a copy of a step beside another one."""
        sites = material.chosen(self.name, families, is_listed_step)
        parts = material.chosen(self.name, tuple(ChangeFamily), is_listed_step)
        site, text = matched(material, sites, parts, random)
        if site is None:
            return None
        return inserted(site, text, before=random.random() < HALF)


HALF = 0.5

TRIES = 8
"""How many pairs of a part and a place are drawn until one fits."""


def matched(
    material: ParsedRules,
    sites: Sequence[RuleSite],
    parts: Sequence[RuleSite],
    random: np.random.Generator,
) -> tuple[RuleSite | None, str]:
    """Return a place and the text of a part that fits there; no place if none was found."""
    for _ in range(TRIES):
        site, part = pick(sites, random), pick(parts, random)
        if site is None or part is None:
            break
        text = same_game(material, part, site, random)
        if text is not None:
            return site, text
    return None, ""


def is_listed_step(site: RuleSite) -> bool:
    """Return whether a site is one of the steps of a list."""
    return site.repeated and site.role in _STEPS


@dataclass(frozen=True, slots=True)
class ConditionOperator:
    """Makes a condition of the same game a further one, or an alternative, in another place."""

    name: str = "condition"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to join a condition to another by `and` or `or`."""
        sites, parts = conditions(material, families), conditions(material, tuple(ChangeFamily))
        site, text = matched(material, sites, parts, random)
        if site is None:
            return None
        word = "and" if random.random() < HALF else "or"
        return replaced(site, f"({word} {material.written(site)} {text})")


@dataclass(frozen=True, slots=True)
class GuardOperator:
    """Does a step only under a condition that the game has elsewhere."""

    name: str = "guard"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to put a condition before a step."""
        sites = material.chosen(self.name, families, _can_wait)
        site, text = matched(material, sites, conditions(material, tuple(ChangeFamily)), random)
        return None if site is None else replaced(site, f"({text} {material.written(site)})")


def _can_wait(site: RuleSite) -> bool:
    return is_listed_step(site) and not site.gives & ValueKind.CONDITIONAL


@dataclass(frozen=True, slots=True)
class BlockOrderOperator:
    """Plays a stage or a block earlier or later."""

    name: str = "order"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to move a stage or a block, or to exchange two of one list."""
        sites = material.chosen(
            self.name,
            families,
            lambda one: one.role == "ITEM" and one.repeated and len(material.siblings(one)) > 1,
        )
        site = pick(sites, random)
        if site is None:
            return None
        if random.random() < HALF:
            return moved(material, site, random)
        other = pick([one for one in material.siblings(site) if one is not site], random)
        if other is None or material.written(other) == material.written(site):
            return None
        edits = Edit(site.span, material.written(other)), Edit(other.span, material.written(site))
        return Proposal(site.family, edits, site.span, material.written(other))


@dataclass(frozen=True, slots=True)
class EndOperator:
    """Changes what ends a stage."""

    name: str = "end"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return the proposal to end a stage by another condition, or by one more or one less."""
        sites = material.chosen(self.name, families, lambda one: _is_end(material, one))
        site = pick(sites, random)
        if site is None:
            return None
        parts = [one for one in material.children(site) if one.gives is ValueKind.BOOLEAN]
        if parts and isinstance(site.node, n.Logic) and random.random() < HALF:
            return replaced(site, material.written(parts[int(random.integers(len(parts)))]))
        found, text = matched(material, [site], conditions(material, tuple(ChangeFamily)), random)
        if found is None:
            return None
        if random.random() < HALF:
            return replaced(site, text)
        word = "and" if random.random() < HALF else "or"
        return replaced(site, f"({word} {material.written(site)} {text})")


def _is_end(material: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is the condition that ends a stage."""
    if site.parent is None or not isinstance(material.sites[site.parent].node, n.Stage):
        return False
    return site.role == "BOOLEAN"
