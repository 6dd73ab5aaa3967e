"""What is read of a game's constants is what its point maps say."""

from __future__ import annotations

import pytest
from made_table import card, family

from cardwright import Game
from cardwright.game.settings import settings_of
from cardwright.hearts.cards import format_hand
from cardwright.hearts.family import NotHeartsError, family_of

PRESETS = sorted(settings_of("hearts").presets)
COSTS = ("MAIN", "EXTRA", "COST", "KNAVES")
"""The point maps with penalties; the queen of Slobberhannes is in none."""


def test_all_presets_are_there() -> None:
    assert len(PRESETS) == 33


@pytest.mark.sweep
@pytest.mark.parametrize("preset", PRESETS)
def test_costs_and_ranks_are_those_of_the_game(preset: str) -> None:
    game = Game.load("hearts", preset=preset, engine="interpreter")
    found = family_of(game)
    points = game.start(1)._board.world().points
    table = game.program.table
    strength = points[table, "STRENGTH"]
    costs = [points[table, name] for name in COSTS if (table, name) in points]
    for one in game.cards:
        if found.name != "slobberhannes":
            number = found.numbers[one.id]
            assert found.costs[number] == sum(map_.worth(one.id) for map_ in costs), one
        for other in game.cards:
            if one.attributes["SUIT"] == other.attributes["SUIT"]:
                higher = strength.worth(one.id) > strength.worth(other.id)
                assert (found.numbers[one.id] > found.numbers[other.id]) == higher
    assert found.players == game.players


@pytest.mark.parametrize(
    ("preset", "queen", "above"),
    [
        ("valet", "QS", "KS AS"),
        ("black_maria", "QS", "KS AS"),
        ("spot_online", "QS", "KS AS"),
        ("black_jack", "JS", "QS KS AS"),
        ("hooligan", "QS", "KS AS"),
        ("omnibus", "QS", "KS AS"),
        ("slobberhannes", "QC", "KC AC"),
        ("knaves", "JD", "QD KD AD"),
    ],
)
def test_who_is_the_queen(preset: str, queen: str, above: str) -> None:
    found = family_of(Game.load("hearts", preset=preset))
    assert found.queen == card(queen)
    assert found.queen_mask == 1 << card(queen)
    assert format_hand(bit for bit in range(64) if found.above_queen >> bit & 1) == above


def test_pure_hearts_have_no_queen() -> None:
    found = family_of(Game.load("hearts", preset="pure"))
    assert found.queen is None
    assert found.queen_mask == found.above_queen == 0
    assert len(found.dear) == 1


def test_dear_cards_by_their_price() -> None:
    found = family(QUEEN=5, KINGSPADES=10, ACESPADES=7, JACKDIAMONDS=-10)
    assert found.queen == card("KS")
    assert [mask.bit_count() for mask in found.dear] == [1, 1, 13]
    assert found.dear[0] == 1 << card("AS")
    assert not found.penalties >> card("JD") & 1
    assert found.costs[card("JD")] == -10


def test_low_aces_of_polignac() -> None:
    """There an ace loses to a jack, and jacks are where they always are."""
    low, high = (family_of(Game.load("polignac", ACEHIGH=value)) for value in (0, 1))
    assert low.queen == high.queen == card("JS")
    assert max(low.numbers) == card("KH")
    assert max(high.numbers) == card("AH")


@pytest.mark.parametrize("name", ["whist", "spades", "ohhell", "leduc"])
def test_other_games_are_refused(name: str) -> None:
    with pytest.raises(NotHeartsError, match=f"{name} is not a game of the Hearts family"):
        family_of(Game.load(name))


def test_a_game_is_read_once() -> None:
    game = Game.load("hearts")
    assert family_of(game) is family_of(game)
