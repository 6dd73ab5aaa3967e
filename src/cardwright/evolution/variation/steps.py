"""Operators on steps and conditions: what is done, how often, in which order, and when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.alignment import words_of
from cardwright.evolution.variation.operator import Proposal
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite

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


def in_choice(material: Material, site: RuleSite) -> bool:
    """Return whether a site is one of the steps of a choice, whose order does not matter."""
    return site.parent is not None and isinstance(material.sites[site.parent].node, n.Choice)


@dataclass(frozen=True, slots=True)
class DeleteOperator:
    """Takes away a step, a stage, an award, or one of several conditions."""

    name: str = "delete"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
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


def operands_beside(material: Material, site: RuleSite) -> list[RuleSite]:
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
        material: Material,
        mates: Sequence[Material],
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
        material: Material,
        mates: Sequence[Material],
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


def moved(material: Material, site: RuleSite, random: np.random.Generator) -> Proposal | None:
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
        material: Material,
        mates: Sequence[Material],
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


def branches_of(material: Material, site: RuleSite) -> list[RuleSite]:
    """Return what is done under the condition of a site, and what otherwise."""
    return [one for one in material.children(site) if one.role in {"STEP", "ITEM"}]


def _has_else(site: RuleSite) -> bool:
    return isinstance(site.item, Form) and any(is_word(part, "else") for part in site.item.items)


def exchanged(material: Material, around: RuleSite, one: RuleSite, other: RuleSite) -> Proposal:
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
        material: Material,
        mates: Sequence[Material],
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


def _pairs(material: Material, site: RuleSite) -> Iterator[tuple[RuleSite, RuleSite]]:
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
        material: Material,
        mates: Sequence[Material],
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


def conditions(material: Material, families: Collection[ChangeFamily]) -> Sequence[RuleSite]:
    """Return the sites of conditions."""
    return material.chosen("conditions", families, lambda one: one.gives is ValueKind.BOOLEAN)


@dataclass(frozen=True, slots=True)
class LogicOperator:
    """Asks for all of several conditions where any was enough, or the other way round."""

    name: str = "logic"
    families: frozenset[ChangeFamily] = RULES

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
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
        material: Material,
        mates: Sequence[Material],
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
