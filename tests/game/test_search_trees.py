"""Trees whose nodes list children by cards: the same as trees whose children all have keys."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from cardwright.compiler.card_choices import between_cards
from cardwright.compiler.llvm import backend as llvm_backend
from cardwright.compiler.structs import CHILD, node_bytes
from cardwright.game.errors import EngineError
from cardwright.game.game import Game
from cardwright.game.native import search as native_search
from cardwright.game.native.search import KeptTree
from cardwright.game.search import SearchReward, SearchTask, SearchWorlds
from cardwright.hearts.expert import playouts_of
from cardwright.interpreter.stream import Stream
from cardwright.library.catalogue import library_names
from cardwright.program import nodes as n
from cardwright.program.chains import options
from cardwright.program.effects import EffectAnalysis
from cardwright.program.places import places
from deep import some_games, usually
from search_model import Model, played_on

TASKS: dict[str, dict[str, object]] = {
    "single observer": {},
    "many observers": {"many": True},
    "dealt anew": {"again": True},
    "one world": {"worlds": SearchWorlds.ONE},
    "widening": {"widening": 1.0, "reward": SearchReward.WIN},
}

CARDS = {
    "agram": 1, "coup": 0, "euchre": 2, "goofspiel": 1, "hearts": 1, "klaverjassen": 1,
    "knaves": 1, "leduc": 0, "ninetyeight": 1, "ohhell": 1, "pitch": 1, "polignac": 1,
    "president": 0, "scarto": 0, "slobberhannes": 1, "spades": 1, "sueca": 1, "whist": 1,
}  # fmt: skip
"""How many choices between single cards some games of the library have."""

CONFLICT = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J, TEN, NINE)) (SUIT (RED, BLACK)))))
  (do ((shuffle (game iloc STOCK))
       (all player 'P (repeat 5 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player (end (all player 'P (== (size ('P iloc HAND)) 1)))
    ;; What is drawn decides which choice comes next: a node may be left by either.
    (do ((set (game sto WHICH) (random 1))))
    (stage player (end (== (game sto WHICH) 1))
      (choice ((any ((current player) iloc HAND) 'C
        (do ((move 'C (top (game vloc PILE))) (set (game sto WHICH) 1)
             (set ((current player) sto SCORE) (size (game vloc PILE))))))))
      (do ((cycle next (current player)))))
    (choice ((any ((current player) iloc HAND) 'D (move 'D (top (game vloc PILE)))))))
  (scoring max ((current player) sto SCORE)))
"""
"""The first of the two choices comes only where it is drawn."""


BROKEN = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J, TEN, NINE)) (SUIT (RED, BLACK)))))
  (do ((shuffle (game iloc STOCK))
       (all player 'P (repeat 5 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice ({test}
      (any (filter ((current player) iloc HAND) 'C {kept}) 'CARD
        (do ((move 'CARD (top (game vloc PILE)))
             (set (game sto RED) (size (filter (game vloc PILE) 'D (== (cardatt SUIT 'D) RED)))))))
      {close})))
  (scoring max (size (game vloc PILE))))
