"""The selector `rule`: a hierarchy of nothing else is the rule player."""

from __future__ import annotations

import pytest
from hierarchy_games import GAMES, everywhere, game_of
from hypothesis import example, given, strategies as st
from made_table import family, passing

from cardwright import Stream
from cardwright.arena.referee import referee_game
from cardwright.hearts.cards import cards_of, format_hand, parse_hand
from cardwright.hearts.hierarchy import Hierarchy, HierarchyPlayer, order
from cardwright.hearts.rule import RulePlayer, rule_pass
from cardwright.players.player import RandomPlayer
from deep import usually

RULES = everywhere("rule")
PACK = sorted(cards_of(family().pack))


@pytest.mark.sweep
@pytest.mark.parametrize("name", GAMES)
def test_lists_of_rules_are_the_rule_player(name: str) -> None:
    game = game_of(name)
    for seed in range(usually(1, 3)):
        others = [RandomPlayer()] * (game.players - 2)
        by_rules = referee_game(game, seed, [RulePlayer(), *others, RulePlayer()])
        by_lists = referee_game(
            game, seed, [HierarchyPlayer(RULES), *others, HierarchyPlayer(RULES)]
        )
        assert by_lists == by_rules


@example(list(parse_hand("AS QS 2S 3S KC KD")), 3, {})
@example(list(parse_hand("AS KS QS 2C KD KC")), 4, {})
@given(
    st.lists(st.sampled_from(PACK), min_size=5, max_size=13, unique=True),
    st.integers(1, 4),
    st.sampled_from([{}, {"QUEEN": 0}, {"JACKDIAMONDS": 30}]),
)
def test_cards_passed_one_by_one_are_those_passed_together(
    hand: list[int], count: int, declared: dict[str, int]
) -> None:
    """However many spades are held, and however many of them go."""
    about = family(**declared)
    table = passing(format_hand(hand), count, declared=declared)
    chosen = RULES.cards(table, Stream(1))
    assert set(chosen) == set(rule_pass(table.hand, count, about, table.spades))


def test_filters_can_go_before_it() -> None:
    """It chooses from what is left to it, as if the other cards could not be played."""
    lists = order("keep_low_hearts(14)", "rule", mode="filter", tie="high")
    table = passing("QS KS AS 2S KH QH AH 3C")
    chosen = Hierarchy(pass_=lists).cards(table, Stream(1))
    assert len(chosen) == 3
    assert not {16 * 3 + 12, 16 * 3 + 13} & set(chosen)
