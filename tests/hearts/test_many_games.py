"""Games by machine code: they are those that the players of Python play, choice by choice."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hierarchy_games import UNLIKE, everywhere, game_of, hierarchies
from hypothesis import given, settings, strategies as st

from cardwright import Game
from cardwright.arena.referee import GameRecord, referee_game
from cardwright.game.errors import GameError
from cardwright.hearts import native
from cardwright.hearts.expert import Expert
from cardwright.hearts.family import family_of
from cardwright.hearts.hierarchy import (
    Hierarchy,
    HierarchyError,
    HierarchyPlayer,
    HierarchyStep,
    Order,
)
from cardwright.hearts.native import (
    ManyGames,
    NativePlayer,
    SeatCounts,
    UnsuitedGameError,
    native_player_of,
    seat_counts,
    unsuited,
)
from cardwright.hearts.rule import RulePlayer
from cardwright.hearts.selectors import SELECTORS, ParameterSpec, Selector
from cardwright.interpreter.machine import GameLimits
from cardwright.players.player import RandomPlayer
from cardwright.syntax.source import Source
from deep import usually

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.players.player import Decision, Player

DEFAULT = Hierarchy.load("default")
SEEDS = [0, 1, 2**63 + 5, 2**64 - 1]


def player_of(player: NativePlayer) -> Player:
    """Return the player of Python that a player stands for."""
    if isinstance(player, Hierarchy):
        return HierarchyPlayer(player)
    return RandomPlayer() if player == "random" else RulePlayer()


def refereed(game: Game, seed: int, players: Sequence[NativePlayer]) -> GameRecord:
    return referee_game(game, seed, [player_of(player) for player in players], paired=True)


def check(game: Game, seed: int, players: Sequence[NativePlayer]) -> GameRecord:
    """Compare one game in all that can be known of it."""
    record = refereed(game, seed, players)
    assert record.error is None
    games = ManyGames(game, players)
    table = list(range(game.players))
    assert games.choices(seed, table) == record.choices
    outcome = games.play(np.array([seed], np.uint64), [table])
    assert tuple(outcome.scores[0].tolist()) == record.scores
    counted = seat_counts(game, seed, record.choices)
    columns = (outcome.tricks[0], outcome.queens[0], outcome.moons[0])
    by_code = SeatCounts(*(tuple(each.tolist()) for each in columns), int(outcome.deals[0]))
    assert counted == by_code
    return record


@pytest.mark.sweep
@pytest.mark.parametrize("name", UNLIKE)
@pytest.mark.parametrize("player", ["random", "rule", DEFAULT])
def test_four_of_a_kind_play_what_their_players_play(name: str, player: NativePlayer) -> None:
    game = game_of(name)
    for seed in SEEDS[:: usually(3, 1)]:
        check(game, seed, [player] * game.players)


@pytest.mark.parametrize("name", UNLIKE)
@settings(max_examples=usually(2, 15))
@given(st.data(), st.integers(0, 2**64 - 1))
def test_any_hierarchies_play_what_their_players_play(
    name: str, data: st.DataObject, seed: int
) -> None:
    game = game_of(name)
    some = data.draw(st.lists(hierarchies(), min_size=2, max_size=2))
    check(game, seed, [*some, DEFAULT, "rule", *some][: game.players])


@pytest.mark.parametrize("player", ["rule", everywhere("safe_lead", "highest", tie="high")])
def test_cards_laid_aside(player: NativePlayer) -> None:
    """One exchange a game: it takes many until equal ranks, and cards laid aside, matter."""
    for seed in range(usually(20, 60)):
        check(game_of("five players"), seed, [player] * 5)


def test_what_was_just_passed_is_out_of_sight() -> None:
    """The queen is out as soon as she is chosen, and no earlier."""
    for seed in range(usually(8, 20)):
        passing = everywhere("highest if queen_out", "queen_spades", "lowest")
        check(game_of("passing left"), seed, [passing] * 4)


def test_queens_and_moons_occur_and_are_the_same() -> None:
    """Whoever wins all it can shoots the moon now and then."""
    game = game_of("passing left")
    shooter = everywhere("shoot(1)", "highest", tie="high")
    players: list[NativePlayer] = [shooter, "rule", "rule", "rule"]
    seeds = np.arange(300, dtype=np.uint64)
    outcome = ManyGames(game, players).play(seeds, [range(4)])
    shot = np.flatnonzero(outcome.moons[:, 0])
    assert len(shot) > 3
    for seed in shot[:3]:
        check(game, int(seed), players)


# What adds up ----------------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["as it stands", "passing left", "a match", "card by card"])
def test_points_tricks_and_queens_add_up(name: str) -> None:
    """A deal costs 26 points together; the moon 26 for each of the others, or less than nothing."""
    game = game_of(name)
    seats = game.players
    players: list[NativePlayer] = ["random", "rule", DEFAULT, everywhere("highest")]
    tables = [[(seat + first) % 4 for seat in range(seats)] for first in range(4)]
    outcome = ManyGames(game, players).play(np.arange(100, dtype=np.uint64), tables)
    deals, moons = outcome.deals, outcome.moons.sum(axis=1)
    assert (deals >= 1).all()
    assert (outcome.queens.sum(axis=1) == deals).all()
    family = family_of(game)
    assert (outcome.tricks.sum(axis=1) == deals * (len(family.numbers) // seats)).all()
    moon = 26 * (seats - 1) if game.declared["MOON"] == "PLUS" else -26
    points = outcome.scores.sum(axis=1)
    assert (points == 26 * (deals - moons) + moon * moons).all()


def test_games_come_seed_by_seed() -> None:
    """Row r is seed r // tables, table r % tables, also where there are more games than at once."""
    games = ManyGames(game_of("as it stands"), ["random", "rule"])
    tables = [[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 1]]
    seeds = np.arange(1500, dtype=np.uint64)[::-1]
    together = games.play(seeds, tables)
    assert all(len(column) == 4500 for column in together)
    for row in (0, 1, 2, 3, 1998, 2000, 4499):
        alone = games.play(seeds[row // 3 : row // 3 + 1], tables[row % 3 : row % 3 + 1])
        for one, many in zip(alone, together, strict=True):
            assert (one[0] == many[row]).all()


def test_nothing_to_play_is_nothing_played() -> None:
    games = ManyGames(game_of("as it stands"), ["random"])
    assert games.play(np.zeros(0, np.uint64), [[0] * 4]).scores.shape == (0, 4)
    assert games.play(np.zeros(3, np.uint64), []).tricks.shape == (0, 4)


def test_long_games_are_written_down_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    games = ManyGames(game_of("a match"), ["rule", "random"])
    whole = games.choices(3, [0, 1, 0, 1])
    for capacity in (1, len(whole) - 1, len(whole)):
        monkeypatch.setattr(native, "_CAPACITY", capacity)
        assert games.choices(3, [0, 1, 0, 1]) == whole


def test_threads_play_at_the_same_time() -> None:
    games = ManyGames(game_of("passing left"), [DEFAULT, "random"])
    parts = [np.arange(400 * at, 400 * (at + 1), dtype=np.uint64) for at in range(8)]
    tables = [[0, 1, 0, 1], [1, 1, 1, 1]]
    with ThreadPoolExecutor(4) as pool:
        at_once = list(pool.map(lambda part: games.play(part, tables), parts))
    for part, outcome in zip(parts, at_once, strict=True):
        for one, other in zip(games.play(part, tables), outcome, strict=True):
            assert (one == other).all()


# Who and what is refused -----------------------------------------------------------------------


def test_players_that_machine_code_knows() -> None:
    class Shy(RandomPlayer):
        def choose(self, decision: Decision) -> int:
            return 0

    assert native_player_of(RandomPlayer()) == "random"
    assert native_player_of(RulePlayer()) == "rule"
    assert native_player_of(HierarchyPlayer(DEFAULT)) == DEFAULT
    assert native_player_of(Expert()) is None
    assert native_player_of(Shy()) is None


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Game.load("whist"), "not a game of the Hearts family"),
        (Game.load("polignac"), "other kinds of tricks"),
        (Game.load("hearts", preset="cancellation"), "two packs"),
        (Game.load("hearts", engine="interpreter"), "not by machine code"),
    ],
)
def test_games_that_are_refused(game: Game, why: str) -> None:
    assert why in (unsuited(game) or "")
    with pytest.raises(UnsuitedGameError, match=why):
        ManyGames(game, ["random"])


