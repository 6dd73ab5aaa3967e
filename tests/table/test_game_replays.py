"""Replays: every frame of a game, from any eyes, whatever the order in which they are asked for."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from broken_rules import BREAKS_ALONE
from cardwright.arena.plan import GameRef
from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.game import Game
from cardwright.table.replay import GameReplay
from cardwright.table.setup import TableSetup
from cardwright.table.table import Table
from deep import usually

if TYPE_CHECKING:
    from cardwright.table.replay import ReplayFrame

NAMES = ("Ann", "Ben", "Cid", "Dot")


@cache
def played() -> tuple[Game, tuple[int, ...]]:
    """Return Hearts with passing, and the choices of its first seventy decisions."""
    game = Game.variant("hearts", {}, "standard", engine="interpreter")
    state, chances = game.start(9), random.Random(4)
    for _ in range(70):
        state.play(chances.randrange(state.option_count))
    return game, tuple(state.choices)


def text(replay: GameReplay, frame: ReplayFrame) -> str:
    return json.dumps(replay.data(frame), allow_nan=False, sort_keys=True)


@pytest.mark.parametrize("seat", [None, 2])
def test_any_frame_can_be_asked_for_at_any_time(seat: int | None) -> None:
    """A frame is the same whether those before it were asked for or not, to the byte."""
    game, choices = played()
    whole = GameReplay(game, 9, choices, seat, NAMES)
    frames = [text(whole, frame) for frame in whole.frames()]
    assert len(frames) == len(whole) == 71
    for number in usually((70, 0, 33), (70, 0, 31, 32, 33, 64, 63, 65, 1, 70)):
        assert text(whole, whole.frame(number)) == frames[number]
        fresh = GameReplay(game, 9, choices, seat, NAMES)
        assert text(fresh, fresh.frame(number)) == frames[number]
    some = GameReplay(game, 9, choices, seat, NAMES)
    assert [text(some, frame) for frame in some.frames(40, 3)] == frames[40:43]
    told = [json.loads(frame)["event"] for frame in frames]
    assert [some.event_data(event) for event in some.events()] == told[1:]
    assert [json.loads(frame)["chosen"] for frame in frames] == [*choices, None]


def test_a_replay_shows_what_the_seat_saw_at_the_table() -> None:
    """Scenes are those of the table; events too, but that nobody is called `you`."""
    game, choices = played()
    ref = GameRef.of("hearts", preset="standard", engine="interpreter")
    setup = TableSetup.of_players(ref, 9, ["random"] * 4, NAMES)
    table = Table(setup, game=game, person=False)
    replay = GameReplay(game, 9, choices, 1, NAMES, preset="standard")
    for frame in replay.frames():
        there, here = table.scene(1), frame.scene
        assert [seat.hand for seat in there.seats] == [seat.hand for seat in here.seats]
        assert (there.hand, there.piles, there.trick) == (here.hand, here.piles, here.trick)
        assert (there.decision, there.sheet) == (here.decision, here.sheet)
        assert frame.event == (table.events(1)[-1] if frame.number else None)
        if frame.chosen is not None:
            table.choose(table.due or 0, table.number, frame.chosen)


def test_all_hands_show_every_decision() -> None:
    """Without a seat the hands of all are seen, and what whoever is due can choose."""
    game, choices = played()
    for frame in GameReplay(game, 9, choices).frames(0, 12):
        assert sum(len(seat.hand) for seat in frame.scene.seats) >= 40
        assert frame.scene.decision is not None
        assert frame.chosen is not None
        assert 0 <= frame.chosen < len(frame.scene.decision.options)


def test_frames_that_do_not_exist() -> None:
    """Numbers out of range, choices that the game does not have, and rules that break."""
    game, choices = played()
    replay = GameReplay(game, 9, (*choices[:5], 99))
    with pytest.raises(IndexError, match="they are 0 to 6"):
        replay.frame(7)
    with pytest.raises(IllegalOptionError, match="choice 5 of the game is option 99"):
        replay.frame(6)
    assert replay.frame(5).number == 5
    broken = GameReplay(Game.from_text(BREAKS_ALONE, engine="interpreter"), 1, (0, 1))
    with pytest.raises(GameError):
        broken.frame(2)
    assert broken.frame(1).number == 1
