"""A process that does the studio's work: `python -m cardwright.web.studio.worker`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.english import counted_or_a
from cardwright.game.errors import GameError, GameFileError
from cardwright.web.worker_loop import serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.web.worker_loop import Answer, Report, Steps

    Work: TypeAlias = Callable[[dict[str, Any]], dict[str, Any] | Steps]


def _check(request: dict[str, Any]) -> dict[str, Any]:
    from cardwright.web.studio.diagnosis import diagnosis

    return diagnosis(request["source"])


def _hover(request: dict[str, Any]) -> dict[str, Any]:
    from cardwright.web.studio.assistance import explanation

    return explanation(request["source"], request["offset"])


def _complete(request: dict[str, Any]) -> dict[str, Any]:
    from cardwright.web.studio.assistance import offers

    return offers(request["source"], request["offset"])


def _format(request: dict[str, Any]) -> dict[str, Any]:
    from cardwright.web.studio.assistance import layout

    return layout(request["source"])


def _mend(request: dict[str, Any]) -> dict[str, Any]:
    from cardwright.web.studio.assistance import mended

    return mended(request["source"])


def _statistics(request: dict[str, Any]) -> Steps:
    from cardwright.web.studio.random_play import statistics

    return statistics(request["source"], request["games"])


def _thinking(request: dict[str, Any]) -> Steps:
    from cardwright.web.studio.random_play import thinking

    return thinking(request["source"], request["games"])


def _flow(request: dict[str, Any]) -> Steps:
    from cardwright.game.game import Game
    from cardwright.web.card_flow import card_flow
    from cardwright.web.studio.schemas import NAME

    return card_flow(Game.from_text(request["source"], name=NAME), "")


WORK: dict[str, Work] = {
    "check": _check,
    "hover": _hover,
    "complete": _complete,
    "format": _format,
    "mend": _mend,
    "statistics": _statistics,
    "thinking": _thinking,
    "flow": _flow,
}
"""What can be asked for, each with what its request has besides `source`."""


def studio_work(request: dict[str, Any]) -> Steps:
    """Do the work that a request names in `do`, and return what came of it.

    Rules that are wrong, or that break a rule in every game, are an answer with an `error`.
    """
    try:
        found = WORK[request["do"]](request)
        return found if isinstance(found, dict) else (yield from found)
    except GameFileError as error:
        errors = counted_or_a(len(error.checked.diagnostics.errors), "error")
        return _error("wrong-rules", f"the rules have {errors}: mend them first")
    except GameError as error:
        from cardwright.web.studio.random_play import fault

        place = fault(error)
        words = f"the game stopped in line {place['line']} ({error.rule}): {error.reason}"
        return _error("rule-broken", words, place=place)


def _error(code: str, message: str, **more: Any) -> dict[str, Any]:
    return {"error": {"code": code, "message": message, **more}}


def opened(_report: Report) -> Answer:
    """Return what answers requests of the studio."""
    return studio_work


if __name__ == "__main__":
    serve(opened, sys.argv[1:])
