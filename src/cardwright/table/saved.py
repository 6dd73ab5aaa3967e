"""Saved games: a file from which a game can be resumed, and which `replay` shows.

It is JSON. A game is its rules, its seed and the choices; the events are there for people who read
the file, and are ignored otherwise.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.arena.plan import ChangedGameError, GameRef
from cardwright.game.errors import CardwrightError
from cardwright.jobs.files import write_whole
from cardwright.syntax.data_files import parse_json, read_bytes
from cardwright.table.setup import HUMAN, RulesText, TableSetup

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardwright.game.game import Game
    from cardwright.table.account import Event

FORMAT = "cardwright game"
VERSION = 1
_HEAD = 4096


class SavedGameError(CardwrightError):
    """A file without a game that can be resumed; the message says why."""


@dataclass(frozen=True)
class Saved:
    """The contents of a file: the setup, and the choices made so far."""

    setup: TableSetup
    choices: tuple[int, ...]


def is_saved(path: Path) -> bool:
    """Say whether a file looks like a saved game, even a broken one: rules begin differently."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(_HEAD).lstrip().startswith(b"{")
    except OSError:
        return False


def write_saved(
    path: Path,
    setup: TableSetup,
    choices: Sequence[int],
    events: Sequence[Event],
    scores: tuple[int, ...] | None,
) -> None:
    """Write a game atomically: an older file stays intact until the new one is complete.

    `scores` are the final ones, None while the game is in progress. Raises CardwrightError if the
    file cannot be written, or exists and is not a saved game.
    """
    if path.exists() and not is_saved(path):
        raise SavedGameError(f"{path} exists and is not a saved game: name another file")
    write_whole(path, saved_bytes(setup, choices, events, scores))


def saved_bytes(
    setup: TableSetup,
    choices: Sequence[int],
    events: Sequence[Event],
    scores: Sequence[int] | None,
) -> bytes:
    """Return the contents of the file of a game; `scores` are the final ones, None before the end.

    Raises SavedGameError for a game whose rules are in no file.
    """
    data = {
        "format": FORMAT,
        "version": VERSION,
        "cardwright": __version__,
        "results_version": RESULTS_VERSION,
        "game": _ref(setup).data(),
        "seed": str(setup.seed),
        "players": setup.players,
        "names": [seat.name for seat in setup.seats],
        "practice": setup.practice,
        "hint": setup.hint,
        "finished": scores is not None,
        "scores": scores,
        "choices": " ".join(map(str, choices)),
        "events": [
            {"seat": event.seat, "words": event.words, "changes": event.told} for event in events
        ],
    }
    return json.dumps(data, indent=1, ensure_ascii=False).encode() + b"\n"


def _ref(setup: TableSetup) -> GameRef:
    """Return which game it is; raises SavedGameError for one whose rules are not in a file."""
    if isinstance(setup.game, RulesText):
        raise SavedGameError("a game whose rules are in no file cannot be saved")
    return setup.game


def rules_of(setup: TableSetup) -> Game:
    """Load the game of a setup; raises SavedGameError if its rules have changed."""
    ref = _ref(setup)
    try:
        return ref.load()
    except ChangedGameError:
        raise SavedGameError(
            f"the rules of {ref.name} have changed since the game was saved (their digest was "
            f"{ref.digest[:12]}): bring the old rules back to go on with it"
        ) from None


def read_saved(path: Path) -> Saved:
    """Read a saved game; raises SavedGameError for a file that is not one, or is damaged.

    Whether its rules are unchanged is checked when the game is loaded.
    """
    return saved_of(_parsed(path), str(path))


def saved_of(data: object, path: str) -> Saved:
    """Return the saved game in the parsed content of a file, which messages call `path`.

    Raises SavedGameError like `read_saved`.
    """
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise SavedGameError(f"{path} is not a saved game: `cardwright play GAME` makes such files")
    if data.get("version") != VERSION:
        raise SavedGameError(
            f"{path} is a saved game of version {data.get('version')!r}; this Cardwright reads "
            f"version {VERSION}: take the one that wrote it"
        )
    if (results := data.get("results_version", 1)) != RESULTS_VERSION:
        raise SavedGameError(
            f"{path} has results of version {results!r}, and this Cardwright version "
            f"{RESULTS_VERSION}: from the same seed it plays another game, so this one cannot go "
            f"on here; take Cardwright {data.get('cardwright')}, which wrote it"
        )
    try:
        return _of_data(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SavedGameError(
            f"{path} is a damaged saved game ({type(error).__name__}: {error}); without a copy of "
            "it the game cannot go on"
        ) from None


def _parsed(path: Path) -> Any:
    try:
        content = read_bytes(path)
    except OSError as error:
        raise SavedGameError(f"{path} cannot be read: {error.strerror or error}") from None
    try:
        return parse_json(content)
    except ValueError as error:
        raise SavedGameError(
            f"{path} is not a saved game, or only a part of one: it is not JSON ({error})"
        ) from None


def _of_data(data: dict[str, Any]) -> Saved:
    ref = GameRef.of_data(data["game"])
    if not isinstance(ref.name, str) or not isinstance(ref.digest, str):
        raise TypeError("the game has no name")
    players = tuple(map(str, data["players"]))
    names = tuple(map(str, data.get("names") or [""] * len(players)))
    if not len(players) == len(names) == ref.players:
        raise ValueError("its players do not fit its seats")
    if HUMAN not in players and data.get("seat") is not None:
        raise ValueError("nobody sits at its seat")
    seed = int(data["seed"])
    if not 0 <= seed < 2**64:
        raise ValueError("its seed is out of range")
    setup = TableSetup.of_players(
        ref, seed, players, names, practice=bool(data["practice"]), hint=str(data["hint"])
    )
    choices = tuple(map(int, data["choices"].split()))
    if any(choice < 0 for choice in choices):
        raise ValueError("a choice is below 0")
    return Saved(setup, choices)
