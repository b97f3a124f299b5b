"""Pages of hours, notices and home pages: what they say is what the records say, in every language and wording."""

from __future__ import annotations

import re
from itertools import product

import pytest
from town_kit import WEEK, place, town
from town_texts import (
    LANGUAGES,
    SPOKEN,
    VARIANTS,
    clocks,
    days,
    is_tidy,
    kinds,
    passage,
    says_clock,
    wordings,
)

from agentbench_env.world import World
from agentbench_tasks.commons.texts import Stated, render
from agentbench_tasks.reservations.domain.hours_page import (
    FILE,
    HoursFact,
    closure_key,
    closure_value,
    home_parts,
    hours_key,
    hours_parts,
    notice_key,
    notice_parts,
    page_title,
)
from agentbench_tasks.reservations.domain.market import ReservationMarket, reservation_market
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.town import town as city_of
from agentbench_tasks.reservations.domain.venue import (
    ClosureRule,
    HoursRule,
    Notice,
    NoticeReason,
    NoticeScope,
    Opening,
    SeasonHours,
    ServiceHours,
    opening_of,
)

WEEKDAYS = {
    "ko": ("월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"),
    "ja": ("月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"),
    "zh-Hant": ("週一", "週二", "週三", "週四", "週五", "週六", "週日"),
    "th": ("วันจันทร์", "วันอังคาร", "วันพุธ", "วันพฤหัสบดี", "วันศุกร์", "วันเสาร์", "วันอาทิตย์"),
    "ar": ("الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد"),
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
}
ORDINALS = {
    "ko": ("둘째", "넷째"),
    "ja": ("第2", "第4"),
    "zh-Hant": ("第二", "第四"),
    "th": ("ที่สอง", "ที่สี่"),
    "ar": ("الثاني", "الرابع"),
    "en": ("second", "fourth"),
}
PRECEDENCE = {
    "ko": ("공지", "시즌", "공휴일", "정기휴무", "평상시|평소"),
    "ja": ("お知らせ", "期間限定", "祝日", "定休日", "通常"),
    "zh-Hant": ("公告", "期間營業時間", "國定假日", "每週公休", "平時"),
    "th": ("ประกาศ", "ช่วงพิเศษ", "นักขัตฤกษ์", "ประจำสัปดาห์", "เวลาปกติ"),
    "ar": ("تنويه", "الموسم", "العطل الرسمية", "الأسبوعي", "المعتادة"),
    "en": ("otice", "easonal hours", "holiday rule", "weekly", "regular hours"),
}
"""Notice, seasonal hours, holiday rule, weekly rule, regular hours."""
FACTS: tuple[HoursFact, ...] = ("open", "close", "last_order_food", "last_order_drinks", "last_seating")
SCOPES: tuple[NoticeScope, ...] = ("all", "lunch", "dinner", "room")
REASONS: tuple[NoticeReason, ...] = ("repair", "private_event", "holiday", "staff", "stock")
LUNCH = ServiceHours("lunch", "11:30", "14:00", "14:30")
DINNER = ServiceHours("dinner", "17:30", "23:30", "25:30", "24:30", "22:00")
every_page = pytest.mark.parametrize(
    ("code", "language", "variant"), [(*spoken, variant) for spoken in SPOKEN for variant in VARIANTS]
)
every_wording = pytest.mark.parametrize(("language", "variant"), list(product(LANGUAGES, VARIANTS)))


def rule(hours: ServiceHours, weekdays: tuple[int, ...] = WEEK) -> HoursRule:
    return HoursRule(f"hrs_{hours.service}{weekdays[0]}", "ven_a", "pg_h", weekdays, hours)


def market_hours(market: ReservationMarket) -> list[ServiceHours]:
    """All hours that a house of a market may have, with and without a last seating."""
    found: list[ServiceHours] = []
    for service in ("lunch", "dinner", "all_day", "late"):
        for row in market.hours.options(service):
            found += [
                ServiceHours(service, row.open, row.last_food, row.close, row.last_drinks, seating)
                for seating in ("", row.last_food)
            ]
    return found


def closures(market: ReservationMarket) -> list[ClosureRule]:
    return [
        ClosureRule(
            f"clo_{number}",
            "ven_a",
            "pg_h",
            row.kind,
            row.weekdays,
            row.nth,
            row.dates,
            row.from_date,
            row.to_date,
            row.open_on_holidays,
        )
        for number, row in enumerate(market.closures)
    ]


