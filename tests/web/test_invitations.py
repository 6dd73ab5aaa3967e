"""Invitations: one link leads friends to free seats, and under an address that they reach."""

from __future__ import annotations

import asyncio

import pytest
from in_process import in_process, thinking_here
from seated import PERSON, RANDOM, Seated, table

from cardwright.table.table import PHRASES
from cardwright.web import addresses, invite_routes
from cardwright.web.addresses import own_base, public_bases
from cardwright.web.limits import Limits
from cardwright.web.site import SiteSettings

FREE = {"kind": "empty"}
NO_LIMITS = Limits(requests=1e6, burst=10**6)


@pytest.fixture(scope="module")
def client():
    with thinking_here(), in_process(own_limits=NO_LIMITS) as made:
        yield made


def invited(client, *seats, game="hearts", **wanted):
    """Make a table; return who sits there, and the address of the invitation's interface."""
    made = client.post("/api/tables", {"game": game, "pace": 0, "seats": list(seats), **wanted})
    assert made.status_code == 201, made.text
    links = made.json()
    people = [Seated(client, f"/api{one['link']}") for one in links["seats"]]
    return people, links["invite"] and f"/api{links['invite']}"


def join(client, invitation, name):
    answer = client.post(invitation, {"name": name})
    assert answer.status_code == 201, answer.text
    return Seated(client, f"/api{answer.json()['link']}")


def kinds(one):
    return [seat["kind"] for seat in one.look()["scene"]["seats"]]


def test_friends_get_free_seats_one_after_the_other(client):
    (ann,), invitation = invited(client, PERSON, FREE, RANDOM, FREE)
    before = client.get(invitation).json()
    assert (before["title"], before["next"], before["over"]) == ("Hearts", 1, False)
    bob = join(client, invitation, " Bob ")
    cleo = join(client, invitation, "Cleo")
    assert [bob.look()["scene"]["seat"], cleo.look()["scene"]["seat"]] == [1, 3]
    assert kinds(ann) == ["person", "person", "computer", "person"]
    names = [seat["name"] for seat in ann.look()["scene"]["seats"]]
    assert (names[1], names[3]) == ("Bob", "Cleo")
    assert ann.look()["events"][-1]["words"] == "sits down"
    assert client.get(invitation).json()["next"] is None
    refused = client.post(invitation, {"name": "Dan"})
    assert refused.json()["error"]["code"] == "conflict"
    assert kinds(ann)[2] == "computer"  # that of the table from the beginning


def test_a_table_waits_for_a_free_seat_and_computers_can_stand_in(client):
    """Whoever comes later takes the seat of one that stands in; a person keeps theirs."""
    (ann,), invitation = invited(client, PERSON, FREE, game="kuhn")
    bob_watches = ann.look()["scene"]["seats"][1]
    assert (bob_watches["kind"], bob_watches["here"]) == ("empty", False)
    assert ann.post("sit", seat=1, player="random").status_code == 200
    assert kinds(ann)[1] == "computer"
    assert client.get(invitation).json()["next"] == 1
    bob = join(client, invitation, "Bob")
    assert kinds(ann)[1] == "person"
    assert ann.code("sit", seat=1, player="random") == "conflict"
    bob.post("sit", seat=1, player="random")  # for a moment: nobody else gets the seat
    assert client.get(invitation).json()["next"] is None


def test_two_who_come_at_once_get_two_seats(tmp_path):
    """On a disk, where it takes a while until a link is kept."""
    with in_process(data=tmp_path, own_limits=NO_LIMITS) as client:
        _, invitation = invited(client, PERSON, FREE, FREE, RANDOM)

        async def come():
            names = ("Bob", "Cleo", "Dan")
            return await asyncio.gather(
                *(client.client.post(invitation, json={"name": name}) for name in names)
            )

        answers = client.run(come())
    assert sorted(one.status_code for one in answers) == [201, 201, 409]
    assert {one.json()["seat"] for one in answers if one.is_success} == {1, 2}


def test_an_invitation_is_no_link_to_a_table_and_no_link_an_invitation(client):
    (ann,), invitation = invited(client, PERSON, FREE, game="kuhn")
    token = invitation.rpartition("/")[2]
    for path in (f"/api/t/{token}", f"/api/t/{token}/events", f"/t/{token}"):
        assert client.get(path).status_code == 404
    assert client.post(f"/api/t/{token}/choose", {"number": 0, "option": 0}).status_code == 404
    seat = ann.api.rpartition("/")[2]
    assert client.get(f"/api/join/{seat}").status_code == 404
    assert client.post(f"/api/join/{seat}", {"name": "Eve"}).status_code == 404
    assert client.get(f"/join/{seat}").status_code == 404
    assert client.get(f"/join/{token}").status_code == 200
    (_,), none = invited(client, PERSON, RANDOM, game="kuhn")
    assert none is None


