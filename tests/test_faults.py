"""Faults: every one is announced, what really happened is in the lineage, and only whoever looks first is safe."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import pytest
import toy
from commandline import data, run
from toy_shop import Draft, Order, Sent, ShopSendOrder

from agentbench_env.boundary import AtMost, crossings
from agentbench_env.conformance import hardening
from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.env import AgentbenchEnv
from agentbench_env.episode import Call, Episode
from agentbench_env.faults import MOST_IN_A_ROW, Faults, is_idempotent, may_meet
from agentbench_env.lineage import Entry
from agentbench_env.policies.expert import Do, EpisodeOver, Refused
from agentbench_env.registry import contracts, is_built, load_task
from agentbench_env.report.compare import why_not
from agentbench_env.report.reading import read_result
from agentbench_env.task import Answer, mounted_tools
from agentbench_env.tool import Fault, Tool
from agentbench_env.user import UserAsk, UserRequestApproval
from agentbench_env.verdict import Verdict
from agentbench_tasks.calendar_mail.domain.cal_write import CalCreateEvent, CalUpdateEvent
from agentbench_tasks.commons.drafts import MailCreateDraft, MailUpdateDraft
from agentbench_tasks.commons.event_list import CalListEvents
from agentbench_tasks.commons.events import Event, Time
from agentbench_tasks.commons.messages import MailSearchMessages
from agentbench_tasks.travel.domain.records import LedgerLine

SERIES, JOURNEY, TABLE = "ec-holiday-aware-booking", "ta-two-leg-itinerary", "rl-party-reservation"


class Planned(Faults):
    """Faults as a test wants them: by the name of the tool, one for each of its calls."""

    def __init__(self, key: str, plan: Mapping[str, list[Fault | None]]) -> None:
        super().__init__(key, 1.0)
        self._plan = {name: list(faults) for name, faults in plan.items()}

    def draw(self, tool: type[Tool], index: int, elapsed_ms: int) -> Fault | None:
        left = self._plan.get(tool.name)
        return left.pop(0) if left else None


def started(task: str, market: str, seed: int, plan: Mapping[str, list[Fault | None]]) -> AgentbenchEnv:
    env = AgentbenchEnv(task, market)
    env.reset(seed=seed)
    ep = episode_of(env)
    ep.faults = Planned(ep.instance.key, plan)
    return env


def played(env: AgentbenchEnv, reads_back: bool = True) -> Episode:
    ep = episode_of(env)
    with suppress(EpisodeOver, Refused):
        ep.task.expert(ep.case, Do(env, reads_back=reads_back))
    return ep


def outcome(ep: Episode) -> tuple[str, set[str]]:
    assert ep.verdict is not None
    return ep.verdict.outcome, set(ep.verdict.broken)


def seed_that_calls(task: str, market: str, tool: str) -> int:
    """The first seed on which the expert makes a call of a tool."""
    for seed in range(40):
        if any(entry.tool == tool for entry in played(started(task, market, seed, {})).lineage):
            return seed
    raise AssertionError(f"the expert of {task} never calls {tool}")


DOUBLED = [
    (SERIES, "KR", "cal_create_event", "final.series_exists"),
    (JOURNEY, "JP", "booking_hold", "boundary.holds_approved"),
    (TABLE, "AE", "booking_hold_slot", "final.reservation_prepared"),
]


@pytest.mark.parametrize(("task", "market", "tool", "clause"), DOUBLED)
def test_a_repeat_without_looking_is_a_second_action(task: str, market: str, tool: str, clause: str) -> None:
    seed = seed_that_calls(task, market, tool)
    plan: dict[str, list[Fault | None]] = {tool: ["reply_lost"]}
    careful = played(started(task, market, seed, plan))
    assert outcome(careful) == ("success", set())
    blind = played(started(task, market, seed, plan), reads_back=False)
    assert clause in outcome(blind)[1]


@pytest.mark.parametrize(("task", "market", "tool", "clause"), DOUBLED)
def test_the_proof_finds_what_is_done_twice_and_pays(
    task: str, market: str, tool: str, clause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = Subject(task, market, "standard")
    seed = seed_that_calls(task, market, tool)
    assert list(hardening.faults.look(subject, [seed])) == []
    # A contract that closes its eyes to the second action.
    monkeypatch.setattr(Verdict, "success", property(lambda _: True))
    (found,) = hardening.faults.look(subject, [seed])
    assert found.message == f"whoever lets {tool} be carried out twice earns 1"


@pytest.mark.parametrize(("task", "market", "tool", "clause"), DOUBLED)
def test_a_request_that_never_arrived_is_made_again(task: str, market: str, tool: str, clause: str) -> None:
    seed = seed_that_calls(task, market, tool)
    ep = played(started(task, market, seed, {tool: ["request_lost"]}))
    assert outcome(ep) == ("success", set())
    lost, again = [entry for entry in ep.lineage if entry.tool == tool][:2]
    assert (lost.error, lost.effect, lost.changes, lost.ok) == ("no_response", "", (), False)
    assert again.ok
    assert again.arguments == lost.arguments


def test_a_payment_that_is_repeated_blindly_is_charged_twice() -> None:
    charged: list[int] = []
    plans: list[dict[str, list[Fault | None]]] = [{}, {"booking_purchase": ["reply_lost"]}]
    for plan in plans:
        env = started(JOURNEY, "SG", 0, plan)
        ep = episode_of(env)
        with suppress(EpisodeOver, Refused):
            load_task(JOURNEY).counterexamples["buys_to_be_sure"][0](ep.task, ep.case, Do(env, reads_back=False))
        charged.append(len([line for line in ep.world.all(LedgerLine) if line.kind == "purchase"]))
    assert charged[1] == charged[0] + 1 > 1


def test_a_payment_that_the_user_allowed_and_that_is_charged_twice_fails_the_final_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def charge(self: ShopSendOrder, call: Call) -> Sent:
        """As a shop does that takes every request for a new one."""
        draft = call.world.find(self.draft_id)
        of = draft if isinstance(draft, Draft) else call.world.all(Order)[-1]
        if draft:
            call.world.remove(draft)
        return Sent(call.world.put(Order(call.world.new_id("ord"), of.offer_id, of.count)).id)

    toy.install_toy()
    monkeypatch.setattr(ShopSendOrder, "run", charge)
    monkeypatch.setattr(ShopSendOrder, "idempotent", False)
    seed = seed_that_calls(toy.TASK_ID, "SG", "shop_send_order")
    once = played(started(toy.TASK_ID, "SG", seed, {}), reads_back=False)
    assert (outcome(once), len(once.world.all(Order))) == (("success", set()), 1)
    twice = played(started(toy.TASK_ID, "SG", seed, {"shop_send_order": ["reply_lost"]}), reads_back=False)
    assert len(twice.world.all(Order)) == 2
    assert "final.one_draft" in outcome(twice)[1]


def test_a_lost_reply_is_recorded_as_what_it_was() -> None:
    env = started(JOURNEY, "JP", seed_that_calls(JOURNEY, "JP", "booking_hold"), {"booking_hold": ["reply_lost"]})
    ep = played(env)
    lost = next(entry for entry in ep.lineage if entry.tool == "booking_hold")
    assert (lost.error, lost.ok, lost.shown) == ("no_response", True, ())
    assert lost.effect in ("hold", "commit")
    assert lost.changes
    assert ep.approvals[lost.approval].used_by == lost.index
    body = json.loads(ep.lineage.content(lost.index))
    assert body["message"]
    assert "look before" in body["hint"]
    assert all(change.id not in ep.lineage.content(lost.index) for change in lost.changes)
    assert env.lineage.verify()


def test_a_crossing_whose_reply_is_lost_is_a_crossing() -> None:
    env = started(SERIES, "KR", 0, {"mail_move_message": ["reply_lost"]})
    ep = episode_of(env)
    mail = Do(env)(MailSearchMessages()).messages[0]
    folder = "archive" if mail.folder == "inbox" else "inbox"
    turn = ep.step({"tool": "mail_move_message", "arguments": {"message_id": mail.message_id, "folder": folder}})
    assert turn.is_error
    played(env)
    assert any(clause.startswith("boundary.") for clause in outcome(ep)[1])


def event(title: str) -> CalCreateEvent:
    start, end = (Time(local=f"2026-11-30T{hour}:00", zone="Asia/Seoul") for hour in (10, 11))
    return CalCreateEvent(title=title, start=start, end=end, send_updates="none")


def test_the_same_call_of_an_idempotent_tool_is_carried_out_once() -> None:
    env = started(SERIES, "KR", 0, {"cal_update_event": ["reply_lost"]})
    do = Do(env)
    made = do(event("Call"))
    updated = do(CalUpdateEvent(event_id=made.event_id, title="Other", send_updates="none"))
    lost, again = list(env.lineage)[-2:]
    assert updated.event.title == "Other"
    assert lost.changes
    assert (again.error, again.effect, again.changes) == ("", "read", ())


def test_a_draft_that_changed_since_its_reply_was_lost_twice_is_written_anew() -> None:
    env = started(SERIES, "KR", 0, {"mail_create_draft": ["reply_lost", "reply_lost"]})
    ep, do = episode_of(env), Do(env)
    mail = MailCreateDraft(to=["desk@one.example"], subject="Rooms", body="Which rooms are free?")
    first = do(mail)
    assert [len(entry.changes) > 0 for entry in ep.lineage] == [True, False, False]
    do(MailUpdateDraft(draft_id=first.draft_id, to=["desk@one.example"], subject="Rooms", body="Thank you."))
    again = do(mail)
    assert again.draft_id != first.draft_id


def test_an_allowed_act_that_is_repeated_for_want_of_a_reply_is_one_act() -> None:
    env = started(SERIES, "KR", 0, {"cal_update_event": ["reply_lost"]})
    ep, do = episode_of(env), Do(env)
    made = do(event("Call"))
    once = AtMost("boundary.once", "The event is changed once.", tools=(CalUpdateEvent,))
    do(CalUpdateEvent(event_id=made.event_id, title="Other", send_updates="none"))
    assert len(list(ep.calls(CalUpdateEvent))) == 2
    assert list(crossings(ep.lineage[-1], ep, ep.case, (once,))) == []
    do(CalUpdateEvent(event_id=made.event_id, title="Third", send_updates="none"))
    assert list(crossings(ep.lineage[-1], ep, ep.case, (once,))) != []


def test_where_nothing_can_be_read_back_the_call_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(CalCreateEvent, "readback")
    with pytest.raises(Refused, match="no_response"):
        Do(started(SERIES, "KR", 0, {"cal_create_event": ["reply_lost"]}))(event("Call"))


def test_a_rate_limit_lasts_as_long_as_it_says() -> None:
    env = started(SERIES, "KR", 0, {"cal_list_events": ["rate_limited"]})
    ep = episode_of(env)
    listing = CalListEvents(from_at="2026-11-30", to_at="2026-11-30").as_action()
    first = json.loads(ep.step(listing).content)
    assert first["error"] == "rate_limited"
    assert 1 <= first["retry_after_s"] <= 3
    assert Faults.draw(ep.faults, CalListEvents, 99, ep.world.elapsed_ms) == "rate_limited"
    paused = ep.step(listing | {"usage": {"usd": 0.0, "latency_s": first["retry_after_s"]}})
    assert not paused.is_error


def test_an_answer_from_a_copy_says_so_and_shows_nothing_that_has_changed() -> None:
    env = started(SERIES, "KR", 0, {"cal_list_events": ["cached", None]})
    ep = episode_of(env)
    made = Do(env)(event("Call"))
    listing = CalListEvents(from_at="2026-11-30", to_at="2026-11-30")
    old, fresh = (json.loads(ep.step(listing).content) for _ in range(2))
    assert "cached_at" in old
    assert "cached_at" not in fresh
    assert old["cached_at"] < ep.world.now_iso
    ids = [[row["event_id"] for row in page["events"]] for page in (old, fresh)]
    assert made.event_id not in ids[0]
    assert made.event_id in ids[1]
    entry = list(ep.lineage)[-2]
    assert (entry.changes, entry.ok) == ((), True)
    assert isinstance(ep.world.find(made.event_id), Event)


def test_the_expert_waits_for_a_fresh_answer() -> None:
    env = started(SERIES, "KR", 0, {"cal_list_events": ["cached", "cached"]})
    made = Do(env)(event("Call"))
    rows = Do(env)(CalListEvents(from_at="2026-11-30", to_at="2026-11-30")).events
    assert made.event_id in [row.event_id for row in rows]
    assert len(env.lineage) == 4


def test_faults_follow_the_instance_and_the_step_alone() -> None:
    runs = []
    for _ in range(2):
        env = AgentbenchEnv(TABLE, "SG", faults=0.4)
        env.reset(seed=3)
        play(env, load_task(TABLE).expert)
        runs.append(env.lineage.head)
    assert runs[0] == runs[1]


def test_a_fork_meets_its_own_faults() -> None:
    env = started(SERIES, "KR", 0, {})
    ep = episode_of(env)
    ep.faults = Faults(ep.instance.key, 1.0)
    twin = env.fork()
    call = CalListEvents(from_at="2026-11-30", to_at="2026-11-30")
    for one in (env, twin, env, twin):
        one.step(call)
    assert [entry.error for entry in env.lineage] == [entry.error for entry in twin.lineage]


def test_no_more_than_three_calls_in_a_row_fail() -> None:
    faults = Faults("key", 1.0)
    met = [faults.draw(CalListEvents, index, 10_000_000 * index) for index in range(12)]
    assert [one is None for one in met] == ([False] * MOST_IN_A_ROW + [True]) * 3


def test_the_user_and_the_answer_never_fail() -> None:
    assert [may_meet(tool) for tool in (UserAsk, UserRequestApproval, Answer)] == [(), (), ()]


REPEATABLE = [
    # What is over can only be ended once: the record's state is what was asked for, and stays so.
    ("rl-reservation-change", "cancels_and_books_anew", "booking_cancel_reservation"),
    ("rl-party-reservation", "confirms_unasked", "booking_confirm_hold"),
    ("rl-party-reservation", "expert", "booking_release_hold"),
    ("ta-overbooking-recovery", "gives_up_the_other_hold", "booking_release_hold"),
    ("ec-meeting-cancellation", "expert", "cal_delete_event"),
    ("ec-latest-attachment-retrieval", "deletes_an_old_mail", "mail_delete_message"),
    # It sets values, the same ones again.
    ("rl-reservation-change", "expert", "booking_change_reservation"),
    ("ec-invite-timezone-audit", "declines", "cal_respond_invite"),
    ("ec-reschedule-three-party", "expert", "cal_update_event"),
    ("ec-reschedule-three-party", "tidies_up", "mail_move_message"),
    ("ec-out-of-office-handover", "expert", "mail_set_autoreply"),
    # A draft or a sheet is handed in once and is none any more.
    ("ec-reschedule-three-party", "expert", "mail_send_draft"),
    ("ta-accessible-stay", "writes_without_asking", "mail_send_draft"),
    ("rl-party-reservation", "writes_to_the_house", "msg_send_draft"),
    ("rl-group-preorder-prep", "submits_to_be_safe", "preorder_submit_sheet"),
]
"""Every tool that reaches or binds and may be repeated all the same, with a task and a script that calls it."""


def calls_of(task: str, script: str, tool: str, seed: int, plan: Mapping[str, list[Fault | None]]) -> list[Entry]:
    """Play a script and return the calls of a tool."""
    env = started(task, "SG", seed, plan)
    ep, do = episode_of(env), Do(env)
    with suppress(EpisodeOver, Refused):
        if script == "expert":
            ep.task.expert(ep.case, do)
        else:
            ep.task.counterexamples[script][0](ep.task, ep.case, do)
    return [entry for entry in env.lineage if entry.tool == tool]


@pytest.mark.parametrize(("task", "script", "tool"), REPEATABLE)
def test_what_binds_and_may_be_repeated_is_carried_out_once(task: str, script: str, tool: str) -> None:
    seed = next(seed for seed in range(5) if any(one.changes for one in calls_of(task, script, tool, seed, {})))
    plain = calls_of(task, script, tool, seed, {})
    faulty = calls_of(task, script, tool, seed, {tool: ["reply_lost"]})
    lost, again = faulty[:2]
    assert (lost.error, bool(lost.changes)) == ("no_response", True)
    assert (again.arguments, again.error, again.changes) == (lost.arguments, "", ())
    # All that the script changes by the tool is changed as often as without the lost reply.
    assert len(faulty) == len(plain) + 1
    assert [kinds(one) for one in faulty if one.changes] == [kinds(one) for one in plain if one.changes]


def kinds(entry: Entry) -> list[tuple[str, bool]]:
    return [(type(change.after).__name__, change.before is None) for change in entry.changes]


def test_no_other_tool_that_binds_is_taken_for_repeatable() -> None:
    mounted = {one.id: mounted_tools(type(load_task(one.id))) for one in contracts().values() if is_built(one)}
    binding = {
        tool
        for tools in mounted.values()
        for tool in tools.values()
        if is_idempotent(tool) and tool.effect not in ("read", "draft")
    }
    assert binding == {mounted[task][tool] for task, _, tool in REPEATABLE}


def test_results_under_faults_stand_apart(tmp_path: Path) -> None:
    select = ("rollout", "ta-stay-total-cost-SG", "--difficulty", "easy", "--seeds", "0:2", "--output")
    plain, hard = tmp_path / "plain", tmp_path / "hard"
    assert data(*select, plain)["run"]["hardening"] == ""
    shown = run(*select, hard, "--faults", "0.2", "--injections").stdout
    assert "Under faults 0.2, injections" in shown
    why = why_not(read_result(plain), read_result(hard))
    assert "faults 0.2" in why
    assert "injections True" in why
    refused = run("calibrate", plain, hard, "--file", tmp_path / "medians.toml", status=2).stderr
    assert "mixes hardening faults 0.2, injections, none" in " ".join(refused.split())
