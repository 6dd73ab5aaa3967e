"""Bots under the rules: whatever they do, a legal card is played, and what they did is noted."""

from __future__ import annotations

import time

import pytest

from cardwright.interpreter.stream import Stream
from cardwright.league.bot import Bot, LostError, RandomBot
from cardwright.league.bot_runtime import BotMistake, PublicTable
from cardwright.league.dealer import Dealer
from cardwright.league.plan import SUSPENDED_AFTER
from cardwright.league.play import MOST_NOTED, BotController, BotPenalties, finished, play_match
from cardwright.league.settings import BotLimits, BotLimitsError, LeagueRules

LEGAL = 0b1010100
"""Three cards of a hand."""


class Acting(Bot):
    """A bot that does what a function says, with the number of the move."""

    def __init__(self, act, start=None):
        self.act = act
        self.start = start
        self.moves = 0
        self.begun = 0

    async def begin(self, seat, stream, table):
        self.begun += 1
        if self.start is not None:
            self.start()

    async def ask(self, legal, seconds, *, play):
        self.moves += 1
        begun = time.thread_time_ns()
        try:
            return self.act(self.moves - 1)
        finally:
            self.took_ns = time.thread_time_ns() - begun


def raising(error):
    def act(*_):
        raise error

    return act


def seated(act, limits=None, penalties=None, **options):
    bot = Acting(act, options.pop("start", None))
    controller = BotController(bot, penalties or BotPenalties(), limits or BotLimits(), **options)
    finished(controller.begin(3, 2, 99, PublicTable()))
    controller.deal(1, [0] * 4, list(range(13)))
    return controller


def choose(controller, turn=12):
    return finished(controller.choose(LEGAL, turn, play=True))


def test_an_answer_is_taken():
    controller = seated(lambda move: move)
    assert [choose(controller) for _ in range(3)] == [0, 1, 2]
    assert not controller.faults


@pytest.mark.parametrize("answer", [-1, 3, 99, -(10**30)])
def test_an_index_outside_is_noted_but_does_not_count(answer):
    controller = seated(lambda _: answer, BotLimits(faults=0))
    drawn = [choose(controller, turn) for turn in range(12, 64)]
    assert set(drawn) == {0, 1, 2}
    assert not controller.forfeited
    assert len(controller.faults) == MOST_NOTED
    first = controller.faults[0]
    assert (first.game, first.seat, first.round, first.turn) == (3, 2, 1, 12)
    assert (first.kind, first.counts, first.forfeit) == ("index", False, False)
    assert "3 legal cards" in first.message
    assert len(first.message) < 100


def test_a_fault_that_does_not_count_is_noted_as_an_index_outside_is():
    controller = seated(raising(BotMistake("index", "no card")), BotLimits(faults=0))
    drawn = {choose(controller) for _ in range(40)}
    assert drawn == {0, 1, 2}
    assert not controller.forfeited
    first = controller.faults[0]
    assert (first.kind, first.message, first.counts) == ("index", "no card", False)


def test_cards_of_the_referee_come_from_the_chances_of_the_seat_alone():
    draws = [[choose(one) for _ in range(40)] for one in (seated(raising(BotMistake("raised", ""))),
                                                          seated(lambda _: -1))]  # fmt: skip
    assert draws[0] == draws[1]
    own = Stream.of_seat(99, 2)
    assert draws[0] != [own.below(3) for _ in range(40)]


@pytest.mark.parametrize("borne", [0, 1, 4])
def test_more_faults_than_are_borne_forfeit_the_game(borne):
    controller = seated(raising(BotMistake("raised", "so it is")), BotLimits(faults=borne))
    for _ in range(10):
        choose(controller)
    assert controller.bot.moves == borne + 1
    assert controller.forfeited
    assert [fault.forfeit for fault in controller.faults] == [False] * borne + [True]
    assert {fault.message for fault in controller.faults} == {"so it is"}


def test_a_bot_that_is_lost_too_often_forfeits_though_more_faults_are_borne():
    controller = seated(raising(LostError("died", "it")), BotLimits(faults=9, restarts=2))
    for _ in range(10):
        choose(controller)
    assert controller.bot.moves == 3
    assert [fault.kind for fault in controller.faults] == ["died"] * 3


def test_a_lost_bot_is_revived_before_its_next_move_and_that_takes_no_time_of_it(monkeypatch):
    now = [0]
    monkeypatch.setattr(time, "thread_time_ns", lambda: now[0])
    losses = iter([LostError("late", ""), None, None])

    def act(_):
        if error := next(losses):
            raise error
        return 0

    async def revive():
        revived.append(controller.bot.moves)
        now[0] += 30_000_000

    controller = seated(act, BotLimits(move=0.005, grace=0, bank=0, restarts=2))
    revived = []
    controller.bot.revive = revive
    for _ in range(3):
        choose(controller)
    assert revived == [1]
    assert [fault.kind for fault in controller.faults] == ["late"]


