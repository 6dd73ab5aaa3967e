"""The page docs/library.md: every game, statistics of random play, and published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from library_statistics import GAMES, HUNDRED, SEED, Kind
from published import FACTS, FIGURES, SOURCES, judge
from statistics_files import read

from cardwright.interfaces.cli.text import in_short
from cardwright.library.catalogue import facts, names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from library_statistics import Statistics
    from published import Fact, Finding, Value

OPENING = """\
# Card games in the library

{count} games come with Cardwright. `cardwright show NAME` has the rules of each, its origin, what
is hidden, and what can be set; [`play`](play.md) plays it. The site's gallery has a page for each
game, with diagrams, figures and a sample of play.

This page is made by `scripts/statistics` from the facts files of the games.

| game | name | players | what players do |
|---|---|---|---|
"""

STATISTICS = """
## Random play

{games:,} games of each with random choices.
`cardwright simulate GAME --games {games} --seed {seed}` plays the same and gives the scores of all
seats; add `--preset NAME` or `--set PLAYERS=N` for other presets and numbers of players.

| column | meaning |
|---|---|
| decisions | moments at which a player has to choose: mean, and the shortest and longest game |
| options | mean over all decisions, and the most |
| forced | share of decisions with a single option |
| winner's | mean score of the winner |
| first wins | share of wins of the first seat or its team, ± one standard error; ties are shared |
| tied | share of games that several sides win |

| game | players | decisions | options | forced, % | winner's | first wins, % | tied, % |
|---|---|---|---|---|---|---|---|
"""

PUBLISHED = """
## Published figures

Published figures of random games, and ours. Those marked ≈ were read off a plot and are accurate to
about 5 %; means of a hundred games have the error of such a sample. For the longest game and the
widest decision of a hundred games, ours is the median of {batches} batches of a hundred games,
with minimum and maximum; a published one agrees if it lies between them, within the accuracy of
reading.

| source | |
|---|---|
"""

COMPARISONS = """
| game | players | figure | published | here | agrees | source |
|---|---|---|---|---|---|---|
"""

USED = {fact.source for fact in FACTS if fact.figure != "players"}
LETTERS = {one: chr(ord("A") + at) for at, one in enumerate(o for o in SOURCES if o in USED)}
"""What the sources are called in the table of comparisons."""


def page() -> str:
    """Return the text of the page; a game without statistics on record is left out."""
    found = {name: kinds for name in names() if (kinds := read(name))}
    return "".join(
        [
            OPENING.format(count=len(found)),
            *map(_game, found),
            STATISTICS.format(games=GAMES, seed=SEED),
            *(
                _kind(name, kind)
                for name, kinds in found.items()
                for kind in kinds
                if kind.kind == Kind(facts(name).default_players)
            ),
            PUBLISHED.format(batches=GAMES // HUNDRED),
            *(_row(letter, SOURCES[source]) for source, letter in LETTERS.items()),
            COMPARISONS,
            *_published(found),
        ]
    )


def _row(*cells: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _game(name: str) -> str:
    about = facts(name)
    players = in_short(about.players)
    return _row(about.title, f"`{name}`", players, ", ".join(about.mechanics))


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
        f"{found.options_mean:.2f} ({found.widest})",
        f"{100 * found.forced_share:.1f}",
        "-" if alone else _signed(f"{found.best.mean:.2f}"),
        "-" if alone else f"{100 * mean:.1f} ± {100 * error:.1f}",
        "-" if alone else f"{100 * found.tied:.1f}",
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
    verdict = "yes" if finding.agrees else f"**no.** {fact.reason}".strip()
    return _row(
        _title(fact.game, fact.kind),
        str(fact.kind.players),
        FIGURES[fact.figure],
        ("≈" if fact.read else "") + _value(fact.value),
        here,
        verdict,
        LETTERS[fact.source],
    )


def _value(value: Value) -> str:
    """Return a figure with two decimals, without those that are zero."""
    if isinstance(value, tuple):
        return ", ".join(map(_value, value))
    return f"{value:.3f}".rstrip("0").rstrip(".")
