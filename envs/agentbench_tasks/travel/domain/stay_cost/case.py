"""The case of a stay's true cost, and the rate that an answer is about."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_env.world import World
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.records import Names
from agentbench_tasks.travel.domain.records_stays import Property, Rate
from agentbench_tasks.travel.domain.stay_bills import Bill
from agentbench_tasks.travel.domain.stay_cost.plot import Story
from agentbench_tasks.travel.domain.stay_cost.words import Words
from agentbench_tasks.travel.domain.stay_offers import OfferedRate
from agentbench_tasks.travel.domain.stay_rules import Charges


class StayCostCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    story: Story
    bill: Bill
    """The right bill."""
    start: World
    target: str
    """Id of the rate asked about."""
    traps: tuple[str, ...]
    charges: dict[str, Charges]
    """What each house charges, by its id."""
    traveller: Traveller
    card: str
    home: Names
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def currency(self) -> str:
        """The currency that everything is in."""
        return self.story.nights[0].shown.currency


def chosen_rate(case: StayCostCase, ep: Episode, rate_id: str) -> OfferedRate | None:
    """The rate of an answer, None if it names none."""
    rate = ep.world.find(rate_id)
    if not isinstance(rate, Rate):
        return None
    story, house = case.story, ep.world.get(Property, rate.property_id)
    return OfferedRate(rate, house, case.charges[house.id], story.guests, story.law, story.area)


def text_of(amounts: Sequence[tuple[str, int]], currency: str) -> str:
    """Write amounts by kind for a finding."""
    return ", ".join(f"{kind} {Money(amount, currency)}" for kind, amount in amounts) or "none"
