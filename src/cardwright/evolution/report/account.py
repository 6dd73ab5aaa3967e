"""The account of a search: what was asked for, what was found, and what became of the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.authoring.rule_difference import explained
from cardwright.evolution.generation import judge
from cardwright.evolution.methods.method import EliteMap
from cardwright.evolution.results import Elite
from cardwright.game.find import beside
from cardwright.game.settings import parse_settings, read_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.evolution.aim import Aim
    from cardwright.evolution.candidate import (
        Candidate,
        CandidateChange,
        DepartureReason,
        FunnelStep,
    )
    from cardwright.evolution.methods.method import Judged
    from cardwright.evolution.results import Evolution
    from cardwright.game.wording.phrases import GameWords
    from cardwright.statistics.intervals import Estimate

_LETTERS = 40


def stem_of(game: str) -> str:
    """Return how files of games found near one begin: `hearts` for the path `my/Hearts.rcy`."""
    words = re.sub(r"[^a-z0-9]+", "-", Path(game).stem.lower()).strip("-")
    return words[:_LETTERS].strip("-") or "game"


def numbered(stem: str, number: int, elites: int) -> str:
    """Return the name of an elite: `hearts-03`, so that names are sorted as elites are."""
    return f"{stem}-{number:0{max(2, len(str(elites)))}}"


@dataclass(frozen=True)
class Ancestor:
    """A candidate on the way from the original to an elite, and what the search knew of it.

    `changes` lead to it from its first parent; `others` are the names of the other parents. `total`
    is the sum of its scores, None for one that has left the pipeline.
    """

    name: str
    changes: tuple[CandidateChange, ...] = ()
    others: tuple[str, ...] = ()
    total: float | None = None


@dataclass(frozen=True)
class ReportedGame:
    """The original or an elite: its rules, its measures in the search, and those held out.

    `held_out` was measured again after the search, in games with seeds that the search did not
    use: what was chosen among many for its measures has been lucky too. If it left the pipeline
    then, `left_again` says why. `told` are sentences on how its rules differ from the original's.
    `lineage` begins with the original and ends with the game itself. `number` is its place among
    the elites from 1; the original has 0. `total` is the sum of its scores in the search.
    """

    number: int
    name: str
    candidate: Candidate
    searched: Mapping[str, Estimate]
    held_out: Mapping[str, Estimate]
    left_again: str = ""
    told: tuple[str, ...] = ()
    lineage: tuple[Ancestor, ...] = ()
    total: float = 0.0

    @property
    def measures(self) -> Mapping[str, Estimate]:
        """What is told of it: held-out values, and for measures without these the search's."""
        return {**self.searched, **self.held_out}


@dataclass(frozen=True)
class EvolutionAccount:
    """All that a report tells of a search.

    `title` is the original's for people, `game` what was asked for, such as a library name or the
    path of a file; `facts` are the tables of the TOML file beside it. `elites` are in order, the
    best first. `candidates` counts all that were tried, `departures` those that left the pipeline.
    `points` are those that passed, in the order of the search. `again` is a sentence on how the
    best were measured again. `map` is None for a method without one. Nothing here depends
    on the time or the machine.
    """

    title: str
    game: str
    aims: tuple[Aim, ...]
    original: ReportedGame
    elites: tuple[ReportedGame, ...]
    candidates: int
    departures: Mapping[tuple[FunnelStep, DepartureReason], int]
    points: Sequence[Judged]
    method: str
    seed: int
    command: str
    again: str = ""
    map: EliteMap | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def asked(self) -> tuple[str, ...]:
        """The measures that were asked for: those of the aims, then those of the map."""
        axes = self.map.shape.measures if self.map is not None else ()
        return tuple(dict.fromkeys((*(aim.measure for aim in self.aims), *axes)))


# Better or worse than the original --------------------------------------------------------------


class AimSide(StrEnum):
    """On which side of the original a game is in one aim."""

    BETTER = "better"
    WORSE = "worse"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class AimOutcome:
    """What became of one aim: the measure of the original and of the game, and who is better."""

    aim: Aim
    before: Estimate
    after: Estimate
    side: AimSide


def outcomes(account: EvolutionAccount, game: ReportedGame) -> tuple[AimOutcome, ...]:
    """Return the outcome of each aim whose measure both games have."""
    before, after = account.original.measures, game.measures
    both = [aim for aim in account.aims if aim.measure in before and aim.measure in after]
    pairs = [(aim, before[aim.measure], after[aim.measure]) for aim in both]
    return tuple(AimOutcome(*pair, compared(*pair)) for pair in pairs)


