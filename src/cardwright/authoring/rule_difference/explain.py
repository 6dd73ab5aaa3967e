"""The differences between two versions of a game, each a sentence, in order of the rules."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.comparison import (
    ChangeKind,
    Parts,
    TreeComparison,
    Version,
    renamings,
    version_of,
)
from cardwright.authoring.rule_difference.sentences import (
    RuleChange,
    RuleWords,
    Sentences,
)
from cardwright.english import agreed, capital, listed, plural, with_article
from cardwright.game.errors import GameFileError, override_text
from cardwright.game.find import split_preset
from cardwright.game.game import Game
from cardwright.game.settings import Settings, settings_of
from cardwright.game.wording.naming import PeopleNamer, plain_word
from cardwright.program.check import deep_recursion
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from cardwright.authoring.rule_difference.comparison import Renamed
    from cardwright.game.settings import Setting
    from cardwright.game.wording.phrases import GameWords
    from cardwright.program.cards import Card
    from cardwright.program.constants import Constant
    from cardwright.program.program import Program

_SPACES = {
    "sto": "stored number",
    "str": "stored name",
    "points": "point map",
    "mem": "memory",
    "constant": "constant",
    "text": "name",
}
_MOST_CARDS = 6
"""Most cards that a sentence names one by one."""


def explain_diff(before: Game | str | Path, after: Game | str | Path) -> tuple[RuleChange, ...]:
    """Return how two versions of a game differ, in sentences for people; none if they do not.

    A version is a game, or what `Game.load` takes, with a preset after a colon: `hearts:standard`.
    What is not told: layout, comments, the names of variables, and other ways to write the same.
    Constants are explained by the words of the file beside the first game. Raises what `Game.load`
    raises.
    """
    first, second = _loaded(before), _loaded(after)
    settings = settings_of(first.name)
    words = first.words or settings.words
    given = Settings(declared=settings.declared, words=words)
    return differences(_version(first), _version(second), given, second.words or words)


def _loaded(game: Game | str | Path) -> Game:
    if isinstance(game, Game):
        return game
    name, preset = split_preset(game) if isinstance(game, str) else (game, None)
    return Game.load(name, preset=preset)


def _version(game: Game) -> Version:
    """Return the rules of a game, with the values of its constants that are not those written."""
    program = game.program
    values = {
        known.name: known.value
        for known in program.declared
        if known.value is not None and known.value != known.default
    }
    return version_of(program.source, values, program.base if program.forced_base else None)


def explained(before: str, after: str, words: GameWords | None = None) -> tuple[RuleChange, ...]:
    """Return how two texts of rules differ, as `explain_diff` does.

    `words` are those of the first version's author. Raises GameFileError for rules that do not pass
    the check.
    """
    settings = Settings() if words is None else Settings(words=words)
    return differences(_kept(before), version_of(Source("<after>", after)), settings)


@lru_cache(maxsize=4)
def _kept(before: str) -> Version:
    """Return a version that many others are compared with: it is read once."""
    return version_of(Source("<before>", before))


def differences(
    before: Version, after: Version, settings: Settings, words: GameWords | None = None
) -> tuple[RuleChange, ...]:
    """Return how two versions differ; `settings` are what the first one's author says of it.

    `words` are those of the second one's author, if they are others.
    """
    with deep_recursion():
        renamed = renamings(before, after)
        new = {name.name: other for name, other in renamed.items() if name.space == "constant"}
        alike = _with_same_values(before, after, new)
        common = frozenset({new.get(name, name) for name in before.values} & after.values.keys())
        comparison = TreeComparison()
        comparison.roots(
            Parts(before, common | new.keys(), renamed).roots(), Parts(alike, common, {}).roots()
        )
        old = RuleWords(before, settings.words, renamed)
        sentences = Sentences(old, RuleWords(alike, words or settings.words, {}))
        changes = (
            *_name_changes(before, renamed),
            *_value_changes(before, after, new, settings),
            *_frame_changes(before, alike, renamed, settings.words),
            *sentences.changes(comparison.differences),
        )
    unique = {(made.sentence, made.line_before, made.line_after): made for made in changes}
    return tuple(unique.values())


def _name_changes(before: Version, renamed: Renamed) -> Iterator[RuleChange]:
    """Yield a sentence for each thing that has another name, if its name is in the text."""
    for (space, owner, name), new in renamed.items():
        if name in before.source.text:
            of = f" of {owner}s" if owner in {"player", "team"} else ""
            text = f"The {_SPACES.get(space, 'location')} {name}{of} is called {new}."
            yield RuleChange(ChangeKind.RENAMED, text, name, new)


# Constants --------------------------------------------------------------------------------


def _with_same_values(before: Version, after: Version, new: Mapping[str, str]) -> Version:
    """Return the second version with the first one's values of common constants, if it can be."""
    if before.source.text == after.source.text and before.program.base == after.program.base:
        return before
    common = {new.get(name, name): value for name, value in before.values.items()}
    kept = {name: value for name, value in after.values.items() if name not in after.derived}
    values = {name: common.get(name, value) for name, value in kept.items()}
    try:
        return after if values == kept else version_of(after.source, values, after.program.base)
    except GameFileError:
        return after