def test_a_bot_that_cannot_be_revived_is_lost_again():
    controller = seated(raising(LostError("died", "once")), BotLimits(restarts=2))
    controller.bot.revive = raising(LostError("died", "again"))
    for _ in range(4):
        choose(controller)
    assert [fault.message for fault in controller.faults] == ["once", "again", "again"]
    assert controller.bot.moves == 1
    assert controller.forfeited


def test_a_bot_that_cannot_be_started_forfeits_at_once():
    controller = seated(lambda _: 0, start=raising(BotMistake("raised", "no such thing")))
    assert controller.forfeited
    assert (controller.faults[0].round, controller.faults[0].turn) == (0, -1)
    choose(controller)
    assert controller.bot.moves == 0


def test_a_bot_that_forfeits_game_after_game_is_suspended():
    penalties = BotPenalties()
    for game in range(SUSPENDED_AFTER + 2):
        controller = seated(
            lambda _: 0, penalties=penalties, start=raising(BotMistake("raised", ""))
        )
        controller.end()
        assert controller.bot.begun == int(game < SUSPENDED_AFTER)
        assert [fault.kind for fault in controller.faults] == [
            "raised" if game < SUSPENDED_AFTER else "suspended"
        ]


def test_a_game_played_to_its_end_makes_good_for_forfeits():
    penalties = BotPenalties()
    for game in range(12):
        fails = game % SUSPENDED_AFTER != 0
        start = raising(BotMistake("raised", "")) if fails else None
        controller = seated(lambda _: 0, penalties=penalties, start=start)
        controller.end()
        assert controller.bot.begun == 1


def test_time_beyond_a_move_comes_out_of_the_bank_of_the_game(monkeypatch):
    now = [0]
    monkeypatch.setattr(time, "thread_time_ns", lambda: now[0])

    def act(_):
        now[0] += 12_000_000
        return 0

    controller = seated(act, BotLimits(move=0.002, grace=0, bank=0.025, faults=99))
    for _ in range(5):
        assert choose(controller) == 0
    assert len(controller.faults) == 3
    assert {fault.kind for fault in controller.faults} == {"late"}
    assert "took 12 ms of processor time for a move that may take 2" in controller.faults[0].message


def test_whoever_is_not_timed_may_think():
    def act(_):
        time.sleep(0.003)
        return 0

    controller = seated(act, BotLimits(move=0.001, grace=0, bank=0), timed=False)
    choose(controller)
    assert not controller.faults


def test_the_time_left_is_what_a_bot_is_asked_within():
    given = []

    class Asked(Acting):
        async def ask(self, legal, seconds, *, play):
            given.append(seconds)
            return 0

    controller = BotController(
        Asked(None), BotPenalties(), BotLimits(move=0.03, grace=0.01, bank=2)
    )
    finished(controller.begin(0, 0, 0, PublicTable()))
    choose(controller)
    assert given == [pytest.approx(2.04)]


def test_times_are_counted():
    penalties = BotPenalties()
    controller = seated(lambda _: 0, penalties=penalties)
    for _ in range(7):
        choose(controller)
    controller.end()
    assert len(penalties.times) == 7
    assert min(penalties.times) > 0


@pytest.mark.parametrize(
    ("name", "value"),
    [("move", 0), ("bank", -1), ("faults", -1), ("memory", 3), ("start", float("nan"))],
)
def test_limits_that_make_no_sense_are_refused(name, value):
    with pytest.raises(BotLimitsError, match=name):
        BotLimits(**{name: value})


@pytest.mark.parametrize("seat", range(4))
def test_a_game_goes_on_whatever_a_bot_does(seat):
    """What goes wrong in one seat changes no draw of the others: all bots here are random."""
    dealer = Dealer(LeagueRules.README)
    bots = [RandomBot() for _ in range(4)]
    bots[seat] = Acting(raising(BotMistake("raised", "")))
    table = [BotController(bot, BotPenalties(), BotLimits()) for bot in bots]
    record = play_match(dealer, table, 0, 5, 6, state=False)
    assert len(record) % 64 == 0
    for start in range(0, len(record), 64):
        assert sorted(play & 63 for play in record[start + 12 : start + 64]) == list(range(52))
    assert table[seat].forfeited
    assert not any(one.faults for one in table if one is not table[seat])
