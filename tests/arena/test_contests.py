"""Games and contests from Python, between players given by text, class or function."""

from __future__ import annotations

import pickle
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from own_players import Drawing, Last, Raising

from cardwright import (
    Game,
    GameLimits,
    Ismcts,
    NotFoundError,
    RandomPlayer,
    Stream,
    ladder,
    play_game,
    play_match,
    player,
    simulate,
    tournament,
    watch_game,
)
from cardwright.arena.contest import Contest
from cardwright.errors import PlanError, PlayerSpecError, RecordsError, ScheduleError
from cardwright.statistics import SequentialTest

if TYPE_CHECKING:
    from cardwright import ContestReport

KUHN = Game.load("kuhn", engine="interpreter")
OWN = Path(__file__).with_name("own_players.py")

COIN = """(game
  (setup (create players 2)
    (create deck (game iloc STOCK) (deck (RANK (ONE, TWO, THREE, FOUR)))))
  (do ((shuffle (game iloc STOCK))
    (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))))
  (stage player (end (== (game sto TURNS) 2))
    (do ((inc (game sto TURNS))))
    (choice ((set ((current player) sto BET) 2) (set ((current player) sto BET) 1))))
  (scoring max ((current player) sto BET)))
"""


def same(one: ContestReport, other: ContestReport) -> bool:
    return one.results.same(other.results)


def test_a_player_is_given_in_many_ways():
    """Text, maker, class, function and a player that is made already play the same game."""
    ways = ["random", player("random"), RandomPlayer, partial(RandomPlayer), RandomPlayer()]
    records = [play_game(KUHN, [way, way], seed=7) for way in ways]
    assert records == [records[0]] * len(ways)
    assert play_game(KUHN, "random", seed=7) == play_game(KUHN, "random,random", seed=7)
    assert play_game(KUHN, "random", seed=8) != records[0]


def test_a_game_is_watched_as_it_is_played():
    """The states are those before each choice, of one state that goes on, and end with scores."""
    record = play_game(KUHN, [Last, "random"], seed=7)
    seen = []
    for state, option in watch_game(KUHN, [Last, "random"], seed=7):
        assert option in state.options()
        assert state.choices == [chosen for _, _, chosen in seen]
        seen.append((state.player, state.option_count, option.index))
    assert tuple(seen) == record.decisions
    assert state.finished
    assert state.scores == record.scores
    with pytest.raises(PlayerSpecError, match="there is no player"):
        watch_game(KUHN, "nobody")  # at once, not with the first step
    with pytest.raises(ValueError, match="no idea"):
        list(watch_game(KUHN, Raising, seed=1))


def test_a_class_plays_as_its_file_does():
    """Streams say nothing of the cards to either: a class is no more trusted than a file."""
    text = f"python:{OWN}:Drawing"
    for seed in range(10):
        assert play_game(KUHN, [Drawing, Last], seed=seed) == play_game(
            KUHN, [text, f"python:{OWN}:Last"], seed=seed
        )
    assert same(
        play_match(KUHN, [Drawing, "random"], deals=10, seed=3),
        play_match(KUHN, [text, "random"], deals=10, seed=3),
    )


def test_streams_of_own_players_lead_to_no_other_seed():
    """Neither a class nor a player that is made already draws from the seat's own stream."""
    seen = []

    class Watching(Last):
        def choose(self, decision):
            seen.append((decision.seat, decision.stream.words))
            return super().choose(decision)

    for given in (Watching, Watching()):
        seen.clear()
        play_game(KUHN, [given, "random"], seed=5)
        assert seen
        assert all(words != Stream.of_seat(5, seat).words for seat, words in seen)


def test_a_game_without_a_seed_can_be_played_again():
    record = play_game(KUHN, "random")
    assert play_game(KUHN, "random", seed=record.seed) == record
    assert len({play_game(KUHN, "random").seed for _ in range(5)}) == 5


