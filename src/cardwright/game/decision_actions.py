"""The actions of one decision of a state: which lead to which options."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from cardwright.game.errors import IllegalOptionError
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.game.action_blocks import Code
    from cardwright.game.actions import Actions, BranchActions
    from cardwright.game.board import Board
    from cardwright.interpreter.effects import Pick
    from cardwright.program.cards import CardId
    from cardwright.program.program import Program


class DecisionActions:
    """The actions of the options of a decision, in their order."""

    def __init__(self, actions: Actions, board: Board, program: Program) -> None:
        seat = board.player
        assert seat is not None

        def visible(card: CardId) -> bool:
            return sees(program, seat, board.where(card))

        self._actions = actions
        self._branches = actions.branches[board.choice.span]
        self._sees = visible
        self.codes = self._codes(board.picks())

    # Codes --------------------------------------------------------------------------------

    def _codes(self, options: Sequence[tuple[int, tuple[Pick, ...]]]) -> list[Code]:
        """Return the actions of each option, given its branch and what it picks."""
        found: list[Code] = []
        alike: dict[Code, list[int]] = {}
        for at, (branch, picks) in enumerate(options):
            code = self._code(self._branches[branch], picks)
            found.append(code)
            alike.setdefault(code, []).append(at)
        if len(alike) < len(found):
            for code, places in alike.items():
                if len(places) > 1:
                    self._tell_apart(found, code, places)
        return found

    def _code(self, branch: BranchActions, picks: Sequence[Pick]) -> Code:
        block = self._actions.blocks[branch.block]
        picked = []
        for pick in picks:
            column = branch.columns[pick.node.span]
            if column is not None:
                value = self._actions.picking.value(block.columns[column], pick, self._sees)
                picked.append((column, value))
        return block.code(picked)

    def _tell_apart(self, found: list[Code], code: Code, places: list[int]) -> None:
        """Number options of one meaning in their order.

        Those for which there are no more numbers are taken by `this one`, after as many times
        `another like it` as there are such options before.
        """
        copies = self._copies(code)
        few = len(places) if len(places) <= copies else copies - 1
        for copy, place in enumerate(places[:few]):
            found[place] = (code[0] + copy,)
        assert few == len(places) or self._actions.alike
        last = (code[0] + copies - 1,) if copies > 1 else code
        another, this = len(self._actions) - 2, len(self._actions) - 1
        for before, place in enumerate(places[few:]):
            found[place] = (*last, *(another,) * before, this)

    def _copies(self, code: Code) -> int:
        """Return how many actions have the meaning of the only one of a code."""
        blocks = self._actions.blocks
        block = next(one for one in blocks if code[0] < one.start + one.size)
        return block.copies if code[0] < block.start + block.flat else 1

    # Options ------------------------------------------------------------------------------

    @cached_property
    def _options(self) -> dict[Code, int]:
        return {code: index for index, code in enumerate(self.codes)}

    def legal(self, pending: Code) -> tuple[int, ...]:
        """Return the actions that may follow those of the decision so far, in ascending order."""
        made = len(pending)
        if not made:
            return tuple(sorted({code[0] for code in self.codes}))
        return tuple(sorted({code[made] for code in self.codes if code[:made] == pending}))

    def towards(self, index: int, pending: Code) -> int:
        """Return the next action on the way to an option.

        Raises IllegalOptionError if the actions so far do not lead there.
        """
        code = self.codes[index]
        if code[: len(pending)] != pending:
            made = ", ".join(map(self._actions.name, pending))
            raise IllegalOptionError(
                f"the actions so far ({made}) do not lead to option {index}: play(...) makes it as"
                " a whole, and undo_action() takes actions back"
            )
        return code[len(pending)]

    def leads(self, pending: Code) -> bool:
        """Return whether some option begins with these actions."""
        return any(code[: len(pending)] == pending for code in self.codes)

    def after(self, pending: Code, action: int) -> Code | int:
        """Return the actions so far after one more, or the index of the option that they make.

        Raises IllegalOptionError for an action that is not legal.
        """
        made = (*pending, action)
        if made in self._options:
            return self._options[made]
        if not self.leads(made):
            name = self._actions.name(action)
            raise IllegalOptionError(
                f"action {action} ({name}) is not legal here; state.legal_actions() has those that"
                " are"
            )
        return made
