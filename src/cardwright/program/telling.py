"""What the rules tell about hidden cards, besides where cards go and what is chosen.

A value that is stored, a player whose turn it is, a loop that takes more rounds: all see them, and
they may depend on cards that somebody does not see. In Hanabi the clue "these are red" stores a
word for every red card. In most games nothing of the kind happens: there all that is known of
hidden cards is in what moves and in what is chosen (`cardwright.game.information.tracker`).

A form tells where an action, or what decides whether it happens, reads attributes, points or the
identity of cards that lie where somebody does not see them. What is left out tells nothing new:
cards that the same block moves to where all see them; what happens before the first shuffle, when
all is known, and after the last choice of the game or of a deal; and that the owner of a card is
next, as games let its holder begin with it.

The options of a choice tell something too. That a place has none of some cards the tracker finds
out, and that it has one which is picked and seen. Anything else that options show tells: that there
is another card besides, or which cards form a group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.cards import OPEN_KINDS, LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.program import deal_stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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
    return tuple(dict.fromkeys(found.tellings))


def _until_choices(items: Sequence[n.Node]) -> Sequence[n.Node]:
    """Return the items up to the last in which players choose: what comes then helps nobody.

    Nor does what one player chooses alone at the end.
    """
    chosen = [any(isinstance(node, n.Choice) for node in n.walk(item)) for item in items]
    last = max((at for at, has in enumerate(chosen) if has), default=-1)
    return items[: last if last >= 0 and _is_alone(items[last]) else last + 1]


def _is_alone(item: n.Node) -> bool:
    """Return whether all turns of a stage are one player's."""
    return isinstance(item, n.Stage) and any(
        isinstance(step, n.Cycle) and step.queue and _is_current(step.player)
        for inner in item.items
        if isinstance(inner, n.Do)
        for step in inner.steps
    )


