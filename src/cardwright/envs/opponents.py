"""Opponents: what plays the other seats of an environment for one agent."""

from __future__ import annotations

import inspect
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cardwright.envs.games import observed
from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.hearts import kinds as _hearts  # noqa: F401 - it registers the players of Hearts
from cardwright.hearts.hierarchy import HierarchyError
from cardwright.hearts.native import BatchPlayers, native_player_of, unsuited
from cardwright.interpreter.stream import Stream
from cardwright.players.kind import FULL_TRUST, Loads, PlayerSpecError, seated
from cardwright.players.player import Decision, Player, checked_answer
from cardwright.players.spec import PlayerSpec, parse_specs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.game.actions.observation import ObservationLayout
    from cardwright.game.game import Game, State
    from cardwright.game.native.batch import Batch, Integers, Truths

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
    for opponent in listed:
        if isinstance(opponent, str):
            entrants += parse_specs(opponent, FULL_TRUST)
        else:
            entrants.append(_entrant(opponent))  # type: ignore[arg-type]
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
    name = getattr(opponent, "__name__", repr(opponent))
    return lambda: seated(opponent(), name)  # type: ignore[call-arg]


def _needs_arguments(function: Callable[..., Any]) -> bool:
    try:
        inspect.signature(function).bind()
    except TypeError:
        return True
    except ValueError:  # it is not known what it takes
        return False
    return False


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
                state.play(self.choice(state))

    def choice(self, state: State) -> int:
        """Return the option that the player of the seat to decide chooses; it is no policy."""
        seat, count = state.player, state.option_count
        assert seat is not None
        player = self._players[seat]
        assert not isinstance(player, ArrayPolicy)
        decision = Decision(seat, count, self._streams[seat], state, len(state.choices))
        return checked_answer(player, decision, f"the opponent at seat {seat}")


class VectorOpponents:
    """What plays some seats in all games of a batch; the other seats are the learner's."""

    def __init__(self, batch: Batch, entrants: Mapping[int, Entrant]) -> None:
        self._batch = batch
        self._streams = batch.seat_streams(0)
        self._ours = self._seats(entrants)
        self._groups: list[tuple[Truths, Callable[[Truths], Integers]]] = []
        self._states: _States | None = None
        policies: dict[int, list[int]] = {}
        others: dict[int, Maker] = {}
        for seat, entrant in entrants.items():
            if isinstance(entrant, ArrayPolicy):
                policies.setdefault(id(entrant.policy), []).append(seat)
            else:
                others[seat] = entrant
        for seats in policies.values():
            self._add(seats, self._by_policy(entrants[seats[0]]))  # type: ignore[arg-type]
        self._add_players(others)

    def _add_players(self, makers: dict[int, Maker]) -> None:
        batch, streams = self._batch, self._streams
        native = {  # what makes players in Python may make another for every game
            seat: player
            for seat, maker in makers.items()
            if isinstance(maker, PlayerSpec) and maker.loads is not Loads.PROGRAM
            if (player := native_player_of(maker())) is not None
        }
        at_random = [seat for seat, player in native.items() if player == "random"]
        listed = {seat: player for seat, player in native.items() if player != "random"}
        self._add(at_random, lambda where: batch.random_step(streams, where=where))
        if listed and unsuited(batch.game) is None:
            with suppress(HierarchyError):  # there are steps that only Python knows
                self._add(listed, partial(BatchPlayers(batch.game, listed).step, batch, streams))
                at_random += listed
        left = {seat: maker for seat, maker in makers.items() if seat not in at_random}
        if left:
            self._states = _States(batch.game, left, len(batch))
            self._add(left, self._by_state)

    def _add(self, seats: Iterable[int], play: Callable[[Truths], Integers]) -> None:
        """Add what plays some seats, where it is told to, and returns the choices, -1 elsewhere."""
        which = self._seats(seats)
        if which.any():
            self._groups.append((which, play))

    def _seats(self, seats: Iterable[int]) -> Truths:
        """Return which seats are some of these; the last is what the seat -1 finds."""
        which = np.zeros(self._batch.game.players + 1, np.bool_)
        which[list(seats)] = True
        return which

    def start(self, which: Truths, seeds: Sequence[int]) -> None:
        """Seat new players where games have been started."""
        self._streams[which] = self._batch.seat_streams(seeds)
        if self._states is not None:
            self._states.start(which, seeds)

    def follow(self, choices: Integers) -> None:
        """Take note of choices of the learner that have been played; -1 is none."""
        if self._states is not None:
            self._states.follow(choices)

    def play(self) -> None:
        """Play on in every game until the learner has to decide, or the game is over."""
        players = self._batch.players
        while self._ours[players].any():
            for which, play in self._groups:
                where = which[players]
                if where.any():
                    self.follow(play(where))
                    players = self._batch.players

    def _by_policy(self, entrant: ArrayPolicy) -> Callable[[Truths], Integers]:
        batch = self._batch
        # Written over in every round: to get the memory of new arrays of this size takes time.
        seen = np.empty((len(batch), batch.observation.size), np.float32)
        legal = np.empty((len(batch), len(batch.game.actions)), np.bool_)

        def play(where: Truths) -> Integers:
            actions = np.zeros(len(where), np.int64)
            masks = batch.action_mask(legal)[where].view(np.int8)
            actions[where] = entrant.actions(batch.observe(out=seen)[where], masks)
            return batch.step_actions(actions, where=where)

        return play

    def _by_state(self, where: Truths) -> Integers:
        assert self._states is not None
        choices = self._states.choices(where)
        self._batch.step(choices, where=where)
        return choices


class _States:
    """The games as states, for players that see them so."""

    def __init__(self, game: Game, makers: Mapping[int, Maker], games: int) -> None:
        self._game = game
        self._makers = makers
        self._tables: list[tuple[State, OtherSeats] | None] = [None] * games

    def start(self, which: Truths, seeds: Sequence[int]) -> None:
        """Start games anew, with new players."""
        for at, seed in zip(np.flatnonzero(which).tolist(), seeds, strict=True):
            try:
                others = OtherSeats(self._makers, seed, self._game.observation)
                self._tables[at] = self._game.start(seed), others
            except GameError:  # the batch has it
                self._tables[at] = None

    def choices(self, where: Truths) -> Integers:
        """Return the choices of the players that have to decide in some games, -1 in others."""
        choices = np.full(len(where), -1, np.int64)
        for at in np.flatnonzero(where).tolist():
            table = self._tables[at]
            assert table is not None
            state, players = table
            choices[at] = players.choice(state)
        return choices

    def follow(self, choices: Integers) -> None:
        """Play the choices, which the batch has played."""
        for at in np.flatnonzero(choices >= 0).tolist():
            table = self._tables[at]
            assert table is not None
            try:
                table[0].play(int(choices[at]))
            except GameError:  # the batch has it
                self._tables[at] = None
