"""Point maps: awards put in, taken out, exchanged, and made to fit fewer or more cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.draw import one_of
from cardwright.evolution.variation.near_number import near_number
from cardwright.evolution.variation.operator import Proposal, removal
from cardwright.program import nodes as n
from cardwright.program.fitting import is_pair
from cardwright.program.kinds import ValueKind
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from cardwright.evolution.variation.material import Material
    from cardwright.evolution.variation.site import RuleSite


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
        material: Material,
        mates: Sequence[Material],
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


def _proposal(edit: Edit, material: Material, award: RuleSite) -> Proposal:
    """Return the proposal of one edit within an award; people see the whole award."""
    text, start = material.written(award), award.span.start
    at = edit.span.start - start, edit.span.end - start
    return Proposal(
        ChangeFamily.SCORING, (edit,), award.span, f"{text[: at[0]]}{edit.text}{text[at[1] :]}"
    )


def _deleted(
    material: Material, awards: Sequence[RuleSite], random: np.random.Generator
) -> Proposal | None:
    if len(awards) < 2:
        return None
    award = one_of(awards, random)
    return Proposal(ChangeFamily.SCORING, (removal(material, award.span),), award.span, "")


def _put_in(
    material: Material, awards: Sequence[RuleSite], random: np.random.Generator
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
    material: Material, awards: Sequence[RuleSite], random: np.random.Generator
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
    material: Material, awards: Sequence[RuleSite], random: np.random.Generator
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
    material: Material, awards: Sequence[RuleSite], random: np.random.Generator
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
    material: Material, awards: Sequence[RuleSite], random: np.random.Generator
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
