"""Records of a season: written, read, inspected, counted and replayed."""

from __future__ import annotations

import io
import secrets
from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright import english
from cardwright.extras import in_pandas
from cardwright.jobs.files import RecordsError, changed, digest, write_secret
from cardwright.jobs.folder import MOST_BYTES, JobFolder, Manifest
from cardwright.league.block import (
    CARD_BITS,
    ROUND,
    SLUFFS,
    BlockError,
    BlockTally,
    SeasonBlock,
)
from cardwright.league.bot_runtime import MASKS, take_up
from cardwright.league.dealer import HAND, Dealer
from cardwright.league.outputs import LeagueStandings, polars
from cardwright.league.plan import BotText, SeasonPlan, differences, game_chances
from cardwright.league.play import DIRECTIONS
from cardwright.league.settings import BotLimits, LeagueRules
from cardwright.markup.element import Html, display, heading, table
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import pandas as pd
    import polars as pl

    from cardwright.league.block import BotFault

FOLDER, OUTPUTS = "Records", "Outputs"
SCHEDULE = "schedule.npy"
SALT = "salt"
"""The file with the salt of a season that is not over, which only its owner can read."""

_SALT_BYTES = 16


@dataclass(frozen=True, kw_only=True)
class SeasonManifest(Manifest):
    """What identifies a season, and says how far it got.

    `begun` and `ended` are dates, as `2026-11-22`, empty where that is not so far. `salt` is
    published when the season is over. `outputs` has the SHA-256 of the tables of a complete season.
    """

    begun: str
    ended: str = ""
    salt: str | None = None
    outputs: dict[str, str] = field(default_factory=dict)


