"""Events, their expansion into instances, who is busy when, and the list of events."""

from __future__ import annotations

import pytest
from calendar_kit import AMY, DANA, KIM, LEE, ROOM, TEAM, busy_times, calendar_world, event, guests
from commons_kit import do, every_page, flat, refused

from agentbench_env.errors import ToolError
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import (
    Event,
    Override,
    Time,
    When,
    is_instance,
    occurrences,
    originals,
)
from agentbench_tasks.commons.texts import Stated, Text

YEAR = (to_instant("2026-01-01T00:00", "UTC"), to_instant("2027-01-01T00:00", "UTC"))
TUESDAYS = "FREQ=WEEKLY;BYDAY=TU;UNTIL=20261222T010000Z"


def tokyo(**fields) -> Event:
    return event(start="2026-09-01T10:00", end="2026-09-01T10:45", zone="Asia/Tokyo", rrule=TUESDAYS, **fields)


def starts(series: Event, viewer_zone: str) -> list[str]:
    return [to_local(one.start, viewer_zone) for one in occurrences(series, *YEAR, viewer_zone)]


# --- expansion


def test_holidays_drop_out_of_a_japanese_series() -> None:
    holidays = (When("2026-09-22T10:00", "Asia/Tokyo"), When("2026-11-03T10:00", "Asia/Tokyo"))
    series = tokyo(exdates=holidays)
    assert len(occurrences(tokyo(), *YEAR, "Asia/Tokyo")) == 17
    found = occurrences(series, *YEAR, "Asia/Tokyo")
    assert len(found) == len(originals(series)) == 15
    assert found[0].id == "evt_a@2026-09-01T10:00"
    assert not {"2026-09-22T10:00", "2026-11-03T10:00"} & {one.original for one in found}
    assert (found[-1].ends, found[-1].end - found[-1].start) == (When("2026-12-22T10:45", "Asia/Tokyo"), 2700)


def test_ten_real_fridays_in_taipei_and_twenty_two_in_seoul() -> None:
    dates = ("2026-09-25T14:00", "2026-10-09T14:00")
    taipei = event(
        start="2026-08-28T14:00",
        zone="Asia/Taipei",
        rrule="FREQ=WEEKLY;COUNT=12",
        exdates=tuple(When(date, "Asia/Taipei") for date in dates),
    )
    kept = originals(taipei)
    assert (len(kept), kept[-1]) == (10, "2026-11-13T14:00")
    seoul = event(
        start="2026-07-03T09:00",
        zone="Asia/Seoul",
        rrule="FREQ=WEEKLY;UNTIL=20261225T000000Z",
        exdates=tuple(When(f"2026-{day}T09:00", "Asia/Seoul") for day in ("07-17", "09-25", "10-09", "12-25")),
    )
    assert len(originals(seoul)) == 22


def test_the_start_can_be_excluded_and_still_counts() -> None:
    series = event(rrule="FREQ=DAILY;COUNT=3", exdates=(When("2026-10-22T10:00", "Asia/Singapore"),))
    assert originals(series) == ["2026-10-23T10:00", "2026-10-24T10:00"]


def test_an_exclusion_matches_by_value_type_and_instant() -> None:
    other_zone = tokyo(exdates=(When("2026-09-22T09:00", "Asia/Singapore"), When("2026-09-29T01:00", "UTC")))
    assert len(originals(other_zone)) == 15
    nothing = tokyo(exdates=(When("2026-09-22"), When("2026-09-22T10:00"), When("2026-09-22T11:00", "Asia/Tokyo")))
    assert len(originals(nothing)) == 17
    days = event(
        start="2026-10-22", end="2026-10-23", zone="", rrule="FREQ=DAILY;COUNT=3", exdates=(When("2026-10-23"),)
    )
    assert originals(days) == ["2026-10-22", "2026-10-24"]
    floating = event(zone="", rrule="FREQ=DAILY;COUNT=3", exdates=(When("2026-10-23T10:00"), When("2026-10-24")))
    assert originals(floating) == ["2026-10-22T10:00", "2026-10-24T10:00"]