def test_an_invitation_shows_no_cards_and_no_choices(client):
    (ann,), invitation = invited(client, {**PERSON, "name": "Ann"}, FREE, game="kuhn")
    ann.choose()
    seen = client.get(invitation).json()
    assert seen == {
        "game": "kuhn", "title": "Kuhn Poker", "over": False, "next": 1,
        "seats": [{"name": "Ann", "kind": "person", "here": True},
                  {"name": "Player 2", "kind": "empty", "here": False}],
    }  # fmt: skip


def test_with_free_seats_nobody_knows_the_cards(client):
    """As with people: no seed, no hints, and whoever watches sees hands by consent only."""
    body = {"game": "kuhn", "seats": [PERSON, FREE], "seed": "5"}
    assert client.post("/api/tables", body).json()["error"]["code"] == "invalid"
    (ann,), _ = invited(client, PERSON, FREE, game="kuhn", watch="open")
    assert ann.code("hint") == "not-allowed"
    assert ann.look()["scene"]["awaited"] == [0]


def test_a_link_that_was_given_outlives_the_server(tmp_path):
    with thinking_here(), in_process(data=tmp_path, own_limits=NO_LIMITS) as client:
        _, invitation = invited(client, PERSON, FREE, FREE, RANDOM)
        bob = join(client, invitation, "Bob").api
    with in_process(data=tmp_path, own_limits=NO_LIMITS) as client:
        assert Seated(client, bob).look()["scene"]["seat"] == 1
        assert client.get(invitation).json()["next"] == 2


# Phrases --------------------------------------------------------------------------------------


def test_a_phrase_is_told_to_all_and_nothing_else_can_be_said(client):
    (ann, bob), watch = table(client, "kuhn", PERSON, PERSON)
    assert client.get("/api/phrases").json()["phrases"][0] == {
        "phrase": "hello", "words": PHRASES["hello"],
    }  # fmt: skip
    assert bob.post("say", phrase="hello").json() == {"said": "Hello!"}
    for one, words in ((ann, "says “Hello!”"), (bob, "say “Hello!”"), (watch, "says “Hello!”")):
        event = one.look()["events"][-1]
        assert (event["kind"], event["seat"], event["words"]) == ("phrase", 1, words)
    for wrong in ("Hello!", "you fool", "", None):
        assert bob.code("say", phrase=wrong) == "invalid"
    assert watch.code("say", phrase="hello") == "not-allowed"


def test_nobody_can_say_too_much(client, monkeypatch):
    (ann, bob), _ = table(client, "kuhn", PERSON, PERSON)
    for _ in range(invite_routes.SAID_AT_ONCE):
        assert ann.post("say", phrase="hello").is_success
    assert ann.code("say", phrase="hello") == "too-many"
    assert bob.post("say", phrase="hello").is_success
    monkeypatch.setattr(invite_routes, "MOST_SAID", 1)
    assert bob.code("say", phrase="hello") == "too-many"


# Addresses ------------------------------------------------------------------------------------


def test_others_are_told_an_address_that_they_reach(monkeypatch):
    monkeypatch.setattr(addresses, "own_address", lambda: "192.168.1.7")
    for settings, own, others in (
        (SiteSettings(), "http://127.0.0.1:8000", ()),
        (SiteSettings("0.0.0.0", 80, public=True), "http://127.0.0.1:80", ("http://192.168.1.7:80",)),
        (SiteSettings("::", 80, public=True), "http://[::1]:80", ("http://192.168.1.7:80",)),
        (SiteSettings("fd00::1", 80, public=True), "http://[fd00::1]:80", ("http://[fd00::1]:80",)),
        (SiteSettings("0.0.0.0", 80, public=True, names=("a.org", "b.org")), "http://127.0.0.1:80",
         ("http://a.org:80", "http://b.org:80")),
        (SiteSettings(public=True, names=("a.org",)), "http://127.0.0.1:8000", ("https://a.org",)),
        (SiteSettings(public=True), "http://127.0.0.1:8000", ()),
    ):  # fmt: skip
        assert (own_base(settings), public_bases(settings)) == (own, others)
    monkeypatch.setattr(addresses, "own_address", lambda: None)
    assert public_bases(SiteSettings("0.0.0.0", public=True)) == ()


def test_where_nobody_reaches_the_server_it_says_why(client):
    alone = client.get("/api/reach").json()
    assert (alone["addresses"], "serve --public" in alone["why"]) == ([], True)
    with in_process(public=True, host="10.0.0.1") as public:
        found = public.get("/api/reach").json()
        assert found == {"addresses": ["http://10.0.0.1:8000"], "why": None}
    with in_process(public=True) as nowhere:
        assert "no network" in nowhere.get("/api/reach").json()["why"]


def test_a_link_has_a_code(client):
    code = client.post("/api/qr", {"text": "http://10.0.0.1:8000/join/" + "A" * 22}).json()
    assert code["size"] == 33
    assert code["path"].startswith("M0 0h")
    for wrong in ("ä" * 106, "A" * 107):
        assert client.post("/api/qr", {"text": wrong}).json()["error"]["code"] == "invalid"
