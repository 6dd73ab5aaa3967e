"""Hanabi as its rules say, checked against a model that does not ask the engine what is legal."""

from collections import Counter

import pytest
from hanabi_model import COLORS, COPIES, HanabiCard, HanabiGame, HanabiMove
from library_playing import bare_options, picked, seeds

from cardwright import Game, Option, State, Stream
from cardwright.program.cards import Card

NUMBERS = {"ONE": 1, "TWO": 2, "THREE": 3, "FOUR": 4, "FIVE": 5}
PLACES = ("FIRST", "SECOND", "THIRD", "FOURTH", "FIFTH")


def face(card: Card) -> HanabiCard:
    return card.attributes["COLOR"], NUMBERS[card.attributes["RANK"]]


def faces(state: State, seat: int | None, kind: str, name: str) -> list[HanabiCard]:
    return [face(card) for card in state.cards(seat, kind, name)]


def model_of(state: State, *, lose_all: bool) -> HanabiGame:
    """Return the model of a game at its beginning."""
    places = PLACES if state.game.players < 4 else PLACES[:4]
    hands: list[list[HanabiCard | None]] = [
        [faces(state, seat, "oloc", name)[0] for name in places]
        for seat in range(state.game.players)
    ]
    return HanabiGame(hands, faces(state, None, "iloc", "STOCK"), lose_all)


def move_of(option: Option) -> HanabiMove:
    """Return what an option means."""
    seat = picked(option, "P")
    if option.content.branch == 0:
        return "tell", int(str(seat)), str(picked(option, "COLOR"))
    if option.content.branch == 1:
        return "tell", int(str(seat)), NUMBERS[str(picked(option, "RANK"))]
    verb = "play" if option.content.branch == 2 else "discard"
    return verb, PLACES.index(str(picked(option, "S")))


def fits(model: HanabiGame, move: HanabiMove) -> bool:
    """Return whether a move plays a card that its firework waits for."""
    card = model.hands[model.player][int(move[1])] if move[0] == "play" else None
    return card is not None and model.fireworks[card[0]] == card[1] - 1


def chosen(model: HanabiGame, moves: list[HanabiMove], stream: Stream, *, keen: bool) -> int:
    """Choose at random, or else mostly a card that fits, or a move that costs no life."""
    every = range(len(moves))
    fit = [index for index in every if fits(model, moves[index])]
    safe = [index for index in every if moves[index][0] != "play"]
    among = list(every)
    if keen and stream.below(10) > 0:
        among = fit or safe or among
    return among[stream.below(len(among))]


def same(state: State, model: HanabiGame) -> None:
    """All that lies and is stored is as in the model."""
    assert state.integer(None, "CLUES") == model.clues
    assert state.integer(None, "LIVES") == model.lives
    assert Counter(faces(state, None, "vloc", "DISCARD")) == Counter(model.away)
    for color in COLORS:
        assert len(state.cards(None, "vloc", color)) == model.fireworks[color]
    for seat, hand in enumerate(model.hands):
        for name, card, (color, number) in zip(PLACES, hand, model.told[seat], strict=False):
            assert faces(state, seat, "oloc", name) == ([card] if card else [])
            assert (state.string(seat, name) or "NONE") == (color or "NONE")
            assert state.integer(seat, name) == (number or 0)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_whole_games_are_as_in_a_model(players: int) -> None:
    """Every option, all that lies and is known, the end and the scores, on random games."""
    game = Game.load("hanabi", PLAYERS=players, LOSEALL=players % 2)
    seen: Counter[str] = Counter()
    for seed in seeds(48, 6):
        state, stream = game.start(seed), Stream(seed)
        model = model_of(state, lose_all=players % 2 == 1)
        while not model.over:
            assert state.player == model.player
            moves = [move_of(option) for option in bare_options(state)]
            assert len(set(moves)) == len(moves)
            assert set(moves) == model.moves()
            index = chosen(model, moves, stream, keen=seed % 2 == 0)
            state.play(index)
            model.play(moves[index])
            same(state, model)
        assert state.finished
        assert list(state.scores) == list(model.scores())
        seen["lives" if model.lives == 0 else "stock" if model.left == 0 else "whole"] += 1
    assert seen["lives"]


def test_a_game_ends_after_the_last_round_of_an_empty_stock() -> None:
    """With the last card drawn everybody has one turn, also the one who drew it."""
    game = Game.load("hanabi", PLAYERS=2, engine="interpreter")
    state = game.start(1)
    model = model_of(state, lose_all=False)
    while model.left is None:
        moves = [move_of(option) for option in bare_options(state)]
        wanted = [m for m in moves if m[0] == "discard"] or [m for m in moves if m[0] == "tell"]
        state.play(moves.index(wanted[0]))
        model.play(wanted[0])
    for _ in range(2):
        assert not state.finished
        state.play(0)
    assert state.finished


def test_the_pack() -> None:
    """Three ones, two each up to four, and one five of each color; four cards for many players."""
    game = Game.load("hanabi", PLAYERS=4, engine="interpreter")
    assert Counter(map(face, game.cards)) == {
        (color, number): copies for color in COLORS for number, copies in COPIES.items()
    }
    assert len(faces(game.start(0), None, "iloc", "STOCK")) == 50 - 16


def test_a_sixth_color_makes_thirty_points() -> None:
    """The preset has ten cards more, whose firework counts like others."""
    game = Game.load("hanabi", preset="purple", engine="interpreter")
    assert len(game.cards) == 60
    assert {card.attributes["COLOR"] for card in game.cards} == {*COLORS, "PURPLE"}
