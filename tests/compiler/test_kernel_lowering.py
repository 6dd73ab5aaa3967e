"""Kernels do the same lowered as they do as plain Python."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from ir_interpreter import Interpreter
from kernel_writing import BOX, Writer, kernels_of

from cardwright.compiler.intrinsics import Pointer
from cardwright.compiler.ir import Call, Function, If, Inline, Module, Type
from cardwright.compiler.kernel import KernelError
from cardwright.compiler.kernel_lowering import kernels_needed
from cardwright.compiler.show import show_block
from deep import usually
from ir_verifier import verify
from struct_views import StructView

STRUCTS = {"Box": BOX}


def lowered(source, name="f", **parameters):
    """The function `name` of a source, lowered."""
    return kernels_needed([kernels_of(source)[name]], STRUCTS, parameters, {})[name]


def body(source, **parameters):
    """What a kernel's body is lowered to, as text."""
    return show_block(lowered(source, **parameters).body)


def same(source, content, *args):
    """Run a kernel both ways on the same bytes, and return its result."""
    kernel = kernels_of(source)["f"]
    functions = kernels_needed([kernel], STRUCTS, {}, {})
    verify(Module("kernels", functions))
    plain, native = bytearray(content), bytearray(content)
    expected = kernel(StructView(BOX, plain), *args)
    assert Interpreter(functions).call("f", Pointer(native, 0), *args) == expected
    assert native == plain
    return expected


WORDS = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.slow
@settings(max_examples=usually(40, 400), suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**64), WORDS, WORDS)
def test_random_kernels_do_the_same_both_ways(seed, a, b):
    """Order of evaluation, short circuits, loops and memory are Python's."""
    random = Random(seed)
    lines = ["c = 5", "yes = a < b", *Writer(random).block(3), "return a ^ b ^ c"]
    text = "\n".join("    " + line for line in lines)
    content = random.randbytes(BOX.bytes)
    source = f"@kernel\ndef f(box: Box, a: int, b: int) -> int:\n{text}\n"
    same(source, content, a, b)


def test_places_of_fields_are_computed_as_far_as_known():
    text = body(
        "@kernel\ndef f(box: Box, i: int) -> int:\n"
        "    box.row[i + 1] = box.grid[2, 1]\n    return box.row[3]\n"
    )
    assert text == "u16[box + ((i * 2) + 18)] = i32[box + 68]\nreturn u16[box + 22]"


def test_a_call_is_taken_out_after_what_was_read_before():
    text = body("@kernel\ndef f(box: Box) -> int:\n    return wrap(box.count - bump(box, 1))\n")
    assert text == "_t2 = i64[box]\n_t1 = bump(box, 1)\nreturn _t2 - _t1"


def test_a_whole_call_stays():
    text = body("@kernel\ndef f(box: Box) -> int:\n    x = bump(box, 1)\n    return bump(box, x)\n")
    assert text == "x = bump(box, 1)\nreturn bump(box, x)"


def test_parameters_precede_constants_and_prune_branches():
    source = """\
@kernel
def f(box: Box) -> int:
    if LIMIT == 3 and box.open:
        return bump(box, 1)
    return LIMIT
"""
    assert body(source, LIMIT=5) == "return 5"
    kernel = kernels_of(source)["f"]
    assert list(kernels_needed([kernel], STRUCTS, {"LIMIT": 5}, {})) == ["f"]
    assert list(kernels_needed([kernel], STRUCTS, {}, {})) == ["f", "bump"]


MASKED = """\
@kernel
def f(cards: Mask, card: int) -> Mask:
    one: Mask = 1
    found: Mask = 0
    if cards & (cards - 1) != 0 and cards:
        found = ~(one << card) | 6
    found |= nth_bit(cards, count_ones(found))
    return found
"""


