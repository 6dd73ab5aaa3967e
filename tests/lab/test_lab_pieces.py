"""Deals of slow players are played and kept in pieces: little is lost, and no byte shows it."""

from __future__ import annotations

import numpy as np
import pytest
from experiments import plan, player, small
from test_lab_run import contents, same

from cardwright.jobs.executor import SerialExecutor, WorkerError
from cardwright.jobs.files import RecordsError
from cardwright.jobs.folder import Blocks
from cardwright.jobs.processes import ProcessExecutor
from cardwright.lab.layout import layout_of
from cardwright.lab.records import ExperimentFolder
from cardwright.lab.run import run
from cardwright.lab.task import GAMES, PlayLabDeals, pieces
from deep import usually

SLOW = small(factors=(player("random", "pimc:rollouts=2"),), deals=10)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "x"
    run(SLOW, folder)
    return contents(folder)


def interrupted(folder, after):
    """Play until so many pieces were gathered, and press Ctrl-C."""
    left = [after]

    class Pressing(SerialExecutor):
        def run(self, function, batches):
            for one in super().run(function, batches):
                if not left[0]:
                    raise KeyboardInterrupt
                left[0] -= 1
                yield one

    with pytest.raises(KeyboardInterrupt):
        run(SLOW, folder, Pressing(), resume=True)


def test_pieces_added_up_are_the_deals():
    assert pieces(SLOW) == -(-layout_of(SLOW).most_tables // GAMES) > 1
    play = PlayLabDeals(SLOW)
    for deal in range(4):
        shares = [play.piece(range(deal, deal + 1), number, 3) for number in range(3)]
        for one, *others in zip(play(range(deal, deal + 1)), *shares, strict=True):
            assert all(other.any() for other in others)
            np.testing.assert_array_equal(one, sum(others))


def test_blocks_are_those_of_deals_played_whole(tmp_path, whole, monkeypatch):
    monkeypatch.setattr("cardwright.lab.run.pieces", lambda _: 1)
    run(SLOW, tmp_path / "x")
    assert contents(tmp_path / "x") == whole


def test_plans_of_fast_players_have_no_pieces():
    assert pieces(small()) == 1
    assert pieces(plan(player("rule", "lowest"))) == 1


@pytest.mark.parametrize("after", [1, 3, 4, 6])
def test_an_interrupt_loses_no_piece_that_was_played(tmp_path, whole, after):
    folder = tmp_path / "x"
    interrupted(folder, after)
    blocks, alone = divmod(after, pieces(SLOW))
    assert len(list((folder / "blocks").glob("*"))) == blocks
    assert len(list((folder / "pieces").glob("*"))) == alone
    played = []

    class Counting(SerialExecutor):
        def run(self, function, batches):
            for one in super().run(function, batches):
                played.append(one)
                yield one

    assert same(run(SLOW, folder, Counting(), resume=True), run(SLOW))
    assert len(played) == 10 * pieces(SLOW) - after
    assert contents(folder) == whole


def test_processes_come_to_the_same_bytes(tmp_path, whole):
    run(SLOW, tmp_path / "x", ProcessExecutor(usually(1, 2)))
    assert contents(tmp_path / "x") == whole


def test_damaged_pieces_are_named_and_can_be_set_aside(tmp_path, whole):
    folder = tmp_path / "x"
    interrupted(folder, 3)
    first, second, third = sorted((folder / "pieces").iterdir())
    first.write_bytes(first.read_bytes()[:-20])
    second.write_bytes(third.read_bytes())
    with pytest.raises(RecordsError, match=rf"{first.name} is damaged"):
        run(SLOW, folder, resume=True)
    found = ExperimentFolder.read(folder).inspect()
    assert list(found.damaged) == [f"pieces/{one.name}" for one in (first, second)]
    for one in found.set_aside():
        one.unlink()
    (folder / "damaged").rmdir()
    run(SLOW, folder, resume=True)
    assert contents(folder) == whole


def test_pieces_are_kept_while_a_block_is_played(tmp_path, monkeypatch):
    """A crash loses some seconds: here none, and each piece is written as it comes."""
    written = []
    write = Blocks.write

    def noted(self, blocks):
        if self.kind == "pieces":
            written.append(sorted(blocks))
        write(self, blocks)

    monkeypatch.setattr(Blocks, "write", noted)
    run(SLOW, tmp_path / "x", keep_seconds=0)
    assert written
    assert all(len(one) == 1 for one in written)
    assert not (tmp_path / "x" / "pieces").exists()


def test_a_worker_that_dies_names_its_deal(tmp_path):
    class Dying(SerialExecutor):
        def run(self, function, batches):
            for number, batch in enumerate(batches):
                if batch[0] // pieces(SLOW) == 3:
                    raise WorkerError(batch, "was killed")
                yield number, function(batch)

    with pytest.raises(WorkerError, match="3 workers died over deal 3; the last was killed"):
        run(SLOW, tmp_path / "x", Dying())
