"""What is told of declared constants with other values, and of things with other names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardwright.authoring.rule_difference.rule_change import ChangeKind, RuleChange
from cardwright.game.errors import override_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cardwright.authoring.rule_difference.renaming import NameChange
    from cardwright.authoring.rule_difference.version import Version
    from cardwright.game.settings import Setting, Settings
    from cardwright.program.constants import Constant
    from cardwright.syntax.source import Span

_SPACES = {
    "sto": "stored number",
    "str": "stored name",
    "points": "point map",
    "mem": "memory",
    "constant": "constant",
    "text": "name",
}


def renamed_changes(
    before: Version, after: Version, renamed: tuple[NameChange, ...]
) -> Iterator[RuleChange]:
    """Yield a sentence for each thing that has another name, if its name is in the text."""
    for one in renamed:
        if one.before.name not in before.source.text:
            continue
        what = _SPACES.get(one.before.space, "location")
        owner = {"player": " of players", "team": " of teams"}.get(one.before.owner, "")
        yield RuleChange(
            ChangeKind.RENAMED,
            f"The {what} {one.before.name}{owner} is called {one.after.name}.",
            one.before.name,
            one.after.name,
        )


def value_changes(
    before: Version, after: Version, renamed: tuple[NameChange, ...], settings: Settings
) -> Iterator[RuleChange]:
    """Yield a sentence for each declared constant of both versions whose value differs."""
    new = {one.before.name: one.after.name for one in renamed if one.before.space == "constant"}
    places = [_places(version) for version in (before, after)]
    for name, value in before.values.items():
        other = new.get(name, name)
        if other not in after.values:
            continue
        old_form, new_form = before.derived.get(name), after.derived.get(other)
        text = ""
        if old_form is not None and new_form is not None:
            if _renamed_form(old_form, new) != new_form:
                text = f"{other} is computed as {new_form} instead of {old_form}"
                if value != after.values[other]:
                    text += (
                        f", which makes {_shown(after.values[other])} instead of {_shown(value)}"
                    )
                text += "."
        elif value != after.values[other] or type(value) is not type(after.values[other]):
            text = _sentence(other, value, after.values[other], settings.declared.get(name))
        if text:
            yield RuleChange(
                ChangeKind.CHANGED,
                text,
                f"{name}={override_text(value)}",
                f"{other}={override_text(after.values[other])}",
                before.line(places[0][name]),
                after.line(places[1][other]),
            )


def _places(version: Version) -> Mapping[str, Span]:
    return {one.name: one.span for one in version.program.declared}


def _renamed_form(text: str, new: Mapping[str, str]) -> str:
    for old, other in new.items():
        text = text.replace(f"'{old}", f"'{other}")
    return text


def _shown(value: Constant) -> str:
    return ", ".join(value) if isinstance(value, tuple) else override_text(value)


def _sentence(name: str, old: Constant, new: Constant, setting: Setting | None) -> str:
    """Return what it means that a constant has another value, by what its author says of it."""
    about = setting.about.strip() if setting is not None else ""
    values = f"{name} is {_shown(new)} instead of {_shown(old)}"
    if not about:
        return f"{values}."
    if about.startswith("1 if ") and {old, new} == {0, 1}:
        what = about.removeprefix("1 if ").partition(";")[0]
        return f"Now {what} ({values})." if new else f"It is no longer so that {what} ({values})."
    head, ways = _ways(about, setting)
    if old in ways and new in ways:
        return f"{head}: {ways[new]}, instead of: {ways[old]} ({values})."
    if isinstance(new, tuple) or ":" in about or ";" in about:
        return f"{values}. {about}."
    return f"{about}: {_shown(new)} instead of {_shown(old)} ({name})."


def _ways(about: str, setting: Setting | None) -> tuple[str, dict[Constant, str]]:
    """Return what a constant is about, and what each of its values means, if its author lists it.

    `When hearts may be led: when broken; always` has words for two values, in their order.
    """
    head, colon, rest = about.partition(": ")
    if setting is None or not colon:
        return about, {}
    texts = [text.strip() for text in rest.split(";")]
    values = list(setting.values)
    if len(texts) != len(values):
        return about, {}
    return head, dict(zip(values, texts, strict=True))
