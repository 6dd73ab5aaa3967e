"""The text of a game that stands alone."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.evolution.errors import OriginalError
from cardwright.evolution.evolve import original_of
from cardwright.library.catalogue import facts, names
from cardwright.syntax.formatter import format_source
from deep import mostly_deep
from plain_games import assert_alike, rules

PRESETS = [
    (name, preset.name)
    for name in names()
    for at, preset in enumerate(facts(name).settings.presets.values())
    if name != "hearts" or at % 16 == 0
]
ORIGINALS = {"agram", "coup", "hearts", "schwimmen"}
"""Games that stand for all: small and large, with a preset, definitions and derived constants."""


@pytest.mark.parametrize("name", mostly_deep(names(), ORIGINALS.__contains__))
def test_a_game_of_the_library_is_its_own_text(name: str) -> None:
    """Formatted, with its comments, and with no word changed."""
    game = Game.load(name)
    assert original_of(game).text == format_source(game.program.source)


@pytest.mark.parametrize("chosen", mostly_deep(PRESETS, {*PRESETS[:2]}.__contains__, ":".join))
def test_a_preset_stands_in_the_text(chosen: tuple[str, str]) -> None:
    """The text alone has the rules that the file has with the preset's values."""
    name, preset = chosen
    game = Game.load(name, preset=preset)
    alone = Game.from_text(original_of(game).text)
    assert rules(alone.program) == rules(game.program)
    assert alone.declared == game.declared


def test_values_of_each_kind_are_written() -> None:
    """Numbers below 0 and lists too; constants that follow from others still do."""
    game = Game.load("hearts", PLAYERS=5, PACKS=2, TENDIAMONDS=-10, CYCLE=("RIGHT", "HOLD"), PASS=3)
    text = original_of(game).text
    assert "(declare (- 0 10) 'TENDIAMONDS)" in text
    assert "(declare (RIGHT, HOLD) 'CYCLE)" in text
    assert "(declare (* (- 'PACKS 1) (% 'PLAYERS 2)) 'JOKERS)" in text
    assert Game.from_text(text).declared == game.declared


def test_the_same_games_are_played() -> None:
    """From the same seed the same choices lead to the same scores."""
    game = Game.load("polignac", engine="interpreter", GENERAL=1, ACEHIGH=1)
    alone = Game.from_text(original_of(game).text, engine="interpreter")
    assert_alike(game, alone, range(3))


def test_a_forced_base_is_refused() -> None:
    """No text says that players are counted otherwise than its forms tell."""
    base = Game.load("leduc").program.base
    assert original_of(Game.load("leduc", base=base))
    with pytest.raises(OriginalError, match=f"numbered from {1 - base}"):
        original_of(Game.load("leduc", base=1 - base))
