"""Figures that others published of random games, and whether the library's games have them."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from library_statistics import Kind

if TYPE_CHECKING:
    from library_statistics import Statistics

FILE = Path(__file__).with_name("published.toml")

READING = 0.05
"""How far off a figure may be that was read off a plot, as a share of it."""

ERRORS = 4
"""Standard errors of a source's own sample by which its mean may be off."""

FIGURES = {
    "players": "players",
    "decisions": "decisions in every game",
    "decisions_mean": "decisions, mean",
    "longest": "decisions, longest of 100 games",
    "options": "options of every decision",
    "options_mean": "options, mean",
    "widest": "options, most in 100 games",
    "forced": "decisions with one option, %",
    "first_wins": "first seat wins, ties as wins, %",
    "first_share": "first seat wins, ties shared, %",
    "score_mean": "score, mean of all seats",
    "score_sd": "score, standard deviation",
    "best_mean": "winner's score, mean",
    "worst_mean": "loser's score, mean",
    "tied": "several winners, %",
    "leader_options": "options of who leads, by trick",
    "other_options": "options of the others, by trick",
}
"""The figures that a fact may be about, in words."""

KEYS = {"game", "players", "preset", "declared", "value"}
"""What a row of the file says in other words than `Fact`."""

Value: TypeAlias = float | tuple[float, ...]


@dataclass(frozen=True)
class Fact:
    """A published figure of one game for one number of players: see published.toml."""

    game: str
    kind: Kind
    figure: str
    value: Value
    source: str
    within: float = 0.0
    read: bool = False
    sample: int = 0
    reason: str = ""

    def __str__(self) -> str:
        kind = self.kind
        constants = [f"{key}={value}" for key, value in kind.declared]
        parts = [self.game, kind.preset or str(kind.players), *constants, self.figure, self.source]
        return "-".join(parts)


@dataclass(frozen=True)
class Finding:
    """What a figure is here: a value, a list by trick, or a least, middle and most of batches."""

    value: Value
    agrees: bool
    varies: tuple[float, float] | None = None


def load_facts() -> tuple[dict[str, str], tuple[Fact, ...]]:
    """Return the sources in words by their keys, and all facts, one for each number of players."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    sources: dict[str, str] = table["sources"]
    found = tuple(
        Fact(
            game=row["game"],
            kind=Kind(players, row.get("preset", ""), tuple(row.get("declared", {}).items())),
            value=_value(row["value"]),
            **{key: value for key, value in row.items() if key not in KEYS},
        )
        for row in table["fact"]
        for players in row["players"]
    )
    for fact in found:
        if fact.figure not in FIGURES or fact.source not in sources:
            raise ValueError(f"published.toml has no such figure or source: {fact}")
    return sources, found


def _value(value: Any) -> Value:
    return tuple(map(float, value)) if isinstance(value, list) else float(value)


SOURCES, FACTS = load_facts()


def judge(fact: Fact, found: Statistics) -> Finding:
    """Compare a fact with the statistics of its game.

    The longest and the widest of a source's hundred games agree if some hundred of ours had it; a
    figure of every game, or of every decision, must be so without exception. Other figures agree
    within the tolerance of the fact.
    """
    match fact.figure:
        case "decisions":
            return _always(fact, found.decisions.mean, found.decisions.least, found.decisions.most)
        case "options":
            return _always(fact, found.options_mean, found.options_mean, found.widest)
        case "longest":
            return _extreme(fact, found.longest_of_hundred)
        case "widest":
            return _extreme(fact, found.widest_of_hundred)
        case "leader_options" | "other_options":
            return _by_trick(fact, found)
        case _:
            value, sd = _mean(fact.figure, found)
            assert isinstance(fact.value, float)
            return Finding(value, abs(value - fact.value) <= _tolerance(fact, fact.value, sd))


def _always(fact: Fact, mean: float, least: float, most: float) -> Finding:
    return Finding(mean, least == mean == most == fact.value)


def _extreme(fact: Fact, among: tuple[int, int, int]) -> Finding:
    assert isinstance(fact.value, float)
    least, middle, most = among
    room = _tolerance(fact, fact.value, 0)
    agrees = least - room <= fact.value <= most + room
    return Finding(float(middle), agrees, (least, most))


def _by_trick(fact: Fact, found: Statistics) -> Finding:
    """Compare the first tricks; everybody plays once to a trick, and has nothing else to decide."""
    assert isinstance(fact.value, tuple)
    means = [options / found.games for options in found.options_at]
    tricks = [means[i : i + found.kind.players] for i in range(0, len(means), found.kind.players)]
    if fact.figure == "leader_options":
        values = [trick[0] for trick in tricks]
    else:
        values = [math.fsum(trick[1:]) / (found.kind.players - 1) for trick in tricks]
    here = tuple(values[: len(fact.value)])
    agrees = len(here) == len(fact.value) and all(
        abs(one - other) <= _tolerance(fact, other, 0)
        for one, other in zip(here, fact.value, strict=True)
    )
    return Finding(here, agrees)


def _mean(figure: str, found: Statistics) -> tuple[float, float]:
    """Return a figure that is a mean over games, and its standard deviation where that is known."""
    match figure:
        case "players":
            return float(found.kind.players), 0.0
        case "decisions_mean":
            return found.decisions.mean, found.decisions.sd
        case "options_mean":
            return found.options_mean, 0.0
        case "forced":
            return 100 * found.forced_share, 0.0
        case "first_wins":
            share = found.first_best
            return 100 * share, 100 * math.sqrt(share * (1 - share))
        case "first_share":
            return 100 * found.first_share[0], 0.0
        case "score_mean":
            return found.all_scores.mean, found.all_scores.sd
        case "score_sd":
            return found.all_scores.sd, 0.0
        case "best_mean":
            return found.best.mean, found.best.sd
        case "worst_mean":
            return found.worst.mean, found.worst.sd
        case "tied":
            return 100 * found.tied, 0.0
    raise ValueError(figure)


def _tolerance(fact: Fact, value: float, sd: float) -> float:
    """Return how far our value may be off, in units of the figure."""
    reading = READING * abs(value) if fact.read else 0.0
    sampling = ERRORS * sd / math.sqrt(fact.sample) if fact.sample else 0.0
    return fact.within + reading + sampling + 1e-9
