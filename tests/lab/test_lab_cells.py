"""What cells play: games and players as the levels of factors make them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from experiments import FIVE, RULE, hearts, kuhn, option, plan, player, slot

from cardwright.arena.plan import loaded
from cardwright.arena.schedule import is_balanced
from cardwright.hearts.hierarchy import HierarchyPlayer, order
from cardwright.lab.cell import CHANCE, game_of, label, maker, player_of
from cardwright.lab.factor import (
    DISCARDS,
    SLOTS,
    Factor,
    FactorKind,
    FactorLevel,
    LabError,
    LabPlayer,
    SelectorList,
)
from cardwright.lab.layout import layout_of, notes, seatings
from cardwright.lab.plan import Design, Precision, Seating
from cardwright.players.kind import NO_TRUST

DUCK = SelectorList(("duck", "lowest", "any"), tie="high", discard=SelectorList(("highest",)))


def made(who):
    """Return the hierarchy of a player."""
    player = maker(who, NO_TRUST)()
    assert isinstance(player, HierarchyPlayer)
    return player.hierarchy


def parameter(name, *values):
    return Factor(
        name, FactorKind.PARAMETER, name, tuple(FactorLevel(value, value) for value in values)
    )


def swap(target):
    return Factor(
        target, FactorKind.SWAP, target, (FactorLevel("no", False), FactorLevel("yes", True))
    )


def test_slots_are_set_one_by_one():
    experiment = plan(*map(slot, FIVE))
    assert layout_of(experiment).cells[0] == (0,) * 5
    for cell in layout_of(experiment).cells:
        hierarchy = made(player_of(experiment, cell))
        for name, level in zip(FIVE, cell, strict=True):
            field = "pass_" if name == "pass" else name
            assert getattr(hierarchy, field) == (order("rule") if level else None)
        assert hierarchy.discard is None


def test_a_list_brings_its_discards_or_takes_those_of_the_base_away():
    base = LabPlayer("base", lists=(("discard_fourth", RULE), ("fourth", RULE), ("discard", RULE)))
    experiment = plan(slot("fourth", None, DUCK, RULE), tested=base)
    chance, duck, rule = (made(player_of(experiment, (level,))) for level in range(3))
    assert (chance.fourth, chance.discard_fourth) == (None, None)
    assert duck.fourth == order("duck", "lowest", "any", tie="high")
    assert duck.discard_fourth == order("highest")
    assert (rule.fourth, rule.discard_fourth) == (order("rule"), None)
    assert {one.discard for one in (chance, duck, rule)} == {order("rule")}


def test_discards_left_to_chance_are_not_those_of_another_list():
    experiment = plan(
        slot("discard_third", RULE, None), tested=LabPlayer("b", lists=(("third", RULE),))
    )
    hierarchy = made(player_of(experiment, (1,)))
    assert hierarchy.discard_third == order(tie="random")
    assert CHANCE.select == ()


def test_positions_are_set_before_discards_whatever_the_order_of_factors():
    experiment = plan(slot("discard_fourth"), slot("fourth"))
    hierarchy = made(player_of(experiment, (1, 1)))
    assert (hierarchy.fourth, hierarchy.discard_fourth) == (order("rule"), order("rule"))


def test_swaps_are_carried_out_after_slots_in_the_order_of_factors():
    experiment = plan(slot("fourth", DUCK, replace(DUCK, select=("highest", "any", "duck"))),
                      swap("fourth:0"), swap("fourth:1"))  # fmt: skip
    found = {cell: dict(player_of(experiment, cell).lists)["fourth"].select
             for cell in layout_of(experiment).cells}  # fmt: skip
    assert found[0, 0, 0] == ("duck", "lowest", "any")
    assert found[0, 1, 0] == ("lowest", "duck", "any")
    assert found[0, 1, 1] == ("lowest", "any", "duck")
    assert found[1, 0, 1] == ("highest", "duck", "any")
    assert dict(player_of(experiment, (0, 1, 1)).lists)["discard_fourth"] == SelectorList(
        ("highest",)
    )


def test_parameters_are_added_or_replaced():
    experiment = plan(
        parameter("iterations", "5", "7"),
        tested=LabPlayer("m", "ismcts:iterations=3,c=1"),
        game=kuhn(),
    )
    assert player_of(experiment, (1,)).spec == "ismcts:c=1,iterations=7"


def test_options_make_variants_and_equal_ones_are_one_game():
    experiment = plan(option("QUEEN", "13", "5"))
    assert loaded(game_of(experiment, (1,))).declared["QUEEN"] == 5
    assert len(layout_of(experiment).games) == 2
    assert len(layout_of(plan(option("QUEEN", "13", "013"))).games) == 1


def test_cells_are_named_by_their_levels():
    assert label(plan(slot("pass"), slot("first")), (1, 0)) == "pass=rule, first=random"


@pytest.mark.parametrize(
    ("experiment", "message"),
    [
        (lambda: plan(slot("forth")), "no slot 'forth'; did you mean fourth"),
        (lambda: plan(slot("first", None, DUCK)), "slot first cannot have discards"),
        (lambda: plan(slot("first", None, SelectorList(("hihgest",)))), "did you mean highest"),
        (lambda: plan(slot("first", None, SelectorList(("any",), tie="lo"))), "tie cannot be 'lo'"),
        (lambda: plan(slot("first"), tested=LabPlayer("r", "rule")),
         "r is not a hierarchy: it has no slot"),
        (lambda: plan(swap("fourth:0")), "0 and 1 .* of the slot fourth, .* has no list there"),
        (lambda: plan(slot("fourth", DUCK, None), swap("fourth:1")), "has no list there"),
        (lambda: plan(slot("fourth", DUCK, RULE), swap("fourth:0")), "has 1 step there"),
        (lambda: plan(swap("fourth:x")), "write a slot and a place"),
        (lambda: plan(parameter("tie", "low", "high")), "is a hierarchy: it has no parameter"),
        (lambda: plan(parameter("c", "1", "2"), tested=LabPlayer("r", "rule")), "no parameter 'c'"),
        (lambda: plan(parameter("c", "1", "x"), tested=LabPlayer("m", "ismcts")), "level x .*:c=x"),
        (lambda: plan(option("QUEN", "1", "2")), "QUEN=1: .*QUEN"),
        (lambda: plan(option("QUEEN", "1", "many!")), "QUEEN=many!: 'many!' is not a value"),
        (lambda: plan(option("MOON", "PLUS", "HALF")), "MOON=HALF"),
        (lambda: plan(option("ROUNDS", "1", "0")), "ROUNDS=0: .*a game needs an end"),
        (lambda: plan(option("PLAYERS", "4", "3")), "3 seats with PLAYERS=3, and 4 without"),
        (lambda: plan(slot("fourth"), replace(slot("fourth"), name="x")), "fourth and x both set"),
        (lambda: plan(player("rule", "first"), replace(player("rule", "first"), name="x")),
         "player and x both set the player"),
        (lambda: plan(slot("fourth", None, DUCK), slot("discard_fourth")), "both set the slot"),
        (lambda: plan(slot("first"), opponents=("rul",)), "there is no player 'rul'"),
        (lambda: plan(slot("first"), opponents=("random",), game=kuhn()), "kuhn is not a game of"),
        (lambda: plan(player("random", "rule"), game=kuhn()), "kuhn is not a game of the Hearts"),
        (lambda: plan(slot("first"), tested=LabPlayer("b", lists=(("second", DUCK),
                                                            ("discard_second", RULE)))),
         "two lists for the slot discard_second"),
        (lambda: plan(slot("first"), stop=Precision("pionts", 1)),
         "no response is called 'pionts'; did you mean points"),
        (lambda: plan(Factor("f", FactorKind.SLOT, "first",
                             (FactorLevel("a", None), FactorLevel("b", "rule")))),
         "level b of the factor f is not a list"),
        (lambda: plan(Factor("f", FactorKind.PLAYER, "",
                             (FactorLevel("a", None), FactorLevel("b", None)))),
         "is not a player"),
        (lambda: plan(Factor("f", FactorKind.OPTION, "QUEEN",
                             (FactorLevel("a", True), FactorLevel("b", None)))),
         "is not a string"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_told_before(experiment, message):
    with pytest.raises(LabError, match=message):
        layout_of(experiment())


def test_a_swap_is_possible_where_its_slot_is_never_without_a_list():
    one = plan(slot("fourth", DUCK, None), swap("fourth:0"), design=Design.ONE)
    with pytest.raises(LabError, match="has no list there"):
        layout_of(one)
    other = plan(slot("third", DUCK, None), swap("fourth:0"), design=Design.ONE,
                 tested=LabPlayer("b", lists=(("fourth", DUCK),)))  # fmt: skip
    assert len(layout_of(other).cells) == 3


def test_slots_with_discards_are_slots():
    assert set(DISCARDS) <= set(SLOTS)
    assert set(DISCARDS.values()) <= set(SLOTS)
    spread = LabPlayer("b", lists=(("third", DUCK),))
    assert [name for name, _ in spread.lists] == ["third", "discard_third"]


def test_seatings():
    usual = plan(slot("first"))
    assert seatings(usual) == (((0,), (1,), (2,), (3,)),)
    rotated = replace(usual, seating=Seating.ROTATE)
    assert seatings(rotated) == (((0,),), ((1,),), ((2,),), ((3,),))
    pairs = seatings(replace(usual, seating=Seating.PAIRS))
    assert pairs == (((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),)


@pytest.mark.parametrize("seating", Seating)
def test_the_tested_player_has_copies_on_all_sides(seating):
    """So whoever sits beside it cannot be taken for a factor: the deals of each kind together."""
    made = plan(slot("first"), seating=seating)
    tables = tuple(
        tuple(int(seat not in seats) for seat in range(4))
        for kind in seatings(made)
        for seats in kind
    )
    assert is_balanced(tables)
    assert all(len({table[seat] for table in tables}) == 2 for seat in range(4))


def test_each_table_is_played_once():
    """Players that are equal but in name are one, and so are the seatings of equal players."""
    equal = replace(player("rule", "random"), levels=(FactorLevel("a", LabPlayer("a", "rule")),
                                                      FactorLevel("b", LabPlayer("b", "rule")),
                                                      FactorLevel("c", LabPlayer("c", "random"))),
    )  # fmt: skip
    layout = layout_of(plan(equal))
    (kind,) = layout.kinds
    assert len(layout.players) == 2
    # All rule, all random; one of either kind in each seat.
    assert len(kind.distinct) == 2 + 2 * 4
    assert kind.at.shape == (2, 3, 4)
    assert layout.most_tables == 10
    assert layout.where(0, int(kind.at[0, 2, 1])) == "player=c against random"


def test_responses_are_those_that_can_be_counted():
    def names(**more):
        return [one.name for one in layout_of(plan(player("random", "first"), **more)).responses]

    some = ["points", "margin", "wins", "place"]
    assert names(opponents=("random",), game=kuhn()) == some
    assert names() == [*some, "queen", "moon", "tricks"]
    assert names(game=hearts(ROUNDS=0, END=20)) == [*some, "queen", "moon", "tricks", "deals"]


@pytest.mark.slow
def test_notes_say_when_cells_are_not_dealt_the_same():
    assert notes(plan(option("QUEEN", "13", "5"))) == ()
    for changed in (option("DEALING", "BLOCKS", "SINGLY"), option("WIDOW", "0", "4")):
        (note,) = notes(plan(changed))
        assert "do not have the same deals" in note
    (timed,) = notes(plan(player("random", "ismcts:ms=5"), game=kuhn(), opponents=("first",)))
    assert timed.startswith("ismcts:ms=5: how far a search gets")
