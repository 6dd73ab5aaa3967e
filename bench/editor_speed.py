"""How soon messages follow a key in the largest game file, and whether memory stays flat.

A step is typed key by key at a random place of hearts.rcy, then another at another place of the
original text, as often as `--keys` says. After every key the messages are wanted: by a fresh check
of the whole text, by a check that takes what is as it was from the last one, and (with `--server`
keys of their own) over the streams of a language server, from sending the text to having the
messages. Times are in milliseconds: by the clock, and of the processor where all is in one process.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from script import carry_out

from cardwright.editor.actions import shown
from cardwright.editor.document import OpenFiles
from cardwright.program.check import check
from cardwright.syntax.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEARTS = Path(__file__).parents[1] / "src/cardwright/library/games/hearts.rcy"
URI = "file:///bench/hearts.rcy"
TYPED = (
    "(inc ((current player) sto SCORE) 5)",
    "((== (game sto ROUND) 3) (shuffle (game iloc STOCK)))",
    "(all player 'P (move (top ('P iloc HAND)) (top (game vloc PILE))))",
)
MEGABYTE = 2**20


def texts(original: str, keys: int, seed: int) -> Iterator[str]:
    """Yield the text after each key."""
    draw = random.Random(seed)
    made = 0
    while True:
        at = draw.choice([i for i in range(1, len(original)) if original[i - 1 : i + 1] == "\n "])
        word = draw.choice(TYPED)
        for end in range(1, len(word) + 1):
            if made == keys:
                return
            made += 1
            yield f"{original[:at]}    {word[:end]}\n{original[at:]}"


def told(name: str, wall: list[float], processor: list[float]) -> None:
    """Print the quantiles of some times in seconds."""
    numbers = []
    for times in (wall, processor):
        found = sorted(times)
        numbers += [found[len(found) * q // 100] * 1e3 for q in (50, 95)] if found else [None] * 2
    cells = "".join(f"{'':>12}" if one is None else f"{one:>12.1f}" for one in numbers)
    print(f"{name:<34}{cells}", flush=True)


def timed(name: str, versions: list[str], do: Callable[[str, int], object]) -> None:
    """Time something for each version of a text."""
    wall, processor = [], []
    for number, text in enumerate(versions):
        begun = time.perf_counter(), time.process_time()
        do(text, number)
        wall.append(time.perf_counter() - begun[0])
        processor.append(time.process_time() - begun[1])
    told(name, wall, processor)


class Client(LanguageClient):
    """An editor that waits for messages."""

    def __init__(self) -> None:
        super().__init__("bench", "1")
        self.arrived = asyncio.Event()
        self.version = 0

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: lsp.PublishDiagnosticsParams) -> None:
            self.version = params.version or 0
            self.arrived.set()

    async def messages(self, version: int) -> None:
        """Wait for the messages of a version."""
        while self.version != version:
            self.arrived.clear()
            await self.arrived.wait()


async def over_streams(versions: list[str]) -> None:
    """Time the way to a server and back."""
    client = Client()
    await client.start_io(sys.executable, "-m", "cardwright", "lsp")
    await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
    client.initialized(lsp.InitializedParams())
    item = lsp.TextDocumentItem(URI, "recycle", 1, versions[0])
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await client.messages(1)
    wall = []
    for version, text in enumerate(versions, start=2):
        begun = time.perf_counter()
        client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, URI),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )
        await client.messages(version)
        wall.append(time.perf_counter() - begun)
    told("language server", wall, [])
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()


def memory() -> float:
    """Return how much memory this process has now, in MiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def flat(original: str, keys: int, seed: int) -> None:
    """Type many keys, and print how much memory there is now and then."""
    files = OpenFiles()
    print(f"\n{'keys':>12}{'memory, MiB':>14}")
    for number, text in enumerate(texts(original, keys, seed), start=1):
        shown(files.put(URI, text, number), files.get(URI).diagnostics)
        if number % max(1, keys // 10) == 0:
            print(f"{number:>12,}{memory():>14.0f}", flush=True)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--keys", type=int, default=400)
    arguments.add_argument("--memory", type=int, default=0, help="keys after which memory is told")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    original = HEARTS.read_text(encoding="utf-8")
    versions = list(texts(original, options.keys, options.seed))
    files = OpenFiles()

    def again(text: str, number: int) -> None:
        document = files.put(URI, text, number)
        shown(document, document.diagnostics)

    again(original, 0)
    print(f"{'ms after a key, hearts.rcy':<34}{'p50':>12}{'p95':>12}{'cpu p50':>12}{'cpu p95':>12}")
    timed("fresh check", versions, lambda text, _: check(Source("hearts.rcy", text)))
    timed("what is as it was is not checked", versions, again)
    asyncio.run(over_streams(versions))
    if options.memory:
        flat(original, options.memory, options.seed)


if __name__ == "__main__":
    carry_out(main)
