"""The calendar's tools: reading events and busy times, making, changing and deleting events, answering invitations."""

from __future__ import annotations

from typing import Any

import pytest
from calendar_kit import AMY, DANA, KIM, LEE, ROOM, ZONE, calendar_world, event, guests, notices
from commons_kit import do, every_page, flat, refused

from agentbench_env.episode import MOST_CHARACTERS
from agentbench_env.market import shared_table
from agentbench_env.tool import description, input_schema
from agentbench_env.world import World
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_read import CalGetEvent, CalQueryFreeBusy
from agentbench_tasks.calendar_mail.domain.cal_write import (
    CalCreateEvent,
    CalDeleteEvent,
    CalRespondInvite,
    CalUpdateEvent,
)
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import Event, Override, When, originals
from agentbench_tasks.commons.outbound import Outbound

WRITES = (CalCreateEvent, CalUpdateEvent, CalDeleteEvent, CalRespondInvite)
TOOLS = (CalListEvents, CalGetEvent, CalQueryFreeBusy, *WRITES)


def at(local: str, zone: str = ZONE) -> dict[str, str]:
    return {"local": local, "zone": zone}


def series(**fields: Any) -> Event:
    rest = {"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=6", "attendees": guests(DANA, KIM, AMY), **fields}
    return event("evt_s", **rest)


def get(world: World, id: str) -> Event:
    return world.get(Event, id)


# --- what every tool says of itself


@pytest.mark.parametrize("tool", TOOLS)
def test_every_tool_has_a_plain_schema(tool: Any) -> None:
    assert input_schema(tool)["properties"]
    assert input_schema(tool, "flat")["properties"]


@pytest.mark.parametrize("tool", WRITES[:3])
def test_who_is_mailed_by_default_is_said_in_the_description(tool: Any) -> None:
    assert "default all" in description(tool)
    assert input_schema(tool)["properties"]["send_updates"]["default"] == "all"


@pytest.mark.parametrize("language", ["ko", "ja", "zh-Hant", "th", "ar", "en"])
def test_every_refusal_has_its_sentence(language: str) -> None:
    sentences = shared_table(f"text/{language}/common")["tool_errors"]
    for code in ("bad_rrule", "end_before_start", "no_access", "not_organizer", "not_invited", "no_invite"):
        assert sentences[code]


# --- reading


def test_a_series_is_read_with_its_rule_exclusions_and_first_instances() -> None:
    own = Override(original_start="2026-11-05T10:00", title="Other")
    world = calendar_world(
        series(
            exdates=(When("2026-10-29T10:00", ZONE), When("2026-11-12")),
            cancelled=("2026-11-19T10:00",),
            overrides=(own,),
            created_at=to_instant("2026-09-01T09:00", ZONE),
        )
    )
    outcome = do(world, CalGetEvent, event_id="evt_s")
    text = outcome.result
    assert outcome.shown == {"evt_s": ()}
    assert text.instances == [f"evt_s@2026-{day}T10:00" for day in ("10-22", "11-05", "11-12", "11-26")]
    # The date matches nothing, and is kept.
    assert [getattr(date, "local", date) for date in text.exdates] == ["2026-10-29T10:00", "2026-11-12"]
    assert (text.changed_instances, text.cancelled_instances) == (
        ["evt_s@2026-11-05T10:00"],
        ["evt_s@2026-11-19T10:00"],
    )
    assert (text.created_at, text.rrule) == ("2026-09-01T09:00:00+08:00", "FREQ=WEEKLY;BYDAY=TH;COUNT=6")
    instance = do(world, CalGetEvent, event_id="evt_s@2026-11-05T10:00")
    assert (instance.result.title, instance.result.start.local) == ("Other", "2026-11-05T10:00")
    assert (instance.result.series_id, instance.result.rrule, instance.result.instances) == ("evt_s", "", [])
    assert instance.shown == {"evt_s": (), "evt_s@2026-11-05T10:00": ()}