class Season(JobFolder[SeasonManifest, SeasonBlock]):
    """A season that was played, completely or in part, as recorded.

    `plan.bots` have no texts here, as these are not recorded. While the season is not over its salt
    may be `sealed`: then `plan.salt` is empty, and cards cannot be computed.
    """

    FORMAT = "cardwright season"
    VERSION = 4
    WHAT, TASKS = "season", "games"
    MANIFEST, BLOCK = SeasonManifest, SeasonBlock
    OTHERWISE = "play it again from its beginning with `--again`"

    def __init__(
        self, folder: Path, manifest: SeasonManifest, plan: SeasonPlan | None = None
    ) -> None:
        super().__init__(folder, manifest)
        salt = self._salt() if plan is None else plan.salt
        self.sealed = salt is None
        try:
            self.plan = self._read_plan(salt or b"") if plan is None else plan
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise self.unreadable(error) from None

    @classmethod
    def of_plan(cls, season: Path, plan: SeasonPlan) -> Season:
        """Return the records of a season that begins today, in its folder."""
        return cls(season / FOLDER, SeasonManifest(plan=plan.data(), begun=_today()), plan)

    def _read_plan(self, salt: bytes) -> SeasonPlan:
        plan = self.manifest.plan
        content = read_bytes(self.folder / SCHEDULE, MOST_BYTES)
        schedule = np.load(io.BytesIO(content), allow_pickle=False)
        if digest(schedule.tobytes()) != plan["schedule"]:
            raise ValueError(f"{SCHEDULE} is not the schedule of the season")
        return SeasonPlan(
            plan["name"],
            LeagueRules(plan["rules"]),
            int(plan["seed"]),
            tuple(BotText(bot["name"], bot["author"], bot["file"]) for bot in plan["bots"]),
            schedule,
            BotLimits(**plan["patience"]),
            plan["sandbox_level"],
            plan["together"],
            salt=salt,
        )

    def _salt(self) -> bytes | None:
        """Return the salt that was published, or else the secret one; None if it is not known."""
        published = self.manifest.salt
        try:
            text = (self.folder / SALT).read_text("ascii") if published is None else published
            return bytes.fromhex(text)
        except (OSError, ValueError):
            return None

    @property
    def place(self) -> Path:
        """The folder of the season."""
        return self.folder.parent

    @property
    def count(self) -> int:
        """The number of blocks of the whole season."""
        return self.plan.blocks

    @property
    def complete(self) -> bool:
        """Whether the season was played to its end."""
        return self.manifest.complete

    @property
    def marks(self) -> tuple[str, ...]:
        """The SHA-256 of every bot's text."""
        return tuple(str(bot["sha256"]) for bot in self.manifest.plan["bots"])

    def own_files(self) -> dict[str, bytes]:
        """Return the file with the schedule."""
        memory = io.BytesIO()
        np.save(memory, self.plan.schedule, allow_pickle=False)
        return {SCHEDULE: memory.getvalue()}

    def check_empty(self) -> None:
        """Do nothing: whatever is in the folder is a season's, and its salt."""

    def begin(self) -> None:
        """Begin the season, with its salt in a secret file."""
        write_secret(self.folder / SALT, self.plan.salt.hex().encode())
        super().begin()

    def plan_differences(self, here: Season) -> list[str]:
        """Say where the season that is there differs from the one to be played."""
        lines = differences(self.manifest.plan, here.manifest.plan)
        if self._salt() != here.plan.salt:
            lines.append("the salt is another one")
        return lines

    def check(self, blocks: object, number: int, block: SeasonBlock) -> None:
        """Refuse a block that has not the games of its number."""
        games = self.plan.block(number)
        if (block.first, block.after) != (games.start, games.stop):
            raise BlockError("its games are not those of its number")

    def damage(self) -> dict[str, str]:
        """Return what is wrong with each block, and with each table if they are there."""
        looked = super().damage()
        if self.complete and (self.place / OUTPUTS).is_dir():
            for name in self.manifest.outputs:
                wrong = changed(self.place / OUTPUTS, name, self.manifest.outputs)
                looked[f"../{OUTPUTS}/{name}"] = wrong
        return looked

    def played_again(self, damaged: Iterable[str]) -> str:
        """Say what is played again if these files are set aside."""
        if all(name.startswith("..") for name in damaged):
            return "no game, and writes the tables"
        return super().played_again(damaged)

    def end(self, outputs: Mapping[str, str]) -> None:
        """Record that all blocks and tables are complete, and publish the salt.

        `outputs` has the SHA-256 of each table.
        """
        self.finish(
            played=self.plan.games,
            ended=self.manifest.ended or _today(),
            salt=self.plan.salt.hex(),
            outputs=dict(outputs),
        )
        (self.folder / SALT).unlink(missing_ok=True)

    def all_blocks(self) -> Iterator[SeasonBlock]:
        """Yield all existing blocks, in order.

        Raises DamagedError for a damaged one, and for a missing one of a complete season.
        """
        for number in range(self.count):
            if self.blocks.has(number):
                yield self.blocks.read(number)

    def outcome(self) -> SeasonOutcome:
        """Return what every bot has got so far, and done wrong; raises DamagedError."""
        return SeasonOutcome.of(self)

    def to_polars(self) -> pl.DataFrame:
        """Return the standings as a table, the best bot first: see `SeasonOutcome.to_polars`."""
        return self.outcome().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(self.to_polars)

    def __repr__(self) -> str:
        state = "played to its end" if self.complete else "not finished"
        return f"<Season {self.plan.name}, {english.counted(len(self.plan.bots), 'bot')}, {state}>"

    def _repr_html_(self) -> str:
        state = "played to its end" if self.complete else "not finished"
        facts = (english.counted(len(self.plan.bots), "bot"), state, f"seed {self.plan.seed}")
        return display(heading(f"Season {self.plan.name}", *facts), _table(self.outcome()))


def _today() -> str:
    """Return the date in UTC, as in manifests."""
    return datetime.now(UTC).date().isoformat()


def read_season(season: str | Path) -> Season:
    """Return the season recorded in a folder; raises RecordsError if there is none."""
    found = Season.kept(Path(season) / FOLDER)
    if found is None:
        raise RecordsError(f"{season} has no {FOLDER}: play the season first, with `league run`")
    return found


