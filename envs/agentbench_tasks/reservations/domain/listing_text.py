"""Listings on the discovery site: what the owner writes, and what the site makes up by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal, get_args

from agentbench_env.market import shared_table
from agentbench_env.money import Money
from agentbench_tasks.commons.texts import SentencesSlot, ServiceSlot, Stated, Text, body_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.market import BANDS, Band, PriceBands, ReservationMarket
from agentbench_tasks.reservations.domain.menu_page import all_in, band_key, price_band
from agentbench_tasks.reservations.domain.places import OwnerSection, Place
from agentbench_tasks.reservations.domain.publishing import Part

FILE = "listing_text"
SiteTag = Literal[
    "quiet", "lively", "private_room", "groups", "counter", "late_night", "terrace", "good_value", "celebrations"
]
SITE_TAGS: tuple[SiteTag, ...] = get_args(SiteTag)
TablesTonight = Literal["some", "few", "none"]
_CHEAPEST: tuple[Band, ...] = ("A", "B")
"""Bands of which the site makes one price symbol."""


# --- the owner's part


def about_text(place: Place, cuisine: str, landmark: str, language: str, variant: int) -> Text:
    """What an owner writes of a house without stating anything that matters."""
    name = place.name.written(language)
    return Text.of(FILE, "about", language, variant, name=name, cuisine=cuisine, landmark=landmark)


def all_in_part(
    venue_id: str, bands: PriceBands, price: Money, charges: ChargeRule, language: str, variant: int
) -> Part:
    """What dinner costs a head with everything in it, as an owner may put it into a listing."""
    text = Text.of(FILE, "all_in", language, variant, amount=all_in(price, charges))
    return Part(text, (Stated(band_key(venue_id), price_band(bands, price, charges), "amount"),))


def detour_part(language: str, variant: int) -> Part:
    """That the way on foot is longer than it looks on the map, as an owner may put it into a listing."""
    return Part(Text.of(FILE, "detour", language, variant))


def owner_section(
    about: Text, updated: str, parts: Sequence[Part] = (), fields: tuple[tuple[str, str], ...] = ()
) -> tuple[OwnerSection, tuple[Stated, ...]]:
    """Return the owner's part of a listing, and what it states: the facts of the parts that it takes up.

    Args:
        about: how it begins.
        updated: ISO date.
        parts: statements of diets, rooms or prices, as pages have them.
        fields: fields that the owner fills in.
    """
    if not parts:
        return OwnerSection(about, updated, fields), ()
    facts = SentencesSlot(tuple(part.text for part in parts))
    text = Text.of(FILE, "with_facts", about.language, 0, about=about, facts=facts)
    stated = tuple(Stated(fact.key, fact.value, "facts") for part in parts for fact in part.stated)
    return OwnerSection(text, updated, fields), stated


# --- the site's part


def need_tags(market: ReservationMarket, need: str, language: str) -> tuple[str, ...]:
    """Tags of the site that sound like a need: the market's words that look like a proof."""
    alike = market.diet(need).alike
    return alike.get(language) or alike["en"]


@cache
def site_tag(tag: SiteTag, language: str) -> str:
    """A tag of the site."""
    return shared_table(f"text/{language}/{FILE}")["tags"][tag]


@cache
def tables_tonight(hint: TablesTonight, language: str, variant: int) -> str:
    """What the site says of tables tonight; it looks at tables for two."""
    return body_of(Text.of(FILE, f"tonight.{hint}", language, variant))


@cache
def open_till(close: str, language: str, variant: int) -> str:
    """What the site says of the usual closing time, a service time."""
    style: str = shared_table(f"text/{language}/{FILE}")["form"]["time"]
    return body_of(Text.of(FILE, "open_till", language, variant, time=ServiceSlot(close, style)))


def price_symbol(bands: PriceBands, printed: Money, language: str) -> str:
    """The site's symbol for a printed price a head; charges on top do not count for it."""
    table: Mapping[str, str] = shared_table(f"text/{language}/{FILE}")["form"]
    band = bands.of(printed.minor)
    return table["price"] * (1 if band in _CHEAPEST else BANDS.index(band))
