"""Endgames with open hands: the same as by looking at all positions, as DDS, and as by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from tests.deep import mostly_deep, usually

import needed
from cardwright import Game
from cardwright.endgames.errors import EndgameError
from cardwright.endgames.open_hands import TrickEndgame
from cardwright.endgames.positions import solve_positions
from cardwright.endgames.trick_rules import TrickModel, TrickRules
from cardwright.endgames.trick_start import bits
from cardwright.endgames.tricks import TrickPosition, TrickSolver
from cardwright.endgames.worths import Worths
from cardwright.solve import EndgameMethod, SolvedEndgame, solve_open_hands

if TYPE_CHECKING:
    from cardwright.game.game import State

TRICK_GAMES = ("agram", "hearts", "knaves", "polignac", "spades", "sueca", "whist")

STRAINS = ("CLUBS", "DIAMONDS", "HEARTS", "SPADES", "NOTRUMP")
SUITS = STRAINS[:4]
RANKS = ("TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN", *"JQKA")


def played_to(game: Game, seed: int, left: int) -> State:
    """Return a game played at random until hands have no more than so many cards together."""
    state, draw = game.start(seed), random.Random(seed)
    while sum(len(cards) for at, cards in state.locations().items() if at.name == "HAND") > left:
        state.play(draw.randrange(state.option_count))
    return state


@cache
def bridge(dealer: int = 1) -> Game:
    """Return Bridge in machine code."""
    return Game.load("bridge", engine="native", DEALER=dealer)


def contract(seed: int) -> State:
    """Return a deal of Bridge after a bid of one in a strain, which all have passed."""
    state = bridge(1 + seed % 4).start(seed)
    state.play(1 + seed % 5)
    for _ in range(3):
        state.play(0)
    return state


# All positions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", mostly_deep(TRICK_GAMES, ("hearts", "sueca").__contains__))
def test_trick_games_are_solved_as_by_all_positions(name: str) -> None:
    """The scores by best play, and those after each option, in the middle of tricks too."""
    game, tricks = Game.load(name, engine="native"), 0
    for seed in range(usually(2, 60)):
        state = played_to(game, seed, 9 - seed % 3)
        found = solve_open_hands(state, every_option=True)
        scores, _, options, _, _ = solve_positions(state, 20_000, every_option=True)
        assert (found.scores, found.options) == (scores, options), f"seed {seed}"
        tricks += found.method is EndgameMethod.TRICKS
    assert tricks >= usually(2, 40)


def test_the_line_is_best_play() -> None:
    """It ends with the scores, and every seat's options are worth what it says along the way."""
    state = played_to(Game.load("whist", engine="native"), 5, 7)
    found = solve_open_hands(state)
    for index in found.line:
        here = solve_open_hands(state, every_option=True)
        assert here.scores == here.options[index] == found.scores
        state.play(index)
    assert state.scores == found.scores


def test_other_engines_look_at_all_positions() -> None:
    """With the same result; and what is too much for that is refused with the reason."""
    native, plain = (Game.load("whist", engine=engine) for engine in ("native", "interpreter"))
    found, slow = (solve_open_hands(played_to(game, 3, 8)) for game in (native, plain))
    assert (found.method, slow.method) == (EndgameMethod.TRICKS, EndgameMethod.POSITIONS)
    assert (found.scores, set(found.sides)) == (slow.scores, {(0, 2), (1, 3)})
    with pytest.raises(EndgameError, match="by the native engine, and it is not at hand"):
        solve_open_hands(plain.start(3), most_nodes=50)


@pytest.mark.deep
def test_webassembly_solves_as_llvm() -> None:
    needed.module("wasmtime")
    found = [
        solve_open_hands(played_to(Game.load("hearts", engine=engine), 4, 16), every_option=True)
        for engine in ("native", "wasm")
    ]
    assert found[0] == found[1]


# Bridge -----------------------------------------------------------------------------------------


def test_bridge_makes_as_many_tricks_as_by_dds() -> None:
    try:
        types: Any = import_module("endplay.types")
        dds: Any = import_module("endplay.dds")
    except ImportError:
        pytest.skip("endplay is not installed (bench/peers/requirements.txt)")
    letters = dict(zip(RANKS, "23456789TJQKA", strict=True))
    for seed in range(usually(2, 200)):
        state = contract(seed)
        hands = []
        for seat in range(4):
            held = [card.attributes for card in state.cards(seat, "iloc", "HAND")]
            suits = (
                "".join(letters[card["RANK"]] for card in held if card["SUIT"] == suit)
                for suit in reversed(SUITS)
            )
            hands.append(".".join(suits))
        deal = types.Deal("N:" + " ".join(hands))
        strain = STRAINS[seed % 5]
        deal.trump = types.Denom.nt if strain == "NOTRUMP" else getattr(types.Denom, strain.lower())
        assert state.player is not None
        deal.first = list(types.Player)[state.player]
        endgame = TrickEndgame(state)
        leads = endgame.rules.worths.sides[0]
        tricks = endgame.tricks() if leads else 13 - endgame.tricks()
        assert tricks == max(count for _, count in dds.solve_board(deal)), f"seed {seed}"


def test_the_score_of_a_contract_is_that_of_its_tricks() -> None:
    """Declarer's side has made what `tricks` says, by the engine that replays the line."""
    state = contract(2)
    found, declarer = solve_open_hands(state), 2
    assert found.tricks is not None
    made = found.tricks if declarer in found.sides[0] else 13 - found.tricks
    for index in found.line:
        state.play(index)
    assert found.scores == state.scores
    assert (state.scores[declarer] > 0) == (made >= 7)


