"""Set bits by their positions: `nth_bit`, `nth_one` and `deposit` in LLVM's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def nth_bit(features: AbstractSet[str]) -> str:
    """Return the definitions for a processor that has some of LLVM's features."""
    return (_BY_DEPOSIT if "bmi2" in features else _BY_HALVES + _BIT_BY_BIT) + _NUMBER


_NUMBER = """
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


_BY_HALVES = _by_halves()

WIDE_NTH_BIT = """
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
