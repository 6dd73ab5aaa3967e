"""Stage diagrams: the course of a game, from its set-up to its scores."""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from cardwright.analysis.diagrams.graph import (
    Edge,
    Graph,
    GraphCluster,
    GraphLayout,
    GraphNode,
    LineStyle,
    NodeShape,
)
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


ACTIONS_FILL, CHOICE_FILL = "#fff3b0", "#ffc46b"
START_FILL, END_FILL, TEST_FILL = "#e8f0e8", "#e8e8f4", "white"

_WIDE = 58
"""The most characters in a line."""


def stage_graph(program: Program, title: str, *, lines: int = 6, depth: int | None = None) -> Graph:
    """Return the stage diagram of a program.

    `lines` limits the lines for one block of actions and for each choice; the rest is counted.
    Stages that are nested deeper than `depth` are drawn as one box each; by default all are drawn.
    """
    builder = _Builder(program, lines, depth)
    start = GraphNode("start", tuple(_setup(program)), NodeShape.OVAL, START_FILL)
    items, last = builder.block(program.items, "", [(start.id, "")], 0)
    best = "highest" if program.highest_wins else "lowest"
    score = builder.short([f"{best} score wins: {builder.wording.value(program.score)}"], 2)
    end = GraphNode("end", tuple(score), NodeShape.OVAL, END_FILL)
    builder.join(last, end.id)
    whole = (start, *items, end)
    return Graph(title, whole, tuple(builder.edges), layout=GraphLayout.STACK)


def _setup(program: Program) -> list[str]:
    players = f"{program.players} player" + "s" * (program.players != 1)
    shared = any(len(team) > 1 for team in program.teams)
    teams = f" in {len(program.teams)} teams" if shared else ""
    return [players + teams, f"{len(program.cards)} cards"]


