"""Users that nobody is, one for each living sandbox of a root that starts them."""

from __future__ import annotations

import itertools
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

RANGE = range(60_600, 61_184)
"""Numbers that neither Debian nor systemd give to anybody ("Users, Groups, UIDs and GIDs on systemd
Systems")."""

_turns = itertools.count(os.getpid())


_CAP_KILL = 1 << 5


def may_kill_others() -> bool:
    """Say whether this process, though root, could kill another user's; see capabilities(7)."""
    status = Path("/proc/self/status").read_text("ascii")
    effective = re.search(r"^CapEff:\s*(\w+)", status, re.MULTILINE)
    return effective is not None and bool(int(effective[1], 16) & _CAP_KILL)


class Lease:
    """One such user, who is nobody else's on this machine until `end`.

    What holds the number is a name among the abstract unix sockets: it is taken or not in one step,
    leaves no file, and is free again when this process is no more.
    """

    def __init__(self) -> None:
        for _ in RANGE:
            uid = RANGE[next(_turns) % len(RANGE)]
            holder = socket.socket(socket.AF_UNIX)
            with suppress(OSError):
                holder.bind(f"\0cardwright-jail-{uid}")
                self.uid = uid
                self._holder = holder
                return
            holder.close()
        raise OSError(f"all {len(RANGE)} users for inmates are taken; end some inmates")

    def end(self) -> None:
        """Give the user back, once no process is it any more."""
        self._holder.close()
