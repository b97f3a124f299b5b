"""Hours, closures, cut-offs, charges and terms of venues: what follows from the printed rules."""

from __future__ import annotations

from typing import Any

import pytest
from town_kit import (
    DINNER,
    LUNCH,
    WEEK,
    ZONE,
    at,
    hours,
    local,
    place,
    surface,
    town,
    yen,
)

from agentbench_env.errors import ToolError
from agentbench_env.money import Money
from agentbench_tasks.commons.service_time import (
    ServiceTime,
    add_days,
    read_local,
    read_service_clock,
    service_time,
)
from agentbench_tasks.reservations.domain.blocking import MEANING, blocking_step
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.surface import (
    BookingWindow,
    ContactSpan,
    Route,
    RouteContact,
    contact_is_open,
    first_open,
    route_for,
    route_on,
)
from agentbench_tasks.reservations.domain.terms import (
    ChangeRule,
    Charge,
    DepositRule,
    HeadcountRule,
    HeadcountStep,
    NoShow,
    Occasion,
    Terms,
    Tier,
    cancel_charge,
    charge_total,
    deposit_total,
    exposure,
    free_until,
    headcount_charge,
    move_charge,
    no_show_total,
    occasion_at,
    terms_for,
)
from agentbench_tasks.reservations.domain.venue import (
    ClosureRule,
    Notice,
    SeasonHours,
    ServiceHours,
    effective_service,
    open_days,
    service_at,
    service_from,
)

ALWAYS = lambda day: True

# --- service times


def test_a_time_after_midnight_belongs_to_the_service_of_the_day_before() -> None:
    late = ServiceTime("2026-10-16", "25:30", ZONE)
    assert late.instant == at("2026-10-17T01:30")
    assert service_time(late.instant, ZONE) == late
    assert service_time(at("2026-10-17T06:00"), ZONE) == ServiceTime("2026-10-17", "06:00", ZONE)
    assert ServiceTime("2026-12-31", "24:00", ZONE).instant == at("2027-01-01T00:00")


def test_both_writings_of_a_late_time_are_read_alike() -> None:
    assert read_local("2026-10-16T25:30", ZONE, "start") == read_local("2026-10-17T01:30:00", ZONE, "start")
    assert read_service_clock("29:59", "from_time") == "29:59"


@pytest.mark.parametrize("text", ["2026-10-16", "2026-10-16T30:00", "2026-10-16 18:30", "2026-02-30T18:30", "T", ""])
def test_what_is_no_local_time_is_refused(text: str) -> None:
    with pytest.raises(ToolError) as caught:
        read_local(text, ZONE, "start")
    assert (caught.value.code, caught.value.field) == ("invalid_argument", "start")


# --- hours and closures


def days_closed(world: Any, first: str, last: str) -> list[int]:
    found, day = [], first
    while day <= last:
        if not effective_service(world, "ven_a", day):
            found.append(int(day[8:]))
        day = add_days(day, 1)
    return found


def closure(kind: Any, **fields: Any) -> ClosureRule:
    return ClosureRule(f"cls_{kind}", "ven_a", "pg_hours", kind, **fields)


def notice(from_date: str, scope: Any = "all", to_date: str = "") -> Notice:
    return Notice(f"ntc_{from_date}", "ven_a", "pg_notice", from_date, to_date or from_date, scope, "private_event")


def test_a_weekly_closure_shifts_past_a_public_holiday() -> None:
    rules = closure("weekly_shifted", weekdays=(1,)), notice("2026-10-08")
    world = town(place(), hours("hrs", DINNER), *rules)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [5, 8, 13]


def test_the_first_second_and_so_on_of_a_weekday() -> None:
    rules = closure("nth_weekday", weekdays=(1,), nth=(2, 4)), notice("2026-10-14")
    world = town(place(country="KR"), hours("hrs", DINNER), *rules)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [12, 14]


def test_a_notice_for_one_service_closes_no_day() -> None:
    rules = closure("weekly", weekdays=(2,)), notice("2026-10-09", "dinner")
    world = town(place(country="TW"), hours("hrs_l", LUNCH), hours("hrs_d", DINNER), *rules)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [6, 13]
    assert effective_service(world, "ven_a", "2026-10-09") == (LUNCH,)


