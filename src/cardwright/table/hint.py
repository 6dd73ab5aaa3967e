"""Hints: what a searching player would do in the person's place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.described_option import DescribedOption
    from cardwright.game.flat import FlatTable
    from cardwright.game.search import SearchResult


class HintError(CardwrightError):
    """There is no hint; the message says why."""


@dataclass(frozen=True)
class Hint:
    """The option that a player advises, in words, and its estimates of the options it tried.

    `rows` has the words and estimates of options, best first. Estimates are those that the player
    itself uses, from 0 (bad) to 1 (good); None where it has none: see the reward of the player
    (docs/players.md).
    """

    index: int
    words: str
    rows: tuple[tuple[str, float | None], ...]


@dataclass(frozen=True)
class ObservedDecision(Decision):
    """A decision that keeps the results of the player's search for every option."""

    found: list[tuple[float | None, ...]] = field(default_factory=list, repr=False, compare=False)

    def search(self, *args: Any, **settings: Any) -> SearchResult:
        """Search like any decision, and keep the mean reward of each option tried."""
        found = super().search(*args, **settings)
        self.found.append(
            tuple(option.mean(self.seat) if option.visits else None for option in found.options)
        )
        return found

    def flat(self, *args: Any, **settings: Any) -> FlatTable:
        """Try options like any decision, and keep the worth of their mean ranks."""
        table = super().flat(*args, **settings)
        others = self.game.players - 1
        if others:
            ranks = table.ranks(self.seat)
            worth = (None if rank is None else (others - rank) / others for rank in ranks)
            self.found.append(tuple(worth))
        return table


def hint_of(index: int, decision: ObservedDecision, choices: Sequence[DescribedOption]) -> Hint:
    """Return the advice of a player that chose an option; that option comes first.

    Raises HintError if there is no such option.
    """
    if not 0 <= index < len(choices):
        raise HintError(
            f"the player for hints chose option {index}; they are numbered 0 to "
            f"{len(choices) - 1}: ask another with --hint"
        )
    estimates: Sequence[float | None] = decision.found[-1] if decision.found else ()
    if not estimates:
        best = decision.notes[-1].best if decision.notes else None
        return Hint(index, choices[index].words, ((choices[index].words, best),))
    tried = [at for at, value in enumerate(estimates) if value is not None or at == index]
    tried.sort(key=lambda at: (at != index, -(estimates[at] or 0), at))
    rows = tuple((choices[at].words, estimates[at]) for at in tried)
    return Hint(index, choices[index].words, rows)
