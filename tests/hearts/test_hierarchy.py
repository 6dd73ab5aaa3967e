"""Hierarchies: how lists of selectors choose, and which list is used when."""

from __future__ import annotations

import pickle

import pytest
from made_table import card, passing, table

from cardwright import Stream
from cardwright.hearts.cards import format_card, format_hand
from cardwright.hearts.hierarchy import (
    Hierarchy,
    HierarchyError,
    HierarchyPlayer,
    Order,
    OrderMode,
    Tie,
    order,
    parse_step,
)
from cardwright.hearts.table import DecisionKind


def chosen(order_: Order, hand: str, trick: str = "") -> str:
    found = table(hand, trick)
    return format_card(order_.card(found, found.legal, Stream(1)))


def test_the_first_match_decides() -> None:
    listed = order("duck", "highest_heart", "highest", tie="low")
    assert chosen(listed, "2C KC", "TC") == "2C"
    assert chosen(listed, "2C KD 5H") == "5H"
    assert chosen(listed, "2C KD KS") == "KD"


def test_filters_narrow_the_set() -> None:
    """Each picks of what is left; one that picks nothing is passed over."""
    listed = order("short_suit", "duck", "highest", mode="filter")
    assert chosen(listed, "2C 9C 3D 4D 5D AH KH") == "AH"
    assert chosen(order("short_suit", "lowest", mode="filter"), "2C 9C 3D 4D 5D AH KH") == "2C"
    assert chosen(order("short_suit", "lowest"), "4C 9C 3D 4D 5D AH KH") == "4C"


@pytest.mark.parametrize(("tie", "expected"), [("low", "2C"), ("high", "KH")])
def test_ties(tie: str, expected: str) -> None:
    assert chosen(order("any", tie=tie), "KD 2C KH 2D 9S") == expected
    assert chosen(order(tie=tie), "KD 2C KH 2D 9S") == expected


def test_random_ties_are_drawn() -> None:
    found, stream = table("2C 3C 4C KD"), Stream(7)
    listed = order("long_suit", tie="random")
    drawn = [format_card(listed.card(found, found.legal, stream)) for _ in range(60)]
    assert set(drawn) == {"2C", "3C", "4C"}
    again = Stream(7)
    assert drawn == [format_card(listed.card(found, found.legal, again)) for _ in range(60)]


def test_other_ties_draw_nothing() -> None:
    stream = Stream(7)
    found = table("2C 3C")
    order("any", tie="low").card(found, found.legal, stream)
    assert stream.words == Stream(7).words


@pytest.mark.parametrize(
    ("hand", "trick", "facts", "used"),
    [
        ("2C", "", {}, "first"),
        ("2C", "3C", {}, "second"),
        ("2C", "3C 4C", {}, "third"),
        ("2C", "3C 4C 5C", {}, "fourth"),
        ("2D", "3C", {}, "discard_second"),
        ("2D", "3C 4C", {}, "discard_third"),
        ("2D", "3C 4C 5C", {}, "discard_fourth"),
        ("2C", "3C 4C", {"declared": {"PLAYERS": 3}}, "fourth"),
        ("2C", "3C 4C 5C", {"declared": {"PLAYERS": 6}}, "third"),
        ("2C", "", {"kind": DecisionKind.PASS}, "pass_"),
        ("2C", "", {"kind": DecisionKind.LAY}, "pass_"),
    ],
)
def test_which_list_is_used(hand: str, trick: str, facts: dict, used: str) -> None:
    names = list(Hierarchy.__dataclass_fields__)
    listed = {name: order(f"keep_low_hearts({at})") for at, name in enumerate(names, 2)}
    assert Hierarchy(**listed).order_at(table(hand, trick, **facts)) is listed[used]


def test_discards_where_there_is_no_list_of_the_position() -> None:
    second, discard = order("duck"), order("highest")
    void = table("2D", "3C")
    assert Hierarchy(second=second, discard=discard).order_at(void) is discard
    assert Hierarchy(second=second).order_at(void) is second
    assert Hierarchy(discard=discard).order_at(table("2C", "3C")) is None


def test_a_list_left_out_is_left_to_chance() -> None:
    found, stream = table("2C 3C 4C"), Stream(1)
    player = Hierarchy(second=order("lowest"))
    assert {player.cards(found, stream) for _ in range(50)} == {(one,) for one in found.hand}


