"""A model of the Hearts family in plain Python, written from its rules, not from its game file."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

from hearts_options import RANKS, Rules, heart, queen, rank

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Cards: TypeAlias = "tuple[str, ...]"


def narrowed(cards: Cards, fits: Callable[[str], bool]) -> Cards:
    """Return the cards that fit, or all of them where none does: the rule gives way."""
    return tuple(filter(fits, cards)) or cards


def sets(cards: Sequence[str], size: int) -> list[Cards]:
    """Return the sets of a size: first those of the first cards, each in the order of the cards."""
    places = sorted(combinations(range(len(cards)), size), key=lambda one: one[::-1])
    return [tuple(cards[place] for place in one) for one in places]


class Match:
    """A game of the family. The hands of each deal are given to it; all else it knows."""

    def __init__(self, rules: Rules, numbers: Mapping[str, int]) -> None:
        """Take the rules and the numbers of the cards, by which every hand is sorted."""
        self.rules = rules
        self.numbers = numbers
        self.seats = range(rules.PLAYERS)
        self.totals = [0] * rules.PLAYERS
        self.points = [0] * rules.PLAYERS
        self.deals = 0
        self.shooter: int | None = None
        self.phase = "DEAL"
        self.player: int | None = None
        self.lot = 0

    def deal(self, hands: Sequence[Cards], widow: Cards = (), drawn: str = "") -> None:
        """Begin a deal: the hands in order, and the direction of passing if it was drawn by lot."""
        rules = self.rules
        self.hands = [sorted(hand, key=self.numbers.__getitem__) for hand in hands]
        self.widow = widow
        self.aside: Cards = ()
        self.cards = [card for hand in hands for card in hand] + list(widow)
        self.length = len(hands[0])
        self.passed: list[list[str]] = [[] for _ in self.seats]
        self.direction = drawn if rules.DRAWN else rules.CYCLE[self.deals % len(rules.CYCLE)]
        passes = rules.PASS if self.direction != "HOLD" else 0
        eldest = self.deals % rules.PLAYERS if rules.LOOK else 0
        givers = [*self.seats[eldest:], *self.seats[:eldest]]
        together = [(seat, passes) for seat in givers if passes]
        singly = [(seat, 1) for seat in givers for _ in range(passes)]
        by_rounds = [(seat, 1) for _ in range(passes) for seat in givers]
        self.passes = {"TOGETHER": together, "SINGLY": singly, "ROUNDS": by_rounds}[rules.PASSING]
        self.phase = "PASS"
        self.after_pass()

    # Passing.

    def target(self, giver: int, number: int) -> int:
        """Return who gets the card that a player passes as its number, counted from 0."""
        players = self.rules.PLAYERS
        scattered = number % (players - 1) + 1
        steps = {"LEFT": 1, "RIGHT": -1, "ACROSS": players // 2, "LEFT2": 2, "RIGHT2": -2}
        return (giver + steps.get(self.direction, scattered)) % players

    def give(self, cards: Cards) -> None:
        """Pass cards on: they are in the hands of their receivers at once, or after all passed."""
        giver, _ = self.passes.pop(0)
        for card in cards:
            self.hands[giver].remove(card)
            self.passed[giver].append(card)
            if self.rules.LOOK:
                self.receive(self.target(giver, len(self.passed[giver]) - 1), card)
        self.after_pass()

    def receive(self, seat: int, card: str) -> None:
        """Put a card into a hand."""
        self.hands[seat] = sorted([*self.hands[seat], card], key=self.numbers.__getitem__)

    def after_pass(self) -> None:
        """Go on to the next who passes, or to play."""
        rules = self.rules
        if self.passes:
            self.player = self.passes[0][0]
            return
        if not rules.LOOK:
            for giver in self.seats:
                for number, card in enumerate(self.passed[giver]):
                    self.receive(self.target(giver, number), card)
        self.phase = "PLAY"
        self.player = None
        if rules.FIRSTTRICK == "NEVER" and any(all(map(rules.barred, h)) for h in self.hands):
            self.phase = "DEAL"
            return
        self.tricks = 0
        self.broken = False
        self.trick: list[str] = []
        self.held: list[list[str]] = []
        self.piles: list[list[str]] = [[] for _ in self.seats]
        self.won = [0] * self.rules.PLAYERS
        self.trick_points = [0] * self.rules.PLAYERS
        self.shooter = None
        self.leader = self.player = self.opener()

    # Play.

    def lowest_club(self) -> int:
        return min(rank(card) for hand in self.hands for card in hand if card[1] == "C")

    def opener(self) -> int:
        """Return who leads to the first trick: by lot, if several have a lowest club."""
        if self.rules.OPENING == "PLAYER1":
            return 0
        if self.rules.OPENING == "ELDEST":
            return self.deals % self.rules.PLAYERS
        lowest = RANKS[self.lowest_club()] + "C"
        holders = [s for s in self.seats if any(card[:2] == lowest for card in self.hands[s])]
        return self.lot if self.lot in holders else holders[0]

    def hearts_led(self, hand: Cards) -> bool:
        """Say whether a player with this hand may lead a heart."""
        rules = self.rules
        exempt = {
            "HEARTS": heart,
            "PENALTY": rules.penal,
            "QUEEN": lambda card: heart(card) or queen(card),
        }[rules.EXEMPT]
        return (
            self.broken
            or rules.HEARTLEAD == "FREE"
            or (rules.HEARTLEAD == "FIRST" and not self.tricks)
            or all(map(exempt, hand))
        )

    def legal(self) -> Cards:
        """Return the cards that may be played."""
        rules = self.rules
        assert self.player is not None
        hand = cards = tuple(self.hands[self.player])
        first = not self.tricks
        if not self.trick:
            if first and rules.OPENING == "LOWCLUB":
                lowest = self.lowest_club()
                cards = tuple(card for card in hand if card[1] == "C" and rank(card) == lowest)
            elif first and rules.OPENING == "CLUB":
                cards = tuple(card for card in hand if card[1] == "C")
            elif not self.hearts_led(hand):
                cards = narrowed(hand, lambda card: not heart(card))
        else:
            cards = narrowed(hand, lambda card: card[1] == self.trick[0][1])
        if first:
            cards = narrowed(cards, lambda card: not rules.barred(card))
        return narrowed(cards, queen) if self.queen_due(hand) else cards

    def queen_due(self, hand: Cards) -> bool:
        """Say whether a queen of spades in this hand must be played to the trick."""
        if not self.trick or (not self.tricks and any(map(self.rules.barred, filter(queen, hand)))):
            return False
        suit = self.trick[0][1]
        discard = all(card[1] != suit for card in hand)
        ace = suit == "S" and any(card[:2] in {"AS", "KS"} for card in self.trick)
        duties = {"NEVER": False, "DISCARD": discard, "ACE": ace, "BOTH": discard or ace}
        return duties[self.rules.QUEENDUTY]

    def breaks(self, card: str) -> bool:
        """Say whether a card that is played breaks hearts."""
        discarded = bool(self.trick) and card[1] != self.trick[0][1]
        return {
            "HEART": heart(card),
            "DISCARD": heart(card) and discarded,
            "DISCARDS": (heart(card) or queen(card)) and discarded,
            "QUEEN": (heart(card) and discarded) or queen(card),
            "PENALTY": self.rules.penal(card),
        }[self.rules.BREAKS]

    def lay(self, card: str) -> None:
        """Play a card to the trick."""
        assert self.player is not None
        self.broken = self.broken or self.breaks(card)
        self.hands[self.player].remove(card)
        self.trick.append(card)
        self.player = (self.player + 1) % self.rules.PLAYERS
        if len(self.trick) == self.rules.PLAYERS:
            self.end_trick()

    def taker(self, *, last: bool) -> int | None:
        """Return who wins the trick; nobody if all cards of the suit led are cancelled."""
        led = [card for card in self.trick if card[1] == self.trick[0][1]]
        equal = Counter(card[:2] for card in led)
        single = [card for card in led if equal[card[:2]] == 1]
        if not single and not last:
            return None
        best = max(single, key=rank) if single else max(reversed(led), key=rank)
        return (self.leader + self.trick.index(best)) % self.rules.PLAYERS

    def end_trick(self) -> None:
        rules = self.rules
        self.tricks += 1
        last = self.tricks == self.length
        taker = self.taker(last=last)
        self.held.append(self.trick)
        self.trick = []
        if taker is None:
            self.player = self.leader
            return
        first = self.tricks == len(self.held)
        cards = [card for trick in self.held for card in trick]
        hearts = any(map(heart, cards)) and not any(heart(c) for pile in self.piles for c in pile)
        self.piles[taker] += cards
        self.won[taker] += len(self.held)
        self.trick_points[taker] += rules.EACHTRICK * len(self.held)
        self.trick_points[taker] += rules.FIRSTTAKEN * first + rules.LASTTAKEN * last
        self.held = []
        self.leader = self.player = taker
        if {"FIRST": first, "HEART": hearts, "LAST": last, "EXCHANGE": False}[rules.WIDOWTO]:
            self.piles[taker] += self.widow
        if first and rules.WIDOW and rules.WIDOWTO == "EXCHANGE":
            for card in self.widow:
                self.receive(taker, card)
            self.phase = "EXCHANGE"
        elif last:
            self.end_play()

    def lay_aside(self, cards: Cards) -> None:
        """Lay cards aside for the widow; they count for who laid them aside."""
        assert self.player is not None
        for card in cards:
            self.hands[self.player].remove(card)
        self.piles[self.player] += cards
        self.phase = "PLAY"
        if self.tricks == self.length:
            self.end_play()

    # The end of a deal.

    def shot(self, seat: int) -> bool:
        """Say whether a player took what it takes to shoot the moon."""
        rules = self.rules
        if rules.MOONNEEDS == "TRICKS":
            return self.won[seat] == self.length
        if rules.MOONNEEDS == "EXTRAS":
            return all(card in self.piles[seat] for card in self.cards if rules.counts(card))
        return sum(map(rules.main, self.piles[seat])) == sum(map(rules.main, self.cards))

    def end_play(self) -> None:
        """Settle the deal, unless the shooter of a moon has to choose first."""
        self.player = None
        if self.rules.MOON != "OFF":
            self.shooter = next((seat for seat in self.seats if self.shot(seat)), None)
        if self.shooter is None:
            self.settle(self.rules.MOON)
        elif self.rules.MOON == "CHOICE":
            self.phase = "MOON"
            self.player = self.shooter
        elif self.rules.MOON == "BEST":
            after = self.after(self.deal_points("PLUS"))
            behind = min(after) < after[self.shooter]
            self.settle("MINUS" if self.over(after, self.deals + 1) and behind else "PLUS")
        else:
            self.settle(self.rules.MOON)

    def deal_points(self, moon: str) -> list[int]:
        """Return what the deal costs everybody, with the moon counted in this way."""
        rules = self.rules
        main = [sum(map(rules.main, pile)) for pile in self.piles]
        rest = [
            sum(map(rules.extra, pile)) + tricks
            for pile, tricks in zip(self.piles, self.trick_points, strict=True)
        ]
        if self.shooter is None:
            rest = [rest[s] + rules.NOTRICKS * (not self.won[s]) for s in self.seats]
        else:
            value = rules.MOONVALUE or sum(map(rules.main, self.cards))
            value *= 2 if rules.SUN and self.won[self.shooter] == self.length else 1
            up, down = (value, 0) if moon == "PLUS" else (0, -value)
            main = [down if seat == self.shooter else up for seat in self.seats]
        return [one + other for one, other in zip(main, rest, strict=True)]

    def after(self, points: list[int]) -> list[int]:
        """Return the totals after a deal with these points."""
        rules = self.rules
        sums = [total + one for total, one in zip(self.totals, points, strict=True)]
        return [rules.HITBECOMES if rules.HIT and one == rules.HIT else one for one in sums]

    def over(self, totals: list[int], deals: int) -> bool:
        """Say whether the game is over with these totals after so many deals."""
        rules = self.rules
        reached = rules.END > 0 and max(totals) >= rules.END + rules.ABOVE
        if not reached and not 0 < rules.ROUNDS <= deals:
            return False
        return rules.TIES != "EXTRA" or totals.count(min(totals)) == 1

    def settle(self, moon: str) -> None:
        """Add the points of the deal to the totals, and see whether the game is over."""
        self.points = self.deal_points(moon)
        self.totals = self.after(self.points)
        self.deals += 1
        self.phase = "OVER" if self.over(self.totals, self.deals) else "DEAL"
        self.player = None

    # What the tests use.

    @property
    def scores(self) -> list[int]:
        """The final scores."""
        if self.rules.TIES != "LASTDEAL":
            return self.totals
        return [1000 * one + last for one, last in zip(self.totals, self.points, strict=True)]

    def options(self) -> list[Cards]:
        """Return what may be chosen: cards, one or several; for the moon MINUS or PLUS."""
        assert self.player is not None
        hand = self.hands[self.player]
        if self.phase == "PASS":
            return sets(hand, self.passes[0][1])
        if self.phase == "EXCHANGE":
            return sets(hand, self.rules.WIDOW)
        if self.phase == "MOON":
            return [("MINUS",), ("PLUS",)]
        return [(card,) for card in self.legal()]

    def play(self, choice: Cards) -> None:
        """Carry out what is chosen."""
        if self.phase == "PASS":
            self.give(choice)
        elif self.phase == "EXCHANGE":
            self.lay_aside(choice)
        elif self.phase == "MOON":
            self.settle(choice[0])
        else:
            self.lay(choice[0])
