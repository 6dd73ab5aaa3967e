"""Plans of experiments: values that hold all that the results depend on."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.seeds import natural
from cardwright.lab.errors import LabError
from cardwright.players.kind import NO_TRUST, trust_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.arena.plan import GameRef
    from cardwright.lab.factor import Factor, LabPlayer
    from cardwright.players.kind import Trust

MOST_CELLS = 4_096
MOST_DEALS = 10**8

Cell: TypeAlias = "tuple[int, ...]"
"""For each factor the number of its level; a cell of zeros is the base."""


class Design(StrEnum):
    """Which combinations of levels are played.

    `one` varies one factor at a time from the base. `factorial` plays all combinations, or with
    generators a regular fraction of them. `screen` plays a Plackett-Burman design: main effects of
    many two-level factors in few cells.
    """

    ONE = "one"
    FACTORIAL = "factorial"
    SCREEN = "screen"


class Seating(StrEnum):
    """Where tested players sit in a deal.

    `all`: one against the others, in each seat in turn, so a deal is played as often as there are
    seats. `rotate`: one against the others, in the seat given by the deal's number, once per deal.
    `pairs`: two against two, in all six ways; for four seats only.
    """

    ALL = "all"
    ROTATE = "rotate"
    PAIRS = "pairs"


@dataclass(frozen=True, slots=True)
class Precision:
    """Play until the interval of every main effect on a response has this half-width at most.

    The intervals are looked at after every `every` deals, from `least` on.
    """

    response: str
    half_width: float
    least: int = 400
    every: int = 200


@dataclass(frozen=True, slots=True)
class Sequential:
    """Play until a test has decided each main effect on a response: see `SequentialTest`.

    The hypotheses are that the effect, with its sign such that good is positive, is `h0` or `h1`;
    the error probabilities hold for all effects together (each test has its share: Bonferroni).
    `bound` is how large the effect of a deal can be; without it that follows from the bounds of the
    response, and one without bounds is not tested.
    """

    response: str
    h0: float
    h1: float
    alpha: float = 0.05
    beta: float = 0.05
    least: int = 400
    every: int = 200
    bound: float | None = None


@dataclass(frozen=True)
class LabPlan:
    """An experiment.

    The `tested` player sits at the table as the factors set it, and all other seats are taken by
    one class of `opponents`; every cell is played with every class, with the same deals from the
    same seats: the deal's game seed is its number in `game_seeds(seed, deals)`. With `stop` there
    may be fewer deals. `trust` says what the players may load, and is no part of the experiment.
    Raises LabError for an invalid plan.
    """

    name: str
    game: GameRef
    tested: LabPlayer
    factors: tuple[Factor, ...]
    design: Design
    opponents: tuple[LabPlayer, ...]
    deals: int
    seed: int
    generators: tuple[str, ...] = ()
    seating: Seating = Seating.ALL
    stop: Precision | Sequential | None = None
    level: float = 0.95
    trust: Trust = field(default=NO_TRUST, compare=False, repr=False)

    @classmethod
    def load(cls, file: str | Path, allow_files: Iterable[str | Path] = ()) -> LabPlan:
        """Return the plan in a TOML file; files that it names are looked for in its folder.

        Its players may load files elsewhere, and run Python files, only if these are in
        `allow_files`. Raises LabError, which names the file and all that is wrong in it.
        """
        from cardwright.lab.plan_file import read_plan

        return read_plan(Path(file), allow_files)

    @classmethod
    def from_text(cls, text: str) -> LabPlan:
        """Return the plan of a TOML text; raises LabError with all that is wrong in it."""
        from cardwright.lab.plan_file import parse_plan

        return parse_plan(text, "plan", trust_in())

    def to_text(self) -> str:
        """Return the TOML text of this, from which `from_text` makes an equal plan."""
        from cardwright.lab.plan_text import plan_text

        return plan_text(self)

    def __post_init__(self) -> None:
        if not self.factors:
            raise LabError("an experiment needs a factor: something to vary")
        names = [factor.name for factor in self.factors]
        for name in names:
            if names.count(name) > 1:
                raise LabError(f"two factors are called {name!r}: give them different names")
        if not self.opponents:
            raise LabError("an experiment needs opponents")
        if not 1 <= self.deals <= MOST_DEALS:
            raise LabError(f"an experiment has 1 to {MOST_DEALS:,} deals, not {self.deals:,}")
        seed = natural(self.seed)
        if seed is None:
            raise LabError(f"a seed is an integer of 0 or more, not {self.seed}")
        object.__setattr__(self, "seed", seed)
        if not 0.5 <= self.level < 1:
            raise LabError(f"the level of intervals is from 0.5 to less than 1, not {self.level}")
        if self.seating is Seating.PAIRS and self.game.players != 4:
            raise LabError(f"two against two needs four seats; {self.game.name} does not have four")
        if self.generators and self.design is not Design.FACTORIAL:
            raise LabError(
                f"a {self.design} design has no generators: a fraction of a factorial has"
            )
