"""Pictures: what is drawn of a session, as text."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from cardwright import Game
from cardwright.game.option import Back
from cardwright.interfaces.play.screen.card_face import Faces, Ink
from cardwright.interfaces.play.screen.picture import Overlay, picture, what_is_cut
from cardwright.interfaces.play.screen.scene import Log, finished_trick, scene_of
from cardwright.interfaces.play.screen.selection import Selection
from cardwright.interfaces.play.screen.session_runner import left_by, summed_up
from cardwright.interfaces.play.screen.table_view import sides
from cardwright.interfaces.play.screen.text_box import ScreenSize, text
from cardwright.interfaces.play.screen.windows import TITLES, WindowState, content
from cardwright.players.kind import NO_TRUST
from cardwright.table.hearts_table import with_last_trick
from cardwright.table.score_sheet import DealEnd, Trick
from cardwright.table.session import PlaySession
from cardwright.table.setup import HUMAN, TableSetup
from deep import mostly_deep, usually

PLAIN = Ink(colour=False, symbols=False)
GAMES = ("hearts", "lama", "skitgubbe", "cribbage", "bigtwo", "scopa", "lostcities", "nothanks")


class Loaded(NamedTuple):
    """A game that is loaded once, in place of a reference to it."""

    game: Game

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


def scene(found, ink=PLAIN):
    return scene_of(found, Faces(found.game, ink))


def drawn(found, ink=PLAIN, size=(80, 24), selection=None, **shown):
    moment = scene(found, ink)
    chosen = selection or Selection.begin(moment.menu)
    lines = picture(moment, chosen, Overlay(**shown), ink, ScreenSize(*size))
    return "\n".join(line.plain.rstrip() for line in lines)


def test_hearts_in_letters():
    assert drawn(session("hearts", 30)).rstrip() == HEARTS.strip("\n")


def test_passing_with_symbols():
    found = session("hearts", 0, "standard")
    begun = Selection.begin(scene(found).menu)
    picked = begun.toggle().across(1).across(1).toggle()
    lines = drawn(found, Ink(), selection=picked).splitlines()
    at = next(n for n, line in enumerate(lines) if "Pass 3" in line)
    assert "\n".join(lines[at : at + 5]) == PASSING.strip()
    assert "passing left" not in drawn(session("hearts", 1, "standard"))
    low = drawn(found, Ink(), (80, 20), picked).splitlines()
    assert FLAT_PASSING in low
    assert not any("┌" in line for line in low)


def test_a_card_that_cannot_be_played_has_no_frame_but_that_of_the_cursor():
    found = own("hearts", 30, seed=4)
    begun = Selection.begin(scene(found).menu)
    assert UNPLAYABLE in drawn(found, selection=begun.across(2)) + "\n"


def test_among_single_cards_a_picked_one_is_raised_too():
    found = own("hearts", 30, seed=4)
    lines = drawn(found, selection=Selection.begin(scene(found).menu).toggle()).splitlines()
    at = next(n for n, line in enumerate(lines) if "Your move. Play a card" in line)
    assert [line[:10].rstrip() for line in lines[at + 1 : at + 5]] == [
        "#===#", "! 3S!+---+", "#===#| 8S|", "  +  +---+",
    ]  # fmt: skip


def test_a_hand_is_drawn_as_cards_where_it_has_room():
    wide = own("hearts", 0, players=3)
    assert len(scene(wide).hand) == 17
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
        moment = scene(found)
        for picked in (Selection.begin(moment.menu), Selection.begin(moment.menu).toggle()):
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
    assert any(location.name == "FIRST" for location in found.view().locations)
    assert "FIRST" not in drawn(found)


def test_the_last_trick_of_a_deal_is_known_from_the_move_that_completed_it():
    moves = next(n for n in range(50, 70) if session("hearts", n, "standard").sheet().deals) - 1
    found = [session("hearts", moves + step, "standard") for step in (-1, 0, 1)]
    scenes = list(map(scene, found))
    last = [one.events()[-1] for one in found]
    faces = Faces(found[0].game, PLAIN)
    assert finished_trick(last[1], faces) is None
    trick = finished_trick(last[2], faces)
    assert trick.cards[:3] == scenes[1].trick.cards
    assert trick.cards[3] == (last[2].seat, faces.of(last[2].cards[0]))
    took = next(
        re.match(r"  (\w+) takes? ", line) for line in scenes[2].log[::-1] if "the trick" in line
    )
    assert scenes[2].names[trick.winner] == took[1]
    assert scenes[2].last == trick


@pytest.mark.parametrize("seed", mostly_deep([1, 2, 3, 10], {3, 10}.__contains__))
# in the last the person plays last
def test_a_deal_is_summed_up_with_its_last_trick_and_no_card_of_the_next(seed):
    """What everybody took is worth what the deal has brought; with the moon it is all of it."""
    moves = next(n for n in range(50, 70) if session("hearts", n, "standard", seed).sheet().deals)
    found = [session("hearts", moves - step, "standard", seed) for step in (1, 0)]
    before, after = map(scene, found)
    faces = Faces(found[0].game, PLAIN)
    event = found[1].events()[-1]
    trick = finished_trick(event, faces)
    left = left_by(event, before, trick)
    assert (left.trick, left.due, left.mine, left.hand) == (trick, None, False, ())
    assert [seat.backs for seat in left.seats] == [0] * 4
    end = summed_up(left, after, event, found[1].game, faces)
    worth = [sum(13 if face.text == "QS" else 1 for face in cards) for cards in end.taken]
    assert sum(worth) == 26
    assert end.hearts.points == tuple(worth)
    deal = end.sheet.deals[-1]
    if 26 in worth:
        assert end.hearts.moon == (worth.index(26), 26)
    else:
        assert tuple(worth) == deal
    assert end.scores == after.scores == tuple(seat.score for seat in end.seats)
    told = [line.plain for line in content("deal", end, WindowState("", None), faces, 76)]
    assert told[0].startswith("Deal 1 is over.")
    assert ("shot the moon!" in told[0]) == (26 in worth)
    assert end.log[-1].startswith("  Deal 1 is over")
    assert ("shot the moon" in end.log[-1]) == (26 in worth)
    assert after.log[: len(end.log)] == end.log
    assert any("dealt" in line for line in after.log[len(end.log) :])
    for row, name, got, cards in zip(told[2:], end.names, deal, end.taken, strict=False):
        assert re.fullmatch(rf"{name} +\{got:+d}   now +{got}( .*)?", row)
        assert named([text(row)]) == {face.text for face in cards}


def test_the_last_trick_may_complete_the_moon():
    game = loaded("hearts", "standard").game
    counting = [card for card in game.cards if card.attributes["SUIT"] == "HEARTS"]
    queen = next(
        card
        for card in game.cards
        if (card.attributes["RANK"], card.attributes["SUIT"]) == ("Q", "SPADES")
    )
    before = replace(
        scene(session("hearts", 10, "standard")).hearts,
        taken=((), tuple(counting), (), ()),
        points=(0, 13, 0, 0),
        moon=(1, 13),
    )
    trick = Trick(0, ((0, queen), (1, game.cards[0])), 1)
    after = with_last_trick(game, before, trick)
    assert (after.moon, after.points, after.last) == ((1, 26), (0, 26, 0, 0), trick)
    spoilt = with_last_trick(game, before, replace(trick, winner=0))
    assert (spoilt.moon, spoilt.points, spoilt.taken[0]) == (None, (13, 13, 0, 0), (queen,))


def test_the_moon_is_told_at_the_end_of_a_deal():
    found = session("hearts", 10, "standard")
    moment = scene(found)
    sheet = replace(moment.sheet, deals=((26, 26, 0, 26),))

    def told(shooter):
        ended = DealEnd(1, (26, 26, 0, 26), (26, 26, 0, 26), shooter)
        ended = replace(moment, sheet=sheet, ended=ended)
        lines = content("deal", ended, WindowState("", None), Faces(found.game, PLAIN), 76)
        return lines[0].plain

    assert told(2) == "Deal 1 is over. Hassan has shot the moon!"
    assert told(found.seat) == "Deal 1 is over. You have shot the moon!"
    assert told(None) == "Deal 1 is over."


def test_the_log_tells_every_event_once_and_forgets_what_is_taken_back():
    found = session("hearts", 40, "standard")
    events = found.events()
    faces = Counting(found.game, PLAIN)
    log = Log(found.names, faces)
    fresh = Log(found.names, Faces(found.game, PLAIN))
    for count in range(1, len(events) + 1):
        told = log.lines(found.opening, events[:count])
    assert told == fresh.lines(found.opening, events)
    once = len(found.opening) + sum(1 + len(event.changes) for event in events)
    assert faces.count == once == len(told)
    assert log.lines(found.opening, events) == told
    assert faces.count == once
    other = PlaySession(replace(found.setup, practice=True), found.table.choices, trust=NO_TRUST)
    other.undo()
    back = log.lines(other.opening, other.events())
    assert back == fresh.lines(other.opening, other.events())
    assert back[:-1] == told[: len(back) - 1]
    assert len(back) < len(told)
    assert log.lines(found.opening, ()) == told[: len(found.opening)]


def test_a_log_does_not_take_other_events_for_those_that_it_knows():
    """As many events, but others: after a move was taken back and another one made."""
    one, other = (session("hearts", 20, "standard", seed).events() for seed in (1, 2))
    faces = Faces(loaded("hearts", "standard").game, PLAIN)
    names = ("You", "p2", "p3", "p4")
    log = Log(names, faces)
    log.lines((), one)
    assert log.lines((), other) == Log(names, faces).lines((), other)


class Counting(Faces):
    """Faces that count how often they are asked for words."""

    count = 0

    def words(self, told):
        self.count += 1
        return super().words(told)


def test_no_colour_tells_everything_by_signs_and_has_no_colour():
    found = own("hearts", 30, seed=4)
    moment = scene(found)
    lines = picture(moment, Selection.begin(moment.menu), Overlay(), PLAIN, ScreenSize(80, 24))
    styles = {str(span.style) for line in lines for span in line.spans}
    styles |= {str(line.style) for line in lines}
    words = {word for style in styles for word in style.split()}
    assert words <= {"bold", "dim", "reverse", "italic", "underline"}
    hand = lines[-4].plain
    assert hand.startswith("!")
    for face, card in zip(moment.hand, moment.menu.hand, strict=True):
        assert (f"({face.text})" in hand) == (card not in moment.menu.legal)
        assert (re.search(rf"[|!] ?{face.text}[|!]", hand) is not None) == (
            card in moment.menu.legal
        )


def test_colours_are_two_or_four():
    found = session("hearts", 0)
    two, four = (
        {face.text[-1]: face.colour for face in scene(found, Ink(four=four)).hand}
        for four in (False, True)
    )
    assert two["♥"] == two["♦"] == "red"
    assert two["♣"] == two["♠"] == ""
    assert len(set(four.values())) == len(four) == 4


def test_the_moon_is_warned_of():
    found = session("hearts", 10, PLAYERS=5)
    if scene(found).hearts.moon is None:  # the game has changed: another seed would do
        found = next(
            one
            for moves in range(52)
            if scene(one := session("hearts", moves, PLAYERS=5)).hearts.moon
        )
    seat, points = scene(found).hearts.moon
    who = "You have" if seat == 0 else f"{found.names[seat]} has"
    assert f"{who} all {points} points: the moon!" in drawn(found)


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
    ink = Ink(symbols=symbols)
    found = session(game, moves)
    moment = scene(found, ink)
    selection = Selection.begin(moment.menu)
    if window == "list":
        selection, window = selection.switch(), ""
    if window == "picked":
        selection, window = selection.toggle(), ""
    told = WindowState("random", None, trouble="no such thing")
    lines = content(window, moment, told, Faces(found.game, ink), size[0] - 4) if window else ()
    shown = Overlay((TITLES[window], tuple(lines)) if window else None, message="said", keys="keys")
    result = picture(moment, selection, shown, ink, ScreenSize(*size))
    assert [line.cell_len for line in result] == [size[0]] * size[1]
    assert symbols or all(line.plain.isascii() for line in result)


@pytest.mark.slow
@settings(max_examples=usually(8, 25))
@given(moves=st.integers(0, 60), preset=st.sampled_from(("standard", None)), seed=st.integers(1, 2))
def test_no_card_is_drawn_that_the_seat_has_not_seen(moves, preset, seed):
    """Whatever is drawn names cards that are seen now, or that lay open once."""
    found = session("hearts", moves, preset, seed)
    faces = Faces(found.game, PLAIN)
    view = found.view()
    seen = {
        faces.of(card).text
        for cards in view.locations.values()
        for card in cards
        if not isinstance(card, Back)
    }
    once = seen | {faces.of(card).text for event in found.events() for card in event.cards}
    moment = scene(found)
    begun = Selection.begin(moment.menu)
    at_table = picture(moment, begun, Overlay(), PLAIN, ScreenSize(80, 14))  # without the log
    everywhere = picture(moment, begun, Overlay(), PLAIN, ScreenSize(130, 60))
    assert named(at_table) <= seen
    assert named(everywhere) <= once
    hidden = {faces.of(card).text for card in found.game.cards} - once
    assert not hidden & named(content("log", moment, WindowState("", None), faces, 76))


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
----------------------------------------------------------- hearts not broken --
+---++---+ +---+ +---++---+
| 3D|| AD| | AS| | 4H|| KH|
+---++---+ +---+ +---++---+
"""
PASSING = """
── Pass 3 cards to the left: 2 picked ─────── hearts not broken  passing left ──
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
