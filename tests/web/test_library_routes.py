"""What the server answers about the games of the library, and their pages."""

from __future__ import annotations

import pytest
from in_process import in_process

from cardwright.game.find import find
from cardwright.web.measurements import Measurements
from cardwright.web.measuring import measured
from cardwright.web.worker_loop import finished


@pytest.fixture(scope="module")
def client():
    with in_process() as made:
        yield made


@pytest.fixture
def _in_process(monkeypatch):
    async def run(self, request):
        return finished(measured(request))

    monkeypatch.setattr(Measurements, "_run", run)


def test_pages_are_there(client):
    """Home and a game's page are HTML; that of an unknown game says 404 and what was meant."""
    for path, status in (("/", 200), ("/games/hearts", 200), ("/games/hart", 404)):
        answer = client.get(path)
        assert answer.status_code == status
        assert answer.headers["content-type"].startswith("text/html")
        assert 'id="page"' in answer.text


def test_all_games_are_listed(client):
    """The list has every game, and those to begin with are among them."""
    found = client.get("/api/games").json()
    names = {game["name"] for game in found["games"]}
    assert {*found["suggested"]} <= names
    assert client.get("/api/games/hearts").json()["title"] == "Hearts"


@pytest.mark.parametrize("part", ["", "/rules", "/statistics", "/flow", "/flow.svg"])
@pytest.mark.parametrize("name", ["heart", "..%2f..%2fsecret", "hearts.rcy"])
def test_unknown_games_are_refused(client, part, name):
    """No part of a game that is not in the library is told; a slip is recognised."""
    answer = client.get(f"/api/games/{name}{part}")
    assert answer.status_code == 404
    if name == "heart":
        error = answer.json()["error"]
        assert error["code"] == "no-such-game"
        assert "did you mean hearts" in error["message"]


def test_settings_are_checked(client):
    """A setup is what the game is with it; one that does not go together has the reason."""
    good = client.post(
        "/api/games/hearts/check", json={"preset": "standard", "options": {"PLAYERS": 3}}
    )
    assert len(good.json()["seats"]) == 3
    wrong = client.post("/api/games/hearts/check", json={"options": {"ROUNDS": 0, "END": 0}})
    assert wrong.status_code == 422
    assert "a game needs an end" in wrong.json()["error"]["message"]
    odd = client.post("/api/games/hearts/check", json={"options": {"PLAYERS": [1]}})
    assert odd.status_code == 422
    assert client.post("/api/games/hearts/check", json={"rules": "x"}).status_code == 422


def test_the_rules_in_recycle(client):
    """The rules come as they stand in the file, in pieces."""
    found = client.get("/api/games/kuhn/rules").json()
    assert "".join(text for text, _ in found["pieces"]).startswith(";; Kuhn poker")


@pytest.mark.usefixtures("_in_process")
def test_measurements_of_a_game(client):
    """Statistics and the diagram are those of the settings after the question mark."""
    usual = client.get("/api/games/kuhn/statistics").json()
    assert usual["length"]["most"] == 3
    three = client.get("/api/games/kuhn/statistics?set=PLAYERS=3").json()
    assert len(three["seats"]) == 3
    assert client.get("/api/games/kuhn/flow").json()["words"]
    picture = client.get("/api/games/kuhn/flow.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")


@pytest.mark.usefixtures("_in_process")
@pytest.mark.parametrize("query", ["set=PLAYERS", "set=ANTE=TWO", "preset=best", "set=NONE=1"])
def test_wrong_settings_are_not_measured(client, query):
    """Settings that the game has not are refused before anything is played."""
    answer = client.get(f"/api/games/kuhn/statistics?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid"


def test_too_many_settings_are_refused(client):
    """There is a limit on the options after a question mark."""
    query = "&".join(["set=PLAYERS=2"] * 101)
    assert client.get(f"/api/games/kuhn/statistics?{query}").status_code == 422


@pytest.mark.usefixtures("_in_process")
def test_games_in_files_of_the_owner_have_pages(tmp_path):
    """A file named when the server is started is listed first, and told as far as it tells."""
    file = tmp_path / "mine.rcy"
    file.write_text(";; Kuhn: My own poker.\n" + find("kuhn").text)
    broken = tmp_path / "broken.rcy"
    broken.write_text("(game")
    with in_process(files=(file, broken)) as client:
        listed = client.get("/api/games").json()
        assert listed["families"][0]["games"] == ["mine", "broken"]
        by_name = {game["name"]: game for game in listed["games"]}
        assert by_name["mine"]["players"] == [2]
        assert by_name["broken"]["players"] == []
        assert "broken.rcy" in by_name["broken"]["summary"]
        assert client.get("/games/mine").status_code == 200
        game = client.get("/api/games/mine").json()
        assert [option["name"] for option in game["options"]] == ["PLAYERS", "ANTE", "BET"]
        three = client.post("/api/games/mine/check", {"options": {"PLAYERS": 3}}).json()
        assert len(three["seats"]) == 3
        assert client.get("/api/games/mine/statistics").json()["games"] > 0
        assert client.get("/api/games/mine/rules").json()["pieces"][0][1] == "comment"
        for part in ("", "/statistics"):
            answer = client.get(f"/api/games/broken{part}")
            assert answer.status_code == 422
            assert "E1" in answer.json()["error"]["message"]
        assert client.get(f"/api/games/{str(file).replace('/', '%2F')}").status_code == 404
