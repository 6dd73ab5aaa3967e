"""The pictures of the gallery: diagrams of the rules, figures of the numbers, small ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardwright.analysis.diagrams.drawing import svg_of
from cardwright.analysis.diagrams.flow import flow_graph
from cardwright.analysis.diagrams.stages import stage_graph
from cardwright.analysis.figures.random_games import (
    game_length,
    rank_distribution,
    score_distribution,
)
from cardwright.analysis.figures.theme import blank, styled
from cardwright.arena.effect_replay import at_random, record_flow
from cardwright.game.seeds import game_seeds
from cardwright.publication.figures import USUAL_FILES, CaptionLine

if TYPE_CHECKING:
    from pathlib import Path

    from gallery_numbers import GameNumbers
    from matplotlib.figure import Figure

    from cardwright import Game

FLOWS = 10
SEED = 1
"""Games whose cards are followed, and their seed."""
LINES = 4
"""Lines of a block in a diagram of stages."""
WIDTH, HEIGHT = 120, 36
"""Pixels of a small picture."""


def draw(game: Game, title: str, numbers: GameNumbers, folder: Path) -> list[str]:
    """Draw all pictures of a game; return the names of their files, with those of figures last."""
    flow = record_flow(game, at_random(game_seeds(SEED, FLOWS)))
    texts = {
        "flow": svg_of(flow_graph(flow, title, counts=True, legend=True)),
        "stages": svg_of(stage_graph(game.program, title, lines=LINES)),
        "small": small(numbers),
    }
    for name, text in texts.items():
        (folder / f"{game.name}-{name}.svg").write_text(text, encoding="utf-8")
    known = numbers.statistics()
    figures = {"length": game_length(known, title)}
    if game.players > 1:
        figures["ranks"] = rank_distribution(known, title)
    else:
        figures["scores"] = score_distribution(known, title)
    if len(numbers.course) > 1:
        figures["options"] = course(numbers, title)
    for name, figure in figures.items():
        count = numbers.followed if name == "options" else numbers.games
        line = CaptionLine(f"{count:,} random games", numbers.seed)
        USUAL_FILES.save(figure, folder / f"{game.name}-{name}.svg", line)
    return [*texts, *figures]


def course(numbers: GameNumbers, title: str) -> Figure:
    """Draw mean options along a game."""
    with styled("cardwright") as look:
        figure, axes = blank(look)
        axes.plot(np.linspace(0, 1, len(numbers.course)), numbers.course, color=look.leader)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("portion of the game")
        axes.set_ylabel("mean options")
        axes.set_title(title)
        return figure


def small(numbers: GameNumbers) -> str:
    """Return a small picture, as SVG: how the options of players change along the game."""
    values = [*numbers.course, numbers.course[-1]] if len(numbers.course) == 1 else numbers.course
    most = max(values)
    points = [
        f"{WIDTH * at / (len(values) - 1):.1f},{HEIGHT - (HEIGHT - 2) * value / most:.1f}"
        for at, value in enumerate(values)
    ]
    area = " ".join([f"0,{HEIGHT}", *points, f"{WIDTH},{HEIGHT}"])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<polygon points="{area}" fill="#0072B2" fill-opacity="0.35"/>'
        f'<polyline points="{" ".join(points)}" fill="none" stroke="#0072B2" stroke-width="1.5"/>'
        "</svg>\n"
    )