def test_each_game_has_new_players():
    made = []

    class Counted(Last):
        def __init__(self):
            made.append(self)

    play_match(KUHN, [Counted, "random"], deals=5, seed=1)
    assert len(made) >= 10
    assert len(set(map(id, made))) == len(made)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["rnd", "random"], "did you mean random?"),
        ([Last(), "random"], "this Last is a player already, and every game needs a new one"),
        ([Ismcts(5), "random"], "give what makes them: the class, a text, or lambda: Ismcts"),
        ([dict, "random"], "dict makes a dict, which is not a player: it has no method choose"),
        ([7, "random"], "7 is not a player; give a text such as 'random', or a class"),
        ([partial(Drawing, least=1), "random"], r"Drawing\(least=1\)\(\) does not make a player: "),
    ],
)  # fmt: skip
def test_what_is_no_player_is_refused(given: list, said: str):
    with pytest.raises(PlayerSpecError, match=said):
        play_match(KUHN, given, deals=2)


def test_numbers_of_players_are_checked():
    with pytest.raises(PlayerSpecError, match="3 players are given for 2 seats; give one for all"):
        play_game(KUHN, ["random"] * 3)
    with pytest.raises(ScheduleError, match="a match needs two entrants"):
        play_match(KUHN, ["random"], deals=2)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"ties": "half"}, "ties is one of 'shared', 'full', not 'half'"),
        ({"measure": "rank"}, "measure is one of 'score', 'win', not 'rank'"),
        ({"detail": "all"}, "detail is one of 'scores', 'games', 'decisions', not 'all'"),
        ({"resamples": 1}, "ratings need 2 resamples or more, not 1"),
        ({"deals": 0}, "a plan has 1 to 100,000,000 deals, not 0"),
    ],
)
def test_settings_are_checked(settings: dict, said: str):
    with pytest.raises(PlanError, match=said):
        tournament(KUHN, "random,random", **settings)


def test_a_keyword_that_is_none_is_refused():
    with pytest.raises(TypeError, match=r"a match has no keyword 'worker'; did you mean"):
        play_match(KUHN, "random,random", deals=2, worker=3)  # type: ignore[call-arg]


def test_what_a_player_raises_reaches_whoever_plays_one_game():
    with pytest.raises(ValueError, match="no idea"):
        play_game(KUHN, [Raising, "random"], seed=1)
    found = play_match(KUHN, [Raising, "random"], deals=5, seed=1, most_faults=0)
    assert found.standing("Raising").faults == 10
    assert "no idea" in found.results.faults_noted[0].fault.reason


def test_names_are_those_of_classes():
    found = play_match(KUHN, [partial(Drawing, most=1), Drawing], deals=3, seed=1)
    assert found.names == ["Drawing(most=1)", "Drawing"]
    assert play_match(KUHN, [Last, Last], deals=3, seed=1).names == ["Last #1", "Last #2"]


def test_a_match_can_be_asked():
    found = play_match(KUHN, [Last, "random"], deals=30, seed=2)
    assert repr(found) == "<ContestReport of kuhn, 30 deals at 2 tables: Last, random>"
    assert found.seconds > 0
    by_deal = found.by_deal()
    assert by_deal.shape == (30, 2)
    mine, other = found.standing("Last"), found.standing(1)
    assert mine.score.mean == pytest.approx(by_deal[:, 0].mean())
    difference = found.difference("Last", "random")
    assert difference.score.mean == pytest.approx(mine.score.mean - other.score.mean)
    turned = found.difference("random", "Last")
    assert turned.score == difference.score.negated()
    assert turned.win == difference.win.negated()
    assert (turned.one, turned.other) == (1, 0)
    assert found.best_first == sorted([0, 1], key=lambda who: -found.standings[who].score.mean)
    with pytest.raises(PlayerSpecError, match="nobody named 'randon' has played; did you mean"):
        found.standing("randon")
    with pytest.raises(
        PlayerSpecError, match="there is no entrant 2: entrants are numbered 0 to 1"
    ):
        found.standing(2)
    with pytest.raises(PlayerSpecError, match="between two different entrants"):
        found.difference(0, 0)


def test_by_deal_counts_what_standings_count():
    """A player among copies of itself counts in neither."""
    found = tournament(KUHN, [Last, "random"], deals=20, seed=2)
    assert found.standings[0].score.mean == pytest.approx(np.nanmean(found.by_deal()[:, 0]))
    alone = found.deals.by_entrant("score")[:, 0]
    assert not np.allclose(alone, found.by_deal()[:, 0])