def test_masks_have_as_many_bits_as_the_layout_says():
    """What is written out is as wide as the mask beside it, and so is the distance of a shift."""
    narrow, wide = (lowered(MASKED, MASK_BITS=bits) for bits in (64, 128))
    for function, kind in ((narrow, Type.INT), (wide, Type.WIDE)):
        verify(Module("kernels", {"f": function}))
        assert function.result is function.params[0].type is kind
    distance = {64: "one << card", 128: "one << wide(card)"}
    for function, bits in ((narrow, 64), (wide, 128)):
        assert show_block(function.body) == (
            "one = 1\nfound = 0\n"
            "if ((cards & (cards - 1)) != 0) & (cards != 0):\n"
            f"    found = (({distance[bits]}) ^ -1) | 6\n"
            "found = found | nth_bit(cards, count_ones(found))\nreturn found"
        )


@pytest.mark.parametrize(
    "line", ["return cards", "x = cards + card", "x = load(box, 16)", "return count_ones(card, 1)"]
)
def test_wide_masks_are_no_integers(line):
    source = f"@kernel\ndef f(box: Box, cards: Mask, card: int) -> int:\n    {line}\n    return 0\n"
    with pytest.raises(KernelError):
        lowered(source, MASK_BITS=128)


def test_a_pointer_is_an_array_of_words():
    text = body(
        "@kernel\ndef f(p: Pointer, i: int) -> int:\n"
        "    q = p + 2 * i\n    q[i + 1] += p[0]\n    return (q + 3)[i]\n"
    )
    assert text == (
        "q = p + ((i * 2) * 8)\ni64[q + ((i * 8) + 8)] = i64[q + ((i * 8) + 8)] + i64[p]\n"
        "return i64[(q + 24) + (i * 8)]"
    )


def test_constants_of_modules_are_known():
    source = """\
from cardwright.compiler import layout as sizes

@kernel
def f(box: Box) -> int:
    return sizes.SLACK + 1
"""
    assert body(source) == "return 65"


@pytest.mark.parametrize("bits", [0, 1, 0b1011, -1, -(2**63)])
def test_a_loop_over_bits_begins_at_the_lowest(bits):
    source = """\
@kernel
def f(box: Box, bits: int) -> int:
    total = 0
    bit = 99
    for bit in ones(bits):
        if bit == 2:
            continue
        total = wrap(31 * total + bit + 1)
        if bit == 40:
            break
    return total ^ bit
"""
    same(source, bytes(BOX.bytes), bits)


def test_a_loop_counts_in_its_own_variable_where_no_one_can_tell():
    plain = "@kernel\ndef f(n: int) -> int:\n    s = 0\n    for i in range(n):\n        s += i\n"
    assert "_t" not in body(plain + "    return s\n")
    assert "i = _t1" in body(plain + "    return s + i\n")


@pytest.mark.parametrize("start", [0, 5])
def test_a_loop_variable_keeps_its_last_value(start):
    source = f"""\
@kernel
def f(box: Box) -> int:
    last = 0
    i = 9
    for i in range({start}, 5):
        last += i
    return wrap(last * 100 + i)
"""
    assert same(source, bytes(BOX.bytes)) == (1004 if start == 0 else 9)


def test_the_bound_of_a_loop_is_evaluated_once():
    source = """\
@kernel
def f(box: Box) -> int:
    n = 3
    for i in range(n):
        n += i + 1
    return n
"""
    assert same(source, bytes(BOX.bytes)) == 9


def test_a_test_with_a_call_is_repeated_each_round():
    source = """\
@kernel
def f(box: Box) -> int:
    rounds = 0
    while bump(box, 1) < 5 and bump(box, 1) != 8:
        rounds += 1
        if rounds == 2:
            continue
    return rounds
"""
    assert same(source, bytes(BOX.bytes)) == 2


