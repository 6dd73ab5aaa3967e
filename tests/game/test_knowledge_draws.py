"""Determinisation within what a seat knows: uniform, the same by both engines, never telltale."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from cardwright import Game, GameError, Stream
from cardwright.game.board import Redeal
from cardwright.game.errors import EngineError
from cardwright.game.information.knowledge import Knowledge, KnowledgeMode, at_first_sight
from cardwright.game.whereabouts import Backs, Whereabouts
from cardwright.interpreter.machine import GameLimits
from cardwright.program.cards import Seat
from cardwright.syntax.source import Source
from deep import mostly_deep, usually
from generated import programs

DEALT = """(game
 (setup (create players 4)
  (create deck (game iloc STOCK) (deck (VAL (A, B, C, D, E))))
  {red})
 (do (
  (all (range 2 .. 4) 'N (move (top (game iloc STOCK)) (top (('N player) iloc HAND))))))
 (choice ((turn pass)))
 (scoring max 0))"""

RED = """(create deck RED ((2 player) hloc SECRET) (deck (VAL (X, Y))))
  (create deck RED ((3 player) hloc SECRET) (deck (VAL (Z))))"""


def dealt(red=False, engine="interpreter"):
    text = DEALT.format(red=RED if red else "")
    return Game.from_source(Source("dealt", text), engine=engine).start(1)


def narrowed(state, wanted):
    """Return what p1 knows at first sight, with some cards narrowed to places by letter."""
    names = {"2": (1, "HAND"), "3": (2, "HAND"), "4": (3, "HAND"), "x": (1, "SECRET"),
             "z": (2, "SECRET"), "s": (state.game.program.table, "STOCK")}  # fmt: skip
    knowledge = at_first_sight(state._board.world(), Seat(0))
    masks = list(knowledge.masks)
    for card in state.game.cards:
        if letters := wanted.get(card.attributes["VAL"]):
            places = [names[letter] for letter in letters]
            masks[card.id] = sum(
                1 << at
                for at, place in enumerate(knowledge.places)
                if (place.owner, place.name) in places
            )
    return Knowledge(knowledge.seat, knowledge.places, tuple(masks))


def lying(board):
    """Return which cards lie where, positions and all."""
    return tuple((p.location, tuple(p.cards)) for p in board.world().touched())


def all_deals(state, knowledge):
    """Return every deal that is allowed, found by trying all."""
    world = state._board.world()
    backs = [card.back for card in state.game.cards]
    places = [(pile.location, at) for pile in world.touched() for at in range(len(pile.cards))]
    lay = [card for pile in world.touched() for card in pile.cards]
    deals = set()
    for cards in permutations(lay):
        if all(
            backs[card] == backs[old] and knowledge.may_lie(card, place)
            for card, old, (place, _) in zip(cards, lay, places, strict=True)
        ):
            at = iter(cards)
            deals.add(
                tuple(
                    (p.location, tuple(p.arranged([next(at) for _ in p.cards])))
                    for p in world.touched()
                )
            )
    return deals


CONSTRAINTS = [
    (False, {}),  # all is loose: five cards over three hands and a stock of two
    (False, {"A": "23", "B": "34s"}),
    (False, {"A": "2", "B": "34", "C": "34s"}),
    # Only by going round do three cards change places, or four.
    (False, {"A": "23", "B": "34", "C": "42", "D": "s", "E": "s"}),
    (False, {"A": "23", "B": "34", "C": "4s", "D": "s2", "E": "s"}),
    (True, {}),  # two backs, loose
    (True, {"A": "23", "B": "34", "C": "42", "D": "s", "E": "s", "X": "x"}),
]


@pytest.mark.sweep
@pytest.mark.parametrize(("red", "wanted"), CONSTRAINTS)
@pytest.mark.parametrize("how", ["anew", "on"])
def test_every_deal_is_equally_likely(red: bool, wanted: dict, how: str) -> None:
    """By chains begun anew, and by the next worlds of one chain, which are not independent.

    Of one chain only every fifth world counts.
    """
    state = dealt(red)
    knowledge = narrowed(state, wanted)
    redeal = Redeal(knowledge.seat, KnowledgeMode.CONSISTENT, knowledge)
    expected = all_deals(state, knowledge)
    stream, counts = Stream(5), Counter()
    each = max(15, min(60, usually(1_500, 4_000) // len(expected)))
    world = state._board.worlds(redeal, stream)
    for _ in range(each * len(expected)):
        if how == "anew":
            world = state._board.worlds(redeal, stream)
        else:
            for _ in range(4):
                world()
        counts[lying(world())] += 1
    assert set(counts) == expected
    free = len(expected) - 1
    square = sum((counts[deal] - each) ** 2 / each for deal in expected)
    # Wilson and Hilferty's approximation to the quantile 0.999 of chi-square.
    limit = free * (1 - 2 / (9 * free) + 3.0902 * (2 / (9 * free)) ** 0.5) ** 3
    assert square < limit


@pytest.mark.sweep
@pytest.mark.parametrize(("red", "wanted"), CONSTRAINTS)
def test_both_engines_draw_alike_in_small_games(red: bool, wanted: dict) -> None:
    boards = [dealt(red, engine)._board for engine in ("interpreter", "native")]
    knowledge = narrowed(dealt(red), wanted)
    redeal = Redeal(knowledge.seat, KnowledgeMode.CONSISTENT, knowledge)
    streams = Stream(3), Stream(3)
    chains = [b.worlds(redeal, s) for b, s in zip(boards, streams, strict=True)]
    for _ in range(40):
        mine, theirs = (chain() for chain in chains)
        assert lying(mine) == lying(theirs)
        assert mine.world().where == theirs.world().where
        assert mine.world().stream.words == theirs.world().stream.words
        assert streams[0].words == streams[1].words


@pytest.mark.parametrize(
    "name",
    mostly_deep(["hearts", "durak", "gofish", "lostcities"], {"hearts", "gofish"}.__contains__),
)
def test_both_engines_agree(name: str) -> None:
    """What is known, what is drawn, and how rollouts end."""
    state = Game.load(name).start(9)
    twin = state.game.with_engine("interpreter").start(9)
    stream = Stream(9)
    while not state.finished and len(state.choices) < 50:
        if len(state.choices) % 12 == 0:
            for seat in range(state.game.players):
                assert state.knowledge(seat) == twin.knowledge(seat)
                assert state.record(seat) == twin.record(seat)
                streams = Stream(seat), Stream(seat)
                other, another = (
                    one.determinise(seat, drawn, "consistent")
                    for one, drawn in zip((state, twin), streams, strict=True)
                )
                assert other.locations() == another.locations()
                assert other == another
                assert streams[0].words == streams[1].words
        choice = stream.below(state.option_count)
        state.play(choice)
        twin.play(choice)
    streams = Stream(1), Stream(1)
    mine, theirs = (
        one.rollouts(4, drawn, seat=0, mode="consistent")
        for one, drawn in zip((state, twin), streams, strict=True)
    )
    assert mine == theirs
    assert streams[0].words == streams[1].words


@pytest.mark.slow
@settings(max_examples=usually(5, 40), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1), st.integers(0, 2))
def test_seat_cannot_tell(text: str, seed: int, seat: int) -> None:
    """In generated games the seat sees the same in an imagined state, and no card is lost."""
    game = Game.from_source(
        Source("generated", text), limits=GameLimits(300, 20), engine="interpreter"
    )
    stream = Stream(seed)
    try:
        state = game.start(seed)
        while not state.finished:
            compare(state, seat, stream)
            state.play(stream.below(state.option_count))
    except GameError:
        assume(False)


def compare(state, seat, stream):
    try:
        other = state.determinise(seat, stream, "consistent")
    except GameError:
        return
    mine, theirs = state.view(seat), other.view(seat)
    for field in ("locations", "integers", "strings", "points", "player"):
        assert getattr(mine, field) == getattr(theirs, field), field
    real = [
        {place: cards for place, cards in one.locations().items() if place.kind != "mem"}
        for one in (state, other)
    ]
    held = [sorted(card.id for cards in each.values() for card in cards) for each in real]
    assert held[0] == held[1] == list(range(len(state.game.cards)))
    knowledge = state.knowledge(seat)
    for place, cards in real[1].items():
        assert all(knowledge.may_lie(card.id, place) for card in cards)


def test_what_follows_from_numbers() -> None:
    """If only one card can be at a place for one, it is there; a full place takes no other."""
    state = dealt()
    program = state.game.program
    whereabouts = Whereabouts(program, Backs(program))
    whereabouts.look_at(state._board.world())
    wanted = {"A": "2", "B": "23s", "C": "3s", "D": "s", "E": "s4"}
    whereabouts.tell(narrowed(state, wanted))
    found = Knowledge(Seat(0), whereabouts.places, tuple(whereabouts.concluded(0)))
    assert found == narrowed(state, {"A": "2", "B": "3s", "C": "3s", "D": "s", "E": "4"})


def test_the_draw_depends_on_what_is_known_alone() -> None:
    """From all states that a seat cannot tell apart, the same stream makes the same deal."""
    state, stream = Game.load("hearts").start(8), Stream(8)
    for _ in range(30):
        state.play(stream.below(state.option_count))
    other = state.determinise(2, Stream(1), "consistent")
    assert other.locations() != state.locations()
    first = state.determinise(2, Stream(9), "consistent")
    second = other.determinise(2, Stream(9), "consistent")
    assert first.locations() == second.locations()


def test_many_rollouts_are_one_chain() -> None:
    """Rollouts that the native engine does in several calls are those of one."""
    state, stream = Game.load("kuhn").start(2), Stream(5)
    many = state.rollouts(2_300, stream, seat=0, mode="consistent")
    twin = state.game.with_engine("interpreter").start(2)
    other = Stream(5)
    assert twin.rollouts(2_300, other, seat=0, mode="consistent") == many
    assert other.words == stream.words
    assert state.rollouts(0, stream, seat=0, mode="consistent").count == 0


def test_tables_for_kernels() -> None:
    """A bit for each slot; without memory there is no table, and none but for native games."""
    state = Game.load("hearts").replay(8, [0] * 20)
    assert state.allowed(1, "basic") is None
    table = state.allowed(1, "consistent")
    assert table is not None
    slots = state._board.engine.native.layout.places.locations
    words = -(-len(slots) // 64)
    for card, places in enumerate(state.knowledge(1).possible):
        mask = int.from_bytes(table[8 * words * card : 8 * words * (card + 1)], "little")
        assert {place for at, place in enumerate(slots) if mask >> at & 1} == places
    with pytest.raises(EngineError, match="native"):
        state.game.with_engine("interpreter").start(1).allowed(0, "consistent")


def test_the_table_of_what_all_saw() -> None:
    """In mode known a card that all saw going to a hand can only be there."""
    state, stream = Game.load("gofish").start(2), Stream(2)
    while not any(p.known for p in state._board.world().touched()):
        state.play(stream.below(state.option_count))
    table = state.allowed(0, "known")
    assert table is not None
    piles = state._board.world().touched()
    known = [card for pile in piles if pile.location.owner != 0 for card in pile.known]
    words = len(table) // len(state.game.cards)
    for card in known:
        mask = int.from_bytes(table[words * card : words * (card + 1)], "little")
        assert mask.bit_count() == 1
