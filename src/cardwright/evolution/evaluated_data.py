"""Evaluated candidates as JSON data."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from cardwright.evolution.candidate import Candidate, CandidateChange, ChangeFamily
from cardwright.evolution.evaluation import Departure, DepartureReason, Evaluated, FunnelStep
from cardwright.statistics.sample import Estimate


def evaluated_data(one: Evaluated) -> dict[str, Any]:
    """Return an evaluated candidate as JSON can hold it."""
    made, left = one.candidate, one.departure
    return {
        "candidate": None if made is None else asdict(made),
        "departure": None if left is None else asdict(left),
        "fingerprint": one.fingerprint,
        "measures": {
            name: [value.mean, value.low, value.high, value.count]
            for name, value in sorted(one.measures.items())
        },
    }


def evaluated_of(data: Any) -> Evaluated:
    """Return the value from `data`; raises a Python error for anything else."""
    made, left = data["candidate"], data["departure"]
    return Evaluated(
        None if made is None else _candidate(made),
        None
        if left is None
        else Departure(
            FunnelStep(left["step"]), DepartureReason(left["reason"]), str(left["detail"])
        ),
        str(data["fingerprint"]),
        {str(name): _estimate(*value) for name, value in data["measures"].items()},
    )


def _candidate(data: Any) -> Candidate:
    changes = tuple(
        CandidateChange(**{**one, "family": ChangeFamily(one["family"])}) for one in data["changes"]
    )
    return Candidate(str(data["text"]), tuple(map(str, data["parents"])), changes)


def _estimate(mean: float, low: float | None, high: float | None, count: int) -> Estimate:
    if not math.isfinite(mean):
        raise ValueError(f"a measure is {mean}")
    return Estimate(mean, low, high, count)
