"""The rules of the rest of a trick game, found by playing it.

Nothing is read from the program. From the beginning of the trick that is being played, the cards
left are dealt to the hands in very many ways, and tricks are played by the engine. What may be
played tells the classes of cards that follow each other and those that may not be led yet; who
leads next tells which card wins. From whole games it is found what tricks and cards are worth.

All of it is then checked: every pair of cards in a trick, the beaten and the beating one led, and
hundreds of games to their ends, decision by decision and score by score. A game that deviates
anywhere is refused.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING

from cardwright.compiler.kernels.trick_trials import OVER
from cardwright.compiler.kernels.tricks import CLASSES_MOST
from cardwright.endgames.errors import UnsuitedEndgameError
from cardwright.endgames.trick_start import DueCards, PlayedScript, Script, TrickStart, bits, ones
from cardwright.endgames.worths import GameEnd, Worths, worths_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cardwright.program.cards import Seat

_GAMES = 80
"""Games that are played to their ends with hands dealt at random, and as many with unequal ones."""

_DEALS = 12
"""Deals in which a card is led to see what follows it."""

_SOME = 6
"""Tricks of two cards for each pair of classes, from which trumps are known."""

_SWEEPS = 30
"""Games in which a hand has the best cards, for each hand."""

_NOWHERE: Mapping[int, int] = {}


class TrickModel:
    """Which cards follow which, and which wins: the rules as far as single tricks go.

    `classes` have their cards from the weakest to the strongest, and `trump` is the place of one of
    them, or -1. `barred` cards are not led until one of them was played, unless a hand has no
    others.
    """

    def __init__(self, classes: Sequence[Sequence[int]], trump: int, barred: int) -> None:
        self.classes, self.trump, self.barred = classes, trump, barred
        self.masks = [bits(cards) for cards in classes]
        self.at = {card: at for at, cards in enumerate(classes) for card in cards}
        self.strength = {
            card: place + 100 * (at == trump)
            for at, cards in enumerate(classes)
            for place, card in enumerate(cards)
        }

    def legal(self, hand: int, led: int | None, *, barred: bool) -> int:
        """Return the cards that a hand may play."""
        if led is not None:
            return hand & self.masks[self.at[led]] or hand
        return (hand & ~self.barred or hand) if barred else hand

    def winner(self, cards: Sequence[int]) -> int:
        """Return which of the cards of a trick wins, by its place."""
        best = 0
        for at in range(1, len(cards)):
            card, leader = cards[at], cards[best]
            counts = self.at[card] in (self.at[leader], self.trump)
            if counts and self.strength[card] > self.strength[leader]:
                best = at
        return best


@dataclass(frozen=True)
class TrickRules:
    """The rules of the rest of a trick game.

    `players` are the seats that play the hands, in turn; `worths` says what is won.
    """

    players: tuple[Seat, ...]
    model: TrickModel
    worths: Worths


def trick_rules(start: TrickStart) -> TrickRules:
    """Return the rules of the rest of a game; raises UnsuitedEndgameError if it has others."""
    if start.size < 2:
        raise UnsuitedEndgameError("only one trick is left, from which no rules can be found")
    draw = random.Random(1)
    barred = _barred(start, draw)
    groups, apart = _classes(start, draw, barred)
    model = _ordered(start, draw, groups, apart, barred)
    ends = _check_games(start, draw, model)
    worths = worths_of(start, ends)
    return TrickRules(tuple(start.players), model, worths)


def _dealt(
    start: TrickStart, draw: random.Random, fixed: Mapping[int, int] = _NOWHERE
) -> list[int]:
    """Deal the cards at random; `fixed` has the places of the hands of some of them."""
    hands = [0] * len(start.hands)
    for card, place in fixed.items():
        hands[place] |= 1 << card
    left = [card for card in draw.choice(start.shuffled) if card not in fixed]
    at = draw.randrange(len(left)) if left else 0
    left = left[at:] + left[:at]
    at = 0
    for place, hand in enumerate(hands):
        need = start.size - hand.bit_count()
        hands[place] |= bits(left[at : at + need])
        at += need
    return hands


def _barred(start: TrickStart, draw: random.Random) -> int:
    """Return the cards that may not be led yet."""
    scripts = [Script(_dealt(start, draw), ()) for _ in range(20 * _DEALS)]
    scripts.append(Script(start.hands, ()))
    barred = 0
    for script, trial in zip(scripts, start.trials(scripts), strict=True):
        note = trial.note(0)
        if note.player != start.players[0] or note.cards & ~script.hands[0]:
            raise UnsuitedEndgameError("who leads depends on the cards")
        barred |= script.hands[0] & ~note.cards
    return barred


def _classes(
    start: TrickStart, draw: random.Random, barred: int
) -> tuple[dict[int, int], dict[int, int]]:
    """Return for each card those that follow it when it is led, with it, and those that do not."""
    scripts = []
    for card in start.cards:
        for _ in range(_DEALS):
            hands = _dealt(start, draw, {card: 0})
            if barred >> card & 1 and hands[0] & ~barred:
                continue
            scripts.append(Script(hands, (card,)))
    groups = {card: 1 << card for card in start.cards}
    apart = dict.fromkeys(start.cards, 0)
    trials = start.trials(scripts)
    for script, trial in zip(scripts, trials, strict=True):
        follow, led = trial.note(1).cards, script.cards[0]
        if trial.note(1).player != start.players[1]:
            raise UnsuitedEndgameError("hands do not play in turn")
        if follow != script.hands[1]:
            _join(groups, follow | 1 << led)
            apart[led] |= script.hands[1] & ~follow
    for card in ones(barred):  # they are hardly led yet: whole games will tell
        for other in ones(barred):
            mine, theirs = groups[card], groups[other]
            if not any(apart[one] & theirs for one in ones(mine)) and not any(
                apart[one] & mine for one in ones(theirs)
            ):
                _join(groups, mine | theirs)
    for script, trial in zip(scripts, trials, strict=True):
        if trial.note(1).cards != (script.hands[1] & groups[script.cards[0]] or script.hands[1]):
            raise UnsuitedEndgameError("what may be played is not: follow suit, or any card")
    return groups, apart


def _join(groups: dict[int, int], cards: int) -> None:
    """Make one class of those of some cards."""
    for card in ones(cards):
        cards |= groups[card]
    for card in ones(cards):
        groups[card] = cards


def _listed(groups: Mapping[int, int], barred: int) -> list[list[int]]:
    """Return the classes; raises UnsuitedEndgameError for those that cannot be."""
    classes = [ones(group) for group in dict.fromkeys(groups.values())]
    if len(classes) > CLASSES_MOST:
        raise UnsuitedEndgameError(f"there are more than {CLASSES_MOST} suits")
    if any(group & barred not in (0, group) for group in groups.values()):
        raise UnsuitedEndgameError("some cards of a suit may be led, and others not yet")
    return classes


def _ordered(
    start: TrickStart,
    draw: random.Random,
    groups: dict[int, int],
    apart: Mapping[int, int],
    barred: int,
) -> TrickModel:
    """Find the trumps and the order of each class by single tricks."""
    trump, model = -1, TrickModel(_listed(groups, barred), -1, barred)
    first = list(_pair_scripts(start, draw, model, _SOME))
    for script, trial in zip(first, start.trials(first), strict=True):
        winner, led = script.cards[_taken_by(start, script, trial)], script.cards[0]
        if not groups[led] >> winner & 1:
            if not any(apart[card] & groups[winner] for card in ones(groups[led])):
                _join(groups, 1 << led | 1 << winner)  # hands had no others
            else:
                trump = winner
    model = TrickModel(_listed(groups, barred), -1, barred)
    classes, trump = model.classes, -1 if trump < 0 else model.at[trump]
    model = TrickModel(classes, trump, barred)
    scripts = list(_pair_scripts(start, draw, model))
    above: dict[int, int] = dict.fromkeys(start.cards, 0)
    trials = start.trials(scripts)
    for script, trial in zip(scripts, trials, strict=True):
        winner = script.cards[_taken_by(start, script, trial)]
        if model.at[winner] not in (model.at[script.cards[0]], trump):
            raise UnsuitedEndgameError("cards of more than one suit beat those of others")
        for card in script.cards:
            if card != winner and model.at[card] == model.at[winner]:
                above[card] |= 1 << winner
    ordered = []
    for cards in classes:
        group = bits(cards)
        # What is above a card that is above another is above that one too.
        changed = True
        while changed:
            changed = False
            for card in cards:
                more = above[card]
                for higher in ones(above[card]):
                    more |= above[higher]
                changed |= more != above[card]
                above[card] = more
        if any(above[card] >> card & 1 for card in cards):
            raise UnsuitedEndgameError("which card wins a trick depends on more than its cards")
        ordered.append(sorted(cards, key=lambda card: -(above[card] & group).bit_count()))
    known = [cards for cards in ordered if not bits(cards) & barred and len(cards) > 1]
    for at, cards in enumerate(ordered):
        if bits(cards) & barred:
            # They are not led yet: whole games will tell whether their order is the usual one.
            usual = all(other == sorted(other) for other in known)
            ordered[at] = sorted(cards, reverse=not usual)
    model = TrickModel(ordered, trump, barred)
    _check_pairs(start, model, scripts, trials)
    return model


def _taken_by(start: TrickStart, script: Script, trial: PlayedScript) -> int:
    """Return the place of the card that won the trick of a script: its hand leads next."""
    note = trial.note(-1)
    if len(trial.row) // 2 != len(start.hands) + 1 or note.player < 0 or not note.cards:
        raise UnsuitedEndgameError("not every hand plays a card to each trick")
    for place, hand in enumerate(script.hands):
        if note.cards & hand:
            if note.cards & ~hand or note.player != start.players[place]:
                raise UnsuitedEndgameError("who leads next does not hold the cards")
            return place
    raise UnsuitedEndgameError("who leads next does not hold the cards")


def _pair_scripts(
    start: TrickStart, draw: random.Random, model: TrickModel, some: int = 0
) -> Iterator[Script]:
    """Yield a trick for each pair of cards: one is led, and another hand plays the other.

    With `some` it is no more than that for each pair of classes.

    Other hands follow as seldom as can be, so that the two decide the trick.
    """
    count, size = len(start.hands), start.size
    trumps = model.masks[model.trump] if model.trump >= 0 else 0
    seen: Counter[tuple[int, int]] = Counter()
    for led, other in permutations(start.shuffled[0] if some else start.cards, 2):
        if some:
            seen[model.at[led], model.at[other]] += 1
            if seen[model.at[led], model.at[other]] > some:
                continue
        place = 1 + draw.randrange(count - 1)
        same = model.masks[model.at[led]]
        fixed = {led: 0, other: place}
        room = [size] * count
        room[0] -= 1
        room[place] -= 1
        follows = bool(same >> other & 1)
        # The rest of the class goes to the leader, and to the other hand if that follows.
        for card in ones(same & ~(1 << led) & ~(1 << other)):
            homes = [0, place] if follows else [0]
            for home in homes:
                if room[home]:
                    fixed[card] = home
                    room[home] -= 1
                    break
        hands = _dealt(start, draw, fixed)
        if not model.legal(hands[0], None, barred=True) >> led & 1:
            continue
        if not model.legal(hands[place], led, barred=True) >> other & 1:
            continue
        cards = [led]
        for at in range(1, count):
            legal = model.legal(hands[at], led, barred=True)
            plain = legal & ~trumps or legal
            cards.append(other if at == place else draw.choice(ones(plain)))
        yield Script(hands, cards)


def _check_pairs(
    start: TrickStart, model: TrickModel, scripts: Sequence[Script], trials: Sequence[PlayedScript]
) -> None:
    """Check all that is seen in tricks of two cards; raises UnsuitedEndgameError."""
    for script, trial in zip(scripts, trials, strict=True):
        for at, note in enumerate(trial.notes[:-1]):
            legal = model.legal(script.hands[at], script.cards[0] if at else None, barred=True)
            if (note.player, note.cards) != (start.players[at], legal):
                raise UnsuitedEndgameError("what may be played is not: follow suit, or any card")
        if _taken_by(start, script, trial) != model.winner(script.cards):
            raise UnsuitedEndgameError("which card wins a trick depends on more than its cards")


# Whole games -------------------------------------------------------------------------------


def _check_games(start: TrickStart, draw: random.Random, model: TrickModel) -> list[GameEnd]:
    """Play whole games by the rules, check all that is seen, and return what came of them."""
    deals = [start.hands] * (_GAMES // 4)
    deals += [_dealt(start, draw) for _ in range(_GAMES)]
    deals += [_unequal(start, draw, model, step) for step in range(_GAMES)]
    ends = _checked(start, deals, [_game(start, draw, model, hands) for hands in deals])
    results = {tuple(end.scores[player] for end in ends) for player in start.players}
    if len(results) > 2:
        # Seats for themselves may get something else for taking all.
        places = [place for place in range(len(start.hands)) for _ in range(_SWEEPS)]
        deals = [_sweep(start, draw, model, place) for place in places]
        games = [
            _game(start, draw, model, hands, place)
            for hands, place in zip(deals, places, strict=True)
        ]
        ends += _checked(start, deals, games)
    return ends


def _checked(
    start: TrickStart,
    deals: Sequence[Sequence[int]],
    games: Sequence[tuple[list[int], list[int], GameEnd]],
) -> list[GameEnd]:
    """Play games by the engine, and return how they ended; raises UnsuitedEndgameError."""
    scripts = [Script(hands, cards) for hands, (cards, _, _) in zip(deals, games, strict=True)]
    ends = []
    for (_, expected, end), trial in zip(games, start.trials(scripts), strict=True):
        if trial.row[: len(expected)] != expected:
            pairs = zip(zip(expected[::2], expected[1::2], strict=True), trial.notes, strict=False)
            raise UnsuitedEndgameError(_difference(next(n for due, n in pairs if due != n)))
        if trial.note(-1).player != OVER:
            raise UnsuitedEndgameError("the game goes on after the last trick")
        ends.append(replace(end, scores=trial.scores))
    return ends


def _difference(note: DueCards) -> str:
    if note.player == OVER:
        return "the game may be over before all cards are played"
    if note.player < 0:
        return "something else than cards is chosen between tricks"
    return "later tricks have other rules for what may be played, or for who wins them"


def _unequal(start: TrickStart, draw: random.Random, model: TrickModel, step: int) -> list[int]:
    """Deal so that one hand, or two that play for the same or not, get many of the best cards."""
    count = len(start.hands)
    strong = sorted(
        start.cards, key=lambda card: -model.strength[card] - draw.random() * (step % 4) * 2
    )
    first = step % count
    favoured = [first] if step // count % 3 == 0 else [first, (first + 1 + step // 7) % count]
    hands = [0] * count
    left = list(strong)
    part = max(1, round(start.size * (0.4 + 0.6 * draw.random())))
    for place in dict.fromkeys(favoured):
        hands[place] = bits(left[:part])
        del left[:part]
    draw.shuffle(left)
    for place in range(count):
        need = start.size - hands[place].bit_count()
        hands[place] |= bits(left[:need])
        del left[:need]
    return hands


def _sweep(start: TrickStart, draw: random.Random, model: TrickModel, place: int) -> list[int]:
    """Deal so that a hand has the best cards of all classes, or of some."""
    count = 1 + draw.randrange(len(model.classes))
    classes = [list(cards) for cards in draw.sample(model.classes, count)]
    fixed: dict[int, int] = {}
    while len(fixed) < start.size and any(classes):
        for cards in classes:
            if cards and len(fixed) < start.size:
                fixed[cards.pop()] = place
    return _dealt(start, draw, fixed)


def _game(
    start: TrickStart,
    draw: random.Random,
    model: TrickModel,
    dealt: Sequence[int],
    sweeper: int = -1,
) -> tuple[list[int], list[int], GameEnd]:
    """Play a game at random by the rules: its cards, what is due at each, and who took what.

    What is due is as in `PlayedScript`.
    """
    hands, count = list(dealt), len(dealt)
    leader, barred = 0, True
    cards: list[int] = []
    due: list[int] = []
    random, strength = draw.random, model.strength.__getitem__
    taken, tricks = [0] * count, [0] * count
    # A reckless game: some hands always play their best card, others their worst.
    bold = [draw.random() < 0.5 for _ in range(count)] if draw.random() < 0.5 else None
    if sweeper >= 0:
        bold = [place == sweeper for place in range(count)]
    for _ in range(start.size):
        trick: list[int] = []
        for turn in range(count):
            place = (leader + turn) % count
            legal = model.legal(hands[place], trick[0] if trick else None, barred=barred)
            due += (start.players[place], legal)
            if bold is None or (sweeper >= 0 and place != sweeper and random() < 0.5):
                for _ in range(int(random() * legal.bit_count())):
                    legal &= legal - 1
                card = (legal & -legal).bit_length() - 1
            else:
                card = (max if bold[place] else min)(ones(legal), key=strength)
            hands[place] ^= 1 << card
            trick.append(card)
        cards += trick
        leader = (leader + model.winner(trick)) % count
        taken[leader] |= bits(trick)
        tricks[leader] += 1
        barred = barred and not bits(trick) & model.barred
    return cards, due, GameEnd(tuple(taken), tuple(tricks), leader, ())
