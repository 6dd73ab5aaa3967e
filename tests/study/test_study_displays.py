"""What notebooks show of experiments, seasons, analyses and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright import analyze, play_season, run_experiment
from cardwright.lab import LabPlan
from cardwright.league import new_season

if TYPE_CHECKING:
    from pathlib import Path

PLAN = """
name = "<script>"
deals = 20
seed = 1
game = { name = "hearts", preset = "standard", set = { ROUNDS = 1 } }
[[factors]]
name = "fourth"
levels = { rule = "rule", random = "random" }
"""


def test_an_experiment_shows_its_effects() -> None:
    """Each main effect stands with its interval, and the name of the plan is escaped."""
    shown = run_experiment(LabPlan.from_text(PLAN))._repr_html_()
    assert shown.count("<circle") == 2
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown


@pytest.mark.slow
def test_a_season_shows_its_standings(tmp_path: Path) -> None:
    """All bots stand in the table, the best first, and its outcome shows the same."""
    new_season(tmp_path / "season")
    (tmp_path / "season" / "Schedules" / "Main.csv").write_text("0,1,2,3\n")
    season = play_season(tmp_path / "season", trusted=True, seed=1)
    shown = season._repr_html_()
    places = [shown.index(bot) for bot in season.to_polars()["bot"]]
    assert places == sorted(places)
    assert len(places) == 4
    assert season.outcome()._repr_html_().count("<tr>") == shown.count("<tr>") == 5


@pytest.mark.slow
def test_an_analysis_and_its_figures_are_shown() -> None:
    """All sentences and measures of a game; a figure is a picture in which nothing can run."""
    report = analyze("kuhn", games=50, ai_games=0, seed=1)
    shown = report._repr_html_()
    assert shown.count("<tr>") == len(report.to_polars()) + 1 or "more rows" in shown
    picture = report.figure("branching")._repr_html_()
    assert 'src="data:image/svg+xml;base64,' in picture
    assert "<svg" not in picture
