"""Effect replay: games replayed effect by effect, for how cards flow and who knows them."""

from __future__ import annotations

from collections import Counter
from math import lgamma, log
from typing import TYPE_CHECKING

import numpy as np

from cardwright.arena.records import read_table
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
    from typing import Protocol, TypeAlias

    from cardwright.game.game import Game
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.players.player import Player
    from cardwright.program.cards import Location
    from cardwright.program.program import Program

    Rollout: TypeAlias = "tuple[int, Sequence[int] | None]"
    """A game: its seed, and the options chosen; None if all seats choose at random."""

    class Follower(Protocol):
        """An observer of a game that is replayed."""

        def begin(self, world: World) -> None:
            """See the world after the set-up, before its first item."""

        def watch(self, effect: Effect, world: World) -> None:
            """See an effect right after it happened."""

        def decision(self, world: World) -> None:
            """See the world at a decision, before it is made."""


class ChoicesError(CardwrightError):
    """Choices that are not those of a whole game of these rules from this seed."""


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
        seed, choices = rollout
        chosen: list[int] = []
        try:
            self._play(seed, choices, follower, chosen)
        except Fault as fault:
            game = self.game
            raise GameError(fault, game.program, game.name, seed, chosen) from None

    def _play(
        self, seed: int, choices: Sequence[int] | None, follower: Follower, chosen: list[int]
    ) -> None:
        limits = self.game.limits
        started = machine.start(self._rules, seed)
        follower.begin(started)
        world = WatchedWorld.of(started, lambda effect: follower.watch(effect, world))
        streams = [Stream.of_seat(seed, seat) for seat in range(self.game.players)]
        while built := machine.advance(world, limits):
            follower.decision(world)
            if choices is None:
                index = streams[world.players[-1].current].below(len(built))
            else:
                index = self._recorded(seed, choices, len(chosen), len(built))
            chosen.append(index)
            machine.carry_out(world, built[index])
        if choices is not None and len(chosen) < len(choices):
            raise self._misfit(seed, f"the game ends after {len(chosen)} of {len(choices)} choices")

    def _recorded(self, seed: int, choices: Sequence[int], at: int, count: int) -> int:
        if at == len(choices):
            raise self._misfit(seed, f"after {at} choices the game goes on")
        if not 0 <= choices[at] < count:
            raise self._misfit(seed, f"choice {at + 1} is {choices[at]}, of {count} options")
        return int(choices[at])

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
    for part in read_table(folder, "games").iter_slices(_SLICE):
        for seed, choices, error in part.select("seed", "choices", "error").iter_rows():
            if error is None:
                yield seed, choices


_SLICE = 1_000
"""Games whose choices are converted to Python integers at a time."""


def record_flow(game: Game, rollouts: Iterable[Rollout]) -> Flow:
    """Replay games to their ends, and return the flow over all of them.

    See `arena.effect_replay` for where rollouts come from: `at_random(seeds)`, `played` by
    players, or `recorded` by a run. They are taken one by one; memory grows with the game's
    locations, not with the rollouts. A game that breaks a rule is only counted; if all do, the
    GameError of the last is raised. The engine of the game does not matter: games are replayed by
    the interpreter.
    """
    follow = EffectReplay(game)
    total = _Totals(game)
    error: GameError | None = None
    for rollout in rollouts:
        trace = _Trace()
        try:
            follow.rollout(rollout, trace)
        except GameError as one:
            error = one
            total.broken += 1
        else:
            total.add(trace)
    if error is not None and not total.games:
        raise error
    return total.flow()


class _Trace:
    """The flow of one game: cards by way, the places that held any, and where decks began."""

    def __init__(self) -> None:
        self.cards: Counter[tuple[Location, Location]] = Counter()
        self.places: set[Location] = set()
        self.decks: set[Location] = set()

    def begin(self, world: World) -> None:
        self.decks = {pile.location for pile in world.touched() if pile.cards}
        self.places |= self.decks

    def decision(self, world: World) -> None:
        pass

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
            self.cards[source, target] += cards
            self.places.add(target)


class _Totals:
    """The sums over games so far."""

    def __init__(self, game: Game) -> None:
        self.games = 0
        self.broken = 0
        self._game = game
        self._decks: set[Location] = set()
        self._places: Counter[Location] = Counter()
        self._cards: Counter[tuple[Location, Location]] = Counter()
        self._seen: Counter[tuple[Location, Location]] = Counter()

    def add(self, trace: _Trace) -> None:
        self.games += 1
        self._decks |= trace.decks
        self._places.update(trace.places)
        self._cards.update(trace.cards)
        self._seen.update(trace.cards.keys())

    def flow(self) -> Flow:
        program = self._game.program
        spots = {place: spot_of(program, place) for place in self._places}
        return Flow.of(
            self._game.name,
            self.games,
            {spots[place] for place in self._decks},
            Counter({spots[place]: count for place, count in self._places.items()}),
            Counter({(spots[a], spots[b]): count for (a, b), count in self._cards.items()}),
            Counter({(spots[a], spots[b]): count for (a, b), count in self._seen.items()}),
            self.broken,
        )


def spot_of(program: Program, place: Location) -> Spot:
    """Return a location as flows write it."""
    owner = TABLE if place.owner == program.table else program.owner_name(place.owner)
    return Spot(owner, place.kind.name, place.name, place.at)


def record_awareness(game: Game, rollouts: Iterable[Rollout]) -> Iterator[Awareness]:
    """Replay games to their ends, and yield for each what its seats knew at every decision.

    See `arena.effect_replay` for where rollouts come from. Raises GameError for a game that breaks
    a rule.
    """
    follow = EffectReplay(game)
    backs = Backs(game.program)
    cards = tuple(game.namer.card(card) for card in game.cards)
    for rollout in rollouts:
        watcher = _Watcher(game.program, backs)
        follow.rollout(rollout, watcher)
        yield watcher.awareness(cards)


class _Watcher:
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
        shape = len(self._rows), self._program.players
        flat = [one for row in self._rows for one in row]
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
