"""The app: it handles the keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cardwright.english import counted, listed
from cardwright.game.errors import CardwrightError
from cardwright.interfaces.cli.text import complain, printable
from cardwright.interfaces.cli.words import INTERRUPTED
from cardwright.interfaces.play.screen.selection import Selection, watched
from cardwright.interfaces.play.screen.table_screen import TableScreen
from cardwright.interfaces.play.screen.windows import COMMANDS, OPENED, STAYS, is_letter
from cardwright.table.vocabulary import FORCED, FOUR_COLOURS, NEXT_DEAL, PACE, PAUSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from cardwright.interfaces.play.screen.session_runner import SessionRunner
    from cardwright.table.scene import CardFace
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions

_PAUSES = (0.0, 0.1, 0.2, 0.4, 0.6, 1.0, 1.5, 2.5, 4.0)
"""The range of `+` and `-`, in seconds per move."""
_CURSOR: dict[str, Callable[[Selection], Selection]] = {
    "left": lambda selection: selection.across(-1),
    "right": lambda selection: selection.across(1),
    "up": lambda selection: selection.down(-1),
    "down": lambda selection: selection.down(1),
    "home": lambda selection: selection.end(last=False),
    "end": lambda selection: selection.end(last=True),
    "switch": lambda selection: selection.switch(),
}
_CLOSES = {"deal": "next"}
"""Commands that close a window of another name."""
_FAR = 10**9
_SCROLL = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -_FAR, "end": _FAR}


class TableApp(TableScreen):
    """A session on the screen, with its keys: each command of `keys` has a method."""

    async def on_key(self, event: events.Key) -> None:
        """Handle a key; an unknown one gets a message."""
        event.stop()
        event.prevent_default()
        assert self.runner is not None
        command = COMMANDS.get(event.key) or COMMANDS.get(event.character or "") or ""
        self._said = ""
        if command == "interrupt":
            self._leave("interrupt")
        elif self.window:
            self._in_window(event.key, command)
        elif is_letter(event.character) and self._typed(event.character or "", self.runner):
            pass
        elif command in OPENED:
            self._open(command)
        elif command in _CURSOR:
            self._act(_CURSOR[command], self.runner)
        elif command:
            getattr(self, f"_do_{command}")(self.runner)
        else:
            shown = event.character if event.is_printable else event.key
            self._say(f"{shown} does nothing here; ? has all keys")
        self.window_state = replace(self.window_state, settings=self._in_words(self.runner))
        self._draw()

    def _in_window(self, key: str, command: str) -> None:
        """Handle a key while a window is open."""
        if self.window == "quit":
            if key in {"y", "Y", "enter"}:
                self._leave("quit")
            elif key in {"n", "N", "escape"}:
                self._close()
            else:
                self._say("y leaves, n stays")
        elif self.window == "settings" and key in self._changes:
            self._changes[key]()
        elif key in _SCROLL:
            self._scroll = max(0, self._scroll + _SCROLL[key])
        elif command == "save" and self.runner is not None:
            self._do_save(self.runner)
        elif self.window in STAYS and command in {"quit", "enter"}:
            self._leave(self.window)
        elif command in OPENED - {self.window}:
            self._open(command)
        elif self.window in STAYS:
            self._say("Enter or q leaves")
        elif command in {"enter", "escape", "space", self.window, _CLOSES.get(self.window)}:
            self._close()
        else:
            self._say("Enter or Esc closes this window")

    def _can_choose(self, runner: SessionRunner) -> bool:
        """Whether the game waits for the person's move and has drawn it.

        A key may arrive between a new decision and the next drawing. It was meant for the cards
        that were shown then, and `selection` still refers to those: its option may no longer exist.
        """
        return runner.choosing and runner.scene is self._drawn

    def _typed(self, char: str, runner: SessionRunner) -> bool:
        """Move to the card that is being typed; False if the letter is a command instead."""
        if not self._can_choose(runner):
            return False
        found = self.selection.jump(char)
        if found.said and char in COMMANDS:
            return False
        self._select(found, runner)
        return True

    def _act(self, change: Callable[[Selection], Selection], runner: SessionRunner) -> None:
        if self._can_choose(runner):
            self._select(change(self.selection), runner)
        elif runner.choosing:
            self._say("it is your move now: press the key again")
        elif runner.scene.over is None:
            self._say("it is not your move")

    def _select(self, selection: Selection, runner: SessionRunner) -> None:
        self.selection = selection
        self._said = selection.said
        if selection.taken is not None and runner.busy:
            self._say("the hint is still being computed: one moment, please")
        elif selection.taken is not None:
            runner.choose(selection.taken)
        elif selection.asked is not None:
            self._do_why(runner)

    def _do_enter(self, runner: SessionRunner) -> None:
        if runner.waiting:
            runner.skip()
        elif runner.choosing and runner.too_soon:
            self._say("it is your move now: press Enter again to play")
        else:
            self._act(Selection.enter, runner)

    def _do_space(self, runner: SessionRunner) -> None:
        if watched(runner.scene):
            runner.hold()
        elif runner.waiting:
            runner.skip()
        else:
            self._act(Selection.toggle, runner)

    def _do_escape(self, runner: SessionRunner) -> None:
        if self._hinting:
            self._hinting = False
        elif runner.choosing:
            self._act(Selection.drop, runner)
        else:
            self._say("q quits")

    def _do_single(self, runner: SessionRunner) -> None:
        if watched(runner.scene):
            runner.single()
        else:
            self._say(". is for games that you watch (--auto)")

    def _do_slower(self, runner: SessionRunner) -> None:
        self._pace(runner, next((one for one in _PAUSES if one > runner.pause), runner.pause))

    def _do_faster(self, runner: SessionRunner) -> None:
        slower = [one for one in _PAUSES if one < runner.pause]
        self._pace(runner, slower[-1] if slower else runner.pause)

    def _pace(self, runner: SessionRunner, pause: float) -> None:
        runner.pause = pause
        self._say(f"{PACE}: {pause:g} s a move")

    def _do_next(self, _: SessionRunner) -> None:
        self._say("the next deal begins when this one is over")

    # Settings -----------------------------------------------------------------------------

    @property
    def _changes(self) -> dict[str, Callable[[], None]]:
        """What the digits change in the window of the settings."""
        steps = (self._next_pace, self._next_pause, self._turn_forced, self._turn_colours)
        return {str(number): step for number, step in enumerate(steps, 1)}

    def _next_pace(self) -> None:
        assert self.runner is not None
        slower = (one for one in _PAUSES if one > self.runner.pause)
        self._pace(self.runner, next(slower, _PAUSES[0]))

    def _next_pause(self) -> None:
        assert self.runner is not None
        later = (one for one in PAUSES if one > self.runner.next_deal)
        self.runner.next_deal = next(later, PAUSES[0])

    def _turn_forced(self) -> None:
        assert self.runner is not None
        self.runner.forced = not self.runner.forced

    def _turn_colours(self) -> None:
        self._ink = replace(self._ink, four=not self._ink.four)
        if not self._ink.colour:
            self._say("this terminal is used without colours")

    def _in_words(self, runner: SessionRunner) -> tuple[str, ...]:
        """Return the settings, in the order of their digits."""
        begins = (
            f"after {runner.next_deal:g} seconds" if runner.next_deal else "when you press Enter"
        )
        return (
            f"{PACE}: {runner.pause:g} s a move",
            f"{NEXT_DEAL}: {begins}",
            f"{FORCED}: {'yes' if runner.forced else 'no'}",
            f"{FOUR_COLOURS}: {'yes' if self._ink.four else 'no'}",
        )

    # What needs the session -----------------------------------------------------------------

    def _do_why(self, runner: SessionRunner) -> None:
        scene, at = runner.scene, self.selection.at
        if not self._can_choose(runner) or not scene.hand:
            self._say("w tells why a card of your hand cannot be played, when it is your move")
        elif self.selection.listing:
            self._say("everything in this list can be chosen")
        elif scene.hand[at].id in self.selection.menu.legal:
            self._say(f"{self._ink.face(scene.hand[at]).text} can be played")
        else:
            self._start(self._why(runner, scene.hand[at]))

    async def _why(self, runner: SessionRunner, card: CardFace) -> None:
        reason = await runner.reason(card.id)
        words = self._ink.words(reason) if reason else "the rules do not allow it now"
        self._say(f"{self._ink.face(card).text} cannot be played: {words}")
        self._draw()

    def _do_hint(self, runner: SessionRunner) -> None:
        if self._hinting:
            self._say("the hint is still being computed; Esc cancels it")
        elif not runner.choosing or runner.busy:
            self._say("hints are for your own moves")
        else:
            self._hinting = True
            self._start(self._advise(runner))

    async def _advise(self, runner: SessionRunner) -> None:
        try:
            found = await runner.hint()
        except CardwrightError as error:  # not a reason to end the game
            self._say(f"no hint: {printable(str(error)).splitlines()[0]}")
        else:
            if self._hinting and not self.window and self._can_choose(runner):
                self.window_state = replace(self.window_state, hint=found)
                self.selection = self.selection.point(found.index)
                self._open("hint")
        self._hinting = False
        self._draw()

    def _do_claim(self, runner: SessionRunner) -> None:
        if self._can_choose(runner) and runner.scene.claim is not None:
            runner.claim()
        else:
            self._say("it is not proved that all ways to play on end the same")

    def _do_undo(self, runner: SessionRunner) -> None:
        if runner.choosing and not runner.busy:
            self._start(self._take_back(runner))
        else:
            self._say("moves can be taken back when it is your move")

    async def _take_back(self, runner: SessionRunner) -> None:
        try:
            plies = await runner.undo()
        except CardwrightError as error:
            self._say(printable(str(error)))
        else:
            self._say(f"{counted(plies, 'move')} taken back")
        self._draw()

    def _do_save(self, _runner: SessionRunner) -> None:
        path = self.display_options.save
        if path is None:
            self._say("there is no file to save to: --no-save")
        elif self._save():
            self._say(f"saved in {printable(str(path))}")


def say_farewell(app: TableApp, session: PlaySession, display: DisplayOptions) -> int:
    """Print scores, or how to resume; return the exit status: 0, 1 for an error, 130 for Ctrl-C."""
    if app.window_state.trouble:
        complain(app.window_state.trouble)
    if session.finished:
        _final(session)
        kept = display.save if app.window_state.saved else None
        if kept is not None:
            click.echo(printable(f"saved in {kept}; `cardwright replay {kept}` shows it"))
    elif app.window_state.saved and display.save is not None:
        click.echo(printable(f"saved in {display.save}; to resume it:"), err=True)
        click.echo(printable(f"  {session.how_to_go_on(display.save)}"), err=True)
    else:
        click.echo("the game is not over, and it is not saved", err=True)
    if app.left == "interrupt":
        return INTERRUPTED
    return 1 if app.window_state.trouble else 0


def _final(session: PlaySession) -> None:
    over = session.scene().over
    assert over is not None
    order = sorted(range(len(over.ranks)), key=lambda seat: over.ranks[seat])
    places = [f"{over.ranks[at] + 1}. {session.names[at]} {over.scores[at]}" for at in order]
    click.echo(printable(f"Final ranking: {listed(places)}"))
