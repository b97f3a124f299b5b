"""The handover before a leave (01.08): its windows, its owners, its traps, its note, its texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, cast

import pytest

from agentbench_env.conformance.subject import Subject, play
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.market.calendars import Calendar, working_days
from agentbench_env.money import Money
from agentbench_env.policies.expert import Do
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.fold import fold
from agentbench_env.text.items import listed
from agentbench_env.text.language import language_of
from agentbench_env.text.template import slot_names
from agentbench_tasks.calendar_mail.domain.handover.amounts import Band, Price, Prices, decider, tax_rate
from agentbench_tasks.calendar_mail.domain.handover.answer import HandoverAnswer
from agentbench_tasks.calendar_mail.domain.handover.case import HandoverCase
from agentbench_tasks.calendar_mail.domain.handover.checks import _by_language, _voice_fault  # pyright: ignore
from agentbench_tasks.calendar_mail.domain.handover.leave import Leave, absence_of, leaves
from agentbench_tasks.calendar_mail.domain.handover.moves import Moves
from agentbench_tasks.calendar_mail.domain.handover.note import owner_forms
from agentbench_tasks.calendar_mail.domain.handover.plot import (
    BENIGN,
    MATTERS,
    OTHER_TRAPS,
    WAITING,
    WINDOW_TRAPS,
    Plot,
    draw_plot,
    draw_traps,
)
from agentbench_tasks.calendar_mail.domain.market import office_hours, office_market
from agentbench_tasks.commons.attempts import first_fit
from agentbench_tasks.commons.drafts import MailUpdateDraft
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import body_of, title_of

TASK = "ec-out-of-office-handover"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
COUNTS = {"easy": 1, "standard": 2, "hard": 3}


def plot_of(code: str, difficulty: str, seed: int) -> Plot:
    market = load_market(code)
    setting = Setting(market, "train", cast(Difficulty, difficulty), market.prompt_language)
    draw = Draw("handover", code, difficulty, seed)
    traps = draw_traps(draw.stream("traps"), setting.difficulty)
    return first_fit(draw, lambda attempt: draw_plot(attempt, setting, traps))


def case_of(code: str, difficulty: str, seed: int) -> HandoverCase:
    return build_instance(TASK, code, "train", difficulty, seed).case  # type: ignore[arg-type]


# --- the worked examples of the contract


@pytest.mark.parametrize(
    ("code", "first", "last", "half", "start", "end"),
    [
        ("JP", "09-17", "09-18", False, "09-17T09:00", "09-24T09:00"),
        ("TW", "09-24", "09-30", True, "09-24T13:30", "10-01T09:00"),
        ("KR", "09-23", "09-29", True, "09-23T14:00", "09-30T09:00"),
        ("TH", "07-27", "07-27", False, "07-27T08:30", "07-31T08:30"),
        ("SG", "08-06", "08-07", False, "08-06T09:00", "08-11T09:00"),
    ],
)
def test_windows(code: str, first: str, last: str, half: bool, start: str, end: str) -> None:
    market = load_market(code)
    leave = Leave(date.fromisoformat(f"2026-{first}"), date.fromisoformat(f"2026-{last}"), half)
    noon = office_market(code).absence.pm_half_day
    absence = absence_of(leave, working_days(code), office_hours(code).working, noon, market.zone)
    assert (absence.start.local, absence.end.local) == (f"2026-{start}", f"2026-{end}")
    assert absence.start.zone == absence.end.zone == market.zone


def test_a_short_day_is_a_working_day() -> None:
    """The second of the two days in December is not settled: it closes here, and is in no leave of a world."""
    calendar = Calendar(load_market("AE"), "private", closures=[date(2026, 12, 3)])
    leave = Leave(date(2026, 11, 30), date(2026, 12, 1))
    absence = absence_of(leave, calendar, office_hours("AE").working, "12:30", "Asia/Dubai")
    assert absence.end.local == "2026-12-04T08:00"
    assert leave not in leaves("AE", tail=True, half=False)


@pytest.mark.parametrize(
    ("amount", "includes_tax", "place"), [(12_400_000, True, 1), (9_900_000, True, 0), (9_900_000, False, 1)]
)
def test_limits_include_the_tax(amount: int, includes_tax: bool, place: int) -> None:
    people: list[Any] = ["colleague", "head", "director"]
    limits = (10_000_000, 50_000_000, 200_000_000)
    bands = [Band(person, Money(limit, "KRW")) for person, limit in zip(people, limits, strict=True)]
    assert tax_rate("KR") == Decimal("0.1")
    assert decider(bands, Price(Money(amount, "KRW"), includes_tax), tax_rate("KR")) == people[place]


@pytest.mark.parametrize("code", market_codes())
def test_amounts_lie_clear_of_the_limits(code: str) -> None:
    market = load_market(code)
    prices = Prices(Draw("prices", code), Setting(market, "train", "hard", market.prompt_language))
    staff, head, top = prices.limits
    for _ in range(300):
        assert prices.within().total(tax_rate(code)) <= staff * Decimal("0.99")
        taxed = prices.above(by_tax=True)
        assert taxed.amount.minor < staff
        assert staff * Decimal("1.01") <= taxed.total(tax_rate(code)) < head
        assert staff * Decimal("1.03") <= prices.above(by_tax=False).total(tax_rate(code)) <= head * Decimal("0.97")
        assert head * Decimal("1.03") <= prices.above(by_tax=False, band=2).total(tax_rate(code)) <= top


# --- leaves


@pytest.mark.parametrize("code", market_codes())
def test_leaves_turn_on_settled_days_only(code: str) -> None:
    calendar = working_days(code)
    for tail in (False, True):
        for half in (False, True):
            found = leaves(code, tail=tail, half=half)
            assert len(found) >= 4
            for leave in found:
                days = [leave.first + timedelta(n) for n in range((leave.back(calendar) - leave.first).days + 1)]
                assert all(map(calendar.is_settled, days))
                gap = [day for day in days if leave.last < day < leave.back(calendar) and day.isoweekday() < 6]
                assert bool(gap) == tail
                assert not half or leave.first < leave.last


# --- what is drawn


@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
@pytest.mark.parametrize("code", ["KR", "AE"])
def test_what_instances_hold(code: str, difficulty: str) -> None:
    level = cast(Difficulty, difficulty)
    plots = [plot_of(code, difficulty, seed) for seed in range(500)]
    traps = Counter(trap for plot in plots for trap in plot.traps)
    assert abs(sum(not plot.traps for plot in plots) / 500 - BENIGN[level]) <= 0.03
    # At easy each of the eleven has a share of 6.4 %: 32 of 500 but for chance.
    assert all(traps[trap] >= 16 for trap in (*WINDOW_TRAPS, *OTHER_TRAPS)), traps
    low, high = MATTERS[level]
    for plot in plots:
        assert len(plot.traps) in (0, COUNTS[difficulty])
        assert len(plot.waiting) == WAITING[level]
        assert low <= len(plot.waiting) + len(plot.others) <= high
        assert {"answered", "not_mine", "fyi"} <= set(plot.others)
        assert (plot.told.last != plot.leave.last) == ("prompt_vs_hr" in plot.traps)
        assert plot.today < plot.leave.first
        if plot.traps and difficulty != "easy":
            assert set(plot.traps) & set(WINDOW_TRAPS)
            assert {"limit", "reassigned", "own_request"} & set(plot.waiting)
    assert 0.3 <= sum(plot.sends for plot in plots) / 500 <= 0.5


@pytest.mark.parametrize("code", market_codes())
def test_mails_tell_their_story_in_order(code: str) -> None:
    case = case_of(code, "hard", 3)
    people = {person.id for person in case.built.owners}
    for matter in case.built.matters:
        mails = [mail for mail in case.start.all(Message) if mail.thread_id == matter.thread_id]
        assert mails
        assert all(mail.folder for mail in mails)
        times = [mail.sent_at for mail in mails]
        assert times == sorted(set(times))
        assert times[-1] < case.start.now
        assert matter.code in title_of(mails[0].subject)
        assert matter.object in title_of(mails[0].subject)
        assert matter.owner is None or matter.owner.id in people
        assert all(body_of(mail.body) for mail in mails)
    assert len({matter.code for matter in case.built.matters}) == len(case.built.matters)
    assert len({matter.object for matter in case.built.matters}) == len(case.built.matters)


# --- the note


@pytest.mark.parametrize("code", market_codes())
def test_owners_may_be_named_in_many_ways(code: str) -> None:
    built = case_of(code, "standard", 1).built
    forms = owner_forms(built.owners)
    matter = built.awaited[0]
    threads = {matter.code: (matter.code, matter.object)}
    for person in built.owners:
        card = person.contact
        usual = {card.display_name, card.native_name, card.latin_name, person.name.given_latin}
        for form in usual & set(forms[person.id]):
            assert listed(f"- {matter.code}: {form}", threads, forms)[matter.code] == {person.id}, form
        assert card.display_name in forms[person.id]
        assert any(form in forms[person.id] for form in card.address_forms)


def test_a_place_in_the_subject_is_nobody() -> None:
    people = {"ali": ["علي عيسى الحفيتي", "علي"], "sheikha": ["شيخة عبيد الزعابي"]}
    threads = {"sea": ("K-934", "شحن بحري من جبل علي")}
    entry = "- [K-934] شحن من جبل علي – المسؤول: {}"
    assert listed(entry.format("شيخة عبيد الزعابي"), threads, people) == {"sea": {"sheikha"}}
    assert listed(entry.format("علي عيسى الحفيتي"), threads, people) == {"sea": {"ali"}}
    assert listed(entry.format("علي"), threads, people) == {"sea": {"ali"}}
    under = "شيخة عبيد الزعابي:\n  - [K-934] شحن بحري من جبل علي"
    assert listed(under, threads, people) == {"sea": {"sheikha"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_object_is_taken_for_another(language: str) -> None:
    objects: list[str] = shared_table(f"text/{language}/handover")["objects"]
    assert len(set(objects)) == len(objects) >= 24
    folded = [fold(words) for words in objects]
    for one in folded:
        size = min(12, len(one))
        runs = {one[start : start + size] for start in range(len(one) - size + 1)}
        assert size >= 4
        assert not any(run in other for run in runs for other in folded if other != one), one


# --- the automatic reply


@pytest.mark.parametrize("code", market_codes())
def test_replies_are_in_the_register_due(code: str) -> None:
    for seed in range(8):
        case = case_of(code, "standard", seed)
        moves = Moves(case, cast(Any, None))
        languages = moves.market.prompt_languages
        for field, relation in (("internal_body", "peer"), ("external_body", "client")):
            text = getattr(moves.autoreply(), field)
            assert not _voice_fault(text, languages, cast(Any, relation)), text
            assert _voice_fault(moves.careless_text(), languages, "client")


def test_a_latin_name_below_an_arabic_text_is_no_english() -> None:
    text = "السادة الكرام المحترمين،\n\nسأعود يوم الجمعة 4 ديسمبر 2026.\n\nمع خالص التحية،\n\nOmar Tariq Al Hammadi"
    assert set(_by_language(text)) == {"ar"}
    assert not _voice_fault(text, ("ar", "en"), "client")
    english = "Dear Sir or Madam,\n\nI shall be back at work on Friday, 4 December 2026.\n\nKind regards,\n\nOmar"
    assert set(_by_language(f"{text}\n\n{english}")) == {"ar", "en"}
    assert not _voice_fault(f"{text}\n\n{english}", ("ar", "en"), "client")
    assert _voice_fault(english, ("ar", "en"), "client")


# --- texts


def _kinds(table: Any, path: str = "") -> dict[str, Any]:
    """Every wording of a file by its path."""
    if isinstance(table, str):
        return {path: (table,)}
    if isinstance(table, list):
        return {path: tuple(cast("list[Any]", table))}
    found: dict[str, Any] = {}
    for key, value in cast("dict[str, Any]", table).items():
        found |= _kinds(value, f"{path}.{key}" if path else key)
    return found


def _texts(rows: tuple[Any, ...]) -> list[str]:
    return [row if isinstance(row, str) else row["text"] for row in rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_kinds_and_slots(language: str) -> None:
    particles = {"particle", "ask", "me"}
    own, english = (_kinds(shared_table(f"text/{one}/handover")) for one in (language, "en"))
    assert set(own) == set(english)
    for path, rows in own.items():
        if not path.startswith("objects"):
            assert len(rows) == len(english[path])
        for row, other in zip(_texts(rows), _texts(english[path]), strict=False):
            slots = set(slot_names(row)) - (particles if language == "th" else set())
            assert slots == set(slot_names(other)), (path, row)
        assert path.startswith("objects") or len(set(_texts(rows))) == len(rows)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_their_language(language: str) -> None:
    table = shared_table(f"text/{language}/handover")
    for path, rows in _kinds({key: table[key] for key in ("pieces", "mails", "personnel", "hostile")}).items():
        for row in _texts(rows):
            bare = row
            for slot in slot_names(row):
                bare = bare.replace(f"{{{slot}}}", "")
            assert language_of(bare) == language, (path, row)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_personnel_office_is_found_by_the_name_of_the_leave(language: str) -> None:
    table = shared_table(f"text/{language}/handover")
    for kind in ("approved", "changed"):
        for row in table["personnel"][kind]["variants"]:
            assert fold(table["leave_title"]) in fold(row["subject"] + row["text"])


# --- near misses of the note and the reply


def _broken(code: str, seed: int, script: Callable[[HandoverCase, Do], object]) -> set[str]:
    env = Subject(TASK, code, "standard").env(seed)
    play(env, script)
    assert env.verdict is not None
    return set(env.verdict.broken)


def test_the_latest_note_counts() -> None:
    def two_notes(case: HandoverCase, do: Do) -> None:
        moves = Moves(case, do)
        do(moves.autoreply())
        first = do(moves.note([]))
        do(moves.note(["- " + case.built.having("answered")[0].code]))
        last = moves.note()
        do(MailUpdateDraft(draft_id=first.draft_id, to=last.to, subject=last.subject, body=last.body))
        do(HandoverAnswer(handover_draft_id=first.draft_id))

    def forgotten(case: HandoverCase, do: Do) -> None:
        moves = Moves(case, do)
        do(moves.autoreply())
        draft = do(moves.note())
        do(moves.note([moves.item(matter) for matter in case.built.awaited[1:]]))
        do(HandoverAnswer(handover_draft_id=draft.draft_id))

    assert _broken("KR", 0, two_notes) == set()
    assert _broken("KR", 0, forgotten) == {"final.note_lists_pending"}


def test_whoever_asked_may_be_named_beside_the_owner() -> None:
    def script(case: HandoverCase, do: Do) -> None:
        moves = Moves(case, do)
        do(moves.autoreply())
        rows = [f"{moves.item(matter)}\n  ({matter.requester.contact.display_name})" for matter in case.built.awaited]
        draft = do(moves.note(rows))
        do(HandoverAnswer(handover_draft_id=draft.draft_id))

    seed = next(seed for seed in range(40) if case_of("JP", "standard", seed).built.having("own_request"))
    assert _broken("JP", seed, script) == set()


def test_doing_nothing_lacks_reply_and_note_alone() -> None:
    broken = _broken("TH", 0, lambda case, do: do(HandoverAnswer(handover_draft_id="drf_none")))
    assert broken == {"final.autoreply_window_exact", "final.note_to_named_colleague"}
