"""Opponents of a vector environment: who plays the other seats of many games side by side.

`random` and, in Hearts, `rule` and hierarchies are played by machine code. A policy is called once
for all games that wait for it. Other players see their games as states, which are played alongside.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from cardwright.envs.opponents import ArrayPolicy, OtherSeats
from cardwright.game.errors import GameError
from cardwright.hearts.hierarchy import HierarchyError
from cardwright.hearts.native import BatchPlayers, native_player_of, unsuited
from cardwright.players.kind import Loads
from cardwright.players.spec import PlayerSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cardwright.envs.opponents import Entrant, Maker
    from cardwright.game.game import Game, State
    from cardwright.game.native.batch import Batch, Integers, Truths
    from cardwright.hearts.native import NativePlayer


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
        native = {seat: player for seat, maker in makers.items() if (player := _native(maker))}
        at_random = [seat for seat, player in native.items() if player == "random"]
        listed = {seat: player for seat, player in native.items() if player != "random"}
        self._add(at_random, lambda where: batch.random_step(streams, where=where))
        machine = _machine(batch.game, listed)
        if machine is not None:
            self._add(listed, partial(machine.step, batch, streams))
        known = at_random if machine is None else native.keys()
        left = {seat: maker for seat, maker in makers.items() if seat not in known}
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


def _native(maker: Maker) -> NativePlayer | None:
    """Return how machine code plays a player; None for one that it does not know.

    What makes players in Python may make another for every game.
    """
    if not isinstance(maker, PlayerSpec) or maker.loads is Loads.PROGRAM:
        return None
    return native_player_of(maker())


def _machine(game: Game, seats: Mapping[int, NativePlayer]) -> BatchPlayers | None:
    """Return the machine code for hierarchies at some seats; None if it cannot play them."""
    if not seats or unsuited(game) is not None:
        return None
    try:
        return BatchPlayers(game, seats)
    except HierarchyError:  # there are steps that only Python knows
        return None


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
