"""The picture of the terminal: what `cardwright play hearts` shows after some moves."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from cardwright import Game
from cardwright.arena.plan import GameRef
from cardwright.interfaces.play.screen.app import TableApp
from cardwright.table.session import PlaySession
from cardwright.table.setup import HUMAN, DisplayOptions, TableSetup

if TYPE_CHECKING:
    from pathlib import Path

    from picture_workshop import Workshop
    from textual.pilot import Pilot

SEED = 5
SIZE = (116, 30)
"""Columns and lines: wide enough for the log beside the table."""
PASSING = ("end", "space", "left", "space", "left", "space", "enter")
TRICKS = 3
"""Cards that the person has played: always the one under the cursor."""
PATIENCE = 120
"""Seconds until it is the person's move, with a game that is still to be compiled."""

FACE = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
FONTS = "'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono'"


def play(_workshop: Workshop, out: Path) -> None:
    """Draw the screen as SVG, without the fonts that it would load from elsewhere."""
    game = Game.variant("hearts", {}, "standard")
    ref = GameRef.of("hearts", preset="standard")
    players = (HUMAN, *["expert"] * (game.players - 1))
    session = PlaySession.begin(TableSetup.of_players(ref, SEED, players), None, game)
    with ThreadPoolExecutor(1) as another:  # in this thread is the loop of the browser
        drawn = another.submit(asyncio.run, _drawn(session)).result()
    drawn = FACE.sub("\n", drawn).replace("Fira Code", FONTS)
    drawn = BOX.sub(r'\g<0> width="\1" height="\2"', drawn, count=1)
    out.write_text(drawn, encoding="utf-8")


async def _drawn(session: PlaySession) -> str:
    app = TableApp(session, DisplayOptions(pause=0.0))
    async with app.run_test(size=SIZE) as pilot:
        await _shows(pilot, "Pass 3 cards")
        await pilot.press(*PASSING)
        for _ in range(TRICKS):
            await _shows(pilot, "Your move")
            await pilot.press("enter")
        await _shows(pilot, "Your move")
        return app.export_screenshot(title="cardwright play hearts")


async def _shows(pilot: Pilot[int], words: str) -> None:
    """Wait until words are on the screen; raises TimeoutError."""
    async with asyncio.timeout(PATIENCE):
        while words not in _text(pilot.app):
            await pilot.pause(0.05)


def _text(app: TableApp) -> str:
    rows = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in row) for row in rows)
