"""How the time of sandboxed bots is measured, and what becomes of bots that measure it wrongly."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from cardwright.interpreter.stream import Stream
from cardwright.league.bot_process import BotProcess, SandboxedBot
from cardwright.league.bot_runtime import PublicTable
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BotText, SeasonPlan
from cardwright.league.play import finished
from cardwright.league.run import play_block
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.sandbox.levels import strongest
from cardwright.sandbox.limits import SandboxLevel

LEVEL = strongest().level
LITTLE = BotLimits(move=0.02, grace=0.02, bank=0.06, start=2.0, faults=3, restarts=1)

pytestmark = pytest.mark.skipif(
    LEVEL < SandboxLevel.CONFINED, reason="no sandbox for untrusted bots here"
)

SPINS = """
import random
time = random._os.sys.modules["time"]
def spin(seconds=0.15):
    begun = time.process_time()
    while time.process_time() - begun < seconds: pass
{head}
def getSluff(state):
    return 0
def getPlay(state):
    {body}
    return 0
"""

OUTER = """
def outer():
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while not hasattr(frame.f_locals.get("self"), "runtimes"):
        frame = frame.f_back
    return frame.f_locals["self"]
served = outer()
"""
"""The beginning of a bot that finds what it is asked by, with all its games."""

TAMPERS = f"""
{OUTER}
def slow(served):
    last = [time.process_time_ns() + 10_000_000]
    def clock():
        last[0] += 1000
        return last[0]
    return clock
