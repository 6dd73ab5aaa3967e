"""The texts of the checker's messages about forms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.advice import (
    ANSWERS,
    Advice,
    advice_on_name,
    advice_on_value,
    around,
    named_elsewhere,
    word_elsewhere,
)
from cardwright.program.fitting import may_be
from cardwright.program.foreign import FOREIGN, RENAMED
from cardwright.program.forms import BY_KEY, SECTIONS, UNSUPPORTED
from cardwright.program.keys import BARE, is_pair, key_of, second_word
from cardwright.program.kinds import ValueKind, in_words
from cardwright.program.shapes import Misfit, Operand, fit, fits_any
from cardwright.program.show import shown
from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.program import nodes as n
    from cardwright.program.common_mistakes import CommonMistake
    from cardwright.program.shapes import FormShape, Slots
    from cardwright.program.unfolding import Unfolding

_SECTION_HEADS = frozenset(section.head for section in SECTIONS)

_CONDITIONALS = {"if", "when"}

_LONG = 90
"""Longest example that helps, in characters; a longer one obscures the error."""


@dataclass(frozen=True)
class Complaints:
    """Reports errors of form and kind in full sentences."""

    report: Diagnostics
    unfolding: Unfolding

    def _written(self, item: Syntax) -> Syntax:
        """Return an item as its author wrote it, if it is not an atom."""
        return self.unfolding.as_written(item) if isinstance(item, Form) else item

    def _stands(self, item: Syntax) -> tuple[Related, ...]:
        """Return where a definition has the parameter for which an item stands, if it does."""
        place = self.unfolding.place_of(item)
        if not isinstance(place, Atom):
            return ()
        return (Related(place.span, f"it takes the place of {place.text}"),)

    def mistake(self, mistake: CommonMistake, written: Syntax) -> None:
        """Report a common mistake in what is written."""
        written = self._written(written)
        self.report.add(
            mistake.code,
            mistake.span,
            mistake.message,
            expected=mistake.expected,
            help=mistake.help,
            edits=difference(self.report.source, written, mistake.meant),
            guess=mistake.help.startswith("for example"),
        )

    def wrong_kind(self, item: Syntax, found: ValueKind, expected: ValueKind) -> None:
        """Report a value of a kind that is not allowed here."""
        if found & ValueKind.CONTROL or (
            expected & ValueKind.CONTROL and not expected & ValueKind.COLLECTION
        ):
            self._misplaced(item, found, expected)
            return
        related = self._stands(item)
        item = self._written(item)
        advice = advice_on_value(self.report.source, item, found, expected)
        self.report.add(
            Code.WRONG_KIND,
            item.span,
            f"{shown(item)} is {in_words(found)}",
            expected=in_words(expected),
            help=advice.text,
            related=related,
            edits=advice.edits,
            guess=advice.guess,
        )

    def no_apostrophe(self, name: Atom, found: ValueKind, expected: ValueKind) -> None:
        """Report a name in the place of the variable that is called like it."""
        self.report.add(
            Code.WRONG_KIND,
            name.span,
            f"{name.text} is {in_words(found)}, not the variable '{name.text}",
            expected=in_words(expected),
            help=f"a variable has an apostrophe: '{name.text}",
            edits=rewritten(name.span, f"'{name.text}"),
        )

    def no_bracket(self, name: Atom, expected: ValueKind) -> None:
        """Report the name of a definition that is used without its bracket."""
        meant = f"({name.text})"
        self.report.add(
            Code.WRONG_KIND,
            name.span,
            f"{name.text} alone is a string, not what is defined under this name",
            expected=in_words(expected),
            help=f"a definition is used in brackets: {meant}",
            edits=rewritten(name.span, meant),
        )

    def comparison(self, form: Form, left: ValueKind, right: ValueKind) -> bool:
        """Report a comparison of two kinds of value; return whether that is what is wrong."""
        if not left.known or not left & ValueKind.COMPARABLE:
            return not right & ValueKind.COMPARABLE  # the first operand was reported
        if not right & ValueKind.COMPARABLE:
            return False
        form = self.unfolding.as_written(form)
        _, first, second = form.items
        source = self.report.source
        advice = advice_on_value(source, first, left, right)
        if not advice.text or shown(second) in ANSWERS:
            advice = advice_on_value(source, second, right, left)
        self.report.add(
            Code.MIXED_COMPARISON,
            form.span,
            f"{in_words(left)} is compared with {in_words(right)}: {shown(first)} is "
            f"{in_words(left)}, {shown(second)} is {in_words(right)}",
            expected="two values of one kind",
            help=advice.text,
            edits=advice.edits,
            guess=advice.guess,
        )
        return True

    def stored(self, form: Form, kept: ValueKind, found: ValueKind) -> bool:
        """Report a value that the other kind of storage keeps; return whether that is wrong."""
        if kept is ValueKind.INTEGER and found is ValueKind.BOOLEAN:
            self._stored_condition(self.unfolding.as_written(form))
            return True
        words = {ValueKind.INTEGER: "sto", ValueKind.STRING: "str"}
        if kept not in words or found not in words or kept is found:
            return False
        form = self.unfolding.as_written(form)
        storage, value = form.items[1:3]
        if not isinstance(storage, Form) or len(storage.items) < 3:
            return False
        if isinstance(value, Form) and second_word(value) not in words.values():
            return False
        if shown(value) in ANSWERS:
            return False
        word = Atom(AtomKind.WORD, words[found], storage.items[1].span)
        meant = Form((storage.items[0], word, *storage.items[2:]), storage.span)
        name = shown(storage.items[2])
        places = named_elsewhere(self.report.source, name, storage.span)
        taken = word_elsewhere(places, kept) and not word_elsewhere(places, found)
        advice = f"{in_words(found)} is kept under {words[found]}: {shown(meant)}"
        if taken:
            advice = f"{name} keeps {in_words(kept)} elsewhere too; store this under another name"
        self.report.add(
            Code.WRONG_KIND,
            value.span,
            f"{shown(value)} is {in_words(found)}, and {shown(storage)} keeps {in_words(kept)}",
            expected=in_words(kept),
            help=advice,
            edits=() if taken else difference(self.report.source, storage, meant),
            guess=True,
        )
        return True

    def _stored_condition(self, form: Form) -> None:
        """Report a condition that is set as an integer."""
        source = self.report.source
        _, storage, condition = (source.at(item.span) for item in form.items)
        kept, test = shown(form.items[1]), shown(form.items[2])
        meant = f"({condition} (set {storage} 1) else (set {storage} 0))"
        self.report.add(
            Code.WRONG_KIND,
            form.items[2].span,
            f"{test} is a condition, and {kept} keeps an integer",
            expected="an integer",
            help=f"store 1 or 0: ({test} (set {kept} 1) else (set {kept} 0))",
            edits=() if ";" in source.at(form.span) else rewritten(form.span, meant),
        )

    def order(self, form: Form, found: ValueKind) -> bool:
        """Report an order between strings; return whether that is what is wrong."""
        if found is not ValueKind.STRING:
            return False
        self.report.add(
            Code.WRONG_KIND,
            form.span,
            f"strings have no order, so {shown(form.items[0])} cannot compare them",
            expected="two integers",
            help="compare scores: (score CARD using (game points ...))",
        )
        return True

    def unnamed(self, form: Form, expected: ValueKind) -> None:
        """Report a bracket without a word of the language where it is not allowed."""
        if expected & ValueKind.CONTROL and _is_conditional(form):
            self._misplaced(form, ValueKind.CONDITIONAL, expected)
            return
        form = self.unfolding.as_written(form)
        advice = "a bracket starts with a word of the language, or names something of an owner"
        inner = form.head
        if isinstance(inner, Form) and isinstance(inner.head, Form) and is_pair(inner.head):
            advice = "awards belong to a point map: (set (game points NAME) (AWARD...))"
        self.report.add(
            Code.UNKNOWN_FORM,
            form.span,
            f"there is no form {shown(form)}",
            expected=in_words(expected),
            help=advice,
        )

    def _misplaced(self, item: Syntax, found: ValueKind, expected: ValueKind) -> None:
        related = self._stands(item)
        item = self._written(item)
        advice = ""
        edits: tuple[Edit, ...] = ()
        if found & (ValueKind.ACTION | ValueKind.CONDITIONAL) and expected & ValueKind.ITEM:
            advice = f"put steps into a block: (do ({shown(item)}))"
            edits = around(item.span, "(do ({0}))")
        elif found & ValueKind.ITEM:
            advice = "stages and choices belong in the game or in a stage, not inside other blocks"
        elif expected & ValueKind.ACTION and found & ValueKind.BODY:
            advice = "only an action can be repeated; for more use (all (range 1 .. 3) 'I (do ...))"
        elif found & ValueKind.BOOLEAN and expected & ValueKind.CONDITIONAL:
            advice = f"a condition and its step belong in one bracket: ({shown(item)} (do (...)))"
        elif found & ValueKind.BOOLEAN and expected & ValueKind.ITEM:
            advice = f"a condition and its item belong in one bracket: ({shown(item)} (do (...)))"
        elif expected & ValueKind.ACTION and found & (
            ValueKind.INTEGER | ValueKind.STRING | ValueKind.COLLECTION
        ):
            advice = "this is only a value; a step does something with it, such as (set ...)"
        self.report.add(
            Code.MISPLACED,
            item.span,
            f"{shown(item)} cannot stand here: it is {in_words(found)}",
            expected=in_words(expected),
            help=advice,
            related=related,
            edits=edits,
        )

    def stray(self, atom: Atom, expected: ValueKind) -> None:
        """Report a word or mark in place of a value."""
        if atom.text in UNSUPPORTED:
            self._unsupported(atom)
            return
        advice = ""
        edits: tuple[Edit, ...] = ()
        if atom.kind is AtomKind.WORD:
            meant = near(atom.text, [word for word, kind in BARE.items() if kind & expected])
            if meant:
                advice = f"did you mean {meant}?"
                edits = rewritten(atom.span, meant)
            elif expected is ValueKind.STRING or (
                expected & ValueKind.STRING and atom.text not in BY_KEY
            ):
                advice = f"names are written in capitals: {atom.text.upper()}"
                edits = rewritten(atom.span, atom.text.upper())
            elif atom.text in BY_KEY:
                advice = f"`{atom.text}` opens a form: {BY_KEY[atom.text][0].pattern}"
        self.report.add(
            Code.WRONG_KIND,
            atom.span,
            f"`{atom.text}` is not a value",
            expected=in_words(expected),
            help=advice,
            edits=edits,
        )

    def names(self, form: Form, expected: ValueKind) -> None:
        """Report a list of names in place of something else."""
        name = form.items[0]
        assert isinstance(name, Atom)
        advice = (
            advice_on_name(self.report.source, name, expected)
            if len(form.items) == 1
            else Advice("")
        )
        meant = name.text.join(edit.text for edit in advice.edits) or None
        help_text = advice.text
        if len(form.items) == 1 and expected & (ValueKind.BOOLEAN | ValueKind.CONTROL):
            help_text = f"nothing is defined under this name: (define {name.text} ...)"
        elif len(form.items) > 1 and not is_word(form.items[1], ","):
            help_text = f"nothing is defined under this name: (define ({name.text} 'A) ...)"
        self.report.add(
            Code.WRONG_KIND,
            form.span,
            f"{shown(form)} is a list of names",
            expected=in_words(expected),
            help=help_text,
            edits=rewritten(form.span, meant),
            guess=True,
        )

    def unknown(self, form: Form) -> None:
        """Report that there is no form with this word."""
        form = self.unfolding.as_written(form)
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
        if text == "game" and len(form.items) > 1 and isinstance(form.items[1], Atom):
            self.report.add(
                Code.UNKNOWN_FORM,
                form.items[1].span,
                f"the table has nothing called `{shown(form.items[1])}`",
                expected="(game sto NAME), (game str NAME), (game points NAME), or a location: "
                "(game vloc NAME), with vloc, iloc, hloc, oloc or mem",
            )
        elif text in _SECTION_HEADS or text in {"create", "deck"}:
            self.report.add(
                Code.MISPLACED,
                form.span,
                f"({text} ...) cannot stand here",
                help="it is part of the program's frame: setup first, then items, then scoring"
                if text in {"setup", "scoring", "declare", "define", "game"}
                else "players, teams and decks are made in the set-up only",
            )
        else:
            self.report.add(
                Code.UNKNOWN_FORM,
                head.span,
                f"there is no form `{text}`",
                help=self._how_to_say(form, text),
                edits=self._translated(form, text),
            )

    def _how_to_say(self, form: Form, head: str) -> str:
        """Return how a form of another language is written in RECYCLE."""
        advice = FOREIGN.get(head, "")
        if head in _CONDITIONALS and len(form.items) == 3:
            return f"a condition and its step need no word: {shown(_conditional(form), 60)}"
        return advice

    def _translated(self, form: Form, head: str) -> tuple[Edit, ...]:
        """Return the edits that write a form of another language in RECYCLE, if that is easy."""
        if head in RENAMED:
            return rewritten(form.items[0].span, RENAMED[head])
        if head in _CONDITIONALS and len(form.items) == 3:
            return difference(self.report.source, form, _conditional(form))
        return ()

    def unsupported(self, form: Form) -> bool:
        """Report a word of the newest grammar in a form; return whether there is one."""
        newest = [
            item for item in form.items if isinstance(item, Atom) and item.text in UNSUPPORTED
        ]
        if newest:
            self._unsupported(newest[0])
        return bool(newest)

    def _unsupported(self, atom: Atom) -> None:
        self.report.add(
            Code.UNSUPPORTED,
            atom.span,
            f"`{atom.text}` is not supported",
            help=UNSUPPORTED[atom.text],
        )

    def headless(self, form: Form, shapes: Sequence[FormShape]) -> None:
        """Report that a form's first word is missing; the shapes are what it may be."""
        form = self.unfolding.as_written(form)
        words = list(dict.fromkeys(f"`{shape.head}`" for shape in shapes))[:4]
        missing = Atom(AtomKind.WORD, shapes[0].head, form.span)
        completed = Form((missing, *form.items), form.span)
        self.report.add(
            Code.WRONG_SHAPE,
            form.span,
            f"a word is missing at the start of {shown(form, 30)}",
            expected=" or ".join(list(dict.fromkeys(shape.pattern for shape in shapes))[:3]),
            help=f"did you mean {' or '.join(words)}?",
            edits=difference(self.report.source, form, completed) if len(words) == 1 else (),
        )

    def misfit(self, form: Form, shapes: Sequence[FormShape]) -> None:
        """Report how a form differs from its proper shape, with that shape and an example."""
        atoms = [item for item in form.items if isinstance(item, Atom)]
        if any(atom.kind is AtomKind.BAD for atom in atoms):
            return  # reported already, and surely the cause
        seen = self.unfolding.as_written(form)
        form = form if fits_any(seen, shapes) else seen
        misfits = [(shape, fit(shape.parts, form.items)) for shape in shapes]
        shape, misfit = max(
            misfits, key=lambda pair: (_progress(pair[1]), _likeness(form, pair[0]))
        )
        assert isinstance(misfit, Misfit)
        patterns = list(dict.fromkeys(other.pattern for other, _ in misfits))
        self.report.add(
            Code.WRONG_SHAPE,
            misfit.item.span if misfit.item is not None else form.span,
            f"{shown(form, 30)} is not complete: {misfit.reason}"
            if misfit.item is None
            else f"in {shown(form, 30)}: {misfit.reason}",
            expected=" or ".join(patterns[:3]),
            help=_how_often(shape, misfit) or _example(shape),
        )

    def any_as_all(self, node: n.ForEach) -> None:
        """Warn of an `any` outside a choice."""
        self.report.add(
            Code.ANY_AS_ALL,
            node.span,
            "this is not in a choice, and outside a choice `any` does the same as `all`",
            help="write all, or put the step into a (choice (...))",
            edits=self._instead_of(node.span, "any", "all"),
        )

    def number_too_large(self, atom: Atom) -> None:
        """Report that a number does not fit."""
        self.report.add(
            Code.NUMBER_TOO_LARGE,
            atom.span,
            f"{shown(atom, 24)} does not fit in 64 bits",
            expected="a number up to 9223372036854775807",
        )

    def _instead_of(self, span: Span, head: str, meant: str) -> tuple[Edit, ...]:
        """Return the edit that replaces the first word of the form with this span."""
        found = re.compile(rf"\(\s*({head})\b").match(self.report.source.text, span.start)
        return rewritten(Span(*found.span(1)), meant) if found else ()

    def shape(
        self,
        span: Span,
        message: str,
        expected: str,
        help: str = "",  # noqa: A002
        edits: tuple[Edit, ...] = (),
    ) -> None:
        """Report that a part of the program's frame is malformed."""
        self.report.add(Code.WRONG_SHAPE, span, message, expected=expected, help=help, edits=edits)


