"""What integers a game can have stored, by what it ever puts there."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.program import nodes as n
from cardwright.program.abstract_state import ANY_INTEGER, Interval
from cardwright.program.effects import EffectAnalysis
from cardwright.syntax.source import Source

GAME = """
(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, B, C)))))
 (do ({steps}))
 (scoring max (game sto X)))
"""

DRIFT = 1 << 60
"""How far small steps can go."""


def values(steps: str) -> EffectAnalysis:
    return EffectAnalysis(Game.from_source(Source("stored", GAME.format(steps=steps))).program)


@pytest.mark.parametrize(
    ("steps", "bounds"),
    [
        ("(shuffle (game iloc STOCK))", Interval(0, 0)),
        ("(set (game sto X) 5) (set (game sto X) (- 0 3))", Interval(-3, 5)),
        ("(inc (game sto X))", Interval(0, DRIFT)),
        ("(dec (game sto X) 4096)", Interval(-DRIFT, 0)),
        ("(inc (game sto X) 4097)", ANY_INTEGER),
        ("(inc (game sto X) (- 0 4096))", Interval(-DRIFT, 0)),
        ("(inc (game sto X) (random 0 .. 2)) (set (game sto X) 7)", Interval(0, 7 + DRIFT)),
        ("(set (game sto X) 1152921504606846977)", ANY_INTEGER),
        ("(set (game sto X) (game sto Y))", ANY_INTEGER),
        ("(set (game sto Y) 9) (inc ((1 player) sto Y) 9)", Interval(0, 0)),
        ("(set ((1 player) sto X) 9)", Interval(0, 9)),
        ("(set (game str NAME) X) (set (game sto (game str NAME)) 9)", Interval(0, 9)),
    ],
)
def test_what_is_put_there_bounds_it(steps: str, bounds: Interval) -> None:
    found = values(steps)
    assert found.bounds(found.program.score) == bounds


def test_places_do_not_depend_on_what_is_stored() -> None:
    """Which places a program has is a matter of its text; an index is not followed."""
    found = values("(set (game sto X) 2)")
    assert found.bounds(found.program.score) == Interval(0, 2)
    assert found.integers(found.program.score) is None


def test_sums_of_bounded_integers_do_not_overflow() -> None:
    found = values("(inc (game sto X)) (set (game sto Z) (+ (game sto X) (game sto X)))")
    (total,) = (one for one in found.program.nodes() if isinstance(one, n.Arithmetic))
    assert found.arithmetic_bounds(total) == Interval(0, 2 * DRIFT)
