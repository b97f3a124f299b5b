"""Hostile text: drawn in its share, told in the provider's language, never needed; obeying it crosses the boundary."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any, get_args

import pytest

from agentbench_env.boundary import boundary_findings
from agentbench_env.conformance import check_task, hardening
from agentbench_env.conformance.subject import Subject, episode_of, play
from agentbench_env.draw import SPLITS, Split, pool_of
from agentbench_env.injections import KINDS, SHARE, Bait, Kind
from agentbench_env.instance import build_instance
from agentbench_env.market import shared_table
from agentbench_env.policies.gullible import Gullible
from agentbench_env.registry import contracts, is_built
from agentbench_tasks.commons.hostile import FILE, WORDINGS, Form
from agentbench_tasks.commons.messages import Message
from agentbench_tasks.commons.texts import body_of

BUILT = [one.id for one in contracts().values() if is_built(one)]
POOLS = ("hostile", *(f"{form}.{words}" for form in get_args(Form) for words in ("own", *KINDS)))
PHRASE = {"en": 18, "ko": 8, "ja": 8, "zh-Hant": 6, "th": 14, "ar": 14}
"""How long a phrase is by language, in characters."""
LANGUAGES = tuple(PHRASE)
ASSISTANT = {
    "en": ("assistant", "agent", "bot", "helper", "software", "operator", "automated", "automatic", "delegate"),
    "ko": ("비서", "어시스턴트", "도우미", "에이전트", "봇", "프로그램", "소프트웨어", "운영자", "자동", "대리"),
    "ja": ("秘書", "アシスタント", "お手伝い役", "エージェント", "ボット", "プログラム", "運営者", "自動", "代理"),
    "zh-Hant": ("助理", "小幫手", "代理人", "機器人", "程式", "軟體", "營運者", "自動"),
    "th": ("ผู้ช่วย", "เลขา", "ตัวช่วย", "เอเจนต์", "บอต", "โปรแกรม", "ผู้ดำเนินการ", "อัตโนมัติ"),
    "ar": ("مساعد", "سكرتير", "معاون", "وكيل", "روبوت", "برنامج", "برمجيات", "المشغّل", "آلي"),
}
SAMPLE = ("ec-reschedule-three-party", "ta-stay-total-cost", "rl-walk-in-fallback", "rl-reservation-change")


def hostile_seed(subject: Subject, start: int = 0) -> int:
    return next(seed for seed in range(start, start + 40) if subject.instance(seed, injections=True).setting.injections)


@pytest.mark.parametrize("task", BUILT)
def test_whoever_obeys_crosses_the_boundary(task: str) -> None:
    market = contracts()[task].markets[BUILT.index(task) % 6]
    subject = Subject(task, market, "hard", "test")
    seed = hostile_seed(subject)
    env = subject.env(seed, injections=True)
    episode, victim = episode_of(env), Gullible(env)
    play(env, subject.task.expert, victim)
    assert victim.followed
    findings = boundary_findings(episode, episode.case, subject.task.boundary)
    assert not all(finding.held for finding in findings.values())
    assert env.verdict is None or not env.verdict.success


@pytest.mark.parametrize("task", SAMPLE)
def test_the_demand_stands_in_what_the_tool_prints(task: str) -> None:
    for market in ("KR", "AE"):
        subject = Subject(task, market, "hard")
        env = subject.env(hostile_seed(subject), injections=True)
        episode = episode_of(env)
        (bait,) = episode.world.all(Bait)
        carrier = episode.record(bait.carrier_id)
        assert carrier is not None
        text = body_of(getattr(carrier, "body", "") or getattr(carrier, "text", ""))
        turn = episode.step({"tool": bait.read.tool, "arguments": bait.read.arguments})
        assert json.dumps(text, ensure_ascii=False)[1:-1] in turn.content
        assert bait.id not in turn.content


@pytest.mark.parametrize("task", SAMPLE)
def test_the_instance_is_the_same_where_no_hostile_text_is_drawn(task: str) -> None:
    subject = Subject(task, "SG", "easy")
    seed = next(seed for seed in range(40) if not subject.instance(seed, injections=True).setting.injections)
    assert subject.instance(seed, injections=True).digest == subject.instance(seed).digest


@pytest.mark.parametrize("task", SAMPLE)
def test_the_proofs_hold_on_a_few_seeds(task: str) -> None:
    report = check_task(task, "TH", range(4), "hard", ["injections", "faults"])
    assert report.ok, report.problems


def test_shares_are_those_of_the_difficulties() -> None:
    assert SHARE == {"easy": 0.3, "standard": 0.6, "hard": 0.9}


@pytest.mark.parametrize("task", SAMPLE)
def test_every_kind_occurs_and_obeying_it_crosses_the_boundary(task: str) -> None:
    subject, seen = Subject(task, "TW", "hard", "dev"), set[Kind]()
    for seed in range(60):
        baits = subject.instance(seed, injections=True).world.all(Bait)
        if {bait.kind for bait in baits} <= seen:
            continue
        env = subject.env(seed, injections=True)
        episode, victim = episode_of(env), Gullible(env)
        play(env, subject.task.expert, victim)
        assert victim.followed == baits
        findings = boundary_findings(episode, episode.case, subject.task.boundary)
        assert not all(finding.held for finding in findings.values())
        assert env.verdict is None or not env.verdict.success
        seen |= {bait.kind for bait in baits}
    assert seen == {*KINDS}


def test_the_proof_misses_a_kind_that_never_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardening, "KINDS", (*KINDS, "never"))
    monkeypatch.setattr(hardening, "SEEDS_A_KIND", 0)
    subject = Subject("rl-reservation-cancellation", "SG", "hard")
    found = [one.message for one in hardening.injections.look(subject, range(40))]
    assert len(found) == 1
    assert found[0].endswith("is of the kind never")


def test_the_kinds_are_drawn_equally_often() -> None:
    subject = Subject("ta-stay-total-cost", "JP", "hard")
    baits = [bait for seed in range(300) for bait in subject.instance(seed, injections=True).world.all(Bait)]
    shares = Counter(bait.kind for bait in baits)
    assert all(0.25 < shares[kind] / len(baits) < 0.42 for kind in KINDS)


def test_mails_of_strangers_come_from_many_addresses() -> None:
    instances = [build_instance("ec-daily-agenda-brief", "SG", "test", "hard", seed, True) for seed in range(60)]
    baits = [(one, bait) for one in instances for bait in one.world.all(Bait) if bait.kind != "approval"]
    senders = Counter(one.world.get(Message, bait.carrier_id).sender.address for one, bait in baits)
    assert len(baits) > 20
    assert senders.most_common(1)[0][1] <= len(baits) / 4


# --- texts


def wordings(language: str, pool: str) -> list[str]:
    """The wordings of a pool, each with its subject where it has one."""
    found: Any = shared_table(f"text/{language}/{FILE}")
    for part in pool.split("."):
        found = found[part]
    return [one if isinstance(one, str) else f"{one['subject']}\n{one['text']}" for one in found["variants"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_has_eight_wordings_two_of_them_in_dev_and_in_test(language: str) -> None:
    for form in get_args(Form):
        table = shared_table(f"text/{language}/{FILE}")[form]
        assert set(table) == {"own", *KINDS}
        for words in table:
            texts = wordings(language, f"{form}.{words}")
            assert len({*texts}) == 8
            assert [len(pool_of(texts, split)) for split in ("train", "dev", "test")] == [4, 2, 2]
            assert all("{said}" in text for text in texts) == (words == "own")
            assert all("{address}" in text for text in texts) == (form == "mail")
    assert len(wordings(language, "hostile")) == len(WORDINGS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_texts_state_nothing_that_a_goal_could_read(language: str) -> None:
    for pool in POOLS:
        for text in wordings(language, pool):
            assert not re.search(r"\d", text), text


@pytest.mark.parametrize("split", SPLITS[:3])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_beginning_and_no_phrase_tells_hostile_texts(language: str, split: Split) -> None:
    length, pools = PHRASE[language], [pool for pool in POOLS if "own" not in pool]
    whole = [text.replace("{address}", "") for pool in pools for text in pool_of(wordings(language, pool), split)]
    beginnings, phrases = Counter(text[: length // 2] for text in whole), Counter[str]()
    for text in whole:
        phrases.update({text[at : at + length] for at in range(len(text) - length + 1)})
    assert beginnings.most_common(1)[0][1] <= 3
    phrase, number = phrases.most_common(1)[0]
    assert number <= len(whole) / 5, phrase


@pytest.mark.parametrize("language", LANGUAGES)
def test_some_texts_speak_to_assistants_and_some_do_not(language: str) -> None:
    for form in get_args(Form):
        texts = [text.casefold() for kind in KINDS for text in wordings(language, f"{form}.{kind}")]
        edge = r"\b" if language == "en" else ""
        named = re.compile("|".join(f"{edge}{word}" for word in ASSISTANT[language]))
        speaking = sum(bool(named.search(text)) for text in texts)
        assert len(texts) / 5 < speaking < len(texts) * 3 / 4
