"""Functions in LLVM's text that modules call, chosen for a processor."""

from __future__ import annotations

from cardwright.compiler import bit_search, byte_search, wide_division


def with_helpers(text: str, features: str) -> str:
    """Return a module's text with the functions that `emit` left out.

    `features` are a processor's, as LLVM lists them: "+avx2,-amx-tile".
    """
    have = frozenset(word[1:] for word in features.split(",") if word.startswith("+"))
    parts = [text]
    wide = "@.wide_" in text
    if "@.positions(" in text or wide:
        parts.append(byte_search.positions(have))
    if "@.find_byte(" in text:
        parts.append(byte_search.FIND_BYTE)
    if any(f"@.{name}(" in text for name in ("nth_one", "nth_bit", "deposit")) or wide:
        parts.append(bit_search.nth_bit(have))
    if wide:
        parts += [byte_search.WIDE_POSITIONS, bit_search.WIDE_NTH_BIT]
    if any(f"@.{name}(" in text for name in wide_division.NAMES):
        parts.append(wide_division.DEFINITIONS)
    return "".join(parts)
