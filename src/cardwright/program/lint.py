"""Warnings and notes on programs that would run, but hardly as their authors mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.syntax.diagnostic import Diagnostics


def lint(program: Program, report: Diagnostics) -> None:
    """Add the warnings and notes for a program to the report."""
