"""The report on a search that was carried out: its account, and games that can be played."""

from __future__ import annotations

import html
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from cardwright.evolution.candidate import Departure, DepartureReason, Evaluated, FunnelStep
from cardwright.evolution.evolve import evolve
from cardwright.evolution.methods.method import Judged
from cardwright.evolution.report.account import account_of
from cardwright.evolution.report.files import write_account
from cardwright.evolution.results import Elite, Evolution
from cardwright.game.game import Game
from cardwright.game.native.random_games import play_random
from cardwright.interfaces.cli.group import commands
from commands import leave_pictures_empty
from deep import usually

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

CANDIDATES = usually(12, 24)


@pytest.fixture(scope="module")
def found() -> Evolution:
    return evolve(
        "agram",
        ["length 10", "branching max"],
        axes=["length 2..40", "branching 1..5"],
        vary="constants",
        candidates=CANDIDATES,
        generation=6,
        finalists=3,
        games=30,
        seed=11,
    )


def test_the_account_has_all_that_was_found(found: Evolution) -> None:
    """Every candidate is somewhere, and each cell of the map has its elite."""
    account = account_of(found, game="agram", command="cardwright evolve agram")
    assert account.candidates == CANDIDATES
    assert len(account.points) + sum(account.departures.values()) == CANDIDATES
    assert account.map is not None
    original = found.original.name
    names = {one.candidate.name for one in account.elites}
    assert original not in names
    assert set(account.map.names.values()) <= {*names, original}
    for one in account.elites:
        assert one.told
        assert one.lineage[0].name == original
        assert one.lineage[-1].name == one.candidate.name
    assert all(one.held_out or one.left_again for one in account.elites[:3])


def test_notebooks_show_what_was_found(found: Evolution) -> None:
    """The original stands above the elites, each with its difference in words and the aims."""
    shown = found._repr_html_()
    places = [
        shown.index(one) for one in ("the original", *(one.name for one in found.elites[:10]))
    ]
    assert places == sorted(places)
    for one in account_of(found, game="agram", command="").elites:
        if one.candidate.name in shown:
            assert all(html.escape(sentence) in shown for sentence in one.told)
    assert "length 10, branching max" in shown
    assert shown.count("</tr>") == 2 + min(10, len(found.elites))


def test_found_games_are_taken_by_commands(
    found: Evolution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They pass the check, have the names of files, and are played to the end."""
    leave_pictures_empty(monkeypatch)
    account = account_of(found, game="agram")
    write_account(account, tmp_path)
    files = sorted((tmp_path / "evolved").glob("*.rcy"))
    assert len(files) == len(account.elites) > 2
    result = CliRunner().invoke(commands, ["check", *map(str, files)])
    assert result.exit_code == 0, result.output
    assert "warning" not in result.output
    for file in files[: usually(3, len(files))]:
        game = Game.load(str(file))
        assert len(play_random(game, range(3)).ended()) == 3
    shown = ["simulate", str(files[0]), "--games", "5", "--seed", "1"]
    assert CliRunner().invoke(commands, shown).exit_code == 0


def test_the_order_is_that_of_the_second_measurement(found: Evolution) -> None:
    """What the search thought of them is what they were chosen for."""
    finalists = sorted(found.finalists, key=lambda one: one.judged.total, reverse=True)
    scored = {
        elite.name: Elite(elite.judged, replace(elite.judged, scores=(float(at),)))
        for at, elite in enumerate(finalists)
    }
    elites = tuple(scored.get(elite.name, elite) for elite in found.elites)
    account = account_of(replace(found, elites=elites), game="agram")
    names = [one.candidate.name for one in account.elites]
    assert names[: len(finalists)] == [elite.name for elite in reversed(finalists)]


def test_who_left_when_measured_again_comes_last_of_those(found: Evolution) -> None:
    """Its card says why, and it is not what the headline praises."""
    finalists = found.finalists
    assert len(finalists) == 3
    best = max(finalists, key=lambda one: one.judged.total)
    gone = Departure(FunnelStep.PLAY, DepartureReason.ENDLESS)
    again = Judged(Evaluated(best.candidate, gone))
    elites = tuple(Elite(e.judged, again) if e is best else e for e in found.elites)
    account = account_of(replace(found, elites=elites), game="agram")
    last = next(one for one in account.elites if one.candidate.name == best.name)
    assert last.left_again == DepartureReason.ENDLESS.value
    assert last.number > max(one.number for one in account.elites if one.held_out)
