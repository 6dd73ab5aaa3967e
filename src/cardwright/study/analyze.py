"""Analyses: games, or variants of one, are played and reported on."""

from __future__ import annotations

import shutil
import weakref
from itertools import product
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, TypedDict, Unpack

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
    StudySettings,
    kept_seed,
    need_libraries,
    play_games,
    tell_nobody,
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


class AnalysisSettings(TypedDict, total=False):
    """What is played of every game, and where it is kept.

    `games` games are played at random, `ai_games` with the thinking `player` in the first seat, and
    as many with it in all. Without a `seed` one is drawn; the report has it. `ties` says how a
    shared win counts in order, fairness and all shares of wins: 1/k for each of k winners, or in
    full for each, as in published figures. `workers` processes play, None as many as there are
    processors: they change nothing but how long it takes.

    With a `folder` the games are kept there, and with `resume` one that was interrupted goes on.
    `progress` is told what is being done, how much of it is, and of how much.
    """

    player: str
    games: int
    ai_games: int
    seed: int | None
    ties: Ties
    workers: int | None
    folder: str | Path | None
    resume: bool
    progress: TellStudy | None


def analyze(
    game: GameLike | Iterable[GameLike],
    /,
    *,
    preset: str | None = None,
    declared: Mapping[str, Constant] | None = None,
    **settings: Unpack[AnalysisSettings],
) -> AnalysisReport:
    """Analyse a game, or several compared with the first: the command `cardwright analyze`.

    A game is a name of the library, perhaps with a preset as in `hearts:nomoon`, the path of a
    file, or a `Game`. `preset` and `declared` are for all games that are not loaded yet. The
    settings are those of `AnalysisSettings`: by default 1,000 random games, twice 100 with
    `cardstock-pipmc`, shared ties and one worker.

    Raises MissingExtraError without the extra `arena`, PlanError and PlayerSpecError for what
    cannot be played, RecordsError for a folder in use, AnalysisError if no game came to its end,
    and what `Game.variant` does. KeyboardInterrupt leaves a folder that can be resumed.
    """
    need_libraries()
    chosen = studied(game, declared, preset)
    return report_on(chosen, names_of(chosen), **settings)


def analyze_variants(
    game: str | Path,
    vary: Grid,
    /,
    *,
    preset: str | None = None,
    declared: Mapping[str, Constant] | None = None,
    **settings: Unpack[AnalysisSettings],
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
    chosen, left_out = combinations(str(game), vary, declared or {}, preset)
    return report_on(chosen, variants_heading(str(game), preset), left_out, **settings)


def variants_heading(game: str, preset: str | None) -> str:
    """Return the heading of a report on variants of a game."""
    return f"Variants of {game}" + (f":{preset}" if preset else "")


def combinations(
    game: str, grid: Grid, overrides: Mapping[str, Constant], preset: str | None
) -> tuple[list[StudiedGame], list[tuple[str, str]]]:
    """Return a game for each combination, in the order of the options, and those left out.

    The combination that changes nothing comes first, if it is there: others are compared with it.

    Combinations are left out that the facts of the game forbid, or with which its rules are
    invalid: what they are, as `NAME=VALUE`, with the reason. A name that is not a constant of the
    game is an error in every combination: then the first is raised.
    """
    games, left_out, first = [], [], None
    for values in product(*grid.values()):
        chosen = dict(zip(grid, map(as_constant, values), strict=True))
        words = " ".join(f"{name}={override_text(value)}" for name, value in chosen.items())
        try:
            games.append(StudiedGame.of(game, {**overrides, **chosen}, preset, words))
        except CardwrightError as error:
            first = first or error
            left_out.append((words, str(error).split("\n", 1)[0]))
    if first is not None and not games:
        raise first
    try:
        usual = StudiedGame.of(game, overrides, preset).ref.digest
    except CardwrightError:  # it cannot be played without what is varied
        return distinct(games), left_out
    return distinct(sorted(games, key=lambda one: one.ref.digest != usual)), left_out


def report_on(
    chosen: Sequence[StudiedGame],
    heading: str,
    left_out: Sequence[tuple[str, str]] = (),
    **given: Unpack[AnalysisSettings],
) -> AnalysisReport:
    """Play games and return the report; see `analyze`.

    Without a folder they are kept in one that is removed with the report.
    """
    folder, resume = given.get("folder"), given.get("resume", False)
    settings = _settings(given)
    for one in chosen:
        settings.plan(one)  # raises before anything is written
    out = Path(mkdtemp(prefix="cardwright-") if folder is None else folder)
    if folder is not None and not resume:
        _check_unused(out)
    tell = given.get("progress") or tell_nobody
    looks = {"workers": given.get("workers", 1), "resume": resume, "tell": tell}
    try:
        subjects = tuple(play_games(one, settings, out, **looks) for one in chosen)  # type: ignore[arg-type]
    except BaseException:
        if folder is None:
            shutil.rmtree(out, ignore_errors=True)
        raise
    report = AnalysisReport(
        settings, tuple(chosen), subjects, out, heading, tuple(left_out), kept=folder is not None
    )
    if folder is None:
        weakref.finalize(report, shutil.rmtree, out, ignore_errors=True)
    return report


def _settings(given: AnalysisSettings) -> StudySettings:
    """Return what is to be played: from the seed given, that of the games to resume, or any."""
    ties, folder, seed = given.get("ties", "shared"), given.get("folder"), given.get("seed")
    check_member("ties", ties, TIES)
    if seed is None and given.get("resume") and folder is not None:
        seed = kept_seed(Path(folder))
    player = str(tried_spec(str(given.get("player", PLAYER)), FULL_TRUST))
    games, ai_games = given.get("games", RANDOM_GAMES), given.get("ai_games", THINKING_GAMES)
    return StudySettings(drawn_seed() if seed is None else seed, player, games, ai_games, ties)


def _check_unused(folder: Path) -> None:
    """Raise AnalysisError if the folder for a new analysis is not empty."""
    if (folder / RECORDS).is_dir():
        raise AnalysisError(
            f"there are games of an analysis in {folder}: resume it, or name another folder"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AnalysisError(f"{folder} is not empty: name another folder")
