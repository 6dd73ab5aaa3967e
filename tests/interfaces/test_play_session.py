from __future__ import annotations

import random
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, strategies as st

import deep
from broken_rules import BREAKS_ALONE
from cardwright._version import RESULTS_VERSION
from cardwright.arena.entrants import player
from cardwright.arena.plan import GameRef
from cardwright.arena.referee import referee_game
from cardwright.game.errors import CardwrightError, GameError, IllegalOptionError, UndoError
from cardwright.game.information.tracker import WatchedWorld
from cardwright.game.wording.option_text import short_name
from cardwright.hearts.family import NotHeartsError
from cardwright.interfaces.play.plain import read_answer
from cardwright.interpreter import machine
from cardwright.interpreter.machine import Rules
from cardwright.interpreter.world import World, sees
from cardwright.library import catalogue
from cardwright.players.player import PlayerFailedError
from cardwright.table.estimates import HintError
from cardwright.table.saved import (
    Saved,
    SavedGameError,
    is_saved,
    read_saved,
    write_saved,
)
from cardwright.table.session import OvertakenError, PlaySession
from cardwright.table.setup import HUMAN, TableSetup
from deep import GAMES, some_games, usually

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardwright.interpreter.effects import Effect
    from cardwright.players.player import Decision
    from cardwright.program.cards import Card

SEARCHER = "ismcts:iterations=30"

ref_of = cache(GameRef.of)


def setup(
    name: str = "hearts",
    *,
    seat: int | None = 0,
    others: str = "random",
    seed: int = 3,
    hint: str = "random",
    preset: str | None = None,
    engine: str = "native",
) -> TableSetup:
    ref = ref_of(name, preset=preset, engine=engine)
    players = [others] * ref.players
    if seat is not None:
        players[seat] = HUMAN
    return TableSetup.of_players(ref, seed, players, practice=True, hint=hint)


def play_on(session: PlaySession, chances: random.Random, decisions: int = 10**6) -> None:
    """Play so many decisions, the person at random."""
    for _ in range(decisions):
        if session.finished:
            return
        if session.mine:
            session.choose(chances.randrange(len(session.choices())))
        else:
            session.step()


class Scripted:
    """Makes the choices of a list."""

    def __init__(self, choices: list[int]) -> None:
        self.choices = choices

    def choose(self, decision: Decision) -> int:
        return self.choices.pop(0)


def choices_of(session: PlaySession, path: Path) -> tuple[int, ...]:
    session.save(path)
    return read_saved(path).choices


# The game ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "others", "seat"),
    [("hearts", "random", 2), ("leduc", SEARCHER, 1), ("cribbage", "random", 0)],
)
def test_a_game_by_hand_is_the_game_of_the_referee(
    tmp_path: Path, name: str, others: str, seat: int
) -> None:
    session = PlaySession.begin(setup(name, seat=seat, others=others))
    play_on(session, random.Random(5))
    choices = choices_of(session, tmp_path / "game.json")
    own = [c for c, event in zip(choices, session.events(), strict=True) if event.seat == seat]
    players = [player(others).build() for _ in range(session.game.players)]
    players[seat] = Scripted(own)
    record = referee_game(session.game, 3, players, paired=True)
    assert record.choices == choices
    assert record.scores == session.scores()
    over = session.scene().over
    assert over is not None
    assert record.ranks == over.ranks
    assert [seat for seat, _, _ in record.decisions] == [e.seat for e in session.events()]


def test_a_session_knows_whose_turn_it_is() -> None:
    session = PlaySession.begin(setup(seat=1))
    assert (session.due, session.mine, session.finished) == (0, False, False)
    assert session.choices() == ()
    assert session.names == ("Goran", "You", "Hassan", "Rafa")
    with pytest.raises(IllegalOptionError, match="not your turn to decide"):
        session.choose(0)
    session.step()
    assert session.mine
    with pytest.raises(IllegalOptionError, match="it is your turn to decide"):
        session.step()
    count = len(session.choices())
    for wrong in (-1, count):
        with pytest.raises(IllegalOptionError, match=f"no option {wrong}: .* 0 to {count - 1}"):
            session.choose(wrong)
    assert len(session.events()) == 1
    play_on(session, random.Random(0))
    with pytest.raises(IllegalOptionError, match="over"):
        session.step()


