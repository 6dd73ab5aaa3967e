"""The pictures of a report: which there are, what they show, and why one is left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures import branching, distributions, estimates, knowledge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.report.subject import Subject

    Draw: TypeAlias = Callable[[Subject, str, StyleName], Figure]


@dataclass(frozen=True)
class Picture:
    """A figure of one game: its name in files, its heading, and what it shows, in a sentence."""

    kind: str
    heading: str
    caption: str
    draw: Draw


@dataclass(frozen=True)
class LeftOut:
    """A figure that cannot be drawn of a game, and why."""

    picture: Picture
    reason: str


def _branching(one: Subject, title: str, style: StyleName) -> Figure:
    return branching.branching(one.samples["RR"], title, style)


def _lines(one: Subject, title: str, style: StyleName) -> Figure:
    return branching.game_lines(one.samples["RR"], title, style)


def _tricks(one: Subject, title: str, style: StyleName) -> Figure:
    if one.tricks is None:
        raise AnalysisError(one.no_tricks)
    return distributions.options_by_trick(one.tricks, title, style)


def _scores(one: Subject, title: str, style: StyleName) -> Figure:
    return distributions.score_distribution(one.bulk or one.statistics["RR"], title, style)


def _ranks(one: Subject, title: str, style: StyleName) -> Figure:
    if one.title.players == 1:
        raise AnalysisError("a single seat has no rank")
    return distributions.rank_distribution(one.bulk or one.statistics["RR"], title, style)


def _length(one: Subject, title: str, style: StyleName) -> Figure:
    return distributions.game_length(one.bulk or one.statistics["RR"], title, style)


def _knowledge(one: Subject, title: str, style: StyleName) -> Figure:
    if one.course is None or not one.course.games:
        raise AnalysisError("what seats know was not recorded")
    return knowledge.unknown_bits(one.course.grid, one.course.mean("remembered"), title, style)


def _thinking(draw: Callable[..., Figure], *, alone: bool = False) -> Draw:
    """Return what draws of games in which all seats think; `alone` allows for a single one."""

    def drawn(one: Subject, title: str, style: StyleName) -> Figure:
        if "AA" not in one.samples:
            raise AnalysisError("no players that think were asked for")
        if one.title.players == 1 and not alone:
            raise AnalysisError("a single seat leads nobody")
        return draw(one.samples["AA"], title, style)

    return drawn


PICTURES = (
    Picture("branching", "Branching", "Options at each decision of 100 random games, coloured by "
            "the seat that decides. The curve is a local regression, with its 95 % band.",
            _branching),
    Picture("game_lines", "Options, game by game", "The same with a straight line for each game: "
            "their slopes are those of convergence.", _lines),
    Picture("options_by_trick", "Options by trick", "Mean options of who leads a trick and of the "
            "others, in random games. Whiskers: standard deviation of the means of ten groups of "
            "games.", _tricks),
    Picture("decision_spread", "Decision spread", "How much decisions mattered along 100 games of "
            "players that think: best less worst estimate, divided by the largest. Thin lines are "
            "games, the thick one is their smoothed mean.",
            _thinking(estimates.decision_spread, alone=True)),
    Picture("lead_history", "Lead history", "What the players expected of those who came first, "
            "second and so on in the end: means over games with 95 % bands, smoothed.",
            _thinking(estimates.lead_history)),
    Picture("average_trend", "Average trend", "The same without smoothing; it ends with the "
            "places that they had.", _thinking(estimates.average_trend)),
    Picture("lead_lines", "The winner’s lead", "The last leader’s estimates in each game. Below "
            "the dashed line the later winner is behind, of which drama is made.",
            _thinking(estimates.lead_lines)),
    Picture("scores", "Scores", "Scores of all seats in random games.", _scores),
    Picture("ranks", "Ranks", "How often each seat came in first, second and so on in random "
            "games.", _ranks),
    Picture("length", "Length", "Decisions of random games.", _length),
    Picture("knowledge", "Knowledge", "How many bits each seat lacks to know where all cards lie, "
            "if it remembers what it has seen: means over random games.", _knowledge),
)  # fmt: skip
"""All figures of one game, in the order in which a page has them."""


def drawn(
    one: Subject, style: StyleName, pictures: tuple[Picture, ...] = PICTURES
) -> Iterator[tuple[Picture, Figure] | LeftOut]:
    """Draw what can be drawn of a game, one by one; say what cannot, and why."""
    for picture in pictures:
        title = one.title.name if style == "valet" else ""
        try:
            yield picture, picture.draw(one, title, style)
        except AnalysisError as error:
            yield LeftOut(picture, str(error))
