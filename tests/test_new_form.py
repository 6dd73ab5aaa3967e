"""What a new form needs: every pass knows it or says why not, and every place is written down.

A pass is asked through the functions in which it tells classes of nodes apart: what they match,
and what they ask for by `isinstance`, is what it handles. All other classes have to stand in the
pass's own `LEFT_OUT`, each with a reason; one for a base class holds for all below it.

The interpreter needs no such test: what it matches are the unions at the end of `program/nodes.py`,
to the end, so mypy names what is missing there. Here the unions are compared with the table.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

from cardwright.analysis.diagrams import stages as labels
from cardwright.compiler.lower import (
    actions,
    cards,
    choices,
    collections,
    conditions,
    integers,
    locations,
    machine,
    owners,
    points,
    storages,
)
from cardwright.game import choice_acts, deduction
from cardwright.program import (
    abstract_state,
    effects,
    game_bounds,
    nodes as n,
    outline,
    places,
    rounds,
)
from cardwright.program.abstract_state import ANY_INTEGER
from cardwright.program.cards import LocationKind
from cardwright.program.check import check
from cardwright.program.forms import SHAPES
from cardwright.program.kinds import ValueKind
from cardwright.program.known_values import conceals
from cardwright.program.limits import FEW_ROUNDS
from cardwright.program.lint import visibility
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cardwright.program.forms import FormShape
    from cardwright.program.program import Program

ROLES = (n.Node, n.Expression, n.IntegerExpression, n.Condition, n.Action, n.Control)
"""Base classes: no form is one of these alone."""


def below(base: type[n.Node]) -> Iterator[type[n.Node]]:
    """Yield the classes of nodes below a class, without those that slots leave behind."""
    for kind in base.__subclasses__():
        if getattr(n, kind.__name__, None) is kind:
            yield from (kind, *below(kind))


NAMES = {kind.__name__ for kind in below(n.Node)}
"""The names of classes, by which their own module asks for them."""

NODES = tuple(kind for kind in below(n.Node) if kind not in ROLES)


@dataclass(frozen=True)
class Pass:
    """A pass over the nodes: where it tells their classes apart, and what it leaves out."""

    name: str
    functions: tuple[Callable[..., object], ...]
    left_out: Mapping[type[n.Node], str]
    table: Mapping[type[n.Node], object] = field(default_factory=dict)

    def handled(self) -> set[type[n.Node]]:
        """Return the classes that its functions ask for, and those of its table."""
        asked = {kind for function in self.functions for kind in asked_for(function)}
        return asked | set(self.table)

    def excused(self, kind: type[n.Node]) -> bool:
        """Say whether a class, or one above it, is left out with a reason.

        Analyses take an integer that they do not know for any; only engines have to know all.
        """
        if issubclass(kind, n.IntegerExpression) and self.name != "lowering":
            return True
        return any(base in self.left_out for base in kind.__mro__)


def asked_for(function: Callable[..., object]) -> Iterator[type[n.Node]]:
    """Yield the classes of nodes that a function matches as a whole, or asks for."""
    yield from classes(textwrap.dedent(inspect.getsource(function)))


def classes(text: str) -> Iterator[type[n.Node]]:
    """Yield the classes of nodes that some code matches as a whole, or asks for."""
    for part in ast.walk(ast.parse(text)):
        written: list[ast.AST] = []
        if isinstance(part, ast.match_case):
            written = list(matched(part.pattern))
        elif isinstance(part, ast.Call) and ast.unparse(part.func) == "isinstance":
            written = list(ast.walk(part.args[1]))
        for one in written:
            if isinstance(one, ast.Attribute) and ast.unparse(one.value) == "n":
                yield getattr(n, one.attr)
            elif isinstance(one, ast.Name) and one.id in NAMES:
                yield getattr(n, one.id)


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


EVALUATION = (
    abstract_state.AbstractState.owners, abstract_state.AbstractState.integer,
    abstract_state.AbstractState.words, abstract_state.AbstractState.truth,
    abstract_state.AbstractState.locations, abstract_state.AbstractState.items,
)  # fmt: skip
"""What is shared by the passes that evaluate forms in states of which not all is known."""

PASSES = (
    Pass(
        "lowering",
        (
            machine.MachineLowering._chain, actions.step, actions._action, points._awards,
            integers.integer, storages.string, storages.cell, conditions.condition, owners.owner,
            owners.seat, owners.team, cards.card, cards.source, collections._each_value,
            collections.members, locations.location,
        ),
        machine.LEFT_OUT,
    ),
    Pass(
        "value bounds",
        (
            effects.EffectAnalysis.bounds, effects.EffectAnalysis.strings,
            effects.EffectAnalysis.kinds, n.card_sources, effects.EffectAnalysis.is_real,
            effects.EffectAnalysis.real_members,
        ),
        effects.LEFT_OUT,
    ),
    Pass(
        "deduction",
        (
            *EVALUATION, deduction._Choosing.card, deduction._Choosing._has_group,
            deduction._Choosing._explore,
        ),
        deduction.LEFT_OUT,
    ),
    Pass(
        "wording of diagrams",
        (
            labels.StageWording.condition, labels.StageWording.value, labels.StageWording.steps,
            labels.StageWording._action,
        ),
        labels.LEFT_OUT,
        labels.WORDS,
    ),
    Pass("wording of options", (choice_acts.acts_of, choice_acts._key), choice_acts.LEFT_OUT),
    Pass(
        "hiding",
        (
            visibility._Looker.step, visibility._Looker.test, visibility._Looker._unseen,
            visibility._Looker._places,
        ),
        visibility.LEFT_OUT,
    ),
    Pass(
        "order of places",
        (places.place_order, places._read, places._spared, places._places),
        places.LEFT_OUT,
    ),
    Pass(
        "bounds of games",
        (
            *EVALUATION, outline.StateOutline.awarded, outline.StateOutline.card,
            outline.StateOutline.locations, outline.StateOutline.items, game_bounds._Walk._run,
            game_bounds._Walk._act,
            game_bounds._Walk._item,
        ),
        game_bounds.LEFT_OUT,
    ),
)  # fmt: skip


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_a_pass_handles_every_form_or_says_why_not(each: Pass) -> None:
    """No class of nodes falls through a pass unnoticed."""
    handled = each.handled()
    forgotten = [k.__name__ for k in NODES if k not in handled and not each.excused(k)]
    assert not forgotten, (
        f"{each.name} neither handles nor leaves out: {', '.join(forgotten)}; add it there, or to "
        f"LEFT_OUT with the reason: CONTRIBUTING says where"
    )


@pytest.mark.parametrize("each", PASSES, ids=lambda each: each.name)
def test_what_a_pass_leaves_out_it_does_not_handle(each: Pass) -> None:
    """A reason stands for what is left out, and goes when that is handled after all."""
    assert [k.__name__ for k in each.handled() if k in each.left_out] == []
    assert all(each.left_out.values())


def test_every_form_declares_what_it_may_do() -> None:
    """No class of nodes gets what it is taken for from a base class; `Bad` is never evaluated."""
    silent = [kind for kind in NODES if "traits" not in vars(kind)]
    assert silent == [n.ErrorNode]


def test_a_form_that_declares_nothing_may_do_anything() -> None:
    """What is not known counts as possible, and as no effect to rely on."""
    assert n.Node.traits == n.Traits(
        may_fail=n.Failure.POSSIBLE,
        draws=True,
        reads=n.StatePart.EVERYTHING,
        writes=n.StatePart.EVERYTHING,
        loops=True,
        acts=False,
    )
    assert all(role.traits is n.Node.traits for role in ROLES)
    assert n.StatePart.EVERYTHING == ~n.StatePart.NOTHING


def test_the_effect_analysis_knows_when_forms_fail() -> None:
    """Where a failure depends on values the analysis has a rule for it, and nowhere else."""
    declared = {k for k in NODES if k.traits.may_fail is n.Failure.BY_VALUES}
    assert set(asked_for(effects.EffectAnalysis._fails_by_values)) - {n.Variable} == declared


def test_the_rounds_of_every_loop_are_bounded() -> None:
    """Whatever makes rounds has a bound for them: else every such loop would be counted."""
    declared = {k for k in NODES if k.traits.loops} - {n.ErrorNode}
    known = set(asked_for(rounds.Rounds._rounds))
    names = sorted(k.__name__ for k in declared ^ (known - {n.Do, n.Number}))
    assert not names, f"program/rounds.py bounds what makes rounds, in _rounds: {names}"


def test_steps_are_known_wherever_options_are_found() -> None:
    """A step may have an `any` in it: what explores, tries, counts and proves options knows all."""
    steps_of_choices = {kind for kind in NODES if issubclass(kind, n.Control)} - {
        n.Choice,
        n.Stage,
        n.Fork,
    }
    for function in (
        choices.Choosing._run,
        n.links,
        rounds.Rounds._count_paths,
        deduction._Choosing._explore,
    ):
        assert steps_of_choices <= set(asked_for(function)), function.__qualname__


UNIONS = {
    ValueKind.INTEGER: n.IntegerForm,
    ValueKind.STRING: n.StringForm,
    ValueKind.BOOLEAN: n.ConditionForm,
    ValueKind.PLAYER: n.PlayerForm,
    ValueKind.TEAM: n.TeamForm,
    ValueKind.CARD: n.CardForm,
    ValueKind.LOCATION: n.LocationForm,
    ValueKind.LOCATIONS: n.LocationsForm,
    **dict.fromkeys(
        (ValueKind.PLAYERS, ValueKind.TEAMS, ValueKind.INTEGERS, ValueKind.STRINGS), n.ListForm
    ),
    ValueKind.ACTION: n.ActionForm,
}


def test_every_row_is_in_the_union_of_what_it_gives() -> None:
    """What the engines match to the end has every class that the table makes, and no other."""
    atoms = {n.Number, n.Text, n.Strings, n.Variable, n.Truth}
    for kind, union in UNIONS.items():
        made = {node_class(shape) for shape in SHAPES if shape.result & kind}
        allowed = set(get_args(union)) - atoms - {n.Filter, n.Everyone}
        if union is n.ListForm:
            assert made & set(NODES) <= set(get_args(union)), kind
        else:
            assert made & set(NODES) - {n.Filter, n.Everyone} == allowed, kind


def test_the_unions_of_actions_and_steps_have_all_of_them() -> None:
    """Every action and step is in its union; blocks stand apart."""
    blocks = {n.Choice, n.Stage, n.Fork}
    assert set(get_args(n.ActionForm)) == {kind for kind in NODES if issubclass(kind, n.Action)}
    steps_below = {kind for kind in NODES if issubclass(kind, n.Control)}
    assert set(get_args(n.StepForm)) == steps_below - blocks


def node_class(shape: FormShape) -> object:
    """Return the class of nodes that a row makes."""
    return shape.node.func if isinstance(shape.node, partial) else shape.node


# The list of places -----------------------------------------------------------------------

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src/cardwright"

ELSEWHERE = {
    "program/elaborate.py": "variables, mistakes and the `any` of a choice",
    "compiler/card_choices.py": "from what cards are picked; any other form rules it out",
    "envs/openspiel/sizes.py": "how many outcomes a draw may have: any other form draws cards",
    "program/exclusive.py": "a condition that it does not know holds or does not",
    "compiler/figures.py": "the choices of a program, counted",
    "table/displays.py": "the names of storages, which begin empty",
    "table/open_rules.py": "where stages end and choices are forked; places are told by traits",
    "table/trick_facts.py": "how tricks are won: where it knows a form not, nothing is claimed",
    "authoring/rule_difference/comparison.py": (
        "awards, which belong together by their cards; the rest part by part; "
        "whose kind does not say what they are; what has names"
    ),
    "authoring/rule_difference/sentences.py": (
        "where a difference stands, and awards; anything else is shown as written"
    ),
    "evolution/variation/cards.py": (
        "the awards of point maps, which are no forms; "
        "how many cards are dealt, where that is written out"
    ),
    "evolution/variation/naming.py": "how locations and storages are named in another game",
    "evolution/variation/sites.py": "what is scored and dealt; all other steps are alike",
    "evolution/variation/steps.py": (
        "where stages end; what has branches, and conditions that are joined"
    ),
    "evolution/variation/parsed_rules.py": "what strings are compared with, or stored in",
    "game/actions/columns.py": "any other collection has any cards and groups, perhaps unseen",
    "game/actions/numbering.py": "where picks come first; words, else the names of classes",
    "game/native/histories.py": "shuffles, of all that draws",
    "game/native/decode.py": "the awards of point maps, which are no forms",
    "program/known_values.py": "what everybody sees; of anything else nothing is told",
    "game/actions/observation.py": "the names of locations, for columns",
    "hearts/kernel_words.py": "where Hearts has its pile",
    "authoring/position.py": "what storages and locations a position can name",
    "editor/expected.py": "whether what is there is a storage, or a mistake",
    "program/symbols.py": "the names of point maps in older files",
    "authoring/settings_check.py": "the names of locations and storages, for words",
    "game/wording/form_words.py": "conditions that are said by their opposite",
    "game/wording/expressions.py": "places that are only counted; any other shows their cards",
    "game/wording/naming.py": "the names of locations, for a table",
    "table/referee.py": "the names of storages; what is hidden follows from traits",
    "program/telling.py": "what reads hidden cards: of any other form nothing is claimed",
    "program/value_lists.py": "the awards of point maps, which are no forms",
    "program/program.py": "where a deal begins, and what the chooser surely sees: nothing else",
    "program/expansion.py": "what an extension is explained by, and the steps of a choice",
    "program/plain_forms.py": "the plain text of extensions: of any other card it is remembered",
    "program/check.py": "variables and mistakes, of whatever form",
    "program/context.py": "variables, of which others may not know the value",
    "program/fitting.py": "whether what is given is a storage",
    "program/frame.py": "players and teams by number",
    "program/setup.py": "the locations of decks, and mistakes",
}
"""Files that ask for classes of nodes and need not be visited for a new form, with the reason."""

UNWRITTEN = {
    n.ErrorNode: "it stands for a form with a mistake in it",
    n.Number: "an atom",
    n.Text: "an atom",
    n.Strings: "a list of atoms",
    n.Variable: "an atom",
    n.Table: "an atom",
    n.Truth: "a test that declared constants settle",
    n.Award: "a part of a point map",
}
"""Classes of nodes that no row of the table of forms makes, with the reason."""


def places(*, must: bool = False) -> list[str]:
    """Return the files and folders that CONTRIBUTING names for a new form, or for every one."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text.split("## A new form\n")[1].split("\n## ")[0]
    section = section.split("\n### ")[0] if must else section
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    return [place for row in rows for place in re.findall(r"`(.*?)`", row.split("|")[1])]


