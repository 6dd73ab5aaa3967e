"""Differences between versions of rules, put into sentences.

Common ones are told in words; for all others both forms are shown, with the step in which they are.
Most forms have a pattern of words, with places for their operands; what has none is as written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.comparison import ChangeKind, award_key, owner_sort
from cardwright.english import capital, listed
from cardwright.game.errors import override_text
from cardwright.game.wording.form_words import in_words, owner_word, said_directly
from cardwright.game.wording.naming import PeopleNamer
from cardwright.program import nodes as n
from cardwright.program.cards import Location, OwnerId
from cardwright.program.expansion import Labelled
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.authoring.rule_difference.comparison import (
        Part,
        Renamed,
        TreeDifference,
        Version,
    )
    from cardwright.game.wording.phrases import GameWords
    from cardwright.syntax.source import Span

_LONG = 120
"""Longest words for a rule, in characters; what is longer is shown as it is written."""

_BRIEF = 70
"""Longest words for a step in which, or beside which, something stands."""

_NEAR = 6
"""Most words after a number that is another one now."""

_MOST_STEPS = 3
"""Most steps of a block that a sentence tells; the others are counted."""

_PATTERNS: dict[type[n.Node], str] = {
    n.Number: "{value}",
    n.Truth: "{value?always|never}",
    n.Not: "it is not so that {test}",
    n.NumberOf: "the number of {owner}",
    n.Score: "what {card} counts in {points}",
    n.Sum: "what {location} counts in {points}",
    n.ExtremeScore: "the {highest?most|least} that a card of {location} counts in {points}",
    n.Total: "the sum of {value} over {collection}",
    n.Attribute: "the {key} of {card}",
    n.TurnOwner: "the {turn} {kind}",
    n.Numbered: "{kind} {number}",
    n.OwnerOf: "the holder of {card}",
    n.TeamOf: "the team of {player}",
    n.End: "the {top?top|bottom} card of {location}",
    n.Position: "card {index} of {location}",
    n.BestCard: "the {highest?highest|lowest} card of {location} by {points}",
    n.Actual: "the real card behind {card}",
    n.Sequence: "the {top?top|bottom} {count} cards of {location}",
    n.Sort: "{location} in order of {points}",
    n.EachLocation: "{location} of {collection}",
    n.Partition: "the groups of {parts} by {key}",
    n.Runs: "the runs of at least {least} cards of {location}",
    n.Tuples: "the groups of {count} equal cards of {location}",
    n.Everyone: "all {others?other |}{kind}s",
    n.Range: "the numbers from {low} to {high}",
    n.Equal: "{left} is{negated? not|} {right}",
    n.When: "if {test}, {body}",
    n.Stage: "{team?teams|players} take turns until {end}",
    n.Choice: "the player chooses what to do",
    n.Repeat: "{count} times, {action}",
    n.RepeatAll: "for all cards, {action}",
    n.Set: "{storage} becomes {value}",
    n.Remember: "{card} is remembered in {target}",
    n.Forget: "{card} is forgotten",
    n.Swap: "{left} and {right} change places",
    n.Shuffle: "{location} is shuffled",
    n.SetPoints: "the values in {storage} are set",
    n.Cycle: "the {queue?next |}turn goes to {player}",
    n.Pass: "nothing happens",
    Labelled: "{body}",
}
"""The words of forms, as patterns for `in_words`."""

_SIGNS = {
    n.Operator.ADD: " + ",
    n.Operator.SUBTRACT: " − ",
    n.Operator.MULTIPLY: " × ",
    n.Operator.DIVIDE: " ÷ ",
    n.Operator.REMAINDER: " modulo ",
    n.Operator.POWER: " to the power of ",
    n.Operator.MAXIMUM: " or, if that is more, ",
    n.Operator.MINIMUM: " or, if that is less, ",
}
_ORDERS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
_STOCKS = frozenset({"STOCK", "DECK", "TALON", "DRAWPILE"})
"""Names of the table's locations from which cards are dealt."""

