"""Checking the file NAME.toml beside a game: all its errors, each at its place.

`TomlPlaces` finds where the values of a TOML text stand, as the standard library's reader does not
keep it. `WordsCheck` compares words for people with the names that the rules use.
"""

from __future__ import annotations

import re
import tomllib
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardwright.compiler.layout import Names
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import find, neighbour
from cardwright.game.settings import LISTS, TABLES, File, Requirement, Setting, Settings
from cardwright.game.wording.naming import Namer
from cardwright.game.wording.phrases import (
    KNOWN,
    OWNER_SORTS,
    PASS,
    TO,
    WORD_TABLES,
    label_key,
    phrase,
    third,
)
from cardwright.program import nodes as n
from cardwright.program.check import ValueCheck
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.diagnostic import Code, Diagnostics, rewritten
from cardwright.syntax.source import Source, Span
from cardwright.syntax.suggest import did_you_mean, near

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from cardwright.game.settings import Values
    from cardwright.game.wording.phrases import Blank
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program

TomlPath: TypeAlias = "tuple[str | int, ...]"
"""The keys and indices that lead to a value."""

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[A-Za-z0-9_-]+")
_STRING = re.compile(
    r"""
    \"{3} (?:[^\\]|\\.)*? \"{3,5} | '{3} .*? '{3,5} | \" (?:[^"\\\n]|\\.)* \" | ' [^'\n]* '
    """,
    re.DOTALL | re.VERBOSE,
)
_BARE = re.compile(r"[^,\]}#\n]+")


