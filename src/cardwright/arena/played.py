"""The results of some deals: rows, traces of the games, times and faults."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.arena.faults import FaultKind, PlayerFault
from cardwright.arena.results import TYPES, NotedFault, Results, Timing
from cardwright.jobs.packing import pack, told_of, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

Table: TypeAlias = "dict[str, NDArray[Any]]"
"""Columns by name. A column of lists has its items concatenated, and another column their
numbers."""

LENGTH = "_length"
"""The suffix of the column with the lengths of a column of lists."""

GAMES: dict[str, Any] = {
    "deal": np.int64,
    "table": np.int16,
    "seed": np.uint64,
    "choices": np.int32,
    "choices_length": np.int32,
    "error": np.object_,
}
"""The columns of games: the seed and the indices chosen, which replay it."""

DECISIONS: dict[str, Any] = {
    "deal": np.int64,
    "table": np.int16,
    "ply": np.int32,
    "seat": np.int8,
    "options": np.int32,
    "chosen": np.int32,
    "spread": np.float64,
    "average": np.float64,
    "best": np.float64,
    "lead": np.float64,
    "lead_length": np.int32,
    "iterations": np.int64,
    "held_out_spread": np.float64,
    "score_spread": np.float64,
}
"""The columns of decisions; notes that a player did not make are NaN, length -1 and -1."""

TRACES: dict[str, dict[str, Any]] = {"games": GAMES, "decisions": DECISIONS}

FIRST_FAULTS = 5
"""Faults of each entrant that are kept with their reasons."""


@dataclass(frozen=True, eq=False)
class PlayedDeals:
    """The results of some whole deals, in any order; `timing` has one Timing for each entrant.

    `traces` has the tables of `TRACES` that the plan's detail asks for. `faults` are the first
    ones of each entrant in these deals, in order.
    """

    deals: tuple[int, ...]
    results: Results
    traces: dict[str, Table]
    timing: tuple[Timing, ...]
    faults: tuple[NotedFault, ...]
    seconds: float = 0.0

    @classmethod
    def joined(cls, parts: Sequence[PlayedDeals]) -> PlayedDeals:
        """Return all parts, of which there is at least one, as one."""
        tables = {
            name: {
                column: np.concatenate([part.traces[name][column] for part in parts])
                for column in TRACES[name]
            }
            for name in parts[0].traces
        }
        return cls(
            deals=tuple(sorted(deal for part in parts for deal in part.deals)),
            results=Results.joined([part.results for part in parts]),
            traces=tables,
            timing=summed(part.timing for part in parts),
            faults=first_faults(fault for part in parts for fault in part.faults),
            seconds=sum(part.seconds for part in parts),
        )

    def before(self, deal: int) -> PlayedDeals:
        """Return the results of all deals before one; times stay those of all."""
        traces = {name: _rows_before(table, deal) for name, table in self.traces.items()}
        return replace(
            self,
            deals=tuple(one for one in self.deals if one < deal),
            results=self.results.before(deal),
            traces=traces,
            faults=tuple(one for one in self.faults if one.deal < deal),
        )

    def packed(self) -> bytes:
        """Return this as bytes; columns of strings are JSON in them."""
        texts: dict[str, Any] = {
            "timing": [asdict(one) for one in self.timing],
            "faults": [asdict(one) for one in self.faults],
            "seconds": self.seconds,
        }
        arrays: dict[str, Any] = {"deals": np.array(self.deals, np.int64)}
        for name, table in {"results": self.results.columns(), **self.traces}.items():
            for column, values in table.items():
                if values.dtype == np.object_:
                    texts[f"{name}.{column}"] = values.tolist()
                else:
                    arrays[f"{name}.{column}"] = values
        return pack(texts, arrays)

    @classmethod
    def unpacked(cls, content: bytes, name: str) -> PlayedDeals:
        """Return what `packed` was given; raises DamagedError for any other bytes."""
        with told_of(name, "run", "deals"):
            texts, arrays = unpack(content)
            kept = arrays | texts
            columns = {column: kept[f"results.{column}"] for column in TYPES}
            return cls(
                deals=tuple(kept["deals"].tolist()),
                results=Results.of_columns(columns),
                traces={
                    trace: {
                        column: np.asarray(kept[f"{trace}.{column}"], kind)
                        for column, kind in kinds.items()
                    }
                    for trace, kinds in TRACES.items()
                    if f"{trace}.deal" in kept
                },
                timing=tuple(Timing(**one) for one in texts["timing"]),
                faults=tuple(map(noted_fault, texts["faults"])),
                seconds=texts["seconds"],
            )


def summed(timings: Iterable[Sequence[Timing]]) -> tuple[Timing, ...]:
    """Return the times of each entrant over all parts."""
    return tuple(sum(ones, Timing()) for ones in zip(*timings, strict=True))


def first_faults(faults: Iterable[NotedFault]) -> tuple[NotedFault, ...]:
    """Return the first faults of each entrant by deal, table, decision and seat."""
    ordered = sorted(
        faults, key=lambda one: (one.deal, one.table, one.fault.decision, one.fault.seat)
    )
    seen: dict[int, int] = {}
    first = []
    for fault in ordered:
        seen[fault.entrant] = seen.get(fault.entrant, 0) + 1
        if seen[fault.entrant] <= FIRST_FAULTS:
            first.append(fault)
    return tuple(first)


def _rows_before(table: Table, deal: int) -> Table:
    rows = table["deal"] < deal
    kept = {}
    for name, column in table.items():
        lengths = table.get(name + LENGTH)
        kept[name] = column[rows if lengths is None else np.repeat(rows, np.maximum(lengths, 0))]
    return kept


def noted_fault(data: dict[str, Any]) -> NotedFault:
    """Return the fault described by JSON data of its fields."""
    fault = PlayerFault(**{**data["fault"], "kind": FaultKind(data["fault"]["kind"])})
    return NotedFault(data["deal"], data["table"], data["entrant"], fault)
