"""Everything that is written in the world of a two-leg journey: pages, profile, cards, rates, mail."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.text.names import PersonName, draw_name
from agentbench_env.world import Record
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import (
    CountSlot,
    DateSlot,
    DurationSlot,
    LinesSlot,
    MomentSlot,
    NameSlot,
    SlotValue,
    Stated,
    Text,
    TimeSlot,
)
from agentbench_tasks.commons.wallet import PaymentMethod, Rate
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    carrier_facts,
    city_name,
    currency_at,
    departure_charges,
    points,
    static_id,
)
from agentbench_tasks.travel.domain.records import Carrier, Fare, Point, Service, Tariff, name_in, separate_key
from agentbench_tasks.travel.domain.sales import sale_rules
from agentbench_tasks.travel.domain.two_leg.build import Built
from agentbench_tasks.travel.domain.two_leg.inventory import BRANDS

FILE = "travel"


class Traveller(msgspec.Struct, frozen=True):
    """Who asks: name, birth date, and the paper that says so."""

    name: PersonName
    birth_date: str
    paper_id: str


class Papers:
    """Writes the papers of an instance: `records` is the whole world; `traveller` asks and pays with `card`."""

    def __init__(self, draw: Draw, setting: Setting, built: Built) -> None:
        self._draw, self._ids = draw, draw.stream("ids")
        self.setting, self.built = setting, built
        self.today = date.fromisoformat(to_local(built.plot.now, setting.market.zone)[:10])
        self.records: list[Record] = []
        self._pages()
        self.traveller = self._people()
        self.card = self._cards()
        self._rates()
        self._mail()

    # --- pages

    def _page(
        self,
        publisher: str,
        publisher_name: str,
        publisher_kind: str,
        kind: str,
        language: str,
        sections: list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]],
        official: bool = False,
    ) -> str:
        draw, variant = self._draw, self._draw.variant((0, 1, 2, 3))
        texts = [Text(FILE, f"pages.{name}", language, variant, tuple(slots.items())) for name, slots, _ in sections]
        published = self.today - timedelta(draw.int(20, 700))
        updated = min(self.today, published + timedelta(draw.int(0, 300)))
        page = Page(
            self._ids.id("pg"),
            publisher,
            publisher_name,
            publisher_kind,  # type: ignore[arg-type]
            kind,
            "",
            language,
            texts[0],
            f"{published.year}.{draw.int(1, 9)}",
            published.isoformat(),
            updated.isoformat(),
            published.isoformat(),
            official=official,
        )
        self.records.append(page)
        for number, (text, (_, _, stated)) in enumerate(zip(texts, sections, strict=True), 1):
            self.records.append(Section(self._ids.id("sec"), page.id, number, text, stated))
        return page.id

    def _pages(self) -> None:
        inventory = self.built.inventory
        tariffs: dict[str, list[Tariff]] = {}
        for (code, _), tariff in inventory.tariffs.items():
            tariffs.setdefault(code, []).append(tariff)
        rules: dict[str, str] = {}
        sale_pages: dict[str, str] = {}
        for code in sorted(tariffs):
            facts = carrier_facts()[code]
            page_ids, rules[code] = self._carrier_pages(facts, tariffs[code])
            if code in sale_rules(self.setting.market.code):
                sale_pages[code] = self._sale_page(facts)
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

    def _carrier_pages(self, facts: CarrierFacts, tariffs: list[Tariff]) -> tuple[list[str], str]:
        publisher, name, language = static_id("org", facts.code), name_in(facts.names, facts.language), facts.language
        fees: list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]] = []
        bags: list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]] = []
        holds: list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]] = []
        for tariff in tariffs:
            key, money = f"{facts.code}.{tariff.currency}", tariff.currency
            if tariff.card_fee:
                stated = Stated(f"{key}.card_fee", tariff.card_fee, "fee")
                fees.append(("payment_fees", {"fee": Money(tariff.card_fee, money)}, (stated,)))
            (kg_a, price_a), (kg_b, price_b) = tariff.bags
            slots: dict[str, SlotValue] = {
                "kg_a": CountSlot(kg_a, "kg"),
                "price_a": Money(price_a, money),
                "kg_b": CountSlot(kg_b, "kg"),
                "price_b": Money(price_b, money),
            }
            stated = (Stated(f"{key}.bag.{kg_a}", price_a, "price_a"), Stated(f"{key}.bag.{kg_b}", price_b, "price_b"))
            bags.append(("baggage", slots, stated))
            hours = CountSlot(tariff.hold_hours, "hour")
            if facts.hold == "paid":
                paid: dict[str, SlotValue] = {"fee": Money(tariff.lock_fee, money), "hours": hours}
                holds.append(("hold_paid", paid, (Stated(f"{key}.lock_fee", tariff.lock_fee, "fee"),)))
            elif facts.hold == "free":
                holds.append(("hold_free", {"hours": hours}, (Stated(f"{key}.lock_fee", 0),)))
        none: tuple[Stated, ...] = (Stated(f"{facts.code}.card_fee", 0),)
        kinds = (
            ("payment_fees", fees or [("payment_fees_none", {}, none)]),
            ("baggage", bags),
            ("standard", holds or [("hold_none", {}, ())]),
        )
        page_ids = [self._page(publisher, name, "provider", kind, language, sections) for kind, sections in kinds]
        page_ids.append(self._fare_rules(facts, publisher, name))
        if self.built.plot.party.child_ages:
            share: dict[str, SlotValue] = {"share": f"{tariffs[0].child_percent}%"}
            stated = (Stated(f"{facts.code}.child_percent", tariffs[0].child_percent, "share"),)
            page_ids.append(
                self._page(publisher, name, "provider", "terms", language, [("child_fares", share, stated)])
            )
        return page_ids, page_ids[3]

    def _fare_rules(self, facts: CarrierFacts, publisher: str, name: str) -> str:
        draw, sections = self._draw, list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]]()
        spans = market_table(self.setting.market.code, "travel")["fares"]
        market = self.setting.market
        for brand, label in facts.brands:
            refundable = BRANDS[brand][3]
            usd = draw.choice(spans["change_fee_usd"])
            fee = Money(self.built.rates.from_usd(usd, market.currency, 1) if usd else 0, market.currency)
            slots: dict[str, SlotValue] = {
                "brand": label,
                "days": CountSlot(draw.choice((1, 3, 7, 10)), "day"),
                "change_fee": fee,
                "refund": f"{draw.choice((60, 70, 80, 90)) if refundable else 0}%",
            }
            kind = "fare_rules_refundable" if refundable else "fare_rules_nonrefundable"
            stated = (Stated(f"{facts.code}.{label}.refundable", "yes" if refundable else "no", "refund"),)
            sections.append((kind, slots, stated))
        return self._page(publisher, name, "provider", "fare_rules", facts.language, sections)

    def _sale_page(self, facts: CarrierFacts) -> str:
        rule = sale_rules(self.setting.market.code)[facts.code]
        hour: dict[str, SlotValue] = {"hour": TimeSlot(rule["at"])}
        sections: list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]] = []
        if rule["kind"] == "months_before":
            last = "last" if rule["missing_day"] == "last_of_month" else "first"
            months = "two_months" if rule["months"] == 2 else "months"
            sections.append((f"sale_calendar_{months}_before_{last}", hour, ()))
        elif rule["kind"] == "run_share":
            sections += [("sale_calendar_run_share", {}, ()), ("sale_calendar_hour", hour, ())]
        elif rule["kind"] == "days_before":
            days: dict[str, SlotValue] = {"days": CountSlot(rule["days"], "day")}
            if rule.get("friday_rule"):
                sections.append(("sale_calendar_days_friday", days, ()))
            else:
                sections += [("sale_calendar_days_before", days, ()), ("sale_calendar_hour", hour, ())]
        for kind, periods in (("sale_calendar_block", "blocks"), ("sale_holiday_notice", "holiday_periods")):
            for period in rule.get(periods, ()):
                # A board shows what is near: blocks that opened long ago are taken down.
                if (
                    self.today - timedelta(60)
                    <= date.fromisoformat(period["opens_at"][:10])
                    <= self.today + timedelta(75)
                ):
                    slots: dict[str, SlotValue] = {
                        "from_date": DateSlot(period["from_date"]),
                        "to_date": DateSlot(period["to_date"]),
                        "opens": MomentSlot(period["opens_at"]),
                    }
                    sections.append((kind, slots, ()))
        publisher, name = static_id("org", facts.code), name_in(facts.names, facts.language)
        return self._page(publisher, name, "provider", "procedure", facts.language, sections)

    def _points(self) -> Iterator[Point]:
        used = {code for routes in self.built.plot.options for r in routes for code in (r.start, r.end)}
        near = {link.to for code in used for link in points()[code].links}
        for code in sorted(used | near):
            point = points()[code]
            if point.kind == "airport":
                minima = {row.same_terminal: row.minutes for row in point.mct if not row.protected}
                slots: dict[str, SlotValue] = {"same": DurationSlot(minima[True]), "other": DurationSlot(minima[False])}
                stated = (
                    Stated(separate_key(code, True), minima[True], "same"),
                    Stated(separate_key(code, False), minima[False], "other"),
                )
                language = self._language_at(point.country)
                name = name_in(point.names, language)
                sections = [("separate_tickets", slots, stated)]
                page = self._page(static_id("org", code), name, "authority", "standard", language, sections, True)
                point = msgspec.structs.replace(point, note_page=page)
            yield point

    def _language_at(self, country: str) -> str:
        markets: dict[str, str] = shared_table("airports")["languages"]
        return markets.get(country, "en")

    def _noise(self) -> None:
        """What the web says besides: the charges on departure, a forum's advice, a blog's favourite."""
        setting, plot, draw = self.setting, self.built.plot, self._draw
        language = setting.language
        start, end = plot.target[0].route.start, plot.target[0].route.end
        charges = departure_charges(start, end, plot.depart_from.isoformat())
        if charges and points()[start].kind == "airport":
            currency = currency_at(start)[0]
            local = self._language_at(points()[start].country)
            lines = tuple((name_in(c.labels, local), ": ", Money(c.minor, currency)) for c in charges)
            slots: dict[str, SlotValue] = {"airport": name_in(points()[start].names, local), "lines": LinesSlot(lines)}
            name = name_in(points()[start].names, local)
            self._page(
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
        self._page(
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
            sections: list[tuple[str, dict[str, SlotValue], tuple[Stated, ...]]] = [
                ("commercial_cheapest", praised, ())
            ]
            self._page(static_id("org", "blog"), "Farehawk", "commercial", "review_page", language, sections)

    # --- the user's side

    def _people(self) -> Traveller:
        draw, setting, plot = self._draw.stream("people"), self.setting, self.built.plot
        labels = shared_table(f"text/{setting.language}/common")["profile"]
        first: Traveller | None = None
        ages = [draw.int(24, 68) for _ in range(plot.party.adults)] + list(plot.party.child_ages)
        country = setting.market.code
        for age in ages:
            name = draw_name(setting.market.code, setting.split, draw)
            born = date(self.today.year - age, draw.int(1, 5), draw.int(1, 28)).isoformat()
            fields = (
                (labels["name"], name.native if name.native == name.latin else f"{name.native} ({name.latin})"),
                (labels["birth_date"], born),
                (labels["nationality"], country),
                (labels["residence"], city_name(plot.journey.origin_city, setting.language)),
            )
            paper = Paper(
                self._ids.id("ppr"),
                "traveller_profile",
                labels["paper_title_profile"],
                self._ids.id("per"),
                name.native,
                language=setting.language,
                form="digital",
                fields=fields,
                data_classes=("identity", "contact"),
            )
            self.records.append(paper)
            first = first or Traveller(name, born, paper.id)
        assert first is not None
        return first

    def _cards(self) -> PaymentMethod:
        draw, market = self._draw.stream("cards"), self.setting.market
        brands = draw.shuffled(shared_table("cards")["brands"])
        kinds = draw.shuffled((("credit", brands[0]), ("debit", brands[1])))
        made = [
            PaymentMethod(
                self._ids.id("pm"),
                kind,  # type: ignore[arg-type]
                brand,
                f"{brand} {kind}",
                f"{draw.int(0, 9999):04}",
                market.code,
                market.currency,
                expires=f"{self.today.year + draw.int(1, 4)}-{draw.int(1, 12):02}",
            )
            for kind, brand in kinds
        ]
        self.records += made
        return next(card for card in made if card.kind == "credit")

    def _rates(self) -> None:
        market, rates = self.setting.market, self.built.rates
        at = market_table(market.code, "money")["rates"]["at"]
        for back, table in enumerate(reversed(rates.days)):
            day = (self.today - timedelta(back)).isoformat()
            # The wallet converts by the last table that its publisher put out before the day began.
            published = f"{(self.today - timedelta(back + 1)).isoformat()}T{at}"
            for base, (value, unit) in table.items():
                self.records.append(Rate(self._ids.id("rate"), base, market.currency, unit, value, day, published))

    def _mail(self) -> None:
        draw, setting, plot = self._draw.stream("mail"), self.setting, self.built.plot
        language, (origin, via, dest) = setting.language, plot.ends
        carriers = sorted(self.built.inventory.tariffs)
        me = Address(self.mailbox)
        friend = draw_name(setting.market.code, setting.split, draw)
        price = Money(self.built.wish.budget.minor // 3, setting.market.currency)

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
