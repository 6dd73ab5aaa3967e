"""The full screen: a card table in the terminal, drawn with Textual."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions


def run(session: PlaySession, display: DisplayOptions) -> int:
    """Play a session on the full screen; return the exit status: 0, or 130 after Ctrl-C.

    Afterwards the scores, or how to resume, are printed. Raises ImportError if Textual is not
    installed.
    """
    from cardwright.interfaces.play.screen.app import TableApp, say_farewell

    app = TableApp(session, display)
    app.run(mouse=False)
    app.save_after_all()
    return say_farewell(app, session, display)
