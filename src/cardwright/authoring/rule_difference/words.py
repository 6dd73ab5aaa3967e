"""Rules in words: values, conditions, steps and options."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.comparison import RuleName, owner_sort
from cardwright.game.errors import override_text
from cardwright.game.wording.naming import USUAL_PLACES, PeopleNamer, plain_word
from cardwright.game.wording.phrases import (
    PLAYER,
    WHOSE,
    Blank,
    counted_cards,
    listed,
    many,
    place_keys,
    plural,
    value_keys,
)
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.constants import NotConstantError, constant
from cardwright.program.expansion import Labelled
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cardwright.authoring.rule_difference.version import Version
    from cardwright.game.wording.phrases import GameWords

_TURNS = {n.Turn.CURRENT: "the {}", n.Turn.NEXT: "the next {}", n.Turn.PREVIOUS: "the previous {}"}
_MOST_WORDS = 3
"""Most words of a fact that can serve as the name of what is stored."""


class NameWords:
    """Says names of one version; variables are called by what they stand for, if that is short.

    `renamed` are names that have others in the version with which it is compared.
    """

    def __init__(
        self, version: Version, words: GameWords, renamed: Mapping[RuleName, str] | None = None
    ) -> None:
        self.version = version
        self._renamed = renamed or {}
        self.words = words
        self.people = PeopleNamer(version.program, words)
        self._called: dict[int, str] = {}
        self._testing = False
        self._acting = False
        self._binders = {
            bound.slot: node for node in version.nodes if (bound := n.binds(node)) is not None
        }

    @contextmanager
    def calling(self, variable: n.Variable, text: str) -> Iterator[None]:
        """Call a variable by a text for a while."""
        before = self._called.get(variable.slot)
        self._called[variable.slot] = text
        yield
        if before is None:
            del self._called[variable.slot]
        else:
            self._called[variable.slot] = before

    def variable(self, node: n.Variable) -> str:
        """Return what a variable is called."""
        if node.slot in self._called:
            return self._called[node.slot]
        binder = self._binders.get(node.slot)
        if isinstance(binder, n.ForEach) and isinstance(binder.collection, n.Everyone):
            who = "team" if binder.collection.kind & ValueKind.TEAMS else "player"
            other = "other " if binder.collection.others else ""
            if binder.choose:
                return f"the chosen {who}"
            return f"that {who}" if self._testing else f"each {other}{who}"
        if isinstance(binder, n.ForEach) and binder.choose and node.kind & ValueKind.CARD:
            return "the chosen card"
        return self.own_name(node)

    def own_name(self, node: n.Variable) -> str:
        """Return a variable by its name: `card C`, `player P`, `HANDSIZE`."""
        name = node.name.removeprefix("'")
        for kind, word in (
            (ValueKind.CARD, "card"),
            (ValueKind.PLAYER, "player"),
            (ValueKind.TEAM, "team"),
        ):
            if node.kind & kind:
                return f"{word} {name}" if name != word.upper() else f"the {word}"
        return name

    def text(self, value: str) -> str:
        """Return the words for a string of the rules."""
        return self.people.text(value)

    def owner(self, node: n.Node) -> str:
        """Return an owner, such as `the next player`; nothing for the table."""
        who = "team" if node.kind & ValueKind.TEAM else "player"
        match node:
            case n.Table():
                return ""
            case n.TurnOwner():
                return _TURNS[node.turn].format(who)
            case n.Variable():
                return self.variable(node)
            case n.Numbered():
                if isinstance(node.number, n.Storage) and self.is_player(node.number):
                    return self.stored(node.number)
                return f"{who} {self.value(node.number)}"
            case n.OwnerOf():
                return f"the holder of {self.value(node.card)}"
            case n.TeamOf():
                return self.possessive(self.owner(node.player), "team")
        return self.code(node)

    def owned(self, owner: n.Node, noun: str) -> str:
        """Return something of an owner: `the player's hand`, or `the stock` of the table."""
        own = isinstance(owner, n.TurnOwner) and owner.turn is n.Turn.CURRENT
        if self._acting and own and owner.kind & ValueKind.PLAYER:
            return f"their {noun}"
        who = self.owner(owner)
        return self.possessive(who, noun) if who else f"the {noun}"

    def possessive(self, who: str, noun: str) -> str:
        """Return something of somebody: `the player's hand`."""
        return f"{who}' {noun}" if who.endswith("s") else f"{who}'s {noun}"

    def place(self, node: n.Place | n.Indexed) -> str:
        """Return a location, such as `the discard pile` or `the player's hand`."""
        index = getattr(node, "index", None)
        at = self.value(index) if index is not None else ""
        return self.owned(node.owner, self.place_noun(node, at))

    def place_noun(self, node: n.Place | n.Indexed, at: str = "") -> str:
        """Return the name of a location without its owner."""
        if not isinstance(node.name, n.Text):
            return f"location {self.value(node.name)} {at}".rstrip()
        sort, name = owner_sort(node.owner), node.name.value
        name = self._renamed.get(RuleName(node.place.value, sort, name), name)
        found = self.words.find("places", place_keys(sort, name))
        noun = USUAL_PLACES.get(name) or plain_word(name)
        if found is not None:
            text = found.fill(lambda _: at) or noun
            if found.blanks or not at:
                return text.removeprefix("the ")
            noun = text
        noun = noun.removeprefix("the ")
        return f"{noun} {at}" if at else noun

    def stored(self, node: n.Storage) -> str:
        """Return a stored value, such as `the player's bid`; by its name, if it has no words."""
        if not isinstance(node.name, n.Text):
            return self.owned(node.owner, f"value {self.value(node.name)}")
        sort, name = owner_sort(node.owner), node.name.value
        name = self._renamed.get(RuleName(node.storage.value, sort, name), name)
        noun = self._fact_noun(sort, name)
        if noun:
            return self.owned(node.owner, noun)
        return name if sort == "game" else self.owned(node.owner, name)

    def is_player(self, node: n.Storage) -> bool:
        """Return whether a stored number is told as the player whose number it is."""
        if not isinstance(node.name, n.Text):
            return False
        sort, name = owner_sort(node.owner), node.name.value
        found = self.words.find("facts", (f"{sort} {name}", name))
        nouned = bool(self._fact_noun(sort, name))
        return nouned and found is not None and found.blanks[0].how in {PLAYER, WHOSE}

    def _fact_noun(self, sort: str, name: str) -> str:
        """Return the name that the author's words for a stored value contain, if they do."""
        found = self.words.find("facts", (f"{sort} {name}", name))
        match found.parts if found is not None else ():
            case (Blank(name="", how=how),) if how and how not in {PLAYER, WHOSE}:
                one, _, many = how.partition("|")
                return many or plural(one)
            case (str(text), Blank(name="")) if len(text.split()) <= _MOST_WORDS:
                return text.strip().rstrip(":").removeprefix("the ")
        return ""

    def value(self, node: n.Node) -> str:
        """Return a value in words."""
        raise NotImplementedError

    def code(self, node: n.Node) -> str:
        """Return a form as it is written."""
        return f"`{self.version.excerpt(node.span)}`"


