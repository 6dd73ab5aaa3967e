"""Drawing of many games, each by one call that a worker can be given."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwright.analysis.dot import dot_text
from cardwright.analysis.drawing import svg_of
from cardwright.analysis.figures.registry import BY_NAME, OF_ONE_GAME
from cardwright.analysis.figures.theme import save
from cardwright.analysis.records import RunFrames
from cardwright.analysis.report.gallery import GalleryEntry, gallery
from cardwright.analysis.report.pictures import LeftOut, diagram, drawn
from cardwright.analysis.report.subject import subject
from cardwright.analysis.tally import Study
from cardwright.arena.effect_replay import recorded
from cardwright.arena.flow import record_flow
from cardwright.arena.plan import RunPlan, loaded
from cardwright.arena.run import run
from cardwright.jobs.files import write_whole

if TYPE_CHECKING:
    from cardwright.analysis.figures.theme import StyleName
    from cardwright.analysis.report.subject import Subject, Title
    from cardwright.analysis.traces import Traces
    from cardwright.arena.plan import GameRef
    from cardwright.game.flow import Flow


@dataclass(frozen=True)
class Drawn:
    """What was drawn of a game: files in the folder, pictures left out, and games for a sheet."""

    title: Title
    files: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    traces: Traces


@dataclass(frozen=True)
class DrawGames:
    """Draws the games of a batch of numbers, and returns what was drawn of each.

    `games` are random games of each, and `rollouts` those of them that a diagram of flow is of.
    """

    refs: tuple[GameRef, ...]
    titles: tuple[Title, ...]
    out: str
    kinds: tuple[str, ...]
    style: StyleName
    games: int
    rollouts: int
    seed: int

    def __call__(self, batch: range) -> list[Drawn]:
        """Play and draw games."""
        return [self._game(number) for number in batch]

    def _game(self, number: int) -> Drawn:
        ref, title = self.refs[number], self.titles[number]
        seats = (0,) * ref.players
        plan = RunPlan(ref, ("random",), (seats,), self.games, self.seed, detail="decisions")
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "RR"
            run(plan, folder)
            found = subject(title, {"RR": RunFrames.of_folder(folder)}, Study(resamples=1))
            files, left = self._figures(found)
            files += self._diagrams(ref, title, folder)
        return Drawn(title, tuple(files), tuple(left), found.samples["RR"])

    def _figures(self, found: Subject) -> tuple[list[str], list[tuple[str, str]]]:
        files, left = [], []
        chosen = [one for one in OF_ONE_GAME if one.name in self.kinds]
        for made in drawn(found, self.style, chosen):
            if isinstance(made, LeftOut):
                left.append((made.kind.heading, made.reason))
                continue
            kind, figure = made
            for ending in ("png", "svg"):
                save(figure, self._place(kind.name, f"{found.title.slug}.{ending}"))
            files.append(f"{kind.name}/{found.title.slug}.png")
        return files, left

    def _diagrams(self, ref: GameRef, title: Title, folder: Path) -> list[str]:
        game, files = loaded(ref), []

        def flow() -> Flow:
            return record_flow(game, islice(recorded(folder), self.rollouts))

        for kind in (BY_NAME[name] for name in self.kinds if BY_NAME[name].is_diagram):
            several = self.rollouts > 1
            graph, _ = diagram(kind, game.program, title.name, flow, several=several)
            write_whole(self._place(kind.name, f"{title.slug}.dot"), dot_text(graph).encode())
            write_whole(self._place(kind.name, f"{title.slug}.svg"), svg_of(graph).encode())
            files.append(f"{kind.name}/{title.slug}.svg")
        return files

    def _place(self, kind: str, name: str) -> Path:
        folder = Path(self.out) / kind
        folder.mkdir(parents=True, exist_ok=True)
        return folder / name

    def finish(self, made: list[Any]) -> None:
        """Draw the sheet of all games, and write the page that shows everything."""
        place = Path(self.out)
        sheet = ""
        if "branching" in self.kinds and len(made) > 1:
            games = [(one.title.name, one.traces) for one in made]
            columns = 7 if len(games) > 10 else min(5, len(games))
            figure = BY_NAME["overview"].draw(games, columns, self.style)
            for ending in ("png", "svg"):
                save(figure, place / f"overview.{ending}")
            sheet = "overview.png"
        entries = [GalleryEntry(one.title, one.files, one.left_out) for one in made]
        write_whole(place / "index.html", gallery(entries, sheet, self.seed).encode())
