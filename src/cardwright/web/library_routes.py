"""Routes of the library: the home page, the games' pages, and what these tell."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.game.errors import CardwrightError
from cardwright.game.find import find
from cardwright.library import catalogue
from cardwright.syntax.diagnostic import Diagnostics
from cardwright.syntax.reader import tokens
from cardwright.syntax.tree import Atom, AtomKind, Comment
from cardwright.web.api import ApiRoute, Payload, SitePage, aside
from cardwright.web.game_facts import (
    against,
    described_file,
    described_game,
    listed_games,
    title_of_file,
    tried_setup,
)
from cardwright.web.measurements import CrowdedError, Measurements
from cardwright.web.refusal import Refusal
from cardwright.web.schema import fields, nullable, text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardwright.syntax.source import Source
    from cardwright.web.api import ApiCall, SiteRoute
    from cardwright.web.measurements import Want
    from cardwright.web.site import WebSite

_KINDS = {
    AtomKind.WORD: "word",
    AtomKind.OPERATOR: "operator",
    AtomKind.INTEGER: "number",
    AtomKind.VARIABLE: "variable",
    AtomKind.NAME: "name",
}


def coloured_pieces(source: Source) -> list[list[str]]:
    """Return the text in pieces, each with its kind; that of brackets and space is empty."""
    pieces: list[list[str]] = []
    last = 0
    for token in tokens(source, Diagnostics(source)):
        if not isinstance(token, Atom | Comment):
            continue
        kind = "comment" if isinstance(token, Comment) else _KINDS.get(token.kind, "")
        start, end = token.span.start, token.span.end
        if start > last:
            pieces.append([source.text[last:start], ""])
        pieces.append([source.text[start:end], kind])
        last = end
    if last < len(source.text):
        pieces.append([source.text[last:], ""])
    return pieces


FOLDER = "measurements"
"""Where measurements are kept, in the folder of the site's data."""

_SETUP = fields({}, {"preset": nullable(text(100)), "options": {"type": "object"}})
_OBJECT = {"type": "object"}
SETTINGS = {
    "preset": "a preset of the game; its usual one if this is missing, none if it is empty",
    "set": "an option as NAME=VALUE; may be given several times",
}
"""The parameters that `asked_options` and measurements read."""
_MOST_SET = 100
_SHOWN = 60


def routes(site: WebSite) -> list[SiteRoute]:
    """Return the routes."""
    answers = _LibraryAnswers(site)
    return [
        SitePage("/", "home.html"),
        SitePage("/games/{name}", "game.html", answers.status),
        ApiRoute("GET", "/api/games", answers.games, words="All games of the library, by family",
                 gives=_OBJECT),
        ApiRoute("GET", "/api/games/{name}", answers.game, gives=_OBJECT,
                 words="A game: its rules in words, options, presets, computer players"),
        ApiRoute("POST", "/api/games/{name}/check", answers.check, takes=_SETUP, gives=_OBJECT,
                 words="Whether settings go together, and what the game is with them"),
        ApiRoute("GET", "/api/games/{name}/rules", answers.rules, gives=_OBJECT,
                 words="The rules in RECYCLE, in pieces by kind"),
        ApiRoute("GET", "/api/games/{name}/statistics", answers.statistics, gives=_OBJECT,
                 parameters=SETTINGS, words="What random games are like"),
        ApiRoute("GET", "/api/games/{name}/flow", answers.flow, gives=_OBJECT,
                 parameters=SETTINGS, words="How cards move, in sentences"),
        ApiRoute("GET", "/api/games/{name}/flow.svg", answers.flow_picture, gives=None,
                 parameters=SETTINGS, words="How cards move, as a diagram",
                 media="image/svg+xml"),
    ]  # fmt: skip


class _LibraryAnswers:
    def __init__(self, site: WebSite) -> None:
        data = site.settings.data
        self._shelf = site.shelf
        self._opponents = site.settings.opponents
        self._measurements = Measurements(
            None if data is None else data / FOLDER, workers=site.workers
        )
        site.when_closing(self._measurements.close)

    async def status(self, parts: Mapping[str, str]) -> int:
        """Return that of a game's page; the script on it says what an unknown name may mean."""
        return 200 if parts["name"] in self._shelf.names() else 404

    async def games(self, _: ApiCall) -> Any:
        return await aside(listed_games, self._shelf.files)

    async def game(self, call: ApiCall) -> Any:
        name = self._shelf.find(call.part("name"))
        try:
            if isinstance(name, Path):
                facts = await aside(described_file, call.part("name"), name)
            else:
                facts = await aside(described_game, name)
        except CardwrightError as error:
            raise Refusal("invalid", str(error)) from None
        return against(facts, self._opponents.get(call.part("name"), ()))

    async def check(self, call: ApiCall) -> Any:
        name = self._shelf.find(call.part("name"))
        options, preset = call.body.get("options", {}), call.body.get("preset")
        try:
            facts = await aside(tried_setup, name, preset, options)
        except (CardwrightError, ValueError) as error:
            raise Refusal("invalid", str(error)) from None
        return against(facts, self._opponents.get(call.part("name"), ()))

    async def rules(self, call: ApiCall) -> Any:
        try:
            source = find(self._shelf.find(call.part("name")))
        except CardwrightError as error:
            raise Refusal("invalid", str(error)) from None
        return {"name": call.part("name"), "pieces": coloured_pieces(source)}

    async def statistics(self, call: ApiCall) -> Any:
        return await self._measured(call, "statistics")

    async def flow(self, call: ApiCall) -> Any:
        found = await self._measured(call, "flow")
        return {"words": found["words"], "games": found["games"]}

    async def flow_picture(self, call: ApiCall) -> Any:
        found = await self._measured(call, "flow")
        return Payload(found["svg"], "image/svg+xml")

    async def _measured(self, call: ApiCall, want: Want) -> dict[str, Any]:
        name, options, preset = (
            self._shelf.find(call.part("name")),
            asked_options(call),
            call.query("preset"),
        )
        try:
            if isinstance(name, Path):
                title = await aside(title_of_file, call.part("name"), name)
            else:
                entry = catalogue.facts(name)
                title = entry.title
                preset = catalogue.usual_preset(entry) if preset is None else preset
            await aside(tried_setup, name, preset or None, options)
            return await self._measurements.of(want, name, preset or None, options, title=title)
        except CrowdedError as error:
            raise Refusal("busy", str(error)) from None
        except (CardwrightError, ValueError) as error:
            raise Refusal("invalid", str(error)) from None


def asked_options(call: ApiCall) -> dict[str, object]:
    """Return the options after the question mark."""
    given = [value for name, value in call.queries if name == "set"]
    if len(given) > _MOST_SET:
        raise Refusal("invalid", f"at most {_MOST_SET} options can be set")
    found: dict[str, object] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise Refusal("invalid", f"set={one[:40]} is not NAME=VALUE")
        found[name] = value
    return found
