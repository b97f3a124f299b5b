"""The story of an overbooked house: which one, who is turned away and where they are, what they need, what was sold."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any, Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.geography import names_of
from agentbench_tasks.travel.domain.houses import City, District, Lodgings, lodgings
from agentbench_tasks.travel.domain.overbooking.terms import Annex, Cause, Code, Duty, Event, Terms
from agentbench_tasks.travel.domain.records import Names

FILE = "overbooking"
FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 26)
AGENCY = 0.6
HOLDS = 0.15
CLAIMED, BEYOND = 0.25, 0.15
"""Share of instances in which the house only claims force majeure, and in which it is true."""
OVERSOLD = 0.2
OPEN_AREA, WIDE_AREA = 0.4, 0.4
"""How often the user leaves the area to be asked for, and how often it then is two districts."""
BY_DAYS = 0.3
"""How often a report is due by the end of a day."""
WEEKEND = (5, 6)
"""ISO weekdays whose nights terms call those of a Friday or Saturday."""
MUSTS = {"easy": 1, "standard": 2, "hard": 3}
TRAPS = {"easy": 2, "standard": 3, "hard": 4}
Must = Literal["twin", "breakfast", "step_free", "pets"]
Miss = Literal["class", "area", "budget", "night", "desk", "must"]
MISSES: tuple[Miss, ...] = ("class", "area", "budget", "night", "desk", "must")


class Standard(msgspec.Struct, frozen=True, gc=False):
    """A kind of house and its official class, 0 for none."""

    kind: str
    level: int


class Station(msgspec.Struct, frozen=True, gc=False):
    """Where the user is."""

    district: str
    names: Names
    lat: str
    lon: str


class Plot(msgspec.Struct, frozen=True):
    """The drawn story: everything but the houses to move to."""

    city: City
    district: District
    """Where the original house stands."""
    area: tuple[District, ...]
    area_said: bool
    """Whether the request names the area; it is that district then."""
    station: Station
    original: Standard
    better: tuple[Standard, ...]
    """What is comparable to it."""
    worse: tuple[Standard, ...]
    """What is just below it."""
    now: int
    zone: str
    today: date
    nights: int
    adults: int
    depart: str
    """Local time of setting off, HH:MM."""
    musts: tuple[Must, ...]
    right: int
    """How many houses qualify."""
    traps: tuple[Miss, ...]
    """Which kinds of miss are made tempting."""
    agency: bool
    booked_on: date
    told_at: int
    cause: Cause
    claimed: bool
    """Whether the house calls its own fault force majeure."""
    terms: tuple[Terms, Terms]
    """Of the agency and of the house, as of the day of booking."""
    newer: Terms
    """Of the seller, for later bookings."""
    voucher: int
    grants_hold: bool
    home: City

    @property
    def stay(self) -> tuple[str, str]:
        """First and last day."""
        return self.today.isoformat(), (self.today + timedelta(self.nights)).isoformat()

    @property
    def weekend(self) -> bool:
        """Whether the first night is a Friday's or Saturday's."""
        return self.today.isoweekday() in WEEKEND

    @property
    def governing(self) -> Terms:
        """The seller's terms for this booking."""
        return self.terms[0 if self.agency else 1]

    def event(self, night_prices: tuple[int, ...]) -> Event:
        """What happened, with what was paid for each night."""
        return Event(sum(night_prices), night_prices[0], self.weekend, self.cause, self.told_at, self.zone)


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story; raise NoFit where a city has nothing just below the original house."""
    market, difficulty = setting.market, setting.difficulty
    houses, rules = lodgings(market.code), market_table(market.code, FILE)
    city = draw.choice(tuple(houses.cities.values()))
    original = _original(draw, houses, city)
    musts, better, worse = _needs(draw, houses, city, original, MUSTS[difficulty])
    place = draw.int(0, len(city.districts) - 1)
    beside = city.districts[place + (1 if place == 0 or (place + 1 < len(city.districts) and draw.chance(0.5)) else -1)]
    open_area = draw.chance(OPEN_AREA)
    wide = open_area and len(city.districts) > 2 and draw.chance(WIDE_AREA)
    agency = difficulty == "easy" or draw.chance(AGENCY)
    today = _today(draw, () if agency else rules["peak"])
    late = max(hours.closes for hours in houses.kinds[original.kind].checkin) >= "22:00"
    minute = draw.int(15 * 12 + 6, 21 * 12 if late else 17 * 12 + 6) * 5
    now = to_instant(f"{today}T{minute // 60:02}:{minute % 60:02}", market.zone)
    leave = minute + draw.int(6, 12) * 5
    stations = {row["city"]: row for row in rules["stations"]}
    cause, claimed = _cause(draw, difficulty != "easy")
    guarantee, house = (_terms(draw.stream(name), setting, name == "agency") for name in ("agency", "house"))
    return Plot(
        city=city,
        district=city.districts[place],
        area=(city.districts[place], beside) if wide else (city.districts[place],),
        area_said=not open_area,
        station=_station(stations[city.id]),
        original=original,
        better=better,
        worse=worse,
        now=now,
        zone=market.zone,
        today=today,
        nights=draw.int(1, 3),
        adults=draw.int(1, 2) if "twin" not in musts else 2,
        depart=f"{leave // 60:02}:{leave % 60:02}",
        musts=musts,
        right=2 if difficulty == "easy" else draw.int(2, 3),
        traps=tuple(draw.sample(MISSES, TRAPS[difficulty])),
        agency=agency,
        booked_on=today - timedelta(draw.int(20, 90)),
        told_at=now - draw.int(4, 18) * 300,
        cause=cause,
        claimed=claimed,
        terms=(guarantee, house),
        newer=_newer(draw.stream("newer"), guarantee if agency else house),
        voucher=Money.of(draw.choice(rules["vouchers"]), market.currency).minor,
        grants_hold=draw.chance(HOLDS),
        home=draw.choice([one for one in houses.cities.values() if one != city] or [city]),
    )


def _original(draw: Draw, houses: Lodgings, city: City) -> Standard:
    kind = draw.weighted(city.kinds)
    return Standard(kind, draw.choice(tuple(houses.kinds[kind].classes)))


def _needs(
    draw: Draw, houses: Lodgings, city: City, original: Standard, count: int
) -> tuple[tuple[Must, ...], tuple[Standard, ...], tuple[Standard, ...]]:
    """Draw what the user needs, with the standards that are comparable and those just below that can meet it."""
    every = [Standard(kind, level) for kind in city.kinds for level in houses.kinds[kind].classes]
    if original.level:
        better = [one for one in every if one.level >= original.level]
        worse = [one for one in every if one.level == original.level - 1 and one.level]
    else:
        better, worse = [original], [one for one in every if one.kind != original.kind]
    twins = {code for code, kind in houses.kinds.items() if any(room.beds == "twin" for room in kind.rooms)}
    fit: list[Must] = ["breakfast", "step_free", "pets"]
    if original.kind in twins and any(one.kind in twins for one in worse):
        fit.append("twin")
    musts = tuple(draw.sample(fit, count))
    if "twin" in musts:
        better, worse = ([one for one in group if one.kind in twins] for group in (better, worse))
    if not worse:
        raise NoFit
    return musts, tuple(better), tuple(worse)


def _today(draw: Draw, peak: tuple[tuple[str, str], ...]) -> date:
    """Draw a day outside the spans of the year in which the seller's terms name no figure."""
    while True:
        today = draw.day(FIRST_DAY, LAST_DAY)
        day = today.isoformat()[5:]
        if not any(first <= day <= last if first <= last else day >= first or day <= last for first, last in peak):
            return today


