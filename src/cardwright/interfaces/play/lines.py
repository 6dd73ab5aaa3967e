"""Lines: a session as plain text, for pipes, screen readers and small terminals."""

from __future__ import annotations

import textwrap
from itertools import groupby
from typing import TYPE_CHECKING

from cardwright.game.option import Back
from cardwright.game.wording.option_text import short_name
from cardwright.interfaces.cli.text import counted
from cardwright.interfaces.play.answer import how_to_answer
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.cards import Card
    from cardwright.table.account import Event
    from cardwright.table.score_sheet import DealEnd, HeartsSheet, Trick
    from cardwright.table.session import PlaySession

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

    def deal_end(self, deal: DealEnd) -> list[str]:
        """Return that a deal is over, and who has shot the moon in it."""
        lines = [f"Deal {deal.number} is over."]
        if deal.moon is not None:
            lines.append(f"{self._has(deal.moon)} shot the moon!")
        return lines

    # The pending decision -------------------------------------------------------------------

    def decision(self) -> list[str]:
        """Return all that is needed to decide: hand, table, options."""
        lines = ["", f"Your turn. {self._session.prompt()}"]
        sheet = self._session.sheet().hearts
        lines += self.table() if sheet is None else self._hearts(sheet)
        if hand := self.hand():
            lines.append(f"Hand: {hand}")
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
                return [f"{how_to_name} ({len(choices)} options; `options` lists them)"]
            sizes = {len(choice.cards) for choice in choices}
            size = sizes.pop() if len(sizes) == 1 else 0
            how = f"choose {size} cards of your hand" if size > 1 else "name the cards you choose"
            return [f"{how} ({len(choices)} options; `options` lists them)"]
        digits = len(str(len(choices) - 1))
        lines = [f"  {choice.index:>{digits}}  {choice.words}" for choice in choices]
        return [*lines, how_to_name] if how_to_name else lines

    def table(self) -> list[str]:
        """Return the piles that hold cards, except the seat's own hand, as the seat sees them."""
        view = self._session.view()
        hand = set(self._session.hand())
        lines = []
        for place, cards in view.locations.items():
            seen = [card for card in cards if not isinstance(card, Back)]
            name = self._session.namer.place(place, self._session.own)
            if place.kind is LocationKind.MEMORY or not name or (seen and hand.issuperset(seen)):
                continue
            lines.append(f"{name[:1].upper()}{name[1:]}: {self._pile(cards, seen)}")
        return [*lines, *self._facts()]

    def _facts(self) -> list[str]:
        """Return what is known besides the cards, about the table and about each seat."""
        scene = self._session.scene()
        lines = [
            f"{self.who(one.seat)}: {', '.join(one.facts)}" for one in scene.seats if one.facts
        ]
        return [f"({', '.join(scene.facts)})", *lines] if scene.facts else lines

    def _pile(self, cards: Sequence[object], seen: Sequence[Card]) -> str:
        count = counted(len(cards), "card")
        if not seen:
            return count
        top = self.cards(seen[-_PILE:])
        return f"... {top} ({count})" if len(seen) > _PILE else top

    # Hearts -------------------------------------------------------------------------------

    def _hearts(self, sheet: HeartsSheet) -> list[str]:
        lines = []
        if sheet.trick:
            lines.append(f"Trick: {self.trick(sheet.trick)}")
        if sheet.moon:
            seat, points = sheet.moon
            got = counted(points, "point")
            lines.append(f"Beware of the moon: {self._has(seat)} all {got} so far.")
        return lines

    def trick(self, trick: Trick) -> str:
        """Return a trick, the leader's card first, and its winner so far."""
        played = ", ".join(f"{self.who(seat)} {self.card(card)}" for seat, card in trick.cards)
        if trick.winner is None:
            return played
        return f"{played} ({self._has(trick.winner)} it)"

    def _has(self, seat: int) -> str:
        """Return that a player has something, of which a sentence goes on to tell."""
        return f"{self.who(seat)} {'have' if seat == self._session.own else 'has'}"

    def last(self) -> list[str]:
        """Return the last trick, and what each seat has taken in this deal."""
        sheet = self._session.sheet().hearts
        if sheet is None:
            return ["the last trick is kept in games of the Hearts family only; see `history`"]
        lines = [f"Last trick: {self.trick(sheet.last) if sheet.last else 'none yet'}"]
        for seat, cards in enumerate(sheet.taken):
            if cards or sheet.points[seat]:
                points = sheet.points[seat]
                taken = self.cards(cards) or "no cards that count"
                lines.append(f"  {self.who(seat)}: {taken} ({counted(points, 'point')})")
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
        sheet = self._session.sheet()
        rows = [(f"deal {number}", deal) for number, deal in enumerate(sheet.deals, 1)]
        if sheet.totals is None:
            return ["no score is known before the game is over"]
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
        scores, ranks = session.scores(), session.ranks()
        assert scores is not None
        assert ranks is not None
        best = "highest" if session.game.highest_wins else "lowest"
        decisions = counted(len(session.events()), "decision")
        order = sorted(range(len(scores)), key=lambda seat: (ranks[seat], seat))
        return [
            "",
            f"The game is over after {decisions}; the {best} score wins.",
            *(f"  {ranks[seat] + 1}. {self.who(seat)}: {scores[seat]}" for seat in order),
        ]
