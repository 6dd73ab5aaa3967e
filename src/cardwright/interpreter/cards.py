"""What cards, locations and collections mean.

A reference to a card is a card, a source, or a target of a move; one to an empty location names no
card. A location is a real pile, or a group made of real cards.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from itertools import accumulate, chain, combinations, groupby, product
from math import comb, prod
from operator import attrgetter, mul
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, assert_never

from cardwright.interpreter.effects import Pile, VirtualLocation
from cardwright.interpreter.values import Meanings, condition, integer, owner, points, string, team
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.cards import Location, OwnerId
from cardwright.program.integers import LARGEST, PASSES
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_BITS, MOST_CARDS, MOST_ITEMS, NO_ROOM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.interpreter.world import Meaning, World
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program

Place: TypeAlias = Pile | VirtualLocation


class FoundCard(NamedTuple):
    """A card and where it was found: in a pile, in a virtual group, or by a variable."""

    card: CardId
    found_in: Pile | VirtualLocation
    at: int


class MoveTarget(NamedTuple):
    """A place in a pile: a position, the top (None), or that of another card."""

    pile: Pile
    position: int | None
    card: CardId | None = None


def card(by: Meanings, node: n.Node) -> Meaning[CardId | None]:
    """Return the card that a reference names, or None."""
    assert isinstance(node, n.CardForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Actual(card=inner):
            return card(by, inner)
        case n.End(top=top):
            location_of, at = location(by, node.location), -1 if top else 0

            def end(world: World) -> CardId | None:
                cards = location_of(world).cards
                return cards[at] if cards else None

            return end
    place_of = source(by, node)

    def meaning(world: World) -> CardId | None:
        place = place_of(world)
        return place.card if place else None

    return meaning


def source(by: Meanings, node: n.Node) -> Meaning[FoundCard | None]:
    """Return where a reference finds its card, or None if there is no card."""
    assert isinstance(node, n.CardForm)
    match node:
        case n.Variable() | n.Actual():
            return _real(card(by, node))
        case n.End(top=top):
            place = location(by, node.location)

            def end(world: World) -> FoundCard | None:
                held = place(world)
                at = len(held.cards) - 1 if top else 0
                return FoundCard(held.cards[at], held, at) if held.cards else None

            return end
        case n.Position():
            return _position(by, node)
        case n.BestCard():
            return _best(by, node)
    assert_never(node)


def _real(card: Meaning[CardId | None]) -> Meaning[FoundCard | None]:
    def meaning(world: World) -> FoundCard | None:
        held = card(world)
        if held is None:
            return None
        pile = world.piles[world.where[held]]
        return FoundCard(held, pile, pile.cards.index(held))

    return meaning


def _position(by: Meanings, node: n.Position) -> Meaning[FoundCard | None]:
    index = integer(by, node.index)
    place = location(by, node.location)

    def meaning(world: World) -> FoundCard | None:
        at, held = index(world), place(world)
        if not held.cards:
            return None
        if not 0 <= at < len(held.cards):
            wrong = f"there is no position {at} among {len(held.cards)} cards"
            raise Fault("position", wrong, node.span)
        return FoundCard(held.cards[at], held, at)

    return meaning


def _best(by: Meanings, node: n.BestCard) -> Meaning[FoundCard | None]:
    worth = points(by, node.points)
    place = by.looked_at(location(by, node.location))
    extreme = max if node.highest else min

    def meaning(world: World) -> FoundCard:
        score, held = worth(world).worth, place(world)
        if not held.cards:
            raise Fault("no-card", "there is no card to choose the best from", node.span)
        best = extreme(map(score, held.cards))
        tied = list(dict.fromkeys(card for card in held.cards if score(card) == best))
        chosen = tied[0] if len(tied) == 1 else world.stream.one_of(tied)
        return FoundCard(chosen, held, held.cards.index(chosen))

    return meaning


def target(by: Meanings, node: n.Node) -> Meaning[MoveTarget]:
    """Return the place that a reference names as the target of a move."""
    if not isinstance(node, n.End | n.Position):
        card_of = by.present(source(by, node), node, "there is no card to mark the place")

        def at_card(world: World) -> MoveTarget:
            place = card_of(world)
            return MoveTarget(_real_pile(place.found_in, node), place.at, place.card)

        return at_card
    place = location(by, node.location)
    index = integer(by, node.index) if isinstance(node, n.Position) else None
    end = None if isinstance(node, n.End) and node.top else 0

    def meaning(world: World) -> MoveTarget:
        position = index(world) if index else end
        pile = _real_pile(place(world), node)
        world.make_room(pile, node.location.span)
        return MoveTarget(pile, position)

    return meaning


def _real_pile(place: Place, node: n.Node) -> Pile:
    if isinstance(place, VirtualLocation):
        wrong = "cards cannot be put into a virtual group; name a real location"
        raise Fault("virtual-destination", wrong, node.span)
    return place


# Locations ----------------------------------------------------------------------------------


def location(by: Meanings, node: n.Node) -> Meaning[Place]:
    """Return the meaning of a location form: the pile, or the group it makes."""
    assert isinstance(node, n.LocationForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Place():
            return _place(by, node)
        case n.Filter():
            passing = _filtered(by, node)
            return lambda world: VirtualLocation(passing(world))
        case n.Combine():
            return _combine(by, node)
        case n.Element():
            return _element(by, node)
        case n.Sequence():
            return _sequence(by, node)
        case n.EndRun():
            return _end_run(by, node)
        case n.Sort():
            cards = by.looked_at(location(by, node.location))
            worth = points(by, node.points)

            def in_order(world: World) -> VirtualLocation:
                score = worth(world).worth
                return VirtualLocation(sorted(cards(world).cards, key=score))

            return in_order
    assert_never(node)


def _place(by: Meanings, node: n.Place) -> Meaning[Pile]:
    """Return the pile at a place; names, owners and indices may be computed."""
    kind = node.place
    holder, name = owner(by, node.owner), string(by, node.name)
    if isinstance(node.name, n.Text) and node.index is None:
        text = node.name.value
        if isinstance(node.owner, n.Table):
            fixed = Location(by.program.table, kind, text)
            return lambda world: world.pile(fixed)
        return lambda world: world.pile(Location(OwnerId(holder(world)), kind, text))
    index = integer(by, node.index) if node.index is not None else lambda _: 0
    return lambda world: world.pile(
        Location(OwnerId(holder(world)), kind, name(world), index(world))
    )


def _several(by: Meanings, nodes: tuple[n.Node, ...]) -> Meaning[list[Place]]:
    """Return the locations of several forms, or of one form that gives a set of them."""
    if len(nodes) == 1 and nodes[0].kind is ValueKind.LOCATIONS:
        return _members(by, nodes[0])
    parts = [location(by, node) for node in nodes]
    return lambda world: [part(world) for part in parts]


def _combine(by: Meanings, node: n.Combine) -> Meaning[Place]:
    """Union, intersection and disjunction, in order of first occurrence."""
    parts = _several(by, node.parts)
    operation = node.operation
    if operation is not n.SetOperation.UNION:
        parts = by.looked_at(parts)

    def meaning(world: World) -> VirtualLocation:
        lists = [part.cards for part in parts(world)]
        if operation is n.SetOperation.UNION:
            if sum(map(len, lists)) > MOST_CARDS:
                raise Fault("capacity", NO_ROOM, node.span)
            return VirtualLocation([card for cards in lists for card in cards])
        if operation is n.SetOperation.INTERSECT:
            first = lists[0] if lists else []
            common = set(first).intersection(*lists)
            return VirtualLocation([card for card in dict.fromkeys(first) if card in common])
        times = Counter(chain.from_iterable(lists))
        return VirtualLocation([card for card, number in times.items() if number == 1])

    return meaning


def _element(by: Meanings, node: n.Element) -> Meaning[Place]:
    """Return an element of a set of locations: its first is its top."""
    members = _members(by, node.locations)
    index = node.index

    def meaning(world: World) -> Place:
        places = members(world)
        if not places or index >= len(places):
            wrong = f"a set of {len(places)} locations has no such element"
            raise Fault("position", wrong, node.span)
        return places[index]

    return meaning


def _sequence(by: Meanings, node: n.Sequence) -> Meaning[Place]:
    """Return the n topmost cards, topmost first, or the n lowest in list order."""
    count = integer(by, node.count)
    cards = location(by, node.location)

    def meaning(world: World) -> VirtualLocation:
        wanted = count(world)
        held = cards(world).cards
        if not 0 <= wanted <= len(held):
            raise Fault("length", f"there are {len(held)} cards, not {wanted}", node.span)
        return VirtualLocation(held[len(held) - wanted :][::-1] if node.top else held[:wanted])

    return meaning


def _end_run(by: Meanings, node: n.EndRun) -> Meaning[Place]:
    """Return the longest run that an end of a pile forms in any order, sorted."""
    least = integer(by, node.least)
    worth = points(by, node.points)
    cards = by.looked_at(location(by, node.location))

    def meaning(world: World) -> VirtualLocation:
        shortest = max(least(world), 1)
        score = worth(world).worth
        held = cards(world).cards
        inwards = held[::-1] if node.top else held
        longest = _run_length(list(map(score, inwards)))
        if longest < shortest:
            return VirtualLocation([])
        run = held[-longest:] if node.top else held[:longest]
        return VirtualLocation(sorted(run, key=score))

    return meaning


def _run_length(scores: Sequence[int]) -> int:
    """Return how many of the first scores, at most, are consecutive in some order.

    Of different scores, so many are consecutive whose extremes are so far apart.
    """
    longest = 0
    seen: set[int] = set()
    for length, score in enumerate(scores, 1):
        if score in seen:
            break
        seen.add(score)
        if max(seen) - min(seen) == length - 1:
            longest = length
    return longest


# Collections --------------------------------------------------------------------------------


def items(by: Meanings, node: n.Node) -> Meaning[Sequence[Any]]:
    """Return the items of a collection, in order."""
    match node.kind:
        case ValueKind.LOCATION:
            cards = location(by, node)
            return lambda world: cards(world).cards
        case ValueKind.LOCATIONS:
            return _members(by, node)
        case ValueKind.TEAM:
            number = team(by, node)
            return lambda world: by.program.teams[number(world)]
    assert isinstance(node, n.ListForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Everyone():
            return _everyone(by, node)
        case n.Range():
            return _range(by, node)
        case n.Strings(values=values):
            return lambda _: values
        case n.Filter():
            return _filtered(by, node)
    assert_never(node)


def _members(by: Meanings, node: n.Node) -> Meaning[list[Place]]:
    """Return the elements of a set of locations, in order."""
    assert isinstance(node, n.LocationsForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.EachLocation():
            return by.for_each(node, location(by, node.location))
        case n.Partition():
            return _partition(by, node)
        case n.Subsets():
            return _subsets(by, node)
        case n.Runs():
            return _runs(by, node)
        case n.Tuples():
            return _tuples(by, node)
        case n.Indexed():
            return _indexed(by, node)
        case n.Filter():
            return _filtered(by, node)
    assert_never(node)


def _filtered(by: Meanings, node: n.Filter) -> Meaning[list[Any]]:
    """Return the items that pass a test; of sets of locations, empty ones are dropped."""
    candidates = items(by, node.collection)
    test = by.counting(node, condition(by, node.test))
    slot = node.variable.slot
    drop_empty = node.kind is ValueKind.LOCATIONS

    def meaning(world: World) -> list[Any]:
        env = world.env
        kept = []
        for item in candidates(world):
            if drop_empty and not item.cards:
                continue
            env[slot] = item
            if test(world):
                kept.append(item)
        return kept

    return meaning


def _everyone(by: Meanings, node: n.Everyone) -> Meaning[Sequence[int]]:
    teams = node.kind is ValueKind.TEAMS
    everyone = range(len(by.program.teams) if teams else by.program.players)
    if not node.others:
        return lambda _: everyone
    cycles = attrgetter("teams" if teams else "players")
    return lambda world: [each for each in everyone if each != cycles(world)[-1].current]


def _range(by: Meanings, node: n.Range) -> Meaning[range]:
    low, high = integer(by, node.low), integer(by, node.high)

    def meaning(world: World) -> range:
        first, last = low(world), high(world)
        _limit(last - first + 1, node)
        return range(first, last + 1)

    return meaning


def _limit(count: int, node: n.Node) -> None:
    if count > MOST_ITEMS:
        many = f"this has {min(count, LARGEST):,} items, more than the {MOST_ITEMS:,} allowed"
        raise Fault("length", many, node.span)


def _partition(by: Meanings, node: n.Partition) -> Meaning[list[Place]]:
    """Group cards by an attribute, groups in order of first appearance."""
    key = string(by, node.key)
    parts = by.looked_at(_several(by, node.parts))
    attributes = [card.attributes for card in by.program.cards]

    def meaning(world: World) -> list[Place]:
        name = key(world)
        groups: dict[str, list[CardId]] = defaultdict(list)
        for card in (card for part in parts(world) for card in part.cards):
            groups[attributes[card].get(name, "")].append(card)
        return [VirtualLocation(group) for group in groups.values()]

    return meaning


def _subsets(by: Meanings, node: n.Subsets) -> Meaning[list[Place]]:
    """All subsets, each new card doubling the list, or those whose size passes a test.

    Zero-based files have the empty one too.
    """
    place = location(by, node.location)
    size = integer(by, node.size) if node.size is not None else None
    least = 0 if by.program.base == 0 else 1
    counted = by.count(node)

    def every(world: World) -> list[Place]:
        cards = place(world).cards
        _limit(2 ** min(len(cards), 64), node)
        counted(world, 2 ** len(cards))
        subsets: list[list[CardId]] = [[]]
        for card in cards:
            subsets += [[*subset, card] for subset in subsets]
        return [VirtualLocation(subset) for subset in subsets if len(subset) >= least]

    def passing(world: World) -> list[Place]:
        assert size is not None
        cards, wanted = place(world).cards, size(world)
        if len(cards) > MOST_BITS:
            many = f"these are {len(cards):,} cards, more than the {MOST_BITS}"
            raise Fault("length", f"{many} of which subsets can be made", node.span)
        passes = PASSES[node.operator]
        sizes = [size for size in range(least, len(cards) + 1) if passes(size, wanted)]
        number = sum(comb(len(cards), size) for size in sizes)
        if number > MOST_ITEMS:
            raise Fault("length", f"this has more than the {MOST_ITEMS:,} items allowed", node.span)
        counted(world, number)
        places = chain.from_iterable(combinations(range(len(cards)), size) for size in sizes)
        subsets = sorted(places, key=lambda chosen: chosen[::-1])
        return [VirtualLocation([cards[at] for at in chosen]) for chosen in subsets]

    return every if size is None else passing


def _by_score(by: Meanings, node: n.Runs | n.Tuples) -> Meaning[dict[int, list[CardId]]]:
    """Return the distinct cards of a location by score, scores ascending."""
    place = by.looked_at(location(by, node.location))
    worth = points(by, node.points)

    def meaning(world: World) -> dict[int, list[CardId]]:
        score = worth(world).worth
        buckets: dict[int, list[CardId]] = defaultdict(list)
        for card in dict.fromkeys(place(world).cards):
            buckets[score(card)].append(card)
        return dict(sorted(buckets.items()))

    return meaning


def _runs(by: Meanings, node: n.Runs) -> Meaning[list[Place]]:
    """Every choice of one card per score over stretches of consecutive scores."""
    least = integer(by, node.least)
    by_score = _by_score(by, node)
    counted = by.count(node)

    def meaning(world: World) -> list[Place]:
        shortest = max(least(world), 1)
        buckets = by_score(world)
        stretches = [
            [buckets[score] for _, score in stretch]
            for _, stretch in groupby(enumerate(buckets), lambda pair: pair[1] - pair[0])
        ]
        made = sum(
            _count_runs([len(cards) for cards in stretch], shortest, every=node.every)
            for stretch in stretches
        )
        _limit(made, node)
        counted(world, made)
        parts = chain.from_iterable(map(_parts, stretches)) if node.every else stretches
        choices = (part for part in parts if len(part) >= shortest)
        return [VirtualLocation(list(run)) for choice in choices for run in product(*choice)]

    return meaning


def _parts(stretch: list[list[CardId]]) -> Iterator[list[list[CardId]]]:
    """Yield every stretch within a stretch, by its lowest score, shorter ones first."""
    for low in range(len(stretch)):
        for end in range(low + 1, len(stretch) + 1):
            yield stretch[low:end]


def _count_runs(ways: list[int], shortest: int, *, every: bool) -> int:
    """Return how many runs a maximal stretch makes, if there are so many cards of each score.

    More than an integer holds are not counted to the end.
    """
    if not every:
        return prod(ways) if len(ways) >= shortest else 0
    total = 0
    for start in range(len(ways)):
        total += sum(list(accumulate(ways[start:], mul))[shortest - 1 :])
        if total > LARGEST:
            break
    return total


def _tuples(by: Meanings, node: n.Tuples) -> Meaning[list[Place]]:
    """All groups of n cards of one score, scores ascending, in order of list positions."""
    count = integer(by, node.count)
    by_score = _by_score(by, node)
    counted = by.count(node)

    def meaning(world: World) -> list[Place]:
        wanted = count(world)
        if wanted < 1:
            raise Fault("length", f"a group cannot have {wanted} cards", node.span)
        groups: list[Place] = []
        for cards in by_score(world).values():
            for group in combinations(cards, min(wanted, len(cards) + 1)):  # huge ones take memory
                groups.append(VirtualLocation(list(group)))
                _limit(len(groups), node)
        counted(world, len(groups))
        return groups

    return meaning


def _indexed(by: Meanings, node: n.Indexed) -> Meaning[list[Place]]:
    """The locations of a name that have held a card, in order of their first card."""
    holder, name = owner(by, node.owner), string(by, node.name)

    def meaning(world: World) -> list[Place]:
        wanted = (holder(world), node.place, name(world))
        return [pile for pile in world.touched() if pile.location[:3] == wanted]

    return meaning


def meanings(program: Program, kind: type[Meanings] = Meanings) -> Meanings:
    """Return the meanings of a program's forms, of a kind."""
    by = kind(program)
    by.card, by.location, by.items = partial(card, by), partial(location, by), partial(items, by)
    return by
