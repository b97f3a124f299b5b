"""Single facts as people tell them: what is or is not the case, counts, floors, sizes, guests, hours past midnight."""

from __future__ import annotations

from datetime import date

import pytest

from agentbench_tasks.reservations.domain.letters import tells_clock, tells_day, tells_party
from agentbench_tasks.reservations.domain.quote_facts import QuoteFact, states_quote_fact

TODAY = date(2026, 10, 9)
YES_OR_NO: list[tuple[str, str, str, bool]] = [
    ("ko", "엘리베이터가 있고 주차는 불가능합니다", "lift", True),
    ("ko", "엘리베이터가 있고 주차는 불가능합니다", "parking", False),
    ("ko", "엘리베이터는 없습니다", "lift", False),
    ("ko", "주차장이 따로 없어요", "parking", False),
    ("ko", "주차 자리 넉넉합니다", "parking", True),
    ("ko", "엘베 있습니다", "lift", True),
    ("ko", "사다리차는 필요 없습니다", "ladder_truck", False),
    ("ko", "사다리차를 써야 합니다", "ladder_truck", True),
    ("ko", "현재 집은 엘리베이터가 없고 새 집은 있습니다", "from_lift", False),
    ("ko", "출발지 엘리베이터 없음, 도착지 엘리베이터 있음", "to_lift", True),
    ("ko", "출발지 엘리베이터 없음, 도착지 엘리베이터 있음", "from_lift", False),
    ("ko", "주차 공간이 부족해 주차가 어렵습니다", "parking", False),
    ("ko", "자동 청소 기능은 없는 모델입니다", "self_cleaning", False),
    ("ja", "エレベーターはございません", "lift", False),
    ("ja", "エレベーター付きのマンションです", "lift", True),
    ("ja", "駐車スペースはご用意できません", "parking", False),
    ("ja", "近くにコインパーキングがございます、駐車場はありません", "parking", False),
    ("ja", "お掃除機能は付いていません", "self_cleaning", False),
    ("ja", "お掃除機能付きです", "self_cleaning", True),
    ("ja", "お掃除機能は付いております", "self_cleaning", True),
    ("ja", "旧居はエレベーターなし、新居はエレベーターあり", "from_lift", False),
    ("ja", "旧居はエレベーターなし、新居はエレベーターあり", "to_lift", True),
    ("ja", "養生は必要ございません", "floor_cover", False),
    ("ja", "養生をお願いいたします", "floor_cover", True),
    ("zh-Hant", "大樓沒有電梯", "lift", False),
    ("zh-Hant", "有電梯但沒有停車位", "lift", True),
    ("zh-Hant", "有電梯但沒有停車位", "parking", False),
    ("zh-Hant", "樓下可以停車", "parking", True),
    ("zh-Hant", "附近不好停車", "parking", False),
    ("zh-Hant", "不需要雲梯車", "ladder_truck", False),
    ("zh-Hant", "需要雲梯車", "ladder_truck", True),
    ("zh-Hant", "舊家沒電梯，新家有電梯", "from_lift", False),
    ("zh-Hant", "舊家沒電梯，新家有電梯", "to_lift", True),
    ("zh-Hant", "電梯無", "lift", False),
    ("zh-Hant", "天花板有維修孔", "access_hole", True),
    ("zh-Hant", "沒有預留維修孔", "access_hole", False),
    ("th", "ตึกนี้ไม่มีลิฟต์ครับ", "lift", False),
    ("th", "มีลิฟต์แต่ไม่มีที่จอดรถ", "lift", True),
    ("th", "มีลิฟต์แต่ไม่มีที่จอดรถ", "parking", False),
    ("th", "จอดรถหน้าตึกได้", "parking", True),
    ("th", "จอดรถไม่ได้", "parking", False),
    ("th", "ที่เดิมไม่มีลิฟต์ ที่ใหม่มีลิฟต์", "from_lift", False),
    ("th", "ที่เดิมไม่มีลิฟต์ ที่ใหม่มีลิฟต์", "to_lift", True),
    ("th", "ไม่ต้องใช้รถกระเช้า", "ladder_truck", False),
    ("ar", "لا يوجد مصعد في المبنى", "lift", False),
    ("ar", "المبنى به مصعد ولكن دون موقف", "lift", True),
    ("ar", "المبنى به مصعد ولكن دون موقف", "parking", False),
    ("ar", "يتوفر موقف للزوار", "parking", True),
    ("ar", "الموقف غير متوفر", "parking", False),
    ("ar", "السكن الحالي بلا مصعد والسكن الجديد فيه مصعد", "from_lift", False),
    ("ar", "السكن الحالي بلا مصعد والسكن الجديد فيه مصعد", "to_lift", True),
    ("ar", "لا نحتاج إلى رافعة", "ladder_truck", False),
    ("en", "There is a lift but no parking.", "lift", True),
    ("en", "There is a lift but no parking.", "parking", False),
    ("en", "There isn't a lift.", "lift", False),
    ("en", "We don't have a lift.", "lift", False),
    ("en", "The building has no lift or parking.", "parking", False),
    ("en", "Unfortunately there is no visitor parking.", "parking", False),
    ("en", "The current flat has no lift, the new flat has a lift.", "from_lift", False),
    ("en", "The current flat has no lift, the new flat has a lift.", "to_lift", True),
    ("en", "Visitors can park in the car park.", "parking", True),
    ("en", "Parking is limited to one car.", "parking", True),
    ("en", "No dismantling needed.", "dismantling", False),
    ("en", "The bed needs dismantling.", "dismantling", True),
]
STATED: list[tuple[str, str, str, str | int, bool]] = [
    ("ko", "7층에서 3층으로 이사합니다", "from_floor", 7, True),
    ("ko", "현재 3층이고 새집은 12층입니다", "to_floor", 12, True),
    ("ko", "현재 3층이고 새집은 12층입니다", "from_floor", 12, False),
    ("en", "We are moving from the 3rd floor to the 12th floor.", "from_floor", 3, True),
    ("en", "We are moving from the 3rd floor to the 12th floor.", "to_floor", 12, True),
    ("en", "We are moving from the 3rd floor to the 12th floor.", "to_floor", 3, False),
    ("ja", "3階から12階への引越しです", "from_floor", 3, True),
    ("ja", "3階から12階への引越しです", "to_floor", 12, True),
    ("ja", "旧居は3階、新居は12階です", "to_floor", 12, True),
    ("zh-Hant", "從3樓搬到12樓", "from_floor", 3, True),
    ("zh-Hant", "從3樓搬到12樓", "to_floor", 12, True),
    ("zh-Hant", "舊家三樓，新家十二樓", "to_floor", 12, True),
    ("th", "ย้ายจากชั้น 3 ไปชั้น 12", "from_floor", 3, True),
    ("th", "ย้ายจากชั้น 3 ไปชั้น 12", "to_floor", 12, True),
    ("ar", "الانتقال من الطابق الثالث إلى الطابق الثاني عشر", "from_floor", 3, True),
    ("ar", "الانتقال من الطابق الثالث إلى الطابق الثاني عشر", "to_floor", 12, True),
    ("en", "Two wall-mounted units and one outdoor unit", "unit_count", 2, True),
    ("en", "Two wall-mounted units and one outdoor unit", "outdoor_count", 1, True),
    ("en", "Two wall-mounted units and one outdoor unit", "unit_count", 1, False),
    ("ko", "에어컨 2대, 실외기 1대", "unit_count", 2, True),
    ("ko", "에어컨 2대, 실외기 1대", "outdoor_count", 1, True),
    ("ko", "에어컨 2대, 실외기 1대", "unit_count", 1, False),
    ("ja", "壁掛け2台、室外機1台", "unit_count", 2, True),
    ("ja", "壁掛け2台、室外機1台", "unit_count", 1, False),
    ("ja", "室外機は1台です", "outdoor_count", 1, True),
    ("zh-Hant", "室內機2台、室外機1台", "unit_count", 2, True),
    ("zh-Hant", "室內機2台、室外機1台", "unit_count", 1, False),
    ("ar", "مكيفان سبليت ووحدة خارجية واحدة", "unit_count", 2, True),
    ("ar", "3 مكيفات", "unit_count", 3, True),
    ("en", "about 25 cardboard boxes", "box_count", 25, True),
    ("ja", "段ボールは25箱ほどです", "box_count", 25, True),
    ("th", "กล่องประมาณ 25 ใบ", "box_count", 25, True),
    ("zh-Hant", "大約25箱", "box_count", 25, True),
    ("ko", "박스는 25개 정도예요", "box_count", 25, True),
    ("ar", "حوالي 25 كرتونًا", "box_count", 25, True),
    ("th", "ขนาด 9,000 BTU", "capacity", "9000 btu", True),
    ("ja", "20号の給湯器です", "capacity", "20 go", True),
    ("en", "a 1.5-ton unit", "capacity", "1.5 ton", True),
    ("ar", "سعة 2 طن", "capacity", "2 ton", True),
    ("ar", "سعة 80 لترًا", "capacity", "80 litre", True),
    ("ko", "천장 높이는 약 2.4미터", "ceiling_height", "2.4 metre", True),
    ("zh-Hant", "天花板高 240 公分", "ceiling_height", "2.4 metre", True),
    ("en", "the ceiling is 2.4 m high", "ceiling_height", "2.4 metre", True),
    ("en", "size 180 x 85 x 70 cm", "item_sizes", "180x85x70", True),
    ("ja", "縦180cm×横85cm×高さ70cm", "item_sizes", "180x85x70", True),
    ("ko", "가로 180, 세로 85, 높이 70", "item_sizes", "180x85x70", True),
]
GUESTS: list[tuple[str, str, int, bool]] = [
    ("en", "a table for four at 7pm", 4, True),
    ("en", "booked for 7 pm", 7, False),
    ("en", "there will be six of us", 6, True),
    ("en", "party of 12", 12, True),
    ("en", "we are now eight instead of twelve", 8, True),
    ("ko", "열두 명", 12, True),
    ("ko", "8인", 8, True),
    ("ja", "八名", 8, True),
    ("ja", "大人6名、子供2名", 6, True),
    ("zh-Hant", "兩位", 2, True),
    ("zh-Hant", "十二人", 12, True),
    ("th", "แปดคน", 8, True),
    ("th", "8 ที่", 8, True),
    ("ar", "لثمانية أشخاص", 8, True),
    ("ar", "لشخصين", 2, True),
    ("ar", "ثمانية ضيوف", 8, True),
    ("ar", "عددنا 8", 8, True),
]


