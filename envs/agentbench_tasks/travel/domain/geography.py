"""The map that every travel world shares, read once from the fixtures: points, carriers, routes, charges, journeys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import msgspec

from agentbench_env.draw import opaque_id, stable_number
from agentbench_env.market import market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.text.fold import fold
from agentbench_tasks.travel.domain.records import Charge, Connection, DirectoryLine, Link, Names, Point


class Route(msgspec.Struct, frozen=True, gc=False):
    """A nonstop connection: block minutes, a span of one-way prices in USD, and who flies or drives it."""

    start: str
    end: str
    minutes: int
    usd: tuple[float, float]
    carriers: tuple[str, ...]
    share_of_run: float
    """How much of the vehicle's whole run it is (1: all of it)."""


class CarrierFacts(msgspec.Struct, frozen=True, gc=False):
    """What is fixed about a carrier."""

    code: str
    names: Names
    kind: str
    language: str
    in_aggregate: bool
    aggregate_points: tuple[str, ...]
    hold: str
    charges_cards: bool
    bag_included: bool
    brands: tuple[tuple[str, str], ...]
    terminals: Mapping[str, str]
    domestic_terminals: Mapping[str, str]

    def sold_via_search(self, start: str, end: str) -> bool:
        """Whether the flight search lists the carrier on a route."""
        return self.in_aggregate or start in self.aggregate_points or end in self.aggregate_points


class Journey(msgspec.Struct, frozen=True, gc=False):
    """A market's two-leg journey: the points where each leg may begin and end."""

    id: str
    feature: str
    origin_city: str
    via_city: str
    dest_city: str
    starts: tuple[tuple[str, ...], tuple[str, ...]]
    ends: tuple[tuple[str, ...], tuple[str, ...]]
    ground_leg: int
    from_date: str
    to_date: str
    clock_changes: tuple[str, ...]


def names_of(row: Mapping[str, str]) -> Names:
    """Return names by language as records keep them."""
    return tuple(row.items())


@cache
def static_id(prefix: str, *content: object) -> str:
    """Return the id of a record that is the same in every world."""
    return opaque_id(prefix, stable_number("fixture", prefix, *content))


@cache
def routes() -> dict[tuple[str, str], tuple[Route, ...]]:
    """Return the routes by (from, to)."""
    found: dict[tuple[str, str], list[Route]] = {}
    for row in shared_table("routes")["routes"]:
        share = row["km"] / row["run_km"] if "run_km" in row else 1.0
        low, high = row["usd"]
        route = Route(row["from"], row["to"], row["minutes"], (low, high), tuple(row["carriers"]), share)
        found.setdefault((route.start, route.end), []).append(route)
    return {key: tuple(group) for key, group in found.items()}


@cache
def carrier_facts() -> dict[str, CarrierFacts]:
    """Return the carriers by code."""
    return {
        code: CarrierFacts(
            code,
            names_of(row["names"]),
            row["kind"],
            row["site_lang"],
            row["in_aggregate"],
            tuple(row.get("aggregate_airports", ())),
            row["hold"],
            row["card_fee"],
            row["bag"] == "included",
            tuple(row["brands"].items()),
            row["terminals"],
            row.get("domestic_terminals", {}),
        )
        for code, row in shared_table("carriers")["carriers"].items()
    }


@cache
def journeys(market: str) -> tuple[Journey, ...]:
    """Return the two-leg journeys of a market."""
    return tuple(
        Journey(
            row["id"],
            row["feature"],
            row["origin_city"],
            row["via_city"],
            row["dest_city"],
            (tuple(row["leg1"]["from"]), tuple(row["leg2"]["from"])),
            (tuple(row["leg1"]["to"]), tuple(row["leg2"]["to"])),
            row["sells_in"],
            row["from_date"],
            row["to_date"],
            tuple(row["changes"]),
        )
        for row in market_table(market, "travel")["corridors"]
    )


@cache
def points() -> dict[str, Point]:
    """Return every airport and station as the record that all worlds share; the note page is added by the world."""
    table = shared_table("airports")
    found: dict[str, Point] = {}
    for code, row in {**table["airports"], **table["stations"]}.items():
        links = tuple(Link(x["to"], x["mode"], x["minutes"], x["first"], x["last"]) for x in row["links"])
        found[code] = Point(
            static_id("plc", code),
            code,
            row.get("kind", "airport"),
            row["city"],
            row["country"],
            row["zone"],
            names_of(row["names"]),
            tuple(row.get("terminals", ())),
            _minima(row),
            links,
            _directory(code, row["country"]),
        )
    return found


def _minima(row: Mapping[str, Any]) -> tuple[Connection, ...]:
    if "mct" not in row:
        return (Connection(False, True, row["separate_same"]),)
    mct = row["mct"]
    kinds = [(p, s, f"{'protected' if p else 'separate'}_{'same' if s else 'other'}") for p in (1, 0) for s in (1, 0)]
    return tuple(Connection(bool(p), bool(s), mct[key]) for p, s, key in kinds)


