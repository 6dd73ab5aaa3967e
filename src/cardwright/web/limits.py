"""Limits: how much the server does for whom."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What the server allows; the defaults are for one's own machine.

    For each address: `requests` a second, with bursts of `burst`; at a time so many `connections`
    and `streams` of events; `tables_each` new tables an hour. In all: `all_streams`, `tables` kept
    and `live` ones in memory while nobody looks at them. `source` is in bytes. A computer player
    has so many `iterations` or rollouts a move, and `milliseconds` of processor time. A table at
    which nothing is done is kept for `days`. `compiled` says whether rules that were sent are
    compiled for computer players; otherwise the interpreter plays them, where no tree can be
    searched.
    """

    requests: float = 100.0
    burst: int = 400
    connections: int = 400
    streams: int = 100
    all_streams: int = 1000
    tables: int = 10_000
    tables_each: int = 10_000
    live: int = 200
    source: int = 256 * 1024
    iterations: int = 20_000
    milliseconds: int = 20_000
    days: int = 60
    compiled: bool = True


OWN = Limits()
"""For those on the same machine."""

STRANGERS = Limits(
    requests=20.0,
    burst=100,
    connections=60,
    streams=20,
    all_streams=500,
    tables=2_000,
    tables_each=20,
    live=100,
    source=64 * 1024,
    iterations=10_000,
    milliseconds=5_000,
    days=30,
    compiled=False,
)
"""With `--public`."""
