"""A process that plays one game file for an editor: `python -m cardwright.interfaces.game_worker`.

The language server starts it for a command, with the name of the work and a file. It prints one
JSON object with a short `text`, and what else the work gives. Processor time and memory are
limited, so that a game with mistakes does no harm.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.arena.simulation import SimulationResult
    from cardwright.game.game import Game

MOST_GAMES = 100_000
MOST_SECONDS = 120
MOST_BYTES = 4 * 2**30

_FLOW_GAMES = 20
_MOST_ERRORS = 3


def main(arguments: list[str]) -> int:
    """Do the work that the arguments name, and print what came of it; 1 if it could not be done."""
    from cardwright.game.errors import CardwrightError
    from cardwright.game.game import Game
    from cardwright.syntax.source import UnreadableError

    _limit()
    work, file, number = arguments
    try:
        outcome = WORK[work](Game.load(file), int(number))
    except (CardwrightError, UnreadableError) as error:
        outcome = {"text": str(error), "ok": False}
    sys.stdout.write(json.dumps(outcome) + "\n")
    return 0 if outcome["ok"] else 1


def _limit() -> None:
    try:
        import resource
    except ImportError:  # Windows has none; the server ends the process after a while anyway
        return
    for kind, most in (
        (resource.RLIMIT_CPU, MOST_SECONDS),
        (resource.RLIMIT_AS, MOST_BYTES),
    ):
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (most if hard < 0 else min(most, hard), hard))


def _simulate(game: Game, games: int) -> dict[str, object]:
    """Play random games, and say in a few lines how they went."""
    from cardwright.arena.simulation import simulate

    result = simulate(game, games=min(max(games, 1), MOST_GAMES), workers=1)
    return {"text": _summary_text(game, result), "ok": not result.summary.errors}


def _summary_text(game: Game, result: SimulationResult) -> str:
    summary = result.summary
    lines = [f"{result.games:,} random games of {game.players} players"]
    if summary.finished:
        taken = summary.decisions
        lines.append(f"decisions: {taken.least:,} to {taken.most:,}, {taken.mean:,.1f} on average")
        for number, seat in enumerate(result.seats, start=1):
            score, share = seat.score.mean, seat.win.mean
            lines.append(f"seat {number}: score {score:,.2f} on average, {share:.1%} of the wins")
    if summary.errors:
        lines.append(f"{len(summary.errors):,} stopped with an error:")
        lines += [message for _, message in summary.errors[:_MOST_ERRORS]]
    return "\n".join(lines)


def _flow(game: Game, games: int) -> dict[str, object]:
    """Play random games, and draw how cards move in them."""
    from cardwright.analysis.diagrams.drawing import svg_of
    from cardwright.analysis.diagrams.flow import flow_graph
    from cardwright.arena.effect_replay import at_random, record_flow
    from cardwright.game.seeds import game_seeds

    count = min(max(games, 1), _FLOW_GAMES)
    flow = record_flow(game, at_random(game_seeds(1, count)))
    graph = flow_graph(flow, Path(game.name).stem, counts=True, legend=True)
    text = f"how cards move in {flow.games:,} random games"
    return {"text": text, "ok": flow.games > 0, "svg": svg_of(graph)}


WORK: dict[str, Callable[[Game, int], dict[str, object]]] = {"simulate": _simulate, "flow": _flow}
"""What can be asked for, by name."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
