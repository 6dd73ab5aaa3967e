"""What a game's words show at a moment: lines, signs, tracks, and groups in a hand.

Forms that break a rule, such as a division by a number that is still 0, show nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from cardwright.english import capital
from cardwright.game.wording.expressions import CONDITION, VALUE, FormError, WordForms
from cardwright.game.wording.naming import stored_values
from cardwright.game.wording.phrases import YOU_ALONE, phrase
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.cards import OwnerId

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.english import SentenceSubject
    from cardwright.game.wording.naming import PeopleNamer, StoredValues
    from cardwright.game.wording.phrases import Blank, DisplayWords, HandWords
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card
    from cardwright.program.kinds import ValueKind
    from cardwright.program.program import Program


class Displayed(NamedTuple):
    """Words that are shown of an owner, with what is stored, what they compute, and a track."""

    owner: int
    words: DisplayWords
    values: Mapping[str, int | str]
    peg: int = 0
    holes: int = 0


class Displays:
    """What a game's words show of its worlds."""

    def __init__(self, program: Program, words: Sequence[DisplayWords]) -> None:
        self._program = program
        self._words = words
        self._forms = WordForms(program)
        self._moment: tuple[World | None, int, list[Displayed]] = None, 0, []
        self._empty: dict[str, int | str] = {
            node.name.value: "" if node.storage is n.StorageKind.STRING else 0
            for node in program.nodes()
            if isinstance(node, n.Storage) and isinstance(node.name, n.Text)
        }

    def of(self, world: World, number: int, seat: int | None) -> list[Displayed]:
        """Return what is shown in a world to a seat, or to a spectator, in the author's order.

        `number` is that of the decision, before which the world does not change.
        """
        if self._moment[:2] != (world, number):
            self._moment = world, number, self._all(world)
        found = self._moment[2]
        return [one for one in found if one.words.of != YOU_ALONE or one.owner == seat]

    def _all(self, world: World) -> list[Displayed]:
        """Return what is shown to anybody, once for all who look at the same moment."""
        copy, stored = world.copy(), stored_values(world)
        found: list[Displayed] = []
        for words in self._words:
            for owner in self._owners(words.of):
                shown = self._shown(words, owner, copy, stored)
                found += [] if shown is None else [shown]
        return found

    def _owners(self, sort: str) -> Sequence[int]:
        program = self._program
        match sort:
            case "player" | "you":
                return range(program.players)
            case "team":
                return range(program.players, program.table)
        return (int(program.table),)

    def _shown(
        self, words: DisplayWords, owner: int, world: World, stored: StoredValues
    ) -> Displayed | None:
        def given(text: str, kind: ValueKind) -> Any:
            return self._forms.read(text, kind, owner, own=words.of == YOU_ALONE)(world)

        try:
            if words.condition and not given(words.condition, CONDITION):
                return None
            values = {name: given(text, VALUE) for name, text in words.values}
            track = [given(text, VALUE) for text in (words.track, words.to) if text]
        except (Fault, FormError):  # `cardwright check` reports a form that is wrong
            return None
        for name in (*(blank.name for blank in phrase(words.text).blanks), words.sign):
            if name and name not in values:
                own = stored.get((OwnerId(owner), name))
                of_table = stored.get((self._program.table, name), self._empty.get(name, 0))
                values[name] = of_table if own is None else own
        return Displayed(owner, words, values, *(one for one in track if isinstance(one, int)))


def text_of(shown: Displayed, namer: PeopleNamer, you: int | None) -> str:
    """Return what is shown as text for the player of a seat; empty if a value has no words."""

    def filled(blank: Blank) -> str | SentenceSubject | None:
        return namer.value(shown.values[blank.name], blank.how, you)

    return phrase(shown.words.text).sentence(filled) or ""


def sign_of(shown: Displayed, namer: PeopleNamer) -> str:
    """Return the sign of a string that is shown, or the number; nothing for an empty string."""
    value = shown.values[shown.words.sign]
    return (value and namer.sign(value)) if isinstance(value, str) else str(value)


# Groups in a hand -------------------------------------------------------------------------

MOST_GROUPED = 16
"""Most cards of a hand that are laid in groups: there are many ways for more."""


@dataclass(frozen=True)
class Arrangement:
    """A hand in groups, and what the cards in none cost, if it is known."""

    groups: tuple[tuple[Card, ...], ...]
    cost: int | None


def arranged(hand: Sequence[Card], words: HandWords, world: World) -> Arrangement | None:
    """Return how a hand lies best in groups: the fewest points, or else cards, are left over."""
    if not hand or len(hand) > MOST_GROUPED:
        return None
    table = world.rules.program.table
    costs, order = (world.points.get((table, name)) for name in (words.cost, words.runs))
    cost = {card: 1 if costs is None else costs.worth(card.id) for card in hand}
    found = list(_sets(hand, words))
    if order is not None:
        found += _runs(hand, words, {card: order.worth(card.id) for card in hand})
    known: dict[frozenset[Card], tuple[int, tuple[tuple[Card, ...], ...]]] = {}

    def best(left: frozenset[Card]) -> tuple[int, tuple[tuple[Card, ...], ...]]:
        """Return the least cost of some cards, and their groups."""
        if not left:
            return 0, ()
        if left not in known:
            card = next(one for one in hand if one in left)
            rest, groups = best(left - {card})
            ways = [(cost[card] + rest, groups)]
            for group in found:
                if card in group and left.issuperset(group):
                    rest, groups = best(left.difference(group))
                    ways.append((rest, (group, *groups)))
            known[left] = min(ways, key=lambda way: (way[0], len(way[1])))
        return known[left]

    least, groups = best(frozenset(hand))
    return Arrangement(groups, None if costs is None else least)


def _sets(hand: Sequence[Card], words: HandWords) -> Iterator[tuple[Card, ...]]:
    """Yield all sets of a hand, and each with a card less where it has more than it needs."""
    alike: dict[str, list[Card]] = {}
    for card in hand if words.sets else ():
        if value := card.attributes.get(words.sets):
            alike.setdefault(value, []).append(card)
    for cards in alike.values():
        if len(cards) >= words.least:
            yield tuple(cards)
        if len(cards) > words.least:
            yield from (tuple(one for one in cards if one is not left) for left in cards)


def _runs(
    hand: Sequence[Card], words: HandWords, order: Mapping[Card, int]
) -> Iterator[tuple[Card, ...]]:
    """Yield all runs of a hand."""
    suits: dict[str, dict[int, Card]] = {}
    for card in hand:
        suits.setdefault(card.attributes.get(words.suit, ""), {})[order[card]] = card
    for by_rank in suits.values():
        ranks = sorted(by_rank)
        for first in range(len(ranks)):
            for end in range(first + words.least, len(ranks) + 1):
                run = ranks[first:end]
                if any(after != before + 1 for before, after in pairwise(run)):
                    break
                yield tuple(by_rank[rank] for rank in run)


def left_over(arrangement: Arrangement, words: HandWords, namer: PeopleNamer) -> str:
    """Return what the cards in no group cost, as a text; empty if it is not known."""
    cost = arrangement.cost
    if cost is None or not words.text:
        return ""
    return capital(phrase(words.text).fill(lambda blank: str(namer.value(cost, blank.how))) or "")
