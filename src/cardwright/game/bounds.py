"""How far the games of a program can go, proved once on a machine where that takes long."""

from __future__ import annotations

import time
from dataclasses import astuple
from typing import TYPE_CHECKING

import msgspec

from cardwright._version import __version__
from cardwright.compiler.cache import ObjectCache, source_digest
from cardwright.program.game_bounds import GameBounds, game_bounds

if TYPE_CHECKING:
    from cardwright.program.program import Program

_LONG = 0.3
"""Seconds of processor time that are worth a file in the cache."""


def bounds_of(program: Program, name: str) -> GameBounds:
    """Return what `game_bounds` does, from the cache if it has taken long before.

    `name` tells people what the entry of the cache is.
    """
    cache, key = ObjectCache(), f"bounds {program.digest} {__version__} {source_digest()}"
    if (kept := _read(cache.get(key))) is not None:
        return kept
    begun = time.process_time()
    bounds = game_bounds(program)
    if time.process_time() - begun > _LONG:
        cache.put(key, msgspec.json.encode(astuple(bounds)), f"bounds of {name}")
    return bounds


def _read(content: bytes | None) -> GameBounds | None:
    if content is None:
        return None
    try:
        return GameBounds(
            *msgspec.json.decode(
                content, type=tuple[tuple[int, int] | None, int | None, int | None]
            )
        )
    except msgspec.DecodeError:
        return None
