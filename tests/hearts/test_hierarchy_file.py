"""Hierarchies in files, and their kinds by name."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hierarchy_games import everywhere
from hypothesis import given, strategies as st

from cardwright.game.errors import CardwrightError
from cardwright.hearts import kinds
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
from cardwright.hearts.rule import CorinPlayer, FirstPlayer, LowestPlayer
from cardwright.hearts.selectors import CONDITIONS, SELECTORS, ParameterSpec
from cardwright.players.kind import FULL_TRUST, PlayerSpecError
from cardwright.players.spec import tried_spec

PAGE = Path(__file__).parents[2] / "docs" / "hearts-players.md"


def test_a_file_of_all_that_there_is() -> None:
    found = Hierarchy.from_text("""
        about = "text"
        mode = "filter"
        tie = "high"
        pass = ["highest"]
        first = { select = ["lowest"], tie = "low" }
        discard_third = { select = [], mode = "first-match", tie = "random" }
        """)
    assert found == Hierarchy(
        pass_=order("highest", mode="filter", tie="high"),
        first=order("lowest", mode="filter", tie="low"),
        discard_third=order(mode="first-match", tie="random"),
    )


def test_what_is_not_said() -> None:
    assert Hierarchy.from_text('fourth = ["duck"]') == Hierarchy(fourth=order("duck", tie="low"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("first = [", "mine.toml is not TOML: Invalid value"),
        ("", "mine.toml has no list of selectors; the lists are pass, first"),
        ('frist = ["duck"]', "mine.toml: there is no frist; did you mean first"),
        ('x = ["duck"]', "mine.toml: there is no x; write one of pass, first"),
        (
            'first = ["duck", "hihgest"]',
            "mine.toml: first, item 2: there is no selector 'hihgest'; did you mean highest",
        ),
        (
            'first = { select = ["duk"] }',
            "mine.toml: first.select, item 1: there is no selector 'duk'; did you mean duck",
        ),
        (
            'first = "duck"',
            r'mine.toml: first is not a list of selectors, such as \["duck", "lowest"',
        ),
        ("first = { tie = 'low' }", "mine.toml: first.select is not a list of selectors"),
        ("first = [1]", "mine.toml: first, item 1 is not a string: 1"),
        ("first = { select = [], tei = 'low' }", "there is no first.tei; did you mean tie"),
        ("first = { select = [], tie = 1 }", "mine.toml: first.tie is not a string"),
        (
            "first = { select = [], tie = 'hihg' }",
            "mine.toml: first.tie cannot be 'hihg'; did you mean high",
        ),
        ("mode = 'firstmatch'\nfirst = []", "mine.toml: mode cannot be 'firstmatch'; did you mean"),
        ("tie = 2\nfirst = []", "mine.toml: tie is not a string"),
        ("[first.select]", "mine.toml: first.select is not a list of selectors"),
    ],
)
def test_files_that_are_wrong(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(HierarchyError, match=message) as caught:
        Hierarchy.load(path)
    assert str(caught.value).startswith("mine.toml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(HierarchyError, match=r"there is no file .*nope.toml; .* or write default"):
        Hierarchy.load(tmp_path / "nope.toml")
    with pytest.raises(HierarchyError, match=r"there is no file defualt; .*did you mean default"):
        Hierarchy.load("defualt")
    with pytest.raises(HierarchyError, match="cannot be read: Is a directory"):
        Hierarchy.load(tmp_path)
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(HierarchyError, match=r"bytes\.toml is not UTF-8 text"):
        Hierarchy.load(tmp_path / "bytes.toml")
    (tmp_path / "long.toml").write_bytes(b"#" * 1_000_001)
    with pytest.raises(HierarchyError, match="is too long"):
        Hierarchy.load(tmp_path / "long.toml")


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('first = ["duck"]', encoding="utf-8")
    one = Hierarchy.load(path)
    assert Hierarchy.load(str(path)) is one
    path.write_text('first = ["lowest"]', encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert Hierarchy.load(path) == Hierarchy(first=order("lowest"))


def test_kinds_by_name(tmp_path: Path) -> None:
    made = {"rule": HierarchyPlayer, "first": FirstPlayer, "lowest": LowestPlayer}
    for name, kind in {**made, "corin-random": CorinPlayer, "hierarchy": HierarchyPlayer}.items():
        player = tried_spec(name, FULL_TRUST).build()
        assert type(player) is kind
        assert name in kinds.KINDS
    path = tmp_path / "mine.toml"
    path.write_text('first = ["duck"]', encoding="utf-8")
    player = tried_spec(f"hierarchy:{path}", FULL_TRUST).build()
    assert player == HierarchyPlayer(Hierarchy(first=order("duck")))
    assert (
        tried_spec("hierarchy", FULL_TRUST).build()
        == tried_spec("hierarchy:default", FULL_TRUST).build()
    )
    assert (
        tried_spec("rule", FULL_TRUST).build() == tried_spec("hierarchy:rule", FULL_TRUST).build()
    )
    assert tried_spec("hierarchy:plain", FULL_TRUST).build() == HierarchyPlayer(everywhere("rule"))
    with pytest.raises(CardwrightError, match="there is no file"):
        tried_spec("hierarchy:nope.toml", FULL_TRUST)
    with pytest.raises(PlayerSpecError, match="takes no parameters"):
        tried_spec("rule:depth=3", FULL_TRUST)


def test_each_game_has_its_own_player() -> None:
    spec = tried_spec("rule", FULL_TRUST)
    assert spec.build() is not spec.build()


# The page --------------------------------------------------------------------------------------


def test_the_page_lists_every_selector_and_condition() -> None:
    page = PAGE.read_text(encoding="utf-8").split("### Selectors")[1]
    shown = {
        ParameterSpec.NOTHING: "",
        ParameterSpec.NUMBER: "(n)",
        ParameterSpec.SUIT: "(suit)",
        ParameterSpec.SUITS: "(suits)",
    }
    rows = re.findall(r"^\| `(\w+)(\([^`]*\))?` \| (.*?) \|$", page, re.MULTILINE)
    assert [row for row in rows if row[0] in SELECTORS] == [
        (name, shown[one.takes], one.about) for name, one in SELECTORS.items()
    ]
    assert {name: about for name, _, about in rows if name not in SELECTORS} == {
        name: condition.__doc__ for name, condition in CONDITIONS.items()
    }


def test_the_files_of_the_page_can_be_used() -> None:
    page = PAGE.read_text(encoding="utf-8")
    files = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(files) >= 2
    for text in files:
        Hierarchy.from_text(text)
    shipped = Path(kinds.__file__).parent / "hierarchies" / "default.toml"
    assert shipped.read_text(encoding="utf-8") in files


@st.composite
def step_texts(draw: st.DrawFn) -> str:
    """Return a step with any selector, parameters and condition."""
    selector = draw(st.sampled_from(sorted(SELECTORS.values(), key=lambda one: one.name)))
    suit = st.sampled_from(["clubs", "Diamonds", "S", "h"])
    match selector.takes:
        case ParameterSpec.NUMBER:
            number = st.integers(selector.least, min(selector.most, 99)).map(str)
            words = draw(st.lists(number, max_size=1))
        case ParameterSpec.SUIT:
            words = [draw(suit)]
        case ParameterSpec.SUITS:
            words = draw(st.lists(suit, max_size=3))
        case _:
            words = []
    condition = draw(st.sampled_from(["", *(f" if {c}" for c in CONDITIONS), " if not last"]))
    given = f"( {', '.join(words)} )" if words else ""
    return f" {selector.name}{given} {condition}"


@given(step_texts())
def test_a_step_reads_as_it_is_written(text: str) -> None:
    step = parse_step(text)
    assert parse_step(str(step)) == step


ORDERS = st.builds(
    lambda steps, mode, tie: order(*steps, mode=mode, tie=tie),
    st.lists(step_texts(), max_size=4),
    st.sampled_from(OrderMode),
    st.sampled_from(Tie),
)
SLOTS = ("pass_", "first", "second", "third", "fourth")
DISCARDS = ("discard", "discard_second", "discard_third", "discard_fourth")


@given(st.dictionaries(st.sampled_from((*SLOTS, *DISCARDS)), ORDERS, min_size=1))
def test_a_hierarchy_is_the_same_from_its_file(slots: dict[str, Order]) -> None:
    """What is written of any hierarchy is read as an equal one."""
    hierarchy = Hierarchy(**slots)
    assert Hierarchy.from_text(hierarchy.to_text()) == hierarchy


def test_the_shipped_hierarchies_can_be_written_again() -> None:
    for path in (Path(kinds.__file__).parent / "hierarchies").glob("*.toml"):
        hierarchy = Hierarchy.load(path)
        assert Hierarchy.from_text(hierarchy.to_text()) == hierarchy
    with pytest.raises(HierarchyError, match="without any list"):
        Hierarchy().to_text()


def test_a_hierarchy_is_text_and_back(tmp_path: Path) -> None:
    made = Hierarchy(
        pass_=order("high_spades(4)", "any if not last", mode="filter"),
        fourth=order("duck", tie="high"),
        discard_second=order(tie="random"),
    )
    assert Hierarchy.from_text(made.to_text()) == made
    (tmp_path / "mine.toml").write_text(made.to_text())
    assert Hierarchy.load(tmp_path / "mine.toml") == made
    default = Hierarchy.load("default")
    assert Hierarchy.from_text(default.to_text()) == default == Hierarchy.load("default")
    with pytest.raises(HierarchyError, match="without any list"):
        Hierarchy().to_text()
