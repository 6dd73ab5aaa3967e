"""What constants decide is decided before play, and nothing else changes."""

import pytest

from cardwright import Game, GameError
from cardwright.program import nodes as n

FRAME = """
(game
  (declare 1 'ON)
  (declare 0 'NONE)
  (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K, Q, J)))))
  {items}
  (scoring max ((current player) sto SCORE)))
"""


def settled(items: str, **declared: int) -> tuple[n.Node, ...]:
    """Return the items of a program whose constants ON and NONE are 1 and 0."""
    return Game.from_text(FRAME.format(items=items), engine="interpreter", **declared).program.items


def count(items: tuple[n.Node, ...], kind: type[n.Node]) -> int:
    return sum(isinstance(node, kind) for item in items for node in n.walk(item))


def test_steps_under_a_decided_condition_stand_alone_or_go() -> None:
    """A condition that holds leaves its step; one that does not takes it away."""
    items = "(do (((== 'ON 1) (inc (game sto A) 2)) ((== 'ON 0) (inc (game sto B) 3))))"
    (block,) = settled(items)
    assert isinstance(block, n.Do)
    assert [type(step) for step in block.steps] == [n.Increase]
    assert "'B'" not in repr(block)
    (other,) = settled(items, ON=0)
    assert "'A'" not in repr(other)


def test_items_under_a_decided_condition_stand_alone_or_go() -> None:
    """Of an item under a condition and the one after `else`, what can be played is left."""
    fork = "((== 'ON 1) (choice ((turn pass))) else (do ((inc (game sto A)))))"
    assert [type(item) for item in settled(fork)] == [n.Choice]
    assert [type(item) for item in settled(fork, ON=0)] == [n.Do]
    assert settled("((== 'ON 0) (choice ((turn pass))))") == ()
    gone = "((== (game sto A) 1) (stage player (end (== 'ON 1)) (do ((inc (game sto A))))))"
    (fork_of_nothing,) = settled(gone)
    assert isinstance(fork_of_nothing, n.Fork)
    assert fork_of_nothing.item == n.Do(
        fork_of_nothing.item.kind, fork_of_nothing.item.span, ()
    )  # the test is still made


def test_stages_that_are_over_before_they_begin_go() -> None:
    """A stage whose end is decided as true never has a turn; one that is decided as false stays."""
    stage = (
        "(stage player (end (or (== 'NONE {value}) (== (game sto A) 1)))"
        " (do ((set (game sto A) 1))))"
    )
    after = "(do ((inc (game sto A))))"
    assert [type(item) for item in settled(stage.format(value=0) + after)] == [n.Do]
    (kept,) = settled(stage.format(value=1))
    assert isinstance(kept, n.Stage)
    assert isinstance(kept.end, n.Equal | n.Compare)


@pytest.mark.parametrize(
    ("test", "kind"),
    [
        ("(and (== 'ON 1) (== (game sto A) 1))", n.Equal),
        ("(and (== (game sto A) 1) (== 'ON 1))", n.Equal),
        ("(or (== 'ON 0) (== (game sto A) 1) (== 'NONE 7))", n.Equal),
        ("(and (== (game sto A) 1) (== 'ON 0) (== (game sto B) 1))", n.Logic),
        ("(not (not (== (game sto A) 1)))", n.Not),
    ],
)
def test_conditions_lose_the_tests_that_are_decided(test: str, kind: type[n.Node]) -> None:
    """What is open stays, also before a test that decides: it is looked at first and may fail."""
    (block,) = settled(f"(do (({test} (inc (game sto C)))))")
    assert isinstance(block, n.Do)
    (step,) = block.steps
    assert isinstance(step, n.When)
    assert isinstance(step.test, kind)
    if isinstance(step.test, n.Logic):
        assert [type(one) for one in step.test.tests] == [n.Equal, n.Truth]


def test_a_test_before_the_one_that_decides_still_fails() -> None:
    """A player who is not there is an error, though the condition can only be false."""
    game = Game.from_text(
        FRAME.format(
            items="(do (((and (== ((7 player) sto A) 1) (== 'ON 0)) (inc (game sto C)))))"
        ),
        engine="interpreter",
    )
    with pytest.raises(GameError, match="owner-number"):
        game.start(1)


