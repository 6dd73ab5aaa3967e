"""The farewell: what is printed after the screen is closed, and the exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardwright.interfaces.cli.text import complain, listed, printable
from cardwright.interfaces.cli.words import INTERRUPTED

if TYPE_CHECKING:
    from cardwright.interfaces.play.screen.app import TableApp
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions


def say_farewell(app: TableApp, session: PlaySession, display: DisplayOptions) -> int:
    """Print scores, or how to resume; return the exit status: 0, 1 for an error, 130 for Ctrl-C."""
    if app.window_state.trouble:
        complain(app.window_state.trouble)
    if session.finished:
        _final(session)
        kept = display.save if app.window_state.saved else None
        if kept is not None:
            click.echo(printable(f"saved in {kept}; `cardwright replay {kept}` shows it"))
    elif app.window_state.saved and display.save is not None:
        click.echo(printable(f"saved in {display.save}; to resume it:"), err=True)
        click.echo(printable(f"  {session.how_to_go_on(display.save)}"), err=True)
    else:
        click.echo("the game is not over, and it is not saved", err=True)
    if app.left == "interrupt":
        return INTERRUPTED
    return 1 if app.window_state.trouble else 0


def _final(session: PlaySession) -> None:
    scores, ranks = session.scores(), session.ranks()
    if scores is None or ranks is None:
        return
    order = sorted(range(len(scores)), key=lambda seat: ranks[seat])
    places = [f"{ranks[seat] + 1}. {session.names[seat]} {scores[seat]}" for seat in order]
    click.echo(printable(f"Final ranking: {listed(places)}"))
