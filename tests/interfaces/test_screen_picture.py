"""Pictures: what is drawn of a sitting, as text."""

import re
from functools import lru_cache
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardwright import Game
from cardwright.game.view import Back
from cardwright.interfaces.play.screen.card_face import Faces, Ink
from cardwright.interfaces.play.screen.picture import Shown, picture, what_is_cut
from cardwright.interfaces.play.screen.scene import finished_trick, scene_of
from cardwright.interfaces.play.screen.selection import Selection
from cardwright.interfaces.play.screen.table_view import sides
from cardwright.interfaces.play.screen.text_box import Size
from cardwright.interfaces.play.screen.windows import TITLES, Told, content
from cardwright.interfaces.play.setup import HUMAN, Setup
from cardwright.interfaces.play.sitting import Sitting

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
def sitting(game, moves, preset=None, seed=3, **declared):
    """Return a game in which option 7 n has been chosen in decision n, round the last one."""
    ref = loaded(game, preset, **declared)
    state = ref.game.start(seed)
    for number in range(moves):
        if not state.finished:
            state.play(7 * number % state.option_count)
    players = (HUMAN, *["random"] * (ref.game.players - 1))
    return Sitting(Setup(ref, seed, 0, players, False, "random"), state.choices)


def own(game, moves, preset=None):
    """Return the game at the first decision of the person after so many."""
    while not sitting(game, moves, preset).mine:
        moves += 1
    return sitting(game, moves, preset)


def scene(found, ink=PLAIN):
    return scene_of(found, Faces(found.game, ink))


def drawn(found, ink=PLAIN, size=(80, 24), selection=None, **shown):
    moment = scene(found, ink)
    chosen = selection or Selection.begin(moment.menu)
    lines = picture(moment, chosen, Shown(**shown), ink, Size(*size))
    return "\n".join(line.plain.rstrip() for line in lines)


def test_hearts_in_letters():
    assert drawn(sitting("hearts", 30)).rstrip() == HEARTS.strip("\n")


def test_passing_with_symbols():
    found = sitting("hearts", 0, "standard")
    begun = Selection.begin(scene(found).menu)
    picked = begun.toggle().across(1).across(1).toggle()
    lines = drawn(found, Ink(), selection=picked).splitlines()
    at = next(n for n, line in enumerate(lines) if "Pass 3" in line)
    assert "\n".join(lines[at : at + 2]) == PASSING.strip()


def test_ten_seats_sit_around_the_table():
    text = drawn(sitting("hearts", 15, PLAYERS=10))
    lines = text.splitlines()
    assert len(lines) <= 24
    for seat in range(2, 11):
        assert f"random p{seat} " in text
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
    assert "STOCK" in text
    assert "take the top of STOCK" in text
    assert "DUELS " in text


def test_what_games_remember_of_cards_is_no_pile():
    found = own("bigtwo", 5)
    assert any(location.name == "FIRST" for location in found.view().locations)
    assert "FIRST" not in drawn(found)


def test_the_last_trick_of_a_deal_is_known_from_the_move_that_completed_it():
    moves = next(n for n in range(50, 70) if sitting("hearts", n, "standard").sheet().deals) - 1
    found = [sitting("hearts", moves + step, "standard") for step in (-1, 0, 1)]
    scenes = list(map(scene, found))
    last = [one.events()[-1] for one in found]
    faces = Faces(found[0].game, PLAIN)
    assert finished_trick(scenes[0], scenes[1], last[1], faces) is None
    trick = finished_trick(scenes[1], scenes[2], last[2], faces)
    assert trick.cards[:3] == scenes[1].trick.cards
    assert trick.cards[3] == (last[2].seat, faces.of(last[2].cards[0]))


def test_no_colour_tells_everything_by_signs_and_has_no_colour():
    found = own("hearts", 30)
    moment = scene(found)
    lines = picture(moment, Selection.begin(moment.menu), Shown(), PLAIN, Size(80, 24))
    styles = {str(span.style) for line in lines for span in line.spans}
    styles |= {str(line.style) for line in lines}
    words = {word for style in styles for word in style.split()}
    assert words <= {"bold", "dim", "reverse", "italic", "underline"}
    hand = next(line.plain for line in lines if line.plain.startswith(("[", "(")))
    for face, card in zip(moment.hand, moment.menu.hand, strict=True):
        assert (f"({face.text})" in hand) == (card not in moment.menu.legal)


