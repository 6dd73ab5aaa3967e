"""Cuckoo as its rules say: stacked deals, and games beside a model that knows only the rules."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from library_playing import FULL_PACK, code, codes, decisions, hand, interpreted, seeds, shuffled
from ordered_pack import ordered

from cardwright import State, Stream

ORDER = "A23456789TJQK"
WISHES = ("keep", "swap")


@dataclass
class Table:
    """What a round comes to, worked out from the rules: a card is of the stock, or a player's."""

    pack: list[str]
    players: int
    refuse: bool = True
    king_cut: bool = False
    cards: list[str] = field(default_factory=list)
    shown: set[int] = field(default_factory=set)
    cut: str = ""
    thrown: str = ""

    def __post_init__(self) -> None:
        self.cards, self.pack = self.pack[: self.players], self.pack[self.players :]

    def decide(self, seat: int, wish: str) -> None:
        if wish == "keep":
            return
        if seat < self.players - 1:
            if self.refuse and self.cards[seat + 1][0] == "K":
                self.shown.add(seat + 1)
            else:
                self.cards[seat : seat + 2] = self.cards[seat + 1], self.cards[seat]
                self.shown -= {seat, seat + 1}
            return
        card = self.pack.pop(0)
        if card[0] == "K" and (self.refuse or self.king_cut):
            self.cut = card
        else:
            self.thrown, self.cards[seat] = self.cards[seat], card
            self.shown.add(seat)

    @property
    def lost(self) -> tuple[int, ...]:
        if self.cut and self.king_cut:
            return (0,) * (self.players - 1) + (1,)
        lowest = min(ORDER.index(card[0]) for card in self.cards)
        return tuple(int(ORDER.index(card[0]) == lowest) for card in self.cards)


def wish(state: State, *wanted: str) -> State:
    """Let the players in turn decide."""
    for each in wanted:
        state.play(WISHES.index(each))
    return state


def secret(state: State) -> list[str]:
    """The cards that lie face down before the players; nothing for those that do not."""
    return ["".join(hand(state, seat, "CARD")) for seat in range(state.game.players)]


def shown(state: State) -> list[str]:
    """The cards that lie face up before the players."""
    return ["".join(codes(state.cards(s, "vloc", "CARD"))) for s in range(state.game.players)]


def table(state: State, name: str) -> tuple[str, ...]:
    return codes(state.cards(None, "vloc", name))


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"PLAYERS": 3},
        {"PLAYERS": 8},
        {"REFUSE": 0},
        {"KINGCUT": 1},
        {"REFUSE": 0, "KINGCUT": 1},
    ],
    ids=str,
)
def test_games_go_as_the_rules_say(declared: dict[str, Any]) -> None:
    """Who has which card, what is shown, and who loses are those of a model of the rules."""
    game = interpreted("cuckoo", **declared)
    for seed in seeds(120):
        pack = shuffled(game, seed)[::-1]
        model = Table(
            pack, game.players, declared.get("REFUSE", 1) == 1, declared.get("KINGCUT", 0) == 1
        )
        state = game.start(seed)
        for at, option in decisions(game, seed):
            state = at
            seat = len(at.choices)
            assert at.player == seat
            assert [a or b for a, b in zip(secret(at), shown(at), strict=True)] == model.cards
            assert {s for s, card in enumerate(shown(at)) if card} == model.shown
            model.decide(seat, WISHES[option.index])
        assert len(state.choices) == game.players
        assert shown(state) == model.cards
        assert table(state, "CUT") == ((model.cut,) if model.cut else ())
        assert table(state, "DISCARD") == ((model.thrown,) if model.thrown else ())
        assert state.scores == model.lost
        assert [rank == 0 for rank in state.ranks] == [not lost for lost in model.lost]


def test_the_deal() -> None:
    """One card each of the usual pack, face down, player 1 first."""
    game = interpreted("cuckoo")
    assert sorted(code(card) for card in game.cards) == FULL_PACK
    for seed in seeds(10):
        state = game.start(seed)
        assert secret(state) == shuffled(game, seed)[::-1][:6]
        assert not any(shown(state))
        assert len(state.cards(None, "iloc", "STOCK")) == 46


