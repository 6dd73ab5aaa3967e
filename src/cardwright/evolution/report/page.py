"""The page of a search: one self-contained HTML file that needs no network.

All texts of games are escaped by Jinja. Its only script copies texts; the policy of the page names
it by its hash, and allows no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardwright._version import __version__
from cardwright.analysis.report.page import STYLE, environment
from cardwright.evolution.report.charts import front_charts, progress_charts
from cardwright.evolution.report.difference import difference
from cardwright.evolution.report.flows import flow_diagrams
from cardwright.evolution.report.interval_plots import measure_rows
from cardwright.evolution.report.judgement import outcomes
from cardwright.evolution.report.losses import losses
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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardwright.evolution.report.account import EvolutionAccount, MeasureLabel, ReportedGame
    from cardwright.evolution.report.difference import DifferenceLine
    from cardwright.evolution.report.interval_plots import MeasureRow

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