def test_choices_have_the_words_and_cards_of_the_options() -> None:
    session = PlaySession.begin(setup(preset="standard"))
    choices = session.choices()
    view = session.table.referee.state().view(session.seat)
    assert len(choices) == len(view.options)
    assert len({choice.words for choice in choices}) == len(choices)
    assert session.rule_words() == [str(option) for option in view.options]
    hand = set(session.hand())
    assert len(hand) == 13
    assert {len(choice.cards) for choice in choices} == {3}
    assert {card for choice in choices for card in choice.cards} == hand
    suits = [card.attributes["SUIT"] for card in session.hand()]
    order = ["CLUBS", "DIAMONDS", "SPADES", "HEARTS"]
    assert suits == sorted(suits, key=order.index)


def test_a_spectator_has_the_eyes_of_the_first_seat() -> None:
    session = PlaySession.begin(setup(seat=None))
    assert session.seat == 0
    assert session.players()[0] == "Goran (random)"
    play_on(session, random.Random(0))
    assert session.finished
    with pytest.raises(HintError):
        session.hint()


# What is seen -----------------------------------------------------------------------------


class Sights:
    """An oracle of its own: the cards that a seat has seen while a game went from one decision on.

    It looks at all cards before and after every single effect.
    """

    def __init__(self, session: PlaySession) -> None:
        self.program = session.game.program
        self.limits = session.game.limits
        self.seat = session.seat
        started = machine.start(Rules(self.program), session.setup.seed)
        self.seen: set[Card] = set()
        self.world: World = WatchedWorld.of(started, self.look)
        self.built = machine.advance(self.world, self.limits)

    def look(self, _: Effect | None = None) -> None:
        for card, place in enumerate(self.world.where):
            if sees(self.program, self.seat, place):
                self.seen.add(self.program.cards[card])

    def choose(self, index: int) -> set[Card]:
        assert self.built is not None
        self.seen = set()
        self.look()
        option = self.built[index]
        self.world.frames[-1].at += 1
        for effect in option.effects:
            self.world.do(effect)
            self.look()
        self.world.stream.words = option.words
        self.built = machine.advance(self.world, self.limits)
        self.look()
        return self.seen


@pytest.mark.parametrize("name", some_games(catalogue.names()))
def test_events_show_no_card_that_the_seat_does_not_see(name: str, tmp_path: Path) -> None:
    session = PlaySession.begin(setup(name, engine="interpreter"))
    oracle = Sights(session)
    play_on(session, random.Random(1), 40)
    choices = choices_of(session, tmp_path / "game.json")
    for event, choice in zip(session.events(), choices, strict=True):
        seen = oracle.choose(choice)
        assert set(event.cards) <= seen
        names = {session.game.namer.card(card) for card in seen}
        text = "; ".join((event.words, *event.changes))
        assert set(re.findall(r"\w+ of (?:CLUBS|DIAMONDS|SPADES|HEARTS)", text)) <= names
        assert event.words


def test_events_of_hearts_in_words() -> None:
    session = PlaySession.begin(setup(others="rule", preset="standard"))
    assert session.opening == ("Everybody is dealt 13 cards", "Cards are passed to the left")
    passed = session.choose(7)
    assert passed.words.startswith("pass the ")
    assert len(passed.cards) == 3
    other = session.step()
    assert (other.words, other.cards) == ("passes 3 cards", ())
    session.step()
    changed = session.step().changes
    you, left, across, right = session.names
    assert f"{across} gets 3 cards from {left}" in changed
    assert any(re.fullmatch(rf"{you} get the \w+ of .* from {right}", one) for one in changed)
    play_on(session, random.Random(0), 4)
    trick = session.events()[4:8]
    (gathered,) = trick[-1].changes
    assert re.fullmatch(rf"You take the trick|({left}|{across}|{right}) takes the trick", gathered)
    played = [session.namer.cards.single(event.cards[0]) for event in trick]
    verbs = ["play" if event.seat == session.own else "plays" for event in trick]
    assert [event.words for event in trick] == list(map(" ".join, zip(verbs, played, strict=True)))


