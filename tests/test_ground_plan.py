"""The ground plan against the worked example of its specification, closing days, traps, misfits and texts."""

from __future__ import annotations

from collections import Counter
from datetime import date
from itertools import product
from typing import Any

import msgspec
import pytest
import test_travel_texts as texts

from agentbench_env.env import AgentbenchEnv
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, market_table
from agentbench_env.money import Money
from agentbench_env.policies.expert import run_script
from agentbench_tasks.travel.domain.ground_plan.build import Built
from agentbench_tasks.travel.domain.ground_plan.layout import Appointment, Day, Stop
from agentbench_tasks.travel.domain.ground_plan.places import Closings, Opening, Spot, minute, sights
from agentbench_tasks.travel.domain.ground_plan.plot import MISFITS, Plot
from agentbench_tasks.travel.domain.ground_plan.proof import Proof
from agentbench_tasks.travel.domain.ground_plan.ways import Node, bands
from agentbench_tasks.travel.domain.records_ground import PlaceDay, RouteTime

TASK = "ta-multi-day-ground-plan"
THURSDAY, FRIDAY = date(2026, 9, 24), date(2026, 9, 25)
LONG_OPEN = Opening(600, 1320, 1290)


def spot(opening: Opening = LONG_OPEN, dwell: int = 60, **rest: Any) -> Spot:
    return Spot(
        (("en", "x"),), "", "museum", rest.pop("closed", ()), rest.pop("holiday", "closed"), opening, dwell, **rest
    )


# --- the worked example: Silver Week

HOURS = Opening(minute("09:30"), minute("17:00"), minute("16:30"))
NODES = {
    "hotel": spot(),
    "museum": spot(HOURS, 120, closed=(1,), holiday="next"),
    "garden": spot(HOURS, 60),
    "second": spot(Opening(minute("09:30"), minute("18:00"), minute("16:30")), 90),
    "island": spot(Opening(minute("10:00"), minute("17:00"), minute("16:00")), 180),
    "lunch": spot(dwell=60),
    "workshop": spot(dwell=90),
}
RIDES = {
    ("hotel", "museum"): 24,
    ("museum", "garden"): 38,
    ("garden", "workshop"): 52,
    ("workshop", "second"): 41,
}
CLOSINGS = Closings(load_market("JP"), THURSDAY, FRIDAY)


def example() -> Proof:
    """The two days of the example; every ride that it does not name takes 30 minutes, every boat 95."""
    routes: list[RouteTime] = []
    for a, b in product(NODES, NODES):
        boat = "island" in (a, b)
        first, last, headway = ("10:00", "16:10", 10) if boat else ("05:30", "24:00", 0)
        for band in bands():
            minutes = 95 if boat else RIDES.get((a, b), 30)
            id = f"{a}-{b}-{band}"
            mode = "boat" if boat else "transit"
            routes.append(RouteTime(id, (a, b), mode, band, minutes, 5, first, last, headway, Money(0, "JPY")))
    days: list[PlaceDay] = []
    for (name, one), day in product(NODES.items(), (THURSDAY, FRIDAY)):
        key, hours = (name, day.isoformat()), one.hours
        if CLOSINGS.is_closed(one, day):
            days.append(PlaceDay(f"{name}{day}", key, "", "", ""))
        else:
            clocks = [f"{at // 60:02}:{at % 60:02}" for at in (hours.opens, hours.closes, hours.last)]
            days.append(PlaceDay(f"{name}{day}", key, *clocks))
    at = minute
    thursday = Day(
        (
            Stop("lunch", at("11:30"), at("12:10"), at("12:30"), at("13:30")),
            Stop("second", at("14:30"), at("15:10"), at("15:10"), at("16:40")),
        ),
        at("16:40"),
        at("17:20"),
    )
    friday = Day(
        (
            Stop("museum", at("09:00"), at("09:34"), at("09:34"), at("11:34")),
            Stop("garden", at("11:34"), at("12:22"), at("12:22"), at("13:22")),
            Stop("workshop", at("13:22"), at("14:24"), at("14:30"), at("16:00")),
        ),
        at("16:00"),
        at("16:40"),
    )
    nodes = {name: Node(name, one, 0, 0.0) for name, one in NODES.items()}
    built = Built(
        plot=Plot(0, (THURSDAY, FRIDAY), 540, 1170, 10, 1, 4, 1, 2, False),
        lodging=nodes["hotel"],
        nodes=nodes,
        wishes=("museum", "garden", "second", "island"),
        misfits={"island": "no_room"},
        appointments=(
            Appointment(0, "lunch", "lunch", at("12:30"), at("13:30")),
            Appointment(1, "workshop", "workshop", at("14:30"), at("16:00")),
        ),
        schedule=(thursday, friday),
        closings=CLOSINGS,
        once={},
        place_days=tuple(days),
        routes=tuple(routes),
        ways=None,  # type: ignore[arg-type]
        extras=(),
        traps=(),
    )
    return Proof(built)


