"""The addresses of the project and of what its README links to: those of the host that builds it.

A host of repositories says in the environment where it serves this one; a release is built there,
so that no address is written down that may be another's.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "CARDWRIGHT_REPOSITORY"
"""The address of the repository, such as `https://host.example/owner/name`."""


def addresses(environment: dict[str, str]) -> dict[str, str]:
    """Return the project's addresses by their names; none where the environment says of none."""
    repository = environment.get(VARIABLE)
    if not repository and environment.get("GITHUB_REPOSITORY"):
        server = environment.get("GITHUB_SERVER_URL", "https://github.com")
        repository = f"{server}/{environment['GITHUB_REPOSITORY']}"
    if not repository:
        return {}
    home = repository.rstrip("/")
    pages = re.fullmatch(r"https://github\.com/([^/]+)/([^/]+)", home)  # the workflow docs.yml
    play = {"Play": "https://{}.github.io/{}/play/".format(*pages.groups())} if pages else {}
    return {
        **play,
        "Homepage": home,
        "Source": home,
        "Documentation": f"{home}/tree/main/docs",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
        "Security": f"{home}/security/policy",
    }


_IMAGE = re.compile(r"!\[[^\]]*\]\((?![a-z]+:)([^)\s]+)\)\n*")
_LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s]+)(?=\))")


def description(readme: str, home: str | None) -> str:
    """Return the README for an index of packages, which has none of the files that it links to.

    Its links lead to the repository at `home`. Where no address is known, they stay as they are,
    and pictures are left out, since they could not be shown.
    """
    if home is None:
        return _IMAGE.sub("", readme)
    shown = _IMAGE.sub(lambda one: one[0].replace(one[1], f"{home}/raw/main/{one[1]}"), readme)
    return _LINK.sub(lambda one: f"{home}/blob/main/{one[1]}", shown)


class CustomMetadataHook(MetadataHookInterface):
    """Adds the addresses and the description to the metadata of what is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the fields `urls` and `readme`, which pyproject.toml declares to be dynamic."""
        metadata["urls"] = addresses(dict(os.environ))
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        text = description(readme, metadata["urls"].get("Source"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
