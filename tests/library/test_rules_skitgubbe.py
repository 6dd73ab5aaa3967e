"""Skitgubbe as its rules say: games are followed by a model that knows only the rules."""

from typing import Any

import pytest
from library_playing import (
    ACE_HIGH,
    FULL_PACK,
    bare_options,
    card_of,
    code,
    codes,
    decisions,
    finish,
    hand,
    interpreted,
    picked,
    preferring,
    seeds,
    shuffled,
    stacked,
)

from cardwright import Game, Option, State, Stream
from deep import mostly_deep

CHANCE = "chance"
TAKE = "take"

BEATING = "4D 3C 8D  9H KD 8S  QS"
"""For two: 4D lost to 9H, 3C to KD, and 8D against 8S a tie that nobody can go on with.

Then player 1 has 8D and QS, player 2 the rest, and spades are trumps."""

THREE = "9H TH JH  5D QD 7D  2C 3C 8D  KS"
"""For three: player 1 wins 5D and loses TH to QD, player 2 leads 7D against 2C and is out of cards.

Then player 1 has 9H 5D JH KS, player 2 QD TH 7D 2C, player 3 3C 8D, and spades are trumps."""

LAST_CARD = "2C 3C 4C  5D 6D 7S  8H 9H TH  2S"
"""For three: player 1 loses all but the last card, 2S; player 2 keeps 7S 2C 5D.

Player 3 has won the rest."""


def rank(card: str) -> int:
    return ACE_HIGH.index(card[0])


def move(state: State, option: Option) -> str:
    """Return what an option does: the cards played, in order of rank, or a chance or a take."""
    run = picked(option, "RUN")
    if isinstance(run, tuple):
        return " ".join(sorted((code(state.game.cards[card]) for card in run), key=rank))
    if state.string(None, "TRUMP"):
        return card_of(state, option) or TAKE
    return card_of(state, option) or CHANCE


def moves(state: State) -> list[str]:
    return [move(state, option) for option in bare_options(state)]


def do(state: State, *wanted: str) -> State:
    for each in wanted:
        state.play(moves(state).index(each))
    return state


def hands(state: State) -> list[set[str]]:
    return [set(hand(state, seat)) for seat in range(state.game.players)]


def piles(state: State) -> list[tuple[str, ...]]:
    """The plays of a trick of the second phase, the first one first."""
    count = state.integer(None, "PLAYS")
    return [codes(state.cards(None, "vloc", "PILE", at)) for at in range(1, count + 1)]


def won(state: State) -> list[set[str]]:
    return [set(codes(state.cards(s, "hloc", "WON"))) for s in range(state.game.players)]


class Table:
    """A table of Skitgubbe, kept by the rules alone."""

    def __init__(self, pack: list[str], players: int, declared: dict[str, int]) -> None:
        self.pack = list(pack)
        self.hands = [{self.pack.pop() for _ in range(3)} for _ in range(players)]
        self.won: list[set[str]] = [set() for _ in range(players)]
        self.lying: list[list[str]] = [[] for _ in range(players)]
        self.chance = declared.get("CHANCE", 1)
        self.sequences = declared.get("SEQUENCES", 0)
        self.take_first = declared.get("TAKEFIRST", 0)
        self.left = declared.get("LIMIT", 1000)
        self.seat = self.leader = self.first = 0
        self.trump = ""
        self.second = self.over = False
        self.plays: list[list[str]] = []
        self.full = 0

    def after(self, seat: int) -> int:
        return (seat + 1) % len(self.hands)

    def moves(self) -> set[str]:
        mine = self.hands[self.seat]
        if not self.second:
            return mine | ({CHANCE} if self.chance and len(self.pack) > 1 else set())
        runs = [
            [card + suit for card in ACE_HIGH[start:end]]
            for suit in "CDHS"
            for start in range(13)
            for end in range(start + 1, 14)
        ]
        held = [run for run in runs if mine.issuperset(run)]
        if self.plays:
            return {" ".join(run) for run in held if self.beats(run)} | {TAKE}
        return {" ".join(run) for run in held if self.sequences or len(run) == 1}

    def beats(self, run: list[str]) -> bool:
        last = self.plays[-1]
        if len(run) != len(last):
            return False
        if run[0][1] == last[0][1]:
            return rank(run[0]) > rank(last[0])
        return run[0][1] == self.trump

    def play(self, move: str) -> None:
        if self.second:
            self.play_second(move)
        else:
            self.play_first(move)

    def play_first(self, move: str) -> None:
        mine = self.hands[self.seat]
        card = self.pack.pop() if move == CHANCE else move
        mine.discard(card)
        self.lying[self.seat].append(card)
        if len(mine) < 3 and self.pack:
            drawn = self.pack.pop()
            mine.add(drawn)
            if not self.pack:
                self.trump, self.first = drawn[1], self.seat
        if self.seat == self.leader:
            self.seat = self.after(self.seat)
            return
        top = {seat: rank(self.lying[seat][-1]) for seat in (self.leader, self.seat)}
        if len(set(top.values())) == 2:
            winner = max(top, key=lambda seat: top[seat])
            self.won[winner] |= {card for cards in self.lying for card in cards}
            self.lying = [[] for _ in self.hands]
            self.leader = winner
        self.seat = self.leader
        if not self.pack and not all(self.hands):
            self.begin_second()

    def begin_second(self) -> None:
        self.second = True
        for seat in range(len(self.hands)):
            self.hands[seat] |= self.won[seat] | set(self.lying[seat])
        self.go_on(self.first)

    def go_on(self, seat: int) -> None:
        """Give the turn to a player, or to the next one who has cards."""
        self.over = sum(map(bool, self.hands)) <= 1 or not self.left
        while not self.over and not self.hands[seat]:
            seat = self.after(seat)
        self.seat = seat

    def play_second(self, move: str) -> None:
        self.left -= 1
        if not self.plays:
            self.full = sum(map(bool, self.hands))
        mine, leader = self.hands[self.seat], self.after(self.seat)
        if move == TAKE:
            mine |= set(self.plays.pop(0 if self.take_first else -1))
        else:
            self.plays.append(move.split())
            mine -= set(move.split())
            if len(self.plays) == self.full:
                self.plays = []
                leader = self.seat
        self.go_on(leader)


