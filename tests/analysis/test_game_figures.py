"""Figures: what is drawn is what was recorded, and the same games give the same bytes."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from made_games import led, plain, traces_of
from PIL import Image

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.figures import random_games, theme, thinking
from cardwright.analysis.figures.curves import (
    finishing_order,
    grid,
    lead_histories,
    spread_histories,
)
from cardwright.analysis.figures.registry import (
    BY_NAME,
    DIAGRAMS,
    FIGURES as TABLE,
    OF_ONE_GAME,
    Needs,
)
from cardwright.analysis.statistics import Statistics, TrickOptions
from cardwright.jobs.files import RecordsError
from cardwright.publication.figures import USUAL_FILES
from cardwright.statistics.intervals import share_interval

STYLES = ["cardwright", "valet"]
DOCS = Path(__file__).parents[2] / "docs"


def some_games(count=6):
    """Games of three seats whose lead vectors wander from a third each to the result."""
    rng = np.random.default_rng(0)
    games = []
    for _ in range(count):
        leads = np.linspace([0.5, 0.5, 0.5], [1, 0.5, 0], 9) + rng.normal(0, 0.02, (9, 3))
        game = led([0, 1, 2], *np.clip(leads, 0, 1).tolist())
        game.decisions = [
            (seat, int(rng.integers(1, 10 - at)), note)
            for at, (seat, _, note) in enumerate(game.decisions)
        ]
        games.append(game)
    return traces_of(games)


TRACES = some_games()
STATISTICS = Statistics.of(TRACES)
GIVEN = {
    Needs.RANDOM: (TRACES,),
    Needs.TRICKS: (TrickOptions.of(TRACES),),
    Needs.OUTCOMES: (STATISTICS,),
    Needs.RANKS: (STATISTICS,),
    Needs.KNOWLEDGE: (np.linspace(0, 1, 5), np.ones((5, 3))),
    Needs.THINKING: (TRACES,),
    Needs.LEADS: (TRACES,),
}


def drawing(kind, style):
    """Draw a kind of figure; the overview takes several games, and has their names as titles."""
    if kind.of_several:
        columns = (3,) if kind.name == "overview" else ()
        return kind.draw([("A", TRACES), ("B", TRACES)], *columns, style)
    return kind.draw(*GIVEN[kind.needs], "A game", style)


SEVERAL = [BY_NAME[name] for name in ("overview", "spreads", "leads")]
FIGURES = {kind.name: partial(drawing, kind) for kind in (*OF_ONE_GAME, *SEVERAL)}
INKED = {"branching", "lead_history", "overview"}
"""Figures that any run looks at: points, lines, and several panels."""


@pytest.mark.parametrize(
    ("ending", "name"),
    [
        pytest.param(ending, name, marks=() if name in INKED else pytest.mark.deep)
        for ending in ("svg", "png")
        for name in FIGURES
    ],
)
def test_bytes_are_stable(ending, name, tmp_path):
    """Drawn twice, a figure is the same file; it has its title and no date."""
    paths = [tmp_path / f"{number}.{ending}" for number in range(2)]
    for path in paths:
        USUAL_FILES.save(FIGURES[name]("cardwright"), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    if ending == "svg":
        text = paths[0].read_text()
        assert "dc:date" not in text
        assert (">A<" if BY_NAME[name].of_several else "A game") in text
    else:
        ink = np.asarray(Image.open(paths[0]).convert("L"))
        assert 0.005 < (ink < 250).mean() < 0.9


def test_every_figure_of_the_table_is_documented():
    """The page has a row for each, with its name, the function that draws it, and what it is of."""
    page = (DOCS / "figures.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `([\w.]+)\([\w, ]+\)` \| ([^|]+) \| \w[^|]+ \|$", page, re.M)
    assert rows == [(one.name, one.function, one.needs) for one in TABLE]


def test_the_table_is_all_that_figures_are_drawn_from():
    """Each figure is of one game, a diagram, or of several games, and has a name of its own."""
    several = [one for one in TABLE if one.of_several]
    assert [*OF_ONE_GAME, *DIAGRAMS, *several] == list(TABLE)
    assert len(BY_NAME) == len(TABLE)


@pytest.mark.parametrize("name", ["branching", "decision_spread", "lead_history"])
def test_valet_figures_have_their_size(name, tmp_path):
    """600 by 600 pixels on white, whatever the legend."""
    USUAL_FILES.save(FIGURES[name]("valet"), tmp_path / "a.png")
    image = Image.open(tmp_path / "a.png").convert("RGB")
    assert image.size == (600, 600)
    assert image.getpixel((0, 0)) == (255, 255, 255)


def test_the_published_colours():
    """Those that were read off the Valet collection's figures."""
    assert theme.hues(4) == ["#db5f57", "#91db57", "#57d3db", "#a157db"]
    assert theme.hues(100)[0] == "#db5f57"
    assert theme.STYLES["valet"].seats(4) == ["#ff0000", "#daa520", "#32cd32", "#00ffff"]
    for style in theme.STYLES.values():
        assert len(set(style.seats(9))) == 9
        assert len(set(style.places(6))) == 6


