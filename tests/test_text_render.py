"""Rendering, folding, templates and names in the six languages."""

import datetime as dt
import time as clock
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbench_env.draw import Draw
from agentbench_env.errors import WrongArgument
from agentbench_env.market import UnknownTable, load_market, market_codes, market_table, shared_table
from agentbench_env.money import digits
from agentbench_env.text import render
from agentbench_env.text.facts.times import times
from agentbench_env.text.fold import fold
from agentbench_env.text.names import draw_name
from agentbench_env.text.template import SlotError, fill, slot_names

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
CURRENCIES = ["KRW", "JPY", "SGD", "TWD", "THB", "AED", "USD", "AUD", "NZD", "MYR", "OMR", "EUR", "GBP", "CNY"]
DAY = "2026-10-09"


@pytest.mark.parametrize(
    ("lang", "style", "text"),
    [
        ("ko", "", "2026년 10월 9일(금)"),
        ("ko", "short", "10. 9.(금)"),
        ("ja", "", "2026年10月9日(金)"),
        ("ja", "era", "令和8年10月9日"),
        ("zh-Hant", "", "2026年10月9日（五）"),
        ("zh-Hant", "roc", "115年10月9日"),
        ("zh-Hant", "roc_named", "民國 115年10月9日"),
        ("th", "", "วันศุกร์ที่ 9 ตุลาคม 2569"),
        ("th", "short", "9 ต.ค. 69"),
        ("th", "era", "9 ตุลาคม พ.ศ. 2569"),
        ("th", "thai_digits", "๙ ตุลาคม พ.ศ. ๒๕๖๙"),
        ("ar", "", "الجمعة 9 أكتوبر 2026"),
        ("ar", "arabic_indic", "الجمعة ٩ أكتوبر ٢٠٢٦"),
        ("en", "", "Fri 9 Oct 2026"),
    ],
)
def test_date_is_written_as_a_native_does(lang: str, style: str, text: str) -> None:
    assert render.date(DAY, lang, style) == text
    assert render.date(dt.date(2026, 10, 9), lang, style) == text


@pytest.mark.parametrize(
    ("day", "text"),
    [
        ("1926-12-24", "大正15年12月24日"),
        ("1926-12-25", "昭和元年12月25日"),
        ("1989-01-07", "昭和64年1月7日"),
        ("1989-01-08", "平成元年1月8日"),
        ("2019-04-30", "平成31年4月30日"),
        ("2019-05-01", "令和元年5月1日"),
    ],
)
def test_japanese_eras_change_on_their_day(day: str, text: str) -> None:
    assert render.date(day, "ja", "era") == text


@pytest.mark.parametrize(
    ("lang", "style", "morning", "noon", "midnight"),
    [
        ("ko", "", "08:30", "12:00", "00:00"),
        ("ko", "words", "오전 8시 30분", "오후 12시", "오전 0시"),
        ("ja", "", "8時30分", "12時", "0時"),
        ("ja", "clock", "8:30", "12:00", "0:00"),
        ("ja", "half_words", "午前8時30分", "午後0時", "午前0時"),
        ("zh-Hant", "", "08:30", "12:00", "00:00"),
        ("zh-Hant", "words", "上午8時30分", "中午12時", "上午0時"),
        ("th", "", "08.30 น.", "12.00 น.", "00.00 น."),
        ("ar", "", "08:30", "12:00", "00:00"),
        ("ar", "words", "8:30 صباحاً", "12:00 ظهراً", "12:00 صباحاً"),
        ("en", "", "08:30", "12:00", "00:00"),
        ("en", "dotted", "8.30 am", "12 pm", "12 am"),
    ],
)
def test_time_is_written_as_a_native_does(lang: str, style: str, morning: str, noon: str, midnight: str) -> None:
    assert [render.time(hm, lang, style) for hm in ("08:30", "12:00", "00:00")] == [morning, noon, midnight]


def test_service_hours_past_midnight_stay_on_the_clock() -> None:
    assert render.time("24:47", "ja") == "24時47分"
    assert render.time("24:47", "en", "dotted") == "12.47 am"


@pytest.mark.parametrize(
    ("lang", "style", "before", "midnight", "past"),
    [
        ("ko", "", "20:30", "24:00", "익일 01:30"),
        ("ko", "clock", "20:30", "24:00", "25:30"),
        ("ja", "", "20:30", "24:00", "25:30"),
        ("ja", "next_day", "20:30", "24:00", "翌1:30"),
        ("zh-Hant", "", "20:30", "24:00", "凌晨1:30"),
        ("th", "", "20.30 น.", "24.00 น.", "01.30 น. (วันถัดไป)"),
        ("ar", "", "8:30 مساءً", "12:00 منتصف الليل", "1:30 بعد منتصف الليل"),
        ("en", "", "8.30 pm", "midnight", "1.30 am"),
    ],
)
def test_service_time_is_written_as_shops_do(lang: str, style: str, before: str, midnight: str, past: str) -> None:
    assert [render.service_time(hm, lang, style) for hm in ("20:30", "24:00", "25:30")] == [before, midnight, past]


