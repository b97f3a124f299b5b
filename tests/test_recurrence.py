"""Recurrence rules: RFC 5545 word by word, against another library, and on the clocks of every zone."""

from __future__ import annotations

import runpy
import time
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from dateutil.rrule import rrulestr

from agentbench_env import zones
from agentbench_env.draw import Draw
from agentbench_tasks.commons.recurrence import (
    FREQUENCIES,
    WEEKDAYS,
    BadRule,
    Rule,
    check_start,
    day_of,
    day_text,
    days,
    ending_on,
    last_day,
    read_rule,
    series,
    skipped_days,
    weekday_of,
)

BUILD = Path(__file__).parents[1] / "fixtures" / "build"
HORIZON = day_of("2027-04-30")


def dates(rule: str, start: str, zone: str = "", last: str = "2027-04-30") -> list[str]:
    return [day_text(day) for day in series(read_rule(rule), start, zone, day_of(last))]


def month_days(rule: str, start: str, zone: str = "", last: str = "2027-04-30") -> list[str]:
    return [text[5:] for text in dates(rule, start, zone, last)]


# --- worked examples


def test_until_is_an_instant_and_the_last_one_counts() -> None:
    start = "2026-09-01T10:00"
    full = dates("FREQ=WEEKLY;BYDAY=TU;UNTIL=20261222T010000Z", start, "Asia/Tokyo")
    assert (len(full), full[0], full[-1]) == (17, "2026-09-01", "2026-12-22")
    # Midnight UTC is 09:00 in Tokyo, an hour before the last instance.
    edge = dates("FREQ=WEEKLY;BYDAY=TU;UNTIL=20261222T000000Z", start, "Asia/Tokyo")
    assert (len(edge), edge[-1]) == (16, "2026-12-15")
    assert dates("FREQ=WEEKLY;UNTIL=20261222T005959Z", start, "Asia/Tokyo") == edge
    # West of Greenwich the same midnight is still the evening before.
    york = dates("FREQ=WEEKLY;BYDAY=MO;UNTIL=20261222T000000Z", "2026-12-07T18:00", "America/New_York")
    assert york == ["2026-12-07", "2026-12-14", "2026-12-21"]


def test_until_takes_the_form_that_the_start_asks_for() -> None:
    def refused(rule: str, start: str, zone: str = "") -> bool:
        try:
            check_start(read_rule(rule), start, zone)
        except BadRule:
            return True
        return False

    for until in ("20261222", "20261222T100000"):
        assert refused(f"FREQ=WEEKLY;UNTIL={until}", "2026-09-01T10:00", "Asia/Tokyo")
    assert not refused("FREQ=WEEKLY;UNTIL=20261222T010000Z", "2026-09-01T10:00", "Asia/Tokyo")
    assert not refused("FREQ=WEEKLY;UNTIL=20261222T100000", "2026-09-01T10:00")
    assert refused("FREQ=WEEKLY;UNTIL=20261222T010000Z", "2026-09-01T10:00")
    assert not refused("FREQ=WEEKLY;UNTIL=20261222", "2026-09-01")
    assert refused("FREQ=WEEKLY;UNTIL=20261222T000000", "2026-09-01")
    assert refused("FREQ=WEEKLY;UNTIL=20260831T000000Z", "2026-09-01T10:00", "Asia/Tokyo")
    assert month_days("FREQ=DAILY;UNTIL=20261003", "2026-10-01") == ["10-01", "10-02", "10-03"]
    assert month_days("FREQ=DAILY;UNTIL=20261003T100000", "2026-10-01T10:00") == ["10-01", "10-02", "10-03"]
    assert month_days("FREQ=DAILY;UNTIL=20261003T095959", "2026-10-01T10:00") == ["10-01", "10-02"]


def test_the_start_is_an_instance_and_counts_even_when_the_rule_does_not_name_its_day() -> None:
    assert month_days("FREQ=WEEKLY;BYDAY=TU;COUNT=3", "2026-10-01") == ["10-01", "10-06", "10-13"]
    assert month_days("FREQ=DAILY;COUNT=1", "2026-10-01") == ["10-01"]


