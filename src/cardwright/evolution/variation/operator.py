"""What all operators share: what they draw from, what they propose, and random choices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from cardwright.evolution.candidate import CandidateChange, ChangeFamily
from cardwright.program.check import holds
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np

    from cardwright.evolution.variation.parsed_rules import ParsedRules
    from cardwright.evolution.variation.sites import RuleSite, Suits
    from cardwright.game.settings import Settings, Values
    from cardwright.program.constants import Constant

RULES = frozenset({ChangeFamily.SCORING, ChangeFamily.DECK, ChangeFamily.STEPS})
"""The families of all rules but the declared constants."""

TRIES = 8
"""How many pairs of a part and a place are drawn until one fits."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class ConstantValues:
    """The values of constants by name, those that follow from others, and what all must meet.

    For a list, the values are those of its items. A constant that is not named may have any value.
    The `requires` are conditions in RECYCLE. It can be hashed and sent to other processes.
    """

    values: tuple[tuple[str, Any], ...] = ()
    derived: frozenset[str] = frozenset()
    requires: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Take values as JSON has them, too: lists, and ranges as their ends."""
        values = tuple((name, _values_of(one)) for name, one in self.values)
        object.__setattr__(self, "values", values)

    @classmethod
    def of(cls, settings: Settings) -> ConstantValues:
        """Return what the file beside a game says of its constants."""
        listed = tuple(
            (name, setting.values) for name, setting in settings.declared.items() if setting.values
        )
        derived = frozenset(name for name, setting in settings.declared.items() if setting.derived)
        return cls(listed, derived, tuple(form.condition for form in settings.requires))

    def listed(self, name: str) -> Values:
        """Return the values that a constant may have; none for any."""
        values: Values = dict(self.values).get(name, ())
        return values

    def allowed(self, constants: Mapping[str, Constant]) -> bool:
        """Return whether the values of all constants go together.

        A condition that cannot be told, as it names a constant that the rules no longer have, rules
        nothing out.
        """
        return not any(_broken(condition, constants) for condition in self.requires)


def _values_of(data: Any) -> Values:
    if isinstance(data, dict):
        return range(data["from"], data["to"] + 1)
    return data if isinstance(data, range) else tuple(data)


def _broken(condition: str, constants: Mapping[str, Constant]) -> bool:
    try:
        return not holds(condition, constants)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that may be made of a text; it need not pass the check.

    The `edits` are all that is to be done. For people, `span` is the place in the text that is
    changed, and `after` what stands there then; the text before is that of the span. `source` names
    the candidate that the new text is from, if that is another one.
    """

    family: ChangeFamily
    edits: tuple[Edit, ...]
    span: Span
    after: str
    source: str = ""

    def change(self, operator: str, rules: ParsedRules) -> CandidateChange:
        """Return the change as it is recorded, made by an operator of this name."""
        line = rules.source.line_at(self.span.start)
        before = rules.source.at(self.span)
        return CandidateChange(operator, self.family, line, before, self.after, self.source)


@dataclass(frozen=True, slots=True)
class VariationDraw:
    """What an operator draws from: the rules to be changed, other games, and all of its chance.

    Only `families` may be changed; `donors` are other games, of which parts may be taken, and
    `constants` the values that declared constants may have.
    """

    rules: ParsedRules
    families: frozenset[ChangeFamily]
    random: np.random.Generator
    donors: Sequence[ParsedRules] = ()
    constants: ConstantValues = field(default_factory=ConstantValues)

    def sites(self, suits: Suits) -> tuple[RuleSite, ...]:
        """Return the sites of the rules that suit and may be changed."""
        return self.rules.chosen(suits, self.families)

    def one_of(self, items: Sequence[_Item]) -> _Item:
        """Draw one of some items, each as likely; raises ValueError if there is none."""
        return items[int(self.random.integers(len(items)))]

    def any_of(self, items: Sequence[_Item]) -> _Item | None:
        """Draw one of some items, or None if there is none."""
        return self.one_of(items) if items else None

    def coin(self) -> bool:
        """Toss a coin."""
        return self.random.random() < 0.5


OperatorFunction: TypeAlias = "Callable[[VariationDraw], Proposal | None]"
"""One way to change rules: it proposes a change, None if there is none.

The result differs from the text, as far as can be said without a check. An operator has no state:
what it proposes follows from its argument.
"""


def on_site(
    suits: Suits,
) -> Callable[[Callable[[VariationDraw, RuleSite], Proposal | None]], OperatorFunction]:
    """Make an operator of a function that changes a given site: one of those that suit."""

    def decorated(change: Callable[[VariationDraw, RuleSite], Proposal | None]) -> OperatorFunction:
        def operator(draw: VariationDraw) -> Proposal | None:
            site = draw.any_of(draw.sites(suits))
            return None if site is None else change(draw, site)

        operator.__doc__ = change.__doc__
        return operator

    return decorated


def replaced(site: RuleSite, text: str, source: str = "") -> Proposal:
    """Return the proposal to put a text in the place of a site."""
    return Proposal(site.family, (Edit(site.span, text),), site.span, text, source)


def inserted(site: RuleSite, text: str, *, before: bool = False, source: str = "") -> Proposal:
    """Return the proposal to put a text beside a site."""
    at = site.span.start if before else site.span.end
    edit = Edit(Span(at, at), f"{text} " if before else f" {text}")
    return Proposal(site.family, (edit,), edit.span, text, source)


def spliced(rules: ParsedRules, span: Span, edits: Sequence[Edit]) -> str:
    """Return the text of a span once the edits within it are made."""
    text = rules.source.at(span)
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        start, end = edit.span.start - span.start, edit.span.end - span.start
        text = text[:start] + edit.text + text[end:]
    return text


def near_number(number: int, others: Sequence[int], random: np.random.Generator) -> int:
    """Draw a number of 0 or more in the place of another.

    In four of ten cases it is one step away, in two more two or three steps; else the double or the
    half, one of the `others`, or a number between a quarter and four times as much, where small
    factors are as frequent as large ones. It may be the number itself, where nothing else is found.

    A step is 1, and of large numbers a twentieth: 299 in the place of 300 would be no other game.
    """
    unit = max(1, round(number / 20))
    way = random.random()
    if way < 0.4:
        return max(0, number + (unit if random.random() < 0.5 else -unit))
    if way < 0.6:
        step = unit * int(random.integers(2, 4))
        return max(0, number + (step if random.random() < 0.5 else -step))
    if way < 0.76:
        return number * 2 if random.random() < 0.5 else number // 2
    if way < 0.88 and others:
        return others[int(random.integers(len(others)))]
    return round(number * 4 ** random.uniform(-1, 1))
