"""Experiments that are played, killed, gone on with: the records are the same whatever happened."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from experiments import kuhn, plan, player, slot, small

import deep
from cardwright._version import RESULTS_VERSION
from cardwright.jobs.executor import SerialExecutor, ThreadExecutor
from cardwright.jobs.files import RecordsError
from cardwright.jobs.job import executor
from cardwright.jobs.processes import ProcessExecutor
from cardwright.lab.factor import LabError
from cardwright.lab.plan import Precision, Seating
from cardwright.lab.records import ExperimentFolder, load
from cardwright.lab.run import fitting, run
from cardwright.lab.task import PlayLabDeals, together
from deep import usually
from killing import killed_at_write

STOPPED = 19
"""The deals after which this rule stops: blocks of 3 deals end elsewhere."""
STOP = Precision("points", 0.27, least=7, every=4)


def stopping():
    return small(stop=STOP)


def contents(folder):
    """Return all files of a folder with their bytes."""
    return {one.relative_to(folder).as_posix(): one.read_bytes()
            for one in sorted(folder.rglob("*")) if one.is_file()}  # fmt: skip


def same(one, two):
    assert (one.cells, one.responses, one.seatings, one.tested) == (
        two.cells, two.responses, two.seatings, two.tested
    )  # fmt: skip
    for a, b in zip(one.sums, two.sums, strict=True):
        np.testing.assert_array_equal(a, b)
        assert a.dtype == b.dtype == np.int32
    return True


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the files of experiments played without trouble: one to its end, and one stopped."""
    found = []
    for experiment in (small(), stopping()):
        folder = tmp_path_factory.mktemp("whole") / "x"
        run(experiment, folder)
        found.append(contents(folder))
    return found


# What comes of it --------------------------------------------------------------------------------


def test_outcomes_are_those_of_all_deals():
    outcomes = run(small())
    assert outcomes.deals == 40
    assert (outcomes.seatings, outcomes.tested) == (2, 1)
    assert outcomes.cells == ((0,), (1,))
    for sums, expected in zip(outcomes.sums, PlayLabDeals(small())(range(40)), strict=True):
        np.testing.assert_array_equal(sums, expected)
    # `first` against itself: nothing to be won, whatever the cards.
    margin = [one.name for one in outcomes.responses].index("margin")
    assert not outcomes.values(1, margin)[:, 1].any()
    assert outcomes.values(1, margin)[:, 0].any()


def test_an_experiment_stops_at_a_look_with_exactly_so_many_deals(tmp_path):
    outcomes = run(stopping(), tmp_path / "x")
    assert outcomes.deals == STOPPED
    assert same(outcomes, run(small()).before(STOPPED))
    plan_, loaded = load(tmp_path / "x")
    assert plan_ == stopping()
    assert same(loaded, outcomes)
    names = sorted(one.name for one in (tmp_path / "x" / "blocks").iterdir())
    assert names == [f"{number:06}.npz" for number in range(7)]


def test_looks_are_asked_in_order_with_exactly_so_many_deals(monkeypatch):
    asked = []

    def decided(_, outcomes):
        asked.append(outcomes.deals)
        return False

    monkeypatch.setattr("cardwright.lab.run.decided", decided)
    assert run(stopping(), executor=ThreadExecutor(3)).deals == 40
    assert asked == [*range(7, 40, 4)]


def test_progress_counts_deals(tmp_path):
    told = []
    run(small(), tmp_path / "x", progress=lambda *news: told.append(news))
    assert (told[0], told[-1]) == ((0, 40), (40, 40))
    assert all(one[0] < two[0] for one, two in pairwise(told))
    told.clear()
    run(small(), tmp_path / "x", resume=True, progress=lambda *news: told.append(news))
    assert told == []  # it is only read


def test_hearts_is_played_and_recorded_by_machine_code(tmp_path):
    experiment = plan(slot("fourth"), seating=Seating.ROTATE, deals=200)
    assert fitting(experiment, 2) == ThreadExecutor(2)
    assert fitting(small(), 2) == ProcessExecutor(2)
    outcomes = run(experiment, tmp_path / "x", fitting(experiment, 2))
    assert same(load(tmp_path / "x")[1], outcomes)
    assert outcomes.values(0, 0)[:, 0].mean() == pytest.approx(6.5, abs=1.6)


