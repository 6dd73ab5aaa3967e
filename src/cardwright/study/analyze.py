"""Analyses: games, or variants of one, are played and reported on."""

from __future__ import annotations

import shutil
import weakref
from itertools import product
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Unpack

from cardwright.analysis.errors import AnalysisError
from cardwright.arena.plan import check_member
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.seeds import drawn_seed
from cardwright.jobs.settings import settings_of
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import tried_spec
from cardwright.statistics.ties import TIES
from cardwright.study import AnalysisSettings
from cardwright.study.games import StudiedGame, as_constant, distinct, names_of, studied
from cardwright.study.play import (
    RECORDS,
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

    Grid: TypeAlias = Mapping[str, Sequence[Constant]]


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
    file, or a `Game`. `preset` and `declared` are for all games that are not loaded yet. The other
    settings are those of `AnalysisSettings`.

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
    usual = {name: setting.default for name, (_, setting) in settings_of(AnalysisSettings).items()}
    asked: dict[str, Any] = {**usual, **given}
    check_member("ties", asked["ties"], TIES)
    seed, folder = asked["seed"], asked.get("folder")
    if seed is None and asked["resume"] and folder is not None:
        seed = kept_seed(Path(folder))
    return StudySettings(
        drawn_seed() if seed is None else seed,
        str(tried_spec(str(asked["player"]), FULL_TRUST)),
        *(asked[name] for name in ("games", "ai_games", "ties")),
    )


def _check_unused(folder: Path) -> None:
    """Raise AnalysisError if the folder for a new analysis is not empty."""
    if (folder / RECORDS).is_dir():
        raise AnalysisError(
            f"there are games of an analysis in {folder}: resume it, or name another folder"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AnalysisError(f"{folder} is not empty: name another folder")
