"""Coup as its rules say: stacked deals, and random games beside a model that knows only rules."""

from collections import Counter
from collections.abc import Generator, Iterable
from functools import cache
from itertools import combinations

import pytest
from library_playing import bare_options, decisions, interpreted, picked, seeds

from cardwright import Game, Option, State, Stream
from cardwright.game.find import find
from cardwright.program.cards import Card
from cardwright.syntax.source import Source

ROLES = {"D": "DUKE", "S": "ASSASSIN", "C": "CAPTAIN", "M": "AMBASSADOR", "N": "CONTESSA"}
SHORT = {long: short for short, long in ROLES.items()}
FULL_COURT = "CCCDDDMMMNNNSSS"
CLAIMS = {"tax": "D", "exchange": "M", "steal": "C", "assassinate": "S"}
BLOCKS = {"foreignaid": "D", "steal": "CM", "assassinate": "N"}


def roles(cards: Iterable[Card]) -> str:
    return "".join(SHORT[card.attributes["ROLE"]] for card in cards)


def hand(state: State, seat: int) -> str:
    return roles(state.cards(seat, "iloc", "HAND"))


def lost(state: State, seat: int) -> str:
    return roles(state.cards(seat, "vloc", "LOST"))


def court(state: State) -> str:
    return roles(state.cards(None, "iloc", "COURT"))


def coins(state: State) -> list[int]:
    return [state.integer(seat, "COINS") for seat in range(state.game.players)]


@cache
def table(hands: str, **declared: int) -> Game:
    """Return a game that deals these roles, two to each player, and does not shuffle before."""
    players = hands.split()
    moves = "".join(
        f"(move (bottom (filter (game iloc COURT) 'X (== (cardatt ROLE 'X) {ROLES[role]})))"
        " (top (game iloc COURT)))"
        for role in reversed("".join(players))
    )
    text = find("coup").text.replace("(shuffle (game iloc COURT))", moves, 1)
    declared = {"PLAYERS": len(players), **declared}
    source = Source("coup-dealt", text)
    return Game.from_source(source, declared=declared, engine="interpreter")


def dealt(hands: str, seed: int = 0, **declared: int) -> State:
    """Return the start of a game with these roles, two for each player."""
    return table(hands, **declared).start(seed)


def meaning(state: State, option: Option) -> str:
    """Return what an option does, such as tax, steal 2, block D, challenge, lose N, return DD.

    Players are told by their number, from 1. Where nothing is picked the claim that is open tells
    a challenge from a block.
    """
    what, victim, role, card, pair = (
        picked(option, name) for name in ("WHAT", "VICTIM", "ROLE", "CARD", "PAIR")
    )
    if what is not None:
        return str(what).lower()
    if isinstance(victim, int):
        verb = {1: "steal", 2: "assassinate", 3: "coup"}[option.content.branch]
        return f"{verb} {victim + 1}"
    if isinstance(card, int):
        return f"lose {roles([state.game.cards[card]])}"
    if isinstance(pair, tuple):
        return f"return {''.join(sorted(roles(state.game.cards[each] for each in pair)))}"
    if option.content.branch == 0:
        return "pass"
    if state.string(None, "CLAIM") != "NONE":
        return "challenge"
    return f"block {SHORT[str(role)] if role else {1: 'D', 3: 'N'}[option.content.branch]}"


def meanings(state: State) -> list[str]:
    return [meaning(state, option) for option in bare_options(state)]


def do(state: State, moves: str) -> State:
    """Let the players choose: moves are separated by commas."""
    for each in moves.split(", "):
        state.play(meanings(state).index(each))
    return state


def asked(state: State) -> list[int]:
    """Return who is asked, as numbers from 1, if everybody passes until something else is due."""
    found = []
    at = state.copy()
    while not at.finished and meanings(at)[0] == "pass":
        found.append((at.player or 0) + 1)
        at.play(0)
    return found


