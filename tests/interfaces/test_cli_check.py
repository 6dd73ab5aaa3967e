from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]


TELLS = "a stored number tells something of cards that somebody does not see"
OK = f"ok\n  19:9 {TELLS}\n"


def test_a_good_file_that_tells_of_hidden_cards(run: Run) -> None:
    result = run("check", "coin.rcy")
    assert (result.exit_code, result.output) == (0, f"coin.rcy: {OK}")


def test_a_wrong_file_has_places_and_a_total(run: Run) -> None:
    result = run("check", "wrong.rcy")
    assert result.exit_code == 1
    assert "wrong.rcy:6:6: error E201:" in result.stdout
    assert "    6 |     (shufle (game iloc STOCK))\n      |      ^^^^^^\n" in result.stdout
    assert "did you mean shuffle?" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("wrong.rcy: ")
    assert result.stderr == ""


def test_diagnostics_come_in_order_of_place(run: Run) -> None:
    result = run("check", "--format", "json", "wrong.rcy", "endless.rcy")
    for file in json.loads(result.stdout)["files"]:
        places = [(found["line"], found["column"]) for found in file["diagnostics"]]
        assert len(places) > 1
        assert places == sorted(places)


def test_warnings_are_counted_and_do_no_harm(run: Run) -> None:
    result = run("check", "endless.rcy")
    assert result.exit_code == 0
    assert result.stdout.endswith("endless.rcy: 2 warnings\n")


def test_an_unreadable_file_does_not_keep_others_from_being_checked(
    run: Run, tmp_path: Path
) -> None:
    binary = tmp_path / "binary.rcy"
    binary.write_bytes(b"(game \xff\xfe")
    result = run("check", "nothing.rcy", str(tmp_path), str(binary), "coin.rcy")
    lines = result.stdout.splitlines()
    assert result.exit_code == 1
    assert lines[0] == "nothing.rcy: error E106: there is no such file"
    assert lines[1] == f"{tmp_path}: error E106: this is a folder, not a game file"
    assert lines[2].startswith(f"{binary}: error E106: this is not text")
    assert lines[3] == "coin.rcy: ok"


def test_a_library_name_is_recognised(run: Run) -> None:
    result = run("check", "hearts")
    assert result.exit_code == 1
    assert "hearts is a game of the library" in result.stdout


def test_standard_input(run: Run) -> None:
    result = run("check", "-", input=Path("coin.rcy").read_text())
    assert (result.exit_code, result.stdout) == (0, f"<stdin>: {OK}")
    result = run("check", "-", input="(game")
    assert result.exit_code == 1
    assert "<stdin>:1:1: error E102" in result.stdout


def test_json_has_exactly_these_keys(run: Run) -> None:
    result = run("check", "--format", "json", "wrong.rcy", "coin.rcy", "nothing.rcy")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert list(report) == ["files"]
    assert [file["file"] for file in report["files"]] == ["wrong.rcy", "coin.rcy", "nothing.rcy"]
    assert [file["ok"] for file in report["files"]] == [False, True, False]
    keys = {
        "file", "code", "severity", "line", "column", "end_line", "end_column", "message",
        "expected", "help", "edits",
    }  # fmt: skip
    for file in report["files"]:
        assert set(file) == {"file", "ok", "diagnostics", "tells"}
        assert all(set(found) == keys for found in file["diagnostics"])
    assert report["files"][2]["diagnostics"][0]["code"] == "E106"
    assert report["files"][1]["diagnostics"] == []
    (told,) = report["files"][1]["tells"]
    assert (told["line"], told["column"], told["message"]) == (19, 9, TELLS)


@pytest.mark.parametrize(("count", "hidden"), [(200, 0), (207, 7)])
def test_a_flood_is_cut_in_text_and_not_in_json(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, hidden: int
) -> None:
    from cardwright.interfaces.cli import check as command
    from cardwright.program.check import Checked
    from cardwright.syntax.diagnostic import Code, Diagnostics
    from cardwright.syntax.source import Source, Span

    def flooded(source: Source, **_: object) -> Checked:
        report = Diagnostics(source)
        for n in range(count):
            report.add(Code.SHADOWING, Span(n, n + 1), f"wrong {n}")
        return Checked(source, None, report)

    monkeypatch.setattr(command, "check", flooded)
    file = tmp_path / "flood.rcy"
    file.write_text("x" * 500)
    shown = run("check", str(file)).stdout
    assert shown.count("warning W602") == 200
    assert ("more, which are not shown" in shown) == bool(hidden)
    assert f"... and {hidden} more" in shown or not hidden
    assert shown.endswith(f": {count} warnings\n")
    report = json.loads(run("check", "--format", "json", str(file)).stdout)
    assert len(report["files"][0]["diagnostics"]) == count


