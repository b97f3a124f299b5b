"""The shortlist as it is delivered."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from agentbench_env.claims import Part
from agentbench_env.task import Answer

SOURCES = (
    "Ids of what bears it out, as earlier results showed them, at most six: listing_id, page_id, section_id or "
    "review_id, and no review of a visit more than twelve months ago or from before the place was renovated"
)
BandName = Literal["", "A", "B", "C", "D", "E"]
NoiseName = Literal["", "quiet", "moderate", "loud"]
RoomName = Literal["", "none", "partial", "closed_room"]
SeatName = Literal["table", "counter", "sofa", "floor", "sunken_floor", "terrace"]


class BandClaim(Part):
    """The price band, with what bears it out."""

    value: BandName = Field(
        default="",
        description="A, B, C, D, E: the band of the city's guide to prices and labels in which dinner for one person "
        "falls with all charges in it; drinks, room charges and minimum spends do not count. Empty: not borne out.",
    )
    sources: list[str] = Field(default=[], description=f"{SOURCES}: here the place's listing or its menu page.")


class SeatingClaim(Part):
    """The kinds of seats, with what bears them out."""

    value: list[SeatName] = Field(
        default=[],
        description="All kinds of seats that the place's listing or page on rooms and seating names or, where neither "
        "names any, all that the reviews which count mention. table: at a table on chairs; counter: at a counter or "
        "bar; sofa; floor: on the floor; sunken_floor: at floor level with a well for the legs; terrace: outdoors. "
        "Empty: not borne out. What a queue or a booking screen calls its seats does not count.",
    )
    sources: list[str] = Field(default=[], description=f"{SOURCES}. Where reviews tell, one for each kind.")


class NoiseClaim(Part):
    """How loud it is, with what bears it out."""

    value: NoiseName = Field(
        default="",
        description="quiet: one talks in a low or normal voice; moderate: lively, but one can talk; loud: one has to "
        "raise one's voice. Empty: not borne out.",
    )
    sources: list[str] = Field(default=[], description=f"{SOURCES}.")


class RoomValue(Part):
    """A private room."""

    kind: RoomName = Field(
        default="",
        description="closed_room: a room with walls and a door; partial: a part set off by a curtain or screen; none: "
        "there is no private room, or works keep it shut at present. Empty: not borne out.",
    )
    capacity: int = Field(default=0, description="For how many guests it is at most; 0 where that is not stated.", ge=0)


class RoomClaim(Part):
    """The private room, with what bears it out."""

    value: RoomValue = Field(default=RoomValue(), description="The private room.")
    sources: list[str] = Field(default=[], description=f"{SOURCES}.")


class Claims(Part):
    """What is borne out of a place; what is not stays empty."""

    price_band: BandClaim = Field(default=BandClaim(), description="The price band.")
    seating: SeatingClaim = Field(default=SeatingClaim(), description="The kinds of seats.")
    noise: NoiseClaim = Field(default=NoiseClaim(), description="How loud it is.")
    private_room: RoomClaim = Field(default=RoomClaim(), description="The private room.")


class Listed(Part):
    """A place of the shortlist."""

    venue: str = Field(description="venue_id of the place.")
    claims: Claims = Field(
        default=Claims(),
        description="Everything of the four that is borne out. What the place says itself, in its listing or on its "
        "pages, goes before reviews, however old it is, unless a later page has replaced it; among reviews the latest "
        "visit goes first. Tags, symbols and hints of the site, booking screens and other branches bear nothing out.",
    )


class Shortlist(Answer):
    """Deliver the shortlist. This ends the episode."""

    shortlist: list[Listed] = Field(
        default=[], description="Every place within the distance that is borne out to meet both musts, in any order."
    )
