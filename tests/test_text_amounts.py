"""Amounts, ids, names and zones in texts."""

import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbench_env.market import shared_table
from agentbench_env.money import digits
from agentbench_env.text import render
from agentbench_env.text.facts import ids, names, states
from agentbench_env.text.facts.amounts import amounts
from agentbench_env.text.facts.mentions import Mention
from agentbench_env.text.facts.zoned import in_zone

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
DAY = dt.date(2026, 10, 19)
STYLES = [
    (lang, code, style)
    for lang in LANGUAGES
    for code in shared_table(f"writing/{lang}")["money"]
    for style in render.styles("money", lang, code)
]
FRAMES = {
    "ko": ("요금은 {}입니다.", "{}을 보냈어요.", "합계: {}"),
    "ja": ("料金は{}です。", "{}を払いました。", "合計:{}"),
    "zh-Hant": ("費用為{},謝謝。", "我付了{}。", "合計 {}"),
    "th": ("ราคา {} ค่ะ", "โอนแล้ว {}", "รวม {}นะคะ"),
    "ar": ("السعر {} فقط.", "دفعت {}، شكراً", "المجموع: {}"),
    "en": ("The fee is {}.", "I paid {} today", "Total: {}"),
}
HOME = {"ko": "KRW", "ja": "JPY", "zh-Hant": "TWD", "th": "THB", "ar": "AED", "en": "SGD"}


def found(text, local=""):
    return {value for mention in amounts(text, local) for value in mention.values}


def comparable(amount, code):
    return f"{Decimal(amount).normalize():f} {code}"


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(STYLES), st.integers(1, 10**10), st.integers(0, 2), st.booleans())
def test_every_written_amount_is_found_and_no_other_is(style, minor, frame, with_local):
    lang, code, form = style
    amount = Decimal(minor).scaleb(-digits(code))
    if form == "myriad":
        amount = Decimal(int(amount) or 1)
    text = FRAMES[lang][frame].format(render.money(str(amount), code, lang, form))
    local = HOME[lang] if with_local else ""
    values = found(text, local)
    assert comparable(amount, code) in values, text
    assert {Decimal(value.split()[0]) for value in values} == {amount}, text


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STYLES), st.integers(1, 10**10), st.integers(1, 10**10))
def test_a_different_amount_is_not_stated(style, minor, other):
    lang, code, form = style
    places = digits(code)
    one, two = Decimal(minor).scaleb(-places), Decimal(other).scaleb(-places)
    if form == "myriad":
        one, two = Decimal(int(one) or 1), Decimal(int(two) or 1)
    text = FRAMES[lang][0].format(render.money(str(one), code, lang, form))
    assert states(text, "money", (one, code), written_on=DAY, local=HOME[lang])
    assert states(text, "money", (two, code), written_on=DAY, local=HOME[lang]) == (one == two)


