"""The addressee's terms in two versions, and what the authority publishes: pages with the facts that they state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_tasks.commons.texts import CountSlot, DateSlot, DurationSlot, LinesSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.geography import static_id
from agentbench_tasks.travel.domain.publishing import Content, Press
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.refund_claim.market import authority, distances, scheme
from agentbench_tasks.travel.domain.refund_claim.plot import Plot
from agentbench_tasks.travel.domain.refund_claim.terms import Terms, Tier

FILE = "refund_claim"


class TermsPages:
    """Publishes both versions of the terms of an organisation; `governing` and `other` are the pages' ids."""

    def __init__(self, press: Press, setting: Setting, plot: Plot, org: str, name: str, language: str) -> None:
        self._press, self._setting, self._plot, self._org = press, setting, plot, org
        self._name, self._language = name, language
        versions = plot.versions
        older, newer = (
            (versions.governing, versions.other) if versions.older_governs else (versions.other, versions.governing)
        )
        cutover = date.fromisoformat(versions.cutover)
        before, until = (cutover - timedelta(420)).isoformat(), (cutover - timedelta(1)).isoformat()
        old_id = self._publish(older, before, until, "")
        new_id = self._publish(newer, versions.cutover, "", old_id)
        self.governing, self.other = (old_id, new_id) if versions.older_governs else (new_id, old_id)

    def _publish(self, terms: Terms, first: str, until: str, supersedes: str) -> str:
        kind = "policy_wording" if self._plot.addressee == "insurer" else "compensation"
        return self._press.page(
            self._org,
            self._name,
            "provider",
            kind,
            self._language,
            self._sections(terms, first),
            effective_from=first,
            effective_to=until,
            supersedes=supersedes,
        )

    def _sections(self, terms: Terms, first: str) -> list[Content]:
        org, plot = self._org, self._plot
        basis = plot.versions.basis
        scope: dict[str, SlotValue] = {
            "name": self._name,
            "basis": self._phrase(f"basis_{basis}"),
            "from": DateSlot(first),
        }
        found: list[Content] = [("scope", scope, (Stated(f"{org}.basis", basis, "basis"),))]
        if terms.model != "none":
            found += [self._compensation(terms), self._excluded(terms)]
        elif not terms.spares_expenses:
            found.append(self._excluded(terms))
        if terms.ceilings:
            found.append(self._expenses(terms))
        if terms.refund:
            found.append(("refund", {}, (Stated(f"{org}.refund", "full"),)))
        asked = LinesSlot(tuple(("- ", self._phrase(f"ask_{key}")) for key in terms.asks))
        found.append(("asked", {"lines": asked}, (Stated(f"{org}.asks", ",".join(terms.asks), "lines"),)))
        days: SlotValue = CountSlot(terms.days, "day")
        if terms.working:
            days = Text(FILE, "phrases.days_working", self._language, 0, (("n", terms.days),))
        period: dict[str, SlotValue] = {"days": days, "anchor": self._phrase(f"anchor_{terms.anchor}")}
        stated = (
            Stated(f"{org}.deadline", deadline_value(terms), "days"),
            Stated(f"{org}.anchor", terms.anchor, "anchor"),
        )
        found.append(("deadline", period, stated))
        return found

    def _compensation(self, terms: Terms) -> Content:
        org, language = self._org, self._language
        slots: dict[str, SlotValue] = {"measure": self._phrase(f"measure_{terms.measured}")}
        stated = [Stated(f"{org}.measured", terms.measured, "measure")]
        if terms.model == "block":
            block = terms.block
            slots["block"] = DurationSlot(block.minutes)
            stated.append(Stated(f"{org}.block", block.minutes, "block"))
            for key in ("adult", "child", "cap_adult", "cap_child"):
                slots[key] = Money(getattr(block, key), self._setting.market.currency)
                stated.append(Stated(f"{org}.block.{key}", getattr(block, key), key))
        else:
            slots["lines"] = tier_lines(terms.tiers, terms.model, terms.inclusive, self._setting, language)
            stated += [Stated(tier_key(org, tier), tier.value, "lines") for tier in terms.tiers]
        if terms.model == "fixed":
            rows = distances(self._setting.market.code)
            slots["distances"] = LinesSlot(tuple((f"{ends}: {km} km",) for ends, km in rows))
            stated += [Stated(f"{org}.km.{ends}", km, "distances") for ends, km in rows]
        return f"comp_{terms.model}", slots, tuple(stated)

    def _excluded(self, terms: Terms) -> Content:
        join: str = shared_table(f"text/{self._language}/{FILE}")["form"]["list_join"]
        line: list[SlotValue] = []
        for cause in terms.excluded:
            line += (
                [join, Text(FILE, f"causes.{cause}", self._language)]
                if line
                else [Text(FILE, f"causes.{cause}", self._language)]
            )
        effect = "spares_expenses" if terms.spares_expenses else "bars_expenses"
        slots: dict[str, SlotValue] = {
            "causes": LinesSlot((tuple(line),)),
            "effect": self._phrase(effect if terms.ceilings else "list_complete"),
        }
        stated = (
            Stated(f"{self._org}.excluded", ",".join(terms.excluded), "causes"),
            Stated(f"{self._org}.spares", "yes" if terms.spares_expenses else "no", "effect"),
        )
        return "excluded", slots, stated

    def _expenses(self, terms: Terms) -> Content:
        org, currency = self._org, self._setting.market.currency
        lines = tuple(
            ("- ", Text(FILE, f"phrases.ceiling_{kind}", self._language, 0, (("amount", Money(minor, currency)),)))
            for kind, minor in terms.ceilings
        )
        slots: dict[str, SlotValue] = {
            "lines": LinesSlot(lines),
            "deduct": self._phrase("deducts" if terms.deducts else "deducts_not"),
        }
        stated = [Stated(f"{org}.ceiling.{kind}", minor, "lines") for kind, minor in terms.ceilings]
        stated.append(Stated(f"{org}.deducts", "yes" if terms.deducts else "no", "deduct"))
        return "expenses", slots, tuple(stated)

    def _phrase(self, kind: str) -> Text:
        return Text(FILE, f"phrases.{kind}", self._language)


