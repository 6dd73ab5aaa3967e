"""Boards and engines: what states rely on, over the reference engine."""

from __future__ import annotations

import pytest

from cardwright import CardwrightError, Game, Stream
from cardwright.game.board import Redeal
from cardwright.game.engines import DEFAULT_ENGINE, ENGINES, reference_engine
from cardwright.game.find import library_names
from cardwright.game.game import State
from cardwright.game.information.knowledge import KnowledgeMode
from cardwright.game.option import Unseen
from cardwright.game.reference import ReferenceBoard
from cardwright.program.cards import Seat
from deep import some_games

HEARTS = Game.load("hearts")


def started(game: Game, seed: int = 5) -> ReferenceBoard:
    engine = reference_engine(game.program, game.limits)
    board = engine.start(seed)
    board.advance()
    return board


def play_on(board, chooser, decisions=10_000):
    while not board.finished and decisions:
        board.play(chooser.below(board.option_count))
        board.advance()
        decisions -= 1
    return board


class Bare(ReferenceBoard):
    """A board whose engine does not keep the effects of options, and compares as it is told."""

    __slots__ = ()
    answer = False

    def built(self):
        return None

    def same(self, other):
        return self.answer


def bare(board: ReferenceBoard) -> Bare:
    copy = Bare(board.world().copy(), HEARTS.limits)
    copy.advance()
    return copy


@pytest.mark.parametrize("name", some_games(library_names()))
def test_a_board_plays_as_its_state_does(name: str) -> None:
    """A board that is played by index goes through the positions of a state."""
    game = Game.load(name)
    state, board, chooser = game.start(5), started(game), Stream(5)
    while not state.finished:
        assert (board.finished, board.player) == (False, state.player)
        assert board.option_count == state.option_count
        index = chooser.below(board.option_count)
        state.play(index)
        board.play(index)
        board.advance()
    assert (board.finished, board.player, board.option_count) == (True, None, 0)
    assert list(board.picks()) == []
    assert tuple(board.scores()) == state.scores


@pytest.mark.parametrize("name", some_games(library_names()))
def test_contents_say_what_was_picked(name: str) -> None:
    """An option's content has the branch and picks of the board, less what its chooser may not see.

    That holds for `contents` and for the options with words alike.
    """
    game = Game.load(name)
    state, chooser = game.start(5), Stream(5)
    for _ in range(25):
        if state.finished:
            break
        contents = state.contents()
        assert tuple(option.content for option in state.options()) == contents
        for content, (branch, picks) in zip(contents, state._board.picks(), strict=True):
            assert content.branch == branch
            for (variable, picked), pick in zip(content.picks, picks, strict=True):
                assert variable == pick.node.variable.name
                assert picked in (pick.item, Unseen(pick.ordinal))
        state.play(chooser.below(state.option_count))


def test_cards_are_where_they_lie() -> None:
    """A board says of every card where it is."""
    board = play_on(started(HEARTS), Stream(1), 20)
    for pile in board.world().touched():
        assert all(board.where(card) == pile.location for card in pile.cards)


def test_copies_are_independent() -> None:
    """A copy has the same decision and goes on alike; playing it leaves the original as it was."""
    board = play_on(started(HEARTS), Stream(2), 11)
    before = board.key()
    copy = board.copy()
    assert (copy.key(), copy.player, copy.picks()) == (before, board.player, board.picks())
    end = play_on(copy, Stream(3))
    assert board.key() == before != end.key()
    assert play_on(board, Stream(3)).key() == end.key()


def test_finding_the_options_again_changes_nothing() -> None:
    """A board that stands at its decision, or at the end, can be advanced again."""
    for decisions in (7, 10_000):
        board = play_on(started(HEARTS), Stream(2), decisions)
        before = board.key(), board.picks(), board.finished
        board.advance()
        assert (board.key(), board.picks(), board.finished) == before


def test_keys_tell_positions_apart() -> None:
    """Another seed, another choice or another number of choices gives another key."""
    boards = [started(HEARTS, seed) for seed in (1, 2)]
    for index in (0, 1):
        board = started(HEARTS, 1)
        board.play(index)
        board.advance()
        boards.append(board)
    assert len({board.key() for board in boards}) == len(boards)
    assert started(HEARTS, 1).key() == boards[0].key()


@pytest.mark.parametrize("mode", list(KnowledgeMode))
def test_a_determinised_board_is_dealt_by_the_stream(mode: KnowledgeMode) -> None:
    """The same stream gives the same board, another stream another; the original stays."""
    board = play_on(started(HEARTS), Stream(4), 10)
    before = board.key()
    redeal = Redeal(Seat(0), mode)
    drawn = [board.worlds(redeal, Stream(seed))() for seed in (1, 1, 2)]
    for one in drawn:
        one.advance()
        assert one.player == board.player
    assert drawn[0].key() == drawn[1].key() != drawn[2].key()
    assert board.key() == before


def test_a_game_that_is_over_stays_over_when_it_is_determinised() -> None:
    """The scores of such a state are those of the game, whatever was dealt anew."""
    state = State(HEARTS, play_on(started(HEARTS), Stream(4)), None)
    state.advance()
    drawn = state.determinise(1, Stream(1))
    assert drawn.finished
    assert drawn.scores == state.scores


@pytest.mark.parametrize("name", some_games(library_names()))
def test_words_need_no_effects_from_the_engine(name: str) -> None:
    """Where an engine does not keep the effects of options, the words for them are the same."""
    state, chooser = Game.load(name).start(6), Stream(6)
    for _ in range(10):
        if state.finished:
            break
        other = State(state.game, bare(state._board), None)
        assert other.options() == state.options()
        assert other.view(state.player) == state.view(state.player)
        state.play(chooser.below(state.option_count))


def test_states_over_different_boards_are_equal_by_key() -> None:
    """Whatever holds the game: the same position of the same rules is the same state."""
    state = HEARTS.replay(3, [0, 0, 0])
    other = State(HEARTS, bare(state._board), None)
    assert other == state
    assert hash(other) == hash(state)
    other.play(0)
    assert other != state


def test_a_board_may_have_something_quicker_than_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a board can say that another is the same, its word is taken; not for other rules."""
    state = State(HEARTS, bare(HEARTS.start(3)._board), None)
    monkeypatch.setattr(Bare, "answer", True)
    monkeypatch.setattr(Bare, "key", lambda _: pytest.fail("the keys were asked for"))
    assert state == HEARTS.start(3)
    assert state != Game.load("hearts", PLAYERS=3).start(3)


def test_the_engine_of_a_game_is_known_by_name() -> None:
    """A game says what plays it; another engine gives a game of the same program."""
    assert HEARTS.engine_name == DEFAULT_ENGINE
    for name in ENGINES:
        game = HEARTS.with_engine(name)
        assert game.engine_name == name
        assert (game.program, game.name, game.limits) == (
            HEARTS.program, HEARTS.name, HEARTS.limits,
        )  # fmt: skip
        assert Game.load("hearts", engine=name).engine_name == name
    assert HEARTS.with_engine("interpreter").start(1) == HEARTS.start(1)


def test_unknown_engines_are_refused_at_once() -> None:
    """A wrong name is refused before anything is played, with the names there are."""
    with pytest.raises(CardwrightError, match=r"'nativ'; did you mean native\? .*interpreter, na"):
        Game.load("hearts", engine="nativ")
    with pytest.raises(CardwrightError, match=r"'gpu'; \(engines: interpreter, native, wasm\)"):
        HEARTS.with_engine("gpu")
