"""What spectators see of a table on the server, in each way in which it can be watched."""

from __future__ import annotations

from in_process import in_process
from seated import drawing

from cardwright.web.table_routes import MOST

SEATS = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}]


def _table(client, watch, game="kuhn"):
    body = {"game": game, "seats": SEATS, "watch": watch, "pace": 0}
    with drawing(5):
        made = client.post("/api/tables", body).json()
    return [one["link"] for one in made["seats"]], made["watch"]


def _scene(client, link):
    answer = client.get(f"/api{link}")
    assert answer.status_code == 200, answer.text
    return answer.json()["scene"]


def _hands(scene):
    """Return how many cards are seen in the hands of all seats."""
    return [len(seat["hand"]) for seat in scene["seats"]]


def _play(client, links, moves):
    for number in range(moves):
        due = _scene(client, links[0])["due"]
        answer = client.post(f"/api{links[due]}/choose", {"number": number, "option": 0})
        assert answer.status_code == 200, answer.text


def test_nobody_watches_a_closed_table():
    """A table that nobody may watch has no link for it."""
    with in_process() as client:
        links, watch = _table(client, "no")
        assert watch is None
        assert _scene(client, links[0])["watch"] == "no"


def test_bystanders_see_what_lies_open():
    """In public spectators see no hand before the end, and cannot do anything."""
    with in_process() as client:
        links, watch = _table(client, "public")
        seen = _scene(client, watch)
        assert (seen["seat"], seen["watching"], seen["decision"]) == (None, "public", None)
        assert seen["hand"] == []
        assert _hands(seen) == [0, 0]
        assert [seat["cards"] for seat in seen["seats"]] == [1, 1]
        for command, body in (("choose", {"number": 0, "option": 0}), ("undo", {}), ("hint", {})):
            assert client.post(f"/api{watch}/{command}", body).status_code == 403
        _play(client, links, 2)
        assert _scene(client, watch)["over"]["seed"] == "5"


def test_open_hands_are_seen_when_all_people_agree():
    """Until then spectators see no hand; each seat is told, and sees no more than its own."""
    with in_process() as client:
        links, watch = _table(client, "open")
        for seat, link in enumerate(links):
            assert _hands(_scene(client, watch)) == [0, 0]
            assert _scene(client, link)["awaited"] == [0, 1][seat:]
            assert client.post(f"/api{link}/open", {"yes": True}).status_code == 200
        assert _hands(_scene(client, watch)) == [1, 1]
        for link in links:
            own = _scene(client, link)
            assert (own["watch"], own["awaited"]) == ("open", [])
            assert len(own["hand"]) == 1
            assert _hands(own) == [0, 0]


def test_open_hands_are_hidden_when_one_person_wants_it():
    """Only people decide that, and only where hands may be seen."""
    with in_process() as client:
        links, watch = _table(client, "open")
        for link in links:
            client.post(f"/api{link}/open", {"yes": True})
        assert client.post(f"/api{watch}/open", {"yes": True}).status_code == 403
        assert client.post(f"/api{links[1]}/open", {"yes": False}).status_code == 200
        assert _hands(_scene(client, watch)) == [0, 0]
        closed, _ = _table(client, "public")
        assert client.post(f"/api{closed[0]}/open", {"yes": True}).status_code == 403


def test_who_plays_alone_has_agreed():
    """Nobody else could be asked."""
    with in_process() as client:
        seats = [SEATS[0], {"kind": "computer", "player": "random"}]
        made = client.post("/api/tables", {"game": "kuhn", "seats": seats, "watch": "open"}).json()
        assert _hands(_scene(client, made["watch"])) == [1, 1]


def test_delayed_spectators_see_hands_of_deals_that_are_over():
    """With a delay spectators see neither hands nor moves of the deal that is played."""
    with in_process() as client:
        links, watch = _table(client, "delayed")
        assert _hands(_scene(client, watch)) == [0, 0]
        _play(client, links, 1)
        late = client.get(f"/api{watch}").json()
        assert late["events"] == []
        assert late["scene"]["number"] == 0
        assert late["scene"]["over"] is None
        _play_last(client, links)
        over = client.get(f"/api{watch}").json()
        assert over["scene"]["over"]
        assert len(over["events"]) == 2


def _play_last(client, links):
    due = _scene(client, links[0])["due"]
    assert client.post(f"/api{links[due]}/choose", {"number": 1, "option": 0}).status_code == 200


def test_listed_tables_are_told_while_they_are_in_play():
    """A table is listed if its maker says so and it can be watched, and until it is over."""
    with in_process() as client:
        for listed, watch in ((False, "public"), (True, "no")):
            body = {"game": "kuhn", "seats": SEATS, "watch": watch, "listed": listed}
            assert client.post("/api/tables", body).status_code == 201
        assert client.get("/api/tables").json() == {"tables": []}
        body = {"game": "kuhn", "seats": SEATS, "watch": "public", "listed": True}
        made = client.post("/api/tables", body).json()
        told = {"link": made["watch"], "title": "Kuhn Poker", "players": ["Ann", "Bob"]}
        assert client.get("/api/tables").json() == {"tables": [told]}
        _play(client, [one["link"] for one in made["seats"]], 2)
        assert client.get("/api/tables").json() == {"tables": []}
        for _ in range(MOST + 2):
            client.post("/api/tables", body)
        assert len(client.get("/api/tables").json()["tables"]) == MOST
