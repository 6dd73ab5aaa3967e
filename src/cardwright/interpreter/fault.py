"""Runtime errors, as the engine raises them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.syntax.source import Span


class Fault(Exception):  # noqa: N818 - the language's word; it becomes a GameError for users
    """A rule of the language that a game broke while it ran, and the form that broke it.

    `rule` is a short stable name, such as empty-move or no-options.
    """

    def __init__(self, rule: str, message: str, span: Span) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.span = span