def test_named_holidays_close_beside_the_weekly_day() -> None:
    rules = closure("weekly", weekdays=(3,)), closure("on_holidays", dates=("2026-10-13",))
    world = town(place(country="TH"), hours("hrs", DINNER), *rules)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [7, 13, 14]


def test_a_day_in_lieu_is_a_public_holiday_too() -> None:
    world = town(place(country="SG"), hours("hrs", DINNER), closure("weekly_shifted", weekdays=(1,)))
    assert days_closed(world, "2026-11-02", "2026-11-15") == [2, 10]


def test_a_venue_may_open_on_holidays_without_closing_another_day() -> None:
    rule = closure("weekly", weekdays=(1,), open_on_holidays=True)
    world = town(place(), hours("hrs", DINNER), rule)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [5]


def test_a_holiday_rule_goes_before_the_weekly_one() -> None:
    rules = closure("weekly_shifted", weekdays=(1,)), closure("on_holidays", dates=("2026-10-12",))
    world = town(place(), hours("hrs", DINNER), *rules)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [5, 12]
    world = town(place(), hours("hrs", DINNER), closure("period", from_date="2026-10-06", to_date="2026-10-08"))
    assert days_closed(world, "2026-10-05", "2026-10-18") == [6, 7, 8]


def test_seasonal_hours_stand_in_place_of_all_but_notices() -> None:
    evening = ServiceHours("dinner", "18:30", "24:45", "25:30")
    rules = closure("weekly", weekdays=(1,)), closure("on_holidays", dates=("2026-10-13",)), notice("2026-10-14")
    season = SeasonHours("sea", "ven_a", "pg_season", "2026-10-12", "2026-10-16", (1, 2, 3, 4), evening)
    world = town(place(), hours("hrs", LUNCH), season, *rules)
    assert days_closed(world, "2026-10-05", "2026-10-18") == [5, 14, 16]
    assert effective_service(world, "ven_a", "2026-10-12") == (evening,)


def test_services_of_a_day_come_in_their_order_and_hold_their_hours() -> None:
    world = town(place(), hours("hrs_d", DINNER), hours("hrs_l", LUNCH, (1, 2, 3, 4, 5)))
    assert effective_service(world, "ven_a", "2026-10-16") == (LUNCH, DINNER)
    assert effective_service(world, "ven_a", "2026-10-17") == (DINNER,)
    assert service_at(world, "ven_a", "2026-10-16", "24:59") == DINNER
    assert service_at(world, "ven_a", "2026-10-16", "25:00") is None
    assert service_at(world, "ven_a", "2026-10-16", "15:00") is None
    assert service_from(world, "ven_a", "2026-10-16", "15:00") == DINNER
    assert service_from(world, "ven_a", "2026-10-16", "25:00") is None
    assert (DINNER.last_start, LUNCH.last_start) == ("22:00", "14:00")


# --- cut-offs


@pytest.mark.parametrize(
    ("rule", "cutoff"),
    [
        (CutoffRule("hours_before", 72), "2026-11-17T19:00"),
        (CutoffRule("hours_before", 12), "2026-11-20T07:00"),
        (CutoffRule("days_before_at", 2, "21:00"), "2026-11-18T21:00"),
        (CutoffRule("day_start", 1), "2026-11-19T00:00"),
        (CutoffRule("day_start", 0), "2026-11-20T00:00"),
        (CutoffRule("days_before_at", 1, "24:00"), "2026-11-20T00:00"),
    ],
)
def test_a_cutoff_is_counted_back_from_the_booking(rule: CutoffRule, cutoff: str) -> None:
    assert local(rule.instant(at("2026-11-20T19:00"), ZONE, ALWAYS)) == cutoff


def test_business_days_are_the_venues_own_open_days() -> None:
    rules = closure("weekly_shifted", weekdays=(1,))
    is_open = open_days(town(place(), hours("hrs", DINNER), rules), "ven_a")
    start = at("2026-10-15T19:00")
    assert local(CutoffRule("business_days_before_at", 5, "21:00").instant(start, ZONE, is_open)) == "2026-10-09T21:00"
    with pytest.raises(ValueError, match="no open day"):
        CutoffRule("business_days_before_at", 1, "21:00").instant(start, ZONE, lambda day: False)


