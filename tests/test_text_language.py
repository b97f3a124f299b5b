"""The writer's own words, and the language they are in."""

import json
from pathlib import Path

import pytest

from agentbench_env.market import shared_table
from agentbench_env.text.language import language_of
from agentbench_env.text.own import own_text

FILES = sorted((Path(__file__).parent / "cases" / "text").glob("*.jsonl"))
CHINESE = shared_table("lexicons/chinese")
HEADERS = [
    "2026년 10월 12일 (월) 오후 3:12, 김민수 <ms.kim@example.com>님이 작성:",
    "-----원본 메시지-----",
    "2026年10月12日(月) 15:12 山本 恵子 <yamamoto@example.com>:",
    "----- 元のメッセージ -----",
    "林雅婷 <yt.lin@example.com> 於 2026年10月12日 週一 下午3:12寫道:",
    "林雅婷 <yt.lin@example.com> 於 2026年10月12日 週一 下午3:12 寫道：",
    "-----原始郵件-----",
    "เมื่อ จ. 12 ต.ค. 2569 เวลา 15:12 สมชาย <somchai@example.com> เขียนว่า:",
    "في الاثنين، 12 أكتوبر 2026 في 3:12 م، كتب خالد <khaled@example.com>:",
    "On Mon, 12 Oct 2026 at 15:12, Eleanor Whitcombe <ew@example.com> wrote:",
    "On Mon, 12 Oct 2026 at 15:12, Eleanor Whitcombe\n<ew@example.com> wrote:",
    "---------- Forwarded message ---------",
    "From: Eleanor Whitcombe\nSent: Monday, 12 October 2026 15:12\nTo: Tan Wei Ling\nSubject: Call",
    "보낸 사람: 김민수\n보낸 날짜: 2026년 10월 12일\n받는 사람: 박가온\n제목: 회의",
]


@pytest.mark.parametrize("header", HEADERS)
def test_own_text_ends_at_a_header(header):
    assert own_text(f"Mine.\n\n{header}\nTheirs.\nTheirs again.").strip() == "Mine."


@pytest.mark.parametrize("header", [header for header in HEADERS if "\n" not in header])
def test_an_answer_below_the_quote_is_the_writers(header):
    assert own_text(f"{header}\n> Theirs.\n> Theirs again.\n\nMine.").strip() == "Mine."


@pytest.mark.parametrize(
    "text",
    [
        "Please find the times below:\n10:00 start\n12:00 lunch",
        "회의 시간 안내:\n---- 예약 내역 ----\n10:30 도착",
        "以下のとおりです:\n-----\n10:00 開始",
        "From: Taipei\nTo: Tainan\nTwo tickets, please.",
        "聯絡窗口:林小姐 <yt.lin@example.com>\n請直接與她聯絡。",
    ],
)
def test_what_only_looks_like_a_header_stays(text):
    assert own_text(text) == text


def test_lines_that_quote_are_dropped():
    assert own_text("One.\n> two\n>> three\nFour.") == "One.\nFour."


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_language_of_labelled_messages(file):
    cases = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    found = {case["id"]: (language_of(case["text"]), case["lang"]) for case in cases}
    assert {case: pair for case, pair in found.items() if pair[0] != pair[1]} == {}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", "mixed"),
        ("10/5 14:00", "mixed"),
        ("明日は無理", "ja"),
        ("株式会社青葉已經回信,請查收。", "zh-Hant"),
        ("后里、范先生、台北、只有、游泳", "zh-Hant"),
        ("請看 https://example.com/very/long/path/with/english/words/in/it 謝謝", "zh-Hant"),
        ("Ok, see you", "en"),
        ("Mine.\n\n-----원본 메시지-----\n안녕하십니까. 내일 뵙겠습니다.", "en"),
    ],
)
def test_language_of_short_and_odd_texts(text, language):
    assert language_of(text) == language


def test_the_tables_of_characters_are_apart():
    simplified, traditional = CHINESE["simplified"]["characters"], CHINESE["traditional"]["characters"]
    assert len(simplified) == len(set(simplified)) >= 300
    assert len(traditional) == len(set(traditional)) >= 300
    assert not set(simplified) & set(traditional)
    assert set("们这个时会议间发为") <= set(simplified)
    assert not set("后里范台只于余游干谷云") & set(simplified)
