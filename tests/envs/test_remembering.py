"""What observations of environments remember of the choices made so far."""

from __future__ import annotations

import numpy as np
import pytest

from cardwright import Game
from cardwright.envs.games import remembering
from cardwright.envs.gymnasium import SeatEnv
from cardwright.envs.gymnasium_vector import BatchEnv
from cardwright.envs.pettingzoo import raw_env
from cardwright.game.find import library_names
from deep import some_games


def recalled(layout, row, seat, players):
    """Who chose what, from the first choice, as an observation says it."""
    seen = [name for name, value in zip(layout.columns, row, strict=True) if value]
    found = []
    for ago in range(layout.history, 0, -1):
        words = [name.removeprefix(f"{ago} ago") for name in seen if name.startswith(f"{ago} ago")]
        who = [word for word in words if word.startswith(" me")]
        cards = [word.removeprefix(": ") for word in words if word.startswith(": ")]
        if who:
            number = int(who[0].removeprefix(" me") or 0)
            found.append(((seat + number) % players, *cards))
    return found


def test_who_played_what_can_be_read_from_the_last_observation_of_hearts():
    """So a player can see who has not followed which suit; what lies there does not say it."""
    table, played = SeatEnv("hearts", opponents="random", seat=1), []
    seen, _ = table.reset(seed=3)
    ended = False
    while not ended:
        last, state = seen["observation"], table.game_state.copy()
        seen, _, ended, _, _ = table.step(seen["action_mask"].argmax())
    names = [table.game.namer.card(card) for card in table.game.cards]
    for decision in state.record(1):
        ((_, card),) = decision.content.picks
        played.append((decision.seat, names[card]))
    assert len(played) > 40
    assert recalled(table.layout, last, 1, 4) == played
    voids = set()
    for trick in range(0, len(played), 4):
        suits = [(seat, card.split()[-1]) for seat, card in played[trick : trick + 4]]
        voids |= {(seat, suits[0][1]) for seat, suit in suits if suit != suits[0][1]}
    assert voids


def test_bids_are_remembered():
    """A choice that moves no card is told by its branch and by what it names."""
    table = raw_env("ohhell")
    table.reset(seed=1)
    for _ in range(4):
        seen = table.observe(table.agent_selection)
        table.step(int(np.flatnonzero(seen["action_mask"])[1]))
    seat = table.possible_agents.index(table.agent_selection)
    row = table.observe(table.agent_selection)["observation"]
    for ago in range(1, 5):
        ((_, bid),) = table.game_state.record(seat)[-ago].content.picks
        column = table.layout.columns.index(f"{ago} ago N")
        assert row[column] * table.layout.scales[column] == pytest.approx(bid)
        assert bid > 0


@pytest.mark.parametrize("name", some_games(library_names()))
def test_memory_is_bounded(name):
    """It is of one choice for each card and twelve more, and at most of 64."""
    game = Game.load(name)
    layout = remembering(game, None)
    assert layout.history == min(len(game.cards) + 12, 64)
    assert len(set(layout.columns)) == layout.size < 20_000


def test_memory_may_be_of_any_length():
    game = Game.load("leduc")
    for made in (raw_env, SeatEnv):
        for history in (0, 1, 9):
            table = made(game, history=history)
            assert table.layout == game.observation_layout(history)
            table.reset(seed=1)
            agent = table.possible_agents[0] if made is raw_env else None
            space = table.observation_space(agent) if agent else table.observation_space
            assert space["observation"].shape == (table.layout.size,)
        with pytest.raises(ValueError, match="0 or more of the latest choices, not -1"):
            made(game, history=-1)


@pytest.mark.parametrize("opponents", [None, "random", "rule", lambda seen, masks: masks.argmax(1)])
def test_vectors_remember_the_choices_of_all_seats(opponents):
    tables = BatchEnv(3, "hearts", opponents=opponents, seat=0 if opponents is None else 2)
    assert tables.layout == remembering(tables.game, None)
    seen, infos = tables.reset(seed=4)
    for _ in range(9):
        for at in range(3):
            found = recalled(tables.layout, seen["observation"][at], infos["seat"][at], 4)
            lying = tables._batch.state(at).locations()
            played = [
                card
                for place in lying
                if place.name in {"TRICK", "TRICKSWON"}
                for card in lying[place]
            ]
            assert sorted(card for _, card in found) == sorted(map(tables.game.namer.card, played))
        seen, _, _, _, infos = tables.step(seen["action_mask"].argmax(axis=1))
    assert BatchEnv(2, "hearts", history=0).layout == tables.game.observation