def test_silver_week_shifts_the_closing_day_to_thursday() -> None:
    museum = NODES["museum"]
    assert [CLOSINGS.is_closed(museum, date(2026, 9, day)) for day in range(20, 27)] == [
        False, False, False, False, True, False, False,
    ]  # fmt: skip
    assert example().reason("island") == "no_room"
    assert not example().is_open("museum", "2026-09-24", 600, 720, False)


def test_worked_days_hold_and_the_second_museum_only_goes_on_thursday() -> None:
    proof = example()
    assert proof.holds(proof.built.schedule)
    on_friday = minute("16:00") + proof.ride("workshop", "second", minute("16:00")) + 10
    assert on_friday == minute("16:51") > minute("16:30")
    assert not proof.is_open("second", "2026-09-25", on_friday, on_friday + 90, False)
    schedule = list(proof.built.schedule)
    late = msgspec.structs.replace(schedule[1].stops[0], leave=minute("09:01"))
    schedule[1] = msgspec.structs.replace(schedule[1], stops=(late, *schedule[1].stops[1:]))
    assert not proof.holds(schedule)


@pytest.mark.parametrize(
    ("market", "closed", "holiday", "day", "shut"),
    [
        ("KR", (1,), "open", "2026-10-05", False),
        ("KR", (1,), "next", "2026-10-05", False),
        ("KR", (1,), "next", "2026-10-06", True),
        ("KR", (1,), "next", "2026-10-13", False),
        ("TW", (1,), "open", "2026-09-28", False),
        ("TW", (1,), "open", "2026-10-05", True),
        ("SG", (1,), "open", "2026-08-10", False),
        ("TH", (1, 2), "closed", "2026-10-13", True),
        ("TH", (1, 2), "closed", "2026-10-14", False),
        ("JP", (1,), "next", "2026-10-12", False),
        ("JP", (1,), "next", "2026-10-13", True),
    ],
)
def test_closing_days_by_the_local_rule(
    market: str, closed: tuple[int, ...], holiday: Any, day: str, shut: bool
) -> None:
    on = date.fromisoformat(day)
    place = spot(closed=closed, holiday=holiday)
    assert Closings(load_market(market), on, on).is_closed(place, on) is shut


def test_fridays_begin_after_prayers() -> None:
    place = spot(HOURS, friday=minute("15:00"))
    assert place.opening(date(2026, 10, 9)).opens == minute("15:00")
    assert place.opening(date(2026, 10, 8)).opens == minute("09:30")


@pytest.mark.parametrize("market", market_codes())
def test_city_data(market: str) -> None:
    table, city = market_table(market, "places_travel"), sights(market)
    assert {row["district"] for row in table["places"]} <= {district.id for district in city.city.districts}
    assert {row["source"] for row in table["places"]} <= table["sources"].keys()
    assert all(one["status"] in ("V", "P", "W") for one in table["sources"].values())
    assert len(set(table["heads"])) == len(table["heads"]) >= 20
    for row in table["places"]:
        for hours in row["hours"]:
            opens, closes, last = hours[:5], hours[6:11], hours[12:]
            assert opens < last < closes


