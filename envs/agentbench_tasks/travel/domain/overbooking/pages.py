"""What is published of who owes what: the seller's terms, older and newer, the other party's, and what binds nobody."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_tasks.commons.texts import CountSlot, DateSlot, NameSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.geography import names_of, static_id
from agentbench_tasks.travel.domain.overbooking.build import Built
from agentbench_tasks.travel.domain.overbooking.plot import FILE
from agentbench_tasks.travel.domain.overbooking.terms import REFUND_ONLY, Annex, Code, Duty, Terms
from agentbench_tasks.travel.domain.publishing import Content, Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import Channel

PAIRED: dict[Code, Code] = {"weekday": "weekend", "once": "thrice"}
AMOUNTS: tuple[Code, ...] = ("difference_cap", "transport_cap")


class TermsPages:
    """Publishes the terms through a press made for `FILE`.

    `governing` is the page that governs, `newer` its later version, `house_pages` those of the house that was booked.

    Args:
        draw: the stream.
        press: the press.
        setting: market and language.
        built: the instance.
    """

    def __init__(self, draw: Draw, press: Press, setting: Setting, built: Built) -> None:
        self._draw, self._press, self._setting, self._built = draw, press, setting, built
        self._language, self._currency = setting.language, setting.market.currency
        plot, house = built.plot, built.house.record
        agency = built.seller if plot.agency else draw.choice(built.agencies)
        name = name_in(house.names, self._language)
        self._today = press.today
        guarantee, lodging = plot.terms
        agency_pages = self._versions(agency.id, name_in(agency.names, self._language), guarantee, plot.agency)
        house_pages = self._versions(house.id, name, lodging, not plot.agency)
        self.house_pages = house_pages
        self.governing, self.newer = agency_pages if plot.agency else house_pages
        self.other = (house_pages if plot.agency else agency_pages)[0]
        """The page of the party that did not sell the stay."""
        self._hearsay(agency)

    def _versions(self, owner: str, name: str, terms: Terms, sells: bool) -> tuple[str, ...]:
        """Publish what is in force on the day of booking and, for the seller, what came after it."""
        plot, draw = self._built.plot, self._draw
        first = plot.booked_on - timedelta(draw.int(60, 400))
        if not sells:
            return (self._terms(owner, name, terms, first.isoformat(), ""),)
        changed = plot.booked_on + timedelta(draw.int(1, (plot.today - plot.booked_on).days))
        last = (changed - timedelta(1)).isoformat()
        page = self._terms(owner, name, terms, first.isoformat(), last)
        return page, self._terms(owner, name, plot.newer, changed.isoformat(), "", page)

    def _terms(self, owner: str, name: str, terms: Terms, first: str, last: str, replaced: str = "") -> str:
        house = terms.annex is not None
        days: dict[str, SlotValue] = {"from_date": DateSlot(first)}
        if last:
            days["to_date"] = DateSlot(last)
        period = self._line("period_between" if last else "period_from", days)
        scope = f"scope_{'house' if house else 'channel'}"
        sections: list[Content] = [
            (scope, {"name": name, "period": period}, ()),
            *self._duties(owner, terms),
            *self._report(owner, terms),
            (
                "fault",
                {"duty": self.duty(Duty(REFUND_ONLY))},
                (Stated(f"{owner}.{REFUND_ONLY}", 0, "duty"),),
            ),
        ]
        if terms.annex is not None:
            sections.append(self._annex(owner, terms.annex))
        return self._press.page(
            owner,
            name,
            "provider" if house else "channel",
            "lodging_terms" if house else "channel_guarantee",
            self._language,
            sections,
            False,
            first,
            last,
            replaced,
        )

    def _duties(self, owner: str, terms: Terms) -> Iterator[Content]:
        by_code = {duty.code: duty for duty in terms.duties}
        for duty in terms.duties:
            if duty.code in PAIRED:
                other = by_code[PAIRED[duty.code]]
                stated = (
                    Stated(f"{owner}.{duty.code}", duty.value, "first"),
                    Stated(f"{owner}.{other.code}", other.value, "second"),
                )
                yield "duty_pair", {"first": self.duty(duty), "second": self.duty(other)}, stated
            elif duty.code not in PAIRED.values():
                yield "duty", {"duty": self.duty(duty)}, (Stated(f"{owner}.{duty.code}", duty.value, "duty"),)

    def _report(self, owner: str, terms: Terms) -> Iterator[Content]:
        slots: dict[str, SlotValue] = {}
        if not terms.hours and not terms.days:
            return
        if terms.hours:
            kind, value = "window_hours", f"{terms.hours} hours"
            slots["hours"] = CountSlot(terms.hours, "hour")
        elif terms.days == 1:
            kind, value = "window_next_day", "1 days"
        else:
            kind, value = "window_days", f"{terms.days} days"
            slots["days"] = terms.days
        yield "report", {"window": self._line(kind, slots)}, (Stated(f"{owner}.report", value, "window"),)

    def _annex(self, owner: str, annex: Annex) -> Content:
        slots: dict[str, SlotValue] = {
            "no_show": f"{annex.no_show}%",
            "today": f"{annex.today}%",
            "before": f"{annex.before}%",
        }
        return "annex", slots, (Stated(f"{owner}.annex", f"{annex.no_show} {annex.today} {annex.before}", "today"),)

    def duty(self, duty: Duty) -> Text:
        """A duty as terms write it."""
        slots: dict[str, SlotValue] = {}
        if duty.code in AMOUNTS:
            slots["amount"] = Money(duty.value, self._currency)
        elif duty.value:
            slots["percent"] = f"{duty.value}%"
        return self._line(duty.code, slots)

    def _line(self, kind: str, slots: dict[str, SlotValue]) -> Text:
        return Text(FILE, f"lines.{kind}", self._language, 0, tuple(slots.items()))

    def _hearsay(self, agency: Channel) -> None:
        """An authority's advice, and what an agency asks of the houses that it works with."""
        standard = market_table(self._setting.market.code, FILE)["standard"]
        percent: dict[str, SlotValue] = {"percent": f"{standard['percent']}%"}
        name = NameSlot(names_of(standard["authority"]))
        publisher = static_id("org", standard["authority"]["en"])
        self._press.page(
            publisher,
            name_in(name.names, self._language),
            "authority",
            "standard",
            self._language,
            [("standard", percent, ())],
            True,
        )
        slots: dict[str, SlotValue] = {
            "minutes": CountSlot(self._draw.choice((30, 60)), "minute"),
            "percent": f"{self._draw.choice((50, 100))}%",
        }
        self._press.page(
            agency.id,
            name_in(agency.names, self._language),
            "channel",
            "help",
            self._language,
            [("partner", slots, ())],
        )
