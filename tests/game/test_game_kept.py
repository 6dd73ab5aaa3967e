"""A game that is loaded again is not checked again."""

from __future__ import annotations

import pytest

from cardwright import Game, GameFileError, GameLimits
from cardwright.syntax.source import Source

TEXT = """(game (declare {} 'ONE)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (V (A)))))
  (do (((== 'ONE 'ONE) (inc (game sto A)))))
  (scoring max (game sto A)))"""
NUMBER = Source("number", TEXT.format("7"))


def test_the_same_text_with_the_same_values_is_the_same_program() -> None:
    first, again = (Game.from_source(NUMBER, declared={"ONE": 1}) for _ in range(2))
    assert first is not again
    assert first.program is again.program


@pytest.mark.parametrize(
    "other",
    [
        Game.from_source(NUMBER),
        Game.from_source(NUMBER, declared={"ONE": 2}),
        Game.from_source(NUMBER, declared={"ONE": 1}, base=1),
        Game.from_source(Source("another name", NUMBER.text), declared={"ONE": 1}),
        Game.from_source(Source("number", f"{NUMBER.text} "), declared={"ONE": 1}),
    ],
)
def test_all_that_a_check_depends_on_counts(other: Game) -> None:
    assert Game.from_source(NUMBER, declared={"ONE": 1}).program is not other.program


@pytest.mark.parametrize("order", [(1, True), (True, 1)])
def test_a_truth_value_is_no_number(order: tuple[int, ...]) -> None:
    """They are equal in Python; a constant that is a number takes no truth value."""
    source = Source(f"number {order}", NUMBER.text)
    for value in order:
        if value is True:
            with pytest.raises(GameFileError):
                Game.from_source(source, declared={"ONE": value})
        else:
            assert Game.from_source(source, declared={"ONE": value}).declared == {"ONE": 1}


def test_a_game_of_a_text_takes_what_one_of_a_file_does() -> None:
    """All but a preset, which is in another file."""
    limits = GameLimits(steps=7, decisions=8)
    game = Game.from_text(
        NUMBER.text, name="number", base=0, limits=limits, engine="interpreter", ONE=1
    )
    assert (game.name, game.program.base, game.limits) == ("number", 0, limits)
    assert game.declared == {"ONE": 1}
    assert game.engine_name == "interpreter"
    assert Game.from_text(NUMBER.text).program.base == 1
