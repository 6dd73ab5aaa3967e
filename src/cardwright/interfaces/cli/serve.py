"""`cardwright serve`: tables in the browser."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.parameters import complete_game
from cardwright.interfaces.cli.vocabulary import folder
from cardwright.interfaces.cli.words import INTERRUPTED

if TYPE_CHECKING:
    from cardwright.web.site import SiteSettings

_PORT = 8000
_HERE = "127.0.0.1"


@click.command("serve")
@click.argument("games", metavar="[GAME|FILE|FOLDER]...", nargs=-1, shell_complete=complete_game)
@click.option("--port", type=click.IntRange(0, 65535), default=_PORT, show_default=True,
              help="The port of this machine to serve; 0 for any free one.")  # fmt: skip
@click.option("--host", metavar="ADDRESS",
              help="The address of this machine to serve.  "
              f"[default: {_HERE}, with --public all]")  # fmt: skip
@click.option("--public", is_flag=True,
              help="Let others reach it, under limits; says what that means.")  # fmt: skip
@click.option("--domain", "names", metavar="NAME", multiple=True,
              help="A name under which it is reached, such as cards.example.org. Can be "
              "repeated.")  # fmt: skip
@click.option("--open", "opened", is_flag=True, help="Open it in the browser.")
@click.option("--data", metavar="DIR", type=folder(),
              help="Keep tables in this folder.  [default: a folder of yours]")  # fmt: skip
@click.option("--seasons", metavar="DIR", type=folder(there=True),
              help="Show the seasons of the league in this folder.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, *, games: tuple[str, ...], **options: Any) -> None:
    """Play, watch and design in a browser, alone or with friends.

    It can be reached from this machine alone, unless you say --public. GAME is a name of the
    library, whose page is shown first; a FILE can be played as well, and is read anew when it
    changes. A FOLDER is that of `evolve`: its report is shown, and what was found can be played.
    Tables are kept, also when this ends: by Ctrl-C.
    """
    from cardwright.game.errors import CardwrightError
    from cardwright.web.addresses import own_base
    from cardwright.web.serving import open_port, serve
    from cardwright.web.site import WebSite

    settings = _settings(games, options)
    listening = open_port(settings.host, settings.port)
    settings = replace(settings, port=listening.getsockname()[1])
    try:
        site = WebSite(settings)
    except CardwrightError:
        listening.close()
        raise
    address = f"{own_base(settings)}{_start(site, games)}"
    _say_where(site, address)
    if options["opened"]:
        _open(address)
    try:
        serve(site, listening)
    except KeyboardInterrupt:
        click.echo("\nClosed; all tables are kept.", err=True)
        ctx.exit(INTERRUPTED)


def _settings(games: tuple[str, ...], options: dict[str, Any]) -> SiteSettings:
    from cardwright.web.addresses import EVERYWHERE
    from cardwright.web.site import SiteSettings
    from cardwright.web.store import default_data_folder

    public, host = options["public"], options["host"]
    host = host or (EVERYWHERE if public else _HERE)
    if not (public or _is_local(host)):
        raise click.UsageError(
            f"others could reach {host}: say --public if they may, or leave --host out"
        )
    return SiteSettings(
        host,
        options["port"],
        public=public,
        names=tuple(map(str.lower, options["names"])),
        data=options["data"] or default_data_folder(),
        files=_files(games),
        searches=tuple(Path(name).absolute() for name in _own(games) if Path(name).is_dir()),
        seasons=options["seasons"],
        page=_page,
    )


def _page() -> bytes:
    """Return the page in which the studio publishes rules."""
    from cardwright.page.build import bare_page
    from cardwright.page.one_file import one_file

    return one_file(bare_page())


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _own(games: tuple[str, ...]) -> list[str]:
    """Return what is not of the library: files and folders."""
    from cardwright.game.find import library_names

    return [name for name in dict.fromkeys(games) if name not in library_names()]


def _files(games: tuple[str, ...]) -> tuple[Path, ...]:
    """Return which games are files; raises an error for one that is not there.

    One that cannot be played is told and served, so that it can be mended; if there is nothing else
    to be served, its error is raised.
    """
    from cardwright.game.errors import CardwrightError
    from cardwright.game.game import Game

    files = [name for name in _own(games) if not Path(name).is_dir()]
    for name in files:
        try:
            Game.load(name)
        except CardwrightError as error:
            if len(games) == 1 or getattr(error, "wrong_call", False):
                raise
            click.echo(f"{name} cannot be played as it is: `cardwright check` says why", err=True)
    return tuple(Path(name).absolute() for name in files)


def _start(site: Any, games: tuple[str, ...]) -> str:
    """Return the page that is shown first: that of a single game or search, or all games.

    A file is opened in the studio, where it can be changed; not if others may come.
    """
    if len(games) != 1:
        return "/"
    if site.searches:
        return f"/searches/{site.searches[0].name}/"
    if site.shelf.files:
        return "/" if site.settings.public else "/studio?file=0"
    return f"/games/{games[0]}"


# What is said ---------------------------------------------------------------------------------


def _say_where(site: Any, address: str) -> None:
    settings = site.settings
    click.echo(f"Cardwright is at {address}")
    if settings.public:
        _say_public(settings)
    click.echo(f"Tables are kept in {settings.data}. Ctrl-C ends the server.")


def _say_public(settings: SiteSettings) -> None:
    from cardwright.web.addresses import public_bases

    limits = settings.limits
    for base in public_bases(settings):
        click.echo(f"and for others at {base}/")
    click.echo(
        f"""
--public: whoever can reach port {settings.port} of this machine can use this server.
  They can make tables, play at them against computer players that think on this
  machine, and write rules of their own and try them, in processes with limits.
  They cannot see a table or a hand without its link, read files, or run programs.
  A link is the key to a seat: whoever has it, plays there.
  Nothing is encrypted: on the internet, put a reverse proxy with TLS in front of
  it (docs/browser.md says how).
  Limits for each address: {limits.requests:g} requests a second, {limits.tables_each} new \
tables an hour,
  {limits.streams} pages open at a time; in all {limits.tables:,} tables, kept for \
{limits.days} days.
"""
    )


def _open(address: str) -> None:
    """Open the browser, which may take its time."""
    import webbrowser
    from threading import Thread

    Thread(target=webbrowser.open, args=(address,), daemon=True).start()
