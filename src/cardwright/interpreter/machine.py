"""The machine: stages, blocks and decisions in order of play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import index
from typing import TYPE_CHECKING

from cardwright.interpreter.cards import location, meanings
from cardwright.interpreter.effects import Pile
from cardwright.interpreter.steps import build, explorer, step
from cardwright.interpreter.values import Meanings, condition, integer
from cardwright.interpreter.world import (
    Decide,
    Fault,
    GameRules,
    RuleBlock,
    Run,
    RunFrame,
    Skip,
    Test,
    TurnCycle,
    World,
)
from cardwright.program import nodes as n
from cardwright.program.effects import EffectAnalysis
from cardwright.program.limits import OPTION_WORDS, ROUNDS_A_STEP
from cardwright.program.places import places
from cardwright.program.program import deal_stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.interpreter.effects import BuiltOption
    from cardwright.interpreter.world import Item
    from cardwright.program.program import Program

LEFT_OUT: dict[type[n.Node], str] = {n.ErrorNode: "a program with errors is never run"}
"""The classes of nodes that are given no meaning, with the reason."""


class Rules(GameRules):
    """The meanings of a program's items, and everything that its worlds share."""

    def __init__(
        self,
        program: Program,
        most_options: Callable[[n.Choice], int] | None = None,
        kind: type[Meanings] = Meanings,
    ) -> None:
        """Prepare a program by meanings of a kind.

        `most_options` is the most options that a choice may have.
        """
        super().__init__(program)
        self._most_options = most_options or (lambda _: OPTION_WORDS)
        self._by = by = meanings(program, kind)
        self.decks = [(location(by, deck.location), deck.cards) for deck in program.decks]
        self._blocks = 0
        self._deal = deal_stage(program.items)
        self.items = self._block(RuleBlock(0, program.score.span), program.items)
        self.score = integer(by, program.score)
        self.places = places(EffectAnalysis(program))

    def _block(self, block: RuleBlock, items: tuple[n.Node, ...]) -> RuleBlock:
        self._blocks += 1
        rules: list[Item] = []
        for item in items:
            self._add(rules, item)
        block.items = tuple(rules)
        return block

    def _add(self, items: list[Item], node: n.Node) -> None:
        """Add a node to the items of a block; a fork is several."""
        if not isinstance(node, n.Fork):
            items.append(self._item(node))
            return
        holds = condition(self._by, node.test)
        at = len(items)
        items.append(Skip(at))
        self._add(items, node.item)
        if node.otherwise is not None:
            items.append(Skip(len(items)))
        items[at] = Test(holds, len(items), node.span)
        if node.otherwise is not None:
            end = len(items) - 1
            self._add(items, node.otherwise)
            items[end] = Skip(len(items))

    def _item(self, node: n.Node) -> Item:
        match node:
            case n.Stage():
                end = condition(self._by, node.end)
                deal = node is self._deal
                block = RuleBlock(self._blocks, node.span, end, node.team, deal)
                return self._block(block, node.items)
            case n.Choice():
                explorers = tuple(explorer(self._by, inner) for inner in node.steps)
                labelled = any(self.program.label(inner) for inner in n.walk(node))
                return Decide(explorers, node.span, node, self._most_options(node), labelled)
        return Run(step(self._by, node), node.span)


@dataclass(frozen=True, slots=True)
class GameLimits:
    """When a game is abandoned: steps in a row without a decision, and decisions in total.

    In loops that can be long, a thousand rounds count as a step (`cardwright.program.rounds`).

    Raises TypeError for a value that is not an integer, and ValueError for one below 0 or beyond
    the signed 64 bits in which machine code counts.
    """

    steps: int = 10_000
    decisions: int = 100_000

    def __post_init__(self) -> None:
        for field in fields(self):
            value = index(getattr(self, field.name))
            if not 0 <= value < 2**63:
                raise ValueError(f"the limit of {field.name} is 0 to 2**63 - 1, not {value}")
            object.__setattr__(self, field.name, value)


