"""The referee: plays games between players and records what happened."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.seeds import game_seed
from cardwright.interpreter.stream import Stream, checked
from cardwright.players.player import Decision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import SupportsIndex

    from cardwright.game.game import Game, State
    from cardwright.players.player import Player
    from cardwright.program.cards import Seat

Choice: TypeAlias = "tuple[Seat, int, int]"
"""A decision as recorded: who decided, between how many options, and the index chosen."""


@dataclass(frozen=True, slots=True)
class GameRecord:
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

    @property
    def wins(self) -> tuple[float, ...]:
        """For every seat, its share of the win: each of w winners has 1/w."""
        winners = self.ranks.count(0)
        return tuple(0.0 if rank else 1 / winners for rank in self.ranks)

    def _repr_html_(self) -> str:
        from cardwright.arena.displays import record_html

        return record_html(self)


def referee_game(
    game: Game,
    seed: SupportsIndex,
    players: Sequence[Player],
    chances: int | None = None,
    *,
    paired: bool = False,
) -> GameRecord:
    """Play a game from its seed, with a player for each seat.

    Each seat draws from a stream of its own (`Stream.of_seat`). These come from `chances`, a 64-bit
    seed, or by default from the game's seed: so the same cards can be played with other draws. With
    `paired` each decision has a stream of its own (`Stream.of_decision`): in two games that differ
    in what one player does, all others make the same draws at their n-th decisions. The record's
    choices replay the game whatever the players drew. Raises IllegalOptionError if a player answers
    with an option that does not exist.
    """
    if len(players) != game.players:
        raise ValueError(f"{game.players} players are needed, not {len(players)}")
    decisions: list[Choice] = []
    seed = game_seed(seed)
    own = seed if chances is None else checked(chances, "the seed of the players' chances")
    try:
        state = game.start(seed)
        drawn = _by_decision(own, len(players)) if paired else _by_seat(own, len(players))
        _play_out(state, drawn, players, decisions)
    except GameError as error:
        return GameRecord(seed, tuple(decisions), (), (), str(error))
    return GameRecord(seed, tuple(decisions), state.scores, state.ranks)


def _by_seat(chances: int, seats: int) -> Callable[[Seat], Stream]:
    """Return a function from a seat to its stream for the current decision: always the same one."""
    streams = [Stream.of_seat(chances, seat) for seat in range(seats)]
    return streams.__getitem__


def _by_decision(chances: int, seats: int) -> Callable[[Seat], Stream]:
    """Return a function from a seat to its stream for the current decision: a new one each time."""
    ordinals = [count() for _ in range(seats)]
    return lambda seat: Stream.of_decision(chances, seat, next(ordinals[seat]))


def _play_out(
    state: State,
    stream_of: Callable[[Seat], Stream],
    players: Sequence[Player],
    decisions: list[Choice],
) -> None:
    """Play a state to its end; every choice is recorded before it can break a rule."""
    while (seat := state.player) is not None:
        options = state.option_count
        decision = Decision(seat, options, stream_of(seat), state, len(decisions))
        chosen = players[seat].choose(decision)
        if not 0 <= chosen < options:
            raise IllegalOptionError(
                f"the player of p{seat + 1} chose option {chosen}; they are numbered 0 to "
                f"{options - 1} in decision {len(decisions) + 1} of seed {state.seed}"
            )
        decisions.append((seat, options, chosen))
        state.play(chosen)
