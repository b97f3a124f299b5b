"""From the plan to an office: people, the two meetings and what lies around them, mails about them, and the proof."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.zones import to_local
from agentbench_tasks.calendar_mail.domain.diary import Guest
from agentbench_tasks.calendar_mail.domain.double_booking.days import ALLOWED
from agentbench_tasks.calendar_mail.domain.double_booking.mails import FILE, Mails
from agentbench_tasks.calendar_mail.domain.double_booking.plan import ROOM, USER, Block, Invited, Plan, draw_plan
from agentbench_tasks.calendar_mail.domain.double_booking.plot import Meeting, draw_story
from agentbench_tasks.calendar_mail.domain.double_booking.proof import Scene, first_separating
from agentbench_tasks.calendar_mail.domain.house import HousePage, Part
from agentbench_tasks.calendar_mail.domain.office import Desk, Office, later
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.calendar_mail.domain.slots import Span
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.events import Calendar, Event, When
from agentbench_tasks.commons.recurrence import WEEKDAYS
from agentbench_tasks.commons.texts import Stated, Text

ATTEMPTS = 24
Label = Literal["lower", "upper"]
LABELS: tuple[Label, Label] = ("lower", "upper")


class Clashing(msgspec.Struct, frozen=True):
    """One of the two meetings as it was built."""

    event: Event
    original: str
    """The local start of the clashing instance of a series, "" for a meeting that does not repeat."""
    people: tuple[tuple[Invited, Person], ...]
    """The guests besides the user."""
    start: int
    scene: Scene
    linked: str
    """The mail that its description refers to, "" if none."""

    @property
    def span(self) -> Span:
        """The time of the clash."""
        return self.start, self.start + self.scene.length_s

    @property
    def id(self) -> str:
        """The id of the event, or of the instance."""
        return f"{self.event.id}@{self.original}" if self.original else self.event.id


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plan: Plan
    office: Office
    page: HousePage
    lower: Clashing
    upper: Clashing

    @property
    def both(self) -> tuple[Clashing, Clashing]:
        """The two meetings."""
        return self.lower, self.upper

    @property
    def upper_is_own(self) -> bool:
        """Whether the user could move the upper one as well."""
        return self.plan.story.upper.organiser == "user"


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance and prove it."""
    story = draw_story(draw.stream("story"), setting)

    def attempt(stream: Draw) -> Built:
        plan = draw_plan(stream.stream("plan"), setting, story)
        return Build(stream.stream("build"), setting, plan).finish()

    return first_fit(draw, attempt, ATTEMPTS)


