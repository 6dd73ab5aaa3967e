"""Stage diagrams: the course of a game, from its set-up to its scores.

A stage is a box that begins with its end condition, which is tested before the first turn and after
every turn. What the computer does is yellow, a player's choice orange, with a line for each of its
branches. Stages, choices and actions that the declared constants rule out are left out.

The words are short rather than exact: indices and owners that are clear from the context are
dropped.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, TypeAlias

from cardwright.analysis.diagrams.graph import (
    Edge,
    Graph,
    GraphCluster,
    GraphLayout,
    GraphNode,
    LineStyle,
    NodeShape,
)
from cardwright.english import counted, plural
from cardwright.game.wording.form_words import in_words, owner_word, said_directly
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.program import Program

    _Before: TypeAlias = list[tuple[str, str]]
    _Block: TypeAlias = tuple[list[GraphNode | GraphCluster], _Before]

ACTIONS_FILL, CHOICE_FILL = "#fff3b0", "#ffc46b"
START_FILL, END_FILL, TEST_FILL = "#e8f0e8", "#e8e8f4", "white"

_WIDE = 58
"""The most characters in a line."""

WORDS: dict[type[n.Node], str] = {
    n.Size: "size of {collection}",
    n.Table: "the table",
    n.NumberOf: "{owner}",
    n.OwnerOf: "owner of {card}",
    n.TeamOf: "team of {player}",
    n.Position: "card {index} of {location}",
    n.Actual: "{card}",
    n.Sequence: "{count} cards of {location}",
    n.EachLocation: "all {location}",
    n.Subsets: "groups of {location}",
    n.Range: "{low} to {high}",
    n.Score: "worth of {card}",
    n.Sum: "worth of {location}",
    n.Swap: "{left} ⇄ {right}",
    n.Shuffle: "shuffle {location}",
    n.Set: "{storage} := {value}",
    n.SetPoints: "{storage} := worth of cards",
    n.Pass: "pass",
    n.TurnOwner: "{turn} {kind}",
    n.Numbered: "{kind} {number}",
    n.End: "{top?top|bottom} of {location}",
    n.BestCard: "{highest?highest|lowest} of {location}",
    n.ExtremeScore: "{highest?most|least} in {location}",
    n.Everyone: "{others?other |}{kind}s",
}
"""The words of forms, as patterns for `in_words`."""

_COMPARES = {"<": "<", ">": ">", "<=": "≤", ">=": "≥"}
_SETS = {
    n.SetOperation.UNION: "and",
    n.SetOperation.INTERSECT: "also in",
    n.SetOperation.DISJUNCTION: "or else",
}

AS_WRITTEN = (
    n.Triangle, n.Fibonacci, n.Random, n.Total, n.Element, n.EndRun, n.Sort, n.Runs, n.Tuples,
    n.Indexed,
)  # fmt: skip
"""The classes of nodes for which the words of the source are clear enough."""

LEFT_OUT: dict[type[n.Node], str] = {
    **dict.fromkeys(AS_WRITTEN, "the words of the source are clear enough"),
    n.ErrorNode: "a program with a mistake in it is not drawn",
    n.Award: "only the name of a point map is given",
    n.Choice: "it is a box of its own in a diagram",
    n.Stage: "it is a frame of its own in a diagram",
    n.Fork: "it is a box of its own in a diagram, with lines to its items",
    n.Truth: "what is settled before the game is given as always or never",
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
            outcomes = [settled(part) for part in test.tests]
            if (not test.every) in outcomes:
                return not test.every
            return None if None in outcomes else test.every
    return None


class StageWording:
    """Finds words for the forms of one program."""

    def __init__(self, program: Program) -> None:
        self._source = program.source

    def condition(self, test: n.Node) -> str:
        """Return a condition in words."""
        outcome = settled(test)
        if outcome is not None:
            return "always" if outcome else "never"
        test = said_directly(test)
        match test:
            case n.Logic():
                return self._logic(test)
            case n.Not():
                return f"not ({self.condition(test.test)})"
            case n.Equal(left=n.Size(collection=some), right=n.Number(value=0)):
                return f"{self.value(some)} {'has any' if test.negated else 'is empty'}"
            case n.Compare(
                left=n.Size(collection=some), right=n.Number(value=0), operator=">" | "<="
            ):
                return f"{self.value(some)} {'has any' if test.operator == '>' else 'is empty'}"
            case n.Compare() | n.Equal():
                sign = (
                    _COMPARES[test.operator] if isinstance(test, n.Compare) else "=≠"[test.negated]
                )
                return f"{self.value(test.left)} {sign} {self.value(test.right)}"
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
            several = sum(settled(part) is None for part in getattr(one, "tests", ())) > 1
            parts.append(f"({words})" if inner and several and len(open_tests) > 1 else words)
        return (" and " if test.every else " or ").join(parts)

    def value(self, node: n.Node) -> str:
        """Return a form's value, or what an action does, in words."""
        if type(node) in WORDS:
            return in_words(WORDS[type(node)], node, self.value)
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
            case n.Storage():
                return self._owned(node.owner, self.value(node.name))
            case n.Place():
                index = f" {self.value(node.index)}" if node.index is not None else ""
                return self._owned(node.owner, self.value(node.name) + index)
            case n.Attribute():
                return f"{self.value(node.key).lower()} of {self.value(node.card)}"
            case n.Combine():
                return f" {_SETS[node.operation]} ".join(map(self.value, node.parts))
            case n.Filter():
                cards = self.value(node.collection)
                return cards if settled(node.test) else f"{cards} where {self.condition(node.test)}"
            case n.Partition():
                parts = ", ".join(map(self.value, node.parts))
                return f"{parts} by {self.value(node.key).lower()}"
            case n.Strings():
                return ", ".join(node.values)
        return " ".join(self._source.at(node.span).replace("'", "").split())

    def _operand(self, node: n.Node) -> str:
        words = self.value(node)
        return f"({words})" if isinstance(node, n.Arithmetic) else words

    def _owned(self, owner: n.Node, name: str) -> str:
        match owner:
            case n.Table():
                return name
            case n.TurnOwner(turn=n.Turn.CURRENT):
                return f"team's {name}" if owner.kind & ValueKind.TEAM else f"own {name}"
        return f"{self.value(owner)}'s {name}"

    def _over(self, collection: n.Node, variable: n.Variable) -> str:
        name = variable.name.removeprefix("'")
        if isinstance(collection, n.Everyone):
            return f"{'other ' if collection.others else ''}{owner_word(collection)} {name}"
        return f"{name} of {self.value(collection)}"

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
                return _after(f"if {self.condition(node.test)}:", self.steps(node.body))
            case n.ForEach():
                over = self._over(node.collection, node.variable)
                word = "choose" if node.choose else "for each"
                return _after(f"{word} {over}:", self.steps(node.body))
            case n.Let():
                return self.steps(node.body)
            case n.Repeat():
                return _after(f"{self.value(node.count)} times", self.steps(node.action))
            case n.RepeatAll():
                return [f"{line}, all cards" for line in self.steps(node.action)]
        return [self._action(node)]

    def _action(self, node: n.Node) -> str:
        match node:
            case n.Move():
                return f"{self._moved(node.card)} → {self._target(node.target)}"
            case n.Remember():
                return f"remember {self._moved(node.card)} in {self._target(node.target)}"
            case n.Forget():
                return f"forget {self._moved(node.card)}"
            case n.Increase():
                amount = self.value(node.amount) if node.amount is not None else "1"
                return f"{self.value(node.storage)} {'+' if node.sign > 0 else '−'}= {amount}"
            case n.Cycle():
                return f"{'next' if node.queue else 'turn to'}: {self.value(node.player)}"
        return self.value(node)

    def _moved(self, card: n.Node) -> str:
        top = isinstance(card, n.End) and card.top
        return self.value(card.location if top else card)  # type: ignore[attr-defined]

    def _target(self, target: n.Node) -> str:
        """Return where a card goes; the top is the default and not mentioned."""
        if isinstance(target, n.End):
            return ("" if target.top else "under ") + self.value(target.location)
        return self.value(target)


