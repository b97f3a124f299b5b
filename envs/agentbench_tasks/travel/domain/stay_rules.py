"""What comes on top of shown room prices in a market, and what a house charges: read from `lodging`, and drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date
from functools import cache
from typing import Any

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_table
from agentbench_env.money import Money
from agentbench_tasks.travel.domain.geography import names_of
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_stays import Property
from agentbench_tasks.travel.domain.stay_bills import Fee, HouseRules, Tax


class AreaTax(msgspec.Struct, frozen=True, gc=False):
    """One version of a charge of an area, in force from a day to a day ("": still)."""

    tax: Tax
    from_date: str
    to_date: str
    houses: tuple[str, ...]
    """Kinds of house that it is met at; empty: any."""
    share: float
    """How often a house of these kinds is liable."""
    printed: float
    """How often a house prints the percentage itself."""

    def holds_on(self, day: str) -> bool:
        """Whether it is in force on an ISO date."""
        return self.from_date <= day <= (self.to_date or day)


class Area(msgspec.Struct, frozen=True, gc=False):
    """Whose rules hold in a place, and its charges, older versions included."""

    id: str
    authority: Names
    taxes: tuple[AreaTax, ...]

    def in_force(self, day: str) -> tuple[AreaTax, ...]:
        """The charges in force on an ISO date."""
        return tuple(row for row in self.taxes if row.holds_on(day))

    def older(self, kind: str, day: str) -> AreaTax | None:
        """The version before the one in force, None if there was none."""
        ended = [row for row in self.taxes if row.tax.kind == kind and row.to_date and row.to_date < day]
        return ended[-1] if ended else None


class FeeSpan(msgspec.Struct, frozen=True, gc=False):
    """What a kind of fee may be: amounts from and to with their step, in minor units, children's limits and shares."""

    kind: str
    houses: tuple[str, ...]
    unit: str
    amounts: tuple[int, int, int]
    child: tuple[int, ...]
    child_share: tuple[float, ...]
    season: tuple[str, ...]
    cash: float
    plus_plus: float


class Law(msgspec.Struct, frozen=True, gc=False):
    """The rules and habits of a market."""

    service: tuple[str, ...]
    service_outside: float
    service_inside: float
    service_on_meals: bool
    vat: str
    vat_names: Names
    vat_always_inside: bool
    vat_on_fees: tuple[bool, ...]
    vat_refers: bool
    vat_authority: Names
    vat_versions: tuple[tuple[str, str], ...]
    """Percent and first day of each version, where houses refer to the law."""
    areas: dict[str, Area]
    fees: tuple[FeeSpan, ...]
    deposits: tuple[int, ...]
    guests: int
    meals: tuple[tuple[str, tuple[int, int, int]], ...]
    optional: tuple[tuple[str, int, int], ...]


class Charges(msgspec.Struct, frozen=True, gc=False):
    """What a house charges and how it says so.

    `printed` are the kinds of tax whose percentage the house prints itself; `inside` those that its prices hold;
    `optional` are things to be had on request, with their price; `vat_refers` says that an outside VAT is named without
    its rate, which the law states.
    """

    rules: HouseRules
    printed: frozenset[str] = frozenset()
    inside: tuple[str, ...] = ()
    optional: tuple[tuple[str, int], ...] = ()
    vat_refers: bool = False


@cache
def law(market: str) -> Law:
    """Return the rules and habits of a market."""
    table, currency = market_table(market, "lodging"), load_market(market).currency

    def minor(amount: str | int) -> int:
        return Money.of(amount, currency).minor

    service, vat, fees = table["service"], table["vat"], table["fees"]
    return Law(
        tuple(service["percents"]),
        service["outside"],
        service["inside"],
        service.get("on_meals", True),
        vat["percent"],
        names_of(vat["names"]),
        vat["always_inside"],
        tuple(vat["vat_on_fees"]),
        vat["refers"],
        names_of(vat.get("authority", {})),
        tuple((row["percent"], row["from_date"]) for row in vat.get("versions", ())),
        {
            id: Area(id, names_of(row["authority"]), tuple(_area_tax(tax, currency) for tax in row["taxes"]))
            for id, row in table["areas"].items()
        },
        tuple(_span(kind, row, currency) for kind, row in fees.items() if isinstance(row, dict) and "unit" in row),
        tuple(minor(amount) for amount in fees["deposit"]),
        fees["guests"],
        tuple((meal, (minor(a), minor(b), minor(c))) for meal, (a, b, c) in fees.get("meals", {}).items()),
        tuple((label, minor(low), minor(high)) for label, low, high in fees["optional"]),
    )


