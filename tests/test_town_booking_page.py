"""Pages of booking: how a party books, in every language and wording, is what the route says, and the surface alike."""

from __future__ import annotations

from typing import get_args

import pytest
from town_kit import town
from town_pages import LANGUAGES, MARKETS, VARIANTS, figures

from agentbench_tasks.commons.texts import body_of, span_of
from agentbench_tasks.reservations.domain.blocking import blocking_step
from agentbench_tasks.reservations.domain.booking_page import (
    HaveReady,
    Remark,
    booking_parts,
    booking_title,
    contact_hours_key,
    contact_key,
    have_ready_key,
    hours_value,
    remark_text,
    route_facts,
    route_key,
    route_scope,
    route_text,
    step_key,
    surface_facts,
    window_key,
    window_text,
    window_value,
)
from agentbench_tasks.reservations.domain.conditions import days_in_words
from agentbench_tasks.reservations.domain.market import Both, reservation_market
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import (
    BookingWindow,
    ContactSpan,
    Route,
    RouteContact,
    RouteMode,
    Step,
    Surface,
    notices_of,
)

MODES: tuple[RouteMode, ...] = get_args(RouteMode)
STEPS: tuple[Step, ...] = get_args(Step)
ITEMS: tuple[HaveReady, ...] = get_args(HaveReady)
PHONE = RouteContact("phone", "03-0000-4417", (ContactSpan((1, 2, 4, 5, 6, 7), "14:00", "17:00"),))
BY_PHONE = Route("phone", "", PartyRange(7, 0), contact=PHONE)
READY: tuple[HaveReady, ...] = ("name", "party_size", "phone_number")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_market_route_prints_its_figures(language: str, variant: int) -> None:
    for code in MARKETS:
        market = reservation_market(code)
        engine, messenger = Both.read(market.site.engine).latin, market.site.messenger
        for most in market.routes.online_max:
            text = body_of(route_text(Route("instant", "", PartyRange(1, most)), engine, messenger, language, variant))
            assert figures(text, language).numbers - {1} == {most}
            assert engine in text
        for hours in market.routes.contact_hours:
            opens, closes = hours.split("-")
            contact = RouteContact("phone", "03-0000-4417", (ContactSpan((2, 3, 4, 5, 6), opens, closes),))
            route = Route("phone", "", PartyRange(7, 11), services=("dinner",), dates=("2026-12-24",), contact=contact)
            text = body_of(route_text(route, engine, messenger, language, variant))
            found = figures(text, language, route.dates)
            assert found.times == {opens, closes}, text
            assert found.numbers == {7, 11}, text
            assert found.days == set(route.dates), text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_window_prints_its_figures(language: str, variant: int) -> None:
    for code in MARKETS:
        routes = reservation_market(code).routes
        for days in routes.window_days:
            text = body_of(window_text(BookingWindow(days, lead_minutes=180), language, variant))
            assert figures(text, language).numbers == {days, 3}, text
            text = body_of(window_text(BookingWindow(days, opens_at="09:00"), language, variant))
            found = figures(text, language)
            assert (found.times, found.numbers) == ({"09:00"}, {days}), text
        if opening := routes.month_opening:
            window = BookingWindow(0, opening.months_ahead, opening.day, opening.at)
            found = figures(body_of(window_text(window, language, variant)), language)
            assert opening.at in found.times
            assert opening.day in found.numbers
    assert not figures(body_of(window_text(BookingWindow(), language, variant)), language).numbers


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_ways_steps_and_remarks_read_differently(language: str, variant: int) -> None:
    ways = [body_of(route_text(Route(mode, ""), "house", "Rinq", language, variant)) for mode in MODES]
    assert len(set(ways)) == len(MODES)
    plain = body_of(route_text(Route("instant", ""), "Todi", "Rinq", language, variant))
    steps = [body_of(route_text(Route("instant", "", steps=(s,)), "Todi", "Rinq", language, variant)) for s in STEPS]
    assert len(set(steps)) == len(STEPS)
    assert all(text.startswith(plain) and len(text) > len(plain) for text in steps)
    asked = [body_of(route_text(Route("instant", ""), "Todi", "Rinq", language, variant, (item,))) for item in ITEMS]
    assert len(set(asked)) == len(ITEMS)
    remarks = [remark_text(remark, language, variant, "02-000-4417") for remark in get_args(Remark)]
    assert len({body_of(text) for text in remarks}) == len(remarks)
    months = [body_of(window_text(BookingWindow(0, ahead), language, variant)) for ahead in (1, 2, 3)]
    assert len(set(months)) == len(months)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_fact_stands_in_its_slot(language: str, variant: int) -> None:
    text = route_text(BY_PHONE, "house", "Rinq", language, variant, READY)
    said = {
        fact.key.split(".")[0]: body_of(text)[slice(*span_of(text, fact))]
        for fact in route_facts("ven_a", BY_PHONE, READY)
    }
    assert set(said) == {"route", "step", "contact", "contact_hours", "have_ready"}
    assert "03-0000-4417" in said["contact"]
    assert figures(said["contact_hours"], language).times == {"14:00", "17:00"}
    assert said["step"] == said["route"]
    assert 7 in figures(said["route"], language).numbers
    held = Route("instant", "", PartyRange(6, 0), steps=("card_hold", "sms_code"))
    text = route_text(held, "house", "Rinq", language, variant)
    facts = {fact.key: fact for fact in route_facts("ven_a", held)}
    step = facts[step_key("ven_a", "6-0")]
    alone = route_text(Route("instant", "", PartyRange(6, 0)), "house", "Rinq", language, variant)
    assert step.value == "card_hold_required"
    assert body_of(text)[slice(*span_of(text, step))].strip() == body_of(text)[len(body_of(alone)) :].strip()


