"""From the plan of a week to an office: people, calendars and mails around it, and the proof over what was built."""

from __future__ import annotations

from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.diary import Guest
from agentbench_tasks.calendar_mail.domain.house import Part
from agentbench_tasks.calendar_mail.domain.office import Desk, Office, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.reschedule.mails import FILE, Mails, topic
from agentbench_tasks.calendar_mail.domain.reschedule.plan import draw_plan
from agentbench_tasks.calendar_mail.domain.reschedule.plot import Plan, Who, Window, draw_cast
from agentbench_tasks.calendar_mail.domain.reschedule.proof import Scene, prove
from agentbench_tasks.commons.events import Event, When
from agentbench_tasks.commons.texts import Text


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plan: Plan
    office: Office
    others: dict[Who, Person]
    event: Event
    title: int
    code: str
    """What to dial in with."""
    threads: frozenset[str]
    """The threads that the meeting was written about in."""
    said: dict[str, tuple[Who, tuple[Window, ...]]]
    """By mail, who offers which windows in it."""
    taken_back: str
    """The mail that takes a window back, "" if none does."""
    scene: Scene

    @property
    def pair(self) -> tuple[Person, Person]:
        """The two others."""
        return self.others["a"], self.others["b"]


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance and prove it."""
    plan = draw_plan(draw.stream("plan"), setting, draw_cast(draw.stream("cast"), setting))
    return Build(draw.stream("build"), setting, plan).finish()


class Build:
    """Builds the office around a plan."""

    def __init__(self, draw: Draw, setting: Setting, plan: Plan) -> None:
        self._draw, self._plan, self._setting = draw, plan, setting
        self._desk = desk = Desk(draw.stream("office"), setting, plan.now)
        # The company's own day off has no part in the story.
        desk.keep_founding_day_clear(plan.target.monday)
        self._title = draw.variant(range(8))
        self._code = f"{draw.int(100_000, 999_999)}"
        first = self._first()
        self._others: dict[Who, Person] = {"a": first, "b": self._second(first)}

    def finish(self) -> Built:
        """Put everybody's events and mails in place, and prove that one start is right."""
        desk, plan = self._desk, self._plan
        for _ in range(3):
            desk.cast.colleague()
        event = self._meeting()
        self._routine()
        for block in plan.blocks:
            self._block(block.who, block.start, block.minutes, block.kind)
        mails = Mails(self._draw.stream("mails"), desk, plan, self._others, self._title)
        mails.write()
        desk.pages["priority"] = desk.house.page("priority", "house_guide", [Part.of("what_counts")])
        office = desk.close()
        scene = self._scene(office, event)
        prove(scene, plan.start)
        return Built(
            plan, office, self._others, event, self._title, self._code, frozenset(mails.threads), mails.said,
            mails.taken_back, scene,
        )  # fmt: skip

    # --- people

    def _first(self) -> Person:
        plan, cast = self._plan, self._desk.cast
        return cast.outsider("client", place=plan.target.place if plan.side("a").abroad else "")

    def _second(self, first: Person) -> Person:
        plan, cast = self._plan, self._desk.cast
        match plan.cast.pair:
            case "client_superior":
                return cast.superior()
            case "client_peer":
                return cast.colleague("peer", place=plan.target.place)
            case "two_clients":
                firm = next(one for one in cast.organisations if one.id == first.contact.org_id)
                return cast.outsider("client", organisation=firm if self._draw.chance(0.3) else None, place=firm.place)

    # --- calendars

    def _meeting(self) -> Event:
        desk, plan = self._desk, self._plan
        zone, language = desk.user.contact.zone, self._setting.language
        start = When(to_local(plan.old_start, zone), zone)
        response = "accepted" if "duplicate_tempts" in plan.cast.traps else "needs_action"
        guests = [Guest(desk.user), *(Guest(person, response=response) for person in self._others.values())]
        call_in = Text.of(FILE, "lines.call_in", language, code=self._code)
        return desk.diary.event(
            desk.calendar,
            desk.user.address,
            topic(self._title, language),
            start,
            later(start, plan.old_minutes),
            guests,
            description=call_in,
            age_days=20,
        )

    def _routine(self) -> None:
        """The department's weekly meetings, on weekdays on which nothing of the plan happens."""
        plan, zone = self._plan, self._desk.user.contact.zone
        used = [plan.start, plan.old_start, *plan.baits.values()]
        self._desk.routine(avoid=[date.fromisoformat(to_local(at, zone)[:10]).isoweekday() for at in used])

    def _block(self, who: Who, start: int, minutes: int, kind: str) -> None:
        desk = self._desk
        person = desk.user if who == "user" else self._others[who]
        local = to_local(start, person.contact.zone)
        status = "tentative" if kind == "tentative" else "confirmed"
        desk.block(person, local, minutes, floating=kind == "floating", status=status)

    # --- proof

    def _scene(self, office: Office, event: Event) -> Scene:
        plan = self._plan
        own = (event.start.instant(office.calendar.zone), event.end.instant(office.calendar.zone))
        people = (office.user, *self._others.values())
        return Scene(
            plan.target.days,
            tuple(person.contact for person in people),
            {
                person.address: [span for span in office.busy.get(person.address, ()) if span != own]
                for person in people
                if person.contact.is_internal
            },
            {self._others[who].address: windows for who, windows in plan.standing.items()},
            plan.minutes * 60,
        )
