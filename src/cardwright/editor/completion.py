"""What can be typed at the cursor, of the kinds that fit there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol.types import (
    CompletionItem,
    CompletionItemKind,
    CompletionItemLabelDetails,
    InsertTextFormat,
    MarkupContent,
    MarkupKind,
    TextEdit,
)

from cardwright.editor.cursor import cursor_at
from cardwright.editor.expected import Expected, expected_at
from cardwright.editor.known import KnownNames
from cardwright.editor.snippets import VARIABLES, snippet, without_places
from cardwright.program.fitting import BARE, may_be, stands_for
from cardwright.program.forms import SECTIONS, SHAPES, FormShape
from cardwright.program.kinds import ANYTHING, ITEM_KINDS, ValueKind, in_words
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand, shown
from cardwright.syntax.tree import Atom, Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lsprotocol.types import Range

    from cardwright.editor.document import Document
    from cardwright.program.symbols import NameIndex

_CYCLE = ("current", "next", "previous")
_GAME = (
    "game\n  (setup\n    (create players ${1:2})\n    (create deck (game iloc STOCK)\n"
    "      (deck (SUIT (${2:HEARTS, SPADES})) (RANK (${3:A, K, Q, J})))))\n"
    "  (do ((shuffle (game iloc STOCK))))\n  $0\n"
    "  (scoring ${4:max} ((current player) sto SCORE))"
)
_SECTION_TEXTS = {
    "declare": "declare ${1:VALUE} '${2:NAME}",
    "define": "define (${1:NAME} '${2:C}) ${3:BODY}",
    "setup": "setup\n  (create players ${1:2})\n  (create deck (game iloc STOCK) (deck $2))",
    "create players": "create players ${1:4}",
    "create teams": "create teams (${1:1, 3}) (${2:2, 4})",
    "create deck": "create deck ${1:(game iloc STOCK)}\n  (deck (${2:RANK} (${3:A, K, Q, J})))",
    "repeat": "repeat ${1:2}\n  (create deck ${2:(game iloc STOCK)} (deck $3))",
    "scoring": "scoring ${1:max} ${2:((current player) sto SCORE)}",
}
_SECTIONS = {"game": ("declare", "define", "setup", "scoring"), "setup": ("create", "repeat")}


@dataclass(frozen=True)
class Offer:
    """Something that may be typed; `text` is a snippet. The rank orders offers, lowest first."""

    label: str
    text: str
    kind: CompletionItemKind
    detail: str = ""
    about: str = ""
    rank: int = 5
    typed: str = ""


def completions(
    document: Document, offset: int, names: NameIndex, *, snippets: bool = True
) -> list[CompletionItem]:
    """Return what can be typed at an offset; `names` may be those of an earlier version.

    Without `snippets`, places to fill are just the words in them.
    """
    cursor = cursor_at(document.text, offset)
    if cursor is None:
        return []
    expected = expected_at(cursor)
    closing = "" if cursor.closed else ")"
    if not cursor.forms:
        offers = [Offer("(game ...)", f"({_GAME})", CompletionItemKind.Struct, "a whole game")]
    elif len(cursor.forms) == 1 and not expected.items:
        offers = [Offer("game", _GAME + closing, CompletionItemKind.Struct, "a whole game")]
    else:
        offers = list(_Offers(expected, KnownNames(names), closing).all())
    where = document.lines.range(cursor.word)
    unique = {(offer.label, offer.text): offer for offer in reversed(offers)}
    return [_item(offer, where, snippets=snippets) for offer in reversed(unique.values())]


def _item(offer: Offer, where: Range, *, snippets: bool) -> CompletionItem:
    style = InsertTextFormat.Snippet if snippets else InsertTextFormat.PlainText
    return CompletionItem(
        label=offer.label,
        kind=offer.kind,
        label_details=CompletionItemLabelDetails(description=offer.detail or None),
        documentation=MarkupContent(MarkupKind.Markdown, offer.about) if offer.about else None,
        sort_text=f"{offer.rank}{offer.label}",
        filter_text=offer.typed or offer.label,
        insert_text_format=style,
        text_edit=TextEdit(where, offer.text if snippets else without_places(offer.text)),
    )


@dataclass(frozen=True)
class _Offers:
    """What fits the parts that may come next."""

    expected: Expected
    names: KnownNames
    closing: str

    def all(self) -> Iterator[Offer]:
        if self.expected.section:
            yield from self._sections()
        if self.expected.whole and self.expected.ways:
            for way in self.expected.ways:
                if way.shape is not None:
                    yield _form(way.shape, "", self.closing)
        if self.expected.whole:
            yield from self._uses(self.expected.wanted, "", self.closing, 3)
        for part, shape in self.expected.next_parts():
            if isinstance(part, Operand):
                yield from self._operand(part, shape)
            elif shape is None or not self.expected.whole:
                yield from self._other(part)

    def _sections(self) -> Iterator[Offer]:
        """Offer the parts of a program; where one is to be written, in brackets of its own."""
        inside = self.expected.whole
        for section in SECTIONS:
            word = section.head.split()[0]
            if word not in _SECTIONS.get(self.expected.section, ()):
                continue
            body = _SECTION_TEXTS[section.head]
            text = body + self.closing if inside else f"({body})"
            about = f"{section.sentence}\n\n```recycle\n{section.example}\n```"
            kind = CompletionItemKind.Module
            yield Offer(section.pattern, text, kind, "", about, 3, word if inside else f"({word}")
        if self.expected.section == "game" and not inside:
            for shape in SHAPES:
                if shape.result & ValueKind.BLOCK:
                    yield _form(shape, "(", ")")

    def _operand(self, part: Operand, shape: FormShape | None) -> Iterator[Offer]:
        kind = part.kind
        yield from self._variables(kind)
        yield from _words(kind)
        if kind & ValueKind.STRING:
            yield from self._strings(part, shape)
        yield from self._uses(kind, "(", ")", 6 if self.expected.whole else 3)
        # Directly after a bracket an operand is the first item of a form without a word of its own.
        for other in SHAPES:
            if other.result & kind and other.literals:
                yield _form(other, "(", ")", 6 if self.expected.whole else 5)

    def _uses(self, kind: ValueKind, opening: str, closing: str, rank: int) -> Iterator[Offer]:
        """Offer uses of the definitions that look as if they could give a kind."""
        for form in self.expected.definitions:
            if not _may_give(form, kind, self.expected.definitions):
                continue
            name, parameters = _head(form)
            places = [f"${{{at}:{one[1:]}}}" for at, one in enumerate(parameters, 1)]
            label = f"({' '.join([name, *parameters])})"
            text = f"{opening}{' '.join([name, *places])}{closing}"
            function = CompletionItemKind.Function
            yield Offer(label, text, function, "a definition", "", rank, f"{opening}{name}")

    def _variables(self, kind: ValueKind) -> Iterator[Offer]:
        for binding in self.expected.bound:
            held = stands_for(binding.value)
            if held & kind or held == ANYTHING:
                detail = "" if held == ANYTHING else in_words(binding.value.kind)
                variable = CompletionItemKind.Variable
                yield Offer(binding.name, binding.name, variable, detail, "", 1)

    def _strings(self, part: Operand, shape: FormShape | None) -> Iterator[Offer]:
        for name, detail in self.names.for_operand(part, shape, self.expected):
            yield Offer(name, name, CompletionItemKind.Constant, detail, "", 2)

    def _other(self, part: Literal | Binder | FormGroup | Operand) -> Iterator[Offer]:
        match part:
            case Literal():
                yield Offer(part.text, part.text, CompletionItemKind.Keyword, "", "", 0)
            case Binder():
                kinds = self.expected.kinds
                held = ITEM_KINDS.get(kinds[-1], ANYTHING) if kinds else ANYTHING
                name = f"'{VARIABLES.get(held, 'V')}"
                yield Offer(name, name, CompletionItemKind.Variable, "a new variable", "", 0)
            case FormGroup(optional=False):
                text = "(" + snippet(part.parts)
                yield Offer("(...)", text, CompletionItemKind.Struct, "", "", 0, "(")


def _form(shape: FormShape, opening: str, closing: str, rank: int = 4) -> Offer:
    about = f"{shape.sentence}\n\n```recycle\n{shape.example}\n```"
    text = opening + snippet(shape.parts, closing)
    gives = in_words(shape.result)
    typed = f"{opening}{shape.head}"
    return Offer(shape.pattern, text, CompletionItemKind.Function, gives, about, rank, typed)


def _head(definition: Form) -> tuple[str, list[str]]:
    """Return the name of a definition, and its parameters."""
    head = definition.items[1]
    name, *parameters = map(shown, head.items if isinstance(head, Form) else [head])
    return name, parameters


def _may_give(
    definition: Form, kind: ValueKind, others: Sequence[Form], seen: frozenset[str] = frozenset()
) -> bool:
    """Return whether the body of a definition, or of one that it uses, looks like a kind."""
    if len(definition.items) != 3:
        return False
    name, _ = _head(definition)
    body = definition.items[2]
    used = shown(body.head) if isinstance(body, Form) and isinstance(body.head, Atom) else ""
    for other in others:
        if used and len(other.items) > 1 and _head(other)[0] == used and used not in {*seen, name}:
            return _may_give(other, kind, others, seen | {name})
    return may_be(body, kind)


def _words(kind: ValueKind) -> Iterator[Offer]:
    for word, held in BARE.items():
        if held & kind:
            yield Offer(word, word, CompletionItemKind.Keyword, in_words(held), "", 2)
    if kind & ValueKind.CYCLE_WORD:
        for word in _CYCLE:
            yield Offer(word, word, CompletionItemKind.Keyword, "", "", 2)
