"""Names of levels and players, as people write them, and what is wrong with others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardwright.game.errors import CardwrightError
from cardwright.hearts.hierarchy import Hierarchy, order
from cardwright.lab.factor import (
    PLAYED,
    SLOTS,
    FactorLevel,
    LabError,
    LabPlayer,
    SelectorList,
    base_level,
    lists_of,
    player_named,
    slot_level,
    slotted,
    split,
    spread_discards,
)
from cardwright.players.kind import FULL_TRUST, NO_TRUST, trust_in

DUCK = SelectorList(("duck", "lowest"))
DEFAULT = lists_of(Hierarchy.load("default"))

MINE = """
tie = "high"
pass = ["highest"]
second = { select = ["duck"], mode = "filter", tie = "random" }
fourth = ["win_high"]
discard = ["queen_spades"]
discard_fourth = ["highest_heart"]
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.toml").write_text(MINE, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("random,rule", ["random", "rule"]),
        ("[duck, lowest];tie=high , random", ["[duck, lowest];tie=high", "random"]),
        ("[void_suit(clubs, diamonds), any],rule", ["[void_suit(clubs, diamonds), any]", "rule"]),
        ("(LEFT,RIGHT),(HOLD)", ["(LEFT,RIGHT)", "(HOLD)"]),
        ("", [""]),
    ],
)
def test_levels_are_split_at_commas_outside_brackets(text, parts):
    assert split(text) == parts


@pytest.mark.parametrize("slot", SLOTS)
def test_levels_that_every_slot_has(slot):
    assert slot_level(slot, "random", NO_TRUST) == FactorLevel("random", None)
    assert slot_level(slot, " rule ", NO_TRUST) == FactorLevel("rule", SelectorList(("rule",)))


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("[duck, lowest]", FactorLevel("[duck, lowest]", DUCK)),
        ("careful=[duck,lowest]", FactorLevel("careful", DUCK)),
        (
            "[duck];tie=high;mode=filter",
            FactorLevel("[duck];tie=high;mode=filter", SelectorList(("duck",), "filter", "high")),
        ),
        (
            "x y = [ 'duck' ] ; tie = random",
            FactorLevel("x y", SelectorList(("duck",), tie="random")),
        ),
        (
            "[shortest_suit(clubs, diamonds) if last, any]",
            FactorLevel(
                "[shortest_suit(clubs, diamonds) if last, any]",
                SelectorList(("shortest_suit(clubs, diamonds) if last", "any")),
            ),
        ),
        ("[]", FactorLevel("[]", SelectorList(()))),
    ],
)
def test_lists_as_they_are_written(text, level):
    assert slot_level("fourth", text, NO_TRUST) == level


def test_lists_of_files_bring_the_discards_of_their_position(folder):
    assert slot_level("second", "mine.toml", trust_in(folder=folder)) == FactorLevel(
        "mine.toml",
        SelectorList(
            ("duck",), "filter", "random", discard=SelectorList(("queen_spades",), tie="high")
        ),
    )
    assert slot_level("fourth", "mine.toml", trust_in(folder=folder)).value == SelectorList(
        ("win_high",), tie="high", discard=SelectorList(("highest_heart",), tie="high")
    )
    assert slot_level("pass", "mine.toml", trust_in(folder=folder)).value == SelectorList(
        ("highest",), tie="high"
    )
    named = slot_level("third", "his=mine.toml#fourth", trust_in(folder=folder))
    assert named.name == "his"
    assert named.value == slot_level("fourth", "mine.toml", trust_in(folder=folder)).value
    # Who leads never discards.
    assert slot_level("first", "mine.toml#second", trust_in(folder=folder)).value.discard is None


def test_discards_of_all_positions_can_be_kept_apart(folder):
    kept = slot_level("second", "mine.toml", trust_in(folder=folder), keep_discard=True)
    assert kept.value.discard is None
    # Those of one position are not what is kept.
    own = slot_level("fourth", "mine.toml", trust_in(folder=folder), keep_discard=True)
    assert own.value.discard == SelectorList(("highest_heart",), tie="high")
    assert slot_level("discard", "mine.toml", trust_in(folder=folder)).value.select == (
        "queen_spades",
    )


@pytest.mark.parametrize("slot", PLAYED)
def test_the_default(slot):
    value = slot_level(slot, "default", NO_TRUST).value
    assert replace(value, discard=None) == DEFAULT[slot]
    follows = slot in {"second", "third", "fourth"}
    assert value.discard == (DEFAULT["discard"] if follows else None)


