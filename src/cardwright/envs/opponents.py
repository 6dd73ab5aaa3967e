"""Opponents: what plays the other seats of an environment for one agent."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.envs.games import observed
from cardwright.game.errors import IllegalOptionError
from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import FULL_TRUST, PlayerSpecError, seated
from cardwright.players.player import Decision, Player
from cardwright.players.spec import PlayerSpec, parse_specs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.game import State
    from cardwright.program.cards import Seat

Policy: TypeAlias = "Callable[[np.ndarray[Any, Any], np.ndarray[Any, Any]], Any]"
"""A frozen policy: from observations (decisions x columns) and masks (decisions x actions) to an
action for each decision."""

Maker: TypeAlias = "Callable[[], Player]"

OpponentLike: TypeAlias = "str | PlayerSpec | Maker | Policy"
"""A player as a text, such as `rule` or `ismcts:iterations=500`, what makes one, or a policy: a
function that cannot be called without arguments."""

Opponents: TypeAlias = "OpponentLike | Sequence[OpponentLike]"
"""One player for all other seats, or one for each; a text may name several, with commas."""


@dataclass(frozen=True)
class ArrayPolicy:
    """An opponent that is a function on arrays."""

    policy: Policy

    def actions(
        self, observations: np.ndarray[Any, Any], masks: np.ndarray[Any, Any]
    ) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Return an action for each row of observations and masks.

        Raises ValueError for another number of them, or for what are no integers, and
        IllegalOptionError for one that its mask does not allow.
        """
        given = np.asarray(self.policy(observations, masks))
        if given.shape != masks.shape[:1] or given.dtype.kind not in "iu":
            raise ValueError(
                f"the opponents' policy has to give {len(masks)} integers, one for each decision,"
                f" not {given.dtype} of shape {given.shape}"
            )
        inside = (given >= 0) & (given < masks.shape[1])
        legal = inside & (masks[np.arange(len(masks)), np.where(inside, given, 0)] > 0)
        if not legal.all():
            raise IllegalOptionError(
                f"the opponents' policy chose action {given[~legal][0]}, which is not legal: the"
                " masks say which are"
            )
        return given.astype(np.int64)


Entrant: TypeAlias = "Maker | ArrayPolicy"
"""What plays a seat: a maker of players, one for each game, or a policy for all games."""


def opponents_of(opponents: Opponents, seats: int) -> tuple[Entrant, ...]:
    """Return what plays each of so many seats beside the learner's, in order.

    Raises PlayerSpecError for what is no player, and ValueError for a wrong number of them.
    """
    single = isinstance(opponents, str | PlayerSpec) or callable(opponents)
    listed = [opponents] if single else list(opponents)  # type: ignore[arg-type]
    entrants: list[Entrant] = []
    for one in listed:
        if isinstance(one, str):
            entrants += parse_specs(one, FULL_TRUST)
        else:
            entrants.append(_entrant(one))  # type: ignore[arg-type]
    for entrant in entrants:
        if not isinstance(entrant, ArrayPolicy):
            entrant()  # what cannot be made is told now, not in the middle of a game
    if len(entrants) == 1:
        return tuple(entrants * seats)
    if len(entrants) != seats:
        raise ValueError(f"{seats} opponents are needed, or one for all seats, not {len(entrants)}")
    return tuple(entrants)


def beside(learner: int, entrants: Sequence[Entrant]) -> dict[int, Entrant]:
    """Return the opponents by their seats: all but the learner's, in order."""
    seats = [seat for seat in range(len(entrants) + 1) if seat != learner]
    return dict(zip(seats, entrants, strict=True))


def _entrant(opponent: PlayerSpec | Maker | Policy) -> Entrant:
    if isinstance(opponent, PlayerSpec):
        return opponent
    if not callable(opponent):
        raise PlayerSpecError(
            "an opponent is a player as a text, a class or a function that makes one, or a policy,"
            f" not a {type(opponent).__name__}"
        )
    if not isinstance(opponent, type) and _needs_arguments(opponent):
        return ArrayPolicy(opponent)  # type: ignore[arg-type]
    return _own(opponent)  # type: ignore[arg-type]


def _needs_arguments(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return True
    except ValueError:  # it is not known what it takes
        return False
    return False


def _own(make: Maker) -> Maker:
    """Return what makes a player of the caller's own, seated as players of files are."""
    return lambda: seated(make(), getattr(make, "__name__", repr(make)))


class OtherSeats:
    """The players of one game at some of its seats, with a random stream for each.

    Policies observe by a layout.
    """

    def __init__(
        self, entrants: Mapping[int, Entrant], seed: int, layout: ObservationLayout
    ) -> None:
        self._layout = layout
        self._players = {
            seat: entrant if isinstance(entrant, ArrayPolicy) else entrant()
            for seat, entrant in entrants.items()
        }
        self._streams = {seat: Stream.of_seat(seed, seat) for seat in entrants}

    def play(self, state: State) -> None:
        """Play on until another seat has to decide or the game is over; raises GameError."""
        while (seat := state.player) is not None and seat in self._players:
            player = self._players[seat]
            if isinstance(player, ArrayPolicy):
                seen = observed(state, seat, self._layout)
                rows = seen["observation"][None], seen["action_mask"][None]
                state.play_action(int(player.actions(*rows)[0]))
            else:
                state.play(self._choice(state, player, seat))

    def choice(self, state: State) -> int:
        """Return the option that the player of the seat to decide chooses; it is no policy."""
        seat = state.player
        assert seat is not None
        player = self._players[seat]
        assert not isinstance(player, ArrayPolicy)
        return self._choice(state, player, seat)

    def _choice(self, state: State, player: Player, seat: Seat) -> int:
        count, made = state.option_count, len(state.choices)
        chosen = player.choose(Decision(seat, count, self._streams[seat], state, made))
        if not 0 <= chosen < count:
            raise IllegalOptionError(
                f"the opponent at seat {seat} chose option {chosen}; they are numbered 0 to"
                f" {count - 1}"
            )
        return chosen
