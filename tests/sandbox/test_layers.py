"""What each layer holds by itself, so that no layer is there in name only."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator  # noqa: TC003 - pytest reads it
from pathlib import Path

import pytest

from cardwright.sandbox import confine, process
from cardwright.sandbox.limits import SandboxLevel
from cardwright.sandbox.sandbox import Sandbox
from cardwright.sandbox.seccomp import ALLOW, EQUAL, LOAD, NUMBER_AT, REFUSE, RETURN, instruction
from sandbox.conftest import needs
from sandbox.hostile import GUEST, PRELUDE, tries
from sandbox.outside import IMPORTS, Outside

TRIED = {"x86_64": (62, 262, 4), "aarch64": (129, 79, 79)}
"""`kill`, and `newfstatat` and `stat`: by these a sandbox tries whether there are its filters."""


def nearly_all(machine: str, *, sealed: bool) -> bytes:
    """Return a filter that refuses only calls by which a sandbox tries whether there is one."""
    kill, *looks = TRIED[machine]
    refused = (kill, *looks) if sealed else (kill,)
    return (
        instruction(LOAD, NUMBER_AT)
        + b"".join(
            instruction(EQUAL, number, 0, 1) + instruction(RETURN, REFUSE) for number in refused
        )
        + instruction(RETURN, ALLOW)
    )


@pytest.fixture
def outside(open_folder: Path) -> Iterator[Outside]:
    folder = tempfile.mkdtemp(dir=open_folder)
    with Outside(Path(folder), needs(SandboxLevel.CONFINED)) as made:
        yield made


def said(outside: Outside, *attempts: str) -> list[str]:
    """Return what becomes of some attempts at level 2."""
    program = (PRELUDE + tries(*attempts)).encode()
    with Sandbox(GUEST, program, SandboxLevel.CONFINED, imports=IMPORTS) as sandbox:
        found: list[str] = json.loads(sandbox.ask(outside.bait, 20.0))
    return found


def test_landlock_holds_without_seccomp(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files, networks, abstract sockets, signals and traces are refused by Landlock alone."""
    monkeypatch.setattr(process, "assembled", nearly_all)
    bystander = "bait['bystander']"
    found = said(
        outside,
        "os.getpgid(0) and os.umask(0o77)",  # calls that seccomp would refuse
        "first(bait['secret'])",
        "os.listdir('/')",
        "write(bait['secret'], os.O_WRONLY)",
        "os.truncate(bait['secret'], 0)",
        "os.unlink(bait['secret'])",
        "os.mkdir(bait['folder'] + '/new')",
        f"first('/proc/%d/environ' % {bystander})",
        "socket.create_connection(('127.0.0.1', bait['tcp']), 1)",
        "socket.socket(socket.AF_UNIX).connect('\\0' + bait['abstract'])",
        f"call(234 if X86 else 131, {bystander}, {bystander}, 19)",
        f"call(101 if X86 else 117, 16, {bystander}, 0, 0)",
        "call(101 if X86 else 117, 16, os.getppid(), 0, 0)",
    )
    assert found[0].startswith("done")
    assert [
        one for one in found[1:] if not re.match(r"refused: PermissionError\((1|13),", one)
    ] == []
    assert outside.problems() == []


def test_limits_hold_without_seccomp(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started and no memory taken beyond the limits, by the limits alone."""
    monkeypatch.setattr(process, "assembled", nearly_all)
    found = said(
        outside,
        "os.fork() or os._exit(0)",
        "__import__('_thread').start_new_thread(print, ())",
        "bytearray(1 << 30)",
        "__import__('mmap').mmap(-1, 1 << 31)",
        "os.write(os.memfd_create('a'), b'a')",
        "__import__('resource').setrlimit(0, (-1, -1))",
        "[os.dup(0) for _ in range(100)]",
    )
    kinds = [re.sub(r"refused: (\w+)\(?(\d*).*", r"\1 \2", one) for one in found]
    assert kinds == [
        "BlockingIOError 11",
        "RuntimeError ",
        "MemoryError ",
        "OSError 12",
        "OSError 27",
        "ValueError ",
        "OSError 24",
    ]


def test_seccomp_holds_without_landlock(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be opened, sent, started, signalled or traced."""
    source = (Path(process.__file__).parent / "confine.py").read_text("utf-8")
    without = source.replace('    _landlock(order["readable"])\n', "").replace(
        '        ("Landlock", lambda: os.open("/", os.O_RDONLY)),\n', ""
    )
    assert without != source
    other = compile(without, "confine.py", "exec")
    plain = process._code
    monkeypatch.setattr(process, "_code", lambda name: other if name == "confine" else plain(name))
    bystander = "bait['bystander']"
    found = said(
        outside,
        "os.listdir('/')",
        "socket.create_connection(('127.0.0.1', bait['tcp']), 1)",
        "socket.socket(socket.AF_UNIX).connect('\\0' + bait['abstract'])",
        f"os.kill({bystander}, 0)",
        f"call(101 if X86 else 117, 16, {bystander}, 0, 0)",
        "os.fork() or os._exit(0)",
        "os.mkdir(bait['folder'] + '/new')",
        "os.unlink(bait['secret'])",
    )
    assert [one for one in found if not one.startswith("refused: PermissionError(1,")] == []


@pytest.mark.skipif(sys.platform != "linux", reason="there are mounts like this on Linux alone")
def test_what_cannot_be_done_ends_the_process() -> None:
    """A step of giving up rights that fails is an error that names it, for anybody."""
    with pytest.raises(confine.ConfiningError, match="could not mount something on /nowhere/here"):
        confine._mount("none", "/nowhere/here", "tmpfs", confine.MS_NOSUID)
    with pytest.raises(confine.ConfiningError, match="could not do prctl 9999: Invalid argument"):
        confine._prctl(9999)
    with pytest.raises(confine.ConfiningError, match="could not set a seccomp filter: "):
        confine._filter(b"")
