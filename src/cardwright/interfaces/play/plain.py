"""Plain mode: a session with prompts and lines, for pipes, screen readers and small terminals."""

from __future__ import annotations

import re
import sys
import textwrap
import time
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardwright.english import YOU, agreed, counted, named
from cardwright.game.errors import CardwrightError, GameError, OptionTextError
from cardwright.game.wording.option_text import FEW, OptionTexts, read_cards, short_name
from cardwright.interfaces.cli.text import printable
from cardwright.table.vocabulary import (
    HINT,
    NO_SCORES,
    NO_TRICK,
    deal_over,
    game_over,
    wins,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.english import SentenceSubject
    from cardwright.game.wording.describe import DescribedOption
    from cardwright.program.cards import Card
    from cardwright.table.account import Event
    from cardwright.table.scene import CardFace, ScenePile, SceneTrick
    from cardwright.table.session import PlaySession
    from cardwright.table.setup import DisplayOptions

_INDEX = re.compile("[0-9]{1,9}")


def read_answer(text: str, session: PlaySession, *, numbered: bool = True) -> int:
    """Return the index of the option that an answer means, read like `State.parse`.

    Numbers of options count only if they are `numbered`: nobody chooses what was not shown. Raises
    OptionTextError, which says what is wrong and which command helps.
    """
    choices = session.choices()
    known = session.namer, session.game.cards, session.hand(), session.reason
    texts = OptionTexts(choices, *known, also=session.rule_words(), players=session.names)
    try:
        if numbered or not _INDEX.fullmatch(text):
            return texts.index(text, numbered=numbered)
        return texts.named(text)
    except OptionTextError as error:
        if not numbered and _INDEX.fullmatch(text):
            raise OptionTextError(
                "these options have no numbers until `options` has listed them; name cards instead"
            ) from None
        raise OptionTextError(_helped(error, choices)) from None


def answered_cards(text: str, session: PlaySession) -> list[Card]:
    """Return the cards that an answer names, of the hand or of any option.

    Raises OptionTextError like `read_answer`.
    """
    choices = session.choices()
    nameable = [*(card for choice in choices for card in choice.cards), *session.hand()]
    try:
        return read_cards(text, session.namer, nameable, session.game.cards)
    except OptionTextError as error:
        raise OptionTextError(_helped(error, choices)) from None


def _helped(error: OptionTextError, choices: Sequence[DescribedOption]) -> str:
    """Return the message at the terminal for a text that is not understood."""
    if error.unknown:
        return f"{error.unknown!r} is neither a card nor a command; `help` lists what you can write"
    if not error.found:
        return f"{error}; `options` lists them all"
    if len(error.found) > FEW:
        return str(error)
    lines = (f"  {index}  {choices[index].words}" for index in error.found)
    return "\n".join([f"{error}:", *lines])


def how_to_answer(
    choices: Sequence[DescribedOption], card: Callable[[Card], str], names: Sequence[str]
) -> str | None:
    """Return how to name a player, if options differ by players; `card` formats cards."""
    naming = [choice for choice in choices if choice.players]
    if len({choice.players for choice in naming}) < 2:
        return None
    player = names[naming[0].players[0]]
    if naming[0].cards:
        example = f"{player} {card(naming[0].cards[0])}"
        return f"write a number, or the player and a card that you mean: {example}"
    return f"write a number, or the player that you mean: {player}"


MOST_OPTIONS = 40
"""Longer lists of options are printed on request only."""

_PILE = 8
"""The most cards of a pile that are named, from the top."""

_WIDTH = 88
"""The most columns of a line of the rules."""


class Lines:
    """Shows a session as lines; `symbols` says whether suits are symbols or letters."""

    def __init__(self, session: PlaySession, *, symbols: bool) -> None:
        self._session = session
        self._symbols = symbols

    def card(self, card: Card) -> str:
        """Return the short name of a card."""
        return short_name(card, self._session.namer, symbols=self._symbols)

    def cards(self, cards: Iterable[Card]) -> str:
        """Return short names of cards, with commas between names of several words."""
        names = [self.card(card) for card in cards]
        return (", " if any(" " in name for name in names) else " ").join(names)

    def faces(self, faces: Iterable[CardFace]) -> str:
        """Return short names of cards of a scene."""
        return self.cards(self._session.game.program.cards[face.id] for face in faces)

    def who(self, seat: int) -> str:
        """Return the name of a seat's player."""
        return self._session.names[seat]

    # What happens -------------------------------------------------------------------------

    def event(self, event: Event) -> list[str]:
        """Return what was seen of a decision and its consequences, until a deal ended."""
        assert event.seat is not None
        return [f"{self.who(event.seat)} {event.words}", *self.changes(event.changes)]

    def changes(self, changes: Iterable[str]) -> list[str]:
        """Return sentences, each a line."""
        return [f"  {change}" for change in changes]

    # The pending decision -------------------------------------------------------------------

    def decision(self) -> list[str]:
        """Return all that is needed to decide: hand, table, options."""
        scene = self._session.scene()
        lines = ["", f"Your turn. {self._session.prompt()}"]
        of_hearts = any(seat.points is not None for seat in scene.seats)
        lines += self._trick(scene.trick) if of_hearts else self.table()
        if scene.warning is not None:
            lines.append(f"Beware: {scene.warning}")
        if hand := self.hand():
            lines.append(f"Hand: {hand}")
        if scene.new:
            new = (self._session.game.cards[card] for card in scene.new)
            lines.append(f"New: {self.cards(new)}")
        if scene.claim is not None:
            lines.append(f"You can `claim` the rest: {scene.claim}")
        return [*lines, *self.options()]

    def hand(self) -> str:
        """Return the hand, with gaps between suits."""
        cards = self._session.hand()
        suits = groupby(cards, lambda card: card.attributes.get("SUIT"))
        return "   ".join(self.cards(group) for _, group in suits)

    @property
    def numbered(self) -> bool:
        """Whether the options of this decision are shown with their numbers."""
        return len(self._session.choices()) <= MOST_OPTIONS

    def options(self, *, whole: bool = False) -> list[str]:
        """Return the options with their numbers; for a long list only how to answer."""
        choices = self._session.choices()
        how_to_name = how_to_answer(choices, self.card, self._session.names)
        if not (self.numbered or whole):
            if how_to_name:
                return [f"{how_to_name} ({counted(len(choices), 'option')}; `options` lists them)"]
            sizes = {len(choice.cards) for choice in choices}
            size = sizes.pop() if len(sizes) == 1 else 0
            how = f"choose {size} cards of your hand" if size > 1 else "name the cards you choose"
            return [f"{how} ({counted(len(choices), 'option')}; `options` lists them)"]
        digits = len(str(len(choices) - 1))
        lines = [f"  {choice.index:>{digits}}  {choice.words}" for choice in choices]
        return [*lines, how_to_name] if how_to_name else lines

    def table(self) -> list[str]:
        """Return all that lies on the table but the seat's own hand, and what is known besides."""
        scene = self._session.scene()
        lines = self._trick(scene.trick)
        for seat in scene.seats:
            whose = "Your" if seat.seat == self._session.own else f"{seat.name}'s"
            if seat.cards:
                lines.append(f"{whose} hand: {counted(seat.cards, 'card')}")
            lines += [f"{whose} {self._pile(pile)}" for pile in seat.piles]
        for pile in map(self._pile, scene.piles):
            lines.append(f"{pile[:1].upper()}{pile[1:]}")
        if shown := scene.lines():
            lines.append(f"({'; '.join(shown)})")
        return lines + [f"{one.name}: {', '.join(one.facts)}" for one in scene.seats if one.facts]

    def _pile(self, pile: ScenePile) -> str:
        name = f"{pile.name} {pile.at}" if pile.at else pile.name
        name = f"{name} ({pile.note})" if pile.note else name
        count = counted(len(pile.cards) + pile.hidden, "card")
        if not pile.cards:
            return f"{name}: {count}"
        top = self.faces(pile.cards[-_PILE:])
        return f"{name}: ... {top} ({count})" if len(pile.cards) > _PILE else f"{name}: {top}"

    # Tricks -------------------------------------------------------------------------------

    def _trick(self, trick: SceneTrick | None) -> list[str]:
        return [] if trick is None else [f"Trick: {self.trick(trick)}"]

    def trick(self, trick: SceneTrick) -> str:
        """Return a trick, the leader's card first, and its winner so far."""
        played = ", ".join(f"{self.who(one.seat)} {self.faces([one.card])}" for one in trick.cards)
        if trick.winner is None:
            return played
        return f"{played} ({self._subject(trick.winner).does('have it')})"

    def _subject(self, seat: int) -> SentenceSubject:
        """Return the player of a seat as the subject of a sentence."""
        return YOU if seat == self._session.own else named(self.who(seat))

    def last(self) -> list[str]:
        """Return the last trick, and in the Hearts family what each seat has taken in this deal."""
        scene = self._session.scene()
        lines = [f"Last trick: {self.trick(scene.last)}" if scene.last else NO_TRICK]
        for seat in scene.seats:
            if seat.taken or seat.points:
                taken = self.faces(seat.taken) or "no cards that count"
                lines.append(f"  {seat.name}: {taken} ({counted(seat.points or 0, 'point')})")
        return lines

    # Rules and scores -----------------------------------------------------------------------

    def rules(self) -> list[str]:
        """Return the rules of the game, a paragraph after the other."""
        page = self._session.rules()
        lines = [page.title]
        for heading, text in page.told():
            paragraph = f"{heading}: {text}" if heading else text
            lines += ["", *textwrap.wrap(paragraph, _WIDTH)]
        return lines

    def scores(self) -> list[str]:
        """Return the deals and the standing, a column per seat."""
        sheet = self._session.scene().sheet
        rows = [(f"deal {number}", deal) for number, deal in enumerate(sheet.deals, 1)]
        if sheet.totals is None:
            return [NO_SCORES]
        rows.append(("total", sheet.totals))
        names = self._session.names
        widths = [max(len(name), 6) for name in names]
        lead = max(len(label) for label, _ in rows)
        lines = [" " * lead + "".join(f"  {n:>{w}}" for n, w in zip(names, widths, strict=True))]
        for label, row in rows:
            cells = (f"  {value:>{width}}" for value, width in zip(row, widths, strict=True))
            lines.append(f"{label:<{lead}}{''.join(cells)}")
        return lines

    def result(self) -> list[str]:
        """Return how the game ended, the best first."""
        session = self._session
        over = session.scene().over
        assert over is not None
        decisions = counted(len(session.events()), "decision")
        order = sorted(range(len(over.ranks)), key=lambda seat: over.ranks[seat])
        return [
            "",
            game_over(over.words, f"after {decisions}"),
            *(f"  {over.ranks[at] + 1}. {self.who(at)}: {over.scores[at]}" for at in order),
            wins(higher=session.game.highest_wins, shared=session.game.program.shared_score),
        ]


_TAIL = 20
_ROWS = 5

_HELP = """\
Answer with the number of an option, or with its cards: QS, 10H, or QS AS 2C for several.
Where options name a player, its name goes first: Berta 7H asks Berta for sevens in Go Fish.
  hint          a hint
  why CARD      why it cannot be played
  options       list all options
  hand          show your hand
  table         show all that lies on the table
  last          the last trick; in Hearts, who has taken what
  scores        the scores of all deals
  rules         the rules
  log [N]       the log: the last N moves (20)
  claim         claim the rest, where that is offered
  undo          take back your last move (in practice only)
  save [FILE]   save the game
  help, ?       this list
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
        self._taken_back = False
        self._commands: dict[str, Callable[[str], Iterable[str]]] = {
            "hint": self._hint,
            "why": self._why,
            "options": self._options,
            "hand": lambda _: [f"Hand: {self._lines.hand()}"],
            "table": lambda _: self._lines.table(),
            "last": lambda _: self._lines.last(),
            "scores": lambda _: self._lines.scores(),
            "rules": lambda _: self._lines.rules(),
            "log": self._log,
            "claim": self._claim,
            "undo": self._undo,
            "save": self._save,
            "help": lambda _: _HELP.splitlines(),
            "?": lambda _: _HELP.splitlines(),
        }

    def play(self) -> DialogueEnd:
        """Play to the end, or until the person leaves.

        Raises GameError if the game breaks a rule, any error of a computer player, and
        KeyboardInterrupt: the session can be saved after any of them.
        """
        session = self._session
        if session.events():
            made = len(session.events())
            have = agreed("have", made)
            self._say([f"{counted(made, 'decision')} {have} been made.", *self._log("")])
        else:
            self._say(self._lines.changes(session.opening))
        while not session.finished:
            if not session.mine:
                self._tell(session.step())
                time.sleep(self._display.pause)
            elif self._forced:
                self._tell(session.choose(0))
            elif (end := self._decide()) is not None:
                return end
        self._say(self._lines.result())
        return DialogueEnd.OVER

    def _tell(self, event: Event) -> None:
        """Print an event and, where a deal of several is over, the scores before the next deal."""
        self._say(self._lines.event(event))
        deal = event.deal
        if deal is not None and deal.number > int(self._session.finished):
            self._say(["", f"{deal_over(deal.number)}.", *self._lines.scores(), ""])
        self._session.go_on()
        begun = self._session.events()[-1].begun
        self._say(self._lines.changes(begun[1:]))  # the first says that the deal is over

    @property
    def _forced(self) -> bool:
        """Whether the only possible choice is made for the person: not if it was taken back."""
        wanted = self._display.forced and not self._taken_back
        return wanted and len(self._session.choices()) == 1

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
                    if word in {"undo", "claim"}:
                        self._taken_back = word == "undo"
                        return None
                elif word:
                    answer = read_answer(line.strip(), self._session, numbered=self._numbered)
                    self._taken_back = False
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
        lines = [f"{HINT}: {hint.words} ({self._session.setup.hint})"]
        if hint.tried:
            lines.append(f"Its estimates: {'; '.join(unit.words for unit in hint.units)}")
        rows = [(hint.amounts(option), words) for option, words in hint.tried[:_ROWS]]
        for amounts, words in rows:
            wide = [max(len(cells[at]) for cells, _ in rows) for at in range(len(amounts))]
            cells = (f"  {cell:>{width}}" for cell, width in zip(amounts, wide, strict=True))
            lines.append(f"{''.join(cells)}  {words}")
        return [*lines, hint.sureness] if hint.sureness else lines

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

    def _log(self, text: str) -> list[str]:
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

    def _claim(self, _: str) -> list[str]:
        made = len(self._session.events())
        self._session.claim()
        *events, last = self._session.events()[made:]
        for event in events:
            self._say(self._lines.event(event))
        self._tell(last)
        return []

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
