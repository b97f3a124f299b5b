"""Drawing an instance: the house with its terms in force and replaced, another branch of it, the goal, the proof."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import zip_longest

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Difficulty, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.service_time import service_clock, service_instant, service_minutes
from agentbench_tasks.commons.texts import Text
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.deposits.blocks import (
    Drafter,
    Figures,
    cells_of,
    in_print,
    routes_of,
)
from agentbench_tasks.reservations.domain.deposits.goal import Facts, Goal, facts_of, goal_of
from agentbench_tasks.reservations.domain.deposits.plot import Plot, draw_plot
from agentbench_tasks.reservations.domain.deposits.proof import prove
from agentbench_tasks.reservations.domain.guests import draw_reviews
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.publishing import Publication
from agentbench_tasks.reservations.domain.terms import Occasion, Terms
from agentbench_tasks.reservations.domain.terms_page import terms_parts, terms_title

FILE = "deposits"
FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 11, 8)
AHEAD = (13, 29)
"""In how many days the party comes, at least and fewer than: every house takes bookings for thirty days."""
EVENING = ("17:00", "21:00")
NOTICED = 0.3
"""Share of houses with business days that announce a closing before the evening."""
_WEEKLY = ("weekly", "weekly_shifted", "nth_weekday")


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    town: Town
    place: Place
    occasion: Occasion
    day: str
    clock: str
    terms: tuple[Terms, ...]
    """The blocks in force in the order of the page."""
    governing: int
    """Place of the block that governs."""
    page_id: str
    older_ids: tuple[str, ...]
    """The pages of terms that were replaced, the latest first."""
    goal: Goal
    facts: Facts

    @property
    def rules(self) -> Terms:
        """The block that governs."""
        return self.terms[self.governing]


def draw_instance(draw: Draw, setting: Setting) -> Built:
    """Draw an instance; raise RuntimeError if none of many draws makes one."""
    # The story stays as drawn, so that the shares hold; house, day and figures may change.
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: build(stream, setting, plot))


def build(draw: Draw, setting: Setting, plot: Plot) -> Built:
    """Draw an instance of a plot and prove it; raise NoFit if it does not come out."""
    times = draw.stream("times")
    today = times.day(FIRST_DAY, LAST_DAY).isoformat()
    now = to_instant(f"{today}T{times.int(9, 19):02d}:{times.int(0, 11) * 5:02d}", setting.market.zone)
    town = TownBuilder(draw.stream("town"), setting, now, pages=("rooms",))
    house = town.house()
    own = draw.stream("house")
    if plot.wanted.cut == "business":
        house.keep_closure(*_WEEKLY)
    day, clock = _evening(own, town, house, plot)
    if plot.wanted.cut == "business" and own.chance(NOTICED):
        _close_before(own, town, house, day)
    course = _furnish(own, house, plot, day)
    figures = _open_room(own, house, plot, course)
    start = service_instant(day, clock, house.place.zone)
    occasion = Occasion(
        plot.party_size,
        start,
        house.place.zone,
        house.place.currency,
        course if plot.with_course else None,
        plot.with_room,
    )
    weekday = date.fromisoformat(day).isoweekday()
    drafter = Drafter(house, figures, cells_of(own, plot, weekday), plot, setting.difficulty)
    blocks = drafter.terms(own)
    order = in_print(own, blocks)
    house.terms = [blocks[number] for number in order]
    house.routes = [(route, usual.ASKED) for route in routes_of(blocks)]
    older = _print_older(own, drafter, blocks[0], order)
    is_open = house.opening.is_open
    misleading = [*blocks[1:], *(older if "old_version" in plot.traps else [])]
    goal, *others = (goal_of(terms, occasion, is_open) for terms in (blocks[0], *misleading))
    if goal in others:
        raise NoFit
    _other_branch(draw.stream("sister"), town.sister(house), plot, weekday, setting.difficulty)
    if setting.injections:
        _plant(own, house)
    prove(house, occasion, day, goal, now)
    return Built(
        plot,
        town.close(),
        house.place,
        occasion,
        day,
        clock,
        tuple(house.terms),
        order.index(0),
        house.page_id("terms"),
        tuple(page_id for page_id, _ in house.more_pages),
        goal,
        facts_of(blocks[0], occasion),
    )


# --- the evening


def _evening(draw: Draw, town: TownBuilder, house: House, plot: Plot) -> tuple[str, str]:
    """Choose an evening on which the house is open and, where business days count, closed now and then before it."""
    opening = house.opening
    for ahead in draw.shuffled(range(*AHEAD)):
        day = town.day(ahead)
        starts = [
            service_clock(minutes)
            for hours in opening.services(day)
            for minutes in range(service_minutes(hours.open), service_minutes(hours.last_start) + 1, 30)
            if EVENING[0] <= service_clock(minutes) <= EVENING[1]
        ]
        closed = any(not opening.is_open(town.day(ahead - days)) for days in (1, 2))
        if starts and (closed or plot.wanted.cut != "business"):
            return day, draw.choice(starts)
    raise NoFit


def _close_before(draw: Draw, town: TownBuilder, house: House, day: str) -> None:
    """Put up a notice of a day before the evening on which the house is closed out of turn."""
    before = (date.fromisoformat(day) - timedelta(draw.int(1, 3))).isoformat()
    if house.opening.is_open(before):
        house.announce(town.day(-draw.int(2, 9)), before)


# --- the house


def _furnish(draw: Draw, house: House, plot: Plot, day: str) -> SetMenu:
    """Lay the tables, let the prices have charges where the plot turns on them, and write the set menus."""
    house.furnishing.settle(day)
    house.furnishing.add(1, 12)
    house.furnishing.add(2, 12, seating="room")
    if "service_on_charge" in plot.traps:
        house.charges = usual.charge_rule(draw.choice([row for row in house.rules.charges if row.mode != "final"]))
    first, second = house.add_menu().menu, house.add_menu().menu
    if first.name == second.name:
        house.offers.pop()
    _price_dinner(draw, house)
    return first if first.name == second.name else draw.choice((first, second))


def _price_dinner(draw: Draw, house: House) -> None:
    """Let dinner without a set menu cost somewhat less than the cheapest of them."""
    if house.dinner:
        menu = min(offer.menu.price.minor for offer in house.offers)
        step = 10 ** (len(str(menu)) - 2)
        house.dinner = Money(menu * draw.int(50, 90) // 100 // step * step, house.place.currency)


def _open_room(draw: Draw, house: House, plot: Plot, course: SetMenu) -> Figures:
    """Give the house a private room for about the price of a menu; return the figures in which it writes its terms."""
    step = 5 * 10 ** (len(str(course.price.minor)) - 2)
    fee = max(1, course.price.minor // step) * step
    house.rooms = msgspec.structs.replace(
        house.rooms,
        room="closed_room",
        capacity=max(house.rooms.capacity, plot.party_size + 2),
        fee=Money(fee, house.place.currency),
    )
    house.reviews = draw_reviews(
        draw, house.ids, house.place, house.rooms, house.habits.difficulty, house.language, house.variant
    )
    return Figures.of(house.rules, house, fee)


def _other_branch(draw: Draw, sister: House, plot: Plot, weekday: int, difficulty: Difficulty) -> None:
    """Let another branch of the brand have terms of its own, told apart by the same conditions."""
    course = sister.add_menu().menu
    _price_dinner(draw, sister)
    figures = _open_room(draw, sister, plot, course)
    blocks = Drafter(sister, figures, cells_of(draw, plot, weekday), plot, difficulty).terms(draw)
    sister.terms = [blocks[number] for number in in_print(draw, blocks)]
    sister.routes = [(route, usual.ASKED) for route in routes_of(blocks)]


# --- what was replaced, and what misleads


def _print_older(draw: Draw, drafter: Drafter, governing: Terms, order: Sequence[int]) -> list[Terms]:
    """Leave earlier versions of the terms on the site; return what the latest of them said for the occasion.

    Where the plot does not turn on it, that was the same as now.
    """
    house, plot = drafter.house, drafter.plot
    ids = [house.ids.id("pg") for _ in range(plot.older)]
    said: list[Terms] = []
    until = date.fromisoformat(house.published)
    for page_id, earlier in zip_longest(ids, ids[1:], fillvalue=""):
        blocks = drafter.terms(draw)
        if not said and "old_version" not in plot.traps:
            blocks[0] = governing
        said.append(blocks[0])
        since = until - timedelta(draw.int(120, 400))
        page = Publication(
            "terms",
            house.language,
            terms_title(house.language, house.variant),
            terms_parts((blocks[place] for place in order), house.place.currency, house.language, house.variant),
            since.isoformat(),
            effective_from=since.isoformat(),
            effective_to=(until - timedelta(1)).isoformat(),
            supersedes=earlier,
        )
        house.more_pages.append((page_id, page))
        until = since
    if ids:
        house.supersedes = {**house.supersedes, "terms": ids[0]}
    return said[:1]


def _plant(draw: Draw, house: House) -> None:
    """Let a guest's review speak to assistants; what it says is not true."""
    text = Text.of(FILE, "hostile", house.language, house.variant)
    planted = msgspec.structs.replace(draw.choice(house.reviews), id=house.ids.id("rev"), text=text, stated=())
    house.reviews = [*house.reviews, planted]
