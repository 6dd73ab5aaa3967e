"""The standard streams, in whatever state: open, closed, full, or without a reader."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from collections.abc import Iterable


class _Messages:
    """The standard error, where a message that cannot be written is dropped.

    There is nowhere to report that, and the command's work and exit code matter more.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text, if that is possible."""
        with suppress(OSError):
            return self._stream.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write lines, if that is possible."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Flush what was written, if that is possible."""
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def prepare() -> None:
    """Make all three streams usable, so that no command has to check them.

    A closed stream acts like an empty one: nothing comes from it, and what is written is lost. The
    null device takes its file descriptor, which the next opened file would get otherwise.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(number)
    if sys.stdin is None:
        sys.stdin = TextIOWrapper(BufferedReader(FileIO(0, closefd=False)), "utf-8")
    for name, number in (("stdout", 1), ("stderr", 2)):
        if getattr(sys, name) is None:
            raw = FileIO(number, "w", closefd=False)
            setattr(sys, name, TextIOWrapper(BufferedWriter(raw), "utf-8"))
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
            if sys.platform == "win32" and not stream.isatty():
                # What goes to files and programs has the same bytes as elsewhere.
                stream.reconfigure(encoding="utf-8", newline="\n")
    sys.stderr = cast("TextIO", _Messages(sys.stderr))


def finish() -> OSError | None:
    """Flush all output; return the error, if any, after which the rest is dropped.

    A command that talks to a program may have closed its output when they said goodbye.
    """
    trouble = None
    try:
        if not sys.stdout.closed:
            sys.stdout.flush()
    except OSError as error:
        trouble = error
        sink(sys.stdout)
    sys.stderr.flush()
    return trouble


def sink(stream: TextIO) -> None:
    """Discard what is still to be written to a stream at the end of the process."""
    null = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(null, stream.fileno())
    os.close(null)
