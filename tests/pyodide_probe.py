"""What machine code finds in some games, as digests: the same wherever it runs, without NumPy.

`test_pyodide.py` runs it here and in Pyodide.
"""

from __future__ import annotations

import hashlib

from cardwright import Game, Stream, simulate
from cardwright.game.search import SearchTask
from cardwright.hearts.expert import Expert
from cardwright.library.catalogue import names
from cardwright.players.player import Decision


def found(name: str) -> str:
    """Return a digest of options, searches, rollouts, what seats know, and random games."""
    game = Game.load(name)
    state, stream = game.start(3), Stream(5)
    results: list[object] = []
    for number in range(6):
        if state.finished:
            break
        seat = state.player
        assert seat is not None
        if number in {0, 3}:
            results.append(state.search(stream, SearchTask(iterations=200)))
            many = SearchTask(iterations=60, many=True, mode="consistent")  # type: ignore[arg-type]
            results.append(state.search(stream, many))
            results.append(state.flat(seat, stream, 2, 2, mode="consistent"))
        results.append([str(option) for option in state.options()])
        results.append(state.rollouts(20, stream, seat=seat, mode="consistent"))
        results.append([state.information(seat) for seat in range(game.players)])
        state.play(stream.below(state.option_count))
    results.append(stream.words)
    results.append(simulate(game, games=130, seed=4).summary)
    return hashlib.sha256(repr(results).encode()).hexdigest()


def expert() -> int:
    """Return what the search for Hearts chooses."""
    state = Game.load("hearts").start(8)
    assert state.player is not None
    decision = Decision(state.player, state.option_count, Stream(2), state, 0)
    return Expert(iterations=200).choose(decision)


def report() -> str:
    """Return all that is compared."""
    return " ".join([*map(found, ("hearts", "leduc", "rummy")), str(expert())])


GAMES = 1000
"""Random games of each game of the library that are compared."""


def library() -> str:
    """Return what random games of the whole library came to, a digest each."""
    return " ".join(map(counted, names()))


def counted(name: str) -> str:
    """Return a digest of the tallies of random games: scores, wins, lengths, options, faults."""
    summary = simulate(name, games=GAMES, seed=1).summary
    return f"{name}:{hashlib.sha256(repr(summary).encode()).hexdigest()[:16]}"
