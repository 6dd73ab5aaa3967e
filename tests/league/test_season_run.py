"""Seasons that are played, killed, gone on with: the tables are the same whatever happened."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from season_folders import make_season, outputs

import deep
from cardwright._version import RESULTS_VERSION
from cardwright.extras import MissingExtraError
from cardwright.jobs.files import DamagedError, RecordsError
from cardwright.jobs.job import executor
from cardwright.league.records import Season, read_season
from cardwright.league.run import run_season
from cardwright.league.season import read_plan
from deep import usually
from killing import killed_at_write


def plan_of(folder):
    """Return a plan with blocks that are small enough for a season to have several."""
    return replace(read_plan(folder, seed=4)[0], together=5)


def played(folder, who=None, **options):
    return run_season(folder, plan_of(folder), who, **options)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the tables of a season that was played by one process, without trouble."""
    folder = make_season(tmp_path_factory.mktemp("whole") / "s")
    assert played(folder).complete
    return outputs(folder)


def test_progress_counts_games_and_has_the_standings_so_far(tmp_path):
    told = []
    played(make_season(tmp_path / "s"), progress=lambda *news: told.append(news))
    counts = [done for done, _, _ in told]
    assert (counts[0], counts[-1]) == (0, 24)
    assert counts == sorted(counts)
    assert {total for _, total, _ in told} == {24}
    for done, _, standings in told:
        assert sum(one.games for one in standings.each()) == 4 * done


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_tables_do_not_depend_on_who_plays(tmp_path, whole, kind):
    folder = make_season(tmp_path / "s")
    played(folder, executor(kind, 2 if kind == "threads" else usually(1, 2)))
    assert outputs(folder) == whole


def die_again_and_again(folder):
    """Play in processes that are killed at later and later writes; print the tables after each."""
    left = 2
    while True:
        resume = (folder / "Records" / "manifest.json").exists()
        died = killed_at_write(left, lambda resume=resume: played(folder, resume=resume))
        print(digest(outputs(folder)) if (folder / "Outputs").exists() else "none")  # noqa: T201
        if not died:
            return
        left += usually(6, 2)  # each time a little further, or it would never end


def digest(tables):
    return hashlib.sha256(repr(sorted(tables.items())).encode()).hexdigest()


