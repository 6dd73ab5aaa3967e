"""One difference between two versions of a game, as it is told to people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ChangeKind(StrEnum):
    """What happened to a part of the rules."""

    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"
    RENAMED = "renamed"


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A difference between two versions of a game.

    `sentence` says it in words. `before` and `after` are the excerpts of the rules that differ, in
    one line each, and `line_before` and `line_after` the lines, counted from 1, where they begin;
    empty and None on the side of a version that has nothing there.
    """

    kind: ChangeKind
    sentence: str
    before: str = ""
    after: str = ""
    line_before: int | None = None
    line_after: int | None = None
