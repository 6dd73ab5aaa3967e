"""Options as texts in the words of the rules, naming no card that the chooser does not see.

An option is described by what it does with cards, and by what it stores unless the cards show that,
or by all that it stores if no card is moved. Results of chance, or of a card that the chooser does
not see, are left out. A label is the whole description of its option.

What an option stores mostly follows from the cards that it moves: the suit that is led, whose turn
it is. Worth mentioning beside them is what follows from a pick that they do not show, such as the
suit that is named with an eight, and a value by which two steps of the choice differ that may do
the same with cards: its `Wording`, found once for each choice of a program.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import TYPE_CHECKING

from cardwright.game.choice_acts import NO_PICKS, acts_of, alike, notes_of, places_of
from cardwright.interpreter.chance import ChanceStream, running
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
from cardwright.interpreter.steps import build, picked_cards, picked_players
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Decide, Fault, sees
from cardwright.program import nodes as n
from cardwright.program.cards import Location, LocationKind
from cardwright.program.exclusive import excludes
from cardwright.program.kinds import ITEM_KINDS, ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.game.choice_acts import Act, Key, Picks
    from cardwright.game.wording.naming import Namer
    from cardwright.interpreter.effects import BuiltOption, Effect, Pick, Said
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card, CardId
    from cardwright.program.program import Program

_UNTOLD = (Born, Regrouped)
"""Effects that are not told, and do not come between moves that are told together."""

_SHOWN = 6
"""Most phrases of a brief description; the rest is counted."""


@dataclass(frozen=True)
class DescribedOption:
    """One option: its index, its words, and the visible cards and the players that it names.

    `draws` is the pile, of the table or the chooser's own, from which it first takes a card that
    the chooser does not see.
    `call` is what it is called in the table of an auction, or empty.
    """

    index: int
    words: str
    cards: tuple[Card, ...]
    players: tuple[int, ...] = ()
    draws: Location | None = None
    call: str = ""


def described_options(
    built: Sequence[BuiltOption], world: World, seat: int, namer: Namer
) -> tuple[DescribedOption, ...]:
    """Return the options of a world's decision, as the choosing seat sees them."""
    return described(built, describe(built, world, seat, namer), world, seat)


def described(
    built: Sequence[BuiltOption], words: Sequence[str], world: World, seat: int
) -> tuple[DescribedOption, ...]:
    """Return options with their words and with what they name."""
    return tuple(
        DescribedOption(
            index,
            text,
            _named_cards(option, world, seat),
            picked_players(option),
            _drawn_from(option, world, seat),
        )
        for index, (option, text) in enumerate(zip(built, words, strict=True))
    )


def _drawn_from(option: BuiltOption, world: World, seat: int) -> Location | None:
    """Return the pile of the table, or the chooser, from which an option takes a card unseen."""
    program = world.rules.program
    first = next((one for one in option.effects if isinstance(one, Moved)), None)
    if first is None or first.source.owner not in {program.table, seat}:
        return None
    return None if sees(program, seat, first.source) else first.source


def _named_cards(option: BuiltOption, world: World, seat: int) -> tuple[Card, ...]:
    """Return the visible cards that an option both picks and moves, or else picks, or else moves.

    So of a group of equal cards that is picked to play one of them, it names that one.
    """
    picked = [card for pick in option.picks for card in picked_cards(pick)]
    moved = [effect.card for effect in option.effects if isinstance(effect, Moved)]
    both = [card for card in picked if card in moved]
    program = world.rules.program
    return tuple(
        program.cards[card]
        for card in dict.fromkeys(both or picked or moved)
        if sees(program, seat, world.where[card])
    )


def describe(built: Sequence[BuiltOption], world: World, seat: int, namer: Namer) -> list[str]:
    """Return a description of every option of the decision at which the world is."""
    texts, writers = _begun(built, world, seat, namer)

    def text(index: int, *, shown: bool = True) -> str:
        return _joined([*writers[index].cards, *writers[index].notes(shown=shown)])

    for index in writers:
        texts[index] = text(index, shown=False)
    tell_apart(texts, writers, text)
    return numbered(texts)


def describe_briefly(
    built: Sequence[BuiltOption], world: World, seat: int, namer: Namer
) -> list[str]:
    """Return for every option only what distinguishes it from the others offered with it."""
    texts, writers = _begun(built, world, seat, namer)
    groups: dict[tuple[str, ...], dict[int, list[str]]] = {}
    for index, writer in writers.items():
        groups.setdefault(writer.cards, {})[index] = writer.notes(shown=True)
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


def _begun(
    built: Sequence[BuiltOption], world: World, seat: int, namer: Namer
) -> tuple[list[str], dict[int, _Writer]]:
    """Return the labels of options, empty where there is none, and writers for those without."""
    choice = choice_at(world)
    wording = wording_of(choice.node, namer)
    labelled = with_labels(choice, built, world)
    texts = [_label(option.said, world, seat, namer) for option in labelled]
    return texts, {
        index: _Writer(world, seat, namer, option, wording)
        for index, option in enumerate(built)
        if not texts[index]
    }


