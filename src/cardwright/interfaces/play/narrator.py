"""Narration: the effects of a game in words, as one seat sees them.

A card is named if the seat sees the place it comes from or the place it goes to. All others are
only counted.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from cardwright.game.picked import picked_players
from cardwright.interpreter.effects import (
    Exchanged,
    Moved,
    Passed,
    Shuffled,
    Stored,
    Swapped,
    Turned,
)
from cardwright.interpreter.world import sees
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.game.naming import Namer
    from cardwright.game.wording import Wording
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.options import BuiltOption
    from cardwright.program.cards import Card, Location, OwnerId
    from cardwright.program.program import Program

_NAMED = 13
"""The most cards that a sentence names; more are counted."""

_LAID = 4
"""The most cards that are named when they go to a pile of the table."""

_HAPPENINGS = (Moved, Swapped, Exchanged, Shuffled)
"""The effects of the rules themselves that are narrated, besides changes of scores."""


class Narrator:
    """Narrates what the player of a seat sees; all that happens, if the seat is None.

    `counts` has the names of the stored numbers whose changes are narrated. The player is called
    `you` if it is a `person`.
    """

    def __init__(
        self,
        program: Program,
        namer: Namer,
        seat: int | None,
        counts: frozenset[str],
        *,
        person: bool = True,
    ) -> None:
        self._program = program
        self._namer = namer
        self._seat = seat
        self._you = seat if person else None
        self._counts = counts

    def seen(self, effects: Iterable[Effect]) -> tuple[Card, ...]:
        """Return the cards that the seat sees move, in order, each once."""
        found: dict[Card, None] = {}
        for effect in effects:
            match effect:
                case Moved(card=card) if self._shown(effect):
                    found[self._program.cards[card]] = None
                case Swapped():
                    for card in (effect.left, effect.right):
                        if self._sees(effect.left_place) or self._sees(effect.right_place):
                            found[self._program.cards[card]] = None
        return tuple(found)

    # What a player does -------------------------------------------------------------------

    def done(self, actor: int, option: BuiltOption, wording: Wording) -> str:
        """Return what another player did, as a clause after its name: `plays 5 of CLUBS`.

        Stored values are included if no cards were moved, or where the cards do not show them.
        """
        phrases = []
        for key, run in groupby(option.effects, _route):
            moves = list(run)
            if isinstance(key, tuple):
                phrases.append(self._action(actor, self._cards(moves), *key))
            else:
                phrases += [text for effect in moves if (text := self._other(effect))]
        program = self._program
        notes = [e for e in option.effects if not phrases or wording.tells(option, e, program)]
        phrases += self._notes(option, notes)
        return ", then ".join(dict.fromkeys(phrases)) or "passes"

    def _action(self, actor: int, cards: str, source: Location, target: Location) -> str:
        program = self._program
        own = {actor, *_teams(program, actor)}
        laid = target.owner in own or target.owner == program.table
        place = self._place(target, actor)
        if source.owner in own and source.kind is LocationKind.INVISIBLE and laid:
            if target.kind is not LocationKind.VISIBLE:
                return f"puts {cards} into {place}"
            plain = not target.at and target.name != "DISCARD"
            return f"plays {cards}" if plain else f"puts {cards} on {place}"
        if source.owner in own and not laid:
            return f"gives {cards} to {self._who(target.owner)}"
        origin = self._place(source, actor)
        if target.owner in own and source.owner not in own:
            return f"takes {cards} from {origin}"
        return f"moves {cards} from {origin} to {place}"

    def _notes(self, option: BuiltOption, notes: Iterable[Effect]) -> list[str]:
        """Return the part of an option's notes that is worth telling."""
        stored = [e for e in notes if isinstance(e, Stored) and e.storage != "points"]
        phrases = [f"sets {', '.join(self._note(e, option) for e in stored)}"] if stored else []
        for effect in notes:
            match effect:
                case Turned(new=seat) if seat is not None:
                    phrases.append(f"calls on {self._who(seat)}")
                case Passed():
                    phrases.append("passes")
        return phrases

    def _note(self, effect: Stored, option: BuiltOption) -> str:
        """Return which value was stored; a player picked by the option is named."""
        players = {seat + self._program.base: self._who(seat) for seat in picked_players(option)}
        owner = effect.owner
        whose = f"{self._owner(owner)}'s " if self._is_team(owner) else ""
        return f"{whose}{effect.name} to {players.get(effect.new, effect.new)}"

    def _is_team(self, owner: int) -> bool:
        return self._program.players <= owner < self._program.table

    # What follows from it -----------------------------------------------------------------

    def changes(self, effects: Sequence[Effect]) -> tuple[str, ...]:
        """Return sentences about what the rules did by themselves, between two decisions."""
        sentences: list[str] = []
        happened = [effect for effect in effects if isinstance(effect, _HAPPENINGS)]
        for dealt, effects_alike in groupby(happened, self._is_deal):
            run = list(effects_alike)
            sentences += [self._dealt(run)] if dealt else self._moved(run)
        return *dict.fromkeys(sentences), *self._counted(effects)

    def _moved(self, effects: Iterable[Effect]) -> list[str]:
        """Return where cards went, one sentence for consecutive cards to the same place."""
        sentences: list[str] = []
        for target, run in groupby(effects, _target):
            if target is None:
                sentences += map(self._other, run)
            else:
                moves = [effect for effect in run if isinstance(effect, Moved)]
                sentences.append(self._came(moves, target))
        return sentences

    def _is_deal(self, effect: Effect) -> bool:
        """Say whether a card goes from the table to a hand."""
        if not isinstance(effect, Moved):
            return False
        program = self._program
        source, target = effect.source, effect.target
        concealed = target.kind is not LocationKind.VISIBLE
        return source.owner == program.table and target.owner < program.players and concealed

    def _dealt(self, effects: Iterable[Effect]) -> str:
        """Return how many cards players get from the table's piles."""
        moves = [effect for effect in effects if isinstance(effect, Moved)]
        counts = Counter(move.target.owner for move in moves)
        if len(moves) <= _LAID:
            got = {owner: [m for m in moves if m.target.owner == owner] for owner in counts}
            return ", ".join(f"{self._verb(o, 'get')} {self._cards(m)}" for o, m in got.items())
        if len(counts) == self._program.players > 1 and len(set(counts.values())) == 1:
            count = next(iter(counts.values()))
            return f"everybody gets {_counted_cards(count)}"
        each = (f"{self._verb(owner, 'get')} {_counted_cards(n)}" for owner, n in counts.items())
        return ", ".join(each)

    def _came(self, moves: Sequence[Moved], target: Location) -> str:
        """Return a sentence about consecutive cards that came to a place."""
        cards, owners = self._cards(moves), {move.source.owner for move in moves}
        table = self._program.table
        if target.owner == table:
            verb = "goes" if len(moves) == 1 else "go"
            cards = cards if len(moves) <= _LAID else _counted_cards(len(moves))
            return f"{cards} {verb} to {self._place(target)}"
        if owners == {target.owner}:
            return f"{self._verb(target.owner, 'move')} {cards} to {target.name}"
        if len(owners) == 1:
            (owner,) = owners
            origin = self._place(moves[0].source) if owner == table else self._who(owner)
            return f"{self._verb(target.owner, 'get')} {cards} from {origin}"
        return f"{self._verb(target.owner, 'take')} {cards}"

    def _counted(self, effects: Iterable[Effect]) -> list[str]:
        """Return how the scores have changed, from the first value to the last."""
        first: dict[tuple[OwnerId, str], int] = {}
        last: dict[tuple[OwnerId, str], int] = {}
        for effect in effects:
            match effect:
                case Stored("integers", owner, name, old, new) if name in self._counts:
                    first.setdefault((owner, name), old or 0)
                    last[owner, name] = new
        return [
            f"{self._whose(owner)} {name} is {value} ({value - first[owner, name]:+})"
            for (owner, name), value in sorted(last.items())
            if value != first[owner, name]
        ]

    # Words --------------------------------------------------------------------------------

    def _other(self, effect: Effect) -> str:
        match effect:
            case Swapped():
                known = self._sees(effect.left_place) or self._sees(effect.right_place)
                left, right = (
                    self._name(card) if known else f"a card of {self._place(place)}"
                    for card, place in (
                        (effect.left, effect.left_place),
                        (effect.right, effect.right_place),
                    )
                )
                return f"{left} and {right} change places"
            case Exchanged(left, right):
                return f"{self._place(left)} and {self._place(right)} change places"
            case Shuffled(location):
                return f"{self._place(location)} is shuffled"
        return ""

    def _cards(self, moves: Sequence[Effect]) -> str:
        """Name cards, or count those that the seat does not see."""
        names, unseen = [], 0
        for move in moves:
            if isinstance(move, Moved) and self._shown(move):
                names.append(self._name(move.card))
            else:
                unseen += 1
        if len(names) > _NAMED:
            return _counted_cards(len(moves))
        if unseen:
            names.append(_counted_cards(unseen))
        return ", ".join(names)

    def _shown(self, move: Moved) -> bool:
        return self._sees(move.source) or self._sees(move.target)

    def _sees(self, location: Location) -> bool:
        return self._seat is None or sees(self._program, self._seat, location)

    def _name(self, card: int) -> str:
        return self._namer.card(self._program.cards[card])

    def _place(self, location: Location, actor: int | None = None) -> str:
        if actor is not None and location.owner == actor:
            return location.name + (f" {location.at}" if location.at else "")
        return self._namer.place(location, self._you)

    def _owner(self, owner: int) -> str:
        return self._program.owner_name(owner)  # type: ignore[arg-type] # seats are owners

    def _who(self, owner: int) -> str:
        return "you" if owner == self._you else self._owner(owner)

    def _whose(self, owner: int) -> str:
        if owner == self._program.table:
            return "the table's"
        return "your" if owner == self._you else f"{self._owner(owner)}'s"

    def _verb(self, owner: int, verb: str) -> str:
        return f"you {verb}" if owner == self._you else f"{self._owner(owner)} {verb}s"


def _route(effect: Effect) -> object:
    """Return what moves of one sentence have in common; None for effects that are not moves."""
    return (effect.source, effect.target) if isinstance(effect, Moved) else None


def _target(effect: Effect) -> Location | None:
    return effect.target if isinstance(effect, Moved) else None


def _teams(program: Program, seat: int) -> list[int]:
    return [program.players + number for number, team in enumerate(program.teams) if seat in team]


def _counted_cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"
