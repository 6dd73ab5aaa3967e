"""Canasta as its rules say, checked against a model that does not ask the engine what may lie."""

from collections import Counter

import pytest
from canasta_model import RANKS, CanastaDeal, CanastaMove, CanastaSeat
from library_playing import bare_options, picked, seeds

from cardwright import Game, Option, State, Stream


def ids(state: State, seat: int | None, kind: str, name: str) -> list[int]:
    return [int(card.id) for card in state.cards(seat, kind, name)]


def model_of(state: State) -> CanastaDeal:
    """Return the model of a deal at its first decision."""
    declared = state.game.declared
    return CanastaDeal(
        {int(card.id): card.attributes["RANK"] for card in state.game.cards},
        {int(card.id): card.attributes.get("SUIT", "") for card in state.game.cards},
        [
            CanastaSeat(
                set(ids(state, seat, "iloc", "HAND")), set(ids(state, seat, "vloc", "REDTHREES"))
            )
            for seat in range(2)
        ],
        ids(state, None, "vloc", "PILE"),
        ids(state, None, "iloc", "STOCK"),
        *(int(str(declared[name])) for name in ("DRAWN", "FIRST", "NEEDED")),
    )


def cards_of(option: Option, variable: str) -> tuple[int, ...]:
    cards = picked(option, variable)
    assert isinstance(cards, tuple)
    return tuple(sorted(int(card) for card in cards))


def move_of(option: Option, phase: str) -> CanastaMove:
    branch = option.content.branch
    if phase == "draw":
        return ("draw",) if branch == 0 else ("take", *cards_of(option, "PAIR"))
    if phase == "discard":
        return "discard", int(str(picked(option, "CARD")))
    if branch > 0:
        return (("done",), ("back",))[branch - 1]
    return "lay", str(picked(option, "R")), *cards_of(option, "CARDS")


def chosen(model: CanastaDeal, moves: list[CanastaMove], stream: Stream) -> int:
    """Choose at random, but mostly what leads to canastas."""
    every = range(len(moves))
    natural = [
        index
        for index in every
        if moves[index][0] == "lay" and not any(model.wild(int(card)) for card in moves[index][2:])
    ]
    takes = [index for index in every if moves[index][0] == "take"]
    tame = [
        index
        for index in every
        if moves[index][0] == "discard" and not model.wild(int(moves[index][1]))
    ]
    wanted = natural or takes or tame
    among = wanted if wanted and stream.below(10) > 0 else list(every)
    return among[stream.below(len(among))]


@pytest.mark.parametrize(
    "declared",
    [{}, {"HANDSIZE": 15, "DRAWN": 2, "NEEDED": 2}, {"HANDSIZE": 7, "FIRST": 0, "NEEDED": 0}],
)
def test_whole_deals_are_as_in_a_model(declared: dict[str, int]) -> None:
    """Every option, where all cards lie, and the scores, on deals in which melds grow."""
    game = Game.load("canasta", **declared)
    seen: Counter[str] = Counter()
    for seed in seeds(160, 6):
        state, stream = game.start(seed), Stream(seed)
        model = model_of(state)
        while not model.over:
            assert state.player == model.player
            moves = [move_of(option, model.phase) for option in bare_options(state)]
            assert len(moves) == len(set(moves))
            assert set(moves) == model.moves()
            index = chosen(model, moves, stream)
            state.play(index)
            model.play(moves[index])
            same(state, model)
        assert state.finished
        assert list(state.scores) == model.scores()
        for seat in model.seats:
            seen["canastas"] += seat.canastas()
            seen["out"] += not seat.hand
    assert seen["canastas"]
    assert seen["out"]


def same(state: State, model: CanastaDeal) -> None:
    """All cards lie as in the model."""
    assert ids(state, None, "vloc", "PILE") == model.pile
    assert len(ids(state, None, "iloc", "STOCK")) == len(model.stock)
    for number, seat in enumerate(model.seats):
        assert set(ids(state, number, "iloc", "HAND")) == seat.hand
        assert set(ids(state, number, "vloc", "REDTHREES")) == seat.red_threes
        for rank in RANKS:
            assert set(ids(state, number, "vloc", rank)) == seat.melds[rank]


def test_the_pack() -> None:
    """Two packs of 52 with four jokers."""
    cards = Game.load("canasta", engine="interpreter").cards
    assert len(cards) == 108
    assert sum(card.attributes["RANK"] == "JOKER" for card in cards) == 4
