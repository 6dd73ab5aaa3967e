"""The conversation with a sandbox, its life and its end."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import needed
from cardwright.sandbox import allowance, errors, process
from cardwright.sandbox.errors import ConfineError, GoneError, LateError, NonsenseError, printable
from cardwright.sandbox.limits import SandboxLevel, SandboxLimits
from cardwright.sandbox.sandbox import Sandbox
from deep import usually
from patience import PATIENCE
from sandbox.conftest import needs

ECHO = b"def serve(payload): return lambda request: payload + request"

RUN = b"""
def serve(payload):
    scope = {}
    exec(payload, scope)
    return lambda request: repr(eval(request, scope)).encode()
"""


def lives(pid: int) -> bool:
    """Say whether a process runs; one that waits to be buried does not."""
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def ends(pid: int) -> bool:
    """Wait a little for the end of a process that was killed."""
    until = time.monotonic() + PATIENCE
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.005)
    return not lives(pid)


def own(sandbox: Sandbox) -> int:
    """Return the process in which the runtime runs."""
    if sandbox.level < SandboxLevel.WALLED:
        return sandbox.pid
    return int(Path(f"/proc/{sandbox.pid}/task/{sandbox.pid}/children").read_text())


def descriptors() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


def children() -> set[str]:
    """Return the processes that belong to this one, with those that wait to be buried."""
    found = Path("/proc/self/task").glob("*/children")
    return {pid for path in found for pid in path.read_text().split()}


def test_a_sandbox_answers(level: SandboxLevel) -> None:
    """What the runtime returns for a request is the reply, and its time is known."""
    with Sandbox(ECHO, b"<", level) as sandbox:
        assert sandbox.ask(b"one", 5.0) == b"<one"
        assert sandbox.ask(b"", 5.0) == b"<"
        assert 0 < sandbox.last_ns < 5e9


def test_messages_of_any_length_come_whole() -> None:
    """Requests and replies may be longer than a pipe holds, up to the limit."""
    level = needs(SandboxLevel.CONFINED)
    with Sandbox(ECHO, b"", level, SandboxLimits(reply=1 << 20)) as sandbox:

        @given(st.binary(max_size=8), st.sampled_from([1, 4083, 65_524, 65_536, 100_003, 131_072]))
        def law(part: bytes, times: int) -> None:
            request = part * times
            assert sandbox.ask(request, 20.0) == request

        law()
        assert len(sandbox.ask(bytes(1 << 20), 20.0)) == 1 << 20
        with pytest.raises(NonsenseError, match="1048577 bytes; the limit is 1048576"):
            sandbox.ask(bytes((1 << 20) + 1), 20.0)


def test_a_large_payload_arrives(strong: SandboxLevel) -> None:
    """The runtime's payload may be longer than a pipe holds as well."""
    with Sandbox(
        b"def serve(p): return lambda r: b'%d' % len(p)", bytes(3 << 20), strong
    ) as sandbox:
        assert sandbox.ask(b"", 5.0) == b"3145728"


def test_a_request_that_is_not_read_is_late(strong: SandboxLevel) -> None:
    """A sandbox that never reads cannot hold up whoever asks."""
    lazy = b"import time\ndef serve(p): return lambda r: time.sleep(60)"
    with Sandbox(lazy, b"", strong) as sandbox, pytest.raises(LateError) as caught:
        sandbox.ask(bytes(1 << 22), 0.1)
    assert caught.value.reason == "did not answer in time"


def test_after_a_failure_all_is_over(strong: SandboxLevel) -> None:
    """A late sandbox is dead, and gives the same reason for ever."""
    with Sandbox(RUN, b"import time", strong) as sandbox:
        pid = sandbox.pid
        assert lives(pid)
        with pytest.raises(LateError):
            sandbox.ask(b"time.sleep(9)", 0.05)
        assert sandbox.last_ns >= 5e7
        assert not lives(pid)
        with pytest.raises(LateError, match="did not answer in time"):
            sandbox.ask(b"1", 1.0)


