"""The closed typed program: all that an engine needs to know about a game."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.cards import Card, CardId, OwnerId, Seat
from cardwright.program.deals import deal_stage
from cardwright.program.rounds import Rounds

if TYPE_CHECKING:
    from typing import Any

    from cardwright.program.constants import Constant
    from cardwright.program.extent.extent import Extent
    from cardwright.syntax.source import Source, Span


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared constant: its value in this program, and the one that the file gives it.

    A declared location of the table has no value to override: both are None.
    """

    name: str
    span: Span
    value: Constant | None
    default: Constant | None


@dataclass(frozen=True, slots=True)
class Deck:
    """One deck laid on a location during set-up: its cards from bottom to top."""

    location: n.Node
    cards: tuple[CardId, ...]


@dataclass(frozen=True)
class Program:
    """A game whose every form is understood and every size known.

    `teams` lists the seats of each team in the order written. `base` is the number by which the
    file calls its first player and team, 0 or 1; `forced_base` says that the user chose it. `slots`
    is the number of variables. `absent` has the attributes of cards that exist only with other
    constants. `labels` are the blocks that are labelled, with what their labels say.
    """

    source: Source
    declared: tuple[Declared, ...]
    players: int
    teams: tuple[tuple[Seat, ...], ...]
    cards: tuple[Card, ...]
    decks: tuple[Deck, ...]
    items: tuple[n.Node, ...]
    highest_wins: bool
    score: n.Node
    base: int
    slots: int
    forced_base: bool = False
    absent: tuple[dict[str, str], ...] = ()
    labels: tuple[tuple[n.Node, tuple[str | n.Node, ...]], ...] = ()

    @property
    def table(self) -> OwnerId:
        """The table as an owner; it comes after the players and the teams."""
        return OwnerId(self.players + len(self.teams))

    def members(self, owner: OwnerId) -> tuple[Seat, ...]:
        """Return the seats behind an owner: a player's own, those of a team, none of the table."""
        if owner < self.players:
            return (Seat(owner),)
        return self.teams[owner - self.players] if owner < self.table else ()

    def owner_name(self, owner: OwnerId) -> str:
        """Return an owner's name for people: p1, t1 (counted from 1) or game."""
        if owner < self.players:
            return f"p{owner + 1}"
        if owner < self.table:
            return f"t{owner - self.players + 1}"
        return "game"

    @cached_property
    def owner_names(self) -> tuple[str, ...]:
        """The names of all owners for people: players, teams, then the table."""
        return tuple(self.owner_name(OwnerId(owner)) for owner in range(self.table + 1))

    def nodes(self) -> tuple[n.Node, ...]:
        """Return every node of the program's decks, items and scoring."""
        return self._nodes

    @cached_property
    def _nodes(self) -> tuple[n.Node, ...]:
        parts = (*(deck.location for deck in self.decks), *self.items, self.score)
        return tuple(node for part in parts for node in n.walk(part))

    def label(self, node: n.Node) -> tuple[str | n.Node, ...]:
        """Return what a node's label says: texts and forms; nothing for one without a label."""
        return self._labels.get(id(node), ())

    @cached_property
    def _labels(self) -> dict[int, tuple[str | n.Node, ...]]:
        return {id(node): parts for node, parts in self.labels}

    @cached_property
    def rounds(self) -> Rounds:
        """The loops whose rounds are counted."""
        return Rounds(self)

    @cached_property
    def has_deals(self) -> bool:
        """Whether the game has deals that can be recognised."""
        return deal_stage(self) is not None

    @cached_property
    def extent(self) -> Extent:
        """How far games can go, as far as that is proved; the proof takes up to some seconds."""
        from cardwright.program.extent.extent import extent_of

        return extent_of(self)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is derived from the rest, or keyed by the identity of nodes."""
        derived = {"rounds", "extent", "digest", "_nodes", "_labels"}
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    @cached_property
    def digest(self) -> str:
        """A hash of the text, the declared values and the numbering, which determine the game."""
        content = repr((self.source.text, [(d.name, d.value) for d in self.declared], self.base))
        return hashlib.sha256(content.encode()).hexdigest()