SWAPS = """(game
  (setup (create players 3)
    (create deck (game iloc STOCK) (deck (RANK (A, TWO, THREE)) (SUIT (CLUBS, SPADES)))))
  (do ((all player 'P (repeat 2 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))
  (stage player
    (end (== (game sto TURNS) 3))
    (choice (
      (swap (top ((current player) iloc HAND)) (top ((next player) iloc HAND)))))
    (do ((inc (game sto TURNS)))))
  (scoring max (game sto TURNS)))
"""


def test_cards_that_others_swap_are_not_shown(tmp_path: Path) -> None:
    rules = tmp_path / "swaps.rcy"
    rules.write_text(SWAPS)
    players = (HUMAN, "random", "random")
    session = PlaySession.begin(TableSetup.of_players(GameRef.of(str(rules)), 1, players))
    play_on(session, random.Random(0))
    mine, hidden, other = session.events()
    assert mine.words == "swap the 3 of clubs for the 2 of clubs"
    assert hidden.words == f"swaps a card of their hand for a card of {session.names[2]}'s hand"
    assert hidden.cards == ()
    assert len(other.cards) == 2
    name = session.namer.card
    assert other.words == f"swaps the {name(other.cards[0])} for the {name(other.cards[1])}"
    assert other.cards[0] in session.hand()


def test_what_others_note_down_is_told_where_it_matters() -> None:
    session = PlaySession.begin(setup("kuhn", seat=None, seed=4))
    play_on(session, random.Random(0))
    assert [event.words for event in session.events()] == [
        "bets",
        "calls",
    ]
    naming = PlaySession.begin(setup("crazyeights", seat=None, seed=5, engine="interpreter"))
    play_on(naming, random.Random(0))
    eights = [e.words for e in naming.events() if "plays the 8 of" in e.words]
    assert eights
    assert all(re.search(" and names [a-z]+$", words) for words in eights)
    asking = PlaySession.begin(setup("gofish", seat=1, seed=4))
    words = asking.step().words
    assert re.fullmatch(rf"asks (you|{'|'.join(asking.names[2:])}) for [a-z]+s", words)


def test_scores_are_told_when_a_deal_ends() -> None:
    session = PlaySession.begin(setup(others="rule", preset="standard"))
    play_on(session, random.Random(0), 56)
    told = [change for event in session.events() for change in event.changes if "point" in change]
    deal = session.scene().sheet.deals[0]
    who = ["You get", *(f"{name} gets" for name in session.names[1:])]
    assert told == [
        f"{gets} {points} point{'' if points == 1 else 's'}"
        for gets, points in zip(who, deal, strict=True)
        if points
    ]


# Back and forth ---------------------------------------------------------------------------


@pytest.mark.parametrize("others", ["random", SEARCHER])
def test_after_undo_the_same_moves_make_the_same_game(others: str) -> None:
    plain, wavering = (PlaySession.begin(setup("cribbage", others=others)) for _ in range(2))
    play_on(plain, random.Random(2))
    script = [event for event in plain.events() if event.seat == 0]
    taken = 0
    for event in script:
        while not wavering.mine:
            wavering.step()
        words = [choice.words for choice in wavering.choices()]
        wavering.choose(0)
        while not wavering.mine and not wavering.finished:
            wavering.step()
        before = len(wavering.events())
        taken = wavering.undo()
        assert taken == before - len(wavering.events()) >= 1
        assert [choice.words for choice in wavering.choices()] == words
        wavering.choose(words.index(event.words))
    play_on(wavering, random.Random(0))
    assert wavering.events() == plain.events()
    assert wavering.scores() == plain.scores()


