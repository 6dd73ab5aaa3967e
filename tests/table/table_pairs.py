"""Pairs of games that a seat, or a spectator, cannot tell apart.

The second game is the first with cards in each other's places from the first shuffle on: cards that
the eyes never see. Every choice of it is one that looks the same to them. That it does is not the
table's opinion, but follows from `State.information`: the keys of what was seen are equal.
"""

from __future__ import annotations

import json
import random
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from cardwright.arena.plan import GameRef
from cardwright.game.errors import GameError
from cardwright.interpreter import effects as fx, machine
from cardwright.interpreter.stream import Stream
from cardwright.table.commands import TableCommands
from cardwright.table.setup import HUMAN, TableSetup
from cardwright.table.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.game.game import Game, State
    from cardwright.interpreter.effects import Effect
    from cardwright.interpreter.world import World
    from cardwright.table.narrator import Eyes

_TRIES = 40
"""Most options of the second game that are tried for one of the first."""

ref_of = cache(lambda name: GameRef.of(name, engine="interpreter"))
game_of = cache(lambda name: ref_of(name).load())


class SwappingStream(Stream):
    """A stream whose shuffles put cards into each other's places."""

    places: Mapping[int, int] = {}

    def shuffle(self, items: Any) -> None:
        """Permute a list, and then the cards that change places, if all of them are in it."""
        super().shuffle(items)
        if self.places.keys() <= set(items):
            items[:] = [self.places.get(item, item) for item in items]

    def copy(self) -> Stream:
        """Return a stream that gives the same draws."""
        return swapping(self, self.places)


def swapping(stream: Stream, places: Mapping[int, int]) -> SwappingStream:
    """Return a stream that draws like another."""
    made = SwappingStream.__new__(SwappingStream)
    made.words, made.places = stream.words, places
    return made


@contextmanager
def swapped(places: Mapping[int, int]) -> Iterator[None]:
    """Let all games that begin meanwhile have cards in each other's places."""
    start = machine.start

    def started(rules: Any, seed: int) -> World:
        world = start(rules, seed)
        world.stream = swapping(world.stream, places)
        return world

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "start", started)
        yield


def table_of(name: str, seed: int, **settings: Any) -> Table:
    """Return a table of people."""
    setup = TableSetup.of_players(ref_of(name), seed, [HUMAN] * game_of(name).players)
    for key, value in settings.items():
        object.__setattr__(setup, key, value)
    return Table(setup, game=game_of(name))


def text(answer: object) -> str:
    """Return what is sent, to the byte."""
    return json.dumps(answer, sort_keys=True, allow_nan=False)


@dataclass
class Pair:
    """Two games, with the choices of each so far, that `eyes` cannot tell apart."""

    game: Game
    seed: int
    eyes: Eyes
    places: Mapping[int, int]
    first: list[int]
    second: list[int]

    @property
    def differs(self) -> bool:
        """Whether they are two games."""
        return bool(self.places) or self.first != self.second


