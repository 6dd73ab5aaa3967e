"""Games of a season as any other game: the seed and the choices by which it can be replayed.

The records of a season have cards; which option each of them was follows from playing the game
again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardwright.jobs.errors import RecordsError
from cardwright.league.block import CARD_BITS, ROUND, SLUFFS, BlockError
from cardwright.league.chances import game_chances
from cardwright.league.dealer import HAND, Dealer
from cardwright.league.play import DIRECTIONS
from cardwright.league.records import read_block
from cardwright.league.seen import MASKS, take_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cardwright.league.plan import SeasonPlan
    from cardwright.league.records import Season

_CARD = 2**CARD_BITS - 1


@dataclass(frozen=True)
class PlayedMatch:
    """A game of a season: its number from 0, the bots by seat, the seed of its cards, the choices.

    It is one of `league_game(plan.rules)`, and `choices` are the numbers of its options.
    """

    number: int
    bots: tuple[str, ...]
    seed: int
    choices: tuple[int, ...]


def played_match(season: Season, number: int) -> PlayedMatch:
    """Return a game of a season.

    Raises RecordsError if there is no such game, it has not been played yet, or the season's salt
    is not known yet to whoever reads it, DamagedError for a
    damaged block, and BlockError for choices that are none of the game.
    """
    plan = season.plan
    if not 0 <= number < plan.games:
        raise RecordsError(f"the season has games 1 to {plan.games:,}, and no {number + 1:,}")
    at = next(at for at in range(plan.blocks) if number < plan.block(at).stop)
    if at not in season.files.there():
        raise RecordsError(f"game {number + 1:,} of the season has not been played yet")
    if season.sealed:
        raise RecordsError(
            f"game {number + 1:,} can be replayed when the season is over: its salt is secret"
        )
    block = read_block(season.files, at)
    index = number - block.first
    first = int(block.rounds[:index].sum())
    rows = block.plays[first : first + int(block.rounds[index])]
    seed = int(game_chances(plan.seed, range(number, number + 1), plan.salt)[0, 0])
    bots = tuple(plan.bots[entry].name for entry in plan.schedule[number])
    return PlayedMatch(number, bots, seed, tuple(_options(plan, seed, rows.tolist())))


def _options(plan: SeasonPlan, seed: int, rounds: list[list[int]]) -> Iterator[int]:
    """Yield the numbers of the options that were chosen."""
    dealer = Dealer(plan.rules)
    dealer.start(seed, state=False)
    for number, choices in enumerate(rounds):
        dealt = list(dealer.hands())
        hands = [dealt[at : at + HAND] for at in range(0, len(dealt), HAND)]
        given: list[list[int]] = [[] for _ in hands]
        for turn in range(ROUND):
            seat, card = choices[turn] >> CARD_BITS, choices[turn] & _CARD
            if turn == SLUFFS:
                direction = DIRECTIONS[number % len(DIRECTIONS)]
                for giver, cards in enumerate(given):
                    take_up(hands[giver + direction & 3], cards)
            due, legal = dealer.due & 3, MASKS[dealer.due >> 2]
            if not dealer.due or due != seat or card not in hands[seat]:
                raise BlockError(f"round {number + 1}, choice {turn + 1} is none of the game")
            place = hands[seat].index(card)
            if place not in legal:
                raise BlockError(f"round {number + 1}, choice {turn + 1} breaks the rules")
            option = legal.index(place)
            hands[seat].pop(place)
            if turn < SLUFFS:
                given[seat].append(card)
            dealer.play(option)
            yield option
    if dealer.due:
        raise BlockError(f"the game goes on after round {len(rounds)}")
