"""Flow: the moves of cards between locations, counted over one rollout or many."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from cardwright.game.errors import CardwrightError
from cardwright.syntax.data_files import parse_json

FORMAT = "cardwright-flow"
VERSION = 1

TABLE = "table"
"""The name of the owner of the table's locations; players are p1, p2..., teams t1, t2..."""

KINDS = ("VISIBLE", "INVISIBLE", "HIDDEN", "OTHERS", "MEMORY")
"""The kinds of location, as named in diagrams."""


class FlowError(CardwrightError):
    """A flow that cannot be read, or flows that cannot be added."""


class Openness(StrEnum):
    """Who sees the cards of a location: all, some, nobody; or it only refers to cards."""

    PUBLIC = "public"
    PRIVATE = "private"
    HIDDEN = "hidden"
    COPY = "copy"


class OpennessChange(StrEnum):
    """How the openness of a card changes when it moves from one location to another."""

    NONE = "none"
    SHOWN = "shown"
    TAKEN = "taken"
    SHARED = "shared"


class Spot(NamedTuple):
    """A location: owner and kind as text, its name, and `at`, the index among those of one name."""

    owner: str
    kind: str
    name: str
    at: int = 0

    @property
    def id(self) -> str:
        """A name for programs, such as `p1_INVISIBLE_HAND_0`."""
        return f"{self.owner}_{self.kind}_{self.name}_{self.at}"

    @property
    def openness(self) -> Openness:
        """Who sees the cards here.

        An INVISIBLE location is seen by the player that owns it, and OTHERS by all except its
        owner; those of the table, and an INVISIBLE one of a team, are seen by nobody.
        """
        match self.kind:
            case "VISIBLE":
                return Openness.PUBLIC
            case "MEMORY":
                return Openness.COPY
            case "INVISIBLE" if self.owner.startswith("p"):
                return Openness.PRIVATE
            case "OTHERS" if self.owner != TABLE:
                return Openness.PRIVATE
        return Openness.HIDDEN

    def order(self) -> tuple[int, int, str, int, int]:
        """Return a key to sort by: the table, the players, the teams; by name, kind and index."""
        group, number = 0, 0
        if self.owner != TABLE:
            group, number = ("p", "t").index(self.owner[0]) + 1, int(self.owner[1:])
        return group, number, self.name, KINDS.index(self.kind), self.at


Way: TypeAlias = "tuple[Spot, Spot]"
"""The source and the target of a card's move, or of a copy that went to a memory location."""


def change(source: Spot, target: Spot) -> OpennessChange:
    """Return how the openness of a card changes by a move.

    `SHOWN`: to a public location, from any. `TAKEN`: from a public one to any that
    is not. `SHARED`: from a private one to one that others see, or to the table's hidden ones.
    """
    before, after = source.openness, target.openness
    if after is Openness.COPY:
        return OpennessChange.NONE
    if after is Openness.PUBLIC:
        return OpennessChange.SHOWN
    if before is Openness.PUBLIC:
        return OpennessChange.TAKEN
    if before is Openness.PRIVATE:
        if after is Openness.PRIVATE and (source.owner, source.kind) != (target.owner, target.kind):
            return OpennessChange.SHARED
        if after is Openness.HIDDEN and target.owner == TABLE:
            return OpennessChange.SHARED
    return OpennessChange.NONE


class Count(NamedTuple):
    """How many cards moved so in all games together, and in how many games at least one did."""

    cards: int
    games: int


