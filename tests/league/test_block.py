"""Blocks: what is packed comes back, and nothing else does."""

from __future__ import annotations

import io
import random
import time
import zipfile
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from seasons import block_of, game

from cardwright.jobs.files import pack, unpack
from cardwright.league.block import (
    ROUND,
    TIMES,
    BlockError,
    BotFault,
    SeasonBlock,
    Timings,
    time_columns,
)
from deep import usually

FAULT = BotFault(7, 2, 1, 13, "raised", 'ValueError: "no"\nÄ', counts=True, forfeit=False)


def timings(rows: dict[int, list[int]]) -> Timings:
    """Return the times of some roster entries, given the nanoseconds of all their moves."""
    entries = sorted(rows)
    counts = np.zeros((len(entries), TIMES), np.int64)
    for number, entry in enumerate(entries):
        np.add.at(counts[number], time_columns(np.array(rows[entry], np.int64)), 1)
    return Timings(
        np.array(entries, np.int64),
        np.array([len(rows[entry]) for entry in entries], np.int64),
        np.array([sum(rows[entry]) for entry in entries], np.int64),
        np.array([max(rows[entry]) for entry in entries], np.int64),
        counts,
    )


def block() -> SeasonBlock:
    """Return a block with everything in it."""
    return replace(
        block_of([game(0), game(1)], 7),
        faults=(FAULT, replace(FAULT, turn=-1, counts=False, forfeit=True)),
        timings=timings({0: [5, 900], 3: [0]}),
    )


def same(one: SeasonBlock, other: SeasonBlock) -> bool:
    """Say whether all of two blocks is equal."""
    return (
        (one.first, one.faults) == (other.first, other.faults)
        and np.array_equal(one.rounds, other.rounds)
        and np.array_equal(one.plays, other.plays)
        and all(
            np.array_equal(column, getattr(other.timings, name))
            for name, column in vars(one.timings).items()
        )
    )


@settings(max_examples=usually(10, 30))
@given(
    first=st.integers(0, 2**40),
    rounds=st.lists(st.integers(0, 4), max_size=5),
    seed=st.integers(0, 99),
    faults=st.lists(
        st.builds(
            BotFault,
            st.integers(0),
            st.integers(0, 3),
            st.integers(1, 99),
            st.integers(-1, 63),
            st.text(max_size=5),
            st.text(st.characters(exclude_categories=["Cs"])),
            st.booleans(),
            st.booleans(),
        ),
        max_size=3,
    ),
    times=st.dictionaries(
        st.integers(0, 99), st.lists(st.integers(0, 10**12), min_size=1), max_size=3
    ),
)
def test_what_is_packed_comes_back(
    *,
    first: int,
    rounds: list[int],
    seed: int,
    faults: list[BotFault],
    times: dict[int, list[int]],
) -> None:
    """Any block is what it was after packing, and is packed to the same bytes again."""
    rng = random.Random(seed)
    plays = [rng.randrange(4) << 6 | rng.randrange(52) for _ in range(sum(rounds) * ROUND)]
    before = SeasonBlock(
        first,
        np.array(rounds, np.uint16),
        np.array(plays, np.uint8).reshape(-1, ROUND),
        tuple(faults),
        timings(times),
    )
    packed = pack(before)
    after = unpack(packed, SeasonBlock)
    assert same(before, after)
    assert pack(after) == packed


def test_packed_bytes_depend_on_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the clock nor how the arrays lie in memory shows in them."""
    packed = pack(block())
    moved = replace(block(), plays=np.asfortranarray(block().plays))
    monkeypatch.setattr(time, "time", lambda: 2e9)
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(2_000_000_000))
    assert pack(block()) == packed
    assert pack(moved) == packed


def test_everything_shows_in_the_bytes() -> None:
    """Blocks that differ in anything are packed differently."""
    whole = block()
    plays = whole.plays.copy()
    plays[0, 0] ^= 1
    others = [
        replace(whole, first=8),
        replace(whole, faults=(FAULT,)),
        replace(whole, plays=plays),
        replace(whole, rounds=whole.rounds[::-1].copy()),
        replace(whole, timings=timings({0: [5, 901], 3: [0]})),
    ]
    assert len({pack(one) for one in [whole, *others]}) == 6


def test_times_are_no_part_of_what_is_reproduced() -> None:
    """Without them, the same games are the same bytes."""
    slow = replace(block(), timings=timings({0: [10**9]}))
    assert pack(slow) != pack(block())
    assert pack(slow.untimed()) == pack(block().untimed())


def test_a_block_knows_its_games() -> None:
    assert (len(block()), block().after) == (2, 9)


def test_damage_is_found() -> None:
    """Any byte of a block that is changed, or bytes that are missing, are an error."""
    packed = pack(block())
    rng = random.Random(0)
    for _ in range(60):
        place = rng.randrange(len(packed))
        damaged = bytearray(packed)
        damaged[place] ^= 1 << rng.randrange(8)
        with suppress(Exception):
            # Some bytes, such as the dates of parts, mean nothing.
            assert same(unpack(bytes(damaged), SeasonBlock), block())
    for end in (0, 10, len(packed) // 2, len(packed) - 1):
        with pytest.raises(Exception):  # noqa: B017, PT011 - of many kinds
            unpack(packed[:end], SeasonBlock)


def test_objects_are_never_loaded() -> None:
    """A file with pickled objects in it, which could run code, is refused."""
    memory, kept = io.BytesIO(pack(block())), io.BytesIO()
    with zipfile.ZipFile(memory) as whole, zipfile.ZipFile(kept, "w") as archive:
        part = io.BytesIO()
        np.save(part, np.array([{}], object), allow_pickle=True)
        for name in whole.namelist():
            archive.writestr(name, part.getvalue() if name.endswith("npy") else whole.read(name))
    with pytest.raises(ValueError, match="allow_pickle"):
        unpack(kept.getvalue(), SeasonBlock)


def test_arrays_have_their_types() -> None:
    """What would be another thing in the file is refused when it is made."""
    plays = np.zeros((1, ROUND), np.uint8)
    with pytest.raises(BlockError, match="rounds of a block is int64"):
        SeasonBlock(0, np.array([1]), plays)
    with pytest.raises(BlockError, match=r"plays of a block is uint8 \(1, 64\), not .*\(2, 64\)"):
        SeasonBlock(0, np.array([2], np.uint16), plays)


@given(st.integers(0, 2**39 - 1))
def test_columns_of_times(nanoseconds: int) -> None:
    """A column has times from a power of two to the next."""
    (column,) = time_columns(np.array([nanoseconds])).tolist()
    assert (2**column if column else 0) <= nanoseconds < 2 ** (column + 1)


def test_long_times_are_in_the_last_column() -> None:
    assert time_columns(np.array([2**39, 2**60])).tolist() == [TIMES - 1] * 2


moves = st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 2**45), min_size=1), max_size=4)


@given(moves, moves)
def test_times_are_added(one: dict[int, list[int]], other: dict[int, list[int]]) -> None:
    """Times of two blocks together are those of all their moves."""
    both = {entry: one.get(entry, []) + other.get(entry, []) for entry in one | other}
    added, wanted = timings(one) + timings(other), timings(both)
    for name, column in vars(wanted).items():
        assert np.array_equal(getattr(added, name), column), name
