"""Where a wrong recipient sits, whether they have read the mail and how old it is: what a recall turns on."""

from __future__ import annotations

from itertools import product
from typing import Literal

import msgspec

from agentbench_tasks.calendar_mail.domain.mailbox import Delivery, MailSystem, ReadState
from agentbench_tasks.calendar_mail.domain.recall import Recall, recall_of

Seat = Literal["inside", "near", "away"]
"""In the user's own house; outside, but on the same mail system; outside on another one."""
Age = Literal["fresh", "inside_edge", "outside_edge", "old"]
"""Some hours; just within a day; just past it; two days."""
AGE_S: dict[Age, int] = {"fresh": 3 * 3600, "inside_edge": 23 * 3600, "outside_edge": 25 * 3600, "old": 48 * 3600}


class Situation(msgspec.Struct, frozen=True):
    """What a recall turns on besides the mail system."""

    seat: Seat
    read: ReadState
    age: Age
    recall_on: bool = True
    """Whether the administrator has left recalls on at all (`tenant`)."""

    def recall(self, system: MailSystem) -> Recall:
        """Whether the mail can be taken back on a system."""
        switched = msgspec.structs.replace(system, recall_switch=self.recall_on)
        inside, same = self.seat == "inside", self.seat != "away"
        delivery = Delivery("", "", "", "", same, inside, 0, self.read)
        return recall_of(switched, delivery, AGE_S[self.age])


def situations(system: MailSystem) -> list[Situation]:
    """Return every situation that there can be on a system."""
    found: list[Situation] = []
    switches = (True, False) if system.rule == "tenant" else (True,)
    ages: tuple[Age, ...] = ("fresh", "inside_edge", "outside_edge", "old")
    for seat, age, recall_on in product(("inside", "near", "away"), ages, switches):
        if seat == "near" and system.rule in ("works", "tenant"):
            # Their help pages say that of people outside nothing is known: nobody outside is on such a system.
            continue
        reads: tuple[ReadState, ...] = ("unknown",) if seat == "away" else ("read", "unread")
        found += [Situation(seat, read, age, recall_on) for read in reads]
    return found
