"""The app: keys and what comes of them, with the screen in memory."""

import asyncio
import re
import threading
from functools import lru_cache
from typing import NamedTuple

import pytest

from cardwright import Game
from cardwright.interfaces.play.screen.app import TableApp, say_farewell
from cardwright.interfaces.play.screen.card_face import Ink
from cardwright.players.kind import NO_TRUST
from cardwright.table.session import PlaySession
from cardwright.table.setup import HUMAN, DisplayOptions, TableSetup
from patience import PATIENCE


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


@lru_cache(maxsize=8)
def loaded(game, preset=None, declared=()):
    return Loaded(Game.variant(game, dict(declared), preset, engine="interpreter"))


class Quick(PlaySession):
    """A session whose saved games are only counted."""

    saved = 0

    def save(self, path):
        self.saved += 1


def session(game="hearts", preset=None, *, practice=True, seat=0, kind=Quick, moves=0, declared=()):
    """Return a game in which option 7 n has been chosen in so many decisions, round the last."""
    ref = loaded(game, preset, declared)
    state = ref.game.start(3)
    for number in range(moves):
        state.play(7 * number % state.option_count)
    seats = range(ref.game.players)
    players = tuple(HUMAN if one == seat else "random" for one in seats)
    setup = TableSetup.of_players(ref, 3, players, practice=practice)
    return kind(setup, state.choices, trust=NO_TRUST)


def display(**changes):
    return DisplayOptions(**{"pause": 0.0, "save": "kept.json"} | changes)


def text(app):
    """Return what is on the screen."""
    rows = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in row) for row in rows)


async def shows(pilot, words, *, tries=1000):
    for _ in range(tries):
        await pilot.pause(0.01)
        if words in text(pilot.app):
            return
    raise AssertionError(f"no {words!r} in\n{text(pilot.app)}")


async def to_the_end_of_the_deal(pilot):
    """Play the first deal of a match on, by the first legal card each time."""
    for _ in range(20):
        await pilot.press("enter")
        await pilot.pause(0.05)
        if pilot.app.window == "deal":
            break
    await shows(pilot, "Deal 1 is over.")


def played(found, script, how=None, size=(80, 24)):
    """Run a script of keys against the app; return the app."""

    async def run():
        app = TableApp(found, how or display())
        async with app.run_test(size=size) as pilot:
            await script(pilot)
        return app

    return asyncio.run(run())


def test_enter_plays_and_others_follow():
    found = session()

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("enter")
        await shows(pilot, "You play")
        await shows(pilot, "Your move")

    played(found, script, size=(80, 30))
    assert len(found.events()) >= 4


def test_a_key_between_a_new_decision_and_its_drawing_chooses_nothing():
    """On a busy machine drawing is late; the passing has more options than the play after it."""
    found = session("hearts", "standard", moves=0)

    async def script(pilot):
        app = pilot.app
        await shows(pilot, "Pass 3 cards")
        await pilot.press("end", "space", "left", "space", "left", "space")
        assert len(app.selection.picked) == 3
        app._paint = lambda: None
        await pilot.press("enter")
        while not (app.runner.choosing and app.runner.scene is not app._drawn):
            await pilot.pause(0.01)
        made = len(found.events())
        await pilot.press("enter", "space", "w", "end", "5", "question_mark", "escape", "enter")
        assert app.runner.choosing
        assert len(found.events()) == made
        assert not app.window_state.trouble
        del app._paint
        app._stale = False
        await pilot.press("enter")
        await shows(pilot, "it is your move now")
        await pilot.press("enter")
        await shows(pilot, "You play")

    played(found, script, size=(80, 30))


def test_typing_goes_to_a_card_and_why_tells_the_reason():
    found = session()

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("A", "H") if "A♥" in text(pilot.app) else await pilot.press("end")
        await pilot.press("w")
        await shows(pilot, "cannot be played:")
        await pilot.press("home", "w")
        await shows(pilot, "played")

    played(found, script)
    assert not found.events()


def test_passing_needs_three_cards():
    found = session(preset="standard")

    async def script(pilot):
        await shows(pilot, "Pass 3 cards to the left: 0 picked")
        await pilot.press("enter")
        await shows(pilot, "choose 3 cards: Space picks a card")
        await pilot.press("space", "right", "space", "enter")
        await shows(pilot, "2 picked: choose 3 cards")
        await pilot.press("right", "space", "enter")
        await shows(pilot, "You get")

    played(found, script)
    assert found.events()[0].seat == 0


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("question_mark", "Keys"),
        ("f1", "Keys"),
        ("r", "Rules"),
        ("s", "Scores"),
        ("t", "Last trick"),
        ("l", "Log"),
        ("p", "Settings"),
    ],
)
def test_windows_open_and_close(key, title):
    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press(key)
        await shows(pilot, f"╭ {title} ")
        await pilot.press("down", "x")
        await shows(pilot, "Enter or Esc closes this window")
        await pilot.press("escape")
        await shows(pilot, "Enter play")
        assert title not in text(pilot.app)

    played(session(), script)


