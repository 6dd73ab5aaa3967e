"""What a deal has brought besides points, by the words of its game: a moon, a set contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardwright.english import capital
from cardwright.game.settings import FactsError, results_with
from cardwright.game.wording.naming import PeopleNamer, named_values, stored_values
from cardwright.game.wording.phrases import phrase
from cardwright.program.cards import OwnerId

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cardwright.english import SentenceSubject
    from cardwright.game.game import Game
    from cardwright.game.wording.naming import StoredValues
    from cardwright.game.wording.phrases import Blank, ResultWords
    from cardwright.interpreter.world import World


@dataclass(frozen=True)
class DealResult:
    """Words that held for an owner when a deal ended, and what was stored then."""

    owner: OwnerId
    words: ResultWords
    stored: StoredValues = field(repr=False, compare=False)


def deal_results(game: Game, world: World) -> Iterator[DealResult]:
    """Yield what holds in a world at the end of a deal, in the order of the author's words.

    A condition that cannot be evaluated, which `cardwright check` reports, holds for nobody.
    """
    if not game.words.results:
        return
    stored, sorts = stored_values(world), PeopleNamer(game.program).sort
    found: list[DealResult] = []
    for owner in map(OwnerId, range(game.program.table + 1)):
        values = {**game.declared, **named_values(game.program, owner, stored)}
        try:
            held = results_with(game.words, sorts(owner), values)
        except FactsError:
            continue
        found += (DealResult(owner, words, stored) for words in held)
    yield from sorted(found, key=lambda one: game.words.results.index(one.words))


def results_in_words(
    results: Sequence[DealResult], namer: PeopleNamer, you: int | None
) -> Iterator[tuple[str, str]]:
    """Yield results as sentences, each with its sign, as they are told to the player of a seat."""
    for one in results:

        def filled(blank: Blank, one: DealResult = one) -> str | SentenceSubject | None:
            return namer.blank(blank, one.owner, one.stored, you)

        text, subject = phrase(one.words.text), namer.subject(one.owner, you)
        words = text.sentence(filled) if subject is None else text.fill(filled)
        if words:
            yield capital(words) if subject is None else subject.sentence(words), one.words.sign
