"""Games that break rules in every form: each operand is in turn what a game may come to hold.

For each row of the table of forms, each of its operands is once every value of its kind that some
form could stumble over, among them forms that break a rule themselves. All those cases make up a
few programs: the first decision chooses a case, and what follows does it alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cardwright.program.forms import SHAPES
from cardwright.program.kinds import ValueKind
from cardwright.program.shapes import Binder, FormGroup, Literal, Operand
from form_count import title

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cardwright.program.forms import FormShape
    from cardwright.program.shapes import Part

LARGEST = 2**63 - 1

SETUP = f"""
(setup (create players 2)
  (create deck (game iloc STOCK) (deck (RANK (A, B, C, D)) (SUIT (X, Y))))
  (create deck (game vloc PILE) (deck (RANK (A, B)) (SUIT (X, Y))))
  (create deck (game hloc MUCH) (deck (RANK (A, B, C, D, E, F, G, H)) (SUIT (K, L, M, N, O, P, Q, R))))
  (create secret (player isto BID) (range 0 .. 3)) (create secret (player istr VOTE) (X, NAME)))
(do (
  (set (game sto ONE) 1) (set (game sto NEGATIVE) (- 0 1)) (set (game sto MILLION) 1000001)
  (set (game sto LARGE) {LARGEST}) (set (game sto SMALL) (- (- 0 {LARGEST}) 1))
  (set (game points W) (((RANK : A) 1) ((RANK : B) 2) ((RANK : C) 3) ((RANK : D) 4)
    ((RANK : E) 5) ((RANK : F) 6) ((RANK : G) 7) ((RANK : H) 8)))
  (set (game points LARGE) (((SUIT : X) {LARGEST}) ((SUIT : Y) {LARGEST})))
  (all player 'P (move (top (game iloc STOCK)) (top ('P iloc HAND))))
  (remember (top (game vloc PILE)) (top (game mem NOTED)))))
