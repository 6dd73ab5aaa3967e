"""What continuous integration would run: valid, safe, and about things that exist."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import needed
from patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
FILES = sorted((GITHUB / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CLASSIFIER = "Programming Language :: Python :: 3."
VERSIONS = {one.rpartition(" ")[2] for one in PROJECT["classifiers"] if one.startswith(CLASSIFIER)}
PUBLISHING = {
    "release: publish": {"id-token": "write"},
    "docs: publish": {"id-token": "write", "pages": "write"},
}
"""What jobs may that publish."""
SCRIPT = re.compile(r"\bsh (scripts/\S+)")
PATH = re.compile(r"(?<![\w/.-])((?:tests|scripts|bench|docs)/[\w/.-]+)")


def loaded(file: Path) -> dict[str, Any]:
    """Return a workflow; its key `on` is one of the words that YAML takes for true."""
    content: dict[Any, Any] = needed.module("yaml").safe_load(file.read_text(encoding="utf-8"))
    content["on"] = content.pop(True)
    return content


def jobs() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the jobs of all workflows, each with the name of its file and its own."""
    for file in FILES:
        for name, job in loaded(file)["jobs"].items():
            yield f"{file.stem}: {name}", job


def commands() -> Iterator[tuple[str, str]]:
    """Yield each command with the job that it belongs to."""
    for name, job in jobs():
        for step in job["steps"]:
            if "run" in step:
                yield name, step["run"]


def tried(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a tool that is installed beside Python."""
    folder = Path(sys.executable).parent
    tool = shutil.which(str(words[0]), path=folder) or needed.lacking(f"{words[0]} is missing")
    return subprocess.run(
        [tool, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def test_workflows_are_valid() -> None:
    """Their keys, triggers, permissions and steps are those that GitHub knows."""
    done = tried("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *FILES)
    assert done.returncode == 0, done.stdout


def test_the_settings_of_dependabot_are_valid() -> None:
    file = GITHUB / "dependabot.yml"
    done = tried("check-jsonschema", "--builtin-schema", "vendor.dependabot", file)
    assert done.returncode == 0, done.stdout


def test_workflows_are_safe() -> None:
    """No permission, credential or text from outside is where it need not be."""
    done = tried("zizmor", "--offline", "--strict-collection", "--no-progress", ".github")
    assert done.returncode == 0, done.stdout


def test_every_job_says_what_it_may_and_how_long() -> None:
    """What a workflow does not say is no permission at all."""
    for file in FILES:
        assert loaded(file)["permissions"] == {}, file.name
    for name, job in jobs():
        assert job["timeout-minutes"] <= 120, name
        assert job["permissions"] == PUBLISHING.get(name, {"contents": "read"}), name


def test_tests_run_on_every_version_that_the_classifiers_name_and_no_other() -> None:
    """On Linux, macOS and Windows, and for both processors of Linux."""
    matrices = {name: job["strategy"]["matrix"] for name, job in jobs() if "strategy" in job}
    everywhere = {
        "tests: linux", "tests: desktop", "release: sdist", "release: wheel",
    }  # fmt: skip
    for name, matrix in matrices.items():
        found = set(matrix.get("python", ()))
        assert found <= VERSIONS, name
        if name in everywhere:
            assert found == VERSIONS, name
    assert everywhere <= set(matrices)
    assert {"ubuntu-24.04", "ubuntu-24.04-arm"} == {
        one["runner"] for one in matrices["tests: linux"]["include"]
    }
    assert PROJECT["requires-python"] == ">=" + min(VERSIONS, key=lambda one: int(one[2:]))


def test_every_version_is_used_where_a_job_has_a_matrix_of_them() -> None:
    """A matrix that no step reads would test one version several times."""
    for name, job in jobs():
        for key in job.get("strategy", {}).get("matrix", ()):
            used = f"matrix.{key} " in str({**job, "strategy": None, "name": None})
            chosen_by = any(key in one for one in job["strategy"]["matrix"].get("include", ()))
            assert key == "include" or used or chosen_by, (name, key)


def test_what_commands_name_exists() -> None:
    """Scripts, files and folders of the project."""
    named = [(name, path) for name, command in commands() for path in PATH.findall(command)]
    assert len(named) > 4
    missing = [(name, path) for name, path in named if not (ROOT / path).exists()]
    assert not missing


def test_scripts_are_shell_scripts() -> None:
    """They are called with `sh`."""
    for _, command in commands():
        for script in SCRIPT.findall(command):
            assert (ROOT / script).read_text(encoding="utf-8").startswith("#!/bin/sh\n"), script


def test_extras_that_are_installed_are_those_of_the_project() -> None:
    extras = {
        extra
        for _, command in commands()
        for group in re.findall(r"\[([a-z,]+)\]", command)
        for extra in group.split(",")
    }
    assert "dev" in extras
    assert extras <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize("library", ["llvmlite", "numpy"])
def test_pre_releases_are_tried_of_libraries_that_the_machine_code_depends_on(library: str) -> None:
    """Each alone, so that a failure names the culprit."""
    job = dict(jobs())["prereleases: prereleases"]
    assert library in job["strategy"]["matrix"]["libraries"]
    assert any(re.match(library, one) for one in PROJECT["dependencies"])
    install = [step["run"] for step in job["steps"] if "--pre" in step.get("run", "")]
    assert len(install) == 1
    assert "--no-deps" in install[0]


def test_every_week_the_tests_are_run_at_length() -> None:
    """What the usual run leaves out is not left out for ever."""
    deep = loaded(GITHUB / "workflows" / "deep.yml")
    assert re.fullmatch(r"\d+ \d+ \* \* \d", deep["on"]["schedule"][0]["cron"])
    assert "sh scripts/test --deep" in str(deep["jobs"])


def test_the_site_that_is_published_was_built_by_a_job_that_may_not() -> None:
    """From the main branch alone, with the page in it."""
    docs = loaded(GITHUB / "workflows" / "docs.yml")
    assert docs["on"]["push"]["branches"] == ["main"]
    publish = docs["jobs"]["publish"]
    assert (publish["needs"], publish["if"]) == ("site", "github.event_name == 'push'")
    assert not any("run" in step for step in publish["steps"])
    assert "publish --out" in (ROOT / "scripts" / "site").read_text(encoding="utf-8")


def test_what_is_published_was_built_once_and_tested() -> None:
    """The publishing job builds nothing, and waits for the tests of both distributions."""
    release = loaded(GITHUB / "workflows" / "release.yml")["jobs"]
    publish = release["publish"]
    assert set(publish["needs"]) == {"sdist", "wheel"}
    assert publish["environment"]["name"] == "pypi"
    assert not any("run" in step for step in publish["steps"])
    built = [name for name, job in release.items() if "python -m build" in str(job)]
    assert built == ["build"]
