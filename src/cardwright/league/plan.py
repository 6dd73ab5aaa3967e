"""Season plans: all that the outcome of a season depends on, as one value."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright.game.errors import CardwrightError
from cardwright.game.seeds import derived, natural
from cardwright.league.roster import BUILTIN, Roster, RosterEntry
from cardwright.league.settings import MOST_SALT, BotLimits
from cardwright.players.kind import NO_TRUST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.league.settings import LeagueRules
    from cardwright.players.kind import Trust

CARDS, CHANCES, BOT = "league cards", "league chances", "league bot"
"""Purposes of the derived seeds."""

_SEASON = b"league season"


def game_chances(
    seed: int, games: range, salt: bytes = b""
) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return for each game the seed of its cards and that of all other draws.

    Both are derived one-way from the season's seed, its salt and the game's number, so that knowing
    all about some games reveals nothing about the others: a seed that a person has chosen can be
    guessed, a salt that was drawn cannot. The second is for draws by trusted code, the referee and
    players of the library. Bots that are files get tokens, derived once more: see `Bot.begin`.

    The salt, of at most `MOST_SALT` bytes, is the key of the hash of the season's seed.
    """
    written = seed.to_bytes(max(1, -(-seed.bit_length() // 8)), "little")
    season = blake2b(written, key=salt, person=_SEASON).digest()
    made = [
        derived(season, purpose, game, size=8) for game in games for purpose in (CARDS, CHANCES)
    ]
    return np.frombuffer(b"".join(made), "<u8").astype(np.uint64).reshape(-1, 2)


SUSPENDED_AFTER = 3
"""Games forfeited in a row in a block, after which a bot is not started in it again."""

BLOCK = 200
"""The most games of a block, for which bots are started once."""

FIRST_BLOCK = 10
"""Games of the first blocks, when it is not yet known how long a game takes..."""

SAME_SIZE = 4
"""...and after this many blocks the next ones have twice as many games, up to `BLOCK`.

So whatever the speed of the bots, losing the blocks in progress loses little compared with what was
played before, and in a long season little time goes into starting bots."""

BULK_BLOCK = 2_000
"""Games of a block if all bots are random players, from the first block on: they are very fast."""

TABLES = 32
"""Games of a block that a worker plays at once, so that messages to bots carry several
questions."""

RANDOM = "random"
"""The library player that chooses random legal cards."""


class SeasonError(CardwrightError):
    """A season that cannot be played; the message says why."""


@dataclass(frozen=True)
class BotText:
    """A roster entry and the text of its file.

    `text` is None for a player of the library, whose spec is then in `file`. `files` are the names
    and contents of the files in the folder beside it, for the bot to read.
    """

    name: str
    author: str
    file: str
    text: str | None = field(default=None, repr=False)
    files: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)

    @property
    def builtin(self) -> str | None:
        """The spec of a library player; None for a file."""
        return self.file.removeprefix(BUILTIN) if self.text is None else None

    @property
    def digest(self) -> str:
        """A digest of the bot's text and files."""
        mark = hashlib.sha256((self.text or self.file).encode())
        for name, content in self.files:
            mark.update(f"\0{name}\0{len(content)}\0".encode() + content)
        return mark.hexdigest()


@dataclass(frozen=True, eq=False)
class SeasonPlan:
    """What a season plays.

    `schedule` (int32, games by 4) has the roster entry of every seat. `level` is that of
    the sandbox in which bots run, 0 for trusted bots that run in the worker processes. Games are
    played in blocks of `together` games, after smaller ones at the beginning, at `tables` tables at
    once, which changes only how long it takes. `trust` says what players of the library may load,
    and is no part of the season. `salt` is as secret as the seed and is not part of `data`: while
    the season is played only its owner can read it, and it is published at the end.
    """

    name: str
    rules: LeagueRules
    seed: int
    bots: tuple[BotText, ...]
    schedule: np.ndarray[Any, np.dtype[np.int32]]
    limits: BotLimits = field(default_factory=BotLimits)
    level: int = 0
    together: int = BLOCK
    tables: int = TABLES
    trust: Trust = NO_TRUST
    salt: bytes = field(default=b"", repr=False)

    def __post_init__(self) -> None:
        seed = natural(self.seed)
        if seed is None:
            raise SeasonError(f"a season's seed is an integer from 0, not {self.seed}")
        object.__setattr__(self, "seed", seed)
        if len(self.salt) > MOST_SALT:
            raise SeasonError(
                f"a season's salt has at most {MOST_SALT} bytes, not {len(self.salt)}"
            )

    @property
    def roster(self) -> Roster:
        """The bots as a roster."""
        return Roster(
            tuple(
                RosterEntry(bot.file.removesuffix(".py"), bot.name, bot.author) for bot in self.bots
            )
        )

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.schedule)

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """The number of the game after each block."""
        ends = [0]
        while ends[-1] < self.games:
            size = self.together if self.bulk else FIRST_BLOCK << (len(ends) - 1) // SAME_SIZE
            ends.append(min(ends[-1] + min(size, self.together), self.games))
        return tuple(ends[1:])

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self._ends)

    def block(self, number: int) -> range:
        """Return the numbers of the games of a block, from 0."""
        return range(self._ends[number - 1] if number else 0, self._ends[number])

    @property
    def bulk(self) -> bool:
        """Whether all bots are random players of the library."""
        return all(bot.builtin == RANDOM for bot in self.bots)

    @property
    def files(self) -> bool:
        """Whether any bot is a file."""
        return any(bot.text is not None for bot in self.bots)

    def data(self) -> dict[str, Any]:
        """Return the manifest entries of the plan."""
        return {
            "name": self.name,
            "rules": str(self.rules),
            "seed": str(self.seed),
            "games": self.games,
            "schedule": hashlib.sha256(self.schedule.tobytes()).hexdigest(),
            "patience": asdict(self.limits),
            "sandbox_level": self.level,
            "together": self.together,
            "bots": [
                {"name": bot.name, "author": bot.author, "file": bot.file, "sha256": bot.digest}
                for bot in self.bots
            ],
        }


_CHANGES = {
    "name": "another name",
    "author": "another author",
    "file": "another file",
    "sha256": "a file that has changed",
}


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Return the differences between the plans of two manifests, in words."""
    found = []
    for key, value in here.items():
        if key == "bots" or there.get(key) == value:
            continue
        if key == "schedule":
            found.append("the schedule is another one")
        else:
            found.append(f"{key.replace('_', ' ')}: {there.get(key)} there, {value} here")
    before, after = there.get("bots", []), here.get("bots", [])
    if len(before) != len(after):
        found.append(f"the roster had {len(before)} bots and has {len(after)}")
    for one, other in zip(before, after, strict=False):
        for key, words in _CHANGES.items():
            if one.get(key) != other.get(key):
                found.append(f"{other.get('name')} has {words}")
                break
    return found
