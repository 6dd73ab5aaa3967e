"""A study can be followed from its call to a saved page through few modules."""

from pathlib import Path

import pytest

from cardwright import analyze
from cardwright.study import AnalysisSettings
from commands import leave_pictures_empty
from journeys import entered

MOST_MODULES = 130
"""So many modules are entered at most, where the machine code of the game is there already."""


def test_a_study_can_be_followed_from_its_call_to_a_saved_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modules that are only imported do not count; matplotlib draws nothing here."""
    leave_pictures_empty(monkeypatch)
    settings = AnalysisSettings(games=3, ai_games=1, player="cardstock-pipmc:tests=1")
    analyze("kuhn", **settings)  # compiles the game
    with entered() as modules:
        analyze("kuhn", **settings, folder=tmp_path / "study").save()
    assert list((tmp_path / "study").glob("*.html"))
    assert 50 < len(modules) <= MOST_MODULES, sorted(modules)
