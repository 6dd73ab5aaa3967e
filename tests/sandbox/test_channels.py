"""Two sandboxes cannot tell each other anything by what the kernel keeps for both."""

from __future__ import annotations

import json
import threading

from cardwright.sandbox.limits import SandboxLevel
from cardwright.sandbox.sandbox import Sandbox
from sandbox.conftest import needs
from sandbox.hostile import GUEST, PRELUDE
from sandbox.outside import IMPORTS

WAITER = """
def page():
    "The address of a page of the C library, which is the same memory in every process."
    return ctypes.cast(libc.getpid, ctypes.c_void_p).value & -4096

def futex(command, word, value, *more):
    return call(202 if X86 else 98, page() + 4 * word, command, value, *more)

def attack(bait):
    bait = json.loads(bait)
    words = ctypes.cast(page(), ctypes.POINTER(ctypes.c_uint32))
    if "wait" in bait:
        word = bait["wait"]
        return tried(lambda: futex(0, word, words[word], struct.pack("qq", 10, 0), None, 0))
    until, woken = time.monotonic() + 10, []
    while not woken and time.monotonic() < until:
        for word in range(52):
            try:
                woken += [word] * futex(1, word, 1, None, None, 0)
            except PermissionError:
                return b'"refused"'
    return json.dumps(woken).encode()
"""


def heard(level: SandboxLevel) -> tuple[object, object]:
    """Return what two sandboxes say of which one waits for a card and the other one wakes it."""
    program, said = (PRELUDE + WAITER).encode(), []
    with (
        Sandbox(GUEST, program, level, imports=IMPORTS) as one,
        Sandbox(GUEST, program, level, imports=IMPORTS) as other,
    ):
        waits = threading.Thread(target=lambda: said.append(one.ask(b'{"wait": 36}', 30.0)))
        waits.start()
        woken = json.loads(other.ask(b"{}", 30.0))
        waits.join()
    return json.loads(said[0]), woken


def test_two_sandboxes_meet_on_no_page(strong: SandboxLevel) -> None:
    """The same page of a library is a place to meet for neither."""
    (waited,), woken = heard(strong)
    assert waited.startswith("refused: PermissionError(1,")
    assert woken == "refused"


def test_without_a_sandbox_they_meet() -> None:
    """What is refused would work: the one that wakes finds out for which card the other waits."""
    assert heard(needs(SandboxLevel.LIMITS)) == (["done: 0"], [36])
