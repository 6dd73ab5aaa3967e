"""The parts of the site's machinery: order of pages, colours, links, what is made at build."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

import needed
from cardwright.library import catalogue

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

needed.module("mkdocs")

from editors.make_grammars import Vocabulary  # noqa: E402
from pygments.lexers import get_lexer_by_name  # noqa: E402
from pygments.token import Comment, Error, Keyword, Name, Token  # noqa: E402
from website import hooks, lexer  # noqa: E402
from website.commands import commands_page  # noqa: E402
from website.generated import PUBLIC, notebook_page, python_pages  # noqa: E402
from website.navigation import NavigationError, named, navigation  # noqa: E402
from website.repository import DOCS, RepositoryLinks  # noqa: E402


def test_every_page_has_one_place() -> None:
    """All pages of docs/, those in folders and those made at build are in the navigation once."""
    listed = list(named(navigation(hooks.pages())))
    assert len(listed) == len(set(listed))
    files = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    assert files - set(listed) == {"README.md"}
    assert {"index.md", "overview.md", "commands.md", "python/index.md"} <= set(listed)


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        ({"index.md", "a.md"}, "b.md is listed, and there is no such page"),
        ({"index.md", "a.md", "b.md", "c.md"}, "c.md is not listed"),
    ],
)
def test_an_order_that_does_not_fit_is_told(pages: set[str], said: str, tmp_path: Path) -> None:
    order = tmp_path / "navigation.toml"
    order.write_text('[[section]]\ntitle = "All"\npages = ["a.md", "b.md"]\n')
    with pytest.raises(NavigationError, match=said):
        navigation(pages, order)


def test_folders_need_no_list(tmp_path: Path) -> None:
    """Those named first come first, the others by name; files shown for links have no place."""
    order = tmp_path / "navigation.toml"
    order.write_text('[[section]]\ntitle = "All"\nfolder = "all"\nfirst = ["z.md"]\n')
    pages = {"index.md", "all/b.md", "all/a.md", "all/z.md", "files/x.py.md"}
    assert list(named(navigation(pages, order))) == ["index.md", "all/z.md", "all/a.md", "all/b.md"]
    assert navigation({"index.md"}, order) == [{"Home": "index.md"}]
    with pytest.raises(NavigationError, match=r"all/z\.md is listed"):
        navigation(pages - {"all/z.md"}, order)


def test_every_word_of_the_forms_has_a_colour() -> None:
    """No word of the table is taken for one that a game defines, nor any operator for a mistake."""
    words = Vocabulary.of_forms()
    tokens = lexer.RecycleLexer()
    for listed, kind in (
        (words.kinds, Keyword.Type),
        (words.frame, Keyword.Reserved),
        (words.steps, Keyword),
        (words.owners, Name.Builtin.Pseudo),
        (words.values, Name.Function),
        (words.operators, Token.Operator),
    ):
        for word in listed:
            assert next(iter(tokens.get_tokens(word))) == (kind, word)


@pytest.mark.parametrize("name", catalogue.names())
def test_games_of_the_library_are_coloured_whole(name: str) -> None:
    """The tokens of a game are its text, none of them a mistake, and its comments are comments."""
    file = ROOT / "src/cardwright/library/games" / f"{name}.rcy"
    text = file.read_text(encoding="utf-8")
    found = list(lexer.RecycleLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(token for _, token in found) == text
    assert Error not in {kind for kind, _ in found}
    comments = sum(kind is Comment.Single for kind, _ in found)
    assert comments == sum(";;" in line for line in text.splitlines())


def test_pygments_knows_every_info_string() -> None:
    lexer.register()
    for name in lexer.INFO_STRINGS:
        assert type(get_lexer_by_name(name)).__name__ == "RecycleLexer"


def test_links_to_the_repository_lead_to_pages(tmp_path: Path) -> None:
    """Pages by their names on the site, other files to pages that show them; code is left."""
    (tmp_path / "docs/how-to").mkdir(parents=True)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/a.py").write_text("x = '```'\n")
    for name in ("CHANGELOG.md", "docs/README.md", "docs/b.md"):
        (tmp_path / name).touch()
    links = RepositoryLinks(tmp_path)
    text = (
        "[c](../../CHANGELOG.md#x) [`e`](../../examples/a.py) [f](../../examples) [b](../b.md)\n"
        "[r](../README.md) [u](https://x.y/z) [n](../none.md)\n"
        "```text\n[b](../../CHANGELOG.md)\n```"
    )
    origin = tmp_path / "docs/how-to/h.md"
    assert links.rewritten(text, origin, "how-to/h.md") == (
        "[c](../changelog.md#x) [`e`](../files/examples/a.py.md) [f](../files/examples/index.md) "
        "[b](../b.md)\n[r](../overview.md) [u](https://x.y/z) [n](../none.md)\n"
        "```text\n[b](../../CHANGELOG.md)\n```"
    )
    assert set(links.outside(text, origin)) == {tmp_path / "examples/a.py", tmp_path / "examples"}
    assert "````python\nx = '```'\n````" in links.shown(tmp_path / "examples/a.py")
    assert "- `a.py`" in links.shown(tmp_path / "examples")


def test_all_public_names_are_in_the_reference_of_python() -> None:
    pages = python_pages()
    asked = {
        line.removeprefix("::: ")
        for text in pages.values()
        for line in text.splitlines()
        if line.startswith(":::")
    }
    public = {f"{module}.{name}" for module in PUBLIC for name in import_module(module).__all__}
    assert asked == public - {"cardwright.__version__"}
    assert "[`Game`](cardwright.md#cardwright.Game) | " in pages["python/index.md"]


def test_all_commands_are_in_the_reference() -> None:
    """Also those in groups, with the options that `--help` shows."""
    from cardwright.interfaces.cli.group import GROUPS

    text = commands_page()
    for name in (name for group in GROUPS.values() for name in group):
        assert f"\n### cardwright {name}\n" in text
    assert "\n#### cardwright league run\n" in text
    assert "| `--preset NAME` | Play a named variant; `cardwright show GAME` lists them." in text
    assert "Sentinel" not in text


def test_sessions_of_python_are_marked() -> None:
    """Code with prompts is shown as a session, so that its prompts and answers are not copied."""

    class Named:
        src_uri = "commands.md"

    class Shown:
        file = Named()

    text = "```python\n>>> 1\n1\n```\n```python\nx = 1\n```\n"
    made = hooks.on_page_markdown(text, page=Shown())  # type: ignore[arg-type]
    assert made == "```pycon\n>>> 1\n1\n```\n```python\nx = 1\n```\n"


def test_notebooks_become_pages_with_their_outputs(tmp_path: Path) -> None:
    import json

    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "text"]},
        {
            "cell_type": "code",
            "source": ["print(1)"],
            "outputs": [
                {"output_type": "stream", "text": ["1\n"]},
                {"output_type": "execute_result", "data": {"text/html": ["<b>2</b>"]}},
                {"output_type": "display_data", "data": {"image/png": "QUJD\n"}},
            ],
        },
    ]
    file = tmp_path / "n.ipynb"
    file.write_text(json.dumps({"cells": cells}))
    text = notebook_page(file)
    assert text.startswith("# Title\ntext\n\n```python\nprint(1)\n```\n\n```text\n1\n```\n")
    assert "<b>2</b>" in text
    assert 'src="data:image/png;base64,QUJD"' in text
