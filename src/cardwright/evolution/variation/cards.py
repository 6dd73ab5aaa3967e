"""Operators on what cards are worth and which there are: point maps and decks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from cardwright.authoring.new_game import DECKS
from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import Proposal, near_number, one_of, removal
from cardwright.program import nodes as n
from cardwright.program.fitting import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite


@dataclass(frozen=True, slots=True)
class AwardOperator:
    """Changes the awards of a point map.

    An award is deleted; or put in, for other cards than one beside it; two exchange their points;
    the points of one change their sign; a condition on the cards is added, or dropped. Numbers and
    strings in awards are changed by their own operators.
    """

    name: str = "award"
    families: frozenset[ChangeFamily] = frozenset({ChangeFamily.SCORING})

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return a change of one point map."""
        maps = material.chosen(self.name, families, lambda site: isinstance(site.node, n.SetPoints))
        if not maps:
            return None
        around = material.children(one_of(maps, random))
        awards = [site for site in around if site.gives is ValueKind.AWARD]
        if not awards:
            return None
        ways = (_deleted, _put_in, _exchanged, _negated, _narrowed, _widened)
        return one_of(ways, random)(material, awards, random)


def _form(award: RuleSite) -> Form:
    assert isinstance(award.item, Form)
    return award.item


def _points(award: RuleSite) -> Span:
    return _form(award).items[-1].span


def _proposal(edit: Edit, material: ParsedRules, award: RuleSite) -> Proposal:
    """Return the proposal of one edit within an award; people see the whole award."""
    text, start = material.written(award), award.span.start
    at = edit.span.start - start, edit.span.end - start
    return Proposal(
        ChangeFamily.SCORING, (edit,), award.span, f"{text[: at[0]]}{edit.text}{text[at[1] :]}"
    )


def _deleted(
    material: ParsedRules, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    if len(awards) < 2:
        return None
    award = one_of(awards, random)
    return Proposal(ChangeFamily.SCORING, (removal(material, award.span),), award.span, "")


def _put_in(
    material: ParsedRules, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    """Put in an award like another one, for another value of an attribute."""
    award = one_of(awards, random)
    text, start = material.written(award), award.span.start
    pairs = [(key, value) for key, value in _pairs(award) if material.values_of(key)]
    if not pairs:
        return None
    key, value = one_of(pairs, random)
    name = one_of(material.values_of(key), random)
    points = _points(award)
    number = text[points.start - start : points.end - start]
    if number.isdigit():
        number = str(near_number(int(number), [], random))
    head = text[: value.start - start] + name
    added = f"{head}{text[value.end - start : points.start - start]}{number})"
    at = Span(award.span.end, award.span.end)
    return Proposal(ChangeFamily.SCORING, (Edit(at, f" {added}"),), at, added)


def _exchanged(
    material: ParsedRules, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    """Let two awards exchange their points."""
    one, other = one_of(awards, random), one_of(awards, random)
    left, right = (material.source.at(_points(award)) for award in (one, other))
    if left == right:
        return None
    edits = (Edit(_points(one), right), Edit(_points(other), left))
    first, last = sorted((one, other), key=lambda site: site.span)
    span = first.span.to(last.span)
    text = material.source.at(span)
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        start, end = edit.span.start - span.start, edit.span.end - span.start
        text = text[:start] + edit.text + text[end:]
    return Proposal(ChangeFamily.SCORING, edits, span, text)


def _negated(
    material: ParsedRules, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    """Make the points of an award their opposite."""
    award = one_of(awards, random)
    points = _form(award).items[-1]
    text = material.source.at(points.span)
    if isinstance(points, Form) and points.starts_with("-", "0") and len(points.items) == 3:
        text = material.source.at(points.items[2].span)
    elif text != "0":
        text = f"(- 0 {text})"
    else:
        return None
    return _proposal(Edit(points.span, text), material, award)


def _narrowed(
    material: ParsedRules, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    """Let an award be for fewer cards: only those with a value of another attribute."""
    award = one_of(awards, random)
    given = {key for key, _ in _pairs(award)}
    keys = [key for key in material.names.values if key not in given and material.values_of(key)]
    if not keys or not given:
        return None
    key = one_of(keys, random)
    pair = f"({key} : {one_of(material.values_of(key), random)})"
    points = _points(award)
    return _proposal(Edit(Span(points.start, points.start), f"{pair} "), material, award)


def _widened(
    material: ParsedRules, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    """Let an award be for more cards: whatever their value of an attribute."""
    several = [award for award in awards if len(_form(award).items) > 2]
    if not several:
        return None
    award = one_of(several, random)
    items = _form(award).items
    at = int(random.integers(len(items) - 1))
    gone = Span(items[at].span.start, items[at + 1].span.start)
    return _proposal(Edit(gone, ""), material, award)


def _pairs(award: RuleSite) -> list[tuple[str, Span]]:
    """Return the keys of an award, each with the place of its value, where both are written out."""
    return [
        (pair.items[0].text, pair.items[2].span)
        for pair in _form(award).items[:-1]
        if isinstance(pair, Form) and is_pair(pair)
        if isinstance(pair.items[0], Atom) and is_atom(pair.items[2], AtomKind.NAME)
    ]


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
        material: ParsedRules,
        mates: Sequence[ParsedRules],
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
        return _put_into(material, values, one_of(new, random), random, exchanged=way == 2)


def _decks(material: ParsedRules) -> Iterator[Form]:
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


def _taken_out(
    material: ParsedRules, values: _Values, random: np.random.Generator
) -> Proposal | None:
    """Take one value out of a list."""
    names = values.names
    if len(names) < 2:
        return None
    gone = one_of(names, random)
    left = [one.text for one in names if one is not gone]
    return _listed(material, values, left, -_count(material, values.key, gone.text))


def _put_into(
    material: ParsedRules,
    values: _Values,
    new: str,
    random: np.random.Generator,
    *,
    exchanged: bool,
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
    material: ParsedRules, values: _Values, names: Sequence[str], more: int
) -> Proposal | None:
    """Return the proposal of another list of values, which makes so many more cards."""
    text = f"({', '.join(names)})"
    span = values.form.span
    return _dealt(material, Proposal(ChangeFamily.DECK, (Edit(span, text),), span, text), more)


def _doubled(material: ParsedRules, deck: Form) -> Proposal | None:
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


def _count(material: ParsedRules, key: str, value: str) -> int:
    """Return how many cards have a value."""
    return sum(card.attributes.get(key) == value for card in material.program.cards)


def _new_values(material: ParsedRules, mates: Sequence[ParsedRules], values: _Values) -> list[str]:
    """Return the values that could be put into a list."""
    known = set(material.values_of(values.key)) | {one.text for one in values.names}
    found = list(material.vocabulary.keyed(values.key))
    for mate in mates:
        found += mate.values_of(values.key)
    for usual in (names for deck in DECKS.values() for names in (deck.suits, deck.ranks)):
        if known & set(usual):
            found += usual
    return [name for name in dict.fromkeys(found) if name not in known]


def _dealt(material: ParsedRules, proposal: Proposal, more: int) -> Proposal:
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


def _is_dealt(material: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is a number that says how many cards are dealt."""
    if site.family is not ChangeFamily.DECK or not is_atom(site.item, AtomKind.INTEGER):
        return False
    return any(isinstance(one.node, n.Repeat) for one in islice(material.around(site), 1))
