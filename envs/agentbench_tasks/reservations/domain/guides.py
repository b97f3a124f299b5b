"""The public guides of a city: the city guide, how to write to shops, prices and labels. They bind no venue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal

from agentbench_env.market import load_market, shared_table
from agentbench_env.money import Money
from agentbench_tasks.commons.texts import LinesSlot, SlotValue, Text
from agentbench_tasks.reservations.domain.market import (
    BANDS,
    Both,
    Names,
    PriceBands,
    in_language,
    reservation_market,
)
from agentbench_tasks.reservations.domain.town import town

FILE = "reservations_guides"
METRES_A_MINUTE = 80
LONGEST_CANCELLATION = 600
"""Characters of a message that calls a booking off."""
GuidePage = Literal["city", "writing", "labels"]


def guide_title(page: GuidePage, language: str) -> str:
    """Return the title of a guide."""
    return shared_table(f"text/{language}/{FILE}")["pages"][page]["title"]


def guide_sections(page: GuidePage, code: str, language: str, today: date) -> tuple[tuple[str, Text], ...]:
    """Return the sections of a guide by name, in their order, as a market's guide prints them on a day."""
    habits = enumerate(reservation_market(code).habits)
    in_force = tuple(number for number, row in habits if not row.valid_to or today.isoformat() <= row.valid_to)
    return _sections(page, code, language, in_force)


@lru_cache(maxsize=256)
def _sections(page: GuidePage, code: str, language: str, in_force: tuple[int, ...]) -> tuple[tuple[str, Text], ...]:
    """The sections, with the habits of the market's table that hold by their places in it."""
    slots = _slots(code, language, in_force)
    table: Mapping[str, object] = shared_table(f"text/{language}/{FILE}")["pages"][page]
    return tuple(
        (name, Text.fitting(FILE, f"pages.{page}.{name}", language, 0, **slots[page], **slots.get(name, {})))
        for name, section in table.items()
        if isinstance(section, Mapping)
    )


def _slots(code: str, language: str, in_force: Sequence[int]) -> dict[str, dict[str, SlotValue]]:
    """What stands in the slots of a whole guide, or of one section."""
    market, city, currency = reservation_market(code), town(code), load_market(code).currency
    native = language == load_market(code).languages[0]
    engine, messenger = Both.read(market.site.engine), Both.read(market.site.messenger)
    words: Mapping[str, Mapping[str, str]] = shared_table(f"text/{language}/{FILE}")["names"]
    join: str = shared_table(f"text/{language}/{FILE}")["lines"]["join"]

    def line(kind: str, **slots: SlotValue) -> Text:
        return Text.of(FILE, f"lines.{kind}", language, 0, **slots)

    def said(rows: Iterable[Names]) -> LinesSlot:
        return _lines(in_language(row, language) for row in rows)

    def habits(*topics: str) -> LinesSlot:
        return said(habit.words for habit in (market.habits[number] for number in in_force) if habit.topic in topics)

    districts = (
        line(
            "district",
            district=in_language(row.names, language),
            landmark=in_language(row.landmark.names, language),
        )
        for row in city.districts
    )
    proof = (
        line("need", need=words["needs"][row.need], words=join.join(row.proof.get(language) or row.proof["en"]))
        for row in market.diets
    )
    alike = (
        line("need", need=words["needs"][row.need], words=join.join(row.alike.get(language) or row.alike["en"]))
        for row in market.diets
    )
    examples = (
        line("example", printed=Money(row.printed, currency), paid=Money(row.paid, currency)) for row in market.charges
    )
    certifiers = (
        line("certifier", name=in_language(row.names, language), short=row.short)
        for row in market.certifiers
        if not row.lax
    )
    return {
        "city": {
            "metres": METRES_A_MINUTE,
            "engine": engine.local if native else engine.latin,
            "messenger": messenger.local if native else messenger.latin,
        },
        "writing": {"limit": LONGEST_CANCELLATION},
        "labels": {},
        "districts": {"lines": _lines(districts)},
        "closures": {"lines": said(row.words for row in (*market.closures, *market.seasons))},
        "booking": {"lines": habits("booking", "cancel", "drinks")},
        "deposits": {"lines": _lines(row.sentence(language) for row in market.yardsticks)},
        "queues": {"lines": habits("queue")},
        "prices": {"lines": said(row.words for row in market.charges)},
        "examples": {"lines": _lines(examples)},
        "bands": {"lines": _lines(_band_lines(market.bands, currency, language))},
        "needs": {"lines": _lines(proof)},
        "look_alikes": {"lines": _lines(alike)},
        "certificates": {"lines": _lines(certifiers)},
        "allergens": {"lines": _lines(row.sentence(language) for row in market.allergen_rules)},
    }


def _lines(pieces: Iterable[SlotValue]) -> LinesSlot:
    return LinesSlot(tuple((piece,) for piece in pieces))


def _band_lines(bands: PriceBands, currency: str, language: str) -> Iterable[Text]:
    edges = [Money(edge, currency) for edge in bands.edges]
    yield Text.of(FILE, "lines.band_first", language, 0, band=BANDS[0], to=edges[0])
    for band, low, high in zip(BANDS[1:], edges, edges[1:], strict=False):
        yield Text.of(FILE, "lines.band", language, 0, **{"band": band, "from": low, "to": high})
    yield Text.of(FILE, "lines.band_last", language, 0, **{"band": BANDS[-1], "from": edges[-1]})