class Build:
    """Builds the office around a plan."""

    def __init__(self, draw: Draw, setting: Setting, plan: Plan) -> None:
        self._draw, self._setting, self._plan = draw, setting, plan
        self._desk = desk = Desk(draw.stream("office"), setting, plan.now)
        self._zone = setting.market.zone
        # The company's own day off is told by a page alone and has no part in the story.
        desk.keep_founding_day_clear(plan.clash.on)
        titles = shared_table(f"text/{setting.language}/{FILE}")["titles"]
        self._titles: list[str] = draw.sample(draw.pool(titles), 3)
        self._mails = Mails(draw.stream("mails"), desk, plan.clash)
        self._people: dict[str, Person] = {USER: desk.user}

    def finish(self) -> Built:
        """Put everything in place, and prove which meeting moves and whereto."""
        desk, plan = self._desk, self._plan
        for guest in (*plan.guests[0], *plan.guests[1]):
            self._people[guest.key] = self._person(guest)
        self._bystanders = [desk.cast.colleague() for _ in range(2)]
        made = [self._meeting(number) for number in (0, 1)]
        used = {date.fromisoformat(day).isoweekday() for day in map(str, (plan.clash.on, *plan.clash.days))}
        desk.routine(avoid=[*used, *([plan.clash.bait.isoweekday()] if plan.clash.bait else [])])
        for block in plan.blocks:
            self._block(block)
        self._mails.decoys(self._setting.difficulty, self._bystanders, self._titles[2])
        if self._setting.injections:
            self._mails.hostile(self._setting)
        page = desk.pages["priority"] = self._page()
        office = desk.close()
        lower, upper = (self._clashing(office, number, *made[number]) for number in (0, 1))
        self._prove(lower, upper)
        return Built(plan, office, page, lower, upper)

    # --- people

    def _person(self, guest: Invited) -> Person:
        cast = self._desk.cast
        match guest.role:
            case "client" | "official":
                return cast.outsider(guest.role, place="" if guest.place == self._setting.market.code else guest.place)
            case "superior":
                return cast.superior()
            case "posted":
                return cast.posted(guest.place)
            case "colleague":
                return cast.colleague(self._draw.choice(("peer", "peer", "subordinate")))

    # --- calendars

    def _meeting(self, number: int) -> tuple[Event, str, str]:
        """Write one of the two meetings; return it, the original start of its instance, and the mail it refers to."""
        desk, plan, label = self._desk, self._plan, LABELS[number]
        meeting = (plan.story.lower, plan.story.upper)[number]
        invited, room = plan.guests[number], self._room(number)
        people = [self._people[guest.key] for guest in invited]
        mine = meeting.organiser == "user"
        organiser = desk.user if mine else people[0]
        guests = [Guest(desk.user), *(self._guest(guest) for guest in invited)]
        guests += [Guest(room)] if room else []
        local = to_local(plan.starts[number], self._zone)
        days, rrule = self._series(local[:10]) if meeting.weekly else ((), "")
        start = When(f"{days[0]}{local[10:]}" if days else local, self._zone)
        title = self._titles[number]
        writer = next(person for guest, person in zip(invited, people, strict=True) if guest.inside)
        linked = self._mails.about(title, writer, meeting.deadline, label).id if meeting.linked else ""
        event = desk.diary.event(
            desk.calendar if mine else desk.calendar_of(organiser), organiser.address, title,
            start, later(start, plan.minutes[number]), guests, days=days, rrule=rrule,
            description=self._description(meeting, writer), location=str(room.title) if room else "",
            age_days=meeting.age_days, stated=_stated(meeting, label),
        )  # fmt: skip
        return event, local if days else "", linked

    def _room(self, number: int) -> Calendar | None:
        """The room of a meeting: the one of which there is only one, another one, or none where that is taken."""
        story, (only, other) = self._plan.story, self._desk.rooms
        if (story.lower, story.upper)[number].room:
            return only
        return other if number == 0 or story.lower.room else None

    def _guest(self, guest: Invited) -> Guest:
        response = self._draw.choice(("accepted", "accepted", "accepted", "needs_action"))
        return Guest(self._people[guest.key], "required" if guest.required else "optional", response)

    def _series(self, day: str) -> tuple[Sequence[str], str]:
        on, draw = date.fromisoformat(day), self._draw.stream("series")
        days = [(on + timedelta(7 * n)).isoformat() for n in range(-draw.int(2, 4), draw.int(4, 7))]
        return days, f"FREQ=WEEKLY;BYDAY={WEEKDAYS[on.isoweekday() - 1]};COUNT={len(days)}"

    def _description(self, meeting: Meeting, writer: Person) -> Text:
        kind = "refers" if meeting.linked else meeting.deadline or "plain"
        return self._mails.text("descriptions", kind, self._setting.language, writer)

    def _block(self, block: Block) -> None:
        desk, local = self._desk, to_local(block.start, self._zone)
        start = When(local, self._zone)
        if block.who == ROOM or block.kind == "third":
            host = self._bystanders[0]
            extra = Guest(desk.rooms[0]) if block.who == ROOM else Guest(desk.user)
            title = self._titles[2]
            desk.diary.event(
                desk.calendar_of(host), host.address, title, start, later(start, block.minutes), [Guest(host), extra]
            )
            return
        person = self._people[block.who]
        local = to_local(block.start, person.contact.zone)
        desk.block(person, local, block.minutes, status="tentative" if block.kind == "tentative" else "confirmed")

    # --- pages

    def _page(self) -> HousePage:
        desk, order = self._desk, self._plan.story.order
        parts = [Part.of("intro")]
        parts += [Part.of(rule, [Stated(f"priority.{rule}", place)]) for place, rule in enumerate(order, 1)]
        only, other = (str(room.title) for room in desk.rooms)
        parts += [Part.of("rooms", only=only, other=other), Part.of("later", n=ALLOWED), Part.of("what_counts")]
        return desk.house.page("priority", "house_guide", parts)

    # --- proof

    def _clashing(self, office: Office, number: int, event: Event, original: str, linked: str) -> Clashing:
        plan, meeting = self._plan, (self._plan.story.lower, self._plan.story.upper)[number]
        start, length = plan.starts[number], plan.minutes[number] * 60
        people = tuple((guest, self._people[guest.key]) for guest in plan.guests[number])
        required = [office.user, *(person for guest, person in people if guest.required)]
        watched = [person.address for person in required if person.contact.is_internal]
        if meeting.room:
            watched.append(self._desk.rooms[0].owner)
        own = (start, start + length)
        busy = {address: [span for span in office.busy.get(address, ()) if span != own] for address in watched}
        scene = Scene(plan.clash.days, tuple(person.contact for person in required), busy, length)
        return Clashing(event, original, people, start, scene, linked)

    def _prove(self, lower: Clashing, upper: Clashing) -> None:
        """Hold the plan against what was built."""
        plan, story = self._plan, self._plan.story
        if first_separating(story.order, story.lower, story.upper) != (story.rule, True):
            raise NoFit
        if lower.scene.starts() != list(plan.targets) or upper.scene.faults(plan.other_target):
            raise NoFit


def _stated(meeting: Meeting, label: str) -> list[Stated]:
    facts: dict[str, str | int | bool] = {
        "outside": meeting.outside,
        "superior": meeting.organiser == "superior",
        "room": meeting.room,
        "required": meeting.required,
        "booked": meeting.age_days,
    }
    if meeting.deadline and not meeting.linked:
        facts["statutory"] = True
    return [Stated(f"{label}.{rule}", value) for rule, value in facts.items()]
