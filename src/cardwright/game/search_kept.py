"""A tree that a searching player keeps from one of its decisions to the next.

What was learnt below the options taken since came from worlds in which they could be taken. It is
as good as new only if nothing else has become known meanwhile. So a tree is kept only if every card
that the seat sees now and did not see before was named in one of these choices, if every card named
in them can be seen, if none has gone out of sight, and if there was no chance event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.picked import picked_cards
from cardwright.game.search_memory import SearchMemory
from cardwright.interpreter.world import sees

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.compiler.kernel_sets import KernelSet
    from cardwright.game.native import NativeBoard
    from cardwright.game.search import SearchTask
    from cardwright.program.cards import CardId, Seat

_TIMES = 8
"""A tree has memory for the nodes of this many searches; then a new one is begun."""


class KeptTree:
    """The tree of one seat in one game; players hold it, and only searches look into it.

    `carried` is how many iterations of earlier searches the last one could build on.
    """

    def __init__(self) -> None:
        self.carried = 0
        self._memory: SearchMemory | None = None
        self._sort: tuple[object, ...] = ()
        self._board: NativeBoard | None = None
        self._choices: tuple[int, ...] = ()

    def taken_up(
        self,
        board: NativeBoard,
        seat: Seat,
        choices: Sequence[int],
        task: SearchTask,
        sort: KernelSet,
    ) -> SearchMemory:
        """Return the memory with the tree that a search goes on from, perhaps an empty one.

        The search has to start over if the root there is 0, as after choices that were taken back.
        `choices` are all of the game so far.
        """
        kind = (
            board.engine,
            sort.name,
            task.most_nodes,
            task.exploration,
            task.reward,
            task.worlds,
            task.horizon,
        )
        root, done = 0, len(self._choices)
        if self._memory is None or self._sort != kind:
            self._memory, self._sort = SearchMemory(board.engine, task, sort, _TIMES), kind
        elif tuple(choices[:done]) == self._choices and self._memory.get(
            "nodes"
        ) + task.most_nodes <= self._memory.get("room"):
            root = self._followed(self._memory, board, seat, choices[done:])
        self._memory.set("root", root)
        self.carried = self._memory.statistics(root).visits
        self._board, self._choices = board.copy(), tuple(choices)
        return self._memory

    def forget(self) -> None:
        """Drop the tree, such as one on which a search was interrupted."""
        self._memory = None

    def _followed(
        self, memory: SearchMemory, now: NativeBoard, seat: Seat, choices: Sequence[int]
    ) -> int:
        """Return the node to which some choices lead; 0 if there is none, or it is not usable."""
        assert self._board is not None
        board, node = self._board.copy(), memory.get("root")
        before, chances = _unseen(board, seat), board.chances
        named: set[CardId] = set()
        for index in choices:
            mover = board.player
            assert mover is not None
            named.update(card for pick in board.picks()[index][1] for card in picked_cards(pick))
            node = memory.children(board, mover, node)[index]
            if not node:
                return 0
            board.play(index)
        after = _unseen(now, seat)
        clear = board.chances == chances and after <= before and named.isdisjoint(after)
        return node if clear and before - after <= named else 0


def _unseen(board: NativeBoard, seat: Seat) -> set[CardId]:
    """Return the cards that a seat does not see."""
    world = board.world()
    program = world.rules.program
    return {card.id for card in program.cards if not sees(program, seat, world.where[card.id])}
