"""What each command needs of the extras, asked before it does, prints or makes anything."""

from __future__ import annotations

import sys
from copy import copy
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import click

    Parameters = Mapping[str, Any]


def _always(_: Parameters) -> bool:
    return True


@dataclass(frozen=True)
class Need:
    """Modules of extras that a command needs, and with which of its parameters."""

    modules: tuple[str, ...]
    where: Callable[[Parameters], bool] = _always


def _given(name: str) -> Callable[[Parameters], bool]:
    return lambda given: bool(given[name])


def _reported(given: Parameters) -> bool:
    return given["out"] is not None and not given.get("dry_run")


def _shown(given: Parameters) -> bool:
    return not given["quiet"] and sys.stderr.isatty()


_STUDY = (Need(("polars", "matplotlib", "jinja2")),)
_CONTEST = (
    Need(("polars",), _given("records")),
    Need(("matplotlib",), _given("plots")),
    Need(("openskill",), _shown),
)
_LAB = (Need(("matplotlib", "jinja2"), _reported),)

NEEDS: dict[str, tuple[Need, ...]] = {
    "serve": (
        Need(("starlette", "uvicorn", "sse_starlette", "lsprotocol")),
        Need(("openskill", "jinja2"), _given("seasons")),
    ),
    "match": _CONTEST,
    "tournament": _CONTEST,
    "ladder": _CONTEST,
    "solve": (Need(("scipy",), lambda given: given["method"] == "lp"),),
    "analyze": _STUDY,
    "variants": _STUDY,
    "evolve": (Need(("polars", "matplotlib", "jinja2", "pymoo"), _given("aims")),),
    "figures": _STUDY,
    "lab one": _LAB,
    "lab all": _LAB,
    "lab factorial": _LAB,
    "lab screen": _LAB,
    "lab run": _LAB,
    "lab report": _LAB,
    "league run": (Need(("polars",)),),
    "league report": (Need(("openskill", "jinja2")),),
    "records": (Need(("polars",)),),
    "lsp": (Need(("pygls",)),),
}
"""The needs of each command; one without a row needs nothing but what is always installed.

`play` is not here: without Textual it says so, and plays line by line.
"""

_CLUSTER = "distributed"


def modules_for(command: str, given: Parameters) -> tuple[str, ...]:
    """Return the modules that a call of a command needs, each once."""
    found = [module for one in NEEDS.get(command, ()) if one.where(given) for module in one.modules]
    if given.get("scheduler") is not None or given.get("executor") == "cluster":
        found.append(_CLUSTER)
    return tuple(dict.fromkeys(found))


def needing(name: str, command: click.Command) -> click.Command:
    """Return a command that raises MissingExtraError before it begins; `name` has its group."""
    body = command.callback
    assert body is not None

    @wraps(body)
    def checked(*args: Any, **given: Any) -> Any:
        modules = modules_for(name, given)
        if modules:
            from cardwright.extras import need

            need(*modules)
        return body(*args, **given)

    wrapped = copy(command)
    wrapped.callback = checked
    return wrapped
