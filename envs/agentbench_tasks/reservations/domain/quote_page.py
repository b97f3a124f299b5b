"""What firms that come to the home print: their listing, and the page that says what they need for a quote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from agentbench_env.market import shared_table
from agentbench_env.world import Record
from agentbench_tasks.commons.messages import Channel
from agentbench_tasks.commons.texts import Stated, Text
from agentbench_tasks.reservations.domain.guides import FILE as NAMES
from agentbench_tasks.reservations.domain.market import Both, ReservationMarket, in_language
from agentbench_tasks.reservations.domain.places import Place
from agentbench_tasks.reservations.domain.publishing import Part

FILE = "quote_page"
QuoteTax = Literal["excluded", "included"]


class QuoteGuide(Record, frozen=True, gc=False):
    """What a firm needs before it quotes, and how it works."""

    firm_id: str
    page_id: str
    trade: str
    keys: tuple[str, ...]
    """What an enquiry must state."""
    channel: Channel
    """How it takes enquiries: mail, messenger or web_form."""
    address: str
    capabilities: tuple[str, ...]
    visit_days: tuple[int, ...]
    """ISO weekdays on which it visits."""
    tax: QuoteTax


def quote_keys_key(firm_id: str) -> str:
    """Key of what a firm wants to know; the value joins the codes by commas."""
    return f"quote_keys.{firm_id}"


def quote_channel_key(firm_id: str) -> str:
    """Key of the channel on which a firm takes enquiries."""
    return f"quote_channel.{firm_id}"


def covers_key(firm_id: str) -> str:
    """Key of the districts that a firm serves; the value joins their ids by commas."""
    return f"covers.{firm_id}"


def trade_key(firm_id: str, trade: str) -> str:
    """Key of whether a firm has a trade."""
    return f"trade.{trade}.{firm_id}"


def capability_key(firm_id: str, capability: str) -> str:
    """Key of whether a firm does a thing that not all firms of its trade do."""
    return f"capability.{capability}.{firm_id}"


def visit_days_key(firm_id: str) -> str:
    """Key of the weekdays on which a firm visits; the value joins ISO numbers by commas."""
    return f"visit_days.{firm_id}"


def quote_tax_key(firm_id: str) -> str:
    """Key of whether a firm's quotes include the tax."""
    return f"quote_tax.{firm_id}"


@cache
def named(table: Literal["trades", "capabilities", "quote_keys"], codes: tuple[str, ...], language: str) -> str:
    """Name codes in a row, as the guides name them."""
    names: Mapping[str, str] = shared_table(f"text/{language}/{NAMES}")["names"][table]
    return _list(tuple(names[code] for code in codes), language)


@cache
def weekdays_text(days: tuple[int, ...], language: str) -> str:
    """Name weekdays in a row."""
    names: Sequence[str] = shared_table(f"writing/{language}")["weekdays"]
    return _list(tuple(names[day - 1] for day in days), language)


def _list(names: tuple[str, ...], language: str) -> str:
    join: str = shared_table(f"text/{language}/common")["form"]["list_join"]
    return join.join(names)


@cache
def quote_title(language: str, variant: int) -> Text:
    """The title of the page, and what it begins with."""
    return Text.of(FILE, "intro", language, variant)


def coverage_part(firm: Place, districts: Sequence[str], language: str, variant: int) -> Part:
    """Which districts a firm serves; `districts` are their names."""
    text = Text.of(FILE, "coverage", language, variant, districts=_list(tuple(districts), language))
    return Part(text, (Stated(covers_key(firm.id), ",".join(firm.covers), "districts"),))


def capability_part(guide: QuoteGuide, language: str, variant: int) -> Part:
    """What a firm can do that others cannot."""
    names = named("capabilities", guide.capabilities, language)
    stated = tuple(Stated(capability_key(guide.firm_id, code), True, "capabilities") for code in guide.capabilities)
    return Part(Text.of(FILE, "capabilities", language, variant, capabilities=names), stated)


def firm_text(
    firm: Place, guide: QuoteGuide, districts: Sequence[str], language: str, variant: int
) -> tuple[Text, tuple[Stated, ...]]:
    """The owner's text of a firm's listing, and what it states: trade and coverage."""
    text = Text.of(
        FILE,
        "listing",
        language,
        variant,
        name=firm.name.latin if language == "en" else firm.name.local,
        trade=named("trades", (guide.trade,), language),
        districts=_list(tuple(districts), language),
    )
    covers = Stated(covers_key(firm.id), ",".join(firm.covers), "districts")
    return text, (Stated(trade_key(firm.id, guide.trade), True, "trade"), covers)


def quote_parts(
    firm: Place,
    guide: QuoteGuide,
    districts: Sequence[str],
    market: ReservationMarket,
    language: str,
    variant: int,
) -> tuple[Part, ...]:
    """Return the parts of a firm's page on quotes: trade, what it asks, where to send it, coverage, days and tax."""
    trade = Text.of(FILE, "trade", language, variant, trade=named("trades", (guide.trade,), language))
    asks = Text.of(FILE, "asks", language, variant, keys=named("quote_keys", guide.keys, language))
    messenger = Both.read(market.site.messenger)
    channel = Text.fitting(
        FILE,
        f"channel.{guide.channel}",
        language,
        variant,
        messenger=messenger.latin if language == "en" else messenger.local,
        address=guide.address,
    )
    visits = Text.of(FILE, "visits", language, variant, days=weekdays_text(guide.visit_days, language))
    tax = Text.of(FILE, "tax", language, variant, tax=in_language(market.vat.words[guide.tax], language))
    firm_id, days = firm.id, ",".join(map(str, guide.visit_days))
    return (
        Part(quote_title(language, variant)),
        Part(trade, (Stated(trade_key(firm_id, guide.trade), True, "trade"),)),
        Part(asks, (Stated(quote_keys_key(firm_id), ",".join(guide.keys), "keys"),)),
        Part(channel, (Stated(quote_channel_key(firm_id), guide.channel),)),
        coverage_part(firm, districts, language, variant),
        *((capability_part(guide, language, variant),) if guide.capabilities else ()),
        Part(visits, (Stated(visit_days_key(firm_id), days, "days"),)),
        Part(tax, (Stated(quote_tax_key(firm_id), guide.tax, "tax"),)),
    )