def _joined(phrases: Sequence[str]) -> str:
    return ", ".join(phrases) or "pass"


def tell_apart(texts: list[str], indices: Iterable[int], whole: Callable[[int], str]) -> None:
    """Replace those of some texts that are the same by the whole ones, if these differ."""
    groups: dict[str, list[int]] = {}
    for index in indices:
        groups.setdefault(texts[index], []).append(index)
    for same in groups.values():
        wholes = list(map(whole, same)) if len(same) > 1 else []
        if len(set(wholes)) > 1:
            for index, text in zip(same, wholes, strict=True):
                texts[index] = text


def numbered(texts: Sequence[str]) -> list[str]:
    """Number identical descriptions, because their options still differ."""
    count, seen = Counter(texts), Counter[str]()
    result = []
    for text in texts:
        seen[text] += 1
        result.append(f"{text} ({seen[text]})" if count[text] > 1 else text)
    return result


def _distinguishing(notes: dict[int, list[str]]) -> dict[int, list[str]]:
    """Return for each option the notes that distinguish it; for a single option all of them."""
    if len(notes) == 1:
        return notes
    common = set.intersection(*map(set, notes.values()))
    left = {i: [note for note in noted if note not in common] for i, noted in notes.items()}
    for length in range(1, max(map(len, left.values()), default=0) + 1):
        heads = {i: noted[:length] for i, noted in left.items()}
        if len(set(map(tuple, heads.values()))) == len(heads):
            return heads
    return left


