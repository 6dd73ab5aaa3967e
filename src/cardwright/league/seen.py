"""What a bot sees of a game, and what it gets when it has to choose a card.

This file is self-contained, like `bot_runtime`. The fields of `GameState` are those of the Hearts
League. Cards are numbers, 13 * suit + rank: clubs, diamonds, spades, hearts, from the two (0) to
the ace (12).
"""

from __future__ import annotations

QUEEN = 36

MASKS: list[tuple[int, ...]] = [()]
for _at in range(13):
    MASKS += [(*cards, _at) for cards in MASKS]
"""For every set of cards of a hand, as bits, their indices in it."""


PLACES = (*range(13), *range(26, 39), *range(13, 26), *range(39, 52))
"""The place of every card in a sorted hand: clubs, spades, diamonds, hearts, as the game has it."""


def take_up(hand: list[int], cards: list[int]) -> None:
    """Put cards into a hand."""
    hand += cards
    hand.sort(key=PLACES.__getitem__)


class GameState:
    """What a bot gets when it has to choose a card.

    All lists are copies: the bot may change them as it likes. Its answer refers to the list that
    was `legalMoves`, as the bot has left it.
    """

    hand: list[int]
    legalMoves: list[int]  # noqa: N815 - the names are the league's
    lead: int | None
    playHistory: list[list[int]] | None  # noqa: N815
    roundPoints: list[int]  # noqa: N815
    gamePoints: list[int]  # noqa: N815
    whichPlayer: int  # noqa: N815
    sluffDirection: int  # noqa: N815
    sluffedByYou: list[int]  # noqa: N815
    sluffedToYou: list[int] | None  # noqa: N815


class PublicTable:
    """What all seats have seen of a game: the cards played, who leads, who took what.

    `plays` are the cards of this round, each as `seat << 6 | card`. The caller appends them, and
    they count from the next `update` on. `count` is the number of cards on the table.
    """

    def __init__(self, owner: Seen | None = None) -> None:
        """Set up a table; cards played leave the hand of its owner, if it has one."""
        self._owner = owner
        self.plays = bytearray()
        self.lead: int | None = None
        self.history: list[list[int]] | None = None
        self.points = [0, 0, 0, 0]
        self.count = 0
        self._counted = 0
        self._best = self._highest = 0
        self._winner = self._worth = 0

    def deal(self) -> None:
        """Begin a round; the history of the last one remains until cards are played."""
        self.update()
        self.points = [0, 0, 0, 0]

    def begin(self) -> None:
        """Begin play, once all cards are passed."""
        self.plays.clear()
        self._counted = 0
        self.history = [[], [], [], []]

    def update(self) -> None:
        """Count what was played since the last update."""
        history, counted = self.history, self._counted
        if history is None or counted == len(self.plays):
            return
        count, best, highest = self.count, self._best, self._highest
        winner, worth = self._winner, self._worth
        owner = self._owner
        own, hand = (-1, []) if owner is None else (owner.seat, owner.hand)
        for play in self.plays[counted:]:
            seat, card = play >> 6, play & 63
            history[seat].append(card)
            if seat == own:
                hand.remove(card)
            if not count:
                self.lead = winner = seat
                best, highest, worth = card, card - card % 13 + 12, 0
            elif best < card <= highest:
                best, winner = card, seat
            if card > 38:
                worth += 1
            elif card == QUEEN:
                worth += 13
            count += 1
            if count == 4:
                self.points[winner] += worth
                self.lead, count = winner, 0
        self.count, self._best, self._highest = count, best, highest
        self._winner, self._worth = winner, worth
        self._counted = len(self.plays)


class Seen:
    """What the bot of one seat has seen of a game so far.

    `hand` is updated by the dealer, or by a table of its own; the bot gets a copy.
    """

    def __init__(self, seat: int, table: PublicTable | None = None) -> None:
        self.seat = seat
        self.table = table or PublicTable(self)
        self.hand: list[int] = []
        self.totals = [0, 0, 0, 0]
        self.direction = 0
        self.given: list[int] = []
        self.received: list[int] | None = None

    def deal(self, direction: int, totals: list[int], hand: list[int]) -> None:
        """Take up a hand."""
        self.hand = hand
        self.direction = direction
        self.totals = totals
        self.given = []
        self.received = None

    def state(self, legal: int, *, play: bool) -> GameState:
        """Return what the bot gets now; `legal` are the cards that it may choose, as bits."""
        table = self.table
        table.update()
        hand = self.hand
        state = GameState()
        state.hand = hand[:]
        places = MASKS[legal]
        state.legalMoves = hand[:] if len(places) == len(hand) else [hand[at] for at in places]
        if play and not table.count:
            table.lead = self.seat
        state.lead = table.lead
        history = table.history
        state.playHistory = None if history is None else [cards[:] for cards in history]
        state.roundPoints = table.points[:]
        state.gamePoints = self.totals[:]
        state.whichPlayer = self.seat
        state.sluffDirection = self.direction
        state.sluffedByYou = self.given[:]
        received = self.received
        state.sluffedToYou = None if received is None else received[:]
        return state
