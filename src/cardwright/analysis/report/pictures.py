"""The figures of a game: drawn from its records, or left out with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures.histories import lead_histories, spread_histories
from cardwright.analysis.figures.registry import OF_ONE_GAME, Needs
from cardwright.publication.caption_line import counted_range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.histories import SpreadName
    from cardwright.analysis.figures.registry import FigureKind
    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.graph import Graph
    from cardwright.analysis.report.subject import Subject
    from cardwright.game.flow import Flow
    from cardwright.program.program import Program

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
