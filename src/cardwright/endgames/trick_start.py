"""The beginning of a trick in a game: its hands, and trials of the rules from there."""

from __future__ import annotations

import ctypes
import random
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cardwright.compiler.kernel_sets import OPEN_HANDS
from cardwright.compiler.kernels.trick_trials import OVER
from cardwright.compiler.kernels.tricks import CARDS_MOST, HANDS_MOST
from cardwright.endgames.errors import UnsuitedEndgameError
from cardwright.game.errors import UndoError
from cardwright.interpreter.steps import picked_cards
from cardwright.program.cards import CardId

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.game.game import State
    from cardwright.game.native.engine import NativeBoard
    from cardwright.program.cards import Seat

_TELLING = 6
"""As many cards in a hand show the rules."""

_ORDERS = 64
"""Orders of the cards from which hands are dealt."""

_MANY = 400
"""Scripts in one call."""


class Script(NamedTuple):
    """Hands, as sets of cards, and the cards to be played in turn."""

    hands: Sequence[int]
    cards: Sequence[int]


class DueCards(NamedTuple):
    """What is due at a decision: the seat that decides, and the cards it may play, as a set.

    The seat is OVER where the game is over, or OTHER where something else than a card is due.
    """

    player: int
    cards: int


class PlayedScript(NamedTuple):
    """The decisions of a script and the one after it, and the scores of a game that was over.

    The decisions are a row of numbers, two for each as in `DueCards`: there are very many.
    """

    row: list[int]
    scores: tuple[int, ...]

    @property
    def notes(self) -> list[DueCards]:
        """The decisions."""
        return [DueCards(*self.row[at : at + 2]) for at in range(0, len(self.row), 2)]

    def note(self, at: int) -> DueCards:
        """Return one of the decisions, counted from the end if negative."""
        return DueCards(*self.row[2 * at :][:2])


def bits(cards: Iterable[int]) -> int:
    """Return a set of cards."""
    found = 0
    for card in cards:
        found |= 1 << card
    return found


def ones(cards: int) -> list[int]:
    """Return the cards of a set."""
    found = []
    while cards:
        low = cards & -cards
        found.append(low.bit_length() - 1)
        cards ^= low
    return found


class TrickStart:
    """The beginning of a trick: a board, its hands in turn, and the cards played since then."""

    def __init__(self, board: NativeBoard, since: tuple[int, ...]) -> None:
        self.board = board
        self.engine = board.engine
        self.since = since
        self.players: list[Seat] = []
        self.hands: list[int] = []
        self.slots: list[int] = []
        self._find_hands()
        self.size = self.hands[0].bit_count()
        self.cards = tuple(card for hand in self.hands for card in ones(hand))
        draw = random.Random(len(self.cards))
        self.shuffled = [draw.sample(self.cards, len(self.cards)) for _ in range(_ORDERS)]

    def _find_hands(self) -> None:
        """Find the hands in the order in which they play; raises UnsuitedEndgameError."""
        played = _play_on(self.board)
        if not played:
            raise UnsuitedEndgameError("no card is left to play")
        native = self.engine.native
        layout, places = native.layout, native.layout.places.locations
        slots = {location: slot for slot, location in enumerate(places)}
        order: dict[int, Seat] = {}
        hands: dict[int, int] = {}
        for player, card in played:
            slot = slots.get(self.board.where(CardId(card)), -1)
            if not 0 <= slot < layout.forms.pure:
                raise UnsuitedEndgameError("cards are played from piles that have an order")
            if order.setdefault(slot, player) != player:
                raise UnsuitedEndgameError("a hand is not always played by the same seat")
            hands[slot] = hands.get(slot, 0) | 1 << card
        self.slots, self.players = list(order), list(order.values())
        self.hands = [hands[slot] for slot in order]
        if not 2 <= len(order) <= HANDS_MOST or len(played) > CARDS_MOST:
            raise UnsuitedEndgameError(
                f"{len(order)} hands have {len(played)} cards: two to {HANDS_MOST} may have up to "
                f"{CARDS_MOST}"
            )
        if len({hand.bit_count() for hand in self.hands}) > 1:
            raise UnsuitedEndgameError("hands have different numbers of cards as a trick begins")
        if {slots.get(self.board.where(CardId(card))) for _, card in played[: len(order)]} != set(
            order
        ):
            raise UnsuitedEndgameError("not every hand plays a card to each trick")

    def trials(self, scripts: Sequence[Script]) -> list[PlayedScript]:
        """Play scripts and return what was seen."""
        found: list[PlayedScript] = []
        for first in range(0, len(scripts), _MANY):
            found += self._trials(scripts[first : first + _MANY])
        return found

    def _trials(self, scripts: Sequence[Script]) -> list[PlayedScript]:
        hands, seats = len(self.hands), self.engine.native.program.players
        longest = max(len(script.cards) for script in scripts)
        words: list[int] = []
        for held, cards in scripts:
            words += held
            words += cards
            words += [-1] * (longest - len(cards))
        width = 2 * longest + 2 + seats
        given = (ctypes.c_int64 * len(words))(*words)
        slots = (ctypes.c_int64 * hands)(*self.slots)
        notes = (ctypes.c_int64 * (width * len(scripts)))()
        work, engine = self.engine.new_board(), self.engine
        context = engine.context("second")
        try_cards = engine.extended(OPEN_HANDS).functions["cw_try_cards"]
        forms = engine.pick_forms.address
        done = try_cards(
            self.board.address, context.address, work.address, engine.lend(slots), hands,
            engine.lend(given), longest, len(scripts), engine.lend(notes), forms,
        )  # fmt: skip
        context.check()
        if done < len(scripts):
            raise UnsuitedEndgameError("with other hands the game breaks a rule")
        rows = notes[:]
        found = []
        for at, script in enumerate(scripts):
            first, last = at * width, (at + 1) * width
            row = rows[first : first + 2 * len(script.cards) + 2]
            over = OVER in row[::2]
            found.append(PlayedScript(row, tuple(rows[last - seats : last]) if over else ()))
        return found


