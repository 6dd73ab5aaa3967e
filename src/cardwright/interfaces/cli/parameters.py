"""Arguments and options that several commands take, and how their text is parsed."""

from __future__ import annotations

import re
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import click

from cardwright.english import listed

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.shell_completion import CompletionItem

    from cardwright.game.game import Game
    from cardwright.players.spec import PlayerSpec
    from cardwright.program.constants import Constant

LARGEST_GAME_SEED = 2**64 - 1
LARGEST_SEED = 2**128 - 1
"""Bits of a job's seed that are drawn, too many to guess."""

MOST_GAMES = 10**12
"""The most games of a job: even random ones would take days."""

_BASES = {"zero": 0, "one": 1}
_ENGINES = ("native", "wasm", "interpreter")

Command = TypeVar("Command", bound="Callable[..., Any]")
Overrides: TypeAlias = "dict[str, Constant]"


def parse_seed(text: str, largest: int = LARGEST_SEED) -> int:
    """Parse the seed of a job; raises ValueError with what is wrong."""
    stripped = text.strip()
    if not re.fullmatch(r"[+-]?[0-9]+", stripped):
        raise ValueError(f"{text[:30]!r} is not a seed: a seed is an integer from 0 to {largest}")
    digits = stripped.lstrip("0") or "0"
    if digits.isdecimal() and len(digits) <= len(str(largest)) and int(digits) <= largest:
        return int(digits)
    raise ValueError(f"{stripped[:40]} is out of range: a seed is from 0 to {largest}")


def parse_choices(text: str) -> tuple[int, ...]:
    """Return the indices in a list separated by commas; raises ValueError for anything else."""
    pieces = [piece.strip() for piece in text.split(",")] if text.strip() else []
    for piece in pieces:
        if not re.fullmatch(r"[0-9]{1,9}", piece):
            raise ValueError(
                f"{piece[:30]!r} is not the number of an option; write for example 0,3,1"
            )
    return tuple(map(int, pieces))


def parse_game_seed(text: str) -> int:
    """Parse the seed of a game; raises ValueError with what is wrong."""
    return parse_seed(text, LARGEST_GAME_SEED)


def parse_seeds(text: str) -> range:
    """Parse a range of seeds, both ends included; raises ValueError."""
    first, dots, last = text.partition("..")
    if not dots:
        raise ValueError(f"{text[:60]!r} is not a range of seeds; write for example 5..9")
    low, high = parse_game_seed(first), parse_game_seed(last)
    if high < low:
        raise ValueError(f"{text} is empty: write the smaller seed first")
    if high - low >= MOST_GAMES:
        raise ValueError(
            f"{text} is {high - low + 1:,} seeds; {MOST_GAMES:,} can be played at most"
        )
    return range(low, high + 1)


def reading(parse: Callable[[str], object]) -> Callable[..., object]:
    """Return a callback that parses an option by a function that may raise ValueError."""

    def read(ctx: click.Context, param: click.Parameter, value: str | None) -> object:
        try:
            return None if value is None else parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None

    return read


def game_argument(command: Command) -> Command:
    """Give a command the argument GAME; shells complete names and files."""
    return click.argument("game", metavar="GAME", shell_complete=complete_game)(command)


