"""Options of choices in sentences about rules: what a player may do, as `play a card`."""

from __future__ import annotations

from cardwright.authoring.rule_difference.part import owner_sort
from cardwright.authoring.rule_difference.step_words import StepWords
from cardwright.game.wording.phrases import PLAYER, WHOSE, Blank, place_keys, plural, value_keys
from cardwright.program import nodes as n
from cardwright.program.cards import LocationKind
from cardwright.program.expansion import Labelled

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
