"""Doppelkopf as its rules say, checked against a model that does not ask the engine who wins."""

from collections import Counter

import pytest
from doppelkopf_model import DoppelkopfDeal
from library_playing import bare_options, card_of, hand, picked, seeds

from cardwright import Game, State, Stream


def moves_of(state: State, model: DoppelkopfDeal) -> list[str]:
    """Return the moves of a decision; where nothing is picked, the place in the text tells."""
    found = []
    for option in bare_options(state):
        if len(model.asked) < 4:
            found.append(("healthy", "reservation")[option.content.branch])
        elif value := picked(option, "SOLO") or picked(option, "WORD"):
            found.append(str(value))
        else:
            plain = "marriage" if model.naming else "nothing"
            found.append(card_of(state, option) or plain)
    return found


def chosen(model: DoppelkopfDeal, moves: list[str], stream: Stream) -> int:
    """Choose at random, but mostly play without reservations and announcements."""
    rare = stream.below(8) == 0
    for usual in ("marriage", "nothing"):
        if usual in moves and not rare:
            return moves.index(usual)
    if "healthy" in moves:
        both = model.hands[model.player].count("QC") == 2
        wanted = "reservation" if (both and stream.below(3)) or stream.below(30) == 0 else "healthy"
        return moves.index(wanted)
    return stream.below(len(moves))


@pytest.mark.parametrize("tens", [0, 1])
def test_whole_deals_are_as_in_a_model(tens: int) -> None:
    """Every option, who decides, tricks, and the scores, on random deals of all kinds."""
    game = Game.load("doppelkopf", TENS=tens)
    seen: Counter[str] = Counter()
    for seed in seeds(320, 60):
        state, stream = game.start(seed), Stream(seed)
        model = DoppelkopfDeal([list(hand(state, seat)) for seat in range(4)], bool(tens))
        while not model.over:
            assert state.player == model.player
            moves = moves_of(state, model)
            assert set(moves) == model.moves()
            if not (model.saying or model.naming or len(model.asked) < 4):
                held = Counter(model.hands[model.player])
                assert Counter(moves) == {card: held[card] for card in set(moves)}
            index = chosen(model, moves, stream)
            state.play(index)
            model.play(moves[index])
            assert [state.integer(seat, "TRICKS") for seat in range(4)] == model.tricks
        assert state.finished
        assert list(state.scores) == model.scores()
        seen[model.kind if model.soloist is None else "SOLO"] += 1
        seen[str(model.winner())] += 1
    assert min(seen[kind] for kind in ("NORMAL", "MARRIAGE", "SOLO", "True", "False")) > 0
    assert seen["None"] > 0


def test_the_deal() -> None:
    """Twelve cards each; every card is there twice."""
    state = Game.load("doppelkopf", engine="interpreter").start(1)
    pack = Counter(card for seat in range(4) for card in hand(state, seat))
    assert len(pack) == 24
    assert set(pack.values()) == {2}