def facts(parts: tuple[Part, ...]) -> dict[str, object]:
    return {fact.key: fact.value for part in parts for fact in part.stated}


def days_of(rule: ClosureRule) -> list[str]:
    return [rule.from_date, rule.to_date] if rule.kind == "period" else list(rule.dates)


# --- hours


@every_page
def test_hours_are_those_of_the_rules(code: str, language: str, variant: int) -> None:
    for hours in market_hours(reservation_market(code)):
        row = rule(hours)
        part = hours_parts(Opening("KR", [row]), language, variant)[0]
        assert [fact.key for fact in part.stated] == [hours_key(row, fact) for fact in FACTS if getattr(hours, fact)]
        for fact in part.stated:
            assert says_clock(passage(part.text, fact), str(fact.value)), (passage(part.text, fact), fact)
        # Nothing else on the line reads as a time.
        assert len(clocks(render(part.text).body)) == len(part.stated)


@every_page
def test_seasonal_hours_are_those_of_the_season(code: str, language: str, variant: int) -> None:
    for season in reservation_market(code).seasons:
        hours = ServiceHours("dinner", "18:30", "24:45", "25:30")
        row = SeasonHours("sea_1", "ven_a", "pg_h", season.from_date, season.to_date, WEEK, hours)
        parts = hours_parts(Opening("AE", [rule(LUNCH)], seasons=[row]), language, variant, season.name)
        part = parts[2]
        body = render(part.text).body
        assert set(days(body.splitlines()[0], "2026-02-10")) >= {season.from_date, season.to_date}
        for fact in part.stated:
            assert says_clock(passage(part.text, fact), str(fact.value))
        assert hours_key(row, "open") != hours_key(rule(hours), "open")


@every_wording
def test_services_of_some_weekdays_name_them(language: str, variant: int) -> None:
    friday = rule(ServiceHours("lunch", "13:00", "15:00", "16:00"), (5,))
    rest = rule(LUNCH, (1, 2, 3, 4, 6))
    part = hours_parts(Opening("AE", [rest, friday, rule(DINNER)]), language, variant)[0]
    lines = render(part.text).body.splitlines()
    assert len(lines) == 3
    names = [name.removeprefix("วัน")[: 3 if language == "en" else None] for name in WEEKDAYS[language]]
    if language in ("ko", "ja"):
        names = [name[0] for name in names]
    assert names[4] in lines[1]
    assert names[3] not in lines[1]
    for number in (0, 3, 5):
        assert names[number] in lines[0]
    # A service of all days names none.
    assert not any(name in lines[2] for name in (names[2], names[4]))
    for row in (rest, friday):
        assert facts((part,))[hours_key(row, "open")] == row.hours.open


@every_page
def test_closing_days_are_those_of_the_rules(code: str, language: str, variant: int) -> None:
    rules = closures(reservation_market(code))
    part = hours_parts(Opening(code, [rule(LUNCH)], rules), language, variant)[1]
    for number, closure in enumerate(rules):
        fact = part.stated[number]
        assert fact == Stated(closure_key("ven_a", closure.kind), closure_value(closure), f"lines.{number}")
        said = passage(part.text, fact)
        if closure.dates or closure.from_date:
            assert {*days(said, "2026-05-01")} >= {*days_of(closure)}, said
        else:
            named = {day for day, name in enumerate(WEEKDAYS[language], 1) if name in said}
            assert named == set(closure.weekdays), said
        if closure.nth:
            assert all(ordinal in said for ordinal in ORDINALS[language])


@every_wording
def test_rules_for_holidays_are_told_apart(language: str, variant: int) -> None:
    rules = (
        ClosureRule("clo_1", "ven_a", "pg_h", "weekly", (1,)),
        ClosureRule("clo_1", "ven_a", "pg_h", "weekly", (1,), open_on_holidays=True),
        ClosureRule("clo_1", "ven_a", "pg_h", "weekly_shifted", (1,)),
    )
    plain, opens, moves = (hours_parts(Opening("JP", [rule(LUNCH)], [one]), language, variant) for one in rules)
    assert len({render(parts[1].text).body for parts in (plain, opens, moves)}) == 3
    assert facts(plain) != facts(opens)


