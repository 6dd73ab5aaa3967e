"""Pictures: what is drawn of a session, as text."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace as replaced

from cardwright import Game
from cardwright.game.option import Back
from cardwright.interfaces.play.screen.card_face import Ink, is_french
from cardwright.interfaces.play.screen.picture import Overlay, picture, what_is_cut
from cardwright.interfaces.play.screen.selection import Menu, Selection
from cardwright.interfaces.play.screen.session_runner import with_trick
from cardwright.interfaces.play.screen.table_view import sides
from cardwright.interfaces.play.screen.text_box import ScreenSize, text
from cardwright.interfaces.play.screen.windows import TITLES, WindowState, content
from cardwright.players.kind import NO_TRUST
from cardwright.table.scene import SceneDealEnd, SceneResult
from cardwright.table.session import PlaySession
from cardwright.table.setup import HUMAN, TableSetup
from deep import mostly_deep, usually

PLAIN = Ink(colour=False, symbols=False)
GAMES = ("hearts", "lama", "skitgubbe", "cribbage", "bigtwo", "scopa", "lostcities", "nothanks")


class Loaded(NamedTuple):
    """A game that is loaded once, in place of a reference to it."""

    game: Game

    @property
    def name(self):
        """The name of the game."""
        return self.game.name

    def load(self):
        """Return the game."""
        return self.game


@lru_cache(maxsize=32)
def loaded(game, preset=None, **declared):
    return Loaded(Game.variant(game, declared, preset, engine="interpreter"))


@lru_cache(maxsize=256)
def session(game, moves, preset=None, seed=3, **declared):
    """Return a game in which option 7 n has been chosen in decision n, round the last one."""
    ref = loaded(game, preset, **declared)
    state = ref.game.start(seed)
    for number in range(moves):
        if not state.finished:
            state.play(7 * number % state.option_count)
    players = (HUMAN, *["random"] * (ref.game.players - 1))
    return PlaySession(TableSetup.of_players(ref, seed, players), state.choices, trust=NO_TRUST)


def own(game, moves, preset=None, players=None, seed=3):
    """Return the game at the first decision of the person after so many."""
    declared = {"PLAYERS": players} if players else {}
    while not session(game, moves, preset, seed, **declared).mine:
        moves += 1
    return session(game, moves, preset, seed, **declared)


def ink_for(found, ink=PLAIN):
    return replace(ink, french=is_french(found.game))


def begun(found):
    return Selection.begin(Menu.of(found.scene(), ink_for(found)))


def drawn(found, ink=PLAIN, size=(80, 24), selection=None, **shown):
    used = ink_for(found, ink)
    lines = picture(
        found.look(), selection or begun(found), Overlay(**shown), used, ScreenSize(*size)
    )
    return "\n".join(line.plain.rstrip() for line in lines)


def test_hearts_in_letters():
    assert drawn(session("hearts", 30)).rstrip() == HEARTS.strip("\n")


def test_passing_with_symbols():
    found = session("hearts", 0, "standard")
    picked = begun(found).toggle().across(1).across(1).toggle()
    lines = drawn(found, Ink(), selection=picked).splitlines()
    at = next(n for n, line in enumerate(lines) if "Pass 3" in line)
    assert "\n".join(lines[at : at + 5]) == PASSING.strip()
    low = drawn(found, Ink(), (80, 20), picked).splitlines()
    assert FLAT_PASSING in low
    assert not any("┌" in line for line in low)


def test_a_card_that_cannot_be_played_has_no_frame_but_that_of_the_cursor():
    found = own("hearts", 30, seed=4)
    assert UNPLAYABLE in drawn(found, selection=begun(found).across(2)) + "\n"


def test_among_single_cards_a_picked_one_is_raised_too():
    found = own("hearts", 30, seed=4)
    lines = drawn(found, selection=begun(found).toggle()).splitlines()
    at = next(n for n, line in enumerate(lines) if "Your move. Play a card" in line)
    assert [line[:10].rstrip() for line in lines[at + 1 : at + 5]] == [
        "#===#", "! 3S!+---+", "#===#| 8S|", "  +  +---+",
    ]  # fmt: skip


def test_a_hand_is_drawn_as_cards_where_it_has_room():
    wide = own("hearts", 0, players=3)
    assert len(wide.scene().hand) == 17
    assert "[5C]" in drawn(wide)
    assert "#===#" not in drawn(wide, size=(80, 40))
    assert "! 5C!" in drawn(wide, size=(100, 24))
    narrow = own("hearts", 30, seed=4)
    assert "! 3S!" in drawn(narrow, size=(80, 20))
    assert "[3S]" in drawn(narrow, size=(80, 19))
    long = own("lostcities", 4)
    assert "[yellow investment]" in drawn(long)
    assert "[yellow investment]" in drawn(long, size=(200, 24))
    choices = own("bigtwo", 4)
    assert "+---+" in "\n".join(drawn(choices, size=(80, 21)).splitlines()[15:])
    assert "+---+" not in "\n".join(drawn(choices, size=(80, 20)).splitlines()[14:])
    assert "(llama)" in drawn(own("lama", 4))


def test_the_table_stays_whole_beside_cards_and_choices():
    """Twelve lines from the title to the own seat, in passing too."""
    for found in (own("hearts", 30, seed=4), session("hearts", 0, "standard"), own("bigtwo", 4)):
        for picked in (begun(found), begun(found).toggle()):
            lines = drawn(found, selection=picked).splitlines()
            assert lines[13].startswith("> You")
            assert any("+---+" in line for line in lines[18:])


def test_a_long_window_has_the_lines_of_the_cards():
    found = own("hearts", 30, seed=4)
    short = drawn(found, window=("Short", tuple(text(str(n)) for n in range(15))))
    long = drawn(found, window=("Long", tuple(text(str(n)) for n in range(16))))
    assert "! 3S!" in short
    assert "[3S]" in long
    assert "Up/Down" not in short + long


def test_ten_seats_sit_around_the_table():
    found = session("hearts", 15, PLAYERS=10)
    text = drawn(found)
    lines = text.splitlines()
    assert len(lines) <= 24
    for name in found.names[1:]:
        assert f"{name} " in text
    assert sides(0, 10) == ([3, 2, 1], [4, 5, 6], [7, 8, 9])
    assert sides(2, 4) == ([3], [0], [1])
    assert sides(0, 2) == ([], [1], [])
    assert sides(0, 1) == ([], [], [])


@pytest.mark.parametrize("players", range(2, 12))
def test_every_other_seat_has_one_place(players):
    left, top, right = sides(1, players)
    assert sorted([*left, *top, *right, 1]) == list(range(players))
    assert left[::-1] + top + right == [(1 + step) % players for step in range(1, players)]


def test_piles_stored_numbers_and_choices_without_cards():
    text = drawn(own("skitgubbe", 3))
    assert "stock" in text
    assert "take a chance with the top card of the stock" in text
    assert "suit to match: " in drawn(own("crazyeights", 3))


def test_what_games_remember_of_cards_is_no_pile():
    found = own("bigtwo", 5)
    assert any(
        location.name == "FIRST"
        for location in found.table.referee.state().view(found.seat).locations
    )
    assert "FIRST" not in drawn(found)


def log_of(found):
    lines = content("log", found.look(), WindowState("", None), ink_for(found), 76)
    return [line.plain for line in lines]


def last_moves(seed=3):
    """Return the sessions before and after the first deal of a match has ended."""
    moves = next(
        n for n in range(50, 70) if session("hearts", n, "standard", seed).scene().sheet.deals
    )
    return [session("hearts", moves - step, "standard", seed) for step in (1, 0)]


def test_the_last_trick_of_a_deal_is_known_from_the_move_that_completed_it():
    before, after = last_moves()
    assert before.look().events[-1].trick is None
    move = next(event for event in after.look().events[::-1] if event.kind == "move")
    trick = move.trick
    assert trick.cards[:3] == before.scene().trick.cards
    assert (trick.cards[3].seat, (trick.cards[3].card,)) == (move.seat, move.cards)
    assert after.scene().trick == replaced(trick, winner=after.scene().trick.winner)
    laid = with_trick(before.scene(), trick)
    assert (laid.trick, laid.due, laid.decision) == (trick, None, None)
    assert not any(seat.due for seat in laid.seats)


@pytest.mark.parametrize("seed", mostly_deep([1, 2, 3, 10], {3, 10}.__contains__))
# in the last the person plays last
def test_a_deal_is_summed_up_with_its_last_trick_and_no_card_of_the_next(seed):
    """What everybody took is worth what the deal has brought; with the moon it is all of it."""
    after = last_moves(seed)[1]
    scene, ink = after.scene(), ink_for(after)
    assert (scene.due, scene.decision, scene.hand, scene.deal) == (None, None, (), 1)
    assert [seat.cards for seat in scene.seats] == [0] * 4
    end = scene.deal_end
    worth = [sum(13 if face.short == "Q♠" else 1 for face in cards) for cards in end.taken]
    assert sum(worth) == 26
    if 26 in worth:
        name = after.names[worth.index(26)]
        has = f"{name} {'have' if name == 'You' else 'has'} shot the moon"
        assert [one.words for one in end.results] == [has]
    else:
        assert end.results == ()
        assert tuple(worth) == end.points
    assert end.totals == scene.sheet.totals == tuple(seat.score for seat in scene.seats)
    told = [line.plain for line in content("deal", after.look(), WindowState("", None), ink, 76)]
    assert told[0] == "Deal 1 is over."
    assert [one.words in told[1] for one in end.results] == [True] * (26 in worth)
    log = log_of(after)
    assert log[-1].startswith("Deal 1 is over")
    assert any("shot the moon" in line for line in log) == (26 in worth)
    for row, name, got, cards in zip(
        told[2 + len(end.results) :], after.names, end.points, end.taken, strict=False
    ):
        assert re.fullmatch(rf"{name} +\{got:+d} +{got} in all( .*)?", row)
        assert named([text(row)]) == {ink.face(face).text for face in cards}


def test_going_on_tells_how_the_next_deal_began():
    ended = last_moves()[1]
    found = PlaySession(ended.setup, ended.table.choices, trust=NO_TRUST)
    before = log_of(found)
    assert found.events()[-1].begun == ()
    found.go_on()
    assert any("dealt" in line for line in log_of(found)[len(before) :])
    assert found.events()[-1].begun[0] == "Deal 1 is over"
    assert any("dealt" in line for line in found.events()[-1].begun)
    assert found.scene().deal_end is None


def test_the_moon_is_told_at_the_end_of_a_deal():
    found = session("hearts", 10, "standard")
    look = found.look()

    def told(*results):
        ended = SceneDealEnd(1, (26, 26, 0, 26), (26, 26, 0, 26), results)
        ended = replaced(look, scene=replaced(look.scene, deal_end=ended))
        return [one.plain for one in content("deal", ended, WindowState("", None), PLAIN, 76)[:2]]

    moon = SceneResult("Hassan has shot the moon", "☾")
    assert told(moon) == ["Deal 1 is over.", "Hassan has shot the moon"]
    assert told() == ["Deal 1 is over.", ""]


def test_the_log_tells_what_is_taken_back():
    found = session("hearts", 40, "standard")
    told = log_of(found)
    changes = sum(len(event.changes) for event in found.events())
    assert len(told) == len(found.opening) + len(found.events()) + changes
    other = PlaySession(replace(found.setup, practice=True), found.table.choices, trust=NO_TRUST)
    other.undo()
    *before, last = log_of(other)
    assert before == told
    assert re.fullmatch(r"You take back (a move|\d moves)", last)


def test_no_colour_tells_everything_by_signs_and_has_no_colour():
    found = own("hearts", 30, seed=4)
    selection = begun(found)
    lines = picture(found.look(), selection, Overlay(), PLAIN, ScreenSize(80, 24))
    styles = {str(span.style) for line in lines for span in line.spans}
    styles |= {str(line.style) for line in lines}
    words = {word for style in styles for word in style.split()}
    assert words <= {"bold", "dim", "reverse", "italic", "underline"}
    hand = lines[-4].plain
    assert hand.startswith("!")
    for card in found.scene().hand:
        legal, name = card.id in selection.menu.legal, PLAIN.face(card).text
        assert (f"({name})" in hand) == (not legal)
        assert (re.search(rf"[|!] ?{name}[|!]", hand) is not None) == legal


def test_colours_are_two_or_four():
    found = session("hearts", 0)
    two, four = (
        {face.text[-1]: face.colour for face in map(Ink(four=four).face, found.scene().hand)}
        for four in (False, True)
    )
    assert two["♥"] == two["♦"] == "red"
    assert two["♣"] == two["♠"] == ""
    assert len(set(four.values())) == len(four) == 4


def test_the_moon_is_warned_of():
    found = next(
        one for moves in range(52) if (one := session("hearts", moves, PLAYERS=5)).scene().warning
    )
    warning = found.scene().warning
    assert re.fullmatch(r"(You have|\w+ has) all \d+ points: the moon!", warning)
    assert warning in drawn(found)
    shooter = next(seat.seat for seat in found.scene().seats if seat.taken)
    for seat in range(5):
        told = found.table.scene(seat).warning
        assert told.startswith("You have") == (seat == shooter)


def test_a_wide_screen_has_scores_and_log_beside_the_table():
    lines = drawn(session("hearts", 80, "standard"), size=(120, 40)).splitlines()
    assert "Scores" in lines[0]
    assert any("| Log" in line for line in lines)


def test_small_screens_are_told_about():
    assert what_is_cut(80, 24) == what_is_cut(200, 60) == ""
    assert what_is_cut(60, 24) == "60x24: parts are cut; 80x24 shows all"
    assert what_is_cut(80, 23)


@settings(max_examples=usually(12, 40))
@given(
    game=st.sampled_from(GAMES),
    moves=st.sampled_from((0, 5, 20)),
    size=st.tuples(st.integers(1, 130), st.integers(1, 50)),
    symbols=st.booleans(),
    window=st.sampled_from(
        ("", "picked", "list", "help", "scores", "last", "log", "quit", "trouble")
    ),
)
def test_a_picture_has_the_size_of_the_screen(game, moves, size, symbols, window):
    found = session(game, moves)
    ink, look, selection = ink_for(found, Ink(symbols=symbols)), found.look(), begun(found)
    if window == "list":
        selection, window = selection.switch(), ""
    if window == "picked":
        selection, window = selection.toggle(), ""
    told = WindowState("random", None, trouble="no such thing")
    lines = content(window, look, told, ink, size[0] - 4) if window else ()
    shown = Overlay((TITLES[window], tuple(lines)) if window else None, message="said", keys="keys")
    result = picture(look, selection, shown, ink, ScreenSize(*size))
    assert [line.cell_len for line in result] == [size[0]] * size[1]
    assert symbols or all(line.plain.isascii() for line in result)


@pytest.mark.slow
@settings(max_examples=usually(8, 25))
@given(moves=st.integers(0, 60), preset=st.sampled_from(("standard", None)), seed=st.integers(1, 2))
def test_no_card_is_drawn_that_the_seat_has_not_seen(moves, preset, seed):
    """Whatever is drawn names cards that are seen now, or that lay open once."""
    found = session("hearts", moves, preset, seed)
    view = found.table.referee.state().view(found.seat)

    def face(card):
        return PLAIN.face(found.table._maker.faces.of(card)).text

    seen = {
        face(card)
        for cards in view.locations.values()
        for card in cards
        if not isinstance(card, Back)
    }
    once = seen | {face(card) for event in found.events() for card in event.cards}
    look, selection = found.look(), begun(found)
    at_table = picture(look, selection, Overlay(), PLAIN, ScreenSize(80, 14))  # without the log
    everywhere = picture(look, selection, Overlay(), PLAIN, ScreenSize(130, 60))
    ended = found.table.resting is not None  # then the cards of that deal still lie there
    assert named(at_table) <= (once if ended else seen)
    assert named(everywhere) <= once
    hidden = {face(card) for card in found.game.cards} - once
    assert not hidden & named(content("log", look, WindowState("", None), PLAIN, 76))


def named(lines):
    """Return the French cards named in some lines."""
    return set(re.findall(r"\b(?:10|[2-9JQKA])[CDSH]\b", "\n".join(line.plain for line in lines)))


HEARTS = """
 Hearts   deal 1   You 0  Goran 0  Hassan 0  Rafa 0
                               > Hassan 0
                                 ###### 6


  Goran 0                                                 Rafa 0
  ##### 5                                                 ###### 6
                              #===#
                              ! QS!
                              #===#
                                     +1--+
                                     | 9S|
                                     +---+
  You 0
--------------------------------------------------------------------------------
  You take the trick
You play 9S
Goran plays QS
--------------------------------------------------------------------------------
+---++---+ +---+ +---++---+
| 3D|| AD| | AS| | 4H|| KH|
+---++---+ +---+ +---++---+
"""
PASSING = """
── Pass 3 cards to the left: 2 picked ──────────────────────────────────────────
┌───┐     ╔═══╗
│10♣│┌───┐║ Q♣║ ┌───┐┌───┐┌───┐┌───┐┌───┐ ┌───┐┌───┐┌───┐ ┌───┐┌───┐
└───┘│ J♣│╚═══╝ │ 2♦││ 3♦││ 8♦││ J♦││ A♦│ │ 7♠││ 9♠││ A♠│ │ 4♥││ K♥│
  +  └───┘  +   └───┘└───┘└───┘└───┘└───┘ └───┘└───┘└───┘ └───┘└───┘
"""
FLAT_PASSING = " +10♣   J♣ [+Q♣]   2♦   3♦   8♦   J♦   A♦    7♠   9♠   A♠    4♥   K♥"
UNPLAYABLE = """
+---++---+ #===#
| 3S|| 8S| ( 6H) (9H)(10H) (QH)
+---++---+ #===#
"""
