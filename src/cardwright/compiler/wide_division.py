"""Division of wide integers in LLVM's text, for which LLVM would call a missing library."""

from __future__ import annotations

NAMES = ("udiv", "urem", "sdiv", "srem")

_UNSIGNED = """
define internal {i128, i128} @.divide(i128 %left, i128 %right) nounwind noinline {
entry:
  %both = or i128 %left, %right
  %small = icmp ult i128 %both, 18446744073709551616
  br i1 %small, label %narrow, label %wide
narrow:
  %left.narrow = trunc i128 %left to i64
  %right.narrow = trunc i128 %right to i64
  %quotient.narrow = udiv i64 %left.narrow, %right.narrow
  %rest.narrow = urem i64 %left.narrow, %right.narrow
  %quotient.widened = zext i64 %quotient.narrow to i128
  %rest.widened = zext i64 %rest.narrow to i128
  br label %end
wide:
  %zeros = call i128 @llvm.ctlz.i128(i128 %left, i1 false)
  %bits = sub i128 128, %zeros
  br label %test
test:
  %bit = phi i128 [ %bits, %wide ], [ %below, %digit ]
  %quotient = phi i128 [ 0, %wide ], [ %quotient.next, %digit ]
  %rest = phi i128 [ 0, %wide ], [ %rest.next, %digit ]
  %done = icmp eq i128 %bit, 0
  br i1 %done, label %end, label %digit
digit:
  %below = sub i128 %bit, 1
  %brought = lshr i128 %left, %below
  %one = and i128 %brought, 1
  %carried = icmp slt i128 %rest, 0
  %doubled = shl i128 %rest, 1
  %joined = or i128 %doubled, %one
  %reaches = icmp uge i128 %joined, %right
  %goes = or i1 %carried, %reaches
  %lessened = sub i128 %joined, %right
  %rest.next = select i1 %goes, i128 %lessened, i128 %joined
  %quotient.doubled = shl i128 %quotient, 1
  %unit = zext i1 %goes to i128
  %quotient.next = or i128 %quotient.doubled, %unit
  br label %test
end:
  %quotient.end = phi i128 [ %quotient.widened, %narrow ], [ %quotient, %test ]
  %rest.end = phi i128 [ %rest.widened, %narrow ], [ %rest, %test ]
  %first = insertvalue {i128, i128} poison, i128 %quotient.end, 0
  %result = insertvalue {i128, i128} %first, i128 %rest.end, 1
  ret {i128, i128} %result
}

define internal i128 @.udiv(i128 %left, i128 %right) nounwind alwaysinline {
  %both = call {i128, i128} @.divide(i128 %left, i128 %right)
  %result = extractvalue {i128, i128} %both, 0
  ret i128 %result
}

define internal i128 @.urem(i128 %left, i128 %right) nounwind alwaysinline {
  %both = call {i128, i128} @.divide(i128 %left, i128 %right)
  %result = extractvalue {i128, i128} %both, 1
  ret i128 %result
}
"""

_SIGNED = """
define internal i128 @.sdiv(i128 %left, i128 %right) nounwind alwaysinline {
  %left.size = call i128 @llvm.abs.i128(i128 %left, i1 false)
  %right.size = call i128 @llvm.abs.i128(i128 %right, i1 false)
  %size = call i128 @.udiv(i128 %left.size, i128 %right.size)
  %signs = xor i128 %left, %right
  %negative = icmp slt i128 %signs, 0
  %opposite = sub i128 0, %size
  %result = select i1 %negative, i128 %opposite, i128 %size
  ret i128 %result
}

define internal i128 @.srem(i128 %left, i128 %right) nounwind alwaysinline {
  %left.size = call i128 @llvm.abs.i128(i128 %left, i1 false)
  %right.size = call i128 @llvm.abs.i128(i128 %right, i1 false)
  %size = call i128 @.urem(i128 %left.size, i128 %right.size)
  %negative = icmp slt i128 %left, 0
  %opposite = sub i128 0, %size
  %result = select i1 %negative, i128 %opposite, i128 %size
  ret i128 %result
}
"""

DEFINITIONS = _UNSIGNED + _SIGNED
