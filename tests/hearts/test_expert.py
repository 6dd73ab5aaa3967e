"""The expert: its playouts follow the rule player, and its search does what it says."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from cardwright.arena.entrants import player
from cardwright.arena.referee import referee_game
from cardwright.compiler.kernels.evaluation import ONE
from cardwright.game.game import Game
from cardwright.game.search import SearchTask
from cardwright.hearts.cards import QUEEN_OF_SPADES, mask_of, parse_card, suit_mask
from cardwright.hearts.expert import Expert, _worths, danger, playouts_of, promising
from cardwright.hearts.family import NotHeartsError, family_of
from cardwright.hearts.kernels import playouts
from cardwright.hearts.rule import RulePlayer, rule_card
from cardwright.hearts.table import table_of
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision, Note
from deep import mostly_deep

HEARTS = Game.load("hearts")
PACK = sorted(family_of(HEARTS).numbers)
LEAGUE = {"OPENING": "LOWCLUB", "FIRSTTRICK": "FORCE", "BREAKS": "PENALTY", "MOON": "PLUS"}


@given(
    hand=st.sets(st.sampled_from(PACK), min_size=1, max_size=13),
    winning=st.none() | st.sampled_from(PACK),
    last=st.booleans(),
    out=st.booleans(),
)
def test_playouts_play_what_the_rule_player_plays(hand, winning, last, out):
    if winning is not None:
        hand.discard(winning)
        own = {card for card in hand if card >> 4 == winning >> 4}
        hand = own or hand
    if not hand:
        return
    led = None if winning is None else winning >> 4
    beating = 0 if winning is None else suit_mask(winning >> 4) & -(2 << winning)
    family = family_of(HEARTS)
    legal = mask_of(hand)
    expected = rule_card(legal, led, beating, family, last=last, queen_out=out)
    queen = 1 << QUEEN_OF_SPADES
    assert playouts.by_rule(legal, winning or 0, int(last), queen, int(out)) == expected


def test_without_random_choices_the_playouts_are_games_of_rule_players():
    game = Game.load("hearts", **LEAGUE)
    state = game.start(11)
    rules = [RulePlayer() for _ in range(4)]
    played = referee_game(game, 11, rules)
    found = state.search(
        Stream(1),
        SearchTask(iterations=1, exploration=0.0, worlds="true"),
        playouts=playouts_of(game, 0.0),
    )
    # The first lead is forced, so the one iteration is this very game.
    assert state.option_count == 1
    scores = played.scores
    better = found.options[0].rewards
    order = sorted(range(4), key=lambda seat: scores[seat])
    assert sorted(range(4), key=lambda seat: (-better[seat], scores[seat])) == order


def decisions(game, seed, wanted):
    """The tables and decisions of a game in which all play by rules, those that are wanted."""
    found = []

    class Spy(RulePlayer):
        def choose(self, decision):
            table = table_of(decision)
            if wanted(table):
                found.append(table)
            return super().choose(decision)

    referee_game(game, seed, [Spy() for _ in range(game.players)])
    return found


def test_what_is_promising_to_pass_is_dangerous_to_keep():
    game = Game.variant("hearts", {}, "standard")
    table = decisions(game, 3, lambda one: one.kind.value == "pass")[0]
    sets = promising(table, 24)
    assert len(sets) == len(set(sets)) == 24
    assert all(len(cards) == 3 and set(cards) <= set(table.hand) for cards in sets)
    top = sets[0]
    family = table.family

    def total(cards):
        return sum(danger(family, card, guarded=False) for card in cards)

    assert total(top) >= total(sets[-1])


def test_high_spades_go_unless_they_are_guarded():
    family = family_of(HEARTS)
    ace, low = parse_card("AS"), parse_card("3S")
    assert danger(family, ace, guarded=False) > danger(family, parse_card("AC"), guarded=False)
    assert danger(family, ace, guarded=True) < danger(family, parse_card("AC"), guarded=True)
    assert danger(family, low, guarded=False) < 0


def test_worths_fall_with_the_points_behind_and_faster_near_the_end():
    rows = [_worths(100)[at : at + playouts.BEHIND] for at in range(0, 101 * 128, 128)]
    assert len(rows) == 101
    assert all(row[0] == ONE for row in rows)
    assert all(row == sorted(row, reverse=True) for row in rows)
    assert rows[0][10] > rows[60][10] > rows[95][10] > rows[100][10] == 0


@pytest.mark.parametrize(
    "preset", mostly_deep([None, "standard", "omnibus_match"], {"standard"}.__contains__)
)
def test_the_expert_plays_whole_games_and_repeats_itself(preset):
    game = Game.variant("hearts", {"END": 30} if preset else {}, preset)
    specs = ("expert:iterations=20", "rule", "expert:iterations=20,trees=2,threads=2", "rule")
    first = referee_game(game, 8, [player(spec).build() for spec in specs])
    assert first.error is None
    again = ("expert:iterations=20", "rule", "expert:iterations=20,trees=2,threads=1", "rule")
    assert referee_game(game, 8, [player(spec).build() for spec in again]) == first


def test_the_expert_reports_its_iterations():
    """Those of all trees, for every decision that it thinks about."""
    state = Game.load("hearts").start(3)
    decision = Decision(state.player, state.option_count, Stream(1), state, 0)
    Expert(iterations=40, trees=2).choose(decision)
    assert decision.notes == [Note(iterations=80)]


@pytest.mark.parametrize(
    ("preset", "set_to"), [("standard", {}), ("openspiel", {}), ("standard", {"passes": 300})]
)
def test_a_pass_gets_four_times_the_iterations_of_a_card(preset, set_to):
    """Whether the cards are passed together or one by one, unless it is said how many."""
    game = Game.variant("hearts", {"CYCLE": ["LEFT", "LEFT"]}, preset)
    state = game.start(4)

    def iterations(expert):
        decision = Decision(state.player, state.option_count, Stream(1), state, len(state.choices))
        expert.choose(decision)
        return decision.notes[-1].iterations

    assert iterations(Expert(iterations=30, **set_to)) == 120
    assert iterations(Expert(iterations=30, pass_iterations=50, trees=2, **set_to)) == 100
    passes = game.program.players * (1 if preset == "standard" else 3)
    for _ in range(passes):
        state.play(0)
    while state.option_count == 1:
        state.play(0)
    assert iterations(Expert(iterations=30, pass_iterations=50, **set_to)) == 30


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["knaves", "polignac", "slobberhannes"])
def test_the_expert_plays_the_other_games_of_the_family(name):
    game = Game.load(name)
    players = [Expert(iterations=40)] + [RulePlayer() for _ in range(game.players - 1)]
    assert referee_game(game, 2, players).error is None


def test_the_expert_says_where_it_cannot_play():
    game = Game.load("whist")
    with pytest.raises(NotHeartsError, match="Hearts family"):
        referee_game(game, 1, [Expert(iterations=10)] * 4)


def test_in_a_match_the_chance_to_win_counts_and_not_the_points():
    # With one deal to go, whoever is far behind gains nothing by a good deal.
    game = Game.variant("hearts", {"END": 20}, "standard")
    state = game.start(4)
    told = playouts_of(game, 0.1)
    while state.integer(None, "DEALS") == 0 and not state.finished:
        state.play(0)
    if state.finished:
        pytest.fail("this seed should give a second deal")
    found = state.search(Stream(1), SearchTask(iterations=200), playouts=told)
    total = sum(sum(option.rewards) for option in found.options)
    # The chances of all seats add up to 1 in every iteration, but for rounding.
    assert total == pytest.approx(200 * ONE, abs=200 * 4)
