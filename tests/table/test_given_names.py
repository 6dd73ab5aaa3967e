"""Names of computer players."""

import pytest

from cardwright.table.setup import GIVEN_NAMES, given_names


def test_names_are_distinct_and_not_the_persons() -> None:
    """No two players of a table share a name or its first letter, nor do they with a person."""
    for seed in range(200):
        names = given_names(seed, 8, ["berta", "Zo"])
        assert len({name[0] for name in names} | {"B", "Z"}) == 10
        assert set(names) <= set(GIVEN_NAMES)


def test_names_follow_from_the_seed() -> None:
    """The same seed gives the same names, however many are wanted; others give others."""
    assert given_names(7, 3) == given_names(7, 5)[:3]
    assert len({given_names(seed, 3) for seed in range(50)}) > 40


def test_there_are_names_for_many_persons() -> None:
    """Where all letters are taken, a name still differs from every other; too many are refused."""
    taken = [letter + "o" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    assert len(set(given_names(1, 20, taken))) == 20
    with pytest.raises(ValueError, match="at most 26 computer players, not 27"):
        given_names(1, 27)


def test_names_can_be_typed_anywhere() -> None:
    """Names are one short word of plain letters, each given once."""
    assert all(name.isascii() and name.isalpha() and len(name) <= 7 for name in GIVEN_NAMES)
    assert len(set(GIVEN_NAMES)) == len(GIVEN_NAMES)
