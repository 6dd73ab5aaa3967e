"""The scripts that set an environment up: what they install, when, and what they say of it.

They are tried in a folder of their own, with a program in the place of Python and pip that writes
down what it is asked for.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from cardwright.extras import EXTRAS
from cardwright.interfaces.cli.needs import NEEDS
from every_command import every_command
from patience import PATIENCE

ROOT = Path(__file__).parents[1]
SCRIPTS = sorted(path.name for path in (ROOT / "scripts").iterdir())

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the scripts are for a Unix shell")

PYTHON = """\
#!/bin/sh
# The first words of a call say what is wanted of Python.
case "$1 ${2:-}" in
"-c "*) exit 0 ;;
"--version "*) echo "Python 3.11.0" ;;
"-m venv")
    mkdir -p "$3/bin"
    cp "$0" "$3/bin/python"
    echo "#!$PWD/.venv/bin/python" >.venv/bin/pip
    ;;
"-m pip")
    echo "much that pip says"
    echo "$*" >>"$PWD/asked"
    if [ -e "$PWD/broken" ]; then
        echo "ERROR: no index" >&2
        exit 1
    elif [ -e "$PWD/interrupted" ]; then
        kill -INT 0
    fi
    printf '#!/bin/sh\\necho "in $PWD: $*"\\ncat\\n' >.venv/bin/cardwright
    for tool in ruff mypy lint-imports; do printf '#!/bin/sh\\n' >.venv/bin/$tool; done
    chmod +x .venv/bin/*
    ;;
*)
    echo "ran $*"
    echo "ran $*" >>"$PWD/asked"
    ;;
esac
"""


class Clone:
    """A folder with the scripts, and what happens in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "scripts", folder / "scripts")
        shutil.copy(ROOT / "pyproject.toml", folder)
        self.python = folder / "fake-python"
        self.python.write_text(PYTHON)
        self.python.chmod(0o755)

    def run(
        self, *words: str | Path, cwd: Path | None = None, **settings: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=cwd or self.folder,
            env={"PATH": os.environ["PATH"], "PYTHON": str(self.python), **settings},
            input="typed",
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            start_new_session=True,
        )

    def lines(self) -> list[str]:
        """Return what was called so far, each call as a line."""
        return (self.folder / "asked").read_text().splitlines()

    def asked(self) -> list[str]:
        """Return what pip was asked to install so far, call by call."""
        path = self.folder / "asked"
        if not path.exists():
            return []
        return re.findall(r"--editable (\S+)$", path.read_text(), re.MULTILINE)


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    folder = tmp_path / "a clone"
    folder.mkdir()
    return Clone(folder)


def test_the_command_line_has_what_play_needs_and_keeps_the_folder_it_is_called_in(
    clone: Clone, tmp_path: Path
) -> None:
    """Its input is its own; two lines tell of the set-up, and the next time none."""
    done = clone.run("sh", clone.folder / "scripts" / "cardwright", "check", "x", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"in {tmp_path}: check x\ntyped")
    first, last = done.stderr.splitlines()
    assert first.startswith("cardwright: setting up .venv with Python 3.11.0: play, about ")
    assert re.fullmatch(r"cardwright: set up in \d+ s", last)
    assert clone.asked() == [".[play]"]
    again = clone.run("sh", clone.folder / "scripts" / "cardwright", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert clone.asked() == [".[play]"]


@pytest.mark.parametrize("relative", [False, True])
def test_a_link_on_the_path_is_enough(clone: Clone, tmp_path: Path, relative: bool) -> None:
    """Also a link to a link, and from a folder with nothing in it."""
    folder, elsewhere = tmp_path / "bin", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    script = clone.folder / "scripts" / "cardwright"
    (folder / "first").symlink_to(os.path.relpath(script, folder) if relative else script)
    (folder / "cw").symlink_to("first" if relative else folder / "first")
    done = clone.run("sh", "-c", f"PATH={folder}:$PATH; exec cw play hearts", cwd=elsewhere)
    assert (done.returncode, done.stdout) == (0, f"in {elsewhere}: play hearts\ntyped")


def test_what_was_asked_for_stays_when_more_is(clone: Clone) -> None:
    for part in ("arena", "play", "arena", "dev", "cluster"):
        assert clone.run("scripts/setup", part).returncode == 0
    assert clone.asked() == [".[arena]", ".[arena,play]", ".[dev]"]


def test_a_changed_project_is_set_up_again_with_all_its_parts(clone: Clone) -> None:
    """It is the text that counts, not its date, which git sets anew."""
    clone.run("scripts/setup", "arena", "play")
    project = clone.folder / "pyproject.toml"
    os.utime(project)
    clone.run("scripts/setup")
    assert clone.asked() == [".[arena,play]"]
    project.write_text(project.read_text() + "# more\n")
    clone.run("scripts/setup")
    assert clone.asked() == [".[arena,play]"] * 2


def test_a_folder_that_was_moved_is_set_up_again(clone: Clone) -> None:
    """The commands in `.venv` name the folder where they were made."""
    clone.run("scripts/setup")
    clone.folder = clone.folder.rename(clone.folder.with_name("moved"))
    clone.python = clone.folder / clone.python.name
    assert clone.run("scripts/setup").returncode == 0
    assert f"{clone.folder}/.venv" in (clone.folder / ".venv/bin/pip").read_text()
    assert len(clone.asked()) == 2


def test_a_failure_names_the_log_and_what_to_do(clone: Clone) -> None:
    """The command is not run, and the next call tries again."""
    broken = clone.folder / "broken"
    broken.touch()
    done = clone.run("sh", "scripts/cardwright", "games")
    assert (done.returncode, done.stdout) == (1, "")
    log = clone.folder / ".venv" / "setup.log"
    assert f"The last lines of {log}:" in done.stderr
    assert "    ERROR: no index\n" in done.stderr
    assert "give the command again" in done.stderr
    assert "much that pip says" in log.read_text()
    broken.unlink()
    assert clone.run("sh", "scripts/cardwright", "games").stdout.startswith("in ")


def test_what_was_interrupted_is_done_again(clone: Clone) -> None:
    """Also where it was set up before, for less."""
    clone.run("scripts/setup")
    interrupted = clone.folder / "interrupted"
    interrupted.touch()
    done = clone.run("scripts/setup", "arena")
    assert done.returncode == 130
    assert "interrupted; the next call sets up what is missing" in done.stderr
    interrupted.unlink()
    assert clone.run("sh", "scripts/cardwright").returncode == 0
    assert clone.asked() == [".[play]", ".[play,arena]", ".[play,arena]"]


def test_parts_are_the_extras_of_the_project(clone: Clone) -> None:
    """Each of them is told of in the script, and another is an error that names them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    said = (ROOT / "scripts" / "setup").read_text()
    assert set(re.findall(r"^#   (\w+)  ", said, re.MULTILINE)) == set(extras)
    for part in extras:
        assert clone.run("scripts/setup", part).returncode == 0
    done = clone.run("scripts/setup", "arenas")
    assert done.returncode == 2
    names = (
        "play, arena, solve, cluster, web, wasm, editor, envs, evolve, notebooks, openspiel, sb3, "
        "pandas, all, site and dev"
    )
    assert f"no part 'arenas' to set up; there are {names}" in done.stderr


def test_a_library_is_asked_for_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    lists = [project["project"]["dependencies"]]
    lists += project["project"]["optional-dependencies"].values()
    lists += project.get("dependency-groups", {}).values()
    names = [re.split(r"[\[<>=]", text)[0] for group in lists for text in group]
    names = [name for name in names if name != "cardwright"]  # parts of parts
    assert sorted(names) == sorted(set(names))


PARTLY = {"cardwright", "codemirror", "setup", "packages", "site"}


@pytest.mark.parametrize("script", [name for name in SCRIPTS if name not in PARTLY])
def test_all_other_scripts_have_what_tests_need(clone: Clone, script: str) -> None:
    """They are no further tried here: what they need is not in this folder."""
    clone.run("sh", f"scripts/{script}")
    assert clone.asked() == [".[dev]"]


@pytest.mark.parametrize("command", sorted({name.split()[0] for name in every_command()}))
def test_a_command_has_what_it_needs_installed_before_it_runs(clone: Clone, command: str) -> None:
    """In a clone nobody has to know which extra a command belongs to."""
    rows = [need for name, row in NEEDS.items() if name.split()[0] == command for need in row]
    modules = {module for need in rows for module in need.modules}
    options = ["--seasons=mine"] if command == "serve" else []
    assert clone.run("sh", "scripts/cardwright", command, "--help").returncode == 0
    assert clone.asked() == [".[play]"]
    assert clone.run("sh", "scripts/cardwright", command, *options).returncode == 0
    parts = set(clone.asked()[-1][2:-1].split(","))
    parts |= {"arena"} if "evolve" in parts else set()
    assert {extra for extra, has in EXTRAS.items() if modules & set(has)} <= parts


def test_a_cluster_is_installed_where_one_is_wanted(clone: Clone) -> None:
    clone.run("sh", "scripts/cardwright", "match", "random", "--scheduler", "tcp://here:8786")
    assert clone.asked() == [".[play,arena,cluster]"]


def test_what_a_merge_has_left_is_refused(clone: Clone) -> None:
    """In any file, also in a docstring, where no other check would see it."""
    file = clone.folder / "docs" / "page.md"
    file.parent.mkdir()
    file.write_text("Words\n=======\n")
    assert clone.run("sh", "scripts/check").returncode == 0
    file.write_text(f"Words\n{'<' * 7} HEAD\nmore\n")
    done = clone.run("sh", "scripts/check")
    assert done.returncode == 1
    assert done.stdout == f"./docs/page.md:2:{'<' * 7} HEAD\n"
    assert "a merge has left these lines" in done.stderr


APT = """\
#!/bin/sh
echo "$*" >>"$HOME/asked"
[ ! -e "$HOME/broken-apt" ] || { echo "E: no such package"; exit 100; }
"""


@pytest.fixture
def bare(clone: Clone) -> dict[str, str]:
    """The settings of a build machine on which nothing but what every Unix has is installed."""
    folder = clone.folder / "bin"
    folder.mkdir()
    tools = (
        "basename cat chmod cksum cp cut date dirname grep head ls mkdir rm sed sh tail tr uname"
    )
    for name in tools.split():
        (folder / name).symlink_to(shutil.which(name) or pytest.fail(name))
    for name, text in {"apt-get": APT, "id": "#!/bin/sh\necho 0\n"}.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return {"PATH": str(folder), "HOME": str(clone.folder), "CI": "true"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no package to install")
def test_continuous_integration_has_its_packages_before_the_first_test(
    clone: Clone, bare: dict[str, str]
) -> None:
    """Workers that ask for levels of the sandbox at once must all have the same answer."""
    done = clone.run("/bin/sh", "scripts/test", "-q", **bare)
    ran = "ran -m pytest -n auto --dist worksteal -q --durations 100\n"
    assert (done.returncode, done.stdout) == (0, ran)
    wanted = "bubblewrap chromium util-linux neovim emacs-nox"
    assert f"cardwright: installing {wanted}" in done.stderr
    lines = clone.lines()  # packages and the environment side by side, then checks and tests
    last = lines.index(ran.rstrip())
    before = lines[:last]
    assert any(line.endswith(".[dev]") for line in before)
    packages = [line for line in before if line.startswith("-o DPkg::Lock::Timeout=300 ")]
    assert [line.split()[2] for line in packages] == ["update", "install"]
    assert packages[1].endswith(f"-y --no-install-recommends {wanted} fonts-dejavu-core")


def test_checks_that_fail_beside_the_tests_fail_the_run(clone: Clone, bare: dict[str, str]) -> None:
    (clone.folder / "page.md").write_text(f"{'<' * 7} HEAD\n")
    done = clone.run("/bin/sh", "scripts/test", **bare)
    assert done.returncode == 1
    ran, place, error = done.stdout.splitlines()
    assert ran.startswith("ran -m pytest")
    assert place.startswith("./page.md:1:")
    assert "a merge has left these lines" in error


def test_quick_tests_are_those_that_changes_need(clone: Clone, bare: dict[str, str]) -> None:
    """What is slow is left out, arguments go to pytest, and without any test there is no run."""
    settings = {**bare, "CI": ""}
    assert clone.run("/bin/sh", "scripts/test", "--quick", **settings).returncode == 0
    python = clone.folder / ".venv/bin/python"
    others = python.read_text().partition("\n")[2]
    for found in ("tests/a/test_b.py tests/test_c.py", ""):
        quick = f"[ $1 = tests/quick.py ] && echo $1 >>asked && echo {found} && exit\n"
        python.write_text(f"#!/bin/sh\n{quick}{others}")
        done = clone.run("/bin/sh", "scripts/test", "--quick", "-x", **settings)
        assert done.returncode == 0
        ran = f"ran -m pytest -n auto --dist worksteal -m not slow {found} -x\n" if found else ""
        assert done.stdout == ran
    assert "no tests are about what has changed" in done.stderr


def test_nobody_else_has_packages_installed(clone: Clone, bare: dict[str, str]) -> None:
    """Nor a machine that has them all."""
    assert clone.run("/bin/sh", "scripts/test", **{**bare, "CI": ""}).returncode == 0
    for name in ("bwrap", "chromium", "setpriv", "nvim", "emacs"):
        (clone.folder / "bin" / name).symlink_to("/bin/sh")
    if Path("/usr/include/asm-generic/unistd.h").exists():
        assert clone.run("/bin/sh", "scripts/test", **bare).returncode == 0
    assert "install -y" not in " ".join(clone.lines())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no package to install")
@pytest.mark.parametrize(
    ("mishap", "said"),
    [("apt", "apt-get could not install them, see"), ("user", "by root with apt-get only")],
)
def test_packages_that_cannot_be_had_end_the_run(
    mishap: str, said: str, clone: Clone, bare: dict[str, str]
) -> None:
    if mishap == "apt":
        (clone.folder / "broken-apt").touch()
    else:
        (clone.folder / "bin" / "id").write_text("#!/bin/sh\necho 1000\n")
    done = clone.run("/bin/sh", "scripts/test", **bare)
    assert (done.returncode, done.stdout) == (1, "")
    assert "error: tests need these packages: bubblewrap chromium util-linux neovim" in done.stderr
    assert said in done.stderr
