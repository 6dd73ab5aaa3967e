"""The filter of system calls, run by a machine of our own."""

from __future__ import annotations

import platform
import re
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardwright.jail import seccomp
from cardwright.jail.seccomp import ALLOW, KILL, REFUSE, assembled
from cardwright.jail.syscalls import CALLS, CONDITIONAL, PROCESSORS
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
    },
    "aarch64": {
        "clone": 220, "execve": 221, "kill": 129, "ptrace": 117, "socket": 198, "connect": 203,
        "tgkill": 131, "mount": 40, "bpf": 280, "clone3": 435, "unshare": 97, "setuid": 146,
        "open_by_handle_at": 265, "process_vm_readv": 270, "prctl": 167, "execveat": 281,
        "io_uring_setup": 425, "userfaultfd": 282, "memfd_create": 279, "setrlimit": 164,
        "ftruncate": 46, "pidfd_getfd": 438, "openat2": 437, "shmget": 194,
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


def allowed(machine: str, number: int, arguments: tuple[int, ...]) -> bool:
    """Say from the tables whether a call is to be allowed."""
    column = PROCESSORS[machine].column
    if number in {numbers[column] for numbers in CALLS.values()}:
        return True
    return any(
        number == numbers[column]
        and all(arguments[one.argument] & one.mask in one.values for one in conditions)
        for numbers, conditions in CONDITIONAL.values()
    )


@given(st.sampled_from(MACHINES), NUMBERS, st.tuples(*[WORDS] * 6))
def test_the_filter_says_what_the_tables_say(
    machine: str, number: int, arguments: tuple[int, ...]
) -> None:
    """What is listed is allowed under its conditions, nothing else is, and x32 kills."""
    processor = PROCESSORS[machine]
    said = decided(assembled(machine), processor.audit, number, arguments)
    if processor.second_numbers is not None and number >= processor.second_numbers:
        assert said == KILL
    else:
        assert said == (ALLOW if allowed(machine, number, arguments) else REFUSE)


@pytest.mark.parametrize("machine", MACHINES)
@given(number=st.integers(0, 500), audit=st.integers(0, 2**32 - 1))
def test_another_processors_calls_kill(machine: str, number: int, audit: int) -> None:
    """The same number means another call there, so nobody may call that way."""
    said = decided(assembled(machine), audit, number, (0,) * 6)
    assert (said == KILL) == (audit != PROCESSORS[machine].audit)


@pytest.mark.parametrize(
    ("machine", "call"), [(machine, call) for machine in MACHINES for call in DANGEROUS[machine]]
)
def test_dangerous_calls_are_refused(machine: str, call: str) -> None:
    """What must never be listed, by its number."""
    number = DANGEROUS[machine][call]
    assert decided(assembled(machine), PROCESSORS[machine].audit, number, (0,) * 6) == REFUSE


@pytest.mark.parametrize(
    ("call", "arguments", "answer"),
    [
        ("prlimit64", (0, 7, 0, 1, 0, 0), ALLOW),
        ("prlimit64", (0, 7, 1 << 40, 1, 0, 0), REFUSE),  # new limits, far up in memory
        ("prlimit64", (1, 7, 0, 1, 0, 0), REFUSE),
        ("fcntl", (3, 1, 0, 0, 0, 0), ALLOW),
        ("fcntl", (3, 1 | 5 << 32, 0, 0, 0, 0), ALLOW),  # the kernel drops the high word too
        ("fcntl", (3, 8, 1, 0, 0, 0), REFUSE),
        ("ioctl", (3, 0x5401, 0, 0, 0, 0), ALLOW),
        ("ioctl", (3, 0x5412, 0, 0, 0, 0), REFUSE),
        ("futex", (1, 128 | 256 | 9, 0, 0, 0, 0), ALLOW),
        ("futex", (1, 128 | 6, 0, 0, 0, 0), REFUSE),
    ],
)
@pytest.mark.parametrize("machine", MACHINES)
def test_arguments_are_looked_at(
    machine: str, call: str, arguments: tuple[int, ...], answer: int
) -> None:
    """Some calls are allowed for some of their uses."""
    processor = PROCESSORS[machine]
    number = CONDITIONAL[call][0][processor.column]
    assert decided(assembled(machine), processor.audit, number, arguments) == answer


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
    tables = {name: numbers[column] for name, numbers in CALLS.items()}
    tables |= {name: numbers[column] for name, (numbers, _) in CONDITIONAL.items()}
    if column == 1:
        known["newfstatat"] = known.pop("fstatat")  # as it is called where words have 64 bits
    assert {name: str(number) for name, number in tables.items() if number is not None} == {
        name: known.get(name) for name, number in tables.items() if number is not None
    }


def test_an_unknown_processor_has_no_filter() -> None:
    """Better none than one with wrong numbers."""
    with pytest.raises(KeyError):
        assembled("pdp11")
