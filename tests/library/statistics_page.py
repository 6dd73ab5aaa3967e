"""The page docs/library.md: every game, statistics of random play, and published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from library_statistics import GAMES, HUNDRED, SEED
from published import FACTS, FIGURES, SOURCES, judge
from statistics_files import read

from cardwright.interfaces.cli.text import in_short
from cardwright.library.catalogue import facts, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from library_statistics import Kind, Statistics
    from published import Fact, Finding, Value

OPENING = """\
# The games of the library

{count} games come with Cardwright. `cardwright show NAME` has the rules of each, where it comes
from, and what can be set; [the command line](command-line.md) says how to play one. This page is
made by `scripts/statistics`: edit the facts files of the games, not the page. `sh scripts/gallery`
writes a page for each game into `docs/gallery`: rules in words, diagrams, numbers with intervals,
figures and a sample of play. The documentation site has these pages as its gallery.

| game | name | players | what is hidden | what players do |
|---|---|---|---|---|
"""

STATISTICS = """
## Random games

{games:,} games of each kind, all seats choosing at random, with the seeds of
`cardwright simulate --games {games} --seed {seed}`: that command gives the same figures. A
**decision** is a moment at which a player has to choose between options; a **forced** one has a
single option. Decisions are given as the mean and, where games differ in length, the shortest and
the longest game; options as the mean over all decisions, and the maximum. Scores are those of the
seats in order, and the winner's. **First wins** is the share of wins that goes to the first
seat, or to its team, ± one standard error. A win shared by several sides is divided between
them, so that with n sides and no advantage this is 1/n. **Tied** is the share of games that several
sides win.

| game | players | decisions | options | forced | mean scores | winner's | first wins | tied |
|---|---|---|---|---|---|---|---|---|
"""

PUBLISHED = """
## Published figures

Published figures of random games, and ours. Figures that were read off a plot are accurate to
about 5 %, and means of a hundred games have the error of such a sample. For the longest game and
the widest decision of a hundred games, ours is the median of {batches} batches of a hundred games,
with the minimum and maximum in brackets; a published one agrees if it is between these, within the
accuracy of reading it.

| game | players | figure | published | here | | by |
|---|---|---|---|---|---|---|
"""


def page() -> str:
    """Return the text of the page; a game without statistics on record is left out."""
    found = {name: kinds for name in names() if (kinds := read(name))}
    return "".join(
        [
            OPENING.format(count=len(found)),
            *map(_game, found),
            STATISTICS.format(games=GAMES, seed=SEED),
            *(_kind(name, kind) for name, kinds in found.items() for kind in kinds),
            PUBLISHED.format(batches=GAMES // HUNDRED),
            *_published(found),
        ]
    )


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _game(name: str) -> str:
    about = facts(name)
    players = in_short(about.players)
    hidden, play = ", ".join(about.information), ", ".join(about.mechanics)
    return _row(about.title, f"`{name}`", players, hidden, play)


def _title(name: str, kind: Kind) -> str:
    changed = [kind.preset] if kind.preset else []
    changed += [f"{key}={value}" for key, value in kind.declared]
    return ": ".join([facts(name).title, *([", ".join(changed)] if changed else [])])


def _kind(name: str, found: Statistics) -> str:
    """Return the row of a kind of game in the table of statistics."""
    length = found.decisions
    fixed = length.least == length.most
    mean, error = found.first_share
    alone = len(found.winning) == 1
    return _row(
        _title(name, found.kind),
        str(found.kind.players),
        str(length.most) if fixed else f"{length.mean:.1f} ({length.least}-{length.most})",
        f"{found.options_mean:.2f} (at most {found.widest})",
        f"{100 * found.forced_share:.1f} %",
        ", ".join(_signed(f"{seat.mean:.2f}") for seat in found.scores),
        "-" if alone else _signed(f"{found.best.mean:.2f}"),
        "-" if alone else f"{100 * mean:.1f} ± {100 * error:.1f} %",
        "-" if alone else f"{100 * found.tied:.1f} %",
    )


def _signed(text: str) -> str:
    """Return a number without the sign of a zero that was rounded from below."""
    return text.removeprefix("-") if float(text) == 0 else text


def _published(found: dict[str, list[Statistics]]) -> Iterator[str]:
    """Yield the rows of published figures of games that are there; numbers of players are none."""
    for fact in FACTS:
        if fact.figure == "players":
            continue
        for kind in found.get(fact.game, []):
            if kind.kind == fact.kind:
                yield _compared(fact, judge(fact, kind))


def _compared(fact: Fact, finding: Finding) -> str:
    here = _value(finding.value)
    if finding.varies and finding.varies[0] < finding.varies[1]:
        here += f" ({_value(finding.varies[0])}-{_value(finding.varies[1])})"
    verdict = "agrees" if finding.agrees else f"**differs.** {fact.reason}".strip()
    return _row(
        _title(fact.game, fact.kind),
        str(fact.kind.players),
        FIGURES[fact.figure],
        ("about " if fact.read else "") + _value(fact.value),
        here,
        verdict,
        SOURCES[fact.source],
    )


def _value(value: Value) -> str:
    """Return a figure with two decimals, without those that are zero."""
    if isinstance(value, tuple):
        return ", ".join(map(_value, value))
    return f"{value:.3f}".rstrip("0").rstrip(".")
