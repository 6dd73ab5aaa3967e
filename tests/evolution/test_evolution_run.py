"""Searches carried out: the same for any number of workers, and after any interruption."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from cardwright.evolution.candidate import DepartureReason, FunnelStep
from cardwright.evolution.errors import EvolutionError
from cardwright.evolution.plan import Mate
from cardwright.evolution.records import SearchBlock, SearchFolder
from cardwright.evolution.search import read_search
from cardwright.jobs.files import DamagedError, RecordsError
from cardwright.jobs.processes import LastingProcesses
from deep import usually
from evolution.pretend import PLAN, contents, number_of, search, with_seed
from patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.evolution.generation import EvolutionProgress
    from cardwright.evolution.results import Evolution


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "search"
    search(folder)
    return folder


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    return shutil.copytree(finished, tmp_path / "copy")


def same(one: Evolution, other: Evolution) -> bool:
    return one.record() == other.record() and (one.measured, one.landscape) == (
        other.measured,
        other.landscape,
    )


def test_a_search_makes_as_many_candidates_as_planned_and_accounts_for_all() -> None:
    found = search()
    assert [one.candidates for one in found.generations] == [1, 10, 10, 5]
    left = sum(one.count for one in found.departures)
    assert left + sum(one.measured for one in found.generations[1:]) == PLAN.candidates
    assert {FunnelStep.VARY, FunnelStep.COMPARE} <= {one.step for one in found.departures}
    assert found.elites[0].judged.total == max(one.best or 0 for one in found.generations)


def test_candidates_that_play_alike_are_told_apart_in_order() -> None:
    """Of equal fingerprints the first stays, in one generation and over all of them."""
    found = search(plan=replace(PLAN, candidates=200, generation=50))
    marks = [one.fingerprint for one in found.measured.values()]
    assert len(marks) == len(set(marks))
    known = sum(one.count for one in found.departures if one.reason is DepartureReason.KNOWN)
    assert known > 50


def test_files_do_not_depend_on_the_number_of_workers(finished: Path, tmp_path: Path) -> None:
    with LastingProcesses(usually(2, 3)) as workers:
        found = search(tmp_path / "three", executor=workers)
    assert contents(tmp_path / "three") == contents(finished)
    assert same(found, read_search(finished))


def test_a_search_follows_from_its_seed(finished: Path) -> None:
    assert same(search(), read_search(finished))
    assert not same(search(plan=with_seed(4)), read_search(finished))


def test_killed_again_and_again_a_search_comes_to_the_same_bytes(
    finished: Path, tmp_path: Path
) -> None:
    """By SIGKILL, in a write, each time one further: in the middle of generations too."""
    folder = tmp_path / "job"
    script = (
        f"import sys\nsys.path[:] = {sys.path!r}\nfrom pathlib import Path\n"
        f"from evolution.pretend import die_again_and_again\n"
        f"die_again_and_again(Path({str(folder)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stderr == ""
    states = done.stdout.splitlines()
    assert any("pieces/000012.npz" in state for state in states)
    assert any(".manifest.json.new" in state for state in states)
    assert contents(folder) == contents(finished)


def test_an_interrupt_keeps_the_candidates_that_are_finished(
    finished: Path, tmp_path: Path
) -> None:
    def interrupt(progress: EvolutionProgress) -> None:
        if progress.done > 11:
            raise KeyboardInterrupt

    folder = tmp_path / "search"
    with pytest.raises(KeyboardInterrupt):
        search(folder, progress=interrupt)
    pieces = len(list((folder / "pieces").iterdir()))
    assert 1 < pieces < 10
    told: list[EvolutionProgress] = []
    search(folder, resume=True, progress=told.append)
    assert [one.done for one in told][:2] == [10, 10 + pieces]
    assert contents(folder) == contents(finished)


def test_a_finished_search_is_only_read(finished: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in finished.rglob("*")}
    told: list[EvolutionProgress] = []
    found = search(finished, resume=True, progress=told.append)
    assert told == []
    assert same(found, read_search(finished))
    assert {file: file.stat().st_mtime_ns for file in finished.rglob("*")} == before


def test_progress_says_how_many_are_done_and_what_was_found() -> None:
    told: list[EvolutionProgress] = []
    found = search(progress=told.append)
    searching = [one for one in told if not one.final]
    assert [one.done for one in searching] == sorted(one.done for one in searching)
    assert (searching[-1].done, searching[-1].total) == (25, 25)
    assert (searching[-1].best, searching[-1].elites) == (found.generations[-1].best, 3)
    assert (told[-1].final, told[-1].done, told[-1].total) == (True, 3, 3)


def test_the_best_elites_are_measured_again_by_other_games(finished: Path) -> None:
    """What they are reported by is not what they were chosen for."""
    found = read_search(finished)
    assert PLAN.final.seed != PLAN.searching.seed
    assert found.original.again is not None
    assert [one.again is not None for one in found.elites] == [True, True, False]
    assert found.finalists == found.elites[:2]
    for elite in (found.original, *found.finalists):
        first, second = elite.judged.evaluated.measures, elite.measures
        assert second["length"].count == PLAN.final_times * first["length"].count
        assert second["length"].mean != first["length"].mean
    last = found.elites[2]
    assert last.measures == last.judged.evaluated.measures


def test_lineage_leads_from_the_original_by_changes(finished: Path) -> None:
    found = read_search(finished)
    line = found.lineage(found.elites[0].name)
    assert line[0].name == found.original.name
    assert len(line) > 2
    for parent, child in itertools.pairwise(line):
        assert child.parents == (parent.name,)
        assert int(child.changes[0].after) == number_of(child)
    with pytest.raises(EvolutionError, match="no candidate begins with 'none'"):
        found.lineage("none")
    with pytest.raises(EvolutionError, match="no candidate begins with ''"):
        found.candidate("")


def test_a_table_has_a_row_for_the_original_and_each_elite(finished: Path) -> None:
    found = read_search(finished)
    rows = found.to_polars().rows(named=True)
    assert [row["name"] for row in rows] == [found.original.name, *(e.name for e in found.elites)]
    assert [row["original"] for row in rows] == [True, False, False, False]
    best = found.elites[0].measures["length"]
    assert (rows[1]["length"], rows[1]["length_low"]) == (best.mean, best.low)
    assert rows[3]["total_again"] is None


def test_some_candidates_are_crossed_with_mates() -> None:
    mate = Mate("other", "number 1000")
    found = search(plan=replace(PLAN, mates=(mate,), mating=1.0))
    made = [one.candidate for one in found.measured.values() if one.candidate is not None]
    assert {one.parents[1:] for one in made if one.parents} == {(mate.candidate.name,)}
    none = search(plan=replace(PLAN, mates=(mate,), mating=0.0))
    assert all(len(one.candidate.parents) < 2 for one in none.measured.values() if one.candidate)


def reopened(folder: Path) -> SearchFolder:
    """Return a search that is not finished any more."""
    records = SearchFolder.read(folder)
    records.write(complete=False, played=0, digests={})
    return records


def test_pieces_of_a_generation_that_is_whole_are_left_over(copy: Path, finished: Path) -> None:
    """The search was killed when the block was written and its pieces were not removed yet."""
    records = reopened(copy)
    (copy / "blocks" / "000002.npz").unlink()
    made = records.blocks.read(1).candidates
    records.pieces.write({at: SearchBlock((one,)) for at, one in enumerate(made, 1)})
    search(copy, resume=True)
    assert contents(copy) == contents(finished)


def test_another_search_is_not_gone_on_with(copy: Path) -> None:
    with pytest.raises(RecordsError, match="differs from this one:\n  seed: 3 there, 4 here"):
        search(copy, with_seed(4), resume=True)
    with pytest.raises(RecordsError, match=r"already a search in .* which is finished: resume it"):
        search(copy)


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RecordsError, match="is not empty, and has no records of a search"):
        search(tmp_path)
    with pytest.raises(RecordsError, match="has no records of a search"):
        read_search(tmp_path)


def test_an_unfinished_search_is_not_read(copy: Path) -> None:
    reopened(copy)
    with pytest.raises(RecordsError, match="is not finished: resume it"):
        read_search(copy)


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_changed_block_is_told_and_made_again(copy: Path, finished: Path, number: int) -> None:
    """Of the original, of a generation, and of what was found."""
    file = copy / "blocks" / f"{number:06}.npz"
    content = bytearray(file.read_bytes())
    content[-30] ^= 1
    file.write_bytes(content)
    with pytest.raises(DamagedError, match=rf"{number:06}\.npz is damaged .*records .*--set-aside"):
        read_search(copy)
    inspection = SearchFolder.read(copy).inspect()
    assert list(inspection.damaged) == [f"blocks/{number:06}.npz"]
    assert len(inspection.set_aside()) == 1
    shutil.rmtree(copy / "damaged")
    search(copy, resume=True)
    assert contents(copy) == contents(finished)


def test_damage_in_an_unfinished_search_is_told(copy: Path, finished: Path) -> None:
    """Without digests, by the checksums within files, and by whose file it says it is."""
    reopened(copy)
    (copy / "pieces").mkdir()
    piece = copy / "pieces" / "000014.npz"
    piece.write_bytes(b"nothing")
    (copy / "blocks" / "000002.npz").unlink()
    with pytest.raises(DamagedError, match=r"000014\.npz is damaged"):
        search(copy, resume=True)
    assert list(SearchFolder.read(copy).inspect().damaged) == ["pieces/000014.npz"]
    piece.unlink()
    shutil.copy(copy / "blocks" / "000001.npz", copy / "blocks" / "000002.npz")
    with pytest.raises(RecordsError, match="belongs to another search, or elsewhere in it"):
        search(copy, resume=True)
    (copy / "blocks" / "000002.npz").unlink()
    search(copy, resume=True)
    assert contents(copy) == contents(finished)


def test_times_are_in_a_file_of_their_own(copy: Path) -> None:
    """Damage to it does no harm, and it adds up over the runs of a search."""
    timing = read_search(copy).timing
    assert timing is not None
    assert timing.candidates == 25
    assert timing.an_hour is not None
    (copy / "timing.json").write_text("{}")
    assert read_search(copy).timing is None
