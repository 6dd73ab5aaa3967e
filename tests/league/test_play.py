"""Games of the league against its rules in plain Python, move by move, as bots see them."""

from __future__ import annotations

import pytest
from plain_league import DIRECTIONS, legal, penalty, score, tricks, winner

from cardwright.league.bot import InProcessBot
from cardwright.league.dealer import Dealer
from cardwright.league.plan import BotText
from cardwright.league.play import BotController, BotPenalties, play_match
from cardwright.league.settings import BotLimits, LeagueRules

# Bots that write down all that they are shown, and choose by what they have seen of the game.
WATCHING = """
import copy
shown = []
def note(state, kind):
    shown.append((kind, copy.deepcopy(vars(state))))
    return {pick}
def getPlay(state): return note(state, "play")
def getSluff(state): return note(state, "pass")
"""
PICKS = (
    "0",
    "len(state.legalMoves) - 1",
    "(7 * len(state.hand) + sum(state.roundPoints)) % len(state.legalMoves)",
    "state.legalMoves.index(max(state.legalMoves))",
)


def watched(rules, seed):
    """Play a game of such bots; return the choices of each round and what each seat was shown."""
    bots = [
        InProcessBot(BotText("b", "me", f"{n}.py", WATCHING.format(pick=pick)))
        for n, pick in enumerate(PICKS)
    ]
    controllers = [BotController(bot, BotPenalties(), BotLimits(move=9)) for bot in bots]
    record = play_match(Dealer(rules), controllers, 0, seed, seed + 1, state=False)
    assert not any(one.faults for one in controllers)
    rounds = [
        [(play >> 6, play & 63) for play in record[at : at + 64]]
        for at in range(0, len(record), 64)
    ]
    return rounds, [iter(bot._runtime._play.__globals__["shown"]) for bot in bots]


def _by_number(card):
    """Return a key by which cards lie in a hand: clubs, spades, diamonds, hearts."""
    return (0, 2, 1, 3)[card // 13], card


def common(hands, seat, number, totals):
    return {
        "hand": hands[seat],
        "whichPlayer": seat,
        "sluffDirection": DIRECTIONS[number % 3],
        "gamePoints": totals,
    }


@pytest.mark.parametrize("rules", LeagueRules)
@pytest.mark.parametrize("seed", range(4))
def test_bots_are_shown_and_offered_what_the_rules_say(rules, seed):
    rounds, shown = watched(rules, seed)
    totals, history, lead = [0] * 4, None, None
    for number, choices in enumerate(rounds):
        hands = _hands(choices, DIRECTIONS[number % 3])
        given = [[], [], [], []]
        order = _first_hands(shown, hands)
        for at, (seat, card) in enumerate(choices[:12]):
            kind, state = order[seat] if at < 4 else next(shown[seat])
            if at < 4:
                hands[seat] = list(state["hand"])
            assert kind == "pass"
            assert state == common(hands, seat, number, totals) | {
                "legalMoves": hands[seat],
                "lead": lead,
                "playHistory": history,
                "roundPoints": [0] * 4,
                "sluffedByYou": given[seat],
                "sluffedToYou": None,
            }
            hands[seat].remove(card)
            given[seat].append(card)
        received = [given[(seat - DIRECTIONS[number % 3]) % 4] for seat in range(4)]
        hands = [
            sorted(hand + cards, key=_by_number)
            for hand, cards in zip(hands, received, strict=True)
        ]
        history, points, broken = [[], [], [], []], [0] * 4, False
        for trick_number, trick in enumerate(tricks(choices)):
            lead = trick[0][0]
            for at, (seat, card) in enumerate(trick):
                kind, state = next(shown[seat])
                so_far = [one for _, one in trick[:at]]
                offered = legal(hands[seat], so_far, trick_number == 0, broken, str(rules))
                assert kind == "play"
                assert state == common(hands, seat, number, totals) | {
                    "legalMoves": offered,
                    "lead": lead,
                    "playHistory": history,
                    "roundPoints": points,
                    "sluffedByYou": given[seat],
                    "sluffedToYou": received[seat],
                }
                hands[seat].remove(card)
                history[seat].append(card)
                broken = broken or penalty(card)
            lead = winner(trick)
            for _, card in trick:
                points[lead] += 13 if card == 36 else card // 39
        totals = [one + more for one, more in zip(totals, score(choices), strict=True)]
        assert (max(totals) >= 100) == (number == len(rounds) - 1)
    assert all(next(one, None) is None for one in shown)


def _hands(choices, direction):
    """Return the cards that each seat was dealt, in no order."""
    played = [[card for who, card in choices[12:] if who == seat] for seat in range(4)]
    given = [[card for who, card in choices[:12] if who == seat] for seat in range(4)]
    return [
        [card for card in played[seat] if card not in given[(seat - direction) % 4]] + given[seat]
        for seat in range(4)
    ]


def _first_hands(shown, hands):
    """Return what each seat is shown first in a round: its hand, in the order of the deal."""
    first = [next(one) for one in shown]
    for (_, state), cards in zip(first, hands, strict=True):
        assert sorted(state["hand"]) == sorted(cards)
    return first


def test_deals_have_cards_in_any_order():
    """A hand is not sorted, as an index would then say more than it does in the league."""
    dealer = Dealer(LeagueRules.CODE)
    dealer.start(1, state=False)
    hand = list(dealer.hands()[:13])
    assert hand != sorted(hand)
