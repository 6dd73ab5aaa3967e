"""What seats see happen, as words for chained hashes: the definition of `State.information`.

Machine code makes the same words (`cardwright.compiler.kernels.information`), which says what the
chains are. What is recalled of the latest choices, for observations with a history, is `Recalled`.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.intrinsics import wrap
from cardwright.compiler.kernels import information as sorts
from cardwright.compiler.kernels.picks import PICKED
from cardwright.game.information.knowledge import Witnesses
from cardwright.game.option import Unseen
from cardwright.game.whereabouts import Backs
from cardwright.interpreter import effects
from cardwright.program.cards import Location
from cardwright.program.chains import choosing, public_key
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.places import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from cardwright.compiler.layout import BoardLayout
    from cardwright.compiler.native import NativeProgram
    from cardwright.compiler.plan import Frames
    from cardwright.game.option import Picked, SeenDecision
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.world import World
    from cardwright.program import nodes as n
    from cardwright.program.cards import CardId


class Recalled(NamedTuple):
    """A choice that is recalled: the seat that made it, and what of the option each seat saw.

    `branch` is its branch, as they are numbered over all choices, and `picks` what it picked
    besides cards: words for each of `chains.public_picks`, as kernels have them. `cards` are sets
    of cards as integers, bit by bit: one for each seat, and last one for a spectator. They have
    those that the option picked and it saw, before it was chosen or once it was carried out.
    """

    seat: int
    branch: int
    picks: tuple[int, ...]
    cards: tuple[int, ...]

    def imagined(self, seat: int | None) -> Recalled:
        """Return this as it is in a state made for a seat; the others know what all have seen."""
        all_saw = self.cards[-1]
        cards = (own if at == seat else all_saw for at, own in enumerate(self.cards))
        return self._replace(cards=tuple(cards))


class SeenSoFar(NamedTuple):
    """What all seats have seen: their chains and last a spectator's, two words each, and entries.

    The entries are for the latest choices, the last one first.
    """

    words: tuple[int, ...]
    recalled: tuple[Recalled, ...] = ()


def entry_words(layout: BoardLayout, entries: Sequence[Recalled], room: int) -> array[int]:
    """Return entries as the words of `compiler.kernels.information`, with zeros after."""
    words, width = array("q"), 8 * layout.card_words
    for entry in entries[:room]:
        words.extend((1 + entry.seat, 1 + entry.branch, *entry.picks))
        words.frombytes(b"".join(cards.to_bytes(width, "little") for cards in entry.cards))
    words.frombytes(bytes(8 * (layout.entry_words * max(room, 1) - len(words))))
    return words


def entries_of(layout: BoardLayout, words: Sequence[int]) -> tuple[Recalled, ...]:
    """Return the entries that some words have."""
    entries: list[Recalled] = []
    size, width = layout.entry_words, 8 * layout.card_words
    for first in range(0, len(words), size):
        if words[first] == 0:
            break
        seat, branch, *picks = words[first : first + layout.entry_cards]
        content = array("q", words[first + layout.entry_cards : first + size]).tobytes()
        sets = [
            int.from_bytes(content[at : at + width], "little")
            for at in range(0, len(content), width)
        ]
        entries.append(Recalled(seat - 1, branch - 1, tuple(picks), tuple(sets)))
    return tuple(entries)


_MASK = 2**64 - 1
_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_GOLDEN, _OTHER = 0x9E3779B97F4A7C15, sorts.OTHER & _MASK

_BEGINNING = b"cardwright chain"

KEY_BYTES = 16
"""The size of a chain."""


def scattered(value: int) -> int:
    """Return a hash of an integer of 64 bits: the finaliser of splitmix64."""
    value = (value ^ value >> 30) * _FIRST & _MASK
    value = (value ^ value >> 27) * _SECOND & _MASK
    return value ^ value >> 31


def joined(key: int, value: int) -> int:
    """Return a hash of a key combined with another value."""
    return scattered(key * _GOLDEN + value & _MASK)


class Chains:
    """The chains of all seats of a game, and of a spectator, who sees what all of them see."""

    __slots__ = ("words",)

    def __init__(self, words: Sequence[int]) -> None:
        self.words = list(words)

    def add(self, seat: int, event: int) -> None:
        """Add an event to a chain; the last is the spectator's."""
        first, second = self.words[2 * seat : 2 * seat + 2]
        self.words[2 * seat] = joined(first, event)
        turned = (second << 32 | second >> 32) & _MASK
        event &= _MASK
        self.words[2 * seat + 1] = scattered((turned ^ event) * _OTHER + _GOLDEN & _MASK)

    def add_dealt(self, seat: int, event: int) -> None:
        """Add to a chain that a card was dealt: several in a row make the same in any order."""
        at = 2 * seat
        self.words[at] = self.words[at] + scattered(event) & _MASK
        other = scattered(event * _OTHER + _GOLDEN & _MASK)
        self.words[at + 1] = self.words[at + 1] + other & _MASK

    def key(self, seat: int) -> bytes:
        """Return a chain as bytes."""
        return b"".join(word.to_bytes(8, "little") for word in self.words[2 * seat : 2 * seat + 2])


