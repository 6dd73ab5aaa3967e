"""Who may ask how often, under which names, and what every answer says."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from in_process import in_process

from cardwright.web.limits import OWN, STRANGERS, Limits
from cardwright.web.rates import RateLimit, network_of
from cardwright.web.security import HEADERS, OF_ASSETS

PATHS = ("/", "/static/js/api.js", "/api/openapi.json", "/api/nothing", "/nothing", "/studio")


def test_a_bucket_allows_a_burst_and_then_so_many_a_second():
    now = [0.0]
    limit = RateLimit(2.0, 3, lambda: now[0])
    assert [limit.take("192.0.2.1") for _ in range(3)] == [0, 0, 0]
    assert limit.take("192.0.2.1") == pytest.approx(0.5)
    assert limit.take("192.0.2.2") == 0
    now[0] = 0.5
    assert limit.take("192.0.2.1") == 0
    assert limit.take("192.0.2.1") > 0
    now[0] = 1000.0
    assert [limit.take("192.0.2.1") > 0 for _ in range(4)] == [False, False, False, True]


def test_many_addresses_cost_a_bounded_memory():
    limit = RateLimit(1.0, 1)
    for number in range(30_000):
        limit.take(str(number))
    assert len(limit._buckets) <= 20_001


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("unix", "unix"),
    ],
)
def test_a_household_is_one_address(address, network):
    assert network_of(address) == network


def test_too_many_requests_are_refused_and_say_when_to_come_back():
    with in_process(own_limits=Limits(requests=1.0, burst=3)) as client:
        codes = [client.get("/api/openapi.json").status_code for _ in range(4)]
        assert codes == [200, 200, 200, 429]
        answer = client.get("/api/openapi.json")
        assert answer.headers["retry-after"] == "1"
        assert answer.json()["error"]["code"] == "too-many"


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_has_the_headers_of_security(path):
    with in_process() as client:
        answer = client.get(path)
        for name, value in HEADERS.items():
            if name in OF_ASSETS or not path.endswith(".js"):
                assert answer.headers[name] == value
        assert "unsafe" not in answer.headers.get("content-security-policy", "")
        told = answer.headers["cache-control"]
        assert told == ("no-cache" if answer.is_success and "/api/" not in path else "no-store")
        head = client.request("HEAD", path)
        assert head.content == b""
        assert head.status_code == answer.status_code


def test_static_files_are_asked_for_again_only_if_they_have_changed():
    with in_process() as client:
        first = client.get("/static/js/api.js")
        again = client.get("/static/js/api.js", headers={"If-None-Match": first.headers["etag"]})
        assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
        packed = client.get("/static/js/api.js", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"


def test_what_tells_of_hands_is_not_compressed_and_not_kept():
    """Compression would tell the length of what is secret to who can choose a part of it."""
    with in_process() as client:
        links = client.post("/api/tables", {"game": "hearts"}).json()
        look = client.get(f"/api{links['seats'][0]['link']}", headers={"Accept-Encoding": "gzip"})
        assert len(look.content) > 2000
        assert "content-encoding" not in look.headers
        assert look.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("host", "alone", "public"),
    [
        ("localhost", True, True), ("127.0.0.1:8000", True, True), ("[::1]:8000", True, True),
        ("192.0.2.7:8000", False, True), ("[2001:db8::1]", False, True),
        ("cards.example.org", True, True), ("CARDS.example.org", True, True),
        ("other.example.org", False, False), ("192.0.2.7.example.org", False, False),
        ("localhost.", False, False), ("0x7f000001", False, False), ("", False, False),
        (f"{socket.gethostname()}:8000", True, True),
    ],
)  # fmt: skip
def test_hosts(host, alone, public):
    """Alone there are this machine's names; for others every address, as none can be forged."""
    for settings, allowed in (({}, alone), ({"public": True}, public)):
        with in_process(names=("cards.example.org",), **settings) as client:
            answer = client.get("/api/openapi.json", headers={"Host": host})
            assert answer.status_code == (200 if allowed else 421)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_options_says_what_an_address_takes(method):
    path = "/api/tables" if method == "POST" else "/api/openapi.json"
    with in_process() as client:
        answer = client.request("OPTIONS", path)
        assert answer.status_code == 204
        assert method in answer.headers["allow"].split(", ")
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_people_get_pages_and_programs_get_json():
    with in_process() as client:
        page = client.get("/nothing", headers={"Accept": "text/html,*/*"})
        assert page.headers["content-type"].startswith("text/html")
        assert "<h1>There is no such page</h1>" in page.text
        data = client.get("/nothing")
        assert data.json()["error"]["code"] == "no-such-page"
        link = client.get("/t/" + "A" * 22, headers={"Accept": "text/html"})
        assert (link.status_code, "no such table" in link.text) == (404, True)


def test_a_bug_is_told_without_a_word_of_the_program(monkeypatch, caplog):
    with in_process() as client:

        def bug(*_):
            raise ZeroDivisionError("secret words")

        monkeypatch.setattr(client.site.tables, "make", bug)
        monkeypatch.setattr(client.site.tables, "find", bug)
        client.get("/api/t/AbCdEfGhIjKlMnOpQrStUv/save")
        answer = client.post("/api/tables", {"game": "kuhn"})
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "broken"
    assert "secret" not in answer.text
    assert "ZeroDivisionError: secret words" in caplog.text
    assert "Traceback" not in caplog.text
    assert "at GET /api/t/.../save" in caplog.text
    assert "AbCdEf" not in caplog.text


def test_the_limits_are_those_of_the_page():
    """Every number in the table of docs/browser.md."""
    page = (Path(__file__).parents[2] / "docs/browser.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|]*) \| ([0-9, ]*) \| ([0-9, ]*) \|$", page, re.MULTILINE)
    fields = (
        ("requests", "burst"), ("connections",), ("streams", "all_streams"), ("tables_each",),
        ("tables",), ("days",), ("games",), ("source",), ("iterations",), ("milliseconds",),
    )  # fmt: skip
    assert len(rows) == len(fields)
    for (words, *cells), names in zip(rows, fields, strict=True):
        for cell, limits in zip(cells, (OWN, STRANGERS), strict=True):
            told = [int(one.replace(",", "")) for one in cell.split(", ")]
            assert told == [getattr(limits, name) for name in names], words
