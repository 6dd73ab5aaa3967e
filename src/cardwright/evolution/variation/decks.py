"""Decks: values of their cards put in, taken out or exchanged, and whole packs doubled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from cardwright.authoring.start_deck import DECKS
from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.draw import one_of
from cardwright.evolution.variation.operator import Proposal
from cardwright.program import nodes as n
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite


@dataclass(frozen=True, slots=True)
class _Values:
    """A list of values of an attribute in a deck, as it is written."""

    key: str
    form: Form

    @property
    def names(self) -> list[Atom]:
        """The values that are names alone."""
        return [item for item in self.form.items if isinstance(item, Atom) and _is_name(item)]


@dataclass(frozen=True, slots=True)
class DeckOperator:
    """Changes which cards there are.

    A value of an attribute is taken out, put in or exchanged for another, or a deck is there twice
    as often. New values are those that the rules name anyway, that `mates` have for the same
    attribute, or those of a usual pack. What is dealt of all cards, or would be more than there are
    now, is made to fit.
    """

    name: str = "deck"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.DECK})

    def draw(
        self,
        material: Material,
        mates: Sequence[Material],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return a change of one deck."""
        decks = list(_decks(material))
        lists = [values for deck in decks for values in _lists(deck.items[-1])]
        way = int(random.integers(4))
        if way == 3 or not lists:
            return _doubled(material, one_of(decks, random))
        values = one_of(lists, random)
        if way == 0:
            return _taken_out(material, values, random)
        new = _new_values(material, mates, values)
        if not new:
            return None
        return _put_in(material, values, one_of(new, random), random, exchanged=way == 2)


def _decks(material: Material) -> Iterator[Form]:
    """Yield the forms that make decks."""
    for item in material.form.items:
        if isinstance(item, Form) and is_word(item.head, "setup"):
            for part in item.items:
                inner = part.items[-1] if isinstance(part, Form) and _repeats(part) else part
                if isinstance(inner, Form) and inner.starts_with("create", "deck"):
                    yield inner


def _repeats(item: Form) -> bool:
    return is_word(item.head, "repeat")


def _is_name(item: Syntax) -> bool:
    return is_atom(item, AtomKind.NAME)


def _lists(item: Syntax) -> Iterator[_Values]:
    """Yield the lists of values in a deck, also those within other values."""
    for attribute in item.items[1:] if isinstance(item, Form) else ():
        if not isinstance(attribute, Form) or not isinstance(attribute.head, Atom):
            continue
        for values in attribute.items[1:]:
            if isinstance(values, Form) and any(isinstance(one, Form) for one in values.items):
                yield from _lists(values)
            elif isinstance(values, Form):
                yield _Values(attribute.head.text, values)


def _taken_out(material: Material, values: _Values, random: np.random.Generator) -> Proposal | None:
    """Take one value out of a list."""
    names = values.names
    if len(names) < 2:
        return None
    gone = one_of(names, random)
    left = [one.text for one in names if one is not gone]
    return _listed(material, values, left, -_count(material, values.key, gone.text))


def _put_in(
    material: Material, values: _Values, new: str, random: np.random.Generator, *, exchanged: bool
) -> Proposal | None:
    """Put a value into a list, or exchange one for it."""
    names = [one.text for one in values.names]
    if not names:
        return None
    at = int(random.integers(len(names) + (not exchanged)))
    more = _count(material, values.key, names[0])
    if exchanged:
        gone = _count(material, values.key, names[at])
        return _listed(material, values, [*names[:at], new, *names[at + 1 :]], more - gone)
    return _listed(material, values, [*names[:at], new, *names[at:]], more)


def _listed(
    material: Material, values: _Values, names: Sequence[str], more: int
) -> Proposal | None:
    """Return the proposal of another list of values, which makes so many more cards."""
    text = f"({', '.join(names)})"
    span = values.form.span
    return _dealt(material, Proposal(ChangeFamily.DECK, (Edit(span, text),), span, text), more)


def _doubled(material: Material, deck: Form) -> Proposal | None:
    """Let a deck be there twice as often."""
    text = material.source.at(deck.span)
    proposal = Proposal(
        ChangeFamily.DECK,
        (
            Edit(Span(deck.span.start, deck.span.start), "(repeat 2 "),
            Edit(Span(deck.span.end, deck.span.end), ")"),
        ),
        deck.span,
        f"(repeat 2 {text})",
    )
    for item in material.form.items:
        if isinstance(item, Form) and is_word(item.head, "setup"):
            for part in item.items:
                if isinstance(part, Form) and _repeats(part) and part.items[-1] is deck:
                    return None  # its number is changed as numbers are
    only = len(material.program.decks) == 1
    return _dealt(material, proposal, len(material.program.cards)) if only else proposal


def _count(material: Material, key: str, value: str) -> int:
    """Return how many cards have a value."""
    return sum(card.attributes.get(key) == value for card in material.program.cards)


def _new_values(material: Material, mates: Sequence[Material], values: _Values) -> list[str]:
    """Return the values that could be put into a list."""
    known = set(material.values_of(values.key)) | {one.text for one in values.names}
    found = list(material.vocabulary.keyed(values.key))
    for mate in mates:
        found += mate.values_of(values.key)
    for usual in (names for deck in DECKS.values() for names in (deck.suits, deck.ranks)):
        if known & set(usual):
            found += usual
    return [name for name in dict.fromkeys(found) if name not in known]


def _dealt(material: Material, proposal: Proposal, more: int) -> Proposal:
    """Return a proposal that deals as many cards as there are, if there are so many more."""
    cards, players = len(material.program.cards), material.program.players
    edits = list(proposal.edits)
    for site in material.sites:
        if not _is_dealt(material, site):
            continue
        assert isinstance(site.item, Atom)
        number = int(site.item.text)
        all_of_them = number > 1 and number * players == cards
        if all_of_them or number * players > cards + more >= players:
            edits.append(Edit(site.span, str((cards + more) // players)))
    return replace(proposal, edits=tuple(edits))


def _is_dealt(material: Material, site: RuleSite) -> bool:
    """Return whether a site is a number that says how many cards are dealt."""
    if site.family is not ChangeFamily.DECK or not is_atom(site.item, AtomKind.INTEGER):
        return False
    return any(isinstance(one.node, n.Repeat) for one in islice(material.around(site), 1))
