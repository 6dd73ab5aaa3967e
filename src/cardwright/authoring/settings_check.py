"""Checking the file NAME.toml beside a game: all its errors, each at its place.

`TomlPlaces` finds where the values of a TOML text stand, as the standard library's reader does not
keep it. `RuleNames` compares words for people with the names that the rules use.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.compiler.layout import Names
from cardwright.english import KNOWN_VERBS, listed, third
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import find, neighbour
from cardwright.game.settings import (
    LISTS,
    TABLES,
    WORD_PARTS,
    Settings,
    read_parts,
    results_with,
    settings_from,
)
from cardwright.game.wording.expressions import CONDITION, VALUE, FormError, WordForms
from cardwright.game.wording.naming import Namer, named_values
from cardwright.game.wording.phrases import (
    DISPLAYS,
    HAND,
    OWNER_SORTS,
    PASS,
    PILES,
    RESULTS,
    TO,
    WORD_TABLES,
    YOU_ALONE,
    GameWords,
    label_key,
    phrase,
)
from cardwright.program import nodes as n
from cardwright.program.check import ValueCheck
from cardwright.syntax.data_files import parse_toml
from cardwright.syntax.diagnostic import Code, Diagnostics, rewritten
from cardwright.syntax.source import Source, Span
from cardwright.syntax.suggest import did_you_mean, near

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cardwright.game.settings import Preset, Setting, TomlPath, Values
    from cardwright.game.wording.phrases import Blank, DisplayWords, HandWords, ResultWords
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program

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
            if span := self.values.get(path) or self.keys.get(path):
                return span
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

_VARIABLE = re.compile(r"'([A-Z][A-Za-z0-9_]*)")

_BLANKS = {
    "cards": (),
    "texts": (),
    "places": ("",),
    "notes": ("",),
    "moves": ("", "at", "to", "from"),
    "labels": (),
    "choices": ("",),
    "changes": ("", "more"),
    "facts": ("",),
    "prompts": ("",),
    "signs": (),
    "calls": (),
    PILES: (),
    RESULTS: (),
    DISPLAYS: (),
    HAND: ("",),
}
"""The places for values that phrases of a table may have besides names of stored values."""

_OF_FORMS = (
    "write it as in the rules, with the names of constants, and 'OWNER for the player or team"
)

_DEEDS = ("moves", "labels", "choices")
"""The tables whose phrases begin with what somebody does."""

_THIRD = {third(verb): verb for verb in (*KNOWN_VERBS, "have", "do")}
"""Verbs in the third person, and their usual forms."""


class WrongWords(NamedTuple):
    """A mistake in the words of a game, and what to do about it."""

    message: str
    advice: str = ""


class RuleNames:
    """The names of one program: of places and stored values, its strings, cards and labels.

    A name that is computed may be any of its strings. `labels` has how many values each label has.
    With other values of its constants, which `settings` allow, a program may have more names.
    """

    def __init__(self, program: Program, settings: Settings | None = None) -> None:
        nodes = program.nodes()
        self._program = program
        self._forms = WordForms(program)
        declared = settings.declared.values() if settings else ()
        given = (value for known in declared for value in known.values if isinstance(value, str))
        written = _WORD.findall(_COMMENT.sub("", program.source.text))
        self._elsewhere = frozenset({*written, *given})
        """The words of the file and of its settings: what rules may use with other constants."""
        self.texts = frozenset(Names(program).texts) - {""}
        constants = {known.name: known.value for known in program.declared}
        self._values: dict[str, Constant] = {
            name: value for name, value in constants.items() if value is not None
        } | named_values(program, program.table, {})
        self.places = self._named(node.name for node in nodes if isinstance(node, n.Place))
        self.stored = self._named(node.name for node in nodes if isinstance(node, n.Storage))
        attributes = [*(card.attributes for card in program.cards), *program.absent]
        values = (value for named in attributes for value in named.values())
        self.attributes = frozenset(key for named in attributes for key in named)
        maps = (node for node in nodes if isinstance(node, n.SetPoints))
        self.points = self._named(one.storage for one in maps)
        self.cards = frozenset({*map(Namer(program).card, program.cards), *values})
        self.labels = {
            label_key(parts): sum(not isinstance(part, str) for part in parts)
            for _, parts in program.labels
        }

    def _named(self, forms: Iterable[n.Node]) -> frozenset[str]:
        names = [form.value if isinstance(form, n.Text) else None for form in forms]
        return self.texts if None in names else frozenset(filter(None, names))

    def wrong_words(self, table: str, key: str, text: str) -> Iterator[WrongWords]:
        """Yield what is wrong with the key and the phrase of an entry of a table of words."""
        for name, known, what in self._in_key(table, key):
            yield from self._unknown(name, known, what)
        verb = text.split(" ", maxsplit=1)[0]
        if table in _DEEDS and verb in _THIRD:
            yield WrongWords(
                f"{verb} is not as it is with `you`: the others' form is made of that",
                f"write {_THIRD[verb]}",
            )
        for blank in phrase(text).blanks:
            yield from self._blank(table, key, blank)

    def wrong_result(self, words: ResultWords) -> Iterator[WrongWords]:
        """Yield what is wrong with the words for what a deal has brought."""
        for blank in phrase(words.text).blanks:
            yield from self._blank(RESULTS, "", blank)
        if words.by and words.by not in self.stored:
            yield from self._unknown(words.by, self.stored, "stored value")
        others = set(_VARIABLE.findall(words.condition)) - self._values.keys()
        if others and others <= self._elsewhere:
            return  # with other values of constants the rules store these too
        try:
            results_with(GameWords(results=(words,)), words.of, self._values)
        except CardwrightError as error:
            yield WrongWords(str(error))

    def wrong_display(self, words: DisplayWords) -> Iterator[WrongWords]:
        """Yield what is wrong with the words for what is shown at any moment."""
        computed = dict(words.values)
        for blank in phrase(words.text).blanks:
            if blank.name not in computed:
                yield from self._blank(DISPLAYS, "", blank)
        if words.sign and words.sign not in computed:
            yield from self._unknown(words.sign, self.stored, "stored value")
        if words.at:
            yield from self._unknown(_unowned(words.at), self.places, "place")
        forms = [(text, VALUE) for text in (*computed.values(), words.track, words.to)]
        program, own = self._program, words.of == YOU_ALONE
        owner = {"team": program.players, "game": program.table}.get(words.of, 0)
        for text, kind in (*forms, (words.condition, CONDITION)):
            if not text:
                continue
            try:
                self._forms.checked(text, kind, owner, own=own)
            except FormError as error:
                yield WrongWords(str(error), _OF_FORMS)

    def wrong_hand(self, words: HandWords) -> Iterator[WrongWords]:
        """Yield what is wrong with the words for how a hand is laid."""
        for blank in phrase(words.text).blanks:
            yield from self._blank(HAND, "", blank)
        for key in filter(None, (words.sets, words.suit if words.runs else "")):
            if key not in self.attributes:
                advice = did_you_mean(key, sorted(self.attributes))
                yield WrongWords(f"the cards have no attribute {key}", advice)
        for name in filter(None, (words.order, words.runs, words.cost)):
            yield from self._unknown(name, self.points, "point map of the table")

    def _in_key(self, table: str, key: str) -> Iterator[tuple[str, Collection[str], str]]:
        """Yield the names in a key, those that there are, and what they name."""
        places, plain = key.split(TO), _unowned(key)
        match table:
            case "cards":
                yield key, self.cards, "card or value of an attribute"
            case "texts":
                yield key, self.texts, "string"
            case "signs":
                yield key, self.texts | self.cards, "string"
            case "labels" | "calls":
                yield key, self.labels, "label"
            case "places" | "piles" | "notes":
                yield plain, self.places, "place"
            case "moves" | "prompts" if table == "moves" or len(places) > 1:
                yield from ((_unowned(place), self.places, "place") for place in places)
            case "prompts":
                known = {*self.places, *self.stored, *self.labels, PASS}
                yield plain, known, "place, stored value or label"
            case _ if table != "choices" or key != PASS:
                name, blank, value = plain.partition(" ")
                yield name, self.stored, "stored value"
                if blank and not value.removeprefix("-").isdecimal():
                    yield value, self.texts, "string"

    def _blank(self, table: str, key: str, blank: Blank) -> Iterator[WrongWords]:
        name, stored, allowed = blank.name, self.stored, _BLANKS[table]
        if name in allowed:
            return
        if table in {"cards", "texts", "places", "notes", "signs", HAND}:
            have = "only {}" if allowed else "none"
            yield WrongWords(f"{{{name}}} is not a value here: phrases for {table} have {have}")
        elif table in {"labels", "calls"} and name.isdecimal():
            values = self.labels.get(key, 0)
            if not 1 <= int(name) <= values:
                yield WrongWords(f"there is no value {{{name}}}: the label has {values}")
        elif blank.how in stored and name not in stored:
            yield WrongWords(
                f"{{{name}:{blank.how}}} names no stored value: after a colon stands a noun",
                f"write {{{blank.how}}}, which is the actor's or the table's",
            )
        else:
            yield from self._unknown(name, {*stored, *allowed}, "stored value")

    def _unknown(self, name: str, known: Collection[str], what: str) -> Iterator[WrongWords]:
        """Yield that the rules use no such name; cards and labels are as they are written."""
        whole = what.startswith(("card", "label"))
        if name not in known and (whole or name not in self._elsewhere):
            advice = did_you_mean(name, sorted(known))
            yield WrongWords(f"the rules have no {what} {name}", advice)


def _unowned(key: str) -> str:
    """Return a key without the sort of owner before the name."""
    first, _, rest = key.partition(" ")
    return rest if first in OWNER_SORTS and rest else key


# Files ------------------------------------------------------------------------------------

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
        report.add(Code.BAD_SETTINGS, error_span(source, str(error)), f"this is not TOML: {error}")
        return report
    _Checker(report, program, game, table).check({*TABLES, *known})
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
        self._game = game
        self._table = table
        self._places = TomlPlaces(report.source.text)
        self._parts = read_parts(table, self._add)
        self._settings = settings_from(self._parts)
        self._program = program
        self._rules = ValueCheck(program.source) if program else None
        constants = program.declared if program else ()
        self._values = {known.name: known.value for known in constants if known.value is not None}

    def check(self, known: Collection[str]) -> None:
        """Report what is wrong; `known` are the tables and fields that a file may have."""
        self._fields((), self._table, known)
        for name, setting in self._settings.declared.items():
            self._setting(name, setting)
        for name in LISTS if self._program else ():
            for at, entry in self._parts[name].items():
                alone: dict[str, Any] = {name: (entry,)}
                self._condition((name, at), Settings(**alone))
        for preset in self._settings.presets.values():
            self._preset(preset)
        words = self._table.get("words")
        if words and isinstance(words, dict):
            self._fields(("words",), words, WORD_PARTS)
            if self._program:
                self._words(RuleNames(self._program, self._settings))

    def _fields(self, place: TomlPath, table: Mapping[str, Any], known: Collection[str]) -> None:
        for key in table:
            if key not in known:
                message = f"there is no table or field {key!r} here"
                self._add((*place, key), message, _advice(key, known), near(key, sorted(known)))

    def _setting(self, name: str, setting: Setting) -> None:
        place = ("declared", name)
        if not self._is_declared(place, name) or name not in self._values:
            return
        own = self._values[name]
        if problem := "" if setting.derived else setting.problem(own):
            self._add(place, f"as the game has it, {problem}")
            return
        # The first value with which the rules have errors is told.
        settings = self._settings.declared.values()
        whole = sum(len(_spread(known.values)) for known in settings) <= MOST_WHOLE
        for value in () if isinstance(own, tuple) else _spread(setting.values):
            if problem := self._problem({name: value}, whole=whole):
                message = f"with {name}={override_text(value)} the game has an error: {problem}"
                self._add(place, message, "mend the rules, or take the value out of its values")
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

    def _condition(self, place: TomlPath, alone: Settings) -> None:
        """Check settings with one condition, which the unmodified game must meet if required."""
        try:
            alone.check_together(self._values)
            alone.remarks_on(self._values)
            alone.scores_with(self._values)
        except CardwrightError as error:
            self._add(place, str(error))

    def _preset(self, preset: Preset) -> None:
        place = ("presets", preset.name)
        if preset.game:
            try:
                find(neighbour(self._game, preset.game))
            except CardwrightError as error:
                self._add(place, str(error))
            return
        good = True
        for constant, given in preset.declared.items():
            setting = self._settings.declared.get(constant)
            problem = setting.problem(given) if setting else ""
            good = self._is_declared(place, constant) and not problem and good
            if problem:
                self._add((*place, "declared", constant), f"{constant}: {problem}")
        whole = len(self._parts["presets"]) <= MOST_WHOLE
        if good and (problem := self._problem(preset.declared, whole=whole)):
            self._add(place, f"with this preset the game has an error: {problem}")

    def _words(self, names: RuleNames) -> None:
        for table in WORD_TABLES:
            for key, text in self._parts[f"words.{table}"].items():
                for wrong in names.wrong_words(table, str(key), text):
                    self._add(("words", table, key), wrong.message, wrong.advice)
        for at, words in self._parts[f"words.{RESULTS}"].items():
            for wrong in names.wrong_result(words):
                self._add(("words", RESULTS, at), wrong.message, wrong.advice)
        for at, shown in self._parts[f"words.{DISPLAYS}"].items():
            for wrong in names.wrong_display(shown):
                self._add(("words", DISPLAYS, at), wrong.message, wrong.advice)
        for hand in self._parts[f"words.{HAND}"].values():
            for wrong in names.wrong_hand(hand):
                self._add(("words", HAND), wrong.message, wrong.advice)

    def _is_declared(self, place: TomlPath, name: str) -> bool:
        names = [known.name for known in self._program.declared] if self._program else [name]
        if name in names:
            return True
        message = f"the game declares no constant {name}"
        meant = near(name, sorted(names)) if place[-1] == name else None
        self._add(place, message, _advice(name, names), meant)
        return False

    def _add(
        self, place: TomlPath, message: str, advice: str = "", meant: str | None = None
    ) -> None:
        """Report a mistake at a place; `meant` is what should stand there, if that is known."""
        span = self._places.name(place)
        edits = rewritten(span, meant)
        self._report.add(Code.BAD_SETTINGS, span, message, help=advice, edits=edits)


def _advice(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    return did_you_mean(name, names) or (f"choose from {listed(names)}" if names else "")


def error_span(source: Source, message: str) -> Span:
    """Return the place named in an error of the TOML reader; else the end."""
    match = re.search(r"line (\d+), column (\d+)", message)
    if match is None:
        return Span(len(source.text), len(source.text))
    line, column = map(int, match.groups())
    start = sum(map(len, source.text.splitlines(keepends=True)[: line - 1])) + column - 1
    return Span(start, min(start + 1, len(source.text)))
