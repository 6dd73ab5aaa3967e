"""Steps in sentences about rules, as clauses: `each player is dealt 7 cards`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.condition_words import ConditionWords
from cardwright.authoring.rule_difference.value_words import mentions
from cardwright.program import nodes as n
from cardwright.program.expansion import Labelled
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable

_STOCKS = frozenset({"STOCK", "DECK", "TALON", "DRAWPILE"})
"""Names of the table's locations from which cards are dealt."""

_MOST_STEPS = 3
"""Most steps of a block that a sentence tells; the others are counted."""


class StepWords(ConditionWords):
    """Says what happens in steps, choices and stages."""

    def deed(self, node: n.Node) -> str:
        """Return what a step does, as a clause without its full stop."""
        match node:
            case n.Do():
                return self._series(map(self.deed, node.steps)) or "nothing happens"
            case n.When():
                return f"if {self.clause(node.test)}, {self.deed(node.body)}"
            case n.ForEach():
                return self._for_each(node)
            case n.Let():
                return self._let(node)
            case Labelled():
                return self.deed(node.body)
            case n.Choice():
                who = "the player chooses"
                return f"{who}: {self._series(map(self.option, node.steps), ', or ')}"
            case n.Stage():
                who = "teams take turns" if node.team else "players take turns"
                return f"{who} until {self.clause(node.end)}"
            case n.Fork():
                other = f", and otherwise {self.deed(node.otherwise)}" if node.otherwise else ""
                return f"if {self.clause(node.test)}, {self.deed(node.item)}{other}"
            case n.Repeat():
                return self._repeat(node)
            case n.RepeatAll():
                return self._all_cards(node.action)
        return self._action(node)

    def _series(self, texts: Iterable[str], between: str = "; ") -> str:
        told = list(texts)
        if len(told) > _MOST_STEPS + 1:
            more = len(told) - _MOST_STEPS
            told = [*told[:_MOST_STEPS], f"and {more} more"]
        return between.join(told)

    def _for_each(self, node: n.ForEach) -> str:
        item, over = self.item(node.collection, node.variable)
        body = node.body
        if node.choose:
            with self.calling(node.variable, self._any(node.collection, node.variable)):
                return self.deed(body)
        plain = isinstance(body, n.Action) and isinstance(node.collection, n.Everyone)
        if plain and mentions(body, node.variable):
            with self.calling(node.variable, item):
                return self.deed(body)
        whole = self._whole(node)
        if whole:
            return whole
        name = self.own_name(node.variable)
        head = f"for each {name}" if isinstance(node.collection, n.Everyone) else f"for each {over}"
        with self.calling(node.variable, name):
            return f"{head}: {self.deed(body)}"

    def _whole(self, node: n.ForEach) -> str:
        """Return what happens to all cards of a collection at once."""
        match node.body:
            case n.Move(card=n.Variable(slot=slot), target=target) if (
                slot == node.variable.slot and not mentions(target, node.variable)
            ):
                return f"{self._cards_of(node.collection)} go to {self.target(target)}"
        return ""

    def _cards_of(self, collection: n.Node) -> str:
        text = self.value(collection)
        return text if "cards" in text else f"all cards of {text}"

    def _any(self, collection: n.Node, variable: n.Variable) -> str:
        """Return what is chosen from a collection."""
        match collection:
            case n.Everyone():
                who = "team" if collection.kind & ValueKind.TEAMS else "player"
                return f"any {'other ' if collection.others else ''}{who}"
            case n.Filter() if collection.kind & ValueKind.LOCATION:
                text = self.value(collection).removeprefix("the cards of ")
                return f"a card of {text}"
            case n.Range():
                return (
                    f"a number from {self.value(collection.low)} to {self.value(collection.high)}"
                )
            case n.Strings() | n.Subsets() | n.Partition() | n.Tuples() | n.Runs():
                return f"one of {self.value(collection)}"
        if collection.kind & ValueKind.LOCATION:
            return f"a card of {self.value(collection)}"
        return f"one of {self.value(collection)}"

    def _let(self, node: n.Let) -> str:
        """Return what is done with a value, which is said where it is used if that is once."""
        if mentions(node.body, node.variable) == 1:
            with self.calling(node.variable, self.value(node.value)):
                return self.deed(node.body)
        name = self.own_name(node.variable)
        with self.calling(node.variable, name):
            return f"{self.deed(node.body)} (where {name} is {self.value(node.value)})"

    # Cards --------------------------------------------------------------------------------

    def _repeat(self, node: n.Repeat) -> str:
        count = self.value(node.count)
        match node.action:
            case n.Move(card=n.End() as card, target=target):
                number = node.count.value if isinstance(node.count, n.Number) else 2
                if isinstance(node.count, n.Arithmetic) and not count.isdecimal():
                    moved = self._moved("cards", card, target, several=True)
                    return f"{moved}, as many as {count}"
                cards = f"{count} {'card' if number == 1 else 'cards'}"
                return self._moved(cards, card, target, several=number != 1)
        return f"{count} times: {self.deed(node.action)}"

    def _moved(self, cards: str, card: n.End, target: n.Node, *, several: bool) -> str:
        """Return that so many cards from the end of a location go elsewhere."""
        source = card.location
        match source, target:
            case (
                n.Place(owner=n.Table(), name=n.Text(value=name)),
                n.End(location=n.Place(owner=owner) as place),
            ) if name in _STOCKS and not isinstance(owner, n.Table):
                if self.place_noun(place) == "hand":
                    return f"{self.owner(owner)} is dealt {cards}"
        end = "" if card.top else "from the bottom "
        go = "go" if several else "goes"
        return f"{cards} {end}of {self.value(source)} {go} to {self.target(target)}"

    def _all_cards(self, action: n.Node) -> str:
        match action:
            case n.Move(card=n.End(location=source), target=target):
                return f"all cards of {self.value(source)} go to {self.target(target)}"
            case n.Forget(card=n.End(location=source)):
                return f"all cards of {self.value(source)} are forgotten"
        return f"for all cards: {self.deed(action)}"

    def target(self, node: n.Node) -> str:
        """Return where a card goes."""
        match node:
            case n.End(top=True):
                return self.value(node.location)
            case n.End():
                return f"the bottom of {self.value(node.location)}"
        return f"the place of {self.value(node)}"

    # Actions ------------------------------------------------------------------------------

    def _action(self, node: n.Node) -> str:
        match node:
            case n.Move(card=n.End(top=True) as card, target=target):
                text = self._moved("a card", card, target, several=False)
                if "is dealt" in text:
                    return text
                return f"{self.value(card)} goes to {self.target(target)}"
            case n.Move():
                return f"{self.value(node.card)} goes to {self.target(node.target)}"
            case n.Remember():
                return f"{self.value(node.card)} is remembered in {self.target(node.target)}"
            case n.Forget():
                return f"{self.value(node.card)} is forgotten"
            case n.Swap():
                return f"{self.value(node.left)} and {self.value(node.right)} change places"
            case n.Shuffle():
                return f"{self.value(node.location)} is shuffled"
            case n.Set():
                return self._set(node)
            case n.SetPoints():
                return f"the values in {self.map_name(node.storage)} are set"
            case n.Increase():
                way = "up" if node.sign > 0 else "down"
                amount = self.value(node.amount) if node.amount is not None else "1"
                return f"{self.subject(node.storage, 'goes')} {way} by {amount}"
            case n.Cycle(queue=True):
                return f"the next turn is that of {self.owner(node.player)}"
            case n.Cycle():
                return f"the turn goes to {self.owner(node.player)}"
            case n.Pass():
                return "nothing happens"
        return self.code(node)

    def _set(self, node: n.Set) -> str:
        if isinstance(node.storage, n.Storage) and isinstance(node.value, n.Number | n.Text):
            fact = self._fact(node.storage, node.value)
            if fact:
                return f"from now on {fact}"
        if isinstance(node.storage, n.Storage) and self.is_player(node.storage):
            who = self._player_number(node.value)
            return f"{self.stored(node.storage)} is now {who}"
        return f"{self.subject(node.storage, 'becomes')} {self.value(node.value)}"

    def _player_number(self, node: n.Node) -> str:
        """Return the player whose number a value is."""
        if isinstance(node, n.NumberOf):
            return self.owner(node.owner)
        if isinstance(node, n.Number) and node.value < self.version.program.base:
            return "nobody"
        return f"player {self.value(node)}"

    def option(self, node: n.Node) -> str:
        """Return what an option of a choice lets the player do, as a verb with its objects."""
        raise NotImplementedError
