"""LAMA as its rules say: a model gives the options, small packs show the single rules."""

from collections.abc import Iterable

import pytest
from library_playing import Chooser, bare_options, decisions, finish, interpreted, preferring, seeds

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

NAMES = {"1": "ONE", "2": "TWO", "3": "THREE", "4": "FOUR", "5": "FIVE", "6": "SIX", "L": "LLAMA"}
KINDS = "".join(NAMES)
COST = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "L": 10}
SHUFFLE = "(shuffle (game iloc STOCK))"
DRAW, QUIT, PASS = "draw", "quit", "pass"


@pytest.fixture(scope="module", params=[2, 3, 4, 5, 6])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("lama", PLAYERS=request.param)


def kinds(cards: Iterable[Card]) -> str:
    """Return cards as one character each."""
    short = {long: kind for kind, long in NAMES.items()}
    return "".join(short[card.attributes["RANK"]] for card in cards)


def held(cards: Iterable[Card]) -> list[Card]:
    """Return cards as they lie in a hand: by number."""
    return sorted(cards, key=lambda card: card.id)


def hand(state: State, seat: int) -> str:
    return kinds(state.cards(seat, "iloc", "HAND"))


def stock(state: State) -> str:
    return kinds(state.cards(None, "iloc", "STOCK"))


def top(state: State) -> str:
    return kinds(state.cards(None, "vloc", "PILE"))[-1]


def move(state: State, option: Option) -> str:
    """Return the kind of card that an option plays, or what else it is."""
    picks = dict(option.content.picks)
    if "'CARD" in picks:
        card = picks["'CARD"]
        assert isinstance(card, int)
        return kinds([state.game.cards[card]])
    return ("", DRAW, QUIT, PASS)[option.content.branch]


def moves(state: State) -> list[str]:
    return [move(state, option) for option in bare_options(state)]


def play(state: State, *wanted: str) -> State:
    for what in wanted:
        assert not state.finished
        state.play(moves(state).index(what))
    return state


def stacked(pack: str, **declared: int) -> State:
    """Start a game of these cards alone, from the top: the hands, the first card, the stock.

    Of equal cards those that come first have the lower numbers.
    """
    cards = pack.replace(" ", "")
    steps = [
        f"(move (bottom (filter (game iloc STOCK) 'X (== (cardatt RANK 'X) {NAMES[kind]})))"
        " (bottom (game iloc PACK)))"
        for kind in cards
    ]
    steps += [
        f"(repeat {56 - len(cards)} (move (bottom (game iloc STOCK)) (top (game hloc AWAY))))",
        "(repeat all (move (bottom (game iloc PACK)) (top (game iloc STOCK))))",
    ]
    text = find("lama").text
    assert text.count(SHUFFLE) == 1
    source = Source("lama-stacked", text.replace(SHUFFLE, " ".join(steps)))
    declared = {"PLAYERS": 2, "HANDSIZE": 3} | declared
    return Game.from_source(source, declared=declared, engine="interpreter").start(0)


def penalty(cards: str, llama: int = 10) -> int:
    return sum({**COST, "L": llama}[kind] for kind in set(cards))


def fits(card: str, below: str) -> bool:
    """Say whether a card may be played on another: the same kind, or the next in the circle."""
    circle = "123456L1"
    return card == below or circle[circle.index(below) + 1] == card