def test_a_file_full_of_errors_may_have_more(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "full.rcy"
    setup = "(setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))"
    file.write_text(f"(game {setup} (do ({'(inc HEARTS) ' * 1100})) (scoring max 1))")
    result = run("check", str(file))
    assert result.exit_code == 1
    assert result.stdout.endswith(": 1,000 errors or more\n")


def test_the_numbering_is_passed_on(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "one.rcy"
    text = Path("coin.rcy").read_text()
    file.write_text(text.replace("(create players 2)", "(create players 2) (create teams (1) (2))"))
    assert run("check", "--base", "one", str(file)).exit_code == 0
    result = run("check", "--base", "zero", str(file))
    assert result.exit_code == 1
    assert "error E503" in result.stdout


def test_colours_only_where_they_are_seen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "\x1b[" not in run("check", "wrong.rcy").stdout
    assert "\x1b[" in run("check", "wrong.rcy", color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("check", "wrong.rcy", color=True).stdout


def test_a_file_cannot_speak_to_the_terminal(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "evil.rcy"
    file.write_text("(game \x1b]0;owned\x07 \x9b31m \u202e (shufle))")
    result = run("check", str(file), color=True)
    assert result.exit_code == 1
    painted = result.stdout
    for code in ("\x1b[1m", "\x1b[0m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m"):
        painted = painted.replace(code, "")
    assert not set(painted) & {"\x1b", "\x07", "\x9b", "\u202e"}


@pytest.mark.parametrize("words", [(), ("--format", "xml", "coin.rcy"), ("--base", "2", "x")])
def test_wrong_calls(run: Run, words: tuple[str, ...]) -> None:
    result = run("check", *words)
    assert result.exit_code == 2
    assert result.stdout == ""


def test_a_file_of_constants_is_checked_with_its_game_and_by_its_name(
    run: Run, tmp_path: Path
) -> None:
    """It is a file of its own in all formats, and its errors count."""
    game, other = tmp_path / "mine.rcy", tmp_path / "mine.toml"
    game.write_text(Path("coin.rcy").read_text())
    assert run("check", str(game)).stdout == f"{game}: {OK}"
    other.write_text("[declared]\n")
    assert run("check", str(game)).stdout == f"{game}: {OK}{other}: ok\n"
    other.write_text("[declaerd]\n")
    both, alone = run("check", str(game)), run("check", str(other))
    assert both.exit_code == alone.exit_code == 1
    assert both.stdout == f"{game}: {OK}{alone.stdout}"
    assert "mine.toml:1:2: error E108" in alone.stdout
    assert "did you mean declared?" in alone.stdout
    files = json.loads(run("check", str(game), "--json").stdout)["files"]
    assert [(one["file"], one["ok"]) for one in files] == [(str(game), True), (str(other), False)]
    assert run("check", str(game), "--csv").stdout.splitlines()[1].startswith(f"{other},E108,error")
    other.write_bytes(b"\xff")
    assert run("check", str(game)).exit_code == 1


def test_strict_names_extensions(run: Run, tmp_path: Path) -> None:
    """Each is a note with its place, and the exit code says that other engines lack it."""
    file = tmp_path / "else.rcy"
    file.write_text("""(game
      (setup (create players 2) (create deck (game iloc STOCK) (deck (RANK (A, K)))))
      (do (((== (size player) 2) (turn pass) else (shuffle (game iloc STOCK)))))
      (scoring max (size player)))""")
    assert run("check", str(file)).exit_code == 0
    result = run("check", "--strict", str(file))
    assert result.exit_code == 1
    assert "else.rcy:3:12: note N703: (BOOLEAN STEP else STEP) is an extension" in result.stdout
    found = json.loads(run("check", "--strict", "--format", "json", str(file)).stdout)["files"][0]
    assert (found["ok"], [one["code"] for one in found["diagnostics"]]) == (False, ["N703"])


def test_fix_mends_the_file_and_shows_what_has_changed(run: Run, tmp_path: Path) -> None:
    """The second time there is nothing to mend, and a good file is not touched."""
    file = tmp_path / "wrong.rcy"
    file.write_bytes(Path("wrong.rcy").read_bytes())
    result = run("check", "--fix", str(file))
    assert "-    (shufle (game iloc STOCK))\n" in result.stdout
    assert "+    (shuffle (game iloc STOCK))\n" in result.stdout
    assert "(shuffle (game iloc STOCK))" in file.read_text(encoding="utf-8")
    assert "+++" not in run("check", "--fix", str(file)).stdout
    assert run("check", "--fix", "coin.rcy").stdout == f"coin.rcy: {OK}"


def test_fix_needs_a_file(run: Run) -> None:
    """The standard input cannot be changed."""
    result = run("check", "--fix", "-", input="(game")
    assert result.exit_code == 2
    assert "the standard input is none" in result.stderr
