"""Routes of the studio: the page, what its editor asks, and files that were given to the server."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from itertools import starmap
from typing import TYPE_CHECKING, Any

from cardwright.authoring.files import replace_file
from cardwright.authoring.new_game import DECKS, KINDS, PLAYERS, start_text
from cardwright.game.errors import CardwrightError, NotFoundError
from cardwright.game.find import SUFFIX, find
from cardwright.game.game import Game
from cardwright.library import catalogue
from cardwright.program.forms import SECTIONS, SHAPES
from cardwright.program.plain import given_values
from cardwright.syntax.data_files import read_bytes
from cardwright.syntax.diagnostic import Edit
from cardwright.syntax.edit import apply_edits
from cardwright.syntax.source import MAX_BYTES, UnreadableError, decode
from cardwright.web.api import ApiRoute, Payload, SitePage, aside
from cardwright.web.game_facts import constants_of
from cardwright.web.library_routes import SETTINGS, asked_options
from cardwright.web.rates import RateLimit
from cardwright.web.refusal import Refusal
from cardwright.web.schema import fields, natural, one_of, text, whole
from cardwright.web.studio.schemas import (
    CHECKED,
    EDITS,
    EXPLAINED,
    FLOW,
    LAID_OUT,
    MOST_GAMES,
    MOST_THOUGHT,
    OFFERED,
    PLAYED,
    STRING,
    THOUGHT,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardwright.program.forms import FormShape, Section
    from cardwright.web.api import ApiCall, SiteRoute
    from cardwright.web.schema import Schema
    from cardwright.web.site import WebSite

EMPTY = """\
;; A new game.
;; Two players play their cards one by one; the last card that is played scores.
(game
  (setup
    (create players 2)
    (create deck (game iloc STOCK)
      (deck (SUIT (HEARTS, SPADES)) (RANK (ACE, KING, QUEEN, JACK)))))

  (do (
    (shuffle (game iloc STOCK))
    (all player 'P (repeat 4 (move (top (game iloc STOCK)) (top ('P iloc HAND)))))))

  (stage player
    (end (all player 'P (== (size ('P iloc HAND)) 0)))
    (choice (
      (any ((current player) iloc HAND) 'C (move 'C (top (game vloc PILE))))))
    (do (
      (set ((current player) sto SCORE) 0)
      ((== (size (game vloc PILE)) 8) (set ((current player) sto SCORE) 1)))))

  (scoring max ((current player) sto SCORE)))
