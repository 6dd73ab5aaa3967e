"""The language server: requests and notifications of an editor, over its standard streams."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from cardwright._version import __version__
from cardwright.editor.answers import ANSWERS
from cardwright.editor.messages import shown
from cardwright.editor.open_files import OpenFiles

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardwright.editor.document import Document

NAME = "cardwright"

PAUSE = 0.01
"""Seconds that a file is left alone after an edit: of edits in a row only the last is checked."""

_OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=["(", "'", " "]),
}

_log = logging.getLogger(__name__)


class GameServer(LanguageServer):
    """A language server for game files.

    Editors send whole texts: how lines are counted in parts of a text is a matter of dispute, and a
    game file is short. Checks run between messages, and only the newest text is checked.
    `failures` counts the answers that an error prevented.
    """

    def __init__(self) -> None:
        super().__init__(NAME, __version__, lsp.TextDocumentSyncKind.Full, max_workers=2)
        self.files = OpenFiles()
        self.failures = 0
        self._pending: dict[str, asyncio.TimerHandle] = {}
        for method, answer in ANSWERS.items():
            self._handle(method, partial(answer, self.files))
        self._handle(lsp.TEXT_DOCUMENT_DID_OPEN, self._opened)
        self._handle(lsp.TEXT_DOCUMENT_DID_CHANGE, self._changed)
        self._handle(lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed)

    def _handle(self, method: str, answer: Callable[[Any], Any]) -> None:
        """Answer a method by a function; an error in it becomes a message and an empty answer."""

        def handler(params: Any) -> Any:
            try:
                return answer(params)
            except Exception as error:
                self.report_failure(method, error)
                return None

        self.feature(method, _OPTIONS.get(method))(handler)

    def report_failure(self, what: str, error: Exception) -> None:
        """Log an error that is ours; nothing else comes of it."""
        self.failures += 1
        _log.exception("%s failed", what, exc_info=error)
        text = f"this is a bug in Cardwright: {what}: {type(error).__name__}: {error}"
        self.window_log_message(lsp.LogMessageParams(lsp.MessageType.Error, text))

    # Texts ----------------------------------------------------------------------------------

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        self._take(item.uri, item.text, item.version)

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        change = params.content_changes[-1] if params.content_changes else None
        if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
            self._take(params.text_document.uri, change.text, params.text_document.version)

    def _closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        self._drop_check(uri)
        self.files.close(uri)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _take(self, uri: str, text: str, version: int) -> None:
        """Take a new text; it is checked once the messages that are waiting have been read."""
        document = self.files.put(uri, text, version)
        self._drop_check(uri)
        loop = asyncio.get_running_loop()
        self._pending[uri] = loop.call_later(PAUSE, partial(self._check, document))

    def _drop_check(self, uri: str) -> None:
        waiting = self._pending.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def _check(self, document: Document) -> None:
        self._pending.pop(document.uri, None)
        try:
            found = shown(document, document.examined.checked.diagnostics)
        except Exception as error:
            self.report_failure("check", error)
            return
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(document.uri, found, document.version)
        )


def serve() -> None:
    """Serve the editor at the other end of the standard streams until it says goodbye."""
    GameServer().start_io()