@pytest.mark.parametrize(("language", "text", "key", "value"), YES_OR_NO)
def test_what_is_the_case_is_told_from_what_is_not(language: str, text: str, key: str, value: bool) -> None:
    assert states_quote_fact(text, QuoteFact(key, value), language, TODAY)
    assert not states_quote_fact(text, QuoteFact(key, not value), language, TODAY)


@pytest.mark.parametrize(("language", "text", "key", "value", "told"), STATED)
def test_values_are_told_in_many_ways(language: str, text: str, key: str, value: str | int, told: bool) -> None:
    assert states_quote_fact(text, QuoteFact(key, value), language, TODAY) == told


@pytest.mark.parametrize(("language", "text", "size", "told"), GUESTS)
def test_guests_are_counted_in_many_ways(language: str, text: str, size: int, told: bool) -> None:
    assert tells_party(text, size, language) == told


@pytest.mark.parametrize(
    "text",
    [
        "11月20日（金）25:30",
        "11月20日（金）25時30分",
        "11月21日午前1時30分",
        "翌1:30",
        "금요일 익일 01:30",
        "1.30am",
        "01.30 น. (วันถัดไป)",
    ],
)
def test_hours_past_midnight_are_told_either_way(text: str) -> None:
    assert tells_clock(text, "25:30", TODAY)
    assert not tells_clock(text, "26:30", TODAY)


@pytest.mark.parametrize("text", ["希望時間：09:00–11:00", "방문 시간:09:00~11:00", "- slot:09:00 to 11:00"])
def test_a_time_may_stand_right_behind_a_colon(text: str) -> None:
    assert tells_clock(text, "09:00", TODAY)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Contractors may work from 9am to 5pm.", True),
        ("作業できるのは9時～17時です。10時に来られますか。", True),
        ("9:00, then again at 17:00", False),
        ("9:00–11:00\n15:00–17:00", False),
    ],
)
def test_hours_are_told_by_both_their_ends_together(text: str, told: bool) -> None:
    assert states_quote_fact(text, QuoteFact("office_hours", "09:00-17:00"), "en", TODAY) == told


@pytest.mark.parametrize("text", ["11월 20일(토)", "Saturday 20 November"])
def test_a_wrong_weekday_names_another_day(text: str) -> None:
    assert not tells_day(text, "2026-11-20", TODAY)
