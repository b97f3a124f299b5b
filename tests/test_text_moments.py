"""Days with times in texts: what is found, what states an instant, and what conflicts with those allowed."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from agentbench_env.text.facts import states
from agentbench_env.text.facts.moments import conflicting, moments, other_dates, states_moment
from agentbench_env.zones import to_instant

ON = dt.date(2026, 10, 19)
"""The day of writing of the tables, a Monday."""
SEOUL, LONDON, SINGAPORE, TOKYO = "Asia/Seoul", "Europe/London", "Asia/Singapore", "Asia/Tokyo"
SLOT = to_instant("2026-10-30T17:30", SEOUL)  # 08:30 in London, whose clocks go back on the 25th
OLD = to_instant("2026-10-22T17:00", SEOUL)

FOUND = {
    "ko": """
10월 30일(금) 17:30~19:00(한국 시간) / 08:30~10:00(런던 시간) | 30 17:30 Asia/Seoul; 30 08:30 Europe/London*
10월 30일(금) 오후 5시 30분에 시작합니다. | 30 17:30
10월 30일(금) 17:30~19:00 회의 | 30 17:30
10월 30일(금) 오후 5시 30분부터 7시까지 진행합니다. | 30 17:30
회의는 10월 30일 17:30에 시작하여 19:00에 종료됩니다. | 30 17:30
10월 30일에 뵙겠습니다. 오후에는 5시까지 자리에 있습니다. |
28일까지 회신 부탁드립니다. |
10월 30일(금) 오후 5시 30분(런던 오전 8시 30분) | 30 17:30; 30 08:30 Europe/London*
일자: 10월 30일(금)\\n시간: 오후 5시 30분(한국 시간) | 30 17:30 Asia/Seoul
- 일시: 10월 30일(금) 17:30\\n- 런던: 08:30 | 30 17:30; 30 08:30 Europe/London*
기존 22일(목) 오후 5시에서 30일(금) 오후 5시 30분으로 변경되었습니다. | 22 17:00; 30 17:30
10월 30일 오후 5시에서 5시 30분으로 변경되었습니다. | 30 17:00; 30 17:30?
10월 30일(목) 오후 5시 30분 | 30 17:30!
10월 30일과 31일 오후 2시 중 편하신 때로 해 주십시오. | 30/31 14:00
내일 오후 2시에 전화드리겠습니다. | 20 14:00~
30일 오후 5시 30분(UTC+9) | 30 17:30 540
30일 17:30 KST / 08:30 GMT | 30 17:30 KST; 30 08:30 GMT*
회의 번호 2026-1030-1730, 전화 02-123-4567 |
""",
    "ja": """
10月30日(金) 17:30～19:00（韓国時間）／08:30～10:00（ロンドン時間） | 30 17:30 Asia/Seoul; 30 08:30 Europe/London*
10月30日(金)15時より開始いたします。 | 30 15:00
10月30日(金)15時から16時半まで | 30 15:00
10月30日(金)15:00〜16:30(日本時間) | 30 15:00 Asia/Tokyo
30日(金)午後3時(ロンドン時間午前6時) | 30 15:00; 30 06:00 Europe/London*
日程:10月30日(金)\\n時間:15時〜16時 | 30 15:00
22日(木)15時から30日(金)15時に変更いたします。 | 22 15:00; 30 15:00
10月30日の会議は中止です。当日は18時まで在席しております。 |
10月28日までにご返信ください。 |
30日の13時と15時が候補です。 | 30 13:00; 30 15:00
10月30日(木)15時 | 30 15:00!
同席者は3名、会議室は5階です。30日に伺います。 |
30日(金)15時(JST) | 30 15:00 JST
""",
    "zh-Hant": """
