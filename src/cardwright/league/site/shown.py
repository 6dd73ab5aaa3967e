"""Safe display of texts from bots and authors."""

from __future__ import annotations

_CONTROLS = (*range(32), *range(127, 160), 0x2028, 0x2029)
_ORDERS = (0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that change the direction of the text after them."""

_SURROGATES = range(0xD800, 0xE000)
_UNSHOWN = dict.fromkeys((*_CONTROLS, *_ORDERS, *_SURROGATES), "�")


def shown(text: str) -> str:
    """Return a text without characters that a page must not have, or that reorder text around it.

    Each is replaced by U+FFFD. Right-to-left letters stay; pages isolate them.
    """
    return text.translate(_UNSHOWN)
