"""Options in words that a person can read, naming no card that the chooser does not see."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.interpreter.effects import (
    Born,
    Exchanged,
    Forgot,
    Moved,
    Passed,
    Regrouped,
    Remembered,
    Shuffled,
    Stored,
    Swapped,
    Turned,
)
from cardwright.interpreter.world import sees
from cardwright.program.cards import CardId, Location, LocationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.naming import Namer
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.options import Built
    from cardwright.interpreter.world import World

_SHOWN = 6
"""Most phrases of one description; the rest is counted."""


def describe(built: Sequence[Built], world: World, seat: int, namer: Namer) -> list[str]:
    """Return a description of every option of a decision.

    An option is called by what it does with cards. What it notes down is said only where that
    tells options apart, or where nothing else happens. What comes of chance is not said: the
    chooser does not know it yet.
    """
    writers = [
        _Writer(world, seat, namer, drew=option.words != world.stream.words) for option in built
    ]
    short = [w.cards(option.effects) for w, option in zip(writers, built, strict=True)]
    notes = [w.notes(option.effects) for w, option in zip(writers, built, strict=True)]
    count = Counter(map(tuple, short))
    texts = []
    for cards, noted in zip(short, notes, strict=True):
        phrases = cards if cards and count[tuple(cards)] == 1 else [*cards, *noted]
        texts.append(_joined(phrases) or "pass")
    return _told_apart(texts)


def _joined(phrases: list[str]) -> str:
    if len(phrases) > _SHOWN:
        phrases = [*phrases[:_SHOWN], f"and {len(phrases) - _SHOWN} more"]
    return ", ".join(phrases)


def _told_apart(texts: list[str]) -> list[str]:
    """Number descriptions that are the same, for they are different options all the same."""
    count = Counter(texts)
    seen: Counter[str] = Counter()
    result = []
    for text in texts:
        seen[text] += 1
        result.append(f"{text} ({seen[text]})" if count[text] > 1 else text)
    return result


class _Writer:
    """Writes down one option's effects, keeping track of where cards have come to lie.

    `drew` says that the option draws from the game's stream: then stored values may be chance.
    """

    def __init__(self, world: World, seat: int, namer: Namer, *, drew: bool) -> None:
        self.world = world
        self.seat = seat
        self.namer = namer
        self.program = world.rules.program
        self.drew = drew
        self.seen: set[CardId] = set()
        self.shuffled: set[Location] = set()

    def cards(self, effects: Sequence[Effect]) -> list[str]:
        """Return phrases for what happens to cards; runs of like moves are gathered."""
        phrases: list[str] = []
        moved: list[str] = []
        last: tuple[Location, Location] | None = None
        for effect in effects:
            if isinstance(effect, Born | Regrouped):
                continue
            route = (effect.source, effect.target) if isinstance(effect, Moved) else None
            if moved and route != last:
                assert last is not None
                phrases.append(self._moves(moved, *last))
                moved = []
            if isinstance(effect, Moved):
                moved.append(self._card(effect))
                last = route
            else:
                phrases += self._other(effect)
        if moved:
            assert last is not None
            phrases.append(self._moves(moved, *last))
        return phrases

    def _moves(self, cards: list[str], source: Location, target: Location) -> str:
        alike = len(set(cards)) < len(cards)
        names = f"{len(cards)} cards of {self._place(source)}" if alike else " and ".join(cards)
        visible = self._sees(target)
        if source.owner == self.seat and source.kind is LocationKind.INVISIBLE and visible:
            verb = "play" if target.owner in {self.seat, self.program.table} else "give"
            into = "" if verb == "play" else f" to {self._place(target)}"
            return f"{verb} {names}{into}"
        place = self._place(source)
        origin = "" if alike or cards[0].endswith(f" of {place}") else f" from {place}"
        if target.owner == self.seat and source.owner != self.seat:
            return f"take {names}{origin}"
        return f"move {names}{origin} to {self._place(target)}"

    def _card(self, effect: Moved) -> str:
        """Name a moved card: itself if the chooser sees it, else by its place."""
        if self._known(effect.card, effect.source):
            self.seen.add(effect.card)
            return self._name(effect.card)
        if self._sees(effect.target):
            self.seen.add(effect.card)
        pile = self.world.piles[effect.source].cards
        place = self._place(effect.source)
        if effect.source_at == 0 and len(pile) > 1:
            return f"the bottom of {place}"
        if len(pile) == 1:
            return f"the card of {place}"
        return f"the top of {place}" if effect.source_at >= len(pile) - 1 else f"a card of {place}"

    def _other(self, effect: Effect) -> list[str]:
        match effect:
            case Swapped():
                left = self._at(effect.left, effect.left_place)
                return [f"swap {left} with {self._at(effect.right, effect.right_place)}"]
            case Exchanged(left, right):
                return [f"exchange {self._place(left)} with {self._place(right)}"]
            case Shuffled(location):
                self.shuffled.add(location)
                return [f"shuffle {self._place(location)}"]
        return []

    def notes(self, effects: Sequence[Effect]) -> list[str]:
        """Return phrases for what is stored, remembered, and whose turn it is to be."""
        phrases = []
        for effect in effects:
            match effect:
                case Stored(storage, owner, name, _, new):
                    whose = self._place(Location(owner, LocationKind.VISIBLE, name))
                    plain = storage != "points" and not self.drew
                    phrases.append(f"set {whose} to {new}" if plain else f"change {whose}")
                case Remembered(card, target):
                    if self._known(card, self.world.where[card]):
                        place = self._place(target)
                        phrases.append(f"remember {self._name(card)} in {place}")
                case Forgot(card, source):
                    phrases.append(f"forget {self._name(card)} in {self._place(source)}")
                case Turned(queue, _, seat) if seat is not None:
                    verb = "follows" if queue else "is current"
                    phrases.append(f"p{seat + 1} {verb}")
                case Passed():
                    phrases.append("pass")
        return phrases

    def _at(self, card: CardId, location: Location) -> str:
        if self._known(card, location):
            return self._name(card)
        return f"a card of {self._place(location)}"

    def _known(self, card: CardId, location: Location) -> bool:
        if location in self.shuffled:
            return False
        return card in self.seen or self._sees(location)

    def _sees(self, location: Location) -> bool:
        team = location.owner - self.program.players
        members = self.program.teams[team] if 0 <= team < len(self.program.teams) else ()
        return sees(self.seat, location, self.program.players, members)

    def _name(self, card: CardId) -> str:
        return self.namer.card(self.program.cards[card])

    def _place(self, location: Location) -> str:
        return self.namer.place(location, self.seat)
