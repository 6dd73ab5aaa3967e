"""Which levels there are, and what is said of those that there are not."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator  # noqa: TC003 - pytest reads it

import pytest

import needed
from cardwright.game.errors import CardwrightError
from cardwright.sandbox import levels, process, process as order
from cardwright.sandbox.errors import ConfineError
from cardwright.sandbox.levels import (
    AvailableLevel,
    LevelError,
    SandboxLevel,
    describe,
    require,
    strongest,
)
from sandbox.conftest import needs


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    """Forget what was found out before a test, and what a test has found out."""
    levels.strongest.cache_clear()
    levels.reason_against.cache_clear()
    yield
    levels.strongest.cache_clear()
    levels.reason_against.cache_clear()


def test_every_level_below_the_strongest_works() -> None:
    """Levels are an order: who has the strongest has them all."""
    found = strongest()
    assert [at for at, _ in found.missing] == [at for at in SandboxLevel if at > found.level]
    require(found.level)
    if found.level == SandboxLevel.WALLED:
        needs(SandboxLevel.CONFINED)


def _works(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_a_machine_that_can_offers_all_levels() -> None:
    """Where kernel and bubblewrap do what they should, no level is missing.

    Without this test a mistake in a level would look like a machine that lacks it, and its tests
    would be skipped.
    """
    version = ctypes.CDLL(None).syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    if sys.platform != "linux" or version < 1:
        pytest.skip("there is no Landlock here")
    spaces = ["--unshare-pid", "--unshare-net", "--unshare-ipc"]
    if os.geteuid() != 0:
        spaces.append("--unshare-user")
    bwrap = needed.program("bwrap")
    if not _works(bwrap, *spaces, "--ro-bind", "/", "/", "--", "true"):
        pytest.skip("bubblewrap is refused namespaces here")
    assert levels.reason_against(SandboxLevel.CONFINED) is None
    assert levels.reason_against(SandboxLevel.WALLED) is None


def test_without_bubblewrap_there_is_no_level_3(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next weaker level is found, and what is missing is named with what helps."""
    needs(SandboxLevel.CONFINED)
    monkeypatch.setattr(process, "bubblewrap", lambda: None)
    reason = "bubblewrap is not installed (install the package `bubblewrap`)"
    assert strongest() == AvailableLevel(SandboxLevel.CONFINED, ((SandboxLevel.WALLED, reason),))
    assert describe() == (
        "level 2: an unprivileged process with Landlock, seccomp and limits\n"
        f"  not level 3: {reason}"
    )
    with pytest.raises(LevelError, match="offers only level 2: level 3: bubblewrap is not inst"):
        require(SandboxLevel.WALLED)


def test_another_processor_has_limits_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without numbers of system calls there is no filter."""
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    found = strongest()
    assert found.level == SandboxLevel.LIMITS
    assert found.missing[0] == (
        SandboxLevel.CONFINED,
        "system calls of riscv64 are not known, only those of x86_64 and aarch64",
    )


def test_another_system_has_limits_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Landlock, seccomp and bubblewrap are Linux's."""
    with monkeypatch.context() as patch:  # of the module that everybody uses, so for a moment
        patch.setattr(sys, "platform", "darwin")
        found = strongest()
    assert found == AvailableLevel(
        SandboxLevel.LIMITS,
        ((SandboxLevel.CONFINED, "it needs Linux"), (SandboxLevel.WALLED, "it needs Linux")),
    )


def test_windows_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is one for users."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "name", "nt")
        try:
            strongest()
        except CardwrightError as error:
            said = str(error)
    assert "only be run on Linux" in said


@pytest.mark.parametrize(("weaker", "what"), [(False, "seccomp"), (True, "the second filter")])
def test_what_does_not_hold_is_found_out(
    weaker: bool, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filter that lets everything through is noticed before anything foreign runs."""
    needs(SandboxLevel.CONFINED)
    levels.reason_against.cache_clear()
    everything = b"\x06\0\0\0\0\0\xff\x7f"
    plain = order.assembled

    def weak(machine: str, *, sealed: bool) -> bytes:
        return everything if sealed == weaker else plain(machine, sealed=sealed)

    monkeypatch.setattr(order, "assembled", weak)
    assert levels.reason_against(SandboxLevel.CONFINED) == f"{what} was set up but does not hold"


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        ("bwrap: setting up uid map: Permission denied", "AppArmor"),
        ("bwrap: No permissions to create a new namespace", "max_user_namespaces"),
        ("Landlock is not in this kernel (Function not implemented)", "Linux 5.13"),
        ("Landlock is switched off (Operation not supported)", "lsm="),
    ],
)
def test_a_reason_comes_with_what_helps(
    error: str, advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What bubblewrap or the kernel says is kept, and explained."""

    def fail(*_: object, **__: object) -> None:
        raise ConfineError(error)

    monkeypatch.setattr(levels, "Sandbox", fail)
    reason = levels.reason_against(SandboxLevel.WALLED)
    assert reason is not None
    assert reason.startswith(error)
    assert advice in reason


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can be without a right of root")
def test_root_that_cannot_kill_starts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox that could not be ended is not begun."""
    monkeypatch.setattr(order, "may_kill_others", lambda: False)
    reason = levels.reason_against(SandboxLevel.CONFINED)
    assert reason is not None
    assert "could not end a sandbox (give this container CAP_KILL" in reason
