"""What published measures come to by our own definitions, where these differ from the publishers'.

By the publishers' definitions a shared first place is a whole win, the winner is who leads in the
last estimates, and spreads of all batches with a thinking player are pooled. By ours k winners have
1/k of a win each, the winner is who has the best result, and spreads are those of tables at which
all think. `MeasureRules` has both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from published_claims import taken
from published_measures import Measured

from cardwright.analysis.formulas import fairness, fairness_over, order

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from published_claims import Cells, Claim

    OwnFigure: TypeAlias = "Callable[[Claim, Cells], tuple[Measured, int] | None]"


@dataclass(frozen=True)
class MeasureDefinition:
    """How a measure is defined by those who published it, and here.

    `measures` are its names in claims. `function` computes it by their definition; its docstring,
    or that of its module, has formula and source. `ours` is empty if the definitions are the same,
    and then `own` is None; otherwise `own` gives our value and its number of games.
    """

    name: str
    measures: tuple[str, ...]
    theirs: str
    function: str
    ours: str = ""
    own: OwnFigure | None = None


def own_value(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    """Return a claim's number by our definition, and of how many games it is.

    None if that is the same definition, or if its games were not played.
    """
    definition = definition_of(claim)
    return None if definition.own is None else definition.own(claim, cells)


def definition_of(claim: Claim) -> MeasureDefinition:
    """Return the definition of a claim's measure; raises KeyError if there is none."""
    for one in DEFINITIONS:
        if any(claim.measure == name or _begins(claim, name) for name in one.measures):
            return one
    raise KeyError(claim.measure)


def _begins(claim: Claim, name: str) -> bool:
    return name.endswith(" ") and claim.measure.startswith(name)


def _shared(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    """Return the share of wins in which k winners have 1/k each."""
    bulk = claim.measure == "first wins"
    name = "first wins shared" if bulk else "shape first_seat_wins_shared"
    found = taken(replace(claim, measure=name), cells)
    return None if found is None else (found, cells[claim.cell].games)


def _order(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    wins = _shared(claim, cells)
    if wins is None:
        return None
    players = _players(claim)
    return Measured(*(float(order(win, players)) for win in wins[0])), wins[1]


def _fairness(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    wins = _shared(claim, cells)
    if wins is None:
        return None
    share, players = wins[0], _players(claim)
    ends = fairness_over(share.low, share.high, players)
    return Measured(float(fairness(share.value, players)), *map(float, ends)), wins[1]


def _players(claim: Claim) -> int:
    """Return the number of players of a claim's cell, which is called name-players-batch."""
    return int(claim.cell.split("-")[1])


def _spread(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    """Return the spread of the tables at which all think; None if the claim is of one batch."""
    if not claim.cell.endswith("-both"):
        return None
    return _other(claim, cells, f"{_game(claim)}-AA", claim.measure)


def _result(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    """Return drama or security of the winner by result."""
    name = "drama" if "drama" in claim.measure else "security"
    return _other(claim, cells, f"{_game(claim)}-AA-own", f"own {name}")


def _corrected(claim: Claim, cells: Cells) -> tuple[Measured, int] | None:
    name = claim.measure.removeprefix("engine ")
    return _other(claim, cells, f"{_game(claim)}-AA-own", f"corrected {name}")


def _game(claim: Claim) -> str:
    return "-".join(claim.cell.split("-")[:2])


def _other(claim: Claim, cells: Cells, cell: str, measure: str) -> tuple[Measured, int] | None:
    found = taken(replace(claim, cell=cell, measure=measure), cells)
    return None if found is None else (found, cells[cell].games)


PROGRAM = "drama, decisiveness and coolness of CardStock's program"
OWN_GAMES = ("drama", "security", PROGRAM)
"""Measures of which other figures are needed than those by their definitions."""
_ARTICLES = "cardwright.analysis.formulas"

DEFINITIONS = (
    MeasureDefinition(
        "wins",
        ("shape first_seat_wins", "first wins"),
        "share of games in which the first seat has the best score; a tie counts in full",
        f"{_ARTICLES}.first_seat_wins",
        "k winners have 1/k of a win each",
        _shared,
    ),
    MeasureDefinition(
        "order",
        ("articles order",),
        "ties in full: frequent ties give random players an order above 0",
        f"{_ARTICLES}.order",
        "ties shared as 1/k: 0 is a random player in a fair game",
        _order,
    ),
    MeasureDefinition(
        "fairness",
        ("articles fairness",),
        "ties in full: frequent ties make a fair game look unfair",
        f"{_ARTICLES}.fairness",
        "ties shared as 1/k",
        _fairness,
    ),
    MeasureDefinition(
        "spread",
        ("articles spread",),
        "mean of best less worst estimate over all decisions of AA and AR together",
        f"{_ARTICLES}.spread_terms",
        "AA alone; the same where one batch was published",
        _spread,
    ),
    MeasureDefinition(
        "drama",
        ("articles drama", "drama with equals"),
        "the winner is the seat that leads in the last lead vector",
        f"{_ARTICLES}.trailing",
        "the winner is the seat with the best result",
        _result,
    ),
    MeasureDefinition(
        "security",
        ("articles security", "security with equals"),
        "winner as for drama",
        f"{_ARTICLES}.trailing",
        "the winner is the seat with the best result",
        _result,
    ),
    MeasureDefinition(
        PROGRAM,
        ("engine drama", "engine decisiveness", "engine coolness"),
        "the winner's own estimates, θ = 0.5 for any P, all games pooled; decisiveness is high "
        "where games are decided late, coolness where estimates do not fall",
        "cardwright.analysis.formulas",
        "Browne's measures, adapted: the leader's lead over the winner; the share of the game left "
        "once the winner's estimate stays at 0.8 or above; the share of own estimates that fall",
        _corrected,
    ),
    MeasureDefinition(
        "convergence",
        ("articles convergence",),
        "with the least-squares slope of options by decision, forced ones included",
        f"{_ARTICLES}.convergence",
    ),
    MeasureDefinition(
        "decisions",
        ("shape decisions", "decisions", "longest of 100", "rounds of 64", "rounds of 64, "),
        "length: decisions of a game, forced ones included",
        "cardwright.analysis.formulas",
    ),
    MeasureDefinition(
        "options",
        (
            "shape branching",
            "branching",
            "forced",
            "shape forced",
            "widest of 100",
            "leader ",
            "others ",
            "free ",
            "broken ",
        ),
        "mean over all decisions of all games, forced ones included; by trick for its leader and "
        "the others",
        "cardwright.analysis.statistics.tricks",
    ),
    MeasureDefinition(
        "places and ties",
        (
            "place ",
            "shape shared_wins",
            "tied",
            "first wins shared",
            "shape first_seat_wins_shared",
        ),
        "from 1 (first) to 0 (last); ties share the better place",
        "cardwright.analysis.records.Traces",
    ),
    MeasureDefinition(
        "scores",
        ("score", "score ", "shape first_seat_score", "moon", "share of ", "winner's score",
         "loser's score"),
        "final scores; a moon is a score of -26 in a deal",
        "cardwright.analysis.statistics.Statistics",
    ),
    MeasureDefinition(
        "definitions",
        ("threshold ", "fairness of ", "order of ", "convergence of "),
        "values of the formulas, without games",
        f"{_ARTICLES}.threshold",
    ),
)  # fmt: skip
"""All measures of claims. An empty `ours` says that our definition is the same."""