def test_undo_without_practice_or_without_a_decision() -> None:
    session = PlaySession.begin(setup(seat=1))
    with pytest.raises(UndoError, match="not decided anything"):
        session.undo()
    session.step()
    with pytest.raises(UndoError, match="not decided anything"):
        session.undo()
    serious = PlaySession.begin(replace(setup(), practice=False))
    serious.choose(0)
    with pytest.raises(UndoError, match="--practice"):
        serious.undo()
    assert len(serious.events()) == 1


def test_a_game_of_several_people_is_not_resumed_in_a_terminal(tmp_path: Path) -> None:
    """It is read with all names, and can be shown; one person cannot go on with it alone."""
    path, players = tmp_path / "two.json", (HUMAN, "random", HUMAN, "random")
    one = TableSetup.of_players(ref_of("hearts"), 3, players, ("Ann", "Ben", "Cid", "Dot"))
    write_saved(path, one, (1, 2), [], None)
    assert read_saved(path) == Saved(one, (1, 2))
    with pytest.raises(SavedGameError, match="2 people play this game"):
        PlaySession.resume(path)


@pytest.mark.parametrize("others", ["rule", "random"])
def test_a_resumed_game_is_the_same_game(tmp_path: Path, others: str) -> None:
    path = tmp_path / "game.json"
    whole = PlaySession.begin(setup(others=others, seat=2))
    play_on(whole, random.Random(9))
    session = PlaySession.begin(setup(others=others, seat=2), path)
    for event in whole.events():
        if session.mine:
            words = [choice.words for choice in session.choices()]
            session.choose(words.index(event.words))
            if event.number % 3:
                continue
            session = PlaySession.resume(path)
            assert session.save_path == path
        else:
            session.step()
    assert session.events() == whole.events()
    assert session.scene() == whole.scene()
    assert PlaySession.resume(path).finished


# Saved games ------------------------------------------------------------------------------


def test_a_saved_game_says_everything(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    ref = GameRef.of("hearts", {"PLAYERS": 5, "CYCLE": ("LEFT",)}, "standard")
    one = TableSetup.of_players(ref, 2**64 - 1, ("rule",) * 4 + (HUMAN,), hint="rule")
    session = PlaySession.begin(one)
    play_on(session, random.Random(0), 7)
    session.save(path)
    saved = read_saved(path)
    assert saved.setup == one
    assert len(saved.choices) == 7
    assert is_saved(path)
    assert PlaySession.resume(path).events() == session.events()


@given(st.data())
def test_every_saved_game_is_read_as_it_was_written(data: st.DataObject) -> None:
    """Any seed, seat, players and choices: the file says the same as what was saved."""
    ref = ref_of("leduc", engine="interpreter")
    seat = data.draw(st.none() | st.integers(0, 1))
    specs = ["random", "pimc:rollouts=5,mode=known", "python:a b/mine.py:Player"]
    players = [data.draw(st.sampled_from(specs)) for _ in range(2)]
    if seat is not None:
        players[seat] = HUMAN
    seed, practice = data.draw(st.integers(0, 2**64 - 1)), data.draw(st.booleans())
    hint = data.draw(st.sampled_from(specs))
    one = TableSetup.of_players(ref, seed, players, practice=practice, hint=hint)
    choices = tuple(data.draw(st.lists(st.integers(0, 10**6), max_size=9)))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "game.json"
        write_saved(path, one, choices, [], data.draw(st.none() | st.just((1, -1))))
        assert read_saved(path) == Saved(one, choices)


def _kept(tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "game.json"
    session = PlaySession.begin(setup(engine="interpreter"))
    session.choose(0)
    session.save(path)
    return path, path.read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"cardwright game"', '"another game"', "is not a saved game"),
        ('"version": 1', '"version": 2', "version 2"),
        (f'"results_version": {RESULTS_VERSION}', '"results_version": 1', "plays another game"),
        (f' "results_version": {RESULTS_VERSION},\n', "", "results of version 1, and this"),
        ('"choices": "0"', '"choices": "99"', "choices are not those of its game"),
        ('"choices": "0"', '"choices": "-1"', "damaged"),
        ('"choices": "0"', '"choices": "x"', "damaged"),
        ('"choices": "0"', '"choices": 0', "damaged"),
        ('"human",', "", "do not fit"),
        ('"names": [', '"names": [ "Ann",', "do not fit"),
        ('"seed": "3"', '"seed": "-3"', "seed is out of range"),
        ('"seed"', '"sead"', "damaged"),
        ('"digest": "', '"digest": "f', "rules of hearts have changed"),
        ('"name": "hearts"', '"name": "heartz"', "heartz"),
        ('"random"', '"nobody"', "nobody"),
    ],
)
def test_a_file_that_is_wrong_is_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    path, text = _kept(tmp_path)
    assert old in text
    path.write_text(text.replace(old, new))
    with pytest.raises(CardwrightError, match=message):
        PlaySession.resume(path)


