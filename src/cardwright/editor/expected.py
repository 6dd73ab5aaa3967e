"""What can be written at the cursor: the parts that may come next in the brackets open there.

The brackets are taken from the outermost inwards. In each, the shapes of the form table that may
stand there are followed item by item, as the checker does: each item is elaborated, and its kind
narrows the shapes. So variables are bound on the way, with their kinds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.elaborate import Elaborator
from cardwright.program.fitting import is_definition, stands_for
from cardwright.program.forms import BY_KEY, SHAPES, FormShape
from cardwright.program.kinds import ANYTHING, ITEM_KINDS, ValueKind
from cardwright.program.setup import ProgramSetup
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand, Part, parse
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import MAX_DEPTH, tokens
from cardwright.syntax.source import Source, Span
from cardwright.syntax.tree import Atom, AtomKind, Comment, Form, Syntax, is_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.context import Binding

_NOTHING = ValueKind(0)

_PAIR = FormGroup((Operand(ValueKind.STRING, "KEY"), Literal(":"), Operand(ValueKind.STRING, "IS")))

_AWARD: tuple[tuple[Part, ...], ...] = tuple(
    (*(_PAIR,) * count, Operand(ValueKind.INTEGER, "INTEGER")) for count in range(1, 5)
)
"""The shapes of an award, with as many pairs as awards have."""

SECTIONS = {
    "declare": (parse("(declare VALUE 'V)"),),
    "scoring": (parse("(scoring max INTEGER)"), parse("(scoring min INTEGER)")),
}
_DECK = "(create deck LOCATION (deck))"
SETUP = tuple(
    map(
        parse,
        (
            "(create players INTEGER)",
            _DECK,
            "(create deck STRING LOCATION (deck))",
            "(create secret (player isto STRING) INTEGERS)",
            "(create secret (player istr STRING) STRINGS)",
        ),
    )
)
_REPEATED = parse(f"(repeat INTEGER {_DECK})")


@dataclass(frozen=True)
class Continuation:
    """A way to go on in a bracket: the parts that are left, and the shape that they belong to."""

    parts: tuple[Part, ...]
    shape: FormShape | None = None


@dataclass(frozen=True)
class Expected:
    """What may come next.

    `ways` are what may be written in the innermost bracket, from the cursor on. `whole` says that
    nothing has been written in it yet, so that a way is a whole form, which gives something that is
    `wanted`. `section` is the part of a program that the cursor is in directly, "game" or "setup",
    or nothing.
    """

    ways: tuple[Continuation, ...]
    items: tuple[Syntax, ...] = ()
    kinds: tuple[ValueKind, ...] = ()
    bound: tuple[Binding, ...] = ()
    definitions: tuple[Form, ...] = ()
    section: str = ""
    wanted: ValueKind = _NOTHING

    @property
    def whole(self) -> bool:
        """Whether nothing has been written in the innermost bracket yet."""
        return not self.items

    def next_parts(self) -> list[tuple[Part, FormShape | None]]:
        """Return the parts of which one may come next, each once, with the shapes they are of."""
        found: dict[tuple[Part, str], FormShape | None] = {}
        for way in self.ways:
            for part in _first(way.parts):
                found.setdefault((part, way.shape.key if way.shape else ""), way.shape)
        return [(part, shape) for (part, _), shape in found.items()]


def expected_at(cursor: Cursor) -> Expected:
    """Return what may be written at a cursor."""
    return _Descent().to(cursor.forms)


@dataclass
class _Descent:
    """The way from the outermost bracket to the innermost one."""

    definitions: tuple[Form, ...] = ()
    by: Elaborator = field(default_factory=lambda: Elaborator(Diagnostics(Source("", ""))))

    def to(self, forms: Sequence[OpenForm]) -> Expected:
        if not forms or not forms[0].items or not is_word(forms[0].items[0], "game"):
            return Expected((), tuple(forms[0].items) if forms else (), section="")
        setup = ProgramSetup(self.by)
        for item in forms[0].items:
            if isinstance(item, Form) and is_word(item.head, "declare"):
                setup.declare(item, {})
        self.definitions = tuple(
            item for item in forms[0].items if isinstance(item, Form) and is_definition(item)
        )
        if len(forms) == 1:
            return self._found((), forms[0].items, (), "game")
        if forms[1].items and is_word(forms[1].items[0], "define"):
            return self._in_definition(forms[1:])
        head = forms[1].items[0] if forms[1].items else None
        word = head.text if isinstance(head, Atom) else ""
        if word == "setup":
            return self._in_setup(forms[1:])
        ways = (
            tuple(map(Continuation, SECTIONS[word]))
            if word in SECTIONS
            else _giving(ValueKind.BLOCK)
        )
        section = "game" if head is None and len(forms) == 2 else ""
        wanted = _NOTHING if word in SECTIONS else ValueKind.BLOCK
        return self._follow(ways, forms[1:], section, wanted)

    def _in_definition(self, forms: Sequence[OpenForm]) -> Expected:
        """Return what may be written in the body of a definition: anything, with its parameters."""
        written = forms[0].items
        if len(written) < 2:
            return Expected(())
        names = written[1].items if isinstance(written[1], Form) else ()
        for name in names[1:]:
            if isinstance(name, Atom) and name.kind is AtomKind.VARIABLE:
                self.by.scope.bind(name.text, ANYTHING, name.span)
        if len(forms) > 1:
            return self._follow(_giving(ANYTHING), forms[1:], "", ANYTHING)
        body = Continuation((Operand(ANYTHING & ~ValueKind.AWARD, "BODY"),))
        return self._found((body,), written, (), "")

    def _in_setup(self, forms: Sequence[OpenForm]) -> Expected:
        if len(forms) == 1:
            return self._found((), forms[0].items, (), "setup")
        ways = tuple(map(Continuation, (*SETUP, _REPEATED)))
        return self._follow(ways, forms[1:], "")

    def _follow(
        self,
        ways: tuple[Continuation, ...],
        forms: Sequence[OpenForm],
        section: str,
        wanted: ValueKind = _NOTHING,
    ) -> Expected:
        """Go through open brackets, of which the first one can be written in these ways."""
        for at, form in enumerate(forms):
            ways, kinds = self._through(_likely(ways, form.items), form.items)
            if not ways and form.items:  # it is misplaced, but what goes into it is known
                anything = _likely(_giving(ANYTHING), form.items)
                ways, kinds = self._through(anything, form.items)
            if at == len(forms) - 1:
                return replace(self._found(ways, form.items, kinds, section), wanted=wanted)
            wanted = _operands(ways)
            ways = tuple(self._inner(ways))
        return Expected(())

    def _found(
        self,
        ways: tuple[Continuation, ...],
        items: Sequence[Syntax],
        kinds: Sequence[ValueKind],
        section: str,
    ) -> Expected:
        bound: dict[str, Binding] = {}
        kinds = tuple(kinds)
        for binding in self.by.scope.visible():
            bound.setdefault(binding.name, binding)
        known = tuple(bound.values())
        return Expected(ways, tuple(items), kinds, known, self.definitions, section)

    def _through(
        self, ways: tuple[Continuation, ...], items: Sequence[Syntax]
    ) -> tuple[tuple[Continuation, ...], list[ValueKind]]:
        """Return the ways that are left after some items, and what the items give."""
        kinds: list[ValueKind] = []
        source: Operand | None = None
        for item in items:
            wanted = ValueKind(0)
            for way in ways:
                for part in _first(way.parts):
                    if isinstance(part, Operand):
                        wanted |= part.kind
                        source = part
            kind = self._kind(item, wanted)
            if isinstance(item, Atom) and item.kind is AtomKind.VARIABLE:
                kind = self._bind_or_use(item, ways, source, kinds, kind)
            kinds.append(kind)
            left = [
                Continuation(r, way.shape) for way in ways for r in _after(way.parts, item, kind)
            ]
            ways = tuple(dict.fromkeys(left)) if left else ()
        return ways, kinds

    def _kind(self, item: Syntax, wanted: ValueKind) -> ValueKind:
        if not wanted or (isinstance(item, Atom) and item.kind is AtomKind.VARIABLE):
            return ANYTHING
        node = self.by.elaborate(item, wanted)
        self.by.report.found.clear()
        return ANYTHING if isinstance(node, n.ErrorNode) else stands_for(node)

    def _bind_or_use(
        self,
        atom: Atom,
        ways: Iterable[Continuation],
        source: Operand | None,
        kinds: Sequence[ValueKind],
        kind: ValueKind,
    ) -> ValueKind:
        """Bind a variable if that is what may stand here; otherwise return its kind."""
        if any(isinstance(part, Binder) for way in ways for part in _first(way.parts)):
            held = kinds[-1] if kinds else ANYTHING
            if held != ANYTHING and (source is None or source.name != "VALUE"):
                held = ITEM_KINDS.get(held, ANYTHING)
            self.by.scope.bind(atom.text, held, atom.span)
            return kind
        binding = next((b for b in self.by.scope.visible() if b.name == atom.text), None)
        return ANYTHING if binding is None else stands_for(binding.value)

    def _inner(self, ways: Iterable[Continuation]) -> Iterable[Continuation]:
        """Return the ways to write a bracket that comes next."""
        for way in ways:
            for part in _first(way.parts):
                if isinstance(part, FormGroup):
                    yield Continuation(part.parts)
                elif isinstance(part, Operand):
                    if part.kind & ValueKind.AWARD:
                        yield from (Continuation(parts) for parts in _AWARD)
                    yield from _giving(part.kind)


def _giving(kind: ValueKind) -> tuple[Continuation, ...]:
    return tuple(Continuation(shape.parts, shape) for shape in SHAPES if shape.result & kind)


def _operands(ways: Iterable[Continuation]) -> ValueKind:
    """Return the kinds of the operands of which one may come next."""
    kinds = ValueKind(0)
    for way in ways:
        for part in _first(way.parts):
            if isinstance(part, Operand):
                kinds |= part.kind
    return kinds


def _likely(ways: tuple[Continuation, ...], items: Sequence[Syntax]) -> tuple[Continuation, ...]:
    """Return the ways that a bracket's first word leaves; of several, those without a shape too."""
    ways = tuple(dict.fromkeys(ways))
    head = items[0] if items else None
    if not isinstance(head, Atom) or head.text not in BY_KEY:
        return ways
    if any(isinstance(way.parts[0], Literal) for way in ways if way.parts):
        return tuple(way for way in ways if way.shape is None or way.shape.head == head.text)
    return ways


