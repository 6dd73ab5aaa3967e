"""Connections that are opened and say nothing, and very many from one address, are broken off."""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from functools import partial

import pytest
from threaded import threaded

from cardwright.web import serving, serving as connections
from cardwright.web.limits import Limits
from patience import PATIENCE, wait_until

REQUEST = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
def _quick(monkeypatch):
    quick = partial(connections.guarded_protocol, patience=0.3)
    monkeypatch.setattr(serving, "guarded_protocol", quick)


@pytest.fixture
def _counted(monkeypatch):
    monkeypatch.setattr(connections, "_address_of", lambda transport: "192.0.2.1")


@pytest.mark.usefixtures("_quick")
@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: local"])
def test_who_asks_nothing_in_time_is_cut_off(said):
    with threaded() as site, socket.create_connection(("127.0.0.1", site.port)) as quiet:
        quiet.settimeout(PATIENCE)
        quiet.sendall(said)
        with suppress(ConnectionResetError):
            assert quiet.recv(1) == b""


@pytest.mark.usefixtures("_quick")
def test_who_has_asked_stays():
    with threaded() as site, socket.create_connection(("127.0.0.1", site.port)) as busy:
        for _ in range(2):
            busy.sendall(REQUEST)
            assert busy.recv(65536).startswith(b"HTTP/1.1 200")
            time.sleep(0.5)
            busy.setblocking(False)
            try:
                while busy.recv(65536):
                    pass
            except BlockingIOError:
                busy.setblocking(True)
            else:
                pytest.fail("the connection is closed")


@pytest.mark.usefixtures("_counted")
def test_one_address_has_so_many_connections():
    """Others that are closed make room."""
    with threaded(own_limits=Limits(connections=3)) as site:
        there = [socket.create_connection(("127.0.0.1", site.port)) for _ in range(3)]
        for one in there:
            one.sendall(REQUEST)
            assert one.recv(20).startswith(b"HTTP/1.1 200")
        assert site.send(REQUEST) == b""
        there.pop().close()
        once = REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        wait_until(lambda: site.send(once))
        for one in there:
            one.close()


class Transport:
    def __init__(self, peer):
        self.peer = peer

    def get_extra_info(self, name):
        assert name == "peername"
        return self.peer


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        (("127.0.0.1", 1), None), (("::1", 1, 0, 0), None), (None, None), ("", None),
        (("192.0.2.7", 1), "192.0.2.7"), (("2001:db8::1", 1, 0, 0), "2001:db8::/64"),
    ],
)  # fmt: skip
def test_this_machine_is_not_counted(peer, counted):
    assert connections._address_of(Transport(peer)) == counted
