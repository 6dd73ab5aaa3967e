"""What a new form needs: every pass knows it or says why not, and every place is written down.

A pass is asked through the functions in which it tells classes of nodes apart: what they match,
and what they ask for by `isinstance`, is what it handles. All other classes have to stand in the
pass's own `LEFT_OUT`, each with a reason; one for a base class holds for all below it.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cardwright.analysis import wording as labels
from cardwright.compiler import facts
from cardwright.compiler.lower import (
    actions,
    cards,
    collections,
    conditions,
    integers,
    lists,
    locations,
    machine,
    owners,
    points,
    steps,
    storages,
    vectors,
)
from cardwright.game import choice_acts, showing, supposed, supposed_items, supposed_values
from cardwright.interpreter import actions as do
from cardwright.interpreter import cards as card
from cardwright.interpreter import collections as collection
from cardwright.interpreter import conditions as condition
from cardwright.interpreter import integers as integer
from cardwright.interpreter import locations as location
from cardwright.interpreter import owners as owner
from cardwright.interpreter import rules
from cardwright.interpreter import steps as step
from cardwright.interpreter import storages as storage
from cardwright.program import nodes as n
from cardwright.program import rounds, traits, values
from cardwright.program.lint import hidden

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ROLES = (n.Node, n.Expression, n.Condition, n.Action, n.Control)
"""Base classes: no form is one of these alone."""


def below(base: type[n.Node]) -> Iterator[type[n.Node]]:
    """Yield the classes of nodes below a class, without those that slots leave behind."""
    for kind in base.__subclasses__():
        if getattr(n, kind.__name__, None) is kind:
            yield from (kind, *below(kind))


NODES = tuple(kind for kind in below(n.Node) if kind not in ROLES)


@dataclass(frozen=True)
class Pass:
    """A pass over the nodes: where it tells their classes apart, and what it leaves out."""

    name: str
    functions: tuple[Callable[..., object], ...]
    left_out: Mapping[type[n.Node], str]

    def handled(self) -> set[type[n.Node]]:
        """Return the classes that its functions ask for."""
        return {kind for function in self.functions for kind in asked_for(function)}

    def excused(self, kind: type[n.Node]) -> bool:
        """Say whether a class, or one above it, is left out with a reason."""
        return any(base in self.left_out for base in kind.__mro__)


def asked_for(function: Callable[..., object]) -> Iterator[type[n.Node]]:
    """Yield the classes of nodes that a function matches as a whole, or asks for."""
    for part in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(part, ast.match_case):
            yield from map(named, matched(part.pattern))
        elif isinstance(part, ast.Call) and ast.unparse(part.func) == "isinstance":
            written = [w for w in ast.walk(part.args[1]) if isinstance(w, ast.Attribute)]
            yield from (named(inner) for inner in written if ast.unparse(inner.value) == "n")


def matched(pattern: ast.pattern | None) -> Iterator[ast.expr]:
    """Yield the classes of a pattern, not those of what stands in it."""
    match pattern:
        case ast.MatchClass(cls=kind):
            yield kind
        case ast.MatchOr(patterns=patterns):
            for one in patterns:
                yield from matched(one)
        case ast.MatchAs(pattern=inner):
            yield from matched(inner)


def named(written: ast.expr) -> type[n.Node]:
    """Return the class that is written as an attribute of the module of nodes."""
    assert isinstance(written, ast.Attribute)
    found: type[n.Node] = getattr(n, written.attr)
    return found


PASSES = (
    Pass(
        "interpreter",
        (
            rules.Rules._item, step.step, do.action, do._set_points, integer.integer,
            storage.string, storage.points, condition.condition, owner.owner, owner.seat,
            owner.team, card.card, card.source, collection.items, collection.members,
            location.location,
        ),
        rules.LEFT_OUT,
    ),
    Pass(
        "lowering",
        (
            machine.Machine._chain, steps.step, actions._action, points._awards,
            integers.integer, storages.string, points.worth, conditions.condition, owners.owner,
            owners.seat, owners.team, cards.card, cards.source, collections._each_value,
            vectors.members, locations.location, lists.listed,
        ),
        machine.LEFT_OUT,
    ),
    Pass(
        "value bounds",
        (
            values.Values.bounds, values.Values.strings, values.Values.kinds,
            values.Values.is_real, values.Values.real_members,
        ),
        values.LEFT_OUT,
    ),
    Pass(
        "abstract evaluation",
        (
            supposed.Supposition.bag, supposed.Supposition.truth, supposed_values.number,
            supposed_values.text, supposed_values.card, supposed_values.owner,
            supposed_items.items, supposed_items._takes_group, showing._Walk._explore,
        ),
        supposed.LEFT_OUT,
    ),
    Pass(
        "wording of diagrams",
        (
            labels.Wording.condition, labels.Wording.value, labels.Wording._cards,
            labels.Wording.steps, labels.Wording._action,
        ),
        labels.LEFT_OUT,
    ),
    Pass("wording of options", (choice_acts.acts_of, choice_acts._key), choice_acts.LEFT_OUT),
    Pass(
        "hiding",
        (
            hidden._Looker.step, hidden._Looker.test, hidden._Looker._unseen,
            hidden._Looker._places,
        ),
        hidden.LEFT_OUT,
    ),
)  # fmt: skip


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_a_pass_handles_every_form_or_says_why_not(each: Pass) -> None:
    """No class of nodes falls through a pass unnoticed."""
    handled = each.handled()
    forgotten = [k.__name__ for k in NODES if k not in handled and not each.excused(k)]
    assert not forgotten, f"{each.name} neither handles nor leaves out: {', '.join(forgotten)}"


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_what_a_pass_leaves_out_it_does_not_handle(each: Pass) -> None:
    """A reason stands for what is left out, and goes when that is handled after all."""
    assert [k.__name__ for k in each.handled() if k in each.left_out] == []
    assert all(each.left_out.values())


def test_every_form_declares_what_it_may_do() -> None:
    """No class of nodes gets what it is taken for from a base class; `Bad` is never evaluated."""
    silent = [kind for kind in NODES if "traits" not in vars(kind)]
    assert silent == [n.Bad]


def test_a_form_that_declares_nothing_may_do_anything() -> None:
    """What is not known counts as possible, and as no effect to rely on."""
    assert n.Node.traits == traits.Traits(
        may_fail=traits.Failure.POSSIBLE,
        draws=True,
        reads=traits.StatePart.EVERYTHING,
        writes=traits.StatePart.EVERYTHING,
        loops=True,
        acts=False,
    )
    assert all(role.traits is n.Node.traits for role in ROLES)
    assert traits.StatePart.EVERYTHING == ~traits.StatePart.NOTHING


def test_the_effect_analysis_knows_when_forms_fail() -> None:
    """Where a failure depends on values the analysis has a rule for it, and nowhere else."""
    declared = {k for k in NODES if k.traits.may_fail is traits.Failure.BY_VALUES}
    assert set(asked_for(facts.Facts._fails_by_values)) - {n.Variable} == declared


def test_the_rounds_of_every_loop_are_bounded() -> None:
    """Whatever makes rounds has a bound for them: else every such loop would be counted."""
    declared = {k for k in NODES if k.traits.loops} - {n.Bad}
    known = {*asked_for(rounds.Rounds._rounds), *asked_for(rounds._body)}
    assert declared == known - {n.Do, n.Number}
