"""The differences between two versions of a game, in order of the rules."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.comparison import (
    NameChange,
    Parts,
    TreeComparison,
    renamings,
)
from cardwright.authoring.rule_difference.frame_changes import (
    frame_changes,
    renamed_changes,
    value_changes,
    with_same_values,
)
from cardwright.authoring.rule_difference.sentences import Sentences
from cardwright.authoring.rule_difference.version import Version, version_of
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.settings import Settings, settings_of
from cardwright.program.check import deep_recursion
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.authoring.rule_difference.version import RuleChange
    from cardwright.game.wording.phrases import GameWords


def explained(before: str, after: str, words: GameWords | None = None) -> tuple[RuleChange, ...]:
    """Return how two texts of rules differ, in sentences for people; none if they mean the same.

    What is not told: layout, comments, names of variables, and other ways to write what comes to
    the same tree. `words` are those of the first version's author. Raises GameFileError for rules
    that do not pass the check.
    """
    settings = Settings(words=words) if words is not None else Settings()
    return told(_kept(before), version_of(Source("<after>", after)), settings)


@lru_cache(maxsize=4)
def _kept(before: str) -> Version:
    """Return a version that many others are compared with: it is read once."""
    return version_of(Source("<before>", before))


def told(
    before: Version, after: Version, settings: Settings, words: GameWords | None = None
) -> tuple[RuleChange, ...]:
    """Return how two versions differ; `settings` are what the first one's author says of it.

    `words` are those of the second one's author, if they are others.
    """
    with deep_recursion():
        renamed = renamings(before, after)
        alike = with_same_values(before, after, renamed)
        comparison = _compared(before, alike, renamed)
        sentences = Sentences(
            before,
            alike,
            (settings.words, words or settings.words),
            {one.before: one.after.name for one in renamed},
        )
        changes = (
            *renamed_changes(before, after, renamed),
            *value_changes(before, after, renamed, settings),
            *frame_changes(before, alike, renamed, settings.words),
            *sentences.of(comparison.found),
        )
    return tuple({(one.sentence, one.line_before, one.line_after): one for one in changes}.values())


def _compared(before: Version, after: Version, renamed: tuple[NameChange, ...]) -> TreeComparison:
    new = {one.before: one.after.name for one in renamed}
    constants = {new.get(one.before, "") for one in renamed if one.before.space == "constant"}
    common = frozenset(before.values.keys() & after.values.keys()) | constants
    old_names = frozenset(one.before.name for one in renamed if one.before.space == "constant")
    makers = Parts(before, common | old_names, new), Parts(after, common, {})
    old, new_parts = (
        [parts.of(node) for node in version.program.items]
        for version, parts in zip((before, after), makers, strict=True)
    )
    comparison = TreeComparison()
    decks = before.program.decks, after.program.decks
    if len(decks[0]) == len(decks[1]):
        for one, other in zip(*decks, strict=True):
            comparison.pair(makers[0].of(one.location), makers[1].of(other.location))
    for items in (old, new_parts):
        for item in items:
            item.beside = tuple(items)
    comparison.items(old, new_parts)
    comparison.pair(makers[0].of(before.program.score), makers[1].of(after.program.score))
    return comparison


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