def test_a_file_cut_anywhere_is_told(tmp_path: Path) -> None:
    path, text = _kept(tmp_path)
    for length in range(0, len(text.rstrip()), 37):
        path.write_text(text[:length])
        with pytest.raises(SavedGameError, match="is not a saved game"):
            PlaySession.resume(path)
    path.write_bytes(b"\xff\xfe{")
    with pytest.raises(SavedGameError):
        PlaySession.resume(path)
    path.write_text("[" * 100_000)
    with pytest.raises(SavedGameError):
        PlaySession.resume(path)
    with pytest.raises(SavedGameError, match="No such file"):
        PlaySession.resume(tmp_path / "none.json")


def test_nothing_else_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mine.rcy"
    path.write_text(";; my rules")
    session = PlaySession.begin(setup(engine="interpreter"))
    with pytest.raises(SavedGameError, match="name another file"):
        session.save(path)
    assert path.read_text() == ";; my rules"
    with pytest.raises(CardwrightError, match="cannot be written"):
        session.save(tmp_path / "no" / "folder.json")


# Answers ----------------------------------------------------------------------------------


def test_a_card_alone_is_meant_even_if_it_is_in_larger_sets() -> None:
    checked = 0
    for seed in range(4):
        session = PlaySession.begin(setup("bigtwo", seed=seed, engine="interpreter"))
        play_on(session, random.Random(seed), 1)
        for _ in range(30):
            for choice in session.choices():
                alone = len(choice.cards) == 1
                larger = [c for c in session.choices() if set(c.cards) > set(choice.cards)]
                if alone and larger:
                    answer = short_name(choice.cards[0], session.game.namer, symbols=False)
                    assert read_answer(answer, session) == choice.index
                    checked += 1
            play_on(session, random.Random(seed), 1)
    assert checked


# Reasons ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["hearts", "knaves", "whist", "crazyeights", "durak", "lama"])
def test_there_is_a_reason_for_a_card_if_no_option_has_it(name: str) -> None:
    session = PlaySession.begin(setup(name, others="random", engine="interpreter"))
    chances = random.Random(4)
    given = 0
    for _ in range(80):
        if session.mine:
            legal = {card for choice in session.choices() for card in choice.cards}
            for card in session.hand():
                reason = session.reason(card)
                assert (reason is None) == (card in legal)
                given += reason is not None
        play_on(session, chances, 1)
    assert given
    if session.finished:
        assert session.reason(session.game.cards[0]) == "the game is over"


USUAL = {*GAMES, "knaves", None, "standard", "microsoft"}
"""Games and presets that are tried in any run; None stands for a game as it is."""

