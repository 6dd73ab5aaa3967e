"""Effect replay: games replayed effect by effect, for how cards flow and who knows them.

Only the interpreter knows the effects of a choice. Since a seed and the choices give the same game
on any engine, a game played by any of them can be replayed here.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from math import lgamma, log
from typing import TYPE_CHECKING

from cardwright.arena.referee import referee_game
from cardwright.game.errors import CardwrightError, GameError
from cardwright.game.flow import TABLE, Flow, Spot
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.whereabouts import Awareness, Backs, Sight, Whereabouts
from cardwright.interpreter import machine
from cardwright.interpreter.effects import Exchanged, Moved, Remembered, Swapped
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault, sees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeAlias

    from cardwright.game.game import Game
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.players.player import Player
    from cardwright.program.cards import Location
    from cardwright.program.program import Program

    Rollout: TypeAlias = "tuple[int, Sequence[int] | None]"
    """A game: its seed, and the options chosen; None if all seats choose at random."""


class ChoicesError(CardwrightError):
    """Choices that are not those of a whole game of these rules from this seed."""


class Follower:
    """An observer of a game that is replayed."""

    def begin(self, world: World) -> None:
        """See the world after the set-up, before its first item."""

    def watch(self, effect: Effect, world: World) -> None:
        """See an effect right after it happened."""

    def decision(self, world: World) -> None:
        """See the world at a decision, before it is made."""


class EffectReplay:
    """A game prepared to be replayed many times."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._rules = Rules(game.program)

    def rollout(self, rollout: Rollout, follower: Follower) -> None:
        """Replay a game to its end.

        Random choices are those of the player `random`. Raises GameError if the game breaks a rule,
        and ChoicesError if the choices do not fit.
        """
        game, (seed, choices) = self.game, rollout
        streams = [Stream.of_seat(seed, seat) for seat in range(game.players)]
        chosen: list[int] = []
        try:
            started = machine.start(self._rules, seed)
            follower.begin(started)
            world = WatchedWorld.of(started, lambda effect: follower.watch(effect, world))
            while options := machine.advance(world, game.limits):
                follower.decision(world)
                if choices is None:
                    chosen.append(streams[world.players[-1].current].below(len(options)))
                elif len(chosen) == len(choices):
                    raise self._misfit(seed, f"after {len(choices)} choices the game goes on")
                else:
                    chosen.append(int(choices[len(chosen)]))
                if not 0 <= chosen[-1] < len(options):
                    raise self._misfit(
                        seed, f"choice {len(chosen)} is {chosen[-1]}, of {len(options)} options"
                    )
                machine.carry_out(world, options[chosen[-1]])
        except Fault as fault:
            raise GameError(fault, game.program, game.name, seed, chosen) from None
        if choices is not None and len(chosen) < len(choices):
            raise self._misfit(seed, f"the game ends after {len(chosen)} of {len(choices)} choices")

    def _misfit(self, seed: int, reason: str) -> ChoicesError:
        return ChoicesError(
            f"{self.game.name}, seed {seed}: the choices are not those of a whole game: {reason}; "
            "take the rules and the settings with which they were recorded"
        )


def at_random(seeds: Iterable[int]) -> Iterator[Rollout]:
    """Yield games of these seeds in which all seats choose at random."""
    for seed in seeds:
        yield seed, None


def played(
    game: Game, seeds: Iterable[int], players: Callable[[], Sequence[Player]]
) -> Iterator[Rollout]:
    """Yield games played by players, which `players` makes anew for each game.

    A game that breaks a rule is yielded with the choices so far: replaying it raises GameError.
    """
    for seed in seeds:
        record = referee_game(game, seed, players())
        yield seed, record.choices


def recorded(folder: str | Path) -> Iterator[Rollout]:
    """Yield the games of a finished run whose detail is `games` or `decisions`.

    Games that broke a rule are left out. Raises RecordsError if these records cannot be had.
    """
    from cardwright.arena.records import read_table

    for part in read_table(folder, "games").iter_slices(_SLICE):
        for seed, choices, error in part.select("seed", "choices", "error").iter_rows():
            if error is None:
                yield seed, choices


_SLICE = 1_000
"""Games whose choices are converted to Python integers at a time."""


def record_flow(game: Game, rollouts: Iterable[Rollout]) -> Flow:
    """Replay games to their ends, and return the flow over all of them.

    Rollouts come from `at_random(seeds)`, from `played` by players, or from those `recorded` by a
    run. They are taken one by one; memory grows with the game's locations, not with the rollouts. A
    game that breaks a rule is only counted; if all do, the GameError of the last is raised. The
    engine of the game does not matter: games are replayed by the interpreter.
    """
    counts = FlowCounts(game)
    for rollout in rollouts:
        counts.add(rollout)
    return counts.flow()


class FlowCounts:
    """The flow over games that are replayed one by one."""

    def __init__(self, game: Game) -> None:
        self._replay = EffectReplay(game)
        self._spot = cache(partial(spot_of, game.program))
        self._games = self._broken = 0
        self._decks: set[Spot] = set()
        self._places: Counter[Spot] = Counter()
        self._cards: Counter[tuple[Spot, Spot]] = Counter()
        self._seen: Counter[tuple[Spot, Spot]] = Counter()
        self._error: GameError | None = None

    def add(self, rollout: Rollout) -> None:
        """Replay a game, and count how its cards move."""
        trace = _Trace(self._spot)
        try:
            self._replay.rollout(rollout, trace)
        except GameError as error:
            self._error = error
            self._broken += 1
            return
        self._games += 1
        self._decks |= trace.decks
        self._places.update(trace.places)
        self._cards.update(trace.cards)
        self._seen.update(trace.cards.keys())

    def flow(self) -> Flow:
        """Return the flow so far; if all games broke a rule, the error of the last is raised."""
        if self._error is not None and not self._games:
            raise self._error
        counts = self._decks, self._places, self._cards, self._seen
        return Flow.of(self._replay.game.name, self._games, *counts, self._broken)


