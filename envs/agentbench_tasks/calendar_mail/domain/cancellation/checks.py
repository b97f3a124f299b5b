"""The checks of a cancellation. Whether everybody has a note is one clause's own; others judge what there is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from agentbench_env.episode import Episode
from agentbench_env.verdict import Finding
from agentbench_tasks.calendar_mail.domain.cancellation import notes
from agentbench_tasks.calendar_mail.domain.cancellation.case import CancellationCase, Notice, Notices
from agentbench_tasks.calendar_mail.domain.cancellation.touched import is_live


def event_removed(case: CancellationCase, ep: Episode) -> Finding:
    """The meeting is off the calendar: deleted, or cancelled."""
    goal = case.built.goal
    live = is_live(goal, ep.world)
    name = f"{goal.event_id}@{goal.original}" if goal.original else goal.event_id
    return Finding(not live, f"{name} is off the calendar", "it still stands" if live else "it is", (goal.event_id,))


def notice_for_each_guest(case: CancellationCase, ep: Episode) -> Finding:
    """Every guest has a note of their own that names the meeting."""
    notices = Notices(case, ep)
    told = {notice.reader.id for notice in notices.all}
    missing = [guest.display_name for guest in case.guests if guest.id not in told]
    observed = f"none to {', '.join(missing)}" if missing else "one to each"
    return Finding(not missing, f"a note to each of {len(case.guests)} guests", observed, notices.ids)


def notices_in_due_register(case: CancellationCase, ep: Episode) -> Finding:
    """Every note is in a language and register due to its reader, addresses them, and closes as the guide asks."""
    user = case.built.office.user

    def fault(notice: Notice) -> str:
        others = [guest for guest in case.guests if guest.id != notice.reader.id]
        return notes.voice_fault(
            notice.mail.body, notice.reader, others, user.contact, user.name.gender, case.built.title
        )

    return _each(case, ep, fault, "language, register, form of address and closing as due")


def reason_given(case: CancellationCase, ep: Episode) -> Finding:
    """Every note gives the reason that its reader may be told, and none outside gives the other one."""
    pair, title, told = case.built.plot.pair, case.built.title, case.words[ep.language].reasons
    expected = f"the reason in the sense of {' / '.join(f'{side}: {phrase}' for side, phrase in told.items())}"
    return _each(case, ep, lambda notice: notes.reason_fault(notice.whole, notice.reader, pair, title), expected)


def offer_right(case: CancellationCase, ep: Episode) -> Finding:
    """Every note offers the new date where one is wished, and tells no other date and time but the meeting's."""
    goal, home, today = case.built.goal, case.user.zone, date.fromisoformat(ep.world.today)

    def fault(notice: Notice) -> str:
        length_s = case.built.plot.minutes * 60
        return notes.offer_fault(notice.mail.body, notice.reader, home, goal.start, goal.offer, today, length_s)

    return _each(case, ep, fault, f"the offer {case.built.plot.offer}")


def _each(case: CancellationCase, ep: Episode, fault: Callable[[Notice], str], expected: str) -> Finding:
    notices = Notices(case, ep)
    found = [(notice, fault(notice)) for notice in notices.all]
    faults = [f"{notice.mail.id} to {notice.reader.display_name} {what}" for notice, what in found if what]
    return Finding(not faults, expected, "; ".join(faults) or "so in each note", notices.ids)
