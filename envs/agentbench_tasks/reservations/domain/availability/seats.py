"""How the venue that is asked about takes bookings, who sits there, and what the site says; and its other outlet."""

from __future__ import annotations

from datetime import date

from agentbench_env.draw import Draw
from agentbench_tasks.commons.service_time import service_clock, service_minutes
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.availability.plot import Plot
from agentbench_tasks.reservations.domain.availability.schedule import Schedule
from agentbench_tasks.reservations.domain.availability.services import STEP
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.listing_text import TablesTonight, open_till, tables_tonight
from agentbench_tasks.reservations.domain.openings import EVERY_DAY
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.places import SiteSection
from agentbench_tasks.reservations.domain.surface import BookingWindow, Route, Step
from agentbench_tasks.reservations.domain.venue import ClosureRule, ServiceHours

LEAST_PARTY, MOST_PARTY = 3, 8
"""The site looks at tables for two; the party is larger."""
SHORT_WINDOWS = (14, 7)
"""How many days ahead a book opens that is not open yet."""
TURN = 120
"""Minutes for which a table is taken."""
LAST_CLOCK = "29:30"
"""When the last guests of any day have left."""
_STEPS: dict[tuple[Step, ...], float] = {(): 7, ("card_hold",): 1, ("deposit",): 1}


def take_bookings(draw: Draw, house: House, plot: Plot, schedule: Schedule) -> int:
    """Let a house take bookings on the web, as a plot has it, and return how many guests ask for a table."""
    limit = draw.choice(house.rules.routes.online_max)
    _book_online(draw, house, limit)
    if plot.reason == "outside_booking_window":
        ahead = (date.fromisoformat(schedule.day) - date.fromisoformat(schedule.today)).days
        days = next(days for days in SHORT_WINDOWS if days < ahead)
        house.window = BookingWindow(days_ahead=days, lead_minutes=house.window.lead_minutes)
    if "phone_party" in plot.traps:
        return limit + draw.int(1, 2)
    return draw.int(LEAST_PARTY, min(limit, MOST_PARTY))


def _book_online(draw: Draw, house: House, limit: int) -> None:
    larger = usual.off_the_web(
        draw, house.rules, house.place, draw.choice(("phone", "phone", "messenger")), PartyRange(limit + 1)
    )
    house.take_bookings(Route("instant", "", PartyRange(1, limit), steps=draw.weighted(_STEPS)), larger)
    house.window = BookingWindow(days_ahead=draw.choice(house.rules.routes.window_days), lead_minutes=60)


def seat_guests(draw: Draw, house: House, plot: Plot, day: str, clock: str, party: int) -> None:
    """Settle who sits where on the day, so that the party finds a table at the hour or does not."""
    furnishing = house.furnishing
    furnishing.settle(day)
    services = house.opening.services(day)
    if not services:
        return
    opens = min(services[0].open, clock)
    # Two tables alone decide for the party; beside them it may see one that is too small.
    others = furnishing.seating_for(party)
    small = [table for table in others if table.seats_max < party][:1]
    furnishing.take([table for table in others if table not in small], day, opens, LAST_CLOCK)
    one, two = furnishing.add(party - 1, party + 1), furnishing.add(party, party + 2)
    split = "party_split" in plot.traps
    if plot.reason == "full_for_party" and split:
        # Before the hour one of them is free for long enough, after it the other one.
        furnishing.take([one], day, _by(clock, TURN - STEP), LAST_CLOCK)
        furnishing.take([two], day, opens, _by(clock, STEP))
    elif plot.reason == "full_for_party":
        furnishing.take([one, two], day, opens, LAST_CLOCK)
    elif split:
        furnishing.take([one], day, opens, clock)
        furnishing.take([one], day, _by(clock, TURN), LAST_CLOCK)
        furnishing.take([two], day, opens, LAST_CLOCK)
    elif draw.chance(0.5):
        furnishing.take([two], day, opens, LAST_CLOCK)


def hint(draw: Draw, house: House, plot: Plot) -> None:
    """Let the site say how it stands tonight; where that is to mislead, the opposite of the truth."""
    says: TablesTonight = "some"
    if (plot.reason == "none") == ("site_grid" in plot.traps):
        says = "none" if plot.reason == "none" else draw.choice(("few", "none"))
    site, language, variant = house.site, house.language, house.variant
    closes = max(rule.hours.close for rule in house.hours)
    house.site = SiteSection(
        site.tags,
        tables_tonight(says, language, variant),
        open_till(closes, language, variant),
        site.popularity,
        site.price_symbol,
    )


def contrast(draw: Draw, sister: House, house: House, plot: Plot, schedule: Schedule, clock: str, party: int) -> None:
    """Let another outlet of the brand answer the same question the other way round, with hours of its own."""
    sister.open_for([_all_day(draw, house, clock)])
    weekdays = {schedule.weekday, *(day for rule in house.closures for day in rule.weekdays)}
    closing = draw.choice([day for day in EVERY_DAY[:5] if day not in weekdays])
    id, page = sister.ids.id("cls"), sister.page_id("hours")
    sister.closures = [ClosureRule(id, sister.place.id, page, "weekly", (closing,))]
    _book_online(draw, sister, max(party, *sister.rules.routes.online_max))
    sister.furnishing.settle(schedule.day)
    sister.furnishing.add(party, party + 2)
    if plot.reason == "none":
        sister.furnishing.take(sister.furnishing.seating_for(party), schedule.day, "06:00", LAST_CLOCK)


def _all_day(draw: Draw, house: House, clock: str) -> ServiceHours:
    """Draw hours that hold an hour, with another last order than a house has."""
    pattern = draw.choice(house.rules.hours.options("all_day"))
    last = max(pattern.last_food, _by(clock, STEP))
    if last in {rule.hours.last_order_food for rule in house.hours}:
        last = _by(last, STEP // 2)
    return ServiceHours("all_day", pattern.open, last, _by(last, 2 * STEP))


def _by(clock: str, minutes: int) -> str:
    return service_clock(service_minutes(clock) + minutes)
