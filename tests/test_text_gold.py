"""Messages as a careful writer would send them pass every check at once."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from agentbench_env.text.address import address_form_ok, addresses_everybody
from agentbench_env.text.facts import states
from agentbench_env.text.facts.moments import conflicting, other_dates, states_moment
from agentbench_env.text.items import listed
from agentbench_env.text.language import language_of
from agentbench_env.text.phrases import apologises, reason_in, says_sent_in_error
from agentbench_env.text.registers import register_of
from agentbench_env.zones import to_instant

HOME = {
    "ko": "Asia/Seoul",
    "ja": "Asia/Tokyo",
    "zh-Hant": "Asia/Taipei",
    "th": "Asia/Bangkok",
    "ar": "Asia/Dubai",
    "en": "Asia/Singapore",
}
FORMAL = {"ko": "formal", "ja": "keigo", "zh-Hant": "respectful", "th": "formal", "ar": "formal", "en": "formal"}
OTHERS = [["최 부장님", "Mr Lim", "田經理", "คุณวิลัย", "田中様", "الأستاذ عمر"]]
CASES = [json.loads(line) for line in (Path(__file__).parent / "cases" / "gold.jsonl").read_text("utf-8").splitlines()]


def cases(kind):
    found = [case for case in CASES if case["kind"] == kind]
    return pytest.mark.parametrize("case", found, ids=[case["lang"] for case in found])


@cases("moved")
@pytest.mark.parametrize("reader", ["home", "Europe/London"])
def test_a_reply_about_a_moved_meeting(case, reader):
    language, text, slot = case["lang"], case["text"], case["slot"]
    home = HOME[language]
    instant = to_instant(slot, home)
    zones = {"reader_zone": home if reader == "home" else reader, "writer_zone": home}
    on = dt.date(2026, 10, 20)
    assert (language_of(text), register_of(text)) == (language, FORMAL[language])
    assert address_form_ok(text, [case["form"]], OTHERS)
    assert states_moment(text, instant, written_on=on, **zones, zone_word=True)
    assert conflicting(text, {instant}, written_on=on, **zones) == []
    assert conflicting(text, {instant + 1800}, written_on=on, **zones)
    assert states(text, "date", slot[:10], written_on=on)
    assert states(text, "time", slot[11:], written_on=on, zone=home)


@cases("cancelled")
def test_a_notice_of_cancellation(case):
    text, home, pair = case["text"], HOME[case["lang"]], case["pair"]
    zones = {"written_on": dt.date(2026, 9, 28), "reader_zone": home, "writer_zone": home}
    old, new = (case[slot] and to_instant(case[slot], home) for slot in ("old", "new"))
    found = reason_in(text, pair)
    assert (language_of(text), register_of(text)) == (case["lang"], case["register"])
    assert address_form_ok(text, [case["form"]], OTHERS)
    assert found[case["wording"]]
    if case["wording"] == "outside":
        assert not found["inside"]
        assert not any(reason_in(text, other)["inside"] for other in ("survey", "power", "speaker", "budget"))
    assert all(states_moment(text, slot, **zones) for slot in (old, new) if slot)
    # A weekday alone conflicts with nothing that lies on such a day at that hour.
    friday = to_instant("2026-10-02T14:00", home)
    assert conflicting(text, {old or friday, new or friday}, **zones) == []
    if new:
        assert conflicting(text, {old or friday}, **zones)


@cases("away")
def test_an_automatic_reply(case):
    language, text = case["lang"], case["text"]
    start, end = dt.date.fromisoformat(case["first"]), dt.date.fromisoformat(case["back"])
    absent = {start + dt.timedelta(days=step) for step in range((end - start).days + 1)}
    on = start - dt.timedelta(days=4)
    assert (language_of(text), register_of(text)) == (language, FORMAL[language])
    assert addresses_everybody(text, language)
    assert states(text, "date", case["back"], written_on=on)
    assert other_dates(text, absent, written_on=on) == []
    assert other_dates(text, absent - {end}, written_on=on)


@cases("entry")
def test_an_entry_of_a_handover(case):
    people = {other["lang"]: [other["form"]] for other in CASES if other["kind"] == "entry"}
    assert listed(case["text"], {"truck": ("PO-26-0418", "")}, people) == {"truck": {case["lang"]}}


@cases("correction")
def test_both_corrections_after_a_misdirected_reply(case):
    language, note, reply = case["lang"], case["text"], case["reply"]
    assert [language_of(text) for text in (note, reply)] == [language] * 2
    assert [register_of(text) for text in (note, reply)] == [FORMAL[language]] * 2
    assert address_form_ok(note, [case["form"]], [[case["meant"]]])
    assert address_form_ok(reply, [case["meant"]], [[case["form"]]])
    assert says_sent_in_error(note) == []
    assert apologises(note)
    assert says_sent_in_error(reply) == ["error", "delete", "unused"]
    assert not apologises(reply)
    assert states(reply, "date", "2026-11-01", written_on=dt.date(2026, 10, 20))