class Model:
    """A table of Coup by its rules. `hands` are what the players held at the last decision."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.coins = [2] * players
        if players == 2:
            self.coins[0] = 1
        self.roles = [2] * players
        self.hands: list[str] = []

    def living(self) -> list[int]:
        return [seat for seat in range(self.players) if self.roles[seat]]

    def others(self, seat: int) -> list[int]:
        """The other living players in the order in which they are asked."""
        order = [(seat + i) % self.players for i in range(1, self.players)]
        return [other for other in order if self.roles[other]]

    def actions(self, seat: int) -> list[str]:
        others = [other for other in self.living() if other != seat]
        found = []
        if self.coins[seat] < 10:
            found += ["income", "foreignaid", "tax", "exchange"]
            found += [f"steal {other + 1}" for other in others if self.coins[other]]
            if self.coins[seat] >= 3:
                found += [f"assassinate {other + 1}" for other in others]
        if self.coins[seat] >= 7:
            found += [f"coup {other + 1}" for other in others]
        return found

    def game(self) -> Generator[tuple[int, list[str]], str, None]:
        """Yield who decides among what; `lose` and `return` stand for all that can be done."""
        actor = 0
        while len(self.living()) > 1:
            yield from self.turn(actor)
            actor = next(
                (actor + i) % self.players
                for i in range(1, self.players + 1)
                if self.roles[(actor + i) % self.players]
            )

    def turn(self, actor: int) -> Generator[tuple[int, list[str]], str, None]:
        action, *rest = (yield actor, self.actions(actor)).split()
        target = int(rest[0]) - 1 if rest else -1
        cost = {"assassinate": 3, "coup": 7}.get(action, 0)
        self.coins[actor] -= cost
        if action in CLAIMS and (yield from self.refuted(actor, CLAIMS[action], cost)):
            return
        if len(self.living()) == 1:
            return
        blockers = self.others(actor) if action == "foreignaid" else [target]
        for seat in blockers if action in BLOCKS else []:
            if not self.roles[seat]:
                continue
            answer = yield seat, ["pass", *(f"block {role}" for role in BLOCKS[action])]
            if answer != "pass":
                if not (yield from self.refuted(seat, answer[-1])):
                    return
                break
        if len(self.living()) > 1:
            yield from self.effect(actor, action, target)

    def effect(
        self, actor: int, action: str, target: int
    ) -> Generator[tuple[int, list[str]], str, None]:
        self.coins[actor] += {"income": 1, "foreignaid": 2, "tax": 3}.get(action, 0)
        if action == "steal":
            booty = min(2, self.coins[target])
            self.coins[target] -= booty
            self.coins[actor] += booty
        elif action in {"assassinate", "coup"} and self.roles[target]:
            yield from self.loss(target)
        elif action == "exchange":
            yield actor, ["return"]

    def refuted(
        self, claimant: int, role: str, cost: int = 0
    ) -> Generator[tuple[int, list[str]], str, bool]:
        """Let the others challenge a claim; return whether it was challenged and was a lie.

        A lie gives back what was paid.
        """
        for seat in self.others(claimant):
            if (yield seat, ["pass", "challenge"]) == "challenge":
                lie = role not in self.hands[claimant]
                self.coins[claimant] += cost * lie
                yield from self.loss(claimant if lie else seat)
                return lie
        return False

    def loss(self, seat: int) -> Generator[tuple[int, list[str]], str, None]:
        yield seat, ["lose"]
        self.roles[seat] -= 1
        if not self.roles[seat]:
            self.coins[seat] = 0


def written_out(options: list[str], held: str) -> list[str]:
    if options == ["lose"]:
        return [f"lose {role}" for role in held]
    if options == ["return"]:
        return [f"return {''.join(sorted(pair))}" for pair in combinations(held, 2)]
    return options


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_games_beside_a_model(players: int) -> None:
    """At every decision the player, the options, all coins and all roles are as the rules say."""
    game = interpreted("coup", PLAYERS=players)
    seen: Counter[str] = Counter()
    for seed in range(8):
        model = Model(players)
        play = model.game()
        expected: tuple[int, list[str]] | None = next(play)
        for at, option in decisions(game, seed):
            state = at
            assert expected is not None
            seat, options = expected
            assert state.player == seat
            assert sorted(meanings(state)) == sorted(written_out(options, hand(state, seat)))
            assert coins(state) == model.coins
            extra = [2 * (options == ["return"] and other == seat) for other in range(players)]
            for other in range(players):
                assert len(hand(state, other)) == model.roles[other] + extra[other]
                assert len(lost(state, other)) == 2 - model.roles[other]
            chosen = meaning(state, option)
            seen[chosen.split()[0]] += 1
            model.hands = [hand(state, other) for other in range(players)]
            try:
                expected = play.send(chosen)
            except StopIteration:
                expected = None
        assert expected is None
        assert [bool(hand(state, seat)) for seat in range(players)] == list(map(bool, model.roles))
        assert state.scores == tuple(int(roles > 0) for roles in model.roles)
        assert sum(state.scores) == 1
    assert min(seen[what] for what in ("lose", "block", "challenge", "tax", "steal")) > 2


def test_the_cards_and_the_deal() -> None:
    """Three of each of five roles; two for everybody, the rest is the court; two coins each."""
    for players in range(2, 7):
        state = interpreted("coup", PLAYERS=players).start(1)
        hands = [hand(state, seat) for seat in range(players)]
        assert [len(held) for held in hands] == [2] * players
        assert "".join(sorted("".join(hands) + court(state))) == FULL_COURT
        assert coins(state) == ([1, 2] if players == 2 else [2] * players)
        assert state.player == 0
    assert interpreted("coup").players == 4


def test_hands_are_secret() -> None:
    """A player sees the own roles only; the court and the other hands may be anything."""
    state, stream = dealt("DS CM NN"), Stream(1)
    worlds = [state.determinise(0, stream) for _ in range(60)]
    assert all(hand(world, 0) == "DS" for world in worlds)
    assert len({hand(world, 1) for world in worlds}) > 10


def test_income_and_coups_are_not_questioned() -> None:
    """Nobody can challenge or block: the next player acts, or the target of a coup loses."""
    state = do(dealt("DS CM NN"), "income")
    assert state.player == 1
    assert coins(state) == [3, 2, 2]
    state = do(dealt("DS CM NN", COINS=7), "coup 3")
    assert coins(state) == [0, 7, 7]
    assert state.player == 2
    assert meanings(state) == ["lose N", "lose N"]
    do(state, "lose N")
    assert lost(state, 2) == hand(state, 2) == "N"
    assert state.player == 1


@pytest.mark.parametrize("held", [0, 1, 2, 3, 6, 7, 9, 10, 12])
def test_what_can_be_paid(held: int) -> None:
    """An assassination takes three coins and a coup seven; with ten there is only the coup."""
    found = meanings(dealt("DS CM NN", COINS=held))
    basic = ["income", "foreignaid", "tax", "exchange"]
    steals = ["steal 2", "steal 3"] if held else []
    kills = ["assassinate 2", "assassinate 3"] if held >= 3 else []
    coups = ["coup 2", "coup 3"] if held >= 7 else []
    assert found == ([*basic, *steals, *kills] if held < 10 else []) + coups


def test_foreign_aid() -> None:
    """All others are asked in turn whether they block; unblocked it brings two coins."""
    state = do(dealt("SS CM NN DD"), "foreignaid")
    assert meanings(state) == ["pass", "block D"]
    assert asked(state) == [2, 3, 4]
    assert coins(do(state, "pass, pass, pass")) == [4, 2, 2, 2]
    assert state.player == 1


def test_a_blocked_foreign_aid() -> None:
    """The first block ends the question; then everybody but the blocker may challenge it."""
    state = do(dealt("SS CM NN DD"), "foreignaid, pass, block D")
    assert state.player == 3
    assert meanings(state) == ["pass", "challenge"]
    assert asked(state) == [4, 1, 2]
    bluff = do(state.copy(), "pass, challenge")
    assert bluff.player == 2
    assert meanings(bluff) == ["lose N", "lose N"]
    do(bluff, "lose N")
    assert coins(bluff) == [4, 2, 2, 2]
    assert bluff.player == 1
    do(state, "pass, pass, pass")
    assert coins(state) == [2, 2, 2, 2]
    assert state.player == 1


def test_a_block_that_is_proved() -> None:
    """The challenger of a true block loses a role, and the block stands."""
    state = do(dealt("SS CM DN DD"), "foreignaid, pass, block D, pass, challenge")
    assert state.player == 0
    do(state, "lose S")
    assert coins(state) == [2, 2, 2, 2]
    assert len(hand(state, 2)) == 2
    assert hand(state, 0) == lost(state, 0) == "S"


def test_tax() -> None:
    """Everybody else may challenge the Duke, nobody may block; it brings three coins."""
    state = do(dealt("SS CM DN"), "tax")
    assert asked(state) == [2, 3]
    true = do(dealt("DS CM DN"), "tax, pass, challenge")
    assert true.player == 2
    assert coins(do(true, "lose D")) == [5, 2, 2]
    lie = do(state.copy(), "pass, challenge")
    assert lie.player == 0
    assert coins(do(lie, "lose S")) == [2, 2, 2]
    assert lie.player == 1
    assert coins(do(state, "pass, pass")) == [5, 2, 2]


def test_a_shown_role_is_replaced() -> None:
    """What was shown goes into the court, which is shuffled, before a new role is drawn from it.

    So the claimant may get any role that the court has, or the same again.
    """
    drawn = set()
    for seed in seeds(40, 10):
        state = do(dealt("DS NN NC", seed), "tax, challenge, lose N")
        assert len(hand(state, 0)) == 2
        assert "S" in hand(state, 0)
        assert len(court(state)) == 9
        drawn.add(hand(state, 0)[-1])
        assert "".join(sorted(hand(state, 0) + court(state) + "NNNC")) == FULL_COURT
    assert drawn == {"D", "S", "C", "M"}


def test_an_assassination() -> None:
    """It costs three coins; all may challenge, then the target may block; then a role is lost."""
    state = do(dealt("SD CM NN", COINS=4), "assassinate 3")
    assert coins(state) == [1, 4, 4]
    assert asked(state) == [2, 3, 3]
    do(state, "pass, pass")
    assert state.player == 2
    assert meanings(state) == ["pass", "block N"]
    do(state, "pass")
    assert state.player == 2
    assert meanings(state) == ["lose N", "lose N"]
    assert state.integer(None, "TARGET") == 3
    do(state, "lose N")
    assert state.player == 1
    assert coins(state) == [1, 4, 4]
    assert state.integer(None, "TARGET") == 0


def test_a_blocked_assassination() -> None:
    """The Contessa saves the role, and the coins are lost; a false one costs both roles."""
    state = do(dealt("SD CM NC", COINS=3), "assassinate 3, pass, pass, block N")
    assert asked(state) == [1, 2]
    assert meanings(do(state.copy(), "pass, pass"))[0] == "income"
    true = do(state, "challenge")
    assert true.player == 0
    do(true, "lose D")
    assert coins(true) == [0, 3, 3]
    assert len(hand(true, 2)) == 2
    lie = do(dealt("SD CM CC", COINS=3), "assassinate 3, pass, pass, block N, pass, challenge")
    assert lie.player == 2
    do(lie, "lose C, lose C")
    assert hand(lie, 2) == ""
    assert coins(lie) == [0, 3, 0]


def test_an_assassin_who_was_not_there() -> None:
    """A challenged lie stops the assassination, and the three coins come back."""
    state = do(dealt("DD CM NN", COINS=3), "assassinate 3, challenge, lose D")
    assert coins(state) == [3, 3, 3]
    assert len(hand(state, 2)) == 2
    assert state.player == 1


def test_challenging_a_true_assassin_can_cost_both_roles() -> None:
    """The target who challenges in vain loses a role, may block, and else loses the other."""
    state = do(dealt("SD CM NN", COINS=3), "assassinate 3, pass, challenge, lose N")
    assert state.player == 2
    assert meanings(state) == ["pass", "block N"]
    do(state, "pass, lose N")
    assert hand(state, 2) == ""
    assert lost(state, 2) == "NN"


def test_stealing() -> None:
    """The Captain takes two coins, or one if there is no more, and nothing from the penniless."""
    state = do(dealt("CD SS NN"), "steal 2, pass, pass, pass")
    assert coins(state) == [4, 0, 2]
    assert state.player == 1
    do(state, "income")
    assert "steal 2" in meanings(state)
    do(state, "steal 2, pass, pass, pass")
    assert coins(state) == [4, 0, 3]
    assert "steal 2" not in meanings(state)
    assert "steal 3" in meanings(state)


def test_a_blocked_theft() -> None:
    """Only the target may block, as Captain or as Ambassador, and may bluff."""
    state = do(dealt("CD SM NN"), "steal 2, pass, pass")
    assert state.player == 1
    assert meanings(state) == ["pass", "block C", "block M"]
    true = do(state.copy(), "block M, challenge")
    assert true.player == 2
    assert coins(do(true, "lose N")) == [2, 2, 2]
    lie = do(state, "block C, pass, challenge")
    assert lie.player == 1
    assert coins(do(lie, "lose S")) == [4, 0, 2]


def test_stealing_from_somebody_just_gone() -> None:
    """A target whose last role goes in the challenge pays all coins back, so nothing is stolen."""
    state = do(dealt("CD SS NN", COINS=7), "coup 2, lose S, income, income")
    do(state, "steal 2, challenge, lose S")
    assert coins(state) == [0, 0, 8]
    assert state.player == 2


def test_an_exchange() -> None:
    """Two roles come from the court, and any two of the four go back, unseen by the others."""
    state = do(dealt("MD SS NN"), "exchange")
    assert asked(state) == [2, 3]
    do(state, "pass, pass")
    assert state.player == 0
    held = hand(state, 0)
    assert held[:2] == "MD"
    assert len(court(state)) == 7
    assert sorted(meanings(state)) == sorted(
        f"return {''.join(sorted(pair))}" for pair in combinations(held, 2)
    )
    do(state, "return DM")
    assert sorted(hand(state, 0)) == sorted(held[2:])
    assert len(court(state)) == 9
    assert coins(state) == [2, 2, 2]
    assert state.player == 1


def test_an_exchange_with_one_role() -> None:
    """A player with one role chooses among three; a challenged lie exchanges nothing."""
    state = do(dealt("MD SS NN", COINS=7), "income, coup 1, lose D, income, exchange")
    do(state, "pass, pass")
    assert len(meanings(state)) == 3
    assert len(hand(state, 0)) == 3
    state.play(0)
    assert len(hand(state, 0)) == 1
    lie = do(dealt("DD SS NN"), "exchange, challenge, lose D")
    assert lie.player == 1
    assert len(court(lie)) == 9


def test_the_court_is_shuffled_after_an_exchange() -> None:
    """What was given back can be drawn again, but nobody knows when."""
    tops = set()
    for seed in range(10):
        state = do(dealt("MD SS NN", seed), "exchange, pass, pass, return DM")
        tops.add(court(state)[-1])
    assert len(tops) > 2


def test_out_of_the_game() -> None:
    """Without roles a player has no coins, is not asked, is no target, and gets no turn."""
    state = dealt("SS CM NN DD", COINS=7)
    do(state, "coup 2, lose C, coup 3, lose N, coup 2, lose M, coup 1, lose S")
    assert hand(state, 1) == ""
    assert coins(state) == [0, 0, 0, 0]
    assert state.player == 0
    assert meanings(state) == ["income", "foreignaid", "tax", "exchange"]
    assert asked(do(state.copy(), "tax")) == [3, 4]
    assert asked(do(state.copy(), "foreignaid")) == [3, 4]
    assert asked(do(state.copy(), "foreignaid, block D")) == [4, 1]
    do(state, "income")
    assert state.player == 2
    do(state, "income")
    assert state.player == 3
    assert set(meanings(state)) == {"income", "foreignaid", "tax", "exchange", "steal 1", "steal 3"}


def test_several_players_out_in_a_row() -> None:
    """Turns and questions pass over any number of players who are out."""
    state = dealt("SS CM NN DD MC", COINS=14)
    do(state, "coup 3, lose N, coup 3, lose N, coup 2, lose C, coup 2, lose M")
    assert state.player == 0
    assert asked(do(state.copy(), "tax")) == [4, 5]
    do(state, "income")
    assert state.player == 3


def test_the_last_player_wins() -> None:
    """The game ends at once when one player is left, also before the action is carried out."""
    state = dealt("DS CM", COINS=8)
    do(state, "coup 2, lose C, income, exchange, challenge, lose D, income")
    do(state, "tax, challenge, lose S")
    assert state.finished
    assert state.scores == (0, 1)
    assert state.ranks == (1, 0)
    true = dealt("MS CM", COINS=8)
    do(true, "coup 2, lose C, income, exchange, challenge, lose M")
    assert true.finished
    assert true.scores == (1, 0)
    assert len(hand(true, 0)) == 2


def test_the_limit() -> None:
    """After LIMIT actions the game ends, and all who still have a role win."""
    state = do(dealt("DS CM NN", COINS=7, LIMIT=5), "coup 3, lose N, coup 3, lose N, income")
    do(state, "income")
    assert not state.finished
    do(state, "income")
    assert state.finished
    assert state.scores == (1, 1, 0)


def test_other_values() -> None:
    """FEE, COUPCOST and FORCED are what force costs, and when it has to be used."""
    state = dealt("SD CM NN", COINS=5, COUPCOST=5, FORCED=6, FEE=1)
    assert "coup 2" in meanings(state)
    lie = do(dealt("DD CM NN", COINS=5, FEE=2), "assassinate 3")
    assert coins(lie) == [3, 5, 5]
    assert coins(do(lie, "challenge, lose D")) == [5, 5, 5]
    assert coins(do(state.copy(), "coup 2, lose C")) == [0, 5, 5]
    do(state, "assassinate 2, pass, pass, pass, lose C")
    assert coins(state) == [4, 5, 5]
    do(state, "income, income")
    assert "coup 2" not in meanings(state)
    do(state, "tax, pass, pass")
    assert coins(state) == [7, 6, 6]
    assert meanings(state) == ["coup 1", "coup 3"]
