"""Words in which kernels for Hearts read about a game; they are written without NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.native.engine import NativeEngine


def choice_to(engine: NativeEngine, pile: str) -> int:
    """Return the index of the program's choice that moves cards to a pile; -1 if there is none."""
    for item in engine.native.plan.choices:
        names = [node.name for node in n.walk(item.node) if isinstance(node, n.Place)]
        if any(isinstance(name, n.Text) and name.value == pile for name in names):
            return item.pc
    return -1


def laid_out(size: int, facts: Mapping[int, int], parts: Mapping[int, list[int]]) -> list[int]:
    """Return words: a head with facts and the offsets of parts, 0 if empty; then the parts."""
    words = [0] * size
    for place, fact in facts.items():
        words[place] = fact
    for place, part in parts.items():
        words[place] = len(words) if part else 0
        words += part
    return words
