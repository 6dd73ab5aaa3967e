"""Colours of RECYCLE in code blocks, with the words of the table of forms."""

from __future__ import annotations

from typing import ClassVar

from editors.make_grammars import Vocabulary
from pygments.lexer import RegexLexer, bygroups, words
from pygments.lexers import LEXERS
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    Whitespace,
)

__all__ = ["RecycleLexer"]  # Pygments loads the lexers that a module names here

_WORDS = Vocabulary.of_forms()

INFO_STRINGS = (
    "recycle",
    "recycle-fragment",
    "recycle-mistake",
    "recycle-passage",
    "recycle-stops",
)
"""The info strings of code blocks in RECYCLE; tests/test_docs.py says what is done with each."""


class RecycleLexer(RegexLexer):
    """Splits RECYCLE into words, names, numbers, operators and brackets."""

    name = "RECYCLE"
    aliases: ClassVar[list[str]] = list(INFO_STRINGS)
    filenames: ClassVar[list[str]] = ["*.rcy"]
    url = ""
    version_added = ""
    tokens: ClassVar = {
        "root": [
            (r"\s+", Whitespace),
            (r";;.*$", Comment.Single),
            (r";.*$", Error),
            (r"'[A-Z]\w*", Name.Variable),
            (
                rf"\b({'|'.join(_WORDS.kinds)})(\s+)([A-Z]\w*)",
                bygroups(Keyword.Type, Whitespace, Name.Class),
            ),
            (r"[A-Z]\w*", Name.Constant),
            (r"\d+", Number.Integer),
            (words(_WORDS.kinds, suffix=r"\b"), Keyword.Type),
            (words(_WORDS.frame, suffix=r"\b"), Keyword.Reserved),
            (words(_WORDS.steps, suffix=r"\b"), Keyword),
            (words(_WORDS.owners, suffix=r"\b"), Name.Builtin.Pseudo),
            (words(_WORDS.values, suffix=r"\b"), Name.Function),
            (r"\w+", Name),  # words that a game defines
            (words(_WORDS.operators), Operator),
            (r"[()\[\],:]|\.+", Punctuation),
            (r".", Error),
        ]
    }


def register() -> None:
    """Let Pygments know the lexer in this process, by every info string."""
    LEXERS[RecycleLexer.__name__] = (
        __name__,
        RecycleLexer.name,
        tuple(RecycleLexer.aliases),
        tuple(RecycleLexer.filenames),
        (),
    )
