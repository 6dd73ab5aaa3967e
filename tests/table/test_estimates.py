"""Estimates: each says what it is, and is what it says."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import pytest

from cardwright import Game
from cardwright.arena.entrants import player
from cardwright.game.wording.describe import DescribedOption
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision
from cardwright.table.estimates import (
    EstimateMeasure,
    Estimates,
    EstimateScope,
    EstimateUnit,
    JudgedDecision,
    hint_of,
    sureness,
)

loaded = cache(lambda name, preset: Game.load(name, preset=preset))


def _judged(
    name: str, preset: str | None, spec: str, moves: int = 12, played: int | None = None
) -> tuple[int, JudgedDecision]:
    """Return what a player chooses after some first options, and its decision."""
    state = loaded(name, preset).start(5)
    for _ in range(moves):
        state.play(0)
    while state.option_count < 2:
        state.play(0)
    seat = state.player
    assert seat is not None
    who = player(spec).build()
    made = len(state.choices)
    decision = Decision(seat, state.option_count, Stream.of_decision(5, seat, 0), state, made)
    judged = JudgedDecision.by(who, decision, played)
    return who.choose(judged), judged


def _known(estimates: Estimates) -> list[float]:
    return [value for value in estimates.values if value is not None]


def test_the_expert_tells_chances_in_a_match_and_points_beside() -> None:
    """A chance is no number of points: they are from 0 to 1, and points those of this deal."""
    best, judged = _judged("hearts", "standard", "expert:iterations=300")
    chances, points = judged.estimates
    assert chances.unit == EstimateUnit(EstimateMeasure.WIN, EstimateScope.MATCH)
    assert points.unit == EstimateUnit(
        EstimateMeasure.POINTS, EstimateScope.DEAL, higher_is_better=False
    )
    assert (chances.unit.words, points.unit.words) == (
        "chance to win the match", "points by the end of this deal",
    )  # fmt: skip
    assert all(0 < value < 1 for value in _known(chances))
    assert all(0 <= value <= 26 for value in _known(points))
    assert 1 < sum(_known(points)) / len(_known(points)) < 25
    assert chances.values[best] is not None


def test_the_expert_tells_points_in_a_single_deal() -> None:
    _, judged = _judged("hearts", None, "expert:iterations=300", moves=0)
    (points,) = judged.estimates
    assert points.unit == EstimateUnit(
        EstimateMeasure.POINTS, EstimateScope.DEAL, higher_is_better=False
    )
    assert all(-26 <= value <= 26 for value in _known(points))


_LOOKING = "ismcts:iterations=60"


@pytest.mark.parametrize(
    ("name", "spec", "units"),
    [
        ("hearts", _LOOKING, ["points of deal"]),
        ("hearts", f"{_LOOKING},reward=rank", ["rank of deal", "points of deal"]),
        ("hearts", f"{_LOOKING},reward=win", ["win of deal", "points of deal"]),
        ("hearts", f"{_LOOKING},reward=margin", ["margin of deal"]),
        ("hearts", f"{_LOOKING},reward=margin,trees=2", ["reward of deal"]),
        ("hearts", "ismcts:iterations=6,horizon=match", ["points of match"]),
        (
            "hearts",
            "ismcts:iterations=6,horizon=match,reward=win",
            ["win of match", "points of match"],
        ),
        ("hearts", "pimc:rollouts=3", ["points of deal"]),
        (
            "hearts",
            "pimc:rollouts=2,horizon=match,reward=rank",
            ["rank of match", "points of match"],
        ),
        ("leduc", f"{_LOOKING},reward=rank", ["rank of game", "points of game"]),
        ("leduc", "pimc:rollouts=3,reward=win", ["win of game", "points of game"]),
        ("leduc", "cardstock-pipmc", ["rank of game", "points of game"]),
        ("leduc", "cardstock-pipmcnew", ["points of game"]),
        ("leduc", "random", []),
    ],
)
def test_the_unit_is_that_of_what_was_searched(name: str, spec: str, units: list[str]) -> None:
    """It follows from the reward of the player and how far it looks."""
    preset = "standard" if name == "hearts" else None
    _, judged = _judged(name, preset, spec, 12 if preset else 0)
    found = judged.estimates
    assert [f"{one.unit.measure} of {one.unit.scope}" for one in found] == units
    for one in found:
        assert _known(one)
        if one.unit.percent:
            assert all(-1 <= value <= 2 for value in _known(one))
        assert Estimates.of_data(one.data()) == one


def test_what_was_played_is_compared_in_every_unit() -> None:
    """The choice and the move come from one search of the two; a loss may be a gain in points."""
    best, first = _judged("hearts", "standard", "expert:iterations=200")
    count = len(first.estimates[0].values)
    other = next(at for at in range(count) if at != best)
    again, judged = _judged("hearts", "standard", "expert:iterations=200", played=other)
    assert again == best
    for one in judged.estimates:
        lost = one.lost(best, other)
        assert lost is not None
        assert one.lost(best, best) == 0
        assert lost == pytest.approx(-(one.lost(other, best) or 0))


def test_errors_are_those_of_other_draws() -> None:
    """Of searches from other streams about as many are within the error as are said to be."""
    near, count = 0, 20
    best, judged = _judged("leduc", None, "ismcts:iterations=400", moves=0)
    points = judged.sampled(best)[0]
    assert points.unit.noun == "chip"
    mean, error = points.values[best], points.errors[best]
    assert mean is not None
    assert error is not None
    for seed in range(count):
        decision = replace(judged, stream=Stream.of_decision(seed, judged.seat, 9), judged=[])
        player("ismcts:iterations=400").build().choose(decision)
        other = decision.estimates[0].values[best]
        assert other is not None
        near += abs(other - mean) < 1.5 * error
    assert near > count * 0.75
    assert error < 1.5


def test_how_sure_an_advice_is() -> None:
    """An option is a rival unless it is worse by more than the error of the difference."""
    unit = EstimateUnit(EstimateMeasure.POINTS, EstimateScope.DEAL, higher_is_better=False)
    words = {at: f"play {at}" for at in range(5)}

    def sure(*gaps: float | None) -> str:
        return sureness([Estimates(unit, (1.0, 2.0, 3.0, 4.0, None), gaps=gaps)], 0, words)

    assert sure(None, None, None, None, None) == ""
    assert sure(0.0, 0.9, 0.9, 0.9, None) == "That is clearly the best."
    assert sure(0.0, 1.1, 1.1, 1.1, None) == "It may be as good to play 1."
    assert sure(0.0, 1.1, 2.1, 1.1, None) == "It may be as good to play 1 or to play 2."
    assert sure(0.0, 1.1, 2.1, None, None) == "3 other choices may be as good."


def test_advice_draws_nothing_from_the_stream_of_its_player() -> None:
    """A player for hints decides as it would in the seat."""
    _, judged = _judged("leduc", None, "ismcts:iterations=60", moves=0)
    plain = Stream.of_decision(5, judged.seat, 0)
    state = loaded("leduc", None).start(5)
    decision = Decision(judged.seat, state.option_count, plain, state, 0)
    player("ismcts:iterations=60").build().choose(decision)
    assert plain.words == judged.stream.words


def test_every_unit_has_words_of_its_own() -> None:
    words = {
        (measure, scope): EstimateUnit(measure, scope).words
        for measure, scope in product(EstimateMeasure, EstimateScope)
    }
    assert len(set(words.values())) == len(words)
    for (measure, scope), told in words.items():
        assert scope in told or (measure, scope) == (EstimateMeasure.RANK, EstimateScope.GAME)
        assert EstimateUnit(measure, scope).percent == (measure in {"rank", "win", "reward"})
    assert EstimateUnit(EstimateMeasure.WIN, EstimateScope.MATCH).amount(0.314) == "31.4 %"
    assert EstimateUnit(EstimateMeasure.POINTS, EstimateScope.DEAL).amount(2.44) == "2.4"


def test_a_hint_lists_the_best_first_by_what_counts() -> None:
    """Where the lowest score wins, fewer points are better."""
    best, judged = _judged("hearts", "standard", "ismcts:iterations=200")
    options = [DescribedOption(at, f"option {at}", ()) for at in range(judged.option_count)]
    hint = hint_of(best, judged, options)
    (points,) = hint.estimates
    rest = [points.values[at] for at, _ in hint.tried[1:]]
    assert hint.tried[0][0] == best
    assert rest == sorted(rest, key=lambda value: value or 0)
