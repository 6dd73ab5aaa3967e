"""Playing library games in tests: short names for cards, and games as lists of plays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.syntax.source import Source
from deep import usually

if TYPE_CHECKING:
    from cardwright.program.cards import Card

Chooser: TypeAlias = Callable[[State], Option]

RANKS = {
    "A": "A",
    "TWO": "2",
    "THREE": "3",
    "FOUR": "4",
    "FIVE": "5",
    "SIX": "6",
    "SEVEN": "7",
    "EIGHT": "8",
    "NINE": "9",
    "TEN": "T",
    "J": "J",
    "Q": "Q",
    "K": "K",
}
SUITS = {"CLUBS": "C", "DIAMONDS": "D", "HEARTS": "H", "SPADES": "S"}
ACE_HIGH = "23456789TJQKA"
FULL_PACK = sorted(rank + suit for rank in ACE_HIGH for suit in "CDHS")


def interpreted(name: str, *, preset: str | None = None, **declared: str | int) -> Game:
    """Return a game of the library, played by the interpreter.

    Rules are tested there: that machine code plays the same game is shown once, for all games.
    """
    return Game.load(name, preset=preset, engine="interpreter", **declared)


def seeds(count: int, usual: int = 0) -> range:
    """Return the seeds of the random games on which a rule is tried: so many in a deep run.

    In others an eighth is enough for most rules.
    """
    return range(usually(usual or -(-count // 8), count))


def code(card: Card) -> str:
    """Return a card as two characters, such as QS."""
    return RANKS[card.attributes["RANK"]] + SUITS[card.attributes["SUIT"]]


def codes(cards: Iterable[Card]) -> tuple[str, ...]:
    """Return several cards as two characters each."""
    return tuple(code(card) for card in cards)


def hand(state: State, seat: int, name: str = "HAND") -> tuple[str, ...]:
    """Return a seat's private cards from bottom to top."""
    return codes(state.cards(seat, "iloc", name))


def bare_options(state: State) -> tuple[Option, ...]:
    """Return the options of a decision without words, which take longer to find than all else."""
    return tuple(Option(index, content, "") for index, content in enumerate(state.contents()))


def words(state: State, option: Option) -> str:
    """Return the words for an option of the decision at which a state stands."""
    return state.options()[option.index].description


def picked(option: Option, variable: str) -> object:
    """Return what an option picks for a variable; None if it picks nothing for it."""
    return dict(option.content.picks).get(f"'{variable}")


def card_of(state: State, option: Option, variable: str = "CARD") -> str | None:
    """Return the card that an option picks for a variable."""
    card = picked(option, variable)
    return code(state.game.cards[card]) if isinstance(card, int) else None


def offered(state: State) -> tuple[str | None, ...]:
    """Return the cards that the options of a decision pick, in the order of the options."""
    return tuple(card_of(state, option) for option in bare_options(state))


def put(state: State, cards: str) -> State:
    """Let the players choose these cards, one after the other."""
    for card in cards.split():
        state.play(offered(state).index(card))
    return state


def put_in_order(state: State, hands: Sequence[Sequence[str]], leads: str) -> State:
    """Play a whole deal in which everybody plays the cards in the order of the hand.

    Leads are the seats that are expected to lead.
    """
    for number, lead in enumerate(leads):
        for step in range(len(hands)):
            seat = (int(lead) + step) % len(hands)
            assert state.player == seat
            put(state, hands[seat][number])
    assert state.finished
    return state


def at_random(seed: int, players: int) -> Chooser:
    """Return a chooser that is uniform over the options, with a stream of its own per seat.

    What it chooses has no words.
    """
    streams = [Stream.of_seat(seed, seat) for seat in range(players)]

    def choose(state: State) -> Option:
        assert state.player is not None
        return bare_options(state)[streams[state.player].below(state.option_count)]

    return choose


def preferring(seed: int, players: int, *wishes: Callable[[State, Option], bool]) -> Chooser:
    """Return a chooser: random among the options of the first wish that any option fulfils.

    The options have no words.
    """
    streams = [Stream.of_seat(seed, seat) for seat in range(players)]

    def choose(state: State) -> Option:
        assert state.player is not None
        options: Sequence[Option] = bare_options(state)
        for wish in wishes:
            fit = [option for option in options if wish(state, option)]
            if fit:
                options = fit
                break
        return options[streams[state.player].below(len(options))]

    return choose


