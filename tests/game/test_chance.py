"""Games whose chance is taken by hand."""

from __future__ import annotations

import operator
import pickle
from collections import Counter
from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from seeded_chance import Seeded

from cardwright import Game, GameError, GameLimits, State, Stream
from cardwright.errors import ChanceError, EngineError, UndoError
from cardwright.game import FastViewSpec
from cardwright.game.search import SearchTask
from cardwright.interpreter.chance import OutputInterval, ScriptedRun, UndrawnCards, running
from cardwright.library import catalogue
from cardwright.program.cards import Location, LocationKind
from cardwright.syntax.source import Source
from deep import some_games, usually
from generated import programs

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from cardwright.game.option import View

PACK = """(game
 (setup (create players {players})
        (create deck (game iloc STOCK) (deck (V ({cards})))))
 (do ((set (game points W) (((V : A) 1) ((V : B) 10) ((V : C) 100) ((V : D) 1000)))))
 {items}
 (scoring max {score}))"""


def made(items: str, score: str, cards: str = "A, B, C, D", players: int = 1) -> Game:
    return Game.from_text(PACK.format(items=items, score=score, cards=cards, players=players))


# A seed is one of the ways to take chance ---------------------------------------------------


def views(state: State) -> list[View]:
    return [state.view(seat) for seat in range(state.game.players)]


def follow(game: Game, seed: int, decisions: int, patch: pytest.MonkeyPatch) -> list[int]:
    """Play a game by hand beside the one that a seed starts; return the outcomes taken.

    Both are the same for every seat, at every decision, and break the same rules.
    """
    one, fault = attempt(lambda: game.with_engine("interpreter").start(seed))
    hand, other = attempt(lambda: Seeded(game, seed, patch))
    assert other == fault
    chooser = Stream(seed)
    for _ in range(decisions):
        if fault is not None or one.finished:
            break
        assert hand.state.player == one.player
        assert hand.state.contents() == one.contents()
        assert views(hand.state) == views(one)
        choice = chooser.below(one.option_count)
        _, fault = attempt(lambda: one.play(choice))  # noqa: B023
        _, other = attempt(lambda: hand.play(choice))  # noqa: B023
        assert other == fault
    if fault is not None:
        return []
    assert views(hand.state) == views(one)
    assert hand.state.finished == one.finished
    if one.finished:
        assert hand.state.scores == one.scores
    for seat in range(game.players):
        assert hand.state.record(seat) == one.record(seat)
        assert hand.state.information(seat) == one.information(seat)
        assert hand.state.knowledge(seat) == one.knowledge(seat)
    return hand.taken


def attempt(act: Callable[[], object]) -> tuple[object, object]:
    try:
        return act(), None
    except GameError as error:
        return None, (error.rule, error.place)