SPIN = b"""
import time
def spin(seconds):
    begun = time.process_time()
    while time.process_time() - begun < seconds: pass
    return seconds
"""


def test_who_computes_is_judged_by_processor_time(level: SandboxLevel) -> None:
    """To wait is no time of it, to compute is, and both are measured from outside."""
    with Sandbox(RUN, SPIN, level) as sandbox:
        assert sandbox.compute(b"time.sleep(0.5)", 0.1) == b"None"
        assert sandbox.used_ns is not None
        assert sandbox.used_ns < 1e8
        assert sandbox.last_ns >= 5e8
        assert sandbox.compute(b"spin(0.3)", 20.0) == b"0.3"
        assert 3e8 <= sandbox.used_ns < 6e8
        with pytest.raises(LateError):
            sandbox.compute(b"spin(60)", 0.2)
        assert 2e8 <= sandbox.used_ns < 4e8


def test_a_sandbox_that_is_stopped_for_a_while_is_not_late() -> None:
    """So it is with one that a busy machine leaves waiting, with more time to wait than it has."""
    with Sandbox(RUN, SPIN, needs(SandboxLevel.CONFINED)) as sandbox:
        os.kill(own(sandbox), signal.SIGSTOP)
        go_on = threading.Timer(0.6, os.kill, (own(sandbox), signal.SIGCONT))
        go_on.start()
        assert sandbox.compute(b"spin(0.1)", 0.4) == b"0.1"
        assert sandbox.last_ns > 6e8


