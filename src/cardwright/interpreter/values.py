"""What integers, strings, point maps, conditions and owners mean."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, assert_never

from cardwright.interpreter.world import Fault, PointMap
from cardwright.program import integers as arithmetic, nodes as n
from cardwright.program.cards import OwnerId
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.interpreter.effects import Pile, VirtualLocation
    from cardwright.interpreter.world import Cell, Meaning, Result, World
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program

NOTHING_HIGHEST = -1
NOTHING_LOWEST = 2_147_483_647
"""What `scoremax` and `scoremin` give where there are no cards."""


class Meanings:
    """The meanings of one program's forms, each made by the module of its chapter.

    Values find here what they need of the module of cards, which builds on this one. Seats, teams
    and owners are numbers from 0; among owners, players come first, then teams, then the table.
    """

    card: Callable[[n.Node], Meaning[CardId | None]]
    location: Callable[[n.Node], Meaning[Pile | VirtualLocation]]
    items: Callable[[n.Node], Meaning[Sequence[Any]]]

    def __init__(self, program: Program) -> None:
        self.program = program

    def present(
        self,
        found: Meaning[Result | None],
        node: n.Node,
        message: str,
        rule: str = "no-card",
    ) -> Meaning[Result]:
        """Return what is found; where there is nothing, a form breaks a rule."""

        def meaning(world: World) -> Result:
            result = found(world)
            if result is None:
                raise Fault(rule, message, node.span)
            return result

        return meaning

    def looked_at(self, found: Meaning[Result]) -> Meaning[Result]:
        """Return cards or places with cards of which a form reads more than how many there are.

        What a card is, what it counts, whether it is another one and who has it is all read by this
        way, so that a subclass can say which cards may be looked at.
        """
        return found

    def for_each(self, node: Any, body: Meaning[Result]) -> Meaning[list[Result]]:
        """Return what the body of a loop gives for each item of its collection."""
        items = self.items(node.collection)
        body = self.counting(node, body)
        slot = node.variable.slot

        def meaning(world: World) -> list[Result]:
            results = []
            for item in tuple(items(world)):
                world.env[slot] = item
                results.append(body(world))
            return results

        return meaning

    def counting(self, node: n.Node, body: Meaning[Result]) -> Meaning[Result]:
        """Return the body of a loop, which counts its rounds if they are to be counted."""
        if not self.program.rounds.counted(node):
            return body
        span = node.span

        def counted(world: World) -> Result:
            world.count(1, span)
            return body(world)

        return counted

    def count(self, node: n.Node) -> Callable[[World, int], None]:
        """Return a function that counts a number of rounds of a form at once."""
        if not self.program.rounds.counted(node):
            return lambda _world, _rounds: None
        span = node.span
        return lambda world, rounds: world.count(max(0, rounds), span)


def value(by: Meanings, node: n.Node) -> Meaning[Any]:
    """Return the value of a form of any kind: a number, a location itself, or the items."""
    match node.kind:
        case ValueKind.INTEGER:
            return integer(by, node)
        case ValueKind.STRING:
            return string(by, node)
        case ValueKind.BOOLEAN:
            return condition(by, node)
        case ValueKind.PLAYER:
            return seat(by, node)
        case ValueKind.TEAM:
            return team(by, node)
        case ValueKind.CARD:
            return by.card(node)
        case ValueKind.LOCATION:
            return by.location(node)
    return by.items(node)


# Integers -----------------------------------------------------------------------------------


def integer(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the meaning of an integer form."""
    assert isinstance(node, n.IntegerForm)
    match node:
        case n.Number(value=fixed):
            return lambda _: fixed
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Storage():
            where = cell(by, node)
            return lambda world: world.integers.get(where(world), 0)
        case n.Arithmetic(operator=operator):
            first, *rest = (integer(by, operand) for operand in node.operands)

            def combined(world: World) -> int:
                result = first(world)
                for operand in rest:
                    result = arithmetic.apply(operator, result, operand(world))
                return result

            return in_range(node, combined)
        case n.Triangle(number=number):
            last = integer(by, number)
            return in_range(node, lambda world: arithmetic.triangle(last(world)))
        case n.Fibonacci(number=number):
            ordinal = integer(by, number)
            return in_range(node, lambda world: arithmetic.fibonacci(ordinal(world)))
        case n.Random():
            return _random(by, node)
        case n.Size(collection=collection):
            items = by.items(collection)
            return lambda world: len(items(world))
        case n.Score():
            worth = points(by, node.points)
            card = by.looked_at(by.present(by.card(node.card), node, "there is no card to score"))
            return lambda world: worth(world).worth(card(world))
        case n.Sum() | n.ExtremeScore():
            return _scores(by, node)
        case n.Total():
            values = by.for_each(node, integer(by, node.value))
            return in_range(node, lambda world: arithmetic.checked(sum(values(world))))
        case n.NumberOf(owner=holder):
            base = by.program.base
            own = value(by, holder)
            return lambda world: own(world) + base
    assert_never(node)


