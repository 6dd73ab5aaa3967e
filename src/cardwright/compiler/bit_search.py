"""Finding the n-th set bit: `nth_one` in LLVM's text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet


def nth_one(features: AbstractSet[str]) -> str:
    """Return the definition of `nth_one` for a processor that has some of LLVM's features."""
    return _BY_DEPOSIT if "bmi2" in features else _BY_CLEARING


_BY_DEPOSIT = """
declare i64 @llvm.x86.bmi.pdep.64(i64, i64)
define internal i64 @.nth_one(i64 %mask, i64 %number) nounwind alwaysinline {
  %one = shl i64 1, %number
  %bit = call i64 @llvm.x86.bmi.pdep.64(i64 %one, i64 %mask)
  %found = call i64 @llvm.cttz.i64(i64 %bit, i1 true)
  ret i64 %found
}
"""

_BY_CLEARING = """
define internal i64 @.nth_one(i64 %mask, i64 %number) nounwind {
entry:
  br label %test
test:
  %left = phi i64 [ %mask, %entry ], [ %cleared, %clear ]
  %more = phi i64 [ %number, %entry ], [ %less, %clear ]
  %done = icmp eq i64 %more, 0
  br i1 %done, label %end, label %clear
clear:
  %below = sub i64 %left, 1
  %cleared = and i64 %left, %below
  %less = sub i64 %more, 1
  br label %test
end:
  %found = call i64 @llvm.cttz.i64(i64 %left, i1 true)
  ret i64 %found
}
"""
