"""Folders of seasons, and all that can be wrong with them."""

from __future__ import annotations

import pytest
from season_folders import make_season

from cardwright.league.plan import SeasonError
from cardwright.league.roster import LeagueFileError
from cardwright.league.season import MOST_BYTES, Wishes, read_plan


def test_a_plan_has_what_the_folder_has(tmp_path):
    plan, warnings = read_plan(make_season(tmp_path / "s"), Wishes(name="Spring", seed=9))
    assert warnings == ()
    assert (plan.name, plan.seed, plan.games, plan.blocks) == ("Spring", 9, 24, 3)
    assert [bot.file for bot in plan.bots] == ["first.py", "last.py", "any.py", "builtin:random"]
    assert plan.bots[3].builtin == "random"
    assert plan.bots[0].text == (tmp_path / "s/Bots/first.py").read_text()
    assert plan.files
    assert [entry.filepath for entry in plan.roster.entries] == [
        "first", "last", "any", "builtin:random",
    ]  # fmt: skip


def test_a_folder_that_is_not_there_is_said_with_what_to_do(tmp_path):
    with pytest.raises(SeasonError, match=r"is no folder; `cardwright league new .*nowhere"):
        read_plan(tmp_path / "nowhere", Wishes())


def test_files_that_are_missing_are_named(tmp_path):
    with pytest.raises(LeagueFileError, match=r"Main\.csv"):
        read_plan(tmp_path, Wishes())


def test_all_bots_that_cannot_be_played_are_named_at_once(tmp_path):
    season = make_season(
        tmp_path / "s", builtins=("builtin:nonsense", "builtin:ismcts:iterations=x", "missing")
    )
    (season / "Bots" / "first.py").write_bytes(b"x = 1\n\xff\n")
    (season / "Bots" / "last.py").write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(SeasonError) as caught:
        read_plan(season, Wishes())
    first, last, *players, missing = str(caught.value).splitlines()
    assert "first.py, line 2, is not UTF-8 text" in first
    assert "more than 1 MiB" in last
    assert "nonsense" in players[0]
    assert "iterations" in players[1]
    assert "missing.py cannot be read: No such file" in missing


def test_a_byte_order_mark_is_no_part_of_a_bot(tmp_path):
    season = make_season(tmp_path / "s")
    (season / "Bots" / "first.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert read_plan(season, Wishes())[0].bots[0].text == "x = 1\n"


def test_a_negative_seed_is_none(tmp_path):
    with pytest.raises(SeasonError, match="from 0, not -1"):
        read_plan(make_season(tmp_path / "s"), Wishes(seed=-1))
