"""Games are the same as WebAssembly: decisions, faults, searches, batches, and what seats know."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from cardwright import Game, GameFileError, Stream, play_random
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.search import KeptTree
from cardwright.game.search import SearchReward, SearchTask, SearchWorlds
from cardwright.hearts.expert import Expert
from cardwright.hearts.native import BatchPlayers, ManyGames
from cardwright.interpreter.machine import GameLimits
from cardwright.library.catalogue import names
from cardwright.players.player import Decision
from cardwright.solve.growth import begun, tree_engine
from cardwright.syntax.source import Source
from deep import mostly_deep, usually
from differential import EVERYTHING, Checks, compare_game, compare_games, on_both
from generated import programs

PROGRAMS = sorted((Path(__file__).parents[1] / "conformance" / "programs").glob("*.rcy"))
FAULTY = {"integer-operators", "move-from-nothing", "order-of-families", "overflow", "endless"}
GAMES = {"hearts", "rummy", "scarto"}
"""Those that are played in any run: single cards, piles and groups, more than 64 cards."""

TASKS = (
    SearchTask(iterations=150),
    SearchTask(iterations=60, many=True, reward=SearchReward.SCORE),
    SearchTask(iterations=60, worlds=SearchWorlds.ONE, mode=KnowledgeMode.KNOWN),
)


def both(name: str) -> tuple[Game, Game]:
    game = Game.load(name)
    return game, game.with_engine("wasm")


# Decisions and faults ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", mostly_deep(PROGRAMS, lambda path: path.stem in FAULTY, lambda path: path.stem)
)
def test_conformance_programs_go_alike(path: Path) -> None:
    """Every case at every decision, with the rules that are broken."""
    try:
        game = Game.load(path)
    except GameFileError:
        return
    games = on_both(game, "wasm")
    cases = [line[8:] for line in path.read_text().splitlines() if line.startswith(";; case ")]
    for case in map(json.loads, cases):
        compare_game(games, case.get("choose", []), case.get("seed", 1), EVERYTHING)


@settings(
    max_examples=usually(2, 8),
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
@given(programs())
def test_generated_programs_go_alike(text: str) -> None:
    limits = GameLimits(steps=300, decisions=40)
    game = Game.from_source(Source("generated", text), limits=limits)
    assert len(compare_games(game, range(3), Checks(words=3, deep=5), "wasm")) == 3


@pytest.mark.parametrize("name", mostly_deep(names(), GAMES.__contains__))
def test_library_games_go_alike(name: str) -> None:
    """Options are the same in words now and then, and random games to the last of their tallies."""
    game, other = both(name)
    played = compare_games(game, range(1), Checks(keys=9, words=31, deep=61), "wasm")
    assert [one.end for one in played] == ["over"]
    seeds = range(usually(60, 300))
    mine, its = play_random(game, seeds, threads=1), play_random(other, seeds, threads=200)
    np.testing.assert_array_equal(mine.scores, its.scores)
    np.testing.assert_array_equal(mine.tallies, its.tallies)


# Searches and knowledge -------------------------------------------------------------------


@pytest.mark.parametrize("name", mostly_deep(names(), {"hearts", "leduc"}.__contains__))
def test_searches_find_the_same(name: str) -> None:
    """Trees with single cards as children and with hashes, flat search, rollouts, kept trees."""
    found = []
    for game in both(name):
        state, stream, kept = game.start(11), Stream(5), KeptTree()
        results: list[object] = []
        for _ in range(2):
            if state.finished:
                break
            assert state.player is not None
            results += [state.search(stream, task) for task in TASKS]
            results.append(state.search(stream, TASKS[0], kept=kept))
            results.append(state.flat(state.player, stream, 3, 2, mode="consistent"))
            results.append(state.rollouts(20, stream, seat=state.player, mode="consistent"))
            results.append(stream.words)
            state.play(state.option_count // 2)
        found.append(results)
    assert found[0] == found[1]
    assert len(found[0]) > len(TASKS)


@pytest.mark.parametrize("name", mostly_deep(names(), {"rummy"}.__contains__))
def test_seats_know_the_same(name: str) -> None:
    """Information keys, observations with a history, and where what is unknown may lie."""
    seen = []
    for game in both(name):
        state, stream = game.start(3), Stream(1)
        layout = game.observation_layout(3)
        rows: list[object] = []
        for _ in range(6):
            if state.finished:
                break
            for seat in range(game.players):
                rows.append((state.information(seat), state.allowed(seat, "consistent")))
                rows.append(state.observation(seat, layout).tolist())
            rows.append(state.determinise(0, stream, "consistent").options())
            state.play(stream.below(state.option_count))
        seen.append(rows)
    assert seen[0] == seen[1]


def test_small_trees_are_the_same() -> None:
    trees = []
    for game in both("kuhn"):
        growth = begun(game, tree_engine(game))
        trees.append([np.asarray(part).tolist() for part in growth.grow(growth.at_once)])
    assert trees[0] == trees[1]


# Many games -------------------------------------------------------------------------------


def test_batches_go_alike() -> None:
    """With masks of actions, observations and picks, in several threads."""
    seen = []
    for game in both("gofish"):
        batch = game.batch(20, 7, history=2)
        streams = batch.seat_streams(9)
        rows: list[list[object]] = []
        for _ in range(12):
            chosen = batch.random_step(streams, threads=2)
            parts = chosen, batch.action_mask(), batch.observe(), *batch.picks()
            rows.append([part.tolist() for part in parts])
        seen.append([rows, streams.tolist(), batch.scores.tolist(), batch.copy().players.tolist()])
    assert seen[0] == seen[1]


def test_players_of_hearts_play_alike() -> None:
    """Rules of thumb in whole games and in batches, and the search that plays out by rules."""
    seen = []
    for game in both("hearts"):
        many = ManyGames(game, ["rule"])
        results = many.play(np.arange(1, 4, dtype=np.uint64), [[0] * game.players])
        batch = game.batch(4, 3)
        player = BatchPlayers(game, {0: "rule", 2: "rule"})
        streams, everywhere = batch.seat_streams(4), np.ones(4, np.bool_)
        steps = [player.step(batch, streams, everywhere).tolist() for _ in range(3)]
        state = game.start(8)
        assert state.player is not None
        decision = Decision(state.player, state.option_count, Stream(2), state, 0)
        expert = Expert(iterations=60).choose(decision)
        seen.append(([part.tolist() for part in results], many.choices(2, [0] * 4), steps, expert))
    assert seen[0] == seen[1]
