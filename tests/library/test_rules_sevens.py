"""Sevens as its rules say: a model of them is asked what fits, who may pass and who scores."""

import pytest
from library_playing import (
    FULL_PACK,
    bare_options,
    card_of,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    preferring,
    seeds,
    shuffled,
)

from cardwright import Game, Option, State

SEEDS = range(30)
ORDER = "A23456789TJQK"


def dealt(game: Game, seed: int) -> list[set[str]]:
    """Return the hands: the whole pack, card by card, from player 1 on."""
    pack = shuffled(game, seed)[::-1]
    return [set(pack[seat :: game.players]) for seat in range(game.players)]


def fitting(held: set[str], layout: set[str]) -> set[str]:
    """Return the sevens, and the cards whose neighbor towards the seven lies there."""
    found = set()
    for card in held:
        height = ORDER.index(card[0]) - ORDER.index("7")
        inner = ORDER[ORDER.index(card[0]) + (1 if height < 0 else -1)] + card[1]
        if height == 0 or inner in layout:
            found.add(card)
    return found


def follow(
    game: Game,
    seed: int,
    *,
    opening: str = "D",
    passes: int = 0,
    passcost: int = 0,
    cardcost: int = 1,
) -> tuple[State, int]:
    """Play a game, compare everything with the model, and return the end and how many passed."""
    hands, layout, passed = dealt(game, seed), set[str](), [0] * game.players
    seat = 0
    if opening:
        seat = next(at for at, held in enumerate(hands) if "7" + opening in held)
        hands[seat].remove("7" + opening)
        layout.add("7" + opening)
        seat = (seat + 1) % game.players
    for state, option in decisions(game, seed):
        assert all(hands)
        assert state.player == seat
        assert set(hand(state, seat)) == hands[seat]
        assert set(codes(state.cards(None, "vloc", "LAYOUT"))) == layout
        fit = fitting(hands[seat], layout)
        found = [card_of(state, one) for one in bare_options(state)]
        may_pass = not fit or passed[seat] < passes
        assert sorted(card for card in found if card) == sorted(fit)
        assert found.count(None) == may_pass
        card = card_of(state, option)
        if card is None:
            passed[seat] += 1
        else:
            hands[seat].remove(card)
            layout.add(card)
        seat = (seat + 1) % game.players
    assert sum(not held for held in hands) == 1
    assert state.scores == tuple(
        cardcost * len(held) + passcost * turns for held, turns in zip(hands, passed, strict=True)
    )
    return state, sum(passed)


@pytest.mark.sweep
@pytest.mark.parametrize("players", range(3, 8))
def test_games_go_as_the_rules_say(players: int) -> None:
    """Whoever has the seven of diamonds begins; what fits must be played; the first out wins."""
    game = interpreted("sevens", PLAYERS=players)
    assert sorted(codes(game.cards)) == FULL_PACK
    turns = 0
    for seed in SEEDS:
        state, passed = follow(game, seed)
        turns += passed
        assert min(state.scores) == 0
        assert state.wins == tuple(float(score == 0) for score in state.scores)
    assert turns > 20


def test_any_seven_may_come_first() -> None:
    """With OPENING at NONE player 1 begins, with any seven, or passes without one."""
    game = interpreted("sevens", OPENING="NONE")
    for seed in seeds(12):
        follow(game, seed, opening="")


def test_another_seven_may_have_to_come_first() -> None:
    game = interpreted("sevens", OPENING="SPADES")
    for seed in seeds(6):
        follow(game, seed, opening="S")


def test_turns_passed_by_choice() -> None:
    """With PASSES at 2, who has passed less than twice may pass, with a card that fits, too."""
    game = interpreted("sevens", PASSES=2, PASSCOST=5, CARDCOST=3)
    for seed in SEEDS:
        follow(game, seed, passes=2, passcost=5, cardcost=3)


def test_who_always_passes_has_to_play_in_the_end() -> None:
    """Everybody passes twice, and then only without a card that fits: the round still ends."""
    game = interpreted("sevens", PASSES=2)

    def passing(state: State, option: Option) -> bool:
        return card_of(state, option) is None

    for seed in seeds(5):
        state = finish(game, seed, preferring(seed, game.players, passing))
        assert 0 in state.scores
