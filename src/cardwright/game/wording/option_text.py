"""Texts that people write: cards, and the options that they mean.

A card is written as `QS`, `Q♠`, `♠q`, `10H`, `th` or `queen of spades`. An option is meant by its
words, by its number, or by what it names: cards, players and notes, in any order; then it is the
one that has all of them. That is how `State.parse` and the terminal understand answers.
"""

from __future__ import annotations

import re
import reprlib
from collections import Counter
from difflib import get_close_matches
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from cardwright.game.errors import IllegalOptionError, OptionTextError
from cardwright.game.wording.naming import DIGITS, NUMBERS
from cardwright.syntax.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.game.wording.describe import DescribedOption
    from cardwright.game.wording.naming import Namer
    from cardwright.program.cards import Card

_SUITS = {"CLUBS": "C♣", "DIAMONDS": "D♦", "SPADES": "S♠", "HEARTS": "H♥"}
_RANKS = {**DIGITS, **{letter: letter for letter in "JQKA"}}
_LONG = {"J": "JACK", "Q": "QUEEN", "K": "KING", "A": "ACE", "10": "T"}

_NUMBER = re.compile(r"\s*#?\s*([0-9]{1,9})\s*")
_ORDINAL = re.compile(r" \([0-9]+\)$")
_PLAYER = re.compile(r"p[1-9][0-9]{0,3}")

FEW = 6
"""Most options that are listed if they fit a text; more are only counted."""

_LISTED = 10
"""Most options that a message lists."""

# Cards ------------------------------------------------------------------------------------


def short_name(card: Card, namer: Namer | None, *, symbols: bool) -> str:
    """Return `Q♠` or `QS` for a card of the French suits, and the whole name of any other."""
    rank = _RANKS.get(card.attributes.get("RANK", ""))
    suit = _SUITS.get(card.attributes.get("SUIT", ""))
    if rank is None or suit is None:
        values = (DIGITS.get(value, value) for value in card.attributes.values())
        return namer.card(card) if namer else " ".join(values)
    return rank + suit[symbols]


def card_names(card: Card, namer: Namer) -> set[str]:
    """Return all names of a card, as `words_of` writes them."""
    names = {*namer.card_names(card), " ".join(card.attributes.values())}
    rank, suit = card.attributes.get("RANK", ""), card.attributes.get("SUIT", "")
    if rank in _RANKS and suit in _SUITS:
        short = _RANKS[rank]
        ranks = {rank, short, _LONG.get(short, short)}
        for word, letter in product(ranks, _SUITS[suit]):
            if len(word) <= len("10"):
                names |= {word + letter, letter + word}
        for word, whole in product(ranks, (suit, suit.removesuffix("S"))):
            names |= {f"{word} of {whole}", f"{word} {whole}"}
    # The table shows numbers as digits: `1 of SUN` for `ONE of SUN`.
    names |= {" ".join(NUMBERS.get(word, word) for word in name.split()) for name in names}
    return {" ".join(words_of(name)) for name in names}


def words_of(text: str) -> list[str]:
    """Return the words of a text in one case, without colons."""
    return text.casefold().replace(":", " ").split()


def pieces_of(text: str, known: Iterable[str]) -> list[str]:
    """Return the pieces of a text: the longest runs of words that are a known name.

    Words that belong to none are returned one by one, except `and`; no piece spans a comma.
    """
    names = set(known)
    longest = max((name.count(" ") + 1 for name in names), default=1)
    pieces = []
    for part in text.split(","):
        words = words_of(part)
        at = 0
        while at < len(words):
            sizes = range(min(longest, len(words) - at), 0, -1)
            size = next((n for n in sizes if " ".join(words[at : at + n]) in names), 1)
            piece = " ".join(words[at : at + size])
            if piece in names or piece != "and":
                pieces.append(piece)
            at += size
    return pieces


class _CardNames:
    """The names of the cards that can be `meant`, and of those that merely exist."""

    def __init__(self, namer: Namer, among: Iterable[Card], existing: Iterable[Card]) -> None:
        self.meant: dict[str, list[Card]] = {}
        for card in dict.fromkeys(among):
            for name in card_names(card, namer):
                self.meant.setdefault(name, []).append(card)
        self.names = set(self.meant).union(*(card_names(card, namer) for card in existing))

    def card(self, name: str, named: list[Card]) -> Card:
        """Return the card of a name that is not named yet; raises OptionTextError."""
        for card in self.meant.get(name, ()):
            if card not in named:
                return card
        shown = name.upper() if len(name) <= len("10h") else name
        if name in self.meant:
            raise OptionTextError(f"{shown} is named more often than there are cards of that name")
        if name in self.names:
            raise OptionTextError(f"{shown} is a card, but not one that can be chosen now")
        raise _unknown(name, "no card", self.names)


def _unknown(name: str, what: str, known: Iterable[str]) -> OptionTextError:
    advice = did_you_mean(name, known)
    message = f"{reprlib.repr(name)} is {what}{f'; {advice}' if advice else ''}"
    return OptionTextError(message, unknown=name)


def read_cards(
    text: str, namer: Namer, among: Iterable[Card], existing: Iterable[Card] = ()
) -> list[Card]:
    """Return the cards that a text names, of those that can be meant, in its order.

    Cards are separated by commas, spaces or `and`. Raises OptionTextError for anything that is not
    one of these cards; the message says so if the card merely exists.
    """
    names = _CardNames(namer, among, existing)
    cards: list[Card] = []
    for piece in pieces_of(text, names.names):
        cards.append(names.card(piece, cards))
    return cards


# Options ----------------------------------------------------------------------------------


