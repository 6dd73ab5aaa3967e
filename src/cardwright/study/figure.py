"""Figures and diagrams by name: drawn from records of games, to be viewed or saved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright.analysis.diagram_files import diagram_line, save_diagram
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.registry import BY_NAME, Needs, figure_kind
from cardwright.analysis.figures.theme import save
from cardwright.analysis.graph import Graph
from cardwright.analysis.records import RunFrames
from cardwright.analysis.report.names import ALL
from cardwright.analysis.report.pictures import LeftOut, counted, counted_in_all, diagram, drawn
from cardwright.analysis.report.subject import subject
from cardwright.analysis.tally import Study
from cardwright.arena.effect_replay import recorded
from cardwright.arena.flow import record_flow
from cardwright.arena.reading import read_manifest
from cardwright.publication.caption_line import CaptionLine
from cardwright.publication.figure_files import FigureFiles
from cardwright.study.games import StudiedGame
from cardwright.study.play import course_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.registry import FigureKind
    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.measure import Batch
    from cardwright.analysis.report.subject import Subject
    from cardwright.game.flow import Flow
    from cardwright.game.game import Game
    from cardwright.publication.figure_files import PaperColumns

FLOWS = 100
"""Random games that are replayed card by card for a flow diagram."""

_THINKING = (Needs.THINKING, Needs.LEADS)


@dataclass(frozen=True, eq=False)
class DrawnFigure:
    """A figure or diagram under its name, with a heading and a caption.

    `content` is a figure of matplotlib's, or the graph of a diagram.
    """

    name: str
    heading: str
    caption: str
    content: Figure | Graph = field(repr=False)
    line: CaptionLine | None = None

    def _repr_html_(self) -> str:
        from cardwright.study.displays import figure_html

        return figure_html(self)

    def save(
        self, file: str | Path, *, caption: bool = True, columns: PaperColumns | None = None
    ) -> None:
        """Write this in the format of the file's extension: `.png`, `.svg` or `.pdf`.

        A diagram can be `.dot`, text for Graphviz. `caption` puts a line with the game, what is
        counted, the seed and the version below it. `columns`, 1 or 2, is how many columns of a page
        it fills, 3.4 or 7.1 inches; without it a figure has its own size. What is drawn is written
        beside it as CSV. Raises AnalysisError for other extensions, and RecordsError or
        AnalysisError if a file cannot be written.
        """
        path = Path(file)
        files = FigureFiles(caption=caption, columns=columns)
        if isinstance(self.content, Graph):
            save_diagram(self.content, path, self.line, files)
        else:
            save(self.content, path, self.line, files)


def draw_figure(
    name: str, records: str | Path, /, *, style: StyleName = "cardwright", title: str | None = None
) -> DrawnFigure:
    """Draw a figure of the games in a folder, by its name in docs/figures.md.

    `records` is the folder of a finished run, such as `records/leduc/RR` in that of an analysis.
    `title` is what the figure calls the game, where it names it.

    Raises AnalysisError if there is no such figure of one game, if the run's games lack the data
    for it, or if they cannot be read; RecordsError for what is no run; ChangedGameError if the
    game is another one now; and MissingExtraError without the extra `arena`.
    """
    kind = figure_kind(name)
    if kind.of_several:
        raise AnalysisError(f"{name} is a figure of several games: a report on them draws it")
    folder = Path(records)
    plan = read_manifest(folder).plan
    one = StudiedGame.of_ref(plan.game, title)
    batch: Batch = "AA" if kind.needs in _THINKING else "RR"
    found = subject(one.title, {batch: RunFrames.of_folder(folder)}, Study(resamples=1))
    return figure_of(kind, one, found, folder, style=style, seed=plan.seed)


def figure_of(
    kind: FigureKind,
    one: StudiedGame,
    found: Subject,
    records: Path,
    *,
    style: StyleName,
    seed: int,
) -> DrawnFigure:
    """Draw a figure or diagram of a game; `records` are its games, for those that replay cards.

    `seed` is that of the games, for the line below the figure.

    Raises AnalysisError, with the reason, if it cannot be drawn.
    """
    if kind.is_diagram:
        flow = partial(flow_of, one.game, records)
        graph, caption = diagram(kind, one.game.program, one.title.shown, flow, several=True)
        line = diagram_line(graph, seed)
        return DrawnFigure(kind.name, kind.heading, caption, graph, line)
    if kind.needs is Needs.KNOWLEDGE and found.course is None:
        found = replace(found, course=course_of(one, records))
    (made,) = drawn(found, style, [kind])
    if isinstance(made, LeftOut):
        raise AnalysisError(f"{kind.name} cannot be drawn: {made.reason}")
    line = CaptionLine(counted(found, kind), seed, found.title.shown)
    return DrawnFigure(kind.name, kind.heading, kind.caption, made[1], line)


def sheet_of(
    kind: FigureKind,
    games: Sequence[StudiedGame],
    subjects: Sequence[Subject],
    records: Callable[[StudiedGame], Path],
    *,
    style: StyleName,
    seed: int,
) -> DrawnFigure:
    """Draw a figure or diagram that shows several games side by side.

    `records` gives the folder of a game's random games. Raises AnalysisError, with the reason, if
    it cannot be drawn.
    """
    if kind.needs is Needs.FLOWS:
        flow = BY_NAME["flow"]
        graphs = [
            diagram(
                flow, one.game.program, one.title.shown, partial(flow_of, one.game, records(one)),
                several=True,
            )[0]
            for one in games
        ]  # fmt: skip
        graph = kind.draw(", ".join(one.title.shown for one in games), graphs)
        return DrawnFigure(
            kind.name, kind.heading, kind.caption, graph, CaptionLine(graph.counted, seed)
        )
    if kind.name == "measures":
        figure = kind.draw(subjects, list(ALL.values()), style)
    elif kind.name == "overview":
        random = [(one.title.shown, one.samples["RR"]) for one in subjects]
        figure = kind.draw(random, min(5, len(random)), style)
    else:
        several = [one for one in subjects if one.title.players > 1 or kind.name != "leads"]
        thinking = [(one.title.shown, one.samples["AA"]) for one in several if "AA" in one.samples]
        figure = kind.draw(thinking, style)
    line = CaptionLine(counted_in_all(subjects, kind), seed)
    return DrawnFigure(kind.name, kind.heading, kind.caption, figure, line)


def flow_of(game: Game, records: Path, rollouts: int = FLOWS) -> Flow:
    """Return the flow of cards in the first games of a run."""
    return record_flow(game, islice(recorded(records), rollouts))
