"""Durak as its rules say: games are followed by a model that knows only the rules."""

import pytest
from library_playing import (
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
    stacked,
)

from cardwright import Game, Option, State, Stream

ORDER = "6789TJQKA"
TAKE, PASS = "take", "pass"


def move(state: State, option: Option) -> str:
    """Return the card that an option plays, or what it does instead."""
    defends = state.integer(None, "DEFENDER") - 1 == state.player
    return card_of(state, option) or (TAKE if defends else PASS)


def moves(state: State) -> list[str]:
    return [move(state, option) for option in bare_options(state)]


def play(state: State, *words: str) -> None:
    """Play cards, take or pass, whoever's turn it is."""
    for word in words:
        state.play(moves(state).index(word))


def hands(state: State) -> list[set[str]]:
    return [set(hand(state, seat)) for seat in range(state.game.players)]


def beats(card: str, other: str, trump: str) -> bool:
    if card[1] == other[1]:
        return ORDER.index(card[0]) > ORDER.index(other[0])
    return card[1] == trump


class Model:
    """A table of Durak, kept by the rules alone."""

    def __init__(
        self,
        players: int,
        pack: list[str],
        size: int = 6,
        most: int = 6,
        *,
        after: bool = True,
        bouts: int = 200,
    ) -> None:
        pack = pack[::-1]
        self.hands = [set(pack[seat * size : (seat + 1) * size]) for seat in range(players)]
        self.stock = [*pack[players * size + 1 :], pack[players * size]]
        self.trump = self.stock[-1][1]
        self.size, self.most, self.after, self.bouts = size, most, after, bouts
        self.out: list[str] = []
        self.over = False
        dealt = sorted(card for mine in self.hands for card in mine if card[1] == self.trump)
        lowest = min(dealt, key=lambda card: ORDER.index(card[0]), default="")
        self.begin(next((s for s in range(players) if lowest in self.hands[s]), 0))

    def after_seat(self, seat: int) -> list[int]:
        """Return the seats with cards, from the one after a seat round to that seat itself."""
        count = len(self.hands)
        return [s for s in ((seat + i) % count for i in range(1, count + 1)) if self.hands[s]]

    def begin(self, attacker: int) -> None:
        self.bouts -= 1
        self.attacker, self.seat = attacker, attacker
        self.defender = self.after_seat(attacker)[0]
        self.left = min(self.most, len(self.hands[self.defender]))
        self.beaten: list[str] = []
        self.open: list[str] = []
        self.takes = False
        self.asking: list[int] = []

    def moves(self) -> set[str]:
        mine = self.hands[self.seat]
        if self.seat == self.defender:
            return {card for card in mine if beats(card, self.open[0], self.trump)} | {TAKE}
        ranks = {card[0] for card in self.beaten + self.open}
        return {card for card in mine if card[0] in ranks} | {PASS} if ranks else set(mine)

    def play(self, word: str) -> None:
        self.hands[self.seat].discard(word)
        if word == PASS:
            self.asking.pop(0)
        elif self.seat != self.defender:
            self.open.append(word)
            self.left -= 1
        elif word == TAKE:
            self.takes = True
            self.left = self.left if self.after else 0
        else:
            self.beaten += [word, self.open.pop()]
        if self.open and not self.takes:
            self.seat = self.defender
            return
        if word != PASS:
            others = [s for s in self.after_seat(self.attacker) if s != self.defender]
            self.asking = sorted(others, key=lambda s: (s - self.attacker) % len(self.hands))
        if self.asking and self.left:
            self.seat = self.asking[0]
        else:
            self.finish_bout()

    def finish_bout(self) -> None:
        cards = self.beaten + self.open
        if self.takes:
            self.hands[self.defender].update(cards)
        else:
            self.out += cards
        seats = range(len(self.hands))
        order = sorted(seats, key=lambda s: (s == self.defender, (s - self.attacker) % len(seats)))
        for seat in order:
            while self.stock and len(self.hands[seat]) < self.size:
                self.hands[seat].add(self.stock.pop(0))
        self.over = sum(map(bool, self.hands)) < 2 or not self.bouts
        if self.over:
            return
        keeps = not self.takes and self.hands[self.defender]
        self.begin(self.defender if keeps else self.after_seat(self.defender)[0])

    def check(self, state: State) -> None:
        assert hands(state) == self.hands
        assert sorted(codes(state.cards(None, "vloc", "DISCARD"))) == sorted(self.out)
        unseen = codes(state.cards(None, "iloc", "STOCK"))[::-1]
        assert [*unseen, *codes(state.cards(None, "vloc", "TURNUP"))] == self.stock


