"""From a search that was carried out to the account that its report gives."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from cardwright.authoring.rule_difference import explained
from cardwright.evolution.aim import scores
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.methods.landscape import EliteMap
from cardwright.evolution.report.account import (
    Ancestor,
    EvolutionAccount,
    MeasureLabel,
    PlottedCandidate,
    ReportedGame,
    ReportedMap,
)
from cardwright.evolution.report.found_files import numbered, stem_of
from cardwright.game.find import beside
from cardwright.game.settings import parse_settings, read_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cardwright.evolution.evaluation import DepartureReason, FunnelStep
    from cardwright.evolution.evolution import Elite, Evolution
    from cardwright.evolution.methods.method import Judged
    from cardwright.game.wording.phrases import GameWords


def account_of(
    found: Evolution, *, game: str | Path | None = None, command: str = ""
) -> EvolutionAccount:
    """Return the account of a search.

    `game` is where the original was loaded from, a library name or the path of a file: facts on it
    are in the file beside it. Without it, the plan's name for the original counts as such.
    `command` is what makes the same search again. Raises FactsError and
    UnreadableFileError for that file.
    """
    name = str(game if game is not None else found.plan.name)
    facts = _facts(name)
    words = parse_settings(f"{name}.toml", facts).words
    elites = _in_order(found)
    stem = stem_of(found.plan.name)
    title = facts.get("title")
    return EvolutionAccount(
        title=title if isinstance(title, str) and title else stem.capitalize(),
        game=name,
        aims=found.plan.aims,
        labels={one: _label(one) for one in MEASURES},
        original=_game(found, found.original, 0, stem, words),
        elites=tuple(
            _game(found, elite, at, numbered(stem, at, len(elites)), words)
            for at, elite in enumerate(elites, 1)
        ),
        candidates=sum(one.candidates for one in found.generations[1:]),
        departures=_departures(found),
        points=tuple(_points(found)),
        method=found.plan.method,
        seed=found.plan.seed,
        command=command,
        again=_again(found),
        map=_map(found),
        facts=facts,
    )


def _facts(game: str) -> Mapping[str, Any]:
    there = beside(game)
    return {} if there is None else read_table(*there)


def _in_order(found: Evolution) -> list[Elite]:
    """Return all elites, and those of the map's cells, in the order of the report.

    Those that were measured again come first, by what the new games said of them: what the search
    saw of an elite is the luck for which it was chosen. Then come those that were not, and last
    those that left the funnel in the second measurement.
    """
    from cardwright.evolution.evolution import Elite

    every = {elite.name: elite for elite in found.elites}
    if isinstance(found.landscape, EliteMap):
        for cell in found.landscape.cells:
            elite = Elite(cell.elite)
            every.setdefault(elite.name, elite)
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
        told=tuple(one.sentence for one in explained(before, after, words)) if number else (),
        lineage=tuple(_lineage(found, elite)) if number else (),
        total=elite.judged.total,
    )


def _lineage(found: Evolution, elite: Elite) -> Iterator[Ancestor]:
    for one in found.lineage(elite.name):
        total = sum(scores(found.plan.aims, found.measured[one.name].measures))
        yield Ancestor(one.name, one.changes, one.parents[1:], total)


def _departures(found: Evolution) -> dict[tuple[FunnelStep, DepartureReason], int]:
    counted: Counter[tuple[FunnelStep, DepartureReason]] = Counter()
    for generation in found.generations[1:]:
        for one in generation.departures:
            counted[one.step, one.reason] += one.count
    return dict(counted)


def _points(found: Evolution) -> Iterator[PlottedCandidate]:
    others = (one for name, one in found.measured.items() if name != found.original.name)
    for number, one in enumerate(others, 1):
        if one.candidate is not None:
            measures = {name: estimate.mean for name, estimate in one.measures.items()}
            total = sum(scores(found.plan.aims, one.measures))
            yield PlottedCandidate(number, one.candidate.name, measures, total)


def _map(found: Evolution) -> ReportedMap | None:
    if not isinstance(found.landscape, EliteMap):
        return None
    shape = found.landscape.shape
    names = {cell.place: _name(cell.elite) for cell in found.landscape.cells}
    return ReportedMap(shape.measures, shape.edges, names)


def _name(judged: Judged) -> str:
    candidate = judged.evaluated.candidate
    return candidate.name if candidate is not None else ""


def _again(found: Evolution) -> str:
    """Return how the finalists were measured again, as a sentence."""
    many, times = len(found.finalists), found.plan.final_times
    if not many:
        return ""
    games = "new games" if times == 1 else f"{times} times as many new games"
    who = "The best was" if many == 1 else f"The best {many} were"
    return f"{who} measured again in {games}, of which the cards below tell."


def _label(name: str) -> MeasureLabel:
    one = MEASURES[name]
    digits = 3 if one.scale < 0.5 else 2 if one.scale < 5 else 1
    return MeasureLabel(name, name.replace("-", " ").capitalize(), one.words, digits)
