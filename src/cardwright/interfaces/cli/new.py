"""`cardwright new`: a playable start of a game of one's own."""

from __future__ import annotations

import shlex
import sys

import click

from cardwright.authoring.new_game import DECKS, KINDS, PLAYERS
from cardwright.interfaces.cli.text import printable

_PLAYERS = 4
_KIND, _DECK = next(iter(KINDS)), next(iter(DECKS))
_DECK_WORDS = {"own": "suits and ranks of your own, to be changed in the file"}


@click.command("new")
@click.argument("game", metavar="GAME")
@click.option("--kind", type=click.Choice(tuple(KINDS)),
              help=f"What kind of game it is.  [default: {_KIND}]")  # fmt: skip
@click.option("--deck", type=click.Choice(tuple(DECKS)),
              help=f"Which cards it has.  [default: {_DECK}]")  # fmt: skip
@click.option("--seats", metavar="N", type=click.IntRange(PLAYERS[0], PLAYERS[-1]),
              help=f"How many play.  [default: {_PLAYERS}]")  # fmt: skip
def command(game: str, kind: str | None, deck: str | None, seats: int | None) -> None:
    """Begin a game of your own.

    Writes GAME.rcy, a small game with comments that can be played at once and changed step by step;
    GAME.toml, which explains its constants; and GAME.positions.toml, which tests its rules. Nothing
    is overwritten. On a terminal it asks for what the options do not say.
    """
    from cardwright.authoring.new_game import new_game

    if sys.stdin.isatty() and sys.stdout.isatty():
        kind = kind or _asked("What kind of game?", KINDS)
        deck = deck or _asked("Which cards?", _decks())
        if seats is None:
            click.echo()
            span = click.IntRange(PLAYERS[0], PLAYERS[-1])
            seats = click.prompt("How many play?", default=_PLAYERS, type=span)
    written = new_game(game, kind=kind or _KIND, deck=deck or _DECK, players=seats or _PLAYERS)
    for file in written:
        click.echo(f"wrote {printable(str(file))}")
    rules = printable(shlex.quote(str(written[0])))
    click.echo("\nNext:")
    for words, what in (
        (f"play {rules}", "play it against the computer"),
        (f"check {rules}", "see what is wrong after a change"),
        (f"test {rules}", "play its positions"),
        (f"simulate {rules}", "play it many times at random"),
    ):
        click.echo(f"  cardwright {words}\n      {what}")


def _decks() -> dict[str, str]:
    return {
        name: _DECK_WORDS.get(name, f"{name} cards, {deck.ranks[0]} to {deck.ranks[-1]}")
        for name, deck in DECKS.items()
    }


def _asked(question: str, answers: dict[str, str]) -> str:
    """Return which of several answers a person gives."""
    click.echo(f"\n{question}")
    width = max(map(len, answers))
    for name, about in answers.items():
        click.echo(f"  {name:<{width}}  {about}")
    given: str = click.prompt(
        "Your choice", default=next(iter(answers)), show_choices=False,
        type=click.Choice(tuple(answers)),
    )  # fmt: skip
    return given
