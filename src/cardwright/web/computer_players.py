"""The computer players that people may put at a table, and how strong they are in plain words."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from cardwright.arena.entrants import caution, parse_spec
from cardwright.players.kind import NO_TRUST
from cardwright.table.opponents import BIDDERS, default_player

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
_ABOUT_BIDDERS = {
    "bridge": "Bids by points and lengths of suits, as a beginner learns it, and plays its cards "
    "by {games} games in its mind for each of them.",
    "skat": "Bids by counting trumps, aces and tens, and plays its cards by {games} games in its "
    "mind for each of them.",
}
_STRENGTHS = (("Casual", 100), ("Strong", 1_000), ("Stronger", 10_000))
"""What more games in the mind are called; a thousand are the default."""

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
    usual = default_player(game).partition(":")[0]
    if usual in BIDDERS:
        found = _bidders(usual)
    elif game.engine_name != "native":
        found = _INTERPRETED
    else:
        found = _HEARTS if usual == "expert" else _OTHERS
    return tuple(_with_caution(one, game) for one in found)


def _bidders(kind: str) -> tuple[ComputerPlayer, ...]:
    """Return the players of a game with an auction that a kind of player knows."""
    return (
        _RANDOM,
        *(
            ComputerPlayer(
                kind if games == _STRENGTHS[1][1] else f"{kind}:iterations={games}",
                strength,
                _ABOUT_BIDDERS[kind].format(games=f"{games:,}"),
            )
            for strength, games in _STRENGTHS
        ),
    )


def _with_caution(one: ComputerPlayer, game: Game) -> ComputerPlayer:
    """Return a player whose description also says what it does not see in the game."""
    unseen = caution(game, parse_spec(one.player, NO_TRUST))
    return one if unseen is None else replace(one, about=f"{one.about} Here {unseen}.")


def usual_player(game: Game) -> ComputerPlayer:
    """Return the one that plays unless another is chosen: the terminal's default."""
    spec = default_player(game)
    return next((one for one in computer_players(game) if one.player == spec), _RANDOM)