def test_a_series_of_new_york_moves_in_taipei_when_its_clocks_change() -> None:
    series = event(start="2026-03-05T09:00", zone="America/New_York", rrule="FREQ=WEEKLY")
    found = starts(series, "Asia/Taipei")
    assert found[:3] == ["2026-03-05T22:00", "2026-03-12T21:00", "2026-03-19T21:00"]
    assert "2026-10-29T21:00" in found
    assert "2026-11-05T22:00" in found
    assert {one.original[11:] for one in occurrences(series, *YEAR, "Asia/Taipei")} == {"09:00"}


def test_instances_are_changed_moved_and_taken_out() -> None:
    moved = Override(
        original_start="2026-09-15T10:00",
        start=When("2026-09-16T15:00", "Asia/Tokyo"),
        end=When("2026-09-16T16:30", "Asia/Tokyo"),
        title="Moved",
    )
    series = tokyo(overrides=(moved,), cancelled=("2026-09-08T10:00",), exdates=(When("2026-09-22"),))
    found = occurrences(series, *YEAR, "Asia/Tokyo")
    assert [one.begins.local for one in found[:3]] == ["2026-09-01T10:00", "2026-09-16T15:00", "2026-09-22T10:00"]
    assert (found[1].id, found[1].own.title, found[1].end - found[1].start) == ("evt_a@2026-09-15T10:00", "Moved", 5400)
    assert (found[0].own.title, found[0].own.start) == ("Title evt_a", When("2026-09-01T10:00", "Asia/Tokyo"))
    # A window finds what was moved into it and loses what was moved away.
    day = to_instant("2026-09-16T00:00", "Asia/Tokyo")
    assert [one.original for one in occurrences(series, day, day + 86_400, "Asia/Tokyo")] == ["2026-09-15T10:00"]
    assert occurrences(series, day - 86_400, day, "Asia/Tokyo") == []
    # What a rule no longer has is no instance, whatever was once changed about it.
    stale = tokyo(overrides=(Override(original_start="2026-09-17T10:00", title="Gone"),))
    assert len(occurrences(stale, *YEAR, "Asia/Tokyo")) == 17


def test_what_is_an_instance() -> None:
    series = tokyo(cancelled=("2026-09-08T10:00",))
    assert is_instance(series, "2026-09-15T10:00")
    for wrong in (
        "2026-09-08T10:00",
        "2026-09-16T10:00",
        "2026-09-15T11:00",
        "2026-09-15",
        "",
        "x",
        "2027-09-14T10:00",
    ):
        assert not is_instance(series, wrong)


def test_a_window_includes_what_reaches_into_it() -> None:
    night = event(start="2026-10-22T23:00", end="2026-10-24T01:00", rrule="FREQ=WEEKLY;COUNT=2")
    for day, found in (("2026-10-22", 1), ("2026-10-23", 1), ("2026-10-24", 1), ("2026-10-25", 0)):
        first = to_instant(f"{day}T00:00", "Asia/Singapore")
        assert len(occurrences(night, first, first + 86_400, "Asia/Singapore")) == found
    end = to_instant("2026-10-24T01:00", "Asia/Singapore")
    assert occurrences(night, end, end + 60, "Asia/Singapore") == []


# --- busy


def test_floating_times_and_whole_days_block_in_the_zone_of_the_calendar() -> None:
    floating = event("evt_f", zone="")
    whole = event("evt_w", "2026-10-23", "2026-10-25", "")
    world = calendar_world(floating, whole)
    assert busy_times(world, DANA, "2026-10-22T00:00", "2026-10-26T00:00") == ["10-22T10:00/11:00", "10-23T00:00/00:00"]
    # In another calendar's zone the same events block other hours.
    abroad = calendar_world(floating, whole, zone="Europe/London")
    assert busy_times(abroad, DANA, "2026-10-22T00:00", "2026-10-26T12:00") == [
        "10-22T17:00/18:00",
        "10-23T07:00/07:00",
    ]


