"""Followers: a game that is played once more by the interpreter, for what its seats see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

from cardwright.game.history import SeenDecision, content_of
from cardwright.game.picked import picked_cards
from cardwright.game.sightings import Chains
from cardwright.game.tracker import WatchedWorld
from cardwright.interpreter import machine
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.sightings import Sightings
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.options import BuiltOption
    from cardwright.interpreter.rules import Rules
    from cardwright.interpreter.world import World


class GameFollower(Protocol):
    """A game at a decision or at its end, with the chains of what its seats have seen.

    It does not change. `words` has two words for each seat and the spectator.
    """

    @property
    def words(self) -> tuple[int, ...]:
        """The chains of all seats, and last the spectator's."""
        ...

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        ...

    def after(self, choices: Sequence[int]) -> GameFollower:
        """Return the game after some more choices; raises Fault."""
        ...


class ReferenceFollower:
    """A game as the interpreter follows it; see `GameFollower`."""

    __slots__ = ("_built", "_chains", "_limits", "_sightings", "_world")

    def __init__(
        self, sightings: Sightings, limits: GameLimits, world: World, chains: Chains
    ) -> None:
        """Take over a world and its chains."""
        self._sightings = sightings
        self._limits = limits
        self._chains = chains
        self._world = WatchedWorld.of(world, self._watch)
        self._built: Sequence[BuiltOption] | None = None

    @classmethod
    def started(cls, sightings: Sightings, limits: GameLimits, rules: Rules, seed: int) -> Self:
        """Return a new game at its first decision; raises Fault."""
        chains = Chains(sightings.beginning)
        follower = cls(sightings, limits, machine.start(rules, seed), chains)
        follower._run_on()
        return follower

    @classmethod
    def adopted(
        cls, sightings: Sightings, limits: GameLimits, board: Board, words: Sequence[int]
    ) -> Self:
        """Return a follower of a board at a decision, or at the end, that begins with chains."""
        follower = cls(sightings, limits, board.world().copy(), Chains(words))
        built = board.built()
        assert built is not None
        follower._built = None if board.finished else built
        return follower

    @property
    def words(self) -> tuple[int, ...]:
        """The chains."""
        return tuple(self._chains.words)

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        return self._chains.key(seat)

    def after(self, choices: Sequence[int]) -> Self:
        """Return the game after some more choices; raises Fault."""
        follower = self._copy()
        for choice in choices:
            follower._step(choice)
        return follower

    def _copy(self) -> Self:
        chains = Chains(self._chains.words)
        follower = type(self)(self._sightings, self._limits, self._world.copy(), chains)
        follower._built = self._built
        return follower

    def _step(self, choice: int) -> None:
        assert self._built is not None
        self._choose(self._built[choice])
        self._run_on()

    def _watch(self, effect: Effect) -> None:
        self._sightings.happened(self._chains, effect)

    def _run_on(self) -> None:
        self._built = machine.advance(self._world, self._limits)
        if self._built is None:
            self._sightings.arrived(self._chains, None, machine.scores(self._world))
        else:
            self._sightings.arrived(self._chains, self._world.players[-1].current, ())

    def _choose(self, option: BuiltOption) -> None:
        """Carry an option out, and let all seats see of the choice what they can."""
        world, witnesses = self._world, self._sightings.witnesses
        seat = Seat(world.players[-1].current)
        picked = [card for pick in option.picks for card in picked_cards(pick)]
        before = {card: witnesses(world.where[card]) for card in picked}
        machine.carry_out(world, option)
        after = {card: witnesses(world.where[card]) for card in picked}
        shared: dict[tuple[bool, ...], int] = {}
        for observer in self._sightings.seats:
            known = {card: before[card][observer] or after[card][observer] for card in picked}
            key = tuple(known.values())
            if key not in shared:
                content = content_of(option, known.__getitem__, lambda card: before[card][seat])
                shared[key] = self._sightings.decision_word(SeenDecision(seat, content))
            self._chains.add(observer, shared[key])
