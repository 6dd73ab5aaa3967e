"""Worlds weighted by what other seats have chosen in them, against Bayes' rule by enumeration."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import combinations

import pytest

from cardwright import Game, player
from cardwright.bidding.auctions import UnknownAuctionError
from cardwright.game.likelihood import Inference, Weights
from cardwright.game.option import Back
from cardwright.game.search import FlatPlan, SearchTask
from cardwright.interpreter.stream import Stream
from cardwright.players.choice_models import RuleModel, UniformModel
from cardwright.players.kind import KINDS, PlayerSpecError
from cardwright.players.spec import INFERENCE

LAID_AWAY = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F, G)))))
  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (choice (
    (any (filter ((current player) iloc HAND) 'C (!= (cardatt RANK 'C) A)) 'C
      (move 'C (top ((current player) iloc AWAY))))))
  (choice (
    (label (HIGH) (set (game str SAID) HIGH))
    (label (LOW) (set (game str SAID) LOW))))
  (do ((cycle current (2 player))))
  (choice ((any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc OUT))))))
  (scoring max (size ((current player) vloc OUT))))
"""
"""A player lays one of three cards away, face down, but not the A, and calls high or low."""


@cache
def game(name):
    return Game.from_text(LAID_AWAY) if name == "laid away" else Game.load(name)


def held(state, seat, name="HAND"):
    """The ranks in a place, as its owner sees them."""
    return [
        card.attributes["RANK"]
        for place, cards in state.view(seat).locations.items()
        if place.name == name and place.owner == seat
        for card in cards
        if not isinstance(card, Back)
    ]


class Bluffer:
    """In Kuhn poker: bets with the king, and with other cards one time in three."""

    def probabilities(self, past):
        bet = 1.0 if held(past, past.player) == ["K"] else 1 / 3
        return [1 - bet, bet]


class Layer:
    """Lays the highest card away, mostly, and says what is true of the rest, mostly."""

    def probabilities(self, past):
        hand = held(past, past.player)
        if past.contents()[0].picks:
            chances = self.laid(hand)
            picked = [dict(content.picks)["'C"] for content in past.contents()]
            return [chances[past.game.cards[card].attributes["RANK"]] for card in picked]
        high = self.high(hand)
        return [high, 1 - high]

    @staticmethod
    def laid(hand):
        free = sorted(set(hand) - {"A"})
        return dict(zip(free, (0.05, 0.15, 0.8) if len(free) == 3 else (0.3, 0.7), strict=True))

    @staticmethod
    def high(hand):
        return 0.9 if max(hand) > "D" else 0.2


def inferred(state, model, worlds=60):
    return state._inferred(state.player, Stream(4), Inference(model, worlds)).histories


def kuhn(card, choice=1):
    """A game of two in which the first has chosen, and the second has a card."""
    return next(
        state
        for seed in range(100)
        if held(state := game("kuhn").replay(seed, [choice]), 1) == [card]
    )


# Weights ------------------------------------------------------------------------------------


def test_weights_are_shares_and_their_effect_is_counted():
    weights = Weights.of([0.0, math.log(2), -math.inf, 0.0])
    assert weights.shares == pytest.approx((0.25, 0.5, 0, 0.25))
    assert weights.effective == pytest.approx(1 / (0.25 + 2 / 16))
    assert [weights.drawn(at) for at in (0.0, 0.24, 0.26, 0.74, 0.76, 0.999)] == [0, 0, 1, 1, 3, 3]


def test_worlds_that_are_all_impossible_are_alike():
    assert Weights.of([-math.inf] * 4).shares == (0.25,) * 4


def test_weights_follow_bayes_rule_exactly():
    """A bet is three times as likely with a king as with a jack."""
    state = kuhn("Q")
    worlds = inferred(state, Bluffer())
    shares = {}
    for board, share in zip(worlds._worlds, worlds.weights.shares, strict=True):
        cards = board.world().piles
        (rank,) = {
            game("kuhn").cards[pile.cards[0]].attributes["RANK"]
            for place, pile in cards.items()
            if place.name == "HAND" and place.owner == 0
        }
        shares.setdefault(rank, set()).add(round(share, 12))
    assert {rank: len(found) for rank, found in shares.items()} == {"K": 1, "J": 1}
    assert max(shares["K"]) == pytest.approx(3 * max(shares["J"]))
    assert worlds.figures.effective < 60 == worlds.figures.drawn


