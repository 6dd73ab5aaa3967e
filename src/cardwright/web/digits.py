"""Numbers that come as text from clients, who may send anything."""

from __future__ import annotations

MOST_NUMBER = 10**9 - 1
"""The largest number of a move or an event that is looked for."""


def natural(text: str, most: int) -> int | None:
    """Return the number from 0 to `most` that plain digits write; None for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(most))):
        return None  # Python refuses to read very long numbers
    found = int(text)
    return found if found <= most else None
