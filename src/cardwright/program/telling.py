"""What the rules tell about hidden cards, besides where cards go and what is chosen.

A value that is stored, a player whose turn it is, a loop that takes more rounds: all see them, and
they may depend on cards that somebody does not see. In Hanabi the clue "these are red" stores a
word for every red card. In most games nothing of the kind happens: there all that is known of
hidden cards is in what moves and in what is chosen (`cardwright.game.information.tracker`).

A form tells where an action, or what decides whether it happens, reads attributes, points or the
identity of cards that lie where somebody does not see them. What is left out tells nothing new:
cards that the same block moves to where all see them; what happens before the first shuffle, when
all is known, and after the last choice of the game or of a deal; the conditions of options, which
the tracker reads; and that the owner of a card is next, as games let its holder begin with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.program import deal_stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.program import Program
    from cardwright.syntax.source import Span


class Telling(NamedTuple):
    """A form that may tell something of hidden cards, and what of it all see."""

    span: Span
    what: str


def tellings(program: Program) -> tuple[Telling, ...]:
    """Return the forms that may tell something of hidden cards, in the order of the rules."""
    if program.players < 2:
        return ()
    found = _Finder(program)
    found.items(_until_choices(program.items))
    return tuple(found.tellings)


def _until_choices(items: Sequence[n.Node]) -> Sequence[n.Node]:
    """Return the items up to the last in which players choose: what comes then helps nobody."""
    chosen = [any(isinstance(node, n.Choice) for node in n.walk(item)) for item in items]
    return items[: max((at + 1 for at, has in enumerate(chosen) if has), default=0)]


class _Finder:
    """Goes through the rules in the order in which they are carried out."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.tellings: list[Telling] = []
        self._shuffled = False
        self._deals = deal_stage(program.items)
        self._shown: set[int] = set()

    # Steps --------------------------------------------------------------------------------

    def items(self, items: Iterable[n.Node]) -> None:
        for item in items:
            match item:
                case n.Stage(end=end, items=inner):
                    self._test(end, "when a stage ends")
                    self.items(_until_choices(inner) if item is self._deals else inner)
                case n.Fork(test=test):
                    self._test(test, "which part of the game is played")
                    self.items(item.ways)
                case n.Choice(steps=steps):
                    self._shuffled = True  # from here on nothing is known before the game
                    for step in steps:
                        _, rest = n.links(step)
                        self._shown = self._shown_in(rest)
                        self._step(rest, told=False)
                case _:
                    self._shown = self._shown_in(item)
                    self._step(item, told=False)

    def _step(self, node: n.Node, *, told: bool) -> None:
        """Look at a step; `told` says that hidden cards decide whether it happens."""
        match node:
            case n.Shuffle():
                self._shuffled = True
            case n.Do(steps=steps):
                for step in steps:
                    self._step(step, told=told)
            case n.When(test=test, body=body):
                self._step(body, told=told or self._reads(test))
            case n.ForEach(collection=collection, body=body):
                self._step(body, told=told or self._reads(collection))
            case n.Let(body=body):
                self._step(body, told=told)
            case n.Repeat(count=count, action=action):
                self._step(action, told=told or self._reads(count))
            case n.RepeatAll(action=action):
                self._step(action, told=told)
            case n.Action():
                self._action(node, told=told)

    def _action(self, node: n.Action, *, told: bool) -> None:
        match node:
            case n.Set(value=value, storage=storage):
                self._note(node, "a stored value", told or self._reads(value, storage))
            case n.SetPoints():
                self._note(node, "stored points", told or self._reads(node))
            case n.Increase(amount=amount, storage=storage):
                parts = (storage,) if amount is None else (amount, storage)
                self._note(node, "a stored number", told or self._reads(*parts))
            case n.Cycle(player=n.OwnerOf()):
                pass
            case n.Cycle(player=player):
                self._note(node, "whose turn it is", told or self._reads(player))
            case n.Move(card=card, target=target):
                picked = not self._is_shown(card) and self._reads(card)
                self._note(node, "a move", told or picked or self._reads(target))
            case n.Swap() | n.Remember() | n.Forget():
                self._note(node, "a move", told or self._reads(node))

    def _test(self, test: n.Node, what: str) -> None:
        self._note(test, what, self._reads(test))

    def _note(self, node: n.Node, what: str, told: bool) -> None:
        if told and self._shuffled:
            self.tellings.append(Telling(node.span, what))

    # Cards --------------------------------------------------------------------------------

    def _reads(self, *forms: n.Node) -> bool:
        """Return whether a form depends on which cards lie where somebody does not see them."""
        return any(self._reads_hidden(node) for form in forms for node in n.walk(form))

    def _reads_hidden(self, node: n.Node) -> bool:
        match node:
            case n.Attribute(card=card) | n.Score(card=card) | n.OwnerOf(card=card):
                return self._is_hidden(card)
            case n.Equal(left=left, right=right) if left.kind is ValueKind.CARD:
                return self._is_hidden(left) or self._is_hidden(right)
            case n.Partition(parts=parts):
                return any(map(self._is_hidden, parts))
            case n.Variable():
                source = self._program.binders.get(node.slot)
                value = source.value if isinstance(source, n.Let) else None
                plain = value is not None and value.kind in {ValueKind.INTEGER, ValueKind.STRING}
                return plain and value is not None and self._reads(value)
        match node:
            case (
                n.Sum(location=cards) | n.ExtremeScore(location=cards) | n.BestCard(location=cards)
                | n.Runs(location=cards) | n.Tuples(location=cards) | n.EndRun(location=cards)
                | n.Sort(location=cards)
            ):  # fmt: skip
                return self._is_hidden(cards)
        return False

    def _is_hidden(self, source: n.Node) -> bool:
        """Return whether cards are from where somebody does not see them."""
        match source:
            case n.Variable():
                if source.slot in self._shown:
                    return False
                return self._is_hidden(self._program.bound_to(source))
            case n.Place(place=kind):
                return kind not in OPEN_KINDS and not self._is_own_alone(source)
            case n.Indexed(place=kind):
                return kind not in OPEN_KINDS
        return any(self._is_hidden(child) for child in n.children(source))

    def _is_own_alone(self, place: n.Place) -> bool:
        return place.place is LocationKind.INVISIBLE and self._program.players == 1

    def _is_shown(self, card: n.Node) -> bool:
        held = card.location if isinstance(card, n.End) else card
        return isinstance(held, n.Variable) and held.slot in self._shown

    def _shown_in(self, block: n.Node) -> set[int]:
        """Return the variables whose cards a block moves to where all see them."""
        found: set[int] = set()
        for node in n.walk(block):
            match node:
                case n.Move(
                    card=n.Variable(slot=slot) | n.End(location=n.Variable(slot=slot)),
                    target=target,
                ) if _is_open(target):
                    found.add(slot)
        while True:
            more = {
                source.slot
                for slot in found
                if isinstance(binder := self._program.binders[slot], n.ForEach)
                and isinstance(source := binder.collection, n.Variable)
            }
            if more <= found:
                return found
            found |= more


def _is_open(target: n.Node) -> bool:
    location = getattr(target, "location", target)
    return isinstance(location, n.Place) and location.place in OPEN_KINDS
