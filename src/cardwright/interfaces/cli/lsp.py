"""`cardwright lsp`: the language server for editors."""

from __future__ import annotations

import click


@click.command("lsp")
def command() -> None:
    """Serve an editor by the Language Server Protocol.

    The editor starts it and talks to it over the standard streams; docs/editors.md says how to set
    editors up. It runs until the editor ends it.
    """
    from cardwright.editor.commands import PYTHON
    from cardwright.editor.server import serve

    serve([*PYTHON, "cardwright.interfaces.game_worker"])