@pytest.mark.parametrize("asked", [0, 1])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_whole_games(players: int, asked: int) -> None:
    """Hands, options, turns and scores are those of a model of the rules."""
    game = interpreted("lama", PLAYERS=players, ASKED=asked)
    last = 0
    for seed in seeds(10, 3):
        pack = list(game.cards)
        Stream(seed).shuffle(pack)
        hands = [held(pack.pop() for _ in range(6)) for _ in range(players)]
        pile, seat = [pack.pop()], 0
        out = [False] * players
        # Every third game is played by people who quit only if they must.
        choose = preferring(seed, players, lambda s, o: move(s, o) != QUIT)
        for state, option in decisions(game, seed, None if seed % 3 else choose):
            if not asked:
                while out[seat]:
                    seat = (seat + 1) % players
            assert not all(out)
            assert all(hands)
            assert state.player == seat
            assert [hand(state, s) for s in range(players)] == list(map(kinds, hands))
            assert (stock(state), top(state)) == (kinds(pack), kinds(pile[-1:]))
            playable = [card for card in hands[seat] if fits(kinds([card]), kinds(pile[-1:]))]
            wanted = list(kinds(playable))
            if out[seat]:
                wanted = [PASS]
            else:
                wanted += [DRAW] if pack and out.count(False) > 1 else []
                wanted += [QUIT]
                last += out.count(False) == 1
            assert moves(state) == wanted
            what = move(state, option)
            if what == DRAW:
                hands[seat] = held([*hands[seat], pack.pop()])
            elif what == QUIT:
                out[seat] = True
            elif what != PASS:
                hands[seat].remove(playable[option.index])
                pile.append(playable[option.index])
            seat = (seat + 1) % players
        assert all(out) or not all(hands)
        assert state.scores == tuple(penalty(kinds(cards)) for cards in hands)
    assert last > 3


def test_the_deal(game: Game) -> None:
    """Eight of each of seven kinds; six cards each, one is turned up, the rest is the stock."""
    assert sorted(kinds(game.cards)) == sorted(KINDS * 8)
    for seed in seeds(5):
        pack = list(game.cards)
        Stream(seed).shuffle(pack)
        state = game.start(seed)
        for seat in range(game.players):
            assert hand(state, seat) == kinds(held(pack.pop() for _ in range(6)))
        assert state.cards(None, "vloc", "PILE") == (pack.pop(),)
        assert stock(state) == kinds(pack)
        assert state.player == 0


@pytest.mark.parametrize(
    ("below", "playable"),
    [("1", "12"), ("2", "23"), ("3", "34"), ("4", "45"), ("5", "56"), ("6", "6L"), ("L", "1L")],
)
def test_what_may_be_played(below: str, playable: str) -> None:
    """The same kind or the next; a llama on a six, a one on a llama, and nothing else."""
    state = stacked(f"123456L 123456L {below} 11", HANDSIZE=7)
    assert moves(state) == [*playable, DRAW, QUIT]


def test_equal_cards_are_options_of_their_own() -> None:
    """Three playable twos are three options, which do the same."""
    state = stacked("222 566 1 34")
    assert moves(state) == ["2", "2", "2", DRAW, QUIT]
    assert hand(play(state, "2"), 0) == "22"


def test_a_turn_is_one_action() -> None:
    """Play one card, or draw one without playing it, or quit; then it is the next player's turn."""
    state = play(stacked("123 566 1 14"), "1")
    assert (state.player, top(state), hand(state, 0)) == (1, "1", "23")
    play(state, DRAW)
    assert (state.player, sorted(hand(state, 1)), stock(state)) == (0, sorted("5661"), "4")
    play(state, "2")
    assert (state.player, top(state)) == (1, "2")


def test_drawing_is_a_choice() -> None:
    """A card may be drawn with a playable card in hand, as long as there is a stock."""
    state = stacked("122 566 1 4")
    assert moves(state) == ["1", "2", "2", DRAW, QUIT]
    play(state, DRAW)
    assert moves(state) == [QUIT]
    play(state, QUIT)
    assert moves(state) == ["1", "2", "2", QUIT]


def test_the_last_one_in_may_not_draw() -> None:
    """When all others have quit, the last player goes on playing cards or quits, but draws none."""
    state = play(stacked("123 566 1 444", ASKED=0), DRAW, QUIT)
    assert state.player == 0
    assert moves(state) == ["1", "2", QUIT]
    play(state, "2")
    assert not state.finished
    assert moves(state) == ["3", QUIT]
    play(state, "3", "4")
    assert moves(state) == [QUIT]
    play(state, QUIT)
    assert state.finished
    assert state.scores == (1, 5 + 6)


