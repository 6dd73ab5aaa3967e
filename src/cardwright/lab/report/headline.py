"""What a report says first: one sentence and one chart that can be sent to anybody."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from cardwright.analysis.figures.theme import GREY, canvas
from cardwright.game.errors import override_text
from cardwright.lab.contrast import ContrastReading
from cardwright.lab.report.judged import judged, judged_range
from cardwright.lab.report.numerals import effect_form, listed, many, percent
from cardwright.lab.report.phrases import capital, change, sided, span
from cardwright.lab.response import Better
from cardwright.library.catalogue import people_name
from cardwright.publication.axis_words import AxisWord, labelled
from cardwright.publication.figure_text import in_lines
from cardwright.publication.plotted import called

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardwright.analysis.figures.theme import Style
    from cardwright.lab.findings import Effect, Findings
    from cardwright.lab.plan import LabPlan

_MOST = 8
"""Effects in the chart, the largest first."""

_WIDTH, _ROW = 7.1, 0.42
"""Inches: of the chart, and for each effect."""


def game_of(plan: LabPlan) -> str:
    """Return the game of a plan as people write it."""
    game = plan.game
    settings = {name: override_text(value) for name, value in game.declared}
    return people_name(game.name, game.preset, settings)


def headline(plan: LabPlan, findings: Findings) -> str:
    """Return what decides the game, in one sentence, with intervals against each class.

    Where no effect is clear against any class, it says that this cannot be told.
    """
    response, form = findings.responses[0], effect_form(findings, 0)
    leading = leading_contrast(findings)
    game, level = people_name(plan.game.name), percent(findings.level)
    if leading is None:
        names = dict.fromkeys(findings.contrasts[one.contrast].name for one in _mains(findings, 0))
        what = f"whether {next(iter(names))} matters" if len(names) == 1 else (
            f"which of {listed(names)} matters"
        )  # fmt: skip
        return (
            f"In {game}, {what} cannot be told from {many(findings.deals, 'deal')}: "
            "no effect is clear."
        )
    contrast = findings.contrasts[leading]
    told = []
    for opponents, name in enumerate(findings.opponents):
        found = _effect(findings, opponents, leading).found
        if found.clear(findings.level):
            size = f"{judged(found.value, response, form)} {form.unit} a {span(response)}"
            ends = sided(found.low, found.high, found.value, form)
            told.append(f"against {name} it is {size} ({level}: {ends})")
        else:
            ends = judged_range(found.low, found.high, response, form)
            told.append(f"against {name} its effect cannot be told ({ends})")
    several = len(_mains(findings, 0)) > 1
    matters = "matters most" if several else "matters"
    what = f" for {response.name}" if response.better is Better.NEITHER else ""
    return f"In {game}, {change(plan, contrast)} {matters}{what}: {listed(told)}."


def leading_contrast(findings: Findings) -> int | None:
    """Return the main effect that is largest among those that are clear; None if none is."""
    clear = [
        one
        for opponents in range(len(findings.opponents))
        for one in _mains(findings, opponents)
        if one.found.clear(findings.level)
    ]
    return max(clear, key=lambda one: abs(one.found.value)).contrast if clear else None


def draw_headline(look: Style, plan: LabPlan, findings: Findings) -> Figure:
    """Draw the main effects, a panel for each class of opponents, with better ones to the right."""
    classes = range(len(findings.opponents))
    by_class = [{one.contrast: one for one in _mains(findings, at)} for at in classes]
    order = sorted(
        by_class[0], key=lambda key: -max(abs(of[key].found.value) for of in by_class)
    )[:_MOST]  # fmt: skip
    figure = canvas(look, (_WIDTH, 1.35 + _ROW * len(order)))
    panels: Any = figure.subplots(1, len(by_class), squeeze=False, sharex=True, sharey=True)
    for axes, opponents in zip(panels.flat, classes, strict=True):
        _panel(axes, look, findings, [by_class[opponents][key] for key in order])
        axes.set_title(_plain(f"against {findings.opponents[opponents]}"), fontsize=9)
    rows = [fill(capital(change(plan, findings.contrasts[key])), 34) for key in order]
    panels[0, 0].set_yticks(range(len(rows)), [_plain(row) for row in rows], fontsize=8)
    panels[0, 0].set_ylim(len(rows) - 0.4, -0.75)
    panels[0, 0].margins(x=0.16)
    response = findings.responses[0]
    sides = (
        "more is to the right" if response.better is Better.NEITHER else "better is to the right"
    )
    if response.better is Better.LOWER:
        panels[0, 0].invert_xaxis()
    unit = (
        f"{effect_form(findings, 0).unit} a {span(response)}; {sides}; "
        f"bars: {percent(findings.level)} intervals"
    )
    figure.supxlabel(in_lines(labelled(AxisWord.EFFECT, unit), 64), fontsize=9)
    figure.suptitle(
        _plain(f"What decides {people_name(plan.game.name)}?"), fontsize=12, x=0.01, ha="left"
    )
    return figure


def _panel(axes: Axes, look: Style, findings: Findings, effects: list[Effect]) -> None:
    response, form = findings.responses[0], effect_form(findings, 0)
    scale = 100 if form.share else 1
    called(axes.axvline(0, color=GREY, linewidth=0.9), "no effect")
    for row, one in enumerate(effects):
        found, clear = one.found, one.found.clear(findings.level)
        colour = look.leader if clear else GREY
        if found.low is not None and found.high is not None:
            ends = [scale * found.low, scale * found.high]
            line = axes.plot(ends, [row, row], color=colour, linewidth=2.4)
            called(line, f"{percent(findings.level)} interval", "interval")
        x = scale * found.value
        face = colour if clear else "white"
        called(axes.plot([x], [row], "o", color=colour, markerfacecolor=face, markersize=5.5),
               "effect")  # fmt: skip
        said = judged(found.value, response, form) if clear else "cannot be told"
        axes.annotate(
            said, (x, row), xytext=(0, 6), textcoords="offset points", ha="center",
            fontsize=7.5, color=colour,
        )  # fmt: skip
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")


def _mains(findings: Findings, opponents: int) -> list[Effect]:
    return list(findings.of(opponents, 0, ContrastReading.MAIN))


def _effect(findings: Findings, opponents: int, contrast: int) -> Effect:
    return next(one for one in _mains(findings, opponents) if one.contrast == contrast)


def _plain(text: str) -> str:
    return text.replace("$", r"\$")