10月30日（五）16:30～18:00（台北時間）／08:30～10:00（倫敦時間） | 30 16:30 Asia/Taipei; 30 08:30 Europe/London*
會議改至 10 月 30 日(週五)上午 10:00(台北時間)。 | 30 10:00 Asia/Taipei
10 月 30 日(五)下午 2 點至 4 點 | 30 14:00
10 月 30 日 14:00～15:30 | 30 14:00
時間:10/30(五)下午 2:00(倫敦時間上午 6:00) | 30 14:00; 30 06:00 Europe/London*
日期:10 月 30 日(週五)\\n時間:下午 2:00(台北時間) | 30 14:00 Asia/Taipei
原訂 22 日(週四)下午 4 點改為 30 日(週五)上午 10 點 | 22 16:00; 30 10:00
請於 10 月 28 日前回覆。 |
115 年 10 月 30 日上午十點半 | 30 10:30
10 月 30 日見。我下午 5 點前都在公司。 |
30 日(四)上午 10 點 | 30 10:00!
週五下午三點 | 23 15:00~
10 月 30 日上午 10 點,下午 3 點結束 | 30 10:00
""",
    "th": """
เลื่อนเป็นวันศุกร์ที่ 30 ตุลาคม 2569 เวลา 10.00 น. (เวลาไทย) | 30 10:00 Asia/Bangkok
วันศุกร์ที่ 30 เวลา 09.00–12.00 น. | 30 09:00
วันศุกร์ที่ 30 ตุลาคม ตั้งแต่ 09.00 น. ถึง 12.00 น. | 30 09:00
30 ต.ค. 69 เวลา 15.30 น. (ลอนดอน 08.30 น.) | 30 15:30; 30 08:30 Europe/London*
วันที่: 30 ตุลาคม 2569\\nเวลา: 10.00 น. | 30 10:00
จากวันพฤหัสบดีที่ 22 ตุลาคม เวลา 15.00 น. เป็นวันศุกร์ที่ 30 ตุลาคม เวลา 10.00 น. | 22 15:00; 30 10:00
กรุณาตอบกลับภายในวันที่ 28 ตุลาคมค่ะ |
พรุ่งนี้บ่ายสองโมง | 20 14:00~
วันศุกร์ที่ 30 บ่ายสามโมงครึ่ง | 30 15:30
วันพฤหัสบดีที่ 30 ตุลาคม เวลา 10.00 น. | 30 10:00!
พบกันวันที่ 30 ตุลาคมครับ\\n\\nสำนักงานเปิด 08.30 น. |
""",
    "ar": """
يوم الجمعة 30 أكتوبر 2026 الساعة 10:00 صباحاً بتوقيت الإمارات | 30 10:00 Asia/Dubai
الجمعة 30 أكتوبر من 9:00 إلى 11:00 صباحاً | 30 09:00
الساعة 10:00 صباحاً يوم الجمعة 30 أكتوبر | 30 10:00
30 أكتوبر الساعة الخامسة والنصف مساءً | 30 17:30
الجمعة 30 أكتوبر الساعة ١٠:٠٠ صباحاً (6:00 صباحاً بتوقيت لندن) | 30 10:00; 30 06:00 Europe/London*
التاريخ: الجمعة 30 أكتوبر\\nالوقت: 10:00 صباحاً | 30 10:00
تم نقل الاجتماع من الخميس 22 أكتوبر الساعة 12:00 ظهراً إلى الجمعة 30 أكتوبر الساعة 10:00 صباحاً | 22 12:00; 30 10:00
نرجو الرد قبل 28 أكتوبر. |
الخميس 30 أكتوبر الساعة 10:00 صباحاً | 30 10:00!
غداً الساعة 2 ظهراً | 20 14:00~
""",
    "en": """
