"""The referee: plays games between players and writes down what happened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.interpreter.stream import Stream
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game
    from cardwright.game.state import State
    from cardwright.players.player import Player
    from cardwright.program.cards import Seat

Choice: TypeAlias = "tuple[Seat, int, int]"
"""A decision as recorded: who decided, between how many options, and the index chosen."""


@dataclass(frozen=True, slots=True)
class Record:
    """What happened in one game.

    A game that broke a rule of the language has the message in `error`, the decisions until then,
    and no scores and ranks.
    """

    seed: int
    decisions: tuple[Choice, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    error: str | None = None

    @property
    def choices(self) -> tuple[int, ...]:
        """The indices chosen, which replay the game from its seed."""
        return tuple(chosen for _, _, chosen in self.decisions)


def play_game(
    game: Game, seed: int, players: Sequence[Player], chances: int | None = None
) -> Record:
    """Play a game from its seed, with a player for each seat.

    Each seat draws from a stream of its own (`Stream.of_seat`). These come from `chances`, a seed
    of 64 bits, or from the game's if it is not given: so the same cards can be played with other
    draws. The record's choices replay the game whatever the players drew. Raises IllegalOptionError
    if a player answers with an option that does not exist.
    """
    if len(players) != game.players:
        raise ValueError(f"{game.players} players are needed, not {len(players)}")
    decisions: list[Choice] = []
    try:
        state = game.start(seed)
        own = seed if chances is None else chances
        streams = [Stream.of_seat(own, seat) for seat in range(len(players))]
        _play_out(state, streams, players, decisions)
    except GameError as error:
        return Record(seed, tuple(decisions), (), (), str(error))
    return Record(seed, tuple(decisions), state.scores, state.ranks)


def _play_out(
    state: State, streams: Sequence[Stream], players: Sequence[Player], decisions: list[Choice]
) -> None:
    """Play a state to its end; every choice is noted before it can break a rule."""
    while (seat := state.player) is not None:
        count = state.option_count
        chosen = players[seat].choose(Decision(seat, count, streams[seat], state, len(decisions)))
        if not 0 <= chosen < count:
            raise IllegalOptionError(
                f"the player of p{seat + 1} chose option {chosen}; they are numbered 0 to "
                f"{count - 1} in decision {len(decisions) + 1} of seed {state.seed}"
            )
        decisions.append((seat, count, chosen))
        state.play(chosen)