_SIGNS = {
    n.Operator.ADD: "+",
    n.Operator.SUBTRACT: "−",
    n.Operator.MULTIPLY: "×",
    n.Operator.DIVIDE: "÷",
    n.Operator.REMAINDER: "modulo",
    n.Operator.POWER: "to the power of",
}
_COUNTABLE = ("the numbers", "the groups", "groups", "all runs", "the longest runs", "the subsets")
_SETS = {
    n.SetOperation.UNION: "{} together",
    n.SetOperation.INTERSECT: "the cards that are in all of {}",
    n.SetOperation.DISJUNCTION: "the cards that are in one only of {}",
}


class ValueWords(NameWords):
    """Says values: what a form stands for, as a noun."""

    def value(self, node: n.Node) -> str:
        """Return a value in words; forms without words as they are written."""
        name = self.version.constant(node)
        if name is not None:
            return name
        match node:
            case n.Number():
                return str(node.value)
            case n.Text():
                return self.text(node.value)
            case n.Truth():
                return "true" if node.value else "false"
            case n.Strings():
                return listed([self.text(value) for value in node.values])
            case n.Variable():
                return self.variable(node)
            case n.Arithmetic():
                return self._arithmetic(node)
            case n.Triangle():
                return f"the sum of 1 to {self.value(node.number)}"
            case n.Fibonacci():
                return f"Fibonacci number {self.value(node.number)}"
            case n.Random(high=None):
                return f"a random number from 0 to {self.value(node.low)}"
            case n.Random():
                assert node.high is not None
                return f"a random number from {self.value(node.low)} to {self.value(node.high)}"
            case n.Storage() if self.is_player(node):
                return f"the number of {self.stored(node)}"
            case n.Storage():
                return self.stored(node)
            case n.Size():
                return f"the number of {self.counted_items(node.collection)}"
            case n.NumberOf():
                return f"the number of {self.owner(node.owner)}"
            case n.Condition():
                return f"whether {self.clause(node)}"
        return self._counted(node)

    def clause(self, test: n.Node, *, negated: bool = False) -> str:
        """Return a condition in words."""
        raise NotImplementedError

    def _arithmetic(self, node: n.Arithmetic) -> str:
        try:
            if not any(self.version.constant(one) for one in n.walk(node)):
                return override_text(constant(node))
        except NotConstantError:
            pass
        match node.operands:
            case (n.Number(value=0), one) if node.operator is n.Operator.SUBTRACT:
                text = self.value(one)
                return f"−({text})" if isinstance(one, n.Arithmetic) else f"minus {text}"
        if node.operator in (n.Operator.MAXIMUM, n.Operator.MINIMUM):
            which = "largest" if node.operator is n.Operator.MAXIMUM else "smallest"
            return f"the {which} of {listed([self.value(one) for one in node.operands])}"
        texts = [
            f"({self.value(one)})"
            if isinstance(one, n.Arithmetic) and not _single(one)
            else self.value(one)
            for one in node.operands
        ]
        return f" {_SIGNS[node.operator]} ".join(texts)

    def _counted(self, node: n.Node) -> str:
        """Return what cards count by a point map, or what is added up over a collection."""
        match node:
            case n.Score():
                return f"what {self.value(node.card)} counts in {self.map_name(node.points)}"
            case n.Sum():
                return f"what {self.value(node.location)} counts in {self.map_name(node.points)}"
            case n.ExtremeScore():
                most = "most" if node.highest else "least"
                points = self.map_name(node.points)
                return f"the {most} that a card of {self.value(node.location)} counts in {points}"
            case n.Total():
                item, over = self.item(node.collection, node.variable)
                with self.calling(node.variable, item):
                    return f"the sum, over {over}, of {self.value(node.value)}"
            case n.Attribute(key=n.Text() as key):
                return f"the {plain_word(key.value)} of {self.value(node.card)}"
            case n.Attribute():
                return f"the attribute {self.value(node.key)} of {self.value(node.card)}"
        return self._cards(node)

    def map_name(self, node: n.Node) -> str:
        """Return what a point map is called."""
        return self.stored(node) if isinstance(node, n.Storage) else self.code(node)

    def _cards(self, node: n.Node) -> str:
        match node:
            case n.End():
                end = "top" if node.top else "bottom"
                return f"the {end} {self._card_of(node.location)}"
            case n.Position():
                return f"card {self.value(node.index)} of {self.value(node.location)}"
            case n.BestCard():
                best = "highest" if node.highest else "lowest"
                points = self.map_name(node.points)
                text = self._card_of(node.location)
                return f"the {best} {text}{',' if ' whose ' in text else ''} by {points}"
            case n.Actual():
                return f"the real card behind {self.value(node.card)}"
            case n.Place() | n.Indexed():
                place = self.place(node)
                return f"all places of {place}" if isinstance(node, n.Indexed) else place
            case n.Combine():
                return self._combined(node)
            case n.Sequence():
                end = "top" if node.top else "bottom"
                return f"the {end} {self.value(node.count)} cards of {self.value(node.location)}"
            case n.Sort():
                return f"{self.value(node.location)} in order of {self.map_name(node.points)}"
            case n.Element():
                which = {0: "first", -1: "last"}.get(node.index, f"item {node.index} ")
                return f"the {which} of {self.value(node.locations)}"
            case n.EndRun():
                end = "top" if node.top else "bottom"
                run = f"the run of at least {self.value(node.least)} cards"
                return f"{run} at the {end} of {self.value(node.location)}"
        return self._collection(node)

    def _card_of(self, location: n.Node) -> str:
        text = self.value(location)
        return f"of {text}" if text.startswith("the cards") else f"card of {text}"

    def _combined(self, node: n.Combine) -> str:
        if len(node.parts) == 1 and node.operation is n.SetOperation.UNION:
            return self.value(node.parts[0])
        return _SETS[node.operation].format(listed([self.value(part) for part in node.parts]))

    def _collection(self, node: n.Node) -> str:
        match node:
            case n.Filter():
                return self._filtered(node, self.value(node.collection))
            case n.EachLocation():
                item, over = self.item(node.collection, node.variable)
                if isinstance(node.collection, n.Everyone):
                    with self.calling(node.variable, f"all {item.removeprefix('each ')}s"):
                        return _several(self.value(node.location))
                with self.calling(node.variable, item):
                    return f"{self.value(node.location)} for {over}"
            case n.Partition():
                parts = listed([self.value(part) for part in node.parts])
                return f"the groups of {parts} by {self.value(node.key)}"
            case n.Subsets(size=None):
                return f"the subsets of {self.value(node.location)}"
            case n.Subsets():
                assert node.size is not None
                bound = {
                    "==": "",
                    ">=": "at least ",
                    "<=": "at most ",
                    ">": "more than ",
                    "<": "fewer than ",
                }
                few = bound.get(node.operator, f"{node.operator} ")
                return (
                    f"groups of {few}{self.value(node.size)} cards of {self.value(node.location)}"
                )
            case n.Runs():
                which = "all runs" if node.every else "the longest runs"
                run = f"of at least {self.value(node.least)} cards"
                return f"{which} {run} of {self.value(node.location)}"
            case n.Tuples():
                return (
                    f"groups of {self.value(node.count)} equal cards of {self.value(node.location)}"
                )
            case n.Everyone():
                other = "other " if node.others else ""
                return f"all {other}{'teams' if node.kind & ValueKind.TEAMS else 'players'}"
            case n.Range():
                return f"the numbers from {self.value(node.low)} to {self.value(node.high)}"
            case n.Table():
                return "the table"
            case n.TurnOwner() | n.Numbered() | n.OwnerOf() | n.TeamOf():
                return self.owner(node)
        return self.code(node)

    def _filtered(self, node: n.Filter, of: str) -> str:
        if node.kind & ValueKind.LOCATION:
            with self.calling(node.variable, "whose"):
                short = self._whose(node.test, node.variable)
            if short:
                return f"the cards of {of} {short}"
            return f"the cards of {of} where {self.with_name(node.variable, node.test)}"
        if isinstance(node.collection, n.Everyone | n.Range):
            name = node.variable.name.removeprefix("'")
            own = f"{self.own_name(node.variable)}'s "
            test = self.with_name(node.variable, node.test)
            if test.startswith(own) and mentions(node.test, node.variable) == 1:
                return f"{of} whose {test.removeprefix(own)}"
            return f"{of} {name} where {test}"
        return f"those of {of} where {self.with_name(node.variable, node.test)}"

    def _whose(self, test: n.Node, variable: n.Variable) -> str:
        """Return `whose suit is hearts` for a test of one attribute of a card; else nothing."""
        match test:
            case n.Equal(
                left=n.Attribute(key=n.Text() as key, card=n.Variable(slot=slot)), right=right
            ) if slot == variable.slot and not _mentions(right, slot):
                verb = "is not" if test.negated else "is"
                return f"whose {plain_word(key.value)} {verb} {self.value(right)}"
        return ""

    def with_name(self, variable: n.Variable, test: n.Node) -> str:
        """Return a condition in which a variable has its own name."""
        with self.calling(variable, self.own_name(variable)):
            return self.clause(test)

    def item(self, collection: n.Node, variable: n.Variable) -> tuple[str, str]:
        """Return what an item of a collection is called, and the collection as gone through."""
        if isinstance(collection, n.Everyone):
            who = "team" if collection.kind & ValueKind.TEAMS else "player"
            text = f"{'other ' if collection.others else ''}{who}"
            return f"each {text}", f"each {text}"
        name = self.own_name(variable)
        return name, f"{name} of {self.value(collection)}"

    def counted_items(self, collection: n.Node) -> str:
        """Return what is counted in a collection: `cards in the stock`, or `players`."""
        if isinstance(collection, n.Everyone):
            return self.value(collection).removeprefix("all ")
        if collection.kind & ValueKind.LOCATION:
            text = self.value(collection)
            return (
                text.removeprefix("the ")
                if isinstance(collection, n.Filter)
                else f"cards in {text}"
            )
        for kind, word in ((ValueKind.PLAYERS, "players"), (ValueKind.TEAMS, "teams")):
            if collection.kind & kind:
                text = self.value(collection).removeprefix("all ")
                return text if word in text else f"{word} in {text}"
        text = self.value(collection)
        return text.removeprefix("the ") if text.startswith(_COUNTABLE) else f"items in {text}"


