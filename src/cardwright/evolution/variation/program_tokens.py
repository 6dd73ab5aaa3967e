"""The tokens of a program: what its text says, whatever its layout and comments."""

from __future__ import annotations

from functools import lru_cache

from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import tokens
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Atom, Comment


@lru_cache(maxsize=64)
def program_tokens(text: str) -> tuple[str, ...]:
    """Return the words, numbers, marks and brackets of a text, in order; the latest are kept."""
    source = Source("rules", text)
    found = tokens(source, Diagnostics(source))
    return tuple(
        token.text if isinstance(token, Atom) else token[0]
        for token in found
        if not isinstance(token, Comment)
    )