def _value_changes(
    before: Version, after: Version, new: Mapping[str, str], settings: Settings
) -> Iterator[RuleChange]:
    """Yield a sentence for each declared constant of both versions whose value differs.

    `new` has the constants of the first that are called otherwise.
    """
    places = [
        {known.name: known.span for known in version.program.declared}
        for version in (before, after)
    ]
    for name, value in before.values.items():
        other = new.get(name, name)
        if other not in after.values:
            continue
        now, text = after.values[other], ""
        form, form_now = before.derived.get(name), after.derived.get(other)
        if form is not None and form_now is not None:
            renamed_form = form
            for old, called in new.items():
                renamed_form = renamed_form.replace(f"'{old}", f"'{called}")
            if renamed_form != form_now:
                makes = f", which makes {_shown(now)} instead of {_shown(value)}"
                text = f"{other} is computed as {form_now} instead of {form}"
                text += f"{makes if value != now else ''}."
        elif value != now or type(value) is not type(now):
            text = _value_sentence(other, value, now, settings.declared.get(name))
        if text:
            yield RuleChange(
                ChangeKind.CHANGED,
                text,
                f"{name}={override_text(value)}",
                f"{other}={override_text(now)}",
                before.line(places[0][name]),
                after.line(places[1][other]),
            )


def _shown(value: Constant) -> str:
    return ", ".join(value) if isinstance(value, tuple) else override_text(value)


def _value_sentence(name: str, old: Constant, new: Constant, setting: Setting | None) -> str:
    """Return what it means that a constant has another value, by what its author says of it.

    `When hearts may be led: when broken; always` has words for two values, in their order.
    """
    about = setting.about.strip() if setting is not None else ""
    values = f"{name} is {_shown(new)} instead of {_shown(old)}"
    if setting is None or not about:
        return f"{values}."
    if about.startswith("1 if ") and {old, new} == {0, 1}:
        what = about.removeprefix("1 if ").partition(";")[0]
        return f"{'Now' if new else 'It is no longer so that'} {what} ({values})."
    head, _, said = about.partition(": ")
    texts = [text.strip() for text in said.split(";")]
    ways = dict(zip(setting.values, texts, strict=False))
    if len(texts) == len(setting.values) and old in ways and new in ways:
        return f"{head}: {ways[new]}, instead of: {ways[old]} ({values})."
    if isinstance(new, tuple) or ":" in about or ";" in about:
        return f"{values}. {about}."
    return f"{about}: {_shown(new)} instead of {_shown(old)} ({name})."


# The frame --------------------------------------------------------------------------------


def _frame_changes(
    before: Version, after: Version, renamed: Renamed, words: GameWords
) -> Iterator[RuleChange]:
    """Yield a sentence for each difference between the frames.

    Both versions have the same values of declared constants, as those that differ are told.
    """
    old, new = before.program, after.program
    texts: list[tuple[str, str]] = []
    if old.players != new.players:
        many = "player plays" if new.players == 1 else "players play"
        texts.append(("create players", f"{new.players} {many} instead of {old.players}."))
    elif old.teams != new.teams:
        texts.append(("create teams", f"{capital(_teams(new))}; before, {_teams(old)}."))
    if old.base != new.base:
        texts.append(("", f"Players are numbered from {new.base} instead of from {old.base}."))
    strings = {name.name: other for name, other in renamed.items() if name.space == "text"}
    texts += (("create deck", text) for text in _pack_changes(old, new, strings, words))
    if old.highest_wins != new.highest_wins:
        best = ("highest", "lowest") if new.highest_wins else ("lowest", "highest")
        texts.append(("scoring", f"The {best[0]} score wins instead of the {best[1]}."))
    for section, text in texts:
        spans = [version.section(section) if section else None for version in (before, after)]
        yield RuleChange.at(ChangeKind.CHANGED, text, (before, after), spans)


