"""Cheat as its rules say, checked against a model that does not ask the engine who was honest."""

from collections import Counter
from dataclasses import dataclass, field

import pytest
from library_playing import bare_options, card_of, codes, hand, interpreted, seeds

from cardwright import Option, State, Stream

ORDER = "A23456789TJQK"


@dataclass
class CheatGame:
    """One game in plain Python: the hands, the pile, the cards just played and who is asked."""

    hands: list[set[str]]
    most: int
    limit: int
    actor: int = 0
    player: int = 0
    turn: int = 0
    claimed: bool = False
    pile: set[str] = field(default_factory=set)
    played: set[str] = field(default_factory=set)

    @property
    def over(self) -> bool:
        """Whether somebody is out of cards, or the last turn is over."""
        return not self.played and (self.turn == self.limit or not all(self.hands))

    def moves(self) -> set[str]:
        """Return what may be done: play a card, say that it is all, believe or doubt."""
        if self.claimed:
            return {"believe", "cheat"}
        return self.hands[self.player] | ({"ready"} if self.played else set())

    def play(self, move: str) -> None:
        """Carry out a move."""
        following = (self.player + 1) % len(self.hands)
        if not self.claimed:
            if move != "ready":
                self.played.add(move)
                self.hands[self.player].remove(move)
            if move == "ready" or len(self.played) == self.most or not self.hands[self.player]:
                self.claimed = True
                self.player = following
        elif move == "cheat":
            honest = all(card[0] == ORDER[self.turn % 13] for card in self.played)
            self.hands[self.player if honest else self.actor] |= self.pile | self.played
            self.pile = set()
            self._next()
        else:
            self.player = following
            if following == self.actor:
                self.pile |= self.played
                self._next()

    def _next(self) -> None:
        self.played, self.turn, self.claimed = set(), self.turn + 1, False
        self.actor = self.player = (self.actor + 1) % len(self.hands)


def move_of(state: State, option: Option, *, claimed: bool) -> str:
    """Return what an option does, in the words of the model."""
    card = card_of(state, option)
    return card or (("believe", "cheat")[option.content.branch] if claimed else "ready")


@pytest.mark.parametrize(("players", "most", "limit"), [(3, 4, 25), (5, 1, 90), (6, 2, 70)])
def test_whole_games_are_as_in_a_model(players: int, most: int, limit: int) -> None:
    """Every option, all cards and the scores, on random games in which most claims are believed."""
    game = interpreted("cheat", PLAYERS=players, MOST=most, LIMIT=limit)
    ends: Counter[str] = Counter()
    for seed in seeds(24, 4):
        state, stream = game.start(seed), Stream(seed)
        model = CheatGame([set(hand(state, seat)) for seat in range(players)], most, limit)
        assert sum(map(len, model.hands)) == 52
        while not model.over:
            assert state.player == model.player
            moves = [
                move_of(state, option, claimed=model.claimed) for option in bare_options(state)
            ]
            assert len(moves) == len(set(moves))
            assert set(moves) == model.moves()
            believes = model.claimed and stream.below(5) > 0
            move = "believe" if believes else moves[stream.below(len(moves))]
            state.play(moves.index(move))
            model.play(move)
            assert [set(hand(state, seat)) for seat in range(players)] == model.hands
            assert set(codes(state.cards(None, "hloc", "PILE"))) == model.pile
        assert state.finished
        assert list(state.scores) == [len(cards) for cards in model.hands]
        ends["out" if min(state.scores) == 0 else "limit"] += 1
    assert len(ends) == 2 or most < 4
