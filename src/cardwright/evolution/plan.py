"""Plans of searches: values that hold all that what is found depends on, and their JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.evolution.aim import Aim  # noqa: TC001 - plans are read by it
from cardwright.evolution.candidate import Candidate
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.methods.map_elites import MapAxis
from cardwright.evolution.pipeline import FunnelPlan
from cardwright.evolution.settings import MOST_CANDIDATES, MOST_OF_A_GENERATION
from cardwright.evolution.variation.vary import Variation
from cardwright.game.seeds import natural

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_TIMES = 1_000

_SEARCH, _FINAL = 0, 1
"""The children of a plan's seed from which games are played, in the search and after it."""

Parameter: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class Mate:
    """Another game, whose parts may come into candidates: its name, and its rules as formatted."""

    name: str
    text: str

    @property
    def candidate(self) -> Candidate:
        """The game as a parent."""
        return Candidate(self.text)


@dataclass(frozen=True)
class EvolutionPlan:
    """A search for games near one, the original.

    `name` is what the original is called and `original` its rules, as the formatter lays them out.
    `method` is the name of a method of search with its `parameters`; a map has `axes`, two or
    three measures, with the ends of its cells or without, as in `length 10..60`. `candidates` are
    made in all, in generations of `generation`; `mating` is the share of them that are crossed with
    one of the `mates`. The `finalists` best elites are measured again at the end, with other games
    and `final_times` as many, so that what is reported of them is not what they were chosen for;
    the measures in `reported` are taken then besides those that decide.
    The seed of `funnel` does not matter: all chance follows from `seed`. Raises EvolutionError and
    MethodError for what cannot be.
    """

    name: str
    original: str
    aims: tuple[Aim, ...]
    seed: int
    method: str = "map"
    parameters: tuple[tuple[str, Parameter], ...] = ()
    axes: tuple[str, ...] = ()
    variation: Variation = field(default_factory=Variation)
    funnel: FunnelPlan = field(default_factory=FunnelPlan)
    candidates: int = 1_000
    generation: int = 50
    mates: tuple[Mate, ...] = ()
    mating: float = 0.1
    reported: tuple[str, ...] = ()
    finalists: int = 20
    final_times: int = 5

    def __post_init__(self) -> None:
        seed = natural(self.seed)
        if seed is None:
            raise EvolutionError(f"a seed is an integer of 0 or more, not {self.seed}")
        object.__setattr__(self, "seed", seed)
        if not self.aims:
            raise EvolutionError("a search needs an aim, such as `length 40..60`")
        _within("candidates", self.candidates, 1, MOST_CANDIDATES)
        _within("candidates in a generation", self.generation, 1, MOST_OF_A_GENERATION)
        _within("finalists", self.finalists, 0, MOST_OF_A_GENERATION)
        _within("times as many games for finalists", self.final_times, 1, MOST_TIMES)
        if not 0 <= self.mating <= 1:
            raise EvolutionError(f"the share of crossings is from 0 to 1, not {self.mating}")
        _once("aims", [aim.measure for aim in self.aims])
        _once("measures of the map", self.mapped)
        _once("mates", [mate.name for mate in self.mates])

    @property
    def parent(self) -> Candidate:
        """The original, with which the search begins."""
        return Candidate(self.original)

    @property
    def generations(self) -> int:
        """The number of generations of candidates; the original comes before them, as number 0."""
        return -(-self.candidates // self.generation)

    @property
    def mapped(self) -> tuple[str, ...]:
        """The names of the measures of the map."""
        return tuple(MapAxis.parse(axis).measure for axis in self.axes)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures that decide: those aimed at, and those of the map."""
        return tuple(dict.fromkeys((*(aim.measure for aim in self.aims), *self.mapped)))

    @cached_property
    def searching(self) -> FunnelPlan:
        """How candidates are measured in the search."""
        wanted = dict.fromkeys((*self.measures, *self.funnel.measures))
        return replace(self.funnel, seed=self._seed(_SEARCH), measures=tuple(wanted))

    @cached_property
    def final(self) -> FunnelPlan:
        """How finalists are measured: by other games, and more of them."""
        plan = self.searching
        return replace(
            plan,
            seed=self._seed(_FINAL),
            games=plan.games * self.final_times,
            deals=plan.deals * self.final_times,
            measures=tuple(dict.fromkeys((*plan.measures, *self.reported))),
        )

    def size(self, generation: int) -> int:
        """Return the number of candidates of a generation, from 1."""
        return min(self.generation, self.candidates - (generation - 1) * self.generation)

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON can hold it: seeds, and infinite ends of aims, are strings."""
        import msgspec

        data: dict[str, Any] = msgspec.to_builtins(
            self, enc_hook=_range_data, order="deterministic"
        )
        for place in (data, data["funnel"]):
            place["seed"] = str(place["seed"])
        for aim in data["aims"]:
            ends = {end: str(aim[end]) for end in ("low", "high") if math.isinf(aim[end])}
            aim.update(ends)
        return data

    @classmethod
    def of_data(cls, data: Any) -> EvolutionPlan:
        """Return the plan from `data`; raises EvolutionError for anything else."""
        import msgspec

        try:
            return msgspec.convert(data, cls, strict=False)
        except (ValueError, KeyError, TypeError) as error:
            raise EvolutionError(f"this is not the plan of a search: {error}") from None

    def _seed(self, child: int) -> int:
        words = np.random.SeedSequence(self.seed, spawn_key=(child,)).generate_state(2, np.uint64)
        return int(words[0]) << 64 | int(words[1])


def _range_data(values: range) -> dict[str, int]:
    return {"from": values.start, "to": values.stop - 1}


def _within(what: str, count: int, least: int, most: int) -> None:
    if not least <= count <= most:
        raise EvolutionError(f"a search has {least:,} to {most:,} {what}, not {count:,}")


def _once(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise EvolutionError(f"{name} is named twice among the {what}: name it once")
