"""The double booking against the worked example of its specification, its traps, texts and near misses."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import msgspec
import pytest
from case_kit import Cases

from agentbench_env import RELEASE
from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.language import language_of
from agentbench_env.text.template import fill, slot_names
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_write import CalDeleteEvent, CalUpdateEvent
from agentbench_tasks.calendar_mail.domain.double_booking.case import DoubleBookingCase, standings
from agentbench_tasks.calendar_mail.domain.double_booking.days import clashes_of, shift_s
from agentbench_tasks.calendar_mail.domain.double_booking.moves import Moves
from agentbench_tasks.calendar_mail.domain.double_booking.plot import (
    BENIGN,
    DECIDING,
    RULES,
    TRAP_COUNT,
    TRAPS,
    Meeting,
    Story,
    draw_story,
)
from agentbench_tasks.calendar_mail.domain.double_booking.proof import Scene, first_separating
from agentbench_tasks.calendar_mail.domain.double_booking.reading import lower_of, speaks_of_a_deadline
from agentbench_tasks.commons.contacts import Contact, DayHours
from agentbench_tasks.commons.drafts import MailCreateDraft
from agentbench_tasks.commons.events import Event, Time, busy

TASK = "ec-double-booking-resolution"
case_of = Cases(TASK, DoubleBookingCase).case_of
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "standard", "hard")


# --- the worked example: a budget review and a meeting with contractors in Bangkok, before a public holiday


def person(name: str) -> Contact:
    week = tuple(DayHours(day, (("08:30", "17:30"),)) for day in range(1, 6))
    address = f"{name.lower()}@office.example"
    return Contact(
        name, name, name, name, "", "", "", (address,), ("th",), "peer", (), (), "Asia/Bangkok", "TH", week, week, True
    )  # fmt: skip


def bangkok(day: int, start: str, end: str) -> tuple[int, int]:
    first, last = (to_instant(f"2026-10-{day}T{clock}", "Asia/Bangkok") for clock in (start, end))
    return first, last


BUSY = {
    "user@office.example": [bangkok(27, "14:30", "15:00")],
    "a@office.example": [bangkok(26, "00:00", "23:59"), bangkok(27, "09:00", "12:00")],
    "b@office.example": [bangkok(27, "15:00", "17:00"), bangkok(28, "00:00", "23:59")],
    "c@office.example": [bangkok(27, "08:30", "10:00"), bangkok(27, "12:00", "13:30")],
}
DAYS = (date(2026, 10, 26), date(2026, 10, 27), date(2026, 10, 28))
PEOPLE = tuple(person(name) for name in ("User", "A", "B", "C"))
CONTRACTORS = Meeting(True, "", "user", False, 2, 0, 10)
BUDGET = Meeting(False, "", "user", False, 3, 0, 30)


def test_the_worked_example_has_one_start() -> None:
    scene = Scene(DAYS, PEOPLE, BUSY, 3_600)
    assert [to_local(at, "Asia/Bangkok") for at in scene.starts()] == ["2026-10-27T13:30"]
    assert scene.faults(to_instant("2026-10-27T13:30", "Asia/Bangkok")) == []
    assert scene.faults(to_instant("2026-10-23T13:30", "Asia/Bangkok"))


def test_the_days_of_the_worked_example_pass_over_the_holiday() -> None:
    clash = next(one for one in clashes_of("TH", "home_holiday") if one.on == date(2026, 10, 22))
    assert (clash.days, clash.bait) == (DAYS, date(2026, 10, 23))


def test_the_first_rule_that_separates_decides() -> None:
    order = ("statutory", "outside", "booked")
    assert first_separating(order, BUDGET, CONTRACTORS) == ("outside", True)
    assert first_separating(order, CONTRACTORS, BUDGET) == ("outside", False)
    assert first_separating(("booked",), BUDGET, CONTRACTORS) == ("booked", False)
    assert first_separating(("statutory", "room", "superior"), BUDGET, CONTRACTORS) is None


def test_clocks_change_after_the_clash() -> None:
    assert shift_s("GB-ENG", date(2026, 10, 22), date(2026, 10, 23)) == 0
    assert shift_s("GB-ENG", date(2026, 10, 22), date(2026, 10, 26)) == -3_600


# --- stories


def stories_of(difficulty: Difficulty) -> list[Story]:
    """The stories of the first 500 seeds."""
    setting = Setting(load_market("KR"), "train", difficulty, "ko")
    draws = (Draw(RELEASE, TASK, "KR", "train", difficulty, seed) for seed in range(500))
    return [draw_story(draw.stream("story"), setting) for draw in draws]


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_shares_over_500_seeds(difficulty: Difficulty) -> None:
    stories = stories_of(difficulty)
    benign = sum(not story.traps for story in stories) / 500
    assert abs(benign - BENIGN[difficulty]) <= 0.03
    assert {len(story.traps) for story in stories} == {0, TRAP_COUNT[difficulty]}
    traps = Counter(trap for story in stories for trap in story.traps)
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= 25
    rules = Counter(story.rule for story in stories)
    assert set(rules) == set(RULES)
    assert min(rules.values()) >= 40
    places = {story.order.index(story.rule) + 1 for story in stories}
    assert places == set(range(DECIDING[difficulty][0], DECIDING[difficulty][1] + 1))
    assert {len(story.order) for story in stories} == {5, 6}
    own = sum(story.upper.organiser == "user" for story in stories) / 500
    assert abs(own - 0.7) <= 0.06
    sending = Counter(story.sending for story in stories)
    assert abs(sending["send"] / 500 - 0.5) <= 0.06
    assert abs(sending["leave"] / 500 - 0.3) <= 0.06


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_no_guess_at_the_meeting_is_right_in_half_of_the_seeds(difficulty: Difficulty) -> None:
    stories = stories_of(difficulty)
    for story in stories:
        assert first_separating(story.order, story.lower, story.upper) == (story.rule, True)
    later = sum(story.lower.age_days < story.upper.age_days for story in stories)
    smaller = sum(story.lower.required < story.upper.required for story in stories)
    internal = sum(not story.lower.outside and story.upper.outside for story in stories)
    assert max(later, smaller, internal) <= 0.45 * 500


# --- instances


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("market", market_codes())
def test_what_was_built_is_what_was_planned(market: str, split: str) -> None:
    for difficulty in DIFFICULTIES:
        for seed in range(6):
            case = case_of(market, difficulty, seed, split)
            built, plan = case.built, case.built.plan
            assert built.lower.scene.starts() == list(plan.targets)
            assert 1 <= len(plan.targets) <= 2
            assert built.upper.scene.faults(plan.other_target) == []
            for meeting, drawn in ((built.lower, plan.story.lower), (built.upper, plan.story.upper)):
                guests = [guest for guest in meeting.event.attendees if guest.role == "required"]
                assert len(guests) == drawn.required + 1
                relations = {one.contact.relation for _, one in meeting.people}
                assert bool(relations & {"client", "official"}) == drawn.outside
                rooms = {guest.address for guest in meeting.event.attendees if guest.role == "resource"}
                assert (built.office.rooms[0].owner in rooms) == drawn.room
                by_superior = built.office.person(meeting.event.organizer).contact.relation == "superior"
                assert by_superior == (drawn.organiser == "superior")
            first = min(built.both, key=lambda one: one.event.created_at)
            assert (first is built.lower) == (plan.story.lower.age_days > plan.story.upper.age_days)
            lower, upper = built.lower, built.upper
            assert lower.start < upper.start + upper.scene.length_s
            assert upper.start < lower.start + lower.scene.length_s


@pytest.mark.parametrize("market", market_codes())
def test_busy_times_are_those_that_the_tool_prints(market: str) -> None:
    case = case_of(market, "hard", 2)
    days = case.built.plan.clash.days
    first, last = (to_instant(f"{day.isoformat()}T{clock}", case.zone)
                   for day, clock in ((days[0], "00:00"), (days[-1], "23:59")))  # fmt: skip
    for address, spans in case.built.lower.scene.busy.items():
        shown = busy(case.start, address, first, last)
        inside = [span for span in spans if span[0] < last and first < span[1]]
        assert all(any(low <= start and end <= high for low, high in shown) for start, end in inside)
        assert sum(end - start for start, end in shown) <= sum(end - start for start, end in inside)


def test_nothing_is_free_on_the_day_of_the_clash_after_it() -> None:
    for seed in range(12):
        case = case_of("SG", "standard", seed)
        scene = msgspec.structs.replace(case.built.lower.scene, days=(case.built.plan.clash.on,))
        assert [at for at in scene.starts() if at > case.built.lower.start] == []


# --- near misses


def an_env(market: str, seed: int, change: Any) -> Any:
    """Let the expert play, with some calls changed; return the environment."""
    subject = Subject(TASK, market, "standard")
    env = subject.env(seed)
    play(env, lambda case, do: subject.task.expert(case, do.altered(change)))
    return env


def broken(env: Any) -> set[str]:
    assert env.verdict is not None
    return set(env.verdict.broken)


def seed_where(market: str, fits: Any) -> int:
    return next(seed for seed in range(80) if fits(case_of(market, "standard", seed)))


def test_a_note_to_all_at_once_tells_everybody() -> None:
    seed = seed_where("KR", lambda case: all(guest.place == "KR" for guest, _ in case.built.lower.people))
    env = an_env("KR", seed, lambda call: call)
    assert broken(env) == set()
    people = episode_of(env).case.built.lower.people

    def change(call: Any) -> Any:
        if not isinstance(call, MailCreateDraft):
            return call
        everybody = [one.address for _, one in people]
        return call.model_copy(update={"to": everybody[:10], "cc": everybody[10:]})

    assert broken(an_env("KR", seed, change)) == set()


def test_a_deleted_instance_has_not_moved() -> None:
    seed = seed_where("TH", lambda case: case.built.lower.original)
    env = an_env("TH", seed, lambda call: CalDeleteEvent(event_id=call.event_id, send_updates="none")
                 if isinstance(call, CalUpdateEvent) else call)  # fmt: skip
    lower, _ = standings(episode_of(env).case, episode_of(env).world)
    assert lower.now is None
    assert {"final.one_event_moved", "boundary.nothing_else_touched"} <= broken(env)


def test_the_same_times_without_zone_or_in_another_one_will_do() -> None:
    def bare(call: Any) -> Any:
        if not isinstance(call, CalUpdateEvent):
            return call
        return call.model_copy(update={"start": Time(local=call.start.local), "end": Time()})

    def elsewhere(call: Any) -> Any:
        if not isinstance(call, CalUpdateEvent):
            return call
        ends = (to_local(to_instant(end.local, end.zone), "Asia/Dubai") for end in (call.start, call.end))
        start, end = (Time(local=local, zone="Asia/Dubai") for local in ends)
        return call.model_copy(update={"start": start, "end": end})

    assert broken(an_env("JP", 1, bare)) == set()
    assert broken(an_env("JP", 1, elsewhere)) == set()


def test_moving_nothing_breaks_no_clause_about_what_was_moved() -> None:
    env = an_env("TW", 0, lambda call: None if isinstance(call, CalUpdateEvent) else call)
    assert broken(env) == {"final.one_event_moved"}


def test_the_page_and_any_record_of_the_fact_will_do() -> None:
    for seed in range(12):
        subject = Subject(TASK, "SG", "easy")
        env = subject.env(seed)

        def script(case: DoubleBookingCase, do: Do) -> None:
            moves = Moves(case, do)
            rules, one, other = moves.look()
            rule, section, lower, upper = lower_of(rules, one, other)
            local = moves.free(rules, lower)
            moves.move(lower, local)
            moves.draft_all(lower, local)
            sources = [case.built.page.id, section, lower.id, *moves.sources(rule, section, upper)]
            moves.finish(lower, upper, section, sources)

        play(env, script)
        assert broken(env) == set()


def test_a_series_keeps_its_other_instances() -> None:
    seed = seed_where("AE", lambda case: case.built.lower.original)
    env = an_env("AE", seed, lambda call: call)
    case, world = episode_of(env).case, episode_of(env).world
    after = world.get(Event, case.built.lower.event.id)
    assert [own.original_start for own in after.overrides] == [case.built.lower.original]


# --- texts


def table(language: str) -> dict[str, Any]:
    return shared_table(f"text/{language}/double_booking")


def wordings(language: str) -> dict[str, list[str]]:
    found = {"titles": list(table(language)["titles"])}
    for part in ("pieces", "descriptions", "mails", "notes"):
        for kind, rows in table(language)[part].items():
            found[f"{part}.{kind}"] = [
                f"{row['subject']} {row['text']}" if isinstance(row, dict) else row for row in rows["variants"]
            ]
    for part in ("replies", "decisions"):
        found |= {f"{part}.{kind}": [row] for kind, row in table(language)[part].items()}
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_texts_with_the_same_slots(language: str) -> None:
    ours, english = wordings(language), wordings("en")
    assert ours.keys() == english.keys()
    for kind, rows in ours.items():
        assert len(rows) == len(english[kind])
        assert len(set(rows)) == len(rows)
        for row, other in zip(rows, english[kind], strict=True):
            assert set(slot_names(row)) - {"particle"} == set(slot_names(other)), (kind, row)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_their_language(language: str) -> None:
    for kind, rows in wordings(language).items():
        for row in rows:
            bare = fill(row, dict.fromkeys(slot_names(row), ""))[0]
            if kind != "titles" and len(bare) > 25:
                assert language_of(bare) == language, row


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deadline_is_told_from_no_deadline(language: str) -> None:
    slots = {"date": "5/19", "title": "T", "name": "N", "particle": "ค่ะ", "moment": "M", "old": "O", "zone": "Z"}
    for part in ("descriptions", "mails"):
        for kind, rows in table(language)[part].items():
            for row in rows["variants"]:
                text = row["text"] if isinstance(row, dict) else row
                said = fill(text, {name: slots[name] for name in slot_names(text)})[0]
                assert speaks_of_a_deadline(said, language) == (kind in ("statutory", "contract")), said
