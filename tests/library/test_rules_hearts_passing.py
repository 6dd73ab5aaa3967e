"""Dealing, the widow and passing in Hearts, and the pass of two programs, laid out by hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hearts_tables import hand, kind, legal, play, table
from library_playing import interpreted, seeds

from cardwright.library.catalogue import facts

if TYPE_CHECKING:
    from cardwright import State

three = partial(table, PLAYERS=3, MOON="OFF")


def preset(name: str, *deals: str, **options: Any) -> State:
    """Return a game of a preset with these cards."""
    return table(*deals, **{**facts("hearts").settings.preset(name).declared, **options})


def hands(state: State, players: int = 3) -> list[str]:
    return [hand(state, seat) for seat in range(players)]


def test_dealing() -> None:
    """Hands are dealt from the top, one after the other or card by card, player 1 first."""
    deal = "2C 3D 4C 5D 6C 7D"
    assert hands(three(deal)) == ["2C 3D", "4C 5D", "6C 7D"]
    assert hands(three(deal, DEALING="SINGLY")) == ["2C 5D", "3D 6C", "4C 7D"]
    assert hands(three(deal, DEALING="SINGLY", OPENING="ELDEST", ROUNDS=2))[0] == "2C 5D"


@pytest.mark.parametrize(
    ("options", "aside"),
    [
        ({"PLAYERS": 3}, "2D"),
        ({"PLAYERS": 4}, ""),
        ({"PLAYERS": 5}, "2D 2C"),
        ({"PLAYERS": 6}, "2D 2C 3D 3C"),
        ({"PLAYERS": 5, "SPARE": "CLUBS"}, "2C 2D"),
        ({"PLAYERS": 3, "SPARE": "SPADES"}, "2S"),
        ({"PLAYERS": 6, "SPARE": "SPADES"}, "2S 2D 2C 3S"),
        ({"WIDOW": 3, "SPARE": "SPADES"}, "2S"),
        ({"PLAYERS": 10, "WIDOW": 3}, "2D 2C 3D 3C 4D 4C 5D 5C 6D"),
        ({"PLAYERS": 6, "PACKS": 2}, "2D 2C"),
        ({"PLAYERS": 7, "PACKS": 2}, ""),
        ({"PLAYERS": 4, "PACKS": 2, "JOKERS": 2}, "2D 2C"),
    ],
)
def test_cards_laid_aside(options: dict[str, Any], aside: str) -> None:
    """The lowest cards are laid aside until the rest can be shared out, of two packs one each."""
    game = interpreted("hearts", **options)
    state = game.start(1)
    removed = list(map(kind, state.cards(None, "vloc", "REMOVED")))
    assert sorted(removed) == sorted(aside.split())
    size = (len(game.cards) - len(removed) - options.get("WIDOW", 0)) // game.players
    assert {len(state.cards(seat, "iloc", "HAND")) for seat in range(game.players)} == {size}


@pytest.mark.parametrize(
    ("players", "packs", "jokers"),
    [(4, 1, 0), (5, 1, 0), (4, 2, 0), (5, 2, 1), (6, 2, 0), (7, 2, 1)],
)
def test_jokers(players: int, packs: int, jokers: int) -> None:
    """Two packs shared by an odd number have a joker, unless JOKERS says otherwise."""
    game = interpreted("hearts", PLAYERS=players, PACKS=packs)
    assert [kind(card) for card in game.cards].count("0C") == jokers
    assert len(game.cards) == 52 * packs + jokers


# Tricks go to players 1, 2 and 3; the second is the first with a heart.
WIDOW = "AC 2D 3C / 2C KD 4C / 5C 2H KC"
PLAYED = "AC 2C 5C 2D KD 2H 4C KC 3C"


@pytest.mark.parametrize(
    ("option", "points"),
    [("FIRST", (13, 1, 0)), ("HEART", (0, 14, 0)), ("LAST", (0, 1, 13))],
)
def test_who_wins_the_widow(option: str, points: tuple[int, ...]) -> None:
    """The widow counts for the winner of the first trick, the first with a heart, or the last."""
    widow = partial(three, f"{WIDOW} / QS", WIDOW=1, WIDOWTO=option)
    assert play(widow(), PLAYED).scores == points
    paid = tuple(p + won for p, won in zip(points, (3, 0, 4), strict=True))
    assert play(widow(FIRSTTAKEN=3, LASTTAKEN=4), PLAYED).scores == paid


def test_exchanging_the_widow() -> None:
    """The winner of the first trick takes the widow in hand and lays as many cards aside.

    What is laid aside counts for who did it.
    """
    exchange = partial(three, f"{WIDOW} / QS 9S", WIDOW=2, WIDOWTO="EXCHANGE")
    at = play(exchange(), "AC 2C 5C")
    assert (at.player, hand(at, 0)) == (0, "2D 3C QS 9S")
    assert legal(at) == "2D+3C 2D+QS 3C+QS 2D+9S 3C+9S QS+9S"
    assert play(exchange(), "AC 2C 5C QS+9S 2D KD 2H 4C KC 3C").scores == (13, 1, 0)
    at = play(exchange(), "AC 2C 5C 2D+3C")
    assert (at.player, legal(at)) == (0, "QS 9S")
    assert play(at, "QS KD 2H 9S 4C KC").scores == (14, 0, 0)


PASSES = "2C 3C 4C / 2D 3D 4D / 2S 3S 4S"


def test_passing_together() -> None:
    """All choose a set from what they were dealt."""
    at = three(PASSES, PASS=2)
    assert (at.player, legal(at)) == (0, "2C+3C 2C+4C 3C+4C")
    assert legal(play(at, "2C+4C")) == "2D+3D 2D+4D 3D+4D"
    play(at, "2D+3D 3S+4S")
    assert hands(at) == ["3C 3S 4S", "2C 4C 4D", "2D 3D 2S"]


@pytest.mark.parametrize(
    ("option", "order"), [("SINGLY", [0, 0, 1, 1, 2, 2]), ("ROUNDS", [0, 1, 2, 0, 1, 2])]
)
def test_passing_card_by_card(option: str, order: list[int]) -> None:
    """Cards are chosen one by one, by one player after the other or in rounds."""
    cards = {0: ["4C", "2C"], 1: ["3D", "4D"], 2: ["4S", "3S"]}
    at = three(PASSES, PASS=2, PASSING=option)
    assert legal(at) == "2C 3C 4C"
    for seat in order:
        assert at.player == seat
        play(at, cards[seat].pop(0))
    assert hands(at) == ["3C 3S 4S", "2C 4C 2D", "3D 4D 2S"]


@pytest.mark.parametrize(
    ("option", "cards", "seen"),
    [
        ("TOGETHER", "2C+3C", "2C+3C 2C+2D 3C+2D 2C+3D 3C+3D 2D+3D 2C+4D 3C+4D 2D+4D 3D+4D"),
        ("SINGLY", "2C 3C", "2C 3C 2D 3D 4D"),
        ("ROUNDS", "2C", "2C 2D 3D 4D"),
    ],
)
def test_looking_at_what_was_passed(option: str, cards: str, seen: str) -> None:
    """With LOOK cards passed are in hand before their receiver passes, and may be passed on."""
    assert legal(play(three(PASSES, PASS=2, PASSING=option, LOOK=1), cards)) == seen
    blind = three(PASSES, PASS=2, PASSING=option)
    assert "C" not in legal(play(blind, cards))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "received"),
    [
        (3, {"LEFT": 2, "RIGHT": 1, "ACROSS": 2, "LEFT2": 1, "RIGHT2": 2}),
        (4, {"LEFT": 3, "RIGHT": 1, "ACROSS": 2, "LEFT2": 2, "RIGHT2": 2}),
        (5, {"LEFT": 4, "RIGHT": 1, "ACROSS": 3, "LEFT2": 3, "RIGHT2": 2}),
        (6, {"LEFT": 5, "RIGHT": 1, "ACROSS": 3, "LEFT2": 4, "RIGHT2": 2}),
    ],
)
def test_directions(players: int, received: dict[str, int]) -> None:
    """Player 1 receives from the right when cards go left, and from two on when they go right."""
    cards = [f"{rank}C {rank}D" for rank in "23456789"[:players]]
    for way, giver in received.items():
        at = table(" / ".join(cards), PLAYERS=players, PASS=1, CYCLE=(way,))
        play(at, " ".join(f"{rank}C" for rank in "23456789"[:players]))
        assert hand(at, 0) == f"2D {'23456789'[giver]}C"


FOURS = "2C 3C 4C / 2D 3D 4D / 2S 3S 4S / 2H 3H 4H"
SCATTERED = ["4D 3S 2H", "2C 4S 3H", "3C 2D 4H", "4C 3D 2S"]


@pytest.mark.parametrize(
    ("option", "cards"),
    [
        ("TOGETHER", "2C+3C+4C 2D+3D+4D 2S+3S+4S 2H+3H+4H"),
        ("SINGLY", "2C 3C 4C 2D 3D 4D 2S 3S 4S 2H 3H 4H"),
        ("ROUNDS", "2C 2D 2S 2H 3C 3D 3S 3H 4C 4D 4S 4H"),
    ],
)
def test_scattering(option: str, cards: str) -> None:
    """Scattered, the first card goes to the next player, the second one further, and so on."""
    at = table(FOURS, PASS=3, CYCLE=("SCATTER",), PASSING=option)
    assert hands(play(at, cards), 4) == SCATTERED


def test_scattering_more_than_there_are_others() -> None:
    """Scattered cards begin again with the next player."""
    at = three(PASSES, PASS=3, CYCLE=("SCATTER",))
    assert hands(play(at, "2C+3C+4C 2D+3D+4D 2S+3S+4S")) == ["3D 2S 4S", "2C 4C 3S", "3C 2D 4D"]


@pytest.mark.parametrize("option", ["TOGETHER", "SINGLY", "ROUNDS"])
def test_scattering_openly(option: str) -> None:
    """With LOOK scattered cards are in hand at once, too."""
    at = table(FOURS, PASS=2, CYCLE=("SCATTER",), PASSING=option, LOOK=1)
    play(at, {"TOGETHER": "2C+3C", "SINGLY": "2C 3C", "ROUNDS": "2C 2D 2S 2H 3C"}[option])
    expected = {
        "TOGETHER": ["4C", "2C 2D 3D 4D", "3C 2S 3S 4S", "2H 3H 4H"],
        "SINGLY": ["4C", "2C 2D 3D 4D", "3C 2S 3S 4S", "2H 3H 4H"],
        "ROUNDS": ["4C 2H", "2C 3D 4D", "3C 2D 3S 4S", "2S 3H 4H"],
    }[option]
    assert hands(at, 4) == expected


def test_the_cycle_of_passes() -> None:
    """Each deal has the next direction; there is no pass in a deal of HOLD."""
    at = three("2C 3C / 2D 3D / 2S 3S", PASS=1, CYCLE=("LEFT", "HOLD", "RIGHT"), ROUNDS=4)
    seen: list[list[str]] = []
    for _ in range(4):
        if legal(at) == "2C 3C" and len(seen) != 1:
            play(at, "3C 3D 3S")
        seen.append(hands(at))
        for _ in range(6):
            at.play(0)
    left = ["2C 3S", "3C 2D", "3D 2S"]
    assert seen == [left, ["2C 3C", "2D 3D", "2S 3S"], ["2C 3D", "2D 3S", "3C 2S"], left]
    assert at.finished


def test_directions_drawn_by_lot() -> None:
    """With DRAWN each direction of the cycle comes up, whatever deal it is."""
    game = interpreted("hearts", preset="openspiel")
    drawn = [game.start(seed).string(None, "DIRECTION") for seed in seeds(40, 10)]
    assert set(drawn) == {"HOLD", "LEFT", "ACROSS", "RIGHT"}
    passing = [game.start(seed).option_count == 13 for seed in seeds(40, 10)]
    assert passing == [way != "HOLD" for way in drawn]


LEAGUE = "2C QS 7H 4D 5D / 9C 3C 4S 6D 7D / 8C 4C 5S 8D 9D / 6H 5C TC TD JD"


def test_hearts_league_passes() -> None:
    """In rounds of one card all pass three, left, right and across; these are appended in order."""
    at = preset("hearts_league", LEAGUE)
    for received in ["6H TC TD", "9C 4S 6D", "8C 5S 8D", "6H TC TD"]:
        assert legal(at) == "2C QS 7H 4D 5D"
        play(at, "QS 9C 8C 6H 7H 4S 5S TC 4D 6D 8D TD")
        assert hand(at, 0) == f"2C 5D {received}"
        assert (at.player, legal(at)) == (0, "2C")
        for _ in range(20):
            at.play(0)


@pytest.mark.slow
def test_hearts_league_plays() -> None:
    """As its program plays, points may fall in the first trick; as it is described, they may not.

    Any penalty card played breaks hearts, and who holds only penalty cards may lead any.
    """
    deal = "2C AD / QS 2H / 3C AS / 4C 5D"
    assert legal(play(preset("hearts_league", deal, PASS=0), "2C")) == "QS 2H"
    deal = "2C AD 3D / QS 4D 2H / 3C AS 2D / 4C 5D 6D"
    assert legal(play(preset("hearts_league", deal, PASS=0), "2C")) == "QS 4D 2H"
    assert legal(play(preset("hearts_league_readme", deal, PASS=0), "2C")) == "4D"
    at = play(preset("hearts_league", deal, PASS=0), "2C 4D 3C 4C")
    assert (at.player, legal(at)) == (3, "5D 6D")
    assert legal(play(at, "5D AD QS 2D")) == "3D"
    at = preset("hearts_league", "2C AD 3D / AC QS 3H / 3C AS 2D / 4C 5D 6D", PASS=0)
    assert legal(play(at, "2C AC 3C 4C")) == "QS 3H"


def test_corin() -> None:
    """Cards go round singly, the two of clubs leads, and no penalty card falls in the first trick.

    The queen breaks hearts in any way, and a heart only when discarded; there is no passing.
    """
    at = preset("corin", "3H AC 5C 4C 4H QS 6C 2C 5D 9H 7C 8D")
    assert hands(at, 4) == ["3H 4H 5D", "AC QS 9H", "5C 6C 7C", "4C 2C 8D"]
    at = preset("corin", "5D QS 9H / AS 9S 8H / 2C KS 3D / AC 3S 4D", DEALING="BLOCKS")
    assert (at.player, legal(at)) == (2, "2C")
    assert legal(play(at, "2C AC")) == "5D"
    assert legal(play(at, "5D")) == "AS 9S"


def test_corin_breaks_hearts() -> None:
    """A heart led from a hand of hearts does not break them; the queen played to spades does."""
    rules = {**facts("hearts").settings.preset("corin").declared, "DEALING": "BLOCKS"}
    rules |= {"PLAYERS": 3}
    at = table("2C 9H 8H / AC 3H 4H / 3C 5H TS", **rules)
    assert legal(play(at, "2C AC 3C")) == "3H 4H"
    assert (play(at, "3H 5H 9H").player, legal(at)) == (0, "8H")
    at = table("2C 9H 8D 7D / AC 3H 2D 3D / 3C 5H TS 4D", **rules)
    assert legal(play(at, "2C AC 3C")) == "2D 3D"
    at = table("2C 9H 8S 7D / AC AS KH 3D / 3C 5H QS 4D", **rules)
    assert legal(play(at, "2C AC 3C AS QS 8S")) == "KH 3D"
    at = table("2C 9H 8S 7D / AC AS KH 3D / 3C 5H TS 4D", **rules)
    assert legal(play(at, "2C AC 3C AS TS 8S")) == "3D"
