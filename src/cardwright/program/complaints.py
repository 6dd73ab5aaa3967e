"""The words in which the checker says what is wrong with a form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.forms import BY_KEY, HEADS, SECTIONS, UNSUPPORTED
from cardwright.program.kinds import Kind, in_words
from cardwright.syntax.diagnostic import Code, Diagnostics
from cardwright.syntax.suggest import did_you_mean
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom

if TYPE_CHECKING:
    from cardwright.program import nodes as n
    from cardwright.program.shapes import Misfit, Shape
    from cardwright.syntax.source import Span

_SECTION_HEADS = frozenset(section.head for section in SECTIONS)

_ADVICE = (
    (Kind.CARD, Kind.LOCATION, "name one card of the location: (top {0})"),
    (Kind.CARD, Kind.LOCATIONS, "name a location, then a card: (top (top {0}))"),
    (Kind.LOCATION, Kind.CARD, "write the location itself, without (top ...)"),
    (Kind.LOCATION, Kind.LOCATIONS, "join the locations with (union {0}), or take (top {0})"),
    (Kind.LOCATION, Kind.STRING, "a location has an owner and a kind: (game vloc {0})"),
    (Kind.INTEGER, Kind.LOCATION, "count the cards with (size {0})"),
    (Kind.INTEGER, Kind.STRING, "a stored integer is written (game sto {0})"),
    (Kind.STRING, Kind.CARD, "read an attribute of the card: (cardatt SUIT {0})"),
    (Kind.INTEGER, Kind.CARD, "score the card: (score {0} using (game points ...))"),
    (Kind.PLAYER, Kind.INTEGER, "a player is written ({0} player)"),
    (Kind.PLAYER, Kind.CARD, "the holder of a card is (owner {0})"),
    (Kind.POINTS, Kind.STRING, "a point map has an owner: (game points {0})"),
    (Kind.BOOLEAN, Kind.INTEGER, "compare it with something: (== {0} 1)"),
    (Kind.LOCATIONS, Kind.LOCATION, "a set is made by all, partition, subsets or runs"),
    (Kind.OWNER, Kind.STRING, "a variable has an apostrophe: '{0}"),
)


def shown(item: Syntax, limit: int = 40) -> str:
    """Return the text of an item on one line, cut to a length."""
    text = _text(item, limit)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _text(item: Syntax, room: int) -> str:
    if isinstance(item, Atom):
        return item.text
    words: list[str] = []
    for inner in item.items:
        words.append(_text(inner, room))
        if sum(map(len, words)) > room:
            break
    return "(" + " ".join(words).replace(" ,", ",") + ")"


@dataclass(frozen=True)
class Complaints:
    """Reports mistakes of form and kind in full sentences."""

    report: Diagnostics

    def wrong_kind(self, item: Syntax, found: Kind, expected: Kind) -> None:
        """Say that something is of a kind that cannot stand here."""
        if found & Kind.CONTROL or (expected & Kind.CONTROL and not expected & Kind.COLLECTION):
            self._misplaced(item, found, expected)
            return
        advice = next(
            (
                text.format(shown(item))
                for wanted, given, text in _ADVICE
                if found & given and expected & wanted and not found & expected
            ),
            "",
        )
        self.report.add(
            Code.WRONG_KIND,
            item.span,
            f"{shown(item)} is {in_words(found)}",
            expected=in_words(expected),
            help=advice,
        )

    def _misplaced(self, item: Syntax, found: Kind, expected: Kind) -> None:
        advice = ""
        if found & (Kind.ACTION | Kind.CONDITIONAL) and expected & Kind.ITEM:
            advice = f"put steps into a block: (do ({shown(item)}))"
        elif found & Kind.ITEM:
            advice = "stages and choices stand in the game or in a stage, not inside other blocks"
        elif expected & Kind.ACTION and found & Kind.BODY:
            advice = "only an action can be repeated; for more use (all (range 1 .. 3) 'I (do ...))"
        self.report.add(
            Code.MISPLACED,
            item.span,
            f"{shown(item)} cannot stand here: it is {in_words(found)}",
            expected=in_words(expected),
            help=advice,
        )

    def stray(self, atom: Atom, expected: Kind) -> None:
        """Say that a word or mark stands where a value should."""
        if atom.text in UNSUPPORTED:
            self._unsupported(atom)
            return
        advice = ""
        if atom.kind is AtomKind.WORD:
            if atom.text in HEADS:
                shape = BY_KEY[atom.text][0] if atom.text in BY_KEY else None
                advice = f"`{atom.text}` opens a form: {shape.pattern}" if shape else ""
            elif expected & Kind.STRING:
                advice = f"names are written in capitals: {atom.text.upper()}"
            else:
                advice = did_you_mean(atom.text, ("player", "team", "game"))
        self.report.add(
            Code.WRONG_KIND,
            atom.span,
            f"`{atom.text}` is no value",
            expected=in_words(expected),
            help=advice,
        )

    def names(self, form: Form, expected: Kind) -> None:
        """Say that a list of names stands where something else should."""
        head = form.head
        assert isinstance(head, Atom)
        advice = did_you_mean(head.text.lower(), HEADS)
        if advice:
            advice += " The words of the language are in small letters"
        self.report.add(
            Code.WRONG_KIND,
            form.span,
            f"{shown(form)} is a list of names",
            expected=in_words(expected),
            help=advice,
        )

    def unknown(self, form: Form, meant: str | None) -> None:
        """Say that there is no form with this word."""
        head = form.head
        if head is None:
            self.report.add(
                Code.UNKNOWN_FORM, form.span, "these brackets are empty", expected="a form"
            )
            return
        if isinstance(head, Atom) and head.text in UNSUPPORTED:
            self._unsupported(head)
            return
        if is_atom(head, AtomKind.BAD):
            return
        text = shown(head)
        if text in _SECTION_HEADS or text in {"create", "deck"}:
            self.report.add(
                Code.MISPLACED,
                form.span,
                f"({text} ...) cannot stand here",
                help="it is part of the program's frame: setup first, items, then scoring"
                if text in {"setup", "scoring", "declare", "game"}
                else "players, teams and decks are made in the set-up only",
            )
            return
        self.report.add(
            Code.UNKNOWN_FORM,
            head.span,
            f"there is no form `{text}`",
            help=f"did you mean {meant}? {BY_KEY[meant][0].pattern}" if meant in BY_KEY else "",
        )

    def _unsupported(self, atom: Atom) -> None:
        self.report.add(
            Code.UNSUPPORTED,
            atom.span,
            f"`{atom.text}` is not supported",
            help=UNSUPPORTED[atom.text],
        )

    def misfit(self, form: Form, misfits: list[tuple[Shape, Misfit]]) -> None:
        """Say how a form differs from the shape it should have, with the shape and an example."""
        for item in form.items:
            if isinstance(item, Atom) and item.text in UNSUPPORTED:
                self._unsupported(item)
                return
        shape, misfit = max(misfits, key=lambda pair: _progress(pair[1]))
        patterns = list(dict.fromkeys(other.pattern for other, _ in misfits))
        advice = f"for example {shape.example}"
        if shape.head in {"do", "choice"} and len(form.items) > 2:
            advice = f"all steps stand in one inner bracket: {shape.pattern}"
        self.report.add(
            Code.WRONG_SHAPE,
            misfit.item.span if misfit.item is not None else form.span,
            f"{shown(form, 30)} is not complete: {misfit.reason}"
            if misfit.item is None
            else f"in {shown(form, 30)}: {misfit.reason}",
            expected=" or ".join(patterns[:3]),
            help=advice,
        )

    def missing_list(self, form: Form) -> None:
        """Say that the steps of a do or choice need a bracket of their own."""
        head = form.head
        assert isinstance(head, Atom)
        self.report.add(
            Code.WRONG_SHAPE,
            form.items[1].span,
            f"the steps of a {head.text} stand in a bracket of their own",
            expected=f"({head.text} (STEP...))",
            help=f"write ({head.text} ({shown(form.items[1])} ...))",
        )

    def any_as_all(self, node: n.ForEach) -> None:
        """Warn of an `any` outside a choice."""
        self.report.add(
            Code.ANY_AS_ALL,
            node.span,
            "there is nobody to choose here: outside a choice `any` does the same as `all`",
            help="write all, or put the step into a (choice (...))",
        )

    def number_too_large(self, atom: Atom) -> None:
        """Say that a number does not fit."""
        self.report.add(
            Code.NUMBER_TOO_LARGE,
            atom.span,
            f"{shown(atom, 24)} does not fit in 64 bits",
            expected="a number up to 9223372036854775807",
        )

    def shape(self, span: Span, message: str, expected: str, help: str = "") -> None:  # noqa: A002
        """Say that a part of the program's frame is not written as it should be."""
        self.report.add(Code.WRONG_SHAPE, span, message, expected=expected, help=help)


def _progress(misfit: Misfit) -> int:
    """Return how far a form fitted before it did not; a form that only ends too early went far."""
    return misfit.item.span.start if misfit.item is not None else 2**62
