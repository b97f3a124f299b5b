import re
from datetime import date, timedelta
from typing import Any

import pytest

from agentbench_env import zones
from agentbench_env.draw import SPLITS, Draw
from agentbench_env.errors import WrongArgument
from agentbench_env.market import country_codes, load_market, market_codes, market_table, shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.text.names import draw_name
from agentbench_tasks.calendar_mail.domain.abroad import firms, place_of, places

CODES = market_codes()
every_market = pytest.mark.parametrize("code", CODES)
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri")
HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
FIRMS = {"clients": 12, "vendors": 8, "officials": 4, "partners": 4, "employers": 8}
FIRMS_ABROAD = {"clients": 8, "vendors": 4, "partners": 4}


def office(code: str) -> Any:
    return market_table(code, "calendar_mail")


def languages(code: str) -> set[str]:
    return {load_market(code).languages[0], "en"}


def day(text: str) -> date:
    return date.fromisoformat(f"2026-{text}")


def sourced(node: Any) -> list[dict[str, Any]]:
    if isinstance(node, dict):
        own = [node] if isinstance(node.get("status"), str) else []
        return own + [row for value in node.values() for row in sourced(value)]
    return [row for value in node for row in sourced(value)] if isinstance(node, list) else []


# --- hours


def check_week(week: dict[str, list[list[str]]]) -> None:
    assert tuple(week) == WEEKDAYS
    for spans in week.values():
        bounds = [bound for span in spans for bound in span]
        assert bounds
        assert all(HOUR.fullmatch(bound) for bound in bounds)
        assert bounds == sorted(set(bounds))


def covers(outer: list[list[str]], inner: list[list[str]]) -> bool:
    return all(any(first <= start and end <= last for first, last in outer) for start, end in inner)


@every_market
def test_weeks_are_well_formed(code: str) -> None:
    hours = office(code)["hours"]
    for week in (hours["working"], hours["meeting"], office(code)["official_hours"]["working"]):
        check_week(week)
    assert all(covers(hours["meeting"][weekday], hours["working"][weekday]) for weekday in WEEKDAYS)


@every_market
def test_nobody_works_or_meets_in_a_break(code: str) -> None:
    hours = office(code)["hours"]
    for pause in office(code)["breaks"]:
        assert pause["from"] < pause["to"]
        for number in pause["weekdays"]:
            for week in (hours["working"], hours["meeting"]):
                spans = week[WEEKDAYS[number - 1]]
                assert all(end <= pause["from"] or start >= pause["to"] for start, end in spans)


def test_hours_that_set_markets_apart() -> None:
    hours = {code: office(code)["hours"]["working"] for code in CODES}
    assert hours["JP"]["mon"] == [["09:00", "12:00"], ["13:00", "17:30"]]
    assert hours["TW"]["mon"] == [["09:00", "12:00"], ["13:30", "18:00"]]
    assert hours["TH"]["mon"] == [["08:30", "17:30"]]
    assert (hours["AE"]["thu"], hours["AE"]["fri"]) == ([["08:00", "17:00"]], [["08:00", "12:00"]])
    assert [code for code in CODES if hours[code]["thu"] != hours[code]["fri"]] == ["AE"]
    public = market_table("AE", "market")["short_day_hours"]
    assert office("AE")["official_hours"]["working"]["fri"] == [[public["from"], public["to"]]]
    assert [(row["kind"], row["from"]) for row in office("AE")["breaks"]] == [("prayer", "12:45")]


@every_market
def test_an_afternoon_off_begins_inside_or_after_the_break(code: str) -> None:
    table = office(code)
    begins = table["absence"]["pm_half_day"]
    assert "12:00" < begins < table["hours"]["working"]["mon"][-1][1]
    assert set(table["absence"]["names"]) == languages(code)


def test_afternoons_off_are_those_of_the_absence_pages() -> None:
    hours = {code: office(code)["absence"]["pm_half_day"] for code in CODES}
    assert hours == {"KR": "14:00", "JP": "13:00", "SG": "13:00", "TW": "13:30", "TH": "13:00", "AE": "12:30"}