def test_escape_never_leaves_and_quitting_asks_and_saves():
    found = session()

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("escape", "escape", "q")
        await shows(pilot, "Leave the table?")
        await pilot.press("escape")
        await shows(pilot, "Enter play")
        assert pilot.app.is_running
        await pilot.press("q", "y")

    app = played(found, script)
    assert (app.left, found.saved) == ("quit", 1)


def test_ctrl_c_saves_and_leaves_with_130(capsys):
    found = session()

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("s", "ctrl+c")

    app = played(found, script)
    assert (app.left, found.saved) == ("interrupt", 1)
    assert say_farewell(app, found, app.display_options) == 130
    assert "--resume kept.json" in capsys.readouterr().err


def test_a_game_that_is_not_kept_says_so(capsys):
    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("ctrl+s")
        await shows(pilot, "--no-save")
        await pilot.press("q")
        await shows(pilot, "not saved (--no-save)")
        await pilot.press("y")

    found = session()
    app = played(found, script, display(save=None))
    assert say_farewell(app, found, app.display_options) == 0
    assert "not saved" in capsys.readouterr().err


def test_undo_takes_back_in_practice_only():
    async def practice(pilot):
        await shows(pilot, "Your move")
        await pilot.press("u")
        await shows(pilot, "nothing to take back")
        await pilot.press("enter")
        await shows(pilot, "You play")
        await shows(pilot, "Your move")
        await pilot.press("u")
        await shows(pilot, "taken back")

    async def serious(pilot):
        await shows(pilot, "Your move")
        await pilot.press("u")
        await shows(pilot, "practice")

    found = session()
    played(found, practice, size=(80, 30))
    assert not found.events()
    played(session(practice=False), serious)


def test_a_hint_is_shown_and_its_card_has_the_cursor():
    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("h")
        await shows(pilot, "Hint: play")
        advised = pilot.app.window_state.hint.index
        await pilot.press("escape")
        assert pilot.app.selection.enter().taken == advised

    played(session(), script)


class Slow(Quick):
    """A session whose computer players, and the one for hints, think until they are let go."""

    def __init__(self, setup, choices, *, trust):
        self.go = threading.Event()
        super().__init__(setup, choices, trust=trust)

    def step(self):
        assert self.go.wait(PATIENCE)
        return super().step()

    def hint(self):
        assert self.go.wait(PATIENCE)
        return super().hint()


def test_the_screen_lives_while_a_player_thinks():
    found = session(kind=Slow)

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("enter")
        await shows(pilot, "Goran thinks")
        await pilot.press("enter")
        await shows(pilot, "it is not your move")
        await pilot.press("question_mark")
        await shows(pilot, "Keys")
        await pilot.press("escape")
        await pilot.resize_terminal(120, 40)
        await shows(pilot, " Log")
        found.go.set()
        await shows(pilot, "Your move")

    played(found, script)
    assert len(found.events()) >= 4


def test_one_can_leave_while_a_player_thinks():
    found = session(kind=Slow)

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("enter")
        await shows(pilot, "thinks")
        await pilot.press("q", "y")

    app = played(found, script)
    found.go.set()
    assert (app.left, found.saved) == ("quit", 1)


def test_a_hint_can_be_dismissed_while_it_is_computed():
    found = session(kind=Slow)

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("h")
        await shows(pilot, "a hint is being computed")
        await pilot.press("escape", "enter")
        await shows(pilot, "still being computed")
        found.go.set()
        await shows(pilot, "Your move")
        assert pilot.app.window == ""

    played(found, script)
    assert not found.events()


class Broken(Quick):
    """A session in which a computer player fails."""

    def step(self):
        raise RuntimeError("I cannot think")


def test_a_player_who_fails_is_told_of_and_the_game_is_saved(capsys):
    found = session(kind=Broken)

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("enter")
        await shows(pilot, "RuntimeError: I cannot think")
        await shows(pilot, "The game is saved")
        await pilot.press("q")

    app = played(found, script)
    assert found.saved
    assert say_farewell(app, found, app.display_options) == 1
    assert "I cannot think" in capsys.readouterr().err


