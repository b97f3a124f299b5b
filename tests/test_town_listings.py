"""Rooms, listings and firms: they say what the records say, in every market, language and wording."""

from __future__ import annotations

import pytest
from food_kit import HOUSES, amount, check_parts, every_house, house, read

from agentbench_env.market import load_market, shared_table
from agentbench_env.money import Money
from agentbench_tasks.commons.texts import Text, body_of
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.diet_page import DietStatement, declared_part, diet_key
from agentbench_tasks.reservations.domain.listing_text import (
    about_text,
    all_in_part,
    need_tags,
    open_till,
    owner_section,
    price_symbol,
    site_tag,
    tables_tonight,
)
from agentbench_tasks.reservations.domain.market import in_language, reservation_market
from agentbench_tasks.reservations.domain.menu_page import band_key
from agentbench_tasks.reservations.domain.publishing import Part
from agentbench_tasks.reservations.domain.quote_page import (
    QuoteGuide,
    covers_key,
    firm_text,
    quote_keys_key,
    quote_parts,
    trade_key,
)
from agentbench_tasks.reservations.domain.rooms_page import (
    Rooms,
    capacity_key,
    noise_key,
    room_key,
    rooms_parts,
    rooms_title,
    seating_key,
    works_key,
)
from agentbench_tasks.reservations.domain.town import town

UNTIL = "2026-11-30"


def values(parts: tuple[Part, ...]) -> dict[str, object]:
    return {fact.key: fact.value for part in parts for fact in part.stated}


# --- rooms


@every_house
def test_a_page_of_rooms_says_what_the_record_says(code: str, language: str, variant: int) -> None:
    currency = load_market(code).currency
    fee, spend = Money(15000, currency), Money(800000, currency)
    full = Rooms("rms_1", "ven_a", "pg_r", "quiet", ("table", "floor"), "closed_room", 8, fee, spend)
    parts = rooms_parts(full, language, variant)
    check_parts((Part(rooms_title(language, variant)), *parts), language)
    bodies = [body_of(part.text) for part in parts]
    assert len(bodies) == 5
    seats = shared_table(f"text/{language}/rooms_page")["seats"]
    assert all((seats[seat] in bodies[0]) == (seat in full.seating) for seat in seats)
    assert "8" in bodies[2]
    assert read(bodies[3], "money", currency) == {amount(fee)}
    assert read(bodies[4], "money", currency) == {amount(spend)}
    known = values(parts)
    assert known[seating_key("ven_a")] == "floor,table"
    assert known[noise_key("ven_a")] == "quiet"
    assert known[room_key("ven_a")] == "closed_room"
    assert known[capacity_key("ven_a")] == 8


@every_house
def test_a_room_under_works_is_none_to_be_had(code: str, language: str, variant: int) -> None:
    rooms = Rooms("rms_1", "ven_a", "pg_r", room="closed_room", capacity=8, works_until=UNTIL)
    (part,) = rooms_parts(rooms, language, variant)
    assert read(body_of(part.text), "date") == {UNTIL}
    assert values((part,)) == {room_key("ven_a"): "none", works_key("ven_a"): UNTIL}
    assert rooms.room_to_be_had == "none"


@every_house
def test_every_kind_of_room_and_noise_has_words_of_its_own(code: str, language: str, variant: int) -> None:
    rooms = [
        Rooms("rms_1", "ven_a", "pg_r", noise, (), room, capacity)
        for noise, room, capacity in [
            ("quiet", "none", 0),
            ("moderate", "partial", 6),
            ("loud", "partial", 0),
            ("quiet", "closed_room", 12),
            ("quiet", "closed_room", 0),
        ]
    ]
    said = [tuple(body_of(part.text) for part in rooms_parts(one, language, variant)) for one in rooms]
    assert len({noise for noise, _ in said}) == 3
    assert len({room for _, room in said}) == 5
    assert [capacity_key("ven_a") in values(rooms_parts(one, language, variant)) for one in rooms] == [
        one.capacity > 0 for one in rooms
    ]
    assert rooms_parts(Rooms("rms_2", "ven_a", "pg_r"), language, variant) == ()


# --- listings


