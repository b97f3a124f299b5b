"""The case of an overbooked house, and its options read against the records."""

from __future__ import annotations

import msgspec

from agentbench_env.episode import Episode
from agentbench_env.world import World
from agentbench_tasks.travel.domain.household import Traveller
from agentbench_tasks.travel.domain.overbooking.answer import Option, RecoveryAnswer
from agentbench_tasks.travel.domain.overbooking.build import Built, Wish
from agentbench_tasks.travel.domain.overbooking.candidates import Candidate
from agentbench_tasks.travel.domain.overbooking.words import Words
from agentbench_tasks.travel.domain.records import Booking
from agentbench_tasks.travel.domain.records_stays import Property, Rate, RoomType
from agentbench_tasks.travel.domain.stay_offers import OfferedRate


class OverbookingCase(msgspec.Struct, frozen=True):
    """Everything that an instance fixes."""

    built: Built
    wish: Wish
    fits: dict[str, tuple[str, ...]]
    """The rates that fit, by house."""
    start: World
    traveller: Traveller
    card: str
    notice: str
    """Id of the house's message."""
    confirmation: str
    """Id of the message that confirmed the booking."""
    booking: Booking
    offer: str
    """Id of what the house offers to be accepted."""
    hold: str
    """Id of the user's hold for another trip."""
    governing: str
    """Id of the page of the terms that govern."""
    newer: str
    """Id of the version of them for later bookings."""
    other: str
    """Id of the page of the terms of the party that did not sell the stay."""
    words: dict[str, Words]
    """The user's sentences by language."""

    @property
    def currency(self) -> str:
        """The currency that everything is in."""
        return self.built.budget.currency

    def offered(self, one: Candidate, rate: Rate) -> OfferedRate:
        """A rate of a house one could move to, with its bill."""
        built = self.built
        return OfferedRate(rate, one.house.record, one.charges, self.wish.guests, built.law, built.area)

    def candidate(self, house: str) -> Candidate | None:
        """The house one could move to with this id."""
        return next((one for one in self.built.candidates if one.house.record.id == house), None)


class Chosen:
    """An option of the answer, with its house, room and rate as far as there are such."""

    def __init__(self, case: OverbookingCase, ep: Episode, option: Option) -> None:
        self.option, self._case = option, case
        house, room, rate = (ep.world.find(id) for id in (option.property_id, option.room_type_id, option.rate_id))
        self.house = house if isinstance(house, Property) else None
        self.room = room if isinstance(room, RoomType) and room.property_id == option.property_id else None
        belongs = isinstance(rate, Rate) and (rate.property_id, rate.room_type_id) == (
            option.property_id,
            option.room_type_id,
        )
        self.rate = rate if isinstance(rate, Rate) and belongs else None

    @property
    def offered(self) -> OfferedRate | None:
        """The rate with its bill; None where it is none of a house one could move to."""
        candidate = self._case.candidate(self.option.property_id)
        return self._case.offered(candidate, self.rate) if self.rate and candidate else None


def answer_of(ep: Episode) -> RecoveryAnswer:
    """The delivered answer."""
    assert isinstance(ep.answer, RecoveryAnswer)
    return ep.answer


def chosen_of(case: OverbookingCase, ep: Episode) -> list[Chosen]:
    """The options of the answer."""
    return [Chosen(case, ep, option) for option in answer_of(ep).options]
