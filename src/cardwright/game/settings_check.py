"""Checking the file NAME.toml beside a game: all its errors, each at its place."""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import find, neighbour
from cardwright.game.game_words import WORD_TABLES
from cardwright.game.settings import Requirement, Setting, Settings
from cardwright.game.settings_file import TABLES, File
from cardwright.game.toml_places import TomlPlaces
from cardwright.game.words_check import WordsCheck
from cardwright.program.check import ValueCheck
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.diagnostic import Code, Diagnostics, rewritten
from cardwright.syntax.source import Source, Span
from cardwright.syntax.suggest import did_you_mean, near

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.game.settings import Preset, Values
    from cardwright.game.toml_places import TomlPath
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program

MOST_TRIED = 10
"""Most values of a constant with which the rules are checked."""

MOST_WHOLE = 24
"""Most sets of values with which all of the rules is checked; else it is what is before play."""


def check_settings(
    source: Source, program: Program | None, known: Iterable[str] = (), game: str = ""
) -> Diagnostics:
    """Check the text of such a file; `program` is its game, None if that cannot be played.

    `known` are names of fields that other parts use, and `game` is the path of the game. Its rules
    are checked with the values that each constant may have, and with each preset.
    """
    report = Diagnostics(source)
    try:
        table = parse_toml(source.text)
    except tomllib.TOMLDecodeError as error:
        report.add(Code.BAD_SETTINGS, told_span(source, str(error)), f"this is not TOML: {error}")
        return report
    file = File(source.name)
    places, readable = TomlPlaces.of(source.text), _readable(file, table)
    rules = ValueCheck(program.source) if program else None
    checker = _Checker(report, file, program, game, places, readable, rules)
    checker.names(table, {*TABLES, *known})
    checker.declared(checker.table(table, "declared"))
    checker.requires(table.get("requires", []))
    checker.remarks(table.get("remarks", []))
    checker.scores(table.get("scores", []))
    checker.presets(checker.table(table, "presets"))
    checker.words(checker.table(table, "words"))
    return report


def _readable(file: File, table: Mapping[str, Any]) -> Settings:
    """Return the descriptions of constants and the requirements, as far as they can be read."""
    settings: dict[str, Setting] = {}
    declared, requires = table.get("declared"), table.get("requires")
    for name, value in declared.items() if isinstance(declared, dict) else ():
        with suppress(CardwrightError):
            settings[name] = file.setting(name, value)
    required: list[Requirement] = []
    for value in requires if isinstance(requires, list) else ():
        with suppress(CardwrightError):
            required.append(file.requirement(value))
    return Settings(settings, tuple(required))


def _spread(values: Values) -> Sequence[Constant]:
    """Return all of some values, or if they are many the first, the last and some between."""
    if len(values) <= MOST_TRIED:
        return values
    step = (len(values) - 1) / (MOST_TRIED - 1)
    return [values[round(at * step)] for at in range(MOST_TRIED)]


