"""Galleries: figures of random games, for many games at once, and a page with all of them."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright._version import __version__
from cardwright.analysis import AnalysisError
from cardwright.analysis.diagrams.drawing import diagram_line, write_diagram
from cardwright.analysis.figures.registry import BY_NAME, OF_ONE_GAME, random_figures
from cardwright.analysis.records import RunFrames
from cardwright.analysis.report import STYLE, environment
from cardwright.analysis.results import Study
from cardwright.analysis.subject import subject
from cardwright.arena.plan import PlanError, RunPlan, loaded
from cardwright.arena.run import run
from cardwright.jobs.files import write_whole
from cardwright.library import catalogue
from cardwright.publication.figures import USUAL_FILES, CaptionLine, FigureFiles, counted_range
from cardwright.study.figure import LeftOut, counted, diagram, drawn, flow_of
from cardwright.study.games import distinct, studied
from cardwright.study.play import need_libraries, tell_nobody, workers_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.records import Traces
    from cardwright.analysis.subject import Subject, Title
    from cardwright.arena.plan import GameLike, GameRef
    from cardwright.study.games import StudiedGame
    from cardwright.study.play import TellStudy


@dataclass(frozen=True)
class GalleryEntry:
    """A game with the files of its pictures, and those that are left out, with reasons."""

    title: Title
    files: Sequence[str]
    left_out: Sequence[tuple[str, str]] = ()


def gallery(entries: Sequence[GalleryEntry], sheet: str, seed: int) -> str:
    """Return the page as HTML; `sheet` is the file of a picture of all games, if there is one."""
    return (
        environment()
        .get_template("gallery.html")
        .render(
            entries=entries,
            sheet=sheet,
            overview=BY_NAME["overview"],
            seed=seed,
            style=STYLE.read_text(encoding="utf-8"),
            version=__version__,
        )
    )


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
    draw = DrawGames.of(
        studied(games),
        out,
        kinds=chosen,
        count=count,
        rollouts=rollouts,
        seed=seed,
        style=style,
        files=files,
    )
    return draw_all(draw, workers, progress or tell_nobody)


def draw_all(draw: DrawGames, workers: int | None, tell: TellStudy) -> Path:
    """Draw game by game, as many at a time as there are workers; then the sheets of all."""
    count = len(draw.refs)
    drawings: list[Any] = [None] * count
    batches = (range(number, number + 1) for number in range(count))
    for done, (number, made) in enumerate(workers_of(workers).run(draw, batches), 1):
        drawings[number] = made[0]
        tell("drawing", done, count)
    return draw.finish(drawings)


def check_collection(games: Sequence[StudiedGame]) -> None:
    """Raise PlanError if a game of the Valet collection is for other numbers of players there."""
    for one in games:
        if one.title.players != VALET[one.ref.name]:
            raise PlanError(
                f"{one.ref.name} is for {VALET[one.ref.name]} players in the Valet collection, and "
                f"here for {one.title.players}"
            )


def _titled(one: StudiedGame) -> StudiedGame:
    """Return an unchanged game of the library under its title, such as `Crazy Eights`."""
    if one.ref.name not in catalogue.names() or one.ref.preset:
        return one
    title = catalogue.facts(one.ref.name).title
    return replace(one, title=replace(one.title, name=title, people=title))


@dataclass(frozen=True)
class DrawnGame:
    """What was drawn of a game: files in the folder, pictures left out, and games for a sheet."""

    title: Title
    files: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    traces: Traces


@dataclass(frozen=True)
class DrawGames:
    """Draws the games of a batch of numbers, and returns what was drawn of each.

    `games` is the number of random games of each, `rollouts` that of games in a flow diagram.
    """

    refs: tuple[GameRef, ...]
    titles: tuple[Title, ...]
    out: str
    kinds: tuple[str, ...]
    style: StyleName
    games: int
    rollouts: int
    seed: int
    files: FigureFiles = USUAL_FILES

    @classmethod
    def of(
        cls,
        games: Sequence[StudiedGame],
        out: Path,
        *,
        kinds: tuple[str, ...],
        count: int,
        rollouts: int | None,
        seed: int,
        style: StyleName,
        files: FigureFiles = USUAL_FILES,
    ) -> DrawGames:
        """Return what draws these games into a folder; `rollouts` of None is the usual number."""
        chosen = distinct([_titled(one) for one in games])
        followed = rollouts or (1 if style == "valet" else count)
        refs, titles = tuple(one.ref for one in chosen), tuple(one.title for one in chosen)
        place = str(out.absolute())
        most = min(followed, count)
        return cls(refs, titles, place, kinds, style, count, most, seed, files)

    def __call__(self, batch: range) -> list[DrawnGame]:
        """Play and draw games."""
        return [self._game(number) for number in batch]

    def _game(self, number: int) -> DrawnGame:
        ref, title = self.refs[number], self.titles[number]
        seats = (0,) * ref.players
        plan = RunPlan(ref, ("random",), (seats,), self.games, self.seed, detail="decisions")
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "RR"
            run(plan, folder)
            found = subject(title, {"RR": RunFrames.of_folder(folder)}, Study(resamples=1))
            files, left = self._figures(found)
            files += self._diagrams(ref, title, folder)
        return DrawnGame(title, tuple(files), tuple(left), found.samples["RR"])

    def _figures(self, found: Subject) -> tuple[list[str], list[tuple[str, str]]]:
        files, left = [], []
        chosen = [one for one in OF_ONE_GAME if one.name in self.kinds]
        for made in drawn(found, self.style, chosen):
            if isinstance(made, LeftOut):
                left.append((made.kind.heading, made.reason))
                continue
            kind, figure = made
            line = CaptionLine(counted(found, kind), self.seed, found.title.shown)
            self._saved(figure, self._place(kind.name, found.title.slug), line)
            files.append(f"{kind.name}/{found.title.slug}.png")
        return files, left

    def _diagrams(self, ref: GameRef, title: Title, folder: Path) -> list[str]:
        game, files = loaded(ref), []
        flow = partial(flow_of, game, folder, self.rollouts)
        for kind in (BY_NAME[name] for name in self.kinds if BY_NAME[name].is_diagram):
            several = self.rollouts > 1
            graph, _ = diagram(kind, game.program, title.shown, flow, several=several)
            place = self._place(kind.name, title.slug)
            write_diagram(graph, place, diagram_line(graph, self.seed), self._with("svg"))
            files.append(f"{kind.name}/{title.slug}.svg")
        return files

    def _saved(self, figure: Figure, stem: Path, line: CaptionLine) -> None:
        try:
            self._with("png").write(figure, stem, line)
        except OSError as error:
            raise AnalysisError(f"{stem} cannot be written: {error}") from None

    def _with(self, kind: str) -> FigureFiles:
        """Return how figures are saved, with the format that the page shows."""
        return replace(self.files, formats=tuple(dict.fromkeys((kind, *self.files.formats))))

    def _place(self, kind: str, name: str) -> Path:
        folder = Path(self.out) / kind
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def finish(self, made: list[Any]) -> Path:
        """Draw the sheet of all games, write the page with everything, and return its path."""
        place = Path(self.out)
        sheet = ""
        if "branching" in self.kinds and len(made) > 1:
            games = [(one.title.shown, one.traces) for one in made]
            columns = 7 if len(games) > 10 else min(5, len(games))
            figure = BY_NAME["overview"].draw(games, columns, self.style)
            counts = [len(one.traces) for one in made]
            line = CaptionLine(counted_range(counts, "random games"), self.seed)
            self._saved(figure, place / "overview", line)
            sheet = "overview.png"
        entries = [GalleryEntry(one.title, one.files, one.left_out) for one in made]
        write_whole(place / "index.html", gallery(entries, sheet, self.seed).encode())
        return place / "index.html"
