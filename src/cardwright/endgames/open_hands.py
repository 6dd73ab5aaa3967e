"""Endgames with open hands: what comes of the rest of a game if all see all cards and play best.

Two sides that want the opposite have one best result, the minimax value. Where more seats play each
for itself, there is none in general; what is given is an equilibrium of perfect information, found
backwards from the end (max^n, as in C. Luckhardt and K. Irani, "An algorithmic solution of N-person
games", 1986): each seat takes the option that is best for itself, and of several the one that is
worst for the seat after it, then for the next one, and so on. By this rule it is the only one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from cardwright.endgames.errors import EndgameError, UnsuitedEndgameError
from cardwright.endgames.positions import MOST_POSITIONS, solve_positions
from cardwright.endgames.trick_rules import trick_rules
from cardwright.endgames.trick_start import bits, card_of, ones, trick_starts
from cardwright.endgames.tricks import MOST_NODES, TrickPosition, TrickSolver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.endgames.trick_rules import TrickRules
    from cardwright.endgames.trick_start import TrickStart
    from cardwright.game.game import State
    from cardwright.game.native.engine import NativeBoard
    from cardwright.program.cards import Seat


class EndgameMethod(StrEnum):
    """How an endgame is solved: as a trick game, or by looking at all its positions."""

    TRICKS = "tricks"
    POSITIONS = "positions"


@dataclass(frozen=True)
class SolvedEndgame:
    """The rest of a game with open hands, solved.

    `scores` come of best play, and `line` is such play: indices of options up to the end. `options`
    has the scores after each option that is due, if that was asked for. `sides` are the seats that
    play together, by what they want; seats that decide nothing more are in none. `tricks` is how
    many of the tricks that are not over the first of two sides wins, where tricks decide. `nodes`
    says how many positions were looked at.
    """

    scores: tuple[int, ...]
    line: tuple[int, ...]
    options: tuple[tuple[int, ...], ...]
    sides: tuple[tuple[Seat, ...], ...]
    tricks: int | None
    method: EndgameMethod
    nodes: int


def solve_open_hands(
    state: State, *, every_option: bool = False, most_nodes: int | None = None
) -> SolvedEndgame:
    """Return what comes of a state if all hands are open and all seats play best.

    The rest of a game in which tricks are taken by the usual rules is solved by machine code, where
    the native engine is there. Any other is solved only if it has few positions and chance decides
    nothing. Raises EndgameError for what is too large, which says why it is no such trick game.
    """
    if state.finished:
        raise EndgameError("the game is over: there is nothing to solve")
    try:
        endgame = TrickEndgame(state, MOST_NODES if most_nodes is None else most_nodes)
    except UnsuitedEndgameError as error:
        most = MOST_POSITIONS if most_nodes is None else most_nodes
        found = solve_positions(state, most, str(error), every_option=every_option)
        scores, line, options, sides, nodes = found
        return SolvedEndgame(scores, line, options, sides, None, EndgameMethod.POSITIONS, nodes)
    return endgame.solved(state, every_option=every_option)


class TrickEndgame:
    """A trick game whose rules from a state on are known.

    Raises UnsuitedEndgameError where the rest of the game is none.
    """

    def __init__(self, state: State, most_nodes: int = MOST_NODES) -> None:
        self._start, self.rules = _known_rules(state)
        self._solver = TrickSolver(self._start.engine, self.rules, most_nodes)
        self.nodes = 0

    @property
    def _two_sides(self) -> bool:
        return bool(self.rules.worths.sides)

    def worth(self) -> tuple[int, ...]:
        """Return what each hand, or the first of two sides, still wins by best play."""
        position, _, taker = self._reached()
        self.nodes = 0
        return tuple(self._value(position, taker))

    def tricks(self) -> int:
        """Return how many of the tricks that are not over the first of two sides wins.

        Raises EndgameError where tricks are not what two sides play for.
        """
        if not self._two_sides or self._solver.by_cards:
            raise EndgameError("not only the number of tricks counts here")
        return self.worth()[0]

    def _reached(self) -> tuple[TrickPosition, list[int], int]:
        """Return the position, what each hand has won to get there, and who has taken what."""
        start = self._start
        position = TrickPosition(tuple(start.hands), 0, (), barred=True)
        won, taker = [0] * len(start.hands), 0
        for card in start.since:
            position, more, taker = self._played(position, card, taker)
            won = [a + b for a, b in zip(won, more, strict=True)]
        return position, won, taker

    def solved(self, state: State, *, every_option: bool = False) -> SolvedEndgame:
        """Return what comes of the state by best play."""
        board = state._native_board()
        assert board is not None
        self.nodes = 0
        position, won, taker = self._reached()
        value = self._value(position, taker)
        line = self._line(position, value, taker)
        scores, choices = self._replayed(board, line)
        self._check(won, value, scores)
        count = state.option_count if every_option else 0
        options = tuple(self._after(board, position, index, taker) for index in range(count))
        players = self.rules.players
        sides: tuple[tuple[Seat, ...], ...] = tuple((seat,) for seat in sorted(set(players)))
        tricks = None
        if self._two_sides:
            pairs = set(zip(players, self.rules.worths.sides, strict=True))
            sides = tuple(
                tuple(sorted(seat for seat, side in pairs if side == one)) for one in (1, 0)
            )
            if not self._solver.by_cards:
                tricks = value[0]
        return SolvedEndgame(
            scores, choices, options, sides, tricks, EndgameMethod.TRICKS, self.nodes
        )

    # What positions are worth ----------------------------------------------------------------

    def _value(self, position: TrickPosition, taker: int) -> list[int]:
        """Return what each hand, or the first side, wins from the beginning of the trick on."""
        if self._two_sides:
            found = [self._solver.side_wins(position)]
        else:
            found = self._solver.all_win(position, taker)
        self.nodes += self._solver.nodes
        return found

    def _played(
        self, position: TrickPosition, card: int, taker: int
    ) -> tuple[TrickPosition, list[int], int]:
        """Return the position after a card, what each hand wins by it, and who has taken what."""
        model, worths = self.rules.model, self.rules.worths
        count = len(position.hands)
        hands = list(position.hands)
        hands[position.turn] &= ~(1 << card)
        lying = (*position.lying, card)
        won = [0] * count
        if len(lying) < count:
            turn = (position.turn + 1) % count
            return TrickPosition(tuple(hands), turn, lying, position.barred), won, taker
        leader = (position.turn + 1 + model.winner(lying)) % count
        worth = worths.trick + sum(worths.cards.get(card, 0) for card in lying)
        worth += worths.last * (not any(hands))
        won[leader] = worth
        if worths.shot and worth and taker != leader + 1:
            taker = leader + 1 if taker == 0 else count + 1
        barred = position.barred and not bits(lying) & model.barred
        return TrickPosition(tuple(hands), leader, (), barred), won, taker

    def _legal(self, position: TrickPosition) -> list[int]:
        model = self.rules.model
        led = position.lying[0] if position.lying else None
        return ones(model.legal(position.hands[position.turn], led, barred=position.barred))

    def _line(self, position: TrickPosition, value: list[int], taker: int) -> list[int]:
        """Return best play from a position of known value to the end, in cards."""
        line: list[int] = []
        while any(position.hands):
            card, position, value, taker = self._best(position, value, taker)
            line.append(card)
        return line

    def _best(
        self, position: TrickPosition, value: list[int], taker: int
    ) -> tuple[int, TrickPosition, list[int], int]:
        """Return a best card, the position after it, what that is worth, and who has taken what."""
        side = self.rules.worths.sides[position.turn] if self._two_sides else 1
        for card in self._legal(position):
            after, won, later = self._played(position, card, taker)
            if self._two_sides:
                ours = sum(x for x, s in zip(won, self.rules.worths.sides, strict=True) if s)
                left = value[0] - ours
                found = left if not any(after.hands) else self._kept(after, left, side)
                if found == left:
                    return card, after, [left], later
            else:
                rest = self._rest(after, later)
                if [a + b for a, b in zip(won, rest, strict=True)] == value:
                    return card, after, rest, later
        raise EndgameError("the solution of the endgame contradicts itself: please report this")

    def _kept(self, after: TrickPosition, left: int, side: int) -> int:
        """Return `left` if the side that has just played keeps that value, else another number."""
        if left < 0:
            return 0
        if side:
            return self._solver.side_wins(after, left - 1, left) if left > 0 else left
        found = self._solver.side_wins(after, left, left + 1)
        self.nodes += self._solver.nodes
        return found

    def _rest(self, after: TrickPosition, taker: int) -> list[int]:
        if any(after.hands):
            return self._value(after, taker)
        return list(self.rules.worths.shot.get(taker - 1, (0,) * len(after.hands)))

    def _after(
        self, board: NativeBoard, position: TrickPosition, index: int, taker: int
    ) -> tuple[int, ...]:
        """Return the scores after an option that is due."""
        card = card_of(board, index)
        after, _, taker = self._played(position, card, taker)
        value = self._rest(after, taker) if not self._two_sides else [0]
        if self._two_sides and any(after.hands):
            value = self._value(after, taker)
        line = [card, *self._line(after, value, taker)]
        return self._replayed(board, line)[0]

    # By the engine -----------------------------------------------------------------------------

    def _replayed(
        self, board: NativeBoard, line: Sequence[int]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Play a line by the engine; return the scores and the indices of the options."""
        board = board.copy()
        board.advance()
        choices: list[int] = []
        for card in line:
            cards = [card_of(board, index) for index in range(board.option_count)]
            if card not in cards:
                raise EndgameError("the engine does not allow the line that was found")
            choices.append(cards.index(card))
            board.play(choices[-1])
        if not board.finished:
            raise EndgameError("the game is not over after the line that was found")
        return tuple(board.scores()), tuple(choices)

    def _check(self, won: list[int], value: list[int], scores: tuple[int, ...]) -> None:
        """Check the scores of a line against the value; raises EndgameError."""
        worths, players = self.rules.worths, self.rules.players
        sign = 1 if self._start.engine.native.program.highest_wins else -1
        if self._two_sides:
            ours = sum(x for x, side in zip(won, worths.sides, strict=True) if side)
            known = worths.known.get(value[0] + ours)
            right = known is None or known == tuple(sign * scores[seat] for seat in players)
        else:
            total = [sum(parts) for parts in zip(worths.base, won, value, strict=True)]
            right = total == [sign * scores[seat] for seat in players]
        if not right:
            raise EndgameError("the engine gives other scores to the line that was found")


def _known_rules(state: State) -> tuple[TrickStart, TrickRules]:
    """Return the rules of the rest of a game, and where it was found that they hold."""
    why = UnsuitedEndgameError("how the trick began is not known")
    for start in trick_starts(state):
        try:
            return start, trick_rules(start)
        except UnsuitedEndgameError as error:
            why = error
    raise why
