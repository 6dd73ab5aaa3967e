"""Words of other languages and of card players, and how to say the same in RECYCLE."""

from __future__ import annotations

_CONDITIONAL = "a conditional step is a condition and a step in one bracket: ((== ...) (do (...)))"
_EACH = "a step for each item is written (all COLLECTION 'V STEP)"
_BIND = "a value is bound with (let VALUE 'V STEP), a constant with (declare VALUE 'V)"
_DEFINE = "what is used several times is named with (define (NAME 'A) ...) before the set-up"
_DEAL = "cards are dealt with (repeat N (move (top (game iloc STOCK)) (top ('P iloc HAND))))"
_MOVE = "a card goes from place to place with (move CARD CARD)"
_SIZE = "the number of items is (size COLLECTION)"
_END = "a stage has its own end: (stage player (end CONDITION) ...)"

RENAMED = {
    **dict.fromkeys(("eq", "equal", "equals"), "=="),
    **dict.fromkeys(("count", "length", "len"), "size"),
    "add": "+",
    "sub": "-",
    "foreach": "all",
}
"""Words that another language has for a word of RECYCLE, with operands in the same order."""

FOREIGN = {
    "if": _CONDITIONAL,
    "when": _CONDITIONAL,
    "cond": _CONDITIONAL,
    "unless": _CONDITIONAL,
    "else": "it belongs to a condition and its step: (CONDITION STEP else STEP)",
    "then": _CONDITIONAL,
    "case": _CONDITIONAL,
    "for": _EACH,
    "foreach": _EACH,
    "each": _EACH,
    "loop": "an action is repeated with (repeat N ACTION), turns with (stage player (end ...) ...)",
    "while": "turns are repeated with (stage player (end CONDITION) ...)",
    "until": _END,
    "end": _END,
    "begin": "steps in order are (do (STEP ...))",
    "progn": "steps in order are (do (STEP ...))",
    "defun": _DEFINE,
    "lambda": _DEFINE,
    "setq": "a value is stored with (set (game sto NAME) VALUE)",
    "print": "a game prints nothing; put explanations into comments: ;; ...",
    "eq": "equality is written (== ... ...)",
    "equal": "equality is written (== ... ...)",
    "equals": "equality is written (== ... ...)",
    "count": _SIZE,
    "length": _SIZE,
    "len": _SIZE,
    "add": "sums are written (+ ... ...)",
    "sub": "differences are written (- ... ...)",
    "list": "a list of names is written (A, B, C)",
    "deal": _DEAL,
    "draw": _MOVE,
    "discard": _MOVE,
    "put": _MOVE,
    "take": _MOVE,
    "play": _MOVE,
    "pass": "doing nothing is written (turn pass)",
    "rank": "an attribute of a card is read with (cardatt RANK CARD)",
    "suit": "an attribute of a card is read with (cardatt SUIT CARD)",
    "winner": "the best score wins: (scoring max ((current player) sto SCORE))",
    "first": "the cards at the ends of a location are (top LOCATION) and (bottom LOCATION)",
    "last": "the cards at the ends of a location are (top LOCATION) and (bottom LOCATION)",
}
