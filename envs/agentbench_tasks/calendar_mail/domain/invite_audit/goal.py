"""What is right about an invitation, from the instants that were agreed and those that its file and its text name."""

from __future__ import annotations

import msgspec

from agentbench_env.zones import offset_minutes, to_local
from agentbench_tasks.calendar_mail.domain.invite_audit.agreement import Agreement, changes_clocks, other_season
from agentbench_tasks.calendar_mail.domain.invite_audit.invitation import CalendarFile, Wording
from agentbench_tasks.calendar_mail.domain.invite_audit.plot import Kind, Part, Plot

EXPLAINS: frozenset[Kind] = frozenset({"wrong_season", "wrong_zone", "no_zone", "date_shift"})
"""The mistakes beside which a difference between text and file may be named too."""
BOTH: frozenset[Part] = frozenset({"file", "body"})


class Goal(msgspec.Struct, frozen=True):
    """The right outcome."""

    stated: str
    """The start in the file as the user's calendar shows it."""
    floating: bool
    kinds: frozenset[Kind]
    tolerated: frozenset[Kind]
    correct: str
    """The agreed start in the user's zone."""
    changes_on: str
    """The day of the first instance at another local time, "" if there is none."""
    changes_to: str
    """The local time from then on."""
    right_parts: frozenset[Part]
    """The parts of the invitation that name the agreed instants, whatever else they say."""

    def erring(self, kind: Kind, plot: Plot) -> frozenset[Part]:
        """The parts that a mistake of this kind stands in; for one that is only tolerated, both."""
        found: frozenset[Part] = frozenset(part for one, part in plot.mistakes if one == kind)
        return found or BOTH


def goal_of(plot: Plot, agreed: Agreement, file: CalendarFile, words: Wording, here: str) -> Goal:
    """Return what is right; `here`: the user's zone."""
    tolerated: set[Kind] = set()
    if plot.kinds & EXPLAINS and {*words.named, *words.promised} != set(file.instants):
        tolerated.add("text_file_conflict")
    if "series_shift" in plot.kinds or ("wrong_zone" in plot.kinds and _like_other_season(agreed, file)):
        tolerated.add("wrong_season")
    shown = [to_local(start, here) for start in agreed.starts]
    changed = next((local for local in shown if local[11:] != shown[0][11:]), "")
    right: set[Part] = set()
    if file.instants == agreed.starts:
        right.add("file")
    if agreed.starts[: len(words.named)] == words.named:
        right.add("body")
    return Goal(
        to_local(file.instants[0], here),
        file.floating,
        plot.kinds,
        frozenset(tolerated) - plot.kinds,
        shown[0],
        changed[:10],
        changed[11:],
        frozenset(right),
    )


def _like_other_season(agreed: Agreement, file: CalendarFile) -> bool:
    """Whether a file is as far off as if it had the organiser's zone in the other half of the year."""
    at = agreed.start
    gap = (file.instants[0] - at) // 60
    return changes_clocks(agreed.zone) and gap == offset_minutes(agreed.zone, at) - other_season(agreed.zone, at)[0]