def test_what_the_user_cannot_see_is_not_found() -> None:
    world = calendar_world(
        event("evt_k", calendar_id="cal_kim", organizer=KIM),
        event("evt_t", calendar_id="cal_team", organizer=KIM),
        event("evt_i", calendar_id="", organizer=AMY, attendees=guests(DANA)),
        series(),
    )
    for id in ("evt_t", "evt_i"):
        assert do(world, CalGetEvent, event_id=id).result.event_id == id
    for id in ("evt_k", "evt_none", "cal_own", "evt_s@2026-10-23T10:00", "evt_t@2026-10-22T10:00", "evt_s@"):
        assert refused(world, CalGetEvent, event_id=id).code == "unknown_id"


def test_busy_times_of_colleagues_and_rooms_are_told_without_their_subject() -> None:
    world = calendar_world(
        event("evt_1", attendees=guests(KIM, ROOM)),
        event("evt_2", "2026-10-22T14:00", calendar_id="cal_kim", organizer=KIM),
    )
    asked = {"from_at": "2026-10-22T00:00", "to_at": "2026-10-23T00:00"}
    outcome = do(world, CalQueryFreeBusy, addresses=[KIM, ROOM, LEE, AMY], **asked)
    rows = {row.address: row for row in outcome.result.calendars}
    assert [(span.start.local, span.end.local) for span in rows[KIM].busy] == [
        ("2026-10-22T10:00", "2026-10-22T11:00"),
        ("2026-10-22T14:00", "2026-10-22T15:00"),
    ]
    assert (len(rows[ROOM].busy), rows[LEE].calendar, rows[AMY].calendar) == (1, "not_shared", "not_shared")
    assert outcome.shown == {"cal_kim": ("id",), "cal_room": ("id",)}
    there = do(world, CalQueryFreeBusy, addresses=[KIM], **asked, zone="Europe/London").result.calendars[0].busy
    assert [(span.start.local, span.start.zone) for span in there] == [
        ("2026-10-22T03:00", "Europe/London"),
        ("2026-10-22T07:00", "Europe/London"),
    ]


def test_busy_times_are_asked_for_at_most_three_weeks_and_eight_people() -> None:
    world = calendar_world()
    asked = {"addresses": [KIM], "from_at": "2026-10-22T00:00"}
    assert do(world, CalQueryFreeBusy, **asked, to_at="2026-11-12T00:00").result.total == 0
    assert refused(world, CalQueryFreeBusy, **asked, to_at="2026-11-12T10:00").code == "range_too_long"
    assert refused(world, CalQueryFreeBusy, **asked, to_at="2026-10-23", zone="CST").code == "unknown_zone"
    assert refused(world, CalQueryFreeBusy, **{**asked, "addresses": []}, to_at="2026-10-23").field == "addresses"
    assert (
        refused(world, CalQueryFreeBusy, **{**asked, "addresses": [KIM] * 9}, to_at="2026-10-23").field == "addresses"
    )


def test_many_busy_times_come_by_pages() -> None:
    hours = [f"2026-10-22T{hour:02}:{minute}" for hour in range(8, 20) for minute in ("00", "30")]
    halves = [event(f"evt_{n}", hour, f"{hour[:-2]}{int(hour[-2:]) + 15}") for n, hour in enumerate(hours)]
    world = calendar_world(*(one.__class__(**{**_fields(one), "rrule": "FREQ=DAILY;COUNT=20"}) for one in halves))
    span = {"from_at": "2026-10-22T00:00", "to_at": "2026-11-12T00:00"}
    pages = every_page(world, CalQueryFreeBusy, lambda r: r.calendars[0].busy, addresses=[DANA], **span)
    assert len({busy.start.local for busy in flat(pages)}) == 24 * 20
    assert len(pages) > 4


def _fields(one: Event) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__struct_fields__}


# --- making


def make(world: World, **arguments: Any) -> Any:
    good = {
        "calendar_id": "cal_own",
        "title": "Stock check",
        "start": at("2026-10-22T10:00"),
        "end": at("2026-10-22T11:00"),
    }
    return do(world, CalCreateEvent, **{**good, **arguments})


