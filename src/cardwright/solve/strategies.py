"""Strategies as values and files, from and to the arrays of a sequence form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.jobs.files import write_whole
from cardwright.players.strategy import Strategy, StrategyOption, StrategySet
from cardwright.solve.sequences import exploitability
from cardwright.solve.tree import MadeWhenSeen, SolveError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from cardwright.game.game import Game
    from cardwright.solve.sequences import SequenceForm
    from cardwright.solve.tree import Reals, Utility


def strategy_of(
    form: SequenceForm,
    game: Game,
    arrays: Sequence[Reals],
    scored: SequenceForm,
    *,
    method: str,
    utility: Utility,
    iterations: int = 0,
    regrets: Sequence[Reals] | None = None,
    weights: Sequence[Reals] | None = None,
) -> Strategy:
    """Return the strategy of arrays, one of each seat, with what it is worth.

    `scored` is the form of the same tree whose utilities are scores, of which more is better.
    Information sets are put into words when they are first looked at.
    `regrets` and `weights` are those of regret minimization, to go on from there.
    """
    nothing = [np.zeros(seat.count) for seat in form.seats]
    found = exploitability(form, arrays)
    kept = [
        [array.copy() for array in values]
        for values in (arrays, regrets or nothing, weights or nothing)
    ]
    places = {number: (seat, *ends) for seat, number, *ends in set_places(form)}

    def described(number: int) -> StrategySet:
        known, (seat, first, end) = form.tree.sets[number], places[number]
        numbers = (values[seat][first:end].tolist() for values in kept)
        options = map(StrategyOption, known.options, known.contents, *numbers)
        return StrategySet(seat, str(known.key), known.sees, tuple(options))

    sign = 1 if game.highest_wins else -1
    scores = tuple(sign * value for value in _worth(scored, arrays))
    return Strategy(
        game.name, game.program.digest, method, str(utility), iterations,
        found.values, found.per_seat, MadeWhenSeen(len(places), described), scores,
    )  # fmt: skip


def _worth(form: SequenceForm, arrays: Sequence[Reals]) -> tuple[float, ...]:
    """Return what strategies, one of each seat, are worth to the seats."""
    reached = np.ones(len(form.joint))
    for seat, (sequences, strategy) in enumerate(zip(form.seats, arrays, strict=True)):
        reached *= sequences.plan(strategy)[form.joint[:, seat]]
    return tuple((reached @ form.payoffs).tolist())


def arrays_of(form: SequenceForm, strategy: Strategy, what: str = "probability") -> list[Reals]:
    """Return an attribute of the options of a strategy as arrays, one of each seat.

    A sampled strategy is uniform where it has not been. Raises SolveError if the strategy is of
    another tree.
    """
    arrays = form.uniform() if what == "probability" else [np.zeros(s.count) for s in form.seats]
    for seat, number, first, end in set_places(form):
        known = form.tree.sets[number]
        found = strategy.by_key.get(str(known.key))
        if found is None and strategy.sampled:
            continue
        if found is None or tuple(one.content for one in found.options) != known.contents:
            raise SolveError(
                f"the strategy is not for this tree: it says nothing of p{seat + 1} where it sees "
                f"{known.sees}"
            )
        arrays[seat][first:end] = [getattr(option, what) for option in found.options]
    return arrays


def save_strategy(strategy: Strategy, file: Path) -> None:
    """Write a strategy into a file, whole or not at all; raises RecordsError."""
    write_whole(file, strategy.to_text().encode())


def set_places(form: SequenceForm) -> Iterator[tuple[int, int, int, int]]:
    """Yield each information set: its seat, its number, and its first and next sequence."""
    for at, seat in enumerate(form.seats):
        for place, number in enumerate(seat.sets):
            yield at, int(number), int(seat.firsts[place]), int(seat.firsts[place + 1])
