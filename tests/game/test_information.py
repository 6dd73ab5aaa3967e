"""Keys of information: equal exactly where a seat has seen the same and chosen the same."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from seeded_chance import Seeded

from cardwright import Batch, Game, GameError, IllegalOptionError, Stream
from cardwright.errors import ChanceError
from cardwright.game.find import library_names
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.option import SeenDecision, content_of
from cardwright.interpreter import effects, machine
from cardwright.interpreter.machine import GameLimits
from cardwright.interpreter.steps import picked_cards
from cardwright.interpreter.world import sees
from cardwright.program.cards import Seat
from cardwright.syntax.source import Source
from deep import mostly_deep, some_games, usually
from generated import programs
from loaded import NATIVE

EVENTS = """(game
 (setup (create players 2) (create teams (0) (1))
  (create deck (game iloc STOCK) (deck (SUIT (MOON, STAR)) (VAL (A, B, C, D))))
  (create deck BLUE (game hloc BLUE) (deck (SUIT (MOON)) (VAL (A, B)))))
 (do ((shuffle (game iloc STOCK))
  (all player 'P (repeat 3 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
 (stage player (end (>= (game sto TURNS) 8))
  (do ((inc (game sto TURNS))
   (move (top (game iloc STOCK)) (top (game vloc OPEN)))
   (move (top (game vloc OPEN)) (bottom (game iloc STOCK)))))
  (choice (
   (any ((current player) iloc HAND) 'C (do (
     (move 'C (top (game hloc PILE)))
     (set (game str SAID) (cardatt SUIT 'C)))))
   (any (game hloc BLUE) 'C (move 'C (top ((current player) iloc HAND))))
   (any (A, B) 'V (do (
     (set (game points WORTH) (((VAL : 'V) 3) ((SUIT : MOON) 1)))
     (remember (top (game iloc STOCK)) (top (game mem SEEN))))))
   ((> (size (game mem SEEN)) 0) (forget (top (game mem SEEN))))
   (do ((shuffle ((0 player) iloc HAND)) (shuffle (game vloc SHOWN))
     (shuffle (game vloc EMPTY (* 100 (game sto TURNS))))))
   (any ((current player) iloc HAND) 'C
     (move 'C (top ((current player) oloc ROW (* 100 (game sto TURNS))))))
   ((> (size (game vloc SHOWN)) 0)
     (any (indexed (current player) oloc ROW) 'R (move (top (game vloc SHOWN)) (bottom 'R))))
   ((> (size (game hloc PILE)) 0) (swap (game hloc PILE) (game iloc STOCK)))
   ((and (> (size (game hloc PILE)) 0) (> (size ((current player) iloc HAND)) 0))
     (swap (top (game hloc PILE)) (top ((current player) iloc HAND))))
   (any (range 0 .. 3) 'N (do (
     (set (game sto NUMBER) 'N) (cycle next ((+ 0 (% 'N 2)) player)))))
   (any (subsets ((current player) iloc HAND)) 'G
     ((> (size 'G) 1) (repeat all (move (top 'G) (top (game vloc SHOWN))))))
   (any player 'Q ((> (size (game vloc SHOWN)) 0)
     (move (bottom (game vloc SHOWN)) (top ('Q oloc BACKWARDS))))))))
 (scoring max (size ((current player) iloc HAND))))"""


class Oracle:
    """What seats see of a game, written out: a list of events for each."""

    def __init__(self, game, world, seen):
        self.program = game.program
        self.seen = [list(events) for events in seen]
        self.world = WatchedWorld.of(world, self.watch)

    @classmethod
    def of(cls, game, seed):
        reference = game.with_engine("interpreter")
        world = machine.start(reference._engine.rules, seed)
        found = cls(reference, world, [[] for _ in range(game.players)])
        found.run_on(game.limits)
        return found

    def run_on(self, limits):
        self.built = machine.advance(self.world, limits)
        if self.built is None:
            self.tell(("end", tuple(machine.scores(self.world))))
        else:
            self.tell(("turn", self.world.players[-1].current))

    def tell(self, event):
        for events in self.seen:
            events.append(event)

    def looks(self, seat, *places):
        return any(sees(self.program, seat, place) for place in places)

    def shown(self, card, seen):
        return card if seen else self.program.cards[card].back

    def watch(self, effect):
        for seat, events in enumerate(self.seen):
            match effect:
                case effects.Moved(card, source, _, target, _):
                    card = self.shown(card, self.looks(seat, source, target))
                    events.append(("move", source, target, card))
                case effects.Swapped(left, source, _, right, target, _):
                    seen = self.looks(seat, source, target)
                    both = self.shown(left, seen), self.shown(right, seen)
                    events.append(("swap", source, target, *both))
                case effects.Exchanged(left, right, mine, theirs):
                    cards = (mine, theirs) if self.looks(seat, left, right) else None
                    events.append(("exchange", left, right, cards))
                case effects.Shuffled(place, _, after):
                    cards = after if self.looks(seat, place) else None
                    events.append(("shuffle", place, cards))
                case effects.Stored(storage, owner, name, _, new):
                    new = new.awards if storage == "points" else new
                    events.append(("store", storage, owner, name, new))
                case effects.Remembered(card, place, _):
                    events.append(("remember", card, place))
                case effects.Forgot(card, place, _):
                    events.append(("forget", card, place))
                case effects.Turned(queue, _, new):
                    events.append(("queue" if queue else "cycle", new))

    def play(self, index, limits):
        option, where = self.built[index], self.world.where
        seat = Seat(self.world.players[-1].current)
        picked = [card for pick in option.picks for card in picked_cards(pick)]
        before = {card: where[card] for card in picked}
        machine.carry_out(self.world, option)
        for observer, events in enumerate(self.seen):
            content = content_of(
                option.branch,
                option.picks,
                lambda card, observer=observer: self.looks(observer, before[card], where[card]),
                lambda card: self.looks(seat, before[card]),
            )
            events.append(SeenDecision(seat, content))
        self.run_on(limits)

    def key(self, seat):
        return tuple(self.seen[seat])

    def at(self, state):
        """An oracle of a state that has the same past, at a decision."""
        found = Oracle.__new__(Oracle)
        found.program = self.program
        found.seen = [list(events) for events in self.seen]
        found.world = WatchedWorld.of(state._board.world().copy(), found.watch)
        found.built = machine.advance(found.world, state.game.limits)
        return found


def agree(pairs):
    """Whether keys are equal exactly where what was seen is."""
    keys, seen = {}, {}
    for key, events in pairs:
        assert keys.setdefault(key, events) == events
        assert seen.setdefault(events, key) == key


def followed(game, seeds, most, streams=2):
    """Random games on both engines: the keys of every seat, with what it has seen."""
    other = game.with_engine("interpreter")
    for seed in seeds:
        here, there, oracle = game.start(seed), other.start(seed), Oracle.of(game, seed)
        stream = Stream(seed % streams)
        for decision in range(most):
            for seat in range(game.players):
                key = here.information(seat)
                if decision % 4 == 0 or here.finished:
                    assert key == there.information(seat)
                yield (seat, key), (seat, oracle.key(seat))
            if here.finished:
                break
            choice = stream.below(here.option_count)
            here.play(choice)
            there.play(choice)
            oracle.play(choice, game.limits)


@pytest.mark.parametrize("name", some_games(library_names()))
def test_keys_are_those_of_what_was_seen(name):
    """Both engines have the same keys, which differ exactly where what was seen differs."""
    found = list(followed(NATIVE[name], usually((1, 2), (1, 2, 3)), 22))
    agree(found)
    assert {len(key) for (_, key), _ in found} == {16}


def test_every_sort_of_event_counts():
    """Of a game with all sorts of effects, picks and places."""
    game = Game.from_text(EVENTS)
    found = list(followed(game, range(usually(40, 80)), 12, 40))
    agree(found)
    words = {event[0] for _, (_, events) in found for event in events if isinstance(event, tuple)}
    assert words == {
        *("move", "swap", "exchange", "shuffle", "store", "remember", "forget", "queue"),
        *("turn", "end"),
    }


@settings(max_examples=usually(2, 6), suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 2**64 - 1))
def test_generated_games(text, seed):
    """The engines agree with each other, and with what was seen, in generated games."""
    game = Game.from_source(Source("generated", text), limits=GameLimits(300, 40))
    try:
        agree(list(followed(game, (seed, seed ^ 1), 8)))
    except GameError:
        return


@pytest.mark.parametrize("name", some_games(library_names()))
def test_worlds_that_a_seat_cannot_tell_apart(name):
    """A determinised state keeps the seat's key, for as long as the same happens there."""
    game = NATIVE[name]
    for seed in (4, 5):
        state, stream, oracle = game.start(seed), Stream(seed), Oracle.of(game, seed)
        for _ in range(6):
            if not state.finished:
                choice = stream.below(state.option_count)
                state.play(choice)
                oracle.play(choice, game.limits)
        if state.finished:
            continue
        for seat in range(game.players):
            mode = ("basic", "known", "consistent")[seat % 3]
            world = state.determinise(seat, stream, mode)
            assert world.information(seat) == state.information(seat)
            together(state.copy(), oracle.at(state), world, oracle.at(world), seat)


def together(state, oracle, world, other, seat):
    """Play on in a state and an imagined one, alike for a seat if that is possible."""
    for choice in (1, 2, 3, 0):
        if state.finished or world.finished:
            break
        state.play(choice % state.option_count)
        oracle.play(state.choices[-1], state.game.limits)
        for there in range(min(world.option_count, 20)):
            world.play(there)
            if world.information(seat) == state.information(seat):
                break
            world.undo()
        else:
            world.play(0)
        other.play(world.choices[-1], state.game.limits)
        equal = oracle.key(seat) == other.key(seat)
        assert (state.information(seat) == world.information(seat)) is equal
        if not equal:
            break


def sets_of(name, deals):
    """The number of different keys of the seat to decide, over all choices in some deals."""
    found = set()
    pending = list(deals)
    while pending:
        state = pending.pop()
        if state.finished:
            continue
        found.add((state.player, state.information(state.player)))
        for choice in range(state.option_count):
            after = state.copy()
            after.play(choice)
            pending.append(after)
    return len(found)


def deals_of(game, count):
    """States with all different orders of the cards, of which there are so many."""
    found = {}
    seed = 0
    while len(found) < count:
        state = game.start(seed)
        found.setdefault(state.position(), state)
        seed += 1
    return found.values()


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_kuhn_has_twelve_information_sets(engine):
    game = Game.load("kuhn", engine=engine)
    assert sets_of("kuhn", deals_of(game, 6)) == 12


def test_leduc_has_936_information_sets():
    """Those of OpenSpiel's leduc_poker; the order of cards that never come does not matter."""
    assert sets_of("leduc", deals_of(NATIVE["leduc"], 720)) == 936


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_what_is_shown_between_decisions_was_seen(engine):
    """A card that is shown and hidden again leaves the view as it was, but not the key."""
    text = """(game
     (setup (create players 1) (create deck (game hloc STOCK) (deck (VAL (A, B, C)))))
     (do ((shuffle (game hloc STOCK))
      (move (top (game hloc STOCK)) (top (game vloc OPEN)))
      (move (top (game vloc OPEN)) (bottom (game hloc STOCK)))))
     (choice ((turn pass))) (scoring max 0))"""
    game = Game.from_text(text, engine=engine)
    keys = {}
    for seed in range(30):
        state = game.start(seed)
        shown = state.cards(None, "hloc", "STOCK")[0].id
        keys.setdefault(shown, set()).add(state.information(0))
        assert state.view(0) == game.start(0).view(0)
    assert [len(found) for found in keys.values()] == [1, 1, 1]
    assert len(set.union(*keys.values())) == 3


def test_keys_go_along_with_copies_and_undo():
    """Wherever a state comes from, and however it got there, its keys are the same."""
    game = NATIVE["gofish"]
    state, stream = game.start(3), Stream(3)
    keys = [state.information(1)]
    for _ in range(70):
        state.play(stream.below(state.option_count))
        keys.append(state.information(1))
    assert len(set(keys)) == len(keys)
    twin, third = state.copy(), copy.deepcopy(state)
    for back in (1, 2, 60, 0, 7):
        twin.undo(back)
        assert twin.information(1) == keys[len(twin.choices)]
    assert third.information(1) == keys[-1]
    assert game.replay(3, state.choices).information(1) == keys[-1]
    third.undo(5)
    third.play((state.choices[65] + 1) % third.option_count)
    assert third.information(1) == game.replay(3, third.choices).information(1)
    assert third.information(1) not in keys
    assert state.information(1) == keys[-1]


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_pickled_states_keep_their_keys(engine):
    """Started and determinised states, once and again, before and after they are asked."""
    game = Game.load("hearts", engine=engine)
    state = game.replay(1, [0] * 9)
    world = state.determinise(2, Stream(1))
    world.play(0)
    deeper = world.determinise(1, Stream(2), "known")
    deeper.play(0)
    batched = Batch.of([state]).state(0) if engine == "native" else state
    for one in (state, world, deeper, batched):
        again = pickle.loads(pickle.dumps(one))
        for seat in range(4):
            assert again.information(seat) == one.information(seat)
        again.play(0)
        fresh = one.copy()
        fresh.play(0)
        assert again.information(3) == fresh.information(3)


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_other_seats_of_a_determinised_state_begin_anew(engine):
    """Their keys say what all have seen and what they see there, and nothing of the true cards."""
    game = Game.load("kuhn", engine=engine)
    found = {}
    for seed in range(12):
        state = game.replay(seed, [0])
        for draw in range(8):
            world = state.determinise(0, Stream(draw))
            assert world.information(0) == state.information(0)
            other = world.cards(1, "iloc", "HAND")[0].id
            found.setdefault((other,), set()).add(world.information(1))
            assert world.information(1) != state.information(1)
            world.play(1)
            found.setdefault((other, 1), set()).add(world.information(1))
    assert {len(keys) for keys in found.values()} == {1}
    assert len(found) == len(set.union(*found.values())) == 6


def test_states_of_batches_begin_with_what_is_seen():
    """Equal keys for equal views, and others for others; on they go as any state."""
    game = NATIVE["leduc"]
    states = [game.replay(seed, [1][: seed % 2]) for seed in range(40)]
    found = [Batch.of([state]).state(0) for state in states]
    for one, two in pairwise(found):
        for seat in range(2):
            views = (
                (view.locations, view.integers, view.strings, view.points, view.cycles)
                for view in (one.view(seat), two.view(seat))
            )
            first, second = views
            assert (one.information(seat) == two.information(seat)) is (first == second)
    before = found[0].information(0)
    found[0].play(1)
    assert found[0].information(0) != before


def test_games_that_compile_late():
    """The keys of a game that the interpreter plays until machine code pays are the same."""
    late = Game.load("leduc").late()
    state = late.start(5)
    twin = Game.load("leduc").start(5)
    for _ in range(2):
        assert state.information(0) == twin.information(0)
        state.play(0)
        twin.play(0)
    world = state.determinise(1, Stream(1))
    assert world.information(1) == twin.information(1)
    world.play(0)
    other = twin.determinise(1, Stream(1))
    other.play(0)
    assert world.information(1) == other.information(1)


@pytest.mark.parametrize("engine", ["native", "interpreter"])
def test_mistakes(engine):
    """A seat that does not exist; a game that broke a rule has no more keys until it is undone."""
    text = """(game (setup (create players 1) (create deck (game iloc STOCK) (deck (VAL (A, B)))))
     (choice ((turn pass) (turn pass)))
     (do ((repeat 3 (move (top (game iloc STOCK)) (top (game vloc OPEN))))))
     (scoring max 0))"""
    state = Game.from_text(text, engine=engine).start(1)
    with pytest.raises(IllegalOptionError, match="no seat 1"):
        state.information(1)
    key = state.information(0)
    with pytest.raises(GameError, match="no card"):
        state.play(0)
    with pytest.raises(GameError, match="no card"):
        state.information(0)
    state.undo()
    assert state.information(0) == key


DICE = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (VAL (A, B, C, D)))))
 (stage player (end (> (game sto TURNS) 5))
  (do ((inc (game sto TURNS))))
  (choice ((set (game sto N) (random 1 .. 3))
   (do ((set (game sto N) (+ (random 1 .. 3) (random 1 .. 2)))
    (move (top (game iloc STOCK)) (top (game vloc OPEN)))
    (move (top (game vloc OPEN)) (top (game iloc STOCK)))))
   (shuffle (game iloc STOCK))))
  (do ((set (game sto M) (random 1 .. 2)))))
 (scoring max (game sto N)))"""
BY_HAND = {
    **{name: NATIVE[name] for name in ("leduc", "hearts", "cribbage", "gofish", "blackjack")},
    "dice": Game.from_text(DICE),
}


@pytest.mark.parametrize("name", mostly_deep(BY_HAND, {"leduc", "gofish", "dice"}.__contains__))
def test_chance_by_hand_has_the_keys_of_the_seed(name, monkeypatch):
    """A game whose draws are taken as a seed has them is seen like the game of the seed."""
    game = BY_HAND[name]
    for seed in (1, 2):
        state, stream = game.start(seed), Stream(seed)
        by_hand = Seeded(game, seed, monkeypatch)
        keys = ChanceKeys(by_hand)
        for _ in range(10):
            for seat in range(game.players):
                assert keys.of(seat) == state.information(seat)
            if state.finished:
                break
            choice = stream.below(state.option_count)
            state.play(choice)
            by_hand.play(choice)


class ChanceKeys:
    """The keys of a game by hand, by the outcomes that it has taken."""

    def __init__(self, played):
        self.played = played

    def of(self, seat):
        state = self.played.state.game.start_chance()
        for step in self.played.state._steps:
            if step >= 0:
                state.play(step)
            else:
                state.take_chance(-1 - step)
        return state.information(seat)


def test_kuhn_by_hand_has_twelve_information_sets():
    """Over all draws and choices; what is drawn unseen makes no difference to a seat."""
    found, pending = set(), [Game.load("kuhn").start_chance()]
    while pending:
        state = pending.pop()
        if state.finished:
            continue
        if state.chance is None:
            found.add((state.player, state.information(state.player)))
        for step in range(len(state.chance) if state.chance else state.option_count):
            after = state.copy()
            if state.chance:
                after.take_chance(step)
            else:
                after.play(step)
            pending.append(after)
    assert len(found) == 12


def test_keys_by_hand_go_along():
    """With undo, copies, pickles and determinised states, whose seats keep theirs."""
    state = Game.load("leduc").start_chance()
    with pytest.raises(ChanceError, match="a draw is due"):
        state.information(0)
    stream = Stream(1)

    def go_on(state):
        if state.chance is None:
            state.play(state.option_count - 1)
        while state.chance is not None:
            state.take_chance(stream.below(len(state.chance)))

    go_on(state)
    while state.chance is not None:
        state.take_chance(0)
    keys = [state.information(1)]
    before = state.copy()
    steps = len(state._steps)
    go_on(state)
    keys.append(state.information(1))
    world = state.determinise(1, Stream(3))
    assert world.information(1) == keys[1]
    assert world.information(0) != state.information(0)
    go_on(world)
    for one in (state, world, before):
        again = pickle.loads(pickle.dumps(one))
        assert [again.information(seat) for seat in (0, 1)] == [
            one.information(seat) for seat in (0, 1)
        ]
    state.undo(len(state._steps) - steps)
    assert [state.information(1), before.information(1)] == [keys[0]] * 2


def test_actions_made_so_far_count_for_the_seat_that_makes_them():
    """Of an option that takes several actions; the others see it once it is chosen."""
    game, found, seen = Game.load("scopa"), set(), 0
    for seed in range(8):
        state = game.start(seed)
        while not state.finished and len(state.choices) < 12:
            seat, before = state.player, [state.information(seat) for seat in range(2)]
            for action in state.legal_actions():
                other = state.copy()
                other.play_action(action)
                if other.pending:
                    seen += 1
                    found.add(other.information(seat))
                    assert other.information(seat) != before[seat]
                    assert other.information(1 - seat) == before[1 - seat]
                    other.undo_action()
                    assert other.information(seat) == before[seat]
            state.play(0)
    assert len(found) == seen > 3
