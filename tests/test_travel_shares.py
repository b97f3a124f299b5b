"""Shapes, outcomes and traps of the travel contracts, counted over 500 seeds at each difficulty."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt

import pytest
from travel_labels import LABELS

from agentbench_env.instance import build_instance
from agentbench_env.market import market_codes

SEEDS = 500
DIFFICULTIES = ("easy", "standard", "hard")
SIGMAS = 4
"""How far a count may be from a stated share, in standard deviations of a fair draw."""
LEAST = 1.5
"""The percentage of instances that a trap has to be in."""


@cache
def shares(task: str, difficulty: str) -> tuple[dict[str, float], Counter[int]]:
    """Return the percentage of cases with each label, and how many cases have how many traps."""
    labels, traps = Counter[str](), Counter[int]()
    markets = market_codes()
    for seed in range(SEEDS):
        found = list(LABELS[task](build_instance(task, markets[seed % len(markets)], "train", difficulty, seed).case))  # type: ignore[arg-type]
        labels.update(set(found))
        traps[sum(label.startswith("trap: ") for label in found)] += 1
    return {label: 100 * count / SEEDS for label, count in labels.items()}, traps


STATED: dict[str, dict[str, tuple[float, float, float]]] = {
    "ta-two-leg-itinerary": {"benign": (10, 10, 10), "mode hold": (50, 50, 50)},
    "ta-accessible-stay": {"benign": (15, 15, 15), "by mail": (0, 0, 15)},
    "ta-disruption-replan": {"preserved": (60, 60, 60), "one_gives": (40, 40, 40)},
    "ta-entry-requirement-check": {"0 open": (20, 20, 20), "foreign passport": (25, 25, 25), "benign": (10, 10, 10)},
    "ta-fare-rule-comparison": {"shortlist": (50, 50, 50), "benign": (10, 10, 10)},
    "ta-stay-total-cost": {"benign": (15, 15, 15)},
    "ta-multi-day-ground-plan": {"0 misfits": (40, 40, 20), "1 misfits": (60, 45, 30), "2 misfits": (0, 15, 50)},
    "ta-trip-refund-claim": {"carrier": (50, 50, 50), "insurer": (40, 40, 40), "operator": (10, 10, 10)},
}
"""What share of instances, in percent, a contract's draws are to have: easy, standard, hard."""

FIRST: dict[str, dict[str, str]] = {
    "ta-two-leg-itinerary": {
        "easy": "outside_aggregate short_connection stale_price vanishing_fare not_on_sale paid_lock"
        " summer_time wrong_station",
        "standard": "bag_and_card date_line",
    },
    "ta-accessible-stay": {
        "easy": "frame_not_clear icon_only other_room review_only silent standard_only stated_fail superseded"
        " unit_trap",
    },
    "ta-disruption-replan": {
        "easy": "auto_reroute good_but_fee midnight_shift other_airport small_bag sold_out_good",
        "standard": "updated_notice",
    },
    "ta-entry-requirement-check": {
        "easy": "draft mission_yields neighbour_list stale_language superseded validity_from_today",
        "standard": "airport_change airside_rule",
    },
    "ta-fare-rule-comparison": {
        "easy": "fee_per_sector one_fare_sold_out pieces_not_kg stale_offer taxes_only_back",
        "standard": "credit_not_cash footnote_exception old_version round_trip_half seasonal_exception service_fee",
    },
    "ta-stay-total-cost": {
        "easy": "class_decides_dirham compound_order deposit_is_not_cost fee_per_stay old_rate_page old_tariff"
        " meal_inside_basis optional_is_not_compulsory out_of_season per_person_vs_room threshold_basis vat_base"
        " weekend_rate",
        "standard": "child_exempt",
    },
    "ta-multi-day-ground-plan": {
        "easy": "friday_prayer last_admission lunch_break open_on_holiday same_name_branch shifted_closing slots",
        "standard": "last_service",
    },
    "ta-trip-refund-claim": {
        "easy": "base_excludes block_not_full cap child_rate deadline_anchor departure_vs_arrival excluded_cause"
        " newer_terms receipts wrong_paper",
    },
}
"""The traps of each contract, by the difficulty from which on they are set."""

COUNTS: dict[str, tuple[tuple[int, int], ...]] = {
    "ta-two-leg-itinerary": ((1, 2), (1, 4), (1, 6)),
    "ta-accessible-stay": ((2, 2), (3, 3), (4, 4)),
    "ta-disruption-replan": ((4, 6), (3, 7), (4, 7)),
    "ta-entry-requirement-check": ((0, 4), (1, 6), (2, 7)),
    "ta-fare-rule-comparison": ((1, 2), (2, 4), (3, 6)),
    "ta-stay-total-cost": ((2, 8), (2, 9), (2, 9)),
    "ta-multi-day-ground-plan": ((0, 5), (0, 7), (1, 8)),
    "ta-trip-refund-claim": ((0, 6), (1, 8), (2, 8)),
}
"""The fewest and the most kinds of traps that an instance with any has: easy, standard, hard."""


@pytest.mark.parametrize("task", LABELS)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_outcomes_shapes_and_traps_come_in_their_shares(task: str, difficulty: str) -> None:
    found, counts = shares(task, difficulty)
    place = DIFFICULTIES.index(difficulty)
    for label, stated in STATED[task].items():
        reach = SIGMAS * sqrt(stated[place] * (100 - stated[place]) / SEEDS)
        assert abs(found.get(label, 0) - stated[place]) <= reach, (label, found.get(label, 0), stated[place])

    due = {f"trap: {name}" for step in DIFFICULTIES[: place + 1] for name in FIRST[task].get(step, "").split()}
    later = {f"trap: {name}" for names in FIRST[task].values() for name in names.split()} - due
    often = {label for label, share in found.items() if label.startswith("trap: ") and share >= LEAST}
    assert often == due
    assert {label for label in found if label.startswith("trap: ")} <= due | later
    low, high = COUNTS[task][place]
    assert {count for count in counts if count and not low <= count <= high} == set()


def test_a_compensation_that_the_terms_could_give_is_nil_in_a_fifth() -> None:
    """A policy that claims whatever there is a head for is wrong as often as that."""
    found, _ = shares("ta-trip-refund-claim", "standard")
    assert 15 <= 100 * found["nil compensation"] / found["terms with compensation"] <= 30
