"""The funnel: what leaves at which step, and that it depends on nothing but the rules."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cardwright.compiler.backend import OPTIMISATION_VARIABLE
from cardwright.evolution import pipeline
from cardwright.evolution.candidate import (
    ONLY_STYLE,
    Candidate,
    DepartureReason as Reason,
    FunnelStep,
)
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.pipeline import (
    EvaluationPipeline,
    FunnelPlan,
    RejectedError,
    check_winners,
    game_of,
    random_games,
)
from cardwright.evolution.trial_games import CostLimits, TrialTable
from cardwright.game.find import find
from cardwright.game.native.random_games import TALLIES, RandomGames, play_random
from cardwright.game.seeds import game_seeds
from cardwright.syntax.diagnostic import Code
from deep import mostly_deep
from journeys import entered

if TYPE_CHECKING:
    from pathlib import Path

MOST_MODULES = 110
"""So many modules a candidate goes through at most."""

PLAN = FunnelPlan(seed=3, trials=4, games=60)

GAME = """
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, B, C, D, E, F, G, H)) (SUIT (X, Y)))))
  (do (
    (set (game points WORTH)
      (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((RANK : D) 4)
       ((RANK : E) 5) ((RANK : F) 6) ((RANK : G) 7) ((RANK : H) 8)))
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 1)))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc PLAYED)))))))
  (scoring max (sum ((current player) vloc PLAYED) using (game points WORTH))))