def follow(game: Game, seed: int, **declared: int) -> Table:
    """Play a game along with a model; compare them at every decision and at the end."""
    table = Table(shuffled(game, seed), game.players, declared)
    state = game.start(seed)
    for at, option in decisions(game, seed):
        state = at
        assert not table.over
        assert at.player == table.seat
        assert hands(at) == table.hands
        assert at.string(None, "TRUMP")[:1] == table.trump
        if table.second:
            assert [set(play) for play in piles(at)] == [set(play) for play in table.plays]
        else:
            assert won(at) == table.won
        offers = moves_in(at, table)
        assert len(offers) == len(set(offers))
        assert set(offers) == table.moves()
        table.play(offers[option.index])
    assert table.over
    assert hands(state) == table.hands
    assert list(state.scores) == [int(bool(cards)) for cards in table.hands]
    return table


def moves_in(state: State, table: Table) -> list[str]:
    """Return what the options are; in the first phase what picks no card is a chance."""
    found = moves(state)
    return found if table.second else [CHANCE if each == TAKE else each for each in found]


def takes(state: State, option: Option) -> bool:
    return move(state, option) == TAKE and picked(option, "CARD") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "declared",
    mostly_deep(
        [
            {},
            {"PLAYERS": 2},
            {"PLAYERS": 4},
            {"CHANCE": 0},
            {"SEQUENCES": 1},
            {"TAKEFIRST": 1},
            {"PLAYERS": 4, "SEQUENCES": 1, "TAKEFIRST": 1},
            {"LIMIT": 40},
        ],
        lambda declared: len(declared) != 1 or "CHANCE" in declared,
    ),
)
def test_games_go_as_the_rules_say(declared: dict[str, Any]) -> None:
    """Options, tricks, trumps, hands, turns and losers are those of a model of the rules."""
    game = interpreted("skitgubbe", **declared)
    for seed in seeds(6):
        follow(game, seed, **declared)


def test_the_deal() -> None:
    """Three of 52 cards each, player 1 first, who leads."""
    game = interpreted("skitgubbe")
    assert sorted(code(card) for card in game.cards) == FULL_PACK
    for seed in seeds(10):
        pack = shuffled(game, seed)[::-1]
        state = game.start(seed)
        assert hands(state) == [set(pack[3 * seat : 3 * seat + 3]) for seat in range(3)]
        assert len(state.cards(None, "iloc", "STOCK")) == 43
        assert state.player == 0


def test_a_duel() -> None:
    """The higher rank wins both cards, whatever the suits, and leads against the next player."""
    pack = "9C 3C 4C  5D TD 7D  8H 9H TH  2S 2H 2D 2C 3S 3D"
    start = stacked("skitgubbe", pack).start(0)
    state = do(start.copy(), "9C", "5D")
    assert won(state) == [{"9C", "5D"}, set(), set()]
    assert state.player == 0
    do(state, "3C")
    assert state.player == 1
    state = do(start.copy(), "9C", "TD")
    assert won(state) == [set(), {"9C", "TD"}, set()]
    assert state.player == 1
    do(state, "7D")
    assert state.player == 2