def test_watching_pauses_steps_and_goes_on():
    found = session("lama", seat=None)

    async def script(pilot):
        await pilot.press("full_stop")
        await shows(pilot, "paused (Space goes on)")
        await pilot.pause(0.1)
        made = len(found.events())
        await pilot.press("full_stop")
        await shows(pilot, "paused")
        await pilot.pause(0.1)
        assert len(found.events()) == made + 1
        await pilot.press("minus", "minus", "space")
        for _ in range(200):
            await pilot.press("enter")
            await pilot.pause(0.005)
            if pilot.app.window == "end":
                break
        await shows(pilot, "The game is over")

    played(found, script, display(pause=0.2, auto=True))
    assert found.finished


def test_settings_are_changed_by_digits():
    """They have the names that the browser has for them."""

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("p")
        await shows(pilot, "1  Pace of computer players: 0 s a move")
        await shows(pilot, "2  The next deal begins: when you press Enter")
        await pilot.press("1", "2", "3", "4")
        await shows(pilot, "1  Pace of computer players: 0.1 s a move")
        await shows(pilot, "2  The next deal begins: after 5 seconds")
        await shows(pilot, "3  The only possible choice is made for me: yes")
        await shows(pilot, "4  Four colours for the suits: yes")
        await pilot.press("2", "2", "2")
        await shows(pilot, "2  The next deal begins: when you press Enter")

    played(session(), script)


def test_the_only_choice_and_the_next_deal_come_by_themselves():
    """Keys are pressed only where there is something to choose; the last card of a deal is not."""
    short = (("PLAYERS", 11), ("ROUNDS", 2), ("END", 0))
    found = session(declared=short)

    async def script(pilot):
        for _ in range(20_000):
            runner = pilot.app.runner
            decision = runner and runner.scene.decision
            if runner and runner.choosing and len(decision.options) > 1:
                await pilot.press("enter")
            await pilot.pause(0.005)
            if pilot.app.window == "end":
                return

    played(found, script, display(forced=True, next_deal=0.01))
    assert found.finished


def test_the_pace_changes():
    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("plus")
        await shows(pilot, "Pace of computer players: 0.1 s")
        await pilot.press("minus", "minus")
        await shows(pilot, "Pace of computer players: 0 s")

    played(session(), script)


@pytest.mark.parametrize("size", [(20, 5), (1, 1), (200, 60)])
def test_any_size_will_do(size):
    async def script(pilot):
        await pilot.press("enter", "question_mark", "escape")
        await pilot.pause(0.05)

    assert played(session(), script, size=size).left == "quit"


def test_the_end_of_a_game_shows_the_ranking(capsys):
    found = session("kuhn")

    async def script(pilot):
        for _ in range(100):
            await pilot.press("down", "enter")
            await pilot.pause(0.01)
            if pilot.app.window == "end":
                break
        await shows(pilot, "The game is over:")
        await pilot.press("l")
        await shows(pilot, "Log")
        await pilot.press("escape")
        await shows(pilot, "The game is over:")
        await pilot.press("enter")

    app = played(found, script)
    assert app.left == "end"
    assert say_farewell(app, found, app.display_options) == 0
    told = capsys.readouterr().out
    assert "Final ranking: 1. " in told
    assert "saved in" not in told  # it was to be kept only if interrupted


def test_a_finished_trick_stays_until_a_key():
    found = session()

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("enter")
        for name, following in (("Goran", "Hassan"), ("Hassan", "Rafa")):
            await shows(pilot, f"{name} plays")
            await pilot.pause(0.1)
            assert f"{following} plays" not in text(pilot.app)
            await pilot.press("enter")  # skips the pause after it
        await shows(pilot, "the trick (Enter goes on)")
        await pilot.pause(0.2)
        shown = text(pilot.app)
        assert "the trick (Enter goes on)" in shown
        at_table = "".join(shown.splitlines()[1:13])
        assert at_table.count("╔") == 1
        assert at_table.count("┌") == 3
        await pilot.press("enter")
        await pilot.pause(0.1)
        assert "the trick (Enter goes on)" not in text(pilot.app)

    played(found, script, display(pause=30))


def test_the_end_of_a_deal_is_told_and_waits_for_a_key():
    found = session(preset="standard", moves=50)

    async def script(pilot):
        await to_the_end_of_the_deal(pilot)
        await pilot.press("s")
        await shows(pilot, "╭ Scores")
        await pilot.press("escape")
        await shows(pilot, "Deal 1 is over.")
        await pilot.pause(0.05)
        assert not pilot.app.runner.choosing
        await pilot.press("enter")
        await shows(pilot, "Pass 3 cards to the right")
        await pilot.press("enter")
        await shows(pilot, "choose 3 cards")

    played(found, script)


