"""What may be set in a game, from the file NAME.toml beside its file NAME.rcy.

`[declared]` explains each constant, and may list the values that it can have. `[[requires]]` has
conditions in RECYCLE that the values must meet together, each with the reason for people.
`[[remarks]]` are notes for people that are true where such a condition holds.
`[[scores]]` say from where to where scores can be, where such a condition holds.
`[presets.NAME]` names a set of values, and `[words]` says what names of the rules are to people;
its list `[[words.results]]` says what deals bring, where such a condition holds at their end, its
list `[[words.displays]]` what is shown while one holds, and `[words.hand]` how a hand is laid.
"""

from __future__ import annotations

import tomllib
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.english import listed
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import beside
from cardwright.game.wording.phrases import (
    DISPLAYS,
    HAND,
    OWNER_SORTS,
    PILE_SHAPES,
    PILES,
    RESULTS,
    WORD_TABLES,
    YOU_ALONE,
    DisplayWords,
    GameWords,
    HandWords,
    PhraseError,
    ResultWords,
    phrase,
)
from cardwright.program.check import holds
from cardwright.program.constants import parse_value
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.suggest import advice_on, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

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
    """The range of scores by the word of the author, where a condition holds, if any."""

    least: int
    most: int
    condition: str = ""

    def __post_init__(self) -> None:
        if self.least > self.most:
            raise FactsError(f"scores.least, {self.least}, is more than most, {self.most}")


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
        """Return the first declared range of scores whose condition holds, if any."""
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


def results_with(words: GameWords, of: str, values: Mapping[str, Constant]) -> list[ResultWords]:
    """Return the words for what holds at the end of a deal for an owner of a sort.

    `values` are those of constants, and what is stored. Raises FactsError for a condition that
    cannot be evaluated.
    """
    what = "the condition of a result"
    return [one for one in words.results if one.of == of and _holds(what, one.condition, values)]


def _holds(what: str, condition: str, values: Mapping[str, Constant]) -> bool:
    try:
        return _evaluated(condition, tuple((key, type(at), at) for key, at in values.items()))
    except ValueError as error:
        raise FactsError(f"{what} cannot be evaluated: {error}") from None


@lru_cache(maxsize=1024)
def _evaluated(condition: str, values: tuple[tuple[str, type, Constant], ...]) -> bool:
    """Evaluate a condition, once for the same values; the types tell a truth value from 1 or 0."""
    return holds(condition, {key: value for key, _, value in values})


# Reading ----------------------------------------------------------------------------------


