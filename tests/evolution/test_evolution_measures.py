"""Measures of games with known answers; their intervals; the same on both engines."""

from __future__ import annotations

import math

import measured_games as games
import numpy as np
import pytest
from measure_coverage import fairness_found, fairness_of, luck_found

from broken_rules import BREAKS
from cardwright import Game, analyze
from cardwright.evolution.candidate import FunnelStep
from cardwright.evolution.measures.estimates import ratio, seat_fairness, share_between
from cardwright.evolution.measures.evidence import REPEATS, Evidence, results
from cardwright.evolution.measures.table import MEASURES, measured
from cardwright.evolution.measures.trials import OptionTrials, differs, tried
from cardwright.syntax.source import Source
from deep import usually

PLAYERS = ("pimc:rollouts=2", "pimc:rollouts=10")
RANDOM = [name for name, one in MEASURES.items() if one.step is FunnelStep.PLAY]


def measures(game: Game, *names: str, **how: object):
    return measured(Evidence(game, 1, **how), names or RANDOM)


def test_measures_of_random_games_on_both_engines() -> None:
    """Both give the same estimates, and so does the same seed; another seed gives others."""
    game = Game.load("agram")
    found = measures(game, games=20)
    assert list(found) == RANDOM
    assert found == measures(game.with_engine("interpreter"), games=20)
    assert found == measures(game, games=20)
    assert found != measured(Evidence(game, 2, games=20), RANDOM)
    given = Evidence(game, 1, games=20).random
    assert measured(Evidence(game, 1, 20, given=given), RANDOM) == found


def test_lengths_and_options_are_those_of_the_games() -> None:
    """Agram has six cards for each of three players, and the leader of a trick is free."""
    evidence = Evidence(Game.load("agram"), 5)
    found = measured(evidence, ["length", "choices", "branching", "dead", "widest"])
    assert (found["length"].mean, found["widest"].mean) == (18, 6)
    played = evidence.random
    decisions = played.decisions.sum()
    assert found["dead"].mean == pytest.approx(played.single_sums.sum() / decisions)
    assert found["branching"].mean == pytest.approx(played.option_sums.sum() / decisions)
    assert found["choices"].mean == pytest.approx(18 * (1 - found["dead"].mean))
    assert found["branching"].low < found["branching"].mean < found["branching"].high


def test_a_game_is_as_lucky_as_its_deal_decides() -> None:
    assert measures(games.dealt(), "luck")["luck"].mean == 1
    assert measures(games.drawn_late(), "luck")["luck"].mean == 1
    assert measures(games.pennies(), "luck")["luck"].mean < 0.05
    half = measures(games.half_dealt(), "luck", games=2_000)["luck"]
    tie = 2 / 56 / 4
    between = (54 * 0.25**2 + 2 * 0.375**2) / 56
    assert half.low < between / (0.25 * (1 - tie)) < half.high
    assert half.high - half.low < 0.1


def test_fairness_tells_who_wins() -> None:
    """Partners win together, so only teams are compared."""
    assert measures(games.first_wins(), "fairness")["fairness"].mean == 0
    assert measures(games.first_wins(4), "fairness")["fairness"].mean == 0
    assert measures(games.better_choice(), "fairness")["fairness"].high == 1
    evidence = Evidence(games.partners(), 1)
    assert results(evidence.ended).shape == (200, 2)
    found = measured(evidence, ["fairness", "draws"])
    assert found["fairness"].mean > 0.9
    assert found["draws"].low < 3 / 8 < found["draws"].high


def test_what_says_nothing_is_not_measured() -> None:
    """Of games that break a rule, that one seat always wins, for one seat, and without players."""
    broken = Game.from_source(Source("breaks.rcy", BREAKS))
    played = Evidence(broken, 1, games=40).random
    failed = played.take(played.broken)
    assert 0 < len(failed) < 40
    assert measured(Evidence(broken, 1, games=40, given=failed), RANDOM) == {}
    assert measures(broken, "length", games=40)["length"].count == 40 - len(failed)
    assert "luck" not in measures(games.first_wins())
    assert measures(games.first_wins(), "skill", "depth", "drama", "matters") == {}
    assert "depth" not in measures(games.first_wins(), "depth", "skill", players=PLAYERS[:1])
    alone = Evidence(games.dealt(1), 1, 20, 3, PLAYERS)
    found = measured(alone, ["luck", "fairness", "draws", "score-range", "skill", "matters"])
    assert found.keys() == {"luck"}
    assert found["luck"].mean == 1
    assert "convergence" in measured(alone, ["convergence"])


def test_every_value_is_finite_and_in_its_bounds() -> None:
    more = usually((), (games.better_choice(), games.first_wins(3)))
    for game in (games.dealt(), Game.load("kuhn"), *more):
        evidence = Evidence(game, 3, 12, 4, PLAYERS)
        for name, found in measured(evidence, MEASURES).items():
            one = MEASURES[name]
            for value in (found.mean, found.low, found.high):
                if value is not None:
                    assert math.isfinite(value), (game.name, name)
                    assert one.least is None or value >= one.least - 1e-9, (game.name, name)
                    assert one.most is None or value <= one.most + 1e-9, (game.name, name)


def test_intervals_of_fairness_cover_the_truth() -> None:
    """In 95 % of samples, whether sides are equal, nearly so, or far from it.

    The estimate is not much below 1 for equal sides: of 100 deals the distance itself is 0.09.
    """
    for shares in ([1 / 4] * 4, [0.3, 0.25, 0.25, 0.2], [0.55, 0.15, 0.15, 0.15], [0.5, 0.5]):
        mean, covered = fairness_found(shares, 100, 300)
        assert covered >= 0.91, shares
        assert abs(mean - fairness_of(shares)) < 0.045, shares


