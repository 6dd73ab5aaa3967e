"""The language server: requests and notifications of an editor, over its standard streams."""

from __future__ import annotations

import asyncio
import gc
import logging
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from cardwright._version import __version__
from cardwright.editor import commands
from cardwright.editor.actions import shown
from cardwright.editor.answers import ANSWERS
from cardwright.editor.document import OpenFiles
from cardwright.editor.highlight import LEGEND_MODIFIERS, LEGEND_TYPES
from cardwright.editor.rename import RenameError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from cardwright.editor.document import Document

NAME = "cardwright"

PAUSE = 0.01
"""Seconds that a file is left alone after an edit: of edits in a row only the last is checked."""

_LEGEND = lsp.SemanticTokensLegend(LEGEND_TYPES, LEGEND_MODIFIERS)
_OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions(trigger_characters=["(", "'", " "]),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: _LEGEND,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: _LEGEND,
}

REQUEST_FAILED = -32803
"""The protocol's code for a request that cannot be granted, for a reason that its message gives."""

_log = logging.getLogger(__name__)


class _Protocol(LanguageServerProtocol):
    """The protocol; a request that is cancelled ends the work that was begun for it."""

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        super()._handle_cancel_notification(msg_id)
        server = self._server
        assert isinstance(server, GameServer)
        server.cancel(msg_id)


class GameServer(LanguageServer):
    """A language server for game files.

    Editors are asked for whole texts, as a game file is short; one that sends parts is understood.
    Checks run between messages, and only the newest text is checked.
    `failures` counts the answers that an error prevented. Games are played by the `worker`, for a
    file at most at one time.
    """

    def __init__(self, worker: commands.Worker) -> None:
        super().__init__(
            NAME,
            __version__,
            lsp.TextDocumentSyncKind.Full,
            protocol_cls=_Protocol,
            max_workers=2,
        )
        self.files = OpenFiles()
        self.worker = worker
        self._shows_outcomes = False
        self._work: dict[str, asyncio.Task[dict[str, Any]]] = {}
        self._asked: dict[str | int | None, str] = {}
        self.failures = 0
        self._pending: dict[str, asyncio.TimerHandle] = {}
        for method, answer in ANSWERS.items():
            self._handle(method, partial(answer, self.files))
        self._handle(lsp.INITIALIZE, self._greeted)
        self._handle(lsp.SHUTDOWN, self._ended)
        self._handle(lsp.TEXT_DOCUMENT_DID_OPEN, self._opened)
        self._handle(lsp.TEXT_DOCUMENT_DID_CHANGE, self._changed)
        self._handle(lsp.TEXT_DOCUMENT_DID_CLOSE, self._closed)
        self._command(commands.CHECK, self._checked)
        self._command(commands.PLAY, self._playing)
        self._command(commands.SIMULATE, partial(self._played, "simulate", commands.GAMES))
        self._command(commands.FLOW, partial(self._played, "flow", commands.DRAWN_GAMES))

    def _handle(self, method: str, answer: Callable[[Any], Any]) -> None:
        """Answer a method by a function; an error in it becomes a message and an empty answer."""

        def handler(params: Any) -> Any:
            try:
                return answer(params)
            except RenameError as error:
                raise JsonRpcException(str(error), REQUEST_FAILED) from None
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

    def _greeted(self, params: lsp.InitializeParams) -> None:
        options = params.initialization_options
        self._shows_outcomes = isinstance(options, dict) and bool(options.get("showsOutcomes"))
        asked = params.capabilities.text_document
        completion = asked.completion.completion_item if asked and asked.completion else None
        self.files.snippets = bool(completion and completion.snippet_support)
        self.files.encoding = lsp.PositionEncodingKind(self.workspace.position_encoding)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error of the conversation itself; if it is broken off, no message can be sent."""
        _log.error("%s: %s", getattr(source, "__name__", source), error)

    # Texts ----------------------------------------------------------------------------------

    def _opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        self._take(item.uri, item.text, item.version)

    def _changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        uri, version = params.text_document.uri, params.text_document.version
        self._take(uri, self.files.edited(uri, params.content_changes), version)

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

    def _ended(self, _: object) -> None:
        """Check nothing more: after its goodbye an editor does not listen."""
        for uri in [*self._pending]:
            self._drop_check(uri)

    def _drop_check(self, uri: str) -> None:
        waiting = self._pending.pop(uri, None)
        if waiting is not None:
            waiting.cancel()

    def _check(self, document: Document) -> None:
        self._pending.pop(document.uri, None)
        try:
            found = shown(document, document.diagnostics)
        except Exception as error:
            self.report_failure("check", error)
            return
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(document.uri, found, document.version)
        )

    # Commands ---------------------------------------------------------------------------------

    def _command(
        self, name: str, do: Callable[[Document, Sequence[Any]], Awaitable[dict[str, Any]]]
    ) -> None:
        """Offer a command about a file, whose URI is its first argument.

        An editor that did not say that it shows outcomes itself has their text shown as a message.
        """

        async def handler(*arguments: Any) -> dict[str, Any]:
            document = self.files.get(str(arguments[0])) if arguments else None
            if document is None:
                outcome = {"text": "open a game file first", "ok": False}
            else:
                try:
                    outcome = await do(document, arguments[1:])
                except Exception as error:
                    self.report_failure(name, error)
                    outcome = {"text": f"{name} failed: {error}", "ok": False}
            if not self._shows_outcomes:
                kind = lsp.MessageType.Info if outcome["ok"] else lsp.MessageType.Warning
                self.window_show_message(lsp.ShowMessageParams(kind, str(outcome["text"])))
            return outcome

        self.command(name)(handler)

    async def _checked(self, document: Document, _more: Sequence[Any]) -> dict[str, Any]:
        return commands.checked(document)

    async def _playing(self, document: Document, _more: Sequence[Any]) -> dict[str, Any]:
        return commands.playing(document)

    async def _played(
        self, work: str, number: int, document: Document, more: Sequence[Any]
    ) -> dict[str, Any]:
        """Have games played; what was under way for the file is ended."""
        if more and isinstance(more[0], int) and not isinstance(more[0], bool):
            number = more[0]
        before = self._work.pop(document.uri, None)
        if before is not None:
            before.cancel()
        task = asyncio.create_task(self.worker.work(work, document, number))
        asked = self.protocol.msg_id
        self._work[document.uri] = task
        self._asked[asked] = document.uri
        try:
            return await task
        except asyncio.CancelledError:
            return {"text": "stopped", "ok": False}
        finally:
            self._asked.pop(asked, None)
            if self._work.get(document.uri) is task:
                del self._work[document.uri]

    def cancel(self, asked: str | int) -> None:
        """End the work that a request began."""
        task = self._work.get(self._asked.get(asked, ""))
        if task is not None:
            task.cancel()


def serve(worker: Sequence[str]) -> None:
    """Serve the editor at the other end of the standard streams until it says goodbye.

    `worker` is the command of the program that plays games for it.
    """
    gc.freeze()  # what is loaded by now stays
    GameServer(commands.Worker(worker)).start_io()
