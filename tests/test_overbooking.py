"""The overbooked house against the worked examples of its specification, its traps, what is owed, and its texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, market_table, shared_table
from agentbench_env.task import Setting
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.commons.pages import body, fact_span, sections_of
from agentbench_tasks.travel.domain.ground_plan.places import minute
from agentbench_tasks.travel.domain.overbooking.candidates import AMPLE, HEADWAY, Candidate
from agentbench_tasks.travel.domain.overbooking.case import OverbookingCase
from agentbench_tasks.travel.domain.overbooking.plot import MISSES, NoFit, Plot, draw_plot
from agentbench_tasks.travel.domain.overbooking.terms import (
    BEYOND_CONTROL,
    Annex,
    Duty,
    Event,
    Terms,
    owed,
    report_by,
    same_moment,
)
from agentbench_tasks.travel.domain.records_stays import Rate
from agentbench_tasks.travel.domain.stay_bills import shown_price

TASK = "ta-overbooking-recovery"
FILE = "overbooking"
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
                if kind != "musts.separator":
                    assert text == text.strip()
                assert "  " not in text, kind
                letters = [unicodedata.name(c).split()[0].split("-")[0] for c in SLOT.sub("", text) if c.isalpha()]
                assert sum(name in SCRIPTS[language] for name in letters) >= 0.9 * len(letters), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), kind


# --- the worked examples of the specification

MESSAGE = to_instant("2026-10-09T19:10", "Asia/Taipei")


def event(total: int, first: int, cause: str = "double_booking", weekend: bool = False) -> Event:
    return Event(total, first, weekend, cause, MESSAGE, "Asia/Taipei")  # type: ignore[arg-type]


def amounts(terms: Terms, case: Event) -> dict[str, tuple[int | None, int | None]]:
    return {item.kind: (item.amount, item.cap) for item in owed(terms, case)}


def test_taiwan_negligence_pays_once_and_intent_three_times() -> None:
    terms = Terms((Duty("refund"), Duty("once"), Duty("thrice")), Annex(100, 100, 50))
    assert amounts(terms, event(9_800, 4_900)) == {"refund_full": (9_800, None), "compensation": (9_800, None)}
    assert amounts(terms, event(9_800, 4_900, "oversold"))["compensation"] == (29_400, None)


def test_an_agency_pays_the_difference_up_to_a_quarter_and_wants_a_report_by_tomorrow() -> None:
    terms = Terms((Duty("difference_share", 25), Duty("transport")), hours=24)
    found = owed(terms, event(9_800, 4_900))
    assert [(item.kind, item.amount, item.cap, item.by) for item in found] == [
        ("pay_difference", None, 2_450, "2026-10-10T19:10"),
        ("transport", None, None, "2026-10-10T19:10"),
    ]
    assert [item.conditions for item in found] == [("report_within",), ("report_within", "keep_receipts")]


def test_japan_compensates_by_the_annex_for_the_first_day() -> None:
    terms = Terms((Duty("cancel_charge"),), Annex(100, 80, 20))
    assert amounts(terms, event(72_000, 36_000)) == {"compensation_equal_to_cancel_charge": (28_800, None)}


def test_korea_pays_a_fifth_on_an_off_season_weekday() -> None:
    terms = Terms((Duty("refund"), Duty("weekday", 20), Duty("weekend", 30)), Annex(30, 20, 10))
    assert amounts(terms, event(240_000, 240_000)) == {"refund_full": (240_000, None), "compensation": (48_000, None)}
    assert amounts(terms, event(240_000, 240_000, weekend=True))["compensation"] == (72_000, None)


@pytest.mark.parametrize("cause", ["storm", "outage"])
def test_beyond_control_only_what_was_paid_is_given_back(cause: str) -> None:
    terms = Terms((Duty("rehouse"), Duty("share", 30)), hours=12)
    assert [(item.kind, item.amount, item.conditions, item.by) for item in owed(terms, event(900, 900, cause))] == [
        ("refund_full", 900, (), "")
    ]


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ("2026-10-11T23:59", True),
        ("2026-10-11T23:59:59", True),
        ("2026-10-12T00:00", True),
        ("2026-10-11T15:59+00:00", True),
        ("2026-10-11T23:58", False),
        ("2026-10-12T00:01", False),
        ("tomorrow", False),
        ("", False),
    ],
)
def test_the_end_of_a_day_may_be_written_as_the_beginning_of_the_next(given: str, right: bool) -> None:
    terms = Terms((Duty("rehouse"),), days=2)
    by = report_by(terms, event(100, 100))
    assert by == "2026-10-11T23:59"
    assert same_moment(given, by, "Asia/Taipei") == right


# --- stories: drawn without building their worlds

SEEDS = 500


def stories(market: str, difficulty: str) -> Iterator[Plot]:
    for seed in range(SEEDS):
        facts = load_market(market)
        draw = Draw("overbooking", market, difficulty, seed)
        setting = Setting(facts, "train", difficulty, facts.languages[0], False)  # type: ignore[arg-type]
        for attempt in range(64):
            try:
                yield draw_plot(draw.stream(str(attempt)), setting)
                break
            except NoFit:
                continue


def share(plots: list[Plot], holds: Callable[[Plot], bool]) -> float:
    return sum(map(holds, plots)) / len(plots)


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_stories_come_in_their_shares(market: str, difficulty: str) -> None:
    plots, easy = list(stories(market, difficulty)), difficulty == "easy"
    assert len(plots) == SEEDS
    assert share(plots, lambda plot: plot.agency) == pytest.approx(1.0 if easy else 0.6, abs=0 if easy else 0.07)
    assert share(plots, lambda plot: plot.right == 2) == pytest.approx(1.0 if easy else 0.5, abs=0 if easy else 0.07)
    assert {plot.right for plot in plots} == ({2} if easy else {2, 3})
    assert share(plots, lambda plot: plot.claimed) == pytest.approx(0 if easy else 0.25, abs=0.06)
    assert share(plots, lambda plot: plot.cause in BEYOND_CONTROL) == pytest.approx(0 if easy else 0.15, abs=0.05)
    assert share(plots, lambda plot: plot.grants_hold) == pytest.approx(0.15, abs=0.05)
    assert share(plots, lambda plot: not plot.area_said) == pytest.approx(0.4, abs=0.07)
    count = {"easy": 2, "standard": 3, "hard": 4}[difficulty]
    assert {len(plot.traps) for plot in plots} == {count}
    for miss in MISSES:
        assert share(plots, lambda plot, miss=miss: miss in plot.traps) == pytest.approx(count / 6, abs=0.08), miss
    assert {len(plot.musts) for plot in plots} == {{"easy": 1, "standard": 2, "hard": 3}[difficulty]}
    codes = Counter(duty.code for plot in plots for duty in plot.governing.duties)
    wanted = {code for package in shared_table(FILE)["guarantee"] for code in package}
    wanted |= set() if easy else {code for package in market_table(market, FILE)["packages"] for code in package}
    assert set(codes) == wanted
    for plot in plots:
        assert "15:30" <= to_local(plot.now, plot.zone)[11:] <= "21:00"
        assert plot.told_at < plot.now < to_instant(f"{plot.today}T{plot.depart}", plot.zone)
        assert plot.booked_on < plot.today
        assert plot.newer != plot.governing or not any(duty.value for duty in plot.governing.duties)


# --- instances


def failing(case: OverbookingCase, one: Candidate, rate: Rate) -> set[str]:
    """What a rate of a house misses, each property on its own."""
    wish, house = case.wish, one.house.record
    room = next(room for room in one.house.rooms if room.id == rate.room_type_id)
    arrives = minute(case.built.plot.depart) + one.ride.taxi
    comparable = (
        house.official_class >= wish.original.level if wish.original.level else house.kind == wish.original.kind
    )
    meets = {
        "twin": room.beds == "twin",
        "breakfast": rate.board != "room_only",
        "step_free": one.step_free,
        "pets": one.pets,
    }
    holds = {
        "class": comparable,
        "area": house.district_id in wish.districts,
        "budget": case.offered(one, rate).bill.total <= wish.limit,
        "night": rate.stay[1:] == wish.stay and rate.rooms_left > 0 and not rate.closes,
        "desk": arrives <= min(minute(house.desk.closes), minute(house.checkin.closes)),
        "must": all(meets[must] for must in wish.musts),
    }
    return {name for name, held in holds.items() if not held}


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_every_other_house_misses_exactly_one_thing(market: str, difficulty: str) -> None:
    for seed in range(8):
        case: OverbookingCase = build_instance(TASK, market, "dev", difficulty, seed).case  # type: ignore[arg-type]
        built, wish = case.built, case.wish
        assert len(built.candidates) == {"easy": 12, "standard": 20, "hard": 30}[difficulty]
        assert len(case.fits) == built.plot.right
        assert {one.miss for one in built.candidates} == {"", *MISSES}
        for one in built.candidates:
            misses = [failing(case, one, rate) for rate in one.rates]
            assert ({one.miss} if one.miss else set()) in misses
            assert not one.miss or all(misses)
            assert (one.house.record.id in case.fits) == (not one.miss)
            ample = minute(built.plot.depart) + one.ride.transit + HEADWAY + AMPLE
            if one.miss != "desk":
                assert ample <= min(minute(one.house.record.desk.closes), minute(one.house.record.checkin.closes))
            if one.miss == "budget":
                shown = min(sum(shown_price(night, wish.guests) for night in rate.nights) for rate in one.rates)
                assert shown < wish.limit


@pytest.mark.parametrize("market", market_codes())
def test_the_brief_does_not_name_the_agency(market: str) -> None:
    for seed in range(20):
        instance = build_instance(TASK, market, "train", "hard", seed)
        case: OverbookingCase = instance.case
        text = instance.brief("en", "stated").text
        if case.built.plot.agency:
            assert case.built.seller.names[0][1] not in text


@pytest.mark.parametrize("market", market_codes())
def test_terms_are_quoted_in_short_lines(market: str) -> None:
    for seed in range(20):
        case: OverbookingCase = build_instance(TASK, market, "test", "hard", seed).case
        for page in (case.governing, case.newer, case.other):
            for section in sections_of(case.start, page):
                assert len(body(section)) <= 1000
                for fact in section.stated:
                    start, end = fact_span(section, fact.key)
                    assert 0 < end - start <= 400
