"""Values in sentences about rules: numbers, cards, and collections of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.name_words import NameWords
from cardwright.game.errors import override_text
from cardwright.game.wording.naming import plain_word
from cardwright.game.wording.phrases import listed, plural
from cardwright.program import nodes as n
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIGNS = {
    n.Operator.ADD: "+",
    n.Operator.SUBTRACT: "−",
    n.Operator.MULTIPLY: "×",
    n.Operator.DIVIDE: "÷",
    n.Operator.REMAINDER: "modulo",
    n.Operator.POWER: "to the power of",
}
_COUNTABLE = ("the numbers", "the groups", "groups", "all runs", "the longest runs", "the subsets")
_SETS = {
    n.SetOperation.UNION: "{} together",
    n.SetOperation.INTERSECT: "the cards that are in all of {}",
    n.SetOperation.DISJUNCTION: "the cards that are in one only of {}",
}


class ValueWords(NameWords):
    """Says values: what a form stands for, as a noun."""

    def value(self, node: n.Node) -> str:
        """Return a value in words; forms without words as they are written."""
        name = self.version.constant(node)
        if name is not None:
            return name
        match node:
            case n.Number():
                return str(node.value)
            case n.Text():
                return self.text(node.value)
            case n.Truth():
                return "true" if node.value else "false"
            case n.Strings():
                return listed([self.text(value) for value in node.values])
            case n.Variable():
                return self.variable(node)
            case n.Arithmetic():
                return self._arithmetic(node)
            case n.Triangle():
                return f"the sum of 1 to {self.value(node.number)}"
            case n.Fibonacci():
                return f"Fibonacci number {self.value(node.number)}"
            case n.Random(high=None):
                return f"a random number from 0 to {self.value(node.low)}"
            case n.Random():
                assert node.high is not None
                return f"a random number from {self.value(node.low)} to {self.value(node.high)}"
            case n.Storage() if self.is_player(node):
                return f"the number of {self.stored(node)}"
            case n.Storage():
                return self.stored(node)
            case n.Size():
                return f"the number of {self.counted_items(node.collection)}"
            case n.NumberOf():
                return f"the number of {self.owner(node.owner)}"
            case n.Condition():
                return f"whether {self.clause(node)}"
        return self._counted(node)

    def clause(self, test: n.Node, *, negated: bool = False) -> str:
        """Return a condition in words."""
        raise NotImplementedError

    def _arithmetic(self, node: n.Arithmetic) -> str:
        try:
            if not any(self.version.constant(one) for one in n.walk(node)):
                return override_text(constant(node))
        except NotConstantError:
            pass
        match node.operands:
            case (n.Number(value=0), one) if node.operator is n.Operator.SUBTRACT:
                text = self.value(one)
                return f"−({text})" if isinstance(one, n.Arithmetic) else f"minus {text}"
        if node.operator in (n.Operator.MAXIMUM, n.Operator.MINIMUM):
            which = "largest" if node.operator is n.Operator.MAXIMUM else "smallest"
            return f"the {which} of {listed([self.value(one) for one in node.operands])}"
        texts = [
            f"({self.value(one)})"
            if isinstance(one, n.Arithmetic) and not _single(one)
            else self.value(one)
            for one in node.operands
        ]
        return f" {_SIGNS[node.operator]} ".join(texts)

    def _counted(self, node: n.Node) -> str:
        """Return what cards count by a point map, or what is added up over a collection."""
        match node:
            case n.Score():
                return f"what {self.value(node.card)} counts in {self.map_name(node.points)}"
            case n.Sum():
                return f"what {self.value(node.location)} counts in {self.map_name(node.points)}"
            case n.ExtremeScore():
                most = "most" if node.highest else "least"
                points = self.map_name(node.points)
                return f"the {most} that a card of {self.value(node.location)} counts in {points}"
            case n.Total():
                item, over = self.item(node.collection, node.variable)
                with self.calling(node.variable, item):
                    return f"the sum, over {over}, of {self.value(node.value)}"
            case n.Attribute(key=n.Text() as key):
                return f"the {plain_word(key.value)} of {self.value(node.card)}"
            case n.Attribute():
                return f"the attribute {self.value(node.key)} of {self.value(node.card)}"
        return self._cards(node)

    def map_name(self, node: n.Node) -> str:
        """Return what a point map is called."""
        return self.stored(node) if isinstance(node, n.Storage) else self.code(node)

    def _cards(self, node: n.Node) -> str:
        match node:
            case n.End():
                end = "top" if node.top else "bottom"
                return f"the {end} {self._card_of(node.location)}"
            case n.Position():
                return f"card {self.value(node.index)} of {self.value(node.location)}"
            case n.BestCard():
                best = "highest" if node.highest else "lowest"
                points = self.map_name(node.points)
                text = self._card_of(node.location)
                return f"the {best} {text}{',' if ' whose ' in text else ''} by {points}"
            case n.Actual():
                return f"the real card behind {self.value(node.card)}"
            case n.Place() | n.Indexed():
                place = self.place(node)
                return f"all places of {place}" if isinstance(node, n.Indexed) else place
            case n.Combine():
                return self._combined(node)
            case n.Sequence():
                end = "top" if node.top else "bottom"
                return f"the {end} {self.value(node.count)} cards of {self.value(node.location)}"
            case n.Sort():
                return f"{self.value(node.location)} in order of {self.map_name(node.points)}"
            case n.Element():
                which = {0: "first", -1: "last"}.get(node.index, f"item {node.index} ")
                return f"the {which} of {self.value(node.locations)}"
            case n.EndRun():
                end = "top" if node.top else "bottom"
                run = f"the run of at least {self.value(node.least)} cards"
                return f"{run} at the {end} of {self.value(node.location)}"
        return self._collection(node)

    def _card_of(self, location: n.Node) -> str:
        text = self.value(location)
        return f"of {text}" if text.startswith("the cards") else f"card of {text}"

    def _combined(self, node: n.Combine) -> str:
        if len(node.parts) == 1 and node.operation is n.SetOperation.UNION:
            return self.value(node.parts[0])
        return _SETS[node.operation].format(listed([self.value(part) for part in node.parts]))

    def _collection(self, node: n.Node) -> str:
        match node:
            case n.Filter():
                return self._filtered(node, self.value(node.collection))
            case n.EachLocation():
                item, over = self.item(node.collection, node.variable)
                if isinstance(node.collection, n.Everyone):
                    with self.calling(node.variable, f"all {item.removeprefix('each ')}s"):
                        return _several(self.value(node.location))
                with self.calling(node.variable, item):
                    return f"{self.value(node.location)} for {over}"
            case n.Partition():
                parts = listed([self.value(part) for part in node.parts])
                return f"the groups of {parts} by {self.value(node.key)}"
            case n.Subsets(size=None):
                return f"the subsets of {self.value(node.location)}"
            case n.Subsets():
                assert node.size is not None
                bound = {
                    "==": "",
                    ">=": "at least ",
                    "<=": "at most ",
                    ">": "more than ",
                    "<": "fewer than ",
                }
                few = bound.get(node.operator, f"{node.operator} ")
                return (
                    f"groups of {few}{self.value(node.size)} cards of {self.value(node.location)}"
                )
            case n.Runs():
                which = "all runs" if node.every else "the longest runs"
                run = f"of at least {self.value(node.least)} cards"
                return f"{which} {run} of {self.value(node.location)}"
            case n.Tuples():
                return (
                    f"groups of {self.value(node.count)} equal cards of {self.value(node.location)}"
                )
            case n.Everyone():
                other = "other " if node.others else ""
                return f"all {other}{'teams' if node.kind & ValueKind.TEAMS else 'players'}"
            case n.Range():
                return f"the numbers from {self.value(node.low)} to {self.value(node.high)}"
            case n.Table():
                return "the table"
            case n.TurnOwner() | n.Numbered() | n.OwnerOf() | n.TeamOf():
                return self.owner(node)
        return self.code(node)

    def _filtered(self, node: n.Filter, of: str) -> str:
        if node.kind & ValueKind.LOCATION:
            with self.calling(node.variable, "whose"):
                short = self._whose(node.test, node.variable)
            if short:
                return f"the cards of {of} {short}"
            return f"the cards of {of} where {self.with_name(node.variable, node.test)}"
        if isinstance(node.collection, n.Everyone | n.Range):
            name = node.variable.name.removeprefix("'")
            own = f"{self.own_name(node.variable)}'s "
            test = self.with_name(node.variable, node.test)
            if test.startswith(own) and mentions(node.test, node.variable) == 1:
                return f"{of} whose {test.removeprefix(own)}"
            return f"{of} {name} where {test}"
        return f"those of {of} where {self.with_name(node.variable, node.test)}"

    def _whose(self, test: n.Node, variable: n.Variable) -> str:
        """Return `whose suit is hearts` for a test of one attribute of a card; else nothing."""
        match test:
            case n.Equal(
                left=n.Attribute(key=n.Text() as key, card=n.Variable(slot=slot)), right=right
            ) if slot == variable.slot and not _mentions(right, slot):
                verb = "is not" if test.negated else "is"
                return f"whose {plain_word(key.value)} {verb} {self.value(right)}"
        return ""

    def with_name(self, variable: n.Variable, test: n.Node) -> str:
        """Return a condition in which a variable has its own name."""
        with self.calling(variable, self.own_name(variable)):
            return self.clause(test)

    def item(self, collection: n.Node, variable: n.Variable) -> tuple[str, str]:
        """Return what an item of a collection is called, and the collection as gone through."""
        if isinstance(collection, n.Everyone):
            who = "team" if collection.kind & ValueKind.TEAMS else "player"
            text = f"{'other ' if collection.others else ''}{who}"
            return f"each {text}", f"each {text}"
        name = self.own_name(variable)
        return name, f"{name} of {self.value(collection)}"

    def counted_items(self, collection: n.Node) -> str:
        """Return what is counted in a collection: `cards in the stock`, or `players`."""
        if isinstance(collection, n.Everyone):
            return self.value(collection).removeprefix("all ")
        if collection.kind & ValueKind.LOCATION:
            text = self.value(collection)
            return (
                text.removeprefix("the ")
                if isinstance(collection, n.Filter)
                else f"cards in {text}"
            )
        for kind, word in ((ValueKind.PLAYERS, "players"), (ValueKind.TEAMS, "teams")):
            if collection.kind & kind:
                text = self.value(collection).removeprefix("all ")
                return text if word in text else f"{word} in {text}"
        text = self.value(collection)
        return text.removeprefix("the ") if text.startswith(_COUNTABLE) else f"items in {text}"


def _several(text: str) -> str:
    """Return `all players' hands` for `all players' hand`."""
    owner, _, noun = text.partition("' ")
    plain = noun.isalpha() and noun.islower() and not noun.endswith("s")
    return f"{owner}' {plural(noun)}" if plain else text


def _single(node: n.Arithmetic) -> bool:
    return node.operator in (n.Operator.MAXIMUM, n.Operator.MINIMUM)


def _mentions(node: n.Node, slot: int) -> bool:
    return any(isinstance(one, n.Variable) and one.slot == slot for one in n.walk(node))


def mentions(node: n.Node, variable: n.Variable) -> int:
    """Return how often a variable occurs below a node."""
    slots: Sequence[int] = [one.slot for one in n.walk(node) if isinstance(one, n.Variable)]
    return slots.count(variable.slot)