def test_an_event_without_guests_concerns_the_own_calendar_alone() -> None:
    world = calendar_world()
    outcome = make(world, location="Room 4", description="Bring lists", transparency="free")
    made = get(world, outcome.result.event_id)
    assert (outcome.effect, outcome.result.notified, outcome.result.instances) == ("own", [], [])
    assert (made.title, made.organizer, made.calendar_id, made.sequence) == ("Stock check", DANA, "cal_own", 0)
    assert (made.start, made.transparency) == (When("2026-10-22T10:00", ZONE), "free")
    assert made.created_at == world.now
    assert [change.id for change in world.journal] == [made.id]
    assert make(world, calendar_id="cal_team").result.event_id != made.id
    assert outcome.shown == {made.id: ()}


def test_guests_are_mailed_by_default_but_neither_the_user_nor_rooms() -> None:
    everybody = [{"address": address} for address in (DANA, "Kim@home.example", AMY)]
    # Even a room that is named as a person is one.
    people = [*everybody, {"address": ROOM}]
    for send_updates, reached, effect in (
        ("all", ["ctc_kim", "ctc_amy"], "send"),
        ("external_only", ["ctc_amy"], "send"),
        ("none", [], "own"),
    ):
        world = calendar_world()
        chosen = {} if send_updates == "all" else {"send_updates": send_updates}
        outcome = make(world, attendees=people, **chosen)
        assert outcome.effect == effect
        assert notices(world) == [("event_notice", "invitation", id) for id in reached]
        assert all(row.subject_id == outcome.result.event_id for row in world.all(Outbound))
    assert [guest.internal for guest in get(world, outcome.result.event_id).attendees] == [True, True, False, False]


def test_a_series_skips_what_it_excludes() -> None:
    world = calendar_world()
    made = make(
        world,
        start=at("2026-09-01T10:00", "Asia/Tokyo"),
        end=at("2026-09-01T10:45", "Asia/Tokyo"),
        rrule="RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20261222T010000Z",
        exdates=[at("2026-09-22T10:00", "Asia/Tokyo"), at("2026-11-03T10:00", "Asia/Tokyo"), {"date": "2026-09-29"}],
    ).result
    assert len(made.instances) == 15
    assert made.instances[0] == f"{made.event_id}@2026-09-01T10:00"
    stored = get(world, made.event_id)
    assert (stored.rrule[:4], stored.exdates[2]) == ("FREQ", When("2026-09-29"))
    text = do(world, CalGetEvent, event_id=made.event_id).result
    assert (text.instances, len(text.exdates)) == (made.instances, 3)
    daily = make(world, rrule="FREQ=DAILY").result
    assert len(daily.instances) == 60


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"rrule": "FREQ=WEEKLY;UNTIL=20261222"}, "bad_rrule", "rrule"),
        ({"rrule": "FREQ=WEEKLY;UNTIL=20261222T100000"}, "bad_rrule", "rrule"),
        ({"rrule": "every Tuesday"}, "bad_rrule", "rrule"),
        ({"end": at("2026-10-22T10:00")}, "end_before_start", "end"),
        ({"end": at("2026-10-22T10:30", "Asia/Seoul")}, "end_before_start", "end"),
        ({"end": {"date": "2026-10-23"}}, "invalid_argument", "end"),
        ({"end": {"local": "2026-10-22T11:00"}}, "invalid_argument", "end"),
        ({"start": {}}, "invalid_argument", "start"),
        ({"end": {}}, "invalid_argument", "end"),
        ({"start": {"date": "2026-10-22"}, "end": {"date": "2026-10-22"}}, "end_before_start", "end"),
        ({"start": at("2026-10-22T10:00", "Seoul")}, "unknown_zone", "start.zone"),
        ({"calendar_id": "cal_kim"}, "no_access", "calendar_id"),
        ({"calendar_id": "cal_none"}, "unknown_id", "calendar_id"),
        ({"attendees": [{"address": "kim"}]}, "bad_address", "attendees.0"),
        ({"attendees": [{"address": KIM, "role": "chair"}]}, "invalid_argument", "attendees.0.role"),
        ({"attendees": [{"address": KIM}] * 21}, "invalid_argument", "attendees"),
        ({"exdates": [{}]}, "invalid_argument", "exdates.0"),
        ({"exdates": [at("2026-10-22T10:00", "KST")]}, "unknown_zone", "exdates.0.zone"),
        ({"title": "\x07"}, "invalid_argument", "title"),
        ({"color": "red"}, "invalid_argument", "color"),
    ],
)
def test_what_cannot_be_made_is_refused(arguments: dict[str, Any], code: str, field: str) -> None:
    world = calendar_world()
    error = refused(
        world,
        CalCreateEvent,
        **{
            "calendar_id": "cal_own",
            "title": "x",
            "start": at("2026-10-22T10:00"),
            "end": at("2026-10-22T11:00"),
            **arguments,
        },
    )
    assert (error.code, error.field) == (code, field)


