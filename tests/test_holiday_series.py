"""A repeating slot that skips public holidays (01.02): its dates, its traps, its texts."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Any, cast

import pytest

from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.language import language_of
from agentbench_env.text.template import slot_names
from agentbench_tasks.calendar_mail.domain.holiday_series.plot import (
    BENIGN,
    FORMS,
    HITS,
    TRAPS,
    Form,
    Plot,
    Series,
    draw_plot,
    options,
    series_of,
)

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")


def dates(*days: str) -> tuple[date, ...]:
    return tuple(date.fromisoformat(f"2026-{day}") for day in days)


def counted(form: Form, weekday: int, first: str, last: str, count: int, code: str) -> Series:
    start, end = dates(first, last)
    return series_of(form, (weekday,), start, end, count, working_days(code))


def plot_of(code: str, difficulty: str, seed: int) -> Plot:
    market = load_market(code)
    setting = Setting(market, "train", cast(Difficulty, difficulty), market.prompt_language)
    return draw_plot(Draw("holidays", code, difficulty, seed), setting)


# --- the worked examples of the contract


def test_japanese_tuesdays_from_september() -> None:
    series = counted("span", 2, "09-01", "12-22", 0, "JP")
    assert len(series.asked) == 17
    assert series.excluded == dates("09-22", "11-03")
    assert len(series.kept) == 15


def test_ten_real_fridays_in_taiwan() -> None:
    series = counted("sessions", 5, "08-28", "12-31", 10, "TW")
    assert series.excluded == dates("09-25", "10-09")
    assert len(series.kept) == 10
    assert series.asked[-1] == date(2026, 11, 13)
    assert len(series.asked) == 12


def test_korean_fridays_of_the_second_half() -> None:
    series = counted("span", 5, "07-03", "12-25", 0, "KR")
    assert len(series.asked) == 26
    assert series.excluded == dates("07-17", "09-25", "10-09", "12-25")
    assert len(series.kept) == 22


def test_dates_in_a_row_are_not_made_up_for() -> None:
    series = counted("count", 5, "08-28", "12-31", 10, "TW")
    assert len(series.asked) == 10
    assert series.excluded == dates("09-25", "10-09")


def test_every_second_week_keeps_its_rhythm_past_a_holiday() -> None:
    series = counted("fortnightly", 2, "09-08", "12-22", 0, "JP")
    gaps = {(later - earlier).days for earlier, later in zip(series.asked, series.asked[1:], strict=False)}
    assert gaps == {14}
    assert series.excluded == dates("09-22", "11-03")


# --- what is drawn


@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
@pytest.mark.parametrize("code", market_codes())
def test_what_instances_hold(code: str, difficulty: str) -> None:
    level = cast(Difficulty, difficulty)
    plots = [plot_of(code, difficulty, seed) for seed in range(500)]
    kinds = Counter(trap for plot in plots for trap in plot.traps)
    benign = sum(not plot.traps for plot in plots)
    assert abs(benign / 500 - BENIGN[level]) <= 0.05
    assert kinds["old_circular"] == 500 - benign
    low, high = HITS[level]
    closed = working_days(code)
    for plot in plots:
        assert len(plot.traps) in (0, TRAPS[level])
        assert (1 if plot.request.form == "monthly" else low) <= len(plot.series.excluded) <= high
        listed = {row.date for row in plot.circular}
        assert set(plot.series.excluded) <= listed or "old_circular" in plot.traps
        assert not (set(plot.series.excluded) <= listed and "old_circular" in plot.traps)
        assert all(closed.is_settled(day) for day in plot.series.asked)
        assert all(closed.is_open(day) for day in plot.series.kept)
        assert (plot.company_day in plot.series.kept) == ("company_day" in plot.traps)
    if difficulty == "hard":
        for trap in ("company_day", "guest_tempts", "start_is_holiday"):
            assert kinds[trap] >= 25, trap


def test_every_form_is_asked_for_somewhere() -> None:
    found = {plot_of(code, "hard", seed).request.form for code in market_codes() for seed in range(60)}
    assert found == set(FORMS["hard"])


def test_the_better_of_two_weekdays_is_never_a_tie() -> None:
    for code in market_codes():
        for one in options(load_market(code), cast(Form, "choose_day"), "hard"):
            counts = [
                sum(
                    not working_days(code).is_open(one.first + timedelta(n))
                    for n in range((one.last - one.first).days + 1)
                    if (one.first + timedelta(n)).isoweekday() == weekday
                )
                for weekday in one.weekdays
            ]
            assert counts[0] != counts[1]
            assert min(counts) == len(one.series.excluded)


# --- texts


def wordings(table: Any, path: str = "") -> dict[str, list[str]]:
    if isinstance(table, str):
        return {path: [table]}
    if isinstance(table, list):
        return {path: table}
    return {key: texts for name, part in table.items() for key, texts in wordings(part, f"{path}.{name}").items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_the_same_kinds_and_slots_in_every_language(language: str) -> None:
    ours, english = (wordings(shared_table(f"text/{one}/holiday_series")) for one in (language, "en"))
    personal = {"particle", "me", "ask"}
    assert ours.keys() == english.keys()
    for kind, texts in ours.items():
        assert len(texts) == len(english[kind])
        for text, twin in zip(texts, english[kind], strict=True):
            assert set(slot_names(text)) - personal == set(slot_names(twin)), kind
        if kind.startswith((".pieces", ".replies")):
            plain = " ".join(texts).replace("{", " ").replace("}", " ")
            assert language_of(plain) in (language, "mixed"), kind
