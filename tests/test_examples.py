"""The programs in `examples` run, and do what they say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *args: str) -> str:
    """Run an example and return what it prints."""
    command = [sys.executable, str(EXAMPLES / name), *args]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.slow
def test_a_linear_policy_learns_hearts(tmp_path: Path) -> None:
    """After a few rounds it takes fewer points than players at random do, 6.5 on average."""
    saved = tmp_path / "policy.npz"
    printed = run("train_hearts.py", "--rounds", "25", "--save", str(saved))
    last = printed.splitlines()[-1]
    assert last.startswith("on 4,000 new deals: ")
    assert float(last.split()[4]) < 5.9
    with np.load(saved) as policy:
        assert policy["weights"].shape == (len(policy["columns"]), 52)
