"""Firms that come to the home: who they are, their listing, and the page that says what they need for a quote."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle
from math import cos, pi, sin

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.formats import landline
from agentbench_env.world import Record
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.reservations.domain.build_town import TownBuilder
from agentbench_tasks.reservations.domain.house import FIRST_PUBLISHED, LATEST_PUBLISHED, WORDINGS
from agentbench_tasks.reservations.domain.market import Both, in_language, reservation_market
from agentbench_tasks.reservations.domain.outlets import NEAREST, WALKABLE, Quarter, handle_of
from agentbench_tasks.reservations.domain.places import Listing, Names, OwnerSection, Place, Reach, SiteSection
from agentbench_tasks.reservations.domain.publishing import Publication, publish
from agentbench_tasks.reservations.domain.quote_page import (
    QuoteGuide,
    QuoteTax,
    firm_text,
    named,
    quote_parts,
    quote_title,
)
from agentbench_tasks.reservations.domain.town import house_name, town


class Work(msgspec.Struct, frozen=True):
    """How a firm works, as a task settles it."""

    trade: str
    covers: Sequence[Quarter]
    capabilities: tuple[str, ...]
    keys: tuple[str, ...]
    """What it wants to know before it quotes."""
    channel: Channel
    """Where it wants enquiries; it can be written to by mail, messenger and web form alike."""
    visit_days: tuple[int, ...]
    """ISO weekdays on which it visits."""
    languages: tuple[str, ...]
    tags: tuple[str, ...] = ()
    """What the discovery site says of it, true or not."""


class Firm(msgspec.Struct, frozen=True):
    """A firm, and what it shows."""

    place: Place
    guide: QuoteGuide
    records: tuple[Record, ...]


class Firms:
    """Draws the firms of a town, none of which has the name or the number of another place.

    Args:
        draw: the stream to draw from.
        builder: the town.
    """

    def __init__(self, draw: Draw, builder: TownBuilder) -> None:
        self._draw, self._ids, self._setting = draw, builder.ids, builder.setting
        self._heads = cycle(draw.shuffled(draw.pool(town(builder.setting.market.code).firm_heads)))
        self._named: set[str] = set()
        self._phones = set(builder.phones)

    def firm(self, work: Work, seat: Quarter) -> Firm:
        """Draw a firm with its office in a quarter."""
        draw, rules = self._draw, reservation_market(self._setting.market.code)
        language, variant = work.languages[0], draw.variant(WORDINGS)
        place = self._place(work, seat)
        tax: QuoteTax = draw.choice(rules.vat.quotes)
        guide = QuoteGuide(
            self._ids.id("qtg"),
            place.id,
            self._ids.id("pg"),
            work.trade,
            work.keys,
            work.channel,
            next(reach.address for reach in place.reaches if reach.channel == work.channel),
            work.capabilities,
            work.visit_days,
            tax,
        )
        days = draw.int(0, (LATEST_PUBLISHED - FIRST_PUBLISHED).days)
        published = (FIRST_PUBLISHED + timedelta(days)).isoformat()
        districts = [in_language(quarter.district.names, language) for quarter in work.covers]
        parts = quote_parts(place, guide, districts, rules, language, variant)
        page = Publication("quote_guide", language, quote_title(language, variant), parts, published)
        text, stated = firm_text(place, guide, districts, language, variant)
        site = SiteSection(work.tags, popularity=draw.int(40, 990))
        listing = Listing(self._ids.id("lst"), place.id, OwnerSection(text, published), site, stated)
        return Firm(place, guide, (place, listing, guide, *publish(self._ids, place, page, guide.page_id)))

    def _place(self, work: Work, seat: Quarter) -> Place:
        draw, market = self._draw, self._setting.market
        name = self._name(work.trade)
        handle = handle_of(name.latin)
        east, north = seat.landmark.point
        turn, far = draw.uniform(0, 2 * pi), draw.int(NEAREST, WALKABLE - 1)
        return Place(
            self._ids.id("ven"),
            "home_service",
            Names(name.local, name.latin),
            Names("", ""),
            "",
            seat.area.id,
            seat.landmark.id,
            (east + int(far * cos(turn)), north + int(far * sin(turn))),
            market.zone,
            market.code,
            market.currency,
            trades=(named("trades", (work.trade,), self._setting.language),),
            working_languages=work.languages,
            phone=self._phone(),
            reaches=(
                Reach("mail", f"quote@{handle}.example"),
                Reach("messenger", f"@{handle}"),
                Reach("web_form", f"{handle}.example/quote"),
            ),
            covers=tuple(quarter.area.id for quarter in work.covers),
        )

    def _name(self, trade: str) -> Both:
        """Draw a name; there are fewer heads than firms, so that some share one across their trades."""
        patterns = town(self._setting.market.code).firms[trade]
        name = house_name(self._draw.choice(patterns), next(self._heads))
        while name.local in self._named:
            name = house_name(self._draw.choice(patterns), next(self._heads))
        self._named.add(name.local)
        return name

    def _phone(self) -> str:
        code = self._setting.market.code
        number = landline(code, self._draw)
        while number in self._phones:
            number = landline(code, self._draw)
        self._phones.add(number)
        return number