def _several(text: str) -> str:
    """Return `all players' hands` for `all players' hand`."""
    owner, _, noun = text.partition("' ")
    plain = noun.isalpha() and noun.islower() and not noun.endswith("s")
    return f"{owner}' {plural(noun)}" if plain else text


def _single(node: n.Arithmetic) -> bool:
    return node.operator in (n.Operator.MAXIMUM, n.Operator.MINIMUM)


def _mentions(node: n.Node, slot: int) -> bool:
    return any(isinstance(one, n.Variable) and one.slot == slot for one in n.walk(node))


def mentions(node: n.Node, variable: n.Variable) -> int:
    """Return how often a variable occurs below a node."""
    slots: Sequence[int] = [one.slot for one in n.walk(node) if isinstance(one, n.Variable)]
    return slots.count(variable.slot)


_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_ORDERS = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
_FEWER = {**_ORDERS, "<": "fewer than"}


class ConditionWords(ValueWords):
    """Says conditions."""

    def clause(self, test: n.Node, *, negated: bool = False) -> str:
        """Return a condition, or its opposite, as a clause."""
        name = self.version.constant(test)
        if name is not None:
            return f"{name} is {'false' if negated else 'true'}"
        outside, self._testing = self._testing, True
        text = self._clause(test, negated=negated)
        self._testing = outside
        return text

    def _clause(self, test: n.Node, *, negated: bool) -> str:
        match test:
            case n.Truth():
                return "always" if test.value != negated else "never"
            case n.Not():
                return self.clause(test.test, negated=not negated)
            case n.Logic():
                return self._logic(test, negated=negated)
            case n.Compare():
                operator = _OPPOSITE[test.operator] if negated else test.operator
                return self._compare(test, operator)
            case n.Equal():
                return self._equal(test, negated=test.negated != negated)
            case n.Quantifier():
                return self._quantified(test, negated=negated)
            case n.Variable():
                binder = self._binders.get(test.slot)
                if isinstance(binder, n.Let) and binder.value.kind & ValueKind.BOOLEAN:
                    return self.clause(binder.value, negated=negated)
        text = self.value(test)
        return f"not {text}" if negated else text

    def _logic(self, test: n.Logic, *, negated: bool) -> str:
        every = test.every != negated
        texts = []
        for one in test.tests:
            text = self.clause(one, negated=negated)
            core = one.test if isinstance(one, n.Not) else one
            inner = isinstance(core, n.Logic) and len(core.tests) > 1
            other = (
                isinstance(core, n.Logic) and (core.every != isinstance(one, n.Not)) != test.every
            )
            mixed = inner and other
            texts.append(f"{'either' if every else 'both'} {text}" if mixed else text)
        return (" and " if every else " or ").join(texts)

    # Orders -------------------------------------------------------------------------------

    def _compare(self, test: n.Compare, operator: str) -> str:
        match test.left, test.right:
            case n.Size(collection=items), right if not self._is_pile(items):
                several = self.counted_items(items)
                if self._number(right) == 1:
                    return f"there is {_FEWER[operator]} {_singular(f'1 {several}')}"
                return f"there are {_FEWER[operator]} {self.value(right)} {several}"
            case n.Size(collection=pile), right:
                number = self._number(right)
                if (operator, number) in {(">", 0), (">=", 1)}:
                    return f"{self.subject(pile, 'is')} not empty"
                if (operator, number) in {("<=", 0), ("<", 1)}:
                    return f"{self.subject(pile, 'is')} empty"
                cards = "card" if number == 1 else "cards"
                has = self.subject(pile, "has")
                return f"{has} {_FEWER[operator]} {self.value(right)} {cards}"
        return f"{self.subject(test.left, 'is')} {_ORDERS[operator]} {self.value(test.right)}"

    def subject(self, node: n.Node, verb: str) -> str:
        """Return a value with a verb that agrees with it: `the discards are`."""
        text = self.value(node)
        last = text.rsplit(" ", 1)[-1]
        several = isinstance(node, n.Place | n.Storage) and last.islower()
        return (
            f"{text} {many(verb) if several and last.endswith('s') and last[-2:] != 'ss' else verb}"
        )

    def _is_pile(self, node: n.Node) -> bool:
        return bool(node.kind & ValueKind.LOCATION) and not isinstance(node, n.Filter)

    def _number(self, node: n.Node) -> int | None:
        plain = isinstance(node, n.Number) and self.version.constant(node) is None
        return node.value if plain and isinstance(node, n.Number) else None

    # Equality -----------------------------------------------------------------------------

    def _equal(self, test: n.Equal, *, negated: bool) -> str:
        verb = "is not" if negated else "is"
        left, right = test.left, test.right
        match left, right:
            case n.Size(collection=some), _ if self._number(right) == 0 and not self._is_pile(some):
                of = "some" if negated else "no"
                return f"there are {of} {self.counted_items(some)}"
            case n.Size(collection=items), _ if not self._is_pile(items):
                several, no = self.counted_items(items), " not" if negated else ""
                if self._number(right) == 1:
                    return f"there is{no} {_singular(f'1 {several}')}"
                return f"there are{no} {self.value(right)} {several}"
            case n.Size(collection=pile), _:
                number = self._number(right)
                if number == 0:
                    return f"{self.subject(pile, 'is')}{' not' if negated else ''} empty"
                cards = (
                    counted_cards(number) if number is not None else f"{self.value(right)} cards"
                )
                if negated:
                    return f"the number of cards in {self.value(pile)} is not {self.value(right)}"
                return f"{self.subject(pile, 'has')} {cards}"
            case n.Attribute(key=n.Text() as key), n.Attribute(key=n.Text() as other) if (
                key.value == other.value
            ):
                alike = "different" if negated else "the same"
                what = plain_word(key.value)
                what = f"{what}s" if negated else what
                return f"{self.value(left.card)} and {self.value(right.card)} have {alike} {what}"
            case n.Storage(), n.Number() | n.Text():
                fact = self._fact(left, right)
                if fact:
                    return _denied(fact) if negated else fact
                if right.value == 0 and (fact := self._fact(left, replace(right, value=1))):
                    return fact if negated else _denied(fact)
            case n.NumberOf(), n.NumberOf():
                return f"{self.owner(left.owner)} {verb} {self.owner(right.owner)}"
            case n.NumberOf(), n.Storage():
                return f"{self.owner(left.owner)} {verb} the player in {self.stored(right)}"
        return f"{self.subject(left, 'is')}{' not' if negated else ''} {self.value(right)}"

    def _fact(self, storage: n.Storage, value: n.Number | n.Text) -> str:
        """Return the author's words for a value of the table, such as `hearts are broken`."""
        if not isinstance(storage.name, n.Text) or owner_sort(storage.owner) != "game":
            return ""
        name = storage.name.value
        keys = (f"game {name} {value.value}", f"{name} {value.value}")
        for table in ("facts", "changes"):
            found = self.words.find(table, keys)
            if found is not None and not found.blanks:
                return found.fill(lambda _: None) or ""
        return ""

    # Quantifiers --------------------------------------------------------------------------

    def _quantified(self, test: n.Quantifier, *, negated: bool) -> str:
        collection, tests = test.collection, [test.test]
        if isinstance(collection, n.Filter) and not collection.kind & ValueKind.LOCATIONS:
            return self._at_length(test, negated=negated)
        items = self._items(collection)
        inner, flipped = _core(test.test)
        if items and mentions(inner, test.variable) == 1 and not _loops(inner) and len(tests) == 1:
            word = _subject(every=test.every, flipped=flipped, negated=negated)
            if word and (word != "no" or not isinstance(inner, n.Logic)):
                with self.calling(test.variable, f"{word} {items}"):
                    return self.clause(inner)
        return self._at_length(test, negated=negated)

    def _items(self, collection: n.Node) -> str:
        """Return what each item of a collection is called: `player`, or `card of the stock`."""
        if isinstance(collection, n.Everyone):
            who = "team" if collection.kind & ValueKind.TEAMS else "player"
            return f"{'other ' if collection.others else ''}{who}"
        if collection.kind & ValueKind.LOCATION:
            return f"card of {self.value(collection)}".replace("of the cards of", "of")
        return ""

    def _at_length(self, test: n.Quantifier, *, negated: bool) -> str:
        """Return a condition about the items of a collection, with the variable's own name."""
        name = self.own_name(test.variable)
        over = name
        if not isinstance(test.collection, n.Everyone) or test.collection.others:
            over = f"{name} of {self.value(test.collection)}"
        head = "every" if test.every else "no" if negated else "some"
        no = "not " if test.every and negated else ""
        return f"{no}for {head} {over}, {self.with_name(test.variable, test.test)}"