def test_marks_of_a_kernel_are_those_of_the_function():
    source = """\
@kernel(inline=Inline.ALWAYS, exported=True)
def f(box: Box) -> Pointer:
    return box
"""
    function = lowered(source)
    assert isinstance(function, Function)
    assert (function.inline, function.exported) == (Inline.ALWAYS, True)
    assert function.result is function.params[0].type is Type.POINTER


def test_a_struct_may_lie_at_an_address():
    source = """\
@kernel
def f(box: Box, start: int) -> int:
    other = like(box, offset(pointer_to(box), start))
    other.small = 9
    clear(offset(box.row, 2), 4)
    store(offset(box, 2), 300, 2)
    return load(box, 1) + load_signed(offset(box, 1), 4)
"""
    content = bytes(range(200, 200 + 56)) * 4
    assert same(source, content, 96) == 200 + int.from_bytes(
        [201, 300 & 255, 300 >> 8, 204], "little", signed=True
    )


def test_engine_functions_are_called_by_their_declared_types():
    source = "@kernel\ndef f(box: Box) -> bool:\n    return advance(box, 3)\n"
    engine = {"advance": ((Type.POINTER, Type.INT), Type.BOOL)}
    function = kernels_needed([kernels_of(source)["f"]], STRUCTS, {}, engine)["f"]
    (result,) = function.body
    assert isinstance(result.value, Call)
    called = Interpreter({"f": function}, {"advance": lambda box, n: n == 3 and box is not None})
    assert called.call("f", Pointer(bytearray(1), 0)) is True


def test_nested_tests_need_no_variable():
    source = """\
@kernel
def f(box: Box) -> None:
    if box.open and box.small > 3:
        bump(box, 1)
"""
    (outer,) = lowered(source).body
    assert isinstance(outer, If)
    assert isinstance(outer.yes[0], If)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("x = 1; x = True", "x is int, not bool"),
        ("x = box.missing", "no field missing"),
        ("x = box.row[1, 2]", "row has 1 indices"),
        ("box.grid[1] = 2", "too few indices"),
        ("x = y", "unknown name y"),
        ("x = unknown(1)", "unknown function unknown"),
        ("x = HUGE", "wrap()"),
        ("x = 1 / 2", "no Div"),
        ("x = 1 + True", "int + bool"),
        ("x = box == 1", "Box == int"),
        ("x = bump(1, 1)", "int where Box belongs"),
        ("x = bump(pointer_to(box), 1)", "pointer where Box belongs"),
        ("x = bump(box)", "takes 2 arguments"),
        ("x = bump(box, by=1)", "no names or stars"),
        ("x = load(box, 3)", "a width is 1, 2, 4 or 8"),
        ("x = clear(box, 3)", "clear gives nothing"),
        ("x = y = 1", "one target"),
        ("x = [1]", "no List"),
        ("x = 1.5", "no 1.5"),
        ("for i in [1]: pass", "goes over a range"),
        ("for i in range(0, 9, box.small): pass", "step of a range"),
        ("while True: break\n    else: pass", "no else"),
        ("return 1", "int returned where nothing"),
        ("1 + 1", "a statement is a call or an assignment"),
        ("_t1 = 1", "not the name of a variable"),
        ("with box: pass", "no With"),
    ],
)
def test_what_is_no_kernel_is_refused_with_its_line(line, complaint):
    source = f"@kernel\ndef f(box: Box) -> None:\n    {line}\n"
    with pytest.raises(KernelError) as caught:
        lowered(source)
    assert complaint in str(caught.value)
    assert "f: " in str(caught.value)


@pytest.mark.parametrize(
    "head", ["box: Car", "box", "box: Box = 1", "*box: Box", "box: Box, *, a: int"]
)
def test_parameters_are_plain_and_annotated(head):
    with pytest.raises(KernelError):
        lowered(f"@kernel\ndef f({head}) -> None:\n    pass\n")


def test_only_marked_functions_are_lowered():
    with pytest.raises(KernelError, match="not marked"):
        lowered("def f(box: Box) -> None:\n    pass\n")
