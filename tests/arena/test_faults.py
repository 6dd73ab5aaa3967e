from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from cardwright import Game, Option, Stream
from cardwright.arena.referee import (
    FaultKind,
    FaultRules,
    GameRecord,
    PlayerFault,
    RefereedPlayer,
    referee_game,
)
from cardwright.game import Content
from cardwright.players.player import Note, RandomPlayer

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.players.player import Decision

SEED = 3


class Acting(RandomPlayer):
    """Does something odd in some of its decisions, and else plays at random."""

    def __init__(self, act: Callable[[Decision], Any], *when: int) -> None:
        self.act = act
        self.when = when
        self.asked = 0

    def choose(self, decision: Decision) -> Any:
        self.asked += 1
        if not self.when or self.asked - 1 in self.when:
            return self.act(decision)
        return super().choose(decision)


def raising(error: BaseException) -> Callable[[Decision], int]:
    def act(_: Decision) -> int:
        raise error

    return act


def answering(answer: Any) -> Callable[[Decision], Any]:
    return lambda _: answer


def noting(note: Any) -> Callable[[Decision], int]:
    def act(decision: Decision) -> int:
        decision.report(note)
        return 0

    return act


@pytest.fixture(scope="module")
def hearts() -> Game:
    return Game.load("hearts", engine="interpreter")


def played(game: Game, first: Any, rules: FaultRules) -> tuple[GameRecord, RefereedPlayer]:
    """Play a game in which one player is judged, beside random ones that are too."""
    makes = [lambda: first, *[RandomPlayer] * 3]
    seats = [RefereedPlayer(make, rules, SEED, seat) for seat, make in enumerate(makes)]
    return referee_game(game, SEED, seats), seats[0]


class BrokenError(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("no\n idea"), "ValueError: no idea"),
        (SystemExit(3), "SystemExit: 3"),
        (RecursionError("deep"), "RecursionError: deep"),
        (GeneratorExit(), "GeneratorExit:"),
        (BrokenError(), "BrokenError: (no message)"),
        (ValueError("at 0x7f32a1b2c3d4"), "ValueError: at 0x..."),
        (ValueError("x" * 500), "ValueError: " + "x" * 185 + "..."),
    ],
)
def test_whatever_is_raised_is_a_fault(hearts: Game, error: BaseException, reason: str) -> None:
    record, judged = played(hearts, Acting(raising(error), 2), FaultRules())
    assert record.error is None
    assert judged.faults == [PlayerFault(0, 2, FaultKind.RAISED, reason)]
    assert (judged.decisions, judged.asked, judged.forfeited) == (13, 13, False)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError()])
def test_these_end_the_run(hearts: Game, error: BaseException) -> None:
    with pytest.raises(type(error)):
        played(hearts, Acting(raising(error), 2), FaultRules())


class Truthful:
    def __index__(self) -> int:
        raise OSError("no number today")


@pytest.mark.parametrize(
    ("answer", "kind", "reason"),
    [
        (99, "answer", "answered 99; options are 0 to 10"),
        (-1, "answer", "answered -1; options are 0 to 10"),
        pytest.param(
            10**5000,
            "answer",
            "answered a number of more than 20 digits; options are 0 to 10",
            id="huge",
        ),
        (None, "answer", "answered with a NoneType, which is not an option"),
        (0.0, "answer", "answered with a float, which is not an option"),
        (True, "answer", "answered with a bool, which is not an option"),
        ("of", "answer", "answered 'of': 'of' is neither a card nor a word of an option"),
        (
            Option(0, Content(99, ()), "lay down"),
            "answer",
            "answered 'lay down', which is not an option here",
        ),
        (Truthful(), "raised", "OSError: no number today"),
    ],
)
def test_an_answer_that_is_no_option_is_a_fault(
    hearts: Game, answer: Any, kind: str, reason: str
) -> None:
    _, judged = played(hearts, Acting(answering(answer), 0), FaultRules())
    assert judged.faults == [PlayerFault(0, 0, FaultKind(kind), reason)]


@pytest.mark.parametrize("answer", [0, np.int64(0), np.uint8(0)])
def test_every_integer_is_an_answer(hearts: Game, answer: Any) -> None:
    record, judged = played(hearts, Acting(answering(answer)), FaultRules())
    assert not judged.faults
    assert {chosen for seat, _, chosen in record.decisions if seat == 0} == {0}
    assert all(type(chosen) is int for chosen in record.choices)


def test_more_faults_than_are_borne_forfeit_the_game(hearts: Game) -> None:
    for most in (0, 1, 3):
        player = Acting(raising(ValueError("no")))
        _, judged = played(hearts, player, FaultRules(most))
        assert len(judged.faults) == player.asked == judged.asked == most + 1
        assert judged.forfeited
        assert judged.decisions == 13
    player = Acting(raising(ValueError("no")), 1, 5)
    _, judged = played(hearts, player, FaultRules(2))
    assert (len(judged.faults), player.asked, judged.forfeited) == (2, 13, False)


