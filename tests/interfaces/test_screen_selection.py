"""Selections: what every key does to the cursor and to the picked cards."""

from itertools import combinations

from hypothesis import given, strategies as st

from cardwright.interfaces.play.screen.selection import Menu, Selection
from cardwright.table.scene import SceneOption

TYPED = ("2C", "10C", "QC", "QD", "QS", "AH")


def menu(*sets, typed=TYPED):
    """Return a menu of a hand numbered from 0, with a choice for each set of its cards."""
    choices = tuple(
        SceneOption(index, f"choice {index}", tuple(cards), ()) for index, cards in enumerate(sets)
    )
    return Menu(tuple(range(len(typed))), typed, choices)


def keyed(selection, keys):
    """Return the selection after keys: letters that are typed, or < > ^ v _ (space) ! (Enter)."""
    moves = {
        "<": lambda one: one.across(-1),
        ">": lambda one: one.across(1),
        "^": lambda one: one.down(-1),
        "v": lambda one: one.down(1),
        "_": Selection.toggle,
        "!": Selection.enter,
        "t": Selection.switch,
        "x": Selection.drop,
    }
    for key in keys:
        selection = moves[key](selection) if key in moves else selection.jump(key)
    return selection


def test_the_cursor_begins_at_the_first_legal_card_and_goes_round():
    begun = Selection.begin(menu([2], [4]))
    assert begun.card == 2
    assert keyed(begun, "<<<").card == 5
    assert keyed(begun, ">>>>").card == 0


def test_enter_takes_the_card_under_the_cursor_and_asks_why_an_illegal_one_cannot_be_played():
    begun = Selection.begin(menu([2], [4]))
    assert keyed(begun, "!").taken == 0
    assert keyed(begun, ">>!").taken == 1
    illegal = keyed(begun, ">!")
    assert (illegal.taken, illegal.asked) == (None, 3)


def test_typing_goes_to_cards_by_rank_and_then_suit():
    begun = Selection.begin(menu(*[[n] for n in range(6)]))
    assert keyed(begun, "QS").card == 4
    assert keyed(begun, "Q").card == 2
    assert keyed(begun, "QQ").card == 3
    assert keyed(begun, "QQQQ").card == 2
    assert keyed(begun, "10").card == keyed(begun, "T").card == keyed(begun, "TC").card == 1
    assert "no card K" in keyed(begun, "K").said
    assert keyed(begun, "QSAH").card == 5


def test_typing_prefers_legal_cards():
    assert keyed(Selection.begin(menu([0], [3])), "Q").card == 3


def test_passing_takes_three_picked_cards_and_no_other_number():
    begun = Selection.begin(menu(*combinations(range(6), 3)))
    assert keyed(begun, "!").taken is None
    assert "choose 3 cards: Space picks" in keyed(begun, "!").said
    two = keyed(begun, "_>_")
    assert two.picked == {0, 1}
    assert two.said == "2 picked: choose 3 cards"
    assert keyed(two, "!").taken is None
    three = keyed(two, ">_")
    assert keyed(three, "!").taken == 0
    assert keyed(three, ">_").picked == {0, 1, 2}
    assert keyed(three, "_>_!").taken == list(combinations(range(6), 3)).index((0, 1, 3))
    assert keyed(three, "x").picked == frozenset()


def test_only_sets_that_can_be_completed_are_picked():
    begun = Selection.begin(menu([0, 1], [2, 3, 4], [5]))
    assert keyed(begun, "_>>_").picked == {0}
    assert "no choice with these cards" in keyed(begun, "_>>_").said
    assert keyed(begun, "_>_!").taken == 0


def test_among_single_cards_a_pick_replaces_the_other():
    assert keyed(Selection.begin(menu([0], [1])), "_>_").picked == {1}


def test_a_card_with_several_choices_leads_to_a_list_of_them():
    begun = Selection.begin(menu([1], [0], [1]))
    listed = keyed(begun, ">!")
    assert (listed.taken, listed.listing, listed.rows) == (None, True, (0, 2))
    assert keyed(listed, "v!").taken == 2
    assert keyed(listed, "vv!").taken == 0
    assert keyed(listed, "x").listing is False


def test_choices_without_cards_are_reached_with_down_and_come_first():
    begun = Selection.begin(menu([0], [], [1], []))
    assert keyed(begun, "v!").taken == 1
    assert keyed(begun, "^!").taken == 3
    assert keyed(begun, "v3!").taken == 0
    assert keyed(begun, "vt").listing is False


def test_without_cards_to_play_the_list_has_the_cursor():
    begun = Selection.begin(menu([], [], typed=()))
    assert keyed(begun, "v!").taken == 1
    assert keyed(begun, "2!").taken == 1
    assert "no choice 9" in keyed(begun, "9").said
    assert keyed(begun, "_").taken is None


def test_pointing_goes_to_an_options_card_its_cards_or_its_row():
    begun = Selection.begin(menu([3], [], [0, 1]))
    assert begun.point(0).card == 3
    assert keyed(begun.point(1), "!").taken == 1
    assert begun.point(2).picked == {0, 1}


@given(
    sets=st.lists(st.sets(st.integers(0, 5), max_size=4), max_size=8),
    keys=st.text("<>^v_!tx0123456789QAKTSHDC", max_size=25),
)
def test_no_keys_lead_out_of_the_hand_or_to_a_choice_that_is_not_there(sets, keys):
    selection = Selection.begin(menu(*sets))
    for key in keys:
        selection = keyed(selection, key)
        assert 0 <= selection.at < 6
        assert selection.row < max(1, len(selection.rows))
        assert not selection.picked or selection.menu.sizes(selection.picked)
        if selection.taken is not None:
            assert 0 <= selection.taken < len(sets)
