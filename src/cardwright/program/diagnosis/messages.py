"""The texts of the checker's messages about forms, and about files in an older language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.program.diagnosis.mistakes import patterns
from cardwright.program.diagnosis.suggestions import (
    ANSWERS,
    FOREIGN,
    NO_ADVICE,
    RENAMED,
    Advice,
    advice_on_name,
    advice_on_value,
    around,
    named_elsewhere,
    word_elsewhere,
)
from cardwright.program.fitting import BARE, is_pair, key_of, may_be, second_word
from cardwright.program.forms import BY_KEY, SECTIONS, UNSUPPORTED, fits_any
from cardwright.program.kinds import ValueKind, in_words
from cardwright.program.shapes import Misfit, Operand, fit, shown
from cardwright.syntax.diagnostic import Code, Diagnostics, Edit, Related, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.source import Span
from cardwright.syntax.suggest import near
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax, is_atom, is_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.program import nodes as n
    from cardwright.program.diagnosis.mistakes import CommonMistake
    from cardwright.program.forms import FormShape
    from cardwright.program.macro_expansion import MacroExpansion
    from cardwright.program.shapes import Slots
    from cardwright.syntax.source import Source

_SECTION_HEADS = frozenset(section.head for section in SECTIONS)

_LONG = 90
"""Longest example that helps, in characters; a longer one obscures the error."""


@dataclass(frozen=True)
class ErrorReporter:
    """Reports errors of form and kind in full sentences."""

    report: Diagnostics
    unfolding: MacroExpansion

    @property
    def _source(self) -> Source:
        return self.report.source

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
        self.report.add(
            mistake.code,
            mistake.span,
            mistake.message,
            expected=mistake.expected,
            help=mistake.help,
            edits=difference(self._source, self._written(written), mistake.meant),
            guess=mistake.help.startswith("for example"),
        )

    def _wrong_kind(
        self,
        place: Syntax,
        message: str,
        expected: ValueKind,
        advice: Advice = NO_ADVICE,
        *,
        related: tuple[Related, ...] = (),
        code: Code = Code.WRONG_KIND,
    ) -> None:
        self.report.add(
            code,
            place.span,
            message,
            expected=in_words(expected),
            help=advice.text,
            related=related,
            edits=advice.edits,
            guess=advice.guess,
        )

    def wrong_kind(self, item: Syntax, given: ValueKind, expected: ValueKind) -> None:
        """Report a value of a kind that is not allowed here."""
        if given & ValueKind.CONTROL or (
            expected & ValueKind.CONTROL and not expected & ValueKind.COLLECTION
        ):
            self._misplaced(item, given, expected)
            return
        related, item = self._stands(item), self._written(item)
        advice = advice_on_value(self._source, item, given, expected)
        self._wrong_kind(
            item, f"{shown(item)} is {in_words(given)}", expected, advice, related=related
        )

    def no_apostrophe(self, name: Atom, given: ValueKind, expected: ValueKind) -> None:
        """Report a name in the place of the variable that is called like it."""
        meant = f"'{name.text}"
        message = f"{name.text} is {in_words(given)}, not the variable {meant}"
        advice = Advice(f"a variable has an apostrophe: {meant}", rewritten(name.span, meant))
        self._wrong_kind(name, message, expected, advice)

    def no_bracket(self, name: Atom, expected: ValueKind) -> None:
        """Report the name of a definition that is used without its bracket."""
        meant = f"({name.text})"
        message = f"{name.text} alone is a string, not what is defined under this name"
        advice = Advice(f"a definition is used in brackets: {meant}", rewritten(name.span, meant))
        self._wrong_kind(name, message, expected, advice)

    def comparison(self, form: Form, left: ValueKind, right: ValueKind) -> bool:
        """Report a comparison of two kinds of value; return whether that is what is wrong."""
        if not left.known or not left & ValueKind.COMPARABLE:
            return not right & ValueKind.COMPARABLE  # the first operand was reported
        if not right & ValueKind.COMPARABLE:
            return False
        form = self.unfolding.as_written(form)
        _, first, second = form.items
        advice = advice_on_value(self._source, first, left, right)
        if not advice.text or shown(second) in ANSWERS:
            advice = advice_on_value(self._source, second, right, left)
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

    def stored(self, form: Form, kept: ValueKind, given: ValueKind) -> bool:
        """Report a value that the other kind of storage keeps; return whether that is wrong."""
        if kept is ValueKind.INTEGER and given is ValueKind.BOOLEAN:
            self._stored_condition(self.unfolding.as_written(form))
            return True
        words = {ValueKind.INTEGER: "sto", ValueKind.STRING: "str"}
        if kept not in words or given not in words or kept is given:
            return False
        form = self.unfolding.as_written(form)
        storage, value = form.items[1:3]
        if not isinstance(storage, Form) or len(storage.items) < 3 or shown(value) in ANSWERS:
            return False
        if isinstance(value, Form) and second_word(value) not in words.values():
            return False
        word = Atom(AtomKind.WORD, words[given], storage.items[1].span)
        meant = storage.replaced(1, 2, word)
        name = shown(storage.items[2])
        places = named_elsewhere(self._source, name, storage.span)
        if word_elsewhere(places, kept) and not word_elsewhere(places, given):
            text = f"{name} keeps {in_words(kept)} elsewhere too; store this under another name"
            advice = Advice(text, guess=True)
        else:
            text = f"{in_words(given)} is kept under {words[given]}: {shown(meant)}"
            advice = Advice(text, difference(self._source, storage, meant), guess=True)
        keeps = f"{shown(storage)} keeps {in_words(kept)}"
        self._wrong_kind(value, f"{shown(value)} is {in_words(given)}, and {keeps}", kept, advice)
        return True

    def _stored_condition(self, form: Form) -> None:
        _, storage, condition = (self._source.at(item.span) for item in form.items)
        kept, test = shown(form.items[1]), shown(form.items[2])
        meant = f"({condition} (set {storage} 1) else (set {storage} 0))"
        edits = () if ";" in self._source.at(form.span) else rewritten(form.span, meant)
        text = f"store 1 or 0: ({test} (set {kept} 1) else (set {kept} 0))"
        message = f"{test} is a condition, and {kept} keeps an integer"
        self._wrong_kind(form.items[2], message, ValueKind.INTEGER, Advice(text, edits))

    def order(self, form: Form, given: ValueKind) -> bool:
        """Report an order between strings; return whether that is what is wrong."""
        if given is ValueKind.STRING:
            self.report.add(
                Code.WRONG_KIND,
                form.span,
                f"strings have no order, so {shown(form.items[0])} cannot compare them",
                expected="two integers",
                help="compare scores: (score CARD using (game points ...))",
            )
        return given is ValueKind.STRING

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
        message = f"there is no form {shown(form)}"
        self._wrong_kind(form, message, expected, Advice(advice), code=Code.UNKNOWN_FORM)

    def _misplaced(self, item: Syntax, given: ValueKind, expected: ValueKind) -> None:
        related, item = self._stands(item), self._written(item)
        text = ""
        edits: tuple[Edit, ...] = ()
        if given & (ValueKind.ACTION | ValueKind.CONDITIONAL) and expected & ValueKind.ITEM:
            text = f"put steps into a block: (do ({shown(item)}))"
            edits = around(item.span, "(do ({0}))")
        elif given & ValueKind.ITEM:
            text = "stages and choices belong in the game or in a stage, not inside other blocks"
        elif expected & ValueKind.ACTION and given & ValueKind.BODY:
            text = "only an action can be repeated; for more use (all (range 1 .. 3) 'I (do ...))"
        elif given & ValueKind.BOOLEAN and expected & (ValueKind.CONDITIONAL | ValueKind.ITEM):
            part = "step" if expected & ValueKind.CONDITIONAL else "item"
            text = f"a condition and its {part} belong in one bracket: ({shown(item)} (do (...)))"
        elif expected & ValueKind.ACTION and given & (
            ValueKind.INTEGER | ValueKind.STRING | ValueKind.COLLECTION
        ):
            text = "this is only a value; a step does something with it, such as (set ...)"
        advice = Advice(text, edits)
        message = f"{shown(item)} cannot stand here: it is {in_words(given)}"
        self._wrong_kind(item, message, expected, advice, related=related, code=Code.MISPLACED)

    def stray(self, atom: Atom, expected: ValueKind) -> None:
        """Report a word or mark in place of a value."""
        if atom.text in UNSUPPORTED:
            self._unsupported(atom)
            return
        advice = NO_ADVICE
        if atom.kind is AtomKind.WORD:
            meant = near(atom.text, [word for word, kind in BARE.items() if kind & expected])
            if meant:
                advice = Advice(f"did you mean {meant}?", rewritten(atom.span, meant))
            elif expected is ValueKind.STRING or (
                expected & ValueKind.STRING and atom.text not in BY_KEY
            ):
                meant = atom.text.upper()
                text = f"names are written in capitals: {meant}"
                advice = Advice(text, rewritten(atom.span, meant))
            elif atom.text in BY_KEY:
                advice = Advice(f"`{atom.text}` opens a form: {BY_KEY[atom.text][0].pattern}")
        self._wrong_kind(atom, f"`{atom.text}` is not a value", expected, advice)

    def names(self, form: Form, expected: ValueKind) -> None:
        """Report a list of names in place of something else."""
        name, *others = form.items
        assert isinstance(name, Atom)
        advice = NO_ADVICE if others else advice_on_name(self._source, name, expected)
        meant = name.text.join(edit.text for edit in advice.edits) or None
        text = advice.text
        if not others and expected & (ValueKind.BOOLEAN | ValueKind.CONTROL):
            text = f"nothing is defined under this name: (define {name.text} ...)"
        elif others and not is_word(others[0], ","):
            text = f"nothing is defined under this name: (define ({name.text} 'A) ...)"
        advice = Advice(text, rewritten(form.span, meant), guess=True)
        self._wrong_kind(form, f"{shown(form)} is a list of names", expected, advice)

    def unknown(self, form: Form) -> None:
        """Report that there is no form with this word."""
        form = self.unfolding.as_written(form)
        head = form.head
        if head is None:
            message = "these brackets are empty"
            self.report.add(Code.UNKNOWN_FORM, form.span, message, expected="a form")
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
            frame = text in {"setup", "scoring", "declare", "define", "game"}
            self.report.add(
                Code.MISPLACED,
                form.span,
                f"({text} ...) cannot stand here",
                help="it is part of the program's frame: setup first, then items, then scoring"
                if frame
                else "players, teams and decks are made in the set-up only",
            )
        else:
            self._foreign(form, head, text)

    def _foreign(self, form: Form, head: Syntax, text: str) -> None:
        advice, edits = FOREIGN.get(text, ""), rewritten(head.span, RENAMED.get(text))
        if text in {"if", "when"} and len(form.items) == 3:
            conditional = form.replaced(0, 1)
            advice = f"a condition and its step need no word: {shown(conditional, 60)}"
            edits = difference(self._source, form, conditional)
        message = f"there is no form `{text}`"
        self.report.add(Code.UNKNOWN_FORM, head.span, message, help=advice, edits=edits)

    def unsupported(self, form: Form) -> bool:
        """Report a word of the newest grammar in a form; return whether there is one."""
        atoms = (item for item in form.items if isinstance(item, Atom))
        newest = next((atom for atom in atoms if atom.text in UNSUPPORTED), None)
        if newest is not None:
            self._unsupported(newest)
        return newest is not None

    def _unsupported(self, atom: Atom) -> None:
        message = f"`{atom.text}` is not supported"
        self.report.add(Code.UNSUPPORTED, atom.span, message, help=UNSUPPORTED[atom.text])

    def headless(self, form: Form, shapes: Sequence[FormShape]) -> None:
        """Report that a form's first word is missing; the shapes are what it may be."""
        form = self.unfolding.as_written(form)
        words = list(dict.fromkeys(f"`{shape.head}`" for shape in shapes))[:4]
        completed = form.replaced(0, 0, Atom(AtomKind.WORD, shapes[0].head, form.span))
        self.report.add(
            Code.WRONG_SHAPE,
            form.span,
            f"a word is missing at the start of {shown(form, 30)}",
            expected=patterns(shapes),
            help=f"did you mean {' or '.join(words)}?",
            edits=difference(self._source, form, completed) if len(words) == 1 else (),
        )

    def misfit(self, form: Form, shapes: Sequence[FormShape]) -> None:
        """Report how a form differs from its proper shape, with that shape and an example."""
        if any(is_atom(item, AtomKind.BAD) for item in form.items):
            return  # reported already, and surely the cause
        seen = self.unfolding.as_written(form)
        form = form if fits_any(seen, shapes) else seen
        misfits = [(shape, fit(shape.parts, form.items)) for shape in shapes]
        shape, misfit = max(
            misfits, key=lambda pair: (_progress(pair[1]), _likeness(form, pair[0]))
        )
        assert isinstance(misfit, Misfit)
        place, text = misfit.item, shown(form, 30)
        advice = f"for example {shape.example}" if len(shape.example) <= _LONG else ""
        if shape.head == "repeat" and place is not None and "too many" in misfit.reason:
            advice = _ONE_ACTION
        self.report.add(
            Code.WRONG_SHAPE,
            (form if place is None else place).span,
            f"{text} is not complete: {misfit.reason}"
            if place is None
            else f"in {text}: {misfit.reason}",
            expected=patterns(shapes),
            help=advice,
        )

    def any_as_all(self, node: n.ForEach) -> None:
        """Warn of an `any` outside a choice."""
        head = re.compile(r"\(\s*(any)\b").match(self._source.text, node.span.start)
        self.report.add(
            Code.ANY_AS_ALL,
            node.span,
            "this is not in a choice, and outside a choice `any` does the same as `all`",
            help="write all, or put the step into a (choice (...))",
            edits=rewritten(Span(*head.span(1)), "all") if head else (),
        )

    def number_too_large(self, atom: Atom) -> None:
        """Report that a number does not fit."""
        message = f"{shown(atom, 24)} does not fit in 64 bits"
        expected = "a number up to 9223372036854775807"
        self.report.add(Code.NUMBER_TOO_LARGE, atom.span, message, expected=expected)

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


