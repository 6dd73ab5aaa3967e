"""Histories, followed and enumerated by the interpreter: what those of machine code have to be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from cardwright.game.followers import ReferenceFollower
from cardwright.game.information.sightings import SeenSoFar
from cardwright.game.information.tracker import WatchedWorld
from cardwright.interpreter.effects import Shuffled
from cardwright.interpreter.machine import advance, start
from cardwright.interpreter.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from cardwright.game.game import Game, State
    from cardwright.game.native.histories import History
    from cardwright.game.option import SeenDecision
    from cardwright.interpreter.effects import BuiltOption, Effect
    from cardwright.interpreter.world import World

    Orders = Sequence[tuple[int, ...]]


class _ImposedWorld(WatchedWorld):
    """A world whose shuffles bring about given orders, as far as there are any for their cards.

    `orders` are those of all shuffles from the first on, and `done` those that have happened.
    """

    __slots__ = ("done", "orders")

    def do(self, effect: Effect) -> None:
        if isinstance(effect, Shuffled) and effect.after:
            built = self.journal or ()
            at = len(self.done) + sum(isinstance(one, Shuffled) for one in built)
            order = self.orders[at] if at < len(self.orders) else ()
            if sorted(order) == sorted(effect.after):
                effect = effect._replace(after=tuple(order))
            if self.journal is None:
                self.done.append(effect.after)
        super().do(effect)


class Replay(ReferenceFollower):
    """A game that is played once more by the interpreter, in place, with given orders of cards."""

    def __init__(
        self, game: Game, seed: int, orders: Orders = (), *, drawn: int | None = None
    ) -> None:
        """Begin the game of a seed; what is `drawn` but orders may be that of another one."""
        reference, sightings = game._reference, game._sightings
        seen = SeenSoFar(sightings.beginning)
        world = start(reference.rules, seed)
        world.stream = Stream(seed if drawn is None else drawn)
        super().__init__(sightings, reference.limits, world, seen, 0)
        self.world = self._world = _ImposedWorld.of(world, self._watch)
        self.world.orders, self.world.done = orders, []
        self.begun()

    @property
    def options(self) -> Sequence[BuiltOption]:
        return self._built or ()

    @property
    def decides(self) -> int | None:
        """Who has to decide; None if the game is over."""
        return None if self._built is None else self._world.players[-1].current

    def draw_anew(self, seed: int) -> None:
        """Let what is drawn from here on be that of a seed."""
        self._world.stream = Stream(seed)
        self._built = advance(self._world, self._limits)

    def seen(self, option: BuiltOption) -> list[SeenDecision]:
        """Return an option as each seat would see it, and as a spectator would."""
        return self._seen(option)[0]

    def play(self, option: BuiltOption) -> None:
        self._choose(option, ())


def retraced(game: Game, state: State, history: History) -> Replay:
    """Return the game to which a history leads."""
    true = Replay(game, state.seed)
    for choice in state.choices:
        true.play(true.options[choice])
    orders = true.world.done
    orders[len(orders) - len(history.orders) :] = history.orders
    begins = len(history.seeds) > len(history.choices)
    replay = Replay(game, state.seed, orders, drawn=history.seeds[0] if begins else None)
    for choice in state.choices[: history.made]:
        replay.play(replay.options[choice])
    for choice, seed in zip(history.choices, history.seeds[begins:], strict=True):
        replay.draw_anew(seed)
        replay.play(replay.options[choice])
    return replay


def signature(world: World) -> Hashable:
    """Return where all cards lie, without their order."""
    return frozenset(
        (pile.location, frozenset(pile.cards)) for pile in world.touched() if pile.cards
    )


def agreeing(game: Game, state: State, seat: int) -> dict[Hashable, Fraction]:
    """Return the share of every world among the histories that a seat cannot tell from a state.

    Each order of cards is as likely as any other, and so is each way to make the choices.
    """
    key, made = state.information(seat), len(state.choices)
    found: Counter[Hashable] = Counter()

    def histories(played: State, weight: Fraction) -> Iterator[tuple[State, Fraction]]:
        if played.chance is not None:
            total = sum(played.chance.weights)
            for outcome, part in enumerate(played.chance.weights):
                after = played.copy()
                after.take_chance(outcome)
                yield from histories(after, weight * Fraction(part, total))
        elif len(played.choices) == made:
            yield played, weight
        elif not played.finished:
            for option in range(played.option_count):
                after = played.copy()
                after.play(option)
                yield from histories(after, weight)

    for played, weight in histories(game.start_chance(), Fraction(1)):
        if played.player == state.player and played.information(seat) == key:
            found[signature(played._board.world())] += weight
    total = sum(found.values())
    return {world: share / total for world, share in found.items()}
