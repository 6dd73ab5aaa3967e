"""The table of all figures and diagrams of games: the only place where they are listed.

It imports nothing heavy, so that the command line can list them; the drawing functions are loaded
on demand.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from cardwright.analysis.errors import AnalysisError
from cardwright.syntax.suggest import advice_on

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


class Needs(StrEnum):
    """What a figure is drawn from."""

    RANDOM = "random games"
    TRICKS = "random games of tricks"
    OUTCOMES = "outcomes of random games"
    RANKS = "outcomes of random games for several seats"
    KNOWLEDGE = "what seats know along random games"
    THINKING = "games of thinking players"
    LEADS = "games of several thinking players"
    SEVERAL = "several games or variants"
    FLOWS = "ways of cards in several games"
    FLOW = "ways of cards in random games"
    PROGRAM = "the program of a game"
    SOURCE = "the text of a program"


_DIAGRAMS = (Needs.FLOW, Needs.PROGRAM, Needs.SOURCE)
_OF_RANDOM_GAMES = (Needs.RANDOM, Needs.TRICKS, Needs.OUTCOMES, Needs.RANKS, *_DIAGRAMS)
_SEVERAL = (Needs.SEVERAL, Needs.FLOWS)


@dataclass(frozen=True)
class FigureKind:
    """A kind of figure: its name in files and options, its heading, and what it shows.

    `function` draws it: a module of `cardwright.analysis` and a name in it.
    """

    name: str
    needs: Needs
    function: str
    heading: str
    caption: str

    @property
    def is_diagram(self) -> bool:
        """Whether it is a graph, not a matplotlib figure."""
        return self.needs in {*_DIAGRAMS, Needs.FLOWS}

    @property
    def of_several(self) -> bool:
        """Whether it shows several games or variants."""
        return self.needs in _SEVERAL

    def draw(self, *given: Any, **options: Any) -> Any:
        """Load the function that draws this, and call it."""
        module, _, name = self.function.rpartition(".")
        function: Callable[..., Any] = getattr(import_module(f"cardwright.analysis.{module}"), name)
        return function(*given, **options)


FIGURES = (
    FigureKind("branching", Needs.RANDOM, "figures.random_games.branching", "Branching",
               "Options at each decision of 100 random games, coloured by the seat that decides. "
               "The curve is a local regression, with its 95 % band."),
    FigureKind("game_lines", Needs.RANDOM, "figures.random_games.game_lines",
               "Options, game by game",
               "The same with a straight line for each game: their slopes are those of "
               "convergence."),
    FigureKind("options_by_trick", Needs.TRICKS, "figures.random_games.options_by_trick",
               "Options by trick",
               "Mean options of the leader of a trick and of the others, in random games. "
               "Whiskers: "
               "standard deviation of the means of ten groups of games."),
    FigureKind("decision_spread", Needs.THINKING, "figures.thinking.decision_spread",
               "Decision spread, places",
               "How much decisions mattered along 100 games of thinking players: best minus "
               "worst estimated place, divided by the largest. Thin lines are games, the thick one "
               "is their smoothed mean, which the noise of few rollouts makes too high. The dashed "
               "one is without that noise, and if anything too low."),
    FigureKind("score_spread", Needs.THINKING, "figures.thinking.score_spread",
               "Decision spread, scores",
               "The same of estimated scores, as the Valet collection draws it. The noise of few "
               "rollouts is in it."),
    FigureKind("lead_history", Needs.LEADS, "figures.thinking.lead_history", "Lead history",
               "What the players expected for those who came first, second and so on in the end: "
               "means over games with 95 % bands, smoothed."),
    FigureKind("average_trend", Needs.LEADS, "figures.thinking.average_trend", "Average trend",
               "The same without smoothing; it ends with their final places."),
    FigureKind("lead_lines", Needs.LEADS, "figures.thinking.lead_lines", "The winner’s lead",
               "The last leader’s estimates in each game. Below the dashed line the eventual "
               "winner is behind, which drama measures."),
    FigureKind("scores", Needs.OUTCOMES, "figures.random_games.score_distribution", "Scores",
               "Scores of all seats in random games."),
    FigureKind("ranks", Needs.RANKS, "figures.random_games.rank_distribution", "Ranks",
               "How often each seat came in first, second and so on in random games."),
    FigureKind("length", Needs.OUTCOMES, "figures.random_games.game_length", "Length",
               "Decisions of random games."),
    FigureKind("knowledge", Needs.KNOWLEDGE, "figures.random_games.unknown_bits", "Knowledge",
               "How many bits each seat lacks to know where all cards lie, if it remembers what it "
               "has seen: means over random games."),
    FigureKind("flow", Needs.FLOW, "diagrams.flow.flow_graph", "Information flow",
               "How cards move, in {games} random games; the numbers are cards per game. Green: "
               "everybody sees them; blue: their owner; khaki: nobody."),
    FigureKind("stages", Needs.PROGRAM, "diagrams.stages.stage_graph", "Stages",
               "The course of the game, from its set-up to its scores."),
    FigureKind("tree", Needs.SOURCE, "diagrams.parse_tree.parse_tree_graph", "Parse tree",
               "The forms of the rules, {depth} levels deep."),
    FigureKind("measures", Needs.SEVERAL, "figures.side_by_side.measures", "Measures, side by side",
               "Dots are values, bars 95 % intervals; the dashed line is at the first game."),
    FigureKind("overview", Needs.SEVERAL, "figures.random_games.overview",
               "Options, side by side",
               "Options by decision in random games, with a straight regression line."),
    FigureKind("spreads", Needs.SEVERAL, "figures.side_by_side.spreads",
               "Decision spread, side by side",
               "Best minus worst estimated place along games of thinking players, divided by the "
               "largest of each game. The dashed line is without the noise of few rollouts."),
    FigureKind("leads", Needs.SEVERAL, "figures.side_by_side.leads",
               "Lead history, side by side",
               "What the players expected for those who came first, second and so on in the end, "
               "with 95 % bands."),
    FigureKind("flows", Needs.FLOWS, "diagrams.drawing.side_by_side",
               "Information flow, side by side",
               "How cards move in random games of each; the numbers are cards per game."),
)  # fmt: skip
"""All figures, in the order in which a page has them."""

BY_NAME = {figure.name: figure for figure in FIGURES}

OF_ONE_GAME = tuple(figure for figure in FIGURES if not figure.of_several and not figure.is_diagram)
"""The figures that show one game."""

DIAGRAMS = tuple(figure for figure in FIGURES if figure.is_diagram and not figure.of_several)
"""The diagrams of one game."""

SHEETS = tuple(figure for figure in FIGURES if figure.of_several)
"""The figures and diagrams of several games."""

OF_RANDOM_GAMES = tuple(figure for figure in FIGURES if figure.needs in _OF_RANDOM_GAMES)
"""What can be drawn of a game from random games alone."""


def figure_kind(name: str) -> FigureKind:
    """Return a kind of figure by its name; raises AnalysisError if there is none."""
    if name not in BY_NAME:
        advice = advice_on(name, BY_NAME)
        raise AnalysisError(f"there is no figure {name!r}; {advice}")
    return BY_NAME[name]


def random_figures(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of figures of random games, each once; raises AnalysisError for others."""
    known = [figure.name for figure in OF_RANDOM_GAMES]
    chosen = tuple(dict.fromkeys(names))
    for one in chosen:
        if one not in known:
            advice = advice_on(one, known)
            raise AnalysisError(f"{one!r} is not a picture of this; {advice}")
    if not chosen:
        raise AnalysisError(f"name one at least of {', '.join(known)}")
    return chosen
