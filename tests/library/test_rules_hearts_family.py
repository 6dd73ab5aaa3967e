"""Which cards the options of Hearts let a player play, each in a position laid out by hand."""

from __future__ import annotations

from functools import partial

import pytest
from hearts_tables import hand, legal, play, table

three = partial(table, PLAYERS=3, MOON="OFF")


@pytest.mark.parametrize(
    ("option", "free", "forced"),
    [
        ("ANY", "3D QS 4H", "QS 4H"),
        ("FORCE", "3D", "QS 4H"),
        ("NOQUEEN", "3D 4H", "4H"),
        ("NOHEARTS", "3D QS", "QS"),
    ],
)
def test_first_trick_when_void(option: str, free: str, forced: str) -> None:
    """Who is void in the first trick throws what the option allows, and anything if forced."""
    at = three("2C 5D 6D / 3D QS 4H / 5C 8D 9D", FIRSTTRICK=option)
    assert legal(play(at, "2C")) == free
    at = three("2C 5D / QS 4H / 5C 8D", FIRSTTRICK=option, OPENING="LOWCLUB")
    assert legal(play(at, "2C")) == forced


def test_first_trick_never() -> None:
    """No penalty card falls in the first trick, whatever else may be thrown."""
    at = three("2C 5D 6D / 3D QS 4H / 5C 8D 9D", FIRSTTRICK="NEVER")
    assert legal(play(at, "2C")) == "3D"


def test_first_trick_never_deals_again_for_a_hand_of_penalty_cards() -> None:
    """A hand of penalty cards alone has the cards dealt again; that deal counts for nothing."""
    bad, good = "2C 3D / QS 4H / 5C 6D", "2C 3D / 4H 5C / QS 6D"
    at = three(bad, good, bad, bad, good, FIRSTTRICK="NEVER", OPENING="ELDEST", ROUNDS=2)
    assert hand(at, 1) == "4H 5C"
    play(at, "2C 5C 6D")
    play(at, "4H QS 3D")  # the second deal, after two that were not played
    assert (at.player, hand(at, 1)) == (1, "4H 5C")
    play(at, "5C 6D 2C 4H QS 3D")
    assert at.scores == (0, 28, 0)


def test_a_deal_that_is_not_played_brings_no_bonus() -> None:
    """Nobody gets NOTRICKS for a deal that was dealt again, and its widow goes back to the pack."""
    bad, good = "2C 3D / QS 4H / 5C 6D / 9S", "2C 3D / 9S 5C / QS 6D / 4H"
    at = three(bad, good, FIRSTTRICK="NEVER", NOTRICKS=-5, WIDOW=1)
    assert (hand(at, 0), hand(at, 1), hand(at, 2)) == ("2C 3D", "5C 9S", "QS 6D")
    assert play(at, "2C 5C 6D 9S QS 3D").scores == (-5, 0, 14)


def test_the_rule_of_the_first_trick_ends_with_it() -> None:
    """From the second trick on anything may be thrown."""
    at = three("AC KC 3C / 2C 3D QS / 5C 8D 9D", FIRSTTRICK="FORCE")
    assert legal(play(at, "AC 2C 5C KC")) == "3D QS"
    at = three("AC KS 3C / 2C 3S QS / 5C 8D 9D", FIRSTTRICK="FORCE")
    assert legal(play(at, "AC 2C 5C KS")) == "3S QS"


@pytest.mark.parametrize(
    ("option", "lead"),
    [
        ("ANY", "KS QS 4H"),
        ("FORCE", "KS"),
        ("NEVER", "KS"),
        ("NOQUEEN", "KS 4H"),
        ("NOHEARTS", "KS QS"),
    ],
)
def test_first_trick_binds_the_leader(option: str, lead: str) -> None:
    """What may not fall in the first trick may not be led to it either."""
    at = three("KS QS 4H / 2C 3C 4C / 5C 6C 7C", FIRSTTRICK=option, HEARTLEAD="FREE")
    assert legal(at) == lead


def test_first_trick_when_following() -> None:
    """A penalty card of the suit led is held back if another can follow, and played if none can."""
    at = three("2S 5D / QS 5S / 3S 8D", FIRSTTRICK="FORCE")
    assert legal(play(at, "2S")) == "5S"
    at = three("2S 5D / QS 6C / 3S 8D", FIRSTTRICK="FORCE")
    assert legal(play(at, "2S")) == "QS"