def test_tentative_events_block_and_free_declined_and_cancelled_ones_do_not() -> None:
    times = [f"2026-10-22T{hour}:00" for hour in ("08", "10", "12", "14", "16", "18")]
    world = calendar_world(
        event("evt_1", times[0], status="tentative"),
        event("evt_2", times[1], transparency="free"),
        event("evt_3", times[2], status="cancelled"),
        event("evt_4", times[3], calendar_id="", organizer=AMY, attendees=guests(DANA, response="declined")),
        event("evt_5", times[4], calendar_id="", organizer=AMY, attendees=guests("Dana@Home.example")),
        event("evt_6", times[5], calendar_id="cal_team", attendees=guests(KIM, ROOM)),
    )
    day = ("2026-10-22T00:00", "2026-10-23T00:00")
    assert busy_times(world, DANA, *day) == ["10-22T08:00/09:00", "10-22T16:00/17:00"]
    assert busy_times(world, KIM, *day) == busy_times(world, ROOM, *day) == ["10-22T18:00/19:00"]
    assert busy_times(world, TEAM, *day) == ["10-22T18:00/19:00"]
    assert busy_times(world, LEE, *day) == busy_times(world, "nobody@x.example", *day) == []


def test_busy_times_are_merged_and_cut_to_what_was_asked() -> None:
    world = calendar_world(
        event("evt_1", "2026-10-22T09:00", "2026-10-22T10:00"),
        event("evt_2", "2026-10-22T10:00", "2026-10-22T11:00"),
        event("evt_3", "2026-10-22T09:30", "2026-10-22T09:45"),
        event("evt_4", "2026-10-22T13:00", "2026-10-22T15:00"),
    )
    assert busy_times(world, DANA, "2026-10-22T09:30", "2026-10-22T14:00") == [
        "10-22T09:30/11:00",
        "10-22T13:00/14:00",
    ]


def test_one_instance_may_block_less_or_have_other_guests() -> None:
    own = Override(original_start="2026-10-23T10:00", transparency="free")
    other = Override(original_start="2026-10-24T10:00", attendees=guests(KIM))
    world = calendar_world(event(rrule="FREQ=DAILY;COUNT=3", overrides=(own, other), attendees=guests(AMY)))
    assert busy_times(world, DANA, "2026-10-22T00:00", "2026-10-25T00:00") == ["10-22T10:00/11:00", "10-24T10:00/11:00"]
    assert busy_times(world, KIM, "2026-10-22T00:00", "2026-10-25T00:00") == ["10-24T10:00/11:00"]


# --- times as arguments


@pytest.mark.parametrize(
    ("time", "when"),
    [
        (Time(local="2026-10-22T10:00", zone="Asia/Seoul"), When("2026-10-22T10:00", "Asia/Seoul")),
        (Time(local="2026-10-22T10:00:00"), When("2026-10-22T10:00")),
        (Time(date="2026-10-22"), When("2026-10-22")),
        (Time(), None),
    ],
)
def test_times_are_read(time: Time, when: When | None) -> None:
    assert time.read("start") == when


@pytest.mark.parametrize(
    ("time", "code", "field"),
    [
        (Time(zone="Asia/Seoul"), "invalid_argument", "start"),
        (Time(local="2026-10-22T10:00", date="2026-10-22"), "invalid_argument", "start"),
        (Time(date="2026-10-22", zone="Asia/Seoul"), "invalid_argument", "start"),
        (Time(local="2026-10-22T10:00", zone="KST"), "unknown_zone", "start.zone"),
        (Time(local="2026-10-22"), "invalid_argument", "start.local"),
        (Time(local="2026-10-22T10:00:30"), "invalid_argument", "start.local"),
        (Time(local="2026-10-22T10:00+09:00"), "invalid_argument", "start.local"),
        (Time(local="2026-13-22T10:00"), "invalid_argument", "start.local"),
        (Time(local="2029-01-01T10:00"), "invalid_argument", "start.local"),
        (Time(date="2026-W10-1"), "invalid_argument", "start.date"),
        (Time(date="9999-12-31"), "invalid_argument", "start.date"),
    ],
)
def test_what_is_no_time_is_refused(time: Time, code: str, field: str) -> None:
    with pytest.raises(ToolError) as caught:
        time.read("start")
    assert (caught.value.code, caught.value.field) == (code, field)


# --- the list


def listed(world, **arguments) -> list[str]:
    span = {"from_at": "2026-10-20T00:00", "to_at": "2026-10-30T00:00", **arguments}
    return [row.event_id for row in do(world, CalListEvents, **span).result.events]