@dataclass(frozen=True)
class _Checker:
    """Goes through the tables of one file."""

    report: Diagnostics
    file: File
    program: Program | None
    game: str
    places: TomlPlaces
    settings: Settings
    """What can be read of the file: descriptions of constants, and requirements."""
    rules: ValueCheck | None

    def names(self, table: Mapping[str, Any], known: set[str]) -> None:
        """Report unknown tables and fields."""
        for key in table:
            if key not in known:
                message = f"there is no table or field {key!r} here"
                self._add((key,), message, _advice(key, known), near(key, sorted(known)))

    def table(self, table: Mapping[str, Any], key: str) -> dict[str, Any]:
        """Return a table of the file, empty if it is not a table."""
        return self._tried((key,), lambda: self.file.table(table, key)) or {}

    def declared(self, table: Mapping[str, Any]) -> None:
        """Check the descriptions of constants, and their values in the program."""
        for name, value in table.items():
            setting = self._tried(("declared", name), lambda: self.file.setting(name, value))  # noqa: B023 - called at once
            if setting is not None and self._is_declared(("declared", name), name):
                values = self._values()
                problem = "" if setting.derived else setting.problem(values.get(name, ""))
                if problem and name in values:
                    self._add(("declared", name), f"as the game has it, {problem}")
                elif name in values and not isinstance(values[name], tuple):
                    self._played(name, setting)

    def _played(self, name: str, setting: Setting) -> None:
        """Report the first value of a constant with which the rules have errors."""
        settings = self.settings.declared.values()
        whole = sum(len(_spread(one.values)) for one in settings) <= MOST_WHOLE
        for value in _spread(setting.values):
            problem = self._problem({name: value}, whole=whole)
            if problem:
                self._add(
                    ("declared", name),
                    f"with {name}={override_text(value)} the game has an error: {problem}",
                    "mend the rules, or take the value out of its values",
                )
                return

    def _problem(self, values: Mapping[str, Constant], *, whole: bool) -> str:
        """Return the first error that the rules have with other values; nothing if there is none.

        Values that do not go together, as a requirement says, are none of a game.
        """
        rules = self.rules
        errors = rules.errors(values, whole=whole) if rules else []
        if not rules or not errors:
            return ""
        try:
            self.settings.check_together({**self._values(), **values})
        except CardwrightError:
            return ""
        return f"{errors[0].message} (line {rules.source.line_at(errors[0].span.start)})"

    def requires(self, found: Any) -> None:
        """Check conditions, which the unmodified game must meet."""
        self._conditions(
            "requires", found, lambda value: Settings(requires=(self.file.requirement(value),)),
            Settings.check_together,
        )  # fmt: skip

    def remarks(self, found: Any) -> None:
        """Check remarks: their conditions have to be conditions on the constants of the game."""
        self._conditions(
            "remarks", found, lambda value: Settings(remarks=(self.file.remark(value),)),
            Settings.remarks_on,
        )  # fmt: skip

    def scores(self, found: Any) -> None:
        """Check ranges of scores, whose conditions have to be such ones too."""
        self._conditions(
            "scores", found, lambda value: Settings(scores=(self.file.scores(value),)),
            Settings.scores_with,
        )  # fmt: skip

    def _conditions(
        self,
        name: str,
        found: Any,
        read: Callable[[object], Settings],
        evaluate: Callable[[Settings, Mapping[str, Constant]], object],
    ) -> None:
        """Check a list of tables, each with a condition on the constants of the game."""
        if not isinstance(found, list):
            self._add((name,), f"{name} is not a list of tables: write [[{name}]]")
            return
        for at, value in enumerate(found):
            place = (name, at)
            one = self._tried(place, lambda: read(value))  # noqa: B023 - called at once
            if one is not None and self.program is not None:
                self._tried(place, lambda: evaluate(one, self._values()))  # noqa: B023

    def presets(self, table: Mapping[str, Any]) -> None:
        """Check presets: their constants, or the game that they name."""
        for name, value in table.items():
            place = ("presets", name)
            preset: Preset | None = self._tried(place, lambda: self.file.preset(name, value))  # noqa: B023
            if preset is None:
                continue
            if preset.game:
                self._tried(place, lambda: find(neighbour(self.game, preset.game)))  # noqa: B023
            else:
                self._preset(place, preset, len(table))

    def _preset(self, place: TomlPath, preset: Preset, number: int) -> None:
        """Check that a preset, one of a number, gives constants values that they can have."""
        good = True
        for constant, value in preset.declared.items():
            setting = self.settings.declared.get(constant)
            problem = setting.problem(value) if setting else ""
            good = self._is_declared(place, constant) and not problem and good
            if problem:
                self._add((*place, "declared", constant), f"{constant}: {problem}")
        whole = number <= MOST_WHOLE
        problem = self._problem(preset.declared, whole=whole) if good else ""
        if problem:
            self._add(place, f"with this preset the game has an error: {problem}")

    def words(self, table: Mapping[str, Any]) -> None:
        """Check the words for people: that they are phrases, for names that the rules use."""
        known = {"unit", *WORD_TABLES}
        for name, value in table.items():
            if name not in known:
                message = f"there is no table or field {name!r} here"
                self._add(("words", name), message, _advice(name, known), near(name, sorted(known)))
            elif name == "unit":
                self._tried(("words", name), lambda: self.file.words({"unit": value}))  # noqa: B023
            else:
                self._phrases(name, self._tried(("words", name), lambda: self._told(table, name)))  # noqa: B023

    def _phrases(self, name: str, table: Mapping[str, Any] | None) -> None:
        """Check a table of words."""
        check = None if self.program is None else WordsCheck(self.program)
        for key, value in (table or {}).items():
            place = ("words", name, key)
            text = self._tried(place, lambda: self.file.phrase(name, key, value))  # noqa: B023
            for wrong in check.wrong(name, key, text) if check and text is not None else ():
                self._add(place, wrong.message, wrong.advice)

    def _told(self, table: Mapping[str, Any], name: str) -> dict[str, Any]:
        return self.file.table(table, name, "words.")

    def _is_declared(self, place: TomlPath, name: str) -> bool:
        """Report a constant that the game does not declare."""
        if self.program is None or name in (names := [one.name for one in self.program.declared]):
            return True
        message = f"the game declares no constant {name}"
        meant = near(name, sorted(names)) if place[-1] == name else None
        self._add(place, message, _advice(name, names), meant)
        return False

    def _values(self) -> dict[str, Constant]:
        found = () if self.program is None else self.program.declared
        return {one.name: one.value for one in found if one.value is not None}

    def _tried(self, place: TomlPath, read: Callable[[], Any]) -> Any:
        """Return what is read; None if it is wrong, which is reported."""
        try:
            return read()
        except CardwrightError as error:
            self._add(place, str(error).removeprefix(f"{self.file.name}: "))
            return None

    def _add(
        self, place: TomlPath, message: str, advice: str = "", meant: str | None = None
    ) -> None:
        """Report a mistake at a place; `meant` is what should stand there, if that is known."""
        span = self.places.name(place)
        edits = rewritten(span, meant)
        self.report.add(Code.BAD_SETTINGS, span, message, help=advice, edits=edits)


def _advice(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return did_you_mean(name, names) or (f"there are {', '.join(names)}" if names else "")


def told_span(source: Source, message: str) -> Span:
    """Return the place named in an error of the TOML reader; else the end."""
    found = re.search(r"line (\d+), column (\d+)", message)
    if found is None:
        return Span(len(source.text), len(source.text))
    line, column = map(int, found.groups())
    start = sum(map(len, source.text.splitlines(keepends=True)[: line - 1])) + column - 1
    return Span(start, min(start + 1, len(source.text)))
