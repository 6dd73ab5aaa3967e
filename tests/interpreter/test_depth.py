"""Programs as deep as the reader lets them be, and options as long as nobody writes them."""

from __future__ import annotations

import pytest

from cardwright import Game, GameError
from cardwright.game.engines import ENGINES
from cardwright.syntax.reader import MAX_DEPTH

ANY = "(any (range 1 .. 1) 'I "
FRAME = """(game
 (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A)))))
 {item}
 (scoring max (game sto X)))"""


def play(item: str, engine: str = "native") -> tuple[int, ...]:
    state = Game.from_text(FRAME.replace("{item}", item), engine=engine).start(1)
    while not state.finished:
        state.play(state.option_count - 1)
    return state.scores


def nested(opening: str, inner: str, brackets: int, closing: str = ")") -> str:
    """Nest a form as deep as fits, with so many brackets a level and some around it."""
    levels = (MAX_DEPTH - 12) // brackets
    return opening * levels + inner + closing * levels


@pytest.mark.parametrize(
    "item",
    [
        f"(do ({nested('(do (', '(inc (game sto X))', 2, '))')}))",
        f"(do ({nested('((== 1 1) ', '(inc (game sto X))', 1)}))",
        f"(do ((set (game sto X) {nested('(+ 0 ', '1', 1)})))",
        f"(do (({nested('(not (not ', '(== 1 1)', 2, '))')} (inc (game sto X)))))",
        f"(do ((set (game sto X) (size {nested('(union ', '(game iloc STOCK)', 1)}))))",
        f"(choice ({nested(ANY, '(inc (game sto X))', 1)}))",
    ],
    ids=["do", "when", "plus", "not", "union", "any"],
)
def test_the_deepest_programs_play(item: str) -> None:
    """What the reader accepts can be checked and played, in every direction of nesting."""
    for engine in ENGINES:
        assert play(item, engine) == (1,)


@pytest.mark.parametrize("engine", ENGINES)
def test_options_have_256_picks_at_most(engine: str) -> None:
    """One pick more is an error, the same on both engines; depth is counted, not a full stack."""
    item = "(choice ((all (range 1 .. {n}) 'I (any (range 1 .. 1) 'J (inc (game sto X))))))"
    assert play(item.replace("{n}", "256"), engine) == (256,)
    for picks in ("257", "5000"):
        with pytest.raises(
            GameError, match=r"\(depth\): too many choices within one option"
        ) as error:
            play(item.replace("{n}", picks), engine)
        assert (error.value.place.line, error.value.place.column) == (3, 2)
