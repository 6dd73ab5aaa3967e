"""Writes the syntax colours of editors from the table of forms: see `scripts/docs`.

With --check it changes nothing and fails if a file is not up to date.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardwright.program.forms import SECTIONS, SHAPES

FOLDER = Path(__file__).parent

_WORD = re.compile(r"(?<![\w'])[a-z]+(?!\w)")
_KIND = re.compile(r"(?:\(OWNER|\bindexed OWNER) ([a-z]+)\b")
_OPERATOR = re.compile(r"[^\s()\[\]\w'|,.:]+")
_OWNERS = {"game", "player", "team", "owner", "current", "next", "previous", "other"}
_MADE = "made by editors/make_grammars.py from the table of forms: edit the table, not this file"


@dataclass(frozen=True)
class Vocabulary:
    """The words of the language by what they are, each in one class."""

    kinds: tuple[str, ...]
    frame: tuple[str, ...]
    steps: tuple[str, ...]
    owners: tuple[str, ...]
    values: tuple[str, ...]
    operators: tuple[str, ...]

    @classmethod
    def of_forms(cls) -> Vocabulary:
        """Return the vocabulary of the table of forms."""
        sections = {shape.section for shape in SHAPES}
        by_section = {
            section: set().union(*(_words(s.pattern) for s in SHAPES if s.section == section))
            for section in sections
        }
        kinds = {word for shape in SHAPES for word in _KIND.findall(shape.pattern)}
        used = set(kinds)

        def left(words: set[str]) -> tuple[str, ...]:
            found = words - used
            used.update(found)
            return tuple(sorted(found))

        owners = left(_OWNERS)
        steps = {"Stages and blocks", "Actions"}
        values = set().union(*(words for name, words in by_section.items() if name not in steps))
        frame = left(
            (set().union(*(_words(s.pattern) for s in SECTIONS)) - values - by_section["Actions"])
            | by_section["Stages and blocks"]
        )
        operators = {one for shape in SHAPES for one in _OPERATOR.findall(shape.pattern)}
        return cls(
            tuple(sorted(kinds)),
            frame,
            left(by_section["Actions"] - values),
            owners,
            left(values | by_section["Actions"]),
            tuple(sorted(operators, key=lambda one: (-len(one), one))),
        )


def _words(pattern: str) -> set[str]:
    return set(_WORD.findall(pattern))


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(words)


# VS Code ------------------------------------------------------------------------------------


def text_mate(words: Vocabulary) -> str:
    """Return the grammar in the notation of TextMate, which VS Code reads."""
    scopes = {
        "storage.type": words.kinds,
        "keyword.control": words.frame,
        "keyword.other.action": words.steps,
        "variable.language": words.owners,
        "support.function": words.values,
    }
    named = _any_of(words.kinds)
    patterns: list[dict[str, Any]] = [
        {"name": "comment.line.semicolon.recycle", "match": ";;.*$"},
        {"name": "invalid.illegal.comment.recycle", "match": ";(?!;).*$"},
        {"name": "variable.parameter.recycle", "match": "'[A-Z][A-Za-z0-9_]*"},
        {
            "match": rf"\b({named})\s+([A-Z][A-Za-z0-9_]*)",
            "captures": {
                "1": {"name": "storage.type.recycle"},
                "2": {"name": "entity.name.type.recycle"},
            },
        },
        {"name": "constant.other.recycle", "match": r"\b[A-Z][A-Za-z0-9_]*\b"},
        {"name": "constant.numeric.recycle", "match": r"\b[0-9]+\b"},
        *(
            {"name": f"{scope}.recycle", "match": rf"\b(?:{_any_of(listed)})\b"}
            for scope, listed in scopes.items()
        ),
        {"name": "invalid.illegal.word.recycle", "match": r"\b[a-z]\w*\b"},
        {
            "name": "keyword.operator.recycle",
            "match": "|".join(map(re.escape, words.operators)),
        },
        {"name": "punctuation.separator.recycle", "match": r"\.\.|,|:"},
        {"name": "punctuation.bracket.round.recycle", "match": r"[()]"},
    ]
    grammar = {
        "comment": _MADE,
        "name": "RECYCLE",
        "scopeName": "source.recycle",
        "fileTypes": ["rcy"],
        "patterns": patterns,
    }
    return json.dumps(grammar, indent=2) + "\n"


# Vim and Neovim -----------------------------------------------------------------------------


def vim_syntax(words: Vocabulary) -> str:
    """Return the syntax file of Vim and Neovim."""
    groups = {
        "recycleKind": ("Type", words.kinds),
        "recycleFrame": ("Statement", words.frame),
        "recycleAction": ("Keyword", words.steps),
        "recycleOwner": ("Identifier", words.owners),
        "recycleValue": ("Function", words.values),
    }
    lines = [
        f'" Colours of RECYCLE, {_MADE}.',
        "if exists('b:current_syntax')",
        "  finish",
        "endif",
        r"syntax match recycleUnknown /\<\l\w*\>/",
        *(f"syntax keyword {name} {' '.join(listed)}" for name, (_, listed) in groups.items()),
        r"syntax match recycleName /\<\u\w*\>/",
        r"syntax match recycleVariable /'\u\w*/",
        r"syntax match recycleNumber /\<\d\+\>/",
        r"syntax match recycleComment /;;.*$/ contains=@Spell",
        *(f"highlight default link {name} {link}" for name, (link, _) in groups.items()),
        "highlight default link recycleUnknown Error",
        "highlight default link recycleName Constant",
        "highlight default link recycleVariable Special",
        "highlight default link recycleNumber Number",
        "highlight default link recycleComment Comment",
        "let b:current_syntax = 'recycle'",
    ]
    return "\n".join(lines) + "\n"


# Emacs --------------------------------------------------------------------------------------


def emacs_words(words: Vocabulary) -> str:
    """Return the words of the language as Emacs constants."""
    lists = {
        "kinds": (words.kinds, "who sees what is stored or lies there"),
        "frame": (words.frame, "the frame of a game, stages and blocks"),
        "actions": (words.steps, "what steps do"),
        "owners": (words.owners, "who owns it"),
        "values": (words.values, "forms that have a value"),
    }
    lines = [
        ";;; recycle-words.el --- The words of RECYCLE  -*- lexical-binding: t; -*-",
        "",
        ";;; Commentary:",
        f";; {_MADE}.",
        "",
        ";;; Code:",
        "",
    ]
    for name, (listed, what) in lists.items():
        quoted = " ".join(f'"{word}"' for word in listed)
        lines += [f"(defconst recycle-{name} '({quoted})", f'  "Words for {what}.")', ""]
    return "\n".join([*lines, "(provide 'recycle-words)", ";;; recycle-words.el ends here"]) + "\n"


# The studio in the browser --------------------------------------------------------------------


def script_words(words: Vocabulary) -> str:
    """Return the words of the language as a module of the studio."""
    lists = {
        "KINDS": (words.kinds, "Who sees what is stored or lies there."),
        "FRAME": (words.frame, "The frame of a game, stages and blocks."),
        "ACTIONS": (words.steps, "What steps do."),
        "OWNERS": (words.owners, "Who owns it."),
        "VALUES": (words.values, "Forms that have a value."),
        "OPERATORS": (words.operators, "Operators, longest first."),
    }
    lines = ["// The words of RECYCLE,", f"// {_MADE}."]
    for name, (listed, what) in lists.items():
        lines += ["", f"/** {what} */", f"export const {name} = new Set({json.dumps(listed)});"]
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or compare them."""
    words = Vocabulary.of_forms()
    texts = {
        "vscode/syntaxes/recycle.tmLanguage.json": text_mate(words),
        "neovim/syntax/recycle.vim": vim_syntax(words),
        "emacs/recycle-words.el": emacs_words(words),
        "../src/cardwright/web/static/js/studio/words.js": script_words(words),
    }
    stale = []
    for name, text in texts.items():
        path = (FOLDER / name).resolve()
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8", newline="\n")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(str(Path("editors") / name))
    if stale:
        sys.stderr.write(f"not up to date: {', '.join(stale)}; run scripts/docs\n")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
