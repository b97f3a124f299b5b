"""What happens in an instance: how many meetings there are tomorrow, and which traps lie around them."""

from __future__ import annotations

from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_tasks.calendar_mail.domain.letters import WORDINGS

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
QUESTIONS = {"easy": (2, 3), "standard": (3, 4), "hard": (3, 4)}
ACTIVE = {"easy": 1, "standard": 2, "hard": 3}
BENIGN = {"easy": 0.3, "standard": 0.15, "hard": 0.1}
DECOYS = {"easy": (2, 2), "standard": (4, 6), "hard": (8, 10)}
"""How many threads there are that no meeting of tomorrow came from."""
SUBJECT_WEIGHT = {"easy": 1.0, "standard": 6.0, "hard": 2.0}
"""How much likelier than others the traps about subjects are: equal subjects are to mislead in most instances."""
SIDE_FILE = 0.7
"""Share of threads in which a file that nobody need read comes after the one to be read."""
EARLY_AGENDA = 0.4
TRAVELS = 0.4
ANNOUNCED_IN_WORDS = 0.4
ANSWERED_ELSEWHERE = 0.6
"""Share of hard instances in which an answer stands in another thread."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """A question by what it is about; its answer has the same wording."""

    kind: str
    wording: int


class Meeting(msgspec.Struct, frozen=True, gc=False):
    """A meeting tomorrow: what was asked about it, what stayed open, and its traps."""

    topic: str
    questions: tuple[Question, ...]
    """In the order in which they were asked."""
    open: str
    """The kind of the one that was not answered."""
    traps: tuple[Trap, ...] = ()
    in_words: bool = False
    """Whether the thread says when it takes place, and no invitation came."""
    elsewhere: str = ""
    """The kind of the question that was answered in another thread."""
    side_file: bool = False
    early_agenda: bool = False

    def has(self, trap: Trap) -> bool:
        """Whether a trap lies here."""
        return trap in self.traps

    @property
    def answered(self) -> list[Question]:
        """The questions that were answered in the thread, in order."""
        return [one for one in self.questions if one.kind not in (self.open, self.elsewhere)]


class Plot(msgspec.Struct, frozen=True):
    """What happens."""

    traps: tuple[Trap, ...]
    travels: bool
    """Whether the user is in another zone than at home."""
    meetings: tuple[Meeting, ...]
    idle: tuple[str, ...]
    """Topics that nobody meets about tomorrow."""
    decoys: int


def draw_plot(draw: Draw, setting: Setting, topics: list[str]) -> Plot:
    """Draw a plot whose meetings are about different topics."""
    size = setting.difficulty
    traps = () if draw.chance(BENIGN[size]) else _traps(draw, SUBJECT_WEIGHT[size], ACTIVE[size])
    count = draw.int(*MEETINGS[size])
    order = draw.sample(topics, len(topics))
    # The two traps about time lie on meetings of their own, and so do those about subjects.
    own: dict[Trap, int] = {"zone_edge": 0, "moved_instance": 1, "same_subject": 2}
    places = {trap: own.get(trap, draw.int(0, count - 1)) for trap in traps}
    if places.get("subject_drift") == 2:
        places["subject_drift"] = draw.int(0, 1)
    elsewhere = draw.int(0, count - 1) if size == "hard" and traps and draw.chance(ANSWERED_ELSEWHERE) else -1
    meetings = tuple(
        _meeting(draw, setting, topic, tuple(trap for trap in traps if places[trap] == number), number == elsewhere)
        for number, topic in enumerate(order[:count])
    )
    travels = "zone_edge" in traps and draw.chance(TRAVELS)
    return Plot(traps, travels, meetings, tuple(order[count:]), draw.int(*DECOYS[size]))


def _traps(draw: Draw, subject_weight: float, count: int) -> tuple[Trap, ...]:
    weights: dict[Trap, float] = {
        trap: subject_weight if trap in ("same_subject", "subject_drift") else 1.0 for trap in TRAPS
    }
    found: list[Trap] = []
    while len(found) < count:
        trap = draw.weighted(weights)
        weights.pop(trap)
        found.append(trap)
    return tuple(found)


def _meeting(draw: Draw, setting: Setting, topic: str, traps: tuple[Trap, ...], elsewhere: bool) -> Meeting:
    size = setting.difficulty
    kinds = draw.sample(KINDS, draw.int(*QUESTIONS[size]))
    # Where it is a trap, the question that was asked last and most loudly is settled.
    left = kinds[:-1] if "answered_later" in traps else kinds
    still_open = draw.choice(left)
    in_words = size == "hard" and "moved_instance" not in traps and draw.chance(ANNOUNCED_IN_WORDS)
    return Meeting(
        topic,
        tuple(Question(kind, draw.variant(WORDINGS)) for kind in kinds),
        still_open,
        traps,
        in_words,
        next(kind for kind in kinds if kind != still_open) if elsewhere else "",
        "old_version_first" not in traps and draw.chance(SIDE_FILE),
        "agenda_not_preread" not in traps and draw.chance(EARLY_AGENDA),
    )