@pytest.mark.parametrize(
    ("text", "local", "amount"),
    [
        ("공급가액은 1,240만 원입니다.", "KRW", "12400000 KRW"),
        ("누적 1억 2,350만 원", "KRW", "123500000 KRW"),
        ("이만오천 원만 보내줘", "KRW", "25000 KRW"),
        ("2천5백만 원으로 정했어요", "KRW", "25000000 KRW"),
        ("회비 3~5만 원 예상", "KRW", "30000 KRW"),
        ("회비 3~5만 원 예상", "KRW", "50000 KRW"),
        ("30,000~50,000원 사이", "KRW", "30000 KRW"),
        ("한 사람당 23,500씩이야", "KRW", "23500 KRW"),
        ("밥값 12000 보냈어", "KRW", "12000 KRW"),
        ("만 원만 빌려줘", "KRW", "10000 KRW"),
        ("8만5천円でした", "JPY", "85000 JPY"),
        ("予算は１２，０００円です", "JPY", "12000 JPY"),
        ("税込¥1,980(1個)", "JPY", "1980 JPY"),
        ("一人二千円ずつ", "JPY", "2000 JPY"),
        ("1.5万円くらい", "JPY", "15000 JPY"),
        ("割り勘で3800だった", "JPY", "3800 JPY"),
        ("押金 3 萬 6 不能少", "TWD", "36000 TWD"),
        ("報價六千二", "TWD", "6200 TWD"),
        ("新臺幣壹拾貳萬參仟元整", "TWD", "123000 TWD"),
        ("日幣 82,500 元", "JPY", "82500 JPY"),
        ("一人 1,365,等等轉給你", "TWD", "1365 TWD"),
        ("蛋糕一個 980", "TWD", "980 TWD"),
        ("兩千五百元", "TWD", "2500 TWD"),
        ("NT$ 3,000～5,000 元", "TWD", "5000 TWD"),
        ("港幣 1,200 元", "TWD", "1200 HKD"),
        ("จำนวนเงินสามหมื่นสองพันห้าร้อยบาทถ้วน", "THB", "32500 THB"),
        ("บัตรใบละสามพันห้า", "THB", "3500 THB"),
        ("มัดจำ 2 หมื่นอ่ะ", "THB", "20000 THB"),
        ("๑,๒๕๐.๕๐ บาท", "THB", "1250.5 THB"),
        ("ค่าห้อง 1,200.- ค่ะ", "THB", "1200 THB"),
        ("งบ 1.25 ล้านบาท", "THB", "1250000 THB"),
        ("ยืมตังหน่อย 500 เอง", "THB", "500 THB"),
        ("مليوناً ومئتي ألف درهم", "AED", "1200000 AED"),
        ("خمسة وسبعين ألف درهم", "AED", "75000 AED"),
        ("بمبلغ ١٢٬٤٥٠ درهماً", "AED", "12450 AED"),
        ("السعر ٤١ ألف", "AED", "41000 AED"),
        ("ألفين وخمسمئة درهم", "AED", "2500 AED"),
        ("500 د.إ", "AED", "500 AED"),
        ("4,300 ريال", "AED", "4300 SAR"),
        ("٦٢٫٧٥ درهماً", "AED", "62.75 AED"),
        ("Singapore dollars two thousand four hundred only", "SGD", "2400 SGD"),
        ("S$1.25 million", "SGD", "1250000 SGD"),
        ("Ballpark is 12k, give or take", "SGD", "12000 SGD"),
        ("twenty bucks", "SGD", "20 SGD"),
        ("I owe you 46.", "SGD", "46 SGD"),
        ("$50-80 per head", "SGD", "80 SGD"),
        ("$39.90 a month", "SGD", "39.9 SGD"),
        ("a hundred and fifty dollars", "SGD", "150 SGD"),
        ("half a million dollars", "SGD", "500000 SGD"),
        ("RM1,250.00", "SGD", "1250 MYR"),
        ("12 dirhams and 50 fils", "AED", "12.5 AED"),
        ("USD 1,200 only", "AED", "1200 USD"),
    ],
)
def test_amounts_in_the_ways_of_each_language(text, local, amount):
    assert amount in found(text, local)


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("謹致上十二萬分歉意", "TWD"),
        ("ค่าไฟคำนวณจาก 1,020 หน่วย", "THB"),
        ("the monitor is 27 inch, no scratches", "SGD"),
        ("Invoice 2608-0045 is paid", "SGD"),
        ("The fee is due on 15 December at 9 am, level 12", "SGD"),
        ("요금은 3월 12일 15시까지 302호로 내 주세요", "KRW"),
        ("費用は6月4日14時までに3名分", "JPY"),
        ("12月5日(六)六點付款,共四位,分機 612", "TWD"),
        ("จ่ายวันที่ 25 ก่อน 10.30 น. ห้อง 204", "THB"),
        ("الدفع قبل يوم 18 نوفمبر الساعة 10", "AED"),
        ("10% discount", "SGD"),
        ("https://pay.example/500 で支払い", "JPY"),
        ("一塊去吃飯", "TWD"),
        ("이 원칙대로 일 원장님께", "KRW"),
        ("2026 budget", "SGD"),
        ("เรียบร้อยแล้วค่ะ ชำระเงินครบ", "THB"),
        ("ألف شكر على الدفع", "AED"),
    ],
)
def test_figures_that_are_no_amounts(text, local):
    assert found(text, local) == set()


@pytest.mark.parametrize(
    ("text", "wanted", "there"),
    [
        ("Plan A-12, please", "A-12", True),
        ("Plan A-120", "A-12", False),
        ("Plan A-12-3", "A-12", False),
        ("Plan BA-12", "A-12", False),
        ("الفاتورة رقم ٢٢٠٩-١٤ بمبلغ", "2209-14", True),
        ("접수번호는 ＲＦ-20218로", "RF-20218", True),
        ("https://x.example/RF-20218", "RF-20218", False),
        ("代號為 XM-2412，12 月 24 日", "XM-2412", True),
        ("Stub no. 3062, right?", "3062", True),
        ("13,062 or 3062.50", "3062", False),
        ("(R-2207).", "R-2207", True),
    ],
)
def test_ids_are_matched_whole(text, wanted, there):
    assert bool(ids.places(text, wanted)) == there


