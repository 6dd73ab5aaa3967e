"""Differences of constants, players, teams, cards, and of who wins."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

from cardwright.authoring.rule_difference.version import ChangeKind, RuleChange, capital, version_of
from cardwright.game.errors import GameFileError, override_text
from cardwright.game.wording.naming import PeopleNamer, plain_word
from cardwright.game.wording.phrases import listed, plural, with_article

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cardwright.authoring.rule_difference.comparison import NameChange
    from cardwright.authoring.rule_difference.version import Version
    from cardwright.game.settings import Setting, Settings
    from cardwright.game.wording.phrases import GameWords
    from cardwright.program.cards import Card, CardId
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program
    from cardwright.syntax.source import Span

_SPACES = {
    "sto": "stored number",
    "str": "stored name",
    "points": "point map",
    "mem": "memory",
    "constant": "constant",
    "text": "name",
}


def renamed_changes(
    before: Version, after: Version, renamed: tuple[NameChange, ...]
) -> Iterator[RuleChange]:
    """Yield a sentence for each thing that has another name, if its name is in the text."""
    for one in renamed:
        if one.before.name not in before.source.text:
            continue
        what = _SPACES.get(one.before.space, "location")
        owner = {"player": " of players", "team": " of teams"}.get(one.before.owner, "")
        yield RuleChange(
            ChangeKind.RENAMED,
            f"The {what} {one.before.name}{owner} is called {one.after.name}.",
            one.before.name,
            one.after.name,
        )


def value_changes(
    before: Version, after: Version, renamed: tuple[NameChange, ...], settings: Settings
) -> Iterator[RuleChange]:
    """Yield a sentence for each declared constant of both versions whose value differs."""
    new = {one.before.name: one.after.name for one in renamed if one.before.space == "constant"}
    places = [_places(version) for version in (before, after)]
    for name, value in before.values.items():
        other = new.get(name, name)
        if other not in after.values:
            continue
        old_form, new_form = before.derived.get(name), after.derived.get(other)
        text = ""
        if old_form is not None and new_form is not None:
            if _renamed_form(old_form, new) != new_form:
                text = f"{other} is computed as {new_form} instead of {old_form}"
                if value != after.values[other]:
                    text += (
                        f", which makes {_shown(after.values[other])} instead of {_shown(value)}"
                    )
                text += "."
        elif value != after.values[other] or type(value) is not type(after.values[other]):
            text = _sentence(other, value, after.values[other], settings.declared.get(name))
        if text:
            yield RuleChange(
                ChangeKind.CHANGED,
                text,
                f"{name}={override_text(value)}",
                f"{other}={override_text(after.values[other])}",
                before.line(places[0][name]),
                after.line(places[1][other]),
            )


def _places(version: Version) -> Mapping[str, Span]:
    return {one.name: one.span for one in version.program.declared}


def _renamed_form(text: str, new: Mapping[str, str]) -> str:
    for old, other in new.items():
        text = text.replace(f"'{old}", f"'{other}")
    return text


def _shown(value: Constant) -> str:
    return ", ".join(value) if isinstance(value, tuple) else override_text(value)


def _sentence(name: str, old: Constant, new: Constant, setting: Setting | None) -> str:
    """Return what it means that a constant has another value, by what its author says of it."""
    about = setting.about.strip() if setting is not None else ""
    values = f"{name} is {_shown(new)} instead of {_shown(old)}"
    if not about:
        return f"{values}."
    if about.startswith("1 if ") and {old, new} == {0, 1}:
        what = about.removeprefix("1 if ").partition(";")[0]
        return f"Now {what} ({values})." if new else f"It is no longer so that {what} ({values})."
    head, ways = _ways(about, setting)
    if old in ways and new in ways:
        return f"{head}: {ways[new]}, instead of: {ways[old]} ({values})."
    if isinstance(new, tuple) or ":" in about or ";" in about:
        return f"{values}. {about}."
    return f"{about}: {_shown(new)} instead of {_shown(old)} ({name})."


def _ways(about: str, setting: Setting | None) -> tuple[str, dict[Constant, str]]:
    """Return what a constant is about, and what each of its values means, if its author lists it.

    `When hearts may be led: when broken; always` has words for two values, in their order.
    """
    head, colon, rest = about.partition(": ")
    if setting is None or not colon:
        return about, {}
    texts = [text.strip() for text in rest.split(";")]
    values = list(setting.values)
    if len(texts) != len(values):
        return about, {}
    return head, dict(zip(values, texts, strict=True))


_MOST_CARDS = 6
"""Most cards that a sentence names one by one."""

_SUITS_AND_RANKS = frozenset({"SUIT", "RANK"})
_Key: TypeAlias = "tuple[tuple[str, str], ...]"


def pack_changes(
    before: Program, after: Program, renamed: Mapping[str, str], words: GameWords
) -> Iterator[str]:
    """Yield sentences for what differs; `renamed` are strings of the first by other names."""
    old, new = _Pack(before, renamed, words), _Pack(after, {}, words)
    common = old.attributes & new.attributes
    for key in sorted(old.attributes - common):
        yield f"Cards have no {plain_word(key)} any more."
    for key in sorted(new.attributes - common):
        yield f"Cards have {with_article(plain_word(key))} as well."
    if old.absent != new.absent:
        yield "The cards that are there only with other values of the constants are others."
    gone, come = old.cards(common), new.cards(common)
    if gone != come:
        yield _other_cards(old, new, gone - come, come - gone)
        return
    backs = [Counter(card.back for card in pack.program.cards) for pack in (old, new)]
    if backs[0] != backs[1]:
        yield "The backs of the cards are others."
    layouts = [
        [pack.keys(deck.cards, common) for deck in pack.program.decks] for pack in (old, new)
    ]
    if len(layouts[0]) != len(layouts[1]):
        yield f"The same cards are {len(layouts[1])} decks instead of {len(layouts[0])}."
    elif layouts[0] != layouts[1]:
        yield "The cards are the same, and lie in another order before they are shuffled."


def _other_cards(old: _Pack, new: _Pack, gone: Counter[_Key], come: Counter[_Key]) -> str:
    total, before = len(new.program.cards), len(old.program.cards)
    head = (
        f"still has {total} cards" if total == before else f"has {total} cards instead of {before}"
    )
    parts = [
        f"{names} {'is' if cards.total() == 1 else 'are'} {what}"
        for names, cards, what in (
            (old.named(gone), gone, "gone"),
            (new.named(come), come, "new"),
        )
        if names
    ]
    return f"The pack {head}: {listed(parts)}."


class _Pack:
    """The cards of one program, with names for people."""

    def __init__(self, program: Program, renamed: Mapping[str, str], words: GameWords) -> None:
        self.program = program
        self._renamed = renamed
        self._words = PeopleNamer(program, words).cards
        self.attributes = {
            renamed.get(key, key) for card in program.cards for key in card.attributes
        }
        self.absent = [
            sorted((renamed.get(key, key), renamed.get(one, one)) for key, one in card.items())
            for card in program.absent
        ]
        self._common = frozenset(self.attributes)

    def cards(self, common: Iterable[str]) -> Counter[_Key]:
        """Return how often each card occurs, as told by these attributes."""
        self._common = frozenset(common)
        return Counter(map(self._key, self.program.cards))

    def keys(self, cards: Iterable[CardId], common: Iterable[str]) -> list[_Key]:
        """Return some cards in order, as told by these attributes."""
        self._common = frozenset(common)
        return [self._key(self.program.cards[card]) for card in cards]

    def _key(self, card: Card) -> _Key:
        new = self._renamed
        pairs = ((new.get(key, key), new.get(one, one)) for key, one in card.attributes.items())
        return tuple(sorted(pair for pair in pairs if pair[0] in self._common))

    def named(self, cards: Counter[_Key]) -> str:
        """Return what some of the cards are called together: `the clubs and the ace of spades`."""
        rest = Counter(cards)
        wholes: list[str] = []
        for attribute, value in self._values(cards):
            group = self._group(attribute, value)
            if group.total() > 1 and group <= rest:
                rest -= group
                wholes.append(_group_name(attribute, self._words.value(value)))
        alike: dict[str, list[Card]] = {}
        left = Counter(rest)
        for card in self.program.cards:
            if left[self._key(card)] > 0:
                left[self._key(card)] -= 1
                alike.setdefault(self._words.name(card), []).append(card)
        names = [self._words.counted(cards[0], len(cards)) for cards in alike.values()]
        if len(names) > _MOST_CARDS:
            names = [f"{rest.total()} {'other ' if wholes else ''}cards"]
        return listed([*wholes, *names])

    def _values(self, cards: Counter[_Key]) -> list[tuple[str, str]]:
        """Return the attributes of some cards with their values: suits and ranks, large first."""
        count = Counter(pair for card in self.program.cards for pair in card.attributes.items())
        return sorted(
            (pair for pair in count if self._group(*pair).keys() & cards.keys()),
            key=lambda pair: (pair[0] not in _SUITS_AND_RANKS, -count[pair]),
        )

    def _group(self, attribute: str, value: str) -> Counter[_Key]:
        """Return the cards with a value of an attribute."""
        return Counter(
            self._key(card)
            for card in self.program.cards
            if card.attributes.get(attribute) == value
        )


def _group_name(attribute: str, value: str) -> str:
    """Return what all cards with a value are called: `the clubs`, or `the 7s`."""
    if attribute == "SUIT":
        alike = value.endswith("s") or len(value) == 1
        return f"the {value if alike else plural(value)}"
    if attribute == "RANK":
        return f"the {plural(value)}"
    return f"all cards whose {plain_word(attribute)} is {value}"


def frame_changes(
    before: Version, after: Version, renamed: tuple[NameChange, ...], words: GameWords
) -> Iterator[RuleChange]:
    """Yield a sentence for each difference between the frames.

    Both versions have the same values of declared constants, as those that differ are told.
    """
    old, new = before.program, after.program
    if old.players != new.players:
        many = "player plays" if new.players == 1 else "players play"
        yield _told(
            f"{new.players} {many} instead of {old.players}.", "create players", before, after
        )
    if old.players == new.players and old.teams != new.teams:
        text = f"{capital(_teams(new))}; before, {_teams(old)}."
        yield _told(text, "create teams", before, after)
    if old.base != new.base:
        yield _told(
            f"Players are numbered from {new.base} instead of from {old.base}.", "", before, after
        )
    texts = {one.before.name: one.after.name for one in renamed if one.before.space == "text"}
    for sentence in pack_changes(old, new, texts, words):
        yield _told(sentence, "create deck", before, after)
    if old.highest_wins != new.highest_wins:
        best = ("highest", "lowest") if new.highest_wins else ("lowest", "highest")
        text = f"The {best[0]} score wins instead of the {best[1]}."
        yield _told(text, "scoring", before, after)


def with_same_values(before: Version, after: Version, renamed: tuple[NameChange, ...]) -> Version:
    """Return the second version with the first one's values of common constants, if it can be."""
    same = before.source.text == after.source.text and before.program.base == after.program.base
    if same:
        return before
    new = {one.before.name: one.after.name for one in renamed if one.before.space == "constant"}
    values = {
        new.get(name, name): value
        for name, value in before.values.items()
        if new.get(name, name) in after.values
        and new.get(name, name) not in after.derived
        and after.values[new.get(name, name)] != value
    }
    if not values:
        return after
    kept = {name: value for name, value in after.values.items() if name not in after.derived}
    try:
        return version_of(after.source, {**kept, **values}, after.program.base)
    except GameFileError:
        return after


def _told(sentence: str, section: str, before: Version, after: Version) -> RuleChange:
    (old, line), (new, other) = (_excerpt(version, section) for version in (before, after))
    return RuleChange(ChangeKind.CHANGED, sentence, old, new, line, other)


def _excerpt(version: Version, section: str) -> tuple[str, int | None]:
    """Return the text of a part of the frame, and its line."""
    place = version.section(section) if section else None
    return (version.excerpt(place), version.line(place)) if place is not None else ("", None)


def _teams(program: Program) -> str:
    if all(len(team) == 1 for team in program.teams):
        return "everybody plays alone"
    sides = (" and ".join(str(seat + program.base) for seat in team) for team in program.teams)
    return f"the teams are {'; '.join(sides)}"