def _after(head: str, lines: list[str]) -> list[str]:
    """Return lines under a head: one next to it, several below it."""
    if len(lines) == 1:
        return [f"{head} {lines[0]}"]
    return [head, *(f"   {line}" for line in lines)] if lines else []


# The diagram ------------------------------------------------------------------------------------


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
    return [players + teams, counted(len(program.cards), "card")]


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

    def block(self, items: Sequence[n.Node], name: str, before: _Before, level: int) -> _Block:
        """Return what is drawn for some items, and from where control continues after them."""
        drawn: list[GraphNode | GraphCluster] = []
        for number, item in enumerate(items):
            made, before = self._item(item, f"{name}{number}", before, level)
            drawn += made
        return drawn, before

    def _item(self, item: n.Node, name: str, before: _Before, level: int) -> _Block:
        match item:
            case n.Fork():
                return self._fork(item, f"{name}_", before, level)
            case n.Stage() if settled(item.end):
                return [], before
            case n.Stage() if self._depth is None or level < self._depth:
                return self._stage(item, f"stage_{name}", before, level)
            case n.Stage():
                node = self._folded(item, f"stage_{name}")
            case n.Choice():
                node = self._choice(item, f"choice_{name}")
            case _:
                lines = self.wording.steps(item)
                if not lines:
                    return [], before
                node = _node(f"actions_{name}", self.short(lines, self._lines), ACTIONS_FILL)
        self.join(before, node.id)
        return [node], [(node.id, "")]

    def _stage(self, item: n.Stage, name: str, before: _Before, level: int) -> _Block:
        """Return a stage with its content; the test at its start leads out of it."""
        test = self._test(f"{name}_end", f"ends when {self.wording.condition(item.end)}")
        self.join(before, test.id)
        inner = name.removeprefix("stage_") + "_"
        items, last = self.block(item.items, inner, [(test.id, "")], level + 1)
        looks = {"line": LineStyle.DASHED, "label": "next turn", "back": True}
        self.edges += [
            Edge(source, test.id, **looks)  # type: ignore[arg-type]
            for source in dict.fromkeys(source for source, _ in last)
            if items
        ]
        return [GraphCluster(name, _turns(item), (test, *items))], [(test.id, "ended")]

    def _fork(self, fork: n.Fork, name: str, before: _Before, level: int) -> _Block:
        """Return a test with the items that it decides about."""
        outcome = settled(fork.test)
        if outcome is not None:
            items = (fork.item,) if outcome else fork.ways[1:]
            return self.block(items, name, before, level)
        test = self._test(f"test_{name}", f"if {self.wording.condition(fork.test)}")
        self.join(before, test.id)
        yes, played = self.block((fork.item,), f"{name}yes", [(test.id, "yes")], level)
        no, passed = self.block(fork.ways[1:], f"{name}no", [(test.id, "no")], level)
        return [test, *yes, *no], [*played, *passed]

    def _test(self, name: str, words: str) -> GraphNode:
        return GraphNode(name, tuple(self.short([words], 4)), NodeShape.ROUNDED, TEST_FILL)

    def _folded(self, stage: n.Stage, name: str) -> GraphNode:
        inside = [node for item in stage.items for node in n.walk(item)]
        stages = sum(isinstance(node, n.Stage) for node in inside)
        choices = sum(isinstance(node, n.Choice) for node in inside)
        words = [f"{_turns(stage)}: {_number(choices, 'choice')}, {_number(stages, 'inner stage')}"]
        ends = self.short([f"ends when {self.wording.condition(stage.end)}"], 2)
        return GraphNode(name, (*words, *ends), NodeShape.BOX, "ghostwhite", left=True)

    def _choice(self, choice: n.Choice, name: str) -> GraphNode:
        branches = [lines for step in choice.steps if (lines := self.wording.steps(step))]
        words = [f"choice of {_number(len(branches), 'branch')}"]
        for lines in branches[: self._lines]:
            flat = "; ".join(line.strip() for line in lines).replace(":;", ":")
            words += [f"{' ' if at else '•'} {line}" for at, line in enumerate(_cut(flat, 2))]
        if len(branches) > self._lines:
            words.append(f"… and {len(branches) - self._lines} more")
        return _node(name, words, CHOICE_FILL)

    def short(self, lines: Sequence[str], limit: int) -> list[str]:
        """Return the lines of a label, wrapped where they are long, up to a limit."""
        if len(lines) == 1:
            return _cut(lines[0], limit)
        shown = [_cut(line, 1)[0] for line in lines[:limit]]
        if len(lines) > limit:
            shown[-1] = f"… and {len(lines) - limit + 1} more"
        return shown


def _node(name: str, lines: Sequence[str], fill: str) -> GraphNode:
    return GraphNode(name, tuple(lines), NodeShape.BOX, fill, left=len(lines) > 1)


def _turns(stage: n.Stage) -> str:
    return f"turns of {'teams' if stage.team else 'players'}"


def _number(count: int, noun: str) -> str:
    return counted(count, noun) if count else f"no {plural(noun)}"


def _cut(text: str, lines: int) -> list[str]:
    """Return a text on at most this many lines, the last one truncated if there is more."""
    indent = " " * (len(text) - len(text.lstrip()))
    around = {"initial_indent": indent, "subsequent_indent": indent}
    return wrap(text.strip(), _WIDE, max_lines=lines, placeholder=" …", **around) or [""]  # type: ignore[arg-type]