class TomlPlaces:
    """The places of all values of a valid TOML text, and of the keys that name them.

    The key of a table is its whole header; `names` are the words in it.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: dict[TomlPath, Span] = {}
        self.keys: dict[TomlPath, Span] = {}
        self.names: dict[TomlPath, Span] = {}
        self._at = 0
        self._tables: dict[TomlPath, int] = {}
        """How many tables each array of tables has so far."""
        base: TomlPath = ()
        while self._next():
            if text[self._at] == "[":
                base = self._header()
            else:
                self._pair(base)

    def place(self, path: TomlPath) -> Span:
        """Return where a value stands, or else its key, or what it would stand in."""
        while path:
            if path in self.values:
                return self.values[path]
            if path in self.keys:
                return self.keys[path]
            path = path[:-1]
        return Span(0, 0)

    def key(self, path: TomlPath) -> Span:
        """Return where the key of a value stands."""
        return self.keys.get(path) or self.place(path)

    def name(self, path: TomlPath) -> Span:
        """Return where the name of a value or table stands, by itself."""
        return self.names.get(path) or self.key(path)

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self._at)
        assert match is not None
        self._at = match.end()
        return match[0]

    def _next(self) -> bool:
        """Go to the next thing that is neither blank nor a comment; return whether there is one."""
        self._take(_BLANK)
        return self._at < len(self.text)

    def _header(self) -> TomlPath:
        begun = self._at
        array = self.text.startswith("[[", begun)
        self._at += 2 if array else 1
        keys = self._dotted()
        self._next()
        self._at += 2 if array else 1
        path: TomlPath = ()
        for number, (key, span) in enumerate(keys):
            path = (*path, key)
            self.names.setdefault(path, span)
            if array and number == len(keys) - 1:
                self._tables[path] = self._tables.get(path, 0) + 1
            if path in self._tables:
                path = (*path, self._tables[path] - 1)
            self.keys.setdefault(path, Span(begun, self._at))
        return path

    def _dotted(self) -> list[tuple[str, Span]]:
        parts = []
        while True:
            self._next()
            begun = self._at
            raw = self._take(_KEY)
            parts.append((raw[1:-1] if raw[0] in "\"'" else raw, Span(begun, self._at)))
            self._next()
            if self.text[self._at] != ".":
                return parts
            self._at += 1

    def _pair(self, base: TomlPath) -> None:
        path = base
        for key, span in self._dotted():
            path = (*path, key)
            self.keys.setdefault(path, span)
        self._at += 1  # the sign of equality
        self._value(path)

    def _value(self, path: TomlPath) -> None:
        self._next()
        begun = self._at
        match self.text[begun]:
            case "[":
                for number in self._items("]"):
                    self._value((*path, number))
            case "{":
                for _ in self._items("}"):
                    self._pair(path)
            case '"' | "'":
                self._take(_STRING)
            case _:
                self._at = begun + len(self._take(_BARE).rstrip())
        self.values[path] = Span(begun, self._at)

    def _items(self, end: str) -> Iterator[int]:
        self._at += 1
        number = 0
        while self._next() and self.text[self._at] != end:
            if self.text[self._at] == ",":
                self._at += 1
            else:
                yield number
                number += 1
        self._at += 1


# Words ------------------------------------------------------------------------------------

_COMMENT = re.compile(r";.*")
_WORD = re.compile(r"(?<!')\b[A-Z][A-Za-z0-9_]*")

_BLANKS = {
    "cards": (),
    "texts": (),
    "places": ("",),
    "moves": ("", "at", "to", "from"),
    "labels": (),
    "choices": ("",),
    "changes": ("", "more"),
    "facts": ("",),
    "prompts": ("",),
}
"""The places for values that phrases of a table may have besides names of stored values."""

_DEEDS = ("moves", "labels", "choices")
"""The tables whose phrases begin with what somebody does."""

_THIRD = {third(verb): verb for verb in (*KNOWN, "have", "do")}
"""Verbs in the third person, and their usual forms."""


class RuleNames:
    """The names of one program: of places and stored values, its strings, cards and labels.

    A name that is computed may be any of its strings. `elsewhere` has the words of the file: with
    other values of constants rules may use what they do not use here. `labels` has how many values
    each label has.
    """

    def __init__(self, program: Program) -> None:
        nodes = program.nodes()
        self.elsewhere = frozenset(_WORD.findall(_COMMENT.sub("", program.source.text)))
        self.texts = frozenset(Names(program).texts) - {""}
        self.places = self._named(node.name for node in nodes if isinstance(node, n.Place))
        self.stored = self._named(node.name for node in nodes if isinstance(node, n.Storage))
        attributes = [*(card.attributes for card in program.cards), *program.absent]
        values = (value for named in attributes for value in named.values())
        self.cards = frozenset({*map(Namer(program).card, program.cards), *values})
        self.labels = {
            label_key(parts): sum(not isinstance(part, str) for part in parts)
            for _, parts in program.labels
        }

    def _named(self, forms: Iterable[n.Node]) -> frozenset[str]:
        names = set()
        for form in forms:
            if not isinstance(form, n.Text):
                return self.texts
            names.add(form.value)
        return frozenset(names)


class WrongWords(NamedTuple):
    """A mistake in the words of a game, and what to do about it."""

    message: str
    advice: str = ""


class WordsCheck:
    """Compares words with the rules of one game."""

    def __init__(self, program: Program) -> None:
        self._names = RuleNames(program)

    def wrong(self, table: str, key: str, text: str) -> Iterator[WrongWords]:
        """Yield what is wrong with the key and the phrase of an entry of a table."""
        yield from self._key(table, key)
        verb = text.split(" ", maxsplit=1)[0]
        if table in _DEEDS and verb in _THIRD:
            yield WrongWords(
                f"{verb} is not as it is with `you`: the others' form is made of that",
                f"write {_THIRD[verb]}",
            )
        for blank in phrase(text).blanks:
            yield from self._blank(table, key, blank)

    def _key(self, table: str, key: str) -> Iterator[WrongWords]:
        names = self._names
        places = key.split(TO)
        if table == "cards":
            yield from _known(key, names.cards, "card or value of an attribute")
        elif table == "texts":
            yield from self._used(key, names.texts, "string")
        elif table == "labels":
            yield from _known(key, names.labels, "label")
        elif table in {"places", "moves"} or (table == "prompts" and len(places) > 1):
            for place in [key] if table == "places" else places:
                yield from self._used(_unowned(place), names.places, "place")
        elif table == "prompts":
            every = {*names.places, *names.stored, *names.labels, PASS}
            yield from self._used(_unowned(key), every, "place, stored value or label")
        elif table != "choices" or key != PASS:
            name, blank, value = _unowned(key).partition(" ")
            yield from self._used(name, names.stored, "stored value")
            if blank and not value.removeprefix("-").isdecimal():
                yield from self._used(value, names.texts, "string")

    def _blank(self, table: str, key: str, blank: Blank) -> Iterator[WrongWords]:
        name, stored, allowed = blank.name, self._names.stored, _BLANKS[table]
        if name in allowed:
            return
        if table in {"cards", "texts", "places"}:
            have = "only {}" if allowed else "none"
            yield WrongWords(f"{{{name}}} is no value here: phrases for {table} have {have}")
        elif table == "labels" and name.isdecimal():
            values = self._names.labels.get(key, 0)
            if not 1 <= int(name) <= values:
                yield WrongWords(f"there is no value {{{name}}}: the label has {values}")
        elif blank.how in stored and name not in stored:
            yield WrongWords(
                f"{{{name}:{blank.how}}} names no stored value: after a colon stands a noun",
                f"write {{{blank.how}}}, which is the actor's or the table's",
            )
        else:
            yield from self._used(name, {*stored, *allowed}, "stored value")

    def _used(self, name: str, known: Collection[str], what: str) -> Iterator[WrongWords]:
        """Yield that the rules use no such name, with whatever values of their constants."""
        if name not in self._names.elsewhere:
            yield from _known(name, known, what)


def _unowned(key: str) -> str:
    """Return a key without the sort of owner before the name."""
    first, _, rest = key.partition(" ")
    return rest if first in OWNER_SORTS and rest else key


def _known(name: str, known: Collection[str], what: str) -> Iterator[WrongWords]:
    if name not in known:
        advice = did_you_mean(name, sorted(known))
        yield WrongWords(f"the rules have no {what} {name}", advice)


# Files ------------------------------------------------------------------------------------

MOST_TRIED = 10
"""Most values of a constant with which the rules are checked."""

MOST_WHOLE = 24
"""Most sets of values with which all of the rules is checked; else it is what is before play."""

_EVALUATED = {
    "requires": Settings.check_together,
    "remarks": Settings.remarks_on,
    "scores": Settings.scores_with,
}
"""What evaluates the conditions of each list of tables."""


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
        report.add(Code.BAD_SETTINGS, error_span(source, str(error)), f"this is not TOML: {error}")
        return report
    checker = _Checker(report, program, game, table)
    checker.names((), table, {*TABLES, *known})
    checker.declared(checker.table("declared"))
    for name in LISTS:
        checker.conditions(name, table.get(name, []))
    checker.presets(checker.table("presets"))
    checker.words(checker.table("words"))
    return report


def _spread(values: Values) -> Sequence[Constant]:
    """Return all of some values, or if they are many the first, the last and some between."""
    if len(values) <= MOST_TRIED:
        return values
    step = (len(values) - 1) / (MOST_TRIED - 1)
    return [values[round(at * step)] for at in range(MOST_TRIED)]


class _Checker:
    """Goes through the tables of one file."""

    def __init__(
        self, report: Diagnostics, program: Program | None, game: str, table: Mapping[str, Any]
    ) -> None:
        self._report = report
        self._file = File(report.source.name)
        self._game = game
        self._table = table
        self._places = TomlPlaces(report.source.text)
        self._rules = ValueCheck(program.source) if program else None
        self._words = WordsCheck(program) if program and table.get("words") else None
        constants = program.declared if program else ()
        self._declared = None if program is None else [known.name for known in constants]
        self._values = {known.name: known.value for known in constants if known.value is not None}
        self._settings = self._readable()

    def _readable(self) -> Settings:
        settings: dict[str, Setting] = {}
        declared, requires = self._table.get("declared"), self._table.get("requires")
        for name, value in declared.items() if isinstance(declared, dict) else ():
            with suppress(CardwrightError):
                settings[name] = self._file.setting(name, value)
        required: list[Requirement] = []
        for value in requires if isinstance(requires, list) else ():
            with suppress(CardwrightError):
                required.append(self._file.entry("requires", value))
        return Settings(settings, tuple(required))

    def names(self, place: TomlPath, table: Mapping[str, Any], known: set[str]) -> None:
        for key in table:
            if key not in known:
                message = f"there is no table or field {key!r} here"
                self._add((*place, key), message, _advice(key, known), near(key, sorted(known)))

    def table(self, key: str) -> dict[str, Any]:
        return self._tried((key,), partial(self._file.table, self._table, key)) or {}

    def declared(self, table: Mapping[str, Any]) -> None:
        for name, value in table.items():
            place = ("declared", name)
            setting = self._tried(place, partial(self._file.setting, name, value))
            if setting is None or not self._is_declared(place, name) or name not in self._values:
                continue
            own = self._values[name]
            problem = "" if setting.derived else setting.problem(own)
            if problem:
                self._add(place, f"as the game has it, {problem}")
            elif not isinstance(own, tuple):
                self._played(name, setting)

    def _played(self, name: str, setting: Setting) -> None:
        """Report the first value of a constant with which the rules have errors."""
        settings = self._settings.declared.values()
        whole = sum(len(_spread(known.values)) for known in settings) <= MOST_WHOLE
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
        rules = self._rules
        errors = rules.errors(values, whole=whole) if rules else []
        if not rules or not errors:
            return ""
        try:
            self._settings.check_together({**self._values, **values})
        except CardwrightError:
            return ""
        return f"{errors[0].message} (line {rules.source.line_at(errors[0].span.start)})"

    def conditions(self, name: str, entries: object) -> None:
        """Check a list of tables, each with a condition on the constants of the game.

        The unmodified game must meet those that it requires.
        """
        if not isinstance(entries, list):
            self._add((name,), f"{name} is not a list of tables: write [[{name}]]")
            return
        for at, value in enumerate(entries):
            entry = self._tried((name, at), partial(self._file.entry, name, value))
            if entry is not None and self._rules is not None:
                only: dict[str, Any] = {name: (entry,)}
                alone = replace(Settings(), **only)
                self._tried((name, at), partial(_EVALUATED[name], alone, self._values))

    def presets(self, table: Mapping[str, Any]) -> None:
        for name, value in table.items():
            place = ("presets", name)
            preset = self._tried(place, partial(self._file.preset, name, value))
            if preset is None:
                continue
            if preset.game:
                game = preset.game
                self._tried(place, lambda: find(neighbour(self._game, game)))  # noqa: B023
                continue
            good = True
            for constant, given in preset.declared.items():
                setting = self._settings.declared.get(constant)
                problem = setting.problem(given) if setting else ""
                good = self._is_declared(place, constant) and not problem and good
                if problem:
                    self._add((*place, "declared", constant), f"{constant}: {problem}")
            whole = len(table) <= MOST_WHOLE
            problem = self._problem(preset.declared, whole=whole) if good else ""
            if problem:
                self._add(place, f"with this preset the game has an error: {problem}")

    def words(self, table: Mapping[str, Any]) -> None:
        self.names(("words",), table, {"unit", *WORD_TABLES})
        for name in table:
            if name == "unit":
                self._tried(("words", name), partial(self._file.unit, table))
            elif name in WORD_TABLES:
                read = partial(self._file.table, table, name, "words.")
                for key, value in (self._tried(("words", name), read) or {}).items():
                    place = ("words", name, key)
                    text = self._tried(place, partial(self._file.phrase, name, key, value))
                    if self._words and text is not None:
                        for wrong in self._words.wrong(name, key, text):
                            self._add(place, wrong.message, wrong.advice)

    def _is_declared(self, place: TomlPath, name: str) -> bool:
        names = self._declared
        if names is None or name in names:
            return True
        message = f"the game declares no constant {name}"
        meant = near(name, sorted(names)) if place[-1] == name else None
        self._add(place, message, _advice(name, names), meant)
        return False

    def _tried(self, place: TomlPath, read: Callable[[], Any]) -> Any:
        """Return what is read; None if it is wrong, which is reported."""
        try:
            return read()
        except CardwrightError as error:
            self._add(place, str(error).removeprefix(f"{self._file.name}: "))
            return None

    def _add(
        self, place: TomlPath, message: str, advice: str = "", meant: str | None = None
    ) -> None:
        """Report a mistake at a place; `meant` is what should stand there, if that is known."""
        span = self._places.name(place)
        edits = rewritten(span, meant)
        self._report.add(Code.BAD_SETTINGS, span, message, help=advice, edits=edits)


def _advice(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return did_you_mean(name, names) or (f"there are {', '.join(names)}" if names else "")


def error_span(source: Source, message: str) -> Span:
    """Return the place named in an error of the TOML reader; else the end."""
    match = re.search(r"line (\d+), column (\d+)", message)
    if match is None:
        return Span(len(source.text), len(source.text))
    line, column = map(int, match.groups())
    start = sum(map(len, source.text.splitlines(keepends=True)[: line - 1])) + column - 1
    return Span(start, min(start + 1, len(source.text)))
