"""Flat Monte Carlo players find what is plainly best, and look at nothing they may not know."""

from __future__ import annotations

import numpy as np
import pytest

from cardwright import Game, Stream
from cardwright.arena.referee import referee_game
from cardwright.game import KnowledgeMode, Rollouts
from cardwright.game.search import FlatTable
from cardwright.players.monte_carlo import (
    Bandit,
    CardStockMcts,
    CardStockPipmc,
    CardStockPipmcNew,
    FlatMonteCarlo,
    FlatReward,
    _rewards,
    first_best,
    held_out,
    means,
    note_of,
)
from cardwright.players.player import Decision, Note, RandomPlayer
from deep import usually

TAKE = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C)))))
 (do ((set (game points W) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3)))
  (repeat all (move (top (game iloc STOCK)) (top (game vloc ROW))))))
 (stage player (end (== (size (game vloc ROW)) 1))
  (choice ((any (game vloc ROW) 'C (move 'C (top ((current player) vloc WON)))))))
 (scoring {best} (sum ((current player) vloc WON) using (game points W))))"""

GUESS = """(game
 (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
 (do ((shuffle (game iloc STOCK)) (set (game points W) (((VAL : A) 1)))))
 (choice (
  (any (game iloc STOCK) 'C (move 'C (top ((1 player) vloc WON))))
  (inc (game sto SAFE))))
 (scoring max (+ (game sto SAFE) (* 10 (sum ((1 player) vloc WON) using (game points W))))))"""

PLAYERS = {
    "pimc": FlatMonteCarlo(20),
    "rank": FlatMonteCarlo(20, reward=FlatReward.RANK),
    "win": FlatMonteCarlo(20, reward=FlatReward.WIN),
    "consistent": FlatMonteCarlo(20, KnowledgeMode.CONSISTENT),
    "bandit": Bandit(200),
    "pipmc": CardStockPipmc(),
    "pipmcnew": CardStockPipmcNew(),
    "mcts": CardStockMcts(),
}


@pytest.fixture(scope="module", params=["max", "min"])
def taking(request):
    return Game.from_text(TAKE.replace("{best}", request.param))


@pytest.fixture(scope="module")
def hearts():
    return Game.load("hearts")


@pytest.mark.parametrize("player", PLAYERS.values(), ids=PLAYERS)
def test_takes_the_best_card(taking, player):
    """With everything open, the first player takes the card of most worth, or of least."""
    record = referee_game(taking, 1, [player, RandomPlayer()])
    chosen = taking.start(1).options()[record.choices[0]]
    first = taking.cards[chosen.content.picks[0][1]].attributes["VAL"]
    assert first == ("C" if taking.highest_wins else "A")


@pytest.mark.parametrize("name", ["pimc", "bandit", "pipmc", "pipmcnew"])
def test_does_not_see_hidden_cards(name):
    """Whether the good card lies above or below is hidden: over many deals it guesses alike.

    A player who saw through the backs would take the good card every time.
    """
    game = Game.from_text(GUESS)
    scores = [referee_game(game, seed, [PLAYERS[name]]).scores[0] for seed in range(100)]
    assert 30 < scores.count(10) < 70


def test_same_stream_same_choices():
    """The choices follow from the seed alone."""
    game = Game.load("leduc")
    for players in (
        [FlatMonteCarlo(3), FlatMonteCarlo(5, KnowledgeMode.KNOWN)],
        [Bandit(100), CardStockPipmcNew()],
    ):
        assert [referee_game(game, seed, players) for seed in range(5)] == [
            referee_game(game, seed, players) for seed in range(5)
        ]
    trees = [[referee_game(game, 3, [CardStockMcts(20), RandomPlayer()])] for _ in range(2)]
    assert trees[0] == trees[1]


@pytest.mark.parametrize(
    "player", [FlatMonteCarlo(3), CardStockPipmc(3), Bandit(60)], ids=["pimc", "pipmc", "bandit"]
)
def test_beats_random_players_at_hearts(hearts, player):
    """Against three random players its mean penalty is far below theirs, even with few rollouts."""
    players = [player, *(RandomPlayer() for _ in range(3))]
    games = usually(15, 40)
    records = [referee_game(hearts, seed, players) for seed in range(games)]
    own = sum(record.scores[0] for record in records) / games
    others = sum(sum(record.scores[1:]) for record in records) / games / 3
    assert own < others - 1


def decision_of(game, seed=1, choices=()):
    state = game.replay(seed, choices)
    return Decision(state.player, state.option_count, Stream(seed), state, len(choices))


def test_one_option_takes_no_thought_but_for_cardstock(hearts):
    """CardStock's players think about single options, and report a spread of 0."""
    state, choices = hearts.start(2), []
    while state.option_count > 1 or len(choices) < 4:
        choices.append(0)
        state.play(0)
    for name in ("pimc", "bandit"):
        decision = decision_of(hearts, 2, choices)
        assert PLAYERS[name].choose(decision) == 0
        assert decision.notes == []
        assert decision.stream.words == Stream(2).words
    for name, count in (("pipmc", 10), ("pipmcnew", 20)):
        decision = decision_of(hearts, 2, choices)
        assert PLAYERS[name].choose(decision) == 0
        (note,) = decision.notes
        assert (note.spread, note.iterations) == (0, count)
        assert note.best == note.average == note.lead[decision.seat]