_ONE_ACTION = "one action can be repeated; for several write (all (range 1 .. N) 'I (do (STEP...)))"


def _progress(misfit: Slots | Misfit) -> int:
    """Return how many parts of a form fitted; one that merely ends too early gets a lot."""
    assert isinstance(misfit, Misfit)
    return misfit.item.span.start if misfit.item is not None else 2**62


def _likeness(form: Form, shape: FormShape) -> int:
    pairs = zip(form.items[1:], shape.parts[1:], strict=False)
    return sum(isinstance(part, Operand) and may_be(item, part.kind) for item, part in pairs)


def _is_conditional(form: Form) -> bool:
    head = form.head
    if len(form.items) != 2 or not isinstance(head, Form):
        return False
    return any(shape.result & ValueKind.BOOLEAN for shape in BY_KEY.get(key_of(head), ()))


# Files in RECYCLE of 2015 and 2016 -------------------------------------------------------------

_SURE = (
    ("comp", re.compile(r"\(\s*(comp)\s*\(")),
    ("permdeck", re.compile(r"\(\s*(permdeck)\b")),
    ("initialize points", re.compile(r"\(\s*(initialize\s+points)\b")),
)
"""Words that no newer RECYCLE has, and no author of today would write."""

_LIKELY = (
    ("loc", re.compile(r"(?:\bgame|\)|'[A-Z]\w*)\s+(loc)\s+[A-Z(']")),
    ("where", re.compile(r"\(\s*(where)\s")),
)
"""Words that an author of today may write by mistake; two of them are no mistake."""


def report_older(report: Diagnostics) -> bool:
    """Say that a file is in an older RECYCLE than is read, if it is; return whether it is.

    Whatever else was said of it is dropped.
    """
    text = re.sub(r";;.*", lambda comment: " " * len(comment[0]), report.source.text)
    sure = [(word, match) for word, mark in _SURE if (match := mark.search(text))]
    likely = [(word, match) for word, mark in _LIKELY if (match := mark.search(text))]
    if not sure and len(likely) < len(_LIKELY):
        return False
    marks = sure + likely
    first = min((match for _, match in marks), key=lambda match: match.start(1))
    words = ", ".join(f"`{word}`" for word, _ in marks)
    report.clear()
    report.add(
        Code.OLDER_LANGUAGE,
        Span(*first.span(1)),
        f"this file is in RECYCLE of 2015 or 2016 ({words}), which is older than what is read",
        expected="RECYCLE as it is since grammar 0.4",
        help="it has to be rewritten: a location is vloc, iloc, hloc or mem, a step under a "
        "condition is (CONDITION STEP), and points are (set (game points NAME) (AWARD...))",
    )
    return True