"""
BREAKS = {
    "no card is left": {"test": "", "close": "", "kept": "(or (== (cardatt SUIT 'C) RED)"
                        " (> (size ((current player) iloc HAND)) 2))"},
    "a test divides by zero": {"test": "((< (// 9 (- 4 (game sto RED))) 99)", "close": ")",
                               "kept": "(!= (cardatt RANK 'C) TWO)"},
    "a filter divides by zero": {"test": "", "close": "",
                                 "kept": "(< (// 9 (- 4 (game sto RED))) 99)"},
}  # fmt: skip
"""Ways in which the search for options breaks a rule, in some lines of play."""


@pytest.fixture
def by_key(monkeypatch):
    """Return a function that does something with trees whose children all have keys."""

    def done(act):
        with monkeypatch.context() as patch:
            patch.setattr(native_search, "BY_CARD", False)
            return act()

    return done


def middle(game, seed, most=9):
    return played_on(game.start(seed), seed, seed % most)


def card_choices(program):
    analysis = EffectAnalysis(program)
    where = places(analysis)
    choices = [node for node in program.nodes() if isinstance(node, n.Choice)]
    plans = [options(analysis, where, choice) for choice in choices]
    return sum(between_cards(analysis, where, plan) for plan in plans)


TESTED = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J, TEN, NINE)) (SUIT (RED, BLACK)))))
  (do ((all player 'P (repeat 6 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player (end (== (size ((current player) iloc HAND)) 3))
    (choice ((any ((current player) iloc HAND) 'C
      ((== (cardatt SUIT 'C) RED) (move 'C (top (game vloc PILE))))))))
  (scoring max (size (game vloc PILE))))
"""
"""A branch that tests the card that it has picked."""


def test_a_card_that_is_tested_after_it_is_picked_is_no_option_of_a_tree():
    game = Game.from_text(TESTED, engine="native")
    assert card_choices(game.program) == 1
    searched = game.start(1).search(Stream(1), SearchTask(iterations=200))
    assert sum(option.visits for option in searched.options) == 200


def test_which_choices_are_between_single_cards():
    found = {name: card_choices(Game.load(name, engine="interpreter").program) for name in CARDS}
    assert found == CARDS


@pytest.mark.parametrize("name", some_games(library_names()))
def test_both_trees_find_the_same(name, by_key):
    state = middle(Game.load(name), 10 + len(name))
    for settings in (*TASKS.values(), {"wanted": (0, 1)}):
        if state.option_count > 1:
            task = SearchTask(**{"iterations": 250, **settings})
            found = state.search(Stream(4), task)
            assert by_key(lambda task=task: state.search(Stream(4), task)) == found


@pytest.mark.sweep
@pytest.mark.parametrize("settings", TASKS.values(), ids=TASKS)
@pytest.mark.parametrize("name", ["hearts", "spades", "whist"])
def test_both_trees_find_what_the_model_finds(name, settings, by_key):
    seed = 43  # near the end, so that trees are deep
    task = SearchTask(**{"reward": SearchReward.RANK, **settings, "iterations": 40})
    slow = middle(Game.load(name, engine="interpreter"), seed, 44)
    expected = Model(slow, task, Stream(seed)).run()
    state = middle(Game.load(name), seed, 44)
    for found in (
        state.search(Stream(seed), task), by_key(lambda: state.search(Stream(seed), task)),
    ):  # fmt: skip
        assert [(one.visits, one.available, one.rewards) for one in found.options] == expected


@pytest.mark.parametrize("many", [False, True], ids=["one tree", "many trees"])
def test_a_node_that_is_left_by_two_choices_keeps_their_children_apart(many, by_key):
    game = Game.from_text(CONFLICT)
    assert card_choices(game.program) == 2
    task = SearchTask(iterations=400, reward=SearchReward.RANK, many=many)
    for seed in range(usually(1, 3)):
        found = game.start(seed).search(Stream(seed), task)
        assert by_key(lambda seed=seed: game.start(seed).search(Stream(seed), task)) == found
        slow = Game.from_text(CONFLICT, engine="interpreter").start(seed)
        expected = Model(slow, task, Stream(seed)).run()
        assert [(one.visits, one.available, one.rewards) for one in found.options] == expected


@pytest.mark.parametrize("parts", BREAKS.values(), ids=BREAKS)
def test_lines_that_break_a_rule_count_as_failed(parts, by_key):
    game = Game.from_text(BROKEN.format(**parts))
    assert card_choices(game.program) == 1
    task = SearchTask(iterations=300, reward=SearchReward.RANK)
    slow = Game.from_text(BROKEN.format(**parts), engine="interpreter")
    failed = 0
    for seed in range(usually(1, 4)):
        state = game.start(seed)
        state.play(0)
        state.play(0)
        found = state.search(Stream(seed), task)
        assert by_key(lambda state=state, seed=seed: state.search(Stream(seed), task)) == found
        twin = slow.start(seed)
        twin.play(0)
        twin.play(0)
        expected = Model(twin, task, Stream(seed)).run()
        assert [(one.visits, one.available, one.rewards) for one in found.options] == expected
        failed += found.failed
    assert 0 < failed < 4 * 300


