"""Figures and diagrams by name: drawn from records of games, to be viewed or saved."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.analysis.diagrams.drawing import ENDINGS, diagram_content, diagram_line
from cardwright.analysis.diagrams.graph import Graph
from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.curves import lead_histories, spread_histories
from cardwright.analysis.figures.registry import BY_NAME, Needs, figure_kind
from cardwright.analysis.measures import NAMED
from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import Study
from cardwright.analysis.subject import subject
from cardwright.arena.effect_replay import record_flow, recorded
from cardwright.arena.records import RunFolder
from cardwright.jobs.files import write_several
from cardwright.markup.element import display, element, heading, note
from cardwright.publication.figures import (
    FORMATS,
    USUAL_FILES,
    CaptionLine,
    FigureFiles,
    counted_range,
)
from cardwright.publication.points import points_text
from cardwright.study.games import StudiedGame
from cardwright.study.play import course_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.registry import FigureKind
    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.measures import Batch
    from cardwright.analysis.subject import Subject
    from cardwright.publication.figures import PaperColumns

FLOWS = 100
"""Random games that are replayed card by card for a flow diagram."""

TREE_DEPTH = 4
"""Levels of forms in a parse tree."""

_THINKING = "games of thinking players"


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
        """Return this as a picture, in which nothing can run, with its heading and caption."""
        data = b64encode(self._content("svg", USUAL_FILES)).decode()
        style = "max-width:100%;background:#fff;padding:.4em"
        source = f"data:image/svg+xml;base64,{data}"
        picture = element("img", src=source, alt=self.heading, style=style)
        return display(heading(self.heading), picture, note(self.caption))

    def save(
        self, file: str | Path, *, caption: bool = True, columns: PaperColumns | None = None
    ) -> None:
        """Write this in the format of the file's extension: `.png`, `.svg` or `.pdf`.

        A diagram can be `.dot`, text for Graphviz. `caption` puts a line with the game, what is
        counted, the seed and the version below it. `columns`, 1 or 2, is how many columns of a page
        it fills, 3.4 or 7.1 inches; without it a figure has its own size. What is drawn is written
        beside it as CSV. Raises AnalysisError for other extensions, and RecordsError if a file
        cannot be written.
        """
        path = Path(file)
        kind = path.suffix.lstrip(".").lower()
        endings: tuple[str, ...] = ENDINGS if isinstance(self.content, Graph) else FORMATS
        if kind not in endings:
            *first, last = (f".{name}" for name in endings)
            raise AnalysisError(f"{file}: a picture's file ends in {', '.join(first)} or {last}")
        files = FigureFiles(caption=caption, columns=columns)
        write_several({
            path: self._content(kind, files), path.with_suffix(".csv"): self._content("csv", files)
        })  # fmt: skip

    def files(self, files: FigureFiles) -> dict[str, bytes]:
        """Return this in all formats by their extensions, and what is drawn as CSV."""
        more = ("dot", "csv") if isinstance(self.content, Graph) else ("csv",)
        return {kind: self._content(kind, files) for kind in dict.fromkeys((*files.formats, *more))}

    def svg(self) -> str:
        """Return this for a page, without the caption line, since the page says it."""
        return self._content("svg", FigureFiles(caption=False)).decode()

    def _content(self, kind: str, files: FigureFiles) -> bytes:
        if isinstance(self.content, Graph):
            return diagram_content(self.content, kind, self.line, files)
        if kind == "csv":
            return points_text(self.content).encode()
        return files.content(self.content, kind, self.line)


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
    plan = RunFolder.read(folder).plan
    one = StudiedGame.of_ref(plan.game, title)
    batch: Batch = "AA" if kind.needs in {Needs.THINKING, Needs.LEADS} else "RR"
    read = subject(one.title, {batch: RunFrames.of_folder(folder)}, Study(resamples=1))
    return figure_of(kind, one, read, folder, style=style, seed=plan.seed)


def figure_of(
    kind: FigureKind, one: StudiedGame, read: Subject, records: Path, *, style: StyleName, seed: int
) -> DrawnFigure:
    """Draw a figure or diagram of a game, as `drawn` does; what it raises names the figure."""
    if kind.needs is Needs.KNOWLEDGE and read.course is None:
        read = replace(read, course=course_of(one, records))
    try:
        return drawn(kind, one, read, records, style=style, seed=seed)
    except AnalysisError as error:
        raise AnalysisError(f"{kind.name} cannot be drawn: {error}") from None


def drawn(
    kind: FigureKind,
    one: StudiedGame,
    read: Subject,
    records: Path,
    *,
    style: StyleName,
    seed: int,
    flows: int = FLOWS,
) -> DrawnFigure:
    """Draw a figure or diagram of a game; `records` are its games, for those that replay cards.

    `seed` is that of the games, for the line below the figure; `flows` is how many games are
    followed in a flow diagram. Raises AnalysisError, with the reason, if it cannot be drawn.
    """
    program, title = one.game.program, one.title.shown
    graph: Graph | None = None
    games = 0
    match kind.needs:
        case Needs.FLOW:
            flow = record_flow(one.game, islice(recorded(records), flows))
            graph, games = kind.draw(flow, title, counts=flows > 1, legend=True), flow.games
        case Needs.PROGRAM:
            graph = kind.draw(program, title)
        case Needs.SOURCE:
            graph = kind.draw(program.source, title, depth=TREE_DEPTH)
    if graph is not None:
        caption = kind.caption.format(games=games, depth=TREE_DEPTH)
        return DrawnFigure(kind.name, kind.heading, caption, graph, diagram_line(graph, seed))
    given, count, what = _given(read, kind)
    figure = kind.draw(*given, title if style == "valet" else "", style)
    line = CaptionLine(counted_range([count], what), seed, title)
    return DrawnFigure(kind.name, kind.heading, kind.caption, figure, line)


def _given(one: Subject, kind: FigureKind) -> tuple[tuple[Any, ...], int, str]:
    """Return what a figure is drawn from, how many games it counts, and what they are.

    Raises AnalysisError, with the reason, if there is no such thing.
    """
    needs, single, random = kind.needs, one.title.players == 1, "random games"
    match needs:
        case Needs.RANDOM:
            return (one.samples["RR"],), len(one.samples["RR"]), random
        case Needs.TRICKS:
            if one.tricks is None:
                raise AnalysisError(one.no_tricks)
            return (one.tricks,), one.statistics["RR"].games, random
        case Needs.OUTCOMES | Needs.RANKS:
            if needs is Needs.RANKS and single:
                raise AnalysisError("a single seat is compared with no other")
            return (one.random,), one.random.games, random
        case Needs.KNOWLEDGE:
            if one.course is None or not one.course.games:
                raise AnalysisError("what seats know was not recorded")
            return (one.course.grid, one.course.mean("remembered")), one.course.games, random
        case Needs.THINKING | Needs.LEADS:
            if "AA" not in one.samples:
                raise AnalysisError("no thinking players were asked for")
            if needs is Needs.LEADS and single:
                raise AnalysisError("a single seat leads nobody")
            traces = one.samples["AA"]
            if needs is Needs.LEADS:
                return (traces,), len(lead_histories(traces)[1]), _THINKING
            name: Any = "score_spread" if kind.name == "score_spread" else "spread"
            return (traces,), len(spread_histories(traces, name=name)[0]), _THINKING
    raise ValueError(f"a figure of {needs} is not drawn for a single game")


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
    content: Figure | Graph
    random, thinking = "random games", [one for one in subjects if "AA" in one.samples]
    match kind.name:
        case "flows":
            alone = [
                drawn(BY_NAME["flow"], game, read, records(game), style=style, seed=seed).content
                for game, read in zip(games, subjects, strict=True)
            ]
            graph: Graph = kind.draw(", ".join(game.title.shown for game in games), alone)
            line = diagram_line(graph, seed)
            return DrawnFigure(kind.name, kind.heading, kind.caption, graph, line)
        case "measures":
            content = kind.draw(subjects, list(NAMED.values()), style)
            counted = counted_range([one.tallies["RR"].games for one in subjects], random)
            if thinking:
                counts = [one.tallies["AA"].games for one in thinking]
                counted += f" and {counted_range(counts, _THINKING)}"
        case "overview":
            pairs = [(one.title.shown, one.samples["RR"]) for one in subjects]
            content = kind.draw(pairs, min(5, len(pairs)), style)
            counted = counted_range([len(traces) for _, traces in pairs], random)
        case _:
            pairs = [
                (one.title.shown, one.samples["AA"])
                for one in thinking
                if one.title.players > 1 or kind.name != "leads"
            ]
            content = kind.draw(pairs, style)
            counted = counted_range([len(one.samples["AA"]) for one in thinking], _THINKING)
    return DrawnFigure(kind.name, kind.heading, kind.caption, content, CaptionLine(counted, seed))
