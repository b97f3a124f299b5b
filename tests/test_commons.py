"""What holds for every shared provider, and the small ones: texts, values, days, zones, sums."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from commons_kit import (
    NOW,
    ZONE,
    do,
    every_page,
    fees,
    flat,
    office_world,
    refused,
    world_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbench_env.errors import ToolError, WrongArgument
from agentbench_env.market import load_market, market_codes
from agentbench_env.money import Money, round_to
from agentbench_env.tool import Tool, input_schema
from agentbench_env.zones import to_instant, zone_row
from agentbench_tasks.commons.calc import CalcEvaluate, decimal_text, evaluate
from agentbench_tasks.commons.days import Holiday, HolidaysListDays, day_off_key
from agentbench_tasks.commons.drafts import (
    MailCreateDraft,
    MailDiscardDraft,
    MailSendDraft,
    MailUpdateDraft,
)
from agentbench_tasks.commons.messages import (
    FilesReadAttachment,
    MailGetMessage,
    MailSearchMessages,
)
from agentbench_tasks.commons.notes import NotesSave
from agentbench_tasks.commons.pages import PagesGet, PagesSearch
from agentbench_tasks.commons.papers import PapersGet, PapersList
from agentbench_tasks.commons.texts import (
    CountSlot,
    DateSlot,
    DurationSlot,
    LinesSlot,
    MomentSlot,
    NameSlot,
    RangeSlot,
    SentencesSlot,
    ServiceSlot,
    Stated,
    Text,
    TimeSlot,
    body_of,
    render,
    say,
    span_of,
)
from agentbench_tasks.commons.values import MoneyLine, read_date, total, zoned
from agentbench_tasks.commons.wallet import (
    WalletGetRates,
    WalletListCards,
    WalletListCharges,
)
from agentbench_tasks.commons.zones import ClockZoneInfo, ZoneFact, offset_fact

# --- texts


def test_a_text_renders_title_heading_and_body_with_the_span_of_its_slot() -> None:
    for language in ("en", "ko"):
        for variant in range(4):
            text = fees(variant=variant, language=language)
            rendered = render(text)
            start, end = rendered.spans["fee"]
            assert rendered.body[start:end] == say(Money.of("12.00", "SGD"), language)
            assert rendered.title
            assert rendered.heading


def test_a_text_is_rendered_once() -> None:
    assert render(fees("77.00")) is render(fees("77.00"))


def test_a_mail_text_has_its_subject_as_title_and_a_bare_string_is_a_body() -> None:
    mail = Text.of("travel", "mails.trip_chat", "en", 1, dest="Honolulu", friend="Mei")
    assert render(mail).title == "Counting the days"
    assert "Honolulu" in render(mail).body
    line = render(Text.of("travel", "lines.bag", "en", kg=CountSlot(20, "kg")))
    assert (line.title, line.body) == ("", "Checked bag, 20 kg")


@pytest.mark.parametrize(
    ("value", "language", "written"),
    [
        ("as it is", "ko", "as it is"),
        (7, "en", "7"),
        (Money(660000, "SGD"), "en", "S$6,600"),
        (DateSlot("2026-10-09"), "ko", "2026년 10월 9일(금)"),
        (DateSlot("2026-10-09", "compact"), "en", "09/10/2026"),
        (RangeSlot("2026-10-09", "2026-10-12", "short"), "en", "9–12 Oct 2026"),
        (TimeSlot("08:30", "dotted"), "en", "8.30 am"),
        (ServiceSlot("25:30", "next_day"), "ja", "翌1:30"),
        (MomentSlot("2026-10-09T08:30", "short"), "en", "9 Oct 2026, 08:30"),
        (CountSlot(1, "hour"), "en", "1 hour"),
        (CountSlot(20, "kg"), "zh-Hant", "20公斤"),
        (DurationSlot(90), "en", "1 hour 30 minutes"),
        (CountSlot(48, "hour"), "ko", "48시간"),
        (NameSlot((("en", "Narita"), ("ko", "나리타"))), "ko", "나리타"),
        (NameSlot((("en", "Narita"),)), "ja", "Narita"),
        (
            LinesSlot(((NameSlot((("en", "Levy"),)), ": ", Money(280, "SGD")), ("Fee: ", 3))),
            "en",
            "Levy: S$2.80\nFee: 3",
        ),
        (Text.of("travel", "lines.card_fee", "en"), "ko", "Card payment fee"),
    ],
)
def test_slots_are_written_as_the_language_writes_them(value: Any, language: str, written: str) -> None:
    assert say(value, language) == written


def test_facts_may_stand_in_a_slot_of_a_slot() -> None:
    orders = Text.of("hours_page", "orders.food", "en", food=ServiceSlot("21:30"))
    line = Text.of(
        "hours_page", "line", "en", label="Dinner", open=ServiceSlot("18:00"), close=ServiceSlot("23:00"), orders=orders
    )
    text = Text.of("hours_page", "section.regular", "en", lines=LinesSlot(((line,), ("By day: ", line))))
    body = body_of(text)
    for path, said in {
        "lines.0.orders.food": "9.30 pm",
        "lines.0.open": "6 pm",
        "lines.1": body.splitlines()[1],
        "lines.1.orders": "last order 9.30 pm",
    }.items():
        start, end = span_of(text, Stated("key", True, path))
        assert body[start:end] == said
    assert span_of(text, Stated("key", True, "lines.1.open"))[0] > body.index("\n")
    two = Text.of("board_page", "board", "en", said=SentencesSlot((orders, "On Fridays.", orders)))
    start, end = span_of(two, Stated("key", True, "said.2.food"))
    assert (body_of(two)[start:end], start) == ("9.30 pm", body_of(two).rindex("9.30 pm"))


def test_an_unknown_kind_of_text_is_named() -> None:
    with pytest.raises(WrongArgument, match=r"pages\.bagage"):
        render(Text.of("travel", "pages.bagage", "en"))


# --- values


def test_money_lines_add_up_and_print() -> None:
    lines = [
        MoneyLine("l1", "fare", "Base fare", Money.of("268", "SGD"), "fare_1"),
        MoneyLine("l2", "bag", Text.of("travel", "lines.bag", "en", kg=CountSlot(20, "kg")), Money.of("58.5", "SGD")),
    ]
    assert total(lines, "SGD") == Money.of("326.50", "SGD")
    row = lines[1].wire()
    assert (row.label, row.amount.amount, row.qty) == ("Checked bag, 20 kg", "58.50", "1")


def test_an_instant_prints_with_its_zone() -> None:
    assert zoned(NOW, ZONE).local == "2026-09-08T10:00"


@pytest.mark.parametrize("wrong", ["", "2026-9-8", "20260908", "2026-09-31", "2026-W37-2", "tomorrow"])
def test_only_iso_dates_are_dates(wrong: str) -> None:
    with pytest.raises(ToolError) as caught:
        read_date(wrong, "on_date")
    assert (caught.value.code, caught.value.field) == ("invalid_argument", "on_date")


# --- days


def test_days_are_the_rows_of_the_market_with_their_noise() -> None:
    world = world_of()
    for code in market_codes():
        rows = load_market(code).holidays(read_date("2026-01-01", ""), read_date("2026-12-31", ""))
        pages = every_page(
            world,
            HolidaysListDays,
            lambda r: r.days,
            country=code.lower(),
            from_date="2026-01-01",
            to_date="2026-12-31",
        )
        assert [len(days) for days in pages[:-1]] == [12] * (len(pages) - 1)
        listed = [(day.date, day.name_local, day.status) for day in flat(pages)]
        assert listed == [(row.date.isoformat(), row.name_local, row.status) for row in rows]


def test_days_of_a_region_abroad_are_listed_too() -> None:
    world = world_of()
    days = do(world, HolidaysListDays, country="de-be", from_date="2026-05-01", to_date="2026-05-31").result.days
    assert [(day.date, day.name_local, day.name_en) for day in days[:2]] == [
        ("2026-05-01", "Erster Mai", "Labor Day"),
        ("2026-05-14", "Christi Himmelfahrt", "Ascension Day"),
    ]
    assert world.get(Holiday, days[0].hol_id).facts(world)[day_off_key("DE-BE", "2026-05-01", "private")] is True


def test_a_confirmed_row_states_days_off_and_can_be_cited() -> None:
    world = world_of()
    arguments = {"country": "SG", "from_date": "2026-08-01", "to_date": "2026-08-31"}
    outcome = do(world, HolidaysListDays, **arguments)
    national = next(day for day in outcome.result.days if day.date == "2026-08-09")
    record = world.find(national.hol_id)
    assert isinstance(record, Holiday)
    assert record.facts(world)[day_off_key("SG", "2026-08-09", "banks")] is True
    assert outcome.shown[national.hol_id] == ()
    assert do(world, HolidaysListDays, **arguments).result == outcome.result


def test_estimates_and_replaced_rows_state_nothing() -> None:
    world = world_of()
    days = do(world, HolidaysListDays, country="AE", from_date="2026-05-20", to_date="2026-06-30").result.days
    open_ones = [world.get(Holiday, day.hol_id) for day in days if day.status != "confirmed"]
    assert {day.status for day in open_ones} == {"estimate", "superseded"}
    assert all(day.facts(world) == {} for day in open_ones)


def test_days_refuse_unknown_countries_and_odd_periods() -> None:
    world = world_of()
    good = {"from_date": "2026-01-01", "to_date": "2026-02-01"}
    assert refused(world, HolidaysListDays, country="XX", **good).code == "unknown_country"
    for country in ("GB", "au", "DE-BY"):
        assert refused(world, HolidaysListDays, country=country, **good).hint.endswith("GB-ENG, AU-NSW, DE-BE")
    assert refused(world, HolidaysListDays, country="SG", **{**good, "to_date": "2025-12-31"}).field == "to_date"
    assert refused(world, HolidaysListDays, country="SG", **{**good, "from_date": "1 Jan"}).field == "from_date"
    too_long = refused(world, HolidaysListDays, country="SG", **{**good, "to_date": "2027-02-05"})
    assert too_long.code == "range_too_long"
    do(world, HolidaysListDays, country="SG", **{**good, "to_date": "2027-02-04"})


# --- zones


def test_a_zone_is_told_with_its_changes_and_its_fact() -> None:
    world = world_of()
    outcome = do(world, ClockZoneInfo, zone="Australia/Sydney", at="2026-10-03")
    result = outcome.result
    assert (result.utc_offset, result.abbreviation, result.dst, result.local) == (
        "+10:00",
        "AEST",
        False,
        "2026-10-03T00:00",
    )
    assert (result.next_change.at, result.next_change.local_before, result.next_change.local_after) == (
        "2026-10-03T16:00Z",
        "2026-10-04T02:00",
        "2026-10-04T03:00",
    )
    key, value = offset_fact("Australia/Sydney", to_instant("2026-10-03T12:00", "Australia/Sydney"))
    fact = world.get(ZoneFact, result.fact_id)
    assert fact.facts(world) == {key: value}
    assert outcome.shown == {fact.id: ()}
    assert do(world, ClockZoneInfo, zone="Australia/Sydney", at="2026-10-04T01:59:30").result.fact_id == fact.id
    later = do(world, ClockZoneInfo, zone="Australia/Sydney", at="2026-10-04T12:00").result
    assert (later.utc_offset, later.dst, later.fact_id == fact.id) == ("+11:00", True, False)


def test_a_zone_without_changes_has_empty_ones_and_now_is_the_default() -> None:
    result = do(world_of(), ClockZoneInfo, zone=ZONE).result
    assert (result.local, result.previous_change.at, result.next_change.at) == ("2026-09-08T10:00", "", "")
    assert zone_row(ZONE, NOW).previous is None


def test_abbreviations_and_odd_times_are_refused() -> None:
    world = world_of()
    for wrong in ("CST", "Singapore Standard Time", "asia/singapore", ""):
        assert refused(world, ClockZoneInfo, zone=wrong).code == "unknown_zone"
    for wrong in ("noon", "2026-10-32", "2026-10-01 12:00", "2024-01-01", "2027-05-01"):
        assert refused(world, ClockZoneInfo, zone=ZONE, at=wrong).field == "at"
    assert world.stamps == {}


# --- calc


_numbers = st.decimals(min_value=-(10**9), max_value=10**9, places=4, allow_nan=False).map(lambda d: f"({d})")


def _join(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(children, st.sampled_from("+-*/"), children).map(lambda t: f"({t[0]} {t[1]}{t[2]})")


@given(st.recursive(_numbers, _join, max_leaves=12))
@settings(max_examples=200, deadline=None)
def test_sums_agree_with_fractions(expression: str) -> None:
    python = "".join(f"Fraction('{t}')" if t[0].isdigit() else t for t in _split(expression))
    try:
        expected = eval(python, {"Fraction": Fraction})
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            evaluate(expression)
        return
    assert evaluate(expression) == expected


def _split(expression: str) -> list[str]:
    import re

    return re.findall(r"[0-9.]+|[-+*/()]", expression)


@given(st.decimals(min_value=-(10**6), max_value=10**6, places=5, allow_nan=False), st.integers(0, 4))
@settings(max_examples=100, deadline=None)
def test_rounding_agrees_with_the_one_function_that_rounds(value: Decimal, scale: int) -> None:
    for mode in ("half_up", "down", "up"):
        written = decimal_text(Fraction(value), scale, mode)
        assert Decimal(written) == round_to(value, Decimal(1).scaleb(-scale), mode)
        assert not written.startswith("-") or Decimal(written) < 0


def test_results_are_rounded_once_each() -> None:
    world = world_of()
    result = do(world, CalcEvaluate, expressions=["(51300 + 3000+3690+9800+900) * 0.00866", "1/3", "-(2.5)", " .5 "])
    assert result.result.results == ["594.86", "0.33", "-2.50", "0.50"]
    assert do(world, CalcEvaluate, expressions=["2.5", "-2.5", "1/3"], scale=0, rounding="up").result.results == [
        "3",
        "-3",
        "1",
    ]
    assert do(world, CalcEvaluate, expressions=["-0.001"], rounding="down").result.results == ["0.00"]
    assert result.shown == {}


@pytest.mark.parametrize(
    ("wrong", "position"),
    [
        ("", 0),
        ("1 +", 3),
        ("1 2", 2),
        ("(1", 2),
        ("1)", 1),
        ("2**3", 2),
        ("1e5", 1),
        ("1,000", 1),
        ("__import__", 0),
        ("1 + .", 3),
        ("(" * 41 + "1" + ")" * 41, 40),
        ("1" * 501, 500),
    ],
)
def test_bad_expressions_name_number_and_position(wrong: str, position: int) -> None:
    error = refused(world_of(), CalcEvaluate, expressions=["1", wrong])
    assert (error.code, error.field) == ("bad_expression", "expressions.1")
    assert error.hint.startswith(f"at {position}:")


def test_division_by_zero_too_many_and_the_largest_results() -> None:
    world = world_of()
    error = refused(world, CalcEvaluate, expressions=["1/(2-2)"])
    assert (error.code, error.field) == ("division_by_zero", "expressions.0")
    assert refused(world, CalcEvaluate, expressions=["1"] * 21).field == "expressions"
    assert refused(world, CalcEvaluate, expressions=["1"], scale=13).field == "scale"
    do(world, CalcEvaluate, expressions=["9" * 500] * 20, scale=12)
    do(world, CalcEvaluate, expressions=["-" * 499 + "1", "1" + "/.1" * 166])


# --- all of them


TOOLS: tuple[tuple[type[Tool], str, str, float, float], ...] = (
    (PagesSearch, "pages_search", "read", 0.5, 0.001),
    (PagesGet, "pages_get", "read", 0.5, 0.001),
    (PapersList, "papers_list", "read", 0.5, 0),
    (PapersGet, "papers_get", "read", 0.5, 0),
    (HolidaysListDays, "holidays_list_days", "read", 0.5, 0.001),
    (ClockZoneInfo, "clock_zone_info", "read", 0.2, 0),
    (CalcEvaluate, "calc_evaluate", "read", 0.1, 0),
    (MailSearchMessages, "mail_search_messages", "read", 0.6, 0),
    (MailGetMessage, "mail_get_message", "read", 0.3, 0),
    (FilesReadAttachment, "files_read_attachment", "read", 0.9, 0),
    (MailCreateDraft, "mail_create_draft", "draft", 0.5, 0),
    (MailUpdateDraft, "mail_update_draft", "draft", 0.4, 0),
    (MailDiscardDraft, "mail_discard_draft", "draft", 0.3, 0),
    (MailSendDraft, "mail_send_draft", "send", 1.2, 0),
    (NotesSave, "notes_save", "draft", 0.5, 0),
    (WalletListCards, "wallet_list_cards", "read", 0.4, 0),
    (WalletListCharges, "wallet_list_charges", "read", 0.6, 0.001),
    (WalletGetRates, "wallet_get_rates", "read", 0.5, 0),
)


CODES = {
    *("unknown_id", "invalid_argument", "unknown_publisher", "page_gone", "unknown_country", "range_too_long"),
    *("unknown_zone", "bad_expression", "division_by_zero", "bad_address", "attachment_not_found", "not_a_draft"),
    *("empty_recipients", "password_required", "too_long", "unknown_key", "not_published"),
}


@pytest.mark.parametrize(("tool", "name", "effect", "seconds", "usd"), TOOLS)
def test_every_tool_has_its_name_class_latency_fee_and_a_plain_schema(
    tool: type[Tool], name: str, effect: str, seconds: float, usd: float
) -> None:
    assert (tool.name, tool.effect, tool.latency_s, tool.fee_usd) == (name, effect, seconds, usd)
    for profile in ("full", "flat"):
        assert set(input_schema(tool, profile)["properties"]) == set(tool.model_fields)


_ids = ("msg_1", "msg_2", "att_1", "ppr_pass", "drf_x", "", "SG", ZONE, "2026-09-01", "2026-09-01T08:00", "p1", "p20")
_texts = st.sampled_from(_ids) | st.text(max_size=12)


def _values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if schema["type"] == "array":
        return st.lists(_values(schema["items"]), max_size=3)
    if schema["type"] == "object":
        return st.fixed_dictionaries({}, optional={key: _values(sub) for key, sub in schema["properties"].items()})
    return st.integers(-2, 20) if schema["type"] == "integer" else _texts


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_whatever_the_arguments_a_call_is_answered_or_refused(data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from([row[0] for row in TOOLS]))
    schema = input_schema(tool)
    optional = {key: _values(sub) for key, sub in schema["properties"].items() if key not in schema["required"]}
    required = {key: _values(schema["properties"][key]) for key in schema["required"]}
    world = office_world()
    before = world.digest()
    refusal = ""
    try:
        do(world, tool, **data.draw(st.fixed_dictionaries(required, optional=optional)))
    except ToolError as error:
        refusal = error.code
    assert not refusal or (refusal in CODES and world.digest() == before)
