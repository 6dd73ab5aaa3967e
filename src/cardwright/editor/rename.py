"""Giving something another name, everywhere, if the game stays the same."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.editor.document import Document
from cardwright.program.setup import DEFAULT_BACK
from cardwright.program.symbols import Symbol, SymbolSort
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.program.symbols import NameIndex, Occurrence

_NAME = re.compile(r"[A-Z][A-Za-z0-9_]*")
_CALLED = {
    SymbolSort.CONSTANT: "a constant",
    SymbolSort.VARIABLE: "a variable",
    SymbolSort.DEFINITION: "a definition",
    SymbolSort.STORAGE: "a storage",
    SymbolSort.LOCATION: "a location",
    SymbolSort.ATTRIBUTE: "an attribute",
    SymbolSort.VALUE: "a string",
}


class RenameError(ValueError):
    """A name that cannot be given; the message says why."""


@dataclass(frozen=True)
class Renaming:
    """What to change: stretches of the game file, and of the file beside it that explains it."""

    spans: tuple[Span, ...]
    text: str
    facts: tuple[Span, ...] = ()
    """Where the file beside the game names a constant, without its apostrophe."""


@dataclass(frozen=True)
class _Request:
    """A symbol of a document, and the name that it shall have, as it is written."""

    document: Document
    symbol: Symbol
    name: str
    places: Sequence[Occurrence] = field(default=())

    @property
    def index(self) -> NameIndex:
        return self.document.names


def renamable(document: Document, offset: int) -> Occurrence:
    """Return the name at an offset; raises RenameError if there is none that can be changed."""
    found = document.names.at(offset)
    if found is None:
        raise RenameError("there is no name here that you gave")
    return found


def rename(document: Document, offset: int, name: str, facts: str | None = None) -> Renaming:
    """Return what to change so that what is named at an offset has another name.

    `facts` is the text of the file `NAME.toml` beside the game, if there is one. Raises RenameError
    if the name cannot be given, or the game would not be the same.
    """
    symbol = renamable(document, offset).symbol
    written = _written(symbol, name)
    asked = _Request(document, symbol, written, document.names.occurrences_of(symbol))
    if document.examined.checked.program is None:
        raise RenameError("mend the errors first: until then it is not known what every name means")
    if written == symbol.name:
        return Renaming((), written)
    _refuse_taken(asked)
    spans = tuple(place.span for place in asked.places)
    _refuse_changed(asked, edited(document.text, spans, written))
    return Renaming(spans, written, _in_facts(asked, facts or ""))


def edited(text: str, spans: Sequence[Span], written: str) -> str:
    """Return a text with something else in the places of some spans."""
    for span in sorted(spans, reverse=True):
        text = text[: span.start] + written + text[span.end :]
    return text


def _written(symbol: Symbol, name: str) -> str:
    """Return a name as it is written for a symbol; variables may be given without apostrophe."""
    is_variable = symbol.name.startswith("'")
    bare = name.strip().removeprefix("'") if is_variable else name.strip()
    if not _NAME.fullmatch(bare):
        what = "variables start with an apostrophe and" if is_variable else "names start with"
        raise RenameError(
            f"`{name}` is not a name: {what} a capital letter; letters, digits and _ may follow"
        )
    return f"'{bare}" if is_variable else bare


def _refuse_taken(asked: _Request) -> None:
    """Refuse the name of something else, from which it would not be told apart any more."""
    symbol = asked.symbol
    if symbol.name.startswith("'"):
        return
    if asked.name == DEFAULT_BACK and symbol.sort is SymbolSort.VALUE:
        raise RenameError(f"{DEFAULT_BACK} is the back of cards for which none is named")
    taken = asked.index.occurrences_of(Symbol(symbol.sort, asked.name, symbol.home))
    if taken:
        what = _CALLED[taken[0].symbol.sort]
        raise RenameError(f"{asked.name} is {what} already, in {_line(asked.document, taken[0])}")


def _refuse_changed(asked: _Request, text: str) -> None:
    """Refuse a name by which something would mean something else than before."""
    after = Document(asked.document.uri, text, encoding=asked.document.encoding)
    pairs = zip(asked.index.all, after.names.all, strict=False)
    known: dict[tuple[str, str], tuple[str, str]] = {}
    back: dict[tuple[str, str], tuple[str, str]] = {}
    for old, new in pairs:
        left, right = asked.index.key(old.symbol), after.names.key(new.symbol)
        if known.setdefault(left, right) != right or back.setdefault(right, left) != left:
            line = _line(asked.document, old)
            raise RenameError(f"{asked.name} means something else where it would stand in {line}")
    same_number = len(asked.index.all) == len(after.names.all)
    if not same_number or after.examined.checked.program is None:
        raise RenameError(f"{asked.name} cannot be told from something else here")


def _line(document: Document, place: Occurrence) -> str:
    return f"line {document.lines.position(place.span.start).line + 1}"


# The file beside the game -----------------------------------------------------------------------


def _in_facts(asked: _Request, facts: str) -> tuple[Span, ...]:
    """Return where the file beside the game names a constant; refuse values that it names."""
    if asked.symbol.sort is SymbolSort.CONSTANT:
        return tuple(_constants(facts, asked.symbol.name[1:]))
    if asked.symbol.sort is SymbolSort.VALUE and _named_as_value(facts, asked.symbol.name):
        raise RenameError(
            f"{asked.symbol.name} is also named in the .toml file beside the game: "
            "change it there by hand first"
        )
    return ()


def _constants(facts: str, name: str) -> Iterator[Span]:
    for match in re.finditer(rf"(?<![\w\"'-])(?:'?){name}(?=\s*=[^=])|(?<='){name}\b", facts):
        yield Span(match.start(), match.end())


def _named_as_value(facts: str, name: str) -> bool:
    """Return whether a list of values, a preset or a condition names a value."""
    quoted = f'"{name}"' in facts
    conditions = re.findall(r"^condition\s*=\s*(.*)$", facts, re.MULTILINE)
    return quoted or any(re.search(rf"(?<!['\w]){name}\b", line) for line in conditions)