# --- changing


def change(world: World, id: str, **arguments: Any) -> Any:
    return do(world, CalUpdateEvent, event_id=id, **arguments)


def test_an_event_moves_and_stays_as_long_as_it_was() -> None:
    world = calendar_world(event(attendees=guests(DANA, AMY, response="accepted"), description="Keep"))
    outcome = change(world, "evt_a", start=at("2026-10-30T17:30", "Asia/Seoul"))
    moved = get(world, "evt_a")
    assert (moved.start, moved.end) == (When("2026-10-30T17:30", "Asia/Seoul"), When("2026-10-30T18:30", "Asia/Seoul"))
    assert (moved.ical_uid, moved.sequence, moved.description) == ("evt_a@home.example", 1, "Keep")
    assert [guest.response for guest in moved.attendees] == ["accepted", "accepted"]
    assert (outcome.effect, outcome.result.notified) == ("send", [AMY])
    assert outcome.result.event.sequence == 1
    assert notices(world) == [("event_notice", "update", "ctc_amy")]
    quiet = change(world, "evt_a", end=at("2026-10-30T19:00", "Asia/Seoul"), send_updates="none")
    assert (quiet.effect, get(world, "evt_a").end.local, len(notices(world))) == ("own", "2026-10-30T19:00", 1)


def test_a_change_of_nothing_mails_nobody() -> None:
    world = calendar_world(event(attendees=guests(KIM)))
    outcome = change(world, "evt_a", title="Title evt_a")
    assert (outcome.effect, outcome.result.notified, world.journal) == ("read", [], [])


def test_guests_who_come_stay_and_go_are_told_so() -> None:
    world = calendar_world(event(attendees=guests(DANA, KIM, AMY, response="accepted")))
    outcome = change(
        world, "evt_a", attendees=[{"address": DANA}, {"address": AMY, "role": "optional"}, {"address": LEE}]
    )
    assert [(guest.address, guest.role, guest.response) for guest in get(world, "evt_a").attendees] == [
        (DANA, "required", "accepted"),
        (AMY, "optional", "accepted"),
        (LEE, "required", "needs_action"),
    ]
    assert sorted(notices(world)) == [
        ("event_notice", "cancellation", "ctc_kim"),
        ("event_notice", "invitation", "ctc_lee"),
        ("event_notice", "update", "ctc_amy"),
    ]
    assert set(outcome.result.notified) == {KIM, AMY, LEE}


def test_one_instance_changes_and_its_siblings_stay() -> None:
    world = calendar_world(series())
    outcome = change(world, "evt_s@2026-10-29T10:00", start=at("2026-10-30T14:00"), title="Later", send_updates="none")
    stored = get(world, "evt_s")
    assert stored.overrides == (
        Override(
            original_start="2026-10-29T10:00",
            start=When("2026-10-30T14:00", ZONE),
            end=When("2026-10-30T15:00", ZONE),
            title="Later",
        ),
    )
    assert (stored.sequence, stored.start, stored.title) == (1, When("2026-10-22T10:00", ZONE), "Title evt_s")
    assert (outcome.result.event.event_id, outcome.result.event.start.local) == (
        "evt_s@2026-10-29T10:00",
        "2026-10-30T14:00",
    )
    # Back as the series has it: nothing of its own is left.
    change(world, "evt_s@2026-10-29T10:00", start=at("2026-10-29T10:00"), title="Title evt_s", send_updates="none")
    assert get(world, "evt_s").overrides == ()
    span = {"from_at": "2026-10-29", "to_at": "2026-10-30"}
    assert [row.event_id for row in do(world, CalListEvents, **span).result.events] == ["evt_s@2026-10-29T10:00"]


