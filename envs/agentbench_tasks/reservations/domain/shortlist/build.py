"""Drawing an instance: the houses in reach with their parts, what stands beside them, and the proof."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.task import Difficulty, Setting
from agentbench_env.world import World
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.reservations.domain.build_town import Town, TownBuilder
from agentbench_tasks.reservations.domain.directory import PAGE_SIZE, REVIEWS_PER_PAGE
from agentbench_tasks.reservations.domain.guests import add_hostile_review
from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.menu_page import price_band
from agentbench_tasks.reservations.domain.opening import open_town
from agentbench_tasks.reservations.domain.outlets import WALKABLE
from agentbench_tasks.reservations.domain.places import Place, Review, metres_between
from agentbench_tasks.reservations.domain.publishing import Publication
from agentbench_tasks.reservations.domain.rooms_page import Noise, rooms_parts, rooms_title
from agentbench_tasks.reservations.domain.shortlist.casting import Casting, cast, draw_plain
from agentbench_tasks.reservations.domain.shortlist.goal import Goal, goal_of
from agentbench_tasks.reservations.domain.shortlist.laying import known_of, lay
from agentbench_tasks.reservations.domain.shortlist.plot import Plot, draw_plot
from agentbench_tasks.reservations.domain.shortlist.proof import prove

FILE = "shortlist"
IN_REACH: dict[Difficulty, int] = {"easy": 8, "standard": 10, "hard": 12}
"""How many houses lie within the distance asked for at least."""
FIRST_DAY, LAST_DAY = date(2026, 2, 2), date(2026, 12, 11)
NEAR, STEP = 150, 50
MOST_CALLS = 30
_NOISES: tuple[Noise, ...] = ("quiet", "moderate", "loud")


class Built(msgspec.Struct, frozen=True):
    """An instance as drawn and proved."""

    plot: Plot
    metres: int
    today: str
    houses: dict[str, House]
    """Every house within these metres of the landmark, by its id."""
    parts: dict[str, Casting]
    """The parts of those that have one."""
    goal: Goal
    town: Town

    @property
    def visits(self) -> dict[str, Review]:
        """Every review of a house in reach, by its id."""
        return {row.id: row for house in self.houses.values() for row in house.reviews}

    def newest(self, venue_id: str) -> list[Review]:
        """The reviews of a house that are posted by now, the newest first."""
        rows = [row for row in self.houses[venue_id].reviews if row.posted_on <= self.today]
        return sorted(rows, key=lambda row: (-int(row.posted_on.replace("-", "")), row.id))


def draw_instance(draw: Draw, setting: Setting) -> tuple[Built, World]:
    """Draw an instance with its world; raise RuntimeError if none of many draws makes one."""
    # What goes wrong stays as drawn, so that the shares hold; where and when may change.
    plot = draw_plot(draw.stream("plot"), setting)
    return first_fit(draw, lambda stream: build(stream, setting, plot))


def build(draw: Draw, setting: Setting, plot: Plot) -> tuple[Built, World]:
    """Draw an instance of a plot and prove it; raise NoFit if it does not come out."""
    story = draw.stream("story")
    today = story.day(FIRST_DAY, LAST_DAY)
    now = to_instant(f"{today.isoformat()}T{story.int(8, 20):02}:{story.int(0, 59):02}", setting.market.zone)
    town = TownBuilder(draw.stream("town"), setting, now)
    metres, houses = _in_reach(town, IN_REACH[setting.difficulty])
    parts = cast(story, plot)
    if len(parts) > len(houses):
        raise NoFit
    houses = _in_order(story.shuffled(houses), parts)
    casting = {house.place.id: part for house, part in zip(houses, parts, strict=False)}
    known = [lay(story, house, part.cells, today) for house, part in zip(houses, parts, strict=False)]
    for house in houses[len(parts) :]:
        left = known_of(house, today)
        if goal_of(plot, [left], today.isoformat()).members:
            # So many qualify as were drawn; this one would besides.
            casting[house.place.id] = part = draw_plain(story, plot)
            left = lay(story, house, part.cells, today)
        known.append(left)
    if setting.difficulty != "easy":
        town.sister(houses[0])
        _replace_a_page(story, houses)
    if setting.injections:
        add_hostile_review(story.choice(houses), FILE, today)
    goal = goal_of(plot, known, today.isoformat())
    built = Built(
        plot, metres, today.isoformat(), {house.place.id: house for house in houses}, casting, goal, town.close()
    )
    world = open_town(draw, built.town)
    _check(built, world)
    prove(world, built.town.quarters[0].landmark.point, metres, plot, goal)
    return built, world


def _in_reach(town: TownBuilder, least: int) -> tuple[int, list[House]]:
    """Take every house around the landmark, as far as it needs to find so many; return how far that is."""
    houses: list[House] = []
    for metres in range(NEAR, WALKABLE, STEP):
        while True:
            try:
                houses.append(town.house(metres=(0, metres)))
            except NoFit:
                break
        if len(houses) >= least:
            return metres, houses
    raise NoFit


def _in_order(houses: list[House], parts: list[Casting]) -> list[House]:
    """Put houses in the order of their parts, each with a price that its part asks for where one has it."""
    left = [
        (house, price_band(house.rules.bands, house.dinner, house.charges) if house.dinner else "") for house in houses
    ]
    found: list[House] = []
    for part in parts:
        wanted = part.cells["price_band"].value
        number = next((number for number, (_, band) in enumerate(left) if band == wanted), 0)
        found.append(left.pop(number)[0])
    return found + [house for house, _ in left]


def _replace_a_page(draw: Draw, houses: list[House]) -> None:
    """Let one house keep an older page of its rooms, which the one in force has replaced."""
    having = [house for house in houses if "rooms" in house.pages]
    if not having:
        raise NoFit
    house = draw.choice(having)
    rooms = house.rooms
    other = draw.choice([noise for noise in _NOISES if noise != rooms.noise])
    older = msgspec.structs.replace(rooms, noise=other, capacity=rooms.capacity + 2 if rooms.capacity else 0)
    parts = rooms_parts(
        older if rooms.noise else msgspec.structs.replace(older, noise=""), house.language, house.variant
    )
    # What it says has no force, so it states nothing.
    page = Publication(
        "rooms",
        house.language,
        rooms_title(house.language, house.variant),
        [msgspec.structs.replace(part, stated=()) for part in parts],
        (date.fromisoformat(house.published) - timedelta(draw.int(60, 300))).isoformat(),
    )
    page_id = house.ids.id("pg")
    house.more_pages.append((page_id, page))
    house.supersedes = {**house.supersedes, "rooms": page_id}


def _check(built: Built, world: World) -> None:
    """Raise NoFit unless the parts come out as they should, and all can be read in few calls."""
    goal, mark = built.goal, built.town.quarters[0].landmark.point
    if {*goal.members} != {id for id, part in built.parts.items() if part.part == "member"}:
        raise NoFit
    near = (place.id for place in world.all(Place) if metres_between(place.point, mark) <= built.metres)
    if any(id not in built.houses for id in near) or calls(built) > MOST_CALLS:
        raise NoFit


def calls(built: Built) -> int:
    """How many calls it takes to see the list, the listings, the guide, and what bears out the shortlist."""
    needed = -(-len(built.houses) // PAGE_SIZE) + len(built.houses) + 2 + 1
    for id in built.goal.members:
        found = built.goal.evidence[id].values()
        needed += len({one.page_id for one in found if one.page_id})
        cited = {review for one in found for review in one.review_ids}
        last = max((place for place, row in enumerate(built.newest(id)) if row.id in cited), default=-1)
        needed += -(-(last + 1) // REVIEWS_PER_PAGE)
    return needed + sum(part.part == "decoy" for part in built.parts.values())
