"""A console of Python in a page: what is typed is run, and answered, as Python's own does.

A line that begins with `cardwright` is a call of the command line.
"""

from __future__ import annotations

import ast
import json
import os
import shlex
import sys
import time
from code import InteractiveInterpreter
from contextlib import redirect_stderr, redirect_stdout, suppress
from io import StringIO, TextIOBase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cardwright
from cardwright.interfaces.cli.text import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Tell = Callable[[str, bool], Any]

PREFIX = "cardwright "

COMMANDS = (
    "cardwright.interfaces.cli.check",
    "cardwright.interfaces.cli.explain_diff",
    "cardwright.interfaces.cli.format",
    "cardwright.interfaces.cli.games",
    "cardwright.interfaces.cli.new",
    "cardwright.interfaces.cli.replay",
    "cardwright.interfaces.cli.show",
    "cardwright.interfaces.cli.simulate",
    "cardwright.interfaces.cli.test",
)
"""The modules of the commands that a page has: those that need only the rules."""

_ELSEWHERE = {
    "play": "games are played at the tables of this page: choose one under Games",
    "serve": "this page needs no server: its games and its studio are above",
    "publish": "this page is one: a page of your own is made in the terminal",
}
_OTHERS = "in a terminal there is more: this page has {}"

_MOST = 1 << 13
_WAIT = 0.05
"""Characters that are told at once, and seconds after which fewer are."""


class Console(InteractiveInterpreter):
    """A session, with its variables; `cardwright` is one of them."""

    def __init__(self) -> None:
        super().__init__({"__name__": "__main__", "__builtins__": __builtins__})
        self.locals["cardwright"] = cardwright
        self._begun = False

    def run(
        self, source: str, columns: int, files: Mapping[str, str], tell: Tell
    ) -> tuple[int, str]:
        """Run a text of one line or several, and tell what it writes, and whether as an error.

        `files` are written first; `columns` is the width of the page. Return 200 and, as JSON,
        whether the text wants more lines before it can be run.
        """
        os.environ["COLUMNS"] = str(columns)
        told = _Told(tell)
        before, sys.stdin = sys.stdin, StringIO()  # nobody can answer while a text runs
        try:
            with redirect_stdout(_Stream(told)), redirect_stderr(_Stream(told, bad=True)):
                for name, text in files.items():
                    Path(name).write_text(text, encoding="utf-8", newline="\n")
                more = self._run(source)
        finally:
            sys.stdin = before
        told.send()
        return 200, json.dumps(more)

    def showtraceback(self) -> None:
        """Write why a text has stopped, as Python does, and more where a page lacks something."""
        super().showtraceback()
        if isinstance(sys.last_value, ModuleNotFoundError):
            self.write("a page has a part of Cardwright; the rest is where it is installed\n")

    def _run(self, source: str) -> bool:
        if not self._begun:
            self._begun = True
            version = ".".join(map(str, sys.version_info[:3]))
            sys.stdout.write(
                f"Python {version}, Cardwright {cardwright.__version__}: `cardwright` is imported\n"
            )
        lines = source.split("\n")
        if lines[0].startswith(PREFIX):
            for line in lines:
                self._call(line)
            return False
        try:
            if self.compile(source, "<console>", "exec") is None:
                return True
            body = ast.parse(source).body
            if body and self._open(body[-1], lines):
                return True
            code = compile(ast.Interactive(body), "<console>", "single")
        except (OverflowError, SyntaxError, ValueError):
            self.showsyntaxerror("<console>")
            return False
        try:
            self.runcode(code)
        except SystemExit:
            complain("this page stays until you close it")
        return False

    def _open(self, last: ast.stmt, lines: list[str]) -> bool:
        """Return whether the last statement is a block, which an empty line ends."""
        first = min([last.lineno, *(one.lineno for one in getattr(last, "decorator_list", ()))])
        return self.compile("\n".join(lines[first - 1 :]), "<console>", "single") is None

    def _call(self, line: str) -> None:
        """Call the command line."""
        from cardwright.interfaces.cli.group import commands

        try:
            words = shlex.split(line, comments=True)[1:]
        except ValueError as error:
            complain(f"{line}: {error}")
            return
        known = [name.rpartition(".")[2].replace("_", "-") for name in COMMANDS]
        if not words or words[0] not in known:
            said = _ELSEWHERE.get(words[0] if words else "", _OTHERS.format(", ".join(known)))
            complain(said)
            return
        with suppress(SystemExit):
            commands(words, prog_name="cardwright")


class _Told:
    """What is told in parts: a loop that prints would send too many messages."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._parts: list[str] = []
        self._bad = False
        self._size = 0
        self._since = time.monotonic()

    def add(self, text: str, *, bad: bool) -> None:
        """Take more text, in order with that of the other stream."""
        if bad != self._bad:
            self.send()
            self._bad = bad
        self._parts.append(text)
        self._size += len(text)
        if self._size > _MOST or time.monotonic() - self._since > _WAIT:
            self.send()

    def send(self) -> None:
        """Tell what has not been told."""
        if self._parts:
            self._tell("".join(self._parts), self._bad)
        self._parts, self._size, self._since = [], 0, time.monotonic()


class _Stream(TextIOBase):
    def __init__(self, told: _Told, *, bad: bool = False) -> None:
        self._told = told
        self._bad = bad

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):  # click tries bytes, to see what a stream is
            raise TypeError("only text can be written here")
        self._told.add(text, bad=self._bad)
        return len(text)
