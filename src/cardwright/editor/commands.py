"""What an editor can have done with a game file: checked, played, simulated, drawn.

What plays games does so in a process of its own, with a copy of the text as the editor has it. So
typing goes on meanwhile, and the process can be ended at any time.
"""

from __future__ import annotations

import asyncio
import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol.types import CodeLens, Command, Position, Range

from cardwright.syntax.diagnostic import Severity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.editor.document import Document

CHECK, PLAY, SIMULATE, FLOW = (
    f"cardwright.{name}" for name in ("check", "play", "simulate", "flow")
)
GAMES = 1_000
"""Games of a simulation, unless the editor asks for another number."""

DRAWN_GAMES = 20
MOST_SECONDS = 120
"""Seconds after which a process that plays games is ended."""

PYTHON = (sys.executable, "-P", "-m")
"""How modules are run: with -P none is taken from the folder in which the editor happens to be."""

_MOST_OUTPUT = 16 * 2**20


def lenses(document: Document) -> list[CodeLens]:
    """Return the commands that an editor shows above a game, if it is one."""
    form = document.form
    if form is None or not form.starts_with("game"):
        return []
    start = document.lines.position(form.span.start)
    where = Range(start, Position(start.line, start.character + 1))
    titles = {
        CHECK: "check",
        PLAY: "play",
        SIMULATE: f"simulate {GAMES:,}",
        FLOW: "show the flow",
    }
    return [
        CodeLens(where, Command(title, command, arguments=[document.uri]))
        for command, title in titles.items()
    ]


def checked(document: Document) -> dict[str, Any]:
    """Return how many errors, warnings and notes there are, as numbers and in words."""
    report = document.diagnostics
    counts = {f"{severity}s": len(report.of_severity(severity)) for severity in Severity}
    told = {name if count != 1 else name[:-1]: count for name, count in counts.items() if count}
    parts = [f"{count} {name}" for name, count in told.items()]
    text = f"{document.source.name}: {', '.join(parts) or 'ok'}"
    return {"text": text, "ok": not report.errors, **counts}


def playing(document: Document) -> dict[str, Any]:
    """Return the command that plays the file in a terminal, as words and as one line."""
    path = path_of(document.uri)
    if path is None:
        return {"text": "save the file first: the game is played from it", "ok": False}
    command = [*PYTHON, "cardwright", "play", str(path)]
    line = " ".join(map(_quoted, command))
    return {"text": line, "ok": True, "command": command, "line": line}


def _quoted(word: str) -> str:
    return subprocess.list2cmdline([word]) if sys.platform == "win32" else shlex.quote(word)


def path_of(uri: str) -> Path | None:
    """Return the path of a file's URI; None if it is not one of a file on this machine."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return None
    return Path(url2pathname(unquote(parts.path)))


@dataclass(frozen=True)
class Worker:
    """The program that does some work with a game file, in a process of its own.

    It is given the name of the work, a file and a number, and prints a JSON object.
    """

    command: Sequence[str]

    async def work(self, name: str, document: Document, number: int) -> dict[str, Any]:
        """Return what a process prints about a game; cancelling this ends the process."""
        if not document.source.text.strip():
            return {"text": "there is no game in this file", "ok": False}
        with TemporaryDirectory(prefix="cardwright-") as folder:
            file = _copy(document, Path(folder))
            process = await asyncio.create_subprocess_exec(
                *self.command,
                name,
                str(file),
                str(number),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=_MOST_OUTPUT,
            )
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    output, trouble = await process.communicate()
            except TimeoutError:
                return {"text": f"stopped after {MOST_SECONDS} seconds", "ok": False}
            finally:
                if process.returncode is None:
                    process.kill()
                    await process.wait()
        return _outcome(output, trouble, str(file), document.source.name)


def _copy(document: Document, folder: Path) -> Path:
    """Write the text of a document, and the file beside it, into a folder."""
    file = folder / (Path(document.source.name).stem[:100] + ".rcy")
    file.write_text(document.text, encoding="utf-8", newline="")
    path = path_of(document.uri)
    beside = path.with_suffix(".toml") if path else None
    if beside is not None and beside.is_file():
        shutil.copyfile(beside, file.with_suffix(".toml"))
    return file


def _outcome(output: bytes, trouble: bytes, file: str, name: str) -> dict[str, Any]:
    """Return what a process printed, with the name of the file as its author knows it."""
    try:
        found = json.loads(output)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        last = trouble.decode(errors="replace").strip().rpartition("\n")[2]
        return {
            "text": f"{name}: the game could not be played: {last or 'out of time'}",
            "ok": False,
        }
    return {**found, "text": str(found.get("text", "")).replace(file, name)}
