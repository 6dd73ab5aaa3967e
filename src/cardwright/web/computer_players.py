"""The computer players that people may put at a table, and how strong they are in plain words."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from cardwright.table.hearts_table import family_or_none
from cardwright.table.opponents import default_player

if TYPE_CHECKING:
    from cardwright.game.game import Game


@dataclass(frozen=True)
class ComputerPlayer:
    """A computer player: its spec, a name for its strength, and what it does, for people."""

    player: str
    strength: str
    about: str

    def record(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return asdict(self)


_RANDOM = ComputerPlayer(
    "random",
    "Beginner",
    "Plays any card that the rules allow, without a thought. Good for learning the rules.",
)
_HEARTS = (
    _RANDOM,
    ComputerPlayer(
        "rule",
        "Casual",
        "Follows rules of thumb, as a casual player does: it ducks, and gets rid of high cards. It "
        "does not count cards.",
    ),
    ComputerPlayer(
        "expert",
        "Expert",
        "Remembers every card and plays thousands of games out in its mind before each move. The "
        "strongest there is; it takes a second or two.",
    ),
)
_OTHERS = (
    _RANDOM,
    ComputerPlayer(
        "ismcts:iterations=100",
        "Casual",
        "Plays a hundred games out in its mind before each move, with cards that it imagines. It "
        "sees simple threats.",
    ),
    ComputerPlayer(
        "ismcts:iterations=1000",
        "Strong",
        "Plays a thousand games out in its mind before each move. It knows no more than its own "
        "seat does.",
    ),
    ComputerPlayer(
        "ismcts:iterations=10000",
        "Stronger",
        "Plays ten thousand games out in its mind before each move; that takes a few seconds in "
        "long games.",
    ),
)
_INTERPRETED = (
    _RANDOM,
    ComputerPlayer(
        "pimc:rollouts=20",
        "Casual",
        "Tries each of its moves in twenty games with cards that it imagines.",
    ),
)


def computer_players(game: Game) -> tuple[ComputerPlayer, ...]:
    """Return the computer players that suit a game, the weakest first."""
    if game.engine_name != "native":
        return _INTERPRETED
    return _HEARTS if family_or_none(game) is not None else _OTHERS


def usual_player(game: Game) -> ComputerPlayer:
    """Return the one that plays unless another is chosen: the terminal's default."""
    spec = default_player(game)
    return next((one for one in computer_players(game) if one.player == spec), _RANDOM)
