"""QR codes of short texts, by ISO/IEC 18004: versions 1 to 6, bytes, error correction M."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_VERSIONS = {1: (1, 16, 10), 2: (1, 28, 16), 3: (1, 44, 26), 4: (2, 32, 18), 5: (2, 43, 24),
             6: (4, 27, 16)}  # fmt: skip
"""Blocks of each version, and codewords of data and of error correction in each."""

MOST_BYTES = 4 * 27 - 2
"""Bytes that the largest version holds, beside their mode and number."""

_MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, _: y % 2 == 0,
    lambda _, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
_LEVEL_M = 0
_FORMAT_GENERATOR, _FORMAT_MASK = 0b10100110111, 0b101010000010010


@dataclass(frozen=True)
class QrCode:
    """A square of modules by row, which are dark or light."""

    rows: tuple[tuple[bool, ...], ...]

    @property
    def size(self) -> int:
        """The number of modules on a side; four light ones around them belong to it."""
        return len(self.rows)

    @property
    def path(self) -> str:
        """The dark modules as a path of SVG, a module being a unit."""
        return "".join(
            f"M{x} {y}h1v1h-1z"
            for (y, row) in enumerate(self.rows)
            for x, dark in enumerate(row)
            if dark
        )


def qr_code(text: str) -> QrCode:
    """Return the code of a text; raises ValueError if it has more than `MOST_BYTES`."""
    content = text.encode()
    if len(content) > MOST_BYTES:
        raise ValueError(f"a code holds {MOST_BYTES} bytes, not {len(content)}")
    version = next(
        v for v, (blocks, data, _) in _VERSIONS.items() if len(content) + 2 <= blocks * data
    )
    bits = _bits(_codewords(content, version))
    drawn = [_drawn(version, bits, mask) for mask in range(len(_MASKS))]
    return QrCode(min(drawn, key=_penalty))


# Codewords ------------------------------------------------------------------------------------


def _codewords(content: bytes, version: int) -> bytes:
    """Return the data in blocks, with their error correction, as they are drawn."""
    blocks, size, correction = _VERSIONS[version]
    number = (0b0100 << 8 | len(content)) << 8 * len(content) | int.from_bytes(content)
    data = (number << 4).to_bytes(len(content) + 2)
    filler = bytes((0xEC, 0x11)) * size * blocks
    data = (data + filler)[: size * blocks]
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    checks = [_remainder(part, correction) for part in parts]
    return bytes(
        byte for those in (parts, checks) for column in zip(*those, strict=True) for byte in column
    )


@cache
def _powers() -> tuple[int, ...]:
    """Return the powers of 2 in the field of 256 elements by the polynomial 0x11D."""
    powers = [1]
    for _ in range(254):
        double = 2 * powers[-1]
        powers.append(double ^ 0x11D if double > 255 else double)
    return tuple(powers)


def _times(left: int, right: int) -> int:
    powers = _powers()
    if not left or not right:
        return 0
    return powers[(powers.index(left) + powers.index(right)) % 255]


def _remainder(data: bytes, degree: int) -> bytes:
    """Return the Reed-Solomon codewords of some data."""
    generator = [1]
    for power in _powers()[:degree]:
        shifted = [*generator, 0]
        for at, factor in enumerate(generator):
            shifted[at + 1] ^= _times(factor, power)
        generator = shifted
    rest = list(data) + [0] * degree
    for at in range(len(data)):
        for step, factor in enumerate(generator[1:], 1):
            rest[at + step] ^= _times(rest[at], factor)
    return bytes(rest[len(data) :])


def _bits(codewords: bytes) -> list[int]:
    return [byte >> shift & 1 for byte in codewords for shift in range(7, -1, -1)]


# Modules --------------------------------------------------------------------------------------


def _drawn(version: int, bits: list[int], mask: int) -> tuple[tuple[bool, ...], ...]:
    size = 17 + 4 * version
    fixed = dict(_patterns(version)) | dict(_format(size, mask))
    fits = _MASKS[mask]
    places = [place for place in _snake(size) if place not in fixed]
    padded = bits + [0] * (len(places) - len(bits))
    data = {place: bool(bit) ^ fits(*place) for place, bit in zip(places, padded, strict=True)}
    whole = fixed | data
    return tuple(tuple(whole[y, x] for x in range(size)) for y in range(size))


def _patterns(version: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the modules by which a code is found; later ones lie over earlier ones."""
    size = 17 + 4 * version
    for at in range(8, size - 8):
        yield (6, at), at % 2 == 0
        yield (at, 6), at % 2 == 0
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for y, x in product(range(-1, 8), repeat=2):
            if 0 <= top + y < size and 0 <= left + x < size:
                ring = max(abs(y - 3), abs(x - 3))
                yield (top + y, left + x), ring not in {2, 4}
    if version > 1:
        for y, x in product(range(-2, 3), repeat=2):
            yield (size - 7 + y, size - 7 + x), max(abs(y), abs(x)) != 1


def _format(size: int, mask: int) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the modules that say how the others are to be read, twice."""
    value = rest = (_LEVEL_M << 3 | mask) << 10
    for shift in range(4, -1, -1):
        if rest >> shift + 10 & 1:
            rest ^= _FORMAT_GENERATOR << shift
    bits = [((value | rest) ^ _FORMAT_MASK) >> at & 1 for at in range(15)]
    column = [*range(6), 7, 8, *range(size - 7, size)]
    row = [*range(size - 1, size - 9, -1), 7, *range(5, -1, -1)]
    for at, bit in enumerate(bits):
        yield (column[at], 8), bool(bit)
        yield (8, row[at]), bool(bit)
    yield (size - 8, 8), True


def _snake(size: int) -> Iterator[tuple[int, int]]:
    """Yield all places in the order of data: pairs of columns from the right, up and down."""
    up = True
    for right in range(size - 1, 0, -2):
        left = right - 1 if right > 6 else right - 2
        rows = range(size - 1, -1, -1) if up else range(size)
        for y in rows:
            yield y, left + 1
            yield y, left
        up = not up


def _penalty(rows: tuple[tuple[bool, ...], ...]) -> int:
    """Return how much of a code looks like something else: runs, blocks, finders, shades."""
    total, size = 0, len(rows)
    for line in (*rows, *zip(*rows, strict=True)):
        text = "".join("1" if dark else "0" for dark in line)
        for colour in "01":
            runs = text.translate({ord("1" if colour == "0" else "0"): " "}).split()
            total += sum(len(run) - 2 for run in runs if len(run) >= 5)
        total += 40 * (text.count("10111010000") + text.count("00001011101"))
    for y, x in product(range(size - 1), repeat=2):
        total += 3 * (rows[y][x] == rows[y][x + 1] == rows[y + 1][x] == rows[y + 1][x + 1])
    dark = sum(map(sum, rows))
    return total + 10 * (abs(20 * dark - 10 * size * size) // (size * size))