def _area_tax(row: Mapping[str, Any], currency: str) -> AreaTax:
    def minor(amount: str | int) -> int:
        return Money.of(amount, currency).minor

    tax = Tax(
        row["kind"],
        row["how"],
        row.get("percent", "0"),
        minor(row.get("amount", 0)),
        tuple((level, minor(amount)) for level, amount in row.get("amounts", ())),
        tuple((minor(start), minor(amount)) for start, amount in row.get("bands", ())),
        row.get("exempt_under", 0),
        row.get("most_nights", 0),
        row.get("at_desk", False),
    )
    houses = tuple(row.get("houses", ()))
    printed = row.get("printed", 0.5 if tax.how == "percent" else 0.0)
    return AreaTax(tax, row["from_date"], row.get("to_date", ""), houses, row.get("share", 1.0), printed)


def _span(kind: str, row: Mapping[str, Any], currency: str) -> FeeSpan:
    low, high, step = (Money.of(amount, currency).minor for amount in row["amounts"])
    return FeeSpan(
        kind,
        tuple(house for house in row["houses"] if house),
        row["unit"],
        (low, high, step),
        tuple(row.get("child", ())),
        tuple(row.get("child_share", ())),
        tuple(row.get("season", ())),
        row["cash"],
        row["plus_plus"],
    )


def draw_charges(
    draw: Draw,
    law: Law,
    area: Area,
    house: Property,
    first: date,
    outside: bool | None = None,
    fees: Collection[str] | None = None,
    deposit: bool | None = None,
    all_inside: bool = False,
    optional: int = 2,
) -> Charges:
    """Draw what a house charges for a stay from `first` on.

    Args:
        draw: the stream.
        law: the market's rules.
        area: the area that the house lies in.
        house: its record.
        first: the first night.
        outside: whether shown prices leave service charge and VAT outside; None: drawn.
        fees: the kinds of fee that it has; None: drawn.
        deposit: whether it takes a deposit; None: drawn.
        all_inside: whether its prices hold everything, the place's charges and fees included.
        optional: how many things it offers on request.
    """
    service = draw.choice(law.service)
    leaves_out = (draw.chance(law.service_outside) if outside is None else outside) and not all_inside
    has_service = leaves_out or draw.chance(law.service_inside)
    found = [row for row in area.in_force(first.isoformat()) if house.kind in (row.houses or (house.kind,))]
    liable = [row for row in found if draw.chance(row.share)]
    wanted = [span for span in law.fees if house.kind in (span.houses or (house.kind,))]
    if fees is None:
        wanted = [span for span in wanted if draw.chance(0.4)]
    else:
        wanted = [span for span in wanted if span.kind in fees]
    takes_deposit = draw.chance(0.5) if deposit is None else deposit
    vat_outside = leaves_out and not law.vat_always_inside
    # A price that holds service charge and VAT holds the percentages of the bare price as well.
    within = [row.tax.kind for row in liable if all_inside or (row.tax.how == "percent" and not leaves_out)]
    taxes = tuple(row.tax for row in liable if row.tax.kind not in within)
    rules = HouseRules(
        service if has_service else "0",
        leaves_out,
        law.service_on_meals,
        law.vat,
        vat_outside,
        draw.choice(law.vat_on_fees) and any(tax.how == "percent" for tax in taxes),
        taxes,
        tuple((meal, _stepped(draw, span)) for meal, span in law.meals),
        law.guests,
        () if all_inside else tuple(_fee(draw, span, first, vat_outside) for span in wanted),
        draw.choice(law.deposits) if takes_deposit and law.deposits else 0,
    )
    offers = [(label, _stepped(draw, (low, high, _step(low)))) for label, low, high in law.optional]
    return Charges(
        rules,
        frozenset(row.tax.kind for row in liable if row.tax.how == "percent" and draw.chance(row.printed)),
        tuple(within),
        tuple(draw.sample(offers, optional)),
        law.vat_refers and vat_outside,
    )


