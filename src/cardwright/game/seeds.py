"""Seeds of the games of a job (`numpy.random.SeedSequence`): the same for any worker and order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class GameSeeds:
    """The 64-bit seeds of `count` games of a job, from the `first`-th on, as they are asked for."""

    seed: int
    count: int
    first: int = 0

    def __post_init__(self) -> None:
        if min(self.seed, self.count, self.first) < 0:
            raise ValueError("a job's seed and the numbers of its games are integers from 0")

    def __iter__(self) -> Iterator[int]:
        from numpy.random import SeedSequence  # noqa: PLC0415 - heavy, most commands need it not

        for n in range(self.first, self.first + self.count):
            yield int(SeedSequence(self.seed, spawn_key=(n,)).generate_state(1, "uint64")[0])

    def __len__(self) -> int:
        return self.count


def game_seeds(seed: int, count: int, first: int = 0) -> GameSeeds:
    """Return the 64-bit seeds of the games of a job, from the `first`-th on.

    The n-th game's seed is what the n-th spawned child of `SeedSequence(seed)` gives.
    """
    return GameSeeds(seed, count, first)
