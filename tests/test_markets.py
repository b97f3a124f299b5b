from __future__ import annotations

import pickle
import random
import runpy
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agentbench_env import zones
from agentbench_env.errors import WrongArgument
from agentbench_env.market import (
    SECTORS,
    HolidayRow,
    UnknownMarket,
    UnknownTable,
    country_codes,
    load_country,
    load_market,
    market_codes,
    market_table,
    shared_table,
)
from agentbench_env.market.calendars import Calendar, common_open, working_days

BUILD = Path(__file__).parents[1] / "fixtures" / "build"
CODES = ("KR", "JP", "SG", "TW", "TH", "AE")
KINDS = {
    "statutory",
    "substitute",
    "bridge",
    "transferred",
    "election",
    "special",
    "observance",
    "bank_only",
    "government_only",
}
BANK_WEEKDAYS_2026 = {
    "KR": "01-01 02-16 02-17 02-18 03-02 05-01 05-05 05-25 06-03 07-17 08-17 09-24 09-25 10-05 10-09 12-25",
    "JP": "01-01 01-02 01-12 02-11 02-23 03-20 04-29 05-04 05-05 05-06 07-20 08-11 09-21 09-22 09-23 10-12 11-03 "
    "11-23 12-31",
    "SG": "01-01 02-17 02-18 04-03 05-01 05-27 06-01 08-10 11-09 12-25",
    "TW": "01-01 02-16 02-17 02-18 02-19 02-20 02-27 04-03 04-06 05-01 06-19 09-25 09-28 10-09 10-26 12-25",
    "TH": "01-01 01-02 03-03 04-06 04-13 04-14 04-15 05-01 05-04 06-01 06-03 07-28 07-29 08-12 10-13 10-16 10-23 "
    "12-07 12-10 12-31",
    "AE": "01-01 03-19 03-20 05-26 05-27 05-28 05-29 12-02",
}


def day(text: str) -> date:
    return date.fromisoformat(f"2026-{text}")


def days_of_2026() -> list[date]:
    return [date(2026, 1, 1) + timedelta(days=n) for n in range(365)]


def rows_2026(code: str) -> tuple[HolidayRow, ...]:
    return load_market(code).holidays(date(2026, 1, 1), date(2026, 12, 31))


# Loading.


def test_the_codes_are_those_of_the_contracts() -> None:
    assert market_codes() == CODES


@pytest.mark.parametrize("code", CODES)
def test_every_market_loads_once(code: str) -> None:
    market = load_market(code)
    assert market is load_market(code)
    assert market.code == code
    assert market.zone in zones.zone_names()
    assert market.weekend == (6, 7)
    assert market.prompt_language == market.languages[0] == market.prompt_languages[0]
    assert set(market.prompt_languages) <= set(market.languages)
    assert pickle.loads(pickle.dumps(market)) == market


def test_what_sets_markets_apart() -> None:
    assert {code: load_market(code).short_days for code in CODES if load_market(code).short_days} == {"AE": (5,)}
    assert load_market("AE").prompt_languages == ("ar", "en")
    assert {code: load_market(code).digits for code in CODES} == dict(zip(CODES, (0, 0, 2, 0, 2, 2), strict=True))
    assert "roc" in load_market("TW").year_systems
    assert load_market("TH").year_systems[0] == "be"


