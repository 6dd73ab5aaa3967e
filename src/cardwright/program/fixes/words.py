"""Words of a form that are missing or misspelt: each function proposes what was meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.common_mistakes import CommonMistake
from cardwright.program.shapes import Binder, FormGroup, FormShape, Literal, Operand, fits_any
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CLOSE = {AtomKind.WORD, AtomKind.NAME, AtomKind.OPERATOR, AtomKind.PUNCTUATION, AtomKind.BAD}


def missing_word(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(sum L (game points W))`: a word of the form is missing."""
    shapes = [shape for shape in shapes if isinstance(shape.parts[0], Literal)]
    short = [shape for shape in shapes if _least(shape) > len(form.items)]
    if not short and any(len(form.items) < len(_spread(shape)) for shape in shapes):
        short = [shape for shape in shapes if len(form.items) < len(_spread(shape))]
    found: dict[int, list[str]] = {}
    for shape in short:
        places = [
            (at, part.text)
            for at, part in enumerate(_spread(shape))
            if isinstance(part, Literal)
            and 0 < at <= len(form.items)
            and not any(is_word(item, part.text) for item in form.items)
            and fits_any(_with(form, at, part.text), [shape])
        ]
        if not places:
            return
        for at, text in places:
            found.setdefault(at, []).append(text)
    for at, texts in found.items():
        before = f"before {shown(form.items[at])}" if at < len(form.items) else "at the end"
        place = form.items[at] if at < len(form.items) else form
        yield CommonMistake(
            _with(form, at, texts[0]),
            Code.WRONG_SHAPE,
            place.span,
            f"{_either(texts)} is missing {before}",
            expected=patterns(shapes),
        )


def wrong_word(form: Form, shapes: Sequence[FormShape]) -> Iterator[CommonMistake]:
    """`(current playr)`: another word in place of a word of the form."""
    found: dict[int, list[str]] = {}
    for shape in shapes:
        for at, part in enumerate(_spread(shape)[: len(form.items)]):
            item = form.items[at]
            if at == 0 or not isinstance(part, Literal) or not isinstance(item, Atom):
                continue
            if item.kind in _CLOSE and fits_any(_with(form, at, part.text, instead=1), [shape]):
                found.setdefault(at, []).append(part.text)
    for at, texts in found.items():
        item = form.items[at]
        meant = near(shown(item), texts)
        if meant is None and is_atom(item, AtomKind.NAME):
            continue
        yield CommonMistake(
            _with(form, at, meant or texts[0], instead=1),
            Code.WRONG_SHAPE,
            item.span,
            f"{_either(texts)} should stand here, not {shown(item)}",
            expected=patterns(shapes),
            help=f"did you mean {meant}?" if meant else "",
        )


def _with(form: Form, at: int, text: str, instead: int = 0) -> Form:
    place = form.items[min(at, len(form.items) - 1)]
    kind = AtomKind.WORD if text.isalpha() else AtomKind.OPERATOR
    atom = Atom(kind, text, place.span)
    return Form((*form.items[:at], atom, *form.items[at + instead :]), form.span)


def _least(shape: FormShape) -> int:
    return sum(not (isinstance(part, FormGroup) and part.optional) for part in shape.parts)


def _spread(shape: FormShape) -> list[Literal | Operand | Binder | FormGroup]:
    """Return the parts of a shape, including those that may be left out."""
    parts: list[Literal | Operand | Binder | FormGroup] = []
    for part in shape.parts:
        parts.extend(part.parts if isinstance(part, FormGroup) and part.optional else (part,))
    return parts


def _either(texts: Sequence[str]) -> str:
    words = [f"`{text}`" for text in dict.fromkeys(texts)]
    return " or ".join((", ".join(words[:-1]), words[-1]) if len(words) > 1 else words)


def patterns(shapes: Sequence[FormShape]) -> str:
    """Return the patterns of some shapes, as an author would write them."""
    return " or ".join(list(dict.fromkeys(shape.pattern for shape in shapes))[:3])
