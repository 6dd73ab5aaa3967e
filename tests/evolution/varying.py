"""Games to vary, and what each candidate has to meet."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import cardwright.library
from cardwright.evolution.candidate import Candidate
from cardwright.evolution.variation.operator import ConstantValues
from cardwright.evolution.variation.rule_text import distance, keeps, kept_texts
from cardwright.game.settings import settings_of
from cardwright.library.catalogue import names
from cardwright.program.check import check
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from cardwright.evolution.variation.vary import Variation

SMALL = ("leduc", "lama", "polignac", "goofspiel", "sueca", "sevens")
"""Games that take little time to check, of many kinds; one of them has definitions."""


@cache
def library_game(name: str) -> Candidate:
    """Return a game of the library as a candidate."""
    assert name in names()
    path = Path(cardwright.library.__file__).parent / "games" / f"{name}.rcy"
    return Candidate(format_source(Source(name, path.read_text(encoding="utf-8"))))


@cache
def values_of(name: str) -> ConstantValues:
    """Return what the constants of a game of the library may be."""
    return ConstantValues.of(settings_of(name))


def assert_sound(
    candidate: Candidate, original: Candidate, parent: Candidate, variation: Variation
) -> None:
    """Check all that is promised of a candidate."""
    source = Source("candidate", candidate.text)
    checked = check(source)
    assert checked.program is not None, checked.diagnostics.errors
    assert format_source(source) == candidate.text
    assert distance(candidate.text, parent.text) > 0
    assert keeps(candidate.text, kept_texts(original.text, variation.keep))
    if variation.most is not None:
        assert distance(candidate.text, original.text) <= variation.most
    assert candidate.parents[0] == parent.name
    assert candidate.changes
    lines = parent.text.splitlines()
    for change in candidate.changes:
        assert change.family in variation.families
        assert change.before.split("\n")[0] in lines[change.line - 1]
        assert change.before != change.after
