"""The errors of games, for users to catch."""

from __future__ import annotations

import copyreg
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.english import counted
from cardwright.syntax.diagnostic import Code, render
from cardwright.syntax.source import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.interpreter.world import Fault
    from cardwright.program.check import Checked
    from cardwright.program.program import Program
    from cardwright.syntax.source import TextPosition

_LISTED = 200
"""Most choices that a message lists."""

_A_LINE = 40
"""Choices in a line of a file."""

_OVERRIDES = {Code.UNKNOWN_DECLARED, Code.BAD_OVERRIDE}
"""Codes of errors in a caller's values for constants, rather than in the file."""


class CardwrightError(Exception):
    """Any error that a game file, its options or its play can cause; the message is for people.

    `wrong_call` says that the request itself is invalid, whatever games, files and machines do: an
    unknown name, or values that are not possible. The command line has an exit code for that.
    """

    wrong_call = False

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle an error with its fields, whatever its class is made with."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class NotFoundError(CardwrightError):
    """There is no such game: neither in the library nor as a file."""

    wrong_call = True


class UnreadableFileError(CardwrightError, UnreadableError):
    """A game file that does not exist, which is a wrong call, or is not text."""


class GameFileError(CardwrightError):
    """A game file that cannot be played; `checked` holds all its diagnostics."""

    def __init__(self, checked: Checked) -> None:
        self.checked = checked
        errors = checked.diagnostics.errors
        self.wrong_call = all(error.code in _OVERRIDES for error in errors)
        super().__init__("\n".join(render(error, checked.source) for error in errors))


class NoPlainTextError(CardwrightError):
    """A game with an extension that plain RECYCLE cannot express; the message says where."""


class IllegalOptionError(CardwrightError):
    """An option that the state does not offer, or a move when none is due."""


class ChanceError(IllegalOptionError):
    """An outcome of chance that cannot be taken, or a draw that has to be taken first."""


class OptionTextError(IllegalOptionError):
    """A text that means no option or no card, or several options.

    `found` are the indices of the options that it could mean; none if it means nothing, and then
    `unknown` is the word that nothing here is called, if it is for one.
    """

    def __init__(self, message: str, found: Sequence[int] = (), unknown: str = "") -> None:
        super().__init__(message)
        self.found = tuple(found)
        self.unknown = unknown


class LocationTextError(CardwrightError):
    """A text that names no location."""


class UndoError(CardwrightError):
    """There is nothing to take back; the message says why."""


class UnreadablePickleError(CardwrightError):
    """A pickle of another version of Cardwright, or a damaged one."""


class GameError(CardwrightError):
    """A rule of the language that a game broke while it was played.

    `rule` is the rule's short name, `place` where in the source it was broken; `seed` and `choices`
    reproduce the error, as does `command`. `seed` is None for a state that was not started from
    one. If there are too many choices to read, they are in a file instead of the command:
    `choices_file` is its name, or empty if none is needed. The file exists once `keep_choices` has
    written it. `for_players` is the message without what would tell players the hidden cards.
    """

    def __init__(
        self, fault: Fault, program: Program, name: str, seed: int | None, choices: Sequence[int]
    ) -> None:
        source = program.source
        self.rule = fault.rule
        self.reason = fault.message
        self.place: TextPosition = source.position(fault.span.start)
        self.seed = seed
        self.choices = tuple(choices)
        self.choices_file = ""
        if seed is not None and len(choices) > _LISTED:
            self.choices_file = f"{file_stem(name)}-{seed}.choices"
        self.command = self._command(program, name)
        text = source.at(fault.span).split("\n", 1)[0]
        where = f"{source.name}:{self.place.line}:{self.place.column}"
        lines = [
            f"{where}: the game stopped ({self.rule}): {self.reason}",
            f"{self.place.line:5} | {text[:90]}",
        ]
        for use in reversed(fault.span.via):
            at = source.position(use.start)
            text = " ".join(source.at(use).split())
            lines.append(f"      used at {source.name}:{at.line}:{at.column}: {text[:60]}")
        self.for_players = "\n".join(lines)
        if self.choices_file:
            lines.append(
                f"      its seed is {seed}, and it has had {counted(len(choices), 'choice')}"
            )
        elif self.command:
            lines.append(f"      to see it again: {self.command}")
        super().__init__("\n".join(lines))

    def keep_choices(self) -> None:
        """Write the choices into the file that `command` names; raises OSError.

        A file of that name is overwritten: the same seed means the same game.
        """
        lines = (self.choices[at : at + _A_LINE] for at in range(0, len(self.choices), _A_LINE))
        text = ",\n".join(",".join(map(str, line)) for line in lines)
        Path(self.choices_file).write_text(f"{text}\n", encoding="ascii", newline="\n")

    def _command(self, program: Program, name: str) -> str:
        if self.seed is None:
            return ""
        words = ["cardwright", "replay", name, "--seed", str(self.seed)]
        if program.forced_base:
            words += ["--base", "zero" if program.base == 0 else "one"]
        if self.choices_file:
            words += ["--choices-file", self.choices_file]
        elif self.choices:
            words += ["--choices", ",".join(map(str, self.choices))]
        for declared in program.declared:
            if declared.value is not None and declared.value != declared.default:
                words += ["--set", f"{declared.name}={override_text(declared.value)}"]
        return shlex.join(words)


def file_stem(name: str) -> str:
    """Return the name of a game in a form with which a file name may begin."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", Path(name).stem).strip("-") or "game"


def override_text(value: object) -> str:
    """Return a constant in the syntax of `--set`."""
    match value:
        case bool():
            return "true" if value else "false"
        case range():
            return f"{value.start}..{value.stop - 1}"
        case tuple():
            return ",".join(value) if len(value) > 1 else f"({value[0]})"
    return str(value)


class NoRecordError(CardwrightError):
    """A determinised state has no record of what other seats saw than the one it was made for."""


class EngineError(CardwrightError):
    """A name of no engine, or an engine that cannot play here."""