def test_parts_of_the_day_of_a_service() -> None:
    hours = ("11:30", "12:30", "14:45", "15:00", "18:00")
    assert [render.service_time(hm, "ar") for hm in hours] == [
        "11:30 صباحاً",
        "12:30 ظهراً",
        "2:45 ظهراً",
        "3:00 عصراً",
        "6:00 مساءً",
    ]
    assert [render.service_time(hm, "en") for hm in ("12:00", "21:00", "25:00")] == ["12 pm", "9 pm", "1 am"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_service_times_are_found_again(lang: str) -> None:
    for style in render.styles("service_time", lang):
        for minutes in range(10 * 60, 27 * 60, 15):
            hours, rest = divmod(minutes, 60)
            written = render.service_time(f"{hours:02d}:{rest:02d}", lang, style)
            (found,) = times(written)
            assert f"{hours % 24:02d}:{rest:02d}" in found.values, written


def test_date_time_joins_both() -> None:
    assert {lang: render.date_time("2026-10-09T08:30", lang) for lang in LANGUAGES} == {
        "ko": "2026년 10월 9일(금) 08:30",
        "ja": "2026年10月9日(金)8時30分",
        "zh-Hant": "2026年10月9日（五）08:30",
        "th": "วันศุกร์ที่ 9 ตุลาคม 2569 เวลา 08.30 น.",
        "ar": "الجمعة 9 أكتوبر 2026 الساعة 08:30",
        "en": "Fri 9 Oct 2026, 08:30",
    }


@pytest.mark.parametrize(
    ("lang", "style", "same_month", "two_years"),
    [
        ("ko", "", "2026년 10월 9일(금)~12일(월)", "2026년 12월 30일(수)~2027년 1월 2일(토)"),
        ("ja", "month_day", "10月9日から12日", "12月30日から1月2日"),
        ("zh-Hant", "", "2026年10月9日（五）至12日（一）", "2026年12月30日（三）至2027年1月2日（六）"),
        ("th", "month_day", "9–12 ตุลาคม", "30 ธันวาคม – 2 มกราคม"),
        ("ar", "", "من الجمعة 9 إلى الاثنين 12 أكتوبر 2026", "من الأربعاء 30 ديسمبر 2026 إلى السبت 2 يناير 2027"),
        ("en", "short", "9–12 Oct 2026", "30 Dec 2026 – 2 Jan 2027"),
    ],
)
def test_date_range_says_shared_parts_once(lang: str, style: str, same_month: str, two_years: str) -> None:
    assert render.date_range(DAY, "2026-10-12", lang, style) == same_month
    assert render.date_range("2026-12-30", "2027-01-02", lang, style) == two_years


def test_date_range_of_one_day_is_that_day() -> None:
    for lang in LANGUAGES:
        for style in render.styles("date_range", lang):
            assert render.date_range(DAY, DAY, lang, style) == render.date(DAY, lang, style)
    with pytest.raises(ValueError, match="2026-10-10 after its end"):
        render.date_range("2026-10-10", DAY, "en")


@pytest.mark.parametrize(
    ("amount", "currency", "lang", "style", "text"),
    [
        (60000, "KRW", "ko", "", "60,000원"),
        (60000, "KRW", "ko", "myriad", "6만 원"),
        (120_005_000, "KRW", "ko", "myriad", "1억 2,000만 5,000 원"),
        (6600, "JPY", "ja", "", "6,600円"),
        (6600, "JPY", "ja", "symbol", "¥6,600"),
        (1500, "TWD", "zh-Hant", "", "新臺幣1,500元"),
        (1500, "TWD", "zh-Hant", "symbol", "NT$1,500"),
        (120000, "THB", "th", "", "1,200 บาท"),
        (120000, "THB", "th", "symbol", "฿1,200"),
        (22000, "AED", "ar", "", "220 درهماً"),
        (22000, "AED", "ar", "code", "AED 220"),
        (22000, "AED", "ar", "arabic_indic", "٢٢٠ درهماً"),
        ("9998.65", "AED", "ar", "arabic_indic", "٩٬٩٩٨٫٦٥ درهم"),
        (6000, "SGD", "en", "", "S$60"),
        (6000, "SGD", "en", "code", "SGD 60.00"),
        (100086, "SGD", "en", "", "S$1,000.86"),
        (22000, "AED", "en", "", "AED 220"),
        (6600, "JPY", "en", "", "JPY 6,600"),
        (6600, "JPY", "en", "symbol", "¥6,600"),
        (6000, "SGD", "ko", "", "60 싱가포르달러"),
        ("60", "OMR", "en", "", "OMR 60.000"),
        (60500, "OMR", "th", "", "60.500 เรียลโอมาน"),
        (Decimal("-12.5"), "SGD", "en", "", "-S$12.50"),
        ("0.12345", "USD", "en", "code", "USD 0.12345"),
        (0, "KRW", "ko", "myriad", "0 원"),
    ],
)
def test_money_is_written_as_a_native_does(
    amount: int | str | Decimal, currency: str, lang: str, style: str, text: str
) -> None:
    assert render.money(amount, currency, lang, style) == text


@pytest.mark.parametrize(
    ("dirhams", "text"),
    [("1", "1 درهم"), ("3", "3 دراهم"), ("11", "11 درهماً"), ("100", "100 درهم"), ("103", "103 دراهم")],
)
def test_arabic_amounts_agree_with_their_number(dirhams: str, text: str) -> None:
    assert render.money(dirhams, "AED", "ar") == text


@given(st.integers(-(10**9), 10**9), st.sampled_from(CURRENCIES), st.sampled_from(LANGUAGES))
@settings(deadline=None)
def test_money_keeps_the_value_in_every_style(minor: int, currency: str, lang: str) -> None:
    places = digits(currency)
    for style in set(render.styles("money", lang, currency)) - {"myriad"}:
        text = fold(render.money(minor, currency, lang, style)).replace("٫", ".").removesuffix("د.ا")
        number = "".join(character for character in text if character in "-.0123456789")
        assert Decimal(number).scaleb(places) == minor


@given(st.dates(dt.date(1930, 1, 1), dt.date(2099, 12, 31)), st.sampled_from(LANGUAGES))
@settings(deadline=None)
def test_full_date_tells_days_apart(day: dt.date, lang: str) -> None:
    later = day + dt.timedelta(days=1)
    for style in render.styles("date", lang):
        assert render.date(day, lang, style) != render.date(later, lang, style)
    assert render.weekday(day, lang) in render.date(day, lang) or render.weekday(day, lang, "short") in render.date(
        day, lang
    )


def test_counts_and_durations() -> None:
    assert {lang: render.duration(750, lang) for lang in LANGUAGES} == {
        "ko": "12시간 30분",
        "ja": "12時間30分",
        "zh-Hant": "12小時30分鐘",
        "th": "12 ชั่วโมง 30 นาที",
        "ar": "12 ساعة و30 دقيقة",
        "en": "12 hours 30 minutes",
    }
    assert render.duration(120, "ar") == "ساعتين"
    assert render.duration(45, "en") == "45 minutes"
    assert render.duration(1, "en") == "1 minute"
    assert render.count(2, "night", "ja") == "2泊"
    assert [render.count(n, "day", "ar") for n in (1, 2, 3, 11, 100)] == [
        "يوم واحد",
        "يومين",
        "3 أيام",
        "11 يوماً",
        "100 يوم",
    ]


def test_wrong_style_language_and_currency_are_named() -> None:
    with pytest.raises(WrongArgument, match=r"date style in ko is 'ful'.*Did you mean 'full'"):
        render.date(DAY, "ko", "ful")
    with pytest.raises(WrongArgument, match="currency in th is 'XAU'"):
        render.money(1, "XAU", "th")
    with pytest.raises(UnknownTable, match="writing/fr"):
        render.date(DAY, "fr")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_languages_have_the_same_tables(lang: str) -> None:
    table, english = shared_table(f"writing/{lang}"), shared_table("writing/en")
    assert table["language"] == lang
    assert [len(table[key]) for key in ("months", "months_short", "weekdays", "weekdays_short")] == [12, 12, 7, 7]
    assert set(CURRENCIES) <= set(table["money"])
    assert set(table["money"]) == set(english["money"])
    assert set(table["counts"]) == set(english["counts"])
    assert set(table["register"]) == set(english["register"])
    assert {cell for cells in table["register"].values() for cell in cells} == set(table["mail"]["opening"])
    assert set(table["mail"]["opening"]) == set(table["mail"]["closing"])
    assert set(table["on_the_hour"]) <= set(table["time"])


def test_house_styles_exist() -> None:
    for market in market_codes():
        table = market_table(market, "writing")
        assert load_market(market).prompt_language in table["styles"]
        for lang, documents in table["styles"].items():
            assert set(documents) == {"prose", "notice", "table", "chat"}
            for style in documents.values():
                assert style["date"] in render.styles("date", lang)
                assert style["time"] in render.styles("time", lang)
                assert style["money"] in render.styles("money", lang, load_market(market).currency)


# Folding


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ＡＢＣ　１２３", "abc 123"),
        ("臺北", "台北"),
        ("霞ヶ関", "霞ケ関"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("น้ำ", "น้\u0e4d\u0e32"),
        ("๒๕๖๙", "2569"),
        ("٢٠٢٦", "2026"),
        ("۲۰۲۶", "2026"),
        ("أكتوبر", "اكتوبر"),
        ("إلى آخر", "الي اخر"),
        ("مؤسسة", "موسسه"),
        ("شاطئ", "شاطي"),
        ("دِرْهَمًا", "درهما"),
        ("مـــوعد", "موعد"),
        ("ﻣﻮﻋﺪ", "موعد"),
        ("  a \n\t b\u00a0c ", "a b c"),
        ("\u200eAED\u200f 220", "aed 220"),
        ("Straße É", "straße é"),
    ],
)
def test_fold_evens_out_spellings(left: str, right: str) -> None:
    assert fold(left) == fold(right)