# The same, whoever plays -------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_records_do_not_depend_on_who_plays(tmp_path, whole, kind):
    """Those of one that stops early, which hold all others that were played with it."""
    run(stopping(), tmp_path / "x", executor(kind, 2 if kind == "threads" else usually(1, 2)))
    assert contents(tmp_path / "x") == whole[1]


def test_records_say_nothing_of_where_or_when_they_were_made(whole, tmp_path):
    for files in whole:
        assert set(files) - {f"blocks/{n:06}.npz" for n in range(14)} == {
            "plan.toml", "manifest.json"
        }  # fmt: skip
        for content in files.values():
            assert str(tmp_path.parent).encode() not in content


class Interrupted:
    """Carries out some batches in any order, then is interrupted as by Ctrl-C."""

    workers = 2

    def __init__(self, batches):
        self.left = batches

    def run(self, function, batches):
        for number, batch in reversed(list(enumerate(batches))):
            if not self.left:
                raise KeyboardInterrupt
            self.left -= 1
            yield number, function(batch)


@pytest.mark.parametrize("batches", [0, 1, 5, 13])
def test_an_interrupted_experiment_goes_on(tmp_path, whole, batches):
    for at, experiment in enumerate((small(), stopping())):
        folder = tmp_path / f"{at}"
        with pytest.raises(KeyboardInterrupt):
            run(experiment, folder, Interrupted(batches))
        assert load(folder)[1].deals == 0
        run(experiment, folder, resume=True)
        assert contents(folder) == whole[at]


def test_an_unfinished_experiment_is_read_as_far_as_it_has_no_gap(tmp_path):
    class Some(Interrupted):
        def run(self, function, batches):
            yield from ((n, function(b)) for n, b in enumerate(batches) if n != 2 and n < 5)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(small(), tmp_path / "x", Some(0))
    assert same(load(tmp_path / "x")[1], run(small()).before(6))


def die_again_and_again(folder):
    """Play in processes that are killed at later and later writes to the disk; print each death."""
    left = 3
    while killed_at_write(left, lambda: run(stopping(), folder, resume=there(folder))):
        print("killed")  # noqa: T201 - for the test that has started this process
        left += usually(12, 6)


def there(folder):
    return (folder / "manifest.json").exists()


@pytest.mark.slow
def test_an_experiment_that_is_killed_again_and_again_ends_the_same(tmp_path, whole):
    """Jobs are proved to in `tests/jobs`; here its blocks are cut off where a rule stopped it."""
    folder = tmp_path / "x"
    script = (
        f"import sys\nsys.path[:] = {sys.path!r}\nfrom pathlib import Path\n"
        f"import deep\ndeep.asked = {deep.asked}\n"
        f"from lab.test_lab_run import die_again_and_again\n"
        f"die_again_and_again(Path({str(folder)!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "killed" in done.stdout
    assert contents(folder) == whole[1]


class DiedError(BaseException):
    """Stands for the death of the process."""


@pytest.mark.parametrize("at", range(18, 23))
def test_one_that_dies_as_it_ends_goes_on(tmp_path, whole, monkeypatch, at):
    """All writings from the last block to the manifest that says that there are no more."""
    left, real = [at], os.fsync

    def fsync(file):
        left[0] -= 1
        if left[0] == 0:
            raise DiedError
        real(file)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        with pytest.raises(DiedError):
            run(stopping(), tmp_path / "x")
    assert contents(tmp_path / "x") != whole[1]
    assert same(run(stopping(), tmp_path / "x", resume=True), run(stopping()))
    assert contents(tmp_path / "x") == whole[1]


def test_one_that_dies_before_later_blocks_are_removed_goes_on(tmp_path, whole, monkeypatch):
    folder = tmp_path / "x"

    def unlink(self, missing_ok=False):
        raise DiedError

    class Late(SerialExecutor):
        def run(self, function, batches):
            numbered = list(enumerate(batches))
            yield from ((n, function(b)) for n, b in numbered[8:] + numbered[:8])

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(DiedError):
            run(stopping(), folder, Late())
    assert len(list((folder / "blocks").glob("*"))) > 7
    run(stopping(), folder, resume=True)
    assert contents(folder) == whole[1]


# Folders that are not what they should be --------------------------------------------------------


@pytest.fixture
def done(tmp_path):
    """Return the folder of a finished experiment."""
    run(small(), tmp_path / "x")
    return tmp_path / "x"


@pytest.fixture
def begun(done):
    """Return the folder of one that was killed before its end."""
    ExperimentFolder.read(done).write(complete=False, played=0, digests={})
    return done


def test_an_experiment_is_not_played_again_by_mistake(done):
    before = contents(done)
    with pytest.raises(
        RecordsError, match=r"already an experiment .* is finished: resume it, or name"
    ):
        run(small(), done)
    assert same(run(small(), done, resume=True), run(small()))
    assert contents(done) == before


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"seed": 4}, r"differs from this one:\n  -seed = 3\n  \+seed = 4\n"),
        ({"deals": 41}, r"-deals = 40\n  \+deals = 41"),
        ({"opponents": ("first",)}, r"-.*random"),
    ],
)
def test_another_experiment_cannot_go_on_here(begun, other, message):
    with pytest.raises(RecordsError, match=message):
        run(small(**other), begun, resume=True)
    with pytest.raises(RecordsError, match="is not finished: name another folder"):
        run(small(**other), begun)