@pytest.mark.parametrize(
    ("word", "other", "lacks"),
    [
        ("TRICKSWON", "HEAP", "places TRICKSWON of all players"),
        ("sto PASSES", "sto GIVEN", "a count of its PASSES"),
    ],
)
def test_copies_of_hearts_that_are_built_otherwise_are_refused(
    word: str, other: str, lacks: str
) -> None:
    text = Game.load("hearts").program.source.text.replace(word, other)
    declared = {"PASS": 2, "PASSING": "SINGLY", "WIDOW": 2, "WIDOWTO": "EXCHANGE", "PLAYERS": 5}
    game = Game.from_source(Source("mine.rcy", text), declared=declared)
    assert unsuited(game) == (
        f"mine.rcy is not built as the hearts of the library: it lacks {lacks}"
    )


def test_tables_that_are_refused() -> None:
    games = ManyGames(game_of("as it stands"), ["random"])
    for table in ([0, 0, 0], [0, 0, 0, 1], [0, 0, 0, -1]):
        with pytest.raises(ValueError, match="a table has 4 player numbers from 0 to 0"):
            games.choices(1, table)
    with pytest.raises(ValueError, match="an integer from 0 to"):
        games.choices(-1, [0] * 4)


def test_steps_of_others_are_refused() -> None:
    known = SELECTORS["lowest"]
    mine = Selector("lowest", lambda table, cards: cards, ParameterSpec.NOTHING, "Mine.")
    for step in (
        HierarchyStep("lowest", mine),
        HierarchyStep("lowest if mine", known, condition=lambda table: True),
    ):
        with pytest.raises(HierarchyError, match=f"the step {step} cannot be played by machine"):
            ManyGames(game_of("as it stands"), [Hierarchy(first=Order((step,)))])


def test_a_game_that_breaks_a_rule_says_which() -> None:
    game = Game.load("hearts", limits=GameLimits(decisions=10))
    games = ManyGames(game, ["random"])
    record = refereed(game, 5, ["random"] * 4)
    with pytest.raises(GameError) as caught:
        games.play(np.array([5], np.uint64), [[0] * 4])
    assert str(caught.value) == record.error
    assert caught.value.choices == record.choices


def test_players_travel_to_other_processes() -> None:
    players: list[NativePlayer] = ["rule", DEFAULT]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        far = pool.submit(_played_far_away, players).result()
    assert far == ManyGames(game_of("as it stands"), players).choices(1, [0, 1, 0, 1])


def _played_far_away(players: list[NativePlayer]) -> tuple[int, ...]:
    return ManyGames(game_of("as it stands"), players).choices(1, [0, 1, 0, 1])
