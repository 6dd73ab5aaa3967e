"""Windows: the contents of those that open over the table."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen import sheet_view
from cardwright.interfaces.play.screen.text_box import Lines, text

if TYPE_CHECKING:
    from pathlib import Path

    from cardwright.interfaces.play.screen.card_face import Faces
    from cardwright.interfaces.play.screen.scene import Scene
    from cardwright.table.hint import Hint
    from cardwright.table.rules_page import RulesPage

TITLES = {
    "help": "Help",
    "rules": "Rules",
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
OPENED = frozenset({"help", "rules", "scores", "last", "log", "quit"})
"""Those with their own key, which opens them from anywhere."""
STAYS = frozenset({"end", "trouble"})
"""The final windows: only leaving closes them."""


@dataclass(frozen=True)
class WindowState:
    """What windows show besides the scene.

    `rules` are those of the game. `hint` is the last one and `advisor` the player that gave it;
    `file` is where the game is saved, None for nowhere. `trouble` is the error, and `saved` says
    whether the game was saved then, or at its end.
    """

    advisor: str
    file: Path | None
    rules: RulesPage | None = None
    hint: Hint | None = None
    trouble: str = ""
    saved: bool = False


def content(name: str, scene: Scene, state: WindowState, faces: Faces, width: int) -> Lines:
    """Return the lines of a window with this inner width."""
    ink = faces.ink
    match name:
        case "help":
            return sheet_view.help_lines(ink, width)
        case "rules":
            assert state.rules is not None
            return sheet_view.rules(state.rules, width)
        case "scores":
            return sheet_view.scores(scene, ink, width)
        case "last":
            return sheet_view.last_trick(scene, ink)
        case "log":
            return sheet_view.log(scene, ink)
        case "hint":
            assert state.hint is not None
            return sheet_view.hint(state.hint, state.advisor, faces, width)
        case "deal":
            return sheet_view.deal_end(scene, ink, width)
        case "end":
            return sheet_view.game_end(scene, ink, width, _kept(state))
        case "quit":
            return _quit(scene, state)
    return _trouble(state)


def _quit(scene: Scene, state: WindowState) -> Lines:
    if scene.finished:
        kept = "The game is over."
    elif state.file is None:
        kept = "The game is not saved (--no-save)."
    else:
        kept = f"The game is saved in {printable(str(state.file))}; you can resume it later."
    return [text("Leave the table?", "bold"), text(), text(kept), text(), text("y yes   n no")]


def _kept(state: WindowState) -> Lines:
    """Return whether the finished game is saved, and how to see it again."""
    if state.file is None:
        return [text("The game is not saved (--no-save).")]
    name = printable(str(state.file))
    if not state.saved:
        return [text(f"S saves the whole game in {name}.")]
    call = printable(shlex.join(["cardwright", "replay", str(state.file)]))
    return [text(f"The game is saved in {name}."), text(f"{call} shows it.")]


def _trouble(state: WindowState) -> Lines:
    kept = "The game is saved as it was before." if state.saved else "The game is not saved."
    words = [*state.trouble.split("\n"), "", kept, "Enter or q leaves."]
    return [text(line) for line in words]


def key_line(name: str, *, watching: bool, practice: bool, width: int) -> str:
    """Return the line of keys at the bottom, for a window (or none) and a width."""
    if name == "quit":
        return " y yes  n no"
    if name in STAYS:
        return " Enter, q leave  Up/Down scroll  s scores  v log  S save"
    if name == "deal":
        return " Enter goes on  Up/Down scroll  s scores  v log  q quit"
    if name:
        return " Enter, Esc close  Up/Down scroll  q quit"
    if width < 72:
        return " Enter plays  r rules  h help  q quit"
    if watching:
        return " Space pause  n one move  +/- speed  s scores  v log  r rules  h help  q quit"
    undo = "  u undo" if practice else ""
    log = "" if practice and width < 86 else "  v log"
    return f" Enter play  w why  ? hint{undo}  l last  s scores{log}  r rules  h help  q quit"
