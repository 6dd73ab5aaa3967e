"""An account of a search that never took place: real rules, and numbers made up for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from cardwright.evolution.aim import Aim
from cardwright.evolution.candidate import (
    Candidate,
    CandidateChange,
    ChangeFamily,
    DepartureReason,
    Evaluated,
    FunnelStep,
)
from cardwright.evolution.generation import judge
from cardwright.evolution.methods.method import EliteMap, Judged, MapShape
from cardwright.evolution.report.account import (
    Ancestor,
    EvolutionAccount,
    ReportedGame,
    numbered,
    stem_of,
)
from cardwright.evolution.report.words import told
from cardwright.game.find import beside, find
from cardwright.game.settings import read_table
from cardwright.statistics.intervals import Estimate
from cardwright.syntax.formatter import format_source
from cardwright.syntax.source import Source

AIMS = (Aim("length", "range", 8, 10, scale=5), Aim("fairness", "max", scale=0.1))
EDITS = (
    ("(declare 6 'HANDSIZE)", "(declare 3 'HANDSIZE)"),
    ("(declare 3 'PLAYERS)", "(declare 4 'PLAYERS)"),
    ("(declare 6 'HANDSIZE)", "(declare 4 'HANDSIZE)"),
    ("(declare 6 'HANDSIZE)", "(declare 2 'HANDSIZE)"),
)


def text_of(game: str) -> str:
    """Return the rules of a library game as the formatter lays them out."""
    return format_source(Source(game, find(game).text))


def facts_of(game: str) -> dict[str, Any]:
    """Return the tables of the file beside a library game."""
    name, text = beside(game) or ("", "")
    return read_table(name, text)


def estimated(value: float, margin: float, count: int = 200) -> Estimate:
    """Return an estimate with an interval."""
    return Estimate(value, value - margin, value + margin, count)


def made(edits: tuple[tuple[str, str], ...], original: Candidate) -> Candidate:
    """Return a candidate with some changes of the text, each at its first place."""
    text, changes = original.text, []
    for before, after in edits:
        at = text.index(before)
        changes.append(
            CandidateChange(
                "number", ChangeFamily.CONSTANTS, text[:at].count("\n") + 1, before, after
            )
        )
        text = text.replace(before, after, 1)
    return Candidate(text, (original.name,), tuple(changes))


def account_of(
    game: str = "agram",
    edits: tuple[tuple[tuple[str, str], ...], ...] = tuple((one,) for one in EDITS),
    *,
    title: str = "Agram",
    aims: tuple[Aim, ...] = AIMS,
    mapped: int = 0,
    points: int = 300,
) -> EvolutionAccount:
    """Return an account of a search for games near one; `mapped` is the number of axes of a map."""
    random = np.random.default_rng(7)
    original = Candidate(text_of(game))
    games = []
    for number, candidate in enumerate([original, *(made(one, original) for one in edits)]):
        length, fair = (18.0, 0.8) if not number else (9.4 + number / 2, 0.97 - number / 40)
        searched = {
            "length": estimated(length, 0.2),
            "fairness": estimated(fair + 0.01, 0.04),
            "dead": estimated(0.3 - number / 50, 0.02),
        }
        measures = {name: one.mean for name, one in searched.items()}
        total = sum(aim.score(measures[aim.measure]) for aim in aims)
        lineage = [Ancestor(original.name, total=6.4)]
        if number:
            lineage.append(Ancestor(candidate.name, candidate.changes, ("0123456789ab",), total))
        name = numbered(stem_of(game), number, len(edits)) if number else stem_of(game)
        again = {key: estimated(one.mean - 0.01, 0.02, 1000) for key, one in searched.items()}
        said = tuple(map(told, candidate.changes))
        games.append(
            ReportedGame(
                number,
                name,
                candidate,
                searched,
                again,
                told=said,
                lineage=tuple(lineage),
                total=total,
            )
        )
    return EvolutionAccount(
        title,
        game,
        aims,
        games[0],
        tuple(games[1:]),
        2 * points,
        {
            (FunnelStep.CHECK, DepartureReason.WARNED): points // 10,
            (FunnelStep.TRY, DepartureReason.ENDLESS): points // 10,
            (FunnelStep.TRY, DepartureReason.BROKEN): points // 5,
            (FunnelStep.COMPARE, DepartureReason.KNOWN): points - 2 * (points // 10) - points // 5,
        },
        _points(points, aims, random),
        "map" if mapped else "pareto",
        7,
        f"cardwright evolve {game} --aim 'length 8..10' --aim 'fairness max' --seed 7",
        "",
        _map(mapped, games) if mapped else None,
        facts_of(game),
    )


def _points(count: int, aims: tuple[Aim, ...], random: np.random.Generator) -> tuple[Judged, ...]:
    found = []
    for number in range(1, count + 1):
        measures = {
            "length": estimated(float(random.gamma(6, 3)), 1),
            "fairness": estimated(float(random.beta(8, 2)), 0.1),
            "dead": estimated(float(random.beta(3, 8)), 0.1),
        }
        found.append(judge(Evaluated(Candidate(f"{number:012x}"), measures=measures), aims))
    return tuple(found)


def _map(axes: int, games: list[ReportedGame]) -> EliteMap:
    edges = ((6, 8, 10, 12, 14, 18, 22), (0.7, 0.8, 0.85, 0.9, 0.95, 1), (0, 0.2, 0.25, 0.3, 0.4))
    shape = MapShape(("length", "fairness", "dead")[:axes], edges[:axes])
    names = {shape.place(one.searched) or (): one.candidate.name for one in games[1:]}
    return EliteMap(shape, {name: place for place, name in names.items()})