def test_fold_keeps_different_words_apart() -> None:
    assert len({fold(word) for word in ("台北", "臺南", "น้ำ", "นำ", "درهم", "دراهم", "ガイド", "カイト")}) == 8


@given(st.text())
def test_fold_twice_is_fold_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


# Templates


def test_fill_returns_text_and_first_spans() -> None:
    text, spans = fill("{{{name}}}: {amount}, {name}", {"name": "김민준", "amount": "60,000원"})
    assert text == "{김민준}: 60,000원, 김민준"
    assert {slot: text[start:end] for slot, (start, end) in spans.items()} == {"name": "김민준", "amount": "60,000원"}
    assert spans["name"] == (1, 4)


def test_fill_does_not_read_slot_values() -> None:
    assert fill("{a}{b}", {"a": "{b}", "b": "}}"})[0] == "{b}}}"
    assert fill("", {}) == ("", {})


@pytest.mark.parametrize(
    ("template", "slots", "message"),
    [
        ("{a} {b}", {"a": "1"}, "'b' is missing"),
        ("{a}", {"a": "1", "c": "2"}, "'c' is not in the template"),
        ("{a", {"a": "1"}, "stray '{' at 0"),
        ("a}", {}, "stray '}' at 1"),
        ("{A b}", {}, "stray '{' at 0"),
    ],
)
def test_fill_names_what_does_not_fit(template: str, slots: dict[str, str], message: str) -> None:
    with pytest.raises(SlotError, match=message):
        fill(template, slots)