def test_days_are_counted_from_the_day_of_the_service() -> None:
    rule = CutoffRule("days_before_at", 1, "17:00")
    assert local(rule.instant(at("2026-10-17T01:30"), ZONE, ALWAYS)) == "2026-10-15T17:00"


# --- from the printed price to what is paid


@pytest.mark.parametrize(
    ("rule", "printed", "paid"),
    [
        (ChargeRule(), "150000 KRW", "150000 KRW"),
        (ChargeRule(10, mode="on_service", rounding="floor"), "12100 JPY", "13310 JPY"),
        (ChargeRule(10, mode="on_service", rounding="floor"), "12105 JPY", "13315 JPY"),
        (ChargeRule(10, 0, 9, "on_service"), "68.00 SGD", "81.53 SGD"),
        (ChargeRule(10, 0, 9, "on_service"), "45.00 SGD", "53.96 SGD"),
        (ChargeRule(10, 0, 9, "on_service"), "70.00 SGD", "83.93 SGD"),
        (ChargeRule(10, mode="on_service"), "1280 TWD", "1408 TWD"),
        (ChargeRule(10, mode="on_service"), "1285 TWD", "1414 TWD"),
        (ChargeRule(10, 0, 7, "on_service"), "1290.00 THB", "1518.33 THB"),
        (ChargeRule(10, 0, 7, "on_service"), "11610.00 THB", "13664.97 THB"),
        (ChargeRule(10, 7, 5, "each_on_net"), "220.00 AED", "268.40 AED"),
        (ChargeRule(10, 7, 5, "compounded"), "220.00 AED", "270.27 AED"),
        (ChargeRule(10, 7, 5, "final"), "220.00 AED", "220.00 AED"),
    ],
)
def test_the_bill_is_the_printed_price_with_its_charges(rule: ChargeRule, printed: str, paid: str) -> None:
    amount, currency = printed.split()
    assert str(rule.paid(Money.of(amount, currency))) == paid


def test_a_part_may_stay_as_printed() -> None:
    assert ChargeRule(10, mode="on_service", rounding="floor").paid(yen(11_000), exempt=yen(5_500)) == yen(11_550)


# --- terms


def money(amount: str, currency: str) -> Money:
    return Money.of(amount, currency)


FINAL = ChargeRule()


def menu(price: Money, charges: ChargeRule = FINAL, **fields: Any) -> SetMenu:
    deadline = CutoffRule("days_before_at", 3, "17:00")
    return SetMenu("mnu_a", "ven_a", "pg_menu", "Course", price, charges, PartyRange(), (), deadline, "", **fields)


def terms(id: str = "trm_a", **fields: Any) -> Terms:
    return Terms(id, "ven_a", "pg_terms", **fields)


def occasion(party_size: int, course: SetMenu | None, currency: str, zone: str = ZONE, **fields: Any) -> Occasion:
    return Occasion(party_size, at("2026-10-15T19:00", zone), zone, currency, course, **fields)


def test_terms_by_business_days_with_a_room_and_without_service() -> None:
    world = town(place(), hours("hrs", DINNER), closure("weekly_shifted", weekdays=(1,)))
    is_open = open_days(world, "ven_a")
    whole = Charge("pct", 100, "course_plus_room")
    rule = terms(
        tiers=(
            Tier(CutoffRule("business_days_before_at", 5, "21:00")),
            Tier(CutoffRule("business_days_before_at", 3, "21:00"), Charge("pct", 50)),
        ),
        no_show=NoShow(whole),
        room_fee=5_500,
    )
    charges = ChargeRule(10, mode="on_service", rounding="floor")
    party = occasion(6, menu(yen(16_500), charges), "JPY", room=True)
    assert local(free_until(rule, party, is_open)) == "2026-10-09T21:00"
    assert deposit_total(rule, party) == yen(0)
    assert no_show_total(rule, party) == exposure(rule, party) == yen(104_500)
    assert charge_total(Charge("pct", 100, "course_plus_room", True), rule, party) == yen(114_950)
    assert cancel_charge(rule, party, at("2026-10-09T21:00"), is_open) == yen(0)
    assert cancel_charge(rule, party, at("2026-10-09T21:01"), is_open) == yen(49_500)
    assert cancel_charge(rule, party, at("2026-10-11T21:01"), is_open) == yen(104_500)


