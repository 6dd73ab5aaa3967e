"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

import deep
from cardwright.compiler import backend
from cardwright.compiler.cache import default_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from browser import OpenedBrowser

TESTS = Path(__file__).parent

# Speed is measured by benchmarks: on a busy machine every example may take long.
settings.register_profile("usual", deadline=None, max_examples=25)
settings.register_profile("deep", deadline=None, max_examples=200)

gc.disable()  # to search the modules of tests for cycles takes half of the time of collecting


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `--deep` run all that is tested, at length."""
    parser.addoption(
        "--deep",
        action="store_true",
        help="run the tests marked `deep` too, and more examples of those with random ones",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Take as many random examples as were asked for, before modules of tests say their own."""
    deep.asked = config.getoption("--deep")
    settings.load_profile("deep" if deep.asked else "usual")
    if config.args == config.getini("testpaths") and hasattr(config, "workerinput"):
        config.args = _from_ones_own_place(config.workerinput)


def _from_ones_own_place(worker: Mapping[str, Any]) -> list[str]:
    """Return the folders of tests in another order for every worker.

    What one makes of a module, with its assertions rewritten, is then there for the others. All at
    once they would make all modules, which takes longer than the rest of collecting.
    """
    entries = sorted(TESTS.iterdir())
    folders = [one for one in entries if one.is_dir() and next(one.glob("test_*.py"), None)]
    start = len(folders) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    files = [one for one in entries if one.match("test_*.py")]
    return [str(one) for one in (*folders[start:], *folders[:start], *files)]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is deep, unless it was asked for; of a sweep every third example is tried.

    Whatever the order in which modules were found, every worker has the same.
    """
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path)
    if deep.asked:
        return
    left: list[pytest.Item] = []
    some: list[pytest.Item] = []
    examples: Counter[str] = Counter()
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        out = "deep" in marks
        if not out and "sweep" in marks:
            family = item.nodeid.partition("[")[0]
            out = examples[family] % 3 > 0
            examples[family] += 1
        (left if out else some).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = some


@pytest.hookimpl(optionalhook=True)  # without xdist there is no such hook
def pytest_xdist_auto_num_workers() -> int | None:
    """Have one worker more than processors: now and then a test waits for a clock or a process."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    allowed = getattr(os, "sched_getaffinity", None)  # not everywhere
    return (len(allowed(0)) if allowed else os.cpu_count() or 1) + 1


def pytest_report_header() -> list[str]:
    """Say under continuous integration which levels of the sandbox are going to be tested."""
    if os.environ.get("CI") != "true":
        return []
    from cardwright.sandbox.levels import describe

    return [f"sandbox, {describe()}"]


def pytest_collection_finish() -> None:
    """Let Python look less often for cycles, and not at what lives as long as the run does.

    It would take a seventh of the time.
    """
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session", autouse=True)
def _own_cache() -> Iterator[None]:
    """Keep compiled games apart from the user's, but for all runs.

    What lies there is of these very sources of the compiler: they are in the key.
    """
    folder = default_folder()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDWRIGHT_CACHE", "off" if folder is None else str(folder / "tests"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _verified() -> Iterator[None]:
    """Have the IR of whatever is compiled verified."""
    from cardwright.compiler.lower import program
    from ir_verifier import verify

    plain = program.lower

    def verified(*args: Any) -> Any:
        lowered = plain(*args)
        verify(lowered.module)
        return lowered

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "lower", verified)
        yield


@pytest.fixture(scope="session")
def opened_browser() -> Iterator[OpenedBrowser]:
    """Open a browser for all modules that take `browser`: it takes seconds to begin."""
    from browser import opened

    with opened() as started:
        yield started


@pytest.fixture(scope="session", autouse=True)
def _interrupts() -> None:
    """Let tests interrupt what they test where the run was started in the background by a shell.

    Such a run ignores interrupts from its beginning, and games would go on until memory ends.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


OPTIMISATION = os.environ.get(backend.OPTIMISATION_VARIABLE)
"""What the one who runs the tests says about optimisation."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let LLVM optimise for the tests that are marked so, and for all if the caller says `on`.

    Most tests play a game for a moment, and to optimise it takes ten times as long as all else.
    """
    if OPTIMISATION is None:
        marker = item.get_closest_marker("optimised")
        marked = marker is not None and all(marker.args)
        os.environ[backend.OPTIMISATION_VARIABLE] = "on" if marked else "off"
