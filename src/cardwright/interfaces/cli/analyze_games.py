"""The games that a command studies, with their names in reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.parameters import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cardwright.analysis.report.subject import Title
    from cardwright.arena.plan import GameRef
    from cardwright.game.game import Game
    from cardwright.program.constants import Constant


@dataclass(frozen=True)
class Asked:
    """A game to be studied: loaded, how to load it again, and how it is called."""

    game: Game
    ref: GameRef
    title: Title


def asked(
    text: str, overrides: Mapping[str, Constant], preset: str | None, name: str | None = None
) -> Asked:
    """Return the game that `GAME` or `GAME:PRESET` names, with some constants set.

    A preset after the colon is taken instead of `preset`. Raises what loading it may raise.
    """
    from cardwright.arena.plan import GameRef

    game, chosen = _parts(text)
    chosen = chosen or preset
    values = dict(overrides)
    loaded = load(game, values, preset=chosen)
    ref = GameRef(
        game, loaded.players, loaded.program.digest, chosen, tuple(values.items())
    )  # fmt: skip
    return Asked(loaded, ref, _title(loaded, ref, name))


def unlike(games: Sequence[Asked]) -> list[Asked]:
    """Return games with names and slugs that differ: the second of equal ones is numbered."""
    from cardwright.analysis.report.subject import names_once

    titles = names_once(one.title for one in games)
    return [replace(one, title=title) for one, title in zip(games, titles, strict=True)]


def _parts(text: str) -> tuple[str, str | None]:
    """Return the game and the preset; a colon may also be part of a path."""
    from cardwright.game.find import library_names

    game, colon, preset = text.rpartition(":")
    if not colon or Path(text).exists():
        return text, None
    if game in library_names() or Path(game).exists():
        return game, preset
    return text, None


def _title(game: Game, ref: GameRef, name: str | None) -> Title:
    from cardwright.analysis.report.subject import Title
    from cardwright.game.errors import override_text

    settings = {key: override_text(value) for key, value in ref.declared}
    shown = name or _shown(ref, settings)
    return Title(
        name=shown,
        slug=slug(shown),
        game=ref.name,
        players=game.players,
        highest_wins=game.highest_wins,
        digest=ref.digest,
        preset=ref.preset or "",
        settings=settings,
        trick_taking=_trick_taking(ref.name),
    )


def _shown(ref: GameRef, settings: Mapping[str, str]) -> str:
    stem = Path(ref.name).stem
    preset = f":{ref.preset}" if ref.preset else ""
    return " ".join([f"{stem}{preset}", *(f"{key}={value}" for key, value in settings.items())])


def slug(text: str) -> str:
    """Return a text as it can stand in names of files: letters, digits and single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "game"


def _trick_taking(name: str) -> bool | None:
    from cardwright.library import catalogue

    if name not in catalogue.names():
        return None
    return "trick-taking" in catalogue.facts(name).mechanics


def described(games: Iterable[Asked]) -> list[dict[str, object]]:
    """Return games as a manifest has them."""
    return [
        {
            "name": one.title.name,
            "folder": one.title.slug,
            "game": one.ref.name,
            "players": one.title.players,
            "preset": one.ref.preset,
            "set": dict(one.title.settings),
            "digest": one.ref.digest,
        }
        for one in games
    ]
