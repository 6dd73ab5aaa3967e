"""Seeds of the games of a job (`numpy.random.SeedSequence`): the same for any worker and order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def game_seeds(seed: int, count: int, first: int = 0) -> Iterator[int]:
    """Yield the 64-bit seeds of the games of a job, from the `first`-th on.

    The n-th game's seed is what the n-th spawned child of `SeedSequence(seed)` gives.
    """
    from numpy.random import SeedSequence  # noqa: PLC0415 - heavy, and not needed by most commands

    for n in range(first, first + count):
        yield int(SeedSequence(seed, spawn_key=(n,)).generate_state(1, "uint64")[0])