def test_results_are_frames():
    found = play_match(
        KUHN,
        [
            Last,
            "random",
        ],
        deals=4,
        seed=2,
    )
    rows = found.to_polars()
    assert rows.shape == (16, 11)
    assert rows.columns[3:6] == ["entrant", "player", "score"]
    assert set(rows["player"]) == {"Last", "random"}
    assert rows.filter(entrant=0)["player"].unique().to_list() == ["Last"]
    assert rows["score"].to_list() == found.results.score.tolist()
    standings = found.to_polars("standings")
    assert standings["entrant"].to_list() == ["Last", "random"]
    assert standings["score"][0] == found.standings[0].score.mean
    twins = play_match(KUHN, "random,random", deals=4, seed=2)
    assert twins.to_polars("standings")["entrant"].to_list() == ["random #1", "random #2"]
    differences = found.to_polars("differences")
    assert differences.row(0)[:2] == ("Last", "random")
    assert differences["duplicate_gain"].to_list() == [None]
    assert differences["duplicate_gain"].dtype.is_float()
    with pytest.raises(PlanError, match="a contest has no table 'standing'; choose from"):
        found.to_polars("standing")  # type: ignore[arg-type]


def test_without_polars_frames_say_what_to_install(monkeypatch: pytest.MonkeyPatch):
    found = play_match(KUHN, "random,random", deals=2, seed=2)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(Exception, match="this needs polars, which is not installed; install it"):
        found.to_polars()


def test_a_tournament_has_a_matrix_and_a_ladder_a_field():
    found = tournament(KUHN, [Last, "random", "random"], deals=6, seed=1, measure="win")
    assert found.matrix is not None
    assert found.matrix.measure == "win"
    assert found.ratings is not None
    assert len(found.differences) == 3
    against = ladder(KUHN, [Last, "random"], Drawing, deals=6, seed=1)
    assert (against.field, against.plan.entrants) == (1, ("Last", "random", "Drawing"))
    assert against.standing("Last").over_field is not None
    with pytest.raises(PlayerSpecError, match="not of a ladder's field"):
        against.difference("Last", "Drawing")


def test_a_test_ends_a_match():
    test = SequentialTest(0, 0.2, least=10, bound=4)
    found = play_match(KUHN, [Last, "random"], deals=400, seed=1, test=test)
    assert found.tested is not None
    assert found.results.stopped == (found.played < 400)
    assert found.played < 400
    with pytest.raises(PlanError, match="a sequential test is for two players, not for 3"):
        Contest.match(KUHN, "random,random,random", {}, test=test)


def test_a_seed_is_drawn_and_kept():
    one = play_match(KUHN, "random,random", deals=3)
    again = play_match(KUHN, "random,random", deals=3, seed=one.plan.seed)
    assert same(one, again)
    assert not same(one, play_match(KUHN, "random,random", deals=3))


def test_ties_count_as_asked():
    full = play_match(KUHN, "random,random", deals=3, seed=1, ties="full")
    assert full.results.ties == "full"
    told = []
    play_match(KUHN, "random,random", deals=3, seed=1, ties="full", watch=told.append)
    assert {part.ties for part in told} == {"full"}


def test_progress_is_told_and_nothing_printed(capfd: pytest.CaptureFixture[str]):
    told = []
    play_match(KUHN, "random,random", deals=3, seed=1, progress=lambda *how: told.append(how))
    assert told[-1] == (3, 3)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_classes_and_games_travel_to_workers():
    """Workers play the class and the game that were given, and come to the same results."""
    game = Game.from_text(COIN, name="coin", engine="interpreter")
    players = [partial(Drawing, most=1), "random"]
    here = play_match(game, players, deals=12, seed=4)
    assert same(here, play_match(game, players, deals=12, seed=4, workers=2))
    assert same(here, play_match(game, players, deals=12, seed=4, workers=2, executor="threads"))


def test_what_workers_cannot_make_is_refused_before_play():
    class Local(Last):
        pass

    with pytest.raises(PlayerSpecError, match=r"Local cannot be sent to workers .*define it"):
        play_match(KUHN, [Local, "random"], deals=2, workers=2)
    assert play_match(KUHN, [Local, "random"], deals=2, workers=2, executor="threads").played == 2


