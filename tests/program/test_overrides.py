"""Other values for declared constants: as text, and as values."""

import pytest
from hypothesis import given, strategies as st
from small_programs import whole

from cardwright.program.check import Checked, check
from cardwright.program.constants import Constant, mismatch, parse_value
from cardwright.syntax.source import Source

DECLARE = (
    "(declare 2 'N) (declare A 'NAME) (declare (A, B) 'LIST) (declare (range 1 .. 3) 'RANGE) "
    "(declare (== 1 1) 'TEST) (declare (game vloc P) 'PILE)"
)


def with_values(**values: object) -> Checked:
    overrides: dict[str, Constant] = values  # type: ignore[assignment]
    return check(Source("x", whole("(do ((turn pass)))", declare=DECLARE)), overrides)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("-4", -4),
        ("true", True),
        ("False", False),
        ("HEARTS", "HEARTS"),
        ("Hearts2", "Hearts2"),
        ("1..4", range(1, 5)),
        ("-2 .. 0", range(-2, 1)),
        ("A,B", ("A", "B")),
        ("(A, B)", ("A", "B")),
        ("(A)", ("A",)),
    ],
)
def test_a_value_is_read_from_text(text: str, value: Constant) -> None:
    """As in the language, or as people type it on a command line."""
    found = parse_value(text)
    assert found == value
    assert type(found) is type(value)


@given(st.text(max_size=12))
def test_other_text_is_refused_with_a_reason(text: str) -> None:
    """What is no value says what could be written."""
    try:
        parse_value(text)
    except ValueError as error:
        assert "write a number" in str(error)


@pytest.mark.parametrize(
    ("name", "value"),
    [("N", 3), ("NAME", "B"), ("LIST", ("C",)), ("RANGE", range(5)), ("TEST", False)],
)
def test_a_value_of_the_same_kind_is_taken(name: str, value: Constant) -> None:
    """The program has the new value, and remembers the one in the file."""
    program = with_values(**{name: value}).program
    assert program is not None
    declared = next(item for item in program.declared if item.name == name)
    assert declared.value == value
    assert declared.default != value


@pytest.mark.parametrize(
    ("name", "value", "code", "words"),
    [
        ("N", "A", "E403", "a name in capitals"),
        ("N", True, "E403", "a condition"),
        ("N", 2**63, "E403", "too large"),
        ("N", 1.5, "E403", "a float"),
        ("NAME", 3, "E403", "an integer"),
        ("NAME", "hearts", "E403", "not a name"),
        ("LIST", "A", "E403", "a name in capitals"),
        ("LIST", ("A", "b"), "E403", "not a name"),
        ("RANGE", range(1, 9, 2), "E403", "steps"),
        ("TEST", 1, "E403", "an integer"),
        ("PILE", 1, "E403", "cannot be set"),
        ("NUMBER", 1, "E402", "declares no constant NUMBER"),
    ],
)
def test_other_values_are_refused(name: str, value: object, code: str, words: str) -> None:
    """A wrong kind, no value at all, or no such constant: told once, with the reason."""
    result = with_values(**{name: value})
    assert result.program is None
    (error,) = result.diagnostics.errors
    assert error.code.code == code
    assert words in error.message


def test_a_misspelt_constant_is_suggested() -> None:
    """An unknown name lists those that can be set, and the nearest."""
    (error,) = with_values(NAMED="B").diagnostics.errors
    assert error.expected.endswith(": N, NAME, LIST, RANGE, TEST")
    assert error.help == "did you mean NAME?"


def test_a_list_stands_for_a_tuple() -> None:
    """Lists come from JSON, and are judged as lists of names."""
    assert mismatch(["A", "B"], ("C",)) is None
    assert mismatch(["A", 3], ("C",)) is not None


def test_a_value_is_for_the_last_constant_of_a_name() -> None:
    """An earlier constant that is hidden keeps its value, and so do those made of it."""
    declare = "(declare (A, B) 'N) (declare 'N 'OLD) (declare 3 'N) (declare (* 'N 2) 'M)"
    checked = check(Source("x", whole("(do ((turn pass)))", declare=declare)), {"N": 5})
    assert checked.program is not None
    found = {one.name: (one.value, one.default) for one in checked.program.declared}
    assert found == {"OLD": (("A", "B"),) * 2, "N": (5, 3), "M": (10, 10)}
