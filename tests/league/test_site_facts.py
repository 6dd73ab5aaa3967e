"""Facts of a season are those that a plain count of its games gives."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, strategies as st
from plain_league import score, tricks, winner
from seasons import blocks_of, game
from site_browser import plan_of

from cardwright.league.block import BlockTally, BotFault, SeasonBlock
from cardwright.league.outputs import PARTS, LeagueStandings
from cardwright.league.plan import SeasonPlan
from cardwright.league.settings import LeagueRules
from cardwright.league.site.facts import (
    CHECKPOINTS,
    EXAMPLES,
    KINDS,
    OTHER,
    FaultCount,
    SeasonFacts,
    SeasonPart,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from plain_league import Round

GAMES = 12
BOTS = 5


def facts_of(plan: SeasonPlan, blocks: Iterable[SeasonBlock]) -> SeasonFacts:
    facts = SeasonFacts(plan)
    for block in blocks:
        facts.add(SeasonPart.of(block, plan.schedule))
    return facts


def season(seed: int, games: int = GAMES) -> tuple[SeasonPlan, list[list[Round]]]:
    """Return a plan with bots in several seats here and there, and games that were played."""
    seats = np.random.default_rng(seed).integers(0, BOTS, (games, 4))
    plan = plan_of([f"bot {at}" for at in range(BOTS)], games, seats.tolist())
    return plan, [game(seed * 100 + number) for number in range(games)]


def credited(seats: Sequence[int]) -> list[int]:
    """Return the first seat of every bot of a game."""
    return [seat for seat in range(4) if seats[seat] not in seats[:seat]]


@pytest.fixture(scope="module", params=[0, 1, 2])
def both(request: pytest.FixtureRequest) -> tuple[SeasonFacts, SeasonPlan, list[list[Round]]]:
    plan, games = season(request.param)
    return facts_of(plan, blocks_of(games, [5])), plan, games


def totals(rounds: list[Round]) -> list[int]:
    return [sum(column) for column in zip(*(score(one) for one in rounds), strict=True)]


def test_points_of_games_and_rounds_are_counted(both) -> None:
    """Every credited seat's points come up once, in games and in rounds, and its moons."""
    facts, plan, games = both
    points, rounds, shot, suffered = Counter(), Counter(), Counter(), Counter()
    for seats, played in zip(plan.schedule.tolist(), games, strict=True):
        for seat in credited(seats):
            points[seats[seat], seat, totals(played)[seat]] += 1
            for one in played:
                got = score(one)
                rounds[seats[seat], got[seat]] += 1
                shot[seats[seat]] += sum(got) == 78 and got[seat] == 0
                suffered[seats[seat]] += sum(got) == 78 and got[seat] == 26
    assert _counted(facts.scores.points) == points
    assert _counted(facts.scores.rounds) == rounds
    assert facts.scores.shot.tolist() == [shot[entry] for entry in range(BOTS)]
    assert facts.scores.suffered.tolist() == [suffered[entry] for entry in range(BOTS)]


def _counted(array: np.ndarray) -> Counter:
    """Return the counts in an array that are not 0, by their places."""
    return Counter({
        tuple(place.tolist()): int(array[tuple(place)]) for place in np.argwhere(array)
    })  # fmt: skip


def test_moons_occur_in_these_tests() -> None:
    """A moon in the tested games, so that its counting can fail."""
    played = [one for seed in range(3) for rounds in season(seed)[1] for one in rounds]
    assert any(sum(score(one)) == 78 for one in played)


def test_the_table_has_what_the_standings_of_the_league_have(both) -> None:
    """Games, shared places, points, tricks, hearts and queens are the league's own."""
    facts, plan, games = both
    standings = LeagueStandings.none(plan.roster)
    for block in blocks_of(games):
        tally = BlockTally.of(block)
        counts = standings.running(tally, plan.schedule[block.first : block.after])[-1]
    scores = facts.scores
    assert scores.games.tolist() == counts[:, 0].tolist()
    for place in range(4):
        twelfths = scores.places[:, place] @ np.arange(PARTS + 1)
        assert twelfths.tolist() == counts[:, 1 + place].tolist()
    every = scores.points.sum(axis=1)
    assert (every @ np.arange(every.shape[1])).tolist() == counts[:, 5].tolist()
    assert scores.tricks.tolist() == counts[:, 7].tolist()
    assert scores.hearts.tolist() == counts[:, 8].tolist()
    assert scores.queens.tolist() == counts[:, 9].tolist()
    assert (scores.wins.sum(axis=1) == scores.places[:, 0]).all()


def test_cards_passed_held_and_led_are_counted(both) -> None:
    """A card that was dealt was passed on, or held; one that came from another was not dealt."""
    facts, plan, games = both
    dealt, passed, played, led = Counter(), Counter(), Counter(), Counter()
    for seats, rounds in zip(plan.schedule.tolist(), games, strict=True):
        for number, choices in enumerate(rounds):
            way = number % 3
            for seat in credited(seats):
                entry = seats[seat]
                giver = (seat - (1, 3, 2)[way]) % 4
                gave = [card for who, card in choices[:12] if who == seat]
                got = [card for who, card in choices[:12] if who == giver]
                held = [card for who, card in choices[12:] if who == seat]
                passed.update((entry, way, card) for card in gave)
                dealt.update((entry, way, card) for card in {*held, *gave} - set(got))
                played.update((entry, card) for card in held)
                led.update(
                    (entry, trick[0][1]) for trick in tricks(choices)[1:] if trick[0][0] == seat
                )
    assert _counted(facts.habits.passed) == passed
    assert _counted(facts.habits.dealt) == dealt
    assert _counted(facts.habits.played) == played
    assert _counted(facts.habits.led) == led
    assert winner(tricks(games[0][0])[0]) in range(4)