def test_colours_are_two_or_four():
    found = sitting("hearts", 0)
    two, four = (
        {face.text[-1]: face.colour for face in scene(found, Ink(four=four)).hand}
        for four in (False, True)
    )
    assert two["♥"] == two["♦"] == "red"
    assert two["♣"] == two["♠"] == ""
    assert len(set(four.values())) == len(four) == 4


def test_the_moon_is_warned_of():
    found = sitting("hearts", 15, PLAYERS=10)
    if scene(found).hearts.moon is None:  # the game has changed: another seed would do
        found = next(
            one
            for moves in range(52)
            if scene(one := sitting("hearts", moves, PLAYERS=10)).hearts.moon
        )
    seat, points = scene(found).hearts.moon
    who = "You have" if seat == 0 else f"random p{seat + 1} has"
    assert f"{who} all {points} points: the moon!" in drawn(found)


def test_a_wide_screen_has_scores_and_log_beside_the_table():
    lines = drawn(sitting("hearts", 80, "standard"), size=(120, 40)).splitlines()
    assert "Scores" in lines[0]
    assert any("| Log" in line for line in lines)


def test_small_screens_are_told_about():
    assert what_is_cut(80, 24) == what_is_cut(200, 60) == ""
    assert what_is_cut(60, 24) == "60x24: parts are cut; 80x24 shows all"
    assert what_is_cut(80, 23)


@settings(deadline=None, max_examples=40)
@given(
    game=st.sampled_from(GAMES),
    moves=st.sampled_from((0, 5, 20)),
    size=st.tuples(st.integers(1, 130), st.integers(1, 50)),
    symbols=st.booleans(),
    window=st.sampled_from(("", "", "list", "help", "scores", "last", "log", "quit", "trouble")),
)
def test_a_picture_has_the_size_of_the_screen(game, moves, size, symbols, window):
    ink = Ink(symbols=symbols)
    found = sitting(game, moves)
    moment = scene(found, ink)
    selection = Selection.begin(moment.menu)
    if window == "list":
        selection, window = selection.switch(), ""
    told = Told("random", None, trouble="no such thing")
    lines = content(window, moment, told, Faces(found.game, ink), size[0] - 4) if window else ()
    shown = Shown((TITLES[window], tuple(lines)) if window else None, message="said", keys="keys")
    result = picture(moment, selection, shown, ink, Size(*size))
    assert [line.cell_len for line in result] == [size[0]] * size[1]
    assert symbols or all(line.plain.isascii() for line in result)


@settings(deadline=None, max_examples=25)
@given(moves=st.integers(0, 60), preset=st.sampled_from(("standard", None)), seed=st.integers(1, 2))
def test_no_card_is_drawn_that_the_seat_has_not_seen(moves, preset, seed):
    """Whatever is drawn names cards that are seen now, or that lay open once."""
    found = sitting("hearts", moves, preset, seed)
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
    at_table = picture(moment, begun, Shown(), PLAIN, Size(80, 14))  # without the log
    everywhere = picture(moment, begun, Shown(), PLAIN, Size(130, 60))
    assert named(at_table) <= seen
    assert named(everywhere) <= once
    hidden = {faces.of(card).text for card in found.game.cards} - once
    assert not hidden & named(content("log", moment, Told("", None), faces, 76))


def named(lines):
    """Return the French cards named in some lines."""
    return set(re.findall(r"\b(?:10|[2-9JQKA])[CDSH]\b", "\n".join(line.plain for line in lines)))


HEARTS = """
 Hearts   deal 1   You 0  p2 0  p3 0  p4 0
                                 random p3 0
                                 ##### 5

                                     +---+
  random p2 0 +5                     | 2C|              > random p4 0
  ##### 5                            +---+                ###### 6
 took 3H 4H 5H JH QH          #1==#
                              ! 3C!
                              #===#



  You 0
--------------------------------------------------------------------------------
random p4: plays 3H
You: play 4H
  p2 takes 4H, JH, 5H, 3H
random p2: plays 3C
random p3: plays 2C
--------------------------------------------------------------- hearts broken --
 JC  QC  8D  9S  AS  KH

"""
PASSING = """
── Pass 3 cards (left): 2 picked ──────────── hearts not broken  passing left ──
 +10♣   J♣ [+Q♣]   2♦   3♦   8♦   J♦   A♦    7♠   9♠   A♠    4♥   K♥
"""
