"""The proof of a shortlist: works from the records of the world alone, by its own reckoning."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any

from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.pages import Page, Section
from agentbench_tasks.commons.texts import CountSlot, Text
from agentbench_tasks.reservations.domain.market import reservation_market
from agentbench_tasks.reservations.domain.menu_page import DinnerPrice
from agentbench_tasks.reservations.domain.places import Listing, Place, Point, Review
from agentbench_tasks.reservations.domain.shortlist.goal import Goal
from agentbench_tasks.reservations.domain.shortlist.plot import Plot

_WRITTEN = ("noise", "private_room", "room_capacity", "seating", "band")


def prove(world: World, mark: Point, metres: int, plot: Plot, goal: Goal) -> None:
    """Raise NoFit unless the goal follows from what the houses publish and the guests write."""
    near = {
        place.id: place
        for place in world.all(Place)
        if (place.point[0] - mark[0]) ** 2 + (place.point[1] - mark[1]) ** 2 < (metres + 1) ** 2
    }
    own = _own_words(world, near)
    found = {id: _settled(world, place, own[id]) for id, place in near.items()}
    claimed = {id: {name: _plain(one.value) for name, one in row.items()} for id, row in goal.evidence.items()}
    fitting = {id for id, row in found.items() if all(_fits(row, must.attribute, must) for must in plot.musts)}
    if found != claimed or fitting != {*goal.members} or not fitting:
        raise NoFit


def _own_words(world: World, near: dict[str, Place]) -> dict[str, dict[str, Any]]:
    """By house, the facts of its listing and of its pages in force; prices are reckoned anew."""
    own: dict[str, dict[str, Any]] = {id: {} for id in near}
    heads = {page.id: page for page in world.all(Page) if page.publisher in near}
    replaced = {page.supersedes for page in heads.values()}
    stating = [(row.venue_id, row.stated) for row in world.all(Listing) if row.venue_id in near]
    for section in world.all(Section):
        head = heads.get(section.page_id)
        if head and head.id not in replaced and head.kind in ("rooms", "menu"):
            stating.append((head.publisher, section.stated))
    for venue_id, facts in stating:
        for fact in facts:
            name = fact.key.removesuffix(f".{venue_id}")
            if name in _WRITTEN and own[venue_id].setdefault(name, fact.value) != fact.value:
                raise NoFit
    for dinner in world.all(DinnerPrice):
        if dinner.venue_id in near and own[dinner.venue_id].get("band") != _band(dinner, near[dinner.venue_id]):
            raise NoFit
    return own


def _band(dinner: DinnerPrice, place: Place) -> str:
    """The band of a printed price, reckoned in whole ten-thousandths of minor units."""
    charges = dinner.charges
    added = 100 + charges.service_pct + charges.fee_pct
    factors = {"final": 10_000, "each_on_net": (added + charges.tax_pct) * 100}
    paid = dinner.price.minor * factors.get(charges.mode, added * (100 + charges.tax_pct))
    edges = reservation_market(place.country).bands.edges
    # Half a minor unit is rounded up; no edge lies nearer to what is paid.
    return "ABCDE"[sum(paid + 5_000 >= edge * 10_000 for edge in edges)]


def _settled(world: World, place: Place, own: dict[str, Any]) -> dict[str, Any]:
    """What holds of each attribute of a house: its own word, else the last visit that may be counted."""
    today = to_local(world.now, place.zone)[:10]
    last: dict[str, tuple[str, Any]] = {}
    seats: set[str] = set()
    for review in world.where(Review, "venue_id", place.id):
        if review.posted_on > today or review.visited_on < place.renovated_on or _is_old(review.visited_on, today):
            continue
        for name, value in _impressions(review).items():
            if name == "seating":
                seats.add(value)
            elif name not in last or last[name][0] < review.visited_on:
                last[name] = review.visited_on, value
            elif last[name][0] == review.visited_on and last[name][1] != value:
                raise NoFit
    settled: dict[str, Any] = {}
    if "band" in own:
        settled["price_band"] = own["band"]
    if "seating" in own or seats:
        settled["seating"] = own["seating"].split(",") if "seating" in own else sorted(seats)
    for name in ("noise", "private_room"):
        if name in own:
            settled[name] = own[name]
        elif name in last:
            settled[name] = last[name][1]
    if "private_room" in own:
        settled["private_room"] = [own["private_room"], own.get("room_capacity", 0)]
    return settled


def _is_old(visited_on: str, today: str) -> bool:
    then, now = date.fromisoformat(visited_on), date.fromisoformat(today)
    return (now - then).days > 366


def _impressions(review: Review) -> dict[str, Any]:
    """What a review tells, by the kinds of the texts that it is made of."""
    told: dict[str, Any] = defaultdict(int)
    slots: dict[str, Any] = dict(review.text.slots) if isinstance(review.text, Text) else {}
    for said in (slots.get("first"), slots.get("second")):
        if not isinstance(said, Text):
            continue
        name, _, value = said.kind.partition(".")
        if name == "room_capacity":
            seats: Any = dict(said.slots)["seats"]
            assert isinstance(seats, CountSlot)
            told[name] = seats.number
        else:
            told[name] = value
    if "private_room" in told:
        told["private_room"] = [told["private_room"], told.pop("room_capacity", 0)]
    return dict(told)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _fits(row: dict[str, Any], name: str, must: Any) -> bool:
    value = row.get(name)
    if name == "private_room":
        return value is not None and value[0] == must.wanted[0] and value[1] >= must.guests
    if name == "seating":
        return must.wanted[0] in (value or ())
    return value in must.wanted
