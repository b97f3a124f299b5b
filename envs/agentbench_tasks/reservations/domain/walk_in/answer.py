"""The answer about places to walk into."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer

SOURCES = "Ids of records read in earlier results, at most six"
BandName = Literal["", "A", "B", "C", "D", "E"]
NeedCode = Literal[
    "seated_together",
    "halal_certified",
    "alcohol_free_premises",
    "pure_veg",
    "jay",
    "jain",
    "nut_free_kitchen",
    "buckwheat_free_kitchen",
]


class WalkClaim(Part):
    """A walk with the record that shows it."""

    value: int = Field(default=-1, description="Whole minutes, begun ones counted.")
    sources: list[str] = Field(default=[], description=f"{SOURCES}: the walk_id of the walk from the landmark.")


class BandClaim(Part):
    """A price band with the records that state it."""

    value: BandName = Field(
        default="",
        description="Band of what dinner costs a head in the end, service, fees and tax in it, after the city's guide "
        "to prices and labels. A: the lowest. B: the second. C: the third. D: the fourth. E: the highest.",
    )
    sources: list[str] = Field(
        default=[], description=f"{SOURCES}: what the venue itself states of its prices, on its menu page or listing."
    )


class WaitClaim(Part):
    """A wait with the record that shows it."""

    value: int = Field(
        default=-1, description="Minutes that one waits now: as shown, or groups waiting times minutes a group."
    )
    sources: list[str] = Field(default=[], description=f"{SOURCES}: the venue's board.")


class ServiceMoment(Part):
    """A time of a service."""

    service_date: str = Field(default="", description="Day of the service, YYYY-MM-DD.")
    time: str = Field(default="", description="HH:MM by the venue's clock, hours up to 29 past midnight.")
    zone: str = Field(default="", description="IANA zone; empty for the venue's.")


class BoundClaim(Part):
    """The time that bounds a queue, with the records that state it."""

    value: ServiceMoment = Field(
        default=ServiceMoment(),
        description="Until when names or numbers are given out today; where no such time is set, the last order of "
        "food of the service in which the party would sit.",
    )
    sources: list[str] = Field(
        default=[], description=f"{SOURCES}: the venue's board, its page for walk-in guests, or its page of hours."
    )


class NeedMet(Part):
    """Whether a venue meets something that the party needs."""

    code: NeedCode = Field(
        description="seated_together: the whole party sits together. halal_certified: a halal certificate in force. "
        "alcohol_free_premises: no alcohol served or kept. pure_veg: no meat, fish, egg, milk or pungent plants. "
        "jay: the Thai vegan diet without pungent vegetables. jain: a Jain menu. nut_free_kitchen: no nuts or peanuts "
        "in the kitchen. buckwheat_free_kitchen: no buckwheat in the kitchen."
    )
    met: bool = Field(description="Whether the venue's own words show that it is so.")
    sources: list[str] = Field(
        default=[],
        description=f"{SOURCES}: the venue's own page, its own part of the listing, its board, or the register's row.",
    )


class Queue(Part):
    """How one gets in."""

    mode: Literal["", "host_list", "paper_list", "kiosk_number", "remote_app", "sms_waitlist", "none"] = Field(
        default="",
        description="As the board has it. host_list: the host writes names down. paper_list: one writes one's own name "
        "on a sheet. kiosk_number: a machine at the door gives numbers. remote_app: an app gives numbers. "
        "sms_waitlist: one leaves a number and gets a text message. none: no queue.",
    )
    wait_min: WaitClaim = Field(default=WaitClaim(), description="The wait now.")
    bound: BoundClaim = Field(default=BoundClaim(), description="Until when the queue can be joined.")


class Item(Part):
    """A place that the party can walk into."""

    venue: str = Field(description="Id of the venue.")
    seat_time: ServiceMoment = Field(
        description="When the party sits down: the time named in the request, plus the walk, plus the wait shown now."
    )
    walk: WalkClaim = Field(default=WalkClaim(), description="The walk from the landmark that the request names.")
    band: BandClaim = Field(default=BandClaim(), description="What dinner costs there.")
    needs: list[NeedMet] = Field(
        default=[],
        description="Each thing that the party needs, once: that it sits together, and the diet that was named.",
        max_length=6,
    )
    queue: Queue = Field(default=Queue(), description="How the queue works.")


class WalkInAnswer(Answer):
    """Deliver the list. This ends the episode."""

    outcome: Literal["list", "none_viable"] = Field(
        description="list: there are places to walk into. none_viable: there is not one, and items is empty."
    )
    wanted_band: BandClaim = Field(
        default=BandClaim(), description="Price band of the places that were full, which is the one that is wanted."
    )
    items: list[Item] = Field(
        default=[],
        description="The best places, three or as many as there are, the one with the earliest seat first, of two at "
        "the same time the one with the shorter walk. A place counts if it is open today and takes such a party from "
        "the door now, if one arrives before its list closes, and if one sits at least 20 minutes before the last "
        "order of food. The price band is that of the places that were full.",
        max_length=10,
    )