def in_range(node: n.Node, number: Meaning[int]) -> Meaning[int]:
    """Return the meaning of a calculation, which may have no result in 64 bits."""

    def meaning(world: World) -> int:
        try:
            return number(world)
        except arithmetic.IntegerError as error:
            raise Fault(error.rule, str(error), node.span) from None

    return meaning


def _random(by: Meanings, node: n.Random) -> Meaning[int]:
    """Both bounds are included; one bound alone starts at 0."""
    bounds = [integer(by, bound) for bound in (node.low, node.high) if bound is not None]

    def meaning(world: World) -> int:
        low, high = (0, *(bound(world) for bound in bounds))[-2:]
        if high < low:
            raise Fault("empty-range", f"nothing lies between {low} and {high}", node.span)
        return world.stream.between(low, high)

    return meaning


def _scores(by: Meanings, node: n.Sum | n.ExtremeScore) -> Meaning[int]:
    """The sum or an extreme of the scores of a location's cards."""
    worth = points(by, node.points)
    location = by.looked_at(by.location(node.location))
    if isinstance(node, n.Sum):
        return in_range(
            node,
            lambda world: arithmetic.checked(sum(map(worth(world).worth, location(world).cards))),
        )
    best, nothing = (max, NOTHING_HIGHEST) if node.highest else (min, NOTHING_LOWEST)
    return lambda world: best(map(worth(world).worth, location(world).cards), default=nothing)


# Strings, storages and point maps -----------------------------------------------------------


def string(by: Meanings, node: n.Node) -> Meaning[str]:
    """Return the meaning of a string form."""
    assert isinstance(node, n.StringForm)
    match node:
        case n.Text(value=text):
            return lambda _: text
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Storage():
            where = cell(by, node)
            return lambda world: world.strings.get(where(world), "")
        case n.Attribute():
            return _attribute(by, node)
    assert_never(node)


def _attribute(by: Meanings, node: n.Attribute) -> Meaning[str]:
    """Return a card's value of a key; the empty string if it has none, or there is no card."""
    key = string(by, node.key)
    card = by.looked_at(by.card(node.card))
    attributes = [card.attributes for card in by.program.cards]

    def meaning(world: World) -> str:
        read = card(world)
        return "" if read is None else attributes[read].get(key(world), "")

    return meaning


def cell(by: Meanings, node: n.Node) -> Meaning[Cell]:
    """Return the key of a storage's value: owner and name."""
    assert isinstance(node, n.Storage)
    if isinstance(node.owner, n.Table) and isinstance(node.name, n.Text):
        fixed = (by.program.table, node.name.value)
        return lambda _: fixed
    name, holder = string(by, node.name), owner(by, node.owner)
    return lambda world: (OwnerId(holder(world)), name(world))


def points(by: Meanings, node: n.Node) -> Meaning[PointMap]:
    """Return the meaning of a point map; one that was never set scores 0 for every card."""
    where = cell(by, node)
    empty = PointMap((), by.program)
    return lambda world: world.points.get(where(world), empty)


# Conditions ---------------------------------------------------------------------------------


