"""Options from text: which one a person means by its words, its number, or what it names.

That is how `State.parse` and the terminal understand answers. A text names cards, players and notes
of an option, in any order; it means the option that has all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from difflib import get_close_matches
from typing import TYPE_CHECKING

from cardwright.game.card_text import CardNames, pieces_of, unknown_name, words_of
from cardwright.game.errors import IllegalOptionError, OptionTextError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.game.described_option import DescribedOption
    from cardwright.game.game import State
    from cardwright.game.naming import Namer
    from cardwright.game.option import Option
    from cardwright.program.cards import Card

_NUMBER = re.compile(r"\s*#?\s*([0-9]{1,9})\s*")
FEW = 6
"""Most options that are listed if they fit a text; more are only counted."""

_LISTED = 10
"""Most options that a message lists."""

_ORDINAL = re.compile(r" \([0-9]+\)$")
_PLAYER = re.compile(r"p[1-9][0-9]{0,3}")


def parse_option(text: str, state: State) -> Option:
    """Return the option that a text means; see `State.parse`."""
    options = state.options()
    if not options:
        raise IllegalOptionError("the game is over: there is nothing to choose")
    for brief in (False, True):
        index = _called(text, [option.description for option in state.options(brief=brief)])
        if index is not None:
            return options[index]
    texts = OptionTexts(state.described(), state.game.namer, state.game.cards)
    try:
        return options[texts.index(text)]
    except OptionTextError as error:
        raise OptionTextError(_listed(error, text, options), error.found, error.unknown) from None


def _listed(error: OptionTextError, text: str, options: Sequence[Option]) -> str:
    """Return an error's message with the options that it could mean, or the nearest."""
    likely = [options[index] for index in error.found]
    if not likely:
        words = {_plain(option.description): option for option in options}
        near = get_close_matches(_plain(text), words, n=_LISTED, cutoff=0.3)
        likely = list(options) if len(options) <= _LISTED else [words[one] for one in near]
    lines = [f"  {option.index}  {option}" for option in likely[:_LISTED]]
    left = (len(error.found) or len(options)) - len(lines)
    if left:
        lines.append(f"  and {left} more" if lines else f"  there are {left} options")
    return "\n".join([f"{error}:", *lines])


