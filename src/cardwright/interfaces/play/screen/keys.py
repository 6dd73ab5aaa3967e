"""Keys: what each of them does, for the program and for the help."""

from __future__ import annotations

from typing import NamedTuple


class KeyCommand(NamedTuple):
    """A command: the names of its keys (as in Textual), their label, and what they do."""

    names: tuple[str, ...]
    action: str
    shown: str
    help: str


KEYS = (
    KeyCommand(("left",), "left", "Left/Right", "move over your hand"),
    KeyCommand(("right",), "right", "", ""),
    KeyCommand(("up",), "up", "Up/Down", "move over other choices"),
    KeyCommand(("down",), "down", "", ""),
    KeyCommand(("home",), "home", "Home/End", "go to the first or last"),
    KeyCommand(("end",), "end", "", ""),
    KeyCommand(("tab", "shift+tab"), "switch", "Tab", "hand, or all choices"),
    KeyCommand(("enter",), "enter", "Enter", "play, take, go on"),
    KeyCommand(("space",), "space", "Space", "pick a card; skip a pause"),
    KeyCommand(("escape", "backspace"), "escape", "Esc", "close; drop what is picked"),
    KeyCommand(("w",), "why", "w", "why can it not be played?"),
    KeyCommand(("question_mark",), "hint", "?", "hint of a computer player"),
    KeyCommand(("u",), "undo", "u", "take back (practice mode)"),
    KeyCommand(("r",), "rules", "r", "the rules of this game"),
    KeyCommand(("l",), "last", "l", "the last trick"),
    KeyCommand(("s",), "scores", "s", "scores of all deals"),
    KeyCommand(("v",), "log", "v", "all that happened so far"),
    KeyCommand(("plus", "equals_sign"), "slower", "+/-", "longer, shorter pauses"),
    KeyCommand(("minus",), "faster", "", ""),
    KeyCommand(("c",), "colours", "c", "two or four colours"),
    KeyCommand(("n",), "single", "n", "one move (while watching)"),
    KeyCommand(("S", "upper_s", "ctrl+s"), "save", "S, Ctrl-S", "save the game"),
    KeyCommand(("h", "f1"), "help", "h, F1", "this help"),
    KeyCommand(("q", "ctrl+q"), "quit", "q", "quit: asks, and saves"),
    KeyCommand(("ctrl+c",), "interrupt", "Ctrl-C", "save and leave at once"),
)
"""All commands; those without a help text are covered by their neighbours."""

COMMANDS = {name: key.action for key in KEYS for name in key.names}
"""The command of each key."""

TYPING = "Capitals and digits go to a card (Q, or Q and S), digits in a list to its row"
"""How cards are found by typing."""


def is_letter(char: str | None) -> bool:
    """Say whether a key is used to find cards: a capital letter or a digit."""
    return char is not None and len(char) == 1 and char.isalnum() and not char.islower()
