"""Words: sets of cards, or of the positions of a list, as the bits of one integer.

A word has 64 bits, or 128 where a game has so many cards that its masks are wide; a set of anything
else than cards has 64.
"""

from __future__ import annotations

from cardwright.compiler import ir
from cardwright.compiler.builder import binary, compare, equal, select
from cardwright.compiler.ir import Const, Op, Rel, Type
from cardwright.compiler.layout import WIDE_WORD, WORD


def width(kind: Type) -> int:
    """Return how many bits a type of words has."""
    return WIDE_WORD if kind is Type.WIDE else WORD


def word(kind: Type, members: int) -> Const:
    """Return a word with the bits of an integer from 0."""
    bits = width(kind)
    return Const(members - (1 << bits) if members >> bits - 1 else members, kind)


def none(kind: Type) -> Const:
    """Return the word without members."""
    return Const(0, kind)


def every(kind: Type) -> Const:
    """Return the word of which everything is a member."""
    return Const(-1, kind)


def single(kind: Type, at: ir.Expr) -> ir.Expr:
    """Return the word with one member."""
    within = binary(Op.AND, at, Const(width(kind) - 1))
    return ir.Binary(Op.SHL, Const(1, kind), _as(kind, within))


def first(kind: Type, count: ir.Expr) -> ir.Expr:
    """Return the word with as many members, from the lowest."""
    bits = width(kind)
    if isinstance(count, Const):
        return word(kind, (1 << count.value) - 1)
    below = ir.Binary(Op.SHL, every(kind), _as(kind, binary(Op.AND, count, Const(bits - 1))))
    return ir.Select(equal(count, Const(bits)), every(kind), inverted(below))


def common(word: ir.Expr, *others: ir.Expr) -> ir.Expr:
    """Return what are members of all words."""
    for other in others:
        word = ir.Binary(Op.AND, word, other)
    return word


def joined(word: ir.Expr, *others: ir.Expr) -> ir.Expr:
    """Return what are members of any word."""
    for other in others:
        word = ir.Binary(Op.OR, word, other)
    return word


def inverted(word: ir.Expr) -> ir.Expr:
    """Return what are not members of a word."""
    return ir.Binary(Op.XOR, word, every(word.type))


def without_lowest(word: ir.Expr) -> ir.Expr:
    """Return the members of a word but the lowest; it is evaluated twice."""
    return ir.Binary(Op.AND, word, binary(Op.SUB, word, Const(1, word.type)))


def only_if(test: ir.Expr, word: ir.Expr) -> ir.Expr:
    """Return a word if a test holds, else one without members."""
    return select(test, word, none(word.type))


def is_none(word: ir.Expr) -> ir.Expr:
    """Return whether a word has no members."""
    return compare(Rel.EQ, word, none(word.type))


def is_some(word: ir.Expr) -> ir.Expr:
    """Return whether a word has members."""
    return compare(Rel.NE, word, none(word.type))


def several(word: ir.Expr) -> ir.Expr:
    """Return whether a word has more than one member; it is evaluated twice."""
    return is_some(without_lowest(word))


def bit_of(word: ir.Expr, at: ir.Expr) -> ir.Expr:
    """Return 1 if something is a member of a word, else 0."""
    bit = ir.Binary(Op.AND, ir.Binary(Op.SHR, word, _as(word.type, at)), Const(1, word.type))
    return _as(Type.INT, bit)


def has(word: ir.Expr, at: ir.Expr) -> ir.Expr:
    """Return whether something is a member of a word."""
    return compare(Rel.NE, bit_of(word, at), Const(0))


def _as(kind: Type, value: ir.Expr) -> ir.Expr:
    if value.type is kind:
        return value
    return Const(value.value, kind) if isinstance(value, Const) else ir.Convert(value, kind)
