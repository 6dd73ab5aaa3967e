"""Replays: a game from its seed and choices, move by move, as any pair of eyes saw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import structs

from cardwright.game.errors import GameError, IllegalOptionError
from cardwright.game.wording.naming import PeopleNamer
from cardwright.table.account import Account
from cardwright.table.narrator import OPEN, Eyes
from cardwright.table.referee import Checkpoints, Referee, RefereeRules
from cardwright.table.scene_maker import SceneMaker, scene_game
from cardwright.table.setup import SeatSetup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.game.game import Game
    from cardwright.table.account import Event
    from cardwright.table.referee import Ply
    from cardwright.table.scene import TableScene


@dataclass(frozen=True)
class ReplayFrame:
    """One moment of a replay: the scene, the event that led there, and what is chosen next.

    `event` is None for the first frame, `chosen` for the last. The scene has the pending decision
    if these eyes may see it: that of their own seat, or any, with all hands.
    """

    number: int
    scene: TableScene
    event: Event | None
    chosen: int | None


class GameReplay:
    """A game that has been played, as a seat saw it; with all hands, if there is no seat.

    There is a frame before each choice, and one after the last. Frames are computed when they are
    asked for, from the nearest copy of the referee: those of a whole game take as long as the game,
    and any other takes a few moves. `names` are those of the players. Choices are checked when they
    are reached: raises IllegalOptionError for one that the game does not have, and GameError if it
    breaks a rule.
    """

    def __init__(
        self,
        game: Game,
        seed: int,
        choices: Sequence[int],
        seat: int | None = None,
        names: Sequence[str] = (),
        *,
        preset: str | None = None,
    ) -> None:
        self.choices = tuple(choices)
        self._eyes = OPEN if seat is None else Eyes.of(seat)
        listed = names or tuple(f"Player {number}" for number in range(1, game.players + 1))
        self._seats = tuple(SeatSetup("computer", "", name) for name in listed)
        rules, namer = RefereeRules(game), PeopleNamer(game.program, game.words, listed)
        self._maker = SceneMaker(rules, namer, scene_game(game, preset))
        self._referee = Referee(rules, seed, namer)
        self._checkpoints = Checkpoints(self._referee)
        self._past: list[Ply] = []
        self._account = Account(rules, self._eyes, self._referee.opening, namer, person=False)

    def __len__(self) -> int:
        """Return the number of frames: one more than there are choices."""
        return len(self.choices) + 1

    def frames(self, first: int = 0, count: int | None = None) -> Iterator[ReplayFrame]:
        """Yield so many frames, or all, from a number on; none after the last."""
        end = len(self) if count is None else min(len(self), first + count)
        for number in range(first, end):
            yield self.frame(number)

    def frame(self, number: int) -> ReplayFrame:
        """Return the frame in which so many choices have been made; raises IndexError."""
        if not 0 <= number < len(self):
            raise IndexError(f"there is no frame {number}: they are 0 to {len(self) - 1}")
        self._go(number)
        event = self._account.events[number - 1] if number else None
        chosen = self.choices[number] if number < len(self.choices) else None
        return ReplayFrame(number, self._scene(), event, chosen)

    def events(self) -> tuple[Event, ...]:
        """Return what was told of the whole game."""
        self._go(len(self.choices))
        return tuple(self._account.events)

    def data(self, frame: ReplayFrame) -> dict[str, Any]:
        """Return a frame as JSON has it: `number`, `scene`, `event` and `chosen`."""
        return {
            "number": frame.number,
            "scene": frame.scene.data(),
            "event": None if frame.event is None else self.event_data(frame.event),
            "chosen": frame.chosen,
        }

    def event_data(self, event: Event) -> dict[str, Any]:
        """Return an event as JSON has it."""
        return event.sent(self._maker, None).data()

    def _scene(self) -> TableScene:
        referee = self._referee
        scene = self._maker.scene(referee, self._eyes, self._seats)
        decision = scene.decision
        if self._eyes == OPEN and referee.due is not None:
            decision = self._maker.decision(referee)
        return structs.replace(scene, opening=self._account.opening, decision=decision)

    def _go(self, number: int) -> None:
        """Bring the referee to where so many choices have been made."""
        if not self._checkpoints.number(number) <= self._referee.number <= number:
            self._referee = self._checkpoints.before(number)
        while self._referee.number < number:
            self._next()

    def _next(self) -> None:
        referee = self._referee
        number = referee.number
        choice, count = self.choices[number], referee.option_count
        if not 0 <= choice < count:
            raise IllegalOptionError(
                f"choice {number} of the game is option {choice}, and there are {count}"
            )
        try:
            ply = referee.choose(choice)
        except GameError:
            self._referee = self._checkpoints.before(0)
            raise
        if number == len(self._past):  # for the first time
            self._past.append(ply)
            self._account.follow(self._past)
            self._checkpoints.note(referee)
