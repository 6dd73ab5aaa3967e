"""What a bot can learn of the cards of others from what it is given to draw from: nothing."""

from __future__ import annotations

import numpy as np
import pytest
from thieves import PLACES, THEFT

from cardwright.arena.run import table_chances
from cardwright.league import bot_process, run
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BotText, SeasonPlan, game_chances
from cardwright.league.run import play_block
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.sandbox.levels import strongest
from cardwright.sandbox.limits import SandboxLevel

LEVEL = strongest().level
SEED = 11
SLOW = BotLimits(move=60, bank=60, start=30)


pytestmark = pytest.mark.skipif(
    LEVEL < SandboxLevel.CONFINED, reason="no sandbox for untrusted bots here"
)


@pytest.fixture(scope="module")
def dealer():
    return Dealer(LeagueRules.CODE)


def faults_of(dealer, place):
    """Return what became of a game with a thief in seat 2."""
    thief = BotText("thief", "nobody", "thief.py", THEFT + PLACES[place])
    random = BotText("r", "us", "builtin:random")
    schedule = np.array([[1, 1, 0, 1]], np.int32)
    plan = SeasonPlan("S", LeagueRules.CODE, SEED, (thief, random), schedule, SLOW, int(LEVEL))
    return [fault.message for fault in play_block(plan, dealer, 0).faults]


@pytest.mark.parametrize("place", PLACES)
def test_no_bot_finds_what_the_cards_were_made_of(dealer, place):
    """Nor all of them: no place that it can look at leads to the seed of the cards."""
    assert faults_of(dealer, place) == []


@pytest.mark.parametrize("place", PLACES)
def test_the_same_bot_knows_all_cards_where_streams_can_be_turned_back(dealer, place, monkeypatch):
    """A thief that finds nothing anywhere would prove nothing."""
    cards = game_chances(SEED, range(1))[:, :1]
    chances = np.array([[table_chances(int(cards[0, 0]), 4, 0)]], np.uint64)
    monkeypatch.setattr(run, "game_chances", lambda *_: np.hstack([cards, chances]))
    monkeypatch.setattr(bot_process, "token", lambda stream, _: stream.next().to_bytes(8, "little"))
    dealer.start(int(cards[0, 0]), state=False)
    hands = [sorted(dealer.hands()[13 * seat : 13 * seat + 13]) for seat in range(4)]
    (message,) = faults_of(dealer, place)
    assert message.endswith(f"all cards: {hands}")
