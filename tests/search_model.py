"""Tree search over the interpreter, written from the papers: what the machine code must agree with.

Nodes are dictionaries by content, worlds are copied whole, and nothing is done for speed.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field, replace
from fractions import Fraction

from cardwright.compiler.card_choices import between_cards
from cardwright.game.information.knowledge import KnowledgeMode, at_first_sight
from cardwright.game.information.worlds import ConsistentWorlds as Chain, determinise
from cardwright.game.option import Unseen, contents_of
from cardwright.game.reference import ReferenceBoard, scores_now
from cardwright.game.search import SearchReward, SearchWorlds
from cardwright.interpreter import machine
from cardwright.interpreter.stream import Stream
from cardwright.interpreter.world import Fault
from cardwright.program import nodes as n
from cardwright.program.chains import options
from cardwright.program.effects import EffectAnalysis
from cardwright.program.places import places

ONE = 1 << 20


@dataclass
class Node:
    children: dict = field(default_factory=dict)
    visits: int = 0
    available: int = 0
    rewards: list = field(default_factory=list)


class Model:
    def __init__(self, state, task, stream):
        self.program = state.game.program
        self.players = self.program.players
        self.limits = state.game.limits
        self.board = state._board
        self.seat = state.player
        shared = self.program.shared_score  # nobody is before anybody
        self.task = task = replace(task, reward=SearchReward.SCORE) if shared else task
        self.single = single_cards(self.program)
        self.one_deal = task.horizon.one_deal(self.program)
        self.stream = Stream(stream.next())
        self.chain = None
        if task.worlds is not SearchWorlds.TRUE:
            world = self.board.world()
            self.chain = Chain(world, at_first_sight(world, self.seat), self.stream)
        if task.worlds is SearchWorlds.ONE:
            self.board = ReferenceBoard(self.chain.next(), self.limits)
            self.board.advance()
            self.chain = None
        self.streams = [Stream(self.stream.next()) for _ in range(self.players)]
        self.low, self.span = self.scale() if task.reward in {"score", "margin"} else (0, 0)
        self.roots = [self.node() for _ in range(self.players if task.many else 1)]

    def node(self):
        return Node(rewards=[0] * self.players)

    def imagine(self):
        if self.chain is not None:
            world = self.chain.next()
        else:
            world = self.board.world().copy()
            world.stream = Stream(self.stream.next())
        world.one_deal = self.one_deal
        board = ReferenceBoard(world, self.limits)
        board.advance()
        self.at_first = scores_now(world) if self.one_deal else [0] * self.players
        return board

    # Rewards ------------------------------------------------------------------------------

    def scale(self):
        ends = []
        for _ in range(64):
            board = self.imagine()
            try:
                self.play_out(board)
                ends += [self.raw(self.points(board), seat) for seat in range(self.players)]
            except Fault:
                pass
        if not ends:
            return 0, 0
        mean, deviation = statistics.fmean(ends), statistics.pstdev(ends)
        low = max(min(ends), math.floor(mean - 2 * deviation))
        return low, min(max(ends), math.ceil(mean + 2 * deviation)) - low

    def raw(self, scores, seat):
        value = scores[seat]
        if self.task.reward is SearchReward.MARGIN:
            value = self.players * value - sum(scores)
        return value if self.program.highest_wins else -value

    def rewards(self, scores):
        ranks = machine.ranks(scores, highest_wins=self.program.highest_wins)
        if self.task.reward is SearchReward.WIN:
            return [ONE // ranks.count(0) if rank == 0 else 0 for rank in ranks]
        if self.task.reward is SearchReward.RANK:
            if self.players == 1:
                return [ONE]
            others = self.players - 1
            return [
                int(ONE * Fraction(2 * (others - rank) - (ranks.count(rank) - 1), 2 * others))
                for rank in ranks
            ]
        if not self.span:
            return [ONE // 2] * self.players
        above = [self.raw(scores, seat) - self.low for seat in range(self.players)]
        kept = [max(-2 * self.span, min(3 * self.span, raw)) for raw in above]
        return [int(Fraction(raw * ONE, self.span)) for raw in kept]

    def points(self, board):
        """The scores, or what they have changed by since the decision."""
        return [end - start for end, start in zip(board.scores(), self.at_first, strict=True)]

    def play_out(self, board):
        while not board.finished:
            board.play(self.streams[board.player].below(board.option_count))

    # The tree -----------------------------------------------------------------------------

    def seen(self, board, seat, picks=None):
        """What a seat sees of every option, groups without their order."""
        return [self.plain(board, content) for content in contents_of(board, self.program, seat)]

    def plain(self, board, content, *, ordinals=True):
        """What a content is to a tree: at a choice between cards the branch does not matter."""
        branch, picks = plain(content, ordinals=ordinals)
        first = board.picks()[0][1]
        between_cards = len(first) == 1 and id(first[0].node) in self.single
        return ("card" if between_cards else branch), picks

    def choose(self, board, node, *, first):
        contents = self.seen(board, board.player)
        fresh = [at for at, content in enumerate(contents) if content not in node.children]
        known = [node.children[c] for c in contents if c in node.children]
        for child in known:
            child.available += 1
        w = self.task.widening
        if fresh and (first or not w or len(known) <= w * math.isqrt(node.visits)):
            at = fresh[self.stream.below(len(fresh))]
            node.children[contents[at]] = child = self.node()
            child.available = 1
            return at, child, True
        bounds = []
        for child in known:
            mean = int(Fraction(child.rewards[board.player], child.visits))
            squared = round(self.task.exploration**2 * math.log(child.available) * ONE**2)
            bounds.append(mean + math.isqrt(squared // child.visits))
        best = known[bounds.index(max(bounds))]
        at = next(at for at, c in enumerate(contents) if node.children.get(c) is best)
        return at, best, False

    def iterate(self):
        board = self.imagine()
        at = list(self.roots)
        path = []
        grew = False
        try:
            while not board.finished and not grew:
                mover = board.player
                if self.task.again and mover != self.seat:
                    world = determinise(board.world(), mover, self.stream, KnowledgeMode.BASIC)
                    board = ReferenceBoard(world, self.limits)
                    board.advance()
                mine = mover if self.task.many else 0
                index, child, grew = self.choose(board, at[mine], first=not path)
                at[mine] = child
                path.append(child)
                before = self.before(board, mover, index) if self.task.many else []
                picks = board.picks()[index]
                machine.carry_out(board.world(), board._built[index])
                for seat, saw in before:
                    after = self.after(board, seat, picks)
                    at[seat] = at[seat].children.setdefault((saw, after), self.node())
                    path.append(at[seat])
                board.advance()
            self.play_out(board)
            rewards = self.rewards(self.points(board))
        except Fault:
            rewards = [0] * self.players
        for node in path:
            node.visits += 1
            node.rewards = [a + b for a, b in zip(node.rewards, rewards, strict=True)]

    def before(self, board, mover, index):
        mine = contents_of(board, self.program, mover)[index]
        blind = any(isinstance(item, Unseen) and item.ordinal for _, item in mine.picks)
        views = []
        for seat in range(self.players):
            if seat != mover:
                content = contents_of(board, self.program, seat)[index]
                views.append((seat, self.plain(board, content, ordinals=blind)))
        return views

    def after(self, board, seat, picks):
        board = AfterBoard(board, [picks])
        return self.plain(board, contents_of(board, self.program, seat)[0], ordinals=False)

    def run(self):
        for _ in range(self.task.iterations):
            self.iterate()
        root = self.roots[self.seat if self.task.many else 0]
        nothing = self.node()
        tried = [root.children.get(c, nothing) for c in self.seen(self.board, self.seat)]
        return [(node.visits, node.available, tuple(node.rewards)) for node in tried]


def single_cards(program):
    """The `any`s of the choices between single cards."""
    analysis = EffectAnalysis(program)
    where = places(analysis)
    plans = [
        options(analysis, where, node) for node in program.nodes() if isinstance(node, n.Choice)
    ]
    return {
        id(chain.picks[0]) for plan in plans if between_cards(analysis, where, plan)
        for chain in plan.chains
    }  # fmt: skip


@dataclass
class AfterBoard:
    """A board after a choice, at which the picks of that choice can be looked at again."""

    board: ReferenceBoard
    chosen: list

    def picks(self):
        return self.chosen

    def where(self, card):
        return self.board.where(card)


def plain(content, *, ordinals=True):
    picks = []
    for name, item in content.picks:
        if isinstance(item, Unseen):
            picks.append((name, item if ordinals else None))
        elif type(item) is tuple:
            picks.append((name, tuple(sorted(item))))
        else:
            picks.append((name, item))
    return content.branch, tuple(picks)


def played_on(state, seed, decisions):
    """A state some random decisions later, as far as there is a choice; the given one is spent."""
    stream = Stream(seed)
    for _ in range(decisions):
        after = state.copy()
        after.play(stream.below(state.option_count))
        if after.finished:
            break
        state = after
    return state
