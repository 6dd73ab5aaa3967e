"""Finding the n-th set bit: `nth_bit` and `nth_one` in LLVM's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def nth_bit(features: AbstractSet[str]) -> str:
    """Return the definitions for a processor that has some of LLVM's features."""
    return (_BY_DEPOSIT if "bmi2" in features else _BY_HALVES) + _NUMBER


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