@pytest.mark.parametrize("players", [3, 6, 8])
def test_everybody_chooses_once_between_two_things(players: int) -> None:
    """Each is asked once, in turn, to keep or to swap; the cards do not matter, kings either."""
    game = interpreted("cuckoo", PLAYERS=players)
    kings = 0
    for seed in range(30):
        asked = []
        for state, _ in decisions(game, seed):
            asked.append(state.player)
            texts = [option.description.lower() for option in state.options()]
            assert [text.split()[-1] for text in texts] == list(WISHES)
            kings += secret(state)[asked[-1] or 0].startswith("K")
        assert asked == list(range(players))
    assert kings > 3


def test_keeping_changes_nothing() -> None:
    """If all keep, all have what they were dealt, and the lowest loses."""
    state = ordered("cuckoo", "7C 4D QH 5S 9C TD").start(0)
    wish(state, "keep", "keep", "keep")
    assert secret(state) == ["7C", "4D", "QH", "5S", "9C", "TD"]
    assert [state.string(seat, "WISH") for seat in range(4)] == ["KEEP", "KEEP", "KEEP", ""]
    wish(state, "keep", "keep", "keep")
    assert state.finished
    assert shown(state) == ["7C", "4D", "QH", "5S", "9C", "TD"]
    assert state.scores == (0, 1, 0, 0, 0, 0)
    assert not table(state, "DISCARD")


def test_a_swap_is_with_the_next_player() -> None:
    """Both have the other's card, face down, and nobody else is concerned."""
    state = wish(ordered("cuckoo", "7C 4D QH 5S 9C TD").start(0), "swap")
    assert secret(state) == ["4D", "7C", "QH", "5S", "9C", "TD"]
    assert not any(shown(state))


def test_a_card_goes_round_as_long_as_all_swap() -> None:
    """Each decides in turn about the card they have by then; the ace ends with the dealer."""
    state = ordered("cuckoo", "AC 4D QH 5S 9C TD 3H").start(0)
    wish(state, "swap", "swap", "swap", "swap", "swap")
    assert secret(state) == ["4D", "QH", "5S", "9C", "TD", "AC"]
    kept, swapped = wish(state.copy(), "keep"), wish(state.copy(), "swap")
    assert kept.scores == (0, 0, 0, 0, 0, 1)
    assert shown(swapped) == ["4D", "QH", "5S", "9C", "TD", "3H"]
    assert swapped.scores == (0, 0, 0, 0, 0, 1)
    assert table(swapped, "DISCARD") == ("AC",)


def test_a_king_refuses() -> None:
    """Its player shows it and keeps it, and who wanted the swap keeps their card too."""
    state = wish(ordered("cuckoo", "2C KD QH 5S 9C TD").start(0), "swap")
    assert secret(state) == ["2C", "", "QH", "5S", "9C", "TD"]
    assert shown(state) == ["", "KD", "", "", "", ""]
    assert state.player == 1
    wish(state, *["keep"] * 5)
    assert state.scores == (1, 0, 0, 0, 0, 0)


def test_a_king_is_not_shown_without_need() -> None:
    """A king nobody wants lies face down to the end, even when its player gives it away."""
    state = wish(ordered("cuckoo", "2C KD QH 5S 9C TD").start(0), "keep")
    assert secret(state)[1] == "KD"
    wish(state, "swap")
    assert secret(state) == ["2C", "QH", "KD", "5S", "9C", "TD"]
    assert not any(shown(state))


def test_only_kings_refuse() -> None:
    """Queens, aces and all other cards have to be given."""
    for rank in ORDER:
        state = wish(ordered("cuckoo", f"2C {rank}D QH 5S 9C TD").start(0), "swap")
        assert secret(state)[:2] == (["2C", ""] if rank == "K" else [f"{rank}D", "2C"])


def test_a_shown_king_may_be_swapped_away() -> None:
    """Then the next player has it face down, though everybody knows, and shows it if need be."""
    state = wish(ordered("cuckoo", "2C KD QH 5S 9C TD").start(0), "swap", "swap")
    assert secret(state) == ["2C", "QH", "KD", "5S", "9C", "TD"]
    assert not any(shown(state))


def test_a_king_refuses_a_king() -> None:
    """It does not matter what is offered for it."""
    state = wish(ordered("cuckoo", "KC KD QH 5S 9C TD").start(0), "swap")
    assert secret(state) == ["KC", "", "QH", "5S", "9C", "TD"]
    assert shown(state)[1] == "KD"


