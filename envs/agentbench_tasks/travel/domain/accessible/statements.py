"""What a house states: sections of its listing, line by line, and reviews of its guests, as records."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache
from typing import Literal

import msgspec

from agentbench_env.draw import Draw
from agentbench_env.market import market_table
from agentbench_tasks.commons.texts import LinesSlot, SlotValue, Stated, Text
from agentbench_tasks.travel.domain.accessible.needs import MEASURES, OF_THE_HOUSE, Need, value_of
from agentbench_tasks.travel.domain.accessible.records import CONFORMS, FRAME, PRAISE, key_of
from agentbench_tasks.travel.domain.houses import House
from agentbench_tasks.travel.domain.records import name_in
from agentbench_tasks.travel.domain.records_stays import Author, ListingSection, Review, RoomType, SectionKind

FILE = "accessible"
Form = Literal["", "frame", "conforms", "praise"]
SectionName = Literal["access", "factsheet", "floor_plan", "photo_captions", "qa"]
PLACES: tuple[SectionName, ...] = ("access", "factsheet", "floor_plan", "photo_captions", "qa")
HOUSE_PLACES: tuple[SectionName, ...] = ("access", "floor_plan", "qa")
PER_UNIT = {"cm": 100, "mm": 10, "m": 10_000, "inch": 254}
"""Tenths of a millimetre in each unit."""


class Line(msgspec.Struct, frozen=True):
    """One thing that is stated. `value` is in tenths of a millimetre, or a word; `unit` is how a measure is written."""

    kind: str
    value: int | str = ""
    unit: str = "cm"
    form: Form = ""


@cache
def market_units(market: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the units that houses of a market write measures in: the usual ones, and the odd ones."""
    table = market_table(market, FILE)
    return tuple(table["units"]), tuple(table["odd_units"])


def line_text(line: Line, language: str, variant: int) -> Text:
    """The wording of a line."""
    slots: tuple[tuple[str, SlotValue], ...] = ()
    kind = f"lines.{line.form or line.kind}"
    if line.form == FRAME:
        kind = f"lines.{line.kind}_frame"
    if line.kind in MEASURES and isinstance(line.value, int):
        slots = (("measure", measure(line.value, line.unit, language)),)
    elif line.kind == "grab_bars_side":
        slots = (("side", Text(FILE, f"sides.{line.value}", language)),)
    elif not line.form:
        kind = f"lines.{line.kind}_{line.value}"
    return Text(FILE, kind, language, variant, slots)


def measure(tenths: int, unit: str, language: str) -> Text:
    """A length in a unit."""
    whole, rest = divmod(tenths, PER_UNIT[unit])
    digits = {"m": 4, "cm": 2, "mm": 1, "inch": 0}[unit]
    part = f".{rest:0{digits}}".rstrip("0") if rest else ""
    return Text.of(FILE, f"units.{unit}", language, n=f"{whole}{part}")