def test_points_are_the_decisions():
    """One point a decision, moved by less than half a step, in its seat's colour."""
    (axes,) = FIGURES["branching"]("valet").axes
    (points,) = [one for one in axes.collections if len(one.get_offsets()) == len(TRACES.noted)]
    moved = points.get_offsets() - np.stack([TRACES.ply + 1, TRACES.noted.options], axis=1)
    assert 0.3 < abs(moved).max() <= random_games.JITTER
    red = points.get_facecolors()[TRACES.noted.seat == 0]
    assert red[:, :3].tolist() == [[1, 0, 0]] * len(red)


def test_game_lines_are_regressions():
    """A game whose options fall by one a decision has a line of slope -1."""
    game = plain([0, 1], *[(0, 9 - at) for at in range(6)])
    (axes,) = random_games.game_lines(traces_of([game])).axes
    (line,) = axes.lines
    assert line.get_xydata().tolist() == [[1, 9], [6, 4]]


def test_leads_are_grouped_by_final_places():
    """Whoever won is on the first line, whatever his seat; those who tie share the better place."""
    games = traces_of([led([3, 0, 1], [0, 1, 0.5]), led([0, 3, 0], [1, 0, 1])])
    assert finishing_order(games).tolist() == [[1, 2, 0], [0, 2, 1]]
    (axes,) = thinking.average_trend(games).axes
    ends = [line.get_ydata()[-1] for line in axes.lines]
    assert ends == pytest.approx([1, 0.75, 0])
    names = [text.get_text() for text in axes.get_legend().get_texts()]
    assert names == ["1", "2", "3", "95 % band"]


def test_histories_are_interpolated():
    """Decisions spread evenly from 0 to 1, with the end result after the last if that is asked."""
    game = led([0, 1], [0.5, 0.5], [0.75, 0.25], [1.0, 0.5])
    leads, games = lead_histories(traces_of([game]), 5)
    assert games.tolist() == [0]
    assert leads[0, 0] == pytest.approx([0.5, 0.625, 0.75, 0.875, 1])
    ended, _ = lead_histories(traces_of([game]), 4, ended=True)
    assert ended[0, 1] == pytest.approx([0.5, 0.25, 0.5, 0])
    assert grid(3).tolist() == [0, 0.5, 1]


def test_spreads_are_parts_of_the_largest_of_all():
    """Not each game's own largest: a quiet game stays low."""
    games = [led([0, 1], [0.5, 0.5], [0.5, 0.5]) for _ in range(2)]
    games[1].decisions = [
        (seat, count, (0.15, *note[1:])) for seat, count, note in games[1].decisions
    ]
    rows, most = spread_histories(traces_of(games), 3)
    assert rows == pytest.approx(np.array([[1, 1, 1], [0.25, 0.25, 0.25]]))
    assert most == 0.6


