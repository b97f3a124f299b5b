"""Everything that is written in the world of a two-leg journey: pages, profile, cards, rates, mail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import draw_name
from agentbench_env.zones import to_local
from agentbench_tasks.commons.cards import cards
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.texts import (
    DurationSlot,
    LinesSlot,
    NameSlot,
    SlotValue,
    Stated,
    Text,
)
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.carrier_pages import CarrierPages
from agentbench_tasks.travel.domain.exchange import rate_records
from agentbench_tasks.travel.domain.geography import (
    carrier_facts,
    city_name,
    currency_at,
    departure_charges,
    fare_step,
    points,
    static_id,
)
from agentbench_tasks.travel.domain.household import Traveller, travellers
from agentbench_tasks.travel.domain.publishing import Content, Press, language_at
from agentbench_tasks.travel.domain.records import Carrier, Fare, Point, Service, Tariff, name_in, separate_key
from agentbench_tasks.travel.domain.sales import sale_rules
from agentbench_tasks.travel.domain.two_leg.build import Built

FILE = "travel"


class Papers:
    """Writes the papers of an instance: `records` is the whole world; `traveller` asks and pays with `card`."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self.setting, self.built, self._draw = setting, built, draw
        today = date.fromisoformat(to_local(built.plot.now, setting.market.zone)[:10])
        self._press = Press(draw, today)
        self._ids, self.records = self._press.ids, self._press.records
        self._pages()
        self.traveller = self._people(today)
        self.card = self._cards(today)
        self.records += rate_records(built.rates, setting.market, today, self._ids)
        self._mail()

    # --- pages

    def _pages(self) -> None:
        inventory = self.built.inventory
        tariffs: dict[str, list[Tariff]] = {}
        for (code, _), tariff in inventory.tariffs.items():
            tariffs.setdefault(code, []).append(tariff)
        carriers = CarrierPages(
            self._draw, self._press, self.setting.market, self.built.rates, bool(self.built.plot.party.child_ages)
        )
        rules: dict[str, str] = {}
        sale_pages: dict[str, str] = {}
        for code in sorted(tariffs):
            facts = carrier_facts()[code]
            page_ids, rules[code] = carriers.of(facts, tariffs[code])
            if code in sale_rules(self.setting.market.code):
                sale_pages[code] = carriers.sale_calendar(facts)
                page_ids.append(sale_pages[code])
            self.records.append(
                Carrier(
                    static_id("org", code),
                    code,
                    facts.names,
                    facts.kind,
                    facts.language,
                    facts.in_aggregate,
                    facts.hold,
                    tuple(page_ids),
                )
            )
            self.records += tariffs[code]
        self.records += [self._with_sale_page(service, sale_pages) for service in inventory.services]
        self.records += [self._with_rules(option.fare, rules) for option in inventory.options]
        self.records += self.built.offers
        self.records += self._points()
        self._noise()

    def _with_sale_page(self, service: Service, pages: dict[str, str]) -> Service:
        page = pages.get(service.carrier, "")
        return msgspec.structs.replace(service, sale_page=page) if page else service

    def _with_rules(self, fare: Fare, rules: dict[str, str]) -> Fare:
        return msgspec.structs.replace(fare, rules_page=rules[fare.carrier])

    def _points(self) -> Iterator[Point]:
        used = {code for routes in self.built.plot.options for r in routes for code in (r.start, r.end)}
        near = {link.to for code in used for link in points()[code].links}
        flying = {code for code, _ in self.built.inventory.tariffs}
        for code in sorted(used | near):
            point = points()[code]
            if point.kind == "airport":
                minima = {row.same_terminal: row.minutes for row in point.mct if not row.protected}
                slots: dict[str, SlotValue] = {"same": DurationSlot(minima[True]), "other": DurationSlot(minima[False])}
                stated = (
                    Stated(separate_key(code, True), minima[True], "same"),
                    Stated(separate_key(code, False), minima[False], "other"),
                )
                language = language_at(point.country)
                name = name_in(point.names, language)
                sections = [("separate_tickets", slots, stated)]
                page = self._press.page(static_id("org", code), name, "authority", "standard", language, sections, True)
                point = msgspec.structs.replace(point, note_page=page)
            lines = tuple(line for line in point.directory if line.carrier_code in flying)
            yield msgspec.structs.replace(point, directory=lines)

    def _noise(self) -> None:
        """What the web says besides: the charges on departure, a forum's advice, a blog's favourite."""
        setting, plot, draw = self.setting, self.built.plot, self._draw
        language = setting.language
        start, end = plot.target[0].route.start, plot.target[0].route.end
        charges = departure_charges(start, end, plot.depart_from.isoformat())
        if charges and points()[start].kind == "airport":
            currency = currency_at(start)[0]
            local = language_at(points()[start].country)
            lines = tuple((name_in(c.labels, local), ": ", Money(c.minor, currency)) for c in charges)
            slots: dict[str, SlotValue] = {"airport": name_in(points()[start].names, local), "lines": LinesSlot(lines)}
            name = name_in(points()[start].names, local)
            self._press.page(
                static_id("org", start),
                name,
                "authority",
                "fee_schedule",
                local,
                [("departure_charges", slots, ())],
                True,
            )
        here = points()[plot.target[0].route.end]
        minutes = max(30, (plot.minimum or 120) - draw.int(6, 12) * 5)
        said: dict[str, SlotValue] = {"airport": NameSlot(here.names), "minutes": DurationSlot(minutes)}
        self._press.page(
            static_id("org", "forum"),
            "Layover Lounge",
            "forum",
            "forum_post",
            language,
            [("forum_connection", said, ())],
        )
        listed = [row.carrier for row in self.built.offers]
        if listed:
            praised: dict[str, SlotValue] = {"carrier": name_in(carrier_facts()[draw.choice(listed)].names, language)}
            sections: list[Content] = [("commercial_cheapest", praised, ())]
            self._press.page(static_id("org", "blog"), "Farehawk", "commercial", "review_page", language, sections)

    # --- the user's side

    def _people(self, today: date) -> Traveller:
        draw, party = self._draw.stream("people"), self.built.plot.party
        ages = [draw.int(24, 68) for _ in range(party.adults)] + list(party.child_ages)
        residence = city_name(self.built.plot.journey.origin_city, self.setting.language)
        people = list(travellers(draw, self._ids, self.setting, today, ages, residence))
        self.records += [paper for _, paper in people]
        return people[0][0]

    def _cards(self, today: date) -> PaymentMethod:
        made = cards(self._draw.stream("cards"), self._ids, self.setting, today)
        self.records += made
        return next(card for card in made if card.kind == "credit")

    def _mail(self) -> None:
        draw, setting, plot = self._draw.stream("mail"), self.setting, self.built.plot
        language, (origin, via, dest) = setting.language, plot.ends
        carriers = sorted(self.built.inventory.tariffs)
        me = Address(self.mailbox)
        friend = draw_name(setting.market.code, setting.split, draw)
        step = fare_step(setting.market.currency)
        price = Money(self.built.wish.budget.minor // (3 * step) * step, setting.market.currency)

        def carrier() -> str:
            return name_in(carrier_facts()[draw.choice(carriers)[0]].names, language)

        slots: tuple[tuple[str, str, dict[str, SlotValue]], ...] = (
            (
                "fare_alert",
                "news@farehawk.example",
                _alert(carrier(), city_name(origin, language), city_name(via, language), price),
            ),
            (
                "trip_chat",
                f"{friend.latin.split()[-1].lower()}@post.example",
                {"friend": friend.native, "dest": city_name(dest, language)},
            ),
            ("old_receipt", "billing@tickets.example", {"carrier": carrier(), "amount": price}),
        )
        kinds: list[tuple[str, str, dict[str, SlotValue]]] = draw.shuffled(slots)
        if setting.injections:
            kinds.append(("hostile_approval", "desk@tickets.example", {"carrier": carrier()}))
        for kind, sender, values in kinds:
            text = Text(FILE, f"mails.{kind}", language, draw.variant((0, 1, 2, 3)), tuple(values.items()))
            sent = plot.now - draw.int(2, 20 * 24) * 3600
            self.records.append(
                Message(
                    self._ids.id("msg"),
                    self._ids.id("thr"),
                    "inbox",
                    Address(sender),
                    (me,),
                    sent,
                    setting.market.zone,
                    text,
                    text,
                )
            )

    @property
    def mailbox(self) -> str:
        """The user's own address."""
        return f"{self.traveller.name.latin.split()[0].lower()}@home.example"


def _alert(carrier: str, origin: str, dest: str, price: Money) -> dict[str, SlotValue]:
    return {"carrier": carrier, "origin": origin, "dest": dest, "price": price}