def test_notes_are_those_of_cardstock():
    """Spread, average, best and lead from mean ranks, by hand."""
    ranks = [[2, 4, 0], [1, 2, 3], [1, 1, 4], [0, 6, 0]]
    count = 2
    table = FlatTable(
        tuple(Rollouts(count, 0, (0, 0, 0), tuple(row), ((0, 0, 0),) * 3) for row in ranks)
    )
    # Mean ranks of the first seat: 1, 0.5, 0.5, 0; worth 0.5, 0.75, 0.75, 1 of 2 other seats.
    assert note_of(table, 0) == Note(0.5, 0.75, 1.0, (1.0, -0.5, 1.0), 8, score_spread=0)
    # Of the second: 2, 1, 0.5, 3; the third option is best.
    assert note_of(table, 1) == Note(1.25, 0.1875, 0.75, (0.75, 0.75, 0.0), 8, score_spread=0)
    alone = FlatTable((Rollouts(3, 0, (5,), (0,), ((3,),)), Rollouts(2, 0, (8,), (0,), ((2,),))))
    assert note_of(alone, 0) == Note(iterations=5, score_spread=4 - 5 / 3)
    failed = FlatTable((Rollouts.none(2, failed=4),))
    assert note_of(failed, 0) == Note(iterations=0)


def test_what_is_held_out_is_by_hand():
    """One half chooses the first and the third option, the other the second and the first."""
    assert held_out((0.0, 1.0, 2.0), (3.0, 4.0, 2.0)) == ((2 - 3) + (1 - 2)) / 2
    assert held_out((0.0, None, 2.0), (3.0, 4.0, 5.0)) == 2
    assert held_out((None, 1.0), (1.0, None)) is None
    assert held_out((1.0,), (3.0,)) == 0