def test_penalty_cards_are_those_that_cost() -> None:
    """A card of positive points is a penalty card, one that takes points off or is free is none."""
    costs = {"KINGSPADES": 10, "JACKDIAMONDS": -10, "SEVENCLUBS": 0, "FIRSTTRICK": "FORCE"}
    deal = "2C 5C 6C 8C / KS JD QS 2H / 3C 4C 9C TC"
    assert legal(play(three(deal, **costs), "2C")) == "JD"
    assert legal(play(three(deal, **costs, QUEEN=0), "2C")) == "JD QS"
    assert legal(play(three(deal, **costs, HEART=0), "2C")) == "JD 2H"
    assert legal(play(three(deal, **costs, HEART=0, PIPS=1), "2C")) == "JD"


@pytest.mark.parametrize(
    ("option", "first", "second"),
    [("BROKEN", "AD 3D", "3D"), ("FIRST", "AD 3D 4H", "3D"), ("FREE", "AD 3D 4H", "3D 4H")],
)
def test_when_hearts_may_be_led(option: str, first: str, second: str) -> None:
    """Hearts are led when broken, also to the first trick, or always."""
    at = three("AD 3D 4H / 2D 5C 6C / 4D 7C 8C", HEARTLEAD=option)
    assert legal(at) == first
    assert legal(play(at, "AD 2D 4D")) == second


LED = ("2H 3H 4H / 9H 8H 5C / 6C 7C 8C", "2H 9H 6C")
DISCARDED = ("AD 8H 5C / 5H 6C 7C / 4D 8C 9C", "AD 5H 4D")
QUEEN_DISCARDED = ("AD 8H 5C / QS 6C 7C / 4D 8C 9C", "AD QS 4D")
QUEEN_TO_SPADES = ("AS 8H 5C / QS 6C 7C / 4S 8C 9C", "AS QS 4S")
KING_DISCARDED = ("AD 8H 5C / KS 6C 7C / 4D 8C 9C", "AD KS 4D")
CASES = [LED, DISCARDED, QUEEN_DISCARDED, QUEEN_TO_SPADES, KING_DISCARDED]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "broken"),
    [
        ("HEART", [1, 1, 0, 0, 0]),
        ("DISCARD", [0, 1, 0, 0, 0]),
        ("DISCARDS", [0, 1, 1, 0, 0]),
        ("QUEEN", [0, 1, 1, 1, 0]),
        ("PENALTY", [1, 1, 1, 1, 1]),
    ],
)
def test_what_breaks_hearts(option: str, broken: list[int]) -> None:
    """Led and discarded hearts, the queen and other penalty cards break hearts as BREAKS says.

    This includes a heart led by who holds nothing else.
    """
    for (deal, cards), open_now in zip(CASES, broken, strict=True):
        at = play(three(deal, BREAKS=option, KINGSPADES=10), cards)
        assert legal(at) == ("8H 5C" if open_now else "5C")


def test_every_deal_begins_with_hearts_unbroken() -> None:
    """Hearts that were broken in one deal are not in the next."""
    at = play(three("AD 8H 5C / 5H 6C 7C / 4D 8C 9C", ROUNDS=2), "AD 5H 4D 8H 6C 8C 5C 7C 9C")
    assert legal(at) == "AD 5C"


def test_a_free_king_does_not_break_hearts() -> None:
    """With BREAKS=PENALTY only cards that cost something break hearts."""
    assert legal(play(three(KING_DISCARDED[0], BREAKS="PENALTY"), KING_DISCARDED[1])) == "5C"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "queen", "king", "both"),
    [
        ("HEARTS", "QS", "KS", "QS KS"),
        ("PENALTY", "QS 2H", "KS 2H", "QS KS 2H"),
        ("QUEEN", "QS 2H", "KS", "QS KS"),
    ],
)
def test_who_may_lead_hearts_before(option: str, queen: str, king: str, both: str) -> None:
    """With nothing but hearts and some penalty cards, EXEMPT says whether a heart may be led."""
    paid = partial(three, EXEMPT=option, KINGSPADES=10)
    assert legal(paid("QS 2H / 2C 3C / 4C 5C")) == queen
    assert legal(paid("KS 2H / 2C 3C / 4C 5C")) == king
    assert legal(paid("QS KS 2H / 2C 3C 6C / 4C 5C 7C")) == both
    assert legal(paid("3H 2H / 2C 3C / 4C 5C")) == "3H 2H"
    assert legal(paid("QS KS 2H 5D / 2C 3C 6C 8C / 4C 5C 7C 9C")) == "QS KS 5D"


def test_a_king_that_costs_nothing_is_no_exemption() -> None:
    """With EXEMPT=PENALTY a card without points is to be led first."""
    assert legal(three("QS KS 2H / 2C 3C 6C / 4C 5C 7C", EXEMPT="PENALTY")) == "QS KS"


