"""What happens in an instance: how many meetings there are tomorrow, and which traps lie around them."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting

Trap = Literal[
    "moved_instance", "zone_edge", "same_subject", "subject_drift", "answered_later", "old_version_first",
    "agenda_not_preread", "question_in_quote",
]  # fmt: skip
TRAPS: tuple[Trap, ...] = (
    "moved_instance", "zone_edge", "same_subject", "subject_drift", "answered_later", "old_version_first",
    "agenda_not_preread", "question_in_quote",
)  # fmt: skip
KINDS = ("date", "budget", "owner", "scope")
"""What a question can be about."""
MEETINGS = {"easy": (3, 3), "standard": (4, 5), "hard": (6, 7)}
ACTIVE = {"easy": 2, "standard": 4, "hard": 6}
BENIGN = {"easy": 0.2, "standard": 0.15, "hard": 0.1}
QUESTIONS = {"easy": (2, 3), "standard": (3, 4), "hard": (3, 4)}
TRAVELS = 0.4
ANNOUNCED_IN_WORDS = 0.4


class NoFit(Exception):
    """A draw that makes no instance."""


class Meeting(msgspec.Struct, frozen=True, gc=False):
    """A meeting tomorrow: what was asked about it, what stayed open, and its traps."""

    topic: str
    kinds: tuple[str, ...]
    """The questions in the order in which they were asked."""
    open: str
    """The one that was not answered."""
    traps: tuple[Trap, ...]
    in_words: bool
    """Whether the thread says when it takes place, and no invitation came."""

    def has(self, trap: Trap) -> bool:
        """Whether a trap lies here."""
        return trap in self.traps


class Plot(msgspec.Struct, frozen=True):
    """What happens."""

    traps: tuple[Trap, ...]
    travels: bool
    """Whether the user is in another zone than at home."""
    meetings: tuple[Meeting, ...]


def draw_plot(draw: Draw, setting: Setting, topics: list[str]) -> Plot:
    """Draw a plot whose meetings are about different topics."""
    size = setting.difficulty
    traps: list[Trap] = [] if draw.chance(BENIGN[size]) else draw.sample(TRAPS, ACTIVE[size])
    count = draw.int(*MEETINGS[size])
    # The two traps about time lie on meetings of their own.
    own: dict[Trap, int] = {"zone_edge": 0, "moved_instance": 1}
    places = {trap: own.get(trap, draw.int(0, count - 1)) for trap in traps}
    meetings: list[Meeting] = []
    for number, topic in enumerate(draw.sample(topics, count)):
        mine = tuple(trap for trap in traps if places[trap] == number)
        kinds = tuple(draw.sample(KINDS, draw.int(*QUESTIONS[size])))
        # Only where it is a trap was the question asked last answered.
        left = kinds[:-1] if "answered_later" in mine else kinds
        in_words = size == "hard" and "moved_instance" not in mine and draw.chance(ANNOUNCED_IN_WORDS)
        meetings.append(Meeting(topic, kinds, draw.choice(left), mine, in_words))
    return Plot(tuple(traps), "zone_edge" in traps and draw.chance(TRAVELS), tuple(meetings))
