"""Looking for a place to stay: the channels' search, the houses' own listings, and what rooms are sold at."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.money import Amount, Money
from agentbench_env.text.fold import fold
from agentbench_env.tool import Tool
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.texts import body_of
from agentbench_tasks.commons.values import Language
from agentbench_tasks.travel.domain.desks import ChildAges, desk_message, stay_dates
from agentbench_tasks.travel.domain.rates import rate_lines
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import (
    Area,
    Channel,
    Hours,
    ListingSection,
    Property,
    Rate,
    Review,
    RoomType,
    SectionKind,
)


class PropertyRow(msgspec.Struct, frozen=True):
    """A house as the search lists it. `from_price` is its cheapest stay for the party, all nights; empty if full."""

    property_id: str
    name: str
    kind: str
    official_class: int
    city_id: str
    district_id: str
    district: str
    icons: list[str]
    from_price: Amount


class Properties(msgspec.Struct, frozen=True):
    """What `stay_search_properties` returns."""

    properties: list[PropertyRow]
    next_page_token: str
    total: int


class StaySearchProperties(Tool):
    """Search places to stay across channels. A price is for the whole stay as the channel shows it, without charges
    that come on top.
    """

    latency_s: ClassVar[float] = 1.5
    fee_usd: ClassVar[float] = 0.003

    city_id: str = Field(description="Id or name of the city, e.g. TYO or Tokyo.")
    checkin_on: str = Field(description="ISO date of arrival.")
    checkout_on: str = Field(description="ISO date of departure.")
    adults: int = Field(description="Number of adults.", ge=1, le=9)
    district_id: str = Field(default="", description="Id or name of a district; empty: the whole city.")
    child_ages: ChildAges = Field(default=[], description="Age of each child, 0 to 17.", max_length=8)
    class_min: int = Field(default=0, description="Least official class; 0: any.", ge=0, le=5)
    keyword: str = Field(default="", description="Words in the name of the house or of a room.", max_length=200)
    accessible_icon: bool = Field(default=False, description="Only houses that channels show with the wheelchair icon.")
    sort: Literal["recommended", "price", "class"] = Field(
        default="recommended",
        description="Order. recommended: the channels' own; price: by shown price; class: from the highest class.",
    )
    page_token: str = Field(default="", description="Token of the page, from the result before.")

    def run(self, call: Call) -> Properties:
        world = call.world
        dates = stay_dates(self.checkin_on, self.checkout_on)
        city = _area(world, self.city_id, "", "city_id")
        district = _area(world, self.district_id, city, "district_id") if self.district_id else ""
        found = [house for house in world.where(Property, "city_id", city) if self._admits(world, house, district)]
        if not found:
            raise ToolError("no_results", desk_message(world, "no_results"))
        persons = self.adults + len(self.child_ages)
        rows = [(house, _cheapest(world, house, dates, persons)) for house in found]
        if self.sort == "price":
            rows.sort(key=lambda row: (row[1] is None, row[1].minor if row[1] else 0))
        elif self.sort == "class":
            rows.sort(key=lambda row: -row[0].official_class)
        page, token = call.page(rows, self.page_token, world.settings["page_size"])
        for house, _ in page:
            call.show(house.id, f"{house.id}.kind", f"{house.id}.class", f"{house.id}.district")
        shown = [
            PropertyRow(
                property_id=house.id,
                name=name_in(house.names, world.language),
                kind=house.kind,
                official_class=house.official_class,
                city_id=house.city_id,
                district_id=house.district_id,
                district=_area_name(world, house.district_id),
                icons=list(house.icons),
                from_price=price.wire() if price else Amount("", ""),
            )
            for house, price in page
        ]
        return Properties(shown, token, len(rows))

    def _admits(self, world: World, house: Property, district: str) -> bool:
        if district not in ("", house.district_id) or house.official_class < self.class_min:
            return False
        if self.accessible_icon and "wheelchair" not in house.icons:
            return False
        rooms = world.where(RoomType, "property_id", house.id) if self.keyword else []
        names = fold("\n".join(name for names in (house.names, *(room.names for room in rooms)) for _, name in names))
        return all(word in names for word in fold(self.keyword).split())


def _area(world: World, text: str, city: str, field: str) -> str:
    """Return the id of the city ("") or of the district of a city that is meant by an id or a name."""
    areas, wanted = world.where(Area, "city_id", city), fold(text)
    for area in areas:
        if wanted in (fold(area.id), *(fold(name) for _, name in area.names)):
            return area.id
    known = ", ".join(f"{area.id} {name_in(area.names, world.language)}" for area in areas)
    raise ToolError("unknown_id", field=field, hint=f"one of: {known}")


def _area_name(world: World, id: str) -> str:
    return name_in(world.get(Area, id).names, world.language)


def _cheapest(world: World, house: Property, dates: tuple[str, str], persons: int) -> Money | None:
    rates = [rate for rate in _rates(world, house, dates, persons) if rate.sells_from <= world.now]
    totals = [rate_lines(rate, persons)[1] for rate in rates]
    return min(totals, key=lambda total: total.minor, default=None)


def _rates(world: World, house: Property, dates: tuple[str, str], persons: int) -> list[Rate]:
    """The rates of a house that a party can have for these dates."""
    rates = world.where(Rate, "stay", (house.id, *dates))
    return [r for r in rates if r.rooms_left and persons <= world.get(RoomType, r.room_type_id).max_guests]


class RoomRow(msgspec.Struct, frozen=True):
    """A kind of room of the house."""

    room_type_id: str
    name: str
    max_guests: int
    beds: str


class House(msgspec.Struct, frozen=True):
    """What stands at the head of every part of a listing. Hours are local; one from 24 on is of the day after."""

    property_id: str
    name: str
    kind: str
    official_class: int
    city_id: str
    district_id: str
    district: str
    zone: str
    lat: str
    lon: str
    desk: Hours
    checkin: Hours
    rooms: list[RoomRow]
    sections: list[str]
    page_ids: list[str]


class SectionRow(msgspec.Struct, frozen=True):
    """A text of the listing. Without a room type it is about the whole house; `replaces` are older ones."""

    section_id: str
    room_type_id: str
    language: str
    author: str
    published: str
    replaces: list[str]
    text: str


class ReviewRow(msgspec.Struct, frozen=True):
    """What a guest wrote; the score is out of ten."""

    review_id: str
    score: str
    language: str
    written_on: str
    text: str


class Listing(msgspec.Struct, frozen=True):
    """What `stay_get_listing` returns: sections, or reviews where these were asked for."""

    house: House
    sections: list[SectionRow]
    reviews: list[ReviewRow]
    next_page_token: str
    total: int


class StayGetListing(Tool):
    """Read one part of a house's own listing, with the house's class, rooms and hours at its head."""

    latency_s: ClassVar[float] = 0.9

    property_id: str = Field(description="Id of the house.")
    section: SectionKind = Field(
        description="overview; access: getting in and about; photo_captions; house_rules; fees: charges of the house; "
        "floor_plan; qa: questions to the house with its answers; factsheet: measures; reviews: of guests."
    )
    room_type_id: str = Field(default="", description="Only what is about this room or the whole house; empty: all.")
    language: Language = Field(
        default="any",
        description="Language of the texts: ko Korean, ja Japanese, zh-Hant Traditional Chinese, th Thai, ar Arabic, "
        "en English; any for all.",
    )
    page_token: str = Field(default="", description="Token of the page, from the result before.")

    def run(self, call: Call) -> Listing:
        world = call.world
        house = world.get(Property, self.property_id, "property_id")
        if self.room_type_id and world.get(RoomType, self.room_type_id, "room_type_id").property_id != house.id:
            raise ToolError("unknown_id", field="room_type_id", hint="a room of this house")
        found = self._texts(world)
        if not found:
            hint = f"there are: {', '.join(_section_kinds(house, world)) or 'none'}"
            raise ToolError("no_section", desk_message(world, "no_section"), hint=hint)
        page, token = call.page(found, self.page_token, world.settings["page_size"])
        rooms = world.where(RoomType, "property_id", house.id)
        for record in (house, *rooms, *page):
            call.show(record.id)
        return Listing(
            house=_house(house, rooms, world),
            sections=[_section_row(row, world) for row in page if isinstance(row, ListingSection)],
            reviews=[
                ReviewRow(row.id, row.score, row.language, row.written_on, body_of(row.text))
                for row in page
                if isinstance(row, Review)
            ],
            next_page_token=token,
            total=len(found),
        )

    def _texts(self, world: World) -> list[ListingSection | Review]:
        if self.section == "reviews":
            reviews = world.where(Review, "property_id", self.property_id)
            return [row for row in reviews if self.language in ("any", row.language)]
        return [
            row
            for row in world.where(ListingSection, "property_id", self.property_id)
            if row.kind == self.section
            and self.language in ("any", row.language)
            and (not self.room_type_id or row.room_type_id in ("", self.room_type_id))
        ]


def _house(house: Property, rooms: list[RoomType], world: World) -> House:
    language = world.language
    return House(
        property_id=house.id,
        name=name_in(house.names, language),
        kind=house.kind,
        official_class=house.official_class,
        city_id=house.city_id,
        district_id=house.district_id,
        district=_area_name(world, house.district_id),
        zone=house.zone,
        lat=house.lat,
        lon=house.lon,
        desk=house.desk,
        checkin=house.checkin,
        rooms=[RoomRow(room.id, name_in(room.names, language), room.max_guests, room.beds) for room in rooms],
        sections=_section_kinds(house, world),
        page_ids=list(house.page_ids),
    )


def _section_kinds(house: Property, world: World) -> list[str]:
    return list(dict.fromkeys(row.kind for row in world.where(ListingSection, "property_id", house.id)))


def _section_row(row: ListingSection, world: World) -> SectionRow:
    text, older = body_of(row.text), list(row.replaces(world))
    return SectionRow(row.id, row.room_type_id, row.language, row.author, row.published, older, text)


class NightRow(msgspec.Struct, frozen=True):
    """A night's price as the channel shows it: for the room (per_room) or for each guest (per_person)."""

    day: str
    shown: Amount
    basis: str