def test_a_kept_tree_goes_on_alike(by_key):
    def play():
        found = []
        for seed in range(6):
            state, kept = Game.load("agram").start(seed), KeptTree()
            stream = Stream(seed)
            while not state.finished:
                if state.player == 0 and state.option_count > 1:
                    search = state.search(Stream(7), SearchTask(iterations=300), kept=kept)
                    found.append((kept.carried, search))
                state.play(stream.below(state.option_count))
        return found

    found = play()
    assert max(carried for carried, _ in found) > 3
    assert by_key(play) == found


@pytest.mark.sweep
@pytest.mark.parametrize(
    "overrides",
    [{}, {"PASS": 3}, {"PASS": 3, "PASSING": "SINGLY"}, {"OPENING": "LOWCLUB"}],
    ids=str,
)
def test_searches_by_rules_of_thumb_are_alike(overrides, by_key):
    game = Game.load("hearts", **overrides)
    task = SearchTask(iterations=200)
    for chance in (0.0, 0.3):
        playouts = playouts_of(game, chance)
        for seed in range(3, 50, usually(20, 9)):
            state = middle(game, seed, 50)

            def search(state=state, playouts=playouts):
                return state.search(Stream(4), task, playouts=playouts)

            found = search()
            assert found.failed == 0
            assert by_key(search) == found


@pytest.mark.parametrize("name", ["whist", "spades", "gofish"])
def test_a_tree_without_room_goes_on_without_new_nodes(name, by_key, monkeypatch):
    state = middle(Game.load(name), 12)
    room = state.game.players + 20
    put = native_search.SearchMemory.set

    def little(memory, field, value):
        put(memory, field, value)
        if field == "root":
            put(memory, "room", room)

    def search():
        return state.search(Stream(4), SearchTask(iterations=300))

    ample = search()
    monkeypatch.setattr(native_search.SearchMemory, "set", little)
    found = search()
    assert (found.nodes, found.failed) == (room, 0)
    assert found.iterations == 300
    assert 20 <= sum(option.visits for option in found.options) <= 300
    assert ample.nodes > room
    assert by_key(search) == found


def test_a_search_says_what_memory_it_would_need(monkeypatch):
    state = middle(Game.load("agram"), 3)

    state.search(Stream(1), SearchTask(iterations=1))  # then the thread has its own memory
    ample = llvm_backend.memory

    def little(size, **how):
        if size > 10**6:
            raise OSError(12, "Cannot allocate memory")
        return ample(size, **how)

    monkeypatch.setattr(llvm_backend, "memory", little)
    message = "of 123,456 iterations may take .* MB, which the system does not give: ask for fewer"
    with pytest.raises(EngineError, match=message):
        state.search(Stream(1), SearchTask(iterations=123_456))
    assert state.search(Stream(1), SearchTask(iterations=100)).iterations == 100


@given(st.integers(1, 10**7))
def test_a_tree_for_four_takes_no_more_memory_than_messages_say(iterations):
    task = SearchTask(iterations=iterations)
    nodes = native_search._most_nodes(task, 4, 1)
    table = CHILD.bytes * native_search._entries(nodes)
    lists = 4 * native_search._PLACES * nodes
    assert node_bytes(4) * nodes + max(table, lists) <= 114 * nodes
    assert 3 * nodes <= 2 * native_search._entries(nodes)
    with pytest.raises(ValueError, match="up to 114 MB for each million"):
        SearchTask(iterations=0)
