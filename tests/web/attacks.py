"""Requests that must be refused, as the bytes that are sent, with the status and code they get."""

# ruff: noqa: E501 - a request a line, so that they can be looked through
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

JSON = "application/json"
GUESS = "AAAAAAAAAAAAAAAAAAAAAA"


@dataclass(frozen=True)
class Target:
    """What an attacker knows: the port, and links it may have come by.

    `ann` has made a decision, and `bob` is due; `watch` is a spectator's.
    """

    port: int
    ann: str
    bob: str
    watch: str

    def fill(self, text: str) -> str:
        """Put links in the place of their names."""
        for name in ("ann", "bob", "watch", "port"):
            text = text.replace(f"<{name}>", str(getattr(self, name)))
        return text


@dataclass(frozen=True)
class Attack:
    """A request: its line, headers and body. A `code` of None is for answers of the HTTP layer.

    `host` is there unless it is empty; `length` says whether the length of the body is sent.
    `more` is sent later, and `close` ends the sending.
    """

    name: str
    line: str
    status: int
    code: str | None
    headers: tuple[str, ...] = ()
    body: bytes = b""
    host: str = "127.0.0.1:<port>"
    length: bool = True
    more: tuple[bytes, ...] = ()
    close: bool = False

    def content(self, target: Target) -> bytes:
        """Return the bytes that are sent."""
        lines = [f"{self.line} HTTP/1.1" if " HTTP/" not in self.line else self.line]
        if self.host:
            lines.append(f"Host: {self.host}")
        lines += self.headers
        if self.length and (self.body or self.line.startswith("POST")):
            lines.append(f"Content-Length: {len(self.body)}")
        lines.append("Connection: close")
        head = target.fill("\r\n".join(lines)).encode("utf-8", "surrogateescape")
        return head + b"\r\n\r\n" + self.body


