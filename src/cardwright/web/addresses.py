"""The address and the names of this machine in its network, as others would write them."""

from __future__ import annotations

import socket

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
