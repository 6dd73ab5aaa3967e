"""Where the values of a TOML text stand; the standard library's reader does not keep it.

The text has been read by `tomllib` before, so it is valid; only its structure is followed here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from cardwright.syntax.source import Span

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


@dataclass
class TomlPlaces:
    """The places of all values of a text, and of the keys that name them.

    The key of a table is its whole header; `names` are the words in it.
    """

    text: str
    values: dict[TomlPath, Span] = field(default_factory=dict)
    keys: dict[TomlPath, Span] = field(default_factory=dict)
    names: dict[TomlPath, Span] = field(default_factory=dict)
    _at: int = 0
    _tables: dict[TomlPath, int] = field(default_factory=dict)
    """How many tables each array of tables has so far."""

    @classmethod
    def of(cls, text: str) -> TomlPlaces:
        """Return the places in a valid TOML text."""
        places = cls(text)
        places._document()
        return places

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

    def _document(self) -> None:
        base: TomlPath = ()
        while self._next():
            if self.text[self._at] == "[":
                base = self._header()
            else:
                self._pair(base)

    def _next(self) -> bool:
        """Go to the next thing that is neither blank nor a comment; return whether there is one."""
        blank = _BLANK.match(self.text, self._at)
        assert blank is not None
        self._at = blank.end()
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
        """Return the parts of a key, each with its place."""
        parts = []
        while True:
            self._next()
            found = _KEY.match(self.text, self._at)
            assert found is not None
            raw = found.group()
            name = raw[1:-1] if raw[0] in "\"'" else raw
            parts.append((name, Span(*found.span())))
            self._at = found.end()
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
        if self.text[begun] == "[":
            self._array(path)
        elif self.text[begun] == "{":
            self._inline(path)
        else:
            kind = _STRING if self.text[begun] in "\"'" else _BARE
            found = kind.match(self.text, begun)
            assert found is not None
            self._at = begun + len(found.group().rstrip())
        self.values[path] = Span(begun, self._at)

    def _array(self, path: TomlPath) -> None:
        self._at += 1
        number = 0
        while self._next() and self.text[self._at] != "]":
            if self.text[self._at] == ",":
                self._at += 1
                continue
            self._value((*path, number))
            number += 1
        self._at += 1

    def _inline(self, path: TomlPath) -> None:
        self._at += 1
        while self._next() and self.text[self._at] != "}":
            if self.text[self._at] == ",":
                self._at += 1
                continue
            self._pair(path)
        self._at += 1
