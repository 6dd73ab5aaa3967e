"""The filter of system calls, assembled for the kernel's packet filter machine.

A filter is an array of `struct sock_filter` and reads `struct seccomp_data`; see seccomp(2). It is
a sequence of blocks, and each returns or falls through to the next, so that no jump is longer than
a block.
"""

from __future__ import annotations

import struct
from functools import cache

from cardwright.jail.syscalls import (
    CALLS,
    CONDITIONAL,
    LOADING,
    LOADING_CONDITIONAL,
    PROCESSORS,
    SEALED_CONDITIONAL,
    Among,
    Processor,
)

LOAD, AND, RETURN = 0x20, 0x54, 0x06
"""Codes of linux/bpf_common.h: load a word, mask it, return a constant."""

EQUAL, AT_LEAST = 0x15, 0x35
"""Jumps, with one offset in instructions if the condition holds and another if it does not."""

ALLOW = 0x7FFF0000
REFUSE = 0x00050000 | 1
"""SECCOMP_RET_ERRNO with EPERM."""

KILL = 0x80000000
"""SECCOMP_RET_KILL_PROCESS."""

NUMBER_AT, PROCESSOR_AT, ARGUMENTS_AT = 0, 4, 16
"""Offsets in `struct seccomp_data`."""

_WORD = (1 << 32) - 1


def instruction(code: int, constant: int, then: int = 0, otherwise: int = 0) -> bytes:
    """Return one `struct sock_filter`; a jump of more than 255 is a struct.error."""
    return struct.pack("=HBBI", code, then, otherwise, constant)


SIZE = len(instruction(0, 0))


@cache
def assembled(machine: str, *, sealed: bool) -> bytes:
    """Return a filter for a kind of processor, as `platform.machine()` names it.

    The one for a sealed sandbox is stricter than the one before. Raises KeyError for a processor
    whose numbers are not known.
    """
    processor = PROCESSORS[machine]
    blocks = [*_head(processor)]
    # First, as the kernel remembers the answer to the others, which do not depend on arguments
    further = SEALED_CONDITIONAL if sealed else LOADING_CONDITIONAL
    for numbers, conditions in (CONDITIONAL | further).values():
        blocks.append(_call(numbers[processor.column], _all(conditions)))
    for calls in (CALLS if sealed else CALLS | LOADING).values():
        number = calls[processor.column]
        if number is not None:
            blocks.append(_call(number, instruction(RETURN, ALLOW)))
    blocks.append(instruction(RETURN, REFUSE))
    return b"".join(blocks)


def _head(processor: Processor) -> list[bytes]:
    """Kill the caller if it uses another processor's calling convention; load the call's number."""
    head = [
        instruction(LOAD, PROCESSOR_AT),
        instruction(EQUAL, processor.audit, 1, 0),
        instruction(RETURN, KILL),
        instruction(LOAD, NUMBER_AT),
    ]
    if processor.second_numbers is not None:
        head += [instruction(AT_LEAST, processor.second_numbers, 0, 1), instruction(RETURN, KILL)]
    return head


def _call(number: int, block: bytes) -> bytes:
    """Run a block, which returns, for one system call."""
    return instruction(EQUAL, number, 0, len(block) // SIZE) + block


def _all(conditions: tuple[Among, ...]) -> bytes:
    """Allow the call if all conditions hold, otherwise refuse it."""
    return b"".join(map(_among, conditions)) + instruction(RETURN, ALLOW)


def _among(condition: Among) -> bytes:
    """Fall through if a condition holds, otherwise refuse; an argument is two words, low one first.

    Both known processors are little-endian. The high words of all values are 0.
    """
    at = ARGUMENTS_AT + 8 * condition.argument
    refuse = instruction(RETURN, REFUSE)
    values = condition.values
    return b"".join(
        [
            instruction(LOAD, at + 4),
            instruction(AND, condition.mask >> 32),
            instruction(EQUAL, 0, 1, 0),
            refuse,
            instruction(LOAD, at),
            instruction(AND, condition.mask & _WORD),
            *(instruction(EQUAL, value, len(values) - n, 0) for n, value in enumerate(values)),
            refuse,
        ]
    )
