"""Galleries: figures of random games, for many games at once, and a page with all of them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import BY_NAME, FIGURES, random_figures
from cardwright.analysis.records import RunFrames
from cardwright.analysis.report import STYLE, environment
from cardwright.analysis.results import Study
from cardwright.analysis.subject import subject
from cardwright.arena.plan import PlanError, RunPlan, loaded
from cardwright.arena.run import run
from cardwright.jobs.files import write_several, write_whole
from cardwright.library import catalogue
from cardwright.publication.figures import USUAL_FILES, CaptionLine, FigureFiles, counted_range
from cardwright.study.figure import DrawnFigure, drawn
from cardwright.study.games import StudiedGame, distinct, studied
from cardwright.study.play import need_libraries, tell_nobody, workers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.records import Traces
    from cardwright.analysis.subject import Title
    from cardwright.arena.plan import GameLike, GameRef
    from cardwright.study.play import TellStudy

VALET = {
    "agram": 3, "blackjack": 1, "crazyeights": 3, "cribbage": 2, "cuckoo": 6, "euchre": 4,
    "gofish": 4, "golfsix": 4, "goofspiel": 2, "hearts": 4, "klaverjassen": 4, "leduc": 2,
    "pitch": 4, "president": 5, "rummy": 2, "scarto": 3, "schwimmen": 5, "scopa": 2,
    "skitgubbe": 3, "sueca": 4, "whist": 4,
}  # fmt: skip
"""The games of the Valet collection by their names here, with its numbers of players."""


def draw_figures(
    games: GameLike | Iterable[GameLike],
    folder: str | Path,
    /,
    *,
    kinds: Sequence[str] = ("branching", "flow"),
    count: int = 100,
    rollouts: int | None = None,
    seed: int = 1,
    style: StyleName = "cardwright",
    files: FigureFiles = USUAL_FILES,
    workers: int | None = 1,
    progress: TellStudy | None = None,
) -> Path:
    """Draw figures of random games, for many games at once: the command `cardwright figures`.

    Games are as for `analyze`; `count` are played of each, and a diagram of flow is made of the
    first `rollouts` of them, by default of all, or of one in the valet style. `folder`, new or
    empty, gets a folder for each of `kinds`, and a page with all of them, whose path is returned.
    `files` says how figures are saved; `workers` processes draw, None as many as there are
    processors. `progress` is told what is being done, how much of it is, and of how much.

    Raises MissingExtraError without the extra `arena`, AnalysisError for kinds that there are not
    and for a folder in use, PlanError, and what `Game.variant` does.
    """
    need_libraries()
    chosen, out = random_figures(kinds), Path(folder)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise AnalysisError(f"{out} is not empty: name another folder")
    return draw_games(
        studied(games), out, kinds=chosen, count=count, rollouts=rollouts, seed=seed, style=style,
        files=files, workers=workers, tell=progress or tell_nobody,
    )  # fmt: skip


def draw_games(
    games: Sequence[StudiedGame],
    out: Path,
    *,
    kinds: tuple[str, ...],
    count: int,
    rollouts: int | None,
    seed: int,
    style: StyleName,
    files: FigureFiles,
    workers: int | None,
    tell: TellStudy,
) -> Path:
    """Draw game by game, as many at a time as there are workers; then the sheet and the page."""
    chosen = distinct([_titled(game) for game in games])
    draw = _DrawGames(
        tuple((one.ref, one.title) for one in chosen), out.absolute(), kinds, style, count,
        min(rollouts or (1 if style == "valet" else count), count), seed, files,
    )  # fmt: skip
    made: list[Any] = [None] * len(chosen)
    batches = (range(number, number + 1) for number in range(len(chosen)))
    for done, (number, entries) in enumerate(workers_of(workers).run(draw, batches), 1):
        made[number] = entries[0]
        tell("drawing", done, len(chosen))
    sheet = draw.sheet(made) if "branching" in kinds and len(made) > 1 else ""
    page = environment().get_template("gallery.html").render(
        entries=made, sheet=sheet, overview=BY_NAME["overview"], seed=seed,
        style=STYLE.read_text(encoding="utf-8"), version=__version__,
    )  # fmt: skip
    write_whole(draw.out / "index.html", page.encode())
    return draw.out / "index.html"


def check_collection(games: Sequence[StudiedGame]) -> None:
    """Raise PlanError if a game of the Valet collection is for other numbers of players there."""
    for game in games:
        if game.title.players != VALET[game.ref.name]:
            raise PlanError(
                f"{game.ref.name} is for {VALET[game.ref.name]} players in the Valet collection, "
                f"and here for {game.title.players}"
            )


def _titled(one: StudiedGame) -> StudiedGame:
    """Return an unchanged game of the library under its title, such as `Crazy Eights`."""
    if one.ref.name not in catalogue.names() or one.ref.preset:
        return one
    title = catalogue.facts(one.ref.name).title
    return replace(one, title=replace(one.title, name=title, people=title))


@dataclass(frozen=True)
class GalleryEntry:
    """A game with the files of its pictures, those that are left out, and games for a sheet."""

    title: Title
    files: Sequence[str]
    left_out: Sequence[tuple[str, str]]
    traces: Traces


@dataclass(frozen=True)
class _DrawGames:
    """Draws the games of a batch of numbers, and returns what was drawn of each.

    `count` is the number of random games of each, `rollouts` that of games in a flow diagram.
    """

    games: tuple[tuple[GameRef, Title], ...]
    out: Path
    kinds: tuple[str, ...]
    style: StyleName
    count: int
    rollouts: int
    seed: int
    files: FigureFiles

    def __call__(self, batch: range) -> list[GalleryEntry]:
        """Play and draw games."""
        return [self._entry(*self.games[number]) for number in batch]

    def _entry(self, ref: GameRef, title: Title) -> GalleryEntry:
        seats = (0,) * ref.players
        plan = RunPlan(ref, ("random",), (seats,), self.count, self.seed, detail="decisions")
        one = StudiedGame(loaded(ref), ref, title)
        files, left = [], []
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "RR"
            run(plan, folder)
            read = subject(title, {"RR": RunFrames.of_folder(folder)}, Study(resamples=1))
            for kind in (one for one in FIGURES if one.name in self.kinds):
                looks: Any = {"style": self.style, "seed": self.seed, "flows": self.rollouts}
                try:
                    picture = drawn(kind, one, read, folder, **looks)
                except AnalysisError as error:
                    left.append((kind.heading, str(error)))
                    continue
                shown = "svg" if kind.is_diagram else "png"
                files.append(self._saved(picture, Path(kind.name), title.slug, shown))
        return GalleryEntry(title, files, left, read.samples["RR"])

    def sheet(self, made: Sequence[GalleryEntry]) -> str:
        """Draw the options of all games, and return the file that the page shows."""
        kind, games = BY_NAME["overview"], [(one.title.shown, one.traces) for one in made]
        figure = kind.draw(games, 7 if len(games) > 10 else min(5, len(games)), self.style)
        counted = counted_range([len(one.traces) for one in made], "random games")
        line = CaptionLine(counted, self.seed)
        picture = DrawnFigure(kind.name, kind.heading, kind.caption, figure, line)
        return self._saved(picture, Path(), kind.name, "png")

    def _saved(self, picture: DrawnFigure, folder: Path, name: str, shown: str) -> str:
        """Save a figure in all formats, and return the file that the page shows."""
        formats = tuple(dict.fromkeys((shown, *self.files.formats)))
        contents = picture.files(replace(self.files, formats=formats))
        (self.out / folder).mkdir(parents=True, exist_ok=True)
        write_several({
            self.out / folder / f"{name}.{kind}": content for kind, content in contents.items()
        })  # fmt: skip
        return (folder / f"{name}.{shown}").as_posix()