@pytest.mark.parametrize(
    ("text", "form", "there"),
    [
        ("최부장님께 드립니다", "최 부장님", True),
        ("또한 팀장님께서", "한 팀장님", False),
        ("지우개 사 와", "지우", False),
        ("지우가 왔어", "지우", True),
        ("하람 씨", "하람 대리님", False),
        ("小林様", "林様", False),
        ("営業部高瀬様", "高瀬様", True),
        ("高瀬　美咲様", "高瀬 美咲様", True),
        ("請林經理過目", "林經理", True),
        ("คุณพิมพ์ใจคะ", "คุณพิมพ์", False),
        ("คุณเบญจาดูแทน", "คุณเบญจา", True),
        ("ขอเวลานิดหน่อย", "นิด", False),
        ("พี่นิดคะ", "นิด", True),
        ("للأستاذ فهد", "الأستاذ فهد", True),
        ("الاستاذة هند", "الأستاذ هند", False),
        ("وسالم معنا", "سالم", True),
        ("Dear Ms. Goh,", "Ms Goh", True),
        ("Dear Ms Gohar,", "Ms Goh", False),
        ("Mint's here", "Mint", True),
        ("a mint tea", "Mint", False),
    ],
)
def test_names_occur_whole(text, form, there):
    assert names.occurs(form, text) == there


@pytest.mark.parametrize(
    ("text", "clock", "zone", "there"),
    [
        ("화상회의는 한국 시간 [오후 6시], 런던 현지 시간 [오전 9시]에", 0, "Asia/Seoul", True),
        ("화상회의는 한국 시간 [오후 6시], 런던 현지 시간 [오전 9시]에", 1, "Europe/London", True),
        ("화상회의는 한국 시간 [오후 6시], 런던 현지 시간 [오전 9시]에", 1, "Asia/Seoul", False),
        ("방콕 시간 말고 한국 시간으로 [오후 3시 반]에", 0, "Asia/Bangkok", False),
        ("방콕 시간 말고 한국 시간으로 [오후 3시 반]에", 0, "Asia/Seoul", True),
        ("[15時半]スタートです。シンガポール時間ではなく日本時間です。", 0, "Asia/Tokyo", True),
        ("[15時半]スタートです。シンガポール時間ではなく日本時間です。", 0, "Asia/Singapore", False),
        ("日本時間[18時](現地時間[9時])", 0, "Asia/Tokyo", True),
        ("是台灣時間[下午三點半],不是[三點],也不是曼谷時間。", 0, "Asia/Taipei", True),
        ("是台灣時間[下午三點半],不是[三點],也不是曼谷時間。", 0, "Asia/Bangkok", False),
        ("เวลา [16.00 น.] ตามเวลาประเทศไทย ตรงกับ [09.00 น.] ตามเวลาลอนดอน", 1, "Europe/London", True),
        ("เวลา [16.00 น.] ตามเวลาประเทศไทย ตรงกับ [09.00 น.] ตามเวลาลอนดอน", 0, "Asia/Bangkok", True),
        ("เวลา [16.00 น.] ตามเวลาประเทศไทย ตรงกับ [09.00 น.] ตามเวลาลอนดอน", 0, "Europe/London", False),
        ("الساعة [1:00 ظهراً] بتوقيت دبي، الموافق [9:00 صباحاً] بتوقيت لندن", 0, "Asia/Dubai", True),
        ("الساعة [1:00 ظهراً] بتوقيت دبي، الموافق [9:00 صباحاً] بتوقيت لندن", 1, "Asia/Dubai", False),
        ("[4pm] Korea time", 0, "Asia/Singapore", False),
        ("[4pm] SGT on 14 May, which is [9am] in London", 1, "Europe/London", True),
        ("[4pm] SGT on 14 May, which is [9am] in London", 0, "Europe/London", False),
        ("[14:00]~[15:00] (한국 시간)", 0, "Asia/Tokyo", True),
        ("[14:00]~[15:00] (한국 시간)", 0, "Asia/Dubai", False),
        ("[14:00] UTC+9", 0, "Asia/Seoul", True),
        ("[14:00] UTC+9", 0, "Asia/Dubai", False),
        ("[10:00] KST", 0, "Asia/Seoul", True),
        ("We meet at [10:00]. The price has 9% GST.", 0, "Asia/Singapore", True),
        ("We meet at [10:00].", 0, "Asia/Seoul", True),
    ],
)
def test_zone_of_a_time(text, clock, zone, there):
    times, plain_text = [], ""
    for index, part in enumerate(text.replace("[", "]").split("]")):
        if index % 2:
            times.append(Mention("time", ("12:00",), len(plain_text), len(plain_text) + len(part)))
        plain_text += part
    assert in_zone(plain_text, times[clock], times, zone, DAY) == there
