"""Warnings and notes: programs that run, but hardly as their authors intend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program.lint.attributes import lint_attributes
from cardwright.program.lint.choices import lint_choices
from cardwright.program.lint.failures import lint_failures
from cardwright.program.lint.hidden import lint_hidden
from cardwright.program.lint.shown import lint_shown
from cardwright.program.lint.storages import lint_storages
from cardwright.program.lint.strings import lint_strings
from cardwright.program.lint.turns import lint_turns
from cardwright.program.lint.unused import lint_unused
from cardwright.program.lint.uses import uses_of

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.program.scope import Scope
    from cardwright.syntax.diagnostic import Diagnostics


def lint(program: Program, report: Diagnostics, scope: Scope) -> None:
    """Add the warnings and notes for a program to the report; the scope has its variables."""
    for check in (lint_failures, lint_choices, lint_hidden, lint_shown, lint_turns):
        check(program, report)
    uses = uses_of(program)
    lint_attributes(program, report, uses)
    lint_storages(program, report, uses)
    lint_strings(program, report, uses)
    lint_unused(program, report, scope)
