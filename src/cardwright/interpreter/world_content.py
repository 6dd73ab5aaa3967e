"""The content of a world as plain values, for pickles: all that its rules do not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.interpreter.rules import RuleBlock
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Pile, RunFrame, TurnCycle, World

if TYPE_CHECKING:
    from typing import TypeAlias

    from cardwright.interpreter.points import Awards
    from cardwright.interpreter.rules import Rules
    from cardwright.interpreter.stream import Words
    from cardwright.interpreter.world import Cell
    from cardwright.program.cards import CardId, Location

    PileContent: TypeAlias = tuple[Location, bool, list[CardId], int | None, list[CardId]]
    Cycles: TypeAlias = tuple[tuple[int, int | None], ...]


class WorldContent(NamedTuple):
    """What a world holds, without its rules; the parts have the names that they have there.

    A frame is the number of its block and how far it has been run, a point map its awards.
    """

    words: Words
    piles: tuple[PileContent, ...]
    where: tuple[Location, ...]
    integers: dict[Cell, int]
    strings: dict[Cell, str]
    points: dict[Cell, Awards]
    players: Cycles
    teams: Cycles
    frames: tuple[tuple[int, int], ...]
    births: int
    decisions: int
    one_deal: bool


def content_of_world(world: World) -> WorldContent:
    """Return the content of a world that is not building options."""
    return WorldContent(
        world.stream.words,
        tuple(
            (pile.location, pile.ordered, pile.cards.copy(), pile.born, pile.known.copy())
            for pile in world.piles.values()
            if pile.born is not None
        ),
        tuple(world.where),
        world.integers.copy(),
        world.strings.copy(),
        {cell: found.awards for cell, found in world.points.items()},
        tuple((cycle.current, cycle.queued) for cycle in world.players),
        tuple((cycle.current, cycle.queued) for cycle in world.teams),
        tuple((frame.block.number, frame.at) for frame in world.frames),
        world.births,
        world.decisions,
        world.one_deal,
    )


def world_with(rules: Rules, content: WorldContent) -> World:
    """Return a world with a content; raises KeyError for a block that the rules do not have."""
    world = World(rules, 0)
    world.stream = Stream.at(content.words)
    for location, ordered, cards, born, known in content.piles:
        pile = world.piles[location] = Pile(location, ordered=ordered)
        pile.cards, pile.born, pile.known = cards.copy(), born, list(known)
    world.where = list(content.where)
    world.integers, world.strings = dict(content.integers), dict(content.strings)
    world.points = {cell: rules.point_map(awards) for cell, awards in content.points.items()}
    world.players = [TurnCycle(*cycle) for cycle in content.players]
    world.teams = [TurnCycle(*cycle) for cycle in content.teams]
    blocks = _blocks(rules)
    world.frames = [RunFrame(blocks[number], at) for number, at in content.frames]
    world.births, world.decisions = content.births, content.decisions
    world.one_deal = content.one_deal
    return world


def _blocks(rules: Rules) -> dict[int, RuleBlock]:
    """Return all blocks of some rules by their numbers."""
    found: dict[int, RuleBlock] = {}
    pending = [rules.items]
    while pending:
        block = pending.pop()
        found[block.number] = block
        pending += [item for item in block.items if isinstance(item, RuleBlock)]
    return found
