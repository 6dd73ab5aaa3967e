"""The text of a loaded game that stands alone: where every search begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.candidate import Candidate
from cardwright.game.errors import CardwrightError
from cardwright.program.check import check
from cardwright.program.plain import constant_text
from cardwright.syntax.diagnostic import Diagnostics, Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.formatter import format_source
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source
from cardwright.syntax.tree import Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.game import Game


class OriginalError(CardwrightError):
    """A game that no text alone says, as its players are numbered otherwise than its text does."""

    wrong_call = True


def original_of(game: Game) -> Candidate:
    """Return the rules of a game as a candidate; without presets or values, its play is the same.

    What its constants have been set to stands in the text, in the formatter's layout, with the
    comments of the file. Raises OriginalError for a game that was loaded with another number of
    the first player than the text itself would give.
    """
    source = game.program.source
    text = format_source(Source(source.name, apply_edits(source.text, _values(game))))
    made = check(Source(source.name, text)).program
    if made is None or made.base != game.program.base:
        raise OriginalError(
            f"{game.name} was loaded with its players numbered from {game.program.base}, which its "
            "text does not say; load it without that number"
        )
    return Candidate(text)


def _values(game: Game) -> Iterator[Edit]:
    """Yield the edits that write the values which constants have been set to."""
    source = game.program.source
    form = read(source, Diagnostics(source)).form
    changed = {
        one.span: constant_text(one.value)
        for one in game.program.declared
        if one.value is not None and one.value != one.default
    }
    for item in form.items if form is not None else ():
        if isinstance(item, Form) and is_word(item.head, "declare"):
            value, name = item.items[1:]
            if name.span in changed:
                yield Edit(value.span, changed[name.span])
