"""Two games that are loaded compared, with what their authors say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.explain import told
from cardwright.authoring.rule_difference.version import version_of
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.settings import Settings, settings_of

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.authoring.rule_difference.rule_change import RuleChange
    from cardwright.authoring.rule_difference.version import Version


def explain_diff(before: Game | str | Path, after: Game | str | Path) -> tuple[RuleChange, ...]:
    """Return how two versions of a game differ, in sentences for people; none if they do not.

    A version is a game, or what `Game.load` takes, with a preset after a colon: `hearts:standard`.
    What is not told: layout, comments, the names of variables, and other ways to write the same.
    Constants are explained by the words of the file beside the first game. Raises what `Game.load`
    raises.
    """
    first, second = (_loaded(one) for one in (before, after))
    settings = settings_of(first.name)
    words = first.words or settings.words
    given = Settings(declared=settings.declared, words=words)
    return told(_version(first), _version(second), given, second.words or words)


def _loaded(game: Game | str | Path) -> Game:
    if isinstance(game, Game):
        return game
    if isinstance(game, str):
        name, preset = split_preset(game)
        return Game.load(name, preset=preset)
    return Game.load(game)


def _version(game: Game) -> Version:
    """Return the rules of a game, with the values of its constants that are not those written."""
    program = game.program
    values = {
        one.name: one.value
        for one in program.declared
        if one.value is not None and one.value != one.default
    }
    return version_of(program.source, values, program.base if program.forced_base else None)
