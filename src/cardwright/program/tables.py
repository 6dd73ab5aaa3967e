"""Tables from names to numbers, which are declared and known before the game."""

from __future__ import annotations

from dataclasses import dataclass

from cardwright.program import nodes as n


@dataclass(frozen=True, slots=True)
class Worths(n.Expression):
    """A table: numbers by name. It is known before the game, so no engine sees one."""

    numbers: tuple[tuple[str, int], ...]
