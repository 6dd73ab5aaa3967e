"""Figures for papers: their points as tables, captions, words on axes, and nothing off a panel."""

from __future__ import annotations

import csv
import io
import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.text import Text
from PIL import Image
from test_game_figures import FIGURES, STYLES, TRACES

from cardwright.analysis.diagrams.drawing import diagram_text
from cardwright.analysis.diagrams.graph import Edge, Graph, GraphCluster, GraphNode
from cardwright.analysis.figures.registry import BY_NAME
from cardwright.arena.plots import points
from cardwright.publication.figures import (
    USUAL_FILES,
    AxisWord,
    CaptionLine,
    FigureFiles,
    counted_range,
    labelled,
)
from cardwright.publication.points import COLUMNS, plotted, points_text
from cardwright.statistics.intervals import Estimate
from cardwright.study.figure import DrawnFigure

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

LINE = CaptionLine("100 random games", 7, "Crazy Eights")


@cache
def drawn(name: str, style: str = "cardwright") -> Figure:
    made: Figure = FIGURES[name](style)
    return made


def size_of(file: Path) -> tuple[int, int]:
    with Image.open(file) as image:
        return image.size


@pytest.fixture(params=FIGURES)
def figure(request: pytest.FixtureRequest) -> Figure:
    return drawn(request.param)


@pytest.mark.sweep
def test_the_table_has_all_points(figure: Figure) -> None:
    """As many as are drawn, at the places where they are drawn, each with what it belongs to."""
    rows = list(csv.DictReader(io.StringIO(points_text(figure))))
    assert tuple(rows[0]) == COLUMNS
    for axes in figure.axes:
        title = axes.get_title("left") or axes.get_title()
        here = [row for row in rows if row["panel"] == title]
        assert all(row["series"] for row in here)
        dots = [point for one in axes.collections for point in one.get_offsets()
                if len(one.get_offsets()) > 1]  # fmt: skip
        lines = [line for line in axes.lines if line.get_marker() not in {"|", "_"}]
        free = [line for line in lines if line.get_transform() == axes.transData]
        dots += [point for line in free for point in line.get_xydata()]
        told = {(float(row["x"]), float(row["y"])) for row in here
                if row["kind"] in {"line", "point"}}  # fmt: skip
        assert told == {(float(x), float(y)) for x, y in dots}
        bars = sorted((bar.get_width(), bar.get_height()) for bar in axes.patches)
        ends = sorted(
            (float(row["width"]), float(row["high"]) - float(row["low"]))
            if row["x"] else (float(row["high"]) - float(row["low"]), float(row["width"]))
            for row in here if row["kind"] == "bar"
        )  # fmt: skip
        assert ends == pytest.approx(np.array(bars)) if bars else not ends
        levels = [row for row in here if row["kind"] == "level"]
        assert len(levels) == len(lines) - len(free)


def test_bands_are_in_the_table() -> None:
    """With the ends that are filled."""
    figure = FIGURES["average_trend"]("cardwright")
    rows = [row for row in plotted(figure) if row.kind == "band" and row.series == "came in 1"]
    path = figure.axes[0].collections[0].get_paths()[0].vertices
    for row in rows:
        here = path[np.isclose(path[:, 0], row.x), 1]
        assert (here.min(), here.max()) == pytest.approx((row.low, row.high))


def written(figure: Figure) -> str:
    """Return all texts of a figure, on one line."""
    figure.draw_without_rendering()
    return " ".join(" ".join(one.get_text() for one in figure.findobj(Text)).split())


NAMED = {
    "branching": ("95 % band", "LOESS"), "options_by_trick": ("± sd",),
    "decision_spread": ("mean, held out",), "lead_history": ("95 % band",),
    "average_trend": ("95 % band",), "lead_lines": ("threshold of drama",),
    "scores": ("mean",), "length": ("mean",), "game_lines": ("regression",),
    "overview": ("regression",), "spreads": ("mean, held out",), "leads": ("95 % band",),
}  # fmt: skip


@pytest.mark.sweep
def test_bands_whiskers_and_dashed_lines_are_named(figure: Figure) -> None:
    """In the figure itself, as a figure in a paper has only its caption beside it."""
    name = next(name for name in FIGURES if drawn(name) is figure)
    kinds = {row.kind for row in plotted(figure)}
    said = written(figure)
    assert all(one in said for one in NAMED.get(name, ()))
    assert (name in NAMED) or not kinds & {"band", "whisker", "level"}


def test_a_legend_stays_off_the_caption(tmp_path: Path) -> None:
    """A file is higher than its figure by the caption, which is grey; a legend's text is black."""
    figure = points([("a", Estimate(0.1, 0.0, 0.2, 9))], "score", reference=0.0)
    assert len(figure.legends) == 1
    for name, caption in (("with", True), ("without", False)):
        files = FigureFiles(caption=caption)
        (tmp_path / f"{name}.png").write_bytes(files.content(figure, "png", LINE))
    high = size_of(tmp_path / "without.png")[1]
    with Image.open(tmp_path / "with.png") as image:
        ink = np.asarray(image.convert("L"))
    assert ink[high - 40 : high].min() < 60
    assert 80 < ink[high + 2 :].min() < 200
    assert "95 % interval" in written(figure)


