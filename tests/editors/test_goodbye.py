"""The end of a conversation with the language server, byte by byte."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from patience import PATIENCE


def message(method: str, params: object = None, number: int | None = None) -> bytes:
    body: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        body["id"] = number
    text = json.dumps(body).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(text), text)


@pytest.mark.slow
def test_an_editor_that_says_goodbye_hears_nothing_more() -> None:
    """Even if texts have just come that are not checked yet; and the server ends well."""
    items = [
        {"uri": f"file:///{number}.rcy", "languageId": "recycle", "version": 1, "text": "(game"}
        for number in range(100)
    ]
    said = b"".join(
        [
            message("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1),
            message("initialized", {}),
            *(message("textDocument/didOpen", {"textDocument": item}) for item in items),
            message("shutdown", number=2),
            message("exit"),
        ]
    )
    ended = subprocess.run(
        [sys.executable, "-m", "cardwright", "lsp"],
        input=said,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr.decode()
    assert ended.stderr == b""
    assert b'"id":2' in ended.stdout.replace(b" ", b"").split(b"publishDiagnostics")[-1]
