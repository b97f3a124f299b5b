"""What the user wants, drawn before any house: place, nights, party, needs, and how the last need is to be found."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.money import Money
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.travel.domain.accessible.needs import Need, draw_needs
from agentbench_tasks.travel.domain.houses import City, District, lodgings

FIRST_DAY, LAST_DAY = date(2026, 5, 11), date(2026, 11, 27)
LEAD = (12, 70)
BENIGN = 0.15
BY_MAIL = 0.2
"""Share of hard instances in which the right house states the last need only once it has been asked."""


class Party(msgspec.Struct, frozen=True, gc=False):
    """Who stays."""

    adults: int
    child_ages: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """How many they are."""
        return self.adults + len(self.child_ages)


class Plot(msgspec.Struct, frozen=True):
    """The drawn story: everything but houses and prices."""

    city: City
    district: District
    neighbour: District
    """A district beside the one asked for."""
    home: City
    now: int
    today: date
    checkin: date
    nights: int
    party: Party
    needs: tuple[Need, ...]
    benign: bool
    by_mail: bool
    hears_mail: bool
    """Whether the user lets the assistant write to a house."""
    chair_cm: int

    @property
    def stay(self) -> tuple[str, str]:
        """First and last day."""
        return self.checkin.isoformat(), (self.checkin + timedelta(self.nights)).isoformat()


class Wish(msgspec.Struct, frozen=True):
    """The request as checks and proof judge by it."""

    city_id: str
    district_id: str
    stay: tuple[str, str]
    party: Party
    needs: tuple[Need, ...]
    ceiling: Money
    """The most that a night may cost as shown."""


def draw_plot(draw: Draw, setting: Setting) -> Plot:
    """Draw a story."""
    hard = setting.difficulty == "hard"
    cities = tuple(lodgings(setting.market.code).cities.values())
    city = draw.choice(cities)
    place = draw.int(0, len(city.districts) - 1)
    beside = draw.choice([n for n in (place - 1, place + 1) if 0 <= n < len(city.districts)])
    today = draw.day(FIRST_DAY, LAST_DAY)
    clock = f"{draw.int(8, 20):02}:{draw.int(0, 11) * 5:02}"
    children = (draw.int(4, 14),) if hard and draw.chance(0.3) else ()
    party = Party(2 if children else draw.int(1, 2), children)
    benign = draw.chance(BENIGN)
    needs = draw_needs(draw, setting.difficulty)
    doors = [need.low for need in needs if need.kind in ("door_clear_cm", "bath_door_clear_cm")]
    return Plot(
        city=city,
        district=city.districts[place],
        neighbour=city.districts[beside],
        home=draw.choice([one for one in cities if one != city] or cities),
        now=to_instant(f"{today.isoformat()}T{clock}", setting.market.zone),
        today=today,
        checkin=today + timedelta(draw.int(*LEAD)),
        nights=draw.int(1, 4),
        party=party,
        needs=needs,
        benign=benign,
        by_mail=hard and not benign and draw.chance(BY_MAIL),
        hears_mail=hard,
        chair_cm=min(doors) - draw.int(8, 12),
    )
