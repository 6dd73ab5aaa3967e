"""Settings of jobs: what Python takes as keywords, and commands as options.

A class of settings is a TypedDict or a dataclass whose annotations say what is to be known of each.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import (
    Annotated,
    Any,
    NamedTuple,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from cardwright.syntax.suggest import advice_on


class RunSetting(NamedTuple):
    """What is to be known of a setting: the help for its option, its default and its limits.

    `usual` says the default in words. The `option` is named like the setting, if not otherwise; one
    that ends with `-ms` is in milliseconds, and the setting in seconds. A number is at `least` so
    much, or `above` that. `read` reads what is written, and raises ValueError.
    """

    help: str
    default: Any = None
    usual: str = ""
    option: str = ""
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    above: int | None = None
    read: Callable[[str], Any] | None = None

    def allows(self, value: float) -> bool:
        """Return whether a number is within the limits."""
        return (
            math.isfinite(value)
            and (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
        )

    def about(self, more: str = "", default: Any = None, **other: Any) -> RunSetting:
        """Return what several jobs have as it is in one: what it is about there, its default..."""
        if default is not None:
            other = {"default": default, "usual": "", **other}
        return self._replace(help=f"{self.help} {more}".rstrip(), **other)


# What several jobs and commands have: the same name, kind of value and meaning ---------------

KINDS = ("here", "processes", "threads", "cluster")
"""The names of executors."""

MOST_DEALS = 10**8
"""The most deals of a contest or an experiment: their results are kept in memory."""

SEED = RunSetting("Seed of everything random.", usual="drawn")
GAMES = RunSetting("How many games.", least=1, most=10**9)
DEALS = RunSetting("How many deals.", least=1, most=MOST_DEALS)
PLAYER = RunSetting("The player that is studied.", metavar="SPEC")
MOVE = RunSetting(
    "Milliseconds that a move may take; a later answer is a fault.", option="--move-ms", above=0
)
FAULTS = RunSetting("How many faults a player may make in a game.", option="--faults", least=0)
RECORDS = RunSetting(
    "Keep the results in a folder, so that an interrupted run can be resumed.", metavar="DIR"
)
RESUME = RunSetting("Resume what was interrupted.", default=False)
WORKERS = RunSetting(
    "How much is done at a time; the outcome does not depend on it.",
    usual="one per processor",
    least=1,
)
EXECUTOR = RunSetting("Where games are played.", choices=KINDS)
SCHEDULER = RunSetting("A dask scheduler, such as tcp://host:8786.", metavar="ADDRESS")


Settings = TypeVar("Settings", bound=Mapping[str, Any])


def fields_of(kind: type[Any]) -> list[str]:
    """Return the names of all settings."""
    return list(get_type_hints(kind))


def settings_of(kind: type[Any]) -> dict[str, tuple[Any, RunSetting]]:
    """Return the type of each setting that people can write down, and what is to be known of it."""
    known = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            type_, setting = get_args(hint)
            known[name] = type_, setting._replace(default=vars(kind).get(name, setting.default))
    return known


def filled(kind: type[Settings], settings: Settings) -> Settings:
    """Return settings with the defaults of those that are not given."""
    known = settings_of(kind)
    usual: Any = {
        name: known[name][1].default if name in known else None for name in fields_of(kind)
    }
    return {**usual, **settings}  # type: ignore[return-value]


def check_keywords(what: str, kind: type[Any], settings: Mapping[str, Any]) -> None:
    """Raise TypeError for a setting that there is not."""
    known = fields_of(kind)
    for name in settings:
        if name not in known:
            raise TypeError(f"{what} has no keyword {name!r}; {advice_on(name, known)}")
