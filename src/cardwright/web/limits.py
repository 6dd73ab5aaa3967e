"""Limits: how much the server does for whom, and which computer players may be asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.arena.entrants import kinds, parse_spec
from cardwright.players.kind import NO_TRUST, PlayerSpecError, UntrustedPlayerError
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from cardwright.players.spec import PlayerSpec


@dataclass(frozen=True)
class Limits:
    """What the server allows; the defaults are for one's own machine.

    For each address: `requests` a second, with bursts of `burst`; at a time so many `connections`
    and `streams` of events; `tables_each` new tables an hour. In all: `all_streams`, `tables` kept
    and `live` ones in memory while nobody looks at them. `source` is in bytes. A computer player
    has so many `iterations` or rollouts a move, and `milliseconds` of processor time. A table at
    which nothing is done is kept for `days`. `compiled` says whether rules that were sent are
    compiled for computer players; otherwise the interpreter plays them, where no tree can be
    searched. So many `games` are kept in the records of all.
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
    games: int = 200_000
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
    games=50_000,
    compiled=False,
)
"""With `--public`."""


def players() -> list[str]:
    """Return the kinds that may sit at a table: those that need load nothing, and do not cheat."""
    return [name for name, kind in kinds().items() if not (kind.cheats or kind.needs_file)]


_WORK = ("iterations", "pass_iterations", "rollouts", "tests", "deals")
"""Parameters that multiply what a player does, each at most the limit."""

_FACTORS = ("trees", "worlds", "tests", "deals")
"""Those that multiply it further, by their product."""

_SHOWN = 80


def checked_player(spec: str, limits: Limits) -> str:
    """Return the spec of a computer player in normal form; raises Refusal.

    It is text from a browser: nothing is made of it here.
    """
    kind = spec.partition(":")[0].strip()
    if kind not in players():
        raise _unfit(kind)
    try:
        found = parse_spec(spec, NO_TRUST)
        found.check_trust()
    except UntrustedPlayerError:
        raise Refusal("invalid", f"players read no files here: write `{kind}`") from None
    except PlayerSpecError as error:
        raise Refusal("invalid", str(error)) from None
    _check_effort(found, limits)
    return str(found)


def _unfit(kind: str) -> Refusal:
    return Refusal(
        "invalid",
        f"the player {kind[:_SHOWN]!r} cannot sit at a table in the "
        f"browser; those that can are {', '.join(players())}",
    )


def _check_effort(spec: PlayerSpec, limits: Limits) -> None:
    """Raise Refusal for a player that would think too much."""
    given = dict(spec.parameters)
    for name in _WORK:
        if name in given and int(given[name]) > limits.iterations:
            raise _too_much(spec, name, limits.iterations)
    factor = 1
    for name in _FACTORS:
        factor *= int(given.get(name, 1))
    effort = int(given.get("iterations", given.get("rollouts", 1)))
    if factor * effort > limits.iterations and factor > 1:
        raise Refusal(
            "invalid",
            f"the player {spec} would do {factor * effort:,} playouts a move; "
            f"{limits.iterations:,} are allowed here",
        )
    if int(given.get("ms", 0)) > limits.milliseconds:
        raise _too_much(spec, "ms", limits.milliseconds)
    if int(given.get("threads", 1)) > 1:
        raise _too_much(spec, "threads", 1)


def _too_much(spec: PlayerSpec, name: str, most: int) -> Refusal:
    return Refusal("invalid", f"the player {spec} thinks too much: {name}={most} is allowed here")
