"""Piles that were shuffled by hand: a position is drawn when its card is first looked at."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, NoReturn

from cardwright.interpreter.chance import Draw, current
from cardwright.program.cards import CardId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import SupportsIndex

    from cardwright.program.cards import Location


class UndrawnCards(list[CardId]):
    """The cards of a pile that was shuffled, some positions of which are still open.

    The open positions show the cards that none has got yet in order of their numbers. Looking at
    one draws its card, if a run of the rules is under way; otherwise nothing is drawn.
    """

    __slots__ = ("open", "place")

    def __init__(self, cards: Iterable[CardId], place: Location, opened: Iterable[int]) -> None:
        """Take over cards as they are shown, the positions that are open in ascending order."""
        super().__init__(cards)
        self.place = place
        self.open = list(opened)

    @classmethod
    def shuffled(cls, cards: list[CardId], place: Location) -> UndrawnCards:
        """Return the cards of a pile after a shuffle: all positions are open."""
        held = cards.shown() if isinstance(cards, UndrawnCards) else cards
        return cls(sorted(held), place, range(len(held)))

    def draw(self, at: int) -> None:
        """Draw the card of a position, if it is open and a run is under way."""
        run = current()
        if not self.open or run is None:
            return
        found = bisect_left(self.open, at)
        if found == len(self.open) or self.open[found] != at:
            return
        pool = [super(UndrawnCards, self).__getitem__(one) for one in self.open]
        draw = Draw(tuple(pool), (1,) * len(pool), True, self.place, at, len(self))
        super().__setitem__(at, pool.pop(run.take(draw)))
        del self.open[found]
        for one, card in zip(self.open, pool, strict=True):
            super().__setitem__(one, card)

    def shown(self) -> list[CardId]:
        """Return the cards as they are shown while no run is under way."""
        return list(super().__iter__())

    # Looking ------------------------------------------------------------------------------

    def __getitem__(self, at: Any) -> Any:
        """Return the card at a position, or a list for a slice."""
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if -len(self) <= at < len(self):
            self.draw(at % len(self))
        return super().__getitem__(at)

    def __iter__(self) -> Iterator[CardId]:
        """Iterate over the cards; a position is drawn when its turn comes."""
        if not self.open or current() is None:
            return super().__iter__()
        return (self[at] for at in range(len(self)))

    def __reversed__(self) -> Iterator[CardId]:
        """Iterate over the cards from the last."""
        return (self[at] for at in reversed(range(len(self))))

    def __contains__(self, card: object) -> bool:
        """Return whether a card is here, wherever it lies."""
        return card in self.shown()

    def index(self, card: CardId, first: SupportsIndex = 0, last: SupportsIndex = 2**63) -> int:
        """Return where a card lies, for which positions are drawn from the first."""
        return list(self).index(card, first, last)

    def count(self, card: CardId) -> int:
        """Return how often a card is here."""
        return self.shown().count(card)

    def copy(self) -> list[CardId]:
        """Return an independent list in which the same positions are open."""
        if not self.open:
            return self.shown()
        return UndrawnCards(self.shown(), self.place, self.open)

    def __eq__(self, other: object) -> bool:
        """Compare all cards."""
        return list(self) == other

    def __ne__(self, other: object) -> bool:
        """Compare all cards."""
        return not self == other

    __hash__ = None

    def __add__(self, other: Any) -> Any:
        """Return a list of these cards and others."""
        return list(self) + other

    def __radd__(self, other: Any) -> Any:
        """Return a list of other cards and these."""
        return other + list(self)

    def __repr__(self) -> str:
        return f"UndrawnCards({self.shown()}, {self.place}, {self.open})"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the cards as they are shown, and which positions are open."""
        return UndrawnCards, (self.shown(), self.place, self.open)

    # Changing -----------------------------------------------------------------------------

    def __setitem__(self, at: Any, card: Any) -> None:
        """Lay a card in the place of another, which has been looked at, or lay all cards anew."""
        if isinstance(at, slice):
            assert at == slice(None)
            self.open.clear()
        else:
            assert at % len(self) not in self.open
        super().__setitem__(at, card)

    def __delitem__(self, at: Any) -> None:
        """Take a card out, which has been looked at."""
        found = bisect_left(self.open, at)
        assert self.open[found : found + 1] != [at]
        self.open[found:] = [one - 1 for one in self.open[found:]]
        super().__delitem__(at)

    def insert(self, at: SupportsIndex, card: CardId) -> None:
        """Put a card at a position, below those that lie there and above."""
        at = int(at)
        found = bisect_left(self.open, at)
        self.open[found:] = [one + 1 for one in self.open[found:]]
        super().insert(at, card)

    def _never(self, *_: object, **__: object) -> NoReturn:
        """Raise AssertionError: piles do not change in this way."""
        raise AssertionError("a shuffled pile does not change in this way")

    append = extend = pop = remove = sort = reverse = clear = _never
    __iadd__ = __imul__ = __mul__ = __rmul__ = __lt__ = __le__ = __gt__ = __ge__ = _never