def trick_starts(state: State) -> Iterator[TrickStart]:
    """Yield beginnings of tricks up to this state: the latest, or an earlier one that shows more.

    The rules are harder to tell where few cards are left. Raises UnsuitedEndgameError where there
    is none.
    """
    board = state._native_board()
    if board is None:
        raise UnsuitedEndgameError("tricks are solved by the native engine, and it is not at hand")
    if len(board.engine.native.program.cards) > CARDS_MOST:
        raise UnsuitedEndgameError(f"there are more than {CARDS_MOST} cards")
    sizes: Counter[object] = Counter(board.where(CardId(card)) for _, card in _play_on(board))
    if not sizes:
        raise UnsuitedEndgameError("no card is left to play")
    most = max(sizes.values())
    lying = sum(size < most for size in sizes.values())
    wanted = [max(most, _TELLING), most + 2, most + 4, most]
    for size in dict.fromkeys(wanted):
        start = _start_before(state, lying + (size - most) * len(sizes))
        if start is not None:
            yield start


def _start_before(state: State, back: int) -> TrickStart | None:
    """Return the beginning of a trick so many cards before; None if they were not played so."""
    before = state.copy()
    try:
        before.undo(back)
    except UndoError:
        return None
    board = before._native_board()
    assert board is not None
    board.advance()
    again, since = board.copy(), []
    try:
        for index in state.choices[len(state.choices) - back :]:
            again.advance()
            since.append(card_of(again, index))
            again.play(index)
        return TrickStart(board, tuple(since))
    except UnsuitedEndgameError:
        if not back:
            raise
        return None


def card_of(board: NativeBoard, index: int) -> int:
    """Return the card that an option plays; raises UnsuitedEndgameError if it is none."""
    cards = [card for pick in board.picks()[index][1] for card in picked_cards(pick)]
    if len(cards) != 1:
        raise UnsuitedEndgameError("something else than single cards is chosen")
    return cards[0]


def _play_on(board: NativeBoard) -> list[tuple[Seat, int]]:
    """Return who plays which card if always the first option is taken."""
    board = board.copy()
    board.advance()
    played: list[tuple[Seat, int]] = []
    while (player := board.player) is not None:
        if len(played) > CARDS_MOST:
            raise UnsuitedEndgameError("more cards are played than there are")
        played.append((player, card_of(board, 0)))
        board.play(0)
    return played
