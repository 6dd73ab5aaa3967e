"""The output of `match`, `tournament` and `ladder`, for people and for programs."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from cardwright.arena.schedule import neighbour_words
from cardwright.english import counted, in_number, ordinal, percent
from cardwright.interfaces.cli.tables import PADDING, can_print, new_table, print_rich, width
from cardwright.interfaces.cli.text import note, printable
from cardwright.statistics.caveat import FEW, caveat, gain_caveat
from cardwright.statistics.measures import WINS
from cardwright.statistics.ties import tie_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from cardwright.arena.findings import EntrantStanding, Matrix, TestedDifference
    from cardwright.arena.report import ContestReport
    from cardwright.arena.results import Results
    from cardwright.statistics.intervals import Estimate

_NOTHING = "-"
_ERRORS_SHOWN = 3
_NAME_ROOM = 20
"""The fewest columns for a name next to many numbers."""

_LINE = 88
"""Columns of a remark."""


def show_title(kind: str, report: ContestReport) -> None:
    """Print what was played."""
    plan = report.plan
    tables = counted(len(plan.tables), "table")
    deals = counted(report.played, "deal")
    asked = f" of {plan.deals:,}" if report.played < plan.deals else ""
    title = (
        f"{printable(plan.game.name)}: {kind}, {deals}{asked} at {tables}, "
        f"{counted(report.games, 'game')}, seed {plan.seed}"
    )
    click.echo(click.style(title, bold=True))


def show_standings(report: ContestReport, order: Sequence[int]) -> None:
    """Print the results of these entrants, in this order: their scores, then their places."""
    names = report.names
    chosen = [(names[who], report.standings[who]) for who in order]
    over_field = any(standing.over_field for _, standing in chosen)
    guaranteed = report.guaranteed and not over_field  # there it would be too wide
    table = _table(
        "player", "score", *["guaranteed"] * guaranteed, *["over the field"] * over_field,
        WINS,
    )  # fmt: skip
    for name, standing in chosen:
        cells = [estimated(standing.score)]
        if guaranteed:
            cells.append(ends(standing.score_guaranteed))
        if standing.over_field is not None:
            cells.append(estimated(standing.over_field, sign=True))
        table.add_row(printable(name), *cells, share(standing.win))
    print_rich(table)
    click.echo()
    _show_places(report.plan.game.players, chosen)


def _show_places(seats: int, chosen: Sequence[tuple[str, EntrantStanding]]) -> None:
    faulty = any(standing.faults for _, standing in chosen)
    table = _table("came in, % of games", *map(ordinal, range(1, seats + 1)), *["faults"] * faulty)
    for name, standing in chosen:
        places = standing.places
        cells = [_NOTHING] * seats if places is None else [f"{100 * one:.1f}" for one in places]
        if faulty:
            cells.append(f"{standing.faults:,}")
        table.add_row(printable(name), *cells)
    print_rich(table)


def show_seats(report: ContestReport) -> None:
    """Print what each seat is worth."""
    table = _table("seat", "score above the table's mean", WINS)
    for seat in report.seats:
        table.add_row(f"p{seat.seat + 1}", estimated(seat.effect, sign=True), share(seat.win))
    print_rich(table)


def show_differences(report: ContestReport, pairs: Sequence[tuple[int, int]]) -> None:
    """Print the differences between the two entrants of each pair."""
    names = report.names
    found = [report.difference(first, second) for first, second in pairs]
    labels = [printable(f"{names[first]} - {names[second]}") for first, second in pairs]
    table = _table("difference", "score", WINS)
    for label, one in zip(labels, found, strict=True):
        win = estimated(one.win, sign=True, percent=True)
        table.add_row(label, estimated(one.score, sign=True), win)
    print_rich(table)
    gains = any(one.gain is not None for one in found)
    if not (gains or report.guaranteed):
        return
    columns = ["score, guaranteed"] * report.guaranteed + ["duplicate gain"] * gains
    table = _table("", *columns)
    for label, one in zip(labels, found, strict=True):
        cells = [ends(one.score_guaranteed, sign=True)] * report.guaranteed
        if gains:
            cells.append(_NOTHING if one.gain is None else estimated(one.gain))
        table.add_row(label, *cells)
    click.echo()
    print_rich(table)
    if gains:
        _remark(gain_caveat(report.counted))


def show_matrix(report: ContestReport) -> None:
    """Print the payoff matrix, with a number for each entrant instead of its name in the header.

    Where the terminal is too narrow for intervals it shows the means alone.
    """
    matrix = report.matrix
    assert matrix is not None
    what = WINS if matrix.measure == "win" else "score"
    heading = f"{what} alone against" if matrix.kind == "alone" else f"{what} minus that of"
    cells = _matrix_cells(matrix, intervals=True)
    wide = sum(max(map(len, column)) + PADDING for column in zip(*cells, strict=True))
    fits = wide + _NAME_ROOM <= width()
    if not fits:
        cells = _matrix_cells(matrix, intervals=False)
    table = _table(heading, *[str(number) for number in range(1, len(cells) + 1)])
    for number, (name, row) in enumerate(zip(report.names, cells, strict=True), 1):
        table.add_row(printable(f"{number} {name}"), *row)
    print_rich(table)
    if not fits:
        click.echo(" The terminal is too narrow for intervals; --format json has them.")


def _matrix_cells(matrix: Matrix, *, intervals: bool) -> list[list[str]]:
    percent, sign = matrix.measure == "win", matrix.kind == "difference"

    def text(cell: Estimate | None) -> str:
        if cell is None:
            return _NOTHING
        shown = cell if intervals else replace(cell, low=None, high=None)
        return estimated(shown, percent=percent, sign=sign)

    return [[text(cell) for cell in row] for row in matrix.cells]


def show_ratings(report: ContestReport) -> None:
    """Print ratings, the best first."""
    ratings = report.ratings
    assert ratings is not None
    table = _table("rating", "Elo", "95 % interval")
    pairs = zip(report.names, ratings.entrants, strict=True)
    for name, rating in sorted(pairs, key=lambda pair: -pair[1].mean):
        low, high = rating.low, rating.high
        known = low is not None and high is not None
        interval = f"{_number(low, 0, '+')} to {_number(high, 0, '+')}" if known else _NOTHING
        table.add_row(printable(name), _number(rating.mean, 0, "+"), interval)
    print_rich(table)
    if not ratings.bounded:
        _remark(
            "Some of them won, or lost, all games against others, so no rating has bounds: "
            "distances are those of a prior of half a win and half a loss against an average one."
        )
    elif report.counted < FEW:
        _remark(
            "A prior of half a win and half a loss against an average player shrinks ratings to 0: "
            "after 5 deals of two games a true distance of 522 is 480 on average."
        )


def show_test(report: ContestReport) -> None:
    """Print a sequential test's verdict, and separately the estimate with its caveat."""
    tested = report.tested
    assert tested is not None
    test, verdict = tested.test, tested.verdict
    first, second = report.names
    unit = "of the wins" if tested.measure == "win" else "points a game"
    click.echo(f" Sequential test: how much better is {printable(first)} than {printable(second)}?")
    for name, value in (("H0", test.h0), ("H1", test.h1)):
        click.echo(f"   {name}: by {value:g} {unit}")
    deals = counted(verdict.deals, "deal")
    if verdict.accepted == "undecided":
        said = f"undecided after {deals}"
    else:
        said = f"{verdict.accepted} is accepted after {deals}"
    click.echo(click.style(f"   {said}", bold=True))
    for name, against, need in (
        ("H0", verdict.against_h0, verdict.need_h0),
        ("H1", verdict.against_h1, verdict.need_h1),
    ):
        click.echo(f"   evidence against {name}: {against:.2f}, {need:.2f} is needed")
    click.echo(_promise(tested))
    click.echo(f"   estimate: {estimated(tested.estimate, sign=True, digits=3)} {unit}")
    if verdict.accepted != "undecided":
        click.echo(
            "   A test that stops early stops where luck helps it: the estimate is biased away\n"
            "   from the rejected hypothesis, and its interval is too narrow. Do not report it as\n"
            "   a measurement; play a fixed number of new deals for that."
        )


