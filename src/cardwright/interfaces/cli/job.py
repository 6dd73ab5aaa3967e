"""A job of `simulate`: which games are to be played, by whom, and playing them."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.arena.referee import play_game
from cardwright.arena.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager
    from types import FrameType

    from cardwright.arena.referee import Record
    from cardwright.game.game import Game
    from cardwright.players.spec import Spec

_REFRESH = 0.1


@dataclass(frozen=True)
class Job:
    """Games to be played: `seed` is None where the seeds of the games themselves were given."""

    game: Game
    players: tuple[Spec, ...]
    seed: int | None
    seeds: Iterable[int]
    games: int
    engine: str


@dataclass(frozen=True)
class Outcome:
    """What a job came to; `partial` if it was interrupted."""

    summary: Summary
    seconds: float
    partial: bool


def run(job: Job, keep: Callable[[Record], None] | None, *, progress: bool) -> Outcome:
    """Play the games of a job, each by new players, and count what happens.

    Ctrl-C ends the job with what is counted by then: the game in play is dropped.
    """
    summary = Summary(job.game.players)
    interrupt = _Interrupt()
    shown: AbstractContextManager[Callable[[], None]] = (
        _progress(job.games) if progress else nullcontext(lambda: None)
    )
    begun = time.perf_counter()
    with shown as advance, interrupt:
        for seed in job.seeds:
            record = interrupt.during(lambda: _play(job, seed))  # noqa: B023 - called at once
            if record is None:
                break
            summary.add(record)
            if keep is not None:
                keep(record)
            advance()
            if interrupt.pressed:
                break
    partial = interrupt.pressed and summary.games < job.games
    return Outcome(summary, time.perf_counter() - begun, partial)


def _play(job: Job, seed: int) -> Record:
    return play_game(job.game, seed, [spec.build() for spec in job.players])


class _Interrupt:
    """Ctrl-C while a game is in play stops it at once; between games it is only noted."""

    def __init__(self) -> None:
        self.pressed = False
        self._playing = False

    def __enter__(self) -> None:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._note)

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, _signal: int, _frame: FrameType | None) -> None:
        self.pressed = True
        if self._playing:
            raise KeyboardInterrupt

    def during(self, play: Callable[[], Record]) -> Record | None:
        """Return what a function gives, or None if it was interrupted."""
        try:
            self._playing = True
            record = play()
            self._playing = False
        except KeyboardInterrupt:
            self._playing = False
            return None
        return record


@contextmanager
def _progress(games: int) -> Iterator[Callable[[], None]]:
    """Show a bar on the standard error; give a function to be called after every game."""
    from rich.console import Console  # noqa: PLC0415 - heavy
    from rich.progress import (  # noqa: PLC0415 - heavy
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games, left"),
        TimeRemainingColumn(),
    )
    played = 0
    due = 0.0
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("playing", total=games)

        def advance() -> None:
            nonlocal played, due
            played += 1
            if (now := time.monotonic()) >= due:
                bar.update(task, completed=played)
                due = now + _REFRESH

        yield advance
