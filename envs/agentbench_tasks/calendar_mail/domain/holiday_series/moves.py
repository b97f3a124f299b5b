"""How a careful assistant sets up a repeating slot: the moves that the task's scripted policies are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import date, timedelta

from agentbench_env.claims import TextClaim
from agentbench_env.market import shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.user import UserRequestApproval
from agentbench_env.zones import to_instant, to_iso
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalUpdateEvent, Created
from agentbench_tasks.calendar_mail.domain.event_arguments import Guest
from agentbench_tasks.calendar_mail.domain.holiday_series.answer import ExcludedDate, HolidaySeriesAnswer
from agentbench_tasks.calendar_mail.domain.holiday_series.case import HolidaySeriesCase
from agentbench_tasks.calendar_mail.domain.house import FILE as HOUSE
from agentbench_tasks.calendar_mail.domain.notices import SendUpdates
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.days import HolidayDay, HolidaysListDays
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import Time
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.recurrence import WEEKDAYS


class Moves:
    """Reads the rule and the list of days, makes the series, and writes the answer from what was read."""

    def __init__(self, case: HolidaySeriesCase, do: Do) -> None:
        self.case, self.do = case, do
        self.rows: list[HolidayDay] = []

    # --- reading

    def read_rule(self) -> None:
        """Read which days off the house observes."""
        language = self.case.office.setting.language
        title: str = shared_table(f"text/{language}/{HOUSE}")["pages"]["holidays"]["title"]
        hits = self.do(PagesSearch(query=title, publisher_kind="employer"))
        self.do(PagesGet(page_id=next(hit.page_id for hit in hits.pages if hit.title == title)))

    def read_days(self) -> None:
        """Read the whole list of days over the series, page after page."""
        asked, token = self.case.plot.series.asked, ""
        last = asked[-1] + timedelta(7)
        while True:
            page = self.do(
                HolidaysListDays(
                    country=self.case.country,
                    from_date=asked[0].isoformat(),
                    to_date=last.isoformat(),
                    page_token=token,
                )
            )
            self.rows += page.days
            token = page.next_page_token
            if not token:
                return

    def look_at_calendar(self) -> None:
        """See what stands on the first date."""
        day = self.case.plot.series.asked[0].isoformat()
        self.do(CalListEvents(from_at=f"{day}T00:00", to_at=f"{day}T23:59"))

    def days_off(self) -> list[HolidayDay]:
        """The rows read that the house observes, on dates of the series."""
        asked = {day.isoformat() for day in self.case.plot.series.asked}
        return [
            row for row in self.rows if row.status == "confirmed" and "private" in row.applies_to and row.date in asked
        ]

    # --- writing

    @property
    def zone(self) -> str:
        """The user's zone."""
        return self.case.start.zone

    def at(self, day: date | str) -> Time:
        """The start of the slot on a day."""
        return Time(local=f"{day}T{self.case.plot.request.clock}", zone=self.zone)

    def ends(self, day: date | str) -> Time:
        """The end of the slot on a day."""
        clock = self.case.plot.request.clock
        minutes = int(clock[:2]) * 60 + int(clock[3:]) + self.case.plot.request.minutes
        return Time(local=f"{day}T{minutes // 60:02}:{minutes % 60:02}", zone=self.zone)

    def until(self, day: date) -> str:
        """The start of the slot on a day as the last instant of a rule, in UTC."""
        instant = to_instant(f"{day}T{self.case.plot.request.clock}", self.zone)
        return to_iso(instant, "UTC")[:19].replace("-", "").replace(":", "") + "Z"

    def rule(self, last: date | None = None) -> str:
        """The rule of the series, up to its last date or another one."""
        request, series = self.case.plot.request, self.case.plot.series
        days = ",".join(dict.fromkeys(WEEKDAYS[day.weekday()] for day in series.asked))
        end = f"UNTIL={self.until(last or series.asked[-1])}"
        if request.form == "monthly":
            return f"FREQ=MONTHLY;BYDAY=1{days};{end}"
        interval = "INTERVAL=2;" if request.form == "fortnightly" else ""
        return f"FREQ=WEEKLY;{interval}BYDAY={days};{end}"

    def create(
        self,
        excluded: Iterable[str],
        *,
        rule: str = "",
        guests: Sequence[Person] = (),
        send: SendUpdates = "none",
        calendar_id: str = "",
    ) -> Created:
        """Make the series without some dates."""
        first = self.case.plot.series.asked[0]
        return self.do(
            CalCreateEvent(
                calendar_id=calendar_id or self.case.office.calendar.id,
                title=self.case.title,
                start=self.at(first),
                end=self.ends(first),
                rrule=rule or self.rule(),
                exdates=[self.at(day) for day in excluded],
                attendees=[Guest(address=person.address) for person in guests],
                send_updates=send,
            )
        )

    def book(self, day: date) -> str:
        """Make an event of its own on a day; return its id."""
        call = CalCreateEvent(
            calendar_id=self.case.office.calendar.id,
            title=self.case.title,
            start=self.at(day),
            end=self.ends(day),
            send_updates="none",
        )
        return self.do(call).event_id

    def invite(self, event_id: str, guests: Sequence[Person], send: SendUpdates = "all", *, ask: bool = True) -> None:
        """Invite people to the series, with the user's leave if `ask`."""
        call = CalUpdateEvent(
            event_id=event_id,
            scope="all",
            attendees=[Guest(address=person.address) for person in guests],
            send_updates=send,
        )
        if ask:
            reply = self.do(
                UserRequestApproval(
                    tool=call.name,
                    arguments=json.dumps(call.canonical_arguments()),
                    summary="Invite the two colleagues to the series.",
                )
            )
            if reply.decision != "granted":
                return
        self.do(call)

    # --- answering

    def answer(self, event_id: str) -> HolidaySeriesAnswer:
        """The answer from what was read."""
        excluded = [
            ExcludedDate(
                date=TextClaim(value=row.date, sources=[row.hol_id]),
                name=TextClaim(value=row.name_local, sources=[row.hol_id]),
            )
            for row in self.days_off()
        ]
        return HolidaySeriesAnswer(event_id=event_id, excluded=excluded)

    def prepare(self) -> None:
        """Read everything that the series depends on."""
        self.read_rule()
        self.read_days()
        self.look_at_calendar()

    def finish(self) -> None:
        """Make the series, read it back, invite where that is wished, and answer."""
        event_id = self.create([row.date for row in self.days_off()]).event_id
        self.do(CalGetEvent(event_id=event_id))
        if self.case.plot.invites:
            self.invite(event_id, self.case.colleagues)
        self.do(self.answer(event_id))
