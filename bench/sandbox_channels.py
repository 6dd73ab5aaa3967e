"""What two sandboxes of one game can tell each other past the rules, at every level there is here.

One of them is told a secret and then the other one is asked, by turns and on one processor, as in a
season. A channel is a way to tell it: by names of files that do not exist, the clocks of
other processes, a page of a library that both have in memory, the time of an answer, computing out
of turn, and the processor's caches. The one that hears returns a measurement; where it is refused,
there is no channel. What each secret looks like is learned from known ones first, and then secrets
are guessed: the share of right guesses, by chance 1 of the number of secrets, and how many bits a
second that is at least (Fano's inequality). `--turns` says how many are guessed.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from script import carry_out

from cardwright.sandbox.allowance import one_processor
from cardwright.sandbox.levels import SandboxLevel, describe, reason_against
from cardwright.sandbox.sandbox import Sandbox

RUNTIME = b"""
import ctypes, errno, json, os, signal, struct, sys, time
def serve(payload):
    scope = dict(globals())
    exec(payload, scope)
    def answer(request):
        try:
            return json.dumps(scope["turn"](**json.loads(request))).encode()
        except (OSError, ImportError) as error:
            return json.dumps("refused: %r" % error).encode()
    return answer
"""

NAMES = """
FOLDER = os.path.dirname(os.__file__)
def look(name):
    begun = time.perf_counter_ns()
    try:
        os.stat(FOLDER + "/" + name)
    except FileNotFoundError:
        pass
    return time.perf_counter_ns() - begun
def turn(number, secret=None, **_):
    names = ["%d-of-nobody-%d" % (number, at) for at in range(8)]
    if secret is None:
        return sum(map(look, names))
    if secret:
        for name in names:
            look(name)
"""

CLOCK = """
def turn(secret=None, other=None, **_):
    if secret is None:
        now = time.clock_gettime_ns(~other << 3 | 2)
        before, globals()["BEFORE"] = globals().get("BEFORE", now), now
        return now - before
    until = time.process_time() + 0.001 * secret
    while time.process_time() < until:
        pass
"""

PAGE = """
libc = ctypes.CDLL(None, use_errno=True)
PAGE = ctypes.cast(libc.getpid, ctypes.c_void_p).value & -4096
NUMBER = 202 if os.uname().machine == "x86_64" else 98
def futex(command, value, timeout=None):
    done = libc.syscall(ctypes.c_long(NUMBER), ctypes.c_void_p(PAGE), ctypes.c_long(command),
                        ctypes.c_long(value), timeout, None, ctypes.c_long(0))
    if done < 0 and ctypes.get_errno() not in (errno.ETIMEDOUT, errno.EINTR):
        raise OSError(ctypes.get_errno(), "")
    return done
def wait(*_):
    word = ctypes.cast(PAGE, ctypes.POINTER(ctypes.c_uint32))[0]
    futex(0, word, struct.pack("qq", 0, 9_000_000))
signal.signal(signal.SIGALRM, wait)
def turn(secret=None, **_):
    if secret is None:
        time.sleep(0.003)
        return futex(1, 1)
    if secret:
        signal.setitimer(signal.ITIMER_REAL, 1e-3)
"""

ANSWER = """
LAST = time.perf_counter_ns()
def turn(secret=None, **_):
    global LAST
    if secret is None:
        before, LAST = LAST, time.perf_counter_ns()
        return LAST - before
    time.sleep(0.002 * secret)
"""

UNASKED = """
def spin(*_):
    until = time.process_time() + 0.006
    while time.process_time() < until:
        pass
signal.signal(signal.SIGALRM, spin)
def turn(secret=None, **_):
    if secret is None:
        wall, own = time.perf_counter_ns(), time.process_time_ns()
        while time.perf_counter_ns() - wall < 8_000_000:
            pass
        return time.perf_counter_ns() - wall - (time.process_time_ns() - own)
    if secret:
        signal.setitimer(signal.ITIMER_REAL, 1e-3)