class _Trace(Follower):
    """The flow of one game: cards by way, the places that held any, and where decks began."""

    def __init__(self, spot: Callable[[Location], Spot]) -> None:
        self._spot = spot
        self.cards: Counter[tuple[Spot, Spot]] = Counter()
        self.places: set[Spot] = set()
        self.decks: set[Spot] = set()

    def begin(self, world: World) -> None:
        self.decks = {self._spot(pile.location) for pile in world.touched() if pile.cards}
        self.places |= self.decks

    def watch(self, effect: Effect, world: World) -> None:
        match effect:
            case Moved(source=source, target=target):
                self._went(source, target)
            case Swapped(left_place=left, right_place=right):
                self._went(left, right)
                self._went(right, left)
            case Exchanged(left=left, right=right):
                self._went(right, left, len(world.pile(left).cards))
                self._went(left, right, len(world.pile(right).cards))
            case Remembered(card=card, target=target):
                self._went(world.where[card], target)

    def _went(self, source: Location, target: Location, cards: int = 1) -> None:
        if source != target and cards:
            there = self._spot(target)
            self.cards[self._spot(source), there] += cards
            self.places.add(there)


def spot_of(program: Program, place: Location) -> Spot:
    """Return a location as flows write it."""
    owner = TABLE if place.owner == program.table else program.owner_name(place.owner)
    return Spot(owner, place.kind.name, place.name, place.at)


def record_awareness(game: Game, rollouts: Iterable[Rollout]) -> Iterator[Awareness]:
    """Replay games to their ends, and yield for each what its seats knew at every decision.

    Only the visibility of locations counts; what the choices of others reveal, such as that
    somebody cannot follow suit, does not. A seat *sees* a card that lies where it can look. It
    *knows* any other card that can be in one place only, given all the moves that it saw, or saw
    happen (`cardwright.game.whereabouts`); at first all seats know which cards lie where, though
    not in which order.

    How uncertain a seat is, in bits, is the logarithm to base 2 of the number of ways in which the
    cards that it does not see can be spread over the places that it does not see. Each place keeps
    its number of cards of each back, and the order within a place does not count. With n(l, b) such
    cards of back b at place l, and N(b) = sum over l of n(l, b):

        bits = sum over b of log2( N(b)! / product over l of n(l, b)! )

    `remembered` is the same without the cards whose place the seat knows. It is an upper bound of
    the uncertainty of a seat that forgets nothing, which may rule out arrangements for other
    reasons. Rollouts are as in `record_flow`. Raises GameError for a game that breaks a rule.
    """
    follow = EffectReplay(game)
    backs = Backs(game.program)
    cards = tuple(game.namer.card(card) for card in game.cards)
    for rollout in rollouts:
        watcher = _Watcher(game.program, backs)
        follow.rollout(rollout, watcher)
        yield watcher.awareness(cards)


class _Watcher(Follower):
    """What the seats of one game know, as it proceeds."""

    def __init__(self, program: Program, backs: Backs) -> None:
        self._program = program
        self._backs = backs
        self._whereabouts = Whereabouts(program, backs)
        self._movers: list[int] = []
        self._rows: list[list[tuple[float, float, list[Sight]]]] = []

    def begin(self, world: World) -> None:
        self._whereabouts.look_at(world)

    def watch(self, effect: Effect, world: World) -> None:
        self._whereabouts.watch(effect, world)

    def decision(self, world: World) -> None:
        self._movers.append(world.players[-1].current)
        seats = range(self._program.players)
        self._rows.append([self._aware(world, seat) for seat in seats])

    def _aware(self, world: World, seat: int) -> tuple[float, float, list[Sight]]:
        places = set(world.where)
        seen = {place: sees(self._program, seat, place) for place in places}
        masks = self._whereabouts.concluded(seat)
        sights = [
            Sight.SEEN if seen[place] else Sight.UNKNOWN if mask & (mask - 1) else Sight.KNOWN
            for place, mask in zip(world.where, masks, strict=True)
        ]
        unseen = [card for card, sight in enumerate(sights) if sight is not Sight.SEEN]
        unknown = [card for card in unseen if sights[card] is Sight.UNKNOWN]
        return self._bits(world, unseen), self._bits(world, unknown), sights

    def _bits(self, world: World, cards: Sequence[int]) -> float:
        by_back: dict[int, dict[object, int]] = {}
        for card in cards:
            counts = by_back.setdefault(self._backs.of[card], {})
            counts[world.where[card]] = counts.get(world.where[card], 0) + 1
        return sum(ways_in_bits(list(counts.values())) for counts in by_back.values())

    def awareness(self, cards: tuple[str, ...]) -> Awareness:
        """Return what was seen as arrays."""
        import numpy as np

        shape = len(self._rows), self._program.players
        flat = [cell for row in self._rows for cell in row]
        return Awareness(
            cards,
            np.array(self._movers, np.int8),
            np.array([bits for bits, _, _ in flat], np.float64).reshape(shape),
            np.array([bits for _, bits, _ in flat], np.float64).reshape(shape),
            np.array([sights for _, _, sights in flat], np.uint8).reshape(*shape, len(cards)),
        )


def ways_in_bits(sizes: Sequence[int]) -> float:
    """Return log2 of the number of ways to spread different cards over places of these sizes."""
    if len(sizes) < 2:
        return 0.0
    return (lgamma(sum(sizes) + 1) - sum(lgamma(size + 1) for size in sizes)) / log(2)
