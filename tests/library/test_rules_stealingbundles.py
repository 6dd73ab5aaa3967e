"""Stealing Bundles as its rules say: a model gives the options, small packs the single rules."""

from itertools import chain
from typing import Any

import pytest
from library_playing import (
    FULL_PACK,
    at_random,
    bare_options,
    by_number,
    card_of,
    code,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    offered,
    picked,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, Option, State

Move = tuple[str, str | frozenset[str]]
"""A card played, with the cards that it takes from the table or the player it steals from."""

LAID: frozenset[str] = frozenset()


@pytest.fixture(scope="module", params=[2, 3, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("stealingbundles", PLAYERS=request.param)


def table(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", "TABLE"))


def bundle(state: State, seat: int) -> tuple[str, ...]:
    return codes(state.cards(seat, "vloc", "BUNDLE"))


def bundles(state: State) -> list[tuple[str, ...]]:
    return [bundle(state, seat) for seat in range(state.game.players)]


def move(state: State, option: Option) -> Move:
    """Return what an option does, by seeing what it does."""
    card = card_of(state, option)
    assert card is not None
    victim = picked(option, "VICTIM")
    if victim is not None:
        assert isinstance(victim, int)
        return card, f"p{victim + 1}"
    after = state.copy()
    after.play(option)
    if card in table(after):
        return card, LAID
    return card, frozenset(table(state)) - frozenset(table(after))


def moves(state: State) -> list[Move]:
    return [move(state, option) for option in bare_options(state)]


def play(state: State, card: str, what: str = "") -> State:
    """Play a card; `what` names a card that it takes, or the player robbed, or nothing."""
    fit = [
        option
        for option, (played, took) in zip(bare_options(state), moves(state), strict=True)
        if played == card and (what in took if what else took == LAID)
    ]
    assert len(fit) == 1
    state.play(fit[0])
    return state


def play_last(state: State) -> State:
    """Play the last card of all, which can take nothing."""
    assert offered(state) == (hand(state, state.player or 0)[0],)
    state.play(0)
    assert state.finished
    return state


def expected(
    cards: tuple[str, ...],
    lying: tuple[str, ...],
    tops: dict[int, str],
    *,
    one: bool = False,
    free: bool = False,
) -> set[Move]:
    """Return the moves that the rules allow, with these cards on top of the others' bundles."""
    found: set[Move] = set()
    for card in cards:
        match = [other for other in lying if other[0] == card[0]]
        robbed = [seat for seat, top in tops.items() if top[0] == card[0]]
        if match:
            found |= {(card, frozenset({m})) for m in match} if one else {(card, frozenset(match))}
        found |= {(card, f"p{seat + 1}") for seat in robbed}
        if free or not (match or robbed):
            found.add((card, LAID))
    return found


@pytest.mark.parametrize("declared", [{}, {"TAKEALL": 0, "FREE": 1}, {"FREE": 1}], ids=str)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games(players: int, declared: dict[str, Any]) -> None:
    """Options, bundles from bottom to top, table, turns and scores are those of a model."""
    game = interpreted("stealingbundles", PLAYERS=players, **declared)
    several = steals = 0
    for seed in range(4):
        pack = shuffled(game, seed)
        lying = by_number(game, [pack.pop() for _ in range(4)])
        hands: list[list[str]] = [[] for _ in range(players)]
        piles: list[list[str]] = [[] for _ in range(players)]
        for number, (state, option) in enumerate(decisions(game, seed)):
            if not any(hands):
                hands = [by_number(game, [pack.pop() for _ in range(4)]) for _ in range(players)]
            me = number % players
            assert state.player == me
            assert [list(hand(state, seat)) for seat in range(players)] == hands
            assert list(table(state)) == lying
            assert [list(pile) for pile in bundles(state)] == piles
            found = moves(state)
            wanted = expected(
                tuple(hands[me]),
                tuple(lying),
                {seat: pile[-1] for seat, pile in enumerate(piles) if pile and seat != me},
                one=declared.get("TAKEALL") == 0,
                free="FREE" in declared,
            )
            assert set(found) == wanted
            assert len(found) == len(wanted)

            card, what = found[option.index]
            hands[me].remove(card)
            if isinstance(what, str):
                victim = int(what[1:]) - 1
                piles[me] += [*piles[victim], card]
                piles[victim] = []
                steals += 1
            elif what:
                # Cards of one rank come into the bundle in the order in which they lie.
                piles[me] += [*(other for other in lying if other in what), card]
                lying = [other for other in lying if other not in what]
                several += len(what) > 1
            else:
                lying = by_number(game, [*lying, card])
        assert not pack
        assert not any(hands)
        assert list(table(state)) == lying
        assert state.scores == tuple(map(len, piles))
        assert sorted([*lying, *chain(*piles)]) == FULL_PACK
    assert steals > 1
    assert (several > 0) == (declared.get("TAKEALL", 1) == 1)


def test_always_forty_eight_decisions(game: Game) -> None:
    """Four cards go to the table and every other card is played once, whatever happens."""
    for seed in seeds(10):
        assert len(finish(game, seed).choices) == 48


def test_the_deals(game: Game) -> None:
    """Four to the table, then four each, again whenever all hands are empty, none to the table."""
    for seed in seeds(5):
        pack = shuffled(game, seed)
        laid = by_number(game, [pack.pop() for _ in range(4)])
        for number, (state, _) in enumerate(decisions(game, seed)):
            assert state.player == number % game.players
            if number == 0:
                assert list(table(state)) == laid
            if number % (4 * game.players) == 0:
                for seat in range(game.players):
                    assert list(hand(state, seat)) == by_number(
                        game, [pack.pop() for _ in range(4)]
                    )
            assert codes(state.cards(None, "iloc", "STOCK")) == tuple(pack)
        assert not pack


def test_the_card_played_lies_on_top() -> None:
    """Whatever is taken goes below the card played, on top of the bundle that is there already."""
    state = stacked("stealingbundles", "KC QC 7C 7D  7S KD  2C 3C", PLAYERS=2, HANDSIZE=2).start(0)
    play(state, "7S", "7C")
    assert sorted(bundle(state, 0)[:-1]) == ["7C", "7D"]
    assert bundle(state, 0)[-1] == "7S"
    assert table(state) == ("KC", "QC")
    play(state, "2C")
    play(state, "KD", "KC")
    assert bundle(state, 0)[-2:] == ("KC", "KD")
    assert len(bundle(state, 0)) == 5


def test_three_of_a_kind_are_taken_at_once() -> None:
    """With TAKEALL a card takes all two or three of its rank; otherwise one, of one's choice."""
    pack = "7H QC 7C 7D  7S KD  2C 3C"
    state = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=2).start(0)
    assert moves(state) == [("7S", frozenset({"7C", "7D", "7H"})), ("KD", LAID)]
    state = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=2, TAKEALL=0).start(0)
    assert moves(state) == [
        ("7S", frozenset({"7H"})),
        ("7S", frozenset({"7C"})),
        ("7S", frozenset({"7D"})),
        ("KD", LAID),
    ]
    play(state, "7S", "7C")
    assert bundle(state, 0) == ("7C", "7S")
    assert table(state) == ("7H", "QC", "7D")


def test_a_bundle_is_stolen_whole() -> None:
    """A match with the top card of a bundle takes all of it; its owner has none any more."""
    pack = "KC QC JC TC  KD 2D  KS 3S"
    state = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=2).start(0)
    play(state, "KD", "KC")
    assert moves(state) == [("KS", "p1"), ("3S", LAID)]
    play(state, "KS", "p1")
    assert bundles(state) == [(), ("KC", "KD", "KS")]
    play(state, "2D")
    play(state, "3S")
    assert state.finished
    assert state.scores == (0, 3)


def test_any_other_player_may_be_robbed() -> None:
    """The victim is the owner of the matching card, and loses the bundle once only."""
    pack = "KC QC JC TC  2D QD  KD 2S  3C QS  KS 2H"
    state = stacked("stealingbundles", pack, PLAYERS=4, HANDSIZE=2).start(0)
    play(state, "QD", "QC")
    play(state, "KD", "KC")
    assert moves(state) == [("QS", "p1"), ("3C", LAID)]
    play(state, "3C")
    play(state, "KS", "p2")
    assert bundles(state) == [("QC", "QD"), (), (), ("KC", "KD", "KS")]
    play(state, "2D")
    play(state, "2S", "2D")
    play(state, "QS", "p1")
    assert bundles(state) == [(), ("2D", "2S"), ("QC", "QD", "QS"), ("KC", "KD", "KS")]


def test_only_the_top_card_can_be_matched() -> None:
    """A card below it does not help; nor can one add to or take from one's own bundle."""
    pack = "KC QC JC TC  KD QD KH  2S QS 3S"
    state = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=3).start(0)
    play(state, "KD", "KC")
    play(state, "2S")
    # The king in hand matches nothing but the player's own bundle.
    assert moves(state) == [("QD", frozenset({"QC"})), ("KH", LAID)]
    play(state, "QD", "QC")
    assert moves(state) == [("QS", "p1"), ("3S", LAID)]
    play(state, "QS", "p1")
    assert bundles(state) == [(), ("KC", "KD", "QC", "QD", "QS")]
    assert moves(state) == [("KH", LAID)]


