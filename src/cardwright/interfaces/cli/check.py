"""`cardwright check`: what is wrong with game files, and where."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.files import name_of, read
from cardwright.interfaces.cli.parameters import base_option, format_option
from cardwright.interfaces.cli.text import counted, printable, show_diagnostics
from cardwright.program.check import Checked, check
from cardwright.syntax.diagnostic import Code, Severity
from cardwright.syntax.render import Record, record
from cardwright.syntax.source import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = 200


@dataclass(frozen=True)
class _Unreadable:
    """A file without a text that could be checked, and why."""

    file: str
    reason: str

    def record(self) -> Record:
        """Return the reason in the form of a diagnostic of the file's first character."""
        return Record(
            file=self.file,
            code=Code.UNREADABLE.code,
            severity=str(Severity.ERROR),
            line=1,
            column=1,
            end_line=1,
            end_column=1,
            message=self.reason,
            expected="",
            help="",
        )


@click.command("check")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(readable=False)
)
@format_option("text", "json")
@base_option
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], style: str, base: int | None) -> None:
    """Say what is wrong with game files, and where.

    FILE is the path of a file in RECYCLE; `-` reads the standard input. Errors keep a game from
    being played; warnings and notes do not. The exit code is 1 if a file has errors or cannot be
    read.
    """
    outcomes = ((name_of(file), _check(file, base)) for file in files)
    good = _as_json(outcomes) if style == "json" else _as_text(outcomes)
    ctx.exit(0 if good else 1)


def _check(file: str, base: int | None) -> Checked | _Unreadable:
    try:
        return check(read(file), base=base)
    except UnreadableError as error:
        reason = str(error).removeprefix(f"{name_of(file)}: ")
        return _Unreadable(name_of(file), reason + _library_advice(file))


def _library_advice(file: str) -> str:
    from cardwright.game.find import library_names  # noqa: PLC0415 - where a file is missing

    if file not in library_names():
        return ""
    return f"; {file} is a game of the library, which needs no check: see `cardwright show {file}`"


def _as_text(outcomes: Iterator[tuple[str, Checked | _Unreadable]]) -> bool:
    """Print the outcomes one after the other, and return whether all are good."""
    good = True
    for file, outcome in outcomes:
        name = printable(file)
        if isinstance(outcome, _Unreadable):
            code = click.style(f"error {Code.UNREADABLE.code}:", fg="red", bold=True)
            click.echo(f"{click.style(f'{name}:', bold=True)} {code} {printable(outcome.reason)}")
            good = False
            continue
        report = outcome.diagnostics
        show_diagnostics(islice(report, _SHOWN), outcome.source)
        if len(report) > _SHOWN:
            click.echo(f"... and {len(report) - _SHOWN:,} more, which are not shown")
        click.echo(f"{name}: {_totals(outcome)}")
        good = good and not report.errors
    return good


def _totals(outcome: Checked) -> str:
    """Return the line that sums a file up: `1 error, 2 warnings`."""
    report = outcome.diagnostics
    found = [(severity, len(report.of(severity))) for severity in Severity]
    texts = [counted(count, str(severity)) for severity, count in found if count]
    if report.full:
        texts[0] += " or more"
    return ", ".join(texts) or "ok"


def _as_json(outcomes: Iterator[tuple[str, Checked | _Unreadable]]) -> bool:
    """Print the outcomes as one object, and return whether all are good."""
    files: list[dict[str, Any]] = []
    for file, outcome in outcomes:
        if isinstance(outcome, _Unreadable):
            files.append({"file": file, "ok": False, "diagnostics": [outcome.record()]})
        else:
            found = [record(diagnostic, outcome.source) for diagnostic in outcome.diagnostics]
            ok = not outcome.diagnostics.errors
            files.append({"file": file, "ok": ok, "diagnostics": found})
    click.echo(json.dumps({"files": files}, indent=2))
    return all(entry["ok"] for entry in files)
