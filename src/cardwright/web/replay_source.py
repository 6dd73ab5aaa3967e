"""Sources of replays: which game it was, who played, and all choices."""

from __future__ import annotations

import hashlib
import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.arena.plan import GameRef
from cardwright.game.find import library_names
from cardwright.jobs.files import RecordsError, write_whole
from cardwright.syntax.data_files import parse_json, read_bytes
from cardwright.table.saved import SavedGameError, saved_of
from cardwright.table.setup import HUMAN, RulesText
from cardwright.web.recently_used import RecentlyUsed
from cardwright.web.schema import complaint, fields, listed, nullable, text, whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.table.setup import TableSetup

MOST_CHOICES = 50_000
MOST_FRAMES = 64
"""Frames that are computed for a request at most."""

_UPLOADED = "the file"
_TEXT = text(200)
_GAME = fields(
    {
        "name": _TEXT, "players": whole(1, 64), "digest": _TEXT,
        "preset": nullable(_TEXT),
        "declared": {"type": "object", "additionalProperties": _TEXT},
        "base": nullable(whole(0, 1)), "engine": _TEXT,
    }
)  # fmt: skip
SAVED = {
    "type": "object",
    "properties": {
        "format": _TEXT, "version": {"type": "integer"}, "results_version": {"type": "integer"},
        "game": _GAME, "seed": text(20), "players": listed(_TEXT, 64),
        "names": listed(text(80), 64), "hint": _TEXT, "practice": {"type": "boolean"},
        "seat": nullable(whole(0, 63)), "choices": text(10 * MOST_CHOICES),
    },
    "required": ["format", "version", "game", "seed", "players", "practice", "hint", "choices"],
    "description": "the content of a file that `cardwright play` has saved",
}  # fmt: skip
"""What the file of a saved game has to be like; what else it has is ignored."""


@dataclass(frozen=True)
class ReplaySource:
    """A game that was played: its rules, the seed, all choices, and who played.

    `players` has the specs of the seats, `human` for a person, and `names` what they are called.
    `origin` says in words where the game is from.
    """

    rules: GameRef | RulesText
    seed: int
    choices: tuple[int, ...]
    players: tuple[str, ...]
    names: tuple[str, ...]
    origin: str

    @property
    def id(self) -> str:
        """A name that follows from the game: the same game has the same.

        Its seed makes it hard to guess, so that who knows it was told.
        """
        text_ = json.dumps([self.data(), "replay"], sort_keys=True)
        return hashlib.sha256(text_.encode()).hexdigest()[:32]

    @property
    def people(self) -> list[int]:
        """The seats of people."""
        return [seat for seat, spec in enumerate(self.players) if spec == HUMAN]

    def data(self) -> dict[str, Any]:
        """Return this as JSON can hold it."""
        return {
            "rules": self.rules.data(),
            "seed": str(self.seed),
            "choices": list(self.choices),
            "players": list(self.players),
            "names": list(self.names),
            "origin": self.origin,
        }

    @classmethod
    def of_data(cls, data: Any) -> ReplaySource:
        """Return the source from `data`; raises a Python error for anything else."""
        rules = data["rules"]
        return cls(
            (RulesText if "text" in rules else GameRef).of_data(rules),
            int(data["seed"]),
            tuple(map(int, data["choices"])),
            tuple(data["players"]),
            tuple(data["names"]),
            str(data["origin"]),
        )

    @classmethod
    def of_table(
        cls, setup: TableSetup, choices: Sequence[int], seats: Sequence[dict[str, Any]]
    ) -> ReplaySource:
        """Return the game at a table that is over; `seats` are those of its last scene."""
        players = tuple(seat["player"] or HUMAN for seat in seats)
        names = _names([seat["name"] for seat in seats], players)
        return cls(setup.game, setup.seed, tuple(choices), players, names, "played at a table here")

    @classmethod
    def of_file(cls, data: dict[str, Any]) -> ReplaySource:
        """Return the game in the content of a saved game's file, of which nothing is trusted.

        Raises SavedGameError with what is wrong with it. Only games of the library are accepted: a
        path would have this machine read a file.
        """
        if data.get("format") == "cardwright game" and (wrong := complaint(data, SAVED)):
            raise SavedGameError(
                f"{_UPLOADED} is a damaged saved game: {wrong.replace('the request', 'it')}"
            )
        saved = saved_of(data, _UPLOADED)
        setup, rules = saved.setup, saved.setup.game
        assert isinstance(rules, GameRef)
        if rules.name not in library_names():
            raise SavedGameError(
                f"{_UPLOADED} is a game by the rules in {rules.name!r}, which is not in the "
                "library: here only games of the library can be replayed; `cardwright replay` "
                "shows others"
            )
        if len(saved.choices) > MOST_CHOICES:
            raise SavedGameError(f"{_UPLOADED} has more than {MOST_CHOICES:,} moves")
        names = _names([seat.name for seat in setup.seats], setup.players)
        return cls(rules, setup.seed, saved.choices, setup.players, names, "a saved game")


def _names(names: Sequence[str], players: Sequence[str]) -> tuple[str, ...]:
    """Return names for all seats: who has none is called by what plays there, and its number."""
    kinds = ["Person" if spec == HUMAN else spec.partition(":")[0].title() for spec in players]
    return tuple(
        name or (kind if kinds.count(kind) == 1 else f"{kind} {seat}")
        for seat, (name, kind) in enumerate(zip(names, kinds, strict=True), 1)
    )


MOST = 2000
"""Replays that are kept; the ones that nobody has looked at for longest go first."""

_IN_MEMORY = 200
_ID = re.compile(r"[0-9a-f]{32}")


class ReplayStore:
    """Keeps replays by their ids, in a folder; without one, in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: RecentlyUsed[str, ReplaySource] = RecentlyUsed(
            MOST if folder is None else _IN_MEMORY
        )

    def keep(self, source: ReplaySource) -> str:
        """Keep a replay and return its id; raises RecordsError if it cannot be written."""
        name = source.id
        if self._folder is not None and not self._file(name).exists():
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._make_room(self._folder)
            except OSError as error:
                raise RecordsError(f"{self._folder}: {error.strerror or error}") from None
            write_whole(self._file(name), json.dumps(source.data()).encode())
        self._known.keep(name, source)
        return name

    def find(self, name: str) -> ReplaySource | None:
        """Return a replay; None if there is none of this id."""
        if not _ID.fullmatch(name):
            return None
        found = self._known.get(name)
        if found is None and self._folder is not None:
            with suppress(OSError, ValueError, KeyError, TypeError):  # as if it were not there
                found = ReplaySource.of_data(parse_json(read_bytes(self._file(name))))
                self._known.keep(name, found)
                self._file(name).touch()
        return found

    def _file(self, name: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{name}.json"

    @staticmethod
    def _make_room(folder: Path) -> None:
        files = sorted(folder.glob("*.json"), key=lambda file: file.stat().st_mtime)
        for file in files[: max(0, len(files) - MOST + 1)]:
            file.unlink(missing_ok=True)