def follow(game: Game, seed: int, **options: int) -> Model:
    """Play a random game beside the model, comparing all on the way; return the model."""
    bouts = options.pop("bouts", 200)
    after = bool(options.pop("after", 1))
    model = Model(game.players, shuffled(game, seed), **options, after=after, bouts=bouts)
    state = game.start(seed)
    for at, option in decisions(game, seed):
        state = at
        assert not model.over
        assert at.player == model.seat
        model.check(at)
        offered = moves(at)
        assert len(offered) == len(set(offered))
        assert set(offered) == model.moves()
        model.play(move(at, option))
    assert model.over
    model.check(state)
    left = [seat for seat, mine in enumerate(model.hands) if mine]
    assert [seat for seat, score in enumerate(state.scores) if score] == left * (len(left) == 1)
    assert set(state.scores) <= {0, 1}
    return model


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_go_as_the_rules_say(players: int) -> None:
    """Bouts, draws, turns and the fool are those of a model of the rules, to the end."""
    game = interpreted("durak", PLAYERS=players)
    for seed in seeds(5):
        follow(game, seed)


def test_other_house_rules() -> None:
    """Smaller hands, three cards a bout at most, nothing after taking; and a bound in sight."""
    game = interpreted("durak", HANDSIZE=5, MAXATTACK=3, AFTER=0, BOUTS=30)
    ends = {follow(game, seed, size=5, most=3, after=0, bouts=30).bouts == 0 for seed in range(8)}
    assert ends == {True, False}
    game = interpreted("durak", PLAYERS=4, HANDSIZE=8, MAXATTACK=2)
    follow(game, 1, size=8, most=2)


@pytest.mark.parametrize(
    ("deal", "first"),
    [
        ("6C 7C  8H 9C  TH 6D  AH", 1),  # eight before ten of trumps
        ("6C AH  8H 9C  6H 7D  7H", 2),
        ("6C 7C  8D 9C  TD JD  AH", 0),  # no trumps: player 1
    ],
)
def test_the_lowest_trump_attacks_first(deal: str, first: int) -> None:
    """The card turned up does not count; without any trump player 1 begins."""
    state = stacked("durak", deal, PLAYERS=3, HANDSIZE=2).start(0)
    assert state.player == first
    assert state.integer(None, "ATTACKER") == first + 1
    assert state.integer(None, "DEFENDER") == (first + 1) % 3 + 1


def test_the_lowest_trump_is_shown() -> None:
    """Everybody knows where it is, and of the other cards only the one turned up."""
    state = stacked("durak", "6H 7C  8H 9C  TC JC  AH KC QC", PLAYERS=3, HANDSIZE=2).start(0)
    for seed in seeds(20):
        assert "6H" in hand(state.determinise(1, Stream(seed), "known"), 0)
    others = [set(hand(state.determinise(1, Stream(seed), "known"), 0)) for seed in seeds(40, 10)]
    assert set.union(*others) == {"6H", "7C", "TC", "JC", "KC", "QC"}


@pytest.mark.parametrize(
    ("attack", "held", "able"),
    [
        ("8C", "9C 7C", ["9C"]),  # higher in the suit
        ("8C", "AD 9C", ["9C"]),  # an ace of another suit does not help
        ("AC", "7H KC", ["7H"]),  # a low trump beats an ace
        ("TC", "JC 9C", ["JC"]),  # a ten is above a nine and below a jack
        ("JC", "QC KC", ["QC", "KC"]),
        ("8H", "9H 7H", ["9H"]),  # only a higher trump beats a trump
        ("8H", "AC 7H", []),
    ],
)
def test_what_beats_what(attack: str, held: str, able: list[str]) -> None:
    """A higher card of the suit does, or any trump; taking is always possible. Hearts it is."""
    state = stacked("durak", f"{attack} 6H  {held}  AH", HANDSIZE=2).start(0)
    play(state, attack)
    assert state.player == 1
    assert moves(state) == [*able, TAKE]


