"""Addresses: the names of this machine, and where others find a server on it."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardwright.web.site import SiteSettings

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
EVERYWHERE = "0.0.0.0"
_ALL = frozenset({EVERYWHERE, "::"})
"""What stands for all addresses of this machine."""

_ANYWHERE = ("192.0.2.1", 9)
"""An address that is reserved for documents: it only chooses the way, nothing is sent there."""


def own_address() -> str | None:
    """Return the address from which this machine would reach others; None if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ANYWHERE)
            found = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if found.startswith(("127.", "0.")) else found


def own_names() -> set[str]:
    """Return the names of this machine, in lower case."""
    name = socket.gethostname().lower()
    return {name, f"{name.partition('.')[0]}.local"} if name else set()


def own_base(settings: SiteSettings) -> str:
    """Return how addresses of a server begin on its own machine."""
    return _base({EVERYWHERE: "127.0.0.1", "::": "::1"}.get(settings.host, settings.host), settings)


def public_bases(settings: SiteSettings) -> tuple[str, ...]:
    """Return how addresses of a server begin for others, as far as this machine knows.

    One with names that only its own machine reaches has a proxy before it, which encrypts.
    """
    if not settings.public:
        return ()
    if settings.names:
        proxy = settings.host in LOCAL
        return tuple(
            f"https://{name}" if proxy else _base(name, settings) for name in settings.names
        )
    host = own_address() if settings.host in _ALL else settings.host
    return () if host is None or host in LOCAL else (_base(host, settings),)


def _base(host: str, settings: SiteSettings) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
