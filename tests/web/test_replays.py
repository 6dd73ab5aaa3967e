"""Replays on the server: saved games, tables that are over, games of seasons, and judgements."""

from __future__ import annotations

import json
import shutil

import pytest
from in_process import in_process

from cardwright.arena.plan import GameRef
from cardwright.game.errors import CardwrightError
from cardwright.game.game import Game
from cardwright.interpreter.stream import Stream
from cardwright.league.run import play_season
from cardwright.table.estimates import EstimateMeasure, Estimates, EstimateScope, EstimateUnit
from cardwright.table.saved import write_saved
from cardwright.table.setup import TableSetup
from cardwright.web.replay_source import ReplaySource, ReplayStore
from cardwright.web.replaying import Replayer
from cardwright.web.thinking import ThinkAnswer, ThinkError, Thinkers
from cardwright.web.worker_process import WorkerProcess
from league.season_folders import make_season

SEED = 5


def _game(name, declared=None, until=None):
    """Return a game of random moves: how to load it, and the choices."""
    game = Game.variant(name, declared or {})
    state = game.late().start(SEED)
    stream, choices = Stream(1), []
    while state.player is not None and len(choices) != until:
        choices.append(stream.below(state.option_count))
        state.play(choices[-1])
    return GameRef.of(name, declared), tuple(choices), state


def _saved(folder, name="kuhn", until=None, players=("human", "random"), declared=None):
    """Return the content of a saved game's file."""
    ref, choices, state = _game(name, declared, until)
    setup = TableSetup.of_players(ref, SEED, players, hint="random")
    scores = state.scores if state.finished else None
    write_saved(folder / "one.cardwright.json", setup, choices, (), scores)
    return json.loads((folder / "one.cardwright.json").read_text())


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch):
    """Replay in this process, as the worker does it."""
    replayer = Replayer()

    async def ask(self, request, *seconds):
        assert self._module == "cardwright.web.replaying"
        try:
            return json.loads(json.dumps(replayer.answer(json.loads(json.dumps(request)))))
        except CardwrightError as error:
            return {"error": {"code": "rules", "message": str(error)}}

    monkeypatch.setattr(WorkerProcess, "ask", ask)


@pytest.fixture
def client(tmp_path):
    with in_process(data=tmp_path / "data") as made:
        yield made


def _sent(client, data):
    answer = client.post("/api/replays", data)
    assert answer.status_code == 201, answer.text
    return answer.json()["replay"]


# What is seen -------------------------------------------------------------------------------------


def test_a_saved_game_that_is_over_is_seen_with_all_hands(client, tmp_path):
    """All hands and every seat: each sees its own card, all hands see both; the seed is told."""
    name = _sent(client, _saved(tmp_path))
    outline = client.get(f"/api/replays/{name}").json()
    assert outline["over"]
    assert outline["seats"] == [None, 0, 1]
    assert outline["names"][0] == "Person"
    assert len(set(outline["names"])) == 2
    moves = len(outline["moves"])
    every = client.get(f"/api/replays/{name}/frames?seat=all").json()["frames"]
    assert [frame["number"] for frame in every] == list(range(moves + 1))
    assert [len(seat["hand"]) for seat in every[0]["scene"]["seats"]] == [1, 1]
    assert every[-1]["scene"]["over"]["seed"] == str(SEED)
    own = client.get(f"/api/replays/{name}/frames?seat=1&first=1&count=1").json()["frames"]
    assert own[0]["number"] == 1
    assert len(own[0]["scene"]["hand"]) == 1
    assert own[0]["scene"]["seats"][0]["hand"] == []
    log = client.get(f"/api/replays/{name}/log?seat=1").json()
    assert len(log["events"]) == moves


def test_a_game_in_progress_is_seen_by_its_person_only(client, tmp_path):
    """Who has saved a game in progress sees its own seat: no other hand, nor all."""
    name = _sent(client, _saved(tmp_path, until=1, players=("random", "human")))
    outline = client.get(f"/api/replays/{name}").json()
    assert not outline["over"]
    assert outline["seats"] == [1]
    assert client.get(f"/api/replays/{name}/frames?seat=1").status_code == 200
    for part in ("frames?seat=all", "frames?seat=0", "frames", "log?seat=0", "log"):
        error = client.get(f"/api/replays/{name}/{part}")
        assert error.status_code == 409, part
        assert error.json()["error"]["code"] == "not-over"
    assert client.get(f"/api/replays/{name}/moves/0/judgement").status_code == 409