def test_a_card_takes_from_the_table_or_steals_but_not_both() -> None:
    """If it could do either, the player chooses; the other cards of its rank stay."""
    pack = "KC KD JC TC  KH 2D  KS 3S"
    one = {"PLAYERS": 2, "HANDSIZE": 2, "TAKEALL": 0}
    state = stacked("stealingbundles", pack, **one).start(0)
    play(state, "KH", "KC")
    assert moves(state) == [("KS", frozenset({"KD"})), ("KS", "p1"), ("3S", LAID)]
    taking = play(state.copy(), "KS", "KD")
    assert bundles(taking) == [("KC", "KH"), ("KD", "KS")]
    stealing = play(state.copy(), "KS", "p1")
    assert bundles(stealing) == [(), ("KC", "KH", "KS")]
    assert "KD" in table(stealing)


def test_a_card_that_can_take_must_take() -> None:
    """It cannot be laid, but a card that takes nothing may be played instead; FREE frees it."""
    pack = "KC QC JC TC  KD 2D  4S 3S"
    state = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=2).start(0)
    assert moves(state) == [("KD", frozenset({"KC"})), ("2D", LAID)]
    state = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=2, FREE=1).start(0)
    assert moves(state) == [("KD", frozenset({"KC"})), ("KD", LAID), ("2D", LAID)]


