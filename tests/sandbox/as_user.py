"""Runs all attacks as whoever runs this, and prints what was wrong with each as JSON.

`python as_user.py LEVEL...` gives {level: {attack: [problem, ...]}}; for a level that is not to be
had, a text that says why.
"""

from __future__ import annotations

import json
import platform
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from cardwright.sandbox.levels import SandboxLevel, reason_against
from sandbox.hostile import ATTACKS
from sandbox.outside import Outside


def results(level: SandboxLevel) -> dict[str, list[str]] | str:
    """Return what is wrong with each attack at a level, or why there is none."""
    reason = reason_against(level)
    if reason is not None:
        return reason
    with tempfile.TemporaryDirectory() as folder, Outside(Path(folder), level) as outside:
        return {
            attack.name: outside.attacked(attack)
            for attack in ATTACKS
            if not attack.x86 or platform.machine() == "x86_64"
        }


if __name__ == "__main__":
    found = {level: results(SandboxLevel(int(level))) for level in sys.argv[1:]}
    sys.stdout.write(json.dumps(found))
