"""How long an sandbox takes to start and to answer, at every level that there is here.

Requests and replies are 24 bytes long, as one decision of a card game is; the time is from asking
to having the reply. `--requests` and `--starts` say how many are measured. A program that does all
this in the same process would need none of it: the numbers are what isolation costs.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from script import carry_out

from cardwright.sandbox.levels import SandboxLevel, describe, reason_against
from cardwright.sandbox.sandbox import Sandbox

MESSAGE = bytes(range(24))
GUEST = b"def serve(payload): return lambda request: request"


def starts(level: SandboxLevel, number: int) -> list[float]:
    """Return how many milliseconds it took from nothing to the first reply, each time."""
    found = []
    for _ in range(number):
        begun = time.perf_counter()
        with Sandbox(GUEST, b"", level) as sandbox:
            sandbox.ask(MESSAGE, 10.0)
            found.append((time.perf_counter() - begun) * 1e3)
    return found


def rounds(level: SandboxLevel, number: int) -> list[float]:
    """Return how many microseconds each of some requests took, in order of size."""
    with Sandbox(GUEST, b"", level) as sandbox:
        for _ in range(number // 10):
            sandbox.ask(MESSAGE, 10.0)
        found = []
        for _ in range(number):
            sandbox.ask(MESSAGE, 10.0)
            found.append(sandbox.last_ns / 1e3)
    return sorted(found)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--requests", type=int, default=20_000)
    arguments.add_argument("--starts", type=int, default=20)
    options = arguments.parse_args()
    print(describe())
    print(f"\n{'level':<14}{'start, ms':>12}{'round trip, µs':>18}{'99 %':>10}")
    for level in SandboxLevel:
        reason = reason_against(level)
        if reason is not None:
            continue
        begins = median(starts(level, options.starts))
        taken = rounds(level, options.requests)
        late = taken[len(taken) * 99 // 100]
        name = f"{int(level)} {level.name.lower()}"
        print(f"{name:<14}{begins:>12.1f}{median(taken):>18.1f}{late:>10.1f}")


if __name__ == "__main__":
    carry_out(main)
