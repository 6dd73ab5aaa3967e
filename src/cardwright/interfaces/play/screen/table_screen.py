"""The frame: it draws the picture and its windows, reports errors, saves and leaves."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from cardwright.game.errors import CardwrightError
from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.card_face import Ink, is_french
from cardwright.interfaces.play.screen.picture import Overlay, picture, what_is_cut
from cardwright.interfaces.play.screen.selection import Menu, Selection, watched
from cardwright.interfaces.play.screen.session_runner import SessionRunner, Watcher
from cardwright.interfaces.play.screen.text_box import ScreenSize, joined
from cardwright.interfaces.play.screen.windows import STAYS, TITLES, WindowState, content, key_line

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from cardwright.table.scene import TableScene
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions

_SOON = 1 / 60
"""Seconds for which changes are collected before they are drawn."""
_END = 10**9
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


class _Picture(Static):
    """The picture, which reports when its size changes."""

    def on_resize(self) -> None:
        """Redraw it for the new size."""
        if isinstance(self.app, TableScreen):
            self.app.resized()


class _PictureScreen(Screen[None], inherit_bindings=False):
    """The only screen, without Textual's own key bindings."""

    def compose(self) -> ComposeResult:
        """Lay out the picture, the only widget."""
        yield _Picture(id="picture", markup=False)


class TableScreen(App[None], inherit_bindings=False):
    """A session on the screen, without its keys.

    Afterwards `left` says how it ended: `end`, `quit`, `interrupt` or `trouble`; `window_state` has
    the error, and whether the game was saved.
    """

    ENABLE_COMMAND_PALETTE: ClassVar[bool] = False
    CSS = "#picture { width: 100%; height: 100%; }"

    def __init__(self, session: PlaySession, display: DisplayOptions) -> None:
        super().__init__(ansi_color=True)
        self.session = session
        self.display_options = display
        self.left = "quit"
        self.window_state = WindowState(session.setup.hint, display.save, session.rules())
        self.runner: SessionRunner | None = None
        self.window = ""
        self.selection = Selection()
        self._ink = Ink(
            display.colour, display.symbols, display.four_colours, is_french(session.game)
        )
        self._drawn: TableScene | None = None
        self._beneath = ""
        self._scroll = 0
        self._said = ""
        self._hinting = False
        self._stale = False
        self._tasks: set[asyncio.Task[None]] = set()

    def get_default_screen(self) -> Screen[None]:
        """Return the only screen."""
        return _PictureScreen()

    def on_mount(self) -> None:
        """Begin the game."""
        watcher = Watcher(self._draw, self._ended, self._say)
        self.runner = SessionRunner(self.session, self.display_options, watcher)
        loop = asyncio.get_running_loop()
        for name in _SIGNALS:
            with suppress(AttributeError, NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(getattr(signal, name), self._leave, "interrupt")
        self.set_interval(0.5, self._tick)
        self._start(self.runner.run())

    def resized(self) -> None:
        """Draw for a new size; show a message if it is too small."""
        self._said = what_is_cut(*self.screen.query_one(_Picture).size) or self._said
        self._draw()

    # Background work -----------------------------------------------------------------------

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Coroutine[None, None, None]) -> None:
        """Do some work; an error is shown, and the game is saved."""
        try:
            await work
        except MemoryError:
            self._stop("there is not enough memory for this player: give it fewer iterations")
        except CardwrightError as error:
            self._stop(str(error))
        except Exception as error:  # a player may raise anything; it is shown
            self._stop(f"{type(error).__name__}: {error}")

    def _stop(self, words: str) -> None:
        self.window_state = replace(self.window_state, trouble=printable(words))
        self._save()
        self._open("trouble")

    def _tick(self) -> None:
        """Count the seconds of a thinking player."""
        if self._hinting or (self.runner is not None and self.runner.status):
            self._draw()

    # Drawing --------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Schedule a redraw, once for all changes until then."""
        if not self._stale and self.is_running:
            self._stale = True
            self.set_timer(_SOON, self._paint)

    def _paint(self) -> None:
        self._stale = False
        if self.runner is None or not self.is_running:
            return
        look, scene, ink = self.runner.look, self.runner.scene, self._ink
        if scene is not self._drawn:
            self._drawn = scene
            self.selection = Selection.begin(Menu.of(scene, ink))
        place = self.screen.query_one(_Picture)
        width, height = place.size
        window = None
        if self.window:
            lines = content(self.window, look, self.window_state, ink, width - 4)
            self._scroll = max(0, min(self._scroll, len(lines) - 1))
            window = TITLES[self.window], tuple(lines)
        hinting = "a hint is being computed (Esc cancels)" if self._hinting else ""
        keys = key_line(
            self.window,
            watching=watched(scene),
            practice=self.session.setup.practice,
            width=width,
        )
        shown = Overlay(window, self._scroll, self._said, hinting or self.runner.status, keys)
        drawn = picture(look, self.selection, shown, ink, ScreenSize(width, height))
        place.update(joined(drawn, "\n"))

    def _say(self, words: str) -> None:
        self._said = words

    def _ended(self, name: str) -> None:
        """Show the end of a deal or the game; with no name, close that of a deal."""
        if name:
            if name == "end":
                self.window_state = replace(
                    self.window_state, saved=self.session.save_path is not None
                )
            self._open(name)
            return
        if self._beneath == "deal":
            self._beneath = ""
        if self.window == "deal":
            self._close()

    def _open(self, name: str) -> None:
        if self.window in STAYS | {"deal"} and name != self.window:
            self._beneath = self.window
        self.window = name
        self._scroll = _END if name == "log" else 0
        self._said = ""
        self._draw()

    def _close(self) -> None:
        closed, self.window, self._beneath = self.window, self._beneath, ""
        self._scroll = 0
        if closed == "deal" and self.runner is not None:
            self.runner.skip()

    # Saving and leaving -----------------------------------------------------------------------

    def _save(self) -> bool:
        """Save the game, if it has a file; report why if that fails."""
        saved = False
        if self.display_options.save is not None:
            try:
                self.session.save(self.display_options.save)
                saved = True
            except (CardwrightError, OSError) as error:
                words = printable(str(error))
                self._say(f"not saved: {words}")
                self.window_state = replace(
                    self.window_state, trouble=self.window_state.trouble or words
                )
        self.window_state = replace(self.window_state, saved=saved)
        return saved

    def save_after_all(self) -> None:
        """Save the game when the screen has crashed, as reported by Textual."""
        if self.return_code and not self.session.finished:
            self.window_state = replace(
                self.window_state, trouble="the screen crashed: please report this"
            )
            self._save()

    def _leave(self, how: str) -> None:
        self.left = how
        if not self.session.finished:
            self._save()
        self.exit()