# --- mail, money, people's places in a firm


@every_market
def test_a_mail_system_is_drawn_with_its_chances(code: str) -> None:
    recall, systems = office(code)["recall"], shared_table("calendar_mail")["mail_systems"]
    assert list(recall["systems"]) == list(systems)
    assert sorted(recall["systems"].values()) == [0.075] * 4 + [0.7]
    usual = {"KR": "portal", "JP": "works", "SG": "undo", "TW": "closed", "TH": "tenant", "AE": "tenant"}
    assert max(recall["systems"], key=recall["systems"].get) == usual[code]
    assert recall["read_switch"] == {"TH": [True], "AE": [False]}.get(code, [True, False])


def test_rules_of_recall_have_what_they_need() -> None:
    systems = shared_table("calendar_mail")["mail_systems"]
    assert {name for name, row in systems.items() if row["window_s"]} == {"works"}
    assert systems["works"]["window_s"] == 24 * 3600
    assert {name for name, row in systems.items() if any(row["delays_s"])} == {"undo"}
    assert len({row["names"]["en"] for row in systems.values()}) == len(systems)


def test_thirteen_kinds_have_a_class() -> None:
    table = shared_table("calendar_mail")["information_classes"]
    assert len(table["kinds"]) == 13
    assert set(table["kinds"].values()) == {2, 3, 4}
    assert table["drawn"] == 3


@every_market
def test_limits_stand_in_minor_units_and_refer_to_the_tax(code: str) -> None:
    approval, scale = office(code)["approval"], 10 ** load_market(code).digits
    limits = {
        "KR": (10_000_000, 50_000_000),
        "JP": (1_000_000, 5_000_000),
        "SG": (10_000, 50_000),
        "TW": (300_000, 1_500_000),
        "TH": (300_000, 1_500_000),
        "AE": (30_000, 150_000),
    }
    assert (approval["staff"], approval["head"]) == tuple(amount * scale for amount in limits[code])
    assert approval["includes_tax"]
    rates = [row for row in market_table(code, "money")["consumption_tax"] if row["kind"] == approval["tax"]]
    assert [row["pct"] for row in rates] == [{"KR": "10", "JP": "10", "SG": "9", "TW": "5", "TH": "7", "AE": "5"}[code]]
    assert set(approval["words"]) == {"tax", "included", "excluded"}
    assert all(set(words) == languages(code) for words in approval["words"].values())


@every_market
def test_titles_climb_from_colleagues_to_superiors(code: str) -> None:
    rows = office(code)["titles"]["rows"]
    lines = [row["line"] for row in rows]
    assert set(lines) == {"colleague", "superior"}
    assert lines == sorted(lines)
    assert all(row["approves"] in ("none", "staff") for row in rows if row["line"] == "colleague")
    assert all(row["approves"] == "head" for row in rows if row["line"] == "superior")
    assert sum(row["approves"] == "staff" for row in rows) >= 2
    for row in rows:
        assert set(row["names"]) == languages(code)
        assert ("female" in row) == (code == "AE")
    for language in languages(code):
        assert len({row["names"][language] for row in rows}) == len(rows)


@pytest.mark.parametrize("code", ["KR", "JP", "TW", "TH"])
def test_titles_are_those_that_people_are_addressed_by(code: str) -> None:
    language = load_market(code).languages[0]
    known = market_table(code, "writing")["titles"][language]
    assert [row["names"][language] for row in office(code)["titles"]["rows"]] == known


@every_market
def test_a_firm_has_departments_and_towns(code: str) -> None:
    departments, towns = office(code)["departments"], office(code)["offices"]["towns"]
    assert list(departments) == list(office("KR")["departments"])
    assert len(departments) >= 8
    assert len(towns) >= 4
    assert all(set(names) == languages(code) for names in [*departments.values(), *towns])


@every_market
def test_people_of_a_market_write_its_languages(code: str) -> None:
    contacts, market = office(code)["contacts"], load_market(code)
    assert all(set(row["write"]) <= set(market.languages) and row["weight"] > 0 for row in contacts["languages"])
    assert contacts["languages"][0]["write"] == [market.languages[0]]


