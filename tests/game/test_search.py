"""Tree search: the machine code against a model over the interpreter, and laws of what is found."""

from __future__ import annotations

import pytest

from cardwright.arena.referee import referee_game
from cardwright.game.errors import EngineError, IllegalOptionError
from cardwright.game.game import Game
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.native.search import KeptTree
from cardwright.game.search import SearchReward, SearchTask, SearchWorlds
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import sees
from cardwright.library.catalogue import library_names
from cardwright.players.kind import FULL_TRUST
from cardwright.players.spec import parse_spec
from deep import some_games, usually
from search_model import Model, played_on

TASKS = {
    "single observer": {},
    "many observers": {"many": True},
    "dealt anew": {"again": True},
    "one world": {"worlds": SearchWorlds.ONE},
    "true state": {"worlds": SearchWorlds.TRUE},
    "widening": {"widening": 1.5},
    "wins": {"reward": SearchReward.WIN, "exploration": 1.5},
}
SCALED = {
    "scores": {"reward": SearchReward.SCORE},
    "margins": {"reward": SearchReward.MARGIN, "many": True},
}
"""Tasks that begin with 64 playouts, which take the model long."""

QUICK = ("agram", "cuckoo", "goofspiel", "kuhn", "leduc", "nothanks")


def middle(name, engine, seed):
    """A state some decisions into a game, the same for both engines, where there is a choice."""
    return played_on(Game.load(name, engine=engine).start(seed), seed, 3 + seed % 9)


def figures(found):
    return [(option.visits, option.available, option.rewards) for option in found.options]


@pytest.mark.parametrize("name", some_games(library_names()))
def test_the_machine_code_finds_what_the_model_finds(name):
    tasks = list(TASKS.values())
    at = len(name)
    chosen = tasks if name in QUICK else [tasks[at % len(tasks)]]
    for settings in chosen:
        check(name, SearchTask(**{"iterations": 12, "reward": SearchReward.RANK, **settings}), at)


@pytest.mark.sweep
@pytest.mark.parametrize("settings", SCALED.values(), ids=SCALED)
@pytest.mark.parametrize("name", QUICK)
def test_rewards_by_score_are_scaled_as_the_model_scales_them(name, settings):
    check(name, SearchTask(**{"iterations": 30, **settings}), 12)


def check(name, task, seed):
    native, slow = middle(name, "native", seed), middle(name, "interpreter", seed)
    found = native.search(Stream(seed), task)
    assert figures(found) == Model(slow, task, Stream(seed)).run()
    assert found.iterations == task.iterations


@pytest.mark.sweep
@pytest.mark.slow
@pytest.mark.parametrize("settings", TASKS.values(), ids=TASKS)
def test_long_searches_agree_too(settings):
    long = {"iterations": usually(150, 400)}
    check("agram", SearchTask(**long | settings), 40)
    long = {"iterations": usually(25, 60), "reward": SearchReward.RANK}
    check("hearts", SearchTask(**long | settings), 40)


def test_visits_add_up_and_are_never_more_than_an_option_was_available():
    state = middle("hearts", "native", 5)
    found = state.search(Stream(1), SearchTask(iterations=800))
    assert sum(option.visits for option in found.options) == 800
    assert all(option.visits <= option.available <= 800 for option in found.options)
    assert found.failed == 0
    assert found.nodes <= 800 + state.game.players + 1


def test_a_search_leaves_the_state_as_it_was_and_repeats_itself():
    state = middle("gofish", "native", 7)
    twin = state.copy()
    first = state.search(Stream(3), SearchTask(iterations=200))
    assert state == twin
    assert state.search(Stream(3), SearchTask(iterations=200)) == first
    assert state.search(Stream(4), SearchTask(iterations=200)) != first


def test_threads_change_nothing():
    state = middle("hearts", "native", 6)
    task = SearchTask(iterations=300, trees=5)
    assert state.search(Stream(3), task, threads=4) == state.search(Stream(3), task)


def test_trees_have_different_chances():
    state = middle("hearts", "native", 6)
    two = state.search(Stream(3), SearchTask(iterations=300, trees=2))
    one = state.search(Stream(3), SearchTask(iterations=300))
    assert two.iterations == 600
    assert figures(two) != [(2 * v, 2 * a, tuple(2 * r for r in rs)) for v, a, rs in figures(one)]


def test_only_wanted_options_are_tried():
    state = middle("hearts", "native", 5)
    assert state.option_count > 3
    found = state.search(Stream(1), SearchTask(iterations=100, wanted=(1, 3)))
    assert [at for at, option in enumerate(found.options) if option.visits] == [1, 3]


def test_a_time_limit_ends_a_search():
    state = middle("hearts", "native", 5)
    found = state.search(Stream(1), SearchTask(iterations=10_000_000, milliseconds=5))
    assert 0 < found.iterations < 10_000_000


