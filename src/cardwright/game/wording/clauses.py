"""What players do and are asked, in the words of people: `play the queen of spades` or `bid 3`.

`DeedWords` says what an option does, from its effects; nothing in it depends on the other options
that are offered, as what others may choose can tell of their cards. `options_for_people` and
`prompt_of` put a whole decision into words for the player that chooses.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from cardwright.english import KNOWN_VERBS, Clause, capital, counted, counted_or_a, listed
from cardwright.game.wording.describe import described, numbered, route_of, tell_apart
from cardwright.game.wording.naming import plain_word, stored_values
from cardwright.game.wording.phrases import PASS, SIGN, Blank, label_key
from cardwright.game.wording.sight import ChooserSight
from cardwright.interpreter.effects import Exchanged, Moved, Passed, Stored, Swapped, Turned
from cardwright.interpreter.steps import picked_players
from cardwright.program.cards import LocationKind
from cardwright.program.kinds import ValueKind
from cardwright.program.nodes import Variable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.english import SentenceSubject
    from cardwright.game.wording.describe import DescribedOption, Wording
    from cardwright.game.wording.naming import PeopleNamer, StoredValues
    from cardwright.game.wording.phrases import FillBlank, Phrase
    from cardwright.game.wording.sight import OptionSight
    from cardwright.interpreter.effects import BuiltOption, Effect, Said
    from cardwright.interpreter.world import World
    from cardwright.program.cards import CardId, Location

_ON_CARDS = (Moved, Swapped, Exchanged)

_KINDS = 3
"""The most different things to do that a question names."""


class Carried(NamedTuple):
    """Cards that go from one place to another: as a text, and how many there are."""

    source: Location
    target: Location
    cards: str
    number: int


class MoveWords:
    """Says to a reader where cards go; `you` is the reader's seat, if it has one."""

    def __init__(self, namer: PeopleNamer, you: int | None) -> None:
        self._namer = namer
        self._you = you

    def phrase(self, source: Location, target: Location) -> Phrase | None:
        """Return the author's phrase for a way of cards, if there is one."""
        return self._namer.words.find("moves", self._namer.move_keys(source, target))

    def untold(self, source: Location, target: Location) -> bool:
        """Return whether the author wants a way of cards not to be told."""
        if phrase := self.phrase(source, target):
            return not phrase.parts
        return not (self._namer.noun(source) and self._namer.noun(target))

    def filled(self, phrase: Phrase, carried: Carried, stored: FillBlank) -> str | None:
        """Return a phrase with the cards, their number and the owners of both places.

        One whose subject are the cards is a whole sentence.
        """
        source, target, cards, number = carried

        def value(blank: Blank) -> str | SentenceSubject | None:
            match blank:
                case Blank("", ""):
                    return cards
                case Blank("", noun):
                    return counted_or_a(number, noun) if noun == "card" else counted(number, noun)
                case Blank("at"):
                    return str(target.at)
                case Blank("to", how):
                    return self._namer.owner(target.owner, how, self._you)
                case Blank("from", how):
                    return self._namer.owner(source.owner, how, self._you)
            return stored(blank)

        return phrase.of_count(number, value) if phrase.of_cards else phrase.fill(value)

    def deed(
        self, actor: int, carried: Carried, stored: FillBlank, *, one_pile: bool
    ) -> Clause | None:
        """Return what a player does with cards, if it is told; `one_pile` takes all of them."""
        source, target, cards, _ = carried
        if self.untold(source, target):
            return None
        phrase = self.phrase(source, target)
        text = phrase and not phrase.of_cards and self.filled(phrase, carried, stored)
        if text:
            return Clause(text)
        program, table = self._namer.program, self._namer.program.table
        teams = enumerate(program.teams, program.players)
        own = {actor, *(number for number, members in teams if actor in members)}
        from_own, to_own = source.owner in own, target.owner in own
        if from_own and not to_own and target.owner != table:
            return Clause(f"give {cards} to {self._namer.who(target.owner, self._you)}")
        if to_own and not from_own:
            if source.owner != table or source.kind is LocationKind.VISIBLE:
                return Clause(f"take {cards} from {self.the(source, actor)}")
            origin = "" if source.name == "STOCK" else f" from {self.the(source, actor)}"
            return Clause(f"draw {cards}{origin}")
        if from_own and source.kind is LocationKind.INVISIBLE:
            if target.owner == table and target.name == "DISCARD":
                return Clause(f"discard {cards}")
            if target.kind is not LocationKind.VISIBLE:
                return Clause(f"put {cards} in {self.the(target, actor)}")
            if one_pile and not target.at:
                return Clause(f"play {cards}")
            return Clause(f"put {cards} on {self.the(target, actor)}")
        return Clause(f"move {cards} from {self.the(source, actor)} to {self.the(target, actor)}")

    def exchange(self, actor: int, left: Location, right: Location) -> Clause | None:
        """Return that a player exchanges all cards of two places; None if that is not told."""
        if self.untold(left, right):
            return None
        phrase, place = self.phrase(left, right), self.the(left, actor)
        carried = Carried(left, right, place, 0)
        text = phrase and self.filled(phrase, carried, lambda _: None)
        return Clause(text or f"exchange {place} for {self.the(right, actor)}")

    def the(self, location: Location, actor: int | None = None) -> str:
        """Return a place as it is said in a sentence; one of the `actor` is `their` own."""
        if location.owner == actor != self._you:
            return f"their {self._namer.noun(location)}"
        return self._namer.the_place(location, self._you)


