"""Searching many bytes at once: `positions` and `find_byte` in LLVM's text.

Most lists of cards are short, so the first sixteen bytes are searched inline. Times of one call of
`positions` on a Zen 5, the calls independent of one another: 0.7 ns by gathering bits, 0.8 ns by
shuffles and 0.9 ns by shifts for at most 16 bytes; 1.0, 2.2 and 3.5 ns for 52. With AVX2 alone,
0.9 ns by shuffles and 1.7 ns by shifts for at most 16 bytes; 2.3 and 6.7 ns for 52.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def positions(features: AbstractSet[str]) -> str:
    """Return the definition of `positions` for a processor that has some of LLVM's features."""
    if {"avx512bw", "avx512vl", "avx512bitalg"} <= features:
        return _SHORT + _LONG_AT_ONCE + _SET_BY_GATHERING
    return _SHORT + _LONG_BY_CHUNKS + (_SET_BY_SHUFFLES if "ssse3" in features else _SET_BY_SHIFTS)


# Positions of the first sixteen bytes; the first chunk of longer lists.
_SHORT = """
define internal i64 @.positions(ptr %cards, i64 %count, i64 %mask) nounwind alwaysinline {
  %short = icmp ule i64 %count, 16
  br i1 %short, label %here, label %there
here:
  %first = load <16 x i8>, ptr %cards, align 1
  %set = call i64 @.set(<16 x i8> %first, i64 %mask)
  %beyond = shl nsw i64 -1, %count
  %within = xor i64 %beyond, -1
  %few = and i64 %set, %within
  br label %end
there:
  %many = call i64 @.positions.long(ptr %cards, i64 %count, i64 %mask)
  br label %end
end:
  %result = phi i64 [ %few, %here ], [ %many, %there ]
  ret i64 %result
}
"""

_LONG_BY_CHUNKS = """
define internal i64 @.positions.long(ptr %cards, i64 %count, i64 %mask) nounwind noinline {
entry:
  br label %chunk
chunk:
  %place = phi i64 [ 0, %entry ], [ %next, %chunk ]
  %known = phi i64 [ 0, %entry ], [ %more, %chunk ]
  %address = getelementptr i8, ptr %cards, i64 %place
  %bytes = load <16 x i8>, ptr %address, align 1
  %set = call i64 @.set(<16 x i8> %bytes, i64 %mask)
  %moved = shl i64 %set, %place
  %more = or i64 %known, %moved
  %next = add nuw nsw i64 %place, 16
  %again = icmp ult i64 %next, %count
  br i1 %again, label %chunk, label %end
end:
  %left = sub i64 64, %count
  %within = lshr i64 -1, %left
  %result = and i64 %more, %within
  ret i64 %result
}
"""

_LONG_AT_ONCE = """
define internal i64 @.positions.long(ptr %cards, i64 %count, i64 %mask) nounwind alwaysinline {
  %left = sub i64 64, %count
  %within = lshr i64 -1, %left
  %lanes = bitcast i64 %within to <64 x i1>
  %bytes = call <64 x i8> @llvm.masked.load.v64i8.p0(
      ptr align 1 %cards, <64 x i1> %lanes, <64 x i8> zeroinitializer)
  %single = insertelement <8 x i64> poison, i64 %mask, i32 0
  %masks = shufflevector <8 x i64> %single, <8 x i64> poison, <8 x i32> zeroinitializer
  %table = bitcast <8 x i64> %masks to <64 x i8>
  %bits = call <64 x i1> @llvm.x86.avx512.vpshufbitqmb.512(<64 x i8> %table, <64 x i8> %bytes)
  %set = bitcast <64 x i1> %bits to i64
  %result = and i64 %set, %within
  ret i64 %result
}
"""

# Which of sixteen bytes name a bit that is set in a mask. Bytes after the list may be above 63.
_SET_BY_SHIFTS = """
define internal i64 @.set(<16 x i8> %cards, i64 %mask) nounwind alwaysinline {
  %single = insertelement <16 x i64> poison, i64 %mask, i32 0
  %masks = shufflevector <16 x i64> %single, <16 x i64> poison, <16 x i32> zeroinitializer
  %low = and <16 x i8> %cards, splat (i8 63)
  %places = zext <16 x i8> %low to <16 x i64>
  %shifted = lshr <16 x i64> %masks, %places
  %bits = trunc <16 x i64> %shifted to <16 x i1>
  %packed = bitcast <16 x i1> %bits to i16
  %result = zext i16 %packed to i64
  ret i64 %result
}
"""

# A card's upper bits choose one of the mask's bytes, its lower bits a bit in that byte.
_SET_BY_SHUFFLES = """
define internal i64 @.set(<16 x i8> %cards, i64 %mask) nounwind alwaysinline {
  %single = insertelement <2 x i64> poison, i64 %mask, i32 0
  %masks = shufflevector <2 x i64> %single, <2 x i64> poison, <2 x i32> zeroinitializer
  %table = bitcast <2 x i64> %masks to <16 x i8>
  %upper = lshr <16 x i8> %cards, splat (i8 3)
  %bytes = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(<16 x i8> %table, <16 x i8> %upper)
  %tests = call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(
      <16 x i8> <i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 128,
                 i8 1, i8 2, i8 4, i8 8, i8 16, i8 32, i8 64, i8 128>,
      <16 x i8> %cards)
  %found = and <16 x i8> %bytes, %tests
  %bits = icmp eq <16 x i8> %found, %tests
  %packed = bitcast <16 x i1> %bits to i16
  %result = zext i16 %packed to i64
  ret i64 %result
}
"""

