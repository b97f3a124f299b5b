"""The proof: exactly the meant houses qualify, no plain guess finds them, and the terms in force give what is owed.

It reads the records alone: listings, rates, ways and pages in force; of the story only the request.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from agentbench_env.world import Record
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.travel.domain.overbooking.build import Built, Wish
from agentbench_tasks.travel.domain.records_ground import RouteTime
from agentbench_tasks.travel.domain.records_stays import Property, Rate, Review, RoomType
from agentbench_tasks.travel.domain.stay_reckoning import Stay, Told, reckon, stated_facts

HUNDRED = Decimal(100)
Fits = dict[str, tuple[str, ...]]


def prove(built: Built, wish: Wish, records: Sequence[Record]) -> Fits:
    """Return the rates that fit by house; raise NoFit where the instance is not as meant."""
    fits = _fitting(built, wish, records)
    meant = {one.house.record.id for one in built.candidates if not one.miss}
    if set(fits) != meant or any(set(guess) == meant for guess in _guesses(built, records)):
        raise NoFit
    _prove_terms(built, records)
    return fits


def _fitting(built: Built, wish: Wish, records: Sequence[Record]) -> Fits:
    told = stated_facts(records, wish.stay[0])
    rooms = {one.id: one for one in records if isinstance(one, RoomType)}
    rides: dict[str, list[RouteTime]] = {}
    for ride in (one for one in records if isinstance(one, RouteTime)):
        rides.setdefault(ride.pair[1], []).append(ride)
    rates: dict[tuple[str, str, str], list[Rate]] = {}
    for rate in (one for one in records if isinstance(one, Rate)):
        rates.setdefault(rate.stay, []).append(rate)
    rules = {one.house.record.id: one.charges.rules for one in built.candidates}
    found: Fits = {}
    for house in (one for one in records if isinstance(one, Property) and one.id in rules):
        comparable = house.official_class >= wish.original.level
        if not wish.original.level:
            comparable = house.kind == wish.original.kind
        near = house.district_id in wish.districts
        open_late = all(_arrival(wish, ride) <= _closing(house) for ride in rides[house.id])
        able = all(told[f"{house.id}.{must}"] for must in wish.musts if must in ("step_free", "pets"))
        if not (comparable and near and open_late and able):
            continue
        fit: list[str] = []
        for rate in rates.get((house.id, *wish.stay), ()):
            if not rate.rooms_left or rate.closes:
                continue
            room = rooms[rate.room_type_id]
            bed = "twin" not in wish.musts or room.beds == "twin"
            meal = "breakfast" not in wish.musts or rate.board != "room_only"
            stay = Stay(house, built.area.id, rules[house.id], rate.nights, rate.board, wish.guests)
            if bed and meal and room.max_guests >= wish.guests.size and reckon(stay, told)[0] <= wish.limit:
                fit.append(rate.id)
        if fit:
            found[house.id] = tuple(fit)
    return found


def _arrival(wish: Wish, ride: RouteTime) -> int:
    hour, minute = (int(part) for part in wish.depart[11:].split(":"))
    return hour * 60 + minute + ride.minutes + ride.headway


def _closing(house: Property) -> int:
    closes = min(house.desk.closes, house.checkin.closes)
    return int(closes[:2]) * 60 + int(closes[3:])


def _guesses(built: Built, records: Iterable[Record]) -> Iterable[Sequence[str]]:
    """The best praised, the cheapest as shown, and the nearest houses, as many as are right."""
    ids = {one.house.record.id for one in built.candidates}
    praise: dict[str, float] = {}
    price: dict[str, int] = {}
    ways: dict[str, int] = {}
    for one in records:
        if isinstance(one, Review) and one.property_id in ids:
            praise[one.property_id] = max(praise.get(one.property_id, 0.0), float(one.score))
        elif isinstance(one, Rate) and one.property_id in ids and one.rooms_left:
            shown = sum(night.shown.minor for night in one.nights)
            price[one.property_id] = min(price.get(one.property_id, shown), shown)
        elif isinstance(one, RouteTime):
            ways[one.pair[1]] = min(ways.get(one.pair[1], one.minutes), one.minutes)
    count = built.plot.right
    yield sorted(praise, key=lambda id: -praise[id])[:count]
    yield sorted(price, key=lambda id: price[id])[:count]
    yield sorted(ways, key=lambda id: ways[id])[:count]


def _prove_terms(built: Built, records: Sequence[Record]) -> None:
    """Raise NoFit unless the seller's pages of the day of booking state what gives the items owed."""
    plot, day = built.plot, built.plot.booked_on.isoformat()
    pages = {
        one.id
        for one in records
        if isinstance(one, Page)
        and (one.publisher, one.kind) == (built.owner, "channel_guarantee" if plot.agency else "lodging_terms")
        and one.effective_from <= day <= (one.effective_to or day)
    }
    sections = [one for one in records if isinstance(one, Section) and one.page_id in pages]
    told: Told = {fact.key: fact.value for section in sections for fact in section.stated}
    if len(pages) != 1 or sorted(_items(built, told)) != sorted(
        (one.code, one.amount or one.cap or 0, one.by) for one in built.owed
    ):
        raise NoFit


def _items(built: Built, told: Mapping[str, str | int | bool]) -> Iterable[tuple[str, int, str]]:
    plot, total = built.plot, Decimal(sum(built.paid))
    own = {key.removeprefix(f"{built.owner}."): value for key, value in told.items()}
    if plot.cause in ("storm", "outage"):
        assert "refund_only" in own
        yield "refund_only", int(total), ""
        return
    barred = {"refund_only", "once" if plot.cause == "oversold" else "thrice", "weekday" if plot.weekend else "weekend"}
    report = str(own.pop("report", ""))
    annex = own.pop("annex", "")
    for code, value in own.items():
        if code in barred:
            continue
        by = _deadline(plot.told_at, plot.zone, report) if code != "refund" else ""
        if code in ("difference_share", "share", "weekday", "weekend"):
            yield code, int(total * int(value) / HUNDRED), by
        elif code == "cancel_charge":
            yield code, int(Decimal(built.paid[0]) * int(str(annex).split()[1]) / HUNDRED), by
        else:
            worth = {"refund": total, "once": total, "thrice": total * 3}.get(code, Decimal(int(value)))
            yield code, int(worth), by


def _deadline(told_at: int, zone: str, report: str) -> str:
    if not report:
        return ""
    number, unit = report.split()
    if unit == "hours":
        return to_local(told_at + int(number) * 3600, zone)
    end = datetime.fromisoformat(to_local(told_at, zone)[:10]) + timedelta(int(number) + 1)
    return to_local(to_instant(end.isoformat(timespec="minutes"), zone) - 60, zone)
