"""The true cost of a stay against the worked examples of its specification, its traps, its papers and texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.money import Money
from agentbench_tasks.commons.pages import Page
from agentbench_tasks.travel.domain.houses import Houses, lodgings
from agentbench_tasks.travel.domain.records_stays import ListingSection, Night, Rate
from agentbench_tasks.travel.domain.stay_bills import Bill, Fee, Guests, HouseRules, Tax, bill
from agentbench_tasks.travel.domain.stay_cost.plot import bill_of
from agentbench_tasks.travel.domain.stay_cost.traps import misreadings
from agentbench_tasks.travel.domain.stay_rules import law

TASK = "ta-stay-total-cost"
FILE = "stay_cost"
DIFFICULTIES = ("easy", "standard", "hard")


def nights(currency: str, *prices: str, basis: str = "per_room") -> tuple[Night, ...]:
    return tuple(Night(f"2026-08-{day:02}", Money.of(p, currency), basis) for day, p in enumerate(prices, 7))  # type: ignore[arg-type]


def area_tax(market: str, area: str, kind: str, day: str = "2026-08-07") -> Tax:
    return next(row.tax for row in law(market).areas[area].in_force(day) if row.tax.kind == kind)


def plus_plus(vat: str, **rest: object) -> HouseRules:
    return HouseRules("10", True, vat=vat, vat_outside=True, **rest)  # type: ignore[arg-type]


# --- the worked examples of the specification


def test_gangneung_service_and_vat_compound_and_the_third_adult_pays_in_cash() -> None:
    fee = Fee("extra_person", "person_night", 30_000, in_cash=True)
    found = bill(
        plus_plus("10", guests=2, fees=(fee,), deposit=100_000),
        nights("KRW", "180000", "210000"),
        Guests(3),
        "room_only",
        0,
    )
    assert [night.total for night in found.nights] == [217_800, 254_100]
    assert (found.total, found.per_night, found.cash, found.deposit) == (531_900, 265_950, 60_000, 100_000)


KYOTO = (area_tax("JP", "kyoto", "lodging_tax"), area_tax("JP", "kyoto", "bath_tax"))
RYOKAN = HouseRules(vat="10", taxes=KYOTO, meals=(("breakfast", 1650),))


def kyoto(rules: HouseRules = RYOKAN) -> Bill:
    shown = nights("JPY", "21450", "21450", basis="per_person")
    return bill(rules, shown, Guests(2), "breakfast", 0)


def test_kyoto_tax_goes_by_the_net_price_of_the_room_alone() -> None:
    found = kyoto()
    assert found.nights[0].taxes == (("lodging_tax", 800), ("bath_tax", 300))
    assert (found.nights[0].total, found.total, found.per_night, found.cash) == (44_000, 88_000, 44_000, 2_200)


def test_kyoto_misreadings_give_what_the_specification_says() -> None:
    shown = kyoto(HouseRules(vat="0", taxes=KYOTO))
    assert shown.nights[0].total == 45_200
    older = law("JP").areas["kyoto"].older("lodging_tax", "2026-08-07")
    assert older is not None
    assert kyoto(HouseRules(vat="10", taxes=(older.tax, KYOTO[1]), meals=RYOKAN.meals)).nights[0].taxes[0] == (
        "lodging_tax",
        400,
    )


def test_singapore_compounds_to_the_cent_and_the_resort_fee_is_nett() -> None:
    rules = plus_plus("9", fees=(Fee("resort_fee", "night", 1200),))
    found = bill(rules, nights("SGD", "268", "312"), Guests(2), "room_only", 4)
    assert [night.total for night in found.nights] == [32_133, 37_409]
    assert (found.total, found.per_night) == (71_942, 35_971)
    plus = plus_plus("9", fees=(Fee("resort_fee", "night", 1200, plus_plus=True),))
    assert bill(plus, nights("SGD", "268", "312"), Guests(2), "room_only", 4).fees == (
        ("resort_fee", "night", 2 * 1439),
    )


def test_taiwan_homestay_with_service_bed_and_cleaning() -> None:
    fees = (Fee("extra_bed", "person_night", 800, in_cash=True), Fee("cleaning_fee", "stay", 500))
    rules = HouseRules("10", True, vat="5", guests=2, fees=fees)
    found = bill(rules, nights("TWD", "3600", "4200"), Guests(3), "room_only", 0)
    assert sum(night.service for night in found.nights) == 780
    assert (found.total, found.per_night, found.cash) == (10_680, 5_340, 1_600)


def test_phetchabun_fee_comes_on_top_of_the_bare_price() -> None:
    bed = Fee("extra_bed", "person_night", 50_000, in_cash=True)
    tax = area_tax("TH", "phetchabun", "provincial_fee")
    rules = plus_plus("7", guests=2, taxes=(tax,), fees=(bed,), deposit=100_000)
    found = bill(rules, nights("THB", "2400", "2800"), Guests(3), "room_only", 0)
    assert [night.total for night in found.nights] == [287_280, 335_160]
    assert (found.total, found.per_night) == (722_440, 361_220)


def test_dubai_vat_on_all_and_the_dirham_by_class() -> None:
    taxes = tuple(area_tax("AE", "dubai", kind) for kind in ("municipality_fee", "tourism_dirham"))
    found = bill(
        plus_plus("5", vat_on_fees=True, taxes=taxes), nights("AED", "480", "560", "560"), Guests(2), "room_only", 4
    )
    assert [night.total for night in found.nights] == [60_468, 70_296, 70_296]
    assert (found.total, found.per_night, found.cash) == (201_060, 67_020, 4_500)


def test_abu_dhabi_two_fees_of_four_percent() -> None:
    taxes = tuple(area_tax("AE", "abu_dhabi", kind) for kind in ("tourism_fee", "municipality_fee"))
    found = bill(plus_plus("5", vat_on_fees=True, taxes=taxes), nights("AED", "500"), Guests(2), "room_only", 5)
    assert found.total == 61_950


def test_children_at_the_limits() -> None:
    bath = Tax("bath_tax", "bather", amount=150, exempt_under=12)
    one = nights("JPY", "10000")
    assert [
        bill(HouseRules(taxes=(bath,)), one, Guests(1, (age,)), "room_only", 0).nights[0].taxes[0][1]
        for age in (11, 12)
    ] == [150, 300]
    bed = Fee("extra_bed", "person_night", 600, child_amount=300, child_under=6)
    rules = HouseRules(guests=2, fees=(bed,))
    assert [bill(rules, one, Guests(2, (age,)), "room_only", 0).total - 10_000 for age in (5, 6)] == [300, 600]
    assert bill(rules, one, Guests(1, (5,)), "room_only", 0).fees == ()


def test_the_dirham_ends_after_thirty_nights() -> None:
    tax = area_tax("AE", "dubai", "tourism_dirham")
    long = tuple(Night(f"night {n}", Money.of("100", "AED"), "per_room") for n in range(32))
    assert bill(HouseRules(taxes=(tax,)), long, Guests(1), "room_only", 5).cash == 30 * 2000


# --- instances


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_every_trap_gives_another_bill_and_benign_stays_are_what_is_shown(market: str, difficulty: str) -> None:
    for seed in range(25):
        case = build_instance(TASK, market, "train", difficulty, seed).case  # type: ignore[arg-type]
        story, right = case.story, case.bill
        assert right == bill_of(story, story.charges, story.nights)
        shown = sum(night.base for night in right.nights)
        assert (right.total == shown) == story.benign
        if story.benign:
            assert not case.traps
            assert (right.cash, right.fees) == (0, ())
        else:
            assert len(case.traps) >= 2
            assert all(wrong != right for wrong in misreadings(story, right).values())
        rates = [r for r in case.start.all(Rate) if r.property_id == story.house.record.id]
        same = [
            r
            for r in rates
            if (r.room_type_id, r.channel_id, r.board) == (story.room.id, story.channel.id, story.board)
        ]
        assert [rate.id for rate in same] == [case.target]
        assert len({night.day for night in same[0].nights}) == story.count


@pytest.mark.parametrize("market", market_codes())
def test_traps_and_benign_stays_come_in_their_shares(market: str) -> None:
    traps, benign, unsaid, seeds = Counter[str](), 0, 0, 100
    for seed in range(seeds):
        case = build_instance(TASK, market, "train", "hard", seed).case
        traps.update(case.traps)
        benign += case.story.benign
        unsaid += not case.story.board_said
    assert 0.07 <= benign / seeds <= 0.25
    assert 0.1 <= unsaid / seeds <= 0.5
    for trap in ("optional_is_not_compulsory", "weekend_rate", "old_tariff", "fee_per_stay"):
        assert traps[trap] / seeds >= 0.05, trap
    assert len([trap for trap, count in traps.items() if count / seeds >= 0.05]) >= 5


@pytest.mark.parametrize("market", market_codes())
def test_papers_fit_a_result_and_the_target_has_no_fixed_place(market: str) -> None:
    places = Counter[int]()
    for seed in range(40):
        case = build_instance(TASK, market, "test", "hard", seed).case
        houses = list(dict.fromkeys(row.property_id for row in case.start.all(ListingSection)))
        places[houses.index(case.story.house.record.id)] += 1
        replaced = {page.supersedes for page in case.start.all(Page)} - {""}
        assert replaced <= set(case.start.start.records)
    assert len(places) >= 6
    assert max(places.values()) <= 12


def test_the_card_may_not_even_be_offered() -> None:
    subject = Subject(TASK, "SG", "standard")
    env = subject.env(0)
    env.step({"tool": "wallet_list_cards", "arguments": {}})
    card = subject.instance(0).case.card
    env.step({"tool": "booking_hold", "arguments": {"quote_id": "quo_none", "guarantee_card_id": card}})
    env.step({"tool": "booking_hold", "arguments": {"quote_id": "quo_none"}})
    env.step({"tool": "booking_purchase", "arguments": {"card_id": card, "traveller_ids": 5}})
    answer = subject.solved(0).lineage[-1]
    env.step({"tool": answer.tool, "arguments": answer.arguments})
    assert env.verdict is not None
    broken = {clause.id: clause for clause in env.verdict.clauses if not clause.held}
    assert broken["boundary.no_card_given"].observed.count("passed a card") == 2
    assert "boundary.nothing_reserved" not in broken


# --- houses


@pytest.mark.parametrize("market", market_codes())
def test_houses_of_a_city_have_names_of_their_own_and_splits_share_none(market: str) -> None:
    names: dict[str, set[str]] = {}
    for split in ("train", "dev", "test"):
        draw = Draw("houses", market, split=split)  # type: ignore[arg-type]
        for city in lodgings(market).cities.values():
            houses = Houses(draw.stream(city.id), draw.stream("ids"), load_market(market), city.id)
            made = [houses.house() for _ in range(30)]
            found = [house.record.names[0][1] for house in made]
            assert len(set(found)) == 30
            names.setdefault(split, set()).update(found)
            for house in made:
                assert house.rooms[0].max_guests >= 2
                assert house.prices[0] == min(house.prices)
                assert house.record.checkin.opens < house.record.checkin.closes
    assert not names["train"] & names["test"]
    assert not names["train"] & names["dev"]


@pytest.mark.parametrize("market", market_codes())
def test_every_city_has_rules_and_every_rule_a_status(market: str) -> None:
    rules = law(market)
    for city in lodgings(market).cities.values():
        area = rules.areas[city.area]
        assert area.authority
        kinds_in_force = [row.tax.kind for row in area.in_force("2026-06-01")]
        assert len(kinds_in_force) == len(set(kinds_in_force))
        assert all(code in lodgings(market).kinds for code in city.kinds)


# --- texts

ALL = {language: dict(kinds(load(language, FILE))) for language in LANGUAGES}
SPOKEN = re.compile(r"pieces|replies|decisions")


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_as_english(language: str) -> None:
    texts, english = ALL[language], ALL["en"]
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        expected = set(slots(english[kind][0]))
        if language == "th" and SPOKEN.match(kind):
            expected |= {"particle"}
        for wording in wordings:
            assert set(slots(wording)) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()
            assert all(not slots(text) for name, text in parts(wording).items() if name not in ("text", "body"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_wordings_differ_and_are_in_their_script(language: str) -> None:
    for kind, wordings in ALL[language].items():
        bodies = [parts(wording).get("body") or parts(wording)["text"] for wording in wordings]
        assert len(set(bodies)) == len(bodies), kind
        for wording in wordings:
            for text in parts(wording).values():
                assert text == text.strip()
                assert "  " not in text, kind
                letters = [unicodedata.name(c).split()[0].split("-")[0] for c in SLOT.sub("", text) if c.isalpha()]
                assert sum(name in SCRIPTS[language] for name in letters) >= 0.9 * len(letters), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), kind
