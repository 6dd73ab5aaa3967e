"""What the options of Hearts make cards and tricks cost, the moon worth, and how a match ends."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hearts_tables import legal, play, scores, table
from library_playing import ACE_HIGH, FULL_PACK

if TYPE_CHECKING:
    from cardwright import State

three = partial(table, PLAYERS=3, MOON="OFF")
TRICKS = "AC 2C / 3C KC / 4C 5C"  # the first trick goes to player 1, the second to player 2
MOON = "AC AD / 2C QS / 3C 2H"  # player 1 takes both tricks, with fourteen points
MOON_WITHOUT_LAST = ("AC AD 2C / 3C QS KC / 4C 2H 5C", "AC 3C 4C AD QS 2H 2C KC 5C")


@pytest.mark.parametrize(
    ("deal", "options", "points"),
    [
        ("AC / 2H / KH", {}, 2),
        ("AC / 2H / KH", {"HEART": 3}, 6),
        ("AC / 2H / KH", {"PIPS": 1}, 17),
        ("AC / TH / JH", {"PIPS": 1, "HEART": 0}, 21),
        ("AC / QH / AH", {"PIPS": 1, "HEART": 0}, 26),
        ("AC / 2C / QS", {}, 13),
        ("AC / 2C / QS", {"QUEEN": 7}, 7),
        ("AC / QS / 2H", {"QUEEN": 0}, 1),
        ("AC / AS / KS", {"ACESPADES": 7, "KINGSPADES": 10}, 17),
        ("AC / AS / KS", {"ACESPADES": 7}, 7),
        ("AC / JS / JD", {"JACKSPADES": 10, "JACKDIAMONDS": -4}, 6),
        ("AC / JS / JD", {"JACKDIAMONDS": -4}, -4),
        ("AC / TD / 7C", {"TENDIAMONDS": -10, "SEVENCLUBS": 7}, -3),
        ("AC / TD / 7C", {"SEVENCLUBS": 7}, 7),
        ("AC / AD / AH", {"JACKDIAMONDS": 5, "ACESPADES": 5}, 1),
    ],
)
def test_what_cards_cost(deal: str, options: dict[str, int], points: int) -> None:
    """The taker of a trick scores what its cards cost, and nobody else anything."""
    assert scores(three(deal, **options)) == (points, 0, 0)


def test_pips() -> None:
    """With PIPS a heart costs its rank besides, the jack 11 and the ace 14: 104 in all."""
    clubs, diamonds, hearts = (" ".join(rank + suit for rank in ACE_HIGH) for suit in "CDH")
    assert scores(three(f"{clubs} / {diamonds} / {hearts}", PIPS=1, HEART=0)) == (104, 0, 0)


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"EACHTRICK": 5}, (5, 5, 0)),
        ({"FIRSTTAKEN": 3}, (3, 0, 0)),
        ({"LASTTAKEN": 4}, (0, 4, 0)),
        ({"NOTRICKS": -5}, (0, 0, -5)),
        ({"EACHTRICK": 1, "FIRSTTAKEN": 3, "LASTTAKEN": 4, "NOTRICKS": -5}, (4, 5, -5)),
    ],
)
def test_what_tricks_cost(options: dict[str, int], points: tuple[int, ...]) -> None:
    """Tricks cost by themselves, the first and the last more, and having none has its price."""
    assert scores(three(TRICKS, **options)) == points


def test_a_trick_can_be_the_first_and_the_last() -> None:
    """In a deal of one trick its taker pays for both; in the next deal so does the next."""
    tricks = partial(three, "2C / AC / 3C", EACHTRICK=1, FIRSTTAKEN=3, LASTTAKEN=4)
    assert scores(tricks()) == (0, 8, 0)
    assert scores(tricks(ROUNDS=3)) == (0, 24, 0)


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"MOON": "OFF"}, (14, 0, 0)),
        ({"MOON": "MINUS"}, (-14, 0, 0)),
        ({"MOON": "PLUS"}, (0, 14, 14)),
        ({"MOON": "BEST"}, (0, 14, 14)),
        ({"MOON": "MINUS", "MOONVALUE": 30}, (-30, 0, 0)),
        ({"MOON": "PLUS", "MOONVALUE": 30}, (0, 30, 30)),
        ({"MOON": "MINUS", "SUN": 1}, (-28, 0, 0)),
        ({"MOON": "PLUS", "SUN": 1, "MOONVALUE": 30}, (0, 60, 60)),
        ({"MOON": "MINUS", "MOONNEEDS": "TRICKS"}, (-14, 0, 0)),
        ({"MOON": "MINUS", "NOTRICKS": -5}, (-14, 0, 0)),
        ({"MOON": "OFF", "NOTRICKS": -5}, (14, -5, -5)),
        ({"MOON": "MINUS", "EACHTRICK": 1, "LASTTAKEN": 3}, (-9, 0, 0)),
        ({"MOON": "PLUS", "EACHTRICK": 1, "LASTTAKEN": 3}, (5, 14, 14)),
    ],
)
def test_what_the_moon_is_worth(options: dict[str, Any], points: tuple[int, ...]) -> None:
    """All points are worth what MOON says instead; what tricks cost is paid all the same."""
    assert scores(table(MOON, PLAYERS=3, **options)) == points


def test_the_shooter_chooses() -> None:
    """With MOON=CHOICE the shooter says, after the last trick, whose score changes."""
    for choice, points in enumerate([(-14, 0, 0), (0, 14, 14)]):
        at = play(table(MOON, PLAYERS=3, MOON="CHOICE"), "AC 2C 3C AD QS 2H")
        assert (at.player, at.option_count) == (0, 2)
        at.play(choice)
        assert at.scores == points
    at = table("AC 2C / 3C KC / 2H QS", PLAYERS=3, MOON="CHOICE")
    assert play(at, "AC 3C 2H 2C KC QS").scores == (1, 13, 0)  # nobody is asked


@pytest.mark.parametrize(
    ("king", "points"),
    [(13, (13, 14, 14)), (14, (14, 14, 14)), (15, (1, 0, 0)), (100, (86, 0, 0))],
)
def test_best_when_the_game_ends(king: int, points: tuple[int, ...]) -> None:
    """The others go up, unless the game ended with one of them in front: a tie is good enough."""
    deal = "AC AD / 2C QS / KS 2H"
    assert scores(table(deal, PLAYERS=3, MOON="BEST", KINGSPADES=king)) == points


def test_best_in_the_last_of_two_deals() -> None:
    """In a match of two deals only the second ends the game."""
    deal = "AC AD / 2C QS / KS 2H"
    at = table(deal, PLAYERS=3, MOON="BEST", KINGSPADES=100, ROUNDS=2)
    assert totals(play(at, "AC 2C KS AD QS 2H")) == (100, 14, 14)
    assert scores(at) == (186, 14, 14)


def totals(at: State) -> tuple[int, ...]:
    return tuple(at.integer(seat, "SCORE") for seat in range(3))


def test_best_while_the_game_goes_on() -> None:
    """In a match the others go up as long as that does not end it with another in front.

    What the others get is no part of the shooter's score.
    """
    best = {"PLAYERS": 3, "MOON": "BEST", "MOONVALUE": 26, "KINGSPADES": 30}
    at = table("AC QS / 2H KS / 2C AD", "2C QS / AC AD / KS 2H", **best, ROUNDS=0, END=80)
    play(at, "AC 2H 2C QS KS AD")
    assert totals(at) == (1, 43, 0)
    play(at, "2C AC KS AD 2H QS")
    assert totals(at) == (27, 73, 26)
    play(at, "2C AC KS AD 2H QS")  # at 103, 53 and 52 it would end
    assert totals(at) == (27, 77, 26)
    play(at, "2C AC KS AD 2H QS")
    assert at.scores == (27, 81, 26)


def test_best_sees_what_becomes_of_scores() -> None:
    """A score that is hit exactly, and a tie that is played off, do not end the game."""
    best = {"PLAYERS": 3, "MOON": "BEST", "KINGSPADES": 20, "ROUNDS": 0}
    deal = "AC AD / 2C QS / KS 2H"
    at = play(table(deal, **best, END=20), "AC 2C KS AD QS 2H")
    assert totals(at) == (6, 0, 0)
    at = play(table(deal, **best, END=20, HIT=20, HITBECOMES=16), "AC 2C KS AD QS 2H")
    assert totals(at) == (16, 14, 14)
    at = play(table(deal, **best, END=20, TIES="EXTRA"), "AC 2C KS AD QS 2H")
    assert totals(at) == (20, 14, 14)


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, (-14, 0, 0)),
        ({"SUN": 1}, (-14, 0, 0)),
        ({"MOONNEEDS": "TRICKS"}, (14, 0, 0)),
        ({"NOTRICKS": -5}, (-14, 0, 0)),
    ],
)
def test_a_moon_without_all_tricks(options: dict[str, Any], points: tuple[int, ...]) -> None:
    """All points are enough unless all tricks are needed; the sun needs these too."""
    deal, cards = MOON_WITHOUT_LAST
    assert play(table(deal, PLAYERS=3, **options), cards).scores == points


def test_a_moon_of_tricks_needs_no_points() -> None:
    """Where all tricks shoot the moon, they do so whatever lies in them."""
    tricks = partial(table, "AC / 2C / 3C", PLAYERS=3, MOONNEEDS="TRICKS")
    assert scores(tricks(MOONVALUE=26)) == (-26, 0, 0)
    assert scores(tricks(MOON="PLUS", MOONVALUE=26)) == (0, 26, 26)


@pytest.mark.parametrize(
    ("options", "without", "with_jack"),
    [
        ({"MOON": "MINUS"}, (-14, 0, -10), (-24, 0, 0)),
        ({"MOON": "PLUS"}, (0, 14, 4), (-10, 14, 14)),
        ({"MOON": "MINUS", "MOONNEEDS": "EXTRAS"}, (14, 0, -10), (-24, 0, 0)),
        ({"MOON": "PLUS", "MOONNEEDS": "EXTRAS"}, (14, 0, -10), (-10, 14, 14)),
    ],
)
def test_a_moon_and_the_jack_of_diamonds(
    options: dict[str, Any], without: tuple[int, ...], with_jack: tuple[int, ...]
) -> None:
    """The jack is needed with EXTRAS only, and counts for whoever took it."""
    moon = partial(table, PLAYERS=3, JACKDIAMONDS=-10, **options)
    at = moon("AC AS 2C / 3C QS JD / 4C 2H KC")
    assert play(at, "AC 3C 4C AS QS 2H 2C JD KC").scores == without
    at = moon("AC AS 2C / 3C QS JD / 4C 2H 5D")
    assert play(at, "AC 3C 4C AS QS 2H 2C JD 5D").scores == with_jack


def test_one_heart_or_the_queen_elsewhere_is_no_moon() -> None:
    """All hearts without the queen are no moon, nor the queen without all hearts."""
    assert scores(table("AH / 2H / KH", PLAYERS=3)) == (-3, 0, 0)
    at = table("AC 2C / 2H QS / 3H KC", PLAYERS=3)
    assert play(at, "AC 2H KC 2C QS 3H").scores == (-15, 0, 0)
    at = table("AC 2C 3D / 2H QS 5D / 3H KC 6D", PLAYERS=3)
    assert legal(play(at, "AC QS KC 3D 5D 6D")) == "3H"
    assert play(at, "3H 2C 2H").scores == (13, 0, 2)


def test_hearts_alone_shoot_the_moon_where_the_queen_costs_nothing() -> None:
    """With QUEEN=0 all hearts are all points."""
    at = table("AC 2C / 2H 3C / 3H QS", PLAYERS=3, QUEEN=0)
    assert play(at, "AC 3C 3H 2C 2H QS").scores == (-2, 0, 0)


def whole_pack(first: str, aside: str = "") -> str:
    """Return a deal of all cards in which these go to player 1."""
    others = [card for card in FULL_PACK if card not in f"{first} {aside}".split()]
    return " ".join([first, *others, "|", aside])


CLUBS = "AC KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C"


@pytest.mark.parametrize(("moon", "total"), [("OFF", 26), ("MINUS", -26), ("PLUS", 78)])
def test_what_a_moon_adds_up_to(moon: str, total: int) -> None:
    """The scores of four players add up to 26, or with a moon to -26 or 78."""
    assert sum(scores(table(whole_pack(CLUBS), MOON=moon))) == total
    assert sum(scores(table(whole_pack(CLUBS.replace("AC", "2D")), MOON=moon))) == 26


@pytest.mark.parametrize(
    ("players", "first", "aside"),
    [
        (3, "AS KS QS JS AH KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "2D"),
        (5, CLUBS[: 3 * 10], "2D 2C"),
    ],
)
def test_the_moon_where_cards_are_laid_aside(players: int, first: str, aside: str) -> None:
    """Three or five players shoot the moon with the same twenty-six points."""
    assert scores(table(whole_pack(first, aside), PLAYERS=players))[0] == -26


ROUND = "AC / 2H / 3H"  # costs player 1 two points


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({"ROUNDS": 3}, 6),
        ({"ROUNDS": 0, "END": 4}, 4),
        ({"ROUNDS": 0, "END": 3}, 4),
        ({"ROUNDS": 0, "END": 4, "ABOVE": 1}, 6),
        ({"ROUNDS": 1, "END": 4}, 2),
        ({"ROUNDS": 5, "END": 4}, 4),
        ({"ROUNDS": 2, "END": 6}, 4),
        ({"ROUNDS": 0, "END": 4, "HIT": 4, "HITBECOMES": 1}, 5),
        ({"ROUNDS": 4, "HIT": 4, "HITBECOMES": -3}, 1),
        ({"ROUNDS": 4, "HIT": 3, "HITBECOMES": 0}, 8),
    ],
)
def test_when_a_match_ends(options: dict[str, int], points: int) -> None:
    """A match lasts so many deals or until a score is reached, after scores were hit."""
    assert scores(three(ROUND, **options)) == (points, 0, 0)


OTHER = "2H / 3H / AC"  # costs player 2 two points


@pytest.mark.slow
def test_ties() -> None:
    """The lowest share the win, play another deal, or the last deal decides."""
    at = three(ROUND, ROUND, OTHER, ROUNDS=2)
    assert scores(at) == (4, 0, 0)
    assert at.wins == (0, 0.5, 0.5)
    assert scores(three(ROUND, ROUND, OTHER, ROUNDS=2, TIES="EXTRA")) == (4, 2, 0)
    assert scores(three(ROUND, OTHER, ROUNDS=2, TIES="EXTRA")) == (2, 2, 0)
    assert scores(three(ROUND, OTHER, ROUNDS=2, TIES="LASTDEAL")) == (2000, 2002, 0)
    assert scores(three(ROUND, OTHER, ROUND, ROUNDS=3, TIES="LASTDEAL")) == (4002, 2000, 0)
    jack = "AC / JD / 2C"
    at = three(jack, ROUNDS=2, JACKDIAMONDS=-10, TIES="LASTDEAL")
    assert scores(at) == (-20010, 0, 0)


def test_two_reach_the_end_at_once_and_all_may_tie() -> None:
    """Whoever is at the end, the lowest wins, below zero too; equal scores share the win."""
    at = three(TRICKS, ROUNDS=0, END=50, EACHTRICK=50)
    assert scores(at) == (50, 50, 0)
    assert at.wins == (0, 0, 1)
    at = three("AC / JD / 2C", JACKDIAMONDS=-10)
    assert scores(at) == (-10, 0, 0)
    assert at.ranks == (0, 1, 1)
    at = three("AC / 2C / 3C")
    assert scores(at) == (0, 0, 0)
    assert at.ranks == (0, 0, 0)
