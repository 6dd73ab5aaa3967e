"""What is told of the cards of two games, and of how they lie at first."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.wording.naming import PeopleNamer, plain_word
from cardwright.game.wording.phrases import listed, plural, with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.game.wording.phrases import GameWords
    from cardwright.program.cards import Card, CardId
    from cardwright.program.program import Program

_MOST_CARDS = 6
"""Most cards that a sentence names one by one."""

_SUITS_AND_RANKS = frozenset({"SUIT", "RANK"})
_Key: TypeAlias = "tuple[tuple[str, str], ...]"


def pack_changes(
    before: Program, after: Program, renamed: Mapping[str, str], words: GameWords
) -> Iterator[str]:
    """Yield sentences for what differs; `renamed` are strings of the first by other names."""
    old, new = _Pack(before, renamed, words), _Pack(after, {}, words)
    common = old.attributes & new.attributes
    for key in sorted(old.attributes - common):
        yield f"Cards have no {plain_word(key)} any more."
    for key in sorted(new.attributes - common):
        yield f"Cards have {with_article(plain_word(key))} as well."
    if old.absent != new.absent:
        yield "The cards that are there only with other values of the constants are others."
    gone, come = old.cards(common), new.cards(common)
    if gone != come:
        yield _other_cards(old, new, gone - come, come - gone)
        return
    backs = [Counter(card.back for card in pack.program.cards) for pack in (old, new)]
    if backs[0] != backs[1]:
        yield "The backs of the cards are others."
    layouts = [
        [pack.keys(deck.cards, common) for deck in pack.program.decks] for pack in (old, new)
    ]
    if len(layouts[0]) != len(layouts[1]):
        yield f"The same cards are {len(layouts[1])} decks instead of {len(layouts[0])}."
    elif layouts[0] != layouts[1]:
        yield "The cards are the same, and lie in another order before they are shuffled."


def _other_cards(old: _Pack, new: _Pack, gone: Counter[_Key], come: Counter[_Key]) -> str:
    total, before = len(new.program.cards), len(old.program.cards)
    head = (
        f"still has {total} cards" if total == before else f"has {total} cards instead of {before}"
    )
    parts = [
        f"{names} {'is' if cards.total() == 1 else 'are'} {what}"
        for names, cards, what in (
            (old.named(gone), gone, "gone"),
            (new.named(come), come, "new"),
        )
        if names
    ]
    return f"The pack {head}: {listed(parts)}."


class _Pack:
    """The cards of one program, with names for people."""

    def __init__(self, program: Program, renamed: Mapping[str, str], words: GameWords) -> None:
        self.program = program
        self._renamed = renamed
        self._words = PeopleNamer(program, words).cards
        self.attributes = {
            renamed.get(key, key) for card in program.cards for key in card.attributes
        }
        self.absent = [
            sorted((renamed.get(key, key), renamed.get(one, one)) for key, one in card.items())
            for card in program.absent
        ]
        self._common = frozenset(self.attributes)

    def cards(self, common: Iterable[str]) -> Counter[_Key]:
        """Return how often each card occurs, as told by these attributes."""
        self._common = frozenset(common)
        return Counter(map(self._key, self.program.cards))

    def keys(self, cards: Iterable[CardId], common: Iterable[str]) -> list[_Key]:
        """Return some cards in order, as told by these attributes."""
        self._common = frozenset(common)
        return [self._key(self.program.cards[card]) for card in cards]

    def _key(self, card: Card) -> _Key:
        new = self._renamed
        pairs = ((new.get(key, key), new.get(one, one)) for key, one in card.attributes.items())
        return tuple(sorted(pair for pair in pairs if pair[0] in self._common))

    def named(self, cards: Counter[_Key]) -> str:
        """Return what some of the cards are called together: `the clubs and the ace of spades`."""
        rest = Counter(cards)
        wholes: list[str] = []
        for attribute, value in self._values(cards):
            group = self._group(attribute, value)
            if group.total() > 1 and group <= rest:
                rest -= group
                wholes.append(_group_name(attribute, self._words.value(value)))
        alike: dict[str, list[Card]] = {}
        left = Counter(rest)
        for card in self.program.cards:
            if left[self._key(card)] > 0:
                left[self._key(card)] -= 1
                alike.setdefault(self._words.name(card), []).append(card)
        names = [self._words.counted(cards[0], len(cards)) for cards in alike.values()]
        if len(names) > _MOST_CARDS:
            names = [f"{rest.total()} {'other ' if wholes else ''}cards"]
        return listed([*wholes, *names])

    def _values(self, cards: Counter[_Key]) -> list[tuple[str, str]]:
        """Return the attributes of some cards with their values: suits and ranks, large first."""
        count = Counter(pair for card in self.program.cards for pair in card.attributes.items())
        return sorted(
            (pair for pair in count if self._group(*pair).keys() & cards.keys()),
            key=lambda pair: (pair[0] not in _SUITS_AND_RANKS, -count[pair]),
        )

    def _group(self, attribute: str, value: str) -> Counter[_Key]:
        """Return the cards with a value of an attribute."""
        return Counter(
            self._key(card)
            for card in self.program.cards
            if card.attributes.get(attribute) == value
        )


def _group_name(attribute: str, value: str) -> str:
    """Return what all cards with a value are called: `the clubs`, or `the 7s`."""
    if attribute == "SUIT":
        alike = value.endswith("s") or len(value) == 1
        return f"the {value if alike else plural(value)}"
    if attribute == "RANK":
        return f"the {plural(value)}"
    return f"all cards whose {plain_word(attribute)} is {value}"
