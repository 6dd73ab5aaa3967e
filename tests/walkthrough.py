"""A tutorial, followed from top to bottom by somebody who copies its blocks and does nothing else.

What a page asks for in so many words is done, in one folder that is empty at first:

- "Save this as `FILE`:" before a block saves it;
- "Add this at the end of `FILE`:" adds it there;
- "In `FILE`, replace" before a block, and "with" before the next, changes the one into the other,
  which must occur once; "Undo that change." takes it back;
- the commands of a `console` block are typed into a shell, one after the other, and what it shows
  of their output must come, in this order. A line `...` stands for any lines. Lines that begin with
  `> ` are typed at the prompts of the program, in a terminal. But for a deep run, commands of ours
  that ask nothing are given to this process.

Any other block must begin with `$ `: a command that is shown and not typed, as one that runs on.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import deep
import needed
from commands import called
from patience import PATIENCE

DOCS = Path(__file__).parents[1] / "docs"
_NAMES = ("play.md", "first-game.md", "bot-league.md")
FOLLOWED = tuple(DOCS / "tutorials" / name for name in _NAMES)
"""The pages that are followed; blocks of all others stand alone."""

FENCE = re.compile(r"^```(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ASKED = re.compile(
    r"(?P<save>Save this as) `(?P<saved>[^`]+)`[^`]*:$"
    r"|(?P<add>Add this at the end of) `(?P<added>[^`]+)`:$"
    r"|In `(?P<replaced>[^`]+)`, replace$"
    r"|(?P<new>^with)$"
)
UNDO = "Undo that change."
SMALLER = {"analyze": ("--ai-games", "2", "--workers", "1")}
"""What makes a command shorter, and changes nothing of what the pages show of it."""


class WrongPageError(AssertionError):
    """What a page asks for cannot be done, or does not come out as it says."""


@dataclass
class Follower:
    """Somebody at a terminal, in a folder, with a page."""

    folder: Path
    """Where the commands are typed; `cd` changes it."""

    binaries: Path
    """A folder for the command `cardwright`, outside of the other one."""

    status: int = 0
    typed: list[str] = field(default_factory=list)
    """The commands, as they were typed."""

    def __post_init__(self) -> None:
        self.binaries.mkdir(parents=True, exist_ok=True)
        script = self.binaries / "cardwright"
        script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cardwright "$@"\n')
        script.chmod(0o755)

    def follow(self, page: str) -> None:
        """Do what a page says. Raises WrongPageError where it does not come out."""
        end, old, before = 0, ("", ""), ("", "")
        for fence in FENCE.finditer(page):
            prose = page[end : fence.start()]
            asked = ASKED.search(" ".join(prose.strip().split("\n\n")[-1].split()))
            end, line = fence.end(), page.count("\n", 0, fence.start()) + 1
            try:
                if UNDO in prose:
                    self._write(*before)
                if fence[1] == "console":
                    self.console(fence[2])
                elif asked and asked["save"]:
                    self._write(asked["saved"], fence[2])
                elif asked and asked["add"]:
                    self._write(asked["added"], self._read(asked["added"]) + fence[2])
                elif asked and asked["replaced"]:
                    old = asked["replaced"], fence[2]
                elif asked and asked["new"] and old[0]:
                    before = old[0], self._read(old[0])
                    self._replace(*old, fence[2])
                    old = "", ""
                elif not fence[2].startswith("$ "):
                    raise WrongPageError("it is not said what this block is for")
            except WrongPageError as error:
                raise WrongPageError(f"line {line}: {error}") from None

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise WrongPageError(f"there is no file {name} here") from None

    def _write(self, name: str, text: str) -> None:
        if not (self.folder / name).parent.is_dir():
            raise WrongPageError(f"there is no folder for {name} here")
        (self.folder / name).write_text(text, encoding="utf-8")

    def _replace(self, name: str, old: str, new: str) -> None:
        text = self._read(name)
        if text.count(old) != 1:
            raise WrongPageError(f"{name} has {text.count(old)} times:\n{old}")
        self._write(name, text.replace(old, new))

    def console(self, text: str) -> None:
        """Type the commands of a block, and compare."""
        commands = re.split(r"^\$ ", text, flags=re.MULTILINE)
        if commands[0] or not commands[1:]:
            raise WrongPageError("the block does not begin with a command")
        for at, one in enumerate(commands[1:], 1):
            command, _, shown = one.partition("\n")
            after = commands[at + 1] if at + 1 < len(commands) else ""
            self._type(command, shown, fails=after.startswith("echo $?"))

    def _type(self, command: str, shown: str, *, fails: bool) -> None:
        self.typed.append(command)
        if command == "echo $?":
            said = f"{self.status}\n"
        elif command.startswith("cd "):
            self.folder = self.folder / shlex.split(command)[1]
            said = "" if self.folder.is_dir() else "no such folder\n"
        else:
            answers = re.findall(r"^> (.+)$", shown, re.MULTILINE)
            said = self._talk(command, answers) if answers else self._run(command)
            if not fails and self.status:
                raise WrongPageError(f"`{command}` ends with status {self.status}:\n{said}")
        if not _fits(shown, said):
            raise WrongPageError(f"`{command}` should say\n{shown}\nbut says\n{said}")

    def _environment(self) -> dict[str, str]:
        path = f"{self.binaries}{os.pathsep}{os.environ.get('PATH', '')}"
        plain = {"COLUMNS": "80", "PYTHONUTF8": "1", "NO_COLOR": "1", "TERM": "dumb"}
        return {**os.environ, **plain, "PATH": path}

    def _run(self, command: str) -> str:
        if not deep.asked and re.match(r"cardwright [^|;<>&$]*$", command):
            words = shlex.split(command, comments=True)[1:]
            result = called([*words, *SMALLER.get(words[0], ())], self.folder)
            self.status = result.exit_code
            return result.output
        done = subprocess.run(
            command,
            shell=True,
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env=self._environment(),
            encoding="utf-8",
            timeout=PATIENCE,
        )
        self.status = done.returncode
        return done.stdout

    def _talk(self, command: str, answers: list[str]) -> str:
        """Run a command in a terminal, and answer each of its prompts; return what stands there."""
        pexpect = needed.module("pexpect")
        child = pexpect.spawn(
            "/bin/sh",
            ["-c", command],
            cwd=str(self.folder),
            env=self._environment(),
            dimensions=(50, 200),
            encoding="utf-8",
            timeout=PATIENCE,
        )
        seen = ""
        try:
            for answer in answers:
                child.expect("\r\n> ")
                seen += child.before + "\n> "
                child.sendline(answer)
            child.expect(pexpect.EOF)
        except (pexpect.TIMEOUT, pexpect.EOF):
            seen += str(child.before)
            raise WrongPageError(f"`{command}` asks less, or more, than that:\n{seen}") from None
        finally:
            child.close(force=True)
        self.status = child.exitstatus or 0
        return str(seen + child.before)


def _fits(shown: str, said: str) -> bool:
    """Return whether an output is as shown; nothing shown says nothing."""
    lines = [line.rstrip() for line in shown.splitlines() if line.strip()]
    if not lines:
        return True
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n" for line in lines)
    found = "\n".join(line.rstrip() for line in said.splitlines() if line.strip()) + "\n"
    return re.fullmatch(pattern, found) is not None
