"""Actions: what can be chosen in a game, numbered by meaning.

An action means the same in every state of a game: a deed (`cardwright.game.deeds`) with the values
that it picks. So learners can tell options by a number, which no change of the state affects. Where
options that are offered together mean the same, as cards that look alike do, they are numbered in
their order. Most options are one action; others are a sequence of them, of which no other's is the
beginning (`cardwright.game.action_blocks`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cardwright.game.action_blocks import ActionBlock
from cardwright.game.action_columns import Picking
from cardwright.game.action_names import action_names
from cardwright.game.deeds import deed_of
from cardwright.game.errors import IllegalOptionError
from cardwright.program import nodes as n

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.game.naming import Namer
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

CAP = 5_000
"""The most actions that are made of the combinations of what one deed picks."""


class BranchActions(NamedTuple):
    """The block of a branch's actions, and by each `any` the column of what it picks.

    What shows in another pick has no column: None.
    """

    block: int
    columns: dict[Span, int | None]


class Actions:
    """All actions of a game, numbered from 0; iteration gives their names.

    `cap` is the most actions that are made of the combinations of what one deed picks. `alike` says
    whether the last two actions tell options apart that mean the same.
    """

    def __init__(self, program: Program, namer: Namer, cap: int = CAP) -> None:
        """Number the actions of a program; see `Game.actions`."""
        if cap < 1:
            raise ValueError(f"the cap has to be 1 or more, not {cap}")
        self.cap = cap
        self.picking = Picking(program, cap)
        self.branches: dict[Span, tuple[BranchActions, ...]] = {}
        self._namer = namer
        self.alike = False
        blocks: list[ActionBlock] = []
        for node in program.nodes():
            if isinstance(node, n.Choice):
                self.branches[node.span] = tuple(self._choice(node, blocks))
        self.blocks = tuple(_numbered(blocks))
        self._size = sum(block.size for block in self.blocks)
        self.alike |= any(block.confusable for block in self.blocks)

    def __len__(self) -> int:
        return self._size + 2 * self.alike

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __repr__(self) -> str:
        return f"<Actions: {len(self)}>"

    # Names --------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return action_names(self.blocks, self.picking, self._namer, alike=self.alike)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self._names)}

    def name(self, number: int) -> str:
        """Return an action in words; raises IllegalOptionError if there is no such number."""
        if not 0 <= number < len(self):
            raise IllegalOptionError(
                f"there is no action {number}: they are numbered 0 to {len(self) - 1}"
            )
        return self._names[number]

    def number(self, name: str) -> int:
        """Return the number of a name that `name` gives, in any case of letters.

        Raises IllegalOptionError if no action has this name.
        """
        found = self._numbers.get(name)
        if found is None:
            folded = [at for at, known in enumerate(self._names) if known.lower() == name.lower()]
            if len(folded) != 1:
                raise IllegalOptionError(
                    f"{name!r} is not an action of this game; see list(game.actions)"
                )
            found = folded[0]
        return found

    @cached_property
    def sequences(self) -> bool:
        """Whether some options are sequences of several actions."""
        return self.alike or any(block.sequences for block in self.blocks)

    # Making -------------------------------------------------------------------------------

    def _choice(self, choice: n.Choice, blocks: list[ActionBlock]) -> Iterator[BranchActions]:
        """Yield the actions of each branch of a choice, adding to the blocks."""
        wording = self._namer.wording(choice)
        made: list[BranchActions] = []
        for step, worded in zip(choice.steps, wording.steps, strict=True):
            made.append(self._branch(step, worded.always, blocks))
            yield made[-1]
        numbers = [branch.block for branch in made]
        for at, (step, number) in enumerate(zip(choice.steps, numbers, strict=True)):
            others = [choice.steps[other] for other in range(at) if numbers[other] == number]
            self.alike |= not all(self.picking.facts.exclude(step, other) for other in others)
            self.alike |= not all(
                self.picking.facts.distinct(form.collection) for form in _forms(step)
            )

    def _branch(
        self, step: n.Node, told: frozenset[tuple[str, str | None]], blocks: list[ActionBlock]
    ) -> BranchActions:
        forms = _forms(step)
        loose = not _nested(step)
        kept = [
            form
            for at, form in enumerate(forms)
            if loose or not self.picking.facts.implied(form, forms[at + 1 :])
        ]
        names = {form.variable.slot: "outer" for form in forms}
        names |= {form.variable.slot: f"pick {at}" for at, form in enumerate(kept)}
        deed = deed_of(step, told, names)
        columns = tuple(self.picking.column(form, first=not loose) for form in kept)
        looks = len(self.picking.examples)
        number = self._block(ActionBlock(deed, columns, loose, looks, self.cap), blocks)
        return BranchActions(
            number,
            {form.span: kept.index(form) if form in kept else None for form in forms},
        )

    def _block(self, block: ActionBlock, blocks: list[ActionBlock]) -> int:
        """Return the number of the block for a branch, joined with those of other branches."""
        for number, known in enumerate(blocks):
            if known.key == block.key:
                pairs = zip(known.columns, block.columns, strict=True)
                joined = tuple(one.joined(other, self.cap) for one, other in pairs)
                blocks[number] = replace(known, columns=joined)
                return number
        blocks.append(block)
        return len(blocks) - 1


def _forms(step: n.Node) -> list[n.ForEach]:
    """Return the `any`s of a branch, in order."""
    return [node for node in n.walk(step) if isinstance(node, n.ForEach) and node.choose]


def _nested(step: n.Node) -> bool:
    """Return whether the `any`s of a branch come first, each once, one within another."""
    while True:
        match step:
            case n.When(body=body) | n.Let(body=body) | n.ForEach(choose=True, body=body):
                step = body
            case n.Do(steps=(only,)):
                step = only
            case _:
                return not _forms(step)


def _numbered(blocks: list[ActionBlock]) -> Iterator[ActionBlock]:
    """Yield blocks with the numbers at which they start."""
    start = 0
    for block in blocks:
        yield replace(block, start=start)
        start += block.size
