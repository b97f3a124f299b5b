"""Dates and times in texts: own tables of forms, the corpus, and whatever the renderer writes."""

from __future__ import annotations

import datetime as dt
import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbench_env.text import render
from agentbench_env.text.facts.dates import dates
from agentbench_env.text.facts.times import times

CASES = Path(__file__).parent / "cases" / "text"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
# The day of writing of the tables: a Monday.
ON = dt.date(2026, 10, 12)

DATES = {
    "ko": """
10월 30일까지 보내드리겠습니다. | 2026-10-30
2026년 10월 30일(금)에 뵙겠습니다. | 2026-10-30
10/30(금) 회의 | 2026-10-30
10월 30일(금), 11월 3일(화) 휴무 | 2026-10-30 2026-11-03
10. 30.(금) 회의 | 2026-10-30
2026. 11. 3. 시행 | 2026-11-03
2026.11.03 시행 | 2026-11-03
2026-11-03 14:00 시작 | 2026-11-03
10월 27일(화)부터 29일(목)까지 휴가입니다. | 2026-10-27 2026-10-29
10월 27~29일 휴가 | 2026-10-27 2026-10-29
11월 3, 4일 중 편하신 날 | 2026-11-03 2026-11-04
내일 뵙겠습니다. | 2026-10-13
모레까지 부탁드려요. | 2026-10-14
내일모레 시간 되세요? | 2026-10-14
어제 받았어요. | 2026-10-11
이번 주 금요일에 봐요. | 2026-10-16
다음 주 월요일까지 드릴게요. | 2026-10-19
지난주 목요일에 받았습니다. | 2026-10-08
다음 주 금요일(23일)로 옮기고 싶습니다. | 2026-10-23
16일 오후에 가능합니다. | 2026-10-16
5일까지 입금 부탁드립니다. | 2026-11-05
다음 달 5일에 이사해요. | 2026-11-05
월말까지 정리하겠습니다. | 2026-10-31
11월 말까지 드리겠습니다. | 2026-11-30
1월 8일(금)에 새로 시작합니다. | 2027-01-08
내년 3월 2일 개강 | 2027-03-02
돌아오는 목요일에 만나자 | 2026-10-15
9월 30일자 청구서 | 2026-09-30
3일 이내에 회신해 주십시오. |
영업일 기준 5일 걸립니다. |
2박 3일 일정이고 3~5일이 소요됩니다. |
매주 화요일 회의 |
""",
    "ja": """
10月30日(金)、11月3日(火)は休業します。 | 2026-10-30 2026-11-03
10月30日までにお送りいたします。 | 2026-10-30
2026年10月30日(金)にお願いします。 | 2026-10-30
令和8年10月30日 | 2026-10-30
R8.10.30 付け | 2026-10-30
10/30(金)でいかがでしょうか。 | 2026-10-30
１０月３０日（金）に伺います。 | 2026-10-30
十月三十日に伺います。 | 2026-10-30
2026/10/30 開催 | 2026-10-30
10月27日(火)から29日(木)まで休みます。 | 2026-10-27 2026-10-29
10月27～29日は休みです。 | 2026-10-27 2026-10-29
11月3日と4日は不在です。 | 2026-11-03 2026-11-04
明日の午前中 | 2026-10-13
明後日までに | 2026-10-14
あさって会おう | 2026-10-14
昨日届きました。 | 2026-10-11
本日中に対応いたします。 | 2026-10-12
今週金曜に提出します。 | 2026-10-16
来週月曜に伺います。 | 2026-10-19
来週の水曜日でお願いします。 | 2026-10-21
先週の木曜日に送りました。 | 2026-10-08
今度の日曜、空いてる? | 2026-10-18
翌週30日(金)の13時から | 2026-10-30
16日の夜なら空いてる。 | 2026-10-16
5日がひま。 | 2026-11-05
来月1日から値上げです。 | 2026-11-01
今月20日締め | 2026-10-20
月末までにお支払いください。 | 2026-10-31
来月末に退去します。 | 2026-11-30
二十日に伺います。 | 2026-10-20
来年1月8日に開店します。 | 2027-01-08
7日前までにご連絡ください。 |
3日以内に返金します。1日2回飲む。 |
二日間、三日後、5日ほどかかります。 |
毎週火曜は定休日です。 |
""",
    "zh-Hant": """
10月30日（五）、11月3日（二）公休 | 2026-10-30 2026-11-03
10 月 30 日前寄給您 | 2026-10-30
2026年10月30日（週五） | 2026-10-30
115年10月30日 | 2026-10-30
民國 115 年 10 月 30 日 | 2026-10-30
115/10/30 截止 | 2026-10-30
10/30(五)見 | 2026-10-30
時間:10/30,地點不變 | 2026-10-30
10月30號出發 | 2026-10-30
十月三十日舉行 | 2026-10-30
10 月 27 日至 29 日休假 | 2026-10-27 2026-10-29
10/27～10/29 休假 | 2026-10-27 2026-10-29
11 月 3、4 日擇一 | 2026-11-03 2026-11-04
明天見 | 2026-10-13
後天下午到 | 2026-10-14
大後天出發 | 2026-10-15
昨天寄出了 | 2026-10-11
今日寄出 | 2026-10-12
今晚處理 | 2026-10-12
這週五交件 | 2026-10-16
下週一回覆您 | 2026-10-19
下星期三可以 | 2026-10-21
下禮拜天見 | 2026-10-25
上週四已付款 | 2026-10-08
下週五(10 月 23 日)改期 | 2026-10-23
20 日一定給您 | 2026-10-20
我 14 號出發 | 2026-10-14
下個月 5 號搬家 | 2026-11-05
月底前完成 | 2026-10-31
11月底交屋 | 2026-11-30
明年1月8日 | 2027-01-08
週三晚上開會 | 2026-10-14
三日內回覆,第 23 號,3 號出口 |
中山路 12 號,5 日遊 |
一週五天,兩週一次,每週二公休 |
""",
    "th": """
ภายในวันที่ 30 ตุลาคมครับ | 2026-10-30
วันศุกร์ที่ 30 ตุลาคม 2569 | 2026-10-30
30 ต.ค. 69 | 2026-10-30
30 ตุลา เจอกัน | 2026-10-30
วันที่ ๓๐ ตุลาคม พ.ศ. ๒๕๖๙ | 2026-10-30
30 ตุลาคม ค.ศ. 2026 | 2026-10-30
30/10/2569 | 2026-10-30
30/10/69 | 2026-10-30
ศ. 30 ต.ค. 2569 | 2026-10-30
ตั้งแต่วันที่ 27 ถึง 29 ตุลาคม | 2026-10-27 2026-10-29
27–29 ต.ค. | 2026-10-27 2026-10-29
วันที่ 3 หรือ 4 พฤศจิกายน | 2026-11-03 2026-11-04
พรุ่งนี้เช้า | 2026-10-13
มะรืนนี้ได้ไหมคะ | 2026-10-14
เมื่อวานได้รับแล้ว | 2026-10-11
วันนี้ | 2026-10-12
คืนนี้โทรนะ | 2026-10-12
ศุกร์นี้ว่างไหม | 2026-10-16
วันจันทร์หน้า (19 ต.ค.) | 2026-10-19
วันพุธหน้าครับ | 2026-10-21
วันศุกร์ที่ 30 เวลา 09.00–12.00 น. | 2026-10-30
วันอาทิตย์ 18 สิบเอ็ดโมง | 2026-10-18
ขอเลื่อนเป็นวันที่ 20 นะครับ | 2026-10-20
กำหนดวันที่ 7 | 2026-11-07
วันที่ 5 เดือนหน้า | 2026-11-05
เมื่อวันที่ 5 สั่งไปแล้ว | 2026-10-05
สิ้นเดือนนี้ | 2026-10-31
สิ้นเดือนพฤศจิกายน | 2026-11-30
8 มกราคม 2570 | 2027-01-08
วันพฤหัสที่ 15 | 2026-10-15
ภายใน 7 วันทำการ |
ใช้เวลา 3 วัน ทุกวันจันทร์ |
""",
    "ar": """
قبل يوم 30 أكتوبر | 2026-10-30
الجمعة 30 أكتوبر 2026 | 2026-10-30
٣٠ أكتوبر ٢٠٢٦ | 2026-10-30
30 تشرين الأول | 2026-10-30
3 تشرين الثاني | 2026-11-03
30/10/2026 | 2026-10-30
الثلاثين من أكتوبر | 2026-10-30
الأول من نوفمبر | 2026-11-01
الخامس والعشرين من أكتوبر | 2026-10-25
من الثلاثاء 27 إلى الخميس 29 أكتوبر | 2026-10-27 2026-10-29
من 27 إلى 29 أكتوبر | 2026-10-27 2026-10-29
يومي 3 و4 نوفمبر | 2026-11-03 2026-11-04
بكرة نلتقي | 2026-10-13
غداً صباحاً | 2026-10-13
بعد غد | 2026-10-14
أمس استلمناها | 2026-10-11
اليوم آخر يوم | 2026-10-12
هذا الخميس | 2026-10-15
الاثنين من الأسبوع المقبل | 2026-10-19
يوم الخميس القادم | 2026-10-15,2026-10-22
قبل الخميس | 2026-10-15
يوم 20 بدلاً من ذلك | 2026-10-20
سأنجزه قبل 16 الشهر | 2026-10-16
قبل الـ16 | 2026-10-16
يوم 5 الشهر القادم | 2026-11-05
نهاية الشهر | 2026-10-31
نهاية نوفمبر | 2026-11-30
الأربعاء، 28 أكتوبر | 2026-10-28
8 يناير 2027 | 2027-01-08
بتاريخ 1 نوفمبر | 2026-11-01
في اليوم نفسه |
خلال 5 أيام عمل، وجبة الغداء، كل يوم خميس |
يوم 5 رمضان |
""",
    "en": """
by 30 October. | 2026-10-30
Friday, 30 October 2026 | 2026-10-30
Fri 30 Oct | 2026-10-30
October 30, 2026 | 2026-10-30
Oct 30th | 2026-10-30
the 30th of October | 2026-10-30
30/10/2026 | 2026-10-30
2026-10-30 | 2026-10-30
30 Oct (Fri) | 2026-10-30
Date:30 October | 2026-10-30
from 27 to 29 October | 2026-10-27 2026-10-29
27–29 October | 2026-10-27 2026-10-29
3, 4 and 5 November | 2026-11-03 2026-11-04 2026-11-05
October 27-29 | 2026-10-27 2026-10-29
27 October to 3 November | 2026-10-27 2026-11-03
tomorrow at 11 | 2026-10-13
the day after tomorrow | 2026-10-14
I sent it yesterday. | 2026-10-11
this Friday | 2026-10-16
Monday of next week | 2026-10-19
next Monday, 19 October | 2026-10-19
let us know by Friday | 2026-10-16
Thursday the 22nd at 4 pm | 2026-10-22
Friday 30th, 8:30 to 11:00 | 2026-10-30
It'll be the 20th now, sorry. | 2026-10-20
done by the 5th. | 2026-11-05
the 5th of next month | 2026-11-05
the end of the month | 2026-10-31
end of November | 2026-11-30
the first of November | 2026-11-01
8 January 2027 | 2027-01-08
5 may work? We may 5 times. | 2026-05-05
the 5th floor, the 2nd batch, open 24/7, 3/4 of the people |
within five working days, every Friday |
""",
}

