"""Flows: what is recorded of games, how it adds up, and what diagrams say of it."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from drawn import PEEPING, VALET, flow_of, loaded
from hypothesis import given, strategies as st

from cardwright import Game, GameError, Stream
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.analysis.diagrams.graph import Edge, LineStyle
from cardwright.arena.effect_replay import (
    ChoicesError,
    at_random,
    played,
    record_flow,
    recorded,
    spot_of,
)
from cardwright.arena.plan import GameRef, RunPlan
from cardwright.arena.run import run
from cardwright.game import game_seeds
from cardwright.game.flow import Count, Flow, FlowError, Openness, OpennessChange, Spot, change
from cardwright.interpreter import machine
from cardwright.interpreter.machine import Rules
from cardwright.players.player import RandomPlayer
from deep import some_games

STOCK = Spot("table", "INVISIBLE", "STOCK")

BREAKS = """
(game
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
  (stage player
    (end (== (game sto ROUND) 1))
    (choice ((move (top (game iloc STOCK)) (top (game vloc OPEN))) (set (game sto BROKEN) 1)))
    (do ((inc (game sto ROUND)) ((== (game sto BROKEN) 1) (set (game sto ROUND) (// 1 0))))))
  (scoring max ((current player) sto WON)))
"""

DRAWING = """
(game
  (setup (create players 2)
    (create deck (game iloc STOCK)
      (deck (RANK (A, B, C, D, E, F, G, H, I, J)) (SUIT (K, L, M, N, O)))))
  (stage player
    (end (== (game sto TURNS) 3))
    (choice ((repeat (random 1 .. 6) (move (top (game iloc STOCK)) (top (game vloc CHOSEN))))))
    (do (
      (repeat (random 1 .. 6) (move (top (game iloc STOCK)) (top (game vloc FORCED))))
      (inc (game sto TURNS)))))
  (scoring max 0))
"""
"""A game in which players and the computer by turns move as many cards as a die says."""

EXCHANGE = """
(game
  (setup (create players 2) (create deck (game hloc STOCK) (deck (RANK (A, K, Q, J, TEN)))))
  (do (
    (repeat 3 (move (top (game hloc STOCK)) (top (game vloc OPEN))))
    (swap (game hloc STOCK) (game vloc OPEN))
    (swap (top (game hloc STOCK)) (top (game vloc OPEN)))
    (repeat 2 (move (top (game hloc STOCK)) (bottom (game hloc STOCK))))))
  (scoring max 0))
"""
"""A game without decisions: 3 cards are opened, 3 and 2 change sides, then one and one."""


def test_the_ways_of_hearts():
    """The stock is dealt unseen, a card a trick is played, tricks are won, and all is discarded."""
    flow = flow_of("hearts", 20)
    ways = dict(flow.ways)
    hands = [Spot(f"p{seat}", "INVISIBLE", "HAND") for seat in range(1, 5)]
    tricks = [Spot(f"p{seat}", "VISIBLE", "TRICK") for seat in range(1, 5)]
    won = [Spot(f"p{seat}", "VISIBLE", "TRICKSWON") for seat in range(1, 5)]
    discard = Spot("table", "VISIBLE", "DISCARD")
    assert flow.decks == (STOCK,)
    assert {spot for spot, _ in flow.places} == {STOCK, discard, *hands, *tricks, *won}
    for hand, trick in zip(hands, tricks, strict=True):
        assert ways[STOCK, hand] == ways[hand, trick] == Count(13 * 20, 20)
    expected = {(a, b) for a in tricks for b in won}
    assert set(ways) == {
        *((STOCK, hand) for hand in hands),
        *zip(hands, tricks, strict=True),
        *expected,
        *((mine, discard) for mine in won),
    }
    assert sum(ways[one].cards for one in expected) == 52 * 20
    assert sum(ways[mine, discard].cards for mine in won) == 52 * 20


def test_colours_of_hearts_as_published():
    """Dealing is black and thin, all else green and thick; who won no trick has no such box."""
    for seed in range(1, 8):
        graph = flow_graph(flow_of("hearts", seed=seed))
        winners = sum("TRICKSWON" in node.id for node in graph.nodes())
        looks = Counter((edge.colour, edge.width, edge.line) for edge in graph.edges)
        assert looks[("black", 1, LineStyle.SOLID)] == 4
        won = {e.target for e in graph.edges if e.target.endswith("TRICKSWON_0")}
        assert len(won) == winners
        assert looks[("green", 3, LineStyle.SOLID)] == len(graph.edges) - 4


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", some_games([*VALET, "durak", "coup", "spiteandmalice", "lostcities"])
)
def test_cards_do_not_come_from_nowhere(name):
    """At every place, what it had and what came less what went is what lies there at the end."""
    game = loaded(name)
    rules = Rules(game.program)
    for seed in game_seeds(5, 2):
        flow = record_flow(game, at_random([seed]))
        state = game.start(seed)
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        while state.player is not None:
            state.play(streams[state.player].below(state.option_count))
        began = machine.start(rules, seed).where
        balance = Counter(spot_of(game.program, place) for place in began)
        assert set(flow.decks) == set(balance)
        for (source, target), count in flow.ways:
            if target.openness is not Openness.COPY:
                balance[source] -= count.cards
                balance[target] += count.cards
        lies = {
            spot_of(game.program, place): len(cards)
            for place, cards in state.locations().items()
            if cards and place.kind.name != "MEMORY"
        }
        assert +balance == lies
        assert not -balance


def test_what_options_draw_is_drawn_once():
    """Chances within an option go on after it, as in the state that any engine plays."""
    game = Game.from_text(DRAWING, engine="interpreter")
    for seed, choices in played(game, range(8), lambda: [RandomPlayer(), RandomPlayer()]):
        flow = record_flow(game, [(seed, choices)])
        places = game.replay(seed, choices).locations().items()
        lies = {place.name: len(cards) for place, cards in places if place.name != "STOCK"}
        assert {way[1].name: count.cards for way, count in flow.ways} == lies


def test_exchanges_move_both_sides():
    """A swap of piles moves all cards of both, one of cards a card each way; none stays counted."""
    flow = record_flow(Game.from_text(EXCHANGE), at_random([1]))
    hidden, open_ = Spot("table", "HIDDEN", "STOCK"), Spot("table", "VISIBLE", "OPEN")
    assert dict(flow.ways) == {
        (hidden, open_): Count(3 + 2 + 1, 1),
        (open_, hidden): Count(3 + 1, 1),
    }


def test_copies_and_cards_before_the_brow():
    """A copy comes from where the card lies; what others see is private to them."""
    flow = record_flow(Game.from_text(PEEPING), at_random(range(3)))
    kinds = Counter()
    for (source, target), count in flow.ways:
        assert count.games == 3
        kinds[source.name, target.name, change(source, target)] += count.cards
    assert kinds == {
        ("STOCK", "HAND", OpennessChange.NONE): 6,
        ("HAND", "BROW", OpennessChange.SHARED): 6,
        ("BROW", "SEEN", OpennessChange.NONE): 6,
        ("BROW", "PIT", OpennessChange.SHARED): 6,
    }


OPEN, MINE, YOURS = (
    Spot("table", "VISIBLE", "PILE"),
    Spot("p1", "INVISIBLE", "HAND"),
    Spot("p2", "INVISIBLE", "HAND"),
)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        (STOCK, MINE, OpennessChange.NONE),
        (STOCK, OPEN, OpennessChange.SHOWN),
        (MINE, OPEN, OpennessChange.SHOWN),
        (OPEN, Spot("p1", "VISIBLE", "WON"), OpennessChange.SHOWN),
        (OPEN, MINE, OpennessChange.TAKEN),
        (OPEN, STOCK, OpennessChange.TAKEN),
        (MINE, YOURS, OpennessChange.SHARED),
        (MINE, STOCK, OpennessChange.SHARED),
        (MINE, Spot("table", "HIDDEN", "PIT"), OpennessChange.SHARED),
        (MINE, Spot("p1", "HIDDEN", "PIT"), OpennessChange.NONE),
        (MINE, Spot("p1", "INVISIBLE", "ASIDE"), OpennessChange.NONE),
        (MINE, Spot("p1", "OTHERS", "BROW"), OpennessChange.SHARED),
        (MINE, Spot("table", "MEMORY", "SEEN"), OpennessChange.NONE),
        (OPEN, Spot("p1", "MEMORY", "SEEN"), OpennessChange.NONE),
        (STOCK, Spot("t1", "INVISIBLE", "TRICKS"), OpennessChange.NONE),
        (OPEN, Spot("t1", "INVISIBLE", "TRICKS"), OpennessChange.TAKEN),
        (MINE, Spot("t1", "INVISIBLE", "TRICKS"), OpennessChange.NONE),
    ],
)
def test_changes_of_openness(source, target, expected):
    """As the published diagrams colour them: by who sees a card before and after."""
    assert change(source, target) is expected


def test_flows_add_up():
    """Two halves make the whole; flows of two games do not."""
    game = loaded("crazyeights")
    seeds = list(game_seeds(2, 6))
    parts = [record_flow(game, at_random(some)) for some in (seeds[:2], seeds[2:])]
    assert parts[0] + parts[1] == record_flow(game, at_random(seeds))
    assert parts[1] + parts[0] == parts[0] + parts[1]
    with pytest.raises(FlowError, match="crazyeights and hearts"):
        _ = parts[0] + flow_of("hearts")


SPOTS = st.builds(
    Spot,
    st.sampled_from(["table", "p1", "p2", "p10", "t1"]),
    st.sampled_from(["VISIBLE", "INVISIBLE", "HIDDEN", "OTHERS", "MEMORY"]),
    st.sampled_from(["A", "B_2"]),
    st.integers(0, 12),
)
COUNTS = st.dictionaries(st.tuples(SPOTS, SPOTS), st.integers(1, 99), max_size=8)


@st.composite
def flows(draw):
    cards = Counter(draw(COUNTS))
    places = Counter({spot: draw(st.integers(1, 5)) for way in cards for spot in way})
    decks = set(draw(st.lists(st.sampled_from(sorted(places)), max_size=2))) if places else set()
    seen = Counter({way: draw(st.integers(1, 5)) for way in cards})
    broken = draw(st.integers(0, 3))
    return Flow.of("g", draw(st.integers(1, 5)), decks, places, cards, seen, broken)


@given(flows(), flows(), flows())
def test_sums_of_flows(one, two, three):
    """Sums do not depend on order, and the text of a flow gives it back."""
    assert (one + two) + three == one + (two + three) == three + two + one
    assert Flow.read(one.text()) == one
    assert Flow.read((one + two).text()).text() == (one + two).text()
    assert len(one.rows()) == len(one.ways)


def test_owners_stand_in_order():
    """The table, players by number, teams; so p10 comes after p2."""
    owners = ["t1", "p10", "table", "p2", "p1", "t12", "t2"]
    spots = [Spot(owner, "VISIBLE", "A") for owner in owners]
    ordered = [spot.owner for spot in sorted(spots, key=Spot.order)]
    assert ordered == ["table", "p1", "p2", "p10", "t1", "t2", "t12"]


def test_rows():
    """A row says both locations, the change and the counts, in plain columns."""
    row = flow_of("leduc").rows()[0]
    assert row == {
        "source_owner": "table",
        "source_kind": "INVISIBLE",
        "source_name": "STOCK",
        "source_at": 0,
        "target_owner": "p1",
        "target_kind": "INVISIBLE",
        "target_name": "HAND",
        "target_at": 0,
        "change": "none",
        "cards": 1,
        "games": 1,
    }


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda data: data.update(version=2), "version 2.*newer"),
        (lambda data: data.update(format="x"), "format is 'x'"),
        (lambda data: data.pop("ways"), "KeyError"),
        (lambda data: data["places"][0].__setitem__(0, "q1"), "q1_"),
        (lambda data: data["places"][0].__setitem__(1, "OPEN"), "_OPEN_"),
        (lambda data: data["ways"][0].pop(), "not a recorded flow"),
    ],
)
def test_other_texts_are_refused(spoil, said):
    """A text that is no flow of this version is refused with what to do."""
    data = json.loads(flow_of("leduc").text())
    spoil(data)
    with pytest.raises(FlowError, match=said):
        Flow.read(json.dumps(data), "mine.json")
    with pytest.raises(FlowError, match=r"mine\.json is not a recorded flow.*again"):
        Flow.read("[", "mine.json")


def test_random_games_played_and_recorded_are_the_same(tmp_path):
    """Whoever plays them: the player `random`, its records, and the interpreter by itself."""
    plan = RunPlan(
        GameRef.of("leduc", engine="interpreter"), ("random",), ((0, 0),), 5, 1, detail="games"
    )
    run(plan, tmp_path / "run")
    game = loaded("leduc")
    rollouts = list(recorded(tmp_path / "run"))
    assert [seed for seed, _ in rollouts] == list(game_seeds(1, 5))
    assert record_flow(game, rollouts).games == 5
    again = played(game, game_seeds(3, 5), lambda: [RandomPlayer(), RandomPlayer()])
    assert record_flow(game, again) == record_flow(game, at_random(game_seeds(3, 5)))


def test_choices_of_another_game_are_refused():
    """Too few, too many, or out of range: the message says which game and why."""
    game = loaded("leduc")
    [(seed, choices)] = played(game, [9], lambda: [RandomPlayer(), RandomPlayer()])
    record_flow(game, [(seed, choices)])
    for wrong, said in (
        (choices[:-1], "goes on"),
        ((*choices, 0), "ends after"),
        ((7, *choices[1:]), "choice 1 is 7"),
    ):
        with pytest.raises(ChoicesError, match=rf"leduc, seed 9.*{said}"):
            record_flow(game, [(seed, wrong)])


def test_broken_games_are_counted_and_nothing_more():
    """Their moves are in no count; if no game ends, its error comes out."""
    game = Game.from_text(BREAKS, name="breaks")
    flow = record_flow(game, [(1, (0,)), (1, (1,)), (2, (0,))])
    assert (flow.games, flow.broken) == (2, 1)
    [(_, count)] = flow.ways
    assert count == Count(2, 2)
    with pytest.raises(GameError, match="choices 1"):
        record_flow(game, [(1, (1,))])


def test_counts_legend_and_dashes():
    """On demand, edges say the mean number of cards a game, and a legend says what is there."""
    flow = flow_of("rummy", 3)
    graph = flow_graph(flow, "Rummy", counts=True, legend=True, dashes=True)
    for edge, (_, count) in zip(graph.edges, flow.ways, strict=True):
        assert float(edge.label) == pytest.approx(count.cards / 3, abs=0.05)
    lines = {edge.colour: edge.line for edge in graph.edges}
    assert lines["red"] is LineStyle.DOTTED
    assert lines["green"] is LineStyle.SOLID
    said = {key.text for key in graph.legend}
    assert said >= {"seen by all", "refers to cards", "taken from open cards", "a deck starts here"}
    assert "given on unseen" not in said
    marks = {edge.colour for edge in graph.edges}
    assert {key.mark.colour for key in graph.legend if isinstance(key.mark, Edge)} == marks


def test_fills_and_borders():
    """As published; of others' cards the published diagrams have none, and the border is dashed."""
    graph = flow_graph(record_flow(Game.from_text(PEEPING), at_random([1])))
    looks = {node.lines[0]: (node.fill, node.width, node.border) for node in graph.nodes()}
    assert looks == {
        "STOCK": ("khaki", 3, LineStyle.SOLID),
        "PIT": ("khaki", 1, LineStyle.SOLID),
        "SEEN": ("#e5e5e5", 1, LineStyle.DOTTED),
        "HAND": ("lightblue", 1, LineStyle.SOLID),
        "BROW": ("lightblue", 1, LineStyle.DASHED),
    }
