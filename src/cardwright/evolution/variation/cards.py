"""Operators on what cards are worth and which there are: point maps and decks."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cardwright.authoring.new_game import DECKS
from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import (
    Proposal,
    VariationDraw,
    inserted,
    near_number,
    replaced,
    spliced,
)
from cardwright.program import nodes as n
from cardwright.program.fitting import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite

# Point maps -----------------------------------------------------------------------------------


def _is_point_map(_rules: ParsedRules, site: RuleSite) -> bool:
    return isinstance(site.node, n.SetPoints)


def award(draw: VariationDraw) -> Proposal | None:
    """Change the awards of a point map.

    An award is deleted; or put in, for other cards than one beside it; two exchange their points;
    the points of one change their sign; a condition on the cards is added, or dropped. Numbers and
    strings in awards are changed by their own operators.
    """
    point_map = draw.any_of(draw.sites(_is_point_map))
    if point_map is None:
        return None
    inner = draw.rules.children(point_map)
    awards = [site for site in inner if site.gives is ValueKind.AWARD]
    ways = (_deleted, _added, _exchanged, _negated, _narrowed, _widened)
    return draw.one_of(ways)(draw, awards) if awards else None


def _form(award: RuleSite) -> Form:
    assert isinstance(award.item, Form)
    return award.item


def _points(award: RuleSite) -> Span:
    return _form(award).items[-1].span


def _pairs(award: RuleSite) -> list[tuple[str, Span]]:
    """Return the keys of an award, each with the place of its value, where both are written out."""
    return [
        (pair.items[0].text, pair.items[2].span)
        for pair in _form(award).items[:-1]
        if isinstance(pair, Form) and is_pair(pair)
        if isinstance(pair.items[0], Atom) and is_atom(pair.items[2], AtomKind.NAME)
    ]


def _edited(draw: VariationDraw, span: Span, *edits: Edit) -> Proposal:
    """Return the proposal of edits within a span, of which people see the whole."""
    return Proposal(ChangeFamily.SCORING, edits, span, spliced(draw.rules, span, edits))


def _deleted(draw: VariationDraw, awards: Sequence[RuleSite]) -> Proposal | None:
    if len(awards) < 2:
        return None
    span = draw.one_of(awards).span
    edit = Edit(_with_space(draw.rules.text, span), "")
    return Proposal(ChangeFamily.SCORING, (edit,), span, "")


def _with_space(text: str, span: Span) -> Span:
    """Return a span with the white space before it, unless a comment there would go on."""
    start = len(text[: span.start].rstrip())
    line = text.rfind("\n", 0, start) + 1
    return span if ";;" in text[line:start] else Span(start, span.end)


def _added(draw: VariationDraw, awards: Sequence[RuleSite]) -> Proposal | None:
    """Put in an award like another one, for another value of an attribute."""
    rules, award = draw.rules, draw.one_of(awards)
    pair = draw.any_of([pair for pair in _pairs(award) if rules.values_of(pair[0])])
    if pair is None:
        return None
    key, value = pair
    name = draw.one_of(rules.values_of(key))
    points = rules.source.at(_points(award))
    if points.isdigit():
        points = str(near_number(int(points), [], draw.random))
    edits = Edit(value, name), Edit(_points(award), points)
    head = Span(award.span.start, _points(award).end)
    return replace(inserted(award, f"{spliced(rules, head, edits)})"), family=ChangeFamily.SCORING)


def _exchanged(draw: VariationDraw, awards: Sequence[RuleSite]) -> Proposal | None:
    """Let two awards exchange their points."""
    one, other = draw.one_of(awards), draw.one_of(awards)
    left, right = (draw.rules.source.at(_points(award)) for award in (one, other))
    if left == right:
        return None
    first, last = sorted((one.span, other.span))
    edits = Edit(_points(one), right), Edit(_points(other), left)
    return _edited(draw, first.to(last), *edits)


def _negated(draw: VariationDraw, awards: Sequence[RuleSite]) -> Proposal | None:
    """Make the points of an award their opposite."""
    award = draw.one_of(awards)
    points = _form(award).items[-1]
    text = draw.rules.source.at(points.span)
    if isinstance(points, Form) and points.starts_with("-", "0") and len(points.items) == 3:
        text = draw.rules.source.at(points.items[2].span)
    elif text != "0":
        text = f"(- 0 {text})"
    else:
        return None
    return _edited(draw, award.span, Edit(points.span, text))


def _narrowed(draw: VariationDraw, awards: Sequence[RuleSite]) -> Proposal | None:
    """Let an award be for fewer cards: only those with a value of another attribute."""
    rules, award = draw.rules, draw.one_of(awards)
    given = {key for key, _ in _pairs(award)}
    keys = [key for key in rules.names.values if key not in given and rules.values_of(key)]
    if not keys or not given:
        return None
    key = draw.one_of(keys)
    pair = f"({key} : {draw.one_of(rules.values_of(key))}) "
    start = _points(award).start
    return _edited(draw, award.span, Edit(Span(start, start), pair))


def _widened(draw: VariationDraw, awards: Sequence[RuleSite]) -> Proposal | None:
    """Let an award be for more cards: whatever their value of an attribute."""
    award = draw.any_of([award for award in awards if len(_form(award).items) > 2])
    if award is None:
        return None
    items = _form(award).items
    at = int(draw.random.integers(len(items) - 1))
    gone = Span(items[at].span.start, items[at + 1].span.start)
    return _edited(draw, award.span, Edit(gone, ""))


# Decks ----------------------------------------------------------------------------------------


class _Values(NamedTuple):
    """A list of values of an attribute in a deck, as it is written, and those that are names."""

    key: str
    form: Form

    @property
    def names(self) -> list[str]:
        return [
            item.text
            for item in self.form.items
            if isinstance(item, Atom) and item.kind is AtomKind.NAME
        ]


def deck(draw: VariationDraw) -> Proposal | None:
    """Change which cards there are.

    A value of an attribute is taken out, put in or exchanged for another, or a deck is there twice
    as often. New values are those that the rules name anyway, that donors have for the same
    attribute, or those of a usual pack. What is dealt of all cards, or would be more than there are
    now, is made to fit.
    """
    rules = draw.rules
    decks = [(part, inner) for part in rules.section("setup").items for inner in _decks(part)]
    lists = [values for _, deck in decks for values in _lists(deck.items[-1])]
    way = int(draw.random.integers(4))
    if way == 3 or not lists:
        return _doubled(rules, *draw.one_of(decks))
    values = draw.one_of(lists)
    names = values.names
    if way == 0:
        if len(names) < 2:
            return None
        at, new, count = int(draw.random.integers(len(names))), [], 0
    else:
        choice = draw.any_of(_new_values(draw, values))
        if choice is None or not names:
            return None
        at = int(draw.random.integers(len(names) + (way == 1)))
        new, count = [choice], _count(rules, values.key, names[0])
    gone = [] if way == 1 else [names[at]]
    count -= sum(_count(rules, values.key, name) for name in gone)
    text = f"({', '.join((*names[:at], *new, *names[at + len(gone) :]))})"
    span = values.form.span
    return _dealt(rules, Proposal(ChangeFamily.DECK, (Edit(span, text),), span, text), count)


def _decks(part: Syntax) -> Iterator[Form]:
    """Yield the form that makes a deck, if a part of the set-up is one or repeats one."""
    inner = part.items[-1] if isinstance(part, Form) and is_word(part.head, "repeat") else part
    if isinstance(inner, Form) and inner.starts_with("create", "deck"):
        yield inner


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


def _doubled(rules: ParsedRules, part: Syntax, deck: Form) -> Proposal | None:
    """Let a deck be there twice as often; where it is repeated, that number is changed instead."""
    if part is not deck:
        return None
    start, end = deck.span.start, deck.span.end
    edits = Edit(Span(start, start), "(repeat 2 "), Edit(Span(end, end), ")")
    text = f"(repeat 2 {rules.source.at(deck.span)})"
    proposal = Proposal(ChangeFamily.DECK, edits, deck.span, text)
    alone = len(rules.program.decks) == 1
    return _dealt(rules, proposal, len(rules.program.cards)) if alone else proposal


def _count(rules: ParsedRules, key: str, value: str) -> int:
    """Return how many cards have a value."""
    return sum(card.attributes.get(key) == value for card in rules.program.cards)


def _new_values(draw: VariationDraw, values: _Values) -> list[str]:
    """Return the values that could be put into a list."""
    known = {*draw.rules.values_of(values.key), *values.names}
    found = draw.rules.vocabulary.keyed(values.key)
    for donor in draw.donors:
        found += donor.values_of(values.key)
    for usual in (names for deck in DECKS.values() for names in (deck.suits, deck.ranks)):
        if known & set(usual):
            found += usual
    return [name for name in dict.fromkeys(found) if name not in known]


def _is_deal(rules: ParsedRules, site: RuleSite) -> bool:
    """Return whether a site is a number that says how many cards are dealt."""
    if site.family is not ChangeFamily.DECK or not is_atom(site.item, AtomKind.INTEGER):
        return False
    return any(isinstance(around.node, n.Repeat) for around in islice(rules.around(site), 1))


def _dealt(rules: ParsedRules, proposal: Proposal, more: int) -> Proposal:
    """Return a proposal that deals as many cards as there are, if there are so many more."""
    cards, players = len(rules.program.cards), rules.program.players
    edits = list(proposal.edits)
    for site in rules.chosen(_is_deal, frozenset({ChangeFamily.DECK})):
        number = int(rules.written(site))
        all_of_them = number > 1 and number * players == cards
        if all_of_them or number * players > cards + more >= players:
            edits += replaced(site, str((cards + more) // players)).edits
    return replace(proposal, edits=tuple(edits))