@pytest.mark.slow
def test_a_season_that_is_killed_again_and_again_ends_the_same(tmp_path, whole):
    """Jobs are proved to in `tests/jobs`; here the tables of a season are there as a whole."""
    folder = make_season(tmp_path / "s")
    script = (
        f"import sys\nsys.path[:] = {sys.path!r}\nfrom pathlib import Path\n"
        f"import deep\ndeep.asked = {deep.asked}\n"
        f"from league.test_season_run import die_again_and_again\n"
        f"die_again_and_again(Path({str(folder)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    *deaths, last = done.stdout.split()
    assert deaths
    assert set(deaths) <= {"none", digest(whole)}
    assert last == digest(whole)
    assert outputs(folder) == whole
    assert sorted(one.name for one in folder.iterdir() if one.name.startswith(".")) == []


def test_a_season_that_was_played_is_not_played_again_by_mistake(tmp_path):
    folder = make_season(tmp_path / "s")
    played(folder)
    before = outputs(folder)
    with pytest.raises(RecordsError, match=r"is finished: .*--again"):
        played(folder)
    (folder / "Outputs" / "Standings.csv").write_text("")
    played(folder, again=True)
    assert outputs(folder) == before


def test_tables_that_were_lost_are_written_again_from_the_records(tmp_path, whole):
    folder = make_season(tmp_path / "s")
    played(folder)
    for file in (folder / "Outputs").iterdir():
        file.unlink()
    (folder / "Outputs").rmdir()
    played(folder, resume=True)
    assert outputs(folder) == whole


def test_a_season_that_has_changed_cannot_go_on(tmp_path):
    folder = make_season(tmp_path / "s")
    plan = plan_of(folder)
    with Season.of_plan(folder, plan).opened(resume=False):
        pass
    (folder / "Bots" / "last.py").write_text("# another\n")
    with pytest.raises(RecordsError, match="last 1 has a file that has changed"):
        played(folder, resume=True)
    manifest = folder / "Records" / "manifest.json"
    text = manifest.read_text()
    now = f'"results_version": {RESULTS_VERSION}'
    assert now in text
    manifest.write_text(text.replace(now, '"results_version": 1'))
    with pytest.raises(RecordsError, match=r"version of results: 1 there, \d+ here"):
        played(folder, resume=True)
    manifest.write_text(text)
    changed = replace(plan, seed=8, name="Other")
    with pytest.raises(RecordsError, match="seed: 4 there, 8 here"):
        run_season(folder, changed, resume=True)


def test_two_processes_cannot_play_one_season(tmp_path):
    folder = make_season(tmp_path / "s")
    plan = plan_of(folder)
    with (
        Season.of_plan(folder, plan).opened(resume=False),
        pytest.raises(RecordsError, match="another process"),
    ):
        played(folder)


def test_records_say_what_was_played(tmp_path):
    folder = make_season(tmp_path / "s")
    season = played(folder)
    again = read_season(folder)
    assert again.plan.data() == {**season.plan.data()}
    assert [block.first for block in again.all_blocks()] == [0, 5, 10, 15, 20]
    assert [bot.text for bot in again.plan.bots] == [None] * 4


def test_a_damaged_block_is_named(tmp_path):
    folder = make_season(tmp_path / "s")
    played(folder)
    read_season(folder).blocks.file(1).write_bytes(b"nothing")
    with pytest.raises(DamagedError, match=r"000001\.npz is damaged"):
        list(read_season(folder).all_blocks())


def test_records_that_cannot_be_read_can_be_discarded(tmp_path, whole):
    """Also those of another format: a season that is played again reads nothing of them."""
    folder = make_season(tmp_path / "s")
    (folder / "Records").mkdir()
    (folder / "Records" / "manifest.json").write_text(
        json.dumps({"format": "cardwright season", "format_version": Season.VERSION - 1})
    )
    with pytest.raises(RecordsError, match="records of format"):
        played(folder)
    played(folder, again=True)
    assert outputs(folder) == whole


def test_manifests_that_cannot_be_read_are_named(tmp_path):
    folder = make_season(tmp_path / "s")
    with pytest.raises(RecordsError, match="play the season first"):
        read_season(folder)
    manifest = folder / "Records" / "manifest.json"
    manifest.parent.mkdir()
    for content, message in (
        ("{", "cannot be read"),
        ("[]", "not the manifest of a season"),
        (json.dumps({"format": "cardwright season", "format_version": 99}), "format 99"),
        (
            json.dumps({"format": "cardwright season", "format_version": Season.VERSION}),
            "is damaged",
        ),
    ):
        manifest.write_text(content)
        with pytest.raises(RecordsError, match=message):
            read_season(folder)


def swapped(season):
    """Put a whole block into the place of another one, and return its file."""
    first, second = (season.blocks.file(number) for number in range(2))
    first.write_bytes(second.read_bytes())
    return first


def test_a_block_that_has_changed_since_the_end_is_named(tmp_path):
    """Also one that is whole in itself."""
    folder = make_season(tmp_path / "s")
    file = swapped(played(folder))
    with pytest.raises(
        DamagedError, match=rf"{file.name} is damaged \(it has changed since it was"
    ):
        list(read_season(folder).all_blocks())
    with pytest.raises(DamagedError, match=rf"{file.name} is damaged"):
        played(folder, resume=True)
    shutil.rmtree(folder / "Outputs")  # tables that were lost are made of whole blocks only
    with pytest.raises(DamagedError, match=rf"{file.name} is damaged \(it has changed"):
        played(folder, resume=True)
    file.unlink()
    with pytest.raises(DamagedError, match=rf"{file.name} is damaged \(No such file"):
        list(read_season(folder).all_blocks())


def test_blocks_that_are_set_aside_are_played_again_to_the_same_tables(tmp_path, whole):
    folder = make_season(tmp_path / "s")
    file = swapped(played(folder))
    found = read_season(folder).inspect()
    assert (len(found.looked), list(found.damaged)) == (9, [f"blocks/{file.name}"])
    assert found.set_aside() == [folder / "Records" / "damaged" / file.name]
    shutil.rmtree(folder / "Outputs")
    told = []
    played(folder, resume=True, progress=lambda games, *_: told.append(games))
    assert told == [19, 24]
    assert outputs(folder) == whole
    assert not read_season(folder).inspect().damaged


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_tables_that_are_not_as_written_are_told_and_written_again(tmp_path, whole, harm):
    folder = make_season(tmp_path / "s")
    played(folder)
    assert not read_season(folder).inspect().damaged
    table = folder / "Outputs" / "GameHistory.csv"
    if harm == "changed":
        table.write_bytes(table.read_bytes().replace(b"any", b"Any", 1))
    else:
        table.unlink()
    found = read_season(folder).inspect()
    assert list(found.damaged) == ["../Outputs/GameHistory.csv"]
    assert (
        f"plays {found.job.played_again(found.damaged)} again"
        == "plays no game, and writes the tables again"
    )
    assert found.set_aside() == ([folder / "Records/damaged/GameHistory.csv"] * (harm == "changed"))
    told = []
    played(folder, resume=True, progress=lambda games, *_: told.append(games))
    assert set(told) == {24}
    assert outputs(folder) == whole
    assert not read_season(folder).inspect().damaged


def test_a_season_without_its_tables_has_records_all_the_same(tmp_path):
    folder = make_season(tmp_path / "s")
    played(folder)
    shutil.rmtree(folder / "Outputs")
    found = read_season(folder).inspect()
    assert (len(found.looked), found.damaged) == (5, {})


def test_a_schedule_that_is_not_the_season_s_is_told(tmp_path):
    folder = make_season(tmp_path / "s")
    season = played(folder)
    np.save(season.folder / "schedule.npy", season.plan.schedule[::-1])
    with pytest.raises(RecordsError, match=r"schedule\.npy is not the schedule of the season"):
        read_season(folder)


def test_blocks_grow_with_what_was_played(tmp_path):
    """So a run that is broken off early or late, with fast bots or slow ones, loses little."""
    folder = make_season(tmp_path / "s", games=2_000)
    plan = read_plan(folder, seed=4)[0]
    blocks = [plan.block(number) for number in range(plan.blocks)]
    assert [game for block in blocks for game in block] == list(range(2_000))
    assert [len(block) for block in blocks[:10]] == [10] * 4 + [20] * 4 + [40] * 2
    assert {len(block) for block in blocks[20:-1]} == {200}
    for number, block in enumerate(blocks[2:], 2):
        assert len(block) <= max(10, blocks[number - 1].stop / 2)


def test_random_players_alone_need_no_small_blocks(tmp_path):
    names = tuple(["builtin:random"] * 4)
    folder = make_season(tmp_path / "s", bots={}, builtins=names, games=5_000)
    plan = read_plan(folder, seed=4)[0]
    assert [len(plan.block(number)) for number in range(plan.blocks)] == [2_000, 2_000, 1_000]


def test_a_block_is_kept_as_soon_as_it_is_played(tmp_path):
    """Ctrl-C after some games of 200 leaves all of them but those of the blocks under way."""
    folder = make_season(tmp_path / "s", games=200)
    plan = read_plan(folder, seed=4)[0]

    def interrupt(games, *_):
        if games:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_season(folder, plan, progress=interrupt)
    told = []
    run_season(folder, plan, resume=True, progress=lambda games, *_: told.append(games))
    assert told[0] == 10


def test_without_polars_a_season_is_refused_before_its_folder_is_touched(tmp_path, monkeypatch):
    folder = make_season(tmp_path / "s")
    played(folder)
    before = {one: one.stat().st_mtime_ns for one in folder.rglob("*")}
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "cardwright.extras.find_spec", lambda name: None if name == "polars" else find(name)
    )
    with pytest.raises(MissingExtraError, match="needs polars, which is not installed"):
        played(folder, again=True)
    assert {one: one.stat().st_mtime_ns for one in folder.rglob("*")} == before
