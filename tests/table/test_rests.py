"""Tables that rest after a deal: what is seen then, who goes on, and what may not be known yet."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from cardwright.arena.plan import GameRef
from cardwright.game.game import Game
from cardwright.game.wording.phrases import GameWords, ResultWords
from cardwright.table.commands import TableCommands
from cardwright.table.replay import GameReplay
from cardwright.table.scene import SceneResult
from cardwright.table.setup import RulesText, SeatSetup, TableSetup
from cardwright.table.table import RestingError, SeatError, StaleError, Table
from two_deals import TWO_DEALS

MOON = 118
"""A seed at which the third player shoots the moon, if cards are played as by `_play`."""

_RANKS = (
    "TWO",
    "THREE",
    "FOUR",
    "FIVE",
    "SIX",
    "SEVEN",
    "EIGHT",
    "NINE",
    "TEN",
    "J",
    "Q",
    "K",
    "A",
)
ref_of = cache(lambda name, **declared: GameRef.of(name, declared=declared, engine="interpreter"))
game_of = cache(lambda name, **declared: ref_of(name, **declared).load())


def _table(*kinds: str, seed: int = MOON, **changes: Any) -> Table:
    """Return a table of Hearts for three, of two deals, that rests between them."""
    rules = {"ROUNDS": 2, "END": 0, "PLAYERS": 3, "MOON": "PLUS"}
    names = ("Ann", "Ben", "Cleo")
    seats = tuple(
        SeatSetup("person", name=name)
        if kind == "person"
        else SeatSetup("computer", "random", name)
        for kind, name in zip(kinds, names, strict=True)
    )
    setup = TableSetup(ref_of("hearts", **rules), seed, seats, **changes)
    return Table(setup, game=game_of("hearts", **rules), rests=True)


def _play(table: Table) -> None:
    """Make a decision: the first player plays its highest card, the others their lowest."""
    options = table.referee.options()

    def rank(option: Any) -> int:
        return _RANKS.index(option.cards[0].attributes["RANK"])

    best = (max if table.due == 0 else min)(options, key=rank)
    assert table.due is not None
    table.choose(table.due, table.number, best.index)


def _to_rest(table: Table) -> Table:
    while table.resting is None:
        _play(table)
    return table


def test_a_moon_is_a_feat_of_who_has_shot_it():
    """As the words of the game declare it; one that was taken back is none."""
    table = _to_rest(_table("person", "computer", "computer", practice=True))
    assert table.feats() == {"moons shot": (0, 0, 1)}
    table.go_on(0, 1)
    assert table.feats() == {"moons shot": (0, 0, 1)}
    while table.resting != 2 and table.due is not None:
        _play(table)
    assert table.feats()["moons shot"][2] >= 1
    table.undo(0)
    while table.number > 40:
        table.undo(0)
    assert table.feats() == {"moons shot": (0, 0, 0)}


def test_the_last_trick_lies_there_with_the_points_and_the_moon():
    """Nobody is due, no new card is seen, and all that the deal has brought is told."""
    table = _to_rest(_table("person", "person", "computer"))
    for who in range(3):
        scene = table.scene(who)
        end = scene.deal_end
        assert end is not None
        assert (end.number, end.points, end.totals) == (1, (26, 26, 0), (26, 26, 0))
        has = "You have" if who == 2 else "Cleo has"
        assert end.results == (SceneResult(f"{has} shot the moon", "☾"),)
        assert end.waiting_for == (0, 1)
        assert (scene.due, scene.decision, scene.over, scene.deal) == (None, None, None, 1)
        assert scene.trick is not None
        assert len(scene.trick.cards) == 3
        assert scene.trick.winner == 2
        assert scene.hand == ()
        assert all(seat.cards == 0 and seat.hand == () for seat in scene.seats)
        assert tuple(seat.score for seat in scene.seats) == end.totals
        assert scene.sheet.deals == (end.points,)


def test_the_end_of_a_deal_is_told_before_the_next_one_begins():
    """The moon and the points belong to the last move; dealing is told when the table goes on."""
    table = _to_rest(_table("person", "computer", "computer"))
    *_, move, over = table.events(0)
    assert move.changes == (
        "Cleo takes the trick", "Cleo has shot the moon", "You get 26 points", "Ben gets 26 points",
    )  # fmt: skip
    assert not any("dealt" in line for line in move.told)
    assert (over.kind, over.seat) == ("deal", None)
    assert over.words == "Deal 1 is over"
    assert "You have shot the moon" in table.events(2)[-2].changes
    table.go_on(0, 1)
    begun = table.events(0)[-1]
    assert (begun.kind, begun.words) == ("deal", "Deal 2 begins")
    assert begun.changes == ("Everybody is dealt 17 cards",)
    assert len(table.scene(0).hand) == 17


def test_all_people_go_on_and_computer_players_do_not_count():
    table = _to_rest(_table("person", "person", "computer"))
    with pytest.raises(RestingError, match="go on to the next one"):
        _play(table)
    with pytest.raises(SeatError):
        table.go_on(2, 1)
    with pytest.raises(StaleError):
        table.go_on(0, 2)
    table.go_on(0, 1)
    table.go_on(0, 1)
    assert table.resting == 1
    shown = table.scene(0).deal_end
    assert shown is not None
    assert shown.waiting_for == (1,)
    table.go_on(1, 1)
    assert table.resting is None
    assert table.scene(0).deal_end is None
    with pytest.raises(StaleError):
        table.go_on(1, 1)
    _play(table)


def test_nobody_blocks_the_others():
    """Among several people a rest has a limit, and ends when the last one to wait for leaves."""
    limits = {
        kinds: _to_rest(_table(*kinds)).rest_seconds
        for kinds in (
            ("person", "computer", "computer"),
            ("person", "person", "computer"),
            ("computer",) * 3,
        )
    }
    assert list(limits.values()) == [None, 30.0, 4.0]
    table = _to_rest(_table("person", "person", "computer"))
    table.go_on(None, 1)  # as the server does when the time is over
    assert table.resting is None
    table = _to_rest(_table("person", "person", "computer"))
    table.go_on(0, 1)
    table.sit(1, "random", "")
    assert table.resting is None


def test_a_move_that_ended_a_deal_can_be_taken_back():
    table = _to_rest(_table("person", "computer", "computer", practice=True))
    number = max(at for at, seat in enumerate(table.deciders) if seat == 0)
    table.undo(0)
    assert (table.resting, table.number) == (None, number)
    assert table.scene(0).deal_end is None
    _to_rest(table)
    table.go_on(0, 1)
    assert table.scene(0).deal == 2


def test_the_same_commands_make_the_same_table():
    """A table that is brought back from what was done rests where it did, and goes on alike."""
    commands = []
    first, second = (
        _table("person", "computer", "computer"),
        _table("person", "computer", "computer"),
    )
    handlers = TableCommands(first), TableCommands(second)
    while first.due is not None:
        if first.resting is not None:
            due = handlers[0].handle({"do": "due"})
            assert (due["seat"], due["player"], due["rest"]) == (None, None, 1)
            commands.append({"do": "go-on", "seat": 0, "deal": first.resting})
        else:
            due = {"seat": first.due, "number": first.number}
            commands.append({"do": "choose", **due, "option": 0})
        assert "error" not in handlers[0].handle(commands[-1])
    for command in commands:
        assert "error" not in handlers[1].handle(command)
    look = {"do": "look", "who": 0, "since": 0}
    assert handlers[0].handle(look) == handlers[1].handle(look)
    end = first.scene(0).deal_end
    assert end is not None
    assert (end.number, end.totals) == (2, first.referee.totals())


def test_a_deal_of_other_games_ends_with_what_lay_there():
    """Where there are no tricks, hands are those of the last decision, each seen by its owner."""
    people = (SeatSetup("person", name="Ann"), SeatSetup("person", name="Ben"))
    table = Table(TableSetup(RulesText(TWO_DEALS, "two"), 1, people), rests=True)
    before = [table.scene(seat).hand for seat in range(2)]
    table.choose(0, 0, 1)
    table.choose(1, 1, 0)
    assert table.resting == 1
    for seat in range(2):
        scene = table.scene(seat)
        assert scene.hand == before[seat]
        assert scene.seats[1 - seat].hand == ()
        assert scene.deal_end is not None
        assert (scene.deal_end.points, scene.deal_end.results) == ((2, 1), ())
    table.go_on(0, 1)
    table.go_on(1, 1)
    assert table.scene(0).deal == 2


def test_what_a_deal_has_brought_is_said_by_the_words_of_its_game():
    """Of each owner for whom a condition on stored values and constants holds, in its order."""
    game = Game.from_text(TWO_DEALS.replace("(setup", "(declare 2 'MOST)\n(setup", 1))
    game.words = GameWords(
        results=(
            ResultWords("(== 'BID 'MOST)", "bid all, {BID:trick}", "player", "!"),
            ResultWords("(== 'DEALS 1)", "{DEALS:deal} of 2"),
            ResultWords("(== 'NONE 1)", "have no such value", "team"),
        )
    )
    people = (SeatSetup("person", name="Ann"), SeatSetup("person", name="Ben"))
    table = Table(TableSetup(RulesText(TWO_DEALS, "two"), 1, people), game=game, rests=True)
    table.choose(0, 0, 0)
    table.choose(1, 1, 1)
    for seat, who in enumerate(("Ben bids", "You bid")):
        end = table.scene(seat).deal_end
        assert end is not None
        assert [(one.sign, one.words) for one in end.results] == [
            ("!", f"{who} all, 2 tricks"), ("", "1 deal of 2"),
        ]  # fmt: skip


def test_a_replay_and_a_terminal_are_told_all_at_once():
    """At tables that do not rest a move tells the end of its deal, then the next deal."""
    table = _to_rest(_table("person", "computer", "computer"))
    replay = GameReplay(table.game, MOON, table.choices, 0, ("Ann", "Ben", "Cleo"))
    event = replay.frame(table.number).event
    assert event is not None
    assert "Cleo has shot the moon" in event.changes
    assert event.begun == ("Deal 1 is over", "Everybody is dealt 17 cards")
    assert replay.event_data(event)["changes"] == [*event.changes, *event.begun]
