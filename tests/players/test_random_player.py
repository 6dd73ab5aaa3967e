"""The random player: one draw a decision, and nothing else."""

from __future__ import annotations

from collections import Counter

from cardwright import Game, Stream
from cardwright.players.player import Decision, RandomPlayer
from cardwright.program.cards import Seat


def decision(count: int, stream: Stream) -> Decision:
    """Return a decision into which nobody can look: its state has gone on."""
    return Decision(Seat(0), count, stream, Game.load("leduc").start(1), 1)


def test_one_draw_a_decision_even_for_one_option() -> None:
    """Each decision takes one draw from the seat's stream, below its number of options."""
    stream, same = Stream(5), Stream(5)
    counts = [7, 1, 3, 1]
    chosen = [RandomPlayer().choose(decision(count, stream)) for count in counts]
    assert chosen == [same.below(count) for count in counts]
    assert stream.words == same.words


def test_every_option_about_as_often() -> None:
    """Four options are chosen about equally often."""
    asked = decision(4, Stream(1))
    found = Counter(RandomPlayer().choose(asked) for _ in range(4000))
    assert sorted(found) == [0, 1, 2, 3]
    assert all(880 < count < 1120 for count in found.values())
