"""Recording of flow: it replays rollouts and counts how their cards move between locations."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cardwright.arena.effect_replay import EffectReplay
from cardwright.game.errors import GameError
from cardwright.game.flow import TABLE, Flow, Spot
from cardwright.interpreter.effects import Exchanged, Moved, Remembered, Swapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cardwright.arena.effect_replay import Rollout
    from cardwright.game.game import Game
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Location
    from cardwright.program.program import Program


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