class RateRow(msgspec.Struct, frozen=True):
    """A rate for these nights. `outside` names what comes on top, and `outside_section_id` says how much it is."""

    rate_id: str
    room_type_id: str
    room: str
    channel_id: str
    channel: str
    board: str
    nights: list[NightRow]
    included: list[str]
    outside: list[str]
    outside_section_id: str
    cancellation_section_id: str
    rooms_left: int
    hold: str
    sale_opens: str
    channel_page_ids: list[str]


class Rates(msgspec.Struct, frozen=True):
    """What `stay_list_rates` returns."""

    property_id: str
    rates: list[RateRow]


class StayListRates(Tool):
    """List the rates at which a house's rooms are sold for given nights, as each channel shows them."""

    latency_s: ClassVar[float] = 1.2

    property_id: str = Field(description="Id of the house.")
    checkin_on: str = Field(description="ISO date of arrival.")
    checkout_on: str = Field(description="ISO date of departure.")
    adults: int = Field(description="Number of adults.", ge=1, le=9)
    channel_id: str = Field(default="", description="Id of a channel; empty: all.")
    child_ages: ChildAges = Field(default=[], description="Age of each child, 0 to 17.", max_length=8)

    def run(self, call: Call) -> Rates:
        world = call.world
        house = world.get(Property, self.property_id, "property_id")
        dates = stay_dates(self.checkin_on, self.checkout_on)
        if self.channel_id:
            world.get(Channel, self.channel_id, "channel_id")
        found = [
            rate
            for rate in _rates(world, house, dates, self.adults + len(self.child_ages))
            if self.channel_id in ("", rate.channel_id)
        ]
        if not found:
            raise ToolError("sold_out", desk_message(world, "room_sold_out"))
        for rate in found:
            call.show(rate.id)
        return Rates(house.id, [_rate_row(rate, house, world) for rate in found])


def _rate_row(rate: Rate, house: Property, world: World) -> RateRow:
    channel = world.get(Channel, rate.channel_id)
    return RateRow(
        rate_id=rate.id,
        room_type_id=rate.room_type_id,
        room=name_in(world.get(RoomType, rate.room_type_id).names, world.language),
        channel_id=channel.id,
        channel=name_in(channel.names, world.language),
        board=rate.board,
        nights=[NightRow(night.day, night.shown.wire(), night.basis) for night in rate.nights],
        included=list(rate.included),
        outside=list(rate.outside),
        outside_section_id=rate.outside_section_id,
        cancellation_section_id=rate.cancellation_section_id,
        rooms_left=rate.rooms_left,
        hold=channel.hold,
        sale_opens=to_local(rate.sells_from, house.zone) if rate.sells_from else "",
        channel_page_ids=list(channel.page_ids),
    )
