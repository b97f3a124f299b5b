"""What a market's data says about claims: models, amounts, insurers, and which journeys its carriers sell."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import msgspec

from agentbench_env.market import market_codes, market_table
from agentbench_env.money import Money, digits
from agentbench_tasks.travel.domain.geography import Route, carrier_facts, country_of, home_of, names_of, routes
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.refund_claim.terms import Block, Model, Tier

Addressee = Literal["carrier", "insurer", "operator"]
FLYING = ("full", "budget")


class Scheme(msgspec.Struct, frozen=True):
    """The row of a market for one kind of addressee, in minor units."""

    model: Model
    inclusive: bool
    tiers: tuple[Tier, ...]
    blocks: tuple[Block, ...]
    low_cap: int
    ceilings: tuple[tuple[str, int], ...]
    spares_expenses: bool | None
    """None: drawn."""


class Path(msgspec.Struct, frozen=True, gc=False):
    """A journey that one carrier sells: one leg, or two with a change."""

    carrier: str
    legs: tuple[Route, ...]
    homebound: bool


def _table(market: str) -> Any:
    return market_table(market, "compensation")


def minor(amount: str, currency: str) -> int:
    """Read an amount of the data in minor units."""
    return Money.of(amount, currency).minor


def step_of(market: str, name: str, currency: str) -> int:
    """Return a rounding step of the market in minor units."""
    return minor(_table(market)[name], currency)


def _tiers(row: Any, currency: str) -> tuple[Tier, ...]:
    scale = 10 ** digits(currency) if row["model"] == "fixed" else 1
    return tuple(Tier(tier["minutes"], int(tier["value"]) * scale, tier.get("up_to_km", 0)) for tier in row["tiers"])


@cache
def scheme(market: str, kind: Addressee | Literal["statute"], currency: str) -> Scheme:
    """Return what the market's data says of a kind of addressee, or of the law."""
    row = dict(_table(market)[kind])
    row.setdefault("model", "share" if kind == "operator" else "block" if kind == "insurer" else "none")
    blocks: tuple[Block, ...] = ()
    if kind == "insurer":
        adult, child, cap = (minor(row[name], currency) for name in ("adult", "child", "cap"))
        blocks = tuple(Block(hours * 60, adult, child, cap, cap * child // adult) for hours in row["hours"])
    return Scheme(
        row["model"],
        row.get("inclusive", True),
        _tiers(row, currency) if "tiers" in row else (),
        blocks,
        minor(row.get("low_cap", "0"), currency),
        tuple((name, minor(amount, currency)) for name, amount in row.get("ceilings", {}).items()),
        row.get("spares_expenses"),
    )


@cache
def insurers(market: str) -> tuple[Names, ...]:
    """Return the names of the market's own insurer, then those of the other markets' ones."""
    others = [code for code in market_codes() if code != market]
    return tuple(names_of(_table(code)["insurer"]["names"]) for code in (market, *others))


@cache
def authority(market: str) -> tuple[Names, str]:
    """Return the name of the authority that explains passengers' claims, and as of when."""
    row = _table(market)["statute"]
    return names_of(row["authority"]), row["as_of"]


def distance(market: str, route: Route) -> int:
    """Return the kilometres between the ends of a route, 0 where the market's rules do not ask."""
    return _table(market).get("distances", {}).get("-".join(sorted((route.start, route.end))), 0)


@cache
def distances(market: str) -> tuple[tuple[str, int], ...]:
    """Return the distances that the market's carriers print."""
    return tuple(_table(market).get("distances", {}).items())


@cache
def paths(market: str, kind: Addressee, change: bool) -> tuple[Path, ...]:
    """Return the journeys to or from the market that can be claimed for; with `change` those of two flights."""
    own = kind != "insurer" or not change
    legs = [
        (code, route)
        for group in routes().values()
        for route in group
        for code in route.carriers
        if (carrier_facts()[code].kind in FLYING) == (kind != "operator") and (not own or home_of(code) == market)
    ]
    if not change:
        found = [Path(code, (route,), country_of(route.end) == market) for code, route in legs]
        return tuple(path for path in found if kind == "operator" or _touches(path, market))
    pairs = [
        Path(code, (one, two), country_of(two.end) == market)
        for code, one in legs
        for other, two in legs
        if code == other and one.end == two.start and one.start != two.end
    ]
    # Nobody changes planes abroad to come back to their own country.
    return tuple(path for path in pairs if _touches(path, market) and not is_domestic(path))


def is_domestic(path: Path) -> bool:
    """Whether a journey begins and ends in one country."""
    return country_of(path.legs[0].start) == country_of(path.legs[-1].end)


def _touches(path: Path, market: str) -> bool:
    return market in (country_of(path.legs[0].start), country_of(path.legs[-1].end))