_VERBS = frozenset({"becomes", "goes", "is", "are", "has", "have"})


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A difference between two versions of a game.

    `sentence` says it in words. `before` and `after` are the excerpts of the rules that differ, in
    one line each, and `line_before` and `line_after` the lines, counted from 1, where they begin;
    empty and None on the side of a version that has nothing there.
    """

    kind: ChangeKind
    sentence: str
    before: str = ""
    after: str = ""
    line_before: int | None = None
    line_after: int | None = None

    @classmethod
    def at(
        cls,
        kind: ChangeKind,
        sentence: str,
        versions: Sequence[Version],
        spans: Sequence[Span | None],
    ) -> RuleChange:
        """Return a difference about these places of two versions."""
        (before, after), (old, new) = versions, spans
        excerpts = before.excerpt(old), after.excerpt(new)
        return cls(kind, sentence, *excerpts, before.line(old), after.line(new))


class RuleWords:
    """Says the forms of one version: values as nouns, conditions and steps as clauses.

    `renamed` are names that have others in the version with which it is compared.
    """

    def __init__(self, version: Version, words: GameWords, renamed: Renamed) -> None:
        self.version = version
        self.people = PeopleNamer(version.program, words)
        self._renamed = {name.name: new for name, new in renamed.items()}
        self._binders = {
            bound.slot: node for node in version.nodes if (bound := n.binds(node)) is not None
        }

    def say(self, node: n.Node) -> str:
        """Return a form in words."""
        if (name := self.version.constant(node)) is not None:
            return name
        node = said_directly(node)
        if said := self._value(node) or self._step(node):
            return said
        pattern = _PATTERNS.get(type(node), f"`{self.version.excerpt(node.span)}`")
        return in_words(pattern, node, self.say)

    # Names --------------------------------------------------------------------------------

    def _variable(self, node: n.Variable) -> str:
        """Return what a variable is called: what it is one of, where that is short."""
        name = node.name.removeprefix("'")
        kinds = ((ValueKind.CARD, "card"), (ValueKind.PLAYER, "player"), (ValueKind.TEAM, "team"))
        word = next((word for kind, word in kinds if node.kind & kind), "")
        match binder := self._binders.get(node.slot):
            case n.EachLocation(collection=n.Everyone() as some):
                return self.say(some)
            case n.ForEach(collection=n.Everyone() as some):
                return f"{'any' if binder.choose else 'each'} {_one_of(some)}"
            case n.ForEach(choose=True, collection=some):
                is_card = f"a card of {self._cards(some)}"
                return is_card if word == "card" else f"one of {self.say(some)}"
            case n.Quantifier(collection=n.Everyone() as some) if mentions(binder.test, node) == 1:
                return f"{'every' if binder.every else 'some'} {_one_of(some)}"
            case n.Let() if mentions(binder.body, node) == 1:
                return self.say(binder.value)
        return f"the {word}" if name == word.upper() else f"{word} {name}".lstrip()

    def _cards(self, location: n.Node) -> str:
        return self.say(location).removeprefix("the cards of ")

    def _owned(self, owner: n.Node, noun: str) -> str:
        """Return something of an owner: `the player's hand`."""
        who = self.say(owner)
        return f"{who}'{'' if who.endswith('s') else 's'} {noun}"

    def _place(self, node: n.Place) -> str:
        name, program = self._name(node.name), self.version.program
        owners = {"game": program.table, "player": 0, "team": program.players}
        place = Location(OwnerId(owners[owner_sort(node.owner)]), node.place, name, 0)
        noun = (self.people.noun(place) or name.lower()).removeprefix("the ")
        noun += "" if node.index is None else f" {self.say(node.index)}"
        return f"the {noun}" if isinstance(node.owner, n.Table) else self._owned(node.owner, noun)

    def _name(self, name: n.Node) -> str:
        """Return the name of a place or a stored value, as the other version has it."""
        text = name.value if isinstance(name, n.Text) else self.say(name)
        return self._renamed.get(text, text)

    # Values and conditions ----------------------------------------------------------------

    def _value(self, node: n.Node) -> str:
        match node:
            case n.Text():
                return self.people.text(node.value)
            case n.Strings():
                return listed([self.people.text(value) for value in node.values])
            case n.Variable():
                return self._variable(node)
            case n.TurnOwner(turn=n.Turn.CURRENT):
                return f"the {owner_word(node)}"
            case n.Arithmetic():
                return self._joined(_SIGNS[node.operator], node.operands)
            case n.Logic():
                return self._joined(" and " if node.every else " or ", node.tests)
            case n.Storage():
                name = self._name(node.name)
                return name if isinstance(node.owner, n.Table) else self._owned(node.owner, name)
            case n.Place():
                return self._place(node)
            case n.Size(collection=n.Place() as pile):
                return f"the number of cards in {self.say(pile)}"
            case n.Size():
                return f"the number of {re.sub('^(all|the) ', '', self.say(node.collection))}"
            case n.Combine(operation=n.SetOperation.UNION):
                return listed([self.say(part) for part in node.parts])
            case n.Filter():
                return self._filtered(node)
            case n.Compare():
                order = _ORDERS[node.operator]
                return f"{self.say(node.left)} is {order} {self.say(node.right)}"
            case n.Equal(left=n.Size(collection=n.Place() as pile), right=n.Number(value=0)):
                return f"{self.say(pile)} is{' not' if node.negated else ''} empty"
            case n.Quantifier():
                held, every = self.say(node.test), "every" if node.every else "some"
                name, items = self._variable(node.variable), self.say(node.collection)
                return held if name.startswith(every) else f"for {every} {name} of {items}, {held}"
        return ""

    def _joined(self, sign: str, parts: Iterable[n.Node]) -> str:
        """Return operands with a sign between them, in brackets where they have signs too."""
        signed = n.Arithmetic | n.Logic
        return sign.join(
            f"({self.say(part)})" if isinstance(part, signed) else self.say(part) for part in parts
        )

    def _filtered(self, node: n.Filter) -> str:
        test = f"where {self.say(node.test)}"
        match node.test:
            case n.Equal(left=n.Attribute(key=key, card=n.Variable(slot=slot)), right=right) if (
                slot == node.variable.slot
            ):
                no = " not" if node.test.negated else ""
                test = f"whose {self.say(key)} is{no} {self.say(right)}"
        items = "the cards of " if node.kind & ValueKind.LOCATION else ""
        return f"{items}{self.say(node.collection)} {test}"

    # Steps --------------------------------------------------------------------------------

    def _step(self, node: n.Node) -> str:
        match node:
            case n.Do():
                steps = [self.say(step) for step in node.steps]
                if len(steps) > _MOST_STEPS + 1:
                    steps = [*steps[:_MOST_STEPS], f"and {len(steps) - _MOST_STEPS} more"]
                return "; ".join(steps) or "nothing happens"
            case n.Fork():
                otherwise = f", and otherwise {self.say(node.otherwise)}" if node.otherwise else ""
                return f"if {self.say(node.test)}, {self.say(node.item)}{otherwise}"
            case n.ForEach() if node.choose or isinstance(node.collection, n.Everyone):
                return self.say(node.body)
            case n.ForEach(body=n.Move(card=n.Variable(slot=slot), target=target)) if (
                slot == node.variable.slot
            ):
                return f"all cards of {self._cards(node.collection)} go to {self._to(target)}"
            case n.ForEach():
                each = f"for each {self._variable(node.variable)} of {self.say(node.collection)}"
                return f"{each}: {self.say(node.body)}"
            case n.Let():
                body, name = self.say(node.body), self._variable(node.variable)
                value = self.say(node.value)
                return body if name == value else f"{body} (where {name} is {value})"
            case n.Repeat(action=n.Move(card=n.End() as card, target=target)):
                count = self.say(node.count)
                return self._go(card, target, f"{count} card{'' if count == '1' else 's'}")
            case n.RepeatAll(action=n.Move(card=n.End() as card, target=target)):
                return self._go(card, target, "all cards")
            case n.Move():
                return self._go(node.card, node.target)
            case n.Increase():
                amount = "1" if node.amount is None else self.say(node.amount)
                way = "up" if node.sign > 0 else "down"
                return f"{self.say(node.storage)} goes {way} by {amount}"
        return ""

    def _go(self, card: n.Node, target: n.Node, cards: str = "") -> str:
        """Return that a card, or so many cards of a pile, go somewhere or are dealt."""
        match card, target:
            case (
                n.End(location=n.Place(owner=n.Table(), name=n.Text(value=name))),
                n.End(location=n.Place(owner=owner, name=n.Text(value="HAND"))),
            ) if name in _STOCKS:
                return f"{self.say(owner)} is dealt {cards or 'a card'}"
            case n.End(location=pile), _ if cards:
                go = "goes" if cards == "1 card" else "go"
                bottom = "" if card.top else "from the bottom "
                return f"{cards} {bottom}of {self.say(pile)} {go} to {self._to(target)}"
        return f"{self.say(card)} goes to {self._to(target)}"

    def _to(self, target: n.Node) -> str:
        """Return where a card goes."""
        if isinstance(target, n.End):
            return f"{'' if target.top else 'the bottom of '}{self.say(target.location)}"
        return f"the place of {self.say(target)}"

    def option(self, node: n.Node) -> str:
        """Return what an option of a choice lets the player do: `pass`, `play a card of …`."""
        links, acting = n.links(node)
        tests = [self.say(link.test) for link in links if isinstance(link, n.When)]
        moves = [inner for inner in n.walk(acting) if isinstance(inner, n.Move)]
        if isinstance(acting, Labelled):
            label = (part if isinstance(part, str) else self.say(part) for part in acting.parts)
            text = f"choose “{' '.join(label).lower()}”"
        elif isinstance(acting, n.Pass):
            text = "pass"
        elif moves:
            text = f"move {self.say(moves[0].card)} to {self._to(moves[0].target)}"
        else:
            text = f"choose that {self.say(acting)}"
        text = text.replace("the player's ", "their ")
        return f"{text}, if {' and '.join(tests)}" if tests else text

    def cards(self, award: n.Award) -> str:
        """Return the cards for which an award is: `the queen of spades`, `each 6`."""
        pairs = {
            key.value: value
            for key, value in zip(award.keys, award.values, strict=True)
            if isinstance(key, n.Text)
        }
        cards = [
            card
            for card in self.version.program.cards
            if all(card.attributes.get(key) == getattr(pairs[key], "value", "") for key in pairs)
        ]
        names = {self.people.card(card) for card in cards}
        if len(names) == 1:
            return self.people.cards.single(cards[0]) if len(cards) == 1 else f"each {names.pop()}"
        if pairs.keys() == {"RANK"}:
            return f"each {self.say(pairs['RANK'])}"
        tests = [f"whose {key.lower()} is {self.say(value)}" for key, value in pairs.items()]
        return f"each card {listed(tests)}".rstrip()

    def text(self, part: Part, step: Part | None = None) -> str:
        """Return a part in words; `step` is the one whose place decides if it is an option."""
        if isinstance(part.node, n.Award):
            return self.cards(part.node)
        return (self.option if _is_option(step or part) else self.say)(part.node)

    def brief(self, part: Part, step: Part | None = None) -> str:
        """Return the beginning of a part in words."""
        return _cut(self.text(part, step), _BRIEF)

    def counted(self, part: Part) -> tuple[str, str, str]:
        """Return the cards of an award, its points, and in which map, if there are several."""
        award, own = part.node, part.parent.node if part.parent else None
        assert isinstance(award, n.Award)
        stored = [node.storage for node in self.version.nodes if isinstance(node, n.SetPoints)]
        several = len(set(map(self.say, stored))) > 1
        where = f" in {self.say(own.storage)}" if several and isinstance(own, n.SetPoints) else ""
        return self.cards(award), self.say(award.points), where


class Sentences:
    """Says the differences between two versions."""

    def __init__(self, old: RuleWords, new: RuleWords) -> None:
        self._old, self._new = old, new
        self._versions = old.version, new.version

    def changes(self, differences: Iterable[TreeDifference]) -> Iterator[RuleChange]:
        """Yield the changes, in the order of the rules; one made by a definition is told once."""
        changes = [self._change(difference) for difference in sorted(differences, key=_order)]
        # A variable that is bound elsewhere now is told by what binds it.
        apart = [
            change
            for change in changes
            if change.before != change.after or change.kind is ChangeKind.MOVED
        ]
        once: dict[object, RuleChange] = {}
        for change in apart or changes:
            once.setdefault(replace(change, sentence=""), change)
        yield from once.values()

    def _change(self, difference: TreeDifference) -> RuleChange:
        before, after, kind = difference
        if before is None or after is None:
            sentence = self._alone(before, after)
        elif kind is ChangeKind.MOVED:
            step = capital(self._new.brief(after))
            sentence = f"“{step}” now comes {self._place(after) or 'elsewhere'}."
        else:
            sentence = self._changed(before, after)
            for version, part in zip(self._versions, (before, after), strict=True):
                if name := version.constant(part.node):
                    sentence += f" Here {name} is {override_text(version.values[name])}."
            before, after = _shown(before, after)
        spans = [None if part is None else part.node.span for part in (before, after)]
        return RuleChange.at(kind, sentence, self._versions, spans)

    def _changed(self, before: Part, after: Part) -> str:
        """Return the sentence for a part that became another, by the rule in which it is."""
        old, new = _rule(before), _rule(after)
        if isinstance(old.node, n.Award) and isinstance(new.node, n.Award):
            cards, points, where = self._new.counted(new)
            cards_before, points_before, _ = self._old.counted(old)
            if cards == cards_before:
                return f"{capital(cards)} counts {points} instead of {points_before}{where}."
            was = f"before, {cards_before} counted {points_before}"
            return f"{capital(cards)} counts {points}{where}; {was}."
        for step, body, words, only in (
            (new, old, self._new, ("happens only if", "may only")),
            (old, new, self._old, ("always happens, not only if", "may always")),
        ):
            if isinstance(step.node, n.When) and step.children[1].digest == body.digest:
                action, test = words.brief(step.children[1], step), words.say(step.node.test)
                if _is_option(step):
                    return f"A player {only[1]} {action}, if {test}."
                return f"“{capital(action)}” {only[0]} {test}."
        texts = self._old.text(old), self._new.text(new)
        step = new.parent if new.role == "test" and new.parent is not None else new
        if texts[0] == texts[1] or max(map(len, texts)) > _LONG:
            return self._as_written(before, after, step)
        if new.role == "end":
            return f"A stage ends when {texts[1]}, not when {texts[0]}."
        if step is not new:
            action = self._new.brief(step.children[1], step)
            option = _is_option(step)
            does = f"A player may {action}" if option else f"“{capital(action)}” happens"
            return f"{does} if {texts[1]}, not if {texts[0]}."
        head = "a player may " if _is_option(new) else "" if new.parent else "the score is "
        return _instead(head + texts[0], head + texts[1])

    def _as_written(self, before: Part, after: Part, step: Part) -> str:
        """Return the sentence that shows two forms."""
        before, after = _shown(before, after)
        old = self._versions[0].excerpt(before.node.span)
        new = self._versions[1].excerpt(after.node.span)
        if _cut(old, _LONG) != _cut(new, _LONG):
            old, new = _cut(old, _LONG), _cut(new, _LONG)
        return f"In “{self._new.brief(step)}”, `{old}` became `{new}`."

    def _alone(self, before: Part | None, after: Part | None) -> str:
        """Return the sentence for a step, an option or an award that is new or gone."""
        part, words = (after, self._new) if before is None else (before, self._old)
        assert part is not None
        new = before is None
        if isinstance(part.node, n.Award):
            cards, points, where = words.counted(part)
            if any(award_key(award) == award_key(part) for award in _others(part)):
                return f"{capital(cards)} counts {points} {'more' if new else 'less'}{where}."
            verb = "now counts" if new else "no longer counts"
            return f"{capital(cards)} {verb} {points}{where}."
        text = _cut(words.text(part), _LONG)
        if _is_option(part):
            return f"A player may {'also' if new else 'no longer'} {text}."
        place = self._place(part) if new else ""
        head = f"There is a new step{', ' if place else ''}{place}" if new else "A step is gone"
        return f"{head}: {text}."

    def _place(self, part: Part) -> str:
        """Return after or before which step a step of the second version stands."""
        around = _others(part, with_it=True)
        at = around.index(part)
        for word, near in (("after", around[max(at - 1, 0) : at]), ("before", around[at + 1 :])):
            if near:
                return f"{word} “{self._new.brief(near[0])}”"
        return ""


def _one_of(some: n.Everyone) -> str:
    return f"{'other ' if some.others else ''}{owner_word(some)}"


def mentions(node: n.Node, variable: n.Variable) -> int:
    """Return how often a variable occurs below a node."""
    inner = [part for part in n.walk(node) if isinstance(part, n.Variable)]
    return sum(part.slot == variable.slot for part in inner)


def _rule(part: Part) -> Part:
    """Return the innermost rule around a part that a sentence can be about."""
    while part.parent is not None and not isinstance(part.node, n.Action | n.Control | n.Award):
        if part.role in {"test", "end"} and isinstance(part.parent.node, n.Control):
            return part
        part = part.parent
    return part


def _shown(before: Part, after: Part) -> tuple[Part, Part]:
    """Return the smallest forms around two parts that are more than a name or a number."""
    while not (before.fields or after.fields) and before.parent and after.parent:
        before, after = before.parent, after.parent
    return before, after


def _is_option(part: Part) -> bool:
    """Return whether a step is an option of a choice by itself."""
    return part.parent is not None and isinstance(part.parent.node, n.Choice)


def _others(part: Part, *, with_it: bool = False) -> list[Part]:
    """Return the parts in the same field of the part around."""
    around = part.parent.under(part.role) if part.parent is not None else (part,)
    return [sibling for sibling in around if with_it or sibling is not part]


def _order(difference: TreeDifference) -> tuple[int, int]:
    part = difference.after or difference.before
    assert part is not None
    return part.node.span.start, -part.node.span.end


def _cut(text: str, limit: int) -> str:
    """Return a text, or its beginning with an ellipsis if it is too long."""
    return text if len(text) <= limit else text[:limit].rsplit(" ", 1)[0].rstrip(",;:") + " …"


def _instead(old: str, new: str) -> str:
    """Return a sentence that says a new clause, and what of the old one is different.

    `each player is dealt 7 cards` after `each player is dealt 5 cards` gives `Each player is dealt
    7 cards instead of 5.`
    """
    before, after = old.split(" "), new.split(" ")
    first = _common(before, after)
    last = _common(before[first:][::-1], after[first:][::-1])
    gone, come = (words[first : len(words) - last] for words in (before, after))
    number = len(gone) == 1 == len(come) and gone[0].isdecimal() and come[0].isdecimal()
    beside = *before[first - 1 : first], *before[len(before) - last :][:1]
    value = not any(not any(map(str.isalnum, word)) for word in beside)  # not a part of a sum
    near = not last or (number and last <= _NEAR)
    if first and gone and come and gone[0] not in _VERBS and value and near:
        return f"{capital(new)} instead of {' '.join(gone)}."
    return f"{capital(new)}; before, {old}."


def _common(old: list[str], new: list[str]) -> int:
    """Return how many words two texts have in common at their beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(old), len(new)))
