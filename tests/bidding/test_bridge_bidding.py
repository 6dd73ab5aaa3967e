"""Bidding in Bridge: what single hands call, and what becomes of whole auctions."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings, strategies as st

from cardwright import Game, player
from cardwright.arena.referee import referee_game
from cardwright.bidding.auctions import UnknownAuctionError
from cardwright.bidding.bridge import (
    DOUBLE,
    PASS,
    REDOUBLE,
    Auction,
    BridgeHand,
    Call,
    ShownHand,
    call,
    shown,
)
from cardwright.bidding.bridge_player import CallModel
from deep import usually

_RANKS = "..23456789TJQKA"
_STRAINS = "CDHSN"


def hand(text: str) -> BridgeHand:
    """Return a hand written as people write it: spades, hearts, diamonds, clubs, `-` for none."""
    suits = [tuple(_RANKS.index(mark) for mark in part if mark != "-") for part in text.split()]
    return BridgeHand(tuple(reversed(suits)))


def calls(text: str, first: int) -> tuple[tuple[int, Call], ...]:
    """Return calls as an auction has them: `1H`, `P`, `X`, `XX`, beginning with a seat."""
    others = {"P": PASS, "X": DOUBLE, "XX": REDOUBLE}
    made: list[Call] = [
        others[word] if word in others else (int(word[0]), _STRAINS.index(word[1]))
        for word in text.split()
    ]
    return tuple(((first + at) % 4, one) for at, one in enumerate(made))


def bid(text: str, before: str = "") -> str:
    """Return the call of the first seat with a hand after some calls, the last by the fourth."""
    made = calls(before, -len(before.split()) % 4)
    found = call(hand(text), Auction(made, 0))
    return found if isinstance(found, str) else f"{found[0]}{_STRAINS[found[1]]}"


@pytest.mark.parametrize(
    ("cards", "before", "called"),
    [
        # Openings.
        ("K432 K32 Q32 432", "", PASS),
        ("AK432 K32 Q3 432", "", "1S"),
        ("AK32 K432 Q3 432", "", "1C"),
        ("AK3 K432 Q932 43", "", "1D"),
        ("AK3 KQ2 Q932 J43", "", "1N"),
        ("AK3 KQ2 AQ32 K43", "", "2N"),
        ("AKQ432 AK2 32 43", "", "1S"),
        ("AKQJ32 AKQ A3 43", "", "2S"),
        ("KQT9432 2 432 32", "", "3S"),
        ("K432 K32 Q32 432", "P P P", PASS),
        # Responses: a fit is raised by strength, and a weak hand passes.
        ("5432 432 432 432", "1H P", PASS),
        ("5432 Q432 K32 32", "1H P", "2H"),
        ("A432 Q432 K32 32", "1H P", "3H"),
        ("A432 AQ32 K32 32", "1H P", "4H"),
        ("AK32 AQ32 AK2 32", "1H P", "6H"),
        ("KJ432 32 K32 432", "1H P", "1S"),
        ("432 K32 Q32 J432", "1N P", PASS),
        ("A32 K32 QJ2 J432", "1N P", "3N"),
        ("A32 AK2 AQJ J432", "1N P", "6N"),
        # Overcalls: with a suit, and not with a flat hand.
        ("AK432 432 Q3 432", "1D", "1S"),
        ("K432 Q432 Q3 K43", "1D", PASS),
        ("432 AKQ432 A3 43", "1S", "2H"),
        ("KQ2 KQ2 AQ2 5432", "1D", "1N"),
        # Nothing is bid over a game that the partner has bid.
        ("A432 Q432 K32 32", "4H P", PASS),
        # A double needs the tricks that beat the contract.
        ("A32 A32 A32 AK32", "4S", DOUBLE),
        ("32 K32 Q5432 K32", "4S", PASS),
        # And flat hands never bid a grand slam.
        ("5432 432 432 432", "7C X", PASS),
        ("KJ32 QJ2 Q32 432", "6N", PASS),
    ],
)
def test_calls(cards: str, before: str, called: str) -> None:
    assert bid(cards, before) == called


def test_what_calls_show() -> None:
    made = calls("1H P 2H P", 0)
    opener = shown(Auction(made, 0), 0)
    assert (opener.low, opener.lengths[2], opener.suits) == (12, 5, (2,))
    partner = shown(Auction(made, 0), 2)
    assert partner.lengths[2] == 3
    assert partner.high < 13
    assert shown(Auction(made, 0), 1) == ShownHand()


# Auctions ----------------------------------------------------------------------------------------


@st.composite
def dealt(draw: st.DrawFn) -> list[BridgeHand]:
    cards = draw(st.permutations([(suit, rank) for suit in range(4) for rank in range(2, 15)]))
    return [
        BridgeHand(
            tuple(
                tuple(rank for suit, rank in cards[13 * at : 13 * at + 13] if suit == one)
                for one in range(4)
            )
        )
        for at in range(4)
    ]


def auction(hands: list[BridgeHand]) -> list[Call]:
    """Let four hands bid to the end."""
    made: tuple[tuple[int, Call], ...] = ()
    while len(made) < 4 or any(one != PASS for _, one in made[-3:]):
        seat = len(made) % 4
        made = (*made, (seat, call(hands[seat], Auction(made, seat))))
    return [one for _, one in made]


@settings(max_examples=usually(60, 300))
@given(dealt())
def test_bids_rise_and_stay_within_the_points_of_both_hands(hands: list[BridgeHand]) -> None:
    """No two balanced hands bid a small slam below 30 high-card points, or a grand one below 34."""
    made = auction(hands)
    bids = [(at % 4, one) for at, one in enumerate(made) if isinstance(one, tuple)]
    assert [one for _, one in bids] == sorted({one for _, one in bids})
    for seat, (level, _) in bids:
        one, other = hands[seat], hands[(seat + 2) % 4]
        if one.balanced and other.balanced:
            assert level < 6 or one.high + other.high >= 30
            assert level < 7 or one.high + other.high >= 34


# In games ----------------------------------------------------------------------------------------


@cache
def bridge(engine: str) -> Game:
    return Game.load("bridge", engine=engine)


def contracts(deals: int) -> tuple[Counter[int], int]:
    """Return how often each level was played, 0 for passed out, and how many contracts were made.

    The cards are played by very little search: it is the bidding that is looked at.
    """
    game, levels, made = bridge("native"), Counter[int](), 0
    spec = player("bridge:iterations=60")
    for seed in range(deals):
        record = referee_game(game, seed, [spec() for _ in range(4)])
        assert record.error is None
        state = game.start(seed)
        for choice in record.choices:
            state.play(choice)
        stored = {name: value for (_, name), value in state.view(0).integers.items()}
        levels[stored.get("LEVEL", 0)] += 1
        made += bool(stored.get("LEVEL")) and stored.get("OVER", 0) >= 0
    return levels, made


@pytest.mark.slow
def test_contracts_are_sane() -> None:
    """Tree search alone ends every auction at seven, and makes none of these contracts."""
    deals = usually(8, 24)
    levels, made = contracts(deals)
    assert levels[6] + levels[7] <= deals / 12
    assert sum(levels[level] for level in (1, 2, 3, 4)) >= 0.75 * deals
    assert made >= 0.45 * deals


def test_it_plays_on_the_interpreter_too() -> None:
    game = bridge("interpreter")
    record = referee_game(game, 1, [player("bridge")(), *(player("random")() for _ in range(3))])
    assert record.error is None


def test_it_plays_no_other_game() -> None:
    game = Game.load("whist", engine="interpreter")
    with pytest.raises(UnknownAuctionError, match="cannot play whist"):
        referee_game(game, 1, [player("bridge")()] * 4)


def test_its_model_says_what_it_would_call_and_nothing_of_cards() -> None:
    """It knows the calls that were made before; after them come the cards."""
    state = Game.load("bridge").start(1)
    assert state.player is not None
    found = CallModel(((state.player, PASS),)).probabilities(state)
    assert found is not None
    assert sum(found) == pytest.approx(1)
    assert max(found) == pytest.approx(0.9 + 0.1 / state.option_count)
    assert CallModel(()).probabilities(state) is None
