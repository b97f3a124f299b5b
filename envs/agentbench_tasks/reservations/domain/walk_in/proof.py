"""The proof of a list: every house of the town is judged anew from the tables, by rules written down here once more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from fractions import Fraction

from agentbench_env.market import load_country
from agentbench_env.world import World
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.reservations.domain.diet_page import DietStatement
from agentbench_tasks.reservations.domain.geo import Walk
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice
from agentbench_tasks.reservations.domain.places import Mark, Place
from agentbench_tasks.reservations.domain.queue import Board
from agentbench_tasks.reservations.domain.registry import Certificate
from agentbench_tasks.reservations.domain.venue import ClosureRule, HoursRule, Notice, SeasonHours
from agentbench_tasks.reservations.domain.walk_in.goal import Standing, Wish


def prove(world: World, wish: Wish, goal: Sequence[Standing]) -> None:
    """Raise NoFit unless the goal, and nothing else, follows from the tables."""
    found = [row for place in world.all(Place) if (row := _row(world, place, wish))]
    found.sort()
    if len({row[:2] for row in found[:4]}) != len(found[:4]):
        raise NoFit
    if [row[2] for row in found[:3]] != [one.venue_id for one in goal]:
        raise NoFit
    if [row[0] for row in found[:3]] != [one.seat for one in goal]:
        raise NoFit


def _row(world: World, place: Place, wish: Wish) -> tuple[int, int, str] | None:
    """Seat and walk of a house into which the party can walk, None for any other."""
    (board,) = world.where(Board, "venue_id", place.id)
    away = any(fact.key.endswith(".on_site") and not fact.value for fact in board.stated)
    if board.mode == "none" or not board.accepting or away:
        return None
    most = board.walk_in.max or wish.party
    if not board.walk_in.min <= wish.party <= most or set(board.seating) == {"counter"}:
        return None
    if not _keeps(world, place, wish):
        return None
    walk = _walk(world, place, wish)
    if walk > wish.limit:
        return None
    if board.ticket_cutoff and _minutes(board.ticket_cutoff) <= wish.minute + walk:
        return None
    wait = board.groups_waiting * board.minutes_per_group if board.est_wait_min == -1 else board.est_wait_min
    seat = wish.minute + walk + wait
    orders = _last_orders(world, place, wish)
    # The evening's service ends last of all.
    if not orders or seat + 20 > orders[-1]:
        return None
    return (seat, walk, place.id) if _costs(world, place) == wish.band else None


def _walk(world: World, place: Place, wish: Wish) -> int:
    known = [walk.metres for walk in world.all(Walk) if {walk.from_id, walk.to_id} == {wish.origin_id, place.id}]
    (x, y), (u, v) = world.get(Mark, wish.origin_id).point, place.point
    metres = known[0] if known else abs(x - u) + abs(y - v)
    return (metres + 79) // 80


def _keeps(world: World, place: Place, wish: Wish) -> bool:
    for row in world.where(DietStatement, "venue_id", place.id):
        if row.need != wish.need or row.scope != "all":
            continue
        if not row.certificate_id:
            return True
        paper = world.get(Certificate, row.certificate_id)
        if paper.status == "valid" and paper.valid_from <= wish.today <= paper.valid_to:
            return True
    return False


def _costs(world: World, place: Place) -> str:
    (dinner,) = world.where(DinnerPrice, "venue_id", place.id)
    rule, paid = dinner.charges, Fraction(dinner.price.minor)
    if rule.mode == "each_on_net":
        paid *= Fraction(100 + rule.service_pct + rule.fee_pct + rule.tax_pct, 100)
    elif rule.mode in ("on_service", "compounded"):
        paid *= Fraction(100 + rule.service_pct + rule.fee_pct, 100) * Fraction(100 + rule.tax_pct, 100)
    edges = reservation_market(place.country).bands.edges
    # A bill that rounding could carry over an edge is no instance.
    if any(abs(paid - edge) < 2 for edge in edges):
        raise NoFit
    return "ABCDE"[len([edge for edge in edges if paid >= edge])]


def _last_orders(world: World, place: Place, wish: Wish) -> list[int]:
    """The last orders of food of the day's services in their order, none if the house is closed."""
    day = date.fromisoformat(wish.today)
    shut = [
        row.scope for row in world.where(Notice, "venue_id", place.id) if row.from_date <= wish.today <= row.to_date
    ]
    if "all" in shut or _rests(world, place, day):
        return []
    if any(row.from_date <= wish.today <= row.to_date for row in world.where(SeasonHours, "venue_id", place.id)):
        raise NoFit
    rows = [row.hours for row in world.where(HoursRule, "venue_id", place.id) if day.isoweekday() in row.weekdays]
    rows = [hours for hours in rows if hours.service not in shut]
    return [_minutes(hours.last_order_food) for hours in sorted(rows, key=lambda hours: _minutes(hours.close))]


def _rests(world: World, place: Place, day: date) -> bool:
    """Whether a closing rule closes the house on a day that neither is a holiday nor follows one."""
    around = (day - timedelta(1), day)
    if any("private" in row.applies_to for row in load_country(place.country).holidays(*around)):
        raise NoFit
    for rule in world.where(ClosureRule, "venue_id", place.id):
        dated = day.isoformat() in rule.dates or (
            bool(rule.from_date) and rule.from_date <= day.isoformat() <= rule.to_date
        )
        weekly = day.isoweekday() in rule.weekdays
        if rule.kind == "nth_weekday":
            weekly = weekly and -(-day.day // 7) in rule.nth
        if dated or weekly:
            return True
    return False


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)