@pytest.mark.parametrize(("wrong", "near"), [("sg", "SG"), ("KRW", "KR"), ("THB", "TH")])
def test_a_wrong_code_names_the_six_and_the_nearest(wrong: str, near: str) -> None:
    with pytest.raises(UnknownMarket, match=f"'{wrong}'.*KR, JP, SG, TW, TH, AE.*Did you mean '{near}") as caught:
        load_market(wrong)
    assert isinstance(caught.value, ValueError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_missing_table_names_its_file() -> None:
    with pytest.raises(UnknownTable, match=r"agentbench_markets/kr/text/ko/nothing\.toml"):
        market_table("KR", "text/ko/nothing")
    with pytest.raises(UnknownTable, match=r"agentbench_markets/shared/nothing\.toml"):
        shared_table("nothing")
    with pytest.raises(UnknownMarket):
        market_table("XX", "market")


# Holiday rows.


@pytest.mark.parametrize("code", CODES)
def test_rows_are_well_formed(code: str) -> None:
    table = market_table(code, "holidays")
    everything = load_market(code).holidays(date(2025, 1, 1), date(2028, 12, 31))
    assert [row.date for row in everything] == sorted(row.date for row in everything)
    assert {row.date.year for row in everything} == {2025, 2026, 2027, 2028}
    library = f"holidays {table['library']['version']} (library table)"
    superseded = [row.date.isoformat() for row in everything if row.status == "superseded"]
    for row in everything:
        assert row.kind in KINDS
        assert row.status in {"confirmed", "estimate", "superseded"}
        assert set(row.applies_to) <= set(SECTORS)
        assert row.name_local
        assert row.name_en
        assert row.source_label in table["sources"] or (row.source_label == library and row.date.year != 2026)
        assert row.kind != "observance" or "private" not in row.applies_to
        assert not row.replaces or superseded.count(row.replaces) == 1
    assert sorted(row.replaces for row in everything if row.replaces) == sorted(superseded)
    assert {source["status"] for source in table["sources"].values()} <= {"V", "P"}


@pytest.mark.parametrize("code", CODES)
def test_2026_carries_noise(code: str) -> None:
    rows = rows_2026(code)
    assert any(row.kind == "observance" for row in rows)
    assert any(row.status == "superseded" for row in rows)


def test_holidays_takes_both_ends() -> None:
    found = load_market("KR").holidays(day("09-24"), day("09-26"))
    assert [row.name_local for row in found] == ["추석 전날", "추석", "추석 다음 날"]
    assert load_market("KR").holidays(day("09-26"), day("09-24")) == ()


@pytest.mark.parametrize(
    ("code", "date_", "kind", "applies_to", "status"),
    [
        ("KR", "07-17", "statutory", SECTORS, "confirmed"),
        ("KR", "05-01", "statutory", SECTORS, "confirmed"),
        ("KR", "06-03", "election", SECTORS, "confirmed"),
        ("JP", "09-22", "bridge", SECTORS, "confirmed"),
        ("JP", "12-29", "government_only", ("government",), "confirmed"),
        ("JP", "12-31", "bank_only", ("banks",), "confirmed"),
        ("SG", "06-01", "substitute", SECTORS, "confirmed"),
        ("TW", "10-26", "substitute", SECTORS, "confirmed"),
        ("TW", "09-03", "government_only", (), "confirmed"),
        ("TH", "01-02", "special", SECTORS, "confirmed"),
        ("TH", "01-10", "observance", (), "confirmed"),
        ("TH", "05-01", "statutory", ("private", "banks"), "confirmed"),
        ("TH", "05-13", "government_only", ("government",), "confirmed"),
        ("TH", "07-30", "statutory", ("private", "government", "schools"), "confirmed"),
        ("TH", "10-16", "special", ("government", "banks"), "confirmed"),
        ("AE", "05-25", "government_only", ("government",), "confirmed"),
        ("AE", "05-26", "statutory", SECTORS, "confirmed"),
        ("AE", "06-15", "transferred", SECTORS, "estimate"),
        ("AE", "08-28", "transferred", SECTORS, "estimate"),
        ("AE", "12-03", "statutory", SECTORS, "estimate"),
    ],
)
def test_known_rows_of_2026(code: str, date_: str, kind: str, applies_to: tuple[str, ...], status: str) -> None:
    found = [row for row in rows_2026(code) if row.date == day(date_)]
    assert (kind, applies_to, status) in [(row.kind, row.applies_to, row.status) for row in found]


def test_other_years_keep_what_is_provisional_apart() -> None:
    firm = [
        f"{row.date:%m-%d}"
        for row in load_market("AE").holidays(date(2027, 1, 1), date(2027, 12, 31))
        if row.status == "confirmed"
    ]
    assert firm == ["01-01", "12-02"]
    korea = {row.date: row.kind for row in load_market("KR").holidays(date(2027, 5, 3), date(2027, 7, 19))}
    assert korea[date(2027, 5, 3)] == korea[date(2027, 7, 19)] == "substitute"
    thailand = load_market("TH").holidays(date(2027, 1, 1), date(2027, 12, 31))
    assert {row.status for row in thailand if row.kind == "substitute"} == {"estimate"}


# Calendars.


@pytest.mark.parametrize("code", CODES)
def test_bank_weekdays_of_2026(code: str) -> None:
    calendar = Calendar(load_market(code), "banks")
    closed = [f"{d:%m-%d}" for d in days_of_2026() if d.isoweekday() < 6 and not calendar.is_open(d)]
    assert closed == BANK_WEEKDAYS_2026[code].split()


@pytest.mark.parametrize(
    ("code", "first", "second", "apart"),
    [
        ("KR", "private", "banks", ""),
        ("JP", "private", "banks", "01-02 12-31"),
        ("JP", "private", "government", "01-02 12-29 12-30 12-31"),
        ("SG", "private", "government", ""),
        ("TW", "private", "government", ""),
        ("TH", "private", "government", "05-01 05-13 10-16"),
        ("TH", "private", "banks", "07-30 10-16"),
        ("AE", "private", "government", "05-25"),
        ("KR", "banks", "exchange", "12-31"),
        ("TW", "banks", "exchange", "02-12 02-13"),
    ],
)
def test_where_calendars_part(code: str, first: str, second: str, apart: str) -> None:
    one, other = (Calendar(load_market(code), kind) for kind in (first, second))
    weekdays = [d for d in days_of_2026() if d.isoweekday() < 6]
    assert [f"{d:%m-%d}" for d in weekdays if one.is_open(d) != other.is_open(d)] == apart.split()


@pytest.mark.parametrize("code", CODES)
def test_saturday_ends_a_statutory_period_in_one_market_only(code: str) -> None:
    saturday, sunday = day("10-31"), day("11-01")
    calendar = Calendar(load_market(code), "statutory")
    assert calendar.is_open(saturday) == (code == "SG")
    assert not calendar.is_open(sunday)
    assert not Calendar(load_market(code), "private").is_open(saturday)


def test_counting_in_open_days() -> None:
    korea = Calendar(load_market("KR"), "government")
    assert korea.shift(day("09-25"), "next") == day("09-28")
    assert korea.shift(day("09-25"), "previous") == day("09-23")
    assert korea.shift(day("09-25"), "none") == day("09-25")
    assert korea.shift(day("09-28"), "previous") == day("09-28")
    assert korea.add_open(day("09-23"), 2) == day("09-29")
    assert korea.add_open(day("09-29"), -2) == day("09-23")
    assert korea.add_open(day("09-26"), 0) == day("09-26")
    with pytest.raises(WrongArgument, match="previous"):
        korea.shift(day("09-25"), "after")
    japan = Calendar(load_market("JP"), "banks")
    assert japan.shift(day("12-31"), "previous") == day("12-30")
    assert common_open(korea, japan, day("09-18"), 1) == day("09-28")
    assert common_open(korea, japan, day("09-28"), -1) == day("09-18")


@pytest.mark.parametrize("code", CODES)
def test_adding_open_days_agrees_with_walking(code: str) -> None:
    calendar = Calendar(load_market(code), "private")
    start = day("04-10")
    open_days = [d for d in days_of_2026() if calendar.is_open(d)]
    after = [d for d in open_days if d > start]
    before = [d for d in reversed(open_days) if d < start]
    assert [calendar.add_open(start, n) for n in range(1, 60)] == after[:59]
    assert [calendar.add_open(start, -n) for n in range(1, 60)] == before[:59]


def test_an_organisation_has_its_own_week_and_closures() -> None:
    market = load_market("TH")
    shop = Calendar(market, "private", closures=[day("10-20")], weekend=[1])
    assert shop.is_open(day("10-18"))
    assert not shop.is_open(day("10-19"))
    assert not shop.is_open(day("10-20"))
    with pytest.raises(ValueError, match="no open day"):
        Calendar(market, "private", weekend=range(1, 8)).add_open(day("10-20"), 1)


def test_unsettled_days_are_told() -> None:
    emirates = Calendar(load_market("AE"), "private")
    unsettled = [f"{d:%m-%d}" for d in days_of_2026() if not emirates.is_settled(d)]
    assert unsettled == ["06-15", "08-24", "08-28", "12-03"]
    assert emirates.is_open(day("12-03"))
    assert not Calendar(load_market("TH"), "banks").is_settled(day("10-16"))
    assert Calendar(load_market("AE"), "private", closures=[day("12-03")]).is_settled(day("12-03"))


ABROAD_2026 = {
    "GB-ENG": "01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28",
    "US": "01-01 01-19 02-16 05-25 06-19 07-03 09-07 11-26 12-25",
    "AU-NSW": "01-01 01-26 04-03 04-06 04-27 06-08 10-05 12-25 12-28",
    "DE-BE": "01-01 04-03 04-06 05-01 05-14 05-25 12-25",
}


@pytest.mark.parametrize("code", ABROAD_2026)
def test_working_days_of_regions_abroad(code: str) -> None:
    calendar = working_days(code)
    closed = [f"{d:%m-%d}" for d in days_of_2026() if d.isoweekday() < 6 and not calendar.is_open(d)]
    assert closed == ABROAD_2026[code].split()
    assert all(calendar.is_settled(d) for d in days_of_2026())
    assert calendar.add_open(day("04-02"), 1) == day("04-03" if code == "US" else "04-07")


def test_regions_abroad_carry_days_of_some_sectors() -> None:
    states = load_country("US")
    private, government, banks = (Calendar(states, kind) for kind in ("private", "government", "banks"))
    for date_ in ("10-12", "11-11"):
        assert private.is_open(day(date_))
        assert not government.is_open(day(date_))
        assert not banks.is_open(day(date_))
    assert banks.is_open(day("07-03"))
    assert not Calendar(load_country("AU-NSW"), "banks").is_open(day("08-03"))
    assert any(row.kind == "observance" for row in states.holidays(day("01-01"), day("12-31")))


def test_countries_are_the_markets_and_the_regions_abroad() -> None:
    assert country_codes() == (*CODES, *ABROAD_2026)
    assert load_country("TH") is load_market("TH")
    assert working_days("KR").add_open(day("09-23"), 1) == day("09-28")
    with pytest.raises(UnknownMarket):
        load_country("GB")
    with pytest.raises(WrongArgument, match="private, government, banks"):
        Calendar(load_country("US"), "exchange")


def test_a_wrong_kind_names_the_kinds() -> None:
    with pytest.raises(WrongArgument, match="statutory"):
        Calendar(load_market("KR"), "bank")
    with pytest.raises(WrongArgument, match="statutory"):
        Calendar(load_market("KR"), "cutoffs")


# Zones.


def built_zones() -> dict[str, Any]:
    return runpy.run_path(str(BUILD / "zones.py"))


@pytest.mark.parametrize("name", zones.zone_names())
def test_zones_agree_with_zoneinfo(name: str, request: pytest.FixtureRequest) -> None:
    installed: Callable[[str], ZoneInfo] = built_zones()["installed"]
    zone = installed(name)
    first, last = zones.first_instant(), zones.last_instant()
    instants = random.Random(name).sample(range(first, last), 200)
    changes: list[int] = []
    change = zones.zone_row(name, first).next
    while change is not None:
        changes.append(change.instant)
        change = zones.zone_row(name, change.instant).next
    for instant in changes:
        instants += [instant + n for n in (-7200, -3601, -3600, -60, -1, 0, 1, 60, 3599, 3600, 7200)]
    for instant in instants:
        local = datetime.fromtimestamp(instant, UTC).astimezone(zone)
        offset = local.utcoffset()
        assert offset is not None
        assert zones.offset_minutes(name, instant) * 60 == offset.total_seconds()
        assert zones.to_local(instant, name) == f"{local:%Y-%m-%dT%H:%M}"
        assert zones.to_iso(instant, name) == local.isoformat()
        row = zones.zone_row(name, instant)
        assert (row.abbreviation, row.dst) == (local.tzname(), bool(local.dst()))
        # Readings around a change include every gap and overlap; `fold` 0 is the first of two.
        naive = datetime(1970, 1, 1) + timedelta(seconds=instant + row.offset_minutes * 60)
        for reading in (naive + timedelta(minutes=n) for n in (-90, -30, 0, 30, 90)):
            expected = int(reading.replace(tzinfo=zone).timestamp())
            assert zones.to_instant(reading.isoformat(), name) == expected


def test_reading_a_gap_and_an_overlap() -> None:
    assert zones.to_instant("2026-11-01T01:30", "America/New_York") == zones.to_instant("2026-11-01T05:30", "UTC")
    gap = zones.to_instant("2026-03-08T02:30", "America/New_York")
    assert zones.to_local(gap, "America/New_York") == "2026-03-08T03:30"
    assert zones.to_instant("1970-01-01T00:00:07", "UTC") == 7
    assert zones.to_iso(0, "America/New_York").endswith("-04:00")


def test_changes_carry_both_readings() -> None:
    noon = zones.to_instant("2026-07-01T12:00", "Europe/London")
    row = zones.zone_row("Europe/London", noon)
    assert row.previous is not None
    assert row.next is not None
    assert (row.abbreviation, row.dst, row.windows_name) == ("BST", True, "GMT Standard Time")
    assert (row.previous.local_before, row.previous.local_after) == ("2026-03-29T01:00", "2026-03-29T02:00")
    assert (row.next.local_before, row.next.local_after) == ("2026-10-25T02:00", "2026-10-25T01:00")
    seoul = zones.zone_row("Asia/Seoul", noon)
    assert seoul.previous is None
    assert seoul.next is None


def test_there_are_27_zones_and_look_alikes_are_none() -> None:
    assert len(zones.zone_names()) == 27
    for wrong in ("CST", "SGT", "Singapore Standard Time", "asia/seoul", ""):
        with pytest.raises(zones.UnknownZone):
            zones.to_instant("2026-01-01T00:00", wrong)
    with pytest.raises(zones.UnknownZone, match=r"'Asia/Seul'.*Did you mean 'Asia/Seoul'"):
        zones.offset_minutes("Asia/Seul", 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-10-30",
        "2026-10-30 17:30",
        "2026-10-30T24:00",
        "2026-02-30T10:00",
        "2026-10-30T17:30Z",
        "2026-W44-5T10:00",
    ],
)
def test_other_readings_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="local time is"):
        zones.to_instant(text, "UTC")