"""  # noqa: E501 - a table

_ZERO, _NEGATIVE, _LARGE = "(game sto NOTHING)", "(game sto NEGATIVE)", "(game sto LARGE)"
_PILE, _EMPTY, _W = "(game vloc PILE)", "(game vloc EMPTY)", "(game points W)"
_NO_CARD = f"(max {_EMPTY} using {_W})"
_NOBODY = f"(owner (top {_EMPTY}))"
_THOUGHT_OF = f"(filter {_PILE} 'F (!= (cardatt RANK 'F) Z))"


class Operands(NamedTuple):
    """What stands for an operand of a kind: what is harmless, what may do harm, what breaks."""

    plain: str
    harmful: tuple[str, ...] = ()
    broken: str = ""
    """A form that breaks a rule whenever it is evaluated."""


_INTEGER = Operands(
    "(game sto ONE)",
    (_ZERO, _NEGATIVE, _LARGE, "(game sto SMALL)", "(game sto MILLION)"),
    f"(// 1 {_ZERO})",
)
_STRING = Operands("(game str S)", (), f"(cardatt SUIT {_NO_CARD})")
_BOOLEAN = Operands("(== (game sto ONE) 1)", ("(== (game sto ONE) 2)",), f"(> (// 1 {_ZERO}) 0)")
_CARD = Operands(
    f"(top {_PILE})",
    (
        f"(top {_EMPTY})", f"(bottom {_EMPTY})", f"(9 {_PILE})", f"({_NEGATIVE} {_PILE})",
        "(top (game mem NOTED))", "(top (game mem EMPTY))", f"(top {_THOUGHT_OF})",
        f"(0 {_EMPTY})",
    ),
    _NO_CARD,
)  # fmt: skip
_PLAYER = Operands(
    "(current player)",
    (f"({_ZERO} player)", f"({_LARGE} player)", "(owner (top (game vloc PILE)))"),
    _NOBODY,
)
_TEAM = Operands("(current team)", (f"({_ZERO} team)", f"({_LARGE} team)"), f"(team {_NOBODY})")
_LOCATION = Operands(
    _PILE,
    (_EMPTY, "(game mem NOTED)", "(game mem EMPTY)", _THOUGHT_OF, "(game hloc MUCH)"),
    f"(top {_LARGE} {_PILE})",
)
_LOCATIONS = Operands(
    f"(partition SUIT {_PILE})", (f"(partition SUIT {_EMPTY})",), "(subsets (game hloc MUCH))"
)
_STEP = Operands("(inc (game sto R))", (), f"(inc (game sto R) (// 1 {_ZERO}))")

OPERANDS: dict[ValueKind, Operands] = {
    ValueKind.INTEGER: _INTEGER,
    ValueKind.STRING: _STRING,
    ValueKind.BOOLEAN: _BOOLEAN,
    ValueKind.CARD: _CARD,
    ValueKind.PLAYER: _PLAYER,
    ValueKind.TARGET: _PLAYER,
    ValueKind.TEAM: _TEAM,
    ValueKind.OWNER: Operands("game", (f"({_ZERO} player)", f"({_ZERO} team)"), _NOBODY),
    ValueKind.POINTS: Operands(_W, ("(game points LARGE)",), f"({_NOBODY} points W)"),
    ValueKind.LOCATION: _LOCATION,
    ValueKind.LOCATIONS: _LOCATIONS,
    ValueKind.COMPARABLE: Operands("NAME"),
    ValueKind.WORTHS: Operands("((A : 1) (X : 2))"),
    ValueKind.PLAYERS | ValueKind.TEAM: Operands(
        "(filter player 'F (== 1 1))",
        ("(filter player 'F (== 0 1))",),
        f"(filter player 'F (> (// 1 {_ZERO}) 0))",
    ),
    ValueKind.COLLECTION: Operands(_PILE, (_EMPTY,), f"(range 1 .. {_LARGE})"),
    ValueKind.VALUE: _INTEGER,
    ValueKind.INTEGER_STORAGE: Operands(
        "(game sto R)", (_LARGE, "(game sto SMALL)"), f"({_NOBODY} sto R)"
    ),
    ValueKind.STRING_STORAGE: Operands("(game str S)", (), f"({_NOBODY} str S)"),
    ValueKind.AWARD: Operands(
        "((SUIT : X) 1)",
        (f"((SUIT : X) {_LARGE}) ((RANK : A) {_LARGE})",),
        f"((SUIT : X) (// 1 {_ZERO}))",
    ),
    ValueKind.ACTION: _STEP,
    ValueKind.BODY: _STEP,
    ValueKind.BLOCK: Operands(f"(do ({_STEP.plain}))", (), f"(do ({_STEP.broken}))"),
}
"""What stands for each kind of operand."""

_ONE_BY_ONE = "(move (top {}) (top (game vloc OTHER)))"

_FALSE = "(== (game sto ONE) 2)"
_ELSE = {"(BOOLEAN ITEM else ITEM)": 2, "(BOOLEAN STEP else STEP)": 2}
"""Operands that are evaluated only if the first one, a condition, does not hold."""

_NEVER = Operands("(== 0 1)", (_BOOLEAN.plain,), _BOOLEAN.broken)
_LATER = Operands("(> (game sto R) 3)", ("(== 0 1)",), _BOOLEAN.broken)

NARROWER: dict[tuple[str, int], Operands] = {
    ("(stage player (end BOOLEAN) ITEM...)", 0): _LATER,
    ("(stage team (end BOOLEAN) ITEM...)", 0): _LATER,
    ("(or BOOLEAN BOOLEAN...)", 0): _NEVER,
    ("(or BOOLEAN BOOLEAN...)", 1): _NEVER,
    ("(INTEGER LOCATIONS)", 0): Operands("1", ("0", "7")),
    ("(score STRING using WORTHS)", 0): Operands("(game str S)", (), f"(cardatt SUIT (9 {_PILE}))"),
    **{
        (pattern, 1): Operands("BID" if "isto" in pattern else "VOTE")
        for pattern in (shape.pattern for shape in SHAPES)
        if "isto" in pattern or "istr" in pattern
    },
    ("(repeat all ACTION)", 0): Operands(
        _ONE_BY_ONE.format(_PILE),
        (
            *map(_ONE_BY_ONE.format, ("(game mem NOTED)", _THOUGHT_OF)),
            f"(move (2 {_PILE}) (top (game vloc OTHER)))",
            f"(move (top {_PILE}) (top (game mem NOTED)))",
            f"(move (top {_PILE}) (top {_THOUGHT_OF}))",
            f"(forget (top {_PILE}))",
        ),
        f"(move (top (top {_LARGE} {_PILE})) (top (game vloc OTHER)))",
    ),
}
"""What stands for operands that take less than their kind, or decide about others.