@every_market
def test_authorities_and_numbers_are_named(code: str) -> None:
    clock = office(code)["authority_clock"]
    assert clock["least"] <= clock["most"]
    assert bool(clock["most"]) == (clock["status"] == "V")
    assert clock["unit"] in {"hour", "day"}
    assert clock["after"] in {"awareness", "assessment"}
    assert set(clock["authority"]) == set(clock["law"]) == set(office(code)["national_id"]["names"]) == languages(code)


@pytest.mark.parametrize("table", [*(office(code) for code in CODES), shared_table("calendar_mail")])
def test_rows_about_the_world_name_a_source(table: dict[str, Any]) -> None:
    rows = sourced(table)
    assert rows
    assert {row["status"] for row in rows} <= {"V", "P", "W"}
    assert all(row["source"] and row["as_of"] for row in rows if row["status"] == "V")
    assert all((row.get("source") or row["note"]) and row["as_of"] for row in rows if row["status"] == "P")


# --- who can meet when


def overlap(here: str, there: str, daylight: bool) -> list[str]:
    """The first and last half-hour that starts in 08:00-20:00 here and 08:00-18:00 there."""
    instants = [zones.to_instant(f"2026-{month:02}-15T00:00", "UTC") for month in (1, 7)]
    instant = next(instant for instant in instants if zones.zone_row(there, instant).dst == daylight)
    ahead = zones.offset_minutes(here, instant) - zones.offset_minutes(there, instant)
    starts = [start for start in range(8 * 60, 20 * 60, 30) if 8 * 60 <= start - ahead <= 18 * 60 - 30]
    return [f"{start // 60:02}:{start % 60:02}" for start in (starts[0], starts[-1])] if starts else []


@every_market
def test_overlaps_agree_with_the_zones(code: str) -> None:
    here, abroad = load_market(code).zone, {place.code: place.zone for place in places()}
    rows = office(code)["contacts"]["overlaps"]
    assert [row["place"] for row in rows] == [*abroad, *(other for other in CODES if other != code)]
    for row in rows:
        there = abroad.get(row["place"]) or load_market(row["place"]).zone
        assert row["standard"] == overlap(here, there, False)
        assert ("daylight" in row) == (row["place"] in abroad)
        assert row.get("daylight") == (overlap(here, there, True) if row["place"] in abroad else None)


@every_market
def test_an_evening_is_offered_where_working_hours_do_not_meet(code: str) -> None:
    contacts = office(code)["contacts"]
    apart = {row["place"] for row in contacts["overlaps"] if not (row["standard"] and row.get("daylight", True))}
    assert {row["place"] for row in contacts.get("evenings", ())} == apart
    assert apart == (set() if code == "AE" else {"US"})


# --- public holidays

SERIES = {
    ("KR", "mon", "07", "12"): "08-17 10-05",
    ("KR", "fri", "07", "12"): "07-17 09-25 10-09 12-25",
    ("JP", "mon", "07", "12"): "07-20 09-21 10-12 11-23",
    ("JP", "tue", "08", "12"): "08-11 09-22 11-03",
    ("JP", "wed", "04", "06"): "04-29 05-06",
    ("SG", "mon", "05", "12"): "06-01 08-10 11-09",
    ("SG", "fri", "03", "06"): "04-03 05-01",
    ("SG", "tue wed", "02", "06"): "02-17 02-18 05-27",
    ("TW", "fri", "02", "06"): "02-20 02-27 04-03 05-01 06-19",
    ("TW", "fri", "08", "12"): "09-25 10-09 12-25",
    ("TW", "mon", "08", "12"): "09-28 10-26",
    ("TH", "mon", "03", "06"): "04-06 04-13 05-04 06-01",
    ("TH", "tue wed", "07", "10"): "07-28 07-29 08-12 10-13",
    ("TH", "thu", "07", "12"): "07-30 12-10 12-31",
    ("AE", "tue thu", "04", "06"): "05-26 05-28",
    ("AE", "wed thu", "03", "06"): "03-19 05-27 05-28",
    ("AE", "fri", "03", "06"): "03-20 05-29",
}
SUBSTITUTES = {
    "KR": "03-02 05-25 08-17 10-05",
    "JP": "05-06 09-22",
    "SG": "06-01 08-10 11-09",
    "TW": "02-20 02-27 04-03 04-06 10-09 10-26",
    "TH": "01-02 06-01 12-07",
    "AE": "",
}
NOISE = {
    "KR": "05-08 07-17",
    "JP": "01-02 07-07 12-31",
    "SG": "02-01 05-31",
    "TW": "04-03 09-03 11-12",
    "TH": "01-10 05-13 11-24 12-05",
    "AE": "01-16 05-25 05-27 06-16 08-25",
}


