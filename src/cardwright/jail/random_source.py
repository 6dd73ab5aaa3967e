"""Random sources: what a program draws without a seed of its own comes from a token.

This file stands alone: it is sent into the sandbox along with the program, and it is used in this
process too, for programs that are trusted. Several programs may take turns in a process, each with
a random source of its own, whose draws depend on nothing but its token and what the program itself
has drawn.

These draw from the source of the program whose turn it is: a module `random` of its own, with
`Random()` and `SystemRandom`, and the global generator of NumPy; in a sandbox (`everywhere`) also
`os.urandom` and all that asks it, which are `secrets`, `uuid4`, and NumPy's generators that are
made without a seed.
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
    """Whose turn it is in a thread."""

    random_source: RandomSource | None = None


_turn = _Turn()
_system = os.urandom


class RandomSource:
    """The random source of one program, which draws from it within a `with` block."""

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
        """Return so many bytes that nobody else draws."""
        return self._bytes.randbytes(count)

    def found_numpy(self) -> None:
        """Take over NumPy's global generator, if NumPy is there and this was not done before."""
        if self._numpy is None and "numpy" in sys.modules:
            self._module = module = sys.modules["numpy"].random
            seed = module.SeedSequence(int.from_bytes(self._token, "little"))
            self._numpy = module.MT19937(seed)
            self._swap()

    def _swap(self) -> None:
        """Put the own generator in the place of the others'.

        NumPy forgets thereby the half of a pair of normal numbers that it may have kept: at every
        turn, so that it does not matter whose turns were between.
        """
        self._others = self._module.get_bit_generator()
        self._module.set_bit_generator(self._numpy)


class importing:  # noqa: N801 - read as a word: `with importing():`
    """Within it nobody has a turn: what modules draw as they are imported comes from no source.

    A module is imported once in a process, but each program would have to draw alike.
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
    """Return so many bytes from the source of whose turn it is, or from the system."""
    random_source = _turn.random_source
    return _system(count) if random_source is None else random_source.draw(count)


class Random(random.Random):
    """The generator of the module `random`, which without a seed takes one from the source."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        """Seed the generator."""
        super().seed(drawn(32) if a is None else a, version)


class SystemRandom(random.SystemRandom):
    """A generator without a state: each draw is one from the random source."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""
        return (int.from_bytes(drawn(7), "big") >> 3) * 2.0**-53

    def getrandbits(self, k: int, /) -> int:
        """Return so many bits."""
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        return int.from_bytes(drawn((k + 7) // 8), "big") >> (-k % 8)

    def randbytes(self, n: int) -> bytes:
        """Return so many bytes."""
        return drawn(n)


def _module(token: bytes) -> ModuleType:
    """Return a module like `random` with a generator of its own."""
    module = ModuleType("random", random.__doc__)
    module.__dict__.update(vars(random))
    own = Random(token)
    for name, value in vars(random).items():
        if getattr(value, "__self__", None) is random._inst:
            setattr(module, name, getattr(own, name))
    module.__dict__.update(Random=Random, SystemRandom=SystemRandom, _inst=own)
    return module


def everywhere() -> None:
    """Let all of this process draw from whose turn it is, wherever it would ask the system."""
    for name in ("os", "posix"):
        module = sys.modules[name]
        for what in ("urandom", "getrandom"):
            if hasattr(module, what):
                setattr(module, what, lambda count, *_: drawn(count))
    vars(random).update(_urandom=drawn, Random=Random, SystemRandom=SystemRandom)