def words_of(key: bytes) -> tuple[int, ...]:
    """Return the words of a chain from its bytes."""
    return tuple(int.from_bytes(key[at : at + 8], "little") for at in range(0, KEY_BYTES, 8))


class Sightings:
    """The words for what happens in games of one program."""

    def __init__(self, native: NativeProgram) -> None:
        program, layout = native.program, native.layout
        self.program = program
        self.layout = layout
        self.seats = range(program.players + 1)
        self.beginning = words_of(_BEGINNING) * len(self.seats)
        """The chains before anything has happened."""
        self._names = native.names
        self._slots = {place: slot for slot, place in enumerate(layout.places.locations)}
        self._cells = {
            field: {cell: at for at, cell in enumerate(cells.owners)}
            for field, cells in zip(
                sorts.STORAGES, (layout.integers, layout.strings, layout.points), strict=True
            )
        }
        self._backs = Backs(program).of
        self._variables = variable_numbers(native)
        self._native = native
        self._branches: dict[Frames, int] = {}
        first = 0
        for pc, options in native.options.items():
            self._branches[native.plan.frames[pc]] = first
            first += len(options.choice.steps)
        self.witnesses = Witnesses(program)
        places = layout.places
        self._dealt = None if layout.dealt is None else places.locations[layout.dealt]
        self._unordered = places.unordered_locations

    # Events -------------------------------------------------------------------------------

    def happened(self, chains: Chains, effect: Effect) -> None:
        """Add an effect to all chains, as each sees it; what is no change is no event."""
        match effect:
            case effects.Moved(card=card, source=source, target=target):
                event = self._between(sorts.MOVE, source, target)
                known, unknown = joined(event, card + 1), joined(event, self._back(card))
                dealt = source == self._dealt and target in self._unordered
                self._add(chains, (source, target), known, unknown, dealt=dealt)
            case effects.Swapped(left=left, left_place=source, right=right, right_place=target):
                event = self._between(sorts.SWAP, source, target)
                known = joined(joined(event, left + 1), right + 1)
                unknown = joined(joined(event, self._back(left)), self._back(right))
                self._add(chains, (source, target), known, unknown)
            case effects.Exchanged(left=source, right=target, left_cards=mine, right_cards=theirs):
                event = self._between(sorts.EXCHANGE, source, target)
                known = _cards_word(_cards_word(event, mine), theirs)
                self._add(chains, (source, target), known, event)
            case effects.Shuffled(after=()):
                pass
            case effects.Shuffled(location=place, after=after):
                event = joined(sorts.SHUFFLE, self.place_word(place))
                self._add(chains, (place,), _cards_word(event, after), event)
            case effects.Undrawn(location=place):  # nobody sees the cards
                self._add(chains, (), 0, joined(sorts.SHUFFLE, self.place_word(place)))
            case _:
                word = self._public_word(effect)
                if word is not None:
                    for seat in self.seats:
                        chains.add(seat, word)

    def _public_word(self, effect: Effect) -> int | None:
        """Return the word for an effect that all see alike; None if it changes nothing."""
        match effect:
            case effects.Stored(storage=field, owner=owner, name=name, new=new):
                cell = self._cells[field][owner, name]
                event = joined(joined(sorts.STORE, sorts.STORAGES.index(field)), cell)
                return joined(event, self._value_word(new))
            case effects.Remembered(card=card, target=place):
                return joined(joined(sorts.REMEMBER, self.place_word(place)), card)
            case effects.Forgot(card=card, source=place):
                return joined(joined(sorts.FORGET, self.place_word(place)), card)
            case effects.Turned(queue=queue, new=new):
                assert new is not None
                return joined(sorts.QUEUE if queue else sorts.TURN, new)
            case effects.Born() | effects.Passed() | effects.Regrouped():
                return None
        raise AssertionError(effect)

    def _add(
        self,
        chains: Chains,
        places: Sequence[Location],
        known: int,
        unknown: int,
        *,
        dealt: bool = False,
    ) -> None:
        """Add one of two words to each chain: whether its seat sees one of some locations."""
        seen = [self.witnesses[place] for place in places]
        add = chains.add_dealt if dealt else chains.add
        for seat in self.seats:
            add(seat, known if any(row[seat] for row in seen) else unknown)

    def _between(self, sort: int, source: Location, target: Location) -> int:
        return joined(joined(sort, self.place_word(source)), self.place_word(target))

    def place_word(self, place: Location) -> int:
        """Return what stands for a location."""
        slot = self._slots.get(place)
        if slot is not None:
            return slot
        owner, kind, name, at = place
        key = joined(joined(len(self._slots), owner), KINDS.index(kind) + 1)
        return joined(joined(key, self._names.number(name)), at)

    def _back(self, card: CardId) -> int:
        return -1 - self._backs[card]

    def _value_word(self, value: Any) -> int:
        if isinstance(value, int):
            return value
        if isinstance(value, str):
            return self._names.number(value)
        key = len(value.awards)
        for keys, values, points in value.awards:
            key = joined(key, len(keys))
            for text in (*keys, *values):
                key = joined(key, self._names.number(text))
            key = joined(key, points)
        return key

    # Decisions ----------------------------------------------------------------------------

    def decision_word(self, decision: SeenDecision) -> int:
        """Return the word for a decision as a seat saw it."""
        key = joined(joined(sorts.DECISION, decision.seat), decision.content.branch)
        for name, item in decision.content.picks:
            key = joined(key, self._variables[name, isinstance(item, str)])
            key = joined(key, self._pick_word(item))
        return key

    def _pick_word(self, item: Picked) -> int:
        if isinstance(item, Unseen):
            return joined(sorts.UNSEEN_PICK, 0 if item.ordinal is None else 1 + item.ordinal)
        if isinstance(item, str):
            return self._names.number(item)
        if isinstance(item, int):
            return item
        if isinstance(item, Location):
            return joined(sorts.PLACE_PICK, self.place_word(item))
        return _cards_word(0, item)

    def branch_number(self, world: World, option: BuiltOption) -> int:
        """Return the branch of an option that is about to be chosen, numbered over all choices."""
        frames = tuple((frame.block.number, frame.at) for frame in world.frames)
        return self._branches[frames] + option.branch

    def public_words(self, option: BuiltOption) -> tuple[int, ...]:
        """Return what an option picks besides cards, as `kernels.information` recalls it."""
        public = self.layout.public
        words = [0] * len(public)
        for pick in option.picks:
            key = public_key(self._native.analysis, pick.node)
            item: Any = pick.item
            if isinstance(item, str):
                item = self._names.number(item)
            elif isinstance(item, Location):
                item = self._slots.get(item)
            if key is not None and item is not None:
                words[public.index(key)] = wrap(item + PICKED)
        return tuple(words)

    def arrived(self, chains: Chains, player: int | None, scores: Iterable[int]) -> None:
        """Add to all chains that a player has to decide, or the scores of a game that is over."""
        if player is not None:
            event = joined(sorts.DECIDES, player)
        else:
            event = sorts.END
            for score in scores:
                event = joined(event, score)
        for seat in self.seats:
            chains.add(seat, event)

    # Beginnings ---------------------------------------------------------------------------

    def look(self, chains: Chains, world: World, seat: int) -> None:
        """Add what a seat sees of the cards of a world to its chain."""
        piles = [pile for pile in world.touched() if pile.cards]
        piles.sort(key=lambda pile: self._slots.get(pile.location, len(self._slots)))
        for pile in piles:
            event = joined(sorts.SIGHT, self.place_word(pile.location))
            if self.witnesses[pile.location][seat]:
                chains.add(seat, _cards_word(event, pile.cards))
            else:
                backs = sum(scattered(self._backs[card]) for card in pile.cards)
                chains.add(seat, joined(event, len(pile.cards) + backs))


def _cards_word(key: int, cards: Sequence[CardId]) -> int:
    """Return a hash of a key and some cards in order."""
    key = joined(key, len(cards))
    for card in cards:
        key = joined(key, card)
    return key


def variable_numbers(native: NativeProgram) -> dict[tuple[str, bool], int]:
    """Return numbers for the variables that are picked, by name and whether they are strings."""
    forms = {variable_of(form) for form in choosing(native.program.nodes())}
    return {variable: number for number, variable in enumerate(sorted(forms))}


def variable_of(form: n.ForEach) -> tuple[str, bool]:
    """Return the name of the variable that a form picks, and whether it is a string."""
    return form.variable.name, ITEM_KINDS[form.collection.kind] is ValueKind.STRING