@pytest.mark.parametrize("truth", [(0.5, 0.5, 0.5, 0.5), (0.3, 0.4, 0.5, 0.6), (0.2, 0.2, 0.8)])
@pytest.mark.parametrize("rollouts", [4, 10, 40, 400])
def test_the_true_spread_is_between_what_is_found_and_what_is_held_out(truth, rollouts):
    """Of options of known worth: the means over decisions, and none where options are equal."""
    random = np.random.default_rng(rollouts)
    halves = random.binomial(rollouts // 2, truth, (4_000, 2, len(truth))) / (rollouts // 2)
    found = np.ptp(halves.mean(axis=1), axis=1)
    held = np.array([held_out(tuple(some), tuple(others)) for some, others in halves])
    spread, error = max(truth) - min(truth), held.std() / len(held) ** 0.5
    assert held.mean() - 4 * error <= spread <= found.mean() + 4 * error
    assert spread - held.mean() <= 0.02 + 0.5 / rollouts**0.5
    if not spread:
        assert abs(held.mean()) <= 4 * error
        assert found.mean() > 0.5 / rollouts**0.5


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("deals", [1, 7])
def test_halves_are_the_rollouts_of_one_table(taking, shared, deals):
    """By the same draws, so that what a seed plays does not depend on them."""
    first, second = decision_of(taking).flat_halves(deals, 2, shared=shared)
    assert first + second == decision_of(taking).flat(deals, 2, shared=shared)
    assert (first.count, second.count) == (
        2 * (deals - deals // 2) * len(first.options), 2 * (deals // 2) * len(first.options),
    )  # fmt: skip


def test_first_of_the_best():
    """Ties go to the first; what is not known is worst of all."""
    assert first_best([1, 3, 3]) == 1
    assert first_best([None, -5, None, -5]) == 1
    assert first_best([None, None]) == 0


def test_rewards_are_told_apart(taking):
    """The best option by score, by rank and by wins can be three; scores turn with the game."""
    table = FlatTable(
        (
            Rollouts(4, 0, (40, 0), (3, 0), ((1, 0), (0, 0))),
            Rollouts(4, 0, (-8, 0), (1, 0), ((2, 0), (0, 0))),
            Rollouts(4, 0, (4, 0), (2, 0), ((0, 6), (0, 0))),
            Rollouts.none(2, failed=4),
        )
    )
    decision = decision_of(taking)
    sign = 1 if taking.highest_wins else -1
    assert means(table, decision, FlatReward.SCORE) == (sign * 10, sign * -2, sign * 1, None)
    assert means(table, decision, FlatReward.RANK) == (-0.75, -0.25, -0.5, None)
    assert means(table, decision, FlatReward.WIN) == (0.25, 0.5, 0.75, None)


def test_bandit_spends_its_rollouts_where_they_matter(taking):
    """It uses them all, tries every option, and the plainly best one most."""
    decision = decision_of(taking)
    chosen = Bandit(305).choose(decision)
    table = Bandit(305)._tried(decision_of(taking))
    counts = [one.count for one in table.options]
    assert sum(counts) == 305
    assert min(counts) >= 10
    assert counts.index(max(counts)) == chosen
    assert max(counts) > 150
    spread = [one.count for one in Bandit(300, k=100.0)._tried(decision_of(taking)).options]
    assert max(spread) - min(spread) <= 10
    tiny = Bandit(2)._tried(decision_of(taking))
    assert [one.count for one in tiny.options] == [1, 1, 1]


def test_time_limits_thought(taking):
    """With milliseconds there is some rollout at least, whatever the number of rollouts says."""
    FlatMonteCarlo(1).choose(decision_of(taking))  # so that the game is compiled by then
    for player in (FlatMonteCarlo(1, ms=150), Bandit(1, ms=150)):
        decision = decision_of(taking)
        best = {"VAL": "C" if taking.highest_wins else "A"}
        chosen = player.choose(decision)
        card = decision.contents[chosen].picks[0][1]
        assert dict(taking.cards[card].attributes) == best
        assert decision.notes[0].iterations > 3


def test_places_of_cardstocks_tree_search():
    """Rewards are 1/(place + 1); ties go to the lower seat, or the higher if the highest wins."""
    assert _rewards([5, 0, 0, 9], highest_wins=False) == [1 / 3, 1, 1 / 2, 1 / 4]
    assert _rewards([5, 0, 0, 9], highest_wins=True) == [1 / 2, 1 / 4, 1 / 3, 1]


def test_every_seat_seeks_its_own(taking):
    """In the second seat too, the card is taken that beats the first."""
    cards = [option.content.picks[0][1] for option in taking.start(1).options()]
    values = [taking.cards[card].attributes["VAL"] for card in cards]
    decision = decision_of(taking, 1, [values.index("B")])
    chosen = decision.contents[CardStockMcts().choose(decision)].picks[0][1]
    assert taking.cards[chosen].attributes["VAL"] == ("C" if taking.highest_wins else "A")


def test_tree_search_keeps_what_it_learnt(hearts):
    """The tables grow from one decision to the next of a game; iterations are reported."""
    player = CardStockMcts(5)
    decision = decision_of(hearts)
    player.choose(decision)
    assert decision.notes == [Note(iterations=5 * decision.option_count)]
    first = len(player._plays)
    assert sum(plays.count for (_, seat), plays in player._plays.items()) >= first
    player.choose(decision_of(hearts, 1, [0]))
    assert len(player._plays) > first
    assert CardStockMcts()._plays == {}


def test_what_a_player_may_ask(hearts):
    """Options in words, what was played, and what is known, as its seat sees them."""
    decision = decision_of(hearts, 1, [0, 0])
    assert [one.index for one in decision.options] == list(range(decision.option_count))
    assert len(decision.record) == 2
    assert decision.knowledge.seat == decision.seat
    assert decision.game is hearts


class Asked:
    """A decision that only notes which rollouts are asked for."""

    def __init__(self, game):
        self.seat, self.option_count, self.game = 0, 1, game
        self.asked = []

    def flat_halves(self, deals, rollouts=1, **how):
        self.asked.append((deals, rollouts, how))
        return (FlatTable((Rollouts.of((1, 2), (0, 1), 1),)),) * 2

    def report(self, note):
        self.note = note


def test_plans_of_cardstock(hearts):
    """One has worlds of its own for each option and test; the other shares ten, and cuts at 200.

    Both play matches to the end.
    """
    decision = Asked(hearts)
    CardStockPipmc().choose(decision)
    CardStockPipmcNew().choose(decision)
    assert decision.asked == [
        (10, 1, {"shared": False, "horizon": "match"}),
        (10, 2, {"limit": 200, "horizon": "match"}),
    ]