def test_the_dealer_swaps_with_the_stock() -> None:
    """The dealer gets its top card, not the card of player 1, and throws the old one away."""
    state = ordered("cuckoo", "7C 4D QH 5S 9C 2D 8H 3S").start(0)
    wish(state, *["keep"] * 5, "swap")
    assert shown(state) == ["7C", "4D", "QH", "5S", "9C", "8H"]
    assert table(state, "DISCARD") == ("2D",)
    assert not table(state, "CUT")
    assert state.scores == (0, 1, 0, 0, 0, 0)


def test_the_king_of_the_stock_refuses_as_well() -> None:
    """A dealer who turns up a king has to keep the old card."""
    state = ordered("cuckoo", "7C 4D QH 5S 9C 2D KH").start(0)
    wish(state, *["keep"] * 5, "swap")
    assert shown(state) == ["7C", "4D", "QH", "5S", "9C", "2D"]
    assert table(state, "CUT") == ("KH",)
    assert not table(state, "DISCARD")
    assert state.scores == (0, 0, 0, 0, 0, 1)


def test_the_dealer_shows_a_king_like_others() -> None:
    """Player 5 may want the dealer's card, and a king refuses; the dealer still decides."""
    state = wish(ordered("cuckoo", "7C 4D QH 5S 3C KD 8H").start(0), *["keep"] * 4, "swap")
    assert shown(state)[5] == "KD"
    assert state.player == 5
    wish(state, "swap")
    assert shown(state) == ["7C", "4D", "QH", "5S", "3C", "8H"]
    assert state.scores == (0, 0, 0, 0, 1, 0)


def test_the_order_of_cards() -> None:
    """Aces are lowest and kings highest: of two neighboring ranks the lower one loses."""
    for low, high in pairwise(ORDER):
        state = ordered("cuckoo", f"{high}C {low}D {high}H", PLAYERS=3).start(0)
        assert wish(state, *["keep"] * 3).scores == (0, 1, 0)


def test_all_with_the_lowest_card_lose() -> None:
    """Suits do not break a tie, so that several can lose, or everybody."""
    state = ordered("cuckoo", "3C 4D 3H 5S 3S TD").start(0)
    assert wish(state, *["keep"] * 6).scores == (1, 0, 1, 0, 1, 0)
    state = ordered("cuckoo", "3C 3D 3H", PLAYERS=3).start(0)
    assert wish(state, *["keep"] * 3).scores == (1, 1, 1)


def test_without_refusing_kings_are_cards_like_others() -> None:
    """With REFUSE 0 a king has to be given, and the dealer may take one from the stock."""
    state = ordered("cuckoo", "2C KD QH 5S 9C TD KH", REFUSE=0).start(0)
    wish(state, "swap")
    assert secret(state) == ["KD", "2C", "QH", "5S", "9C", "TD"]
    wish(state, *["keep"] * 4, "swap")
    assert shown(state) == ["KD", "2C", "QH", "5S", "9C", "KH"]
    assert state.scores == (0, 1, 0, 0, 0, 0)


@pytest.mark.parametrize("refuse", [0, 1])
def test_a_king_may_cost_the_dealer_the_life(refuse: int) -> None:
    """With KINGCUT 1 the dealer alone loses by turning up a king, and by nothing else."""
    pack = "7C 2D QH 5S 9C TD"
    start = ordered("cuckoo", f"{pack} KH", KINGCUT=1, REFUSE=refuse).start(0)
    wish(start, *["keep"] * 5)
    assert wish(start.copy(), "keep").scores == (0, 1, 0, 0, 0, 0)
    swapped = wish(start.copy(), "swap")
    assert swapped.scores == (0, 0, 0, 0, 0, 1)
    assert table(swapped, "CUT") == ("KH",)
    start = ordered("cuckoo", f"{pack} QS", KINGCUT=1, REFUSE=refuse).start(0)
    assert wish(start, *["keep"] * 5, "swap").scores == (0, 1, 0, 0, 0, 0)


def test_what_the_others_know() -> None:
    """All see one's own card only; a king that was shown is known when it is swapped away."""
    state = wish(ordered("cuckoo", "7C KD QH 5S 9C TD").start(0), "swap")
    assert shown(state)[1] == "KD"
    wish(state, "swap")
    stream = Stream(3)
    for seat in range(6):
        seen = [secret(state.determinise(seat, stream, "known")) for _ in range(60)]
        for other, card in enumerate(secret(state)):
            cards = {deal[other] for deal in seen}
            assert cards == {card} if other in (seat, 2) else len(cards) > 10