@pytest.mark.parametrize("said", ["HIGH", pytest.param("LOW", marks=pytest.mark.deep)])
def test_hidden_choices_follow_the_model_and_worlds_bayes_rule(said):
    """What was laid away is drawn by the model; worlds are as likely as by enumeration."""
    state = next(
        state
        for seed in range(100)
        if "A" not in held(state := game("laid away").replay(seed, [1, int(said == "LOW")]), 1)
    )
    unseen = sorted(set("ABCDEFG") - set(held(state, 1)))
    share = Counter()
    for hand in combinations(unseen, 3):
        for away, chance in Layer.laid(hand).items():
            high = Layer.high([card for card in hand if card != away])
            share[hand, away] += chance * (high if said == "HIGH" else 1 - high)
    worlds = inferred(state, Layer(), 500)
    found = Counter()
    for board, part in zip(worlds._worlds, worlds.weights.shares, strict=True):
        imagined = {
            place.name: [state.game.cards[card].attributes["RANK"] for card in pile.cards]
            for place, pile in board.world().piles.items()
            if place.owner == 0 and pile.cards
        }
        (away,) = imagined["AWAY"]
        found[tuple(sorted([*imagined["HAND"], away])), away] += part
    total = sum(share.values())
    for world, part in share.items():
        assert found[world] == pytest.approx(part / total, abs=0.06)
    without = [sum(one[world] for world in one if "A" not in world[0]) for one in (found, share)]
    assert without[0] == pytest.approx(without[1] / total, abs=0.06)
    assert worlds.figures.effective > 250  # were choices alike, one in three would be likely


def test_a_model_by_which_all_options_are_alike_weighs_nothing():
    worlds = inferred(kuhn("Q"), UniformModel(), 50)
    assert set(worlds.weights.shares) == {1 / 50}
    assert worlds.figures.effective == pytest.approx(50)


def test_a_rule_is_followed_but_for_errors_and_may_say_nothing():
    state = game("kuhn").start(1)
    assert RuleModel(lambda _: 1, error=0.2).probabilities(state) == pytest.approx([0.1, 0.9])
    assert RuleModel(lambda _: None).probabilities(state) is None
    worlds = inferred(kuhn("Q"), RuleModel(lambda _: None), 20)
    assert worlds.figures.effective == pytest.approx(20)


# Players ------------------------------------------------------------------------------------


def test_nothing_depends_on_what_is_hidden():
    """Games that a seat cannot tell apart give the same worlds, weights and results."""
    pair = {}
    for seed in range(60):
        state = game("kuhn").replay(seed, [1])
        hidden = held(state, 0)[0]
        pair.setdefault(state.information(1), {})[hidden] = state
    left, right = next(found for found in pair.values() if len(found) > 1).values()
    assert inferred(left, Bluffer()).weights == inferred(right, Bluffer()).weights
    how, task = Inference(Bluffer(), 40), SearchTask(300)
    for one, other in (
        [state.trials(1, Stream(2), inference=how).run(FlatPlan(50)) for state in (left, right)],
        [state.search(Stream(2), task, inference=how) for state in (left, right)],
    ):
        assert one == other


def test_a_search_believes_what_it_infers():
    """With a queen, a bet of somebody who never bluffs is not called."""

    class Honest:
        def probabilities(self, past):
            bet = float(held(past, past.player) == ["K"])
            return [1 - bet, bet]

    state = kuhn("Q")
    result = state.search(Stream(1), SearchTask(500, trees=3), inference=Inference(Honest(), 60))
    assert state.contents()[result.most_visited] == state.contents()[0]
    assert result.options[1].points == -2  # the bet and the ante
    assert result.worlds.drawn == 60  # trees share them


@pytest.mark.parametrize("kind", ["pimc:rollouts=5", "bandit:rollouts=30", "ismcts:iterations=50"])
def test_players_infer_by_a_named_player(kind):
    spec = player(f"{kind},inference=random")
    assert spec().inference == "random"
    assert player(kind)().inference is None


def test_the_players_of_whose_choices_there_is_a_model_are_named():
    modelled = sorted(name for name, kind in KINDS.items() if kind.model is not None)
    assert INFERENCE.values.endswith(f"{', '.join(modelled[:-1])} or {modelled[-1]}")
    with pytest.raises(PlayerSpecError, match=r"inference=ismcts is not possible: write a player"):
        player("pimc:inference=ismcts")


def test_who_infers_as_a_player_of_one_game_plays_no_other():
    spec = player("pimc:rollouts=5,inference=skat")
    kind = KINDS["pimc"]
    with pytest.raises(UnknownAuctionError, match="cannot play kuhn"):
        kind.caution(spec(), game("kuhn"))
