"""Native games: programs as machine code, compiled when needed and kept in the user's cache."""

from __future__ import annotations

import ctypes
import json
import sys
import threading
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardwright._version import __version__
from cardwright.compiler import sources
from cardwright.compiler.cache import ObjectCache
from cardwright.compiler.chains import ChoiceOptions, options
from cardwright.compiler.context import Context
from cardwright.compiler.effect_analysis import EffectAnalysis
from cardwright.compiler.effort import most_effort
from cardwright.compiler.extension import Extension
from cardwright.compiler.layout import SLACK, BoardLayout, layout
from cardwright.compiler.names import Names
from cardwright.compiler.plan import BlockPlan
from cardwright.compiler.sites import Site
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from cardwright.compiler.jit import Loaded
    from cardwright.program.program import Program

_POINTER, _INT = ctypes.c_void_p, ctypes.c_int64

_KERNELS = "cardwright.compiler.kernels"

PLAY = Extension(
    "play",
    (f"{_KERNELS}.play",),
    {
        "cw_start": (_POINTER, _POINTER, _INT),
        "cw_advance": (_POINTER, _POINTER),
        "cw_play": (_POINTER, _POINTER, _INT),
        "cw_step": (_POINTER, _POINTER, _INT),
        "cw_scores": (_POINTER, _POINTER, _POINTER),
        "cw_player": (_POINTER,),
    },
    brief=True,
)
"""Functions that play one game, a decision at a time: the caller's part takes longer than theirs.

All functions return an integer of 64 bits.
"""

RANDOM_GAMES = Extension(
    "random games",
    (f"{_KERNELS}.random_games",),
    {
        "cw_game_seeds": (_POINTER, _POINTER, _INT, _INT, _INT, _POINTER),
        "cw_random_games": (*[_POINTER] * 6, _INT, _POINTER, _POINTER),
    },
    whole=True,
)
"""Functions for random games from their seeds; they may leave some to the following."""

RESUMED_GAMES = replace(RANDOM_GAMES, name="random games, resumed", whole=False)
"""The same for all games, also those that have to go on from within a stage."""

ROLLOUTS = Extension(
    "rollouts",
    (f"{_KERNELS}.rollouts",),
    {
        "cw_rollouts": (*[_POINTER] * 5, *[_INT] * 3, _POINTER, _POINTER),
        "cw_imagine_and_roll": (*[_POINTER] * 5, *[_INT] * 5, _POINTER, _POINTER),
    },
)
"""Functions for random games from a state."""

BATCHES = Extension(
    "batches",
    (f"{_KERNELS}.batches", f"{_KERNELS}.picks", f"{_KERNELS}.action_numbers"),
    {
        "cw_action_mask": (*[_POINTER] * 5, _INT, _INT, _POINTER, _POINTER, _INT, _INT),
        "cw_action_options": (*[_POINTER] * 5, _INT, _POINTER, _INT, _INT),
        "cw_batch_start": (*[_POINTER] * 5, _INT, _INT),
        "cw_batch_refused": (_POINTER, _POINTER, _INT),
        "cw_batch_step": (*[_POINTER] * 4, _INT, _INT),
        "cw_batch_choose": (*[_POINTER] * 4, _INT),
        "cw_seat_streams": (_POINTER, _POINTER, _INT),
        "cw_option_picks": (*[_POINTER] * 4, *[_INT] * 3, _POINTER, _POINTER, _INT, _INT),
    },
)
"""Functions for many games side by side."""

RECALLED_BATCHES = Extension(
    "recalled batches",
    (f"{_KERNELS}.recall",),
    {"cw_batch_step_recalled": (*[_POINTER] * 6, *[_INT] * 3)},
)
"""The function for many games side by side that recalls their latest choices."""

_CHAINS: dict[str, tuple[Any, ...]] = {
    "cw_chain": (_POINTER, _INT, *[_POINTER] * 3),
    "cw_next_world": (_POINTER,) * 4,
}

WORLDS = Extension(
    "worlds",
    (f"{_KERNELS}.consistent_worlds", f"{_KERNELS}.determinise"),
    {**_CHAINS, "cw_determinise": (_POINTER, _POINTER, _INT, _POINTER, _INT)},
)
"""Functions for imagined worlds. They need no rules, so that they are compiled fast."""

OBSERVATIONS = Extension(
    "observations",
    (f"{_KERNELS}.observe",),
    {
        "cw_observe": (_POINTER, _POINTER, _INT, *[_POINTER] * 3, _INT, _INT),
        "cw_observe_one": (_POINTER, _INT, _INT, *[_POINTER] * 3),
    },
)
"""Functions that write down what a seat sees. They need no rules either."""

INFORMATION = Extension(
    "information",
    (f"{_KERNELS}.information",),
    {
        "cw_follow_start": (_POINTER, _POINTER, _INT),
        "cw_follow": (*[_POINTER] * 4, _INT, _INT),
        "cw_follow_from": (_POINTER, _POINTER, _INT),
    },
    brief=True,
    seen=True,
)
"""Functions that follow a game for what its seats see of it."""

_TREES = (f"{_KERNELS}.consistent_worlds", f"{_KERNELS}.search")
_SEARCHES: dict[str, tuple[Any, ...]] = {
    **_CHAINS,
    "cw_search_begin": (_POINTER, _POINTER, _POINTER),
    "cw_search": (*[_POINTER] * 6, _INT),
    "cw_search_ends": (*[_POINTER] * 5, _INT, _POINTER),
    "cw_children": (*[_POINTER] * 4, *[_INT] * 3, _POINTER),
}