PRESETS = [
    pytest.param(name, preset, marks=() if {name, preset} <= USUAL else pytest.mark.deep)
    for name in catalogue.names()
    for preset in (None, *catalogue.facts(name).settings.presets)
    if preset is None or name in {"hearts", "knaves", "polignac"}
]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_the_reason_given_is_true(name: str, preset: str | None) -> None:
    """What a reason says holds of the card, and of all cards of the hand that can be chosen."""
    session = PlaySession.begin(setup(name, preset=preset, others="random", engine="interpreter"))
    chances = random.Random(7)
    for _ in range(usually(30, 60)):
        if session.mine:
            chosen = {card for choice in session.choices() for card in choice.cards}
            hand = session.hand()
            legal = [card for card in hand if card in chosen]
            for card in hand:
                if (reason := session.reason(card)) is not None:
                    assert holds(reason, card, hand, legal, session), (reason, card, legal)
        if not session.finished:
            play_on(session, chances, 1)


def holds(
    reason: str, card: Card, hand: Sequence[Card], legal: Sequence[Card], session: PlaySession
) -> bool:
    """Say whether a reason is true, as a person at the table would check it."""
    name, value = session.namer.card, session.namer.cards.value
    if found := re.fullmatch(r"of your hand only (cards of \w+ )?(\w+) can be chosen now", reason):
        key = found[1].split()[-1].upper() if found[1] else "SUIT"
        has = [value(one.attributes.get(key, "")) == found[2] for one in legal]
        return bool(legal) and all(has) and value(card.attributes.get(key, "")) != found[2]
    if found := re.fullmatch(
        r"of your hand the rules allow only (.*?)( and \d+ more)? now", reason
    ):
        named = re.split(", | and ", found[1])
        return named == [name(one) for one in legal][: len(named)] and name(card) not in named
    if found := re.fullmatch(r"you hold (\w+): follow suit", reason):
        suit = found[1].upper()
        mine = [one.attributes["SUIT"] for one in hand]
        follow = all(one.attributes["SUIT"] == suit for one in legal)
        return bool(legal) and follow and suit in mine and card.attributes["SUIT"] != suit
    if reason == "no card can be chosen now: choose one of the options":
        return not any(choice.cards for choice in session.choices())
    if reason == "no card of your hand can be chosen now: choose one of the options":
        return not legal
    scene = session.scene()
    suits = {one.attributes["SUIT"] for one in legal}
    if reason == "hearts are not broken":
        return card.attributes["SUIT"] == "HEARTS" and not scene.facts and "HEARTS" not in suits
    if reason in {"the lowest club leads to the first trick", "a club leads to the first trick"}:
        return suits == {"CLUBS"} and not scene.trick
    if reason == "no penalty cards in the first trick":
        return card.attributes["SUIT"] == "HEARTS" or name(card) == "queen of spades"
    found = re.fullmatch(r"(\S+) must be played now", reason)
    assert found, reason
    return [short_name(one, session.game.namer, symbols=True) for one in legal] == [found[1]]


REASONS = {
    "hearts are not broken",
    "no penalty cards in the first trick",
    "the lowest club leads to the first trick",
    "you hold spades: follow suit",
}


@pytest.mark.slow
def test_the_reasons_of_hearts() -> None:
    """They hold of the hand and of the trick; games are played until all have been given."""
    found: dict[str, int] = {}
    for seed in range(24):
        if found.keys() >= REASONS and not deep.asked:
            break
        session = PlaySession.begin(setup(preset="standard", seed=seed, others="rule"))
        chances = random.Random(seed)
        while len(session.events()) < (56 if seed < usually(2, 3) else 8):
            play_on(session, chances, 1)
            scene = session.scene()
            if not session.mine or _is_passing(session):
                continue
            suits = {card.attributes["SUIT"] for card in session.hand()}
            led = scene.trick.cards[0].card.attributes["SUIT"] if scene.trick else None
            for card in session.hand():
                reason = session.reason(card)
                if reason is None:
                    continue
                found[reason] = found.get(reason, 0) + 1
                suit = card.attributes["SUIT"]
                if led in suits:
                    assert reason == f"you hold {led.lower()}: follow suit"
                elif led is not None:
                    assert reason == "no penalty cards in the first trick"
                    assert suit == "HEARTS" or card.attributes["RANK"] == "Q"
                elif reason != "the lowest club leads to the first trick":
                    assert reason == "hearts are not broken"
                    assert suit == "HEARTS"
                    assert scene.facts == ()
    assert found.keys() >= REASONS


