"""The story of an instance: who travelled where, what went wrong, and what the terms in force say."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.exchange import Rates
from agentbench_tasks.travel.domain.geography import (
    CarrierFacts,
    Route,
    carrier_facts,
    terminal_of,
    zone_of,
)
from agentbench_tasks.travel.domain.records import Service
from agentbench_tasks.travel.domain.refund_claim.delays import Delays, draw_delays
from agentbench_tasks.travel.domain.refund_claim.drawn_terms import CAUSES, Versions, Want, draw_versions
from agentbench_tasks.travel.domain.refund_claim.market import (
    Addressee,
    Path,
    distance,
    is_domestic,
    paths,
    scheme,
    step_of,
)
from agentbench_tasks.travel.domain.refund_claim.terms import Happened, heads_of, last_day, settled

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
EventKind = Literal["delay", "cancel", "missed"]
CHILD_PERCENT = 75


class Receipt(msgspec.Struct, frozen=True, gc=False):
    """A receipt among the papers. `flaw`: "", unnamed, before, stranger or copy (of the one before it)."""

    kind: str
    minor: int
    day: str
    who: int
    flaw: str = ""


class LegMoney(msgspec.Struct, frozen=True, gc=False):
    """What a leg cost the party: base fares, fuel surcharge, airport charges."""

    fare: int
    fuel: int
    airport: int

    @property
    def total(self) -> int:
        """All of it."""
        return self.fare + self.fuel + self.airport


class Log(msgspec.Struct, frozen=True, gc=False):
    """What became of a service."""

    service: Service
    status: str
    departed: int
    arrived: int


class Plot(msgspec.Struct, frozen=True):
    """The drawn story."""

    addressee: Addressee
    carrier: CarrierFacts
    event: EventKind
    want: Want
    now: int
    adults: int
    child_ages: tuple[int, ...]
    planned: tuple[Service, ...]
    used: tuple[Service, ...]
    """What the party really travelled on, empty if it did not."""
    logs: tuple[Log, ...]
    other_leg: Service | None
    homebound: bool
    booked_at: int
    policy_on: str
    notice_at: int
    versions: Versions
    cause: str
    delays: Delays
    km: int
    leg: LegMoney
    other: LegMoney
    receipts: tuple[Receipt, ...]
    paid_by_others: int
    deadline: str
    anchor_day: str
    files: bool
    """Whether the user grants filing."""
    asks_carrier: bool
    """Whether the user grants a request for a missing certificate."""

    @property
    def happened(self) -> Happened:
        """The event as the terms look at it."""
        counted = tuple((r.kind, r.minor) for r in self.receipts if not r.flaw)
        arrival = self.delays.arrival if self.used else -1
        return Happened(
            self.delays.departure,
            arrival,
            self.cause,
            self.adults,
            len(self.child_ages),
            self.km,
            self.leg.fare,
            self.leg.total,
            counted,
            self.paid_by_others,
        )


def draw_plot(draw: Draw, setting: Setting, ids: Draw, rates: Rates) -> Plot:
    """Draw a story; raise NoFit where the draws do not fit together."""
    market, hard = setting.market, setting.difficulty == "hard"
    addressee: Addressee = draw.weighted({"carrier": 0.5, "insurer": 0.4, "operator": 0.1})  # type: ignore[assignment]
    event: EventKind = draw.weighted({"delay": 0.65, "cancel": 0.25, "missed": 0.1})  # type: ignore[assignment]
    row = scheme(market.code, addressee, market.currency)
    if addressee == "operator" or (event == "missed" and not paths(market.code, addressee, True)):
        event = "delay"
    want = _want(draw, setting, addressee, event, row.model != "none")
    event = want.event
    path = draw.choice(paths(market.code, addressee, event == "missed"))
    if row.model == "fixed" and is_domestic(path):
        raise NoFit
    today = draw.day(FIRST_DAY, LAST_DAY)
    now = to_instant(f"{today.isoformat()}T{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}", market.zone)
    adults = draw.int(1, 2)
    child_ages = (draw.int(3, 11),) if draw.chance(0.45) else ()
    stay = draw.int(2, 5)
    day = today - timedelta(draw.int(3, 10) + (0 if path.homebound else stay))
    booked = day - timedelta(draw.int(25, 90))
    booked_at = to_instant(f"{booked.isoformat()}T{draw.int(9, 21):02}:{draw.int(0, 11) * 5:02}", market.zone)
    policy_on = booked + timedelta(draw.int(0, 4))
    cause = draw.choice(CAUSES["own"])
    versions = draw_versions(
        draw.stream("terms"), setting, addressee, row, want, (booked, policy_on, day, today), bool(child_ages)
    )
    if want.outside:
        cause = draw.choice(versions.governing.excluded)
    delays = draw_delays(draw.stream("delays"), versions.governing, want.below, event, path.legs[0].minutes)
    if not want.travelled:
        delays = Delays(draw.int(66, 100) * 5, delays.arrival, False, False)
    planned, used, logs = _journey(draw, ids, path, day, event, delays, want.travelled)
    zone = market.zone
    _same_day(planned[0].departs, planned[0].dep_zone, zone)
    if used:
        _same_day(_arrived(used[-1], logs), used[-1].arr_zone, zone)
    other_leg = _other_leg(draw, ids, path, day, stay) if want.travelled else None
    if other_leg is not None:
        _same_day(other_leg.arrives, other_leg.arr_zone, zone)
    notice_at = planned[0].departs + draw.int(24, 60) * 3600 + draw.int(0, 11) * 300
    home = _arrived(used[-1], logs) if path.homebound and used else other_leg.arrives if other_leg else 0
    last = max(home, notice_at, _arrived(used[-1], logs) if used else 0)
    if last >= now - 3600:
        raise NoFit
    anchor_day = {
        "scheduled": planned[0].dep_local[:10],
        "arrival": to_local(_arrived(used[-1], logs), zone)[:10] if used else "",
        "return": to_local(home, zone)[:10] if home else "",
        "notice": to_local(notice_at, zone)[:10],
    }[versions.governing.anchor]
    if not anchor_day:
        raise NoFit
    start = date.fromisoformat(anchor_day)
    deadline = last_day(versions.governing, start, market)
    if deadline < today + timedelta(2) or not settled(versions.governing, start, market):
        raise NoFit
    step = step_of(market.code, "fare_step", market.currency)
    leg = _leg_money(draw, rates, setting, path.legs, adults, child_ages, step)
    back = _leg_money(draw, rates, setting, path.legs, adults, child_ages, step) if other_leg else LegMoney(0, 0, 0)
    overnight = bool(used) and to_local(_arrived(used[-1], logs), used[-1].arr_zone)[:10] > day.isoformat()
    receipts = _receipts(draw.stream("receipts"), setting, versions.governing.ceilings, want, day, overnight, adults)
    notice = 0
    if hard and want.expenses and draw.chance(0.7):
        notice = max(
            1, sum(min(r.minor, dict(versions.governing.ceilings)[r.kind]) for r in receipts if not r.flaw) // 4
        )
        small = step_of(market.code, "receipt_step", market.currency)
        notice = -(-notice // small) * small
    plot = Plot(
        addressee,
        carrier_facts()[path.carrier],
        event,
        want,
        now,
        adults,
        child_ages,
        planned,
        used,
        logs,
        other_leg,
        path.homebound,
        booked_at,
        policy_on.isoformat(),
        notice_at,
        versions,
        cause,
        delays,
        distance(market.code, path.legs[0]),
        leg,
        back,
        receipts,
        notice,
        deadline.isoformat(),
        anchor_day,
        hard and draw.chance(0.15),
        draw.chance(0.2),
    )
    heads = heads_of(versions.governing, plot.happened)
    wanted = {"compensation": want.compensation, "expenses": want.expenses, "unused_refund": not want.travelled}
    if heads.keys() != {kind for kind, is_wanted in wanted.items() if is_wanted}:
        raise NoFit
    return plot


def _want(draw: Draw, setting: Setting, addressee: Addressee, event: EventKind, has_compensation: bool) -> Want:
    difficulty = setting.difficulty
    two = difficulty == "hard" or (difficulty == "standard" and draw.chance(0.5))
    stays = addressee == "carrier" and event == "cancel" and draw.chance(0.5)
    if difficulty == "hard" and addressee == "carrier" and not has_compensation:
        stays = draw.chance(0.6)
    if stays:
        return Want("cancel" if draw.chance(0.8) else "delay", False, False, two, outside=draw.chance(0.4))
    if not has_compensation:
        return Want(event, True, False, True)
    if draw.chance(0.2):
        below = event != "missed" and draw.chance(0.5)
        return Want(event, True, False, True, below, not below)
    return Want(event, True, True, two)


def _service(ids: Draw, carrier: CarrierFacts, route: Route, departs: int, number: int) -> Service:
    dep_zone, arr_zone = zone_of(route.start), zone_of(route.end)
    return Service(
        ids.id("svc"),
        carrier.code,
        f"{carrier.code} {number}",
        route.start,
        route.end,
        departs,
        departs + route.minutes * 60,
        dep_zone,
        arr_zone,
        terminal_of(carrier, route.start, route.end),
        terminal_of(carrier, route.end, route.start),
        route.minutes,
        0,
        0,
        "",
        (carrier.code, route.start, route.end, to_local(departs, dep_zone)[:10]),
    )


def _journey(
    draw: Draw, ids: Draw, path: Path, day: date, event: EventKind, delays: Delays, travelled: bool
) -> tuple[tuple[Service, ...], tuple[Service, ...], tuple[Log, ...]]:
    """Make the services planned, those really used, and what became of each."""
    carrier, route, number = carrier_facts()[path.carrier], path.legs[0], draw.int(12, 89) * 10
    slot = draw.int(6 * 12, 21 * 12)
    departs = to_instant(f"{day.isoformat()}T{slot // 12:02}:{slot % 12 * 5:02}", zone_of(route.start))
    first = _service(ids, carrier, route, departs, number)
    late = (first.departs + delays.departure * 60, first.arrives + delays.arrival * 60)
    if event == "missed":
        gap = draw.int(18, 36) * 300
        onward = _service(ids, carrier, path.legs[1], first.arrives + gap, number + 4)
        arrived = onward.arrives + delays.arrival * 60
        left = arrived - onward.minutes * 60
        reached = onward.departs + draw.int(2, 14) * 300 - 1200
        if reached + 2700 > left:
            raise NoFit
        taken = _service(ids, carrier, path.legs[1], left // 300 * 300, number + 6)
        logs = (
            Log(first, "delayed", first.departs + reached - first.arrives, reached),
            Log(onward, "flown", onward.departs, onward.arrives),
            Log(taken, "flown", left, arrived),
        )
        return (first, onward), (first, taken), logs
    if event == "delay":
        if not travelled:
            late = (late[0], first.arrives + delays.departure * 60)
        return (first,), (first,) if travelled else (), (Log(first, "delayed", *late),)
    cancelled = Log(first, "cancelled", 0, 0)
    if not travelled:
        return (first,), (), (cancelled,)
    taken = _service(ids, carrier, route, late[0] // 300 * 300, number + 8)
    return (first,), (taken,), (cancelled, Log(taken, "flown", *late))


def _other_leg(draw: Draw, ids: Draw, path: Path, day: date, stay: int) -> Service:
    """Make the other direction of a return ticket: the way out before the event, or the way back after it."""
    first, last = path.legs[0], path.legs[-1]
    route = Route(last.end, first.start, sum(leg.minutes for leg in path.legs), (0, 0), (), 1.0)
    other_day = day - timedelta(stay) if path.homebound else day + timedelta(stay)
    departs = to_instant(f"{other_day.isoformat()}T{draw.int(8, 15):02}:{draw.int(0, 11) * 5:02}", zone_of(route.start))
    return _service(ids, carrier_facts()[path.carrier], route, departs, draw.int(90, 99) * 10 + 1)


def _arrived(service: Service, logs: tuple[Log, ...]) -> int:
    return next(log.arrived for log in logs if log.service is service)


def _same_day(instant: int, zone: str, home: str) -> None:
    """Refuse an instant whose date differs between the place and the addressee's zone."""
    if to_local(instant, zone)[:10] != to_local(instant, home)[:10]:
        raise NoFit


