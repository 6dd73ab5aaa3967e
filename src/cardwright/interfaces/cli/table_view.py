"""The table in a replay: printed turn by turn, and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.text import printable
from cardwright.table.watched_table import WatchedTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.game.game import Game
    from cardwright.interfaces.cli.steps import Replay
    from cardwright.table.watched_table import TableDecision, TableMoment


@dataclass(frozen=True)
class TableView:
    """Whose view of the table is shown: that of a seat, or of all seats together."""

    seat: int | None

    def watched(self, game: Game, seed: int, outcome: Replay) -> SeenTable:
        """Play the game of a replay again, and return what is seen of it."""
        table = WatchedTable(game, seed, self.seat)
        decisions: list[TableDecision] = []
        for step in outcome.steps:
            assert step.chosen is not None
            decisions.append(table.choose(step.chosen))
        return SeenTable(table.opening, tuple(decisions))


@dataclass(frozen=True)
class SeenTable:
    """What is seen of a table: before the first decision, and after each."""

    opening: tuple[TableMoment, ...]
    decisions: tuple[TableDecision, ...]

    def show(self) -> None:
        """Print it: what is done, what the rules do then, and the locations and values changed."""
        if self.opening:
            click.echo()
        _show_moments(self.opening)
        for number, decision in enumerate(self.decisions, 1):
            who = click.style(f"{number}. p{decision.seat + 1}", bold=True)
            click.echo(f"\n{who} {printable(decision.words)}")
            _show_moments(decision.moments)

    def record(self, replay: dict[str, Any]) -> dict[str, Any]:
        """Return the JSON object of a replay with the table in it."""
        seen = [
            {**step, "words": decision.words, "moments": _moments(decision.moments)}
            for step, decision in zip(replay["decisions"], self.decisions, strict=True)
        ]
        return {**replay, "opening": _moments(self.opening), "decisions": seen}


def _moments(moments: Iterable[TableMoment]) -> list[dict[str, Any]]:
    return [
        {"said": list(one.said), "locations": one.locations, "stored": one.stored}
        for one in moments
    ]


def _show_moments(moments: Iterable[TableMoment]) -> None:
    for moment in moments:
        for sentence in moment.said:
            click.echo(f"  {printable(sentence)}")
        changed = {**moment.locations, **moment.stored}
        width = max(map(len, changed), default=0)
        for name, value in changed.items():
            lead = click.style(f"{printable(name):<{width}}", dim=True)
            click.echo(f"      {lead}  {printable(value)}")
