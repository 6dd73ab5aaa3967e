"""Random edits of game files, as an editor sees them: what must hold after every one.

The tests make a few hundred edits; run as a program (`scripts/fuzz --edits 100000`), it makes as
many as are asked for, and says how much memory it uses on the way.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from pathlib import Path

from lsprotocol import types as lsp

from cardwright.editor.actions import shown
from cardwright.editor.answers import ANSWERS
from cardwright.editor.document import OpenFiles
from cardwright.editor.rename import RenameError
from cardwright.program.check import check

GAMES = Path(__file__).parents[2] / "src" / "cardwright" / "library" / "games"
URI = "file:///edited/game.rcy"
FILE = lsp.TextDocumentIdentifier(URI)

TYPED = (
    "(inc (game sto ROUND))", "(move 'C (top (game vloc PILE)))", "'P", "'CARD", "HEARTS", " 3",
    "declare",
    ";; a card \U0001f0a1\n", "\r\n", "(", ")", "((", "))", "\n", "all", "any player 'P ",
    "(declare 4 'CARDS)", "(define (TWICE 'N) (* 2 'N))", "(TWICE 3)", "(let ", "else", "\u2028",
    "(filter (game vloc PILE) 'C (== (cardatt SUIT 'C) HEARTS))", "'WORTH", "[", "]", "\ufeff",
)  # fmt: skip
"""What is typed, key by key, or pasted."""


class EditedFile:
    """A file that is edited at random; `text` is the newest version."""

    def __init__(self, text: str, seed: int) -> None:
        self.original = text
        self.text = text
        self.random = random.Random(seed)
        self.files = OpenFiles()
        self.version = 0
        self._typing = ""
        self._at = 0

    def edit(self) -> None:
        """Make one more version: a key of what is being typed, or another change."""
        draw = self.random
        if self._typing:
            key, self._typing = self._typing[0], self._typing[1:]
            self._put(self._at, self._at, key)
            self._at += 1
        elif len(self.text) > 2 * len(self.original) + 500 or draw.random() < 0.02:
            self.text = self.original
        else:
            self._at = draw.randrange(len(self.text) + 1)
            end = min(self._at + draw.choice((1, 1, 1, 5, 40)), len(self.text))
            match draw.randrange(5):
                case 0 | 1:
                    self._typing = draw.choice(TYPED)
                    self._put(self._at, self._at, draw.choice(("", " ", "\n  ")))
                case 2:
                    self._put(self._at, end, "")
                case 3:
                    other = draw.randrange(len(self.text) + 1)
                    self._put(self._at, self._at, self.text[other : other + 60])
                case _:
                    self._put(self._at, end, draw.choice(TYPED))
        self.version += 1
        self.files.put(URI, self.text, self.version)

    def _put(self, start: int, end: int, text: str) -> None:
        self.text = self.text[:start] + text + self.text[end:]

    def judge(self, *, fresh: bool) -> None:
        """Assert that the messages are those of a check of this text alone, in sound places."""
        document = self.files.get(URI)
        assert document is not None
        found = document.diagnostics
        assert len(shown(document, found)) == min(len(found), 200)
        if fresh:
            assert list(found) == list(check(document.source).diagnostics)

    def ask(self, method: str) -> None:
        """Ask something about a random place; every answer is sound."""
        document = self.files.get(URI)
        assert document is not None
        place = document.lines.position(self.random.randrange(len(self.text) + 1))
        other = document.lines.position(self.random.randrange(len(self.text) + 1))
        try:
            ANSWERS[method](self.files, self._parameters(method, place, other))
        except RenameError as error:
            assert str(error)

    def _parameters(self, method: str, place: lsp.Position, other: lsp.Position) -> object:
        ends = sorted((place, other), key=lambda one: (one.line, one.character))
        where = lsp.Range(*ends)
        match method:
            case lsp.TEXT_DOCUMENT_HOVER:
                return lsp.HoverParams(FILE, place)
            case lsp.TEXT_DOCUMENT_COMPLETION:
                return lsp.CompletionParams(FILE, place)
            case lsp.TEXT_DOCUMENT_REFERENCES:
                return lsp.ReferenceParams(lsp.ReferenceContext(True), FILE, place)
            case lsp.TEXT_DOCUMENT_RENAME:
                name = self.random.choice(("'NEW", "NEW", "HEARTS", "'C", "new"))
                return lsp.RenameParams(FILE, place, name)
            case lsp.TEXT_DOCUMENT_PREPARE_RENAME:
                return lsp.PrepareRenameParams(FILE, place)
            case lsp.TEXT_DOCUMENT_CODE_ACTION:
                return lsp.CodeActionParams(FILE, where, lsp.CodeActionContext([]))
            case lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE:
                return lsp.SemanticTokensRangeParams(FILE, where)
            case lsp.TEXT_DOCUMENT_INLAY_HINT:
                return lsp.InlayHintParams(FILE, where)
            case lsp.TEXT_DOCUMENT_SELECTION_RANGE:
                return lsp.SelectionRangeParams(FILE, [place, other])
            case lsp.TEXT_DOCUMENT_DEFINITION | lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT:
                return lsp.DefinitionParams(FILE, place)
            case lsp.TEXT_DOCUMENT_FORMATTING:
                options = lsp.FormattingOptions(2, insert_spaces=True)
                return lsp.DocumentFormattingParams(FILE, options)
            case lsp.TEXT_DOCUMENT_RANGE_FORMATTING:
                options = lsp.FormattingOptions(2, insert_spaces=True)
                return lsp.DocumentRangeFormattingParams(FILE, where, options)
            case _:
                return lsp.DocumentSymbolParams(FILE)


def main() -> int:
    """Make as many edits as asked for, and say how it went; 1 if something did not hold."""
    parser = argparse.ArgumentParser(description="Edit game files at random, as in an editor.")
    parser.add_argument("--edits", type=int, default=10_000, help="how many edits (10000)")
    parser.add_argument("--seed", type=int, default=None, help="where randomness starts")
    parser.add_argument("--game", action="append", help="only this game of the library")
    asked = parser.parse_args()
    seed = random.randrange(10**9) if asked.seed is None else asked.seed
    names = asked.game or sorted(path.stem for path in GAMES.glob("*.rcy"))
    draw = random.Random(seed)
    begun = time.perf_counter()
    sys.stdout.write(f"seed {seed}\n")
    done = 0
    while done < asked.edits:
        name = draw.choice(names)
        text = (GAMES / f"{name}.rcy").read_text(encoding="utf-8")
        edited = EditedFile(text, draw.randrange(10**9))
        for _ in range(min(200, asked.edits - done)):
            edited.edit()
            done += 1
            try:
                edited.judge(fresh=draw.random() < 0.2)
                edited.ask(draw.choice(list(ANSWERS)))
            except BaseException:
                sys.stdout.write(f"FAILURE in {name} after {done:,} edits:\n{edited.text}\n")
                raise
            if done % 5_000 == 0:
                sys.stdout.write(f"{_told(done, time.perf_counter() - begun)}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{_told(done, time.perf_counter() - begun)}\n")
    return 0


def _told(done: int, seconds: float) -> str:
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return f"{done:,} edits in {seconds:,.0f} s, at most {used:,.0f} MiB of memory"


if __name__ == "__main__":
    sys.exit(main())
