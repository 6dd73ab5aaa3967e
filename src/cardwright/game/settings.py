"""What may be set in a game, from the file NAME.toml beside its file NAME.rcy.

`[declared]` explains each constant, and may list the values that it can have. `[[requires]]` has
conditions in RECYCLE that the values must meet together, each with the reason for people.
`[[remarks]]` are notes for people that are true where such a condition holds.
`[[scores]]` say from where to where scores can be, where such a condition holds.
`[presets.NAME]` names a set of values, and `[words]` says what names of the rules are to people.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import beside
from cardwright.game.wording.phrases import WORD_TABLES, GameWords, PhraseError, listed, phrase
from cardwright.program.check import holds
from cardwright.program.constants import parse_value
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.suggest import advice_on, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from cardwright.game.wording.phrases import Told
    from cardwright.program.constants import Constant

Values: TypeAlias = "tuple[int | str, ...] | range"


class SettingError(CardwrightError):
    """Values of constants with which a game cannot be played, or a preset that does not exist."""

    wrong_call = True


class FactsError(CardwrightError):
    """A file beside a game with wrong contents."""


@dataclass(frozen=True)
class Setting:
    """What a constant means, and the values that it may have; none listed means any.

    For a list, the values are those that its items may have. A `derived` constant follows from
    others and must not be set.
    """

    about: str
    values: Values = ()
    derived: bool = False

    def problem(self, value: Constant) -> str:
        """Return why the constant cannot have a value; nothing if it can."""
        if self.derived:
            return "it follows from other constants and is not to be set"
        for item in value if isinstance(value, tuple) else (value,):
            if not self.values or type(item) is not type(self.values[0]):
                return ""  # the checker reports which kind is expected
            if item not in self.values:
                advice = did_you_mean(str(item), list(map(str, self.values)))
                problem = f"{override_text(item)} is not among its values, {self.listed}"
                return f"{problem}; {advice}" if advice else problem
        return ""

    @property
    def listed(self) -> str:
        """The values for people: `OFF, MINUS or PLUS`, or `3 to 8`."""
        if isinstance(self.values, range):
            return f"{self.values.start} to {self.values.stop - 1}"
        return listed(list(map(str, self.values)), "or")


@dataclass(frozen=True)
class Requirement:
    """A condition on constants, in RECYCLE, and why it must hold."""

    condition: str
    why: str


@dataclass(frozen=True)
class Remark:
    """A note on the game that is true where a condition on constants, in RECYCLE, holds."""

    condition: str
    text: str


@dataclass(frozen=True)
class DeclaredScores:
    """The lowest and the highest score that a seat can end with, by the word of the author.

    It counts where a condition on constants, in RECYCLE, holds; without one always.
    """

    least: int
    most: int
    condition: str = ""


@dataclass(frozen=True)
class Preset:
    """A variant with a name: the values that it sets, perhaps in another game's file."""

    name: str
    about: str
    declared: Mapping[str, Constant]
    game: str = ""


@dataclass(frozen=True)
class Settings:
    """What the file beside a game says: what may be set, and how; and words for people.

    Methods that evaluate conditions raise FactsError for one that cannot be evaluated.
    """

    declared: Mapping[str, Setting] = field(default_factory=dict)
    requires: tuple[Requirement, ...] = ()
    presets: Mapping[str, Preset] = field(default_factory=dict)
    words: GameWords = field(default_factory=GameWords)
    remarks: tuple[Remark, ...] = ()
    scores: tuple[DeclaredScores, ...] = ()

    def preset(self, name: str) -> Preset:
        """Return a preset; raises SettingError if there is none of that name."""
        if name in self.presets:
            return self.presets[name]
        if not self.presets:
            raise SettingError(f"there is no preset {name!r}: this game has none")
        raise SettingError(f"there is no preset {name!r}; {advice_on(name, self.presets)}")

    def remarks_on(self, values: Mapping[str, Constant]) -> list[str]:
        """Return the remarks that are true with these values of all constants."""
        what = "a remark's condition"
        return [note.text for note in self.remarks if _holds(what, note.condition, values)]

    def scores_with(self, values: Mapping[str, Constant]) -> tuple[int, int] | None:
        """Return the declared range of scores with these values of all constants, if there is one.

        It is the first whose condition holds.
        """
        for scores in self.scores:
            if not scores.condition or _holds("a condition on scores", scores.condition, values):
                return scores.least, scores.most
        return None

    def check_each(self, values: Mapping[str, Constant]) -> None:
        """Raise SettingError if one of these values is invalid, whatever the others."""
        for name, value in values.items():
            problem = self.declared[name].problem(value) if name in self.declared else ""
            if problem:
                raise SettingError(f"{name}: {problem}")

    def check_together(self, values: Mapping[str, Constant]) -> None:
        """Raise SettingError if the values of all constants are invalid together."""
        for rule in self.requires:
            if not _holds("a requirement", rule.condition, values):
                given = ", ".join(
                    f"{name}={override_text(value)}"
                    for name, value in values.items()
                    if f"'{name}" in rule.condition.replace(")", " ").split()
                )
                raise SettingError(f"{given} do not go together: {rule.why}")