def test_facts_have_the_values_of_the_record() -> None:
    scope = route_scope(BY_PHONE)
    assert scope == "7-0"
    assert {fact.key: fact.value for fact in route_facts("ven_a", BY_PHONE, READY)} == {
        route_key("ven_a", scope): "phone",
        step_key("ven_a", scope): "phone_call_required",
        contact_key("ven_a", scope): "03-0000-4417",
        contact_hours_key("ven_a", scope): "124567 14:00-17:00",
        have_ready_key("ven_a", scope): "name,party_size,phone_number",
    }
    assert hours_value(()) == ""
    assert window_value(BookingWindow(30, lead_minutes=120)) == "30d@00:00/120min"
    assert window_value(BookingWindow(0, 2, 1, "10:00")) == "2m/1@10:00"
    for mode in MODES:
        route = Route(mode, "", steps=("deposit",))
        stated = {fact.key: fact.value for fact in route_facts("ven_a", route)}
        assert stated[step_key("ven_a", "1-0")] == blocking_step(route)


def test_surface_and_page_say_and_state_the_same() -> None:
    routes = [(Route("instant", "", PartyRange(1, 6)), ()), (BY_PHONE, READY)]
    window, remarks = BookingWindow(30), (remark_text("points", "ja", 1), remark_text("news", "ja", 1, "Rinq"))
    parts = booking_parts("ven_a", routes, window, remarks, "席とーる", "Rinq", "ja", 1)
    texts = [route_text(route, "席とーる", "Rinq", "ja", 1, ready) for route, ready in routes]
    shown = tuple(Route(route.mode, text, route.party) for (route, _), text in zip(routes, texts, strict=True))
    surface = Surface(
        "srf_a",
        "ven_a",
        "席とーる",
        "ja",
        shown,
        window,
        window_text(window, "ja", 1),
        remarks,
        stated=surface_facts("ven_a", routes, window),
    )
    world = town(surface)
    bodies = [body_of(part.text) for part in parts]
    assert notices_of(surface.routes) == bodies[:2]
    assert body_of(surface.window_text) == bodies[2]
    assert all(body_of(remark) in bodies[3] for remark in remarks)
    assert surface.facts(world) == {fact.key: fact.value for part in parts for fact in part.stated}
    assert window_key("ven_a") in surface.facts(world)


def test_weekdays_in_a_row_are_a_span() -> None:
    assert days_in_words((2, 3, 4, 5, 6, 7), "ko") == "화~일"
    assert days_in_words((6, 7), "ja") == "土曜・日曜"
    assert days_in_words((1, 3, 4, 5), "en") == "Mon, Wed–Fri"
    assert days_in_words((7, 6, 5, 4, 3, 2, 1), "zh-Hant") == "每天"
    assert days_in_words((1, 2, 3), "ar") == "من الاثنين إلى الأربعاء"


def test_titles() -> None:
    for language in LANGUAGES:
        assert len({booking_title(language, variant) for variant in VARIANTS}) == 4