"""
"""Each player keeps one of four cards; the sum of the others is the score."""

CHOICE = "(any ((current player) iloc HAND) 'C (move 'C (top ((current player) vloc PLAYED))))"
SCORE = "(sum ((current player) vloc PLAYED) using (game points WORTH))"
DEAL = "(all player 'P (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))"


def changed(*pairs: tuple[str, str], text: str = GAME) -> Candidate:
    """Return the game with parts replaced, each of which occurs in it."""
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return Candidate(text)


FUNNEL = EvaluationPipeline(changed(), PLAN)


def departure(
    candidate: Candidate, funnel: EvaluationPipeline = FUNNEL
) -> tuple[FunnelStep, Reason] | None:
    left = funnel.evaluate(candidate).departure
    return left and (left.step, left.reason)


def test_the_original_comes_through() -> None:
    evaluated = FUNNEL.evaluate(FUNNEL.original)
    assert evaluated.departure is None
    assert len(evaluated.fingerprint) == 32


@pytest.mark.parametrize(
    "name",
    mostly_deep(
        ("agram", "blackjack", "crazyeights", "kuhn", "pairs", "sevens"),
        {"agram", "pairs"}.__contains__,
    ),
)
def test_games_of_the_library_come_through(name: str) -> None:
    """They end, have choices, and neither the deal nor a seat decides them."""
    original = Candidate(find(name).text)
    assert departure(original, EvaluationPipeline(original, FunnelPlan(games=100))) is None


TRICK = "(top ((current player) vloc PLAYED))"
SHUFFLE = "(shuffle (game iloc STOCK))"
SUBSETS = (
    "(any (subsets ((current player) iloc HAND)) 'G (any (subsets ((current player) iloc HAND)) 'H"
    " (repeat all (move (top 'G) (top ((current player) vloc PLAYED))))))"
)
ENDLESS_STAGE = "(stage player (end (== 1 2)) (do ((set (game sto N) (+ 1 (game sto N))))))"
ASKING = "(stage player (end (== 1 2)) (choice ((set (game sto N) 1) (set (game sto N) 2))))"
GIFT = "(repeat 6 (move (top (game iloc STOCK)) (top ((1 player) vloc PLAYED))))"
UP = "(move (top (game iloc STOCK)) (top (game vloc UP)))"
MANY = ", ".join(f"X{at}" for at in range(40))

COUNT = "(set (game sto N) (+ 1 (game sto N)))"

LEAVING = {
    "more cards than there are": (
        [("repeat 4", "repeat 9")],
        (FunnelStep.TRY, Reason.BROKEN, "line 11: "),
    ),
    "a stage without an end": (
        [("(stage player", f"{ENDLESS_STAGE}\n(stage player")],
        (FunnelStep.TRY, Reason.ENDLESS, "line 12: 10,000 steps went by without a decision (ste"),
    ),
    "a choice without an end": (
        [("(stage player", f"{ASKING}\n(stage player")],
        (FunnelStep.TRY, Reason.ENDLESS, "line 12: the game has had 500 decisions (decisions)"),
    ),
    "too many options": (
        [("repeat 4", "repeat 8"), (CHOICE, SUBSETS)],
        (FunnelStep.TRY, Reason.TOO_LARGE, "line 14: there are too many options (capacity)"),
    ),
    "a loop of a million rounds": (
        [(SHUFFLE, f"(repeat 999999 {SHUFFLE})")],
        (FunnelStep.TRY, Reason.TOO_LARGE, "the trial games take more than 300,000 rounds"),
    ),
    "many cards": (
        [("(X, Y)", f"({MANY})")],
        (FunnelStep.TRY, Reason.TOO_LARGE, "320 cards, more than 250"),
    ),
    "a skip": (
        [(f"{CHOICE}))", f"{CHOICE})) (choice ((turn pass) {COUNT}))")],
        (FunnelStep.TRY, Reason.IDLE, ""),
    ),
    "an option that changes nothing": (
        [(f"{CHOICE}))", f"{CHOICE})) (choice ((set (game sto N) (game sto N)) {COUNT}))")],
        (FunnelStep.TRY, Reason.IDLE, ""),
    ),
    "one card each": (
        [("repeat 4", "repeat 1"), ("HAND)) 1)", "HAND)) 0)")],
        (FunnelStep.TRY, Reason.NO_CHOICES, "in 4 games no decision had more than one option"),
    ),
    "all cards played": (
        [("HAND)) 1)", "HAND)) 0)")],
        (FunnelStep.PLAY, Reason.DEALT, "30 deals ended alike with other choices"),
    ),
    "a score that all have": (
        [(SCORE, "(score (top (game iloc STOCK)) using (game points WORTH))")],
        (FunnelStep.PLAY, Reason.DRAWN, "60 games had the same winners"),
    ),
    "much for the first player": (
        [(SHUFFLE, f"{SHUFFLE} {GIFT}"), ("repeat 4", "repeat 3")],
        (FunnelStep.PLAY, Reason.ONE_SEAT, "60 games had the same winners"),
    ),
    "a new warning": (
        [(TRICK, "(bottom ((current player) iloc HAND))")],
        (FunnelStep.CHECK, Reason.WARNED, "line 16: the location PLAYED is read, but never filled"),
    ),
}  # fmt: skip
"""Changes of the game, and how it leaves."""


@pytest.mark.parametrize("case", LEAVING)
def test_what_leaves_leaves_at_the_first_step_that_shows_it(case: str) -> None:
    """Its reason is counted, and its detail says what happened where."""
    pairs, (step, reason, detail) = LEAVING[case]
    left = FUNNEL.evaluate(changed(*pairs)).departure
    assert left is not None
    assert (left.step, left.reason) == (step, reason)
    assert left.detail.startswith(detail)


def test_a_warning_of_the_original_is_no_reason_to_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code counts, not the place. This original never ends, which is found out after less."""
    little = CostLimits(work=100_000)
    monkeypatch.setattr(CostLimits, "of_originals", classmethod(lambda _cls: little))
    warned = changed((TRICK, "(bottom ((current player) iloc HAND))"))
    elsewhere = changed(("'C", "'D"), text=f"\n\n{warned.text}")
    assert departure(elsewhere, EvaluationPipeline(warned, PLAN)) == (
        FunnelStep.TRY,
        Reason.ENDLESS,
    )


def test_style_is_no_reason_to_leave() -> None:
    unused = changed(("(game\n", "(game (declare 3 'UNUSED)\n"))
    assert {one.code for one in game_of(unused).diagnostics} == {Code.UNUSED_VARIABLE}
    assert departure(unused) is None


def test_warnings_only_about_style_are_warnings() -> None:
    assert all(code.code.startswith("W") for code in ONLY_STYLE)


