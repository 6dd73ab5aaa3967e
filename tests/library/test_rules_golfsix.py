"""Golf with six cards as its rules say: games are followed by a model that knows the rules."""

import pytest
from library_playing import (
    FULL_PACK,
    Chooser,
    bare_options,
    codes,
    decisions,
    hand,
    interpreted,
    picked,
    preferring,
    seeds,
    shuffled,
)

from cardwright import Game, Option, State
from deep import usually

COST = {rank: value for value, rank in enumerate("A23456789T", start=1)}
COST |= {"2": -2, "J": 10, "Q": 10, "K": 0}


@pytest.fixture(scope="module", params=[2, 3, 4])
def game(request: pytest.FixtureRequest) -> Game:
    return interpreted("golfsix", PLAYERS=request.param)


def hidden(state: State, seat: int, place: int) -> tuple[str, ...]:
    return codes(state.cards(seat, "hloc", "GRID", place))


def shown(state: State, seat: int, place: int) -> tuple[str, ...]:
    return codes(state.cards(seat, "vloc", "GRID", place))


def discards(state: State) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", "DISCARD"))


def cost(grid: list[str]) -> int:
    """Return what six cards cost, the upper row first."""
    columns = list(zip(grid[:3], grid[3:], strict=True))
    return sum(COST[a[0]] + COST[b[0]] for a, b in columns if a[0] != b[0])


class Model:
    """A table of Golf, kept by the rules alone."""

    def __init__(self, players: int, pack: list[str], face_up: int = 2) -> None:
        self.pack = list(pack)
        self.grids = []
        self.up = []
        for _ in range(players):
            self.grids.append([self.pack.pop() for _ in range(6)])
            self.up.append([place < face_up for place in range(6)])
        self.pile = [self.pack.pop()]
        self.seat = 0
        self.held = ""
        self.from_stock = False

    def draw(self, stock: bool) -> None:
        self.from_stock = stock
        self.held = (self.pack if stock else self.pile).pop()

    def put(self, place: int | None) -> None:
        """Lay the drawn card on a place from 0, or throw it away."""
        out = self.held
        if place is not None:
            out, self.grids[self.seat][place] = self.grids[self.seat][place], self.held
            self.up[self.seat][place] = True
        self.pile.append(out)
        self.held = ""
        self.seat = (self.seat + 1) % len(self.grids)

    def renew(self, stock: tuple[str, ...]) -> None:
        """Take over a new stock, after seeing that it is made of the discards."""
        assert sorted(stock) == sorted(self.pile[:-1])
        self.pack = list(stock)
        del self.pile[:-1]

    def check(self, state: State) -> None:
        assert list(discards(state)) == self.pile
        for seat, grid in enumerate(self.grids):
            for place, card in enumerate(grid):
                up = self.up[seat][place]
                assert shown(state, seat, place + 1) == ((card,) if up else ())
                assert hidden(state, seat, place + 1) == (() if up else (card,))


def followed(game: Game, seed: int, choose: Chooser | None = None) -> tuple[Model, State]:
    """Play a game along with a model; compare them at every decision."""
    model = Model(game.players, shuffled(game, seed))
    for state, option in decisions(game, seed, choose):
        assert state.player == model.seat
        stock = codes(state.cards(None, "iloc", "STOCK"))
        if not model.held and not model.pack:
            model.renew(stock)
        model.check(state)
        assert list(stock) == model.pack
        if not model.held:
            assert [one.content.branch for one in bare_options(state)] == [0, 1]
            model.draw(stock=option.content.branch == 0)
        else:
            places = [picked(one, "PLACE") for one in bare_options(state)]
            assert places == [1, 2, 3, 4, 5, 6] + [None] * model.from_stock
            place = picked(option, "PLACE")
            model.put(place - 1 if isinstance(place, int) else None)
    return model, state


def throw_away(state: State, option: Option) -> bool:
    """Prefer to draw from the stock and to discard the card at once."""
    if any(picked(one, "PLACE") for one in bare_options(state)):
        return picked(option, "PLACE") is None
    return option.content.branch == 0


def test_games_go_as_the_rules_say(game: Game) -> None:
    """Draws, replacements, discards, turns and scores are those of a model of the rules."""
    for seed in seeds(25):
        model, state = followed(game, seed)
        assert not model.held
        assert state.scores == tuple(cost(grid) for grid in model.grids)


def test_the_deal(game: Game) -> None:
    """Six cards each in a grid, two in different columns face up, and one discard."""
    for seed in seeds(10):
        state = game.start(seed)
        for seat in range(game.players):
            up = [place for place in range(1, 7) if shown(state, seat, place)]
            down = [place for place in range(1, 7) if hidden(state, seat, place)]
            assert sorted(up + down) == [1, 2, 3, 4, 5, 6]
            assert len({(place - 1) % 3 for place in up}) == len(up) == 2
        assert len(discards(state)) == 1
        assert len(state.cards(None, "iloc", "STOCK")) == 51 - 6 * game.players