class MadeChoice(NamedTuple):
    """What a player does: an option, its wording, and what the reader knows of it."""

    actor: int
    option: BuiltOption
    wording: Wording
    sight: OptionSight


class DeedWords:
    """Says what a player does, to a reader; `you` is the reader's seat, if it has one.

    `stored` are the values that the reader knows, which phrases may name beside what an option
    stores. If they are `general`, it is left out which cards are meant.
    """

    def __init__(
        self, namer: PeopleNamer, you: int | None, stored: StoredValues, *, general: bool = False
    ) -> None:
        self._namer = namer
        self._words = namer.words
        self._you = you
        self._stored = stored
        self._general = general
        self._moves = MoveWords(namer, you)

    def clauses(self, deed: MadeChoice, *, whole: bool = False) -> tuple[Clause, ...]:
        """Return what a player does by an option: its label if it has one, or the `whole` of it."""
        if not whole and (label := self._label(deed)):
            return (label,)
        clauses = list(self._on_cards(deed))
        clauses += self._notes(deed, bare=not clauses, whole=whole)
        if not clauses:
            turned = [e.new for e in deed.option.effects if isinstance(e, Turned)]
            seats = (seat for seat in turned if seat is not None)
            clauses = [Clause(f"choose {self._namer.who(seat, self._you)}") for seat in seats]
        return tuple(dict.fromkeys(clauses)) or (self._passing(),)

    def _stored_value(
        self, blank: Blank, deed: MadeChoice, owner: int | None = None
    ) -> str | SentenceSubject | None:
        """Return a value for a place in a phrase: what an option stores, or an older one."""
        for effect in deed.option.effects:
            if isinstance(effect, Stored) and effect.name == blank.name:
                return self._namer.value(effect.new, blank.how, self._you)
        whose = deed.actor if owner is None else owner
        return self._namer.blank(blank, whose, self._stored, self._you)

    # Cards --------------------------------------------------------------------------------

    def _on_cards(self, deed: MadeChoice) -> Iterator[Clause]:
        """Yield what is done with cards; moves on one way are told together."""
        effects = [effect for effect in deed.option.effects if isinstance(effect, _ON_CARDS)]
        for route, run in groupby(effects, route_of):
            if route is None:
                yield from filter(None, (self._other(deed, effect) for effect in run))
                continue
            moves = [effect for effect in run if isinstance(effect, Moved)]
            known = [move.card for move in moves if not self._general and deed.sight.move(move)]
            seen = [self._namer.program.cards[card] for card in known]
            cards = self._namer.cards.several(seen, len(moves) - len(seen))
            carried, one_pile = Carried(*route, cards, len(moves)), deed.wording.one_pile
            value = partial(self._stored_value, deed=deed)
            if clause := self._moves.deed(deed.actor, carried, value, one_pile=one_pile):
                yield clause

    def _other(self, deed: MadeChoice, effect: Effect) -> Clause | None:
        match effect:
            case Swapped(left, place, _, right, other):
                first = self._swapped(deed, left, place, other)
                return Clause(f"swap {first} for {self._swapped(deed, right, other, place)}")
            case Exchanged(place, other):
                return self._moves.exchange(deed.actor, place, other)
        return None

    def _swapped(self, deed: MadeChoice, card: CardId, place: Location, other: Location) -> str:
        if self._general:
            return "a card"
        if deed.sight.swap(place, other):
            return self._namer.cards.single(self._namer.program.cards[card])
        return f"a card of {self._moves.the(place, deed.actor)}"

    # What is stored -----------------------------------------------------------------------

    def _notes(self, deed: MadeChoice, *, bare: bool, whole: bool) -> list[Clause]:
        """Return what the notes of an option say.

        Beside cards that is what the cards do not show. Where the author has words for some values
        that players store, others are told only of an option that is `bare` without them, or if the
        `whole` of it is wanted.
        """
        option, wording = deed.option, deed.wording
        every = whole or not any(isinstance(effect, _ON_CARDS) for effect in option.effects)
        program, clauses, unworded = self._namer.program, [], []
        for effect in option.effects:
            if not deed.sight.note(effect, wording):
                continue
            if not (every or wording.tells(option, effect, program) or self._is_act(effect)):
                continue
            match effect:
                case Stored("integers" | "strings"):
                    text = self._authored(deed, effect)
                    unworded += [effect] if text is None else []
                    clauses += [Clause(text)] if text else []
                case Passed() if bare:
                    clauses.append(self._passing())
        if whole or not self._words.choices or (bare and not clauses):
            clauses += self._unworded(deed, unworded, whole=whole)
        return clauses

    def _passing(self) -> Clause:
        phrase = self._words.find("choices", [PASS])
        return Clause((phrase and phrase.fill(lambda _: None)) or "pass")

    def _phrase(self, effect: Stored) -> Phrase | None:
        keys = self._namer.value_keys(effect.owner, effect.name, effect.new)
        return self._words.find("choices", keys)

    def _is_act(self, effect: Effect) -> bool:
        """Return whether the author has words without a value for an effect, as `knock`."""
        phrase = self._phrase(effect) if isinstance(effect, Stored) else None
        return phrase is not None and bool(phrase.parts) and not phrase.blanks

    def _authored(self, deed: MadeChoice, effect: Stored) -> str | None:
        def value(blank: Blank) -> str | SentenceSubject | None:
            if blank.name:
                return self._stored_value(blank, deed, effect.owner)
            return self._namer.value(effect.new, blank.how, self._you)

        phrase = self._phrase(effect)
        return None if phrase is None else phrase.fill(value)

    def _unworded(self, deed: MadeChoice, stored: list[Stored], *, whole: bool) -> Iterator[Clause]:
        """Yield values without words: strings, or numbers by a pick, or all numbers."""
        texts = [self._namer.text(effect.new) for effect in stored if isinstance(effect.new, str)]
        if any(texts):
            yield _chosen(listed(list(filter(None, texts))))
            if not whole:
                return
        numbers = [effect for effect in stored if isinstance(effect.new, int)]
        picked = [e for e in numbers if deed.wording.deciding(deed.option, e)]
        players = {seat + self._namer.program.base: seat for seat in picked_players(deed.option)}
        for effect in numbers if whole else picked or numbers:
            name = plain_word(effect.name)
            if effect in picked and effect.new in players:
                yield Clause(f"choose {self._namer.who(players[effect.new], self._you)}")
            elif name.split(" ")[0] in KNOWN_VERBS:
                yield Clause(f"{name} {effect.new}")
            else:
                yield Clause(f"set {name} to {effect.new}")

    # Labels -------------------------------------------------------------------------------

    def _label(self, deed: MadeChoice) -> Clause | None:
        """Return what the label of an option says; None if the reader may not hear it."""
        said = deed.option.said
        if not self._hears(deed):
            return None
        phrase = self._words.find("labels", [spoken_key(deed.option)])
        if phrase and (text := phrase.fill(partial(self._label_value, deed=deed))):
            return Clause(text)
        text = " ".join(filter(None, (self._part(part, deed) for part in said)))
        clause = Clause(text) if said[0].form is None else _chosen(text)
        return clause if text else None

    def call(self, deed: MadeChoice) -> str:
        """Return the label of an option as it stands in the table of an auction; empty if none."""
        phrase = self._words.find("calls", [spoken_key(deed.option)])
        if phrase is None or not self._hears(deed):
            return ""
        return phrase.fill(partial(self._label_value, deed=deed, how=SIGN)) or ""

    def _hears(self, deed: MadeChoice) -> bool:
        said = deed.option.said
        return bool(said) and (deed.sight.hears or all(map(self._heard, said)))

    def _heard(self, part: Said) -> bool:
        if part.kind is ValueKind.CARD and isinstance(part.form, Variable):
            return True  # of cards they hear what they see
        return part.form in self._namer.heard

    def _label_value(
        self, blank: Blank, deed: MadeChoice, how: str = ""
    ) -> str | SentenceSubject | None:
        """Return a value for a place in a phrase: one of the label, or a stored one.

        `how` is how strings are told where the place does not say it.
        """
        if not blank.name.isdecimal():
            return self._stored_value(blank, deed)
        values = (part for part in deed.option.said if part.form is not None)
        part = dict(enumerate(values, 1)).get(int(blank.name))
        if part and blank.how and part.kind is ValueKind.INTEGER:
            return self._namer.value(part.value, blank.how, self._you)
        if part and part.kind is ValueKind.STRING:
            return self._namer.value(part.value, blank.how or how)
        return part and self._part(part, deed)

    def _part(self, part: Said, deed: MadeChoice) -> str:
        match part.kind, part.value:
            case ValueKind.CARD, None:
                return ""
            case ValueKind.CARD, card:
                moves = (effect for effect in deed.option.effects if isinstance(effect, Moved))
                moved = any(move.card == card and deed.sight.move(move) for move in moves)
                if moved or (part.place is not None and deed.sight.place(part.place)):
                    return self._namer.cards.single(self._namer.program.cards[card])
                return "a card"
            case ValueKind.PLAYER | ValueKind.TEAM, owner:
                return self._namer.who(owner, self._you)
            case _, str(text) if part.form is not None:
                return self._namer.text(text)
        return str(part.value)