def _leg_money(
    draw: Draw,
    rates: Rates,
    setting: Setting,
    legs: tuple[Route, ...],
    adults: int,
    child_ages: tuple[int, ...],
    step: int,
) -> LegMoney:
    currency, persons = setting.market.currency, adults + len(child_ages)
    usd = sum(draw.uniform(*leg.usd) for leg in legs)
    base = rates.from_usd(max(usd, 12), currency, step)
    fare = base * adults + base * CHILD_PERCENT // 100 * len(child_ages)
    fuel, airport = (rates.from_usd(usd * draw.uniform(0.08, 0.2), currency, max(1, step // 4)) for _ in range(2))
    return LegMoney(fare, fuel * persons, airport * persons)


def _receipts(
    draw: Draw,
    setting: Setting,
    ceilings: tuple[tuple[str, int], ...],
    want: Want,
    day: date,
    overnight: bool,
    adults: int,
) -> tuple[Receipt, ...]:
    """Draw what was spent on the way: receipts that count if expenses are wanted, and some that do not.

    A room is paid for, and anything on the next day, only where the journey ended on the next day.
    """
    market, difficulty = setting.market, setting.difficulty
    step = step_of(market.code, "receipt_step", market.currency)
    usual = dict(ceilings or scheme(market.code, "insurer", market.currency).ceilings)

    def one(kind: str, factor: float, flaw: str = "", back: int = 0) -> Receipt:
        amount = max(step, round(usual[kind] * factor / step) * step)
        when = day - timedelta(back) if back else day + timedelta(draw.int(0, int(overnight)))
        return Receipt(kind, amount, when.isoformat(), draw.int(0, adults - 1), flaw)

    found: list[Receipt] = []
    # Where the cause bars expenses, receipts that would count are there all the same.
    if want.expenses or (want.outside and not want.travelled):
        count = {"easy": 2, "standard": draw.int(2, 3), "hard": draw.int(3, 4)}[difficulty]
        kinds = draw.sample(("hotel" if overnight else "transport", "transport", "meal", "meal"), count)
        over = draw.int(0, count - 1)
        for place, kind in enumerate(kinds):
            factor = draw.uniform(1.1, 1.5) if place == over and draw.chance(0.8) else draw.uniform(0.45, 0.94)
            found.append(one(kind, factor))
    flaws = draw.sample(("unnamed", "before", "stranger", "copy"), {"easy": 1, "standard": 1, "hard": 2}[difficulty])
    for flaw in flaws:
        if flaw == "copy":
            if found and not found[0].flaw:
                found.append(msgspec.structs.replace(found[0], flaw="copy"))
            continue
        kind = draw.choice(("meal", "transport"))
        found.append(one(kind, draw.uniform(0.4, 0.9), flaw, draw.int(1, 2) if flaw == "before" else 0))
    return tuple(found)


def money(minor: int, setting: Setting) -> Money:
    """Return an amount in the market's currency."""
    return Money(minor, setting.market.currency)
