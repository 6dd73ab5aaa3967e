"""The page of a search: one self-contained HTML file that needs no network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from cardwright._version import __version__
from cardwright.analysis.diagrams.drawing import svg_of
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.analysis.report import STYLE, environment
from cardwright.arena.effect_replay import at_random, record_flow
from cardwright.evolution.candidate import DepartureReason, FunnelStep
from cardwright.evolution.report.account import outcomes
from cardwright.evolution.report.charts import front_charts, progress_charts
from cardwright.evolution.report.intervals import measure_rows
from cardwright.evolution.report.map_tables import SHADES, map_tables
from cardwright.evolution.report.served_page import page_script, script_hash
from cardwright.evolution.report.words import (
    asked,
    caveats,
    front_words,
    headline,
    passed,
    progress_words,
    told,
    verdict,
)
from cardwright.game.errors import GameError
from cardwright.game.game import Game
from cardwright.game.seeds import game_seeds
from cardwright.publication.pages import inlined

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.evolution.report.account import EvolutionAccount, MeasureLabel, ReportedGame
    from cardwright.evolution.report.intervals import MeasureRow
    from cardwright.game.flow import Flow

STEPS = {
    FunnelStep.VARY: "made",
    FunnelStep.CHECK: "checked",
    FunnelStep.TRY: "tried in a few games",
    FunnelStep.COMPARE: "compared with those known",
    FunnelStep.PLAY: "played many times at random",
    FunnelStep.SEARCH: "played by players that think",
}
"""What is done at each step."""


@dataclass(frozen=True)
class LossReason:
    """A reason with the number of candidates that left for it, and that as a part of all."""

    reason: str
    count: int
    share: float


@dataclass(frozen=True)
class StepLosses:
    """A step of the funnel: how many came to it, and for which reasons some left."""

    step: str
    came: int
    share: float
    reasons: tuple[LossReason, ...]


def losses(account: EvolutionAccount) -> tuple[StepLosses, ...]:
    """Return all steps in order; shares are in per cent of all candidates."""
    found, left = [], account.candidates
    for step in FunnelStep:
        reasons = [
            LossReason(reason.value, count, _share(count, account.candidates))
            for reason in DepartureReason
            if (count := account.departures.get((step, reason), 0))
        ]
        found.append(
            StepLosses(STEPS[step], left, _share(left, account.candidates), tuple(reasons))
        )
        left -= sum(one.count for one in reasons)
    return tuple(found)


def _share(count: int, total: int) -> float:
    return round(100 * count / total, 2) if total else 0.0


GAMES = 12
"""Random games whose cards are followed, with the same seeds for all rules."""


def flow_diagrams(account: EvolutionAccount, shown: tuple[ReportedGame, ...]) -> dict[str, str]:
    """Return diagrams as SVG by the names of games.

    There is one for the original, and for each game in which other places hold cards or cards move
    between other places. A game that breaks a rule in all games followed has none.
    """
    original = _flow(account, account.original)
    if original is None:
        return {}
    found: dict[str, str] = {}
    for game in shown:
        flow = _flow(account, game)
        if flow is not None and _shape(flow) != _shape(original):
            found[game.name] = _drawn(flow, game.name)
    return {account.original.name: _drawn(original, account.original.name), **found}


def _flow(account: EvolutionAccount, game: ReportedGame) -> Flow | None:
    loaded = Game.from_text(game.candidate.text, name=game.name)
    try:
        return record_flow(loaded, at_random(game_seeds(account.seed, GAMES)))
    except GameError:
        return None


def _shape(flow: Flow) -> Mapping[str, object]:
    return {
        "places": {spot for spot, _ in flow.places},
        "ways": {way for way, _ in flow.ways},
        "decks": set(flow.decks),
    }


def _drawn(flow: Flow, name: str) -> str:
    graph = flow_graph(flow, name, counts=True, legend=True, dashes=True)
    return inlined(svg_of(graph), f"flow-{name}", f"How cards move in {name}")


AROUND = 3
"""Unchanged lines that are shown before and after a change."""

_PIECES = re.compile(r"\s+|[A-Za-z0-9_']+|.")
_ALIKE = 0.5
"""How similar two lines must be, from 0 to 1, for their differences to be marked within them."""

_Opcode: TypeAlias = tuple[str, int, int, int, int]


@dataclass(frozen=True)
class DifferencePart:
    """A part of a line; `marked` if it is what differs from the line that it replaces."""

    text: str
    marked: bool = False


_Parts: TypeAlias = tuple[DifferencePart, ...]


@dataclass(frozen=True)
class DifferenceLine:
    """A line that is the same in both texts, or only in one, with its numbers from 1."""

    kind: Literal["same", "out", "in"]
    old: int | None
    new: int | None
    parts: tuple[DifferencePart, ...]


def difference(
    before: str, after: str, around: int = AROUND
) -> tuple[tuple[DifferenceLine, ...], ...]:
    """Return the hunks of the difference of two texts; none if they are equal."""
    old, new = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        tuple(line for code in group for line in _lines(code, old, new))
        for group in matcher.get_grouped_opcodes(around)
    )


def _lines(code: _Opcode, old: Sequence[str], new: Sequence[str]) -> Iterator[DifferenceLine]:
    kind, old_start, old_end, new_start, new_end = code
    if kind == "equal":
        for at in range(old_end - old_start):
            parts = _whole(old[old_start + at])
            yield DifferenceLine("same", old_start + at + 1, new_start + at + 1, parts)
        return
    left: list[_Parts] = [_whole(line) for line in old[old_start:old_end]]
    right: list[_Parts] = [_whole(line) for line in new[new_start:new_end]]
    if len(left) == len(right):
        pairs = zip(old[old_start:old_end], new[new_start:new_end], strict=True)
        for at, (one, other) in enumerate(pairs):
            left[at], right[at] = _marked(one, other)
    for at, parts in enumerate(left):
        yield DifferenceLine("out", old_start + at + 1, None, parts)
    for at, parts in enumerate(right):
        yield DifferenceLine("in", None, new_start + at + 1, parts)


def _whole(line: str) -> _Parts:
    return (DifferencePart(line),)


def _marked(one: str, other: str) -> tuple[_Parts, _Parts]:
    """Return two lines with their differences marked, or whole if they have little in common."""
    left, right = _PIECES.findall(one), _PIECES.findall(other)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    if matcher.ratio() < _ALIKE:
        return _whole(one), _whole(other)
    old, new = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        if b > a:
            old.append(DifferencePart("".join(left[a:b]), kind != "equal"))
        if d > c:
            new.append(DifferencePart("".join(right[c:d]), kind != "equal"))
    return tuple(old), tuple(new)


MOST_CARDS = 20
"""Elites that are shown with their rules, measures and diagrams; others are in the table."""

_TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class EliteCard:
    """What a page shows of an elite: how it differs, and diagrams of the original and itself."""

    game: ReportedGame
    verdict: str
    rows: tuple[MeasureRow, ...]
    hunks: tuple[tuple[DifferenceLine, ...], ...]
    flow: tuple[str, str] | None


def page(account: EvolutionAccount, figures: Mapping[str, Sequence[str]] | None = None) -> str:
    """Return the page as HTML; raises MissingExtraError without Jinja.

    `figures` are the paths of the files of each figure by its name, to which the page links.
    """
    made = environment()
    from jinja2 import ChoiceLoader, FileSystemLoader

    assert made.loader is not None
    made.loader = ChoiceLoader([FileSystemLoader(_TEMPLATES), made.loader])
    shown = account.elites[:MOST_CARDS]
    flows = flow_diagrams(account, shown)
    cards = [_card(account, game, shown, flows) for game in shown]
    carded = {game.name for game in shown}
    stayed = account.candidates - sum(account.departures.values())
    return made.get_template("evolution.html").render(
        account=account,
        headline=headline(account),
        asked=asked(account),
        passed=passed(account),
        front_words=front_words(account),
        progress_words=progress_words(account),
        caveats=caveats(account),
        told=told,
        cards=cards,
        carded=carded,
        links={g.name: g.name if g.name in carded else f"row-{g.number}" for g in account.elites},
        flows=flows,
        figures=figures or {},
        ranges=any(aim.kind == "range" for aim in account.aims),
        maps=map_tables(account),
        shades=SHADES,
        fronts=() if account.map else front_charts(account),
        progress=progress_charts(account),
        steps=losses(account),
        stayed=(stayed, round(100 * stayed / account.candidates, 2) if account.candidates else 0),
        columns=columns(account),
        meanings=[label for label in columns(account) if label.meaning],
        style=STYLE.read_text(encoding="utf-8"),
        style_own=_text("evolution.css"),
        script=page_script(),
        script_hash=script_hash(),
        version=__version__,
    )


def columns(account: EvolutionAccount) -> list[MeasureLabel]:
    """Return the measures that any game of the report has, those aimed at first."""
    games = (account.original, *account.elites)
    every = sorted({name for game in games for name in game.measures})
    names = dict.fromkeys((*(aim.measure for aim in account.aims), *every))
    return [account.label(name) for name in names]


def _card(
    account: EvolutionAccount,
    game: ReportedGame,
    shown: tuple[ReportedGame, ...],
    flows: dict[str, str],
) -> EliteCard:
    original = account.original
    return EliteCard(
        game,
        verdict(account, outcomes(account, game)),
        measure_rows(account, game, shown),
        difference(original.candidate.text, game.candidate.text),
        (_beside(flows[original.name], original.name, game.name), flows[game.name])
        if game.name in flows
        else None,
    )


def _beside(svg: str, original: str, game: str) -> str:
    """Return the original's diagram with identifiers of its own, as it stands on several cards."""
    return svg.replace(f"flow-{original}", f"flow-{original}-at-{game}")


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")
