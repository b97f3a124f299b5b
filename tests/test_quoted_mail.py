"""What stands below the own words of a mail: quoted and forwarded mails, as programs of six languages show them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commons_kit import NOW, do, mail, world_of
from hypothesis import given
from hypothesis import strategies as st

from agentbench_env.market import load_market, market_codes
from agentbench_env.text import render
from agentbench_env.text.own import own_text
from agentbench_env.text.subject import forwarded_subject, subject_root
from agentbench_env.world import World
from agentbench_env.zones import to_local
from agentbench_tasks.commons.messages import MOST_BODY, Address, MailGetMessage, MailSearchMessages, Message, printed
from agentbench_tasks.commons.values import json_length

CASES = Path(__file__).parent / "cases"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
ZONES = sorted({load_market(code).zone for code in market_codes()} | {"Europe/London", "America/New_York"})
KIM = Address("ms.kim@hanbit.example", "김민수")


def sentences() -> dict[str, list[str]]:
    """The own words of the messages in the corpora, by language."""
    found: dict[str, list[str]] = {language: [] for language in LANGUAGES}
    for file in sorted(CASES.glob("text*/*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            case = json.loads(line)
            own = own_text(case["text"])
            if case.get("lang") in found and own.strip() == own != "" and own_text(own) == own:
                found[case["lang"]].append(own)
    return found


OWN = sentences()
NAMES = {
    "ko": ("김민수", "오세준 전무"),
    "ja": ("山本 恵子", "株式会社青葉 佐藤"),
    "zh-Hant": ("林雅婷", "陳建宏 (採購部)"),
    "th": ("สมชาย ใจดี", "วิภา ศรีสุข"),
    "ar": ("خالد المنصوري", "م. نورة السالم"),
    "en": ("Eleanor Whitcombe", "Tan, Wei Ling (Ms)", "no-reply", ""),
}


@pytest.mark.parametrize(
    ("language", "quote", "forward"),
    [
        (
            "ko",
            "2026년 10월 12일 (월) 오후 3:12, 김민수 <ms.kim@hanbit.example>님이 작성:",
            "-----원본 메시지-----\n보낸 사람: 김민수 <ms.kim@hanbit.example>\n"
            "받는 사람: Dana Lim <dana@home.example>\n보낸 날짜: 2026년 10월 12일 (월) 오후 3:12\n제목: Re: 단가",
        ),
        (
            "ja",
            "2026年10月12日(月) 15:12 김민수 <ms.kim@hanbit.example>:",
            "----- 元のメッセージ -----\n差出人: 김민수 <ms.kim@hanbit.example>\n日時: 2026年10月12日(月) 15:12\n"
            "件名: Re: 단가\n宛先: Dana Lim <dana@home.example>",
        ),
        (
            "zh-Hant",
            "김민수 <ms.kim@hanbit.example> 於 2026年10月12日 週一 下午3:12寫道:",
            "-----原始郵件-----\n寄件者: 김민수 <ms.kim@hanbit.example>\n寄件日期: 2026年10月12日 週一 下午3:12\n"
            "收件者: Dana Lim <dana@home.example>\n主旨: Re: 단가",
        ),
        (
            "th",
            "เมื่อ จ. 12 ต.ค. 2569 เวลา 15:12 김민수 <ms.kim@hanbit.example> เขียนว่า:",
            "---------- ข้อความที่ส่งต่อ ----------\nจาก: 김민수 <ms.kim@hanbit.example>\nวันที่: จ. 12 ต.ค. 2569 เวลา 15:12\n"
            "เรื่อง: Re: 단가\nถึง: Dana Lim <dana@home.example>",
        ),
        (
            "ar",
            "في الاثنين، 12 أكتوبر 2026 في 3:12 م، كتب 김민수 <ms.kim@hanbit.example>:",
            "---------- رسالة معاد توجيهها ----------\nمن: 김민수 <ms.kim@hanbit.example>\n"
            "التاريخ: الاثنين، 12 أكتوبر 2026 في 3:12 م\nالموضوع: Re: 단가\nإلى: Dana Lim <dana@home.example>",
        ),
        (
            "en",
            "On Mon, 12 Oct 2026 at 15:12, 김민수 <ms.kim@hanbit.example> wrote:",
            "---------- Forwarded message ---------\nFrom: 김민수 <ms.kim@hanbit.example>\n"
            "Date: Mon, 12 Oct 2026 at 15:12\nSubject: Re: 단가\nTo: Dana Lim <dana@home.example>",
        ),
    ],
)
def test_a_mail_shows_what_it_quotes_as_programs_of_its_language_do(language: str, quote: str, forward: str) -> None:
    world = world_of(
        mail("msg_a", "2026-10-12T15:12", sender=KIM, subject="Re: 단가", body="One.\n\nTwo."),
        mail("msg_b", body="Mine.", quotes="msg_a", language=language),
        mail("msg_c", body="Mine.", quotes="msg_a", language=language, marked=True),
        mail("msg_d", body="Mine.", quotes="msg_a", language=language, kind="forward"),
        mail("msg_e", body="", quotes="msg_a", language=language, kind="forward"),
    )
    assert shown(world, "msg_b") == f"Mine.\n\n{quote}\nOne.\n\nTwo."
    assert shown(world, "msg_c") == f"Mine.\n\n{quote}\n> One.\n>\n> Two."
    assert shown(world, "msg_d") == f"Mine.\n\n{forward}\n\nOne.\n\nTwo."
    assert shown(world, "msg_e") == f"{forward}\n\nOne.\n\nTwo."


def shown(world: World, id: str) -> str:
    return do(world, MailGetMessage, message_id=id).result.body


def test_the_time_of_a_quoted_mail_is_that_of_the_one_who_quotes_it() -> None:
    world = world_of(
        mail("msg_a", "2026-10-12T07:30", sender=KIM), mail("msg_b", quotes="msg_a", zone="America/New_York")
    )
    assert "On Sun, 11 Oct 2026 at 19:30, 김민수 <" in shown(world, "msg_b")
    world = world_of(mail("msg_a", sender=Address("x@y.example")), mail("msg_b", quotes="msg_a"))
    assert "at 09:00, <x@y.example> wrote:" in shown(world, "msg_b")


def test_a_chain_is_shown_whole_though_the_user_has_only_its_end() -> None:
    world = world_of(
        mail("msg_1", folder="", body="First", sender=KIM, language="ko", attachment_ids=()),
        mail("msg_2", folder="", body="Second", quotes="msg_1", marked=True, sender=KIM, language="ko"),
        mail("msg_3", body="Third", quotes="msg_2", language="ja", marked=True, is_read=False),
    )
    body = shown(world, "msg_3")
    assert [line for line in body.split("\n") if line and "<" not in line] == ["Third", "> Second", ">", "> > First"]
    assert "> 2026년 9월 1일" in body
    assert own_text(body) == "Third"
    heads = do(world, MailSearchMessages, query="first 김민수").result.messages
    assert [(head.message_id, head.is_read) for head in heads] == [("msg_3", False)]
    assert heads[0].snippet.startswith("Third 2026年9月1日(火) 9:00 김민수 <ms.kim@hanbit.example>: > Second")


def test_a_text_that_is_too_long_ends_early() -> None:
    world = world_of(
        mail("msg_0", body='"\n' * 5000),
        *(mail(f"msg_{n}", body='"\n' * 400, quotes=f"msg_{n - 1}") for n in range(1, 9)),
    )
    body = shown(world, "msg_8")
    assert body.endswith("\n[…]")
    assert MOST_BODY <= json_length(body) <= MOST_BODY + 10
    assert len(printed(world.get(Message, "msg_8"), world)) > MOST_BODY


@st.composite
def threads(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Mails that quote each other, the oldest first."""
    mails: list[dict[str, Any]] = []
    for number in range(draw(st.integers(2, 5))):
        language = draw(st.sampled_from(LANGUAGES))
        mails.append(
            {
                "body": draw(st.sampled_from(OWN[language])),
                "language": language,
                "sender": Address("someone@where.example", draw(st.sampled_from(NAMES[language]))),
                "zone": draw(st.sampled_from(ZONES)),
                "sent": to_local(NOW + draw(st.integers(-200, 80)) * 86_400 + draw(st.integers(0, 86_399)), ZONES[0]),
                "marked": draw(st.booleans()),
                "kind": draw(st.sampled_from(("mail", "forward"))),
                "quotes": f"msg_{number - 1}" if number else "",
            }
        )
    return mails


