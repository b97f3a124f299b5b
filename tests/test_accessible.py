"""The accessible stay against the worked detail of its specification, its traps, and the way houses answer."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from agentbench_env.conformance.subject import Subject, episode_of
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, market_table, shared_table
from agentbench_env.money import Money
from agentbench_env.text.template import slot_names
from agentbench_env.world import Record
from agentbench_tasks.commons.attempts import NoFit
from agentbench_tasks.commons.texts import Stated, body_of
from agentbench_tasks.travel.domain.accessible.case import AccessibleCase
from agentbench_tasks.travel.domain.accessible.needs import KINDS, MEASURES, Need, centimetres, same_value
from agentbench_tasks.travel.domain.accessible.plot import Party, Wish
from agentbench_tasks.travel.domain.accessible.proof import prove
from agentbench_tasks.travel.domain.accessible.records import fact_span, key_of, kind_of
from agentbench_tasks.travel.domain.accessible.statements import PER_UNIT, Line, line_text, measure
from agentbench_tasks.travel.domain.records_stays import (
    Hours,
    ListingSection,
    Night,
    Property,
    Rate,
    RoomType,
)

TASK = "ta-accessible-stay"
STAY = ("2026-10-09", "2026-10-11")
NEED = Need("bath_door_clear_cm", 80)
WISH = Wish("KNZ", "KNZ-STN", STAY, Party(2), (NEED, Need("roll_in_shower", word="yes")), Money(30000, "JPY"))
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")


def house(name: str, *sections: ListingSection, district: str = "KNZ-STN", left: int = 3) -> list[Record]:
    """A house of the worked detail with one room."""
    hours = Hours("15:00", "24:00")
    nights = (
        Night("2026-10-09", Money(24000, "JPY"), "per_room"),
        Night("2026-10-10", Money(28000, "JPY"), "per_room"),
    )
    return [
        Property(name, (("ja", name),), "KNZ", district, "Asia/Tokyo", "hotel", 0, hours, hours),
        RoomType(f"{name}-room", name, (("ja", "ツイン"),), 2, "twin"),
        Rate(f"{name}-rate", name, f"{name}-room", "chn", "room_only", nights, (name, *STAY), (), (), left),
        *sections,
    ]


def section(
    id: str, of: str, *facts: tuple[str, str], replaced_by: str = "", author: Any = "property"
) -> ListingSection:
    """A section about the one room of a house."""
    stated = tuple(Stated(key_of(f"{of}-room", kind), value) for kind, value in facts)
    return ListingSection(id, of, f"{of}-room", "access", "ja", "", "2026-03-01", author, stated, replaced_by)


SHOWER = ("roll_in_shower", "yes")
WORKED = [
    *house("P1"),
    *house("P2", section("s2", "P2", ("bath_door_clear_cm.frame", "82"), ("bath_door_clear_cm", "76"), SHOWER)),
    *house("P3", section("s3", "P3", ("conforms", "yes"), SHOWER)),
    *house(
        "P4",
        section("s4-2024", "P4", ("bath_door_clear_cm", "85"), replaced_by="s4"),
        section("s4", "P4", ("bath_door_clear_cm", "74"), SHOWER),
    ),
    *house("P5", section("s5", "P5", ("bath_door_clear_cm", "83")), section("s6", "P5", SHOWER)),
]


def test_worked_detail_has_one_right_room() -> None:
    found = prove(WISH, WORKED, None, ("P5", "P5-room"))
    assert found == {"bath_door_clear_cm": "s5", "roll_in_shower": "s6"}


@pytest.mark.parametrize(
    "wrong",
    [
        house("P6", section("s", "P6", ("bath_door_clear_cm", "83"), SHOWER), district="KNZ-MSH"),
        house("P6", section("s", "P6", ("bath_door_clear_cm", "83"), SHOWER), left=0),
        house("P6", section("s", "P6", ("bath_door_clear_cm", "83"), SHOWER, author="guest")),
        house("P6", section("s", "P6", ("bath_door_clear_cm.frame", "83"), SHOWER)),
    ],
    ids=["next_door", "sold_out", "guest", "frame"],
)
def test_what_misses_one_thing_is_not_right(wrong: list[Record]) -> None:
    assert prove(WISH, [*WORKED, *wrong], None, ("P5", "P5-room"))


def test_a_second_right_room_is_no_proof() -> None:
    other = house("P6", section("s", "P6", ("bath_door_clear_cm", "80"), SHOWER))
    with pytest.raises(NoFit):
        prove(WISH, [*WORKED, *other], None, ("P5", "P5-room"))


def test_an_answer_must_be_needed() -> None:
    answer = section("s7", "P1", ("bath_door_clear_cm", "81"), SHOWER)
    with pytest.raises(NoFit):
        prove(WISH, WORKED, answer, ("P1", "P1-room"))
    without = [record for record in WORKED if record.id != "s5"]
    assert prove(WISH, without, answer, ("P1", "P1-room")) == {"bath_door_clear_cm": "s7", "roll_in_shower": "s7"}


def test_limits() -> None:
    bed = Need("bed_height_cm", 45, 55)
    assert [bed.met_by(value) for value in ("44.9", "45", "55", "55.1")] == [False, True, True, False]
    assert [NEED.met_by(value) for value in ("79", "80", "83.82")] == [False, True, True]
    assert Need("grab_bars_side", word="left").met_by("left")
    assert not Need("grab_bars_side", word="left").met_by("right")


@pytest.mark.parametrize(
    ("given", "stated", "same"),
    [("85", "85", True), ("85.0 cm", "85", True), ("84", "83.82", True), ("850", "85", False), ("", "85", False)],
)
def test_values_are_centimetres_within_half_of_one(given: str, stated: str, same: bool) -> None:
    assert same_value("door_clear_cm", given, stated) is same


def test_words_are_compared_as_words() -> None:
    assert same_value("roll_in_shower", " Yes", "yes")
    assert not same_value("grab_bars_side", "left", "right")


@pytest.mark.parametrize(
    ("tenths", "unit", "text"),
    [
        (8300, "cm", "83 cm"),
        (8300, "mm", "830 mm"),
        (8600, "m", "0.86 m"),
        (8000, "m", "0.8 m"),
        (8382, "inch", "33 in"),
    ],
)
def test_measures_in_units(tenths: int, unit: str, text: str) -> None:
    assert body_of(measure(tenths, unit, "en")) == text
    assert {centimetres(33 * PER_UNIT["inch"]), centimetres(8300)} == {"83.82", "83"}


def case_of(market: str, difficulty: str, seed: int, split: Any = "train") -> AccessibleCase:
    case = build_instance(TASK, market, split, difficulty, seed).case  # type: ignore[arg-type]
    assert isinstance(case, AccessibleCase)
    return case


def test_shares_of_benign_instances_messages_and_traps() -> None:
    cases = [case_of("SG", "hard", seed) for seed in range(100)]
    assert 7 <= sum(case.built.plot.benign for case in cases) <= 25
    assert 8 <= sum(case.built.answer is not None for case in cases) <= 28
    traps = Counter(trap for case in cases for trap in case.built.traps)
    assert len(traps) == 9
    assert min(traps.values()) >= 5
    assert {len(case.wish.needs) for case in cases} == {4, 5}
    assert {need.kind for case in cases for need in case.wish.needs} == set(KINDS)
    assert not any(case_of("SG", "standard", seed).built.answer for seed in range(30))


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
def test_every_decoy_misses_its_need_alone(market: str, difficulty: str) -> None:
    for seed in range(6):
        case = case_of(market, difficulty, seed)
        near = [s for s in case.built.sites if s.house.record.district_id == case.wish.district_id]
        assert len(near) == {"easy": 9, "standard": 14, "hard": 20}[difficulty]
        assert near[0] is not case.built.target
        for site in case.built.sites:
            if site.role not in ("decoy", "sold_out", "neighbour"):
                continue
            missed = [
                need.kind for need in case.wish.needs if not stated_well(case, site.house.record.id, site.room.id, need)
            ]
            assert missed == ([site.missing] if site.trap else [])


def stated_well(case: AccessibleCase, house: str, room: str, need: Need) -> bool:
    """Whether a section in force says of a room that it meets a need."""
    rows = case.start.where(ListingSection, "property_id", house)
    values = [
        str(fact.value)
        for row in rows
        if row.author != "guest" and not row.superseded_by
        for fact in row.stated
        if fact.key in (key_of(house, need.kind), key_of(room, need.kind))
    ]
    return bool(values) and all(need.met_by(value) for value in values)


@pytest.mark.parametrize("market", market_codes())
def test_each_line_stands_where_its_fact_says(market: str) -> None:
    for split in ("train", "dev", "test"):
        case = case_of(market, "hard", 1, split)
        for row in case.start.all(ListingSection):
            text = body_of(row.text)
            lines = text.splitlines()[len(text.splitlines()) - len(row.stated) :]
            for line, fact in zip(lines, row.stated, strict=True):
                start, end = fact_span(row, fact.key)
                assert text[start:end] in line
                assert (len(text[start:end]) < len(line) - 2) == (kind_of(fact.key)[0] in MEASURES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_need_has_its_words(language: str) -> None:
    table = shared_table(f"text/{language}/accessible")
    for place in table["sections"].values():
        assert all(wording.endswith("{lines}") for wording in place["variants"])
    for kind in KINDS:
        assert set(slot_names(table["pieces"][f"need_{kind}"]["variants"][0])) <= {"x", "y", "side"}
        if kind in MEASURES:
            for variant in range(4):
                text = line_text(Line(kind, 8300, "cm"), language, variant)
                assert body_of(measure(8300, "cm", language)) in body_of(text)


@pytest.mark.parametrize("market", market_codes())
def test_market_data(market: str) -> None:
    table = market_table(market, "accessible")
    first = load_market(market).languages[0]
    assert set(table["units"]) | set(table["odd_units"]) <= set(PER_UNIT)
    assert first in table["standard"]["authority"]
    assert table["standard"]["status"] in ("V", "P", "W")
    assert table["standard"]["source"]
    assert table["standard"]["as_of"]
    assert all(len(room.split("/")) == 4 and room.split("/")[3].isdigit() for room in table["rooms"])


# --- the houses' answers and the user's leave


def ask(env: Any, body: str, to: list[str]) -> str:
    """Draft a message and ask for leave; return the decision or the reason against it."""
    draft = step(env, "mail_create_draft", to=to, subject="A question", body=body)
    reply = step(
        env,
        "user_request_approval",
        tool="mail_send_draft",
        arguments={"draft_id": draft["draft_id"]},
        summary="Ask.",
    )
    if reply["decision"] == "granted":
        step(env, "mail_send_draft", draft_id=draft["draft_id"])
    return reply["decision"] if reply["decision"] == "granted" else reply["reason"]


def step(env: Any, name: str, /, **arguments: Any) -> Any:
    return json.loads(env.step({"tool": name, "arguments": arguments})[0]["content"])


def test_the_user_lets_one_house_be_asked_about_the_thing_itself() -> None:
    env = Subject(TASK, "SG", "hard").env(7)
    case: AccessibleCase = episode_of(env).case
    address, other = case.built.target.listing.address, case.built.sold_out.listing.address
    reasons = shared_table("text/en/accessible")["decisions"]
    assert ask(env, "Is it level?", [address, other]) == reasons["deny_one_house"]
    assert ask(env, "Is it level?", ["friend@post.example"]) == reasons["deny_one_house"]
    assert ask(env, f"{case.traveller.name.latin} asks: is it level?", [address]) == reasons["deny_private"]
    assert ask(env, "Is the shower level with the floor?", [address]) == "granted"


def test_a_house_answers_once_and_adds_to_its_listing() -> None:
    env = Subject(TASK, "SG", "hard").env(7)
    case: AccessibleCase = episode_of(env).case
    answer, address = case.built.answer, case.built.target.listing.address
    assert answer is not None
    world = episode_of(env).world
    assert world.find(answer.id) is None
    for _ in range(2):
        assert ask(env, "Is the shower level with the floor?", [address]) == "granted"
    assert world.find(answer.id) == answer
    assert step(env, "mail_search_messages", sender=address)["total"] == 1
    listing = step(env, "stay_get_listing", property_id=answer.property_id, section="qa")
    assert answer.id in {row["section_id"] for row in listing["sections"]}


def test_below_hard_nobody_may_be_written_to() -> None:
    env = Subject(TASK, "SG", "standard").env(0)
    address = episode_of(env).case.built.target.listing.address
    refused = shared_table("text/en/accessible")["decisions"]["deny_use_published"]
    assert ask(env, "Is it level?", [address]) == refused
