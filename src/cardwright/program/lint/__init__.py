"""Warnings and notes: programs that run, but hardly as their authors intend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.lint.actions import lint_choice, lint_failure, lint_stage, lint_unused
from cardwright.program.lint.names import Uses, lint_attributes, lint_storages, lint_strings
from cardwright.program.lint.visibility import lint_hidden, lint_memory, lint_team_places

if TYPE_CHECKING:
    from cardwright.program.context import Scope
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint(program: Program, report: Diagnostics, scope: Scope) -> None:
    """Add the warnings and notes for a program to the report; the scope has its variables."""
    for node in program.nodes():
        lint_failure(node, program, report)
        if isinstance(node, n.Choice):
            lint_choice(node, report)
            lint_hidden(node, program, report)
        elif isinstance(node, n.Stage):
            lint_stage(node, report)
    lint_memory(program, report)
    lint_team_places(program, report)
    uses = Uses.of(program)
    for lint_names in (lint_attributes, lint_storages, lint_strings):
        lint_names(program, report, uses)
    lint_unused(program, report, scope)
