"""The story of an entry check: who travels with which passport, by which flights, and what is left open."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import shared_table
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.travel.domain.entry.rules import (
    AIRSIDE,
    BORDER,
    TRANSIT_FREE,
    Country,
    Document,
    Gap,
    Item,
    Value,
    add_months,
    country,
    nationalities,
)
from agentbench_tasks.travel.domain.geography import carrier_facts, points, terminal_of, zone_of

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
GUARD_DAYS = 3
"""Days on which a right answer turns lie at least this far from a limit."""
TRANSITS = {"easy": 0, "standard": 1, "hard": 2}
GAPS: dict[str, dict[int, float]] = {
    "easy": {0: 0.11, 1: 0.89},
    "standard": {0: 0.11, 1: 0.56, 2: 0.33},
    "hard": {0: 0.11, 1: 0.22, 2: 0.67},
}
"""How many points are left open where traps bite; where none does, none is."""
BENIGN = 0.1
KINDS: dict[Gap, float] = {
    "silent": 0.22,
    "conflict": 0.22,
    "expires_before_travel": 0.2,
    "discretion": 0.18,
    "under_revision": 0.18,
}
DETOUR_MINUTES = 550
"""How much longer than the direct flight the way may be in the air, for each transit."""
Passage = Literal["destination", "separate", "change", "airside"]
"""How a place is passed: the end of the way, separate tickets, a change of airport on one ticket, or airside."""


class Stop(msgspec.Struct, frozen=True, gc=False):
    """A place on the way, from landing to leaving; of the destination `leaves` is midnight of the last day."""

    country: str
    passage: Passage
    lands_at: str
    leaves_from: str
    arrives: int
    leaves: int

    @property
    def items(self) -> tuple[Item, ...]:
        """What is to be answered of it."""
        return tuple(Item(self.country, r) for r in (AIRSIDE if self.passage == "airside" else BORDER))

    @property
    def arrival_day(self) -> date:
        """The local date of arrival."""
        return date.fromisoformat(to_local(self.arrives, zone_of(self.lands_at))[:10])

    @property
    def last_day(self) -> date:
        """The local date of leaving."""
        return date.fromisoformat(to_local(self.leaves, zone_of(self.lands_at))[:10])


class Flight(msgspec.Struct, frozen=True, gc=False):
    """A flight of the way and the ticket it is on, counted from 0."""

    carrier: str
    number: str
    start: str
    end: str
    departs: int
    arrives: int
    ticket: int


class Plot(msgspec.Struct, frozen=True):
    """The drawn story: everything but what is written about it."""

    home: Country
    nationality: str
    document: Document
    expires: date
    now: int
    purpose: str
    flights: tuple[Flight, ...]
    stops: tuple[Stop, ...]
    gaps: tuple[tuple[Item, Gap], ...]
    benign: bool

    @property
    def items(self) -> tuple[Item, ...]:
        """Everything that is to be answered."""
        return tuple(item for stop in self.stops for item in stop.items)

    @property
    def today(self) -> date:
        """The local date at the beginning."""
        return date.fromisoformat(to_local(self.now, self.home.zone)[:10])

    def gap(self, item: Item) -> Gap | None:
        """How the authorities leave an item open, None if they settle it."""
        return dict(self.gaps).get(item)

    def rule(self, item: Item) -> tuple[str, Value, str]:
        """What applies to the traveller by the fixtures: kind of sentence, value, and the last day of the measure."""
        if item.requirement == "transit_permission":
            return "transit_free", TRANSIT_FREE, ""
        row = country(item.place).row(item, self.nationality)
        return row.kind, row.value, row.until

    def met(self, item: Item) -> bool | None:
        """Whether passport or stay meets the rule; None where that is not asked."""
        stop = next(stop for stop in self.stops if stop.country == item.place)
        _, value, _ = self.rule(item)
        if value.rule == "months_after_arrival":
            return self.expires >= add_months(stop.arrival_day, int(value.number))
        if value.rule == "whole_stay":
            return self.expires >= stop.last_day
        if item.requirement == "visa_or_stay" and value.number:
            return (stop.last_day - stop.arrival_day).days + 1 <= int(value.number)
        return None


class Plan(msgspec.Struct, frozen=True):
    """What is fixed before a story is looked for: who travels, and in which ways points are to be left open."""

    nationality: str
    kinds: tuple[Gap, ...]
    benign: bool


def draw_plan(draw: Draw, setting: Setting) -> Plan:
    """Draw what every attempt at a story keeps."""
    home = setting.market.code
    benign = draw.chance(BENIGN)
    number = 0 if benign else draw.weighted(GAPS[setting.difficulty])
    kinds: list[Gap] = []
    while len(kinds) < number:
        kind = draw.weighted(KINDS)
        if kind not in kinds:
            kinds.append(kind)
    others = [n for n in nationalities() if n != home]
    share = 0.25
    if not _endings(home, home):
        # Those whom no measure with an end concerns leave the journeys that need one to residents whom one does.
        share = 0.5 if "expires_before_travel" in kinds else 0.15
        others = [n for n in others if _endings(home, n)] if "expires_before_travel" in kinds else others
    nationality = draw.choice(others) if draw.chance(share) else home
    if "expires_before_travel" in kinds and not _endings(home, nationality):
        spare: list[Gap] = [kind for kind in KINDS if kind not in kinds]
        kinds = [draw.choice(spare) if kind == "expires_before_travel" else kind for kind in kinds]
    return Plan(nationality, tuple(kinds), benign)


def draw_plot(draw: Draw, setting: Setting, plan: Plan) -> Plot:
    """Draw a story; raise NoFit where the draws do not fit together."""
    home, nationality, kinds = country(setting.market.code), plan.nationality, plan.kinds
    document: Document = "emergency" if "silent" in kinds or draw.chance(0.12) else "ordinary"
    abroad = [code for code in nationalities() if code not in (home.code, nationality)]
    ending = draw.choice(_endings(home.code, nationality)) if "expires_before_travel" in kinds else None
    start, lead = _dates(draw, ending)
    now = to_instant(f"{start.isoformat()}T{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}", home.zone)
    count = TRANSITS[setting.difficulty]
    places = draw.sample([code for code in abroad if not ending or code != ending[0].place], count + 1)
    passages = _passages(draw, count)
    if ending:
        borders = [n for n in range(count + 1) if n == count or passages[n] != "airside"]
        places[draw.choice(borders)] = ending[0].place
    _keep_sensible(home.code, places)
    flights, landings = _flights(draw, home, places, passages, start + timedelta(lead))
    stops = _stops(draw, places, passages, flights, landings, nationality)
    plain = Plot(
        home,
        nationality,
        document,
        _expiry(draw, stops, nationality),
        now,
        draw.choice(("tourism", "business", "family")),
        flights,
        stops,
        (),
        plan.benign,
    )
    _keep_clear(plain, ending[0] if ending else None)
    return msgspec.structs.replace(plain, gaps=_gaps(draw, plain, kinds, ending[0] if ending else None))


def _endings(home: str, nationality: str) -> list[tuple[Item, date]]:
    """The measures abroad for a nationality that have a last day."""
    items = [Item(code, r) for code in nationalities() if code not in (home, nationality) for r in BORDER]
    ends = [(item, country(item.place).row(item, nationality).until) for item in items]
    return [(item, date.fromisoformat(until)) for item, until in ends if until]


def _dates(draw: Draw, ending: tuple[Item, date] | None) -> tuple[date, int]:
    """Draw today and the days until departure: beyond the measure's last day, where one is to end before."""
    if ending is None:
        return draw.day(FIRST_DAY, LAST_DAY), draw.int(25, 75)
    until = ending[1]
    start = draw.day(max(FIRST_DAY, until - timedelta(70)), min(LAST_DAY, until - timedelta(3)))
    return start, max(draw.int(25, 60), (until - start).days + draw.int(5, 25))


