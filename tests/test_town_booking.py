"""Surfaces, slots, holds, confirmations, cards, codes and sign-ins."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from commons_kit import do, refused
from town_kit import (
    DAY,
    INSTANT,
    at,
    card,
    listing,
    place,
    profile,
    reached,
    reservation,
    surface,
    table,
    taken,
    town,
    venue,
    yen,
)

from agentbench_env.episode import error_message
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.tool import RESERVED_NAMES, Tool, description, input_schema
from agentbench_env.world import World
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import Stated
from agentbench_tasks.reservations.domain import groups
from agentbench_tasks.reservations.domain.booking_records import (
    CardAuthorisation,
    CodeRequest,
    Payment,
    Reservation,
    TableHold,
)
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.credentials import (
    BookingAuthoriseCard,
    BookingPayDeposit,
    BookingSignIn,
    BookingVerifyPhone,
)
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.guest_book import BookingFindReservations
from agentbench_tasks.reservations.domain.holds import (
    BookingConfirmHold,
    BookingHoldSlot,
    BookingReleaseHold,
    step_key,
)
from agentbench_tasks.reservations.domain.menus import SetMenu
from agentbench_tasks.reservations.domain.messages import MsgGetThread, MsgListThreads
from agentbench_tasks.reservations.domain.party import ANY_PARTY, PartyRange
from agentbench_tasks.reservations.domain.slots import AvailabilityAnswer, BookingSearchSlots, slot_key
from agentbench_tasks.reservations.domain.surface import BookingGetSurface, BookingWindow, Route, SignInEvent
from agentbench_tasks.reservations.domain.tables import LastTable, SeatingBlock, free_tables
from agentbench_tasks.reservations.domain.terms import DepositRule, Terms
from agentbench_tasks.reservations.domain.venue import Notice

CODES = [
    "unknown_place",
    "text_too_short",
    "unknown_scheme",
    "no_surface",
    "bad_party",
    "slot_gone",
    "closed",
    "party_not_accepted",
    "past_last_seating",
    "outside_window",
    "course_required",
    "not_active",
    "step_required",
    "expired",
    "no_such_step",
    "card_declined",
    "not_a_local_number",
    "wrong_code",
    "rejected",
    "too_broad",
    "not_manageable_online",
    "in_the_past",
    "already_cancelled",
    "no_board",
    "not_accepting",
    "on_site_only",
    "unknown_dish",
    "unknown_person_twice",
    "past_deadline",
    "unknown_channel",
    "cannot_send",
    "closed_now",
]


@pytest.mark.parametrize("tool", groups.ALL, ids=lambda tool: tool.name)
def test_a_tool_can_be_called_by_every_model_api(tool: type[Tool]) -> None:
    schema = input_schema(tool)
    assert not {"arguments", "name", "effect", "run", "nested"} & set(schema["properties"])
    assert tool.name not in RESERVED_NAMES
    assert description(tool).endswith(".")
    assert set(input_schema(tool, "flat")["properties"]) == set(schema["properties"])


def test_every_tool_stands_in_one_group() -> None:
    assert len(groups.ALL) == len({tool.name for tool in groups.ALL}) == 40
    assert {tool.effect for tool in groups.READ} == {"read"}
    assert {tool.effect for tool in groups.DRAFT} == {"draft"}
    assert {tool.effect for tool in groups.VERIFY} == {"credential"}


def test_every_language_has_words_for_each_refusal_and_sentence() -> None:
    english = shared_table("text/en/venue_desk")["sentences"]
    for code in market_codes():
        for language in load_market(code).languages:
            assert all(error_message(error, language, "x") for error in CODES), language
            sentences = shared_table(f"text/{language}/venue_desk")["sentences"]
            assert sentences.keys() == english.keys()
            assert all(sentence.count("{") == english[kind].count("{") for kind, sentence in sentences.items())


# --- tables


def tables(world: World, start: str, party_size: int, **more: Any) -> list[str]:
    return [one.id for one in free_tables(world, "ven_a", at(start), party_size, 120, **more)]


def test_a_party_gets_the_fewest_and_smallest_tables() -> None:
    world = town(*venue())
    assert tables(world, f"{DAY}T18:00", 1) == ["tbl_c"]
    assert tables(world, f"{DAY}T18:00", 2) == ["tbl_c"]
    assert tables(world, f"{DAY}T18:00", 2, seating="table") == ["tbl_1"]
    assert tables(world, f"{DAY}T18:00", 5) == ["tbl_off"]
    assert tables(world, f"{DAY}T18:00", 5, online_only=True) == ["tbl_1", "tbl_2"]
    assert tables(world, f"{DAY}T18:00", 8) == ["tbl_1", "tbl_2"]
    assert tables(world, f"{DAY}T18:00", 9) == []


def test_a_table_is_taken_by_blocks_holds_and_bookings_while_they_last() -> None:
    block = taken("tbl_1", f"{DAY}T18:00", f"{DAY}T20:00")
    booked = reservation(start=f"{DAY}T18:00", table_ids=("tbl_2",))
    world = town(*venue(block, booked, surface()))
    assert tables(world, f"{DAY}T19:30", 4, online_only=True) == []
    assert tables(world, f"{DAY}T20:00", 4, online_only=True) == ["tbl_1"]
    assert tables(world, f"{DAY}T16:00", 4, online_only=True) == ["tbl_1"]
    assert tables(world, f"{DAY}T18:00", 4, online_only=True, but="rsv_a") == ["tbl_2"]
    world.put(msgspec.structs.replace(booked, status="cancelled"))
    assert tables(world, f"{DAY}T18:00", 4, online_only=True) == ["tbl_2"]


def test_a_notice_may_close_the_room_alone() -> None:
    notice = Notice("ntc", "ven_a", "pg_n", DAY, "2026-10-17", "room", "repair")
    world = town(*venue(table("tbl_room", 4, 8, seating="room"), notice))
    assert tables(world, f"{DAY}T18:00", 8, seating="room") == []
    assert tables(world, "2026-10-18T00:30", 8, seating="room") == []
    assert tables(world, "2026-10-18T18:00", 8, seating="room") == ["tbl_room"]


# --- surface and slots


def search(world: World, party_size: int = 4, on_date: str = DAY, **arguments: Any) -> Any:
    return do(world, BookingSearchSlots, venue_id="ven_a", on_date=on_date, party_size=party_size, **arguments).result


def statuses(world: World, party_size: int = 4, on_date: str = DAY, **arguments: Any) -> dict[str, str]:
    return {slot.service_time: slot.status for slot in search(world, party_size, on_date, **arguments).slots}


def test_a_surface_tells_its_routes_in_words_only() -> None:
    house = surface(
        remarks=("各種カードをご利用いただけます。",), window_text="30日前から承ります。", terms_page_ids=("pg_t",)
    )
    shown = do(town(*venue(house)), BookingGetSurface, venue_id="ven_a")
    assert shown.result.notices == [
        "6名様まではネット予約を承ります。",
        "7名様以上はお電話にて承ります。",
        "各種カードをご利用いただけます。",
    ]
    assert (shown.result.booking_window, shown.result.terms_page_ids) == ("30日前から承ります。", ("pg_t",))
    assert shown.shown == {"srf_a": ()}
    assert surface(stated=(Stated("step", "none"),)).facts(town()) == {"step": "none"}
    assert refused(town(*venue()), BookingGetSurface, venue_id="ven_a").code == "no_surface"
    assert refused(town(*venue()), BookingGetSurface, venue_id="ven_x").code == "unknown_id"


def test_slots_run_to_the_last_seating_or_last_order_of_food() -> None:
    found = statuses(town(*venue(surface())))
    assert list(found)[:6] == ["11:30", "12:00", "12:30", "13:00", "13:30", "14:00"]
    assert list(found)[6:] == ["17:30", "18:00", "18:30", "19:00", "19:30", "20:00", "20:30", "21:00", "21:30", "22:00"]
    assert set(found.values()) == {"open"}


def test_free_tables_decide_each_slot() -> None:
    blocks = taken("tbl_1", f"{DAY}T19:30", f"{DAY}T21:00"), taken("tbl_2", f"{DAY}T19:00", f"{DAY}T21:00")
    world = town(*venue(surface(), *blocks))
    four = statuses(world, from_time="17:30", to_time="21:00")
    assert four == {
        "17:30": "open",
        "18:00": "full",
        "18:30": "full",
        "19:00": "full",
        "19:30": "full",
        "20:00": "full",
        "20:30": "full",
        "21:00": "open",
    }
    assert statuses(world, 2, from_time="19:30", to_time="19:30") == {"19:30": "open"}
    assert statuses(world, 2, from_time="19:30", to_time="19:30", seating="table") == {"19:30": "full"}
    assert statuses(world, 6, from_time="17:30", to_time="17:30") == {"17:30": "full"}
    (slot,) = search(world, 2, from_time="17:30", to_time="17:30").slots
    assert slot.seating == ("table", "counter")


def test_full_online_differs_from_full_in_the_words_only() -> None:
    busy = [taken(id, f"{DAY}T17:00", f"{DAY}T24:00") for id in ("tbl_1", "tbl_2", "tbl_off")]
    some = search(town(*venue(surface(), *busy)), from_time="18:00", to_time="18:00")
    records = [record for record in venue(surface(), *busy) if record.id != "tbl_off"]
    none = search(town(*records), from_time="18:00", to_time="18:00")
    assert [slot.status for slot in (*some.slots, *none.slots)] == ["full", "full"]
    assert "店舗へお問い合わせ" in some.message
    assert none.message == "ご指定の時間帯は満席です。"


def test_a_large_party_gets_an_answer_with_the_words_of_its_route() -> None:
    found = search(town(*venue(surface())), 7, from_time="18:00", to_time="19:00")
    assert {slot.status for slot in found.slots} == {"phone"}
    assert found.message == "7名様以上はお電話にて承ります。"
    nobody = search(town(*venue(surface(INSTANT))), 7)
    assert nobody.message == "この人数ではネット予約を承っておりません。"


def test_a_closed_day_is_an_answer() -> None:
    notice = Notice("ntc", "ven_a", "pg_n", DAY, DAY, "all", "repair")
    found = search(town(*venue(surface(), notice)))
    assert (found.slots, found.message) == ([], "この日は休業いたします。")
    assert search(town(*venue(surface())), from_time="15:00", to_time="16:00").message.startswith("ご指定の時間帯に")


def test_a_date_outside_the_window_is_an_answer() -> None:
    window = BookingWindow(days_ahead=6, lead_minutes=120)
    world = town(*venue(surface(window=window)))
    found = search(world)
    assert {slot.status for slot in found.slots} == {"not_yet"}
    assert found.message == "この日のご予約はまだ受け付けておりません。"
    today = statuses(world, on_date="2026-10-09")
    assert (today["12:00"], today["12:30"]) == ("closed", "open")
    past = search(world, on_date="2026-10-08")
    assert {slot.status for slot in past.slots} == {"closed"}
    assert past.message.startswith("この時間のご予約受付")


def test_a_house_that_answers_requests_says_so() -> None:
    found = search(town(*venue(surface(Route("request", "")))), from_time="18:00", to_time="18:00")
    assert [slot.status for slot in found.slots] == ["request"]
    assert found.message == "ご予約は店舗の確認後に確定いたします。"


def test_an_answer_is_stamped_and_states_each_slot() -> None:
    world = town(*venue(surface()))
    call = do(
        world, BookingSearchSlots, venue_id="ven_a", on_date=DAY, party_size=4, from_time="18:00", to_time="20:00"
    )
    answer = world.get(AvailabilityAnswer, call.result.answer_id)
    assert call.shown == {answer.id: ()}
    assert answer.facts(world)[slot_key("ven_a", DAY, "18:30", 4)] == "open"
    assert answer.covers("ven_a", DAY, "19:10", 4)
    assert not answer.covers("ven_a", DAY, "20:30", 4)
    assert not answer.covers("ven_a", DAY, "19:00", 2)
    assert search(world, from_time="18:00", to_time="20:00").answer_id == answer.id
    sofa = world.get(AvailabilityAnswer, search(world, seating="sofa", from_time="18:00", to_time="18:30").answer_id)
    assert [slot.status for slot in sofa.slots] == ["full", "full"]
    assert sofa.facts(world) == {}


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"party_size": 0}, "bad_party", "party_size"),
        ({"on_date": "16 Oct"}, "invalid_argument", "on_date"),
        ({"from_time": "7pm"}, "invalid_argument", "from_time"),
        ({"to_time": "30:00"}, "invalid_argument", "to_time"),
        ({"venue_id": "ven_x"}, "unknown_id", "venue_id"),
        ({"seating": "roof"}, "invalid_argument", "seating"),
    ],
)
def test_a_search_refuses(arguments: dict[str, Any], code: str, field: str) -> None:
    usual = {"venue_id": "ven_a", "on_date": DAY, "party_size": 4}
    error = refused(town(*venue(surface())), BookingSearchSlots, **{**usual, **arguments})
    assert (error.code, error.field) == (code, field)


# --- holds


def hold(world: World, start: str = f"{DAY}T18:30", **arguments: Any) -> Any:
    usual = {"venue_id": "ven_a", "start": start, "party_size": 4, "guest_name": "佐藤", "notes": "そばアレルギー"}
    return do(world, BookingHoldSlot, **{**usual, **arguments})


def not_held(world: World, start: str = f"{DAY}T18:30", **arguments: Any) -> tuple[str, str]:
    usual = {"venue_id": "ven_a", "start": start, "party_size": 4, "guest_name": "佐藤"}
    error = refused(world, BookingHoldSlot, **{**usual, **arguments})
    return error.code, error.field


def test_a_hold_takes_the_table_for_a_quarter_of_an_hour() -> None:
    world = town(*venue(surface()))
    made = hold(world)
    assert (made.effect, made.result.status, made.result.remaining_steps) == ("hold", "active", ())
    assert made.result.expires_at.local == "2026-10-09T10:15"
    assert made.result.notes == "そばアレルギー"
    assert world.get(TableHold, made.result.hold_id).table_ids == ("tbl_1",)
    assert tables(world, f"{DAY}T18:30", 4, online_only=True) == ["tbl_2"]
    assert reached(world) == []
    world.elapsed_ms += 900_000
    assert tables(world, f"{DAY}T18:30", 4, online_only=True) == ["tbl_1"]
    assert refused(world, BookingConfirmHold, hold_id=made.result.hold_id).code == "expired"
    assert refused(world, BookingReleaseHold, hold_id=made.result.hold_id).code == "not_active"


def test_a_released_hold_is_over() -> None:
    world = town(*venue(surface()))
    id = hold(world).result.hold_id
    assert do(world, BookingReleaseHold, hold_id=id).effect == "hold"
    assert refused(world, BookingReleaseHold, hold_id=id).code == "not_active"
    assert refused(world, BookingConfirmHold, hold_id=id).code == "not_active"
    assert refused(world, BookingConfirmHold, hold_id="hld_x").code == "unknown_id"


def test_a_hold_is_refused_for_what_the_slots_show() -> None:
    notice = Notice("ntc", "ven_a", "pg_n", "2026-10-17", "2026-10-17", "dinner", "private_event")
    blocks = [taken(id, f"{DAY}T17:00", f"{DAY}T19:00") for id in ("tbl_1", "tbl_2")]
    world = town(*venue(surface(window=BookingWindow(days_ahead=14)), notice, *blocks))
    assert not_held(world) == ("slot_gone", "start")
    assert not_held(world, f"{DAY}T19:10") == ("slot_gone", "start")
    assert not_held(world, f"{DAY}T15:00") == ("closed", "start")
    assert not_held(world, "2026-10-17T18:30") == ("closed", "start")
    assert not_held(world, f"{DAY}T22:30") == ("past_last_seating", "start")
    assert not_held(world, f"{DAY}T24:45") == ("past_last_seating", "start")
    assert not_held(world, f"{DAY}T25:00") == ("closed", "start")
    assert not_held(world, "2026-11-20T18:30") == ("outside_window", "start")
    assert not_held(world, "2026-10-08T18:30") == ("outside_window", "start")
    assert not_held(world, party_size=7) == ("party_not_accepted", "party_size")
    assert not_held(world, "soon") == ("invalid_argument", "start")
    assert not_held(town(*venue())) == ("no_surface", "venue_id")
    assert not_held(world, f"{DAY}T19:00", seating="sofa") == ("slot_gone", "start")
    message = refused(
        world, BookingHoldSlot, venue_id="ven_a", start=f"{DAY}T19:00", party_size=7, guest_name="佐藤"
    ).message
    assert message == "7名様以上はお電話にて承ります。"


def course(id: str = "mnu_a", venue_id: str = "ven_a", party: PartyRange = ANY_PARTY) -> SetMenu:
    deadline = CutoffRule("days_before_at", 3, "17:00")
    return SetMenu(id, venue_id, "pg_menu", "祝い", yen(8_800), ChargeRule(), party, (), deadline, "")


def test_a_course_may_have_to_be_chosen() -> None:
    route = Route("instant", "", steps=("course_choice",))
    more = course(), course("mnu_b", "ven_b"), course("mnu_big", party=PartyRange(6, 0))
    world = town(*venue(surface(route), *more))
    assert not_held(world) == ("course_required", "course_id")
    assert not_held(world, course_id="mnu_b") == ("unknown_id", "course_id")
    assert not_held(world, course_id="mnu_x") == ("unknown_id", "course_id")
    assert not_held(world, course_id="mnu_big") == ("party_not_accepted", "course_id")
    made = hold(world, course_id="mnu_a").result
    assert (made.course_id, made.remaining_steps) == ("mnu_a", ())


def test_a_slot_may_vanish_at_the_moment_of_holding() -> None:
    world = town(*venue(surface(), LastTable("lt", "ven_a", ("tbl_1", "tbl_2"), at(f"{DAY}T18:30"))))
    usual = {"venue_id": "ven_a", "start": f"{DAY}T18:30", "party_size": 4, "guest_name": "佐藤"}
    error = refused(world, BookingHoldSlot, **usual)
    assert error.code == "slot_gone"
    assert error.meanwhile is not None
    error.meanwhile(world)
    assert {block.table_id for block in world.all(SeatingBlock)} == {"tbl_1", "tbl_2"}
    assert statuses(world, from_time="18:30", to_time="18:30") == {"18:30": "full"}
    assert hold(world, f"{DAY}T21:00").result.status == "active"


# --- confirming


def test_confirming_books_in_the_users_name() -> None:
    world = town(*venue(surface(), Terms("trm", "ven_a", "pg_terms")))
    id = hold(world).result.hold_id
    made = do(world, BookingConfirmHold, hold_id=id)
    row = world.get(Reservation, made.result.reservation_id)
    assert (made.effect, row.status, row.guest_name, row.notes) == ("commit", "confirmed", "佐藤", "そばアレルギー")
    assert (row.made_via, row.account_id, row.phone_masked) == ("engine", "acc_dana", "090-****-0417")
    assert (row.terms_page_id, made.result.deposit.kind) == ("pg_terms", "none")
    assert len(row.reference) == 8
    assert made.result.in_account
    assert reached(world) == [("booking", "", "ven_a")]
    assert world.get(TableHold, id).status(world.now) == "converted"
    assert refused(world, BookingConfirmHold, hold_id=id).code == "not_active"


def test_a_form_reaches_nobody_until_it_is_confirmed() -> None:
    world = town(*venue(surface(Route("request", ""))))
    made = hold(world).result
    assert (made.status, made.expires_at.local) == ("prepared", "")
    assert tables(world, f"{DAY}T18:30", 4, online_only=True) == ["tbl_1"]
    world.elapsed_ms += 7_200_000
    assert do(world, BookingConfirmHold, hold_id=made.hold_id).result.status == "requested"
    assert reached(world) == [("request", "", "ven_a")]


# --- cards, deposits, codes


NO_DEPOSIT = DepositRule()


def guarded(*steps: Any, deposit: DepositRule = NO_DEPOSIT, **fields: Any) -> World:
    house = surface(Route("instant", "", steps=steps), **fields)
    terms = Terms("trm", "ven_a", "pg_terms", deposit)
    return town(*venue(house, terms), card(), card("pm_old", status="expired"), card("pm_bank", kind="iban"), profile())


def test_a_step_stands_in_the_way_of_confirming_and_is_shown_by_the_hold() -> None:
    world = guarded("card_hold", deposit=DepositRule("hold", "per_head", 5_000))
    made = hold(world).result
    assert (made.remaining_steps, made.deposit.amount) == (("card_hold",), "20000")
    facts = world.get(TableHold, made.hold_id).facts(world)
    assert facts == {step_key("ven_a", DAY, 4): "card_hold_required"}
    error = refused(world, BookingConfirmHold, hold_id=made.hold_id)
    assert (error.code, error.hint) == ("step_required", "card_hold")


def test_authorising_a_card_guarantees_without_money() -> None:
    world = guarded("card_hold", deposit=DepositRule("hold", "per_head", 5_000))
    id = hold(world).result.hold_id
    assert refused(world, BookingAuthoriseCard, hold_id=id, card_id="pm_old").code == "card_declined"
    assert refused(world, BookingAuthoriseCard, hold_id=id, card_id="pm_bank").code == "card_declined"
    assert refused(world, BookingAuthoriseCard, hold_id=id, card_id="pm_x").code == "unknown_id"
    assert refused(world, BookingAuthoriseCard, card_id="pm_visa").code == "invalid_argument"
    assert refused(world, BookingPayDeposit, hold_id=id, card_id="pm_visa").code == "no_such_step"
    given = do(world, BookingAuthoriseCard, hold_id=id, card_id="pm_visa")
    assert (given.effect, given.result.amount.amount, given.result.remaining_steps) == ("credential", "20000", ())
    assert refused(world, BookingAuthoriseCard, hold_id=id, card_id="pm_visa").code == "no_such_step"
    assert [row.card_id for row in world.all(CardAuthorisation)] == ["pm_visa"]
    booked = do(world, BookingConfirmHold, hold_id=id).result
    assert (booked.deposit.kind, booked.card_on_file) == ("hold", True)
    assert [row[:2] for row in reached(world)] == [("credential", "card_authorisation"), ("booking", "")]


def test_paying_a_deposit_takes_money() -> None:
    world = guarded("deposit", deposit=DepositRule("charged", "per_head", 1_000))
    id = hold(world).result.hold_id
    assert refused(world, BookingAuthoriseCard, hold_id=id, card_id="pm_visa").code == "no_such_step"
    assert refused(world, BookingPayDeposit, hold_id=id, card_id="pm_old").code == "card_declined"
    paid = do(world, BookingPayDeposit, hold_id=id, card_id="pm_visa")
    assert (paid.effect, paid.result.amount.amount) == ("commit", "4000")
    assert [(row.kind, row.amount) for row in world.all(Payment)] == [("deposit", yen(4_000))]
    booked = do(world, BookingConfirmHold, hold_id=id).result
    assert (booked.deposit.kind, booked.deposit.amount.amount) == ("charged", "4000")
    assert reached(world)[0] == ("payment", "deposit", "ven_a")


def test_a_step_of_a_reservation_is_done_on_it() -> None:
    world = guarded("card_hold", deposit=DepositRule("hold", "flat", 3_000))
    world.put(reservation(remaining_steps=("card_hold",), terms_id="trm"))
    given = do(world, BookingAuthoriseCard, reservation_id="rsv_a", card_id="pm_visa").result
    row = world.get(Reservation, "rsv_a")
    assert (given.amount.amount, row.remaining_steps, row.card_on_file) == ("3000", (), True)
    assert row.deposit.kind == "hold"
    assert refused(world, BookingPayDeposit, reservation_id="rsv_a", card_id="pm_visa").code == "no_such_step"


def test_a_code_is_sent_to_a_local_number_and_entered() -> None:
    world = guarded("sms_code", code_prefixes=("090", "8190"))
    id = hold(world).result.hold_id
    assert refused(world, BookingVerifyPhone, hold_id=id, number="010-0000-1234").code == "not_a_local_number"
    assert refused(world, BookingVerifyPhone, hold_id=id, number="-").code == "not_a_local_number"
    assert refused(world, BookingVerifyPhone, hold_id=id, number="09000000417", code="1").code == "wrong_code"
    sent = do(world, BookingVerifyPhone, hold_id=id, number="090-0000-0417")
    assert (sent.effect, sent.result.state, sent.result.remaining_steps) == ("credential", "sent", ("sms_code",))
    (asked,) = world.all(CodeRequest)
    (head,) = do(world, MsgListThreads, channel="sms").result.threads
    (message,) = do(world, MsgGetThread, thread_id=head.thread_id).result.messages
    assert asked.code in message.text
    assert refused(world, BookingVerifyPhone, hold_id=id, number="09000000417", code="x").code == "wrong_code"
    done = do(world, BookingVerifyPhone, hold_id=id, number="09000000417", code=asked.code)
    assert (done.result.state, done.result.remaining_steps) == ("verified", ())
    assert [row[:2] for row in reached(world)] == [("credential", "code_request"), ("credential", "code_entry")]
    assert refused(world, BookingVerifyPhone, hold_id=id, number="09000000417").code == "no_such_step"


def test_a_code_that_goes_to_somebody_else_is_not_seen() -> None:
    world = guarded("identity_code")
    id = hold(world).result.hold_id
    do(world, BookingVerifyPhone, hold_id=id, number="090-0000-9999")
    assert world.all(Message) == []


def test_nothing_ends_the_wait_for_a_call_back() -> None:
    world = guarded("call_back")
    id = hold(world).result.hold_id
    assert refused(world, BookingConfirmHold, hold_id=id).code == "step_required"
    assert refused(world, BookingVerifyPhone, hold_id=id, number="090").code == "no_such_step"


def test_members_see_and_use_routes_of_their_own() -> None:
    members = Route("members", "会員の方のみ承ります。")
    extra = Route("instant", "会員の皆様は8名様まで承ります。", PartyRange(1, 8))
    house = surface(members, member_routes=(extra,), member_id="M-1001", member_secret="open")
    world = town(*venue(house))
    assert not_held(world) == ("party_not_accepted", "party_size")
    for wrong in ({"member_id": "M-1001"}, {"member_id": "M-2", "secret": "open"}, {"member_id": ""}):
        assert refused(world, BookingSignIn, surface_id="srf_a", **wrong).code == "rejected"
    assert refused(world, BookingSignIn, surface_id="srf_x", member_id="M-1001").code == "unknown_id"
    view = do(world, BookingSignIn, surface_id="srf_a", member_id="m-1001", secret="open")
    assert (view.effect, view.result.notices) == ("credential", ["会員の皆様は8名様まで承ります。"])
    assert len(world.all(SignInEvent)) == 1
    assert reached(world) == [("credential", "sign_in", "ven_a")]
    assert hold(world, party_size=8).result.status == "active"


# --- the guest book


def guest_book() -> World:
    return town(
        *venue(surface()),
        place("ven_b"),
        listing("ven_b"),
        reservation("rsv_own", f"{DAY}T18:30"),
        reservation("rsv_late", f"{DAY}T25:00", venue_id="ven_b"),
        reservation("rsv_other", f"{DAY}T19:00", account_id="", guest_name="佐藤健 様", phone_masked="080-****-1111"),
        reservation("rsv_phone", "2026-10-17T19:00", account_id="", made_via="phone", guest_name="Tan Wei"),
    )


def found(world: World, **arguments: Any) -> list[str]:
    rows = do(world, BookingFindReservations, **arguments).result.reservations
    return [row.reservation_id for row in rows]


def test_without_a_name_only_the_accounts_own_are_found() -> None:
    world = guest_book()
    assert found(world) == ["rsv_own", "rsv_late"]
    assert found(world, venue_id="ven_b", on_date=DAY) == ["rsv_late"]
    assert found(world, on_date="2026-10-17") == []
    (row,) = do(world, BookingFindReservations, venue_id="ven_a").result.reservations
    assert (row.in_account, row.phone, row.start.local) == (True, "090-****-0417", f"{DAY}T18:30")


def test_a_name_finds_other_guests_masked() -> None:
    world = guest_book()
    assert found(world, surname="佐藤", venue_id="ven_a") == ["rsv_own", "rsv_other"]
    assert found(world, surname="TAN", on_date="2026-10-17") == ["rsv_phone"]
    assert found(world, surname="Ta", on_date="2026-10-17") == []
    assert found(world, reservation_id="rsv_phone") == ["rsv_phone"]
    stranger = world.get(Reservation, "rsv_other").facts(world)
    assert "reservation.rsv_other.account" not in stranger
    assert world.get(Reservation, "rsv_own").facts(world)["reservation.rsv_own.account"] == "acc_dana"


def test_a_search_of_all_guest_books_is_too_broad() -> None:
    world = guest_book()
    assert refused(world, BookingFindReservations, surname="佐藤").code == "too_broad"
    assert refused(world, BookingFindReservations, reservation_id="rsv_x").code == "unknown_id"
    assert refused(world, BookingFindReservations, on_date="tomorrow").code == "invalid_argument"
    many = [reservation(f"rsv_{n}", f"{DAY}T18:30") for n in range(21)]
    assert refused(town(*venue(), *many), BookingFindReservations).code == "too_broad"
    long = [reservation(f"rsv_{n}", f"{DAY}T18:30", notes="窓側" * 500) for n in range(14)]
    assert refused(town(*venue(), *long), BookingFindReservations).code == "too_broad"
