"""The statistics on record are those of the games as they are, and the page shows them.

`scripts/statistics` writes them anew.
"""

from __future__ import annotations

import math

import pytest
from library_statistics import Kind, Statistics, Sums, measure
from make_statistics import PAGE
from published import FACTS
from statistics_files import FOLDER, kinds, read
from statistics_page import page

from cardwright import Stream
from cardwright.game import game_seeds
from cardwright.library.catalogue import facts, names
from deep import GAMES

RECORDED = {file.stem: read(file.stem) for file in sorted(FOLDER.glob("*.toml"))}
PUBLISHED = {(fact.game, fact.kind) for fact in FACTS}
AGAIN = [
    (name, found)
    for name, recorded in RECORDED.items()
    for found in recorded
    if (name, found.kind) in PUBLISHED
]
"""The kinds of games that are played in full, for the sake of published figures."""

OTHERS = [
    (name, found)
    for name, recorded in RECORDED.items()
    for found in recorded
    if (name, found.kind) in PUBLISHED or found.kind == Kind(facts(name).default_players)
]
"""These, and all others as they stand; presets and other numbers would take too long."""

EXACT = {"agram", "whist"}
"""Games of which the exact sums are compared in any run."""

FEW = 500
"""How many games are played of each of these."""


def far(one: Statistics, other: Statistics) -> list[str]:
    """Return what differs by more than five standard errors of the difference."""
    found = []

    def compare(what: str, a: float, b: float, sd: float) -> None:
        error = sd * math.sqrt(1 / one.games + 1 / other.games)
        if abs(a - b) > 5 * error + 1e-9:
            found.append(f"{what}: {a:.4f}, {b:.4f}, standard error {error:.4f}")

    compare("decisions", one.decisions.mean, other.decisions.mean, one.decisions.sd)
    for seat, (mine, its) in enumerate(zip(one.scores, other.scores, strict=True)):
        compare(f"score of seat {seat}", mine.mean, its.mean, mine.sd)
    for what in ("first_best", "tied"):
        share = getattr(one, what)
        # A little more, for what never happened in the one may have happened in the other.
        compare(what, share, getattr(other, what), math.sqrt(share * (1 - share) + 0.002))
    # The means of single games differ by far less than this share of them.
    compare("options", one.options_mean, other.options_mean, 0.5 * one.options_mean)
    return found


def test_every_game_is_on_record() -> None:
    """All games have statistics, each for all numbers of players, and nothing else has."""
    assert list(RECORDED) == names()
    for name, recorded in RECORDED.items():
        assert [found.kind for found in recorded] == kinds(name)


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def named(kinds: list[tuple[str, Statistics]]) -> list[str]:
    return [f"{name}-{'-'.join(map(str, vars(found.kind).values()))}" for name, found in kinds]


@pytest.mark.parametrize(
    ("name", "recorded"),
    [
        pytest.param(*one, id=named([one])[0], marks=() if one[0] in EXACT else pytest.mark.deep)
        for one in AGAIN
    ],
)
def test_statistics_are_as_recorded(name: str, recorded: Statistics) -> None:
    """Games of which figures are published come to the same sums, to the last digit."""
    assert measure(name, recorded.kind) == recorded


@pytest.mark.parametrize(
    ("name", "recorded"),
    [
        pytest.param(*one, id=named([one])[0], marks=() if one[0] in GAMES else pytest.mark.deep)
        for one in OTHERS
    ],
)
def test_other_games_are_like_those_recorded(name: str, recorded: Statistics) -> None:
    """Of all others a few games with other seeds agree within the error."""
    few = measure(name, recorded.kind, FEW, seed=2)
    assert few.games == FEW
    assert not far(recorded, few)


def test_the_comparison_can_fail() -> None:
    """Other rules are noticed: another hand, another worth of a card."""
    few = measure("agram", Kind(3, declared=(("HANDSIZE", 5),)), FEW, seed=2)
    assert any(
        "decisions" in line
        for line in far(next(one for one in RECORDED["agram"] if one.kind == Kind(3)), few)
    )
    few = measure("hearts", Kind(3, declared=(("QUEEN", 30),)), FEW, seed=2)
    (before,) = [one for one in RECORDED["hearts"] if one.kind == Kind(3)]
    found = far(before, few)
    assert len([line for line in found if "score" in line]) == 3
    assert not [line for line in found if "decisions" in line]


def test_sums_are_those_of_games_played_one_by_one() -> None:
    """The same games, played a decision at a time and counted by hand."""
    found = measure("whist", Kind(4), games=60)
    game = Kind(4).load("whist")
    counts, first, tied = [], 0, 0
    at = [0] * 52
    for seed in game_seeds(1, 60):
        state = game.start(seed)
        streams = [Stream.of_seat(seed, seat) for seat in range(4)]
        while state.player is not None:
            at[len(state.choices)] += state.option_count
            counts.append(state.option_count)
            state.play(streams[state.player].below(state.option_count))
        first += state.ranks[0] == 0
        tied += len({state.scores[0], state.scores[1]}) == 1
    assert (found.decisions.total, found.options) == (len(counts), sum(counts))
    assert (found.forced, found.widest) == (counts.count(1), max(counts))
    assert found.options_at == tuple(at)
    assert (found.first_best, found.tied) == (first / 60, tied / 60)
    # Partners share their tricks, 13 in all.
    assert (found.best.total, found.best.least > 6) == (13 * 60 - found.worst.total, True)


def test_means_and_errors() -> None:
    """Of 1, 2, 6: mean 3, standard deviation the root of 14/3; wins that are shared count half."""
    sums = Sums(3, 9, 41, 1, 6)
    assert sums.mean == 3
    assert sums.sd == pytest.approx(math.sqrt(14 / 3))
    found = Statistics(
        kind=Kind(2),
        decisions=Sums(4, 8, 16, 2, 2),
        options=20,
        forced=2,
        widest=4,
        scores=(sums, sums),
        best=sums,
        worst=sums,
        winning=(2, 2),
        first=(1, 2),
        longest_of_hundred=(2, 2, 2),
        widest_of_hundred=(4, 4, 4),
        options_at=(10, 10),
    )
    assert (found.options_mean, found.forced_share, found.tied) == (2.5, 0.25, 0.5)
    # The shares of four games are 1, 1/2, 1/2 and 0: variance 1/8, of the mean a fourth of it.
    assert found.first_share == pytest.approx((0.5, math.sqrt(1 / 32)))
    assert found.first_best == 0.75