type(served).__call__.__defaults__ = (slow(served),)
"""
"""It lets the clock of its process tell a microsecond a move."""


@pytest.fixture(scope="module")
def dealer():
    return Dealer(LeagueRules.CODE)


def faults(dealer, body, head="", *, games=3, tables=3, limits=LITTLE):
    bots = [BotText("b", "me", "b.py", SPINS.format(body=body, head=head))]
    bots += [BotText("r", "us", "builtin:random")] * 3
    schedule = np.array([range(4)] * games, np.int32)
    plan = SeasonPlan(
        "S", LeagueRules.CODE, 3, tuple(bots), schedule, limits, int(LEVEL), tables=tables
    )
    return play_block(plan, dealer, 0).faults


async def started(bot, seat):
    return await bot.begin(seat, Stream(seat), PublicTable())


async def asked(bot, seconds=10.0):
    return await bot.ask(1, seconds, play=True)


LAST = "len(state.hand) == 1 and max(state.gamePoints) == 0"
"""True once a game, in the last trick of the first round."""


@pytest.mark.parametrize("tables", [1, 3])
def test_a_bot_that_only_waits_is_not_late(dealer, tables):
    """It waits longer than its bank has time: so does every bot on a busy machine."""
    assert not faults(dealer, f"{LAST} and time.sleep(0.3)", tables=tables)


@pytest.mark.parametrize("tables", [1, 3])
def test_a_bot_that_computes_too_long_is_late(dealer, tables):
    """It is, if it does not answer in its time, and also if it does, together with others."""
    found = faults(dealer, f"{LAST} and spin()", tables=tables)
    assert [(one.kind, one.game, one.forfeit) for one in found] == [
        ("late", game, False) for game in range(3)
    ]
    assert {one.message for one in found} == {
        "gave no answer in 100 ms of processor time, all that it had left, and was ended"
    }


def test_a_bot_that_never_stops_waiting_is_ended(dealer):
    found = faults(dealer, f"{LAST} and time.sleep(600)", games=1, limits=SLEEPY)
    assert [(one.kind, one.forfeit) for one in found] == [("slept", False)]
    assert found[0].message.startswith("did not compute while it was asked: its process slept for")
    assert found[0].message.endswith("s of this game, and 0.2 s are allowed")


SLEEPY = replace(LITTLE, sleep=0.2)


@pytest.mark.parametrize("tables", [1, 3])
def test_a_bot_that_sleeps_a_little_for_every_move_forfeits(dealer, tables):
    """No single message takes long; what counts is how long it is in a game."""
    found = faults(dealer, "time.sleep(0.2)", tables=tables, limits=SLEEPY)
    assert {one.kind for one in found} == {"slept"}
    assert [one.game for one in found if one.forfeit] == [0, 1, 2]


def test_a_bot_that_sleeps_at_its_start_takes_the_time_from_that(dealer):
    limits = replace(LITTLE, start=0.3, starts=0)
    found = faults(dealer, "pass", "time.sleep(600)", games=1, limits=limits)
    assert [(one.kind, one.forfeit) for one in found] == [("slept", True)]
    assert found[0].message.startswith("slept while it had to start, for more than 0.3 s")


GONE = "len(state.hand) == 5 and len(served.runtimes) > 1 and random._os._exit(0)"
"""Ends the process when there are other games in it, which takes no part in any of them."""


def test_a_process_that_ends_only_with_several_games_in_it_is_one_fault(dealer):
    """It comes back in none of the games; after that the bot has one game at a time."""
    found = faults(dealer, GONE, OUTER, games=9)
    assert [(one.kind, one.game) for one in found] == [("died", 2)]
    assert found[0].message == (
        "was lost while it played several games, in none of them alone: ended with exit code 0"
    )


def test_to_think_while_questions_are_repeated_is_no_gift(dealer):
    """The process ends, and is told again what was asked: then it takes longer than before."""
    thinks = "len(state.hand) == 8 and len(served.runtimes) == 1 and spin(1.0)"
    found = faults(dealer, f"{GONE}\n    {thinks}", OUTER)
    assert found[0].kind == "late"
    assert "when its moves of this game were repeated, which had taken 0" in found[0].message


def test_to_think_a_little_while_questions_are_repeated_comes_out_of_the_bank(dealer):
    """It is the time of the answer for which they were repeated."""
    source = SPINS.format(head=OUTER, body="len(served.runtimes) == 1 and spin(0.1)")
    limits = BotLimits(bank=60)
    with closing(BotProcess(BotText("b", "me", "b.py", source), LEVEL, limits)) as bot_process:
        bots = [SandboxedBot(bot_process, table) for table in range(2)]
        for seat, bot in enumerate(bots):
            finished(started(bot, seat))
        bots[0].deal(1, [0] * 4, list(range(13)))
        for _ in range(3):
            assert finished(asked(bots[0])) == 0
            assert bots[0].took_ns < 1e8
        bot_process.close()
        assert finished(asked(bots[0])) == 0
        assert bots[0].took_ns >= 3.5e8


def test_a_move_in_a_message_of_several_is_judged_by_itself():
    """The process goes on: who has taken longer than it may is lost, and the others are not."""
    source = SPINS.format(body="state.whichPlayer == 1 and spin()", head="")
    slow = BotLimits(bank=60)
    with closing(BotProcess(BotText("b", "me", "b.py", source), LEVEL, slow)) as bot_process:
        bots = [SandboxedBot(bot_process, table) for table in range(3)]
        for seat, bot in enumerate(bots):
            finished(started(bot, seat))
            bot.deal(1, [0] * 4, list(range(13)))
        questions = [asked(bot, 0.1) for bot in bots]
        assert [question.send(None) for question in questions] == [(bot,) for bot in bots]
        assert bot_process.ask(bots)
        assert [bot.failed and bot.failed.kind for bot in bots] == [None, "late", None]
        assert 1.5e8 <= bots[1].took_ns < 3e8
        assert max(bots[0].took_ns, bots[2].took_ns) < 1e8
        assert bot_process.life == 1


def test_a_clock_that_was_changed_inside_makes_nobody_quicker(dealer):
    """What a process has used is measured from outside, and counts where its clock says less."""
    body = "len(state.hand) == 1 and spin(0.08)"
    honest = faults(dealer, body, games=1)
    changed = faults(dealer, body, TAMPERS, games=1)
    assert (honest[0].kind, honest[0].round) == (changed[0].kind, changed[0].round) == ("late", 2)


def test_a_clock_that_runs_too_fast_tells_no_more_than_was_used(dealer):
    """Such a bot cannot break the records by a time that is none."""
    fast = TAMPERS.replace("+= 1000", "+= 10**18")
    bots = [BotText("b", "me", "b.py", SPINS.format(body="pass", head=fast))]
    bots += [BotText("r", "us", "builtin:random")] * 3
    plan = SeasonPlan(
        "S", LeagueRules.CODE, 3, tuple(bots), np.array([range(4)], np.int32), LITTLE, int(LEVEL)
    )
    block = play_block(plan, dealer, 0)
    assert block.timings.longest.max() < 10**9
