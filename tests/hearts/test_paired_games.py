"""Games in which every decision has a stream of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hierarchy_games import game_of
from hypothesis import given, settings, strategies as st

from cardwright import Stream
from cardwright.arena.referee import referee_game
from cardwright.hearts.rule import FirstPlayer, LowestPlayer, RulePlayer
from cardwright.players.player import RandomPlayer
from deep import usually

if TYPE_CHECKING:
    from cardwright.players.player import Decision, Player

SEEDS = st.integers(0, 2**64 - 1)


@dataclass
class Drawing:
    """Plays at random, and keeps what it draws at each of its decisions."""

    drawn: list[int] = field(default_factory=list)

    def choose(self, decision: Decision) -> int:
        before = decision.stream.copy()
        self.drawn.append(before.next())
        return decision.stream.below(decision.option_count)


@dataclass
class Wasteful(RandomPlayer):
    """Plays at random after having drawn this often for nothing."""

    often: int

    def choose(self, decision: Decision) -> int:
        for _ in range(self.often):
            decision.stream.next()
        return super().choose(decision)


def test_the_law_of_a_decision() -> None:
    seat = Stream.of_seat(77, 2)
    assert Stream.of_decision(77, 2, 5).words == Stream.of_seat(seat.next(), 5).words


@given(SEEDS)
def test_every_decision_has_a_stream_of_its_own(seed: int) -> None:
    """In particular the third of seat 1 is not the first of seat 3."""
    streams = [Stream.of_decision(seed, seat, at).words for seat in range(6) for at in range(20)]
    assert len(set(streams)) == len(streams)


@settings(max_examples=usually(4, 25))
@given(
    SEEDS,
    SEEDS,
    st.sampled_from([RulePlayer(), FirstPlayer(), LowestPlayer(), Wasteful(1), Wasteful(3)]),
    st.sampled_from(["as it stands", "passing left", "card by card", "a match"]),
    st.integers(0, 2),
)
def test_what_one_seat_does_shifts_no_draws_of_others(
    seed: int, chances: int, other: Player, name: str, seat: int
) -> None:
    """The k-th decision of a seat has the same chances, and they are those that the law says."""
    game = game_of(name)
    kept = []
    for player in (RandomPlayer(), other):
        drawing = [Drawing() for _ in range(game.players)]
        players: list[Player] = [*drawing]
        players[seat] = player
        record = referee_game(game, seed, players, chances, paired=True)
        assert record.error is None
        kept.append([each.drawn for each in drawing])
    for at, both in enumerate(zip(*kept, strict=True)):
        many = min(map(len, both))
        assert both[0][:many] == both[1][:many]
        assert both[0] == [
            Stream.of_decision(chances, at, ordinal).next() for ordinal in range(len(both[0]))
        ]
        assert bool(many) is (at != seat)


@pytest.mark.parametrize("paired", [False, True])
def test_chances_are_those_of_the_game_unless_they_are_given(paired: bool) -> None:
    game = game_of("as it stands")
    players = [RandomPlayer()] * 4
    given_ = referee_game(game, 3, players, 3, paired=paired)
    assert referee_game(game, 3, players, paired=paired) == given_
    assert referee_game(game, 3, players, 4, paired=paired) != given_
    assert referee_game(game, 3, players, 3, paired=not paired) != given_
