"""A process that measures games: for statistics and diagrams beside a server at play."""

from __future__ import annotations

import sys
from typing import Any

from cardwright.game.game import Game
from cardwright.web.card_flow import card_flow
from cardwright.web.game_facts import constants_of
from cardwright.web.random_play import random_play
from cardwright.web.worker_loop import serve


def measured(request: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked about a game; raises CardwrightError if it cannot be had.

    `want` is `statistics` or `flow`. The game is its `source`, rules as text, or has a `name`, with
    a `preset` and `options`; `title` is what a diagram calls it.
    """
    game = _game(request)
    if request["want"] == "flow":
        return card_flow(game, request["title"])
    return random_play(game)


def _game(request: dict[str, Any]) -> Game:
    if "source" in request:
        return Game.from_text(request["source"], name=request["name"])
    return Game.variant(request["name"], constants_of(request["options"]), request["preset"])


if __name__ == "__main__":
    serve(lambda _: measured, sys.argv[1:])
