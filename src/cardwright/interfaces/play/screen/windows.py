"""Windows over the table, the keys that open them, and what they show."""

from __future__ import annotations

import shlex
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.interfaces.cli.text import listed, printable
from cardwright.interfaces.play.screen.text_box import (
    Lines,
    ScreenSize,
    beside,
    block,
    fitted,
    joined,
    text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.text import Text

    from cardwright.interfaces.play.screen.card_face import Faces, Ink
    from cardwright.interfaces.play.screen.scene import Scene, TrickShown
    from cardwright.table.estimates import Hint
    from cardwright.table.rules_page import RulesPage


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


_COLUMN = 9
"""The least width of a seat's scores."""
_PROSE = 88
"""The most columns of a paragraph."""


def window(title: str, lines: Sequence[Text], ink: Ink, size: ScreenSize, scroll: int = 0) -> Lines:
    """Return lines in a window of this size, with the title in its upper edge.

    `scroll` lines are skipped at the top, but never so many that the window is not full.
    """
    edges = "╭╮╰╯│" if ink.symbols else "++++|"
    width, height = size
    inner, room = max(1, width - 4), max(1, height - 2)
    most = max(0, len(lines) - room)
    at = min(scroll, most)
    shown = lines[at : at + room]
    note = "" if not most else f" {at + 1}-{at + len(shown)} of {len(lines)}: Up/Down "
    rule = max(1, width - 2)
    top = joined([edges[0], text(f" {title} ", "bold"), ink.rule * rule], "")
    foot = joined([edges[2], ink.rule * max(0, rule - len(note) - 1), note, ink.rule], "")
    body = [
        joined([edges[4], fitted(line, inner, ink.more), edges[4]])
        for line in [*shown, *[text()] * (room - len(shown))]
    ]
    return [
        joined([fitted(top, width - 1, ""), edges[1]], ""),
        *body,
        joined([fitted(foot, width - 1, ""), edges[3]], ""),
    ][:height]


def scores(scene: Scene, ink: Ink, width: int, *, now: bool = True) -> Lines:
    """Return the score of every deal, and the totals, a column per seat.

    With `now`, include the seats' scores in the current deal, where known.
    """
    sheet, names = scene.sheet, scene.names
    if not sheet.deals and scene.scores is None:
        return [text("No scores yet: this game stores none until it is over.")]
    column = max(
        4, min(max(_COLUMN, *(len(name) + 2 for name in names)), (width - 6) // len(names))
    )
    short = [name[: column - 1] for name in names]
    lines = [_scored("deal", short, column, "bold")]
    lines += [
        _scored(str(number), list(map(str, deal)), column)
        for number, deal in enumerate(sheet.deals, 1)
    ]
    if scene.scores is not None:
        lines.append(text(ink.rule * (6 + column * len(names)), "dim"))
        lines.append(_scored("total", list(map(str, scene.scores)), column, "bold"))
    if not sheet.deals:
        lines.append(text("No deal is finished yet.", "dim"))
    hearts = scene.hearts
    if now and hearts is not None and not scene.finished:
        lines.append(_scored("now", [f"{points:+d}" for points in hearts.points], column))
    return lines


def _scored(head: str, cells: Sequence[str], column: int, style: str = "") -> Text:
    row = "".join(cell.rjust(column) for cell in cells)
    return text(f"{head:<6}{row}", style)


def rules(page: RulesPage, width: int) -> Lines:
    """Return the rules of the game, each paragraph below its heading."""
    lines = [text(printable(page.title), "bold")]
    for heading, paragraph in page.told():
        lines += [text(), text(printable(heading), "bold")] if heading else [text()]
        lines += map(text, textwrap.wrap(printable(paragraph), max(20, min(width, _PROSE))))
    return lines


def last_trick(scene: Scene, ink: Ink) -> Lines:
    """Return the last trick, in the order of play."""
    if scene.hearts is None:
        return [text("Last tricks are kept in the games of the Hearts family only; v has the log.")]
    if scene.last is None:
        return [text("No trick of this deal is finished yet.")]
    return trick_lines(scene.last, scene.names, ink)


def trick_lines(trick: TrickShown, names: Sequence[str], ink: Ink) -> Lines:
    """Return who played what, who led and who won."""
    wide = max(map(len, names))
    lines = []
    for seat, face in trick.cards:
        notes = ["led"] * (seat == trick.leader) + ["takes it"] * (seat == trick.winner)
        mark = ink.due if seat == trick.winner else " "
        card = fitted(text(face.text, face.bold), 4)
        lines.append(joined([mark, names[seat].ljust(wide), card, ", ".join(notes)]))
    return lines


def log(scene: Scene, ink: Ink) -> Lines:
    """Return all that happened."""
    return [ink.coloured(line) for line in scene.log] or [text("Nothing has happened yet.")]


def hint(found: Hint, asked: str, faces: Faces, width: int) -> Lines:
    """Return what a player advises, with its estimates."""
    lines = [faces.ink.coloured(f"{asked} would {faces.words(found.words)}.", "bold"), text()]
    if found.tried:
        told = "; ".join(unit.words for unit in found.units)
        wrapped = textwrap.wrap(f"Its estimates: {told}", max(20, min(width, _PROSE)))
        lines += [text(line, "dim") for line in wrapped]
        for option, words in found.tried:
            cells = "".join(f"{amount:>8}" for amount in found.amounts(option))
            lines.append(faces.ink.coloured(f"{cells}  {faces.words(words)}"))
    return [*lines, text(), text("Esc closes this.", "dim")]


def help_lines(ink: Ink, width: int) -> Lines:
    """Return all keys, in two columns if they fit, and the signs of the screen."""
    half = width // 2
    keys = [text(f"{key.shown:<11}{key.help}") for key in KEYS if key.shown]
    wide = half > max(key.cell_len for key in keys)
    if wide:
        middle = (len(keys) + 1) // 2
        keys += [text()] * (2 * middle - len(keys))
        keys = beside(block(keys[:middle], half, middle), keys[middle:])
    return [
        *keys,
        text(TYPING),
        text(),
        text("double frame or [Q]: under the cursor   (Q) cannot be played now   + picked"),
        text(f"{ink.due} has to decide   {ink.back * 3} hidden cards   1 on a card: it was led"),
        text("double frame in a trick: wins so far   took: penalty cards of this deal"),
    ]


def deal_end(scene: Scene, ink: Ink, width: int) -> Lines:
    """Return the result of the deal for each seat, then the score sheet."""
    number, deal, ended = len(scene.sheet.deals), scene.sheet.deals[-1], scene.ended
    wide = max(map(len, scene.names))
    over = f"Deal {number} is over."
    if ended is not None and ended.moon is not None:
        has = "has" if scene.watching or ended.moon != scene.shown else "have"
        over += f" {scene.names[ended.moon]} {has} shot the moon!"
    lines = [text(over, "bold"), text()]
    for seat, (name, got) in enumerate(zip(scene.names, deal, strict=True)):
        now = "" if scene.scores is None else f"   now {scene.scores[seat]:>4}"
        line = text(f"{name:<{wide}} {got:+5d}{now}")
        took = [face.line for face in scene.taken[seat]] if scene.taken else []
        lines.append(joined([line, "  took", *took]) if took else line)
    return [*lines, text(), *scores(scene, ink, width, now=False)]


def game_end(scene: Scene, ink: Ink, width: int, kept: Lines) -> Lines:
    """Return the final ranking, whether the game is saved, then the score sheet."""
    assert scene.scores is not None
    assert scene.ranks is not None
    winners = [seat for seat, rank in enumerate(scene.ranks) if rank == 0]
    you = not scene.watching and winners == [scene.shown]
    verb = "win" if len(winners) > 1 or you else "wins"
    names = listed([scene.names[seat] for seat in winners])
    lines = [text(f"The game is over: {names} {verb}.", "bold"), text()]
    wide = max(map(len, scene.names))
    for seat in sorted(range(len(scene.names)), key=lambda seat: scene.ranks[seat]):  # type: ignore[index]
        place = f"{scene.ranks[seat] + 1}."
        style = "bold reverse" if seat == scene.shown and not scene.watching else ""
        row = f" {place:<3} {scene.names[seat]:<{wide}} {scene.scores[seat]:6d} "
        lines.append(text(row, style))
    lines += [text(), *kept]
    if scene.sheet.deals:
        lines += [text(), *scores(scene, ink, width)]
    return lines


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
            return help_lines(ink, width)
        case "rules":
            assert state.rules is not None
            return rules(state.rules, width)
        case "scores":
            return scores(scene, ink, width)
        case "last":
            return last_trick(scene, ink)
        case "log":
            return log(scene, ink)
        case "hint":
            assert state.hint is not None
            return hint(state.hint, state.advisor, faces, width)
        case "deal":
            return deal_end(scene, ink, width)
        case "end":
            return game_end(scene, ink, width, _kept(state))
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
