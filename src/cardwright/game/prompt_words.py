"""What a player is asked: in the words of the game's author, or what its options are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.game.card_words import counted_cards
from cardwright.game.deed_words import DeedWords
from cardwright.game.game_words import PASS, TO
from cardwright.game.label_words import spoken_key
from cardwright.game.people import stored_values
from cardwright.game.phrase import Blank, counted
from cardwright.game.sight import ChooserSight
from cardwright.interpreter.effects import Moved, Passed, Stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cardwright.game.people import PeopleNamer
    from cardwright.game.people_options import PendingChoice
    from cardwright.interpreter.effects import BuiltOption

_KINDS = 3
"""The most different things to do that a question names."""


def prompt_of(pending: PendingChoice, namer: PeopleNamer) -> str:
    """Return what is asked, such as `Pass 3 cards to the left`, or `Bid or pass`."""
    return _authored(pending, namer) or _usual(pending, namer)


def _authored(pending: PendingChoice, namer: PeopleNamer) -> str | None:
    """Return the author's words for the first key that fits an option; None if there are none."""
    phrases = namer.words.phrases("prompts")
    if not phrases:
        return None
    found = [_keys(option, namer) for option in pending.built]
    for key, phrase in phrases.items():
        counts = [keys[key] for keys in found if key in keys]
        if not counts:
            continue

        def value(blank: Blank, counts: list[int] = counts) -> str | None:
            if not blank.name:
                return _amount(min(counts), max(counts), blank.how)
            stored = stored_values(pending.world)
            return namer.blank(blank, pending.seat, stored, pending.seat)

        if text := phrase.sentence(value):
            return text
    return None


def _amount(least: int, most: int, noun: str) -> str:
    """Return how many cards are asked for."""
    if least < most:
        return f"{least} to {counted(most, noun) if noun else most}"
    if noun == "card":
        return counted_cards(least)
    return counted(least, noun) if noun else str(least)


def _keys(option: BuiltOption, namer: PeopleNamer) -> dict[str, int]:
    """Return the keys of prompts that fit an option, with the number of cards that it moves so."""
    found: dict[str, int] = {}
    if label := spoken_key(option):
        found[label] = 0
    for effect in option.effects:
        for key in _effect_keys(effect, namer):
            found[key] = found.get(key, 0) + 1
    return found


def _effect_keys(effect: object, namer: PeopleNamer) -> Iterable[str]:
    match effect:
        case Moved(source=source, target=target):
            targets = namer.place_keys(target)
            yield from targets
            for one in targets:
                yield from (f"{other}{TO}{one}" for other in namer.place_keys(source))
        case Stored(owner=owner, name=name, new=new):
            yield from namer.value_keys(owner, name, new)
        case Passed():
            yield PASS


def _usual(pending: PendingChoice, namer: PeopleNamer) -> str:
    """Return what the options have in common, without the cards and values that are chosen."""
    heads: dict[str, list[str]] = {}
    for text in dict.fromkeys(_heads(pending, namer)):
        heads.setdefault(text.partition(" ")[0], []).append(text)
    texts = [_shared(alike) for alike in heads.values()]
    if len(texts) > _KINDS:
        return "Choose"
    text = " or ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
    return text[:1].upper() + text[1:]


def _shared(alike: list[str]) -> str:
    """Return what can be done by one verb: `play a card`, or `play cards` if numbers differ."""
    if len(alike) == 1:
        return alike[0]
    verb = alike[0].partition(" ")[0]
    numbers = {" ".join(text.split(" ")[1:3]) for text in alike}
    if numbers == {"a card"}:
        return f"{verb} a card"
    return f"{verb} cards" if all(text.endswith(("card", "cards")) for text in numbers) else verb


def _heads(pending: PendingChoice, namer: PeopleNamer) -> Iterator[str]:
    """Yield what each option is about: what it first does with cards, and else the verb."""
    world, built, seat, wording = pending
    deeds = DeedWords(namer, seat, stored_values(world), general=True)
    for option in built:
        clause = deeds.of(seat, option, wording, ChooserSight(world, seat, option))[0]
        said = [part for part in option.said if part.form is not None]
        moves = any(isinstance(effect, Moved) for effect in option.effects)
        whole = not said if option.said else moves
        yield clause.imperative if whole else clause.verb
