"""The addresses of the project, which are those of the host that builds it.

A host of repositories says in the environment where it serves this one; a release is built there,
so that no address is written down that may be another's.
"""

from __future__ import annotations

import os
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
    return {
        "Homepage": home,
        "Source": home,
        "Documentation": f"{home}/tree/main/docs",
        "Changelog": f"{home}/blob/main/CHANGELOG.md",
        "Issues": f"{home}/issues",
        "Security": f"{home}/security/policy",
    }


class CustomMetadataHook(MetadataHookInterface):
    """Adds the addresses to the metadata of what is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the field `urls`, which pyproject.toml declares to be dynamic."""
        metadata["urls"] = addresses(dict(os.environ))
