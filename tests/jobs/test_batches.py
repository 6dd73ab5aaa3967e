"""Batches: every task once, as many together as play takes a while."""

from __future__ import annotations

from hypothesis import given, strategies as st

from cardwright.jobs.job import BATCH_SECONDS, Batches


@given(
    done=st.binary(min_size=1, max_size=200).map(lambda given: bytearray(one & 1 for one in given)),
    workers=st.integers(1, 4),
    seconds=st.lists(st.floats(0, 10), max_size=30),
)
def test_batches_have_each_task_that_is_not_done_once(done, workers: int, seconds) -> None:
    batches = Batches(done, workers)
    left = [task for task, one in enumerate(done) if not one]
    times = iter(seconds)
    found: list[int] = []
    for batch in batches:
        found += batch
        for task in batch:
            done[task] = 1
        taken = next(times, None)
        if taken is not None:
            batches.measured(batch, taken)
    assert found == left


def test_batches_grow_to_the_time_they_aim_at_and_shrink_to_the_end() -> None:
    batches = Batches(bytearray(10_000), 2)
    sizes = []
    for batch in batches:
        sizes.append(len(batch))
        seconds = len(batch) * BATCH_SECONDS / 200
        batches.measured(batch, seconds)
    assert sizes[:5] == [1, 4, 16, 64, 200]
    assert max(sizes) == 200
    assert sizes[-1] == 1
    assert sizes == [*sizes[:5], *sorted(sizes[5:], reverse=True)]


def test_slow_tasks_are_played_one_by_one() -> None:
    batches = Batches(bytearray(9), 1)
    for batch in batches:
        assert len(batch) == 1
        batches.measured(batch, 5.0)


def test_batches_are_sized_by_the_work_in_them() -> None:
    """Tasks of ten are counted ten times, and a batch has no more tasks than it may."""
    batches = Batches(bytearray(1_000), 1, size=lambda tasks: 10 * len(tasks), most=6)
    sizes = []
    for batch in batches:
        sizes.append(len(batch))
        batches.measured(batch, len(batch) * BATCH_SECONDS / 5)
    assert sizes[:4] == [1, 4, 5, 5]
    batches = Batches(bytearray(1_000), 1, most=6)
    sizes = []
    for batch in batches:
        sizes.append(len(batch))
        batches.measured(batch, 1e-6)
    assert (sizes[:4], max(sizes)) == ([1, 4, 6, 6], 6)
