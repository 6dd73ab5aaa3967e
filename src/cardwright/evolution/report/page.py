"""The page of a search: one self-contained HTML file that needs no network.

All texts of games are escaped by Jinja. Its only script copies texts; the policy of the page names
it by its hash, and allows no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from cardwright._version import __version__
from cardwright.analysis.diagrams.drawing import svg_of
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.analysis.report import STYLE, environment
from cardwright.arena.effect_replay import at_random, record_flow
from cardwright.evolution.candidate import DepartureReason, FunnelStep
from cardwright.evolution.measures.table import MEASURES
from cardwright.evolution.report.account import outcomes
from cardwright.evolution.report.figures import GAME_LINK
from cardwright.evolution.report.served_page import FIGURES, page_script, script_hash
from cardwright.evolution.report.tables import SHADES, map_tables, measure_rows
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
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cardwright.evolution.measures.table import GameMeasure
    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.evolution.report.figures import EvolutionPicture
    from cardwright.evolution.report.tables import MeasureRow
    from cardwright.game.flow import Flow

MOST_CARDS = 20
"""Elites that are shown with their rules, measures and diagrams; others are in the table."""

FOLLOWED = 12
"""Random games whose cards are followed for diagrams, with the same seeds for all rules."""

AROUND = 3
"""Unchanged lines that are shown before and after a change."""

_TEMPLATES = Path(__file__).parent / "templates"

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
class EliteCard:
    """What a page shows of an elite: how it differs, and diagrams of the original and itself."""

    game: ReportedGame
    verdict: str
    rows: tuple[MeasureRow, ...]
    hunks: tuple[tuple[DifferenceLine, ...], ...]
    flow: tuple[str, str] | None


def page(account: EvolutionAccount, pictures: Iterable[EvolutionPicture] = ()) -> str:
    """Return the page as HTML; raises MissingExtraError without Jinja.

    Of the `pictures` some are shown, and to the files of all it links.
    """
    made = environment()
    from jinja2 import ChoiceLoader, FileSystemLoader

    assert made.loader is not None
    made.loader = ChoiceLoader([FileSystemLoader(_TEMPLATES), made.loader])
    shown = account.elites[:MOST_CARDS]
    flows = flow_diagrams(account, shown)
    cards = [_card(account, game, shown, flows) for game in shown]
    carded = {game.name for game in shown}
    links = {g.name: g.name if g.name in carded else f"row-{g.number}" for g in account.elites}
    stayed = account.candidates - sum(account.departures.values())
    words = {"front": front_words(account), "progress": progress_words(account)}
    every = {picture.name: picture for picture in pictures}
    return made.get_template("evolution.html").render(
        account=account,
        headline=headline(account),
        asked=asked(account),
        passed=passed(account),
        caveats=caveats(account),
        told=told,
        cards=cards,
        carded=carded,
        links=links,
        flows=flows,
        figures={
            name: [f"{FIGURES}/{file}" for file in picture.files] for name, picture in every.items()
        },
        charts={
            name: _chart(every[name], text, links) for name, text in words.items() if name in every
        },
        axes=[MEASURES[aim.measure].label for aim in account.aims[:2]],
        ranges=any(aim.kind == "range" for aim in account.aims),
        maps=map_tables(account),
        shades=SHADES,
        steps=losses(account),
        stayed=(stayed, _share(stayed, account.candidates)),
        columns=columns(account),
        style=STYLE.read_text(encoding="utf-8"),
        style_own=(_TEMPLATES / "evolution.css").read_text(encoding="utf-8"),
        script=page_script(),
        script_hash=script_hash(),
        version=__version__,
    )


def _chart(picture: EvolutionPicture, words: str, links: Mapping[str, str]) -> str:
    """Return a picture as an element of the page, whose marks lead to the games that they are."""

    def link(mark: re.Match[str]) -> str:
        return f'<a href="#{links[mark[1]]}" aria-label="{escape(mark[1])}"'

    svg = inlined(picture.svg, picture.name, words).replace('role="img"', 'role="group"', 1)
    return re.sub(rf'<a xlink:href="{GAME_LINK}([a-z0-9-]+)" target="_blank"', link, svg)


def columns(account: EvolutionAccount) -> list[GameMeasure]:
    """Return the measures that any game of the report has, those aimed at first."""
    games = (account.original, *account.elites)
    every = sorted({name for game in games for name in game.measures})
    names = dict.fromkeys((*(aim.measure for aim in account.aims), *every))
    return [MEASURES[name] for name in names]


def _card(
    account: EvolutionAccount,
    game: ReportedGame,
    shown: tuple[ReportedGame, ...],
    flows: dict[str, str],
) -> EliteCard:
    original, flow = account.original, None
    if game.name in flows:
        # The original's diagram has identifiers of its own on each of the cards on which it stands.
        own = flows[original.name].replace(
            f"flow-{original.name}", f"flow-{original.name}-at-{game.name}"
        )
        flow = own, flows[game.name]
    return EliteCard(
        game,
        verdict(account, outcomes(account, game)),
        tuple(measure_rows(account, game, shown)),
        difference(original.candidate.text, game.candidate.text),
        flow,
    )


# Where the pipeline lost candidates -----------------------------------------------------------


@dataclass(frozen=True)
class LossReason:
    """A reason with the number of candidates that left for it, and that as a part of all."""

    reason: str
    count: int
    share: float


class StepLosses(NamedTuple):
    """A step of the pipeline: how many came to it, and for which reasons some left."""

    step: str
    came: int
    share: float
    reasons: tuple[LossReason, ...]


def losses(account: EvolutionAccount) -> tuple[StepLosses, ...]:
    """Return all steps in order; shares are in per cent of all candidates."""
    steps, left, total = [], account.candidates, account.candidates
    for step in FunnelStep:
        counts = {reason: account.departures.get((step, reason), 0) for reason in DepartureReason}
        reasons = [
            LossReason(reason.value, count, _share(count, total))
            for reason, count in counts.items()
            if count
        ]
        steps.append(StepLosses(STEPS[step], left, _share(left, total), tuple(reasons)))
        left -= sum(counts.values())
    return tuple(steps)


def _share(count: int, total: int) -> float:
    return round(100 * count / total, 2) if total else 0.0


# How cards move, where they move otherwise than before ------------------------------------------


def flow_diagrams(account: EvolutionAccount, shown: tuple[ReportedGame, ...]) -> dict[str, str]:
    """Return diagrams as SVG by the names of games.

    There is one for the original, and for each game in which other places hold cards or cards move
    between other places. A game that breaks a rule in all games followed has none.
    """
    original = _flow(account, account.original)
    if original is None:
        return {}
    diagrams = {account.original.name: _diagram(original, account.original.name)}
    for game in shown:
        flow = _flow(account, game)
        if flow is not None and _shape(flow) != _shape(original):
            diagrams[game.name] = _diagram(flow, game.name)
    return diagrams


def _flow(account: EvolutionAccount, game: ReportedGame) -> Flow | None:
    loaded = Game.from_text(game.candidate.text, name=game.name)
    try:
        return record_flow(loaded, at_random(game_seeds(account.seed, FOLLOWED)))
    except GameError:
        return None


def _shape(flow: Flow) -> tuple[object, ...]:
    return {spot for spot, _ in flow.places}, {way for way, _ in flow.ways}, set(flow.decks)


def _diagram(flow: Flow, name: str) -> str:
    graph = flow_graph(flow, name, counts=True, legend=True, dashes=True)
    return inlined(svg_of(graph), f"flow-{name}", f"How cards move in {name}")


# Rules line by line ---------------------------------------------------------------------------

_PIECES = re.compile(r"\s+|[A-Za-z0-9_']+|.")
_ALIKE = 0.5
"""How similar two lines must be, from 0 to 1, for their differences to be marked within them."""


class DifferencePart(NamedTuple):
    """A part of a line; `marked` if it is what differs from the line that it replaces."""

    text: str
    marked: bool = False


_Parts: TypeAlias = tuple[DifferencePart, ...]


class DifferenceLine(NamedTuple):
    """A line that is the same in both texts, or only in one, with its numbers from 1."""

    kind: Literal["same", "out", "in"]
    old: int | None
    new: int | None
    parts: _Parts


def difference(
    before: str, after: str, around: int = AROUND
) -> tuple[tuple[DifferenceLine, ...], ...]:
    """Return the hunks of the difference of two texts line by line; none if they are equal."""
    old, new = before.splitlines(), after.splitlines()
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        tuple(line for code in group for line in _lines(code, old, new))
        for group in matcher.get_grouped_opcodes(around)
    )


def _lines(
    code: tuple[str, int, int, int, int], old: Sequence[str], new: Sequence[str]
) -> Iterator[DifferenceLine]:
    kind, old_start, old_end, new_start, new_end = code
    gone, come = old[old_start:old_end], new[new_start:new_end]
    if kind == "equal":
        for at, line in enumerate(gone, 1):
            yield DifferenceLine("same", old_start + at, new_start + at, _whole(line))
        return
    if len(gone) == len(come):
        pairs = [_marked(one, other) for one, other in zip(gone, come, strict=True)]
        left, right = [left_part for left_part, _ in pairs], [other for _, other in pairs]
    else:
        left, right = [*map(_whole, gone)], [*map(_whole, come)]
    for at, parts in enumerate(left, 1):
        yield DifferenceLine("out", old_start + at, None, parts)
    for at, parts in enumerate(right, 1):
        yield DifferenceLine("in", None, new_start + at, parts)


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
