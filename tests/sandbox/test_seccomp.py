"""The filter of system calls, run by a machine of our own."""

from __future__ import annotations

import platform
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from cardwright.sandbox import seccomp
from cardwright.sandbox.seccomp import (
    ALLOW,
    CALLS,
    CONDITIONAL,
    KILL,
    LOADING,
    LOADING_CONDITIONAL,
    PROCESSORS,
    REFUSE,
    SEALED_CONDITIONAL,
    assembled,
)
from needed import lacking

MACHINES = sorted(PROCESSORS)
NUMBERS = st.one_of(st.integers(0, 500), st.integers(0x40000000, 0x40000210), st.just(0xFFFFFFFF))
WORDS = st.one_of(
    st.integers(0, 12), st.sampled_from([1030, 0x5401, 1 << 32]), st.integers(0, 2**64 - 1)
)
DANGEROUS = {
    "x86_64": {
        "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "ptrace": 101, "socket": 41,
        "connect": 42, "tgkill": 234, "mount": 165, "bpf": 321, "clone3": 435, "unshare": 272,
        "open_by_handle_at": 304, "process_vm_readv": 310, "setuid": 105, "prctl": 157,
        "execveat": 322, "io_uring_setup": 425, "userfaultfd": 323, "memfd_create": 319,
        "setrlimit": 160, "ftruncate": 77, "pidfd_getfd": 438, "openat2": 437, "shmget": 29,
        "sched_setaffinity": 203, "getpriority": 140, "kcmp": 312, "move_pages": 279, "flock": 73,
        "get_robust_list": 274, "inotify_add_watch": 254, "epoll_create1": 291, "sysinfo": 99,
        "chdir": 80, "process_madvise": 440, "pidfd_open": 434, "memfd_secret": 447, "mincore": 27,
        "fadvise64": 221, "statfs": 137, "mlock": 149, "msync": 26, "futex_waitv": 449,
    },
    "aarch64": {
        "clone": 220, "execve": 221, "kill": 129, "ptrace": 117, "socket": 198, "connect": 203,
        "tgkill": 131, "mount": 40, "bpf": 280, "clone3": 435, "unshare": 97, "setuid": 146,
        "open_by_handle_at": 265, "process_vm_readv": 270, "prctl": 167, "execveat": 281,
        "io_uring_setup": 425, "userfaultfd": 282, "memfd_create": 279, "setrlimit": 164,
        "ftruncate": 46, "pidfd_getfd": 438, "openat2": 437, "shmget": 194,
        "sched_setaffinity": 122, "getpriority": 141, "kcmp": 272, "move_pages": 239, "flock": 32,
        "get_robust_list": 100, "inotify_add_watch": 27, "epoll_create1": 20, "sysinfo": 179,
        "chdir": 49, "process_madvise": 440, "pidfd_open": 434, "memfd_secret": 447,
        "mincore": 232, "fadvise64": 223, "statfs": 43, "mlock": 228, "msync": 227,
        "futex_waitv": 449,
    },
}  # fmt: skip


def decided(code: bytes, audit: int, number: int, arguments: tuple[int, ...]) -> int:
    """Return what a filter says, as the kernel's machine would run it."""
    data = struct.pack("<IIQ6Q", number, audit, 0, *arguments)
    program = list(struct.iter_unpack("=HBBI", code))
    at, word = 0, 0
    while True:
        operation, then, otherwise, constant = program[at]
        at += 1
        match operation:
            case seccomp.LOAD:
                word = struct.unpack_from("<I", data, constant)[0]
            case seccomp.AND:
                word &= constant
            case seccomp.EQUAL:
                at += then if word == constant else otherwise
            case seccomp.AT_LEAST:
                at += then if word >= constant else otherwise
            case seccomp.RETURN:
                return int(constant)
            case _:
                raise AssertionError(operation)


def allowed(machine: str, number: int, arguments: tuple[int, ...], *, sealed: bool) -> bool:
    """Say from the tables whether a call is to be allowed."""
    column = PROCESSORS[machine].column
    always = CALLS if sealed else CALLS | LOADING
    if number in {numbers[column] for numbers in always.values()}:
        return True
    further = SEALED_CONDITIONAL if sealed else LOADING_CONDITIONAL
    return any(
        number == numbers[column]
        and all(arguments[one.argument] & one.mask in one.values for one in conditions)
        for numbers, conditions in (CONDITIONAL | further).values()
    )


