"""Figures by name: of a run's records, of a report, and galleries of many games."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from cardwright import analyze
from cardwright.analysis import AnalysisReport, draw_figure, draw_figures
from cardwright.analysis.diagrams.drawing import laid_out
from cardwright.analysis.diagrams.graph import Graph, GraphCluster
from cardwright.analysis.diagrams.picture import Outline
from cardwright.analysis.figures.registry import FIGURES, Needs, figure_kind
from cardwright.errors import AnalysisError
from cardwright.jobs.files import RecordsError
from commands import leave_pictures_empty
from deep import mostly_deep

if TYPE_CHECKING:
    from pathlib import Path

NEEDY = {
    *("branching", "options_by_trick", "lead_history", "ranks"),
    *("knowledge", "flow", "measures", "overview"),
}
"""Figures that need each kind of what is recorded, and two of several games."""

OF_THINKING = {one.name for one in FIGURES if one.needs in (Needs.THINKING, Needs.LEADS)}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> AnalysisReport:
    out = tmp_path_factory.mktemp("figures") / "out"
    player = "cardstock-pipmc:tests=1"
    return analyze(["leduc", "agram"], games=5, ai_games=2, player=player, seed=5, folder=out)


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_deep([one.name for one in FIGURES], NEEDY.__contains__))
def test_every_figure_can_be_had_by_name(pair: AnalysisReport, name: str, tmp_path: Path) -> None:
    found = pair.figure(name, "agram")
    assert found.name == name
    assert found.caption
    found.save(tmp_path / "of_report.svg")
    ET.fromstring((tmp_path / "of_report.svg").read_text(encoding="utf-8"))
    if figure_kind(name).of_several:
        return
    batch = "AA" if name in OF_THINKING else "RR"
    again = draw_figure(name, pair.folder / "records/agram" / batch)
    again.save(tmp_path / "of_records.svg")
    assert again.caption == found.caption
    both = [(tmp_path / f"of_{one}.svg").read_bytes() for one in ("report", "records")]
    assert both[0] == both[1]


def test_flows_of_several_games_stand_in_one_picture(pair: AnalysisReport, tmp_path: Path) -> None:
    """A box for each with all that its own diagram has, no line from one to another, one legend."""
    flows = pair.figure("flows").content
    alone = [pair.figure("flow", game).content for game in pair.games]
    assert isinstance(flows, Graph)
    assert [one.label for one in flows.items if isinstance(one, GraphCluster)] == [
        "Leduc Poker", "Agram",
    ]  # fmt: skip
    for box, one in zip(flows.items, alone, strict=True):
        assert isinstance(box, GraphCluster)
        assert isinstance(one, Graph)
        assert [node.lines for node in box.nodes()] == [node.lines for node in one.nodes()]
        inside = {node.id for node in box.nodes()}
        mine = [edge for edge in flows.edges if edge.source in inside]
        assert all(edge.target in inside for edge in mine)
        assert [edge.label for edge in mine] == [edge.label for edge in one.edges]
    assert len({node.id for node in flows.nodes()}) == len(flows.nodes())
    picture = laid_out(flows)
    boxes = [item for item in picture.items if isinstance(item, Outline)]
    assert all(one.centre.x - one.width / 2 >= 0 for one in boxes)
    assert all(one.centre.x + one.width / 2 <= picture.width for one in boxes)
    assert all(one.centre.y + one.height / 2 <= picture.height for one in boxes)
    for ending in ("svg", "png", "dot"):
        pair.figure("flows").save(tmp_path / f"flows.{ending}")
    assert '[label="Leduc Poker", ' in (tmp_path / "flows.dot").read_text()
    texts = [key.text for key in flows.legend]
    assert len(set(texts)) == len(texts)
    assert set(texts) == {key.text for one in alone for key in one.legend}  # type: ignore[union-attr]


def test_sheets_need_what_they_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without thinking players there are no spreads and leads; measures and flows remain."""
    leave_pictures_empty(monkeypatch)
    report = analyze(["leduc", "kuhn"], games=4, ai_games=0, seed=1)
    for name in ("spreads", "leads"):
        with pytest.raises(AnalysisError, match="no thinking players"):
            report.figure(name)
    page = report.save(tmp_path / "out")
    assert (tmp_path / "out/diagrams/flows.svg").exists()
    assert not (tmp_path / "out/figures/leads.svg").exists()
    assert "diagrams/flows.svg" in page.read_text(encoding="utf-8")


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