def test_slot_names_in_order() -> None:
    assert slot_names("{b} {{x}} {a} {b}") == ("b", "a")


@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,4}", fullmatch=True), st.text(), max_size=5), st.text())
def test_spans_point_at_the_values(slots: dict[str, str], literal: str) -> None:
    template = literal.replace("{", "{{").replace("}", "}}") + "·".join(f"{{{slot}}}" for slot in slots)
    text, spans = fill(template, slots)
    assert text == literal + "·".join(slots.values())
    assert {slot: text[start:end] for slot, (start, end) in spans.items()} == slots


def test_fill_is_fast() -> None:
    slots = {"date": "2026년 10월 9일(금)", "amount": "60,000원"}
    runs = [0.0] * 5
    for run in range(5):
        start = clock.perf_counter()
        for _ in range(1000):
            fill("출발 {date}까지 {amount}을 내 주세요.", slots)
        runs[run] = clock.perf_counter() - start
    assert min(runs) < 0.05  # fifty microseconds a text leaves room for a loaded machine


# Names


@pytest.mark.parametrize("market", market_codes())
def test_given_names_of_splits_are_disjoint(market: str) -> None:
    pools: dict[str, set[str]] = {"train": set(), "dev": set(), "test": set()}
    latin: dict[str, set[str]] = {"train": set(), "dev": set(), "test": set()}
    for group in market_table(market, "names")["groups"]:
        for splits in group["given"].values():
            for split, names in splits.items():
                assert len(set(names)) == len(names)
                pools[split] |= {name.split("/")[0] for name in names}
                latin[split] |= {name.split("/")[1] if "/" in name else name for name in names}
    for table in (pools, latin):
        assert not (table["train"] & table["dev"] | table["train"] & table["test"] | table["dev"] & table["test"])
    assert all(len(pool) >= 75 for pool in pools.values())


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("split", ["train", "dev", "test", "private"])
def test_names_are_whole_and_repeatable(market: str, split: str) -> None:
    names = [draw_name(market, split, draw) for draw in [Draw("names", market, split)] for _ in range(300)]
    assert names == [draw_name(market, split, draw) for draw in [Draw("names", market, split)] for _ in range(300)]
    assert {name.gender for name in names} == {"female", "male"}
    for name in names:
        assert name.latin.isascii()
        assert name.family in name.native
        assert name.given in name.native
        assert name.family_latin in name.latin
        assert name.given_latin in name.latin
        assert "{" not in f"{name.native}{name.latin}{name.reading}"
        assert name.native == " ".join(name.native.split())
    assert len({name.native for name in names}) > 200