def test_fairness_is_found_where_shares_vary_across_the_offset_alone() -> None:
    """The variance in its direction is 0, or by rounding a little less."""
    for deals in range(3, 60):
        wins = np.zeros((deals, 3))
        wins[:, 2] = 1 / 3 if deals % 2 else 1 / 2
        wins[::2, 0] = wins[1::2, 1] = 1 - wins[0, 2]
        found = seat_fairness(wins)
        assert 0 <= found.low <= found.mean <= found.high <= 1


def test_fairness_of_a_symmetric_game_has_1_in_its_interval() -> None:
    """In 95 of 100 seeds; 60 seeds of the game in which both do the same."""
    game = games.better_choice()
    found = [measured(Evidence(game, seed, 60), ["fairness"])["fairness"] for seed in range(60)]
    assert sum(one.high == 1 for one in found) >= 53


@pytest.mark.parametrize("share", [0.0, 0.2, 0.6])
def test_intervals_of_luck_cover_the_truth(share: float) -> None:
    mean, covered = luck_found(share, 80, 300)
    assert covered >= 0.91
    assert abs(mean - share) < 0.02


def test_the_worth_of_a_seat_is_not_luck() -> None:
    """If one seat wins more often in every deal alike, deals decide no more than before."""
    random = np.random.default_rng(3)
    wins = (random.random((400, REPEATS, 1)) < 0.8).astype(float)
    assert share_between(np.concatenate([wins, 1 - wins], axis=2)).mean < 0.05


def test_ratios_are_those_of_sums() -> None:
    """Their interval is that of the mean if all deals weigh the same."""
    found = ratio([1.0, 2.0, 6.0], [1.0, 1.0, 1.0])
    assert found.mean == 3
    assert found.high - 3 == pytest.approx(4.302653 * math.sqrt(7 / 3))
    assert ratio([1.0, 5.0], [1.0, 3.0]).mean == 1.5
    assert ratio([0.0], [0.0]) is None


def test_options_matter_where_results_differ() -> None:
    """Of two choices the better one is known; in the other games none changes the result."""
    assert tried(games.better_choice(), 15, 1).share.mean == 1
    assert tried(games.dealt(), 15, 1).share.mean == 0
    assert abs(tried(games.pennies(), 40, 1).share.mean - 0.5) < 0.25


def test_options_that_do_not_differ_have_marks_that_cancel() -> None:
    """A test of equal options says yes in half of all cases, also where results are often equal."""
    random = np.random.default_rng(5)
    for chance in (0.5, 0.03):
        said = [differs((random.random((40, 4)) < chance) * 1.0, random) for _ in range(600)]
        assert abs(np.mean(said) - 0.5) < 0.07
    apart = [differs((random.random((40, 2)) < (0.3, 0.7)) * 1.0, random) for _ in range(50)]
    assert all(apart)


def test_shares_of_marks_count_a_deal_as_one_value() -> None:
    found = OptionTrials(np.array([2.0, 2.0, 0.0]), np.array([2.0, 0.0, 0.0])).share
    assert (found.mean, found.count) == (0.5, 2)
    assert OptionTrials(np.zeros(2), np.zeros(2)).share is None


def test_skill_is_what_a_search_wins_over_chance() -> None:
    """It always takes the better choice: wins of 3/4 against a random choice, or 1/2 more."""
    found = measures(games.better_choice(), "skill", "depth", deals=60, players=PLAYERS)
    assert found["skill"].low < 0.5 < found["skill"].high
    assert found["skill"].count == 60
    assert found["depth"].mean == 0
    assert measures(games.dealt(), "skill", players=PLAYERS)["skill"].mean == 0
    together = measures(games.partners(), "skill", deals=40, players=PLAYERS)["skill"]
    assert together.low < 3 / 4 < together.high


def test_measures_of_decisions_are_those_of_analyze() -> None:
    """The same games give the same values and intervals as in the report of an analysis."""
    report = analyze("leduc", player=PLAYERS[0], games=2, ai_games=12, seed=9)
    game = Game.load("leduc")
    evidence = Evidence(game, 9, deals=12, players=PLAYERS[:1])
    found = measured(evidence, [name for name in MEASURES if MEASURES[name].step == "search"])
    there = {
        "searched-length": ("shape", "decisions"), "searched-branching": ("shape", "branching"),
        "searched-dead": ("shape", "forced"), "decision-spread": ("articles", "spread"),
    }  # fmt: skip
    of_articles = ("convergence", "drama", "security")
    of_browne = (
        "decisiveness", "clarity", "uncertainty", "lead-change", "permanence", "killer-moves",
        "coolness",
    )  # fmt: skip
    there |= {name: ("articles", name) for name in of_articles}
    there |= {name: ("browne", name.replace("-", "_")) for name in of_browne}
    for name, key in there.items():
        row = report.subjects[0].row(*key, "AA")
        mine = found[name]
        assert mine.mean == pytest.approx(row.value), name
        if mine.low is not None:
            assert (mine.low, mine.high) == pytest.approx((row.low, row.high)), name
    assert {*found} - {*there} == {
        "skill", "matters", "searched-fairness", "searched-draws"
    }  # fmt: skip


def test_searches_give_the_same_again() -> None:
    game = Game.load("kuhn")
    names = [name for name in MEASURES if MEASURES[name].step == "search"]
    once = measured(Evidence(game, 4, deals=5, players=PLAYERS), names)
    assert once == measured(Evidence(game, 4, deals=5, players=PLAYERS), reversed(names))
    assert "depth" in once