def test_passing_card_by_card() -> None:
    """The hand shrinks: a suit of two can be emptied by the last two cards, not by the last."""
    found = passing("2C 9C 3D 4D 5D 6D AH KH")
    suit_first = Hierarchy(pass_=order("shortest_suit(c)", "highest_heart", tie="high"))
    assert format_hand(suit_first.cards(found, Stream(1))) == "2C 9C AH"
    hearts_first = Hierarchy(pass_=order("highest_heart", "shortest_suit", "lowest_of(d)"))
    assert format_hand(hearts_first.cards(found, Stream(1))) == "3D KH AH"
    counted = Hierarchy(pass_=order("high_spades(2)", "queen_spades", tie="high"))
    assert format_hand(counted.cards(passing("AS QS KD", 2), Stream(1))) == "QS AS"


def test_passing_by_chance() -> None:
    passed = {frozenset(Hierarchy().cards(passing("2C 3C 4C 5C"), Stream(n))) for n in range(80)}
    assert len(passed) == 4
    assert all(len(cards) == 3 for cards in passed)


@pytest.mark.parametrize(
    ("hand", "trick", "facts", "played"),
    [
        ("AS KS QS 2C", "", {"kind": DecisionKind.PASS}, "AS"),
        ("2S TS KS 3D", "", {}, "2S"),
        ("3D KD", "", {"taken": ["QS"]}, "3D"),
        ("2C 9C JC", "TC", {}, "9C"),
        ("QS 2S", "KS", {}, "QS"),
        ("KC AC", "TC 2C 3C", {}, "AC"),
        ("KC AC", "TC 2C 3H", {}, "KC"),
        ("QS AS AH", "TC", {}, "QS"),
        ("KS AS AH", "TC", {}, "AS"),
        ("2H KS AD", "TC", {"taken": ["QS"]}, "2H"),
        ("9S TS KD", "TC", {"taken": ["QS"]}, "KD"),
    ],
)
def test_the_default(hand: str, trick: str, facts: dict, played: str) -> None:
    (one,) = Hierarchy.load("default").cards(table(hand, trick, **facts), Stream(1))
    assert format_card(one) == played


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("hihgest", "there is no selector 'hihgest'; did you mean highest"),
        ("zzz", "there is no selector 'zzz'; write one of any, avoid_points"),
        ("duck if no_point", "there is no condition 'no_point'; did you mean no_points"),
        ("duck(3)", r"duck takes no parameters, not \(3\)"),
        ("highest_of", "highest_of takes one suit, not nothing"),
        ("highest_of(c, d)", r"takes one suit, not \(c, d\)"),
        ("highest_of(clbs)", "'clbs' is not a suit; did you mean clubs"),
        ("void_suit(x)", "'x' is not a suit; the suits are clubs, diamonds, spades, hearts"),
        ("safe_lead(0)", r"safe_lead\(0\) is not possible: write a number from 1 to 13"),
        ("safe_lead(two)", "write a number from 1 to 13"),
        ("safe_lead(1, 2)", r"takes a number, not \(1, 2\)"),
        ("duck or lowest", "'duck or lowest' is not a step: write a selector"),
        ("duckif last", "'duckif last' is not a step"),
        ("", "'' is not a step"),
        ("duck(", "is not a step"),
    ],
)
def test_steps_that_are_none(step: str, message: str) -> None:
    with pytest.raises(HierarchyError, match=message):
        parse_step(step)


def test_steps_with_spaces() -> None:
    step = parse_step("  shortest_suit ( Clubs ,d )  if  not  last ")
    assert step.parameters == (0, 1)
    assert step.negated
    assert str(step) == "shortest_suit ( Clubs ,d )  if  not  last"
    assert parse_step("void_suit()").parameters == ()


def test_modes_and_ties_that_are_none() -> None:
    with pytest.raises(HierarchyError, match="mode cannot be 'filtr'; did you mean filter"):
        order("duck", mode="filtr")
    with pytest.raises(HierarchyError, match="tie cannot be 'x'; it is one of low, high, random"):
        order("duck", tie="x")


def test_hierarchies_are_values() -> None:
    """They can be compared, and sent to other processes with their players."""
    one = Hierarchy(first=order("duck if last", tie="high"))
    assert one == Hierarchy(first=order("duck if last", tie="high"))
    assert one != Hierarchy(first=order("duck", tie="high"))
    player = HierarchyPlayer(Hierarchy.load("default"))
    assert pickle.loads(pickle.dumps(player)) == player
    assert one.first == Order((parse_step("duck if last"),), OrderMode.FIRST_MATCH, Tie.HIGH)
    assert card("2C") == 2
