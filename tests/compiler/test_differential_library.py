"""The library's games go the same way on both engines, with their options at other values too."""

from typing import TYPE_CHECKING

import pytest

from cardwright.library.catalogue import facts, names
from deep import GAMES, mostly_deep, some_games, usually
from differential import Checks, compare_games
from library_variants import OPTIONS, label, load, variants

if TYPE_CHECKING:
    from cardwright.program.constants import Constant

USUAL = [
    variant for variant in OPTIONS if variant[0] in GAMES and variant[0] not in {"bridge", "skat"}
]
"""Options that are always tried; numbers of players are compared by `scripts/differential`."""


@pytest.mark.slow
@pytest.mark.parametrize("name", some_games(names()))
def test_library_games_go_alike(name: str) -> None:
    """A game or two of each, with states, words, copies and deals compared now and then."""
    played = compare_games(
        load((name, {})), range(usually(1, 2)), Checks(keys=3, words=11, deep=37)
    )
    assert {game.end for game in played} == {"over"}


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("variant", mostly_deep(OPTIONS, USUAL.__contains__, label))
def test_library_options_go_alike(variant: "tuple[str, dict[str, Constant]]") -> None:
    """A game with some options at other values than their own."""
    played = compare_games(load(variant), range(5, 6), Checks(keys=5, words=31, deep=97))
    assert {game.end for game in played} == {"over"}


def test_every_constant_has_another_value_in_some_variant() -> None:
    """The variants leave out no game, no number of players, and no declared constant."""
    assert {name for name, _ in OPTIONS} == set(names())
    for name in names():
        mine = [declared for other, declared in variants() if other == name]
        settings = facts(name).settings.declared
        assert set().union(*mine) >= {key for key, one in settings.items() if not one.derived}
        if "PLAYERS" in facts(name).declared:
            seats = {declared.get("PLAYERS", facts(name).default_players) for declared in mine}
            assert seats == set(facts(name).players)
