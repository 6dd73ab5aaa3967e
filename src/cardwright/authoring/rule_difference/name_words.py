"""Names in sentences about rules: of places, owners, stored values and variables."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.part import RuleName, owner_sort
from cardwright.game.wording.naming import USUAL_PLACES, PeopleNamer, plain_word
from cardwright.game.wording.phrases import PLAYER, WHOSE, Blank, place_keys, plural
from cardwright.program import nodes as n
from cardwright.program.kinds import ValueKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