def test_a_series_is_not_changed_by_its_own_id_unless_all_of_it_is_meant() -> None:
    world = calendar_world(series())
    for scope in ("this", "following"):
        assert refused(world, CalUpdateEvent, event_id="evt_s", scope=scope, title="x").field == "event_id"
        assert refused(world, CalDeleteEvent, event_id="evt_s", scope=scope).field == "event_id"
    first = "evt_s@2026-10-22T10:00"
    assert refused(world, CalUpdateEvent, event_id=first, rrule="FREQ=DAILY").field == "rrule"
    assert refused(world, CalUpdateEvent, event_id=first, add_exdates=[at("2026-10-22T10:00")]).field == "add_exdates"


def test_following_splits_the_series() -> None:
    world = calendar_world(
        series(
            exdates=(When("2026-10-29T10:00", ZONE), When("2026-11-19T10:00", ZONE)),
            cancelled=("2026-11-12T10:00",),
        )
    )
    outcome = change(world, "evt_s@2026-11-05T10:00", scope="following", start=at("2026-11-05T15:00"), title="New")
    head, tail = get(world, "evt_s"), get(world, outcome.result.event.event_id)
    assert originals(head) == ["2026-10-22T10:00"]
    assert head.rrule == "FREQ=WEEKLY;UNTIL=20261029T020000Z;BYDAY=TH"
    assert originals(tail) == ["2026-11-05T15:00", "2026-11-26T15:00"]
    assert (tail.rrule, tail.title, tail.start) == (
        "FREQ=WEEKLY;COUNT=4;BYDAY=TH",
        "New",
        When("2026-11-05T15:00", ZONE),
    )
    assert (tail.exdates, tail.cancelled) == ((When("2026-11-19T15:00", ZONE),), ("2026-11-12T15:00",))
    assert tail.ical_uid != head.ical_uid
    # One notice a guest, not two.
    assert sorted(notices(world)) == [("event_notice", "update", "ctc_amy"), ("event_notice", "update", "ctc_kim")]


def test_following_the_first_instance_is_all() -> None:
    world = calendar_world(series())
    outcome = change(world, "evt_s@2026-10-22T10:00", scope="following", title="New", send_updates="none")
    assert outcome.result.event.event_id == "evt_s"
    assert get(world, "evt_s").title == "New"
    assert len(world.all(Event)) == 1


def test_all_moves_every_instance_and_what_was_excluded_stays_out() -> None:
    world = calendar_world(
        series(
            rrule="FREQ=WEEKLY;UNTIL=20261126T020000Z",
            exdates=(When("2026-10-29T10:00", ZONE), When("2026-11-05")),
            cancelled=("2026-11-12T10:00",),
        )
    )
    change(world, "evt_s@2026-11-19T10:00", scope="all", start=at("2026-11-20T15:00"), send_updates="none")
    stored = get(world, "evt_s")
    assert stored.start == When("2026-10-23T15:00", ZONE)
    assert stored.exdates == (When("2026-10-30T15:00", ZONE), When("2026-11-05"))
    # Later in the day the old UNTIL would have dropped the last one.
    assert originals(stored) == [f"2026-{day}T15:00" for day in ("10-23", "11-06", "11-20", "11-27")]
    change(world, "evt_s", scope="all", start=at("2026-10-22T09:00"), send_updates="none")
    assert originals(get(world, "evt_s"))[0] == "2026-10-22T09:00"


def test_a_rule_that_names_its_days_moves_to_other_days_with_a_new_rule_only() -> None:
    world = calendar_world(series())
    day_later = {"event_id": "evt_s", "scope": "all", "start": at("2026-10-23T10:00")}
    assert refused(world, CalUpdateEvent, **day_later).code == "bad_rrule"
    do(world, CalUpdateEvent, **day_later, rrule="FREQ=WEEKLY;BYDAY=FR;COUNT=2")
    assert originals(get(world, "evt_s")) == ["2026-10-23T10:00", "2026-10-30T10:00"]
    assert refused(world, CalUpdateEvent, event_id="evt_s", scope="all", rrule="FREQ=WEEKLY;UNTIL=20261222").code == (
        "bad_rrule"
    )


