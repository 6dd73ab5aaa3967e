"""The farewell: what is said when the screen is gone, and the exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cardwright.interfaces.cli.text import complain, listed, printable
from cardwright.interfaces.cli.words import INTERRUPTED

if TYPE_CHECKING:
    from cardwright.interfaces.play.screen.app import TableApp
    from cardwright.interfaces.play.session import PlaySession
    from cardwright.interfaces.play.setup import DisplayOptions


def say_farewell(app: TableApp, session: PlaySession, display: DisplayOptions) -> int:
    """Print scores, or how to go on; return the exit status: 0, 1 for trouble, 130 for Ctrl-C."""
    if app.told.trouble:
        complain(app.told.trouble)
    if session.finished:
        _final(session)
        kept = display.save if app.told.saved else None
        if kept is not None:
            click.echo(printable(f"kept in {kept}; `cardwright replay {kept}` shows it"))
    elif app.told.saved and display.save is not None:
        click.echo(printable(f"kept in {display.save}; to go on:"), err=True)
        click.echo(printable(f"  {session.how_to_go_on(display.save)}"), err=True)
    else:
        click.echo("the game is not over, and it is not kept", err=True)
    if app.left == "interrupt":
        return INTERRUPTED
    return 1 if app.told.trouble else 0


def _final(session: PlaySession) -> None:
    scores, ranks = session.scores(), session.ranks()
    if scores is None or ranks is None:
        return
    order = sorted(range(len(scores)), key=lambda seat: ranks[seat])
    places = [f"{ranks[seat] + 1}. {session.names[seat]} {scores[seat]}" for seat in order]
    click.echo(printable(f"Final ranking: {listed(places)}"))
