"""What has taken long to prove of a game is proved once on a machine."""

from __future__ import annotations

import pytest

from cardwright import Game
from cardwright.compiler.cache import ObjectCache
from cardwright.game import bounds


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("CARDWRIGHT_CACHE", str(tmp_path))
    return ObjectCache(tmp_path)


def test_what_took_long_is_kept(cache, monkeypatch):
    monkeypatch.setattr(bounds, "_LONG", -1.0)
    assert Game.load("kuhn").score_range == (-2, 2)
    (entry,) = cache.entries()
    assert entry.label == "bounds of kuhn"
    monkeypatch.setattr(bounds, "game_bounds", lambda _: pytest.fail("proved again"))
    game = Game.load("kuhn")
    assert (game.score_range, game.longest, game.constant_sum) == ((-2, 2), 3, 0)


def test_what_is_quick_is_not_kept(cache, monkeypatch):
    monkeypatch.setattr(bounds, "_LONG", 1e9)
    assert Game.load("kuhn").longest == 3
    assert not cache.entries()


@pytest.mark.parametrize("content", [b"", b"[1]", b'[["a", 2], 3, 0]', b"[[1, 2], 3]"])
def test_what_cannot_be_read_is_proved_again(cache, monkeypatch, content):
    monkeypatch.setattr(bounds.ObjectCache, "get", lambda *_: content)
    assert Game.load("kuhn").score_range == (-2, 2)
