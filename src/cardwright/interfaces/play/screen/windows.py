"""Windows over the table, the keys that open them, and what they show."""

from __future__ import annotations

import shlex
import sys
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.interfaces.cli.text import printable
from cardwright.interfaces.play.screen.selection import owns
from cardwright.interfaces.play.screen.text_box import (
    Lines,
    ScreenSize,
    beside,
    block,
    fitted,
    joined,
    text,
)
from cardwright.table.vocabulary import (
    HINT,
    MEANING,
    NO_SCORES,
    NO_TRICK,
    deal_over,
    game_over,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from rich.text import Text

    from cardwright.interfaces.play.screen.card_face import Ink
    from cardwright.table.estimates import Hint
    from cardwright.table.rules_page import RulesPage
    from cardwright.table.scene import SceneTrick, TableLook, TableScene


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
    *(
        KeyCommand((key,), action, key, MEANING[key])
        for key, action in (
            ("w", "why"),
            ("h", "hint"),
            ("k", "claim"),
            ("u", "undo"),
            ("n", "next"),
            ("t", "last"),
            ("s", "scores"),
            ("l", "log"),
            ("r", "rules"),
            ("p", "settings"),
        )
    ),
    KeyCommand(("plus", "equals_sign"), "slower", "+/-", "a slower, faster pace"),
    KeyCommand(("minus",), "faster", "", ""),
    KeyCommand(("full_stop",), "single", ".", "one move (while watching)"),
    KeyCommand(("S", "upper_s", "ctrl+s"), "save", "S, Ctrl-S", "save the game"),
    KeyCommand(("question_mark", "f1"), "help", "?, F1", "this list"),
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


def scores(scene: TableScene, ink: Ink, width: int, *, now: bool = True) -> Lines:
    """Return the score of every deal, and the totals, a column per seat.

    With `now`, include the seats' scores in the current deal, where known.
    """
    sheet, names = scene.sheet, [seat.name for seat in scene.seats]
    if not sheet.deals and sheet.totals is None:
        return [text(NO_SCORES)]
    column = max(
        4, min(max(_COLUMN, *(len(name) + 2 for name in names)), (width - 6) // len(names))
    )
    short = [name[: column - 1] for name in names]
    lines = [_scored("deal", short, column, "bold")]
    lines += [
        _scored(str(number), list(map(str, deal)), column)
        for number, deal in enumerate(sheet.deals, 1)
    ]
    if sheet.totals is not None:
        lines.append(text(ink.rule * (6 + column * len(names)), "dim"))
        lines.append(_scored("total", list(map(str, sheet.totals)), column, "bold"))
    if not sheet.deals:
        lines.append(text("No deal is finished yet.", "dim"))
    points = [f"{seat.points:+d}" for seat in scene.seats if seat.points is not None]
    if now and points and scene.over is None:
        lines.append(_scored("now", points, column))
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


def last_trick(scene: TableScene, ink: Ink) -> Lines:
    """Return the last trick, in the order of play."""
    if scene.last is None:
        return [text(NO_TRICK)]
    return trick_lines(scene.last, [seat.name for seat in scene.seats], ink)


def trick_lines(trick: SceneTrick, names: Sequence[str], ink: Ink) -> Lines:
    """Return who played what, who led and who won."""
    wide = max(map(len, names))
    lines = []
    for played in trick.cards:
        seat, face = played.seat, ink.face(played.card)
        notes = ["led"] * (seat == trick.leader) + ["takes it"] * (seat == trick.winner)
        mark = ink.due if seat == trick.winner else " "
        card = fitted(text(face.text, face.bold), 4)
        lines.append(joined([mark, names[seat].ljust(wide), card, ", ".join(notes)]))
    return lines


def log(look: TableLook, ink: Ink, last: int = sys.maxsize) -> Lines:
    """Return what happened, one sentence per line, the earliest first: the last lines of it."""
    told = list(_told(look))[-last:] if last > 0 else []
    return [ink.coloured(ink.words(line)) for line in told]


def _told(look: TableLook) -> Iterator[str]:
    yield from look.scene.opening
    for event in look.events:
        who = "" if event.seat is None else f"{look.scene.seats[event.seat].name} "
        yield who + event.words
        for change in event.changes:
            yield f"  {change}"


def hint(found: Hint, asked: str, ink: Ink, width: int) -> Lines:
    """Return what a player advises, with its estimates."""
    lines = [ink.coloured(f"{HINT}: {ink.words(found.words)} ({asked})", "bold"), text()]
    if found.tried:
        told = "; ".join(unit.words for unit in found.units)
        wrapped = textwrap.wrap(f"Its estimates: {told}", max(20, min(width, _PROSE)))
        lines += [text(line, "dim") for line in wrapped]
        rows = [(found.amounts(option), words) for option, words in found.tried]
        wide = [max(map(len, column)) for column in zip(*(cells for cells, _ in rows), strict=True)]
        for amounts, words in rows:
            cells = "".join(f"  {one:>{room}}" for one, room in zip(amounts, wide, strict=True))
            lines.append(ink.coloured(f"{cells}  {ink.words(words)}"))
        if found.sureness:
            lines += [text(), text(found.sureness)]
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


def deal_end(scene: TableScene, ink: Ink, width: int) -> Lines:
    """Return the result of the deal for each seat, then the score sheet."""
    end = scene.deal_end
    assert end is not None
    lines = [text(f"{deal_over(end.number)}.", "bold")]
    for one in end.results:
        sign = one.sign if ink.symbols else ""
        lines.append(text(f"{sign} {one.words}".strip(), "bold"))
    lines.append(text())
    wide = max(len(seat.name) for seat in scene.seats)
    for seat, got, total in zip(scene.seats, end.points, end.totals, strict=True):
        line = text(f"{seat.name:<{wide}} {got:+5d}   {total:>4} in all")
        took = [ink.face(card).line for card in end.taken[seat.seat]] if end.taken else []
        lines.append(joined([line, "  took", *took]) if took else line)
    return [*lines, text(), *scores(scene, ink, width, now=False)]


def game_end(scene: TableScene, ink: Ink, width: int, kept: Lines) -> Lines:
    """Return the final ranking, whether the game is saved, then the score sheet."""
    over = scene.over
    assert over is not None
    lines = [text(game_over(over.words), "bold"), text()]
    wide = max(len(seat.name) for seat in scene.seats)
    for seat in sorted(scene.seats, key=lambda seat: over.ranks[seat.seat]):
        place = f"{over.ranks[seat.seat] + 1}."
        style = "bold reverse" if owns(scene, seat.seat) else ""
        row = f" {place:<3} {seat.name:<{wide}} {over.scores[seat.seat]:6d} "
        lines.append(text(row, style))
    lines += [text(), *kept]
    if scene.sheet.deals:
        lines += [text(), *scores(scene, ink, width)]
    return lines


TITLES = {
    "help": "Keys",
    "rules": "Rules",
    "scores": "Scores",
    "last": "Last trick",
    "log": "Log",
    "settings": "Settings",
    "hint": HINT,
    "deal": "End of the deal",
    "end": "End of the game",
    "quit": "Quit?",
    "trouble": "The game cannot go on",
}
"""The windows, by name, and their titles."""
OPENED = frozenset({"help", "rules", "scores", "last", "log", "settings", "quit"})
"""Those with their own key, which opens them from anywhere."""
STAYS = frozenset({"end", "trouble"})
"""The final windows: only leaving closes them."""


@dataclass(frozen=True)
class WindowState:
    """What windows show besides the scene.

    `rules` are those of the game. `hint` is the last one and `advisor` the player that gave it;
    `file` is where the game is saved, None for nowhere. `trouble` is the error, and `saved` says
    whether the game was saved then, or at its end. `settings` are those of the display, in words.
    """

    advisor: str
    file: Path | None
    rules: RulesPage | None = None
    hint: Hint | None = None
    trouble: str = ""
    saved: bool = False
    settings: tuple[str, ...] = ()


def content(name: str, look: TableLook, state: WindowState, ink: Ink, width: int) -> Lines:
    """Return the lines of a window with this inner width."""
    scene = look.scene
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
            return log(look, ink) or [text("Nothing has happened yet.")]
        case "settings":
            told = (f"{number}  {words}" for number, words in enumerate(state.settings, 1))
            return [*map(text, told), text(), text("A digit changes a setting.", "dim")]
        case "hint":
            assert state.hint is not None
            return hint(state.hint, state.advisor, ink, width)
        case "deal":
            return deal_end(scene, ink, width)
        case "end":
            return game_end(scene, ink, width, _kept(state))
        case "quit":
            return _quit(scene, state)
    return _trouble(state)


def _quit(scene: TableScene, state: WindowState) -> Lines:
    if scene.over is not None:
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
        return " Enter, q leave  Up/Down scroll  s scores  l log  S save"
    if name == "deal":
        return " Enter, n next deal  Up/Down scroll  s scores  l log  q quit"
    if name:
        return " Enter, Esc close  Up/Down scroll  q quit"
    if width < 72:
        return " Enter plays  r rules  ? keys  q quit"
    if watching:
        return " Space pause  . one move  +/- pace  s scores  l log  r rules  ? keys  q quit"
    undo = "  u undo" if practice else ""
    log = "" if practice and width < 86 else "  l log"
    return f" Enter play  w why  h hint{undo}  t last  s scores{log}  r rules  ? keys  q quit"
