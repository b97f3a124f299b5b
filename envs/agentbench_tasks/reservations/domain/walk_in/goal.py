"""How a house stands towards the party: what it takes to be let in, when one sits down, and the best of those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from agentbench_env.claims import Fact
from agentbench_env.world import World
from agentbench_tasks.commons.service_time import service_minutes
from agentbench_tasks.reservations.domain.diet_page import (
    DietStatement,
    certified_value,
    diet_key,
    diet_level,
)
from agentbench_tasks.reservations.domain.geo import walk_between
from agentbench_tasks.reservations.domain.hours_page import hours_key
from agentbench_tasks.reservations.domain.market import Band, reservation_market
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice, price_band
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.queue import Board, queue_key, walk_in_value
from agentbench_tasks.reservations.domain.registry import Certificate
from agentbench_tasks.reservations.domain.venue import opening_of

BEFORE_LAST_ORDER = 20
"""Minutes before the last order of food by which a party must sit."""
Flaw = Literal["far", "band", "need", "queue", "on_site", "party", "cutoff", "last_order", "closed"]


class Wish(msgspec.Struct, frozen=True):
    """What the party wants."""

    now: int
    minute: int
    today: str
    origin_id: str
    """Id of the landmark from which it walks."""
    party: int
    limit: int
    band: Band
    need: str


class Standing(msgspec.Struct, frozen=True):
    """How a house stands at the minute of the request; times are minutes of the service day."""

    venue_id: str
    board: Board
    walk: int
    arrival: int
    seat: int
    last_order: int
    """The last order of food of the service in which one would sit, -1 if the house is closed."""
    last_order_fact: Fact
    band: Band | None
    diet_fact: Fact | None
    """What proves the diet, None if nothing does."""
    together: bool
    flaws: frozenset[Flaw]

    @property
    def viable(self) -> bool:
        """Whether the party can just go there."""
        return not self.flaws

    @property
    def rank(self) -> tuple[int, int]:
        """Its place among others: the earliest seat first, then the shorter walk."""
        return self.seat, self.walk

    @property
    def together_fact(self) -> Fact:
        """Which parties may walk in."""
        return queue_key(self.venue_id, "walk_in"), walk_in_value(self.board.walk_in)

    @property
    def bound(self) -> int:
        """The time that bounds the queue: the end of the list or, where there is none, the last order of food."""
        return service_minutes(self.board.ticket_cutoff) if self.board.ticket_cutoff else self.last_order

    @property
    def bound_fact(self) -> Fact:
        """What states the time that bounds the queue."""
        if self.board.ticket_cutoff:
            return queue_key(self.venue_id, "ticket_cutoff"), self.board.ticket_cutoff
        return self.last_order_fact


def standing(world: World, venue_id: str, wish: Wish) -> Standing:
    """Return how a house stands."""
    board = world.where(Board, "venue_id", venue_id)[0]
    walk = walk_between(world, wish.origin_id, venue_id).minutes
    arrival = wish.minute + walk
    seat = arrival + board.wait_min
    rows = opening_of(world, venue_id).rows(wish.today)
    # The service that is on or, for whoever comes too early, the next; after the last one, that one.
    row = next((row for row in rows if seat < service_minutes(row.hours.close)), rows[-1] if rows else None)
    last_order = service_minutes(row.hours.last_order_food) if row else -1
    fact = (hours_key(row, "last_order_food"), row.hours.last_order_food) if row else ("", "")
    band = _band(world, venue_id)
    diet = _diet_fact(world, venue_id, wish)
    together = board.walk_in.holds(wish.party) and any(seat != "counter" for seat in board.seating)
    found: dict[Flaw, bool] = {
        "far": walk > wish.limit,
        "band": band != wish.band,
        "need": diet is None,
        "queue": board.mode == "none" or not board.accepting,
        "on_site": any(key == queue_key(venue_id, "on_site") and value is False for key, value in _stated(board)),
        "party": not together,
        "cutoff": bool(board.ticket_cutoff) and service_minutes(board.ticket_cutoff) <= arrival,
        "last_order": row is not None and seat > last_order - BEFORE_LAST_ORDER,
        "closed": row is None,
    }
    if board.mode == "none":
        # A house without a queue states neither parties nor a way to join.
        found["on_site"] = found["party"] = False
    flaws = frozenset[Flaw](flaw for flaw, there in found.items() if there)
    return Standing(venue_id, board, walk, arrival, seat, last_order, fact, band, diet, together, flaws)


def best(standings: Iterable[Standing], wanted: int) -> tuple[Standing, ...]:
    """Return the best of those that are viable, in their order."""
    return tuple(sorted((one for one in standings if one.viable), key=lambda one: one.rank)[:wanted])


def _stated(board: Board) -> Iterable[Fact]:
    return ((fact.key, fact.value) for fact in board.stated)


def _band(world: World, venue_id: str) -> Band | None:
    dinner = next(iter(world.where(DinnerPrice, "venue_id", venue_id)), None)
    bands = reservation_market(world.get(Place, venue_id).country).bands
    return price_band(bands, dinner.price, dinner.charges) if dinner else None


def _diet_fact(world: World, venue_id: str, wish: Wish) -> Fact | None:
    if diet_level(world, venue_id, wish.need, wish.today) == "none":
        return None
    statement = next(row for row in world.where(DietStatement, "venue_id", venue_id) if row.need == wish.need)
    value = statement.value
    if statement.certificate_id:
        value = certified_value(world.get(Certificate, statement.certificate_id))
    return diet_key(venue_id, wish.need), value