def decisions(
    game: Game, seed: int, choose: Chooser | None = None
) -> Iterator[tuple[State, Option]]:
    """Play a game; yield the state and the option chosen before each decision is carried out.

    The state is always the same object: after the last decision it is finished.
    """
    choose = choose or at_random(seed, game.players)
    state = game.start(seed)
    while not state.finished:
        option = choose(state)
        yield state, option
        state.play(option)


def finish(game: Game, seed: int, choose: Chooser | None = None) -> State:
    """Play a game to its end and return its last state."""
    choose = choose or at_random(seed, game.players)
    state = game.start(seed)
    while not state.finished:
        state.play(choose(state))
    return state


@dataclass(frozen=True)
class Play:
    """One card played to a trick: by whom, from which hand, and what could have been played."""

    seat: int
    hand: tuple[str, ...]
    offered: tuple[str | None, ...]
    card: str


def tricks(game: Game, seed: int, choose: Chooser | None = None) -> tuple[list[list[Play]], State]:
    """Play a game of tricks; return the plays by trick, as many in each as there are players."""
    plays = []
    state = game.start(seed)
    for at, option in decisions(game, seed, choose):
        state = at
        assert at.player is not None
        card = card_of(at, option)
        assert card is not None
        plays.append(Play(at.player, hand(at, at.player), offered(at), card))
    size = game.players
    return [plays[i : i + size] for i in range(0, len(plays), size)], state


def winner(trick: Sequence[Play], order: str = ACE_HIGH, trump: str = "") -> int:
    """Return who wins a trick: the highest trump, or else the highest card of the suit led."""
    cards = [play.card for play in trick]
    suit = trump if trump and any(card[1] == trump for card in cards) else cards[0][1]
    best = max((card for card in cards if card[1] == suit), key=lambda c: order.index(c[0]))
    return trick[cards.index(best)].seat


def assert_suit_followed(trick: Sequence[Play]) -> None:
    """A trick's leader may play anything; the others follow suit, or else play anything."""
    assert trick[0].offered == trick[0].hand
    for play in trick[1:]:
        same = tuple(card for card in play.hand if card[1] == trick[0].card[1])
        assert play.offered == (same or play.hand)


def assert_winners_lead(rounds: Sequence[Sequence[Play]], wins: Callable[..., int]) -> None:
    """Player 1 leads first, then whoever wins a trick; the others follow in turn."""
    leader = 0
    for trick in rounds:
        assert [play.seat for play in trick] == [
            (leader + step) % len(trick) for step in range(len(trick))
        ]
        leader = wins(trick)


def by_number(game: Game, cards: Iterable[str]) -> list[str]:
    """Return cards by number, as they lie where the game reads no order."""
    return sorted(cards, key=codes(game.cards).index)


def shuffled(game: Game, seed: int, without: Sequence[str] = ()) -> list[str]:
    """Return the pack of a game from bottom to top after the first shuffle of a seed."""
    pack = [code(card) for card in game.cards if code(card) not in without]
    Stream(seed).shuffle(pack)
    return pack


def stacked(name: str, pack: str, **declared: int) -> Game:
    """Return a library game that deals just these cards, from the top, and does not shuffle.

    They are made in this order, so that a hand lies as it is written.
    """
    ranks = {short: long for long, short in RANKS.items()}
    suits = {short: long for long, short in SUITS.items()}
    decks = "\n".join(
        f"(create deck (game iloc PACK) (deck (RANK ({ranks[c[0]]})) (SUIT ({suits[c[1]]}))))"
        for c in pack.split()
    )
    text = find(name).text
    while start := text.find("(create deck") + 1:
        end = start
        while text[start - 1 : end].count("(") > text[start - 1 : end].count(")"):
            end += 1
        text = text[: start - 1] + text[end:]
    text = re.sub(r"\(create players .*?\)", lambda m: m.group() + decks, text, count=1)
    deal = "(repeat all (move (top (game iloc PACK)) (top (game iloc STOCK))))"
    text = re.sub(r"\(shuffle \(game iloc STOCK\)\)", deal, text, count=1)
    # Each is played a few times only: compiling it would take far longer than that.
    source = Source(f"{name}-stacked", text)
    return Game.from_source(source, declared=declared, engine="interpreter")
