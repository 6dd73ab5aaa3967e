"""The closed typed program: all that an engine needs to know about a game.

Labels, the words that an author gives an option, stand in its tree only until it is complete. Then
they are kept beside it, so that engines and analyses see a game without labels.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from cardwright.program import nodes as n
from cardwright.program.cards import Card, CardId, OwnerId, Seat
from cardwright.program.constants import folded, folded_steps
from cardwright.program.expansion import Labelled
from cardwright.program.kinds import ValueKind
from cardwright.program.known_values import KnownValues, is_own_hand
from cardwright.program.limits import FEW_ROUNDS, FEW_WITHIN
from cardwright.program.rounds import Counts, Rounds
from cardwright.syntax.diagnostic import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cardwright.program.constants import Constant
    from cardwright.syntax.diagnostic import Diagnostics
    from cardwright.syntax.source import Source, Span

    Parts: TypeAlias = tuple[str | n.Node, ...]


def deal_stage(items: Iterable[n.Node]) -> n.Stage | None:
    """Return the stage of which a turn is a deal, among the items of a game.

    None if it has none that can be recognised.

    It is the first stage of the game's own items in which players choose, and of which every turn
    begins with a deal: before its first choice or inner stage it shuffles, and then moves cards in
    a loop over all players, both whatever the state.
    """
    for item in items:
        if isinstance(item, n.Stage) and any(isinstance(node, n.Choice) for node in n.walk(item)):
            return item if _begins_with_a_deal(item) else None
    return None


def _begins_with_a_deal(stage: n.Stage) -> bool:
    shuffled = False
    steps = [*reversed(stage.items)]
    while steps:
        match step := steps.pop():
            case n.Choice() | n.Stage() | n.Fork():
                return False
            case n.Do(steps=inner):
                steps += reversed(inner)
            case n.Let(body=body):
                steps.append(body)
            case n.Shuffle():
                shuffled = True
            case _ if shuffled and not isinstance(step, n.When) and _serves_everyone(step):
                return True
    return False


def _serves_everyone(step: n.Node) -> bool:
    for loop in n.walk(step):
        match loop:
            case n.ForEach(collection=n.Everyone(others=False), body=body):
                if any(isinstance(node, n.Move) for node in n.walk(body)):
                    return True
    return False


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared constant: its value in this program, and the one that the file gives it.

    A declared location of the table has no value to override: both are None. `span` is the name's
    place, and `written` that of the value.
    """

    name: str
    span: Span
    written: Span
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
    labels: tuple[tuple[n.Node, Parts], ...] = ()

    @property
    def table(self) -> OwnerId:
        """The table as an owner; it comes after the players and the teams."""
        return OwnerId(self.players + len(self.teams))

    @cached_property
    def shared_score(self) -> bool:
        """Whether all of several players always have one score: the scoring asks not for whom."""
        return self.players > 1 and not any(
            node.traits.draws
            or (
                n.StatePart.TURNS in node.traits.reads
                and not (isinstance(node, n.Everyone) and not node.others)
            )
            for node in n.walk(self.score)
        )

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

    @cached_property
    def binders(self) -> dict[int, n.Node]:
        """The form that binds each variable, by its slot."""
        return {one.slot: node for node in self._nodes if (one := n.binds(node)) is not None}

    def bound_to(self, variable: n.Variable) -> n.Node:
        """Return the form that a variable denotes, or over which it iterates."""
        return n.bound_form(self.binders[variable.slot])

    def label(self, node: n.Node) -> Parts:
        """Return what a node's label says: texts and forms; nothing for one without a label."""
        return self._labels.get(id(node), ())

    @cached_property
    def _labels(self) -> dict[int, Parts]:
        return {id(node): parts for node, parts in self.labels}

    @cached_property
    def rounds(self) -> Rounds:
        """The loops whose rounds are counted."""
        return self.rounds_beyond(FEW_ROUNDS, FEW_WITHIN)

    def rounds_beyond(self, few: int, few_within: int) -> Rounds:
        """Return the loops with more than a few rounds, and those within them."""
        counts = Counts(self.players, len(self.teams), len(self.cards))
        return Rounds((*self.items, self.score), self.binders, counts, few, few_within)

    @cached_property
    def has_deals(self) -> bool:
        """Whether the game has deals that can be recognised."""
        return deal_stage(self.items) is not None

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is derived from the rest, or keyed by the identity of nodes."""
        derived = {"rounds", "digest", "binders", "_nodes", "_labels"}
        return {name: value for name, value in self.__dict__.items() if name not in derived}

    @cached_property
    def digest(self) -> str:
        """A hash of the text, the declared values and the numbering, which determine the game."""
        content = repr((self.source.text, [(d.name, d.value) for d in self.declared], self.base))
        return hashlib.sha256(content.encode()).hexdigest()


def fold_constants(program: Program) -> Program:
    """Return the program without the steps and stages that its constants rule out."""
    return replace(
        program, items=folded_steps(tuple(map(folded, program.items))), score=folded(program.score)
    )


def unlabelled(program: Program, report: Diagnostics | None = None) -> Program:
    """Return a program without labels in its tree: a labelled step is a block of its own.

    A label is left out if it may say what the choosing player does not see; it is then reported.
    """
    nodes = program.nodes()
    if not any(isinstance(node, Labelled) for node in nodes):
        return program
    taken = _LabelRemover(program.binders)
    if report is not None:
        for choice in nodes:
            for step in choice.steps if isinstance(choice, n.Choice) else ():
                taken.report(step, report)
    items = tuple(map(taken.out, program.items))
    return replace(program, items=items, labels=tuple(taken.labels))


class _LabelRemover(KnownValues):
    """Takes labels out of a tree, and keeps those that say nothing hidden with their blocks.

    What is known is what the choosing player knows.
    """

    def __init__(self, binders: Mapping[int, n.Node]) -> None:
        super().__init__(binders)
        self.labels: list[tuple[n.Node, Parts]] = []
        self._step: n.Node | None = None

    def report(self, step: n.Node, report: Diagnostics) -> None:
        """Note the labels in a step of a choice that are left out."""
        self._step = step
        for label in n.walk(step):
            for part in label.parts if isinstance(label, Labelled) else ():
                if isinstance(part, n.Node) and not self._may_be_said(part):
                    report.add(
                        Code.HIDDEN_CARD,
                        part.span,
                        "this label is left out, as it may tell of a card that the choosing "
                        "player cannot see",
                        help="say only what follows from open cards, the player's own hand and "
                        "what it picks",
                    )
        self._step = None

    def out(self, node: n.Node) -> n.Node:
        """Return a node without the labels in it; the very same one if it has none."""
        if isinstance(node, Labelled):
            block = n.Do(node.kind, node.span, (self.out(node.body),))
            if all(isinstance(part, str) or self._may_be_said(part) for part in node.parts):
                self.labels.append((block, node.parts))
            return block

        def change(inner: n.Node) -> n.Node:
            if isinstance(node, n.Choice):
                self._step = inner
            return self.out(inner)

        return n.rebuilt(node, change)

    # What the choosing player knows ---------------------------------------------------------

    def _may_be_said(self, part: n.Node) -> bool:
        """Return whether a part may be said; an unseen card in a variable is said by its place."""
        if isinstance(part, n.Variable) and part.kind is ValueKind.CARD:
            return True
        return self.knows(part)

    def sees(self, node: n.Place | n.Indexed) -> bool:
        """Return whether the choosing player sees the cards of a location."""
        return super().sees(node) or (
            is_own_hand(node)
            and self._step is not None
            and not any(isinstance(part, n.Cycle) and not part.queue for part in n.walk(self._step))
        )