def test_a_card_out_of_turn_has_a_reason() -> None:
    session = PlaySession.begin(setup(seat=1))
    assert session.reason(session.hand()[0]) == "it is not your turn"


# Hints ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "spec", "told"),
    [
        ("leduc", "ismcts:iterations=50,reward=rank", True),
        ("leduc", "pimc:rollouts=5", True),
        ("cribbage", "random", False),
        ("hearts", "expert:iterations=50", True),
    ],
)
def test_a_hint_is_what_the_player_would_do(name: str, spec: str, told: bool) -> None:
    session = PlaySession.begin(setup(name, hint=spec))
    players = [player("random").build() for _ in range(session.game.players)]
    players[0] = player(spec).build()
    record = referee_game(session.game, 3, players, paired=True)
    for seat, count, chosen in record.decisions:
        if seat == 0:
            hint = session.hint()
            assert hint == session.hint()
            assert hint.index == chosen
            assert hint.words == session.choices()[chosen].words
            assert bool(hint.tried) == bool(hint.estimates) == (told and count > 1)
            if told and count > 1:
                assert hint.tried[0] == (chosen, hint.words)
                assert len(hint.tried) > 1
                assert all(session.choices()[at].words == words for at, words in hint.tried)
                assert len(hint.amounts(chosen)) == len(hint.units)
            session.choose(chosen)
        else:
            session.step()
    with pytest.raises(HintError):
        session.hint()


# Sheets -----------------------------------------------------------------------------------


def test_the_sheet_of_a_match() -> None:
    session = PlaySession.begin(setup(preset="standard", others="rule", seed=11))
    chances = random.Random(1)
    warned = 0
    while not session.finished:
        play_on(session, chances, 1)
        scene, sheet = session.scene(), session.scene().sheet
        assert sheet.totals is not None
        assert sheet.totals == tuple(map(sum, zip(*sheet.deals, strict=True))) or not sheet.deals
        if scene.deal_end is not None:
            taken = [card.short for cards in scene.deal_end.taken for card in cards]
            assert len(taken) == 14
            assert "Q♠" in taken
        if scene.warning is not None:
            warned += 1
            found = re.fullmatch(r"(.+) ha(?:s|ve) all (\d+) points: the moon!", scene.warning)
            assert found
            got = {seat.name: seat.points for seat in scene.seats if seat.points}
            assert got == {found[1]: int(found[2])}
            assert int(found[2]) >= 7
        _check_trick(session)
    assert warned
    final = session.scene().sheet
    assert final.totals == session.scores()
    assert len(final.deals) > 2
    assert all(sum(deal) in {26, 78} for deal in final.deals)
    assert max(final.totals or ()) >= 100


def _is_passing(session: PlaySession) -> bool:
    return len(session.choices()[0].cards) == 3


def _check_trick(session: PlaySession) -> None:
    """Compare the tricks of the scene with what the events tell."""
    scene = session.scene()
    trick, last, end = scene.trick, scene.last, scene.deal_end
    if trick is not None and end is not None:
        last = trick  # the table rests
    elif trick is not None:
        events = session.events()[-len(trick.cards) :]
        played = [(one.seat, one.card.id) for one in trick.cards]
        assert [(e.seat, e.cards[0].id) for e in events] == played
        led = trick.cards[0].card.suit
        best = max(
            (one for one in trick.cards if one.card.suit == led), key=lambda one: one.card.id
        )
        assert trick.winner == best.seat
        assert trick.leader == trick.cards[0].seat
    changes = session.events()[-1].changes if session.events() else ()
    took = [re.match(r"(.+) takes? the trick", change) for change in changes]
    winners = [found[1] for found in took if found]
    if winners and last is not None and last.winner is not None:
        assert scene.seats[last.winner].name == winners[0]
        assert len(last.cards) == 4
        costs = [one.card for one in last.cards if one.card.suit == "hearts"]
        taken = scene.seats[last.winner].taken if end is None else end.taken[last.winner]
        assert set(map(str, costs)) <= set(map(str, taken))


