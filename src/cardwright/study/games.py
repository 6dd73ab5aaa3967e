"""The games of a study, with their names in reports."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.analysis.subject import Title, names_once
from cardwright.arena.plan import GameRef, PlanError, loaded
from cardwright.english import listed
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.library import catalogue
from cardwright.library.catalogue import people_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.arena.plan import GameLike
    from cardwright.program.constants import Constant


@dataclass(frozen=True)
class StudiedGame:
    """A game of a study: loaded, how to load it again, and its name."""

    game: Game
    ref: GameRef
    title: Title

    @classmethod
    def of(
        cls,
        text: str | Path,
        declared: Mapping[str, Constant] | None = None,
        preset: str | None = None,
        name: str | None = None,
    ) -> StudiedGame:
        """Return the game that `GAME` or `GAME:PRESET` names, with some constants set.

        A preset after the colon is taken instead of `preset`; `name` is what reports call the game.
        Raises what `Game.variant` does.
        """
        file, chosen = split_preset(str(text))
        chosen = chosen or preset
        values = {name: as_constant(value) for name, value in (declared or {}).items()}
        game = Game.variant(file, values, chosen)
        ref = GameRef(file, game.players, game.program.digest, chosen, tuple(values.items()))
        return cls(game, ref, _title(game, ref, name))

    @classmethod
    def of_ref(cls, ref: GameRef, name: str | None = None) -> StudiedGame:
        """Return the game of a plan; raises ChangedGameError if it is no longer the same."""
        game = loaded(ref)
        return cls(game, ref, _title(game, ref, name))

    @classmethod
    def of_game(cls, game: Game) -> StudiedGame:
        """Return a game that is loaded already.

        Raises PlanError if it cannot be loaded again, as workers have to: it was
        made from a text, or its file has changed.
        """
        ref = GameRef.of_game(game)
        try:
            ref.load()
        except CardwrightError as error:
            raise PlanError(
                f"the game {game.name} cannot be loaded again, as its players have to: {error}\n"
                "Save its rules in a file, and give the path of that"
            ) from None
        return cls(game, ref, _title(game, ref, None))


def studied(
    games: GameLike | Iterable[GameLike],
    declared: Mapping[str, Constant] | None = None,
    preset: str | None = None,
) -> list[StudiedGame]:
    """Return games with distinct names: given by texts or paths, or loaded.

    `declared` and `preset` are for all of them. Raises PlanError if there is no game, or if they
    are for one that is loaded, and what `Game.variant` does.
    """
    several = isinstance(games, Iterable) and not isinstance(games, str)
    listed: list[GameLike] = list(games) if several else [games]  # type: ignore[arg-type, list-item]
    if not listed:
        raise PlanError("a study needs a game")
    found = []
    for one in listed:
        if isinstance(one, Game):
            if declared or preset:
                raise PlanError(
                    f"{one.name} is loaded already: give its name or path to set its constants"
                )
            found.append(StudiedGame.of_game(one))
        else:
            found.append(StudiedGame.of(one, declared, preset))
    return distinct(found)


def as_constant(value: Any) -> Constant:
    """Return the value for a constant; a list counts as a tuple."""
    return tuple(value) if isinstance(value, list) else value


def names_of(games: Sequence[StudiedGame]) -> str:
    """Return the names of games for a heading: `leduc, agram and hearts`."""
    return listed([game.title.name for game in games])


def distinct(games: Sequence[StudiedGame]) -> list[StudiedGame]:
    """Return games with distinct slugs: the second of equal ones is numbered."""
    titles = names_once(game.title for game in games)
    return [replace(game, title=title) for game, title in zip(games, titles, strict=True)]


def _title(game: Game, ref: GameRef, name: str | None) -> Title:
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
        people=name or people_name(ref.name, ref.preset, settings),
    )


def _shown(ref: GameRef, settings: Mapping[str, str]) -> str:
    stem = Path(ref.name).stem
    preset = f":{ref.preset}" if ref.preset else ""
    return " ".join([f"{stem}{preset}", *(f"{key}={value}" for key, value in settings.items())])


def slug(text: str) -> str:
    """Return a text as used in file names: letters, digits and single hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "game"


def _trick_taking(name: str) -> bool | None:
    if name not in catalogue.names():
        return None
    return "trick-taking" in catalogue.facts(name).mechanics
