"""The outcome of an analysis on the terminal: a short table, and where the page is."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

import click

from cardwright.analysis.measures import SIX
from cardwright.analysis.report import caution, errors, interval, missing, verdict
from cardwright.analysis.subject import Comparison
from cardwright.english import counted
from cardwright.interfaces.cli.tables import PADDING, can_print, new_table, print_rich, width
from cardwright.interfaces.cli.text import printable
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cardwright.analysis.measures import MeasureResult, NamedMeasure
    from cardwright.analysis.subject import Subject
    from cardwright.study.report import AnalysisReport

_CELL, _NAME_ROOM = 12, 28
"""Columns of the terminal for a value with its interval, and for a name."""


def show(report: AnalysisReport) -> None:
    """Print the six measures of a game with what they say, or of several side by side."""
    subjects = report.subjects
    click.echo(click.style(_title(report), bold=True))
    click.echo()
    if len(subjects) == 1:
        print_rich(_one(subjects[0]))
    else:
        show_beside(subjects, SIX)
    click.echo()
    show_remarks(subjects, SIX)
    show_place(report)


def show_remarks(subjects: Sequence[Subject], measures: Sequence[NamedMeasure]) -> None:
    """Say which games stopped with an error, what has no value, and what intervals may miss."""
    for one in subjects:
        for said in (errors(one), missing(one)):
            if said:
                _remark(f"{plain(one.title.name)}: {plain(said)}")
    shown = [one.result(measure) for one in subjects for measure in measures]
    said = caution(row for row in shown if row is not None)
    if said:
        _remark(said)


def _remark(text: str) -> None:
    click.echo(fill(text, width() - 1, initial_indent=" ", subsequent_indent="   "))


def show_place(report: AnalysisReport) -> None:
    """Say where the page is."""
    _remark(tie_words(report.settings.ties))
    click.echo(f" The page is {report.folder / 'index.html'}; numbers.csv is beside it")


def _title(report: AnalysisReport) -> str:
    wanted, subjects = report.settings, report.subjects
    names = ", ".join(printable(one.title.name) for one in subjects)
    parts = [counted(wanted.games, "random game")]
    if wanted.ai_games:
        batches = 1 if all(one.title.players == 1 for one in subjects) else 2
        twice = f"{batches} x " if batches > 1 else ""
        parts.append(f"{twice}{counted(wanted.ai_games, 'game')} with {wanted.player}")
    return f"{names}: {', '.join(parts)}, seed {wanted.seed}"


def _one(subject: Subject) -> Table:
    table = _table("measure")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("95 % interval", justify="right", no_wrap=True)
    table.add_column("")
    for one in SIX:
        row = subject.result(one)
        if row is not None:
            said = plain(verdict(one.key, subject))
            table.add_row(one.label, one.measure.text(row.value), interval(row), said)
    return table


def show_beside(subjects: Sequence[Subject], measures: Sequence[NamedMeasure]) -> None:
    """Print measures of several games, in as many tables as the width of the terminal needs.

    A * marks differences from the first game whose interval leaves out 0, or that are the same, and
    not 0, at all deals.
    """
    names = [plain(one.title.name) for one in subjects]
    room = width() - min(max(map(len, names)), _NAME_ROOM) - 2 * PADDING
    step = max(1, room // (_CELL + PADDING))
    for at in range(0, len(measures), step):
        if at:
            click.echo()
        print_rich(_beside(subjects, names, measures[at : at + step]))
    if len(subjects) > 1:
        click.echo(
            fill(
                f"* differs from {names[0]}: the interval of the difference leaves out 0, or all "
                "deals have the same one",
                width() - 1,
                initial_indent="\n ",
                subsequent_indent="   ",
            )
        )


def _beside(
    subjects: Sequence[Subject], names: Sequence[str], measures: Sequence[NamedMeasure]
) -> Table:
    table = _table("")
    comparison = Comparison.of(subjects) if len(subjects) > 1 else None
    columns = []
    for one in measures:
        table.add_column(plain(one.label), justify="right", min_width=_CELL)
        if comparison is None:
            columns.append([_cell(one, subjects[0].result(one), clear=False)])
        else:
            cells = comparison.cells(one)
            columns.append([_cell(one, cell.row, clear=cell.clear) for cell in cells])
    for number, name in enumerate(names):
        table.add_row(name, *(column[number] for column in columns))
    return table


def _cell(one: NamedMeasure, row: MeasureResult | None, *, clear: bool) -> str:
    if row is None:
        return "-"
    ends = interval(row).replace(" to ", "..").replace(" %", "")
    return f"{one.measure.text(row.value)}{'*' if clear else ' '}\n{ends}"


def _table(first: str) -> Table:
    return new_table(first, overflow="fold", max_width=_NAME_ROOM)


def plain(text: str) -> str:
    """Return a text as the terminal can show it."""
    safe = printable(text)
    return safe if can_print(safe) else safe.encode("ascii", "replace").decode()
