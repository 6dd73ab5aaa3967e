"""The schemas of what the studio's work gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.web.schema import fields, listed, nullable, one_of, whole

if TYPE_CHECKING:
    from cardwright.web.schema import Schema

NAME = "rules.rcy"
"""What a text is called in messages; its author knows it by another name, or by none."""

MOST_GAMES = 10_000
"""Random games that can be asked for at a time."""

MOST_THOUGHT = 400
"""The same for games of players that think."""

NUMBER: Schema = {"type": "number"}
STRING: Schema = {"type": "string"}
_OBJECT: Schema = {"type": "object"}
_PLACE = {"from": whole(0, 10**9), "to": whole(0, 10**9)}
EDITS = listed(fields({**_PLACE, "insert": {"type": "string"}}), 10**6)
_FAULT = {
    "rule": {"type": "string"}, "message": {"type": "string"},
    "line": whole(1, 10**9), "column": whole(1, 10**9),
}  # fmt: skip

CHECKED = fields(
    {
        "ok": {"type": "boolean"},
        "counts": _OBJECT,
        "diagnostics": listed(
            fields(
                {
                    **_PLACE, "line": NUMBER, "column": NUMBER, "code": STRING,
                    "severity": one_of("error", "warning", "note"), "message": STRING,
                    "expected": STRING, "help": STRING,
                    "related": listed(fields({**_PLACE, "line": NUMBER, "message": STRING}), 99),
                    "fixes": listed(fields({"title": STRING, "edits": EDITS}), 99),
                }
            ),
            200,
        ),
        "names": listed(fields({**_PLACE, "is": STRING}), 10**6),
        "game": nullable(_OBJECT),
    }
)  # fmt: skip
EXPLAINED = fields({"explanation": nullable(STRING)}, _PLACE)
OFFERED = fields(
    {
        **_PLACE,
        "offers": listed(
            fields(
                dict.fromkeys(
                    ("label", "typed", "kind", "detail", "about", "order", "snippet"), STRING
                )
            ),
            200,
        ),
    }
)
FLOW = fields({"games": NUMBER, "svg": STRING, "words": listed(STRING, 10**6)})
LAID_OUT = fields({"edits": EDITS, "refused": STRING})
THOUGHT = fields(
    {
        "player": STRING, "games": NUMBER, "finished": NUMBER, "seats": listed(_OBJECT, 99),
        "strength": nullable(_OBJECT), "even": NUMBER, "errors": NUMBER,
    }
)  # fmt: skip
PLAYED = fields(
    {
        "games": NUMBER, "finished": NUMBER, "decisions": _OBJECT, "options": nullable(NUMBER),
        "most_options": NUMBER, "single": nullable(NUMBER), "seats": listed(_OBJECT, 99),
        "errors": NUMBER, "faults": listed(fields({**_FAULT, "games": NUMBER}), 3),
    }
)  # fmt: skip
