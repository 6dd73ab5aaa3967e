"""Games side by side come out as one after the other, whatever bots do in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from season_folders import ANY, FIRST, LAST

from cardwright.jobs.files import pack
from cardwright.league import tables as league_tables
from cardwright.league.bot_process import BotProcess
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BLOCK, BotText, SeasonPlan
from cardwright.league.run import play_block
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.league.tables import ConcurrentTables
from cardwright.sandbox.levels import strongest
from cardwright.sandbox.limits import SandboxLevel

LEVEL = strongest().level
PATIENT = BotLimits(move=0.03, grace=0.03, bank=0.06, start=2.0, faults=3, restarts=2)

pytestmark = pytest.mark.skipif(
    LEVEL < SandboxLevel.CONFINED, reason="no sandbox for untrusted bots here"
)

REMEMBERS = """
import random
moves = 0
def getPlay(state):
    global moves
    moves += 1
    {body}
    return (moves + random.randrange(99)) % len(state.legalMoves)
getSluff = getPlay
"""
"""A bot whose every answer depends on all that it was asked before, and on all that it drew."""

EXIT = "random._os._exit(3)"
MISDEEDS = {
    "raise": (
        "assert moves != 20",
        "assert moves < 20 or state.gamePoints[0] > 60",
        "return 99 if moves % 9 == 0 else moves % len(state.legalMoves)",
    ),
    "die": (
        f"moves == 20 and state.gamePoints[3] < 9 and {EXIT}",
        f"moves > 20 and state.hand[0] == 7 and {EXIT}",
        "moves > 30 and state.hand[0] % 5 == 1 and bytearray(10**10)",
    ),
    "do not answer": (
        "\n    while moves == 20 and state.hand[0] < 13: pass",
        (
            "if moves == 20 and state.hand[0] < 13:\n"
            "        for n in range(3, 64):\n"
            "            try: random._os.write(n, b'x' * 99)\n"
            "            except OSError: pass"
        ),
    ),
}


@pytest.fixture(autouse=True)
def _one_block(monkeypatch):
    """The games of a season are one block, however few the first blocks have."""
    monkeypatch.setattr("cardwright.league.plan.FIRST_BLOCK", BLOCK)


@pytest.fixture(scope="module")
def dealer():
    return Dealer(LeagueRules.CODE)


def plan_of(*sources, games=7, tables=5, limits=PATIENT, **options):
    bots = [BotText(f"b{n}", "me", f"b{n}.py", source) for n, source in enumerate(sources)]
    bots += [BotText("r", "us", "builtin:random")] * (4 - len(bots))
    schedule = np.array([np.roll(range(4), game) for game in range(games)], np.int32)
    return SeasonPlan(
        "S",
        LeagueRules.CODE,
        3,
        tuple(bots),
        schedule,
        limits,
        int(LEVEL),
        tables=tables,
        **options,
    )


def outcome(plan, dealer):
    return play_block(plan, dealer, 0).untimed()


def assert_same(plan, dealer):
    """Play a plan side by side and one game after the other, and return the one result."""
    together, one_by_one = outcome(plan, dealer), outcome(replace(plan, tables=1), dealer)
    assert together.faults == one_by_one.faults
    assert pack(together) == pack(one_by_one)
    return together


@pytest.mark.parametrize("misdeeds", MISDEEDS.values(), ids=MISDEEDS)
def test_what_a_bot_does_wrong_stays_at_its_table(dealer, misdeeds):
    """All bots remember; each but the last fails in some games, as it does when it is alone."""
    bots = [REMEMBERS.format(body=body) for body in (*misdeeds, "pass")]
    block = assert_same(plan_of(*bots), dealer)
    wrong = {(fault.seat - fault.game) % 4 for fault in block.faults}
    assert wrong == set(range(len(misdeeds)))


def test_a_bot_is_suspended_in_the_games_after_those_that_it_has_forfeited(dealer):
    """Games that were begun meanwhile are played anew without it."""
    broken = "import nothing_like_this\n"
    block = assert_same(plan_of(broken, REMEMBERS.format(body="pass"), FIRST, LAST), dealer)
    kinds = [fault.kind for fault in block.faults]
    assert kinds == ["raised"] * 3 + ["suspended"] * 4


def test_a_bot_that_forfeits_now_and_then_is_not_suspended(dealer):
    """Whether three in a row are forfeited depends on the order of games alone."""
    some = REMEMBERS.format(body="assert moves < 40 or state.whichPlayer % 2")
    block = assert_same(plan_of(some, FIRST, games=10), dealer)
    assert {fault.kind for fault in block.faults if fault.forfeit} == {"raised"}


def test_a_bot_that_needs_its_memory_for_one_game_has_it(dealer):
    """Five of its games do not go into one process: so they are played one after the other."""
    large = "kept = bytearray(60 << 20)\n" + REMEMBERS.format(body="pass")
    block = assert_same(plan_of(large, limits=replace(PATIENT, memory=256)), dealer)
    assert not block.faults


def test_generators_of_numpy_go_on_at_each_table(dealer):
    draws = "import numpy\n" + REMEMBERS.format(body="pass").replace(
        "random.randrange(99)", "numpy.random.randint(99)"
    )
    assert_same(plan_of(draws, draws), dealer)


def test_one_bot_in_several_seats_of_several_tables(dealer):
    source = REMEMBERS.format(body="assert moves != 30")
    plan = plan_of(source, ANY)
    schedule = np.array([[0, 1, 0, 0], [0, 0, 1, 1], [1, 0, 0, 2], [0, 0, 0, 0]] * 2, np.int32)
    assert_same(replace(plan, schedule=schedule), dealer)


def test_seats_of_one_table_never_share_a_process(dealer, monkeypatch):
    """Nor do two bots of one file: what is asked together are seats of different tables."""
    seen = []

    def ask(bot_process, bots):
        seen.append(
            (bot_process, [id(bot._plays) for bot in bots], {bot.bot_process for bot in bots})
        )
        return asked(bot_process, bots)

    asked = BotProcess.ask
    monkeypatch.setattr(BotProcess, "ask", ask)
    plan = plan_of(FIRST, FIRST)
    play_block(replace(plan, schedule=np.array([[0, 0, 1, 1]] * 6, np.int32)), dealer, 0)
    assert max(len(tables) for _, tables, _ in seen) > 3
    for bot_process, tables, bot_processes in seen:
        assert len(set(tables)) == len(tables)
        assert bot_processes == {bot_process}
    assert len({bot_process for bot_process, _, _ in seen}) == 4


def test_more_processes_than_are_kept_change_nothing(dealer, monkeypatch):
    plan = plan_of(*(REMEMBERS.format(body="pass") for _ in range(4)))
    before = outcome(plan, dealer)
    monkeypatch.setattr(league_tables, "KEPT", 1)
    assert pack(outcome(plan, dealer)) == pack(before)


def test_library_players_sit_beside_bots_at_every_table(dealer):
    plan = plan_of(REMEMBERS.format(body="pass"), ANY)
    bots = (*plan.bots[:2], BotText("l", "us", "builtin:rule"), plan.bots[3])
    assert_same(replace(plan, bots=bots), dealer)


def test_a_bot_that_hangs_costs_no_more_at_many_tables_than_at_one(dealer, monkeypatch):
    """While a bot is in doubt it goes on in the first game alone, until it is suspended."""
    lives = []

    def ask(bot_process, bots):
        answered = asked(bot_process, bots)
        lives.append(bot_process.life)
        return answered

    asked = BotProcess.ask
    monkeypatch.setattr(BotProcess, "ask", ask)
    hangs = REMEMBERS.format(body="\n    while moves >= 20: pass")
    plan = plan_of(hangs, limits=replace(PATIENT, restarts=0), games=12, tables=12)
    block = outcome(plan, dealer)
    assert [fault.kind for fault in block.faults] == ["late"] * 3 + ["suspended"] * 9
    assert max(lives) == 4  # once with all tables in it, and then one by one


def test_questions_of_many_tables_go_in_one_message(dealer, monkeypatch):
    """That is what tables side by side are for."""
    counts = []

    def ask(bot_process, bots):
        counts.append(len(bots))
        return asked(bot_process, bots)

    asked = BotProcess.ask
    monkeypatch.setattr(BotProcess, "ask", ask)
    plan = plan_of(FIRST, LAST, FIRST, LAST, games=24, tables=24)
    play_block(plan, dealer, 0)
    assert sum(counts) / len(counts) > 6


def test_trusted_bots_need_one_table(dealer):
    plan = replace(plan_of(FIRST), level=0)
    tables = ConcurrentTables(plan, dealer)
    assert len(tables._free) == 1
