"""Warnings and notes: programs that run, but hardly as their authors intend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.lint.attributes import lint_attributes
from cardwright.program.lint.choices import lint_choices
from cardwright.program.lint.failures import lint_failures
from cardwright.program.lint.hidden import lint_hidden
from cardwright.program.lint.storages import lint_storages

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint(program: Program, report: Diagnostics) -> None:
    """Add the warnings and notes for a program to the report."""
    for check in (lint_attributes, lint_storages, lint_failures, lint_choices, lint_hidden):
        check(program, report)