def dates(weekdays: list[int], first: date, last: date) -> list[date]:
    days = (first + timedelta(number) for number in range((last - first).days + 1))
    return [day for day in days if day.isoweekday() in weekdays]


def series_dates(weekdays: str, first: str, last: str) -> list[date]:
    end = date(2026, int(last) + 1, 1) if last != "12" else date(2027, 1, 1)
    return dates([WEEKDAYS.index(name) + 1 for name in weekdays.split()], day(f"{first}-01"), end - timedelta(1))


@pytest.mark.parametrize("series", SERIES)
def test_a_series_hits_the_known_holidays_and_nothing_uncertain(series: tuple[str, str, str, str]) -> None:
    code, weekdays, first, last = series
    calendar = working_days(code)
    asked = series_dates(weekdays, first, last)
    assert [f"{day:%m-%d}" for day in asked if not calendar.is_open(day)] == SERIES[series].split()
    assert all(calendar.is_settled(day) for day in asked)


def test_series_of_the_fixtures_are_those() -> None:
    listed = {
        (code, tuple(dates(row["weekdays"], row["from"], row["to"])))
        for code in CODES
        for row in office(code)["series"]["rows"]
    }
    assert listed == {(code, tuple(series_dates(*rest))) for code, *rest in SERIES}


@pytest.mark.parametrize(("weekdays", "first", "last"), [("wed thu", "09", "12"), ("fri", "04", "08")])
def test_series_over_estimated_days_are_not_used(weekdays: str, first: str, last: str) -> None:
    emirates = working_days("AE")
    assert not all(emirates.is_settled(day) for day in series_dates(weekdays, first, last))


def test_no_korean_series_touches_the_first_of_may() -> None:
    for row in office("KR")["series"]["rows"]:
        assert day("05-01") not in dates(row["weekdays"], row["from"], row["to"])


@every_market
def test_days_in_lieu_fall_on_the_known_weekdays(code: str) -> None:
    rows = load_market(code).holidays(day("01-01"), day("12-31"))
    kinds = ("substitute", "bridge", "special")
    found = [row for row in rows if row.kind in kinds and row.status == "confirmed" and "private" in row.applies_to]
    assert [f"{row.date:%m-%d}" for row in found] == SUBSTITUTES[code].split()
    assert all(row.date.isoweekday() < 6 for row in found)


@every_market
def test_the_list_has_its_noise(code: str) -> None:
    rows = load_market(code).holidays(day("01-01"), day("12-31"))
    noise = {f"{row.date:%m-%d}" for row in rows if row.status != "confirmed" or "private" not in row.applies_to}
    assert set(NOISE[code].split()) <= noise


@pytest.mark.parametrize(
    ("code", "last", "back"),
    [
        ("KR", "09-29", "09-30"),
        ("JP", "09-18", "09-24"),
        ("SG", "08-07", "08-11"),
        ("TW", "09-30", "10-01"),
        ("TH", "07-27", "07-31"),
    ],
)
def test_the_day_of_return_is_the_next_working_day(code: str, last: str, back: str) -> None:
    calendar = working_days(code)
    assert calendar.add_open(day(last), 1) == day(back)
    assert all(calendar.is_settled(day(last) + timedelta(n)) for n in range((day(back) - day(last)).days + 1))


# --- people and firms