def test_a_text_that_does_not_pass_the_check_leaves_too() -> None:
    """Variation makes none, but nothing is raised for it."""
    assert departure(Candidate("(game")) == (FunnelStep.CHECK, Reason.NO_CHANGE)


WINNERS = {
    "one seat in 49 of 50 games": (
        [[1, 0]] * 49 + [[0, 1]],
        Reason.ONE_SEAT,
        "seat 1 won 49 of 50",
    ),
    "one seat in 48 of 50 games": ([[1, 0]] * 48 + [[0, 1]] * 2, None, ""),
    "a pair of partners": ([[0, 1, 0, 1]] * 50, Reason.ONE_SEAT, "seat 2 won 50 of 50"),
    "all in 49 of 50 games": (
        [[3, 3]] * 49 + [[0, 1]],
        Reason.DRAWN,
        "49 of 50 games were drawn",
    ),
    "all in half of the games": ([[3, 3], [1, 0]] * 25, None, ""),
    "too few games": ([[1, 0]] * 19, None, ""),
    "one player": ([[1]] * 50, None, ""),
}
"""Scores of games, of which the highest win, and why such a game leaves."""


@pytest.mark.parametrize("case", WINNERS)
def test_who_always_wins_is_counted_over_all_games(case: str) -> None:
    scores, reason, detail = WINNERS[case]
    count, players = np.shape(scores)
    game = game_of(changed(("players 2", f"players {players}"), ("repeat 4", "repeat 2")))
    numbers = np.arange(count)
    seeds, tallies = numbers.astype(np.uint64), np.zeros(count, TALLIES)
    games = RandomGames(game, numbers, seeds, np.array(scores), tallies)
    if reason is None:
        check_winners(games)
        return
    with pytest.raises(RejectedError, match=detail) as left:
        check_winners(games)
    assert left.value.reason is reason


# Fingerprints -----------------------------------------------------------------------------

SAME = {
    "names": [("HAND", "FIST"), ("'C", "'CARD"), ("PLAYED", "AAA"), ("WORTH", "VALUE")],
    "layout": [("\n", "\n\n"), ("(do (", "(do ( ;; the deal\n")],
    "a branch that is never taken": [(CHOICE, f"((== 1 2) {CHOICE.replace('C', 'D')}) {CHOICE}")],
}  # fmt: skip


@pytest.mark.parametrize("case", SAME)
def test_what_plays_alike_has_the_same_fingerprint(case: str) -> None:
    """Then it leaves if that is known, and only then."""
    known = FUNNEL.evaluate(FUNNEL.original).fingerprint
    candidate = changed(*SAME[case])
    assert FUNNEL.evaluate(candidate).fingerprint == known
    left = FUNNEL.evaluate(candidate, {known}).departure
    assert left is not None
    assert (left.step, left.reason) == (FunnelStep.COMPARE, Reason.KNOWN)
    assert FUNNEL.evaluate(candidate, {"x"}).departure is None


def test_the_order_of_branches_does_not_matter() -> None:
    other = "(any ((current player) iloc HAND) 'C (move 'C (bottom (game vloc SHOWN))))"
    one, two = changed((CHOICE, f"{CHOICE} {other}")), changed((CHOICE, f"{other} {CHOICE}"))
    assert FUNNEL.evaluate(one).fingerprint == FUNNEL.evaluate(two).fingerprint


DIFFERENT = {
    "a worth": [("(RANK : A) 1", "(RANK : A) 9")],
    "who wins": [("scoring max", "scoring min")],
    "who sees what is played": [("vloc PLAYED", "hloc PLAYED")],
    "an option more": [(CHOICE, f"{CHOICE} (cycle next (current player))")],
    "what lies on the table": [(SHUFFLE, f"{SHUFFLE} {UP}")],
}  # fmt: skip


@pytest.mark.parametrize("case", DIFFERENT)
def test_what_plays_otherwise_has_another_fingerprint(case: str) -> None:
    candidate = changed(*DIFFERENT[case])
    found = FUNNEL.evaluate(candidate).fingerprint
    assert found not in {"", FUNNEL.evaluate(FUNNEL.original).fingerprint}


# Engines and places -----------------------------------------------------------------------


