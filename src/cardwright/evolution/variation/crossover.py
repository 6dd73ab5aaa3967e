"""Where two versions of a game differ, and crossover of what they have changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.candidate import ChangeFamily
from cardwright.evolution.variation.operator import Proposal
from cardwright.evolution.variation.parsed_rules import family_of
from cardwright.program.fitting import key_of
from cardwright.program.symbols import BINDING
from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules

_WHOLE = 8
"""Forms of at most so many words are replaced as wholes: parts of them rarely fit alone."""

_LIKE = 0.5
"""Forms that share this part of their words are versions of one form."""


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One change of a text: edits that belong together, such as a step gone here and put there."""

    edits: tuple[Edit, ...]

    def meets(self, other: RuleDifference) -> bool:
        """Return whether both change the same place, so that they cannot be told apart."""
        return any(_meet(one.span, two.span) for one in self.edits for two in other.edits)


def _meet(one: Span, other: Span) -> bool:
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.overlaps(other)


def differences(
    one: Source, before: Form, other: Source, after: Form
) -> tuple[RuleDifference, ...]:
    """Return the changes that lead from the form of one text to that of another, in order.

    What stands at the same path and is much alike is compared inside; comments are not compared.
    All of them applied give the words and brackets of the other text.
    """
    found = list(_TreeComparison(other).compare(before, after))
    return tuple(_together(one, found))


def words_of(item: Syntax) -> str:
    """Return the words and brackets of an item on one line, without comments."""
    if isinstance(item, Atom):
        return item.text
    return "(" + " ".join(map(words_of, item.items)) + ")"


def atoms_of(item: Syntax) -> Iterator[Atom]:
    """Yield the atoms of an item, in order."""
    if isinstance(item, Atom):
        yield item
    else:
        for inner in item.items:
            yield from atoms_of(inner)


class _TreeComparison:
    """Compares items of two trees; what differs is taken from the text of the other."""

    def __init__(self, other: Source) -> None:
        self.other = other

    def compare(self, before: Syntax, after: Syntax) -> Iterator[Edit]:
        if words_of(before) == words_of(after):
            return
        if isinstance(before, Form) and isinstance(after, Form) and _versions(before, after):
            yield from self.items(before, after)
        else:
            yield Edit(before.span, self.other.at(after.span))

    def items(self, before: Form, after: Form) -> Iterator[Edit]:
        """Yield the edits of the items of a form, which may be more or fewer in the other."""
        old, new = before.items, after.items
        texts = [words_of(item) for item in old], [words_of(item) for item in new]
        matcher = SequenceMatcher(None, *texts, autojunk=False)
        stay = sum(map(str.__eq__, *texts))
        if len(old) == len(new) and stay >= sum(
            size for _, _, size in matcher.get_matching_blocks()
        ):
            for one, two in zip(old, new, strict=True):
                yield from self.compare(one, two)
            return
        for kind, i, j, k, m in matcher.get_opcodes():
            if kind != "equal":
                yield from self.block(before, old[i:j], new[k:m], i)

    def block(
        self, form: Form, old: Sequence[Syntax], new: Sequence[Syntax], at: int
    ) -> Iterator[Edit]:
        """Yield the edits that make one stretch of items, from `at` on, into another."""
        place = form.items[at - 1].span.end if at else form.span.start + 1
        left, right = 0, 0
        for i, j in _pairs(old, new):
            yield from self.stretch(old[left:i], new[right:j], place)
            yield from self.compare(old[i], new[j])
            place, left, right = old[i].span.end, i + 1, j + 1
        yield from self.stretch(old[left:], new[right:], place)

    def stretch(self, old: Sequence[Syntax], new: Sequence[Syntax], place: int) -> Iterator[Edit]:
        """Yield the edits for items that have no counterparts."""
        for item in old:
            yield Edit(item.span, "")
        place = old[-1].span.end if old else place
        for item in new:
            yield Edit(Span(place, place), f" {self.other.at(item.span)} ")


