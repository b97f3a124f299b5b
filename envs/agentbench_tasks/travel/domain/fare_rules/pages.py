"""What carriers publish about their fares: every edition of the rules, the baggage pages, and the pages around them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_tasks.commons.texts import CountSlot, DateSlot, LinesSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.fare_rules.rules import CarrierRules
from agentbench_tasks.travel.domain.fare_rules.terms import NEVER, NO_LIMIT, BrandRules, Edition, Step
from agentbench_tasks.travel.domain.geography import city_name, static_id
from agentbench_tasks.travel.domain.publishing import Content, Press
from agentbench_tasks.travel.domain.records import Tariff, name_in

FILE = "fare_rules"
Line = tuple[SlotValue, ...]


class RulePages:
    """Publishes the pages of carriers; `issue_day` says whether cancelling on the day of issue is free everywhere."""

    def __init__(self, draw: Draw, press: Press, others: Press, currency: str, issue_day: bool) -> None:
        self._draw, self._press, self._others = draw, press, others
        self._currency, self._issue_day = currency, issue_day

    def of(self, rules: CarrierRules, tariff: Tariff, children: bool) -> tuple[list[str], str]:
        """Publish everything of a carrier; return the ids of the pages it shows, and that of its rules of today."""
        facts = rules.carrier
        self._language, self._publisher = facts.language, static_id("org", facts.code)
        self._name = name_in(facts.names, facts.language)
        current, shown, older = "", list[str](), ""
        for place, edition in enumerate(rules.editions):
            later = rules.editions[place + 1] if place + 1 < len(rules.editions) else None
            older = self._edition(edition, later if place == rules.current else None, later, older)
            if place == rules.current:
                current = older
            if place >= rules.current:
                shown.append(older)
        return [*self._around(tariff, facts.hold, children), self._bags(rules), *shown], current

    def _page(self, kind: str, sections: list[Content], since: str = "", until: str = "", older: str = "") -> str:
        return self._press.page(
            self._publisher, self._name, "provider", kind, self._language, sections, False, since, until, older
        )

    def _row(self, kind: str, **slots: SlotValue) -> Text:
        if not slots:
            return _plain_row(kind, self._language)
        return Text(FILE, f"rows.{kind}", self._language, 0, tuple(slots.items()))

    def _money(self, minor: int) -> Money:
        return Money(minor, self._currency)

    # --- fare rules

    def _edition(self, edition: Edition, announced: Edition | None, later: Edition | None, older: str) -> str:
        sections: list[Content] = [(f"edition_{edition.governs}", {"from_date": DateSlot(edition.from_date)}, ())]
        if announced is not None:
            sections.append((f"next_{announced.governs}", {"next_date": DateSlot(announced.from_date)}, ()))
        for topic, kind in (("change", "changes"), ("cancel", "cancellation"), ("no_show", "no_show")):
            lines = tuple(line for name in edition.brands for line in self._lines(topic, edition, name))
            stated = tuple(Stated(edition.key(topic, name), True) for name in edition.brands)
            sections.append((kind, {"lines": LinesSlot(lines)}, stated))
        sections += self._exceptions(edition)
        until = ""
        if later is not None and announced is None:
            until = (date.fromisoformat(later.from_date) - timedelta(1)).isoformat()
        return self._page("fare_rules", sections, edition.from_date, until, older)

    def _exceptions(self, edition: Edition) -> Iterator[Content]:
        note, peak = edition.note, edition.peak
        if note is not None:
            slots: dict[str, SlotValue] = {"brand": note.brand, "dest": city_name(note.dest, self._language)}
            if note.kind == "fee":
                slots["fee"] = self._money(note.fee)
            yield f"footnote_{note.kind}", slots, (Stated(edition.key("note"), True),)
        if peak is not None:
            slots = {"first": DateSlot(peak.first), "last": DateSlot(peak.last), "fee": self._money(peak.fee)}
            yield "peak", slots, (Stated(edition.key("peak"), True),)
        if edition.service_fee:
            yield (
                "service_fee",
                {"fee": self._money(edition.service_fee)},
                (Stated(edition.key("service_fee"), True),),
            )
        if self._issue_day:
            yield "issue_day", {}, ()

    def _lines(self, topic: str, edition: Edition, name: str) -> Iterator[Line]:
        rules, note = edition.brands[name], edition.note
        starred = note is not None and note.brand == name and (note.kind == "credit") == (topic == "cancel")
        brand = f"{name}*" if starred and topic != "no_show" else name
        if topic == "change":
            yield from self._change(rules, brand)
        elif topic == "cancel":
            yield from self._cancel(rules, brand, edition.refund_per_sector)
        else:
            kind = {"fare_forfeited": "forfeit", "fee": "fee", "as_cancellation": "cancel"}[rules.no_show]
            fee: dict[str, SlotValue] = {"fee": self._money(rules.no_show_fee)} if kind == "fee" else {}
            yield (self._row(f"no_show_{kind}", brand=brand, **fee),)
            yield (self._row("onward_cancelled" if rules.onward_cancelled else "onward_kept"),)

    def _change(self, rules: BrandRules, brand: str) -> Iterator[Line]:
        if all(step.value == NEVER for step in rules.change):
            yield (self._row("change_never", brand=brand),)
            return
        yield (self._row(f"change_{rules.unit}", brand=brand),)
        for step in rules.change:
            free = self._money(step.value) if step.value else self._row("free")
            yield self._step(step, rules.change, self._row("not_possible") if step.value == NEVER else free)

    def _cancel(self, rules: BrandRules, brand: str, per_sector: bool) -> Iterator[Line]:
        yield (self._row("brand", brand=brand),)
        for step in rules.cancel:
            what = self._row("kept", share=f"{step.value}%")
            if step.value in (0, 100):
                what = self._row("kept_all" if step.value else "kept_none")
            yield self._step(step, rules.cancel, what)
        yield (self._row("taxes_back" if rules.taxes_back else "taxes_kept"),)
        if rules.taxes_back or rules.cancel[0].value < 100:
            if rules.refund_fee:
                kind = "refund_fee_sector" if per_sector else "refund_fee_ticket"
                yield (self._row(kind, fee=self._money(rules.refund_fee)),)
            yield (self._row(f"as_{rules.form}"),)

    def _step(self, step: Step, steps: tuple[Step, ...], what: SlotValue) -> Line:
        if step.days:
            return (self._row("step", days=CountSlot(step.days, "day"), what=what),)
        return (self._row("later" if len(steps) > 1 else "always", what=what),)

    # --- bags, and what lies around

    def _bags(self, rules: CarrierRules) -> str:
        since = date.fromisoformat(rules.editions[rules.current].from_date) - timedelta(self._draw.int(0, 60))
        older = ""
        if rules.old_bags:
            first = (since - timedelta(self._draw.int(200, 400))).isoformat()
            until = (since - timedelta(1)).isoformat()
            older = self._bag_page(f"{rules.bags}.old", rules.old_bags, first, until, "")
        return self._bag_page(rules.bags, rules.edition.brands, since.isoformat(), "", older)

    def _bag_page(self, tag: str, brands: dict[str, BrandRules], since: str, until: str, older: str) -> str:
        lines = tuple(self._bag_line(name, rules) for name, rules in brands.items())
        stated = tuple(Stated(f"{tag}.bag.{name}", True) for name in brands)
        return self._page("baggage", [("bags", {"lines": LinesSlot(lines)}, stated)], since, until, older)

    def _bag_line(self, brand: str, rules: BrandRules) -> Line:
        cabin = CountSlot(rules.cabin_kg, "kg")
        if not rules.pieces:
            return (self._row("bag_none", brand=brand, cabin=cabin),)
        kg = CountSlot(rules.kg, "kg")
        if rules.pieces == NO_LIMIT:
            return (self._row("bag_weight", brand=brand, kg=kg, cabin=cabin),)
        return (self._row("bag_pieces", brand=brand, pieces=rules.pieces, kg=kg, cabin=cabin),)

    def _around(self, tariff: Tariff, hold: str, children: bool) -> Iterator[str]:
        """Publish what is said of payment and holds, and of child fares where they matter."""
        code, hours = tariff.carrier, CountSlot(tariff.hold_hours, "hour")
        fee, lock = self._money(tariff.card_fee), self._money(tariff.lock_fee)
        stated = (Stated(f"{code}.card_fee", tariff.card_fee),)
        paying: Content = ("payment_fees", {"fee": fee}, stated) if fee.minor else ("payment_fees_none", {}, stated)
        holding: dict[str, Content] = {
            "free": ("hold_free", {"hours": hours}, ()),
            "paid": ("hold_paid", {"hours": hours, "fee": lock}, ()),
            "none": ("hold_none", {}, ()),
        }
        found: list[tuple[str, Content]] = [("payment_fees", paying), ("standard", holding[hold])]
        if children:
            share = (Stated(f"{code}.child_percent", tariff.child_percent, "share"),)
            found.append(("terms", ("child_fares", {"share": f"{tariff.child_percent}%"}, share)))
        for kind, content in found:
            yield self._others.page(self._publisher, self._name, "provider", kind, self._language, [content])


@cache
def _plain_row(kind: str, language: str) -> Text:
    return Text(FILE, f"rows.{kind}", language)
