"""Set menus, pre-order sheets, and messages in every channel."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from commons_kit import do, every_page, flat, refused
from town_kit import DINNER, WEEK, at, hours, local, place, reached, reservation, town, venue, yen

from agentbench_env.money import Money
from agentbench_env.world import World, content_digest
from agentbench_tasks.commons.contacts import Contact
from agentbench_tasks.commons.messages import Address, Message
from agentbench_tasks.commons.outbound import Outbound, PrivateString
from agentbench_tasks.commons.papers import Paper
from agentbench_tasks.commons.texts import Stated
from agentbench_tasks.commons.values import ROW
from agentbench_tasks.reservations.domain.charges import ChargeRule
from agentbench_tasks.reservations.domain.cutoffs import CutoffRule
from agentbench_tasks.reservations.domain.menus import (
    Course,
    Dish,
    DishVariant,
    KidVariant,
    SetMenu,
    preorder_deadline,
)
from agentbench_tasks.reservations.domain.messages import (
    MessageDraft,
    MsgGetThread,
    MsgListThreads,
    MsgSaveDraft,
    MsgSendDraft,
    Participant,
    Thread,
)
from agentbench_tasks.reservations.domain.party import PartyRange
from agentbench_tasks.reservations.domain.preorder import PreorderGetMenu, PreorderSaveSheet, PreorderSubmitSheet
from agentbench_tasks.reservations.domain.preorder_records import Sheet
from agentbench_tasks.reservations.domain.venue import ClosureRule

# --- menus


def menu(id: str = "mnu_a", **fields: Any) -> SetMenu:
    rest: dict[str, Any] = {
        "page_id": "pg_menu",
        "name": "祝いコース",
        "price": yen(8_800),
        "charges": ChargeRule(10, mode="on_service", rounding="floor"),
        "party": PartyRange(2, 0),
        "courses": (Course("前菜", ("dsh_1", "dsh_2")), Course("主菜", ("dsh_3",))),
        "deadline": CutoffRule("days_before_at", 3, "17:00"),
        "deadline_text": "ご注文は3日前の17時までに承ります。",
        "rules_text": "主菜は一卓3種まで。",
        "kid": KidVariant("mnu_kid", 7),
        **fields,
    }
    return SetMenu(id, "ven_a", **rest)


DISHES = (
    Dish("dsh_1", "ven_a", "玉子豆腐", ("egg",), ("crustacean",), variants=(DishVariant("dsh_1x", "卵抜き"),)),
    Dish("dsh_1x", "ven_a", "豆腐", diets=("vegan",)),
    Dish("dsh_2", "ven_a", "刺身", ("fish",)),
    Dish("dsh_3", "ven_a", "伊勢海老", ("crustacean",), supplement=3_500),
    Dish("dsh_far", "ven_b", "他店の皿"),
)


def kitchen(*more: Any, **settings: Any) -> World:
    booked = reservation("rsv_a", "2026-11-14T18:00", 9)
    return town(*venue(), place("ven_b"), menu(), *DISHES, booked, GROUP, *more, **settings)


def test_menus_are_listed_with_price_and_charges() -> None:
    call = do(kitchen(menu("mnu_b", kid=None)), PreorderGetMenu, venue_id="ven_a")
    first, second = call.result.menus
    assert (first.menu_id, first.price_per_person.amount, first.charges.service_pct) == ("mnu_a", "8800", 10)
    assert (first.kid_menu_id, first.kid_up_to_age, second.kid_up_to_age) == ("mnu_kid", 7, -1)
    assert call.result.dishes == []
    assert call.shown == {"mnu_a": ("price.mnu_a",), "mnu_b": ("price.mnu_b",)}


def test_a_menu_is_read_with_its_dishes_and_their_variants() -> None:
    world = kitchen()
    call = do(world, PreorderGetMenu, venue_id="ven_a", menu_id="mnu_a")
    assert [course.dish_ids for course in call.result.courses] == [("dsh_1", "dsh_2"), ("dsh_3",)]
    assert [dish.dish_id for dish in call.result.dishes] == ["dsh_1", "dsh_1x", "dsh_2", "dsh_3"]
    egg = call.result.dishes[0]
    assert (egg.contains, egg.may_contain, egg.variants[0].text) == (("egg",), ("crustacean",), "卵抜き")
    assert call.result.dishes[3].supplement.amount == "3500"
    assert (call.result.rules, call.result.deadline) == ("主菜は一卓3種まで。", "ご注文は3日前の17時までに承ります。")
    assert set(call.shown) == {"mnu_a", "dsh_1", "dsh_1x", "dsh_2", "dsh_3"}
    assert DISHES[0].facts(world)["may_contain.dsh_1"] == "crustacean"
    assert menu(stated=(Stated("deadline", "x"),)).facts(world) == {"deadline": "x", "price.mnu_a": 8_800}
    assert refused(world, PreorderGetMenu, venue_id="ven_b", menu_id="mnu_a").code == "unknown_id"
    assert refused(world, PreorderGetMenu, venue_id="ven_a", menu_id="mnu_x").code == "unknown_id"
    assert refused(world, PreorderGetMenu, venue_id="ven_x").code == "unknown_id"


def test_a_deadline_on_a_closing_day_moves_to_the_open_day_before() -> None:
    zone = "Asia/Bangkok"
    rule = ClosureRule("cls", "ven_a", "pg_hours", "weekly", weekdays=(3,))
    world = town(place(zone=zone, country="TH"), hours("hrs", DINNER, WEEK), rule)
    start = at("2026-11-14T18:00", zone)
    assert local(preorder_deadline(world, menu(closed_shift="previous_open"), start), zone) == "2026-11-10T17:00"
    assert local(preorder_deadline(world, menu(), start), zone) == "2026-11-11T17:00"
    sunday = at("2026-11-15T18:00", zone)
    assert local(preorder_deadline(world, menu(closed_shift="previous_open"), sunday), zone) == "2026-11-12T17:00"
    late = menu(deadline=CutoffRule("days_before_at", 3, "24:00"), closed_shift="previous_open")
    assert local(preorder_deadline(world, late, sunday), zone) == "2026-11-13T00:00"


# --- sheets


def line(person_id: str = "ctc_mei", **fields: Any) -> dict[str, Any]:
    return {"person_id": person_id, "menu_id": "mnu_a", "dish_ids": ["dsh_1", "dsh_3"], "price": "12300", **fields}


def sheet(*lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"reservation_id": "rsv_a", "lines": list(lines or (line(),)), "stated_total": "13530", **fields}


def test_a_sheet_is_private_and_is_overwritten_as_a_whole() -> None:
    world = kitchen()
    saved = do(world, PreorderSaveSheet, **sheet(line(), line(child=True, price="4400")))
    assert (saved.effect, saved.result.revision) == ("draft", 1)
    kept = world.get(Sheet, saved.result.sheet_id)
    assert [(one.person_id, one.child, one.price) for one in kept.lines] == [
        ("ctc_mei", False, yen(12_300)),
        ("ctc_mei", True, yen(4_400)),
    ]
    assert (kept.stated_total, kept.addressee_id, kept.binds) == (yen(13_530), "ven_a", True)
    again = do(world, PreorderSaveSheet, **sheet(stated_total="1", sheet_id=kept.id)).result
    assert (again.sheet_id, again.revision) == (kept.id, 2)
    assert again.digest == content_digest(world.get(Sheet, kept.id)) != saved.result.digest
    assert reached(world) == []


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        (sheet(line(dish_ids=["dsh_x"])), "unknown_dish", "lines.0.dish_ids"),
        (sheet(line(dish_ids=["dsh_far"])), "unknown_dish", "lines.0.dish_ids"),
        (sheet(line(menu_id="mnu_far")), "unknown_id", "lines.0.menu_id"),
        (sheet(line("ctc_x")), "unknown_id", "lines.0.person_id"),
        (sheet(line(menu_id="mnu_x")), "unknown_id", "lines.0.menu_id"),
        (sheet(line(), line()), "unknown_person_twice", "lines"),
        (sheet(reservation_id="rsv_x"), "unknown_id", "reservation_id"),
        (sheet(line(price="much")), "invalid_argument", "lines.0.price"),
        (sheet(stated_total="12.5"), "invalid_argument", "stated_total"),
        (sheet(currency="USD"), "invalid_argument", "currency"),
        (sheet(sheet_id="sht_x"), "not_a_draft", "sheet_id"),
    ],
)
def test_a_sheet_is_refused_for_what_it_cannot_mean(arguments: dict[str, Any], code: str, field: str) -> None:
    far = msgspec.structs.replace(menu("mnu_far"), venue_id="ven_b")
    error = refused(kitchen(far), PreorderSaveSheet, **arguments)
    assert (error.code, error.field) == (code, field)


def test_submitting_orders_until_the_deadline_itself() -> None:
    for now, allowed in (("2026-11-11T17:00", True), ("2026-11-11T17:01", False)):
        world = kitchen(now=now)
        id = do(world, PreorderSaveSheet, **sheet()).result.sheet_id
        if not allowed:
            assert refused(world, PreorderSubmitSheet, sheet_id=id).code == "past_deadline"
            continue
        ordered = do(world, PreorderSubmitSheet, sheet_id=id)
        assert (ordered.effect, world.get(Sheet, id).state) == ("commit", "submitted")
        assert world.get(Sheet, id).reference == ordered.result.order_number
        (row,) = world.all(Outbound)
        assert (row.kind, row.recipient_org_id, row.amount) == ("order", "ven_a", yen(13_530))
        assert refused(world, PreorderSubmitSheet, sheet_id=id).code == "not_a_draft"
        assert refused(world, PreorderSaveSheet, **sheet(sheet_id=id)).code == "not_a_draft"
    assert refused(kitchen(), PreorderSubmitSheet, sheet_id="sht_x").code == "not_a_draft"


# --- messages


def contact(id: str, name: str, **fields: Any) -> Contact:
    rest: dict[str, Any] = {
        "native_name": name,
        "latin_name": name,
        "organisation": "",
        "department": "",
        "title": "",
        "emails": (f"{name.lower()}@friends.example",),
        "languages": ("en",),
        "relation": "friend",
        "register_due": (),
        "address_forms": (),
        "zone": "Asia/Tokyo",
        "country": "JP",
        "working_week": (),
        "meeting_hours": (),
        "is_internal": False,
        **fields,
    }
    return Contact(id, name, **rest)


def said(n: int, thread_id: str, sender: str, text: str, **fields: Any) -> Message:
    rest: dict[str, Any] = {"channel": "messenger", "language": "en", **fields}
    sent_at = at("2026-10-01T09:00") + n * 60
    return Message(
        f"msg_{n:02}", thread_id, rest.pop("folder", ""), Address(sender), (), sent_at, "Asia/Tokyo", "", text, **rest
    )


USER = Participant("ctc_self", "Dana", "dana@home.example")
GROUP = Thread(
    "thr_g",
    "messenger",
    "",
    "November dinner",
    (USER, Participant("ctc_mei", "Mei", "@mei"), Participant("ctc_tom", "Tom", "@tom")),
)
SHOP = Thread("thr_v", "messenger", "ven_a", "縞しま", (Participant("ven_a", "縞しま 銀座店", "@shimashima"),))


def chats(*more: Any, **settings: Any) -> World:
    return kitchen(
        SHOP,
        contact("ctc_mei", "Mei"),
        contact("ctc_tom", "Tom", country="SG"),
        said(1, "thr_g", "@mei", "No shellfish for me, please."),
        said(2, "thr_g", "dana@home.example", "Noted!"),
        said(3, "thr_g", "@tom", "Fish is fine.", quotes="msg_01"),
        said(4, "thr_v", "@shimashima", "ご予約を承りました。", language="ja"),
        Message(
            "msg_gone", "thr_m", "", Address("a@b.example"), (), at("2026-10-02T09:00"), "Asia/Tokyo", "Hi", "never had"
        ),
        Thread("thr_m", "mail", "ctc_mei", "Old mail", ()),
        *more,
        **settings,
    )


def test_conversations_are_listed_the_latest_first() -> None:
    world = chats()
    call = do(world, MsgListThreads)
    assert [head.thread_id for head in call.result.threads] == ["thr_v", "thr_g", "thr_m"]
    assert call.shown == dict.fromkeys(("thr_v", "thr_g", "thr_m"), (ROW,))
    last = call.result.threads[0]
    assert (last.channel, last.counterpart_id, last.last_at, last.messages) == (
        "messenger",
        "ven_a",
        "2026-10-01T09:04:00+09:00",
        1,
    )
    assert (call.result.threads[2].last_at, call.result.threads[2].messages) == ("", 0)

    def found(**arguments: Any) -> list[str]:
        return [head.thread_id for head in do(world, MsgListThreads, **arguments).result.threads]

    assert found(query="SHELLFISH dinner") == ["thr_g"]
    assert found(channel="mail") == ["thr_m"]
    assert found(channel="sms") == []


def test_a_conversation_is_read_oldest_first_with_quotes_apart() -> None:
    call = do(chats(), MsgGetThread, thread_id="thr_g")
    first, second, third = call.result.messages
    assert (first.sender_id, first.sender, first.text, first.quoted) == (
        "ctc_mei",
        "Mei",
        "No shellfish for me, please.",
        "",
    )
    assert second.sender_id == "ctc_self"
    assert (third.text, third.quoted) == ("Fish is fine.", "No shellfish for me, please.")
    assert [person.person_id for person in call.result.participants] == ["ctc_self", "ctc_mei", "ctc_tom"]
    assert set(call.shown) == {"thr_g", "msg_01", "msg_02", "msg_03"}
    assert refused(chats(), MsgGetThread, thread_id="thr_x").code == "unknown_id"


def test_ten_messages_come_at_a_time() -> None:
    many = [said(10 + n, "thr_v", "@shimashima", f"text {n}") for n in range(22)]
    pages = every_page(chats(*many), MsgGetThread, lambda r: [row.message_id for row in r.messages], thread_id="thr_v")
    assert [len(rows) for rows in pages] == [10, 10, 3]
    assert flat(pages) == ["msg_04", *(one.id for one in many)]


def save(world: World, **arguments: Any) -> Any:
    return do(world, MsgSaveDraft, **{"body": "予約の件です。", **arguments}).result


def test_a_draft_goes_to_a_thread_or_to_a_channel_of_somebody() -> None:
    world = chats()
    assert (save(world, thread_id="thr_v").channel, save(world, thread_id="thr_g").recipient_id) == ("messenger", "")
    mail = save(world, channel="mail", recipient_id="ven_a", subject="予約")
    assert (mail.channel, mail.recipient_id) == ("mail", "ven_a")
    assert save(world, channel="mail", recipient_id="ctc_mei").recipient_id == "ctc_mei"
    note = save(world, channel="call_note", recipient_id="ven_a")
    assert world.get(MessageDraft, note.draft_id).channel == "call_note"
    again = save(world, draft_id=mail.draft_id, thread_id="thr_v", body="別の文")
    assert again.draft_id == mail.draft_id
    kept = world.get(MessageDraft, mail.draft_id)
    assert (kept.subject, kept.body, kept.thread_id) == ("", "別の文", "thr_v")
    assert again.digest == content_digest(kept) != mail.digest
    assert reached(world) == []


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"channel": "web_form", "recipient_id": "ven_a"}, "unknown_channel", "channel"),
        ({"channel": "sms", "recipient_id": "ctc_mei"}, "unknown_channel", "channel"),
        ({"channel": "mail", "thread_id": "thr_v"}, "unknown_channel", "channel"),
        ({"thread_id": "thr_v", "recipient_id": "ctc_mei"}, "invalid_argument", "recipient_id"),
        ({"channel": "mail"}, "invalid_argument", "thread_id"),
        ({"recipient_id": "ven_a"}, "invalid_argument", "thread_id"),
        ({"channel": "mail", "recipient_id": "ppr_x"}, "unknown_id", "recipient_id"),
        ({"thread_id": "thr_x"}, "unknown_id", "thread_id"),
        ({"thread_id": "thr_v", "attachment_ids": ["att_x"]}, "attachment_not_found", "attachment_ids"),
        ({"thread_id": "thr_v", "draft_id": "drf_x"}, "not_a_draft", "draft_id"),
        ({"thread_id": "thr_v", "body": "\x00"}, "invalid_argument", "body"),
    ],
)
def test_a_draft_is_refused_for_what_it_cannot_mean(arguments: dict[str, Any], code: str, field: str) -> None:
    error = refused(chats(), MsgSaveDraft, **{"body": "x", **arguments})
    assert (error.code, error.field) == (code, field)


def test_a_sent_draft_reaches_the_venue_and_stands_in_the_thread() -> None:
    plan = Paper("ppr_p", "note", "Plan", "per_d", "Dana Lim", text="plan", data_classes=("health",))
    private = PrivateString("peanut allergy", "health", "per_d")
    world = chats(plan, private_strings=(private,))
    id = save(world, thread_id="thr_v", body="Peanut allergy at our table.").draft_id
    sent = do(world, MsgSendDraft, draft_id=id)
    assert (sent.effect, sent.result.thread_id, sent.result.channel) == ("send", "thr_v", "messenger")
    (row,) = world.all(Outbound)
    assert (row.kind, row.subkind, row.recipient_org_id, row.relation) == ("message", "messenger", "ven_a", "provider")
    assert row.data_classes == ("health",)
    last = do(world, MsgGetThread, thread_id="thr_v").result.messages[-1]
    assert (last.message_id, last.text, last.sender_id) == (sent.result.message_id, "Peanut allergy at our table.", "")
    assert refused(world, MsgSendDraft, draft_id=id).code == "not_a_draft"


def test_a_group_gets_a_row_for_everybody_but_the_user() -> None:
    world = chats()
    do(world, MsgSendDraft, draft_id=save(world, thread_id="thr_g").draft_id)
    rows = [(row.recipient_id, row.relation, row.jurisdiction) for row in world.all(Outbound)]
    assert rows == [("ctc_mei", "friend", "JP"), ("ctc_tom", "friend", "SG")]


def test_a_first_message_opens_a_thread_with_its_sheet() -> None:
    world = chats()
    sheet_id = do(world, PreorderSaveSheet, **sheet()).result.sheet_id
    draft = save(world, channel="mail", recipient_id="ven_a", subject="お料理の件", attachment_ids=[sheet_id])
    sent = do(world, MsgSendDraft, draft_id=draft.draft_id).result
    thread = world.get(Thread, sent.thread_id)
    assert (thread.channel, thread.counterpart_id, thread.title) == ("mail", "ven_a", "お料理の件")
    assert thread.participants[0].address == "info@shimashima.example"
    (message,) = do(world, MsgGetThread, thread_id=thread.id).result.messages
    assert message.attachment_ids == (sheet_id,)
    assert reached(world) == [("mail", "mail", "ven_a")]


def test_a_call_note_cannot_be_sent() -> None:
    world = chats()
    note = save(world, channel="call_note", recipient_id="ven_a").draft_id
    assert refused(world, MsgSendDraft, draft_id=note).code == "cannot_send"
    assert refused(world, MsgSendDraft, draft_id="drf_x").code == "not_a_draft"


def test_amounts_are_those_of_the_worked_bill() -> None:
    lines = [Money.of(price, "THB") for price in ("1290",) * 8 + ("590",) + ("350",) * 2]
    printed = Money(sum(one.minor for one in lines), "THB")
    assert str(printed) == "11610.00 THB"
    assert str(ChargeRule(10, 0, 7, "on_service").paid(printed)) == "13664.97 THB"