def test_names_follow_the_market() -> None:
    draw = Draw("names")
    japanese = draw_name("JP", "test", draw, "female")
    assert japanese.gender == "female"
    assert japanese.native == f"{japanese.family} {japanese.given}"
    assert japanese.latin == f"{japanese.given_latin} {japanese.family_latin}"
    assert all("ァ" <= character <= "ヶ" for character in japanese.reading.replace(" ", ""))
    korean = draw_name("KR", "train", draw)
    assert korean.native == korean.family + korean.given
    assert korean.reading == ""
    singaporean = [draw_name("SG", "train", draw, "male") for _ in range(400)]
    malays = [name for name in singaporean if " bin " in name.native]
    assert malays
    assert all(name.family == "" for name in malays)
    assert any(" s/o " in name.native for name in singaporean)
    emirati = [draw_name("AE", "train", draw, "female") for _ in range(200)]
    assert any(" بنت " in name.native and " bint " in name.latin for name in emirati)


def test_private_draws_from_the_pool_of_test() -> None:
    assert draw_name("TH", "private", Draw("a")) == draw_name("TH", "test", Draw("a"))
    with pytest.raises(WrongArgument, match="split is 'valid'"):
        draw_name("TH", "valid", Draw("a"))


@pytest.mark.parametrize(
    ("template", "word", "text"),
    [
        ("{word}을(를) 사요", "사과", "사과를 사요"),
        ("{word}을(를) 냅니다", "134,000원", "134,000원을 냅니다"),
        ("{word}은(는) 편해요", "제주항공", "제주항공은 편해요"),
        ("{word}이(가) 와요", "비", "비가 와요"),
        ("{word}과(와) 가요", "사과", "사과와 가요"),
        ("{word}(으)로 가요", "서울", "서울로 가요"),
        ("{word}(으)로 가요", "부산", "부산으로 가요"),
        ("{word}(으)로 하세요", "pra_h2w3", "pra_h2w3으로 하세요"),
        ("{word}은(는) 됩니다", "KE1234", "KE1234는 됩니다"),
        ("{word}은(는) 됩니다", "PUWU7L", "PUWU7L은 됩니다"),
        ("{word}을(를) 봐요", "「엑스」", "「엑스」를 봐요"),
        ("{word}을(를) 봐요", "30%", "30%를 봐요"),
        ("{word}을(를) 봐요", "예약금의 50%", "예약금의 50%를 봐요"),
        ("{word}을(를) 들어요", "23kg", "23kg을 들어요"),
        ("{word}은(는) 넓어요", "85 cm", "85 cm는 넓어요"),
        ("{word} (는) 그대로", "곧", "곧 (는) 그대로"),
        ("‘{word}’은(는) 취소해요", "분기 납품 회의", "‘분기 납품 회의’는 취소해요"),
        ("‘{word}’을(를) 취소해요", "통관 일정", "‘통관 일정’을 취소해요"),
        ("「{word}」이(가) 있어요", "회의", "「회의」가 있어요"),
        ("“{word}”와(과) 겹쳐요", "면담", "“면담”과 겹쳐요"),
        ("‘{word}’(으)로만 말해요", "사내 사정", "‘사내 사정’으로만 말해요"),
        ("‘{word}’(으)로 적어요", "서울", "‘서울’로 적어요"),
        ("‘{word}’(이)라고 해요", "우선순위 검토", "‘우선순위 검토’라고 해요"),
        ("회의({word})을(를) 취소해요", "2시 30분", "회의(2시 30분)를 취소해요"),
    ],
)
def test_korean_particles_follow_the_last_sound(template: str, word: str, text: str) -> None:
    filled, spans = fill(template, {"word": word})
    assert filled == text
    assert filled[slice(*spans["word"])] == word