def spoken_key(option: BuiltOption) -> str:
    """Return the key of an option's label in tables of words; empty if there is none."""
    return label_key(part.value for part in option.said if part.form is None)


def _chosen(text: str) -> Clause:
    """Return that something is chosen that is called so; a verb is what the player does."""
    known = text.split(" ", maxsplit=1)[0] in KNOWN_VERBS
    return Clause(text if known else f"choose {text}")


# Decisions --------------------------------------------------------------------------------


class PendingChoice(NamedTuple):
    """A decision that is due: the world at it, its options with labels, and who decides."""

    world: World
    built: Sequence[BuiltOption]
    seat: int
    wording: Wording


def options_for_people(pending: PendingChoice, namer: PeopleNamer) -> tuple[DescribedOption, ...]:
    """Return the options of a decision in words for its player, all of them different."""
    world, built, seat, wording = pending
    deeds = DeedWords(namer, seat, stored_values(world))
    chosen = [
        MadeChoice(seat, option, wording, ChooserSight(world, seat, option)) for option in built
    ]

    def text(at: int, *, whole: bool = True) -> str:
        clauses = deeds.clauses(chosen[at], whole=whole)
        return in_sequence([clause.imperative for clause in clauses])

    words = [text(at, whole=False) for at in range(len(built))]
    tell_apart(words, range(len(words)), text)
    options = described(built, numbered(words), world, seat)
    if not namer.words.calls:
        return options
    return tuple(replace(one, call=deeds.call(chosen[one.index])) for one in options)


