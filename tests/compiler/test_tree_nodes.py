"""The nodes of search trees, run as plain Python: children by cards and by keys."""

import pytest
from hypothesis import given, strategies as st

from cardwright.compiler.intrinsics import Pointer, wrap
from cardwright.compiler.kernels import engine, search as kernels
from cardwright.compiler.structs import CHILD, NODE, SEARCH, node_bytes
from struct_views import StructView

ROOM = 200


@pytest.fixture(scope="module", autouse=True)
def two_players():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "PLAYERS", 2)
        yield


def begun(room=ROOM):
    """A search without any nodes but the roots, and its nodes."""
    search = StructView.new(SEARCH)
    search.room = room
    search.by_card = 1
    search.mask = 511
    search.table = Pointer(bytearray(CHILD.bytes * 512), 0)
    search.lists = Pointer(bytearray(4 * 4 * room), 0)
    nodes = StructView(NODE, bytearray(b"\xff" * node_bytes(2) * room))
    kernels.begin_nodes(search, nodes)
    return search, nodes


cards = st.lists(st.integers(0, 63), unique=True, max_size=64)


@given(st.lists(cards, max_size=3))
def test_children_by_cards_are_found_again_in_any_order(rows):
    """Each parent finds the child of each of its cards, in lists of less than four places each."""
    search, nodes = begun()
    found = {}
    for at, row in enumerate(rows):
        parent = at if at < 2 else found.get((0, row[0] if row else 0), 0)
        for card in row:
            if (parent, card) not in found:
                bit = wrap(1 << card)
                found[parent, card] = kernels.add_by_card(search, nodes, parent, 7, bit)
                assert kernels.node_at(nodes, parent).choice == 7
    assert sorted(found.values()) == list(range(2, 2 + len(found)))
    for (parent, card), child in found.items():
        node = kernels.node_at(nodes, parent)
        assert kernels.child_by_card(search, node, wrap(1 << card)) == child
        own = {other for place, other in found if place == parent}
        assert node.cards == wrap(sum(1 << other for other in own))
    assert search.listed <= 4 * len(found)
    assert search.keyed == 0


def test_a_new_node_has_no_cards_and_no_statistics():
    search, nodes = begun()
    child = kernels.node_at(nodes, kernels.add_by_card(search, nodes, 0, 3, 1))
    assert (child.cards, child.visits, child.available, child.choice) == (0, 0, 0, 0)
    assert [child.total[seat] for seat in range(2)] == [0, 0]


@given(st.sets(st.tuples(st.integers(0, 5), st.integers(-3, 3) | st.integers(-(2**63), 2**63 - 1))))
def test_children_by_keys_are_found_again(pairs):
    search, nodes = begun()
    found = {pair: kernels.add_by_key(search, nodes, *pair) for pair in list(pairs)[:150]}
    for pair, child in found.items():
        assert kernels.child_by_key(search, *pair) == child
    assert kernels.child_by_key(search, 9, 1) == 0
    assert search.keyed == len(found)
    kernels.begin_nodes(search, nodes)
    assert not any(kernels.child_by_key(search, *pair) for pair in found)


def test_where_there_is_no_room_there_is_no_child():
    search, nodes = begun(room=4)
    assert [kernels.add_by_card(search, nodes, 0, 1, 1 << card) for card in range(4)] == [
        2,
        3,
        0,
        0,
    ]
    assert kernels.add_by_key(search, nodes, 0, 5) == 0
    assert kernels.node_at(nodes, 0).cards == 3
    assert kernels.child_by_key(search, 0, 5) == 0


def test_a_node_lists_the_children_of_its_first_choice_alone():
    search, nodes = begun()
    node = kernels.node_at(nodes, 0)
    assert kernels.lists_choice(search, node, 4)
    kernels.add_by_card(search, nodes, 0, 4, 1)
    assert kernels.lists_choice(search, node, 4)
    assert not kernels.lists_choice(search, node, 5)
    search.by_card = 0
    assert not kernels.lists_choice(search, node, 4)
