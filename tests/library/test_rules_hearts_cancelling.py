"""Hearts with two packs, in which equal cards cancel each other, laid out by hand."""

from __future__ import annotations

from functools import partial

import pytest
from hearts_tables import legal, play, scores, table

two = partial(table, PLAYERS=3, PACKS=2, JOKERS=0, MOON="OFF")
four = partial(table, PACKS=2, MOON="OFF")
HELD = "AC 2C / AC 4C / 3H 5D"  # the aces cancel; player 2 wins the second trick
PLAYED = "AC AC 3H 2C 4C 5D"


@pytest.mark.slow
def test_equal_cards_cancel() -> None:
    """Neither of two equal cards wins a trick, but they count for whoever takes it."""
    assert scores(two("AC / AC / KC", EACHTRICK=1)) == (0, 0, 1)
    assert scores(two("KH / AH / KH")) == (0, 3, 0)
    assert scores(two("AH / 2H / AH")) == (0, 3, 0)
    assert scores(four("AC / AC / KC / KC", EACHTRICK=1)) == (0, 1, 0, 0)
    assert scores(four("AC / 2C / AC / 3C", EACHTRICK=1)) == (0, 0, 0, 1)
    assert scores(two("AC / AD / KC", EACHTRICK=1)) == (1, 0, 0)
    # Equal cards of another suit change nothing, and three players may throw what they like.
    assert scores(two("2C / AD / AD", EACHTRICK=1)) == (1, 0, 0)


def test_a_cancelled_trick_waits() -> None:
    """If all cards of the suit led are cancelled the same player leads again, for both tricks."""
    at = play(two(HELD), "AC AC 3H")
    assert (at.player, legal(at)) == (0, "2C")
    assert play(at, "2C 4C 5D").scores == (0, 1, 0)
    at = four("AC KC 2C / AC KC 4C / 3H 4H 5D / 6H 7H 8D")
    assert play(at, "AC AC 3H 6H").player == 0
    assert play(at, "KC KC 4H 7H").player == 0
    assert play(at, "2C 4C 5D 8D").scores == (0, 4, 0, 0)


def test_the_last_trick_is_not_held() -> None:
    """In the last trick the later of the two highest cards wins, with what was held before."""
    assert scores(two("AC / AC / 3H")) == (0, 1, 0)
    assert scores(four("KC / AC / AC / KC", EACHTRICK=1)) == (0, 0, 1, 0)
    assert scores(four("AC / KC / KC / AC", EACHTRICK=1)) == (0, 0, 0, 1)
    at = four("2C KC / 3C AC / 4C AC / 5C KC", EACHTRICK=1)
    play(at, "2C 3C 4C 5C")
    assert at.player == 3
    assert play(at, "KC KC AC AC").scores == (0, 0, 1, 1)
    at = two("AC 2C / AC 2C / 3H 5D")
    assert play(at, "AC AC 3H 2C 2C 5D").scores == (0, 1, 0)


def test_what_held_tricks_cost() -> None:
    """Every trick costs, also one that was held; the first is paid for by who takes it."""
    assert play(two(HELD, EACHTRICK=5), PLAYED).scores == (0, 11, 0)
    assert play(two(HELD, FIRSTTAKEN=3), PLAYED).scores == (0, 4, 0)
    assert play(two(HELD, LASTTAKEN=4), PLAYED).scores == (0, 5, 0)
    assert play(two(HELD, NOTRICKS=-5), PLAYED).scores == (-5, 1, -5)


def test_hearts_are_broken_by_a_held_trick() -> None:
    """A heart in a trick that waits has been played all the same."""
    at = two("AC 2C 4H / AC 3C 5C / 3H 5D 6D")
    assert legal(play(at, "AC AC 3H")) == "2C 4H"
    at = two("AC 2C 4H / AC 3C 5C / 3D 5D 6D")
    assert legal(play(at, "AC AC 3D")) == "2C"


@pytest.mark.parametrize("option", ["FIRST", "HEART", "LAST"])
def test_the_widow_waits_for_a_held_trick(option: str) -> None:
    """The widow goes to who takes the trick that wins it, though it was held."""
    at = two("AC 2C 5C / AC 4C 3C / 3H 5D 6D / QS", WIDOW=1, WIDOWTO=option)
    play(at, "AC AC 3H 2C 4C 5D")
    assert at.player == 1
    assert play(at, "3C 6D 5C").scores == ((13, 1, 0) if option == "LAST" else (0, 14, 0))


def test_the_widow_is_exchanged_when_the_held_trick_is_taken() -> None:
    """Who takes the first trick exchanges the widow then, even if two have been played."""
    at = two("AC 2C 5C / AC 4C 3C / 3H 5D 6D / QS", WIDOW=1, WIDOWTO="EXCHANGE")
    play(at, "AC AC 3H 2C 4C 5D")
    assert (at.player, legal(at)) == (1, "3C QS")
    assert play(at, "3C QS 6D 5C").scores == (0, 14, 0)


def test_a_moon_of_two_packs() -> None:
    """All hearts and queens of both packs shoot the moon, and it is worth them all."""
    moon = partial(table, PLAYERS=3, PACKS=2, JOKERS=0)
    assert scores(moon("AC AD / QS QS / 2H 2H")) == (-28, 0, 0)
    at = moon("AC 2C / QS QS / 2H 3C")
    assert play(at, "AC QS 3C 2C QS 2H").scores == (-27, 0, 0)
    at = moon("AC 2D / QS AD / QS 3C")
    assert play(at, "AC QS 3C 2D AD QS").scores == (13, 13, 0)


def test_jokers_of_two_packs_cancel() -> None:
    """A joker is a club below the two, and two of them are equal cards."""
    assert scores(two("0C / 2C / 3H")) == (0, 1, 0)
    assert scores(two("0C 2D / 0C 3D / 3H 4D")) == (0, 0, 1)


def test_two_equal_lowest_clubs() -> None:
    """Of two holders of the lowest club one leads by lot; who has both may lead either."""
    deal = "2C 3D 4D / 2C 5D 6D / 7C 8D 9D"
    game = two(deal, OPENING="LOWCLUB").game
    assert {game.start(seed).player for seed in range(20)} == {0, 1}
    assert legal(two("3C 3D 4D / 2C 5D 2C / 7C 8D 9D", OPENING="LOWCLUB")) == "2C 2C"


def test_a_queen_of_each_pack_is_due() -> None:
    """Who holds both queens where one must be played may play either."""
    deal = "AD 2D 3D / QS 4C QS / 4D 5D 6D"
    assert legal(play(two(deal, QUEENDUTY="DISCARD"), "AD")) == "QS QS"
