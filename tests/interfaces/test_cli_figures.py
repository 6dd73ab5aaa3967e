"""The command figures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import Result

from cardwright.analysis.figures.registry import OF_RANDOM_GAMES
from cardwright.interfaces.cli.figures import KINDS
from cardwright.study.gallery import VALET, check_collection
from cardwright.study.games import StudiedGame

Run = Callable[..., Result]
DOCS = Path(__file__).parents[2] / "docs"


def test_figures_of_two_games(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("leduc", "agram", "--games", "8", "--out", str(out), "--workers", "1")
    result = run("figures", *words, "--kinds", "branching,flow,ranks")
    assert result.exit_code == 0, result.output
    for game in ("leduc", "agram"):
        assert (out / f"branching/{game}.png").read_bytes().startswith(b"\x89PNG")
        ET.fromstring((out / f"flow/{game}.svg").read_text(encoding="utf-8"))
        assert (out / f"flow/{game}.dot").read_text().startswith("digraph")
        assert (out / f"ranks/{game}.svg").exists()
    assert (out / "overview.png").exists()
    page = (out / "index.html").read_text(encoding="utf-8")
    shown = re.findall(r'<img src="([^"]+)"', page)
    assert len(shown) == 7
    assert all((out / one).exists() for one in shown)


def test_every_kind_is_drawn_into_its_folder(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("agram", "--games", "4", "--out", str(out), "--workers", "1")
    result = run("figures", *words, "--kinds", ",".join(KINDS))
    assert result.exit_code == 0, result.output
    for kind in OF_RANDOM_GAMES:
        ending = "dot" if kind.is_diagram else "png"
        assert (out / kind.name / f"agram.{ending}").stat().st_size > 200
    assert "Not drawn" not in (out / "index.html").read_text(encoding="utf-8")
    page = (DOCS / "analysis.md").read_text(encoding="utf-8")
    listed = page.split("with a folder for each kind: ")[1]
    assert re.findall(r"`(\w+)`", listed.split(". ")[0]) == list(KINDS)


@pytest.mark.slow
def test_workers_draw_the_same(run: Run, tmp_path: Path) -> None:
    words = ("kuhn", "--games", "5", "--kinds", "branching")
    for count in ("1", "2"):
        out = tmp_path / count
        assert run("figures", *words, "--out", str(out), "--workers", count).exit_code == 0
    files = sorted(one.relative_to(tmp_path / "1") for one in (tmp_path / "1").rglob("*.*"))
    assert len(files) > 2
    for file in files:
        assert (tmp_path / "1" / file).read_bytes() == (tmp_path / "2" / file).read_bytes()


def test_what_cannot_be_drawn_is_said(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ("blackjack", "--games", "5", "--kinds", "ranks,length", "--workers", "1")
    assert run("figures", *words, "--out", str(out)).exit_code == 0
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "a single seat is compared with no other" in page
    assert (out / "length/blackjack.png").exists()


def test_the_collection_has_21_games_with_its_numbers_of_players() -> None:
    assert len(VALET) == 21
    check_collection([StudiedGame.of(name) for name in VALET])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "--valet"),
        (("leduc", "--valet"), 2, "one of the two"),
        (("leduc", "--kinds", "branchin"), 2, "branching"),
        (("leduc", "--kinds", ","), 2, "name one"),
        (("leducc",), 2, "leduc"),
    ],
)
def test_mistakes_are_explained(
    run: Run, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    result = run("figures", *words, "--out", str(tmp_path / "out"))
    assert result.exit_code == code, result.output
    assert said in result.output
    assert not (tmp_path / "out").exists()


def test_a_used_folder_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    result = run("figures", "leduc", "--out", str(tmp_path))
    assert result.exit_code == 1
    assert "not empty" in result.output
