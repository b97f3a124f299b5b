"""The cancellation of a meeting against the worked details of its specification, its traps, texts and checks."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import msgspec
import pytest
from case_kit import Cases

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.policies.expert import Do
from agentbench_env.text.facts.moments import states_moment
from agentbench_env.text.language import language_of
from agentbench_env.text.phrases import reason_in
from agentbench_env.text.registers import register_of
from agentbench_env.text.template import fill, slot_names
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cancellation.build import FILE
from agentbench_tasks.calendar_mail.domain.cancellation.case import CancellationCase
from agentbench_tasks.calendar_mail.domain.cancellation.days import crosses, meeting_days
from agentbench_tasks.calendar_mail.domain.cancellation.moves import Moves
from agentbench_tasks.calendar_mail.domain.cancellation.notes import offer_fault
from agentbench_tasks.calendar_mail.domain.cancellation.plot import BENIGN, CONFIDENTIAL, TRAP_COUNT, TRAPS
from agentbench_tasks.calendar_mail.domain.cancellation.touched import is_live, touches_the_meeting_alone
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.events import Event, When

TASK = "ec-meeting-cancellation"
case_of = Cases(TASK, CancellationCase).case_of
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")


# --- worked details


def test_holidays_of_three_countries_in_a_row() -> None:
    day = next(day for day in meeting_days("KR", ("JP", "TH")) if day.on == date(2026, 10, 2))
    assert (day.offer_on, day.chained, day.crosses) == (date(2026, 10, 14), True, False)
    offer = to_instant("2026-10-14T14:00", "Asia/Seoul")
    assert to_local(offer, "Asia/Tokyo") == "2026-10-14T14:00"
    assert to_local(offer, "Asia/Bangkok") == "2026-10-14T12:00"


def test_clocks_go_back_between_meeting_and_offer() -> None:
    first, last = date(2026, 10, 20), date(2026, 10, 27)
    assert crosses("SG", ("GB-ENG",), first, last)
    assert not crosses("SG", ("KR",), first, last)
    meeting, offer = (to_instant(f"{day}T16:00", "Asia/Singapore") for day in (first, last))
    assert to_local(meeting, "Europe/London")[11:] == "09:00"
    reader = card_in("Europe/London")

    def fault(clock: str) -> str:
        text = f"Dear Ms Hale,\n\nInstead we propose Tuesday, 27 October at {clock} London time."
        return offer_fault(text, reader, "Asia/Singapore", meeting, offer, date(2026, 10, 12))

    assert fault("8:00 am") == ""
    assert "27 October at 9:00 am" in fault("9:00 am")


def card_in(zone: str) -> Contact:
    return Contact(
        "ctc_a", "", "", "", "", "", "", ("a@b.example",), ("en",), "client", ("formal",), (), zone, "", (), (), False
    )  # fmt: skip


# --- instances


@pytest.mark.parametrize(("market", "difficulty"), [("KR", "easy"), ("AE", "standard"), ("SG", "hard")])
def test_shares_of_traps_and_offers(market: str, difficulty: Any) -> None:
    traps, offers, sending, benign = Counter[str](), Counter[str](), Counter[str](), 0
    for seed in range(500):
        plot = case_of(market, difficulty, seed).built.plot
        traps.update(plot.traps)
        offers[plot.offer] += 1
        sending[plot.sending] += 1
        benign += not plot.traps
        assert len(plot.traps) in (0, TRAP_COUNT[difficulty])
        assert ("confidential_reason" in plot.traps) == (plot.pair in CONFIDENTIAL)
        assert ("offer_holiday_chain" in plot.traps) == plot.day.chained
        assert ("offer_zone" in plot.traps) == plot.day.crosses
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= 0.04 * 500
    assert abs(benign / 500 - BENIGN[difficulty]) <= 0.05
    assert 0.24 <= offers["none"] / 500 <= 0.36
    assert 0.44 <= sending["all"] / 500 <= 0.56


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("market", market_codes())
def test_guests_are_as_the_specification_has_them(market: str, split: str) -> None:
    counts = {"easy": (3, 3), "standard": (4, 6), "hard": (6, 8)}
    for difficulty, (low, high) in counts.items():
        for seed in range(8):
            case = case_of(market, difficulty, seed, split)
            built, guests = case.built, case.guests
            assert low <= len(guests) <= high
            assert len({guest.relation for guest in guests}) >= 3
            assert len({guest.languages[0] for guest in guests}) >= 2
            assert any(not guest.is_internal for guest in guests)
            assert built.room in {guest.address for guest in built.event.attendees}
            assert built.office.user.address in {guest.address for guest in built.event.attendees}
            if "same_surname" in built.plot.traps:
                insiders = [one.name.family_latin for one in built.office.people if one.contact.is_internal]
                assert len(insiders) - len(set(insiders)) == 1
            if built.helper is not None:
                assert built.helper.address not in {guest.address for guest in guests}
                assert guests[0].note


def test_the_new_date_is_never_one_of_the_series() -> None:
    for seed in range(150):
        built = case_of("TH", "hard", seed).built
        if built.siblings and built.plot.offer_on:
            assert built.plot.offer_on.isoformat() not in built.siblings


# --- what counts as removed, and as touched


def series(**fields: Any) -> Event:
    return Event(
        "evt_s", ical_uid="u", calendar_id="c", organizer="me@a.example", title="T", rrule="FREQ=WEEKLY;COUNT=6",
        start=When("2026-10-02T14:00", "Asia/Seoul"), end=When("2026-10-02T15:00", "Asia/Seoul"), **fields,
    )  # fmt: skip


class Holding:
    def __init__(self, event: Event | None) -> None:
        self._event = event

    def find(self, id: str) -> Event | None:
        return self._event


def goal_of(original: str) -> Any:
    return msgspec.structs.replace(case_of("KR", "easy", 0).built.goal, event_id="evt_s", original=original)


def test_an_instance_can_be_taken_out_in_several_ways() -> None:
    goal = goal_of("2026-10-09T14:00")
    excluded = series(exdates=(When("2026-10-09T06:00", "Europe/London"),))
    of_another = series(cancelled=("2026-10-16T14:00",))
    for event, live in ((series(), True), (None, False), (excluded, False), (of_another, True)):
        assert is_live(goal, Holding(event)) == live  # type: ignore[arg-type]


def test_only_the_instance_that_is_meant_may_change() -> None:
    goal = goal_of("2026-10-09T14:00")
    changed = msgspec.structs.replace
    whole = series()
    for after, alone in (
        (changed(whole, cancelled=("2026-10-09T14:00",), sequence=1), True),
        (changed(whole, exdates=(When("2026-10-09T14:00", "Asia/Seoul"),), sequence=1), True),
        (changed(whole, cancelled=("2026-10-16T14:00",)), False),
        (changed(whole, title="Other"), False),
        (changed(whole, rrule="FREQ=WEEKLY;COUNT=1"), False),
        (None, False),
    ):
        entry: Any = type("E", (), {"changes": (type("C", (), {"id": "evt_s", "before": whole, "after": after}),)})
        assert touches_the_meeting_alone(entry, goal) is alone


# --- texts


def kinds(table: Any, path: str = "") -> dict[str, Any]:
    if isinstance(table, dict):
        found: dict[str, Any] = {}
        for name, child in table.items():
            found |= kinds(child, f"{path}.{name}")
        return found
    texts = [one["text"] if isinstance(one, dict) else one for one in (table if isinstance(table, list) else [table])]
    return {path: (len(texts), frozenset(slot for text in texts for slot in slot_names(text)))}


def test_all_languages_have_the_same_pieces_and_slots() -> None:
    optional = {"particle", "ask", "me"}
    tables = {language: kinds(shared_table(f"text/{language}/{FILE}")) for language in LANGUAGES}
    cells = ("notices", "offers")
    for language in LANGUAGES:
        common = {path for path in tables[language] if path.split(".")[1] not in cells}
        assert common == {path for path in tables["ko"] if path.split(".")[1] not in cells}
        for path in common:
            count, slots = tables[language][path]
            assert (count, slots - optional) == (tables["ko"][path][0], tables["ko"][path][1] - optional), path
        registers = {cell for due in shared_table(f"writing/{language}")["register"].values() for cell in due}
        assert set(shared_table(f"text/{language}/{FILE}")["notices"]) == registers


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_wording_of_a_reason_is_heard_as_what_it_is(language: str) -> None:
    reasons = shared_table(f"text/{language}/{FILE}")["reasons"]
    for pair, sides in reasons.items():
        for side, phrases in sides.items():
            for phrase in phrases:
                found = reason_in(phrase, pair)
                assert found[side], (pair, side, phrase)
                if pair in CONFIDENTIAL:
                    other = "outside" if side == "inside" else "inside"
                    assert not found[other], (pair, side, phrase)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_title_gives_a_reason(language: str) -> None:
    table = shared_table(f"text/{language}/{FILE}")
    for title in table["titles"] + table["others"]:
        for pair in table["reasons"]:
            assert not any(reason_in(title, pair).values()), (title, pair)


@pytest.mark.parametrize("language", LANGUAGES)
def test_notes_are_in_their_language_and_register(language: str) -> None:
    table = shared_table(f"text/{language}/{FILE}")
    names = {
        "ko": "이 이사님",
        "ja": "山本様",
        "zh-Hant": "林經理",
        "th": "คุณสมชาย",
        "ar": "الأستاذ خالد",
        "en": "Mr Pillai",
    }
    plain = {"ko": "지훈아", "ja": "健太さん", "zh-Hant": "建宏", "th": "บอย", "ar": "عمر", "en": "Jun"}
    when = {
        "ko": "10월 14일(수) 오후 2시(한국 시간)",
        "ja": "10月14日(水)14時(韓国時間)",
        "zh-Hant": "10月14日（三）下午2時（首爾時間）",
        "th": "วันพุธที่ 14 ตุลาคม เวลา 14.00 น. (เวลาเกาหลี)",
        "ar": "الأربعاء 14 أكتوبر الساعة 2:00 مساءً (بتوقيت سيول)",
        "en": "Wed 14 Oct, 2:00 pm (Korea time)",
    }
    offer = to_instant("2026-10-14T14:00", "Asia/Seoul")
    for cell, group in table["notices"].items():
        formal = cell == next(iter(table["notices"]))
        for gender in ("male", "female"):
            particles = shared_table(f"writing/{language}").get("particles")
            slots = {
                "particle": particles["statement"][gender] if particles else "",
                "ask": particles["question"][gender] if particles else "",
                "name": (names if formal else plain)[language],
                "when": when[language],
                "signature": "Kim Seo-yun",
                "meeting": fill(table["meeting"]["unnamed"], {})[0],
            }
            for variant in group["variants"]:
                for pair, sides in table["reasons"].items():
                    for side, phrases in sides.items():
                        for form in ("given", "none"):
                            values = {**slots, "reason": phrases[0]}
                            values["offer"] = _filled(table["offers"][cell][form], values)
                            text = _filled(variant, values)
                            assert language_of(text) == language, text
                            assert register_of(text, language) == cell, text
                            assert reason_in(text, pair)[side], text
                            wrong = "inside" if side == "outside" else "outside"
                            assert pair not in CONFIDENTIAL or not reason_in(text, pair)[wrong], text
                            assert states_moment(
                                text, offer, written_on=date(2026, 9, 22), reader_zone="Asia/Dubai",
                                writer_zone="Asia/Seoul", zone_word=True,
                            ), text  # fmt: skip


def _filled(template: str, slots: dict[str, str]) -> str:
    return fill(template, {name: slots[name] for name in slot_names(template)})[0]


@pytest.mark.parametrize("market", market_codes())
def test_the_request_says_what_is_wished_and_not_who_is_invited(market: str) -> None:
    for seed in range(12):
        case = case_of(market, "standard", seed)
        for language, words in case.words.items():
            request = words.request()
            assert case.built.title in request
            assert language_of(request) in (language, load_market(market).prompt_language)
            assert not any(guest.native_name in request or guest.address in request for guest in case.guests)
            assert "{" not in request + words.boundary()


# --- the user


def test_the_user_wants_to_see_notes_before_the_removal() -> None:
    subject = Subject(TASK, "KR", "standard")
    env = subject.env(0)
    case = episode_of(env).case

    def script(_: Any, do: Do) -> None:
        moves = Moves(case, do)
        event_id = moves.find()
        moves.remove(event_id)
        assert case.start.find(case.built.goal.event_id) is not None
        moves.meet()
        offered = moves.offered()
        moves.draft([moves.note(card, offered) for card in moves.cards])
        moves.remove(event_id)
        moves.finish(event_id)

    play(env, script)
    assert env.verdict is not None
    assert env.verdict.success
    granted = [entry.approval for entry in env.lineage if entry.tool == "cal_delete_event"]
    assert len(granted) == 1
    assert all(granted)


def test_what_the_user_says_of_sending_is_as_drawn() -> None:
    sent: dict[str, set[int]] = {"all": set(), "inside": set(), "none": set()}
    for seed in range(24):
        subject = Subject(TASK, "JP", "easy")
        env = subject.solved(seed)
        plot = episode_of(env).case.built.plot
        sent[plot.sending].add(sum(entry.tool == "mail_send_draft" for entry in env.lineage))
    assert sent["none"] == {0}
    assert sent["all"] == {3}
    assert sent["inside"] <= {1, 2}