def test_a_class_of_the_script_is_refused_before_play(tmp_path: Path):
    script = tmp_path / "script.py"
    script.write_text(
        "from cardwright import Game, play_match\n"
        "from cardwright.errors import PlayerSpecError\n"
        "class Mine:\n"
        "    def choose(self, decision):\n"
        "        return 0\n"
        "game = Game.load('kuhn', engine='interpreter')\n"
        "print(play_match(game, [Mine, 'random'], deals=2, seed=1).names)\n"
        "try:\n"
        "    play_match(game, [Mine, 'random'], deals=2, workers=2)\n"
        "except PlayerSpecError as error:\n"
        "    print(error)\n",
        encoding="utf-8",
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    first, second = done.stdout.splitlines()
    assert first == "['Mine', 'random']"
    assert second.startswith("the player Mine cannot be sent to workers (they do not run this")


def test_records_go_on_with_their_seed(tmp_path: Path):
    folder = tmp_path / "run"
    one = play_match(KUHN, "random,first", deals=4, records=folder, detail="games")
    again = play_match(KUHN, "random,first", deals=4, records=folder, detail="games", resume=True)
    assert same(one, again)
    assert again.plan.seed == one.plan.seed
    assert (folder / "games.parquet").exists()
    with pytest.raises(PlanError, match="resuming needs records"):
        play_match(KUHN, "random,first", deals=4, resume=True)
    with pytest.raises(RecordsError):
        play_match(KUHN, "random,first", deals=4, records=folder)


def test_records_need_what_they_can_name(tmp_path: Path):
    """Whoever reads a folder has to find the players and the game of it again."""
    folder = tmp_path / "run"
    with pytest.raises(PlanError, match=r"Last has none: put it into a file and write python:FILE"):
        play_match(KUHN, [Last, "random"], deals=2, records=folder)
    game = Game.from_text(COIN, name="coin", engine="interpreter")
    with pytest.raises(PlanError, match="records name a game by its file, and coin cannot be load"):
        play_match(game, "random,random", deals=2, records=folder)
    limited = Game.load("kuhn", engine="interpreter", limits=GameLimits(decisions=50))
    with pytest.raises(PlanError, match="records do not keep limits of a game"):
        play_match(limited, "random,random", deals=2, records=folder)
    assert not folder.exists()


def test_limits_of_a_game_hold_in_a_match():
    limited = Game.load("kuhn", engine="interpreter", limits=GameLimits(decisions=1))
    found = play_match(limited, "random,random", deals=2, seed=1)
    assert found.failed == 4


@pytest.mark.parametrize("values", [{}, {"PLAYERS": 3, "QUEEN": 5}])
def test_games_travel(values: dict[str, int]):
    """A game is the same in another process, and there the same each time, so compiled once."""
    game = Game.load("hearts", limits=GameLimits(steps=9_999), engine="interpreter", **values)
    content = pickle.dumps(game)
    again = pickle.loads(content)
    assert again.program.digest == game.program.digest
    assert values.items() <= again.declared.items()
    assert (again.name, again.limits, again.engine_name, again.declared) == (
        game.name, game.limits, game.engine_name, game.declared,
    )  # fmt: skip
    assert pickle.loads(content) is again


def test_a_forced_base_travels():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        game = Game.load("leduc", base=1, engine="interpreter")
    again = pickle.loads(pickle.dumps(game))
    assert (again.program.forced_base, again.program.base) == (True, 1)
    assert again.program.digest == game.program.digest


def test_a_game_may_be_given_by_its_name() -> None:
    """A name, or a name with a preset, does what the loaded game does."""
    loaded = play_match(Game.load("gofish", preset="valet"), ["random", "first"], deals=2, seed=1)
    named = play_match("gofish:valet", ["random", "first"], deals=2, seed=1)
    assert named.plan == loaded.plan
    assert named.by_deal().tolist() == loaded.by_deal().tolist()
    assert simulate("kuhn", games=3, seed=1).rows() == simulate(KUHN, games=3, seed=1).rows()
    assert play_game("kuhn", "random", seed=1).choices == play_game(KUHN, "random", seed=1).choices
    with pytest.raises(NotFoundError, match="did you mean kuhn"):
        play_game("kuhm", "random", seed=1)
