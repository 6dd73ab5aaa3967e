"""The scene maker: it draws the referee's game as one pair of eyes sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from cardwright.english import YOU, SentenceSubject, capital, counted, named
from cardwright.game.errors import override_text
from cardwright.game.wording.naming import DIGITS, plain_word, stored_values
from cardwright.game.wording.option_text import short_name
from cardwright.game.wording.phrases import UNSHOWN
from cardwright.interpreter import machine
from cardwright.library.catalogue import people_name
from cardwright.program.cards import LocationKind
from cardwright.table.deal_results import results_in_words
from cardwright.table.displays import Displays, arranged, left_over, sign_of, text_of
from cardwright.table.hearts_table import hearts_sheet
from cardwright.table.narrator import OPEN, PUBLIC
from cardwright.table.referee import Trick
from cardwright.table.scene import (
    CardFace,
    PlayedCard,
    SceneDealEnd,
    SceneDecision,
    SceneGame,
    SceneGroups,
    SceneOption,
    SceneOver,
    ScenePeg,
    ScenePile,
    ScenePlace,
    SceneResult,
    SceneSeat,
    SceneSheet,
    SceneSide,
    SceneSign,
    SceneTrack,
    SceneTrick,
    TableScene,
)
from cardwright.table.trick_facts import TRICK
from cardwright.table.vocabulary import OVER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.game.game import Game
    from cardwright.game.wording.naming import PeopleNamer, StoredValues
    from cardwright.game.wording.phrases import Blank
    from cardwright.interpreter.effects import Pile
    from cardwright.interpreter.machine import Rules
    from cardwright.interpreter.world import World
    from cardwright.program.cards import Card, CardId, Location
    from cardwright.program.program import Program
    from cardwright.table.narrator import Eyes
    from cardwright.table.referee import DealEnd, Referee, RefereeRules
    from cardwright.table.setup import SeatSetup


class CardFaces:
    """Makes the faces of a game's cards, each once."""

    def __init__(self, program: Program, namer: PeopleNamer) -> None:
        self._cards = program.cards
        self._namer = namer
        self._known: dict[CardId, CardFace] = {}

    def of(self, card: Card) -> CardFace:
        """Return the face of a card."""
        face = self._known.get(card.id)
        if face is None:
            rank, suit = card.attributes.get("RANK"), card.attributes.get("SUIT")
            face = self._known[card.id] = CardFace(
                id=int(card.id),
                name=self._namer.card(card),
                short=short_name(card, self._namer, symbols=True),
                rank=None if rank is None else DIGITS.get(rank, rank),
                suit=None if suit is None else suit.lower(),
                attributes=dict(card.attributes),
            )
        return face

    def all(self, cards: Iterable[Card]) -> tuple[CardFace, ...]:
        """Return the faces of cards."""
        return tuple(map(self.of, cards))

    def numbered(self, cards: Iterable[CardId]) -> tuple[CardFace, ...]:
        """Return the faces of cards by their numbers."""
        return tuple(self.of(self._cards[card]) for card in cards)


NOTHING = "NONE"
"""The name by which rules say, by custom, that a string is empty."""

_HAND = "HAND"
_SUITS = ("CLUBS", "DIAMONDS", "SPADES", "HEARTS")


class HandPlaces:
    """Which places are the players' hands: those named HAND that only their player sees.

    In a game without such places, all that only their player sees are.
    """

    def __init__(self, rules: Rules) -> None:
        players = rules.program.players
        self._named = any(
            place.name == _HAND and place.kind is LocationKind.INVISIBLE and place.owner < players
            for place in rules.places.in_text
        )

    def holds(self, location: Location, seat: int) -> bool:
        """Return whether a location is a hand of a seat."""
        return (
            location.owner == seat
            and location.kind is LocationKind.INVISIBLE
            and (not self._named or location.name == _HAND)
        )


