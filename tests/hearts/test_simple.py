"""The simple players."""

from __future__ import annotations

from collections import Counter

import pytest
from made_table import table

from cardwright import Game, Stream
from cardwright.arena.referee import referee_game
from cardwright.hearts.cards import format_card, format_hand, parse_hand
from cardwright.hearts.family import NotHeartsError
from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer
from cardwright.hearts.rule import CorinPlayer, FirstPlayer, LowestPlayer, RulePlayer, _draw
from cardwright.hearts.table import DecisionKind, table_of
from cardwright.players.player import Decision

PLAYERS = [FirstPlayer, LowestPlayer, CorinPlayer, RulePlayer, lambda: HierarchyPlayer(Hierarchy())]
EVERYWHERE = {
    "standard": {"preset": "standard", "END": 25},
    "singly": {"preset": "openspiel"},
    "rounds": {"preset": "hearts_league", "END": 25},
    "two packs": {"preset": "cancellation"},
    "exchange": {"PLAYERS": 5, "WIDOW": 2, "WIDOWTO": "EXCHANGE"},
    "three": {"preset": "black_maria_british"},
    "choice": {"MOON": "CHOICE"},
    "knaves": {"preset": "knaves"},
    "polignac": {"preset": "polignac", "GENERAL": 5},
    "slobberhannes": {"preset": "slobberhannes"},
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", EVERYWHERE)
def test_games_are_played_to_their_end(name: str) -> None:
    """By every player, from every preset that asks for something of its own."""
    game = Game.load("hearts", engine="interpreter", **EVERYWHERE[name])
    for seed, make in enumerate(PLAYERS):
        record = referee_game(game, seed, [make() for _ in range(game.players)])
        assert record.error is None
        assert len(record.scores) == game.players


def test_other_games_are_refused() -> None:
    game = Game.load("whist", engine="interpreter")
    for make in PLAYERS[1:]:
        with pytest.raises(NotHeartsError, match="whist is not a game of the Hearts family"):
            referee_game(game, 1, [make() for _ in range(game.players)])
    assert referee_game(game, 1, [FirstPlayer()] * 4).error is None


def test_the_first_option_and_the_lowest_card() -> None:
    game = Game.load("hearts", engine="interpreter")
    assert set(referee_game(game, 3, [FirstPlayer()] * 4).choices) == {0}
    state = game.start(3)
    while state.player is not None:
        decision = Decision(state.player, state.option_count, Stream(1), state, len(state.choices))
        found = table_of(decision)
        chosen = LowestPlayer().choose(decision)
        assert found.legal[chosen] & 15 == min(one & 15 for one in found.legal)
        state.play(chosen)


def test_suits_are_drawn_first() -> None:
    """A lone club is drawn as often as four hearts together."""
    stream, drawn = Stream(1), Counter[str]()
    found = table("2C 2H 3H 4H 5H")
    for _ in range(4000):
        (one,) = _draw(found, stream)
        drawn[format_card(one)] += 1
    assert abs(drawn["2C"] - 2000) < 150
    assert all(abs(drawn[heart] - 500) < 90 for heart in ("2H", "3H", "4H", "5H"))


def test_what_may_not_be_played_is_drawn_again() -> None:
    """Of two spades one is barred: then the other is drawn half as often as the club."""
    stream, drawn = Stream(1), Counter[str]()
    found = table("2C QS 2S", legal=parse_hand("2C 2S"))
    for _ in range(3000):
        (one,) = _draw(found, stream)
        drawn[format_card(one)] += 1
    assert abs(drawn["2C"] - 2000) < 120
    assert drawn["QS"] == 0


def test_several_cards_are_drawn_one_by_one() -> None:
    found = table("2C 2H 3H", kind=DecisionKind.PASS, count=3, to_go=3)
    assert format_hand(_draw(found, Stream(1))) == "2C 2H 3H"
