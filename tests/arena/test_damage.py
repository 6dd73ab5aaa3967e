"""Damage to the records of a run is noticed wherever they are read, and can be mended."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from runs import Small

from cardwright.analysis.errors import AnalysisError
from cardwright.analysis.records import RunFrames
from cardwright.arena.records import RunFolder, load_results, read_results, read_table
from cardwright.arena.results import PlayedDeals
from cardwright.arena.run import PlayRunDeals, run
from cardwright.jobs.files import RecordsError, pack, unpack

if TYPE_CHECKING:
    from pathlib import Path

PLAN = Small(detail="decisions").plan()
DIGESTED = ("results.parquet", "games.parquet", "decisions.parquet", "faults.json")


def flip(file: Path, at: int) -> None:
    """Change one byte of a file."""
    content = bytearray(file.read_bytes())
    content[at] ^= 1
    file.write_bytes(content)


@pytest.fixture
def played(tmp_path: Path) -> Path:
    run(PLAN, tmp_path / "run")
    return tmp_path / "run"


def test_one_byte_that_was_changed_is_noticed_wherever_it_is(played: Path) -> None:
    """Most bytes of a Parquet file are read without complaint, as other numbers."""
    file = played / "results.parquet"
    whole = file.read_bytes()
    for at in range(0, len(whole), 41):
        flip(file, at)
        for read in (read_results, load_results):
            with pytest.raises(RecordsError, match=r"results\.parquet is damaged \(it has cha"):
                read(played)
        with pytest.raises(AnalysisError, match=r"results\.parquet cannot be read: it has changed"):
            RunFrames.of_folder(played)
        file.write_bytes(whole)
    assert len(read_results(played)) == 48


@pytest.mark.parametrize("name", DIGESTED)
def test_a_finished_run_is_looked_through_when_it_is_resumed(played: Path, name: str) -> None:
    flip(played / name, 20)
    with pytest.raises(RecordsError, match=rf"{name} is damaged .*records .*run --set-aside"):
        run(PLAN, played, resume=True)


def test_other_tables_are_checked_when_they_are_read(played: Path) -> None:
    for table in ("games", "decisions"):
        flip(played / f"{table}.parquet", 30)
        with pytest.raises(RecordsError, match=rf"{table}\.parquet is damaged \(it has changed"):
            read_table(played, table)  # type: ignore[arg-type]
    with pytest.raises(AnalysisError, match=r"decisions\.parquet cannot be read: it has changed"):
        RunFrames.of_folder(played)


def test_no_byte_of_a_part_can_change_what_it_says() -> None:
    """A run that goes on has no digests yet: parts have sums of their own."""
    part = PlayRunDeals(PLAN)(range(2))
    whole = pack(part)
    for at in range(0, len(whole), 61):
        content = bytearray(whole)
        content[at] ^= 1
        try:
            found = unpack(bytes(content), PlayedDeals)
        except Exception:
            continue
        assert found.results.same(part.results)
        assert (found.timing, found.faults) == (part.timing, part.faults)
        for table, columns in part.traces.items():
            for name, column in columns.items():
                assert (found.traces[table][name].tobytes()) == column.tobytes()


@pytest.mark.parametrize("name", DIGESTED)
def test_what_is_set_aside_is_played_again_to_the_same_bytes(played: Path, name: str) -> None:
    before = {one: (played / one).read_bytes() for one in (*DIGESTED, "manifest.json")}
    flip(played / name, 20)
    damaged = (played / name).read_bytes()
    found = RunFolder.read(played).inspect()
    assert list(found.damaged) == [name]
    assert found.set_aside() == [played / "damaged" / name]
    assert (played / "damaged" / name).read_bytes() == damaged
    run(PLAN, played, resume=True)
    assert {one: (played / one).read_bytes() for one in before} == before
    assert not RunFolder.read(played).inspect().damaged


def test_a_table_that_is_missing_is_played_again(played: Path) -> None:
    before = (played / "games.parquet").read_bytes()
    (played / "games.parquet").unlink()
    found = RunFolder.read(played).inspect()
    assert found.damaged == {"games.parquet": "No such file or directory"}
    assert found.set_aside() == []
    run(PLAN, played, resume=True)
    assert (played / "games.parquet").read_bytes() == before


def test_parts_that_are_damaged_are_set_aside_and_only_they_are_played_again(
    tmp_path: Path,
) -> None:
    def interrupt(at: int, _: int) -> None:
        if at > 4:
            raise KeyboardInterrupt

    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        run(PLAN, folder, progress=interrupt, keep_seconds=0)
    parts = sorted((folder / "pieces").iterdir())
    flip(parts[1], parts[1].stat().st_size // 2)
    found = RunFolder.read(folder).inspect()
    assert not found.job.manifest.complete
    assert (len(found.looked), list(found.damaged)) == (len(parts), [f"pieces/{parts[1].name}"])
    found.set_aside()
    done: list[int] = []
    results = run(PLAN, folder, resume=True, progress=lambda at, _: done.append(at))
    assert done[0] == len(parts) - 1
    assert results.same(run(PLAN))


def test_what_is_set_aside_twice_replaces_nothing(played: Path) -> None:
    for _ in range(2):
        flip(played / "faults.json", 0)
        RunFolder.read(played).inspect().set_aside()
        run(PLAN, played, resume=True)
    assert sorted(one.name for one in (played / "damaged").iterdir()) == [
        "faults-2.json", "faults.json",
    ]  # fmt: skip


def test_digests_that_are_none_are_damage(played: Path) -> None:
    manifest = json.loads((played / "manifest.json").read_text())
    for wrong in ([], "x", {"results.parquet": 3}):
        (played / "manifest.json").write_text(json.dumps(manifest | {"digests": wrong}))
        with pytest.raises(RecordsError, match=r"is damaged: Expected `(object|str)`, got"):
            read_results(played)


def test_records_that_are_being_written_are_left_alone(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "other")
    flip(tmp_path / "other/faults.json", 0)
    found = RunFolder.read(tmp_path / "other").inspect()
    with (
        RunFolder.of_plan(tmp_path / "other", PLAN, None).opened(resume=True),
        pytest.raises(RecordsError, match="another process is playing the run"),
    ):
        found.set_aside()
