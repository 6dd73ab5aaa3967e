"""Typed forms in a few words, for labels: conditions as people write them, and actions.

Tests that the declared constants settle are left out. A wording is short rather than exact: indices
and owners that are clear from the context are dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from cardwright.program.program import Program
    from cardwright.syntax.source import Source

_COMPARES = {"<": "<", ">": ">", "<=": "≤", ">=": "≥"}
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_SETS = {
    n.SetOperation.UNION: "and",
    n.SetOperation.INTERSECT: "also in",
    n.SetOperation.DISJUNCTION: "or else",
}


_AS_WRITTEN = "the words of the source are clear enough"

LEFT_OUT: dict[type[n.Node], str] = {
    n.ErrorNode: "a program with a mistake in it is not drawn",
    n.Award: "only the name of a point map is given",
    n.Choice: "it is a box of its own in a diagram",
    n.Stage: "it is a frame of its own in a diagram",
    n.Fork: "it is a box of its own in a diagram, with lines to its items",
    n.Truth: "what is settled before the game is given as always or never",
    n.Triangle: _AS_WRITTEN,
    n.Fibonacci: _AS_WRITTEN,
    n.Random: _AS_WRITTEN,
    n.Total: _AS_WRITTEN,
    n.Element: _AS_WRITTEN,
    n.EndRun: _AS_WRITTEN,
    n.Sort: _AS_WRITTEN,
    n.Runs: _AS_WRITTEN,
    n.Tuples: _AS_WRITTEN,
    n.Indexed: _AS_WRITTEN,
}
"""The classes of nodes that have no words of their own here, with the reason."""


def settled(test: n.Node) -> bool | None:
    """Return the outcome of a condition that the constants settle; None for any other.

    A program keeps such conditions only where something before them might fail.
    """
    match test:
        case n.Truth():
            return test.value
        case n.Not():
            outcome = settled(test.test)
            return None if outcome is None else not outcome
        case n.Logic():
            outcomes = [settled(one) for one in test.tests]
            if (not test.every) in outcomes:
                return not test.every
            return None if None in outcomes else test.every
    return None


class StageWording:
    """Finds words for the forms of one program."""

    def __init__(self, program: Program) -> None:
        self._source: Source = program.source

    # Conditions ---------------------------------------------------------------------------

    def condition(self, test: n.Node) -> str:
        """Return a condition in words."""
        outcome = settled(test)
        if outcome is not None:
            return "always" if outcome else "never"
        match test:
            case n.Logic():
                return self._logic(test)
            case n.Not(test=n.Compare() as inner):
                return self._compare(inner, _OPPOSITE[inner.operator])
            case n.Not(test=n.Equal() as inner):
                return self._equal(inner, negated=not inner.negated)
            case n.Not():
                return f"not ({self.condition(test.test)})"
            case n.Compare():
                return self._compare(test, test.operator)
            case n.Equal():
                return self._equal(test, negated=test.negated)
            case n.Quantifier():
                which = "every" if test.every else "some"
                where = self._over(test.collection, test.variable)
                return f"{which} {where}: {self.condition(test.test)}"
        return self.value(test)

    def _logic(self, test: n.Logic) -> str:
        open_tests = [one for one in test.tests if settled(one) is None]
        parts = []
        for one in open_tests:
            words = self.condition(one)
            inner = isinstance(one, n.Logic) and one.every != test.every
            several = len([x for x in getattr(one, "tests", ()) if settled(x) is None]) > 1
            parts.append(f"({words})" if inner and several and len(open_tests) > 1 else words)
        return (" and " if test.every else " or ").join(parts)

    def _compare(self, test: n.Compare, operator: str) -> str:
        match test.left, test.right:
            case n.Size(), n.Number(value=0) if operator == ">":
                return f"{self.value(test.left.collection)} has any"
            case n.Size(), n.Number(value=0) if operator == "<=":
                return f"{self.value(test.left.collection)} is empty"
        return f"{self.value(test.left)} {_COMPARES[operator]} {self.value(test.right)}"

    def _equal(self, test: n.Equal, *, negated: bool) -> str:
        if isinstance(test.left, n.Size) and isinstance(test.right, n.Number):
            collection = self.value(test.left.collection)
            if test.right.value == 0:
                return f"{collection} has any" if negated else f"{collection} is empty"
        return f"{self.value(test.left)} {'≠' if negated else '='} {self.value(test.right)}"

    # Values -------------------------------------------------------------------------------

    def value(self, node: n.Node) -> str:
        """Return a form's value, in words."""
        match node:
            case n.Number() | n.Text():
                return str(node.value)
            case n.Variable():
                return node.name.removeprefix("'")
            case n.Arithmetic(operator=n.Operator.MAXIMUM | n.Operator.MINIMUM):
                what = "largest" if node.operator is n.Operator.MAXIMUM else "smallest"
                return f"the {what} of {', '.join(map(self._operand, node.operands))}"
            case n.Arithmetic():
                return f" {node.operator.value} ".join(map(self._operand, node.operands))
            case n.Size():
                return f"size of {self.value(node.collection)}"
            case n.Storage():
                return self._owned(node.owner, self.value(node.name))
            case n.Place():
                name = self.value(node.name)
                index = f" {self.value(node.index)}" if node.index is not None else ""
                return self._owned(node.owner, name + index)
            case n.Table():
                return "the table"
            case n.TurnOwner():
                team = " team" if node.kind & ValueKind.TEAM else ""
                return node.turn.value + (team or " player")
            case n.Numbered():
                owner = "team" if node.kind & ValueKind.TEAM else "player"
                return f"{owner} {self.value(node.number)}"
            case n.NumberOf():
                return self.value(node.owner)
            case n.OwnerOf():
                return f"owner of {self.value(node.card)}"
            case n.TeamOf():
                return f"team of {self.value(node.player)}"
        return self._cards(node)

    def _cards(self, node: n.Node) -> str:
        match node:
            case n.Attribute():
                return f"{self.value(node.key).lower()} of {self.value(node.card)}"
            case n.End():
                return f"{'top' if node.top else 'bottom'} of {self.value(node.location)}"
            case n.Position():
                return f"card {self.value(node.index)} of {self.value(node.location)}"
            case n.BestCard():
                best = "highest" if node.highest else "lowest"
                return f"{best} of {self.value(node.location)}"
            case n.Actual():
                return self.value(node.card)
            case n.Combine():
                return f" {_SETS[node.operation]} ".join(map(self.value, node.parts))
            case n.Filter():
                of = self.value(node.collection)
                return of if settled(node.test) else f"{of} where {self.condition(node.test)}"
            case n.Sequence():
                return f"{self.value(node.count)} cards of {self.value(node.location)}"
            case n.EachLocation():
                return f"all {self.value(node.location)}"
            case n.Partition():
                parts = ", ".join(map(self.value, node.parts))
                return f"{parts} by {self.value(node.key).lower()}"
            case n.Subsets():
                return f"groups of {self.value(node.location)}"
            case n.Everyone():
                others = "other " if node.others else ""
                return others + ("teams" if node.kind & ValueKind.TEAMS else "players")
            case n.Range():
                return f"{self.value(node.low)} to {self.value(node.high)}"
            case n.Strings():
                return ", ".join(node.values)
            case n.Score():
                return f"worth of {self.value(node.card)}"
            case n.Sum():
                return f"worth of {self.value(node.location)}"
            case n.ExtremeScore():
                return f"{'most' if node.highest else 'least'} in {self.value(node.location)}"
        return " ".join(self._source.at(node.span).replace("'", "").split())

    def _operand(self, node: n.Node) -> str:
        words = self.value(node)
        return f"({words})" if isinstance(node, n.Arithmetic) else words

    def _owned(self, owner: n.Node, name: str) -> str:
        match owner:
            case n.Table():
                return name
            case n.TurnOwner(turn=n.Turn.CURRENT):
                return f"own {name}" if not owner.kind & ValueKind.TEAM else f"team's {name}"
            case n.Variable():
                return f"{self.value(owner)}'s {name}"
        return f"{self.value(owner)}'s {name}"

    def _over(self, collection: n.Node, variable: n.Variable) -> str:
        name = variable.name.removeprefix("'")
        if isinstance(collection, n.Everyone):
            kind = "team" if collection.kind & ValueKind.TEAMS else "player"
            return f"{'other ' if collection.others else ''}{kind} {name}"
        return f"{name} of {self.value(collection)}"

    # Actions ------------------------------------------------------------------------------

    def steps(self, node: n.Node) -> list[str]:
        """Return what a step does, a line per action; nothing for one that the constants rule out.

        A nested step is written after what it depends on.
        """
        match node:
            case n.Do():
                return [line for step in node.steps for line in self.steps(step)]
            case n.When():
                outcome = settled(node.test)
                if outcome is not None:
                    return self.steps(node.body) if outcome else []
                return self._after(f"if {self.condition(node.test)}:", self.steps(node.body))
            case n.ForEach():
                over = self._over(node.collection, node.variable)
                word = "choose" if node.choose else "for each"
                return self._after(f"{word} {over}:", self.steps(node.body))
            case n.Let():
                return self.steps(node.body)
            case n.Repeat():
                return self._after(f"{self.value(node.count)} times", self.steps(node.action))
            case n.RepeatAll():
                return [f"{line}, all cards" for line in self.steps(node.action)]
        return [self._action(node)]

    def _after(self, head: str, lines: list[str]) -> list[str]:
        """Return lines under a head: one next to it, several below it."""
        if len(lines) == 1:
            return [f"{head} {lines[0]}"]
        return [head, *(f"   {line}" for line in lines)] if lines else []

    def _action(self, node: n.Node) -> str:
        match node:
            case n.Move():
                return f"{self._moved(node.card)} → {self._target(node.target)}"
            case n.Remember():
                return f"remember {self._moved(node.card)} in {self._target(node.target)}"
            case n.Forget():
                return f"forget {self._moved(node.card)}"
            case n.Swap():
                return f"{self.value(node.left)} ⇄ {self.value(node.right)}"
            case n.Shuffle():
                return f"shuffle {self.value(node.location)}"
            case n.Set():
                return f"{self.value(node.storage)} := {self.value(node.value)}"
            case n.SetPoints():
                return f"{self.value(node.storage)} := worth of cards"
            case n.Increase():
                amount = self.value(node.amount) if node.amount is not None else "1"
                return f"{self.value(node.storage)} {'+' if node.sign > 0 else '−'}= {amount}"
            case n.Cycle():
                return f"{'next' if node.queue else 'turn to'}: {self.value(node.player)}"
            case n.Pass():
                return "pass"
        return self.value(node)

    def _moved(self, card: n.Node) -> str:
        return (
            self.value(card.location) if isinstance(card, n.End) and card.top else self.value(card)
        )

    def _target(self, target: n.Node) -> str:
        """Return where a card goes; the top is the default and not mentioned."""
        if isinstance(target, n.End):
            under = "" if target.top else "under "
            return under + self.value(target.location)
        return self.value(target)
