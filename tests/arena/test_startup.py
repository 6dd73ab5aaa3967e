"""Loading from the cache is measured in processes of their own, and only where it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright import Game
from cardwright.arena import benchmark
from cardwright.compiler.kernel_sets import PLAY
from cardwright.compiler.native import Compiled, compilation

if TYPE_CHECKING:
    import pytest


def test_it_takes_time_to_load() -> None:
    game = Game.load("leduc", engine="native")
    seconds = benchmark.seconds_from_cache(
        game, compilation(game.program, PLAY).compiled, repeats=1
    )
    assert seconds is not None
    assert 0 < seconds < 10


def test_other_values_of_constants_go_along() -> None:
    """What is loaded in the other process is this form of the game: another would be compiled."""
    game = Game.load("hearts", PLAYERS=3, engine="native")
    assert benchmark.seconds_from_cache(game, compilation(game.program, PLAY).compiled, 1)


def test_nothing_is_said_of_what_was_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code that cannot be loaded, or lies under another key, gives no figure."""
    game = Game.load("leduc", engine="native")
    assert benchmark.seconds_from_cache(game, Compiled(b"", (), {}), repeats=1) is None
    compiled = compilation(game.program, PLAY).compiled
    monkeypatch.setattr(benchmark, "cache_key", lambda _: "another")
    assert benchmark.seconds_from_cache(game, compiled, repeats=1) is None
