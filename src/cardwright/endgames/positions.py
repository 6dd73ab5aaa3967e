"""Small endgames of any game, solved by looking at all their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.endgames.errors import EndgameError
from cardwright.program.cards import Seat

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from cardwright.game.game import State

MOST_POSITIONS = 20_000
"""Positions that are looked at most, which takes some seconds."""

_Found = tuple[int, ...]


def solve_positions(
    state: State, most: int, why: str = "", *, every_option: bool = False
) -> tuple[_Found, _Found, tuple[_Found, ...], tuple[tuple[Seat, ...], ...], int]:
    """Return the scores by best play, the line, the scores by options, the sides and the nodes.

    `why` says why this is no trick game. Raises EndgameError for more than `most` positions, and
    where chance decides something.
    """
    if state.seed is not None and state.chance is None:
        # The native engine may leave a shuffle for later; here all is shuffled at once.
        state = state.game.with_engine("interpreter").replay(state.seed, state.choices)
    search = _Positions(state, most, why)
    scores = search.best(state.copy())[0]
    line: list[int] = []
    at = state.copy()
    while at.player is not None:
        chosen = search.best(at)[1]
        line.append(chosen)
        at.play(chosen)
    if at.scores != scores:
        raise EndgameError("the solution of the endgame contradicts itself: please report this")
    options = []
    for index in range(state.option_count if every_option else 0):
        after = state.copy()
        after.play(index)
        options.append(search.best(after)[0])
    seats = [Seat(seat) for seat in range(state.game.players)]
    rows = [[found[seat] for found in search.ends] for seat in seats]
    groups: dict[tuple[int, ...], list[Seat]] = {}
    for seat in seats:
        groups.setdefault(tuple(rows[seat]), []).append(seat)
    sides = tuple(tuple(group) for group in groups.values())
    return scores, tuple(line), tuple(options), sides, len(search.known)


class _Positions:
    """A search of all positions; what was found is kept by position."""

    def __init__(self, state: State, most: int, why: str) -> None:
        self.known: dict[Hashable, tuple[_Found, int]] = {}
        self.ends: set[_Found] = set()
        self._most, self._why = most, why
        self._chance = _random(state)
        self._sign = 1 if state.game.highest_wins else -1

    def best(self, state: State) -> tuple[_Found, int]:
        """Return the scores by best play from a state, and the option; -1 at the end."""
        if state.chance is not None or _random(state) != self._chance:
            raise EndgameError(f"chance still decides something{self._but()}")
        seat = state.player
        if seat is None:
            self.ends.add(state.scores)
            return state.scores, -1
        key = state.position()
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= self._most:
                raise EndgameError(
                    f"the endgame is too large: it has more than {self._most:,} positions"
                    f"{self._but()}"
                )
            self.known[key] = (), -1  # its place is taken
            results = []
            for index in range(state.option_count):
                after = state.copy()
                after.play(index)
                results.append(self.best(after)[0])
            chosen = max(range(len(results)), key=lambda at: self._for(seat, results[at]))
            found = self.known[key] = results[chosen], chosen
        elif found[1] < 0:
            raise EndgameError(f"play may come back to where it was{self._but()}")
        return found

    def _for(self, seat: int, scores: Sequence[int]) -> tuple[int, ...]:
        """Return what a seat wants the most of."""
        own, *others = [self._sign * score for score in (*scores[seat:], *scores[:seat])]
        return own, *(-score for score in others)

    def _but(self) -> str:
        return f", and it is not solved as a trick game: {self._why}" if self._why else ""


def _random(state: State) -> object:
    """Return what the draws of a state will be made from."""
    return tuple(state._board.world().stream.words)
