"""Kuhn poker as its rules say, over all deals and all betting."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations

import pytest
from library_playing import bare_options, finish, interpreted, seeds

from cardwright import Game, State
from cardwright.game.find import find
from cardwright.syntax.source import Source

ACTIONS = ("check", "bet", "fold", "call")
RANKS = "JQKA"
TWO = ("check check", "check bet fold", "check bet call", "bet fold", "bet call")
"""The five ways to bet that Kuhn's paper lists: pp, pbp, pbb, bp and bb."""


@cache
def dealt(cards: str, **declared: int) -> Game:
    """Return the game with these cards dealt to the players in order, without a shuffle.

    The card that is left lies below; with two players there is no ace.
    """
    shuffle = "(shuffle (game iloc STOCK))"
    moves = "".join(
        f"(move (top (filter (game iloc STOCK) 'X (== (cardatt RANK 'X) {rank})))"
        " (top (game iloc STOCK)))"
        for rank in reversed(cards)
    )
    text = find("kuhn").text
    assert text.count(shuffle) == 1
    source = Source("kuhn-dealt", text.replace(shuffle, moves))
    return Game.from_source(
        source, declared={"PLAYERS": len(cards), **declared}, engine="interpreter"
    )


def actions(state: State) -> list[str]:
    """What the options of a decision are, by their place in the game file's choice."""
    return [ACTIONS[option.content.branch] for option in bare_options(state)]


def act(state: State, sequence: str) -> State:
    for action in sequence.split():
        state.play(actions(state).index(action))
    return state


def sequences(players: int) -> list[str]:
    """All ways to bet: nobody bets, or one does and each of the others folds or calls."""
    ways = [" ".join(["check"] * players)]
    for bettor in range(players):
        answers: list[list[str]] = [[]]
        for _ in range(players - 1):
            answers = [[*done, more] for done in answers for more in ("fold", "call")]
        ways += [" ".join(["check"] * bettor + ["bet"] + done) for done in answers]
    return ways


def outcome(cards: str, sequence: str, ante: int = 1, bet: int = 1) -> tuple[int, ...]:
    """What everybody wins or loses, worked out from the cards and the betting."""
    players = len(cards)
    paid = [ante] * players
    folded = [False] * players
    for turn, action in enumerate(sequence.split()):
        seat = turn % players
        paid[seat] += bet * (action in {"bet", "call"})
        folded[seat] = action == "fold"
    best = max((seat for seat in range(players) if not folded[seat]), key=lambda s: rank(cards[s]))
    return tuple(sum(paid) * (seat == best) - paid[seat] for seat in range(players))


def rank(card: str) -> int:
    return RANKS.index(card)


def held(state: State, seat: int, kind: str = "iloc", name: str = "HAND") -> str:
    return "".join(card.attributes["RANK"] for card in state.cards(seat, kind, name))


def histories(state: State, done: Sequence[str] = ()) -> Iterator[tuple[str, State]]:
    """Yield every way in which a game can go on to its end."""
    if state.finished:
        yield " ".join(done), state
        return
    for option, action in zip(bare_options(state), actions(state), strict=True):
        after = state.copy()
        after.play(option)
        yield from histories(after, [*done, action])


def test_the_cards() -> None:
    """Jack, queen and king for two, the ace as well for three: one card more than players."""
    for players in (2, 3):
        game = interpreted("kuhn", PLAYERS=players)
        assert "".join(card.attributes["RANK"] for card in game.cards) == RANKS[: players + 1]
        assert game.players == players
    assert interpreted("kuhn").players == 2


@pytest.mark.parametrize("players", [2, 3])
def test_one_card_each(players: int) -> None:
    """Everybody has one card that only they see; nobody sees the one that is left."""
    game = interpreted("kuhn", PLAYERS=players)
    deals = set()
    for seed in range(200):
        state = game.start(seed)
        hands = "".join(held(state, seat) for seat in range(players))
        left = "".join(c.attributes["RANK"] for c in state.cards(None, "iloc", "STOCK"))
        assert sorted(hands + left) == sorted(RANKS[: players + 1])
        assert len(left) == 1
        deals.add(hands)
    assert len(deals) == {2: 6, 3: 24}[players]


def test_thirty_histories() -> None:
    """Six deals and five ways to bet give the thirty ends of Kuhn's game, each paid as it says."""
    ends = [
        ("".join(deal), sequence, state.scores)
        for deal in permutations("JQK", 2)
        for sequence, state in histories(dealt("".join(deal)).start(0))
    ]
    assert len(ends) == 30
    assert {sequence for _, sequence, _ in ends} == set(TWO)
    assert all(scores == outcome(deal, sequence) for deal, sequence, scores in ends)


@pytest.mark.parametrize(
    ("deal", "sequence", "scores"),
    [
        ("KQ", "check check", (1, -1)),
        ("JQ", "check check", (-1, 1)),
        ("KJ", "check bet fold", (-1, 1)),
        ("KJ", "check bet call", (2, -2)),
        ("QK", "check bet call", (-2, 2)),
        ("JK", "bet fold", (1, -1)),
        ("JK", "bet call", (-2, 2)),
        ("QJ", "bet call", (2, -2)),
    ],
)
def test_payments(deal: str, sequence: str, scores: tuple[int, ...]) -> None:
    """One chip without a bet or if it is not called, whatever the cards; two if it is."""
    assert act(dealt(deal).start(0), sequence).scores == scores


