"""Followers: a game that is played once more by the interpreter, for what its seats see of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

from cardwright.game.board import outcomes_at
from cardwright.game.information.sightings import Chains, Recalled, SeenSoFar, entry_words
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.option import SeenDecision, content_of
from cardwright.interpreter import machine
from cardwright.interpreter.chance import scripted, settle
from cardwright.interpreter.steps import picked_cards
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from cardwright.game.board import Board
    from cardwright.game.information.sightings import Sightings
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.machine import GameLimits
    from cardwright.interpreter.world import World


class GameFollower(Protocol):
    """A game at a decision or at its end, with what its seats have seen; it does not change."""

    @property
    def seen(self) -> SeenSoFar:
        """What its seats have seen, with as many entries as there is room for."""
        ...

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        ...

    def entries(self, count: int) -> array[int]:
        """Return the entries for some of the latest choices as kernels read them."""
        ...

    def after(self, choices: Sequence[int]) -> GameFollower:
        """Return the game after some more choices; raises Fault."""
        ...


class ReferenceFollower:
    """A game as the interpreter follows it; see `GameFollower`."""

    __slots__ = ("_built", "_chains", "_limits", "_recalled", "_room", "_sightings", "_world")

    def __init__(
        self, sightings: Sightings, limits: GameLimits, world: World, seen: SeenSoFar, room: int
    ) -> None:
        """Take over a world and what was seen so far; there is room to recall some choices."""
        self._sightings = sightings
        self._limits = limits
        self._chains = Chains(seen.words)
        self._room = room
        self._recalled = seen.recalled[:room]
        self._world = WatchedWorld.of(world, self._watch)
        self._built: Sequence[BuiltOption] | None = None

    def begun(self, outcomes: Sequence[int]) -> Self:
        """Run a new game to its first decision, by the outcomes of its first draws; raises Fault.

        Only draws by hand have outcomes.
        """
        with scripted(self._world.stream, outcomes):
            self._run_on()
        return self

    @classmethod
    def adopted(
        cls, sightings: Sightings, limits: GameLimits, board: Board, seen: SeenSoFar, room: int
    ) -> Self:
        """Return a follower of a board at a decision, or at the end, where this had been seen."""
        follower = cls(sightings, limits, board.world().copy(), seen, room)
        built = board.built()
        assert built is not None
        follower._built = None if board.finished else built
        return follower

    @property
    def seen(self) -> SeenSoFar:
        """What its seats have seen."""
        return SeenSoFar(tuple(self._chains.words), self._recalled)

    def key(self, seat: int) -> bytes:
        """Return the chain of a seat."""
        return self._chains.key(seat)

    def entries(self, count: int) -> array[int]:
        """Return the entries for some of the latest choices."""
        return entry_words(self._sightings.layout, self._recalled, count)

    def after(self, choices: Sequence[int]) -> Self:
        """Return the game after some more steps, the first of which is a choice; raises Fault."""
        follower = self._copy()
        at = 0
        while at < len(choices):
            outcomes = outcomes_at(choices, at + 1)
            with scripted(follower._world.stream, outcomes):
                follower._step(choices[at])
            at += 1 + len(outcomes)
        return follower

    def _copy(self) -> Self:
        world = self._world.copy()
        follower = type(self)(self._sightings, self._limits, world, self.seen, self._room)
        follower._built = self._built
        return follower

    def _step(self, choice: int) -> None:
        assert self._built is not None
        self._choose(self._built[choice])
        self._run_on()

    def _watch(self, effect: Effect) -> None:
        self._sightings.happened(self._chains, effect)

    def _run_on(self) -> None:
        settle(self._world.stream)
        self._built = machine.advance(self._world, self._limits)
        if self._built is None:
            self._sightings.arrived(self._chains, None, machine.scores(self._world))
        else:
            self._sightings.arrived(self._chains, self._world.players[-1].current, ())

    def _choose(self, option: BuiltOption) -> None:
        """Carry an option out, and let all seats see of the choice what they can."""
        world, witnesses = self._world, self._sightings.witnesses
        branch = self._sightings.branch_number(world, option)
        seat = Seat(world.players[-1].current)
        picked = [card for pick in option.picks for card in picked_cards(pick)]
        before = {card: witnesses(world.where[card]) for card in picked}
        machine.carry_out(world, option)
        after = {card: witnesses(world.where[card]) for card in picked}
        cards: list[int] = []
        shared: dict[tuple[bool, ...], int] = {}
        for observer in self._sightings.seats:
            known = {card: before[card][observer] or after[card][observer] for card in picked}
            key = tuple(known.values())
            if key not in shared:
                content = content_of(option, known.__getitem__, lambda card: before[card][seat])
                shared[key] = self._sightings.decision_word(SeenDecision(seat, content))
            self._chains.add(observer, shared[key])
            cards.append(sum({1 << card for card in picked if known[card]}))
        picks = self._sightings.public_words(option)
        recalled = Recalled(seat, branch, picks, tuple(cards))
        self._recalled = (recalled, *self._recalled)[: self._room]
