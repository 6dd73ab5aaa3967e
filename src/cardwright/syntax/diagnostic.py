"""What is wrong with a game file: diagnostics, their codes, and the list that collects them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from cardwright.syntax.source import Span
from cardwright.syntax.suggest import near

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Comment


class Severity(StrEnum):
    """How serious it is: an error stops the game from running; warnings and notes do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Code(Enum):
    """Every kind of diagnostic: its stable code and what it means in general.

    E1xx: characters and brackets. E2xx: the shape of forms. E3xx: kinds. E4xx: names and
    variables. E5xx: set-up and sizes. W6xx: warnings. N7xx: notes.
    """

    BAD_CHARACTER = ("E101", "a character or word that the language does not have")
    UNCLOSED = ("E102", "a bracket that is never closed")
    TOO_DEEP = ("E103", "brackets nested too deep")
    EMPTY_FILE = ("E104", "a file without a program")
    NO_GAME = ("E105", "a program that does not start with (game")
    UNREADABLE = ("E106", "a file that is not text, or too large")
    CLOSED_EARLY = ("E107", "a closing bracket too many, or an opening one that is missing")
    BAD_SETTINGS = ("E108", "a file NAME.toml beside a game that does not say what it should")

    UNKNOWN_FORM = ("E201", "a form that the language does not have")
    WRONG_SHAPE = ("E202", "a form with missing, misplaced or extra parts")
    MISPLACED = ("E203", "a form in a place where it is not allowed")
    MISSING_SECTION = ("E204", "a program without a section it needs")
    DOUBLED_SECTION = ("E205", "a section that occurs more than once")
    UNSUPPORTED = ("E206", "a word of a newer grammar that no engine supports")
    SECTION_ORDER = ("E207", "sections in the wrong order")
    OLDER_LANGUAGE = ("E208", "a file in RECYCLE of 2015 or 2016, which is older than what is read")

    WRONG_KIND = ("E301", "a value of one kind where another kind is needed")
    MIXED_COMPARISON = ("E302", "a comparison of two kinds")
    NUMBER_TOO_LARGE = ("E303", "a number that does not fit in 64 bits")

    UNBOUND = ("E401", "a variable that nothing binds here")
    UNKNOWN_DECLARED = ("E402", "an override of a constant that the game does not declare")
    BAD_OVERRIDE = ("E403", "an override of the wrong kind")
    UNKNOWN_DEFINITION = ("E404", "a use of something that is not defined")
    DOUBLED_DEFINITION = ("E405", "a name that is defined twice")
    RECURSIVE_DEFINITION = ("E406", "a definition that is part of itself")
    HIDDEN_CONSTANT = (
        "E407",
        "a definition or name used where a variable hides a constant in it",
    )
    UNKNOWN_SECRET = ("E408", "a secret that the set-up does not create")

    NOT_CONSTANT = ("E501", "a value that must be known before the game starts, and is not")
    PLAYER_COUNT = ("E502", "an impossible number of players")
    BAD_TEAMS = ("E503", "teams that do not divide the players")
    DECK_SIZE = ("E504", "a deck that is too large, or empty")
    BAD_DECK = ("E505", "a deck that is not written as attributes with values")

    TRAILING_TEXT = ("W601", "text after the end of the program; it is ignored")
    SHADOWING = ("W602", "a variable that hides another of the same name")
    ANY_AS_ALL = ("W603", "an `any` outside a choice; it does the same as `all`")
    UNKNOWN_KEY = ("W604", "an attribute that no card has")
    UNKNOWN_VALUE = ("W605", "an attribute value that no card has")
    NEVER_SET = ("W606", "a storage or location that is read but never filled")
    EMPTY_CHOICE = ("W607", "a choice that never has an option")
    ALWAYS_FAILS = ("W608", "an action that can only fail")
    UNUSED_DEFINITION = ("W609", "a definition, or a parameter of one, that is never used")
    NEVER_READ = ("W610", "a storage or location that is filled but never read; another is meant")
    NEVER_EQUAL = ("W611", "a name compared with a storage or variable that never holds it")
    UNUSED_VARIABLE = ("W612", "a variable or constant that nothing uses")
    COUNTED_FROM_0 = ("W613", "teams counted from 0, which makes all players count from 0")
    POINTLESS_ALLOW = ("W614", "a comment that should silence a message, and does not")
    LABEL_OUTSIDE = ("W615", "a label outside a choice, where it has no effect")
    PUBLIC_SECRET = ("W616", "a secret set in a choice to what all players see")
    QUEUED_INSIDE = ("W617", "a player queued in an inner stage, who is asked for outside of it")
    SHOWN_BY_MEMORY = ("W618", "a hidden card that is remembered, which shows it to everybody")
    UNSEEN_BY_TEAM = ("W619", "a team's `iloc`, whose cards nobody sees")

    MAY_BE_EMPTY = ("N701", "a choice that stops the game if its only branch gives no option")
    HIDDEN_CARD = ("N702", "options that depend on a card that the choosing player cannot see")
    EXTENSION = ("N703", "an extension of the language, which other engines do not have")

    def __init__(self, code: str, meaning: str) -> None:
        self.code = code
        self.meaning = meaning

    @property
    def severity(self) -> Severity:
        """The severity, which the first letter of the code gives."""
        return {"E": Severity.ERROR, "W": Severity.WARNING, "N": Severity.NOTE}[self.code[0]]


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that helps to understand a diagnostic."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A stretch of text, which may be empty, and what should stand in its place."""

    span: Span
    text: str


