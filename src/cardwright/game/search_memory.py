"""The memory of tree searches by machine code."""

from __future__ import annotations

import ctypes
import math
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.compiler.context import ZeroedMemory
from cardwright.compiler.kernels import consistent_worlds, rewards
from cardwright.compiler.kernels.search import LOG_BITS
from cardwright.compiler.search_structs import NODE, NODE_HEAD, SEARCH
from cardwright.game.search import OptionStatistics, SearchTask

if TYPE_CHECKING:
    from cardwright.compiler.extension import Extension
    from cardwright.game.native import NativeBoard, NativeEngine

_PATH = 1 << 12
"""Most nodes of one iteration; in games of more decisions the search goes only that deep."""

_MOST_MEMORIES = 4
"""Memories that a thread keeps."""


class SearchMemory:
    """The memory of a search, which a thread keeps for the next; its struct's fields by name."""

    def __init__(
        self, engine: NativeEngine, task: SearchTask, extension: Extension, times: int = 1
    ) -> None:
        """Allocate memory for a multiple of the nodes that a search for the task makes."""
        native = engine.native
        self._functions = engine.extended(extension).functions
        parameters, players = native.layout.parameters, native.program.players
        nodes = players + 1 + times * task.most_nodes * (4 * players if task.many else 1)
        table = 1 << (2 * nodes - 1).bit_length()
        slots = parameters["FIXED_SLOTS"] + parameters["POOL_SLOTS"]
        self._struct = ZeroedMemory(SEARCH.bytes)
        self.address = self._struct.address
        self._node_bytes = 8 * (NODE_HEAD + players)
        self.nodes = ZeroedMemory(self._node_bytes * nodes)
        self._work = ZeroedMemory(len(native.new_board()))
        self.work = self._work.address
        self._known_bytes = 8 * parameters["CARDS"] * consistent_worlds.table_words(slots)
        sizes = {
            "allowed": self._known_bytes,
            "chain": consistent_worlds.chain_bytes(parameters["CARDS"], slots),
            "table": 4 * table,
            "path": 8 * _PATH,
            "at": 8 * players,
            "streams": 32 * players,
            "ends": 8 * players,
            "rewards": 8 * players,
        }
        self._parts = {name: ZeroedMemory(size) for name, size in sizes.items()}
        for name, memory in self._parts.items():
            self.set(name, memory.address)
        self._logs = _logs(task.exploration)
        self._forms = engine.pick_forms.words
        self.set("logs", ctypes.addressof(self._logs))
        self.set("forms", self._forms.ctypes.data)
        self.set("room", nodes)
        self.set("mask", table - 1)
        self.set("path_room", _PATH)

    def call(self, name: str, *args: int) -> int:
        """Call a function of the machine code."""
        result: int = self._functions[name](*args)
        return result

    def option_keys(self, board: NativeBoard, seat: int) -> list[int]:
        """Return the keys of the options of a board as a seat sees them, in order."""
        keys = (ctypes.c_int64 * board.option_count)()
        context = board.engine.second_context()
        self.call(
            "cw_option_keys", board.address, context.address, self.get("forms"), seat,
            board.option_count, ctypes.addressof(keys),
        )  # fmt: skip
        context.check()
        return list(keys)

    def child(self, parent: int, key: int) -> int:
        """Return a node's child by its key; 0 if there is none."""
        return self.call("cw_child", self.address, self.nodes.address, parent, key)

    def visits(self, node: int) -> int:
        """Return how often a node was visited."""
        words = self.nodes.read(self._node_bytes * node + NODE.fields["visits"].offset, 8)
        return int.from_bytes(words, "little")

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

    def children(self, parent: int, players: int) -> dict[int, OptionStatistics]:
        """Return the children of a node, by their keys."""
        size = NODE_HEAD + players
        count = self.get("nodes")
        words = memoryview(self.nodes.read(0, self._node_bytes * count)).cast("q")
        parents = words[1::size].tolist()
        return {
            words[at]: OptionStatistics(
                words[at + 2], words[at + 3], tuple(words[at + NODE_HEAD : at + size])
            )
            for at in (size * number for number, one in enumerate(parents) if one == parent)
        }  # fmt: skip


def kept_memory(engine: NativeEngine, task: SearchTask, extension: Extension) -> SearchMemory:
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
