"""The word by which a form is looked up in the table of forms."""

from __future__ import annotations

from cardwright.program.forms import BY_KEY, SECOND_WORDS
from cardwright.program.kinds import ValueKind
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

STORED = SECOND_WORDS - {"player", "team"}
"""The words between an owner and a name: kinds of storages and of locations."""

TRUTHS = ("true", "false")
"""Words that are conditions."""

BARE = {
    "player": ValueKind.PLAYERS,
    "team": ValueKind.TEAMS,
    "game": ValueKind.TABLE,
    **dict.fromkeys(TRUTHS, ValueKind.BOOLEAN),
}
"""The words that are values by themselves."""

_KEYWORDS = (AtomKind.WORD, AtomKind.OPERATOR, AtomKind.PUNCTUATION)


def key_of(form: Form) -> str:
    """Return the key of a form in `BY_KEY`; it need not be there.

    `_ word` if the second word decides, `_` for a form without a word, nothing for empty brackets.
    """
    second = second_word(form)
    if second:
        return f"_ {second}"
    head = form.head
    if isinstance(head, Atom) and head.kind in _KEYWORDS and head.text not in TRUTHS:
        return head.text
    return "_" if form.items else ""


def second_word(form: Form) -> str:
    """Return the word in second place, if it is one that decides the form."""
    if len(form.items) < 2:
        return ""
    head, second = form.items[:2]
    if not is_atom(second, AtomKind.WORD):
        return ""
    assert isinstance(second, Atom)
    if isinstance(head, Atom) and head.text in BY_KEY:
        return ""
    if second.text in STORED:
        return second.text
    if second.text in SECOND_WORDS and not is_atom(head, AtomKind.WORD):
        return second.text
    return ""


def is_owner(item: Syntax) -> bool:
    """Return whether an item looks like an owner: game, a variable, or a player or team form."""
    if isinstance(item, Atom):
        return item.kind is AtomKind.VARIABLE or item.text == "game"
    return key_of(item) in OWNER_KEYS


OWNER_KEYS = {"current", "next", "previous", "owner", "team", "_ player", "_ team"}
"""The keys of the forms that give a player or a team."""


def is_pair(form: Form) -> bool:
    """Return whether a form looks like key and value of an award."""
    return len(form.items) == 3 and is_word(form.items[1], ":")