def test_histories_of_three() -> None:
    """For three there are 24 deals and thirteen ways to bet: ccc, and four after each bettor."""
    ways = sequences(3)
    assert len(ways) == 13
    deals = ["".join(deal) for deal in permutations(RANKS, 3)]
    assert len(deals) == 24
    for deal in deals:
        found = dict(histories(dealt(deal).start(0)))
        assert set(found) == set(ways)
        assert len(found) == 13
        for sequence, state in found.items():
            assert state.scores == outcome(deal, sequence)


@pytest.mark.parametrize(
    ("sequence", "seats"),
    [
        ("check check check", [0, 1, 2]),
        ("bet fold call", [0, 1, 2]),
        ("check bet call fold", [0, 1, 2, 0]),
        ("check check bet fold fold", [0, 1, 2, 0, 1]),
    ],
)
def test_who_acts_in_a_game_of_three(sequence: str, seats: list[int]) -> None:
    """After a bet all the others act, in order from the bettor on, and the bettor does not."""
    state = dealt("JQK").start(0)
    for action, seat in zip(sequence.split(), seats, strict=True):
        assert state.player == seat
        act(state, action)
    assert state.finished


def test_what_may_be_done() -> None:
    """Check or bet before a bet; fold or call after it, and never raise."""
    state = dealt("JQ").start(0)
    assert actions(state) == ["check", "bet"]
    assert actions(act(state.copy(), "check")) == ["check", "bet"]
    assert actions(act(state.copy(), "bet")) == ["fold", "call"]
    assert actions(act(state.copy(), "check bet")) == ["fold", "call"]
    three = dealt("JQK").start(0)
    assert actions(act(three, "bet call")) == ["fold", "call"]


def test_everybody_sees_what_was_done() -> None:
    """The last action of each player is open, and so is what they have paid."""
    state = dealt("QJK").start(0)
    for sequence, mine, paid in (
        ("check", ("CHECK", "", ""), (1, 1, 1)),
        ("bet", ("CHECK", "BET", ""), (1, 2, 1)),
        ("call", ("CHECK", "BET", "CALL"), (1, 2, 2)),
        ("fold", ("FOLD", "BET", "CALL"), (1, 2, 2)),
    ):
        act(state, sequence)
        assert tuple(state.string(seat, "ACTION") for seat in range(3)) == mine
        assert tuple(state.integer(seat, "PAID") for seat in range(3)) == paid


def test_what_is_shown() -> None:
    """At a showdown those still in show; a folded card and a lone winner's stay hidden."""
    state = act(dealt("AQK").start(0), "check bet fold call")
    assert [held(state, seat, "vloc", "SHOWN") for seat in range(3)] == ["A", "Q", ""]
    assert held(state, 2) == "K"
    assert state.scores == (3, -2, -1)
    alone = act(dealt("JK").start(0), "bet fold")
    assert [held(alone, seat, "vloc", "SHOWN") for seat in range(2)] == ["", ""]
    assert held(alone, 0) + held(alone, 1) == "JK"


@pytest.mark.parametrize("third", [0, 1, 2, 3])
def test_the_value_of_the_game(third: int) -> None:
    """With best play the first player loses 1/18 of a chip a hand, as Kuhn has shown.

    The first player bets a jack with a chance of a, up to 1/3, and a king with 3a, and calls with
    a queen with a + 1/3; the second bets a jack and calls with a queen once in three times.
    """
    a = Fraction(third, 9)
    opening = {"J": a, "Q": Fraction(0), "K": 3 * a}
    late_call = {"J": Fraction(0), "Q": a + Fraction(1, 3), "K": Fraction(1)}
    stab = {"J": Fraction(1, 3), "Q": Fraction(0), "K": Fraction(1)}
    call = {"J": Fraction(0), "Q": Fraction(1, 3), "K": Fraction(1)}
    value = Fraction(0)
    for one, two in permutations("JQK", 2):
        chances = {
            "check check": (1 - opening[one]) * (1 - stab[two]),
            "check bet fold": (1 - opening[one]) * stab[two] * (1 - late_call[one]),
            "check bet call": (1 - opening[one]) * stab[two] * late_call[one],
            "bet fold": opening[one] * (1 - call[two]),
            "bet call": opening[one] * call[two],
        }
        assert sum(chances.values()) == 1
        for sequence, chance in chances.items():
            value += chance * act(dealt(one + two).start(0), sequence).scores[0] / 6
    assert value == Fraction(-1, 18)


def test_other_stakes() -> None:
    """ANTE is lost without a bet that is called, and BET on top of it with one."""
    declared = {"ANTE": 3, "BET": 5}
    for deal in ("JK", "QJ", "AQK", "QKJ"):
        for sequence in sequences(len(deal)):
            scores = act(dealt(deal, **declared).start(0), sequence).scores
            assert scores == outcome(deal, sequence, 3, 5)
    assert act(dealt("JK", **declared).start(0), "bet call").scores == (-8, 8)
    assert act(dealt("JK", **declared).start(0), "bet fold").scores == (3, -3)


@pytest.mark.parametrize("players", [2, 3])
def test_scores_sum_to_zero(players: int) -> None:
    """Nobody else pays; a hand takes as many decisions as there are players, up to 2n - 1."""
    game = interpreted("kuhn", PLAYERS=players)
    lengths = set()
    for seed in seeds(200):
        state = finish(game, seed)
        assert sum(state.scores) == 0
        lengths.add(len(state.choices))
    assert lengths == set(range(players, 2 * players))
