"""Where two versions of a game differ, and crossover of what they have changed."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.evolution.variation.operator import Proposal, VariationDraw
from cardwright.evolution.variation.rule_text import word_counts, words_of
from cardwright.program.fitting import key_of
from cardwright.program.symbols import BINDING
from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Form, Syntax

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.evolution.variation.parsed_rules import ParsedRules

_WHOLE = 8
"""Forms of at most so many words are replaced as wholes: parts of them rarely fit alone."""

_LIKE = 0.5
"""Forms that share this part of their words are versions of one form."""

_VERSIONS = 0.85
"""Games that share this part of their words are versions of one game; of those of the library no
two share more than 0.82."""

_FRAMES = frozenset({"game", "setup", "stage", "do", "choice", "scoring", "deck"})
"""Forms that are compared inside however much they differ."""


@dataclass(frozen=True, slots=True)
class RuleDifference:
    """One change of a text: edits that belong together, such as a step gone here and put there."""

    edits: tuple[Edit, ...]

    def meets(self, other: RuleDifference) -> bool:
        """Return whether both change the same place, so that they cannot be told apart."""
        return any(_meet(edit.span, two.span) for edit in self.edits for two in other.edits)

    @property
    def words(self) -> tuple[tuple[Span, str], ...]:
        """What it changes, without regard to how its new text is laid out."""
        return tuple((edit.span, _plain(edit.text)) for edit in self.edits)


def _meet(one: Span, other: Span) -> bool:
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.overlaps(other)


def differences(
    one: Source, before: Form, other: Source, after: Form
) -> tuple[RuleDifference, ...]:
    """Return the changes that lead from the form of one text to that of another, in order.

    What stands at the same path and is much alike is compared inside; comments are not compared.
    All of them applied give the words and brackets of the other text. What was moved is one change.
    """
    edits = list(_compare(other, before, after))
    gone: dict[str, list[int]] = {}
    for number, edit in enumerate(edits):
        if not edit.text:
            gone.setdefault(_plain(one.at(edit.span)), []).append(number)
    partner: dict[int, int] = {}
    for number, edit in enumerate(edits):
        if edit.span.start == edit.span.end and (places := gone.get(_plain(edit.text))):
            partner[number] = places.pop(0)
    taken = set(partner.values())
    return tuple(
        RuleDifference((edits[partner[number]], edit) if number in partner else (edit,))
        for number, edit in enumerate(edits)
        if number not in taken
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _compare(other: Source, before: Syntax, after: Syntax) -> Iterator[Edit]:
    """Yield the edits that make one item into another, whose text is in `other`."""
    if words_of(before) == words_of(after):
        return
    if isinstance(before, Form) and isinstance(after, Form) and _versions(before, after):
        yield from _compare_items(other, before, after)
    else:
        yield Edit(before.span, other.at(after.span))


def _compare_items(other: Source, before: Form, after: Form) -> Iterator[Edit]:
    """Yield the edits of the items of a form, which may be more or fewer in the other."""
    old, new = before.items, after.items
    texts = [words_of(item) for item in old], [words_of(item) for item in new]
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    stay = sum(map(str.__eq__, *texts))
    if len(old) == len(new) and stay >= sum(size for *_, size in matcher.get_matching_blocks()):
        for one, two in zip(old, new, strict=True):
            yield from _compare(other, one, two)
        return
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            place = old[i - 1].span.end if i else before.span.start + 1
            yield from _compare_stretch(other, old[i:j], new[k:m], place)


def _compare_stretch(
    other: Source, old: Sequence[Syntax], new: Sequence[Syntax], place: int
) -> Iterator[Edit]:
    """Yield the edits that make one stretch of items into another, which begins at a place."""
    left = right = 0
    for i, j in (*_pairs(old, new), (len(old), len(new))):
        for item in old[left:i]:
            yield Edit(item.span, "")
            place = item.span.end
        for item in new[right:j]:
            yield Edit(Span(place, place), f" {other.at(item.span)} ")
        if i < len(old):
            yield from _compare(other, old[i], new[j])
            place, left, right = old[i].span.end, i + 1, j + 1


def _pairs(old: Sequence[Syntax], new: Sequence[Syntax]) -> list[tuple[int, int]]:
    """Return which items of two stretches are versions of each other, in order: most of them."""
    best: list[list[tuple[float, list[tuple[int, int]]]]]
    best = [[(0.0, [])] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i, one in enumerate(old, 1):
        for j, two in enumerate(new, 1):
            choices = [best[i - 1][j], best[i][j - 1]]
            share = _share(word_counts(one), word_counts(two))
            if share > _LIKE:
                value, pairs = best[i - 1][j - 1]
                choices.append((value + share, [*pairs, (i - 1, j - 1)]))
            best[i][j] = max(choices, key=lambda choice: choice[0])
    return best[-1][-1][1]


def _share(one: Counter[str], other: Counter[str]) -> float:
    """Return how much of their words two items share, from 0 to 1."""
    return (one & other).total() / max(1, one.total(), other.total())


def _versions(before: Form, after: Form) -> bool:
    """Return whether two forms differ in parts only."""
    left, right = word_counts(before), word_counts(after)
    if max(left.total(), right.total()) <= _WHOLE or not before.items or not after.items:
        return False
    key = key_of(before)
    if key in BINDING and [*map(words_of, before.items[2:3])] != [*map(words_of, after.items[2:3])]:
        return False
    return _share(left, right) >= _LIKE or (key == key_of(after) and key in _FRAMES)


# Crossover ------------------------------------------------------------------------------------


def of_one_game(one: ParsedRules, other: ParsedRules) -> bool:
    """Return whether two texts are versions of the same game, by the words that they share."""
    return _share(_counts(one), _counts(other)) >= _VERSIONS


@lru_cache(maxsize=64)
def _counts(rules: ParsedRules) -> Counter[str]:
    return word_counts(rules.form)


def crossed(
    draw: VariationDraw, versions: Sequence[ParsedRules], original: ParsedRules | None = None
) -> tuple[Proposal, ...]:
    """Return about half of what is different in one of the versions of the game.

    With the `original` of both, only what the other changed is taken; without it, what this version
    changed may be undone as well, as nothing tells which of the two is new. The proposals can be
    made together, and the result differs from both versions if there are enough of them. There are
    none if there is no other version.
    """
    rules, random = draw.rules, draw.random
    others = [one for one in versions if one.text != rules.text and of_one_game(one, rules)]
    version = draw.any_of(others)
    if version is None:
        return ()
    news, complete = _news(rules, version, original)
    proposals = []
    for one in news:
        family = rules.family_of(one.edits[0].span)
        if family in draw.families:
            shown = max(one.edits, key=lambda edit: len(edit.text))
            text = shown.text.strip()
            proposals.append(Proposal(family, one.edits, shown.span, text, version.name))
    if not proposals or (complete and len(news) == 1):
        return ()
    chosen = [proposal for proposal in proposals if random.random() < 0.5]
    if complete and len(chosen) == len(news):
        chosen.pop(int(random.integers(len(chosen))))
    return tuple(chosen) or (draw.one_of(proposals),)


def _news(
    first: ParsedRules, second: ParsedRules, original: ParsedRules | None
) -> tuple[tuple[RuleDifference, ...], bool]:
    """Return what can be taken over from the second, and whether all of it gives the second."""
    if original is None or first.text == original.text:
        return _between(first, second), True
    own = _between(original, first)
    known = {edit.words for edit in own}
    theirs = [edit for edit in _between(original, second) if edit.words not in known]
    new = [one for one in theirs if not any(one.meets(other) for other in own)]
    if not new:
        return (), False
    # Both sets of changes are places in the original; the text of the first has its own.
    both = Source("candidate", apply_edits(original.text, _edits((*own, *new))))
    form = read(both, Diagnostics(both)).form
    return () if form is None else differences(first.source, first.form, both, form), False


@lru_cache(maxsize=256)
def _between(one: ParsedRules, other: ParsedRules) -> tuple[RuleDifference, ...]:
    return differences(one.source, one.form, other.source, other.form)


def _edits(changes: Iterable[RuleDifference]) -> list[Edit]:
    return [edit for change in changes for edit in change.edits]
