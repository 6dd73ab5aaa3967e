"""`cardwright cache`: which compiled games are kept, and how to remove them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.text import complain, printable
from cardwright.interfaces.cli.vocabulary import format_option

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from cardwright.compiler.cache import CacheEntry, ObjectCache

_THOUSAND = 1000


@dataclass(frozen=True)
class _Kept:
    """What is kept of one game, with an entry for each of its variants."""

    game: str
    entries: int
    size: int
    used: datetime

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        used = self.used.isoformat(timespec="seconds").replace("+00:00", "Z")
        return {"game": self.game, "entries": self.entries, "bytes": self.size, "last_used": used}


@click.command("cache")
@click.argument("action", metavar="[clear]", required=False, type=click.Choice(["clear"]))
@format_option
@click.pass_context
def command(ctx: click.Context, action: str | None, style: str) -> None:
    """Show which compiled games are kept, or remove them.

    Games are compiled to native code once, which is kept in a folder for all later runs. `clear`
    removes it; what is needed again is compiled again. CARDWRIGHT_CACHE in the environment names
    another folder, or `off`.
    """
    from cardwright.compiler.cache import ObjectCache

    cache = ObjectCache(warn=lambda message: click.echo(f"warning: {printable(message)}", err=True))
    if action == "clear":
        ctx.exit(0 if _clear(cache, style) else 1)
    kept = _by_game(cache.entries())
    rows = ("game", "entries", "bytes", "last_used"), [one.record() for one in kept]
    print_results(
        style, lambda: _record(cache.folder, kept), rows, lambda: _show(cache.folder, kept)
    )


def _clear(cache: ObjectCache, style: str) -> bool:
    """Empty the cache and say what was removed; return whether nothing is left."""
    count, size = cache.clear()
    left = len(cache.entries())
    folder = _named(cache.folder)
    record = {"folder": folder, "removed": count, "bytes": size}
    said = f"removed {counted(count, 'file')} ({_bytes(size)}) from {printable(folder or '')}"
    show = partial(click.echo, said if folder else _off())
    print_results(style, lambda: record, (list(record), [record]), show)
    if left:
        complain(f"{counted(left, 'file')} could not be removed from {folder}")
    return not left


def _by_game(entries: Iterable[CacheEntry]) -> list[_Kept]:
    """Return what is kept of each game, the largest first."""
    games: dict[str, list[CacheEntry]] = {}
    for entry in entries:
        games.setdefault(entry.label, []).append(entry)
    kept = (
        _Kept(
            game,
            len(found),
            sum(entry.size for entry in found),
            datetime.fromtimestamp(max(entry.used for entry in found), UTC),
        )
        for game, found in games.items()
    )
    return sorted(kept, key=lambda one: (-one.size, one.game))


def _record(folder: Path | None, kept: list[_Kept]) -> dict[str, Any]:
    from cardwright.compiler.cache import LIMIT

    return {
        "folder": _named(folder),
        "entries": sum(one.entries for one in kept),
        "bytes": sum(one.size for one in kept),
        "limit": LIMIT,
        "games": [one.record() for one in kept],
    }


def _show(folder: Path | None, kept: list[_Kept]) -> None:
    from rich.text import Text

    from cardwright.compiler.cache import LIMIT
    from cardwright.interfaces.cli.tables import new_table, print_rich

    if folder is None:
        click.echo(_off())
        return
    click.echo(printable(str(folder)))
    if kept:
        table = new_table("game", numbers=("entries", "size"), style="bold", overflow="fold")
        table.add_column("last used", no_wrap=True)
        for one in kept:
            used = f"{one.used.astimezone():%Y-%m-%d %H:%M}"
            game = Text(" ".join(printable(one.game).split()))
            table.add_row(game, f"{one.entries:,}", _bytes(one.size), used)
        print_rich(table)
    entries, size = sum(one.entries for one in kept), sum(one.size for one in kept)
    noun = "entry" if entries == 1 else "entries"
    click.echo(f"{entries:,} {noun}, {_bytes(size)} of at most {_bytes(LIMIT)}")


def _off() -> str:
    from cardwright.compiler.cache import VARIABLE

    return f"nothing is kept: {VARIABLE} is `off`, or there is no home directory to keep it in"


def _named(folder: Path | None) -> str | None:
    return None if folder is None else str(folder)


def _bytes(count: int) -> str:
    """Return a number of bytes in a readable unit."""
    size = float(count)
    for unit in ("bytes", "kB"):
        if round(size, 1) < _THOUSAND:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= _THOUSAND
    return f"{size:.1f} MB"
