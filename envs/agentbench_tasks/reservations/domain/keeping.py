"""When a house of the plot is to be open, fixed before there is a house."""

from __future__ import annotations

import msgspec

from agentbench_tasks.reservations.domain.house import House
from agentbench_tasks.reservations.domain.openings import EVERY_DAY
from agentbench_tasks.reservations.domain.venue import ClosureRule, HoursRule, Opening, ServiceHours


class Keeping(msgspec.Struct, frozen=True):
    """When a house is open, before it is built."""

    services: tuple[ServiceHours, ...]
    closure: ClosureRule
    """Without ids yet."""

    def opening(self, country: str) -> Opening:
        """Return everything that decides when it is open."""
        rows = [HoursRule("", "", "", EVERY_DAY, hours) for hours in self.services]
        return Opening(country, rows, [self.closure])

    def give_to(self, house: House) -> None:
        """Let a house keep it."""
        house.open_for(self.services)
        ids = {"id": house.ids.id("cls"), "venue_id": house.place.id, "page_id": house.page_id("hours")}
        house.closures = [msgspec.structs.replace(self.closure, **ids)]