def _is_current(player: n.Node) -> bool:
    return isinstance(player, n.TurnOwner) and player.turn is n.Turn.CURRENT


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
                    self._circles(item)
                    self.items(_until_choices(inner) if item is self._deals else inner)
                case n.Fork(test=test):
                    self._test(test, "which part of the game is played")
                    self.items(item.ways)
                case n.Choice(steps=steps):
                    self._shuffled = True  # from here on nothing is known before the game
                    for step in steps:
                        links, rest = n.links(step)
                        self._options(links, rest)
                        self._shown = self._shown_in(rest)
                        self._step(rest, told=False)
                case _:
                    self._shown = self._shown_in(item)
                    self._step(item, told=False)

    def _options(self, links: Sequence[n.Node], rest: n.Node) -> None:
        """Look at which options there are, of which the one that is chosen tells."""
        self._shown = set()
        whole = self._shown_in(rest, whole=True)
        for link in links:
            match link:
                case n.When(test=test):
                    self._note(link, "what can be chosen", not self._follows(test, links))
                case n.ForEach(collection=collection, variable=variable):
                    shows = variable.slot in whole or not self._reads(collection)
                    self._note(collection, "what can be chosen", not shows)

    def _lacks(self, test: n.Node, *, negated: bool = False) -> bool:
        """Return whether a test tells no more of hidden cards than which ones a place lacks."""
        match test:
            case _ if not self._reads(test):
                return True
            case n.Not(test=inner):
                return self._lacks(inner, negated=not negated)
            case n.Logic(tests=tests, every=every):
                if every == negated and sum(map(self._reads, tests)) > 1:
                    return False  # one of several holds, and nobody sees which
                return all(self._lacks(inner, negated=negated) for inner in tests)
            case n.Quantifier(every=every):
                return every != negated
        return False

    def _follows(self, test: n.Node, links: Sequence[n.Node], *, negated: bool = False) -> bool:
        """Return whether a test tells no more than that a picked card passes it."""
        if self._lacks(test, negated=negated):
            return True
        match test:
            case n.Not(test=inner):
                return self._follows(inner, links, negated=not negated)
            case n.Logic(tests=tests, every=every) if every != negated:
                return all(self._follows(inner, links, negated=negated) for inner in tests)
            case n.Quantifier(collection=collection, test=inner, every=every) if every == negated:
                wanted = self._text(collection), self._meaning(inner, negated=negated)
                return any(
                    isinstance(link, n.ForEach)
                    and isinstance(picked := link.collection, n.Filter)
                    and (self._text(picked.collection), self._meaning(picked.test)) == wanted
                    for link in links
                )
        return False

    def _meaning(self, test: n.Node, *, negated: bool = False) -> tuple[str, ...]:
        """Return texts that are the same for conditions that mean the same, or their opposites."""
        match test:
            case n.Not(test=inner):
                return self._meaning(inner, negated=not negated)
            case n.Equal(left=left, right=right):
                equal = test.negated == negated
                return "==" if equal else "!=", self._text(left), self._text(right)
        return str(negated), self._text(test)

    def _text(self, node: n.Node) -> str:
        return self._program.source.text[node.span.start : node.span.end]

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

    def _circles(self, stage: n.Stage) -> None:
        """Look for cards that come back to where players choose them in secret.

        The tracker knows for each card where it may lie, and not how many of some went the same
        way.
        """
        nodes = list(n.walk(stage))
        if any(isinstance(node, n.Shuffle) for node in nodes):
            return
        ways = [
            (self._hidden_places(node.card), self._hidden_places(node.target))
            for node in nodes
            if isinstance(node, n.Move)
        ]
        for move in _chosen_moves(nodes):
            reached = self._hidden_places(move.target)
            while more := frozenset().union(
                *(end - reached for start, end in ways if start & reached)
            ):
                reached |= more
            self._note(move, "a move", bool(self._hidden_places(move.card) & reached))

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
                return isinstance(source, n.Let) and self._reads(source.value)
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

    def _hidden_places(self, source: n.Node) -> frozenset[str]:
        """Return the names of the places in a form that somebody does not see."""
        match source:
            case n.Variable():
                return self._hidden_places(self._program.bound_to(source))
            case n.Place(place=kind, name=n.Text(value=name)) if kind not in OPEN_KINDS:
                return frozenset({name})
        return frozenset().union(*map(self._hidden_places, n.children(source)))

    def _is_own_alone(self, place: n.Place) -> bool:
        return place.place is LocationKind.INVISIBLE and self._program.players == 1

    def _is_shown(self, card: n.Node) -> bool:
        held = card.location if isinstance(card, n.End) else card
        return isinstance(held, n.Variable) and held.slot in self._shown

    def _shown_in(self, block: n.Node, *, whole: bool = False) -> set[int]:
        """Return the variables whose cards a block moves to where all see them, or `whole` ones."""
        found: set[int] = set()
        for node in n.walk(block):
            match node:
                case n.Move(card=n.Variable(slot=slot), target=target) if _is_open(target):
                    found.add(slot)
                case n.RepeatAll(
                    action=n.Move(card=n.End(location=n.Variable(slot=slot)), target=target)
                ) if _is_open(target):
                    found.add(slot)
                case n.Move(card=n.End(location=n.Variable(slot=slot)), target=target) if (
                    not whole and _is_open(target)
                ):
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


def _chosen_moves(nodes: Iterable[n.Node]) -> Iterator[n.Move]:
    """Yield the moves of cards that players pick."""
    for choice in nodes:
        for step in choice.steps if isinstance(choice, n.Choice) else ():
            _, rest = n.links(step)
            for move in n.walk(rest):
                if isinstance(move, n.Move) and isinstance(move.card, n.Variable):
                    yield move


def _is_open(target: n.Node) -> bool:
    location = getattr(target, "location", target)
    return isinstance(location, n.Place) and location.place in OPEN_KINDS