def _fee(draw: Draw, span: FeeSpan, first: date, plus: bool) -> Fee:
    amount = _stepped(draw, span.amounts)
    limit = draw.choice(span.child) if span.child else 0
    share = draw.choice(span.child_share) if span.child else 1.0
    start = end = ""
    if span.season:
        opening, closing = span.season
        year = first.year - (first.isoformat()[5:] <= closing)
        start, end = f"{year}-{opening}", f"{year + 1}-{closing}"
    plus_plus = plus and draw.chance(span.plus_plus)
    cash = draw.chance(span.cash) and not plus_plus
    return Fee(
        span.kind,  # type: ignore[arg-type]
        span.unit,  # type: ignore[arg-type]
        amount,
        round(amount * share),
        limit,
        cash,
        plus_plus,
        start,
        end,
    )


def _stepped(draw: Draw, span: tuple[int, int, int]) -> int:
    low, high, step = span
    return low + draw.int(0, (high - low) // step) * step


def _step(low: int) -> int:
    """A step of prices of this size: the power of ten at most a fifth of it."""
    step = 1
    while step * 50 <= low:
        step *= 10
    return step


# --- what documents state


def house_facts(house: str, charges: Charges) -> dict[str, str | int]:
    """Return what the papers of a house state of its charges, by fact key."""
    rules = charges.rules
    vat_place = f"{'law' if charges.vat_refers else rules.vat} {'outside' if rules.vat_outside else 'inside'}"
    cash = [tax.kind for tax in rules.taxes if tax.at_desk] + [fee.kind for fee in rules.fees if fee.in_cash]
    facts: dict[str, str | int] = {
        f"{house}.service": f"{rules.service} {'outside' if rules.service_outside else 'inside'}",
        f"{house}.vat": vat_place,
        f"{house}.vat_on_fees": int(rules.vat_on_fees),
        f"{house}.local": ",".join(tax.kind for tax in rules.taxes),
        f"{house}.fees": ",".join(fee.kind for fee in rules.fees),
        f"{house}.cash": ",".join(cash),
        f"{house}.deposit": rules.deposit,
    }
    if any(fee.unit == "person_night" for fee in rules.fees):
        facts[f"{house}.guests"] = rules.guests
    facts |= {f"{house}.{tax.kind}": tax_text(tax) for tax in rules.taxes if tax.kind in charges.printed}
    facts |= {f"{house}.meal.{meal}": amount for meal, amount in rules.meals}
    for fee in rules.fees:
        facts[f"{house}.{fee.kind}"] = f"{fee.unit} {fee.amount}{' plus' if fee.plus_plus else ''}"
        if fee.child_under:
            facts[f"{house}.{fee.kind}.child"] = f"{fee.child_under} {fee.child_amount}"
    return facts


def area_fact(area: Area, tax: Tax) -> Fact:
    """Return the fact that an authority's page states of a charge."""
    return f"{area.id}.{tax.kind}", tax_text(tax)


def tax_text(tax: Tax) -> str:
    """Write a charge of a place as the value of a fact."""
    if tax.how == "percent":
        return f"percent {tax.percent}"
    if tax.how == "bather":
        return f"bather {tax.amount} from {tax.exempt_under}"
    rows = tax.amounts if tax.how == "by_class" else tax.bands
    return f"{tax.how} {' '.join(f'{start}:{amount}' for start, amount in rows)}"


VAT_FACT = "law.vat"
"""The key of the fact that a tax authority's page states of the rate in force."""