def _promise(tested: TestedDifference) -> str:
    """Say under which condition the error probabilities of a test hold."""
    test, bound = tested.test, tested.verdict.bound
    chances = (
        f"   error probabilities: {test.alpha:g} to accept H1 and {test.beta:g} to accept H0 "
        "wrongly"
    )
    source = {
        "proved": "as follows from\n   the range of scores that is proved from the rules",
        "declared": "as follows from\n   the range of scores that the game's file declares",
        "stated": "as --bound states",
        "shares": "",
    }[tested.bound_basis]
    if not source:
        return f"{chances}, for independent deals"
    return (
        f"{chances},\n   for independent deals, of which none is worth more than {bound:g} "
        f"{in_number(bound, 'point')}, {source}"
    )


def show_remarks(report: ContestReport, *, timed: bool) -> None:
    """Print failed games, the meaning of signs, and the speed, if the time is that of all games."""
    best = "highest" if report.highest_wins else "lowest"
    speed = f"{report.games / report.seconds:,.0f} games a second" if timed else ""
    click.echo(f" The {best} score wins. {speed}".rstrip())
    click.echo(f" {tie_words(report.results.ties)}")
    plus = "±" if can_print("±") else "+/-"
    if report.counted > 1:
        click.echo(f" {plus} and brackets: 95 % intervals, in which each deal counts as one value.")
    if report.score_range is not None and report.guaranteed:
        from cardwright.arena.bounds import guarantee

        _remark(guarantee(report.score_range, plus))
    for words in (caveat(report.counted), neighbour_words(report.plan.tables)):
        if words:
            _remark(words)
    if report.among_copies:
        _remark(
            "Games of a player among copies of itself count in the matrix alone, not in scores, "
            "shares of wins and places."
        )
    _show_faults(report)
    if report.failed:
        games, deals = counted(report.failed, "game"), counted(report.left_out, "deal")
        click.echo(f"\n{games} stopped with an error; {deals} with such a game left out above:")
        _show_errors(report.results)


