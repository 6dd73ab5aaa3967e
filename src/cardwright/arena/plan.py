"""Plans: which game is played by whom, at which tables and from which deals."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, get_args

from cardwright.arena.settings import Detail
from cardwright.game.errors import CardwrightError, override_text
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.seeds import game_seeds, natural
from cardwright.interpreter.stream import Stream
from cardwright.jobs.settings import MOST_DEALS
from cardwright.players.kind import NO_TRUST
from cardwright.program.constants import parse_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.players.kind import Trust
    from cardwright.program.constants import Constant

DETAILS: tuple[Detail, ...] = get_args(Detail)
MOST_TABLES = 2**15 - 1
MOST_ENTRANTS = 2**15 - 1
MOST_FAULTS = 10_000


class PlanError(CardwrightError):
    """A plan that cannot be played; the message says what is wrong with it."""


class ChangedGameError(CardwrightError):
    """A game that is no longer what a plan was made for."""


@dataclass(frozen=True)
class GameRef:
    """Which game a plan plays: how to load it, and how to recognise it.

    `name` is a library name or a file's path as given to `Game.load`, `declared` are the constants
    that are set explicitly. `players` is the number of seats; `digest` is that of the program with
    all its values, which detects a game file that has changed.
    """

    name: str
    players: int
    digest: str
    preset: str | None = None
    declared: tuple[tuple[str, Constant], ...] = ()
    base: int | None = None
    engine: str = "native"

    @classmethod
    def of(
        cls,
        name: str,
        declared: Mapping[str, Constant] | None = None,
        preset: str | None = None,
        base: int | None = None,
        *,
        engine: str = "native",
    ) -> GameRef:
        """Load a game, with what `Game.variant` may raise, and return how to load it again."""
        values = tuple((declared or {}).items())
        game = Game.variant(name, dict(values), preset, base, engine=engine)
        return cls(name, game.players, game.program.digest, preset, values, base, engine)

    @classmethod
    def of_game(cls, game: Game) -> GameRef:
        """Return how a game at hand would be loaded, if it lies where its name says."""
        program = game.program
        values = tuple(
            (constant.name, constant.value)
            for constant in program.declared
            if constant.value is not None and constant.value != constant.default
        )
        base = program.base if program.forced_base else None
        return cls(game.name, game.players, program.digest, None, values, base, game.engine_name)

    def load(self) -> Game:
        """Load the game; raises ChangedGameError if it is no longer the same."""
        game = Game.variant(
            self.name, dict(self.declared), self.preset, self.base, engine=self.engine
        )
        if game.program.digest != self.digest:
            raise ChangedGameError(
                f"the game {self.name} has changed since the plan was made (its digest was "
                f"{self.digest[:12]} and is {game.program.digest[:12]}); results of the two must "
                "not be combined: restore the old rules, or make a new plan"
            )
        return game

    def data(self) -> dict[str, Any]:
        """Return this as JSON can hold it; constants are strings."""
        declared = {name: override_text(value) for name, value in self.declared}
        return {**asdict(self), "declared": declared}

    @classmethod
    def of_data(cls, data: Any) -> GameRef:
        """Return the value from `data`; raises a Python error for anything else."""
        declared = tuple((name, parse_value(text)) for name, text in data["declared"].items())
        return cls(**{**data, "declared": declared})


@lru_cache(maxsize=16)
def loaded(ref: GameRef) -> Game:
    """Return the game of a plan, loaded once per process and shared by its threads."""
    return ref.load()


@dataclass(frozen=True)
class RunPlan:
    """What is to be played.

    `entrants` are specs of players. A deal is played at all `tables`, each of which names an
    entrant (by its number, from 0) for every seat; all tables of a deal start from the same game
    seed, the deal's number in `game_seeds(seed, deals)`. The last `exchanged` entrants exchange
    their places at the tables from deal to deal, as drawn: see `seated`. `move_seconds` and
    `most_faults` are those of `FaultRules`. `trust` says what the entrants may load; it is not kept
    with the plan. Raises PlanError for an invalid plan.
    """

    game: GameRef
    entrants: tuple[str, ...]
    tables: tuple[tuple[int, ...], ...]
    deals: int
    seed: int
    move_seconds: float | None = None
    most_faults: int = 3
    detail: Detail = "scores"
    exchanged: int = 0
    trust: Trust = field(default=NO_TRUST, compare=False, repr=False)

    def __post_init__(self) -> None:
        _within("entrants", len(self.entrants), 1, MOST_ENTRANTS)
        _within("tables", len(self.tables), 1, MOST_TABLES)
        _within("deals", self.deals, 1, MOST_DEALS)
        _within("exchanged entrants", self.exchanged, 0, len(self.entrants))
        _within("tolerated faults", self.most_faults, 0, MOST_FAULTS)
        seed = natural(self.seed)
        if seed is None:
            raise PlanError(f"a plan's seed is an integer of 0 or more, not {self.seed}")
        object.__setattr__(self, "seed", seed)
        if self.move_seconds is not None and not 0 < self.move_seconds < math.inf:
            raise PlanError(f"a move cannot have {self.move_seconds} seconds")
        check_member("detail", self.detail, DETAILS)
        for number, table in enumerate(self.tables):
            if len(table) != self.game.players:
                raise PlanError(
                    f"table {number} has {len(table)} players; {self.game.name} has "
                    f"{self.game.players} seats"
                )
            for entrant in table:
                if not 0 <= entrant < len(self.entrants):
                    raise PlanError(
                        f"table {number} has entrant {entrant}; entrants are numbered 0 to "
                        f"{len(self.entrants) - 1}"
                    )

    @property
    def games(self) -> int:
        """The number of games: one per deal and table."""
        return self.deals * len(self.tables)

    def seated(self, deal: int) -> tuple[tuple[int, ...], ...]:
        """Return the tables of a deal as they are played: the entrant of each seat.

        Whoever has a place at one of the `tables` has it at all of them. The places are drawn by a
        stream of the deal that belongs to no seat and no table.
        """
        if not self.exchanged:
            return self.tables
        (seed,) = game_seeds(self.seed, 1, deal)
        stream = Stream.of_seat(seed, self.game.players + len(self.tables))
        drawn = list(range(len(self.entrants)))
        first = len(drawn) - self.exchanged
        for last in range(len(drawn) - 1, first, -1):
            other = first + stream.below(last - first + 1)
            drawn[last], drawn[other] = drawn[other], drawn[last]
        return tuple(tuple(drawn[who] for who in table) for table in self.tables)

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON can hold it; constants, tables and the seed are strings."""
        names = [part.name for part in fields(self) if part.name != "trust"]
        plain = {name: getattr(self, name) for name in names}
        return {
            **plain,
            "game": self.game.data(),
            "entrants": list(self.entrants),
            "tables": [" ".join(map(str, table)) for table in self.tables],
            "seed": str(self.seed),
        }

    @classmethod
    def of_data(cls, data: Any) -> RunPlan:
        """Return the plan from `data`; raises PlanError for anything else."""
        try:
            read = {
                "game": GameRef.of_data(data["game"]),
                "entrants": tuple(map(str, data["entrants"])),
                "tables": tuple(tuple(map(int, table.split())) for table in data["tables"]),
                "seed": int(data["seed"]),
            }
            return cls(**{**data, **read})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise PlanError(f"this is not a plan: {type(error).__name__}: {error}") from None


def check_member(name: str, value: str, known: Sequence[str]) -> None:
    """Raise PlanError for a word that is none of those known."""
    if value not in known:
        raise PlanError(f"{name} is one of {', '.join(map(repr, known))}, not {value!r}")


def _within(what: str, count: int, least: int, most: int) -> None:
    if not least <= count <= most:
        raise PlanError(f"a plan has {least:,} to {most:,} {what}, not {count:,}")


def numbered(names: Sequence[str]) -> list[str]:
    """Return names to display: equal ones are numbered, as `random #1`, `random #2`."""
    total, seen = Counter(names), Counter[str]()
    shown = []
    for name in names:
        seen[name] += 1
        shown.append(f"{name} #{seen[name]}" if total[name] > 1 else name)
    return shown


GameLike: TypeAlias = str | Path | Game
"""A game that is loaded, or `GAME` or `GAME:PRESET` as on the command line."""


def game_of(given: GameLike) -> Game:
    """Return the game that is meant; raises what `Game.load` does."""
    if isinstance(given, Game):
        return given
    name, preset = split_preset(str(given))
    return Game.load(name, preset=preset)