def _text(where: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise FactsError(f"{where} has something that is not a string")


def _fields(
    where: str, value: object, needed: Iterable[str], more: Iterable[str] = ()
) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FactsError(f"{where} is not a table")
    check_fields(where, value, needed, more)
    return value


def _setting(where: str, value: object) -> Setting:
    if isinstance(value, str):
        return Setting(value)
    table = _fields(where, value, ("about",), ("values", "derived"))
    about, derived = _text(where, table["about"]), table.get("derived", False)
    if not isinstance(derived, bool):
        raise FactsError(f"{where}.derived is not true or false")
    return Setting(about, _values(f"{where}.values", table.get("values")), derived)


def _values(where: str, values: object) -> Values:
    match values:
        case None:
            return ()
        case str():
            try:
                parsed = parse_value(values)
            except ValueError as error:
                raise FactsError(f"{where}: {error}") from None
            if isinstance(parsed, range):
                return parsed
        case list() if values and all(type(value) in {int, str} for value in values):
            return tuple(values)
    raise FactsError(f'{where} is neither a list of numbers or names nor a range "1..4"')


def _entry(
    make: type[Requirement | Remark | DeclaredScores | ResultWords | DisplayWords | HandWords],
    where: str,
    value: object,
) -> Any:
    known = {field.name: field.default is MISSING for field in fields(make)}
    table = _fields(where, value, [name for name, needed in known.items() if needed], known)
    for key, given in table.items():
        if key not in {"least", "most", "above"}:
            _text(f"{where}.{key}", given)
        elif type(given) is not int:
            raise FactsError(f"{where}.{key} is not an integer")
    return make(**table)


def _result(where: str, value: object) -> ResultWords:
    words: ResultWords = _entry(ResultWords, where, value)
    _phrase(f"{where}.text", words.text)
    if words.of not in OWNER_SORTS:
        raise FactsError(f"{where}.of is {listed(OWNER_SORTS, 'or')}, not {words.of!r}")
    return words


def _display(where: str, value: object) -> DisplayWords:
    given = _fields(where, value, (), tuple(value) if isinstance(value, dict) else ())
    values = _fields(f"{where}.values", given.get("values", {}), (), given.get("values", {}))
    for name, form in values.items():
        _text(f"{where}.values.{name}", form)
    texts = {key: text for key, text in given.items() if key != "values"}
    words: DisplayWords = _entry(DisplayWords, where, texts)
    _phrase(f"{where}.text", words.text)
    sorts = (*OWNER_SORTS, YOU_ALONE)
    if words.of not in sorts:
        raise FactsError(f"{where}.of is {listed(sorts, 'or')}, not {words.of!r}")
    if bool(words.track) != bool(words.to):
        raise FactsError(f"{where} has a track and its length, to, or neither of them")
    if words.track and words.of not in {"player", "team"}:
        raise FactsError(f"{where} is a track, which players or teams have: set of to one of these")
    if words.at and (words.sign or words.track):
        raise FactsError(f"{where} is shown at a place: it can be no sign or track as well")
    if words.sign and (words.track or words.of != "game"):
        raise FactsError(f"{where} has a sign, which only what is shown of the game can have")
    return replace(words, values=tuple(values.items()))


def _pile_shape(where: str, value: object) -> str:
    shape = _text(where, value)
    if shape not in PILE_SHAPES:
        raise FactsError(f"{where} is {listed(PILE_SHAPES, 'or')}, not {shape!r}")
    return shape


def _hand(value: object) -> HandWords:
    where = f"words.{HAND}"
    words: HandWords = _entry(HandWords, where, value)
    _phrase(f"{where}.text", words.text)
    if not (words.sets or words.runs or words.order):
        raise FactsError(f'{where} has neither an order nor sets or runs: write sets = "RANK"')
    if words.least < 2:
        raise FactsError(f"{where}.least is {words.least}, but a group has two cards at least")
    return words


def _preset(where: str, value: object) -> Preset:
    table = _fields(where, value, ("about",), ("game", "declared"))
    given = table.get("declared", {})
    if not isinstance(given, dict):
        raise FactsError("declared is not a table")
    declared: dict[str, Constant] = {}
    for name, constant in given.items():
        if isinstance(constant, list) and all(isinstance(item, str) for item in constant):
            declared[name] = tuple(constant)
        elif isinstance(constant, bool | int | str):
            declared[name] = constant
        else:
            raise FactsError(f"{where}.declared.{name} is not a value of a constant")
    about, game = (_text(where, table.get(part, "")) for part in ("about", "game"))
    return Preset(where.removeprefix("presets."), about, MappingProxyType(declared), game)


def _phrase(where: str, value: object) -> str:
    text = _text(where, value)
    try:
        phrase(text)
    except PhraseError as error:
        raise FactsError(f"{where}: {error}") from None
    return text


_LISTED: dict[str, Callable[[str, object], Any]] = {
    "requires": partial(_entry, Requirement),
    "remarks": partial(_entry, Remark),
    "scores": partial(_entry, DeclaredScores),
}
_NAMED: dict[str, Callable[[str, object], Any]] = {
    "declared": _setting,
    "presets": _preset,
    "words": _text,  # what has no table of its own: the unit
    **{f"words.{name}": _phrase for name in WORD_TABLES},
    f"words.{PILES}": _pile_shape,
}
"""What reads an entry of each list of tables, and of each table; both raise FactsError."""

WORD_PARTS = ("unit", RESULTS, DISPLAYS, HAND, *WORD_TABLES)
"""The fields and tables of the table of words."""

LISTS = tuple(_LISTED)
"""The lists of tables of such a file, without that of words."""

TABLES = ("declared", "presets", "words", *LISTS)
"""The tables of such a file that are read here."""

TomlPath: TypeAlias = "tuple[str | int, ...]"
"""The keys and indices that lead to a value."""

Parts: TypeAlias = "dict[str, dict[Any, Any]]"
"""What is read of each table and list: its entries by key or index."""


def read_parts(table: Mapping[str, Any], wrong: Callable[[TomlPath, str], None]) -> Parts:
    """Return the known parts of a file; `wrong` hears of those that cannot be read."""
    words = table.get("words", {})
    lists = {**_LISTED, f"words.{RESULTS}": _result, f"words.{DISPLAYS}": _display}
    tables = dict(table)
    if isinstance(words, dict):
        tables["words"] = {key: words[key] for key in ("unit",) if key in words}
        named = (*WORD_TABLES, RESULTS, DISPLAYS)
        tables |= {f"words.{name}": words[name] for name in named if name in words}
    parts: Parts = {f"words.{HAND}": {}}
    if isinstance(words, dict) and HAND in words:
        try:
            parts[f"words.{HAND}"][HAND] = _hand(words[HAND])
        except FactsError as error:
            wrong(("words", HAND), str(error))
    for name, read in {**_NAMED, **lists}.items():
        kind, path = list if name in lists else dict, tuple(name.split("."))
        entries, parts[name] = tables.get(name, kind()), {}
        if not isinstance(entries, kind):
            what = f"a list of tables: write [[{name}]]" if kind is list else "a table"
            wrong(path, f"{name} is not {what}")
            continue
        for key, entry in entries.items() if isinstance(entries, dict) else enumerate(entries):
            try:
                parts[name][key] = read(name if kind is list else f"{name}.{key}", entry)
            except FactsError as error:
                wrong((*path, key), str(error))
    return parts


def settings_from(parts: Parts) -> Settings:
    """Return settings of what was read."""
    tables = {name: tuple(parts[f"words.{name}"].items()) for name in WORD_TABLES}
    lists = {name: tuple(parts[f"words.{name}"].values()) for name in (RESULTS, DISPLAYS)}
    words: dict[str, Any] = {**parts["words"], **tables, **lists, **parts[f"words.{HAND}"]}
    return Settings(
        declared=MappingProxyType(parts["declared"]),
        presets=MappingProxyType(parts["presets"]),
        words=GameWords(**words),
        **{name: tuple(parts[name].values()) for name in LISTS},
    )


def settings_of(game: str | Path) -> Settings:
    """Return what may be set in a game, by its library name or path; anything without file."""
    file = beside(game)
    if file is None:
        return Settings()
    return _settings_in(*file)


@lru_cache(maxsize=64)
def _settings_in(name: str, text: str) -> Settings:
    """Return the settings in a text, which takes some milliseconds, once."""
    return parse_settings(name, read_table(name, text))


def read_table(name: str, text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raises FactsError if it is not TOML."""
    try:
        return parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise FactsError(f"{name} is not TOML: {error}") from None


def parse_settings(name: str, table: Mapping[str, Any]) -> Settings:
    """Return the settings in a file's tables; raises FactsError if they are wrong."""

    def wrong(_: TomlPath, message: str) -> None:
        raise FactsError(f"{name}: {message}") from None

    parts = read_parts(table, wrong)
    check_fields(f"{name}: words", table.get("words", {}), (), WORD_PARTS)
    return settings_from(parts)


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