# By hand ----------------------------------------------------------------------------------------


def cards(text: str) -> int:
    """Return a set of cards of Bridge: `SAK H2`."""
    found = []
    for word in text.split():
        suit = "CDHS".index(word[0])
        found += [13 * suit + "23456789TJQKA".index(rank) for rank in word[1:]]
    return bits(found)


def four_hands(trump: int = -1, **how: Any) -> TrickRules:
    """Return rules of four hands, the first and third of one side, by tricks alone."""
    classes = [list(range(13 * suit, 13 * suit + 13)) for suit in range(4)]
    worths = Worths(
        **{"sides": (1, 0, 1, 0), "trick": 1, "last": 0, "cards": {}, "shot": {}, **how}
    )
    return TrickRules((0, 1, 2, 3), TrickModel(classes, trump, 0), worths)  # type: ignore[arg-type]


def solver(rules: TrickRules) -> TrickSolver:
    """Return what solves endgames by some rules."""
    return TrickSolver(contract(0)._native_board().engine, rules)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("hands", "turn", "trump", "won"),
    [
        # Everybody has one suit: without trumps who leads takes all.
        (("C23456789TJQKA", "D23456789TJQKA", "H23456789TJQKA", "S23456789TJQKA"), 0, -1, 13),
        (("C23456789TJQKA", "D23456789TJQKA", "H23456789TJQKA", "S23456789TJQKA"), 1, -1, 0),
        (("C23456789TJQKA", "D23456789TJQKA", "H23456789TJQKA", "S23456789TJQKA"), 1, 0, 13),
        # A finesse: the king lies before the ace and queen, or behind them.
        (("S23", "SK4", "SAQ", "S56"), 0, -1, 2),
        (("S23", "S56", "SAQ", "SK4"), 0, -1, 1),
        # A squeeze that works only against the hand before the threats.
        (("CA S2 H2", "SKQ HA", "SAJ HK", "D23 H3"), 0, -1, 3),
        (("CA S2 H2", "D23 H3", "SAJ HK", "SKQ HA"), 0, -1, 2),
        # Trumps taken apart: a cross ruff takes every trick.
        (("C2 S34", "C3 D34 ", "D2 S56", "C4 D56"), 0, 3, 3),
    ],
)
def test_deals_that_are_solved_by_hand(
    hands: tuple[str, ...], turn: int, trump: int, won: int
) -> None:
    position = TrickPosition(tuple(map(cards, hands)), turn, (), barred=False)
    assert solver(four_hands(trump)).side_wins(position) == won


def test_what_is_kept_for_like_positions_is_true_of_them() -> None:
    """A table by the cards that matter gives the same as one by all cards, and no table."""
    draw = random.Random(1)
    for trump in (-1, 2):
        by_ranks = solver(four_hands(trump))
        by_cards = solver(four_hands(trump, cards={0: 0}))
        assert (by_ranks.by_cards, by_cards.by_cards) == (False, True)
        for _ in range(usually(800, 6000)):
            size = draw.randint(3, 7)
            pack = draw.sample(range(52), 4 * size)
            hands = tuple(bits(pack[at : at + size]) for at in range(0, 4 * size, size))
            position = TrickPosition(hands, draw.randrange(4), (), barred=False)
            assert by_ranks.side_wins(position) == by_cards.side_wins(position)


# What is not solved -------------------------------------------------------------------------------


def test_other_rules_are_refused_with_the_reason() -> None:
    state = played_to(Game.load("klaverjassen", engine="native"), 1, 31)
    with pytest.raises(EndgameError, match=r"too large.*not solved as a trick game: what may be"):
        solve_open_hands(state, most_nodes=50)


def test_the_next_deal_is_chance() -> None:
    state = played_to(Game.load("hearts", engine="native", ROUNDS=2), 1, 4)
    with pytest.raises(EndgameError, match="chance still decides something"):
        solve_open_hands(state)


def test_too_large_an_endgame_is_refused() -> None:
    with pytest.raises(EndgameError, match="more than 100 beginnings of tricks"):
        solve_open_hands(contract(1), most_nodes=100)


def test_a_finished_game_is_refused() -> None:
    state = played_to(Game.load("agram", engine="native"), 1, 0)
    with pytest.raises(EndgameError, match="the game is over"):
        solve_open_hands(state)


@pytest.mark.parametrize("field", ["base", "model"])
def test_rules_that_are_wrong_are_noticed_by_the_replay(field: str) -> None:
    """The engine plays the line, and its scores are compared."""
    state = played_to(Game.load("hearts", engine="native"), 4, 16)
    endgame = TrickEndgame(state)
    rules = endgame.rules
    if field == "base":
        worths = replace(rules.worths, base=tuple(1 + worth for worth in rules.worths.base))
        endgame.rules = replace(rules, worths=worths)
    else:
        model = rules.model
        weak = [list(reversed(group)) for group in model.classes]
        endgame.rules = replace(rules, model=TrickModel(weak, -1, model.barred))
        endgame._solver = solver_of(endgame, state)
    with pytest.raises(EndgameError, match="the engine"):
        endgame.solved(state)


def solver_of(endgame: TrickEndgame, state: State) -> TrickSolver:
    """Return a new solver by the rules that an endgame has now."""
    board = state._native_board()
    assert board is not None
    return TrickSolver(board.engine, endgame.rules)


def test_results_are_values() -> None:
    found = solve_open_hands(played_to(Game.load("agram", engine="native"), 2, 6))
    assert isinstance(found, SolvedEndgame)
    assert found.sides == ((0,), (1,), (2,))
    assert found.tricks is None
    assert found.nodes > 0
