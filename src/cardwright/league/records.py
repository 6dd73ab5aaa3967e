"""Records of a season: written, read, inspected, counted and replayed."""

from __future__ import annotations

import io
import secrets
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cardwright._version import __version__
from cardwright.jobs.files import (
    DamagedError,
    RecordsError,
    changed,
    digest,
    warn_unchecked,
    write_secret,
    write_whole,
)
from cardwright.jobs.folder import (
    BLOCKS,
    FILE,
    MOST_BYTES,
    Blocks,
    Format,
    Inspection,
    held,
    how_to_mend,
    of_results,
    of_versions,
    read_digests,
    tidy,
)
from cardwright.league.block import (
    CARD_BITS,
    OF_GAMES,
    ROUND,
    SLUFFS,
    BlockError,
    BlockTally,
    SeasonBlock,
)
from cardwright.league.dealer import HAND, Dealer, LeagueRules
from cardwright.league.outputs import LeagueStandings, polars
from cardwright.league.plan import BotLimits, BotText, SeasonPlan, differences, game_chances
from cardwright.league.play import DIRECTIONS
from cardwright.league.seen import MASKS, take_up
from cardwright.markup import numbers
from cardwright.markup.element import Html, display, heading
from cardwright.markup.table import table
from cardwright.syntax.data_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction

    import polars as pl

    from cardwright.league.block import BotFault
    from cardwright.league.outputs import BotStanding

FOLDER, OUTPUTS = "Records", "Outputs"
SCHEDULE = "schedule.npy"
FORMAT = Format("cardwright season", 3, "a season")
SALT = "salt"
"""The file with the salt of a season that is not over, which only its owner can read."""

_SALT_BYTES = 16


@dataclass(frozen=True)
class Season:
    """A season that was played, completely or in part, as recorded.

    `plan.bots` have no texts here: these are not recorded. `digests` has the SHA-256 of each block
    of a complete season by the name of its file; older records have none. `begun` and `ended` are
    dates, as `2026-11-22`, empty where they are not recorded; `cardwright` is the version that
    plays the season, and `marks` has the SHA-256 of every bot's text. While the season is not over
    its salt may be `sealed`: then `plan.salt` is empty, and cards cannot be computed. `tables` has
    the SHA-256 of the tables in `Outputs` of a complete season.
    """

    folder: Path
    plan: SeasonPlan
    complete: bool
    digests: dict[str, str] = field(default_factory=dict)
    begun: str = ""
    ended: str = ""
    cardwright: str = ""
    marks: tuple[str, ...] = ()
    sealed: bool = False
    tables: dict[str, str] = field(default_factory=dict)

    @property
    def files(self) -> Blocks:
        """The files of the blocks."""
        return _files(self.folder, self.plan, self.digests)

    def blocks(self) -> Iterator[SeasonBlock]:
        """Yield all existing blocks, in order.

        Raises DamagedError for a damaged one, and for a missing one of a complete season.
        """
        if self.complete and not self.digests:
            warn_unchecked(self.folder)
        files = self.files
        for number in range(files.count):
            if files.name(number) in files.digests or files.file(number).exists():
                yield read_block(files, number)

    def outcome(self) -> SeasonOutcome:
        """Return what every bot has got so far, and done wrong; raises DamagedError."""
        return SeasonOutcome.of(self)

    def to_polars(self) -> pl.DataFrame:
        """Return the standings as a table, the best bot first: see `SeasonOutcome.to_polars`."""
        return self.outcome().to_polars()

    def __repr__(self) -> str:
        state = "played to its end" if self.complete else "not finished"
        return f"<Season {self.plan.name}, {len(self.plan.bots)} bots, {state}>"

    def _repr_html_(self) -> str:

        return season_html(self)

    def check(self) -> None:
        """Raise DamagedError for a block of a complete season that has changed."""
        for number in range(self.plan.blocks):
            self.files.check(number)


def _files(records: Path, plan: SeasonPlan, digests: Mapping[str, str]) -> Blocks:
    advice = how_to_mend(records.parent, "the season")
    return Blocks(records, plan.blocks, *OF_GAMES, advice, digests)


def read_block(files: Blocks, number: int) -> SeasonBlock:
    """Return a block; raises DamagedError if it is damaged."""
    return SeasonBlock.unpacked(files.read(number), str(files.file(number)))


def kept_seed(season: Path) -> int | None:
    """Return the seed of what was played of the season in a folder; None if that is nothing."""
    data = FORMAT.read(season / FOLDER)
    return None if data is None else int(data["plan"]["seed"])


def salted(season: Path, plan: SeasonPlan, salt: bytes | None, *, resume: bool) -> SeasonPlan:
    """Return a plan with the salt given, or that of the season to resume, or a drawn one.

    Where nobody plays but players of the library, none is drawn: nobody could foresee his cards.
    Raises RecordsError if the salt to resume with is lost.
    """
    data = FORMAT.read(season / FOLDER) if resume else None
    if salt is None and data is not None:
        salt = _kept_salt(season / FOLDER, data)
        if salt is None:
            raise RecordsError(
                f"{season / FOLDER / SALT} cannot be read, and the season goes on with no other "
                "salt: play it again with `--again`"
            )
    if salt is None:
        salt = secrets.token_bytes(_SALT_BYTES) if plan.files else b""
    return replace(plan, salt=salt)