def path_of(place: str) -> Path:
    outside = place.startswith(("tests/", "docs/")) or place == "CHANGELOG.md"
    return ROOT / place if outside else SOURCES / place


def test_every_place_of_the_list_is_there() -> None:
    """CONTRIBUTING names no file that has gone."""
    assert len(places()) == len(set(places())) > 20
    assert len(set(places(must=True))) <= 8
    assert [place for place in places() if not path_of(place).exists()] == []


def test_the_list_has_every_place() -> None:
    """What tells classes of nodes apart is on the list, or is told here to be no place for it."""
    listed = [path_of(place) for place in places()]
    missing = []
    for file in sorted(SOURCES.rglob("*.py")):
        if file in listed or any(parent in listed for parent in file.parents):
            continue
        text = file.read_text()
        if "nodes as n\n" in text and any(classes(text)):
            missing.append(str(file.relative_to(SOURCES)))
    assert missing == sorted(ELSEWHERE)


def test_every_form_has_been_to_the_places_of_the_list() -> None:
    """Each class has a row, or needs none; each row's word and pattern are in the pages."""
    made = {node_class(shape) for shape in SHAPES}
    assert set(NODES) - made == set(UNWRITTEN)
    reference, language = (
        path_of(place).read_text() for place in ("docs/forms.md", "docs/language.md")
    )
    patterns = {shape.pattern for shape in SHAPES}
    missing = [p for p in patterns if f"`{p}`".replace("|", "\\|") not in reference]
    assert not missing, f"not in docs/forms.md: {missing}; run scripts/docs"
    words = {word for p in patterns for word in re.findall(r"[a-z]+", p)}
    unknown = [word for word in words if not re.search(rf"\b{word}\b", language)]
    assert not unknown, f"not in docs/language.md: {unknown}"


# What says nothing ------------------------------------------------------------------------


class Unheard(n.IntegerExpression):
    """A form of which nothing is declared, and that no pass knows."""


class UnheardAction(n.Action):
    """An action of which nothing is declared."""


def small_program() -> Program:
    text = """(game (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
      (do ((shuffle (game iloc STOCK)))) (scoring max 0))"""
    program = check(Source("small.rcy", text)).program
    assert program is not None
    return program


def test_what_no_pass_knows_is_taken_for_the_worst() -> None:
    """A form that no pass has heard of may fail, draw, read hidden cards and go on for long."""
    program = small_program()
    span = program.score.span
    form, action = Unheard(ValueKind.INTEGER, span), UnheardAction(ValueKind.ACTION, span)
    known = effects.EffectAnalysis(program)
    for each in (form, action):
        assert known.draws(each)
        assert known.fails(each)
        assert conceals(each)
        assert program.rounds.bound(each) > FEW_ROUNDS
    assert not known.always_acts(action)
    assert n.writes(action) == n.StatePart.EVERYTHING
    assert known.takes(action)
    assert known.bounds(form) == ANY_INTEGER
    assert known.kinds(form) == frozenset(LocationKind)
    assert known.late(Unheard(ValueKind.LOCATIONS, span))
