"""Solving a game: its tree is built, and an equilibrium is computed or approached."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from cardwright.extras import need
from cardwright.players.strategy import SAMPLED, load_strategy
from cardwright.solve.build import MOST_NODES, game_tree
from cardwright.solve.linear import solve_linear
from cardwright.solve.regret import RegretMethod, RegretMinimizer
from cardwright.solve.sampling import SampledRegret
from cardwright.solve.sequences import SequenceForm, exploitability
from cardwright.solve.strategies import arrays_of, save_strategy, strategy_of
from cardwright.solve.tree import SolveError, TreeTooLargeError, Utility, of_scores

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.game.game import Game
    from cardwright.players.strategy import Strategy

LOOK = 10
"""Iterations between two looks at the exploitability, where that decides when to stop."""

_DEALS = 1_000
"""Iterations of sampling between two reports of progress."""

_KEEP = 30.0
"""Seconds between two writings of an unfinished strategy."""


class SolveMethod(StrEnum):
    """How a game is solved: regret minimization, linear programs, or regrets of sampled deals."""

    CFR_PLUS = "cfr+"
    CFR = "cfr"
    LINEAR = "lp"
    SAMPLED = SAMPLED


class TellSolving(Protocol):
    """A callback that is told how much is done, of how much, and of what."""

    def __call__(self, done: int, total: int, label: str) -> object:
        """Show this progress."""


def labelled(progress: TellSolving | None, label: str) -> Callable[[int, int], object]:
    """Return a callback that is told how much is done, of how much; `label` says of what."""
    return lambda done, total: progress and progress(done, total, label)


def solve_game(
    game: Game,
    *,
    method: SolveMethod | str = SolveMethod.CFR_PLUS,
    iterations: int = 1000,
    until: float | None = None,
    utility: Utility | str = Utility.SCORE,
    most_nodes: int = MOST_NODES,
    seed: int = 0,
    file: Path | str | None = None,
    resume: bool = False,
    progress: TellSolving | None = None,
) -> Strategy:
    """Return a strategy of a small game, an equilibrium or near one in two-player zero-sum games.

    The method `mccfr` needs no tree: it plays deals drawn from `seed`, and its exploitability is
    not computed.

    Regret minimization runs so many `iterations`, or stops before that once the exploitability is
    at most `until`. `utility` is what seats want. With a `file` the strategy is written there, from
    time to time while it is not finished; `resume` goes on from what is there. Raises
    TreeTooLargeError for games with more than `most_nodes` nodes (by sampling, information sets),
    SolveError for what cannot be solved as asked, StrategyError for a file that is none,
    MissingExtraError if linear programs are asked for and scipy is not installed, and EngineError
    for sampling without the native engine.
    """
    method, utility = SolveMethod(method), Utility(utility)
    if method is SolveMethod.LINEAR:
        need("scipy")
    path = None if file is None else Path(file)
    if method is SolveMethod.SAMPLED:
        if until is not None:
            raise SolveError("sampling does not tell how exploitable a strategy is: give no target")
        if resume:
            raise SolveError("sampling is not resumed: it starts anew, with more iterations")
        solver = SampledRegret(game, utility, seed)
        _sample(solver, iterations, most_nodes, progress)
        found = solver.strategy()
    else:
        before = _before(game, path, method, utility) if resume else None
        form, scored = _forms(game, utility, most_nodes, progress)
        if method is SolveMethod.LINEAR:
            solved = solve_linear(form).strategies
            found = strategy_of(form, game, solved, scored, method=method, utility=utility)
        else:
            run = _Run(form, scored, game, utility, path)
            found = run.finish(RegretMethod(method), before, iterations, until, progress)
    if path is not None:
        save_strategy(found, path)
    return found


def _sample(
    solver: SampledRegret, iterations: int, most: int, progress: TellSolving | None
) -> None:
    """Run iterations of sampling; raises TreeTooLargeError for too many information sets."""
    while solver.iterations < iterations:
        solver.iterate(min(_DEALS, iterations - solver.iterations))
        if solver.information_sets > most:
            raise TreeTooLargeError(
                f"{most:,} information sets are allowed, and {solver.information_sets:,} were met "
                f"in {solver.iterations:,} iterations",
                most,
            )
        if progress is not None:
            progress(solver.iterations, iterations, "sampling")


def _forms(
    game: Game, utility: Utility, most_nodes: int, progress: TellSolving | None
) -> tuple[SequenceForm, SequenceForm]:
    """Return the game by what its seats want, and by its scores, of which more is better."""
    tell = labelled(progress, "building the tree")
    tree = game_tree(game, utility=Utility.SCORE, most_nodes=most_nodes, progress=tell)
    scored = SequenceForm.of(tree)
    if utility is Utility.SCORE:
        return scored, scored
    worth = np.zeros_like(tree.utilities)
    worth[tree.terminals] = of_scores(tree.utilities[tree.terminals], utility)
    return SequenceForm.of(replace(tree, utilities=worth)), scored


@dataclass(frozen=True)
class _Run:
    """A run of regret minimization, which keeps its strategy in a file if there is one."""

    form: SequenceForm
    scored: SequenceForm
    game: Game
    utility: Utility
    path: Path | None

    def finish(
        self,
        method: RegretMethod,
        before: Strategy | None,
        iterations: int,
        until: float | None,
        progress: TellSolving | None,
    ) -> Strategy:
        """Go on from an earlier strategy to so many iterations in all; return the average one."""
        solver, kept = RegretMinimizer(self.form, method), time.monotonic()
        if before is not None:
            regrets, weights = (arrays_of(self.form, before, one) for one in ("regret", "weight"))
            solver.resume(before.iterations, regrets, weights)
        whole = solver.copy()
        try:
            while solver.iterations < iterations and not self._good(solver, until):
                solver.iterate(min(iterations, solver.iterations + LOOK) - solver.iterations)
                whole = solver.copy()
                if progress is not None:
                    progress(solver.iterations, iterations, "iterating")
                if time.monotonic() - kept > _KEEP:
                    self._save(whole)
                    kept = time.monotonic()
        except BaseException:
            self._save(whole)  # an interrupted iteration counts for nothing
            raise
        return self._strategy(solver)

    def _save(self, solver: RegretMinimizer) -> None:
        if self.path is not None and solver.iterations:
            save_strategy(self._strategy(solver), self.path)

    def _good(self, solver: RegretMinimizer, until: float | None) -> bool:
        """Say whether the average strategy is good enough."""
        if until is None or not solver.iterations:
            return False
        return exploitability(self.form, solver.average()).per_seat <= until

    def _strategy(self, solver: RegretMinimizer) -> Strategy:
        return strategy_of(
            self.form, self.game, solver.average(), self.scored,
            method=solver.method, utility=self.utility, iterations=solver.iterations,
            regrets=solver.regrets, weights=solver.sums,
        )  # fmt: skip


def _before(
    game: Game, path: Path | None, method: SolveMethod, utility: Utility
) -> Strategy | None:
    """Return the strategy to go on from, if there is one; raises SolveError if it does not fit."""
    if path is None:
        raise SolveError("to resume, name the file of the strategy that is to go on")
    if method is SolveMethod.LINEAR:
        raise SolveError("a linear program has nothing to resume: it is solved in one go")
    if not path.exists():
        return None
    found = load_strategy(path)
    wanted = {"digest": game.program.digest, "method": str(method), "utility": str(utility)}
    for name, value in wanted.items():
        if getattr(found, name) != value:
            what = "game" if name == "digest" else name
            raise SolveError(
                f"{path} cannot be resumed: it is of another {what}"
                + ("" if name == "digest" else f", {getattr(found, name)}, and not {value}")
            )
    return found