def in_sequence(clauses: Sequence[str]) -> str:
    """Return what is done one after the other: `take the 7, then play the 3`."""
    if len(clauses) == 2 and not any(" and " in clause for clause in clauses):
        return " and ".join(clauses)
    return ", then ".join(clauses)


def prompt_of(pending: PendingChoice, namer: PeopleNamer) -> str:
    """Return what is asked, such as `Pass 3 cards to the left`, or `Bid or pass`."""
    return _authored_prompt(pending, namer) or _usual_prompt(pending, namer)


def _authored_prompt(pending: PendingChoice, namer: PeopleNamer) -> str | None:
    phrases = namer.words.phrases("prompts")
    keys_by_option = [_prompt_keys(option, namer) for option in pending.built] if phrases else []
    for key, phrase in phrases.items():
        counts = [keys[key] for keys in keys_by_option if key in keys]
        if not counts:
            continue

        def value(blank: Blank, counts: list[int] = counts) -> str | SentenceSubject | None:
            if not blank.name:
                return _amount(min(counts), max(counts), blank.how)
            return namer.blank(blank, pending.seat, stored_values(pending.world), pending.seat)

        if text := phrase.sentence(value):
            return text
    return None


def _amount(least: int, most: int, noun: str) -> str:
    if least == most == 1 and noun == "card":
        return "a card"
    text = counted(most, noun) if noun else str(most)
    return f"{least} to {text}" if least < most else text


