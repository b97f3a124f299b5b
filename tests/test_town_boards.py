"""Boards and pages for guests without a booking: what they say is what the board's record says."""

from __future__ import annotations

import re
from itertools import product
from typing import Any, get_args

import pytest
from town_kit import at, place, town
from town_texts import LANGUAGES, SPOKEN, VARIANTS, clocks, is_tidy, kinds, passage, says_clock, wordings

from agentbench_tasks.commons.texts import body_of, render
from agentbench_tasks.reservations.domain.board_page import (
    FILE,
    Absence,
    Absent,
    walk_in_parts,
    walk_in_title,
    write_board,
)
from agentbench_tasks.reservations.domain.booking_records import Seating
from agentbench_tasks.reservations.domain.market import Both, reservation_market
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.queue import Board, QueueMode, queue_key

MODES: tuple[QueueMode, ...] = get_args(QueueMode)
ABSENCE = Absence("cancelled", 5)
TWO = {"ar": "شخصين"}
"""How languages write two guests that do it in a word."""
every_wording = pytest.mark.parametrize(("language", "variant"), list(product(LANGUAGES, VARIANTS)))
every_page = pytest.mark.parametrize(
    ("code", "language", "variant"), [(*spoken, variant) for spoken in SPOKEN for variant in VARIANTS]
)


def board(mode: QueueMode = "paper_list", **fields: Any) -> Board:
    rest: dict[str, Any] = {
        "accepting": True,
        "walk_in": PartyRange(1, 4),
        "seating": ("table", "counter"),
        "groups_waiting": 8,
        "minutes_per_group": 6,
        "ticket_cutoff": "19:30",
        **fields,
    }
    return Board("brd_a", "ven_a", at("2026-10-16T18:40"), mode, text="", **rest)


def numbers(text: str) -> list[int]:
    return [int(figure) for figure in re.findall(r"\d+", text)]


def facts(parts: tuple[Part, ...]) -> dict[str, object]:
    return {fact.key: fact.value for part in parts for fact in part.stated}


# --- boards


@every_page
def test_boards_say_how_many_wait_and_until_when(code: str, language: str, variant: int) -> None:
    market = reservation_market(code)
    app = Both.read(market.site.engine).latin
    for mode in market.queues.modes:
        if mode == "none":
            continue
        for fields in ({"est_wait_min": 50}, {}):
            record = board(mode, **fields)  # type: ignore[arg-type]
            body = body_of(write_board(record, language, variant, app).text)
            waiting = [int(fields.get("est_wait_min", record.minutes_per_group))]
            assert numbers(body)[:2] == [8, *waiting], body
            assert len(clocks(body)) == 1
            assert "19:30" in clocks(body)[0]


@every_wording
def test_boards_that_nobody_waits_at_or_that_are_closed(language: str, variant: int) -> None:
    empty = body_of(write_board(board(groups_waiting=0, ticket_cutoff=""), language, variant).text)
    paused = body_of(write_board(board(accepting=False), language, variant).text)
    none = body_of(write_board(board("none", accepting=False), language, variant).text)
    assert len({empty, paused, none}) == 3
    assert not any(map(numbers, (empty, paused, none)))


@every_wording
def test_an_app_that_is_the_only_way_in_is_told_apart(language: str, variant: int) -> None:
    both = write_board(board("remote_app", remote_join=True), language, variant, "Jarikok")
    only = write_board(board("remote_app", remote_join=True), language, variant, "Jarikok", on_site=False)
    assert body_of(both.text) != body_of(only.text)
    assert "Jarikok" in body_of(only.text)
    key = queue_key("ven_a", "on_site")
    world = town(place())
    assert (both.facts(world)[key], only.facts(world)[key]) == (True, False)


@every_wording
def test_boards_past_midnight(language: str, variant: int) -> None:
    body = body_of(write_board(board(ticket_cutoff="25:15"), language, variant).text)
    assert "01:15" in clocks(body)[0]


# --- pages


@every_wording
@pytest.mark.parametrize("mode", MODES)
def test_the_page_states_what_the_board_states(mode: QueueMode, language: str, variant: int) -> None:
    record = board(mode)
    parts = walk_in_parts(record, ABSENCE, language, variant, "Rinq")
    told = write_board(record, language, variant, "Rinq").facts(town(place()))
    stated = facts(parts)
    assert stated.items() <= told.items()
    if mode == "none":
        assert stated == {queue_key("ven_a", "mode"): "none", queue_key("ven_a", "on_site"): False}
        return
    assert {key.rpartition(".")[2] for key in stated} == {"mode", "on_site", "walk_in", "seating", "ticket_cutoff"}
    until = next(fact for fact in parts[2].stated)
    assert says_clock(passage(parts[2].text, until), "19:30")
    assert all(render(part.text).heading for part in parts)


@every_wording
@pytest.mark.parametrize(
    ("party", "expected"),
    [
        (PartyRange(1, 2), [2]),
        (PartyRange(1, 12), [12]),
        (PartyRange(3, 0), [3]),
        (PartyRange(3, 8), [3, 8]),
        (PartyRange(1, 0), []),
    ],
)
def test_the_page_says_which_parties(language: str, variant: int, party: PartyRange, expected: list[int]) -> None:
    part = walk_in_parts(board(walk_in=party), ABSENCE, language, variant)[1]
    body = render(part.text).body
    assert numbers(body.replace(TWO.get(language, "2"), "2")) == expected, body


@every_wording
def test_the_page_names_every_seat(language: str, variant: int) -> None:
    seats: list[tuple[Seating, ...]] = [(seat,) for seat in get_args(Seating)]
    said = [render(walk_in_parts(board(seating=seat), ABSENCE, language, variant)[1].text).body for seat in seats]
    assert len(set(said)) == len(seats)
    both = walk_in_parts(board(), ABSENCE, language, variant)[1]
    seating = next(fact for fact in both.stated if fact.slot)
    assert seating.value == "table,counter"
    assert len(passage(both.text, seating)) < len(render(both.text).body)


@every_wording
def test_the_page_says_what_becomes_of_who_is_away(language: str, variant: int) -> None:
    said: set[str] = set()
    for rule in get_args(Absent):
        part = walk_in_parts(board(), Absence(rule, 7), language, variant)[3]
        assert numbers(render(part.text).body) == [7]
        said.add(render(part.text).body)
    assert len(said) == 3


@every_wording
def test_a_queue_without_an_end_says_so(language: str, variant: int) -> None:
    part = walk_in_parts(board(ticket_cutoff=""), ABSENCE, language, variant)[2]
    assert not part.stated
    assert not clocks(render(part.text).body)


# --- wordings


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_in_every_language(language: str) -> None:
    english = kinds(FILE, "en")
    assert {kind: slots[0] for kind, slots in kinds(FILE, language).items()} == {
        kind: slots[0] for kind, slots in english.items()
    }
    for kind, slots in kinds(FILE, language).items():
        assert len(slots) == len(english[kind])
        assert all(one == slots[0] for one in slots), kind
    for kind, texts in wordings(FILE, language).items():
        if kind.startswith(("joining", "parties", "cutoff", "absent", "state")):
            assert len(set(texts)) == len(texts) == 4, kind
        if not kind.startswith("form"):
            assert all(map(is_tidy, texts)), kind
    assert len({walk_in_title(language, variant) for variant in VARIANTS}) == 4
