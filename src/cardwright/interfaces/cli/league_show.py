"""What the commands of the league print: checks, progress, standings and faults."""

from __future__ import annotations

import textwrap
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from rich.text import Text

from cardwright.english import counted
from cardwright.interfaces.cli.progress import progress_bar, so_far
from cardwright.interfaces.cli.rows import print_results
from cardwright.interfaces.cli.tables import can_print, new_table, print_rich
from cardwright.interfaces.cli.text import note, printable
from cardwright.statistics.caveat import caveat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.console import Console
    from rich.table import Table

    from cardwright.league.block import BotFault, Column
    from cardwright.league.check import Checkup, FaultScene, Finding, Trial
    from cardwright.league.outputs import BotStanding, LeagueStandings
    from cardwright.league.records import Season

    Faults = Mapping[int, Sequence[BotFault]]

SEASON = 10_000
"""Games of the season whose cost is estimated."""

_WIDTH = 80
_LINES = 20
"""The most lines shown of a bot's output."""

_BAR = 30
_STEPS = (10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
"""Upper bounds of the rows of the histogram, in microseconds."""


def show_checkup(checkup: Checkup, trial: Trial, style: str = "table") -> None:
    """Print the results of a check."""
    rows = ("line", "fault", "count", "message"), map(vars, checkup.findings)
    print_results(style, lambda: _record(checkup, trial), rows, lambda: _show(checkup, trial))


def _record(checkup: Checkup, trial: Trial) -> dict[str, Any]:
    """Return the results of a check as a JSON object; times are in nanoseconds."""
    times = {
        name: {"median": float(np.median(found)), "longest": int(found.max())}
        if len(found)
        else None
        for name, found in (("moves", checkup.moves), ("starts", checkup.starts))
    }
    return {
        "file": checkup.file,
        "ok": checkup.clean,
        "games": checkup.games,
        "rules": str(trial.rules),
        "seed": str(trial.seed),
        "level": trial.level,
        "findings": [asdict(one) for one in checkup.findings],
        "slowest": [asdict(one) for one in checkup.slowest],
        "met": [vars(one) for one in checkup.met],
        **times,
    }


def _show(checkup: Checkup, trial: Trial) -> None:
    faults = sum(one.fault for one in checkup.findings)
    title = f"{printable(checkup.file)}: {counted(checkup.games, 'game')}"
    title += f", rules {trial.rules}, seed {trial.seed}, " + (
        f"sandbox level {trial.level}" if trial.level else "trusted"
    )
    click.echo(click.style(title, bold=True))
    for finding in checkup.findings:
        _show_finding(checkup.file, finding)
    if not faults:
        click.echo(click.style("no faults", fg="green", bold=True))
    else:
        click.echo(click.style(counted(faults, "fault"), fg="red", bold=True))
    _show_printed(checkup.printed)
    if not checkup.games:
        click.echo("No game was played: the file is not a valid bot.")
        return
    click.echo()
    _show_points(checkup)
    _show_forfeits(checkup)
    if len(checkup.moves):
        click.echo()
        _show_times(checkup, trial)


def _show_finding(file: str, finding: Finding) -> None:
    """Print a finding in the style of compilers: file, line, kind and message."""
    place = file if finding.line is None else f"{file}:{finding.line}"
    often = ""
    if finding.count:
        often = " (once)" if finding.count == 1 else f" ({counted(finding.count, 'time')})"
    head = f"{printable(place)}: {'fault' if finding.fault else 'note'}: "
    text = f"{head}{printable(finding.message)}{often}"
    lines = textwrap.wrap(text, _WIDTH, subsequent_indent="    ", break_on_hyphens=False)
    rest = lines[0][len(head) - 1 :]
    place_end = head.rindex(": ", 0, len(head) - 2) + 2
    word = click.style(head[place_end:-2], fg="red" if finding.fault else "cyan", bold=True)
    click.echo(f"{head[:place_end]}{word}:{rest}")
    for line in lines[1:]:
        click.echo(line)
    if finding.scene is not None:
        _show_scene(finding.scene)


def _show_scene(scene: FaultScene) -> None:
    """Print where a fault happened first, so that it can be found again."""
    card = f", round {scene.round}, {scene.card}" if scene.round else ", at its start"
    click.echo(f"    first in game {scene.game}, seat {scene.seat + 1}{card}")
    for line in (*scene.cards, *scene.trace):
        click.echo(f"      {printable(line)}")


def _show_printed(text: str) -> None:
    """Print the beginning of the bot's own output."""
    lines = text.rstrip().splitlines()
    if not lines:
        return
    click.echo("Output of the bot, from the first game in which it printed:")
    for line in lines[:_LINES]:
        click.echo(f"    {printable(line[: _WIDTH - 4])}")
    if len(lines) > _LINES:
        click.echo("    ...")


def _show_points(checkup: Checkup) -> None:
    numbers = ("games", "points a game", "theirs", "difference", "1st %")
    table = new_table("against", numbers=numbers, overflow="fold")
    plus = "±" if can_print("±") else "+/-"
    for met in checkup.met:
        apart = f"{met.points - met.theirs:+.1f}"
        if met.margin is not None:
            apart += f" {plus} {met.margin:.1f}"
        table.add_row(
            printable(met.others), f"{met.games:,}", f"{met.points:.1f}", f"{met.theirs:.1f}",
            apart, f"{100 * met.first:.1f}",
        )  # fmt: skip
    print_rich(table)
    click.echo(" Few points are good; 25 % of first places are an average bot's share.")
    if any(met.margin is not None for met in checkup.met):
        click.echo(f" {plus} is half of a 95 % interval, in which each game counts as one value.")
        said = caveat(min(met.games for met in checkup.met), "games")
        if said:
            click.echo(note(said))


def _show_forfeits(checkup: Checkup) -> None:
    lost = sum(met.forfeits for met in checkup.met)
    if lost:
        share = 100 * lost / checkup.games
        words = f" {counted(lost, 'game')} of {checkup.games:,} forfeited ({share:.0f} %)"
        click.echo(click.style(words, fg="red"))


def _show_times(checkup: Checkup, trial: Trial) -> None:
    """Print the times of moves and starts, and what they mean for a season."""
    moves, starts = checkup.moves, checkup.starts
    click.echo(
        f" {counted(len(moves), 'move')} (a move may take {_time(trial.limits.move * 1e9)}):\n"
        f" half of them within {_time(np.median(moves))}, 99 % within "
        f"{_time(np.percentile(moves, 99))}, longest {_time(moves.max())};\n"
        f" starts for a game: half within {_time(np.median(starts))}, longest "
        f"{_time(starts.max())}"
    )
    slowest = ", ".join(
        f"{_time(one.took_ns)} in game {one.game}, round {one.round}, {one.card}"
        for one in checkup.slowest
    )
    for line in textwrap.wrap(f"slowest: {slowest}", _WIDTH - 1, subsequent_indent="  "):
        click.echo(f" {line}")
    _show_bars(moves)
    click.echo(
        f" {SEASON:,} games take this bot {_long(checkup.seconds_a_game * SEASON)} of one "
        "processor, on this machine."
    )


def _show_bars(moves: Column) -> None:
    """Print a histogram of the moves' times."""
    rows = np.searchsorted(np.array(_STEPS) * 1000, moves)
    counts = np.bincount(rows, minlength=len(_STEPS) + 1)
    filled = np.flatnonzero(counts)
    block = "█" if can_print("█") else "#"
    for row in range(filled[0], filled[-1] + 1):
        bound = f"to {_time(_STEPS[row] * 1000)}" if row < len(_STEPS) else "longer"
        share = counts[row] / len(moves)
        bar = block * max(round(_BAR * share), int(counts[row] > 0))
        click.echo(f"   {bound:>10} {100 * share:6.2f} % {bar}".rstrip())


def _time(nanoseconds: float) -> str:
    """Return a move's time, in a suitable unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{max(round(float(nanoseconds) / 1e3), 1)} us"


def _long(seconds: float) -> str:
    """Return a season's time, in a suitable unit."""
    if seconds < 100:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 100 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.0f} h"