def rewritten(span: Span, text: str | None) -> tuple[Edit, ...]:
    """Return the edit that puts a text in the place of a span; none if there is no text."""
    return () if text is None else (Edit(span, text),)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing to say about one place of a game file.

    Where it is known what was meant, `edits` change the text into that; the message is gone once
    all of them are applied. With `guess` they are only one way of several.
    """

    code: Code
    span: Span
    message: str
    expected: str = ""
    help: str = ""
    related: tuple[Related, ...] = ()
    edits: tuple[Edit, ...] = ()
    guess: bool = False

    @property
    def severity(self) -> Severity:
        """The severity of its code."""
        return self.code.severity


MOST_ERRORS = 1_000
"""Most errors collected for one source: with more, it is not a game file, or nobody reads on."""

_LONGEST = 400
"""Longest text shown for a message, an expectation or a help, in characters."""


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


@dataclass
class Diagnostics:
    """The diagnostics of one source, in the order in which they are found."""

    source: Source
    found: list[Diagnostic] = field(default_factory=list)
    _errors: int = 0
    asked: int = 0
    """How often something was to be added, also where it was not."""
    _told: set[tuple[Code, tuple[int, int], str]] = field(default_factory=set)

    def add(
        self,
        code: Code,
        span: Span,
        message: str,
        *,
        expected: str = "",
        help: str = "",  # noqa: A002
        related: tuple[Related, ...] = (),
        edits: tuple[Edit, ...] = (),
        guess: bool = False,
    ) -> None:
        """Add a diagnostic; duplicates are dropped, and so is everything once the list is full.

        What is wrong with the text of a definition is told at its first use, which is named, and
        not again at others.
        """
        self.asked += 1
        if self.full:
            return
        told = (code, span.text, message)
        if span.via and told in self._told:
            return
        self._told.add(told)
        if span.via:
            related = (*related, *(Related(use, "used here") for use in reversed(span.via)))
        texts = (_cut(message), _cut(expected), _cut(help))
        self.take(Diagnostic(code, span, *texts, related, edits, guess))

    def take(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic of this source that was found elsewhere, as `add` does."""
        self.asked += 1
        if self.full or diagnostic in self.found[-20:]:
            return
        self._errors += diagnostic.severity is Severity.ERROR
        self.found.append(diagnostic)

    def amend(self, codes: Container[Code], **better: Any) -> None:
        """Replace some parts of the last diagnostic with one of these codes."""
        for at in reversed(range(len(self.found))):
            if self.found[at].code in codes:
                self.found[at] = replace(self.found[at], **better)
                return

    def of_code(self, code: Code) -> list[Diagnostic]:
        """Return the diagnostics with a code, in the order in which they were found."""
        return [item for item in self.found if item.code is code]

    def clear(self) -> None:
        """Take everything away, since one thing is to be said instead of all that."""
        self.found.clear()
        self._told.clear()
        self._errors = 0

    def drop(self, silenced: Iterable[Diagnostic]) -> None:
        """Take diagnostics away: they are allowed, or others say it better."""
        gone = set(map(id, silenced))
        self.found = [item for item in self.found if id(item) not in gone]
        self._errors = sum(item.severity is Severity.ERROR for item in self.found)

    @property
    def full(self) -> bool:
        """Whether the limit of errors is reached, so that looking for more is pointless."""
        return self._errors >= MOST_ERRORS

    def __iter__(self) -> Iterator[Diagnostic]:
        """Iterate in order of place."""
        return iter(sorted(self.found, key=lambda item: (item.span, item.code.code)))

    def __len__(self) -> int:
        return len(self.found)

    def __str__(self) -> str:
        """Return all as `cardwright check` prints them."""
        return "\n".join(render(item, self.source) for item in self)

    def of_severity(self, severity: Severity) -> list[Diagnostic]:
        """Return the diagnostics of one severity, in order of place."""
        return [item for item in self if item.severity is severity]

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors, in order of place."""
        return self.of_severity(Severity.ERROR)

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings, in order of place."""
        return self.of_severity(Severity.WARNING)

    @property
    def unfinished(self) -> bool:
        """Whether the text is a beginning that more text may complete."""
        return any(item.code is Code.UNCLOSED for item in self.found)


