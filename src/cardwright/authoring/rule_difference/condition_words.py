"""Conditions in sentences about rules, as clauses: `every player's hand is empty`."""

from __future__ import annotations

from dataclasses import replace

from cardwright.authoring.rule_difference.part import owner_sort
from cardwright.authoring.rule_difference.value_words import ValueWords, mentions
from cardwright.game.wording.naming import plain_word
from cardwright.game.wording.phrases import counted_cards, many
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

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