@every_house
def test_an_owner_may_state_facts_in_a_listing_or_none(code: str, language: str, variant: int) -> None:
    market, currency, city = reservation_market(code), load_market(code).currency, town(code)
    venue = house(code)
    about = about_text(
        venue,
        in_language(city.cuisines[0].names, language),
        in_language(city.districts[0].landmark.names, language),
        language,
        variant,
    )
    plain, nothing = owner_section(about, "2026-09-01")
    assert nothing == ()
    assert (venue.name.latin if language == "en" else venue.name.local) in body_of(plain.text)
    need = next(diet.need for diet in market.diets if diet.need != "halal_certified")
    cost, rule = Money(market.bands.edges[1], currency), ChargeRule()
    rooms = Rooms("rms_1", venue.id, "", "loud", room="none")
    parts = (
        declared_part(DietStatement("dst_1", venue.id, "", need), language, variant),
        all_in_part(venue.id, market.bands, cost, rule, language, variant),
        *rooms_parts(rooms, language, variant),
    )
    section, stated = owner_section(about, "2026-09-01", parts)
    body = body_of(section.text)
    assert body.startswith(body_of(plain.text))
    assert all(body_of(part.text) in body for part in parts)
    assert amount(cost) in read(body, "money", currency)
    assert {fact.key: fact.value for fact in stated} == {
        diet_key(venue.id, need): "declared",
        band_key(venue.id): "C",
        noise_key(venue.id): "loud",
        room_key(venue.id): "none",
    }
    assert isinstance(section.text, Text)


@every_house
def test_the_site_has_words_of_its_own(code: str, language: str, variant: int) -> None:
    market = reservation_market(code)
    assert len({tables_tonight(hint, language, variant) for hint in ("some", "few", "none")}) == 3
    assert "22:00" in read(open_till("22:00", language, variant), "time")
    assert open_till("25:30", language, variant) != open_till("22:00", language, variant)
    assert site_tag("quiet", language) != site_tag("private_room", language)
    assert all(need_tags(market, diet.need, language) for diet in market.diets)


def test_price_symbols_follow_the_printed_price() -> None:
    for code, language in HOUSES:
        market, currency = reservation_market(code), load_market(code).currency
        edges = market.bands.edges
        printed = [edges[0] - 1, edges[0], edges[1], edges[2], edges[3]]
        symbols = [price_symbol(market.bands, Money(minor, currency), language) for minor in printed]
        assert [len(symbol) for symbol in symbols] == [1, 1, 2, 3, 4]
        assert len(set("".join(symbols))) == 1


# --- firms


@every_house
@pytest.mark.parametrize("channel", ["mail", "messenger", "web_form"])
def test_a_firm_prints_what_it_needs(channel: str, code: str, language: str, variant: int) -> None:
    market, city = reservation_market(code), town(code)
    names = shared_table(f"text/{language}/reservations_guides")["names"]
    districts = [in_language(row.names, language) for row in city.districts[:2]]
    for service in market.home_services:
        firm = house(code, kind="home_service", trades=(service.trade,), covers=("plc_1", "plc_2"))
        guide = QuoteGuide(
            "qtg_1",
            firm.id,
            "pg_q",
            service.trade,
            service.asks[:8],
            channel,  # type: ignore[arg-type]
            "ask.example/form",
            service.capabilities[:1],
            (3, 4, 5),
            market.vat.quotes[0],
        )
        parts = quote_parts(firm, guide, districts, market, language, variant)
        check_parts(parts, language)
        bodies = [body_of(part.text) for part in parts]
        assert len(bodies) == 8
        assert names["trades"][service.trade] in bodies[1]
        assert all((names["quote_keys"][key] in bodies[2]) for key in guide.keys)
        assert guide.address in bodies[3]
        assert all(district in bodies[4] for district in districts)
        assert names["capabilities"][guide.capabilities[0]] in bodies[5]
        weekdays = shared_table(f"writing/{language}")["weekdays"]
        assert [day for day, name in enumerate(weekdays, 1) if name in bodies[6]] == [3, 4, 5]
        assert in_language(market.vat.words[guide.tax], language) in bodies[7]
        assert values(parts)[quote_keys_key(firm.id)] == ",".join(guide.keys)
        text, stated = firm_text(firm, guide, districts, language, variant)
        assert all(district in body_of(text) for district in districts)
        assert {fact.key: fact.value for fact in stated} == {
            trade_key(firm.id, service.trade): True,
            covers_key(firm.id): "plc_1,plc_2",
        }


def test_a_firm_without_extras_says_nothing_of_them() -> None:
    code, language = HOUSES[0]
    market = reservation_market(code)
    firm = house(code, kind="home_service", covers=("plc_1",))
    guide = QuoteGuide("q", firm.id, "pg", "small_move", ("lift",), "mail", "a@b.example", (), (1,), "excluded")
    assert len(quote_parts(firm, guide, ["A"], market, language, 0)) == 7
