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

from cardwright.jobs.job import KINDS
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


SEED = RunSetting("Seed of everything random.", usual="drawn")
SCHEDULER = RunSetting("A dask scheduler, such as tcp://host:8786.", metavar="ADDRESS")


def where(usual: str) -> RunSetting:
    """Return the setting of an executor, with its default in words."""
    return RunSetting("Where games are played.", usual=usual, choices=KINDS)


def at_once(what: str, usual: str = "one per processor") -> RunSetting:
    """Return the setting of how much is done at a time: of what."""
    said = f"How much is done at a time; the outcome does not depend on it. {what}"
    return RunSetting(said, usual=usual, least=1)


def resumed(what: str) -> RunSetting:
    """Return the setting that something goes on which was interrupted."""
    return RunSetting(f"Resume what was interrupted. {what}", default=False)


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