def test_draws() -> None:
    """Who plays from the hand draws a card; who plays from the stock does not."""
    pack = "9C 3C 4C  5D TD 7D  8H 9H TH  2S 2H 2D 2C 3S 3D"
    state = do(stacked("skitgubbe", pack).start(0), "9C")
    assert hands(state)[0] == {"3C", "4C", "2S"}
    do(state, CHANCE)
    assert hands(state)[1] == {"5D", "TD", "7D"}
    assert won(state)[0] == {"9C", "2H"}
    do(state, CHANCE)
    assert hands(state)[0] == {"3C", "4C", "2S"}
    assert codes(state.cards(0, "vloc", "TRICK")) == ("2D",)
    do(state, "5D")
    assert hands(state)[1] == {"2C", "TD", "7D"}
    assert won(state)[1] == {"2D", "5D"}


def test_a_stunsa() -> None:
    """Equal cards stay; the same two play again, as often as needed, and the winner has all."""
    pack = "9C 3C 4C  9D 3D 5D  8H 9H TH  2S 2H 2D 2C 3S 3H 4H 4S 5S 6S"
    state = do(stacked("skitgubbe", pack).start(0), "9C", "9D")
    assert won(state) == [set(), set(), set()]
    assert state.player == 0
    do(state, "3C")
    assert state.player == 1
    do(state, "3D")
    assert won(state) == [set(), set(), set()]
    assert state.player == 0
    do(state, "4C", "5D")
    assert won(state) == [set(), {"9C", "9D", "3C", "3D", "4C", "5D"}, set()]
    assert state.player == 1
    do(state, CHANCE)
    assert state.player == 2


def test_a_tie_is_of_ranks_played_now() -> None:
    """After a stunsa only the new cards are compared, and the trick after it starts afresh."""
    pack = "AC 3C 4C  AD 2D 5D  8H 9H TH  2S 2H 6D 2C 3S 3H 4H"
    state = do(stacked("skitgubbe", pack).start(0), "AC", "AD", "3C", "2D")
    assert won(state)[0] == {"AC", "AD", "3C", "2D"}
    do(state, "4C", "5D")
    assert won(state)[1] == {"4C", "5D"}
    assert state.player == 1


def test_the_last_card_cannot_be_played_by_chance() -> None:
    """Of two cards the first may be played, but the very last has to be drawn."""
    state = stacked("skitgubbe", "4D 3C 8D  9H KD 8S  QS JS", PLAYERS=2).start(0)
    assert set(moves(state)) == {"4D", "3C", "8D", CHANCE}
    do(state, CHANCE)
    assert set(moves(state)) == {"9H", "KD", "8S"}
    state = stacked("skitgubbe", BEATING, PLAYERS=2).start(0)
    assert set(moves(state)) == {"4D", "3C", "8D"}
    state = stacked("skitgubbe", "4D 3C 8D  9H KD 8S  QS JS", PLAYERS=2, CHANCE=0).start(0)
    assert set(moves(state)) == {"4D", "3C", "8D"}


def test_a_chance_is_taken_unseen() -> None:
    """The option does not tell which card it will be."""
    game = interpreted("skitgubbe")
    state = game.start(1)
    imagined = state.determinise(0, Stream(5))
    assert imagined.options() == state.options()
    top = codes(state.cards(None, "iloc", "STOCK"))[-1]
    assert codes(imagined.cards(None, "iloc", "STOCK"))[-1] != top


def test_the_last_card_makes_trumps() -> None:
    """Whoever draws it, shows it, keeps it, and leads in the second phase."""
    pack = "4D 3C 8D  9H KD 8S  QS JC"
    state = do(stacked("skitgubbe", pack, PLAYERS=2).start(0), "4D", "9H")
    assert state.string(None, "TRUMP") == "CLUBS"
    assert "JC" in hands(state)[1]
    do(state, "KD", "3C", "8S", "8D", "JC", "QS")
    assert hands(state) == [{"QS", "8S", "8D", "JC"}, {"4D", "9H", "3C", "KD"}]
    assert state.player == 1
    stream = Stream(2)
    state = do(stacked("skitgubbe", pack, PLAYERS=2).start(0), "4D", "9H")
    seen = {codes(state.determinise(0, stream, "known").cards(1, "iloc", "HAND")) for _ in range(9)}
    assert all("JC" in cards for cards in seen)