@pytest.mark.parametrize(
    ("option", "player", "cards"),
    [
        ("PLAYER1", 0, "4D 9C"),
        ("ELDEST", 0, "4D 9C"),
        ("LOWCLUB", 1, "3C"),
        ("CLUB", 1, "8C 3C"),
        ("HOLDER", 1, "8C 3C 5D"),
    ],
)
def test_who_leads_first_and_what(option: str, player: int, cards: str) -> None:
    """Player 1 or the eldest leads any card but a heart, the holder of the lowest club as told."""
    at = three("4D 2H 9C 3H / 8C 3C 5D 4H / 4C 6D 7D 5H", OPENING=option)
    assert (at.player, legal(at)) == (player, cards)


@pytest.mark.parametrize(("option", "leaders"), [("PLAYER1", [0] * 4), ("ELDEST", [0, 1, 2, 0])])
def test_who_leads_in_later_deals(option: str, leaders: list[int]) -> None:
    """The lead to the first trick goes round from deal to deal, or stays with player 1."""
    at = three("2C / 3C / 4C", OPENING=option, ROUNDS=4)
    seen = []
    for _ in leaders:
        seen.append(at.player)
        for _ in range(3):
            at.play(0)
    assert seen == leaders
    assert at.finished


def test_a_club_that_costs_is_not_led_to_the_first_trick() -> None:
    """The holder of the lowest club who may lead any leads no penalty card, unless forced."""
    deal = "4D 2H / 3C 7C / 4C 6D"
    assert legal(three(deal, OPENING="CLUB", SEVENCLUBS=7, FIRSTTRICK="FORCE")) == "3C"
    assert legal(three(deal, OPENING="CLUB", SEVENCLUBS=7)) == "3C 7C"
    deal = "4D 2H / 8D 7C / 9C 6D"
    assert legal(three(deal, OPENING="CLUB", SEVENCLUBS=7, FIRSTTRICK="FORCE")) == "7C"


def test_a_joker_is_the_lowest_club() -> None:
    """A joker is led by LOWCLUB before the two, and follows clubs, which all beat it."""
    at = three("2C 3D / 0C 4D / 8D 9D", OPENING="LOWCLUB")
    assert (at.player, legal(at)) == (1, "0C")
    assert play(at, "0C 8D 2C").player == 0
    assert legal(play(three("2C 3D / 0C 4D / 8D 9D"), "2C")) == "0C"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("option", "discard", "king", "ace"),
    [
        ("NEVER", "QS 5C 6H", "QS 5S", "QS 2S"),
        ("DISCARD", "QS", "QS 5S", "QS 2S"),
        ("ACE", "QS 5C 6H", "QS", "QS"),
        ("BOTH", "QS", "QS", "QS"),
    ],
)
def test_when_the_queen_must_be_played(option: str, discard: str, king: str, ace: str) -> None:
    """The queen goes at the first discard, or to a trick of spades with the ace or the king."""
    duty = partial(three, QUEENDUTY=option)
    assert legal(play(duty("AD 3D 2D / QS 5C 6H / 4D 7C 8C"), "AD")) == discard
    assert legal(play(duty("KS 3D / QS 5S / 4D 7C"), "KS")) == king
    assert legal(play(duty("JS 3D / AS 5D / QS 2S"), "JS AS")) == ace
    # No duty: who can follow; a trick of low spades; an ace of spades thrown to another suit.
    assert legal(play(duty("AD 3D / QS 5D / 4D 7C"), "AD")) == "5D"
    assert legal(play(duty("JS 3D / TS 5D / QS 2S"), "JS TS")) == "QS 2S"
    at = play(duty("AD 3D / AS 5C / QS 2D"), "AD AS")
    assert legal(at) == "2D"
    at = play(duty("AD 3D / KS 5C / QS 2H"), "AD KS")
    assert legal(at) == ("QS 2H" if option in {"NEVER", "ACE"} else "QS")


@pytest.mark.slow
def test_the_duty_waits_while_the_queen_is_banned() -> None:
    """In the first trick the queen need not be played where she may not be played."""
    duty = partial(three, "2C 5D 6D / 3D QS 4H / 5C 8D 9D", QUEENDUTY="DISCARD")
    assert legal(play(duty(), "2C")) == "QS"
    assert legal(play(duty(FIRSTTRICK="NOHEARTS"), "2C")) == "QS"
    assert legal(play(duty(FIRSTTRICK="NOQUEEN"), "2C")) == "3D 4H"
    assert legal(play(duty(FIRSTTRICK="FORCE"), "2C")) == "3D"
    ace = partial(three, "AS 5D / QS 3S / 5C 8D", QUEENDUTY="ACE")
    assert legal(play(ace(FIRSTTRICK="NOQUEEN"), "AS")) == "3S"
    assert legal(play(ace(FIRSTTRICK="NOHEARTS"), "AS")) == "QS"