TIMES = {
    "ko": """
17:30 시작 | 17:30
오후 5시 30분 | 17:30
오후 다섯 시 반 | 17:30
오후5시반 | 17:30
저녁 8시쯤 | 20:00
밤 10시에 | 22:00
밤 12시 | 00:00
새벽 2시 | 02:00
낮 12시 반 | 12:30
점심 1시 | 13:00
정오까지 | 12:00
자정에 마감 | 00:00
4시쯤 전화 | 04:00,16:00
14시 40분 | 14:40
오전 9시부터 11시까지 | 09:00 11:00
오후 2시~4시 | 14:00 16:00
오전 10시~오후 3시 | 10:00 15:00
오전 9시부터 5시까지 | 09:00 17:00
내일 저녁에 7시 | 19:00
열두시 십오분 | 12:15,00:15
오후 3:05 | 15:05
8월 26일(수) 19:00 원세린 이름으로 | 19:00
3시 말고 4시에 보자 | 03:00,15:00 04:00,16:00
3시간 동안, 두 시간, 서울시, 다시 |
""",
    "ja": """
17時30分 | 17:30
午後5時半 | 17:30
午前10時~正午 | 10:00 12:00
朝8時集合 | 08:00
夜の10時 | 22:00
夕方5時ごろ | 17:00
深夜0時 | 00:00
深夜1時 | 01:00
昼の12時 | 12:00
9:30開始 | 09:30,21:30
19時半になった | 19:30
13時3分発 | 13:03
6時半にして | 06:30,18:30
午前9時から11時 | 09:00 11:00
13時〜15時 | 13:00 15:00
午後2時から4時まで | 14:00 16:00
１４：００ | 14:00
午後三時 | 15:00
十時に集合 | 10:00,22:00
明日の朝、7時に | 07:00
24:47発 | 00:47,24:47
3時間、2時間半、一時的に、臨時、時間 |
""",
    "zh-Hant": """
下午5點半 | 17:30
下午5:30 | 17:30
17:30 | 17:30
晚上七點 | 19:00
凌晨 1:00 至 5:30 | 01:00 05:30
上午十點一刻 | 10:15
下午三點三刻 | 15:45
中午 12 點 | 12:00
晚上八點十分到站 | 20:10
十二點十五門口見 | 12:15,00:15
早上 6:40 | 06:40
下午兩點半 | 14:30
上午 9 點至 12 點 | 09:00 12:00
下午2點到4點 | 14:00 16:00
14:00～16:00 | 14:00 16:00
下午5時30分 | 17:30
17時 | 17:00
晚上大約九點 | 21:00
三點看得到 | 03:00,15:00
正午前 | 12:00
午夜 | 00:00
明早八點 | 08:00
早一點來,有一點貴,重點,地點,三點建議,2 小時,同時 |
紅利 500 點,評分 4.5 點 |
""",
    "th": """
17.30 น. | 17:30
เวลา 09.00–12.00 น. | 09:00 12:00
๑๐.๐๐ น. | 10:00
บ่ายสามโมงครึ่ง | 15:30
บ่ายโมง | 13:00
บ่าย 2 | 14:00
บ่ายโมงสี่สิบ | 13:40
ห้าโมงเย็น | 17:00
6 โมงเช้า | 06:00
สองโมงเช้า | 08:00
สิบโมง | 10:00
สิบเอ็ดโมงครึ่ง | 11:30
สองทุ่ม | 20:00
ทุ่มครึ่ง | 19:30
3 ทุ่ม | 21:00
ตีห้า | 05:00
ตี 2 ครึ่ง | 02:30
ก่อนเที่ยง | 12:00
เที่ยงครึ่ง | 12:30
เที่ยงคืน | 00:00
เที่ยงวันที่ 10 เมษายน | 12:00
16 นาฬิกา | 16:00
8.30 น. | 08:30
สองทุ่มสิบห้า | 20:15
3 ชั่วโมง ครึ่งชั่วโมง ทุ่มเท ตีราคา เที่ยว |
""",
    "ar": """
5:30 مساءً | 17:30
٥:٣٠ م | 17:30
الساعة الخامسة والنصف مساءً | 17:30
الساعة 10 صباحاً | 10:00
الثالثة والربع عصراً | 15:15
الساعة الرابعة إلا ربعاً عصراً | 15:45
الساعة 9 ونص الصبح | 09:30
3 العصر | 15:00
١٠ الصبح | 10:00
1:00 ظهراً | 13:00
12:00 ظهراً | 12:00
12 منتصف الليل | 00:00
من 9:00 إلى 11:00 صباحاً | 09:00 11:00
من 5 إلى 7 مساءً | 17:00 19:00
الساعة 7 | 07:00,19:00
10 بالليل | 22:00
في تمام الثامنة مساءً | 20:00
مساء الخميس الساعة 8 | 20:00
الساعة الثانية عشرة ظهراً | 12:00
الساعة خمسة ونص | 05:30,17:30
الساعة السابعة والثلث صباحاً | 07:20
4:12 pm | 16:12
المرة الثانية، خلال 24 ساعة، الدرجة الثالثة، 5 أيام |
يستغرق الاجتماع ساعة واحدة و30 دقيقة |
""",
    "en": """
5.30 pm | 17:30
5:30pm sharp | 17:30
17:30 | 17:30
at 5 p.m. | 17:00
0845 hrs | 08:45
0900–1100 hrs | 09:00 11:00
at noon | 12:00
before midnight | 00:00
half past six in the evening | 18:30
a quarter to three | 02:45,14:45
ten past nine | 09:10,21:10
between 9 and 11am | 09:00 11:00
from 9 am to 4.30 pm | 09:00 16:30
2–4pm | 14:00 16:00
11-1pm | 11:00 13:00
from 9 to 5 | 09:00,21:00 05:00,17:00
tomorrow at 11. | 11:00,23:00
7.40 tomorrow morning | 07:40
this evening at 8 | 20:00
at four o'clock | 04:00,16:00
8 on Friday night at 9 | 21:00
around 4, after football | 04:00,16:00
can we do 3.30 instead of 3 | 03:30,15:30
12 noon | 12:00
at seven thirty on Monday | 07:30,19:30
by 5 June, at 10 people, from 3 to 5 days, level 9 |
version 3.30, $3.30, 3.30%, S$12.15 |
""",
}

