"""Notes on a cancelled meeting: what a careful person may write passes every check, near misses fail the right one."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from agentbench_env.market import shared_table
from agentbench_env.zones import to_instant
from agentbench_tasks.calendar_mail.domain.cancellation.notes import (
    names_meeting,
    offer_fault,
    reason_fault,
    voice_fault,
)
from agentbench_tasks.commons.contacts import Contact, Relation

TODAY = date(2026, 9, 22)
CASES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "cases" / "cancellation.toml").read_text("utf-8"))
NOTES = [(language, number) for language, group in CASES.items() for number in range(len(group["notes"]))]


def card(language: str, relation: Relation, forms: tuple[str, ...], zone: str) -> Contact:
    due = tuple(shared_table(f"writing/{language}")["register"]["peer" if relation == "self" else relation])
    inside = relation not in ("client", "vendor")
    return Contact(
        f"ctc_{relation}", "", "", "", "", "", "", ("a@b.example",), (language,), relation, due, forms,
        zone, "", (), (), inside,
    )  # fmt: skip


def faults(language: str, note: dict[str, Any], text: str = "", gender: str = "male") -> dict[str, str]:
    group = CASES[language]
    home, title, text = group["home"], group["title"], text or note["text"].strip()
    reader = card(language, note["relation"], tuple(note["forms"]), note.get("zone", home))
    meeting = to_instant("2026-10-02T14:00", home)
    offer = to_instant(note["offer"], home) if note["offer"] else 0
    named = names_meeting(text, title, meeting, (home, reader.zone), TODAY)
    found = {
        "named": "" if named else "does not name the meeting",
        "voice": voice_fault(text, reader, (), card(language, "self", ("Me",), home), gender, title),
        "reason": reason_fault(text, reader, note["pair"], title),
        "offer": offer_fault(text, reader, home, meeting, offer, TODAY),
    }
    return {clause: fault for clause, fault in found.items() if fault}


@pytest.mark.parametrize(("language", "number"), NOTES)
def test_what_a_careful_person_writes_passes(language: str, number: int) -> None:
    assert faults(language, CASES[language]["notes"][number]) == {}


# language, number of the note, what is put in place of what, and the check that has to fail
NEAR_MISSES = [
    ("ko", 0, "내부 일정 변경", "본사 감사", "reason"),
    ("ko", 0, "내부 일정 변경으로 부득이 ", "", "reason"),
    ("ko", 0, "10월 14일(수)", "10월 15일(목)", "offer"),
    ("ko", 0, "10월 14일(수)", "10월 14일(목)", "offer"),
    ("ko", 0, "부탁드립니다", "부탁해", "voice"),
    ("ko", 1, "박 대표님께", "박 대표께", "voice"),
    ("ko", 1, "새로운 일정은 정해지는 대로", "10월 9일 14시에 뵐지", "offer"),
    ("ko", 8, "취소됐어. 본사 감사 때문에 정신이 없네. 14일", "본사 감사로 취소되었습니다. 14일", "voice"),
    ("ja", 0, "社内の予定変更", "本社監査", "reason"),
    ("ja", 0, "いかがでしょうか", "どうかな", "voice"),
    ("ja", 0, "山本様", "山田様", "voice"),
    ("ja", 4, "10月14日（水）14時", "10月14日（水）15時", "offer"),
    ("zh-Hant", 0, "內部行程調整", "總公司稽核", "reason"),
    ("zh-Hant", 0, "煩請您確認", "你確認一下喔", "voice"),
    ("zh-Hant", 0, "10 月 14 日（週三）", "10 月 12 日（週一）", "offer"),
    ("th", 0, "การปรับตารางงานภายในของบริษัท", "การตรวจสอบภายในจากสำนักงานใหญ่", "reason"),
    ("th", 1, "ครับ", "ค่ะ", "voice"),
    ("th", 0, "วันพุธที่ 14 ตุลาคม", "วันพฤหัสบดีที่ 15 ตุลาคม", "offer"),
    ("ar", 0, "تعديل داخلي في جدول أعمالنا", "تدقيق المقر الرئيسي", "reason"),
    ("ar", 0, "الأستاذة مريم المحترمة،", "مرحباً مريم،", "voice"),
    ("ar", 0, "الأربعاء 14 أكتوبر", "الخميس 15 أكتوبر", "offer"),
    ("en", 0, "a change on our side", "the head-office audit", "reason"),
    ("en", 0, "Dear Mr Pillai", "Hi Ravi", "voice"),
    ("en", 0, "Kind regards,\n", "", "voice"),
    ("en", 1, "at 7:00 am London time (2:00 pm Singapore time) as", "at 8:00 am London time as", "offer"),
    ("en", 1, "at 7:00 am London time (2:00 pm Singapore time) as", "at 2:00 pm as", "offer"),
    ("en", 0, "a change on our side", "unforeseen circumstances, and not because of a change on our side", "reason"),
    ("en", 0, "a change on our side", "a change on our side. Between us, the real story is another one", "reason"),
    ("en", 3, "A new date has not been set", "Let us meet on 9 October at 2 pm", "offer"),
]


@pytest.mark.parametrize(("language", "number", "old", "new", "clause"), NEAR_MISSES)
def test_near_misses_fail_one_check(language: str, number: int, old: str, new: str, clause: str) -> None:
    note = CASES[language]["notes"][number]
    assert old in note["text"]
    assert set(faults(language, note, note["text"].replace(old, new))) == {clause}
