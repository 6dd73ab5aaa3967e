"""Whether a file counts its players and teams from 0 or from 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import Seat
from cardwright.syntax.diagnostic import Code, Edit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.program.setup import ProgramSetup


def find_base(setup: ProgramSetup, marks: set[str], nodes: Iterable[n.Node]) -> int:
    """Return 0 or 1, by the five rules in `docs/language.md`, "Numbers of players"."""
    numbers = {number for team in setup.teams for number, _ in team}
    if 0 in numbers:
        return 0
    if "C" in marks or setup.players in numbers:
        return 1
    if "A" in marks:
        return 0
    literal_zero = any(
        isinstance(node, n.Numbered) and isinstance(node.number, n.Number) and not node.number.value
        for node in nodes
    )
    return 0 if literal_zero else 1


def warn_of_zero(setup: ProgramSetup, marks: set[str]) -> None:
    """Warn if nothing but the teams makes a file of the newest dialect count from 0."""
    members = [member for team in setup.teams for member in team]
    zero = next((span for number, span in members if number == 0), None)
    if zero is None or "C" not in marks or "A" in marks:
        return
    setup.by.report.add(
        Code.COUNTED_FROM_0,
        zero,
        "these teams count players from 0, and so does the whole file: "
        "(1 player) is the second one",
        help="count from 1, as other files of this dialect do: "
        + " ".join(f"({', '.join(str(number + 1) for number, _ in team)})" for team in setup.teams),
        edits=tuple(Edit(span, str(number + 1)) for number, span in members),
    )


def resolve_teams(setup: ProgramSetup, base: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats of each team; without teams in the file every player is one."""
    if not setup.teams:
        return tuple((Seat(i),) for i in range(setup.players))
    report = setup.by.report
    span = setup.seen["create teams"]
    before = len(report.found)
    seated: set[int] = set()
    for number, place in (member for team in setup.teams for member in team):
        seat = number - base
        if not 0 <= seat < setup.players:
            report.add(
                Code.BAD_TEAMS,
                place,
                f"there is no player {number}",
                expected=f"players are numbered {base} to {setup.players - 1 + base} in this file",
            )
        elif seat in seated:
            report.add(Code.BAD_TEAMS, place, f"player {number} is in two teams, or twice in one")
        seated.add(seat)
    missing = [str(seat + base) for seat in range(setup.players) if seat not in seated]
    if missing and len(report.found) == before:
        who = (
            f"player {missing[0]} is" if len(missing) == 1 else f"players {', '.join(missing)} are"
        )
        report.add(Code.BAD_TEAMS, span, f"{who} in no team")
    return tuple(tuple(Seat(number - base) for number, _ in team) for team in setup.teams)
