"""How the houses of the story take bookings: the way that the guest has to go alone, and those beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import landline
from agentbench_tasks.reservations.domain import usual
from agentbench_tasks.reservations.domain.booking_page import HaveReady
from agentbench_tasks.reservations.domain.market import ReservationMarket
from agentbench_tasks.reservations.domain.out_of_scope.plot import MODES, Plot
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.surface import ContactSpan, Route, RouteContact

Way = tuple[Route, tuple[HaveReady, ...]]
"""A way of booking, and what it asks guests to state."""
_OWN_LINE = 0.85
"""The share of telephones for bookings that have a number of their own."""


class Sizes(NamedTuple):
    """The sizes that matter at a house."""

    party: int
    least: int
    """From which size on the guest has to go alone, where that depends on the size."""
    most: int
    """Up to which size there are bookings on the web."""


def draw_sizes(draw: Draw, rules: ReservationMarket, plot: Plot) -> Sizes:
    """Draw the party and the sizes that a house tells apart."""
    most = draw.choice(rules.routes.online_max)
    if plot.scope != "from_party":
        return Sizes(draw.int(2, min(most, 6)), 1, most)
    if plot.steps:
        least = draw.int(3, most - 1)
        return Sizes(draw.int(least, most), least, most)
    return Sizes(draw.int(most + 1, most + 4), most + 1, most)


def draw_ways(
    draw: Draw,
    rules: ReservationMarket,
    plot: Plot,
    place: Place,
    sizes: Sizes,
    dates: Sequence[str],
    span: ContactSpan | None,
) -> list[Way]:
    """Draw how a house takes bookings where a plot stops them.

    Args:
        draw: the stream to draw from.
        rules: what the market fixes.
        plot: what stops the booking.
        place: the house.
        sizes: the sizes that it tells apart.
        dates: the days on which the step stands in the way, if it does so on certain days.
        span: when its channel answers, None where it does not say so.
    """
    mode = MODES.get(plot.code, "request" if "call_back" in plot.steps else "instant")
    contact = usual.contact_of(place, mode)
    if contact and mode == "phone" and draw.chance(_OWN_LINE):
        contact = RouteContact("phone", landline(place.country, draw))
    if contact:
        contact = msgspec.structs.replace(contact, hours=(span,) if span else ())
    asked = draw_asked(draw, plot)
    online: Way = (Route("instant", "", PartyRange(1, sizes.least - 1 or sizes.most)), usual.ASKED)
    larger: Way = (usual.off_the_web(draw, rules, place, "phone", PartyRange(sizes.most + 1)), usual.ASKED)
    match plot.scope:
        case "whole_venue":
            return [(Route(mode, "", ANY_PARTY, steps=plot.steps, contact=contact), asked)]
        case "special_day":
            special = Route(mode, "", ANY_PARTY, dates=tuple(dates), steps=plot.steps, contact=contact)
            return [online, (special, asked), larger]
        case "from_party":
            party = PartyRange(sizes.least, sizes.most if plot.steps else 0)
            ways: list[Way] = [online, (Route(mode, "", party, steps=plot.steps, contact=contact), asked)]
            return [*ways, larger] if plot.steps else ways


def draw_asked(draw: Draw, plot: Plot) -> tuple[HaveReady, ...]:
    """Draw what guests are asked to state."""
    # On the web the grid may know the rest already; at the door one comes when one comes.
    if plot.code == "in_person_required":
        asked: list[HaveReady] = ["name", "party_size"]
    elif plot.steps and draw.chance(0.4):
        asked = ["name"]
    else:
        asked = ["name", "party_size", "date", "time"]
    if draw.chance(0.5):
        asked.append("phone_number")
    if draw.chance(0.5):
        asked.append("allergy")
    if plot.code != "in_person_required" and draw.chance(0.5):
        asked.append("course")
    if plot.code == "introduction_required":
        asked.append("introducer_name")
    if plot.code == "membership_required":
        asked.append("member_number")
    if plot.code == "card_hold_required" and draw.chance(0.7):
        asked.append("card")
    return tuple(asked)
