"""What can be typed at the cursor, of the kinds that fit there."""

from __future__ import annotations

import re
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

from cardwright.editor.expected import Expected, cursor_at, expected_at
from cardwright.program.fitting import BARE, STORED, may_be, stands_for
from cardwright.program.forms import SECTIONS, SHAPES, FormShape
from cardwright.program.kinds import ANYTHING, ITEM_KINDS, ValueKind, in_words
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand, Part, shown
from cardwright.program.symbols import SymbolSort
from cardwright.syntax.tree import Atom, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lsprotocol.types import Range

    from cardwright.editor.document import Document
    from cardwright.program.symbols import NameIndex

_OWNERS = {ValueKind.TABLE: "game", ValueKind.PLAYER: "player", ValueKind.TEAM: "team"}


@dataclass(frozen=True)
class KnownNames:
    """The names of a file, by what they may be used for."""

    names: NameIndex

    def for_operand(
        self, part: Operand, shape: FormShape | None, expected: Expected
    ) -> Iterator[tuple[str, str]]:
        """Yield the names that fit an operand that is a string, each with what it is."""
        word = shape.key.removeprefix("_ ") if shape else ""
        if shape is not None and word in STORED:
            yield from self._stored(word, _OWNERS.get(expected.kinds[0], ""))
        elif word == "indexed" and len(expected.items) > 2:
            kind = expected.items[2]
            owner = _OWNERS.get(expected.kinds[1], "")
            yield from self._stored(kind.text if isinstance(kind, Atom) else "", owner)
        elif part.name == "KEY" or word in {"partition", "cardatt"}:
            yield from ((name, "an attribute") for name in self.names.values)
        elif part.name == "IS":
            yield from self._values(expected.items[0])
        else:
            compared = expected.items[1] if len(expected.items) > 1 else None
            yield from self._values(_attribute_of(compared))

    def _stored(self, word: str, owner: str) -> Iterator[tuple[str, str]]:
        for symbol in self.names.symbols(SymbolSort.STORAGE, SymbolSort.LOCATION):
            held_by, _, held_as = symbol.home.partition(" ")
            if held_as == word and owner in {held_by, ""}:
                yield symbol.name, f"{held_by} {word}"

    def _values(self, attribute: Syntax | None) -> Iterator[tuple[str, str]]:
        """Yield the values of an attribute, or all strings if it is not known."""
        key = attribute.text if isinstance(attribute, Atom) else ""
        if key in self.names.values:
            yield from ((name, key) for name in self.names.values[key])
            return
        for symbol in self.names.symbols(SymbolSort.VALUE):
            owners = [key for key, values in self.names.values.items() if symbol.name in values]
            yield symbol.name, ", ".join(owners)


def _attribute_of(item: Syntax | None) -> Syntax | None:
    """Return the attribute that a form reads, if it reads one."""
    if isinstance(item, Form) and is_word(item.head, "cardatt") and len(item.items) > 1:
        return item.items[1]
    return None


VARIABLES = {
    ValueKind.CARD: "C",
    ValueKind.PLAYER: "P",
    ValueKind.TEAM: "T",
    ValueKind.LOCATION: "L",
    ValueKind.INTEGER: "N",
    ValueKind.STRING: "S",
}
"""How variables of a kind are mostly called."""

_PLACE = re.compile(r"\$(?:\d+|\{\d+:(?P<word>[^}]*)\})")

_PLACES = {"INTEGER_STORAGE": "STORAGE", "STRING_STORAGE": "STORAGE", "BOOLEAN": "CONDITION"}


def snippet(parts: Sequence[Part], closing: str = ")") -> str:
    """Return the inside of a bracket as a snippet, without the parts that may be left out."""
    return _SnippetWriter().text(parts) + closing


def without_places(text: str) -> str:
    """Return a snippet as plain text, with the words of its places."""
    return _PLACE.sub(lambda match: match["word"] or "", text)


class _SnippetWriter:
    """Writes parts with places numbered from 1."""

    def __init__(self) -> None:
        self.places = 0

    def text(self, parts: Sequence[Part]) -> str:
        return " ".join(filter(None, map(self._part, parts)))

    def _part(self, part: Part) -> str:
        match part:
            case Literal():
                return part.text
            case Binder():
                return "'" + self._place("V")
            case Operand():
                return self._place(_PLACES.get(part.name, part.name))
            case FormGroup(optional=True):
                return ""
            case FormGroup():
                return f"({self.text(part.parts)})"

    def _place(self, name: str) -> str:
        self.places += 1
        return f"${{{self.places}:{name}}}"


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
            places = [f"${{{at}:{parameter[1:]}}}" for at, parameter in enumerate(parameters, 1)]
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
