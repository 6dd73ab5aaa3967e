"""Small programs around the forms that a test is about."""

from cardwright.program import nodes as n
from cardwright.program.check import Checked, check
from cardwright.program.elaborate import Elaborator
from cardwright.program.expansion import Secret
from cardwright.program.kinds import ANYTHING, ValueKind
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import read
from cardwright.syntax.source import Source, Span

SETUP = "(create players 4) (create deck (game iloc STOCK) (deck (RANK (A, K))))"

CREATED = (
    "(create secret (player isto BID) (range 0 .. 3)) (create secret (player istr VOTE) (YES, NO))"
)
"""The secrets of the examples in the table of forms."""

SECRETS = {
    "BID": Secret("BID", "isto", range(4), Span(0, 0), "BID", "CARDS", "VALUE", "POINTS"),
    "VOTE": Secret("VOTE", "istr", ("YES", "NO"), Span(0, 0), "VOTE", "CARDS", "VALUE", ""),
}
"""The same as the elaborator has them."""


def checked(items: str = "(do ((turn pass)))", *, setup: str = SETUP, declare: str = "") -> Checked:
    """Check a game with these items."""
    return check(Source("small.rcy", whole(items, setup=setup, declare=declare)))


def whole(items: str, *, setup: str = SETUP, declare: str = "") -> str:
    """Return the text of a game with these items."""
    return f"(game {declare} (setup {setup}) {items} (scoring max ((current player) sto SCORE)))"


def errors(result: Checked) -> list[str]:
    """Return the codes of the errors that a check found."""
    return [found.code.code for found in result.diagnostics.errors]


def node(text: str, expected: ValueKind = ANYTHING, *bindings: tuple[str, ValueKind]) -> n.Node:
    """Return the node of one form or atom, which must be without errors."""
    source = Source("form.rcy", f"({text})")
    report = Diagnostics(source)
    form = read(source, report).form
    assert form is not None
    by = Elaborator(report)
    by.extensions.secrets.update(SECRETS)
    for name, kind in bindings:
        by.scope.bind(name, kind, form.span)
    found = by.elaborate(form.items[0], expected)
    assert not report.errors, [error.message for error in report.errors]
    return found
