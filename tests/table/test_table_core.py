"""Tables: one referee, several people, and what cannot be done at them."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec import structs

from broken_rules import BREAKS_ALONE
from cardwright.arena.entrants import player
from cardwright.arena.plan import GameRef
from cardwright.arena.referee import referee_game
from cardwright.game.errors import GameError, UndoError
from cardwright.players.kind import NO_TRUST
from cardwright.table.commands import CHANGES, TableCommands
from cardwright.table.setup import HUMAN, RulesText, SeatSetup, TableSetup
from cardwright.table.table import (
    GameOverError,
    NoSuchOptionError,
    NotYourTurnError,
    NoUndoError,
    SeatError,
    StaleError,
    Table,
    TableError,
)
from cardwright.table.thinker import Thinker
from deep import usually

if TYPE_CHECKING:
    from collections.abc import Sequence

ref_of = cache(lambda name, preset=None: GameRef.of(name, preset=preset, engine="interpreter"))
game_of = cache(lambda name, preset=None: ref_of(name, preset).load())


def table_of(
    name: str, players: Sequence[str] = (), seed: int = 3, preset: str | None = None, **changes: Any
) -> Table:
    """Return a table; of people, if no players are given."""
    ref, game = ref_of(name, preset), game_of(name, preset)
    setup = TableSetup.of_players(ref, seed, players or [HUMAN] * game.players)
    return Table(replace(setup, **changes), game=game)


def play_on(table: Table, chances: random.Random, decisions: int = 10**6) -> None:
    """Make so many decisions at random."""
    for _ in range(decisions):
        if table.due is None:
            return
        table.choose(table.due, table.number, chances.randrange(table.referee.option_count))


def told(table: Table) -> str:
    """Return everything that everybody is told, and what the server asks."""
    handler = TableCommands(table)
    seats = range(table.game.players)
    looks = [handler.handle({"do": "look", "who": seat, "since": 0}) for seat in seats]
    return json.dumps([*looks, handler.handle({"do": "due"})], sort_keys=True, allow_nan=False)


# One referee --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "spec"), [("hearts", "rule"), ("cribbage", "random"), ("coup", "first")]
)
def test_a_table_of_computer_players_is_the_game_of_the_referee(name: str, spec: str) -> None:
    """The thinker's players choose as in `referee_game`, decision by decision; so does it end.

    Players that look at nothing choose so at the table itself.
    """
    game = game_of(name)
    table = table_of(name, [spec] * game.players)
    thinker = Thinker(game, table.setup, [spec] * game.players, NO_TRUST)
    while table.due is not None:
        option = thinker.decide(table.choices, table.ordinal)
        assert table.option_at_once == (None if spec == "rule" else option)
        table.choose(table.due, table.number, option)
    players = [player(spec).build() for _ in range(game.players)]
    record = referee_game(game, 3, players, paired=True)
    assert table.choices == record.choices
    assert table.deciders == tuple(seat for seat, _, _ in record.decisions)
    over = table.scene(0).over
    assert over is not None
    assert (over.scores, over.ranks) == (record.scores, record.ranks)


@settings(max_examples=usually(6, 15))
@given(st.data())
def test_the_table_is_the_state_at_every_decision(data: st.DataObject) -> None:
    """Who is due, how many options there are and what a seat sees is as `State` says."""
    name = data.draw(st.sampled_from(["hearts", "rummy", "gofish", "bridge", "ninetyeight"]))
    game, seed = game_of(name), data.draw(st.integers(0, 2**64 - 1))
    table, state = table_of(name, seed=seed), game.start(seed)
    for _ in range(12):
        if state.player is None:
            break
        assert (table.due, table.referee.option_count) == (state.player, state.option_count)
        assert table.number == len(state.choices)
        view, scene = state.view(state.player), table.scene(state.player)
        held = {game.program.cards[face.id] for face in scene.hand}
        assert held <= {card for cards in view.locations.values() for card in cards}
        assert scene.decision is not None
        assert len(scene.decision.options) == len(view.options)
        assert table.scene((state.player + 1) % game.players).decision is None
        sent = scene.data()
        assert json.loads(json.dumps(sent, allow_nan=False)) == sent
        option = data.draw(st.integers(0, state.option_count - 1))
        state.play(option)
        table.choose(table.due or 0, table.number, option)


def test_the_end_is_told_to_all_with_the_seed_and_the_choices() -> None:
    """Before the end nobody is told the seed, nor which options were chosen."""
    table = table_of("kuhn", seed=77, watch="public")
    watchers: tuple[Any, ...] = (0, 1, "public")
    while table.due is not None:
        assert all(table.scene(who).over is None for who in watchers)
        play_on(table, random.Random(1), 1)
    for who in watchers:
        over = table.scene(who).data()["over"]
        assert (over["seed"], over["choices"]) == ("77", list(table.choices))
        assert over["words"].count("win") == 1


# What is refused ----------------------------------------------------------------------------


def test_answers_that_are_late_forged_or_out_of_turn_change_nothing() -> None:
    """Each is refused with an error of its own, and nothing that anybody is told changes."""
    table = table_of("hearts", practice=True)
    play_on(table, random.Random(2), 9)
    before, due, number = told(table), table.due or 0, table.number
    count = table.referee.option_count
    for seat, at, option, error in (
        (due, number - 1, 0, StaleError),
        (due, number + 1, 0, StaleError),
        ((due + 1) % 4, number, 0, NotYourTurnError),
        (due, number, count, NoSuchOptionError),
        (due, number, -1, NoSuchOptionError),
    ):
        with pytest.raises(error):
            table.choose(seat, at, option)
        assert told(table) == before
    play_on(table, random.Random(2))
    with pytest.raises(GameOverError):
        table.choose(0, table.number, 0)
    with pytest.raises(NoUndoError):
        table.undo(0)


BAD: tuple[dict[str, Any], ...] = (
    {"do": "choose", "seat": 0, "number": 0, "option": 2**70},
    {"do": "choose", "seat": 0, "number": 0, "option": -1},
    {"do": "choose", "seat": 9, "number": 0, "option": 0},
    {"do": "look", "who": 4, "since": 0}, {"do": "look", "who": "open", "since": 0},
    {"do": "look", "who": "no", "since": 0}, {"do": "undo", "seat": 0}, {"do": "undo", "seat": 7},
    {"do": "agree", "seat": 0, "yes": True},
    {"do": "sit", "seat": 0, "player": "nobody", "name": ""},
    {"do": "sit", "seat": 5, "player": None, "name": ""},
    {"do": "pace", "seat": 0, "pace": float("nan")}, {"do": "pace", "seat": 0, "pace": -1},
    {"do": "pace", "seat": 0, "pace": 1e9}, {"do": "pace", "seat": 8, "pace": 1},
    {"do": "why", "seat": 0, "card": 10**6}, {"do": "why", "seat": 9, "card": 0},
)  # fmt: skip


def test_a_table_refuses_what_is_not_there_or_not_allowed() -> None:
    """Wrong ranges and rights are refused with a code; nothing changes."""
    handler = TableCommands(table_of("hearts"))
    before = told(handler.table)
    for request in BAD:
        answer = handler.handle(request)
        assert set(answer) == {"error"}, request
        assert answer["error"]["code"] in {
            "invalid", "not-allowed", "conflict", "not-your-turn", "illegal-option",
        }  # fmt: skip
        assert 0 < len(answer["error"]["message"]) < 400
    assert told(handler.table) == before


def test_a_choice_that_breaks_a_rule_is_not_made() -> None:
    """The handler says what happened, and nothing of the seed; another choice can be made."""
    setup = TableSetup(RulesText(BREAKS_ALONE), 123456789, (SeatSetup("person"),))
    handler = TableCommands(Table(setup))
    assert "error" not in handler.handle({"do": "choose", "seat": 0, "number": 0, "option": 0})
    before = told(handler.table)
    answer = handler.handle({"do": "choose", "seat": 0, "number": 1, "option": 1})
    assert answer["error"]["code"] == "broken"
    assert "division" in answer["error"]["message"]
    assert "123456789" not in answer["error"]["message"]
    assert told(handler.table) == before
    with pytest.raises(GameError):
        handler.table.choose(0, 1, 1)
    handler.table.choose(0, 1, 0)
    assert handler.table.number == 2


# Taking back --------------------------------------------------------------------------------


def names(table: Table, seat: int) -> list[str]:
    return [event.kind for event in table.events(seat)]


def test_people_have_to_agree_before_moves_are_taken_back() -> None:
    """Each of the other people is waited for; computer players are not asked."""
    table = table_of("hearts", [HUMAN, HUMAN, "random", HUMAN], practice=True)
    play_on(table, random.Random(1), 6)
    number = max(at for at, seat in enumerate(table.deciders) if seat == 0)
    table.undo(0)
    assert table.number == 6
    scene = table.scene(3).undo
    assert (scene.asked_by, scene.number, scene.waiting_for) == (0, number, (1, 3))
    assert not scene.possible
    with pytest.raises(NoUndoError, match="asked for that already"):
        table.undo(1)
    with pytest.raises(NoUndoError, match="waits for your answer"):
        table.agree(0, yes=True)
    table.agree(3, yes=True)
    assert table.number == 6
    table.agree(1, yes=True)
    assert (table.number, table.due) == (number, 0)
    nothing = structs.replace(scene, possible=True, asked_by=None, number=None, waiting_for=())
    assert table.scene(1).undo == nothing
    assert names(table, 1) == ["move"] * 6 + ["table"] * 4
    assert len(table.account(1).moves) == number


def test_one_no_is_enough_and_a_new_move_cancels() -> None:
    """Then nothing is taken back, and can be asked for again."""
    table = table_of("hearts", practice=True)
    play_on(table, random.Random(1), 6)
    table.undo(1)
    table.agree(2, yes=False)
    assert table.scene(0).undo.asked_by is None
    table.undo(1)
    play_on(table, random.Random(1), 1)
    assert table.scene(0).undo.asked_by is None
    assert table.number == 7


def test_who_leaves_is_not_waited_for() -> None:
    """A computer player that takes a seat agrees; a request of somebody who left is dropped."""
    table = table_of("hearts", [HUMAN, HUMAN, "random", "random"], practice=True)
    play_on(table, random.Random(1), 6)
    table.undo(0)
    table.sit(1, "random", "")
    assert table.number < 6
    play_on(table, random.Random(1), 4)
    table.sit(1, None, "Ann")
    number = table.number
    table.undo(0)
    table.sit(0, "random", "")
    assert (table.number, table.scene(1).undo.asked_by) == (number, None)


def test_moves_stand_where_the_table_is_not_for_practice() -> None:
    """Nor can a person take back who has decided nothing, or a seat without a person."""
    with pytest.raises(UndoError, match="practice"):
        table_of("hearts").undo(0)
    table = table_of("hearts", ["random", HUMAN, HUMAN, HUMAN], practice=True)
    assert not table.scene(1).undo.possible
    with pytest.raises(NoUndoError, match="not decided anything"):
        table.undo(1)
    with pytest.raises(SeatError, match="no person"):
        table.undo(0)


@settings(max_examples=usually(5, 12))
@given(st.integers(0, 2**32), st.sampled_from(["hearts", "cribbage", "rummy"]))
def test_after_undo_the_same_choices_give_the_same_account(seed: int, name: str) -> None:
    """However often moves are taken back, also over copies of the referee that are kept."""
    chances = random.Random(seed)
    players = [HUMAN] + ["random"] * (game_of(name).players - 1)
    plain, other = (table_of(name, players, practice=True) for _ in range(2))
    play_on(plain, random.Random(seed), 40)
    while other.choices != plain.choices:
        if 0 in other.deciders and chances.random() < 0.1:
            other.undo(0)
        else:
            other.choose(other.due or 0, other.number, plain.choices[other.number])
    for seat in range(plain.game.players):
        assert plain.scene(seat) == other.scene(seat)
        assert plain.account(seat).moves == other.account(seat).moves


# New cards ------------------------------------------------------------------------------------


def test_cards_that_have_come_are_new_until_the_next_choice() -> None:
    """Those passed by another are; those dealt, and those of others' hands, are not."""
    table = table_of("hearts", preset="standard")
    chances = random.Random(1)
    held: dict[int, set[int]] = {}
    passed = 0
    while table.scene(0).deal < 3:
        seat = table.due or 0
        scene = table.scene(seat)
        hand = {face.id for face in scene.hand}
        came = hand - held.get(seat, hand)
        assert set(scene.new) == (came if len(came) < len(hand) else set())
        passed += bool(scene.new)
        option = chances.randrange(table.referee.option_count)
        left = {card.id for card in table.referee.options()[option].cards}
        held[seat] = hand - left
        table.choose(seat, table.number, option)
    assert passed == 2 * table.game.players