class Listing:
    """Writes what one house states into `records`; `address` is its mail address.

    Args:
        draw: the stream for wordings and dates.
        ids: the stream that ids come from.
        house: the house.
        today: the in-world date, which nothing is newer than.
        language: the language that the house writes in.
    """

    def __init__(self, draw: Draw, ids: Draw, house: House, today: date, language: str) -> None:
        self.house, self.language = house, language
        self.records: list[ListingSection | Review] = []
        self._draw, self._ids, self._today = draw, ids, today
        self._variant = draw.variant((0, 1, 2, 3))
        name = dict(house.record.names)["en"].lower()
        slug = "".join(letter for letter in name if letter.isascii() and letter.isalnum())
        self.address = f"stay@{slug}.example"

    def overview(self) -> None:
        """Introduce the house and say where to write."""
        text = Text.of(
            FILE,
            "overview",
            self.language,
            self._variant,
            name=name_in(self.house.record.names, self.language),
            address=self.address,
        )
        self._add("", "overview", text, self.language, (), self._day(60, 700), "property")

    def section(
        self,
        place: SectionName,
        lines: Sequence[Line],
        room: RoomType | None = None,
        *,
        author: Author = "property",
        older: tuple[Sequence[Line], str] = ((), ""),
    ) -> ListingSection:
        """Write a section about the house or a room; `older` are the lines and language of the one it replaces."""
        day = self._day(20, 240)
        section = self.draft(place, lines, room, day=day, author=author)
        self.records.append(section)
        if older[1]:
            before = self.draft(place, older[0], room, day=day - timedelta(self._draw.int(150, 700)), language=older[1])
            self.records.append(msgspec.structs.replace(before, superseded_by=section.id))
        return section

    def draft(
        self,
        place: SectionName,
        lines: Sequence[Line],
        room: RoomType | None = None,
        *,
        day: date,
        author: Author = "property",
        language: str = "",
    ) -> ListingSection:
        """Make a section without publishing it."""
        language = language or self.language
        subject = room.id if room else self.house.record.id
        stated = tuple(Stated(_key(subject, line), value_of(line.value) or True, "lines") for line in lines)
        texts = tuple((line_text(line, language, self._variant),) for line in lines)
        about = name_in(room.names, language) if room else Text(FILE, "whole_house", language)
        text = Text.of(FILE, f"sections.{place}", language, self._variant, room=about, lines=LinesSlot(texts))
        id, house = self._ids.id("sec"), self.house.record.id
        return ListingSection(
            id, house, room.id if room else "", place, language, text, day.isoformat(), author, stated
        )

    def review(self, line: Line | None = None, room: RoomType | None = None, score: int = 0) -> None:
        """Let a guest write, of something in particular or in general; the score is in tenths."""
        stated: tuple[Stated, ...] = ()
        variant = self._draw.variant((0, 1, 2, 3))
        if line is None:
            text = Text(FILE, "reviews.general", self.language, variant)
        else:
            subject = self.house.record.id if line.kind in OF_THE_HOUSE or room is None else room.id
            detail = line_text(line, self.language, self._variant)
            text = Text.of(FILE, "reviews.detail", self.language, variant, detail=detail)
            stated = (Stated(_key(subject, line), value_of(line.value), "detail"),)
        tenths = score or self._draw.int(62, 92)
        self.records.append(
            Review(
                self._ids.id("rev"),
                self.house.record.id,
                f"{tenths // 10}.{tenths % 10}",
                text,
                self.language,
                self._day(10, 400).isoformat(),
                stated,
            )
        )

    def spread(self, lines: Sequence[Line], room: RoomType, places: Sequence[SectionName], least: int = 1) -> None:
        """Write lines about the house and a room into sections of these places, at least `least` of them."""
        draw = self._draw
        order = draw.shuffled(places)
        for about in (None, room):
            mine = [line for line in lines if (line.kind in OF_THE_HOUSE) == (about is None)]
            allowed = [place for place in order if about is not None or place in HOUSE_PLACES] or ["access"]
            rows: dict[SectionName, list[Line]] = {}
            for number, line in enumerate(draw.shuffled(mine)):
                place = allowed[number % len(allowed)] if number < least else draw.choice(allowed)
                rows.setdefault(place, []).append(line)  # type: ignore[arg-type]
            for place, group in rows.items():
                self.section(place, group, about)

    def _day(self, newest: int, oldest: int) -> date:
        return self._today - timedelta(self._draw.int(newest, oldest))

    def _add(
        self,
        room_id: str,
        kind: SectionKind,
        text: Text,
        language: str,
        stated: tuple[Stated, ...],
        day: date,
        author: Author,
    ) -> None:
        id = self._ids.id("sec")
        self.records.append(
            ListingSection(id, self.house.record.id, room_id, kind, language, text, day.isoformat(), author, stated)
        )


def _key(subject: str, line: Line) -> str:
    if line.form == FRAME:
        return key_of(subject, f"{line.kind}.{FRAME}")
    return key_of(subject, line.form or line.kind)


def slogan(kind: Literal["conforms", "praise"]) -> Line:
    """A line that states nothing of what is needed: conformity with a standard, or praise."""
    return Line(kind, form=CONFORMS if kind == "conforms" else PRAISE)


def in_unit(tenths: int | str, unit: str, need: Need, meets: bool) -> tuple[int | str, str]:
    """Move a measure to a whole number of a unit; the usual centimetres where that would change what it shows."""
    if isinstance(tenths, str) or unit != "inch":
        return tenths, unit
    step = PER_UNIT[unit]
    for moved in (round(tenths / step) * step, tenths // step * step, -(-tenths // step) * step):
        if need.met_by(value_of(moved)) == meets:
            return moved, unit
    return tenths, "cm"
