"""Figures and diagrams by name: drawn from records of games, to be viewed or saved."""

from __future__ import annotations

import tempfile
from base64 import b64encode
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.analysis import AnalysisError
from cardwright.analysis.diagrams.drawing import diagram_line, save_diagram
from cardwright.analysis.diagrams.graph import Graph
from cardwright.analysis.figures.curves import lead_histories, spread_histories
from cardwright.analysis.figures.registry import BY_NAME, OF_ONE_GAME, Needs, figure_kind
from cardwright.analysis.figures.theme import save
from cardwright.analysis.measures import ALL
from cardwright.analysis.records import RunFrames
from cardwright.analysis.results import Study
from cardwright.analysis.subject import subject
from cardwright.arena.effect_replay import record_flow, recorded
from cardwright.arena.records import RunFolder
from cardwright.markup.element import display, element, heading, note
from cardwright.publication.figures import CaptionLine, FigureFiles, counted_range
from cardwright.study.games import StudiedGame
from cardwright.study.play import course_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.curves import SpreadName
    from cardwright.analysis.figures.registry import FigureKind
    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.formulas import Batch
    from cardwright.analysis.subject import Subject
    from cardwright.game.flow import Flow
    from cardwright.game.game import Game
    from cardwright.program.program import Program
    from cardwright.publication.figures import PaperColumns

_OF_THINKING = "games of thinking players"

TREE_DEPTH = 4
"""Levels of forms in a parse tree."""


@dataclass(frozen=True)
class LeftOut:
    """A figure that cannot be drawn of a game, and why."""

    kind: FigureKind
    reason: str


def drawn(
    one: Subject, style: StyleName, kinds: Sequence[FigureKind] = OF_ONE_GAME
) -> Iterator[tuple[FigureKind, Figure] | LeftOut]:
    """Draw all possible figures of a game, one by one; say which are not possible, and why."""
    title = one.title.shown if style == "valet" else ""
    for kind in kinds:
        try:
            yield kind, kind.draw(*_given(one, kind.needs), title, style)
        except AnalysisError as error:
            yield LeftOut(kind, str(error))


def _given(one: Subject, needs: Needs) -> tuple[Any, ...]:
    """Return the input for a figure with these needs; raise AnalysisError if there is none."""
    single = one.title.players == 1
    match needs:
        case Needs.RANDOM:
            return (one.samples["RR"],)
        case Needs.TRICKS:
            if one.tricks is None:
                raise AnalysisError(one.no_tricks)
            return (one.tricks,)
        case Needs.OUTCOMES | Needs.RANKS:
            if needs is Needs.RANKS and single:
                raise AnalysisError("a single seat is compared with no other")
            return (one.bulk or one.statistics["RR"],)
        case Needs.KNOWLEDGE:
            if one.course is None or not one.course.games:
                raise AnalysisError("what seats know was not recorded")
            return one.course.grid, one.course.mean("remembered")
        case Needs.THINKING | Needs.LEADS:
            if "AA" not in one.samples:
                raise AnalysisError("no thinking players were asked for")
            if needs is Needs.LEADS and single:
                raise AnalysisError("a single seat leads nobody")
            return (one.samples["AA"],)
    raise ValueError(f"a figure of {needs} is not drawn for a single game")


def counted(one: Subject, kind: FigureKind) -> str:
    """Return what a figure of a game counts, such as `100 random games`."""
    match kind.needs:
        case Needs.RANDOM | Needs.TRICKS:
            games = len(one.samples["RR"])
            if kind.needs is Needs.TRICKS:
                games = one.statistics["RR"].games
        case Needs.OUTCOMES | Needs.RANKS:
            games = (one.bulk or one.statistics["RR"]).games
        case Needs.KNOWLEDGE:
            games = one.course.games if one.course is not None else 0
        case Needs.THINKING:
            name: SpreadName = "score_spread" if kind.name == "score_spread" else "spread"
            rows, _ = spread_histories(one.samples["AA"], name=name)
            return counted_range([len(rows)], _OF_THINKING)
        case Needs.LEADS:
            return counted_range([len(lead_histories(one.samples["AA"])[1])], _OF_THINKING)
        case _:
            return ""
    return counted_range([games], "random games")


def counted_in_all(several: Sequence[Subject], kind: FigureKind) -> str:
    """Return what a figure of several games side by side counts."""
    if kind.name == "overview":
        return counted_range([len(one.samples["RR"]) for one in several], "random games")
    sampled = [one.samples["AA"] for one in several if "AA" in one.samples]
    if kind.name in {"spreads", "leads"}:
        return counted_range([len(traces) for traces in sampled], _OF_THINKING)
    said = [counted_range([one.tallies["RR"].games for one in several], "random games")]
    thinking = [one.tallies["AA"].games for one in several if "AA" in one.tallies]
    if thinking:
        said.append(counted_range(thinking, _OF_THINKING))
    return " and ".join(said)


def diagram(
    kind: FigureKind, program: Program, title: str, flow: Callable[[], Flow], *, several: bool
) -> tuple[Graph, str]:
    """Return a diagram of a game, and its caption; `flow` is called for the flow diagram only.

    `several` adds counts to the flow diagram.
    """
    graph: Graph
    games = 0
    if kind.needs is Needs.FLOW:
        found = flow()
        games = found.games
        graph = kind.draw(found, title, counts=several, legend=True)
    elif kind.needs is Needs.PROGRAM:
        graph = kind.draw(program, title)
    else:
        graph = kind.draw(program.source, title, depth=TREE_DEPTH)
    return graph, kind.caption.format(games=games, depth=TREE_DEPTH)


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
    plan = RunFolder.read(folder).plan
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


def figure_html(figure: DrawnFigure) -> str:
    """Return a figure as a picture, in which nothing can run, with its heading and caption."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "figure.svg"
        figure.save(file)
        data = b64encode(file.read_bytes()).decode()
    style = "max-width:100%;background:#fff;padding:.4em"
    source = f"data:image/svg+xml;base64,{data}"
    picture = element("img", src=source, alt=figure.heading, style=style)
    return display(heading(figure.heading), picture, note(figure.caption))
