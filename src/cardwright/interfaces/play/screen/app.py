"""The app: does what the keys say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.game.errors import CardwrightError
from cardwright.interfaces.cli.text import counted, printable
from cardwright.interfaces.play.screen.card_face import Faces
from cardwright.interfaces.play.screen.frame import Frame
from cardwright.interfaces.play.screen.keys import COMMANDS, is_letter
from cardwright.interfaces.play.screen.selection import Selection
from cardwright.interfaces.play.screen.windows import OPENED, STAYS

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual import events

    from cardwright.interfaces.play.screen.course import Course

_PAUSES = (0.0, 0.1, 0.2, 0.4, 0.6, 1.0, 1.5, 2.5, 4.0)
"""Seconds a move between which `+` and `-` go."""
_CURSOR: dict[str, Callable[[Selection], Selection]] = {
    "left": lambda selection: selection.across(-1),
    "right": lambda selection: selection.across(1),
    "up": lambda selection: selection.down(-1),
    "down": lambda selection: selection.down(1),
    "home": lambda selection: selection.end(last=False),
    "end": lambda selection: selection.end(last=True),
    "switch": lambda selection: selection.switch(),
}
_FAR = 10**9
_SCROLL = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, "home": -_FAR, "end": _FAR}


class TableApp(Frame):
    """A sitting on the screen, with its keys: each command of `keys` has a method."""

    async def on_key(self, event: events.Key) -> None:
        """Do what a key says; one that says nothing gets a message."""
        event.stop()
        event.prevent_default()
        assert self.course is not None
        command = COMMANDS.get(event.key) or COMMANDS.get(event.character or "") or ""
        self._said = ""
        if command == "interrupt":
            self._leave("interrupt")
        elif self.window:
            self._in_window(event.key, command)
        elif is_letter(event.character) and self._typed(event.character or "", self.course):
            pass
        elif command in OPENED:
            self._open(command)
        elif command in _CURSOR:
            self._act(_CURSOR[command], self.course)
        elif command:
            getattr(self, f"_do_{command}")(self.course)
        else:
            shown = event.character if event.is_printable else event.key
            self._say(f"{shown} does nothing here; h has all keys")
        self._draw()

    def _in_window(self, key: str, command: str) -> None:
        """Do what a key says while a window is open."""
        if self.window == "quit":
            if key in {"y", "Y", "enter"}:
                self._leave("quit")
            elif key in {"n", "N", "escape"}:
                self._close()
            else:
                self._say("y leaves, n stays")
        elif key in _SCROLL:
            self._scroll = max(0, self._scroll + _SCROLL[key])
        elif command == "save" and self.course is not None:
            self._do_save(self.course)
        elif self.window in STAYS and command in {"quit", "enter"}:
            self._leave(self.window)
        elif command in OPENED - {self.window}:
            self._open(command)
        elif self.window in STAYS:
            self._say("Enter or q leaves")
        elif command in {"enter", "escape", "space", self.window}:
            self._close()
        else:
            self._say("Enter or Esc closes this window")

    def _can_choose(self, course: Course) -> bool:
        """Whether the person's move is waited for and has been drawn.

        A key may arrive between a new decision and the next drawing. It was meant for the cards
        that were shown then, and `selection` is still theirs: its option may not exist any more.
        """
        return course.choosing and course.scene.menu is self._menu

    def _typed(self, char: str, course: Course) -> bool:
        """Move to the card that is being typed; False if the letter is a command instead."""
        if not self._can_choose(course):
            return False
        found = self.selection.jump(char)
        if found.said and char in COMMANDS:
            return False
        self._select(found, course)
        return True

    def _act(self, change: Callable[[Selection], Selection], course: Course) -> None:
        if self._can_choose(course):
            self._select(change(self.selection), course)
        elif course.choosing:
            self._say("it has just become your move: the key again")
        elif not course.scene.finished:
            self._say("it is not your move")

    def _select(self, selection: Selection, course: Course) -> None:
        self.selection = selection
        self._said = selection.said
        if selection.taken is not None and course.busy:
            self._say("the hint is still being computed: a moment, please")
        elif selection.taken is not None:
            course.choose(selection.taken)
        elif selection.asked is not None:
            self._do_why(course)

    def _do_enter(self, course: Course) -> None:
        if course.waiting:
            course.skip()
        elif course.choosing and course.too_soon:
            self._say("it has just become your move: Enter again plays")
        else:
            self._act(Selection.enter, course)

    def _do_space(self, course: Course) -> None:
        if course.scene.watching:
            course.hold()
        elif course.waiting:
            course.skip()
        else:
            self._act(Selection.toggle, course)

    def _do_escape(self, course: Course) -> None:
        if self._hinting:
            self._hinting = False
        elif course.choosing:
            self._act(Selection.drop, course)
        else:
            self._say("q quits")

    def _do_single(self, course: Course) -> None:
        if course.scene.watching:
            course.single()
        else:
            self._say("n is for games that you watch (--auto)")

    def _do_slower(self, course: Course) -> None:
        self._pace(course, next((one for one in _PAUSES if one > course.pause), course.pause))

    def _do_faster(self, course: Course) -> None:
        slower = [one for one in _PAUSES if one < course.pause]
        self._pace(course, slower[-1] if slower else course.pause)

    def _pace(self, course: Course, pause: float) -> None:
        course.pause = pause
        self._say(f"a pause of {pause:g} s after each move")

    def _do_colours(self, course: Course) -> None:
        ink = self._faces.ink
        self._faces = Faces(self.sitting.game, replace(ink, four=not ink.four))
        if not ink.colour:
            self._say("this terminal is used without colours")
        else:
            self._start(course.use(self._faces))

    def _do_why(self, course: Course) -> None:
        scene, at = course.scene, self.selection.at
        if not self._can_choose(course) or not scene.cards:
            self._say("w tells why a card of your hand cannot be played, when it is your move")
        elif self.selection.listing:
            self._say("everything in this list can be chosen")
        elif scene.menu.hand[at] in scene.menu.legal:
            self._say(f"{scene.hand[at].text} can be played")
        else:
            self._start(self._why(course, at))

    async def _why(self, course: Course, at: int) -> None:
        scene = course.scene
        reason = await course.reason(scene.cards[at])
        words = self._faces.words(reason) if reason else "the rules do not offer it now"
        self._say(f"{scene.hand[at].text} cannot be played: {words}")
        self._draw()

    def _do_hint(self, course: Course) -> None:
        if self._hinting:
            self._say("the hint is still being computed; Esc: never mind")
        elif not course.choosing or course.busy:
            self._say("hints are for your own moves")
        else:
            self._hinting = True
            self._start(self._advise(course))

    async def _advise(self, course: Course) -> None:
        try:
            found = await course.hint()
        except CardwrightError as error:  # no reason to end the game
            self._say(f"no hint: {printable(str(error)).splitlines()[0]}")
        else:
            if self._hinting and not self.window and self._can_choose(course):
                self.told = replace(self.told, hint=found)
                self.selection = self.selection.point(found.index)
                self._open("hint")
        self._hinting = False
        self._draw()

    def _do_undo(self, course: Course) -> None:
        if course.choosing and not course.busy:
            self._start(self._take_back(course))
        else:
            self._say("moves can be taken back when it is your move")

    async def _take_back(self, course: Course) -> None:
        try:
            plies = await course.undo()
        except CardwrightError as error:
            self._say(printable(str(error)))
        else:
            self._say(f"{counted(plies, 'move')} taken back")
        self._draw()

    def _do_save(self, _course: Course) -> None:
        path = self.manner.save
        if path is None:
            self._say("there is no file to save to: --no-save")
        elif self._save():
            self._say(f"saved in {printable(str(path))}")