def test_what_is_stored_under_the_name_of_a_place_is_told_beside_it() -> None:
    """A clue stands at the places of the cards that it names, for their holder too."""
    table = table_of("hanabi")
    places = {pile.place: pile.name for pile in table.scene(1).seats[1].piles}
    assert set(places.values()) == {"1st", "2nd", "3rd", "4th", "5th"}
    for _ in range(3):
        clues = [option.words for option in table.referee.options()]
        table.choose(
            table.due or 0, table.number, clues.index(next(c for c in clues if "tell" in c))
        )
    for seat in (0, 1):
        piles = table.scene(seat).seats[1].piles
        assert "red" in {pile.note for pile in piles}
        assert [pile.name for pile in piles] == list(places.values())


# Who sits where -----------------------------------------------------------------------------


def test_a_computer_player_takes_a_seat_and_the_person_comes_back() -> None:
    """Everybody is told, with the name; the seat's account goes on."""
    table = table_of("hearts")
    table.rename(2, "Zoë")
    table.sit(2, "rule", "")
    seat = table.scene(0).seats[2]
    assert (seat.kind, seat.player, seat.name) == ("computer", "rule", "Zoë")
    assert TableCommands(table).handle({"do": "due"})["kind"] == "person"
    table.sit(2, None, "")
    assert table.scene(0).seats[2].kind == "person"
    assert names(table, 0) == ["table"] * 3
    assert [event.seat for event in table.events(0)] == [2, None, 2]