def kept_seed(season: Path) -> int | None:
    """Return the seed of what was played of the season in a folder; None if that is nothing."""
    there = Season.kept(season / FOLDER)
    return None if there is None else there.plan.seed


def salted(season: Path, plan: SeasonPlan, salt: bytes | None, *, resume: bool) -> SeasonPlan:
    """Return a plan with the salt given, or that of the season to resume, or a drawn one.

    Where nobody plays but players of the library, none is drawn: nobody could foresee his cards.
    Raises RecordsError if the salt to resume with is lost.
    """
    there = Season.kept(season / FOLDER) if resume and salt is None else None
    if there is not None:
        if there.sealed:
            raise RecordsError(
                f"{there.folder / SALT} cannot be read, and the season goes on with no other "
                "salt: play it again with `--again`"
            )
        salt = there.plan.salt
    if salt is None:
        salt = secrets.token_bytes(_SALT_BYTES) if plan.files else b""
    return replace(plan, salt=salt)


@dataclass(frozen=True, eq=False)
class SeasonOutcome:
    """What came of a season so far; `faults` are those of each row of the roster that made any."""

    standings: LeagueStandings
    faults: Mapping[int, Sequence[BotFault]]

    @classmethod
    def of(cls, season: Season) -> SeasonOutcome:
        """Count all blocks of a season; raises DamagedError for a damaged one."""
        plan = season.plan
        standings = LeagueStandings.none(plan.roster)
        faults: defaultdict[int, list[BotFault]] = defaultdict(list)
        for block in season.all_blocks():
            seats = plan.schedule[block.first : block.after]
            counts = standings.running(BlockTally.of(block), seats)
            standings = LeagueStandings(plan.roster, counts[-1])
            for fault in block.faults:
                faults[int(plan.schedule[fault.game, fault.seat])].append(fault)
        return cls(standings, faults)

    def _repr_html_(self) -> str:
        return display(heading("Standings"), _table(self))

    def records(self) -> list[dict[str, Any]]:
        """Return what every bot has got as JSON objects, the best first.

        Places are shares of its games, points, hearts and queens those of a game.
        """
        rows = {id(one.entry): row for row, one in enumerate(self.standings.each())}
        records = []
        for one in self.standings.ranked():
            mine = self.faults.get(rows[id(one.entry)], ())
            names = ("place_1", "place_2", "place_3", "place_4", "points", "hearts", "queens")
            totals = (*one.places, one.points, one.hearts, one.queens)
            records.append({
                "bot": one.entry.name,
                "author": one.entry.author,
                "games": one.games,
                **{
                    name: float(total) / one.games if one.games else None
                    for name, total in zip(names, totals, strict=True)
                },
                "faults": len(mine),
                "forfeits": len({fault.game for fault in mine if fault.forfeit}),
            })  # fmt: skip
        return records

    def to_polars(self) -> pl.DataFrame:
        """Return what every bot has got as a table, the best first.

        Places are shares of its games; points, hearts and queens are those of a game. All these are
        null without games. Raises MissingExtraError without polars.
        """
        rows = self.records()
        kinds = dict.fromkeys(("bot", "author"), str) | dict.fromkeys(
            ("games", "faults", "forfeits"), int
        )
        frame: pl.DataFrame = polars().DataFrame(
            rows, schema={name: kinds.get(name, float) for name in rows[0]}
        )
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """Return what `to_polars` does in pandas; raises MissingExtraError without either."""
        return in_pandas(self.to_polars)

    def faults_to_polars(self) -> pl.DataFrame:
        """Return all that bots did wrong as a table, a row a fault, in the order of the roster.

        Games and rounds are counted from 1, seats and turns from 0; a turn of -1 is before the game
        began. Raises MissingExtraError without polars.
        """
        entries = self.standings.roster.entries
        rows = [
            {"bot": entries[row].name, **vars(fault), "game": fault.game + 1}
            for row, mine in sorted(self.faults.items())
            for fault in mine
        ]
        kinds = {"bot": str, "game": int, "seat": int, "round": int, "turn": int, "kind": str}
        schema = {**kinds, "message": str, "counts": bool, "forfeit": bool}
        frame: pl.DataFrame = polars().DataFrame(rows, schema=schema)
        return frame


