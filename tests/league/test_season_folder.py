"""Folders of seasons, and all that can be wrong with them."""

from __future__ import annotations

import os

import pytest
from season_folders import make_season

from cardwright.league.plan import SeasonError
from cardwright.league.roster import LeagueFileError
from cardwright.league.season import MOST_BYTES, MOST_SHIPPED, bot_of, read_plan


def test_a_plan_has_what_the_folder_has(tmp_path):
    plan, warnings = read_plan(make_season(tmp_path / "s"), name="Spring", seed=9)
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
    with pytest.raises(SeasonError, match=r"is not a folder; `cardwright league new .*nowhere"):
        read_plan(tmp_path / "nowhere")


def test_files_that_are_missing_are_named(tmp_path):
    with pytest.raises(LeagueFileError, match=r"Main\.csv"):
        read_plan(tmp_path)


def test_all_bots_that_cannot_be_played_are_named_at_once(tmp_path):
    season = make_season(
        tmp_path / "s", builtins=("builtin:nonsense", "builtin:ismcts:iterations=x", "missing")
    )
    (season / "Bots" / "first.py").write_bytes(b"x = 1\n\xff\n")
    (season / "Bots" / "last.py").write_bytes(b"#" * (MOST_BYTES + 1))
    with pytest.raises(SeasonError) as caught:
        read_plan(season)
    first, last, *players, missing = str(caught.value).splitlines()
    assert "first.py, line 2, is not UTF-8 text" in first
    assert "more than 1 MiB" in last
    assert "nonsense" in players[0]
    assert "iterations" in players[1]
    assert "missing.py cannot be read: No such file" in missing


def test_a_byte_order_mark_is_no_part_of_a_bot(tmp_path):
    season = make_season(tmp_path / "s")
    (season / "Bots" / "first.py").write_bytes(b"\xef\xbb\xbfx = 1\n")
    assert read_plan(season)[0].bots[0].text == "x = 1\n"


def test_a_negative_seed_is_none(tmp_path):
    with pytest.raises(SeasonError, match="from 0, not -1"):
        read_plan(make_season(tmp_path / "s"), seed=-1)


@pytest.mark.parametrize("place", ["Bots/first.py", "Rosters/Main.csv", "Bots/first/weights"])
def test_a_pipe_in_the_place_of_a_file_is_refused_and_not_waited_for(tmp_path, place):
    season = make_season(tmp_path / "s")
    (season / place).unlink(missing_ok=True)
    (season / place).parent.mkdir(exist_ok=True)
    os.mkfifo(season / place)
    with pytest.raises((SeasonError, LeagueFileError), match="not a regular file but a pipe"):
        read_plan(season)


def test_files_beside_a_bot_belong_to_it(tmp_path):
    """Programs there are those of other bots, and so are links within Bots."""
    season = make_season(tmp_path / "s")
    beside = season / "Bots" / "first"
    (beside / "more").mkdir(parents=True)
    (beside / "weights.bin").write_bytes(b"\0\1")
    (beside / "more" / "table.csv").write_text("1,2")
    (beside / "another.py").write_text("secret")
    (beside / "link").symlink_to(season / "Bots" / "last.py")
    bots = read_plan(season)[0].bots
    assert bots[0].files == (("more/table.csv", b"1,2"), ("weights.bin", b"\0\1"))
    assert bots[1].files == ()
    before = bots[0].digest
    (beside / "weights.bin").write_bytes(b"\0\2")
    assert bot_of(season / "Bots" / "first.py", "first").digest != before


def test_files_beside_a_bot_have_a_size(tmp_path):
    season = make_season(tmp_path / "s")
    beside = season / "Bots" / "first"
    beside.mkdir()
    (beside / "one").write_bytes(bytes(MOST_SHIPPED - 1))
    assert read_plan(season)[0].bots[0].files
    (beside / "two").write_bytes(b"12")
    with pytest.raises(SeasonError, match="have more than 8 MiB together"):
        read_plan(season)