@given(st.booleans(), st.sampled_from(MACHINES), NUMBERS, st.tuples(*[WORDS] * 6))
def test_the_filter_says_what_the_tables_say(
    sealed: bool, machine: str, number: int, arguments: tuple[int, ...]
) -> None:
    """What is listed is allowed under its conditions, nothing else is, and x32 kills."""
    processor = PROCESSORS[machine]
    said = decided(assembled(machine, sealed=sealed), processor.audit, number, arguments)
    if processor.second_numbers is not None and number >= processor.second_numbers:
        assert said == KILL
    else:
        right = allowed(machine, number, arguments, sealed=sealed)
        assert said == (ALLOW if right else REFUSE)


@pytest.mark.parametrize("machine", MACHINES)
@given(sealed=st.booleans(), number=st.integers(0, 500), audit=st.integers(0, 2**32 - 1))
def test_another_processors_calls_kill(machine: str, sealed: bool, number: int, audit: int) -> None:
    """The same number means another call there, so nobody may call that way."""
    said = decided(assembled(machine, sealed=sealed), audit, number, (0,) * 6)
    assert (said == KILL) == (audit != PROCESSORS[machine].audit)


@pytest.mark.parametrize(
    ("machine", "call"), [(machine, call) for machine in MACHINES for call in DANGEROUS[machine]]
)
def test_dangerous_calls_are_refused(machine: str, call: str) -> None:
    """What must never be listed, by its number."""
    number, audit = DANGEROUS[machine][call], PROCESSORS[machine].audit
    for sealed in (False, True):
        assert decided(assembled(machine, sealed=sealed), audit, number, (0,) * 6) == REFUSE


@pytest.mark.parametrize("machine", MACHINES)
def test_no_path_is_looked_at_once_a_sandbox_is_sealed(machine: str) -> None:
    """None of the calls that take a path, whatever its arguments are; `fstat` takes none."""
    processor, code = PROCESSORS[machine], assembled(machine, sealed=True)
    for call in ("open", "openat", "newfstatat", "stat", "statx", "access", "faccessat2",
                 "readlinkat", "getdents64", "getcwd"):  # fmt: skip
        number = LOADING[call][processor.column]
        for arguments in ((0,) * 6, (3, 4096, 4096, 0x1000, 0, 0)):
            assert number is None or decided(code, processor.audit, number, arguments) == REFUSE
    (number,) = [CALLS["fstat"][processor.column]]
    assert number is not None
    assert decided(code, processor.audit, number, (0,) * 6) == ALLOW


@pytest.mark.parametrize(
    ("call", "arguments", "answer"),
    [
        ("prlimit64", (0, 7, 0, 1, 0, 0), ALLOW),
        ("prlimit64", (0, 7, 1 << 40, 1, 0, 0), REFUSE),  # new limits, far up in memory
        ("prlimit64", (1, 7, 0, 1, 0, 0), REFUSE),
        ("fcntl", (3, 1, 0, 0, 0, 0), ALLOW),
        ("fcntl", (3, 1 | 5 << 32, 0, 0, 0, 0), ALLOW),  # the kernel drops the high word too
        ("fcntl", (3, 8, 1, 0, 0, 0), REFUSE),
        ("fcntl", (3, 6, 1, 0, 0, 0), REFUSE),  # a lock
        ("ioctl", (3, 0x5401, 0, 0, 0, 0), ALLOW),
        ("ioctl", (3, 0x5412, 0, 0, 0, 0), REFUSE),
        ("futex", (1, 128 | 256 | 9, 0, 0, 0, 0), ALLOW),
        ("futex", (1, 128 | 1, 0, 0, 0, 0), ALLOW),
        ("futex", (1, 128 | 6, 0, 0, 0, 0), REFUSE),
        ("futex", (1, 0, 0, 0, 0, 0), REFUSE),  # shared with whoever has the same page
        ("futex", (1, 256 | 9, 0, 0, 0, 0), REFUSE),
        ("clock_gettime", (2, 1 << 40, 0, 0, 0, 0), ALLOW),
        ("clock_gettime", (~1234 << 3 & 2**32 - 1 | 2, 0, 0, 0, 0, 0), REFUSE),  # of a process
        ("clock_gettime", (~1234 << 3 & 2**64 - 1 | 2, 0, 0, 0, 0, 0), REFUSE),
        ("clock_getres", (~1234 << 3 & 2**32 - 1 | 6, 0, 0, 0, 0, 0), REFUSE),  # of a thread
        ("clock_getres", (8, 0, 0, 0, 0, 0), REFUSE),  # CLOCK_REALTIME_ALARM
        ("clock_nanosleep", (1, 1, 1 << 40, 0, 0, 0), ALLOW),
        ("clock_nanosleep", (~1234 << 3 & 2**32 - 1 | 2, 0, 0, 0, 0, 0), REFUSE),
        ("sched_getaffinity", (0, 128, 1 << 40, 0, 0, 0), ALLOW),
        ("sched_getaffinity", (1234, 128, 1 << 40, 0, 0, 0), REFUSE),
        ("madvise", (1 << 40, 4096, 4, 0, 0, 0), ALLOW),
        ("madvise", (1 << 40, 4096, 12, 0, 0, 0), REFUSE),  # MADV_MERGEABLE
        ("madvise", (1 << 40, 4096, 21, 0, 0, 0), REFUSE),  # MADV_PAGEOUT
    ],
)
@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_are_looked_at(
    machine: str, sealed: bool, call: str, arguments: tuple[int, ...], answer: int
) -> None:
    """Some calls are allowed for some of their uses."""
    processor = PROCESSORS[machine]
    number = CONDITIONAL[call][0][processor.column]
    assert decided(assembled(machine, sealed=sealed), processor.audit, number, arguments) == answer


