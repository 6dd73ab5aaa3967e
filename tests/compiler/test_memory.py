"""Structs and raw memory, as kernels see them when they run as plain Python."""

import pytest
from hypothesis import given, strategies as st

from cardwright.compiler import intrinsics
from cardwright.compiler.intrinsics import (
    Pointer,
    clear,
    copy,
    like,
    load,
    load_signed,
    offset,
    pointer_to,
    store,
    wrap,
)
from cardwright.compiler.ir import INTRINSICS, Field, Struct, Type
from struct_views import StructView

BOARD = Struct(
    "Board",
    {
        "at": Field(0, 4),
        "score": Field(4, 2, signed=True),
        "over": Field(6, 1, type=Type.BOOL),
        "next": Field(8, 8, type=Type.POINTER),
        "where": Field(16, 1, strides=(1,)),
        "card": Field(24, 2, strides=(8, 2)),
        "links": Field(40, 8, strides=(8,), type=Type.POINTER),
    },
    64,
)


def test_fields_are_cut_to_their_width():
    board = StructView.new(BOARD)
    board.at = -1
    board.score = -2
    board.over = True
    assert (board.at, board.score, board.over) == (2**32 - 1, -2, True)
    assert load(pointer_to(board), 8) == 0x0001_FFFE_FFFF_FFFF


def test_arrays_are_indexed_and_are_addresses():
    board = StructView.new(BOARD)
    board.where[3] = 258
    board.card[1, 2] = 7
    board.card[1, 2] += 1
    assert (board.where[3], board.card[1, 2], board.card[1][2]) == (2, 8, 8)
    assert load(offset(board.where, 3), 1) == 2
    assert load(offset(board.card[1], 4), 2) == 8
    assert board.card[1] == Pointer(pointer_to(board).buffer, 32)


def test_pointers_are_kept_beside_the_bytes():
    board = StructView.new(BOARD)
    target = Pointer(bytearray(4), 2)
    board.next = board.links[1] = target
    assert board.next is board.links[1] is target
    assert like(board, pointer_to(board)).next is target


def test_a_struct_lies_anywhere_in_a_block():
    block = bytearray(200)
    board = StructView(BOARD, Pointer(block, 100))
    board.at = 5
    other = like(board, offset(board, -100))
    copy(other, board, 64)
    assert (block[0], block[100], other.at) == (5, 5, 5)
    assert other != board
    assert like(other, board) == board
    clear(board, 64)
    assert board.at == 0
    assert repr(board) == "<Board at 100>"


def test_native_memory_is_seen_too():
    block = bytearray(64)
    StructView(BOARD, memoryview(block)).at = 3
    assert block[0] == 3


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda b: b.missing, AttributeError),
        (lambda b: setattr(b, "missing", 1), AttributeError),
        (lambda b: setattr(b, "where", 1), TypeError),
        (lambda b: b.where[1, 2], TypeError),
        (lambda b: b.card.__setitem__(1, 2), TypeError),
        (lambda b: load(offset(b, 60), 8), IndexError),
        (lambda b: store(offset(b, -1), 1, 1), IndexError),
        (lambda b: copy(b, offset(b, 60), 5), IndexError),
    ],
)
def test_what_lies_nowhere_is_refused(wrong, error):
    with pytest.raises(error):
        wrong(StructView.new(BOARD))


@given(st.integers(-(2**63), 2**63 - 1), st.sampled_from([1, 2, 4, 8]))
def test_integers_are_stored_and_read_back(value, width):
    place = Pointer(bytearray(10), 1)
    store(place, value, width)
    bits = 8 * width
    assert load(place, width) == (value if width == 8 else value % (1 << bits))
    assert load_signed(place, width) % (1 << bits) == value % (1 << bits)
    assert -(1 << bits - 1) <= load_signed(place, width) < 1 << bits - 1


@pytest.mark.parametrize("name", INTRINSICS)
def test_every_intrinsic_has_a_definition(name):
    assert getattr(intrinsics, name).__doc__


@given(st.binary(min_size=20, max_size=20), st.integers(0, 5), st.integers(0, 5))
def test_copies_may_overlap(content, source, target):
    block = bytearray(content)
    copy(Pointer(block, target), Pointer(block, source), 12)
    expected = bytearray(content)
    expected[target : target + 12] = content[source : source + 12]
    assert block == expected


WORDS = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), -1, 0, 1, 2**63 - 1])


@given(WORDS, WORDS.filter(bool), st.integers(0, 63))
def test_integers_wrap(a, b, bits):
    u, v = a % 2**64, b % 2**64
    assert wrap(u) == a
    assert intrinsics.shift_right(a, bits) % 2**64 == u >> bits
    assert intrinsics.unsigned_divide(a, b) % 2**64 == u // v
    assert intrinsics.unsigned_remainder(a, b) % 2**64 == u % v
    assert intrinsics.divide(a, b) * b + intrinsics.remainder(a, b) == a
    assert abs(intrinsics.remainder(a, b)) < abs(b)
    assert intrinsics.multiply_high(a, b) % 2**64 == u * v >> 64
    assert intrinsics.rotate_left(a, bits) % 2**64 == (u << bits | u >> 64 - bits) % 2**64
    assert intrinsics.unsigned_less(a, b) == (u < v)
    assert intrinsics.count_ones(b) == f"{v:b}".count("1")
    assert intrinsics.lowest_one(b) == f"{v:b}"[::-1].index("1")
    assert intrinsics.highest_one(b) == len(f"{v:b}") - 1
    assert intrinsics.add_overflows(a, b) == (not -(2**63) <= a + b < 2**63)
    assert intrinsics.subtract_overflows(a, b) == (not -(2**63) <= a - b < 2**63)
    assert intrinsics.multiply_overflows(a, b) == (not -(2**63) <= a * b < 2**63)


@given(st.integers(1, 2**128 - 1), st.integers(0, 127))
def test_wide_masks_are_numbers_from_0(mask, number):
    ones = [at for at in range(128) if mask >> at & 1]
    number %= len(ones)
    assert intrinsics.count_ones(mask) == len(ones)
    assert intrinsics.lowest_one(mask) == ones[0]
    assert intrinsics.highest_one(mask) == ones[-1]
    assert intrinsics.nth_one(mask, number) == ones[number]
    assert intrinsics.nth_bit(mask, number) == 1 << ones[number]


def test_bytes_are_searched():
    cards = Pointer(bytearray([9, 3, 63, 3]), 1)
    assert intrinsics.positions(cards, 3, 1 << 3) == 0b101
    assert intrinsics.positions(cards, 2, -1) == 0b11
    assert intrinsics.find_byte(cards, 3, 63) == 1
    assert intrinsics.find_byte(cards, 3, 9) == 3
