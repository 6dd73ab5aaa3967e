"""Blocks: consecutive games of a season as they were played, to be stored, sent and read again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.game.errors import CardwrightError
from cardwright.jobs.packing import pack, told_of, unpack

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Column: TypeAlias = NDArray[Any]

SEATS = 4
TRICKS = 13
SLUFFS = 12
"""Cards passed in a round, three by each seat: the first columns of its choices."""

ROUND = SLUFFS + SEATS * TRICKS
"""Choices of a round."""

CARD_BITS = 6
"""A choice is one byte, `seat << CARD_BITS | card`."""

CARDS = 52

TIMES = 40
"""Columns of a histogram of times."""

_FORMAT = 1
OF_GAMES = ("season", "games")
"""How a DamagedError refers to the files of a season."""


class BlockError(CardwrightError):
    """Bytes or columns that are not a block of games."""


@dataclass(frozen=True)
class BotFault:
    """Something that a bot did wrong.

    `game` is the number of the game in the season, from 0; `seat` is 0 to 3; `round` counts from 1.
    `turn` is the column of the choice in its round, 0 to 63, or -1 before the game began. `kind` is
    one word, `message` a sentence for the bot's author. `counts` says whether the fault counts
    towards forfeiting, `forfeit` whether the bot forfeited the game with it.
    """

    game: int
    seat: int
    round: int
    turn: int
    kind: str
    message: str
    counts: bool = True
    forfeit: bool = False


@dataclass(frozen=True, eq=False)
class Timings:
    """Thinking times of bots, in nanoseconds: a row for each roster entry that was timed.

    `entries` are the rows of the roster, ascending; `moves`, `total` and `longest` have one number
    for each. `counts` is a histogram of the moves' times with `TIMES` columns, see `time_columns`.
    Times depend on the machine: they are not reproducible.
    """

    entries: Column
    moves: Column
    total: Column
    longest: Column
    counts: Column

    @classmethod
    def none(cls) -> Timings:
        """Return empty timings."""
        nothing = np.zeros(0, np.int64)
        return cls(nothing, nothing, nothing, nothing, np.zeros((0, TIMES), np.int64))

    def __post_init__(self) -> None:
        rows = len(self.entries)
        for name in ("entries", "moves", "total", "longest", "counts"):
            shape = (rows, TIMES) if name == "counts" else (rows,)
            _check(name, getattr(self, name), np.int64, shape)
        if (np.diff(self.entries, prepend=-1) <= 0).any():
            raise BlockError("entries of timings must be ascending rows of the roster")

    def __add__(self, other: Timings) -> Timings:
        """Return the sum of both."""
        entries = np.union1d(self.entries, other.entries)
        sums = [np.zeros((len(entries), *shape), np.int64) for shape in ((), (), (), (TIMES,))]
        for one in (self, other):
            rows = np.searchsorted(entries, one.entries)
            sums[0][rows] += one.moves
            sums[1][rows] += one.total
            sums[2][rows] = np.maximum(sums[2][rows], one.longest)
            sums[3][rows] += one.counts
        return Timings(entries, *sums)


def time_columns(nanoseconds: Column) -> Column:
    """Return the columns of a histogram for times: k for 2**k to 2**(k+1) - 1 nanoseconds.

    The first column includes 0 nanoseconds; the last one, from nine minutes on, has no upper bound.
    """
    _, exponents = np.frexp(np.maximum(nanoseconds, 1).astype(np.float64))
    columns: Column = np.minimum(exponents - 1, TIMES - 1)
    return columns


@dataclass(frozen=True, eq=False)
class SeasonBlock:
    """Consecutive games of a season, as they were played.

    `first` is the number of the first game in the season, from 0. `rounds` has the number of rounds
    of each game (uint16). `plays` (uint8) has a row of `ROUND` choices for each of these rounds,
    each `seat << 6 | card`: columns 0 to 11 are the cards passed, the first card of seats 0 to 3,
    then the second and the third ones; columns 12 to 63 the cards played, in order. Cards are
    numbered 13 * suit + rank, suits clubs, diamonds, spades, hearts, ranks from the two up. Faults
    are in the order in which they happened.

    Raises BlockError for arrays of other types or shapes.
    """

    first: int
    rounds: Column
    plays: Column
    faults: tuple[BotFault, ...] = ()
    timings: Timings = field(default_factory=Timings.none)

    def __post_init__(self) -> None:
        _check("rounds", self.rounds, np.uint16, (len(self.rounds),))
        rows = int(self.rounds.sum(dtype=np.int64))
        _check("plays", self.plays, np.uint8, (rows, ROUND))

    def __len__(self) -> int:
        """The number of games."""
        return len(self.rounds)

    @property
    def after(self) -> int:
        """The number of the first game after these."""
        return self.first + len(self)

    def untimed(self) -> SeasonBlock:
        """Return the reproducible part of this block, without times."""
        return replace(self, timings=Timings.none())

    def packed(self) -> bytes:
        """Return this as bytes, identical for equal blocks."""
        texts = {
            "format": _FORMAT,
            "first": self.first,
            "faults": [asdict(one) for one in self.faults],
        }
        timings = {f"timings.{name}": column for name, column in vars(self.timings).items()}
        arrays = {"rounds": self.rounds, "plays": self.plays, **timings}
        # Plays are nearly random: compressing them saves 6 % and takes 18 us a game.
        return pack(texts, arrays, stored=("plays",))

    @classmethod
    def unpacked(cls, content: bytes, where: str) -> SeasonBlock:
        """Return the block that `packed` returned as bytes; raises DamagedError, naming `where`."""
        with told_of(where, *OF_GAMES):
            texts, kept = unpack(content)
            if texts["format"] != _FORMAT:
                raise BlockError(f"its format is {texts['format']!r}, and {_FORMAT} can be read")
            columns = [name for name in kept if name.startswith("timings.")]
            timings = Timings(**{name.partition(".")[2]: kept[name] for name in columns})
            faults = tuple(BotFault(**one) for one in texts["faults"])
            block = cls(int(texts["first"]), kept["rounds"], kept["plays"], faults, timings)
            if block.plays.size and (block.plays & (2**CARD_BITS - 1)).max() >= CARDS:
                raise BlockError(f"there is a card in it above {CARDS - 1}")
            return block


def _check(name: str, column: Column, kind: type, shape: tuple[int, ...]) -> None:
    if column.dtype != kind or column.shape != shape:
        raise BlockError(
            f"{name} of a block is {column.dtype} {column.shape}, not {np.dtype(kind)} {shape}"
        )
