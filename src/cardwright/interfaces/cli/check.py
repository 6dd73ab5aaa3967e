"""`cardwright check`: what is wrong with game files, and where."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from cardwright.authoring.files import POSITIONS, replace_file
from cardwright.english import counted
from cardwright.game.find import FACTS, SUFFIX
from cardwright.interfaces.cli.files import STDIN, name_of, read
from cardwright.interfaces.cli.format import difference
from cardwright.interfaces.cli.parameters import base_option
from cardwright.interfaces.cli.rows import as_json, records_as_csv
from cardwright.interfaces.cli.text import complain, printable, show_diagnostics
from cardwright.interfaces.cli.vocabulary import format_option
from cardwright.program.check import Checked, check
from cardwright.program.telling import tellings
from cardwright.syntax.diagnostic import (
    Code,
    DiagnosticRecord,
    Diagnostics,
    Severity,
    range_record,
    record,
)
from cardwright.syntax.source import Source, Span, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN = 200


Outcomes: TypeAlias = "Iterator[tuple[str, Checked]]"


@click.command("check")
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(readable=False)
)
@format_option
@base_option
@click.option(
    "--strict",
    is_flag=True,
    help="Name each extension of the language; a file that uses one is not good.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Mend first what is sure to be a slip, and show what has changed in a file.",
)
@click.pass_context
def command(
    ctx: click.Context,
    files: tuple[str, ...],
    style: str,
    base: int | None,
    *,
    strict: bool,
    fix: bool,
) -> None:
    """Say what is wrong with game files, and where.

    FILE is the path of a file in RECYCLE; `-` reads the standard input. A file NAME.toml next to
    NAME.rcy, which explains its constants, is checked with it, or when it is named. Of a file
    NAME.positions.toml it is checked that it has positions, which `test` plays. Errors keep a
    game from being played; warnings and notes do not. The exit code is 1 if a file has errors or
    cannot be read; with --strict, also if other engines lack a form that it uses.

    With --fix, files are changed: errors for which it is known what was meant are mended, if that
    brings no other error.
    """
    if fix:
        if STDIN in files:
            raise click.UsageError("--fix changes files, and the standard input is none")
        for file in files:
            said = _fix(file, base)
            click.echo(said if style == "table" else "", nl=False)
    outcomes = (outcome for file in files for outcome in _checked(file, base, strict=strict))
    good = {"table": _as_text, "json": _as_json, "csv": _as_csv}[style](outcomes)
    ctx.exit(0 if good else 1)


def _fix(file: str, base: int | None) -> str:
    """Mend a game file; return what has changed."""
    from cardwright.program.diagnosis.mend import mend

    try:
        source = read(file)
    except UnreadableError:
        return ""  # which the check will say
    if Path(file).suffix == FACTS:
        return ""
    mended = mend(source, base)
    if mended.text == source.text:
        return ""
    try:
        replace_file(Path(file), mended.text.encode())
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}; nothing was changed")
        return ""
    return difference(source, mended.text, "mended")


def _checked(file: str, base: int | None, *, strict: bool) -> Iterator[tuple[str, Checked]]:
    """Yield the outcomes for a file, and for the one next to it that explains its constants."""
    if file.endswith(POSITIONS):
        yield file, _positions(file)
        return
    if file != STDIN and Path(file).suffix == FACTS:
        game = Path(file).with_suffix(SUFFIX)
        if game.is_file():
            yield file, _settings(file, str(game), _check(str(game), base, strict=strict))
            return
    outcome = _check(file, base, strict=strict)
    yield name_of(file), outcome
    if file != STDIN and Path(file).suffix == SUFFIX:
        other = Path(file).with_suffix(FACTS)
        if other.is_file():
            yield str(other), _settings(str(other), file, outcome)


def _read(file: str) -> tuple[Source, Diagnostics]:
    """Return a file with a report; of one that cannot be read the report has the reason."""
    try:
        source = read(file)
    except UnreadableError as error:
        source = Source(name_of(file), "")
        report = Diagnostics(source)
        reason = str(error).removeprefix(f"{source.name}: ") + _library_advice(file)
        report.add(Code.UNREADABLE, Span(0, 0), reason)
        return source, report
    return source, Diagnostics(source)


def _positions(file: str) -> Checked:
    """Check that a file of positions is one; what it says of the game is tested by playing it."""
    from cardwright.authoring.position import PositionFileError, parse_positions

    source, report = _read(file)
    try:
        if not report.errors:
            parse_positions(source)
    except PositionFileError as error:
        report.add(Code.BAD_SETTINGS, error.span, error.reason, help=error.advice)
    return Checked(source, None, report)


def _settings(file: str, game: str, checked: Checked) -> Checked:
    """Check a file next to a game; facts that only the library has are known too."""
    from cardwright.authoring.settings_check import check_settings
    from cardwright.library.catalogue import PLAIN

    source, report = _read(file)
    if not report.errors:
        report = check_settings(source, checked.program, PLAIN, game)
    return Checked(source, checked.program, report)


def _check(file: str, base: int | None, *, strict: bool) -> Checked:
    source, report = _read(file)
    return (
        Checked(source, None, report) if report.errors else check(source, base=base, strict=strict)
    )


def _library_advice(file: str) -> str:
    from cardwright.game.find import library_names

    if file not in library_names():
        return ""
    return f"; {file} is a game of the library, which needs no check: see `cardwright show {file}`"


def _as_text(outcomes: Outcomes) -> bool:
    """Print the outcomes in order, and return whether all are good."""
    good = True
    for file, outcome in outcomes:
        name = printable(file)
        report = outcome.diagnostics
        if any(found.code is Code.UNREADABLE for found in report):
            code = click.style(f"error {Code.UNREADABLE.code}:", fg="red", bold=True)
            reason = printable(report.errors[0].message)
            click.echo(f"{click.style(f'{name}:', bold=True)} {code} {reason}")
            good = False
            continue
        show_diagnostics(islice(report, _SHOWN), outcome.source)
        if len(report) > _SHOWN:
            click.echo(f"... and {len(report) - _SHOWN:,} more, which are not shown")
        click.echo(f"{name}: {_totals(outcome)}")
        for told in _tellings(file, outcome):
            click.echo(f"  {told['line']}:{told['column']} {told['message']}")
        good = good and _is_good(outcome)
    return good


def _totals(outcome: Checked) -> str:
    """Return the summary line of a file: `1 error, 2 warnings`."""
    report = outcome.diagnostics
    found = [(severity, len(report.of_severity(severity))) for severity in Severity]
    texts = [counted(count, str(severity)) for severity, count in found if count]
    if report.full:
        texts[0] += " or more"
    return ", ".join(texts) or "ok"


def _as_json(outcomes: Outcomes) -> bool:
    """Print the outcomes as one object, and return whether all are good."""
    files = [
        {
            "file": file,
            "ok": _is_good(outcome),
            "diagnostics": _records(outcome),
            "tells": _tellings(file, outcome),
        }
        for file, outcome in outcomes
    ]
    click.echo(as_json({"files": files}))
    return all(entry["ok"] for entry in files)


def _as_csv(outcomes: Outcomes) -> bool:
    """Print all diagnostics, and return whether all files are good."""
    found = [outcome for _, outcome in outcomes]
    records = [record for outcome in found for record in _records(outcome)]
    click.echo(records_as_csv(list(DiagnosticRecord.__annotations__), records))
    return all(map(_is_good, found))


def _tellings(file: str, outcome: Checked) -> list[dict[str, object]]:
    """Return where the rules of a game tell of hidden cards, in words."""
    if outcome.program is None or file.endswith((FACTS, POSITIONS)):
        return []
    return [
        {
            **range_record(told.span, outcome.source),
            "message": f"{told.what} tells something of cards that somebody does not see",
        }
        for told in tellings(outcome.program)
    ]


def _is_good(outcome: Checked) -> bool:
    return not any(
        found.severity is Severity.ERROR or found.code is Code.EXTENSION
        for found in outcome.diagnostics
    )


def _records(outcome: Checked) -> list[DiagnosticRecord]:
    return [record(diagnostic, outcome.source) for diagnostic in outcome.diagnostics]
