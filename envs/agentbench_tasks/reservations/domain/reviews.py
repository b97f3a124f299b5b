"""What guests write of one visit: impressions of noise, rooms and seats whose words allow one value alone, and remarks.

A review states what its impressions say. One that is too old, or tells of a house before its refit, has the same words;
who builds it leaves the facts away.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.market import shared_table
from agentbench_tasks.commons.texts import CountSlot, DateSlot, SlotValue, Stated, Text
from agentbench_tasks.reservations.domain.publishing import Part

FILE = "reviews"
Attribute = Literal["noise", "private_room", "room_capacity", "seating"]
PleasedRemark = Literal["food_good", "service_kind", "portions_big", "dessert", "presentation"]
CoolRemark = Literal["food_fair", "service_slow", "portions_small"]
Remark = Literal[PleasedRemark, CoolRemark, "before_refit"]
"""What a review says beside its impressions; `before_refit` tells that the house has changed since."""
VALUES: dict[Attribute, tuple[str, ...]] = {
    "noise": ("quiet", "moderate", "loud"),
    "private_room": ("none", "partial", "closed_room"),
    "seating": ("table", "counter", "sofa", "floor", "sunken_floor", "terrace"),
}
"""The values of an attribute; a capacity is any number."""
MOST_IMPRESSIONS = 2
_FORMS = ("review.none", "review.one", "review.two")
_SLOTS = ("first", "second")


class Impression(msgspec.Struct, frozen=True, gc=False):
    """What a guest tells of an attribute."""

    attribute: Attribute
    value: str | int


def impression_fact(venue_id: str, impression: Impression, slot: str = "") -> Stated:
    """Return the fact that an impression states; a guest tells of one kind of seat, a house of all that it has."""
    key = f"{impression.attribute}.{venue_id}"
    if impression.attribute == "seating":
        return Stated(f"{key}.{impression.value}", True, slot)
    return Stated(key, impression.value, slot)


def review_part(
    venue_id: str,
    visited_on: str,
    party_size: int,
    impressions: Sequence[Impression],
    remark: Remark,
    language: str,
    variant: int,
) -> Part:
    """Return the text of a review with what it states.

    Args:
        venue_id: the house.
        visited_on: the day of the visit.
        party_size: the number of guests.
        impressions: what the guest tells of the house, at most two.
        remark: what the guest says beside them.
        language: the language of the review.
        variant: which wording.
    """
    slots: list[tuple[str, SlotValue]] = [
        ("visited", DateSlot(visited_on, _date_style(language, variant))),
        ("party", party_size),
        ("remark", _remark(remark, language, variant)),
    ]
    stated: list[Stated] = []
    for slot, said in zip(_SLOTS, impressions, strict=False):
        slots.append((slot, _words(said, language, variant)))
        stated.append(impression_fact(venue_id, said, slot))
    text = Text(FILE, _FORMS[len(impressions)], language, variant, tuple(slots))
    return Part(text, tuple(stated))


def told_of_visit(said: Text, visited_on: str, party_size: int, variant: int) -> Text:
    """Return the text of a review that says this of a visit and nothing else; the rest as for `review_part`."""
    visited = DateSlot(visited_on, _date_style(said.language, variant))
    slots = (("visited", visited), ("party", party_size), ("remark", said))
    return Text(FILE, _FORMS[0], said.language, variant, slots)


def _date_style(language: str, variant: int) -> str:
    return shared_table(f"text/{language}/{FILE}")["form"]["visited"][variant]


@cache
def _remark(remark: Remark, language: str, variant: int) -> Text:
    return Text.of(FILE, f"remark.{remark}", language, variant)


@cache
def _words(impression: Impression, language: str, variant: int) -> Text:
    if isinstance(impression.value, int):
        seats = CountSlot(impression.value, "person")
        return Text.of(FILE, impression.attribute, language, variant, seats=seats)
    return Text.of(FILE, f"{impression.attribute}.{impression.value}", language, variant)
