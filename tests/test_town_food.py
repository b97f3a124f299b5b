"""Pages of diets and menus: they say what the records say, in every market, language and wording."""

from __future__ import annotations

import re

import pytest
from food_kit import HOUSES, LANGUAGES, VARIANTS, amount, check_parts, every_house, house, read, slots, wordings

from agentbench_env.draw import Draw
from agentbench_env.errors import WrongArgument
from agentbench_env.market import load_market
from agentbench_env.money import Money
from agentbench_env.world import Record, Start, World
from agentbench_tasks.commons.texts import body_of, render
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.diet_page import (
    CERTIFIED_NEEDS,
    DietStatement,
    alike_part,
    build_certificate,
    declared_part,
    diet_key,
    diet_level,
    diet_parts,
)
from agentbench_tasks.reservations.domain.kitchen import LIMITS, Offer, Writer, build_menu, cooked
from agentbench_tasks.reservations.domain.market import PriceRule, in_language, reservation_codes, reservation_market
from agentbench_tasks.reservations.domain.menu_page import (
    DinnerPrice,
    all_in,
    allergens,
    band_key,
    charge_rule_key,
    charge_text,
    deadline_key,
    menu_parts,
    price_band,
    price_key,
)
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.registry import Certificate
from agentbench_tasks.reservations.domain.town import town

FILES = ("diet_page", "menu_page", "rooms_page", "listing_text", "quote_page")
OWN = re.compile(r"(proof|alike|charge)\.")
"""Kinds of which a language has those of its markets only."""
DAY = "2026-11-13"
LAST = "2027-03-31"


def world_of(*records: Record) -> World:
    return World(Start(records), 1_790_000_000, "Asia/Tokyo", "ja", "key", {})