def _first(parts: tuple[Part, ...]) -> list[Part]:
    """Return the parts of which one comes next."""
    if not parts:
        return []
    part = parts[0]
    if isinstance(part, FormGroup) and part.optional:
        return [*_first(part.parts + parts[1:]), *_first(parts[1:])]
    return [part]


def _has_words(group: FormGroup, form: Form) -> bool:
    """Return whether a form has the words that are written out in a group."""
    words = [part.text for part in group.parts if isinstance(part, Literal)]
    return all(any(is_word(item, word) for item in form.items) for word in words)


def _after(parts: tuple[Part, ...], item: Syntax, kind: ValueKind) -> list[tuple[Part, ...]]:
    """Return what may be left of some parts after an item of a kind; nothing if it does not fit."""
    if not parts:
        return []
    part, rest = parts[0], parts[1:]
    match part:
        case FormGroup(optional=True):
            return _after(part.parts + rest, item, kind) + _after(rest, item, kind)
        case FormGroup():
            return [rest] if isinstance(item, Form) and _has_words(part, item) else []
        case Literal():
            return [rest] if is_word(item, part.text) else []
        case Binder():
            return [rest] if isinstance(item, Atom) and item.kind is AtomKind.VARIABLE else []
        case Operand():
            if not part.kind & kind and not part.kind & ValueKind.AWARD:
                return []
            return [parts, rest] if part.many else [rest]