@pytest.mark.parametrize("name", ["branching", "spreads"])
def test_long_titles_are_whole_and_inside(name: str) -> None:
    """In as many lines as they need."""
    title = "Hearts with a name so long that a line is not enough QUEEN=7 $ " + "x" * 90
    if name == "branching":
        figure = BY_NAME[name].draw(TRACES, title, "cardwright")
    else:
        figure = BY_NAME[name].draw([(title, TRACES)] * 3, "cardwright")
    figure.draw_without_rendering()
    for axes in figure.axes:
        text = next(one for one in (axes.title, axes._left_title) if one.get_text())
        assert "".join(text.get_text().split()) == "".join(title.replace("$", r"\$").split())
        box = text.get_window_extent()
        assert box.y1 <= figure.bbox.y1
        assert box.x0 >= -1
        assert box.x1 <= figure.bbox.x1 + 1


@pytest.mark.sweep
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", FIGURES)
def test_every_axis_has_a_word_of_the_table(name: str, style: str) -> None:
    figure = drawn(name, style)
    known = {labelled(word, style=style) for word in AxisWord} | {""}
    texts = [axis.get_label_text() for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    texts += [figure.get_supxlabel(), figure.get_supylabel()]
    assert {re.sub(r"\s\(.*\)$", "", text) for text in texts} <= known
    assert any(texts)


@pytest.mark.sweep
def test_nothing_lies_off_its_panel(figure: Figure) -> None:
    """Neither lines nor bands, points or bars; whiskers may leave it by their caps."""
    figure.draw_without_rendering()
    for axes in figure.axes:
        box = axes.get_window_extent()
        (left, bottom), (right, top) = box.min - 3, box.max + 3
        for one in [*axes.lines, *axes.collections, *axes.patches]:
            if isinstance(one, Line2D):
                places = one.get_transform().transform(one.get_xydata())
            elif (
                len(one.get_paths() if hasattr(one, "get_paths") else [one])
                and hasattr(one, "get_offsets")
                and len(one.get_offsets()) > 1
            ):
                places = axes.transData.transform(one.get_offsets())
            else:
                places = one.get_window_extent().get_points()
            places = places[np.isfinite(places).all(axis=1)]
            assert (places[:, 0] >= left).all()
            assert (places[:, 0] <= right).all()
            assert (places[:, 1] >= bottom).all()
            assert (places[:, 1] <= top).all()


def test_a_caption_says_what_is_counted() -> None:
    assert re.fullmatch(
        r"Crazy Eights · n = 100 random games · seed 7 · Cardwright [\d.]+", LINE.text
    )
    assert re.fullmatch(r"Cardwright [\d.]+", CaptionLine().text)
    assert counted_range([1], "random games") == "1 random game"
    assert counted_range([80, 100], "games") == "80 to 100 games each"


def test_a_caption_is_below_everything(figure: Figure) -> None:
    """Outside the figure, so that no axis is under it; and it leaves no trace in the figure."""
    before = len(figure.texts)
    text, need = LINE.under(figure)
    extent = text.get_window_extent()
    assert extent.y1 <= 0
    assert extent.y0 >= -need * figure.dpi - 1
    assert extent.x1 <= figure.bbox.x1
    text.remove()
    assert len(figure.texts) == before


def test_a_caption_can_be_left_out(tmp_path: Path) -> None:
    figure = drawn("length", "valet")
    USUAL_FILES.save(figure, tmp_path / "with.png", LINE)
    FigureFiles(caption=False).save(figure, tmp_path / "without.png", LINE)
    assert size_of(tmp_path / "without.png") == (600, 600)
    assert size_of(tmp_path / "with.png")[1] > 600
    USUAL_FILES.save(figure, tmp_path / "with.svg", LINE)
    assert "n = 100 random games" in (tmp_path / "with.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(("columns", "wide"), [(1, 3.4), (2, 7.1)])
def test_figures_fit_the_columns_of_a_page(columns: int, wide: float, tmp_path: Path) -> None:
    figure = drawn("branching")
    FigureFiles(columns=columns).save(figure, tmp_path / "a.png", LINE)  # type: ignore[arg-type]
    assert size_of(tmp_path / "a.png")[0] == pytest.approx(wide * figure.dpi, abs=1)
    assert figure.get_size_inches()[0] == pytest.approx(5.2)


def test_a_pdf_has_no_date_and_its_fonts(tmp_path: Path) -> None:
    """TrueType, which publishers ask for, and not Type 3."""
    for name in ("a", "b"):
        USUAL_FILES.save(FIGURES["ranks"]("cardwright"), tmp_path / f"{name}.pdf", LINE)
    content = (tmp_path / "a.pdf").read_bytes()
    assert content == (tmp_path / "b.pdf").read_bytes()
    assert b"/Type3" not in content
    assert b"/CIDFontType2" in content
    assert b"CreationDate" not in content


def test_diagrams_have_the_same_files(tmp_path: Path) -> None:
    nodes = (GraphNode("a", ("STOCK",)), GraphNode("b", ("HAND", "1"), fill="khaki"))
    box = GraphCluster("p1", "p1", nodes)
    graph = Graph("A game", (box,), (Edge("a", "b", "green", 3, label="9.1"),))
    for ending, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<svg"), ("dot", b"di")):
        DrawnFigure("a", "A", "", graph, LINE).save(tmp_path / f"d.{ending}")
        assert (tmp_path / f"d.{ending}").read_bytes().startswith(begins)
    assert "n = 100 random games" in (tmp_path / "d.svg").read_text(encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(diagram_text(graph))))
    assert (tmp_path / "d.csv").read_text(encoding="utf-8") == diagram_text(graph)
    assert [(row["kind"], row["text"]) for row in rows] == [
        ("node", "STOCK"), ("node", "HAND 1"), ("edge", "9.1")
    ]  # fmt: skip
    assert (rows[2]["source"], rows[2]["target"], rows[2]["colour"]) == ("a", "b", "green")