def _station(row: Mapping[str, Any]) -> Station:
    return Station(row["district"], names_of(row["names"]), row["lat"], row["lon"])


def _cause(draw: Draw, varied: bool) -> tuple[Cause, bool]:
    """Draw what really happened, and whether the house calls its own fault force majeure."""
    drawn = draw.random()
    own: Cause = "oversold" if draw.chance(OVERSOLD) else "double_booking"
    if varied and drawn < BEYOND:
        return draw.choice(("storm", "outage")), False
    claimed = varied and drawn < BEYOND + CLAIMED
    return "double_booking" if claimed else own, claimed


@cache
def _guarantee() -> Mapping[str, Any]:
    return shared_table(FILE)


def _terms(draw: Draw, setting: Setting, agency: bool) -> Terms:
    """Draw terms of an agency or of a house."""
    rules, offers, currency = market_table(setting.market.code, FILE), _guarantee(), setting.market.currency
    codes: list[Code] = draw.choice(offers["guarantee"] if agency else rules["packages"])

    def value(code: Code) -> int:
        if code in rules["percents"] and not agency:
            return draw.choice(rules["percents"][code])
        if code in ("difference_share", "share"):
            return draw.choice(offers["difference_shares" if code == "difference_share" else "shares"])
        if code in ("transport_cap", "difference_cap"):
            return Money.of(draw.choice(rules[f"{code}s"]), currency).minor
        return 0

    reports = agency or rules["reports"]
    by_days = draw.chance(BY_DAYS)
    return Terms(
        tuple(Duty(code, value(code)) for code in codes),
        None if agency else Annex(*rules["annex"]),
        draw.choice(offers["report_hours"]) if reports and not by_days else 0,
        draw.choice(offers["report_days"]) if reports and by_days else 0,
    )


def _newer(draw: Draw, terms: Terms) -> Terms:
    """Draw a later version, in which every figure is another one."""
    step = draw.choice((5, 10))
    duties = tuple(
        msgspec.structs.replace(duty, value=duty.value + step if duty.value <= 100 else duty.value * 2)
        if duty.value
        else duty
        for duty in terms.duties
    )
    annex = terms.annex and Annex(terms.annex.no_show, max(10, terms.annex.today - step), terms.annex.before)
    return msgspec.structs.replace(
        terms, duties=duties, annex=annex, hours=terms.hours // 2, days=terms.days and terms.days + 1
    )