def test_scores_counted_from_open_cards_are_public() -> None:
    session = PlaySession.begin(setup("stealingbundles", engine="interpreter"))
    play_on(session, random.Random(0), 20)
    state = session.table.referee.state()
    bundles = [len(state.cards(seat, "vloc", "BUNDLE")) for seat in range(session.game.players)]
    assert session.scores() == tuple(bundles)
    assert sum(bundles)
    assert session.scene().sheet.deals == ()
    play_on(session, random.Random(0))
    assert session.scene().sheet.deals == (session.scores(),)


def test_a_reshuffle_is_no_new_deal() -> None:
    session = PlaySession.begin(setup("coup", engine="interpreter"))
    play_on(session, random.Random(1))
    shuffles = [event for event in session.events() if "The court is shuffled" in event.changes]
    assert shuffles
    assert len(session.scene().sheet.deals) == 1


def test_scores_that_hang_on_hidden_cards_are_not_told(tmp_path: Path) -> None:
    rules = tmp_path / "hidden.rcy"
    score = "(+ (game sto TURNS) (size ((current player) iloc HAND)))"
    rules.write_text(SWAPS.replace("(scoring max (game sto TURNS))", f"(scoring max {score})"))
    players = (HUMAN, "random", "random")
    session = PlaySession.begin(TableSetup.of_players(GameRef.of(str(rules)), 1, players))
    assert session.scores() is None
    play_on(session, random.Random(0))
    assert session.scores() == (5, 5, 5)


# What goes wrong --------------------------------------------------------------------------


class Failing:
    def choose(self, decision: Decision) -> int:
        raise ZeroDivisionError("by nothing")


class Unable:
    def choose(self, decision: Decision) -> int:
        raise NotHeartsError("this is for Hearts")


class Beyond:
    def choose(self, decision: Decision) -> int:
        return decision.option_count


class Undoing:
    def __init__(self, session: PlaySession) -> None:
        self.session = session

    def choose(self, decision: Decision) -> int:
        self.session.undo()
        return 0


def test_players_that_break_down_change_nothing() -> None:
    session = PlaySession.begin(setup())
    session.choose(0)
    session._thinker._players[1] = Failing()
    with pytest.raises(PlayerFailedError, match=r"Goran \(random\) failed: ZeroDivisionError: by"):
        session.step()
    session._thinker._players[1] = Unable()
    with pytest.raises(NotHeartsError, match=r"^this is for Hearts$"):
        session.step()
    session._thinker._players[1] = Beyond()
    with pytest.raises(IllegalOptionError, match=r"Goran \(random\) answered"):
        session.step()
    session._thinker._players[1] = player("random").build()
    assert len(session.events()) == 1
    assert session.step().seat == 1


def test_what_a_player_thinks_while_moves_are_taken_back_does_not_count() -> None:
    session = PlaySession.begin(setup())
    session.choose(0)
    session._thinker._players[1] = Undoing(session)
    with pytest.raises(OvertakenError):
        session.step()
    assert session.mine
    assert session.events() == ()


def test_a_game_that_breaks_a_rule_stands_where_it_stood(tmp_path: Path) -> None:
    rules = tmp_path / "breaks.rcy"
    rules.write_text(BREAKS_ALONE)
    ref = GameRef.of(str(rules))
    session = PlaySession.begin(TableSetup.of_players(ref, 1, (HUMAN,)))
    session.choose(0)
    events = session.events()
    assert session.scores() == (1,)
    with pytest.raises(GameError, match="division"):
        session.choose(1)
    assert session.events() == events
    assert session.scores() == (1,)
    session.choose(0)
    assert session.scores() == (2,)
