"""Invitations: the file as another library reads it, the instants in it, and what the user's calendar shows."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from calendar_kit import AMY, DANA, calendar_world, event, guests
from commons_kit import do, mail, refused
from icalendar import Calendar as IcsCalendar

from agentbench_env.world import World
from agentbench_env.zones import first_instant, to_instant, to_local, zone_names, zone_row
from agentbench_tasks.calendar_mail.domain.file_times import (
    FileTime,
    ZoneBlock,
    frozen_block,
    is_floating,
    known_zone,
    offset_of,
    zone_blocks,
)
from agentbench_tasks.calendar_mail.domain.invites import (
    CalReadInvite,
    Invite,
    file_instant,
    file_starts,
    ics_text,
)
from agentbench_tasks.commons.messages import Address
from agentbench_tasks.commons.texts import Stated

LONDON = zone_blocks("Europe/London")
CUSTOM = "Custom: (UTC+10:00) Sydney"


def invite(start: str = "2026-10-27T09:00", tzid: str = "", **fields: Any) -> Invite:
    end = to_local(to_instant(start, "UTC") + 3600, "UTC") if "T" in start else "2026-10-28"
    utc = fields.pop("utc", False)
    rest: dict[str, Any] = {
        "message_id": "msg_1",
        "uid": "u-1@abroad.example",
        "organizer": Address(AMY, "Amy Whitcombe"),
        "attendees": (Address(DANA, "Dana Lim"),),
        "summary": "Warranty call",
        "start": FileTime(start, tzid, utc),
        "end": FileTime(end, tzid, utc),
        "stamped_at": to_instant("2026-10-01T08:15", "UTC"),
        **fields,
    }
    return Invite("inv_1", **rest)


def parsed(file: Invite) -> Any:
    """The file as a library reads it that knows nothing of ours; line ends on the wire are CRLF."""
    return IcsCalendar.from_ical(ics_text(file).replace("\n", "\r\n"))


def first_event(file: Invite) -> Any:
    (found,) = parsed(file).walk("VEVENT")
    return found


def local(file: Invite, zone: str) -> str:
    return to_local(file_instant(file, zone), zone)


# --- the file


def test_the_file_says_what_the_invitation_has() -> None:
    file = invite(
        tzid="Europe/London",
        blocks=LONDON,
        rrule="FREQ=WEEKLY;COUNT=4",
        exdates=(FileTime("2026-11-03T09:00", "Europe/London"),),
        summary="保証条件; 確認, 第1回",
        location="Room 4",
        description="Line one\nLine two \\ end",
        sequence=2,
    )
    found = first_event(file)
    assert (found["UID"], found["SEQUENCE"], found["SUMMARY"]) == ("u-1@abroad.example", 2, "保証条件; 確認, 第1回")
    assert found["DESCRIPTION"] == "Line one\nLine two \\ end"
    assert (found["ORGANIZER"], found["ORGANIZER"].params["CN"]) == (f"mailto:{AMY}", "Amy Whitcombe")
    assert found["ATTENDEE"].params["RSVP"] == "TRUE"
    assert found["DTSTART"].dt.replace(tzinfo=None) == datetime(2026, 10, 27, 9)
    assert found["DTSTAMP"].dt == datetime(2026, 10, 1, 8, 15, tzinfo=UTC)
    assert found["RRULE"].to_ical() == b"FREQ=WEEKLY;COUNT=4"
    assert found["EXDATE"].dts[0].dt.replace(tzinfo=None) == datetime(2026, 11, 3, 9)
    whole = parsed(file)
    assert (whole["METHOD"], whole["VERSION"]) == ("REQUEST", "2.0")
    assert parsed(invite(method="CANCEL"))["METHOD"] == "CANCEL"


@pytest.mark.parametrize(
    ("file", "line"),
    [
        (invite(tzid="Europe/London"), "DTSTART;TZID=Europe/London:20261027T090000"),
        (invite(), "DTSTART:20261027T090000"),
        (invite("2026-11-12T10:00", "Arab Standard Time"), 'DTSTART;TZID="Arab Standard Time":20261112T100000'),
        (invite(utc=True), "DTSTART:20261027T090000Z"),
        (invite("2026-10-27"), "DTSTART;VALUE=DATE:20261027"),
        (invite(tzid=CUSTOM), 'DTSTART;TZID="Custom: (UTC+10:00) Sydney":20261027T090000'),
    ],
)
def test_starts_are_written_in_every_form(file: Invite, line: str) -> None:
    assert line in ics_text(file).splitlines()


def test_long_lines_are_folded_after_75_octets_and_never_inside_a_character() -> None:
    text = "ก" * 200 + "é" * 50 + "x" * 200
    lines = ics_text(invite(summary=text)).splitlines()
    assert max(len(line.encode()) for line in lines) == 75
    assert first_event(invite(summary=text))["SUMMARY"] == text
    assert "\r" not in ics_text(invite())


def test_names_are_quoted_where_they_must_be() -> None:
    file = invite(organizer=Address(AMY, 'Whitcombe, Amy: "Sales"'))
    assert first_event(file)["ORGANIZER"].params["CN"] == "Whitcombe, Amy: 'Sales'"


# --- zones


@pytest.mark.parametrize("zone", zone_names())
def test_the_blocks_of_a_correct_vtimezone_give_the_clocks_of_the_zone(zone: str) -> None:
    blocks = zone_blocks(zone)
    row, changes = zone_row(zone, first_instant()), []
    while (change := row.next) is not None:
        changes.append(change.instant)
        row = zone_row(zone, change.instant)
    # Before its first onset a block leaves the offset that it comes from.
    for instant in [to_instant(f"2026-{month:02}-15T12:00", "UTC") for month in range(1, 13)] + [
        change + hours * 3600 for change in changes for hours in (-30, -3, 3, 30)
    ]:
        reading = to_local(instant, zone)
        assert to_instant(reading, "UTC") - 60 * offset_of(blocks, reading) == to_instant(reading, zone), reading
    file = invite("2026-07-15T12:00", "Custom", blocks=blocks)
    assert file_instant(file, "Asia/Seoul") == to_instant("2026-07-15T12:00", zone)


def test_another_library_finds_the_same_offsets_in_the_file() -> None:
    for zone in ("Europe/London", "America/New_York", "Australia/Sydney", "Asia/Dubai"):
        (block,) = parsed(invite(tzid="Custom", blocks=zone_blocks(zone))).walk("VTIMEZONE")
        clock = block.to_tz(lookup_tzid=False)
        for month in range(1, 13):
            reading = datetime(2026, month, 15, 12)
            offset = reading.replace(tzinfo=clock).utcoffset()
            assert offset is not None
            assert offset.total_seconds() == 60 * offset_of(zone_blocks(zone), f"{reading:%Y-%m-%dT%H:%M}"), zone


def test_rules_of_transitions_are_those_of_the_law() -> None:
    assert {block.rrule for block in LONDON} == {
        "FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    }
    assert {block.rrule for block in zone_blocks("America/New_York")} == {
        "FREQ=YEARLY;BYMONTH=11;BYDAY=1SU",
        "FREQ=YEARLY;BYMONTH=3;BYDAY=2SU",
    }
    assert {block.rrule for block in zone_blocks("Australia/Sydney")} == {
        "FREQ=YEARLY;BYMONTH=10;BYDAY=1SU",
        "FREQ=YEARLY;BYMONTH=4;BYDAY=1SU",
    }
    assert zone_blocks("Asia/Seoul") == (ZoneBlock(False, 540, 540),)


def test_windows_names_mean_the_zones_of_their_table() -> None:
    assert known_zone("Arabian Standard Time") == "Asia/Dubai"
    assert known_zone("Arab Standard Time") == "Asia/Riyadh"
    assert known_zone("Eastern Standard Time") == "America/New_York"
    assert known_zone("Europe/London") == "Europe/London"
    assert known_zone("CST") == known_zone(CUSTOM) == known_zone("") == ""


# --- worked examples


def test_dubai_written_as_arab_standard_time_shows_an_hour_late() -> None:
    assert local(invite("2026-11-12T10:00", "Arab Standard Time"), "Asia/Dubai") == "2026-11-12T11:00"
    assert local(invite("2026-11-12T10:00", "Arabian Standard Time"), "Asia/Dubai") == "2026-11-12T10:00"


def test_a_windows_name_with_standard_in_it_follows_daylight_saving() -> None:
    assert local(invite("2026-10-29T19:00", "Eastern Standard Time"), "Asia/Seoul") == "2026-10-30T08:00"
    assert local(invite("2026-10-29T19:00", "Eastern Standard Time"), "Asia/Dubai") == "2026-10-30T03:00"


def test_a_frozen_vtimezone_keeps_the_offset_of_the_other_season() -> None:
    frozen = invite("2026-10-06T10:00", CUSTOM, blocks=frozen_block(600))
    right = invite("2026-10-06T10:00", CUSTOM, blocks=zone_blocks("Australia/Sydney"))
    assert (local(frozen, "Asia/Bangkok"), local(right, "Asia/Bangkok")) == ("2026-10-06T07:00", "2026-10-06T06:00")
    assert local(right, "Asia/Singapore") == "2026-10-06T07:00"
    # A zone that the calendar knows is read by its own table.
    known = invite("2026-10-06T10:00", "Australia/Sydney", blocks=frozen_block(600))
    assert local(known, "Asia/Bangkok") == "2026-10-06T06:00"


def test_a_floating_start_is_the_same_reading_everywhere() -> None:
    for zone in ("Asia/Singapore", "Europe/London"):
        assert local(invite(), zone) == "2026-10-27T09:00"
    assert local(invite(utc=True), "Asia/Singapore") == "2026-10-27T17:00"
    assert local(invite(tzid="Europe/London"), "Asia/Singapore") == "2026-10-27T17:00"
    # A zone that nobody knows and that the file does not describe is no zone.
    for file, floating in ((invite(), True), (invite(tzid=CUSTOM), True), (invite(utc=True), False)):
        assert is_floating(file.start, file.blocks) is floating
    assert not is_floating(FileTime("2026-10-27T09:00", CUSTOM), frozen_block(0))
    assert not is_floating(FileTime("2026-10-27"), ())


@pytest.mark.parametrize("tzid", ["America/New_York", "Custom"])
def test_a_weekly_series_of_new_york_changes_its_hour_in_taipei(tzid: str) -> None:
    file = invite("2026-03-05T09:00", tzid, blocks=zone_blocks("America/New_York"), rrule="FREQ=WEEKLY")
    found = [to_local(instant, "Asia/Taipei") for instant in file_starts(file, "Asia/Taipei")]
    assert found[:2] == ["2026-03-05T22:00", "2026-03-12T21:00"]
    assert {"2026-10-29T21:00", "2026-11-05T22:00"} <= set(found)


def test_the_series_of_a_file_ends_and_leaves_out_as_the_calendar_does() -> None:
    tokyo = {"start": "2026-09-01T10:00", "tzid": "Asia/Tokyo"}
    weekly = "FREQ=WEEKLY;BYDAY=TU;UNTIL="
    for until, number in (("20261222T010000Z", 17), ("20261222T000000Z", 16)):
        assert len(file_starts(invite(**tokyo, rrule=f"{weekly}{until}"), "Asia/Tokyo")) == number
    skip = (FileTime("2026-09-22T10:00", "Asia/Tokyo"), FileTime("2026-09-29T01:00", utc=True), FileTime("2026-10-06"))
    file = invite(**tokyo, rrule=f"{weekly}20261222T010000Z", exdates=skip)
    assert len(file_starts(file, "Asia/Tokyo")) == 15
    assert len(file_starts(file, "Asia/Tokyo", to_instant("2026-09-15T10:00", "Asia/Tokyo"))) == 3
    assert file_starts(invite(), "Asia/Tokyo") == [file_instant(invite(), "Asia/Tokyo")]
    local_until = invite(rrule="FREQ=DAILY;UNTIL=20261029T090000")
    assert len(file_starts(local_until, "Asia/Tokyo")) == 3


# --- the tool


def office(file: Invite, *records: Any) -> World:
    return calendar_world(mail("msg_1", kind="event_invite"), mail("msg_2"), file, *records)


def test_an_invitation_is_read_as_file_and_as_the_users_calendar_shows_it() -> None:
    file = invite(tzid="Europe/London", blocks=LONDON, stated=(Stated("invite.start", "2026-10-27T17:00"),))
    placed = event("evt_a", ical_uid="u-1@abroad.example", calendar_id="", organizer=AMY, attendees=guests(DANA))
    outcome = do(office(file, placed), CalReadInvite, message_id="msg_1")
    text = outcome.result
    assert text.ics == ics_text(file)
    assert (text.start.local, text.start.zone, text.is_floating) == ("2026-10-27T17:00", "Asia/Singapore", False)
    assert (text.end.local, text.event_id, text.summary) == ("2026-10-27T18:00", "evt_a", "Warranty call")
    assert outcome.shown == {"inv_1": (), "msg_1": ("invite.start",), "evt_a": ("id",)}


def test_a_floating_invitation_is_shown_at_its_own_reading_and_flagged() -> None:
    outcome = do(office(invite()), CalReadInvite, message_id="msg_1")
    text = outcome.result
    assert (text.start.local, text.start.zone, text.is_floating) == ("2026-10-27T09:00", "Asia/Singapore", True)
    assert text.event_id == ""
    assert outcome.shown == {"inv_1": (), "msg_1": ("id",)}
    assert do(office(invite("2026-10-27")), CalReadInvite, message_id="msg_1").result.start == "2026-10-27"


def test_an_event_that_the_user_cannot_see_is_not_told() -> None:
    hidden = event("evt_k", ical_uid="u-1@abroad.example", calendar_id="cal_kim", organizer=AMY)
    assert do(office(invite(), hidden), CalReadInvite, message_id="msg_1").result.event_id == ""


def test_a_mail_without_a_calendar_file_has_no_invitation() -> None:
    world = office(invite())
    assert refused(world, CalReadInvite, message_id="msg_2").code == "no_invite"
    assert refused(world, CalReadInvite, message_id="inv_1").code == "unknown_id"
