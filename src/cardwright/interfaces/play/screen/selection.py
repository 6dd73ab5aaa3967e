"""The selection: the cards and options under the cursor, and those that the person has picked.

All of it is values: every key yields a new selection, so that it can be tested without a terminal.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.english import counted, listed

if TYPE_CHECKING:
    from cardwright.interfaces.play.screen.card_face import Ink
    from cardwright.table.scene import SceneDecision, SceneOption, TableScene


def watched(scene: TableScene) -> bool:
    """Return whether no person plays the seat that is shown."""
    assert scene.seat is not None
    return scene.seats[scene.seat].kind != "person"


def owns(scene: TableScene, seat: int | None) -> bool:
    """Return whether a seat is that of the person at the terminal."""
    return seat == scene.seat and not watched(scene)


def own_decision(scene: TableScene) -> SceneDecision | None:
    """Return what the person has to decide; None if somebody else has."""
    return None if watched(scene) else scene.decision


@dataclass(frozen=True, eq=False)
class Menu:
    """What can be chosen: the cards of the hand, by index, and the choices.

    `typed` has the letters by which each card of the hand is found.
    """

    hand: tuple[int, ...] = ()
    typed: tuple[str, ...] = ()
    choices: tuple[SceneOption, ...] = ()

    @classmethod
    def of(cls, scene: TableScene, ink: Ink) -> Menu:
        """Return what can be chosen in a scene."""
        hand = tuple(card.id for card in scene.hand)
        typed = tuple(ink.face(card).typed for card in scene.hand)
        decision = own_decision(scene)
        return cls(hand, typed, () if decision is None else decision.options)

    @cached_property
    def sets(self) -> tuple[frozenset[int], ...]:
        """For every choice, the cards of the hand that it takes."""
        held = frozenset(self.hand)
        return tuple(held.intersection(one.cards) for one in self.choices)

    @cached_property
    def legal(self) -> frozenset[int]:
        """The cards of the hand that any choice takes."""
        return frozenset[int]().union(*self.sets)

    @cached_property
    def most(self) -> int:
        """The most cards of the hand that a choice takes."""
        return max(map(len, self.sets), default=0)

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The indices of the choices that take no card of the hand."""
        return tuple(at for at, cards in enumerate(self.sets) if not cards)

    @cached_property
    def everything(self) -> tuple[int, ...]:
        """The indices of all choices, those without cards first."""
        return self.others + tuple(at for at, cards in enumerate(self.sets) if cards)

    def matching(self, cards: frozenset[int]) -> tuple[int, ...]:
        """Return the indices of the choices that take exactly these cards."""
        return tuple(at for at, one in enumerate(self.sets) if one == cards)

    def sizes(self, cards: frozenset[int]) -> tuple[int, ...]:
        """Return the numbers of cards of the choices that take at least these cards."""
        return tuple(sorted({len(one) for one in self.sets if cards <= one and one}))