def test_events_are_listed_by_start_with_the_users_own_and_those_the_user_is_invited_to() -> None:
    world = calendar_world(
        event("evt_b", "2026-10-23T09:00", attendees=guests(AMY, KIM), location="Room 4"),
        event("evt_s", "2026-10-21T10:00", rrule="FREQ=DAILY;COUNT=3"),
        event(
            "evt_i", zone="Europe/London", calendar_id="", organizer=AMY, attendees=guests(DANA, response="tentative")
        ),
        event("evt_t", "2026-10-22T10:00", calendar_id="cal_team"),
        event("evt_w", "2026-10-24", "2026-10-25", ""),
        event("evt_f", "2026-10-25T09:00", zone=""),
    )
    expected = ["evt_s@2026-10-21T10:00", "evt_s@2026-10-22T10:00", "evt_i", "evt_b", "evt_s@2026-10-23T10:00"]
    assert listed(world) == [*expected, "evt_w", "evt_f"]
    assert listed(world, expand=False) == ["evt_s", "evt_i", "evt_b", "evt_w", "evt_f"]
    assert listed(world, calendar_id="cal_team") == ["evt_t"]
    rows = {
        row.event_id: row for row in do(world, CalListEvents, from_at="2026-10-20", to_at="2026-10-30").result.events
    }
    invited = rows["evt_i"]
    assert (invited.start.local, invited.start.zone, invited.my_response) == (
        "2026-10-22T10:00",
        "Europe/London",
        "tentative",
    )
    assert (rows["evt_f"].start.zone, rows["evt_w"].start, rows["evt_w"].end) == ("", "2026-10-24", "2026-10-25")
    assert (rows["evt_b"].guests, rows["evt_b"].location, rows["evt_b"].my_response) == ([AMY, KIM], "Room 4", "")
    assert (rows["evt_s@2026-10-22T10:00"].series_id, rows["evt_s@2026-10-22T10:00"].rrule) == ("evt_s", "")


def test_a_date_as_end_is_included_and_a_time_is_not() -> None:
    world = calendar_world(event(start="2026-10-22T10:00"))
    assert listed(world, from_at="2026-10-22", to_at="2026-10-22") == ["evt_a"]
    assert listed(world, from_at="2026-10-22T00:00", to_at="2026-10-22T10:00") == []
    assert listed(world, from_at="2026-10-22T11:00", to_at="2026-10-23") == []


def test_calendars_without_access_and_wrong_times_are_refused() -> None:
    world = calendar_world()
    span = {"from_at": "2026-10-22", "to_at": "2026-10-23"}
    for id in ("cal_kim", "cal_lee"):
        assert refused(world, CalListEvents, **span, calendar_id=id).code == "no_access"
    assert refused(world, CalListEvents, **span, calendar_id="cal_none").code == "unknown_id"
    assert refused(world, CalListEvents, from_at="2026-10-23T00:00", to_at="2026-10-22").field == "to_at"
    for wrong in ("tomorrow", "2026-10-22 10:00", "2031-01-01", ""):
        assert refused(world, CalListEvents, from_at=wrong, to_at="2026-10-23").field == "from_at"


def test_events_come_twenty_five_a_page() -> None:
    world = calendar_world(event(start="2026-09-08T10:00", rrule="FREQ=DAILY;COUNT=60", attendees=guests(KIM)))
    pages = every_page(world, CalListEvents, lambda result: result.events, from_at="2026-09-01", to_at="2026-12-31")
    assert [len(rows) for rows in pages] == [25, 25, 10]
    assert len({row.event_id for row in flat(pages)}) == 60


def test_an_instance_is_cited_like_its_series() -> None:
    title = Text.of("travel", "mails.trip_chat", "en", 0, dest="Honolulu", friend="Mei")
    facts = (Stated("event.room", "4", "location"), Stated("event.code", "77", "description"))
    world = calendar_world(event(rrule="FREQ=DAILY;COUNT=2", stated=facts, description=title))
    shown = do(world, CalListEvents, from_at="2026-10-22", to_at="2026-10-22").shown
    assert shown == {"evt_a": ("event.room",), "evt_a@2026-10-22T10:00": ("event.room",)}
    stamped = world.find("evt_a@2026-10-22T10:00")
    assert stamped is not None
    assert stamped.facts(world) == {"event.room": "4", "event.code": "77"}
    assert world.diff() == []
