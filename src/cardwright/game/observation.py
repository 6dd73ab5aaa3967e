"""Observations: what a seat sees as integers at fixed places, and the meaning of each place."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from cardwright.compiler.native import NativeProgram
    from cardwright.game.naming import Namer


class Observation:
    """The layout of the observations of one program.

    `names` says what each integer is, in order; `sizes` is the same for the kernel that writes
    them. Piles made in play, which have no fixed place, come last, in order of their first cards.
    """

    def __init__(self, native: NativeProgram, namer: Namer) -> None:
        self._native = native
        self._namer = namer
        self._backs = list(dict.fromkeys(card.back for card in native.program.cards))
        self.names = tuple(self._names())
        self.sizes = np.array(self._sizes(), np.int64)

    def __len__(self) -> int:
        return len(self.names)

    def _sizes(self) -> list[int]:
        """Return the `sizes` that `cardwright.compiler.kernels.observe` needs."""
        layout, plan = self._native.layout, self._native.plan
        numbers = {item.pc: number for number, item in enumerate(plan.choices)}
        return [
            len(self.names),
            len(plan.choices),
            layout.player_cycles + layout.team_cycles,
            len(layout.integers),
            len(layout.strings),
            len(layout.points),
            layout.operands,
            len(self._backs),
            len(self._native.program.cards),
            *(numbers.get(pc, 0) for pc in range(plan.end + 1)),
        ]

    def _names(self) -> Iterator[str]:
        program, layout = self._native.program, self._native.layout
        seats = [f"p{seat + 1}" for seat in range(program.players)]
        yield from (f"me {seat}" for seat in seats)
        yield from (f"to decide {seat}" for seat in seats)
        for item in self._native.plan.choices:
            place = program.source.position(item.node.span.start)
            yield f"choice at {place.line}:{place.column}"
        for sort, count in (("player", layout.player_cycles), ("team", layout.team_cycles)):
            for at in range(count):
                yield from (f"{sort} cycle {at} {word}" for word in ("current", "queued"))
        for word, cells in (("sto", layout.integers), ("str", layout.strings)):
            yield from (f"{program.owner_name(o)} {word} {name}" for o, name in cells.owners)
        for owner, name in layout.points.owners:
            yield f"{program.owner_name(owner)} points {name}"
            for at in range(layout.operands):
                yield f"{program.owner_name(owner)} points {name} operand {at}"
        cards = self._cards()
        for location in layout.places.locations:
            yield from self._pile(self._namer.location(location), cards)
        for made in range(layout.places.pool):
            yield from (f"made {made} {word}" for word in ("owner", "kind", "name", "index"))
            yield from self._pile(f"made {made}", cards)

    def _cards(self) -> list[str]:
        """Return the names of all cards, with their numbers where names are not enough."""
        cards = self._native.program.cards
        names = [self._namer.card(card) for card in cards]
        times = Counter(names)
        return [
            name if times[name] == 1 else f"{name} ({card.id})"
            for name, card in zip(names, cards, strict=True)
        ]

    def _pile(self, place: str, cards: list[str]) -> Iterator[str]:
        if len(self._backs) > 1:
            yield from (f"{place} count {back}" for back in self._backs)
        else:
            yield f"{place} count"
        yield from (f"{place}: {card}" for card in cards)

    def array(self, count: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        """Return an array for the observations of a number of games."""
        return np.empty((count, len(self)), np.int32)
