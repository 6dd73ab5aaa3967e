"""QR codes: as other encoders make them, and with an error correction that fits."""

from __future__ import annotations

import pytest

from cardwright.web.qr import _VERSIONS, MOST_BYTES, _codewords, qr_code

CARDS = """
#######....##.#######
#.....#.#..#..#.....#
#.###.#...#...#.###.#
#.###.#..##.#.#.###.#
#.###.#.##..#.#.###.#
#.....#...#.#.#.....#
#######.#.#.#.#######
.........####........
#.#.#.#....#....#..#.
#..#...##.#...#..#.##
#####.###.#.#...#####
.##..#.#.##...#.....#
#..##.###...#.#.##..#
........##.#.#.#.#.##
#######....#.###...##
#.....#..#####.##....
#.###.#.####.###...##
#.###.#..#....##...#.
#.###.#.##..#...#.#.#
#.....#...#...#.#..#.
#######.#...#.#.##.##
"""
"""The code of `cards` as another encoder has it, and as readers of photographs read it."""


def shown(text: str) -> str:
    return "\n".join("".join(".#"[dark] for dark in row) for row in qr_code(text).rows)


def test_a_code_is_as_others_make_it():
    assert shown("cards") == CARDS.strip()


def times(left: int, right: int) -> int:
    """Return a product in the field of 256 elements, bit by bit."""
    product = 0
    while right:
        product ^= left * (right & 1)
        left, right = (left << 1) ^ (0x11D if left & 0x80 else 0), right >> 1
    return product


@pytest.mark.parametrize("version", _VERSIONS)
def test_codewords_hold_the_text_and_every_block_is_a_word_of_its_code(version):
    blocks, size, checks = _VERSIONS[version]
    content = bytes(range(32, 32 + blocks * size - 3))
    words = _codewords(content, version)
    parts = [words[: blocks * size][at::blocks] for at in range(blocks)]
    data = int.from_bytes(b"".join(parts)) >> 12  # without its end and what fills it up
    assert data == (0b0100 << 8 | len(content)) << 8 * len(content) | int.from_bytes(content)
    for at, part in enumerate(parts):
        root = 1
        for _ in range(checks):
            value = 0
            for word in part + words[blocks * size :][at::blocks]:
                value = times(value, root) ^ word
            assert value == 0
            root = times(root, 2)


def test_sizes_and_paths_follow_from_texts():
    for length, size in ((1, 21), (14, 21), (15, 25), (26, 25), (27, 29), (MOST_BYTES, 41)):
        code = qr_code("x" * length)
        assert code.size == size
        assert code.path.count("M") == sum(map(sum, code.rows))
    with pytest.raises(ValueError, match="106 bytes, not 107"):
        qr_code("x" * 107)
