"""Analyses: games, or variants of one, are played and reported on."""

from __future__ import annotations

import shutil
import weakref
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from cardwright.analysis import AnalysisError
from cardwright.arena.plan import check_member
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.seeds import drawn_seed
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import tried_spec
from cardwright.statistics.ties import TIES
from cardwright.study.games import StudiedGame, as_constant, distinct, names_of, studied
from cardwright.study.play import (
    PLAYER,
    RANDOM_GAMES,
    RECORDS,
    THINKING_GAMES,
    StudyGames,
    StudySettings,
    kept_seed,
    need_libraries,
    tell_nobody,
    workers_of,
)
from cardwright.study.report import AnalysisReport

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from cardwright.arena.plan import GameLike
    from cardwright.program.constants import Constant
    from cardwright.statistics.ties import Ties
    from cardwright.study.play import TellStudy

    Grid: TypeAlias = Mapping[str, Sequence[Constant]]


@dataclass(frozen=True)
class Combination:
    """Values that are varied, as `NAME=VALUE`, and why a game cannot be played with them."""

    words: str
    reason: str


def combinations(
    game: str, grid: Grid, overrides: Mapping[str, Constant], preset: str | None
) -> tuple[list[StudiedGame], list[Combination]]:
    """Return a game for each combination, in the order of the options, and those left out.

    The combination that changes nothing comes first, if it is there: others are compared with it.

    Combinations are left out that the facts of the game forbid, or with which its rules are
    invalid. A name that is not a constant of the game is an error in every combination: then the
    first is raised.
    """
    found, left, first = [], [], None
    for values in product(*grid.values()):
        chosen = dict(zip(grid, map(as_constant, values), strict=True))
        words = " ".join(f"{name}={override_text(value)}" for name, value in chosen.items())
        try:
            found.append(StudiedGame.of(game, {**overrides, **chosen}, preset, words))
        except CardwrightError as error:
            first = first or error
            left.append(Combination(words, str(error).split("\n", 1)[0]))
    if first is not None and not found:
        raise first
    return distinct(_usual_first(found, game, overrides, preset)), left


def _usual_first(
    variants: Sequence[StudiedGame],
    game: str,
    overrides: Mapping[str, Constant],
    preset: str | None,
) -> list[StudiedGame]:
    try:
        usual = StudiedGame.of(game, overrides, preset).ref.digest
    except CardwrightError:  # it cannot be played without what is varied
        return list(variants)
    return sorted(variants, key=lambda one: one.ref.digest != usual)


def analyze(
    game: GameLike | Iterable[GameLike],
    /,
    *,
    player: str = PLAYER,
    games: int = RANDOM_GAMES,
    ai_games: int = THINKING_GAMES,
    seed: int | None = None,
    ties: Ties = "shared",
    preset: str | None = None,
    declared: Mapping[str, Constant] | None = None,
    workers: int | None = 1,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: TellStudy | None = None,
) -> AnalysisReport:
    """Analyse a game, or several compared with the first: the command `cardwright analyze`.

    A game is a name of the library, perhaps with a preset as in `hearts:nomoon`, the path of a
    file, or a `Game`. `games` games are played at random, `ai_games` with the thinking `player` in
    the first seat, and as many with it in all. Without a `seed` one is drawn; the report
    has it. `ties` says how a shared win counts in order, fairness and all shares of wins: 1/k for
    each of k winners, or in full for each, as in published figures. `preset` and `declared` are for
    all games that are not loaded yet. `workers` processes play, None as many as there are
    processors: they change nothing but how long it takes.

    With a `folder` the games are kept there, and with `resume` one that was interrupted goes on.
    `progress` is told what is being done, how much of it is, and of how much.

    Raises MissingExtraError without the extra `arena`, PlanError and PlayerSpecError for what
    cannot be played, RecordsError for a folder in use, AnalysisError if no game came to its end,
    and what `Game.variant` does. KeyboardInterrupt leaves a folder that can be resumed.
    """
    need_libraries()
    chosen = studied(game, declared, preset)
    settings = _settings(player, games, ai_games, seed, folder, ties=ties, resume=resume)
    return _report(
        chosen, settings, folder,
        heading=names_of(chosen), workers=workers, resume=resume, progress=progress,
    )  # fmt: skip


