"""What is released has what it should: the source all that git tracks, the wheel the package."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

LEFT_OUT = {".gitattributes"}
"""What is about a clone alone."""

hook = runpy.run_path(str(ROOT / "hatch_build.py"))


def tracked() -> list[str]:
    """Return the files of the project: those that git tracks, or in the source those there are."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone: there is nothing to compare with")
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [name for name in listed if (ROOT / name).is_file()]


def built(kind: str, folder: Path) -> Path:
    """Build a distribution by the backend itself, in this environment."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", folder],
        cwd=ROOT, check=True, capture_output=True,
    )  # fmt: skip
    (file,) = folder.iterdir()
    return file


@pytest.mark.slow
def test_the_source_has_every_tracked_file(tmp_path: Path) -> None:
    """Tests and documents are run from it, as they are from a clone."""
    files = tracked()
    with tarfile.open(built("sdist", tmp_path)) as packed:
        has = {one.name.partition("/")[2] for one in packed.getmembers()}
    assert [name for name in files if name not in has | LEFT_OUT] == []


@pytest.mark.slow
def test_the_wheel_has_the_package_and_nothing_else(tmp_path: Path) -> None:
    """Rules, templates and types too."""
    files = {name.removeprefix("src/") for name in tracked() if name.startswith("src/cardwright/")}
    with zipfile.ZipFile(built("wheel", tmp_path)) as zipped:
        has = {name for name in zipped.namelist() if ".dist-info/" not in name}
    assert files - has == set()
    assert "cardwright/py.typed" in has
    assert all(name.startswith("cardwright/") for name in has)


@pytest.mark.parametrize(
    ("environment", "home"),
    [
        ({}, None),
        ({"CARDWRIGHT_REPOSITORY": "https://host.example/us/cards/"}, "https://host.example/us/cards"),
        ({"GITHUB_REPOSITORY": "us/cards"}, "https://github.com/us/cards"),
        ({"GITHUB_REPOSITORY": "us/cards", "GITHUB_SERVER_URL": "https://git.example"},
         "https://git.example/us/cards"),
    ],
)  # fmt: skip
def test_addresses_are_those_of_the_host_that_builds(
    environment: dict[str, str], home: str | None
) -> None:
    """Where no host says so there are none."""
    found = hook["addresses"](environment)
    assert found.get("Source") == home
    play = found.pop("Play", None)
    assert play == ("https://us.github.io/cards/play/" if "github.com" in str(home) else None)
    assert all(address.startswith(str(home)) for address in found.values())


def test_the_description_links_to_the_host_that_builds() -> None:
    """An index of packages has no files beside it: links and pictures are those of the host."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    told = hook["description"](readme, "https://host.example/us/cards")
    assert "](https://host.example/us/cards/raw/main/docs/images/table.png)" in told
    assert "](https://host.example/us/cards/blob/main/docs/tutorials/play.md)" in told
    assert all(found.startswith("https:") for found in re.findall(r"\]\(([^)]*)\)", told))
    unknown = hook["description"](readme, None)
    assert "![" not in unknown
    assert "](docs/tutorials/play.md)" in unknown
