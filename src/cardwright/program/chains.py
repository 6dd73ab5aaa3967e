"""How the options of a choice can be found, and how they lie in memory.

In most choices the tests, the `let`s and the `any`s of a branch come before its first action (its
`Chain`). Then options are found by loops alone, and the actions (the leaf) are tried on a scratch
copy of the board only if they may break a rule or have no effect. In all other branches every
option is tried from its beginning, with the items that its `any`s take prescribed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program import nodes as n
from cardwright.program.effects import EffectAnalysis
from cardwright.program.kinds import ITEM_KINDS, ValueKind
from cardwright.program.limits import MOST_PICKS, OPTION_WORDS
from cardwright.program.places import places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from cardwright.program.places import Places
    from cardwright.program.program import Program


@dataclass(frozen=True)
class Chain:
    """A branch whose tests and `any`s come first: these, in order, and the actions after them."""

    links: tuple[n.Node, ...]
    leaf: n.Node

    @property
    def picks(self) -> tuple[n.ForEach, ...]:
        """The `any`s of the chain."""
        return tuple(link for link in self.links if isinstance(link, n.ForEach))


def is_dead(analysis: EffectAnalysis, chain: Chain) -> bool:
    """Return whether a branch never has options, since a test fails whatever the game is like."""
    tests = [link.test for link in chain.links if isinstance(link, n.When)]
    return analysis.pure(*tests) and any(map(never, tests))


def never(test: n.Node) -> bool:
    """Return whether a test is known to fail, as one of declared constants may be."""
    match test:
        case n.Logic(every=every, tests=tests):
            return (any if every else all)(map(never, tests))
        case n.Truth(value=value):
            return not value
        case n.Equal(negated=negated, left=n.Number(value=left), right=n.Number(value=right)):
            return (left == right) is negated
    return False


class OptionLayout(NamedTuple):
    """How the options of a choice lie in memory.

    A strict option has its branch and for each pick of its chain the item and its ordinal. A loose
    one has its branch, the number of picks, and for each the item, its ordinal and its form.
    """

    strict: bool
    picks: int

    @property
    def head(self) -> int:
        """The number of words before the first pick."""
        return 1 if self.strict else 2

    @property
    def width(self) -> int:
        """The number of words of a pick."""
        return 2 if self.strict else 3

    @property
    def words(self) -> int:
        """The number of words of an option."""
        return self.head + self.width * self.picks


def chain(analysis: EffectAnalysis, where: Places, branch: n.Node) -> Chain | None:
    """Return a branch as a chain, or None if it is not one."""
    links, leaf = n.links(branch)
    if any(
        analysis.draws(n.evaluated(link)) or _makes_places(analysis, where, link) for link in links
    ):
        return None
    taken = any(map(analysis.takes, n.walk(leaf)))
    if analysis.chooses(leaf) or (taken and _shares(analysis, links)):
        return None
    return Chain(tuple(links), leaf)


def _shares(analysis: EffectAnalysis, links: Sequence[n.Node]) -> bool:
    """Return whether a picked group of cards may also be held by a variable."""
    return any(
        isinstance(link, n.ForEach)
        and link.collection.kind is ValueKind.LOCATIONS
        and not analysis.real_members(link.collection)
        and not _makes_groups(link.collection)
        for link in links
    )


def _makes_groups(node: n.Node) -> bool:
    """Return whether the elements of a set of locations are groups that nothing else refers to."""
    match node:
        case n.Filter(collection=collection):
            return _makes_groups(collection)
        case n.EachLocation(location=location):
            return not isinstance(location, n.Variable | n.Element)
    return isinstance(node, n.Partition | n.Subsets | n.Runs | n.Tuples)


def _makes_places(analysis: EffectAnalysis, where: Places, node: n.Node) -> bool:
    """Return whether an item may be a location that has no slot yet."""
    return (
        isinstance(node, n.ForEach)
        and bool(where.pool)
        and node.collection.kind is ValueKind.LOCATIONS
        and analysis.real_members(node.collection)
    )


@dataclass(frozen=True)
class ChoiceOptions:
    """What is known about a choice: the chains of its branches, and the layout of its options."""

    choice: n.Choice
    chains: tuple[Chain | None, ...]
    shape: OptionLayout


def options(analysis: EffectAnalysis, where: Places, choice: n.Choice) -> ChoiceOptions:
    """Return what is known about a choice."""
    chains = tuple(chain(analysis, where, branch) for branch in choice.steps)
    most = 0
    for branch, found in zip(choice.steps, chains, strict=True):
        most = max(most, len(found.picks) if found else _most_picks(analysis, branch))
    return ChoiceOptions(choice, chains, OptionLayout(None not in chains, most))


def most_options(program: Program) -> Callable[[n.Choice], int]:
    """Return how many options of a choice there is room for."""
    analysis = EffectAnalysis(program)
    where = places(analysis)
    return lambda choice: OPTION_WORDS // options(analysis, where, choice).shape.words


def _most_picks(analysis: EffectAnalysis, node: n.Node) -> int:
    """Return how many picks an option of a branch can have."""
    most = sum(_most_picks(analysis, inner) for inner in n.children(node))
    if isinstance(node, n.ForEach):
        most = most + 1 if node.choose else most * _most_items(analysis, node.collection)
    return min(most, MOST_PICKS)


def _most_items(analysis: EffectAnalysis, node: n.Node) -> int:
    """Return how many items a collection can have, if few and known before the game."""
    program = analysis.program
    match node:
        case n.Filter(collection=collection):
            return _most_items(analysis, collection)
        case n.Everyone():
            return len(program.teams) if node.kind is ValueKind.TEAMS else program.players
        case n.Strings(values=values):
            return len(values)
        case n.Range(low=low, high=high):
            return max(0, analysis.bounds(high)[1] - analysis.bounds(low)[0] + 1)
    return MOST_PICKS


def choosing(nodes: Iterable[n.Node]) -> list[n.ForEach]:
    """Return the `any`s that make options, in the order of the program's nodes."""
    return [node for node in nodes if isinstance(node, n.ForEach) and node.choose]


def public_key(analysis: EffectAnalysis, form: n.ForEach) -> tuple[str, ValueKind] | None:
    """Return the variable and the kind of what an `any` picks, None if those are cards.

    All players see what is picked otherwise.
    """
    kind = ITEM_KINDS[form.collection.kind]
    cards = kind is ValueKind.CARD
    if kind is ValueKind.LOCATION:
        cards = not analysis.real_members(form.collection)
    return None if cards else (form.variable.name, kind)


def public_picks(analysis: EffectAnalysis) -> tuple[tuple[str, ValueKind], ...]:
    """Return the variables and kinds of everything but cards that options of a program pick."""
    forms = choosing(analysis.program.nodes())
    keys = dict.fromkeys(public_key(analysis, form) for form in forms)
    return tuple(key for key in keys if key is not None)