def test_counts_of_the_markets() -> None:
    fridays = dates("FREQ=WEEKLY;BYDAY=FR;UNTIL=20261225T000000Z", "2026-07-03T09:00", "Asia/Seoul")
    assert len(fridays) == 26
    taipei = dates("FREQ=WEEKLY;COUNT=12", "2026-08-28T14:00", "Asia/Taipei")
    assert (taipei[0], taipei[-1]) == ("2026-08-28", "2026-11-13")
    assert len(set(taipei) - {"2026-09-25", "2026-10-09"}) == 10


def test_examples_of_the_standard() -> None:
    # RFC 5545, 3.8.5.3 and 3.3.10, moved into the years of the table where they are about others.
    two_days = "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST="
    assert month_days(f"{two_days}MO", "1997-08-05") == ["08-05", "08-10", "08-19", "08-24"]
    assert month_days(f"{two_days}SU", "1997-08-05") == ["08-05", "08-17", "08-19", "08-31"]
    first_friday = dates("FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "1997-09-05T09:00", "America/New_York")
    assert first_friday[:4] == ["1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05"]
    assert month_days("FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "1997-09-04") == ["09-04", "10-07", "11-06"]
    assert month_days("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4", "1997-09-29") == [
        "09-29",
        "10-30",
        "11-27",
        "12-30",
    ]
    assert dates("FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=3", "1998-02-13") == [
        "1998-02-13",
        "1998-03-13",
        "1998-11-13",
    ]
    assert dates("FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3", "1996-11-05") == [
        "1996-11-05",
        "2000-11-07",
        "2004-11-02",
    ]
    assert dates("FREQ=YEARLY;BYDAY=20MO;COUNT=3", "1997-05-19") == ["1997-05-19", "1998-05-18", "1999-05-17"]
    assert month_days("FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "2007-01-15") == [
        "01-15",
        "01-30",
        "02-15",
        "03-15",
        "03-30",
    ]
    assert month_days("FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3", "2026-01-31") == ["01-31", "02-28", "03-31"]
    assert dates("FREQ=YEARLY;COUNT=3", "2020-02-29", last="2030-01-01") == ["2020-02-29", "2024-02-29", "2028-02-29"]


def test_a_rule_that_never_matches_has_its_start_alone() -> None:
    assert dates("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "2026-01-05") == ["2026-01-05"]
    assert dates("FREQ=WEEKLY", "2026-05-05", last="2026-05-04") == []


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "WEEKLY",
        "FREQ=HOURLY",
        "FREQ=WEEKLY;FREQ=WEEKLY",
        "FREQ=WEEKLY;",
        "FREQ=WEEKLY;INTERVAL=0",
        "FREQ=WEEKLY;INTERVAL=1,2",
        "FREQ=WEEKLY;COUNT=0",
        "FREQ=WEEKLY;COUNT=-3",
        "FREQ=WEEKLY;COUNT=3;UNTIL=20261222T010000Z",
        "FREQ=WEEKLY;UNTIL=2026-12-22",
        "FREQ=WEEKLY;UNTIL=20261322",
        "FREQ=WEEKLY;UNTIL=20261222T250000Z",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=1MO",
        "FREQ=MONTHLY;BYDAY=0MO",
        "FREQ=MONTHLY;BYDAY=54MO",
        "FREQ=WEEKLY;BYMONTHDAY=3",
        "FREQ=MONTHLY;BYMONTHDAY=32",
        "FREQ=YEARLY;BYMONTH=13",
        "FREQ=MONTHLY;BYSETPOS=1",
        "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0",
        "FREQ=WEEKLY;WKST=1",
        "FREQ=DAILY;BYHOUR=9",
        "FREQ=YEARLY;BYWEEKNO=20",
        "FREQ=WEEKLY;BYDAY=",
        "FREQ=WEEKLY;COUNT=٣",
    ],
)
def test_what_cannot_be_read_is_refused(rule: str) -> None:
    with pytest.raises(BadRule, match=r"\w"):
        read_rule(rule)


def test_rules_are_read_however_they_are_written_and_written_one_way() -> None:
    rule = read_rule("rrule:wkst=su;byday=+1mo,-1fr;freq=monthly;interval=2;count=5")
    assert rule == Rule("MONTHLY", 2, 5, by_day=((1, 0), (-1, 4)), week_start=6)
    assert rule.text() == "FREQ=MONTHLY;INTERVAL=2;COUNT=5;BYDAY=1MO,-1FR;WKST=SU"
    assert read_rule(rule.text()) == rule


# --- ends


def test_a_series_is_ended_at_an_instance_in_the_form_of_its_start() -> None:
    rule, day = read_rule("FREQ=WEEKLY;COUNT=9"), day_of("2026-10-20")
    assert ending_on(rule, day, "2026-09-01T10:00", "Asia/Tokyo").text() == "FREQ=WEEKLY;UNTIL=20261020T010000Z"
    assert ending_on(rule, day, "2026-09-01T10:00", "").text() == "FREQ=WEEKLY;UNTIL=20261020T100000"
    assert ending_on(rule, day, "2026-09-01", "").text() == "FREQ=WEEKLY;UNTIL=20261020"
    ended = ending_on(rule, day, "2026-09-01T10:00", "Asia/Tokyo")
    assert last_day(ended, "2026-09-01T10:00", "Asia/Tokyo", HORIZON) == day
    assert last_day(rule, "2026-09-01T10:00", "Asia/Tokyo", HORIZON) == HORIZON


# --- another library


def drawn_rule(draw: Draw) -> tuple[str, date]:
    """A rule and a start that the other library reads as the standard does.

    Left out is what never matches, such as the 1st Monday on a 20th, where that library looks on to the year 9999.
    """
    freq = draw.choice(FREQUENCIES)
    parts = {"FREQ": freq}
    start = date(2025, 11, 1) + timedelta(days=draw.int(0, 200))
    if draw.chance(0.3):
        parts["BYMONTH"] = ",".join(str(draw.int(1, 12)) for _ in range(draw.int(1, 4)))
        start = start.replace(day=min(start.day, 28))
    if draw.chance(0.5):
        parts["INTERVAL"] = str(draw.choice((5, 7)) if freq == "MONTHLY" and "BYMONTH" in parts else draw.int(2, 6))
    if draw.chance(0.4):
        parts["WKST"] = draw.choice(WEEKDAYS)
    ordinals = freq in ("MONTHLY", "YEARLY") and draw.chance(0.4)
    if draw.chance(0.5):
        most = 4 if freq == "MONTHLY" or "BYMONTH" in parts else 52
        signs = [draw.choice((1, -1)) * draw.int(1, most) if ordinals else "" for _ in range(draw.int(1, 4))]
        parts["BYDAY"] = ",".join(f"{sign}{draw.choice(WEEKDAYS)}" for sign in signs)
    if freq != "WEEKLY" and not ordinals and draw.chance(0.4):
        numbers = [draw.int(1, 28), *(draw.int(1, 31) for _ in range(draw.int(0, 3)))]
        parts["BYMONTHDAY"] = ",".join(str(draw.choice((1, -1)) * number) for number in numbers)
    if parts.keys() & {"BYDAY", "BYMONTHDAY", "BYMONTH"} and draw.chance(0.4):
        places = [draw.choice((1, -1)), *(draw.choice((1, -1)) * draw.int(2, 4) for _ in range(draw.int(0, 2)))]
        parts["BYSETPOS"] = ",".join(map(str, places))
        # It counts positions of the first week from the start, not from the first day of the week.
        if freq == "WEEKLY":
            start -= timedelta(days=(start.weekday() - WEEKDAYS.index(parts.get("WKST", "MO"))) % 7)
    if draw.chance(0.3):
        parts["COUNT"] = str(draw.int(1, 30))
    elif draw.chance(0.5):
        parts["UNTIL"] = f"{start + timedelta(days=draw.int(1, 400)):%Y%m%d}"
    return ";".join(f"{name}={value}" for name, value in parts.items()), start


def expected(rule: str, start: date, last: date) -> list[int]:
    """What `dateutil` says, with the start first, which it leaves out where the rule does not name its day.

    It looks for instances up to the year 9999 where neither UNTIL nor COUNT stops it; so COUNT is applied here.
    """
    count = read_rule(rule).count
    parts = [part for part in rule.split(";") if not part.startswith("COUNT=")]
    if "UNTIL=" not in rule or f"{last:%Y%m%d}" < rule.partition("UNTIL=")[2][:8]:
        parts = [part for part in parts if not part.startswith("UNTIL=")] + [f"UNTIL={last:%Y%m%d}"]
    rule_set = rrulestr(";".join(parts), dtstart=datetime(start.year, start.month, start.day))
    found = [day.date().toordinal() for day in rule_set]
    if start.toordinal() not in found:
        found = [start.toordinal(), *found]
    return found[: count or None]


@pytest.mark.parametrize("part", range(10))
def test_two_thousand_drawn_rules_agree_with_dateutil(part: int) -> None:
    draw = Draw("recurrence", part)
    last = date(2026, 12, 31)
    for _ in range(2000):
        rule, start = drawn_rule(draw)
        ours = series(read_rule(rule), start.isoformat(), "", last.toordinal())
        assert ours == expected(rule, start, last), (rule, start)
        assert read_rule(read_rule(rule).text()) == read_rule(rule)


# --- clocks


@pytest.mark.parametrize("zone", zones.zone_names())
def test_wall_clock_time_is_kept_in_every_zone(zone: str) -> None:
    """Daily series over the whole table: the reading stays, a reading that the clocks skip is no instance."""
    known = runpy.run_path(str(BUILD / "zones.py"))["installed"](zone)
    first, last = day_of("2025-10-02"), day_of("2027-04-29")
    for clock in ("00:00", "00:30", "01:30", "02:00", "02:30", "03:00", "09:00", "23:45"):
        start = f"{day_text(first)}T{clock}"
        found = set(series(read_rule("FREQ=DAILY"), start, zone, last))
        for day in range(first, last + 1):
            reading = f"{day_text(day)}T{clock}"
            local = datetime.fromisoformat(reading).replace(tzinfo=known)
            instant = int(local.timestamp())
            exists = f"{datetime.fromtimestamp(instant, known):%Y-%m-%dT%H:%M}" == reading
            assert (day in found) is exists, reading
            assert zones.to_instant(reading, zone) == instant


def test_days_on_which_a_reading_is_skipped() -> None:
    assert skipped_days("T02:30", "America/New_York") == {day_of("2026-03-08"), day_of("2027-03-14")}
    assert skipped_days("T03:00", "America/New_York") == frozenset()
    assert skipped_days("T02:30", "Asia/Seoul") == frozenset()
    found = month_days("FREQ=DAILY;COUNT=3", "2026-03-07T02:30", "America/New_York")
    assert found == ["03-07", "03-09", "03-10"]


def test_weekdays_are_numbered_from_monday() -> None:
    assert [weekday_of(day_of(text)) for text in ("2026-10-26", "2026-11-01")] == [0, 6]


# --- speed


def test_a_weekly_series_over_a_year_takes_far_less_than_a_tenth_of_a_millisecond() -> None:
    rule, first = read_rule("FREQ=WEEKLY;BYDAY=TU"), day_of("2026-01-06")
    days(rule, first, first + 365)
    best = 1.0
    for _ in range(50):
        begin = time.perf_counter()
        days(rule, first, first + 365)
        best = min(best, time.perf_counter() - begin)
    assert best < 50e-6