def test_deals_are_told_by_their_first_move(client, tmp_path):
    """A match has several deals; each begins at the decision after the last of the one before."""
    data = _saved(tmp_path, "hearts", players=("random",) * 4, declared={"ROUNDS": 3, "END": 0})
    name = _sent(client, data)
    deals = client.get(f"/api/replays/{name}").json()["deals"]
    assert deals == [0, 52, 104]


def test_the_same_game_is_one_replay(client, tmp_path):
    """The link of a game follows from the game, and other choices have another."""
    whole, cut = _saved(tmp_path), _saved(tmp_path, until=1)
    assert _sent(client, whole) == _sent(client, whole)
    assert _sent(client, whole) != _sent(client, cut)


def test_replays_survive_a_restart(tmp_path):
    """What was sent is there for the next server, and a damaged file is as if it were not."""
    data = tmp_path / "data"
    with in_process(data=data) as client:
        name = _sent(client, _saved(tmp_path))
    with in_process(data=data) as client:
        assert client.get(f"/api/replays/{name}").status_code == 200
    (data / "replays" / f"{name}.json").write_text("{")
    with in_process(data=data) as client:
        assert client.get(f"/api/replays/{name}").status_code == 404


def test_frames_are_compressed_for_those_who_can_read_it(client, tmp_path):
    """Frames are large, and travel compressed where the client says that it can."""
    name = _sent(client, _saved(tmp_path))
    plain = client.get(f"/api/replays/{name}/frames", headers={"Accept-Encoding": "identity"})
    small = client.get(f"/api/replays/{name}/frames", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert small.json() == plain.json()


# What is refused ----------------------------------------------------------------------------------


def _with(**changes):
    return lambda data: data | changes


def _game_with(**changes):
    return lambda data: data | {"game": data["game"] | changes}


def _without(name):
    return lambda data: {key: value for key, value in data.items() if key != name}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_with(format="chess"), "is not a saved game: `cardwright play GAME` makes"),
        (_with(version=2), "of version 2"),
        (_with(results_version=0), "plays another game"),
        (_without("choices"), "it lacks choices"),
        (_without("game"), "it lacks game"),
        (_with(choices="0 x"), "invalid literal"),
        (_with(choices="0 -1"), "below 0"),
        (_with(choices=[0, 1]), "choices must be a string"),
        (_with(choices="0 " * 600_000), "choices has 1,200,000 characters"),
        (_with(choices="7"), "move 1 is option 7, and there are 2"),
        (_with(choices="0 0 0 0 0 0 0"), "the game is over after 2 of its 7 moves"),
        (_with(seed="-1"), "out of range"),
        (_with(seed="ten"), "invalid literal"),
        (_with(seed=5), "seed must be a string"),
        (_with(players=["human"]), "do not fit"),
        (_with(players="human,random"), "players must be an array"),
        (_with(players=[["human"], "random"]), "must be a string"),
        (_with(names=["x" * 100, "y"]), "has 100 characters"),
        (_with(hint=None), "hint must be a string"),
        (_game_with(name="../../etc/passwd"), "not in the library"),
        (_game_with(name="/etc/passwd"), "not in the library"),
        (_game_with(name="mine.rcy"), "not in the library"),
        (_game_with(digest="0" * 64), "rules of kuhn have changed"),
        (_game_with(preset="best"), "no preset"),
        (_game_with(preset=["best"]), "preset must be"),
        (_game_with(declared={"ANTE": "x y"}), "not a value"),
        (_game_with(declared={"ANTE": 1}), "must be a string"),
        (_game_with(engine="magic"), "magic"),
        (_game_with(base=7), "base must be"),
        (_game_with(secret=1), "no member 'secret'"),
        (_game_with(players=3), "do not fit"),
    ],
)
def test_what_is_no_saved_game_says_why(client, tmp_path, change, said):
    """A broken, forged or foreign file is refused in words, and nothing is kept."""
    answer = client.post("/api/replays", change(_saved(tmp_path)))
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["error"]["message"]
    assert not (tmp_path / "data" / "replays").exists()


def test_too_large_files_are_refused(client, tmp_path):
    """A file beyond the limit is refused before it is read."""
    data = _saved(tmp_path) | {"events": "x" * (9 * 2**20)}
    assert client.post("/api/replays", data).status_code == 413


