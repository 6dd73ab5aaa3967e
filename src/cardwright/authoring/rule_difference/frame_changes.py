"""What is told of the frame of a game: its players, teams, cards, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.pack_changes import pack_changes
from cardwright.authoring.rule_difference.phrasing import capital
from cardwright.authoring.rule_difference.rule_change import ChangeKind, RuleChange
from cardwright.authoring.rule_difference.version import version_of
from cardwright.game.errors import GameFileError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.authoring.rule_difference.renaming import NameChange
    from cardwright.authoring.rule_difference.version import Version
    from cardwright.game.wording.phrases import GameWords
    from cardwright.program.program import Program


def frame_changes(
    before: Version, after: Version, renamed: tuple[NameChange, ...], words: GameWords
) -> Iterator[RuleChange]:
    """Yield a sentence for each difference between the frames.

    Both versions have the same values of declared constants, as those that differ are told.
    """
    old, new = before.program, after.program
    if old.players != new.players:
        many = "player plays" if new.players == 1 else "players play"
        yield _told(
            f"{new.players} {many} instead of {old.players}.", "create players", before, after
        )
    if old.players == new.players and old.teams != new.teams:
        text = f"{capital(_teams(new))}; before, {_teams(old)}."
        yield _told(text, "create teams", before, after)
    if old.base != new.base:
        yield _told(
            f"Players are numbered from {new.base} instead of from {old.base}.", "", before, after
        )
    texts = {one.before.name: one.after.name for one in renamed if one.before.space == "text"}
    for sentence in pack_changes(old, new, texts, words):
        yield _told(sentence, "create deck", before, after)
    if old.highest_wins != new.highest_wins:
        best = ("highest", "lowest") if new.highest_wins else ("lowest", "highest")
        text = f"The {best[0]} score wins instead of the {best[1]}."
        yield _told(text, "scoring", before, after)


def with_same_values(before: Version, after: Version, renamed: tuple[NameChange, ...]) -> Version:
    """Return the second version with the first one's values of common constants, if it can be."""
    same = before.source.text == after.source.text and before.program.base == after.program.base
    if same:
        return before
    new = {one.before.name: one.after.name for one in renamed if one.before.space == "constant"}
    values = {
        new.get(name, name): value
        for name, value in before.values.items()
        if new.get(name, name) in after.values
        and new.get(name, name) not in after.derived
        and after.values[new.get(name, name)] != value
    }
    if not values:
        return after
    kept = {name: value for name, value in after.values.items() if name not in after.derived}
    try:
        return version_of(after.source, {**kept, **values}, after.program.base)
    except GameFileError:
        return after


def _told(sentence: str, section: str, before: Version, after: Version) -> RuleChange:
    (old, line), (new, other) = (_excerpt(version, section) for version in (before, after))
    return RuleChange(ChangeKind.CHANGED, sentence, old, new, line, other)


def _excerpt(version: Version, section: str) -> tuple[str, int | None]:
    """Return the text of a part of the frame, and its line."""
    place = version.section(section) if section else None
    return (version.excerpt(place), version.line(place)) if place is not None else ("", None)


def _teams(program: Program) -> str:
    if all(len(team) == 1 for team in program.teams):
        return "everybody plays alone"
    sides = (" and ".join(str(seat + program.base) for seat in team) for team in program.teams)
    return f"the teams are {'; '.join(sides)}"
