"""Bots under the rules: whatever they do, a legal card is played, and what they did is noted."""

from __future__ import annotations

import time

import pytest

from cardwright.interpreter.stream import Stream
from cardwright.league.bot import LostError, RandomBot, Unmoved
from cardwright.league.bot_runtime import BotMistake
from cardwright.league.dealer import Dealer, LeagueRules
from cardwright.league.plan import SUSPENDED_AFTER, BotLimits, BotLimitsError
from cardwright.league.play import MOST_NOTED, BotConduct, RefereeSeat, play_match
from cardwright.league.seen import PublicTable

LEGAL = 0b1010100
"""Three cards of a hand."""


class Acting(Unmoved):
    """A bot that does what a function says, with the number of the move."""

    def __init__(self, act, start=None):
        self.act = act
        self.start = start
        self.moves = 0
        self.begun = 0

    def begin(self, seat, stream, table):
        self.begun += 1
        if self.start is not None:
            self.start()

    def choose(self, legal, seconds, *, play):
        self.moves += 1
        return self.act(self.moves - 1)


def raising(error):
    def act(*_):
        raise error

    return act


def seated(act, limits=None, conduct=None, **options):
    bot = Acting(act, options.pop("start", None))
    referee_seat = RefereeSeat(bot, conduct or BotConduct(), limits or BotLimits(), **options)
    referee_seat.begin(3, 2, 99, PublicTable())
    referee_seat.deal(1, [0] * 4, list(range(13)))
    return referee_seat


def choose(referee_seat, turn=12):
    return referee_seat.choose(LEGAL, turn, play=True)


def test_an_answer_is_taken():
    referee_seat = seated(lambda move: move)
    assert [choose(referee_seat) for _ in range(3)] == [0, 1, 2]
    assert not referee_seat.faults


@pytest.mark.parametrize("answer", [-1, 3, 99, -(10**30)])
def test_an_index_outside_is_noted_but_does_not_count(answer):
    referee_seat = seated(lambda _: answer, BotLimits(faults=0))
    drawn = [choose(referee_seat, turn) for turn in range(12, 64)]
    assert set(drawn) == {0, 1, 2}
    assert not referee_seat.forfeited
    assert len(referee_seat.faults) == MOST_NOTED
    first = referee_seat.faults[0]
    assert (first.game, first.seat, first.round, first.turn) == (3, 2, 1, 12)
    assert (first.kind, first.counts, first.forfeit) == ("index", False, False)
    assert "3 legal cards" in first.message
    assert len(first.message) < 100


def test_a_fault_that_does_not_count_is_noted_as_an_index_outside_is():
    referee_seat = seated(raising(BotMistake("index", "no card")), BotLimits(faults=0))
    drawn = {choose(referee_seat) for _ in range(40)}
    assert drawn == {0, 1, 2}
    assert not referee_seat.forfeited
    first = referee_seat.faults[0]
    assert (first.kind, first.message, first.counts) == ("index", "no card", False)


def test_cards_of_the_referee_come_from_the_chances_of_the_seat_alone():
    draws = [[choose(one) for _ in range(40)] for one in (seated(raising(BotMistake("raised", ""))),
                                                          seated(lambda _: -1))]  # fmt: skip
    assert draws[0] == draws[1]
    own = Stream.of_seat(99, 2)
    assert draws[0] != [own.below(3) for _ in range(40)]


@pytest.mark.parametrize("borne", [0, 1, 4])
def test_more_faults_than_are_borne_forfeit_the_game(borne):
    referee_seat = seated(raising(BotMistake("raised", "so it is")), BotLimits(faults=borne))
    for _ in range(10):
        choose(referee_seat)
    assert referee_seat.bot.moves == borne + 1
    assert referee_seat.forfeited
    assert [fault.forfeit for fault in referee_seat.faults] == [False] * borne + [True]
    assert {fault.message for fault in referee_seat.faults} == {"so it is"}


def test_a_bot_that_is_lost_too_often_forfeits_though_more_faults_are_borne():
    referee_seat = seated(raising(LostError("died", "it")), BotLimits(faults=9, restarts=2))
    for _ in range(10):
        choose(referee_seat)
    assert referee_seat.bot.moves == 3
    assert [fault.kind for fault in referee_seat.faults] == ["died"] * 3


