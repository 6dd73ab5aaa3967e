"""No Thanks! as its rules say: a model of the rules is followed, scores are worked out by hand."""

from collections.abc import Iterable

import pytest
from library_playing import at_random, bare_options, decisions, interpreted, seeds

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

SHUFFLE = "(shuffle (game iloc STOCK))"
TAKE, PAY = 0, 1
CHIPS = {3: 11, 4: 11, 5: 11, 6: 9, 7: 7}


@pytest.fixture(scope="module", params=[3, 4, 5, 6, 7])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("nothanks", PLAYERS=request.param)


def numbers(cards: Iterable[Card]) -> list[int]:
    return [int(card.attributes["CARD"][1:]) for card in cards]


def offer(state: State) -> list[int]:
    return numbers(state.cards(None, "vloc", "OFFER"))


def stock(state: State) -> list[int]:
    return numbers(state.cards(None, "iloc", "STOCK"))


def removed(state: State) -> list[int]:
    return numbers(state.cards(None, "hloc", "REMOVED"))


def taken(state: State) -> list[list[int]]:
    return [numbers(state.cards(seat, "vloc", "TAKEN")) for seat in range(state.game.players)]


def chips(state: State) -> list[int]:
    return [state.integer(seat, "CHIPS") for seat in range(state.game.players)]


def pot(state: State) -> int:
    return state.integer(None, "POT")


def actions(state: State) -> list[int]:
    return [option.content.branch for option in bare_options(state)]


def worth(cards: Iterable[int]) -> int:
    """Return what cards cost: each counts unless the one just below it is there too."""
    held = set(cards)
    return sum(card for card in held if card - 1 not in held)


def stacked(pack: str, **declared: int) -> State:
    """Start a game of these cards alone, turned up in the order of the text; none is removed."""
    cards = pack.split()
    moves = [
        f"(move (top (filter (game iloc STOCK) 'X (== (cardatt CARD 'X) N{card})))"
        " (top (game iloc STOCK)))"
        for card in reversed(cards)
    ]
    away = "(move (bottom (game iloc STOCK)) (top (game hloc REMOVED)))"
    moves += [f"(repeat {33 - len(cards)} {away})"]
    text = find("nothanks").text
    assert text.count(SHUFFLE) == 1
    source = Source("nothanks-stacked", text.replace(SHUFFLE, " ".join(moves)))
    declared = {"PLAYERS": 3, "REMOVED": 0} | declared
    return Game.from_source(source, declared=declared, engine="interpreter").start(0)


def played(state: State, *choices: int) -> State:
    for choice in choices:
        assert choice in actions(state)
        state.play(actions(state).index(choice))
    return state


def test_the_deal(game: Game) -> None:
    """Nine of the cards from 3 to 35 are removed unseen; 11 chips each, 9 for six, 7 for seven."""
    assert sorted(numbers(game.cards)) == list(range(3, 36))
    for seed in seeds(10):
        pack = list(range(3, 36))
        Stream(seed).shuffle(pack)
        state = game.start(seed)
        assert sorted(removed(state)) == sorted(pack[-9:])
        assert offer(state) == [pack[-10]]
        assert stock(state) == pack[:-10]
        assert chips(state) == [CHIPS[game.players]] * game.players
        assert pot(state) == 0
        assert state.player == 0


def test_whole_games(game: Game) -> None:
    """Offers, chips, cards, turns and scores are those of a model of the rules."""
    players = game.players

    def thrifty(state: State) -> Option:
        """Refuse whatever can be refused."""
        return bare_options(state)[-1]

    broke = 0
    for seed in seeds(8):
        pack = list(range(3, 36))
        Stream(seed).shuffle(pack)
        pack = pack[:-9]
        mine: list[list[int]] = [[] for _ in range(players)]
        purse, laid, seat = [CHIPS[players]] * players, 0, 0
        for state, option in decisions(game, seed, thrifty if seed % 4 == 0 else None):
            assert state.player == seat
            assert offer(state) == pack[-1:]
            assert (taken(state), chips(state), pot(state)) == (mine, purse, laid)
            assert actions(state) == ([TAKE, PAY] if purse[seat] else [TAKE])
            broke += not purse[seat]
            if option.content.branch == TAKE:
                mine[seat] = sorted([*mine[seat], pack.pop()])
                purse[seat] += laid
                laid = 0
            else:
                purse[seat] -= 1
                laid += 1
                seat = (seat + 1) % players
        assert not pack
        assert state.scores == tuple(
            worth(cards) - left for cards, left in zip(mine, purse, strict=True)
        )
    assert broke > 3