@dataclass(frozen=True)
class Flow:
    """The moves of cards between locations, over a number of games of one kind.

    `places` gives every location that held a card with the number of games in which it did; `decks`
    are those where cards are created; `ways` has the pairs of locations between which at least one
    card moved, never from a location to itself. All are sorted. `broken` counts games that broke a
    rule of the language, which are not counted otherwise.
    """

    game: str
    games: int
    decks: tuple[Spot, ...]
    places: tuple[tuple[Spot, int], ...]
    ways: tuple[tuple[Way, Count], ...]
    broken: int = 0

    @classmethod
    def of(  # noqa: PLR0917 - the parts of a flow, in its own order
        cls,
        game: str,
        games: int,
        decks: set[Spot],
        places: Counter[Spot],
        cards: Counter[Way],
        seen: Counter[Way],
        broken: int = 0,
    ) -> Flow:
        """Return a flow with its parts in order; `seen` counts the games, `cards` the cards."""
        return cls(
            game,
            games,
            tuple(sorted(decks, key=Spot.order)),
            tuple((spot, places[spot]) for spot in sorted(places, key=Spot.order)),
            tuple((way, Count(cards[way], seen[way])) for way in sorted(cards, key=_order)),
            broken,
        )

    def __add__(self, other: Flow) -> Flow:
        """Return the flow over the games of both; raises FlowError for two kinds of game."""
        if self.game != other.game:
            raise FlowError(
                f"the flows of {self.game} and {other.game} cannot be added up: name one game"
            )
        counts = Counter[Way](), Counter[Way]()
        for way, count in (*self.ways, *other.ways):
            for total, more in zip(counts, count, strict=True):
                total[way] += more
        return Flow.of(
            self.game,
            self.games + other.games,
            {*self.decks, *other.decks},
            Counter(dict(self.places)) + Counter(dict(other.places)),
            *counts,
            self.broken + other.broken,
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each move: both locations, the change of openness, cards and games."""
        return [
            {
                **{f"source_{name}": value for name, value in source._asdict().items()},
                **{f"target_{name}": value for name, value in target._asdict().items()},
                "change": str(change(source, target)),
                **count._asdict(),
            }
            for (source, target), count in self.ways
        ]

    def text(self) -> str:
        """Return this as JSON, which `read` reads; the same flow gives the same text."""
        data = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "games": self.games,
            "broken": self.broken,
            "decks": self.decks,
            "places": [[*spot, games] for spot, games in self.places],
            "ways": [[*source, *target, *count] for (source, target), count in self.ways],
        }
        lines = [f"  {json.dumps(name)}: {_listed(value)}" for name, value in data.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @classmethod
    def read(cls, text: str, name: str = "the flow") -> Flow:
        """Return the flow in a text; raises FlowError for anything else.

        `name` is the name of the text in messages.
        """
        try:
            data = parse_json(text)
            if data["format"] != FORMAT:
                raise ValueError(f"its format is {data['format']!r}")
            if data["version"] != VERSION:
                raise FlowError(
                    f"{name} is of version {data['version']}, and this program reads version "
                    f"{VERSION}: use a newer Cardwright, or record it again"
                )
            ways = [((_spot(row[:4]), _spot(row[4:8])), Count(*row[8:])) for row in data["ways"]]
            return cls.of(
                str(data["game"]),
                int(data["games"]),
                {_spot(row) for row in data["decks"]},
                Counter({_spot(row[:4]): int(row[4]) for row in data["places"]}),
                Counter({way: int(count.cards) for way, count in ways}),
                Counter({way: int(count.games) for way, count in ways}),
                int(data["broken"]),
            )
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise FlowError(
                f"{name} is not a recorded flow ({type(error).__name__}: {error}): record it again"
            ) from None


def _order(way: Way) -> tuple[tuple[int | str, ...], ...]:
    return tuple(spot.order() for spot in way)


def _listed(value: Any) -> str:
    """Return JSON with a line for each item of a list."""
    if not isinstance(value, list | tuple) or not value:
        return json.dumps(value)
    return "[\n" + ",\n".join(f"    {json.dumps(item)}" for item in value) + "\n  ]"


def _spot(row: list[Any]) -> Spot:
    owner, kind, name, at = row
    spot = Spot(str(owner), str(kind), str(name), int(at))
    known = spot.owner == TABLE or (spot.owner[:1] in {"p", "t"} and spot.owner[1:].isdigit())
    if not known or spot.kind not in KINDS:
        raise ValueError(f"there is no location {spot.id}")
    return spot