class _Writer:
    """Writes one option's effects as phrases, keeping track of where cards are by then."""

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

    # Cards --------------------------------------------------------------------------------

    def _cards(self) -> list[str]:
        """Return phrases for what happens to cards; runs of similar moves are combined."""
        phrases: list[str] = []
        effects = [e for e in self.option.effects if not isinstance(e, _UNTOLD)]
        for route, run in groupby(effects, route_of):
            if route is not None:
                moves = [effect for effect in run if isinstance(effect, Moved)]
                phrases.append(self._moves([self._moved(move) for move in moves], *route))
                continue
            for effect in run:
                match effect:
                    case Swapped(left, place, _, right, other):
                        phrases.append(
                            f"swap {self._at(left, place)} with {self._at(right, other)}"
                        )
                    case Exchanged(place, other):
                        phrases.append(f"exchange {self._place(place)} with {self._place(other)}")
                    case Shuffled(location):
                        self.shuffled.add(location)
                        phrases.append(f"shuffle {self._place(location)}")
        return phrases

    def _moves(self, cards: list[str], source: Location, target: Location) -> str:
        alike = len(set(cards)) < len(cards)
        names = f"{len(cards)} cards of {self._place(source)}" if alike else " and ".join(cards)
        if source.owner == self.seat and source.kind is LocationKind.INVISIBLE:
            if target.owner not in {self.seat, self.program.table}:
                return f"give {names} to {self._place(target)}"
            if target.kind is not LocationKind.VISIBLE:
                return f"put {names} into {self._place(target)}"
            if self.wording.one_pile and not target.at and target.name != "DISCARD":
                return f"play {names}"
            return f"put {names} on {self._place(target)}"
        place = self._place(source)
        origin = "" if alike or cards[0].endswith(f" of {place}") else f" from {place}"
        if target.owner == self.seat and source.owner != self.seat:
            return f"take {names}{origin}"
        return f"move {names}{origin} to {self._place(target)}"

    def _moved(self, effect: Moved) -> str:
        """Name a moved card: itself if the chooser sees it, else by its place."""
        known = self._known(effect.card, effect.source)
        if known or self._sees(effect.target):
            self.seen.add(effect.card)
        if known:
            return self._name(effect.card)
        pile = self.world.piles[effect.source]
        place, last = self._place(effect.source), len(pile.cards) - 1
        if last == 0:
            return f"the card of {place}"
        if not pile.ordered or 0 < effect.source_at < last:
            return f"a card of {place}"
        return f"the {'bottom' if effect.source_at == 0 < last else 'top'} of {place}"

    # What is stored -----------------------------------------------------------------------

    def notes(self, *, shown: bool = False) -> list[str]:
        """Return phrases for stored and remembered values, unless not `shown` beside cards."""
        whole = shown or not self.cards
        return [
            phrase
            for effect in self.option.effects
            if (phrase := self._note(effect))
            and (whole or self.wording.tells(self.option, effect, self.program))
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
        return any(
            not self._sees(self.world.where[card])
            for pick in self.wording.deciding(self.option, effect)
            for card in picked_cards(pick)
        )

    # Names --------------------------------------------------------------------------------

    def _at(self, card: CardId, location: Location) -> str:
        known = self._known(card, location)
        return self._name(card) if known else f"a card of {self._place(location)}"

    def _known(self, card: CardId, location: Location) -> bool:
        return location not in self.shuffled and (card in self.seen or self._sees(location))

    def _sees(self, location: Location) -> bool:
        return sees(self.program, self.seat, location)

    def _name(self, card: CardId) -> str:
        return self.namer.card(self.program.cards[card])

    def _place(self, location: Location) -> str:
        return self.namer.place(location, self.seat)


def route_of(effect: Effect) -> tuple[Location, Location] | None:
    """Return the places between which a card is moved; None for effects that are not moves."""
    return (effect.source, effect.target) if isinstance(effect, Moved) else None


# Labels -----------------------------------------------------------------------------------


def with_labels(
    choice: Decide, built: Sequence[BuiltOption], world: World
) -> Sequence[BuiltOption]:
    """Return the options of a decision with what their labels say.

    All options are made once more, without anything being drawn, so that labels change no game.
    Where chance that is taken by hand decides which options there are, some may have no label.
    """
    if not choice.labelled:
        return built
    copy = world.copy()
    if isinstance(copy.stream, ChanceStream):
        copy.stream = Stream(0)
    try:
        with running(None):
            again = build(choice.explorers, copy, choice.span, labelled=True)
    except Fault:
        again = []

    def way(option: BuiltOption) -> tuple[int, ...]:
        return option.branch, *(pick.ordinal for pick in option.picks)

    said = {way(option): option.said for option in again}
    return [option._replace(said=said.get(way(option), ())) for option in built]


def _label(said: Sequence[Said], world: World, seat: int, namer: Namer) -> str:
    program = world.rules.program
    words: list[str] = []
    for part in said:
        match part.kind, part.value:
            case ValueKind.CARD, None:
                continue
            case ValueKind.CARD, card:
                place = world.where[card]
                seen = sees(program, seat, place)
                name = namer.card(program.cards[card]) if seen else namer.place(place, seat)
                words.append(name if seen else f"a card of {name}")
            case ValueKind.PLAYER | ValueKind.TEAM, owner:
                words.append(program.owner_name(owner))
            case _, value:
                words.append(str(value))
    return " ".join(filter(None, words))


# What to mention ------------------------------------------------------------------------------

_SORTS: dict[type, str] = {Forgot: "forgot", Passed: "passed"}


@dataclass(frozen=True, slots=True)
class Wording:
    """How the options of one choice are worded.

    For each step `picks` has what decides each of its notes, and `always` those that are mentioned
    in any case. `one_pile` says that all cards that a player lays open go to one place.
    """

    one_pile: bool
    picks: tuple[Mapping[Key, Picks], ...]
    always: tuple[frozenset[Key], ...]

    def tells(self, option: BuiltOption, effect: Effect, program: Program) -> bool:
        """Return whether to mention a note of an option beside the cards that it moves."""
        if not self.always[option.branch].isdisjoint(_keys(effect)):
            return True
        deciding = self.deciding(option, effect)
        return any(not _shown(pick, option, program) for pick in deciding)

    def deciding(self, option: BuiltOption, effect: Effect) -> list[Pick]:
        """Return the picks of an option that decide whether, and how, an effect of it happens."""
        picks = self.picks[option.branch]
        forms = NO_PICKS.union(*(picks.get(key, NO_PICKS) for key in _keys(effect)))
        return [pick for pick in option.picks if id(pick.node) in forms]


def wording_of(choice: n.Choice, namer: Namer) -> Wording:
    """Return how the options of a choice are worded; found once for each namer."""
    if id(choice) not in namer.wordings:
        namer.wordings[id(choice)] = choice, _wording(choice)
    wording: Wording = namer.wordings[id(choice)][1]
    return wording


def _wording(choice: n.Choice) -> Wording:
    acts = [list(acts_of(step, {}, NO_PICKS)) for step in choice.steps]
    notes = [notes_of(step_acts) for step_acts in acts]
    always: list[set[Key]] = [set() for _ in acts]
    together = [
        pair
        for pair in combinations(range(len(acts)), 2)
        if not excludes(*(choice.steps[step] for step in pair))
    ]
    for step, other in [*together, *(pair[::-1] for pair in together)]:
        if not alike(acts[step], acts[other]):
            continue
        for key, note in notes[step].items():
            # What follows from a pick is shown by the cards, or mentioned anyway.
            without = notes[other].get(key)
            differs = without is None or not (without.picks or note.written == without.written)
            if not note.picks and differs:
                always[step].add(key)
    picks = ({key: note.picks for key, note in step_notes.items()} for step_notes in notes)
    one_pile = _one_pile([act for step_acts in acts for act in step_acts])
    return Wording(one_pile, tuple(picks), tuple(map(frozenset, always)))


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
            targets |= {n.written(p) for p in places if p.place is LocationKind.VISIBLE}
    return len(targets) == 1