def test_the_same_commands_make_the_same_table() -> None:
    """A record of the setup and the commands brings a table back, to the byte, and its versions."""
    setup = TableSetup.of_players(ref_of("hearts"), 5, [HUMAN] * 4, practice=True)
    setup = TableSetup.of_data(json.loads(json.dumps(setup.data())))
    handler, commands, chances = TableCommands(Table(setup)), [], random.Random(3)
    for _ in range(60):
        due = handler.handle({"do": "due"})
        seat = chances.randrange(4)
        command: dict[str, Any] = chances.choice([
            {"do": "choose", "seat": due["seat"], "number": due["number"], "option": 0},
            {"do": "choose", "seat": due["seat"], "number": due["number"], "option": 1},
            {"do": "undo", "seat": seat},
            {"do": "agree", "seat": seat, "yes": chances.random() < 0.9},
            {"do": "sit", "seat": seat, "player": chances.choice([None, "random"]), "name": ""},
            {"do": "name", "seat": seat, "name": chances.choice(["Ann", "Bob"])},
            {"do": "pace", "seat": seat, "pace": 0.5},
        ])  # fmt: skip
        assert command["do"] in CHANGES
        if "error" not in handler.handle(command):
            commands.append(command)
    again = TableCommands(Table(setup))
    for command in commands:
        assert "error" not in again.handle(json.loads(json.dumps(command)))
    assert told(again.table) == told(handler.table)
    assert handler.table.version(0) >= len(commands) > 20


