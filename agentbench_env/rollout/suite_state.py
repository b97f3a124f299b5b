"""The state of the suite's source: which commit, and whether files were changed since."""

from __future__ import annotations

import subprocess
from hashlib import sha256
from pathlib import Path

import msgspec

import agentbench_env


class SuiteState(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A commit, and the SHA-256 of what differs from it in tracked files ("" if nothing does)."""

    commit: str
    changes_sha256: str


def suite_state() -> SuiteState | None:
    """Return the git state of the suite, None where it is installed from a package."""
    source = Path(agentbench_env.__file__)
    # An installed package may lie inside somebody else's repository, which does not track it.
    if _git(source.parent, "ls-files", "--error-unmatch", source.name) is None:
        return None
    commit, changes = _git(source.parent, "rev-parse", "HEAD"), _git(source.parent, "diff", "HEAD", "--binary")
    if commit is None or changes is None:
        return None
    return SuiteState(commit.decode().strip(), sha256(changes).hexdigest() if changes else "")


def _git(folder: Path, *arguments: str) -> bytes | None:
    try:
        return subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