def _table(outcome: SeasonOutcome) -> Html:
    rows = []
    for record in outcome.records():
        places = [english.percent(record[f"place_{at}"], 0) for at in range(1, 5)]
        rows.append(
            (record["bot"], record["author"], str(record["games"]), *places,
             english.number(record["points"], 1), str(record["faults"]))
        )  # fmt: skip
    heads = ("bot", "author", "games", "1st", "2nd", "3rd", "4th", "points a game", "faults")
    return table(heads, rows, texts=2)


_CARD = 2**CARD_BITS - 1


@dataclass(frozen=True)
class PlayedMatch:
    """A game of a season: its number from 0, the bots by seat, the seed of its cards, the choices.

    It is one of `league_game(plan.rules)`, and `choices` are the numbers of its options.
    """

    number: int
    bots: tuple[str, ...]
    seed: int
    choices: tuple[int, ...]


def played_match(season: Season, number: int) -> PlayedMatch:
    """Return a game of a season.

    Raises RecordsError if there is no such game, it has not been played yet, or the season's salt
    is not known yet to whoever reads it, DamagedError for a
    damaged block, and BlockError for choices that are none of the game.
    """
    plan = season.plan
    if not 0 <= number < plan.games:
        raise RecordsError(f"the season has games 1 to {plan.games:,}, and no {number + 1:,}")
    at = next(at for at in range(plan.blocks) if number < plan.block(at).stop)
    if not season.blocks.has(at):
        raise RecordsError(f"game {number + 1:,} of the season has not been played yet")
    if season.sealed:
        raise RecordsError(
            f"game {number + 1:,} can be replayed when the season is over: its salt is secret"
        )
    block = season.blocks.read(at)
    index = number - block.first
    first = int(block.rounds[:index].sum())
    rows = block.plays[first : first + int(block.rounds[index])]
    seed = int(game_chances(plan.seed, range(number, number + 1), plan.salt)[0, 0])
    bots = tuple(plan.bots[entry].name for entry in plan.schedule[number])
    return PlayedMatch(number, bots, seed, tuple(_options(plan, seed, rows.tolist())))


def _options(plan: SeasonPlan, seed: int, rounds: list[list[int]]) -> Iterator[int]:
    """Yield the numbers of the options that were chosen."""
    dealer = Dealer(plan.rules)
    dealer.start(seed, state=False)
    for number, choices in enumerate(rounds):
        dealt = list(dealer.hands())
        hands = [dealt[at : at + HAND] for at in range(0, len(dealt), HAND)]
        given: list[list[int]] = [[] for _ in hands]
        for turn in range(ROUND):
            seat, card = choices[turn] >> CARD_BITS, choices[turn] & _CARD
            if turn == SLUFFS:
                direction = DIRECTIONS[number % len(DIRECTIONS)]
                for giver, cards in enumerate(given):
                    take_up(hands[giver + direction & 3], cards)
            due, legal = dealer.due & 3, MASKS[dealer.due >> 2]
            if not dealer.due or due != seat or card not in hands[seat]:
                raise BlockError(f"round {number + 1}, choice {turn + 1} is none of the game")
            place = hands[seat].index(card)
            if place not in legal:
                raise BlockError(f"round {number + 1}, choice {turn + 1} breaks the rules")
            option = legal.index(place)
            hands[seat].pop(place)
            if turn < SLUFFS:
                given[seat].append(card)
            dealer.play(option)
            yield option
    if dealer.due:
        raise BlockError(f"the game goes on after round {len(rounds)}")