class OptionTexts:
    """The options of one decision, and their names.

    `cards` are all of the game, and `held` those that may be named although no option has them;
    `reason` returns why such a card cannot be chosen. `also` are other words that the options are
    understood by, and `players` the names of the players by seat.
    """

    def __init__(
        self,
        options: Sequence[DescribedOption],
        namer: Namer,
        cards: Iterable[Card],
        held: Iterable[Card] = (),
        reason: Callable[[Card], str | None] = lambda _: None,
        *,
        also: Sequence[str] = (),
        players: Sequence[str] = (),
    ) -> None:
        self._options = options
        self._also = also
        self._namer = namer
        self._reason = reason
        self._terms = {option.index: _terms(option) for option in options}
        for index, text in enumerate(also):
            self._terms[options[index].index] |= _text_terms(text)
        for option in options:
            named = (players[seat] for seat in option.players if players)
            self._terms[option.index] |= {" ".join(words_of(name)) for name in named}
        offered = [card for option in options for card in option.cards]
        self._cards = CardNames(namer, [*offered, *held], cards)

    def index(self, text: str, *, numbered: bool = False) -> int:
        """Return the index of the option that a text means; raises OptionTextError.

        A number that could also be a card or a note is ambiguous, unless the options are `numbered`
        on the screen. `#` before it marks it as a number.
        """
        number = _NUMBER.fullmatch(text)
        if number is None or self._called(text) is not None:
            return self.named(text)
        index = int(number[1])
        there = index < len(self._options)
        if there and numbered:
            return index
        named = self._named_by(text, index)
        if not there:
            return named[0]
        if named and named != (index,):
            raise OptionTextError(
                f"{index} names something and is the number of an option; write #{index} for that",
                tuple(dict.fromkeys((*named, index))),
            )
        return index

    def named(self, text: str) -> int:
        """Return the option that a text names: its words, a card or a note, but not its number.

        Raises OptionTextError.
        """
        whole = self._called(text)
        return self._meant(text) if whole is None else whole

    def _called(self, text: str) -> int | None:
        for texts in ([option.words for option in self._options], self._also):
            whole = _called(text, texts)
            if whole is not None:
                return whole
        return None

    def _named_by(self, text: str, index: int) -> tuple[int, ...]:
        """Return the options that a number could mean as a name; none only if it is an index."""
        try:
            return (self._meant(text),)
        except OptionTextError as error:
            if index < len(self._options):
                return error.found
            if not error.unknown:
                raise
        last = len(self._options) - 1
        raise OptionTextError(f"there is no option {index}: they are numbered 0 to {last}")

    def _meant(self, text: str) -> int:
        terms = set().union(*self._terms.values())
        pieces = pieces_of(text, {*self._cards.names(), *terms})
        if not pieces:
            raise OptionTextError("write the number of an option, or a card of it, or its words")
        self._check_players(pieces)
        cards, notes, either = self._sorted(pieces, terms)
        having = self._having(cards, notes) or (self._having([], either) if either else [])
        exact = [option for option in having if len(option.cards) == len(cards)]
        found = exact or having
        if found and _alike(found):
            return found[0].index
        if found:
            raise OptionTextError(
                _several(found, len(cards)), tuple(option.index for option in found)
            )
        raise OptionTextError(self._nothing_has(cards))

    def _check_players(self, pieces: Sequence[str]) -> None:
        """Report a player that no option names, if options name players."""
        named = {f"p{seat + 1}" for option in self._options for seat in option.players}
        for piece in pieces:
            if named and piece not in named and _PLAYER.fullmatch(piece):
                raise OptionTextError(f"no option names {piece}")

    def _sorted(
        self, pieces: Sequence[str], terms: set[str]
    ) -> tuple[list[Card], list[str], list[str]]:
        """Return the cards and notes that are named; and all as notes, if that can be too."""
        names = self._cards.names()
        cards: list[Card] = []
        notes = []
        for piece in pieces:
            if piece in terms and piece not in self._cards:
                notes.append(piece)
            elif piece in names:
                cards.append(self._cards.card(piece, cards))
            else:
                what = "neither a card nor a word of an option"
                raise OptionTextError(unknown_name(piece, what, names | terms), unknown=piece)
        return cards, notes, list(pieces) if cards and terms.issuperset(pieces) else []

    def _having(self, cards: Sequence[Card], notes: Sequence[str]) -> list[DescribedOption]:
        wanted = Counter(map(self._namer.card, cards))
        return [
            option
            for option in self._options
            if wanted <= Counter(map(self._namer.card, option.cards))
            and self._terms[option.index].issuperset(notes)
        ]

    def _nothing_has(self, cards: Sequence[Card]) -> str:
        for card in cards:
            if reason := self._reason(card):
                return f"{self._namer.card(card)} cannot be chosen: {reason}"
        together = "with these cards together" if len(cards) > 1 else "that has all of this"
        return f"there is no option {together}"


def _alike(found: Sequence[DescribedOption]) -> bool:
    """Return whether any of some options will do, as they differ only by cards that look alike.

    Their words then differ by the number after them alone.
    """
    words = {_ORDINAL.sub("", option.words) for option in found}
    return len(found) == 1 or (len(words) == 1 and bool(found[0].cards))


def _several(found: Sequence[DescribedOption], named: int) -> str:
    """Return the error that a text fits several options, with how to distinguish them."""
    sizes = sorted({len(option.cards) for option in found})
    if len(found) <= FEW:
        return "several options have this; write the number of one"
    if sizes[0] == sizes[-1] > named:
        return f"name {sizes[0]} card{'s' if sizes[0] != 1 else ''}: you have named {named}"
    return f"{len(found)} options have this: name more of one, or its number"


def _called(text: str, descriptions: Sequence[str]) -> int | None:
    """Return the index of the description equal to a text; None if there is none, or several."""
    for same in (str.strip, _plain):
        found = [at for at, words in enumerate(descriptions) if same(words) == same(text)]
        if len(found) == 1:
            return found[0]
    return None


def _plain(text: str) -> str:
    return " ".join(words_of(text.replace(",", " ")))


def _terms(option: DescribedOption) -> set[str]:
    """Return what identifies an option besides cards: phrases, their notes, players."""
    return {*_text_terms(option.words), *(f"p{seat + 1}" for seat in option.players)}


def _text_terms(text: str) -> set[str]:
    """Return the terms of a text: its phrases, their notes, and its first word."""
    terms: set[str] = set()
    for phrase in text.split(","):
        _, colon, value = phrase.partition(":")
        terms |= {" ".join(words_of(part)) for part in (phrase, value if colon else "")}
    return {*terms, *words_of(text)[:1]} - {""}