def _keep_sensible(home: str, places: list[str]) -> None:
    """Refuse ways that nobody would fly."""
    minutes: dict[str, dict[str, int]] = shared_table("entry")["minutes"]
    way = sum(minutes[one][other] for one, other in pairwise((home, *places)))
    if way > minutes[home][places[-1]] + DETOUR_MINUTES * (len(places) - 1):
        raise NoFit


def _passages(draw: Draw, count: int) -> list[Passage]:
    """Draw how each transit is passed; at least one of two is not airside."""
    found: list[Passage] = [draw.weighted({"separate": 0.4, "change": 0.22, "airside": 0.38}) for _ in range(count)]  # type: ignore[misc]
    if count > 1 and set(found) == {"airside"}:
        found[draw.int(0, count - 1)] = "separate"
    return [*found, "destination"]


def _flights(
    draw: Draw, home: Country, places: list[str], passages: list[Passage], day: date
) -> tuple[tuple[Flight, ...], list[tuple[str, str]]]:
    """Draw the flights, and at each place the airports of landing and of leaving."""
    start, flights, landings, ticket = home.airports[0], list[Flight](), list[tuple[str, str]](), 0
    departs = to_instant(f"{day.isoformat()}T{draw.int(7, 20):02}:{draw.int(0, 11) * 5:02}", home.zone)
    before = home.code
    for place, passage in zip(places, passages, strict=True):
        airports = country(place).airports
        if passage == "change" and len(airports) < 2:
            raise NoFit
        ends = tuple(draw.shuffled(airports)) if passage == "change" else (airports[0], airports[0])
        minutes: int = shared_table("entry")["minutes"][before][place] + draw.int(-3, 3) * 5
        carrier = _carrier(draw, before, place)
        arrives = departs + minutes * 60
        number = f"{carrier}{draw.int(101, 899)}"
        flights.append(Flight(carrier, number, start, ends[0], departs, arrives, ticket))
        landings.append((ends[0], ends[1]))
        ticket += passage == "separate"
        departs = arrives + _layover(draw, passage, ends, place) * 60
        start, before = ends[1], place
    return tuple(flights), landings


def _carrier(draw: Draw, one: str, other: str) -> str:
    homes = shared_table("carriers")["carriers"]
    found = [code for code, facts in carrier_facts().items() if facts.kind == "full"]
    return draw.choice([code for code in found if homes[code]["home"] in (one, other)])