def condition(by: Meanings, node: n.Node) -> Meaning[bool]:
    """Return the meaning of a condition."""
    assert isinstance(node, n.ConditionForm)
    match node:
        case n.Truth(value=truth):
            return lambda _: truth
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.Not(test=test):
            inner = condition(by, test)
            return lambda world: not inner(world)
        case n.Logic():
            return _logic(by, node)
        case n.Compare(operator=sign):
            order = arithmetic.PASSES[sign]
            low, high = integer(by, node.left), integer(by, node.right)
            return lambda world: order(low(world), high(world))
        case n.Equal(negated=negated):  # cards, players and teams are compared by identity
            left, right = value(by, node.left), value(by, node.right)
            if node.left.kind is ValueKind.CARD:
                left, right = by.looked_at(left), by.looked_at(right)
            return lambda world: (left(world) == right(world)) is not negated
        case n.Quantifier():
            return _quantifier(by, node)
    assert_never(node)


def _logic(by: Meanings, node: n.Logic) -> Meaning[bool]:
    """Conjunction or disjunction, from left to right, no further than needed."""
    tests = [condition(by, test) for test in node.tests]
    every = node.every

    def meaning(world: World) -> bool:
        for test in tests:
            if test(world) is not every:
                return not every
        return every

    return meaning


def _quantifier(by: Meanings, node: n.Quantifier) -> Meaning[bool]:
    """Short-circuit, in order of the collection."""
    items = by.items(node.collection)
    test = by.counting(node, condition(by, node.test))
    slot, every = node.variable.slot, node.every

    def meaning(world: World) -> bool:
        env = world.env
        for item in items(world):
            env[slot] = item
            if test(world) is not every:
                return not every
        return every

    return meaning


# Owners -------------------------------------------------------------------------------------


def owner(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the number of an owner of storage: players first, then teams, then the table."""
    if isinstance(node, n.Table):
        table = by.program.table
        return lambda _: table
    if node.kind is ValueKind.TEAM:
        players = by.program.players
        number = team(by, node)
        return lambda world: players + number(world)
    return seat(by, node)


def seat(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the seat of a player, from 0."""
    assert isinstance(node, n.PlayerForm)
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.TurnOwner(turn=turn):
            return _turn(turn, by.program.players, team=False)
        case n.Numbered():
            return _numbered(by, node, by.program.players, "player")
        case n.OwnerOf():
            return _holder(by, node)
    assert_never(node)


def team(by: Meanings, node: n.Node) -> Meaning[int]:
    """Return the number of a team, from 0."""
    assert isinstance(node, n.TeamForm)
    teams = by.program.teams
    match node:
        case n.Variable(slot=slot):
            return lambda world: world.env[slot]
        case n.TurnOwner(turn=turn):
            return _turn(turn, len(teams), team=True)
        case n.Numbered():
            return _numbered(by, node, len(teams), "team")
        case n.TeamOf(player=player):
            of_seat: dict[int, int] = {s: i for i, seats in enumerate(teams) for s in seats}
            member = seat(by, player)
            return lambda world: of_seat[member(world)]
    assert_never(node)


def _turn(turn: n.Turn, count: int, *, team: bool) -> Meaning[int]:
    cycles = attrgetter("teams" if team else "players")
    match turn:
        case n.Turn.CURRENT:
            return lambda world: cycles(world)[-1].current
        case n.Turn.NEXT:
            return lambda world: cycles(world)[-1].successor(count)
        case n.Turn.PREVIOUS:
            return lambda world: (cycles(world)[-1].current - 1) % count


def _numbered(by: Meanings, node: n.Numbered, count: int, what: str) -> Meaning[int]:
    number = integer(by, node.number)
    base = by.program.base

    def meaning(world: World) -> int:
        asked = number(world)
        if not base <= asked < base + count:
            raise Fault(
                "owner-number",
                f"there is no {what} {asked}: {what}s are numbered {base} to {base + count - 1}",
                node.span,
            )
        return asked - base

    return meaning


def _holder(by: Meanings, node: n.OwnerOf) -> Meaning[int]:
    """Return the holder of a card; a reference in memory is held where the real card lies."""
    held = by.present(by.card(node.card), node, "there is no card to have an owner")
    card = by.looked_at(held)
    players = by.program.players

    def meaning(world: World) -> int:
        holder = world.where[card(world)].owner
        if holder >= players:
            raise Fault("no-owner", "this card belongs to no player", node.span)
        return holder

    return meaning
