"""Users that are lent to sandboxes of root."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cardwright.sandbox import process
from cardwright.sandbox.process import Lease


def test_no_two_have_the_same_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """All users can be lent at once, each to one; then there is an error; and all come back."""
    monkeypatch.setattr(process, "RANGE", range(999_000, 999_005))
    leases = [Lease() for _ in range(5)]
    assert {lease.uid for lease in leases} == set(range(999_000, 999_005))
    with pytest.raises(OSError, match="all 5 users for sandboxes are taken"):
        Lease()
    leases[3].end()
    again = Lease()
    assert again.uid == leases[3].uid
    for lease in (*leases, again):
        lease.end()


def test_another_process_gets_other_users(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user is nobody else's on the whole machine, not in one process only."""
    monkeypatch.setattr(process, "RANGE", range(999_010, 999_012))
    code = (
        "from cardwright.sandbox import process; process.RANGE = range(999_010, 999_012);"
        "print(process.Lease().uid)"
    )
    mine = Lease()
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {mine.uid, int(said.stdout)} == {999_010, 999_011}
    mine.end()