def test_another_version_cannot_go_on(begun):
    manifest = begun / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"cardwright": "', '"cardwright": "0'))
    with pytest.raises(RecordsError, match=r"Cardwright's version: 0.* there, "):
        run(small(), begun, resume=True)


def test_other_results_cannot_go_on(begun):
    manifest = begun / "manifest.json"
    now = f'"results_version": {RESULTS_VERSION}'
    assert now in manifest.read_text()
    manifest.write_text(manifest.read_text().replace(now, '"results_version": 1'))
    with pytest.raises(RecordsError, match=r"version of results: 1 there, \d+ here"):
        run(small(), begun, resume=True)


def test_two_processes_cannot_play_one_experiment(tmp_path):
    with (
        ExperimentFolder.of_plan(tmp_path / "x", small(), 3).opened(resume=False),
        pytest.raises(RecordsError, match="another process is playing the experiment"),
    ):
        run(small(), tmp_path / "x", resume=True)


def test_blocks_that_are_broken_are_named_and_can_be_played_again(begun, whole):
    file = begun / "blocks" / "000004.npz"
    content = file.read_bytes()
    for broken in (b"", b"nothing", content[:-30], content[:100] + b"?" + content[101:]):
        file.write_bytes(broken)
        with pytest.raises(
            RecordsError, match=r"000004\.npz is damaged .*sets damaged files aside"
        ):
            run(small(), begun, resume=True)
        with pytest.raises(RecordsError, match=r"000004\.npz is damaged"):
            load(begun)
    file.unlink()
    run(small(), begun, resume=True)
    assert contents(begun) == whole[0]


def test_files_that_were_being_written_are_removed(begun, whole):
    for name in (".manifest.json.new", "blocks/.000009.npz.new"):
        (begun / name).write_bytes(b"half of it")
    run(small(), begun, resume=True)
    assert contents(begun) == whole[0]


def test_a_block_that_was_cut_off_is_played_again(begun, whole):
    blocks = ExperimentFolder.read(begun).blocks
    blocks.write({4: tuple(sums[:2] for sums in blocks.read(4))})
    assert load(begun)[1].deals == 14
    assert same(run(small(), begun, resume=True), run(small()))
    assert contents(begun) == whole[0]


def test_blocks_of_others_are_named(begun, tmp_path):
    run(small(seed=4), tmp_path / "other")
    other = (tmp_path / "other" / "blocks" / "000004.npz").read_bytes()
    (begun / "blocks" / "000004.npz").write_bytes(other)
    with pytest.raises(RecordsError, match=r"000004\.npz belongs to another experiment"):
        run(small(), begun, resume=True)
    (begun / "blocks" / "000004.npz").write_bytes((begun / "blocks/000003.npz").read_bytes())
    with pytest.raises(RecordsError, match=r"000004\.npz belongs to another experiment"):
        load(begun)