@pytest.mark.parametrize(
    "path",
    ["0" * 32, "abc", "..%2f..%2ftables.sqlite3", "season.autumn.1", "season..", "A" * 32],
)
def test_links_that_lead_nowhere(client, path):
    """An id that does not exist is not found, whatever it looks like."""
    for part in ("", "/frames", "/log", "/moves/0/judgement", "/judgements"):
        assert client.get(f"/api/replays/{path}{part}").status_code == 404


@pytest.mark.parametrize(
    "query",
    ["frames?seat=9", "frames?seat=-1", "frames?seat=x", "frames?first=-1"],
)
def test_wrong_places_are_refused(client, tmp_path, query):
    """A seat or a move that is none is refused."""
    name = _sent(client, _saved(tmp_path))
    assert client.get(f"/api/replays/{name}/{query}").status_code in {409, 422}


@pytest.mark.slow
def test_beyond_the_end_there_are_no_frames(client, tmp_path):
    """After the last frame there is none, and a request gives only so many."""
    name = _sent(client, _saved(tmp_path, "hearts", players=("random",) * 4))
    assert client.get(f"/api/replays/{name}/frames?first=99999").json() == {"frames": []}
    many = client.get(f"/api/replays/{name}/frames?first=0&count=99999").json()["frames"]
    assert len(many) == 53
    few = client.get(f"/api/replays/{name}/frames?first=50").json()["frames"]
    assert [frame["number"] for frame in few] == [50, 51, 52]


def test_the_oldest_replays_go_when_there_are_too_many(tmp_path, monkeypatch):
    """The folder of replays does not grow without end."""
    monkeypatch.setattr("cardwright.web.replay_source.MOST", 3)
    ref = GameRef.of("kuhn")
    kept = ReplayStore(tmp_path)
    names = [
        kept.keep(ReplaySource(ref, seed, (), ("human",) * 2, ("a", "b"), "")) for seed in range(6)
    ]
    assert len(list(tmp_path.glob("*.json"))) == 3
    assert ReplayStore(tmp_path).find(names[-1]) is not None
    assert ReplayStore(tmp_path).find("0" * 31) is None


# Tables and seasons -------------------------------------------------------------------------------


def test_a_table_is_replayed_when_it_is_over(client):
    """A table in play has no replay; when it is over, each of its links leads to the same one."""
    seats = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}]
    body = {"game": "kuhn", "seats": seats, "watch": "public"}
    made = client.post("/api/tables", body).json()
    links = [one["link"] for one in made["seats"]]
    refused = client.post(f"/api{links[0]}/replay", {})
    assert refused.status_code == 409
    assert refused.json()["error"]["code"] == "not-over"
    for number in range(3):
        for link in links:
            client.post(f"/api{link}/choose", {"number": number, "option": 0})
    assert client.post(f"/api{links[1]}/name", {"name": "Bobby"}).status_code == 200
    every = [*links, made["watch"]]
    names = {client.post(f"/api{link}/replay", {}).json()["replay"] for link in every}
    (name,) = names
    outline = client.get(f"/api/replays/{name}").json()
    assert outline["names"] == ["Ann", "Bobby"]
    assert outline["over"]
    assert client.get(f"/replay/{name}").status_code == 200
    assert client.post("/api/t/AAAAAAAAAAAAAAAAAAAAAA/replay", {}).status_code == 404


@pytest.mark.slow
def test_games_of_a_season_are_replayed_by_number(tmp_path):
    """A game of a season has the names of its bots; one that is not played yet has no replay."""
    folder = make_season(
        tmp_path / "seasons" / "autumn", bots={}, builtins=("builtin:random",) * 4, games=3
    )
    play_season(folder, seed=11, name="Autumn")
    shutil.copytree(folder, tmp_path / "seasons" / "winter")
    with in_process(seasons=tmp_path / "seasons") as client:
        outline = client.get("/api/replays/season.autumn.3").json()
        assert outline["origin"] == "Autumn, game 3"
        assert outline["names"][0].startswith("random")
        assert outline["over"]
        assert outline["deals"][1] == 64
        for wrong in ("season.autumn.4", "season.autumn.0", "season.autum.1", "season.autumn.x"):
            assert client.get(f"/api/replays/{wrong}").status_code == 404


# Judgement ----------------------------------------------------------------------------------------