def parse_option(
    text: str,
    words: Sequence[str],
    brief: Callable[[], Sequence[str]],
    options: Callable[[], OptionTexts],
) -> int:
    """Return the index of the option that a text means, by its descriptions; see `State.parse`."""
    if not words:
        raise IllegalOptionError("the game is over: there is nothing to choose")
    index = _described_as(text, words)
    if index is None:
        index = _described_as(text, brief())
    if index is not None:
        return index
    try:
        return options().index(text)
    except OptionTextError as error:
        raise OptionTextError(_listed(error, text, words), error.found, error.unknown) from None


def _listed(error: OptionTextError, text: str, words: Sequence[str]) -> str:
    likely: Sequence[int] = error.found or range(len(words))
    if not error.found and len(words) > _LISTED:
        plain = {_plain(description): index for index, description in enumerate(words)}
        near = get_close_matches(_plain(text), plain, n=_LISTED, cutoff=0.3)
        likely = [plain[description] for description in near]
    lines = [f"  {index}  {words[index]}" for index in likely[:_LISTED]]
    left = (len(error.found) or len(words)) - len(lines)
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
        self._terms: dict[int, set[str]] = {}
        for at, option in enumerate(options):
            names = [f"p{seat + 1}" for seat in option.players]
            names += [players[seat] for seat in option.players if players]
            terms = {" ".join(words_of(name)) for name in names} | _text_terms(option.words)
            self._terms[option.index] = terms.union(*map(_text_terms, also[at : at + 1]))
        offered = [card for option in options for card in option.cards]
        self._nameable = [*offered, *held], tuple(cards)

    @cached_property
    def _cards(self) -> _CardNames:
        return _CardNames(self._namer, *self._nameable)

    def index(self, text: str, *, numbered: bool = False) -> int:
        """Return the index of the option that a text means; raises OptionTextError.

        A number that could also be a card or a note is ambiguous, unless the options are `numbered`
        on the screen. `#` before it marks it as a number.
        """
        number = _NUMBER.fullmatch(text)
        if number is None or self._called(text) is not None:
            return self.named(text)
        index, last = int(number[1]), len(self._options) - 1
        if index > last:
            try:
                return self._meant(text)
            except OptionTextError as error:
                if not error.unknown:
                    raise
            raise OptionTextError(f"there is no option {index}: options are numbered 0 to {last}")
        if numbered:
            return index
        try:
            named: tuple[int, ...] = (self._meant(text),)
        except OptionTextError as error:
            named = error.found
        if named and named != (index,):
            raise OptionTextError(
                f"{index} is a name and the number of an option; for the option, write #{index}",
                tuple(dict.fromkeys((*named, index))),
            )
        return index

    def named(self, text: str) -> int:
        """Return the option that a text names, not by its number; raises OptionTextError."""
        whole = self._called(text)
        return self._meant(text) if whole is None else whole

    def _called(self, text: str) -> int | None:
        whole = _described_as(text, [option.words for option in self._options])
        return _described_as(text, self._also) if whole is None else whole

    def _meant(self, text: str) -> int:
        terms = set().union(*self._terms.values())
        pieces = pieces_of(text, self._cards.names | terms)
        if not pieces:
            raise OptionTextError("write the number of an option, or a card of it, or its words")
        players = {f"p{seat + 1}" for option in self._options for seat in option.players}
        for piece in pieces if players else ():
            if piece not in players and _PLAYER.fullmatch(piece):
                raise OptionTextError(f"no option names {piece}")
        cards, notes, either = self._sorted(pieces, terms)
        having = self._having(cards, notes) or (self._having([], either) if either else [])
        fitting = [option for option in having if len(option.cards) == len(cards)] or having
        if not fitting:
            raise OptionTextError(self._nothing_has(cards))
        if not _interchangeable(fitting):
            indices = tuple(option.index for option in fitting)
            raise OptionTextError(_several(fitting, len(cards)), indices)
        return fitting[0].index

    def _sorted(
        self, pieces: Sequence[str], terms: set[str]
    ) -> tuple[list[Card], list[str], list[str]]:
        """Return the cards and notes that are named; and all as notes, if that can be too."""
        names = self._cards.names
        cards: list[Card] = []
        notes = []
        for piece in pieces:
            if piece in terms and piece not in self._cards.meant:
                notes.append(piece)
            elif piece in names:
                cards.append(self._cards.card(piece, cards))
            else:
                raise _unknown(piece, "neither a card nor a word of an option", names | terms)
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


def _interchangeable(options: Sequence[DescribedOption]) -> bool:
    """Return whether any of some options will do, as only cards that look alike differ."""
    words = {_ORDINAL.sub("", option.words) for option in options}
    return len(options) == 1 or (len(words) == 1 and bool(options[0].cards))


def _several(fitting: Sequence[DescribedOption], named: int) -> str:
    sizes = {len(option.cards) for option in fitting}
    if len(fitting) <= FEW:
        return "several options fit; write the number of one"
    if len(sizes) == 1 and (size := max(sizes)) > named:
        return f"name {size} card{'s' if size != 1 else ''}: you have named {named}"
    return f"{len(fitting)} options fit: name more of one, or give its number"


def _described_as(text: str, descriptions: Sequence[str]) -> int | None:
    """Return the index of the description equal to a text; None if there is none, or several."""
    for same in (str.strip, _plain):
        fitting = [at for at, words in enumerate(descriptions) if same(words) == same(text)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def _plain(text: str) -> str:
    return " ".join(words_of(text.replace(",", " ")))


def _text_terms(text: str) -> set[str]:
    """Return the terms of a text: its phrases, their notes, and its first word."""
    terms: set[str] = set()
    for phrase in text.split(","):
        _, colon, value = phrase.partition(":")
        terms |= {" ".join(words_of(part)) for part in (phrase, value if colon else "")}
    return {*terms, *words_of(text)[:1]} - {""}