def test_nothing_hidden_is_looked_at():
    # Two states that differ only in what the seat does not see lead to the same search.
    state = middle("hearts", "native", 5)
    seat = state.player
    other = state.determinise(seat, Stream(99))
    assert other != state
    task = SearchTask(iterations=300, mode=KnowledgeMode.BASIC)
    assert other.search(Stream(1), task) == state.search(Stream(1), task)
    true = SearchTask(iterations=300, worlds=SearchWorlds.TRUE)
    assert other.search(Stream(1), true) != state.search(Stream(1), true)


def test_a_clear_win_is_found():
    # Leduc and Kuhn have little to search: with the best card nobody folds.
    found = 0
    for seed in range(40):
        state = Game.load("kuhn").start(seed)
        search = state.search(Stream(seed), SearchTask(iterations=400, reward=SearchReward.SCORE))
        found += search.iterations == 400
    assert found == 40


def test_searches_need_the_native_engine_and_a_game_that_goes_on():
    with pytest.raises(EngineError, match="native engine"):
        Game.load("hearts", engine="interpreter").start(1).search(Stream(1), SearchTask())
    state = Game.load("hearts").start(1)
    while not state.finished:
        state.play(0)
    with pytest.raises(IllegalOptionError, match="over"):
        state.search(Stream(1), SearchTask())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"iterations": 0}, "iterations of a search are from 1 to 10,000,000, not 0"),
        ({"exploration": 5.0}, "exploration of a search are from 0 to 4.0, not 5.0"),
        ({"trees": 0}, "trees of a search are from 1 to 10,000, not 0"),
        ({"milliseconds": 0}, "milliseconds"),
        ({"mode": "all"}, "the mode of a search is one of basic, known, consistent, not 'all'"),
        ({"reward": "fun"}, "the reward of a search is one of rank, win, score, margin, not"),
    ],
)
def test_tasks_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        SearchTask(**settings)


def test_a_task_takes_texts():
    """A word stands for the member of the same value, so that equal tasks are equal."""
    task = SearchTask(reward="win", mode="known", worlds="one")
    assert task == SearchTask(
        reward=SearchReward.WIN, mode=KnowledgeMode.KNOWN, worlds=SearchWorlds.ONE
    )
    assert isinstance(task.reward, SearchReward)


# Trees that are kept -----------------------------------------------------------------------


def decisions_of(name, seed, seat):
    """Play a game at random; yield the state at the decisions of a seat, and the kept tree."""
    state = Game.load(name).start(seed)
    stream = Stream(seed)
    while not state.finished:
        if state.player == seat and state.option_count > 1:
            yield state
        state.play(stream.below(state.option_count))


def carried(name, seeds, **settings):
    found = []
    for seed in seeds:
        kept = KeptTree()
        for state in decisions_of(name, seed, 0):
            before = state.copy()
            tree = state.search(Stream(7), SearchTask(iterations=150, **settings), kept=kept)
            assert state == before
            assert tree.iterations == 150
            visits = sum(option.visits for option in tree.options)
            assert visits >= 150 if kept.carried else visits == 150
            assert visits <= 150 + kept.carried
            assert all(option.visits <= option.available for option in tree.options)
            found.append(kept.carried)
    return found


def test_a_tree_goes_on_where_only_cards_played_have_become_known():
    assert max(carried("agram", range(6))) > 3
    assert max(carried("whist", range(2))) > 0


@pytest.mark.parametrize("name", ["gofish", "cuckoo", "ginrummy", "schwimmen"])
def test_a_tree_begins_anew_where_cards_are_drawn_or_passed_unseen(name):
    # A draw is made between any two decisions of a seat, or a hidden card changes hands.
    state = Game.load(name).start(3)
    kept = KeptTree()
    seat = state.player
    state.search(Stream(1), SearchTask(iterations=100), kept=kept)
    stream = Stream(5)
    unseen = hidden(state, seat)
    for _ in range(30):
        state.play(stream.below(state.option_count))
        if state.finished or (state.player == seat and hidden(state, seat) - unseen):
            break
    if not state.finished and state.player == seat:
        state.search(Stream(1), SearchTask(iterations=100), kept=kept)
        assert kept.carried == 0


def hidden(state, seat):
    places = state.locations()
    program = state.game.program
    return {
        card.id for place, cards in places.items() for card in cards
        if not sees(program, seat, place)
    }  # fmt: skip


def test_what_is_carried_over_agrees_with_a_search_of_the_whole():
    # Iterations that went through the node are counted there: none is lost, none made up.
    kept = KeptTree()
    states = decisions_of("agram", 4, 0)
    first = next(states).copy()
    first.search(Stream(7), SearchTask(iterations=2_000), kept=kept)
    for state in states:
        tree = state.search(Stream(8), SearchTask(iterations=10), kept=kept)
        assert sum(option.visits for option in tree.options) in range(
            10 + kept.carried - 1, 10 + kept.carried + 1
        )
        break


def test_the_player_that_keeps_its_tree_plays_whole_games_and_repeats_itself():
    game = Game.load("agram")

    def record():
        players = [
            parse_spec("ismcts:iterations=80,reuse=yes", FULL_TRUST).build() for _ in range(3)
        ]
        return referee_game(game, 5, players)

    assert record() == record()
    assert record().error is None
