"""`cardwright publish`: games as a page that needs no server."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.parameters import complete_game
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.cli.vocabulary import out_option

if TYPE_CHECKING:
    from cardwright.page.build import PageFiles

_MEGABYTE = 1e6


@click.command("publish")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@out_option(default="page")
def command(*, game: str | None, out: Path) -> None:
    """Make a page in which a game is played without a server.

    GAME is a name of the library or the path of a file; it is shown first, and all games of the
    library can be played as well. Without it the page begins with the library. The page is a folder
    of files for any host of static pages: Python and Cardwright run in the browser, and nothing is
    sent anywhere. What it runs on is fetched once, 7 MB.
    """
    from cardwright.compiler.cache import default_folder
    from cardwright.game.find import find, split_preset
    from cardwright.interfaces.cli.progress import progress_bar
    from cardwright.library import catalogue
    from cardwright.page.build import page_of

    refuse_filled(out)
    known = game is None or game in catalogue.names()
    if game is not None and not known:
        name, preset = split_preset(game)
        if preset is not None:
            raise click.UsageError(f"name the game alone, {name}: its variants are on its page")
        find(game)
    folder = default_folder()
    kept = None if folder is None else folder.parent / "page"
    steps = len(catalogue.names()) + 2 if game is None else 3
    with progress_bar("steps", steps, shown=sys.stderr.isatty()) as tell:
        done = 0

        def step(_: str) -> None:
            nonlocal done
            tell(done)
            done += 1

        page = page_of(game if known or game is None else Path(game), step, kept)
        tell(steps)
    page.write(out)
    click.echo(_said(page, out))


def _said(page: PageFiles, out: Path) -> str:
    """Say what a page is made of, and what can be done with it."""
    sizes = {"Python": 0, "Cardwright": 0, "the client": 0, "facts about games": 0}
    for name, content in page.files.items():
        if name.startswith("facts/"):
            part = "facts about games"
        elif name.startswith("python/"):
            part = "Cardwright" if name.endswith("cardwright.zip") else "Python"
        else:
            part = "the client"
        sizes[part] += len(content)
    parts = ", ".join(f"{part} {size / _MEGABYTE:.1f} MB" for part, size in sizes.items())
    loaded = sum(
        len(gzip.compress(content, 6))
        for name, content in page.files.items()
        if name.startswith(("python/", "static/")) and not name.endswith("studio.zip")
    )
    where = printable(str(out))
    return (
        f"{counted(len(page.files), 'file')} in {where}: {parts}\n"
        f"who plays loads {loaded / _MEGABYTE:.1f} MB, compressed, and once\n"
        f"look at it:  python3 -m http.server --directory {where}\n"
        "put the folder on any host of static pages; the licences of what is in it are in its "
        "LICENSES.txt"
    )
