"""The table of a game as it is played: what happens to its cards and stored values, turn by turn.

The game is played by the interpreter, which alone knows the effects of a choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.english import counted
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.wording.describe import choice_at, with_labels, wording_of
from cardwright.game.wording.naming import PeopleNamer
from cardwright.game.wording.option_text import short_name
from cardwright.interpreter import machine
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.world import Decide, Fault, RuleBlock
from cardwright.program.cards import LocationKind, OwnerId
from cardwright.table.narrator import Eyes, Narrator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cardwright.game.game import Game
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.program.cards import CardId, Location
    from cardwright.syntax.source import Span

_PILE = 16
"""The most cards of a pile that are named."""

_TOP = 8
"""How many are named of a larger one, from the top."""


@dataclass(frozen=True)
class TableMoment:
    """What happened up to a moment, in sentences, and what has changed since the one before.

    `locations` has the cards of each location that changed, bottom first, and `stored` the values.
    """

    said: tuple[str, ...]
    locations: dict[str, str]
    stored: dict[str, str]


@dataclass(frozen=True)
class TableDecision:
    """A decision in words, such as `plays the 5 of clubs`, and the moments until the next one."""

    seat: int
    words: str
    moments: tuple[TableMoment, ...]


class TurnWorld(WatchedWorld):
    """A world that also reports the end of every turn of a stage."""

    __slots__ = ("stages", "turn")

    stages: frozenset[Span]
    turn: Callable[[], None]

    def count(self, rounds: int, span: Span) -> None:
        """Count rounds; where they are those of a test whether a stage is over, a turn is."""
        super().count(rounds, span)
        if self.journal is None and span in self.stages:
            self.turn()


class WatchedTable:
    """A game from its seed on, as the player of a seat sees it, or all of it if the seat is None.

    `opening` are the moments before the first decision. If the game breaks a rule it is `stopped`:
    then the last moment is that before the error, which `State.play` tells.
    """

    def __init__(self, game: Game, seed: int, seat: int | None = None) -> None:
        self._game = game
        self._seat = seat
        self._eyes = Eyes.of(seat)
        self._namer = _namer(game)
        self._narrator = Narrator(self._namer, self._eyes, frozenset(), {}, person=False)
        self._locations: dict[str, str] = {}
        self._stored: dict[str, str] = {}
        self._effects: list[Effect] = []
        self._moments: list[TableMoment] = []
        rules = Rules(game.program)
        world = TurnWorld.of(machine.start(rules, seed), self._effects.append)
        assert isinstance(world, TurnWorld)
        world.stages = frozenset(_stages(rules.items, dealing=_asks(rules.items)))
        world.turn = self._turn
        self._world = world
        self._built: Sequence[BuiltOption] = ()
        self.stopped = False
        self.opening = self._advance()

    def choose(self, index: int) -> TableDecision:
        """Carry out an option of the decision that is due, and run to the next one."""
        world, choice = self._world, choice_at(self._world)
        option = with_labels(choice, self._built, world)[index]
        seat = world.players[-1].current
        words = self._narrator.done(seat, option, wording_of(choice.node, self._namer))
        machine.carry_out(world, option)
        self._effects.clear()
        self._moment(())
        return TableDecision(seat, words, self._advance())

    def _advance(self) -> tuple[TableMoment, ...]:
        try:
            self._built = machine.advance(self._world, self._game.limits) or ()
        except Fault:
            self.stopped = True
        self._turn()
        self._moment(())  # what was there from the start
        moments, self._moments = tuple(self._moments), []
        return moments

    def _turn(self) -> None:
        """Note what the rules did by themselves, if anything."""
        if self._effects:
            said = self._narrator.changes(self._effects)
            self._effects.clear()
            self._moment(said)

    def _moment(self, said: tuple[str, ...]) -> None:
        locations, stored = dict(self._cards()), dict(self._values())
        emptied = {name: "empty" for name in self._locations if name not in locations}
        moment = TableMoment(
            said,
            _changed(self._locations, locations) | emptied,
            _changed(self._stored, stored),
        )
        self._locations, self._stored = locations, stored
        if moment.said or moment.locations or moment.stored:
            self._moments.append(moment)

    # What lies and what is stored ---------------------------------------------------------

    def _cards(self) -> Iterator[tuple[str, str]]:
        """Yield the locations with cards, those of the table last."""
        piles = [pile for pile in self._world.touched() if pile.cards]
        for pile in sorted(piles, key=lambda pile: pile.location.owner):
            yield self._name(pile.location), self._pile(pile.location, pile.cards)

    def _name(self, location: Location) -> str:
        name = self._game.namer.place(location)
        return f"{name} (noted)" if location.kind is LocationKind.MEMORY else name

    def _pile(self, location: Location, cards: Sequence[CardId]) -> str:
        game = self._game
        count = counted(len(cards), "card")
        if not self._eyes.see(game.program, location):
            return count
        shown = cards if len(cards) <= _PILE else cards[-_TOP:]
        names = [short_name(game.cards[card], game.namer, symbols=False) for card in shown]
        joint = ", " if any(" " in name for name in names) else " "
        text = joint.join(names)
        return text if len(shown) == len(cards) else f"... {text} ({count})"

    def _values(self) -> Iterator[tuple[str, str]]:
        world, program = self._world, self._game.program
        stored: list[tuple[tuple[int, str], int | str]] = [*world.integers.items()]
        stored += world.strings.items()
        for key, value in sorted(stored, key=lambda one: one[0]):
            owner, name = key
            whose = "" if owner == program.table else f"{program.owner_name(OwnerId(owner))}'s "
            both = key in world.integers and isinstance(value, str)
            yield f"{whose}{name}{' (text)' if both else ''}", str(value) or "(nothing)"


def _namer(game: Game) -> PeopleNamer:
    """Return names that fit those of the rules, as locations and stored values are shown too."""
    program = game.program
    seats = map(OwnerId, range(program.players))
    return PeopleNamer(program, game.words, list(map(program.owner_name, seats)))


def _changed(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _stages(block: RuleBlock, *, dealing: bool = False) -> Iterator[Span]:
    """Yield the stages of which a turn is worth a moment.

    Where players choose at all, a stage in which nobody does is `dealing`, and told as a whole.
    """
    for item in block.items:
        if isinstance(item, RuleBlock):
            if not dealing or _asks(item):
                yield item.span
            yield from _stages(item, dealing=dealing)


def _asks(block: RuleBlock) -> bool:
    """Return whether a player may have to choose in a block."""
    return any(
        isinstance(item, Decide) or (isinstance(item, RuleBlock) and _asks(item))
        for item in block.items
    )
