"""Differences between trees, put into sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.version import (
    ChangeKind,
    RuleChange,
    brief,
    capital,
    instead,
)
from cardwright.authoring.rule_difference.words import OptionWords
from cardwright.game.errors import override_text
from cardwright.game.wording.naming import plain_word
from cardwright.game.wording.phrases import listed
from cardwright.program import nodes as n
from cardwright.program.expansion import Labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.authoring.rule_difference.comparison import Found, Part, RuleName
    from cardwright.authoring.rule_difference.version import Version
    from cardwright.authoring.rule_difference.words import ValueWords
    from cardwright.game.wording.phrases import GameWords


def award_change(before: Part | None, after: Part | None, old: ValueWords, new: ValueWords) -> str:
    """Return what cards count instead, now or no longer; a part is None on a side without it."""
    if before is None or after is None:
        part, words = (before, old) if after is None else (after, new)
        assert part is not None
        cards, points, where = _said(part, words)
        if _others(part):
            less = "less" if after is None else "more"
            return f"{capital(cards)} counts {points} {less}{where}."
        verb = "no longer counts" if after is None else "now counts"
        return f"{capital(cards)} {verb} {points}{where}."
    cards, points, where = _said(after, new)
    cards_before, points_before, _ = _said(before, old)
    if cards == cards_before:
        return f"{capital(cards)} counts {points} instead of {points_before}{where}."
    if points == points_before:
        return f"{capital(cards)} counts {points}{where}, instead of {cards_before}."
    return (
        f"{capital(cards)} counts {points}{where}; before, {cards_before} counted {points_before}."
    )


def _said(part: Part, words: ValueWords) -> tuple[str, str, str]:
    """Return the cards of an award, its points, and in which map, if there are several."""
    award = part.node
    assert isinstance(award, n.Award)
    maps = [node for node in words.version.nodes if isinstance(node, n.SetPoints)]
    own = part.parent.node if part.parent is not None else None
    several = len({words.map_name(one.storage) for one in maps}) > 1
    where = f" in {words.map_name(own.storage)}" if several and isinstance(own, n.SetPoints) else ""
    return award_cards(award, words), words.value(award.points), where


def _others(part: Part) -> bool:
    """Return whether another award of the same map is for the same cards."""
    around = part.parent.field("awards") if part.parent is not None else ()
    mine = _digests(part)
    return any(_digests(one) == mine for one in around if one is not part)


def _digests(part: Part) -> list[int]:
    return [one.digest for name in ("keys", "values") for one in part.field(name)]


def _one_card(award: n.Award, words: ValueWords) -> str:
    """Return the name of the cards for which an award is, if it is one name."""
    wanted = {
        key.value: value.value
        for key, value in zip(award.keys, award.values, strict=True)
        if isinstance(key, n.Text) and isinstance(value, n.Text)
    }
    cards = [
        card
        for card in words.version.program.cards
        if all(card.attributes.get(key) == value for key, value in wanted.items())
    ]
    names = {words.people.card(card) for card in cards}
    if len(names) != 1 or len(wanted) != len(award.keys):
        return ""
    return words.people.cards.single(cards[0]) if len(cards) == 1 else f"each {names.pop()}"


def award_cards(award: n.Award, words: ValueWords) -> str:
    """Return the cards for which an award is: `the queen of spades`, or `each heart`."""
    if not all(isinstance(key, n.Text) for key in award.keys):
        return f"each card of {words.code(award)}"
    pairs = {
        key.value: words.value(value)
        for key, value in zip(award.keys, award.values, strict=True)
        if isinstance(key, n.Text)
    }
    named = _one_card(award, words)
    if named:
        return named
    if pairs.keys() == {"RANK", "SUIT"}:
        return f"the {pairs['RANK']} of {pairs['SUIT']}"
    if pairs.keys() == {"RANK"}:
        return f"each {pairs['RANK']}"
    if pairs.keys() == {"SUIT"}:
        return f"each card of {pairs['SUIT']}"
    told = [f"whose {plain_word(key)} is {value}" for key, value in pairs.items()]
    return f"each card {listed(told)}" if told else "each card"


_LONG = 160
"""Longest words for a rule, in characters; of what is longer only what differs is told."""

_WHOLE = 100
"""The same where the rule is told as it was before, too."""

_NEIGHBOUR = 70
"""Longest words for a step that says where another one stands."""

_CODE = 120
"""Longest excerpt of rules in a sentence."""

_STATEMENT = n.Action | n.Control | n.Award
_CLIMBED = n.Repeat | n.RepeatAll | n.ForEach | n.Let | Labelled
_ROLES = {
    "end": (n.Stage,),
    "test": (n.When, n.Fork),
    "collection": (n.ForEach,),
    "value": (n.Let,),
}
"""Parts of steps that are told on their own, by the fields that hold them."""


class Sentences:
    """Says the differences between two versions."""

    def __init__(
        self,
        before: Version,
        after: Version,
        words: tuple[GameWords, GameWords],
        renamed: Mapping[RuleName, str],
    ) -> None:
        self._before, self._after = before, after
        self._old, self._new = OptionWords(before, words[0], renamed), OptionWords(after, words[1])

    def of(self, found: Iterable[Found]) -> Iterator[RuleChange]:
        """Yield the changes, in the order of the rules; one made by a definition is told once."""
        told: set[tuple[object, ...]] = set()
        changes = [self._change(one) for one in sorted(found, key=_order)]
        # A variable that is bound elsewhere now is told by what binds it.
        apart = [one for one in changes if one.before != one.after or one.kind is ChangeKind.MOVED]
        for change in apart or changes:
            key = (change.kind, change.before, change.after, change.line_before, change.line_after)
            if key not in told:
                told.add(key)
                yield change

    def _change(self, one: Found) -> RuleChange:
        sentence, before, after = self._told(one)
        sentence += self._values(one)
        old = before.node.span if before is not None else None
        new = after.node.span if after is not None else None
        return RuleChange(
            one.kind,
            sentence,
            self._before.excerpt(old) if old is not None else "",
            self._after.excerpt(new) if new is not None else "",
            self._before.line(old) if old is not None else None,
            self._after.line(new) if new is not None else None,
        )

    def _values(self, one: Found) -> str:
        """Return the value of a constant that takes the place of a number, or has it taken."""
        for version, part in ((self._before, one.before), (self._after, one.after)):
            name = version.constant(part.node) if part is not None else None
            if name is not None and one.before is not None and one.after is not None:
                return f" Here {name} is {override_text(version.values[name])}."
        return ""

    def _told(self, one: Found) -> tuple[str, Part | None, Part | None]:
        """Return the sentence of a difference, and the parts that it is about."""
        before, after = one.before, one.after
        if before is not None and after is not None:
            if one.swapped:
                return self._swapped(after), before, after
            if one.kind is ChangeKind.MOVED and isinstance(after.node, _STATEMENT):
                return self._moved(after), before, after
            if one.kind is ChangeKind.MOVED:
                before, after = before.parent or before, after.parent or after
            return self._changed(before, after, one.kept)
        part = after or before
        assert part is not None
        if isinstance(part.node, n.Award):
            return award_change(before, after, self._old, self._new), before, after
        if not isinstance(part.node, _STATEMENT) and part.parent is not None and one.around:
            both = (one.around, part.parent) if after is not None else (part.parent, one.around)
            return self._changed(*both, None)
        return self._alone(part, new=after is not None), before, after

    # What stands on both sides ------------------------------------------------------------

    def _changed(
        self, before: Part, after: Part, kept: tuple[Part, Part] | None
    ) -> tuple[str, Part, Part]:
        """Return the sentence for a part that became another, and what of the rules it tells."""
        told = self._conditional(before, after, kept)
        if told:
            return told, before, after
        old, new = _statement(before), _statement(after)
        while (
            isinstance(old.parent.node if old.parent else None, _CLIMBED)
            and old.parent is not None
            and new.parent is not None
            and type(old.parent.node) is type(new.parent.node)
            and max(len(self._old.deed(old.parent.node)), len(self._new.deed(new.parent.node)))
            <= _LONG
        ):
            old, new = old.parent, new.parent
        sentence = self._statement_change(old, new)
        if sentence:
            return sentence, old, new
        return self._as_written(before, after, new), before, after

    def _statement_change(self, old: Part, new: Part) -> str:
        """Return the sentence for two versions of a rule; nothing if words do not tell them apart.

        The two may be too long to be read, or read the same.
        """
        if isinstance(old.node, n.Award) and isinstance(new.node, n.Award):
            told = award_change(old, new, self._old, self._new)
            same = award_cards(old.node, self._old) == award_cards(new.node, self._new)
            points = self._old.value(old.node.points), self._new.value(new.node.points)
            return "" if same and points[0] == points[1] else told
        texts = self._text(old, self._old), self._text(new, self._new)
        if texts[0] == texts[1]:
            return ""
        alone = not new.role or new.role not in _ROLES or isinstance(new.node, _STATEMENT)
        shortly = instead(*texts) if alone and max(map(len, texts)) <= _LONG else ""
        if shortly and not _in_choice(new) and not isinstance(new.node, n.Expression):
            return shortly
        if max(map(len, texts)) > _WHOLE:
            return ""
        if new.role == "end" and old.role == "end":
            return f"A stage ends when {texts[1]}, not when {texts[0]}."
        if new.role == "test" and new.parent is not None and old.role == "test":
            return self._tested(new.parent, *texts)
        if new.parent is None and isinstance(new.node, n.Expression):
            return _either(*(f"the score is {text}" for text in texts))
        if new.role == "collection" and isinstance(new.node, n.Expression):
            return f"A step is done for {texts[1]} instead of {texts[0]}."
        if new.role == "value" and isinstance(new.node, n.Expression):
            parent = new.parent.node if new.parent is not None else None
            name = self._new.own_name(parent.variable) if isinstance(parent, n.Let) else "a value"
            return f"{capital(name)} is {texts[1]} instead of {texts[0]}."
        if _in_choice(new) and _in_choice(old):
            return _either(*(f"a player may {text}" for text in texts))
        return _either(*texts)

    def _tested(self, step: Part, old: str, new: str) -> str:
        """Return the sentence for a step that has another condition."""
        body = step.children[1] if len(step.children) > 1 else step
        text = brief(self._text(body, self._new, step), _NEIGHBOUR)
        if _in_choice(step):
            return f"A player may {text} if {new}, not if {old}."
        return f"“{capital(text)}” happens if {new}, not if {old}."

    def _conditional(self, before: Part, after: Part, kept: tuple[Part, Part] | None) -> str:
        """Return the sentence for a step that came under a condition, or went from under one."""
        if kept is None:
            return ""
        for whole, part, words, new in (
            (after, kept[1], self._new, True),
            (before, kept[0], self._old, False),
        ):
            if isinstance(whole.node, n.When | n.Fork) and part.parent is whole:
                if part.role == "test":
                    continue
                text = brief(self._text(part, words, whole), _NEIGHBOUR)
                test = words.clause(whole.node.test)
                if _in_choice(whole):
                    verb = "may only" if new else "may always"
                    only = f" if {test}" if new else f", not only if {test}"
                    return f"A player {verb} {text}{only}."
                verb = "happens only if" if new else "always happens, not only if"
                return f"“{capital(text)}” {verb} {test}."
        return ""

    def _as_written(self, before: Part, after: Part, unit: Part) -> str:
        """Return the sentence for parts of rules that are told by themselves or as code."""
        where = self._where(unit)
        old, new = before, after
        texts = self._text(old, self._old), self._text(new, self._new)
        while not (_is_rule(old) or _is_rule(new)) and old.parent and new.parent:
            if type(old.parent.node) is not type(new.parent.node):
                break
            wider = self._text(old.parent, self._old), self._text(new.parent, self._new)
            if isinstance(new.parent.node, n.Logic) or max(map(len, wider)) > _LONG:
                break
            old, new, texts = old.parent, new.parent, wider
        if texts[0] != texts[1] and isinstance(new.node, n.Action) and new is unit:
            return _either(*texts)
        if texts[0] != texts[1] and max(map(len, texts)) <= _LONG:
            return f"{where}, “{texts[0]}” became “{texts[1]}”."
        codes = self._before.excerpt(before.node.span), self._after.excerpt(after.node.span)
        shorter = brief(codes[0], _CODE), brief(codes[1], _CODE)
        if shorter[0] == shorter[1]:
            shorter = codes
        return f"{where}, `{shorter[0]}` became `{shorter[1]}`."

    def _where(self, unit: Part) -> str:
        """Return where in the rules a part stands, as the beginning of a sentence."""
        if unit.role == "end" or (unit.parent is not None and unit.parent.role == "end"):
            return "In what ends a stage"
        if unit.parent is None:
            return "In the score" if isinstance(unit.node, n.Expression) else "In the rules"
        if unit.role == "test":
            body = unit.parent.children[1]
            text = brief(self._text(body, self._new, unit.parent), _NEIGHBOUR)
            return f"In the condition of “{text}”"
        step = unit if isinstance(unit.node, _STATEMENT) else unit.parent
        return f"In “{brief(self._text(step, self._new), _NEIGHBOUR)}”"

    # What stands on one side, or elsewhere ------------------------------------------------

    def _alone(self, part: Part, *, new: bool) -> str:
        """Return the sentence for a step that is new or gone."""
        words = self._new if new else self._old
        text = brief(self._text(part, words), _LONG)
        if _in_choice(part):
            return f"A player may {'also' if new else 'no longer'} {text}."
        if part.role == "otherwise" and part.parent is not None:
            assert isinstance(part.parent.node, n.Fork)
            test = words.clause(part.parent.node.test, negated=True)
            return f"If {test}, {text if new else 'nothing happens; before, ' + text}."
        twice = _twin(part)
        if new and twice:
            return f"A step is done twice: {text}."
        if not new and twice:
            return f"A step is done once instead of twice: {text}."
        what = {n.Stage: "stage", n.Choice: "decision"}.get(type(part.node), "step")
        if new:
            return f"There is a new {what}{self._beside(part)}: {text}."
        return f"A {what} is gone: {text}."

    def _swapped(self, after: Part) -> str:
        assert isinstance(after.node, n.When | n.Fork)
        test = brief(self._new.clause(after.node.test), _LONG)
        return f"What happens if {test}, and what happens otherwise, have changed places."

    def _moved(self, after: Part) -> str:
        text = brief(self._text(after, self._new), _LONG)
        if isinstance(after.node, n.Award):
            return f"The value of {text} is added elsewhere{self._beside(after)}."
        return f"“{capital(text)}” now comes{self._beside(after).replace(',', '') or ' elsewhere'}."

    def _beside(self, part: Part) -> str:
        """Return after or before which step a step stands; nothing if that takes too many words."""
        around = [one for one in part.siblings if one.role == part.role]
        at = next((i for i, one in enumerate(around) if one is part), 0)
        for word, near in (("after", around[at - 1 : at]), ("before", around[at + 1 : at + 2])):
            for one in near if at or word == "before" else ():
                return f", {word} “{brief(self._text(one, self._new), _NEIGHBOUR)}”"
        return ""

    def _text(self, part: Part, words: OptionWords, step: Part | None = None) -> str:
        """Return a part in words; `step` is the one whose place decides if it is an option."""
        node = part.node
        if isinstance(node, n.Control | n.Action):
            return words.option(node) if _in_choice(step or part) else words.deed(node)
        if isinstance(node, n.Condition):
            return words.clause(node)
        if isinstance(node, n.Award):
            return award_cards(node, words)
        return words.value(node)


def _either(old: str, new: str) -> str:
    """Return the sentence for a rule that takes the place of another."""
    return instead(old, new) or f"{capital(new)}; before, {old}."


def _order(one: Found) -> tuple[int, int]:
    part = one.after or one.before
    assert part is not None
    return part.node.span.start, -part.node.span.end


def _statement(part: Part) -> Part:
    """Return the innermost rule around a part that a sentence can be about."""
    while part.parent is not None and not isinstance(part.node, _STATEMENT):
        if isinstance(part.parent.node, _ROLES.get(part.role, ())):
            return part
        part = part.parent
    return part


def _is_rule(part: Part) -> bool:
    """Return whether a part is a rule of its own, or one that a sentence is about."""
    inner = isinstance(part.node, _STATEMENT)
    return inner or (
        part.parent is not None and isinstance(part.parent.node, _ROLES.get(part.role, ()))
    )


def _in_choice(part: Part) -> bool:
    """Return whether a step is an option of a choice by itself."""
    return part.parent is not None and isinstance(part.parent.node, n.Choice)


def _twin(part: Part) -> bool:
    """Return whether an equal step stands next to one."""
    around = list(part.siblings)
    at = next((i for i, one in enumerate(around) if one is part), 0)
    near = [*around[max(0, at - 1) : at], *around[at + 1 : at + 2]]
    return any(one.digest == part.digest for one in near)
