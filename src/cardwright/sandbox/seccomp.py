"""The system calls that a sandbox may make, and the filter that refuses all others.

There are two lists. While only trusted code runs, and loads modules, a sandbox may also open files
and look at paths (`LOADING`). Then it loses that for good, and the program that nobody trusts runs
with the rest: what CPython, NumPy and pandas need to compute, found by experiment. A path is more
than its file: the kernel remembers for all processes which names do not exist, so that two programs
that may look at names can talk by these.

What is not listed is refused with EPERM, so that a program sees an error it can handle. Left out on
purpose are all calls that create processes and threads, send signals, create sockets, write to
files or refer to them other than by opening them, or change limits or rights, and all that are
mainly useful for exploiting kernel bugs (bpf, io_uring, userfaultfd, keyctl, perf_event_open). What
could tell about another process, or be shared with one, is allowed for arguments that mean this
process alone.

Numbers are from the kernel's tables: arch/x86/entry/syscalls/syscall_64.tbl and, for aarch64,
include/uapi/asm-generic/unistd.h. A filter is an array of `struct sock_filter` for the kernel's
packet filter machine, and reads `struct seccomp_data`; see seccomp(2). It is a sequence of blocks,
and each returns or falls through to the next, so that no jump is longer than a block.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias


@dataclass(frozen=True)
class Processor:
    """A kind of processor: its number in the kernel's audit interface, and its call numbers."""

    audit: int
    """AUDIT_ARCH_* of linux/audit.h."""

    column: int
    """The index of its numbers in `CALLS`."""

    second_numbers: int | None = None
    """The first number of another calling convention, whose use kills."""


PROCESSORS = {
    "x86_64": Processor(audit=0xC000003E, column=0, second_numbers=0x40000000),  # x32
    "aarch64": Processor(audit=0xC00000B7, column=1),
}

CALLS: dict[str, tuple[int | None, int | None]] = {
    # communication
    "read": (0, 63),
    "write": (1, 64),
    # memory
    "munmap": (11, 215),
    "brk": (12, 214),
    "mremap": (25, 216),
    # descriptors
    "close": (3, 57),
    "close_range": (436, 436),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "pread64": (17, 67),
    "readv": (19, 65),
    "writev": (20, 66),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    # waiting and clocks
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "sched_yield": (24, 124),
    "getcpu": (309, 168),
    # a program's own signals and alarms: it may use one to limit its search
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "alarm": (37, None),
    "restart_syscall": (219, 128),
    # identity and location
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "uname": (63, 160),
    "getrlimit": (97, 163),
    "getrandom": (318, 278),
    # exit
    "exit": (60, 93),
    "exit_group": (231, 94),
}

LOADING: dict[str, tuple[int | None, int | None]] = {
    "openat": (257, 56),
    "open": (2, None),
    "newfstatat": (262, 79),
    "stat": (4, None),
    "lstat": (6, None),
    "statx": (332, 291),
    "getdents64": (217, 61),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "mmap": (9, 222),
    "mprotect": (10, 226),
}
"""Calls that are allowed until the sandbox is sealed, beside the others."""


@dataclass(frozen=True)
class Among:
    """A condition on an argument: masked, it is one of some values. All 64 bits are checked."""

    argument: int
    values: tuple[int, ...]
    mask: int = (1 << 64) - 1


Conditions: TypeAlias = "tuple[tuple[int, int], tuple[Among, ...]]"
"""The numbers of a call, and the conditions that all have to hold."""

_LOW = (1 << 32) - 1
"""For an argument that the kernel takes as 32 bits, the other bits are ignored."""

_PRIVATE, _REALTIME = 128, 256
"""FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME."""

_EXECUTABLE, _ANONYMOUS = 4, 32
"""PROT_EXEC and MAP_ANONYMOUS."""

CONDITIONAL: dict[str, Conditions] = {
    # CLOCK_REALTIME to CLOCK_BOOTTIME, and CLOCK_TAI; the clocks of other processes are below 0
    "clock_gettime": ((228, 113), (Among(0, (*range(8), 11), _LOW),)),
    "clock_getres": ((229, 114), (Among(0, (*range(8), 11), _LOW),)),
    "clock_nanosleep": ((230, 115), (Among(0, (0, 1), _LOW),)),
    # wait and wake, as locks do, by memory of this process alone: others could wait on a page of a
    # library, which is the same one for them
    "futex": (
        (202, 98),
        (Among(1, tuple(one | _PRIVATE for one in (0, 1, 9, 10)), _LOW & ~_REALTIME),),
    ),
    # MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE: the owner of a library could push it
    # out of memory for all (MADV_PAGEOUT), and equal pages could become one (MADV_MERGEABLE)
    "madvise": ((28, 233), (Among(2, (4, 8, 14, 15), _LOW),)),
    # its own, by pid 0
    "sched_getaffinity": ((204, 123), (Among(0, (0,), _LOW),)),
    # TCGETS, FIONCLEX, FIOCLEX: Python checks whether a file is a terminal
    "ioctl": ((16, 29), (Among(1, (0x5401, 0x5450, 0x5451), _LOW),)),
    # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC; not F_SETOWN: it sends signals
    "fcntl": ((72, 25), (Among(1, (0, 1, 2, 3, 4, 1030), _LOW),)),
    # its own limits, read-only
    "prlimit64": ((302, 261), (Among(0, (0,), _LOW), Among(2, (0,)))),
}

LOADING_CONDITIONAL: dict[str, Conditions] = {
    # PR_SET_SECCOMP, SECCOMP_MODE_FILTER: to seal the sandbox
    "prctl": ((157, 167), (Among(0, (22,), _LOW), Among(1, (2,)))),
}

SEALED_CONDITIONAL: dict[str, Conditions] = {
    # memory without a file, and without machine code of the program's own, which could time caches
    "mmap": ((9, 222), (Among(2, (0,), _EXECUTABLE), Among(3, (_ANONYMOUS,), _ANONYMOUS))),
    "mprotect": ((10, 226), (Among(2, (0,), _EXECUTABLE),)),
}

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