Style: TypeAlias = Callable[[str, str], str]
"""Decorates a text for a role: error, warning, note, place, help or caret."""


class RangeRecord(TypedDict):
    """A stretch of text as a JSON object; lines and columns count from 1."""

    line: int
    column: int
    end_line: int
    end_column: int


class EditRecord(RangeRecord):
    """One edit as a JSON object."""

    text: str


class DiagnosticRecord(TypedDict):
    """One diagnostic as a JSON object; the columns of CSV are in this order."""

    file: str
    code: str
    severity: str
    line: int
    column: int
    end_line: int
    end_column: int
    message: str
    expected: str
    help: str
    edits: list[EditRecord]


def record(diagnostic: Diagnostic, source: Source) -> DiagnosticRecord:
    """Return a diagnostic as a flat record."""
    return {
        "file": source.name,
        "code": diagnostic.code.code,
        "severity": str(diagnostic.severity),
        **range_record(diagnostic.span, source),
        "message": diagnostic.message,
        "expected": diagnostic.expected,
        "help": diagnostic.help,
        "edits": [
            {**range_record(edit.span, source), "text": edit.text} for edit in diagnostic.edits
        ],
    }


def range_record(span: Span, source: Source) -> RangeRecord:
    """Return from where to where a span goes, by lines and columns."""
    start, end = source.position(span.start), source.position(span.end)
    return {
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    }


def _plain(text: str, _role: str) -> str:
    return text


def render(diagnostic: Diagnostic, source: Source, style: Style = _plain) -> str:
    """Return a diagnostic as text: the place, the message, the line with a caret, and advice."""
    place = source.position(diagnostic.span.start)
    severity = str(diagnostic.severity)
    where = style(f"{source.name}:{place.line}:{place.column}:", "place")
    kind = style(f"{severity} {diagnostic.code.code}:", severity)
    lines = [f"{where} {kind} {diagnostic.message}"]
    lines += excerpt(diagnostic.span, source, style, severity)
    for word, text in (("expected:", diagnostic.expected), ("help:", diagnostic.help)):
        if text:
            lines.append(f"      {style(word, 'help')} {text}")
    for other in diagnostic.related:
        line = source.line_at(other.span.start)
        lines.append(f"      {style('see', 'help')} line {line}: {other.message}")
        lines += excerpt(other.span, source, style, "note")
    return "\n".join(lines)


