"""The entry check against the worked examples of its specification, its traps and gaps, and its texts."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from datetime import date
from itertools import islice

import pytest
from wordings_kit import LANGUAGES, SCRIPTS, SIMPLIFIED, SLOT, kinds, load, parts, slots

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes
from agentbench_env.policies.expert import Do
from agentbench_env.task import DIFFICULTIES, Setting
from agentbench_env.zones import to_instant
from agentbench_tasks.commons.pages import PagesSearch
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.travel.domain.entry.answer import EntryItem
from agentbench_tasks.travel.domain.entry.build import Built
from agentbench_tasks.travel.domain.entry.library import Library, Traps
from agentbench_tasks.travel.domain.entry.lines import country_name
from agentbench_tasks.travel.domain.entry.plot import GUARD_DAYS, Flight, Plot, Stop
from agentbench_tasks.travel.domain.entry.proof import Finding, prove
from agentbench_tasks.travel.domain.entry.rules import Item, Value, add_months, country
from agentbench_tasks.travel.domain.publishing import language_at

TASK = "ta-entry-requirement-check"
SEEDS = 100


def built(market: str, difficulty: str, seed: int) -> Built:
    return build_instance(TASK, market, "train", difficulty, seed).case.built  # type: ignore[arg-type]


def story(nationality: str, home: str, airports: tuple[str, str], day: str, expires: str, now: str, **more) -> Plot:
    """A direct flight of the worked examples, for a stay of five nights."""
    place, zone = country(more.pop("place")), country(home).zone
    departs = to_instant(f"{day}T09:00", zone)
    arrives = departs + 6 * 3600
    flight = Flight("M3S", "M3S101", *airports, departs, arrives, 0)
    stop = Stop(place.code, "destination", airports[1], "", arrives, arrives + 5 * 86400)
    return Plot(
        country(home), nationality, "ordinary", date.fromisoformat(expires), to_instant(f"{now}T10:00", zone),
        "tourism", (flight,), (stop,), more.get("gaps", ()), False,
    )  # fmt: skip


def findings(plot: Plot) -> dict[Item, Finding]:
    setting = Setting(load_market(plot.home.code), "train", "standard", language_at(plot.home.code))
    return prove(Library(Draw("worked example"), setting, plot, Traps()).records, plot)


def test_six_months_count_from_arrival_and_not_from_today() -> None:
    plot = story("TH", "TH", ("BKK", "SIN"), "2026-10-08", "2027-04-05", "2026-09-20", place="SG")
    item = Item("SG", "passport_validity")
    assert findings(plot)[item].value == Value("months_after_arrival", "6")
    assert add_months(date(2026, 10, 8), 6) == date(2027, 4, 8)
    assert plot.met(item) is False
    assert plot.expires >= add_months(plot.today, 6) == date(2027, 3, 20)


def test_waiver_that_ends_before_the_trip_leaves_open_what_was_waived_alone() -> None:
    item = Item("KR", "prearrival")
    thai = story("TH", "TH", ("BKK", "ICN"), "2027-01-12", "2030-01-01", "2026-11-20", place="KR")
    assert findings(thai)[item].value == Value("needed", "3", "K-ETA")
    gaps = ((item, "expires_before_travel"),)
    japanese = story("JP", "JP", ("NRT", "ICN"), "2027-01-12", "2030-01-01", "2026-11-20", place="KR", gaps=gaps)
    assert (findings(japanese)[item].gap, findings(japanese)[item].value) == ("expires_before_travel", None)
    before = story("JP", "JP", ("NRT", "ICN"), "2026-12-12", "2030-01-01", "2026-11-20", place="KR")
    assert findings(before)[item].value == Value("needed", "3", "e-Arrival")


@pytest.mark.parametrize(
    ("place", "nationality", "value"),
    [
        ("JP", "TH", "not_required|15|"),
        ("JP", "AE", "not_required|30|"),
        ("JP", "KR", "not_required|90|"),
        ("TW", "SG", "not_required|30|"),
        ("TW", "TH", "not_required|14|"),
        ("TW", "AE", "visa_required||"),
        ("TH", "KR", "not_required|90|"),
        ("TH", "JP", "not_required|60|"),
        ("AE", "KR", "on_arrival|90|"),
        ("AE", "SG", "on_arrival|30|"),
        ("SG", "TH", "not_required||"),
    ],
)
def test_stays_by_nationality(place: str, nationality: str, value: str) -> None:
    assert str(country(place).row(Item(place, "visa_or_stay"), nationality).value) == value


@pytest.mark.parametrize(("day", "months", "then"), [("2026-08-31", 6, "2027-02-28"), ("2026-12-05", 6, "2027-06-05")])
def test_months_end_on_the_last_day_there_is(day: str, months: int, then: str) -> None:
    assert add_months(date.fromisoformat(day), months).isoformat() == then


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_traps_tempt_and_leave_the_truth_alone(market: str, difficulty: str) -> None:
    setting = Setting(load_market(market), "train", difficulty, load_market(market).prompt_languages[0])
    for seed in range(20):
        one = built(market, difficulty, seed)
        bare = prove(Library(Draw("bare"), setting, one.plot, Traps()).records, one.plot)
        seen = {item: (found.value, found.gap) for item, found in one.findings.items()}
        assert {item: (found.value, found.gap) for item, found in bare.items()} == seen


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_no_answer_turns_on_a_day_near_a_limit(market: str, difficulty: str) -> None:
    for seed in range(40):
        plot = built(market, difficulty, seed).plot
        for stop in plot.stops:
            item = Item(stop.country, "passport_validity")
            if item in plot.items:
                value = plot.rule(item)[1]
                limit = add_months(stop.arrival_day, int(value.number)) if value.number else stop.last_day
                assert abs((plot.expires - limit).days) >= GUARD_DAYS
            stay = Item(stop.country, "visa_or_stay")
            if stay in plot.items and plot.rule(stay)[1].number:
                # Whether or not the day of arrival counts, the stay is within or beyond what is allowed.
                days = (stop.last_day - stop.arrival_day).days
                assert (days <= int(plot.rule(stay)[1].number)) == plot.met(stay)


@pytest.mark.parametrize("market", market_codes())
def test_traps_and_gaps_come_in_their_shares(market: str) -> None:
    traps, gaps, open_points, benign, foreign = Counter[str](), Counter[str](), Counter[int](), 0, 0
    for seed in range(SEEDS):
        one = built(market, "standard", seed)
        traps.update(one.traps)
        gaps.update(gap for _, gap in one.plot.gaps)
        open_points[len(one.plot.gaps)] += 1
        benign += one.plot.benign
        foreign += one.plot.nationality != market
    assert 0.03 <= benign / SEEDS <= 0.2
    assert 0.12 <= foreign / SEEDS <= 0.4
    assert 0.1 <= open_points[0] / SEEDS <= 0.32
    for gap in ("silent", "conflict", "discretion", "under_revision", "expires_before_travel"):
        assert gaps[gap] / SEEDS >= 0.05, gap
    for trap in (
        "superseded", "stale_language", "draft", "mission_yields", "airside_rule", "airport_change",
        "validity_from_today", "neighbour_list",
    ):  # fmt: skip
        assert traps[trap] / SEEDS >= 0.05, trap


@pytest.mark.parametrize("market", market_codes())
def test_pages_in_force_are_found_by_the_name_of_the_country(market: str) -> None:
    """The official pages stand among the first hits in their own language, and not always first."""
    subject, first, places = Subject(TASK, market, "hard"), 0, 0
    for seed in range(12):
        env = subject.env(seed)
        one, do = episode_of(env).case.built, Do(env)
        for stop in one.plot.stops:
            language = language_at(stop.country)
            query = PagesSearch(query=country_name(stop.country, language), language=language)  # type: ignore[arg-type]
            hits = [hit.page_id for hit in do(query).pages]
            wanted = {page for item in stop.items for page, _ in one.findings[item].stating}
            local = {hit for hit in hits if hit in wanted}
            if wanted:
                assert local, (seed, stop.country)
                places, first = places + 1, first + (hits[0] in wanted)
    assert first < places


@pytest.mark.parametrize("market", market_codes())
def test_profile_and_passport_say_what_the_rules_turn_on(market: str) -> None:
    for seed in range(8):
        case = build_instance(TASK, market, "train", "standard", seed).case
        paper = case.start.get(Paper, case.passports[0].paper_id)
        assert case.built.plot.expires.isoformat() in dict(paper.fields).values()
        assert case.built.plot.nationality in dict(case.start.get(Paper, case.profile_id).fields).values()
        assert all(len(number) == 9 for number in case.passport_number_scan)


# --- texts

TEXTS = {language: dict(kinds(load(language, "entry"))) for language in LANGUAGES}
WITH_PARTICLE = re.compile(r"pieces\.(ask|how|approval_probe|boundary)|replies|decisions")
# What joins the names of a list has no letters.
JOINT = "who.joint"


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_the_same_kinds_and_slots_as_english(language: str) -> None:
    texts, english = TEXTS[language], TEXTS["en"]
    assert list(texts) == list(english)
    for kind, wordings in texts.items():
        assert len(wordings) == len(english[kind]) in (1, 4), kind
        expected = sorted(set(slots(english[kind][0])))
        if language == "th" and WITH_PARTICLE.match(kind):
            expected = sorted([*expected, "particle"])
        for wording in wordings:
            assert sorted(slots(wording)) == expected, (kind, wording)
            assert parts(wording).keys() == parts(english[kind][0]).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_tidy_and_in_their_script(language: str) -> None:
    for kind, wordings in TEXTS[language].items():
        for wording in wordings if kind != JOINT else ():
            for name, text in parts(wording).items():
                assert text == text.strip() != "", kind
                assert name in ("text", "body") or not slots(text), kind
                letters = [c for c in SLOT.sub("", text) if c.isalpha()]
                names = [re.split("[ -]", unicodedata.name(c))[0] for c in letters]
                allowed = SCRIPTS[language]
                if kind != "mails.hostile":
                    assert sum(n in allowed for n in names) >= 0.95 * len(names), (kind, text)
                if language == "zh-Hant":
                    assert not SIMPLIFIED & set(text), (kind, text)
        bodies = [parts(w).get("body") or parts(w)["text"] for w in wordings]
        distinct = {str(parts(w)) for w in wordings}
        assert len(distinct) == len(bodies), kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_sentences_fit_a_quotation(language: str) -> None:
    """The longest sentence with the longest list of names stays under the limit of a quotation."""
    table = load(language, "entry")
    names = sorted(table["countries"].values(), key=len, reverse=True)
    longest = table["who"]["some"].replace("{names}", table["who"]["joint"].join(islice(names, 8)))
    for kind, wordings in TEXTS[language].items():
        for wording in wordings if kind.startswith("rules.") else ():
            text = wording.replace("{who}", longest)
            assert len(SLOT.sub("x" * 24, text)) <= 400, kind
            assert not wording.endswith((".", "。"))


@pytest.mark.parametrize("market", market_codes())
def test_items_are_settled_or_open_and_every_gap_is_explained_in_the_schema(market: str) -> None:
    described = str(EntryItem.model_fields["gap"].description)
    for seed in range(20):
        one = built(market, "hard", seed)
        gaps = dict(one.plot.gaps)
        assert {*one.settled, *gaps} == set(one.plot.items)
        assert not gaps.keys() & set(one.settled)
        assert all(f"{gap}: " in described for gap in gaps.values())
