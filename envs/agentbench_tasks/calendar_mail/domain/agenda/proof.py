"""The proof of a brief: reads calendar and mail record by record, as anybody could, and comes to the same answer.

It reckons days and series by itself and shares nothing with the drawing or with the scripted policies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import date, timedelta
from typing import Any

from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.calendar_mail.domain.invites import Invite
from agentbench_tasks.calendar_mail.domain.office import Office
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import Stated


def prove(office: Office, zone: str, goals: Sequence[Goal]) -> None:
    """Raise AssertionError unless the records come to exactly these goals for the user's tomorrow in a zone."""
    today = date.fromisoformat(to_local(office.now, zone)[:10])
    near = [(today + timedelta(step)).isoformat() for step in (0, 1, 2)]
    begins, ends = (to_instant(f"{day}T00:00", zone) for day in near[1:])
    kinds: dict[type[Record], list[Any]] = defaultdict(list)
    for record in office.records:
        kinds[type(record)].append(record)
    own = [event for event in kinds[Event] if is_meeting(event, office.user.address)]
    found = {id: (event, at) for event in own for id, at in takes_place(event, near) if begins <= at < ends}
    assert found.keys() == {goal.event_id for goal in goals}, f"tomorrow are {sorted(found)}"
    threads = _Threads(kinds[Message], kinds[Invite], {goal.key: goal.thread_id for goal in goals})
    files = {file.id: file for file in kinds[Attachment]}
    for goal in goals:
        origins = threads.behind(*found[goal.event_id])
        assert origins == {goal.thread_id}, f"{goal.event_id} came from {origins}"
        _prove_thread(goal, threads.about[goal.thread_id], files)


def takes_place(event: Event, near: Collection[str] = ()) -> Iterable[tuple[str, int]]:
    """The ids of an event or of the instances of a weekly series, with the instants at which they begin.

    `near`: the only days on which to look for instances that were not moved, if not on all.
    """
    if event.start.all_day or event.status == "cancelled":
        return
    if not event.rrule:
        yield event.id, _instant(event.start)
        return
    rule = dict(part.split("=") for part in event.rrule.split(";"))
    assert rule.keys() == {"FREQ", "BYDAY", "COUNT"}, event.rrule
    assert rule["FREQ"] == "WEEKLY", event.rrule
    moved = {own.original_start: own.start for own in event.overrides}
    first = date.fromisoformat(event.start.local[:10])
    for week in range(int(rule["COUNT"])):
        day = (first + timedelta(7 * week)).isoformat()
        local = f"{day}{event.start.local[10:]}"
        if local not in event.cancelled and (not near or day in near or local in moved):
            yield f"{event.id}@{local}", _instant(moved.get(local) or When(local, event.start.zone))


def _instant(when: When) -> int:
    assert when.zone, "a floating time is another one elsewhere"
    return to_instant(when.local, when.zone)


def is_meeting(event: Event, user: str) -> bool:
    """Whether somebody beside the user is a guest, and the user is one who did not decline."""
    answers = {guest.address: guest.response for guest in event.attendees}
    return answers.pop(user, "declined") != "declined" and bool(answers)


Said = tuple[str, str, str, str]
"""What a mail does, for which thread, about what, and to what effect."""
Read = tuple[Message, list[Said]]
_ACTS = ("asks.", "answers.", "read.", "placed.")


class _Threads:
    """What was read in the mails, the oldest first."""

    def __init__(self, mails: list[Message], invites: Sequence[Invite], ids: dict[str, str]) -> None:
        self.about: dict[str, list[Read]] = defaultdict(list)
        """The mails that stand in each thread or answer one of its questions."""
        self._invited: dict[str, set[str]] = defaultdict(set)
        self._placed: dict[tuple[str, int], set[str]] = defaultdict(set)
        uids = {invite.message_id: invite.uid for invite in invites}
        for mail in sorted(mails, key=lambda mail: mail.sent_at):
            if mail.id in uids:
                self._invited[uids[mail.id]].add(mail.thread_id)
            said = [_said(fact) for fact in mail.stated if fact.key.startswith(_ACTS)]
            concerned = {mail.thread_id}
            for act, key, _, value in said:
                if act == "placed":
                    self._placed[mail.sender.address, to_instant(*value.split())].add(mail.thread_id)
                elif act == "answers" and key in ids:
                    concerned.add(ids[key])
            for thread in concerned:
                self.about[thread].append((mail, said))

    def behind(self, event: Event, start: int) -> set[str]:
        """The threads with an invitation to an event, or with its organiser's word of when it is."""
        invited, placed = self._invited[event.ical_uid], self._placed[event.organizer, start]
        assert not (invited and placed), f"{event.id} is tied twice"
        return invited | placed


def _said(fact: Stated) -> Said:
    act, key, what = f"{fact.key}..".split(".")[:3]
    return act, key, what, str(fact.value)


def _prove_thread(goal: Goal, mails: Sequence[Read], files: dict[str, Attachment]) -> None:
    """Read the mails in order: one question is left, and one content is to be read first."""
    own = [mail for mail, _ in mails if mail.thread_id == goal.thread_id]
    assert 4 <= len(own) <= 9, f"{goal.thread_id} has {len(own)} mails"
    asked: dict[str, str] = {}
    settled: set[str] = set()
    read, told_by = "", ""
    for mail, said in mails:
        inside = mail.thread_id == goal.thread_id
        for act, key, what, value in said:
            if act == "asks" and inside:
                assert what not in asked, f"{mail.id} asks what was asked"
                asked[what] = mail.id
            elif act == "answers" and (inside or key == goal.key):
                assert what in asked, f"{mail.id} answers what nobody asked"
                settled.add(what)
            elif act == "read" and inside:
                read, told_by = value, mail.id
    contents: dict[tuple[object, ...], str] = {}
    for file in (files[id] for mail in own for id in mail.attachment_ids):
        assert contents.setdefault((file.title, file.text), file.document) == file.document
    assert len(set(contents.values())) == len(contents), "equal contents differ"
    assert asked.keys() - settled == {goal.open}, f"open are {asked.keys() - settled}"
    assert asked == goal.asked_in
    assert (read, told_by) == (goal.document, goal.told_by), f"{read} is to be read, by {told_by}"
    assert read in contents.values()
