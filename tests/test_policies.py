from __future__ import annotations

import json

import pytest
from toy import ENV_ID, ShopErrand, toy_env

from agentbench_env.errors import WrongArgument
from agentbench_env.policies import load_policy
from agentbench_env.policies.random import RandomPolicy
from agentbench_env.policies.replay import load_replay
from agentbench_env.policies.scripted import scripts
from agentbench_env.policies.shortcuts import SHORTCUTS, cheapest, first, newest


def played(spec, seed, **kwargs):
    env = toy_env(**kwargs)
    observation, _ = env.reset(seed=seed)
    load_policy(spec).run(env, observation)
    return env.unwrapped


def actions_of(env):
    return [{"tool": entry.tool, "arguments": json.loads(entry.arguments)} for entry in env.lineage]


@pytest.mark.parametrize("market", ["SG", "KR"])
@pytest.mark.parametrize("language", ["en", "local"])
def test_expert_succeeds(market, language):
    for seed in range(4):
        assert played("expert", seed, market=market, prompt_language=language).verdict.success


@pytest.mark.parametrize("spec", ["random", *(f"shortcut:{name}" for name in SHORTCUTS)])
def test_guesses_end_the_episode_and_fail(spec):
    for seed in range(8):
        env = played(spec, seed)
        assert env.verdict is not None
        assert not env.verdict.success


@pytest.mark.parametrize("spec", ["random", "shortcut:approve_everything"])
def test_guesses_repeat_exactly(spec):
    assert played(spec, 5).lineage.head == played(spec, 5).lineage.head


def test_random_depends_on_its_seed():
    env = toy_env()
    heads = []
    for seed in (0, 1):
        observation, _ = env.reset(seed=3)
        RandomPolicy(seed).run(env, observation)
        heads.append(env.unwrapped.lineage.head)
    assert heads[0] != heads[1]


def test_random_calls_are_valid():
    errors = {entry.error for seed in range(8) for entry in played("random", seed).lineage}
    assert errors <= {"", "unknown_id", "unknown_tool", "sold_out", "bad_arguments", "invalid_argument"}


def test_finish_at_once_makes_one_call():
    assert [entry.tool for entry in played("shortcut:finish_at_once", 0).lineage] == ["task_finish"]


def test_hand_back_chooses_that_outcome():
    assert actions_of(played("shortcut:hand_back", 0))[-1]["arguments"]["outcome"] == "handed_back"
    assert actions_of(played("shortcut:first", 0))[-1]["arguments"]["outcome"] == "ordered"


def test_picks_differ():
    rows = [
        {"a_id": "1", "price": {"amount": "9.50", "currency": "SGD"}, "at": "2026-03-01T10:00"},
        {"a_id": "2", "price": {"amount": "10", "currency": "SGD"}, "at": "2026-03-02T10:00"},
        {"a_id": "3", "price": {"amount": "8", "currency": "SGD"}, "fees": [{"amount": "99", "currency": "SGD"}]},
    ]
    assert [pick(rows)["a_id"] for pick in (first, cheapest, newest)] == ["1", "3", "2"]


def test_shortcuts_answer_with_what_was_shown():
    env = played("shortcut:cheapest", 0)
    answer = actions_of(env)[-1]["arguments"]
    shown = "".join(env.lineage.content(index) for index in range(len(env.lineage) - 1))
    assert answer["offer_id"] in shown
    assert answer["total"]["value"]["amount"] in shown
    assert all(source in shown for source in answer["total"]["sources"])


def test_approve_everything_asks_before_every_gated_call():
    env = played("shortcut:approve_everything", 0)
    asked = [one["arguments"]["tool"] for one in actions_of(env) if one["tool"] == "user_request_approval"]
    assert sorted(asked) == ["shop_close_account", "shop_join_newsletter", "shop_send_order"]
    assert not [clause for clause in env.verdict.broken if clause.startswith("boundary.")]


def test_press_every_button_crosses_the_boundary():
    env = played("shortcut:press_every_button", 0)
    assert {"boundary.account_stays", "boundary.nothing_else"} <= set(env.verdict.broken)


def test_scripts_of_the_task():
    env = played("script:forgets_delivery", 0)
    assert env.verdict.broken == ("final.total_traced",)
    assert {"expert", "drafts_first", "answers_from_the_brief"} <= scripts(ShopErrand()).keys()
    with pytest.raises(WrongArgument, match="forgets_delivery"):
        played("script:forgets_delivry", 0)


def test_replay_of_actions(tmp_path):
    expert = played("expert", 2)
    file = tmp_path / "actions.json"
    file.write_text(json.dumps(actions_of(expert)))
    assert played(f"replay:{file}", 2).lineage.head == expert.lineage.head


def test_replay_finds_the_episode_of_the_brief(tmp_path):
    file = tmp_path / "episodes-00000.jsonl"
    experts = [played("expert", seed) for seed in range(3)]
    steps = [[{"action": action} for action in actions_of(env)] for env in experts]
    lines = [{"brief": env.lineage.content(-1), "steps": one} for env, one in zip(experts, steps, strict=True)]
    file.write_text("\n".join(map(json.dumps, lines)) + "\n")
    for seed, expert in enumerate(experts):
        assert played(f"replay:{file}", seed).lineage.head == expert.lineage.head
    with pytest.raises(WrongArgument, match="brief"):
        played(f"replay:{file}", 99)
    assert load_replay(file).name == "replay"


def test_replay_may_stop_early(tmp_path):
    file = tmp_path / "actions.json"
    file.write_text(json.dumps(actions_of(played("expert", 2))[:1]))
    env = played(f"replay:{file}", 2)
    assert env.verdict is None
    assert len(env.lineage) == 1


class OneRead:
    name = "one read"

    def run(self, env, observation):
        env.step({"tool": "shop_get_rules"})


ONE_READ = OneRead()


@pytest.mark.parametrize("attribute", ["OneRead", "ONE_READ", "make_one_read"])
def test_a_policy_of_ones_own(attribute):
    assert len(played(f"python:{__name__}:{attribute}", 0).lineage) == 1


def make_one_read():
    return ONE_READ


@pytest.mark.parametrize(
    ("spec", "near"),
    [
        ("exprt", "expert"),
        ("shortcut:cheapst", "shortcut:cheapest"),
        ("shortcut", "shortcut:first"),
        ("expert:x", "expert"),
        (f"python:{__name__}:OneRea", "OneRead"),
        ("python:json", "python:<module>:<attribute>"),
        ("", "expert"),
    ],
)
def test_unknown_policies_name_what_is_near(spec, near):
    with pytest.raises(WrongArgument, match=near):
        load_policy(spec)


def test_policies_have_names():
    for spec in ("expert", "random", "shortcut:newest"):
        assert load_policy(spec).name == spec


def test_toy_is_registered():
    assert toy_env().spec.id == ENV_ID
