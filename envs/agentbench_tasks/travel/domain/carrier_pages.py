"""What a carrier publishes: payment fees, bags, holds, fare rules, child fares, and when its days go on sale."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from agentbench_env.draw import Draw
from agentbench_env.market import Market, market_table
from agentbench_env.money import Money
from agentbench_tasks.commons.texts import CountSlot, DateSlot, MomentSlot, SlotValue, Stated, TimeSlot
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import CarrierFacts, fare_step, static_id
from agentbench_tasks.travel.domain.inventory import BRANDS, GROUND_BAG_KG
from agentbench_tasks.travel.domain.publishing import Content, Press
from agentbench_tasks.travel.domain.records import Tariff, name_in
from agentbench_tasks.travel.domain.sales import sale_rules


class CarrierPages:
    """Publishes the carriers' pages through a press; `children` says whether child fares matter."""

    def __init__(self, draw: Draw, press: Press, market: Market, rates: Rates, children: bool) -> None:
        self._draw, self._press, self._market, self._rates, self._children = draw, press, market, rates, children

    def of(
        self, facts: CarrierFacts, tariffs: list[Tariff], change_fees: Mapping[str, Money] | None = None
    ) -> tuple[list[str], str]:
        """Publish what a carrier says of payment, bags, holds and fares; return the pages' ids, and the fare rules'.

        `change_fees` are those of brands that bookings fix, to be had until the day before; the others are drawn.
        """
        publisher, name, language = static_id("org", facts.code), name_in(facts.names, facts.language), facts.language
        fees: list[Content] = []
        bags: list[Content] = []
        holds: list[Content] = []
        for tariff in tariffs:
            key, money = f"{facts.code}.{tariff.currency}", tariff.currency
            if tariff.card_fee:
                stated = Stated(f"{key}.card_fee", tariff.card_fee, "fee")
                fees.append(("payment_fees", {"fee": Money(tariff.card_fee, money)}, (stated,)))
            bags.append(_bags(tariff, key))
            hours = CountSlot(tariff.hold_hours, "hour")
            if facts.hold == "paid":
                paid: dict[str, SlotValue] = {"fee": Money(tariff.lock_fee, money), "hours": hours}
                holds.append(("hold_paid", paid, (Stated(f"{key}.lock_fee", tariff.lock_fee, "fee"),)))
            elif facts.hold == "free" and not holds:
                holds.append(("hold_free", {"hours": hours}, (Stated(f"{key}.lock_fee", 0),)))
        none: tuple[Stated, ...] = (Stated(f"{facts.code}.card_fee", 0),)
        kinds = (
            ("payment_fees", fees or [("payment_fees_none", {}, none)]),
            ("baggage", bags),
            ("standard", holds or [("hold_none", {}, ())]),
        )
        page_ids = [self._press.page(publisher, name, "provider", kind, language, sections) for kind, sections in kinds]
        page_ids.append(self._fare_rules(facts, publisher, name, tariffs[0].currency, change_fees or {}))
        if self._children:
            share: dict[str, SlotValue] = {"share": f"{tariffs[0].child_percent}%"}
            stated = (Stated(f"{facts.code}.child_percent", tariffs[0].child_percent, "share"),)
            page_ids.append(
                self._press.page(publisher, name, "provider", "terms", language, [("child_fares", share, stated)])
            )
        return page_ids, page_ids[3]

    def _fare_rules(
        self, facts: CarrierFacts, publisher: str, name: str, currency: str, fixed: Mapping[str, Money]
    ) -> str:
        draw, sections = self._draw, list[Content]()
        spans = market_table(self._market.code, "travel")["fares"]
        for brand, label in facts.brands:
            refundable = BRANDS[brand][3]
            usd = draw.choice(spans["change_fee_usd"])
            fee = Money(self._rates.from_usd(usd, currency, fare_step(currency)) if usd else 0, currency)
            slots: dict[str, SlotValue] = {
                "brand": label,
                "days": CountSlot(1 if label in fixed else draw.choice((1, 3, 7, 10)), "day"),
                "change_fee": fixed.get(label, fee),
                "refund": f"{draw.choice((60, 70, 80, 90)) if refundable else 0}%",
            }
            kind = "fare_rules_refundable" if refundable else "fare_rules_nonrefundable"
            stated = (Stated(f"{facts.code}.{label}.refundable", "yes" if refundable else "no", "refund"),)
            sections.append((kind, slots, stated))
        return self._press.page(publisher, name, "provider", "fare_rules", facts.language, sections)

    def sale_calendar(self, facts: CarrierFacts) -> str:
        """Publish when the carrier's days go on sale; return the page's id."""
        rule = sale_rules(self._market.code)[facts.code]
        hour: dict[str, SlotValue] = {"hour": TimeSlot(rule["at"])}
        sections: list[Content] = []
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
                    self._press.today - timedelta(60)
                    <= date.fromisoformat(period["opens_at"][:10])
                    <= self._press.today + timedelta(75)
                ):
                    slots: dict[str, SlotValue] = {
                        "from_date": DateSlot(period["from_date"]),
                        "to_date": DateSlot(period["to_date"]),
                        "opens": MomentSlot(period["opens_at"]),
                    }
                    sections.append((kind, slots, ()))
        publisher, name = static_id("org", facts.code), name_in(facts.names, facts.language)
        return self._press.page(publisher, name, "provider", "procedure", facts.language, sections)


def _bags(tariff: Tariff, key: str) -> Content:
    if not tariff.bags:
        return "baggage_included", {"kg": CountSlot(GROUND_BAG_KG, "kg")}, (Stated(f"{key}.bag", GROUND_BAG_KG, "kg"),)
    (kg_a, price_a), (kg_b, price_b) = tariff.bags
    slots: dict[str, SlotValue] = {
        "kg_a": CountSlot(kg_a, "kg"),
        "price_a": Money(price_a, tariff.currency),
        "kg_b": CountSlot(kg_b, "kg"),
        "price_b": Money(price_b, tariff.currency),
    }
    stated = (Stated(f"{key}.bag.{kg_a}", price_a, "price_a"), Stated(f"{key}.bag.{kg_b}", price_b, "price_b"))
    return "baggage", slots, stated