def _denied(fact: str) -> str:
    """Return the opposite of a clause: `hearts are not broken`."""
    for verb in (" are ", " is "):
        if verb in fact:
            return fact.replace(verb, f"{verb}not ", 1)
    return f"it is not so that {fact}"


def _core(test: n.Node) -> tuple[n.Node, bool]:
    """Return a condition without the negations around it, and whether they make it the opposite."""
    flipped = False
    while isinstance(test, n.Not):
        test, flipped = test.test, not flipped
    return test, flipped


def _subject(*, every: bool, flipped: bool, negated: bool) -> str:
    """Return the word before what a condition is about, if one says all; else nothing."""
    if every and flipped:
        return "" if negated else "no"
    if every:
        return "not every" if negated else "every"
    if flipped:
        return ""
    return "no" if negated else "some"


def _loops(test: n.Node) -> bool:
    """Return whether a condition has others about items in it, or is a negative one."""
    return any(
        isinstance(one, n.Quantifier | n.Filter | n.Total | n.Not)
        or (isinstance(one, n.Equal) and one.negated)
        for one in n.walk(test)
    )


def _singular(text: str) -> str:
    """Return `1 player` for `1 players`, whatever follows."""
    one, several, rest = (*text.split(" ", 2), "")[:3]
    return f"{one} {several.removesuffix('s')} {rest}".rstrip()


