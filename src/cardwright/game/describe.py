"""Descriptions of options for people, naming no card that the chooser does not see."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.game.labelled import label_texts
from cardwright.game.picked import picked_cards, picked_players
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
from cardwright.interpreter.world import Decide, sees
from cardwright.program.cards import CardId, Location, LocationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.naming import Namer
    from cardwright.game.wording import Wording
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.world import World

_SHOWN = 6
"""Most phrases of a brief description; the rest is counted."""


def describe(built: Sequence[BuiltOption], world: World, seat: int, namer: Namer) -> list[str]:
    """Return a description of every option of the decision at which the world is.

    An option is described by what it does with cards, and by what it stores unless the cards show
    that, or by all that it stores if no card is moved. So it has the same description whatever else
    is offered; only options that would read the same say everything, and are numbered where that
    does not help. Results of chance, or of a card that the chooser does not see, are left out: the
    chooser does not know them yet. A label is the whole description of its option.
    """
    choice = choice_at(world)
    wording = namer.wording(choice.node)
    texts = label_texts(choice, built, world, seat, namer)
    writers = [_Writer(world, seat, namer, option, wording) for option in built]
    groups: dict[str, list[int]] = {}
    for index, writer in enumerate(writers):
        if not texts[index]:
            groups.setdefault(_joined(writer.words()), []).append(index)
    for text, alike in groups.items():
        whole = [_joined(writers[at].everything()) for at in alike] if len(alike) > 1 else [text]
        differ = len(set(whole)) > 1
        for index, all_of_it in zip(alike, whole, strict=True):
            texts[index] = all_of_it if differ else text
    return numbered(texts)


def describe_briefly(
    built: Sequence[BuiltOption], world: World, seat: int, namer: Namer
) -> list[str]:
    """Return for every option only what distinguishes it from the others offered with it."""
    choice = choice_at(world)
    wording = namer.wording(choice.node)
    texts = label_texts(choice, built, world, seat, namer)
    groups: dict[tuple[str, ...], dict[int, list[str]]] = {}
    for index, option in enumerate(built):
        if texts[index]:
            continue
        writer = _Writer(world, seat, namer, option, wording)
        groups.setdefault(writer.cards, {})[index] = writer.notes()
    for cards, notes in groups.items():
        enough = bool(cards) and len(notes) == 1
        for index, noted in _distinguishing(notes).items():
            phrases = [*cards] if enough else [*cards, *noted]
            if len(phrases) > _SHOWN:
                phrases = [*phrases[:_SHOWN], f"and {len(phrases) - _SHOWN} more"]
            texts[index] = _joined(phrases)
    return numbered(texts)


def choice_at(world: World) -> Decide:
    """Return the choice at which a world is."""
    frame = world.frames[-1]
    choice = frame.block.items[frame.at]
    assert isinstance(choice, Decide)
    return choice


def _distinguishing(notes: dict[int, list[str]]) -> dict[int, list[str]]:
    """Return for each option the notes that distinguish it: none in common, no more than needed.

    A single option keeps all of its notes.
    """
    if len(notes) == 1:
        return notes
    common = set.intersection(*(set(noted) for noted in notes.values()))
    left = {i: [note for note in noted if note not in common] for i, noted in notes.items()}
    for length in range(1, max(map(len, left.values()), default=0) + 1):
        heads = {i: noted[:length] for i, noted in left.items()}
        if len({tuple(head) for head in heads.values()}) == len(heads):
            return heads
    return left


def _joined(phrases: list[str]) -> str:
    return ", ".join(phrases) or "pass"


def numbered(texts: Sequence[str]) -> list[str]:
    """Number identical descriptions, because their options still differ."""
    count = Counter(texts)
    seen: Counter[str] = Counter()
    result = []
    for text in texts:
        seen[text] += 1
        result.append(f"{text} ({seen[text]})" if count[text] > 1 else text)
    return result


class _Writer:
    """Writes one option's effects as phrases, keeping track of where cards are by then.

    If the option draws from the game's stream, stored values may be random.
    """

    def __init__(
        self, world: World, seat: int, namer: Namer, option: BuiltOption, wording: Wording
    ) -> None:
        self.option = option
        self.wording = wording
        self.world = world
        self.seat = seat
        self.namer = namer
        self.program = world.rules.program
        self.drew = option.words != world.stream.words
        self.players = {seat + self.program.base: f"p{seat + 1}" for seat in picked_players(option)}
        self.seen: set[CardId] = set()
        self.shuffled: set[Location] = set()
        self.cards = tuple(self._cards())  # once: afterwards more cards are known

    def words(self) -> list[str]:
        """Return all phrases except those of what the cards show."""
        return [*self.cards, *self.notes(beside_cards=bool(self.cards))]

    def everything(self) -> list[str]:
        """Return all phrases, including those of what the cards show."""
        return [*self.cards, *self.notes()]

    def _cards(self) -> list[str]:
        """Return phrases for what happens to cards; runs of similar moves are combined."""
        phrases: list[str] = []
        moved: list[str] = []
        last: tuple[Location, Location] | None = None
        for effect in self.option.effects:
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
        if source.owner == self.seat and source.kind is LocationKind.INVISIBLE:
            return self._laid(names, target)
        place = self._place(source)
        origin = "" if alike or cards[0].endswith(f" of {place}") else f" from {place}"
        if target.owner == self.seat and source.owner != self.seat:
            return f"take {names}{origin}"
        return f"move {names}{origin} to {self._place(target)}"

    def _laid(self, names: str, target: Location) -> str:
        """Say where cards of the chooser's hand go."""
        if target.owner not in {self.seat, self.program.table}:
            return f"give {names} to {self._place(target)}"
        if target.kind is not LocationKind.VISIBLE:
            return f"put {names} into {self._place(target)}"
        if self.wording.one_pile and not target.at and target.name != "DISCARD":
            return f"play {names}"
        return f"put {names} on {self._place(target)}"

    def _card(self, effect: Moved) -> str:
        """Name a moved card: itself if the chooser sees it, else by its place."""
        if self._known(effect.card, effect.source):
            self.seen.add(effect.card)
            return self._name(effect.card)
        if self._sees(effect.target):
            self.seen.add(effect.card)
        pile = self.world.piles[effect.source]
        place, last = self._place(effect.source), len(pile.cards) - 1
        if last == 0:
            return f"the card of {place}"
        if not pile.ordered or 0 < effect.source_at < last:
            return f"a card of {place}"
        end = "bottom" if effect.source_at == 0 < last else "top"
        return f"the {end} of {place}"

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

    def notes(self, *, beside_cards: bool = False) -> list[str]:
        """Return phrases for what is stored or remembered, and for whose turn comes next.

        Those `beside_cards` leave out what the cards show.
        """
        return [
            phrase
            for effect in self.option.effects
            if (phrase := self._note(effect))
            and not (beside_cards and not self.wording.tells(self.option, effect, self.program))
        ]

    def _note(self, effect: Effect) -> str:
        match effect:
            case Stored(storage, owner, name, _, new):
                cell = Location(owner, LocationKind.VISIBLE, name)
                whose = name if owner == self.seat else self._place(cell)
                if storage == "points" or self.drew or self._veiled(effect):
                    return f"change {whose}"
                return f"{whose}: {self.players.get(new, new)}"
            case Remembered(card, target):
                if self._known(card, self.world.where[card]):
                    return f"remember {self._name(card)} in {self._place(target)}"
            case Forgot(card, source):
                return f"forget {self._name(card)} in {self._place(source)}"
            case Turned(queue, _, seat) if seat is not None:
                return f"p{seat + 1} {'follows' if queue else 'is current'}"
            case Passed():
                return "pass"
        return ""

    def _veiled(self, effect: Effect) -> bool:
        """Say whether an effect depends on a card that the chooser does not see."""
        return any(
            not self._sees(self.world.where[card])
            for pick in self.wording.deciding(self.option, effect)
            for card in picked_cards(pick)
        )

    def _at(self, card: CardId, location: Location) -> str:
        if self._known(card, location):
            return self._name(card)
        return f"a card of {self._place(location)}"

    def _known(self, card: CardId, location: Location) -> bool:
        if location in self.shuffled:
            return False
        return card in self.seen or self._sees(location)

    def _sees(self, location: Location) -> bool:
        return sees(self.program, self.seat, location)

    def _name(self, card: CardId) -> str:
        return self.namer.card(self.program.cards[card])

    def _place(self, location: Location) -> str:
        return self.namer.place(location, self.seat)