_SET_BY_GATHERING = """
define internal i64 @.set(<16 x i8> %cards, i64 %mask) nounwind alwaysinline {
  %single = insertelement <2 x i64> poison, i64 %mask, i32 0
  %masks = shufflevector <2 x i64> %single, <2 x i64> poison, <2 x i32> zeroinitializer
  %table = bitcast <2 x i64> %masks to <16 x i8>
  %bits = call <16 x i1> @llvm.x86.avx512.vpshufbitqmb.128(<16 x i8> %table, <16 x i8> %cards)
  %packed = bitcast <16 x i1> %bits to i16
  %result = zext i16 %packed to i64
  ret i64 %result
}
"""

# Up to 128 bytes and cards: the halves of the mask are looked at for the cards below 64 and others.
WIDE_POSITIONS = """
define internal i128 @.wide_positions(ptr %cards, i64 %count, i128 %mask) nounwind alwaysinline {
  %short = icmp ule i64 %count, 16
  br i1 %short, label %here, label %there
here:
  %set = call i64 @.wide_set(ptr %cards, i128 %mask)
  %beyond = shl nsw i64 -1, %count
  %within = xor i64 %beyond, -1
  %few = and i64 %set, %within
  %first = zext i64 %few to i128
  br label %end
there:
  %many = call i128 @.wide_positions.long(ptr %cards, i64 %count, i128 %mask)
  br label %end
end:
  %result = phi i128 [ %first, %here ], [ %many, %there ]
  ret i128 %result
}

define internal i128 @.wide_positions.long(ptr %cards, i64 %count, i128 %mask) nounwind noinline {
entry:
  br label %chunk
chunk:
  %place = phi i64 [ 0, %entry ], [ %next, %chunk ]
  %known = phi i128 [ 0, %entry ], [ %more, %chunk ]
  %address = getelementptr i8, ptr %cards, i64 %place
  %set = call i64 @.wide_set(ptr %address, i128 %mask)
  %found = zext i64 %set to i128
  %distance = zext i64 %place to i128
  %moved = shl i128 %found, %distance
  %more = or i128 %known, %moved
  %next = add nuw nsw i64 %place, 16
  %again = icmp ult i64 %next, %count
  br i1 %again, label %chunk, label %end
end:
  %left = sub i64 128, %count
  %cut = zext i64 %left to i128
  %within = lshr i128 -1, %cut
  %result = and i128 %more, %within
  ret i128 %result
}

define internal i64 @.wide_set(ptr %address, i128 %mask) nounwind alwaysinline {
  %cards = load <16 x i8>, ptr %address, align 1
  %upper = and <16 x i8> %cards, splat (i8 64)
  %are_high = icmp ne <16 x i8> %upper, zeroinitializer
  %packed = bitcast <16 x i1> %are_high to i16
  %high_ones = zext i16 %packed to i64
  %low_ones = xor i64 %high_ones, 65535
  %within = and <16 x i8> %cards, splat (i8 63)
  %low = trunc i128 %mask to i64
  %shifted = lshr i128 %mask, 64
  %high = trunc i128 %shifted to i64
  %of_low = call i64 @.set(<16 x i8> %within, i64 %low)
  %of_high = call i64 @.set(<16 x i8> %within, i64 %high)
  %first = and i64 %of_low, %low_ones
  %second = and i64 %of_high, %high_ones
  %result = or i64 %first, %second
  ret i64 %result
}
"""

# A bit at `count` stands for "not found", so that the lowest bit is the result in every case.
FIND_BYTE = """
define internal i64 @.find_byte(ptr %bytes, i64 %count, i64 %value) nounwind alwaysinline {
  %short = icmp ule i64 %count, 16
  br i1 %short, label %here, label %there
here:
  %found = call i64 @.equal(ptr %bytes, i64 %value)
  %limit = shl nuw i64 1, %count
  %ends = or i64 %found, %limit
  %first = call i64 @llvm.cttz.i64(i64 %ends, i1 true)
  br label %end
there:
  %later = call i64 @.find_byte.long(ptr %bytes, i64 %count, i64 %value)
  br label %end
end:
  %result = phi i64 [ %first, %here ], [ %later, %there ]
  ret i64 %result
}

define internal i64 @.find_byte.long(ptr %bytes, i64 %count, i64 %value) nounwind noinline {
entry:
  br label %chunk
chunk:
  %place = phi i64 [ 0, %entry ], [ %next, %on ]
  %address = getelementptr i8, ptr %bytes, i64 %place
  %equal = call i64 @.equal(ptr %address, i64 %value)
  %none = icmp eq i64 %equal, 0
  br i1 %none, label %on, label %found
on:
  %next = add nuw nsw i64 %place, 16
  %again = icmp ult i64 %next, %count
  br i1 %again, label %chunk, label %absent
found:
  %within = call i64 @llvm.cttz.i64(i64 %equal, i1 true)
  %position = add nuw nsw i64 %place, %within
  %inside = icmp ult i64 %position, %count
  br i1 %inside, label %inside.end, label %absent
inside.end:
  ret i64 %position
absent:
  ret i64 %count
}

define internal i64 @.equal(ptr %address, i64 %value) nounwind alwaysinline {
  %byte = trunc i64 %value to i8
  %single = insertelement <16 x i8> poison, i8 %byte, i32 0
  %wanted = shufflevector <16 x i8> %single, <16 x i8> poison, <16 x i32> zeroinitializer
  %bytes = load <16 x i8>, ptr %address, align 1
  %bits = icmp eq <16 x i8> %bytes, %wanted
  %packed = bitcast <16 x i1> %bits to i16
  %result = zext i16 %packed to i64
  ret i64 %result
}
"""