"""
"""The smallest game that can be played, to be replaced."""


def starts() -> dict[str, Any]:
    """Return what can be begun with."""
    return {
        "kinds": [{"kind": kind, "about": about} for kind, about in KINDS.items()],
        "decks": [{"deck": name, "cards": len(deck)} for name, deck in DECKS.items()],
        "players": list(PLAYERS),
        "games": [
            {
                "name": entry.name,
                "title": entry.title,
                "presets": list(entry.settings.presets),
                "usual": catalogue.usual_preset(entry),
            }
            for entry in map(catalogue.facts, catalogue.names())
        ],
    }


def language_parts() -> list[dict[str, Any]]:
    """Return the forms of the language by part: pattern, meaning and example of each."""
    parts: dict[str, list[FormShape | Section]] = {"The frame of a program": [*SECTIONS]}
    for shape in SHAPES:
        parts.setdefault(shape.section, []).append(shape)
    return [
        {
            "name": name,
            "forms": [
                {"pattern": form.pattern, "words": form.sentence, "example": form.example}
                for form in found
            ],
        }
        for name, found in parts.items()
    ]


def new_text(kind: str, deck: str, players: int) -> str:
    """Return the rules of a new game, whose kind, deck and players are among those of `starts`."""
    return start_text(kind, SUFFIX, "new-game", deck, players)


def library_text(
    name: str, preset: str | None = None, options: Mapping[str, Any] | None = None
) -> str:
    """Return the rules of a game of the library, as it is with a preset and other options.

    Raises NotFoundError for another name, and CardwrightError or ValueError for settings that it
    has not got.
    """
    catalogue.facts(name)
    if not preset and not options:
        return find(name).text
    program = Game.variant(name, constants_of(options or {}), preset or None).program
    return apply_edits(program.source.text, starmap(Edit, given_values(program).items()))


_PAGES = 30
"""Pages that one address may have in an hour: each has some 10 MB."""

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class GivenFile:
    """The file of a path; in its text lines end with LF, whatever they do in the file."""

    path: Path

    def read(self) -> tuple[str, str]:
        """Return its text, and a digest of its bytes; raises Refusal if it cannot be read."""
        data = self._bytes()
        try:
            text = decode(self.path.name, data).text
        except UnreadableError as error:
            raise Refusal("invalid", str(error)) from None
        return text.replace("\r\n", "\n"), _digest(data)

    def write(self, text: str, digest: str) -> str:
        """Change its text, and return the new digest.

        `digest` is that of the bytes which the author has seen. Raises Refusal if it has changed
        since, and then it stays as it is.
        """
        before = self._bytes()
        if _digest(before) != digest:
            raise Refusal(
                "conflict",
                f"{self.path.name} has been changed elsewhere since it was opened here: download "
                "your rules, or open the file again",
            )
        if b"\r\n" in before:
            text = text.replace("\n", "\r\n")
        data = (_MARK if before.startswith(_MARK) else b"") + text.encode()
        try:
            replace_file(self.path, data)
        except OSError as error:
            raise Refusal(
                "not-stored",
                f"{self.path.name} cannot be written ({error.strerror}): download your rules",
            ) from None
        return _digest(data)

    def _bytes(self) -> bytes:
        try:
            return read_bytes(self.path, MAX_BYTES)
        except OSError as error:
            words = f"{self.path.name} cannot be read: {error.strerror}"
            raise Refusal("no-such-game", words) from None


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def routes(site: WebSite) -> list[SiteRoute]:
    """Return the routes."""
    return [
        SitePage("/studio", "studio.html"),
        *_StudioWork(site).routes(),
        *_Beginnings(site).routes(),
        ApiRoute(
            "GET", "/api/studio/page", _Publishing(site).page, gives=None, media="text/html",
            words="A page in one file that plays all games of the library without a server, in "
            "which the studio puts rules.", codes=("not-allowed", "not-stored", "too-many"),
        ),
    ]  # fmt: skip


class _Publishing:
    """The page in which rules are published: it is made once, and the same for everybody."""

    def __init__(self, site: WebSite) -> None:
        self._make = site.settings.page
        self._made: bytes | None = None
        self._making = asyncio.Lock()
        self._rate = RateLimit(_PAGES / 3600, _PAGES)

    async def page(self, call: ApiCall) -> Any:
        if self._make is None:
            raise Refusal("not-allowed", "no pages are published here: see `cardwright publish`")
        if (wait := self._rate.take(call.address)) > 0:
            raise Refusal(
                "too-many",
                f"you have published {_PAGES} pages: publish another one in {wait / 60:.0f} min",
                {"Retry-After": str(round(wait) + 1)},
            )
        async with self._making:
            if self._made is None:
                try:
                    self._made = await aside(self._make)
                except CardwrightError as error:
                    raise Refusal("not-stored", str(error)) from None
        return Payload(self._made, "text/html", name="cardwright.html")


class _StudioWork:
    """What is asked about a text; it is done by the site's `studio`, in processes."""

    def __init__(self, site: WebSite) -> None:
        self._site = site

    def routes(self) -> list[SiteRoute]:
        offset = {"offset": whole(0, 10**9, "where the cursor is")}
        games = {"games": whole(1, MOST_GAMES, "how many to play")}
        thought = {"games": whole(1, MOST_THOUGHT, "how many to play, if there is time")}
        return [
            self._route("check", "What is wrong with rules, with one-click fixes", CHECKED),
            self._route("hover", "What a word of rules means", EXPLAINED, offset),
            self._route("complete", "What can be typed in rules", OFFERED, offset),
            self._route("format", "How rules are laid out", LAID_OUT),
            self._route("mend", "How all sure slips are mended", fields({"edits": EDITS})),
            self._route("statistics", "What random games of rules are like", PLAYED, games),
            self._route("thinking", "What thinking is worth in games of rules", THOUGHT, thought),
            self._route("flow", "How cards move in random games", FLOW),
        ]

    def _route(
        self, name: str, words: str, gives: Schema, more: dict[str, Schema] | None = None
    ) -> ApiRoute:
        most = self._site.limits.source

        async def answer(call: ApiCall) -> Any:
            size = len(call.body["source"].encode())
            if size > most:
                raise Refusal("too-large", f"{size:,} bytes of rules; {most:,} are allowed here")
            found = await self._site.studio.do({"do": name, **call.body}, call.address)
            if error := found.get("error"):
                raise Refusal(error["code"], error["message"], place=error.get("place"))
            return found

        return ApiRoute(
            "POST",
            f"/api/studio/{name}",
            answer,
            words=words,
            takes=fields({"source": {**STRING, "description": "the rules"}, **(more or {})}),
            gives=gives,
            codes=("too-large", "too-many", "busy", "stopped", "wrong-rules", "rule-broken"),
            most_bytes=6 * most + 1024,  # JSON may take six bytes for one
        )


