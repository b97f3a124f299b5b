"""The proof of a brief: reads calendar and mail record by record, as anybody could, and comes to the same answer.

It reckons days and series by itself and shares nothing with the drawing or with the scripted policies.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.agenda.goal import Goal
from agentbench_tasks.calendar_mail.domain.invites import Invite
from agentbench_tasks.calendar_mail.domain.office import Office
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.messages import Attachment, Message
from agentbench_tasks.commons.texts import Stated


def prove(office: Office, zone: str, goals: Sequence[Goal]) -> None:
    """Raise AssertionError unless the records come to exactly these goals for the user's tomorrow in a zone."""
    tomorrow = (date.fromisoformat(to_local(office.now, zone)[:10]) + timedelta(1)).isoformat()
    events = [record for record in office.records if isinstance(record, Event)]
    found = {id: event for event in events for id, at in takes_place(event) if to_local(at, zone)[:10] == tomorrow}
    user = office.user.address
    meetings = {id: event for id, event in found.items() if is_meeting(event, user)}
    assert meetings.keys() == {goal.event_id for goal in goals}, f"tomorrow are {sorted(meetings)}"
    mails = sorted((one for one in office.records if isinstance(one, Message)), key=lambda mail: mail.sent_at)
    files = {record.id: record for record in office.records if isinstance(record, Attachment)}
    uids = {invite.message_id: invite.uid for invite in office.records if isinstance(invite, Invite)}
    placed = [(mail, fact) for mail in mails for fact in mail.stated if fact.key.startswith("placed.")]
    said = [(mail, [_said(fact) for fact in mail.stated]) for mail in mails if mail.stated or mail.attachment_ids]
    for goal in goals:
        event = meetings[goal.event_id]
        start = next(at for id, at in takes_place(event) if id == goal.event_id)
        threads = _threads(event, start, mails, placed, uids)
        assert threads == {goal.thread_id}, f"{goal.event_id} came from {threads}"
        _prove_thread(goal, said, files)


def takes_place(event: Event) -> Iterable[tuple[str, int]]:
    """The ids of an event or of the instances of a weekly series, with the instants at which they begin."""
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
        local = f"{(first + timedelta(7 * week)).isoformat()}{event.start.local[10:]}"
        if local not in event.cancelled:
            yield f"{event.id}@{local}", _instant(moved.get(local) or When(local, event.start.zone))


def _instant(when: When) -> int:
    assert when.zone, "a floating time is another one elsewhere"
    return to_instant(when.local, when.zone)


def is_meeting(event: Event, user: str) -> bool:
    """Whether somebody beside the user is a guest, and the user is one who did not decline."""
    answers = {guest.address: guest.response for guest in event.attendees}
    return answers.pop(user, "declined") != "declined" and bool(answers)


def _threads(
    event: Event,
    start: int,
    mails: Sequence[Message],
    placed: Sequence[tuple[Message, Stated]],
    uids: dict[str, str],
) -> set[str]:
    """The threads with an invitation to an event, or with its organiser's word of when it is."""
    invited = {mail.thread_id for mail in mails if uids.get(mail.id) == event.ical_uid}
    said: set[str] = set()
    for mail, fact in placed:
        local, zone = str(fact.value).split()
        if mail.sender.address == event.organizer and to_instant(local, zone) == start:
            said.add(mail.thread_id)
    assert not (invited and said), f"{event.id} is tied twice"
    return invited | said


Said = tuple[str, str, str, str]
"""What a mail does, for which thread, about what, and to what effect."""


def _said(fact: Stated) -> Said:
    act, key, what = f"{fact.key}..".split(".")[:3]
    return act, key, what, str(fact.value)


def _prove_thread(goal: Goal, mails: Sequence[tuple[Message, Sequence[Said]]], files: dict[str, Attachment]) -> None:
    """Read the mails in order: one question is left, and one content is to be read first."""
    own = [mail for mail, _ in mails if mail.thread_id == goal.thread_id]
    assert 4 <= len(own) <= 9, f"{goal.thread_id} has {len(own)} mails"
    asked: dict[str, str] = {}
    settled: set[str] = set()
    read, told_by = "", ""
    contents: dict[tuple[object, ...], str] = {}
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
        if inside:
            for file in (files[id] for id in mail.attachment_ids):
                assert contents.setdefault((file.title, file.text), file.document) == file.document
    assert len(set(contents.values())) == len(contents), "equal contents differ"
    assert asked.keys() - settled == {goal.open}, f"open are {asked.keys() - settled}"
    assert asked == goal.asked_in
    assert (read, told_by) == (goal.document, goal.told_by), f"{read} is to be read, by {told_by}"
    assert read in contents.values()
