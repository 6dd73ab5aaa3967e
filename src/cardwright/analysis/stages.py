"""Stage diagrams: the course of a game, from its set-up to its scores.

A stage is a box that begins with its end condition, which is tested before the first turn and after
every turn. What the computer does is yellow, a player's choice orange, with a line for each of its
branches; the words are those of `cardwright.analysis.wording`. Stages, choices and actions that
the declared constants rule out are left out.
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING

from cardwright.analysis.graph import (
    Edge,
    Graph,
    GraphCluster,
    GraphLayout,
    GraphNode,
    LineStyle,
    NodeShape,
)
from cardwright.analysis.wording import StageWording, settled
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardwright.program.program import Program

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
