"""Figures by name: of a run's records, of a report, and galleries of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from cardwright import AnalysisError, AnalysisReport, analyze, draw_figure, draw_figures
from cardwright.analysis.figures.registry import FIGURES, Needs
from cardwright.jobs.errors import RecordsError

if TYPE_CHECKING:
    from pathlib import Path

OF_THINKING = {one.name for one in FIGURES if one.needs in (Needs.THINKING, Needs.LEADS)}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> AnalysisReport:
    out = tmp_path_factory.mktemp("figures") / "out"
    player = "cardstock-pipmc:tests=1"
    return analyze(["leduc", "agram"], games=5, ai_games=2, player=player, seed=5, folder=out)


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in FIGURES])
def test_every_figure_can_be_had_by_name(pair: AnalysisReport, name: str, tmp_path: Path) -> None:
    found = pair.figure(name, "agram")
    assert found.name == name
    assert found.caption
    found.save(tmp_path / "of_report.svg")
    ET.fromstring((tmp_path / "of_report.svg").read_text(encoding="utf-8"))
    if name in ("measures", "overview"):
        return
    batch = "AA" if name in OF_THINKING else "RR"
    again = draw_figure(name, pair.folder / "records/agram" / batch)
    again.save(tmp_path / "of_records.svg")
    assert again.caption == found.caption
    both = [(tmp_path / f"of_{one}.svg").read_bytes() for one in ("report", "records")]
    assert both[0] == both[1]


def test_a_diagram_is_saved_as_text_for_graphviz_too(pair: AnalysisReport, tmp_path: Path) -> None:
    stages = pair.figure("stages")
    stages.save(tmp_path / "stages.dot")
    assert (tmp_path / "stages.dot").read_text().startswith("digraph")
    with pytest.raises(AnalysisError, match=r"ends in \.png, \.svg, \.pdf or \.dot"):
        stages.save(tmp_path / "stages.gif")


def test_what_cannot_be_drawn_is_said(pair: AnalysisReport, tmp_path: Path) -> None:
    run = pair.folder / "records/leduc/RR"
    with pytest.raises(AnalysisError, match="did you mean branching"):
        draw_figure("branchin", run)
    with pytest.raises(AnalysisError, match="several games"):
        draw_figure("overview", run)
    with pytest.raises(AnalysisError, match="lead_history cannot be drawn"):
        draw_figure("lead_history", run)
    with pytest.raises(AnalysisError, match="options_by_trick cannot be drawn"):
        pair.figure("options_by_trick", "leduc")
    with pytest.raises(RecordsError):
        draw_figure("branching", tmp_path)


def test_the_title_is_the_one_that_is_given(pair: AnalysisReport, tmp_path: Path) -> None:
    run = pair.folder / "records/leduc/RR"
    draw_figure("branching", run, style="valet", title="Poker").save(tmp_path / "one.svg")
    assert "Poker" in (tmp_path / "one.svg").read_text(encoding="utf-8")


def test_a_gallery_is_drawn(tmp_path: Path) -> None:
    page = draw_figures(["crazyeights", "kuhn"], tmp_path / "out", kinds=["length"], count=4)
    assert page == tmp_path.absolute() / "out/index.html"
    assert "Crazy Eights" in page.read_text(encoding="utf-8")
    assert (tmp_path / "out/length/kuhn.svg").exists()
    with pytest.raises(AnalysisError, match="not empty"):
        draw_figures("kuhn", tmp_path / "out")


@pytest.mark.parametrize(("kinds", "said"), [(["lenght"], "length"), ([], "name one")])
def test_kinds_that_there_are_not_are_refused(kinds: list[str], said: str, tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match=said):
        draw_figures("kuhn", tmp_path / "out", kinds=kinds)
    assert not (tmp_path / "out").exists()
