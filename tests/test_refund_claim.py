"""The claim against the worked examples of its specification, its traps, and its texts."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.refund_claim.case import ClaimCase
from agentbench_tasks.travel.domain.refund_claim.terms import Block, Happened, Terms, Tier, heads_of, last_day

TASK = "ta-trip-refund-claim"
TERMS = Terms(
    model="none",
    measured="arrival",
    inclusive=True,
    tiers=(),
    block=Block(0, 0, 0, 0, 0),
    excluded=("weather", "airport"),
    spares_expenses=False,
    ceilings=(),
    deducts=False,
    refund=True,
    asks=(),
    days=30,
    working=False,
    anchor="arrival",
)
EVENT = Happened(departure=0, arrival=0, cause="crew", adults=2, children=0, km=0, leg_fare=0, leg_price=0, receipts=())


def terms(**changes: Any) -> Terms:
    return msgspec.structs.replace(TERMS, **changes)


def event(**changes: Any) -> Happened:
    return msgspec.structs.replace(EVENT, **changes)


def minutes(start: str, start_zone: str, end: str, end_zone: str) -> int:
    return (to_instant(end, end_zone) - to_instant(start, start_zone)) // 60


# --- the worked examples


def test_insurer_pays_full_blocks_measured_at_arrival() -> None:
    blocks = terms(model="block", block=Block(360, 10000, 5000, 100000, 50000))
    late_out = minutes("2026-09-13T17:00", "Asia/Tokyo", "2026-09-14T04:50", "Asia/Tokyo")
    late_in = minutes("2026-09-13T22:35", "Asia/Singapore", "2026-09-14T10:45", "Asia/Singapore")
    assert (late_out, late_in) == (11 * 60 + 50, 12 * 60 + 10)
    happened = event(departure=late_out, arrival=late_in, children=1)
    assert heads_of(blocks, happened) == {"compensation": 50000}
    assert heads_of(msgspec.structs.replace(blocks, measured="departure"), happened) == {"compensation": 25000}
    assert last_day(blocks, date(2026, 9, 14), load_market("SG")) == date(2026, 10, 14)
    assert last_day(blocks, date(2026, 9, 13), load_market("SG")) == date(2026, 10, 13)


def test_share_of_the_base_fare_alone() -> None:
    steps = terms(model="share", tiers=(Tier(120, 10), Tier(240, 20), Tier(720, 30)))
    late = event(arrival=5 * 60 + 20, leg_fare=2 * 180_000, leg_price=2 * 243_000)
    assert heads_of(steps, late) == {"compensation": 72_000}
    assert heads_of(steps, event(arrival=late.arrival, leg_fare=late.leg_price)) == {"compensation": 97_200}
    assert heads_of(steps, msgspec.structs.replace(late, cause="weather")) == {}


@pytest.mark.parametrize(
    ("arrival", "km", "each"),
    [(640, 4150, 4500), (590, 4150, 1500), (601, 1500, 2000), (601, 3500, 3500), (600, 4150, 1500), (300, 4150, 0)],
)
def test_fixed_sums_by_delay_and_distance(arrival: int, km: int, each: int) -> None:
    steps = (Tier(300, 150000), Tier(600, 200000, 1500), Tier(600, 350000, 3500), Tier(600, 450000))
    sums = terms(model="fixed", inclusive=False, tiers=steps)
    assert heads_of(sums, event(arrival=arrival, km=km)).get("compensation", 0) == 2 * each * 100


def test_expenses_up_to_the_ceilings() -> None:
    meals = terms(ceilings=(("meal", 500), ("hotel", 3000)))
    assert heads_of(meals, event(arrival=360, receipts=(("meal", 430), ("meal", 610)))) == {"expenses": 930}
    rooms = terms(ceilings=(("hotel", 15000), ("transport", 15000)))
    spent = event(arrival=360, receipts=(("hotel", 13200), ("transport", 6480)))
    assert heads_of(rooms, spent) == {"expenses": 19680}
    stayed = event(arrival=-1, cause="weather", leg_price=41000, receipts=spent.receipts)
    assert heads_of(rooms, stayed) == {"unused_refund": 41000}
    taxis = terms(ceilings=(("transport", 12000), ("hotel", 40000)))
    assert heads_of(taxis, event(arrival=360, receipts=(("transport", 9600), ("hotel", 41000)))) == {"expenses": 49600}


def test_what_others_paid_is_deducted_where_the_terms_say_so() -> None:
    spent = event(arrival=360, receipts=(("meal", 430),), paid_by_others=100)
    kept = terms(ceilings=(("meal", 500),))
    assert heads_of(kept, spent) == {"expenses": 430}
    assert heads_of(msgspec.structs.replace(kept, deducts=True), spent) == {"expenses": 330}


def test_limit_a_person() -> None:
    blocks = terms(model="block", block=Block(240, 2000, 1000, 4000, 2000))
    assert heads_of(blocks, event(arrival=13 * 60, children=1)) == {"compensation": 2 * 4000 + 2000}


@pytest.mark.parametrize(
    ("market", "anchor", "days", "last"),
    [
        ("JP", date(2026, 9, 17), 10, date(2026, 10, 6)),
        ("KR", date(2026, 9, 21), 10, date(2026, 10, 8)),
        ("TW", date(2026, 9, 24), 10, date(2026, 10, 13)),
        ("AE", date(2026, 8, 20), 10, date(2026, 9, 3)),
    ],
)
def test_working_days_skip_weekends_and_holidays(market: str, anchor: date, days: int, last: date) -> None:
    assert last_day(terms(days=days, working=True), anchor, load_market(market)) == last


# --- instances


@cache
def cases(market: str, difficulty: str) -> list[ClaimCase]:
    return [build_instance(TASK, market, "train", difficulty, seed).case for seed in range(100)]  # type: ignore[arg-type]


def traps(case: ClaimCase) -> set[str]:
    plot = case.plot
    near = {requirement for requirement, _, _ in case.papers.documents.near}
    found = {
        "departure_vs_arrival": "other_end" in case.wrong,
        "block_not_full": plot.delays.not_full,
        "base_excludes": "price_for_fare" in case.wrong,
        "excluded_cause": "cause_ignored" in case.wrong,
        "newer_terms": plot.versions.differ,
        "deadline_anchor": plot.anchor_day != plot.planned[0].dep_local[:10],
        "child_rate": "children_as_adults" in case.wrong,
        "cap": "no_limit" in case.wrong,
        "receipts": "every_receipt" in case.wrong,
        "wrong_paper": bool(near),
    }
    return {name for name, is_set in found.items() if is_set}


@pytest.mark.parametrize("market", market_codes())
def test_stories_come_in_their_shares(market: str) -> None:
    found = cases(market, "standard")
    addressees = Counter(case.plot.addressee for case in found)
    assert 35 <= addressees["carrier"] <= 65
    assert 25 <= addressees["insurer"] <= 55
    assert 2 <= addressees["operator"] <= 20
    events = Counter(case.plot.event for case in found)
    assert 45 <= events["delay"] <= 85
    assert 8 <= events["cancel"] <= 45
    assert events["missed"]
    stepped = [case for case in found if case.plot.versions.governing.model != "none"]
    nil = sum("compensation" not in case.goal.heads for case in stepped)
    assert 0.08 <= nil / len(stepped) <= 0.5
    assert all(case.goal.heads for case in found)


@pytest.mark.parametrize("market", market_codes())
def test_traps_bite(market: str) -> None:
    counted = Counter(trap for case in cases(market, "standard") for trap in traps(case))
    everywhere = (
        "departure_vs_arrival",
        "base_excludes",
        "newer_terms",
        "deadline_anchor",
        "child_rate",
        "wrong_paper",
    )
    for trap in everywhere:
        assert counted[trap] >= 3, trap
    hard = Counter(trap for case in cases(market, "hard") for trap in traps(case))
    for trap in ("block_not_full", "cap", "receipts", "excluded_cause"):
        assert counted[trap] + hard[trap] >= 3, trap
    easy = [len(traps(case)) for case in cases(market, "easy")]
    assert sum(easy) < sum(len(traps(case)) for case in cases(market, "hard"))


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_papers_and_thresholds(market: str, difficulty: str) -> None:
    counts = {"easy": (4, 5), "standard": (5, 6), "hard": (5, 8)}
    for case in cases(market, difficulty):
        plot, governing = case.plot, case.plot.versions.governing
        low, high = counts[difficulty]
        assert low <= len(governing.asks) <= high
        assert any(not need.papers for need in case.goal.evidence)
        held = {paper for need in case.goal.evidence for paper in need.papers}
        assert not held & case.goal.foreign
        assert case.goal.foreign <= {paper.id for paper in case.start.all(Paper)}
        assert not held & {paper for _, _, paper in case.papers.documents.near}
        late = plot.delays.arrival if governing.measured == "arrival" else plot.delays.departure
        if plot.used and governing.model != "none":
            steps = [tier.minutes for tier in governing.tiers]
            if governing.block.minutes:
                size = governing.block.minutes
                steps = [late // size * size, (late // size + 1) * size]
            assert min(abs(late - step) for step in steps) >= 5
        assert case.goal.deadline > case.start.today
        if "highest_step" in case.wrong:
            assert sum(case.wrong["highest_step"].values()) != case.total
        else:
            pytest.fail("the highest step is right")


# --- texts

TEXTS = Path(__file__).parent.parent / "fixtures" / "agentbench_markets" / "shared" / "text"
SLOT = re.compile(r"\{([a-z_]+)\}")
SPOKEN = re.compile(r"pieces\.(deliver|boundary)|replies|decisions")
SCRIPTS = {
    "ko": ("HANGUL",),
    "ja": ("HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC"),
    "zh-Hant": ("CJK",),
    "th": ("THAI",),
    "ar": ("ARABIC",),
    "en": ("LATIN",),
}


def kinds(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[Any]]]:
    for key, value in table.items():
        name = f"{path}.{key}" if path else key
        if isinstance(value, str):
            yield name, [value]
        elif set(value) == {"variants"}:
            yield name, value["variants"]
        elif name != "form":
            yield from kinds(value, name)


def parts(wording: Any) -> dict[str, str]:
    return {"text": wording} if isinstance(wording, str) else dict(wording)


def slots(wording: Any) -> list[str]:
    return SLOT.findall(" ".join(parts(wording).values()))


@cache
def texts(language: str) -> dict[str, list[Any]]:
    return dict(kinds(tomllib.loads((TEXTS / language / "refund_claim.toml").read_text(encoding="utf-8"))))


@pytest.mark.parametrize("language", SCRIPTS)
def test_texts_say_the_same_in_every_language(language: str) -> None:
    english = texts("en")
    assert list(texts(language)) == list(english)
    for kind, wordings in texts(language).items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        expected = set(slots(english[kind][0]))
        if language == "th" and SPOKEN.match(kind):
            expected |= {"particle"}
        bodies = [parts(wording).get("body") or parts(wording)["text"] for wording in wordings]
        assert len(set(bodies)) == len(bodies), kind
        for wording in wordings:
            assert set(slots(wording)) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()


@pytest.mark.parametrize("language", SCRIPTS)
def test_texts_are_tidy_and_in_their_script(language: str) -> None:
    for kind, wordings in texts(language).items():
        for text in (text for wording in wordings for text in parts(wording).values()):
            bare = SLOT.sub("", text)
            names = [re.split("[ -]", unicodedata.name(c))[0] for c in bare if c.isalpha()]
            assert sum(name in SCRIPTS[language] for name in names) >= 0.95 * len(names), (kind, text)
            assert text == text.strip(), kind
            assert "  " not in text, kind
            assert not re.search(r"[{}]", bare), kind
            assert unicodedata.normalize("NFC", text) == text, kind