_STOCKS = frozenset({"STOCK", "DECK", "TALON", "DRAWPILE"})
"""Names of the table's locations from which cards are dealt."""

_MOST_STEPS = 3
"""Most steps of a block that a sentence tells; the others are counted."""


class StepWords(ConditionWords):
    """Says what happens in steps, choices and stages."""

    def deed(self, node: n.Node) -> str:
        """Return what a step does, as a clause without its full stop."""
        match node:
            case n.Do():
                return self._series(map(self.deed, node.steps)) or "nothing happens"
            case n.When():
                return f"if {self.clause(node.test)}, {self.deed(node.body)}"
            case n.ForEach():
                return self._for_each(node)
            case n.Let():
                return self._let(node)
            case Labelled():
                return self.deed(node.body)
            case n.Choice():
                who = "the player chooses"
                return f"{who}: {self._series(map(self.option, node.steps), ', or ')}"
            case n.Stage():
                who = "teams take turns" if node.team else "players take turns"
                return f"{who} until {self.clause(node.end)}"
            case n.Fork():
                other = f", and otherwise {self.deed(node.otherwise)}" if node.otherwise else ""
                return f"if {self.clause(node.test)}, {self.deed(node.item)}{other}"
            case n.Repeat():
                return self._repeat(node)
            case n.RepeatAll():
                return self._all_cards(node.action)
        return self._action(node)

    def _series(self, texts: Iterable[str], between: str = "; ") -> str:
        told = list(texts)
        if len(told) > _MOST_STEPS + 1:
            more = len(told) - _MOST_STEPS
            told = [*told[:_MOST_STEPS], f"and {more} more"]
        return between.join(told)

    def _for_each(self, node: n.ForEach) -> str:
        item, over = self.item(node.collection, node.variable)
        body = node.body
        if node.choose:
            with self.calling(node.variable, self._any(node.collection, node.variable)):
                return self.deed(body)
        plain = isinstance(body, n.Action) and isinstance(node.collection, n.Everyone)
        if plain and mentions(body, node.variable):
            with self.calling(node.variable, item):
                return self.deed(body)
        whole = self._whole(node)
        if whole:
            return whole
        name = self.own_name(node.variable)
        head = f"for each {name}" if isinstance(node.collection, n.Everyone) else f"for each {over}"
        with self.calling(node.variable, name):
            return f"{head}: {self.deed(body)}"

    def _whole(self, node: n.ForEach) -> str:
        """Return what happens to all cards of a collection at once."""
        match node.body:
            case n.Move(card=n.Variable(slot=slot), target=target) if (
                slot == node.variable.slot and not mentions(target, node.variable)
            ):
                return f"{self._cards_of(node.collection)} go to {self.target(target)}"
        return ""

    def _cards_of(self, collection: n.Node) -> str:
        text = self.value(collection)
        return text if "cards" in text else f"all cards of {text}"

    def _any(self, collection: n.Node, variable: n.Variable) -> str:
        """Return what is chosen from a collection."""
        match collection:
            case n.Everyone():
                who = "team" if collection.kind & ValueKind.TEAMS else "player"
                return f"any {'other ' if collection.others else ''}{who}"
            case n.Filter() if collection.kind & ValueKind.LOCATION:
                text = self.value(collection).removeprefix("the cards of ")
                return f"a card of {text}"
            case n.Range():
                return (
                    f"a number from {self.value(collection.low)} to {self.value(collection.high)}"
                )
            case n.Strings() | n.Subsets() | n.Partition() | n.Tuples() | n.Runs():
                return f"one of {self.value(collection)}"
        if collection.kind & ValueKind.LOCATION:
            return f"a card of {self.value(collection)}"
        return f"one of {self.value(collection)}"

    def _let(self, node: n.Let) -> str:
        """Return what is done with a value, which is said where it is used if that is once."""
        if mentions(node.body, node.variable) == 1:
            with self.calling(node.variable, self.value(node.value)):
                return self.deed(node.body)
        name = self.own_name(node.variable)
        with self.calling(node.variable, name):
            return f"{self.deed(node.body)} (where {name} is {self.value(node.value)})"

    # Cards --------------------------------------------------------------------------------

    def _repeat(self, node: n.Repeat) -> str:
        count = self.value(node.count)
        match node.action:
            case n.Move(card=n.End() as card, target=target):
                number = node.count.value if isinstance(node.count, n.Number) else 2
                if isinstance(node.count, n.Arithmetic) and not count.isdecimal():
                    moved = self._moved("cards", card, target, several=True)
                    return f"{moved}, as many as {count}"
                cards = f"{count} {'card' if number == 1 else 'cards'}"
                return self._moved(cards, card, target, several=number != 1)
        return f"{count} times: {self.deed(node.action)}"

    def _moved(self, cards: str, card: n.End, target: n.Node, *, several: bool) -> str:
        """Return that so many cards from the end of a location go elsewhere."""
        source = card.location
        match source, target:
            case (
                n.Place(owner=n.Table(), name=n.Text(value=name)),
                n.End(location=n.Place(owner=owner) as place),
            ) if name in _STOCKS and not isinstance(owner, n.Table):
                if self.place_noun(place) == "hand":
                    return f"{self.owner(owner)} is dealt {cards}"
        end = "" if card.top else "from the bottom "
        go = "go" if several else "goes"
        return f"{cards} {end}of {self.value(source)} {go} to {self.target(target)}"

    def _all_cards(self, action: n.Node) -> str:
        match action:
            case n.Move(card=n.End(location=source), target=target):
                return f"all cards of {self.value(source)} go to {self.target(target)}"
            case n.Forget(card=n.End(location=source)):
                return f"all cards of {self.value(source)} are forgotten"
        return f"for all cards: {self.deed(action)}"

    def target(self, node: n.Node) -> str:
        """Return where a card goes."""
        match node:
            case n.End(top=True):
                return self.value(node.location)
            case n.End():
                return f"the bottom of {self.value(node.location)}"
        return f"the place of {self.value(node)}"

    # Actions ------------------------------------------------------------------------------

    def _action(self, node: n.Node) -> str:
        match node:
            case n.Move(card=n.End(top=True) as card, target=target):
                text = self._moved("a card", card, target, several=False)
                if "is dealt" in text:
                    return text
                return f"{self.value(card)} goes to {self.target(target)}"
            case n.Move():
                return f"{self.value(node.card)} goes to {self.target(node.target)}"
            case n.Remember():
                return f"{self.value(node.card)} is remembered in {self.target(node.target)}"
            case n.Forget():
                return f"{self.value(node.card)} is forgotten"
            case n.Swap():
                return f"{self.value(node.left)} and {self.value(node.right)} change places"
            case n.Shuffle():
                return f"{self.value(node.location)} is shuffled"
            case n.Set():
                return self._set(node)
            case n.SetPoints():
                return f"the values in {self.map_name(node.storage)} are set"
            case n.Increase():
                way = "up" if node.sign > 0 else "down"
                amount = self.value(node.amount) if node.amount is not None else "1"
                return f"{self.subject(node.storage, 'goes')} {way} by {amount}"
            case n.Cycle(queue=True):
                return f"the next turn is that of {self.owner(node.player)}"
            case n.Cycle():
                return f"the turn goes to {self.owner(node.player)}"
            case n.Pass():
                return "nothing happens"
        return self.code(node)

    def _set(self, node: n.Set) -> str:
        if isinstance(node.storage, n.Storage) and isinstance(node.value, n.Number | n.Text):
            fact = self._fact(node.storage, node.value)
            if fact:
                return f"from now on {fact}"
        if isinstance(node.storage, n.Storage) and self.is_player(node.storage):
            who = self._player_number(node.value)
            return f"{self.stored(node.storage)} is now {who}"
        return f"{self.subject(node.storage, 'becomes')} {self.value(node.value)}"

    def _player_number(self, node: n.Node) -> str:
        """Return the player whose number a value is."""
        if isinstance(node, n.NumberOf):
            return self.owner(node.owner)
        if isinstance(node, n.Number) and node.value < self.version.program.base:
            return "nobody"
        return f"player {self.value(node)}"

    def option(self, node: n.Node) -> str:
        """Return what an option of a choice lets the player do, as a verb with its objects."""
        raise NotImplementedError


