"""The plot of a long thread: how many versions a document has, who brings the current one, and what misleads."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting

Trap = Literal[
    "reattached_old",
    "name_lies",
    "forward_old_date",
    "other_document_newer",
    "withdrawn",
    "branch",
    "duplicate_resend",
    "in_file_table",
    "day_edge",
]
TRAPS: tuple[Trap, ...] = (
    "reattached_old",
    "name_lies",
    "forward_old_date",
    "other_document_newer",
    "withdrawn",
    "branch",
    "duplicate_resend",
    "in_file_table",
    "day_edge",
)
ACTIVE: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
BENIGN: dict[Difficulty, float] = {"easy": 0.30, "standard": 0.15, "hard": 0.10}
MAILS: dict[Difficulty, tuple[int, int]] = {"easy": (12, 18), "standard": (20, 32), "hard": (35, 48)}
VERSIONS: dict[Difficulty, tuple[int, int]] = {"easy": (3, 3), "standard": (4, 6), "hard": (6, 8)}
OTHERS: dict[Difficulty, int] = {"easy": 1, "standard": 2, "hard": 3}
DECOYS: dict[Difficulty, int] = {"easy": 2, "standard": 5, "hard": 9}
FINAL_AT_LAST = 0.04
"""How often the current file is the one whose name claims to be final."""
NUMBER_AT_LAST = 0.06
"""How often the current file has the highest number in its name."""


class Plot(msgspec.Struct, frozen=True):
    """What happens in a thread, before people and times are drawn."""

    traps: tuple[Trap, ...]
    versions: int
    mails: int
    steps: tuple[Literal["announce", "propose"], ...]
    """How each version after the first comes: from the owner, or from an editor whose file the owner takes over."""
    names: tuple[str, ...]
    """The habit that each version's file is named by; `same` is the name of the version before."""
    others: tuple[str, ...]
    """The papers beside the main document."""
    branched_from: int
    """The number of the version that somebody edits too late."""

    def has(self, trap: Trap) -> bool:
        """Whether a trap is active."""
        return trap in self.traps


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a plot."""
    size = setting.difficulty
    benign = draw.chance(BENIGN[size])
    traps: tuple[Trap, ...] = () if benign else tuple(draw.sample(TRAPS, ACTIVE[size]))
    versions = draw.int(*VERSIONS[size])
    steps = [draw.choice(("announce", "announce", "propose")) for _ in range(versions - 1)]
    steps[-1] = "announce" if "in_file_table" in traps else draw.choice(("announce", "propose", "propose"))
    if "in_file_table" in traps:
        steps[-2] = "announce"
    return Plot(
        traps,
        versions,
        draw.int(*MAILS[size]),
        tuple(steps),  # type: ignore[arg-type]
        _names(draw, versions, "name_lies" in traps),
        ("annex", *draw.sample(("prices", "schedule"), OTHERS[size] - 1)),
        draw.int(1, versions - 2),
    )


def _names(draw: Draw, versions: int, lies: bool) -> tuple[str, ...]:
    """The habits by which files are named; where they do not lie, none but the current one claims to be the last."""
    names = ["plain", *(draw.choice(("revised", "dated", "numbered")) for _ in range(versions - 1))]
    if draw.chance(0.5):
        names[0] = "numbered"
    names[-1] = "numbered" if draw.chance(NUMBER_AT_LAST) else draw.choice(("revised", "dated"))
    if not lies:
        if draw.chance(FINAL_AT_LAST):
            names[-1] = "final"
        return tuple(names)
    if draw.chance(0.6):
        names[draw.int(1, versions - 2)] = "final"
    else:
        names[-1] = "same"
    return tuple(names)