class CardOrder:
    """The order of a game's cards in a hand: by suit (clubs, diamonds, spades, hearts) and rank.

    Where the game's words name a point map, cards that count enough follow by what they count.

    Cards without a suit are sorted by their attributes, with values in the order in which the
    game's cards first have them.
    """

    def __init__(self, game: Game) -> None:
        order: dict[str, dict[str, int]] = {}
        for card in game.cards:
            for key, value in card.attributes.items():
                values = order.setdefault(key, {})
                values.setdefault(value, len(values))
        if set(order.get("SUIT", ())) <= set(_SUITS):
            order["SUIT"] = {suit: at for at, suit in enumerate(_SUITS)}
        keys = sorted(order, key=lambda key: (key != "SUIT", key != "RANK"))

        def place(card: Card) -> tuple[int, ...]:
            attributes = card.attributes
            found = (order[key][attributes[key]] if key in attributes else -1 for key in keys)
            return *found, card.id

        self._words = game.words.hand
        self._table = game.program.table
        self._places = {card.id: at for at, card in enumerate(sorted(game.cards, key=place))}

    def sorted(self, cards: Iterable[Card], world: World) -> tuple[Card, ...]:
        """Return cards in this order."""
        words = self._words
        points = None if words is None else world.points.get((self._table, words.order))
        if words is None or points is None:
            return tuple(sorted(cards, key=lambda card: self._places[card.id]))
        worth = {card: max(words.above, points.worth(card.id)) for card in cards}
        return tuple(sorted(worth, key=lambda card: (worth[card], self._places[card.id])))


_WON = "TRICKSWON"
"""The location for won tricks: in the Hearts family, seats show what counts among these."""


USUAL_SHAPES = {"DISCARD": "top"}
"""How cards lie in places of usual names."""


class SceneMaker:
    """Makes the scenes of a game. Cards, places and options are named by the namer."""

    def __init__(self, rules: RefereeRules, namer: PeopleNamer, game: SceneGame) -> None:
        program = rules.game.program
        self.rules = rules
        self.game = game
        self.family = rules.family
        self.hands = HandPlaces(rules.rules)
        self.order = CardOrder(rules.game)
        self.highest_wins = rules.game.highest_wins
        words = rules.game.words.displays
        self.displays = Displays(program, words) if words else None
        self.teams = any(len(team) > 1 for team in program.teams)
        self.use(namer)

    def use(self, namer: PeopleNamer) -> None:
        """Name everything by another namer, as after a change of names."""
        self.namer = namer
        self.faces = CardFaces(self.rules.game.program, namer)

    def shape(self, location: Location) -> str | None:
        """Return how the cards of a place lie by the game's words; None for the usual way."""
        shapes = USUAL_SHAPES | dict(self.namer.words.piles)
        keys = self.namer.place_keys(location)
        return next((shapes[key] for key in keys if key in shapes), None)

    def scene(self, referee: Referee, eyes: Eyes, seats: Sequence[SeatSetup]) -> TableScene:
        """Return the scene of the pending decision; what only the table knows is left out."""
        return _MomentReader(self, referee, eyes).scene(seats)

    def rest(
        self, moment: Referee, eyes: Eyes, seats: Sequence[SeatSetup], end: DealEnd
    ) -> TableScene:
        """Return the scene of the end of a deal: the last cards lie there, and scores are known."""
        scene = _MomentReader(self, moment, eyes).scene(seats, end)
        shown = tuple(
            structs.replace(seat, score=end.totals[seat.seat], points=end.points[seat.seat])
            for seat in scene.seats
        )
        return structs.replace(scene, seats=shown, trick=scene.trick or scene.last)

    def decision(self, referee: Referee) -> SceneDecision:
        """Return the pending decision as the seat sees it that has to make it."""
        return _MomentReader(self, referee, OPEN).decision()

    def trick(self, trick: Trick | None) -> SceneTrick | None:
        """Return a trick as scenes have it; all of its cards are visible."""
        if trick is None:
            return None
        cards = tuple(PlayedCard(seat, self.faces.of(card)) for seat, card in trick.cards)
        return SceneTrick(cards, trick.leader, trick.winner)

    def deal_end(self, end: DealEnd | None, you: int | None) -> SceneDealEnd | None:
        """Return the end of a deal as scenes have it, in words for a seat, if it is for one."""
        if end is None:
            return None
        told = results_in_words(end.results, self.namer, you)
        results = tuple(SceneResult(words, sign) for words, sign in told)
        taken = tuple(map(self.faces.all, end.taken))
        return SceneDealEnd(end.number, end.points, end.totals, results, taken)


