"""`cardwright play`: a person plays a game in the terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cardwright.interfaces.cli.parameters import (
    base_option,
    complete_game,
    engine_option,
    load,
    parse_game_seed,
    players_option,
    preset_option,
    set_option,
)
from cardwright.interfaces.cli.vocabulary import (
    allow_file_option,
    resume_option,
    save_option,
    seat_option,
    seed_option,
)
from cardwright.interfaces.cli.words import INTERRUPTED, seed_of

if TYPE_CHECKING:
    from cardwright.game.game import Game
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions, TableSetup

_PAUSE = 0.6
_HEARTS = "hearts"
_STANDARD = "standard"
"""The preset of Hearts for people, who know it as a match rather than as a single deal."""
_FIXED = (
    "seat", "players", "preset", "overrides", "seed", "practice", "hint", "base", "engine", "auto"
)  # fmt: skip
"""Options for which a saved game has its own values."""


@click.command("play")
@click.argument("game", metavar="[GAME]", required=False, shell_complete=complete_game)
@seat_option("1")
@players_option(
    None,
    "One player for all seats but yours, or one for each.  "
    "[default: who suits the game: see docs/strength.md]",
    read=None,
)
@seed_option(read=parse_game_seed)
@preset_option
@set_option
@base_option
@engine_option
@click.option("--practice", is_flag=True, help="Allow taking back moves.")
@click.option("--hint", metavar="SPEC", help="Who gives hints.  [default: a searcher]")
@click.option("--auto", is_flag=True, help="Watch computer players in all seats.")
@click.option("--pace", metavar="SECONDS", type=click.FloatRange(min=0, max=3600),
              help="Pace of computer players: seconds after a move.  "
              f"[default: {_PAUSE}, in a pipe 0]")  # fmt: skip
@click.option("--forced", is_flag=True, help="The only possible choice is made for me.")
@click.option(
    "--next-deal",
    metavar="SECONDS",
    type=click.FloatRange(min=0, max=3600),
    default=0.0,
    help="The next deal begins after so many seconds.  [default: when you press Enter]",
)
@click.option("--plain", is_flag=True, help="Lines and prompts instead of a full screen.")
@click.option("--no-color", is_flag=True, help="Use no colours, as with NO_COLOR.")
@click.option("--four-colours", "--four-colors", is_flag=True,
              help="Four colours for the suits, on the full screen.")  # fmt: skip
@save_option("The game, move by move.")
@click.option("--no-save", is_flag=True, help="Do not save a game that is interrupted.")
@resume_option("GAME is the file it was saved in.")
@allow_file_option
@click.pass_context
def command(ctx: click.Context, /, *, game: str | None, **options: Any) -> None:
    """Play a game against the computer.

    GAME is a name of the library or the path of a file; Hearts without --preset or --set is a match
    to 100 (--preset standard). In a terminal the table fills the screen; over a pipe, with --plain
    or TERM=dumb you are asked line by line, and `help` lists possible answers. Interrupted games
    are saved in a file (see --save), which --resume continues and `replay` shows.
    """
    if options["save"] and options["no_save"]:
        raise click.UsageError("--save saves the game, and --no-save does not: give one of them")
    if options["allow_files"] and not options["resume"]:
        raise click.UsageError("--allow-file is for a saved game that is resumed")
    if game is None:
        raise click.UsageError("name a GAME to play, or --resume a saved one")
    session = _resumed(ctx, Path(game), options) if options["resume"] else _begun(game, options)
    ctx.exit(_played(session, options))


def _resumed(ctx: click.Context, file: Path, options: dict[str, Any]) -> PlaySession:
    """Return a resumed session; raise an error for options that the saved game already fixes."""
    from cardwright.table.session import PlaySession

    default = click.core.ParameterSource.DEFAULT
    given = [name for name in _FIXED if ctx.get_parameter_source(name) is not default]
    if given:
        words = {"overrides": "set"}
        named = ", ".join(f"--{words.get(name, name)}" for name in given)
        raise click.UsageError(
            f"a saved game keeps the options it was started with: leave out {named}"
        )
    if not file.is_file():
        raise click.UsageError(f"there is no saved game {file}")
    session = PlaySession.resume(file, options["allow_files"])
    if options["no_save"]:
        session.save_path = None
    elif options["save"]:
        session.save_path = options["save"]
    return session


def _begun(name: str, options: dict[str, Any]) -> PlaySession:
    """Return a new session."""
    from cardwright.table.saved import is_saved
    from cardwright.table.session import PlaySession

    if is_saved(Path(name)):
        raise click.UsageError(f"{name} is a saved game: continue it with --resume")
    if options["save"] and options["save"].exists():
        raise click.ClickException(
            f"{options['save']} already exists: name another file, or continue with --resume"
        )
    if name == _HEARTS and options["preset"] is None and not options["overrides"]:
        click.echo("A match to 100 points (preset `standard`); --preset or --set changes that.")
        options = {**options, "preset": _STANDARD}
    game = load(
        name, options["overrides"], options["base"], options["engine"], preset=options["preset"]
    )
    session = PlaySession.begin(_setup(name, game, options), options["save"], game)
    if options["save"]:
        session.save(options["save"])  # fail before the game if it cannot be written
    return session


def _setup(name: str, game: Game, options: dict[str, Any]) -> TableSetup:
    from cardwright.arena.plan import GameRef
    from cardwright.players.kind import PlayerSpecError
    from cardwright.table.opponents import (
        checked,
        default_hint,
        seats,
    )
    from cardwright.table.setup import TableSetup

    ref = GameRef(
        name, game.players, game.program.digest, options["preset"],
        tuple(options["overrides"].items()), options["base"], options["engine"],
    )  # fmt: skip
    seat = _seat(game, options)
    try:
        players = seats(game, options["players"], seat)
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), param_hint="'--players'") from None
    try:
        hint = checked(options["hint"] or default_hint(game))
    except PlayerSpecError as error:
        raise click.BadParameter(str(error), param_hint="'--hint'") from None
    _say_cautions(game, players)
    seed = seed_of(options["seed"], one_game=True)
    return TableSetup.of_players(ref, seed, players, practice=options["practice"], hint=hint)


def _say_cautions(game: Game, players: tuple[str, ...]) -> None:
    from cardwright.interfaces.cli.estimate import say_cautions
    from cardwright.table.opponents import seated_specs

    say_cautions(game, seated_specs(players))


def _seat(game: Game, options: dict[str, Any]) -> int | None:
    """Return the seat of the person, from 0; None if no person plays."""
    wanted = options["seat"]
    if options["auto"]:
        if wanted is not None or options["practice"]:
            other = "--practice" if wanted is None else "--seat"
            raise click.UsageError(f"--auto leaves all seats to the computer: leave out {other}")
        return None
    if wanted is not None and wanted > game.players:
        raise click.BadParameter(
            f"{game.name} has {game.players} seats, not {wanted}", param_hint="'--seat'"
        )
    return 0 if wanted is None else int(wanted) - 1


# Playing ----------------------------------------------------------------------------------


def _played(session: PlaySession, options: dict[str, Any]) -> int:
    """Play a session on the full screen or line by line, and return the exit status."""
    from cardwright.game.errors import CardwrightError

    screen = _has_screen(plain=options["plain"])
    display = _display(session, options, screen=screen)
    try:
        if screen:
            from cardwright.interfaces.play.screen import run

            return run(session, display)
        return _in_lines(session, display)
    except KeyboardInterrupt:
        click.echo("\ninterrupted", err=True)
        _keep(session, display)
        return INTERRUPTED
    except CardwrightError:
        _keep(session, display)
        raise


def _has_screen(*, plain: bool) -> bool:
    """Say whether the game is drawn on a full screen."""
    if plain or os.environ.get("TERM") == "dumb":
        return False
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        import textual  # noqa: F401 - only to check that it is installed
    except ImportError:
        from cardwright.extras import advice

        click.echo(f"The full screen needs textual; {advice('play')}\nContinuing line by line:")
        return False
    return True


def _display(session: PlaySession, options: dict[str, Any], *, screen: bool) -> DisplayOptions:
    from cardwright.table.opponents import default_file
    from cardwright.table.setup import DisplayOptions

    setup = session.setup
    kept = None
    if not options["no_save"]:
        kept = session.save_path or default_file(session.game.name, setup.seed)
    pause = options["pace"]
    if pause is None:
        pause = _PAUSE if sys.stdout.isatty() else 0.0
    return DisplayOptions(
        pause=pause,
        auto=session.own is None,
        forced=options["forced"],
        next_deal=options["next_deal"],
        save=kept,
        colour=not options["no_color"] and not os.environ.get("NO_COLOR"),
        symbols=_can_show("♣♦♠♥"),
        four_colours=options["four_colours"],
    )


def _can_show(text: str) -> bool:
    """Say whether the standard output can encode these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _in_lines(session: PlaySession, display: DisplayOptions) -> int:
    from cardwright.interfaces.play.plain import DialogueEnd, Plain

    _say_who(session)
    end = Plain(session, display).play()
    if end is DialogueEnd.LEFT:
        _keep(session, display)
    elif end is DialogueEnd.SILENT:
        click.echo("no more answers: the game is not over", err=True)
        _keep_or_say(session, display)
        return 1
    elif session.save_path is not None:
        click.echo(f"saved in {session.save_path}; `cardwright replay` shows it")
    return 0


def _say_who(session: PlaySession) -> None:
    """Print what is played, and by whom."""
    game = session.scene().game
    preset = f" ({game.preset})" if game.preset else ""
    names = ", ".join(session.players())
    click.echo(f"{game.name}{preset}, seed {session.setup.seed}: {names}")
    if session.own is None:
        click.echo(f"You watch, seeing what {session.names[0]} sees.")
    elif not session.finished:
        click.echo("`help` lists what you can answer.")


def _keep(session: PlaySession, display: DisplayOptions) -> None:
    """Save a game that is left, and say how to resume it."""
    if display.save is None:
        click.echo("the game is not saved: --no-save", err=True)
        return
    session.save(display.save)
    click.echo(f"saved in {display.save}; to resume it:", err=True)
    click.echo(f"  {session.how_to_go_on(display.save)}", err=True)


def _keep_or_say(session: PlaySession, display: DisplayOptions) -> None:
    """Save a game whose answers ran out, if a file was named; else say how to save one."""
    if session.save_path is not None:
        _keep(session, display)
    else:
        click.echo(
            "it is not saved; use --save FILE to save it, and --resume FILE to continue", err=True
        )
