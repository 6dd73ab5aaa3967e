"""Random sources: what a program draws without a seed of its own is derived from a token.

This file is self-contained: it is sent into the sandbox along with the program, and it is also used
in this process, for trusted programs. Several programs may take turns in a process, each with its
own random source, whose draws depend only on its token and on what the program has drawn before.

These draw from the source of the active program: its own module `random`, with `Random()` and
`SystemRandom`, and NumPy's global generator; in a sandbox (`everywhere`) also `os.urandom` and its
users, which are `secrets`, `uuid4`, and NumPy's generators made without a seed.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from types import ModuleType

TYPE_CHECKING = False  # importing `typing` takes half as long as starting Python does
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Any


class _Turn(threading.local):
    """The active source of a thread."""

    random_source: RandomSource | None = None


_turn = _Turn()
_system = os.urandom


class RandomSource:
    """The random source of one program, active within a `with` block."""

    def __init__(self, token: bytes) -> None:
        self._token = token
        self._bytes = random.Random(b"bytes" + token)
        self._module: Any = None
        self._numpy: Any = None
        self._others: Any = None
        self.random = _module(token)

    def __enter__(self) -> None:
        _turn.random_source = self
        if self._numpy is not None:
            self._swap()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _turn.random_source = None
        if self._numpy is not None:
            self._numpy = self._module.get_bit_generator()
            self._module.set_bit_generator(self._others)

    def draw(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        return self._bytes.randbytes(count)

    def found_numpy(self) -> None:
        """Take over NumPy's global generator, if NumPy is imported and this was not done before."""
        if self._numpy is None and "numpy" in sys.modules:
            self._module = module = sys.modules["numpy"].random
            seed = module.SeedSequence(int.from_bytes(self._token, "little"))
            self._numpy = module.MT19937(seed)
            self._swap()

    def _swap(self) -> None:
        """Swap in this source's generator.

        This makes NumPy drop the second of a pair of normal numbers that it may have cached, at
        every turn, so that turns in between make no difference.
        """
        self._others = self._module.get_bit_generator()
        self._module.set_bit_generator(self._numpy)


class importing:  # noqa: N801 - read as a word: `with importing():`
    """A block without an active source: what modules draw while imported comes from none.

    A module is imported once per process, but all programs must draw the same.
    """

    def __enter__(self) -> None:
        self._random_source = _turn.random_source
        _turn.random_source = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _turn.random_source = self._random_source


def drawn(count: int) -> bytes:
    """Return `count` bytes from the active source, or from the system."""
    random_source = _turn.random_source
    return _system(count) if random_source is None else random_source.draw(count)


class Random(random.Random):
    """The generator of the module `random`, which takes a missing seed from the source."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Seed the generator."""
        super().seed(drawn(32) if a is None else a, version)


class SystemRandom(random.SystemRandom):
    """A stateless generator: each draw is one from the random source."""

    def random(self) -> float:
        """Return a number from 0 up to but excluding 1."""
        return (int.from_bytes(drawn(7), "big") >> 3) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """Return an integer of `k` random bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return int.from_bytes(drawn((k + 7) // 8), "big") >> (-k % 8)

    def randbytes(self, n: int) -> bytes:
        """Return `n` bytes."""
        return drawn(n)


def _module(token: bytes) -> ModuleType:
    """Return a module like `random` with its own generator."""
    module = ModuleType("random", random.__doc__)
    module.__dict__.update(vars(random))
    own = Random(token)
    for name, value in vars(random).items():
        if getattr(value, "__self__", None) is random._inst:
            setattr(module, name, getattr(own, name))
    module.__dict__.update(Random=Random, SystemRandom=SystemRandom, _inst=own)
    return module


def everywhere() -> None:
    """Make this whole process draw from the active source wherever it would ask the system."""
    for name in ("os", "posix"):
        module = sys.modules[name]
        for what in ("urandom", "getrandom"):
            if hasattr(module, what):
                setattr(module, what, lambda count, *_: drawn(count))
    vars(random).update(_urandom=drawn, Random=Random, SystemRandom=SystemRandom)