@pytest.mark.parametrize(
    ("call", "arguments", "loading", "sealed"),
    [
        ("mmap", (0, 4096, 5, 2, 3, 0), ALLOW, REFUSE),  # a library, whose code may run
        ("mmap", (0, 4096, 3, 2, 3, 0), ALLOW, REFUSE),
        ("mmap", (0, 4096, 3, 0x22, -1 & 2**64 - 1, 0), ALLOW, ALLOW),
        ("mmap", (0, 4096, 7, 0x22, -1 & 2**64 - 1, 0), ALLOW, REFUSE),
        ("mprotect", (1 << 40, 4096, 1, 0, 0, 0), ALLOW, ALLOW),
        ("mprotect", (1 << 40, 4096, 5, 0, 0, 0), ALLOW, REFUSE),
        ("prctl", (22, 2, 1 << 40, 0, 0, 0), ALLOW, REFUSE),  # a further filter
        ("prctl", (22, 1, 0, 0, 0, 0), REFUSE, REFUSE),
        ("prctl", (4, 2, 0, 0, 0, 0), REFUSE, REFUSE),  # PR_SET_DUMPABLE
    ],
)
@pytest.mark.parametrize("machine", MACHINES)
def test_less_is_allowed_after_loading(
    machine: str, call: str, arguments: tuple[int, ...], loading: int, sealed: int
) -> None:
    processor = PROCESSORS[machine]
    numbers = {"mmap": (9, 222), "mprotect": (10, 226), "prctl": (157, 167)}[call]
    for answer, code in (
        (loading, assembled(machine, sealed=False)),
        (sealed, assembled(machine, sealed=True)),
    ):
        assert decided(code, processor.audit, numbers[processor.column], arguments) == answer


@pytest.mark.parametrize(
    ("column", "header"),
    [(0, "x86_64-linux-gnu/asm/unistd_64.h"), (1, "asm-generic/unistd.h")],
    ids=["x86_64", "aarch64"],
)
def test_numbers_are_those_of_the_kernel(column: int, header: str) -> None:
    """Every number of the tables is the one in the system's own headers."""
    path = Path("/usr/include") / header
    if not path.exists():
        if column == 0 and platform.machine() != "x86_64":
            pytest.skip("the headers of another processor")
        lacking(f"{path} is not installed (Debian: linux-libc-dev)")
    text = path.read_text()
    known = dict(re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", text))
    tables = {name: numbers[column] for name, numbers in (CALLS | LOADING).items()}
    conditional = CONDITIONAL | LOADING_CONDITIONAL | SEALED_CONDITIONAL
    tables |= {name: numbers[column] for name, (numbers, _) in conditional.items()}
    if column == 1:
        known["newfstatat"] = known.pop("fstatat")  # as it is called where words have 64 bits
    assert {name: str(number) for name, number in tables.items() if number is not None} == {
        name: known.get(name) for name, number in tables.items() if number is not None
    }


def test_an_unknown_processor_has_no_filter() -> None:
    """Better none than one with wrong numbers."""
    with pytest.raises(KeyError):
        assembled("pdp11", sealed=True)
