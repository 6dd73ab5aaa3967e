"""Layouts: the games, players and tables that an experiment plays.

A deal is played at tables: games with a player in each seat. What several cells and seatings have
in common is played once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np

from cardwright.arena.plan import loaded
from cardwright.lab.cell import check_factors, check_player, game_of, label, player_of
from cardwright.lab.design import cells
from cardwright.lab.factor import LabError
from cardwright.lab.plan import Seating
from cardwright.lab.response import responses_of
from cardwright.lab.stopping import check_stop, needs_bounds

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import NDArray

    from cardwright.arena.plan import GameRef
    from cardwright.game.game import Game
    from cardwright.lab.factor import LabPlayer
    from cardwright.lab.plan import Cell, LabPlan
    from cardwright.lab.response import Response

    Numbers: TypeAlias = NDArray[np.intp]

_Value = TypeVar("_Value")

Seats: TypeAlias = "tuple[int, ...]"
"""The seats of the tested player at a table."""

_COMPARED = range(3)
"""Seeds of deals that are compared: in a single one, cards may lie the same by chance."""


class ExperimentTable(NamedTuple):
    """A game to be played in a deal: the number of its rules, and of the player in each seat."""

    game: int
    seats: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of a deal.

    `at` has the number of a table for each class of opponents, cell, and tested seat of each
    seating; `seat` has the tested seat itself.
    """

    distinct: tuple[ExperimentTable, ...]
    at: Numbers
    seat: Numbers


@dataclass(frozen=True, eq=False)
class ExperimentLayout:
    """All that is played in an experiment.

    A deal plays the tables of `kinds` at its number modulo their length.
    `games` are the distinct rules, `players` the distinct players.
    """

    plan: LabPlan
    cells: tuple[Cell, ...]
    responses: tuple[Response, ...]
    games: tuple[GameRef, ...]
    players: tuple[LabPlayer, ...]
    kinds: tuple[Tables, ...]

    @property
    def seatings(self) -> int:
        """How often a cell is played in a deal, with each class of opponents."""
        return len(seatings(self.plan)[0])

    @property
    def tested(self) -> int:
        """How many seats the tested player has at a table."""
        return len(seatings(self.plan)[0][0])

    @property
    def most_tables(self) -> int:
        """The number of games in a deal, the largest if deals differ."""
        return max(len(kind.distinct) for kind in self.kinds)

    @property
    def counted(self) -> bool:
        """Whether tricks and penalty cards are counted."""
        return any(response.name == "tricks" for response in self.responses)

    def where(self, kind: int, table: int) -> str:
        """Return the first cell for which a table is played, in words."""
        opponents, cell, _ = np.argwhere(self.kinds[kind].at == table)[0].tolist()
        against = self.plan.opponents[opponents].name
        return f"{label(self.plan, self.cells[cell])} against {against}"


def seatings(plan: LabPlan) -> tuple[tuple[Seats, ...], ...]:
    """Return the tested seats of each seating, for each of `ExperimentLayout.kinds`."""
    seats = range(plan.game.players)
    match plan.seating:
        case Seating.ALL:
            return (tuple((seat,) for seat in seats),)
        case Seating.ROTATE:
            return tuple(((seat,),) for seat in seats)
        case Seating.PAIRS:
            return (tuple(combinations(seats, 2)),)


@lru_cache(maxsize=8)
def layout_of(plan: LabPlan) -> ExperimentLayout:
    """Return what a plan plays.

    Raises LabError for anything that cannot be played, in any cell, and for an invalid stopping
    rule; and ChangedGameError if the game is no longer that of the plan.
    """
    loaded(plan.game)
    if plan.game.players < 2:
        raise LabError(f"{plan.game.name} has one seat: there is nobody to play against")
    check_factors(plan)
    found = cells(plan)
    games, game_numbers = _distinct(
        [game_of(plan, cell) for cell in found], lambda game: game.digest
    )
    players, numbers = _distinct(
        [*(player_of(plan, cell) for cell in found), *plan.opponents],
        lambda player: (player.spec, player.lists),  # names are for people only
    )
    measured = responses_of(games, ranged=needs_bounds(plan.stop))
    if plan.stop is not None:
        check_stop(plan.stop, measured)
    for player in players:
        check_player(player, map(loaded, games))
    tested, opponents = numbers[: len(found)], numbers[len(found) :]
    pairs = list(zip(game_numbers, tested, strict=True))
    kinds = tuple(_tables(kind, pairs, opponents, plan.game.players) for kind in seatings(plan))
    return ExperimentLayout(plan, found, measured, games, players, kinds)


def _tables(
    kind: tuple[Seats, ...], pairs: list[tuple[int, int]], opponents: list[int], players: int
) -> Tables:
    tables = [
        ExperimentTable(game, tuple(tested if at in seats else other for at in range(players)))
        for other in opponents
        for game, tested in pairs
        for seats in kind
        for _ in seats
    ]
    distinct, numbers = _distinct(tables, lambda table: table)
    at = np.array(numbers, np.intp).reshape(len(opponents), len(pairs), -1)
    return Tables(distinct, at, np.array([seat for seats in kind for seat in seats], np.intp))


def _distinct(
    values: Iterable[_Value], key: Callable[[_Value], Hashable]
) -> tuple[tuple[_Value, ...], list[int]]:
    """Return values in order of first appearance, those with equal keys once; and all numbers."""
    first: dict[Hashable, _Value] = {}
    numbers: dict[Hashable, int] = {}
    found = []
    for value in values:
        first.setdefault(key(value), value)
        found.append(numbers.setdefault(key(value), len(numbers)))
    return tuple(first.values()), found


def notes(plan: LabPlan) -> tuple[str, ...]:
    """Return sentences on what a plan's results depend on besides the plan; none for most plans.

    Raises LabError for a plan that cannot be played.
    """
    layout = layout_of(plan)
    found = []
    if len({_dealt(loaded(game)) for game in layout.games}) > 1:
        found.append(
            "The levels of an option change how the cards are dealt, so its cells do not have the "
            "same deals: their differences are as uncertain as those of separate experiments."
        )
    specs = sorted({player.spec for player in layout.players if player.spec is not None})
    if timed := [spec for spec in specs if ":ms=" in spec.replace(",", ":")]:
        found.append(
            f"{' and '.join(timed)}: how far a search gets in a given time depends on the machine, "
            "so another run will not give the same results."
        )
    if files := [spec for spec in specs if spec.startswith("python:")]:
        found.append(
            f"{' and '.join(files)}: the plan does not say what is in a file; if it is changed, "
            "results from before and after must not be combined."
        )
    return tuple(found)


def _dealt(game: Game) -> tuple[object, ...]:
    """Return where all cards lie when some deals begin, to compare how games deal."""
    found: list[object] = []
    quick = game.with_engine("interpreter")  # nothing has to be compiled for it
    for seed in _COMPARED:
        state = quick.start(seed)
        # The view of the seat to decide would include the options, which takes long.
        other = next(seat for seat in range(game.players) if seat != state.player)
        for owner, kind, name, at in sorted(state.view(other).locations):
            whose = None if owner == game.program.table else int(owner)
            cards = state.cards(whose, kind, name, at)
            attributes = [tuple(card.attributes.items()) for card in cards]
            found.append((owner, kind, name, at, *attributes))
    return tuple(found)
