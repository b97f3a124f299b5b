"""Reviews: the date, the party and each impression are those of the record, and a remark states nothing."""

from __future__ import annotations

import re
from itertools import combinations, product
from typing import get_args

import pytest
from town_texts import LANGUAGES, VARIANTS, clocks, days, is_tidy, kinds, passage, wordings

from agentbench_env.market import shared_table
from agentbench_tasks.commons.texts import render
from agentbench_tasks.reservations.domain.reviews import (
    FILE,
    VALUES,
    Attribute,
    CoolRemark,
    Impression,
    PleasedRemark,
    Remark,
    impression_fact,
    review_part,
)

VISIT = "2026-09-12"
IMPRESSIONS = [Impression(attribute, value) for attribute, values in VALUES.items() for value in values]
REMARKS: list[Remark] = [*get_args(PleasedRemark), *get_args(CoolRemark), "before_refit"]
every_wording = pytest.mark.parametrize(("language", "variant"), list(product(LANGUAGES, VARIANTS)))


def body_of(impressions: list[Impression], remark: Remark, language: str, variant: int) -> str:
    return render(review_part("ven_a", VISIT, 4, impressions, remark, language, variant).text).body


@every_wording
def test_reviews_say_when_and_how_many(language: str, variant: int) -> None:
    for party, remark in product((2, 4, 12), REMARKS):
        body = render(review_part("ven_a", VISIT, party, [], remark, language, variant).text).body
        assert days(body, "2026-10-14") == [VISIT], body
        assert re.search(rf"(?<!\d){party}(?!\d)", body)


@every_wording
def test_each_impression_stands_where_the_review_states_it(language: str, variant: int) -> None:
    bank = shared_table(f"text/{language}/{FILE}")
    for pair in combinations(IMPRESSIONS, 2):
        part = review_part("ven_a", VISIT, 4, pair, "food_good", language, variant)
        for fact, said in zip(part.stated, pair, strict=True):
            assert fact == impression_fact("ven_a", said, fact.slot)
            assert passage(part.text, fact) == bank[said.attribute][said.value]["variants"][variant]


@every_wording
def test_the_capacity_of_a_room_is_a_number(language: str, variant: int) -> None:
    for seats in (6, 8, 12):
        part = review_part("ven_a", VISIT, 4, [Impression("room_capacity", seats)], "dessert", language, variant)
        (fact,) = part.stated
        assert (fact.key, fact.value) == ("room_capacity.ven_a", seats)
        assert re.findall(r"\d+", passage(part.text, fact)) == [str(seats)]


@every_wording
def test_a_guest_tells_of_one_kind_of_seat(language: str, variant: int) -> None:
    seats = [Impression("seating", seat) for seat in ("floor", "table")]
    part = review_part("ven_a", VISIT, 4, seats, "dessert", language, variant)
    assert [(fact.key, fact.value) for fact in part.stated] == [
        ("seating.ven_a.floor", True),
        ("seating.ven_a.table", True),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_one_value_say_it_of_no_other(language: str) -> None:
    said = [
        text
        for attribute, values in VALUES.items()
        for value in values
        for text in shared_table(f"text/{language}/{FILE}")[attribute][value]["variants"]
    ]
    assert len(set(said)) == len(said)
    for attribute in VALUES:
        assert all(
            len(set(texts)) == 4 for kind, texts in wordings(FILE, language).items() if kind.startswith(attribute)
        )


@every_wording
def test_remarks_state_nothing(language: str, variant: int) -> None:
    for remark in REMARKS:
        part = review_part("ven_a", VISIT, 4, [], remark, language, variant)
        assert not part.stated
        said = shared_table(f"text/{language}/{FILE}")["remark"][remark]["variants"][variant]
        assert not re.search(r"\d", said)
        assert not clocks(said)
        assert said in render(part.text).body


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_in_every_language(language: str) -> None:
    found = kinds(FILE, language)
    assert {kind: slots[0] for kind, slots in found.items()} == {
        kind: slots[0] for kind, slots in kinds(FILE, "en").items()
    }
    assert all(one == slots[0] for slots in found.values() for one in slots)
    for kind, texts in wordings(FILE, language).items():
        assert len(texts) == 4
        if not kind.startswith("form"):
            assert len(set(texts)) == 4, kind
            assert all(map(is_tidy, texts)), kind


def test_attributes_are_known() -> None:
    assert {*VALUES, "room_capacity"} == {*get_args(Attribute)}