# Spectators ---------------------------------------------------------------------------------


def test_spectators_see_what_the_table_allows_and_nothing_else() -> None:
    """Public ones see no hand, open ones all; nobody sees more than the setting says."""
    table = table_of("hearts", watch="public")
    assert table.scene("public").hand == ()
    assert all(seat.hand == () and seat.cards == 13 for seat in table.scene("public").seats)
    for who in ("open", "delayed", "no"):
        with pytest.raises(TableError):
            table.scene(who)  # type: ignore[arg-type]
    table = table_of("hearts", watch="open")
    for seat in range(4):
        assert not any(one.hand for one in table.scene("open").seats)
        assert TableCommands(table).handle({"do": "open", "seat": seat, "yes": True}) == {
            "number": 0
        }
    assert all(len(seat.hand) == 13 and not seat.cards for seat in table.scene("open").seats)
    with pytest.raises(TableError):
        table.events("public")


def test_delayed_spectators_see_hands_of_finished_deals_only() -> None:
    """During a deal they see the end of the one before; at the end of the game, all of it."""
    table = table_of("hearts", preset="standard", watch="delayed")
    chances = random.Random(5)
    seen = {table.scene("delayed").number}
    while table.due is not None:
        deals = len(table.referee.book.deals)
        scene = table.scene("delayed")
        seen.add(scene.number)
        if not deals:
            assert scene.number == 0
            assert table.events("delayed") == ()
            assert all(seat.hand == () for seat in scene.seats)
        else:
            assert scene.deal == deals
            assert scene.number < table.number
            assert all(event.number < scene.number for event in table.events("delayed"))
        play_on(table, chances, 1)
    assert len(seen) == len(table.referee.book.deals)
    assert table.scene("delayed").number == table.number == len(table.events("delayed"))


def test_a_deal_that_spectators_have_seen_cannot_be_taken_back() -> None:
    """Who has seen all hands could tell; within the next deal moves can be taken back."""
    table = table_of("hearts", [HUMAN, *["random"] * 3], preset="standard",
                     watch="delayed", practice=True)  # fmt: skip
    chances = random.Random(5)
    while not table.referee.book.deals:
        play_on(table, chances, 1)
    number = table.number
    with pytest.raises(NoUndoError, match="spectators have seen"):
        table.undo(0)
    while 0 not in table.deciders[number:]:
        play_on(table, chances, 1)
    table.undo(0)
    assert table.number >= number


def test_an_unknown_request_is_an_error_of_its_own_kind() -> None:
    """Codes are those that clients know."""
    assert {kind.code for kind in (StaleError, NotYourTurnError, GameOverError)} == {
        "stale", "not-your-turn", "game-over"
    }  # fmt: skip