@contextmanager
def season_bar(games: int, *, shown: bool) -> Iterator[Callable[[int, LeagueStandings], None]]:
    """Show a bar and the standings; yield a function to call with games played and standings."""
    latest: LeagueStandings | None = None

    def below(console: Console) -> Table | None:
        return None if latest is None else _table(latest, console)

    with progress_bar("games", games, shown=shown, rate="a second", below=below) as bar:

        def tell(done: int, standings: LeagueStandings) -> None:
            nonlocal latest
            latest = standings
            bar(done, games)

        yield tell


def _table(standings: LeagueStandings, console: Console) -> Table:
    titles = ("games", "mean place", "points a game")
    return so_far(console, titles, standings.ranked(), _cells)


def _cells(one: BotStanding) -> tuple[str, ...]:
    if not one.games:
        return one.entry.name, "0", "-", "-"
    return (
        one.entry.name,
        f"{one.games:,}",
        f"{one.mean_place:.3f}",
        f"{one.points_a_game:.2f}",
    )


_SHOWN = 40
_NAME_ROOM = 10
_PLACES = ("1st", "2nd", "3rd", "4th")
_FAULTS_SHOWN = 3
"""The most messages shown per bot."""


def show_season(season: Season, style: str = "table") -> None:
    """Print the results of a season."""
    outcome, plan = season.outcome(), season.plan
    records = outcome.records()
    record = {
        "name": plan.name,
        "rules": str(plan.rules),
        "seed": str(plan.seed),
        "salt": plan.salt.hex(),
        "games": plan.games,
        "standings": records,
        "faults": [vars(fault) for mine in outcome.faults.values() for fault in mine],
    }

    def show() -> None:
        _show_standings(outcome.standings)
        _show_faults(season, outcome.faults)

    print_results(style, lambda: record, (list(records[0]), records), show)