_MOST_DEEDS = 2
"""Most things that are told of what an option does."""


class OptionWords(StepWords):
    """Says options, in the words of the game's author where there are some."""

    def option(self, node: n.Node) -> str:
        """Return what an option of a choice lets the player do: `pass`, `play a card`."""
        outside, self._acting = self._acting, True
        text = self._option(node)
        self._acting = outside
        return text

    def _option(self, node: n.Node) -> str:
        authored = self._authored(node)
        if authored:
            return authored
        match node:
            case n.Pass():
                return self._word("choices", ("pass",)) or "pass"
            case n.When():
                return f"{self.option(node.body)}, if {self.clause(node.test)}"
            case n.ForEach(choose=True):
                with self.calling(node.variable, self._any(node.collection, node.variable)):
                    return self.option(node.body)
            case n.Do(steps=(first, *rest)):
                return self._series((self.option(first), *map(self._then, rest)), ", and ")
            case Labelled():
                return self._labelled(node)
            case n.Let():
                return self.option(node.body)
            case n.Move():
                return self._laid(node)
            case n.Set(storage=n.Storage(name=n.Text(value=name)) as storage, value=value):
                return self._chosen(storage, name, value)
        return f"choose that {self.deed(node)}"

    def _laid(self, node: n.Move) -> str:
        """Return that a card is played, put somewhere or moved."""
        card, source = self.value(node.card), self._source(node.card)
        hand = source is not None and source.place is LocationKind.INVISIBLE
        if hand and isinstance(node.target, n.End) and isinstance(node.target.location, n.Place):
            if self.place_noun(node.target.location) == "trick":
                return f"play {card}"
            return f"put {card} on {self.target(node.target)}"
        return f"move {card} to {self.target(node.target)}"

    def _authored(self, node: n.Node) -> str:
        """Return the author's words for what an option does: for the first of its actions."""
        match node:
            case n.Do():
                told = list(filter(None, map(self._authored, node.steps)))
                moves = [one for one in node.steps if isinstance(one, n.Move)]
                if told and moves and not any(map(self._authored, moves)):
                    told.append(self._laid(moves[0]))
                return " and ".join(dict.fromkeys(told[:_MOST_DEEDS]))
            case n.Increase(storage=n.Storage(name=n.Text(value=name)) as storage):
                keys = value_keys(owner_sort(storage.owner), name, "")[2:]
                return self._word("choices", keys)
            case n.Set(storage=n.Storage(name=n.Text(value=name)) as storage, value=value):
                return self._author_choice(storage, name, value)
            case n.Move(card=card, target=n.End(location=n.Place() as target)):
                source = self._source(card)
                if source is None:
                    return ""
                found = self.words.find(
                    "moves",
                    (
                        f"{one} to {other}"
                        for other in self._keys(target)
                        for one in self._keys(source)
                    ),
                )
                text = (
                    found.fill(
                        lambda blank: (
                            None if blank.name or blank.how else self._shortly(card, source)
                        )
                    )
                    if found
                    else ""
                )
                return text or ""
        return ""

    def _then(self, node: n.Node) -> str:
        match node:
            case n.Move() | n.Pass():
                return self.option(node)
        return f"then {self.deed(node)}"

    def _chosen(self, storage: n.Storage, name: str, value: n.Node) -> str:
        return f"make {self.value(storage)} {self.value(value)}"

    def _shortly(self, card: n.Node, source: n.Place) -> str:
        """Return a card without its place, which the author's words say."""
        return self.value(card).replace(f" of {self.value(source)}", "", 1)

    def _keys(self, place: n.Place) -> tuple[str, ...]:
        """Return the keys of a place in tables of words."""
        name = place.name.value if isinstance(place.name, n.Text) else ""
        return place_keys(owner_sort(place.owner), name)

    def _source(self, card: n.Node) -> n.Place | None:
        """Return the place from which a card is taken, if the form for it says that."""
        match card:
            case n.End(location=place) | n.BestCard(location=place) | n.Position(location=place):
                return self._source(place)
            case n.Filter():
                return self._source(card.collection)
            case n.Variable(slot=slot):
                binder = self._binders.get(slot)
                if isinstance(binder, n.ForEach):
                    return self._source(binder.collection)
                return self._source(binder.value) if isinstance(binder, n.Let) else None
            case n.Place():
                return card
        return None

    def _author_choice(self, storage: n.Storage, name: str, value: n.Node) -> str:
        """Return the author's words for storing a value by choice."""
        text = self.value(value)
        written = value.value if isinstance(value, n.Number | n.Text) else ""
        keys = value_keys(owner_sort(storage.owner), name, written)
        found = self.words.find("choices", keys if written != "" else keys[2:])
        word = found.fill(lambda blank: _blank(blank, text)) if found is not None else ""
        return word or ""

    def _labelled(self, node: Labelled) -> str:
        text = " ".join(part if isinstance(part, str) else self.value(part) for part in node.parts)
        key = " ".join(part for part in node.parts if isinstance(part, str))
        return self._word("labels", (key,)) or f"choose “{text.lower()}”"

    def _word(self, table: str, keys: tuple[str, ...]) -> str:
        """Return the author's words, if they have no place for a value."""
        found = self.words.find(table, keys)
        if found is None or found.blanks:
            return ""
        return found.fill(lambda _: None) or ""


def _blank(blank: Blank, text: str) -> str | None:
    """Return what stands in a phrase for the value that is chosen."""
    if blank.name or blank.how in {PLAYER, WHOSE}:
        return None
    one, _, many = blank.how.partition("|")
    return f"{text} {many or plural(one)}" if one else text