def test_the_summary_of_a_deal_shows_nothing_of_the_next_one():
    found = session(preset="standard", moves=50)

    async def script(pilot):
        await to_the_end_of_the_deal(pilot)
        shown = text(pilot.app)
        for name in ("You", "Goran", "Hassan", "Rafa"):
            row = re.search(rf"{name} +\+(\d+) +(\d+) in all(.*)", shown)
            assert row[1] == row[2]
            assert ("took" in row[3]) == (row[1] != "0")
        assert not any(face.text in shown.splitlines()[-3] for face in own_faces(found))
        assert "Enter, n next deal" in shown
        assert "Pass" not in shown
        assert "deal 1" in shown.splitlines()[0]
        await pilot.press("enter")
        await shows(pilot, "Pass 3 cards to the right")
        shown = text(pilot.app)
        assert "deal 2" in shown.splitlines()[0]
        assert all(face.text in shown for face in own_faces(found))

    played(found, script)


def own_faces(found):
    """Return the faces of the cards that the person holds."""
    return list(map(Ink().face, found.scene().hand))


def test_the_last_trick_of_a_deal_lies_on_the_table_of_that_deal():
    found = session(preset="standard", moves=50)

    async def script(pilot):
        for _ in range(40):
            await pilot.pause(0.05)
            if found.scene().sheet.deals:
                break
            await pilot.press("enter")
        await shows(pilot, "the trick (Enter goes on)")
        shown = text(pilot.app)
        assert "the trick is complete" not in shown
        assert "░" not in shown
        assert shown.count("╔") == 1
        assert shown.count("┌") == 3
        assert "deal 1" in shown
        await pilot.press("enter")
        await shows(pilot, "Deal 1 is over.")

    played(found, script, display(pause=30))


@pytest.mark.parametrize("scores", [False, True])
def test_who_watches_is_not_left_with_the_summary_of_a_deal(scores):
    found = session(preset="standard", moves=50, seat=None)

    async def script(pilot):
        await shows(pilot, "Deal 1 is over.")
        if scores:
            await pilot.press("s")
        made = len(found.events())
        while len(found.events()) == made:
            await pilot.pause(0.01)
        if scores:
            await shows(pilot, "╭ Scores")
            await pilot.press("escape")
        await shows(pilot, ". one move")

    played(found, script, display(pause=0.05, auto=True))


def test_enter_that_comes_just_too_late_to_skip_a_pause_is_no_move(monkeypatch):
    from cardwright.interfaces.play.screen import session_runner

    monkeypatch.setattr(session_runner, "_GRACE", 60)
    found = session()

    async def script(pilot):
        await shows(pilot, "Your move")
        await pilot.press("enter")
        await shows(pilot, "Your move")
        made = len(found.events())
        await pilot.press("enter")
        await shows(pilot, "it is your move now")
        assert len(found.events()) == made
        monkeypatch.setattr(session_runner, "_GRACE", 0)
        await pilot.press("enter")
        await shows(pilot, "plays")
        assert len(found.events()) > made

    played(found, script, display(pause=0.02))


def test_a_game_that_is_saved_move_by_move_is_told_to_be_kept():
    found = session("kuhn")
    found.save_path = "kept.json"

    async def script(pilot):
        for _ in range(100):
            await pilot.press("down", "enter")
            await pilot.pause(0.01)
            if pilot.app.window == "end":
                break
        await shows(pilot, "The game is saved in kept.json.")

    played(found, script)


@pytest.mark.parametrize(
    ("file", "words"), [(None, "not saved (--no-save)"), ("kept.json", "S saves the whole game in")]
)
def test_the_end_of_a_game_says_whether_it_is_kept(file, words, capsys):
    found = session("kuhn")

    async def script(pilot):
        for _ in range(100):
            await pilot.press("down", "enter")
            await pilot.pause(0.01)
            if pilot.app.window == "end":
                break
        await shows(pilot, words)
        await pilot.press("S")
        if file:
            await shows(pilot, "cardwright replay kept.json shows it")
        else:
            await shows(pilot, "there is no file to save to")
        await pilot.press("q")

    app = played(found, script, display(save=file))
    assert found.saved == bool(file)
    assert say_farewell(app, found, app.display_options) == 0
    assert ("replay kept.json" in capsys.readouterr().out) == bool(file)


def test_a_screen_that_breaks_down_still_keeps_the_game(monkeypatch, capsys):
    from cardwright.interfaces.play import screen
    from cardwright.interfaces.play.screen import table_screen

    def broken(*_):
        raise ZeroDivisionError

    found = session()
    monkeypatch.setattr(table_screen, "picture", broken)
    run = TableApp.run
    monkeypatch.setattr(TableApp, "run", lambda self, **_: run(self, headless=True))
    assert screen.run(found, display()) == 1
    assert found.saved
    assert "--resume kept.json" in capsys.readouterr().err
