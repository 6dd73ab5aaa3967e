"""The memory of tree searches by machine code."""

from __future__ import annotations

import ctypes
import math
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.compiler.backend import zeroed_memory
from cardwright.compiler.fixed_structs import CHILD, NODE, SEARCH, node_bytes
from cardwright.compiler.kernels import consistent_worlds, rewards
from cardwright.compiler.kernels.bounds import LOG_BITS
from cardwright.game.engines import EngineError
from cardwright.game.search import OptionStatistics, SearchTask

if TYPE_CHECKING:
    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.native import NativeBoard, NativeEngine

_PATH = 1 << 12
"""Most nodes of one iteration; in games of more decisions the search goes only that deep."""

_PLACES = 4
"""Places in lists of children that a node takes at most: see `kernels.nodes.longer_list`."""

_MOST_MEMORIES = 4
"""Memories that a thread keeps."""

_COUNTS = NODE.fields["visits"].offset
"""Where the statistics of a node begin."""


class SearchMemory:
    """The memory of a search, which a thread keeps for the next; its struct's fields by name."""

    def __init__(
        self, engine: NativeEngine, task: SearchTask, extension: KernelSet, times: int = 1
    ) -> None:
        """Allocate memory for a multiple of the nodes that a search for the task makes.

        Raises EngineError if the system does not give it.
        """
        native = engine.native
        self._functions = engine.extended(extension).functions
        parameters, self._players = native.layout.parameters, native.program.players
        nodes = _most_nodes(task, self._players, times)
        table = _entries(nodes)
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        self._struct = zeroed_memory(SEARCH.bytes)
        self.address = self._struct.address
        self._node_bytes = node_bytes(self._players)
        self._work = zeroed_memory(len(native.new_board()))
        self.work = self._work.address
        self._known_bytes = 8 * parameters["CARDS"] * consistent_worlds.table_words(slots)
        sizes = {
            "allowed": self._known_bytes,
            "chain": consistent_worlds.chain_bytes(parameters["CARDS"], slots),
            "table": CHILD.bytes * table,
            "lists": 4 * _PLACES * nodes,
            "path": 8 * _PATH,
            "at": 8 * self._players,
            "streams": 32 * self._players,
            "ends": 2 * 8 * self._players,
            "rewards": 8 * self._players,
        }
        try:
            self.nodes = zeroed_memory(self._node_bytes * nodes)
            self._parts = {name: zeroed_memory(size) for name, size in sizes.items()}
        except OSError:
            megabytes = (self._node_bytes * nodes + sum(sizes.values())) // 10**6
            raise EngineError(
                f"the trees of a search of {task.most_nodes:,} iterations may take "
                f"{megabytes:,} MB, which the system does not give: ask for fewer"
            ) from None
        for name, memory in self._parts.items():
            self.set(name, memory.address)
        self._logs = _logs(task.exploration)
        self._forms = engine.pick_forms
        self.set("logs", ctypes.addressof(self._logs))
        self.set("forms", self._forms.address)
        self.set("room", nodes)
        self.set("mask", table - 1)
        self.set("path_room", _PATH)

    def call(self, name: str, *args: int) -> int:
        """Call a function of the machine code."""
        result: int = self._functions[name](*args)
        return result

    def children(self, board: NativeBoard, seat: int, parent: int) -> list[int]:
        """Return the children of a node by the options of a board, in order; 0 for none."""
        found = (ctypes.c_int64 * board.option_count)()
        context = board.engine.second_context()
        self.call(
            "cw_children", self.address, self.nodes.address, board.address, context.address, parent,
            seat, board.option_count, ctypes.addressof(found),
        )  # fmt: skip
        context.check()
        return list(found)

    def statistics(self, node: int) -> OptionStatistics:
        """Return what is known about a node; nothing is about 0."""
        if not node:
            return OptionStatistics(0, 0, 0, (0,) * self._players)
        words = self.nodes.read(self._node_bytes * node + _COUNTS, self._node_bytes - _COUNTS)
        visits, available, gained, *rewards = struct.unpack(f"<2I{1 + self._players}q", words)
        return OptionStatistics(visits, available, gained, tuple(rewards))

    def know(self, allowed: bytes | None) -> None:
        """Set where cards may lie; without it, every card may lie everywhere."""
        at = self._parts["allowed"].address
        if allowed is None:
            ctypes.memset(at, 0xFF, self._known_bytes)
        else:
            assert len(allowed) <= self._known_bytes
            ctypes.memmove(at, allowed, len(allowed))

    def _field(self, name: str) -> ctypes.c_int64:
        return ctypes.c_int64.from_address(self.address + SEARCH.fields[name].offset)

    def set(self, name: str, value: int) -> None:
        """Set a field."""
        self._field(name).value = value

    def get(self, name: str) -> int:
        """Return a field."""
        found: int = self._field(name).value
        return found


def _most_nodes(task: SearchTask, players: int, times: int) -> int:
    """Return how many nodes there is room for in the trees of some searches for a task."""
    return players + 1 + times * task.most_nodes * (4 * players if task.many else 1)


def _entries(nodes: int) -> int:
    """Return the size of a table of children: a power of two, at most two thirds full."""
    return 1 << (3 * nodes // 2).bit_length()


def kept_memory(engine: NativeEngine, task: SearchTask, extension: KernelSet) -> SearchMemory:
    """Return the memory that the calling thread keeps for tasks of this size."""
    memories = engine.kept_by_thread()
    key = extension.name, task.most_nodes, task.many, task.exploration
    found = memories.get(key)
    if found is None:
        if len(memories) >= _MOST_MEMORIES:
            memories.clear()
        found = memories[key] = SearchMemory(engine, task, extension)
    found.set("root", 0)
    return found


def scaled_log(count: int, exploration: float) -> int:
    """Return k^2 ln(count), scaled so that its square root is scaled like rewards."""
    return round(exploration**2 * math.log(count) * (1 << 2 * rewards.ONE_BITS))


@lru_cache(maxsize=8)
def _logs(exploration: float) -> ctypes.Array[ctypes.c_int64]:
    size = 1 << LOG_BITS
    values = (scaled_log(count, exploration) for count in range(1, size))
    return (ctypes.c_int64 * size)(0, *values)
