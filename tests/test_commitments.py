"""An audit of promises (01.03): relative days, chains and their fate, what instances hold, texts."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any, cast

import pytest

from agentbench_env.draw import Draw
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.template import slot_names
from agentbench_tasks.calendar_mail.domain.commitments.chains import OPEN, Ask, draw_chain
from agentbench_tasks.calendar_mail.domain.commitments.plot import BENIGN, TRAP_COUNT, TRAPS, Plot, draw_lure, draw_plot
from agentbench_tasks.calendar_mail.domain.commitments.terms import relative
from agentbench_tasks.commons.attempts import NoFit, first_fit

LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
PERSONAL = {"particle", "me", "ask", "date", "wd", "weekday"}
"""Slots that some languages need and others do not, such as the day in brackets that makes "next Monday" plain."""


def plot_of(code: str, difficulty: str, seed: int) -> Plot:
    market = load_market(code)
    setting = Setting(market, "train", cast(Difficulty, difficulty), market.prompt_language)
    key = Draw("audit", code, difficulty, seed)
    lure = draw_lure(key.stream("lure"), setting)
    return first_fit(key, lambda draw: draw_plot(draw, setting, lure))


def term(form: str, written: str, code: str, number: int = 0) -> set[str]:
    """The days that a word written on a day can mean."""
    found = [
        relative(Draw(form, seed), (form,), date.fromisoformat(written), working_days(code))  # type: ignore[arg-type]
        for seed in range(40)
    ]
    return {one.iso for one in found if one and number in (0, one.number)}


# --- relative days, as in the contract's examples


def test_tomorrow_is_the_day_after_in_the_writers_own_zone() -> None:
    assert term("tomorrow", "2026-10-15", "KR") == {"2026-10-16"}


def test_three_working_days_not_counting_today_pass_over_a_holiday() -> None:
    assert term("working", "2026-10-08", "KR", number=3) == {"2026-10-14"}


def test_the_end_of_the_month_stays_a_saturday() -> None:
    assert term("month_end", "2026-10-06", "JP") == {"2026-10-31"}


# --- chains


def chain(fate: str, seed: int, **more: Any) -> Any:
    ask = Ask(fate, "user", "client", more.pop("heir", ""), more.pop("answers", True), 3, True, **more)  # type: ignore[arg-type]
    days = [date(2026, 9, day) for day in (1, 2, 3, 4, 7, 8, 9, 10, 11, 14)]
    return first_fit(
        Draw(fate, seed), lambda draw: draw_chain(draw, "c", ask, "drawings", "docs", days, working_days("SG"))
    )


@pytest.mark.parametrize("fate", ["promised", "accepted", "moved", "condition_met"])
def test_what_was_promised_and_not_done_is_owed_by_its_owner(fate: str) -> None:
    for seed in range(30):
        beats, goal = chain(fate, seed)
        assert goal is not None
        assert goal.owner == "user"
        named = [beat.term.iso for beat in beats if beat.term.iso]
        assert goal.deadline == (named[-1] if named else "")


def test_a_promise_handed_over_is_the_heirs_once_they_agree() -> None:
    for answers, owner in ((True, "colleague"), (False, "user")):
        _, goal = chain("delegated", 1, heir="colleague", answers=answers)
        assert goal.owner == owner


@pytest.mark.parametrize("fate", ["delivered", "elsewhere", "withdrawn", "pending", "unanswered", "declined"])
def test_nothing_is_owed_of_what_is_done_off_or_not_yet_agreed(fate: str) -> None:
    assert fate not in OPEN
    assert all(chain(fate, seed)[1] is None for seed in range(30))


# --- what is drawn


@pytest.mark.parametrize("difficulty", ["easy", "standard", "hard"])
@pytest.mark.parametrize("code", ["KR", "AE"])
def test_shares_of_traps(code: str, difficulty: str) -> None:
    plots = [plot_of(code, difficulty, seed) for seed in range(500)]
    kinds = Counter(trap for plot in plots for trap in plot.traps)
    benign = sum(not plot.traps for plot in plots) / 500
    assert abs(benign - BENIGN[difficulty]) <= 0.04
    assert all(kinds[trap] >= 25 for trap in TRAPS), kinds
    assert {len(plot.traps) for plot in plots} == {0, TRAP_COUNT[difficulty]}
    nothing = sum(not plot.open for plot in plots) / 500
    assert 0 < nothing <= 0.07


def test_no_attempt_is_completed_by_days_that_are_not_settled() -> None:
    for code in market_codes():
        calendar = working_days(code)
        for seed in range(20):
            plot = plot_of(code, "standard", seed)
            assert all(calendar.is_settled(beat.day) for one in plot.chains for beat in one.beats)


def test_an_attempt_without_days_does_not_fit() -> None:
    ask = Ask("moved", "user", "client", "", True, 3, True)
    with pytest.raises(NoFit):
        draw_chain(Draw("x"), "c", ask, "drawings", "docs", [date(2026, 9, 1)], working_days("SG"))


# --- texts


def wordings(table: Any, path: str = "") -> dict[str, list[str]]:
    if isinstance(table, str):
        return {path: [table]}
    if isinstance(table, list):
        return {path: [text for text in table if isinstance(text, str)]}
    return {key: texts for name, part in table.items() for key, texts in wordings(part, f"{path}.{name}").items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_the_same_kinds_and_slots_in_every_language(language: str) -> None:
    ours, english = (wordings(shared_table(f"text/{one}/commitments")) for one in (language, "en"))
    assert ours.keys() == english.keys()
    for kind, texts in ours.items():
        assert len(texts) == len(english[kind]), kind
        for text, twin in zip(texts, english[kind], strict=True):
            assert set(slot_names(text)) - PERSONAL == set(slot_names(twin)) - PERSONAL, kind