"""

CACHE = """
MINE, LARGE = bytes(1 << 19), bytes(1 << 25)
def turn(secret=None, **_):
    if secret is None:
        begun = time.perf_counter_ns()
        MINE.count(1)
        taken = time.perf_counter_ns() - begun
        for _ in range(3):
            MINE.count(1)
        return taken
    if secret:
        LARGE.count(1)
"""


@dataclass(frozen=True)
class Channel:
    """A way to tell one of `secrets` secrets, by a program that both sandboxes run."""

    name: str
    program: str
    secrets: int = 2


CHANNELS = (
    Channel("names that do not exist", NAMES),
    Channel("clocks of other processes", CLOCK),
    Channel("a shared page", PAGE),
    Channel("the time of an answer", ANSWER, 16),
    Channel("computing out of turn", UNASKED),
    Channel("the processor's caches", CACHE),
)

TRAINED = 24
"""Known secrets of each kind, from which is learned what they look like."""


def own(sandbox: Sandbox) -> int:
    """Return the process that computes; a neighbour could guess it."""
    if sandbox.level < SandboxLevel.WALLED:
        return sandbox.pid
    return int(Path(f"/proc/{sandbox.pid}/task/{sandbox.pid}/children").read_text("ascii"))


def measured(channel: Channel, level: SandboxLevel, turns: int) -> tuple[float, float] | str:
    """Return the share of right guesses and the bits a second, or why there is no channel."""
    draw = random.Random(1)
    known = list(range(channel.secrets)) * TRAINED
    draw.shuffle(known)
    secrets = known + [draw.randrange(channel.secrets) for _ in range(turns)]
    program = channel.program.encode()
    heard = []
    with (
        one_processor() as processor,
        Sandbox(RUNTIME, program, level, processor=processor) as one,
        Sandbox(RUNTIME, program, level, processor=processor) as other,
    ):
        pid = own(one)
        begun = time.perf_counter()
        for number, secret in enumerate(secrets):
            if number == len(known):
                begun = time.perf_counter()
            one.ask(json.dumps({"number": number, "secret": secret}).encode(), 60.0)
            asked = json.dumps({"number": number, "other": pid}).encode()
            found = json.loads(other.ask(asked, 60.0))
            if isinstance(found, str):
                return found
            heard.append(found)
        seconds = (time.perf_counter() - begun) / turns
    typical = [
        median([value for value, secret in zip(heard, known, strict=False) if secret == which])
        for which in range(channel.secrets)
    ]
    right = sum(
        min(range(channel.secrets), key=lambda which: abs(typical[which] - value)) == secret
        for value, secret in zip(heard[len(known) :], secrets[len(known) :], strict=True)
    )
    return right / turns, bits(right / turns, channel.secrets) / seconds


def bits(right: float, secrets: int) -> float:
    """Return the least information of a guess, by Fano's inequality; 0 if by chance."""
    wrong = 1 - right
    unsure = -sum(share * math.log2(share) for share in (wrong, right) if share > 0)
    known = math.log2(secrets) - unsure - (wrong * math.log2(secrets - 1) if secrets > 2 else 0)
    return max(known, 0.0) if right > 1 / secrets else 0.0


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--turns", type=int, default=400)
    options = arguments.parse_args()
    print(describe())
    print(f"\n{'level':<12}{'channel':<28}{'secrets':>8}{'guessed, %':>12}{'bits/s':>10}")
    for level in SandboxLevel:
        if reason_against(level) is not None:
            continue
        for channel in CHANNELS:
            found = measured(channel, level, options.turns)
            name = f"{int(level)} {level.name.lower()}"
            start = f"{name:<12}{channel.name:<28}{channel.secrets:>8}"
            if isinstance(found, str):
                print(f"{start}{'refused':>12}{0:>10}")
            else:
                print(f"{start}{100 * found[0]:>12.1f}{found[1]:>10.1f}")


if __name__ == "__main__":
    carry_out(main)