# --- texts


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_in_all_languages(file: str, language: str) -> None:
    own, english = wordings(file, language), wordings(file, "en")
    shared = [kind for kind in own if not OWN.match(kind)]
    assert shared == [kind for kind in english if not OWN.match(kind)]
    for kind, texts in own.items():
        assert len(texts) in (1, 4), kind
        assert len(set(map(str, texts))) == len(texts), kind
        for text in texts:
            assert slots(text) == slots(english.get(kind, texts)[0]), (kind, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_the_needs_and_charges_of_its_markets(language: str) -> None:
    markets = [reservation_market(code) for code, spoken in HOUSES if spoken == language]
    needs = {diet.need for market in markets for diet in market.diets}
    kinds = {kind for kind in wordings("diet_page", language) if OWN.match(kind)}
    certified = set(CERTIFIED_NEEDS.values())
    assert kinds == {f"proof.{need}" for need in needs - certified} | {f"alike.{need}" for need in needs}
    rules = {charge_text(charges(row), language, 0).kind for market in markets for row in market.charges}
    assert rules == {kind for kind in wordings("menu_page", language) if kind.startswith("charge.")}


def charges(row: PriceRule) -> ChargeRule:
    return ChargeRule(row.service_pct, row.fee_pct, row.tax_pct, row.mode, row.rounding)


# --- diets


@every_house
def test_what_a_house_declares_stands_on_its_page_with_its_limits(code: str, language: str, variant: int) -> None:
    venue = house(code)
    for diet in reservation_market(code).diets:
        need = diet.need
        assert not alike_part(need, language, variant).stated
        if need in CERTIFIED_NEEDS.values():
            continue
        plain = DietStatement("dst_1", venue.id, "pg_d", need)
        from_date = DietStatement("dst_2", venue.id, "pg_d", need, "from_date", from_date="2026-11-20")
        lunch = DietStatement("dst_3", venue.id, "pg_d", need, "lunch")
        course = DietStatement("dst_4", venue.id, "pg_d", need, "course", course="X", days_ahead=3)
        parts = diet_parts(venue, [plain], language, variant, alike=[need])
        check_parts(parts, language)
        bodies = {declared_part(one, language, variant).text for one in (plain, from_date, lunch, course)}
        assert len({body_of(text) for text in bodies}) == 4
        assert read(body_of(declared_part(from_date, language, variant).text), "date") == {"2026-11-20"}
        assert "3" in body_of(declared_part(course, language, variant).text)
        values = [one.value for one in (plain, from_date, lunch, course)]
        assert values == ["declared", "declared:from:2026-11-20", "declared:lunch", "declared:course:3"]


@every_house
def test_a_certificate_is_printed_as_the_register_has_it(code: str, language: str, variant: int) -> None:
    market, venue, sister = reservation_market(code), house(code), house(code, "ven_bb")
    certifier = next(row for row in market.certifiers if not row.lax)
    key = diet_key(venue.id, "halal_certified")
    for scope in ("whole_outlet", "kitchen", "named_menu"):
        row = build_certificate(
            Draw(code, scope),
            venue,
            certifier,
            language,
            valid_from="2025-04-01",
            valid_to=LAST,
            scope=scope,
            menu="Alpha",
        )
        statement = DietStatement("dst_1", venue.id, "pg_d", "halal_certified", certificate_id=row.id)
        parts = diet_parts(venue, [statement], language, variant, certificates={row.id: row}, others=[(sister, row)])
        check_parts(parts, language)
        own, other = parts[1], parts[2]
        body = body_of(own.text)
        assert row.number in body
        assert row.body in body
        assert ("Alpha" in body) == (scope == "named_menu")
        assert read(body.replace(row.number, ""), "date") == {LAST}
        assert [(fact.key, fact.value) for fact in own.stated] == [(key, f"certified:{scope}:{LAST}")]
        assert row.stated == own.stated
        assert [fact.key for fact in other.stated] == [diet_key(sister.id, "halal_certified")]


@every_house
def test_a_lax_mark_is_printed_and_proves_nothing(code: str, language: str, variant: int) -> None:
    venue = house(code)
    for certifier in reservation_market(code).certifiers:
        row = build_certificate(Draw("x"), venue, certifier, language, valid_from="2025-04-01", valid_to=LAST)
        _, part = diet_parts(venue, [], language, variant, lax=[row])
        body = body_of(part.text)
        assert part.stated == ()
        assert row.number in body
        assert read(body.replace(row.number, ""), "date") == {LAST}


def test_numbers_keep_the_shape_that_is_never_issued() -> None:
    for code, language in HOUSES:
        for certifier in reservation_market(code).certifiers:
            row = build_certificate(
                Draw(code), house(code), certifier, language, valid_from="2026-01-01", valid_to=LAST
            )
            assert re.fullmatch(certifier.number.replace("#", "[0-9]"), row.number)
            assert row.number.startswith("ZZ-")
            assert bool(row.stated) == (not certifier.lax)


@pytest.mark.parametrize(
    ("changes", "level", "value"),
    [
        ({}, "certified", f"certified:whole_outlet:{LAST}"),
        ({"scope": "kitchen"}, "certified", f"certified:kitchen:{LAST}"),
        ({"scope": "named_menu", "menu": "A"}, "none", f"certified:named_menu:{LAST}"),
        ({"valid_to": "2026-11-12", "status": "expired"}, "none", "certified:whole_outlet:2026-11-12"),
        ({"status": "suspended"}, "none", "none"),
        ({"status": "withdrawn"}, "none", "none"),
    ],
)
def test_a_certificate_proves_a_need_while_it_is_valid(changes: dict[str, str], level: str, value: str) -> None:
    code, language = HOUSES[0]
    venue, certifier = house(code), reservation_market(code).certifiers[0]
    fields: dict[str, str] = {"valid_from": "2025-04-01", "valid_to": LAST, **changes}
    row = build_certificate(Draw("x"), venue, certifier, language, **fields)  # type: ignore[arg-type]
    need = CERTIFIED_NEEDS[certifier.scheme]
    world = world_of(venue, row, DietStatement("dst_1", venue.id, "", need, certificate_id=row.id))
    assert diet_level(world, venue.id, need, DAY) == level
    assert world.get(Certificate, row.id).facts(world) == {diet_key(venue.id, need): value}


def test_a_declaration_holds_within_its_scope() -> None:
    need = "nut_free_kitchen"
    world = world_of(
        DietStatement("dst_1", "ven_a", "pg", need, "lunch"),
        DietStatement("dst_2", "ven_b", "pg", need, "course", course="A", days_ahead=3),
        DietStatement("dst_3", "ven_c", "pg", need, "from_date", from_date=DAY),
        DietStatement("dst_4", "ven_d", "pg", need),
    )
    assert diet_level(world, "ven_a", need, DAY) == "none"
    assert diet_level(world, "ven_a", need, DAY, "lunch") == "declared"
    assert diet_level(world, "ven_b", need, DAY, ordered_on="2026-11-11") == "none"
    assert diet_level(world, "ven_b", need, DAY, ordered_on="2026-11-10") == "declared"
    assert diet_level(world, "ven_c", need, "2026-11-12") == "none"
    assert diet_level(world, "ven_c", need, DAY) == "declared"
    assert diet_level(world, "ven_d", need, DAY) == "declared"
    assert diet_level(world, "ven_d", "jay", DAY) == "none"


# --- menus


def offer(code: str, language: str, variant: int, rule: PriceRule, number: int = 0, kid_age: int = 10) -> Offer:
    cuisines = town(code).cuisines
    return build_menu(
        Draw(code, language, number),
        house(code),
        "pg_m",
        cuisines[number % len(cuisines)],
        Writer(language, variant),
        charges=charges(rule),
        deadline=CutoffRule("days_before_at", 3, "17:00"),
        closed_shift="previous_open",
        party=PartyRange(4),
        most_different_mains=3,
        kid_age=kid_age,
        bands=reservation_market(code).bands,
    )


@every_house
def test_a_page_of_menus_says_what_the_records_say(code: str, language: str, variant: int) -> None:
    market, currency = reservation_market(code), load_market(code).currency
    for number, rule in enumerate(market.charges):
        made = offer(code, language, variant, rule, number)
        menu, kid = made.menu, made.kid
        assert kid
        dinner = DinnerPrice("din_1", "ven_a", "pg_m", Money(menu.price.minor, currency), menu.charges)
        parts = menu_parts(language, variant, market.bands, dinner=dinner, menus=[menu], dishes=made.dishes)
        check_parts(parts, language)
        _, average, card, table = parts
        body = body_of(average.text)
        assert read(body, "money", currency) >= {amount(dinner.price)}
        for percent in (rule.service_pct, rule.fee_pct, rule.tax_pct):
            assert not percent or re.search(rf"(?<!\d){percent} ?[%％٪]", body)
        band = price_band(market.bands, dinner.price, dinner.charges)
        assert (band_key("ven_a"), band) in [(fact.key, fact.value) for fact in average.stated]
        body = body_of(card.text)
        extra = {amount(Money(dish.supplement, currency)) for dish in made.dishes if dish.supplement}
        assert read(body, "money", currency) >= {amount(menu.price), amount(kid.price)}
        assert all(money in read(body, "money", currency) for money in extra)
        assert read(body_of(menu.deadline_text), "time") & {"17:00"}
        for dish_id in (id for course in menu.courses for id in course.dish_ids):
            name = next(body_of(dish.name) for dish in made.dishes if dish.id == dish_id)
            assert name in body
        assert {price_key(menu.id), charge_rule_key(menu.id), deadline_key(menu.id)} <= {f.key for f in card.stated}
        own = menu.facts(world_of(*made.records)) | {
            key: value for dish in made.dishes for key, value in dish.facts(world_of()).items()
        }
        for fact in (*average.stated, *card.stated, *table.stated):
            assert own.get(fact.key, fact.value) == fact.value
        assert {fact.key for fact in card.stated} <= own.keys()
        lines = body_of(table.text).split("\n")[1:]
        assert len(lines) == len(made.dishes)
        for line, dish in zip(lines, made.dishes, strict=True):
            named = [code for code in reservation_codes().allergens if code in (*dish.contains, *dish.may_contain)]
            assert all(allergens((code,), language) in line for code in named)
            assert line.startswith(body_of(dish.name))


@every_house
def test_without_an_average_the_first_set_is_what_dinner_costs(code: str, language: str, variant: int) -> None:
    market = reservation_market(code)
    made = offer(code, language, variant, market.charges[0], kid_age=0)
    parts = menu_parts(language, variant, market.bands, menus=[made.menu], dishes=made.dishes)
    assert band_key("ven_a") in {fact.key for fact in parts[1].stated}
    assert made.kid is None


@pytest.mark.parametrize("kind", ["hours_before", "days_before_at", "business_days_before_at"])
@every_house
def test_deadlines_read_as_they_are(kind: str, code: str, language: str, variant: int) -> None:
    rule = CutoffRule(kind, 48 if kind == "hours_before" else 3, "" if kind == "hours_before" else "17:00")  # type: ignore[arg-type]
    market = reservation_market(code)
    made = build_menu(
        Draw("x"),
        house(code),
        "pg_m",
        town(code).cuisines[0],
        Writer(language, variant),
        charges=charges(market.charges[0]),
        deadline=rule,
    )
    body = body_of(made.menu.deadline_text)
    assert str(rule.n) in body
    assert kind == "hours_before" or "17:00" in read(body, "time")
    assert made.menu.rules_text == ""


def test_a_shifted_deadline_says_so() -> None:
    for code, language in HOUSES:
        for variant in VARIANTS:
            made = offer(code, language, variant, reservation_market(code).charges[0])
            alone = body_of(build_alone(code, language, variant).deadline_text)
            assert body_of(made.menu.deadline_text).startswith(alone)
            assert len(body_of(made.menu.deadline_text)) > len(alone)


def build_alone(code: str, language: str, variant: int) -> SetMenu:
    rule = CutoffRule("days_before_at", 3, "17:00")
    market, cuisine = reservation_market(code), town(code).cuisines[0]
    writer = Writer(language, variant)
    row = charges(market.charges[0])
    return build_menu(Draw("x"), house(code), "pg", cuisine, writer, charges=row, deadline=rule).menu


def test_kitchens_leave_an_allergen_out_of_dishes_made_of_something_else() -> None:
    variants = 0
    for code, language in HOUSES:
        for number in range(12):
            made = offer(code, language, 0, reservation_market(code).charges[0], number)
            known = {dish.id: dish for dish in made.dishes}
            for dish in made.dishes:
                for variant in dish.variants:
                    variants += 1
                    changed = known[variant.dish_id]
                    (gone,) = set(dish.contains) - set(changed.contains)
                    assert gone != dish.contains[0]
                    assert allergens((gone,), language) in render(variant.text).body  # type: ignore[arg-type]
                    assert allergens((gone,), language) in body_of(changed.name)
            courses = made.menu.courses
            assert [bool(course.dish_ids) for course in courses] == [True] * 3
            assert 2 <= len(courses[made.menu.main_course].dish_ids) <= 4
            assert made.kid
            assert made.kid.price.minor < made.menu.price.minor
            assert len({record.id for record in made.records}) == len(made.records)


def test_what_a_party_pays_is_rounded_once() -> None:
    rule = ChargeRule(10, 0, 9, "on_service")
    assert all_in(Money(6800, "SGD"), rule).minor == 8153
    assert all_in(Money(8800, "SGD"), rule, 7).minor == 73858
    compounded = ChargeRule(10, 7, 5, "compounded")
    assert all_in(Money(22000, "AED"), compounded).minor == 27027


def test_a_band_counts_the_charges() -> None:
    code = next(code for code, language in HOUSES if language == "th")
    market = reservation_market(code)
    assert price_band(market.bands, Money(129000, "THB"), ChargeRule(10, 0, 7, "on_service")) == "D"
    assert market.bands.of(129000) == "C"


def test_examples_of_the_market_hold() -> None:
    for code, language in HOUSES:
        for row in reservation_market(code).charges:
            assert all_in(Money(row.printed, load_market(code).currency), charges(row)).minor == row.paid
            assert in_language(row.words, language)


def test_a_kitchen_cooks_nothing_that_its_needs_rule_out() -> None:
    for code, language in HOUSES:
        market = reservation_market(code)
        for diet in market.diets:
            fitting = [
                cuisine
                for cuisine in town(code).cuisines
                if any(dish.course == "main" for dish in cooked(cuisine, [diet.need]))
            ]
            assert fitting, diet.need
            for number, cuisine in enumerate(fitting):
                made = build_menu(
                    Draw(code, diet.need, number),
                    house(code),
                    "pg_m",
                    cuisine,
                    Writer(language, 0),
                    charges=charges(market.charges[0]),
                    deadline=CutoffRule("hours_before", 48),
                    kid_age=10,
                    needs=[diet.need],
                )
                limits = LIMITS.get(diet.need)
                for dish in made.dishes if limits else ():
                    assert not {*limits.allergens} & {*dish.contains, *dish.may_contain}
                    assert {*limits.must} <= {*dish.diets}
                    assert not {*limits.may_not} & {*dish.diets}


def test_a_cuisine_without_a_fitting_main_is_refused() -> None:
    code, language = next(house for house in HOUSES if house[1] == "zh-Hant")
    with pytest.raises(WrongArgument):
        build_menu(
            Draw("x"),
            house(code),
            "pg",
            town(code).cuisine("italian"),
            Writer(language, 0),
            charges=ChargeRule(),
            deadline=CutoffRule("hours_before", 48),
            needs=["pure_veg"],
        )