def start(rules: GameRules, seed: int) -> World:
    """Return a new game's world after the set-up, before its first item."""
    world = World(rules, seed)
    set_up(world)
    return world


def set_up(world: World) -> None:
    """Lay the cards of a new world where they are before the first item."""
    for place, laid in world.rules.decks:
        pile = place(world)
        assert isinstance(pile, Pile)
        if laid:
            world.bear(pile)
        pile.cards.extend(laid)
        world.where.extend(pile.location for _ in laid)


def advance(world: World, limits: GameLimits) -> list[BuiltOption] | None:
    """Run until a decision is due and return its options, or None when the game is over.

    Raises Fault for a broken rule.
    """
    frames = world.frames
    world.allow(limits.steps)
    world.tidy()
    while True:
        frame = frames[-1]
        if frame.at == len(frame.block.items):
            if frame.block.end is None:
                return None
            if frame.block.deal and world.one_deal:
                frames.pop()  # what follows the stage of deals is skipped
                _cycles(world, frame.block).pop()
                frames[-1].at = len(frames[-1].block.items)
            else:
                _next_turn(world, frame)
            continue
        match frame.block.items[frame.at]:
            case Run(act, span):
                world.count(ROUNDS_A_STEP, span)
                frame.at += 1
                act(world)
                world.tidy()
            case Decide(explorers, span) as choice:
                if world.decisions >= limits.decisions:
                    raise Fault(
                        "decisions", f"the game has had {world.decisions:,} decisions", span
                    )
                options = build(explorers, world, span, choice.most)
                if not options:
                    raise Fault("no-options", "this choice has no options", span)
                return options
            case Test(holds, otherwise, span):
                world.count(ROUNDS_A_STEP, span)
                frame.at = frame.at + 1 if holds(world) else otherwise
            case Skip(then):
                frame.at = then
            case RuleBlock() as stage:
                _enter(world, stage, frame)


def _cycles(world: World, stage: RuleBlock) -> list[TurnCycle]:
    return world.teams if stage.team else world.players


def _ends(world: World, stage: RuleBlock) -> bool:
    world.count(ROUNDS_A_STEP, stage.span)
    assert stage.end is not None
    return stage.end(world)


def _enter(world: World, stage: RuleBlock, frame: RunFrame) -> None:
    """Begin a stage with a copy of its cycle, queue empty; drop it if the end holds."""
    cycles = _cycles(world, stage)
    cycles.append(TurnCycle(cycles[-1].current))
    if _ends(world, stage):
        cycles.pop()
        frame.at += 1
    else:
        world.frames.append(RunFrame(stage))


def _next_turn(world: World, frame: RunFrame) -> None:
    """Test the end with the player of the last turn still current; then advance the cycle."""
    stage = frame.block
    cycles = _cycles(world, stage)
    if _ends(world, stage):
        cycles.pop()
        world.frames.pop()
        world.frames[-1].at += 1
        return
    program = world.rules.program
    cycle = cycles[-1]
    cycle.current = cycle.successor(len(program.teams) if stage.team else program.players)
    cycle.queued = None
    frame.at = 0


def carry_out(world: World, option: BuiltOption) -> None:
    """Carry out a chosen option; the stream continues from where building the option left it.

    The world applies its effects; a world that is watched reports each right after it happened.
    """
    world.frames[-1].at += 1
    world.decisions += 1
    for effect in option.effects:
        world.do(effect)
    world.stream.words = option.words


def scores(world: World) -> list[int]:
    """Return the score of every player, each evaluated with that player current.

    All of them together may take as many steps as are allowed between two decisions.
    """
    world.allow(world.allowance)
    points = []
    for seat in range(world.rules.program.players):
        world.players.append(TurnCycle(seat))
        points.append(world.rules.score(world))
        world.players.pop()
    return points


def ranks(scores: list[int], *, highest_wins: bool) -> list[int]:
    """Return for every player how many have a strictly better score."""
    sign = 1 if highest_wins else -1
    return [sum(sign * other > sign * mine for other in scores) for mine in scores]
