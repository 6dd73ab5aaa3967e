"""The first step: the rules are checked, and have no warning that the original does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.evolution.evaluation import DepartureReason, FunnelStep
from cardwright.evolution.funnel.leaving import LeftError
from cardwright.game.errors import GameFileError
from cardwright.game.game import Game
from cardwright.syntax.diagnostic import Code, Severity
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Collection

    from cardwright.evolution.candidate import Candidate

ONLY_STYLE = frozenset(
    {
        Code.TRAILING_TEXT,
        Code.SHADOWING,
        Code.UNUSED_DEFINITION,
        Code.UNUSED_VARIABLE,
        Code.POINTLESS_ALLOW,
        Code.LABEL_OUTSIDE,
    }
)
"""Warnings about how rules are written. All others say that a part of the rules does not do what it
says: a condition that never holds, a value that nobody reads, a choice without options.
"""


def game_of(candidate: Candidate) -> Game:
    """Return the game of a candidate; a text that was checked a moment ago is not checked again.

    Raises GameFileError for rules that do not pass the check.
    """
    source = Source(f"{candidate.name}.rcy", candidate.text)
    return Game.from_source(source, candidate.name)


def warned(game: Game) -> frozenset[Code]:
    """Return the warnings of a game's rules that say more than how they are written."""
    return frozenset(_warnings(game))


def checked_game(candidate: Candidate, allowed: Collection[Code]) -> Game:
    """Return the game of a candidate; raises LeftError if it has a warning that is not allowed."""
    try:
        game = game_of(candidate)
    except GameFileError as error:
        first = error.checked.diagnostics.errors[0]
        raise LeftError(FunnelStep.CHECK, DepartureReason.NO_CHANGE, first.message) from None
    for code, message in _warnings(game).items():
        if code not in allowed:
            raise LeftError(FunnelStep.CHECK, DepartureReason.WARNED, message)
    return game


def _warnings(game: Game) -> dict[Code, str]:
    """Return the first message of each warning about the design, in the order of the text."""
    found: dict[Code, str] = {}
    for one in game.diagnostics:
        if one.severity is Severity.WARNING and one.code not in ONLY_STYLE:
            line = game.program.source.position(one.span.start).line
            found.setdefault(one.code, f"line {line}: {one.message} ({one.code.code})")
    return found
