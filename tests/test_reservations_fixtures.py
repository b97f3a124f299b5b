from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Any

import pytest

from agentbench_env.draw import SPLITS, Draw
from agentbench_env.errors import WrongArgument
from agentbench_env.market import load_market, market_codes, market_table, shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.text.template import slot_names
from agentbench_tasks.reservations.domain.market import (
    Both,
    Hours,
    PriceRule,
    TermsPattern,
    in_language,
    reservation_codes,
    reservation_market,
)
from agentbench_tasks.reservations.domain.town import Cuisine, house_name, town

CODES = market_codes()
every_market = pytest.mark.parametrize("code", CODES)
SCRIPTS = {"ko": "가-힣", "ja": "ぁ-ヿ一-鿿", "zh-Hant": "一-鿿", "th": "ก-๛", "ar": "؀-ۿ", "en": "A-Za-z"}
FIRST, LAST = date(2026, 2, 2), date(2026, 12, 11)


def spoken(code: str) -> set[str]:
    return {load_market(code).languages[0], "en"}


def in_script(text: str, language: str) -> bool:
    return bool(re.search(f"[{SCRIPTS[language]}]", text))


def tables(node: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(node, Mapping):
        yield node
        for value in node.values():
            yield from tables(value)
    elif isinstance(node, list):
        for value in node:
            yield from tables(value)


def minutes(clock: str) -> int:
    hours, rest = clock.split(":")
    return int(hours) * 60 + int(rest)


# --- standing and language


@every_market
def test_every_row_says_where_it_comes_from(code: str) -> None:
    rows = [row for row in tables(market_table(code, "reservations")) if isinstance(row.get("status"), str)]
    assert len(rows) > 30
    for row in rows:
        assert row["status"] in {"V", "P", "M", "W"}
        assert re.fullmatch(r"20\d\d-\d\d(-\d\d)?", row["as_of"])
        assert row["status"] != "V" or row["source"]
        assert row["status"] != "P" or row.get("source") or row.get("note")


@every_market
def test_words_stand_in_the_languages_of_the_market(code: str) -> None:
    market, city = reservation_market(code), town(code)
    said = [
        *(row.words for row in (*market.yardsticks, *market.allergen_rules, *market.habits, *market.charges)),
        *(row.words for row in (*market.closures, *market.notices, *market.seasons)),
        *market.vat.words.values(),
        *(row.names for row in market.certifiers),
        city.city,
        *(names for row in city.districts for names in (row.names, row.area, row.landmark.names)),
        *(row.names for row in city.cuisines),
    ]
    for names in said:
        assert set(names) == spoken(code)
        assert all(in_script(text, language) for language, text in names.items())
    for row in market.diets:
        for words in (row.proof, row.alike):
            assert set(words) == spoken(code)
            assert all(in_script(text, language) for language, texts in words.items() for text in texts)


@every_market
def test_facts_put_their_value_into_their_sentence(code: str) -> None:
    for row in (*reservation_market(code).yardsticks, *reservation_market(code).allergen_rules):
        for language in spoken(code):
            sentence = row.sentence(language)
            assert "{" not in sentence
            assert ("{value}" in row.words[language]) == bool(re.search(r"\d", row.value))
            assert not re.search(r"\d", row.value) or row.value in sentence
    assert in_language({"en": "only"}, "ko") == "only"


# --- money


def paid(rule: PriceRule, printed: int) -> int:
    factor = Decimal(1)
    if rule.mode == "each_on_net":
        factor += Decimal(rule.service_pct + rule.fee_pct + rule.tax_pct) / 100
    elif rule.mode != "final":
        factor = (1 + Decimal(rule.service_pct + rule.fee_pct) / 100) * (1 + Decimal(rule.tax_pct) / 100)
    rounding = ROUND_DOWN if rule.rounding == "floor" else ROUND_HALF_UP
    return int((printed * factor).quantize(Decimal(1), rounding))


@every_market
def test_examples_of_price_rules_are_right(code: str) -> None:
    rules = reservation_market(code).charges
    assert sum(rule.weight for rule in rules) == 100
    for rule in rules:
        assert paid(rule, rule.printed) == rule.paid
        assert (rule.mode == "final") == (rule.service_pct + rule.fee_pct + rule.tax_pct == 0)


def test_worked_prices_are_those_of_the_markets() -> None:
    found = {(code, rule.printed, rule.paid) for code in CODES for rule in reservation_market(code).charges}
    assert found >= {
        ("KR", 150_000, 150_000),
        ("JP", 12_100, 13_310),
        ("SG", 6_800, 8_153),
        ("TW", 1_280, 1_408),
        ("TH", 129_000, 151_833),
        ("AE", 22_000, 26_840),
        ("AE", 22_000, 27_027),
    }


@every_market
def test_tax_is_that_of_the_money_table(code: str) -> None:
    market = reservation_market(code)
    rates = {row["pct"] for row in market_table(code, "money")["consumption_tax"]}
    assert str(market.vat.pct) in rates
    assert all(str(rule.tax_pct) in rates for rule in market.charges if rule.tax_pct)
    assert set(market.vat.quotes) == set(market.vat.words)


@every_market
def test_bands_climb_and_hold_their_edges(code: str) -> None:
    bands = reservation_market(code).bands
    assert list(bands.edges) == sorted(set(bands.edges))
    assert [bands.of(edge) for edge in bands.edges] == ["B", "C", "D", "E"]
    assert [bands.of(edge - 1) for edge in bands.edges] == ["A", "B", "C", "D"]


def money_of(terms: TermsPattern) -> Iterator[int]:
    yield from terms.deposit.amounts
    yield from (tier.charge.amount for tier in terms.tiers)
    yield terms.no_show.charge.amount


@every_market
def test_terms_grow_dearer_as_the_day_comes(code: str) -> None:
    patterns = reservation_market(code).terms
    assert sum(terms.weight for terms in patterns) == 100
    assert len({terms.name for terms in patterns}) == len(patterns) == 3
    for terms in patterns:
        assert all(amount >= 0 for amount in money_of(terms))
        assert terms.deposit.kind == "hold" or (terms.deposit.kind == "none") == (terms.deposit.amounts == (0,))
        assert [tier.until.n for tier in terms.tiers] == sorted((tier.until.n for tier in terms.tiers), reverse=True)
        assert [tier.charge.amount for tier in terms.tiers] == sorted(tier.charge.amount for tier in terms.tiers)
        assert all(bool(tier.until.at) == tier.until.kind.endswith("_at") for tier in terms.tiers)
        assert (terms.no_show.cap == "pct") == (terms.no_show.cap_pct > 0)
        assert terms.late_minutes
        charges = (terms.no_show.charge, *(tier.charge for tier in terms.tiers))
        assert all(charge.amount <= 100 for charge in charges if charge.basis == "pct")
        if terms.deposit.basis == "pct_of_course":
            assert max(terms.deposit.amounts) <= 100


def test_korean_terms_keep_to_the_public_standard() -> None:
    market = reservation_market(next(code for code in CODES if load_market(code).currency == "KRW"))
    caps = {row.key: int(row.value) for row in market.yardsticks if row.unit == "pct_of_total"}
    assert caps["no_show_before_2025_12_18"] < caps["no_show_ordinary"] < caps["no_show_reservation_based"]
    assert {terms.no_show.cap_pct for terms in market.terms} == {20, 40}
    assert [row.key for row in market.yardsticks if row.superseded] == ["no_show_before_2025_12_18"]


# --- hours and days


@every_market
def test_hours_close_after_the_last_order(code: str) -> None:
    hours = reservation_market(code).hours
    least, most = hours.food_gap_minutes
    for service in ("lunch", "dinner", "all_day", "late"):
        options = hours.options(service)
        assert options
        for one in options:
            gap = minutes(one.close) - minutes(one.last_food)
            assert minutes(one.open) < minutes(one.last_food)
            assert least <= gap <= most
            assert minutes(one.close) <= 29 * 60
            assert not one.last_drinks or minutes(one.last_food) < minutes(one.last_drinks) < minutes(one.close)
    assert max(minutes(one.close) for one in hours.options("lunch")) < min(
        minutes(one.open) for one in hours.options("dinner")
    )
    assert all(minutes(one.close) >= 24 * 60 for one in hours.options("late"))


@every_market
def test_closures_name_settled_days_of_the_year(code: str) -> None:
    market, calendar = reservation_market(code), working_days(code)
    assert sum(rule.weight for rule in market.closures) == 100
    assert sum(notice.weight for notice in market.notices) == 100
    holidays = {
        row.date.isoformat()
        for row in load_market(code).holidays(FIRST, LAST)
        if row.status == "confirmed" and "private" in row.applies_to
    }
    for rule in market.closures:
        assert set(rule.weekdays) <= set(range(1, 8))
        assert (rule.kind == "on_holidays") == bool(rule.dates)
        assert (rule.kind == "nth_weekday") == bool(rule.nth)
        assert set(rule.dates) <= holidays
        assert rule.from_date <= rule.to_date
        days = (date.fromisoformat(text) for text in (*rule.dates, rule.from_date, rule.to_date) if text)
        assert all(FIRST <= day <= LAST and calendar.is_settled(day) for day in days)


def test_seasons_hold_certain_days_only() -> None:
    seasons = [(code, season) for code in CODES for season in reservation_market(code).seasons]
    assert [season.name for _, season in seasons] == ["ramadan"]
    for code, season in seasons:
        hours = Hours.read(season.hours)
        assert minutes(hours.open) < minutes(hours.last_food) < minutes(hours.close)
        last = date.fromisoformat(season.to_date)
        assert date.fromisoformat(season.from_date) < last
        assert not any(row.kind == "statutory" for row in load_market(code).holidays(last, last))


# --- diets, channels, firms


@every_market
def test_proof_is_no_look_alike(code: str) -> None:
    market, codes = reservation_market(code), reservation_codes()
    assert {row.need for row in market.diets} <= set(codes.needs)
    assert len(market.diets) >= 3
    for row in market.diets:
        for language in spoken(code):
            proof, alike = row.proof[language], row.alike[language]
            assert not any(like in text for text in proof for like in alike)
            assert len(set(proof) | set(alike)) == len(proof) + len(alike)
    assert market.diet(market.diets[0].need) == market.diets[0]
    with pytest.raises(WrongArgument):
        market.diet("low_salt")


def test_needs_are_those_of_the_markets() -> None:
    needs = {code: {row.need for row in reservation_market(code).diets} for code in CODES}
    assert [code for code in CODES if "halal_certified" in needs[code]] == ["KR", "JP", "SG", "TH"]
    assert all("nut_free_kitchen" in found for found in needs.values())
    assert {need for found in needs.values() for need in found} == set(reservation_codes().needs)


@every_market
def test_certificates_are_never_issued(code: str) -> None:
    market = reservation_market(code)
    assert all(row.number.startswith("ZZ-") and "#" in row.number for row in market.certifiers)
    if any(row.need == "halal_certified" for row in market.diets):
        assert any(row.scheme == "halal" and row.status == "V" for row in market.certifiers)


@every_market
def test_ways_to_book_and_queue_add_up(code: str) -> None:
    market, codes = reservation_market(code), reservation_codes()
    assert tuple(market.routes.mix) == codes.routes
    assert sum(market.routes.mix.values()) == sum(market.queues.modes.values()) == 100
    assert set(market.queues.modes) <= set(codes.queues)
    assert all(5 <= most <= 10 for most in market.routes.online_max)
    assert all(14 <= days <= 92 for days in market.routes.window_days)
    for span in market.routes.contact_hours:
        opens, closes = span.split("-")
        assert minutes(opens) < minutes(closes)
    assert {row.topic for row in market.habits} >= {"booking", "queue", "cancel"}


@every_market
def test_firms_ask_enough_to_quote(code: str) -> None:
    market, codes = reservation_market(code), reservation_codes()
    assert tuple(row.trade for row in market.home_services) == codes.trades
    for row in market.home_services:
        assert len(set(row.asks)) == len(row.asks) >= 9
        assert set(row.asks) <= set(codes.quote_keys)
        assert set(row.capabilities) <= set(codes.capabilities)
        assert {"visit_slot", "move_date"} & set(row.asks)
    assert market.building.notice_days > 0
    with pytest.raises(WrongArgument):
        market.home_service("gardening")


def test_every_question_is_asked_somewhere() -> None:
    asked = {key for code in CODES for row in reservation_market(code).home_services for key in row.asks}
    assert asked == set(reservation_codes().quote_keys)


# --- the town


@every_market
def test_every_split_has_districts_houses_and_firms_of_its_own(code: str) -> None:
    city = town(code)
    for options, least in ((city.heads, 20), (city.firm_heads, 8), (city.districts, 2)):
        pools = {split: Draw("town", split=split).pool(options) for split in SPLITS}
        assert all(len(pool) >= least for pool in pools.values())
        kept = {split: {str(one) for one in pool} for split, pool in pools.items() if split != "private"}
        assert sum(map(len, kept.values())) == len(set.union(*kept.values())) == len(options)


def other_names() -> set[str]:
    found: set[str] = set()
    for code in CODES:
        texts = [text for key in ("houses", "places_travel") for text in market_table(code, key)["heads"]]
        firms = market_table(code, "orgs_office")
        texts += [text.rsplit("/", 1)[0] for rows in firms.values() for text in rows]
        found.update(part.casefold() for text in texts for part in text.split("/"))
    carriers = shared_table("carriers")["carriers"].values()
    return found | {name.casefold() for row in carriers for name in row["names"].values()}


def test_names_are_nobody_elses() -> None:
    heads = [Both.read(text) for code in CODES for text in (*town(code).heads, *town(code).firm_heads)]
    for field in ("local", "latin"):
        names = [getattr(head, field).casefold() for head in heads]
        assert [name for name in names if names.count(name) > 1] == []
        assert not set(names) & other_names()
    assert all(re.fullmatch(r"[A-Za-z0-9éā&' -]+", head.latin) for head in heads)


@every_market
def test_names_of_houses_are_in_both_scripts(code: str) -> None:
    city, language = town(code), load_market(code).languages[0]
    for head in (*city.heads, *city.firm_heads):
        assert in_script(Both.read(head).local, language)
    patterns = [pattern for row in city.cuisines for pattern in row.houses]
    patterns += [pattern for names in city.firms.values() for pattern in names]
    for pattern in patterns:
        local, latin = pattern.split("/")
        assert "{head}" in local
        assert "{head}" in latin
        assert "{" not in "".join(house_name(pattern, city.heads[0]))
    assert tuple(city.firms) == reservation_codes().trades
    assert all("{district}" in text or "{landmark}" in text for text in city.branches)
    assert set(slot_names(city.address)) <= {"area", "street", "number", "floor"}


@every_market
def test_districts_lie_apart_and_near_their_landmarks(code: str) -> None:
    districts = town(code).districts
    assert len(districts) == 8
    for row in districts:
        (x, y), (u, v) = row.point, row.landmark.point
        assert (x - u) ** 2 + (y - v) ** 2 < 3000**2
    for field in ("id", "point"):
        assert len({getattr(row, field) for row in districts}) == len(districts)


def courses(cuisine: Cuisine) -> dict[str, int]:
    kinds = [dish.course for dish in cuisine.all_dishes]
    return {course: kinds.count(course) for course in reservation_codes().courses}


@every_market
def test_cuisines_have_dishes_for_a_set_menu(code: str) -> None:
    city, codes = town(code), reservation_codes()
    assert len(city.cuisines) == 6
    for cuisine in city.cuisines:
        counts = courses(cuisine)
        assert counts["starter"] >= 2
        assert counts["main"] >= 3
        assert counts["dessert"] >= 1
        assert len(cuisine.houses) == len(cuisine.menus) == 2
        assert any("vegan" in dish.diets for dish in cuisine.all_dishes if dish.course == "main")
        for dish in cuisine.all_dishes:
            assert {*dish.contains, *dish.may_contain} <= set(codes.allergens)
            assert not set(dish.contains) & set(dish.may_contain)
            assert set(dish.diets) <= set(codes.diets)
            assert dish.price > 0
            assert ("pork" in dish.diets) == ("pork" in dish.contains)
            if "vegan" in dish.diets:
                assert not set(dish.contains) & set(codes.animal)
                assert not {"pork", "alcohol", "halal_meat", "vegetarian_ovo_lacto"} & set(dish.diets)
            if "vegetarian_ovo_lacto" in dish.diets:
                assert not set(dish.contains) & (set(codes.animal) - {"egg", "milk"})
    with pytest.raises(WrongArgument):
        city.cuisine("martian")


@every_market
def test_menus_cost_what_their_bands_say(code: str) -> None:
    market = reservation_market(code)
    for cuisine in town(code).cuisines:
        for menu in cuisine.all_menus:
            assert menu.least < menu.most
            assert {market.bands.of(menu.least), market.bands.of(menu.most)} <= set(cuisine.bands)