def _show_standings(standings: LeagueStandings) -> None:
    numbers = ("games", *(f"{place} %" for place in _PLACES), "points", "hearts", "queens")
    table = new_table("bot", numbers=numbers, min_width=_NAME_ROOM)
    ranked = standings.ranked()
    for one in ranked[:_SHOWN]:
        name = Text(printable(one.entry.name), no_wrap=True, overflow="ellipsis")
        if not one.games:
            table.add_row(name, "0", *["-"] * 7)
            continue
        shares = [f"{100 * float(place) / one.games:.1f}" for place in one.places]
        table.add_row(
            name, f"{one.games:,}", *shares, f"{one.points_a_game:.1f}",
            f"{one.hearts / one.games:.1f}", f"{one.queens / one.games:.1f}",
        )  # fmt: skip
    print_rich(table)
    if len(ranked) > _SHOWN:
        click.echo(f" ... and {len(ranked) - _SHOWN} more, in Standings.csv")
    click.echo(" Points, hearts and queens are means per game.")


def _show_faults(season: Season, faults: Faults) -> None:
    """Print the faults of each bot, with the first messages."""
    for entry, mine in sorted(faults.items()):
        kinds = Counter(fault.kind for fault in mine)
        forfeits = len({fault.game for fault in mine if fault.forfeit})
        name = printable(season.plan.bots[entry].name)
        listed = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
        lost = f"; {counted(forfeits, 'game')} forfeited" if forfeits else ""
        click.echo(click.style(f"\n {name}: {listed}{lost}", fg="yellow"))
        shown = list(dict.fromkeys(fault.message for fault in mine))[:_FAULTS_SHOWN]
        for message in shown:
            first = next(fault for fault in mine if fault.message == message)
            click.echo(f"   game {first.game + 1}, seat {first.seat + 1}: {printable(message)}")
