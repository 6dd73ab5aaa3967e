"""Layouts: the games, players and tables that an experiment plays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np

from cardwright.arena.plan import loaded
from cardwright.lab.cell import check_factors, check_player, game_of, label, plain, player_of
from cardwright.lab.design import cells
from cardwright.lab.factor import LabError
from cardwright.lab.plan import Seating
from cardwright.lab.response import responses_of
from cardwright.lab.stopping import check_stop, needs_bounds

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray

    from cardwright.arena.plan import GameRef
    from cardwright.game.game import Game
    from cardwright.lab.factor import LabPlayer
    from cardwright.lab.plan import Cell, LabPlan
    from cardwright.lab.response import Response

    Numbers: TypeAlias = NDArray[np.intp]

Value = TypeVar("Value")

Seats: TypeAlias = "tuple[int, ...]"
"""The seats of the tested player at a table."""


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

    def where(self, kind: int, table: int) -> str:
        """Return the first cell for which a table is played, in words."""
        found = np.argwhere(self.kinds[kind].at == table)[0]
        opponents = self.plan.opponents[int(found[0])].name
        return f"{label(self.plan, self.cells[int(found[1])])} against {opponents}"


def seatings(plan: LabPlan) -> tuple[tuple[Seats, ...], ...]:
    """Return the tested seats of each seating, for each of `ExperimentLayout.kinds`."""
    players = plan.game.players
    match plan.seating:
        case Seating.ALL:
            return (tuple((seat,) for seat in range(players)),)
        case Seating.ROTATE:
            return tuple(((seat,),) for seat in range(players))
        case Seating.PAIRS:
            return (tuple(combinations(range(players), 2)),)


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
    games = _Numbered["GameRef"]()
    players = _Numbered["LabPlayer"]()
    pairs = []
    for cell in found:
        game, tested = game_of(plan, cell), player_of(plan, cell)
        pairs.append((games.number(game.digest, game), _player(players, tested)))
    opponents = [_player(players, plain(who)) for who in plan.opponents]
    measured = responses_of(games.all, ranged=needs_bounds(plan.stop))
    if plan.stop is not None:
        check_stop(plan.stop, measured)
    for who in players.all:
        check_player(who, map(loaded, games.all))
    return ExperimentLayout(
        plan,
        found,
        measured,
        games.all,
        players.all,
        tuple(_tables(kind, pairs, opponents, plan.game.players) for kind in seatings(plan)),
    )


def _player(players: _Numbered[LabPlayer], who: LabPlayer) -> int:
    return players.number((who.spec, who.lists), who)  # names are for people only


def _tables(
    kind: tuple[Seats, ...], pairs: list[tuple[int, int]], opponents: list[int], players: int
) -> Tables:
    tables = _Numbered[ExperimentTable]()
    at = []
    for other in opponents:
        for game, tested in pairs:
            for seats in kind:
                row = tuple(tested if seat in seats else other for seat in range(players))
                table = ExperimentTable(game, row)
                at += [tables.number(table, table)] * len(seats)
    shape = (len(opponents), len(pairs), -1)
    seat = [seat for seats in kind for seat in seats]
    return Tables(tables.all, np.array(at, np.intp).reshape(shape), np.array(seat, np.intp))


class _Numbered(Generic[Value]):
    """Values in order of first appearance, those with equal keys once."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._values: list[Value] = []

    @property
    def all(self) -> tuple[Value, ...]:
        """All values."""
        return tuple(self._values)

    def number(self, key: Hashable, value: Value) -> int:
        """Return the number of the value with this key, adding it if it is new."""
        number = self._numbers.setdefault(key, len(self._values))
        if number == len(self._values):
            self._values.append(value)
        return number


_SEEDS = range(3)
"""Deals that are compared: in a single one, cards may lie the same by chance."""
_TIMED = "ms"
"""The parameter of players that search for a set time."""
_FILE = "python"
"""The kind of players that are defined in files."""


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
    specs = sorted({who.spec for who in layout.players if who.spec is not None})
    timed = [spec for spec in specs if f":{_TIMED}=" in spec.replace(",", ":")]
    if timed:
        found.append(
            f"{' and '.join(timed)}: how far a search gets in a given time depends on the machine, "
            "so another run will not give the same results."
        )
    files = [spec for spec in specs if spec.startswith(f"{_FILE}:")]
    if files:
        found.append(
            f"{' and '.join(files)}: the plan does not say what is in a file; if it is changed, "
            "results from before and after must not be combined."
        )
    return tuple(found)


def _dealt(game: Game) -> tuple[object, ...]:
    """Return where all cards lie when some deals begin, to compare how games deal."""
    found: list[object] = []
    quick = game.with_engine("interpreter")  # nothing has to be compiled for it
    for seed in _SEEDS:
        state = quick.start(seed)
        # The view of the seat to decide would include the options, which takes long.
        other = next(seat for seat in range(game.players) if seat != state.player)
        for owner, kind, name, at in sorted(state.view(other).locations):
            whose = None if owner == game.program.table else int(owner)
            cards = state.cards(whose, kind, name, at)
            found.append(
                (owner, kind, name, at, *(tuple(card.attributes.items()) for card in cards))
            )
    return tuple(found)