def test_places_abroad_have_zones_days_and_hours() -> None:
    assert [place.code for place in places()] == [code for code in country_codes() if code not in CODES]
    for place in places():
        assert place.zone in zones.zone_names()
        assert place.country == place.code[:2]
        assert place.language == "en"
        check_week(dict(place.working))
        check_week(dict(place.meeting))
        assert all(covers(place.meeting[weekday], place.working[weekday]) for weekday in WEEKDAYS)
        assert place.titles == {"male": ["Mr", "Dr"], "female": ["Ms", "Dr"]}
    with pytest.raises(WrongArgument, match="GB-ENG"):
        place_of("GB")


def given_abroad() -> dict[tuple[str, str, str], list[str]]:
    return {
        (code, gender, split): names
        for code, place in shared_table("foreign")["places"].items()
        for group in place["groups"]
        for gender, splits in group["given"].items()
        for split, names in splits.items()
    }


def test_pools_of_names_abroad_are_large_and_disjoint_by_split() -> None:
    pools = given_abroad()
    assert len(pools) == 4 * 2 * 3
    assert all(len(set(names)) == len(names) >= 24 for names in pools.values())
    for (_, _, split), names in pools.items():
        others = {name for (_, _, other), more in pools.items() if other != split for name in more}
        assert not set(names) & others
    for place in shared_table("foreign")["places"].values():
        assert all(len(set(group["family"])) == len(group["family"]) >= 24 for group in place["groups"])


@pytest.mark.parametrize("code", [place.code for place in places()])
def test_people_abroad_are_drawn_like_those_of_a_market(code: str) -> None:
    pools = given_abroad()
    for split in SPLITS:
        name = draw_name(code, split, Draw(code, split, split=split), "female", national=True)
        assert name.given in pools[code, "female", "test" if split == "private" else split]
        assert name.native == name.latin == f"{name.given} {name.family}"
    assert draw_name(code, "dev", Draw("again")) == draw_name(code, "dev", Draw("again"))


ALL_FIRMS = [
    firm
    for code in (*CODES, *(place.code for place in places()))
    for kind in FIRMS
    if code in CODES or kind in FIRMS_ABROAD
    for firm in firms(code, kind)
]


@pytest.mark.parametrize("code", country_codes())
def test_every_split_has_firms_of_every_kind(code: str) -> None:
    for kind, count in (FIRMS if code in CODES else FIRMS_ABROAD).items():
        found = firms(code, kind)
        assert len(found) == count
        pools = {split: set(Draw("firms", split=split).pool(found)) for split in ("train", "dev", "test")}
        assert all(pools.values())
        assert sum(map(len, pools.values())) == count == len(set.union(*pools.values()))


def test_firms_have_names_and_domains_of_their_own() -> None:
    for field in ("native", "english", "domain"):
        values = [getattr(firm, field) for firm in ALL_FIRMS]
        assert len(values) == len(set(values))
    assert all(re.fullmatch(r"[a-z-]+\.example", firm.domain) for firm in ALL_FIRMS)
    assert all(firm.english.isascii() for firm in ALL_FIRMS)
    scripts = {"KR": r"[가-힣]", "JP": r"[ぁ-ヿ一-鿿]", "TW": r"[一-鿿]", "TH": r"[ก-๛]", "AE": r"[؀-ۿ]"}
    for firm in ALL_FIRMS:
        assert re.search(scripts.get(firm.place, r"[A-Z]"), firm.native)
    with pytest.raises(WrongArgument):
        firms("FR", "clients")


@every_market
def test_firms_do_not_reuse_the_names_of_other_fixtures(code: str) -> None:
    carriers = shared_table("carriers")["carriers"].values()
    names = [name for row in carriers if row["home"] == code for name in row["names"].values()]
    names += [row["names"]["en"] for row in shared_table("channels")["channels"].values()]
    taken = {name.split()[0].lower() for name in names}
    taken |= {part.lower() for head in market_table(code, "houses")["heads"] for part in head.split("/")}
    for firm in ALL_FIRMS:
        if firm.place == code:
            assert firm.english.split()[0].lower() not in taken
            assert not any(firm.native.lower().startswith(stem) for stem in taken if not stem.isascii())