def test_chips_are_never_lost(game: Game) -> None:
    """Those in hand and those on the card are always as many as were given out."""
    for state, _ in decisions(game, 3, at_random(3, game.players)):
        assert sum(chips(state)) + pot(state) == CHIPS[game.players] * game.players
    assert sum(len(cards) for cards in taken(state)) == 24


def test_who_pays_passes_the_card_on() -> None:
    """A refused card stays on offer for the next player, with one chip more on it."""
    state = played(stacked("20 30"), PAY, PAY)
    assert (state.player, offer(state), pot(state), chips(state)) == (2, [20], 2, [10, 10, 11])
    played(state, PAY)
    assert (state.player, offer(state), pot(state), chips(state)) == (0, [20], 3, [10, 10, 10])


def test_who_takes_gets_the_chips_and_the_next_offer() -> None:
    """The taker gets all chips on the card and decides first about the next one."""
    state = played(stacked("20 30"), PAY, PAY, TAKE)
    assert taken(state) == [[], [], [20]]
    assert chips(state) == [10, 10, 13]
    assert (state.player, offer(state), pot(state)) == (2, [30], 0)


def test_without_chips_the_card_must_be_taken() -> None:
    """A player with no chips has a single option; with one chip there are both."""
    state = stacked("20 30", CHIPS=1)
    assert actions(state) == [TAKE, PAY]
    played(state, PAY, PAY, PAY)
    assert state.player == 0
    assert actions(state) == [TAKE]
    played(state, TAKE)
    assert actions(state) == [TAKE, PAY]


@pytest.mark.parametrize(
    ("cards", "cost"),
    [
        ("20", 20),
        ("20 22", 42),
        ("20 21", 20),
        ("21 20", 20),
        ("30 28 29", 28),
        ("5 35 4 3 33", 3 + 33 + 35),
        ("10 12 11 14 13", 10),
        ("10 11 13 14 7", 7 + 10 + 13),
        ("3 4 6 7 9 10 12", 3 + 6 + 9 + 12),
    ],
)
def test_runs_count_their_lowest_card(cards: str, cost: int) -> None:
    """Cards in a row cost as much as the lowest, in whatever order they came; a gap parts them."""
    state = played(stacked(cards), *[TAKE] * len(cards.split()))
    assert state.finished
    assert state.scores == (cost - 11, -11, -11)


def test_runs_are_for_each_player_apart() -> None:
    """A neighbour in another player's hands is no help."""
    state = played(stacked("20 21 22"), TAKE, PAY, TAKE, TAKE)
    assert taken(state) == [[20], [21, 22], []]
    assert state.scores == (20 - 10, 21 - 12, -11)


def test_every_chip_takes_a_point_off() -> None:
    """Scores are cards minus chips, and the lowest wins, below nothing too."""
    state = played(stacked("3 35"), PAY, PAY, PAY, TAKE, PAY, TAKE)
    assert chips(state) == [12, 11, 10]
    assert state.scores == (3 - 12, 35 - 11, -10)
    assert state.ranks == (1, 2, 0)


def test_the_game_ends_with_the_last_card_taken() -> None:
    """The last card is offered like any other: it goes round until somebody takes it."""
    state = played(stacked("20 30"), TAKE)
    assert stock(state) == []
    played(state, PAY, PAY, PAY, PAY)
    assert not state.finished
    assert state.player == 1
    played(state, TAKE)
    assert state.finished
    assert state.scores == (20 - 9, 30 - 14, -10)


def test_other_settings() -> None:
    """CHIPS are given to each player, REMOVED cards laid aside."""
    state = interpreted("nothanks", CHIPS=5, REMOVED=3).start(1)
    assert chips(state) == [5, 5, 5, 5]
    assert len(removed(state)) == 3
    assert len(stock(state)) == 29


def test_what_was_removed_is_not_known(game: Game) -> None:
    """The cards removed and those still to come may be any that have not been seen."""
    stream = Stream(4)
    state = game.start(5)
    seen = set(offer(state))
    found = set()
    for _ in range(60):
        imagined = state.determinise(0, stream, "known")
        found |= set(removed(imagined))
    assert found == set(range(3, 36)) - seen