def _example(shape: FormShape) -> str:
    return f"for example {shape.example}" if len(shape.example) <= _LONG else ""


def _how_often(shape: FormShape, misfit: Misfit) -> str:
    """Return what to do about a second action in a `repeat`."""
    if shape.head != "repeat" or misfit.item is None or "too many" not in misfit.reason:
        return ""
    return "one action can be repeated; for several write (all (range 1 .. N) 'I (do (STEP...)))"


def _conditional(form: Form) -> Form:
    """Return `(if CONDITION STEP)` without its first word."""
    return Form(form.items[1:], form.span)


def _progress(misfit: Slots | Misfit) -> int:
    """Return how many parts of a form fitted; one that merely ends too early gets a lot."""
    assert isinstance(misfit, Misfit)
    return misfit.item.span.start if misfit.item is not None else 2**62


def _likeness(form: Form, shape: FormShape) -> int:
    """Return how many parts of a form look like what a shape has in the same places."""
    pairs = zip(form.items[1:], shape.parts[1:], strict=False)
    return sum(isinstance(part, Operand) and may_be(item, part.kind) for item, part in pairs)


def _is_conditional(form: Form) -> bool:
    """Return whether a form looks like a condition and a step."""
    head = form.head
    if len(form.items) != 2 or not isinstance(head, Form):
        return False
    return any(shape.result & ValueKind.BOOLEAN for shape in BY_KEY.get(key_of(head), ()))