def excerpt(span: Span, source: Source, paint: Style = _plain, role: str = "error") -> list[str]:
    """Return the line of a span, cropped around it if long, and a line of carets below it."""
    place = source.position(span.start)
    text = source.line(place.line)
    first = place.column - 1
    width = max(1, min(span.end, span.start - first + len(text)) - span.start)
    cut = max(0, first - 60)
    shown = text[cut : cut + 100]
    margin = "".join("\t" if char == "\t" else " " for char in text[cut:first])
    carets = "^" * max(1, min(width, cut + 100 - first))
    return [f"{place.line:5} | {shown}", f"      | {margin}{paint(carets, role)}"]


# Comments that silence one message in one place: `;; allow W606: the reason` -------------------

_ALLOW = re.compile(
    r";;+\s*allow\s+(?P<codes>[A-Za-z]\d{3}\b(?:\s*,\s*\w+)*)\s*(?::\s*(?P<reason>.*))?"
)

_KNOWN = {code.code: code for code in Code}

_EXAMPLE = "for example ;; allow W606: the next game of the series fills it"


def silence(report: Diagnostics, comments: Iterable[Comment], *, complete: bool) -> None:
    """Drop the messages that comments allow, and warn of comments that allow nothing.

    Unless the check is `complete`, what a comment is for may just not have been found.
    """
    for comment in comments:
        match = _ALLOW.fullmatch(comment.text)
        if match is None:
            continue
        if not (match["reason"] or "").strip():
            problem = "this does not say why"
            _warn(report, comment.span, problem, f"the reason comes after a colon: {_EXAMPLE}")
            continue
        for word in re.finditer(r"\w+", match["codes"]):
            start = comment.span.start + match.start("codes")
            span = Span(start + word.start(), start + word.end())
            code = _KNOWN.get(word[0])
            if code is None:
                meant = near(word[0], [name for name in _KNOWN if name[0] != "E"], 0.7)
                advice = f"did you mean {meant}?" if meant else ""
                _warn(report, span, f"there is no code {word[0]}", advice)
            elif code.severity is Severity.ERROR:
                _warn(report, span, f"{word[0]} is an error, which nothing can allow")
            elif code is Code.POINTLESS_ALLOW:
                _warn(report, span, f"{word[0]} cannot be allowed; take the comment away instead")
            elif silenced := _covered(report.source, comment, report.of_code(code)):
                report.drop(silenced)
            elif complete:
                _warn(report, span, f"there is no {word[0]} here", _WHERE)


_WHERE = "such a comment stands at the end of the line of the message, or on the line before it"


def _warn(report: Diagnostics, span: Span, message: str, advice: str = "") -> None:
    report.add(Code.POINTLESS_ALLOW, span, message, help=advice)


def _covered(source: Source, comment: Comment, listed: list[Diagnostic]) -> list[Diagnostic]:
    """Return the messages in the line that a comment is about.

    If there is none in the line itself, it is the nearest in the form of which the line is a part:
    the lines that are further right.
    """
    last = source.line_at(len(source.text))
    texts = {line: source.line(line) for line in range(1, last + 1)}
    indents = {
        line: len(text) - len(text.lstrip())
        for line, text in texts.items()
        if text.strip() and not text.lstrip().startswith(";;")
    }
    at = source.line_at(comment.span.start)
    if at in indents:  # upwards, the lines of which this one is a continuation
        lines = [at]
        for line in range(at - 1, 0, -1):
            if indents.get(line, math.inf) < indents[lines[-1]]:
                lines.append(line)
    else:
        below = [line for line in indents if line > at]
        lines = below[:1]
        lines += takewhile(lambda line: indents[line] > indents[below[0]], below[1:])
    of_line: dict[int, list[Diagnostic]] = {}
    for diagnostic in listed:
        of_line.setdefault(source.line_at(diagnostic.span.start), []).append(diagnostic)
    return next((of_line[line] for line in lines if line in of_line), [])