@pytest.mark.parametrize("name", some_games(catalogue.names()))
def test_a_seed_is_one_of_the_ways_to_take_chance(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert follow(Game.load(name), 3, 40, monkeypatch)


@settings(
    max_examples=usually(5, 25),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_so_it_is_in_generated_programs(text: str) -> None:
    limits = GameLimits(steps=300, decisions=40)
    game = Game.from_source(Source("generated", text), limits=limits)
    with pytest.MonkeyPatch.context() as patch:
        follow(game, 5, 40, patch)


# Distributions ------------------------------------------------------------------------------


def ends(state: State, choose: Callable[[State], int] | None = None) -> Iterator[tuple]:
    """Yield each end of a game with its probability, given that all choices are made.

    Without a function that chooses, every option is followed, with all its probability.
    """
    stack = [(state, Fraction(1))]
    while stack:
        state, chances = stack.pop()
        chance = state.chance
        if state.finished:
            yield state, chances
        elif chance is not None:
            assert state.player is None
            assert state.options() == ()
            for outcome, weight in enumerate(chance.weights):
                after = state.copy()
                after.take_chance(outcome)
                stack.append((after, chances * Fraction(weight, sum(chance.weights))))
        else:
            for option in range(state.option_count) if choose is None else [choose(state)]:
                after = state.copy()
                after.play(option)
                stack.append((after, chances))


def distribution(
    game: Game,
    choose: Callable[[State], int] = lambda _: 0,
    what: Callable[[State], Hashable] = lambda state: state.scores,
) -> dict[Hashable, Fraction]:
    """Return the exact probability of every value at the end of a game."""
    found: Counter[Hashable] = Counter()
    for state, chances in ends(game.start_chance(), choose):
        found[what(state)] += chances
    assert sum(found.values()) == 1
    return dict(found)


TOP_TWO = """(do ((shuffle (game iloc STOCK))
 (all (range 1 .. 2) 'I (do (
   (set (game sto N) (+ (* 2 (game sto N)) (score (top (game iloc STOCK)) using (game points W))))
   (move (top (game iloc STOCK)) (top (game vloc OUT))))))))"""


def test_a_shuffle_is_uniform() -> None:
    exact = Counter((2 * deal[0] + deal[1],) for deal in permutations((1, 10, 100, 1000)))
    found = distribution(made(TOP_TWO, "(game sto N)"))
    assert found == {score: Fraction(count, 24) for score, count in exact.items()}


def test_what_is_moved_under_and_shuffled_again_is_open_again() -> None:
    """The top card goes to the bottom; after the second shuffle it may be anywhere."""
    again = """(do ((shuffle (game iloc STOCK))
      (set (game str FIRST) (cardatt V (top (game iloc STOCK))))
      (move (top (game iloc STOCK)) (bottom (game iloc STOCK)))
      ((== (cardatt V (bottom (game iloc STOCK))) (game str FIRST)) (inc (game sto N)))
      (shuffle (game iloc STOCK))
      ((== (cardatt V (top (game iloc STOCK))) (game str FIRST)) (inc (game sto N) 10))
      ((== (cardatt V (1 (game iloc STOCK))) (game str FIRST)) (inc (game sto N) 100))))"""
    found = distribution(made(again, "(game sto N)"))
    assert found == {(1,): Fraction(2, 4), (11,): Fraction(1, 4), (101,): Fraction(1, 4)}


def test_sizes_and_counts_draw_nothing() -> None:
    game = made(
        "(do ((shuffle (game iloc STOCK)) (set (game sto N) (size (game iloc STOCK)))))",
        "(game sto N)",
    )
    state = game.start_chance()
    assert state.finished
    assert state.scores == (4,)


def test_the_best_of_all_cards_needs_no_order() -> None:
    """All positions are looked at, so all are drawn, but where the best is makes no difference."""
    game = made(
        "(do ((shuffle (game iloc STOCK))"
        " (set (game sto N) (scoremax (game iloc STOCK) using (game points W)))))",
        "(game sto N)",
    )
    assert distribution(game) == {(1000,): Fraction(1)}
    assert sum(1 for _ in ends(game.start_chance())) == 24


DICE = """(choice ((set (game sto N) (random 1 .. {one}))
                   (set (game sto N) (+ (random 1 .. {one}) (random 1 .. {two})))
                   (do ((set (game sto N) (random 1 .. {two})) (turn pass)))))
          (do ((set (game sto M) (random 1 .. {two}))))"""


@pytest.mark.parametrize("choice", range(3))
@pytest.mark.parametrize(("one", "two"), [(3, 3), (2, 3), (4, 6)])
def test_options_share_the_outputs_of_the_stream(choice: int, one: int, two: int) -> None:
    """Every option draws from the same outputs; those that the chosen one leaves are used next.

    With real numbers in place of outputs, the distribution comes from a grid so fine that every
    draw is constant on its squares.
    """
    game = made(DICE.format(one=one, two=two), "(+ (* 100 (game sto N)) (game sto M))")
    fine = one * two
    exact: Counter[tuple[int]] = Counter()
    for first in range(fine):
        for second in range(fine):
            for third in range(fine):
                outputs = [first, second, third]
                die = lambda sides: outputs.pop(0) * sides // fine + 1  # noqa: B023, E731
                number = die(two if choice == 2 else one) + (die(two) if choice == 1 else 0)
                exact[(100 * number + die(two),)] += 1
    expected = {score: Fraction(count, fine**3) for score, count in exact.items()}
    assert distribution(game, lambda _: choice) == expected


def test_what_building_options_has_drawn_stays_drawn() -> None:
    """Passing uses no output, so the next number is the one that said how many there are."""
    choices = """(choice ((any (range 1 .. (random 1 .. 3)) 'I (set (game sto N) 'I)) (turn pass)))
                 (do ((set (game sto M) (random 1 .. 3))))"""
    game = made(choices, "(game sto M)")
    found = distribution(
        game,
        lambda state: state.option_count - 1,
        lambda state: (state.choices[0], state.scores[0]),
    )
    assert found == {(number, number): Fraction(1, 3) for number in (1, 2, 3)}


def test_options_exist_by_the_same_output() -> None:
    """Two options are there together or not at all, and one with a finer draw only among them."""
    choices = """(choice (
      ((== (random 1 .. 2) 1) (set (game sto N) 1))
      ((== (random 1 .. 2) 1) (set (game sto N) 2))
      ((== (random 1 .. 6) 1) (set (game sto N) 3))
      (turn pass)))"""
    game = made(choices, "0")
    counts: Counter[int] = Counter()
    for state, chances in ends(game.start_chance(), lambda state: state.option_count - 1):
        counts[state.choices[0] + 1] += chances
    assert counts == {1: Fraction(1, 2), 3: Fraction(1, 3), 4: Fraction(1, 6)}


def test_outputs_that_the_chosen_option_leaves_stay_known() -> None:
    """The first option is there if two draws are equal; the other makes one, and then comes one."""
    choices = """(choice (
      ((== (random 1 .. 2) (random 1 .. 2)) (set (game sto N) 9))
      (set (game sto N) (random 1 .. 2))))
      (do ((set (game sto M) (random 1 .. 2))))"""
    game = made(choices, "(- (game sto N) (game sto M))")
    for state, _ in ends(game.start_chance(), lambda state: state.option_count - 1):
        assert (state.scores[0] == 0) is (state.choices[0] == 1)


def test_a_shuffle_uses_outputs_that_options_have_shown() -> None:
    """Two options shuffle, and one of them is there if that brings up the ace: then it comes up."""
    choices = """(choice (
      (do ((shuffle (game iloc STOCK))
           (any (filter (range 1 .. 2) 'I
                  (or (== 'I 1) (== (cardatt V (top (game iloc STOCK))) A))) 'I
             (set (game sto N) 'I))))
      (turn pass)))
      (do ((shuffle (game iloc STOCK))
           ((== (cardatt V (top (game iloc STOCK))) A) (set (game sto M) 1))))"""
    game = made(choices, "(game sto M)", cards="A, B, C")
    aces = Fraction(0)
    for state, chances in ends(game.start_chance(), lambda state: state.option_count - 1):
        assert state.scores[0] == state.choices[0] - 1
        aces += chances * state.scores[0]
    assert aces == Fraction(1, 3)


SHUFFLING = """(do ((shuffle (game iloc STOCK))))
  (choice (
    (any (range 1 .. 2) 'I (do (
      (shuffle (game iloc STOCK))
      ((== (cardatt V (top (game iloc STOCK))) A) (set (game sto N) 'I)))))
    (do ((shuffle (game iloc STOCK))
         ((== (cardatt V (bottom (game iloc STOCK))) A) (set (game sto N) 3))))
    (set (game sto N) 4)))
  (do ((shuffle (game iloc STOCK))
       ((== (cardatt V (top (game iloc STOCK))) A) (inc (game sto N) 10))))"""


def test_options_shuffle_alike() -> None:
    """A shuffle is an option of itself here; so what it does is seen by all that it is followed by.

    The options are the same in every order of the cards, and so is what comes after them: that the
    ace is at the top is as likely after any of the choices, and in ordinary games of seeds.
    """
    game = made(SHUFFLING, "(game sto N)", cards="A, B, C")
    for choice in range(4):
        found = distribution(game, lambda _: choice)  # noqa: B023
        top = sum(chances for (score,), chances in found.items() if score >= 10)
        assert top == Fraction(1, 3)
        ace = sum(chances for (score,), chances in found.items() if score % 10)
        assert ace == (1 if choice == 3 else Fraction(1, 3))


@pytest.mark.parametrize("seed", range(6))
def test_a_seed_is_one_of_the_ways_where_options_shuffle(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert follow(made(SHUFFLING, "(game sto N)"), seed, 5, monkeypatch)


TWO_BACKS = """(game
 (setup (create players 2)
        (create deck (game iloc STOCK) (deck (V (A, B, C))))
        (create deck BLUE (game iloc STOCK) (deck (V (D, E, F)))))
 (do ((shuffle (game iloc STOCK))))
 (choice ((turn pass)))
 (scoring max 0))"""


def test_backs_are_drawn_when_they_are_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody sees the order of the backs, so the order of the cards does not stay open."""
    game = Game.from_text(TWO_BACKS)
    assert len({card.back for card in game.cards}) == 2
    assert len(follow(game, 4, 5, monkeypatch)) == 5


def test_ties_are_drawn() -> None:
    ties = "(do ((move (max (game iloc STOCK) using (game points V)) (top (game vloc OUT)))))"
    score = "(score (top (game vloc OUT)) using (game points W))"
    game = made(ties, score, cards="A, B, C")
    chance = game.start_chance().chance
    assert chance is not None
    assert chance.question == "the best card"
    assert [card.attributes["V"] for card in chance.items] == ["A", "B", "C"]
    assert distribution(game) == {(score,): Fraction(1, 3) for score in (1, 10, 100)}


@pytest.mark.parametrize(("name", "deals", "over"), [("kuhn", 6, 30), ("leduc", 120, 5520)])
def test_small_games_have_their_known_trees(name: str, deals: int, over: int) -> None:
    """Kuhn poker has 30 ends, and Leduc poker 5,520, where it matters who folds to what."""
    game = Game.load(name)
    assert sum(1 for _ in ends(game.start_chance())) == over
    found = distribution(game, lambda _: 0, lambda state: str(state.locations()))
    assert set(found.values()) == {Fraction(1, deals)}


def test_visible_piles_are_drawn_when_they_are_shuffled() -> None:
    rules = PACK.format(
        items="(do ((shuffle (game iloc STOCK))))", score="1", cards="A, B, C", players=1
    )
    open_ = Game.from_text(rules.replace("game iloc STOCK", "game vloc STOCK"))
    assert sum(1 for _ in ends(open_.start_chance())) == 6
    own = Game.from_text(rules.replace("game iloc STOCK", "(1 player) iloc STOCK"))
    assert sum(1 for _ in ends(own.start_chance())) == 6
    assert sum(1 for _ in ends(Game.from_text(rules).start_chance())) == 1


@pytest.mark.slow
def test_random_play_scores_as_with_seeds() -> None:
    """Means differ by less than four standard errors, whatever chance is."""
    for name in usually(("pairs", "cuckoo"), ("blackjack", "pairs", "cuckoo", "nothanks")):
        game, chooser = Game.load(name, engine="interpreter"), Stream(11)
        by_hand = [sum(map(abs, played(game.start_chance(), chooser).scores)) for _ in range(30)]
        few = range(usually(80, 200))
        seeded = [sum(map(abs, played(game.start(seed), chooser).scores)) for seed in few]
        spread = (variance(by_hand) / len(by_hand) + variance(seeded) / len(seeded)) ** 0.5
        assert abs(mean(by_hand) - mean(seeded)) <= 4 * spread


def mean(values: list[int]) -> float:
    return sum(values) / len(values)


def variance(values: list[int]) -> float:
    middle = mean(values)
    return sum((value - middle) ** 2 for value in values) / (len(values) - 1)


def played(state: State, chooser: Stream, decisions: int = 10**6) -> State:
    """Play at random until a number of decisions were made and another one is due."""
    while not state.finished:
        chance = state.chance
        if chance is not None:
            at = chooser.below(sum(chance.weights))
            state.take_chance(
                next(i for i in range(len(chance)) if at < sum(chance.weights[: i + 1]))
            )
        elif len(state.choices) == decisions:
            break
        else:
            state.play(chooser.below(state.option_count))
    return state


# States -------------------------------------------------------------------------------------


def test_a_draw_is_described() -> None:
    state = Game.load("leduc").start_chance()
    assert repr(state) == "<State of leduc, by hand, 0 chosen, a draw is due>"
    chance = state.chance
    assert chance is not None
    assert repr(chance) == "<Chance: the top card of STOCK, 6 outcomes>"
    assert chance.outcomes[5] == "the top card of STOCK is K of SPADES"
    assert chance.probabilities == (1 / 6,) * 6
    assert chance.items == state.game.cards
    state.take_chance(5)
    state.take_chance(0)
    assert repr(state) == "<State of leduc, by hand, 0 chosen, p1 to decide>"
    numbers = made("(do ((set (game sto N) (random 3 .. 5))))", "(game sto N)").start_chance()
    assert numbers.chance is not None
    assert numbers.chance.outcomes[0] == "the random number is 3"
    assert numbers.chance.items == (3, 4, 5)


def test_outcomes_are_sampled_by_their_weights() -> None:
    """Every outcome comes, none else, and each in about its share of 2,000 draws."""
    numbers = made("(do ((set (game sto N) (random 3 .. 5))))", "(game sto N)").start_chance()
    chance, stream = numbers.chance, Stream(1)
    assert chance is not None
    for weights in ((1, 1, 1), (1, 0, 4)):
        chance.weights = weights
        counts = Counter(chance.sample(stream) for _ in range(2_000))
        for outcome, weight in enumerate(weights):
            assert abs(counts[outcome] / 2_000 - weight / sum(weights)) < 0.05
            assert weight or not counts[outcome]
        assert len(counts) <= 3


def test_who_decides_is_told_apart_from_chance_and_the_end() -> None:
    """No seat decides at a draw and at the end; one of `chance` and `finished` says which."""
    state, stream, met = Game.load("kuhn").start_chance(), Stream(2), set()
    while not state.finished:
        met.add((state.player is None, state.chance is None))
        assert (state.player is None) == (state.chance is not None) == (state.option_count == 0)
        if state.chance:
            assert state.options() == state.legal_actions() == ()
            state.take_chance(state.chance.sample(stream))
        else:
            state.play(stream.below(state.option_count))
    assert met == {(True, False), (False, True)}
    assert (state.player, state.chance, state.option_count) == (None, None, 0)


def test_what_is_due_has_to_be_taken_first() -> None:
    state = Game.load("kuhn").start_chance()
    for act in (
        lambda: state.play(0),
        lambda: state.view(0),
        lambda: state.record(0),
        lambda: state.knowledge(0),
        state.locations,
        lambda: state.determinise(0, Stream(1)),
    ):
        with pytest.raises(ChanceError, match="a draw is due"):
            act()
    for wrong in (3, -1):
        with pytest.raises(ChanceError, match="numbered 0 to 2"):
            state.take_chance(wrong)
    state.take_chance(0)
    state.take_chance(0)
    assert state.chance is None
    with pytest.raises(ChanceError, match="no draw is due"):
        state.take_chance(0)
    with pytest.raises(ChanceError, match="start the game with a seed"):
        state.rollouts(1, Stream(1))
    with pytest.raises(ChanceError, match="start the game with a seed"):
        state.trials(0, Stream(1))
    with pytest.raises(EngineError, match="start the game with a seed"):
        state.search(Stream(1), SearchTask(iterations=1))
    seeded = Game.load("kuhn").start(1)
    assert seeded.chance is None
    with pytest.raises(ChanceError, match="started with a seed"):
        seeded.take_chance(0)


def test_too_many_outcomes_are_refused() -> None:
    game = made("(do ((set (game sto N) (random 1 .. 1000000))))", "(game sto N)")
    with pytest.raises(ChanceError, match="1,000,000 outcomes"):
        game.start_chance()


def test_a_broken_rule_is_reported_and_taken_back() -> None:
    game = made("(do ((set (game sto N) (// 6 (random 0 .. 2)))))", "(game sto N)")
    state = game.start_chance()
    with pytest.raises(GameError, match="division"):
        state.take_chance(0)
    state.undo()
    state.take_chance(2)
    assert state.scores == (3,)


@pytest.mark.parametrize("name", ["hearts", "cuckoo", "pairs", "crazyeights", "coup"])
def test_steps_are_taken_back_one_by_one(name: str) -> None:
    state = Game.load(name).start_chance()
    chooser = Stream(2)
    past = []
    for _ in range(150):
        if state.finished:
            break
        past.append((state.copy(), state.choices.copy()))
        step(state, chooser)
    for before, choices in reversed(past):
        state.undo()
        assert state == before
        assert hash(state) == hash(before)
        assert state.choices == choices
        assert (state.chance is None) == (before.chance is None)
    with pytest.raises(UndoError, match="0 steps"):
        state.undo()
    for _ in range(8):
        step(state, chooser)
    state.undo(8)
    assert state == state.game.start_chance()


def step(state: State, chooser: Stream) -> None:
    chance = state.chance
    if chance is not None:
        state.take_chance(chooser.below(len(chance)))
    else:
        state.play(chooser.below(state.option_count))


def test_actions_are_taken_back_with_the_draws_after_them() -> None:
    state = played(Game.load("leduc").start_chance(), Stream(5), 0)
    with pytest.raises(UndoError, match="no action"):
        state.undo_action()
    state.play_action("ACTION CHECK")
    before = state.copy()
    state.play_action("ACTION CHECK")
    assert state.legal_actions() == ()
    due = state.copy()
    state.undo_action()
    assert state == before
    due.take_chance(0)
    due.undo_action()
    assert due == before


def test_actions_of_a_begun_decision_are_taken_back_first() -> None:
    state = played(Game.load("bigtwo").start_chance(), Stream(1), 1)
    chooser = Stream(3)
    while not state.pending:
        before = state.copy()
        actions = state.legal_actions()
        state.play_action(actions[chooser.below(len(actions))])
    assert pickle.loads(pickle.dumps(state)).pending == state.pending
    state.undo_action()
    assert (state, state.pending) == (before, ())


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["leduc", "cuckoo", "hearts", "crazyeights"])
@pytest.mark.parametrize("decisions", [0, 4])
def test_copies_and_pickles_go_on_alike(name: str, decisions: int) -> None:
    state = played(Game.load(name).start_chance(), Stream(5), decisions)
    seat = state.player
    others = [state]
    if seat is not None:
        others += [state.determinise(seat, Stream(1), mode) for mode in ("basic", "consistent")]
    for one in others:
        again = pickle.loads(pickle.dumps(one))
        twin = deepcopy(one)
        assert one == twin == again
        if one.player is not None:
            seats = range(one.game.players)
            assert [one.information(at) for at in seats] == [again.information(at) for at in seats]
        first = played(one.copy(), Stream(8))
        assert first == played(twin, Stream(8)) == played(again, Stream(8))
        if one is state or again.player is not None:
            assert pickle.loads(pickle.dumps(first)).record(0) == first.record(0)


def test_equal_states_have_the_same_draws_before_them() -> None:
    game = Game.load("kuhn")
    states = [state for state, _ in ends(game.start_chance())]
    assert len(set(states)) == len(states)
    start = game.start_chance()
    assert start != game.start(1)
    assert start == game.with_engine("interpreter").start_chance()
    drawn = start.copy()
    drawn.take_chance(0)
    assert drawn != start


def test_states_differ_by_what_is_drawn() -> None:
    """The top card was looked at and lies as it would be shown; or an output is known."""
    look = """(do ((shuffle (game iloc STOCK))))
      (choice ((set (game sto N) 1) (set (game sto N) 2)))
      (do (((== (game sto N) 1)
              ((== (cardatt V (top (game iloc STOCK))) A) (set (game sto M) 1)))
           (set (game sto N) 0)))
      (choice ((turn pass)))"""
    start = made(look, "0").start_chance()
    looked, not_looked = start.copy(), start.copy()
    looked.play(0)
    looked.take_chance(3)
    not_looked.play(1)
    assert looked.locations() == not_looked.locations()
    assert looked != not_looked
    output = made("(choice ((set (game sto N) (random 1 .. 2)) (turn pass)))", "0").start_chance()
    low, high = output.copy(), output.copy()
    low.take_chance(0)
    high.take_chance(1)
    assert low != high


def test_an_imagined_state_is_by_hand_too() -> None:
    """What was not drawn in the true game is not drawn in it."""
    state = Game.load("leduc").start_chance()
    state.take_chance(0)
    state.take_chance(0)
    hands = Counter()
    for seed in range(200):
        other = state.determinise(0, Stream(seed))
        assert other.view(0) == state.view(0)
        hands[other.cards(1, "iloc", "HAND")] += 1
        stock = [card.id for card in other.cards(None, "iloc", "STOCK")]
        assert stock == sorted(stock)
        while other.chance is None:
            other.play(0)
        assert len(other.chance) == 4
        other.undo(len(other.choices) - len(state.choices))
        with pytest.raises(UndoError):
            other.undo()
    assert len(hands) == 5
    assert max(hands.values()) < 80


def test_what_seats_have_seen_goes_back_too() -> None:
    state = Game.load("cuckoo").start_chance()
    chooser = Stream(3)
    played(state, chooser, 2)
    twin = pickle.loads(pickle.dumps(state))
    for seat in range(state.game.players):
        assert state.information(seat) == twin.information(seat)
    state.play(0)
    state.information(0)
    state.record(0)
    state.undo()
    for one in (state, twin):
        one.play(state.option_count - 1)
        played(one, Stream(4), 4)
    for seat in range(state.game.players):
        assert state.information(seat) == twin.information(seat)
        assert state.record(seat) == twin.record(seat)


def test_an_imagined_state_may_begin_with_a_draw() -> None:
    """Options that draw are found anew in it."""
    rules = "(choice ((any (range 1 .. (random 1 .. 3)) 'I (set (game sto N) 'I)) (turn pass)))"
    state = made(f"{rules} {rules}", "0", players=2).start_chance()
    state.take_chance(1)
    known = state.information(0)
    for mode in ("basic", "consistent"):
        other = state.determinise(0, Stream(1), mode)
        assert other.player is None
        assert other.chance is not None
        other = pickle.loads(pickle.dumps(other))
        other.take_chance(2)
        assert other.option_count == 4
        assert other.information(0) == known
        other.play(1)
        other.take_chance(0)
        again = pickle.loads(pickle.dumps(other))
        assert again == other
        for seat in range(2):
            assert again.information(seat) == other.information(seat)
        if mode == "consistent":
            assert again.record(0) == other.record(0)
        other.undo(3)
        assert other.chance is not None


def test_fast_views_see_the_same() -> None:
    state = played(Game.load("hearts").start_chance(), Stream(1), 5)
    place = Location(0, LocationKind.INVISIBLE, "HAND")
    look = FastViewSpec(state.game.program, 0, [place])
    assert state.fast_view(look).cards[0] == tuple(card.id for card in state.view(0).cards(place))


# The parts ----------------------------------------------------------------------------------


def test_intervals_are_cut_exactly() -> None:
    half = OutputInterval(0, 1, 1).part(2, 1)
    assert half == (1, 2, 2)
    assert half.parts(3) == (range(1, 3), (1, 2))
    assert half.part(3, 1) == (3, 4, 6)
    assert half.parts(4) == (range(2, 4), (1, 1))


def test_every_way_to_look_at_cards_draws_them() -> None:
    """No method of lists shows a card that is not drawn yet, or changes cards unseen."""
    own = set(vars(UndrawnCards))
    harmless = {"__len__", "__sizeof__", "__class_getitem__", "__new__", "__getattribute__"}
    assert {name for name in vars(list) if name not in own} == harmless


@pytest.mark.parametrize(
    ("look", "drawn"),
    [
        (lambda cards: cards[-1], [4]),
        (lambda cards: cards[1:3], [1, 2]),
        (lambda cards: cards[::-1], [4, 3, 2, 1, 0]),
        (list, [0, 1, 2, 3, 4]),
        (tuple, [0, 1, 2, 3, 4]),
        (lambda cards: [*cards], [0, 1, 2, 3, 4]),
        (sorted, [0, 1, 2, 3, 4]),
        (max, [0, 1, 2, 3, 4]),
        (lambda cards: list(reversed(cards)), [4, 3, 2, 1, 0]),
        (lambda cards: operator.add([1], cards), [0, 1, 2, 3, 4]),
        (lambda cards: operator.add(cards, [1]), [0, 1, 2, 3, 4]),
        (dict.fromkeys, [0, 1, 2, 3, 4]),
        (lambda cards: any(card == 9 for card in cards), [0, 1, 2, 3, 4]),
        ([0].extend, [0, 1, 2, 3, 4]),
        (len, []),
        (bool, []),
        (lambda cards: 3 in cards, []),
        (lambda cards: cards.count(3), []),
        (lambda cards: cards.copy(), []),
        (lambda cards: cards.shown(), []),
    ],
)
def test_looking_draws(look: Callable[[UndrawnCards], object], drawn: list[int]) -> None:
    class Watched(ScriptedRun):
        def take(self, draw):
            asked.append(draw.at)
            return len(draw.items) - 1

    asked: list[int] = []
    place = Location(0, LocationKind.HIDDEN, "A")
    cards = UndrawnCards.shuffled([3, 1, 4, 0, 2], place)
    look(cards)
    assert cards.shown() == [0, 1, 2, 3, 4]
    assert asked == []
    with running(Watched([])):
        look(cards)
    assert asked == drawn
    assert sorted(cards.shown()) == [0, 1, 2, 3, 4]
