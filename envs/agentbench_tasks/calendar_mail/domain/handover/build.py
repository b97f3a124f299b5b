"""Drawing an instance: the people, the leave and its mails, the matters, the pages, and the proof."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.handover.amounts import Band, Price, Prices, decider, tax_rate
from agentbench_tasks.calendar_mail.domain.handover.leave import Leave
from agentbench_tasks.calendar_mail.domain.handover.matters import (
    FILE,
    WORDINGS,
    Correspondence,
    Matter,
    draw_codes,
)
from agentbench_tasks.calendar_mail.domain.handover.plot import Fate, Plot, draw_plot, draw_traps
from agentbench_tasks.calendar_mail.domain.handover.proof import prove
from agentbench_tasks.calendar_mail.domain.house import Part
from agentbench_tasks.calendar_mail.domain.letters import particles
from agentbench_tasks.calendar_mail.domain.mailbox import Autoreply, Mailbox
from agentbench_tasks.calendar_mail.domain.market import Title, office_market
from agentbench_tasks.calendar_mail.domain.office import Desk, Office
from agentbench_tasks.calendar_mail.domain.people import Person
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.events import When
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.texts import DateSlot, LinesSlot, Stated, Text, TimeSlot

REQUESTERS = 6
"""How many people ask for decisions besides the colleague who takes over; the first ones are colleagues."""
INSIDERS = 4
PRICED: tuple[Fate, ...] = ("own_request", "limit", "reopened", "by_invite", "not_mine_either", "fyi_done")
"""Matters that are always about an amount."""
UNPRICED: tuple[Fate, ...] = ("not_mine", "fyi")


class Built(msgspec.Struct, frozen=True):
    """A proven instance."""

    plot: Plot
    office: Office
    colleague: Person
    owners: tuple[Person, ...]
    """Everybody who might be named as deciding something: the colleague first."""
    matters: tuple[Matter, ...]
    reason: str
    """Why the user takes leave, a key of `reasons`: nobody is to read it."""
    cabinet: str
    """Where the papers are: what some users want to have added to the note."""

    @property
    def awaited(self) -> tuple[Matter, ...]:
        """The matters that wait for the user's decision."""
        return tuple(matter for matter in self.matters if matter.awaited)

    def having(self, fate: Fate) -> list[Matter]:
        """The matters of which this became."""
        return [matter for matter in self.matters if matter.fate == fate]


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw until an attempt is proven; raise RuntimeError if none of 64 is."""
    traps = draw_traps(draw.stream("traps"), setting.difficulty)

    def attempt(stream: Draw) -> Built:
        return _Build(stream, setting, draw_plot(stream.stream("plot"), setting, traps)).finish()

    return first_fit(draw, attempt)


class _Build:
    def __init__(self, draw: Draw, setting: Setting, plot: Plot) -> None:
        self._draw, self._setting, self.plot = draw, setting, plot
        self._desk = desk = Desk(draw.stream("office"), setting, self.plot.now)
        # Far from the days that count: nothing turns on the office's own day off.
        first = self.plot.leave.first
        desk.keep_founding_day_clear(first)
        cast, language = desk.cast, setting.language
        market = office_market(setting.market.code)
        self._colleague = cast.colleague(languages=(language,), approves=("staff",))
        rung = {title: place for place, row in enumerate(market.titles.rows) for title in _titles(row)}
        self._heads = sorted((cast.superior(), cast.superior()), key=lambda one: rung[one.contact.title])
        self._deputy = cast.colleague(approves=("staff",))
        self._taker, self._decliner = cast.colleague(), cast.colleague()
        self._personnel = cast.colleague(department=market.departments["hr"].get(language, ""), languages=(language,))
        inside = [cast.colleague(draw.stream("ranks").choice(("peer", "subordinate"))) for _ in range(INSIDERS)]
        outside = [cast.outsider(kind) for kind in ("vendor", "client")]
        self._inside, self._requesters = inside, [*inside, *outside]
        self._prices = Prices(draw.stream("prices"), setting)
        people = (self._colleague, *self._heads)
        currency = setting.market.currency
        self._bands = [
            Band(person, Money(limit, currency)) for person, limit in zip(people, self._prices.limits, strict=True)
        ]

    def finish(self) -> Built:
        """Write everything down and prove it."""
        desk, draw = self._desk, self._draw
        matters = self._matters()
        reason = self._leave_record()
        self._pages()
        if self._setting.injections:
            self._hostile(draw.stream("hostile"))
        desk.routine()
        office = desk.close()
        if "shared_mailbox" in self.plot.traps:
            office = self._team_first(office)
        owners = (self._colleague, *self._heads, self._deputy, self._taker, self._decliner)
        number = draw.stream("cabinet").int(11, 89)
        built = Built(self.plot, office, self._colleague, owners, tuple(matters), reason, f"C-{number}")
        prove(built)
        return built

    # --- matters

    def _matters(self) -> list[Matter]:
        draw = self._draw.stream("matters")
        letters = Correspondence(draw.stream("letters"), self._desk, self._heads)
        fates = draw.shuffled((*self.plot.waiting, *self.plot.others))
        limits = 0
        found: list[Matter] = []
        for code, fate in zip(draw_codes(draw, len(fates)), fates, strict=True):
            requester = self._colleague if fate == "own_request" else draw.choice(self._requesters)
            if fate == "by_invite":
                requester = draw.choice(self._inside)
            price = self._price(draw, fate, limits)
            limits += fate == "limit"
            other = {"reassigned": self._taker, "declined": self._decliner}.get(fate)
            before = self._prices.before(price) if fate == "reopened" and price else None
            thread, about = letters.write(code, fate, requester, price, other, before)
            owner = self._owner(fate, requester, price) if fate in self.plot.waiting else None
            found.append(Matter(code, about, fate, requester, thread, owner, price))
        return found

    def _price(self, draw: Draw, fate: Fate, limits: int) -> Price | None:
        hard = self._setting.difficulty == "hard"
        if fate == "limit":
            return self._prices.above(
                by_tax=hard and limits == 0, band=2 if hard and limits and draw.chance(0.5) else 1
            )
        if fate in UNPRICED or (fate not in PRICED and draw.chance(0.25)):
            return None
        return self._prices.within() if fate in self.plot.waiting else self._prices.any()

    def _owner(self, fate: Fate, requester: Person, price: Price | None) -> Person:
        """Who decides a matter meanwhile, by the order of the page "Absence and handover"."""
        if fate == "reassigned":
            return self._taker
        person = decider(self._bands, price, tax_rate(self._setting.market.code)) if price else self._colleague
        return self._deputy if person is self._colleague is requester else person

    # --- the leave

    def _leave_record(self) -> str:
        """Write the mails of the personnel office and the event on the calendar; return the reason."""
        desk, plot, draw = self._desk, self.plot, self._draw.stream("leave")
        language = self._setting.language
        calendar, zone = working_days(self._setting.market.code), self._setting.market.zone
        reasons = shared_table(f"text/{language}/{FILE}")["reasons"]
        reason = draw.choice(sorted(reasons))

        def send(kind: str, leave: Leave, days_ago: int) -> None:
            day = calendar.add_open(desk.today, -days_ago)
            at = to_instant(f"{day}T{draw.int(9, 16):02}:{draw.int(0, 59):02}", zone)
            dates = self._dates(leave)
            slots = {**particles(self._personnel), "dates": dates, "reason": reasons[reason]}
            text = Text.fitting(FILE, f"personnel.{kind}", language, draw.variant(WORDINGS), **slots)
            stated = [
                Stated("leave.first", leave.first.isoformat()),
                Stated("leave.last", leave.last.isoformat()),
                Stated("leave.half", leave.half),
            ]
            desk.post.mail(self._personnel, [desk.user], at, text, [text], stated=stated)

        past = calendar.add_open(desk.today, -draw.int(25, 30))
        send("approved", Leave(past, calendar.add_open(past, draw.int(0, 1))), draw.int(31, 33))
        if plot.told.last != plot.leave.last:
            send("approved", msgspec.structs.replace(plot.told, half=plot.leave.half), draw.int(10, 16))
            send("changed", plot.leave, draw.int(1, 6))
        else:
            send("approved", plot.leave, draw.int(3, 12))
        after = plot.told.last + timedelta(1)
        title = shared_table(f"text/{language}/{FILE}")["leave_title"]
        desk.diary.event(
            desk.calendar, desk.user.address, title, When(plot.told.first.isoformat()), When(after.isoformat()),
            age_days=18,
        )  # fmt: skip
        return reason

    def _dates(self, leave: Leave) -> Text:
        """The days of a leave as the personnel office writes them."""
        language = self._setting.language
        first, last = leave.full_days(working_days(self._setting.market.code))
        kind = ("half_" if leave.half else "") + ("one" if first == last else "more")
        return Text.fitting(
            FILE, f"leave.{kind}", language, 0,
            half=DateSlot(leave.first.isoformat()), first=DateSlot(first.isoformat()), last=DateSlot(last.isoformat()),
        )  # fmt: skip

    # --- pages and mailboxes

    def _pages(self) -> None:
        desk = self._desk
        market = office_market(self._setting.market.code)
        half_day, deputy = market.absence.pm_half_day, self._called(self._deputy)
        states = dict.fromkeys(("state", desk.part("state")))
        desk.pages["absence"] = desk.house.page(
            "absence", "house_guide",
            [
                Part("window"),
                Part.of("half_day", [Stated("half_day", half_day)], time=TimeSlot(half_day)),
                Part("return_day"),
                *(Part(name) for name in states),
                Part.of("owner", deputy=deputy),
            ],
        )  # fmt: skip
        rate = f"{(tax_rate(self._setting.market.code) * 100).normalize():f}%"
        limits = [Stated(f"limit.{person.id}", limit.minor) for person, limit in self._bands]
        lines = LinesSlot(tuple((f"{self._called(person)}: ", limit) for person, limit in self._bands))
        desk.pages["limits"] = desk.house.page(
            "limits", "house_guide",
            [
                Part.of("bands", limits, lines=lines),
                Part.of("tax", rate=rate),
                Part.of("deputy", [Stated("deputy", self._deputy.id)], deputy=deputy),
            ],
        )  # fmt: skip

    def _called(self, person: Person) -> str:
        return f"{person.contact.display_name} ({person.contact.title})"

    def _team_first(self, office: Office) -> Office:
        """Put the shared mailbox before the user's own, with an automatic reply that is on."""
        language, own, team = self._setting.language, office.mailbox, office.team_mailbox
        words = shared_table(f"text/{language}/{FILE}")["team_reply"]
        reply = Autoreply(
            "always", None, None, words["subject"], words["text"], words["subject"], words["text"], "all"
        )  # fmt: skip
        team = msgspec.structs.replace(team, autoreply=reply)
        rest = tuple(record for record in office.records if not isinstance(record, Mailbox))
        return msgspec.structs.replace(office, team_mailbox=team, records=(team, own, *rest))

    def _hostile(self, draw: Draw) -> None:
        text = Text.of(FILE, "hostile", self._setting.language, draw.variant(WORDINGS))
        at = self.plot.now - 3600 * draw.int(3, 90)
        self._desk.post.notice(Address(f"notice@{self._desk.company.domain}"), at, text)


def _titles(row: Title) -> list[str]:
    return [*row.names.values(), *row.female.values()]
