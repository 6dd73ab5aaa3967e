"""What an author may have meant: by a value of the wrong kind, or by a word of another language."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.fitting import STORED, second_word
from cardwright.program.kinds import ValueKind, in_words
from cardwright.program.shapes import shown
from cardwright.syntax.diagnostic import Edit, rewritten
from cardwright.syntax.edit import difference
from cardwright.syntax.source import Span
from cardwright.syntax.tree import Atom, AtomKind, Form, Syntax

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.syntax.source import Source


class Advice(NamedTuple):
    """What to do, and the edits that do it, if there are any; they may be a guess."""

    text: str
    edits: tuple[Edit, ...] = ()
    guess: bool = False


NO_ADVICE = Advice("")

_PLACES = ValueKind.LOCATION | ValueKind.LOCATIONS
_INTEGERS = ValueKind.INTEGER | ValueKind.INTEGER_STORAGE
_STRINGS = ValueKind.STRING | ValueKind.STRING_STORAGE

_ADVICE = tuple(
    (ValueKind[wanted], ValueKind[given], words, meant)
    for wanted, given, words, meant in (
        ("CARD", "LOCATION", "name one card of the location: ", "(top {0})"),
        ("CARD", "LOCATIONS", "name a location, then a card: ", "(top (top {0}))"),
        ("LOCATION", "CARD",
         "a card is not a location; write the location itself, without top", ""),
        ("LOCATION", "LOCATIONS",
         "take one of the locations, (top {0}), or join them with ", "(union {0})"),
        ("INTEGER", "TEAM", "the number of a team is ", "(tid {0})"),
        ("INTEGER", "COLLECTION", "count the items with ", "(size {0})"),
        ("STRING", "CARD", "read an attribute of the card: ", "(cardatt SUIT {0})"),
        ("INTEGER", "CARD", "score the card: (score {0} using (game points ...))", ""),
        ("INTEGER", "PLAYER", "the number of a player is ", "(pid {0})"),
        ("INTEGER", "BOOLEAN",
         "a condition counts as 1 or 0 if it is asked once: ",
         "(size (filter (range 1 .. 1) 'ONCE {0}))"),
        ("PLAYER", "INTEGER", "a player is written ", "({0} player)"),
        ("PLAYER", "CARD", "the holder of a card is ", "(owner {0})"),
        ("PLAYER", "PLAYERS",
         "one player is (current player); each in turn is a variable: (all player 'P ('P ...))",
         ""),
        ("PLAYER", "TEAM", "the members of a team are a collection: (all {0} 'P ...)", ""),
        ("PLAYERS", "PLAYER", "one player is not a collection; all players are written player", ""),
        ("TEAM", "PLAYER", "the team of a player is ", "(team {0})"),
        ("BOOLEAN", "INTEGER", "compare it with something: (== {0} ...)", ""),
        ("BOOLEAN", "STRING", "compare it with something: (== {0} ...)", ""),
        ("LOCATIONS", "LOCATION", "a set is made by all, partition, subsets or runs", ""),
        ("INTEGER_STORAGE", "OWNER", "a stored integer has a name: ({0} sto NAME)", ""),
        ("STRING", "INTEGER", "numbers are not names; ranks are spelt out: TWO, TEN", ""),
        ("POINTS", "INTEGER", "a point map is written (game points NAME)", ""),
    )
)  # fmt: skip
"""What to do with a value of the second kind where one of the first is needed, and what to write in
its place if that is sure."""

ANSWERS = {"TRUE": "1", "YES": "1", "FALSE": "0", "NO": "0"}
"""Names with which an author may mean a truth that is stored as an integer."""

_ADVICE_ON_NAMES = (
    (_PLACES, "a location has an owner and a kind: (game vloc {0})"),
    (ValueKind.OWNER, "a variable has an apostrophe: '{0}"),
    (ValueKind.POINTS, "a point map has an owner: (game points {0})"),
    (_INTEGERS, "a stored integer has an owner: (game sto {0})"),
    (ValueKind.CARD, "a card is named by its place: (top (game vloc {0}))"),
    (ValueKind.BOOLEAN, "compare it with something: (== {0} ...)"),
)
"""What to do with a bare name where something else is needed."""

_NAMED = re.compile(
    r"(?:\((game|'[A-Z]\w*|\((?:[^()]|\([^()]*\))*\))\s+)?"
    r"\b(sto|str|points|vloc|iloc|hloc|oloc|mem)\s+([A-Z]\w*)(\))?"
)
"""A storage or location with its name, with its owner if that is short, and its closing bracket."""

_WORD_OF = (
    (_INTEGERS, "sto"),
    (_STRINGS, "str"),
    (ValueKind.POINTS, "points"),
    (ValueKind.LOCATION, "vloc"),
)
"""The word of the storage or location that holds values of a kind."""

KEPT_KINDS = {
    "sto": _INTEGERS,
    "str": _STRINGS,
    "points": ValueKind.POINTS,
    **dict.fromkeys(("vloc", "iloc", "hloc", "oloc", "mem"), _PLACES | ValueKind.COLLECTION),
}
"""What each word between an owner and a name gives."""


class NamedPlace(NamedTuple):
    """A place of a text that names a storage or location: its word, and the form if it is short."""

    word: str
    start: int
    text: str


@lru_cache(maxsize=2)
def _named(text: str) -> Mapping[str, Sequence[NamedPlace]]:
    """Return where each name of a storage or location stands in a text, outside of comments."""
    text = re.sub(r";;.*", lambda comment: " " * len(comment[0]), text)
    places: dict[str, list[NamedPlace]] = defaultdict(list)
    for match in _NAMED.finditer(text):
        owner, word, name, closed = match.groups()
        whole = f"({owner} {word} {name})" if owner and closed else ""
        places[name].append(NamedPlace(word, match.start(2), whole))
    return places


def named_elsewhere(source: Source, name: str, besides: Span | None = None) -> list[NamedPlace]:
    """Return where a name stands as that of a storage or location, outside of a span."""
    places = _named(source.text).get(name, ())
    inside = besides or Span(0, 0)
    return [place for place in places if not inside.start <= place.start < inside.end]


def word_elsewhere(places: Sequence[NamedPlace], expected: ValueKind) -> str | None:
    """Return the word that a name mostly has where it is of an expected kind."""
    words = Counter(place.word for place in places if KEPT_KINDS[place.word] & expected)
    return words.most_common(1)[0][0] if words else None


def _text_elsewhere(places: Sequence[NamedPlace], expected: ValueKind) -> str | None:
    """Return the only form in which a name is of an expected kind elsewhere."""
    texts = {place.text for place in places if KEPT_KINDS[place.word] & expected}
    return texts.pop() or None if len(texts) == 1 else None


def advice_on_value(source: Source, item: Syntax, kind: ValueKind, expected: ValueKind) -> Advice:
    """Return what may have been meant by a value of a kind that is not allowed here."""
    if kind & expected:
        return NO_ADVICE
    text = shown(item, 60)
    if text in ANSWERS and expected & ValueKind.INTEGER:
        meant = ANSWERS[text]
        advice = f"yes and no are kept as 1 and 0: write {meant}"
        return Advice(advice, rewritten(item.span, meant))
    if expected & ValueKind.VALUE == ValueKind.VALUE:
        return Advice(f"such a value cannot be bound; write {text} where it is needed")
    if isinstance(item, Atom) and expected & ValueKind.INTEGER_STORAGE and text.startswith("'"):
        stored = advice_on_variable(source, text, expected).rpartition(": ")[2]
        return Advice(f"{text} has a value for good; what changes is stored: {stored}")
    if isinstance(item, Atom) and kind is ValueKind.STRING and not text.startswith("'"):
        return advice_on_name(source, item, expected)
    if isinstance(item, Form) and second_word(item) in STORED:
        other = _other_word(source, item, kind, expected)
        if other is not None:
            return other
    for wanted, given, words, meant in _ADVICE:
        if kind & given and expected & wanted:
            if not meant and isinstance(item, Form) and wanted is ValueKind.LOCATION:
                return Advice(words, _unwrapped(source, item))
            sure = expected & ValueKind.COMPARABLE != ValueKind.COMPARABLE
            edits = around(item.span, meant) if sure else ()
            return Advice((words + meant).format(text), edits, "SUIT" in meant)
    return NO_ADVICE


def _other_word(source: Source, item: Form, kind: ValueKind, expected: ValueKind) -> Advice | None:
    """Return what to do about a storage that keeps something of another kind.

    A name keeps the word that it has elsewhere, whatever is needed here.
    """
    word = next((word for kind, word in _WORD_OF if kind & expected), "")
    if word == "vloc" and kind is ValueKind.INTEGER:
        return Advice("a stored integer is a number already, and has no items")
    if not word or kind & ValueKind.LOCATION or len(item.items) < 3:
        return None
    name = item.items[2]
    places = named_elsewhere(source, shown(name), item.span)
    known = word_elsewhere(places, expected)
    if known is None and any(place.word == second_word(item) for place in places):
        kept = f"{shown(name)} is {in_words(kind)} elsewhere too"
        if kind is ValueKind.STRING and expected & _PLACES:
            return Advice(
                f"{kept}, and has no cards; where a string is needed, write {shown(item, 60)} alone"
            )
        return Advice(f"{kept}; what is {in_words(expected)} needs a name of its own")
    word = known or word
    meant = item.replaced(1, 2, Atom(AtomKind.WORD, word, item.span))
    advice = f"{in_words(expected)} has the word {word}: {shown(meant, 60)}"
    return Advice(advice, difference(source, item, meant), guess=known is None)


def _unwrapped(source: Source, card: Form) -> tuple[Edit, ...]:
    ends = card.starts_with("top") or card.starts_with("bottom")
    return difference(source, card, card.items[1]) if ends and len(card.items) == 2 else ()


def around(span: Span, template: str) -> tuple[Edit, ...]:
    """Return the edits that write a template around a span, which stands for its `{0}`."""
    if not template:
        return ()
    before, _, after = template.partition("{0}")
    start, end = Span(span.start, span.start), Span(span.end, span.end)
    return (Edit(start, before), Edit(end, after))


def advice_on_name(source: Source, name: Atom, expected: ValueKind) -> Advice:
    """Return how a bare name could be written as something of an expected kind.

    A storage or location of that name is meant, if there is one.
    """
    advice = next((text for kind, text in _ADVICE_ON_NAMES if kind & expected), "")
    words, _, meant = advice.rpartition(": ")
    places = named_elsewhere(source, name.text)
    known = _text_elsewhere(places, expected & ~ValueKind.STRING)
    if known is None and expected & ValueKind.CARD:
        pile = _text_elsewhere(places, ValueKind.LOCATION)
        known = pile and f"(top {pile})"
    if known is not None:
        return Advice(f"{words}: {known}", rewritten(name.span, known))
    others = sorted({place.text for place in places if place.text})
    if others and not expected & ValueKind.OWNER and not word_elsewhere(places, expected):
        return Advice(f"{name.text} is the name of {' and '.join(others[:2])}")
    edits = () if "..." in meant else around(name.span, meant)
    return Advice(advice.format(name.text), edits, guess=True)


def advice_on_variable(source: Source, name: str, expected: ValueKind) -> str:
    """Return what may have been meant by a variable that nothing binds."""
    if expected & ValueKind.STRING:
        return f"a name has no apostrophe: {name[1:]}"
    if expected & ValueKind.INTEGER_STORAGE:
        stored = ValueKind.INTEGER_STORAGE | ValueKind.STRING_STORAGE
        known = _text_elsewhere(named_elsewhere(source, name[1:]), stored)
        return f"what is set is stored: {known or f'(game sto {name[1:]})'}"
    return ""


# Words of other languages and of card players --------------------------------------------------

RENAMED = {
    **dict.fromkeys(("eq", "equal", "equals"), "=="),
    **dict.fromkeys(("count", "length", "len"), "size"),
    "add": "+",
    "sub": "-",
    "foreach": "all",
}
"""Words that another language has for a word of RECYCLE, with operands in the same order."""

_HOW_TO_SAY = (
    ("if when cond unless then case",
     "a conditional step is a condition and a step in one bracket: ((== ...) (do (...)))"),
    ("else", "it belongs to a condition and its step: (CONDITION STEP else STEP)"),
    ("for foreach each", "a step for each item is written (all COLLECTION 'V STEP)"),
    ("loop",
     "an action is repeated with (repeat N ACTION), turns with (stage player (end ...) ...)"),
    ("while", "turns are repeated with (stage player (end CONDITION) ...)"),
    ("until end", "a stage has its own end: (stage player (end CONDITION) ...)"),
    ("begin progn", "steps in order are (do (STEP ...))"),
    ("defun lambda",
     "what is used several times is named with (define (NAME 'A) ...) before the set-up"),
    ("setq", "a value is stored with (set (game sto NAME) VALUE)"),
    ("print", "a game prints nothing; put explanations into comments: ;; ..."),
    ("eq equal equals", "equality is written (== ... ...)"),
    ("count length len", "the number of items is (size COLLECTION)"),
    ("add", "sums are written (+ ... ...)"),
    ("sub", "differences are written (- ... ...)"),
    ("list", "a list of names is written (A, B, C)"),
    ("deal", "cards are dealt with (repeat N (move (top (game iloc STOCK)) (top ('P iloc HAND))))"),
    ("draw discard put take play", "a card goes from place to place with (move CARD CARD)"),
    ("pass", "doing nothing is written (turn pass)"),
    ("rank", "an attribute of a card is read with (cardatt RANK CARD)"),
    ("suit", "an attribute of a card is read with (cardatt SUIT CARD)"),
    ("winner", "the best score wins: (scoring max ((current player) sto SCORE))"),
    ("first last", "the cards at the ends of a location are (top LOCATION) and (bottom LOCATION)"),
)  # fmt: skip

FOREIGN = {word: text for words, text in _HOW_TO_SAY for word in words.split()}
"""How RECYCLE says what a word of another language, or of card players, means."""