def complete_game(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the completions for a game: those of the library, or else files."""
    from click.shell_completion import CompletionItem

    from cardwright.game.find import library_names

    names = [name for name in library_names() if name.startswith(incomplete)]
    found = [CompletionItem(name) for name in names]
    return found or [CompletionItem(incomplete, type="file")]


def base_option(command: Command) -> Command:
    """Give a command `--base`, as the number of the first player or None."""
    return click.option(
        "--base",
        type=click.Choice(list(_BASES)),
        callback=lambda _ctx, _param, value: None if value is None else _BASES[value],
        help="Number players and teams from zero or one, whatever the file seems to do.",
    )(command)


def engine_option(command: Command) -> Command:
    """Give a command `--engine`, as a name."""
    return click.option(
        "--engine",
        type=click.Choice(_ENGINES),
        default=_ENGINES[0],
        show_default=True,
        help="What plays: compiled code, of this machine or WebAssembly, or the slow interpreter.",
    )(command)


def set_option(command: Command) -> Command:
    """Give a command `--set NAME=VALUE`, any number of times, as `overrides`."""
    return click.option(
        "--set",
        "overrides",
        metavar="NAME=VALUE",
        multiple=True,
        callback=_overrides,
        help="Give a declared constant another value: a number, true or false, a NAME, a list "
        "A,B,C or a range 1..4. Can be repeated; `cardwright show GAME` lists the constants.",
    )(command)


def preset_option(command: Command) -> Command:
    """Give a command `--preset`, as a name or None."""
    return click.option(
        "--preset",
        metavar="NAME",
        help="Play a named variant; `cardwright show GAME` lists them. --set changes it.",
    )(command)


def _overrides(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, Constant]:
    from cardwright.program.constants import parse_value

    found: dict[str, Constant] = {}
    for text in values:
        name, equals, value = text.partition("=")
        name = name.strip().removeprefix("'")
        if not equals or not name:
            raise click.BadParameter(f"{text!r} is not of the form NAME=VALUE", ctx, param)
        if name in found:
            raise click.BadParameter(f"{name} is set twice", ctx, param)
        try:
            found[name] = parse_value(value)
        except ValueError as error:
            raise click.BadParameter(f"{name}: {error}", ctx, param) from None
    return found


def _players(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[PlayerSpec, ...] | None:
    from cardwright.arena.entrants import PlayerSpecError, tried_specs
    from cardwright.players.kind import FULL_TRUST

    try:
        if value is None:
            return None
        return tried_specs(value, FULL_TRUST)
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), ctx, param) from None


def players_option(
    default: str | None,
    more: str = "One player for all seats, or one for each.",
    read: Callable[..., object] | None = _players,
) -> Callable[[Command], Command]:
    """Give a command `--players`, as a tuple of specs, which `read` makes of the text, or None."""
    return click.option(
        "--players", metavar="SPEC,...", default=default, show_default=default is not None,
        callback=read, help=f"Who plays. {more}",
    )  # fmt: skip


def seated(players: tuple[PlayerSpec, ...], seats: int) -> tuple[PlayerSpec, ...]:
    """Return a player for each seat of a game, now that the number of seats is known."""
    from cardwright.players.kind import PlayerSpecError
    from cardwright.players.spec import for_seats

    try:
        return for_seats(players, seats)
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), param_hint="'--players'") from None


def load(
    name: str,
    overrides: Overrides | None = None,
    base: int | None = None,
    engine: str = _ENGINES[0],
    preset: str | None = None,
) -> Game:
    """Load the game that a command is about."""
    from cardwright.game.game import Game

    game = Game.variant(name, overrides or {}, preset, base, engine=engine)
    if overrides:
        warn_of_players(game)
    return game


def warn_of_players(game: Game) -> None:
    """Warn if a library game is played by more or fewer players than its rules provide for."""
    from cardwright.library import catalogue

    if game.name not in catalogue.names():
        return
    counts = catalogue.facts(game.name).players
    if game.players not in counts:
        meant = listed(counts, "or")
        click.echo(
            f"warning: {game.name} is meant for {meant} players, not for {game.players}", err=True
        )


class ChosenGame(NamedTuple):
    """The game that a command is about, by its argument and options."""

    name: str
    preset: str | None
    overrides: Overrides
    base: int | None
    engine: str = _ENGINES[0]

    def load(self) -> Game:
        """Load the game."""
        return load(self.name, self.overrides, self.base, self.engine, self.preset)

    def settings(self) -> list[str]:
        """Return the command-line words for all but its name and engine."""
        from cardwright.game.errors import override_text

        words = [] if self.preset is None else ["--preset", self.preset]
        for name, value in self.overrides.items():
            words += ["--set", f"{name}={override_text(value)}"]
        if self.base is not None:
            words += ["--base", next(at for at, number in _BASES.items() if number == self.base)]
        return words


def game_options(*, engine: bool = False) -> Callable[[Command], Command]:
    """Give a command the argument GAME, and the options that say how it is played, as `game`."""
    options = (game_argument, preset_option, set_option, base_option, *[engine_option] * engine)
    names = ("game", "preset", "overrides", "base", "engine")[: len(options)]

    def add(command: Any) -> Any:
        @wraps(command)
        def called(*values: Any, **given: Any) -> Any:
            game = ChosenGame(*(given.pop(name) for name in names))
            return command(*values, game=game, **given)

        for option in reversed(options):
            called = option(called)
        return called

    return add
