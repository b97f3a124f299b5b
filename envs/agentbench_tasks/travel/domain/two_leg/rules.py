"""What the user asks of a two-leg journey, and which conditions a pair of options fails.

The generator's proof, the checks and the user's wishes all judge by these functions; the expert uses none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Literal

import msgspec

from agentbench_env.money import Money
from agentbench_tasks.travel.domain.inventory import Option, Party
from agentbench_tasks.travel.domain.records import Bag, Point, Service, link_key, separate_key

Shape = Literal["connect", "stopover", "out_and_back"]
Mode = Literal["quote", "hold"]
Reaction = Literal["yes", "change", "no", "silence"]


class Wish(msgspec.Struct, frozen=True, gc=False):
    """The request. Dates and times are local where they happen; 0 and "" mean: not asked for."""

    shape: Shape
    mode: Mode
    reaction: Reaction
    """What the user answers to a proposed hold: yes, only after a change (an unspoken wish), no, or nothing."""
    party: Party
    bags: tuple[Bag, ...]
    bag_each: bool
    depart_from: str
    depart_to: str
    arrive_on: str
    arrive_from: str
    arrive_to: str
    budget: Money
    max_gap: int = 0
    nights: int = 0
    economy: bool = False
    nonstop_leg: int = 0
    refundable_leg: int = 0
    excluded_point: str = ""
    """An airport that the user does not want; only said when asked or when it is proposed."""
    not_before: str = ""
    """An hour before which the user does not want to leave; only said when asked or when it is proposed."""

    @property
    def bag_kg(self) -> int:
        """What each checked bag may weigh."""
        return self.bags[0].kg

    @property
    def grants(self) -> bool:
        """Whether this user grants a free hold that meets every wish."""
        return self.mode == "hold" and self.reaction in ("yes", "change")


def single_failures(option: Option, wish: Wish, now: int) -> set[str]:
    """Return the conditions that an option fails whatever the other leg is."""
    return set(_single_failures(option, wish, now))


def fits_alone(option: Option, wish: Wish, now: int) -> bool:
    """Whether an option fails none of those conditions."""
    return not any(_single_failures(option, wish, now))


def _single_failures(option: Option, wish: Wish, now: int) -> Iterator[str]:
    service, fare = option.service, option.fare
    if option.leg == 1:
        if not wish.depart_from <= service.dep_local[:10] <= wish.depart_to:
            yield "depart_window"
    else:
        local = service.arr_local
        if local[:10] != wish.arrive_on or not wish.arrive_from <= local[11:] <= wish.arrive_to:
            yield "arrive_window"
    if option.leg == wish.nonstop_leg and service.stops:
        yield "stops"
    if option.leg == wish.refundable_leg and not fare.refundable:
        yield "refundable"
    if wish.economy and fare.cabin != "economy":
        yield "cabin"
    if option.cost < 0:
        yield "bag"
    if service.on_sale_from > now or not fare.open or fare.seats < wish.party.size:
        yield "on_sale"
    if fare.closes and wish.grants:
        yield "vanishes"
    if wish.excluded_point and wish.excluded_point in (service.origin, service.dest):
        yield "airport_excluded"
    if wish.not_before and service.dep_local[11:] < wish.not_before:
        yield "no_departure_before"


def pair_failures(one: Option, two: Option, wish: Wish, points: dict[str, Point]) -> set[str]:
    """Return the conditions that only the two options together fail."""
    failed = set[str]()
    gap = gap_minutes(one.service, two.service)
    if wish.shape == "connect":
        minimum = minimum_between(one.service, two.service, points)
        if minimum is None or gap < minimum[0]:
            failed.add("connection_min")
        if wish.max_gap and gap > wish.max_gap:
            failed.add("connection_max")
    elif nights_between(one.service, two.service) != wish.nights or gap < 0:
        failed.add("nights_between")
    if one.cost >= 0 and two.cost >= 0 and one.cost + two.cost > wish.budget.minor:
        failed.add("budget")
    return failed


def gap_minutes(one: Service, two: Service) -> int:
    """Return the minutes from the first leg's arrival to the second one's departure."""
    return (two.departs - one.arrives) // 60


def nights_between(one: Service, two: Service) -> int:
    """Return the nights from the local date of arrival to the local date of departure."""
    return (date.fromisoformat(two.dep_local[:10]) - date.fromisoformat(one.arr_local[:10])).days


def minimum_between(one: Service, two: Service, points: dict[str, Point]) -> tuple[int, str] | None:
    """Return the published minimum between two services on separate tickets and its fact key; None if there is none."""
    here = points[one.dest]
    if one.dest == two.origin:
        same = one.arr_terminal == two.dep_terminal
        for row in here.mct:
            if not row.protected and row.same_terminal == same:
                return row.minutes, separate_key(one.dest, same)
        return None
    for link in here.links:
        if link.to == two.origin:
            return link.minutes, link_key(one.dest, two.origin)
    return None