def _directory(code: str, country: str) -> tuple[DirectoryLine, ...]:
    lines: list[DirectoryLine] = []
    for (start, end), group in routes().items():
        if start != code:
            continue
        for carrier in (carrier_facts()[c] for route in group for c in route.carriers):
            listed = carrier.sold_via_search(start, end)
            # An airport speaks for its home carriers and leaves the rest open.
            home = (
                terminal_of(carrier, code, end) in carrier.domestic_terminals.values()
                or home_of(carrier.code) == country
            )
            sold = "yes" if listed else "no" if home else "unknown"
            lines.append(DirectoryLine(end, carrier.code, terminal_of(carrier, code, end), sold))
    return tuple(sorted(set(lines), key=lambda line: (line.dest, line.carrier_code)))


def home_of(code: str) -> str:
    """Return the market that a carrier is at home in."""
    home: str = shared_table("carriers")["carriers"][code]["home"]
    return home


@cache
def country_of(code: str) -> str:
    """Return the country of a point."""
    table = shared_table("airports")
    country: str = (table["airports"].get(code) or table["stations"][code])["country"]
    return country


@cache
def zone_of(code: str) -> str:
    """Return the IANA zone of a point."""
    table = shared_table("airports")
    zone: str = (table["airports"].get(code) or table["stations"][code])["zone"]
    return zone


def terminal_of(carrier: CarrierFacts, code: str, other_end: str) -> str:
    """Return the terminal that a carrier uses at a point on a route to or from another, "" if it has none."""
    if country_of(code) == country_of(other_end) and code in carrier.domestic_terminals:
        return carrier.domestic_terminals[code]
    return carrier.terminals.get(code, "")


@cache
def currency_at(code: str) -> tuple[str, int]:
    """Return the currency in which departures from a point are sold, and the step of its fares in minor units."""
    row = shared_table("airports")["countries"][country_of(code)]
    return row["currency"], Money.of(row["fare_step"], row["currency"]).minor


@cache
def fare_step(currency: str) -> int:
    """Return the step, in minor units, to which fares in a currency are rounded."""
    rows: Mapping[str, Any] = shared_table("airports")["countries"]
    return next(Money.of(row["fare_step"], currency).minor for row in rows.values() if row["currency"] == currency)


@cache
def departure_charges(start: str, end: str, day: str) -> tuple[Charge, ...]:
    """Return what leaving `start` for `end` by air on an ISO date costs per person, in the currency of `start`."""
    return tuple(charge for first, last, charge in _charges(start, end) if first <= day <= last)


@cache
def _charges(start: str, end: str) -> tuple[tuple[str, str, Charge], ...]:
    """What is ever charged for leaving `start` for `end` by air, each with its first and last day."""
    table = shared_table("departure_charges")
    scope = "domestic" if country_of(start) == country_of(end) else "international"
    band = table["bands"].get(end, "")
    return tuple(
        (
            row["from_date"],
            row["to_date"] or date.max.isoformat(),
            Charge(
                row["code"], names_of(row["labels"]), Money.of(row["amount"], row["currency"]).minor, row["min_age"]
            ),
        )
        for row in table["charges"]
        if start in row["airports"] and row["scope"] == scope and row["band"] in ("", band)
    )


@cache
def city_codes() -> dict[str, str]:
    """Return the cities' codes by every name they have, folded, and by the code itself."""
    cities: Mapping[str, Any] = shared_table("airports")["cities"]
    named = {fold(name): code for code, row in cities.items() for name in row["names"].values()}
    return named | {fold(code): code for code in cities}


def city_name(city: str, language: str) -> str:
    """Return a city's name in a language."""
    name: str = shared_table("airports")["cities"][city]["names"][language]
    return name


@cache
def rate_levels(market: str) -> dict[str, tuple[Decimal, int, int]]:
    """Return the start levels of a market's rates: base currency -> (home units, per how many base units, digits)."""
    rows: Sequence[Mapping[str, Any]] = market_table(market, "money")["rates"]["rows"]
    return {row["base"]: (Decimal(row["level"]), row["unit"], row["digits"]) for row in rows}


@cache
def pegged(market: str) -> frozenset[str]:
    """Return the currencies whose rate against the market's own never moves."""
    rows: Sequence[Mapping[str, Any]] = market_table(market, "money")["rates"]["rows"]
    return frozenset(row["base"] for row in rows if row.get("fixed"))


@cache
def sold_without(day: str) -> frozenset[str]:
    """Return the codes of departure charges that a ticket sold on an ISO date does not carry."""
    rows: Sequence[Mapping[str, Any]] = shared_table("departure_charges")["charges"]
    return frozenset(row["code"] for row in rows if day < row.get("sold_from", ""))
