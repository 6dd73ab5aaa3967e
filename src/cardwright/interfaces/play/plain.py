"""Plain mode: a session with prompts and lines, over a pipe or in any terminal."""

from __future__ import annotations

import sys
import time
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardwright.game.errors import CardwrightError, GameError
from cardwright.interfaces.cli.text import counted, printable
from cardwright.interfaces.play.answer import answered_cards, read_answer
from cardwright.interfaces.play.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cardwright.table.account import Event
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions

_TAIL = 20
_ROWS = 5

_HELP = """\
Answer with the number of an option, or with its cards: QS, 10H, or QS AS 2C for several.
Where options name a player, its name goes first: Berta 7H asks Berta for sevens in Go Fish.
  hint, ?       ask a computer player what it would do
  why CARD      why a card cannot be chosen
  options       list all options
  hand          show your hand
  table         show all that lies on the table
  last          the last trick, and who has taken what (Hearts)
  scores        the score of every deal
  rules         the rules of the game
  history [N]   the last N decisions (20)
  undo          take your last decision back (in practice only)
  save [FILE]   save the game
  help          this list
  quit, Ctrl-D  leave; the game is saved, unless --no-save was given"""


class DialogueEnd(Enum):
    """How a session ended: the game is over, the person left, or the answers in a pipe ended."""

    OVER = "over"
    LEFT = "left"
    SILENT = "silent"


class Plain:
    """The dialogue of a session."""

    def __init__(self, session: PlaySession, display: DisplayOptions) -> None:
        self._session = session
        self._display = display
        self._lines = Lines(session, symbols=display.symbols)
        self._numbered = False
        self._commands: dict[str, Callable[[str], Iterable[str]]] = {
            "hint": self._hint,
            "?": self._hint,
            "why": self._why,
            "options": self._options,
            "hand": lambda _: [f"Hand: {self._lines.hand()}"],
            "table": lambda _: self._lines.table(),
            "last": lambda _: self._lines.last(),
            "scores": lambda _: self._lines.scores(),
            "rules": lambda _: self._lines.rules(),
            "history": self._history,
            "undo": self._undo,
            "save": self._save,
            "help": lambda _: _HELP.splitlines(),
        }

    def play(self) -> DialogueEnd:
        """Play to the end, or until the person leaves.

        Raises GameError if the game breaks a rule, any error of a computer player, and
        KeyboardInterrupt: the session can be saved after any of them.
        """
        session = self._session
        if session.events():
            made = len(session.events())
            have = "has" if made == 1 else "have"
            self._say([f"{counted(made, 'decision')} {have} been made.", *self._history("")])
        else:
            self._say(self._lines.changes(session.opening))
        while not session.finished:
            if not session.mine:
                self._tell(session.step())
                time.sleep(self._display.pause)
            elif (end := self._decide()) is not None:
                return end
        self._say(self._lines.result())
        return DialogueEnd.OVER

    def _tell(self, event: Event) -> None:
        """Print an event and, where a deal of several is over, the scores before the next deal."""
        self._say(self._lines.event(event))
        deal = event.deal
        if deal is not None and deal.number > int(self._session.finished):
            self._say(["", *self._lines.deal_end(deal), *self._lines.scores(), ""])
        self._say(self._lines.changes(event.begun[1:]))  # the first says that the deal is over

    def _decide(self) -> DialogueEnd | None:
        """Ask until a decision is made or undone; return how the person left, if so."""
        self._say(self._lines.decision())
        self._numbered = self._lines.numbered
        while True:
            click.echo("> ", nl=False)
            line = _read_line()
            if line is None:
                click.echo()
                return DialogueEnd.LEFT if _at_a_terminal() else DialogueEnd.SILENT
            word, _, rest = line.strip().partition(" ")
            word = word.casefold()
            if word in {"quit", "exit"}:
                return DialogueEnd.LEFT
            made = len(self._session.events())
            try:
                if word in self._commands:
                    self._say(self._commands[word](rest.strip()))
                    if word == "undo":
                        return None
                elif word:
                    answer = read_answer(line.strip(), self._session, numbered=self._numbered)
                    self._tell(self._session.choose(answer))
                    return None
            except GameError:
                raise
            except CardwrightError as error:
                self._say(str(error).splitlines())
                if len(self._session.events()) != made:  # only the file failed
                    return None

    # Commands -----------------------------------------------------------------------------

    def _hint(self, _: str) -> list[str]:
        hint = self._session.hint()
        lines = [f"{self._session.setup.hint} would: {hint.words}"]
        if hint.tried:
            lines.append(f"Its estimates: {'; '.join(unit.words for unit in hint.units)}")
        rows = [(hint.amounts(option), words) for option, words in hint.tried[:_ROWS]]
        for amounts, words in rows:
            wide = [max(len(cells[at]) for cells, _ in rows) for at in range(len(amounts))]
            cells = (f"  {cell:>{width}}" for cell, width in zip(amounts, wide, strict=True))
            lines.append(f"{''.join(cells)}  {words}")
        return lines

    def _options(self, _: str) -> list[str]:
        self._numbered = True
        return self._lines.options(whole=True)

    def _why(self, text: str) -> list[str]:
        if not text:
            return ["write the card too: why QS"]
        session = self._session
        lines = []
        for card in answered_cards(text, session):
            reason = session.reason(card)
            lines.append(f"{self._lines.card(card)}: {reason or 'it can be chosen'}")
        return lines

    def _history(self, text: str) -> list[str]:
        count = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else _TAIL
        events = self._session.events()
        lines = (
            []
            if len(events) <= count
            else [f"... {counted(len(events) - count, 'decision')} before"]
        )
        for event in events[max(0, len(events) - count) :]:
            lines += [*self._lines.event(event), *self._lines.changes(event.begun)]
        return lines or ["no decision has been made yet"]

    def _undo(self, _: str) -> list[str]:
        taken = self._session.undo()
        return [f"{counted(taken, 'decision')} taken back"]

    def _save(self, text: str) -> list[str]:
        path = Path(text) if text else self._display.save
        if path is None:
            return ["write the name of a file too: save FILE"]
        self._session.save(path)
        return [f"saved: {path}; to resume it: {self._session.how_to_go_on(path)}"]

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            click.echo(printable(line))


def _at_a_terminal() -> bool:
    """Say whether the end of the input was a key, Ctrl-D."""
    return sys.stdin.isatty()


def _read_line() -> str | None:
    """Return the next line of the standard input; None at its end."""
    line = sys.stdin.readline()
    return line if line else None
