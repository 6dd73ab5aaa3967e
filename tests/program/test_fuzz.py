"""The checker and whatever comes: a few hundred inputs of each kind."""

from collections import Counter

import pytest
from fuzzing import KINDS, judge
from hypothesis import HealthCheck, given, settings, strategies as st

from deep import usually


@pytest.mark.sweep
@pytest.mark.parametrize("kind", KINDS)
def test_every_file_is_refused_told_or_played(kind: str) -> None:
    """Nothing but UnreadableError leaves the checker, and nothing but GameError a game."""

    @settings(
        max_examples=usually(25, 300) if kind != "library games" else usually(4, 120),
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(KINDS[kind])
    def cases(data: bytes) -> None:
        judge(data)

    cases()


def test_the_inputs_are_of_all_sorts() -> None:
    """Among the mutants some are wrong, and some are games that can be played."""
    ends: Counter[str] = Counter()

    @settings(max_examples=usually(40, 80), derandomize=True, database=None)
    @given(st.one_of(KINDS["bytes"], KINDS["small files"]))
    def cases(data: bytes) -> None:
        ends[judge(data)] += 1

    cases()
    assert {"unreadable", "wrong"} < set(ends)
    assert any(end.startswith("played") for end in ends)