def test_filters_that_all_pass_go_where_items_are_run_through() -> None:
    """The options are those of the location itself; over sets of locations a filter stays."""
    choice = (
        "(stage player (end (== (size (game iloc STOCK)) 0)) (choice ("
        "(any (filter (game iloc STOCK) 'C (or (== 'ON 1) (== (cardatt RANK 'C) A))) 'CARD"
        " (move 'CARD (top (game vloc PILE)))))))"
    )
    assert count(settled(choice), n.Filter) == 0
    assert count(settled(choice, ON=0), n.Filter) == 1
    groups = (
        "(do ((all (filter (partition RANK (game iloc STOCK)) 'L (== 'ON 1)) 'L"
        " (inc (game sto A)))))"
    )
    assert count(settled(groups), n.Filter) == 1


def test_repeats_of_nothing_and_awards_of_nothing_go() -> None:
    items = (
        "(do ((repeat 'NONE (inc (game sto A)))"
        " (set (game points W) (((RANK : A) 'NONE) ((RANK : K) 'ON)))"
        " (inc (game sto B) (score (top (game iloc STOCK)) using (game points W)))))"
    )
    block = settled(items)
    assert count(block, n.Repeat) == 0
    assert count(block, n.Award) == 1
    assert count(settled(items, NONE=2), n.Repeat) == 1


def test_arithmetic_on_constants_is_done() -> None:
    (block,) = settled("(do ((set (game sto A) (+ (* 3 'ON) (- 10 'NONE) 1))))")
    assert isinstance(block, n.Do)
    (step,) = block.steps
    assert isinstance(step, n.Set)
    assert step.value == n.Number(step.value.kind, step.value.span, 14)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("(size (range 1 .. 0))", 0),
        ("(size (range (- 0 2) .. 'ON))", 4),
        ("(size (range 1 .. 1000000))", 1_000_000),
        ("(size (range 1 .. 1000001))", None),
        ("(all (range 1 .. 1000001) 'I 1)", None),
        ("(all (filter (range 0 .. 9223372036854775807) 'I true) 'I 1)", None),
        ("(size (range 'ON .. (game sto A)))", None),
    ],
)
def test_the_number_of_items_is_known_unless_they_are_too_many(
    value: str, number: int | None
) -> None:
    """More than a million are an error in play, and stay one."""
    (block,) = settled(f"(do ((set (game sto B) {value})))")
    assert isinstance(block, n.Do)
    (step,) = block.steps
    assert isinstance(step, n.Set)
    assert isinstance(step.value, n.Number) == (number is not None)
    if isinstance(step.value, n.Number):
        assert step.value.value == number


def test_bound_conditions_are_decided_with_their_values() -> None:
    """A variable of a decided condition is that; one of the same name beside it is not."""
    items = (
        "(do ((let (== 'ON 1) 'B (do (('B (inc (game sto A))) ((not 'B) (inc (game sto B))))))"
        " (let (== (game sto A) 1) 'B ('B (inc (game sto C))))))"
    )
    block = settled(items)
    assert _increased(block) == ["A", "C"]
    assert _increased(settled(items, ON=0)) == ["B", "C"]
    assert count(block, n.When) == 1


def _increased(items: tuple[n.Node, ...]) -> list[str]:
    nodes = [node for item in items for node in n.walk(item) if isinstance(node, n.Increase)]
    names = [node.storage.name for node in nodes if isinstance(node.storage, n.Storage)]
    return [name.value for name in names if isinstance(name, n.Text)]


def test_a_body_that_cannot_happen_leaves_nothing_to_do() -> None:
    """The condition or collection around it stays: working it out may fail."""
    (block,) = settled("(do (((== (game sto A) 1) ((== 'ON 0) (inc (game sto B))))))")
    assert isinstance(block, n.Do)
    (step,) = block.steps
    assert isinstance(step, n.When)
    assert isinstance(step.body, n.Do)
    assert step.body.steps == ()