def _pairs(old: Sequence[Syntax], new: Sequence[Syntax]) -> list[tuple[int, int]]:
    """Return which items of two stretches are versions of each other, in order: most of them."""
    best: list[list[tuple[float, list[tuple[int, int]]]]]
    best = [[(0.0, [])] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, one in enumerate(old, 1):
        for j, two in enumerate(new, 1):
            choices = [best[i - 1][j], best[i][j - 1]]
            share = _share(one, two)
            if share > _LIKE:
                value, pairs = best[i - 1][j - 1]
                choices.append((value + share, [*pairs, (i - 1, j - 1)]))
            best[i][j] = max(choices, key=lambda choice: choice[0])
    return best[-1][-1][1]


def _share(one: Syntax, other: Syntax) -> float:
    """Return how much of their words two items share, from 0 to 1."""
    left = Counter(atom.text for atom in atoms_of(one))
    right = Counter(atom.text for atom in atoms_of(other))
    return (left & right).total() / max(1, left.total(), right.total())


def _versions(before: Form, after: Form) -> bool:
    """Return whether two forms differ in parts only."""
    most = max(sum(1 for _ in atoms_of(form)) for form in (before, after))
    if most <= _WHOLE or not before.items or not after.items:
        return False
    key = key_of(before)
    if key in BINDING and list(map(words_of, before.items[2:3])) != list(
        map(words_of, after.items[2:3])
    ):
        return False
    return _share(before, after) >= _LIKE or (key == key_of(after) and key in _FRAMES)


_FRAMES = frozenset({"game", "setup", "stage", "do", "choice", "scoring", "deck"})
"""Forms that are compared inside however much they differ."""


def _together(one: Source, edits: Sequence[Edit]) -> Iterator[RuleDifference]:
    """Join what was moved: a text that is gone in one place and new in another."""
    gone: dict[str, list[int]] = {}
    for number, edit in enumerate(edits):
        if not edit.text:
            gone.setdefault(_plain(one.at(edit.span)), []).append(number)
    partner: dict[int, int] = {}
    for number, edit in enumerate(edits):
        if edit.span.start == edit.span.end and (places := gone.get(_plain(edit.text))):
            partner[number] = places.pop(0)
    taken = set(partner.values())
    for number, edit in enumerate(edits):
        if number in partner:
            yield RuleDifference((edits[partner[number]], edit))
        elif number not in taken:
            yield RuleDifference((edit,))


def _plain(text: str) -> str:
    return " ".join(text.split())


_VERSIONS = 0.85
"""Games that share this part of their words are versions of one game; of those of the library no
two share more than 0.82."""


_HALF = 0.5


def of_one_game(one: ParsedRules, other: ParsedRules) -> bool:
    """Return whether two texts are versions of the same game, by the words that they share."""
    left, right = _counts(one), _counts(other)
    return (left & right).total() >= _VERSIONS * max(left.total(), right.total())


@lru_cache(maxsize=64)
def _counts(material: ParsedRules) -> Counter[str]:
    return Counter(atom.text for atom in atoms_of(material.form))


@dataclass(frozen=True, slots=True)
class CrossoverOperator:
    """Takes over what is different in another version of the same game.

    With the `original` of both, only what the other changed is taken; without it, what this version
    changed may be undone as well, as nothing tells which of the two is new.
    """

    original: ParsedRules | None = None
    name: str = "cross"
    families: frozenset[ChangeFamily] = frozenset(ChangeFamily)

    def draw(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> Proposal | None:
        """Return one difference of a mate that is a version of the same game."""
        found = self.crossed(material, mates, families, random)
        return found[int(random.integers(len(found)))] if found else None

    def crossed(
        self,
        material: ParsedRules,
        mates: Sequence[ParsedRules],
        families: Collection[ChangeFamily],
        random: np.random.Generator,
    ) -> tuple[Proposal, ...]:
        """Return about half of the differences of such a mate, which can be made together.

        The mate and the material differ from the result if there are enough of them. Returns
        nothing if no mate is another version of the game.
        """
        alike = [one for one in mates if one.text != material.text and of_one_game(one, material)]
        if not alike:
            return ()
        mate = alike[int(random.integers(len(alike)))]
        news, complete = self._news(material, mate)
        proposals = [
            Proposal(family, one.edits, *_shown(one), source=mate.name)
            for one in news
            if (family := family_of(material, one.edits[0].span)) in families
        ]
        if not proposals or (complete and len(news) == 1):
            return ()
        chosen = [one for one in proposals if random.random() < _HALF]
        if complete and len(chosen) == len(news):
            chosen.pop(int(random.integers(len(chosen))))
        return tuple(chosen) or (proposals[int(random.integers(len(proposals)))],)

    def _news(
        self, first: ParsedRules, second: ParsedRules
    ) -> tuple[tuple[RuleDifference, ...], bool]:
        """Return what can be taken over from the second, and whether all of it gives the second."""
        origin = self.original
        if origin is None or first.text == origin.text:
            return _between(first, second), True
        own = _between(origin, first)
        known = {_said(one) for one in own}
        theirs = [one for one in _between(origin, second) if _said(one) not in known]
        new = [one for one in theirs if not any(one.meets(other) for other in own)]
        if not new:
            return (), False
        # Both sets of changes are places in the original; the text of the first has its own.
        both = _parsed(apply_edits(origin.text, _edits((*own, *new))))
        if both is None:
            return (), False
        return differences(first.source, first.form, *both), False


@lru_cache(maxsize=256)
def _between(one: ParsedRules, other: ParsedRules) -> tuple[RuleDifference, ...]:
    return differences(one.source, one.form, other.source, other.form)


def _edits(found: Sequence[RuleDifference]) -> list[Edit]:
    return [edit for one in found for edit in one.edits]


def _said(one: RuleDifference) -> tuple[tuple[Span, str], ...]:
    """Return a difference without regard to how its new text is laid out."""
    return tuple((edit.span, " ".join(edit.text.split())) for edit in one.edits)


def _shown(one: RuleDifference) -> tuple[Span, str]:
    """Return the place and the new text of a difference, as people are told."""
    edit = max(one.edits, key=lambda edit: len(edit.text))
    return edit.span, edit.text.strip()


def _parsed(text: str) -> tuple[Source, Form] | None:
    source = Source("candidate", text)
    reading = read(source, Diagnostics(source))
    return None if reading.form is None else (source, reading.form)
