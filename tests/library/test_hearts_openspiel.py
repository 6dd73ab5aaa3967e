"""The preset `openspiel` plays Hearts as OpenSpiel does, and so does each of its options.

Both play the same deals, passes and cards, chosen at random. At every decision they must agree on
who decides and which cards are legal, and at the end on the points.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from library_playing import code, hand

import needed
from cardwright import Game
from deep import usually

if TYPE_CHECKING:
    from cardwright import State
    from cardwright.game.option import Content
    from cardwright.program.constants import Constant

pyspiel = needed.module("pyspiel")

RANKS, SUITS = "23456789TJQKA", "CDHS"
DIRECTIONS = {"HOLD": 0, "LEFT": 1, "ACROSS": 2, "RIGHT": 3}
FLAGS: dict[str, tuple[dict[str, Constant], int]] = {
    "jd_bonus=true": ({"JACKDIAMONDS": -10}, 0),
    "avoid_all_tricks_bonus=true": ({"NOTRICKS": -5}, 7),
    "must_break_hearts=false": ({"HEARTLEAD": "FREE"}, 0),
    "qs_breaks_hearts=false": ({"BREAKS": "HEART"}, 0),
    "can_lead_any_club=true": ({"OPENING": "CLUB"}, 0),
    "can_lead_hearts_instead_of_qs=true": ({"EXEMPT": "QUEEN"}, 472),
    "no_pts_on_first_trick=false": ({"FIRSTTRICK": "ANY"}, 7),
    "pass_cards=false": ({"PASS": 0}, 0),
}
"""An option of OpenSpiel's at its other value, ours for it, and a seed with which it matters."""


@pytest.fixture(scope="module")
def preset() -> Game:
    return Game.load("hearts", preset="openspiel", engine="interpreter")


def action(card: str) -> int:
    """Return OpenSpiel's number of a card: four times the rank, plus the suit."""
    return RANKS.index(card[0]) * len(SUITS) + SUITS.index(card[1])


def played(state: State, content: Content) -> int:
    """Return OpenSpiel's number of the card that an option passes or plays."""
    ((_, card),) = content.picks
    assert isinstance(card, int)
    return action(code(state.game.cards[card]))


def dealt(parameters: str, state: State) -> Any:
    """Return OpenSpiel's state after the same direction of passing and the same deal."""
    other = pyspiel.load_game(f"hearts({parameters})").new_initial_state()
    # Without passing its first chance node offers the directions all the same.
    passes = "pass_cards=false" not in parameters
    other.apply_action(DIRECTIONS[state.string(None, "DIRECTION")] if passes else 0)
    hands = [hand(state, seat) for seat in range(4)]
    seats = [state.cards(seat, "vloc", "TRICK") for seat in range(4)]
    assert not any(seats)
    for i in range(52):
        other.apply_action(action(hands[i % 4][i // 4]))
    return other


def compare(game: Game, parameters: str, seed: int) -> int:
    """Play one deal on both sides; return the number of decisions."""
    state = game.start(seed)
    other = dealt(parameters, state)
    chooser = random.Random(seed)
    decisions = 0
    while not state.finished:
        assert not other.is_terminal()
        assert state.player == other.current_player()
        options = {played(state, content): at for at, content in enumerate(state.contents())}
        assert sorted(options) == other.legal_actions(), (seed, decisions)
        chosen = chooser.choice(sorted(options))
        state.play(options[chosen])
        other.apply_action(chosen)
        decisions += 1
    assert other.is_terminal()
    most = max(one + score for one, score in zip(other.returns(), state.scores, strict=True))
    assert [most - one for one in other.returns()] == list(state.scores), seed
    return decisions


def test_deals_of_the_preset(preset: Game) -> None:
    """Legal cards at every decision, passing included, and final points."""
    lengths = {compare(preset, "", seed) for seed in range(usually(16, 700))}
    assert lengths == {52, 64}


@pytest.mark.parametrize("flag", FLAGS)
def test_each_option(flag: str, preset: Game) -> None:
    """The games go alike, also in a deal that goes otherwise without our option."""
    declared, telling = FLAGS[flag]
    game = Game.variant("hearts", declared, "openspiel", engine="interpreter")
    for seed in {*range(usually(2, 80)), telling}:
        compare(game, flag, seed)
    with pytest.raises(AssertionError):
        compare(preset, flag, telling)


def test_all_options_at_once() -> None:
    """The options change the game independently of one another."""
    ours = {name: value for declared, _ in FLAGS.values() for name, value in declared.items()}
    game = Game.variant("hearts", ours, "openspiel", engine="interpreter")
    for seed in range(usually(4, 80)):
        compare(game, ",".join(FLAGS), seed)
