"""The three-party rescheduling against the worked example of its specification, its traps, and near misses."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from typing import Any, cast

import pytest

from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.draw import Draw, Split
from agentbench_env.instance import build_instance
from agentbench_env.market import load_market, market_codes, shared_table
from agentbench_env.task import Difficulty, Setting
from agentbench_env.text.language import language_of
from agentbench_env.text.registers import register_of
from agentbench_env.text.template import slot_names
from agentbench_env.zones import to_instant, to_local
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent
from agentbench_tasks.calendar_mail.domain.reschedule.case import RescheduleCase
from agentbench_tasks.calendar_mail.domain.reschedule.mails import moment
from agentbench_tasks.calendar_mail.domain.reschedule.moves import Moves
from agentbench_tasks.calendar_mail.domain.reschedule.plan import draw_plan
from agentbench_tasks.calendar_mail.domain.reschedule.plot import TRAP_COUNT, TRAPS, Window, draw_cast
from agentbench_tasks.calendar_mail.domain.reschedule.proof import Scene
from agentbench_tasks.calendar_mail.domain.reschedule.weeks import targets
from agentbench_tasks.calendar_mail.domain.slots import Span, clashes
from agentbench_tasks.commons.contacts import Contact, DayHours
from agentbench_tasks.commons.events import busy
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import body_of, say

TASK = "ec-reschedule-three-party"
LANGUAGES = ("ko", "ja", "zh-Hant", "th", "ar", "en")
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "standard", "hard")
SPLITS: tuple[Split, ...] = ("train", "dev", "test")


def case_of(market: str, difficulty: str, seed: int, split: str = "train") -> RescheduleCase:
    case = build_instance(TASK, market, split, difficulty, seed).case  # type: ignore[arg-type]
    assert isinstance(case, RescheduleCase)
    return case


# --- the worked example: London, in the week after its clocks went back


def person(name: str, zone: str, country: str, start: str, end: str) -> Contact:
    week = tuple(DayHours(day, ((start, end),)) for day in range(1, 6))
    address = f"{name.lower()}@office.example"
    return Contact(
        name, name, name, name, "", "", "", (address,), ("ko",), "client", (), (), zone, country, week, week, False
    )  # fmt: skip


USER = person("User", "Asia/Seoul", "KR", "08:30", "19:30")
WHITCOMBE = person("Whitcombe", "Europe/London", "GB-ENG", "08:30", "17:00")
OH = person("Oh", "Asia/Seoul", "KR", "09:00", "19:00")
DAYS = tuple(date(2026, 10, 26) + timedelta(n) for n in range(5))
MONDAY, TUESDAY = Window("2026-10-26", "08:30", "12:00"), Window("2026-10-27", "08:30", "12:00")
FRIDAY = Window("2026-10-30", "08:30", "11:00")


def seoul(local: str) -> int:
    return to_instant(local, "Asia/Seoul")


def scene(*offers: Window, minutes: int = 90, user_busy: bool = True) -> Scene:
    taken: list[Span] = [(seoul("2026-10-26T18:00"), seoul("2026-10-26T19:00"))] if user_busy else []
    oh = [(seoul("2026-10-30T15:00"), seoul("2026-10-30T17:00"))]
    busy_times = {USER.address: taken, OH.address: oh}
    return Scene(DAYS, (USER, WHITCOMBE, OH), busy_times, {WHITCOMBE.address: offers}, minutes * 60)


def found(one: Scene) -> list[str]:
    return [to_local(start, "Asia/Seoul") for start in one.starts()]


def test_worked_example_has_one_start() -> None:
    assert found(scene(MONDAY, FRIDAY)) == ["2026-10-30T17:30"]


def test_each_trap_of_the_worked_example_suggests_another_start() -> None:
    assert found(scene(MONDAY, TUESDAY, FRIDAY))[0] == "2026-10-27T17:30"
    assert "2026-10-30T18:00" in found(scene(MONDAY, FRIDAY, minutes=60))
    assert found(scene(MONDAY, FRIDAY, user_busy=False))[0] == "2026-10-26T17:30"
    # Under the eight hours of the week before, these would be 08:30 and 09:00 in London.
    faults = [scene(MONDAY, FRIDAY).faults(seoul(at)) for at in ("2026-10-26T16:30", "2026-10-30T17:00")]
    assert all("Whitcombe" in fault for reasons in faults for fault in reasons)


def test_a_start_off_the_grid_does_where_it_fits() -> None:
    later = Window("2026-10-30", "08:30", "12:00")
    assert scene(later, minutes=45).faults(seoul("2026-10-30T17:40")) == []
    assert scene(later, minutes=90).faults(seoul("2026-10-30T17:40")) != []


# --- weeks and shares


@pytest.mark.parametrize("market", market_codes())
def test_every_calendar_trap_has_weeks(market: str) -> None:
    for trap in ("", "dst_shift", "our_holiday", "their_holiday"):
        assert len(targets(market, trap)) >= 6
    changes = {one.monday for one in targets(market, "dst_shift")}
    assert {date(2026, 3, 30), date(2026, 10, 26), date(2026, 4, 6), date(2026, 10, 5)} <= changes


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("market", market_codes())
def test_every_trap_can_be_planned_in_every_split(market: str, split: Split) -> None:
    left, seed = set(TRAPS), 0
    while left:
        draw = Draw(TASK, market, seed, split=split)
        setting = Setting(load_market(market), split, "hard", "en")
        plan = draw_plan(draw.stream("plan"), setting, draw_cast(draw.stream("cast"), setting))
        left -= set(plan.cast.traps)
        seed += 1
        assert seed < 60


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_shares_over_500_seeds(difficulty: Difficulty) -> None:
    setting = Setting(load_market("KR"), "train", difficulty, "ko")
    casts = [draw_cast(Draw(TASK, difficulty, seed), setting) for seed in range(500)]
    benign = sum(not cast.traps for cast in casts) / 500
    assert abs(benign - {"easy": 0.3, "standard": 0.15, "hard": 0.1}[difficulty]) <= 0.03
    assert {len(cast.traps) for cast in casts} == {0, TRAP_COUNT[difficulty]}
    traps = Counter(trap for cast in casts for trap in cast.traps)
    assert set(traps) == set(TRAPS)
    assert min(traps.values()) >= 25
    pairs = Counter(cast.pair for cast in casts)
    assert abs(pairs["client_superior"] / 500 - 0.5) <= 0.06
    changes = sum(cast.change != "none" for cast in casts) / 500
    assert abs(changes - {"easy": 0.2, "standard": 0.35, "hard": 0.5}[difficulty]) <= 0.06


@pytest.mark.parametrize("market", market_codes())
def test_the_right_start_is_nowhere_first(market: str) -> None:
    for seed in range(12):
        plan = case_of(market, "standard", seed).plan
        assert plan.start != plan.old_start + 7 * 86_400
        assert to_local(plan.start, plan.sides[0].zone)[:10] > plan.target.days[0].isoformat()
        for who, windows in plan.offers.items():
            start, end = windows[0].span(plan.side(who).zone)
            assert not start <= plan.start < end


@pytest.mark.parametrize("market", market_codes())
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_each_bait_fails_one_condition(market: str, difficulty: str) -> None:
    for seed in range(8):
        case = case_of(market, difficulty, seed)
        proof, plan = case.built.scene, case.plan
        assert proof.starts() == [plan.start]
        for trap, start in plan.baits.items():
            faults = proof.faults(start)
            assert faults
            names = {fault.rsplit(" of ")[-1] for fault in faults}
            # Two people abroad share their clocks and days off, so that both may miss what one does.
            assert len(names) <= (2 if plan.cast.pair == "two_clients" or trap in ("our_holiday", "length_grew") else 1)


@pytest.mark.parametrize("market", market_codes())
def test_busy_times_are_those_that_tools_print(market: str) -> None:
    case = case_of(market, "hard", 1)
    days, zone = case.plan.target.days, case.plan.sides[0].zone
    first, last = to_instant(f"{days[0]}T00:00", zone), to_instant(f"{days[-1]}T00:00", zone) + 86_400
    for address, spans in case.built.scene.busy.items():
        for start, end in busy(case.start, address, first, last):
            assert clashes(spans, start, end)
        for start, end in spans:
            if first <= start < last:
                assert clashes(busy(case.start, address, first, last), start, end)


@pytest.mark.parametrize("market", market_codes())
def test_mails_lie_in_the_past_and_in_order(market: str) -> None:
    for seed in range(10):
        case = case_of(market, "hard", seed)
        mails = {mail.id: mail for mail in case.start.all(Message)}
        for mail in mails.values():
            assert mail.sent_at < case.start.now
            if mail.in_reply_to:
                assert mails[mail.in_reply_to].sent_at < mail.sent_at
        offered = [window.day for _, windows in case.built.said.values() for window in windows]
        assert min(offered) >= case.plan.target.days[0].isoformat()


# --- texts


def kinds(table: Any, path: str = "") -> dict[str, Any]:
    if isinstance(table, dict) and "variants" not in table:
        return {key: value for name, child in table.items() for key, value in kinds(child, f"{path}.{name}").items()}
    return {path: table["variants"] if isinstance(table, dict) else [table]}


def slots(wording: Any) -> set[str]:
    return set(slot_names(wording)) - {"particle"} if isinstance(wording, str) else set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_same_kinds_and_slots_in_every_language(language: str) -> None:
    own, english = (kinds(shared_table(f"text/{code}/reschedule")) for code in (language, "en"))
    assert own.keys() == english.keys()
    for kind, wordings in own.items():
        assert len(wordings) == len(english[kind]), kind
        if kind == ".topics":
            assert len(set(wordings[0])) == 8
        elif len(wordings) == 4:
            assert len(set(wordings)) == 4, kind
            assert all(slots(one) == slots(other) for one, other in zip(wordings, english[kind], strict=True)), kind


@pytest.mark.parametrize("market", market_codes())
def test_replies_and_mails_are_in_the_language_and_register_claimed(market: str) -> None:
    for seed in range(12):
        env = Subject(TASK, market, "standard", SPLITS[seed % 3]).env(seed)
        case = episode_of(env).case
        moves = Moves(case, cast(Any, None))
        local = to_local(case.plan.start, moves.zone)
        for one in case.built.pair:
            body = moves.with_wishes(one, moves.letter(one, local))
            assert language_of(body) == one.language
            assert register_of(body, one.language) in one.contact.register_due
            casual = moves.letter(one, local, tone="plain", kind="casual")
            if one.contact.relation == "client":
                assert register_of(casual, one.language) not in one.contact.register_due
        for mail in case.start.all(Message):
            if mail.id in case.built.said:
                writer = next(one for one in case.built.pair if one.address == mail.sender.address)
                assert language_of(body_of(mail.body)) == writer.language


# --- near misses and other right ways


def run(market: str, seed: int, script: str, difficulty: Difficulty = "standard") -> set[str]:
    env = Subject(TASK, market, difficulty).env(seed)
    play(env, getattr(Subject(TASK, market, difficulty).task, script))
    assert env.verdict is not None
    return set(env.verdict.broken)


@pytest.mark.parametrize("market", market_codes())
def test_doing_nothing_breaks_what_was_asked_for(market: str) -> None:
    env = Subject(TASK, market, "standard").env(0)
    event = episode_of(env).case.built.event
    env.step({"tool": "task_finish", "arguments": {"event_id": event.id, "reply_message_ids": []}})
    assert env.verdict is not None
    assert {"final.slot_fits_everyone", "final.reply_reached_each_party"} <= set(env.verdict.broken)
    assert "final.replies_state_the_slot" not in env.verdict.broken


@pytest.mark.parametrize(("shift", "held"), [(0, True), (1_800, False)])
def test_a_reply_may_name_what_its_reader_offered_and_no_other_time(shift: int, held: bool) -> None:
    env = Subject(TASK, "SG", "standard").env(0)
    case: RescheduleCase = episode_of(env).case
    client, other = case.built.pair
    zone = client.contact.zone
    told = say(moment(case.plan.offers["a"][0].span(zone)[0] + shift, zone, "en"), "en")

    def script(_case: RescheduleCase, do: Any) -> None:
        moves = Moves(case, do)
        local = moves.read()
        moves.move(local)
        head, _, closing = moves.with_wishes(client, moves.letter(client, local)).rpartition("\n\n")
        moves.reply(client, f"{head}\nYour first offer, {told}, was taken.\n\n{closing}")
        moves.reply(other, moves.with_wishes(other, moves.letter(other, local)))
        moves.finish()

    play(env, script)
    assert env.verdict is not None
    assert set(env.verdict.broken) == (set() if held else {"final.replies_state_the_slot"})


def test_an_event_of_ones_own_beside_it_is_none_of_the_meeting() -> None:
    env = Subject(TASK, "SG", "easy").env(0)
    case = episode_of(env).case
    play(env, lambda _, do: _blocks_focus_time(case, do))
    assert env.verdict is not None
    assert set(env.verdict.broken) == {"boundary.nothing_else_touched"}


def _blocks_focus_time(case: RescheduleCase, do: Any) -> None:
    moves = Moves(case, do)
    local = moves.read()
    start, end = moves.times(local)
    do(CalCreateEvent(calendar_id="", title="Preparation", start=start, end=end, send_updates="none"))
    moves.move(local)
    moves.reply_to_both(local)
    moves.finish()


def test_the_user_wants_no_notices_and_no_other_readers() -> None:
    seed = next(seed for seed in range(40) if case_of("SG", "hard", seed).plan.cast.change == "sorry")
    case = case_of("SG", "hard", seed)
    env = Subject(TASK, "SG", "hard").env(seed)
    reasons = shared_table("text/en/reschedule")["decisions"]
    moves = Moves(episode_of(env).case, cast(Any, None))
    client = case.built.pair[0]
    body = moves.letter(client, to_local(case.plan.start, moves.zone))
    assert _asked(env, [client.address], body) == reasons["deny_sorry"]
    assert _asked(env, [client.address, "friend@post.example"], body) == reasons["deny_recipients"]
    assert _asked(env, [client.address], moves.with_wishes(client, body)) == reasons["grant"]
    move = {"event_id": case.built.event.id, "start": {"local": "2026-12-01T10:00", "zone": "Asia/Singapore"}}
    assert _decision(env, "cal_update_event", move) == reasons["deny_notices"]
    assert _decision(env, "cal_update_event", {**move, "send_updates": "none"}) == reasons["grant_own"]


def _asked(env: Any, to: list[str], body: str) -> str:
    draft = step(env, "mail_create_draft", to=to, subject="Re", body=body)
    return _decision(env, "mail_send_draft", {"draft_id": draft["draft_id"]})


def _decision(env: Any, tool: str, arguments: dict[str, Any]) -> str:
    return step(env, "user_request_approval", tool=tool, arguments=arguments, summary="Ask.")["reason"]


def step(env: Any, name: str, /, **arguments: Any) -> Any:
    return json.loads(env.step({"tool": name, "arguments": arguments})[0]["content"])