@every_wording
def test_a_house_without_closing_days_says_so(language: str, variant: int) -> None:
    part = hours_parts(Opening("JP", [rule(LUNCH)]), language, variant)[1]
    assert part.stated == (Stated(closure_key("ven_a", "none"), True, "lines"),)
    assert not days(render(part.text).body, "2026-02-10")


@every_wording
def test_every_page_of_hours_says_which_rule_goes_first(language: str, variant: int) -> None:
    parts = hours_parts(Opening("JP", [rule(LUNCH), rule(DINNER)]), language, variant)
    assert len(parts) == 3
    body = render(parts[-1].text).body
    places = [match.start() for words in PRECEDENCE[language] if (match := re.search(words, body))]
    assert len(places) == 5
    assert places == sorted(places)
    assert not clocks(body)
    assert not parts[-1].stated
    assert all(render(part.text).heading for part in parts)


@every_wording
def test_an_older_page_states_the_same_keys(language: str, variant: int) -> None:
    older = ServiceHours("lunch", "11:00", "13:30", "14:00")
    now, before = (hours_parts(Opening("JP", [rule(hours)]), language, variant) for hours in (LUNCH, older))
    assert facts(now).keys() == facts(before).keys()
    assert facts(now) != facts(before)


def test_the_rule_of_a_day_is_found_among_the_facts() -> None:
    season = SeasonHours("sea_1", "ven_a", "pg_h", "2026-02-18", "2026-03-18", WEEK, DINNER)
    rules = [rule(LUNCH, (1, 2, 3, 4, 6)), rule(DINNER)]
    world: World = town(place(), *rules, season)
    stated = facts(hours_parts(Opening("AE", rules, seasons=[season]), "ar", 0, "ramadan"))
    for day, services in (("2026-02-20", ["dinner"]), ("2026-10-16", ["dinner"]), ("2026-10-17", ["lunch", "dinner"])):
        rows = opening_of(world, "ven_a").rows(day)
        assert [row.hours.service for row in rows] == services
        for row in rows:
            assert stated[hours_key(row, "last_order_food")] == row.hours.last_order_food


# --- notices and home pages


@every_wording
@pytest.mark.parametrize("last", ["2026-10-14", "2026-10-16", "2026-11-02"])
def test_notices_say_when_and_what(language: str, variant: int, last: str) -> None:
    said: set[str] = set()
    for scope, reason in product(SCOPES, REASONS):
        notice = Notice("ntc_1", "ven_a", "pg_n", "2026-10-14", last, scope, reason)
        (part,) = notice_parts(notice, language, variant)
        body = render(part.text).body
        said.add(body)
        assert set(days(body, "2026-10-01")) >= {"2026-10-14", last}
        assert not clocks(body)
        assert part.stated == (Stated(notice_key("ven_a", "2026-10-14", last), scope),)
        assert render(part.text).heading
    assert len(said) == len(SCOPES) * len(REASONS)


@every_page
def test_the_home_page_says_where_a_house_is(code: str, language: str, variant: int) -> None:
    district = city_of(code).districts[0]
    landmark = district.landmark.names.get(language) or district.landmark.names["en"]
    (part,) = home_parts("ven_a", "House", "1 Street", landmark, "03-0000-4417", language, variant)
    body = render(part.text).body
    assert all(piece in body for piece in ("House", landmark))
    assert [passage(part.text, fact) for fact in part.stated] == ["1 Street", "03-0000-4417"]


# --- wordings


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_in_every_language(language: str) -> None:
    english = kinds(FILE, "en")
    assert {kind: slots[0] for kind, slots in kinds(FILE, language).items()} == {
        kind: slots[0] for kind, slots in english.items()
    }
    for kind, slots in kinds(FILE, language).items():
        assert len(slots) == len(english[kind])
        assert all(one == slots[0] for one in slots), kind
    for kind, texts in wordings(FILE, language).items():
        if not kind.startswith(("form", "seasons", "services", "section")) and not kind.endswith("heading"):
            assert len(set(texts)) == len(texts) == 4, kind
        if not kind.startswith("form"):
            assert all(map(is_tidy, texts)), kind


@every_wording
def test_titles_are_there(language: str, variant: int) -> None:
    assert all(page_title(kind, language, variant) for kind in ("hours", "notice", "home"))
