"""Thinkers: the computer players of a table in this process, on a state of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.arena.entrants import parse_spec
from cardwright.game.errors import IllegalOptionError
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision, guarded_answer
from cardwright.table.estimates import HintError, JudgedDecision, hint_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game, State
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.players.kind import Trust
    from cardwright.players.player import Player
    from cardwright.table.estimates import Hint
    from cardwright.table.setup import TableSetup


class FollowedGame:
    """A game whose `state` follows the choices of a table."""

    def __init__(self, game: Game, seed: int) -> None:
        self._game = game
        self._seed = seed
        self.state: State = game.start(seed)

    def follow(self, choices: Sequence[int]) -> bool:
        """Bring the state to where the table is after these choices.

        Returns whether some were taken back, so that the game had to begin again: the state until
        then is left as it is, as a player may still use it.
        """
        made = self.state.choices
        undone = list(choices[: len(made)]) != made
        if undone:
            self.state = self._game.start(self._seed)
            made = self.state.choices
        for choice in choices[len(made) :]:
            self.state.play(choice)
        return undone


class Thinker:
    """Decides for the computer players of a table, whose choices its own state follows.

    Every decision of a player has its own stream (`Stream.of_decision`), determined by the seat and
    the index among the seat's decisions. So the game is that of `referee_game(..., paired=True)`,
    and players draw the same numbers after moves are undone or a saved game is resumed. Players are
    recreated then: those with memory (`reuse`) lose it, which may change what they do afterwards;
    all others continue as if nothing had happened. Players limited by time are not reproducible.
    `trust` is that in the texts of the setup. Raises PlayerSpecError for a wrong player.
    """

    def __init__(self, game: Game, setup: TableSetup, names: Sequence[str], trust: Trust) -> None:
        self._followed = FollowedGame(game.late(), setup.seed)
        self._seed = setup.seed
        self._names = names
        self._specs = [
            parse_spec(seat.player, trust) if seat.kind == "computer" else None
            for seat in setup.seats
        ]
        self._hint = parse_spec(setup.hint, trust)
        self._hint.build()  # what cannot be made is told now, not when a hint is asked for
        self._players = self._seated()

    def _seated(self) -> list[Player | None]:
        return [None if spec is None else spec.build() for spec in self._specs]

    def _follow(self, choices: Sequence[int]) -> State:
        """Return the state after these choices."""
        if self._followed.follow(choices):
            self._players = self._seated()
        return self._followed.state

    def decide(self, choices: Sequence[int], ordinal: int) -> int:
        """Return the option that the player which is due chooses, which may take long.

        Raises IllegalOptionError for an invalid answer, and PlayerFailedError, or another
        CardwrightError, if the player fails.
        """
        state = self._follow(choices)
        seat = state.player
        player = None if seat is None else self._players[seat]
        assert seat is not None
        assert player is not None
        stream = Stream.of_decision(self._seed, seat, ordinal)
        decision = Decision(seat, state.option_count, stream, state, len(choices))
        return guarded_answer(player, decision, self._names[seat])

    def hint(
        self, choices: Sequence[int], ordinal: int, options: Sequence[DescribedOption]
    ) -> Hint:
        """Ask the player for hints, which decides as it would in the seat that is due.

        Raises HintError for an invalid answer, and PlayerFailedError, or another CardwrightError,
        if the player fails.
        """
        state = self._follow(choices).copy()
        seat = state.player
        assert seat is not None
        stream = Stream.of_decision(self._seed, seat, ordinal)
        player = self._hint.build()
        decision = JudgedDecision.by(
            player, Decision(seat, state.option_count, stream, state, len(choices))
        )
        name = f"the player for hints, {self._hint},"
        try:
            return hint_of(guarded_answer(player, decision, name), decision, options)
        except IllegalOptionError as error:
            raise HintError(f"{error}: ask another with --hint") from None
