"""What to mention about an option that moves cards, found once for each choice of a program.

What an option stores mostly follows from the cards that it moves: the suit that is led, whose turn
it is. Worth mentioning is what follows from a pick that the cards do not show, such as the suit
that is named with an eight, and a value by which two steps of the choice differ that may do the
same with cards. None of this depends on the other options that are offered, so that an option has
the same words in every list.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from cardwright.game.choice_acts import (
    NO_PICKS,
    acts_of,
    alike,
    notes_of,
    places_of,
)
from cardwright.interpreter.effects import (
    Exchanged,
    Forgot,
    Moved,
    Passed,
    Remembered,
    Stored,
    Swapped,
    Turned,
)
from cardwright.interpreter.steps import picked_cards
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind
from cardwright.program.exclusive import excludes
from cardwright.program.form_keys import written
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.game.choice_acts import Act, Key, Picks
    from cardwright.interpreter.effects import BuiltOption, Effect, Pick
    from cardwright.program.program import Program

_SORTS: dict[type, str] = {Forgot: "forgot", Passed: "passed"}


@dataclass(frozen=True, slots=True)
class _Step:
    """The notes of one step of a choice: what decides each, and those that are always mentioned."""

    picks: Mapping[Key, Picks]
    always: frozenset[Key]


@dataclass(frozen=True, slots=True)
class Wording:
    """How the options of one choice are worded.

    `one_pile` says that all cards that a player lays open go to one place.
    """

    one_pile: bool
    steps: tuple[_Step, ...]

    def tells(self, option: BuiltOption, effect: Effect, program: Program) -> bool:
        """Return whether to mention a note of an option beside the cards that it moves."""
        if not self.steps[option.branch].always.isdisjoint(_keys(effect)):
            return True
        deciding = self.deciding(option, effect)
        return any(not _shown(pick, option, program) for pick in deciding)

    def deciding(self, option: BuiltOption, effect: Effect) -> list[Pick]:
        """Return the picks of an option that decide whether, and how, an effect of it happens."""
        picks = self.steps[option.branch].picks
        forms = NO_PICKS.union(*(picks.get(key, NO_PICKS) for key in _keys(effect)))
        return [pick for pick in option.picks if id(pick.node) in forms]


def wording_of(choice: n.Choice) -> Wording:
    """Return how the options of a choice are worded."""
    acts = [list(acts_of(step, {}, NO_PICKS)) for step in choice.steps]
    notes = [notes_of(step_acts) for step_acts in acts]
    always: list[set[Key]] = [set() for _ in acts]
    for step, other in permutations(range(len(acts)), 2):
        if excludes(choice.steps[step], choice.steps[other]) or not alike(acts[step], acts[other]):
            continue
        for key, note in notes[step].items():
            # What follows from a pick is shown by the cards, or mentioned anyway.
            without = notes[other].get(key)
            differs = without is None or not (without.picks or note.written == without.written)
            if not note.picks and differs:
                always[step].add(key)
    steps = (
        _Step({key: note.picks for key, note in step_notes.items()}, frozenset(keys))
        for step_notes, keys in zip(notes, always, strict=True)
    )
    return Wording(_one_pile([act for step_acts in acts for act in step_acts]), tuple(steps))


def _keys(effect: Effect) -> tuple[Key, Key]:
    match effect:
        case Stored(storage, _, name):
            return (storage, name), (storage, None)
        case Remembered(_, target):
            return ("remembered", target.name), ("remembered", None)
        case Turned(queue):
            return (("follows" if queue else "current", None),) * 2
    return ((_SORTS.get(type(effect), ""), None),) * 2


def _shown(pick: Pick, option: BuiltOption, program: Program) -> bool:
    cards: set[int] = set()
    places: set[Location] = set()
    for effect in option.effects:
        match effect:
            case Moved(card, source, _, target):
                cards.add(card)
                places |= {source, target}
            case Swapped(left, left_place, _, right, right_place):
                cards |= {left, right}
                places |= {left_place, right_place}
            case Exchanged(left_place, right_place):
                places |= {left_place, right_place}
    match ITEM_KINDS[pick.node.collection.kind], pick.item:
        case ValueKind.LOCATION, Location() as place:
            return place in places
        case ValueKind.LOCATION, tuple(group) if isinstance(pick.node.collection, n.Partition):
            return not cards.isdisjoint(group)  # one card shows which group it belongs to
        case ValueKind.CARD | ValueKind.LOCATION, _:
            return cards.issuperset(picked_cards(pick))
        case ValueKind.PLAYER, int(seat):
            return any(place.owner == seat for place in places)
        case ValueKind.TEAM, int(team):
            return any(place.owner == program.players + team for place in places)
    return False


def _one_pile(acts: list[Act]) -> bool:
    targets: set[object] = set()
    for act in acts:
        if isinstance(act.node, n.Move):
            sources = places_of(act.node.card, act.scope)
            if sources and all(isinstance(place.owner, n.Table) for place in sources):
                continue
            places = places_of(act.node.target, act.scope)
            if not places:
                return False
            targets |= {written(p) for p in places if p.place is LocationKind.VISIBLE}
    return len(targets) == 1