class _MomentReader:
    """Reads one moment with one pair of eyes."""

    def __init__(self, maker: SceneMaker, referee: Referee, eyes: Eyes) -> None:
        self._maker = maker
        self._referee = referee
        self._eyes = eyes
        self._world = referee.world
        self._game = maker.rules.game
        self._program = self._game.program
        self._faces = maker.faces
        self._piles = [pile for pile in referee.world.touched() if pile.cards]
        displays, seat = maker.displays, eyes.seat
        self._shown = displays.of(referee.world, referee.number, seat) if displays else []
        self._hearts = (
            None
            if maker.family is None
            else hearts_sheet(
                maker.family, referee.world, referee.tricks.cards, moon=maker.rules.has_moon
            )
        )

    def scene(self, seats: Sequence[SeatSetup], end: DealEnd | None = None) -> TableScene:
        """Return the scene; with the end of a deal, of the moment before it is counted."""
        referee, program = self._referee, self._program
        eyes, hearts, tricks = self._eyes, self._hearts, referee.tricks
        totals = referee.totals() if end is None else end.totals
        deals = tuple(referee.book.deals) if end is None else (*referee.book.deals, end.points)
        over = referee.due is None and end is None
        own = () if eyes.seat is None else self._faces.all(self._hand(eyes.seat))
        own_turn = eyes.seat is not None and referee.due == eyes.seat
        winner = None if hearts is None else hearts.winner
        now = Trick(tricks.cards[0][0], tuple(tricks.cards), winner) if tricks.cards else None
        return TableScene(
            number=referee.number,
            due=referee.due,
            game=self._maker.game,
            seat=eyes.seat,
            watching="open" if eyes == OPEN else "public" if eyes == PUBLIC else None,
            seats=tuple(self._seat(seat, one, totals) for seat, one in enumerate(seats)),
            piles=tuple(self._piles_of(range(program.players, program.table + 1))),
            facts=(*self._lines(program.table), *self._facts(program.table)),
            hand=own,
            new=(),
            trick=self._maker.trick(now),
            last=self._maker.trick(tricks.last),
            decision=self.decision() if own_turn else None,
            deal=len(deals) + (referee.due is not None),
            sheet=SceneSheet(deals, totals, self._maker.highest_wins, self._program.shared_score),
            over=self._over(seats) if over else None,
            deal_end=self._maker.deal_end(referee.deal_end if over else end, eyes.seat),
            warning=None if referee.due is None else self._warning(seats),
            sides=tuple(self._sides()),
            signs=tuple(self._signs()),
            tracks=tuple(self._tracks()),
            groups=None if eyes.seat is None else self._groups(eyes.seat),
        )

    def _warning(self, seats: Sequence[SeatSetup]) -> str | None:
        """Return that somebody may be shooting the moon, for the player of a seat."""
        if self._hearts is None or self._hearts.moon is None:
            return None
        seat, points = self._hearts.moon
        subject = YOU if seat == self._eyes.seat else named(seats[seat].name)
        has = subject.does(f"have all {counted(points, 'point')}")
        return f"{capital(has)}: the moon!"

    def _seat(self, seat: int, setup: SeatSetup, totals: tuple[int, ...] | None) -> SceneSeat:
        hearts = self._hearts
        team = next((at for at, one in enumerate(self._program.teams) if seat in one), None)
        held = sum(len(pile.cards) for pile in self._hand_piles(seat))
        seen = self._faces.all(self._hand(seat))
        ours = () if team is None else self._facts(self._program.players + team)
        return SceneSeat(
            seat=seat,
            name=setup.name,
            kind=setup.kind,
            player=setup.player if setup.kind == "computer" else None,
            here=setup.kind == "computer",
            due=seat == self._referee.due,
            score=None if totals is None else totals[seat],
            points=None if hearts is None else hearts.points[seat],
            team=team if self._maker.teams else None,
            cards=held - len(seen),
            hand=seen if seat != self._eyes.seat else (),
            piles=tuple(self._piles_of([seat])),
            facts=(*self._lines(seat), *self._facts(seat), *ours),
            taken=() if hearts is None else self._faces.all(hearts.taken[seat]),
        )

    def _facts(self, owner: int) -> tuple[str, ...]:
        """Return what is stored of an owner, as far as the words of the game tell it.

        Where a game has no words, its author is told everything.
        """
        stored, namer = stored_values(self._world), self._maker.namer
        if not namer.words:
            return _stored_facts(stored, owner)
        return _worded_facts(stored, owner, namer, self._eyes.seat)

    # What words show ----------------------------------------------------------------------

    def _lines(self, owner: int) -> tuple[str, ...]:
        """Return what is shown of an owner as a line of text."""
        namer, you = self._maker.namer, self._eyes.seat
        lines = (
            text_of(shown, namer, you)
            for shown in self._shown
            if shown.owner == owner and not (shown.words.at or shown.words.sign or shown.holes)
        )
        return tuple(filter(None, lines))

    def _sides(self) -> Iterator[SceneSide]:
        for team in range(len(self._program.teams)):
            if lines := self._lines(self._program.players + team):
                yield SceneSide(team, self._named(self._program.players + team), lines)

    def _signs(self) -> Iterator[SceneSign]:
        namer = self._maker.namer
        for shown in self._shown:
            sign = sign_of(shown, namer) if shown.words.sign else ""
            if sign:
                yield SceneSign(sign, text_of(shown, namer, self._eyes.seat))

    def _tracks(self) -> Iterator[SceneTrack]:
        namer, players = self._maker.namer, self._program.players
        for words in dict.fromkeys(shown.words for shown in self._shown if shown.holes > 0):
            alike = [shown for shown in self._shown if shown.words is words]
            pegs = tuple(
                ScenePeg(
                    shown.owner if shown.owner < players else None,
                    shown.owner - players if shown.owner >= players else None,
                    self._named(shown.owner),
                    max(0, min(shown.peg, shown.holes)),
                )
                for shown in alike
            )
            yield SceneTrack(text_of(alike[0], namer, self._eyes.seat), alike[0].holes, pegs)

    def _named(self, owner: int) -> str:
        return capital(self._maker.namer.who(owner, self._eyes.seat))

    def _groups(self, seat: int) -> SceneGroups | None:
        words = self._maker.namer.words.hand
        if words is None or not (words.sets or words.runs):
            return None
        found = arranged(self._hand(seat), words, self._world)
        if found is None:
            return None
        groups = tuple(tuple(int(card.id) for card in group) for group in found.groups)
        return SceneGroups(groups, left_over(found, words, self._maker.namer))

    # Cards --------------------------------------------------------------------------------

    def _hand_piles(self, seat: int) -> Iterator[Pile]:
        return (pile for pile in self._piles if self._maker.hands.holds(pile.location, seat))

    def _hand(self, seat: int) -> tuple[Card, ...]:
        """Return the cards of a seat's hand that are seen, sorted."""
        cards = self._program.cards
        seen = (pile for pile in self._hand_piles(seat) if self._sees(pile))
        held = (cards[card] for pile in seen for card in pile.cards)
        return self._maker.order.sorted(held, self._world)

    def _sees(self, pile: Pile) -> bool:
        return self._eyes.see(self._program, pile.location)

    def _piles_of(self, owners: Iterable[int]) -> Iterator[ScenePile]:
        """Yield the piles of owners that are drawn as piles; one without a name is never told."""
        wanted = set(owners)
        for pile in self._piles:
            if pile.location.owner in wanted and not self._elsewhere(pile):
                shown = self._pile(pile)
                if shown.name and shown.shape != UNSHOWN:
                    yield shown

    def _pile(self, pile: Pile) -> ScenePile:
        location, seen = pile.location, self._sees(pile)
        shape = self._maker.shape(location)
        cards, shown = self._laid(pile) if shape == "last" else (pile.cards, 0)
        return ScenePile(
            name=self._pile_name(pile),
            place=f"{location.kind} {location.name}",
            at=location.at or None,
            cards=self._faces.numbered(cards) if seen else (),
            hidden=0 if seen else len(pile.cards),
            shape=shape,
            note=self._beside(pile),
            shown=shown,
        )

    def _laid(self, pile: Pile) -> tuple[Sequence[CardId], int]:
        """Return the cards of a pile, those that came last as in a hand, and how many these are."""
        came = self._referee.came.get(pile.location, (0, ()))[1]
        cards = [self._program.cards[card] for card in came if card in pile.cards]
        last = [card.id for card in self._maker.order.sorted(cards, self._world)]
        return [*(card for card in pile.cards if card not in last), *last], len(last)

    def _beside(self, pile: Pile) -> str:
        """Return what stands beside a pile."""
        location = pile.location
        parts = filter(None, (self._stored_beside(location), self._told_at(location)))
        return ", ".join(parts) or self._tricks_of(pile)

    def _told_at(self, location: Location) -> str:
        """Return what is shown at a place of its owner, or of the table."""
        namer, texts = self._maker.namer, []
        for shown in self._shown:
            at = shown.words.at
            owners = {location.owner, self._program.table}
            if at and at in namer.place_keys(location) and shown.owner in owners:
                texts.append(text_of(shown, namer, self._eyes.seat))
        return ", ".join(filter(None, texts))

    def _tricks_of(self, pile: Pile) -> str:
        """Return how many tricks lie in a place of usual name, if everybody played to all."""
        tricks, more = divmod(len(pile.cards), self._program.players)
        return "" if pile.location.name != _WON or more else counted(tricks, "trick")

    def _pile_name(self, pile: Pile) -> str:
        """Return the name of a pile; those of seats are drawn there, so that it says no owner."""
        location, namer = pile.location._replace(at=0), self._maker.namer
        at_seat = location.owner < self._program.players
        return namer.noun(location) if at_seat else namer.place(location, self._eyes.seat)

    def _stored_beside(self, location: Location) -> str:
        """Return what is stored under a place's name and told beside it: `red 3`."""
        phrase = self._maker.namer.words.find("notes", self._maker.namer.place_keys(location))
        if phrase is None:
            return ""
        cell, world = (location.owner, location.name), self._world
        stored = (world.strings.get(cell), world.integers.get(cell))
        known = [self._maker.namer.value(value) for value in stored if value and value != NOTHING]
        return phrase.fill(lambda _: " ".join(map(str, known)) or None) or ""

    def _elsewhere(self, pile: Pile) -> bool:
        """Say whether a pile is no pile on the table: a memory, a hand, or a part of a trick."""
        location = pile.location
        if location.kind is LocationKind.MEMORY:
            return True
        if location.owner >= self._program.players:
            return False
        if location.kind is LocationKind.VISIBLE and location.name == TRICK:
            return True
        if self._hearts is not None and location.name == _WON:
            return True
        return self._maker.hands.holds(location, location.owner)

    # The decision and the end ---------------------------------------------------------------

    def decision(self) -> SceneDecision:
        """Return the pending decision as the seat sees it that has to make it."""
        referee = self._referee
        options = referee.options()
        assert referee.due is not None
        held = {card for pile in self._hand_piles(referee.due) for card in pile.cards}
        sizes = [sum(card.id in held for card in option.cards) for option in options]
        least, most = min(sizes), max(sizes)
        return SceneDecision(
            number=referee.number,
            prompt=referee.prompt(),
            least=least,
            most=most,
            options=tuple(
                SceneOption(
                    option.index,
                    option.words,
                    tuple(int(card.id) for card in option.cards),
                    option.players,
                    _place(option.draws),
                    option.call,
                )
                for option in options
            ),
        )

    def _over(self, seats: Sequence[SeatSetup]) -> SceneOver:
        referee = self._referee
        scores = machine.scores(self._world.copy())
        ranks = machine.ranks(scores, highest_wins=self._maker.highest_wins)
        if self._program.shared_score:
            have = counted(scores[0], self._maker.namer.words.unit or "point")
            watched = self._eyes.seat is None
            words = f"They have {have} together" if watched else f"You have {have} together"
        else:
            words = _outcome([one.name for one in seats], ranks, self._eyes.seat)
        choices = tuple(referee.choices)
        return SceneOver(tuple(scores), tuple(ranks), str(referee.seed), choices, words)