def never_seen(table: Table, eyes: Eyes) -> list[int]:
    """Return the cards of a game that eyes have not seen so far."""
    program, referee = table.game.program, table.referee
    seen: set[int] = set()

    def look(effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case fx.Moved(card, source, _, target, _):
                    places, cards = (source, target), {card}
                case fx.Swapped(left, source, _, right, target, _):
                    places, cards = (source, target), {left, right}
                case fx.Exchanged(source, target, left, right):
                    places, cards = (source, target), {*left, *right}
                case fx.Shuffled(source, _, after):
                    places, cards = (source,), {*after}
                case fx.Remembered(card, source, _):
                    places, cards = (source,), {card}
                case _:
                    continue
            if any(eyes.see(program, place) for place in places):
                seen.update(cards)

    look(referee.opening)
    for ply in table._audience.past:
        look(ply.option.effects)
        look(ply.effects)
    for pile in referee.world.touched():
        if eyes.see(program, pile.location):
            seen.update(pile.cards)
    return [card.id for card in program.cards if card.id not in seen]


def key_of(state: State, eyes: Eyes) -> bytes:
    """Return the key of what eyes have seen of a game."""
    if eyes.seat is not None:
        return state.information(eyes.seat)
    return state._followed().key(state.game.players)


def pair(name: str, seed: int, eyes: Eyes, length: int) -> Pair:
    """Return two games of so many choices at most, which may be the same if all is seen."""
    game, chances = game_of(name), random.Random(f"{name} {seed} {eyes}")
    choices = _played(game, seed, length, chances)
    found = Pair(game, seed, eyes, {}, [], [])
    for end in (length, length // 3, 2):
        table = table_of(name, seed)
        for choice in choices[:end]:
            table.choose(table.due or 0, table.number, choice)
        again = _attempt(found, choices[:end], _permuted(table, eyes, chances), chances)
        if len(again.first) > len(found.first) or (again.differs and not found.differs):
            found = again
        if len(found.first) == len(choices[:end]) and found.differs:
            break
    return found


def _played(game: Game, seed: int, length: int, chances: random.Random) -> list[int]:
    state, choices = game.start(seed), list[int]()
    try:
        while len(choices) < length and not state.finished:
            choices.append(chances.randrange(state.option_count))
            state.play(choices[-1])
    except GameError:
        choices.pop()
    return choices


def _permuted(table: Table, eyes: Eyes, chances: random.Random) -> dict[int, int]:
    """Return cards that eyes have not seen, each with another of the same back."""
    backs: dict[str, list[int]] = {}
    for card in never_seen(table, eyes):
        backs.setdefault(table.game.cards[card].back, []).append(card)
    cards = max(backs.values(), key=len, default=[])
    moved = cards.copy()
    chances.shuffle(moved)
    return {a: b for a, b in zip(cards, moved, strict=True) if a != b}


def _attempt(
    pair: Pair, choices: list[int], places: dict[int, int], chances: random.Random
) -> Pair:
    """Return the games as far as both go on alike."""
    game, seed, eyes = pair.game, pair.seed, pair.eyes
    one = game.start(seed)
    keys = [key_of(one, eyes)]
    for choice in choices:
        one.play(choice)
        keys.append(key_of(one, eyes))
    with swapped(places):
        other = game.start(seed)
        made: list[int] = []
        if key_of(other, eyes) != keys[0]:
            keys, places = keys[:1], {}
        for choice, key in zip(choices, keys[1:], strict=False):
            after = _alike(other, key, choice, eyes, chances)
            if after is None:
                break
            other = after
            made.append(other.choices[-1])
    return Pair(game, seed, eyes, places, choices[: len(made)], made)  # none, if it began otherwise


def _alike(
    state: State, key: bytes, choice: int, eyes: Eyes, chances: random.Random
) -> State | None:
    """Return a state after a choice that looks like one of another game, if there is one."""
    count = state.option_count
    tried = [choice] if choice < count else []
    if state.player != eyes.seat:
        others = [option for option in range(count) if option != choice]
        tried = chances.sample(others, min(_TRIES, len(others))) + tried
    for option in tried:
        after = state.copy()
        try:
            after.play(option)
        except GameError:
            continue
        if key_of(after, eyes) == key:
            return after
    return None


def same_options(one: Table, other: Table, eyes: Eyes) -> bool:
    """Return whether the seat has the same options, where they may depend on hidden cards."""
    if one.due != eyes.seat:
        return True
    mine, others = one.referee.state().contents(), other.referee.state().contents()
    return bool(mine == others)


def seen_by(handler: TableCommands, who: int | str, since: int = 0) -> str:
    """Return all that is sent to somebody now, and what is answered to what it may ask."""
    told = handler.handle({"do": "look", "who": who, "since": since})
    if told["scene"]["over"]:  # which tells everybody everything
        told["scene"]["over"] = {"scores": told["scene"]["over"]["scores"]}
    asked = []
    if isinstance(who, int):
        number = handler.table.number
        asked += [
            {"do": "why", "seat": who, "card": face["id"]} for face in told["scene"]["hand"][:2]
        ]
        asked += [{"do": "agree", "seat": who, "yes": True}]
        if handler.table.due != who:
            forged = {"do": "choose", "seat": who, "number": number}
            asked += [forged | {"option": option} for option in (0, 1, 10**6)]
        early = told["scene"]["early"]
        later = number + 1 if early is None else early["decision"]["number"]
        asked += [
            {"do": "choose", "seat": who, "number": later, "option": 0},
            {"do": "look", "who": who, "since": since},
            {"do": "reconsider", "seat": who, "number": later},
        ]
    return text([told, list(map(handler.handle, asked))])


def compare(found: Pair, who: int | str, **settings: Any) -> int:
    """Check that both games look the same at every decision; return at how many."""
    name, seed = found.game.name, found.seed
    one = TableCommands(table_of(name, seed, **settings))
    with swapped(found.places):
        other = TableCommands(table_of(name, seed, **settings))
    for number in range(len(found.first) + 1):
        if not same_options(one.table, other.table, found.eyes):
            return number
        last = number == len(found.first)
        since = 0 if last else number - 1
        mine, others = seen_by(one, who, max(0, since)), seen_by(other, who, max(0, since))
        assert mine == others, f"{name}, seed {seed}, {who}, after {number}: {found}"
        if not last:
            for handler, choices in ((one, found.first), (other, found.second)):
                handler.table.choose(handler.table.due or 0, number, choices[number])
    return len(found.first) + 1
