"""The kernels' seeds of games are numpy's."""

import pytest
from hypothesis import given, strategies as st
from ir_interpreter import Interpreter

from cardwright.compiler.intrinsics import Pointer
from cardwright.compiler.ir import Module
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.kernels.stream import POOL_BYTES, game_seed, mix_seed, seed_words
from cardwright.game.seeds import game_seeds
from ir_verifier import verify

FUNCTIONS = kernels_needed([mix_seed, game_seed], {}, {}, {})


def kernel_seed(seed, index, call):
    """The seed of a game as the kernels give it, called in some way."""
    words = seed_words(seed)
    pool = Pointer(bytearray(POOL_BYTES), 0)
    call("mix_seed", pool, Pointer(bytearray(words), 0), len(words) // 4)
    return call("game_seed", pool, index) % 2**64


def plainly(name, *args):
    return {"mix_seed": mix_seed, "game_seed": game_seed}[name](*args)


CALLS = pytest.mark.parametrize("call", [plainly, Interpreter(FUNCTIONS).call])
SEEDS = (
    st.integers(0, 100)
    | st.integers(0, 2**32 + 1)
    | st.integers(0, 2**64)
    | st.integers(0, 2**128 + 1)
    | st.integers(0, 2**400)
)
INDICES = st.integers(0, 100) | st.integers(2**32 - 2, 2**32 + 2) | st.integers(0, 2**62)


def test_the_lowered_kernels_are_valid():
    verify(Module("seeds", dict(FUNCTIONS)))


@CALLS
@given(seed=SEEDS, index=INDICES)
def test_seeds_are_numpys(call, seed, index):
    assert kernel_seed(seed, index, call) == next(iter(game_seeds(seed, 1, index)))


@CALLS
def test_a_pool_serves_all_games(call):
    pool = Pointer(bytearray(POOL_BYTES), 0)
    call("mix_seed", pool, Pointer(bytearray(seed_words(7)), 0), 1)
    before = bytes(pool.buffer)
    mine = [call("game_seed", pool, index) % 2**64 for index in range(200)]
    assert mine == list(game_seeds(7, 200))
    assert pool.buffer == before