Fri 30 Oct, 17:30–19:00 (Seoul time) / 08:30–10:00 (London time) | 30 17:30 Asia/Seoul; 30 08:30 Europe/London*
Friday, 30 October, 8:30 am London time (4:30 pm Singapore) | 30 08:30 Europe/London; 30 16:30 Asia/Singapore*
from 8:30 to 10:00 am on Friday, 30 October | 30 08:30
Friday 30 October, 08:30–10:00 | 30 08:30
at 09:00 in London on Tuesday 27 October | 27 09:00 Europe/London
The call starts at 8:30 am on 30 October and ends at 10 am. | 30 08:30
Date: Friday, 30 October 2026\\nTime: 8:30 am (London) | 30 08:30 Europe/London
moved from Thursday 22 October, 4 pm to Friday 30 October, 8:30 am | 22 16:00; 30 08:30
moved from 4 pm to 5 pm on 30 October | 30 16:00; 30 17:00?
Please reply by Wednesday, 28 October. I am at my desk until 6 pm. |
30 October at 8:30 am your time, 5:30 pm ours | 30 08:30 Europe/Lisbon; 30 17:30 Asia/Seoul*
Thursday, 30 October, 8:30 am | 30 08:30!
2026-10-30T08:30:00Z | 30 08:30 0
30 October 08:30 BST | 30 08:30 BST
Friday at 3pm works. | 23 15:00~
The contract of 30 October is attached, because we met at 9 am. | 30 09:00?
On Friday, 30 October it takes place in the large room, at\\n8:30 am London time. | 30 08:30 Europe/London
On 30 October at 09:00 in Seoul (7 pm on 29 October in New York) | 30 09:00 Asia/Seoul; 29 19:00 America/New_York
""",
}


def rows(table: dict[str, str]) -> list[tuple[str, str, list[str]]]:
    return [
        (language, text.strip().replace("\\n", "\n"), [one.strip() for one in wanted.split(";") if one.strip()])
        for language, lines in table.items()
        for text, _, wanted in (line.rpartition("|") for line in lines.strip().splitlines())
    ]


def shown(moment) -> str:
    """A moment as in the table: days of the month, times, zone, then * aside, ? unsure, ! misnamed, ~ loose."""
    days = "/".join(str(int(day[8:])) for day in moment.days)
    marks = "*" * moment.aside + "?" * (not moment.sure) + "!" * moment.misnamed + "~" * moment.loose
    return f"{days} {'/'.join(moment.times)} {moment.zone}".strip() + marks


@pytest.mark.parametrize(("language", "text", "wanted"), rows(FOUND))
def test_moments_are_found(language, text, wanted):
    found = moments(text, written_on=ON, writer_zone=SEOUL, reader_zone="Europe/Lisbon")
    assert [shown(moment) for moment in found] == wanted


REPLIES = {
    "ko": "휘트컴 이사님, 안녕하십니까. 조정해 주셔서 감사합니다. 회의를 10월 30일(금) 오후 5시 30분"
    "(한국 시간, 런던 오전 8시 30분)부터 90분간 진행하는 것으로 변경하였습니다. 김서윤 드림",
    "ja": "いつもお世話になっております。お打ち合わせは10月30日(金)17時30分より(日本時間)に変更させていただきます。",
    "zh-Hant": "林經理您好:感謝您的來信。會議已改至 10 月 30 日(週五)下午 4:30(台北時間),造成不便之處敬請見諒。",
    "th": "ขอเรียนแจ้งว่าได้เลื่อนประชุมเป็นวันศุกร์ที่ 30 ตุลาคม 2569 เวลา 15.30 น. (เวลาไทย) หากไม่สะดวก กรุณาแจ้งกลับครับ",
    "ar": "ونفيدكم بأنه تم نقل الاجتماع إلى يوم الجمعة 30 أكتوبر 2026 الساعة 12:30 ظهراً بتوقيت الإمارات.",
    "en": "We have moved the call to Friday, 30 October, 8:30 am London time (4:30 pm Singapore), for 90 minutes.",
}


def judged(text, slot=SLOT, allowed=(SLOT, OLD), reader=LONDON, writer=SEOUL):
    zones = {"reader_zone": reader, "writer_zone": writer}
    stated = states_moment(text, slot, written_on=ON, **zones)
    return stated, conflicting(text, set(allowed), written_on=ON, **zones)


@pytest.mark.parametrize("language", REPLIES)
def test_the_gold_replies_state_their_slot_and_nothing_else(language):
    assert judged(REPLIES[language]) == (True, [])
    assert judged(REPLIES[language], SLOT + 3600, [OLD])[0] is False
    assert judged(REPLIES[language], SLOT + 3600, [OLD])[1]


@pytest.mark.parametrize(
    ("text", "stated", "conflicts"),
    [
        # In the reader's zone without a zone word; in the writer's only where the mail names that zone.
        ("The call is on Friday, 30 October, at 8:30 am.", True, 0),
        ("The call is on Friday, 30 October, at 5:30 pm.", False, 1),
        ("The call is on Friday, 30 October, at 5:30 pm. All times are Korea time.", True, 0),
        ("The call is on Friday, 30 October, at 5:30 pm. That is 8:30 am on 30 October in London.", True, 0),
        ("30 October, 5:30 pm Seoul time. The old slot was 22 October, 5 pm.", True, 0),
        # Abbreviations must be in force on that day.
        ("Friday, 30 October, 8:30 am GMT", True, 0),
        ("Friday, 30 October, 9:30 am BST", False, 1),
        ("Friday, 30 October, 8:30 am BST", False, 1),
        ("Friday, 30 October, 5:30 pm KST", True, 0),
        ("Friday, 30 October, 17:30 (UTC+9)", True, 0),
        ("Friday, 30 October, 4:30 pm CST (Taipei)", True, 0),
        # The second clock must be right too.
        ("Friday, 30 October, 5:30 pm Seoul time (9:30 am London)", True, 1),
        ("10월 30일(금) 오후 5시 30분(한국 시간, 런던 오전 9시 30분)", True, 1),
        # The weekday must be right.
        ("Thursday, 30 October, 8:30 am London time", False, 1),
        ("Friday, 30 October, 8:30 am London time. See you on Thursday, 30 October.", True, 0),
        # What is no date with a time conflicts with nothing.
        ("Friday, 30 October, 8:30 am London time. Please reply by 28 October; I am here until 6 pm.", True, 0),
        ("Friday, 30 October, 8:30 to 10:00 am London time.", True, 0),
        ("Friday, 30 October, 8:30 am London time instead of 22 October, 9 am.", True, 0),
        ("Friday, 30 October, 8:30 am London time. On 12 October at 3 pm you wrote to us.", True, 0),
        ("Friday, 30 October, 8:30 am London time. Or would Monday, 2 November, 9 am suit?", True, 1),
        ("Friday, 30 October, 8:30 am your time, 5:30 pm ours.", True, 0),
        ("We meet on Friday at 8:30 am.", False, 0),
        ("We meet on Friday at 9:30 am.", False, 1),
        # Quoted words are not the writer's.
        ("Friday, 30 October, 8:30 am London time.\n\n> How about 29 October, 9 am?", True, 0),
    ],
)
def test_stating_and_conflicting(text, stated, conflicts):
    found = judged(text, allowed=(SLOT, OLD, to_instant("2026-10-22T09:00", LONDON)))
    assert (found[0], len(found[1])) == (stated, conflicts)


@pytest.mark.parametrize(
    ("text", "slot", "zone"),
    [
        # The day differs on the other side of the world.
        ("10월 31일(토) 오전 9시(한국 시간, 뉴욕 오후 8시)", "2026-10-31T09:00", SEOUL),
        ("Saturday, 31 October, 9 am Seoul time (8 pm New York)", "2026-10-31T09:00", SEOUL),
        # Before and after the change of clocks.
        ("Friday, 23 October, 8:30 am BST", "2026-10-23T16:30", SEOUL),
        ("Monday, 2 November, 9:00 am EST", "2026-11-02T23:00", SEOUL),
        ("Friday, 30 October, 9:00 am ET", "2026-10-30T22:00", SEOUL),
        ("30 October, 9:00 am AEDT", "2026-10-30T07:00", SEOUL),
    ],
)
def test_offsets_are_those_of_the_day(text, slot, zone):
    instant = to_instant(slot, zone)
    assert judged(text, instant, [instant]) == (True, [])


def test_a_zone_word_may_be_asked():
    asked = {"written_on": ON, "reader_zone": LONDON, "writer_zone": SEOUL, "zone_word": True}
    assert not states_moment("Friday, 30 October, 8:30 am.", SLOT, **asked)
    assert not states_moment("Friday, 30 October, 8:30 am. (2 November, 9 am Tokyo time)", SLOT, **asked)
    assert states_moment("Friday, 30 October, 8:30 am London time.", SLOT, **asked)
    assert states_moment("Friday, 30 October, 8:30 am your time.", SLOT, **asked)
    assert states_moment("Friday, 30 October, 5:30 pm. All times are Korea time.", SLOT, **asked)


def test_a_time_in_a_zone_is_judged_on_its_own_day():
    spring = dt.date(2026, 3, 16)
    assert states("We meet on 2 April at 09:00 BST.", "time", "09:00", written_on=spring, zone=LONDON)
    assert not states("We meet on 18 March at 09:00 BST.", "time", "09:00", written_on=spring, zone=LONDON)


AUTOREPLIES = [
    ("9월 23일(수) 오후부터 9월 29일(화)까지 부재중이며 9월 30일(수)에 복귀합니다.", "2026-09-23", "2026-09-30"),
    ("9月17日から23日まで不在にしております。9月24日(木)より通常どおり対応いたします。", "2026-09-17", "2026-09-24"),
    ("您好:本人自 9 月 24 日下午起請假,10 月 1 日(週四)恢復上班。", "2026-09-24", "2026-10-01"),
    ("ขอเรียนแจ้งว่าดิฉันลาวันที่ 27 กรกฎาคม และจะกลับมาปฏิบัติงานวันศุกร์ที่ 31 กรกฎาคม 2569", "2026-07-27", "2026-07-31"),
    ("أنا خارج المكتب وسأعود إلى العمل يوم الجمعة 4 ديسمبر 2026.", "2026-11-30", "2026-12-04"),
    ("I am away from the office and will be back on Tuesday, 11 August 2026.", "2026-08-06", "2026-08-11"),
]


@pytest.mark.parametrize(("text", "first", "back"), AUTOREPLIES)
def test_an_automatic_reply_tells_no_other_day(text, first, back):
    start, end = dt.date.fromisoformat(first), dt.date.fromisoformat(back)
    absent = [start + dt.timedelta(days=step) for step in range((end - start).days + 1)]
    on = start - dt.timedelta(days=5)
    assert states(text, "date", back, written_on=on)
    assert other_dates(text, absent, written_on=on) == []
    assert other_dates(text, absent[:-1], written_on=on)
    assert other_dates(text + " See you on Friday.", absent, written_on=on) == []


LETTERS = [
    json.loads(line) for line in (Path(__file__).parent / "cases" / "replies.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", LETTERS, ids=[case["text"][:12] for case in LETTERS])
def test_whole_letters_state_their_slot_and_nothing_else(case):
    """Letters with labels, tables, remarks on the change of clocks and deadlines."""
    asked = {"written_on": ON, "reader_zone": case["reader"], "writer_zone": case["writer"]}
    offered = {SLOT, OLD, to_instant("2026-10-27T09:00", LONDON)}
    assert states_moment(case["text"], SLOT, **asked, zone_word=case["zone_word"])
    assert conflicting(case["text"], offered, **asked) == []
    assert not states_moment(case["text"], SLOT + 3600, **asked)
    assert conflicting(case["text"], offered - {SLOT}, **asked)