def _post(name: str, path: str, body: Any, status: int, code: str, *headers: str) -> Attack:
    """Return a POST of JSON; `body` may be bytes as they are."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Attack(name, f"POST {path}", status, code, (f"Content-Type: {JSON}", *headers), content)


def _choose(name: str, body: Any, status: int, code: str, *headers: str) -> Attack:
    return _post(name, "/api/t/<bob>/choose", body, status, code, *headers)


def _typed(name: str, kind: str | None) -> Attack:
    headers = () if kind is None else (f"Content-Type: {kind}",)
    body = b'{"number": 1, "option": 0}'
    return Attack(name, "POST /api/t/<bob>/choose", 415, "wrong-type", headers, body)


def _get(name: str, path: str, status: int, code: str | None, *headers: str) -> Attack:
    return Attack(name, f"GET {path}", status, code, headers)


def _table(name: str, body: Any, status: int, code: str) -> Attack:
    return _post(name, "/api/tables", body, status, code)


MOVE = {"number": 1, "option": 0}
SEATS = [{"kind": "person"}, {"kind": "person"}]

NAMES = (
    Attack("no host", "GET /", 400, None, host=""),
    Attack("another host", "GET /", 421, "wrong-host", host="evil.example"),
    Attack("a host that begins like ours", "GET /", 421, "wrong-host", host="localhost.evil.example"),
    Attack("a name that leads to an address", "GET /", 421, "wrong-host", host="127.0.0.1.nip.io"),
    Attack("a host with a user", "GET /", 421, "wrong-host", host="localhost@evil.example"),
    Attack("a host of another network", "GET /", 421, "wrong-host", host="192.168.1.1"),
    Attack("an address as a number", "GET /", 421, "wrong-host", host="2130706433"),
    Attack("an empty host", "GET /", 421, "wrong-host", ("Host:",), host=""),
    Attack("two hosts", "GET /", 400, None, ("Host: evil.example",)),
    Attack("a host with a path", "GET /", 421, "wrong-host", host="localhost/evil"),
    Attack("another host in the line", "GET http://evil.example/api/t/<ann>", 404, "no-such-page"),
    Attack(
        "a choice under another host", "POST /api/t/<bob>/choose", 421, "wrong-host",
        (f"Content-Type: {JSON}",), b'{"number": 1, "option": 0}', host="evil.example",
    ),
)  # fmt: skip

ORIGINS = (
    _choose("another origin", MOVE, 403, "wrong-origin", "Origin: https://evil.example"),
    _choose("no origin at all", MOVE, 403, "wrong-origin", "Origin: null"),
    _choose("an empty origin", MOVE, 403, "wrong-origin", "Origin:"),
    _choose("a file as origin", MOVE, 403, "wrong-origin", "Origin: file://"),
    _choose("another port", MOVE, 403, "wrong-origin", "Origin: http://127.0.0.1:1"),
    _choose("another name of this machine", MOVE, 403, "wrong-origin", "Origin: http://localhost:<port>"),
    _choose("an origin that begins like ours", MOVE, 403, "wrong-origin",
            "Origin: http://127.0.0.1:<port>.evil.example"),
    _choose("an origin with a user", MOVE, 403, "wrong-origin",
            "Origin: http://127.0.0.1:<port>@evil.example"),
    _choose("two origins", MOVE, 403, "wrong-origin", "Origin: http://127.0.0.1:<port>",
            "Origin: https://evil.example"),
    _choose("a cross-site fetch", MOVE, 403, "wrong-origin", "Sec-Fetch-Site: cross-site"),
    _choose("a same-site fetch", MOVE, 403, "wrong-origin", "Sec-Fetch-Site: same-site"),
    _post("a table from elsewhere", "/api/tables", {"game": "kuhn"}, 403, "wrong-origin",
          "Origin: https://evil.example"),
    _get("a stream from elsewhere", "/api/t/<ann>/events", 403, "wrong-origin",
         "Origin: https://evil.example"),
    _get("a stream without CORS", "/api/t/<ann>/events", 403, "wrong-origin", "Sec-Fetch-Site: cross-site"),
    _get("a look from elsewhere", "/api/t/<ann>", 403, "wrong-origin", "Sec-Fetch-Site: cross-site"),
    _get("a script used elsewhere", "/static/js/api.js", 403, "wrong-origin", "Sec-Fetch-Site: cross-site"),
    Attack("a preflight", "OPTIONS /api/t/<bob>/choose", 403, "wrong-origin",
           ("Origin: https://evil.example", "Access-Control-Request-Method: POST")),
)  # fmt: skip

KINDS = (
    _typed("a form", "application/x-www-form-urlencoded"),
    _typed("a form with parts", "multipart/form-data; boundary=x"),
    _typed("plain text", "text/plain"),
    _typed("no type", None),
    _typed("nearly JSON", "application/json-patch+json"),
    _typed("JSON in a parameter", "text/plain; application/json"),
)

METHODS = (
    Attack("a choice by GET", "GET /api/t/<bob>/choose?number=1&option=0", 405, "wrong-method"),
    Attack("a look by POST", "POST /api/t/<bob>", 405, "wrong-method", (f"Content-Type: {JSON}",), b"{}"),
    Attack("PUT", "PUT /api/t/<bob>/choose", 405, "wrong-method"),
    Attack("DELETE", "DELETE /api/t/<bob>", 405, "wrong-method"),
    Attack("PATCH", "PATCH /api/t/<bob>", 405, "wrong-method"),
    Attack("TRACE", "TRACE /api/t/<bob>", 405, "wrong-method"),
    Attack("CONNECT", "CONNECT evil.example:443", 405, "wrong-method"),
    Attack("no method there is", "HACK /", 405, "wrong-method"),
    Attack("HEAD of a choice", "HEAD /api/t/<bob>/choose", 405, None),
    Attack("no HTTP", "SSH-2.0-OpenSSH_9.6", 400, None),
    Attack("HTTP/2", "PRI * HTTP/2.0", 405, "wrong-method"),
)  # fmt: skip

BODIES = (
    _choose("nothing", b"", 400, "malformed"),
    _choose("a list", [1, 0], 400, "malformed"),
    _choose("null", None, 400, "malformed"),
    _choose("a part", b'{"number": 1, "opt', 400, "malformed"),
    _choose("two objects", b'{"number": 1, "option": 0}{}', 400, "malformed"),
    _choose("not a number", b'{"number": NaN, "option": 0}', 400, "malformed"),
    _choose("an infinite number", b'{"number": 1, "option": -Infinity}', 400, "malformed"),
    _choose("a member twice", b'{"number": 0, "number": 1, "option": 0}', 400, "malformed"),
    _choose("not UTF-8", b'{"number": 1, "option": 0, "x": "\xff"}', 400, "malformed"),
    _choose("UTF-16", '{"number": 1, "option": 0}'.encode("utf-16"), 400, "malformed"),
    _choose("a byte order mark", '\ufeff{"number": 1, "option": 0}'.encode(), 400, "malformed"),
    _choose("packed", b"\x1f\x8b\x08\x00\x00", 400, "malformed", "Content-Encoding: gzip"),
    _choose("deep lists", b"[" * 8000, 400, "malformed"),
    _choose("deep objects", b'{"a":' * 3000, 400, "malformed"),
    _choose("a huge number", b'{"number": 1, "option": ' + b"9" * 9000 + b"}", 400, "malformed"),
    _choose("a number beyond all", b'{"number": 1, "option": 1e999}', 400, "malformed"),
    _choose("a large number", {"number": 1, "option": 2**63}, 422, "invalid"),
    _choose("a negative number", {"number": 1, "option": -1}, 422, "invalid"),
    _choose("a fraction", {"number": 1, "option": 0.5}, 422, "invalid"),
    _choose("a text", {"number": "1", "option": 0}, 422, "invalid"),
    _choose("a truth", {"number": True, "option": 0}, 422, "invalid"),
    _choose("a list for a number", {"number": 1, "option": [0]}, 422, "invalid"),
    _choose("a member too few", {"number": 1}, 422, "invalid"),
    _choose("a seat of one's choice", {**MOVE, "seat": 0}, 422, "invalid"),
    _choose("a prototype", {**MOVE, "__proto__": {"seat": 0}}, 422, "invalid"),
    _choose("a large body", b" " * 20_000 + b"{}", 413, "too-large"),
    Attack("a body that will be large", "POST /api/t/<bob>/choose", 413, "too-large",
           (f"Content-Type: {JSON}", "Content-Length: 1000000000000"), b"{", length=False),
    Attack("a large body in chunks", "POST /api/t/<bob>/choose", 413, "too-large",
           (f"Content-Type: {JSON}", "Transfer-Encoding: chunked"),
           b"4e20\r\n" + b" " * 20_000 + b"\r\n0\r\n\r\n", length=False),
    Attack("a negative length", "POST /api/t/<bob>/choose", 400, None,
           (f"Content-Type: {JSON}", "Content-Length: -1"), b"{}", length=False),
    Attack("two lengths", "POST /api/t/<bob>/choose", 400, None,
           (f"Content-Type: {JSON}", "Content-Length: 2", "Content-Length: 26"),
           b'{"number": 1, "option": 0}', length=False),
    Attack("a broken chunk", "POST /api/t/<bob>/choose", 400, None,
           (f"Content-Type: {JSON}", "Transfer-Encoding: chunked"), b"zz\r\n{}\r\n", length=False),
    Attack("an unknown coding", "POST /api/t/<bob>/choose", 400, None,
           (f"Content-Type: {JSON}", "Transfer-Encoding: gzip, chunked"), b"0\r\n\r\n", length=False),
    Attack("a body that never ends", "POST /api/t/<bob>/choose", 408, "slow",
           (f"Content-Type: {JSON}", "Content-Length: 26"), b'{"number"', length=False,
           more=(b": 1",)),
    Attack("a body that is not finished", "POST /api/t/<bob>/choose", 0, None,
           (f"Content-Type: {JSON}", "Content-Length: 26"), b'{"number": 1, "option": 0', length=False,
           close=True),
)  # fmt: skip

LINKS = (
    _get("a guessed link", f"/api/t/{GUESS}", 404, "no-such-table"),
    _get("the page of a guessed link", f"/t/{GUESS}", 404, "no-such-table"),
    _post("a choice by a guessed link", f"/api/t/{GUESS}/choose", MOVE, 404, "no-such-table"),
    _get(
        "a link in capitals",
        "/api/t/<ann>".upper().replace("<ANN>", "<ann>").replace("/API/T", "/API/t"),
        404,
        "no-such-page",
    ),
    _get("a link and more", "/api/t/<ann>A", 404, "no-such-table"),
    _get("a link with a stroke", "/api/t/<ann>/", 404, "no-such-page"),
    _get("a link with a zero byte", "/api/t/<ann>%00", 404, "no-such-table"),
    _get("a link with a line", "/api/t/<ann>%0a", 404, "no-such-table"),
    _get("no link", "/api/t/", 404, "no-such-page"),
    _get("a link of SQL", "/api/t/'%20OR%20'1'='1", 404, "no-such-table"),
    _get("a link that is no text", "/api/t/%ff%fe", 404, "no-such-table"),
    _get("a link of another script", "/api/t/%D0%B0%D0%B0%D0%B0", 404, "no-such-table"),
    _get("the link as a parameter", "/api/t/x?token=<ann>", 404, "no-such-table"),
    _get("a long address", "/api/t/" + "A" * 5000, 414, "long-address"),
    _get("a long parameter", "/api/t/<ann>?since=" + "1" * 5000, 414, "long-address"),
)

PLAY = (
    _post("a choice of somebody else", "/api/t/<ann>/choose", MOVE, 409, "not-your-turn"),
    _post("a choice of a spectator", "/api/t/<watch>/choose", MOVE, 403, "not-allowed"),
    _post("a choice again", "/api/t/<ann>/choose", {"number": 0, "option": 0}, 409, "stale"),
    _choose("a choice too early", {"number": 2, "option": 0}, 409, "stale"),
    _choose("no option there is", {"number": 1, "option": 99}, 409, "illegal-option"),
    _post("another's seat", "/api/t/<bob>/sit", {"seat": 0, "player": None}, 403, "not-allowed"),
    _post("a player for somebody who has just left", "/api/t/<bob>/sit", {"seat": 0, "player": "random"}, 409, "conflict"),
    _post("a program as player", "/api/t/<bob>/sit", {"seat": 1, "player": "python:/etc/passwd:X"}, 422, "invalid"),
    _post("a file as player", "/api/t/<bob>/sit", {"seat": 1, "player": "solved:/etc/passwd"}, 422, "invalid"),
    _post("a player that thinks for ever", "/api/t/<bob>/sit", {"seat": 1, "player": "ismcts:iterations=99999999"}, 422, "invalid"),
    _post("no seat there is", "/api/t/<bob>/sit", {"seat": 15, "player": "random"}, 422, "invalid"),
    _post("moves back, where that is not allowed", "/api/t/<ann>/undo", {}, 403, "not-allowed"),
    _post("an agreement to nothing", "/api/t/<bob>/agree", {"yes": True}, 403, "not-allowed"),
    _post("a hint among people", "/api/t/<bob>/hint", {}, 403, "not-allowed"),
    _post("a hint of a spectator", "/api/t/<watch>/hint", {}, 403, "not-allowed"),
    _post("a name of lines", "/api/t/<ann>/name", {"name": "a\r\nSet-Cookie: x=1"}, 422, "invalid"),
    _post("a name that turns text round", "/api/t/<ann>/name", {"name": "\u202eevil"}, 422, "invalid"),
    _post("half a character", "/api/t/<ann>/name", b'{"name": "\\ud800"}', 400, "malformed"),
    _post("a long name", "/api/t/<ann>/name", {"name": "x" * 5000}, 422, "invalid"),
    _post("a pace without end", "/api/t/<ann>/pace", {"pace": 1e308}, 422, "invalid"),
    _post("a pace below 0", "/api/t/<ann>/pace", {"pace": -1}, 422, "invalid"),
    _post("a reason for another's card", "/api/t/<bob>/why", {"card": 0}, 409, "conflict"),
    _get("the file before the end", "/api/t/<ann>/save", 409, "not-over"),
)  # fmt: skip

KEY = "A" * 22

RECORDS = (
    _post("a game that is not over", "/api/t/<ann>/record", {"key": KEY}, 409, "not-over"),
    _post("a spectator's game", "/api/t/<watch>/record", {"key": KEY}, 403, "not-allowed"),
    _post("a game by a guessed link", f"/api/t/{GUESS}/record", {"key": KEY}, 404, "no-such-table"),
    _post("a short key", "/api/record", {"key": "A"}, 422, "invalid"),
    _post("a long key", "/api/record", {"key": "A" * 5000}, 422, "invalid"),
    _post("a key of SQL", "/api/record", {"key": "' OR '1'='1' -- ......"}, 422, "invalid"),
    _post("no key", "/api/record/remove", {"games": []}, 422, "invalid"),
    _post("a game as it pleases", "/api/t/<ann>/record", {"key": KEY, "won": True}, 422, "invalid"),
    _post("a record of all", "/api/record", {"key": None}, 422, "invalid"),
    _post("a game of no record", "/api/record/remove", {"key": KEY, "games": ["x' OR 1"]}, 422, "invalid"),
    _post("very many games", "/api/record/remove", {"key": KEY, "games": ["a"] * 3000}, 422, "invalid"),
    _get("a record in an address", f"/api/record?key={KEY}", 405, "wrong-method"),
    _post("a record for another site", "/api/record", {"key": KEY}, 403, "wrong-origin",
          "Origin: https://evil.example"),
)  # fmt: skip

INVITATIONS = (
    _get("an invitation by a guessed link", f"/api/join/{GUESS}", 404, "no-such-table"),
    _get("an invitation by the link of a seat", "/api/join/<ann>", 404, "no-such-table"),
    _get("an invitation by a spectator's link", "/api/join/<watch>", 404, "no-such-table"),
    _post("a seat by a spectator's link", "/api/join/<watch>", {"name": "Eve"}, 404, "no-such-table"),
    _post("a seat by the link of another", "/api/join/<ann>", {"name": "Eve"}, 404, "no-such-table"),
    _post("a phrase of one's own", "/api/t/<ann>/say", {"phrase": "you fool"}, 422, "invalid"),
    _post("a phrase and more", "/api/t/<ann>/say", {"phrase": "hello", "words": "x"}, 422, "invalid"),
    _post("a phrase for somebody else", "/api/t/<ann>/say", {"phrase": "hello", "seat": 1}, 422, "invalid"),
    _post("a phrase of a spectator", "/api/t/<watch>/say", {"phrase": "hello"}, 403, "not-allowed"),
    _post("a code of a book", "/api/qr", {"text": "x" * 5000}, 422, "invalid"),
    _post("a code of half a character", "/api/qr", b'{"text": "\\ud800"}', 400, "malformed"),
)  # fmt: skip

TABLES = (
    _table("a file as a game", {"game": "/etc/passwd", "seats": SEATS}, 404, "no-such-game"),
    _table("a file of the package", {"game": "../games/kuhn.rcy", "seats": SEATS}, 404, "no-such-game"),
    _table("a game with a zero byte", {"game": "kuhn\x00", "seats": SEATS}, 404, "no-such-game"),
    _table("a program as player", {"game": "kuhn", "seats": [SEATS[0], {"kind": "computer", "player": "python:x.py:X"}]}, 422, "invalid"),
    _table("very many seats", {"game": "kuhn", "seats": SEATS * 50}, 422, "invalid"),
    _table("options without end", {"game": "kuhn", "options": {f"A{n}": n for n in range(1000)}}, 422, "invalid"),
    _table("an option that is a list", {"game": "kuhn", "options": {"A": [1]}}, 422, "invalid"),
    _table("an option of code", {"game": "kuhn", "options": {"A": "__import__('os')"}}, 422, "invalid"),
    _table("a seed in other digits", {"game": "kuhn", "seed": "\u0663"}, 422, "invalid"),
    _table("a seed of very many digits", {"game": "kuhn", "seed": "1" * 5000}, 422, "invalid"),
    _table("rules that are too large", {"source": "(" * 300_000, "seats": SEATS}, 413, "too-large"),
    _table("rules that are none", {"source": "(game" + "(" * 1000, "seats": SEATS}, 422, "invalid"),
    _table("rules of half a character", {"source": "(game \ud800)", "seats": SEATS}, 400, "malformed"),
    _table("an option of half a character", {"game": "kuhn", "options": {"\udfff": 1}}, 400, "malformed"),
    _table("rules by a preset", {"source": "(game)", "preset": "x", "seats": SEATS}, 422, "invalid"),
)  # fmt: skip

PATHS = (
    _get("out of the folder", "/static/../site.py", 404, "no-such-page"),
    _get("out of the folder, quoted", "/static/%2e%2e/site.py", 404, "no-such-page"),
    _get("out of the folder, strokes quoted", "/static/..%2f..%2f..%2fetc/passwd", 404, "no-such-page"),
    _get("out of the folder, quoted twice", "/static/%252e%252e/site.py", 404, "no-such-page"),
    _get("out of the folder by backslashes", "/static/..\\..\\site.py", 404, "no-such-page"),
    _get("an absolute path", "/static//etc/passwd", 404, "no-such-page"),
    _get("a zero byte", "/static/js/api.js%00.png", 404, "no-such-page"),
    _get("a folder", "/static/js/", 404, "no-such-page"),
    _get("the folder of all", "/static/", 404, "no-such-page"),
    _get("the code", "/static/../../web/store.py", 404, "no-such-page"),
    _get("a hidden file", "/.git/config", 404, "no-such-page"),
    _get("another server in the path", "//evil.example/", 404, "no-such-page"),
    _get("a line in the path", "/static/x%0d%0aSet-Cookie:%20a=b", 404, "no-such-page"),
    _get("a file as a game", "/api/games/..%2f..%2fetc%2fpasswd", 404, "no-such-page"),
    _get("a header without end", "/", 431, "large-headers", "X: " + "a" * 100_000),
    _get("a header with a zero byte", "/", 400, None, "X: a\x00b"),
    _get("a header with a name of lines", "/", 400, None, "X\r\n: a"),
    _get("a line in the line", "/ HTTP/1.1\r\nX: y\r\n\r\nGET /", 400, None),
)  # fmt: skip

ATTACKS = (
    *NAMES,
    *ORIGINS,
    *KINDS,
    *METHODS,
    *BODIES,
    *LINKS,
    *PLAY,
    *RECORDS,
    *INVITATIONS,
    *TABLES,
    *PATHS,
)