def _remark(words: str) -> None:
    """Print a sentence under a table."""
    click.echo(note(words, _LINE))


def _show_faults(report: ContestReport) -> None:
    """Print how many faults each entrant made, and the reason for its first."""
    first = {one.entrant: one for one in reversed(report.results.faults_noted)}
    for who, (name, standing) in enumerate(zip(report.names, report.standings, strict=True)):
        if not standing.faults:
            continue
        reason = ""
        if who in first:
            noted = first[who]
            reason = f"; the first, in deal {noted.deal} at table {noted.table}: "
            reason += f"{noted.fault.kind}: {noted.fault.reason}"
        faults, decisions = (
            counted(standing.faults, "fault"),
            counted(standing.decisions, "decision"),
        )
        click.echo(f"\n{printable(f'{name}: {faults} in {decisions}{reason}')}")


def _show_errors(results: Results) -> None:
    failed = ~results.finished & (results.seat == 0)
    columns = (results.deal, results.table, results.error)
    rows = list(zip(*(column[failed] for column in columns), strict=True))
    for deal, table, message in rows[:_ERRORS_SHOWN]:
        click.echo(f"  deal {deal}, table {table}:")
        for line in str(message).split("\n"):
            click.echo(f"    {printable(line)}")
    if len(rows) > _ERRORS_SHOWN:
        click.echo(f"  ... and {len(rows) - _ERRORS_SHOWN:,} more")


def estimated(
    estimate: Estimate, *, percent: bool = False, sign: bool = False, digits: int = 2
) -> str:
    """Return a mean and half its interval's width: `6.41 ± 0.12`, optionally signed or in per cent.

    An asymmetric interval is given by its ends.
    """
    if not estimate.count:
        return _NOTHING
    factor, digits, unit = (100, 1, " %") if percent else (1, digits, "")
    plus = "+" if sign else ""
    mean = _number(factor * estimate.mean, digits, plus)
    if estimate.low is None or estimate.high is None or estimate.margin is None:
        return mean + unit
    even = abs((estimate.low + estimate.high) / 2 - estimate.mean) * factor < 0.5 * 10**-digits
    if not even:
        ends = (_number(factor * end, digits, plus) for end in (estimate.low, estimate.high))
        return f"{mean}{unit} ({' to '.join(ends)})"
    between = "±" if can_print("±") else "+/-"
    return f"{mean}{unit} {between} {_number(factor * estimate.margin, digits)}{unit}"


def ends(estimate: Estimate | None, *, sign: bool = False) -> str:
    """Return the ends of an interval: `-1.20 to 6.41`."""
    if estimate is None or estimate.low is None or estimate.high is None:
        return _NOTHING
    plus = "+" if sign else ""
    return f"{_number(estimate.low, 2, plus)} to {_number(estimate.high, 2, plus)}"


def share(estimate: Estimate) -> str:
    """Return a share with the ends of its interval: `25.0 % (21.3 to 29.0)`."""
    if not estimate.count:
        return _NOTHING
    mean = percent(estimate.mean)
    if estimate.low is None or estimate.high is None:
        return mean
    return f"{mean} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def _table(*titles: str) -> Table:
    """Return a table whose first column is text, and the others numbers."""
    return new_table(titles[0], numbers=titles[1:], overflow="fold")


def _number(value: float | None, digits: int, sign: str = "") -> str:
    """Return a number with this many digits, and zero without a minus."""
    assert value is not None
    return format(round(value, digits) + 0.0, f"{sign},.{digits}f")


def record(kind: str, report: ContestReport) -> dict[str, Any]:
    """Return a report as a JSON object, with the first faults of each entrant."""
    faults = [
        {"entrant": one.entrant, "deal": one.deal, "table": one.table, **asdict(one.fault)}
        for one in report.results.faults_noted
    ]
    head = {"kind": kind, "seconds": report.seconds, "ties": report.results.ties}
    return {**head, **report.record(), "faults": faults}
