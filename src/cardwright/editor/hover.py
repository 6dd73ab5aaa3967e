"""What is shown about the word under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.cards import LocationKind
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.fitting import BARE, is_definition, key_of
from cardwright.program.forms import BY_KEY, SECTIONS
from cardwright.program.kinds import ANYTHING, ValueKind, in_words
from cardwright.program.symbols import Symbol, SymbolSort, Use
from cardwright.syntax.tree import Atom, AtomKind, Form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.editor.document import Document
    from cardwright.program import nodes as n
    from cardwright.program.context import Binding
    from cardwright.program.forms import FormShape, Section
    from cardwright.program.symbols import Occurrence
    from cardwright.syntax.source import Span

_SEEN = {
    LocationKind.VISIBLE: "Everybody sees its cards.",
    LocationKind.INVISIBLE: "Its owner alone sees its cards, if that is a player; else nobody.",
    LocationKind.HIDDEN: "Nobody sees its cards, not even its owner.",
    LocationKind.OTHERS: "Everybody but its owner sees its cards.",
    LocationKind.MEMORY: "It keeps references to cards that lie elsewhere; everybody sees them.",
}
_HOLDS = {
    "sto": "An integer, 0 until it is set. Everybody sees it.",
    "str": "A string, empty until it is set. Everybody sees it.",
    "points": "A point map; every card is worth 0 until it is set.",
}
_OWNERS = {"game": "the table", "player": "each player", "team": "each team"}
_MOST_LINES = 8
_MOST_VALUES = 20


def hover(document: Document, offset: int) -> tuple[str, Span] | None:
    """Return what to show at an offset, as Markdown, and the text that it is about."""
    named = document.names.at(offset)
    if named is not None:
        return _about_name(document, named), named.span
    path = path_to(document.form, offset)
    if not path or not isinstance(path[-1], Atom):
        return None
    atom = path[-1]
    forms = [item for item in path if isinstance(item, Form)]
    text = _about_word(document, atom, forms)
    return (text, atom.span) if text else None


def path_to(form: Form | None, offset: int) -> list[Form | Atom]:
    """Return the forms around an offset, outermost first, and the atom there, if there is one."""
    path: list[Form | Atom] = []
    item: Form | Atom | None = form
    while item is not None and item.span.start <= offset <= item.span.end:
        path.append(item)
        inside = item.items if isinstance(item, Form) else ()
        found = [one for one in inside if one.span.start <= offset <= one.span.end]
        # Between two that touch, a word is meant rather than the bracket beside it.
        item = next((one for one in found if isinstance(one, Atom)), found[-1] if found else None)
    return path


# Words of the language ------------------------------------------------------------------------


def _about_word(document: Document, atom: Atom, forms: Sequence[Form]) -> str:
    if atom.kind not in {AtomKind.WORD, AtomKind.OPERATOR} or not forms:
        return ""
    form = forms[-1]
    if atom not in form.items[:2] and len(forms) > 1:
        return _about_value(atom)
    outer = forms[-2] if len(forms) > 1 else None
    section = _section(form, outer)
    if section is not None:
        return _row(section.pattern, section.sentence, section.example)
    is_head = form.items[0] is atom
    key = key_of(form)
    if not is_head and key != f"_ {atom.text}":
        return _about_value(atom)
    if is_head and key.startswith("_"):
        return _about_value(atom)
    understood = document.understood.get((form.span.start, form.span.end))
    if understood is not None and understood.shape is not None:
        kind = understood.node.kind if understood.node.kind.known else None
        return _about_shape(understood.shape, kind)
    shapes = BY_KEY.get(key, [])
    return "\n\n---\n\n".join(map(_about_shape, shapes)) or _about_value(atom)


def _section(form: Form, outer: Form | None) -> Section | None:
    """Return the section of a program that a form is, if it stands where one does."""
    for section in SECTIONS:
        words = section.head.split()
        in_setup = outer is not None and outer.starts_with("setup")
        right_place = outer is None or outer.starts_with("game") or in_setup
        if form.starts_with(*words) and right_place and (words != ["repeat"] or in_setup):
            return section
    return None


def _about_shape(shape: FormShape, kind: ValueKind | None = None) -> str:
    storages = ValueKind.INTEGER_STORAGE | ValueKind.STRING_STORAGE
    gives = in_words((kind or shape.result) & ~storages)
    more = " This form is an extension of the language." if shape.extension else ""
    return _row(shape.pattern, f"{shape.sentence} It is {gives}.{more}", shape.example)


def _row(pattern: str, sentence: str, example: str) -> str:
    return f"```recycle\n{pattern}\n```\n{sentence}\n\nFor example\n```recycle\n{example}\n```"


def _about_value(atom: Atom) -> str:
    kind = BARE.get(atom.text)
    return f"`{atom.text}` is {in_words(kind)}." if kind else ""


# NameIndex ----------------------------------------------------------------------------------------


def _about_name(document: Document, named: Occurrence) -> str:
    symbol = named.symbol
    match symbol.sort:
        case SymbolSort.VARIABLE | SymbolSort.CONSTANT:
            return _about_variable(document, symbol)
        case SymbolSort.DEFINITION:
            return _about_definition(document, symbol)
        case SymbolSort.STORAGE | SymbolSort.LOCATION:
            return _about_stored(document, symbol)
        case SymbolSort.ATTRIBUTE:
            values = document.names.values.get(symbol.name, ())
            listed = ", ".join(values[:_MOST_VALUES]) + (", …" * (len(values) > _MOST_VALUES))
            has = f"with the values {listed}" if values else "that no card has"
            return f"`{symbol.name}`: an attribute of cards, {has}."
        case SymbolSort.VALUE:
            keys = [key for key, found in document.names.values.items() if symbol.name in found]
            of = f", a value of {' and of '.join(f'`{key}`' for key in keys)}" if keys else ""
            return f"`{symbol.name}`: a string{of}."


def _about_variable(document: Document, symbol: Symbol) -> str:
    place = int(symbol.home)
    binding = _binding(document, place)
    line = document.lines.position(place).line + 1
    kind = binding.value.kind if binding else ANYTHING
    what = in_words(kind) if kind.known else "something whose kind is not known"
    if symbol.sort is SymbolSort.CONSTANT:
        value = _value(binding.value) if binding else ""
        text = f"`{symbol.name}`: {what}, declared in line {line}"
        return f"{text}.\n\nIts value is {value}." if value else f"{text}."
    around = path_to(document.form, place)
    defined = next((form for form in around if is_definition(form)), None)
    if binding is None and defined is not None:
        return f"`{symbol.name}`: a parameter of\n\n{_code(document, defined)}"
    form = around[-2] if len(around) > 1 else None
    head = form.items[0].text if isinstance(form, Form) and isinstance(form.items[0], Atom) else ""
    by = f" by `{head}`" if head else ""
    return f"`{symbol.name}`: {what}, bound{by} in line {line}."


def _about_definition(document: Document, symbol: Symbol) -> str:
    around = path_to(document.form, int(symbol.home))
    form = next((form for form in around if is_definition(form)), None)
    uses = [one for one in document.names.occurrences_of(symbol) if one.use is Use.READS]
    text = "" if form is None else _code(document, form)
    return f"{text}\nIt is used in {_lines(document, uses)}."


def _code(document: Document, item: Form | Atom) -> str:
    """Return the text of an item as code, cut if it is long."""
    lines = document.source.at(item.span).splitlines()
    more = ["…"] if len(lines) > _MOST_LINES else []
    return "\n".join(["```recycle", *lines[:_MOST_LINES], *more, "```"])


def _binding(document: Document, place: int) -> Binding | None:
    meaning = document.examined.meaning
    found = meaning.scope.bindings if meaning else []
    return next((one for one in found if one.span.start == place), None)


def _value(node: n.Node) -> str:
    """Return the value of a declared constant in words; nothing if it has none."""
    try:
        value = constant(node)
    except NotConstantError:
        return ""
    if isinstance(value, range):
        return f"the range from {value.start} to {value.stop - 1}"
    if isinstance(value, tuple):
        return "the list " + ", ".join(map(str, value))
    return f"`{value}`" if value != "" else "the empty string"


def _about_stored(document: Document, symbol: Symbol) -> str:
    owner, _, word = symbol.home.partition(" ")
    if symbol.sort is SymbolSort.LOCATION:
        what, about = "a location", _SEEN[LocationKind(word)]
    else:
        what, about = "a storage", _HOLDS.get(word, "")
    uses = document.names.occurrences_of(symbol)
    filled = [use for use in uses if use.use is not Use.READS]
    read = [use for use in uses if use.use is Use.READS]
    put = "set" if symbol.sort is SymbolSort.STORAGE else "filled"
    used = f"It is {put} in {_lines(document, filled)}, and named in {_lines(document, read)}."
    what = f"{what} of {_OWNERS.get(owner, owner)} (`{word}`)"
    return f"`{symbol.name}`: {what}. {about}\n\n{used}"


def _lines(document: Document, places: Sequence[Occurrence]) -> str:
    found = sorted({document.lines.position(place.span.start).line + 1 for place in places})
    if not found:
        return "no line"
    listed = ", ".join(map(str, found[:_MOST_LINES])) + (", …" * (len(found) > _MOST_LINES))
    return f"line{'s' if len(found) > 1 else ''} {listed}"