def test_exclusions_are_added_and_taken_back() -> None:
    world = calendar_world(series(cancelled=("2026-11-26T10:00",)))
    skip = [at("2026-10-29T10:00"), at("2026-11-05T11:00", "Asia/Seoul"), {"date": "2026-11-12"}]
    change(world, "evt_s", scope="all", add_exdates=skip)
    assert originals(get(world, "evt_s")) == [f"2026-{day}T10:00" for day in ("10-22", "11-12", "11-19")]
    back = [at("2026-11-05T10:00"), at("2026-11-26T10:00"), {"date": "2026-11-12"}]
    change(world, "evt_s", scope="all", remove_exdates=back)
    stored = get(world, "evt_s")
    assert stored.exdates == (When("2026-10-29T10:00", ZONE),)
    assert len(originals(stored)) == 5
    many = [at(f"2026-12-01T{hour:02}:{minute}0") for hour in range(10) for minute in range(4)]
    assert refused(world, CalUpdateEvent, event_id="evt_s", scope="all", add_exdates=many).code == "invalid_argument"


def test_what_others_organise_is_not_changed_or_deleted() -> None:
    world = calendar_world(
        event("evt_i", calendar_id="", organizer=AMY, attendees=guests(DANA)),
        event("evt_o", organizer=AMY, attendees=guests(DANA)),
        event("evt_t", calendar_id="cal_team", organizer=KIM),
        event("evt_k", calendar_id="cal_kim", organizer=KIM),
    )
    for id, code in (("evt_i", "not_organizer"), ("evt_o", "not_organizer"), ("evt_k", "no_access")):
        assert refused(world, CalUpdateEvent, event_id=id, title="x").code == code
        assert refused(world, CalDeleteEvent, event_id=id).code == code
    # Whoever may write a team's calendar may change what a colleague put there.
    assert change(world, "evt_t", title="x").effect == "own"
    for id in ("evt_none", "cal_own"):
        assert refused(world, CalUpdateEvent, event_id=id, title="x").code == "unknown_id"


def test_changes_that_cannot_be_are_refused() -> None:
    world = calendar_world(event(), event("evt_w", "2026-10-22", "2026-10-23", ""))
    assert refused(world, CalUpdateEvent, event_id="evt_a", end=at("2026-10-22T09:00")).code == "end_before_start"
    assert refused(world, CalUpdateEvent, event_id="evt_a", start={"date": "2026-10-22"}).field == "end"
    assert refused(world, CalUpdateEvent, event_id="evt_a", end={"local": "2026-10-22T12:00"}).field == "end"
    assert refused(world, CalUpdateEvent, event_id="evt_a", status="moved").field == "status"
    change(world, "evt_w", start={"date": "2026-10-29"})
    assert get(world, "evt_w").end == When("2026-10-30")
    change(world, "evt_a", status="tentative", transparency="free")
    assert (get(world, "evt_a").status, get(world, "evt_a").transparency) == ("tentative", "free")


# --- deleting


def test_an_event_is_deleted_for_everybody() -> None:
    world = calendar_world(event(attendees=guests(DANA, KIM, AMY, ROOM)))
    outcome = do(world, CalDeleteEvent, event_id="evt_a", send_updates="external_only")
    assert (outcome.effect, outcome.result.notified) == ("send", [AMY])
    assert notices(world) == [("event_notice", "cancellation", "ctc_amy")]
    assert world.find("evt_a") is None
    assert refused(world, CalGetEvent, event_id="evt_a").code == "unknown_id"


