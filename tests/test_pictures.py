"""The pictures of the pages: each is there, is described, is shown, and is made by the script."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import needed

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SHOWN = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
WORDS = 4
"""Of a description, at least."""
MOST = 200_000
"""Bytes of a picture."""

sys.path.append(str(ROOT / "docs" / "picture_maker"))


def pages() -> list[Path]:
    """Return all pages but those of the gallery, which has tests of its own."""
    written = [page for page in (ROOT / "docs").rglob("*.md") if "gallery" not in page.parts]
    return [ROOT / "README.md", *sorted(written)]


def shown() -> list[tuple[Path, str, Path]]:
    """Return each picture of a page, with the page and its description."""
    return [
        (page, " ".join(words.split()), (page.parent / name).resolve())
        for page in pages()
        for words, name in SHOWN.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    ]


def made() -> set[str]:
    """Return the names of the pictures that the script makes, or says who made them."""
    for library in ("PIL", "playwright", "textual"):
        needed.module(library)
    from picture_list import OTHERS, PICTURES

    assert all((ROOT / maker).is_file() for maker in OTHERS.values())
    return {*PICTURES, *OTHERS}


def test_pictures_exist_and_are_described() -> None:
    """Who cannot see one is told what there is to see, not that there is a picture."""
    assert len(shown()) > 15
    for page, words, file in shown():
        assert file.is_file(), f"{page.name}: {file}"
        assert len(words.split()) >= WORDS, f"{page.name}: {words!r}"
        assert not re.match(r"(?i)an? (image|picture|screenshot)", words), f"{page.name}: {words!r}"


def test_no_picture_is_forgotten() -> None:
    """Every file is shown by a page and made by `scripts/pictures`, and the other way round."""
    files = {file.name for file in IMAGES.iterdir()}
    assert files == made()
    assert files <= {file.name for _, _, file in shown() if file.parent == IMAGES}


def test_pictures_are_small_and_load_nothing() -> None:
    for file in IMAGES.iterdir():
        assert file.stat().st_size < MOST, file.name
        if file.suffix == ".svg":
            text = file.read_text(encoding="utf-8")
            ET.fromstring(text)
            assert not re.search(r"(url\(|href=)[\"']?(https?:|//)", text), file.name


def test_an_unknown_name_is_answered_by_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    made()
    from make_pictures import chosen, main

    assert chosen(["table", "play.svg"]) == ["table.png", "play.svg"]
    with pytest.raises(SystemExit) as end:
        main(["tabel"])
    assert end.value.code == 2
    assert "no picture tabel; there are table.png, " in capsys.readouterr().err
