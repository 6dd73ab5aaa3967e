"""Facts about the library's games, for people who choose one and for the documentation."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError, NotFoundError
from cardwright.game.find import library_folder, library_names
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping


class FactsError(CardwrightError):
    """A file of facts that does not say what it should."""


@dataclass(frozen=True)
class Facts:
    """What is known of a game apart from its rules in RECYCLE; the texts are for people.

    `players` lists the numbers of players it is meant for. `mechanics` names what players do in
    it, and `information` how cards are hidden or shown. `rules` says how it is played,
    `left_out` what of the usual game is missing, `notes` how the file differs otherwise.
    `declared` explains each constant that may be set when the game is loaded.
    """

    name: str
    title: str
    players: tuple[int, ...]
    default_players: int
    deck: str
    origin: str
    date: str
    source: str
    mechanics: tuple[str, ...]
    information: tuple[str, ...]
    rules: str
    left_out: str
    notes: str
    declared: Mapping[str, str]


def names() -> list[str]:
    """Return the names of the library's games, in alphabetical order."""
    return library_names()


@cache
def facts(name: str) -> Facts:
    """Return the facts about a game of the library; raises NotFoundError if it is not there."""
    known = names()
    if name not in known:
        advice = did_you_mean(name, known) or f"the library has {', '.join(known)}"
        raise NotFoundError(f"there is no game {name!r} in the library; {advice}")
    file = library_folder() / f"{name}.toml"
    if not file.is_file():
        raise FactsError(f"the game {name!r} has no file of facts {name}.toml")
    return parse(name, file.read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Facts:
    """Return the facts that a TOML text gives of a game; raises FactsError if it is wrong."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FactsError(f"{name}.toml is not TOML: {error}") from None
    wanted = {field.name for field in fields(Facts)} - {"name"}
    if missing := sorted(wanted - table.keys()):
        raise FactsError(f"{name}.toml lacks {', '.join(missing)}")
    if unknown := sorted(table.keys() - wanted):
        raise FactsError(f"{name}.toml has fields that mean nothing: {', '.join(unknown)}")
    return Facts(name=name, **{key: _value(name, key, table[key]) for key in wanted})


def _value(name: str, key: str, value: Any) -> Any:
    """Return a field's value as `Facts` has it, or complain about its kind."""
    match key:
        case "players":
            good = _list_of(value, int) and value
            kind = "a list of numbers"
        case "mechanics" | "information":
            good = _list_of(value, str)
            kind = "a list of strings"
        case "default_players":
            good = _is(value, int)
            kind = "a number"
        case "declared":
            good = isinstance(value, dict) and _list_of(list(value.values()), str)
            kind = "a table of strings"
        case _:
            good = _is(value, str)
            kind = "a string"
    if not good:
        raise FactsError(f"{name}.toml: {key} is not {kind}")
    if isinstance(value, list):
        return tuple(value)
    return MappingProxyType(value) if isinstance(value, dict) else value


def _list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(_is(item, kind) for item in value)


def _is(value: Any, kind: type) -> bool:
    """Say whether a value is of a kind; for TOML a truth value is no number."""
    return isinstance(value, kind) and not (kind is int and isinstance(value, bool))