@pytest.mark.parametrize("name", ["000014.npz", "4.npz", "notes.txt"])
def test_files_that_are_no_blocks_are_named(begun, name):
    (begun / "blocks" / name).touch()
    with pytest.raises(RecordsError, match=f"{name} is not a block of this experiment"):
        run(small(), begun, resume=True)


def test_a_finished_experiment_that_lost_a_block_is_not_read(done):
    (done / "blocks" / "000013.npz").unlink()
    with pytest.raises(RecordsError, match="should have 40 deals, and has 39"):
        load(done)


def test_folders_with_other_things_in_them_are_left_alone(tmp_path):
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(RecordsError, match="is not empty, and has no records of an experiment"):
        run(small(), tmp_path)
    (tmp_path / "thesis.txt").unlink()
    (tmp_path / "plan.toml").write_text("# mine\n")
    with pytest.raises(RecordsError, match="is not empty"):
        run(small(), tmp_path)
    assert (tmp_path / "plan.toml").read_text() == "# mine\n"
    (tmp_path / "file").touch()
    with pytest.raises(RecordsError, match="cannot be used"):
        run(small(), tmp_path / "file")


def test_folders_that_cannot_be_read_are_named(tmp_path, done):
    with pytest.raises(RecordsError, match="does not exist"):
        load(tmp_path / "nothing")
    with pytest.raises(RecordsError, match="has no records of an experiment"):
        load(tmp_path)
    text = (done / "plan.toml").read_text()
    (done / "plan.toml").write_text(text.replace("seed = 3", "seed = 4"))
    with pytest.raises(RecordsError, match="was changed after the experiment was begun"):
        load(done)
    (done / "plan.toml").unlink()
    with pytest.raises(RecordsError, match="cannot be read"):
        load(done)
    manifest = done / "manifest.json"
    text = manifest.read_text()
    for content, message in (
        ("{", "cannot be read"),
        ("[]", "not the manifest of an experiment"),
        (text.replace('format_version": 2', 'format_version": 99'), "format 99"),
        (text.replace('"together": 3', '"together": 0'), "is damaged"),
        (text.replace('"games"', '"game"'), "is damaged"),
    ):
        manifest.write_text(content)
        with pytest.raises(RecordsError, match=message):
            load(done)


def test_records_of_a_plan_can_be_asked_for_their_blocks(begun):
    folder = ExperimentFolder.of_plan(begun, small(), together(small()))
    with folder.opened(resume=True) as records:
        assert [number for number, _ in records.whole()] == [*range(14)]


def test_what_cannot_be_played_leaves_no_folder(tmp_path):
    with pytest.raises(LabError, match="kuhn is not a game"):
        run(plan(player("rule", "first"), game=kuhn()), tmp_path / "x")
    with pytest.raises(LabError, match="a first look needs 2 deals or more"):
        run(small(stop=replace(STOP, every=0)), tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_a_block_that_has_changed_since_the_end_is_named(done):
    """Another block that is whole would pass without a digest: here one with one deal's sums."""
    blocks = ExperimentFolder.read(done).blocks
    blocks.write({4: tuple(np.flip(sums, axis=0) for sums in blocks.read(4))})
    for read in (lambda: load(done), lambda: run(small(), done, resume=True)):
        with pytest.raises(
            RecordsError, match=r"000004\.npz is damaged \(it has changed since it was"
        ):
            read()


@pytest.mark.parametrize("lost", [False, True])
def test_blocks_that_are_set_aside_are_played_again_to_the_same_bytes(done, whole, lost):
    file = done / "blocks" / "000004.npz"
    if lost:
        file.unlink()
    else:
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.write_bytes(content)
    found = ExperimentFolder.read(done).inspect()
    assert (len(found.looked), list(found.damaged)) == (14, ["blocks/000004.npz"])
    moved = found.set_aside()
    assert moved == ([] if lost else [done / "damaged" / "000004.npz"])
    told = []
    run(small(), done, resume=True, progress=lambda deals, _: told.append(deals))
    assert told == [37, 40]
    for one in moved:
        one.unlink()
        one.parent.rmdir()
    assert contents(done) == whole[0]
