"""Parse trees: the text of a game as the tree of its forms.

The style is CardStock's: the game and its stages red, what the computer does yellow boxes, what
players choose orange diamonds, integers light blue, names green; words of the language do not get
nodes of their own, but label their form, and punctuation is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.diagrams.graph import Edge, Graph, GraphLayout, GraphNode, NodeShape
from cardwright.game.errors import CardwrightError
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.tree import Atom, AtomKind, Form, is_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.syntax.source import Source
    from cardwright.syntax.tree import Syntax

_FILLS = {AtomKind.INTEGER: "lightblue", AtomKind.NAME: "lightgreen"}
_STAGE, _ACTIONS, _CHOICE, _FOLDED = "red", "yellow", "orange", "#e5e5e5"
_LONGEST = 30
_BLOCKS = ("do", "choice")
_ITEMS = ("do", "any", "all", "let", "repeat")


class ParseTreeError(CardwrightError):
    """A text without a parse tree, since its brackets do not match."""


def parse_tree_graph(source: Source, title: str, *, depth: int | None = None) -> Graph:
    """Return the parse tree of a game's text, as an undirected graph whose first node is the root.

    Forms deeper than `depth` (the game itself has depth 0) are folded into their parent's last
    node, which counts them; nothing is folded by default. Raises ParseTreeError if the
    brackets do not match.
    """
    report = Diagnostics(source)
    form = read(source, report).form
    if form is None or report.errors:
        said = report.errors[0].message if report.errors else "there is no game in it"
        raise ParseTreeError(f"{source.name} has no parse tree: {said}; check the file first")
    tree = _ParseTree(depth)
    tree.add(form, "", 0)
    nodes, edges = tuple(tree.nodes), tuple(tree.edges)
    return Graph(title, nodes, edges, directed=False, layout=GraphLayout.TREE)


class _ParseTree:
    """The nodes so far, numbered from the root on, and the edges to them."""

    def __init__(self, depth: int | None) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[Edge] = []
        self._depth = depth

    def add(self, item: Syntax, parent: str, level: int, within: str = "") -> None:
        """Add an item below its parent; `within` is the word of the enclosing form."""
        if isinstance(item, Atom):
            fill = _FILLS.get(item.kind, "white")
            self._node((_short(item.text),), fill, NodeShape.OVAL, parent)
            return
        name = self._form(item, parent, within)
        inner = [*_parts(item)]
        if self._depth is not None and level >= self._depth:
            forms = sum(1 for part in inner for _ in _forms(part))
            if forms:
                self._node((f"… {forms} more",), _FOLDED, NodeShape.PLAIN, name)
                return
        word = _word(item)
        for part in inner:
            self.add(part, name, level + 1, word)

    def _form(self, form: Form, parent: str, within: str) -> str:
        word, looks = _word(form), ("white", NodeShape.ROUNDED)
        if not parent or word == "stage":
            looks = (_STAGE, NodeShape.ROUNDED)
        elif word == "choice":
            looks = (_CHOICE, NodeShape.DIAMOND)
        elif within in {"game", "stage"} and word in _ITEMS:
            looks = (_ACTIONS, NodeShape.BOX)
        return self._node((_title(form),), *looks, parent)

    def _node(self, lines: tuple[str, ...], fill: str, shape: NodeShape, parent: str) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes.append(GraphNode(name, lines, shape, fill))
        if parent:
            self.edges.append(Edge(parent, name))
        return name


def _parts(form: Form) -> Iterator[Syntax]:
    """Yield what gets nodes of its own: forms, names, variables and numbers.

    The brackets around the steps of a block are punctuation: their steps are the block's.
    """
    block = _word(form) in _BLOCKS
    for item in form.items:
        if isinstance(item, Form):
            if block and not _words(item) and all(isinstance(part, Form) for part in item.items):
                yield from item.items
            else:
                yield item
        elif item.kind in {AtomKind.NAME, AtomKind.VARIABLE, AtomKind.INTEGER}:
            yield item


def _forms(item: Syntax) -> Iterator[Form]:
    if isinstance(item, Form):
        yield item
        for inner in item.items:
            yield from _forms(inner)


def _words(form: Form) -> Sequence[str]:
    return [
        item.text
        for item in form.items
        if isinstance(item, Atom) and item.kind in {AtomKind.WORD, AtomKind.OPERATOR}
    ]


def _word(form: Form) -> str:
    words = _words(form)
    return words[0] if words else ""


def _title(form: Form) -> str:
    """Return the words of a form; for one without any, a description of its content."""
    words = _words(form)
    if words:
        return _short(" ".join(words))
    if _is_pair(form):
        return "is"
    match form.items:
        case (Form() as first, _) if _is_pair(first):
            return "worth"
        case (Form() as first, Form()) if not (first.items and _is_pair(first.items[0])):
            return "if"
    return "list"


def _is_pair(item: Syntax) -> bool:
    """Say whether a form gives values of attributes, such as `(RANK : A)`."""
    return isinstance(item, Form) and any(is_word(inner, ":") for inner in item.items)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
