"""How long a game that was compiled before takes to load, in a process of its own."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from cardwright.compiler.cache import VARIABLE, ObjectCache
from cardwright.compiler.native import cache_key

if TYPE_CHECKING:
    from cardwright.compiler.native import Compiled
    from cardwright.game.game import Game

_PROBE = """
import pickle, sys, time
from cardwright.program.check import check
from cardwright.syntax.source import Source
name, text, values, base = pickle.load(sys.stdin.buffer)
program = check(Source(name, text), values, base).program
begun = time.process_time()
from cardwright.compiler.native import native
native(program).code().functions["cw_start"]
print(time.process_time() - begun)
"""


def seconds_from_cache(game: Game, compiled: Compiled, repeats: int = 3) -> float | None:
    """Return the processor time from the checked rules to functions that can be called.

    It is the median of several processes, including their imports. None if no process can be
    started, or the code was not taken from the cache.
    """
    program = game.program
    source = program.source
    told = pickle.dumps((source.name, source.text, game.declared, program.base))
    with TemporaryDirectory() as folder:
        cache = ObjectCache(Path(folder))
        cache.put(cache_key(program), compiled.packed(), game.name)
        before = cache.entries()
        found = [_seconds(told, folder) for _ in range(repeats)]
        if len(before) != 1 or len(cache.entries()) != 1:
            return None
    return median(found) if all(found) else None


def _seconds(told: bytes, folder: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _PROBE],
        input=told,
        env={**os.environ, VARIABLE: folder},
        check=False,
        capture_output=True,
    )
    return float(done.stdout) if done.returncode == 0 else 0.0