def test_both_spreads_are_drawn_and_each_says_what_it_is():
    """Of places with the mean that is held out, and of scores; with the rollouts of an option."""
    game = led([0, 1], [0.5, 0.5], [0.5, 0.5])
    game.decisions = [
        (seat, 4, (*note[:4], 40, 0.3, points))
        for (seat, _, note), points in zip(game.decisions, (2.0, 8.0), strict=True)
    ]
    traces = traces_of([game] * 3)
    (axes,) = thinking.decision_spread(traces).axes
    assert axes.get_ylabel() == "spread of estimated places / largest\n(10 rollouts an option)"
    assert [text.get_text() for text in axes.get_legend().texts] == [
        "one game", "mean", "mean, held out",
    ]  # fmt: skip
    assert axes.lines[-1].get_ydata() == pytest.approx(0.5)
    (axes,) = thinking.score_spread(traces, style="valet").axes
    assert axes.get_ylabel() == "Normalized Spread of Scores\n(10 rollouts an option)"
    assert axes.lines[0].get_ydata()[[0, -1]] == pytest.approx([0.25, 1])
    assert len(axes.get_legend().texts) == 2
    with pytest.raises(AnalysisError, match="no player noted"):
        thinking.score_spread(traces_of([plain([0, 1], (0, 2))]))


def test_bars_are_shares():
    """Of a hundred per cent, also where bars stand for several numbers."""
    far = Statistics.of(traces_of([plain([0, score]) for score in (1, 4, 301, 950)]))
    for made in (STATISTICS, far):
        (axes,) = random_games.score_distribution(made).axes
        assert sum(bar.get_height() for bar in axes.patches) == pytest.approx(100)
        assert len(axes.patches) <= 60
    (axes,) = random_games.rank_distribution(STATISTICS).axes
    assert sum(bar.get_width() for bar in axes.patches) == pytest.approx(300)


@pytest.mark.parametrize("traces", [TRACES, traces_of([led([0, 1], [0.9, 0.1], [1, 0])] * 5)])
def test_bands_are_intervals_on_the_scale(traces):
    """The winners' band is theirs at every portion of the game; equal games leave one too."""
    (axes,) = thinking.average_trend(traces).axes
    (path,) = axes.collections[0].get_paths()
    leads, games = lead_histories(traces, ended=True)
    of_winner = leads[games, finishing_order(traces)[:, 0]]
    for at, column in zip(grid(), of_winner.T, strict=True):
        here = path.vertices[np.isclose(path.vertices[:, 0], at), 1]
        ends = share_interval(column)
        assert (here.min(), here.max()) == pytest.approx((ends.low, ends.high))
        assert 0 <= here.min() < here.max() <= 1


def test_figures_of_one_decision():
    """The smallest game there is can be drawn."""
    tiny = traces_of([led([0, 1], [0.5, 0.5])])
    for draw in (
        random_games.branching,
        random_games.game_lines,
        thinking.decision_spread,
        thinking.lead_history,
        thinking.average_trend,
        thinking.lead_lines,
    ):
        draw(tiny, "tiny")


def test_what_cannot_be_drawn(tmp_path):
    """No notes, no decisions, no such style or file: said in a sentence."""
    silent = traces_of([plain([0, 1], (0, 2))])
    for draw in (thinking.decision_spread, thinking.lead_history, thinking.average_trend):
        with pytest.raises(AnalysisError, match="no player noted"):
            draw(silent)
    with pytest.raises(AnalysisError, match="no decisions"):
        random_games.branching(traces_of([plain([0, 1])]))
    with pytest.raises(AnalysisError, match="write one of cardwright, valet"):
        random_games.branching(silent, style="rococo")
    with pytest.raises(AnalysisError, match="one game"):
        random_games.overview([])
    with pytest.raises(AnalysisError, match="a row for each"):
        random_games.unknown_bits(np.zeros(3), np.zeros((2, 2)))
    figure = FIGURES["ranks"]("cardwright")
    with pytest.raises(ValueError, match=r"ends in \.png, \.svg, \.pdf"):
        USUAL_FILES.save(figure, tmp_path / "a.gif")
    with pytest.raises(RecordsError, match="cannot be written"):
        USUAL_FILES.save(figure, tmp_path / "no" / "a.png")