def _prompt_keys(option: BuiltOption, namer: PeopleNamer) -> dict[str, int]:
    """Return the keys of prompts that fit an option, with the number of cards that it moves so."""
    label = spoken_key(option)
    counts = Counter({label: 0} if label else {})
    for effect in option.effects:
        match effect:
            case Moved(source=source, target=target):
                counts.update(namer.move_keys(source, target))
            case Stored(owner=owner, name=name, new=new):
                counts.update(namer.value_keys(owner, name, new))
            case Passed():
                counts[PASS] += 1
    return counts


def _usual_prompt(pending: PendingChoice, namer: PeopleNamer) -> str:
    """Return what the options have in common, without the cards and values that are chosen."""
    heads: dict[str, list[str]] = {}
    for text in dict.fromkeys(_heads(pending, namer)):
        heads.setdefault(text.partition(" ")[0], []).append(text)
    texts = [_shared(verb, alike) for verb, alike in heads.items()]
    if len(texts) > _KINDS:
        return "Choose"
    text = listed(texts, "or")
    return capital(text)


def _shared(verb: str, alike: list[str]) -> str:
    """Return what can be done by one verb: `play a card`, or `play cards` if numbers differ."""
    if len(alike) == 1:
        return alike[0]
    numbers = {" ".join(text.split(" ")[1:3]) for text in alike}
    if numbers == {"a card"}:
        return f"{verb} a card"
    return f"{verb} cards" if all(text.endswith(("card", "cards")) for text in numbers) else verb


def _heads(pending: PendingChoice, namer: PeopleNamer) -> Iterator[str]:
    """Yield what each option is about: what it first does with cards, and else the verb."""
    world, built, seat, wording = pending
    deeds = DeedWords(namer, seat, stored_values(world), general=True)
    for option in built:
        sight = ChooserSight(world, seat, option)
        clause, *_ = deeds.clauses(MadeChoice(seat, option, wording, sight))
        if option.said:
            whole = all(part.form is None for part in option.said)
        else:
            whole = any(isinstance(effect, Moved) for effect in option.effects)
        yield clause.imperative if whole else clause.verb
