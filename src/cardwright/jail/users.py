"""Unused user ids, one for each live sandbox started by root."""

from __future__ import annotations

import itertools
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

RANGE = range(60_600, 61_184)
"""User ids that neither Debian nor systemd assign ("Users, Groups, UIDs and GIDs on systemd
Systems")."""

_turns = itertools.count(os.getpid())


_CAP_KILL = 1 << 5


def may_kill_others() -> bool:
    """Say whether this process, being root, can kill those of other users; see capabilities(7)."""
    status = Path("/proc/self/status").read_text("ascii")
    effective = re.search(r"^CapEff:\s*(\w+)", status, re.MULTILINE)
    return effective is not None and bool(int(effective[1], 16) & _CAP_KILL)


class Lease:
    """One such user id, reserved on this machine until `end`.

    It is reserved by binding an abstract unix socket, which is atomic, leaves no file, and is
    released when this process ends.
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
        raise OSError(f"all {len(RANGE)} users for sandboxes are taken; end some sandboxes")

    def end(self) -> None:
        """Release the user id, once no process has it."""
        self._holder.close()