def test_cards_are_added_by_the_ranks_on_the_table() -> None:
    """Those of the defence count too; a card may not be added for any other reason."""
    state = stacked("durak", "8C 8D 9D TC  9C 9S TS JS  6H", HANDSIZE=4).start(0)
    assert moves(state) == ["8C", "8D", "9D", "TC"]
    play(state, "8C", "9C")
    assert moves(state) == ["8D", "9D", PASS]
    play(state, "9D")
    assert moves(state) == [TAKE]


def test_a_bout_is_no_longer_than_the_defender_can_hold() -> None:
    """Against two cards two are played, and then the attacker is not asked for a third."""
    deal = "8C 8D 8S 6C  9C TC JC QC  6H"
    state = stacked("durak", deal, HANDSIZE=4).start(0)
    play(state, "6C", "9C", PASS)  # player 1 draws the trump
    assert state.player == 1
    play(state, "TC", TAKE, PASS)
    play(state, "JC", TAKE, PASS)
    assert hands(state) == [{"8C", "8D", "8S", "6H", "TC", "JC"}, {"QC"}]
    assert state.player == 1


def test_no_more_than_the_limit() -> None:
    """With MAXATTACK 2 a third card is not asked for, whether the defender beats or takes."""
    deal = "8C 8D 8S 6C  9C 9D 9S QC  6H"
    state = stacked("durak", deal, HANDSIZE=4, MAXATTACK=2).start(0)
    play(state, "8C", "9C", "8D", "9D")
    assert state.integer(None, "BOUT") == 2
    assert state.player == 1
    assert hands(state) == [{"8S", "6C", "6H"}, {"9S", "QC"}]
    state = stacked("durak", deal, HANDSIZE=4, MAXATTACK=2).start(0)
    play(state, "8C", TAKE, "8D")
    assert state.integer(None, "BOUT") == 2
    assert hands(state) == [{"8S", "6C", "6H"}, {"9C", "9D", "9S", "QC", "8C", "8D"}]


def test_the_defender_of_two_cards_meets_two() -> None:
    """The limit is the hand when the bout begins, so that everything played can be beaten."""
    deal = "6C 6D 6S  7C 8C 9C  AH"
    state = stacked("durak", deal, HANDSIZE=3).start(0)
    play(state, "6C", "7C", PASS)  # player 1 draws the trump and has three cards
    play(state, "8C", TAKE)
    assert moves(state) == [PASS]
    play(state, PASS)
    assert hands(state) == [{"6D", "6S", "AH", "8C"}, {"9C"}]
    play(state, "9C", "AH")
    assert state.finished
    assert state.scores == (1, 0)


def test_who_takes_takes_everything() -> None:
    """All cards of the bout, beaten or not; others may add to them by the same rules."""
    deal = "8C 8D 9D TC  9C 9S TS JS  6H"
    for after in (1, 0):
        state = stacked("durak", deal, HANDSIZE=4, AFTER=after).start(0)
        play(state, "8C", "9C", "9D", TAKE)
        if after:
            assert moves(state) == ["8D", PASS]
            play(state, "8D")
            assert moves(state) == [PASS]
            play(state, PASS)
        taken = {"8C", "9C", "9D", *({"8D"} if after else ())}
        assert hands(state)[1] == {"9S", "TS", "JS"} | taken
        assert state.player == 0
        assert not state.cards(None, "vloc", "DISCARD")


def test_others_throw_in_after_the_attacker() -> None:
    """The defender answers each card; then the attacker is asked, and the others in turn."""
    deal = "8C 8D KC  9C TD KD  9D 8S 7S  9S 7D 6S  6H"
    state = stacked("durak", deal, PLAYERS=4, HANDSIZE=3).start(0)
    play(state, "8C", "9C")
    assert (state.player, moves(state)) == (0, ["8D", PASS])
    play(state, PASS)
    assert (state.player, moves(state)) == (2, ["9D", "8S", PASS])
    play(state, PASS)
    assert (state.player, moves(state)) == (3, ["9S", PASS])
    play(state, "9S", TAKE)
    assert (state.player, moves(state)) == (0, ["8D", PASS])
    play(state, PASS, "8S")
    assert state.integer(None, "BOUT") == 2
    assert hands(state)[1] == {"8C", "9C", "9S", "8S", "TD", "KD"}


def test_who_cannot_add_a_card_is_asked_all_the_same() -> None:
    """Otherwise the rest would learn what is not in the hand."""
    state = stacked("durak", "8C KC  9C TD  QS JS  6H", PLAYERS=3, HANDSIZE=2).start(0)
    play(state, "8C", "9C")
    assert (state.player, moves(state)) == (0, [PASS])
    play(state, PASS)
    assert (state.player, moves(state)) == (2, [PASS])