@pytest.mark.parametrize(
    ("slot", "text", "said"),
    [
        ("fourth", "rul", "did you mean rule?"),
        ("fourth", "mine", "a file.toml"),
        ("fourth", "", "has no name"),
        ("fourth", "nothere.toml", "there is no file"),
        ("fourth", "mine.toml#fith", "no slot 'fith'; did you mean first?"),
        ("third", "mine.toml", "played at random there; write random"),
        ("fourth", "[hihgest]", "did you mean highest?"),
        ("fourth", "[duck];tie=hihg", "tie cannot be 'hihg'; did you mean high?"),
        ("fourth", "[duck];ties=high", "did you mean tie?"),
        ("fourth", "[duck];tie=high;tie=low", "twice"),
        ("fourth", "[duck", "no level"),
        ("fith", "rule", "no slot 'fith'"),
    ],
)
def test_mistakes_get_advice(folder, slot, text, said):
    with pytest.raises(CardwrightError) as caught:
        slot_level(slot, text, trust_in(folder=folder))
    assert said in str(caught.value)


def test_players_are_specs_or_lists(folder):
    assert player_named("rule", NO_TRUST) == LabPlayer("rule", "rule")
    assert player_named("ismcts: iterations=5", NO_TRUST).spec == "ismcts:iterations=5"
    mine = player_named("hierarchy:mine.toml", trust_in(folder=folder))
    assert mine.name == "hierarchy:mine.toml"
    assert mine.spec is None
    assert dict(mine.lists)["discard"] == SelectorList(("queen_spades",), tie="high")
    assert (
        dict(player_named("hierarchy", NO_TRUST).lists)
        == dict(player_named("hierarchy:default", NO_TRUST).lists)
        == DEFAULT
    )
    with pytest.raises(CardwrightError, match="did you mean rule"):
        player_named("rul", NO_TRUST)
    with pytest.raises(CardwrightError, match="no file"):
        player_named("hierarchy:mine.toml", FULL_TRUST)  # not in this folder


def test_the_lists_of_a_tested_player(folder):
    rule = slotted(player_named("rule", NO_TRUST))
    assert rule.lists == tuple((slot, SelectorList(("rule",))) for slot in PLAYED)
    assert slotted(player_named("random", NO_TRUST)) == LabPlayer("random")
    default = dict(slotted(player_named("hierarchy", NO_TRUST)).lists)
    assert "discard" not in default
    assert {default[f"discard_{slot}"] for slot in PLAYED[2:]} == {DEFAULT["discard"]}
    assert dict(slotted(player_named("hierarchy", NO_TRUST), keep_discard=True).lists) == DEFAULT
    mine = dict(slotted(player_named("hierarchy:mine.toml", trust_in(folder=folder))).lists)
    assert mine["discard_fourth"].select == ("highest_heart",)
    assert mine["discard_second"].select == ("queen_spades",)
    assert "discard_third" not in mine  # the third is left to chance, discards and all
    with pytest.raises(LabError, match="no lists to vary"):
        slotted(player_named("lowest", NO_TRUST))


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("name", ["rule", "random", "hierarchy"])
def test_the_level_of_the_base_changes_nothing(name, keep):
    tested = slotted(player_named(name, NO_TRUST), keep_discard=keep)
    for slot in PLAYED:
        level = base_level(tested, slot)
        lists = dict(tested.lists)
        found = {
            one: listed for one, listed in lists.items() if one not in {slot, f"discard_{slot}"}
        }
        if level.value is not None:
            found[slot] = replace(level.value, discard=None)
            if level.value.discard is not None:
                found[f"discard_{slot}"] = level.value.discard
        assert found == lists
    assert base_level(slotted(player_named("rule", NO_TRUST)), "pass").name == "rule"
    assert base_level(slotted(player_named("hierarchy", NO_TRUST)), "pass").name == "hierarchy"


def test_discards_that_the_base_does_not_have():
    with pytest.raises(LabError, match="has no list discard"):
        base_level(slotted(player_named("rule", NO_TRUST)), "discard")
    assert (
        base_level(slotted(player_named("rule", NO_TRUST), keep_discard=True), "discard").name
        == "rule"
    )


def test_spreading_discards_leaves_the_play_as_it_was():
    """Where every position has a list, each with its own discards chooses as one for all did."""
    given = Hierarchy(
        second=order("duck"), third=order("lowest"), fourth=order("win_high"),
        discard=order("highest"), discard_third=order("queen_spades"),
    )  # fmt: skip
    found = spread_discards(lists_of(given))
    assert found == lists_of(given, spread=True)
    for slot in ("second", "third", "fourth"):
        own = getattr(given, f"discard_{slot}") or given.discard
        assert found[f"discard_{slot}"].select == tuple(step.text for step in own.steps)
