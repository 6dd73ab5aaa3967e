"""Seasons, as notebooks show them: the standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.markup.element import Html, display, heading
from cardwright.markup.numbers import number, percent
from cardwright.markup.table import table

if TYPE_CHECKING:
    from cardwright.league.outcome import SeasonOutcome
    from cardwright.league.records import Season


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
        places = [percent(one[f"place_{at}"], 0) for at in range(1, 5)]
        rows.append(
            (one["bot"], one["author"], str(one["games"]), *places, number(one["points"], 1),
             str(one["faults"]))
        )  # fmt: skip
    heads = ("bot", "author", "games", "1st", "2nd", "3rd", "4th", "points a game", "faults")
    return table(heads, rows, texts=2)