def test_the_first_phase_ends_when_somebody_has_no_cards() -> None:
    """Cards left in hand are kept, and cards of a tie go back to whoever played them."""
    state = do(stacked("skitgubbe", BEATING, PLAYERS=2).start(0), "4D", "9H", "KD", "3C", "8S")
    assert state.player == 0
    assert hands(state) == [{"8D", "QS"}, set()]
    do(state, "8D")
    assert hands(state) == [{"8D", "QS"}, {"8S", "4D", "9H", "KD", "3C"}]
    assert set(moves(state)) == {"8D", "QS"}


def beating() -> State:
    """Return the position called BEATING."""
    start = stacked("skitgubbe", BEATING, PLAYERS=2).start(0)
    return do(start, "4D", "9H", "KD", "3C", "8S", "8D")


def test_beating() -> None:
    """A higher card of the suit, or a trump; or pick up, whatever one has."""
    state = do(beating(), "8D")
    assert set(moves(state)) == {"KD", "8S", TAKE}
    state = do(beating(), "QS")
    assert set(moves(state)) == {TAKE}


def test_a_complete_trick_leaves_the_game() -> None:
    """With a card of each of two players it is complete; the second one leads."""
    state = do(beating(), "8D", "KD")
    assert set(codes(state.cards(None, "vloc", "DISCARD"))) == {"8D", "KD"}
    assert state.player == 1
    assert set(moves(state)) == {"9H", "4D", "3C", "8S"}


def test_picking_up_the_only_card() -> None:
    """Then nothing is left to be beaten, and the next player leads."""
    state = do(beating(), "QS", TAKE)
    assert hands(state) == [{"8D"}, {"8S", "4D", "9H", "KD", "3C", "QS"}]
    assert state.player == 0
    assert set(moves(state)) == {"8D"}


def test_the_last_with_cards_loses() -> None:
    """As soon as only one player has cards the round is over: no trick is played to its end."""
    state = do(beating(), "8D", "KD", "4D", "QS")
    assert state.finished
    assert state.scores == (0, 1)
    state = do(beating(), "QS", TAKE, "8D")
    assert state.finished
    assert state.scores == (0, 1)


def three(**declared: int) -> State:
    """Return the position called THREE."""
    start = stacked("skitgubbe", THREE, **declared).start(0)
    state = do(start, "9H", "5D", "TH", "QD", "7D", "2C")
    assert hands(state) == [{"9H", "5D", "JH", "KS"}, {"QD", "TH", "7D", "2C"}, {"3C", "8D"}]
    return state


def test_a_trick_of_three() -> None:
    """It needs three plays, each beating the one before."""
    state = do(three(), "5D")
    assert set(moves(state)) == {"QD", "7D", TAKE}
    do(state, "7D")
    assert set(moves(state)) == {"8D", TAKE}
    do(state, "8D")
    assert set(codes(state.cards(None, "vloc", "DISCARD"))) == {"5D", "7D", "8D"}
    assert state.player == 2
    assert set(moves(state)) == {"3C"}


def test_the_last_play_is_picked_up() -> None:
    """The next player has to beat the one below it, who may be the same who led it."""
    state = do(three(), "5D", "7D", TAKE)
    assert hands(state)[2] == {"3C", "8D", "7D"}
    assert piles(state) == [("5D",)]
    assert state.player == 0
    assert set(moves(state)) == {"KS", TAKE}
    taken = do(state.copy(), TAKE)
    assert hands(taken)[0] == {"9H", "JH", "KS", "5D"}
    assert taken.player == 1
    assert set(moves(taken)) == {"QD", "TH", "2C"}
    do(state, "KS", TAKE)
    assert hands(state)[1] == {"QD", "TH", "2C", "KS"}
    assert set(moves(state)) == {"8D", "7D", TAKE}


def test_the_first_play_is_picked_up_if_so_declared() -> None:
    """With TAKEFIRST the latest card stays on top and has to be beaten."""
    state = do(three(TAKEFIRST=1), "5D", "QD", TAKE)
    assert hands(state)[2] == {"3C", "8D", "5D"}
    assert piles(state) == [("QD",)]
    assert state.player == 0
    assert set(moves(state)) == {"KS", TAKE}
    do(state, "KS", TAKE)
    assert hands(state)[1] == {"QD", "TH", "7D", "2C"}
    assert piles(state) == [("KS",)]
    assert set(moves(state)) == {TAKE}


