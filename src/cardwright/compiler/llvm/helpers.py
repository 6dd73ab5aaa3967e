"""Functions in LLVM's text that modules call, chosen for a processor.

`nth_bit`, `nth_one` and `deposit` find set bits by their positions; `positions` and `find_byte`
search many bytes at once. Most lists of cards are short, so the first sixteen bytes are searched
inline. Times of one call of `positions` on a Zen 5, the calls independent of one another: 0.7 ns by
gathering bits, 0.8 ns by shuffles and 0.9 ns by shifts for at most 16 bytes; 1.0, 2.2 and 3.5 ns
for 52, which are 5 % of the games of gin rummy. With AVX2 alone, 0.9 ns by shuffles and 1.7 ns by
shifts for at most 16 bytes; 2.3 and 6.7 ns.
"""

from __future__ import annotations


def with_helpers(text: str, features: str) -> str:
    """Return a module's text with the functions that `emit` left out.

    `features` are a processor's, as LLVM lists them: "+avx2,-amx-tile".
    """
    have = frozenset(features.split(","))
    wide = "@.wide_" in text
    parts = [text]
    if "@.positions(" in text or wide:
        parts.append(_SHORT)
        if {"+avx512bw", "+avx512vl", "+avx512bitalg"} <= have:
            parts += [_LONG_AT_ONCE, _SET_BY_GATHERING]
        else:
            parts += [_LONG_BY_CHUNKS, _SET_BY_SHUFFLES if "+ssse3" in have else _SET_BY_SHIFTS]
    if "@.find_byte(" in text:
        parts.append(_FIND_BYTE)
    if any(f"@.{name}(" in text for name in ("nth_one", "nth_bit", "deposit")) or wide:
        parts += [_BY_DEPOSIT] if "+bmi2" in have else [_by_halves(), _BIT_BY_BIT]
        parts.append(_NTH_ONE)
    if wide:
        parts += [_WIDE_POSITIONS, _WIDE_NTH_BIT]
    return "".join(parts)


# Bits -------------------------------------------------------------------------------------

_NTH_ONE = """
define internal i64 @.nth_one(i64 %mask, i64 %number) nounwind alwaysinline {
  %bit = call i64 @.nth_bit(i64 %mask, i64 %number)
  %found = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %found
}
"""

_BY_DEPOSIT = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @.nth_bit(i64 %mask, i64 %number) nounwind alwaysinline {
  %one = shl i64 1, %number
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %mask)
  ret i64 %bit
}
define internal i64 @.deposit(i64 %bits, i64 %mask) nounwind alwaysinline {
  %found = call i64 @llvm.x86.bmi.pdep.64(i64 %bits, i64 %mask)
  ret i64 %found
}
"""

_BIT_BY_BIT = """
define internal i64 @.deposit(i64 %bits, i64 %mask) nounwind {
.entry:
  br label %test
test:
  %rest = phi i64 [ %bits, %.entry ], [ %halved, %next ]
  %left = phi i64 [ %mask, %.entry ], [ %fewer, %next ]
  %found = phi i64 [ 0, %.entry ], [ %more, %next ]
  %done = icmp eq i64 %left, 0
  br i1 %done, label %end, label %next
next:
  %below = sub i64 %left, 1
  %fewer = and i64 %left, %below
  %bit = xor i64 %left, %fewer
  %low = and i64 %rest, 1
  %all = sub i64 0, %low
  %own = and i64 %bit, %all
  %more = or i64 %found, %own
  %halved = lshr i64 %rest, 1
  br label %test
end:
  ret i64 %found
}
"""


def _by_halves() -> str:
    """Return the definition for any processor: the half that has the bit, again and again.

    Its length does not depend on the bits, so that nothing is mispredicted.
    """
    lines = ["define internal i64 @.nth_bit(i64 %mask, i64 %number) nounwind {"]
    word, left, at = "%mask", "%number", "0"
    for width in (32, 16, 8, 4, 2, 1):
        lines += [
            f"  %low{width} = and i64 {word}, {(1 << width) - 1}",
            f"  %count{width} = call i64 @llvm.ctpop.i64(i64 %low{width})",
            f"  %above{width} = icmp uge i64 {left}, %count{width}",
            f"  %less{width} = sub i64 {left}, %count{width}",
            f"  %left{width} = select i1 %above{width}, i64 %less{width}, i64 {left}",
            f"  %shifted{width} = lshr i64 {word}, {width}",
            f"  %word{width} = select i1 %above{width}, i64 %shifted{width}, i64 {word}",
            f"  %step{width} = select i1 %above{width}, i64 {width}, i64 0",
            f"  %at{width} = add i64 {at}, %step{width}",
        ]
        word, left, at = f"%word{width}", f"%left{width}", f"%at{width}"
    lines += [f"  %bit = shl i64 1, {at}", "  ret i64 %bit", "}"]
    return "\n" + "\n".join(lines) + "\n"


_WIDE_NTH_BIT = """
define internal i128 @.wide_nth_bit(i128 %mask, i64 %number) nounwind alwaysinline {
  %low = trunc i128 %mask to i64
  %shifted = lshr i128 %mask, 64
  %high = trunc i128 %shifted to i64
  %count = call i64 @llvm.ctpop.i64(i64 %low)
  %above = icmp uge i64 %number, %count
  %beyond = sub i64 %number, %count
  %left = select i1 %above, i64 %beyond, i64 %number
  %word = select i1 %above, i64 %high, i64 %low
  %bit = call i64 @.nth_bit(i64 %word, i64 %left)
  %in_low = select i1 %above, i64 0, i64 %bit
  %in_high = select i1 %above, i64 %bit, i64 0
  %lower = zext i64 %in_low to i128
  %higher = zext i64 %in_high to i128
  %moved = shl nuw i128 %higher, 64
  %found = or disjoint i128 %moved, %lower
  ret i128 %found
}

define internal i64 @.wide_nth_one(i128 %mask, i64 %number) nounwind alwaysinline {
  %bit = call i128 @.wide_nth_bit(i128 %mask, i64 %number)
  %at = call i128 @llvm.cttz.i128(i128 %bit, i1 true)
  %found = trunc i128 %at to i64
  ret i64 %found
}
"""

# Bytes ------------------------------------------------------------------------------------

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
_WIDE_POSITIONS = """
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
_FIND_BYTE = """
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