def _holds(what: str, condition: str, values: Mapping[str, Constant]) -> bool:
    try:
        return holds(condition, values)
    except ValueError as error:
        raise FactsError(f"{what} cannot be evaluated: {error}") from None


# Reading ----------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """What a table of a list has: its class, the fields that it needs, and that it may have."""

    make: Callable[..., Any]
    needed: tuple[str, ...]
    more: tuple[str, ...] = ()


_ENTRIES = {
    "requires": _Entry(Requirement, ("condition", "why")),
    "remarks": _Entry(Remark, ("condition", "text")),
    "scores": _Entry(DeclaredScores, ("least", "most"), ("condition",)),
}
_NUMBERS = ("least", "most")
"""The fields of entries that are integers; all others are texts."""

LISTS = tuple(_ENTRIES)
"""The lists of tables of such a file."""

TABLES = ("declared", "presets", "words", *LISTS)
"""The tables of such a file that are read here."""


def settings_of(game: str | Path) -> Settings:
    """Return what may be set in a game, by its library name or the path of its file.

    Without such a table or file, anything may be set.
    """
    file = beside(game)
    if file is None:
        return Settings()
    name, text = file
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
    for key in LISTS:
        if not isinstance(table.get(key, []), list):
            raise FactsError(f"{name}: {key} is not a list of tables")
    presets = {key: file.preset(key, value) for key, value in file.table(table, "presets").items()}
    return Settings(
        declared=MappingProxyType(declared),
        presets=MappingProxyType(presets),
        words=file.words(file.table(table, "words")),
        **{key: tuple(file.entry(key, entry) for entry in table.get(key, [])) for key in LISTS},
    )


def check_fields(
    where: str, table: Mapping[str, Any], needed: Iterable[str], more: Iterable[str]
) -> None:
    """Raise FactsError if a table lacks a field, or has an unknown one."""
    wrong = []
    known = {*needed, *more}
    if missing := sorted(set(needed) - table.keys()):
        wrong.append(f"lacks {', '.join(missing)}")
    if unknown := sorted(table.keys() - known):
        advice = did_you_mean(unknown[0], sorted(known))
        message = f"has unknown fields: {', '.join(unknown)}"
        wrong.append(f"{message}; {advice}" if advice else message)
    if wrong:
        raise FactsError(f"{where} {', and '.join(wrong)}")


