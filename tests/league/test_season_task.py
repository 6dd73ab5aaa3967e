"""Blocks of a season: what comes of them depends on the plan alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from season_folders import ANY, FIRST, LAST

from cardwright.jobs.files import pack
from cardwright.league import tables
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BotText, SeasonPlan
from cardwright.league.run import PlayBlocks, play_block
from cardwright.league.settings import LeagueRules
from cardwright.sandbox import levels

RANDOM = BotText("r", "us", "builtin:random")
SPECS = {"first": FIRST, "last": LAST, "any": ANY}


def plan_of(*bots, games=6, schedule=None, **options):
    texts = [
        BotText(bot, "me", f"{bot}.py", SPECS[bot]) if isinstance(bot, str) else bot for bot in bots
    ]
    if schedule is None:
        rows = np.arange(4) % len(texts)
        schedule = np.array([np.roll(rows, game) for game in range(games)], np.int32)
    return SeasonPlan("S", LeagueRules.CODE, 5, tuple(texts), schedule, **options)


@pytest.fixture(scope="module")
def dealer():
    return Dealer(LeagueRules.CODE)


def same(one, other):
    return pack(one.untimed()) == pack(other.untimed())


def test_random_seats_draw_the_same_wherever_they_sit(dealer):
    """All four random, the block is played by machine code; with a bot among them, one by one."""
    plan = plan_of(RANDOM, RANDOM, RANDOM, RANDOM)
    bulk = play_block(plan, dealer, 0)
    first = plan_of(
        RANDOM, "first", games=8, schedule=np.array([[0] * 4, [0] * 4, [1] * 4], np.int32)
    )
    mixed = play_block(first, dealer, 0)
    rows = int(bulk.rounds[:2].sum())
    assert mixed.rounds[:2].tolist() == bulk.rounds[:2].tolist()
    assert (mixed.plays[:rows] == bulk.plays[:rows]).all()


def test_a_block_comes_out_the_same_again_and_elsewhere(dealer):
    plan = plan_of("first", "last", "any", RANDOM)
    block = play_block(plan, dealer, 0)
    assert same(block, play_block(plan, Dealer(LeagueRules.CODE), 0))
    sent = pickle.loads(pickle.dumps(PlayBlocks(plan)))
    ((number, again),) = sent(range(1)).items()
    assert number == 0
    assert same(block, again)


def test_bots_of_one_entry_in_several_seats_share_nothing(dealer):
    """Each counts its own cards: 39 of every round are passed or played by others."""
    counter = (
        "n = 0\ndef getPlay(s):\n    global n\n    n += 1\n"
        "    assert n % 13 == (14 - len(s.hand)) % 13, n\n"
        "    return 0\ndef getSluff(s):\n    return 0\n"
    )
    text = BotText("c", "me", "c.py", counter)
    alone = plan_of(text, RANDOM, schedule=np.array([[0, 1, 1, 1]], np.int32))
    assert not play_block(alone, dealer, 0).faults
    together = plan_of(text, schedule=np.zeros((1, 4), np.int32))
    assert not play_block(together, dealer, 0).faults


def test_library_players_sit_beside_bots(dealer):
    plan = plan_of("first", BotText("r", "us", "builtin:rule"), RANDOM, "last")
    block = play_block(plan, dealer, 0)
    assert not block.faults
    assert block.timings.entries.tolist() == [0, 3]


def test_a_bot_is_suspended_for_its_block_and_not_for_the_next(dealer):
    broken = BotText("b", "me", "b.py", "import nothing_like_this\n")
    plan = plan_of(broken, RANDOM, schedule=np.array([[0, 1, 1, 1]] * 12, np.int32), together=6)
    for number in range(2):
        kinds = [fault.kind for fault in play_block(plan, dealer, number).faults]
        assert kinds == ["raised"] * 3 + ["suspended"] * 3


def test_more_bots_than_are_kept_change_nothing(dealer, monkeypatch):
    plan = plan_of("first", "last", "any", RANDOM)
    before = play_block(plan, dealer, 0)
    monkeypatch.setattr(tables, "KEPT", 1)
    assert same(before, play_block(plan, dealer, 0))


def test_a_machine_without_the_season_s_sandbox_plays_nothing(monkeypatch):
    """As one of a cluster may be: there all bots would lose, and nobody would know why."""
    monkeypatch.setattr(
        levels, "strongest", lambda: levels.AvailableLevel(levels.SandboxLevel.LIMITS, ())
    )
    for level in (0, 1):
        assert PlayBlocks(plan_of("first", level=level))(range(1))
    with pytest.raises(levels.LevelError, match=r"level 2 .* this machine offers only level 1"):
        PlayBlocks(plan_of("first", level=2))(range(1))