def _layover(draw: Draw, passage: Passage, ends: tuple[str, ...], place: str) -> int:
    """Minutes between two flights: airside well within what the country allows, otherwise enough for an entry."""
    if passage == "change":
        least = next(link.minutes for link in points()[ends[0]].links if link.to == ends[1])
        return least + draw.int(12, 60) * 5
    if passage == "separate":
        return draw.int(48, 200) * 5
    return draw.int(18, min(96, country(place).transit_hours * 12 - 36)) * 5


def _stops(
    draw: Draw,
    places: list[str],
    passages: list[Passage],
    flights: tuple[Flight, ...],
    landings: list[tuple[str, str]],
    nationality: str,
) -> tuple[Stop, ...]:
    stops: list[Stop] = []
    for number, (place, passage) in enumerate(zip(places, passages, strict=True)):
        arrives = flights[number].arrives
        lands_at, leaves_from = landings[number]
        if passage == "destination":
            zone = zone_of(lands_at)
            day = date.fromisoformat(to_local(arrives, zone)[:10]) + timedelta(_nights(draw, place, nationality))
            leaves, leaves_from = to_instant(f"{day.isoformat()}T00:00", zone), ""
        else:
            leaves = flights[number + 1].departs
        stops.append(Stop(place, passage, lands_at, leaves_from, arrives, leaves))
    return tuple(stops)


def _nights(draw: Draw, place: str, nationality: str) -> int:
    """Draw the length of the stay, often around what is allowed; never on the limit itself."""
    value = country(place).row(Item(place, "visa_or_stay"), nationality).value
    if not value.number or not draw.chance(0.7 if int(value.number) <= 30 else 0.35):
        return draw.int(4, 11)
    return int(value.number) + draw.choice((-3, -2, 2, 3))


def _expiry(draw: Draw, stops: tuple[Stop, ...], nationality: str) -> date:
    """Draw the passport's last day around the first limit that counts months, else around the end of the stay."""
    delta = draw.choice((-1, 1)) * draw.int(GUARD_DAYS, 20)
    for stop in stops:
        value = country(stop.country).row(Item(stop.country, "passport_validity"), nationality).value
        if stop.passage != "airside" and value.number:
            return add_months(stop.arrival_day, int(value.number)) + timedelta(delta)
    return stops[-1].last_day + timedelta(delta)


def _keep_clear(plot: Plot, ending: Item | None) -> None:
    """See to it that no right answer turns on a day near a limit, and that no measure ends but the one meant to."""
    for stop in plot.stops:
        for item in stop.items:
            _, value, until = plot.rule(item)
            if until:
                last = date.fromisoformat(until)
                clear = stop.arrival_day > last if item == ending else last >= stop.last_day + timedelta(GUARD_DAYS)
                if not clear:
                    raise NoFit
            if item.requirement == "passport_validity":
                limit = add_months(stop.arrival_day, int(value.number)) if value.number else stop.last_day
                if abs((plot.expires - limit).days) < GUARD_DAYS:
                    raise NoFit
    if plot.expires <= plot.stops[-1].arrival_day:
        raise NoFit


def _gaps(draw: Draw, plot: Plot, kinds: tuple[Gap, ...], ending: Item | None) -> tuple[tuple[Item, Gap], ...]:
    found: dict[Item, Gap] = {ending: "expires_before_travel"} if ending else {}
    for kind in kinds:
        if kind == "expires_before_travel":
            continue
        free = [item for item in plot.items if item not in found and _can_be(plot, item, kind)]
        if not free:
            raise NoFit
        found[draw.choice(free)] = kind
    return tuple(sorted(found.items()))


def _can_be(plot: Plot, item: Item, kind: Gap) -> bool:
    rule_kind, value, until = plot.rule(item)
    if until:
        return False
    if kind == "conflict":
        return item.requirement != "transit_permission" and other_values(rule_kind, value) != ()
    if kind == "discretion":
        return item.requirement != "visa_or_stay"
    return True


def other_values(kind: str, value: Value) -> tuple[Value, ...]:
    """Return what another version of the rule might say, () where no other is at hand."""
    if value.rule in ("not_required", "on_arrival") and value.number:
        return tuple(Value(value.rule, days) for days in ("14", "15", "30", "60", "90") if days != value.number)
    if value.rule == "visa_required":
        return (Value("not_required", "14"), Value("not_required", "30"))
    if value.rule == "months_after_arrival":
        return (Value("whole_stay"), Value("months_after_arrival", "3"))
    if value.rule == "whole_stay":
        return (Value("months_after_arrival", "6"), Value("months_after_arrival", "3"))
    return (Value("not_needed"),) if value.rule == "needed" else ()


def terminals(flight: Flight) -> tuple[str, str]:
    """The terminals at which a flight leaves and lands, as far as they are known."""
    facts = carrier_facts()[flight.carrier]
    return (
        terminal_of(facts, flight.start, flight.end) or next(iter(points()[flight.start].terminals), ""),
        terminal_of(facts, flight.end, flight.start) or next(iter(points()[flight.end].terminals), ""),
    )
