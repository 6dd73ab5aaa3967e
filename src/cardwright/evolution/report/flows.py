"""How cards move in the games of a report, as diagrams, where they move otherwise than before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.analysis.drawing import svg_of
from cardwright.analysis.flow import flow_graph
from cardwright.analysis.report.inline import inlined
from cardwright.arena.effect_replay import at_random
from cardwright.arena.flow import record_flow
from cardwright.game.errors import GameError
from cardwright.game.game import Game
from cardwright.game.seeds import game_seeds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.evolution.report.account import EvolutionAccount, ReportedGame
    from cardwright.game.flow import Flow

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
