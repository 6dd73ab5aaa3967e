"""What is said of the project beside its code: the same everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from cardwright._version import RESULTS_VERSION, __version__
from cardwright.sandbox.limits import SandboxLevel

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def loaded(name: str) -> dict[str, Any]:
    """Return what is in a file of YAML."""
    found: dict[str, Any] = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
    return found


def bare(requirements: list[str]) -> set[str]:
    """Return requirements without spaces."""
    return {"".join(text.split()) for text in requirements}


@pytest.fixture
def recipe() -> dict[str, Any]:
    return loaded("packaging/conda/recipe.yaml")


def test_the_recipe_requires_what_the_project_does(recipe: dict[str, Any]) -> None:
    """Python and the backend too; no extra is in it."""
    needs = recipe["requirements"]
    run = bare(needs["run"]) - {"python>=${{python_min}}"}
    assert run == bare(PROJECT["project"]["dependencies"])
    assert f">={recipe['context']['python_min']}" == PROJECT["project"]["requires-python"]
    assert bare(PROJECT["build-system"]["requires"]) <= bare(needs["host"])


def test_the_recipe_has_the_commands_and_the_licence(recipe: dict[str, Any]) -> None:
    scripts = {f"{name} = {home}" for name, home in PROJECT["project"]["scripts"].items()}
    assert set(recipe["build"]["python"]["entry_points"]) == scripts
    assert recipe["about"]["license"] == PROJECT["project"]["license"]
    assert recipe["about"]["summary"] == PROJECT["project"]["description"]
    assert (ROOT / recipe["about"]["license_file"]).is_file()


def test_the_recipe_has_the_shape_of_the_format(recipe: dict[str, Any]) -> None:
    """Version 1: its sections, and a digest of 64 digits."""
    sections = {
        "schema_version", "context", "package", "source", "build", "requirements", "tests",
        "about", "extra",
    }  # fmt: skip
    assert recipe["schema_version"] == 1
    assert set(recipe) == sections
    assert re.fullmatch(r"[0-9a-f]{64}", str(recipe["source"]["sha256"]))
    assert recipe["build"]["noarch"] == "python"


def test_the_version_is_one(recipe: dict[str, Any]) -> None:
    """That of the package, of the recipe and of the citation."""
    versions = {recipe["context"]["version"], str(loaded("CITATION.cff")["version"])}
    assert versions == {__version__}


def test_the_citation_has_what_its_format_asks_for() -> None:
    """Fields by the schema 1.2.0, and the licence and authors of the project."""
    found = loaded("CITATION.cff")
    assert found["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type", "abstract"} <= set(found)
    authors = {author["name"] for author in found["authors"]}
    assert authors == {author["name"] for author in PROJECT["project"]["authors"]}
    assert found["license"] == PROJECT["project"]["license"]


def test_stability_knows_the_newest_version_of_results() -> None:
    page = (ROOT / "docs/stability.md").read_text(encoding="utf-8")
    table = page.partition("| version of results |")[2].partition("\n\n")[0]
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)]
    assert numbers == list(range(1, RESULTS_VERSION + 1))


def test_links_of_the_security_page_lead_somewhere() -> None:
    """To files and headings; the levels that it names are there."""
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", page)
    assert targets
    for target in targets:
        name, _, heading = target.partition("#")
        text = (ROOT / name).read_text(encoding="utf-8")
        titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        anchors = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in titles}
        assert not heading or heading in anchors, target
    named = {int(level) for level in re.findall(r"level `?(\d)", page)}
    assert named
    assert named <= {int(level) for level in SandboxLevel}
