"""Messages to shops: what people write is judged rightly, and what the templates write passes."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from commons_kit import do
from town_kit import town, venue

from agentbench_env.market import shared_table
from agentbench_env.text.names import Gender
from agentbench_env.text.phrases import says
from agentbench_env.text.template import slot_names
from agentbench_tasks.reservations.domain.letters import (
    Booking,
    cancellation_fault,
    change_fault,
    cover_fault,
    enquiry_fault,
    false_facts,
    letters,
    tells_name,
    tells_party,
)
from agentbench_tasks.reservations.domain.market import reservation_codes
from agentbench_tasks.reservations.domain.messages import MsgSaveDraft, MsgSendDraft
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, kind_of, states_quote_fact
from agentbench_tasks.reservations.domain.shop_letters import cancellation, change_request, enquiry, preorder_cover
from agentbench_tasks.reservations.domain.voice import voice_fault

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
CASES = Path(__file__).parent / "cases/shop_letters"
TODAY = date(2026, 10, 9)
NAMES = {
    "ko": "박서윤",
    "ja": "佐藤",
    "zh-Hant": "陳小姐",
    "th": "ณัฐพล",
    "ar": "خالد",
    "en": "Tan Wei Ming",
}
VISIT = QuoteFact("visit_slot", "2026-10-15T09:00/11:00")
ASKED = (
    QuoteFact("unit_type", "wall"),
    QuoteFact("unit_count", 2),
    QuoteFact("model", "HX-A09VE2"),
    QuoteFact("made_year", 2022),
    QuoteFact("floor", 7),
    QuoteFact("lift", True),
    QuoteFact("parking", True),
)
OTHERS = (
    QuoteFact("outdoor_count", 1),
    QuoteFact("self_cleaning", False),
    QuoteFact("service_tier", "chemical_wash"),
    QuoteFact("block_type", "condo"),
    QuoteFact("access_hole", True),
    QuoteFact("capacity", "9000 btu"),
    QuoteFact("ceiling_height", "2.4 metre"),
    QuoteFact("office_hours", "09:00-17:00"),
    QuoteFact("access_permit", True),
    QuoteFact("from_floor", 3),
    QuoteFact("from_lift", False),
    QuoteFact("to_floor", 12),
    QuoteFact("to_lift", True),
    QuoteFact("ladder_truck", False),
    QuoteFact("box_count", 25),
    QuoteFact("large_items", "fridge,bed"),
    QuoteFact("move_date", "2026-10-20"),
    QuoteFact("floor_cover", True),
    QuoteFact("move_permit", True),
    QuoteFact("maker", "Halden"),
    QuoteFact("error_code", "E12"),
    QuoteFact("gas_type", "city"),
    QuoteFact("exhaust", "forced"),
    QuoteFact("mounting", "vertical"),
    QuoteFact("place", "balcony"),
    QuoteFact("items", "sofa,desk"),
    QuoteFact("item_count", 3),
    QuoteFact("item_sizes", "150x80x70"),
    QuoteFact("dismantling", False),
    QuoteFact("collection_notice", False),
)
OPEN = {
    "en": (
        "This is not yet an order: nothing is final, and we will confirm later.",
        "None of this is final yet.",
        "No choice is final before Friday.",
        "We will send you our final numbers next week.",
        "The final list will follow by Monday.",
        "These are provisional; nothing is confirmed yet.",
    ),
    "ko": (
        "아직 확정된 것은 없습니다.",
        "이대로 확정하지 말아 주세요.",
        "아직 이대로 진행하지 마시고 기다려 주세요.",
        "확정된 건 아닙니다.",
    ),
    "ja": (
        "まだ何も決まっておりません。",
        "この内容で確定したわけではありません。",
        "こちらで確定ではございません。",
        "まだ確定しておりません。",
    ),
    "zh-Hant": (
        "目前還沒有定案。",
        "這並非最終確定的名單。",
        "以下不是最後確認，僅供參考。",
    ),
    "th": (
        "ยังไม่ใช่รายการสุดท้าย",
        "ตอนนี้ยังไม่ได้ยืนยันตามนี้",
        "ยังไม่สรุปรายการสุดท้าย",
    ),
    "ar": (
        "لا شيء نهائي بعد.",
        "لم يتم تأكيد الطلب بعد.",
        "سيتم تأكيد العدد لاحقا.",
        "القائمة ليست نهائية.",
    ),
}
FINAL = {
    "en": (
        "This is our final list.",
        "The order is confirmed.",
        "We confirm the order.",
        "Please go ahead with the dishes.",
    ),
    "ko": (
        "이대로 확정합니다.",
        "최종 인원입니다.",
    ),
    "ja": (
        "この内容で確定とさせていただきます。",
        "最終版です。",
    ),
    "zh-Hant": (
        "就此確定。",
        "請依此備餐。",
    ),
    "th": (
        "ยืนยันตามนี้",
        "เป็นรายการสุดท้าย",
    ),
    "ar": (
        "نؤكد لكم العدد.",
        "تم تأكيد الطلب.",
        "هذه القائمة النهائية.",
    ),
}
every_language = pytest.mark.parametrize("language", LANGUAGES)
every_variant = pytest.mark.parametrize("variant", range(4))
every_gender = pytest.mark.parametrize("gender", ["male", "female"])


def booking(language: str, day: str = "2026-10-24", clock: str = "18:30", size: int = 12) -> Booking:
    return Booking((NAMES[language],), day, clock, size, "R7K-2041")


def fault(kind: str, text: str, language: str, gender: Gender) -> str:
    """What is wrong with a message of the corpus, of whatever clause."""
    told = {
        "cancellation": lambda: cancellation_fault(text, booking(language, "2026-11-20", "19:00", 4), language, TODAY),
        "change": lambda: change_fault(
            text, booking(language), booking(language, clock="20:00", size=8), language, TODAY
        ),
        "enquiry": lambda: enquiry_fault(text, "aircon_clean", VISIT, ASKED, language, TODAY),
        "cover": lambda: cover_fault(text, booking(language, "2026-11-14", "18:00"), language, TODAY),
    }[kind]()
    return told or voice_fault(text, (language,), gender, (NAMES[language],))


def corpus(language: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    table = tomllib.loads((CASES / f"{language}.toml").read_text("utf-8"))
    for kind, cases in table.items():
        for case in cases:
            yield kind, case


RIGHT = [(language, kind, case) for language in LANGUAGES for kind, case in corpus(language)]
WRONG = [(language, kind, case, old, new, why) for language, kind, case in RIGHT for old, new, why in case["wrong"]]


@pytest.mark.parametrize(("language", "kind", "case"), RIGHT)
def test_what_people_write_passes(language: str, kind: str, case: Mapping[str, Any]) -> None:
    assert fault(kind, case["text"], language, case.get("gender", "male")) == ""


@pytest.mark.parametrize(("language", "kind", "case", "old", "new", "why"), WRONG)
def test_one_wrong_point_is_found(
    language: str, kind: str, case: Mapping[str, Any], old: str, new: str, why: str
) -> None:
    assert old in case["text"]
    found = fault(kind, case["text"].replace(old, new), language, case.get("gender", "male"))
    assert re.search(f"(?:{why}|where .* is due)" if why == "register" else why, found), found


@every_language
def test_the_corpus_is_large_enough(language: str) -> None:
    right = [case for _, case in corpus(language)]
    assert {kind for kind, _ in corpus(language)} == {"cancellation", "change", "enquiry", "cover"}
    assert len(right) >= 20
    assert sum(len(case["wrong"]) for case in right) >= 20


# --- the templates


@every_language
@every_variant
@every_gender
def test_written_letters_pass(language: str, variant: int, gender: Gender) -> None:
    name = NAMES[language]
    asked, moved = booking(language), booking(language, clock="20:00", size=8)
    on_another_day, late = booking(language, day="2026-10-25"), booking(language, clock="25:30", size=2)
    at_midnight = booking(language, clock="24:00")

    def check(text: str, found: str) -> None:
        assert found == ""
        assert voice_fault(text, (language,), gender, (name, "Halden")) == "", text

    style: dict[str, Any] = {"language": language, "variant": variant, "gender": gender, "sender": name}
    for wanted in (moved, on_another_day, late, at_midnight):
        text = change_request(asked, wanted, **style)
        check(text, change_fault(text, asked, wanted, language, TODAY))
    for spoken in (False, True):
        text = cancellation(asked, spoken=spoken, **style)
        check(text, cancellation_fault(text, asked, language, TODAY))
        assert tells_party(text, 12, language)
    text = preorder_cover(asked, **style)
    check(text, cover_fault(text, asked, language, TODAY))
    assert says(text, "shop_phrases.open")
    assert says(text, "shop_phrases.allergy")
    for trade in reservation_codes().trades:
        for facts in (ASKED + OTHERS[:9], OTHERS[9:]):
            text = enquiry(trade, facts, VISIT, **style)
            check(text, enquiry_fault(text, trade, VISIT, facts, language, TODAY))
            assert false_facts(text, list(map(falsified, facts)), language, TODAY) == []


def falsified(fact: QuoteFact) -> QuoteFact:
    """Another value of the same key."""
    match kind_of(fact.key):
        case "count" | "year" | "floor":
            return QuoteFact(fact.key, int(fact.value) + 10)
        case "yes_no":
            return QuoteFact(fact.key, not fact.value)
        case "choice":
            codes: Mapping[str, str] = shared_table("lexicons/quote_facts")["en"]["choices"][fact.key]
            return QuoteFact(fact.key, next(code for code in codes if code != fact.value))
        case "items":
            return QuoteFact(fact.key, "wardrobe,bicycle")
        case "day":
            return QuoteFact(fact.key, "2026-10-21")
        case "measure":
            return QuoteFact(fact.key, str(fact.value).replace("9", "12").replace("2.4", "2.7"))
        case _:
            return QuoteFact(fact.key, "999x888x777" if fact.key == "item_sizes" else "20:00-21:00")


@every_language
def test_every_key_of_the_trades_can_be_said(language: str) -> None:
    facts = {fact.key for fact in (*ASKED, *OTHERS, VISIT)}
    assert facts == set(reservation_codes().quote_keys) == set(shared_table("lexicons/quote_facts")["kinds"])
    table, english = shared_table("lexicons/quote_facts")[language], shared_table("lexicons/quote_facts")["en"]
    for part in ("yes_no", "counts"):
        assert set(table[part]) == set(english[part])
    assert {key: set(rows) for key, rows in table["choices"].items()} == {
        key: set(rows) for key, rows in english["choices"].items()
    }


@every_language
def test_an_open_point_is_no_statement(language: str) -> None:
    words = {"ko": "확인 중", "ja": "不明", "zh-Hant": "待確認", "th": "ไม่ทราบ", "ar": "غير معروف", "en": "unknown"}
    lift: str = shared_table("lexicons/quote_facts")[language]["yes_no"]["lift"]["it"].split("|")[0]
    text = f"- {lift.replace('(?:ال)?', '').rstrip('s?')}: {words[language]}"
    for value in (True, False):
        assert not states_quote_fact(text, QuoteFact("lift", value), language, TODAY)


@every_language
@pytest.mark.parametrize("file", ["shop_letters", "household"])
def test_texts_have_the_same_kinds_and_slots(language: str, file: str) -> None:
    def pieces(node: object, path: str = "") -> dict[str, frozenset[str]]:
        if isinstance(node, str):
            return {path: frozenset(slot_names(node)) - {"p", "q"}}
        if isinstance(node, list):
            return {path: frozenset[str]()} | {f"{path}#": frozenset(map(str, [len(node)]))}
        assert isinstance(node, Mapping)
        return {key: value for name, row in node.items() for key, value in pieces(row, f"{path}.{name}").items()}

    own, english = (pieces(shared_table(f"text/{code}/{file}")) for code in (language, "en"))
    assert set(own) == set(english)
    if file == "household":
        assert own == english


@pytest.mark.parametrize("text", ["您好，我是11月20日（五）19:00訂位4位的黃先生，", "訂位人黃先生", "我叫黃先生"])
def test_a_name_may_follow_a_chinese_word(text: str) -> None:
    assert tells_name(text, ("黃先生",))
    assert not tells_name(text.replace("黃", "小黃"), ("黃先生",))


# --- what was written in an episode


def test_letters_are_those_that_the_assistant_wrote() -> None:
    world = town(*venue())
    body = {"body": "予約の件です。", "recipient_id": "ven_a"}
    first = do(world, MsgSaveDraft, channel="mail", subject="予約", **body).result.draft_id
    second = do(world, MsgSaveDraft, channel="call_note", **body).result.draft_id
    do(world, MsgSendDraft, draft_id=first)
    sent, note = letters(world)
    assert (sent.channel, sent.recipient_id, sent.whole, sent.is_sent) == (
        "mail",
        "ven_a",
        "予約\n予約の件です。",
        True,
    )
    assert (note.id, note.channel, note.recipient_id, note.is_sent) == (second, "call_note", "ven_a", False)


@pytest.mark.parametrize(("language", "text"), [(language, text) for language, texts in OPEN.items() for text in texts])
def test_what_is_not_final_settles_nothing(language: str, text: str) -> None:
    assert not says(text, "shop_phrases.settles")


@pytest.mark.parametrize(
    ("language", "text"), [(language, text) for language, texts in FINAL.items() for text in texts]
)
def test_what_is_final_settles(language: str, text: str) -> None:
    assert says(text, "shop_phrases.settles")
