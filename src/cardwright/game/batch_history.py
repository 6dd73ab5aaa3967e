"""What the games of a batch recall of their latest choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.game.recalled import entries_of

if TYPE_CHECKING:
    from cardwright.game.native import NativeEngine
    from cardwright.game.recalled import Recalled

Words: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"


class BatchHistory:
    """A row of entries for each game, the latest choice first; see `kernels.recall`."""

    def __init__(self, engine: NativeEngine, games: int, count: int) -> None:
        """Make room for a number of choices of each game."""
        self._layout = engine.native.layout
        self._engine = engine
        self.count = count
        self.words: Words = np.zeros((games, count * self._layout.entry_words), np.int64)

    @property
    def address(self) -> int:
        """Where the entries are."""
        address: int = self.words.ctypes.data
        return address

    @property
    def arguments(self) -> tuple[int, int, int]:
        """What the kernel that steps takes besides the choices: forms, entries, their number."""
        return self._engine.pick_forms.address, self.address, self.count

    def copy(self) -> BatchHistory:
        """Return an independent copy."""
        history = BatchHistory(self._engine, len(self.words), self.count)
        history.words[:] = self.words
        return history

    def entries(self, game: int) -> tuple[Recalled, ...]:
        """Return the entries of a game."""
        return entries_of(self._layout, self.words[game].tolist())