def test_duels_are_counted(both) -> None:
    """Each two bots of a game meet once, whatever seats they have."""
    facts, plan, games = both
    count, before, level, gaps, squares = (Counter() for _ in range(5))
    for seats, played in zip(plan.schedule.tolist(), games, strict=True):
        points = totals(played)
        for one in credited(seats):
            for other in credited(seats):
                if one != other:
                    pair, gap = (seats[one], seats[other]), points[one] - points[other]
                    count[pair] += 1
                    before[pair] += gap < 0
                    level[pair] += gap == 0
                    gaps[pair] += gap
                    squares[pair] += gap**2
    duels = facts.duels
    for found, expected in (
        (duels.games, count), (duels.before, before), (duels.level, level),
        (duels.difference, gaps), (duels.squares, squares),
    ):  # fmt: skip
        assert _counted(found) == Counter({key: n for key, n in expected.items() if n})


@pytest.mark.slow
@given(st.sets(st.integers(1, GAMES - 1)))
def test_facts_do_not_depend_on_blocks(cuts: set[int]) -> None:
    """However games come in blocks, the same is known in the end."""
    plan, games = season(3)
    one, other = (facts_of(plan, blocks_of(games, sorted(at))) for at in ([], cuts))
    for part in ("scores", "duels", "habits"):
        mine, its = vars(getattr(one, part)), vars(getattr(other, part))
        assert all((mine[name] == its[name]).all() for name in mine)
    assert np.array_equal(one.course.points, other.course.points, equal_nan=True)
    assert np.array_equal(one.course.ratings, other.course.ratings, equal_nan=True)
    assert one.rounds == other.rounds == sum(len(rounds) for rounds in games)


def test_the_course_has_running_means() -> None:
    """With few games every game is a checkpoint; the mean is that of all games up to it."""
    plan, games = season(4)
    course = facts_of(plan, blocks_of(games, [7])).course
    assert course.played.tolist() == list(range(1, GAMES + 1))
    for entry in range(BOTS):
        got: list[int] = []
        for at, seats in enumerate(plan.schedule.tolist()):
            if entry in seats:
                got.append(totals(games[at])[seats.index(entry)])
            mean = course.points[at, entry]
            assert mean == pytest.approx(sum(got) / len(got)) if got else np.isnan(mean)
            assert np.isnan(course.ratings[at, entry]) == (not got)


def test_long_courses_have_few_checkpoints() -> None:
    """A season of many games is noted at `CHECKPOINTS` of them, the last one among these."""
    plan = plan_of("ABCD", 300)
    games = [game(number % 10) for number in range(300)]
    course = facts_of(plan, blocks_of(games, [90, 200])).course
    assert len(course.played) == CHECKPOINTS
    assert course.played[-1] == 300
    final = facts_of(plan, blocks_of(games)).scores.points.sum(axis=1)
    assert course.points[-1] * 300 == pytest.approx(final @ np.arange(final.shape[1]))


def test_a_bot_that_wins_is_rated_higher() -> None:
    """Fewer points make a better rating."""
    plan, games = plan_of("ABCD", 10, [[0, 1, 2, 3]] * 10), [game(5)] * 10
    course = facts_of(plan, blocks_of(games)).course
    order = np.argsort(totals(games[0]), kind="stable")
    assert np.argsort(-course.ratings[-1], kind="stable").tolist() == order.tolist()


def test_faults_are_counted_by_kind() -> None:
    """Counts, forfeits, the first examples; kinds beyond a limit are one."""
    plan = SeasonPlan(
        "x", LeagueRules.CODE, 0, plan_of("ABCD", 1).bots, plan_of("ABCD", 1).schedule
    )
    many = EXAMPLES + 3
    faults = [
        BotFault(0, 2, 1, turn, "late", f"m{turn}", forfeit=turn == 7) for turn in range(many)
    ]
    faults += [BotFault(0, 2, 1, 0, "index", "noted", counts=False)] * 2
    faults += [BotFault(0, 1, 1, 0, f"kind {number}", "") for number in range(KINDS + 4)]
    block = blocks_of([game(0)])[0]
    facts = facts_of(plan, [SeasonBlock(0, block.rounds, block.plays, tuple(faults))])
    trouble = facts.trouble
    late = trouble.kinds[2]["late"]
    assert (late.count, late.forfeits, late.faults) == (many, 1, many)
    assert [one.message for one in late.examples] == [f"m{turn}" for turn in range(EXAMPLES)]
    assert (trouble.kinds[2]["index"].faults, trouble.kinds[2]["index"].notes) == (0, 2)
    assert trouble.all_of(2) == FaultCount(many + 2, many, 1)
    assert trouble.games == [0, 1, 1, 0]
    assert (trouble.all_of(1).faults, len(trouble.kinds[1])) == (KINDS + 4, KINDS + 1)
    assert trouble.kinds[1][OTHER].count == 4
    assert trouble.kinds[0] == {}