def test_a_turn_is_a_draw_and_a_placement(game: Game) -> None:
    """Two ways to draw; then six places, and the discard pile for a card of the stock only."""
    for seed in seeds(15):
        count = 0
        for state, option in decisions(game, seed):
            drawing = count % 2 == 0
            if drawing:
                assert state.option_count == 2
                stock = option.content.branch == 0
            else:
                assert state.option_count == 6 + stock
            assert state.player == count // 2 % game.players
            count += 1
        assert count % 2 == 0


def test_a_drawn_card_is_seen_by_its_player_alone(game: Game) -> None:
    """A card of the stock is drawn into hiding from the others, one of the discards openly."""
    for seed in seeds(10):
        for state, option in decisions(game, seed):
            mine = state.player or 0
            secret, public = hand(state, mine, "DRAWN"), state.cards(mine, "vloc", "DRAWN")
            assert len(secret) + len(public) == len(state.choices) % 2
            if len(state.choices) % 2 == 0:
                top = discards(state)[-1]
                follow = state.copy()
                follow.play(option)
                open_cards = codes(follow.cards(mine, "vloc", "DRAWN"))
                assert open_cards == ((top,) if option.content.branch == 1 else ())


def test_cards_are_kept_together(game: Game) -> None:
    """At every turn's start each grid has six cards, and all 52 are somewhere."""
    for seed in seeds(10):
        for state, _ in decisions(game, seed):
            cards = sum((codes(pile) for pile in state.locations().values()), ())
            assert sorted(cards) == FULL_PACK
            for seat in range(game.players):
                for place in range(1, 7):
                    assert len(shown(state, seat, place) + hidden(state, seat, place)) == 1


def test_the_round_ends_with_the_last_card_turned_up(game: Game) -> None:
    """As soon as one player has six cards face up it is over, and the others turn theirs up."""
    for seed in seeds(25):
        turns = 0
        for state, _ in decisions(game, seed):
            turns += 1
            for seat in range(game.players):
                assert any(hidden(state, seat, place) for place in range(1, 7))
        model, state = followed(game, seed)
        last = (model.seat - 1) % game.players
        assert turns == 60 * game.players or all(model.up[last])
        assert sum(all(up) for up in model.up) <= 1
        assert not any(hidden(state, s, p) for s in range(game.players) for p in range(1, 7))


def test_a_column_of_one_rank_costs_nothing(game: Game) -> None:
    """Two equal cards one above the other cost nothing, side by side they count."""
    columns = rows = 0
    for seed in seeds(70):
        end = None
        for state, _ in decisions(game, seed):
            end = state
        assert end is not None
        for seat in range(game.players):
            grid = [shown(end, seat, place)[0] for place in range(1, 7)]
            total = 0
            for left in range(3):
                pair = grid[left], grid[left + 3]
                if pair[0][0] == pair[1][0]:
                    columns += 1
                else:
                    total += COST[pair[0][0]] + COST[pair[1][0]]
            rows += grid[0][0] == grid[1][0]
            assert end.scores[seat] == total
        assert end.ranks[end.scores.index(min(end.scores))] == 0
    assert columns >= usually(1, 5)
    assert rows >= usually(1, 5)


def test_an_exhausted_stock_is_renewed(game: Game) -> None:
    """When the stock is used up the discards but for the top one are shuffled into a new one."""
    for seed in seeds(4):
        renewed = mixed = 0
        before: tuple[str, ...] = ()
        choose = preferring(seed, game.players, throw_away)
        for state, _ in decisions(game, seed, choose):
            pile = discards(state)
            if len(state.choices) % 2 == 0 and len(before) > len(pile):
                stock = codes(state.cards(None, "iloc", "STOCK"))
                assert len(pile) == 1
                assert sorted(stock) == sorted(before)
                assert len(stock) == 51 - 6 * game.players
                renewed += 1
                mixed += stock != before
            before = pile
        assert renewed >= 1
        assert mixed == renewed
        followed(game, seed, preferring(seed, game.players, throw_away))


def test_the_round_is_bounded(game: Game) -> None:
    """Whoever never replaces a card plays ROUNDS turns, thirty as a rule, and not one more."""
    for rounds in (30, 4):
        short = interpreted("golfsix", PLAYERS=game.players, ROUNDS=rounds)
        state = None
        for at, _ in decisions(short, 1, preferring(1, game.players, throw_away)):
            state = at
        assert state is not None
        assert len(state.choices) == 2 * rounds * game.players
        model = Model(game.players, shuffled(short, 1))
        assert state.scores == tuple(cost(grid) for grid in model.grids)


@pytest.mark.parametrize(("face_up", "turns"), [(0, 6), (5, 1)])
def test_cards_face_up_at_the_start(face_up: int, turns: int) -> None:
    """FACEUP sets how many cards of each grid start face up, and so how soon it may end."""
    game = interpreted("golfsix", PLAYERS=2, FACEUP=face_up)
    state = game.start(3)
    for seat in range(2):
        assert sum(len(shown(state, seat, place)) for place in range(1, 7)) == face_up
    for turn in range(turns):
        for _ in range(2 if turn < turns - 1 else 1):
            assert not state.finished
            state.play(1)
            state.play(face_up if turns == 1 else turn)
    assert state.finished
