"""The site, built once for all tests and all their processes."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

import needed

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of the site, built by the command that people use."""
    needed.module("mkdocs")
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / "site"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            done = subprocess.run(
                [sys.executable, "-m", "website.build", folder],
                cwd=ROOT,
                check=False,
                capture_output=True,
                encoding="utf-8",
                timeout=600,
            )
            assert done.returncode == 0, done.stdout + done.stderr
    return folder
