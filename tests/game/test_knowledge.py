"""What a seat knows: never what is false, and all that it has seen."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from cardwright import Game, GameError, IllegalOptionError, Stream
from cardwright.game.errors import NoRecordError
from cardwright.game.option import Content, SeenDecision, Unseen
from cardwright.interpreter.machine import GameLimits
from cardwright.library.catalogue import names
from cardwright.program.cards import CardId, Location, LocationKind, Seat
from cardwright.syntax.source import Source
from deep import some_games, usually
from generated import programs

HIDING = """(game
 (setup (create players 3)
  (create deck (game vloc ROW) (deck (VAL (A, B, C, D, E, F)))))
 (do (
  (repeat 2 (move (bottom (game vloc ROW)) (top ((2 player) iloc HAND))))
  (repeat 2 (move (bottom (game vloc ROW)) (top ((3 player) iloc HAND))))
  (repeat 1 (move (bottom (game vloc ROW)) (top (game hloc ASIDE))))
  (cycle next (2 player))))
 (stage player
  (end (== (game sto DONE) 8))
  (do ((inc (game sto DONE)) (cycle next (2 player))))
  (choice (
   (turn pass)
   ((> (size ((2 player) iloc HAND)) 0)
    (move (top ((2 player) iloc HAND)) (top (game hloc ASIDE))))
   ((> (size (game hloc ASIDE)) 0)
    (move (top (game hloc ASIDE)) (top ((2 player) iloc HAND))))
   ((and (> (size ((2 player) iloc HAND)) 0) (> (size (game hloc ASIDE)) 0))
    (swap (top ((2 player) iloc HAND)) (top (game hloc ASIDE))))
   ((> (size ((2 player) iloc HAND)) 0) (swap ((2 player) iloc HAND) ((3 player) iloc HAND)))
   (shuffle (game hloc ASIDE))
   ((> (size ((2 player) iloc HAND)) 0)
    (move (top ((2 player) iloc HAND)) (top (game vloc ROW))))
   ((and (> (size ((2 player) iloc HAND)) 0) (> (size (game vloc ROW)) 0))
    (swap ((2 player) iloc HAND) (game vloc ROW)))
   ((> (size ((1 player) iloc HAND)) 0)
    (move (top ((1 player) iloc HAND)) (top ((2 player) iloc HAND))))
   ((> (size (game vloc ROW)) 0)
    (move (top (game vloc ROW)) (top ((1 player) iloc HAND))))
   ((> (size ((2 player) iloc HAND)) 0)
    (swap (top ((2 player) iloc HAND)) (top ((3 player) iloc HAND)))))))
 (scoring max 0))"""

PASS, LAY, DRAW, SWAP, EXCHANGE, SHUFFLE, SHOW, TRADE, GIVE, TAKE, SWITCH = range(11)


def hiding(*choices):
    """Play the game above, in which only these actions happen."""
    game = Game.from_source(Source("hiding", HIDING), engine="interpreter")
    state = game.start(1)
    for wanted in choices:
        branches = [content.branch for content in state.contents()]
        state.play(branches.index(wanted))
    return state


def known(state, seat):
    """Say where each card may lie: h and j for the hands of p2 and p3, m for that of p1."""
    letters = {"ASIDE": "a", "ROW": "r"}
    return " ".join(
        "".join(sorted(letters.get(place.name) or "mhj"[place.owner] for place in places))
        for places in state.knowledge(seat).possible
    )


@pytest.mark.parametrize(
    ("choices", "first", "second", "third"),
    [
        # Six cards: two in each of the hands of p2 and p3, one aside, one in the row.
        ([], "h h j j a r", "h h j j a r", "h h j j a r"),
        # What p2 lays aside unseen may be either of its cards; p2 itself knows it.
        ([LAY], "ah ah j j a r", "h a j j a r", "ah ah j j a r"),
        # The only card of a place is known where it goes.
        ([DRAW], "h h j j h r", "h h j j h r", "h h j j h r"),
        # One of the two aside came back: p2 sees which.
        ([LAY, DRAW], "ah ah j j ah r", "h h j j a r", "ah ah j j ah r"),
        # What has been laid aside and shuffled is there still.
        ([LAY, SHUFFLE], "ah ah j j a r", "h a j j a r", "ah ah j j a r"),
        # A card is exchanged for the one aside: that one is in its hand for sure.
        ([SWAP], "ah ah j j h r", "h a j j h r", "ah ah j j h r"),
        # Hands are exchanged as they are.
        ([EXCHANGE], "j j h h a r", "j j h h a r", "j j h h a r"),
        ([LAY, EXCHANGE], "aj aj h h a r", "j a h h a r", "j a h h a r"),
        # A place that has been empty holds nothing from before.
        ([DRAW, EXCHANGE, LAY, SWITCH], "hj hj aj aj hj r", "j j j a h r", "j j j a h r"),
        # A card of one hand for a card of another: only their owners know which.
        ([SWITCH], "hj hj hj hj a r", "h j j h a r", "h j j h a r"),
        # What is shown is known, and so is the rest, as p2 has as many cards as before.
        ([LAY, SHOW], "r a j j a r", "r a j j a r", "r a j j a r"),
        # A hand against the open row: all know what came from it, and see the hand.
        ([LAY, TRADE], "r a j j a h", "r a j j a h", "r a j j a h"),
        # p1 takes a card from the row and hands it to p2, who lays it aside.
        ([TAKE, GIVE, LAY], "ah ah j j a ah", "h h j j a a", "ah ah j j a ah"),
    ],
)  # fmt: skip
def test_each_effect(choices: list[int], first: str, second: str, third: str) -> None:
    """Every way in which cards move is seen by each seat as it should be."""
    state = hiding(*choices)
    assert [known(state, seat) for seat in range(3)] == [first, second, third]


def true_places(state):
    return state._board.world().where


def check_truth(state):
    for seat in range(state.game.players):
        knowledge = state.knowledge(seat)
        wrong = [
            (card, place)
            for card, place in enumerate(true_places(state))
            if not knowledge.may_lie(card, place)
        ]
        assert not wrong, (seat, wrong)


@pytest.mark.parametrize("name", some_games(names()))
def test_the_truth_is_never_excluded(name: str) -> None:
    """Where a card really lies, it may lie for all that anybody knows: every game, some seeds."""
    follow(Game.load(name, engine="interpreter"), seeds=2)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "declared"),
    [
        ("hearts", {"preset": "standard", "END": 30}),
        ("hearts", {"PASS": 2, "CYCLE": ("SCATTER",), "PASSING": "SINGLY", "LOOK": 1}),
        ("hearts", {"FIRSTTRICK": "NEVER", "OPENING": "CLUB", "QUEENDUTY": "BOTH"}),
        ("hearts", {"PLAYERS": 6, "PACKS": 2, "WIDOW": 2, "WIDOWTO": "EXCHANGE"}),
        ("durak", {"PLAYERS": 4}),
        ("skitgubbe", {"PLAYERS": 2, "SEQUENCES": 1}),
        ("crazyeights", {"PLAYERS": 2}),
    ],
)
def test_the_truth_is_never_excluded_in_variants(name: str, declared: dict) -> None:
    follow(Game.load(name, engine="interpreter", **declared), seeds=2)


def follow(game, seeds, most=150):
    for seed in range(seeds):
        state, stream = game.start(seed), Stream(seed)
        while not state.finished and len(state.choices) < most:
            state.play(stream.below(state.option_count))
            if len(state.choices) % 5 == 0:
                check_truth(state)
        check_truth(state)


@pytest.mark.slow
@settings(max_examples=usually(5, 40), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1))
def test_the_truth_is_never_excluded_in_generated_games(text: str, seed: int) -> None:
    game = Game.from_source(
        Source("generated", text), limits=GameLimits(300, 30), engine="interpreter"
    )
    stream = Stream(seed)
    try:
        state = game.start(seed)
        while not state.finished:
            check_truth(state)
            state.play(stream.below(state.option_count))
    except GameError:
        assume(False)


# What games show ------------------------------------------------------------------------------


def suit(game, card):
    return game.cards[card].attributes["SUIT"]


def hand(seat):
    return Location(seat, LocationKind.INVISIBLE, "HAND")


@pytest.mark.parametrize("seed", range(4))
def test_who_does_not_follow_suit_has_none_of_it(seed: int) -> None:
    """In Hearts all see it, also when they determinise; and the player himself loses nothing."""
    game = Game.load("hearts")
    state, stream = game.start(seed), Stream(seed)
    voids = set()
    while not state.finished:
        seat, lead = state.player, state.string(None, "LEAD")
        state.play(stream.below(state.option_count))
        ((_, card),) = state.record((seat + 1) % 4)[-1].content.picks
        if lead not in {"NONE", suit(game, card)}:
            voids.add((seat, lead))
        for observer in range(4):
            knowledge = state.knowledge(observer)
            for void, of in voids:
                assert of not in {suit(game, held) for held in knowledge.at(hand(void))}
    assert voids


def test_a_leader_who_must_not_shows_that_he_had_to() -> None:
    """Who leads a heart before hearts are broken has nothing but hearts."""
    game = Game.load("hearts")
    for seed in range(400):
        state, stream = game.start(seed), Stream(seed)
        while not state.finished:
            seat, lead = state.player, state.string(None, "LEAD")
            broken = any(
                suit(game, card.id) == "HEARTS"
                for who in range(4)
                for card in state.cards(who, "vloc", "TRICKSWON")
            )
            state.play(stream.below(state.option_count))
            ((_, card),) = state.record(seat)[-1].content.picks
            if lead == "NONE" and suit(game, card) == "HEARTS" and not broken:
                held = state.knowledge((seat + 1) % 4).at(hand(seat))
                assert {suit(game, one) for one in held} == {"HEARTS"}
                return
    pytest.fail("no such lead was found")


def test_a_card_passed_is_known_until_it_is_played() -> None:
    """Only to who passed it; and after the next deal it is forgotten."""
    game = Game.load("hearts", preset="standard")
    state, stream = game.start(3), Stream(3)
    (_, passed) = state.contents()[5].picks[0]
    state.play(5)
    while state.contents()[0].picks[0][0] == "'CARDS":
        state.play(0)
    receiver = int(true_places(state)[passed[0]].owner)
    assert receiver == 1
    deals = 0
    while state.integer(None, "DEALS") == deals:
        lying = [card for card in passed if true_places(state)[card] == hand(receiver)]
        for card in lying:
            assert state.knowledge(0).possible[card] == {hand(receiver)}
            assert len(state.knowledge(2).possible[card]) > 1 or len(lying) < 3
        state.play(stream.below(state.option_count))
    spread = [len(places) for places in state.knowledge(0).possible]
    assert sorted(set(spread)) == [1, 3]
    assert spread.count(1) == 13


def test_an_asked_card_is_known_to_all() -> None:
    """In Go Fish cards handed over before all eyes are known until they are asked for again."""
    game = Game.load("gofish")
    state, stream = game.start(2), Stream(2)
    seen = 0
    while not state.finished:
        before = list(true_places(state))
        state.play(stream.below(state.option_count))
        for card, place in enumerate(true_places(state)):
            if before[card].name == place.name == "HAND" and before[card] != place:
                seen += 1
                for seat in range(game.players):
                    assert state.knowledge(seat).possible[card] == {place}
    assert seen > 5


@pytest.mark.parametrize(("name", "place"), [("durak", "ATTACK"), ("ginrummy", "DISCARD")])
def test_a_card_picked_up_is_known_while_it_is_held(name: str, place: str) -> None:
    """A seat that takes a card from the table is known to have it, until it leaves its hand."""
    state, stream = Game.load(name).start(4), Stream(4)
    held: dict[int, Location] = {}
    taken = 0
    while not state.finished and len(state.choices) < 70:
        before = list(true_places(state))
        state.play(stream.below(state.option_count))
        now = true_places(state)
        for card, (old, new) in enumerate(zip(before, now, strict=True)):
            if old.name == place and new.name == "HAND":
                held[card] = new
                taken += 1
        held = {card: where for card, where in held.items() if now[card] == where}
        for card, where in held.items():
            for seat in range(state.game.players):
                assert state.knowledge(seat).possible[card] == {where}
    assert taken


HIGHEST = """(game
 (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D)))))
 (do (
  (set (game points WORTH) (((VAL : A) 1) ((VAL : B) 2) ((VAL : C) 3) ((VAL : D) 4)))
  (shuffle (game iloc STOCK))
  (repeat 2 (move (top (game iloc STOCK)) (top ((2 player) iloc HAND))))
  (cycle next (2 player))))
 (stage player
  (end (== (game sto DONE) 1))
  (do ((inc (game sto DONE)) (cycle current (2 player))))
  (choice (
   (any (filter ((2 player) iloc HAND) 'C
     (all ((2 player) iloc HAND) 'D
      (>= (score 'C using (game points WORTH)) (score 'D using (game points WORTH))))) 'CARD
    (move 'CARD (top (game hloc ASIDE)))))))
 (choice ((turn pass)))
 (scoring max 0))"""


def test_nothing_is_learnt_from_what_was_not_seen() -> None:
    """Laying one's highest card face down does not show which it is, or what is below it."""
    game = Game.from_text(HIGHEST, engine="interpreter")
    after = [game.replay(seed, [0]) for seed in range(12)]
    assert len({tuple(true_places(state)) for state in after}) > 4
    assert len({state.knowledge(0) for state in after}) == 1


# States ---------------------------------------------------------------------------------------


def test_copies_go_on_apart() -> None:
    """A state and its copy share what is known until one of them goes on."""
    game = Game.load("hearts")
    state, stream = game.start(5), Stream(5)
    for _ in range(9):
        state.play(stream.below(state.option_count))
    before = state.knowledge(1)
    twin = state.copy()
    assert twin.knowledge(1) == before
    for _ in range(9):
        twin.play(stream.below(twin.option_count))
        check_truth(twin)
    assert state.knowledge(1) == before
    state.play(0)
    again = game.replay(5, state.choices)
    assert state.knowledge(1) == again.knowledge(1)
    assert state.record(1) == again.record(1)
    assert twin.knowledge(1) == game.replay(5, twin.choices).knowledge(1)


def test_when_it_is_asked_does_not_matter() -> None:
    """Asking after every decision gives what asking at the end gives."""
    game = Game.load("whist", engine="interpreter")
    state, stream = game.start(6), Stream(6)
    while not state.finished:
        state.play(stream.below(state.option_count))
        asked = [state.knowledge(seat) for seat in range(4)]
        assert asked == [game.replay(6, state.choices).knowledge(seat) for seat in range(4)]
        if len(state.choices) == usually(18, 30):
            return


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_an_imagined_state_goes_on_from_what_its_seat_knew(engine: str) -> None:
    """The truth of the imagined game is in it, and another seat knows what it then sees."""
    state, stream = Game.load("hearts", engine=engine).start(7), Stream(7)
    for _ in range(25):
        state.play(stream.below(state.option_count))
    other = state.determinise(2, stream, "consistent")
    assert other.knowledge(2).possible == state.knowledge(2).possible
    assert other.record(2) == state.record(2)
    twin = other.copy()
    while not other.finished:
        check_truth(other)
        other.play(stream.below(other.option_count))
    check_truth(other)
    assert len(other.record(2)) == 52
    assert len(twin.record(2)) == 25
    check_truth(twin)
    again = other.determinise(2, stream, "consistent")
    assert again.locations() == other.locations()


def test_no_record_where_nobody_can_know() -> None:
    state = Game.load("hearts").replay(1, [0] * 8)
    with pytest.raises(NoRecordError, match="has no record of p1"):
        state.determinise(0, Stream(1)).record(0)
    with pytest.raises(NoRecordError, match="has no record of p2"):
        state.determinise(0, Stream(1), "consistent").record(1)
    basic = state.determinise(0, Stream(1))
    assert {len(places) for places in basic.knowledge(0).possible} == {1, 3}
    check_truth(basic)
    for ask in (state.knowledge, state.record):
        with pytest.raises(IllegalOptionError, match="there is no seat"):
            ask(4)


def test_the_record_names_what_the_seat_saw() -> None:
    """Cards passed are named to the passer only, cards played to all.

    Others do not learn which of its cards, in their order, the passer took.
    """
    game = Game.load("hearts", preset="standard")
    state = game.start(3)
    (_, passed) = state.contents()[5].picks[0]
    state.play(5)
    assert state.record(0) == (SeenDecision(Seat(0), Content(0, (("'CARDS", passed),))),)
    assert state.record(3) == (SeenDecision(Seat(0), Content(0, (("'CARDS", Unseen(None)),))),)
    while len(state.choices) < 8:
        contents, seat = state.contents(), state.player
        state.play(state.option_count - 1)
        if len(state.choices) > 4:
            expected = SeenDecision(Seat(seat), contents[-1])
            assert all(state.record(one)[-1] == expected for one in range(4))


def test_what_is_known_as_text() -> None:
    """A line for each place; the cards that are sure to be there are marked."""
    state = hiding(LAY)
    assert state.knowledge(0).text(state.game).splitlines() == [
        "ROW: F!",
        "p2's HAND: A, B",
        "p3's HAND: C!, D!",
        "ASIDE: A, B, E!",
    ]
    assert state.knowledge(0).at(Location(Seat(0), LocationKind.HIDDEN, "X")) == ()
    assert not state.knowledge(0).may_lie(CardId(0), hand(0))