def _kept_salt(folder: Path, data: Mapping[str, Any]) -> bytes | None:
    """Return the salt that was published, or else the secret one; None if it cannot be read."""
    published = data.get("salt")
    try:
        text = (folder / SALT).read_text("ascii") if published is None else published
        return bytes.fromhex(text)
    except (OSError, ValueError, TypeError):
        return None


def read_season(season: str | Path) -> Season:
    """Return the season recorded in a folder; raises RecordsError if there is none."""
    folder = Path(season) / FOLDER
    data = FORMAT.read(folder)
    if data is None:
        raise RecordsError(f"{season} has no {FOLDER}: play the season first, with `league run`")
    file = folder / SCHEDULE
    try:
        plan = data["plan"]
        schedule = np.load(io.BytesIO(read_bytes(file, MOST_BYTES)), allow_pickle=False)
        if digest(schedule.tobytes()) != plan["schedule"]:
            raise ValueError(f"{SCHEDULE} is not the schedule of the season")
        salt = _kept_salt(folder, data)
        return Season(
            folder,
            SeasonPlan(
                plan["name"],
                LeagueRules(plan["rules"]),
                int(plan["seed"]),
                tuple(BotText(bot["name"], bot["author"], bot["file"]) for bot in plan["bots"]),
                schedule,
                BotLimits(**plan["patience"]),
                plan["jail_level"],
                plan["together"],
                salt=salt or b"",
            ),
            data["complete"],
            read_digests(data),
            str(data.get("begun", "")),
            str(data.get("ended", "")),
            str(data["cardwright"]),
            tuple(str(bot["sha256"]) for bot in plan["bots"]),
            salt is None,
            {str(name): str(one) for name, one in data.get("outputs", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordsError(f"{folder} is damaged: {type(error).__name__}: {error}") from None


def _today() -> str:
    """Return the date in UTC, as in manifests."""
    return datetime.now(UTC).date().isoformat()


class SeasonRecords:
    """The records of a season, for writing; see `opened`."""

    def __init__(self, folder: Path, plan: SeasonPlan) -> None:
        self.folder = folder
        self.plan = plan
        self.files = _files(folder, plan, {})

    def begin(self) -> None:
        """Record what will be played."""
        memory = io.BytesIO()
        np.save(memory, self.plan.schedule, allow_pickle=False)
        write_secret(self.folder / SALT, self.plan.salt.hex().encode())
        write_whole(self.folder / SCHEDULE, memory.getvalue())
        data = {
            "cardwright": __version__,
            "begun": _today(),
            "ended": "",
            "complete": False,
            "plan": self.plan.data(),
            "salt": None,
            "digests": {},
            "outputs": {},
        }
        FORMAT.write(self.folder, data)

    def finish(self, outputs: Mapping[str, str] | None = None) -> None:
        """Record that all blocks and all outputs are complete, and publish the salt.

        `outputs` has the SHA-256 of each table, if there are any.
        """
        digests = self.files.digested(range(self.plan.blocks))
        data = FORMAT.read(self.folder) or {}
        ended = data.get("ended") or _today()
        over = {"ended": ended, "complete": True, "salt": self.plan.salt.hex()}
        whole = data | over | {"digests": digests, "outputs": dict(outputs or {})}
        FORMAT.write(self.folder, whole)
        (self.folder / SALT).unlink(missing_ok=True)


@contextmanager
def opened(season: Path, plan: SeasonPlan, *, resume: bool, again: bool) -> Iterator[SeasonRecords]:
    """Open the records of a season, to begin or resume it, for this process alone.

    `again` discards existing records. Raises RecordsError if there are records and neither `resume`
    nor `again` is set, if they are of another plan, or if they are in use.
    """
    folder = season / FOLDER
    records = SeasonRecords(folder, plan)
    with held(folder, BLOCKS, f"the season in {season}"):
        there = None if again else FORMAT.read(folder)
        if there is not None:
            _check_same(there, plan, season, resume=resume)
            records.files = _files(folder, plan, _of_those_there(folder, there))
        else:
            (folder / FILE).unlink(missing_ok=True)
            for file in (folder / BLOCKS).iterdir():
                file.unlink()
            records.begin()
        tidy(folder)
        yield records


def _of_those_there(folder: Path, manifest: dict[str, Any]) -> dict[str, str]:
    """Return the digests of the existing blocks: missing ones will be played again."""
    digests = read_digests(manifest)
    return {name: one for name, one in digests.items() if (folder / name).exists()}


def _check_same(there: dict[str, Any], plan: SeasonPlan, season: Path, *, resume: bool) -> None:
    found = differences(there["plan"], plan.data())
    if resume and _kept_salt(season / FOLDER, there) != plan.salt:
        found.append("the salt is another one")
    found += of_versions(there["cardwright"], __version__)
    found += of_results(there["results_version"])
    if not resume:
        state = "was played to its end" if there["complete"] else "is not finished"
        advice = "" if found or there["complete"] else "`--resume` to go on, or "
        raise RecordsError(
            f"the season in {season} {state}: {advice}`--again` to play it again from its beginning"
        )
    if found:
        listed = "\n".join(f"  {one}" for one in found)
        raise RecordsError(
            f"the season in {season} was begun with a different plan:\n{listed}\n"
            "Undo these changes to resume it, or play it again with `--again`"
        )


def inspect_season(folder: Path) -> Inspection:
    """Inspect the blocks of the season in a folder, and its tables if they are there.

    Raises RecordsError if it has no records.
    """
    season = read_season(folder)
    files = season.files
    numbers = range(files.count) if season.complete else files.there()
    looked = {files.name(number): _block_damage(files, number) for number in numbers}
    blocks = any(looked.values())
    if season.complete and (folder / OUTPUTS).is_dir():
        for name in season.tables:
            looked[f"../{OUTPUTS}/{name}"] = changed(folder / OUTPUTS, name, season.tables)
    return Inspection(
        season.folder,
        "season",
        FORMAT,
        season.complete,
        looked,
        bool(season.digests),
        "their games" if blocks else "no game, and writes the tables",
    )


def _block_damage(files: Blocks, number: int) -> str:
    try:
        read_block(files, number)
    except DamagedError as error:
        return error.reason
    except RecordsError as error:
        return str(error).removeprefix(f"{files.file(number)} ")
    return ""


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
        for block in season.blocks():
            seats = plan.schedule[block.first : block.after]
            counts = standings.running(BlockTally.of(block), seats)
            standings = LeagueStandings(plan.roster, counts[-1])
            for fault in block.faults:
                faults[int(plan.schedule[fault.game, fault.seat])].append(fault)
        return cls(standings, faults)

    def _repr_html_(self) -> str:

        return outcome_html(self)

    def records(self) -> list[dict[str, Any]]:
        """Return what every bot has got as JSON objects, the best first."""
        rows = {id(one.entry): row for row, one in enumerate(self.standings.each())}
        return [
            _record(one, self.faults.get(rows[id(one.entry)], ()))
            for one in self.standings.ranked()
        ]

    def to_polars(self) -> pl.DataFrame:
        """Return what every bot has got as a table, the best first.

        Places are shares of its games; points, hearts and queens are those of a game. All these are
        null without games. Raises MissingExtraError without polars.
        """
        return _frame(self.records(), {"bot": str, "author": str}, "games", "faults", "forfeits")

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


def _frame(rows: list[dict[str, Any]], texts: dict[str, type], *whole: str) -> pl.DataFrame:
    """Return a table of objects that have the same keys; what is neither text nor whole is real."""
    schema = {name: texts.get(name, int if name in whole else float) for name in rows[0]}
    frame: pl.DataFrame = polars().DataFrame(rows, schema=schema)
    return frame


def _record(one: BotStanding, mine: Sequence[BotFault]) -> dict[str, Any]:
    """Return what a bot has got as a JSON object, and done wrong.

    Places are shares of its games, points, hearts and queens those of a game.
    """
    totals: dict[str, float | Fraction] = {
        f"place_{at}": place for at, place in enumerate(one.places, 1)
    }
    totals |= {"points": one.points, "hearts": one.hearts, "queens": one.queens}
    return {
        "bot": one.entry.name,
        "author": one.entry.author,
        "games": one.games,
        **{name: float(total) / one.games if one.games else None for name, total in totals.items()},
        "faults": len(mine),
        "forfeits": len({fault.game for fault in mine if fault.forfeit}),
    }


def season_html(season: Season) -> str:
    """Return a season: its standings, as far as it is played."""
    state = "played to its end" if season.complete else "not finished"
    facts = (f"{len(season.plan.bots)} bots", state, f"seed {season.plan.seed}")
    return display(heading(f"Season {season.plan.name}", *facts), _standings(season.outcome()))


def outcome_html(found: SeasonOutcome) -> str:
    """Return the standings of a season, the best bot first."""
    return display(heading("Standings"), _standings(found))


def _standings(found: SeasonOutcome) -> Html:
    rows = []
    for one in found.records():
        places = [numbers.percent(one[f"place_{at}"], 0) for at in range(1, 5)]
        rows.append(
            (one["bot"], one["author"], str(one["games"]), *places,
             numbers.number(one["points"], 1), str(one["faults"]))
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
    if at not in season.files.there():
        raise RecordsError(f"game {number + 1:,} of the season has not been played yet")
    if season.sealed:
        raise RecordsError(
            f"game {number + 1:,} can be replayed when the season is over: its salt is secret"
        )
    block = read_block(season.files, at)
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