class _Builder:
    """Collects the edges while it walks the blocks."""

    def __init__(self, program: Program, lines: int, depth: int | None) -> None:
        self.wording = StageWording(program)
        self.edges: list[Edge] = []
        self._lines = lines
        self._depth = depth

    def join(self, before: Iterable[tuple[str, str]], node: str) -> None:
        """Add an edge to a node from each that can come before it, with the edge's label."""
        self.edges += [Edge(source, node, label=label) for source, label in before]

    def block(
        self, items: Sequence[n.Node], name: str, before: list[tuple[str, str]], level: int
    ) -> tuple[list[GraphNode | GraphCluster], list[tuple[str, str]]]:
        """Return what is drawn for some items, and from where control continues after them."""
        drawn: list[GraphNode | GraphCluster] = []
        for number, item in enumerate(items):
            if isinstance(item, n.Fork):
                forked, before = self._fork(item, f"{name}{number}_", before, level)
                drawn += forked
                continue
            made = self._item(item, f"{name}{number}", level)
            if made is None:
                continue
            if isinstance(made, GraphCluster):
                box, test = self._stage(item, made, before, level)
                drawn.append(box)
                before = [(test, "ended")]
            else:
                self.join(before, made.id)
                drawn.append(made)
                before = [(made.id, "")]
        return drawn, before

    def _item(self, item: n.Node, name: str, level: int) -> GraphNode | GraphCluster | None:
        match item:
            case n.Stage():
                if settled(item.end):
                    return None
                if self._depth is not None and level >= self._depth:
                    return self._folded(item, name)
                return GraphCluster(f"stage_{name}", _turns(item), ())
            case n.Choice():
                return self._choice(item, name)
        lines = self.wording.steps(item)
        if not lines:
            return None
        return _node(f"actions_{name}", self.short(lines, self._lines), ACTIONS_FILL)

    def _stage(
        self, item: n.Node, box: GraphCluster, before: list[tuple[str, str]], level: int
    ) -> tuple[GraphCluster, str]:
        """Return a stage with its content, and the name of the test that leads out of it."""
        assert isinstance(item, n.Stage)
        words = self.short([f"ends when {self.wording.condition(item.end)}"], 4)
        test = GraphNode(f"{box.id}_end", tuple(words), NodeShape.ROUNDED, TEST_FILL)
        self.join(before, test.id)
        inner = box.id.removeprefix("stage_") + "_"
        items, last = self.block(item.items, inner, [(test.id, "")], level + 1)
        turn = "next turn"
        self.edges += [
            Edge(source, test.id, line=LineStyle.DASHED, label=turn, back=True)
            for source in dict.fromkeys(source for source, _ in last)
            if items
        ]
        return GraphCluster(box.id, box.label, (test, *items)), test.id

    def _fork(
        self, fork: n.Fork, name: str, before: list[tuple[str, str]], level: int
    ) -> tuple[list[GraphNode | GraphCluster], list[tuple[str, str]]]:
        """Return a test with the items that it decides about, and from where control continues."""
        outcome = settled(fork.test)
        if outcome is not None:
            items = (fork.item,) if outcome else fork.ways[1:]
            return self.block(items, name, before, level)
        words = self.short([f"if {self.wording.condition(fork.test)}"], 4)
        test = GraphNode(f"test_{name}", tuple(words), NodeShape.ROUNDED, TEST_FILL)
        self.join(before, test.id)
        yes, played = self.block((fork.item,), f"{name}yes", [(test.id, "yes")], level)
        no, passed = self.block(fork.ways[1:], f"{name}no", [(test.id, "no")], level)
        return [test, *yes, *no], [*played, *passed]

    def _folded(self, stage: n.Stage, name: str) -> GraphNode:
        inside = [node for item in stage.items for node in n.walk(item)]
        stages = sum(isinstance(node, n.Stage) for node in inside)
        choices = sum(isinstance(node, n.Choice) for node in inside)
        words = [f"{_turns(stage)}: {_number(choices, 'choice')}, {_number(stages, 'inner stage')}"]
        ends = self.short([f"ends when {self.wording.condition(stage.end)}"], 2)
        return GraphNode(f"stage_{name}", (*words, *ends), NodeShape.BOX, "ghostwhite", left=True)

    def _choice(self, choice: n.Choice, name: str) -> GraphNode:
        branches = [self.wording.steps(step) for step in choice.steps]
        open_ones = [lines for lines in branches if lines]
        words = [f"choice of {_number(len(open_ones), 'branch', 'branches')}"]
        for lines in open_ones[: self._lines]:
            flat = "; ".join(line.strip() for line in lines).replace(":;", ":")
            words += [f"{'•' if at == 0 else ' '} {one}" for at, one in enumerate(_cut(flat, 2))]
        if len(open_ones) > self._lines:
            words.append(f"… and {len(open_ones) - self._lines} more")
        return _node(f"choice_{name}", words, CHOICE_FILL)

    def short(self, lines: Sequence[str], limit: int) -> list[str]:
        """Return the lines of a label, wrapped where they are long, up to a limit."""
        if len(lines) == 1:
            return _cut(lines[0], limit)
        found = [_cut(line, 1)[0] for line in lines[:limit]]
        if len(lines) > limit:
            found[-1] = f"… and {len(lines) - limit + 1} more"
        return found


def _node(name: str, lines: Sequence[str], fill: str) -> GraphNode:
    return GraphNode(name, tuple(lines), NodeShape.BOX, fill, left=len(lines) > 1)


def _turns(stage: n.Stage) -> str:
    return f"turns of {'teams' if stage.team else 'players'}"


def _number(count: int, one: str, many: str = "") -> str:
    return f"{count or 'no'} {one if count == 1 else many or one + 's'}"


def _cut(text: str, lines: int) -> list[str]:
    """Return a text on at most this many lines, the last one truncated if there is more."""
    indent = " " * (len(text) - len(text.lstrip()))
    return wrap(
        text.strip(),
        _WIDE,
        max_lines=lines,
        placeholder=" …",
        initial_indent=indent,
        subsequent_indent=indent,
    ) or [""]