@pytest.mark.parametrize(
    ("each", "cap", "surplus_returned", "charged", "lost"),
    [
        (100_000, "none", True, 240_000, 240_000),
        (100_000, "none", False, 240_000, 400_000),
        (50_000, "deposit", True, 200_000, 200_000),
    ],
)
def test_a_share_of_the_total_against_a_deposit(
    each: int, cap: Any, surplus_returned: bool, charged: int, lost: int
) -> None:
    rule = terms(
        deposit=DepositRule("charged", "per_head", each, surplus_returned=surplus_returned),
        no_show=NoShow(Charge("pct", 40, "total"), cap=cap),
    )
    party = occasion(4, menu(money("150000", "KRW")), "KRW", "Asia/Seoul")
    assert (no_show_total(rule, party).minor, exposure(rule, party).minor) == (charged, lost)


def test_a_cap_of_a_share_of_the_total() -> None:
    rule = terms(no_show=NoShow(Charge("per_head", 100_000), cap="pct", cap_pct=20))
    party = occasion(4, menu(money("150000", "KRW")), "KRW", "Asia/Seoul")
    assert no_show_total(rule, party) == money("120000", "KRW")


def test_the_full_price_with_service_and_tax_beside_a_credited_deposit() -> None:
    rule = terms(
        deposit=DepositRule("charged", "per_head", 3_000),
        tiers=(Tier(CutoffRule("hours_before", 48)),),
        no_show=NoShow(Charge("pct", 100, "course", charges_added=True)),
    )
    zone = "Asia/Singapore"
    party = occasion(7, menu(money("88", "SGD"), ChargeRule(10, 0, 9, "on_service")), "SGD", zone)
    assert deposit_total(rule, party) == money("210", "SGD")
    assert no_show_total(rule, party) == exposure(rule, party) == money("738.58", "SGD")
    assert local(free_until(rule, party, ALWAYS), zone) == "2026-10-13T19:00"


def test_a_hold_on_a_card_is_no_money_paid() -> None:
    zone = "Asia/Taipei"
    rule = terms(
        deposit=DepositRule("hold", "per_head", 500),
        tiers=(
            Tier(CutoffRule("day_start", 1)),
            Tier(CutoffRule("day_start", 0), Charge("pct", 50, "deposit")),
        ),
        no_show=NoShow(Charge("pct", 100, "deposit")),
    )
    party = occasion(10, None, "TWD", zone)
    assert deposit_total(rule, party) == exposure(rule, party) == money("5000", "TWD")
    assert local(free_until(rule, party, ALWAYS), zone) == "2026-10-14T00:00"
    assert cancel_charge(rule, party, at("2026-10-14T12:00", zone), ALWAYS) == money("2500", "TWD")


def test_a_deposit_that_never_comes_back() -> None:
    rule = terms(deposit=DepositRule("charged", "per_head", 50_000), no_show=NoShow(Charge("pct", 100, "deposit")))
    party = occasion(12, None, "THB", "Asia/Bangkok")
    assert deposit_total(rule, party) == exposure(rule, party) == money("6000", "THB")
    assert free_until(rule, party, ALWAYS) is None


def test_a_charge_in_addition_to_a_prepayment() -> None:
    zone = "Asia/Dubai"
    rule = terms(
        deposit=DepositRule("charged", "pct_of_course", 50),
        tiers=(
            Tier(CutoffRule("hours_before", 48)),
            Tier(CutoffRule("hours_before", 24), keeps_deposit=True),
            Tier(CutoffRule("hours_before", 0), Charge("per_head", 10_000), keeps_deposit=True),
        ),
        no_show=NoShow(Charge("per_head", 20_000), offset="in_addition"),
    )
    party = occasion(8, menu(money("395", "AED")), "AED", zone)
    assert deposit_total(rule, party) == money("1580", "AED")
    assert no_show_total(rule, party) == money("1600", "AED")
    assert exposure(rule, party) == money("3180", "AED")
    assert local(free_until(rule, party, ALWAYS), zone) == "2026-10-13T19:00"
    assert cancel_charge(rule, party, at("2026-10-14T10:00", zone), ALWAYS) == money("1580", "AED")
    assert cancel_charge(rule, party, at("2026-10-15T10:00", zone), ALWAYS) == money("2380", "AED")


