"""What the renderer writes, the checkers find; what it does not write, they do not find."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agentbench_env.errors import WrongArgument
from agentbench_env.market import shared_table
from agentbench_env.money import digits
from agentbench_env.text import render
from agentbench_env.text.facts import states
from agentbench_env.text.facts.moments import conflicting, moments, states_moment
from agentbench_env.zones import first_instant, last_instant, near_change, to_instant, to_local, zone_row

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
ZONES = tuple(shared_table("writing/en")["zone_words"])
HOME = dict(zip(LANGUAGES, ("KRW", "JPY", "TWD", "THB", "AED", "SGD"), strict=True))
# A sentence of each language around a fact: the checkers judge by the language of the text.
FRAME = {
    "ko": "회의 안내입니다: {} 확인 부탁드립니다.",
    "ja": "会議のご案内です:{} ご確認ください。",
    "zh-Hant": "會議通知:{} 請您確認。",
    "th": "ขอแจ้งเรื่องประชุม {} กรุณาตรวจสอบครับ",
    "ar": "نود إبلاغكم بما يلي: {} يرجى التأكيد.",
    "en": "Please note the following: {} Kindly confirm.",
}
DAYS = st.dates(dt.date(2026, 1, 1), dt.date(2026, 12, 31))
CLOCKS = st.times().map(lambda time: time.strftime("%H:%M"))
INSTANTS = st.integers(first_instant() // 900 + 200, last_instant() // 900 - 200).map(lambda quarter: quarter * 900)


def half_day(clock: str) -> set[str]:
    """A time and the one twelve hours from it."""
    return {clock, f"{(int(clock[:2]) + 12) % 24:02d}{clock[2:]}"}


@pytest.mark.parametrize("language", LANGUAGES)
@given(day=DAYS, other=DAYS)
@settings(max_examples=30, deadline=None)
def test_dates(language, day, other):
    for style in render.styles("date", language):
        text = FRAME[language].format(render.date(day, language, style))
        assert states(text, "date", day.isoformat(), written_on=day - dt.timedelta(days=20)), text
        if other != day:
            assert not states(text, "date", other.isoformat(), written_on=day - dt.timedelta(days=20)), text


@pytest.mark.parametrize("language", LANGUAGES)
@given(clock=CLOCKS, other=CLOCKS)
@settings(max_examples=30, deadline=None)
def test_times(language, clock, other):
    for style in render.styles("time", language):
        text = FRAME[language].format(render.date_time(f"2026-10-30T{clock}", language, "", style))
        assert states(text, "time", clock, written_on=dt.date(2026, 10, 12)), text
        if other not in half_day(clock):
            assert not states(text, "time", other, written_on=dt.date(2026, 10, 12)), text


@pytest.mark.parametrize("language", LANGUAGES)
@example(amount=10_001, other=1000)
@given(amount=st.integers(1000, 99_999_999), other=st.integers(1000, 99_999_999))
@settings(max_examples=30, deadline=None)
def test_amounts(language, amount, other):
    for currency in dict.fromkeys((HOME[language], "USD", "EUR")):
        value, wrong = (str(Decimal(minor).scaleb(-digits(currency))) for minor in (amount, other))
        for style in render.styles("money", language, currency):
            text = FRAME[language].format(render.money(amount, currency, language, style))
            said = {"written_on": dt.date(2026, 10, 12), "local": HOME[language]}
            assert states(text, "money", (value, currency), **said), text
            if other != amount:
                assert not states(text, "money", (wrong, currency), **said), text


@pytest.mark.parametrize("language", LANGUAGES)
@given(number=st.integers(100, 9999), other=st.integers(100, 9999))
@settings(max_examples=40, deadline=None)
def test_names_and_ids(language, number, other):
    text = FRAME[language].format(f"PO-26-{number:04d} Mr Tan{number},")
    said = {"written_on": dt.date(2026, 10, 12)}
    assert states(text, "id", f"PO-26-{number:04d}", **said)
    assert not states(text, "name", ["Mr Ta"], **said)
    if other != number:
        assert not states(text, "id", f"PO-26-{other:04d}", **said)
        assert not states(text, "id", f"PO-26-{number:04d}{other}", **said)


@pytest.mark.parametrize("language", LANGUAGES)
@given(instant=INSTANTS, minutes=st.integers(1, 96), zones=st.permutations(ZONES))
@settings(max_examples=40, deadline=None)
def test_moments_in_zones(language, instant, minutes, zones):
    zone, reader, writer = zones[:3]
    local = to_local(instant, zone)
    for style in render.styles("time", language):
        written = render.date_time(local, language, "", style)
        text = FRAME[language].format(f"{written} ({render.zone_words(zone, language)}).")
        on = dt.date.fromisoformat(local[:10]) - dt.timedelta(days=9)
        asked = {"written_on": on, "reader_zone": reader, "writer_zone": writer}
        assert [(one.days, one.zone, one.sure) for one in moments(text, written_on=on, writer_zone=writer)] == [
            ((local[:10],), zone, True)
        ], text
        assert states_moment(text, instant, **asked, zone_word=True), text
        assert conflicting(text, {instant}, **asked) == [], text
        other = instant + minutes * 900
        if minutes != 48 and not near_change(instant, zone):
            assert not states_moment(text, other, **asked), text
            assert conflicting(text, {other}, **asked), text


@pytest.mark.parametrize("language", LANGUAGES)
@given(instant=INSTANTS, zones=st.permutations(ZONES))
@settings(max_examples=30, deadline=None)
def test_two_clocks_for_one_moment(language, instant, zones):
    first, second = zones[:2]
    local, there = to_local(instant, first), to_local(instant, second)
    clocks = render.date_time(local, language), render.time(there[11:], language)
    words = [render.zone_words(zone, language) for zone in (first, second)]
    text = FRAME[language].format(f"{clocks[0]} ({words[0]}) / {clocks[1]} ({words[1]}).")
    on = dt.date.fromisoformat(local[:10]) - dt.timedelta(days=9)
    asked = {"written_on": on, "reader_zone": second, "writer_zone": first}
    assert states_moment(text, instant, **asked), text
    assert conflicting(text, {instant}, **asked) == [], text


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Europe/London", "2026-10-23T08:30", "2026-10-26T08:30"),
        ("Europe/London", "2026-03-27T08:30", "2026-03-30T08:30"),
        ("Europe/Berlin", "2026-10-23T08:30", "2026-10-26T08:30"),
        ("America/New_York", "2026-10-30T08:30", "2026-11-02T08:30"),
        ("America/New_York", "2026-03-06T08:30", "2026-03-09T08:30"),
        ("Australia/Sydney", "2026-10-02T08:30", "2026-10-05T08:30"),
        ("Australia/Sydney", "2026-04-03T08:30", "2026-04-06T08:30"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_moments_on_both_sides_of_a_change_of_clocks(language, zone, before, after):
    asked = {"written_on": dt.date.fromisoformat(before[:10]) - dt.timedelta(days=3), "reader_zone": "Asia/Seoul"}
    for local in (before, after):
        instant = to_instant(local, zone)
        place = f"{render.date_time(local, language)} ({render.zone_words(zone, language)})"
        short = f"{render.date_time(local, language)} {zone_row(zone, instant).abbreviation}"
        for text in (place, short):
            text = FRAME[language].format(text)
            found = [
                states_moment(text, instant + step, **asked, writer_zone="Asia/Seoul") for step in (-3600, 0, 3600)
            ]
            assert found == [False, True, False], text
    wrong = zone_row(zone, to_instant(before, zone)).abbreviation
    text = FRAME[language].format(f"{render.date_time(after, language)} {wrong}")
    assert conflicting(text, {to_instant(after, zone)}, **asked, writer_zone="Asia/Seoul"), text


def test_zones_without_words_are_named():
    with pytest.raises(WrongArgument, match="zone in ko is 'Asia/Kolkata'"):
        render.zone_words("Asia/Kolkata", "ko")
    assert {
        language: tuple(shared_table(f"writing/{language}")["zone_words"]) for language in LANGUAGES
    } == dict.fromkeys(LANGUAGES, ZONES)