def compared(aim: Aim, before: Estimate, after: Estimate) -> AimSide:
    """Say which of two estimates is better in an aim.

    One is better only if the worst value of its interval scores more than the best value of the
    other's. That is more than a test of the difference would ask for, and needs no pairing.
    """
    (old_worst, old_best), (new_worst, new_best) = _scores(aim, before), _scores(aim, after)
    if new_worst > old_best:
        return AimSide.BETTER
    return AimSide.WORSE if new_best < old_worst else AimSide.UNCLEAR


def _scores(aim: Aim, found: Estimate) -> tuple[float, float]:
    """Return the worst and the best score in an interval; a range is met where they overlap."""
    low, high = (found.mean if end is None else end for end in (found.low, found.high))
    scores = [aim.score(low), aim.score(high)]
    inside = [aim.score(min(max(aim.low, low), high))] if aim.kind == "range" else []
    return min(scores), max(*scores, *inside)


# From a search that was carried out -------------------------------------------------------------


def account_of(
    found: Evolution, *, game: str | Path | None = None, command: str = ""
) -> EvolutionAccount:
    """Return the account of a search.

    `game` is where the original was loaded from, a library name or the path of a file: facts on it
    are in the file beside it. Without it, the plan's name for the original counts as such.
    `command` is what makes the same search again. Raises FactsError and
    UnreadableFileError for that file.
    """
    plan = found.plan
    name = str(game if game is not None else plan.name)
    there = beside(name)
    facts = {} if there is None else read_table(*there)
    words = parse_settings(f"{name}.toml", facts).words
    elites = _in_order(found)
    stem, title = stem_of(plan.name), facts.get("title")
    games = [
        _game(found, elite, at, numbered(stem, at, len(elites)) if at else stem, words)
        for at, elite in enumerate([found.original, *elites])
    ]
    return EvolutionAccount(
        title=title if isinstance(title, str) and title else stem.capitalize(),
        game=name,
        aims=plan.aims,
        original=games[0],
        elites=tuple(games[1:]),
        candidates=found.candidates,
        departures={
            (departure.step, departure.reason): departure.count for departure in found.departures
        },
        points=tuple(
            judge(measured, plan.aims)
            for name, measured in found.measured.items()
            if name != found.original.name
        ),
        method=plan.method,
        seed=plan.seed,
        command=command,
        again=_again(found),
        map=found.landscape if isinstance(found.landscape, EliteMap) else None,
        facts=facts,
    )


def _in_order(found: Evolution) -> list[Elite]:
    """Return all elites, and those of the map's cells, in the order of the report.

    Those that were measured again come first, by what the new games said of them: what the search
    saw of an elite is the luck for which it was chosen. Then come those that were not, and last
    those that left the pipeline in the second measurement.
    """
    every = {elite.name: elite for elite in found.elites}
    if isinstance(found.landscape, EliteMap):
        for name in found.landscape.cells:
            every.setdefault(name, Elite(judge(found.measured[name], found.plan.aims)))
    every.pop(found.original.name, None)

    def rank(elite: Elite) -> tuple[int, float]:
        if elite.again is None:
            return 1, -elite.judged.total
        if elite.again.evaluated.departure is not None:
            return 2, -elite.judged.total
        return 0, -elite.again.total

    return sorted(every.values(), key=rank)


def _game(found: Evolution, elite: Elite, number: int, name: str, words: GameWords) -> ReportedGame:
    again = elite.again.evaluated if elite.again is not None else None
    left = again.departure if again is not None else None
    before, after = found.original.candidate.text, elite.candidate.text
    return ReportedGame(
        number=number,
        name=name,
        candidate=elite.candidate,
        searched=elite.judged.evaluated.measures,
        held_out={} if again is None or left is not None else again.measures,
        left_again=left.reason.value if left is not None else "",
        told=tuple(change.sentence for change in explained(before, after, words)) if number else (),
        lineage=tuple(
            Ancestor(
                ancestor.name, ancestor.changes, ancestor.parents[1:], found.total(ancestor.name)
            )
            for ancestor in (found.lineage(elite.name) if number else ())
        ),
        total=elite.judged.total,
    )


def _again(found: Evolution) -> str:
    """Return how the finalists were measured again, as a sentence."""
    many, times = len(found.finalists), found.plan.final_times
    if not many:
        return ""
    games = "new games" if times == 1 else f"{times} times as many new games"
    who = "The best was" if many == 1 else f"The best {many} were"
    return f"{who} measured again in {games}, of which the cards below tell."
