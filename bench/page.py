"""A page without a server: how large it is, how long it takes to start, how fast it plays.

- sizes of the parts of a published page, and of the modules that are made in it for a game;
- with `node`, processor time of the first start by stage, with three seats of `expert`; random
  games (as rollouts of the first decision) and iterations of ISMCTS a second, beside LLVM's;
- with Chromium, processor time of all its processes from opening an address to the first card of
  Hearts that can be played, and what was loaded: with an empty cache, again, and after a restart.

Processor time still depends on what else the machine does. Run: `python bench/page.py`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from tempfile import TemporaryDirectory

import page_program
from script import carry_out

from cardwright.compiler.kernel_sets import PLAY, SEARCHES
from cardwright.compiler.native import compilation
from cardwright.compiler.wasm.emit import emit
from cardwright.game.game import Game
from cardwright.page.build import files_of, page_of
from cardwright.page.parts import STUDIO, download_of, packed

BENCH = Path(__file__).parent

DOWNLOAD, COLD, WARM = 7.0, 8.0, 3.0
"""The most that it should be: megabytes by gzip, seconds with an empty cache and a full one."""

PATIENCE = 300_000


def print_sizes(files: dict[str, bytes], games: list[str]) -> None:
    """Print how large a page is, by part, and modules."""
    parts: dict[str, list[bytes]] = {}
    for name, content in sorted(files.items()):
        folder = name.partition("/")[0]
        part = name if folder == "python" else folder
        if any(word in name for word in STUDIO):
            part = "the studio's"
        parts.setdefault(part, []).append(content)
    print(f"{'bytes':36}{'':>12}{'gzip':>12}")
    for part, contents in parts.items():
        sizes = (sum(map(len, some)) for some in (contents, map(packed, contents)))
        print(f"{part:36}", *(f"{size:11,}" for size in sizes))
    for name in games:
        for kernels in (PLAY, SEARCHES):
            module = emit(compilation(Game.load(name).program, kernels).lowered.module)
            what = f"module of {name}: {kernels.name}"
            print(f"{what:36} {len(module):11,} {len(packed(module)):11,}")


def print_stages(folder: Path) -> None:
    """Print processor time in Node."""
    words = [BENCH / "page_stages.mjs", folder / "python", BENCH / "page_program.py"]
    done = subprocess.run(["node", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    stages = json.loads(done.stdout.splitlines()[-1])
    rates, ours = stages.pop("rates"), page_program.rates()
    print("seconds in Node:", ", ".join(f"{stage} {took:.2f}" for stage, took in stages.items()))
    for what, rate, other in zip(("random games", "ISMCTS iterations"), rates, ours, strict=True):
        print(f"{what} a second: {rate:,.0f}, LLVM {other:,.0f}, ratio {rate / other:.2f}")


class Host:
    """A host of static files that compresses them and lets them be cached, as usual ones do."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.sent = 0
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                name = self.path.partition("?")[0].lstrip("/") or "index.html"
                content = packed(files[name]) if name in files else b""
                host.sent += len(content)
                kind = "text/javascript" if name.endswith(".mjs") else guess_type(name)[0]
                self.send_response(200 if name in files else 404)
                self.send_header("Content-Type", kind or "application/octet-stream")
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(content)))
                self.send_header("Cache-Control", "max-age=600")
                self.end_headers()
                self.wfile.write(content)

        for content in files.values():
            packed(content)
        self._server = ThreadingHTTPServer(("localhost", 0), Handler)
        self.address = f"http://localhost:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


def chromiums_time(profile: str) -> float:
    """Return the processor time of the browser with a profile, its children's included."""
    import psutil

    own = psutil.Process()
    total = 0.0
    for process in own.children(recursive=True):
        try:
            if "chrom" in process.name():
                total += sum(process.cpu_times()[:4])
        except psutil.Error:
            continue
    assert total, f"no browser runs with {profile}"
    return total


def print_chromium(host: Host) -> None:
    """Print processor time in Chromium."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    with sync_playwright() as playwright, TemporaryDirectory() as profile:
        for names in (("empty cache", "again"), ("after a restart",)):
            context = playwright.chromium.launch_persistent_context(
                profile, executable_path=path, args=["--no-sandbox"]
            )
            page = context.pages[0]
            page.set_default_timeout(PATIENCE)
            for name in names:
                page.goto("about:blank")
                time.sleep(2)
                host.sent, begun, at = 0, chromiums_time(profile), time.monotonic()
                page.goto(f"{host.address}#/games/hearts")
                page.get_by_role("button", name="Play now").click()
                page.locator(".table-page button:not([disabled])").first.wait_for()
                page.locator(".table-page[data-decision]").wait_for()
                took, wall = chromiums_time(profile) - begun, time.monotonic() - at
                most = COLD if name == names[0] == "empty cache" else WARM
                print(
                    f"Chromium, {name}: {took:.1f} s of processor time (at most {most:.0f}), "
                    f"{wall:.1f} s in all, {host.sent / 1e6:.2f} MB loaded",
                    flush=True,
                )
                page.evaluate("navigator.serviceWorker.ready.then(() => true)")
                time.sleep(8)  # in which the memory is kept
            context.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=["hearts", "kuhn", "skat"])
    parser.add_argument("--sizes", action="store_true", help="nothing but sizes")
    options = parser.parse_args()
    files = files_of(page_of("hearts")).files
    print_sizes(files, options.games)
    print(f"who plays: {download_of(files) / 1e6:.2f} MB (at most {DOWNLOAD})")
    if options.sizes:
        return
    with TemporaryDirectory() as made:
        for name, content in files.items():
            file = Path(made) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        if shutil.which("node"):
            print_stages(Path(made))
    if shutil.which("chromium"):
        print_chromium(Host(files))
    else:
        print("Chromium is not installed", file=sys.stderr)


if __name__ == "__main__":
    carry_out(main)