@dataclass(frozen=True)
class File:
    """Reads the parts of one file; its errors name the place."""

    name: str

    def table(self, table: Mapping[str, Any], key: str, within: str = "") -> dict[str, Any]:
        """Return a table of the file, or `within` one of its tables; empty if it is not there."""
        value = table.get(key, {})
        if not isinstance(value, dict):
            raise self._error(f"{within}{key} is not a table")
        return value

    def setting(self, key: str, value: object) -> Setting:
        """Return the description of a constant."""
        if isinstance(value, str):
            return Setting(value)
        where = f"declared.{key}"
        table = self._fields(where, value, ("about",), ("values", "derived"))
        about = self._text(where, table["about"])
        derived = table.get("derived", False)
        if not isinstance(derived, bool):
            raise self._error(f"{where}.derived is not true or false")
        return Setting(about, self._values(f"{where}.values", table.get("values")), derived)

    def _values(self, where: str, values: object) -> Values:
        match values:
            case None:
                return ()
            case str():
                try:
                    parsed = parse_value(values)
                except ValueError as error:
                    raise self._error(f"{where}: {error}") from None
                if isinstance(parsed, range):
                    return parsed
            case [_, *_]:
                good = [v for v in values if isinstance(v, int | str) and not isinstance(v, bool)]
                if len(good) == len(values):
                    return tuple(good)
        raise self._error(f'{where} is neither a list of numbers or names nor a range "1..4"')

    def entry(self, name: str, value: object) -> Any:
        """Return a table of one of the lists: a Requirement, a Remark or DeclaredScores."""
        make, needed, more = _ENTRIES[name]
        table = self._fields(name, value, needed, more)
        fields: dict[str, Any] = {}
        for key in (*needed, *more):
            if key in _NUMBERS:
                fields[key] = table[key]
                if not isinstance(table[key], int) or isinstance(table[key], bool):
                    raise self._error(f"{name}.{key} is not an integer")
            else:
                fields[key] = self._text(name, table.get(key, ""))
        entry = make(**fields)
        if isinstance(entry, DeclaredScores) and entry.least > entry.most:
            raise self._error(f"scores.least, {entry.least}, is more than most, {entry.most}")
        return entry

    def preset(self, key: str, value: object) -> Preset:
        """Return a named variant."""
        where = f"presets.{key}"
        table = self._fields(where, value, ("about",), ("game", "declared"))
        declared: dict[str, Constant] = {}
        for name, constant in self.table(table, "declared").items():
            if isinstance(constant, list) and all(isinstance(item, str) for item in constant):
                declared[name] = tuple(constant)
            elif isinstance(constant, bool | int | str):
                declared[name] = constant
            else:
                raise self._error(f"{where}.declared.{name} is not a value of a constant")
        about, game = (self._text(where, table.get(part, "")) for part in ("about", "game"))
        return Preset(key, about, MappingProxyType(declared), game)

    def words(self, table: Mapping[str, Any]) -> GameWords:
        """Return the words for people; raises FactsError for the first that is wrong."""
        check_fields(f"{self.name}: words", table, (), ("unit", *WORD_TABLES))
        words = {name: self._phrases(name, table) for name in WORD_TABLES}
        return GameWords(unit=self.unit(table), **words)

    def unit(self, words: Mapping[str, Any]) -> str:
        """Return what scores count, by the table of words."""
        return self._text("words.unit", words.get("unit", ""))

    def _phrases(self, name: str, words: Mapping[str, Any]) -> Told:
        table = self.table(words, name, "words.")
        return tuple((key, self.phrase(name, key, text)) for key, text in table.items())

    def phrase(self, name: str, key: str, value: object) -> str:
        """Return a phrase of a table of words."""
        where = f"words.{name}.{key}"
        text = self._text(where, value)
        try:
            phrase(text)
        except PhraseError as error:
            raise self._error(f"{where}: {error}") from None
        return text

    def _text(self, where: str, value: object) -> str:
        if isinstance(value, str):
            return value
        raise self._error(f"{where} has something that is not a string")

    def _fields(
        self, where: str, value: object, needed: Iterable[str], more: Iterable[str]
    ) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise self._error(f"{where} is not a table")
        check_fields(f"{self.name}: {where}", value, needed, more)
        return value

    def _error(self, message: str) -> FactsError:
        return FactsError(f"{self.name}: {message}")


# Writing TOML -----------------------------------------------------------------------------

LARGEST = 2**63 - 1
"""The largest integer of TOML."""

_BARE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")

Toml: TypeAlias = "str | bool | int | float | list[Toml] | dict[str, Toml]"


def toml_value(value: Toml) -> str:
    """Return a value on one line; tables are inline tables, in the order in which they are."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value)
        case str():
            return toml_string(value)
        case list():
            return f"[{', '.join(map(toml_value, value))}]"
    inner = ", ".join(f"{toml_key(key)} = {toml_value(item)}" for key, item in value.items())
    return f"{{ {inner} }}" if inner else "{}"


def toml_string(text: str) -> str:
    """Return a basic string; what JSON writes is TOML except for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_paragraphs(text: str) -> str:
    """Return a string over several lines, whose lines end where those of the text do."""
    lines = "\n".join(toml_string(line)[1:-1] for line in text.split("\n"))
    return f'"""\n{lines}"""'


def toml_key(name: str) -> str:
    """Return a key, in quotes where it needs them."""
    return name if name and set(name) <= _BARE else toml_string(name)