@pytest.mark.parametrize("market", market_codes())
def test_misfits_and_traps_come_in_their_shares(market: str) -> None:
    traps, counts, reasons, seeds = Counter[str](), Counter[int](), Counter[str](), 100
    for seed in range(seeds):
        built: Built = build_instance(TASK, market, "train", "standard", seed).case.built
        traps.update(built.traps)
        counts[len(built.misfits)] += 1
        reasons.update(built.misfits.values())
        spread = [len(day.stops) for day in built.schedule]
        assert min(spread) >= 1
        assert len(built.wishes) == 7
        assert all(day.home <= built.plot.back - 20 for day in built.schedule)
    assert set(reasons) == {"closed", "sold_out", "no_service", "no_room"}
    assert all(abs(counts[number] / seeds - share) <= 0.17 for number, share in MISFITS["standard"].items())
    for trap in ("last_admission", "lunch_break", "last_service", "slots", "same_name_branch"):
        assert traps[trap] / seeds >= 0.1, trap
    own = {"open": "open_on_holiday", "next": "shifted_closing"}.get(sights(market).holiday)
    assert own is None or traps[own] > 0
    fridays = any("friday" in row for row in market_table(market, "places_travel")["places"])
    assert (traps["friday_prayer"] > 0) == fridays


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "hard"])
def test_every_misfit_has_one_reason_and_everything_else_its_place(market: str, difficulty: Any) -> None:
    for seed in range(20):
        built: Built = build_instance(TASK, market, "train", difficulty, seed).case.built
        proof = Proof(built)
        assert proof.holds(proof.built.schedule)
        assert {place: proof.reason(place) for place in built.misfits} == built.misfits
        planned = {stop.node for day in built.schedule for stop in day.stops}
        assert set(built.wishes) - planned == set(built.misfits)


def test_no_day_is_left_empty() -> None:
    built: Built = build_instance(TASK, "JP", "train", "hard", 135).case.built
    assert all(day.stops for day in built.schedule)


def test_a_taxi_is_no_way_to_travel() -> None:
    env = AgentbenchEnv(TASK, "SG", "train", "easy")
    env.reset(seed=0)
    task = build_instance(TASK, "SG", "train", "easy", 0).task

    def by_taxi(call: Any) -> Any:
        if call.name != "plan_save":
            return call
        rides = [entry for entry in call.items if entry.kind == "transfer"]
        last = rides[-1].model_copy(update={"mode": "taxi"})
        return call.model_copy(update={"items": [*call.items[:-1], last]})

    run_script(task.expert, env, by_taxi)
    assert env.verdict is not None
    assert set(env.verdict.broken) == {"final.transfers_real"}


# --- texts

OWN = {
    (language, "ground_plan"): dict(texts.kinds(texts.load(language, "ground_plan"))) for language in texts.LANGUAGES
}


@pytest.mark.parametrize("language", texts.LANGUAGES)
def test_texts_agree(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "ALL", {**texts.ALL, **OWN})
    texts.test_same_kinds_and_slots_as_english(language, "ground_plan")
    texts.test_wordings_differ_and_are_tidy(language, "ground_plan")
    texts.test_script(language, "ground_plan")


@pytest.mark.parametrize("market", market_codes())
def test_every_wording_of_the_request_can_be_said(market: str) -> None:
    for split, seed in product(("train", "dev", "test"), range(8)):
        instance = build_instance(TASK, market, split, "standard", seed)  # type: ignore[arg-type]
        case = instance.case
        for words in case.words.values():
            request = words.request()
            assert "{" not in request + words.boundary()
            for fixed in case.built.appointments:
                names = dict(case.built.nodes[fixed.node].spot.names)
                assert any(name in request for name in names.values())
