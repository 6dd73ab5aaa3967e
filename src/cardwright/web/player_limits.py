"""Which computer players may be asked for from a browser, and how much they may think."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.entrants import player
from cardwright.players.parameter import PlayerSpecError
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from cardwright.players.spec import PlayerSpec
    from cardwright.web.limits import Limits

PLAYERS = (
    "random", "first", "lowest", "corin-random", "rule", "hierarchy", "expert", "pimc", "bandit",
    "cardstock-pipmc", "cardstock-pipmcnew", "cardstock-mcts", "ismcts", "pimc-uct", "bridge",
    "skat",
)  # fmt: skip
"""The kinds that may sit at a table: none of them runs or reads what a text names, or cheats."""

_WORK = ("iterations", "pass_iterations", "rollouts", "tests", "deals")
"""Parameters that multiply what a player does, each at most the limit."""

_FACTORS = ("trees", "worlds", "tests", "deals")
"""Those that multiply it further, by their product."""

_SHOWN = 80


def checked_player(spec: str, limits: Limits) -> str:
    """Return the spec of a computer player in normal form; raises Refusal.

    Its kind is looked at before anything is made of it: some kinds read files.
    """
    kind, _, rest = spec.strip().partition(":")
    if kind.strip() not in PLAYERS:
        raise Refusal(
            "invalid",
            f"the player {kind.strip()[:_SHOWN]!r} cannot sit at a table in the browser; those "
            f"that can are {', '.join(PLAYERS)}",
        )
    if kind.strip() == "hierarchy" and rest.strip() not in {"", "default"}:
        raise Refusal("invalid", "hierarchies are not read from files here: write `hierarchy`")
    try:
        found = player(spec)
    except PlayerSpecError as error:
        raise Refusal("invalid", str(error)) from None
    _check_effort(found, limits)
    return str(found)


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