def test_what_is_left_on_the_table() -> None:
    """It counts for nobody; with REST it goes to whoever took or stole last."""
    pack = "KC QC JC TC  KD 2D  KS 3S"
    for rest, scores in ((0, (0, 3)), (1, (0, 8))):
        game = stacked("stealingbundles", pack, PLAYERS=2, HANDSIZE=2, REST=rest)
        state = play(play(game.start(0), "KD", "KC"), "KS", "p1")
        play_last(play(state, "2D"))
        assert state.scores == scores
        assert len(table(state)) == (5 if rest == 0 else 0)
    # Taking from the table counts as well, with either way to take.
    for ways in (0, 1):
        declared = {"PLAYERS": 2, "HANDSIZE": 2, "REST": 1, "TAKEALL": ways}
        state = stacked("stealingbundles", "KC QC JC TC  KD 2D  QS 3S", **declared).start(0)
        play_last(play(play(play(state, "KD", "KC"), "QS", "QC"), "2D"))
        assert state.scores == (2, 6)
    # If nobody has taken anything, nobody gets it.
    declared = {"PLAYERS": 2, "HANDSIZE": 1, "REST": 1}
    state = stacked("stealingbundles", "KC QC JC TC  2D  3S", **declared).start(0)
    play_last(play(state, "2D"))
    assert state.scores == (0, 0)


def test_the_largest_bundle_wins(game: Game) -> None:
    """Scores are the sizes of the bundles, and the highest wins."""
    for seed in seeds(5):
        state = finish(game, seed)
        assert state.scores == tuple(map(len, bundles(state)))
        assert state.ranks[state.scores.index(max(state.scores))] == 0


def test_hands_of_another_size() -> None:
    """With HANDSIZE 6 there are four deals for two, and the same 48 decisions."""
    game = interpreted("stealingbundles", PLAYERS=2, HANDSIZE=6)
    deals = 0
    choose = at_random(3, 2)
    for state, _ in decisions(game, 3, choose):
        deals += len(hand(state, 0)) == len(hand(state, 1)) == 6
    assert deals == 4
    assert len(state.choices) == 48
    assert sorted(code(card) for card in game.cards) == FULL_PACK