def test_with_three_two_may_still_draw() -> None:
    """One player's quitting does not end the drawing of two others."""
    state = play(stacked("555 444 333 1 22", PLAYERS=3), QUIT)
    assert moves(state) == [DRAW, QUIT]
    assert moves(play(state, DRAW)) == [DRAW, QUIT]


def test_who_has_quit_is_out() -> None:
    """Whoever has quit can only pass, or with ASKED 0 is not asked at all."""
    state = play(stacked("123 555 4 444"), QUIT, "5")
    assert (state.player, moves(state)) == (0, [PASS])
    play(state, PASS, "5")
    assert moves(state) == [PASS]
    skipped = play(stacked("123 555 4 444", ASKED=0), QUIT, "5", "5")
    assert skipped.player == 1
    assert moves(skipped) == ["5", QUIT]


def test_being_asked_changes_nothing_else() -> None:
    """The same choices, with or without the passes, lead to the same hands and scores."""
    asking = interpreted("lama", ASKED=1)
    skipping = interpreted("lama", ASKED=0)
    passes = 0
    for seed in seeds(10, 3):
        state = finish(asking, seed)
        again = asking.start(seed)
        real = []
        for choice in state.choices:
            if moves(again) != [PASS]:
                real.append(choice)
            else:
                passes += 1
            again.play(choice)
        other = skipping.replay(seed, real)
        assert other.finished
        assert other.scores == state.scores
    assert passes > 10


def test_going_out_ends_the_round_at_once() -> None:
    """Who plays the last card of a hand has no penalty; all others count theirs."""
    state = play(stacked("12 55 44 1 666", PLAYERS=3, HANDSIZE=2), "1", DRAW, DRAW, "2")
    assert state.finished
    assert state.scores == (0, 5 + 6, 4 + 6)
    assert state.ranks == (0, 2, 1)


def test_the_round_ends_when_all_have_quit() -> None:
    """Then everybody counts."""
    state = play(stacked("123 566 1 444"), QUIT, QUIT)
    assert state.finished
    assert state.scores == (6, 11)


@pytest.mark.parametrize(
    ("cards", "cost"),
    [
        ("111", 1),
        ("123", 6),
        ("LLL", 10),
        ("66L", 16),
        ("454", 9),
        ("L1L", 11),
    ],
)
def test_each_kind_counts_once(cards: str, cost: int) -> None:
    """Several equal cards cost as much as one; llamas cost ten together."""
    state = play(stacked(f"{cards} 222 1 444"), QUIT, QUIT)
    assert state.scores == (cost, 2)
    # The hands are shown.
    assert sorted(kinds(state.cards(0, "vloc", "SHOWN"))) == sorted(cards)


def test_the_cost_of_llamas_may_be_declared() -> None:
    """LLAMACOST is paid once."""
    assert play(stacked("L1L 222 1 444", LLAMACOST=20), QUIT, QUIT).scores == (21, 2)


def test_an_empty_stock_gives_no_card() -> None:
    """When the stock is used up nobody draws; who cannot play has to quit."""
    state = play(stacked("555 222 1 6"), DRAW)
    assert moves(state) == ["2", "2", "2", QUIT]
    play(state, "2")
    assert moves(state) == [QUIT]


def test_a_drawn_card_is_secret(game: Game) -> None:
    """A card drawn may be any that the others have not seen."""

    def drawing(state: State, option: Option) -> bool:
        return move(state, option) == DRAW

    choose: Chooser = preferring(1, game.players, drawing)
    state = game.start(1)
    while not hand(state, 0)[6:]:
        state.play(choose(state))
    stream = Stream(3)
    found = {hand(state.determinise(1, stream, "known"), 0)[-1] for _ in range(80)}
    assert found == set(KINDS)