_WORD = re.compile(r"(?:'?[A-Za-z0-9_]+|'|[=!<>+\-*/%^]+)$")
_REST = re.compile(r"[A-Za-z0-9_]*")


@dataclass
class OpenForm:
    """A bracket that is open at the cursor, with the complete items in it so far."""

    start: int
    items: list[Syntax] = field(default_factory=list)


@dataclass(frozen=True)
class Cursor:
    """A place in a text where something is typed.

    `word` is the span of the word around the cursor, which a completion replaces; it is empty if
    there is none. `closed` says whether a closing bracket follows at once.
    """

    forms: Sequence[OpenForm]
    word: Span
    typed: str
    closed: bool


def cursor_at(text: str, offset: int) -> Cursor | None:
    """Return what is open at an offset; None in a comment, and where nothing can be completed."""
    match = _WORD.search(text, text.rfind("\n", 0, offset) + 1, offset)
    start = match.start() if match else offset
    rest = _REST.match(text, offset)
    end = rest.end() if rest else offset
    forms = _open_forms(text[:start])
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if forms is None or ";;" in line:
        return None
    closed = text[end:].lstrip(" \t")[:1] == ")"
    return Cursor(forms, Span(start, end), text[start:offset], closed)


def _open_forms(text: str) -> list[OpenForm] | None:
    """Return the brackets open at the end of a text; None if they are nested absurdly deep."""
    source = Source("", text)
    stack: list[OpenForm] = []
    for token in tokens(source, Diagnostics(source)):
        if isinstance(token, Comment):
            continue
        if isinstance(token, Atom):
            if stack:
                stack[-1].items.append(token)
        elif token[0] in "([{":
            stack.append(OpenForm(token[1]))
            if len(stack) > MAX_DEPTH:
                return None
        elif stack:
            done = stack.pop()
            form = Form(tuple(done.items), Span(done.start, token[1] + 1))
            if stack:
                stack[-1].items.append(form)
    return stack
