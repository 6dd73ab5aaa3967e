"""A study can be followed from its call to a saved page through few modules."""

import sys
from pathlib import Path
from types import FrameType

import pytest
from matplotlib.figure import Figure

import cardwright
from cardwright import analyze
from cardwright.publication.figures import FigureFiles

MOST_MODULES = 130
"""So many modules are entered at most, where the machine code of the game is there already."""


def test_a_study_can_be_followed_from_its_call_to_a_saved_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modules that are only imported do not count; matplotlib draws nothing here."""
    content, drawn = FigureFiles.content, dict[str, bytes]()

    def once(files: FigureFiles, _: Figure, kind: str, line: str | None = None) -> bytes:
        del files, line
        if kind not in drawn:
            drawn[kind] = content(FigureFiles(caption=False), Figure(figsize=(1, 1)), kind)
        return drawn[kind]

    monkeypatch.setattr(FigureFiles, "content", once)
    cardwright.Game.load("kuhn").start(1)
    entered: set[Path] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>":
            entered.add(Path(code.co_filename))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        study = analyze(
            "kuhn", games=3, ai_games=1, player="cardstock-pipmc:tests=1", folder=tmp_path / "study"
        )
        study.save()
    finally:
        sys.setprofile(before)
    home = Path(cardwright.__file__).parent
    modules = sorted(path for path in entered if path.is_relative_to(home))
    assert list((tmp_path / "study").glob("*.html"))
    assert len(modules) <= MOST_MODULES, "\n".join(map(str, modules))