By the form's pattern and the place of the operand.
"""

_INTEGER_USE = "(set (game sto R) {})"

USES: dict[ValueKind, tuple[str, ...]] = {
    ValueKind.INTEGER: (_INTEGER_USE,),
    ValueKind.STRING: ("(set (game str R) {})",),
    ValueKind.BOOLEAN: ("({} (inc (game sto R)))",),
    ValueKind.CARD: (
        "(set (game str R) (cardatt SUIT {}))",
        "(move {} (top (game vloc OTHER)))",
        "(move (top (game iloc STOCK)) {})",
    ),
    ValueKind.PLAYER: ("(set (game sto R) (pid {}))", "(cycle current {})"),
    ValueKind.TEAM: ("(set (game sto R) (tid {}))",),
    ValueKind.POINTS: ("(set (game sto R) (sum (game vloc PILE) using {}))",),
    ValueKind.LOCATION: ("(set (game sto R) (size {}))", "(all {} 'I (inc (game sto R)))"),
    ValueKind.LOCATIONS: ("(set (game sto R) (size {}))", "(all {} 'I (inc (game sto R)))"),
    ValueKind.PLAYERS: ("(all {} 'I (inc (game sto R)))",),
    ValueKind.TEAMS: ("(all {} 'I (inc (game sto R)))",),
    ValueKind.INTEGERS: ("(set (game sto R) (size {}))", "(all {} 'I (inc (game sto R)))"),
    ValueKind.ACTION: ("{}",),
    ValueKind.STEP: ("{}",),
    ValueKind.CONDITIONAL: ("{}",),
    ValueKind.ITEM: ("{}",),
}
"""Steps in which a form of each kind is evaluated; they break no rule of their own."""


TOGETHER = ((_LARGE, _LARGE), ("(game sto SMALL)", _NEGATIVE), (_ZERO, _NEGATIVE))
"""Pairs of integers that break a rule only together."""

OTHERS = {
    "(choice (STEP...)) -> ITEM": "(choice (((== 0 1) (turn pass))))",
    "(subsets LOCATION == INTEGER) -> LOCATIONS": (
        "(subsets (top 40 (game hloc MUCH)) == (+ 19 (game sto ONE)))"
    ),
}
"""Forms with operands that break a rule only together, by row."""


class Filled(NamedTuple):
    """A form as text; which of its operands is not plain, if one is, and if that breaks a rule."""

    text: str
    operand: int = -1
    broken: bool = False


@dataclass(frozen=True)
class Case:
    """A form, by its row of the table, and the step that evaluates it."""

    form: str
    text: str
    operand: int
    broken: bool
    use: str

    @property
    def step(self) -> str:
        """The whole step."""
        return self.use.format(self.text)

    @property
    def places(self) -> frozenset[str]:
        """Where it can be put: in a `do`, in a choice, in the end of a stage, in the scoring."""
        if self.form.endswith("-> ITEM"):
            return frozenset({"items"})
        if self.use == "{}" and self.text.startswith("(any"):
            return frozenset({"choice"})
        return frozenset(
            {"do", "choice"} | ({"end", "score"} if self.use == _INTEGER_USE else set())
        )


def cases(shapes: Iterable[FormShape] = SHAPES) -> list[Case]:
    """Return every case of every form."""
    return [
        Case(title(shape), *filled, use)
        for shape in shapes
        for filled in dict.fromkeys(_filled(shape))
        for use in next(uses for kind, uses in USES.items() if kind & shape.result)
    ]


def _filled(shape: FormShape) -> Iterator[Filled]:
    """Yield a form with its operands filled in every way that counts."""
    for full in (True, False) if _optional(shape.parts) else (True,):
        operands = [
            NARROWER.get((shape.pattern, at)) or OPERANDS[operand.kind]
            for at, operand in enumerate(_operands(shape.parts, full=full))
        ]
        usual = [values.plain for values in operands]
        yield Filled(_written(shape.parts, usual, full=full))
        for at, values in enumerate(operands):
            plain = [_FALSE, *usual[1:]] if at == _ELSE.get(shape.pattern) else usual
            for value in values.harmful:
                texts = [*plain[:at], value, *plain[at + 1 :]]
                yield Filled(_written(shape.parts, texts, full=full), at)
            if values.broken:
                texts = [*plain[:at], values.broken, *plain[at + 1 :]]
                yield Filled(_written(shape.parts, texts, full=full), at, broken=True)
        if operands[:2] == [_INTEGER, _INTEGER]:
            for pair in TOGETHER:
                yield Filled(_written(shape.parts, [*pair, *usual[2:]], full=full))
    if title(shape) in OTHERS:
        yield Filled(OTHERS[title(shape)])


def _optional(parts: Iterable[Part]) -> bool:
    return any(isinstance(part, FormGroup) and part.optional for part in parts)


def _operands(parts: Iterable[Part], *, full: bool) -> Iterator[Operand]:
    for part in parts:
        if isinstance(part, Operand):
            yield part
            if part.many:  # a second one, for what is between them
                yield part
        elif isinstance(part, FormGroup) and (full or not part.optional):
            yield from _operands(part.parts, full=full)


def _written(parts: Iterable[Part], operands: Iterable[str], *, full: bool) -> str:
    return f"({' '.join(_words(parts, iter(operands), full=full))})"


def _words(parts: Iterable[Part], operands: Iterator[str], *, full: bool) -> Iterator[str]:
    for part in parts:
        match part:
            case Literal(text):
                yield text
            case Binder():
                yield "'V"
            case Operand(many=many):
                yield next(operands)
                if many:
                    yield next(operands)
            case FormGroup(inner, optional) if not optional:
                yield f"({' '.join(_words(inner, operands, full=full))})"
            case FormGroup(inner) if full:
                yield from _words(inner, operands, full=full)


def game_of(chosen: Sequence[Case], place: str) -> str:
    """Return a program whose first decision says which of some cases is played, in one place."""
    pick = f"(choice ((any (range 0 .. {len(chosen) - 1}) 'CASE (set (game sto CASE) 'CASE))))"
    tests = [f"(== (game sto CASE) {at})" for at in range(len(chosen))]
    steps = [f"({test} {case.step})" for test, case in zip(tests, chosen, strict=True)]
    score, items = "(game sto R)", []
    match place:
        case "do":
            items = [f"(do ({_lines(steps)}))"]
        case "choice":
            items = [f"(choice ({_lines([*steps, '(turn pass)'])}))"]
        case "items":
            items = [
                f"(stage team (end (or (not {test}) (> (game sto DONE) 0)))"
                f" (do ((inc (game sto DONE)))) {case.text})"
                for test, case in zip(tests, chosen, strict=True)
            ]
        case "end":
            ends = [
                f"(and {test} (== 0 {case.text}))" for test, case in zip(tests, chosen, strict=True)
            ]
            end = f"(end (or (> (game sto R) 2) {_lines(ends)}))"
            items = [f"(stage player {end} (do ((inc (game sto R)))))"]
        case "score":
            once = [f"(filter (range 0 .. 0) 'K {test})" for test in tests]
            scores = [f"(all {of} 'Z {case.text})" for of, case in zip(once, chosen, strict=True)]
            score = f"(+ 0 {_lines(scores)})"
    return _lines(["(game", SETUP, pick, *items, f"(scoring max {score}))"])


def _lines(texts: Iterable[str]) -> str:
    return "\n".join(texts)
