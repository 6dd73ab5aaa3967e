"""Trust: what a player that a text names may load, which depends on where the text comes from.

A text that a person has typed may name any file. One that was read from a file, or has come over a
network, names players that load nothing; anything more needs the person's word for this one run.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.players.parameter import PlayerSpecError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Loads(Enum):
    """What making a player of a kind loads."""

    NOTHING = "nothing"
    FILE = "a file that is only read"
    PROGRAM = "a program that is run"


class UntrustedPlayerError(PlayerSpecError):
    """A player from data that would load a file which nobody has allowed; the message says how."""

    wrong_call = False


@dataclass(frozen=True)
class Trust:
    """What players may load: with `everything` any file, and otherwise the files listed.

    `folder` is that of the data: files there may be read, though not run as programs. `files` and
    `folder` are resolved, so that no link leads out of them. `can_ask` says that the person can
    allow files with `--allow-file`.
    """

    everything: bool = False
    files: tuple[Path, ...] = ()
    folder: Path | None = None
    can_ask: bool = False

    def check(self, player: str, loads: Loads, file: str) -> None:
        """Raise UntrustedPlayerError if the player `player` may not load a file in this way."""
        if self.everything or loads is Loads.NOTHING:
            return
        path = resolved(file)
        if path in self.files:
            return
        inside = self.folder is not None and path.is_relative_to(self.folder)
        if loads is Loads.FILE and inside:
            return
        does = "run the program" if loads is Loads.PROGRAM else "read the file"
        said = (
            f"if you trust it, allow it for this run: --allow-file {shlex.quote(str(path))} "
            "(allow_files in Python)"
            if self.can_ask
            else "players that are named in data here load no files"
        )
        raise UntrustedPlayerError(
            f"the player {player} would {does} {path}; it is named in data, which may be from "
            f"somebody else: {said}"
        )


FULL_TRUST = Trust(everything=True)
"""For what a person has written into a command or a program of their own."""

NO_TRUST = Trust()
"""For data: players load nothing, and nobody is there to be asked."""


def trust_in(files: Iterable[str | Path] = (), folder: Path | None = None) -> Trust:
    """Return the trust in data of which a person has allowed these files to be loaded.

    Further files that are only read may be in `folder`, that of the data.
    """
    allowed = tuple(resolved(file) for file in files)
    return Trust(False, allowed, None if folder is None else resolved(folder), can_ask=True)


def resolved(file: str | Path) -> Path:
    """Return the path that a text leads to, without links; raises PlayerSpecError if none can."""
    try:
        return Path(file).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise PlayerSpecError(f"{str(file)!r:.80} is no path of a file: {error}") from None