def analyze_variants(
    game: str | Path,
    vary: Mapping[str, Sequence[Constant]],
    /,
    *,
    player: str = PLAYER,
    games: int = RANDOM_GAMES,
    ai_games: int = THINKING_GAMES,
    seed: int | None = None,
    ties: Ties = "shared",
    preset: str | None = None,
    declared: Mapping[str, Constant] | None = None,
    workers: int | None = 1,
    folder: str | Path | None = None,
    resume: bool = False,
    progress: TellStudy | None = None,
) -> AnalysisReport:
    """Compare variants of a game by its options: the command `cardwright variants`.

    `vary` has the values of some declared constants; all their combinations are played, and
    compared with the one that changes nothing, or the first if there is none such. Those that
    cannot be played are in the report's `left_out`, with reasons. All else is as for `analyze`; if
    there is no combination that can be played, the error of the first is raised.
    """
    need_libraries()
    both = sorted(set(vary) & set(declared or {}))
    if both:
        raise AnalysisError(f"{both[0]} is set and varied: do one of the two")
    if not vary or not all(vary.values()):
        raise AnalysisError("nothing is varied: give the values of a constant, two or more")
    chosen, left = combinations(str(game), vary, declared or {}, preset)
    settings = _settings(player, games, ai_games, seed, folder, ties=ties, resume=resume)
    return _report(
        chosen, settings, folder,
        heading=variants_heading(str(game), preset),
        left_out=tuple((one.words, one.reason) for one in left),
        workers=workers, resume=resume, progress=progress,
    )  # fmt: skip


def variants_heading(game: str, preset: str | None) -> str:
    """Return the heading of a report on variants of a game."""
    return f"Variants of {game}" + (f":{preset}" if preset else "")


def _settings(
    player: str,
    games: int,
    ai_games: int,
    seed: int | None,
    folder: str | Path | None,
    *,
    ties: Ties,
    resume: bool,
) -> StudySettings:
    """Return what is to be played: from the seed given, that of the games to resume, or any."""
    check_member("ties", ties, TIES)
    if seed is None and resume and folder is not None:
        seed = kept_seed(Path(folder))
    seed = drawn_seed() if seed is None else seed
    spec = str(tried_spec(str(player), FULL_TRUST))
    return StudySettings(seed, spec, games, ai_games, ties)


def _report(
    chosen: Sequence[StudiedGame],
    settings: StudySettings,
    folder: str | Path | None,
    *,
    heading: str,
    left_out: tuple[tuple[str, str], ...] = (),
    workers: int | None,
    resume: bool,
    progress: TellStudy | None,
) -> AnalysisReport:
    """Play all games; without a folder they are kept in one that is removed with the report."""
    for one in chosen:
        settings.plan(one)  # raises before anything is written
    kept = folder is not None
    out = Path(mkdtemp(prefix="cardwright-") if folder is None else folder)
    if kept and not resume:
        _check_unused(out)
    play = StudyGames(
        settings, out, workers_of(workers),
        threads=workers, resume=resume, tell=progress or tell_nobody,
    )  # fmt: skip
    try:
        subjects = tuple(map(play.play, chosen))
    except BaseException:
        if not kept:
            shutil.rmtree(out, ignore_errors=True)
        raise
    report = AnalysisReport(settings, tuple(chosen), subjects, out, heading, left_out, kept)
    if not kept:
        weakref.finalize(report, shutil.rmtree, out, ignore_errors=True)
    return report


def _check_unused(folder: Path) -> None:
    """Raise AnalysisError if the folder for a new analysis is not empty."""
    if (folder / RECORDS).is_dir():
        raise AnalysisError(
            f"there are games of an analysis in {folder}: resume it, or name another folder"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AnalysisError(f"{folder} is not empty: name another folder")
