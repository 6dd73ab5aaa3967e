"""Sources: bytes to text, places, and what is refused."""

import os
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from cardwright.syntax.source import MAX_BYTES, Source, Span, UnreadableError, decode, read_file


@given(st.text(alphabet="ab\n\r\t", max_size=60))
def test_every_place_has_a_line_and_a_column(text: str) -> None:
    """Lines and columns count from 1, and lead back to the offset."""
    source = Source("x", text)
    for offset in range(len(text) + 1):
        place = source.position(offset)
        assert place.line == text.count("\n", 0, offset) + 1
        assert place.column == offset - (text.rfind("\n", 0, offset) + 1) + 1


@given(st.text(alphabet="ab\n", max_size=60))
def test_lines_are_given_without_their_ends(text: str) -> None:
    """Line by line, the text is as it was."""
    source = Source("x", text)
    assert [source.line(i + 1) for i in range(text.count("\n") + 1)] == text.split("\n")


def test_carriage_returns_are_no_part_of_a_line() -> None:
    """Files from Windows show their lines like others."""
    assert Source("x", "(game\r\n (a)\r\n").line(2) == " (a)"


def test_spans_join() -> None:
    """A span reaches from the start of one to the end of another."""
    assert Span(3, 5).to(Span(8, 9)) == Span(3, 9)
    assert Span(3, 9).to(Span(4, 5)) == Span(3, 9)
    assert Source("x", "(game)").at(Span(1, 5)) == "game"


@pytest.mark.parametrize(
    ("data", "text"),
    [(b"(game)", "(game)"), (b"\xef\xbb\xbf(game)", "(game)"), ("(Ä)".encode(), "(Ä)"), (b"", "")],
)
def test_utf_8_is_text(data: bytes, text: str) -> None:
    """With or without a byte-order mark."""
    assert decode("x", data).text == text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("(game ;; Übung\n)".encode("latin-1"), "byte 10 (in line 1) is not UTF-8"),
        (b"(game\n;; \xff)", "byte 10 (in line 2) is not UTF-8"),
        ("(game)".encode("utf-16"), "byte 1 (in line 1) is not UTF-8"),
        ("(game)".encode("utf-16-le"), "there is a NUL byte in line 1"),
        (b"(game\n\0)", "there is a NUL byte in line 2"),
        (b"\x89PNG\r\n\x1a\n\0", "is not UTF-8"),
        (b"a" * (MAX_BYTES + 1), f"{MAX_BYTES + 1:,} bytes are too many"),
    ],
    ids=["latin-1", "bad byte", "utf-16", "utf-16 without mark", "nul", "picture", "large"],
)
def test_other_bytes_are_refused(data: bytes, words: str) -> None:
    """The message names the file, the reason and the place, in one line."""
    with pytest.raises(UnreadableError, match=r"^hearts\.rcy: ") as caught:
        decode("hearts.rcy", data)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=200))
def test_bytes_are_text_or_refused(data: bytes) -> None:
    """Whatever the bytes, nothing else happens."""
    try:
        source = decode("x", data)
    except UnreadableError:
        return
    assert source.text.encode() in {data, data.removeprefix(b"\xef\xbb\xbf")}


def test_a_file_is_read(tmp_path: Path) -> None:
    """The name of the source is the path as it was given."""
    path = tmp_path / "game.rcy"
    path.write_bytes(b"\xef\xbb\xbf(game)\r\n")
    assert read_file(path) == Source(str(path), "(game)\r\n")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """Nothing there, a folder, a pipe, an impossible name: a reason each."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reasons = {
        tmp_path / "none.rcy": "there is no such file",
        tmp_path: "this is a folder",
        pipe: "this is not a plain file",
        Path("a" * 5_000): "cannot be read",
        Path("a\0b"): "cannot be read",
    }
    for path, reason in reasons.items():
        with pytest.raises(UnreadableError, match=reason):
            read_file(path)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    """A hundred megabytes are not even looked at."""
    path = tmp_path / "huge.rcy"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(UnreadableError, match="100,000,000 bytes are too many"):
        read_file(path)