def test_without_any_charge_cancelling_is_free_until_the_start() -> None:
    party = occasion(4, None, "JPY")
    assert free_until(terms(), party, ALWAYS) == party.start
    assert exposure(terms(), party) == yen(0)


def test_deposits_by_table_and_flat_and_a_charge_on_average_spend() -> None:
    party = occasion(7, None, "JPY", tables=2)
    assert deposit_total(terms(deposit=DepositRule("hold", "per_table", 5_000)), party) == yen(10_000)
    assert deposit_total(terms(deposit=DepositRule("hold", "flat", 5_000)), party) == yen(5_000)
    share = terms(deposit=DepositRule("charged", "pct_of_course", 50), average_spend=4_000)
    assert deposit_total(share, party) == yen(14_000)
    assert charge_total(Charge("per_table", 3_000), terms(), party) == yen(6_000)
    assert charge_total(Charge("flat", 3_000), terms(), party) == yen(3_000)
    half = Charge("pct", 50, "average_spend")
    assert charge_total(half, terms(average_spend=4_001), party) == yen(14_004)


def test_a_room_fee_may_be_free_of_service() -> None:
    whole = Charge("pct", 100, "total")
    party = occasion(2, menu(yen(10_000), ChargeRule(10, mode="on_service", rounding="floor")), "JPY", room=True)
    assert charge_total(whole, terms(room_fee=5_000), party) == yen(27_500)
    assert charge_total(whole, terms(room_fee=5_000, room_fee_served=False), party) == yen(27_000)


def test_fewer_heads_have_their_own_limits() -> None:
    rule = terms(
        headcount=HeadcountRule(
            (
                HeadcountStep(4, CutoffRule("days_before_at", 3, "17:00")),
                HeadcountStep(1, CutoffRule("days_before_at", 1, "17:00")),
            ),
            Charge("pct", 50),
        )
    )
    party = Occasion(12, at("2026-10-24T18:30"), ZONE, "JPY", menu(yen(8_800)))
    now = at("2026-10-22T10:00")
    assert headcount_charge(rule, party, 4, now, ALWAYS) == yen(17_600)
    assert headcount_charge(rule, party, 3, now, ALWAYS) == yen(0)
    assert headcount_charge(rule, party, 3, at("2026-10-23T17:00"), ALWAYS) == yen(0)
    assert headcount_charge(rule, party, 3, at("2026-10-23T17:01"), ALWAYS) == yen(13_200)
    assert headcount_charge(rule, party, 0, now, ALWAYS) == yen(0)
    assert headcount_charge(terms(), party, 4, now, ALWAYS) == yen(0)


def test_one_free_move_in_time() -> None:
    rule = terms(change=ChangeRule(CutoffRule("hours_before", 24), Charge("flat", 500), free_moves=1))
    party = occasion(4, None, "JPY")
    in_time, late = party.start - 86_400, party.start - 86_399
    assert [move_charge(rule, party, moves, in_time, ALWAYS).minor for moves in (0, 1)] == [0, 500]
    assert move_charge(rule, party, 0, late, ALWAYS) == yen(500)
    assert move_charge(terms(), party, 0, late, ALWAYS) == yen(0)


def test_the_narrowest_terms_in_force_apply() -> None:
    course = menu(yen(8_800))
    blocks = (
        terms("trm_old", valid_to="2026-09-30"),
        terms("trm_all", valid_from="2026-10-01"),
        terms("trm_big", party=PartyRange(5, 0), valid_from="2026-10-01"),
        terms("trm_course", booked="course", valid_from="2026-10-01"),
        terms("trm_this", booked="course", course_ids=("mnu_a",), party=PartyRange(5, 0)),
        terms("trm_room", room="room", booked="seat_only"),
        terms("trm_eve", dates=("2026-12-24",)),
        terms("trm_lunch", services=("lunch",), weekdays=(6, 7)),
    )
    world = town(place(), hours("hrs_l", LUNCH), hours("hrs_d", DINNER), course, *blocks)

    def found(start: str, party_size: int, course_id: str = "", room: bool = False) -> str:
        party = occasion_at(world, "ven_a", at(start), party_size, course_id, room)
        block = terms_for(world, "ven_a", party)
        return block.id if block else ""

    assert found("2026-09-30T19:00", 2) == "trm_old"
    assert found("2026-10-15T19:00", 4) == "trm_all"
    assert found("2026-10-15T19:00", 5) == "trm_big"
    assert found("2026-10-15T19:00", 4, "mnu_a") == "trm_course"
    assert found("2026-10-15T19:00", 5, "mnu_a") == "trm_this"
    assert found("2026-10-15T19:00", 5, room=True) == "trm_room"
    assert found("2026-12-24T19:00", 5, "mnu_a") == "trm_eve"
    assert found("2026-10-17T12:00", 4) == "trm_lunch"
    assert found("2026-10-17T19:00", 4) == "trm_all"
    assert terms_for(town(place()), "ven_a", occasion(4, None, "JPY")) is None


