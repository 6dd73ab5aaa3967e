"""Reading what may be set in a game from the file NAME.toml beside its file NAME.rcy.

`[declared]` explains each constant, and may list the values that it can have. `[[requires]]` has
conditions in RECYCLE that the values must meet together, each with the reason for people.
`[[remarks]]` are notes for people that are true where such a condition holds.
`[[scores]]` say from where to where scores can be, where such a condition holds.
`[presets.NAME]` names a set of values, and `[words]` says what names of the rules are to people.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cardwright.game.find import beside
from cardwright.game.game_words import WORD_TABLES, GameWords
from cardwright.game.phrase import PhraseError, phrase
from cardwright.game.settings import (
    DeclaredScores,
    FactsError,
    Preset,
    Remark,
    Requirement,
    Setting,
    Settings,
)
from cardwright.program.constants import parse_value
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from cardwright.game.game_words import Told
    from cardwright.game.settings import Values
    from cardwright.program.constants import Constant


TABLES = ("declared", "requires", "presets", "words", "remarks", "scores")
"""The tables of such a file that are read here."""


def settings_of(game: str | Path) -> Settings:
    """Return what may be set in a game, by its library name or the path of its file.

    Without such a table or file, anything may be set.
    """
    found = beside(game)
    if found is None:
        return Settings()
    name, text = found
    return parse_settings(name, read_table(name, text))


def read_table(name: str, text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raises FactsError if it is not TOML."""
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise FactsError(f"{name} is not TOML: {error}") from None


def parse_settings(name: str, table: Mapping[str, Any]) -> Settings:
    """Return the settings in a file's tables; raises FactsError if they are wrong."""
    file = File(name)
    declared = {
        key: file.setting(key, value) for key, value in file.table(table, "declared").items()
    }
    requires, remarks, scores = (table.get(key, []) for key in ("requires", "remarks", "scores"))
    for key, found in (("requires", requires), ("remarks", remarks), ("scores", scores)):
        if not isinstance(found, list):
            raise FactsError(f"{name}: {key} is not a list of tables")
    presets = {key: file.preset(key, value) for key, value in file.table(table, "presets").items()}
    return Settings(
        MappingProxyType(declared),
        tuple(file.requirement(one) for one in requires),
        MappingProxyType(presets),
        file.words(file.table(table, "words")),
        tuple(map(file.remark, remarks)),
        tuple(map(file.scores, scores)),
    )


def check_fields(
    where: str, table: Mapping[str, Any], needed: set[str], more: Iterable[str]
) -> None:
    """Raise FactsError if a table lacks a field, or has an unknown one."""
    wrong = []
    if missing := sorted(needed - table.keys()):
        wrong.append(f"lacks {', '.join(missing)}")
    if unknown := sorted(table.keys() - {*needed, *more}):
        advice = did_you_mean(unknown[0], sorted({*needed, *more}))
        said = f"has unknown fields: {', '.join(unknown)}"
        wrong.append(f"{said}; {advice}" if advice else said)
    if wrong:
        raise FactsError(f"{where} {', and '.join(wrong)}")


@dataclass(frozen=True)
class File:
    """Reads the parts of one file; its errors name the place."""

    name: str

    def table(self, table: Mapping[str, Any], key: str, within: str = "") -> dict[str, Any]:
        """Return a table of the file, or `within` one of its tables; empty if it is not there."""
        found = table.get(key, {})
        if not isinstance(found, dict):
            raise FactsError(f"{self.name}: {within}{key} is not a table")
        return found

    def setting(self, key: str, value: object) -> Setting:
        """Return the description of a constant."""
        if isinstance(value, str):
            return Setting(value)
        where = f"declared.{key}"
        table = self._fields(where, value, {"about"}, {"values", "derived"})
        about = self._text(where, table["about"])
        derived = table.get("derived", False)
        if not isinstance(derived, bool):
            raise FactsError(f"{self.name}: {where}.derived is not true or false")
        return Setting(about, self._values(where, table.get("values")), derived)

    def _values(self, where: str, values: object) -> Values:
        if values is None:
            return ()
        if isinstance(values, str):
            try:
                parsed = parse_value(values)
            except ValueError as error:
                raise FactsError(f"{self.name}: {where}.values: {error}") from None
            if isinstance(parsed, range):
                return parsed
        elif isinstance(values, list) and all(_is_plain(one) for one in values) and values:
            return tuple(values)
        raise FactsError(
            f'{self.name}: {where}.values is neither a list of numbers or names nor a range "1..4"'
        )

    def requirement(self, value: object) -> Requirement:
        """Return a condition, and why it must hold."""
        table = self._fields("requires", value, {"condition", "why"})
        return Requirement(*(self._text("requires", table[key]) for key in ("condition", "why")))

    def remark(self, value: object) -> Remark:
        """Return a condition, and what is to be said where it holds."""
        table = self._fields("remarks", value, {"condition", "text"})
        return Remark(*(self._text("remarks", table[key]) for key in ("condition", "text")))

    def scores(self, value: object) -> DeclaredScores:
        """Return a range of scores, and the condition under which it counts."""
        table = self._fields("scores", value, {"least", "most"}, {"condition"})
        least, most = (self._integer(f"scores.{key}", table[key]) for key in ("least", "most"))
        if least > most:
            raise FactsError(f"{self.name}: scores.least, {least}, is more than most, {most}")
        return DeclaredScores(least, most, self._text("scores", table.get("condition", "")))

    def preset(self, key: str, value: object) -> Preset:
        """Return a named variant."""
        where = f"presets.{key}"
        table = self._fields(where, value, {"about"}, {"game", "declared"})
        declared = {
            name: self._constant(f"{where}.declared.{name}", one)
            for name, one in self.table(table, "declared").items()
        }
        about, game = (self._text(where, table.get(part, "")) for part in ("about", "game"))
        return Preset(key, about, MappingProxyType(declared), game)

    def words(self, table: Mapping[str, Any]) -> GameWords:
        """Return the words for people; raises FactsError for the first that is wrong."""
        check_fields(f"{self.name}: words", table, set(), ("unit", *WORD_TABLES))
        told = {name: self.told(name, self.table(table, name, "words.")) for name in WORD_TABLES}
        return GameWords(unit=self._text("words.unit", table.get("unit", "")), **told)

    def told(self, name: str, table: Mapping[str, Any]) -> Told:
        """Return one table of words."""
        return tuple((key, self.phrase(name, key, text)) for key, text in table.items())

    def phrase(self, name: str, key: str, value: object) -> str:
        """Return a phrase of a table of words."""
        where = f"words.{name}.{key}"
        text = self._text(where, value)
        try:
            phrase(text)
        except PhraseError as error:
            raise FactsError(f"{self.name}: {where}: {error}") from None
        return text

    def _constant(self, where: str, value: object) -> Constant:
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        if isinstance(value, bool | int | str):
            return value
        raise FactsError(f"{self.name}: {where} is not a value of a constant")

    def _integer(self, where: str, value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        raise FactsError(f"{self.name}: {where} is not an integer")

    def _text(self, where: str, value: object) -> str:
        if isinstance(value, str):
            return value
        raise FactsError(f"{self.name}: {where} has something that is not a string")

    def _fields(
        self, where: str, value: object, needed: set[str], more: Iterable[str] = ()
    ) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise FactsError(f"{self.name}: {where} is not a table")
        check_fields(f"{self.name}: {where}", value, needed, more)
        return value


def _is_plain(value: object) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)
