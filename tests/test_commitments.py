"""An audit of promises (01.03): relative days, chains and their fate, what instances hold, texts."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any, cast

import pytest
from commitment_reader import days_of, read

from agentbench_env.conformance.subject import Subject, play
from agentbench_env.draw import Draw
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.market.calendars import working_days
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.template import slot_names
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.commitments.chains import OPEN, Ask, draw_chain
from agentbench_tasks.calendar_mail.domain.commitments.plot import BENIGN, TRAP_COUNT, TRAPS, Plot, draw_lure, draw_plot
from agentbench_tasks.calendar_mail.domain.commitments.terms import relative
from agentbench_tasks.commons.attempts import NoFit, first_fit
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import body_of, title_of

TASK = "ec-inbox-commitment-audit"
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
    return first_fit(Draw(fate, seed), lambda draw: draw_chain(draw, "c", ask, days, working_days("SG")))


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
        draw_chain(Draw("x"), "c", ask, [date(2026, 9, 1)], working_days("SG"))


# --- what a reader sees


def rendered(code: str, difficulty: str, seed: int, **more: Any) -> tuple[Any, dict[str, str]]:
    """A case, and the subject and own words of each of its mails."""
    case = build_instance(TASK, code, "train", cast(Difficulty, difficulty), seed, **more).case
    mails = {mail.id: f"{title_of(mail.subject)}\n{body_of(mail.body)}" for mail in case.start.all(Message)}
    return case, mails


@pytest.mark.parametrize("code", market_codes())
def test_the_project_is_named_in_every_mail_in_scope_and_in_none_outside(code: str) -> None:
    for seed in range(12):
        case, mails = rendered(code, "hard", seed)
        plot = case.plot
        start = to_instant(f"{plot.since.isoformat()}T00:00", load_market(code).zone)
        inside = {one.key for one in plot.chains}
        for id, text in mails.items():
            chain = case.mails.chain_of.get(id, "")
            scoped = plot.projects[0] in text and case.start.get(Message, id).sent_at >= start
            assert scoped == (chain in inside) or not chain, (id, text)
            assert "{" not in text
        others = {case.mails.chain_of[id] for id in mails if id in case.mails.chain_of} - inside
        assert others == {one.key for one in (*plot.earlier, *plot.others)}


@pytest.mark.parametrize("code", market_codes())
def test_nobody_takes_on_a_day_that_is_over(code: str) -> None:
    for seed in range(12):
        case, _ = rendered(code, "hard", seed)
        named: dict[str, str] = {}
        for row in case.mails.log:
            named[row.chain] = row.beat.term.iso or named.get(row.chain, "")
            if row.beat.kind in ("accept", "cond_true", "restate") and named[row.chain]:
                assert row.beat.day.isoformat() <= named[row.chain], row


def test_a_late_mail_means_the_writers_day() -> None:
    found = 0
    for seed in range(60):
        case, _ = rendered("KR", "standard", seed)
        for row in case.mails.log:
            if row.beat.late:
                found += 1
                assert to_local(row.at, row.zone)[:10] == row.beat.day.isoformat() < to_local(row.at, "Asia/Seoul")[:10]
    assert found


@pytest.mark.parametrize("code", market_codes())
def test_people_abroad_are_written_to_in_english(code: str) -> None:
    case, _ = rendered(code, "hard", 1)
    abroad = case.people["foreign"].address
    for mail in case.start.all(Message):
        if mail.id in case.mails.chain_of and mail.to[0].address == abroad:
            assert mail.language == "en"


def test_hostile_text_comes_only_where_it_is_asked_for() -> None:
    def senders(seed: int, injections: bool) -> int:
        case, _ = rendered("SG", "hard", seed, injections=injections)
        domain = case.people["client"].address.partition("@")[2]
        return sum(mail.sender.address == f"support@{domain}" for mail in case.start.all(Message))

    assert sum(senders(seed, True) - senders(seed, False) for seed in range(20)) >= 14


@pytest.mark.parametrize("split", ["train", "dev", "test"])
@pytest.mark.parametrize("code", market_codes())
def test_the_words_of_the_mails_alone_come_to_the_open_promises(code: str, split: Any) -> None:
    for seed in range(10):
        case = build_instance(TASK, code, split, "hard", seed).case
        inside = [case.start.get(Message, id) for id in case.mails.chain_of]
        mails = sorted(inside, key=lambda mail: mail.sent_at)
        owed: dict[str, tuple[str, str]] = {}
        offered: dict[str, str] = {}
        named: dict[str, str] = {}
        about: dict[str, str] = {}
        for mail in mails:
            readings = read(mail)
            assert len(readings) == 1, (body_of(mail.body), readings)
            kind, item, when, _ = readings.pop()
            key = case.mails.chain_of[mail.id]
            assert about.setdefault(f"{mail.language} {item}", key) == key, "a thing is the business of one chain"
            kind = kind.removesuffix("_docs").removesuffix("_tasks")
            days = days_of(when, mail, code) if when else {""}
            assert len(days) == 1, (when, days)
            day = days.pop()
            sender = mail.sender.address
            if day:
                named[key] = day
            if kind in ("promise", "accept", "takeover"):
                owed[key] = (sender, named.get(key, ""))
            elif kind == "conditional":
                offered[key] = sender
            elif kind == "cond_true":
                owed[key] = (offered[key], named[key])
            elif kind in ("move", "restate"):
                owed[key] = (sender, named[key])
            elif kind in ("deliver", "withdraw"):
                owed.pop(key, None)
        cards = {person.address: person.id for person in case.people.values()}
        scope = {one.key for one in case.plot.chains}
        found = {key: (cards[owner], day) for key, (owner, day) in owed.items() if key in scope}
        assert found == {key: (due.owner, due.deadline) for key, due in case.due.items()}


def test_nothing_open_is_an_answer_of_who_has_looked() -> None:
    subject = Subject(TASK, "SG", "easy")
    seed = next(seed for seed in range(200) if not subject.instance(seed).case.due)
    for script, right in (("expert", True), ("lists_nothing", False)):
        env = subject.env(seed)
        play(env, getattr(subject.task, script))
        assert env.verdict is not None
        assert env.verdict.success == right
        assert set(env.verdict.broken) == (set() if right else {"final.all_outstanding_listed"})


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
