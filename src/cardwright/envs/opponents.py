"""Opponents: what plays the other seats of an environment for one agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import IllegalOptionError
from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.interpreter.stream import Stream
from cardwright.players.foreign import seated
from cardwright.players.player import Decision
from cardwright.players.spec import PlayerSpec, parse_specs
from cardwright.players.trust import FULL_TRUST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cardwright.game.state import State
    from cardwright.players.player import Player
    from cardwright.program.cards import Seat

OpponentLike: TypeAlias = "str | PlayerSpec | Callable[[], Player]"
"""A player as a text, such as `rule` or `ismcts:iterations=500`, or what makes one."""

Opponents: TypeAlias = "OpponentLike | Sequence[OpponentLike]"
"""One player for all other seats, or one for each; a text may name several, with commas."""

Maker: TypeAlias = "Callable[[], Player]"


def makers_of(opponents: Opponents, seats: int) -> tuple[Maker, ...]:
    """Return what makes the player of each other seat, in order.

    Raises PlayerSpecError for what is no player, and ValueError for a wrong number of them.
    """
    single = isinstance(opponents, str | PlayerSpec) or callable(opponents)
    listed = [opponents] if single else list(opponents)  # type: ignore[arg-type]
    makers: list[Maker] = []
    for one in listed:
        if isinstance(one, str):
            makers += parse_specs(one, FULL_TRUST)
        else:
            makers.append(one if isinstance(one, PlayerSpec) else _own(one))  # type: ignore[arg-type]
    for maker in makers:
        maker()  # what cannot be made is told now, not in the middle of a game
    if len(makers) == 1:
        return tuple(makers * seats)
    if len(makers) != seats:
        raise ValueError(f"{seats} opponents are needed, or one for all seats, not {len(makers)}")
    return tuple(makers)


def _own(make: Callable[[], Player]) -> Maker:
    """Return what makes a player of the caller's own, seated as players of files are."""
    return lambda: seated(make(), getattr(make, "__name__", repr(make)))


class OtherSeats:
    """The players of one game at all seats but the learner's, with a random stream for each."""

    def __init__(self, makers: Sequence[Maker], learner: int, seed: int) -> None:
        self._learner = learner
        seats = [seat for seat in range(len(makers) + 1) if seat != learner]
        self._players = {seat: make() for seat, make in zip(seats, makers, strict=True)}
        self._streams = {seat: Stream.of_seat(seed, seat) for seat in seats}

    def play(self, state: State) -> None:
        """Play on until the learner has to decide or the game is over; raises GameError."""
        while (seat := state.player) is not None and seat != self._learner:
            state.play(self._choice(state, seat))

    def _choice(self, state: State, seat: Seat) -> int:
        count, made = state.option_count, len(state.choices)
        decision = Decision(seat, count, self._streams[seat], state, made)
        chosen = self._players[seat].choose(decision)
        if not 0 <= chosen < count:
            raise IllegalOptionError(
                f"the opponent at seat {seat} chose option {chosen}; they are numbered 0 to"
                f" {count - 1}"
            )
        return chosen
