"""The figures of a search as files: what they draw, which there are, and what a folder keeps."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from searched import account_of

from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.figures import (
    compared_games,
    compared_measures,
    evolution_pictures,
    worst,
)
from cardwright.evolution.report.files import write_account
from cardwright.evolution.report.served_page import CHARTS, FIGURE_FILE
from cardwright.publication.figures import FigureFiles
from commands import leave_pictures_empty

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.evolution.report.account import EvolutionAccount

POINTS = FigureFiles(formats=())
"""No picture, only what is drawn."""


def rows_of(account: EvolutionAccount, name: str) -> list[dict[str, str]]:
    """Return the points of a figure."""
    made = {one.name: one for one in evolution_pictures(account, POINTS)}
    text = made[name].files[f"{name}.csv"].decode()
    return list(csv.DictReader(io.StringIO(text)))


def test_the_front_has_every_candidate_by_its_first_two_aims() -> None:
    """And the elites and the original where the search saw them, with what was wanted."""
    account = account_of()
    one, other = (aim.measure for aim in account.aims[:2])
    rows = rows_of(account, "front")
    drawn = [(float(row["x"]), float(row["y"])) for row in rows if row["series"] == "candidates"]
    assert drawn == [(p.mean(one), p.mean(other)) for p in account.points]
    elites = [float(row["x"]) for row in rows if row["series"] == "elites"]
    assert elites == [game.searched[one].mean for game in account.elites]
    (start,) = (row for row in rows if row["series"] == account.title)
    assert float(start["y"]) == account.original.searched[other].mean
    wanted = [float(row["x"]) for row in rows if row["series"] == "wanted"]
    assert min(wanted) == account.aims[0].low
    assert max(wanted) == account.aims[0].high


def test_the_best_so_far_never_falls() -> None:
    """It begins with the original and ends with the best of those drawn."""
    account = account_of()
    rows = rows_of(account, "progress")
    best = [float(row["y"]) for row in rows if row["series"] == "best so far"]
    assert best == sorted(best)
    assert best[0] == account.original.total
    assert best[-1] == max(account.original.total, *(point.total for point in account.points))
    drawn = sum(row["series"] == "candidates" for row in rows)
    assert drawn == len(account.points) - len(worst(account))


def test_intervals_are_those_of_the_second_measurement() -> None:
    """A panel for each measure that was wanted, a row for each game, the original first."""
    account = account_of()
    rows = [row for row in rows_of(account, "measures") if row["kind"] == "interval"]
    assert {row["panel"] for row in rows} == {
        MEASURES[name].label for name in compared_measures(account)
    }
    games = (account.original, *compared_games(account))
    first = compared_measures(account)[0]
    shown = [row for row in rows if row["panel"] == MEASURES[first].label]
    assert [(row["name"], float(row["low"]), float(row["high"])) for row in shown] == [
        (name, game.measures[first].low, game.measures[first].high)
        for name, game in zip([account.title, *(g.name for g in games[1:])], games, strict=True)
    ]


@pytest.mark.parametrize("mapped", [2, 3])
def test_every_elite_of_a_map_has_its_cell(mapped: int) -> None:
    """With a third measure the cells are in panels for its bins."""
    account = account_of(mapped=mapped)
    assert account.map is not None
    filled = [row for row in rows_of(account, "map") if row["kind"] == "cell" and row["value"]]
    totals = {game.candidate.name: game.total for game in account.elites}
    wanted = [totals[name] for name in account.map.names.values() if name in totals]
    found = sorted(float(row["value"]) for row in filled)
    assert [one for one in sorted(wanted) if one not in found] == []
    panels = {row["panel"] for row in filled}
    assert (len(panels) > 1) == (mapped == 3)


def test_a_search_without_a_second_aim_has_no_front() -> None:
    """What there is nothing to draw of is not drawn; a search that measured nothing has none."""
    account = account_of()
    lone = replace(account, aims=account.aims[:1])
    assert [one.name for one in evolution_pictures(lone, POINTS)] == ["measures", "progress"]
    assert evolution_pictures(replace(account, points=(), elites=()), POINTS) == ()


def test_figures_are_saved_as_is_wanted_and_old_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page links what is there; files of others in the folder are left alone."""
    leave_pictures_empty(monkeypatch)
    account = account_of(mapped=2)
    write_account(account, tmp_path)
    figures = tmp_path / "figures"
    for name in ("mine.png", "front.txt"):
        (figures / name).write_text("mine")
    wanted = FigureFiles(("pdf",), caption=False, columns=1)
    written = write_account(replace(account, map=None), tmp_path, wanted)
    ours = {file.name for file in written if file.parent == figures}
    assert ours == {f"{name}.{k}" for name in CHARTS if name != "map" for k in ("pdf", "csv")}
    assert {file.name for file in figures.iterdir()} == {*ours, "mine.png", "front.txt"}
    assert all(re.fullmatch(FIGURE_FILE, name) for name in ours)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert all(f'href="figures/{name}"' in page for name in ours)


def test_the_same_account_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing in the files depends on the time, the folder or the order of sets.

    What figures draw is empty here: their bytes are compared in `analysis`.
    """
    leave_pictures_empty(monkeypatch)
    first, second = (
        {
            file.relative_to(tmp_path / name): file.read_bytes()
            for file in write_account(account_of(mapped=2), tmp_path / name, FigureFiles(("svg",)))
        }
        for name in ("a", "b")
    )
    assert first == second


def test_names_are_drawn_as_they_are() -> None:
    """Dollar signs begin no mathematics, and long names are cut."""
    account = replace(account_of(), title="A $x$ game\n" + "y" * 90)
    assert len(evolution_pictures(account, FigureFiles(("svg",)))) == 3


def test_every_measure_has_a_unit() -> None:
    assert all(one.measure.unit for one in MEASURES.values())
