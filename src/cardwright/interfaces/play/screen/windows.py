"""Windows: what each of those that open over the table says."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen import sheet_view
from cardwright.interfaces.play.screen.text_box import Lines, text

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.interfaces.play.hint import Hint
    from cardwright.interfaces.play.screen.card_face import Faces
    from cardwright.interfaces.play.screen.scene import Scene

TITLES = {
    "help": "Help",
    "scores": "Scores",
    "last": "Last trick",
    "log": "So far",
    "hint": "Hint",
    "deal": "End of the deal",
    "end": "End of the game",
    "quit": "Quit?",
    "trouble": "The game cannot go on",
}
"""The windows, by name, and their titles."""
OPENED = frozenset({"help", "scores", "last", "log", "quit"})
"""Those that a key of their own opens, from anywhere."""
STAYS = frozenset({"end", "trouble"})
"""Those that are the last thing to be seen: only leaving closes them."""


@dataclass(frozen=True)
class WindowState:
    """What windows tell besides the scene.

    `hint` is the last one and `advisor` who gave it; `file` is where the game is kept, None for
    nowhere. `trouble` is what went wrong, and `saved` whether the game was saved then, or at its
    end.
    """

    advisor: str
    file: Path | None
    hint: Hint | None = None
    trouble: str = ""
    saved: bool = False


def content(name: str, scene: Scene, told: WindowState, faces: Faces, width: int) -> Lines:
    """Return the lines of a window that is so wide inside."""
    ink = faces.ink
    match name:
        case "help":
            return sheet_view.help_lines(ink, width)
        case "scores":
            return sheet_view.scores(scene, ink, width)
        case "last":
            return sheet_view.last_trick(scene, ink)
        case "log":
            return sheet_view.log(scene, ink)
        case "hint":
            assert told.hint is not None
            return sheet_view.hint(told.hint, told.advisor, faces)
        case "deal":
            return sheet_view.deal_end(scene, ink, width)
        case "end":
            return sheet_view.game_end(scene, ink, width, _kept(told))
        case "quit":
            return _quit(scene, told)
    return _trouble(told)


def _quit(scene: Scene, told: WindowState) -> Lines:
    if scene.finished:
        kept = "The game is over."
    elif told.file is None:
        kept = "The game is not kept (--no-save)."
    else:
        kept = f"The game is saved in {printable(str(told.file))}; you can go on later."
    return [text("Leave the table?", "bold"), text(), text(kept), text(), text("y yes   n no")]


def _kept(told: WindowState) -> Lines:
    """Return whether the game that is over is kept, and how it is seen again."""
    if told.file is None:
        return [text("The game is not kept (--no-save).")]
    name = printable(str(told.file))
    if not told.saved:
        return [text(f"S keeps the whole game in {name}.")]
    call = printable(shlex.join(["cardwright", "replay", str(told.file)]))
    return [text(f"The game is kept in {name}."), text(f"{call} shows it.")]


def _trouble(told: WindowState) -> Lines:
    kept = "The game is saved as it was before." if told.saved else "The game is not kept."
    words = [*told.trouble.split("\n"), "", kept, "Enter or q leaves."]
    return [text(line) for line in words]


def key_line(name: str, *, watching: bool, practice: bool, width: int) -> str:
    """Return the line of keys that stands at the bottom, for a window (or none) and a width."""
    if name == "quit":
        return " y yes  n no"
    if name in STAYS:
        return " Enter, q leave  Up/Down scroll  s scores  v log  S save"
    if name == "deal":
        return " Enter goes on  Up/Down scroll  s scores  v log  q quit"
    if name:
        return " Enter, Esc close  Up/Down scroll  q quit"
    if width < 72:
        return " Enter plays  h help  q quit"
    if watching:
        return " Space pause  n one move  +/- speed  s scores  v log  h help  q quit"
    undo = "  u undo" if practice else ""
    return f" Enter play  w why  ? hint{undo}  l last  s scores  v log  h help  q quit"