def test_a_lost_bot_is_revived_before_its_next_move_and_that_takes_no_time_of_it(monkeypatch):
    now = [0]
    monkeypatch.setattr(time, "thread_time_ns", lambda: now[0])
    losses = iter([LostError("late", ""), None, None])

    def act(_):
        if error := next(losses):
            raise error
        return 0

    def revive():
        revived.append(referee_seat.bot.moves)
        now[0] += 30_000_000

    referee_seat = seated(act, BotLimits(move=0.005, grace=0, bank=0, restarts=2))
    revived = []
    referee_seat.bot.revive = revive
    for _ in range(3):
        choose(referee_seat)
    assert revived == [1]
    assert [fault.kind for fault in referee_seat.faults] == ["late"]


def test_a_bot_that_cannot_be_revived_is_lost_again():
    referee_seat = seated(raising(LostError("died", "once")), BotLimits(restarts=2))
    referee_seat.bot.revive = raising(LostError("died", "again"))
    for _ in range(4):
        choose(referee_seat)
    assert [fault.message for fault in referee_seat.faults] == ["once", "again", "again"]
    assert referee_seat.bot.moves == 1
    assert referee_seat.forfeited


def test_a_bot_that_cannot_be_started_forfeits_at_once():
    referee_seat = seated(lambda _: 0, start=raising(BotMistake("raised", "no such thing")))
    assert referee_seat.forfeited
    assert (referee_seat.faults[0].round, referee_seat.faults[0].turn) == (0, -1)
    choose(referee_seat)
    assert referee_seat.bot.moves == 0


def test_a_bot_that_forfeits_game_after_game_is_suspended():
    conduct = BotConduct()
    for game in range(SUSPENDED_AFTER + 2):
        referee_seat = seated(lambda _: 0, conduct=conduct, start=raising(BotMistake("raised", "")))
        referee_seat.end()
        assert referee_seat.bot.begun == int(game < SUSPENDED_AFTER)
        assert [fault.kind for fault in referee_seat.faults] == [
            "raised" if game < SUSPENDED_AFTER else "suspended"
        ]


def test_a_game_played_to_its_end_makes_good_for_forfeits():
    conduct = BotConduct()
    for game in range(12):
        fails = game % SUSPENDED_AFTER != 0
        start = raising(BotMistake("raised", "")) if fails else None
        referee_seat = seated(lambda _: 0, conduct=conduct, start=start)
        referee_seat.end()
        assert referee_seat.bot.begun == 1


def test_time_beyond_a_move_comes_out_of_the_bank_of_the_game(monkeypatch):
    now = [0]
    monkeypatch.setattr(time, "thread_time_ns", lambda: now[0])

    def act(_):
        now[0] += 12_000_000
        return 0

    referee_seat = seated(act, BotLimits(move=0.002, grace=0, bank=0.025, faults=99))
    for _ in range(5):
        assert choose(referee_seat) == 0
    assert len(referee_seat.faults) == 3
    assert {fault.kind for fault in referee_seat.faults} == {"late"}
    assert (
        "took 12 ms of processor time for a move that may take 2" in referee_seat.faults[0].message
    )


def test_whoever_is_not_timed_may_think():
    def act(_):
        time.sleep(0.003)
        return 0

    referee_seat = seated(act, BotLimits(move=0.001, grace=0, bank=0), timed=False)
    choose(referee_seat)
    assert not referee_seat.faults


def test_the_time_left_is_what_a_bot_is_asked_within():
    given = []

    class Asked(Acting):
        def choose(self, legal, seconds, *, play):
            given.append(seconds)
            return 0

    referee_seat = RefereeSeat(Asked(None), BotConduct(), BotLimits(move=0.03, grace=0.01, bank=2))
    referee_seat.begin(0, 0, 0, PublicTable())
    choose(referee_seat)
    assert given == [pytest.approx(2.04)]


def test_times_are_counted():
    conduct = BotConduct()
    referee_seat = seated(lambda _: 0, conduct=conduct)
    for _ in range(7):
        choose(referee_seat)
    referee_seat.end()
    assert len(conduct.times) == 7
    assert min(conduct.times) > 0


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
    table = [RefereeSeat(bot, BotConduct(), BotLimits()) for bot in bots]
    record = play_match(dealer, table, 0, 5, 6, state=False)
    assert len(record) % 64 == 0
    for start in range(0, len(record), 64):
        assert sorted(play & 63 for play in record[start + 12 : start + 64]) == list(range(52))
    assert table[seat].forfeited
    assert not any(one.faults for one in table if one is not table[seat])
