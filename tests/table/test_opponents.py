"""Who sits at a table unless another player is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cardwright import Game, player
from cardwright.arena.entrants import cautions
from cardwright.game.find import find
from cardwright.library.catalogue import facts, names
from cardwright.table.opponents import (
    BIDDERS,
    PATIENT,
    PATIENT_HINTS,
    default_hint,
    default_player,
    seats,
)

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.sweep
@pytest.mark.parametrize("name", names())
def test_every_game_has_an_opponent_that_sees_all_that_counts(name: str) -> None:
    """On both engines, and so has who gives hints."""
    game = Game.load(name)
    assert default_player(game) == facts(name).opponent
    for loaded in (game, game.with_engine("interpreter")):
        chosen = [player(default_player(loaded)), player(default_hint(loaded))]
        told = cautions(loaded, chosen)
        # On the interpreter rules of thumb take the place of the expert.
        assert told == () or loaded.engine_name == "interpreter"


@pytest.mark.parametrize("name", sorted(BIDDERS))
def test_an_auction_is_bid_by_who_knows_it(name: str) -> None:
    game = Game.load(name, engine="interpreter")
    assert default_player(game) == default_hint(game) == name
    assert seats(game, None, 0) == ("human", *[name] * (game.players - 1))


def test_the_expert_plays_hearts_and_copies_of_it(tmp_path: Path) -> None:
    copy = tmp_path / "mine.rcy"
    copy.write_text(find("hearts").text)
    for game in (Game.load("hearts"), Game.load("hearts", preset="omnibus"), Game.load(copy)):
        assert default_player(game) == default_hint(game) == "expert"
        assert default_player(game.with_engine("interpreter")) == "rule"


def test_a_file_with_the_name_of_a_game_is_another_game(tmp_path: Path) -> None:
    file = tmp_path / "bridge.rcy"
    file.write_text(find("whist").text)
    game = Game.load(file)
    assert default_player(game) == PATIENT
    assert default_hint(game) == PATIENT_HINTS
    named = Game.from_source(find("whist"), "bridge")
    assert default_player(named) == PATIENT