# Drift: frozen tables against the installed libraries.


def report(record_property: Callable[[str, object], None], recorded: str, installed: str, changes: list[str]) -> None:
    """Fails on differences under the recorded version; under another one they are recorded and printed."""
    record_property("frozen_from", recorded)
    record_property("installed", installed)
    record_property("drift", changes)
    print(f"frozen from {recorded}, installed {installed}: {len(changes)} differences", *changes, sep="\n  ")
    assert recorded != installed or not changes


def differences(frozen: str, current: str) -> list[str]:
    before, now = frozen.splitlines(), current.splitlines()
    return [f"- {line}" for line in before if line not in now] + [f"+ {line}" for line in now if line not in before]


@pytest.mark.parametrize("code", CODES)
def test_drift_of_holidays(code: str, record_property: Callable[[str, object], None]) -> None:
    build = runpy.run_path(str(BUILD / "public_holidays.py"))
    text = (build["MARKETS"] / code.lower() / "holidays.toml").read_text("utf-8")
    frozen = build["MARKER"] + text.split(build["MARKER"])[1]
    recorded = market_table(code, "holidays")["library"]["version"]
    report(record_property, recorded, version("holidays"), differences(frozen, build["render"](code.lower())))


def test_drift_of_holidays_abroad(record_property: Callable[[str, object], None]) -> None:
    build = runpy.run_path(str(BUILD / "public_holidays.py"))
    frozen = build["TARGET_ABROAD"].read_text("utf-8")
    recorded = shared_table("holidays_abroad")["version"]
    report(record_property, recorded, version("holidays"), differences(frozen, build["render_abroad"]()))


@pytest.mark.parametrize("code", CODES)
def test_drift_of_curated_days(code: str, record_property: Callable[[str, object], None]) -> None:
    import holidays

    library = set(getattr(holidays, code)(years=2026, language="en_US"))
    curated = {row.date for row in rows_2026(code) if "private" in row.applies_to and row.status != "superseded"}
    corrected = {"TH": {day("01-10")}, "AE": {day("08-24")}}.get(code, set())
    changes = [f"{d}" for d in sorted((library ^ curated) - corrected)]
    recorded = market_table(code, "holidays")["library"]["version"]
    report(record_property, recorded, version("holidays"), changes)


def test_drift_of_zones(record_property: Callable[[str, object], None]) -> None:
    build = built_zones()
    recorded = shared_table("zones")["tzdata"]
    report(
        record_property, recorded, version("tzdata"), differences(build["TARGET"].read_text("utf-8"), build["render"]())
    )
