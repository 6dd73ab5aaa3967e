"""A page from a folder of files, in Chromium: played, with the network cut, and taken up again."""

from __future__ import annotations

import functools
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from clicks import play_out
from pages import DESKTOP, PHONE, barriers, leave, open_page

import needed
from browser import browser
from cardwright.page.build import files_of, page_of
from cardwright.page.one_file import one_file
from cardwright.page.runtime import RuntimeFilesError
from cardwright.page.source import unarchived
from patience import PATIENCE, wait_until
from walkthrough import DOCS, Follower

__all__ = ["browser"]  # a fixture


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def end_headers(self) -> None:
        """Allow as little as `docs/how-to/publish-a-game.md` asks for."""
        self.send_header(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
            "connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
            "frame-src 'self'",
        )
        super().end_headers()


def parts_of(game, **how):
    """Return the parts of a page; what it runs on is fetched, or was before.

    They are made in a thread, as here the loop of the browser may run.
    """
    with ThreadPoolExecutor(1) as thread:
        try:
            return thread.submit(page_of, game, **how).result()
        except RuntimeFilesError as error:
            pytest.skip(str(error))


@pytest.fixture(scope="module")
def parts():
    return parts_of("kuhn")


@pytest.fixture(scope="module")
def folder(parts, tmp_path_factory):
    made = tmp_path_factory.mktemp("page")
    files_of(parts).write(made)
    return made


@pytest.fixture(scope="module")
def file(parts, tmp_path_factory):
    """The address of the page as one file on a disk."""
    made = tmp_path_factory.mktemp("file") / "kuhn.html"
    made.write_bytes(one_file(parts))
    return made.as_uri()


