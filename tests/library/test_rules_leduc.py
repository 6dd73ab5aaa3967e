"""Leduc poker as its rules say, over all deals and all betting."""

from collections.abc import Iterator
from itertools import permutations

import pytest
from library_playing import (
    bare_options,
    code,
    decisions,
    finish,
    hand,
    interpreted,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, State

ACTIONS = ("check", "fold", "call", "raise")
PACK = ("JH", "JS", "QH", "QS", "KH", "KS")


@pytest.fixture(scope="module")
def game() -> Game:
    return interpreted("leduc")


def actions(state: State) -> list[str]:
    """What the options of a decision are, by their place in the game file's choice."""
    return [ACTIONS[option.content.branch] for option in bare_options(state)]


def act(state: State, *wanted: str) -> State:
    for action in wanted:
        state.play(actions(state).index(action))
    return state


def betting(unit: int, most: int) -> Iterator[tuple[tuple[str, ...], list[int], bool]]:
    """Yield all ways of one betting round: the actions, what each paid, whether one folded."""

    def go(
        done: tuple[str, ...], paid: list[int]
    ) -> Iterator[tuple[tuple[str, ...], list[int], bool]]:
        me = len(done) % 2
        raises = done.count("raise")
        stake = raises * unit
        if paid[me] < stake:
            yield (*done, "fold"), paid, True
            called = list(paid)
            called[me] = stake
            yield (*done, "call"), called, False
        elif done == ("check",):
            yield (*done, "check"), paid, False
        else:
            yield from go((*done, "check"), paid)
        if raises < most:
            raised = list(paid)
            raised[me] = stake + unit
            yield from go((*done, "raise"), raised)

    yield from go((), [0, 0])


def strength(card: str, board: str) -> int:
    return 10 if card[0] == board[0] else "JQK".index(card[0])


def test_six_cards_two_players() -> None:
    """The pack is jack, queen and king in two suits; one private card each."""
    game = interpreted("leduc")
    assert sorted(code(card) for card in game.cards) == sorted(PACK)
    assert game.players == 2
    for seed in seeds(10):
        state = game.start(seed)
        pack = shuffled(game, seed)
        assert hand(state, 0) == (pack[-1],)
        assert hand(state, 1) == (pack[-2],)
        assert not state.cards(None, "vloc", "BOARD")


def test_every_deal_and_all_betting() -> None:
    """Every history of both rounds pays out what was put in, by the rank of the cards."""
    ways = [(w, p, f) for w, p, f in betting(2, 2)]
    assert len(ways) == 9
    deals = {tuple(c[0] for c in deal): deal for deal in permutations(PACK, 3)}
    assert len(deals) == 24
    for deal in deals.values():
        game = stacked("leduc", " ".join([*deal, *(c for c in PACK if c not in deal)]))
        mine, yours, board = deal
        for first, paid, folded in ways:
            middle = act(game.start(0), *first)
            if folded:
                assert middle.finished
                loser = (len(first) - 1) % 2
                gain = 1 + paid[loser]
                assert middle.scores == ((-gain, gain) if loser == 0 else (gain, -gain))
                assert len(middle.cards(None, "vloc", "BOARD")) == 0
                continue
            assert [code(c) for c in middle.cards(None, "vloc", "BOARD")] == [board]
            assert middle.player == 0
            for second, more, gone in betting(4, 2):
                state = act(middle.copy(), *second)
                assert state.finished
                if gone:
                    loser = (len(second) - 1) % 2
                    gain = 1 + paid[loser] + more[loser]
                    expected = (-gain, gain) if loser == 0 else (gain, -gain)
                else:
                    gain = 1 + paid[0] + more[0]
                    better = strength(mine, board) - strength(yours, board)
                    sign = (better > 0) - (better < 0)
                    expected = (sign * gain, -sign * gain)
                assert state.scores == expected


def test_what_may_be_done(game: Game) -> None:
    """Check or raise first; fold, call or raise after a raise; fold or call after two."""
    state = game.start(0)
    assert actions(state) == ["check", "raise"]
    assert actions(act(state.copy(), "check")) == ["check", "raise"]
    assert actions(act(state.copy(), "raise")) == ["fold", "call", "raise"]
    assert actions(act(state.copy(), "raise", "raise")) == ["fold", "call"]
    assert actions(act(state.copy(), "check", "raise", "raise")) == ["fold", "call"]
    second = act(state.copy(), "raise", "raise", "call")
    assert actions(second) == ["check", "raise"]
    assert actions(act(second, "raise", "raise")) == ["fold", "call"]


def test_check_check_shows_the_shared_card(game: Game) -> None:
    """After two checks the shared card lies open, and player 1 acts first again."""
    state = act(game.start(0), "check", "check")
    assert [code(card) for card in state.cards(None, "vloc", "BOARD")] == [shuffled(game, 0)[-3]]
    assert state.player == 0


def test_an_early_fold_costs_the_ante(game: Game) -> None:
    """A raise that is not called wins one chip; no shared card is shown, nor the hands."""
    state = act(game.start(0), "raise", "fold")
    assert state.finished
    assert state.scores == (1, -1)
    assert not state.cards(None, "vloc", "BOARD")
    assert len(hand(state, 0)) == len(hand(state, 1)) == 1


@pytest.mark.parametrize(
    ("deal", "scores"),
    [
        ("JH KS JS QH QS KH", (1, -1)),
        ("KS JH JS QH QS KH", (-1, 1)),
        ("KS QH JS JH QS KH", (1, -1)),
        ("QS QH JS JH KS KH", (0, 0)),
        ("QS JH KS JS QH KH", (1, -1)),
    ],
)
def test_the_better_card_wins(deal: str, scores: tuple[int, int]) -> None:
    """A pair with the shared card beats a king; else the higher rank; equal ranks share."""
    state = act(stacked("leduc", deal).start(0), "check", "check", "check", "check")
    assert state.scores == scores
    assert len(state.cards(0, "vloc", "SHOWN")) == 1


def test_the_largest_pot() -> None:
    """With every raise made a player loses thirteen chips: one, twice two, and twice four."""
    game = stacked("leduc", "JH KS KH QH QS JS")
    state = act(game.start(0), "check", "raise", "raise", "call", "check", "raise", "raise", "call")
    assert state.scores == (-13, 13)


def test_scores_sum_to_zero(game: Game) -> None:
    """Nobody else pays: scores are opposite, and a hand takes two to eight decisions."""
    lengths = set()
    for seed in seeds(300):
        state = finish(game, seed)
        assert sum(state.scores) == 0
        assert abs(state.scores[0]) <= 13
        lengths.add(len(state.choices))
    assert min(lengths) == 2
    assert max(lengths) <= 8


def test_other_stakes() -> None:
    """ANTE, STEP and MAXRAISES set the chips paid and how often a round may be raised."""
    game = interpreted("leduc", ANTE=3, STEP=5, MAXRAISES=1)
    state = game.start(0)
    assert act(state.copy(), "raise", "fold").scores == (3, -3)
    assert actions(act(state.copy(), "raise")) == ["fold", "call"]
    late = act(state.copy(), "raise", "call", "raise", "fold")
    assert late.scores == (8, -8)
    never = interpreted("leduc", MAXRAISES=0)
    for at, _ in decisions(never, 1):
        assert actions(at) == ["check"]
