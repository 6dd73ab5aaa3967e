"""`cardwright records`: check recorded games, and set damaged files aside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardwright.english import counted
from cardwright.interfaces.cli.rows import as_json, records_as_csv
from cardwright.interfaces.cli.text import complain, printable
from cardwright.interfaces.cli.vocabulary import folder, format_option
from cardwright.syntax.data_files import parse_json, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from cardwright.game.errors import CardwrightError
    from cardwright.jobs.folder import Inspection


@click.command("records")
@click.argument("place", metavar="DIR", type=folder(there=True))
@click.option(
    "--set-aside", "aside", is_flag=True,
    help="Move damaged files to a folder `damaged`, so that --resume plays their games again.",
)  # fmt: skip
@format_option
@click.pass_context
def command(ctx: click.Context, place: Path, *, aside: bool, style: str) -> None:
    """Check that recorded games are still as they were written.

    DIR is what --records of a contest or an experiment named, the folder of a season, that of an
    analysis or a search, or any folder that contains such folders. The exit code is
    1 if a file is damaged, but not if it was set aside: then the command that played these games,
    called with --resume, plays what is missing again, and produces the same bytes as before.
    """
    from cardwright.game.errors import CardwrightError

    damaged, unread, records = 0, 0, []
    table = style == "table"
    for found in _found(place):
        if isinstance(found, CardwrightError):
            complain(str(found))
            unread += 1
            continue
        if table:
            _say(found)
        damaged += len(found.damaged)
        moved = found.set_aside() if aside and found.damaged else []
        for file in moved if table else ():
            click.echo(f"  set aside: {printable(str(file))}")
        if moved and table:
            click.echo(
                f"  run the command that played this {found.job.WHAT} again with --resume: it "
                f"plays {found.job.played_again(found.damaged)} again"
            )
        records.append(_record(found, moved))
    if style == "json":
        click.echo(as_json({"records": records}))
    elif style == "csv":
        click.echo(records_as_csv(list(records[0]), records) if records else "", nl=bool(records))
    if damaged and not aside:
        complain(f"{counted(damaged, 'file')} damaged; --set-aside lets games be played again")
    if unread or (damaged and not aside):
        ctx.exit(1)


def _found(folder: Path) -> Iterator[Inspection | CardwrightError]:
    """Inspect the records in a folder, or below it; yield the error for any that cannot be read."""
    from cardwright.arena.records import RunFolder
    from cardwright.evolution.records import SearchFolder
    from cardwright.game.errors import CardwrightError
    from cardwright.jobs.files import RecordsError
    from cardwright.jobs.folder import FILE, JobFolder
    from cardwright.lab.records import ExperimentFolder
    from cardwright.league.records import Season

    kinds: dict[str, type[JobFolder[Any, Any]]] = {
        kind.FORMAT: kind for kind in (RunFolder, ExperimentFolder, SearchFolder, Season)
    }
    files = [folder / FILE]
    if _format(files[0]) not in kinds:
        files = sorted(folder.rglob(FILE))
    known = [(file.parent, name) for file in files if (name := _format(file)) in kinds]
    if not known:
        raise RecordsError(f"there are no records in {folder}: no {FILE} that can be read")
    for place, name in known:
        try:
            yield kinds[name].read(place).inspect()
        except CardwrightError as error:
            if len(known) == 1:
                raise
            yield error


def _format(file: Path) -> str:
    """Return the format of the records of a manifest; empty for anything else."""
    try:
        data = parse_json(read_text(file))
    except (OSError, ValueError):
        return ""
    name = data.get("format", "") if isinstance(data, dict) else ""
    return name if isinstance(name, str) else ""


def _record(found: Inspection, moved: Iterable[Path]) -> dict[str, Any]:
    """Return the outcome of an inspection as a JSON object."""
    return {
        "folder": str(found.job.folder),
        "what": found.job.WHAT,
        "complete": found.job.manifest.complete,
        "files": len(found.looked),
        "damaged": [f"{name}: {reason}" for name, reason in found.damaged.items()],
        "set_aside": [str(file) for file in moved],
    }


def _say(found: Inspection) -> None:
    """Print the outcome of an inspection."""
    state = "finished" if found.job.manifest.complete else "not finished"
    files = counted(len(found.looked), "file")
    whole = f"{files} as written"
    told = f"{len(found.damaged):,} of {files} damaged" if found.damaged else whole
    click.echo(printable(f"{found.job.folder}: {found.job.WHAT}, {state}; {told}"))
    for name, reason in found.damaged.items():
        click.echo(printable(f"  {name}: {reason}"))
