"""The booking's modification against the worked examples of its specification, its shapes and traps, and its texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.task import DIFFICULTIES, Difficulty, Setting
from agentbench_tasks.travel.domain.change_prices import Target, cancel_lines, change_lines
from agentbench_tasks.travel.domain.geography import sold_without
from agentbench_tasks.travel.domain.modification.build import deals
from agentbench_tasks.travel.domain.modification.deal import MARGIN, Deal, Stay, costs
from agentbench_tasks.travel.domain.modification.limits import FARTHEST_S, NEAREST_S
from agentbench_tasks.travel.domain.modification.market import schedules, trips
from agentbench_tasks.travel.domain.modification.plot import Shape, draw_shape
from agentbench_tasks.travel.domain.rates import rate_lines
from agentbench_tasks.travel.domain.records_changes import CancelStep, ChangeStep, ItemRules

TASK = "ta-booking-modification"
SHAPES = 500
SEEDS = 25


def setting(market: str, difficulty: Difficulty) -> Setting:
    facts = load_market(market)
    return Setting(facts, "train", difficulty, facts.languages[0])


def key(market: str, difficulty: str, seed: int) -> Draw:
    return Draw("test", TASK, market, difficulty, seed)


def drawn(difficulty: Difficulty) -> Iterator[tuple[str, Deal]]:
    for market in market_codes():
        for seed in range(SEEDS):
            yield market, next(deals(key(market, difficulty, seed), setting(market, difficulty)))


# --- the worked examples


def test_two_persons_from_singapore() -> None:
    """Changing costs 310.00, starting over 1,285.60."""
    change, cancel = ChangeStep(0, 6000, ("M3S",)), CancelStep(0, 100, 5000)
    item = ItemRules(104_000, 19_200, (change,), (cancel,), follows_charges="FL" not in sold_without("2026-03-20"))
    new = Target("M3S", "Standard", "2026-10-25", ("SIN", "NRT"), 118_000, 19_200 + 2 * 280, "SGD")
    lines = {line.kind: line.minor for line in change_lines(0, item, change, new, 2)}
    agency = 2500 * 2
    assert lines == {"difference": 14_000, "fee": 12_000}
    assert sum(lines.values()) + agency == 31_000
    refund = -sum(line.minor for line in cancel_lines(0, item, cancel, 2))
    assert refund == 9200
    assert new.base + new.charges - refund == 128_560


def test_ticket_sold_from_april_on_carries_the_levy() -> None:
    assert sold_without("2026-03-31") == {"FL"}
    assert not sold_without("2026-04-01")


def test_prepaid_stay_in_taiwan() -> None:
    """Free until the third day before arrival: cancelling and booking anew costs half of the change."""
    arrival = date(2026, 9, 12)
    days, kept = schedules("TW")[0].row_of(arrival).bands[0]
    assert (arrival - timedelta(days), kept) == (date(2026, 9, 9), 0)
    change, cancel = ChangeStep(0, 0, ("house",)), CancelStep(0, kept)
    item = ItemRules(12_000, 0, (change,), (cancel,), fee_per_person=False)
    new = Target("house", "breakfast", "2026-09-19", (), 14_400, 0, "TWD")
    assert [(line.kind, line.minor) for line in change_lines(0, item, change, new, 2)] == [("difference", 2400)]
    assert 13_200 + sum(line.minor for line in cancel_lines(0, item, cancel, 2)) == 1200


@pytest.mark.parametrize(
    ("arrival", "scope", "bands"),
    [
        (date(2026, 9, 17), "off_weekday", ((2, 0), (1, 10), (0, 20))),
        (date(2026, 9, 18), "off_weekend", ((2, 0), (1, 20), (0, 30))),
        (date(2026, 7, 15), "peak_weekday", ((10, 0), (7, 10), (5, 30), (3, 50), (0, 80))),
        (date(2027, 2, 20), "peak_weekend", ((10, 0), (7, 20), (5, 40), (3, 60), (0, 90))),
        (date(2027, 2, 21), "off_weekday", ((2, 0), (1, 10), (0, 20))),
    ],
)
def test_korean_schedule_goes_by_season_and_night(
    arrival: date, scope: str, bands: tuple[tuple[int, int], ...]
) -> None:
    row = schedules("KR")[0].row_of(arrival)
    assert (row.scope, row.bands) == (scope, bands)


# --- shapes


def shapes(market: str, difficulty: Difficulty) -> list[Shape]:
    where = setting(market, difficulty)
    return [draw_shape(key(market, difficulty, seed).stream("shape"), where) for seed in range(SHAPES)]


def share(found: list[Shape], **wanted: object) -> float:
    return sum(all(getattr(one, name) == value for name, value in wanted.items()) for one in found) / len(found)


@pytest.mark.parametrize("market", market_codes())
def test_shapes_are_as_often_as_the_specification_says(market: str) -> None:
    found = shapes(market, "standard")
    whole = 1.0 if trips(market, "ground") else 0.9
    for kind, wanted in (("air", 0.5), ("stay", 0.4), ("ground", 0.1 if whole == 1.0 else 0.0)):
        assert abs(share(found, kind=kind) - wanted / whole) < 0.07, kind
    assert abs(share(found, agency=True) - 0.5) < 0.07
    assert abs(share(found, first="price") - 0.4) < 0.07
    assert abs(share(found, winner="change") - 0.5) < 0.07
    assert abs(share(found, fate="blocked") - 0.1) < 0.05
    assert abs(share(found, fate="credit") - 0.05) < 0.04
    assert 0.05 < share(found, holds=True) < 0.15


@pytest.mark.parametrize("market", market_codes())
def test_easy_is_a_stay_booked_directly_and_hard_an_agency_with_two_sectors(market: str) -> None:
    easy, hard = shapes(market, "easy"), shapes(market, "hard")
    assert share(easy, kind="stay", agency=False, older=False) == 1.0
    assert abs(share(easy, winner="change") - 0.5) < 0.07
    assert share(hard, agency=True) == 1.0
    assert all(one.sectors == "both" for one in hard if one.kind != "stay")
    assert abs(share(hard, fate="credit") - 0.25) < 0.07
    assert abs(share(hard, winner="change") - 0.5) < 0.07


# --- deals


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_deals_are_what_their_shape_says(difficulty: Difficulty) -> None:
    traps, fates = Counter[str](), Counter[str]()
    for market, one in drawn(difficulty):
        found, shape = costs(one), one.shape
        fates[shape.fate] += 1
        traps.update(trap for trap, is_set in traps_of(market, one).items() if is_set)
        assert bool(found.lines) <= one.terms.changeable == (shape.fate != "blocked")
        assert ("agency" in found.lines) == (shape.agency and one.terms.changeable)
        paid = sum(item.base + item.charges for item in (one.items[index] for index in one.indexes))
        if shape.fate != "blocked":
            gap = found.rebook - found.change
            assert (gap if shape.winner == "change" else -gap) >= MARGIN * paid
        if shape.fate == "credit":
            assert found.refund == 0 < found.back
            assert found.new_price - found.back < found.change
        limits = [moved.change_limit if shape.winner == "change" else moved.cancel_limit for moved in one.moved]
        assert all(limit - one.now >= NEAREST_S for limit in limits)
        assert min(limits) - one.now <= FARTHEST_S
        life = one.price_life_s if shape.winner == "change" else min(one.price_life_s, one.quote_life_s)
        assert (one.now + life < min(limits)) == (shape.first == "price")
    assert all(fates[fate] for fate in ("change", "rebook", "blocked", "credit"))
    wanted = ["difference_not_returned", "local_midnight", "rate_not_like_for_like"]
    if difficulty != "easy":
        wanted += ["fee_per_sector_and_person", "agency_fee", "tax_threshold", "old_terms_version", "wrong_channel"]
    for trap in wanted:
        assert traps[trap] >= 3, (trap, traps)


def traps_of(market: str, deal: Deal) -> dict[str, bool]:
    """Which traps are set in a deal."""
    found, stay = costs(deal), isinstance(deal.about, Stay)
    return {
        "fee_per_sector_and_person": not stay and "fee" in found.lines and deal.party * len(deal.moved) > 1,
        "difference_not_returned": any(one.priced.base < one.rules.base for one in deal.moved),
        "agency_fee": "agency" in found.lines,
        "tax_threshold": "tax" in found.lines,
        "local_midnight": stay and load_market(market).zone != deal.zone,
        "rate_not_like_for_like": any(total < one.price for one in deal.moved for total in others(deal)),
        "old_terms_version": deal.newer is not None,
        "wrong_channel": deal.shape.suppliers,
    }


def others(deal: Deal) -> list[int]:
    """What other rooms and boards cost on the new dates."""
    about = deal.about
    if not isinstance(about, Stay):
        return []
    return [
        rate_lines(rate, deal.party)[1].minor
        for rate in about.records
        if rate.stay[1:] == about.new and rate.id != deal.moved[0].offer.id
    ]


@pytest.mark.parametrize("market", market_codes())
def test_cheapest_offer_of_a_stay_is_the_only_one_at_its_price(market: str) -> None:
    for seed in range(SEEDS):
        deal = next(deals(key(market, "easy", seed), setting(market, "easy")))
        about, offer = deal.about, deal.moved[0].offer
        assert isinstance(about, Stay)
        same = [
            rate
            for rate in about.records
            if (rate.room_type_id, rate.board, *rate.stay[1:]) == (about.room.id, about.board, *about.new)
        ]
        assert len({rate.channel_id for rate in same}) == len(same) == 3
        totals = sorted(rate_lines(rate, deal.party)[1].minor for rate in same)
        assert totals[0] == deal.moved[0].price <= totals[1] * (1 - MARGIN)
        assert offer in same


@pytest.mark.parametrize("market", market_codes())
def test_user_names_a_reference_that_the_desk_knows(market: str) -> None:
    for seed in range(4):
        case = build_instance(TASK, market, "train", "hard", seed).case
        for words in case.words.values():
            assert case.locator in words.request()


# --- texts

TEXTS = {language: dict(kinds(load(language, "modification"))) for language in LANGUAGES}
SPOKEN = re.compile(r"pieces|replies|decisions")


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_say_the_same_in_every_language(language: str) -> None:
    texts, english = TEXTS[language], TEXTS["en"]
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        assert len({str(wording) for wording in wordings}) == len(wordings), kind
        expected = sorted(set(slots(english[kind][0])))
        if language == "th" and SPOKEN.match(kind):
            expected = sorted([*expected, "particle"])
        for wording in wordings:
            assert sorted(set(slots(wording))) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_tidy_and_in_their_script(language: str) -> None:
    for kind, wordings in TEXTS[language].items():
        for wording in wordings:
            for name, text in parts(wording).items():
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                assert name in ("text", "body") or not slots(text), f"{kind}: slots stand in text and body only"
                names = [re.split("[ -]", unicodedata.name(c))[0] for c in SLOT.sub("", text) if c.isalpha()]
                assert names, (kind, text)
                assert sum(name in SCRIPTS[language] for name in names) >= 0.95 * len(names), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), kind


@pytest.mark.parametrize("seed", [1078, 1868, 2415])
def test_trains_whose_refund_is_a_credit_can_be_drawn(seed: int) -> None:
    assert build_instance(TASK, "JP", "train", "standard", seed).case.start