@given(threads())
def test_the_own_words_of_every_mail_are_found(thread: list[dict[str, Any]]) -> None:
    world = world_of(*(mail(f"msg_{n}", **fields) for n, fields in enumerate(thread)))
    for number, fields in enumerate(thread):
        text = printed(world.get(Message, f"msg_{number}"), world)
        assert own_text(text) == fields["body"]
    world = world_of(*(mail(f"msg_{n}", **{**fields, "body": ""}) for n, fields in enumerate(thread)))
    assert own_text(printed(world.get(Message, f"msg_{len(thread) - 1}"), world)) == ""


def test_the_corpora_give_words_in_every_language() -> None:
    assert all(len(own) > 50 for own in OWN.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_subjects_lose_the_marks_of_every_language(language: str) -> None:
    for kind in ("reply", "forward"):
        for mark in render.subject_prefixes(kind, language):
            assert subject_root(f"{mark} RE: Fwd[2]: {mark}[PO-26-0418] 승인") == "[PO-26-0418] 승인"
    marked = forwarded_subject("회신: 단가", language)
    assert marked == f"{render.subject_prefixes('forward', language)[0]} 회신: 단가"
    assert forwarded_subject(marked, language) == marked
    assert subject_root("Reply: on Renewal") == "Reply: on Renewal"