NONE = (
    "https://forms.example/2026-10-29/12:30",
    "a@2026-10-30.example",
    "QT-2604-117",
    "MC-20260602-18",
    "접수번호 2026-0124-00817",
    "송장번호 337-20-9148",
    "010-0000-4711",
    "+971 50 123 4567",
    "전화 02-345-6789",
    "95.5%",
    "v2.10.30",
    "버전 3.30",
    "1,030원",
    "12,30 3,500円",
    "S$10.30",
    "10.30 บาท",
    "3.30 درهم",
    "A-1030-22",
    "K7PLQ2",
    "T77-40918",
    "192.168.10.30",
    "2209-14",
)


def rows(table: dict[str, str]) -> list[tuple[str, str, list[str]]]:
    return [
        (language, text.strip(), wanted.split())
        for language, lines in table.items()
        for text, _, wanted in (line.rpartition("|") for line in lines.strip().splitlines())
    ]


def cases(language: str) -> list[dict]:
    return [json.loads(line) for line in (CASES / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("language", "text", "wanted"), rows(DATES))
def test_dates_are_found(language, text, wanted):
    assert [",".join(mention.values) for mention in dates(text, ON)] == wanted


@pytest.mark.parametrize(("language", "text", "wanted"), rows(TIMES))
def test_times_are_found(language, text, wanted):
    assert [",".join(mention.values) for mention in times(text)] == wanted


@pytest.mark.parametrize("text", NONE)
def test_other_figures_are_neither(text):
    assert dates(text, ON) == []
    assert times(text) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stated_date_and_time_of_the_messages_is_mentioned(language):
    missed = []
    for case in [*cases(language), *cases(f"more-{language}-days")]:
        found = [*dates(case["text"], dt.date.fromisoformat(case["context_date"])), *times(case["text"])]
        for fact in case["facts"]:
            if fact["stated"] and fact["kind"] in ("date", "time"):
                values = [value for mention in found if mention.kind == fact["kind"] for value in mention.values]
                if fact["value"] not in values:
                    missed.append((case["id"], fact["value"]))
    assert missed == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_of_the_corpus_that_is_written_nowhere_is_not_mentioned(language):
    wrong = []
    for case in cases(language):
        text = case["text"]
        figures = {int(figure) for figure in re.findall(r"\d+", text)}
        unwritten = {
            fact["value"]
            for fact in case["facts"]
            if fact["kind"] == "date" and not fact["stated"] and int(fact["value"][-2:]) not in figures
        }
        for mention in dates(text, dt.date.fromisoformat(case["context_date"])):
            # A weekday or relative word names a day without its figure.
            if unwritten & {*mention.values} and re.search(r"\d", text[mention.start : mention.end]):
                wrong.append((case["id"], mention))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_spans_point_into_the_text_given(language):
    for case in cases(language):
        text = case["text"]
        for mention in [*dates(text, dt.date.fromisoformat(case["context_date"])), *times(text)]:
            piece = text[mention.start : mention.end]
            assert piece == piece.strip()
            assert piece
            assert "\n" not in piece


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_mention_lies_in_another(language):
    for case in [*cases(language), *cases(f"more-{language}-days")]:
        found = sorted(
            (mention.start, mention.end)
            for mention in [*dates(case["text"], dt.date.fromisoformat(case["context_date"])), *times(case["text"])]
        )
        assert all(first[1] <= second[0] for first, second in pairwise(found)), case["id"]


@pytest.mark.parametrize("text", ["今夜8時に", "今晚七點見", "明早九點集合"])
def test_a_half_that_is_a_day_of_its_own_is_both(text):
    (day,), (time,) = dates(text, ON), times(text)
    assert day.end <= time.start
    assert len(time.values) == 1


def test_a_date_with_a_wrong_weekday_is_none():
    assert dates("10월 30일(목)에 뵙겠습니다.", ON) == []
    assert dates("Monday, 30 October 2026", ON) == []


def test_a_day_in_the_list_of_a_month_before_may_share_it():
    found = dates("11월 5일 회의는 12일로 옮깁니다.", ON)
    assert found[0].values == ("2026-11-05",)
    assert "2026-11-12" in found[1].values


NEAR = st.dates(dt.date(2017, 1, 1), dt.date(2035, 12, 31))
FRAME = {
    "ko": "회의는 {}에 있습니다.",
    "ja": "会議は{}です。",
    "zh-Hant": "會議時間為 {},地點不變。",
    "th": "ประชุม {} ครับ",
    "ar": "الاجتماع {} في المكتب.",
    "en": "The meeting is {}, as agreed.",
}


@pytest.mark.parametrize(
    ("language", "style"), [(language, style) for language in LANGUAGES for style in render.styles("date", language)]
)
@settings(max_examples=40, deadline=None)
@given(day=NEAR, shift=st.integers(-150, 150), other=st.integers(1, 400))
def test_rendered_dates_are_found_and_no_others(language, style, day, shift, other):
    text = FRAME[language].format(render.date(day, language, style))
    values = {value for mention in dates(text, day + dt.timedelta(days=shift)) for value in mention.values}
    assert values == {day.isoformat()}
    assert (day + dt.timedelta(days=other)).isoformat() not in values


@pytest.mark.parametrize(
    ("language", "style"),
    [(language, style) for language in LANGUAGES for style in render.styles("date_range", language)],
)
@settings(max_examples=40, deadline=None)
@given(day=NEAR, length=st.integers(1, 60))
def test_both_ends_of_rendered_ranges_are_found(language, style, day, length):
    last = day + dt.timedelta(days=length)
    text = FRAME[language].format(render.date_range(day, last, language, style))
    values = {value for mention in dates(text, day) for value in mention.values}
    assert values == {day.isoformat(), last.isoformat()}


@pytest.mark.parametrize(
    ("language", "style"), [(language, style) for language in LANGUAGES for style in render.styles("time", language)]
)
@settings(max_examples=60, deadline=None)
@given(minutes=st.integers(0, 24 * 60 - 1))
def test_rendered_times_are_found_and_no_others(language, style, minutes):
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}"
    text = FRAME[language].format(render.time(clock, language, style))
    found = times(text)
    other_half = f"{(minutes // 60 + 12) % 24:02d}:{minutes % 60:02d}"
    assert len(found) == 1
    assert clock in found[0].values
    assert set(found[0].values) <= {clock, other_half}
    assert dates(text, ON) == []


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None)
@given(moment=st.datetimes(dt.datetime(2024, 1, 1), dt.datetime(2028, 12, 31)))
def test_a_date_with_its_time_is_told_apart(language, moment):
    for date_style in render.styles("date", language):
        for time_style in render.styles("time", language):
            text = render.date_time(moment.isoformat()[:16], language, date_style, time_style)
            day = [value for mention in dates(text, moment.date()) for value in mention.values]
            assert day == [moment.date().isoformat()], text
            assert moment.isoformat()[11:16] in [value for mention in times(text) for value in mention.values], text


@settings(max_examples=200, deadline=None)
@given(text=st.text(alphabet="0123456789월일月日時点點.:/-~() \n年년ที่วันтبساعة الخميسathpmJun시반午後오후", max_size=40))
def test_any_text_can_be_read(text):
    for mention in [*dates(text, ON), *times(text)]:
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.values
