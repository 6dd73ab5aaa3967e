"""What there may be at most of options, lists and references is the same on both engines."""

from __future__ import annotations

import pytest

from cardwright import Game, GameError
from cardwright.syntax.source import Source

FRAME = """(game
 (setup (create players 2) (create deck (game iloc STOCK)
   (deck (V (A, B, C, D, E, F, G, H, I, J)) (W (A, B, C, D, E, F, G, H, I, J)))))
 {item}
 (scoring max (game sto X)))"""
UNION = "(do ((set (game sto X) (size (union (all (range 1 .. {n}) 'I (game iloc STOCK)))))))"
LISTED = "(do ((let (union (all (range 1 .. {n}) 'I (game iloc STOCK))) 'L (set (game sto X) 1))))"
REMEMBER = "(do ((repeat {n} (remember (top (game iloc STOCK)) (top (game mem M))))))"
LOOSE = (
    "(choice ((do ((inc (game sto X)) (any (range 1 .. {n}) 'I (do ((set (game sto X) 'I)"
    " (set (game sto NONE) (game sto NONE))"  # so that any number may be stored there
    " (all (range 1 .. (game sto NONE)) 'J (any (range 1 .. 9) 'K (inc (game sto X)))))))))))"
)

BOTH = "interpreter", "native"
"""The engines with as much room as each other: in WebAssembly there is less for lists."""


def outcome(item: str, engine: str) -> tuple[object, ...]:
    """The scores of a game in which the last option is taken, or how it broke a rule."""
    source = Source("limits", FRAME.replace("{item}", item))
    try:
        state = Game.from_source(source, engine=engine).start(1)
        while not state.finished:
            state.play(state.option_count - 1)
    except GameError as error:
        return error.rule, error.reason, error.place
    return tuple(state.scores)


@pytest.mark.parametrize(
    ("item", "most", "said"),
    [
        (UNION, 655, "no room left for the lists"),
        (LISTED, 655, "no room left for the lists"),
        (REMEMBER, 200, "at most 200 references"),
        (LOOSE, (1 << 23) // (2 + 3 * 256), "too many options"),
    ],
    ids=["union", "list", "memory", "options"],
)
def test_one_more_than_there_is_room_for_is_an_error(item: str, most: int, said: str) -> None:
    """It is the same error on both engines, which both have room for all but the last."""
    for number, fits in ((most, True), (most + 1, False)):
        one, other = (outcome(item.replace("{n}", str(number)), engine) for engine in BOTH)
        assert one == other
        assert (one[0] != "capacity") is fits
        if not fits:
            assert said in str(one[1])
