"""Numbers that clients write."""

from __future__ import annotations

import pytest

from cardwright.web.schema import natural


@pytest.mark.parametrize(
    "text", ["", "-1", "+1", " 1", "1_0", "\u0663", "\u00b2", "x", "1" * 5000, "100"]
)
def test_other_texts_are_no_numbers(text: str) -> None:
    """Nothing but plain digits counts, and no more than the most; very many raise nothing."""
    assert natural(text, 99) is None


def test_plain_digits_are_numbers() -> None:
    assert [natural(text, 99) for text in ("0", "07", "99")] == [0, 7, 99]
    assert natural("0", -1) is None, "there are no numbers up to -1"