@pytest.fixture
def host(folder):
    """A host that gives the folder out, its address, and how it is ended."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("localhost", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/", server.shutdown
        server.shutdown()
        thread.join(PATIENCE)


def played(page):
    """Choose the first option until the game is over."""
    over, choice = page.locator(".over"), page.locator(".actions button")
    while True:
        over.or_(choice).first.wait_for()
        if over.count():
            return
        number = page.locator(".table-page").get_attribute("data-decision")
        choice.first.click()
        page.locator(f".table-page:not([data-decision='{number}']), .over").first.wait_for()


def test_the_library_is_read_before_python_is_there(host, browser):
    address, _ = host
    page = open_page(browser, address)
    page.context.route("**/python/**", lambda route: route.abort())
    page.goto(f"{address}#/games/kuhn")
    page.reload()
    page.locator("h1", has_text="Kuhn Poker").wait_for()
    page.locator("#statistics").scroll_into_view_if_needed()
    page.get_by_text("2,000 games").first.wait_for()
    assert not barriers(page)
    page.context.unroute_all()
    page.close()


def test_a_game_is_played_without_a_server_and_taken_up_again(host, browser):
    address, end = host
    page = open_page(browser, f"{address}#/games/kuhn")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    end()
    page.context.set_offline(True)
    page.get_by_role("button", name="Play now").click()  # against a player that searches
    page.locator(".table-page").wait_for()
    assert not barriers(page)
    played(page)
    counted = page.get_by_text("You have played 1 game of Kuhn Poker")
    counted.wait_for()
    before = page.locator(".over").inner_text()
    page.reload()
    counted.wait_for()
    assert page.locator(".over").inner_text() == before
    page.get_by_role("link", name="Your record").click()
    page.get_by_role("heading", name="By opponents").wait_for()
    page.go_back()
    finished = page.url
    page.get_by_role("button", name="Play again").click()
    page.locator(".table-page:not([data-over])").wait_for()
    page.goto(finished)
    page.get_by_role("button", name="Replay and judge").click()
    page.locator("h1", has_text="Kuhn Poker").wait_for()
    page.context.set_offline(False)
    leave(page)


def test_browsers_need_not_compile_the_python_that_a_page_begins_with(parts):
    """But kernels, which are compiled from their sources."""
    needed.program("node")
    assert parts.slow is None
    library, own = (unarchived(parts.python[name]) for name in ("library.pack", "cardwright.pack"))
    assert "asyncio/tasks.pyc" in library
    assert not {"os.pyc", "asyncio/tasks.py"} & library.keys()
    assert "cardwright/table/table.pyc" in own
    assert "cardwright/table/table.py" not in own
    assert not [name for name in own if "/kernels/" in name and name.endswith(".pyc")]


KEPT = """async () => {
  for (const name of await caches.keys()) {
    if (!name.startsWith("memory of ")) continue;
    const cache = await caches.open(name);
    const [place] = await cache.keys();
    if (place) return (await (await cache.match(place)).arrayBuffer()).byteLength;
  }
}"""


@pytest.mark.deep
def test_a_later_start_goes_on_from_the_memory_of_the_first(host, browser):
    """And one that cannot begins anew the next time."""
    address, _ = host
    page = open_page(browser, f"{address}#/games/kuhn", ignore=["invalid magic number"])
    wait_until(lambda: (page.evaluate(KEPT) or 0) > 20_000_000)
    page.reload()
    page.get_by_role("button", name="Play now").click()
    played(page)
    page.evaluate("""async () => {
      const [name] = (await caches.keys()).filter((one) => one.startsWith("memory of "));
      const cache = await caches.open(name);
      const [{ url }] = await cache.keys();
      await cache.put(url, new Response(new Uint8Array(1 << 16)));
    }""")
    page.reload()
    wait_until(lambda: page.evaluate(KEPT) is None)
    page.goto(f"{address}#/games/kuhn")
    page.reload()
    page.get_by_role("button", name="Play now").click()
    played(page)
    leave(page)


def test_rules_are_written_checked_and_played(host, browser):
    address, _ = host
    page = open_page(browser, f"{address}#/studio?game=kuhn")
    fine = page.get_by_text("No problems: the game can be played.")
    fine.wait_for()
    page.get_by_role("button", name="Play", exact=True).click()
    page.frame_locator("iframe").locator(".table-page").wait_for()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("(")
    fine.wait_for(state="hidden")
    page.get_by_text("1 error").first.wait_for()
    leave(page)


STUCK = """async () => {
  const module = new URL("static/js/alone/connection.js", document.baseURI);
  const { aloneConnection } = await import(module);
  const workers = [];
  const worker = () => {
    const made = Object.assign(new EventTarget(), { sent: [], ended: false });
    made.postMessage = (message) => made.sent.push(message);
    made.terminate = () => (made.ended = true);
    workers.push(made);
    return made;
  };
  const says = (made, data) => made.dispatchEvent(new MessageEvent("message", { data }));
  const nothing = () => undefined;
  const parts = { worker, facts: async () => null, file: (name) => name, ready: nothing };
  const site = aloneConnection(parts);
  const states = [];
  site.follow("/api/t/a/events", { message: nothing, state: (live) => states.push(live) });
  says(workers[0], { ready: 1 });
  says(workers[0], { id: 1, event: ["7", "{}"] });
  window.asked = site.ask("/api/t/a/choose", { body: {} }).catch((error) => error.code);
  window.told = () => ({
    states, workers: workers.map(({ sent, ended }) => ({ sent, ended })),
  });
}"""


def test_a_worker_that_is_stuck_is_replaced(host, browser):
    """What was asked of it is refused, and tables are followed from where they were."""
    address, _ = host
    page = browser.new_page()
    page.clock.install()
    page.goto(address)
    page.evaluate(STUCK)
    page.clock.run_for(50_000)
    assert len(page.evaluate("told()")["workers"]) == 1
    page.clock.run_for(20_000)
    assert page.evaluate("asked") == "stopped"
    told = page.evaluate("told()")
    first, second = told["workers"]
    assert (first["ended"], second["ended"], told["states"]) == (True, False, [True])
    assert [message.get("follow") for message in second["sent"]] == [["/api/t/a/events", "7"]]
    page.close()


ASK_WHILE_THEY_THINK = """async () => {
  const { ask } = await import(new URL("static/js/api.js", document.baseURI));
  const computer = { kind: "computer", player: "ismcts:ms=1000" };
  const seats = [{ kind: "person" }, computer, computer, computer];
  const made = await ask("/api/tables", { body: { game: "hearts", seats, pace: 0 } });
  const at = `/api${made.seats[0].link}`;
  for (let [number, answers] = [-1, 0]; answers < 8; ) {
    const { scene } = await ask(at);
    answers = scene.decision || scene.number !== number ? 0 : answers + 1;
    number = scene.number;
    if (scene.decision) await ask(`${at}/choose`, { body: { number, option: 0 } });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}"""


@pytest.mark.deep
def test_long_thoughts_are_had_in_a_second_worker(host, browser):
    """Many requests are answered while a player thinks about one move, once it is there."""
    address, _ = host
    page = open_page(browser, f"{address}#/games/kuhn")
    assert page.evaluate(ASK_WHILE_THEY_THINK)
    leave(page)


def test_one_file_is_played_from_a_disk(file, browser):
    """Without a network: a game to its end, and its deal from a link once more."""
    page = open_page(browser, "about:blank")
    page.context.set_offline(True)
    asked = []
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))
    page.goto(file)
    page.locator("#statistics").scroll_into_view_if_needed()
    page.get_by_text("2,000 games").first.wait_for()
    page.get_by_role("button", name="Play now").click()
    play_out(page)
    assert page.locator(".over").inner_text()
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("The link", exact=True).input_value()
    page.keyboard.press("Escape")
    page.goto(file + link)
    page.get_by_role("button", name="Play this deal").wait_for()
    page.goto(f"{file}#/about")
    page.get_by_text("Licences", exact=True).click()
    page.get_by_text("the PSF License Version 2").wait_for()
    assert {*asked} == {"file", "blob"}
    page.context.set_offline(False)
    leave(page)


@pytest.mark.deep
def test_tables_of_one_file_are_kept(file, browser):
    page = open_page(browser, file)
    page.get_by_role("button", name="Play now").click()
    page.locator(".table-page").wait_for()
    hand = page.locator(".hand").inner_html()
    page.reload()
    page.locator(".table-page").wait_for()
    assert page.locator(".hand").inner_html() == hand
    leave(page)


@pytest.fixture(params=["folder", "file"])
def studio(request, file):
    """The address of the studio in a page, in a folder and in one file."""
    if request.param == "file":
        return f"{file}#/studio"
    return f"{request.getfixturevalue('host')[0]}#/studio"


@pytest.mark.deep
def test_rules_are_published_from_a_page(studio, browser, tmp_path):
    """As one file, which plays them, and in which rules can be published again."""
    for name in ("first", "second"):
        page = open_page(browser, studio)
        page.locator(".found .good").wait_for()
        page.get_by_label("Name of the rules").fill(name)
        page.get_by_role("button", name="Play", exact=True).click()
        page.frame_locator("iframe").locator(".table-page").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Publish").click()
        published = tmp_path / download.value.suggested_filename
        download.value.save_as(published)
        assert published.name == f"{name}.html"
        leave(page)
        page = open_page(browser, published.as_uri())
        page.locator("h1", has_text=name).wait_for()
        page.get_by_role("button", name="Play now").click()
        play_out(page)
        leave(page)
        studio = f"{published.as_uri()}#/studio"


class Writer(Follower):
    """Follows a tutorial without its commands."""

    def console(self, block):
        """Type nothing."""


@pytest.fixture(scope="module")
def duel(tmp_path_factory):
    """The address of the tutorial's game, published as one file."""
    folder = tmp_path_factory.mktemp("duel")
    page = (DOCS / "tutorials" / "first-game.md").read_text(encoding="utf-8")
    Writer(folder, folder / "bin").follow(page)
    made = folder / "duel.html"
    made.write_bytes(one_file(parts_of(folder / "duel.rcy", opponents=("random",))))
    return made.as_uri()


@pytest.mark.deep
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_game_of_the_tutorial_is_played_from_a_disk(duel, browser, size):
    page = open_page(browser, duel, size)
    page.locator("h1", has_text="Duel").wait_for()
    page.get_by_role("button", name="Play now").wait_for()
    assert not barriers(page)
    page.get_by_role("button", name="Play now").click()
    page.locator(".toolbar h1", has_text="Duel").wait_for()
    play_out(page)
    assert page.locator(".over").inner_text()
    assert not barriers(page)
    leave(page)
