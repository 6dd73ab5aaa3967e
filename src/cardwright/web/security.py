"""Security: which requests are answered at all, and what every answer says to browsers."""

from __future__ import annotations

import ipaddress
import logging
import math
import os
import re
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request

from cardwright.web.addresses import LOCAL, own_names
from cardwright.web.errors import answer_of
from cardwright.web.rates import RateLimit
from cardwright.web.refusal import Refusal

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from cardwright.web.site import SiteSettings

_LOG = logging.getLogger("cardwright.web")
_TRACEBACK = bool(os.environ.get("CARDWRIGHT_TRACEBACK"))

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
        "font-src 'self'", "connect-src 'self'", "manifest-src 'self'", "frame-src 'self'",
        "frame-ancestors 'self'", "base-uri 'none'", "form-action 'self'",
    )
)  # fmt: skip
"""What pages may load and run: nothing that does not come from here."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
"""What every answer says, unless its route says something else.

No page of another site can show, read or open up what is here.
"""

_ASSETS = frozenset({"text/javascript", "text/css"})
OF_ASSETS = frozenset({"Referrer-Policy", "X-Content-Type-Options", "Cross-Origin-Resource-Policy"})
"""What counts for scripts and styles; the rest is about documents, and a page has many of these."""

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
_LONGEST_ADDRESS = 2048
_MOST_HEADERS = 16 * 1024
_STATIC_COST = 0.1
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")
_ORIGIN = re.compile(r"https?://([^/]+)")


class Guard:
    """Lets requests to this server through, and puts the headers of security on all answers.

    A page of another site could make a browser send requests here: by a name of its own that it
    lets point to this machine, which the Host header shows; or across origins, which the browser
    says. Programs that are no browsers say neither and may.
    """

    def __init__(self, app: ASGIApp, settings: SiteSettings) -> None:
        limits = settings.limits
        self._app = app
        self._names = LOCAL | own_names() | {settings.host, *settings.names}
        self._public = settings.public
        self._rate = RateLimit(limits.requests, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def send_safely(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                _secure(message, scope["path"])
            await send(message)

        try:
            self._check(scope)
            await self._app(scope, receive, send_safely)
        except Refusal as refusal:
            await answer_of(Request(scope), refusal)(scope, receive, send_safely)
        except Exception as error:
            _LOG.error(
                "a bug in Cardwright: %s: %s, at %s %s%s",
                type(error).__name__,
                error,
                scope["method"],
                _shape(scope["path"]),
                "" if _TRACEBACK else " (with CARDWRIGHT_TRACEBACK=1 it prints the traceback)",
                exc_info=_TRACEBACK,
            )
            if not begun:
                words = "The server made a mistake. Nothing is lost: load the page anew."
                await answer_of(Request(scope), Refusal("broken", words))(
                    scope, receive, send_safely
                )

    def _check(self, scope: Scope) -> None:
        """Raise Refusal for a request that is not answered, whatever it asks for."""
        headers = Headers(scope=scope)
        if scope["method"] not in METHODS:
            raise Refusal("wrong-method", "use GET or POST", {"Allow": "GET, HEAD, POST, OPTIONS"})
        if len(scope.get("raw_path") or b"") + len(scope["query_string"]) > _LONGEST_ADDRESS:
            raise Refusal("long-address", "the address is too long")
        if sum(len(name) + len(text) for name, text in scope["headers"]) > _MOST_HEADERS:
            raise Refusal("large-headers", "the headers are too large")
        hosts = headers.getlist("host")
        host = _HOST.fullmatch(hosts[0].lower()) if len(hosts) == 1 else None
        if host is None or not self._known(host[1].strip("[]")):
            raise Refusal(
                "wrong-host",
                "this server is not reached under that name: --domain allows one, see "
                "`cardwright serve --help`",
            )
        _check_source(headers, host[0], scope["path"])
        self._check_rate(scope)

    def _known(self, name: str) -> bool:
        """Return whether a name leads here; no other site can make an address its name."""
        if name in self._names:
            return True
        if not self._public:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _check_rate(self, scope: Scope) -> None:
        cost = _STATIC_COST if scope["path"].startswith("/static/") else 1.0
        wait = self._rate.take(address_of(scope), cost)
        if wait > 0:
            seconds = math.ceil(wait)
            raise Refusal(
                "too-many",
                f"too many requests: try again in {seconds} s",
                {"Retry-After": str(seconds)},
            )


def _check_source(headers: Headers, host: str, path: str) -> None:
    """Raise Refusal for a request that a page of another site has made.

    Links from elsewhere lead to pages, which browsers call a navigation; data they do not get.
    """
    origins = headers.getlist("origin")
    for origin in origins:
        match = _ORIGIN.fullmatch(origin.lower())
        if match is None or match[1] != host:
            raise _foreign()
    if path.startswith(("/api/", "/static/")):
        for site in headers.getlist("sec-fetch-site"):
            if site not in {"same-origin", "none"}:
                raise _foreign()


def _foreign() -> Refusal:
    return Refusal("wrong-origin", "pages of other sites may not send requests here")


def _secure(message: Message, path: str) -> None:
    headers = MutableHeaders(scope=message)
    kind = headers.get("content-type", "").partition(";")[0]
    asset = message["status"] == 200 and kind in _ASSETS
    for name, value in HEADERS.items():
        if not asset or name in OF_ASSETS:
            headers.setdefault(name, value)
    # Browsers keep static files, and ask each time whether they have changed.
    headers.setdefault("Cache-Control", "no-cache" if path.startswith("/static/") else "no-store")


def address_of(scope: Scope) -> str:
    """Return the address of who asks."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def _shape(path: str) -> str:
    """Return a path for the log, without the tokens in it: they are keys."""
    return re.sub(r"/[A-Za-z0-9_-]{22}(?=/|$)", "/...", path)[:200]