def tier_key(org: str, tier: Tier) -> str:
    """Fact key of a step of the table."""
    return f"{org}.tier.{tier.minutes}.{tier.up_to_km}"


def deadline_value(terms: Terms) -> str:
    """The period for filing as a fact."""
    return f"{terms.days} {'working' if terms.working else 'calendar'}"


def tier_lines(tiers: Sequence[Tier], model: str, inclusive: bool, setting: Setting, language: str) -> LinesSlot:
    """Write the steps of a table, one line each."""
    lines: list[tuple[SlotValue, ...]] = []
    for tier in tiers:
        time = (("time", DurationSlot(tier.minutes)),)
        line: list[SlotValue] = ["- ", Text(FILE, f"phrases.tier_{'from' if inclusive else 'over'}", language, 0, time)]
        if any(other.up_to_km for other in tiers if other.minutes == tier.minutes):
            far = Text(FILE, "phrases.km_any", language)
            near = Text(FILE, "phrases.km_up_to", language, 0, (("n", f"{tier.up_to_km}"),))
            line += [", ", near if tier.up_to_km else far]
        value = Money(tier.value, setting.market.currency) if model == "fixed" else f"{tier.value}%"
        lines.append((*line, ": ", value))
    return LinesSlot(tuple(lines))


def publish_authority(press: Press, setting: Setting) -> None:
    """Publish the authority's pages: the general rule on delays, and the periods for baggage."""
    market, language = setting.market, setting.language
    names, as_of = authority(market.code)
    name, org = name_in(names, language), static_id("org", "passengers", market.code)
    law = scheme(market.code, "statute", market.currency)
    lines: SlotValue = Text(FILE, "phrases.no_fixed_sum", language)
    if law.tiers:
        lines = tier_lines(law.tiers, law.model, law.inclusive, setting, language)
    day = DateSlot(as_of if len(as_of) == 10 else f"{as_of}-01")
    slots: dict[str, SlotValue] = {"as_of": day, "lines": lines}
    press.page(org, name, "authority", "guidance", language, [("authority_delay", slots, ())], True)
    press.page(org, name, "authority", "guidance", language, [("authority_baggage", {}, ())], True)