def test_the_referee_chooses_from_a_stream_of_its_own(hearts: Game) -> None:
    """What it chooses comes from the seed of the seats' streams, and moves no player's draws."""
    seen: list[Any] = []

    def fail(decision: Decision) -> int:
        seen.append(decision.stream.copy().words)
        raise ValueError

    record, _ = played(hearts, Acting(fail), FaultRules(99))
    again, _ = played(hearts, Acting(answering("?")), FaultRules(0))
    assert record == again
    assert set(seen) == {Stream.of_seat(SEED, 0).words}
    chosen = [chosen for seat, options, chosen in record.decisions if seat == 0 and options > 3]
    assert len(set(chosen)) > 1
    twin, _ = played(hearts, RandomPlayer(), FaultRules())
    assert twin != record


def test_the_referee_draws_otherwise_at_another_table(hearts: Game) -> None:
    def record(chances: int, game: int = SEED) -> GameRecord:
        make = lambda: Acting(raising(ValueError()))  # noqa: E731
        seats = [RefereedPlayer(make, FaultRules(0), chances, seat) for seat in range(4)]
        return referee_game(hearts, game, seats, chances)

    assert record(SEED) == record(SEED)
    one, other = record(SEED), record(SEED + 1)
    assert one.seed == other.seed
    assert one.choices != other.choices


def test_a_player_that_cannot_be_made_forfeits(hearts: Game) -> None:
    def make() -> RandomPlayer:
        raise ImportError("no such file")

    judged = RefereedPlayer(make, FaultRules(), SEED, 1)
    others = [RefereedPlayer(RandomPlayer, FaultRules(), SEED, seat) for seat in (0, 2, 3)]
    record = referee_game(hearts, SEED, [others[0], judged, *others[1:]])
    reason = "could not be made: ImportError: no such file"
    assert judged.faults == [PlayerFault(1, 0, FaultKind.UNMADE, reason)]
    assert (judged.forfeited, judged.asked, judged.decisions) == (True, 0, 13)
    assert record.error is None


def test_a_late_answer_stands_and_is_a_fault(hearts: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("cardwright.arena.referee.time.perf_counter", lambda: now[0])

    def think(seconds: float) -> Callable[[Decision], int]:
        def act(decision: Decision) -> int:
            now[0] += seconds
            return decision.option_count - 1

        return act

    record, judged = played(hearts, Acting(think(0.5), 4), FaultRules(3, 0.25))
    assert judged.faults == [PlayerFault(0, 4, FaultKind.LATE, "took more than 0.25 s for a move")]
    mine = [(options, chosen) for seat, options, chosen in record.decisions if seat == 0]
    assert mine[4][1] == mine[4][0] - 1
    assert (judged.seconds, judged.longest, judged.asked) == (0.5, 0.5, 13)
    _, judged = played(hearts, Acting(think(0.25), 4), FaultRules(3, 0.25))
    assert not judged.faults
    _, judged = played(hearts, Acting(think(0.5)), FaultRules(1, 0.25))
    assert (len(judged.faults), judged.asked) == (2, 2)
    _, judged = played(hearts, Acting(think(9.0), 4), FaultRules())
    assert not judged.faults


def test_notes_are_kept_for_each_decision(hearts: Game) -> None:
    note = Note(spread=0.5, lead=(0.1, 0.2), iterations=7)
    _, judged = played(hearts, Acting(noting(note), 1), FaultRules())
    assert judged.notes == [None, note, *[None] * 11]
    assert not judged.faults


@pytest.mark.parametrize(
    "note",
    [
        "good",
        None,
        Note(spread="big"),  # type: ignore[arg-type]
        Note(average=math.nan),
        Note(best=math.inf),
        Note(lead=(0.5, None)),  # type: ignore[arg-type]
        Note(lead="abc"),  # type: ignore[arg-type]
        Note(lead=(0.5,) * 2000),
        Note(iterations=-1),
        Note(iterations=2**63),
        Note(iterations=1.5),  # type: ignore[arg-type]
    ],
)
def test_a_note_that_cannot_be_written_down_is_a_fault(hearts: Game, note: Any) -> None:
    record, judged = played(hearts, Acting(noting(note), 1), FaultRules())
    assert [(fault.kind, fault.decision) for fault in judged.faults] == [("note", 1)]
    assert judged.notes == [None] * 13
    mine = [chosen for seat, _, chosen in record.decisions if seat == 0]
    assert mine[1] == 0