def last_card() -> State:
    """Return the position called LAST_CARD."""
    start = stacked("skitgubbe", LAST_CARD).start(0)
    state = do(start, "2C", "5D", "6D", "8H", "9H", "3C", "TH", "4C")
    assert hands(state) == [{"2S"}, {"7S", "2C", "5D"}, {"6D", "8H", "9H", "3C", "TH", "4C"}]
    return state


def test_a_trick_counts_those_who_had_cards_when_it_was_led() -> None:
    """Player 1, out with the lead, still counts for this trick, but not for the next."""
    state = do(last_card(), "2S", "7S")
    assert state.player == 2
    assert set(moves(state)) == {TAKE}
    do(state, TAKE)
    assert state.player == 1
    assert piles(state) == [("2S",)]
    assert set(moves(state)) == {TAKE}
    do(state, TAKE)
    assert state.player == 2
    do(state, "3C", TAKE)
    assert state.player == 2
    do(state, "4C", TAKE, "6D", "2S")
    assert state.player == 1
    assert len(codes(state.cards(None, "vloc", "DISCARD"))) == 2


def test_sequences() -> None:
    """With SEQUENCES cards of one suit in a row may be led, and are beaten by as many only."""
    pack = "8H 9H TH  4D QD 7D  5D 6D 8D  2S"
    state = do(stacked("skitgubbe", pack, SEQUENCES=1).start(0), "8H", "4D")
    do(state, "9H", "7D", "TH", "QD")
    assert hands(state) == [{"2S", "8H", "9H", "4D", "7D"}, {"TH", "QD"}, {"5D", "6D", "8D"}]
    assert set(moves(state)) == {"2S", "8H", "9H", "8H 9H", "4D", "7D"}
    one = do(state.copy(), "8H")
    assert set(moves(one)) == {"TH", TAKE}
    two = do(state.copy(), "8H 9H")
    assert set(moves(two)) == {TAKE}
    do(two, TAKE)
    assert hands(two)[1] == {"TH", "QD", "8H", "9H"}
    assert two.player == 2
    assert set(moves(two)) == {"5D", "6D", "8D", "5D 6D"}
    single = stacked("skitgubbe", pack).start(0)
    do(single, "8H", "4D", "9H", "7D", "TH", "QD")
    assert set(moves(single)) == {"2S", "8H", "9H", "4D", "7D"}


def test_a_sequence_is_beaten_by_a_sequence() -> None:
    """Of as many cards, higher in its suit, or of trumps if it is of another suit."""
    pack = "4C 4D 9C  8H 9H TH  3H 4H 5H 6H 2S 3S 2D 3D QS"
    state = stacked("skitgubbe", pack, PLAYERS=2, SEQUENCES=1).start(0)
    do(state, *[CHANCE] * 8, "4C", "8H", "9H", "4D", "TH", "9C")
    assert hands(state) == [
        {"QS", "5H", "6H", "2D", "3D"},
        {"3H", "4H", "8H", "9H", "TH", "2S", "3S", "4C", "9C", "4D"},
    ]
    assert set(moves(state)) == {"QS", "5H", "6H", "5H 6H", "2D", "3D", "2D 3D"}
    assert set(moves(do(state.copy(), "6H"))) == {"8H", "9H", "TH", "2S", "3S", TAKE}
    assert set(moves(do(state.copy(), "2D 3D"))) == {"2S 3S", TAKE}
    assert set(moves(do(state.copy(), "QS"))) == {TAKE}
    do(state, "5H 6H")
    assert set(moves(state)) == {"8H 9H", "9H TH", "2S 3S", TAKE}
    assert hands(do(state.copy(), TAKE))[1] >= {"5H", "6H", "TH"}
    do(state, "9H TH")
    assert set(codes(state.cards(None, "vloc", "DISCARD"))) == {"5H", "6H", "9H", "TH"}
    assert state.player == 1


@pytest.mark.parametrize("limit", [1000, 7])
def test_the_second_phase_is_bounded(limit: int) -> None:
    """If cards are only led and picked up, all who have some lose after LIMIT turns, or 1000."""
    game = interpreted("skitgubbe")
    if limit != 1000:
        game = interpreted("skitgubbe", LIMIT=limit)
    state = finish(game, 3, preferring(3, 3, takes))
    assert state.integer(None, "TURNS") == limit
    assert sum(state.scores) >= 2


def test_exactly_one_loses() -> None:
    """Unless the round is cut short one player has cards, and everybody may be the one."""
    game = interpreted("skitgubbe")
    ends = [finish(game, seed).scores for seed in seeds(12, 5)]
    assert set(ends) == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
