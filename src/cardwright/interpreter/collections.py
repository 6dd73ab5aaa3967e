"""What collections mean."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, combinations, product
from math import comb
from typing import TYPE_CHECKING, Any, assert_never

from cardwright.interpreter.effects import VirtualLocation
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.integers import LARGEST, PASSES
from cardwright.program.kinds import ValueKind
from cardwright.program.limits import MOST_BITS, MOST_ITEMS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.meaning import Meanings
    from cardwright.interpreter.world import Meaning, World
    from cardwright.program.cards import CardId

    Items = Meaning[Sequence[Any]]
    Locations = Meaning[list[Pile | VirtualLocation]]


def items(by: Meanings, node: n.Node) -> Items:
    """Return the items of a collection, in order."""
    if node.kind is ValueKind.LOCATION:
        cards = by.location(node)
        return lambda world: cards(world).cards
    if node.kind is ValueKind.LOCATIONS:
        return by.members(node)
    if node.kind is ValueKind.TEAM:
        team = by.team(node)
        return lambda world: by.program.teams[team(world)]
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
            return by.filtered(node)
    assert_never(node)


def members(by: Meanings, node: n.Node) -> Locations:
    """Return the elements of a set of locations, in order."""
    assert isinstance(node, n.LocationsForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.EachLocation():
            return _each(by, node)
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
            return by.filtered(node)
    assert_never(node)


def filtered(by: Meanings, node: n.Filter) -> Meaning[list[Any]]:
    """Return the items that pass a test; of sets of locations, empty ones are dropped."""
    candidates = by.items(node.collection)
    test = by.counting(node, by.condition(node.test))
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


def _everyone(by: Meanings, node: n.Everyone) -> Items:
    teams = node.kind is ValueKind.TEAMS
    everyone = range(len(by.program.teams) if teams else by.program.players)
    if not node.others:
        return lambda _: everyone

    def others(world: World) -> list[int]:
        current = (world.teams if teams else world.players)[-1].current
        return [one for one in everyone if one != current]

    return others


def _range(by: Meanings, node: n.Range) -> Items:
    low = by.integer(node.low)
    high = by.integer(node.high)

    def meaning(world: World) -> range:
        first = low(world)
        last = high(world)
        _limit(last - first + 1, node)
        return range(first, last + 1)

    return meaning


def _limit(count: int, node: n.Node) -> None:
    if count > MOST_ITEMS:
        count = min(count, LARGEST)
        raise Fault(
            "length", f"this has {count:,} items, more than the {MOST_ITEMS:,} allowed", node.span
        )


def _each(by: Meanings, node: n.EachLocation) -> Locations:
    candidates = by.items(node.collection)
    location = by.counting(node, by.location(node.location))
    slot = node.variable.slot

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        found: list[Pile | VirtualLocation] = []
        for item in tuple(candidates(world)):
            world.env[slot] = item
            found.append(location(world))
        return found

    return meaning


def _partition(by: Meanings, node: n.Partition) -> Locations:
    """Group cards by an attribute, groups in order of first appearance."""
    key = by.string(node.key)
    parts = by.locations(node.parts)
    attributes = [card.attributes for card in by.program.cards]

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        name = key(world)
        groups: dict[str, list[CardId]] = {}
        for card in (card for part in parts(world) for card in part.cards):
            groups.setdefault(attributes[card].get(name, ""), []).append(card)
        return [VirtualLocation(group) for group in groups.values()]

    return meaning


def _subsets(by: Meanings, node: n.Subsets) -> Locations:
    """All subsets, each new card doubling the list; zero-based files have the empty one too."""
    location = by.location(node.location)
    size = by.integer(node.size) if node.size is not None else None
    with_empty = by.program.base == 0
    counted = by.count(node)

    if size is not None:
        return _subsets_by_size(by, location, size, node)

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        cards = location(world).cards
        _limit(2 ** min(len(cards), 64), node)
        counted(world, 2 ** len(cards))
        found: list[list[CardId]] = [[]]
        for card in cards:
            found += [[*subset, card] for subset in found]
        return [VirtualLocation(subset) for subset in found if subset or with_empty]

    return meaning


def _subsets_by_size(
    by: Meanings,
    location: Meaning[Pile | VirtualLocation],
    size: Meaning[int],
    node: n.Subsets,
) -> Locations:
    """The subsets whose size passes a test, in their order among all subsets."""
    least = 0 if by.program.base == 0 else 1
    counted = by.count(node)

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        cards = location(world).cards
        wanted = size(world)
        if len(cards) > MOST_BITS:
            many = f"these are {len(cards):,} cards, more than the {MOST_BITS}"
            raise Fault("length", f"{many} of which subsets can be made", node.span)
        every = range(least, len(cards) + 1)
        sizes = [size for size in every if PASSES[node.operator](size, wanted)]
        number = sum(comb(len(cards), size) for size in sizes)
        if number > MOST_ITEMS:
            raise Fault("length", f"this has more than the {MOST_ITEMS:,} items allowed", node.span)
        counted(world, number)
        places = chain.from_iterable(combinations(range(len(cards)), size) for size in sizes)
        found = sorted(places, key=lambda chosen: chosen[::-1])
        return [VirtualLocation([cards[place] for place in chosen]) for chosen in found]

    return meaning


def _by_score(by: Meanings, place: n.Node, points: n.Node) -> Meaning[dict[int, list[CardId]]]:
    """Return the distinct cards of a location by score, scores ascending."""
    location = by.location(place)
    worth = by.points(points)

    def meaning(world: World) -> dict[int, list[CardId]]:
        score = worth(world).of
        buckets: dict[int, list[CardId]] = defaultdict(list)
        for card in dict.fromkeys(location(world).cards):
            buckets[score(card)].append(card)
        return dict(sorted(buckets.items()))

    return meaning


def _runs(by: Meanings, node: n.Runs) -> Locations:
    """Every choice of one card per score over stretches of consecutive scores."""
    least = by.integer(node.least)
    by_score = _by_score(by, node.location, node.points)
    counted = by.count(node)

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        shortest = max(least(world), 1)
        buckets = by_score(world)
        stretches = _stretches(list(buckets))
        made = sum(
            _count_runs([len(buckets[score]) for score in stretch], shortest, every=node.every)
            for stretch in stretches
        )
        _limit(made, node)
        counted(world, made)
        within = chain.from_iterable(map(_parts, stretches)) if node.every else stretches
        choices = ([buckets[one] for one in part] for part in within if len(part) >= shortest)
        runs = chain.from_iterable(product(*choice) for choice in choices)
        return [VirtualLocation(list(run)) for run in runs]

    return meaning


def _stretches(scores: list[int]) -> list[range]:
    found: list[range] = []
    start = 0
    for at in range(1, len(scores) + 1):
        if at == len(scores) or scores[at] != scores[at - 1] + 1:
            found.append(range(scores[start], scores[at - 1] + 1))
            start = at
    return found


def _parts(stretch: range) -> Iterator[range]:
    """Yield every stretch within a stretch, by its lowest score, shorter ones first."""
    for low in stretch:
        for end in range(low + 1, stretch.stop + 1):
            yield range(low, end)


def _count_runs(ways: list[int], shortest: int, *, every: bool) -> int:
    """Return how many runs a maximal stretch makes, if there are so many cards of each score.

    More than an integer holds are not counted to the end.
    """
    total = 0
    for start in range(len(ways) if every else 1):
        runs = 1
        for length, more in enumerate(ways[start:], 1):
            runs *= more
            if length >= shortest and (every or length == len(ways)):
                total += runs
        if total > LARGEST:
            break
    return total


def _tuples(by: Meanings, node: n.Tuples) -> Locations:
    """All groups of n cards of one score, scores ascending, in order of list positions."""
    count = by.integer(node.count)
    by_score = _by_score(by, node.location, node.points)
    counted = by.count(node)

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        wanted = count(world)
        if wanted < 1:
            raise Fault("length", f"a group cannot have {wanted} cards", node.span)
        found: list[Pile | VirtualLocation] = []
        for cards in by_score(world).values():
            for group in combinations(cards, min(wanted, len(cards) + 1)):  # huge ones take memory
                found.append(VirtualLocation(list(group)))
                _limit(len(found), node)
        counted(world, len(found))
        return found

    return meaning


def _indexed(by: Meanings, node: n.Indexed) -> Locations:
    """The locations of a name that have held a card, in order of their first card."""
    owner = by.owner(node.owner)
    name = by.string(node.name)
    kind = node.place

    def meaning(world: World) -> list[Pile | VirtualLocation]:
        wanted = (owner(world), kind, name(world))
        return [pile for pile in world.touched() if pile.location[:3] == wanted]

    return meaning
