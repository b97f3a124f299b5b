"""The case of an accessible stay, and what the checks read from the answer."""

from __future__ import annotations

from functools import cached_property

from agentbench_env.episode import Episode
from agentbench_env.money import Money
from agentbench_tasks.commons.errand import BuiltCase
from agentbench_tasks.commons.wallet import PaymentMethod
from agentbench_tasks.travel.domain.accessible.answer import AccessibleStayAnswer
from agentbench_tasks.travel.domain.accessible.build import Built
from agentbench_tasks.travel.domain.accessible.plot import Wish
from agentbench_tasks.travel.domain.accessible.words import Words
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.rates import rate_lines
from agentbench_tasks.travel.domain.records_stays import Property, Rate, RoomType


class AccessibleCase(BuiltCase[Built, Words], frozen=True):
    """Everything that an instance of the accessible stay fixes."""

    traveller: Traveller
    card: PaymentMethod

    @property
    def wish(self) -> Wish:
        """The request."""
        return self.built.wish


class Chosen:
    """The house, room and rate that the answer names, read against the records."""

    def __init__(self, case: AccessibleCase, ep: Episode) -> None:
        assert isinstance(ep.answer, AccessibleStayAnswer)
        self.answer, self._case, self._ep = ep.answer, case, ep

    @cached_property
    def house(self) -> Property | None:
        """The house, None if there is no such one."""
        house = self._ep.world.find(self.answer.property_id)
        return house if isinstance(house, Property) else None

    @cached_property
    def room(self) -> RoomType | None:
        """The room, None if the house has no such one."""
        room = self._ep.world.find(self.answer.room_type_id)
        return room if isinstance(room, RoomType) and self.house and room.property_id == self.house.id else None

    @cached_property
    def rate(self) -> Rate | None:
        """The rate, None if it is not one of the room for the nights asked for."""
        rate = self._ep.world.find(self.answer.rate_id)
        return rate if isinstance(rate, Rate) and rate in self.rates else None

    @cached_property
    def rates(self) -> list[Rate]:
        """Every rate of the room for the nights asked for."""
        if self.house is None or self.room is None:
            return []
        rates = self._ep.world.where(Rate, "stay", (self.house.id, *self._case.wish.stay))
        return [rate for rate in rates if rate.room_type_id == self.answer.room_type_id]

    def total(self, rate: Rate) -> Money:
        """What a rate comes to for the party, as shown."""
        return rate_lines(rate, self._case.wish.party.size)[1]

    def fits_ceiling(self, rate: Rate) -> bool:
        """Whether no night costs more than the user's limit, as shown."""
        lines, _ = rate_lines(rate, self._case.wish.party.size)
        return all(line.minor <= self._case.wish.ceiling.minor for line in lines)
