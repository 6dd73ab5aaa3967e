"""Texts of bots and authors as a site shows them."""

from __future__ import annotations

_CONTROLS = (*range(32), *range(127, 160), 0x2028, 0x2029)
_ORDERS = (0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that turn the direction of what comes after them."""

_SURROGATES = range(0xD800, 0xE000)
_UNSHOWN = dict.fromkeys((*_CONTROLS, *_ORDERS, *_SURROGATES), "�")


def shown(text: str) -> str:
    """Return a text without characters that no page may have, or that reorder what is around it.

    Each is replaced by U+FFFD. Letters that run from right to left stay; pages isolate them.
    """
    return text.translate(_UNSHOWN)
