"""Counts what each seat took in a game of Hearts, by replaying its choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.hearts.cards import HEARTS, mask_of, suit_mask
from cardwright.hearts.family import HeartsFamily, NotHeartsError, family_of
from cardwright.program.cards import LocationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.game import Game, State

    Counts = tuple[int, ...]


class SeatCounts(NamedTuple):
    """What each seat took in a whole game, and the number of completed deals.

    `tricks` counts the tricks taken, `queens` the deals in which a seat took the queen
    (`HeartsFamily.queen`), `moons` those in which it took all penalty cards, however scored.
    """

    tricks: Counts
    queens: Counts
    moons: Counts
    deals: int


def seat_counts(game: Game, seed: int, choices: Sequence[int]) -> SeatCounts | None:
    """Return what the seats took in a game given by its seed and choices.

    None where that cannot be counted: in games other than hearts, and with two packs, where a trick
    may have no winner. Raises IllegalOptionError for choices that the game does not offer, and
    GameError if it breaks a rule of the language.
    """
    try:
        family = family_of(game)
    except NotHeartsError:
        return None
    if family.name != "hearts" or family.packs > 1:
        return None
    state, count = game.start(seed), _Count(family)
    for index in choices:
        if 0 <= index < state.option_count:
            count.choice(state, index)
        state.play(index)
    return SeatCounts(tuple(count.tricks), tuple(count.queens), tuple(count.moons), count.deals)


class _Count:
    def __init__(self, family: HeartsFamily) -> None:
        self.family = family
        self.tricks, self.queens, self.moons = ([0] * family.players for _ in range(3))
        self.deals = 0

    def choice(self, state: State, index: int) -> None:
        """Count the trick that an option completes, if any, and the deal if it is its last one."""
        family, players, seat = self.family, self.family.players, state.player
        assert seat is not None
        piles = state.fast_view(family.looks[seat]).cards
        if sum(map(len, piles[:players])) != players - 1:
            return
        (*_, (_, last)) = state.contents()[index].picks
        assert isinstance(last, int)
        # The next seat led, as this one is the last.
        seats = [(seat + step) % players for step in range(1, players + 1)]
        trick = [family.numbers[card] for other in seats[:-1] for card in piles[other]]
        trick.append(family.numbers[last])
        best = max(card for card in trick if card >> 4 == trick[0] >> 4)
        winner = seats[trick.index(best)]
        self.tricks[winner] += 1
        hand, removed = piles[2 * players], piles[2 * players + 3]
        if len(hand) == 1:
            self._deal(state, winner, mask_of(trick), mask_of(family.numbers[c] for c in removed))

    def _deal(self, state: State, winner: int, trick: int, removed: int) -> None:
        """Count a deal, with its last trick and the cards out of play."""
        penalties = self.family.penalties & ~removed
        to = state.game.declared.get("WIDOWTO")
        if to in {"FIRST", "LAST"} or (to == "HEART" and trick & suit_mask(HEARTS)):
            trick |= self._pile(state, None, LocationKind.HIDDEN, "WIDOW")
        for seat in range(self.family.players):
            taken = self._pile(state, seat, LocationKind.VISIBLE, "TRICKSWON")
            taken |= self._pile(state, seat, LocationKind.INVISIBLE, "ASIDE")
            if seat == winner:
                taken |= trick
            self.queens[seat] += bool(taken & self.family.queen_mask)
            self.moons[seat] += bool(penalties) and not penalties & ~taken
        self.deals += 1

    def _pile(self, state: State, owner: int | None, kind: LocationKind, name: str) -> int:
        return mask_of(self.family.numbers[card.id] for card in state.cards(owner, kind, name))
