"""How the user of a repeating slot decides on a proposed call. Only what the user wishes counts, never the goal."""

from __future__ import annotations

from agentbench_env.approval import Decision
from agentbench_env.episode import Episode
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.holiday_series.case import HolidaySeriesCase


def decide(case: HolidaySeriesCase, call: Tool, ep: Episode) -> Decision:
    """Grant an invitation of the two colleagues where the user wants them, and what reaches nobody."""
    kind = _objection(case, call)
    return Decision(not kind, case.words[ep.language].decision(kind or "grant"))


def _objection(case: HolidaySeriesCase, call: Tool) -> str:
    if not isinstance(call, CalCreateEvent | CalUpdateEvent):
        return "deny_not_mine"
    guests = {fold(guest.address) for guest in call.attendees}
    if guests and not case.plot.invites:
        return "deny_not_now"
    welcome = {fold(person.address) for person in (*case.colleagues, case.office.user)}
    return "" if guests <= welcome else "deny_not_client"