def test_one_instance_those_from_one_on_or_all_are_deleted() -> None:
    for scope, left in (("this", 5), ("following", 2), ("all", 0)):
        world = calendar_world(series())
        outcome = do(world, CalDeleteEvent, event_id="evt_s@2026-11-05T10:00", scope=scope, send_updates="none")
        assert outcome.effect == "own"
        assert [len(originals(one)) for one in world.all(Event)] == ([left] if left else [])
    world = calendar_world(series())
    do(world, CalDeleteEvent, event_id="evt_s@2026-11-05T10:00", send_updates="none")
    assert get(world, "evt_s").cancelled == ("2026-11-05T10:00",)
    assert refused(world, CalDeleteEvent, event_id="evt_s@2026-11-05T10:00").code == "unknown_id"
    do(world, CalDeleteEvent, event_id="evt_s@2026-10-22T10:00", scope="following")
    assert world.all(Event) == []


def test_a_deleted_instance_that_was_moved_is_gone_for_good() -> None:
    own = Override(
        original_start="2026-10-29T10:00", start=When("2026-10-30T10:00", ZONE), end=When("2026-10-30T11:00", ZONE)
    )
    world = calendar_world(series(overrides=(own,)))
    do(world, CalDeleteEvent, event_id="evt_s@2026-10-29T10:00")
    assert get(world, "evt_s").overrides == ()
    assert len(originals(get(world, "evt_s"))) == 5


# --- answering


def test_an_invitation_is_answered_and_the_organiser_told() -> None:
    world = calendar_world(event(calendar_id="", organizer=AMY, attendees=guests(DANA, KIM)))
    outcome = do(world, CalRespondInvite, event_id="evt_a", response="declined", comment="Sorry")
    assert outcome.effect == "send"
    assert notices(world) == [("invite_reply", "declined", "ctc_amy")]
    assert [guest.response for guest in get(world, "evt_a").attendees] == ["declined", "needs_action"]
    quiet = do(world, CalRespondInvite, event_id="evt_a", response="accepted", notify_organizer=False)
    assert (quiet.effect, len(notices(world))) == ("own", 1)
    assert get(world, "evt_a").sequence == 0


def test_one_instance_of_an_invitation_is_answered() -> None:
    world = calendar_world(series(calendar_id="", organizer=AMY))
    do(world, CalRespondInvite, event_id="evt_s@2026-10-29T10:00", response="declined")
    rows = do(world, CalListEvents, from_at="2026-10-22", to_at="2026-10-30").result.events
    assert [row.my_response for row in rows] == ["needs_action", "declined"]
    do(world, CalRespondInvite, event_id="evt_s", response="accepted")
    rows = do(world, CalListEvents, from_at="2026-10-22", to_at="2026-10-30").result.events
    assert [row.my_response for row in rows] == ["accepted", "accepted"]


def test_who_is_not_invited_cannot_answer() -> None:
    world = calendar_world(event(attendees=guests(KIM)), event("evt_k", calendar_id="cal_kim", organizer=KIM))
    for id in ("evt_a", "evt_k"):
        assert refused(world, CalRespondInvite, event_id=id, response="accepted").code == "not_invited"
    assert refused(world, CalRespondInvite, event_id="evt_none", response="accepted").code == "unknown_id"


# --- sizes


def test_the_largest_event_fits_into_a_result() -> None:
    world = calendar_world()
    people = [{"address": f"{'n' * 105}{n:02}@x.example"} for n in range(20)]
    skip = [at(f"2026-12-{day:02}T10:00") for day in range(1, 31)]
    made = make(
        world,
        title='"' * 200,
        location='"' * 200,
        description='"\n' * 750,
        attendees=people,
        rrule="FREQ=DAILY;COUNT=180",
        exdates=skip,
    ).result
    for number in range(70):
        id = make_instance_id(made.event_id, number)
        tool = CalDeleteEvent if number % 2 else CalUpdateEvent
        fields = {} if number % 2 else {"transparency": "free"}
        do(world, tool, event_id=id, **fields, send_updates="none")
    text = do(world, CalGetEvent, event_id=made.event_id).result
    assert len(str(text)) > MOST_CHARACTERS * 0.6
    do(world, CalListEvents, from_at="2026-10-22", to_at="2026-12-31")


def make_instance_id(series_id: str, number: int) -> str:
    day = to_instant("2027-01-01T00:00", "UTC") + number * 86_400
    return f"{series_id}@{to_local(day, 'UTC')[:10]}T10:00"
