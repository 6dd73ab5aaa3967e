from __future__ import annotations

import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from cardwright.arena.plots import PlotError, heat_map, points, running_mean, save
from cardwright.extras import MissingExtraError
from cardwright.statistics.intervals import Estimate, share_interval

if TYPE_CHECKING:
    from pathlib import Path

ROWS = [("first", Estimate(1.5, 1.0, 2.0, 10)), ("x" * 60, Estimate(0.5, None, None, 1))]


def lines_of(figure) -> list[tuple[list[float], list[float]]]:
    axes = figure.axes[0]
    return [(list(map(float, one.get_xdata())), list(map(float, one.get_ydata())))
            for one in axes.lines]  # fmt: skip


def test_points_stand_where_the_estimates_are() -> None:
    figure = points(ROWS, "score", title="A title", reference=0.0)
    drawn = lines_of(figure)
    assert drawn[0][0] == [0.0, 0.0]
    assert drawn[1:] == [([1.0, 2.0], [0, 0]), ([1.5], [0]), ([0.5], [1])]
    axes = figure.axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names[0] == "first"
    assert "".join(names[1].split()) == ROWS[1][0].replace(" ", "")  # whole, in several lines
    assert max(map(len, names[1].splitlines())) < 40
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert said == ["reference", "95 % interval", "mean"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]  # the first row is at the top
    assert (axes.get_xlabel(), axes.get_title("left")) == ("score", "A title")


def test_a_heat_map_has_every_number_and_a_meaning_of_white() -> None:
    figure = heat_map([[1.0, 4.0], [float("nan"), 2.5]], ["a", "b"], "score", centre=2.0)
    axes = figure.axes[0]
    texts = {(text.get_position(), text.get_text()) for text in axes.texts}
    assert texts == {((0, 0), "1.00"), ((1, 0), "4.00"), ((1, 1), "2.50")}
    assert axes.images[0].get_clim() == (0.0, 4.0)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a  1", "b  2"]
    good, bad = axes.images[0].cmap(1.0), axes.images[0].cmap(0.0)
    assert good[2] > good[0]  # blue
    assert bad[0] > bad[2]
    low = heat_map([[1.0, 4.0], [0.0, 2.5]], ["a", "b"], "score", centre=2.0, low_is_good=True)
    assert low.axes[0].images[0].cmap(1.0) == bad


def test_a_running_mean_ends_at_the_mean() -> None:
    values = np.random.default_rng(1).normal(3, 1, 500)
    figure = running_mean(values, "points", lines=[("H1", 2.0)])
    (across, up), (_, level) = lines_of(figure)
    assert across[-1] == 500
    assert up[-1] == pytest.approx(values.mean())
    assert up[0] == pytest.approx(values[: int(across[0])].mean())
    assert set(level) == {2.0}
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    widest = band[band[:, 0] == 500][:, 1]
    assert np.ptp(widest) == pytest.approx(2 * 1.9647 * values.std(ddof=1) / 500**0.5, rel=1e-3)


def test_the_band_of_a_running_mean_is_that_of_the_interval_asked_for() -> None:
    """A share that is always 1 has a band below it; a score that is always the same has none."""
    values = np.ones(50)
    figure = running_mean(values, "share of wins", interval=share_interval)
    band = figure.axes[0].collections[0].get_paths()[0].vertices
    last = band[band[:, 0] == 50][:, 1]
    assert (last.min(), last.max()) == (share_interval(values).low, 1.0)
    assert not running_mean(values, "score").axes[0].collections[0].get_paths()


@pytest.mark.parametrize("many", [0, 1, 2, 15])
def test_a_running_mean_of_few_deals_can_be_drawn(many: int, tmp_path: Path) -> None:
    save(running_mean(np.arange(float(many)), "points"), tmp_path / "mean.png")
    assert (tmp_path / "mean.png").stat().st_size > 1000


def test_pictures_are_saved_by_their_ending_and_always_the_same(tmp_path: Path) -> None:
    for kind, begins in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        for name in ("one", "two"):
            save(points(ROWS, "score"), tmp_path / f"{name}.{kind}")
        content = (tmp_path / f"one.{kind}").read_bytes()
        assert content.startswith(begins)
        assert content == (tmp_path / f"two.{kind}").read_bytes()
    assert "first" in "".join(ET.parse(tmp_path / "one.svg").getroot().itertext())


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match=r"ends in \.png, \.svg, \.pdf"):
        save(points(ROWS, "score"), tmp_path / "picture.gif")


def test_without_matplotlib_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"needs matplotlib.*install it with.*arena"):
        points(ROWS, "score")
