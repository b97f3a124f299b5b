"""Public holidays of a country, with the noise of real lists: observances, estimates, rows that were replaced."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from pydantic import Field

from agentbench_env.episode import Call
from agentbench_env.errors import ToolError
from agentbench_env.market import HolidayRow, country_codes, load_country
from agentbench_env.tool import Tool
from agentbench_env.world import Record, World
from agentbench_tasks.commons.values import read_days

PAGE_SIZE = 12
MOST_DAYS = 400


class Holiday(Record, frozen=True, gc=False):
    """A row of a country's list of days. It states whose day off it is, unless it is an estimate or was replaced."""

    country: str
    date: str
    name_local: str
    name_en: str
    kind: str
    applies_to: tuple[str, ...]
    status: str
    replaces_date: str
    source_label: str

    def facts(self, world: World) -> dict[str, object]:
        """One fact for each sector that has the day off."""
        sectors = self.applies_to if self.status == "confirmed" else ()
        return {day_off_key(self.country, self.date, sector): True for sector in sectors}


def day_off_key(country: str, date: str, sector: str) -> str:
    """The key of the fact that a sector (private, government, banks, schools) has the day off."""
    return f"day_off.{country}.{date}.{sector}"


class HolidayDay(msgspec.Struct, frozen=True):
    """A row as `holidays_list_days` prints it."""

    hol_id: str
    date: str
    name_local: str
    name_en: str
    kind: str
    applies_to: tuple[str, ...]
    status: str
    replaces: str
    source_label: str


class HolidayDays(msgspec.Struct, frozen=True):
    """What `holidays_list_days` returns."""

    country: str
    days: list[HolidayDay]
    total: int
    next_page_token: str


class HolidaysListDays(Tool):
    """List the public holidays and similar days of a country. Estimates and rows that were replaced are listed too."""

    fee_usd: ClassVar[float] = 0.001

    country: str = Field(description="ISO 3166 code of two letters; for some countries a region's code.")
    from_date: str = Field(description="First day, YYYY-MM-DD.")
    to_date: str = Field(description="Last day, YYYY-MM-DD, at most 400 days from the first.")
    page_token: str = Field(default="", description="The next_page_token of the page before.")

    def run(self, call: Call) -> HolidayDays:
        country = self.country.strip().upper()
        if country not in country_codes():
            raise ToolError("unknown_country", field="country", hint=_right_code(country))
        first, last = read_days(self.from_date, self.to_date, MOST_DAYS)
        found = load_country(country).holidays(first, last)
        rows, token = call.page(found, self.page_token, PAGE_SIZE)
        days = [_record(row, country, call.world) for row in rows]
        for day in days:
            call.show(call.world.stamp(day).id)
        return HolidayDays(country, [_row(day) for day in days], len(found), token)


def _right_code(wrong: str) -> str:
    regions = [code for code in country_codes() if "-" in code]
    if any(code.startswith(f"{wrong[:2]}-") for code in regions):
        return f"the code of a region: {', '.join(regions)}"
    return "an ISO 3166 code of two letters"


def _record(row: HolidayRow, country: str, world: World) -> Holiday:
    date = row.date.isoformat()
    id = world.stamp_id("hol", country, date, row.name_local, row.status)
    return Holiday(
        id,
        country,
        date,
        row.name_local,
        row.name_en,
        row.kind,
        row.applies_to,
        row.status,
        row.replaces,
        row.source_label,
    )


def _row(day: Holiday) -> HolidayDay:
    return HolidayDay(
        day.id,
        day.date,
        day.name_local,
        day.name_en,
        day.kind,
        day.applies_to,
        day.status,
        day.replaces_date,
        day.source_label,
    )
