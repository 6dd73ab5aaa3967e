"""Files from elsewhere: read up to a limit, and JSON and TOML parsed so that any text ends well.

A file may be endless, a pipe, or a folder; a text may be nested so deeply, or have so large a
number, that what reads it later fails. All of that is an OSError or a ValueError here, whose
message says what and where.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import math
import os
import re
import stat
import tomllib
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from io import BufferedReader
    from pathlib import Path

MOST_BYTES = 64 << 20
"""Bytes of a file that are read, unless its reader says otherwise."""

MOST_DEPTH = 100
"""Lists and tables within each other that a text may have."""

MOST_DIGITS = 300
"""Digits that a number may have: so each fits a floating-point number."""

_NESTING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'|[\[\]{}]")
_LONG = re.compile(f"[0-9](?:_?[0-9]){{{MOST_DIGITS}}}")
_DOTTED = re.compile(
    r"(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|\"[^\"\n]*+\"|'[^'\n]*+')[ \t]*+\.[ \t]*+)"
    f"{{{MOST_DEPTH}}}"
)
"""A key of TOML of that many parts, which its reader takes very long for."""


class DataError(ValueError):
    """A text that is not the JSON of anything that is read here; the message says where."""


def open_regular(file: str | Path) -> BufferedReader:
    """Open a file to be read; raises OSError for anything that is not a regular file.

    Opening and reading it waits for nobody.
    """
    opened = open(file, "rb", opener=_at_once)  # noqa: SIM115 - for those who call this
    if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
        opened.close()
        raise OSError(
            errno.EINVAL, "it is not a regular file but a pipe, a socket or a device", str(file)
        )
    return opened


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_bytes(file: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return the content of a regular file of at most so many bytes; raises OSError."""
    with open_regular(file) as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it has more than {_size(most)}", str(file))
    return content


def read_text(file: str | Path, most: int = MOST_BYTES) -> str:
    """Return the text of a regular file in UTF-8, in which every line ends with a newline.

    Raises OSError, and UnicodeDecodeError.
    """
    text = read_bytes(file, most).decode("utf-8")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_regular(file: str | Path) -> None:
    """Raise OSError for anything but a regular file, before another library reads it."""
    open_regular(file).close()


def _size(count: int) -> str:
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:,} bytes"


def parse_json(content: str | bytes, *, strict: bool = False) -> Any:
    """Return what a JSON text says; raises DataError, with the place, for any other text.

    Others are also those with NaN, an infinity or half a character, and those that go beyond
    `MOST_DEPTH` or `MOST_DIGITS`; if it is `strict`, also those with a member twice.
    """
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(str(error)) from None
    hook = _members if strict else None
    parse = partial(json.loads, parse_constant=_no_number, object_pairs_hook=hook)
    value, wrong = _parsed(text, parse)
    numbers = (part for part, _ in _within(value) if isinstance(part, float))
    if not wrong and not all(map(math.isfinite, numbers)):
        wrong = "a number is too large"
    if not wrong:
        return value
    at = _place(text, wrong)
    raise DataError(wrong if at is None else f"{wrong}: line {at[0]} column {at[1]}")


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raises TOMLDecodeError, with the place, for any other.

    Others are also those that go beyond `MOST_DEPTH` or `MOST_DIGITS`.
    """
    tables: Any = None
    wrong = _TOO_MANY
    if not _DOTTED.search(text):
        tables, wrong = _parsed(text, tomllib.loads)
    if wrong:
        line, column = _place(text, wrong) or (1, 1)
        raise tomllib.TOMLDecodeError(f"{wrong} (at line {line}, column {column})")
    return dict(tables)


def _parsed(text: str, parse: Callable[[str], Any]) -> tuple[Any, str]:
    """Return what a text says, and what goes beyond the limits in it; nothing if nothing does."""
    try:
        value = parse(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        return None, _TOO_DEEP
    except ValueError as error:
        return None, _TOO_LONG if _LONG.search(text) else str(error)
    return value, _beyond(value)


_TOO_DEEP = f"it is nested more than {MOST_DEPTH} deep"
_TOO_LONG = f"a number has more than {MOST_DIGITS} digits"
_TOO_MANY = f"a name has more than {MOST_DEPTH} parts"
_MOST_NUMBER = 10**MOST_DIGITS


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number of JSON")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a member is there twice")
    return members


def _beyond(content: Any) -> str:
    for value, depth in _within(content):
        if depth > MOST_DEPTH:
            return _TOO_DEEP
        if isinstance(value, int) and not -_MOST_NUMBER < value < _MOST_NUMBER:
            return _TOO_LONG
        if isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                return "a text has half of a character (a lone surrogate)"
    return ""


def _within(content: Any) -> Iterator[tuple[Any, int]]:
    """Yield a value and all within it, keys too, with how deep each stands."""
    left = [(content, 0)]
    while left:
        value, depth = left.pop()
        yield value, depth
        if isinstance(value, dict):
            left += [(one, depth + 1) for one in value]
            left += [(one, depth + 1) for one in value.values()]
        elif isinstance(value, list):
            left += [(one, depth + 1) for one in value]
        if depth > MOST_DEPTH:
            return


def _place(text: str, wrong: str) -> tuple[int, int] | None:
    """Return line and column, from 1, of what goes beyond a limit; None if that is not known."""
    at: int | None = None
    if wrong == _TOO_DEEP:
        depth = 0
        for bracket in _NESTING.finditer(text):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(bracket[0], 0)
            if depth > MOST_DEPTH:
                at = bracket.start()
                break
    else:
        pattern = {_TOO_LONG: _LONG, _TOO_MANY: _DOTTED}.get(wrong)
        match = None if pattern is None else pattern.search(text)
        at = None if match is None else match.start()
    if at is None:
        return None
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


Cell = TypeVar("Cell")

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?(inf|nan)|[+-]", re.I)


def csv_text(columns: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """Return rows as CSV with a header; lines end with a line feed, None is an empty cell."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(map(safe_cell, columns))
    writer.writerows(map(safe_cell, row) for row in rows)
    return written.getvalue()


def safe_cell(cell: Cell) -> Cell | str:
    """Return a cell with an apostrophe before a text that a spreadsheet takes for a formula.

    That is one which begins with `=`, `+`, `-`, `@`, a tab or a carriage return, and is no number.
    """
    if isinstance(cell, str) and _FORMULA.match(cell) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