@dataclass(frozen=True)
class Selection:
    """The position of the cursor, what is picked, and the result of the last key.

    `at` is the cursor in the hand, `row` that in the list of choices, and `listing` says which of
    them is active. `narrowed` are the choices that remain after the picked cards. The result of the
    last key is in `said` (a message), `taken` (the index of the option to take) and `asked` (a card
    for which to show why it cannot be played).
    """

    menu: Menu = field(default_factory=Menu)
    at: int = 0
    row: int = 0
    listing: bool = False
    picked: frozenset[int] = frozenset()
    narrowed: tuple[int, ...] = ()
    typing: str = ""
    said: str = ""
    taken: int | None = None
    asked: int | None = None

    @classmethod
    def begin(cls, menu: Menu) -> Selection:
        """Return the initial selection of a decision: at the first legal card."""
        at = next((n for n, card in enumerate(menu.hand) if card in menu.legal), 0)
        return cls(menu, at, listing=not menu.legal and bool(menu.choices))

    @property
    def card(self) -> int | None:
        """The card under the cursor; None if the hand is empty."""
        return self.menu.hand[self.at] if self.menu.hand else None

    @property
    def rows(self) -> tuple[int, ...]:
        """The indices of the choices in the list, in order."""
        return self.narrowed or self.menu.everything

    def _then(self, **changes: object) -> Selection:
        cleared: dict[str, object] = {"said": "", "taken": None, "asked": None, "typing": ""}
        return replace(self, **(cleared | changes))  # type: ignore[arg-type]

    # Moving ---------------------------------------------------------------------------------

    def across(self, step: int) -> Selection:
        """Move the cursor along the hand, wrapping around at its ends."""
        if not self.menu.hand:
            return self._then(said="you hold no cards")
        at = self.at if self.listing else (self.at + step) % len(self.menu.hand)
        return self._then(at=at, listing=False, narrowed=())

    def end(self, *, last: bool) -> Selection:
        """Move the cursor to the first or last card, or choice of the list."""
        if self.listing:
            return self._then(row=len(self.rows) - 1 if last and self.rows else 0)
        return self._then(at=len(self.menu.hand) - 1 if last and self.menu.hand else 0)

    def down(self, step: int) -> Selection:
        """Move the cursor along the list of choices; from the hand, go there."""
        if not self.rows:
            return self._then(said="there is nothing to choose now")
        if not self.listing:
            return self._then(
                listing=True, row=0 if step > 0 else max(0, len(self.menu.others) - 1)
            )
        return self._then(row=(self.row + step) % len(self.rows))

    def switch(self) -> Selection:
        """Go from the hand to the list of choices, or back."""
        if self.listing:
            return self.across(0)
        return self.down(1)

    def jump(self, char: str) -> Selection:
        """Go to the card, or to the number of a choice, that is being typed."""
        found = self._jumped(self.typing + char) or self._jumped(char)
        return found or self._then(
            said=f"there is no {'choice' if self.listing else 'card'} {char}"
        )

    def _jumped(self, text: str) -> Selection | None:
        if self.listing:
            number = int(text) if text.isdecimal() else 0
            if 1 <= number <= len(self.rows):
                return self._then(row=number - 1, typing=text)
            return None
        wanted = ("10" + text[1:] if text.startswith("T") else text).upper()
        cards = range(len(self.menu.hand))
        begun = [n for n in cards if self.menu.typed[n].startswith((wanted, text.upper()))]
        if not begun:
            return None
        if len(text) == 1:  # the same letter again goes to the next such card
            begun = [n for n in begun if n > self.at] or begun
        legal = [n for n in begun if self.menu.hand[n] in self.menu.legal]
        return self._then(at=(legal or begun)[0], typing=text)

    def point(self, index: int) -> Selection:
        """Put the cursor on the option of this index: its card, its cards picked, or its row."""
        at = next(n for n, one in enumerate(self.menu.choices) if one.index == index)
        cards = self.menu.sets[at]
        if not cards or len(self.menu.matching(cards)) > 1:
            row = self.menu.everything.index(at)
            return self._then(row=row, listing=True, narrowed=(), picked=frozenset())
        first = next(n for n, card in enumerate(self.menu.hand) if card in cards)
        picked = cards if len(cards) > 1 else frozenset[int]()
        return self._then(at=first, listing=False, narrowed=(), picked=picked)

    # Choosing -------------------------------------------------------------------------------

    def toggle(self) -> Selection:
        """Pick the card under the cursor, or put it back."""
        card = self.card
        if self.listing or card is None:
            return self._then(said="Space picks cards of your hand; Enter takes this choice")
        if card in self.picked:
            return self._then(picked=self.picked - {card})
        if card not in self.menu.legal:
            return self._then(asked=card)
        picked = self.picked | {card}
        if not self.menu.sizes(picked):
            if self.menu.most > 1:
                return self._then(said=self._too_many(picked))
            picked = frozenset({card})
        return self._then(picked=picked, said=self._still(picked))

    def enter(self) -> Selection:
        """Take the choice under the cursor, or the one that matches the picked cards."""
        if self.listing:
            if not self.rows:
                return self._then(said="there is nothing to choose now")
            return self._then(taken=self.menu.choices[self.rows[self.row]].index)
        card = self.card
        if card is None:
            return self.down(1)
        cards = self.picked or frozenset({card})
        found = self.menu.matching(cards)
        if len(found) == 1:
            return self._then(taken=self.menu.choices[found[0]].index)
        if found:
            said = f"{len(found)} ways to play that: choose one"
            return self._then(narrowed=found, listing=True, row=0, said=said)
        if not cards & self.menu.legal:
            return self._then(asked=card)
        return self._then(said=self._still(cards, asked=not self.picked))

    def drop(self) -> Selection:
        """Drop what is picked, and go back to the hand."""
        return self._then(picked=frozenset(), narrowed=(), listing=not self.menu.legal, row=0)

    def _still(self, cards: frozenset[int], *, asked: bool = False) -> str:
        sizes = self.menu.sizes(cards)
        if len(cards) in sizes or not sizes:
            return "Enter takes the cards that you picked"
        number = listed(sizes, "or") if len(sizes) > 1 else counted(sizes[0], "card")
        if asked:
            return f"choose {number}: Space picks a card, Enter takes them all"
        return f"{len(cards)} picked: choose {number}"

    def _too_many(self, cards: frozenset[int]) -> str:
        if len(cards) > self.menu.most:
            return f"{len(self.picked)} picked: Enter takes them, Space puts one back"
        return "there is no choice with these cards together"