def test_a_move_is_judged_in_words(client, tmp_path, monkeypatch):
    """A judgement has what would be played instead, and what the move loses; it is kept."""
    asked = []
    data = _saved(tmp_path)
    played = int(data["choices"].split()[1])
    best = 1 - played

    async def decide(self, request):
        asked.append(request)
        in_order = -1 if best == 0 else 1
        places = Estimates(
            EstimateUnit(EstimateMeasure.RANK, EstimateScope.GAME), (0.25, 0.75)[::in_order]
        )
        points = Estimates(
            EstimateUnit(EstimateMeasure.POINTS, EstimateScope.GAME),
            (2.0, 1.5)[::in_order],
            gaps=(0.3, 0.3),
        )
        return ThinkAnswer(best, (places, points))

    monkeypatch.setattr(Thinkers, "decide", decide)
    name = _sent(client, data)
    found = client.get(f"/api/replays/{name}/moves/1/judgement").json()
    assert found["seat"] == 1
    assert found["best"]["option"] == best
    assert found["best"]["estimates"] == [0.75, 1.5]
    assert found["errors"] == [None, 0.3]
    assert found["played"]["option"] == played
    assert found["played"]["words"]
    assert (found["lost"], found["forced"]) == ([0.5, -0.5], False)
    assert [one["measure"] for one in found["units"]] == ["rank", "points"]
    (request,) = asked
    assert request.played == played
    assert request.choices == tuple(map(int, data["choices"].split()[:1]))
    assert (request.seat, request.ordinal, request.wanted, request.watched) == (
        1,
        0,
        "judge",
        False,
    )
    assert client.get(f"/api/replays/{name}/moves/1/judgement").json() == found
    assert len(asked) == 1
    for wrong in ("9", "x", "-1"):
        assert client.get(f"/api/replays/{name}/moves/{wrong}/judgement").status_code == 422


def test_forced_moves_are_not_thought_about(client, tmp_path, monkeypatch):
    """The only option loses nothing, and nobody thinks about it."""

    async def decide(self, request):
        raise AssertionError("there is nothing to think about")

    monkeypatch.setattr(Thinkers, "decide", decide)
    name = _sent(client, _saved(tmp_path, "hearts", players=("random",) * 4))
    moves = client.get(f"/api/replays/{name}").json()["moves"]
    forced = next(number for number, (_, count) in enumerate(moves) if count == 1)
    found = client.get(f"/api/replays/{name}/moves/{forced}/judgement").json()
    assert found["forced"]
    assert (found["lost"], found["units"]) == ([], [])


def test_a_judge_that_fails_is_told(client, tmp_path, monkeypatch):
    """If the player stops or is stopped, the reader is told why."""

    async def decide(self, request):
        raise ThinkError("slow", "it took longer than 5 seconds")

    monkeypatch.setattr(Thinkers, "decide", decide)
    name = _sent(client, _saved(tmp_path))
    error = client.get(f"/api/replays/{name}/moves/0/judgement").json()["error"]
    assert error["code"] == "stopped"
    assert "longer than 5 seconds" in error["message"]
    stream = client.get(f"/api/replays/{name}/judgements").text
    assert "longer than 5 seconds" in stream


@pytest.mark.slow
def test_a_whole_game_is_judged_as_a_stream(client, tmp_path, monkeypatch):
    """Moves with a choice are judged in order, those of one seat or of a stretch if asked for."""

    async def decide(self, request):
        unit = EstimateUnit(EstimateMeasure.POINTS, EstimateScope.GAME)
        return ThinkAnswer(0, (Estimates(unit, (1.0,) * 60),))

    monkeypatch.setattr(Thinkers, "decide", decide)
    name = _sent(client, _saved(tmp_path, "hearts", players=("random",) * 4))
    moves = client.get(f"/api/replays/{name}").json()["moves"]
    choices = [number for number, (_, count) in enumerate(moves) if count > 1]

    def judged(query=""):
        text = client.get(f"/api/replays/{name}/judgements{query}").text
        lines = [line[5:] for line in text.splitlines() if line.startswith("data:")]
        return [json.loads(line) for line in lines]

    told = judged()
    assert [one["judgement"]["move"] for one in told] == choices
    assert [one["done"] for one in told] == list(range(1, len(choices) + 1))
    assert {one["of"] for one in told} == {len(choices)}
    own = [number for number in choices if moves[number][0] == 2]
    assert [one["judgement"]["move"] for one in judged("?seat=2")] == own
    part = [number for number in choices if 4 <= number <= 9]
    assert [one["judgement"]["move"] for one in judged("?first=4&last=9")] == part