def _place(location: Location | None) -> ScenePlace | None:
    if location is None:
        return None
    return ScenePlace(f"{location.kind} {location.name}", location.at or None)


def _outcome(names: Sequence[str], ranks: Sequence[int], you: int | None) -> str:
    """Return who has won, as a sentence for the player of a seat."""
    if len(names) == 1:
        return OVER
    winners = [seat for seat, rank in enumerate(ranks) if not rank]
    if len(winners) == len(names):
        return "All players share the win"
    subjects = (YOU if seat == you else named(names[seat]) for seat in winners)
    return SentenceSubject.several(subjects).sentence("win")


def scene_game(game: Game, preset: str | None, title: str = "") -> SceneGame:
    """Return what scenes say of a game, by its title or the usual one."""
    options = {name: override_text(value) for name, value in game.declared.items()}
    return SceneGame(game.name, title or people_name(game.name), preset, options)


def _worded_facts(
    stored: StoredValues, owner: int, namer: PeopleNamer, you: int | None
) -> tuple[str, ...]:
    """Return what is told of an owner, in the order in which the author has words for it.

    A value without words is not told. Words without a place for a value are told while it is
    neither 0 nor empty.
    """
    phrases = namer.words.phrases("facts")
    order = list(phrases)
    facts: list[tuple[int, str]] = []
    for (whose, name), value in stored.items():
        keys = namer.value_keys(owner, name, value) if whose == owner else ()
        key = next((key for key in keys if key in phrases), None)
        if key is None:
            continue
        phrase = phrases[key]

        def filled(blank: Blank, value: int | str = value) -> str | SentenceSubject | None:
            if not blank.name:
                return namer.value(value, blank.how, you)
            return namer.blank(blank, owner, stored, you)

        of_value = key in keys[:2]
        if (phrase.blanks or value or of_value) and (text := phrase.sentence(filled)):
            facts.append((order.index(key), text))
    return tuple(text for _, text in sorted(facts))


def _stored_facts(stored: StoredValues, owner: int) -> tuple[str, ...]:
    """Return all that is stored of an owner, for authors of games without words: `bid: 3`."""
    return tuple(
        f"{plain_word(name)}: {plain_word(value) if isinstance(value, str) else value}"
        for (whose, name), value in stored.items()
        if whose == owner
    )