def _teams(program: Program) -> str:
    if all(len(team) == 1 for team in program.teams):
        return "everybody plays alone"
    sides = (listed(seat + program.base for seat in team) for team in program.teams)
    return f"the teams are {'; '.join(sides)}"


def _pack_changes(
    before: Program, after: Program, renamed: Mapping[str, str], words: GameWords
) -> Iterator[str]:
    """Yield sentences for what differs; `renamed` are strings of the first by other names."""
    old, new = _Pack(before, renamed, words), _Pack(after, {}, words)
    attributes = [{key for card in pack.cards for key, _ in card} for pack in (old, new)]
    for key in sorted(attributes[0] - attributes[1]):
        yield f"Cards have no {plain_word(key)} any more."
    for key in sorted(attributes[1] - attributes[0]):
        yield f"Cards have {with_article(plain_word(key))} as well."
    for pack in (old, new):
        pack.keep(attributes[0] & attributes[1])
    if old.absent != new.absent:
        yield "The cards that exist only with other values of the constants are different."
    total, now = len(old.cards), len(new.cards)
    parts = [
        f"{pack.named(some)} {agreed('are', some.total())} {what}"
        for pack, some, what in (
            (old, Counter(old.cards) - Counter(new.cards), "gone"),
            (new, Counter(new.cards) - Counter(old.cards), "new"),
        )
        if some
    ]
    if parts:
        head = f"still has {total} cards" if total == now else f"has {now} cards instead of {total}"
        yield f"The pack {head}: {listed(parts)}."
    elif Counter(card.back for card in before.cards) != Counter(card.back for card in after.cards):
        yield "The backs of the cards are different."
    elif len(before.decks) != len(after.decks):
        yield f"The same cards are {len(after.decks)} decks instead of {len(before.decks)}."
    elif old.decks != new.decks:
        yield "The cards are the same, and lie in another order before they are shuffled."


class _Pack:
    """The cards of one program by their attributes, in order, with names for people."""

    def __init__(self, program: Program, renamed: Mapping[str, str], words: GameWords) -> None:
        def pairs(card: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
            return tuple(sorted((renamed.get(a, a), renamed.get(b, b)) for a, b in card.items()))

        self._program = program
        self._words = PeopleNamer(program, words).cards
        self.cards = [pairs(card.attributes) for card in program.cards]
        self.absent = [pairs(card) for card in program.absent]

    def keep(self, attributes: set[str]) -> None:
        """Tell cards apart by these attributes only."""
        self.cards = [tuple(pair for pair in card if pair[0] in attributes) for card in self.cards]

    @property
    def decks(self) -> list[list[tuple[tuple[str, str], ...]]]:
        """The cards of each deck."""
        return [[self.cards[card] for card in deck.cards] for deck in self._program.decks]

    def named(self, cards: Counter[tuple[tuple[str, str], ...]]) -> str:
        """Return what some of the cards are called together: `the clubs and the ace of spades`."""
        rest, wholes = Counter(cards), []
        count = Counter(pair for card in self.cards for pair in card)
        for pair in sorted(count, key=lambda pair: (pair[0] not in {"SUIT", "RANK"}, -count[pair])):
            group = Counter(card for card in self.cards if pair in card)
            if group.total() > 1 and group <= rest:
                rest -= group
                wholes.append(self._whole(*pair))
        if rest.total() > _MOST_CARDS:
            return listed([*wholes, f"{rest.total()} {'other ' if wholes else ''}cards"])
        others: list[Card] = []
        for card, pairs in zip(self._program.cards, self.cards, strict=True):
            if rest[pairs] > 0:
                rest[pairs] -= 1
                others.append(card)
        return listed([*wholes, *([self._words.several(others)] if others else [])])

    def _whole(self, attribute: str, value: str) -> str:
        """Return what all cards with a value are called: `the clubs`, or `the 7s`."""
        word = self._words.value(value)
        if attribute not in {"SUIT", "RANK"}:
            return f"all cards whose {plain_word(attribute)} is {word}"
        named = attribute == "SUIT" and (word.endswith("s") or len(word) == 1)
        return f"the {word if named else plural(word)}"