class _Beginnings:
    """What one can begin with: starts, games of the library, and files given to the server."""

    def __init__(self, site: WebSite) -> None:
        self._site = site
        public = site.settings.public
        self._files = () if public else tuple(map(GivenFile, site.settings.files))

    def routes(self) -> list[SiteRoute]:
        name = {"name": STRING, "source": STRING}
        file = fields({**name, "digest": STRING})
        saved = fields({"source": STRING, "digest": text(64)})
        return [
            ApiRoute("GET", "/api/studio/starts", self.listed,
                     words="What one can begin with", gives={"type": "object"}),
            ApiRoute("GET", "/api/studio/language", self.language, gives={"type": "object"},
                     words="The forms of the language, by part, with examples"),
            ApiRoute("POST", "/api/studio/starts", self.begun, words="The rules of a new game",
                     takes=fields({"kind": one_of("empty", *KINDS)}, {
                         "deck": one_of(*DECKS), "players": whole(PLAYERS[0], PLAYERS[-1])}),
                     gives=fields(name)),
            ApiRoute("GET", "/api/studio/library/{name}", self.studied, parameters=SETTINGS,
                     words="The rules of a game of the library, with other settings perhaps",
                     gives=fields(name), codes=("no-such-game",)),
            ApiRoute("GET", "/api/studio/files/{number}", self.opened,
                     words="A file that was given to the server", gives=file,
                     codes=("no-such-game", "not-allowed")),
            ApiRoute("POST", "/api/studio/files/{number}", self.saved,
                     words="Change a file that was given to the server", takes=saved,
                     gives=fields({"digest": STRING}),
                     codes=("no-such-game", "not-allowed", "conflict", "not-stored"),
                     most_bytes=6 * self._site.limits.source + 1024),
        ]  # fmt: skip

    async def listed(self, _: ApiCall) -> Any:
        files = [{"number": at, "name": file.path.name} for at, file in enumerate(self._files)]
        return {**starts(), "files": files, "most_bytes": self._site.limits.source}

    async def language(self, _: ApiCall) -> Any:
        return {"parts": language_parts()}

    async def begun(self, call: ApiCall) -> Any:
        kind = call.body["kind"]
        if kind == "empty":
            return {"name": "new-game", "source": EMPTY}
        deck, players = call.body.get("deck", "52"), call.body.get("players", 4)
        return {"name": f"new-{kind}", "source": new_text(kind, deck, players)}

    async def studied(self, call: ApiCall) -> Any:
        name, preset, options = call.part("name"), call.query("preset"), asked_options(call)
        try:
            source = await aside(library_text, name, preset, options)
        except NotFoundError as error:
            raise Refusal("no-such-game", str(error)) from None
        except (CardwrightError, ValueError) as error:
            raise Refusal("invalid", str(error)) from None
        return {"name": f"{name}-{preset}" if preset else name, "source": source}

    async def opened(self, call: ApiCall) -> Any:
        file = self._file(call)
        source, digest = file.read()
        return {"name": file.path.stem, "source": source, "digest": digest}

    async def saved(self, call: ApiCall) -> Any:
        return {"digest": self._file(call).write(call.body["source"], call.body["digest"])}

    def _file(self, call: ApiCall) -> GivenFile:
        if self._site.settings.public:
            raise Refusal("not-allowed", "with --public, no files of this machine are opened")
        number = natural(call.part("number"), len(self._files) - 1)
        if number is None:
            raise Refusal("no-such-game", "the server was not given that file")
        return self._files[number]