# --- routes, windows, contacts


def test_a_route_for_the_very_day_goes_before_the_others() -> None:
    eve = Route("phone", "", dates=("2026-12-24",))
    lunch = Route("in_person", "", services=("lunch",), weekdays=(6, 7))
    small, rest = Route("instant", "", PartyRange(1, 6)), Route("messenger", "", PartyRange(7, 12))
    house = surface(lunch, small, rest, eve)
    world = town(place(), house, hours("hrs_l", LUNCH), hours("hrs_d", DINNER))
    assert route_on(world, house, 4, "2026-10-16", "dinner") == small
    assert route_on(world, house, 4, "2026-10-17", "lunch") == lunch
    assert route_on(world, house, 8, "2026-10-16", "dinner") == rest
    assert route_on(world, house, 4, "2026-12-24", "dinner") == eve
    assert route_on(world, house, 13, "2026-10-16", "dinner") is None
    assert route_for(world, house, 4, at("2026-10-17T12:00")) == lunch
    assert route_for(world, house, 4, at("2026-10-18T00:30")) == small


def test_booking_opens_so_many_days_or_months_before() -> None:
    assert BookingWindow().opens("2026-12-24", ZONE) is None
    assert local(BookingWindow(days_ahead=30).opens("2026-12-24", ZONE)) == "2026-11-24T00:00"
    monthly = BookingWindow(months_ahead=2, opens_at="10:00")
    assert local(monthly.opens("2026-12-24", ZONE)) == "2026-10-01T10:00"
    assert local(monthly.opens("2027-01-05", ZONE)) == "2026-11-01T10:00"


def test_a_contact_keeps_its_hours_on_days_on_which_the_venue_opens() -> None:
    line = RouteContact("phone", "03-0000-4417", (ContactSpan(WEEK, "14:00", "17:00"),))
    world = town(place(), hours("hrs", DINNER), closure("weekly", weekdays=(3,)))
    assert local(first_open(world, "ven_a", line, at("2026-10-14T15:10"))) == "2026-10-15T14:00"
    assert first_open(world, "ven_a", line, at("2026-10-15T15:10")) == at("2026-10-15T15:10")
    assert local(first_open(world, "ven_a", line, at("2026-10-15T17:00"))) == "2026-10-16T14:00"
    assert not contact_is_open(world, "ven_a", line, at("2026-10-14T15:10"))
    assert contact_is_open(world, "ven_a", line, at("2026-10-15T14:00"))
    assert not contact_is_open(world, "ven_a", line, at("2026-10-15T17:00"))
    assert contact_is_open(world, "ven_a", RouteContact("messenger"), at("2026-10-14T03:00"))
    assert first_open(world, "ven_a", RouteContact("messenger"), at("2026-10-14T03:00")) is None
    assert first_open(town(place()), "ven_a", line, at("2026-10-14T15:10")) is None


def test_what_stops_an_assistant_follows_from_the_route() -> None:
    steps = ("course_choice", "card_hold", "sms_code")
    assert blocking_step(Route("instant", "", steps=steps)) == "card_hold_required"
    assert blocking_step(Route("instant", "", steps=("course_choice",))) == "none"
    assert blocking_step(Route("phone", "", steps=("card_hold",))) == "phone_call_required"
    assert MEANING[blocking_step(Route("members", ""))][:2] == ("book_as_member", "member_site")
