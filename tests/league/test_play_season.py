"""Seasons from Python: played, read, and asked for their standings."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from season_folders import make_season, outputs

from cardwright import play_season
from cardwright.errors import SeasonError
from cardwright.interfaces.cli.group import commands
from cardwright.jobs.files import RecordsError
from cardwright.league import BotLimits, read_season, season as seasons
from cardwright.sandbox.levels import AvailableLevel
from cardwright.sandbox.limits import SandboxLevel

BUILTINS = ("builtin:random", "builtin:rule", "builtin:random", "builtin:lowest")


def test_a_season_is_the_one_that_the_command_plays(tmp_path):
    for name in ("command", "python"):
        make_season(tmp_path / name, bots={}, builtins=BUILTINS, games=12)
    words = ["league", "run", str(tmp_path / "command"), "--seed", "7", "--json", "--workers", "1"]
    done = CliRunner().invoke(commands, words)
    played = play_season(tmp_path / "python", seed=7, executor="threads", workers=2)
    assert outputs(tmp_path / "python") == outputs(tmp_path / "command")
    assert played.complete
    standings = json.loads(done.stdout)["standings"]
    assert played.outcome().records() == standings
    assert played.to_polars().to_dicts() == standings
    assert read_season(str(tmp_path / "python")).to_polars().equals(played.to_polars())


def test_a_season_goes_on_from_its_own_seed(tmp_path):
    make_season(tmp_path / "s", bots={}, builtins=BUILTINS, games=4)
    first = play_season(tmp_path / "s")
    assert play_season(tmp_path / "s", resume=True).plan.seed == first.plan.seed
    with pytest.raises(RecordsError, match="which is finished: play it again"):
        play_season(tmp_path / "s")
    assert play_season(tmp_path / "s", again=True).plan.seed != first.plan.seed


def test_faults_are_a_table(tmp_path):
    bad = "def getPlay(state):\n    raise ValueError('no')\ngetSluff = getPlay\n"
    make_season(tmp_path / "s", bots={"bad": bad}, builtins=("builtin:random",) * 3, games=2)
    played = play_season(tmp_path / "s", trusted=True, seed=1, limits=BotLimits(faults=2))
    table = played.outcome().faults_to_polars()
    assert set(table["bot"]) == {"bad 0"}
    assert set(table["game"]) == {1, 2}
    assert "no" in table["message"][0]
    assert table["forfeit"].sum() == 2
    (row,) = played.to_polars().filter(bot="bad 0").to_dicts()
    assert (row["faults"], row["forfeits"]) == (len(table), 2)


def test_a_season_without_faults_has_an_empty_table(tmp_path):
    make_season(tmp_path / "s", bots={}, builtins=BUILTINS, games=1)
    assert play_season(tmp_path / "s").outcome().faults_to_polars().is_empty()


def test_what_does_not_go_together_is_refused(tmp_path):
    make_season(tmp_path / "s", games=1)
    with pytest.raises(SeasonError, match="not both resume and again"):
        play_season(tmp_path / "s", resume=True, again=True)
    with pytest.raises(SeasonError, match="did you mean code"):
        play_season(tmp_path / "s", rules="cod")
    with pytest.raises(SeasonError, match="in no sandbox"):
        play_season(tmp_path / "s", trusted=True, level=2)
    with pytest.raises(TypeError, match="no keyword 'truste'; did you mean trusted"):
        play_season(tmp_path / "s", truste=True)
    with pytest.raises(SeasonError, match="league new"):
        play_season(tmp_path / "nothing")


def test_bots_of_strangers_need_a_sandbox(tmp_path, monkeypatch):
    make_season(tmp_path / "s", games=1)
    weak = AvailableLevel(SandboxLevel.LIMITS, {})
    monkeypatch.setattr("cardwright.sandbox.levels.strongest", lambda: weak)
    with pytest.raises(seasons.WeakSandboxError, match="trusted=True, or level=1"):
        play_season(tmp_path / "s")
    assert not (tmp_path / "s/Records").exists()


def test_what_is_strange_in_the_roster_is_a_warning(tmp_path):
    make_season(tmp_path / "s", bots={}, builtins=BUILTINS, games=1)
    roster = tmp_path / "s/Rosters/Main.csv"
    roster.write_text(roster.read_text().replace("random 2", "random 0"))
    with pytest.warns(UserWarning, match="are all called 'random 0'"):
        play_season(tmp_path / "s")