SEARCHES = Extension(
    "searches",
    (*(f"{_KERNELS}.{name}" for name in ("uniform", "consistent_rollouts", "flat")), *_TREES),
    {
        **_SEARCHES,
        "cw_rollouts_within": (
            *[_POINTER] * 5,
            _INT,
            *[_POINTER] * 2,
            _INT,
            _INT,
            *[_POINTER] * 2,
        ),
        "cw_flat": (_POINTER,) * 14,
    },
)
"""Functions for consistent worlds, and for searches that play on in them."""

WHOLE = Extension(
    "game",
    PLAY.modules + RANDOM_GAMES.modules,
    {**PLAY.signatures, **RANDOM_GAMES.signatures},
    whole=True,
)
"""What plays games, one at a time and many at random, for people who look at the code."""


def searches_by(name: str, policy: str) -> Extension:
    """Return the functions for tree searches that play on by the policy in a module of kernels.

    The module is outside this package, and replaces `cardwright.compiler.kernels.uniform`.
    """
    return Extension(name, (policy, *_TREES), _SEARCHES)


class TooLargeError(Exception):
    """A program that is too large to be compiled; the message says which limit it hit."""


class Compiled(NamedTuple):
    """A program's entry in the cache: its machine code, and where its rules can be broken."""

    code: bytes
    sites: tuple[Site, ...]

    def packed(self) -> bytes:
        """Return this as bytes."""
        sites = json.dumps(self.sites).encode()
        return len(sites).to_bytes(8, "little") + sites + self.code

    @classmethod
    def unpacked(cls, content: bytes) -> Compiled:
        """Return the inverse of `packed`."""
        end = 8 + int.from_bytes(content[:8], "little")
        sites = tuple(Site.of(*site) for site in json.loads(content[8:end]))
        return cls(content[end:], sites)


class NativeCode:
    """Machine code in memory: the functions of an extension by name, and fault sites."""

    def __init__(self, compiled: Compiled, extension: Extension) -> None:
        from cardwright.compiler.jit import load_object

        self._sites = compiled.sites
        self._loaded: Loaded = load_object(compiled.code)
        self.functions = {
            name: ctypes.CFUNCTYPE(_INT, *params)(self._loaded.address(name))
            for name, params in extension.signatures.items()
        }

    @cached_property
    def sites(self) -> dict[int, Site]:
        """The fault sites by their numbers; those of other extensions have others or the same."""
        return {site.number: site for site in self._sites}


class NativeProgram:
    """A program as machine code: the layout of its memory, and its functions, when asked for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = Names(program)
        self.analysis = EffectAnalysis(program)
        self.layout: BoardLayout = layout(self.analysis, self.names)
        self.plan = BlockPlan(program.items)
        self.options: dict[int, ChoiceOptions] = {
            item.pc: options(self.analysis, self.layout.places, item.node)
            for item in self.plan.choices
            if isinstance(item.node, n.Choice)
        }

    @property
    def state_bytes(self) -> int:
        """The size of a state."""
        return self.layout.board.bytes

    def new_board(self) -> bytearray:
        """Return memory for a state, with the slack after it that may be read."""
        return bytearray(self.state_bytes + SLACK)

    def context(self, steps: int, decisions: int) -> Context:
        """Return a context for a thread."""
        return Context(self.state_bytes, steps, decisions)

    def code(self, extension: Extension = PLAY) -> NativeCode:
        """Return machine code: as it was loaded before, from the cache, or compiled.

        States are the same for all extensions. Raises TooLargeError if the program has to be
        compiled and cannot be.
        """
        key = cache_key(self.program, extension)
        with _LOCK:
            found = _LOADED.get(key)
            if found is None:
                found = NativeCode(_compiled(self.program, key, extension), extension)
                _keep(_LOADED, key, found)
        return found

    def brief_code(self, extension: Extension) -> NativeCode:
        """Return machine code that was compiled with the least effort and is kept nowhere.

        It is as good as `code`, only slower, and gone with what is returned: for programs of which
        a few hundred games are played and no more. Raises TooLargeError.
        """
        from cardwright.compiler.stages import Stages

        compiled = Stages(self.program, replace(extension, brief=True), self).compiled
        return NativeCode(compiled, extension)


_LOCK = threading.RLock()
_LOADED: dict[str, NativeCode] = {}
_PROGRAMS: dict[str, NativeProgram] = {}
_MOST_KEPT = 64

_Kept = TypeVar("_Kept")


def native(program: Program) -> NativeProgram:
    """Return a program as machine code, the same for the same rules; nothing is compiled yet."""
    with _LOCK:
        found = _PROGRAMS.get(program.digest)
        if found is None:
            found = NativeProgram(program)
            _keep(_PROGRAMS, program.digest, found)
    return found


def _keep(kept: dict[str, _Kept], key: str, found: _Kept) -> None:
    if len(kept) >= _MOST_KEPT:
        del kept[next(iter(kept))]
    kept[key] = found


def _compiled(program: Program, key: str, extension: Extension) -> Compiled:
    def compiled() -> bytes:
        return compile_program(program, extension).packed()

    return Compiled.unpacked(ObjectCache().get_or_make(key, compiled, program.source.name))


def compile_program(program: Program, extension: Extension = PLAY) -> Compiled:
    """Compile an extension of a program for this machine; raises TooLargeError."""
    from cardwright.compiler.stages import Stages

    return Stages(program, extension).compiled


def cache_key(program: Program, extension: Extension = PLAY) -> str:
    """Return everything that machine code depends on, as text.

    That is the program, the sources and the version of this package, the Python that runs them,
    LLVM and the processor, and whether the environment allows LLVM to optimise.
    """
    from cardwright.compiler.jit import host_cpu

    ours = f"{__version__} {sources.digest(extension.modules)} {sys.implementation.cache_tag}"
    return f"{program.digest} {ours} {host_cpu()} {most_effort()} {extension.name}"
