"""`cardwright publish`: games as a page that needs no server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardwright.english import counted
from cardwright.interfaces.cli.files import refuse_filled
from cardwright.interfaces.cli.parameters import complete_game, players_option
from cardwright.interfaces.cli.text import printable

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.page.parts import PageParts

_MEGABYTE = 1e6
_ONE_FILE = {".html", ".htm"}


@click.command("publish")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@players_option(
    None,
    "One player for all seats but the first, or one for each.  [default: who suits the game]",
    read=None,
)
@click.option("--out", metavar="DIR|FILE.html", type=click.Path(path_type=Path), default="page",
              show_default=True,
              help="Write the page into this folder, or as one file.")  # fmt: skip
def command(*, game: str | None, players: str | None, out: Path) -> None:
    """Make a page in which a game is played without a server.

    GAME is a name of the library or the path of a file; it is shown first, and all games of the
    library can be played as well. Without it the page begins with the library. The page is a folder
    of files for any host of static pages, or one file to send, which is played from a disk: Python
    and Cardwright run in the browser, and nothing is sent anywhere. What it runs on is fetched
    once, 7 MB.
    """
    from cardwright.compiler.cache import default_folder
    from cardwright.interfaces.cli.progress import progress_bar
    from cardwright.jobs.files import write_whole
    from cardwright.library import catalogue
    from cardwright.page.build import files_of, page_of
    from cardwright.page.one_file import one_file

    alone = out.suffix.lower() in _ONE_FILE
    _refuse_taken(out, alone)
    shown = None if game is None else _found(game)
    if players is not None and game is None:
        raise click.UsageError("--players is for one game: name it")
    opponents = () if players is None else _opponents(_usual(game or ""), players)
    folder = default_folder()
    kept = None if folder is None else folder.parent / "page"
    steps = len(catalogue.names()) + 2 if game is None else 3
    with progress_bar("steps", steps, shown=sys.stderr.isatty()) as tell:
        done = 0

        def step(_: str) -> None:
            nonlocal done
            tell(done)
            done += 1

        page = page_of(shown, step, kept, opponents)
        if alone:
            document = one_file(page)
            out.parent.mkdir(parents=True, exist_ok=True)
            write_whole(out, document)
        else:
            files = files_of(page)
            files.write(out)
        tell(steps)
    click.echo(_said_of_file(page, document, out) if alone else _said(page, files.files, out))


def _refuse_taken(out: Path, alone: bool) -> None:
    """Raise an error if there is something at the place of the page."""
    if not alone:
        if out.is_file():
            raise click.UsageError(f"{out} is a file: end its name in .html for a page in one file")
        refuse_filled(out)
    elif out.exists():
        raise click.ClickException(f"{out} already exists: name another file with --out")


def _found(game: str) -> str | Path:
    """Return the name of a game of the library, or the file of another one."""
    from cardwright.game.find import find, split_preset
    from cardwright.library import catalogue

    if game in catalogue.names():
        return game
    name, preset = split_preset(game)
    if preset is not None:
        raise click.UsageError(f"name the game alone, {name}: its variants are on its page")
    find(game)
    return Path(game)


def _usual(name: str) -> Game:
    """Return a game as it is played unless one says otherwise."""
    from cardwright.game.game import Game
    from cardwright.library import catalogue

    if name not in catalogue.names():
        return Game.load(name)
    return Game.variant(name, {}, catalogue.usual_preset(catalogue.facts(name)))


def _opponents(game: Game, players: str) -> tuple[str, ...]:
    """Return who plays against a person at the first seat; raises BadParameter."""
    from cardwright.arena.entrants import parse_spec
    from cardwright.interfaces.cli.estimate import say_cautions
    from cardwright.players.kind import NO_TRUST, PlayerSpecError
    from cardwright.table.opponents import seats
    from cardwright.web.limits import OWN, checked_player
    from cardwright.web.refusal import Refusal

    try:
        specs = tuple(checked_player(spec, OWN) for spec in seats(game, players, 0)[1:])
    except (PlayerSpecError, Refusal) as error:
        raise click.BadParameter(str(error), param_hint="'--players'") from None
    say_cautions(game, [parse_spec(spec, NO_TRUST) for spec in specs])
    return specs


def _said_of_file(page: PageParts, document: bytes, out: Path) -> str:
    """Say what a page of one file is, and what can be done with it."""
    where = printable(str(out))
    return (
        f"{where}: {printable(page.title)} and all games of the library in one file of "
        f"{len(document) / _MEGABYTE:.1f} MB, with {_parts(page)} packed in it\n{_slow(page)}"
        "open it in a browser, or send it: it needs no network; the licences of what is in it are "
        "on its page About"
    )


def _said(page: PageParts, files: dict[str, bytes], out: Path) -> str:
    """Say what a page is made of, and what can be done with it."""
    from cardwright.page.parts import download_of

    loaded = download_of(files)
    where = printable(str(out))
    return (
        f"{counted(len(files), 'file')} in {where}: {_parts(page)}\n"
        f"who plays loads {loaded / _MEGABYTE:.1f} MB, compressed, and once\n{_slow(page)}"
        f"look at it:  python3 -m http.server --directory {where}\n"
        "put the folder on any host of static pages; the licences of what is in it are in its "
        "LICENSES.txt"
    )


def _slow(page: PageParts) -> str:
    """Say why the page starts slowly, if it does."""
    if page.slow is None:
        return ""
    return (
        "its first start takes some seconds longer, as browsers compile the Python in it: "
        f"{printable(page.slow)}\n"
    )


def _parts(page: PageParts) -> str:
    """Return the parts of a page with their sizes."""
    from cardwright.page.contents import sizes

    facts = {"facts about games": sum(map(len, page.facts.values()))}
    parts = {**sizes(page.python, page.static), **facts}
    return ", ".join(f"{part} {size / _MEGABYTE:.1f} MB" for part, size in parts.items())
