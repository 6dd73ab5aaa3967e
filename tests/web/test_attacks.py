"""Attacks: forged, malformed, oversized, late and foreign requests are refused; nothing is lost."""

from __future__ import annotations

import json
from http.client import HTTPResponse
from io import BytesIO

import pytest
from attacks import ATTACKS, Target
from seated import drawing
from threaded import threaded

from cardwright.web import api_route
from cardwright.web.limits import Limits
from cardwright.web.security import HEADERS

PEOPLE = [{"kind": "person", "name": "Ann"}, {"kind": "person", "name": "Bob"}]


class Received:
    """An answer as it came."""

    def __init__(self, content: bytes, *, head: bool = False) -> None:
        self.content = content
        self.status, self.headers, self.body = 0, {}, b""
        if content:
            answer = HTTPResponse(Reading(content), method="HEAD" if head else "GET")
            answer.begin()
            self.status = answer.status
            self.headers = {name.lower(): text for name, text in answer.getheaders()}
            self.body = answer.read()

    @property
    def code(self) -> str | None:
        if not (self.body and self.headers["content-type"] == "application/json"):
            return None
        return json.loads(self.body).get("error", {}).get("code")


class Reading:
    def __init__(self, content: bytes) -> None:
        self._content = content

    def makefile(self, _mode: str) -> BytesIO:
        return BytesIO(self._content)


@pytest.fixture(scope="module")
def site():
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(api_route, "PATIENCE", 0.5)
        with threaded(own_limits=Limits(requests=1e6, burst=10**6)) as served:
            yield served


def asked(site, path, sent=None):
    method, content = ("GET", b"") if sent is None else ("POST", json.dumps(sent).encode())
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    if content:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return Received(site.send(head.encode() + b"\r\n" + content))


@pytest.fixture(scope="module")
def target(site):
    """A table at which Ann has decided and Bob is due."""
    wanted = {"game": "kuhn", "seats": PEOPLE}
    with drawing(5):
        made = json.loads(asked(site, "/api/tables", wanted).body)
    ann, bob = (one["link"].rpartition("/")[2] for one in made["seats"])
    found = Target(site.port, ann, bob, made["watch"].rpartition("/")[2])
    assert asked(site, f"/api/t/{ann}/choose", {"number": 0, "option": 0}).status == 200
    return found


def kept(site, target):
    """Return all that there is: what each link shows, and what is stored."""
    looks = [json.loads(asked(site, f"/api/t/{one}").body) for one in links(target)]
    for look in looks:
        for seat in look["scene"]["seats"]:
            del seat["here"]
    count = site.run(site.site.store.count())
    names = [site.run(site.site.tables.find(one))[0].name for one in links(target)]
    stored = [site.run(site.site.store.table(name)) for name in names]
    return looks, count, stored


def links(target):
    return target.ann, target.bob, target.watch


@pytest.fixture(scope="module")
def before(site, target):
    return kept(site, target)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name.replace(" ", "-"))
def test_an_attack_is_refused_and_nothing_is_lost(site, target, before, attack):
    content = site.send(attack.content(target), *attack.more, close=attack.close)
    answer = Received(content, head=attack.line.startswith("HEAD"))
    assert (answer.status, answer.code) == (attack.status, attack.code), content[:400]
    assert kept(site, target) == before
    assert b"Traceback" not in content
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert "set-cookie" not in answer.headers
    if answer.code is not None:
        assert (
            HEADERS.items() <= {name: answer.headers.get(name.lower()) for name in HEADERS}.items()
        )
        assert json.loads(answer.body)["error"]["message"]


def test_there_are_at_least_sixty_and_none_twice():
    assert len(ATTACKS) >= 60
    sent = {(one.line, one.headers, one.body, one.host, one.more, one.close) for one in ATTACKS}
    assert len(sent) == len(ATTACKS)


def test_what_is_attacked_works_if_it_is_asked_for_properly(site, target):
    """The requests are refused for what is wrong with them, not for the rest."""
    origin = f"Origin: http://127.0.0.1:{site.port}\r\nSec-Fetch-Site: same-origin\r\n"
    content = b'{"number": 1, "option": 0}'
    head = (
        f"POST /api/t/{target.bob}/choose HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n{origin}"
        f"Content-Type: application/json; charset=utf-8\r\nContent-Length: {len(content)}\r\n"
        "Connection: close\r\n\r\n"
    )
    assert Received(site.send(head.encode() + content)).status == 200