def test_a_sandbox_that_sleeps_is_late_at_last(
    strong: SandboxLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However little it computes, nobody waits for it for ever."""
    monkeypatch.setattr(allowance, "CEILING", 0.2)
    with Sandbox(RUN, b"import time", strong) as sandbox:
        with pytest.raises(LateError):
            sandbox.compute(b"time.sleep(60)", 0.1)
        assert 2e8 <= sandbox.last_ns < 20e8


@pytest.mark.parametrize(
    "program",
    [
        b"time.sleep(600)",
        b"[time.sleep(0.001) for _ in range(600_000)]",
        b"[time.sleep(0.001) or print('x', flush=True) for _ in range(600_000)]",
        b"[time.sleep(0.001) or sys.stderr.buffer.raw.write(b'x') for _ in range(600_000)]",
    ],
)
def test_a_sandbox_that_sleeps_longer_than_it_may_is_late(
    strong: SandboxLevel, program: bytes
) -> None:
    """It does not help to be awake now and then, not even when something is printed."""
    with Sandbox(RUN, b"import sys, time", strong) as sandbox:
        with pytest.raises(LateError):
            sandbox.compute(program, 30.0, 0.3)
        assert sandbox.overslept
        assert sandbox.slept_ns > 3e8


def test_a_sandbox_that_is_kept_waiting_does_not_sleep() -> None:
    """Also if that is for longer than it may sleep."""
    with Sandbox(RUN, SPIN, needs(SandboxLevel.CONFINED)) as sandbox:
        os.kill(own(sandbox), signal.SIGSTOP)
        go_on = threading.Timer(0.6, os.kill, (own(sandbox), signal.SIGCONT))
        go_on.start()
        assert sandbox.compute(b"spin(0.1)", 0.4, 0.1) == b"0.1"
        assert sandbox.last_ns > 6e8
        assert not sandbox.overslept


def test_a_sandbox_that_sends_an_answer_byte_by_byte_sleeps(strong: SandboxLevel) -> None:
    """Each byte wakes whoever waits for it."""
    program = (
        SPIN + b"import gc, os, sys\n"
        b"def dribble():\n"
        b"    frame = sys._getframe()\n"
        b"    while 'replies' not in frame.f_locals: frame = frame.f_back\n"
        b"    here = frame.f_locals\n"
        b"    os.write(here['replies'], here['key'] + (500_000).to_bytes(4, 'little'))\n"
        b"    for _ in range(500_000):\n"
        b"        time.sleep(0.001)\n"
        b"        os.write(here['replies'], b'x')\n"
    )
    with Sandbox(RUN, program, strong) as sandbox:
        with pytest.raises(LateError):
            sandbox.compute(b"dribble()", 30.0, 0.3)
        assert sandbox.overslept


def test_what_is_computed_unasked_counts(strong: SandboxLevel) -> None:
    """An alarm lets a program think while others do; that is seen, and taken from its time."""
    program = (
        SPIN + b"import signal\n"
        b"signal.signal(signal.SIGALRM, lambda *_: spin(0.3))\n"
        b"def wait():\n    signal.setitimer(signal.ITIMER_REAL, 0.05)\n"
    )
    with Sandbox(RUN, program, strong, imports=("signal",)) as sandbox:
        sandbox.compute(b"wait()", 5.0)
        time.sleep(0.6)
        with pytest.raises(LateError):
            sandbox.compute(b"spin(0.1)", 0.2)


def test_without_a_clock_the_time_on_the_wall_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is where no process can read another's clock: generously, but not for ever."""
    monkeypatch.setattr(process, "clock_of", lambda _: None)
    monkeypatch.setattr(allowance, "CEILING", 0.3)
    with Sandbox(RUN, b"import time", needs(SandboxLevel.CONFINED)) as sandbox:
        assert sandbox.compute(b"time.sleep(0.1)", 0.01) == b"None"
        assert sandbox.used_ns is None
        with pytest.raises(LateError):
            sandbox.compute(b"time.sleep(60)", 0.01)


def test_a_closed_sandbox_says_so(level: SandboxLevel) -> None:
    """To close is final, and may be repeated."""
    sandbox = Sandbox(ECHO, b"", level)
    pid = sandbox.pid
    sandbox.close()
    sandbox.close()
    assert not lives(pid)
    with pytest.raises(GoneError, match="was closed"):
        sandbox.ask(b"", 1.0)


def test_a_forgotten_sandbox_is_closed() -> None:
    """What nobody holds any more leaves no process behind."""
    sandbox = Sandbox(ECHO, b"", needs(SandboxLevel.CONFINED))
    pid = sandbox.pid
    del sandbox
    gc.collect()
    assert not lives(pid)


def test_what_is_printed_tells_why_it_ended(level: SandboxLevel) -> None:
    """The end of the output, with the trace of an error, comes with the error."""
    with pytest.raises(GoneError) as caught:
        Sandbox(RUN, b"print('started')\nraise ValueError('no such card')", level)
    assert caught.value.reason == "ended with exit code 1"
    assert caught.value.output.startswith("started\n")
    assert caught.value.output.endswith("ValueError: no such card\n")


def test_only_the_end_of_the_output_is_kept(strong: SandboxLevel) -> None:
    """Ten megabytes of output neither stop a sandbox nor are kept."""
    printing = b"for number in range(200_000): print('line', number)"
    with Sandbox(RUN, printing, strong, SandboxLimits(output=1000)) as sandbox:
        sandbox.ask(b"1", 5.0)
        assert len(sandbox.printed) == 1000
        assert sandbox.printed.endswith("line 199999\n")


def test_output_cannot_command_a_terminal() -> None:
    """Control characters and broken text are replaced, lines and letters stay."""
    assert printable(b"a\tb\n\x1b[2J\x07\xff\xe2\x99\xa5") == "a\tb\n\ufffd[2J\ufffd\ufffd\u2665"


def test_the_first_words_are_not_believed_twice(strong: SandboxLevel) -> None:
    """What is sent with the words by which a sandbox reports itself is no reply."""
    posing = b"import os\nos.write(4, b'confined' + bytes(4))\n"
    with pytest.raises(NonsenseError):
        Sandbox(RUN, posing, strong)


def test_memory_ends_inside(strong: SandboxLevel) -> None:
    """Too much memory is a MemoryError inside; the sandbox lives on."""
    with Sandbox(RUN, b"", strong, SandboxLimits(memory=128 << 20)) as sandbox:
        with_catch = b"[].__class__ and __import__('builtins').exec('try: bytearray(1 << 28)\\n"
        with_catch += b"except MemoryError: pass\\nelse: raise SystemExit(9)')"
        assert sandbox.ask(with_catch, 5.0) == b"None"


def test_processor_time_has_an_end() -> None:
    """A sandbox that computes without being asked is ended by the kernel at last."""
    loop = b"def attack():\n    while True: pass"
    limits, killed = SandboxLimits(cpu_seconds=1), r"signal (9|24) \(SIG(KILL|XCPU)\)"
    with (
        Sandbox(RUN, loop, needs(SandboxLevel.CONFINED), limits) as sandbox,
        pytest.raises(GoneError, match=killed),
    ):
        sandbox.ask(b"attack()", 20.0)


def test_a_sandbox_holds_no_rights(strong: SandboxLevel) -> None:
    """Seen from outside: a user that is nobody else, without rights, and filtered."""
    with Sandbox(ECHO, b"", strong) as one, Sandbox(ECHO, b"", strong) as two:
        users = set()
        for sandbox in (one, two):
            status = Path(f"/proc/{own(sandbox)}/status").read_text()
            fields = dict(re.findall(r"(\w+):\t(.*)", status))
            assert fields["CapEff"] == fields["CapPrm"] == fields["CapInh"] == "0" * 16
            assert fields["NoNewPrivs"] == "1"
            assert fields["Seccomp"] == "2"
            assert fields["Threads"] == "1"
            users.add(fields["Uid"])
        if os.geteuid() == 0:
            assert len(users) == 2
            assert not any(user.startswith("0\t") for user in users)


def test_bubblewrap_gives_a_sandbox_its_own_namespaces() -> None:
    """In bubblewrap every namespace that matters is another than here."""
    with Sandbox(ECHO, b"", needs(SandboxLevel.WALLED)) as sandbox:
        for kind in ("mnt", "pid", "net", "ipc", "uts"):
            try:
                there = Path(f"/proc/{sandbox.pid}/ns/{kind}").readlink()
            except PermissionError:
                pytest.skip("a user may not look at the namespaces of an sandbox")
            assert there != Path(f"/proc/self/ns/{kind}").readlink()


def test_many_starts_leave_nothing(level: SandboxLevel) -> None:
    """No descriptor stays open and no process waits to be buried, however a sandbox ends."""
    Sandbox(ECHO, b"", level).close()
    before, family = descriptors(), children()
    for turn in range(usually(16, 70)):
        if turn % 2:
            with Sandbox(ECHO, b"x", level) as sandbox:
                assert sandbox.ask(b"y", 10.0) == b"xy"
        else:
            with pytest.raises(GoneError):
                Sandbox(RUN, b"import os; os._exit(1)", level)
    assert descriptors() == before
    assert children() == family


def test_a_sandbox_that_cannot_be_built_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure while confining is told apart from the fault of a program."""
    monkeypatch.setattr("cardwright.sandbox.process.assembled", lambda _, sealed: b"no filter")
    level = needs(SandboxLevel.CONFINED)
    before, family = descriptors(), children()
    with pytest.raises(ConfineError, match="seccomp filter: Invalid argument"):
        Sandbox(ECHO, b"", level)
    assert (descriptors(), children()) == (before, family)


FOLDERS = (Path(__file__).parents[1], Path(errors.__file__).parents[2])
SEEING = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, FOLDERS))}
"""For a process of its own, which is to see these tests and what they test."""

PARENT = """
import os, sys, time
from sandbox.test_sandbox import own
from cardwright.sandbox.sandbox import Sandbox
from cardwright.sandbox.limits import SandboxLevel
loop = b"def serve(p):\\n    return lambda r: r"
hang = b"def serve(p): return hang\\ndef hang(r):\\n    while True: pass"
sandboxes = [Sandbox(runtime, b"", SandboxLevel({level})) for runtime in (loop, hang)]
os.write(sandboxes[1]._process.requests, b"k" * 8 + bytes(4))
os.write(1, b"%d %d\\n" % tuple(map(own, sandboxes)))
time.sleep(60)
"""


def test_a_sandbox_dies_with_its_parent(level: SandboxLevel) -> None:
    """It does so even if the parent is killed, and if the sandbox listens to nobody."""
    code = PARENT.format(level=int(level))
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, env=SEEING
    ) as parent:
        assert parent.stdout is not None
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert len(pids) == 2
        assert all(map(lives, pids))
        parent.send_signal(signal.SIGKILL)
    assert all(map(ends, pids))


def test_a_program_that_forgets_its_sandboxes_ends(level: SandboxLevel) -> None:
    """A program that neither closes nor kills anything ends, with its sandboxes, and in silence."""
    code = PARENT.format(level=int(level)).replace("time.sleep(60)", "")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=PATIENCE, check=True, env=SEEING
    )
    assert done.stderr == b""
    assert all(ends(int(word)) for word in done.stdout.split())


def test_a_sandbox_outlives_the_thread_that_made_it(level: SandboxLevel) -> None:
    """A sandbox belongs to the program, not to one of its threads."""
    made: list[Sandbox] = []
    thread = threading.Thread(target=lambda: made.append(Sandbox(ECHO, b"still ", level)))
    thread.start()
    thread.join()
    time.sleep(0.05)
    with made[0] as sandbox:
        assert sandbox.ask(b"here", 5.0) == b"still here"


def test_a_fork_can_have_sandboxes(strong: SandboxLevel) -> None:
    """A process that was forked off starts its own."""
    Sandbox(ECHO, b"", strong).close()
    code = f"""
import os
from cardwright.sandbox.sandbox import Sandbox
from cardwright.sandbox.limits import SandboxLevel
Sandbox({ECHO!r}, b"", SandboxLevel({int(strong)})).close()
pid = os.fork()
with Sandbox({ECHO!r}, b"<", SandboxLevel({int(strong)})) as sandbox:
    assert sandbox.ask(b">", 5.0) == b"<>"
if pid:
    os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
os._exit(0)
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    subprocess.run(command, timeout=PATIENCE, check=True, env=SEEING)


def test_hashes_are_the_same_every_time(level: SandboxLevel) -> None:
    """Programs that go through sets of texts do the same in every game."""
    seen = set()
    for _ in range(2):
        with Sandbox(RUN, b"", level) as sandbox:
            seen.add(sandbox.ask(b"hash('queen of spades')", 5.0))
    assert len(seen) == 1


def test_numpy_works_inside(level: SandboxLevel) -> None:
    """Large arrays, linear algebra and random numbers need nothing that is refused."""
    program = b"""
import math, random
import numpy as np
def work():
    generator = np.random.default_rng(1)
    matrix = generator.random((200, 200))
    near = np.allclose(matrix @ np.linalg.inv(matrix), np.eye(200))
    values, _ = np.linalg.eigh(matrix + matrix.T)
    np.random.seed()
    big = np.zeros(20_000_000)
    random.shuffle(list(range(99)))
    return bool(near), len(values), math.isclose(big.sum(), 0), np.sort(generator.random(9999)).size
"""
    with Sandbox(RUN, program, level, imports=("numpy",)) as sandbox:
        assert sandbox.ask(b"work()", 20.0) == b"(True, 200, True, 9999)"


def test_pandas_works_inside(level: SandboxLevel) -> None:
    """Tables can be grouped, joined, and have time zones."""
    needed.module("pandas")
    program = b"""
import pandas as pd
def work():
    table = pd.DataFrame({"suit": [0, 1, 0], "points": [1.0, 2.0, 3.0]})
    sums = table.groupby("suit").points.sum()
    joined = table.merge(sums.rename("all"), on="suit")
    time = pd.Timestamp("2020-07-01", tz="Europe/Berlin").utcoffset().seconds
    return float(sums[0]), len(joined), time
"""
    with Sandbox(RUN, program, level, imports=("numpy", "pandas", "zoneinfo")) as sandbox:
        assert sandbox.ask(b"work()", 20.0) == b"(4.0, 3, 7200)"
