"""The streams of kernels draw what the interpreter's streams draw."""

from random import Random

import pytest
from hypothesis import given, strategies as st
from ir_interpreter import Interpreter

from cardwright.compiler.intrinsics import Pointer, wrap
from cardwright.compiler.ir import Module
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.kernels import stream as kernels
from cardwright.compiler.structs import STREAM
from cardwright.interpreter.stream import Stream
from ir_verifier import verify
from struct_views import StructView

KERNELS = (kernels.below, kernels.next_bits, kernels.seat_seed, kernels.seed_stream)
FUNCTIONS = kernels_needed(KERNELS, {"Stream": STREAM}, {}, {})
SEEDS = st.integers(0, 2**64 - 1)


class Plain:
    """A stream of kernels run as plain Python."""

    def __init__(self):
        self.view = StructView.new(STREAM)

    def call(self, name, *args):
        return getattr(kernels, name)(self.view, *args)


class Lowered:
    """A stream of kernels lowered to the intermediate representation."""

    def __init__(self):
        self.pointer = Pointer(bytearray(STREAM.bytes), 0)

    def call(self, name, *args):
        return Interpreter(FUNCTIONS).call(name, self.pointer, *args)


@pytest.fixture(params=[Plain, Lowered], scope="module")
def kind(request):
    return request.param


def test_the_lowered_kernels_are_valid():
    verify(Module("stream", dict(FUNCTIONS)))


@given(seed=SEEDS)
def test_bits_and_states_are_the_same(kind, seed):
    mine, theirs = kind(), Stream(seed)
    mine.call("seed_stream", wrap(seed))
    for _ in range(4):
        assert mine.call("next_bits") % 2**64 == theirs.next()


@given(seed=SEEDS, bounds=st.lists(st.integers(1, 2**63 - 1) | st.integers(1, 60), max_size=8))
def test_draws_are_the_same(kind, seed, bounds):
    mine, theirs = kind(), Stream(seed)
    mine.call("seed_stream", wrap(seed))
    assert [mine.call("below", b) for b in bounds] == [theirs.below(b) for b in bounds]
    assert mine.call("next_bits") % 2**64 == theirs.next()


@pytest.mark.parametrize("bound", [2**62 + 1, 2**63 - 1, 3 * 2**61])
def test_draws_are_rejected_alike(kind, bound):
    """Large bounds reject often, so that the streams would soon stand apart."""
    mine, theirs = kind(), Stream(bound)
    mine.call("seed_stream", bound)
    for _ in range(100):
        assert mine.call("below", bound) == theirs.below(bound)
    assert mine.call("next_bits") % 2**64 == theirs.next()


def test_seats_have_the_streams_of_the_interpreter():
    random = Random(3)
    for seat in range(12):
        seed = random.getrandbits(64)
        stream = Plain()
        stream.call("seed_stream", kernels.seat_seed(wrap(seed), seat))
        assert stream.call("next_bits") % 2**64 == Stream.of_seat(seed, seat).next()
