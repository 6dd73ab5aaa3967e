"""Ctrl-C stops whatever machine code is doing, and the program goes on."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from cardwright import Game, GameError, GameLimits, Stream, play_random
from cardwright.game.errors import EngineError
from cardwright.game.search import SearchTask
from cardwright.syntax.source import Source
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright import State

ENDLESS = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
 (choice ((set (game sto BAD) 0) (set (game sto BAD) 1)))
 (do (((== (game sto BAD) 1) (all (range 1 .. 1000000) 'A (all (range 1 .. 1000000) 'B
   (all (range 1 .. 1000000) 'C (inc (game sto X) (// (game sto X) 'C))))))))
 (choice ((turn pass) (set (game sto BAD) 2)))
 (scoring max (all (range 1 .. (* 500000 (game sto BAD))) 'A
   (all (range 1 .. (* 500000 (game sto BAD))) 'B 1))))"""
"""The second option of the first decision never comes to an end; that of the second leads to scores
that are never worked out."""

LONG = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
 (stage player (end (== 1 0)) (choice ((turn pass) (inc (game sto X)))))
 (scoring max 0))"""
"""There is always another decision."""

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""An interrupt that comes within a destructor is lost: Python says so, and it is sent again."""

NO_LIMIT = GameLimits(steps=10**15, decisions=10**15)
SOON, AGAIN = 0.1, 5.0


def game(text: str, engine: str = "native") -> Game:
    return Game.from_source(Source("endless", text), limits=NO_LIMIT, engine=engine)


def interrupted(act: Callable[[], object]) -> None:
    """Press Ctrl-C soon after something has begun, and expect it to be given up.

    It is pressed again after a while, as people do: Python forgets what a handler raises within a
    destructor, and there may be some while machine code is made.
    """
    over = threading.Event()

    def press() -> None:
        wait = SOON
        while not over.wait(wait):
            os.kill(os.getpid(), signal.SIGINT)
            wait = AGAIN

    pressing = threading.Thread(target=press)
    pressing.start()
    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            act()
    finally:
        over.set()
        pressing.join()
    assert time.monotonic() - begun < PATIENCE


def stuck(at: int, engine: str = "native") -> Callable[[], object]:
    """Return what plays an option after which a game never comes to a decision."""
    state = game(ENDLESS, engine).start(1)
    if at:
        state.play(0)
    return lambda: state.play(1)


ACTS: dict[str, Callable[[], Callable[[], object]]] = {
    "play": lambda: stuck(0),
    "scores": lambda: stuck(1),
    "play as WebAssembly": lambda: stuck(0, "wasm"),
    "search as WebAssembly, in threads": lambda: _on_state(
        lambda state: state.search(Stream(1), SearchTask(10**6, trees=2), threads=2), engine="wasm"
    ),
    "batch": lambda: lambda: game(ENDLESS).batch(3, 1).step([1, 1, 1]),
    "batch in threads": lambda: lambda: game(ENDLESS).batch(4, 1).step([1] * 4, threads=2),
    "rollouts": lambda: _on_state(lambda state: state.rollouts(10**6, Stream(1))),
    "deals": lambda: _on_state(lambda state: state.rollouts(10**6, Stream(1), seat=0)),
    "flat": lambda: _on_state(lambda state: state.flat(0, Stream(1), 10**6)),
    "search": lambda: _on_state(lambda state: state.search(Stream(1), SearchTask(10**6))),
    "search for a card": lambda: (
        lambda: Game.load("whist").start(1).search(Stream(1), SearchTask(10**6, trees=20))
    ),
    "search in threads": lambda: _on_state(
        lambda state: state.search(Stream(1), SearchTask(10**6, trees=2), threads=2)
    ),
    "a long game": lambda: _on_state(lambda state: state.rollouts(10**6, Stream(1)), LONG),
}


def _on_state(
    act: Callable[..., object], text: str = ENDLESS, engine: str = "native"
) -> Callable[[], object]:
    state = game(text, engine).start(1)
    return lambda: act(state)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ACTS)
def test_an_interrupt_stops_machine_code(name: str) -> None:
    """Nothing that is played natively has to be waited for; afterwards all works as before."""
    act = ACTS[name]()
    interrupted(act)
    state = game(ENDLESS).start(2)
    state.play(0)
    state.play(0)
    assert state.scores == (0, 0)
    assert state.game.start(1).rollouts(0, Stream(1)).count == 0


def test_a_batch_that_was_interrupted_is_of_no_use() -> None:
    """It says so, where some of its games have gone on and others have not."""
    batch = game(ENDLESS).batch(3, 1)
    interrupted(lambda: batch.step([0, 1, 0]))
    with pytest.raises(EngineError, match="interrupted"):
        batch.step([0, 0, 0])


LASTING: dict[str, Callable[[State, int], object]] = {
    "rollouts": lambda state, more: state.rollouts(1 + more * 10**9, Stream(1)),
    "deals": lambda state, more: state.rollouts(1 + more * 10**9, Stream(1), seat=state.player),
    "flat": lambda state, more: state.flat(state.player or 0, Stream(1), 1 + more * 10**9),
    "search": lambda state, more: state.search(Stream(1), SearchTask(1 + more * 10**6)),
    "games": lambda state, more: play_random(state.game, range(1 + more * 10**9), threads=1),
}
"""What lasts long, or is over at once."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["cribbage", "hearts", "gofish", "schwimmen", LONG])
@pytest.mark.parametrize("what", LASTING)
def test_an_interrupt_is_seen_soon(what: str, name: str) -> None:
    """It takes much less than a tenth of a second of processor time; long games take no longer."""

    def load(limits: GameLimits) -> State:
        if name == LONG:
            return Game.from_source(Source("long", LONG), limits=limits).start(1)
        state = Game.load(name, limits=limits).start(1)
        while state.option_count < 2:
            state.play(0)
        return state

    act = LASTING[what]
    with suppress(GameError):
        act(load(GameLimits(decisions=200)), 0)  # that compiles it
    state = load(NO_LIMIT)
    before = signal.signal(signal.SIGPROF, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        begun = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SOON)
        if what == "games":
            act(state, 1)
        else:
            with pytest.raises(KeyboardInterrupt):
                act(state, 1)
        assert time.process_time() - begun < SOON + 0.1
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def test_a_handler_of_ones_own_is_run_in_time() -> None:
    """What a program's own handler raises comes through machine code too."""

    class Ring(Exception):
        pass

    def ring(*_: object) -> None:
        raise Ring

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, SOON)
        with pytest.raises(Ring):
            stuck(0)()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
