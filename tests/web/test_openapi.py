"""The description of the interface is that of what is served, and answers are as it says."""

from __future__ import annotations

import asyncio
import json

import pytest
from in_process import in_process, thinking_here
from starlette.routing import Mount, Route

from cardwright.web.api_route import ServedApiRoute
from cardwright.web.limits import Limits
from cardwright.web.openapi import PATH, SCHEMAS
from cardwright.web.refusal import STATUSES
from cardwright.web.schema import complaint

SEATS = [{"kind": "person", "name": "Ann"}, {"kind": "computer", "player": "random"}]
WORDS = {
    "$ref", "type", "properties", "required", "additionalProperties", "items", "enum", "anyOf",
    "description", "minimum", "maximum", "maxLength", "maxItems", "maxProperties",
}  # fmt: skip


@pytest.fixture(scope="module")
def client():
    with thinking_here(), in_process(own_limits=Limits(requests=1e6, burst=10**6)) as made:
        yield made


@pytest.fixture(scope="module")
def described(client):
    return client.get(PATH).json()


def routes_of(client):
    app = client.app
    return [route for route in app.router.routes if isinstance(route, Route)]


def test_every_route_of_the_interface_is_described_and_no_other(client, described):
    served = {
        (route.path, route.api.method.lower())
        for route in routes_of(client)
        if isinstance(route, ServedApiRoute)
    }
    told = {(path, method) for path, found in described["paths"].items() for method in found}
    assert told == served
    assert (PATH, "get") in told
    plain = {route.path for route in routes_of(client) if not isinstance(route, ServedApiRoute)}
    assert [path for path in plain if path.startswith("/api/")] == ["/api/"]  # a page about it
    assert [one.path for one in client.app.router.routes if isinstance(one, Mount)] == ["/static"]


def test_operations_have_names_of_their_own_and_words(described):
    operations = [one for found in described["paths"].values() for one in found.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    assert all(one["summary"] for one in operations)


def schemas_in(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "schema":
                yield inner
            yield from schemas_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from schemas_in(inner)


def parts_of(schema):
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from parts_of(inner)
    for word in ("items", "additionalProperties"):
        if isinstance(schema.get(word), dict):
            yield from parts_of(schema[word])
    for inner in schema.get("anyOf", ()):
        yield from parts_of(inner)


def test_schemas_use_words_that_are_checked_and_names_that_there_are(described):
    """The check of requests knows a part of JSON Schema; nothing is described beyond it."""
    for schema in (*schemas_in(described["paths"]), *described["components"]["schemas"].values()):
        for part in parts_of(schema):
            assert part.keys() <= WORDS, part
            if "$ref" in part:
                assert part["$ref"].rpartition("/")[2] in described["components"]["schemas"]


def given(described, method, path):
    """Return the schema of the good answer of an operation."""
    (good,) = [
        answer
        for status, answer in described["paths"][path][method]["responses"].items()
        if status.startswith("2")
    ]
    (content,) = good["content"].values()
    return content["schema"]


def fits(described, answer, method, path):
    good = answer.is_success
    schema = given(described, method, path) if good else {"$ref": "#/components/schemas/Error"}
    found = complaint(answer.json(), schema, SCHEMAS)
    assert found is None, f"{path}: {found}: {answer.text[:300]}"
    told = described["paths"][path][method]["responses"]
    assert str(answer.status_code) in told, (path, answer.status_code)
    if not good:
        code = answer.json()["error"]["code"]
        assert STATUSES[code] == answer.status_code
        assert code in told[str(answer.status_code)]["description"].split(", ")
    return answer.json()


@pytest.mark.parametrize("game", ["kuhn", "hearts", "coup"])
def test_answers_of_tables_are_as_described(client, described, game):
    """A game played to its end, with every kind of request, good and bad."""
    at = "/api/t/{token}"
    made = client.post("/api/tables", {"game": game, "seed": "3", "pace": 0, "practice": True})
    links = fits(described, made, "post", "/api/tables")
    table = f"/api{links['seats'][0]['link']}"
    watch = f"/api{links['watch']}"
    posts = {
        "choose": [{"number": 99, "option": 0}, {"number": 0, "option": 9999}, {}],
        "claim": [{"number": 0}, {"number": 99}, {}],
        "reconsider": [{"number": 1}, {}],
        "again": [{}, {"player": "no-such-player"}, {"x": 1}],
        "undo": [{}],
        "agree": [{"yes": True}],
        "sit": [{"seat": 1, "player": "first"}, {"seat": 99, "player": None}],
        "name": [{"name": "Ann"}, {"name": ""}],
        "pace": [{"pace": 0}, {"pace": -1}],
        "why": [{"card": 1}, {"card": 10**9}],
        "hint": [{}, {"x": 1}],
        "record": [{"key": "A" * 22}, {"key": ""}, {}],
    }
    for path in (table, watch):
        fits(described, client.get(path), "get", at)
        fits(described, client.get(f"{path}?since=2"), "get", at)
        for name, bodies in posts.items():
            for body in bodies:
                answer = client.post(f"{path}/{name}", body)
                fits(described, answer, "post", f"{at}/{name}")
    missing = client.get("/api/t/AAAAAAAAAAAAAAAAAAAAAA")
    fits(described, missing, "get", at)
    assert missing.status_code == 404


def test_answers_of_a_finished_game_are_as_described(client, described):
    made = client.post("/api/tables", {"game": "kuhn", "seed": "3", "pace": 0, "seats": SEATS})
    table = f"/api{made.json()['seats'][0]['link']}"

    async def played():
        while True:
            seen = (await client.client.get(table)).json()
            if seen["scene"]["over"]:
                return
            if seen["scene"]["decision"]:
                body = {"number": seen["scene"]["number"], "option": 0}
                await client.client.post(f"{table}/choose", json=body)
            await asyncio.sleep(0.01)

    client.run(played())
    seen = fits(described, client.get(table), "get", "/api/t/{token}")
    assert seen["scene"]["over"]["seed"] == "3"
    over = client.post(f"{table}/choose", {"number": seen["scene"]["number"], "option": 0})
    assert fits(described, over, "post", "/api/t/{token}/choose")["error"]["code"] == "game-over"
    key = {"key": "A" * 22}
    assert fits(described, client.post(f"{table}/record", key), "post", "/api/t/{token}/record")
    assert fits(described, client.post("/api/record", key), "post", "/api/record")["games"]
    removed = client.post("/api/record/remove", key)
    assert fits(described, removed, "post", "/api/record/remove") == {"removed": 1}


def test_the_description_is_json_without_references_to_nothing(described):
    assert json.loads(json.dumps(described)) == described
    assert described["openapi"].startswith("3.1")
