"""The two-leg journey against the worked example and sale-rule examples of its specification, and its traps."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from agentbench_env.instance import build_instance
from agentbench_env.market import market_codes
from agentbench_env.money import Money, convert
from agentbench_env.zones import near_change, to_instant
from agentbench_tasks.travel.domain.geography import departure_charges, points
from agentbench_tasks.travel.domain.inventory import Option, Party
from agentbench_tasks.travel.domain.prices import quote_lines
from agentbench_tasks.travel.domain.records import Bag, Fare, Service, Tariff
from agentbench_tasks.travel.domain.sales import opening, sale_rules
from agentbench_tasks.travel.domain.two_leg.rules import (
    Wish,
    gap_minutes,
    pair_failures,
    single_failures,
)

TASK = "ta-two-leg-itinerary"
RATE = "0.00866"
NOW = to_instant("2026-09-08T17:00", "Asia/Singapore")
WISH = Wish(
    shape="connect",
    mode="hold",
    reaction="yes",
    party=Party(1),
    bags=(Bag(20, 1),),
    bag_each=True,
    depart_from="2026-10-09",
    depart_to="2026-10-12",
    arrive_on="2026-10-12",
    arrive_from="06:00",
    arrive_to="14:00",
    budget=Money.of("1100.00", "SGD"),
    max_gap=14 * 60,
    economy=True,
)


def option(leg: int, name: str, start: tuple[str, str, str], end: tuple[str, str, str], total: str) -> Option:
    """An option of the worked example: (point, terminal, local time) at both ends, full price in its currency."""
    zones = {code: points()[code].zone for code in (start[0], end[0])}
    service = Service(
        f"svc_{name}", name[:3], name, start[0], end[0], to_instant(start[2], zones[start[0]]),
        to_instant(end[2], zones[end[0]]), zones[start[0]], zones[end[0]], start[1], end[1], 0, 0, 0, "",
        (name, start[0], end[0], start[2][:10]),
    )  # fmt: skip
    price = Money.of(total, "SGD" if leg == 1 else "JPY")
    home = price if leg == 1 else convert(price, __import__("decimal").Decimal(RATE), 1, "SGD")
    closes = "first_hold" if name == "A4" else ""
    fare = Fare(f"fare_{name}", service.id, name, "Simple", "economy", price, (), 0, 0, False, 9, closes=closes)
    return Option(leg, service, fare, home.minor, price)


FIRST = [
    option(1, "A1", ("SIN", "T3", "2026-10-11T23:55"), ("NRT", "T1", "2026-10-12T08:05"), "864.00"),
    option(1, "A2", ("SIN", "T2", "2026-10-12T08:20"), ("HND", "T3", "2026-10-12T16:25"), "489.00"),
    option(1, "A3", ("SIN", "T4", "2026-10-12T00:45"), ("NRT", "T3", "2026-10-12T09:00"), "406.00"),
    option(1, "A4", ("SIN", "T4", "2026-10-12T06:30"), ("NRT", "T3", "2026-10-12T14:40"), "367.00"),
    option(1, "A5", ("SIN", "T4", "2026-10-11T06:30"), ("NRT", "T3", "2026-10-11T14:40"), "343.00"),
]
SECOND = [
    option(2, "B1", ("NRT", "T1", "2026-10-12T20:10"), ("HNL", "T2", "2026-10-12T08:25"), "94690"),
    option(2, "B2", ("NRT", "T3", "2026-10-12T21:00"), ("HNL", "T2", "2026-10-12T09:15"), "68690"),
    option(2, "B3", ("HND", "T3", "2026-10-12T23:30"), ("HNL", "T2", "2026-10-12T11:55"), "93800"),
    option(2, "B4", ("NRT", "T3", "2026-10-11T21:00"), ("HNL", "T2", "2026-10-11T09:15"), "59690"),
]


def failures(one: Option, two: Option) -> set[str]:
    return single_failures(one, WISH, NOW) | single_failures(two, WISH, NOW) | pair_failures(one, two, WISH, points())


def test_worked_example_has_one_right_pair() -> None:
    right = {(one.fare.service_id, two.fare.service_id) for one in FIRST for two in SECOND if not failures(one, two)}
    assert right == {("svc_A3", "svc_B2")}
    a3, b2 = FIRST[2], SECOND[1]
    assert (b2.cost, a3.cost + b2.cost, gap_minutes(a3.service, b2.service)) == (59486, 100086, 720)


@pytest.mark.parametrize(
    ("pair", "fails", "total"),
    [
        ((3, 1), {"vanishes"}, 96186),
        ((1, 1), {"connection_min"}, 108386),
        ((4, 3), {"arrive_window"}, 85992),
        ((4, 1), {"connection_max"}, 93786),
        ((2, 0), {"budget"}, 122602),
    ],
)
def test_worked_example_names_what_each_other_pair_fails(pair: tuple[int, int], fails: set[str], total: int) -> None:
    one, two = FIRST[pair[0]], SECOND[pair[1]]
    assert failures(one, two) == fails
    assert one.cost + two.cost == total


def test_worked_example_prices_by_line() -> None:
    fare = Fare(
        "fare_B2", "svc_B2", "T5J", "Simple", "economy", Money(51300, "JPY"),
        departure_charges("NRT", "HNL", "2026-10-12"), 0, 0, False, 7,
    )  # fmt: skip
    tariff = Tariff("trf", "T5J", "JPY", ((20, 9800), (25, 12000)), 900, 0, 75, 24)
    lines, total = quote_lines(fare, tariff, 1, (), (Bag(20, 1),), "credit")
    assert [(line.kind, line.minor) for line in lines] == [
        ("fare", 51300), ("charge", 3000), ("charge", 3690), ("bag", 9800), ("card_fee", 900),
    ]  # fmt: skip
    assert total == Money(68690, "JPY")
    assert sum(charge.minor for charge in departure_charges("SIN", "NRT", "2026-10-12")) == 6800
    assert sum(charge.minor for charge in departure_charges("SIN", "NRT", "2026-09-30")) == 6520


def test_child_pays_share_of_base_and_the_rest_in_full() -> None:
    charges = departure_charges("ICN", "NRT", "2026-10-12")
    fare = Fare("fare", "svc", "H1B", "Light", "economy", Money(100001, "KRW"), charges, 0, 0, False, 9)
    tariff = Tariff("trf", "H1B", "KRW", ((20, 40000),), 5000, 0, 75, 24)
    lines, total = quote_lines(fare, tariff, 2, (5,), (Bag(20, 3),), "credit")
    by_kind = Counter({line.code if line.kind == "charge" else line.kind: line.minor for line in lines})
    assert by_kind["fare"] == 2 * 100001 + 75001  # 75,000.75 rounds half up
    assert (by_kind["bag"], by_kind["card_fee"]) == (120000, 15000)
    assert by_kind["DL"] == 2 * 7000  # no departure levy under 12
    assert by_kind["BP"] == 3 * 17000
    assert total.minor == sum(line.minor for line in lines)


@pytest.mark.parametrize(
    ("market", "carrier", "day", "share", "opens"),
    [
        ("TW", "T1H", "2026-10-16", 1.0, "2026-09-18T00:00"),
        ("TW", "T1H", "2026-10-17", 1.0, "2026-09-18T00:00"),
        ("TW", "T1H", "2026-10-18", 1.0, "2026-09-18T00:00"),
        ("TW", "T1H", "2026-10-19", 1.0, "2026-09-21T00:00"),
        ("TW", "T1H", "2026-09-26", 1.0, "2026-08-27T00:00"),
        ("TH", "R4L", "2026-10-30", 246 / 751, "2026-09-30T08:30"),
        ("TH", "R4L", "2026-10-30", 1.0, "2026-08-01T08:30"),
        ("TH", "R4L", "2026-10-30", 0.249, "2026-10-29T08:30"),
        ("TH", "R4L", "2026-10-30", 0.25, "2026-09-30T08:30"),
        ("TH", "R4L", "2026-10-30", 0.599, "2026-09-30T08:30"),
        ("TH", "R4L", "2026-10-30", 0.6, "2026-08-01T08:30"),
        ("JP", "K1R", "2026-10-31", 1.0, "2026-10-01T10:00"),
        ("JP", "K1R", "2026-10-30", 1.0, "2026-09-30T10:00"),
        ("KR", "B1K", "2026-10-23", 1.0, "2026-09-23T07:00"),
        ("KR", "B1K", "2026-09-25", 1.0, "2026-08-20T07:00"),
    ],
)
def test_sale_opens_by_the_local_rule(market: str, carrier: str, day: str, share: float, opens: str) -> None:
    assert opening(sale_rules(market)[carrier], date.fromisoformat(day), share) == opens


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_every_decoy_fails_one_condition_and_is_right_without_it(market: str, difficulty: str) -> None:
    checked = 0
    for seed in range(30):
        built = build_instance(TASK, market, "train", difficulty, seed).case.built  # type: ignore[arg-type]
        now, wish = built.plot.now, built.wish
        for decoy in built.decoys:
            one, two = decoy.one, decoy.two
            singly = single_failures(one, wish, now) | single_failures(two, wish, now)
            found = singly | pair_failures(one, two, wish, points())
            assert found == ({decoy.fails} if decoy.fails else set())
            checked += 1
    assert checked >= 10


@pytest.mark.parametrize("market", market_codes())
def test_traps_modes_and_reactions_come_in_their_shares(market: str) -> None:
    traps, benign, granting, modes, first = Counter[str](), 0, 0, Counter[str](), 0
    seeds = 200
    for seed in range(seeds):
        built = build_instance(TASK, market, "train", "standard", seed).case.built
        traps.update(set(built.traps))
        benign += built.plot.benign
        modes[built.wish.mode] += 1
        granting += built.wish.grants
        shown = {row.fare_id: row for row in built.offers}
        for leg in built.target:
            if leg.fare.id in shown:
                rivals = [row.shown.minor for row in built.offers if row.cities == shown[leg.fare.id].cities]
                first += len(rivals) > 1 and shown[leg.fare.id].shown.minor == min(rivals)
    assert first == 0, "a target is the first row of the search sorted by price"
    assert 0.04 <= benign / seeds <= 0.17
    assert 0.4 <= modes["hold"] / seeds <= 0.6
    assert 0.25 <= granting / seeds <= 0.5
    for trap in ("outside_aggregate", "stale_price", "vanishing_fare", "short_connection", "date_line", "bag_and_card"):
        assert traps[trap] / seeds >= 0.05, trap
    for trap in ("summer_time", "paid_lock", "wrong_station", "not_on_sale"):
        if any(trap in build_instance(TASK, market, "train", "hard", seed).case.built.traps for seed in range(40)):
            assert traps[trap] > 0, trap


@pytest.mark.parametrize(("market", "difficulty", "seed"), [("TW", "hard", 148), ("AE", "easy", 100)])
def test_no_departure_falls_into_an_hour_that_comes_twice(market: str, difficulty: str, seed: int) -> None:
    built = build_instance(TASK, market, "train", difficulty, seed).case.built  # type: ignore[arg-type]
    for service in built.inventory.services:
        assert to_instant(service.dep_local, service.dep_zone) == service.departs
        assert to_instant(service.arr_local, service.arr_zone) == service.arrives
    assert near_change(to_instant("2026-11-01T01:05", "America/Los_Angeles"), "America/Los_Angeles")
    assert not near_change(to_instant("2026-11-01T12:00", "America/Los_Angeles"), "America/Los_Angeles")
