"""Histories, followed and enumerated by the interpreter: what those of machine code have to be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

from cardwright.game.information.knowledge import Witnesses
from cardwright.game.information.tracker import WatchedGame
from cardwright.interpreter.effects import Shuffled
from cardwright.interpreter.machine import start

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from cardwright.game.board import Board
    from cardwright.game.game import Game, State
    from cardwright.game.native.histories import History


class _Shuffles(WatchedGame):
    """A game of which the orders after shuffles are noted."""

    orders: tuple[tuple[int, ...], ...] = ()

    def _watch(self, effect):
        if isinstance(effect, Shuffled) and effect.after:
            self.orders = (*self.orders, tuple(effect.after))

    def _note(self, option, seen, in_sight):
        pass


def orders_of(game: Game, seed: int, choices: Sequence[int]) -> Sequence[Sequence[int]]:
    """Return the orders of the cards after each shuffle of a game."""
    reference = game._reference
    world = start(reference.rules, seed)
    followed = _Shuffles(reference.limits, world, Witnesses(game.program)).begun()
    return followed.after(choices).orders


def retraced(game: Game, state: State, history: History) -> State:
    """Return the state to which a history leads, by chance by hand; nothing but shuffles draws."""
    orders = [*orders_of(game, state.seed, state.choices)]
    orders[len(orders) - len(history.orders) :] = history.orders
    choices = [*state.choices[: history.made], *history.choices]
    played, at, left = game.start_chance(), -1, set()
    while True:
        if played.chance is not None:
            draw = played.chance._draw
            assert draw.cards
            at += set(draw.items) != left  # else the same shuffle goes on
            card = orders[at][draw.at]
            left = {*draw.items} - {card}
            played.take_chance(draw.items.index(card))
        elif choices:
            played.play(choices.pop(0))
        else:
            return played


def signature(board: Board) -> Hashable:
    """Return where all cards lie, without their order."""
    return frozenset(
        (pile.location, frozenset(pile.cards)) for pile in board.world().touched() if pile.cards
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
            found[signature(played._board)] += weight
    total = sum(found.values())
    return {world: share / total for world, share in found.items()}