def test_who_has_taken_misses_the_attack() -> None:
    """The next player attacks; whoever has beaten everything attacks next."""
    deal = "8C KC  9C TD  QS JS  6H"
    state = stacked("durak", deal, PLAYERS=3, HANDSIZE=2).start(0)
    play(state, "8C", TAKE, PASS, PASS)
    assert state.player == 2
    assert state.integer(None, "DEFENDER") == 1
    state = stacked("durak", deal, PLAYERS=3, HANDSIZE=2).start(0)
    play(state, "8C", "9C", PASS, PASS)
    assert state.player == 1
    assert state.integer(None, "DEFENDER") == 3


def test_the_attacker_draws_first_and_the_defender_last() -> None:
    """Players 1, 3 and 4 fill up before player 2; the card turned up goes last of all."""
    deal = "8C KC 7C  9C TD JD  8S JS KS  8D QD KD  6H  AC AD AS TS"
    state = stacked("durak", deal, PLAYERS=4, HANDSIZE=3).start(0)
    play(state, "8C", "9C", PASS, "8S", TAKE, PASS, PASS, "8D")
    assert state.integer(None, "BOUT") == 2
    assert hands(state) == [
        {"KC", "7C", "AC"},
        {"TD", "JD", "8C", "9C", "8S", "8D"},
        {"JS", "KS", "AD"},
        {"QD", "KD", "AS"},
    ]
    state = stacked("durak", deal, PLAYERS=4, HANDSIZE=3).start(0)
    play(state, "8C", "9C", PASS, PASS, PASS)
    assert hands(state)[0] == {"KC", "7C", "AC"}
    assert hands(state)[1] == {"TD", "JD", "AD"}


def test_the_card_turned_up_is_drawn_last() -> None:
    """It lies open until the stock is gone."""
    state = stacked("durak", "8C KC  9C TD  6H  AC", HANDSIZE=2).start(0)
    play(state, "8C", "9C", PASS)
    assert hands(state) == [{"KC", "AC"}, {"TD", "6H"}]
    assert not state.cards(None, "vloc", "TURNUP")


def test_the_last_with_cards_is_the_fool() -> None:
    """The stock is gone: player 1 has played all and is out, and player 2 is left."""
    state = stacked("durak", "8C  9C  6H", HANDSIZE=1).start(0)
    play(state, "8C", "9C")  # player 1 draws the trump
    assert state.finished
    assert state.scores == (1, 0)
    assert state.ranks == (1, 0)


def test_without_cards_there_is_no_fool() -> None:
    """Both play their last cards in one bout: nobody has lost."""
    state = stacked("durak", "8C  9C  6H  7H", HANDSIZE=1).start(0)
    play(state, "8C", "9C")  # player 1 draws the seven, player 2 the card turned up
    play(state, "6H", "7H")
    assert state.finished
    assert state.scores == (0, 0)
    assert state.wins == (0.5, 0.5)


def test_players_without_cards_are_passed_over() -> None:
    """Who is out neither attacks nor defends nor is asked."""
    deal = "8C  9C  TC  6H"
    state = stacked("durak", deal, PLAYERS=3, HANDSIZE=1).start(0)
    play(state, "8C", "9C")  # player 1 draws the trump, player 2 is out
    assert state.player == 2
    assert state.integer(None, "DEFENDER") == 1
    play(state, "TC", "6H")
    assert state.finished
    assert state.scores == (0, 0, 0)


def test_the_game_is_bounded() -> None:
    """After BOUTS bouts it is over, and whoever still has cards, nobody is the fool."""
    game = interpreted("durak", PLAYERS=3, BOUTS=4)
    state = finish(game, 1, preferring(1, 3, lambda s, o: move(s, o) in (TAKE, PASS)))
    assert state.integer(None, "BOUT") == 4
    assert state.scores == (0, 0, 0)


def test_two_players_need_no_bound() -> None:
    """If the defender always takes, the same player attacks until out of cards."""
    game = interpreted("durak")
    for seed in range(2):
        state = finish(game, seed, preferring(seed, 2, lambda s, o: move(s, o) in (TAKE, PASS)))
        first = game.start(seed).player
        assert state.integer(None, "BOUT") == 30
        assert first is not None
        assert state.scores[first] == 0
        assert sum(state.scores) == 1