@pytest.mark.parametrize("name", mostly_deep(["agram", "coup", "cribbage"], {"coup"}.__contains__))
def test_random_games_are_the_same_by_either_engine(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So what is cheaper may be taken: neither games nor departures depend on it."""
    game = game_of(Candidate(find(name).text)).brief()
    found = []
    for work in (0, 10**9):
        monkeypatch.setattr(pipeline, "WORK_OF_A_FORM", work)
        trials = [TrialTable(game.program, CostLimits()).play(1, 1)]
        found.append(random_games(game, trials, 5, 30, CostLimits()))
    native, interpreted = found
    assert native.game.engine_name == "native"
    assert interpreted.game.engine_name == "interpreter"
    assert np.array_equal(native.scores, interpreted.scores)
    assert np.array_equal(native.tallies, interpreted.tallies)


def test_a_fault_is_told_alike_by_either_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a rule is broken in some games, of which the trials are none."""
    test = "((== (score (top (game iloc STOCK)) using (game points WORTH)) 8)"
    rare = changed(
        (SHUFFLE, f"{SHUFFLE} {test} (move (top (game vloc NONE)) (top (game vloc UP))))")
    )
    found = set()
    for work in (0, 10**9):
        monkeypatch.setattr(pipeline, "WORK_OF_A_FORM", work)
        found.add(EvaluationPipeline(rare, replace(PLAN, trials=1)).evaluate(rare).departure)
    (left,) = found
    assert left is not None
    assert (left.step, left.reason) == (FunnelStep.PLAY, Reason.BROKEN)
    assert left.detail.startswith("line 10: ")


def test_a_brief_game_plays_alike_and_stores_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It does not ask the environment either, and travels as what it is."""
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(OPTIMISATION_VARIABLE, "on")
    game = game_of(FUNNEL.original)
    before = dict(os.environ)
    brief = pickle.loads(pickle.dumps(game.brief()))
    mine = play_random(brief, game_seeds(1, 20), threads=1)
    assert os.environ == before
    assert not (tmp_path / "cache").exists()
    kept = play_random(game, game_seeds(1, 20), threads=1)
    assert list((tmp_path / "cache").iterdir())
    assert np.array_equal(mine.scores, kept.scores)
    assert np.array_equal(mine.tallies, kept.tallies)


def test_an_outcome_is_the_same_in_another_process() -> None:
    """The limits and warnings of the original come along."""
    other = pickle.loads(pickle.dumps(FUNNEL))
    candidate = changed(("(RANK : A) 1", "(RANK : A) 9"))
    assert other.evaluate(candidate) == FUNNEL.evaluate(candidate)
    assert (other.limits, other.allowed) == (FUNNEL.limits, FUNNEL.allowed)


def test_the_time_of_each_step_is_told_also_of_the_last() -> None:
    told: list[tuple[FunnelStep, float]] = []
    FUNNEL.evaluate(changed(*LEAVING["one card each"][0]), (), lambda *one: told.append(one))
    assert [step for step, _ in told] == [FunnelStep.CHECK, FunnelStep.TRY]
    assert all(seconds >= 0 for _, seconds in told)


def test_measures_of_random_games_are_taken() -> None:
    """Those of searching players are not, without players."""
    funnel = EvaluationPipeline(FUNNEL.original, replace(PLAN, measures=tuple(MEASURES)))
    measures = funnel.evaluate(FUNNEL.original).measures
    assert list(measures) == [one for one in measures if MEASURES[one].step is FunnelStep.PLAY]
    assert measures["length"].mean == 6


def test_limits_grow_with_the_original() -> None:
    """Four times its own, and never less than what any game may have."""
    program = game_of(FUNNEL.original).program
    game = TrialTable(program, CostLimits()).play(1, 1)
    small = CostLimits.near(program, [game], 5)
    large = CostLimits.near(program, [replace(game, decisions=10**3, work=10**6)], 5)
    assert (small.decisions, large.decisions) == (500, 4_000)
    assert (small.work, large.work) == (300_000, 20_000_000)


LONG_COUNT = (
    "(stage player (end (== (game sto N) 3000)) (do ((set (game sto N) (+ 1 (game sto N))))))"
)


def test_what_engines_can_end_is_not_endless() -> None:
    """The original counts to 3,000 before each decision, step by step; limits follow it."""
    slow = changed(("(choice (", f"(do ((set (game sto N) 0))) {LONG_COUNT} (choice ("))
    assert not play_random(game_of(slow), range(2)).broken.any()
    funnel = EvaluationPipeline(slow, replace(PLAN, trials=1, games=5))
    assert funnel.limits.steps >= 4 * 3_000
    assert departure(slow, funnel) is None
    alone = changed(("(stage player", f"{LONG_COUNT}\n(stage player"))
    assert departure(alone, replace(FUNNEL, plan=replace(PLAN, trials=1))) is None


OF_SEAT = "(sum (({} player) vloc PLAYED) using (game points WORTH))"
TOGETHER = (SCORE, f"(+ {OF_SEAT.format(1)} {OF_SEAT.format(2)})")


def test_games_without_a_winner_are_measured_by_their_scores() -> None:
    """All play together here, so what the deal decides is the score, not who wins."""
    together = changed(TOGETHER)
    funnel = EvaluationPipeline(together, replace(PLAN, measures=tuple(MEASURES)))
    found = funnel.evaluate(together)
    assert found.departure is None
    assert 0 < found.measures["luck"].mean < 1
    dealt = changed(TOGETHER, ("HAND)) 1)", "HAND)) 0)"))
    assert departure(dealt, funnel) == (FunnelStep.PLAY, Reason.DEALT)
    assert departure(together) == (FunnelStep.PLAY, Reason.DRAWN)


def test_to_ask_fewer_forced_decisions_is_no_other_game() -> None:
    """A ceremony that leaves no choice can go without any gain."""
    asked = changed(
        (
            f"{CHOICE}))",
            f"{CHOICE})) (choice ((move (top (game iloc STOCK)) (top (game vloc UP)))))",
        )
    )
    done = changed(
        (f"{CHOICE}))", f"{CHOICE})) (do ((move (top (game iloc STOCK)) (top (game vloc UP)))))")
    )
    funnel = EvaluationPipeline(asked, replace(PLAN, measures=("dead",)))
    evaluated = funnel.evaluate(asked)
    assert evaluated.measures["dead"].mean > 0.4
    left = funnel.evaluate(done, {evaluated.fingerprint}).departure
    assert left is not None
    assert left.reason is Reason.KNOWN


def test_an_option_to_do_nothing_is_fine_where_the_original_has_one() -> None:
    skipping = changed(*LEAVING["a skip"][0])
    assert departure(skipping, EvaluationPipeline(skipping, PLAN)) is None


def test_a_deal_that_costs_too_much_to_judge_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of two games of thirty deals is more than is allowed here."""
    table = TrialTable(game_of(changed(*LEAVING["all cards played"][0])).program, CostLimits())
    first = table.play(1, 1)
    with pytest.raises(RejectedError):
        pipeline.check_choices(table, [first], range(2, 99), by_ranks=True)
    table.limits = replace(table.limits, work=5 * first.work)
    pipeline.check_choices(table, [first], range(2, 99), by_ranks=True)


def test_the_work_of_a_shuffle_is_the_number_of_its_cards() -> None:
    """So that many shuffles of many cards are not taken for few rounds."""
    often = game_of(changed((SHUFFLE, f"(repeat 100 {SHUFFLE})"))).program
    once = game_of(FUNNEL.original).program
    most, least = (TrialTable(one, CostLimits()).play(1, 1).work for one in (often, once))
    assert most - least >= 99 * len(once.cards)


def test_a_candidate_goes_through_few_modules() -> None:
    """From its rules to its measures, compiled anew; modules of kernels are read, not entered."""
    plan = replace(PLAN, trials=1, measures=("length", "branching"))
    pipeline = EvaluationPipeline(changed(), plan)
    pipeline.evaluate(pipeline.original)
    with entered() as modules:
        evaluated = pipeline.evaluate(changed(("((RANK : D) 4)", "((RANK : D) 3)")))
    assert evaluated.departure is None
    assert 50 < len(modules) <= MOST_MODULES, sorted(modules)
