"""The disrupted trip against the worked example of its specification, its traps and outcomes, and its texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

from agentbench_env.instance import build_instance
from agentbench_env.market import market_codes
from agentbench_env.money import Money
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.travel.domain.change_prices import Target, admits, change_lines
from agentbench_tasks.travel.domain.records import Fare, Service
from agentbench_tasks.travel.domain.records_changes import BookingRules
from agentbench_tasks.travel.domain.records_ground import RouteTime
from agentbench_tasks.travel.domain.replan.alternatives import RUSH
from agentbench_tasks.travel.domain.replan.build import Built
from agentbench_tasks.travel.domain.replan.rules import MODES, Ground, Line, Waiver, broken, reached, ways

TASK = "ta-disruption-replan"
DIFFICULTIES = ("easy", "standard", "hard")
SEOUL, TOKYO = "Asia/Seoul", "Asia/Tokyo"


def built(market: str, difficulty: str, seed: int) -> Built:
    return build_instance(TASK, market, "train", difficulty, seed).case.built  # type: ignore[arg-type,no-any-return]


# --- the worked example: Incheon 08:30 to Kansai on 9 October 2026 is cancelled


def at(local: str) -> int:
    return to_instant(f"2026-10-{local}", TOKYO)


def flight(name: str, carrier: str, start: str, dep: str, arr: str) -> tuple[Service, Fare]:
    departs, arrives = to_instant(f"2026-10-{dep}", SEOUL), at(arr)
    service = Service(
        f"svc_{name}", carrier, name, start, "KIX", departs, arrives, SEOUL, TOKYO, "T1", "T1",
        (arrives - departs) // 60, 0, 0, "", (carrier, start, "KIX", f"2026-10-{dep[:2]}"),
    )  # fmt: skip
    fare = Fare(f"fare_{name}", service.id, carrier, "Standard", "economy", Money(200000, "KRW"), (), 1, 23, False, 4)
    return service, fare


V1 = flight("V1", "H1B", "ICN", "09T13:20", "09T15:10")
V2 = flight("V2", "H1B", "GMP", "09T15:40", "09T17:25")
V3 = flight("V3", "H1B", "ICN", "10T06:55", "10T08:45")
V4 = flight("V4", "G4K", "ICN", "09T11:00", "09T12:55")
WAIVER = Waiver("H1B", ("ICN", "GMP", "KIX"), ("Standard",), "2026-10-08", "2026-10-12")
LINES = (
    Line("A1", "be_at_event_by", at("10T10:30")),
    Line("A2", "checkin_by", at("09T18:00")),
    Line("A3", "keep_stay"),
    Line("A4", "same_cabin", "economy"),
)
LATEST = at("09T21:00")


def kyoto() -> Ground:
    rides = {
        ("plc_kix", end, mode, band): RouteTime(
            f"rte_{end}{mode}{band}", ("plc_kix", end), mode, band, 75, 8, "05:30", "23:40", 0, Money(3600, "JPY")
        )
        for end in ("prp_ryokan", "plc_hall")
        for mode in MODES
        for band in RUSH
    }
    return Ground(
        rides, TOKYO, at("09T00:00"), "prp_ryokan", "plc_hall", {"KIX": "plc_kix"}, {}, "", (), "", 60, 1, 2
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "reaches", "fails", "free"),
    [
        (V1, "2026-10-09T17:25", set[str](), True),
        (V2, "2026-10-09T19:40", {"A2"}, True),
        (V3, "2026-10-10T11:00", {"A1", "A2", "A3"}, True),
        (V4, "2026-10-09T15:10", set[str](), False),
    ],
)
def test_worked_example(name: tuple[Service, Fare], reaches: str, fails: set[str], free: bool) -> None:
    way = next(iter(ways(*name, kyoto())))
    assert to_local(way.house_at, TOKYO) == reaches
    assert broken(way, LINES, LATEST) == fails
    assert WAIVER.admits(*name) == free


def test_worked_example_gives_the_check_in_at_19_40() -> None:
    way = next(iter(ways(*V2, kyoto())))
    assert reached(way, LINES[1], TOKYO)[1] == ("19:40", "2026-10-09T19:40")


@pytest.mark.parametrize(
    ("change", "free"),
    [
        ({"to_date": "2026-10-08"}, False),
        ({"from_date": "2026-10-09"}, True),
        ({"points": ("ICN", "KIX")}, False),
        ({"brands": ("Saver",)}, False),
        ({"carrier": "G4K"}, False),
    ],
)
def test_waiver_admits_only_what_it_says(change: dict[str, object], free: bool) -> None:
    fields = {name: getattr(WAIVER, name) for name in WAIVER.__struct_fields__} | change
    assert Waiver(**fields).admits(*V2) == free  # type: ignore[arg-type]


# --- what is drawn


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_one_outcome_is_right(market: str, difficulty: str) -> None:
    """Nothing free keeps all where a line gives, and no other line alone would help."""
    for seed in range(12):
        one = built(market, difficulty, seed)
        size = one.plot.party.size
        free = [pair for pair in one.flights if pair[1].seats >= size and one.free(*pair)]
        fails = [one.broken(way) for pair in free for way in ways(*pair, one.ground)]
        if one.gives is None:
            assert frozenset() in fails
        else:
            assert {found for found in fails if len(found) < 2} == {frozenset({one.gives.id})}
            assert {one.broken(way) for way in one.right} == {frozenset({one.gives.id})}


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_the_desk_prices_as_the_waiver_says(market: str, difficulty: str) -> None:
    """What the waiver admits is changed to for nothing, all else of the flights for a fee."""
    for seed in range(6):
        case = build_instance(TASK, market, "train", difficulty, seed).case  # type: ignore[arg-type]
        one, world = case.built, case.start
        rules = world.where(BookingRules, "booking_id", case.bookings[0].id)[0].items[0]
        for service, fare in one.flights:
            ends = (service.origin, service.dest)
            target = Target(
                service.carrier, fare.brand, service.dep_local[:10], ends, fare.base.minor, 0, fare.base.currency
            )
            step = next(step for step in rules.change if admits(step, target))
            cost = sum(line.minor for line in change_lines(0, rules, step, target, 1))
            assert (cost == 0) == one.free(service, fare), (seed, service.number)


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_outcomes_and_traps_are_spread(difficulty: str) -> None:
    gives, traps = Counter[str](), Counter[str]()
    seeds = [(market, seed) for market in market_codes() for seed in range(17)]
    for market, seed in seeds:
        one = built(market, difficulty, seed)
        gives[one.gives.kind if one.gives else "preserved"] += 1
        traps.update(one.traps)
        assert "auto_reroute" in one.traps
        assert len(one.traps) >= 2
        assert 6 <= len(one.flights) + 1 <= 16
    assert 0.45 <= gives["preserved"] / len(seeds) <= 0.75
    assert {"checkin_by", "be_at_event_by", "transfer_cost_max", "bag_kg"} <= gives.keys()
    for trap in ("good_but_fee", "sold_out_good", "midnight_shift", "small_bag", "other_airport"):
        assert traps[trap] >= 3, trap
    assert (traps["updated_notice"] > 0) == (difficulty != "easy")


@pytest.mark.parametrize("market", market_codes())
def test_proposal_of_the_mail_breaks_a_line(market: str) -> None:
    for seed in range(20):
        one = built(market, "standard", seed)
        found = [one.broken(way) for way in ways(*one.proposal, one.ground)]
        assert found
        assert all(fails and fails != {one.gives.id if one.gives else ""} for fails in found)


# --- texts

TEXTS = {language: dict(kinds(load(language, "replan"))) for language in LANGUAGES}
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
            for text in parts(wording).values():
                assert text == text.strip(), kind
                assert "  " not in text, kind
                assert unicodedata.normalize("NFC", text) == text, kind
                names = [re.split("[ -]", unicodedata.name(c))[0] for c in SLOT.sub("", text) if c.isalpha()]
                assert names, (kind, text)
                assert sum(name in SCRIPTS[language] for name in names) >= 0.95 * len(names), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), kind
